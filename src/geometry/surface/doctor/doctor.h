// geometry/surface/doctor/doctor.h -- what examination and repair share.
#pragma once

#include "geometry/surface/topology.h"

// CN_BAD_INPUT: a coordinate that is not finite (or absurd), a triangle of vertices not there.
cn_status cn_surface_validate(const cn_surface *s, cn_error *err);

// Height over the longest edge: 0 for a triangle without area.
double cn_triangle_flatness(const cn_surface *s, int t);

// Calls `found` for each triangle that has the vertices of an earlier one, in any order.
cn_status cn_find_duplicates(const cn_surface *s, void (*found)(void *context, int t, int earlier),
                             void *context, cn_error *err);
