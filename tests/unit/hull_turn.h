// tests/unit/hull_turn.h -- blocks on and beside each other, and how far their points move if one
// is turned by 1e-9: theory 5.4.
#pragma once

#include "test.h"
#include "unit/hull_random.h"

typedef enum block_family {
    PRISMS,     // of 3 to 8 sides, regular or not, flat or tilted
    MANY_SIDED, // of 12 to 30
    BOXES,      // equal or not; parallel, turned by 45 degrees, by next to nothing, or anyhow
    LUMPS,      // of 12 corners, anyhow; also corner on corner and edge on edge
    BLOCK_FAMILY_COUNT,
} block_family;

static inline void any_block(test_hull *s, int body, int least, int most, uint64_t *state)
{
    int n = least + (int)((most + 1 - least) * uniform(state));
    double choice = uniform(state), x = 0.5 + uniform(state), y = 0.5 + uniform(state);
    cn_vec2 corner[32];
    for (int k = 0; k < n; k++) {
        double angle = 2.0 * PI * (k + (choice < 0.4 ? 0.0 : 0.9 * uniform(state))) / n;
        corner[k] = cn_v2(x * cos(angle), (choice < 0.4 ? x : y) * sin(angle));
    }
    shape_extrude(s, body, n, corner, 1.0);
}

// The body turned by an angle about some axis through its centre.
static inline cn_posed3 turned_by(const cn_posed3 *b, double angle, uint64_t *state)
{
    cn_vec3 of = on_sphere(state);
    cn_mat3 Q = cn_quat_matrix(turn(of.x, of.y, of.z, angle));
    cn_posed3 c = *b;
    for (int i = 0; i < 3; i++) { // B <- B Q: a turn in the frame of the body
        c.R.row[i] = cn_mat3_mul_transposed(&Q, b->R.row[i]);
    }
    return c;
}

static inline void any_prisms(test_hull *s, test_hull *r, cn_posed3 *a, cn_posed3 *b, int least,
                              int most, uint64_t *state)
{
    any_block(s, 0, least, most, state);
    any_block(r, 1, least, most, state);
    *a = place(s, 0.0, 0.0, 0.0, turn(0.0, 0.0, 1.0, 2.0 * PI * uniform(state)));
    *b = place(r, uniform(state), uniform(state), 1.0,
               turn(0.0, 0.0, 1.0, 2.0 * PI * uniform(state)));
    double tilt = uniform(state) < 0.5 ? 0.0 : pow(10.0, -8.0 * uniform(state));
    *b = turned_by(b, tilt, state);
}

// One of several angles, or any.
static inline double any_angle(uint64_t *state)
{
    double choice = uniform(state), other = uniform(state);
    return choice < 0.2   ? 0.0
           : choice < 0.4 ? 0.25 * PI
           : choice < 0.6 ? 0.5 * PI
           : choice < 0.8 ? pow(10.0, -10.0 * other)
                          : 2.0 * PI * other;
}

static inline void any_boxes(test_hull *s, test_hull *r, cn_posed3 *a, cn_posed3 *b,
                             uint64_t *state)
{
    double x = 0.5 + uniform(state), y = 0.5 + uniform(state), z = 0.5 + uniform(state);
    bool is_square = uniform(state) < 0.5, is_equal = uniform(state) < 0.5;
    shape_box(s, 0, is_square ? 1.0 : x, is_square ? 1.0 : y, z);
    shape_box(r, 1, is_equal ? 2.0 * s->vertex[7].x : 0.5 + uniform(state),
              is_equal ? 2.0 * s->vertex[7].y : 0.5 + uniform(state), z);
    double choice = uniform(state), sign = uniform(state) < 0.5 ? -1.0 : 1.0;
    double aside = choice < 0.3 ? 0.0 : choice < 0.6 ? 0.5 * x : uniform(state);
    double beside = choice < 0.6 ? 0.0 : uniform(state);
    double gap = uniform(state) < 0.3 ? 0.0 : sign * pow(10.0, -3.0 - 9.0 * uniform(state));
    *a = place(s, 0.0, 0.0, 0.0, UPRIGHT);
    *b = place(r, aside, beside, z + gap, turn(0.0, 0.0, 1.0, any_angle(state)));
    double tilt = uniform(state) < 0.5 ? 0.0 : pow(10.0, -12.0 * uniform(state));
    *b = turned_by(b, tilt, state);
}

static inline void any_lump(test_hull *s, int body, uint64_t *state)
{
    cn_vec3 corner[12];
    for (int k = 0; k < 12; k++) {
        corner[k] = on_sphere(state);
    }
    shape_points(s, body, corner, 12);
}

static inline void any_lumps(test_hull *s, test_hull *r, cn_posed3 *a, cn_posed3 *b,
                             uint64_t *state)
{
    any_lump(s, 0, state);
    any_lump(r, 1, state);
    *a = place(s, 0.0, 0.0, 0.0, any_turn(state));
    *b = place(r, 0.0, 0.0, 0.0, any_turn(state));
    any_place(a, b, fmin(s->solid.size, r->solid.size), state);
}

static inline void any_blocks(block_family family, test_hull *s, test_hull *r, cn_posed3 *a,
                              cn_posed3 *b, uint64_t *state)
{
    if (family == BOXES) {
        any_boxes(s, r, a, b, state);
    } else if (family == LUMPS) {
        any_lumps(s, r, a, b, state);
    } else {
        any_prisms(s, r, a, b, family == PRISMS ? 3 : 12, family == PRISMS ? 8 : 30, state);
    }
}

// How far the points of t are from those of u with the same names; INFINITY if these are others.
static inline double moved_by(const cn_touch3 *t, int count, const cn_touch3 *u, int other)
{
    double most = count == other ? 0.0 : INFINITY;
    for (int k = 0; k < count; k++) {
        double least = INFINITY;
        for (int m = 0; m < other; m++) {
            bool is_same = t[k].feature == u[m].feature;
            least = is_same ? cn_norm3(cn_sub3(t[k].point, u[m].point)) : least;
        }
        most = fmax(most, least);
    }
    return most;
}

// Of `count` pairs, how many have a point that moves by more than 1e-6 of the size if a body is
// turned by 1e-9. Bodies that move list corners on their way. The turned pair is looked at for the
// first time, and with the hint of the look before the turn.
static inline int count_jumps(block_family family, bool is_moving, int count, uint64_t seed)
{
    int jumps = 0, touching = 0;
    for (int k = 0; k < count; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_blocks(family, &s, &r, &a, &b, &seed);
        cn_posed3 c = turned_by(&b, 1e-9, &seed);
        double size = fmin(s.solid.size, r.solid.size);
        double sweep = is_moving ? 0.4 * uniform(&seed) : 0.0;
        cn_hint hint = {0}, none = {0};
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX], v[CN_TOUCH3_MAX];
        int before = cn_narrow3_warm(&a, &b, 1.0, sweep, &hint, t);
        int after = cn_narrow3_warm(&a, &c, 1.0, sweep, &none, u);
        int warm = cn_narrow3_warm(&a, &c, 1.0, sweep, &hint, v);
        touching += before > 0;
        jumps +=
            !(fmax(moved_by(t, before, u, after), moved_by(t, before, v, warm)) <= 1e-6 * size);
    }
    CN_TRUE(touching > 0.9 * count);
    return jumps;
}
