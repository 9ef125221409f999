/// cairn/body.h -- bodies of a world: definition, ids, queries.
#pragma once

#include "cairn/base.h"
#include "cairn/fem.h"
#include "cairn/shape.h"
#include "cairn/solid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cn_world cn_world;

/// Stable for the life of a world and never used twice; 0 is no body.
typedef uint64_t cn_body_id;

typedef enum cn_dof { CN_DOF_X = 0, CN_DOF_Y, CN_DOF_Z, CN_DOF_RX, CN_DOF_RY, CN_DOF_RZ } cn_dof;

#define CN_FIXED_ALL 0x3fu ///< bits 1 << CN_DOF_X ... 1 << CN_DOF_RZ

/// What a body is made of: which member of the union of cn_body_def is read.
typedef enum cn_body_type {
    CN_BODY_SHAPES = 0, ///< rigid, in the plane
    CN_BODY_SOLIDS,     ///< rigid, in space
    CN_BODY_MESH        ///< deformable: density, mass and inertia are those of the mesh
} cn_body_type;

typedef struct cn_shape_parts {
    int count;
    const cn_shape_def *item;
} cn_shape_parts;

typedef struct cn_solid_parts {
    int count;
    const cn_solid_def *item;
} cn_solid_parts;

typedef struct cn_mesh_body {
    const cn_mesh_def *item; ///< may be freed afterwards
    bool is_two_pass;     ///< meets other meshes with its nodes and with its faces (theory 11.17)
    bool is_mid_face;     ///< contacts act at the middles of its facets instead of its nodes
    bool is_self_contact; ///< its surface may touch itself
    const char *bond_set; ///< set of its nodes: faces between them are where laws that bond do so;
                          ///< NULL: everywhere
} cn_mesh_body;

/// A body. `at` and `angle` (`rotation` in space) place the frame in which its parts are given; the
/// world then moves the frame of a rigid body to its mass centre, which is what positions refer to
/// from then on. A list may be NULL when its count is 0.
typedef struct cn_body_def {
    cn_body_id id; ///< 0: the next free one
    int group;     ///< from cn_group_add, or 0
    cn_body_type type;
    union {
        cn_shape_parts shapes;
        cn_solid_parts solids;
        cn_mesh_body mesh;
    };
    double density;     ///< [kg/m3] per unit thickness in 2D; 0 if mass and inertia are given
    double mass;        ///< [kg]; used when density is 0
    double inertia[6];  ///< likewise, about the mass centre in its axes: xx yy zz yz zx xy [kg m2];
                        ///< in the plane zz alone
    bool has_centre;    ///< the mass centre is `centre`, not that of the parts (rigid bodies)
    double centre[3];   ///< in the frame in which the parts are given [m]
    double at[3];       ///< [m]
    double angle;       ///< in the plane [rad]
    double rotation[4]; ///< in space: unit quaternion w x y z; zeros: none
    double velocity[3]; ///< of the mass centre [m/s]
    double angular_velocity[3]; ///< world axes [rad/s]; in the plane z alone
    double wear;    ///< Archard's K over hardness of its surface; 0: none. Of one convex polygon in
                    ///< the plane whose mass centre is that of its shape (theory "Wear") [1/Pa]
    unsigned fixed; ///< degrees of freedom held at rest, bits 1 << cn_dof; of a mesh, all its nodes
} cn_body_def;

/// State of one body.
typedef struct cn_body_state {
    double position[3];         ///< mass centre [m]
    double angle;               ///< in the plane [rad]
    double rotation[4];         ///< in space: orientation of the frame of the definition, w x y z
    double velocity[3];         ///< [m/s]
    double angular_velocity[3]; ///< world axes [rad/s]; in the plane z alone
    double mass;                ///< [kg]
    double inertia[3];          ///< principal ones [kg m2]; in the plane z alone
    double size;                ///< smallest extent [m]
    int group;
    unsigned fixed;
} cn_body_state;

/// A zeroed definition is a body of no shape; this one has density 1.
CN_API cn_body_def cn_body_def_default(void);

/// Adds a body; its id is returned in *id (may be NULL).
CN_API cn_status cn_body_add(cn_world *w, const cn_body_def *def, cn_body_id *id, cn_error *err);

/// Whether a body that is to be added would enter none of those that are there, where bodies are
/// now; pairs without a law do not count. Nothing is added. The world has no contacts until its
/// next step.
CN_API cn_status cn_body_has_room(cn_world *w, const cn_body_def *def, bool *has_room,
                                  cn_error *err);

/// Removes a body and its contacts; its id is never used again.
CN_API cn_status cn_body_remove(cn_world *w, cn_body_id id, cn_error *err);

CN_API cn_status cn_body_get(const cn_world *w, cn_body_id id, cn_body_state *state, cn_error *err);

/// Sets position, angle or rotation, velocity and angular velocity; the other members are not read.
CN_API cn_status cn_body_set(cn_world *w, cn_body_id id, const cn_body_state *state, cn_error *err);

/// Changes which degrees of freedom are held at rest.
CN_API cn_status cn_body_fix(cn_world *w, cn_body_id id, unsigned fixed, cn_error *err);

#ifdef __cplusplus
}
#endif
