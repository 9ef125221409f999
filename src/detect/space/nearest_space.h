// detect/space/nearest_space.h -- nearest points of points, segments and polyhedra: what the pairs
// share.
#pragma once

#include <stdbool.h>

#include "detect/space/narrow_space.h"
#include "detect/weight.h"

// The touch of two rounded points: pa and pb are at `distance` along the unit vector n (a to b),
// the surfaces lie ra and rb from them.
static inline cn_touch3 cn_touch3_between(cn_vec3 pa, cn_vec3 pb, cn_vec3 n, double distance,
                                          double ra, double rb, uint32_t feature)
{
    cn_vec3 point = cn_mul3(0.5, cn_add_mul3(cn_add3(pa, pb), ra - rb, n));
    return (cn_touch3){point, cn_neg3(n), distance - (ra + rb), feature};
}

// Adds a touch; when there is no more room, the one of the largest gap goes.
static inline void cn_touch3_keep(cn_touch3 *touch, int *count, cn_touch3 one)
{
    if (*count < CN_TOUCH3_MAX) {
        touch[(*count)++] = one;
        return;
    }
    int last = 0;
    for (int k = 1; k < CN_TOUCH3_MAX; k++) {
        last = touch[k].gap > touch[last].gap ? k : last;
    }
    if (one.gap < touch[last].gap) {
        touch[last] = one;
    }
}

// A^T B: from axes of B to those of A.
static inline cn_mat3 cn_turn_between(const cn_mat3 *A, const cn_mat3 *B)
{
    cn_mat3 R;
    for (int k = 0; k < 3; k++) { // row k is B^T applied to column k of A
        R.row[k] = cn_mat3_mul_transposed(B, cn_mat3_mul(A, cn_v3(k == 0, k == 1, k == 2)));
    }
    return R;
}

// A segment and the radius around it.
typedef struct cn_rod {
    cn_vec3 end[2];
    double radius;
} cn_rod;

static inline cn_rod cn_rod_of(const cn_posed3 *p)
{
    const cn_solid *s = p->solid;
    return (cn_rod){{cn_posed3_point(p, s->end[0]), cn_posed3_point(p, s->end[1])}, s->radius};
}

static inline cn_vec3 cn_rod_at(const cn_rod *r, double place)
{
    return cn_add_mul3(r->end[0], place, cn_sub3(r->end[1], r->end[0]));
}

// Nearest points: pa on a, pb on b; n is the unit vector from a to b.
typedef struct cn_near3 {
    cn_vec3 pa, pb, n;
    double distance;
} cn_near3;

// Place of the point of a segment nearest to p: 0 at its first end, 1 at its second.
double cn_segment_place(cn_vec3 first, cn_vec3 second, cn_vec3 p);

// Some unit vector at right angles to u.
cn_vec3 cn_across(cn_vec3 u);

// Nearest points of the axes of two rods. Axes that cross have their common normal.
cn_near3 cn_rods_near(const cn_rod *a, const cn_rod *b);

// The touch of two rods: two points, named 1 and 2 along a, if they lie side by side; or where they
// are nearest, named 0; or all three, if they cross at a small angle.
int cn_rods_touch(const cn_rod *a, const cn_rod *b, double reach, cn_touch3 *touch);

// The same if it is known where they are nearest.
int cn_rods_points(const cn_rod *a, const cn_rod *b, const cn_near3 *nearest, double reach,
                   cn_touch3 *touch);

// The point midway where they are nearest; of rods side by side drawn to the middle of their
// overlap (5.8).
cn_vec3 cn_rods_place(const cn_rod *a, const cn_rod *b, const cn_near3 *nearest);

// Names the points of rods side by side along b.
void cn_rods_rename(const cn_rod *a, const cn_rod *b, cn_touch3 *touch, int count);

// The surface of a polyhedron nearest to a point, in the frame of the polyhedron.
typedef struct cn_foot {
    cn_vec3 n;       // unit, from the surface to the point outside
    double distance; // negative: the point is inside
    bool is_face;    // over the inside of a face, or below it
} cn_foot;

// False if the point is farther than limit.
bool cn_hull_foot(const cn_hull *hull, cn_vec3 p, double limit, cn_foot *foot);
