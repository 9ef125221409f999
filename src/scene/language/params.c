// scene/language/params.c -- named numbers: evaluated in order, so that each may use those before
// it.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "scene/language/unit.h"
#include "scene/read_scene.h"

static bool is_symbol_name(const char *name)
{
    if (!isalpha((unsigned char)name[0]) && name[0] != '_') {
        return false;
    }
    for (const char *at = name; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && *at != '_') {
            return false;
        }
    }
    return strlen(name) <= 60;
}

static bool is_taken(const char *name)
{
    for (const char *const *known = cn_expr_names(); *known != NULL; known++) {
        if (strcmp(*known, name) == 0) {
            return true;
        }
    }
    return false;
}

// The text after "name=" of the last override of that name, or NULL.
static const char *find_define(const cn_scene_source *source, const char *name)
{
    size_t length = strlen(name);
    const char *found = NULL;
    for (int k = 0; k < source->define_count; k++) {
        const char *define = source->define[k];
        if (strncmp(define, name, length) == 0 && define[length] == '=') {
            found = define + length + 1;
        }
    }
    return found;
}

static bool evaluate(cn_making *m, const cn_node *key, const cn_node *item, double *value)
{
    cn_reading *r = &m->reading;
    const cn_key as_number = {.name = key->text, .type = CN_TYPE_NUMBER, .unit = "*"};
    const char *define = find_define(&m->def->source, key->text);
    if (define == NULL) {
        return cn_number_of(r, item, &as_number, value);
    }
    cn_error why = {0};
    m->hash = cn_hash_bytes(m->hash, key->text, strlen(key->text));
    m->hash = cn_hash_bytes(m->hash, define, strlen(define));
    const char *text = define[0] == '=' ? define + 1 : define;
    if (cn_quantity_is_meant(define)) {
        if (cn_quantity_read(define, "*", value, &why) == CN_OK) {
            return true;
        }
        cn_complain(r->report, key->at, "override %s=%.60s: %s", key->text, define, why.text);
        return false;
    }
    if (cn_expr_eval(text, r->symbol, r->symbol_count, value, &why) != CN_OK) {
        cn_complain(r->report, key->at, "override %s=%.60s: %s", key->text, define, why.text);
        return false;
    }
    return true;
}

static bool check_param_name(cn_reading *r, const cn_node *key)
{
    if (!is_symbol_name(key->text)) {
        cn_complain(r->report, key->at,
                    "'%.60s' cannot be the name of a param: use letters, digits and '_'",
                    key->text);
        return false;
    }
    if (is_taken(key->text)) {
        cn_complain(r->report, key->at, "'%s' is a function or constant, choose another name",
                    key->text);
        return false;
    }
    return true;
}

// Overrides of names that the scene does not declare.
static void check_defines(cn_making *m, const cn_node *root, const cn_node *params)
{
    cn_reading *r = &m->reading;
    for (int k = 0; k < m->def->source.define_count; k++) {
        const char *define = m->def->source.define[k];
        size_t length = strcspn(define, "=");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), define);
        cn_place whole = {root->at.source, 0, 0};
        if (define[length] != '=' || length == 0) {
            cn_complain(r->report, whole, "override '%.60s' is not of the form name=value", define);
        } else if (params == NULL || cn_node_find(params, name) == NULL) {
            const char **known =
                cn_reading_take(r, params == NULL ? 0 : (size_t)params->count, sizeof *known);
            int count = params == NULL || known == NULL ? 0 : params->count;
            for (int n = 0; n < count; n++) {
                known[n] = params->key[n]->text;
            }
            cn_complain_unknown(r->report, whole, "param", name, "overrides", known, count);
        }
    }
}

static const cn_node *number_node(cn_reading *r, const cn_node *like, double value)
{
    cn_node *made = cn_reading_take(r, 1, sizeof *made);
    char *text = cn_arena_print(r->arena, r->err, "%.17g", value);
    if (made == NULL || text == NULL) {
        r->status = CN_NO_MEMORY;
        return NULL;
    }
    *made = (cn_node){.kind = CN_NODE_SCALAR, .is_plain = true, .at = like->at, .text = text};
    return made;
}

static const cn_node *evaluate_all(cn_making *m, const cn_node *params)
{
    cn_reading *r = &m->reading;
    cn_symbol *symbol = cn_reading_take(r, (size_t)params->count, sizeof *symbol);
    const cn_node **item = cn_reading_take(r, (size_t)params->count, sizeof *item);
    cn_node *made = cn_reading_take(r, 1, sizeof *made);
    if (symbol == NULL || item == NULL || made == NULL) {
        return NULL;
    }
    r->symbol = symbol;
    bool is_good = true;
    for (int k = 0; k < params->count; k++) {
        double value = 0.0;
        is_good = check_param_name(r, params->key[k]) && is_good;
        is_good = evaluate(m, params->key[k], params->item[k], &value) && is_good;
        symbol[r->symbol_count++] = (cn_symbol){params->key[k]->text, value};
        item[k] = number_node(r, params->item[k], value);
        is_good = is_good && item[k] != NULL;
    }
    *made = *params;
    made->item = item;
    return is_good ? made : NULL;
}

const cn_node *cn_params_apply(cn_making *m, const cn_node *root)
{
    cn_reading *r = &m->reading;
    const cn_node *params = cn_node_find(root, "params");
    if (params != NULL && params->kind != CN_NODE_MAP) {
        cn_complain(r->report, params->at, "params takes a map from names to numbers, this is %s",
                    cn_node_kind_name(params));
        return NULL;
    }
    check_defines(m, root, params);
    if (params == NULL) {
        return root;
    }
    const cn_node *values = evaluate_all(m, params);
    const cn_node **item = cn_reading_take(r, (size_t)root->count, sizeof *item);
    cn_node *made = cn_reading_take(r, 1, sizeof *made);
    if (values == NULL || item == NULL || made == NULL) {
        return NULL;
    }
    for (int k = 0; k < root->count; k++) {
        item[k] = root->item[k] == params ? values : root->item[k];
    }
    *made = *root;
    made->item = item;
    return made;
}
