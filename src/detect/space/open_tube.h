// detect/space/open_tube.h -- a placed hollow cylinder: where points are in it, what of a body lies
// between its open ends, and edges that cross its lips.
#pragma once

#include "detect/space/placed_cylinder.h"

// Where a point is in a hollow cylinder.
typedef struct cn_tube_place {
    cn_vec3 u, out; // axis; unit vector from the axis to the point
    double along;   // from the middle along the axis
    double radial;  // from the axis
    double half;    // half the inner length
} cn_tube_place;

cn_tube_place cn_tube_at(const cn_posed3 *b, cn_vec3 p);

static inline bool cn_tube_is_closed(const cn_solid *s, bool is_upper)
{
    return (s->ends & (is_upper ? 2u : 1u)) != 0;
}

// A hollow cylinder of which an end is open.
static inline bool cn_tube_is_open(const cn_solid *s)
{
    return s->kind == CN_SOLID_HOLLOW_CYLINDER && (s->ends & 3u) != 3u;
}

// A point well inside of what lies between the open ends of tube b, not counting what lies less
// than a margin below a lip: this part of a convex body is in the hole or beside the tube, as a
// whole. False: there is no such part.
bool cn_tube_part(const cn_posed3 *a, const cn_posed3 *b, cn_vec3 *middle);

// Clips an edge to the same region; false: nothing is left.
bool cn_tube_clip(const cn_posed3 *b, cn_vec3 *p, cn_vec3 *q);

// Adds the touches of an edge from p to q with the inner rims of the open
// ends of tube b, named by 1 << 31 and above.
void cn_tube_edge(const cn_posed3 *b, cn_vec3 p, cn_vec3 q, uint32_t name, double reach,
                  cn_touch3 *touch, int *count);

// The same of the side of a capsule or cylinder: places between the ends of its axis at which that
// is nearest to an inner rim, which bends away from it.
void cn_tube_rod(const cn_posed3 *b, const cn_rod *rod, double reach, cn_touch3 *touch, int *count);

// The same of the rims of a cylinder, where they pass an inner rim.
void cn_tube_rims(const cn_posed3 *b, const cn_cylinder *can, double reach, cn_touch3 *touch,
                  int *count);

// Whether there is a touch at a point already.
bool cn_touch3_is_at(const cn_touch3 *touch, int count, cn_vec3 point, double within);
