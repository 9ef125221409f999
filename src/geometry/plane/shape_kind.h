// geometry/plane/shape_kind.h -- what each kind of shape offers. A new shape is a file that fills
// one of these and a line in table.c.
#pragma once

#include "base/memory.h"
#include "geometry/plane/shape.h"

typedef struct cn_shape_ops {
    const char *name;
    // Checks the definition; mass properties in the frame of the shape, per unit density.
    cn_status (*measure)(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err);
    int (*vertex_count)(const cn_shape_def *def);
    // Vertices and normals in the frame of the shape, and radius, thickness and size.
    void (*skeleton)(const cn_shape_def *def, cn_vec2 *vertex, cn_vec2 *normal, cn_shape *shape);
} cn_shape_ops;

extern const cn_shape_ops cn_disk_ops, cn_capsule_ops, cn_polygon_ops, cn_hollow_disk_ops,
    cn_half_plane_ops;

// A length that must be finite and above zero.
cn_status cn_length_check(const char *shape, const char *what, double length, cn_error *err);
