// tests/unit/narrow_turn.h -- shapes of the plane near contact, also corner on corner, and how far
// their points move if one is turned by 1e-9: theory 5.4.
#pragma once

#include "narrow_bodies.h"

typedef enum shape_family {
    BOXES,
    POLYGONS,   // of 3 to 8 sides, regular or not
    MANY_SIDED, // of 12 to 30
    SLABS,      // 50 times as long as wide
    CAPSULES,
    DISKS,
    DRUMS,
    PLANES,
    SHAPE_FAMILY_COUNT,
} shape_family;

static inline void any_polygon(body *b, int least, int most, uint64_t *state)
{
    int count = least + (int)((most + 1 - least) * cn_random(state));
    double x = random_between(state, 0.5, 1.5), y = random_between(state, 0.5, 1.5);
    bool is_regular = cn_random(state) < 0.4;
    for (int k = 0; k < count; k++) {
        double angle = 2.0 * CN_PI * (k + (is_regular ? 0.0 : 0.8 * cn_random(state))) / count;
        b->local[2 * k] = x * cos(angle);
        b->local[2 * k + 1] = (is_regular ? x : y) * sin(angle);
    }
    make_polygon(b, count);
}

// A side of 1 in two of five cases.
static inline double any_side(uint64_t *state)
{
    double other = random_between(state, 0.5, 1.5);
    return cn_random(state) < 0.4 ? 1.0 : other;
}

static inline void any_body(shape_family family, body *b, uint64_t *state)
{
    double width = any_side(state), height = any_side(state);
    switch (family) {
    case BOXES:
        make_box(b, width, height);
        break;
    case POLYGONS:
        any_polygon(b, 3, 8, state);
        break;
    case MANY_SIDED:
        any_polygon(b, 12, 30, state);
        break;
    case SLABS:
        make_box(b, 0.02, 1.0);
        break;
    case CAPSULES:
        make_capsule(b, width, 0.3 * height);
        break;
    case DISKS:
        make_disk(b, 0.5 * width);
        break;
    case DRUMS:
        make_drum(b, 2.0 + width, 0.2);
        break;
    default:
        make_half_plane(b);
    }
}

static inline double least_of(const cn_touch *touch, int count, int *at)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        *at = touch[k].gap < least ? k : *at;
        least = fmin(least, touch[k].gap);
    }
    return least;
}

// Puts a corner of b next to one of a, unless the bodies then overlap.
static inline void meet_corners(const body *a, body *b, uint64_t *state)
{
    int of_a = (int)(a->shape.vertex_count * cn_random(state)), at = 0;
    int of_b = (int)(b->shape.vertex_count * cn_random(state));
    double far = pow(10.0, random_between(state, -11.0, -3.0));
    double way = random_between(state, 0.0, 2.0 * CN_PI);
    cn_vec2 x = b->posed.x,
            z = cn_sub2(cn_posed_vertex(&a->posed, of_a), cn_posed_vertex(&b->posed, of_b));
    move_body(b, x.x + z.x + far * cos(way), x.y + z.y + far * sin(way), b->angle);
    cn_touch touch[CN_TOUCH_MAX];
    if (least_of(touch, cn_narrow(&a->posed, &b->posed, 1.0, touch), &at) < -1e-5) {
        move_body(b, x.x, x.y, b->angle);
    }
}

// b against a with a gap of either sign and any magnitude; in quarters, next to that, or anyhow.
static inline void any_bodies(shape_family first, shape_family second, body *a, body *b,
                              uint64_t *state)
{
    any_body(first, a, state);
    any_body(second, b, state);
    b->shape.body = 1;
    double angle = random_between(state, 0.0, 2.0 * CN_PI), quarter = 0.5 * CN_PI;
    double turned = cn_random(state) < 0.4 ? random_between(state, 0.0, 2.0 * CN_PI)
                                           : quarter * floor(4.0 * cn_random(state));
    turned += cn_random(state) < 0.3 ? pow(10.0, random_between(state, -10.0, 0.0)) : 0.0;
    double way = cn_random(state) < 0.4 ? quarter * floor(4.0 * cn_random(state))
                                        : random_between(state, 0.0, 2.0 * CN_PI);
    bool is_inside = first == DRUMS || second == DRUMS;
    double far = is_inside ? random_between(state, 0.0, 3.0) : random_between(state, 0.6, 1.4);
    angle = cn_random(state) < 0.5 ? 0.0 : angle;
    move_body(a, 0.3, -0.2, angle);
    move_body(b, 0.3 + far * cos(angle + way), -0.2 + far * sin(angle + way), angle + turned);
    cn_touch touch[CN_TOUCH_MAX];
    int at = 0, count = cn_narrow(&a->posed, &b->posed, 1.5, touch);
    if (count > 0) {
        double sign = cn_random(state) < 0.5 ? -1.0 : 1.0;
        double gap = sign * pow(10.0, random_between(state, -9.0, sign < 0.0 ? -5.0 : -1.0));
        double by = least_of(touch, count, &at) - gap;
        cn_vec2 x = cn_add_mul2(b->posed.x, by, touch[at].normal);
        move_body(b, x.x, x.y, b->angle);
    }
    if (cn_random(state) < 0.2 && first <= SLABS && second <= SLABS) {
        meet_corners(a, b, state);
    }
}

// How far the points of t are from those of u with the same names; INFINITY if these are others.
static inline double moved_by(const cn_touch *t, int count, const cn_touch *u, int other)
{
    double most = count == other ? 0.0 : INFINITY;
    for (int k = 0; k < count; k++) {
        const cn_touch *same = touch_named(u, other, t[k].feature);
        most = fmax(most, same ? cn_norm2(cn_sub2(t[k].point, same->point)) : INFINITY);
    }
    return most;
}

// Of `count` pairs that overlap by less than 1e-5, how many have a point that moves by more
// than 1e-6 of half a metre, about their size, if a body is turned by 1e-9.
static inline int count_jumps(shape_family first, shape_family second, int count, uint64_t seed)
{
    int jumps = 0, touching = 0;
    for (int k = 0; k < count; k++) {
        body a, b;
        any_bodies(first, second, &a, &b, &seed);
        cn_touch t[CN_TOUCH_MAX], u[CN_TOUCH_MAX];
        int at = 0, before = cn_narrow(&a.posed, &b.posed, 0.37, t);
        double least = least_of(t, before, &at), turned = cn_random(&seed) < 0.5 ? 1e-9 : -1e-9;
        move_body(&b, b.posed.x.x, b.posed.x.y, b.angle + turned);
        int after = cn_narrow(&a.posed, &b.posed, 0.37, u);
        touching += before > 0;
        jumps += least > -1e-5 && !(moved_by(t, before, u, after) <= 5e-7);
    }
    CN_TRUE(touching > 0.5 * count);
    return jumps;
}

static inline void check_turns(int count, uint64_t seed)
{
    for (shape_family first = BOXES; first < SHAPE_FAMILY_COUNT; first++) {
        for (shape_family second = first; second < SHAPE_FAMILY_COUNT; second++) {
            if (first != PLANES || second != PLANES) {
                bool is_slab = first == SLABS || second == SLABS; // corners meet within 2e-7 there
                int jumps = count_jumps(first, second, count, seed);
                CN_TRUE(jumps <= (is_slab ? 5e-5 * count : 0));
            }
        }
    }
}
