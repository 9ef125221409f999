// scene/keys/keys_tables.c -- sections made from the tables of laws and generators.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "generate/generate.h"
#include "scene/keys/keys.h"

// Numbers of tables as default text; NaN is no default.
static const char *default_text(double value, const char *choices, bool is_optional,
                                cn_arena *arena, cn_error *err)
{
    if (isnan(value)) {
        return is_optional ? "" : NULL;
    }
    char word[64];
    if (choices != NULL && cn_choice_at(choices, (int)value, word)) {
        return cn_arena_print(arena, err, "%s", word);
    }
    return cn_arena_print(arena, err, "%.17g", value);
}

// The words no and yes are written false and true in a scene.
static bool is_flag(const cn_param *param)
{
    return param->choices != NULL && strcmp(param->choices, "no yes") == 0;
}

static cn_key key_of_param(const cn_param *param)
{
    bool has_unit = param->unit != NULL && strcmp(param->unit, "-") != 0;
    return (cn_key){.name = param->name,
                    .type = is_flag(param)           ? CN_TYPE_FLAG
                            : param->choices != NULL ? CN_TYPE_WORD
                                                     : CN_TYPE_NUMBER,
                    .unit = has_unit ? param->unit : NULL,
                    .least = param->least,
                    .most = param->most,
                    .choices = is_flag(param) ? NULL : param->choices,
                    .help = param->help};
}

static bool make_param(const cn_param *param, cn_arena *arena, cn_error *err, cn_key *key)
{
    *key = key_of_param(param);
    key->fallback = is_flag(param)
                        ? (param->fallback != 0.0 ? "true" : "false")
                        : default_text(param->fallback, param->choices, false, arena, err);
    return key->fallback != NULL || isnan(param->fallback);
}

cn_section *cn_section_params(const cn_key *first, const cn_param *param, int count,
                              cn_arena *arena, cn_error *err)
{
    cn_section *section = cn_arena_take(arena, 1, sizeof *section, err);
    cn_key *key = cn_arena_take(arena, (size_t)count + 1, sizeof *key, err);
    if (section == NULL || key == NULL) {
        return NULL;
    }
    key[0] = *first;
    for (int k = 0; k < count; k++) {
        if (!make_param(&param[k], arena, err, &key[k + 1])) {
            return NULL;
        }
    }
    *section = (cn_section){.count = count + 1, .key = key};
    return section;
}

static const char *law_words(cn_arena *arena, cn_error *err)
{
    const char *words = "";
    for (int k = 0; k < cn_law_type_count() && words != NULL; k++) {
        words =
            cn_arena_print(arena, err, "%s%s%s", words, k > 0 ? " " : "", cn_law_type_at(k)->name);
    }
    return words;
}

const cn_section *cn_section_law(const cn_law_type *type, cn_arena *arena, cn_error *err)
{
    const char *words = law_words(arena, err);
    const cn_key first = {
        .name = "type", .type = CN_TYPE_WORD, .choices = words, .help = "kind of law"};
    cn_section *section =
        words != NULL ? cn_section_params(&first, type->param, type->param_count, arena, err)
                      : NULL;
    if (section != NULL) {
        section->name = type->name;
        section->help = type->help;
    }
    return section;
}

static bool make_key(const cn_field *field, cn_arena *arena, cn_error *err, cn_key *key);

static cn_key *make_keys(const cn_field *field, int count, cn_arena *arena, cn_error *err)
{
    cn_key *key = cn_arena_take(arena, (size_t)count, sizeof *key, err);
    for (int k = 0; k < count && key != NULL; k++) {
        if (!make_key(&field[k], arena, err, &key[k])) {
            return NULL;
        }
    }
    return key;
}

// A variant is a key of its own: bare ones take the value of their only field, others may.
static bool make_variant(const cn_variant *variant, cn_arena *arena, cn_error *err, cn_key *key)
{
    if (variant->is_bare) {
        if (!make_key(&variant->field[0], arena, err, key)) {
            return false;
        }
    } else {
        cn_section *section = cn_arena_take(arena, 1, sizeof *section, err);
        cn_key *inner = make_keys(variant->field, variant->field_count, arena, err);
        if (section == NULL || inner == NULL) {
            return false;
        }
        *section = (cn_section){.name = variant->name,
                                .help = variant->help,
                                .count = variant->field_count,
                                .key = inner};
        if (variant->field_count == 1) {
            const cn_field *only = &variant->field[0];
            section->short_scalar = only->param.name;
            section->short_list = only->kind == CN_FIELD_ONE_OF ? only->param.name : NULL;
        }
        *key = (cn_key){.type = CN_TYPE_MAP, .section = section, .fallback = "{}"};
    }
    key->name = variant->name;
    key->help = variant->help;
    return true;
}

// The variant that a plain list stands for: the first that is one, e.g. least and most of a size.
static const char *list_variant(const cn_field *field)
{
    for (int k = 0; k < field->variant_count; k++) {
        const cn_variant *variant = &field->variant[k];
        if (variant->is_bare && variant->field[0].kind != CN_FIELD_NUMBER &&
            variant->field[0].kind != CN_FIELD_COUNT) {
            return variant->name;
        }
    }
    return field->variant[0].name;
}

// A field with variants is a CN_TYPE_ONE; a region may also be the name of a body.
static const cn_section *make_variants(const cn_field *field, cn_arena *arena, cn_error *err)
{
    int count = field->variant_count + (field->is_region ? 1 : 0);
    cn_section *section = cn_arena_take(arena, 1, sizeof *section, err);
    cn_key *key = cn_arena_take(arena, (size_t)count, sizeof *key, err);
    if (section == NULL || key == NULL) {
        return NULL;
    }
    for (int k = 0; k < field->variant_count; k++) {
        if (!make_variant(&field->variant[k], arena, err, &key[k])) {
            return NULL;
        }
    }
    *section = (cn_section){
        .name = field->param.name, .help = field->param.help, .count = count, .key = key};
    if (field->variant_count > 0 && field->variant[0].is_bare) {
        section->short_scalar = field->variant[0].name;
        section->short_list = list_variant(field);
    }
    if (field->is_region) {
        key[count - 1] = (cn_key){.name = "body",
                                  .type = CN_TYPE_TEXT,
                                  .fallback = "",
                                  .help = "the inside of a body that comes before, e.g. a drum"};
        section->short_scalar = "body";
    }
    return section;
}

static bool make_one_of(const cn_field *field, cn_arena *arena, cn_error *err, cn_key *key)
{
    key->type = CN_TYPE_ONE;
    key->least = key->most = 0.0;
    key->section = make_variants(field, arena, err);
    if (!isnan(field->param.fallback)) {
        key->fallback = field->variant[(int)field->param.fallback].name;
    } else {
        key->fallback = field->is_optional ? "" : NULL;
    }
    return key->section != NULL;
}

// A list whose items are maps with the fields of its only variant.
static bool make_list(const cn_field *field, cn_arena *arena, cn_error *err, cn_key *key)
{
    cn_key *item = cn_arena_take(arena, 1, sizeof *item, err);
    if (item == NULL || !make_variant(&field->variant[0], arena, err, item)) {
        return false;
    }
    item->fallback = NULL;
    key->item = item;
    key->least = key->most = 0.0;
    key->fallback = cn_field_is_required(field) ? NULL : "";
    return true;
}

static bool make_key(const cn_field *field, cn_arena *arena, cn_error *err, cn_key *key)
{
    static const cn_key_type types[] = {
        [CN_FIELD_NUMBER] = CN_TYPE_NUMBER, [CN_FIELD_COUNT] = CN_TYPE_INTEGER,
        [CN_FIELD_FLAG] = CN_TYPE_FLAG,     [CN_FIELD_WORD] = CN_TYPE_WORD,
        [CN_FIELD_PAIR] = CN_TYPE_PAIR,     [CN_FIELD_POINT] = CN_TYPE_POINT,
        [CN_FIELD_RANGE] = CN_TYPE_RANGE,   [CN_FIELD_NUMBERS] = CN_TYPE_NUMBERS,
        [CN_FIELD_ONE_OF] = CN_TYPE_ONE,    [CN_FIELD_LIST] = CN_TYPE_LIST,
        [CN_FIELD_COLUMNS] = CN_TYPE_TEXT};
    *key = key_of_param(&field->param);
    key->dim = field->dim;
    key->type = types[field->kind];
    if (field->kind == CN_FIELD_ONE_OF) {
        return make_one_of(field, arena, err, key);
    }
    if (field->kind == CN_FIELD_LIST) {
        return make_list(field, arena, err, key);
    }
    double value = field->param.fallback;
    if (field->kind == CN_FIELD_NUMBERS || field->kind == CN_FIELD_COLUMNS) {
        key->fallback = cn_field_is_required(field) ? NULL : "";
        return true;
    }
    if (field->kind == CN_FIELD_FLAG && !isnan(value)) {
        key->fallback = value != 0.0 ? "true" : "false";
        return true;
    }
    key->fallback = default_text(value, key->choices, field->is_optional, arena, err);
    return key->fallback != NULL || isnan(value);
}

const cn_section *cn_section_generators(cn_arena *arena, cn_error *err)
{
    int count = cn_generator_count();
    cn_section *section = cn_arena_take(arena, 1, sizeof *section, err);
    cn_section *inner = cn_arena_take(arena, (size_t)count, sizeof *inner, err);
    cn_key *key = cn_arena_take(arena, (size_t)count, sizeof *key, err);
    if (section == NULL || inner == NULL || key == NULL) {
        return NULL;
    }
    for (int k = 0; k < count; k++) {
        const cn_generator *generator = cn_generator_at(k);
        const cn_key *keys = make_keys(generator->field, generator->field_count, arena, err);
        if (keys == NULL) {
            return NULL;
        }
        inner[k] = (cn_section){.name = generator->name,
                                .help = generator->help,
                                .count = generator->field_count,
                                .key = keys};
        key[k] = (cn_key){.name = generator->name,
                          .type = CN_TYPE_MAP,
                          .section = &inner[k],
                          .fallback = "",
                          .help = generator->help,
                          .dim = generator->dim};
    }
    *section = (cn_section){.name = "generate",
                            .help = "many bodies from a few numbers: one of these",
                            .count = count,
                            .key = key};
    return section;
}

const cn_section *cn_key_section(const cn_key *key, cn_arena *arena, cn_error *err)
{
    if (key->type == CN_TYPE_OBSERVER) {
        const cn_key *observer = cn_key_observer(arena, err);
        return observer != NULL ? observer->section : NULL;
    }
    return key->type == CN_TYPE_GENERATOR ? cn_section_generators(arena, err) : key->section;
}
