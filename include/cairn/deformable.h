/// cairn/deformable.h -- deformable bodies of a world: how they are stepped, loads on parts of
/// them, their nodes and stresses.
///
/// A body is deformable if its definition has a mesh (cairn/fem.h). It touches other bodies,
/// rigid or not, under the same laws and rules.
#pragma once

#include "cairn/body.h"
#include "cairn/load.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Matrix with which Newton's method corrects bodies that are not linear (theory 11.7).
typedef enum cn_tangent {
    CN_TANGENT_FULL = 0, ///< of the last iterate, factored anew wherever that is worth it
    CN_TANGENT_FROZEN,   ///< of the reference position, factored once; for moderate strains
    CN_TANGENT_MASS      ///< the mass alone: for steps short against the passage of waves
} cn_tangent;

typedef struct cn_deform_def {
    cn_tangent tangent;
    bool is_conserving; ///< internal force that keeps the energy exactly (theory 11.9); theta = 1/2
    bool is_quasi_static; ///< without inertia; needs theta = 1, and bodies that supports or
                          ///< contacts can hold (theory 11.11) [-]
    double tolerance;     ///< accepted error of the balance of impulses, relative [-]
    int iteration_max;    ///< of Newton's method in a step
} cn_deform_def;

/// Full tangent, tolerance 1e-11, 40 iterations.
CN_API cn_deform_def cn_deform_def_default(void);
CN_API cn_status cn_world_set_deform(cn_world *w, const cn_deform_def *def, cn_error *err);

/// A step of length h. If it breaks because deformable bodies find no balance, it is made in two
/// halves, and these likewise, up to `halvings` times; without deformable bodies this is
/// cn_world_step. A failure in a later part leaves the parts before it.
CN_API cn_status cn_world_advance(cn_world *w, double h, int halvings, cn_error *err);

/// Imposed motion of the nodes of a set along one axis, in place of their equation of motion.
typedef struct cn_node_drive_def {
    cn_body_id body;
    const char *set;    ///< of the mesh; NULL: all nodes; copied
    cn_dof dof;         ///< CN_DOF_X, Y or Z
    cn_drive_kind kind; ///< velocity, displacement or acceleration
    cn_function f;
    double t0; ///< time at which the function's clock starts; NaN: now [s]
} cn_node_drive_def;

typedef enum cn_node_load_kind {
    CN_LOAD_NODES = 0,  ///< f at every node of the set [N]
    CN_LOAD_TOTAL,      ///< f shared equally by the nodes of the set [N]
    CN_LOAD_TRACTION,   ///< f per reference area of the sides of the set [Pa]
    CN_LOAD_PRESSURE,   ///< f against the sides of the set as they are, direction not read [Pa]
    CN_LOAD_BODY,       ///< f per mass of all nodes [N/kg]
    CN_LOAD_CENTRIFUGAL ///< of all nodes, in a frame that turns at the rate f [rad/s] about the
                        ///< axis along `direction` through `point`; in the plane about z,
                        ///< axisymmetric: y
} cn_node_load_kind;

/// Force on a part of a deformable body.
typedef struct cn_node_load_def {
    cn_body_id body;
    const char *set; ///< of the mesh; NULL: all nodes, or the whole boundary; copied
    cn_node_load_kind kind;
    double direction[3]; ///< unit vector
    double point[3];     ///< CN_LOAD_CENTRIFUGAL: a point of the axis [m]
    cn_function f;
    double t0; ///< time at which the function's clock starts; NaN: now [s]
} cn_node_load_def;

/// cn_loads_clear removes these, too.
CN_API cn_status cn_node_drive_add(cn_world *w, const cn_node_drive_def *def, cn_error *err);
CN_API cn_status cn_node_load_add(cn_world *w, const cn_node_load_def *def, cn_error *err);

/// Nodes of a deformable body. Arrays have dim numbers per node and stay valid until the next call
/// that changes the world; the mesh itself is that of the definition, node for node.
typedef struct cn_node_view {
    int dim, node_count;
    const double *x;        ///< positions [m]
    const double *v;        ///< velocities [m/s]
    const double *X;        ///< positions without deformation; those in the world are X + at [m]
    double at[3];           ///< [m]
    const double *reaction; ///< impulse that the drives gave each held degree of freedom in the
                            ///< last step, else 0 [N s]
    const double *impulse;  ///< of contacts and joints on each node in the last step [N s]
    double elastic;         ///< stored energy [J]
    const double *mass;     ///< lumped, of each degree of freedom [kg]
} cn_node_view;

CN_API bool cn_body_is_deformable(const cn_world *w, cn_body_id id);
CN_API cn_status cn_body_nodes(const cn_world *w, cn_body_id id, cn_node_view *view, cn_error *err);

/// The elements of a deformable body: nodes (in the reference position, as X above), types and
/// connectivity; the rest is zero. Arrays live as long as the body.
CN_API cn_status cn_body_mesh(const cn_world *w, cn_body_id id, cn_mesh_def *mesh, cn_error *err);

/// Stresses at the nodes, extrapolated from the integration points: xx yy zz xy yz zx each [Pa].
CN_API cn_status cn_body_node_stress(const cn_world *w, cn_body_id id, double *stress,
                                     cn_error *err);

/// The same with strains as the material sees them: linear (small, co-rotational) or
/// Green-Lagrange, xx yy zz and twice xy yz zx [-]. Either array may be NULL.
CN_API cn_status cn_body_node_strain(const cn_world *w, cn_body_id id, double *stress,
                                     double *strain, cn_error *err);

/// At the integration points, element after element: their number (0: not deformable), stresses and
/// strains as above and the equivalent plastic strain. Each array may be NULL.
CN_API int cn_body_point_count(const cn_world *w, cn_body_id id);
CN_API cn_status cn_body_point_stress(const cn_world *w, cn_body_id id, double *stress,
                                      double *strain, double *plastic, cn_error *err);

/// Mean of the stresses over the body [Pa], and its present volume [m3] (theory 11.32).
CN_API cn_status cn_body_mean_stress(const cn_world *w, cn_body_id id, double mean[6],
                                     double *volume, cn_error *err);

/// Nodes of a set of the mesh; they live as long as the body.
CN_API cn_status cn_body_node_set(const cn_world *w, cn_body_id id, const char *set, int *count,
                                  const int **node, cn_error *err);

/// Sets positions and velocities of all nodes; NULL leaves them.
CN_API cn_status cn_body_set_nodes(cn_world *w, cn_body_id id, const double *x, const double *v,
                                   cn_error *err);

/// The same for many bodies at once, x[k] and v[k] being those of body id[k]; linear cost.
CN_API cn_status cn_world_set_nodes(cn_world *w, int count, const cn_body_id *id,
                                    const double *const *x, const double *const *v, cn_error *err);

/// How often iteration matrices were factored, and columns solved for contact, since the start.
CN_API void cn_world_deform_work(const cn_world *w, int *factorizations, size_t *solves);

#ifdef __cplusplus
}
#endif
