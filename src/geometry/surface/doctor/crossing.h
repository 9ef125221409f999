// geometry/surface/doctor/crossing.h -- triangles of a surface that cross or overlap each other.
#pragma once

#include "cairn/surface.h"

// Whether two triangles cross deeper than `touch` [m], or lie in one plane and overlap by more;
// `at` is a point of it. Triangles that share vertices may: only what they share does not count.
bool cn_triangles_cross(const cn_surface *s, int t, int u, double touch, cn_vec3 *at);

// Finds all pairs t < u. A surface in which nearly everything overlaps is left after a number of
// tests in proportion to its size: *is_cut_short.
cn_status cn_find_crossings(const cn_surface *s, double touch,
                            void (*found)(void *context, int t, int u, cn_vec3 at), void *context,
                            bool *is_cut_short, cn_error *err);
