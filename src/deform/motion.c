// deform/motion.c -- one step of deformable bodies: linearization, free velocity, balance, update.
// Theory 11.1 to 11.9.
//
// A step looks for v+ with M (v+ - v) = h (F - f - C v_theta) + H r. It is linearized at a guess:
// the old velocity first, then, for what is not linear, the last iterate. What is linear is in
// balance after one solve. Nothing of the state at t is written until a step is accepted.
#include <math.h>
#include <string.h>

#include "deform/meshes.h"

// Views of the arrays of one body.
typedef struct part {
    int n;
    const cn_model *model;
    cn_deformable *body;
    double *x, *v, *f, *v_imposed, *v_free, *v_guess, *x_before, *v_before, *force_before, *force;
    double *force_new, *impulse, *energy;
    const unsigned char *held;
    const double *history;
    double *history_new;
    const double *C; // damping, NULL: none
    double *work;    // 4 n, then room for one matrix
} part;

static part part_of(cn_meshes *m, int k)
{
    int at = m->dof_start[k];
    return (part){.n = cn_mesh_dof(m, k),
                  .model = cn_mesh_model(m, k),
                  .body = &m->body[k],
                  .x = m->x + at,
                  .v = m->v + at,
                  .f = m->f + at,
                  .v_imposed = m->v_imposed + at,
                  .v_free = m->v_free + at,
                  .v_guess = m->v_guess + at,
                  .x_before = m->x_before + at,
                  .v_before = m->v_before + at,
                  .force_before = m->force_before + at,
                  .force = m->force + at,
                  .force_new = m->force_new + at,
                  .impulse = m->impulse + at,
                  .energy = &m->energy[k],
                  .held = m->held + at,
                  .history = m->history + m->history_start[k],
                  .history_new = m->history_new + m->history_start[k],
                  .C = m->body[k].C != NULL ? m->body[k].C : cn_mesh_model(m, k)->C,
                  .work = m->work};
}

static double *matrix_room(const part *p)
{
    return p->work + 4 * p->n;
}

// Position where velocities v take the body by the end of the step (3.1).
static void end_position(const cn_meshes *m, const part *p, const double *v, double *x)
{
    for (int k = 0; k < p->n; k++) {
        x[k] = p->x_before[k] + m->h * ((1.0 - m->theta) * p->v_before[k] + m->theta * v[k]);
    }
}

// Positions in the axes of the model.
static void to_model(const cn_meshes *m, const part *p, const double *x, double *local)
{
    for (int k = 0; k < p->n; k++) {
        local[k] = x[k] - p->body->at[k % m->dim];
    }
}

// Displacements from the model, less that of the first node: the stiffness of a body does not see
// it where it is moved as a whole, and rounding would. About an axis radii cannot be shifted.
static void relative_displacements(const cn_fem *fem, int dim, double *local)
{
    double first[3] = {0.0, 0.0, 0.0};
    for (int d = fem->plane == CN_AXISYMMETRIC ? 1 : 0; d < dim; d++) {
        first[d] = local[d] - fem->X[d];
    }
    for (int k = 0; k < fem->dof_count; k++) {
        local[k] -= fem->X[k] + first[k % dim];
    }
}

// Internal force and stored energy at x; K may be NULL.
static cn_status internal_force(const cn_meshes *m, const part *p, const double *x, double *f,
                                double *K, double *energy, double *plastic, cn_error *err)
{
    double *local = p->work + 3 * p->n;
    to_model(m, p, x, local);
    if (p->model->fem->is_linear) {
        relative_displacements(p->model->fem, m->dim, local);
        cn_fem_multiply(p->model->fem, p->model->K, local, f);
        *energy = *plastic = 0.0;
        for (int k = 0; k < p->n; k++) {
            *energy += 0.5 * local[k] * f[k];
        }
        return CN_OK;
    }
    cn_fem_energy found = {0};
    CN_TRY(cn_fem_force(p->model->fem, local, p->history, p->history_new, f, K, &found, err));
    *energy = found.stored;
    *plastic = found.plastic;
    return CN_OK;
}

// Internal force that does the work of the stored energy between x_before and x (11.8).
static cn_status conserving_force(const cn_meshes *m, const part *p, const double *x, double *K,
                                  cn_error *err)
{
    double *x_0 = p->work + p->n, *x_1 = p->work + 2 * p->n;
    cn_fem_energy found = {0};
    to_model(m, p, p->x_before, x_0);
    to_model(m, p, x, x_1);
    CN_TRY(cn_fem_force_between(p->model->fem, x_0, x_1, p->force, K, &found, err));
    memcpy(p->force_new, p->force, sizeof(double) * (size_t)p->n);
    p->body->energy_new = found.stored;
    p->body->plastic = 0.0;
    return CN_OK;
}

// Internal force of the step that ends with the velocities v (11.2), and the tangent.
static cn_status weigh_force(const cn_meshes *m, const part *p, const double *v, double *K,
                             cn_error *err)
{
    double *x = p->work;
    end_position(m, p, v, x);
    if (m->settings.is_conserving && !p->model->fem->is_linear) {
        return conserving_force(m, p, x, K, err);
    }
    CN_TRY(internal_force(m, p, x, p->force_new, K, &p->body->energy_new, &p->body->plastic, err));
    for (int k = 0; k < p->n; k++) {
        p->force[k] = (1.0 - m->theta) * p->force_before[k] + m->theta * p->force_new[k];
    }
    return CN_OK;
}

// y = M x.
static void multiply_mass(const cn_model *model, int n, const double *x, double *y)
{
    if (model->M != NULL) {
        cn_fem_multiply(model->fem, model->M, x, y);
        return;
    }
    for (int k = 0; k < n; k++) {
        y[k] = model->fem->mass[k] * x[k];
    }
}

// Balance of impulses without contacts when the step ends with the velocities v (11.3), zero at
// held degrees of freedom; and the largest of its terms.
static void balance(const cn_meshes *m, const part *p, const double *v, double *rest)
{
    double *change = p->work + p->n, *inertia = p->work + 2 * p->n, *viscous = p->work + 3 * p->n;
    double theta = m->theta;
    memset(inertia, 0, sizeof(double) * (size_t)p->n);
    memset(viscous, 0, sizeof(double) * (size_t)p->n);
    if (p->C != NULL) {
        for (int k = 0; k < p->n; k++) {
            change[k] = theta * v[k] + (1.0 - theta) * p->v_before[k];
        }
        cn_fem_multiply(p->model->fem, p->C, change, viscous);
    }
    if (!m->settings.is_quasi_static) {
        for (int k = 0; k < p->n; k++) {
            change[k] = v[k] - p->v_before[k];
        }
        multiply_mass(p->model, p->n, change, inertia);
    }
    double scale = 0.0;
    for (int k = 0; k < p->n; k++) {
        double load = m->h * p->f[k], stress = m->h * p->force[k], drag = m->h * viscous[k];
        rest[k] = p->held[k] ? 0.0 : load - stress - drag - inertia[k];
        scale =
            fmax(scale, fmax(fmax(fabs(load), fabs(stress)), fmax(fabs(drag), fabs(inertia[k]))));
    }
    p->body->scale = scale;
}

// A = M + theta h C + theta^2 h^2 K on the pattern of the model (11.3); K may be A.
static void iteration_matrix(const cn_meshes *m, const part *p, const double *K, double *A)
{
    const int *start = p->model->fem->col_start, *row = p->model->fem->row;
    double h = m->h, theta = m->theta;
    bool has_K = m->settings.tangent != CN_TANGENT_MASS || p->model->fem->is_linear;
    bool has_M = !m->settings.is_quasi_static;
    for (int column = 0; column < p->n; column++) {
        for (int k = start[column]; k < start[column + 1]; k++) {
            double sum = has_K ? theta * theta * h * h * K[k] : 0.0;
            sum += p->C != NULL ? theta * h * p->C[k] : 0.0;
            if (has_M && p->model->M != NULL) {
                sum += p->model->M[k];
            } else if (has_M && row[k] == column) {
                sum += p->model->fem->mass[column];
            }
            A[k] = sum;
        }
    }
}

static bool has_own_tangent(const cn_meshes *m, const part *p)
{
    return !p->model->fem->is_linear && m->settings.tangent == CN_TANGENT_FULL;
}

// The factor that belongs to the step, current or not.
static cn_status choose_factor(cn_meshes *m, int k, const part *p, cn_error *err)
{
    union { // find only reads it
        const unsigned char *read;
        unsigned char *write;
    } held = {.read = p->held};
    cn_mesh_factor like = {.model = p->body->model,
                           .owner = has_own_tangent(m, p) ? k : -1,
                           .h = m->h,
                           .theta = m->theta,
                           .is_static = m->settings.is_quasi_static,
                           .is_mass_only =
                               m->settings.tangent == CN_TANGENT_MASS && !p->model->fem->is_linear,
                           .held = held.write,
                           .size = p->n,
                           .dim = m->dim};
    if (p->body->factor >= 0 && cn_mesh_factor_fits(&m->factors.item[p->body->factor], &like)) {
        return CN_OK;
    }
    cn_factors_leave(&m->factors, p->body->factor);
    p->body->factor = -1;
    return cn_factors_find(m->hooks, &m->factors, &like, &p->body->factor, err);
}

// Factor and v_free = guess + A^-1 balance (11.3) at the guess, whose force is known; K is its
// tangent, in matrix_room, or NULL.
static cn_status free_velocity(cn_meshes *m, const part *p, const double *K, cn_error *err)
{
    cn_mesh_factor *factor = &m->factors.item[p->body->factor];
    balance(m, p, p->v_guess, p->v_free);
    if (K != NULL || !factor->is_current) {
        double *A = matrix_room(p);
        iteration_matrix(m, p, K != NULL ? K : p->model->K, A);
        CN_TRY(cn_mesh_factor_set(m->hooks, factor, p->model->fem, A, err));
        factor->number = ++m->factors.factorization_count;
    }
    CN_TRY(cn_mesh_factor_solve(factor, p->v_free, p->v_free, err));
    for (int k = 0; k < p->n; k++) {
        p->v_free[k] += p->v_guess[k];
    }
    return CN_OK;
}

// The first guess of a body that is not linear is its old velocity, at driven degrees of freedom,
// too: what these add is spread by the tangent, so that no element takes a jump alone.
static cn_status add_imposed(cn_meshes *m, const part *p, cn_error *err)
{
    double *jump = p->work, *push = p->work + p->n, *A = matrix_room(p);
    bool is_driven = false;
    for (int k = 0; k < p->n; k++) {
        jump[k] = p->held[k] ? p->v_imposed[k] - p->v_guess[k] : 0.0;
        is_driven = is_driven || jump[k] != 0.0;
    }
    if (!is_driven) {
        return CN_OK;
    }
    if (!has_own_tangent(m, p)) { // else it is still there
        iteration_matrix(m, p, p->model->K, A);
    }
    cn_fem_multiply(p->model->fem, A, jump, push);
    for (int k = 0; k < p->n; k++) {
        push[k] = p->held[k] ? 0.0 : -push[k];
    }
    CN_TRY(cn_mesh_factor_solve(&m->factors.item[p->body->factor], push, push, err));
    for (int k = 0; k < p->n; k++) {
        p->v_free[k] += push[k] + jump[k];
    }
    return CN_OK;
}

// Largest entry of the balance with contacts, at the velocities v whose force is known (11.6).
static double residual_of(const cn_meshes *m, const part *p)
{
    double *rest = p->work, worst = 0.0;
    balance(m, p, p->v, rest);
    for (int k = 0; k < p->n; k++) {
        if (!p->held[k]) {
            double error = fabs(rest[k] + p->impulse[k]);
            worst = error > worst || isnan(error) ? error : worst;
        }
        p->body->scale = fmax(p->body->scale, fabs(p->impulse[k]));
    }
    return worst;
}

static cn_status start_body(cn_meshes *m, int k, const double *gravity, cn_error *err)
{
    part p = part_of(m, k);
    for (int d = 0; d < p.n; d++) {
        m->weight[m->dof_start[k] + d] = p.model->fem->mass[d] * gravity[d % m->dim];
        p.f[d] += m->weight[m->dof_start[k] + d];
        p.v_guess[d] = p.held[d] && p.model->fem->is_linear ? p.v_imposed[d] : p.v[d];
        m->x_mid[m->dof_start[k] + d] = p.x[d] + m->gamma * m->h * p.v[d];
        p.impulse[d] = 0.0;
    }
    p.body->is_pushed = false;
    CN_TRY(choose_factor(m, k, &p, err));
    if (p.body->C != NULL) { // strain rates are those of the present position
        to_model(m, &p, p.x, p.work);
        CN_TRY(cn_fem_damping(p.model->fem, p.work, p.body->C, err));
    }
    double *K = has_own_tangent(m, &p) ? matrix_room(&p) : NULL;
    CN_TRY(weigh_force(m, &p, p.v_guess, K, err));
    p.body->residual = residual_of(m, &p);
    CN_TRY(free_velocity(m, &p, K, err));
    return add_imposed(m, &p, err);
}

// Room for vectors and one matrix of the largest body.
static cn_status reserve_work(cn_meshes *m, cn_error *err)
{
    size_t most = 0;
    for (int k = 0; k < m->count; k++) {
        const cn_model *model = cn_mesh_model(m, k);
        size_t dofs = (size_t)model->fem->dof_count;
        size_t need = 4 * dofs + fmax(model->fem->entry_count, dofs);
        most = need > most ? need : most;
    }
    return cn_reserve(m->hooks, &m->work, &m->capacity[31], most, err);
}

static cn_status name_body(cn_status status, const cn_error *why, uint64_t id, cn_error *err)
{
    return cn_fail(err, status, "body %llu: %s", (unsigned long long)id, why->text);
}

static cn_status check_settings(const cn_meshes *m, double theta, cn_error *err)
{
    if (m->settings.is_quasi_static && theta != 1.0) {
        return cn_fail(err, CN_BAD_INPUT, "quasi-static deformable bodies need theta = 1, it is %g",
                       theta);
    }
    if (m->settings.is_conserving && theta != 0.5) {
        return cn_fail(err, CN_BAD_INPUT,
                       "energy-conserving deformable bodies need theta = 0.5, it is %g", theta);
    }
    return CN_OK;
}

cn_status cn_meshes_free_motion(cn_meshes *m, double h, double theta, double gamma,
                                const double *gravity, const uint64_t *id, cn_error *err)
{
    CN_TRY(check_settings(m, theta, err));
    CN_TRY(reserve_work(m, err));
    m->h = h;
    m->theta = theta;
    m->gamma = gamma;
    m->iteration_count = 0;
    for (int k = 0; k < m->count; k++) {
        cn_error why = {0};
        cn_status status = start_body(m, k, gravity, &why);
        if (status != CN_OK) {
            return name_body(status, &why, id[m->body[k].slot], err);
        }
    }
    return CN_OK;
}

void cn_meshes_unpush(cn_meshes *m)
{
    for (int k = 0; k < m->count; k++) {
        m->body[k].is_pushed = false;
    }
    if (m->count > 0) {
        memset(m->impulse, 0, sizeof(double) * (size_t)m->dof_start[m->count]);
        memset(m->point_impulse, 0, sizeof(double) * (size_t)m->point_start[m->count]);
    }
}

cn_status cn_meshes_update(cn_meshes *m, cn_error *err)
{
    for (int k = 0; k < m->count; k++) {
        part p = part_of(m, k);
        memcpy(p.v, p.v_free, sizeof(double) * (size_t)p.n);
        if (p.body->is_pushed) {
            for (int d = 0; d < p.n; d++) {
                p.work[d] = p.held[d] ? 0.0 : p.impulse[d];
            }
            CN_TRY(cn_mesh_factor_solve(&m->factors.item[p.body->factor], p.work, p.work, err));
            for (int d = 0; d < p.n; d++) {
                p.v[d] += p.work[d];
            }
        }
        end_position(m, &p, p.v, p.x);
    }
    return CN_OK;
}

// An iteration that gains this much keeps the factor of the one before: a tangent and its factor
// cost several times what a force costs.
static const double GAIN_KEPT = 0.05;

// What a residual may be: its tolerance, or the rounding of internal forces.
static double accepted(const cn_meshes *m, const part *p)
{
    double rounding = 1e-14 * m->h * p->model->stiffness * p->model->reach;
    return fmax(m->settings.tolerance * p->body->scale, rounding);
}

// Whether a body is in balance after an iteration that left `now` of the residual `before`. Within
// rounding iterations go on while they gain, so that the ledger of slender bodies closes.
static bool is_balanced(const cn_meshes *m, const part *p, double before, double now)
{
    double most = accepted(m, p);
    bool is_rounding = now <= most && now > 0.5 * before;
    bool is_stuck = m->iteration_count > 3 && now >= before && now <= 100.0 * most;
    return now <= fmax(m->settings.tolerance * p->body->scale, 0.01 * most) || is_rounding ||
           is_stuck;
}

static cn_status refine_body(cn_meshes *m, int k, bool *is_done, cn_error *err)
{
    part p = part_of(m, k);
    CN_TRY(weigh_force(m, &p, p.v, NULL, err));
    if (p.model->fem->is_linear) {
        return CN_OK;
    }
    double before = p.body->residual, now = p.body->residual = residual_of(m, &p);
    if (is_balanced(m, &p, before, now)) {
        return CN_OK;
    }
    *is_done = false;
    double excess = now / accepted(m, &p);
    if (!(excess <= m->excess)) {
        m->excess = excess;
        m->worst = k;
    }
    memcpy(p.v_guess, p.v, sizeof(double) * (size_t)p.n);
    double *K = has_own_tangent(m, &p) && !(now <= GAIN_KEPT * before) ? matrix_room(&p) : NULL;
    if (K != NULL) {
        CN_TRY(weigh_force(m, &p, p.v, K, err));
    }
    return free_velocity(m, &p, K, err);
}

cn_status cn_meshes_refine(cn_meshes *m, const uint64_t *id, bool *is_done, cn_error *err)
{
    *is_done = true;
    m->excess = 0.0;
    m->iteration_count++;
    for (int k = 0; k < m->count; k++) {
        cn_error why = {0};
        cn_status status = refine_body(m, k, is_done, &why);
        if (status != CN_OK) {
            return name_body(status, &why, id[m->body[k].slot], err);
        }
    }
    bool is_last = m->iteration_count >= m->settings.iteration_max;
    *is_done = *is_done || (is_last && m->excess <= 1.0);
    if (!*is_done && (is_last || isnan(m->excess))) {
        return cn_fail(err, CN_BROKEN,
                       "body %llu: Newton's method does not converge, after %d iterations the "
                       "balance is %g times what is accepted; take a smaller time step",
                       (unsigned long long)id[m->body[m->worst].slot], m->iteration_count,
                       m->excess);
    }
    return CN_OK;
}

void cn_meshes_begin(cn_meshes *m)
{
    if (m->count > 0) {
        size_t size = sizeof(double) * (size_t)m->dof_start[m->count];
        memcpy(m->x_before, m->x, size);
        memcpy(m->v_before, m->v, size);
    }
}

void cn_meshes_restore(cn_meshes *m)
{
    if (m->count > 0) {
        size_t size = sizeof(double) * (size_t)m->dof_start[m->count];
        memcpy(m->x, m->x_before, size);
        memcpy(m->v, m->v_before, size);
    }
}

void cn_meshes_commit(cn_meshes *m)
{
    if (m->count == 0) {
        return;
    }
    memcpy(m->force_before, m->force_new, sizeof(double) * (size_t)m->dof_start[m->count]);
    memcpy(m->history, m->history_new, sizeof(double) * (size_t)m->history_start[m->count]);
    for (int k = 0; k < m->count; k++) {
        m->energy[k] = m->body[k].energy_new;
    }
}

cn_status cn_meshes_refresh(cn_meshes *m, int from, cn_error *err)
{
    CN_TRY(reserve_work(m, err));
    for (int k = from; k < m->count; k++) {
        part p = part_of(m, k);
        double plastic;
        CN_TRY(internal_force(m, &p, p.x, p.force_before, NULL, p.energy, &plastic, err));
    }
    return CN_OK;
}

void cn_meshes_place(cn_meshes *m, double dt)
{
    for (int k = 0; m->count > 0 && k < m->dof_start[m->count]; k++) {
        m->x_mid[k] = m->x[k] + dt * m->v[k];
        m->v_free[k] = m->v[k];
    }
}

// Energy rows of one body in a step (11.13).
void cn_mesh_audit(cn_meshes *m, int k, cn_mesh_energy *e)
{
    part p = part_of(m, k);
    double *mean = p.work, *change = p.work + p.n, *y = p.work + 2 * p.n, h = m->h;
    double theta = m->theta;
    *e = (cn_mesh_energy){.elastic = p.body->energy_new - *p.energy, .plastic = p.body->plastic};
    for (int d = 0; d < p.n; d++) {
        mean[d] = 0.5 * (p.v[d] + p.v_before[d]);
        change[d] = p.v[d] - p.v_before[d];
    }
    memset(y, 0, sizeof(double) * (size_t)p.n);
    if (!m->settings.is_quasi_static) {
        multiply_mass(p.model, p.n, change, y);
    }
    double *viscous = p.work + 3 * p.n, *dx = matrix_room(&p);
    memset(viscous, 0, sizeof(double) * (size_t)p.n);
    for (int d = 0; d < p.n; d++) {
        dx[d] = h * (mean[d] + (theta - 0.5) * change[d]);
    }
    if (p.C != NULL) {
        cn_fem_multiply(p.model->fem, p.C, dx, viscous); // h C v_theta
    }
    double work = 0.0;
    for (int d = 0; d < p.n; d++) {
        double weight = m->weight[m->dof_start[k] + d], applied = p.f[d] - weight;
        double drag = viscous[d] / h, F = p.f[d] - p.force[d] - drag;
        double missing = y[d] - h * F - p.impulse[d];
        e->kinetic += mean[d] * y[d];
        e->potential -= weight * dx[d];
        e->applied -= applied * dx[d];
        e->viscous += drag * dx[d];
        e->theta += (theta - 0.5) * h * F * change[d];
        work += p.force[d] * dx[d];
        m->reaction[m->dof_start[k] + d] = p.held[d] ? missing : 0.0;
        if (p.held[d]) {
            e->drive -= mean[d] * missing;
        } else {
            e->error += fabs(mean[d] * missing);
        }
    }
    if (p.model->fem->is_linear) {
        cn_fem_multiply(p.model->fem, p.model->K, dx, y);
        for (int d = 0; d < p.n; d++) {
            e->theta += (theta - 0.5) * dx[d] * y[d];
        }
    } else {
        e->internal = work - e->elastic - e->plastic;
    }
}

double cn_mesh_kinetic(cn_meshes *m, int k, const double *v)
{
    part p = part_of(m, k);
    double sum = 0.0;
    const double *own = v + m->dof_start[k];
    multiply_mass(p.model, p.n, own, p.work);
    for (int d = 0; d < p.n && !m->settings.is_quasi_static; d++) {
        sum += 0.5 * own[d] * p.work[d];
    }
    return sum;
}
