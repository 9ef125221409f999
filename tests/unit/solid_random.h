// tests/unit/solid_random.h -- simple solids, and random places, the same on every machine.
#pragma once

#include <stdint.h>

#include "detect/space/narrow_space.h"
#include "test.h"

static const cn_mat3 LEVEL = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

// Turns z to x.
static const cn_mat3 LYING = {{{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}}};

// Uniform in [-1, 1).
static inline double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static inline cn_vec3 draw_direction(uint64_t *seed)
{
    cn_vec3 d;
    d.x = draw(seed);
    d.y = draw(seed);
    d.z = draw(seed);
    return cn_mul3(1.0 / cn_norm3(d), d);
}

static inline cn_mat3 draw_turn(uint64_t *seed)
{
    cn_quat q;
    q.w = draw(seed);
    q.x = draw(seed);
    q.y = draw(seed);
    q.z = draw(seed);
    return cn_quat_matrix(cn_quat_unit(q));
}

// A solid in its own frame.
static inline cn_solid place(const cn_solid_def *def)
{
    cn_solid solid = {0};
    CN_DO(cn_solid_place(def, cn_v3(0.0, 0.0, 0.0), &LEVEL, NULL, &solid, &test_error));
    return solid;
}

static inline cn_solid ball(double radius)
{
    return place(&(cn_solid_def){.kind = CN_SOLID_SPHERE, .radius = radius});
}

// Along z.
static inline cn_solid cylinder(double radius, double length)
{
    return place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = radius, .length = length});
}

static inline cn_solid box(double x, double y, double z)
{
    double point[24];
    cn_box_corners(x, y, z, point);
    return place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 8, .point = point});
}
