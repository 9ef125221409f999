// generate/pack/grain.h -- grains drawn at random: shape, size and orientation.
#pragma once

#include "generate/generate.h"

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

// Which of the sizes of a sample is drawn: number k of sample `seed`, with its own random numbers.
typedef struct cn_lot {
    uint64_t seed, k;
    uint64_t *random;
} cn_lot;

// Sizes (generate/pack/size.c), shared with grains in space: checks a definition, draws one where
// masses grow with size^dim, the largest there is.
cn_status cn_size_check(const cn_size_def *size, cn_error *err);
double cn_size_draw(const cn_size_def *size, int dim, cn_lot lot);
double cn_size_most(const cn_size_def *size);
extern const cn_variant cn_size_variants[];
#define CN_SIZE_VARIANT_COUNT 6

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

// ---- the same in space

#define CN_GRAIN3_VERTICES_MAX 64

// One grain about the centre of a sphere that holds it.
typedef struct cn_grain3 {
    cn_solid_kind kind;
    double radius, length;                     // sphere, capsule, cylinder [m]
    double bound;                              // radius of that sphere [m]
    double volume;                             // [m3]
    double turn[4];                            // random orientation, quaternion
    int vertex_count;                          // hull
    double vertex[3 * CN_GRAIN3_VERTICES_MAX]; // hull, about the centre of the sphere [m]
} cn_grain3;

cn_status cn_grain3_check(const cn_grain3_def *def, cn_error *err);
cn_status cn_grain3_draw(const cn_grain3_def *def, uint64_t seed, uint64_t k, cn_grain3 *grain,
                         cn_error *err);
double cn_grain3_bound_most(const cn_grain3_def *def);
cn_status cn_grain3_add(const cn_grain3 *grain, const double at[3], bool is_turned,
                        const int index[2], cn_pieces *pieces, cn_error *err);

extern const cn_variant cn_grain3_variants[];
#define CN_GRAIN3_VARIANT_COUNT 5

// The field `shape` of generators in space, which fills the member `solid`.
#define CN_SOLID_FIELD(type, help)                                                                 \
    .param = {"shape", "-", help, 0.0, 0.0, NAN, NULL}, .kind = CN_FIELD_ONE_OF,                   \
    .offset = offsetof(type, solid), .dim = 3, .variant_count = CN_GRAIN3_VARIANT_COUNT,           \
    .variant = cn_grain3_variants
