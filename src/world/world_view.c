// world/world_view.c -- read-only access to a world.
#include <math.h>
#include <string.h>

#include "world/world.h"

const char *cn_stage_name(cn_stage stage)
{
    static const char *const name[CN_STAGE_COUNT] = {"load",    "free",  "broad",  "narrow",
                                                     "contact", "solve", "update", "audit"};
    return (unsigned)stage < CN_STAGE_COUNT ? name[stage] : "unknown";
}

static unsigned cell_axes(const cn_cell *c)
{
    unsigned axes = 0;
    for (int d = 0; d < 3 && c->is_there; d++) {
        axes |= c->is_periodic[d] ? 1u << d : 0u;
    }
    return axes;
}

cn_view cn_world_view(const cn_world *w)
{
    if (w == NULL) {
        return (cn_view){0};
    }
    const cn_bodies *b = &w->bodies;
    return (cn_view){
        .time = w->t,
        .step = w->step,
        .dim = b->dim,
        .body_count = b->count,
        .id = b->id,
        .group = b->group,
        .fixed = b->held,
        .mass = b->mass,
        .inertia = b->inertia,
        .size = b->size,
        .q = b->q,
        .v = b->v,
        .shape_start = b->shape_start,
        .shape = b->shape_def,
        .solid = b->solid_def,
        .contact_count = w->contacts.count,
        .contact = w->contacts.contact,
        .state_start = w->contacts.state_start,
        .state = w->contacts.memory_state,
        .cell = w->cell.is_there ? w->cell.C : NULL,
        .cell_axes = cell_axes(&w->cell),
        .joint_count = w->joints.count,
        .joint = w->joints.state,
        .ledger = &w->ledger,
        .certificate = &w->certificate,
        .seconds = w->seconds,
        .processor_seconds = w->processor_seconds,
    };
}

cn_status cn_world_problem(const cn_world *w, cn_problem *problem, const double **guess,
                           cn_error *err)
{
    CN_NEED(err, w, problem);
    if (w->problem.row_start == NULL || cn_solver_guess(w->solver) == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "no step was made yet: there is no contact problem");
    }
    *problem = cn_solver_problem(w->solver, &w->problem);
    if (guess != NULL) {
        *guess = cn_solver_guess(w->solver);
    }
    return CN_OK;
}

void cn_contact_impulse(const cn_contact *contact, int dim, double impulse[3])
{
    if (contact == NULL || impulse == NULL) {
        return;
    }
    cn_axes axes = cn_contact_axes(contact, dim);
    cn_vec3 r = cn_mul3(contact->r[0], axes.axis[0]);
    for (int k = 1; k < dim; k++) {
        r = cn_add_mul3(r, contact->r[k], axes.axis[k]);
    }
    memcpy(impulse, (double[3]){r.x, r.y, r.z}, 3 * sizeof *impulse);
}

void cn_world_moment(const cn_world *w, int a, double moment[3])
{
    if (w == NULL || moment == NULL || a < 0 || a >= w->contacts.count) {
        return;
    }
    const cn_contacts *c = &w->contacts;
    const cn_law_entry *law = &w->law[c->contact[a].law];
    bool is_kept = law->type.state_count > law->law->type.state_count &&
                   c->state_start[a + 1] - c->state_start[a] == law->type.state_count;
    for (int k = 0; k < 3; k++) {
        moment[k] = is_kept ? c->memory_state[c->state_start[a + 1] - 3 + k] : 0.0;
    }
}

// Whether row k of contact a is tied to the normal one: friction that slides, a moment at its
// bound.
static bool is_tied(const cn_world *w, int a, int k)
{
    const cn_contacts *c = &w->contacts;
    if (k < c->d) {
        return k > 0 && c->contact[a].status == CN_STATUS_SLIDE;
    }
    const double *r = c->r + c->row_start[a];
    cn_core core = cn_problem_core(&w->problem, a);
    bool is_spin = c->d == 3 && k == 5;
    is_spin = is_spin || (c->d == 3 && cn_contact_row_count(c, a) == 4);
    double bound = (is_spin ? core.mu_spin : core.mu_roll) * r[0];
    double size = c->d == 2 || is_spin ? fabs(r[k]) : hypot(r[3], r[4]);
    return size >= bound * (1.0 - 1e-9);
}

// Column k of G as a dense vector of all degrees of freedom, with what is tied to it.
static void fill_column(const cn_world *w, int a, int k, int dofs, double *column)
{
    const cn_contacts *c = &w->contacts;
    const double *r = c->r + c->row_start[a];
    int rows = cn_contact_row_count(c, a);
    const int *dof_start = w->problem.W.factors.dof_start;
    memset(column, 0, sizeof(double) * (size_t)dofs);
    for (int t = k; t < (k == 0 ? rows : k + 1); t++) {
        double part = t == k ? 1.0 : (is_tied(w, a, t) && r[0] > 0.0 ? r[t] / r[0] : 0.0);
        for (int side = 0; side < 2; side++) {
            int body = c->body[2 * a + side];
            double room[CN_BLOCK_ROOM];
            const double *G = cn_problem_factor(&w->problem, a, side, room);
            int dof = body < 0 ? 0 : dof_start[body + 1] - dof_start[body];
            for (int d = 0; d < dof; d++) {
                column[dof_start[body] + d] += part * G[dof * t + d];
            }
        }
    }
}

// Whether row k of joint n chose its impulse: not a slack cable, a stop that is not reached nor a
// motor at its limit.
static bool is_joint_row_active(const cn_joints *joints, int n, int k)
{
    const cn_link *link = &joints->link[n];
    const cn_link_step *s = &joints->step[n];
    if (k >= link->rows && !cn_link_is_stop(link, k)) {
        double arm = link->row[k].is_spin ? link->arm : 1.0;
        return fabs(s->r[k]) * arm < link->motor_limit * joints->h;
    }
    return !cn_link_is_one_sided(link, k) || s->r[k] > 0.0;
}

// The same for row k of joint n.
static void fill_joint_column(const cn_world *w, int n, int k, int dofs, double *column)
{
    const cn_link *link = &w->joints.link[n];
    int a = cn_link_constraint(link, &w->joints.step[n], k);
    const int *dof_start = w->problem.W.factors.dof_start;
    memset(column, 0, sizeof(double) * (size_t)dofs);
    for (int side = 0; side < 2; side++) {
        double room[CN_BLOCK_ROOM];
        int dof = cn_factor_dof(&w->problem, a, side);
        const double *G = cn_problem_factor(&w->problem, a, side, room);
        for (int d = 0; d < dof; d++) {
            column[dof_start[w->contacts.body[2 * a + side]] + d] +=
                G[dof * (k < link->rows ? k : 0) + d];
        }
    }
}

// Orthogonalises column n against the earlier ones, twice; returns whether it is independent.
static bool is_independent(double *basis, int rank, double *column, int dofs)
{
    double before = 0.0, after = 0.0;
    for (int d = 0; d < dofs; d++) {
        before += column[d] * column[d];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int m = 0; m < rank; m++) {
            const double *e = basis + (size_t)m * (size_t)dofs;
            double dot = 0.0;
            for (int d = 0; d < dofs; d++) {
                dot += e[d] * column[d];
            }
            for (int d = 0; d < dofs; d++) {
                column[d] -= dot * e[d];
            }
        }
    }
    for (int d = 0; d < dofs; d++) {
        after += column[d] * column[d];
    }
    if (!(after > 1e-18 * before)) {
        return false;
    }
    for (int d = 0; d < dofs; d++) {
        basis[(size_t)rank * (size_t)dofs + (size_t)d] = column[d] / sqrt(after);
    }
    return true;
}

cn_status cn_world_indeterminate(const cn_world *w, int *nullity, cn_error *err)
{
    CN_NEED(err, w, nullity);
    const cn_factors *f = &w->problem.W.factors;
    int dofs = f->body_count > 0 ? f->dof_start[f->body_count] : 0;
    if (dofs > 6000 || w->problem.W.rows.row != NULL) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "the nullity is computed for up to %d rigid or small deformable bodies, this "
            "world has %d bodies",
            6000 / w->bodies.kind->dof, w->bodies.count);
    }
    double *basis =
        cn_resize(&w->hooks, NULL, sizeof(double) * (size_t)(dofs + 1) * (size_t)(dofs + 1));
    if (basis == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the nullity of %d bodies",
                       w->bodies.count);
    }
    double *column = basis + (size_t)dofs * (size_t)dofs;
    int rank = 0, columns = 0;
    for (int a = 0; a < w->contacts.count; a++) {
        bool is_open = w->contacts.contact[a].status == CN_STATUS_OPEN;
        int rows = is_open ? 0 : cn_contact_row_count(&w->contacts, a);
        for (int k = 0; k < rows; k++) {
            if (is_tied(w, a, k)) {
                continue;
            }
            fill_column(w, a, k, dofs, column);
            rank += rank < dofs && is_independent(basis, rank, column, dofs);
            columns++;
        }
    }
    for (int n = 0; n < w->joints.count; n++) {
        const cn_link *link = &w->joints.link[n];
        int rows = w->joints.step[n].constraint < 0 ? 0 : cn_link_all_rows(link);
        for (int k = 0; k < rows; k++) {
            if (is_joint_row_active(&w->joints, n, k)) {
                fill_joint_column(w, n, k, dofs, column);
                rank += rank < dofs && is_independent(basis, rank, column, dofs);
                columns++;
            }
        }
    }
    cn_release(&w->hooks, basis);
    *nullity = columns - rank;
    return CN_OK;
}
