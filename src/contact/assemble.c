// contact/assemble.c -- from contacts to the problem of the step and back, theory 4.2 to 4.6.
#include <math.h>
#include <string.h>

#include "contact/contacts.h"

static cn_vec2 point_of(const cn_contact *x)
{
    return cn_v2(x->point[0], x->point[1]);
}

static cn_vec2 normal_of(const cn_contact *x)
{
    return cn_v2(x->normal[0], x->normal[1]);
}

// u = H^T x of a contact (2.4).
static void relative_velocity(const cn_contacts *c, const cn_bodies *b, int a,
                              const double *velocity, double u[2])
{
    const cn_contact *x = &c->contact[a];
    const double *q = cn_contact_place(c, b, a);
    double H[6];
    u[0] = u[1] = 0.0;
    cn_body_rows(q, x->i, point_of(x), normal_of(x), H);
    cn_body_velocity_at(b, x->i, H, velocity, 1.0, u);
    cn_body_rows(q, x->j, point_of(x), normal_of(x), H);
    cn_body_velocity_at(b, x->j, H, velocity, -1.0, u);
}

// Block of G = A^-1/2 H for one body (4.6).
static void scale_rows(const cn_contacts *c, const cn_bodies *b, int a, int body, double sign,
                       double G[6])
{
    const cn_contact *x = &c->contact[a];
    double H[6];
    const double *root = b->root + b->dof_start[body];
    cn_body_rows(cn_contact_place(c, b, a), body, point_of(x), normal_of(x), H);
    for (int k = 0; k < 6; k++) {
        G[k] = sign * H[k] * root[k % 3];
    }
}

// Impulse of the last step turned into the new frame and scaled to the new step.
static void first_guess(const cn_contacts *c, int a, double h, double r[2])
{
    r[0] = r[1] = 0.0;
    if (c->memory_of[a] < 0) {
        return;
    }
    const cn_memory *m = &c->memory[c->memory_of[a]];
    cn_vec2 n = normal_of(&c->contact[a]), world = cn_v2(m->r[0], m->r[1]);
    double scale = h / c->memory_h;
    r[0] = scale * cn_dot2(world, n);
    r[1] = scale * cn_dot2(world, cn_left2(n));
}

double cn_contact_size(const cn_bodies *b, const cn_contact *x)
{
    return fmin(b->shape[cn_feature_shape_i(b, x->i, x->feature)].size,
                b->shape[cn_feature_shape_j(b, x->j, x->feature)].size);
}

// Whether shape s, on the side of the contact that the normal leaves, surrounds the point: the
// inside of a hollow disk.
static bool surrounds(const cn_bodies *b, int s, cn_vec2 point, cn_vec2 outward)
{
    if (b->shape[s].kind != CN_SHAPE_HOLLOW_DISK) {
        return false;
    }
    cn_posed posed = cn_body_posed_mid(b, s);
    return cn_dot2(outward, cn_sub2(cn_posed_vertex(&posed, 0), point)) > 0.0;
}

static bool is_concave(const cn_bodies *b, const cn_contact *x)
{
    cn_vec2 n = normal_of(x), point = point_of(x);
    return surrounds(b, cn_feature_shape_j(b, x->j, x->feature), point, n) ||
           surrounds(b, cn_feature_shape_i(b, x->i, x->feature), point, cn_neg2(n));
}

cn_law_input cn_contact_law_input(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    return (cn_law_input){.h = c->h,
                          .theta = c->theta,
                          .gamma = c->gamma,
                          .rows = 2,
                          .gap = x->gap,
                          .u_before = {x->u_before[0], x->u_before[1], x->u_before[2]},
                          .size = cn_contact_size(b, x),
                          .is_fast = c->is_fast[a],
                          .is_concave = is_concave(b, x)};
}

// Law state that the last step left, zeros for a new contact.
static const double *old_state(const cn_contacts *c, int a)
{
    static const double none[CN_LAW_STATE_MAX] = {0};
    int memory = c->memory_of[a];
    return memory < 0 ? none : c->memory_state + c->memory[memory].state;
}

// Stores a core by member; memory for compliance and offset is taken when a law first asks for it.
static cn_status store_core(cn_contacts *c, int a, const cn_core *core, cn_error *err)
{
    size_t rows = 2 * (size_t)c->count;
    bool has_c = core->c[0] != 0.0 || core->c[1] != 0.0;
    bool has_r0 = core->r0[0] != 0.0 || core->r0[1] != 0.0;
    if (has_c && !c->has_c) {
        CN_TRY(cn_reserve(c->hooks, &c->c, &c->c_capacity, rows, err));
        memset(c->c, 0, sizeof(double) * rows);
        c->has_c = true;
    }
    if (has_r0 && !c->has_r0) {
        CN_TRY(cn_reserve(c->hooks, &c->r0, &c->r0_capacity, rows, err));
        memset(c->r0, 0, sizeof(double) * rows);
        c->has_r0 = true;
    }
    c->kind[a] = (unsigned char)core->kind;
    c->mu[a] = core->mu;
    for (int k = 0; k < 2; k++) {
        c->b[2 * a + k] = core->b[k];
        if (c->has_c) {
            c->c[2 * a + k] = core->c[k];
        }
        if (c->has_r0) {
            c->r0[2 * a + k] = core->r0[k];
        }
    }
    return CN_OK;
}

static cn_status prepare_contact(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a,
                                 cn_error *err)
{
    cn_contact *x = &c->contact[a];
    relative_velocity(c, b, a, b->v, x->u_before);
    if (c->is_fast[a]) { // set up at q: the gap at q_mid follows from the velocity (4.15)
        x->gap += c->gamma * c->h * x->u_before[0];
        c->is_fast[a] = c->h * fabs(x->u_before[0]) > 0.5 * cn_contact_size(b, x);
    }
    cn_law_input in = cn_contact_law_input(c, b, a);
    cn_core core = {.kind = CN_CORE_FREE};
    law[x->law].law->prepare(law[x->law].param, old_state(c, a), &in, &core);
    return store_core(c, a, &core, err);
}

static cn_status reserve_state(cn_contacts *c, const cn_law_entry *law, cn_error *err)
{
    int count = 0;
    for (int a = 0; a < c->count; a++) {
        c->state_start[a] = count;
        count += law[c->contact[a].law].law->type.state_count;
    }
    c->state_start[c->count] = count;
    CN_TRY(cn_reserve(c->hooks, &c->state, &c->state_capacity, (size_t)count, err));
    return cn_contact_reserve_memory(c, (size_t)c->count, (size_t)count, err);
}

cn_status cn_contact_assemble(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, double h,
                              double theta, double gamma, cn_problem *p, cn_error *err)
{
    CN_TRY(reserve_state(c, law, err));
    c->h = h;
    c->theta = theta;
    c->gamma = gamma;
    c->has_c = c->has_r0 = false;
    for (int a = 0; a < c->count; a++) {
        cn_contact *x = &c->contact[a];
        c->row_start[a] = 2 * a;
        CN_TRY(prepare_contact(c, b, law, a, err));
        relative_velocity(c, b, a, b->v_free, c->u_free + 2 * a); // (4.4)
        first_guess(c, a, h, c->r + 2 * a);
        c->body[2 * a] = cn_body_is_held(b, x->i) ? -1 : x->i;
        c->body[2 * a + 1] = cn_body_is_held(b, x->j) ? -1 : x->j;
        c->block_start[2 * a] = 12 * a;
        c->block_start[2 * a + 1] = 12 * a + 6;
        scale_rows(c, b, a, x->i, 1.0, c->G + 12 * a);
        scale_rows(c, b, a, x->j, -1.0, c->G + 12 * a + 6);
    }
    c->row_start[c->count] = 2 * c->count;
    *p = (cn_problem){
        .dim = b->dim,
        .contact_count = c->count,
        .row_start = c->row_start,
        .W.factors = {b->count, b->dof_start, c->body, c->block_start, c->G},
        .u_free = c->u_free,
        .kind = c->kind,
        .mu = c->mu,
        .b = c->b,
        .c = c->has_c ? c->c : NULL,
        .r0 = c->has_r0 ? c->r0 : NULL,
        .r = c->r,
    };
    return CN_OK;
}

void cn_contact_correct(cn_contacts *c, const cn_problem *p, cn_bodies *b)
{
    int dofs = b->count > 0 ? b->dof_start[b->count] : 0;
    for (int k = 0; k < dofs; k++) {
        b->v[k] = b->v_free[k];
    }
    for (int a = 0; a < c->count; a++) {
        for (int side = 0; side < 2 && c->kind[a] != CN_CORE_FREE; side++) {
            int body = p->W.factors.body[2 * a + side];
            if (body < 0) {
                continue;
            }
            const double *G = c->G + c->block_start[2 * a + side];
            const double *root = b->root + b->dof_start[body];
            for (int d = 0; d < 3; d++) {
                b->v[b->dof_start[body] + d] +=
                    root[d] * (G[d] * c->r[2 * a] + G[3 + d] * c->r[2 * a + 1]);
            }
        }
    }
    for (int a = 0; a < c->count; a++) {
        cn_contact *x = &c->contact[a];
        relative_velocity(c, b, a, b->v, x->u);
        x->r[0] = c->r[2 * a];
        x->r[1] = c->r[2 * a + 1];
    }
}

// State of the law of contact a after the step.
static void commit_state(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a)
{
    const cn_contact *x = &c->contact[a];
    cn_law_input in = cn_contact_law_input(c, b, a);
    cn_law_output out = {.status = (cn_contact_status)x->status};
    memcpy(out.r, x->r, sizeof out.r);
    memcpy(out.u, x->u, sizeof out.u);
    for (int k = c->state_start[a]; k < c->state_start[a + 1]; k++) {
        c->state[k] = 0.0;
    }
    if (entry->law->commit != NULL) {
        entry->law->commit(entry->param, old_state(c, a), &in, &out, c->state + c->state_start[a]);
    }
}

void cn_contact_commit(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law)
{
    for (int a = 0; a < c->count; a++) {
        commit_state(c, b, &law[c->contact[a].law], a);
    }
    for (int a = 0; a < c->count; a++) {
        const cn_contact *x = &c->contact[a];
        cn_vec2 n = normal_of(x);
        cn_vec2 r = cn_add_mul2(cn_mul2(x->r[0], n), x->r[1], cn_left2(n));
        c->memory[a] = (cn_memory){.pair = x->pair,
                                   .feature = x->feature,
                                   .r = {r.x, r.y, 0.0},
                                   .state = c->state_start[a]};
    }
    c->memory_h = c->h;
    c->memory_count = c->count;
    c->memory_state_count = c->count > 0 ? c->state_start[c->count] : 0;
    for (int k = 0; k < c->memory_state_count; k++) {
        c->memory_state[k] = c->state[k];
    }
    cn_contact_index(c);
}
