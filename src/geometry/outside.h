// geometry/outside.h -- what balls turn outwards: the edges, in space the triangles, between the
// centres of neighbours that a probe from far away can touch together. Theory 3.18.
//
// The balls have the radii of the bodies and that of the probe together. Their dual complex, the
// part of the regular triangulation whose corners have a point of all their balls in common, is
// what the probe cannot enter; holes inside it are no outside.
#pragma once

#include "base/memory.h"
#include "cairn/base.h"

// Facets of `dim` corners each, numbers of balls. Seen from outside those in space turn
// counterclockwise; those in the plane go round counterclockwise. They are closed.
typedef struct cn_outside {
    int *corner;
    int count;
    size_t capacity;
} cn_outside;

// Finds the facets of `count` balls, dim + 1 numbers each: centre and radius, that of the probe
// included. None if no dim + 1 of them have a point in common; CN_BAD_INPUT if all centres lie on
// one line, in space in one plane. Needs memory of Qhull besides.
cn_status cn_outside_find(const cn_hooks *hooks, int dim, int count, const double *ball,
                          cn_outside *out, cn_error *err);

// The point in the plane of `dim` balls that has the same power |x - y|^2 - r^2 to each, and that
// power; false if their centres have no extent.
bool cn_outside_power(int dim, const double *const *ball, double place[3], double *power);
