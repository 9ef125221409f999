// geometry/space/solid_parts.h -- what the files of this folder share.
#pragma once

#include "geometry/space/solid.h"

// Hulls may have this many vertices: a contact names features with 15 bits each.
#define CN_HULL_VERTEX_MAX 32767

// Cosine of the angle of a sharp edge, 75 degrees [-].
#define CN_SHARP 0.25881904510252076

// A facet of the convex hull of points: indices of points, in the order of the loop.
typedef struct cn_facet {
    int *point;
    int count;
} cn_facet;

typedef struct cn_facets {
    int count;
    cn_facet *facet;
    int *storage; // of all loops
} cn_facets;

// Facets of the convex hull, those in one plane merged; orientation and order are arbitrary.
// `point` has `count` points that fill a box of size 1 around the origin and are not in one plane.
cn_status cn_facets_find(const cn_hooks *hooks, const double *point, int count, cn_facets *facets,
                         cn_error *err);
void cn_facets_free(const cn_hooks *hooks, cn_facets *facets);

// Array of `count` elements, not initialised; fails with a sentence.
cn_status cn_array_bytes(const cn_hooks *hooks, void **array, size_t count, size_t element_size,
                         cn_error *err);
#define cn_array(hooks, array, count, err)                                                         \
    cn_array_bytes((hooks), (void **)(array), (size_t)(count), sizeof **(array), (err))

// Vertex farthest along a direction, climbing along edges from vertex `at`.
int cn_hull_climb(const cn_hull *hull, cn_vec3 direction, int at);
