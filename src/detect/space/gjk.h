// detect/space/gjk.h -- the point of a convex set nearest to the origin, from its lowest points
// (Gilbert, Johnson and Keerthi, Wolfe): the way between two convex bodies that are apart.
#pragma once

#include "detect/space/nearest_space.h"

// The set, by its points that are lowest along n.
typedef struct cn_convex {
    cn_vec3 (*lowest)(const void *context, cn_vec3 n);
    const void *context;
} cn_convex;

// Whether the origin is outside; then *x is the point nearest to it, its distance known to within a
// thousandth.
bool cn_gjk(const cn_convex *set, cn_vec3 start, cn_vec3 *x);
