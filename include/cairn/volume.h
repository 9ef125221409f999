/// cairn/volume.h -- volume meshes for deformable bodies, made of blocks of cells.
#pragma once

#include "cairn/deformable.h"

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

/// The mesh as a body takes it, without materials: copy it and add those.
CN_API const cn_mesh_def *cn_volume_mesh(const cn_volume *volume);

#ifdef __cplusplus
}
#endif
