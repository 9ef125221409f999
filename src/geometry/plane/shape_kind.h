// geometry/plane/shape_kind.h -- what each kind of shape offers. A new shape is a file that fills
// one of these and a line in table.c.
#pragma once

#include "base/memory.h"
#include "base/shared.h"
#include "geometry/plane/shape.h"

typedef struct cn_shape_ops {
    const char *name;
    bool is_unbounded, is_hollow;
    bool is_round;     // looks the same however it turns about its origin
    bool has_vertices; // its definition names them
    // Checks the definition; mass properties in the frame of the shape, per unit density.
    cn_status (*measure)(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err);
    int (*vertex_count)(const cn_shape_def *def);
    // Vertices and normals in the frame of the shape, and radius, thickness and size.
    void (*skeleton)(const cn_shape_def *def, cn_vec2 *vertex, cn_vec2 *normal, cn_shape *shape);
} cn_shape_ops;

CN_SHARED const cn_shape_ops *cn_shape_ops_of(cn_shape_kind kind);

extern const cn_shape_ops cn_disk_ops, cn_capsule_ops, cn_polygon_ops, cn_hollow_disk_ops,
    cn_half_plane_ops;

// What a definition says in its own frame, for pictures and exports: the hull of the skeleton
// widened by `radius`; of a hollow one the wall from there on.
typedef struct cn_skeleton {
    const cn_shape_ops *ops;
    const double *named; // vertices of the definition; NULL: own
    cn_vec2 own[2];
    int count;
    double radius, thickness; // [m]
} cn_skeleton;

CN_SHARED cn_skeleton cn_skeleton_of(const cn_shape_def *def);

static inline cn_vec2 cn_skeleton_vertex(const cn_skeleton *s, int k)
{
    return s->named != NULL ? cn_v2(s->named[2 * k], s->named[2 * k + 1]) : s->own[k];
}

// A length that must be finite and above zero.
cn_status cn_length_check(const char *shape, const char *what, double length, cn_error *err);
