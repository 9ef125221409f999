// geometry/surface/weld.h -- vertices at the same place made one, and lists without gaps.
#pragma once

#include "cairn/surface.h"

// For each vertex the earliest one that stands for it (itself if none does): at most `tolerance`
// away [m], 0: equal. Among several the first is taken; those kept are more than `tolerance` apart.
cn_status cn_weld_find(const double *vertex, int count, double tolerance, int *stands_for,
                       cn_error *err);

// Joins them in the surface and drops those that are no longer needed.
cn_status cn_surface_weld(cn_surface *s, double tolerance, int *joined_count, cn_error *err);

// The other way: surfaces that only touch, in a point or along edges, get vertices of their own
// there. Needs triangles that face the side of their neighbours.
cn_status cn_surface_part(cn_surface *s, int *made_count, cn_error *err);

// Drops the vertices that no triangle uses.
cn_status cn_surface_drop_unused(cn_surface *s, int *dropped_count, cn_error *err);

// Keeps the triangles that are marked. Returns how many are gone.
int cn_surface_keep_triangles(cn_surface *s, const bool *is_kept);
