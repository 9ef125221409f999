// body/bodies.h -- all bodies of a world as flat arrays, and the operations that every kind offers.
//
// A body of slot i owns q_count entries of q from q_start[i] and dof_count entries of v, f, ...
// from dof_start[i]. Slots follow the order of creation; ids are stable and never used twice.
#pragma once

#include "base/memory.h"
#include "cairn/body.h"
#include "cairn/vec.h"
#include "shape/shape.h"

typedef struct cn_bodies {
    const cn_hooks *hooks;
    int dim;
    int count;
    uint64_t id_next;
    cn_body_id *id;
    int *group;
    unsigned *fixed;          // held at rest by definition, bits 1 << cn_dof
    unsigned *held;           // held or driven now: written by load/
    double *mass;             // [kg]
    double *inertia;          // about the mass centre [kg m2]
    double *size;             // smallest extent [m]
    double *reach;            // largest distance of a point from the mass centre [m]
    int *shape_start;         // count + 1
    int *q_start;             // count + 1
    int *dof_start;           // count + 1
    double *q;                // configuration at t: x y angle [m, m, rad]
    double *v;                // velocity at t [m/s, m/s, rad/s]
    double *f;                // applied force of the step without gravity: load/ [N, N, N m]
    double *v_imposed;        // of held degrees of freedom at t+h: load/
    double *q_mid;            // where contacts are set up: body/
    double *v_free;           // velocity without contacts: body/
    double *root;             // A^-1/2 of each degree of freedom, 0 if held: body/ [kg^-1/2]
    double *v_before;         // velocity at the start of the step, for the audit: world/
    double *q_before;         // configuration at the start of the step: world/
    double *impulse;          // H r of the step: audit/ [N s, N s, N m s]
    double *turn_mid;         // cosine and sine at q_mid, two per body: body/
    cn_shape *shape;          // shape_start[count]
    cn_shape_def *shape_def;  // the same shapes as definitions, for views and results
    cn_vec2 *vertex, *normal; // of all shapes
    double *vertex_flat;      // vertices of shape_def
    int vertex_count;
    double gravity[3]; // [m/s2]
    size_t capacity[27];
} cn_bodies;

void cn_bodies_init(cn_bodies *b, int dim, const cn_hooks *hooks);
void cn_bodies_free(cn_bodies *b);

// Adds a body; its slot is b->count - 1 afterwards.
cn_status cn_bodies_add(cn_bodies *b, const cn_body_def *def, cn_error *err);

// Removes slot i; higher slots move down by one.
void cn_bodies_remove(cn_bodies *b, int i);

// Slot of an id, -1 if there is none.
int cn_bodies_find(const cn_bodies *b, cn_body_id id);

// True if no impulse can move the body.
static inline bool cn_body_is_held(const cn_bodies *b, int i)
{
    const unsigned planar = 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ;
    return (b->held[i] & planar) == planar;
}

// v_free = v + A^-1 h f, q_mid = q + gamma h v, A^-1/2 (3.3).
void cn_body_free_motion(cn_bodies *b, double h, double gamma);

// Rows of H for body i at a point: entry dof of row k is the work of a unit impulse along axis k
// (normal, tangent) on that degree of freedom (4.2), with bodies placed at q. H has rows x 3
// entries.
void cn_body_rows(const double *q, int i, cn_vec2 point, cn_vec2 normal, double H[6]);

// u = H^T x with x a velocity vector of all bodies.
void cn_body_velocity_at(const cn_bodies *b, int i, const double H[6], const double *x, double sign,
                         double u[2]);

// q+ = q + (1-theta) h v + theta h v+ (3.5), with v+ in b->v and v in b->v_before.
void cn_body_update(cn_bodies *b, double h, double theta);

// A placed shape at q (c and s computed) or at q_mid (c and s stored).
cn_posed cn_body_posed(const cn_bodies *b, int shape, const double *q);
cn_posed cn_body_posed_mid(const cn_bodies *b, int shape);
