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

/// A body, rigid unless it has a mesh. `at` and `angle` (`turn` in space) place the frame in which
/// the shapes are given; the world then moves the frame of the body to its mass centre, which is
/// what positions refer to from then on.
typedef struct cn_body_def {
    cn_body_id id; ///< 0: the next free one
    int group;     ///< from cn_group_add, or 0
    int shape_count;
    const cn_shape_def *shape;
    double density;       ///< [kg/m3] per unit thickness in 2D; 0 if mass and inertia are given
    double mass, inertia; ///< [kg], [kg m2]; used when density is 0
    double at[3];         ///< [m]
    double angle;         ///< [rad]
    double velocity[3];   ///< of the mass centre [m/s]
    double spin;          ///< [rad/s]
    unsigned fixed;       ///< degrees of freedom held at rest, bits 1 << cn_dof
    /// In space, instead of shape, angle, inertia and spin:
    int solid_count;
    const cn_solid_def *solid;
    double turn[4];   ///< orientation of that frame, unit quaternion w x y z; zeros: none
    double tensor[6]; ///< inertia about the mass centre in its axes: xx yy zz yz zx xy [kg m2]
    double rate[3];   ///< angular velocity, world axes [rad/s]
    /// A deformable body instead of shapes or solids: density, mass and inertia are those of the
    /// mesh, `fixed` holds all its nodes along x, y, z.
    const cn_mesh_def *mesh; ///< NULL: rigid; may be freed afterwards
    bool is_two_pass;     ///< meets other meshes with its nodes and with its faces (theory 11.17)
    bool is_mid_face;     ///< contacts act at the middles of its facets instead of its nodes
    bool is_self_contact; ///< its surface may touch itself
} cn_body_def;

/// State of one body.
typedef struct cn_body_state {
    double position[3]; ///< mass centre [m]
    double angle;       ///< [rad]
    double velocity[3]; ///< [m/s]
    double spin;        ///< [rad/s]
    double mass;        ///< [kg]
    double inertia;     ///< [kg m2]
    double size;        ///< smallest extent [m]
    int group;
    unsigned fixed;
    double turn[4];      ///< in space: orientation of the frame of the definition, w x y z
    double rate[3];      ///< in space: angular velocity, world axes [rad/s]
    double principal[3]; ///< in space: principal inertias [kg m2]
} cn_body_state;

/// A zeroed definition is a body of no shape; this one has density 1.
CN_API cn_body_def cn_body_def_default(void);

/// Adds a body; its id is returned in *id (may be NULL).
CN_API cn_status cn_body_add(cn_world *w, const cn_body_def *def, cn_body_id *id, cn_error *err);

/// Removes a body and its contacts; its id is never used again.
CN_API cn_status cn_body_remove(cn_world *w, cn_body_id id, cn_error *err);

CN_API cn_status cn_body_get(const cn_world *w, cn_body_id id, cn_body_state *state, cn_error *err);

/// Sets position, angle, velocity and spin; the other members are not read.
CN_API cn_status cn_body_set(cn_world *w, cn_body_id id, const cn_body_state *state, cn_error *err);

/// Changes which degrees of freedom are held at rest.
CN_API cn_status cn_body_fix(cn_world *w, cn_body_id id, unsigned fixed, cn_error *err);

#ifdef __cplusplus
}
#endif
