// solve/direct/admm.c -- alternating directions: one linear system and one projection per
// iteration, theory 13.9 and 13.10.
//
// The impulses are split, x = y: x solves the linear system of all bodies, y lies in the cones, and
// l, the multiplier of x = y, is a velocity in disguise: u~ = -g l. So the shift of De Saxce comes
// without a product. The matrix is the same in all iterations, hence one factorization per rho.
#include "solve/direct/admm.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "solve/direct/linear_system.h"
#include "solve/problem/project.h"

static const double relaxation = 1.6;
enum { SWEEPS_PER_ITERATION = 2 }; // back-substitution and projection, beside a product with W
enum { MOVING_PATIENCE = 1000 };

// Of the mean impulse (13.12): what carries nothing still gives by this, so that g differs by no
// more than a matrix bears.
static const double give_least = 0.1;
enum { ITERATIONS_BEFORE_WEIGHTS = 20 }; // small structures are solved soon after

// Arrays by row, in the terms of the core.
typedef struct split {
    double *y, *l;
    double *q;      // u' at r' = 0, without compliance
    double *t;      // right-hand sides
    double *weight; // constraints: g_a over rho w_a (13.12)
    double rho;
    bool is_fine;         // t asks for x - y, from u at y
    double last_distance; // at the last measurement, and when that was
    int last_check;
} split;

// g_a; constraints that nothing can move keep y = 0.
static double penalty_of(const cn_solver *s, const cn_packed *c, const split *z)
{
    return s->W_diag[c->a] > 0.0 ? z->rho * z->weight[c->a] * s->W_diag[c->a] : 1.0;
}

// q = u_free + b - W r0.
static void find_offset(cn_solver *s, const cn_problem *p, split *z)
{
    if (p->r0 != NULL) {
        cn_solver_apply(s, p, p->r0);
        cn_solver_velocity(s, p, p->r0, s->u);
    }
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            double W_r0 = p->r0 != NULL ? s->u[k] - p->u_free[k] : 0.0;
            bool is_stuck = !(s->W_diag[c->a] > 0.0);
            z->q[k] = is_stuck ? 0.0 : p->u_free[k] + cn_row_or_zero(p->b, k) - W_r0;
        }
    }
}

// y = P_K of the first guess; l = 0, or -u~ / g where the velocities of the guess are to be
// trusted.
static void start_split(cn_solver *s, const cn_problem *p, bool is_moving, split *z)
{
    cn_solver_apply(s, p, p->r);
    cn_solver_velocity(s, p, p->r, s->u);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        double u[CN_ROW_MAX] = {0}, r[CN_ROW_MAX], g = penalty_of(s, c, z);
        for (int k = 0; k < c->rows; k++) {
            int row = c->row + k;
            r[k] = p->r[row] + cn_row_or_zero(p->r0, row);
            u[k] = s->u[row] + cn_row_or_zero(p->b, row) + cn_row_or_zero(p->c, row) * r[k];
        }
        u[0] += cn_set_shift(&set, u);
        cn_set_project(&set, r, z->y + c->row);
        for (int k = 0; k < c->rows; k++) {
            z->l[c->row + k] = is_moving ? -u[k] / g : 0.0;
        }
    }
}

// E = 1 / (c + g), or M = c + g over rows.
static cn_status factor_penalty(cn_solver *s, const cn_problem *p, const split *z, cn_error *err)
{
    cn_linear_system *system = s->system;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double *block = (system->is_stored ? system->M : system->E) + system->block_at[n];
        memset(block, 0, sizeof(double) * (size_t)(c->rows * c->rows));
        for (int k = 0; k < c->rows; k++) {
            double m = penalty_of(s, c, z) + cn_row_or_zero(p->c, c->row + k);
            block[c->rows * k + k] = system->is_stored ? m : 1.0 / m;
        }
    }
    system->has_N = false;
    cn_factor_kind kind = system->is_symmetric ? CN_FACTOR_CHOLESKY : CN_FACTOR_LU;
    return cn_system_factor(s, p, kind, err);
}

// x of constraint n from the solved columns: over bodies x = t - E W x.
static inline void find_x(const cn_solver *s, const cn_problem *p, const split *z, int n, int rows,
                          const double *columns, double *x)
{
    const cn_linear_system *system = s->system;
    const cn_packed *c = &s->packed[n];
    cn_system_collect(system, c, &p->W.factors, n, columns, x);
    for (int k = 0; k < rows && !system->is_stored; k++) {
        x[k] = z->t[c->row + k] - system->E[system->block_at[n] + (rows + 1) * k] * x[k];
    }
    for (int k = 0; k < rows && z->is_fine; k++) {
        x[k] += z->y[c->row + k];
    }
}

// Relaxed x, then y = P_K(x + l) and l += x - y (13.10).
static inline void project_split(const cn_set *set, int rows, const double *x, double *y, double *l)
{
    double v[CN_ROW_MAX];
    for (int k = 0; k < rows; k++) {
        v[k] = relaxation * x[k] + (1.0 - relaxation) * y[k] + l[k];
    }
    cn_set_project(set, v, y);
    for (int k = 0; k < rows; k++) {
        l[k] = v[k] - y[k];
    }
}

// (W + c + g) x = -q - shift n + g (y - l) (13.9): the right-hand side of constraint n. Fine:
// (W + c + g) (x - y) = -u' - shift n - g l (13.11) with the velocity at y, which has the rounding
// of that velocity and not of the impulses over rho.
static inline void find_t(const cn_solver *s, const cn_problem *p, const cn_packed *c,
                          const cn_set *set, const split *z, int n, int rows)
{
    const cn_linear_system *system = s->system;
    const double *y = z->y + c->row, *l = z->l + c->row, *q = z->q + c->row;
    double g = penalty_of(s, c, z), u[CN_ROW_MAX];
    for (int k = 0; k < rows; k++) {
        u[k] = -g * l[k];
    }
    double shift = cn_set_shift(set, u), *t = z->t + c->row;
    for (int k = 0; k < rows; k++) {
        double drive = -q[k] + g * y[k];
        if (z->is_fine) {
            int row = c->row + k;
            drive = -s->u[row] - cn_row_or_zero(p->b, row) - cn_row_or_zero(p->c, row) * y[k];
        }
        t[k] = drive - (k == 0 ? shift : 0.0) - g * l[k];
        t[k] *= system->is_stored ? 1.0 : system->E[system->block_at[n] + (rows + 1) * k];
    }
}

// What a pass does with a constraint: find and project x, form the next right-hand side, or both.
typedef enum pass_kind { PASS_BOTH, PASS_PROJECT, PASS_DEPOSIT } pass_kind;

typedef struct pass_def {
    pass_kind kind;
    const double *solved; // columns
    double *next;         // right-hand side of the next solution, by column
} pass_def;

// Constraint n of a pass; `rows` and whether it may have moments are literals where speed matters.
static inline void visit_constraint(const cn_solver *s, const cn_problem *p, const split *z,
                                    const pass_def *pass, int n, int rows, bool may_turn)
{
    const cn_packed *c = &s->packed[n];
    cn_set set = cn_problem_set_of(p, c->a, rows, may_turn);
    if (pass->kind != PASS_DEPOSIT) {
        double x[CN_ROW_MAX];
        find_x(s, p, z, n, rows, pass->solved, x);
        project_split(&set, rows, x, z->y + c->row, z->l + c->row);
    }
    if (pass->kind != PASS_PROJECT) {
        find_t(s, p, c, &set, z, n, rows);
        cn_system_deposit(s->system, c, &p->W.factors, n, z->t + c->row, pass->next);
    }
}

// One pass over the constraints: collects x from the columns solved, projects, and deposits the
// next right-hand side.
static void pass_over(const cn_solver *s, const cn_problem *p, const split *z, pass_kind kind,
                      const double *solved, double *next)
{
    const pass_def pass = {kind, solved, next};
    memset(next, 0, sizeof *next * (size_t)s->system->block_start[s->system->block_count]);
    for (int n = 0; n < s->packed_count; n++) {
        int rows = s->packed[n].rows;
        if (s->has_moment_rows) {
            visit_constraint(s, p, z, &pass, n, rows, true);
        } else if (rows == 3) {
            visit_constraint(s, p, z, &pass, n, 3, false);
        } else if (rows == 2) {
            visit_constraint(s, p, z, &pass, n, 2, false);
        } else {
            visit_constraint(s, p, z, &pass, n, rows, false);
        }
    }
}

// p->r = y - r0 and its w, to be measured.
static void show_split(cn_solver *s, const cn_problem *p, const split *z)
{
    cn_solver_apply_core(s, p, z->y);
}

// One iteration: from solved columns to the next right-hand side. Fine ones come with a product.
static void pass_on(cn_solver *s, const cn_problem *p, split *z, bool is_fine, const double *solved,
                    double *next)
{
    if (!is_fine) {
        pass_over(s, p, z, PASS_BOTH, solved, next);
        return;
    }
    pass_over(s, p, z, PASS_PROJECT, solved, next);
    show_split(s, p, z);
    cn_solver_velocity(s, p, p->r, s->u);
    z->is_fine = true;
    pass_over(s, p, z, PASS_DEPOSIT, solved, next);
}

static const double rest_most = 1e-4; // of small walls

double cn_admm_rest(const cn_problem *p)
{
    const double courses = sqrt(1e-3 * p->contact_count);
    if (p->k != NULL) {
        return CN_ADMM_MOVING; // what is bonded gives
    }
    return courses > 1.0 ? rest_most / courses : rest_most;
}

int cn_admm_patience(const cn_solver *s, const cn_problem *p)
{
    int bodies = p->W.factors.body_count;
    double blocks = bodies > 0 ? bodies : 0.25 * s->packed_count;
    return SWEEPS_PER_ITERATION * (int)(30.0 + 6.0 * sqrt(blocks));
}

// Iterations until the next measurement: when the last two say how fast the error falls, most of
// the way to the end; in doubt a share of those done.
static int next_check(const cn_solve_progress *progress, const split *z, int k)
{
    int usual = 2 + k / 12;
    double now = cn_progress_distance(progress, &progress->residual);
    if (!(z->last_distance > now && now > 1.0)) {
        return usual;
    }
    double rate = log(z->last_distance / now) / (k - z->last_check);
    double left = 0.8 * log(now) / rate;
    return left < 1.0 ? 1 : (left < usual ? (int)left : usual); // the fall may get faster
}

// |y_a|, and their mean over the constraints.
static double size_of_impulse(const split *z, const cn_packed *c)
{
    double sum = 0.0;
    for (int k = c->row; k < c->row + c->rows; k++) {
        sum += z->y[k] * z->y[k];
    }
    return sqrt(sum);
}

static double mean_impulse(const cn_solver *s, const split *z)
{
    double sum = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        sum += size_of_impulse(z, &s->packed[n]);
    }
    return s->packed_count > 0 ? sum / s->packed_count : 0.0;
}

// New weights from the impulses of now (13.12), and the matrix with them; g l stays, which is a
// velocity.
static cn_status weigh_split(cn_solver *s, const cn_problem *p, split *z,
                             cn_solve_progress *progress, cn_error *err)
{
    double mean = mean_impulse(s, z);
    for (int n = 0; n < s->packed_count && mean > 0.0; n++) {
        const cn_packed *c = &s->packed[n];
        double before = penalty_of(s, c, z);
        z->weight[c->a] = 1.0 / (size_of_impulse(z, c) / mean + give_least);
        double change = before / penalty_of(s, c, z);
        for (int k = c->row; k < c->row + c->rows; k++) {
            z->l[k] *= change;
        }
    }
    progress->factorization_count++;
    CN_TRY(factor_penalty(s, p, z, err));
    int sweeps = cn_system_sweeps(s, p);
    progress->sweep_count += sweeps;
    progress->sweep_halved += sweeps; // patience is for what follows
    return CN_OK;
}

// Iterations after which weights are found again: when those since the last time have cost as much
// as a factor, then whenever their number has doubled, since impulses change less and less.
static int next_weights(const cn_solver *s, const cn_problem *p, int k)
{
    int factor = cn_system_sweeps(s, p) / SWEEPS_PER_ITERATION;
    int least = factor > ITERATIONS_BEFORE_WEIGHTS ? factor : ITERATIONS_BEFORE_WEIGHTS;
    return k > 0 ? 2 * k : least;
}

// side[0] is solved with, and the next right-hand side put into side[1]; then they change places.
static cn_status iterate_once(cn_solver *s, const cn_problem *p, split *z,
                              cn_solve_progress *progress, double *side[2], cn_error *err)
{
    CN_TRY(cn_system_solve_columns(s->system, side[0], err));
    pass_on(s, p, z, progress->is_converged, side[0], side[1]);
    double *swap = side[0];
    side[0] = side[1];
    side[1] = swap;
    progress->sweep_count += SWEEPS_PER_ITERATION;
    progress->iteration_count++;
    return CN_OK;
}

// What is left where all statuses may be right is local: sweeps are better at that.
static void shorten_patience(const cn_admm_def *def, cn_solve_progress *progress)
{
    if (progress->residual.err_e < def->late && def->patience < progress->patience) {
        progress->patience = def->patience;
        cn_progress_renew(progress);
    }
}

static cn_status iterate_split(cn_solver *s, const cn_problem *p, const cn_admm_def *def, split *z,
                               cn_solve_progress *progress, cn_error *err)
{
    double *side[2] = {s->system->rhs};
    side[1] = side[0] + s->system->block_start[s->system->block_count];
    z->is_fine = progress->is_converged;
    pass_over(s, p, z, PASS_DEPOSIT, NULL, side[0]); // s->u is that of y
    int weigh = def->has_weights ? next_weights(s, p, 0) : INT_MAX;
    for (int k = 1, next = 2;; k++) {
        CN_TRY(iterate_once(s, p, z, progress, side, err));
        if (k == weigh && !z->is_fine) {
            CN_TRY(weigh_split(s, p, z, progress, err));
            pass_over(s, p, z, PASS_DEPOSIT, NULL, side[0]);
            weigh = next_weights(s, p, k);
        }
        if (k < next && progress->sweep_count < progress->def->sweep_max) {
            continue;
        }
        show_split(s, p, z);
        progress->sweep_next = 0;
        if (cn_progress_check(progress, s, p)) {
            return CN_OK;
        }
        shorten_patience(def, progress);
        next = k + next_check(progress, z, k);
        z->last_distance = cn_progress_distance(progress, &progress->residual);
        z->last_check = k;
    }
}

// Arrays of a split, and its start from the impulses in p->r.
static cn_status begin_split(cn_solver *s, const cn_problem *p, bool is_moving, split *z,
                             cn_solve_progress *progress, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    double *work;
    CN_TRY(cn_system_begin(s, p, err));
    CN_TRY(cn_solver_work(s, 4 * rows + (size_t)p->contact_count, &work, err));
    z->y = work;
    z->l = work + rows;
    z->q = work + 2 * rows;
    z->t = work + 3 * rows;
    z->weight = work + 4 * rows;
    for (int a = 0; a < p->contact_count; a++) {
        z->weight[a] = 1.0;
    }
    find_offset(s, p, z);
    start_split(s, p, is_moving, z);
    progress->factorization_count++;
    CN_TRY(factor_penalty(s, p, z, err));
    int sweeps = cn_system_sweeps(s, p);
    progress->sweep_count += sweeps;
    progress->sweep_halved += sweeps; // patience is for what follows
    return CN_OK;
}

static cn_status run_split(cn_solver *s, const cn_problem *p, const cn_admm_def *def,
                           cn_solve_progress *progress, cn_error *err)
{
    split z = {.rho = def->rho};
    CN_TRY(begin_split(s, p, def->is_moving, &z, progress, err));
    return iterate_split(s, p, def, &z, progress, err);
}

cn_status cn_admm_run(cn_solver *s, const cn_problem *p, const cn_admm_def *def,
                      cn_solve_progress *progress, cn_error *err)
{
    cn_problem folded;
    CN_TRY(cn_fold_enter(s, p, &folded, err));
    cn_status status = run_split(s, &folded, def, progress, err);
    return cn_fold_leave(s, p, &folded, status, err);
}

cn_status cn_admm(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    const cn_admm_def rest = {.rho = cn_admm_rest(p)};
    const cn_admm_def moving = {.rho = CN_ADMM_MOVING, .is_moving = true};
    progress->patience = cn_admm_patience(s, p);
    CN_TRY(cn_admm_run(s, p, &rest, progress, err));
    if (!progress->is_stalled || progress->is_converged) {
        return CN_OK;
    }
    memcpy(p->r, s->r_best, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    progress->patience = MOVING_PATIENCE;
    cn_progress_renew(progress);
    return cn_admm_run(s, p, &moving, progress, err);
}
