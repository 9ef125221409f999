// body/deformable/deformables.h -- deformable bodies of a world as flat arrays over all their
// nodes, theory chapter 11.
//
// Body k of them has the degrees of freedom dof_start[k] .. dof_start[k+1]-1 of x, v, ...: dim per
// node, node after node. Its slot among the bodies of the world carries identity, group and, for
// those who look, mass centre and mean motion. Equal meshes share a model, and models that are
// linear share the factor of their iteration matrix.
#pragma once

#include "base/memory.h"
#include "base/stop.h"
#include "body/deformable/contact_node.h"
#include "body/deformable/iteration_matrix.h"
#include "body/deformable/skin.h"
#include "cairn/deformable.h"
#include "cairn/vec.h"
#include "fem/assembly/fem.h"
#include "geometry/space/solid.h"

// What equal bodies share.
typedef struct cn_model {
    cn_fem *fem;    // what moves; NULL: not used
    cn_fem *mesh;   // nodes, sides and sets of the definition: fem, unless pseudo-rigid
    double *weight; // pseudo-rigid: of the dim + 1 nodes of fem at each node of mesh (11.28)
    cn_skin skin;
    cn_hull *hull;  // pseudo-rigid, in space and convex: the polyhedron that it is; else NULL
    int *hull_node; // nodes of mesh at its vertices
    int frame[4];   // vertices that are farthest from being in one plane
    double width;   // of the polyhedron, the smallest [m]
    uint64_t key;   // hash of the definition
    int users;
    double *M;          // on the pattern of fem, NULL: lumped
    double *C;          // damping of a linear model, NULL: none
    double *K;          // tangent of the reference position
    double stiffness;   // its largest entry [N/m]
    cn_vec3 centre;     // of mass, in the reference position [m]
    double inertia;     // about it; in space a third of the trace [kg m2]
    double reach, size; // farthest node from the centre, smallest extent of the box [m]
} cn_model;

typedef struct cn_deformable {
    int slot;
    int model;
    int factor;           // index among the factors, -1: none yet
    double at[3];         // the reference position of the model is moved by it [m]
    unsigned fixed;       // axes along which all nodes are held, bits 1 << cn_dof
    bool is_two_pass;     // meets other meshes with its nodes and with its facets
    bool is_mid_face;     // middles of its facets stand for its nodes in contacts
    bool is_self_contact; // meets itself
    int bond_set;         // set of nodes between which it bonds, -1: everywhere
    double *C;            // damping of a body that is not linear, NULL: none or that of the model
    cn_mat3 R;            // turn of the definition into the reference position
    // Of the step.
    double scale;       // largest impulse in the balance of a degree of freedom [N s]
    double energy_new;  // at the end of the step [J]
    double plastic;     // dissipated in the step [J]
    double residual;    // of Newton's method [N s]
    double excess;      // the residual over the accepted one, 0: in balance
    double shift;       // share of fictitious mass in the matrix of a quasi-static step (11.11)
    double convex;      // share of negative eigenvalues of elements that is left out of it (10.32)
    bool is_floating;   // quasi-static and held by contacts at most
    bool is_driven;     // imposed motion is added to the first guess of the step
    bool is_pushed;     // by some contact impulse
    bool is_refactored; // its own factor is new
} cn_deformable;

// Deformable bodies in groups by who writes them. Shapes of arrays: dofs, those of all bodies,
// unless said. Capacities are in entries.
typedef struct cn_deformables {
    const cn_hooks *hooks;
    cn_stop *stop;    // looked at between bodies; NULL: none
    int thread_count; // that step bodies; the bits do not depend on it

    // deformables.c: what bodies are
    int dim, count;
    cn_deformable *body; // count
    cn_model *model;     // model_count
    int model_count;
    cn_factors_list factors;
    cn_deform_def settings;
    int *dof_start;     // count + 1
    int *history_start; // count + 1
    int *facet_start;   // count + 1: facets of skins
    int *node_start;    // count + 1: nodes of skins, or what stands for them
    int *point_start;   // count + 1: numbers of the points of pseudo-rigid bodies

    // the state
    double *x;       // position at t [m]
    double *v;       // velocity at t [m/s]
    double *energy;  // count: stored at x [J]
    double *history; // history_start[count]: of materials

    // load/
    double *f;           // applied force of the step, with gravity: newton_step.c too [N]
    double *v_imposed;   // of held ones, at t+h [m/s]
    unsigned char *held; // held or driven now

    // newton_step.c and free motion: the step
    double h, theta, gamma;
    double *weight;       // gravity alone [N]
    double *x_mid;        // where contacts are set up [m]
    double *v_free;       // velocity without contacts of the present linearization [m/s]
    double *v_guess;      // where it is linearized [m/s]
    double *x_before;     // position at the start of the step [m]
    double *v_before;     // velocity likewise [m/s]
    double *force_before; // internal force at x_before [N]
    double *force;        // internal force of the step, weighted (11.2) [N]
    double *force_new;    // internal force at the end of the step [N]
    double *history_new;  // history_start[count]: of materials, at the end of the step
    double *impulse;      // H r of the step [N s]
    double *reaction;     // of what holds degrees of freedom, in the last step [N s]
    double *work;         // scratch, work_size numbers per thread
    size_t work_size;
    double contact_eps;  // accuracy of contacts that floating bodies get: world/ [-]
    int iteration_count; // of Newton's method in the step
    double excess;       // largest residual over the accepted one
    int worst;           // body that has it

    // cn_deformable_show_points and cn_deformables_update_normals: what others look at
    // Nodes of the meshes of pseudo-rigid bodies: point_start[count] numbers; nobody reads them
    // back.
    double *point_x, *point_v, *point_mid, *point_impulse, *point_reaction;
    double *facet_normal, *corner_normal; // dim, dim dim per facet: at x_mid

    struct {
        size_t body, model, dof_start, history_start, facet_start, node_start, point_start;
        size_t x, v, energy, history, f, v_imposed, held, weight, x_mid, v_free, v_guess, x_before;
        size_t v_before, force_before, force, force_new, history_new, impulse, reaction, work;
        size_t point_x, point_v, point_mid, point_impulse, point_reaction;
        size_t facet_normal, corner_normal;
    } capacity;
} cn_deformables;

void cn_deformables_init(cn_deformables *m, int dim, const cn_hooks *hooks);
void cn_deformables_free(cn_deformables *m);

// Placement and first velocity of a new body.
typedef struct cn_deformable_start {
    double at[3];       // moves the mesh [m]
    cn_mat3 R;          // turns it before
    double velocity[3]; // of the mass centre [m/s]
    cn_vec3 rate;       // angular velocity [rad/s]
    bool is_mid_face;   // middles of facets stand for nodes in contacts
} cn_deformable_start;

// Adds a body; it is m->count - 1 afterwards.
cn_status cn_deformables_add(cn_deformables *m, const cn_mesh_def *def,
                             const cn_deformable_start *start, int slot, cn_error *err);

// Removes body k; higher ones move down. Slots above a removed one move down by one.
void cn_deformables_remove(cn_deformables *m, int k);
void cn_deformables_renumber(cn_deformables *m, int removed_slot);

static inline const cn_model *cn_deformable_model(const cn_deformables *m, int k)
{
    return &m->model[m->body[k].model];
}

static inline int cn_deformable_dof(const cn_deformables *m, int k)
{
    return m->dof_start[k + 1] - m->dof_start[k];
}

static inline bool cn_deformable_is_pseudo_rigid(const cn_deformables *m, int k)
{
    return cn_deformable_model(m, k)->weight != NULL;
}

// Nodes of the mesh of body k where contacts are set up: x_mid, dim numbers each.
static inline const double *cn_deformable_mid(const cn_deformables *m, int k)
{
    return cn_deformable_is_pseudo_rigid(m, k) ? m->point_mid + m->point_start[k]
                                               : m->x_mid + m->dof_start[k];
}

// The same at the end of the last step: x.
static inline const double *cn_deformable_now(const cn_deformables *m, int k)
{
    return cn_deformable_is_pseudo_rigid(m, k) ? m->point_x + m->point_start[k]
                                               : m->x + m->dof_start[k];
}

// At a node of the mesh of body k: the value of a field over the degrees of freedom (x, v ...); and
// what a force there adds to such a field (f ...).
cn_vec3 cn_deformable_at(const cn_deformables *m, int k, int node, const double *field);
void cn_deformable_push(const cn_deformables *m, int k, int node, cn_vec3 force, double *field);
// The same on an array of body k alone.
void cn_deformable_push_own(const cn_deformables *m, int k, int node, cn_vec3 force, double *own);

// Write the points of a pseudo-rigid body: x, v and reactions for those who look, and x_mid.
// Nothing for other bodies.
void cn_deformable_show_points(cn_deformables *m, int k);
void cn_deformable_place_points(cn_deformables *m, int k);

// The values at the degrees of freedom of body k that fit those at the nodes of its mesh best.
void cn_deformable_fit(const cn_deformables *m, int k, const double *at_nodes, double *own);

// body/deformable/pseudo_rigid_hull.c: sets hull, hull_node and frame of a model (11.30). Then, of
// body k with a hull: its vertices at a field of positions (x, x_mid), and the anchor of a point
// there.
cn_status cn_model_find_hull(const cn_hooks *hooks, cn_model *model, cn_error *err);
void cn_deformable_hull_vertices(const cn_deformables *m, int k, const double *field,
                                 cn_vec3 *vertex);
cn_anchor cn_deformable_hull_anchor(const cn_deformables *m, int k, const double *field,
                                    cn_vec3 point);

// Mass centre, mean velocity, mean rotation and angular velocity of body k.
typedef struct cn_deformable_mean {
    cn_vec3 x, v, rate;
    cn_mat3 R; // from the reference position
} cn_deformable_mean;
cn_deformable_mean cn_deformable_mean_of(const cn_deformables *m, int k);

// Rotation of the polar decomposition of a matrix; the unit matrix if its determinant is not > 0.
cn_mat3 cn_mat3_rotation(cn_mat3 F);

// Largest difference between a value and those of a field at the nodes of body k; between a
// velocity and theirs, v and v_free [m/s].
double cn_deformable_range(const cn_deformables *m, int k, cn_vec3 centre, const double *field);
double cn_deformable_spread(const cn_deformables *m, int k, cn_vec3 centre);

// Forgets loads and held degrees of freedom; load/ then writes them.
void cn_deformables_unload(cn_deformables *m);

// Internal forces and energies of the present positions of bodies from .. count - 1; to be called
// after positions were changed from outside.
cn_status cn_deformables_refresh(cn_deformables *m, int from, cn_error *err);

// x_mid = x + dt v, and v_free = v: for looks without a step.
void cn_deformables_place(cn_deformables *m, double dt);

// Normals of all skins at x_mid.
void cn_deformables_update_normals(cn_deformables *m);

// Starts a step: x_mid, iteration matrices and v_free (11.3). gravity has dim entries; id[] names
// bodies by slot.
cn_status cn_deformables_free_motion(cn_deformables *m, double h, double theta, double gamma,
                                     const double *gravity, const uint64_t *id, cn_error *err);

// Of the accuracy of contacts, what a solve needs: all of it, or a share where bodies are loose, to
// which velocities in the problem are that much larger than in truth (11.11).
double cn_deformables_accuracy(const cn_deformables *m);

// Forgets the impulses that were pushed; v = v_free + A^-1 H r with those pushed since, then x
// (11.5).
void cn_deformables_unpush(cn_deformables *m);
cn_status cn_deformables_update(cn_deformables *m, const uint64_t *id, cn_error *err);

// After the update: whether all bodies are in balance. If not, they are linearized at the new
// velocities, and v_free and factors are new (11.6). CN_BROKEN with the body that does not
// converge.
cn_status cn_deformables_refine(cn_deformables *m, const uint64_t *id, bool *is_done,
                                cn_error *err);

// CN_BROKEN with the quasi-static body whose skin turns so far in the step that contacts, which are
// looked for where it starts, say nothing of where it ends (11.12).
cn_status cn_deformables_check_rotation(const cn_deformables *m, const uint64_t *id, cn_error *err);

// Remembers the state, takes a step back, or accepts it.
void cn_deformables_begin(cn_deformables *m);
void cn_deformables_restore(cn_deformables *m);
void cn_deformables_commit(cn_deformables *m);

// What a step did to the energy of body k (11.19), with the signs of the ledger [J].
typedef struct cn_deformable_energy {
    double kinetic, potential, applied, drive, viscous, theta, elastic, plastic, internal;
    double error; // work of what the balance of free degrees of freedom lacks
} cn_deformable_energy;
void cn_deformable_audit(cn_deformables *m, int k, cn_deformable_energy *energy);

// Kinetic energy of body k at velocities v of all bodies [J].
double cn_deformable_kinetic(cn_deformables *m, int k, const double *v);

static inline cn_iteration_matrix *cn_deformable_matrix_of(const cn_deformables *m, int k)
{
    return &m->factors.item[m->body[k].factor];
}

// Whether the body enters the problem as a factor, G = L^-1 H, or with its condensed rows.
static inline bool cn_deformable_is_small(const cn_deformables *m, int k)
{
    return cn_deformable_dof(m, k) <= CN_DENSE_MAX;
}
