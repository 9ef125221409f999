// contact/assemble.c -- from contacts to the problem of the step and back, theory 4.2 to 4.6.
#include <math.h>
#include <string.h>

#include "contact/contacts.h"

cn_axes cn_contact_axes(const cn_contact *x, int dim)
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

void cn_contact_tangents(const cn_contact *x, int dim, double t1[3], double t2[3])
{
    cn_axes frame = cn_contact_axes(x, dim);
    memcpy(t1, &frame.axis[1], 3 * sizeof *t1);
    memcpy(t2, &frame.axis[2], 3 * sizeof *t2);
}

enum { ROWS_MAX = 3 * 6 }; // entries of H of one body

// H of both bodies of contact a.
static void rows_of(const cn_contacts *c, const cn_bodies *b, int a, double H_i[ROWS_MAX],
                    double H_j[ROWS_MAX])
{
    const cn_contact *x = &c->contact[a];
    const double *q = cn_contact_place(c, b, a);
    cn_axes frame = cn_contact_axes(x, b->dim);
    b->kind->rows(cn_body_q(b, q, x->i), &frame, H_i);
    b->kind->rows(cn_body_q(b, q, x->j), &frame, H_j);
}

// u = H^T v of a contact (2.4).
static void relative_velocity(const cn_bodies *b, const cn_contact *x, const double *H_i,
                              const double *H_j, const double *velocity, double *u)
{
    const double *v_i = cn_body_v(b, velocity, x->i), *v_j = cn_body_v(b, velocity, x->j);
    int dof = b->kind->dof;
    for (int k = 0; k < b->dim; k++) {
        double along_i = 0.0, along_j = 0.0;
        for (int d = 0; d < dof; d++) {
            along_i += H_i[dof * k + d] * v_i[d];
            along_j += H_j[dof * k + d] * v_j[d];
        }
        u[k] = along_i - along_j;
    }
}

// Impulse of the last step turned into the new frame and scaled to the new step.
static void first_guess(const cn_contacts *c, int a, double h, double *r)
{
    for (int k = 0; k < c->d; k++) {
        r[k] = 0.0;
    }
    if (c->memory_of[a] < 0) {
        return;
    }
    const cn_memory *m = &c->memory[c->memory_of[a]];
    cn_axes frame = cn_contact_axes(&c->contact[a], c->d);
    double scale = h / c->memory_h;
    for (int k = 0; k < c->d; k++) {
        r[k] = scale * cn_dot3(cn_v3(m->r[0], m->r[1], m->r[2]), frame.axis[k]);
    }
}

double cn_contact_size(const cn_bodies *b, const cn_contact *x)
{
    return fmin(cn_shape_size(b, cn_feature_shape_i(b, x->i, x->feature)),
                cn_shape_size(b, cn_feature_shape_j(b, x->j, x->feature)));
}

// Whether shape s, on the side of the contact that the normal leaves, surrounds the point: the
// inside of a hollow disk, sphere or cylinder.
static bool surrounds(const cn_bodies *b, int s, cn_vec3 point, cn_vec3 outward)
{
    bool is_hollow =
        b->dim == 3 ? cn_solid_is_hollow(&b->solid[s]) : b->shape[s].kind == CN_SHAPE_HOLLOW_DISK;
    if (!is_hollow) {
        return false;
    }
    if (b->dim == 3) {
        cn_posed3 posed = cn_body_posed3_mid(b, s);
        return cn_posed3_surrounds(&posed, point, outward);
    }
    cn_posed posed = cn_body_posed_mid(b, s);
    cn_vec2 inward = cn_sub2(cn_posed_vertex(&posed, 0), cn_v2(point.x, point.y));
    return cn_dot2(cn_v2(outward.x, outward.y), inward) > 0.0;
}

static bool is_concave(const cn_bodies *b, const cn_contact *x)
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
    return surrounds(b, cn_feature_shape_j(b, x->j, x->feature), point, n) ||
           surrounds(b, cn_feature_shape_i(b, x->i, x->feature), point, cn_neg3(n));
}

cn_law_input cn_contact_law_input(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    return (cn_law_input){.h = c->h,
                          .theta = c->theta,
                          .gamma = c->gamma,
                          .rows = c->d,
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

static size_t row_count(const cn_contacts *c)
{
    return (size_t)c->d * (size_t)c->count + (size_t)c->guest_rows;
}

cn_status cn_contact_need_compliance(cn_contacts *c, cn_error *err)
{
    if (!c->has_c) {
        CN_TRY(cn_reserve(c->hooks, &c->c, &c->c_capacity, row_count(c), err));
        memset(c->c, 0, sizeof(double) * row_count(c));
        c->has_c = true;
    }
    return CN_OK;
}

// Stores a core by member; memory for compliance and offset is taken when a law first asks for it.
static cn_status store_core(cn_contacts *c, int a, const cn_core *core, cn_error *err)
{
    bool has_c = false, has_r0 = false;
    for (int k = 0; k < c->d; k++) {
        has_c = has_c || core->c[k] != 0.0;
        has_r0 = has_r0 || core->r0[k] != 0.0;
    }
    if (has_c) {
        CN_TRY(cn_contact_need_compliance(c, err));
    }
    if (has_r0 && !c->has_r0) {
        CN_TRY(cn_reserve(c->hooks, &c->r0, &c->r0_capacity, row_count(c), err));
        memset(c->r0, 0, sizeof(double) * row_count(c));
        c->has_r0 = true;
    }
    c->kind[a] = (unsigned char)core->kind;
    c->mu[a] = core->mu;
    for (int k = 0; k < c->d; k++) {
        int row = c->d * a + k;
        c->b[row] = core->b[k];
        if (c->has_c) {
            c->c[row] = core->c[k];
        }
        if (c->has_r0) {
            c->r0[row] = core->r0[k];
        }
    }
    return CN_OK;
}

static cn_status prepare_contact(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a,
                                 cn_error *err)
{
    cn_contact *x = &c->contact[a];
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
    int d = c->d, block = d * b->kind->dof;
    for (int a = 0; a < c->count; a++) {
        cn_contact *x = &c->contact[a];
        double H_i[ROWS_MAX], H_j[ROWS_MAX];
        rows_of(c, b, a, H_i, H_j);
        c->row_start[a] = d * a;
        relative_velocity(b, x, H_i, H_j, b->v, x->u_before);
        CN_TRY(prepare_contact(c, b, law, a, err));
        relative_velocity(b, x, H_i, H_j, b->v_free, c->u_free + d * a); // (4.4)
        first_guess(c, a, h, c->r + d * a);
        c->body[2 * a] = cn_body_is_held(b, x->i) ? -1 : x->i;
        c->body[2 * a + 1] = cn_body_is_held(b, x->j) ? -1 : x->j;
        c->block_start[2 * a] = 2 * block * a;
        c->block_start[2 * a + 1] = 2 * block * a + block;
        int root_size = b->kind->root_size;
        b->kind->scale(b->root + root_size * x->i, d, H_i, 1.0, c->G + 2 * block * a); // (4.6)
        b->kind->scale(b->root + root_size * x->j, d, H_j, -1.0, c->G + 2 * block * a + block);
    }
    c->row_start[c->count] = d * c->count;
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
    int dof = b->kind->dof, d = c->d;
    for (int k = 0; k < dof * b->count; k++) {
        b->v[k] = b->v_free[k];
    }
    for (int a = 0; a < p->contact_count; a++) {
        int row = p->row_start[a], rows = p->row_start[a + 1] - row;
        for (int side = 0; side < 2 && c->kind[a] != CN_CORE_FREE; side++) {
            int body = p->W.factors.body[2 * a + side];
            if (body >= 0) {
                b->kind->apply(b->root + b->kind->root_size * body, rows,
                               c->G + c->block_start[2 * a + side], c->r + row, b->v + dof * body);
            }
        }
    }
    for (int k = 0; k < dof * b->count; k++) {
        b->v_solved[k] = b->v[k];
    }
    for (int a = 0; a < c->count; a++) {
        cn_contact *x = &c->contact[a];
        double H_i[ROWS_MAX], H_j[ROWS_MAX];
        rows_of(c, b, a, H_i, H_j);
        relative_velocity(b, x, H_i, H_j, b->v, x->u);
        for (int k = 0; k < d; k++) {
            x->r[k] = c->r[d * a + k];
        }
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
        cn_axes frame = cn_contact_axes(x, c->d);
        cn_vec3 r = cn_mul3(x->r[0], frame.axis[0]);
        for (int k = 1; k < c->d; k++) {
            r = cn_add_mul3(r, x->r[k], frame.axis[k]);
        }
        c->memory[a] = (cn_memory){.pair = x->pair,
                                   .feature = x->feature,
                                   .r = {r.x, r.y, r.z},
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
