// contact/accept_impulses.c -- after the solve: velocities that the impulses make (3.1), relative
// velocities, and what an accepted step leaves for the next one.
#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "body/deformable/deformables.h"
#include "contact/cell_rows.h"
#include "contact/frame.h"
#include "contact/interface.h"

enum { SHARED_MIN = 512 }; // contacts or bodies per thread

// Impulses of contacts on the nodes of deformable bodies.
static void push_nodes(const cn_contacts *c, cn_deformables *m)
{
    cn_deformables_unpush(m);
    for (int a = 0; a < c->count; a++) {
        const double *r = c->r + c->row_start[a];
        for (int side = 0; side < 2 && c->kind[a] != CN_CORE_FREE; side++) {
            const cn_anchor *anchor = cn_contact_anchor(c, a, side);
            if (anchor != NULL) {
                cn_axes frame = cn_contact_row_axes(c, a);
                double sign = side == 0 ? 1.0 : -1.0;
                cn_vec3 sum = cn_mul3(sign * r[0], frame.axis[0]);
                for (int k = 1; k < c->d; k++) {
                    sum = cn_add_mul3(sum, sign * r[k], frame.axis[k]);
                }
                cn_anchor_push(m, anchor, sum);
            }
        }
    }
}

// v += A^-1 H_a r_a of one side of contact a, which is given by its geometry.
static inline void push_geometry(const cn_contacts *c, cn_bodies *b, int body, int a, int side)
{
    const cn_vec3 *x = (const cn_vec3 *)(const void *)(c->G + CN_GEOMETRY_SIZE * a);
    const double *root = b->root + cn_rigid_root_size(3) * body, *r = c->r + c->row_start[a];
    cn_vec3 push = cn_add_mul3(cn_mul3(r[0], x[0]), r[1], x[1]);
    push = cn_mul3(side == 0 ? 1.0 : -1.0, cn_add_mul3(push, r[2], cn_cross3(x[0], x[1])));
    cn_vec3 twist = cn_cross3(x[2 + side], push);
    double *v = b->v + cn_rigid_dof(3) * body, w[3];
    const double along[3] = {push.x, push.y, push.z}, *F = root + 3;
    for (int d = 0; d < 3; d++) {
        v[d] += root[d] * root[d] * along[d];
        w[d] = F[3 * d] * twist.x + F[3 * d + 1] * twist.y + F[3 * d + 2] * twist.z;
    }
    for (int d = 0; d < 3; d++) {
        v[3 + d] += F[d] * w[0] + F[3 + d] * w[1] + F[6 + d] * w[2];
    }
}

// v += A^-1 H_a r_a of one side of constraint a; nodes are moved all at once.
static inline void push_as(const cn_contacts *c, const cn_problem *p, cn_bodies *b, int dim, int a,
                           int side)
{
    int row = p->row_start[a], rows = p->row_start[a + 1] - row;
    int body = p->W.factors.body[2 * a + side];
    if (body < 0 || body >= b->count || c->kind[a] == CN_CORE_FREE) {
        return;
    }
    if (dim == 3 && p->W.factors.block_start[2 * a] < 0) {
        push_geometry(c, b, body, a, side);
    } else {
        double room[CN_BLOCK_ROOM];
        cn_rigid_apply(dim, b->root + cn_rigid_root_size(dim) * body, rows,
                       cn_problem_factor(p, a, side, room), c->r + row,
                       b->v + cn_rigid_dof(dim) * body);
    }
}

static void push(const cn_contacts *c, const cn_problem *p, cn_bodies *b, int a, int side)
{
    if (b->dim == 2) {
        push_as(c, p, b, 2, a, side);
    } else {
        push_as(c, p, b, 3, a, side);
    }
}

// What all contacts add to the bodies first .. end - 1. Every body sees its contacts in their
// order, so threads may share the bodies.
static void push_part(const cn_contacts *c, const cn_problem *p, cn_bodies *b, int first, int end)
{
    const int *body = p->W.factors.body;
    for (int side = 0; side < 2 * c->count; side++) {
        if (body[side] >= first && body[side] < end) {
            push(c, p, b, side / 2, side % 2);
        }
    }
}

// Relative velocity and impulse of contact a.
static inline void read_back_as(cn_contacts *c, const cn_bodies *b, int dim, bool is_plain, int a)
{
    cn_contact *x = &c->contact[a];
    cn_contact_rows rows;
    cn_velocities after = {b->v, b->deformables->v, cn_cell_is_there(b) ? b->cell->L : NULL};
    cn_contact_rows_make(c, b, dim, is_plain, a, &rows);
    cn_contact_velocity(c, b, a, &rows, dim, after, x->u);
    for (int k = 0; k < dim; k++) {
        x->r[k] = c->r[c->row_start[a] + k];
    }
    if (!is_plain) {
        cn_contact_velocity_from_rows(c, a, x->u);
        cn_contact_impulse_from_rows(c, a, x->r);
    }
}

static void read_back(cn_contacts *c, const cn_bodies *b, int a)
{
    if (!cn_contacts_are_plain(c)) {
        read_back_as(c, b, c->d, false, a);
    } else if (c->d == 2) {
        read_back_as(c, b, 2, true, a);
    } else {
        read_back_as(c, b, 3, true, a);
    }
}

cn_status cn_contact_correct(cn_contacts *c, const cn_problem *p, cn_bodies *b, cn_error *err)
{
    CN_TRY(cn_bodies_reserve_update(b, err));
    size_t states = c->count > 0 ? (size_t)c->state_start[c->count] : 0;
    CN_TRY(cn_reserve(c->hooks, &c->state, &c->capacity.state, states, err));
    int dof = b->kind->dof;
    int threads = cn_share(c->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), k, dof * b->count, // a world may be empty
                  { b->v[k] = b->v_free[k]; });
    CN_SHARED_FOR(threads, (schedule(static, 1)), k, threads, {
        push_part(c, p, b, (int)((int64_t)b->count * k / threads),
                  (int)((int64_t)b->count * (k + 1) / threads));
    });
    for (int a = c->count; a < p->contact_count; a++) { // joints
        push(c, p, b, a, 0);
        push(c, p, b, a, 1);
    }
    CN_SHARED_FOR(threads, (schedule(static)), k, dof * b->count, { b->v_solved[k] = b->v[k]; });
    if (b->deformables->count > 0) {
        push_nodes(c, b->deformables);
    }
    cn_cell_collect(c, b);
    return CN_OK;
}

void cn_contact_measure(cn_contacts *c, const cn_bodies *b)
{
    int threads = cn_share(c->thread_count, c->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), a, c->count, { read_back(c, b, a); });
}

// State of the law of contact a after the step.
static void commit_state(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a)
{
    const cn_contact *x = &c->contact[a];
    cn_law_input in = cn_contact_law_input(c, b, entry, a);
    cn_law_output out = cn_contact_law_output(c, b, a);
    cn_interface_input(c, b, entry, a, &in);
    for (int k = c->state_start[a]; k < c->state_start[a + 1]; k++) {
        c->state[k] = 0.0;
    }
    if (c->is_bond[a]) {
        double *state = c->state + c->state_start[a];
        size_t count = (size_t)cn_law_bond_states(entry->law);
        memcpy(state, cn_contact_old_state(c, entry, a), count * sizeof *state);
    } else if (entry->law->is_bonding) {
        c->state[c->state_start[a] + CN_BOND_MET] = cn_interface_is_met(b, entry, x) ? 1.0 : 0.0;
    }
    if (entry->law->commit != NULL) {
        entry->law->commit(entry->param, cn_contact_old_state(c, entry, a), &in, &out,
                           c->state + c->state_start[a]);
    }
    cn_interface_keep(c, b, entry, a, c->state + c->state_start[a]);
    if (entry->type.state_count > entry->law->type.state_count) {
        cn_vec3 moment = cn_contact_moment(c, a);
        double *to = c->state + c->state_start[a] + entry->law->type.state_count;
        memcpy(to, (double[3]){moment.x, moment.y, moment.z}, 3 * sizeof *to);
    }
}

void cn_contact_creep(cn_contacts *c, int a, const double *u)
{
    double *creep = c->creep + 3 * a;
    const cn_contact *x = &c->contact[a];
    memset(creep, 0, 3 * sizeof *creep);
    if (x->status != CN_STATUS_STICK) {
        return;
    }
    if (c->memory_of[a] >= 0) {
        memcpy(creep, c->memory[c->memory_of[a]].creep, 3 * sizeof *creep);
    }
    double along[3] = {u[0], u[1], c->d == 3 ? u[2] : 0.0};
    cn_contact_velocity_from_rows(c, a, along);
    cn_axes frame = cn_contact_axes(x, c->d);
    for (int k = 1; k < c->d; k++) {
        creep[0] += c->h * along[k] * frame.axis[k].x;
        creep[1] += c->h * along[k] * frame.axis[k].y;
        creep[2] += c->h * along[k] * frame.axis[k].z;
    }
}

// What is remembered of contact a.
static void remember(cn_contacts *c, int a)
{
    const cn_contact *x = &c->contact[a];
    cn_axes frame = cn_contact_axes(x, c->d);
    cn_vec3 r = cn_mul3(x->r[0], frame.axis[0]);
    for (int k = 1; k < c->d; k++) {
        r = cn_add_mul3(r, x->r[k], frame.axis[k]);
    }
    c->memory[a] = (cn_memory){.pair = x->pair,
                               .feature = x->feature,
                               .r = {r.x, r.y, r.z},
                               .creep = {c->creep[3 * a], c->creep[3 * a + 1], c->creep[3 * a + 2]},
                               .shift = {x->shift[0], x->shift[1], x->shift[2]}};
}

void cn_contact_commit(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law)
{
    int threads = cn_share(c->thread_count, c->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), a, c->count, {
        commit_state(c, b, &law[c->contact[a].law], a);
        remember(c, a);
    });
    if (c->count > 0) { // old states are found by the starts of the memory
        memcpy(c->memory_start, c->state_start, sizeof *c->memory_start * (size_t)c->count);
    }
    c->memory_h = c->h;
    c->renewed = 0.0;
    c->memory_count = c->count;
    c->is_of_memory = c->has_of_body;
    c->memory_state_count = c->count > 0 ? c->state_start[c->count] : 0;
    if (c->memory_state_count > 0) {
        memcpy(c->memory_state, c->state, sizeof *c->state * (size_t)c->memory_state_count);
    }
}

const double *cn_contact_remembered(const cn_contacts *c, int a, int count)
{
    int memory = c->memory_of[a];
    if (memory < 0) {
        return NULL;
    }
    int start = c->memory_start[memory];
    int end = memory + 1 < c->memory_count ? c->memory_start[memory + 1] : c->memory_state_count;
    return end - start >= count ? c->memory_state + start : NULL;
}

const double *cn_contact_old_state(const cn_contacts *c, const cn_law_entry *law, int a)
{
    static const double none[CN_LAW_STATE_MAX] = {0};
    const double *state = cn_contact_remembered(c, a, law->law->type.state_count);
    return state != NULL ? state : none;
}
