// detect/plane/narrow_plane.h -- points, normals and gaps of a pair of placed shapes. Pure
// functions.
#pragma once

#include <stdint.h>

#include "geometry/plane/shape.h"

#define CN_TOUCH_MAX 8

// One contact point. The normal points from b to a; the point lies midway between both surfaces.
// Points with the same normal lie on one line along the tangent, through the one that touches most.
typedef struct cn_touch {
    cn_vec2 point, normal;
    double gap;       // negative: penetration [m]
    uint32_t feature; // persistent name of the point among those of the pair
} cn_touch;

// Finds the contact points of a and b with gap <= reach, in the order of their features; returns
// their number, at most CN_TOUCH_MAX. Exchanging a and b gives bitwise mirror images (same points
// and gaps, opposite normals) and features as cn_feature_mirror says. Shapes need finite places;
// NaN gives no point (boxes are checked before).
int cn_narrow(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch);

// Features, the names of points. Edges face to face: both edges, and which end of their overlap. A
// vertex against a half-plane or the inside of a drum: the vertex. The nearest point of two convex
// shapes that are not face to face: 0.
enum {
    CN_END_NONE = 0,  // not one of two ends
    CN_END_FIRST = 1, // of the overlap, counted along the edge of a
    CN_END_SECOND = 2,
};

static inline uint32_t cn_feature(int of_a, int of_b, int end)
{
    return ((uint32_t)of_a << 17) | ((uint32_t)of_b << 2) | (uint32_t)end;
}

// The same feature seen with a and b exchanged.
static inline uint32_t cn_feature_mirror(uint32_t feature)
{
    uint32_t of_a = feature >> 17, of_b = (feature >> 2) & 0x7fffu, end = feature & 3u;
    return of_b << 17 | of_a << 2 | (end == CN_END_NONE ? end : 3u - end);
}
