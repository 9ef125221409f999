// body/bodies.h -- all bodies of a world as flat arrays, and the operations that every kind offers.
//
// A body of slot i owns entries q_size i .. of q and dof_start[i] .. of v, f, ... Slots follow the
// order of creation; ids are stable and never used twice.
#pragma once

#include "base/memory.h"
#include "cairn/body.h"
#include "cairn/vec.h"
#include "geometry/plane/shape.h"
#include "geometry/space/solid.h"

struct cn_body_kind;
typedef struct cn_deformables cn_deformables;
struct cn_cell;

// Bodies in groups by the stage that writes them. Shapes of arrays: per body, unless said; q_size,
// dof, inertia_size, root_size and turn_size are those of the kind. Capacities are in entries.
typedef struct cn_bodies {
    const cn_hooks *hooks;
    int thread_count; // results do not depend on it; 0 or 1: one
    int dim;
    const struct cn_body_kind *kind; // rigid bodies in the plane or in space

    // cn_bodies_add and cn_bodies_remove: what bodies are
    int count;
    uint64_t id_next;
    cn_body_id *id;
    int *group;
    unsigned *fixed;          // held at rest by definition, bits 1 << cn_dof
    double *mass;             // [kg]
    double *inertia;          // inertia_size: about the mass centre; in space principal [kg m2]
    double *size;             // smallest extent [m]
    double *reach;            // largest distance of a point from the mass centre [m]
    int *shape_start;         // count + 1
    int *dof_start;           // count + 1
    cn_shape *shape;          // shape_start[count]: in the plane
    cn_solid *solid;          // shape_start[count]: in space
    double *frame;            // 4: in space, from the frame of the definition to the principal one
    cn_shape_def *shape_def;  // the same shapes as definitions, for views and results
    cn_solid_def *solid_def;  // likewise in space; hulls show the vertices of their polyhedron
    cn_vec2 *vertex, *normal; // vertex_count: of all shapes in the plane
    double *vertex_flat;      // 2 vertex_count: vertices of shape_def
    int vertex_count;
    // Slots of deformable bodies count as held and have no shapes; q and v are those of the mass
    // centre and of the mean rotation.
    int *deformable;             // place among the deformables, -1: rigid
    cn_deformables *deformables; // theirs, not ours: nodes, matrices, skins
    struct cn_cell *cell;        // likewise; NULL: space has no period (body/cell.h)

    // world/: the state
    double *q;         // q_size: configuration at t: x y angle, or x y z and a quaternion
    double *v;         // dof: velocity at t, translation then rotation [m/s, rad/s]; in a cell
                       // relative to it
    int *image;        // 3: how often each was put back into the cell, along each of its vectors
    double gravity[3]; // [m/s2]

    // load/
    unsigned *held; // held or driven now
    double *f;      // dof: applied force of the step without gravity [N, N, N m]

    // world/: speed of the surface of each body outward in the step (world/growth.h) [m/s]; NULL:
    // none grows
    const double *growth;

    // body/: free motion and update
    double *q_mid;    // q_size: where contacts are set up
    double *v_free;   // dof: velocity without contacts; of held ones the imposed one at t+h: load/
    double *root;     // root_size: A^-1/2, as the kind stores it [kg^-1/2]
    double *turn_mid; // turn_size: in the plane cosine and sine of the angle at q_mid
    double *spread;   // largest difference of a velocity of its points from v [m/s]
    const double *v_before;  // dof: velocity at the start of the step: v itself until bodies move
    const double *q_before;  // q_size: configuration likewise
    double *v_kept, *q_kept; // dof, q_size: where these are from then on

    // contact/, world/ and audit/: what the step did
    double *v_solved;               // dof: v_free + A^-1 H r, before rotations are updated
    const unsigned char *is_locked; // bodies that were stopped in this step; NULL: none
    double *impulse;                // dof: H r of the step [N s, N s, N m s]

    struct {
        size_t id, group, fixed, mass, inertia, size, reach, shape_start, dof_start;
        size_t shape, solid, frame, shape_def, solid_def, vertex, normal, vertex_flat, deformable;
        size_t q, v, image, held, f, q_mid, v_free, root, turn_mid, spread, v_kept, q_kept;
        size_t v_solved, impulse;
    } capacity;
} cn_bodies;

// `deformables` is kept and must outlive the bodies.
void cn_bodies_init(cn_bodies *b, int dim, cn_deformables *deformables, const cn_hooks *hooks);
void cn_bodies_free(cn_bodies *b);

// Adds a body; its slot is b->count - 1 afterwards.
cn_status cn_bodies_add(cn_bodies *b, const cn_body_def *def, cn_error *err);

// Parts of cn_bodies_add and cn_bodies_remove. A kind measures and places its shapes in slot
// b->count, fills inertia, q and v and then enters the body.
cn_status cn_bodies_reserve(cn_bodies *b, int shapes, int vertices, cn_error *err);
// Room for what the end of a step writes, v_solved and impulse; it lasts until the next one.
cn_status cn_bodies_reserve_update(cn_bodies *b, cn_error *err);
// Bodies are about to move: the state before the step is kept, until they go back or the next one.
cn_status cn_bodies_keep(cn_bodies *b, cn_error *err);
// Whether something that no impulse can move does move in this step.
bool cn_bodies_are_driven(const cn_bodies *b);
// Root mean square velocity of bodies that can move, with what spins add: tells rest from flow
// [m/s].
double cn_bodies_rms_velocity(const cn_bodies *b);
// Stops the bodies that are marked; NULL: there are none.
void cn_bodies_lock(cn_bodies *b, const unsigned char *is_locked);
cn_status cn_bodies_check_mass(const cn_bodies *b, const cn_body_def *def, double mass,
                               double least_inertia, cn_error *err);
void cn_bodies_enter(cn_bodies *b, const cn_body_def *def, double mass, double size);
cn_status cn_bodies_add_shapes(cn_bodies *b, const cn_body_def *def, cn_error *err);
cn_status cn_bodies_add_solids(cn_bodies *b, const cn_body_def *def, cn_error *err);
cn_status cn_bodies_add_mesh(cn_bodies *b, const cn_body_def *def, cn_error *err);
void cn_bodies_remove_shapes(cn_bodies *b, int first, int shapes);

// The only shape of slot i becomes another with as many corners, whose `centre` is the origin of
// the body's frame from now on. Mass, q and v are the caller's.
void cn_bodies_reshape(cn_bodies *b, int i, const cn_shape_def *def, cn_vec2 centre, double size);

// The only shape or solid of slot i, a disk or sphere about its mass centre, gets another radius.
void cn_bodies_set_radius(cn_bodies *b, int i, double radius);

void cn_bodies_remove_solids(cn_bodies *b, int first, int solids);

// Moves the tail of an array of `end` elements down over `gap` of them.
void cn_close_gap(void *array, size_t element, int from, int gap, int end);

// Removes slot i; higher slots move down by one.
void cn_bodies_remove(cn_bodies *b, int i);

// Slot of an id, -1 if there is none.
int cn_bodies_find(const cn_bodies *b, cn_body_id id);

// Where an impulse acts: a point and the axes of its components, normal first.
typedef struct cn_axes {
    cn_vec3 point;
    cn_vec3 axis[3];
} cn_axes;

// Place of a body: its mass centre and the rotation from its frame to the world.
typedef struct cn_body_pose {
    cn_vec3 x;
    cn_mat3 R;
} cn_body_pose;

// Most entries of q that a kind has per body.
#define CN_Q_MAX 7

// Degrees of freedom that a kind has, bits 1 << cn_dof.
#define CN_DOFS_PLANE (1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ)

// What every kind of body offers; in the array functions on all bodies at once.
typedef struct cn_body_kind {
    int q_size, dof, inertia_size, root_size, turn_size; // entries per body
    const cn_dof *dof_name;                              // of each degree of freedom
    // Configuration that q becomes after the time dt at the velocity v: q_mid of (3.3).
    void (*advance)(const double *q, const double *v, double dt, double *q_after);
    // v_free, q_mid, turn_mid and A^-1/2 (3.3).
    void (*free_motion)(cn_bodies *b, double h, double theta, double gamma);
    // Rows of H (rows x dof) of a body with configuration q: entry d of row k is what a unit
    // impulse along axis k does to degree of freedom d (4.2).
    void (*rows)(const double *q, const cn_axes *frame, double *H);
    // Likewise for unit angular impulses about `count` axes: joints and resistance to rolling
    // (4.3). In the plane an axis counts by its z.
    void (*spin_rows)(int count, const cn_vec3 *axis, double *H);
    // G = A^-1/2 H of any number of rows (4.8).
    void (*scale)(const double *root, int rows, const double *H, double sign, double *G);
    // v += A^-1/2 G r.
    void (*apply)(const double *root, int rows, const double *G, const double *r, double *v);
    // Place of a body with configuration q.
    cn_body_pose (*pose)(const double *q);
    // q+ from v and v+ (3.4), with v+ in b->v and v in b->v_before.
    void (*update)(cn_bodies *b, double h, double theta);
    // Momentum of each degree of freedom; returns the kinetic energy.
    double (*momentum)(const cn_bodies *b, int i, const double *q, const double *v, double *p);
} cn_body_kind;

extern const cn_body_kind cn_rigid2, cn_rigid3;

static inline const double *cn_body_q(const cn_bodies *b, const double *q, int i)
{
    return q + b->kind->q_size * i;
}

static inline const double *cn_body_v(const cn_bodies *b, const double *v, int i)
{
    return v + b->kind->dof * i;
}

static inline bool cn_dof_is_held(const cn_bodies *b, int i, int d)
{
    return (b->held[i] & 1u << b->kind->dof_name[d]) != 0;
}

// True if no impulse can move the body as a rigid one.
static inline bool cn_body_is_held(const cn_bodies *b, int i)
{
    unsigned all = b->dim == 2 ? CN_DOFS_PLANE : CN_FIXED_ALL;
    return (b->held[i] & all) == all;
}

// True if no impulse can move anything of the body.
static inline bool cn_body_is_passive(const cn_bodies *b, int i)
{
    return b->deformable[i] < 0 && cn_body_is_held(b, i);
}

// Slot of the body that carries shape or solid s, and its smallest extent.
static inline int cn_shape_body(const cn_bodies *b, int s)
{
    return b->dim == 2 ? b->shape[s].body : b->solid[s].body;
}

static inline double cn_shape_size(const cn_bodies *b, int s)
{
    return b->dim == 2 ? b->shape[s].size : b->solid[s].size;
}

// How far the surface of a shape is from the mass centre of its body, where turning moves it: a
// round shape is where its centre is [m].
double cn_shape_lever(const cn_bodies *b, int s);

// A placed solid at q, or at q_mid.
cn_posed3 cn_body_posed3(const cn_bodies *b, int solid, const double *q);
cn_posed3 cn_body_posed3_mid(const cn_bodies *b, int solid);

// A placed shape at q (c and s computed) or at q_mid (c and s stored).
cn_posed cn_body_posed(const cn_bodies *b, int shape, const double *q);
cn_posed cn_body_posed_mid(const cn_bodies *b, int shape);

// Whether shape s, on the side of a contact at q_mid that the normal leaves, surrounds the point:
// the inside of a hollow disk, sphere or cylinder.
bool cn_shape_is_unbounded(const cn_bodies *b, int s);
bool cn_shape_is_hollow(const cn_bodies *b, int s);
bool cn_shape_surrounds(const cn_bodies *b, int s, cn_vec3 point, cn_vec3 outward);
