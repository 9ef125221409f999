/// cairn/mesh.h -- volume meshes for deformable bodies, made of blocks of cells.
#pragma once

#include "cairn/fem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cn_volume_kind {
    CN_VOLUME_BOX = 0,  ///< rectangle or block, centred on the origin
    CN_VOLUME_ANNULUS,  ///< ring about the origin
    CN_VOLUME_DISK,     ///< disk about the origin
    CN_VOLUME_CYLINDER, ///< about the z axis, centred on the origin; in space
    CN_VOLUME_SPHERE,   ///< ball about the origin; in space
    CN_VOLUME_PLATE,    ///< rectangle whose lower edge is an arc about a point above it
    CN_VOLUME_KIND_COUNT
} cn_volume_kind;

/// "box", "annulus", ...; NULL for a kind that does not exist.
CN_API const char *cn_volume_kind_name(cn_volume_kind kind);

/// A mesh to make. Its nodes lie on the true surface, those on the middle of edges as well.
typedef struct cn_volume_def {
    cn_volume_kind kind;
    cn_element_type element; ///< its dimension is that of the mesh
    double size[3];          ///< box: along x y z; plate: width and height at the middle [m]
    double radius;           ///< annulus, disk, cylinder, sphere; plate: of its lower edge [m]
    double inner_radius;     ///< annulus [m]
    double length;           ///< cylinder, along z [m]
    double cell_size;        ///< edges of cells are about as long as this [m]; 0: `cells` is used
    /// Cells. Box and plate: along x y z. Annulus: around, through. Disk, cylinder, sphere: along
    /// the side of the square core, from the core to the rim; cylinder: and along z.
    int cells[3];
    bool is_crossed; ///< tri3 and tri6: four triangles about the middle of each cell, not two. A
                     ///< box of two such cells is the brick of eight triangles of Jean 1999
} cn_volume_def;

CN_API cn_volume_def cn_volume_def_default(void);

/// A mesh that owns its arrays. Sets of its surface, nodes and sides: box and plate left right
/// bottom top (and front back in space), annulus inner outer, disk and sphere outer, cylinder outer
/// bottom top.
typedef struct cn_volume cn_volume;

/// CN_BAD_INPUT names what cannot be: an element of another dimension, lengths <= 0, too many
/// cells.
CN_API cn_status cn_volume_make(const cn_volume_def *def, cn_volume **volume, cn_error *err);
CN_API void cn_volume_destroy(cn_volume *volume);

/// Fills the convex hull of points with tetrahedra about its middle; in the plane points are the
/// corners of a convex polygon, counterclockwise, and elements triangles. dim numbers each [m]. Few
/// elements, without sets: for bodies that are pseudo-rigid.
CN_API cn_status cn_volume_fill(int dim, int count, const double *point, cn_volume **volume,
                                cn_error *err);

/// The mesh as a body takes it, without materials: copy it and add those.
CN_API const cn_mesh_def *cn_volume_mesh(const cn_volume *volume);

/// Reads a mesh of dimension `dim` from a gmsh file (2.2 and 4.1, text and binary) or a VTK file of
/// an unstructured grid (.vtu: text, base64, raw; plain or zlib; one piece), where an integer array
/// of cell data called `group` or gmsh:physical gives the groups, named by their numbers. `scale`
/// is the length of its unit [m]. Physical groups of elements below that dimension become sets of
/// nodes and sides, those of the elements themselves sets of nodes and the groups below.
/// CN_BAD_INPUT names file and line, or the number of the element or node in the file.
CN_API cn_status cn_volume_parse(const char *name, const void *bytes, size_t length, int dim,
                                 double scale, cn_volume **volume, cn_error *err);

/// Physical groups of a mesh from a file by number, and that of each element (-1: none). A mesh
/// that was made has none.
CN_API int cn_volume_group_count(const cn_volume *volume);
CN_API const char *cn_volume_group_name(const cn_volume *volume, int group);
CN_API const int *cn_volume_element_group(const cn_volume *volume);

#ifdef __cplusplus
}
#endif
