// body/deformable/newton_step.c -- one step of deformable bodies: linearization, free velocity,
// iterations, update. Theory 11.1 to 11.10.
//
// A step looks for v+ with M (v+ - v) = h (F - f - C v_theta) + H r. It is linearized at a guess:
// the old velocity first, then, for what is not linear, the last iterate. What is linear is in
// balance after one solve. Nothing of the state at t is written until a step is accepted.
//
// Bodies do not know of each other and are shared by threads. What they share is the factor of
// equal linear ones: it is made by one thread, and large ones, which have work arrays, are used by
// one.
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/tasks.h"
#include "body/deformable/deformable.h"
#include "body/deformable/quasi_static.h"

// Shares of fictitious mass that are tried where a quasi-static matrix is not positive definite.
static const double SHIFT_LEAST = 1e-4, SHIFT_MOST = 100.0;

// Before that, what is left out of negative eigenvalues of elements grows by this. Pressure makes
// turning and buckling ways to gain energy, until contacts are heard.
static const double CONVEX_STEP = 0.5;

// A += factor M.
static void add_mass(const cn_deformable_work *p, double factor, double *A)
{
    const int *start = p->model->fem->col_start, *row = p->model->fem->row;
    for (int column = 0; column < p->n; column++) {
        for (int k = start[column]; k < start[column + 1]; k++) {
            if (p->model->M != NULL) {
                A[k] += factor * p->model->M[k];
            } else if (row[k] == column) {
                A[k] += factor * p->model->fem->mass[column];
            }
        }
    }
}

// A = M + theta h C + theta^2 h^2 K on the pattern of the model (11.3); K may be A.
static void iteration_matrix(const cn_deformables *m, const cn_deformable_work *p, const double *K,
                             double *A)
{
    double h = m->h, theta = m->theta;
    bool has_K = m->settings.tangent != CN_TANGENT_MASS || p->model->fem->is_linear;
    for (int k = 0; k < p->model->fem->entry_count; k++) {
        double sum = has_K ? theta * theta * h * h * K[k] : 0.0;
        A[k] = sum + (p->C != NULL ? theta * h * p->C[k] : 0.0);
    }
    add_mass(p, m->settings.is_quasi_static ? cn_deformable_fictitious_mass(m, p) : 1.0, A);
}

static bool has_own_tangent(const cn_deformables *m, const cn_deformable_work *p)
{
    return !p->model->fem->is_linear && m->settings.tangent == CN_TANGENT_FULL;
}

// The factor that belongs to the step, current or not.
static cn_status choose_factor(cn_deformables *m, int k, const cn_deformable_work *p, cn_error *err)
{
    union { // find only reads it
        const unsigned char *read;
        unsigned char *write;
    } held = {.read = p->held};
    cn_iteration_matrix like = {.model = p->body->model,
                                .owner = has_own_tangent(m, p) ? k : -1,
                                .h = m->h,
                                .theta = m->theta,
                                .is_static = m->settings.is_quasi_static,
                                .is_mass_only = m->settings.tangent == CN_TANGENT_MASS &&
                                                !p->model->fem->is_linear,
                                .held = held.write,
                                .size = p->n,
                                .dim = m->dim};
    if (p->body->factor >= 0 &&
        cn_iteration_matrix_fits(&m->factors.item[p->body->factor], &like)) {
        return CN_OK;
    }
    cn_factors_leave(&m->factors, p->body->factor);
    p->body->factor = -1;
    return cn_factors_find(m->hooks, &m->factors, &like, &p->body->factor, err);
}

// A += factor times what elements lack of being convex at the guess (10.32).
static cn_status add_convex(const cn_deformables *m, const cn_deformable_work *p, double factor,
                            double *A, cn_error *err)
{
    double *x = p->work, *local = p->work + p->n, scale = m->theta * m->theta * m->h * m->h;
    cn_deformable_end_position(m, p, p->v_guess, x);
    cn_deformable_to_model(m, p, x, local);
    const cn_fem_history history = {p->history, p->history_new};
    return cn_fem_convexify(p->model->fem, local, &history, scale * factor, A, err);
}

// Factors A of the body, which is written to the room for a matrix; its tangent K may be there.
static cn_status factorize(cn_deformables *m, const cn_deformable_work *p, const double *K,
                           double *A, cn_error *err)
{
    cn_iteration_matrix *factor = &m->factors.item[p->body->factor];
    iteration_matrix(m, p, K, A);
    p->body->is_refactored = true;
    if (p->body->convex > 0.0) {
        CN_TRY(add_convex(m, p, p->body->convex, A, err));
    }
    cn_status status = cn_iteration_matrix_set(m->hooks, factor, p->model->fem, A, err);
    bool can_be_convex = m->settings.is_quasi_static && has_own_tangent(m, p);
    while (status == CN_BROKEN && can_be_convex && p->body->convex < 1.0) {
        p->body->convex += CONVEX_STEP;
        CN_TRY(add_convex(m, p, CONVEX_STEP, A, err));
        status = cn_iteration_matrix_set(m->hooks, factor, p->model->fem, A, err);
    }
    // What is convex may still be singular: motions that nothing opposes.
    while (status == CN_BROKEN && m->settings.is_quasi_static && p->body->shift < SHIFT_MOST) {
        double mass = cn_deformable_fictitious_mass(m, p);
        p->body->shift = fmax(10.0 * p->body->shift, SHIFT_LEAST);
        add_mass(p, cn_deformable_fictitious_mass(m, p) - mass, A);
        status = cn_iteration_matrix_set(m->hooks, factor, p->model->fem, A, err);
    }
    return status;
}

// Factor and v_free = guess + A^-1 balance (11.3) at the guess, whose force is known; K is its
// tangent, in matrix_room, or NULL: the factor is kept.
static cn_status free_velocity(cn_deformables *m, const cn_deformable_work *p, const double *K,
                               cn_error *err)
{
    cn_iteration_matrix *factor = &m->factors.item[p->body->factor];
    cn_deformable_balance(m, p, p->v_guess, p->v_free);
    if (K != NULL) {
        CN_TRY(factorize(m, p, K, cn_deformable_matrix(p), err));
    }
    CN_TRY(cn_iteration_matrix_solve(factor, p->v_free, p->v_free, err));
    for (int k = 0; k < p->n; k++) {
        p->v_free[k] += p->v_guess[k];
    }
    return CN_OK;
}

// The first guess of a body that is not linear is its old velocity, at driven degrees of freedom,
// too: what these add is spread by the tangent, so that no element takes a jump alone. From here
// on driven ones have their imposed velocity to the bit, and corrections are zero there.
static cn_status add_imposed(cn_deformables *m, const cn_deformable_work *p, cn_error *err)
{
    double *jump = p->work, *push = p->work + p->n, *A = cn_deformable_matrix(p);
    p->body->is_driven = false;
    for (int k = 0; k < p->n; k++) {
        jump[k] = p->held[k] ? p->v_imposed[k] - p->v_guess[k] : 0.0;
        p->body->is_driven = p->body->is_driven || jump[k] != 0.0;
    }
    if (!p->body->is_driven) {
        return CN_OK;
    }
    if (!has_own_tangent(m, p)) { // else it is still there
        iteration_matrix(m, p, p->model->K, A);
    }
    cn_fem_multiply(p->model->fem, A, jump, push);
    for (int k = 0; k < p->n; k++) {
        push[k] = p->held[k] ? 0.0 : -push[k];
    }
    CN_TRY(cn_iteration_matrix_solve(&m->factors.item[p->body->factor], push, push, err));
    for (int k = 0; k < p->n; k++) {
        p->v_free[k] = p->held[k] ? p->v_imposed[k] : p->v_free[k] + push[k];
    }
    return CN_OK;
}

// Largest entry of the balance with contacts, at the velocities v whose force is known (11.6).
static double residual_of(const cn_deformables *m, const cn_deformable_work *p)
{
    double *rest = p->work, worst = 0.0;
    cn_deformable_balance(m, p, p->v, rest);
    for (int k = 0; k < p->n; k++) {
        if (!p->held[k]) {
            double error = fabs(rest[k] + p->impulse[k]);
            worst = error > worst || isnan(error) ? error : worst;
        }
        p->body->scale = fmax(p->body->scale, fabs(p->impulse[k]));
    }
    return worst;
}

// ---- many bodies

typedef cn_status body_job(cn_deformables *m, int k, int slot, cn_error *err);

static bool is_shared_sparse(const cn_deformables *m, int k)
{
    const cn_iteration_matrix *factor = cn_deformable_matrix_of(m, k);
    return factor->owner < 0 && factor->sparse != NULL;
}

static cn_status name_body(cn_status status, const cn_error *why, uint64_t id, cn_error *err)
{
    return cn_fail(err, status, "body %llu: %s", (unsigned long long)id, why->text);
}

// The first body that failed, and why.
typedef struct failure {
    int body;
    cn_status status;
    cn_error why;
} failure;

static void run_job(cn_deformables *m, body_job *job, int k, int slot, failure *first)
{
    cn_error why = {0};
    cn_status status = cn_stop_is_asked(m->stop)
                           ? cn_fail(&why, CN_STOPPED, "stopped on request before it moved")
                           : job(m, k, slot, &why);
    if (status != CN_OK) {
#pragma omp critical(cn_deformables_failed)
        if (k < first->body) {
            *first = (failure){k, status, why};
        }
    }
}

// Does a job for all bodies; each does what it does alone. Large factors that several use are left
// to one thread.
static cn_status for_all(cn_deformables *m, body_job *job, int threads, const uint64_t *id,
                         cn_error *err)
{
    failure first = {.body = INT_MAX};
    CN_SHARED_FOR(threads, (schedule(dynamic, 4)), k, m->count, {
        if (threads == 1 || !is_shared_sparse(m, k)) {
            run_job(m, job, k, threads > 1 ? omp_get_thread_num() : 0, &first);
        }
    });
    for (int k = 0; k < m->count && threads > 1; k++) {
        if (is_shared_sparse(m, k)) {
            run_job(m, job, k, 0, &first);
        }
    }
    return first.status != CN_OK
               ? name_body(first.status, &first.why, id[m->body[first.body].slot], err)
               : CN_OK;
}

// Factors that were made get their numbers in the order of bodies.
static void number_factors(cn_deformables *m)
{
    for (int k = 0; k < m->count; k++) {
        if (m->body[k].is_refactored) {
            cn_deformable_matrix_of(m, k)->number = ++m->factors.factorization_count;
            m->body[k].is_refactored = false;
        }
    }
}

// Forces at the start of the step; bodies with a tangent of their own go on to v_free.
static cn_status start_body(cn_deformables *m, int k, int slot, cn_error *err)
{
    cn_deformable_work p = cn_deformable_work_of(m, k, slot);
    for (int d = 0; d < p.n; d++) {
        p.f[d] += m->weight[m->dof_start[k] + d];
        double v = p.body->is_floating ? 0.0 : p.v[d]; // nearest balance to where it is
        p.v_guess[d] = p.held[d] && p.model->fem->is_linear ? p.v_imposed[d] : v;
        m->x_mid[m->dof_start[k] + d] = p.x[d] + m->gamma * m->h * p.v[d];
        p.impulse[d] = 0.0;
    }
    if (p.body->C != NULL) { // strain rates are those of the present position
        cn_deformable_to_model(m, &p, p.x, p.work);
        CN_TRY(cn_fem_damping(p.model->fem, p.work, p.body->C, err));
    }
    double *K = has_own_tangent(m, &p) ? cn_deformable_matrix(&p) : NULL;
    CN_TRY(cn_deformable_weigh_force(m, &p, p.v_guess, K, err));
    p.body->residual = residual_of(m, &p);
    if (K == NULL) {
        return CN_OK;
    }
    CN_TRY(free_velocity(m, &p, K, err));
    return add_imposed(m, &p, err);
}

// The rest of the start for bodies whose factor is shared.
static cn_status solve_body(cn_deformables *m, int k, int slot, cn_error *err)
{
    cn_deformable_work p = cn_deformable_work_of(m, k, slot);
    if (has_own_tangent(m, &p)) {
        return CN_OK;
    }
    CN_TRY(free_velocity(m, &p, NULL, err));
    return add_imposed(m, &p, err);
}

// Weight, and a factor for every body; those that are used by several and are not current yet are
// made here. *is_warm: no other factor needs memory.
static cn_status choose_factors(cn_deformables *m, const double *gravity, bool *is_warm,
                                const uint64_t *id, cn_error *err)
{
    *is_warm = true;
    for (int k = 0; k < m->count; k++) {
        cn_deformable_work p = cn_deformable_work_of(m, k, 0);
        cn_error why = {0};
        for (int d = 0; d < p.n; d++) {
            m->weight[m->dof_start[k] + d] = p.model->fem->mass[d] * gravity[d % m->dim];
        }
        bool is_floating =
            m->settings.is_quasi_static && cn_deformable_is_floating(p.model, p.held);
        p.body->is_floating = is_floating;
        p.body->shift = is_floating ? CN_LOOSE_SHARE : 0.0;
        p.body->convex = 0.0;
        cn_status status = choose_factor(m, k, &p, &why);
        if (status != CN_OK) {
            return name_body(status, &why, id[p.body->slot], err);
        }
        *is_warm = *is_warm && cn_deformable_matrix_of(m, k)->is_current;
    }
    return CN_OK;
}

// Linear bodies need room for their matrix here only.
static cn_status make_shared_factor(cn_deformables *m, const cn_deformable_work *p, cn_error *err)
{
    double *A = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve(m->hooks, &A, &capacity, (size_t)p->model->fem->entry_count, err));
    cn_status status = factorize(m, p, p->model->K, A, err);
    cn_release(m->hooks, A);
    return status;
}

static cn_status make_shared_factors(cn_deformables *m, const uint64_t *id, cn_error *err)
{
    for (int k = 0; k < m->count; k++) {
        cn_deformable_work p = cn_deformable_work_of(m, k, 0);
        cn_error why = {0};
        bool is_due = !has_own_tangent(m, &p) && !cn_deformable_matrix_of(m, k)->is_current;
        cn_status status = is_due ? make_shared_factor(m, &p, &why) : CN_OK;
        if (status != CN_OK) {
            return name_body(status, &why, id[p.body->slot], err);
        }
    }
    return CN_OK;
}

// Room for vectors of the largest body, and one matrix of those that are not linear.
static cn_status reserve_work(cn_deformables *m, cn_error *err)
{
    size_t most = 0;
    for (int k = 0; k < m->count; k++) {
        const cn_model *model = cn_deformable_model(m, k);
        size_t dofs = (size_t)model->fem->dof_count;
        size_t entries = model->fem->is_linear ? 0 : (size_t)model->fem->entry_count;
        size_t need = 4 * dofs + (entries > dofs ? entries : dofs);
        most = need > most ? need : most;
    }
    m->work_size = (most + 7) / 8 * 8; // threads keep off each other's lines
    int most_threads = m->thread_count < m->count ? m->thread_count : m->count;
    size_t threads = most_threads > 1 ? (size_t)most_threads : 1;
    return cn_reserve(m->hooks, &m->work, &m->capacity.work, threads * m->work_size, err);
}

// Threads for all bodies: none but one while they are few.
static int threads_of(const cn_deformables *m)
{
    enum { DOFS_MIN = 256 };
    int threads = cn_share(m->thread_count, m->dof_start[m->count], DOFS_MIN);
    return threads < m->count ? threads : m->count;
}

static cn_status check_settings(const cn_deformables *m, double theta, cn_error *err)
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

cn_status cn_deformables_free_motion(cn_deformables *m, double h, double theta, double gamma,
                                     const double *gravity, const uint64_t *id, cn_error *err)
{
    CN_TRY(check_settings(m, theta, err));
    CN_TRY(reserve_work(m, err));
    m->h = h;
    m->theta = theta;
    m->gamma = gamma;
    m->iteration_count = 0;
    if (m->count == 0) {
        return CN_OK;
    }
    bool is_warm;
    CN_TRY(choose_factors(m, gravity, &is_warm, id, err));
    CN_TRY(for_all(m, start_body, is_warm ? threads_of(m) : 1, id, err));
    CN_TRY(make_shared_factors(m, id, err));
    CN_TRY(for_all(m, solve_body, threads_of(m), id, err));
    number_factors(m);
    return CN_OK;
}

void cn_deformables_unpush(cn_deformables *m)
{
    for (int k = 0; k < m->count; k++) {
        m->body[k].is_pushed = false;
    }
    if (m->count > 0) {
        memset(m->impulse, 0, sizeof(double) * (size_t)m->dof_start[m->count]);
        memset(m->point_impulse, 0, sizeof(double) * (size_t)m->point_start[m->count]);
    }
}

static cn_status update_body(cn_deformables *m, int k, int slot, cn_error *err)
{
    cn_deformable_work p = cn_deformable_work_of(m, k, slot);
    memcpy(p.v, p.v_free, sizeof(double) * (size_t)p.n);
    if (p.body->is_pushed) {
        for (int d = 0; d < p.n; d++) {
            p.work[d] = p.held[d] ? 0.0 : p.impulse[d];
        }
        CN_TRY(cn_iteration_matrix_solve(&m->factors.item[p.body->factor], p.work, p.work, err));
        for (int d = 0; d < p.n; d++) {
            p.v[d] += p.work[d];
        }
    }
    cn_deformable_end_position(m, &p, p.v, p.x);
    return CN_OK;
}

cn_status cn_deformables_update(cn_deformables *m, const uint64_t *id, cn_error *err)
{
    return m->count > 0 ? for_all(m, update_body, threads_of(m), id, err) : CN_OK;
}

// An iteration that gains this much keeps the factor of the one before: a tangent and its factor
// cost several times what a force costs.
static const double GAIN_KEPT = 0.05;

// Contacts that alone hold a body bring it into balance as far as they are solved: here to a tenth
// of their accuracy.
static double tolerated(const cn_deformables *m, const cn_deformable_work *p)
{
    double tolerance = m->settings.tolerance;
    return p->body->scale *
           (p->body->is_floating ? fmax(tolerance, 0.1 * m->contact_eps) : tolerance);
}

// What a residual may be: its tolerance, or the rounding of internal forces.
static double accepted(const cn_deformables *m, const cn_deformable_work *p)
{
    double rounding = 1e-14 * m->h * p->model->stiffness * p->model->reach;
    return fmax(tolerated(m, p), rounding);
}

// Whether a body is in balance after an iteration that left `now` of the residual `before`. Within
// rounding iterations go on while they gain, and once at least: what the largest force does not
// show of a slender body, a smooth error of its bending, then is gone, and its ledger closes.
static bool is_balanced(const cn_deformables *m, const cn_deformable_work *p, double before,
                        double now)
{
    double most = accepted(m, p);
    bool is_rounding = now <= most && before <= most && (now > 0.5 * before || now <= 0.01 * most);
    bool is_stuck = m->iteration_count > 3 && now >= before && now <= 100.0 * most &&
                    p->body->shift == 0.0 && p->body->convex == 0.0;
    return now <= tolerated(m, p) || is_rounding || is_stuck;
}

// Whether iterations of a body may go on. Where the matrix is not the tangent (11.11) they are
// many, and the residual rises on the way from an equilibrium that is lost to the next one.
static bool may_iterate(const cn_deformables *m, const cn_deformable *body)
{
    enum { MORE = 10 };
    bool is_proximal =
        body->convex > 0.0 || body->shift > (body->is_floating ? CN_LOOSE_SHARE : 0.0);
    return m->iteration_count < (is_proximal ? MORE : 1) * m->settings.iteration_max;
}

static cn_status refine_body(cn_deformables *m, int k, int slot, cn_error *err)
{
    cn_deformable_work p = cn_deformable_work_of(m, k, slot);
    p.body->excess = 0.0;
    CN_TRY(cn_deformable_weigh_force(m, &p, p.v, NULL, err));
    if (p.model->fem->is_linear && !p.body->is_floating) {
        return CN_OK;
    }
    double before = p.body->residual, now = p.body->residual = residual_of(m, &p), share = 1.0;
    if (is_balanced(m, &p, before, now)) {
        return CN_OK;
    }
    p.body->excess = now / accepted(m, &p);
    if (!may_iterate(m, p.body)) {
        return CN_OK; // the force is that of v, for those who accept it
    }
    // The residual before imposed motion was added says nothing of the one after it, and a search
    // would take back a share of that motion: it is never shortened.
    bool is_predictor = p.body->is_driven && m->iteration_count == 1;
    bool is_slow = now > 0.5 * before && !p.model->fem->is_linear && !is_predictor;
    if (is_slow) {
        CN_TRY(cn_deformable_find_share(m, &p, &share, err));
    }
    for (int d = 0; d < p.n; d++) {
        p.v_guess[d] = share < 1.0 ? p.v_guess[d] + share * (p.v[d] - p.v_guess[d]) : p.v[d];
    }
    bool is_kept = now <= GAIN_KEPT * before && !is_predictor;
    double *K = has_own_tangent(m, &p) && !is_kept ? cn_deformable_matrix(&p) : NULL;
    if (K != NULL || is_slow) { // the force of another share may be there
        CN_TRY(cn_deformable_weigh_force(m, &p, p.v_guess, K, err));
    }
    return free_velocity(m, &p, K, err);
}

cn_status cn_deformables_refine(cn_deformables *m, const uint64_t *id, bool *is_done, cn_error *err)
{
    *is_done = true;
    m->excess = 0.0;
    m->iteration_count++;
    if (m->count == 0) {
        return CN_OK;
    }
    CN_TRY(for_all(m, refine_body, threads_of(m), id, err));
    number_factors(m);
    for (int k = 0; k < m->count; k++) {
        double excess = m->body[k].excess;
        *is_done = *is_done && excess == 0.0;
        if (!(excess <= m->excess)) {
            m->excess = excess;
            m->worst = k;
        }
    }
    bool is_last = !may_iterate(m, &m->body[m->worst]);
    *is_done = *is_done || (is_last && m->excess <= 1.0);
    if (!*is_done && (is_last || isnan(m->excess))) {
        return cn_fail(
            err, CN_BROKEN,
            "body %llu: Newton's method does not converge, after %d iterations the "
            "balance is %g times what is accepted; %s",
            (unsigned long long)id[m->body[m->worst].slot], m->iteration_count, m->excess,
            m->body[m->worst].is_floating
                ? "it is quasi-static, and nothing it touches may carry its load, or its "
                  "load may buckle it: give it inertia"
                : "take a smaller time step");
    }
    return CN_OK;
}

cn_status cn_deformables_check_rotation(const cn_deformables *m, const uint64_t *id, cn_error *err)
{
    const double TURNED = 0.5; // cosine of 60 degrees
    for (int k = 0; m->settings.is_quasi_static && k < m->count; k++) {
        const double *x = cn_deformable_is_pseudo_rigid(m, k) ? m->point_x + m->point_start[k]
                                                              : m->x + m->dof_start[k];
        double cosine = cn_skin_turn(&cn_deformable_model(m, k)->skin, x,
                                     m->facet_normal + m->dim * m->facet_start[k]);
        if (cosine < TURNED) {
            return cn_fail(err, CN_BROKEN,
                           "body %llu: its surface turns by %.0f degrees within a quasi-static "
                           "step, past what contacts are looked for; it may have lost an "
                           "equilibrium: take a smaller time step or give it inertia",
                           (unsigned long long)id[m->body[k].slot],
                           acos(fmax(cosine, -1.0)) * 180.0 / CN_PI);
        }
    }
    return CN_OK;
}

void cn_deformables_begin(cn_deformables *m)
{
    if (m->count > 0) {
        size_t size = sizeof(double) * (size_t)m->dof_start[m->count];
        memcpy(m->x_before, m->x, size);
        memcpy(m->v_before, m->v, size);
    }
}

void cn_deformables_restore(cn_deformables *m)
{
    if (m->count > 0) {
        size_t size = sizeof(double) * (size_t)m->dof_start[m->count];
        memcpy(m->x, m->x_before, size);
        memcpy(m->v, m->v_before, size);
    }
}

void cn_deformables_commit(cn_deformables *m)
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

cn_status cn_deformables_refresh(cn_deformables *m, int from, cn_error *err)
{
    CN_TRY(reserve_work(m, err));
    for (int k = from; k < m->count; k++) {
        cn_deformable_work p = cn_deformable_work_of(m, k, 0);
        cn_fem_energy found;
        CN_TRY(cn_deformable_internal_force(m, &p, p.x, p.force_before, NULL, &found, err));
        *p.energy = found.stored;
    }
    return CN_OK;
}

void cn_deformables_place(cn_deformables *m, double dt)
{
    for (int k = 0; m->count > 0 && k < m->dof_start[m->count]; k++) {
        m->x_mid[k] = m->x[k] + dt * m->v[k];
        m->v_free[k] = m->v[k];
    }
}
