// solve/direct/alm.c -- augmented Lagrangian with a Newton method inside, theory 13.19 and 13.20.
//
// About the impulses r of the last outer step and with the shift s frozen, each constraint becomes
// a stiff spring cut off by its cone: l = P_K(t), t falling with the velocity. What remains is to
// minimise a convex function of w over bodies, or to solve x = l(x) over rows, by Newton's method
// with the matrix B(E), E = P_K' / k. Then r = l and s follow. Always gets there while the shift
// does little; slow, since the outer rate is linear. Weights are chosen per row so that spring and
// compliance add up to the same k in all rows of a constraint.
#include <math.h>
#include <string.h>

#include "solve/direct/active_set_newton.h"
#include "solve/direct/linear_system.h"
#include "solve/problem/project.h"

static const double hardness = 1e3;    // of the spring, over W
static const double inner_share = 0.1; // of the move of the impulses, for the inner residual

enum { INNER_MAX = 20, SEARCH_MAX = 25, OUTER_MAX = 1000 };

// Arrays by row.
typedef struct lagrangian {
    double *r;      // centre, r' of the last outer step
    double *x;      // over rows: the iterate
    double *l;      // P_K(t) at the iterate
    double *u;      // u_free + b + W r at the iterate, without compliance
    double *du;     // its change along the Newton direction
    double *b;      // right-hand sides over rows, then the direction
    double *shift;  // by constraint
    double *k;      // by constraint: 1 / c_a + largest compliance
    double *w, *dw; // over bodies, by column
} lagrangian;

static bool can_solve(const cn_solver *s, cn_error *err)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        if (c->has_moments) {
            cn_fail(err, CN_BAD_INPUT,
                    "constraint %d resists rolling, which the augmented Lagrangian does not solve; "
                    "take auto or admm",
                    c->a);
            return false;
        }
    }
    return true;
}

static void start_multipliers(cn_solver *s, const cn_problem *p, lagrangian *g)
{
    const cn_linear_system *k = s->system;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double most = 0.0;
        for (int i = c->row; i < c->row + c->rows; i++) {
            g->r[i] = g->x[i] = p->r[i] + cn_row_or_zero(p->r0, i);
            most = fmax(most, cn_row_or_zero(p->c, i));
        }
        g->k[n] = s->W_diag[c->a] / hardness + most;
        if (!k->is_stored) {
            cn_system_deposit(k, c, &p->W.factors, n, p->r + c->row, g->w);
        }
    }
}

// u of the iterate, from w or from x.
static void find_velocity(cn_solver *s, const cn_problem *p, lagrangian *g)
{
    const cn_linear_system *k = s->system;
    if (k->is_stored) {
        cn_solver_apply_core(s, p, g->x);
        cn_solver_velocity(s, p, p->r, s->u);
    }
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double u[CN_ROW_MAX];
        if (!k->is_stored) {
            cn_system_collect(k, c, &p->W.factors, n, g->w, u);
        }
        for (int i = 0; i < c->rows; i++) {
            int row = c->row + i;
            g->u[row] =
                (k->is_stored ? s->u[row] : p->u_free[row] + u[i]) + cn_row_or_zero(p->b, row);
        }
    }
}

// Shift of De Saxce at the iterate.
static void find_shift(const cn_solver *s, const cn_problem *p, lagrangian *g)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        double u[CN_ROW_MAX];
        for (int i = 0; i < c->rows; i++) {
            u[i] = g->u[c->row + i] + cn_row_or_zero(p->c, c->row + i) * g->r[c->row + i];
        }
        g->shift[n] = cn_set_shift(&set, u);
    }
}

// t = ((k - c) r - u - s n) / k at the velocity u + a du of constraint n (13.19).
static void find_t(const cn_problem *p, const cn_packed *c, int n, double a, const lagrangian *g,
                   double *t)
{
    for (int i = 0; i < c->rows; i++) {
        int row = c->row + i;
        double u = g->u[row] + a * g->du[row] + (i == 0 ? g->shift[n] : 0.0);
        t[i] = ((g->k[n] - cn_row_or_zero(p->c, row)) * g->r[row] - u) / g->k[n];
    }
}

static bool is_idle(const lagrangian *g, int n)
{
    return !(g->k[n] > 0.0);
}

// l = P_K(t) everywhere; what nothing can move carries nothing.
static void find_l(const cn_solver *s, const cn_problem *p, double a, lagrangian *g)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        double t[CN_ROW_MAX] = {0};
        if (!is_idle(g, n)) {
            find_t(p, c, n, a, g, t);
        }
        cn_set_project(&set, t, g->l + c->row);
    }
}

// E = P_K'(t) / k.
static void find_E(const cn_problem *p, const cn_packed *c, int n, const lagrangian *g, double *E)
{
    int rows = c->rows;
    double t[CN_ROW_MAX] = {0}, mu = c->mu;
    memset(E, 0, sizeof *E * (size_t)(rows * rows));
    if (is_idle(g, n)) {
        return;
    }
    find_t(p, c, n, 0.0, g, t);
    double length = cn_tangential(rows, t);
    bool is_cone = c->kind == CN_CORE_CONE;
    if (is_cone && mu * length <= -t[0]) {
        return;
    }
    if (!is_cone || length <= mu * t[0]) {
        for (int i = 0; i < rows; i++) {
            bool is_bound = c->kind == CN_CORE_BOUNDED && fabs(t[i]) > mu;
            E[(rows + 1) * i] = is_bound ? 0.0 : 1.0 / g->k[n];
        }
        return;
    }
    double scale = 1.0 / ((1.0 + mu * mu) * g->k[n]);
    double turn = mu * (t[0] + mu * length) * scale / length; // mu l_n / |t_t| / k
    E[0] = scale;
    for (int i = 1; i < rows; i++) {
        double d_i = t[i] / length;
        E[i] = E[rows * i] = scale * mu * d_i;
        for (int j = 1; j < rows; j++) {
            double d_j = t[j] / length;
            E[rows * i + j] =
                scale * mu * mu * d_i * d_j + turn * ((i == j ? 1.0 : 0.0) - d_i * d_j);
        }
    }
}

static cn_status factor(cn_solver *s, const cn_problem *p, const lagrangian *g, cn_error *err)
{
    cn_linear_system *k = s->system;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        find_E(p, c, n, g, (k->is_stored ? k->N : k->E) + k->block_at[n]);
        for (int i = 0; i < c->rows * c->rows && k->is_stored; i++) {
            bool is_diagonal = i % (c->rows + 1) == 0;
            double give = cn_row_or_zero(p->c, c->row + i % c->rows);
            k->M[k->block_at[n] + i] = (is_diagonal ? 1.0 : 0.0) + k->N[k->block_at[n] + i] * give;
        }
    }
    k->has_N = k->is_stored;
    return cn_system_factor(s, p, k->is_stored ? CN_FACTOR_LU : CN_FACTOR_CHOLESKY, err);
}

// F = G l - w by column, or l - x by row (in b); returns its size squared, in the norm of energy.
static double find_F(const cn_solver *s, const cn_problem *p, lagrangian *g)
{
    const cn_linear_system *k = s->system;
    double sum = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            g->b[i] = k->is_stored ? g->l[i] - g->x[i] : -cn_row_or_zero(p->r0, i);
            sum += k->is_stored ? s->W_diag[c->a] * g->b[i] * g->b[i] : 0.0;
        }
    }
    if (!k->is_stored) {
        cn_system_imbalance(s, p, g->l, g->b, g->w, g->dw);
        for (int i = 0; i < k->block_start[k->block_count]; i++) {
            sum += g->dw[i] * g->dw[i];
        }
    }
    return sum;
}

// How far the impulses moved from their centre, squared, in the norm of energy.
static double find_move(const cn_solver *s, const lagrangian *g)
{
    double sum = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            double d = g->l[i] - g->r[i];
            sum += s->W_diag[c->a] * d * d;
        }
    }
    return sum;
}

// Newton direction: dw or x by row (in b), and the change du of the velocities.
static cn_status find_direction(cn_solver *s, const cn_problem *p, lagrangian *g, cn_error *err)
{
    cn_linear_system *k = s->system;
    CN_TRY(factor(s, p, g, err));
    if (k->is_stored) {
        return cn_system_solve(s, p, g->b, g->b, g->du, err);
    }
    CN_TRY(cn_system_solve_columns(k, g->dw, err));
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_system_collect(k, c, &p->W.factors, n, g->dw, g->du + c->row);
    }
    return CN_OK;
}

// Slope of the convex function along dw at a: (w + a dw) . dw - (l - r0) . du (13.20).
static double slope_at(const cn_solver *s, const cn_problem *p, double a, lagrangian *g)
{
    const cn_linear_system *k = s->system;
    double sum = 0.0;
    for (int i = 0; i < k->block_start[k->block_count]; i++) {
        sum += (g->w[i] + a * g->dw[i]) * g->dw[i];
    }
    find_l(s, p, a, g);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            sum -= (g->l[i] - cn_row_or_zero(p->r0, i)) * g->du[i];
            if (s->fold.k != NULL) { // B(k) w in place of w (8.23)
                double u = g->u[i] - p->u_free[i] - cn_row_or_zero(p->b, i) + a * g->du[i];
                sum += s->fold.k[i] * u * g->du[i];
            }
        }
    }
    return sum;
}

// Step to the root of the slope: doubling until it is bracketed, then regula falsi kept off the
// ends.
static double search_bodies(const cn_solver *s, const cn_problem *p, lagrangian *g)
{
    double first = slope_at(s, p, 0.0, g), low = 0.0, slope_low = first;
    double high = INFINITY, slope_high = 0.0, a = 1.0;
    for (int k = 0; k < SEARCH_MAX; k++) {
        double slope = slope_at(s, p, a, g);
        if (fabs(slope) <= 0.1 * fabs(first)) {
            break;
        }
        if (slope > 0.0) {
            high = a;
            slope_high = slope;
        } else {
            low = a;
            slope_low = slope;
        }
        double share = slope_low / (slope_low - slope_high);
        a = high < INFINITY ? low + fmin(fmax(share, 0.1), 0.9) * (high - low) : 2.0 * a;
        if (a > 16.0) {
            break;
        }
    }
    return a;
}

// Over rows there is no convex function at hand: the step is halved until x = l(x) is closer.
static double search_rows(const cn_solver *s, const cn_problem *p, double last, lagrangian *g)
{
    double a = 1.0;
    for (int k = 0; k < 12; k++) {
        double sum = 0.0;
        find_l(s, p, a, g);
        for (int n = 0; n < s->packed_count; n++) {
            const cn_packed *c = &s->packed[n];
            for (int i = c->row; i < c->row + c->rows; i++) {
                double d = g->l[i] - g->x[i] - a * g->b[i];
                sum += s->W_diag[c->a] * d * d;
            }
        }
        if (sum <= (1.0 - 1e-3 * a) * last) {
            break;
        }
        a *= 0.5;
    }
    return a;
}

static void move_along(const cn_solver *s, double a, lagrangian *g)
{
    const cn_linear_system *k = s->system;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            g->x[i] += k->is_stored ? a * g->b[i] : 0.0;
            g->u[i] += a * g->du[i];
            g->du[i] = 0.0;
        }
    }
    for (int i = 0; i < k->block_start[k->block_count] && !k->is_stored; i++) {
        g->w[i] += a * g->dw[i];
    }
}

// Measures l; true: stop.
static bool check_multipliers(cn_solver *s, const cn_problem *p, const lagrangian *g,
                              cn_solve_progress *progress)
{
    cn_solver_apply_core(s, p, g->l);
    progress->sweep_next = 0;
    return cn_progress_check(progress, s, p);
}

// Sweeps without halving the error: so many factorizations, and where other methods follow no more
// than what these would take.
static int patience_of(const cn_solve_progress *progress, int cost)
{
    enum { FACTORS = 40, SWEEPS = 1000 };
    int patience = FACTORS * (cost + 1);
    return progress->def->method != CN_METHOD_ALM && patience > SWEEPS ? SWEEPS : patience;
}

// Newton steps about one centre. *is_done: stop.
static cn_status solve_inside(cn_solver *s, const cn_problem *p, lagrangian *g,
                              cn_solve_progress *progress, bool *is_done, cn_error *err)
{
    for (int k = 0; k < INNER_MAX; k++) {
        find_l(s, p, 0.0, g);
        double F = find_F(s, p, g), wanted = inner_share * inner_share * find_move(s, g) / hardness;
        if (k > 0 && F <= wanted) {
            return CN_OK;
        }
        CN_TRY(find_direction(s, p, g, err));
        int cost = cn_system_sweeps(s, p);
        progress->patience = patience_of(progress, cost);
        progress->sweep_count += cost + 1;
        progress->factorization_count++;
        progress->iteration_count++;
        double a = s->system->is_stored ? search_rows(s, p, F, g) : search_bodies(s, p, g);
        move_along(s, a, g);
        find_l(s, p, 0.0, g);
        *is_done = check_multipliers(s, p, g, progress);
        if (*is_done) {
            return CN_OK;
        }
    }
    return CN_OK;
}

static cn_status iterate_centres(cn_solver *s, const cn_problem *p, lagrangian *g,
                                 cn_solve_progress *progress, cn_error *err)
{
    find_velocity(s, p, g);
    find_shift(s, p, g);
    bool is_done = false;
    for (int k = 0; k < OUTER_MAX && !is_done; k++) {
        cn_error why = {0};
        cn_status status = solve_inside(s, p, g, progress, &is_done, &why);
        if (status == CN_BROKEN) { // singular to rounding: this is as far as it goes
            break;
        }
        if (status != CN_OK) {
            return cn_fail(err, status, "%s", why.text);
        }
        for (int n = 0; n < s->packed_count && !is_done; n++) {
            const cn_packed *c = &s->packed[n];
            memcpy(g->r + c->row, g->l + c->row, sizeof(double) * (size_t)c->rows);
        }
        find_velocity(s, p, g);
        find_shift(s, p, g);
    }
    progress->is_stalled = !progress->is_converged;
    return CN_OK;
}

cn_status cn_alm(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    if (!can_solve(s, err)) {
        return CN_BAD_INPUT;
    }
    CN_TRY(cn_system_begin(s, p, err));
    size_t rows = (size_t)p->row_start[p->contact_count], count = (size_t)s->packed_count;
    size_t columns = (size_t)s->system->block_start[s->system->block_count];
    double *work;
    CN_TRY(cn_solver_work(s, 6 * rows + 2 * count + 2 * columns, &work, err));
    memset(work, 0, sizeof(double) * (6 * rows + 2 * count + 2 * columns));
    lagrangian g = {.r = work,
                    .x = work + rows,
                    .l = work + 2 * rows,
                    .u = work + 3 * rows,
                    .du = work + 4 * rows,
                    .b = work + 5 * rows,
                    .shift = work + 6 * rows,
                    .k = work + 6 * rows + count,
                    .w = work + 6 * rows + 2 * count,
                    .dw = work + 6 * rows + 2 * count + columns};
    start_multipliers(s, p, &g);
    cn_fold_columns(s, g.w);
    CN_TRY(iterate_centres(s, p, &g, progress, err));
    bool is_table = progress->def->method != CN_METHOD_ALM && p->contact_count >= CN_PROX_SMALL;
    return progress->is_converged || is_table // which asks what Newton steps cost
               ? CN_OK
               : cn_active_set_newton(s, p, progress, err);
}
