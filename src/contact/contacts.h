// contact/contacts.h -- contacts of a step: identity, memory of the last step, rows, problem.
//
// A contact is known by its body pair and feature. What the last accepted step left at each
// (impulse as a world vector, law state) waits in the memory until a new step is accepted.
#pragma once

#include "base/incidence.h"
#include "body/bodies.h"
#include "body/stages.h"
#include "cairn/view.h"
#include "detect/detect.h"
#include "law/law.h"

// What an accepted step leaves of a contact.
typedef struct cn_memory {
    uint64_t pair, feature;
    double r[3];          // impulse in the world frame [N s]
    double creep[3];      // by which it has slipped while it stuck (8.31), world frame [m]
    signed char shift[3]; // cell of body j relative to that of i
} cn_memory;

// The slots of a pair.
static inline int cn_pair_i(uint64_t pair)
{
    return (int)(pair >> 32);
}

static inline int cn_pair_j(uint64_t pair)
{
    return (int)(pair & 0xffffffffu);
}

// Contacts of a step, in groups by the function that writes them. Shapes of arrays: `all` counts
// the constraints of the problem, contacts and guests; `rows` theirs. Capacities are in entries.
typedef struct cn_contacts {
    const cn_hooks *hooks;
    int thread_count; // results do not depend on it; 0 or 1: one

    // cn_contact_match and cn_contact_append: who touches whom
    int count;
    int found;                // the first ones, found before the solve; the others after it
    int d;                    // rows of forces per contact: the dimension
    int moment_row_count;     // rows of moments of all contacts (4.4)
    size_t wide_entries;      // more entries of G than rigid bodies need
    bool has_self;            // bodies touch their own images
    bool has_skew;            // friction of some law depends on the direction
    bool is_geometry;         // G holds axes and arms: in space, if none has moments or deforms
    cn_contact *contact;      // count: in order of pairs and names; cell by cell if there are many
    bool *is_fast;            // count (6.1)
    bool *is_at_start;        // count: point, normal and arms are those at q, not at q_mid (6.1)
    bool *is_bond;            // count: a point of an interface (interface.c)
    bool *is_beam;            // count: and one with moments
    int *memory_of;           // count: entry in memory, -1 for a new contact
    int *state_start;         // count + 1: first law state
    const cn_anchor *anchors; // where sides act on deformable bodies: detect/; NULL: there is none
    int *anchor;              // 2 count: of both sides, -1: rigid
    cn_incidence of_body;     // contacts at each body, if there are several threads
    bool has_of_body;         // and it is that of the contacts,
    bool is_of_memory;        // of the memory: of those of the last accepted step

    // cn_interface_feed: the points of the step, if some law bonds, and the interfaces that live
    cn_point *fed;
    struct cn_bonded_pair *bonded; // bonded_count
    int bonded_count;
    double renewed; // stored energy of points that were renewed since the last accepted step, less
                    // that of the old ones [J]
    int *bond_mark; // scratch: nodes of two meshes at which points of their interface are
    int *bond_root; // of each corner of skins: the fan of corners that bonds hold on each other
    unsigned char *covered; // nodes of skins, then facets: inside what bonds hold together

    // cn_contact_set_aside and cn_contact_take_back: the contacts of the last accepted step
    cn_contact *accepted; // accepted_count: while a step is under way
    int accepted_count, accepted_found;
    bool is_aside, has_failed; // there are such; some step was given up

    // cn_contact_commit: what the last accepted step left
    cn_memory *memory;    // memory_count
    int *memory_start;    // memory_count + 1: first law state of each
    double *memory_state; // memory_state_count: law states, as views show them
    int memory_count, memory_state_count;
    double memory_h; // step that made the impulses [s]

    // joint/ and others: constraints that follow those of contacts in the problem
    int guest_count, guest_rows;
    size_t guest_entries; // of their part of G

    // cn_contact_assemble: the problem of the step
    double h, theta, gamma;              // of the step [s, -, -]
    double h_whole;                      // of the step that it is a part of (6.9) [s]
    int *row_start, *body, *block_start; // all + 1; 2 all; 2 all: as cn_problem and cn_factors
    double *G;                           // G_count: A^-1/2 H (4.8), or axes and arms [kg^-1/2]
    int G_count;
    double *cell_G;                     // cell_dof rows: of the periodic cell [kg^-1/2]
    int cell_dof;                       // of it, 0: none
    double *u_free;                     // rows [m/s]
    unsigned char *kind;                // all: of the cores
    double *mu;                         // all [-]
    double *b, *c, *r0, *k;             // rows: of the cores [m/s, 1/kg, N s, kg]
    double *mu_roll, *mu_spin;          // all: used if there are rows of moments [-]
    bool has_c, has_r0, has_k;          // some law gives a compliance, an offset or a parallel term
    bool wanted_c, wanted_r0, wanted_k; // the same of the last step: most often it is so again
    int held_rigid;                     // springs that gave way to rigid rows (6.8)
    cn_vec3 *skew;                      // 2 count: tangents of the rows, if has_skew (4.53)
    double first_touch; // length of a step that meets fast bodies in its middle (6.9) [s]
    double *r;          // rows: first guess; the solver leaves the impulses here [N s]

    // Laws that depend on what the step decides: the end states that their cores assume
    double *assumed;  // CN_LAW_ASSUMED_MAX count
    bool has_assumed; // some core is refined

    // cn_contact_condense: one more body for each deformable one (11.20)
    int *dof_start;               // of rigid slots, then of meshes
    int *W_row, *W_col, *W_start; // stored part of W, by blocks
    double *W_block;              // W_size [1/kg]
    size_t W_size;
    int *mesh_start, *mesh_side; // sides of contacts on each mesh
    int *touched;                // scratch: nodes that contacts act on
    struct cn_seat *seat;        // seat_count: what the blocks of W were made of
    int seat_count;

    // cn_contact_measure: what the step did
    double v_noise;          // velocity that the solver was asked to be exact to [m/s]
    double *state;           // law states after the step, while it is accepted
    double *creep;           // 3 count: of cn_memory, with that of the step [m]
    double depth, depth_rel; // largest penetration [m], and over the size of the smaller body [-]
    int deepest;             // contact with that depth_rel, -1: none

    struct {
        size_t creep;
        size_t contact, is_fast, is_at_start, is_bond, is_beam, memory_of, state_start, anchor,
            accepted;
        size_t memory, memory_start, memory_state;
        size_t row_start, body, block_start, G, cell_G, u_free, kind, mu, b, c, r0, k, mu_roll,
            mu_spin, r, skew;
        size_t dof_start, W_row, W_col, W_start, W_block, mesh_start, mesh_side, touched, seat;
        size_t state, fed, bonded, bond_mark, bond_root, covered, assumed;
    } capacity;
} cn_contacts;

void cn_contacts_init(cn_contacts *c, const cn_hooks *hooks);
void cn_contacts_free(cn_contacts *c);

// Sets the contacts of the last accepted step aside, and takes them back if the step under way is
// given up: views show what was accepted. Where there are very many they are not kept, and hidden
// then, until a step was given up: halves of it keep them.
void cn_contact_set_aside(cn_contacts *c);
void cn_contact_take_back(cn_contacts *c);

// Turns points into contacts: sorts them along the curve and finds what the last step left.
cn_status cn_contact_match(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law,
                           const cn_point *point, int point_count, const cn_anchor *anchors,
                           cn_error *err);

// Adds points that a look after the solve found, after the contacts there are; the problem is to be
// assembled again.
cn_status cn_contact_append(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law,
                            const cn_point *point, int point_count, cn_error *err);

// Bodies were put back into the cell, or its vectors were chosen anew: shifts of the memory follow.
void cn_contact_rewrap(cn_contacts *c, const cn_bodies *b);

// The pairs of slots of the memory: bodies that touched in the last accepted step.
static inline cn_links cn_contact_touching(const cn_contacts *c)
{
    const uint64_t *pair = (const uint64_t *)c->memory; // its first member
    return (cn_links){pair, sizeof *c->memory, c->memory_count};
}

// Those of each body, or NULL if they are not known.
static inline const cn_incidence *cn_contact_incidence(const cn_contacts *c, int body_count)
{
    return c->is_of_memory && c->of_body.node_count == body_count ? &c->of_body : NULL;
}

// Where a side of contact a acts if its body is deformable, else NULL.
static inline const cn_anchor *cn_contact_anchor(const cn_contacts *c, int a, int side)
{
    return c->anchors == NULL || c->anchor[2 * a + side] < 0 ? NULL
                                                             : &c->anchors[c->anchor[2 * a + side]];
}

static inline bool cn_contact_is_deformable(const cn_bodies *b, const cn_contact *x)
{
    return b->deformable[x->i] >= 0 || b->deformable[x->j] >= 0;
}

// Entries of a row of G of one side of a constraint of the problem.
static inline int cn_factor_dof(const cn_problem *p, int a, int side)
{
    int body = p->W.factors.body[2 * a + side];
    return body < 0 ? 0 : p->W.factors.dof_start[body + 1] - p->W.factors.dof_start[body];
}

// Size of the smaller of the two shapes that touch [m].
double cn_contact_size(const cn_bodies *b, const cn_contact *x);

// Where bodies are when the rows of contact a are formed: q_mid, or q for a fast pair (6.1).
static inline const double *cn_contact_place(const cn_contacts *c, const cn_bodies *b, int a)
{
    return c->is_at_start[a] ? b->q_before : b->q_mid;
}

// How deep the bodies are in each other where they were looked at: fast pairs at q [m].
static inline double cn_contact_depth(const cn_contacts *c, int a)
{
    const cn_contact *x = &c->contact[a];
    return -(c->is_at_start[a] ? x->gap - c->gamma * c->h * x->u_before[0] : x->gap);
}

// Speed at which the surfaces of a contact come together because their bodies grow (4.60) [m/s].
static inline double cn_contact_growth(const cn_bodies *b, const cn_contact *x)
{
    return b->growth == NULL ? 0.0 : b->growth[x->i] + b->growth[x->j];
}

// Speed at which the core of contact a drives its bodies apart, beyond what their growth asks for.
static inline double cn_contact_push(const cn_contacts *c, const cn_bodies *b, int a)
{
    return -c->b[c->row_start[a]] - cn_contact_growth(b, &c->contact[a]);
}

// Axes of a contact: normal, then tangents (4.2).
static inline cn_axes cn_contact_axes(const cn_contact *x, int dim)
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_axes frame = {.point = {x->point[0], x->point[1], x->point[2]}, .axis = {n}};
    if (dim == 2) {
        frame.axis[1] = cn_v3(-n.y, n.x, 0.0);
        return frame;
    }
    cn_tangents3(n, &frame.axis[1], &frame.axis[2]);
    return frame;
}

// Axes of the rows of contact a: tangents are scaled where friction depends on the direction.
static inline cn_axes cn_contact_row_axes(const cn_contacts *c, int a)
{
    cn_axes frame = cn_contact_axes(&c->contact[a], c->d);
    if (c->has_skew) {
        frame.axis[1] = c->skew[2 * (ptrdiff_t)a];
        frame.axis[2] = c->skew[2 * (ptrdiff_t)a + 1];
    }
    return frame;
}

// Velocity and impulse of contact a along its axes, as its rows have them.
void cn_contact_to_rows(const cn_contacts *c, int a, double *u, double *r);

// Rows of contact a: forces, then moments.
static inline int cn_contact_row_count(const cn_contacts *c, int a)
{
    return c->row_start[a + 1] - c->row_start[a];
}

// Moment that the step gives contact a, acting on its first body, in the world frame [N m s].
cn_vec3 cn_contact_moment(const cn_contacts *c, int a);

// Radius R of the surfaces at a contact (4.4) [m].
double cn_contact_radius(const cn_bodies *b, const cn_contact *x);

// Radius of each of them; 0: flat or hollow [m].
void cn_contact_radii(const cn_bodies *b, const cn_contact *x, double radius[2]);

// Whether one of the two bodies surrounds the contact: it lies in a hollow (6.6).
bool cn_contact_is_concave(const cn_bodies *b, const cn_contact *x);

// Depth that the turn of both surfaces may add to a contact in a step (6.4) [m].
double cn_contact_chord(const cn_contacts *c, const cn_bodies *b, const cn_contact *x);

// Depth that a straight step adds to a contact in a hollow (6.7) [m].
double cn_contact_arc(const cn_contacts *c, const cn_bodies *b, const cn_contact *x);

// Angular velocity of the first body of contact a relative to the second, along its rows of moments
// [rad/s].
void cn_contact_spin(const cn_contacts *c, const cn_bodies *b, int a, const double *velocity,
                     double spin[3]);

// What the law of contact a sees; what it needs to prepare is added there.
static inline cn_law_input cn_contact_law_input(const cn_contacts *c, const cn_bodies *b,
                                                const cn_law_entry *entry, int a)
{
    const cn_contact *x = &c->contact[a];
    cn_law_input in = {.h = c->h,
                       .theta = c->theta,
                       .gamma = c->gamma,
                       .rows = c->d,
                       .gap = x->gap,
                       .u_before = {x->u_before[0], x->u_before[1], x->u_before[2]},
                       .is_deformable = c->anchors != NULL && cn_contact_is_deformable(b, x)};
    if (entry->law->needs_radius) {
        in.size = cn_contact_size(b, x);
        cn_contact_radii(b, x, in.radius);
    }
    if (entry->law->needs_axes) {
        cn_axes axes = cn_contact_axes(x, c->d);
        for (int k = 1; k < c->d; k++) {
            in.axis[k - 1][0] = axes.axis[k].x;
            in.axis[k - 1][1] = axes.axis[k].y;
            in.axis[k - 1][2] = axes.axis[k].z;
        }
    }
    return in;
}

// What the step did to contact a, as its law sees it.
static inline cn_law_output cn_contact_law_output(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    cn_law_output out = {.r = {x->r[0], x->r[1], x->r[2]},
                         .u = {x->u[0], x->u[1], x->u[2]},
                         .status = (cn_contact_status)x->status,
                         .v_noise = c->v_noise};
    if (c->is_beam[a]) {
        cn_contact_spin(c, b, a, b->v_solved, out.angular_velocity);
    }
    return out;
}

// Rows, free velocities, cores and first guess of the step (4.2 to 4.8), as a problem.
// The first `known` contacts were in the last problem of this step: they keep their rows and
// impulses.
cn_status cn_contact_assemble(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law,
                              const cn_scheme *scheme, int known, cn_problem *p, cn_error *err);

// Makes room for the compliance of each row of the problem, zero where no law gives one.
cn_status cn_contact_need_compliance(cn_contacts *c, cn_error *err);
cn_status cn_contact_need_offset(cn_contacts *c, cn_error *err);

// Adds the stored part of W: rows of contacts on large deformable bodies (11.20). Called when all
// constraints are in the problem, and after cn_contact_relinearize.
cn_status cn_contact_condense(cn_contacts *c, cn_bodies *b, cn_problem *p, cn_error *err);

// Deformable bodies have new factors and free velocities: the rows that feel them.
void cn_contact_relinearize(cn_contacts *c, const cn_bodies *b);

// v+ = v_free + A^-1 H r (3.1) of rigid bodies under all constraints; nodes get the impulses of
// contacts, to be moved when they have all.
cn_status cn_contact_correct(cn_contacts *c, const cn_problem *p, cn_bodies *b, cn_error *err);

// Relative velocities u = H^T v+ and impulses of all contacts.
void cn_contact_measure(cn_contacts *c, const cn_bodies *b);

// Makes room for the end states that refined cores assume.
cn_status cn_contact_need_assumed(cn_contacts *c, cn_error *err);

// Whether the law of contact a may refine its core; the end state that its core was made for, or
// NULL if it was not refined.
bool cn_contact_can_refine(const cn_contacts *c, const cn_law_entry *entry, int a);
const double *cn_contact_assumed(const cn_contacts *c, const cn_law_entry *entry, int a);

// r' of a row of contact a whose velocities were measured: the impulse of the contact alone.
static inline double cn_contact_core_impulse(const cn_contacts *c, int a, int k)
{
    int row = c->row_start[a] + k;
    const cn_contact *x = &c->contact[a];
    return x->r[k] + (c->has_r0 ? c->r0[row] : 0.0) + (c->has_k ? c->k[row] * x->u[k] : 0.0);
}

// The core of contact a as the problem has it, and another one in its place; of cones.
cn_core cn_contact_core(const cn_contacts *c, int a);
void cn_contact_set_core(cn_contacts *c, int a, const cn_core *core);

// Adds to the creep of contact a, whose status is known, what the step has slipped while it stuck:
// u are the velocities of its core (8.31).
void cn_contact_creep(cn_contacts *c, int a, const double *u);

// Accepts the step: laws commit their state, impulses are remembered. Cannot fail: room was made
// when the contacts were matched.
void cn_contact_commit(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law);

// Makes room to remember `count` contacts with `state_count` doubles of law state.
cn_status cn_contact_reserve_memory(cn_contacts *c, size_t count, size_t state_count,
                                    cn_error *err);

// Slot `removed` is gone: forgets its contacts and renumbers higher slots.
void cn_contact_forget_body(cn_contacts *c, int removed);

// Shows no contacts: those there are belong to a step that was not made.
void cn_contact_hide(cn_contacts *c);
