// tests/unit/narrow3_ccd.c -- do two polyhedra overlap? Ours against libccd on 1e5 random pairs.
//
// libccd (GJK) has a tolerance of its own and does not judge pairs that touch: against exhaustive
// enumeration (narrow3_oracle.c) its answer turns up to 3e-7 of the larger extent too early or too
// late, so within BAND of it either answer is right.
#include <ccd/ccd.h>

#include "test.h"
#include "unit/hull_random.h"

static const double BAND = 1e-6; // [-]

static void find_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
    const cn_posed3 *p = object;
    const cn_hull *h = p->solid->hull;
    cn_vec3 d = cn_v3(ccdVec3X(direction), ccdVec3Y(direction), ccdVec3Z(direction));
    cn_vec3 local = cn_mat3_mul_transposed(&p->R, d);
    int best = 0;
    for (int v = 1; v < h->vertex_count; v++) {
        best = cn_dot3(local, h->vertex[v]) > cn_dot3(local, h->vertex[best]) ? v : best;
    }
    cn_vec3 x = cn_posed3_point(p, h->vertex[best]);
    ccdVec3Set(point, x.x, x.y, x.z);
}

static bool overlaps_by_ccd(const cn_posed3 *a, const cn_posed3 *b)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = find_support;
    ccd.max_iterations = 500;
    return ccdGJKIntersect(a, b, &ccd) != 0;
}

typedef struct tally {
    int overlapping, apart, touching, passing, different;
} tally;

static void compare_pair(const cn_posed3 *a, const cn_posed3 *b, tally *sum)
{
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = cn_hull_hull(a, b, INFINITY, t);
    double gap = INFINITY, extent = fmax(a->solid->reach, b->solid->reach);
    for (int k = 0; k < count; k++) {
        gap = fmin(gap, t[k].gap);
    }
    if (count == 0) {
        sum->passing++; // right-angled blocks that are level may pass, whatever their overlap
    } else if (fabs(gap) <= BAND * extent) {
        sum->touching++;
    } else {
        sum->overlapping += gap < 0.0;
        sum->apart += gap > 0.0;
        sum->different += overlaps_by_ccd(a, b) != (gap < 0.0);
    }
}

CN_TEST(overlap_agrees_with_libccd)
{
    uint64_t state = 11;
    tally sum = {0};
    for (int k = 0; k < 100000; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_pair(&s, &r, &a, &b, &state);
        compare_pair(&a, &b, &sum);
    }
    CN_TRUE(sum.overlapping > 30000 && sum.apart > 30000 && sum.touching > 10000);
    CN_TRUE(sum.passing < 3000 && sum.different == 0);
}

CN_MAIN(CN_RUN(overlap_agrees_with_libccd);)
