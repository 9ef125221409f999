// solve/direct/ipm.c -- interior point with the shift of De Saxce inside the Newton system,
// theory 13.13 to 13.16.
//
// With S = diag(1, mu, mu), z = S^-1 r' and q = S u~ lie in the standard cone |x_t| <= x_n. Both
// stay strictly inside and their products are led to zero together with the residual
//     p = S (u' + s n) - q,    s = mu (sqrt(|u'_t|^2 + eps^2) - eps),   eps^2 = gap w_a
// The smoothing of the shift shrinks with the gap. Over bodies w is an unknown of its own and
// w = G r one of the equations, so that the large entries of E magnify no rounding. A lagged shift
// keeps the matrix symmetric; the exact one needs LU, or Cholesky of the symmetric part and GMRES.
#include "solve/direct/ipm.h"

#include <math.h>
#include <string.h>

#include "solve/direct/active_set_newton.h"

static const double start_size = 100.0; // times the free velocity
static const double to_the_edge = 0.98; // of the step that meets the boundary
static const double centring_least = 1e-3;
static const double edge_share = 1e-2, edge_least = 1e-13, edge_most = 1e-9; // (13.18)
static const double gmres_tol = 1e-8, gmres_tol_predictor = 1e-3;

enum {
    LU_COLUMNS = 48,     // up to so many the unsymmetric matrix is factored itself
    ITERATION_MAX = 100, // Newton steps
    STALL_COUNT = 15,    // without halving the residual
    SHORT_COUNT = 3      // steps below 0.1 in a row
};

static cn_status check_cores(const cn_solver *s, bool *has_bounded, cn_error *err)
{
    *has_bounded = false;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        *has_bounded = *has_bounded || c->kind == CN_CORE_BOUNDED;
        if (c->has_moments) {
            return cn_fail(err, CN_BAD_INPUT,
                           "constraint %d resists rolling, which the interior-point method does "
                           "not solve; take auto or admm",
                           c->a);
        }
    }
    return CN_OK;
}

// q_n above what the free velocity asks for, z_n of the impulse that stops it, both far inside.
void cn_inner_start(const cn_solver *s, const cn_problem *p, cn_interior *m)
{
    double sum = 0.0;
    int count = 0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++, count++) {
            double u = p->u_free[k] + cn_row_or_zero(p->b, k);
            sum += u * u;
        }
    }
    double size = start_size * sqrt(sum / count);
    size = size > 0.0 ? size : 1.0;
    m->pair_count = 0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_inner_kind kind = cn_inner_kind_of(s, c);
        if (kind == CN_INNER_CONE) {
            cn_set set = cn_problem_set(p, c->a, c->rows);
            double u[CN_ROW_MAX] = {0};
            for (int k = 0; k < c->rows; k++) {
                u[k] = p->u_free[c->row + k] + cn_row_or_zero(p->b, c->row + k);
            }
            m->q[c->row] = fmax(u[0] + cn_set_shift(&set, u), 0.0) + size;
            m->z[c->row] = size / s->W_diag[c->a];
            m->pair_count++;
        }
        for (int k = c->row; k < c->row + c->rows && kind == CN_INNER_BOUNDED; k++) {
            m->q[k] = m->q_high[k] = size;
            m->pair_count += 2;
        }
    }
}

// p->r from z, with its w.
void cn_inner_show(cn_solver *s, const cn_problem *p, const cn_interior *m)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = 0; k < c->rows; k++) {
            bool is_cone = cn_inner_kind_of(s, c) == CN_INNER_CONE;
            double r = (is_cone ? cn_inner_weight(c, k) : 1.0) * m->z[c->row + k];
            p->r[c->row + k] = r - cn_row_or_zero(p->r0, c->row + k);
        }
    }
    cn_solver_apply(s, p, p->r);
}

// Product of constraint n that is to vanish, after a step of length a; of a cone without what stays
// where it slides.
static double product_after(const cn_packed *c, cn_inner_kind kind, const cn_interior *m, double a)
{
    double sum = 0.0;
    for (int k = c->row; k < c->row + c->rows; k++) {
        double z = m->z[k] + a * m->dz[k], q = m->q[k] + a * m->dq[k];
        if (kind == CN_INNER_CONE) {
            sum += q * z;
        } else {
            sum += q * (c->mu + z) + (m->q_high[k] + a * m->dq_high[k]) * (c->mu - z);
        }
    }
    return kind == CN_INNER_CONE ? fmax(sum - 2.0 * m->edge * m->q[c->row] * m->z[c->row], 0.0)
                                 : sum;
}

// Mean of the products that are to vanish.
static double gap_after(const cn_solver *s, const cn_interior *m, double a)
{
    double sum = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        cn_inner_kind kind = cn_inner_kind_of(s, &s->packed[n]);
        if (kind == CN_INNER_CONE || kind == CN_INNER_BOUNDED) {
            sum += product_after(&s->packed[n], kind, m, a);
        }
    }
    return m->pair_count > 0 ? sum / m->pair_count : 0.0;
}

// u' of the iterate and the gap. Velocities are those of w, or over rows those that the measurement
// of the impulses left in s->u.
void cn_inner_state(const cn_solver *s, const cn_problem *p, cn_interior *m)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double u[CN_ROW_MAX];
        if (!s->system->is_stored) {
            cn_system_collect(s->system, c, &p->W.factors, n, m->w, u);
        }
        for (int k = 0; k < c->rows; k++) {
            int row = c->row + k;
            double r = p->r[row] + cn_row_or_zero(p->r0, row);
            m->u[row] = (s->system->is_stored ? s->u[row] : p->u_free[row] + u[k]) +
                        cn_row_or_zero(p->b, row) + cn_row_or_zero(p->c, row) * r;
        }
    }
    m->gap = gap_after(s, m, 0.0);
}

// Blocks of all constraints, then the factor (13.15).
static cn_status factor(cn_solver *s, const cn_problem *p, cn_interior *m, cn_error *err)
{
    cn_linear_system *k = s->system;
    for (int n = 0; n < s->packed_count; n++) {
        if (cn_inner_kind_of(s, &s->packed[n]) == CN_INNER_CONE) {
            cn_inner_cone_factor(s, p, n, m);
        } else {
            cn_inner_line_factor(s, p, n, m);
        }
    }
    k->has_N = k->is_stored;
    bool is_symmetric = !k->is_stored && (m->is_lagged || !m->is_direct);
    return cn_system_factor(s, p, is_symmetric ? CN_FACTOR_CHOLESKY : CN_FACTOR_LU, err);
}

// dw with the factor at hand: B dw = G (r + b) - w. A GMRES that fails turns to LU for good.
static cn_status solve_bodies(cn_solver *s, const cn_problem *p, double tol, cn_interior *m,
                              cn_error *err)
{
    cn_system_imbalance(s, p, p->r, m->b, m->w, m->dw);
    bool is_solved = false;
    if (!m->is_lagged && !m->is_direct) {
        CN_TRY(cn_system_solve_near(s, p, m->E_exact, tol, m->dw, &is_solved, err));
        if (!is_solved) {
            m->is_direct = true;
            CN_TRY(factor(s, p, m, err));
        }
    }
    return is_solved ? CN_OK : cn_system_solve_columns(s->system, m->dw, err);
}

// x and W x, the changes of impulses and velocities.
static cn_status solve(cn_solver *s, const cn_problem *p, double tol, cn_interior *m, cn_error *err)
{
    const cn_linear_system *k = s->system;
    if (k->is_stored) {
        return cn_system_solve(s, p, m->b, m->x, m->Wx, err);
    }
    CN_TRY(solve_bodies(s, p, tol, m, err));
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_system_collect(k, c, &p->W.factors, n, m->dw, m->Wx + c->row);
        for (int i = 0; i < c->rows; i++) {
            const double *E = m->E_exact + k->block_at[n] + c->rows * i;
            m->x[c->row + i] = m->b[c->row + i];
            for (int j = 0; j < c->rows; j++) {
                m->x[c->row + i] -= E[j] * m->Wx[c->row + j];
            }
        }
    }
    return CN_OK;
}

// Largest a with x + a dx >= 0, for x > 0.
static double room(double x, double dx)
{
    return dx < 0.0 ? -x / dx : INFINITY;
}

// The step that meets the boundary.
static double step_to_boundary(const cn_solver *s, const cn_interior *m)
{
    double a = INFINITY;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_inner_kind kind = cn_inner_kind_of(s, c);
        if (kind == CN_INNER_CONE) {
            a = fmin(a, cn_soc_step(c->rows, m->q + c->row, m->dq + c->row));
            a = fmin(a, cn_soc_step(c->rows, m->z + c->row, m->dz + c->row));
        }
        for (int k = c->row; k < c->row + c->rows && kind == CN_INNER_BOUNDED; k++) {
            a = fmin(a, fmin(room(m->q[k], m->dq[k]), room(m->q_high[k], m->dq_high[k])));
            a = fmin(a, room(c->mu + m->z[k], m->dz[k]));
            a = fmin(a, room(c->mu - m->z[k], -m->dz[k]));
        }
    }
    return a;
}

// The direction of the predictor, or of the corrector with centring; *a is the step that meets the
// boundary.
static cn_status find_direction(cn_solver *s, const cn_problem *p, bool is_corrector, double centre,
                                cn_interior *m, double *a, cn_error *err)
{
    for (int n = 0; n < s->packed_count; n++) {
        if (cn_inner_kind_of(s, &s->packed[n]) == CN_INNER_CONE) {
            cn_inner_cone_right(s, p, n, is_corrector, centre, m);
        } else {
            cn_inner_line_right(s, p, n, centre, m);
        }
    }
    CN_TRY(solve(s, p, is_corrector ? gmres_tol : gmres_tol_predictor, m, err));
    for (int n = 0; n < s->packed_count; n++) {
        if (cn_inner_kind_of(s, &s->packed[n]) == CN_INNER_CONE) {
            cn_inner_cone_step(s, p, n, m);
        } else {
            cn_inner_line_step(s, n, centre, m);
        }
    }
    *a = step_to_boundary(s, m);
    return CN_OK;
}

// How much of the gap the predictor would leave, cubed.
static double centring(const cn_solver *s, const cn_interior *m, double a)
{
    double left = fmax(gap_after(s, m, a) / m->gap, 0.0);
    return fmin(fmax(left * left * left, centring_least), 1.0);
}

// One Newton step: predictor, corrector; returns its length.
cn_status cn_inner_advance(cn_solver *s, const cn_problem *p, bool was_short, cn_interior *m,
                           double *length, cn_error *err)
{
    double a, sigma = 0.0;
    CN_TRY(factor(s, p, m, err));
    if (m->pair_count > 0) {
        CN_TRY(find_direction(s, p, false, 0.0, m, &a, err));
        sigma = fmax(centring(s, m, fmin(a, 1.0)), was_short ? 0.8 : 0.0);
    }
    CN_TRY(find_direction(s, p, true, sigma * m->gap, m, &a, err));
    *length = fmin(to_the_edge * a, 1.0);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            m->z[k] += *length * m->dz[k];
            m->q[k] += *length * m->dq[k];
            if (m->q_high != NULL) {
                m->q_high[k] += *length * m->dq_high[k];
            }
        }
    }
    const cn_linear_system *k = s->system;
    for (int i = 0; i < k->block_start[k->block_count] && !k->is_stored; i++) {
        m->w[i] += *length * m->dw[i];
    }
    return CN_OK;
}

// Newton steps until progress ends, or until they get short or do not help.
static cn_status iterate(cn_solver *s, const cn_problem *p, cn_interior *m,
                         cn_solve_progress *progress, cn_error *err)
{
    int short_count = 0, cost = 0;
    for (int k = 0; k < ITERATION_MAX; k++) {
        cn_inner_show(s, p, m);
        progress->sweep_next = 0;
        progress->sweep_count++;
        if (cn_progress_check(progress, s, p)) {
            return CN_OK;
        }
        cn_inner_state(s, p, m);
        if (k > 0 && !(m->gap > 0.0) && m->pair_count > 0) {
            break;
        }
        double length = 0.0;
        cn_error why = {0};
        cn_status status = cn_inner_advance(s, p, short_count > 0, m, &length, &why);
        if (status == CN_BROKEN || (status == CN_OK && !(length > 0.0))) {
            break; // the matrix is singular to rounding: this is as far as it goes
        }
        if (status != CN_OK) {
            return cn_fail(err, status, "%s", why.text);
        }
        if (cost == 0) {
            cost = cn_system_sweeps(s, p);
            progress->patience = STALL_COUNT * (cost + 1);
        }
        progress->sweep_count += cost;
        progress->factorization_count++;
        progress->iteration_count++;
        short_count = length < 0.1 ? short_count + 1 : 0;
        m->kappa = length < 0.1 ? fmin(2.0 * m->kappa, 30.0)
                                : (length > 0.6 ? fmax(0.7 * m->kappa, 1.0) : m->kappa);
        if (short_count == SHORT_COUNT) {
            break;
        }
    }
    progress->is_stalled = true;
    return CN_OK;
}

cn_status cn_inner_set_up(cn_solver *s, const cn_problem *p, bool is_lagged, double tol,
                          cn_interior *out, double **frozen, cn_error *err)
{
    bool has_bounded;
    CN_TRY(check_cores(s, &has_bounded, err));
    CN_TRY(cn_system_begin(s, p, err));
    const cn_linear_system *system = s->system;
    size_t rows = (size_t)p->row_start[p->contact_count], count = (size_t)s->packed_count;
    size_t blocks = (size_t)system->block_at[s->packed_count];
    size_t scales = (count * sizeof(cn_scaling) + sizeof(double) - 1) / sizeof(double);
    size_t columns = system->is_stored ? 0 : (size_t)system->block_start[system->block_count];
    size_t arrays = has_bounded ? 13 : 11, shown = has_bounded ? 3 : 2;
    size_t plain = (arrays + shown) * rows + blocks + 3 * count + 3 * columns;
    double *work;
    CN_TRY(cn_solver_work(s, plain + scales, &work, err));
    memset(work, 0, sizeof(double) * plain);
    double edge = fmin(fmax(edge_share * tol, edge_least), edge_most);
    cn_interior m = {.kappa = 1.0, .is_lagged = is_lagged, .edge = edge};
    double **by_row[] = {&m.z, &m.q, &m.dz, &m.dq, &m.u,      &m.p,      &m.lambda,
                         &m.t, &m.b, &m.x,  &m.Wx, &m.q_high, &m.dq_high};
    for (size_t k = 0; k < arrays; k++) {
        *by_row[k] = work + k * rows;
    }
    m.E_exact = work + arrays * rows;
    m.slope = m.E_exact + blocks;
    m.w = m.slope + 2 * count;
    m.dw = m.w + columns;
    m.kept = m.dw + columns;
    *frozen = m.kept + shown * rows + columns;
    m.scale = (cn_scaling *)(*frozen + count);
    m.is_direct = !is_lagged && system->block_start[system->block_count] <= LU_COLUMNS;
    cn_inner_start(s, p, &m);
    *out = m;
    return CN_OK;
}

static cn_status run(cn_solver *s, const cn_problem *p, bool is_lagged, cn_solve_progress *progress,
                     cn_error *err)
{
    cn_interior m;
    double *frozen;
    CN_TRY(cn_inner_set_up(s, p, is_lagged, progress->def->tol, &m, &frozen, err));
    CN_TRY(iterate(s, p, &m, progress, err));
    if (is_lagged && m.pair_count > 0 && !progress->is_converged && !progress->is_over) {
        m.frozen = frozen;
        CN_TRY(cn_inner_frozen(s, p, &m, progress, err));
    }
    return progress->is_converged ? CN_OK : cn_active_set_newton(s, p, progress, err);
}

cn_status cn_ipm(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    return run(s, p, false, progress, err);
}

cn_status cn_ipm_lagged(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                        cn_error *err)
{
    return run(s, p, true, progress, err);
}
