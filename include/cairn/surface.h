/// cairn/surface.h -- triangle surfaces: read them from files, examine, repair and write them.
///
/// A surface is plain arrays. Readers take STL, OBJ, PLY, gmsh and DXF files as they are and never
/// repair (except that STL and 3DFACEs, which share no vertices, are welded where coordinates are
/// equal). The doctor says what keeps a surface from bounding a solid; the repair changes the lists
/// of vertices and triangles, never the shape, and tells each thing it does.
#pragma once

#include "cairn/base.h"
#include "cairn/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest file that is read, and most vertices or triangles of a surface.
#define CN_SURFACE_BYTES_MAX ((size_t)1 << 31)
#define CN_SURFACE_COUNT_MAX (1 << 28)

typedef enum cn_surface_format {
    CN_SURFACE_STL = 0, ///< text or binary
    CN_SURFACE_OBJ,
    CN_SURFACE_PLY,    ///< text or binary, either byte order
    CN_SURFACE_MSH,    ///< gmsh 2.x or 4.1, text or binary
    CN_SURFACE_COMPAS, ///< JSON of COMPAS assemblies and models; never by the ending of a name
    CN_SURFACE_DXF,    ///< text: 3DFACE and polyface meshes
    CN_SURFACE_FORMAT_COUNT
} cn_surface_format;

/// Triangles counterclockwise seen from outside. Filled by cn_surface_load and freed by
/// cn_surface_free, or pointing to arrays of the caller if it is only measured, checked or saved.
typedef struct cn_surface {
    int vertex_count, triangle_count, group_count;
    double *vertex;    ///< x y z of each vertex [m]
    int *triangle;     ///< three vertices of each triangle, from 0
    int *group;        ///< group of each triangle, -1: none; NULL: no groups at all
    int64_t *element;  ///< what the file calls each triangle: number of the face from 1 (STL, OBJ,
                       ///< PLY) or tag (gmsh); several triangles of a polygon share it; NULL: the
                       ///< number of the triangle from 1
    char **group_name; ///< solids of STL, groups or objects of OBJ, physical groups of gmsh, layers
                       ///< of DXF
    int64_t
        *group_line; ///< line of the file that names each group first, 0: not known; may be NULL
    bool *group_is_support; ///< COMPAS: whether the file says so of each group; else NULL
} cn_surface;

/// Which statements of an OBJ file begin a group; other formats have one kind only.
typedef enum cn_surface_grouping {
    CN_GROUPS_BOTH = 0, ///< o and g, whichever came last
    CN_GROUPS_OBJECTS,  ///< o only
    CN_GROUPS_GROUPS    ///< g only
} cn_surface_grouping;

typedef struct cn_surface_def {
    double scale; ///< file unit [m]: 1e-3 for a file in millimetres
    double weld;  ///< vertices at most this far apart are joined; 0: only equal ones of STL [m]
    cn_surface_grouping grouping;
    bool volumes;  ///< gmsh: the outer surfaces of volumes, a group each, where there are any; else
                   ///< the faces of the file
    cn_tell *told; ///< remarks on what was left out or decided; may be NULL
    void *context;
} cn_surface_def;

CN_API cn_surface_def cn_surface_def_default(void);

/// Format by the ending of a name, in any case; CN_SURFACE_FORMAT_COUNT if it is none of them.
CN_API cn_surface_format cn_surface_format_of(const char *path);

/// Reads a file. CN_BAD_INPUT names file, line or byte and what is wrong there; CN_IO: it cannot be
/// read. The surface is empty then. Memory is bounded by the size of the
/// file: 1 to 4 times for common ones, about 20 times if all of it is one polygon.
CN_API cn_status cn_surface_load(const char *path, const cn_surface_def *def, cn_surface *surface,
                                 cn_error *err);

/// The same from memory; `name` stands for the file in messages.
CN_API cn_status cn_surface_parse(const char *name, cn_surface_format format, const void *bytes,
                                  size_t length, const cn_surface_def *def, cn_surface *surface,
                                  cn_error *err);

CN_API void cn_surface_free(cn_surface *surface);

/// Writes binary STL (single precision, without groups) or OBJ (all digits, with groups), by the
/// ending of the path. The file appears under its name only when it is complete.
CN_API cn_status cn_surface_save(const cn_surface *surface, const char *path, cn_error *err);

/// Integrals over the enclosed solid, exact for the triangles as given; without meaning for a
/// surface that is not closed and oriented. Volume is negative if the normals point inwards.
typedef struct cn_surface_mass {
    double area;            ///< [m2]
    double volume;          ///< [m3]
    cn_vec3 centre;         ///< of the volume; of the box if the volume is zero [m]
    cn_mat3 inertia;        ///< about the centre, per unit density [m5]
    cn_vec3 box_lo, box_hi; ///< of the vertices in use [m]
} cn_surface_mass;

CN_API cn_surface_mass cn_surface_measure(const cn_surface *surface);

/// What the doctor looks for. Errors keep the surface from bounding a solid; warnings do not.
typedef enum cn_defect {
    CN_DEFECT_OPEN_EDGE = 0,    ///< edge of one triangle only
    CN_DEFECT_CROWDED_EDGE,     ///< edge of more than two triangles (non-manifold)
    CN_DEFECT_CROWDED_VERTEX,   ///< vertex at which separate fans of triangles meet
    CN_DEFECT_ORIENTATION,      ///< edge whose two triangles face opposite ways
    CN_DEFECT_INVERTED,         ///< closed part whose normals point inwards
    CN_DEFECT_DEGENERATE,       ///< triangle without area
    CN_DEFECT_DUPLICATE,        ///< triangle with the vertices of an earlier one
    CN_DEFECT_INTERSECTION,     ///< two triangles that cross or overlap
    CN_DEFECT_SLIVER,           ///< warning: height below a fraction of the longest edge
    CN_DEFECT_DUPLICATE_VERTEX, ///< warning: same place as an earlier vertex
    CN_DEFECT_UNUSED_VERTEX,    ///< warning: vertex of no triangle
    CN_DEFECT_PARTS,            ///< warning: parts without a common edge, beyond the first
    CN_DEFECT_UNIT,             ///< warning: so large or small that the unit may be wrong
    CN_DEFECT_COUNT
} cn_defect;

/// "open edge", and a sentence on what can be done about it.
CN_API const char *cn_defect_name(cn_defect defect);
CN_API const char *cn_defect_remedy(cn_defect defect);
CN_API bool cn_defect_is_error(cn_defect defect);

#define CN_DEFECT_PLACES 20

typedef struct cn_defect_place {
    int64_t element[2]; ///< faces concerned as the file calls them; 0: none
    cn_vec3 at;         ///< where [m]
} cn_defect_place;

typedef struct cn_surface_report {
    int64_t count[CN_DEFECT_COUNT];
    cn_defect_place place[CN_DEFECT_COUNT][CN_DEFECT_PLACES]; ///< the first ones
    int part_count;                                           ///< sets of triangles joined by edges
    bool is_cut_short; ///< there are so many intersections that the search was stopped
    cn_surface_mass mass;
} cn_surface_report;

typedef struct cn_surface_check_def {
    double sliver;           ///< height over longest edge below which a triangle is a sliver [-]
    double degenerate;       ///< the same below which it has no area [-]
    double touch;            ///< depth of crossings that are rounding, over the largest extent or
                             ///< coordinate [-]
    double size_lo, size_hi; ///< largest extents that are plausible [m]
} cn_surface_check_def;

/// Slivers 1e-3, degenerate 1e-9, touch 1e-7 (single precision files), sizes 1e-3 to 1e3 m.
CN_API cn_surface_check_def cn_surface_check_def_default(void);

/// Examines a surface. CN_OK whatever is found; CN_BAD_INPUT: vertices that are not finite or
/// triangles of vertices that are not there.
CN_API cn_status cn_surface_check(const cn_surface *surface, const cn_surface_check_def *def,
                                  cn_surface_report *report, cn_error *err);

/// Errors in a report, without warnings.
CN_API int64_t cn_surface_error_count(const cn_surface_report *report);

typedef struct cn_surface_fix_def {
    double weld; ///< vertices at most this far apart are joined; 0: equal ones [m]
    cn_surface_check_def check;
    cn_tell *told; ///< one line per kind of repair; may be NULL
    void *context;
} cn_surface_fix_def;

CN_API cn_surface_fix_def cn_surface_fix_def_default(void);

/// Repairs what can be repaired without changing the shape: joins vertices, removes duplicate and
/// degenerate triangles and unused vertices, makes the orientation consistent and outward. Needs a
/// surface of cn_surface_load. `report` (may be NULL) is the examination of the result: what is
/// left there cannot be repaired here.
CN_API cn_status cn_surface_fix(cn_surface *surface, const cn_surface_fix_def *def,
                                cn_surface_report *report, cn_error *err);

/// A block of a surface: faces of one group that edges join. Faces that look the wrong way count
/// as turned; the volume is that of the block whichever way they look.
typedef struct cn_block {
    int group;               ///< of the surface, -1: none
    int64_t element;         ///< its first face, as the file calls it
    int triangle_count;      ///< faces cut into triangles
    int point_count;         ///< its vertices, each place once
    double *point;           ///< x y z, by increasing x, then y, then z [m]
    int64_t open_count;      ///< edges of one triangle only: the block is not closed
    int64_t crowded_count;   ///< edges of more than two triangles: it has walls inside
    double edge[2][3];       ///< ends of the first such edge [m]
    int64_t turned_count;    ///< triangles that look the wrong way
    double volume;           ///< if it is closed [m3]
    double hull_volume;      ///< of the convex hull of its vertices, 0 if they are in a plane [m3]
    double reflex_depth;     ///< of the deepest reflex edge, 0 if there is none [m]
    int64_t reflex_faces[2]; ///< that meet there
    cn_surface surface;      ///< of a block that is not convex, its faces turned outwards; or empty
} cn_block;

typedef struct cn_block_list {
    int count;
    cn_block *block;
} cn_block_list;

/// The blocks of a surface, in the order of their first faces: of each group those parts that edges
/// join, or (by_group false) of the surface as a whole. Blocks that touch stay apart, also where
/// they share vertices: an edge of several blocks belongs to each of them. Vertices nearer than
/// 1e-9 of the largest extent are joined where a block is open without that. CN_BAD_INPUT:
/// triangles of vertices that are not there, or a block without volume.
CN_API cn_status cn_surface_blocks(const cn_surface *surface, bool by_group, cn_block_list *blocks,
                                   cn_error *err);
CN_API void cn_surface_blocks_free(cn_block_list *blocks);

/// Whether one of its vertices is exactly there.
CN_API bool cn_block_has_point(const cn_block *block, const double point[3]);

#ifdef __cplusplus
}
#endif
