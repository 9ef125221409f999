/// cairn/shape.h -- geometry of bodies.
///
/// A body carries one or more shapes (a cluster), each placed in the frame of the body. Mass
/// properties are exact from the geometry; shapes of a cluster are taken as disjoint.
#pragma once

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cn_shape_kind {
    CN_SHAPE_DISK = 0,
    CN_SHAPE_CAPSULE,     ///< all points within `radius` of a segment of `length` along local x
    CN_SHAPE_POLYGON,     ///< convex, vertices counterclockwise
    CN_SHAPE_HOLLOW_DISK, ///< ring of inner `radius` and wall `thickness`: a drum
    CN_SHAPE_HALF_PLANE,  ///< all points with local y <= 0; for fixed or driven bodies only
    CN_SHAPE_KIND_COUNT
} cn_shape_kind;

/// Plain description; the world copies what it needs.
typedef struct cn_shape_def {
    cn_shape_kind kind;
    double radius;        ///< disk, capsule; hollow disk: inner radius [m]
    double length;        ///< capsule: distance of the two centres [m]
    double thickness;     ///< hollow disk: wall [m]
    int vertex_count;     ///< polygon
    const double *vertex; ///< polygon: x y of each vertex in the frame of the shape [m]
    double at[3];         ///< origin of the shape in the frame of the body [m]
    double angle;         ///< turn of the shape in the frame of the body [rad]
} cn_shape_def;

/// Mass properties in the frame of the shape, per unit density.
typedef struct cn_shape_mass {
    double area;      ///< [m2]
    double centre[3]; ///< [m]
    double inertia;   ///< about the centre [m4]
    double size;      ///< smallest extent: what "relative to the body size" refers to [m]
} cn_shape_mass;

/// Name used in scenes and messages: "disk", "capsule", ...
CN_API const char *cn_shape_kind_name(cn_shape_kind kind);

/// Checks a definition and computes its mass properties. CN_BAD_INPUT names what is wrong: a
/// negative radius, fewer than three vertices, clockwise or non-convex order, NaN.
CN_API cn_status cn_shape_measure(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err);

/// Writes the four counterclockwise vertices of a box of the given size centred at the origin.
CN_API void cn_box_vertices(double width, double height, double vertex[8]);

#ifdef __cplusplus
}
#endif
