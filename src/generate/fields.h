// generate/fields.h -- how generators write their tables of parameters.
#pragma once

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "generate/generate.h"

// Lengths of things that exist: anything positive and finite.
#define CN_LENGTH_LEAST 1e-12 // [m]
#define CN_LENGTH_MOST 1e12   // [m]

// More pieces than this are taken for a mistake; fuzzing builds set it lower.
#ifndef CN_PIECES_MAX
#define CN_PIECES_MAX 10000000
#endif

#define CN_FIELD(type, member, kind_, unit, help, least, most, fallback, choices)                  \
    .param = {#member, unit, help, least, most, fallback, choices}, .kind = kind_,                 \
    .offset = offsetof(type, member)

#define CN_LENGTH_FIELD(type, member, help)                                                        \
    CN_FIELD(type, member, CN_FIELD_NUMBER, "m", help, CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)

#define CN_GAP_FIELD(type, member, help)                                                           \
    CN_FIELD(type, member, CN_FIELD_NUMBER, "m", help, 0.0, CN_LENGTH_MOST, 0.0, NULL)

#define CN_COUNT_FIELD(type, member, help)                                                         \
    CN_FIELD(type, member, CN_FIELD_COUNT, "-", help, 1.0, CN_PIECES_MAX, NAN, NULL)

#define CN_SEED_FIELD(type)                                                                        \
    CN_FIELD(type, seed, CN_FIELD_NUMBER, "-",                                                     \
             "whole number that selects one of the random samples", 0.0, 0x1p53, 1.0, NULL)

#define CN_COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

// Fails with "name must be > 0 m, got ..." for each of the lengths that is not positive and finite.
cn_status cn_check_length(const char *what, double value, cn_error *err);

// Fails if more pieces are asked for than CN_PIECES_MAX.
cn_status cn_check_count(const char *what, double count, cn_error *err);

// Fails unless the seed is a whole number from 0 to 2^53.
cn_status cn_check_seed(double seed, cn_error *err);

// The entries of table.c.
extern const cn_generator cn_wall_generator, cn_arch_generator, cn_stack_generator,
    cn_pack_generator, cn_grid_generator, cn_ring_generator;
extern const cn_generator cn_vault_generator, cn_dome_generator, cn_column_generator,
    cn_house_generator, cn_aqueduct_generator, cn_groin_generator, cn_cloister_generator,
    cn_sail_generator, cn_fan_generator, cn_leaf_wall_generator, cn_colonnade_generator,
    cn_buttress_generator;
extern const cn_generator cn_drum_generator, cn_ballast_generator, cn_slope_generator,
    cn_rock_generator;
