// tests/unit/hull_random.h -- random pairs of polyhedra for tests of contact detection: touching,
// parallel, degenerate, needle-like.
#pragma once

#include <stdint.h>

#include "detect/space/narrow_space.h"
#include "unit/hull_oracle.h"
#include "unit/hull_shapes.h"

#define PI 3.14159265358979323846

static inline cn_posed3 place(const test_hull *s, double x, double y, double z, cn_quat q)
{
    return (cn_posed3){&s->solid, cn_v3(x, y, z), cn_quat_matrix(cn_quat_unit(q))};
}

static const cn_quat UPRIGHT = {1.0, 0.0, 0.0, 0.0};

static inline cn_quat turn(double x, double y, double z, double angle)
{
    double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    return (cn_quat){cos(0.5 * angle), s * x, s * y, s * z};
}

static inline cn_quat then(cn_quat first, cn_quat second)
{
    return cn_quat_mul(second, first);
}

// Numbers in [0, 1), the same on every machine.
static inline double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static inline cn_vec3 on_sphere(uint64_t *state)
{
    double z = 2.0 * uniform(state) - 1.0, angle = 2.0 * PI * uniform(state);
    double r = sqrt(1.0 - z * z);
    return cn_v3(r * cos(angle), r * sin(angle), z);
}

static inline cn_quat any_turn(uint64_t *state)
{
    cn_vec3 axis = on_sphere(state);
    return turn(axis.x, axis.y, axis.z, 2.0 * PI * uniform(state));
}

// Boxes, plates, bars, tetrahedra, needles, hexagons and, rarely (the oracle is slow), hulls of
// twelve points.
static inline void any_shape(test_hull *s, int body, uint64_t *state)
{
    static const double side[3][3] = {{1.0, 0.75, 0.5}, {1.0, 1.0, 0.01}, {0.02, 0.03, 1.0}};
    int kind = (int)(uniform(state) * 6.2);
    if (kind < 3) {
        shape_box(s, body, side[kind][0], side[kind][1], side[kind][2]);
    } else if (kind < 5 || kind == 6) {
        cn_vec3 point[12];
        int count = kind == 6 ? 12 : 4;
        for (int k = 0; k < count; k++) {
            point[k] = on_sphere(state);
            point[k].z *= kind == 4 ? 50.0 : 1.0;
        }
        shape_points(s, body, point, count);
    } else {
        shape_prism(s, body, 6, 0.5, 0.7);
    }
}

// Half of the pairs are parallel or nearly so.
static inline cn_quat any_attitude(uint64_t *state)
{
    double choice = uniform(state);
    if (choice < 0.5) {
        return any_turn(state);
    }
    cn_quat quarter = turn(0.0, 0.0, 1.0, 0.5 * PI * floor(4.0 * uniform(state)));
    cn_vec3 axis = on_sphere(state);
    double angle = choice < 0.6 ? 0.0 : pow(10.0, -13.0 * uniform(state));
    return then(quarter, turn(axis.x, axis.y, axis.z, angle));
}

// b is put against a along some direction with a gap of either sign and any magnitude.
static inline void any_place(cn_posed3 *a, cn_posed3 *b, double size, uint64_t *state)
{
    cn_vec3 n = on_sphere(state);
    if (uniform(state) < 0.4) { // face to face
        const cn_hull *h = a->solid->hull;
        int f = (int)(uniform(state) * h->face_count);
        n = cn_mat3_mul(&a->R, h->normal[f]);
    }
    cn_vec3 aside = cn_mul3(uniform(state) < 0.3 ? 0.0 : 0.5 * size, on_sphere(state));
    b->x = cn_add_mul3(aside, -cn_dot3(aside, n), n);
    oracle_body of_a, of_b;
    oracle_place(&of_a, a);
    oracle_place(&of_b, b);
    double now = (double)oracle_along(&of_a, &of_b, vec_of(n));
    double gap = (uniform(state) < 0.5 ? -0.3 : 0.3) * size * pow(10.0, -8.0 * uniform(state));
    b->x = cn_add_mul3(b->x, gap - now, n);
    cn_touch3 t[CN_TOUCH3_MAX];
    if (uniform(state) < 0.6 && cn_hull_hull(a, b, INFINITY, t) > 0) {
        b->x = cn_add_mul3(b->x, t[0].gap - gap, t[0].normal);
    }
}

// A pair near contact.
static inline void any_pair(test_hull *s, test_hull *r, cn_posed3 *a, cn_posed3 *b, uint64_t *state)
{
    any_shape(s, 0, state);
    any_shape(r, 1, state);
    *a = place(s, 0.0, 0.0, 0.0, any_attitude(state));
    *b = place(r, 0.0, 0.0, 0.0, any_attitude(state));
    any_place(a, b, fmin(s->solid.size, r->solid.size), state);
}
