// generate/table.c -- the generators that exist, and how their parameters are set by name.
#include "generate/fields.h"
#include "generate/generate.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cn_generator *const table[] = {
    &cn_wall_generator,  &cn_arch_generator,  &cn_stack_generator,   &cn_pack_generator,
    &cn_grid_generator,  &cn_vault_generator, &cn_dome_generator,    &cn_column_generator,
    &cn_house_generator, &cn_drum_generator,  &cn_ballast_generator, &cn_slope_generator,
};

int cn_generator_count(void)
{
    return CN_COUNT_OF(table);
}

const cn_generator *cn_generator_at(int k)
{
    return k >= 0 && k < CN_COUNT_OF(table) ? table[k] : NULL;
}

const cn_generator *cn_generator_find(const char *name)
{
    for (int k = 0; k < CN_COUNT_OF(table); k++) {
        if (strcmp(table[k]->name, name) == 0) {
            return table[k];
        }
    }
    return NULL;
}

static void *place(const cn_field *field, void *def)
{
    return (char *)def + field->offset;
}

static void default_one_of(const cn_field *field, void *inner)
{
    int kind = isnan(field->param.fallback) ? -1 : (int)field->param.fallback;
    *(int *)inner = kind;
    if (kind >= 0) {
        const cn_variant *variant = &field->variant[kind];
        cn_fields_default(variant->field, variant->field_count, inner);
    }
}

static void default_field(const cn_field *field, void *at)
{
    double value = field->param.fallback;
    int whole = isnan(value) ? 0 : (int)value;
    switch (field->kind) {
    case CN_FIELD_NUMBER:
        *(double *)at = value;
        break;
    case CN_FIELD_COUNT:
    case CN_FIELD_WORD:
        *(int *)at = whole;
        break;
    case CN_FIELD_FLAG:
        *(bool *)at = whole != 0;
        break;
    case CN_FIELD_POINT:
        ((double *)at)[2] = value;
        // fall through
    case CN_FIELD_PAIR:
    case CN_FIELD_RANGE:
        ((double *)at)[0] = value;
        ((double *)at)[1] = value;
        break;
    case CN_FIELD_NUMBERS:
        *(cn_numbers *)at = (cn_numbers){0};
        break;
    case CN_FIELD_ONE_OF:
        default_one_of(field, at);
        break;
    case CN_FIELD_LIST:
        *(cn_structs *)at = (cn_structs){0};
        break;
    }
}

void cn_fields_default(const cn_field *field, int field_count, void *def)
{
    for (int k = 0; k < field_count; k++) {
        default_field(&field[k], place(&field[k], def));
    }
}

bool cn_field_is_required(const cn_field *field)
{
    return isnan(field->param.fallback) && !field->is_optional;
}

static cn_status check_range(const cn_param *param, double value, cn_error *err)
{
    if (value >= param->least && value <= param->most) {
        return CN_OK;
    }
    const char *unit = strcmp(param->unit, "-") == 0 ? "" : param->unit;
    return cn_fail(err, CN_BAD_INPUT, "%s must be between %g and %g %s, got %g", param->name,
                   param->least, param->most, unit, value);
}

static cn_status check_numbers(const cn_field *field, const double *value, int count, cn_error *err)
{
    const char *name = field->param.name;
    static const struct {
        int least, most;
        const char *words;
    } wanted[] = {[CN_FIELD_NUMBER] = {1, 1, "one number"},
                  [CN_FIELD_COUNT] = {1, 1, "one number"},
                  [CN_FIELD_FLAG] = {1, 1, "one number"},
                  [CN_FIELD_PAIR] = {2, 2, "two numbers"},
                  [CN_FIELD_POINT] = {2, 3, "two or three numbers"},
                  [CN_FIELD_RANGE] = {1, 2, "one or two numbers"},
                  [CN_FIELD_NUMBERS] = {1, CN_PIECES_MAX, "at least one number"}};
    if (count < wanted[field->kind].least || count > wanted[field->kind].most) {
        return cn_fail(err, CN_BAD_INPUT, "%s takes %s, got %d numbers", name,
                       wanted[field->kind].words, count);
    }
    for (int k = 0; k < count; k++) {
        CN_TRY(check_range(&field->param, value[k], err));
        if (field->kind == CN_FIELD_COUNT && value[k] != floor(value[k])) {
            return cn_fail(err, CN_BAD_INPUT, "%s must be a whole number, got %g", name, value[k]);
        }
    }
    return CN_OK;
}

cn_status cn_field_set(const cn_field *field, void *def, const double *value, int count,
                       cn_error *err)
{
    void *at = place(field, def);
    if (field->kind == CN_FIELD_WORD || field->kind == CN_FIELD_ONE_OF ||
        field->kind == CN_FIELD_LIST) {
        return cn_fail(err, CN_BAD_INPUT, "%s is not a number", field->param.name);
    }
    CN_TRY(check_numbers(field, value, count, err));
    switch (field->kind) {
    case CN_FIELD_NUMBER:
        *(double *)at = value[0];
        break;
    case CN_FIELD_COUNT:
        *(int *)at = (int)value[0];
        break;
    case CN_FIELD_FLAG:
        *(bool *)at = value[0] != 0.0;
        break;
    case CN_FIELD_PAIR:
    case CN_FIELD_RANGE:
        ((double *)at)[0] = value[0];
        ((double *)at)[1] = value[count - 1];
        break;
    case CN_FIELD_POINT:
        for (int d = 0; d < 3; d++) {
            ((double *)at)[d] = d < count ? value[d] : 0.0;
        }
        break;
    default:
        *(cn_numbers *)at = (cn_numbers){count, value};
        break;
    }
    return CN_OK;
}

// Place of a word in a list separated by blanks, or -1.
static int find_word(const char *choices, const char *word)
{
    size_t length = strlen(word);
    int k = 0;
    for (const char *at = choices; *at != '\0'; k++) {
        size_t span = strcspn(at, " ");
        if (span == length && strncmp(at, word, length) == 0) {
            return k;
        }
        at += span + strspn(at + span, " ");
    }
    return -1;
}

cn_status cn_field_set_word(const cn_field *field, void *def, const char *word, cn_error *err)
{
    int k = field->kind == CN_FIELD_WORD ? find_word(field->param.choices, word) : -1;
    if (k < 0) {
        return cn_fail(err, CN_BAD_INPUT, "%s cannot be '%s'; possible: %s", field->param.name,
                       word,
                       field->kind == CN_FIELD_WORD ? field->param.choices : "a value, not a word");
    }
    *(int *)place(field, def) = k;
    return CN_OK;
}

static cn_status unknown_variant(const cn_field *field, const char *name, cn_error *err)
{
    char known[200] = "";
    for (int k = 0; k < field->variant_count; k++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "",
                 field->variant[k].name);
    }
    return cn_fail(err, CN_BAD_INPUT, "%s cannot be '%s'; possible: %s", field->param.name, name,
                   known);
}

cn_status cn_field_choose(const cn_field *field, void *def, const char *name,
                          const cn_variant **variant, void **inner, cn_error *err)
{
    for (int k = 0; field->kind == CN_FIELD_ONE_OF && k < field->variant_count; k++) {
        if (strcmp(field->variant[k].name, name) == 0) {
            *variant = &field->variant[k];
            *inner = place(field, def);
            *(int *)*inner = k;
            cn_fields_default((*variant)->field, (*variant)->field_count, *inner);
            return CN_OK;
        }
    }
    return unknown_variant(field, name, err);
}
