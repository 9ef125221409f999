// detect/narrow/narrow.h -- points, normals and gaps of a pair of placed shapes. Pure functions.
#pragma once

#include <stdint.h>

#include "shape/shape.h"

#define CN_TOUCH_MAX 8

// One contact point. The normal points from b to a; the point lies midway between both surfaces.
typedef struct cn_touch {
    cn_vec2 point, normal;
    double gap;       // negative: penetration [m]
    uint32_t feature; // persistent name of the point among those of the pair
} cn_touch;

// Finds the contact points of a and b with gap <= reach; returns their number, at most
// CN_TOUCH_MAX. Exchanging a and b gives bitwise mirror images (same points and gaps, opposite
// normals) and features as cn_feature_mirror says.
int cn_narrow(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch);

// Features. Two convex shapes with edges face to face: the edges and which end of the overlap,
// counted along the edge of a. All else: the vertex of a or of b that touches, or 0.
static inline uint32_t cn_feature(uint32_t of_a, uint32_t of_b, uint32_t end)
{
    return (of_a << 17) | (of_b << 2) | end;
}

// The same feature seen with a and b exchanged.
uint32_t cn_feature_mirror(uint32_t feature);
