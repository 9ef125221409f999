// solve/sweep/simd/simd_slide.h -- the local solution in space (8.7) for one record of four
// contacts or for two at once, part of simd_kernel.h.
//
// With D = det(S + x) the impulses D r_t = t and D r_n = n are polynomials in x, so phi = mu n /
// |t|
// - 1 needs no division, and Newton's step one: with the length l = |t|
//     phi / phi' = (mu n - l) l^2 / (mu (n' l^2 - n t.t')).
// Divisions and roots that wait for each other are what a visit waits for.
#pragma once

#include "solve/sweep/local.h"
#include "solve/sweep/simd/simd_lanes.h"

typedef struct slide {
    cn_four S[3], b[2], w[2]; // S: 11 12 22
    cn_four u_n, inv_nn, mu, x;
    cn_four a, d, D, n, t[2], length2, length; // at the last x
    cn_four miss;                              // mu n - l, of the sign of phi
    cn_four lo, hi;                            // bracket of the root
    four_mask active;
} slide;

// The impulses at x.
CN_INLINE void slide_at(slide *s)
{
    s->a = s->S[0] + s->x;
    s->d = s->S[2] + s->x;
    s->D = s->a * s->d - s->S[1] * s->S[1];
    s->t[0] = s->S[1] * s->b[1] - s->d * s->b[0];
    s->t[1] = s->S[1] * s->b[0] - s->a * s->b[1];
    s->n = -(s->u_n * s->D + s->w[0] * s->t[0] + s->w[1] * s->t[1]) * s->inv_nn;
    s->length2 = s->t[0] * s->t[0] + s->t[1] * s->t[1];
    s->length = root_of(s->length2);
    s->miss = s->mu * s->n - s->length;
}

// One step of Newton in the active lanes, kept inside the bracket by bisection; t' = -b.
CN_INLINE void slide_step(slide *s)
{
    cn_four dn = -(s->u_n * (s->a + s->d) - (s->w[0] * s->b[0] + s->w[1] * s->b[1])) * s->inv_nn;
    cn_four slope = s->mu * (dn * s->length2 + s->n * (s->t[0] * s->b[0] + s->t[1] * s->b[1]));
    s->lo = choose(s->miss < 0.0, s->x, s->lo);
    s->hi = choose(s->miss < 0.0, s->hi, s->x);
    cn_four next = s->x - s->miss * s->length2 / slope;
    cn_four half = choose(s->hi < INFINITY, 0.5 * (s->lo + s->hi), 4.0 * s->x);
    next = choose((next > s->lo) & (next < s->hi), next, half);
    s->active &= absolute(next - s->x) > 1e-15 * s->x;
    s->x = choose(s->active, next, s->x);
}

// Whether lanes still look for their root.
CN_INLINE four_mask slide_check(slide *s)
{
    s->active &= absolute(s->miss) >= 1e-14 * s->length;
    return s->active;
}

// The roots in the active lanes of x and, if is_two, of y. After newton_max steps the lanes that
// still move keep their x: the next visit goes on from it. A step of lanes that are done changes
// nothing.
CN_INLINE void slide_solve(slide *x, slide *y, bool is_two, int newton_max)
{
    slide_at(x);
    if (is_two) {
        slide_at(y);
    }
    for (int k = 0; k < newton_max; k++) {
        four_mask active = slide_check(x);
        if (is_two) {
            active |= slide_check(y);
        }
        if (!any(active)) {
            return;
        }
        slide_step(x);
        if (is_two) {
            slide_step(y);
        }
        slide_at(x);
        if (is_two) {
            slide_at(y);
        }
    }
}

// What is known of a record before and after sliding.
typedef struct space_local {
    four_mask is_open, is_slide;
    cn_four r[3];
} space_local;

// Open, stick (x = 0) and no friction. *root is that of the last visit.
CN_INLINE void solve_still(const cn_four W[6], cn_four mu, const cn_four u[3], cn_four root,
                           slide *s, space_local *local)
{
    const cn_four zero = {0.0};
    cn_four inv = 1.0 / W[0];
    *s =
        (slide){.S = {W[3] - W[1] * W[1] * inv, W[4] - W[1] * W[2] * inv, W[5] - W[2] * W[2] * inv},
                .b = {u[1] - W[1] * inv * u[0], u[2] - W[2] * inv * u[0]},
                .w = {W[1], W[2]},
                .u_n = u[0],
                .inv_nn = inv,
                .mu = mu,
                .hi = zero + INFINITY};
    cn_four det = s->S[0] * s->S[2] - s->S[1] * s->S[1], inv_det = 1.0 / det;
    cn_four t1 = (s->S[1] * s->b[1] - s->S[2] * s->b[0]) * inv_det;
    cn_four t2 = (s->S[1] * s->b[0] - s->S[0] * s->b[1]) * inv_det;
    cn_four n = -(u[0] + W[1] * t1 + W[2] * t2) * inv, bound = mu * n;
    four_mask is_stick =
        (det > 1e-14 * s->S[0] * s->S[2]) & (n > zero) & (t1 * t1 + t2 * t2 <= bound * bound);
    four_mask is_plain = // no friction
        (mu < CN_FRICTION_NONE) | (absolute(s->b[0]) + absolute(s->b[1]) < CN_SPEED_NONE);
    local->is_open = ~((u[0] < -CN_SPEED_NONE) & (W[0] > zero));
    local->is_slide = s->active = ~(local->is_open | is_stick | is_plain);
    local->r[0] = choose(is_stick, n, -u[0] * inv);
    local->r[1] = choose(is_stick, t1, zero);
    local->r[2] = choose(is_stick, t2, zero);
    s->x = choose(root > zero, root, 0.5 * (s->S[0] + s->S[2]));
}

// Takes the impulses of lanes that slide.
CN_INLINE void take_slide(const slide *s, space_local *local, cn_four *root)
{
    cn_four inv = 1.0 / (s->D * s->length), scale = s->mu * s->n * inv;
    *root = choose(local->is_slide, s->x, *root);
    local->r[0] = choose(local->is_slide, s->n * (s->length * inv), local->r[0]);
    local->r[1] = choose(local->is_slide, scale * s->t[0], local->r[1]);
    local->r[2] = choose(local->is_slide, scale * s->t[1], local->r[2]);
}
