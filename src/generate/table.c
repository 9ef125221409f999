// generate/table.c -- the generators that exist, and how their parameters are set by name.
#include "generate/fields.h"
#include "generate/generate.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cn_generator *const table[] = {
    &cn_wall_generator,   &cn_arch_generator,     &cn_stack_generator,      &cn_pack_generator,
    &cn_grid_generator,   &cn_ring_generator,     &cn_vault_generator,      &cn_dome_generator,
    &cn_column_generator, &cn_house_generator,    &cn_drum_generator,       &cn_ballast_generator,
    &cn_slope_generator,  &cn_aqueduct_generator, &cn_groin_generator,      &cn_cloister_generator,
    &cn_sail_generator,   &cn_fan_generator,      &cn_tensegrity_generator, &cn_leaf_wall_generator,
    &cn_rope_generator,   &cn_rock_generator,     &cn_colonnade_generator,  &cn_buttress_generator,
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
    case CN_FIELD_COLUMNS:
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

void cn_field_set(const cn_field *field, void *def, const double *value, int count)
{
    void *at = place(field, def);
    switch (field->kind) {
    case CN_FIELD_NUMBER:
        *(double *)at = value[0];
        break;
    case CN_FIELD_COUNT:
    case CN_FIELD_WORD:
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
    case CN_FIELD_NUMBERS:
        *(cn_numbers *)at = (cn_numbers){count, value};
        break;
    case CN_FIELD_ONE_OF:
    case CN_FIELD_LIST:
    case CN_FIELD_COLUMNS:
        break;
    }
}

const cn_variant *cn_field_choose(const cn_field *field, void *def, const char *name, void **inner)
{
    for (int k = 0; k < field->variant_count; k++) {
        const cn_variant *variant = &field->variant[k];
        if (strcmp(variant->name, name) == 0) {
            *inner = place(field, def);
            *(int *)*inner = k;
            cn_fields_default(variant->field, variant->field_count, *inner);
            return variant;
        }
    }
    return NULL;
}
