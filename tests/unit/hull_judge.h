// tests/unit/hull_judge.h -- distance, normal and depth of random pairs of polyhedra against
// exhaustive enumeration of their features in long double.
#pragma once

#include "test.h"
#include "unit/hull_random.h"

static inline double least_gap(const cn_touch3 *t, int count)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, t[k].gap);
    }
    return least;
}

// The largest errors over all random pairs: lengths in parts of the larger extent, ties in parts of
// the smaller size.
typedef struct verdict {
    int apart, close, overlapping, missed;
    double distance, normal, close_distance, depth, tie;
} verdict;

// Blocks that are level along one of two faces at right angles may pass.
static inline bool may_pass(const oracle_body *a, const oracle_body *b, double size)
{
    for (int f = 0; f < a->hull->face_count; f++) {
        for (int g = 0; g < a->hull->face_count; g++) {
            bool is_right = fabsl(vec_dot(a->normal[f], a->normal[g])) < 0.051L;
            if (is_right && fabs((double)oracle_along(a, b, a->normal[f])) < 1.001e-3 * size &&
                (double)oracle_along(a, b, a->normal[g]) > -1.001e-3 * size) {
                return true;
            }
        }
    }
    return false;
}

static inline void judge_apart(const cn_touch3 *t, int count, const oracle_gap *gap, double extent,
                               double size, verdict *v)
{
    double distance = (double)sqrtl(gap->length2), found = least_gap(t, count);
    vec off = vec_add(gap->apart, distance, vec_of(t[0].normal));
    double turned = (double)sqrtl(vec_dot(off, off));
    if (distance > 1e-5 * fmax(extent, size)) {
        v->apart++;
        v->distance = fmax(v->distance, fabs(distance - found) / extent);
        v->normal = fmax(v->normal, turned / extent);
    } else {
        v->close++;
        v->close_distance = fmax(v->close_distance, fabs(found - distance) / extent);
    }
}

static inline void judge(const cn_posed3 *a, const cn_posed3 *b, double size, verdict *v)
{
    oracle_body of_a, of_b;
    oracle_place(&of_a, a);
    oracle_place(&of_b, b);
    oracle_gap gap = oracle_distance(&of_a, &of_b);
    long double distance = sqrtl(gap.length2);
    double extent = fmax(a->solid->reach, b->solid->reach);
    bool is_apart =
        oracle_along(&of_a, &of_b, vec_add((vec){0}, 1.0L / distance, gap.apart)) > 0.0L;
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = cn_hull_hull(a, b, INFINITY, t);
    if (count == 0) {
        // Nothing is lost but passing blocks and corners that meet.
        bool is_meeting = distance < 2e-5L * size;
        v->missed += !is_meeting && !may_pass(&of_a, &of_b, size);
    } else if (is_apart) {
        judge_apart(t, count, &gap, extent, size, v);
    } else {
        double separation = (double)oracle_separation(&of_a, &of_b);
        if (separation > 0.0) { // so near that the normal of the nearest points is lost
            judge_apart(t, count, &gap, extent, size, v);
            return;
        }
        double along = (double)oracle_along(&of_a, &of_b, vec_of(cn_neg3(t[0].normal)));
        v->overlapping++;
        v->depth = fmax(v->depth, fabs(least_gap(t, count) - along) / size);
        v->tie = fmax(v->tie, (separation - along) / size);
    }
}

static inline void judge_pairs(int count, uint64_t seed)
{
    verdict v = {0};
    for (int k = 0; k < count; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_pair(&s, &r, &a, &b, &seed);
        judge(&a, &b, fmin(s.solid.size, r.solid.size), &v);
    }
    CN_TRUE(v.apart > 0.3 * count && v.close > 0.1 * count && v.overlapping > 0.3 * count);
    CN_TRUE(v.missed == 0);
    CN_NEAR(v.distance, 0.0, 1e-13, "rounding of bodies up to 50 times as long as wide");
    CN_NEAR(v.normal, 0.0, 1e-8, "edges parallel within 1e-8 have no common normal");
    CN_NEAR(v.close_distance, 0.0, 1e-5, "features closer than 1e-5 leave the normal to faces");
    CN_NEAR(v.depth, 0.0, 1e-5, "thin patches are left out");
    CN_NEAR(v.tie, 0.0, 1.01e-6, "a face goes before an edge that parts more by up to 1e-6");
}
