/// cairn/solid.h -- geometry of bodies in space.
///
/// A body carries one or more solids, each placed in the frame of the body. Mass properties are
/// exact from the geometry; solids of a cluster are taken as disjoint.
#pragma once

#include "cairn/base.h"
#include "cairn/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cn_solid_kind {
    CN_SOLID_SPHERE = 0,
    CN_SOLID_CAPSULE,         ///< all points within `radius` of a segment of `length` along local z
    CN_SOLID_HULL,            ///< convex hull of `point`
    CN_SOLID_HALF_SPACE,      ///< all points with local z <= 0; for fixed or driven bodies only
    CN_SOLID_CYLINDER,        ///< round bar of `radius` and `length` along local z, flat ends
    CN_SOLID_HOLLOW_SPHERE,   ///< wall from `radius` to `radius` + `thickness`: holds bodies inside
    CN_SOLID_HOLLOW_CYLINDER, ///< tube of inner `radius` and `length` along local z, with `ends`
    CN_SOLID_SURFACE, ///< inside of a closed surface, `point` are the corners of its triangles; for
                      ///< fixed or driven bodies only
    CN_SOLID_ELLIPSOID, ///< of the diameters `size` along local x, y and z
    CN_SOLID_BOX, ///< block of the sides `size`; the world keeps it as the hull of its corners
    CN_SOLID_KIND_COUNT
} cn_solid_kind;

/// Plain description; the world copies what it needs.
typedef struct cn_solid_def {
    cn_solid_kind kind;
    double radius; ///< sphere, capsule, cylinder; inner one of hollow solids [m]
    double length; ///< cylinder; capsule: distance of the two centres; hollow cylinder: inside [m]
    double thickness;    ///< wall of hollow solids, also of the ends [m]
    double size[3];      ///< box: sides, ellipsoid: diameters, along local x, y, z [m]
    unsigned ends;       ///< hollow cylinder: bits 1 (at local z < 0) and 2 (z > 0) of closed ends
    int point_count;     ///< hull, surface
    const double *point; ///< hull: x y z of each point in the frame of the solid; surface: three
                         ///< points per triangle, counterclockwise seen from outside [m]
    double at[3];        ///< origin of the solid in the frame of the body [m]
    double rotation[4];  ///< orientation in the frame of the body, unit quaternion; zeros: none
} cn_solid_def;

/// Mass properties per unit density, in the frame in which the solid is placed.
typedef struct cn_solid_mass {
    double volume;     ///< [m3]
    double centre[3];  ///< [m]
    double inertia[6]; ///< about the centre: xx yy zz yz zx xy [m5]
    double size;       ///< smallest extent [m]
} cn_solid_mass;

/// Name used in scenes and messages: "sphere", "capsule", "polyhedron", "hollow_sphere" ...
CN_API const char *cn_solid_kind_name(cn_solid_kind kind);

/// Checks definitions and computes the properties of all of them together. CN_BAD_INPUT names what
/// is wrong: a negative radius, fewer than four points, points in one plane, NaN.
CN_API cn_status cn_solids_measure(const cn_solid_def *def, int count, cn_solid_mass *mass,
                                   cn_error *err);

/// A plane through `point` across `normal`, which need not be unit.
typedef struct cn_cut {
    double point[3]; ///< [m]
    double normal[3];
} cn_cut;

#define CN_CUT_MAX 32

/// Convex pieces of a closed surface; free with cn_split_free.
typedef struct cn_split {
    int count;
    cn_solid_def *solid; ///< hulls, in the frame of the surface
    double *point;       ///< of all of them
} cn_split;

/// Cuts a closed and oriented surface by planes into pieces, each of which must be convex; without
/// cuts its separate parts must be. CN_BAD_INPUT names the face (as the file calls it) at which a
/// piece is not convex and by how much, or tells that the pieces do not fill the body.
CN_API cn_status cn_surface_split(const cn_surface *surface, const cn_cut *cut, int cut_count,
                                  cn_split *split, cn_error *err);
/// The same with planes that are found: through the reflex edges, one plane for many where it can.
/// Faces may be warped by 1e-3 of the size of the body; its pieces are hulls and fill it within 1
/// %. CN_BAD_INPUT: it takes more than CN_CUT_MAX cuts, or is rounded inwards.
CN_API cn_status cn_surface_decompose(const cn_surface *surface, cn_split *split, cn_error *err);
CN_API void cn_split_free(cn_split *split);

/// Writes the eight corners of a box centred at the origin.
CN_API void cn_box_corners(double x, double y, double z, double point[24]);

#ifdef __cplusplus
}
#endif
