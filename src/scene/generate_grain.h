// scene/generate_grain.h -- grains drawn at random: shape, size and orientation.
#pragma once

#include "scene/generate.h"

#include <stdint.h>

#define CN_GRAIN_SIDES_MAX 64

// One grain about the centre of the smallest circle that is known to hold it.
typedef struct cn_grain {
    cn_shape_kind kind;
    double radius, length;                 // disk, capsule [m]
    double bound;                          // radius of that circle [m]
    double area;                           // [m2]
    double turn;                           // random angle [rad]
    int sides;                             // polygon
    double vertex[2 * CN_GRAIN_SIDES_MAX]; // polygon, about the centre of the circle [m]
} cn_grain;

cn_status cn_grain_check(const cn_grain_def *def, cn_error *err);

// Grain number k of the sample `seed`: a pure function, so that a grain can be drawn again instead
// of being stored.
void cn_grain_draw(const cn_grain_def *def, uint64_t seed, uint64_t k, cn_grain *grain);

// Radius of a circle that holds every grain the definition can give.
double cn_grain_bound_most(const cn_grain_def *def);

// Appends the grain with the centre of its circle at x, y, turned by `angle`.
cn_status cn_grain_add(const cn_grain *grain, double x, double y, double angle, const int index[2],
                       cn_pieces *pieces, cn_error *err);

// Variants of the field `shape`.
extern const cn_variant cn_grain_variants[];
#define CN_GRAIN_VARIANT_COUNT 4
