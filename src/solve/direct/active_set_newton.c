// solve/direct/active_set_newton.c -- Newton steps on the equations that the statuses of an iterate
// select, theory 13.21.
//
// Near a solution the natural map says of each contact whether it is open, sticks or slides, and
// against what. With that frozen the law is a system of smooth equations
//     open  r' = 0    stick  u' = 0    slide  u'_n = 0,  r'_t = mu r'_n t/|t|,  t = r'_t - m u'_t
// (moments of rolling and spinning stick or slide each for itself, in the same way)
// and Newton's method doubles the digits. Where statuses are not right yet they change from step to
// step and need not settle; then springs about the best impulses hold them, as in prox.c. Every
// centre is the solution with springs about the one before, and they get as hard as Newton's method
// still follows: from centre to centre impulses go on at nearly the same rate. Over bodies w is an
// unknown of its own, as in ipm.c, so that the weight 1/delta of a contact that sticks costs no
// accuracy.
#include "solve/direct/active_set_newton.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "math/small_systems.h"
#include "solve/direct/homotopy.h"
#include "solve/direct/linear_system.h"
#include "solve/problem/project.h"
#include "solve/problem/status_equations.h"

static const double give = CN_EQUATIONS_GIVE;
static const double hardness_most = 1e8, hardness_first = 1e3, hardness_least = 10.0;
static const double hardening = 3.0, hardening_slow = 1.5;  // per centre: soon found, found
static const double softening = 0.3, softening_first = 0.1; // where it is not; and before any is
static const double solved = 0.01;                          // of the squared push of the springs
static const double detour = 1e3;                           // of the merit, after a whole step
static const double clearly = 0.9;                          // of the error: better
enum {
    VAIN_MAX = 400,     // factorizations with springs without a better iterate
    SETTLE_MAX = 5,     // steps that bring the law no closer, about one centre
    HARD_MAX = 3,       // the same without springs
    STEP_MAX = 60,      // steps about one centre
    SOON = 3,           // steps after which a centre is soon found
    LATE = 6,           // steps after which springs stay as they are
    PATH_FACTORS = 300, // work of paths, in factorizations
    CUT_MAX = 5         // halvings of a step
};

typedef struct frozen {
    double *r;      // r', by row
    double *u;      // u'
    double *b;      // right-hand sides
    double *x, *Wx; // changes of impulses and velocities
    double *w, *dw; // over bodies, by column
    double *centre; // of the springs, r'
    double *rate;   // of the last move of the centre, per hardness
    double hardness;
    unsigned char *status; // one bit per row and kind of equation, of the last step
    double merit;          // before the last step
    int changed;           // constraints whose status is another than in the step before
    bool is_settled;       // the law with springs is met better than that without
    bool is_done;          // nothing is left to do
} frozen;

// A contact that is closed: u'_n = 0, and each of its discs sticks or slides.
static int close_contact(const cn_set *set_of, double w_a, const double *u, const double *r,
                         const double *t, cn_equations *e)
{
    int rows = set_of->rows, held = 1;
    cn_cone_discs discs = cn_set_discs(set_of);
    cn_equations_hold(rows, 0, give * w_a, u[0], e);
    for (int k = 0; k < discs.count; k++) {
        const cn_cone_disc *disc = &discs.disc[k];
        double length = cn_tangential(disc->size + 1, t + disc->first - 1);
        if (length > disc->mu * fmax(r[0], 0.0)) {
            cn_equations_slide(rows, disc, length, w_a, r, t, e);
            continue;
        }
        for (int i = disc->first; i < disc->first + disc->size; i++) {
            cn_equations_hold(rows, i, give * w_a, u[i], e);
            held |= 1 << i;
        }
    }
    return held;
}

// What holds at (u', r'), by the map t = r' - m u'. Returns the rows that are held, one bit each.
static int choose_equations(const cn_set *set_of, double w_a, const double *u, const double *r,
                            cn_equations *e)
{
    int rows = set_of->rows, held = 0;
    double t[CN_ROW_MAX] = {0};
    memset(e, 0, sizeof *e);
    for (int k = 0; k < rows; k++) {
        t[k] = r[k] - u[k] / w_a;
    }
    bool is_open = set_of->kind == CN_CORE_CONE && !(t[0] > 0.0);
    if (set_of->kind == CN_CORE_CONE && !is_open) {
        return close_contact(set_of, w_a, u, r, t, e);
    }
    for (int k = 0; k < rows; k++) {
        bool is_bound = set_of->kind == CN_CORE_BOUNDED && fabs(t[k]) > set_of->mu;
        if (is_open || is_bound) {
            cn_equations_set(rows, k, r[k], is_bound ? copysign(set_of->mu, t[k]) : 0.0, e);
        } else {
            cn_equations_hold(rows, k, give * w_a, u[k], e);
            held |= 1 << k;
        }
    }
    return held;
}

// Blocks and right-hand sides at the iterate, and the factor.
static cn_status factor_statuses(cn_solver *s, const cn_problem *p, frozen *f, cn_error *err)
{
    cn_linear_system *k = s->system;
    f->changed = 0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set_of = cn_problem_set(p, c->a, c->rows);
        size_t block = sizeof(double) * (size_t)(c->rows * c->rows);
        size_t rows = sizeof(double) * (size_t)c->rows;
        cn_equations e;
        if (s->W_diag[c->a] > 0.0) {
            double w_a = s->W_diag[c->a];
            int status = choose_equations(&set_of, w_a, f->u + c->row, f->r + c->row, &e);
            cn_equations_regularize(p, c, w_a / f->hardness, &e);
            f->changed += status != f->status[n];
            f->status[n] = (unsigned char)status;
        } else {
            memset(&e, 0, sizeof e);
            for (int i = 0; i < c->rows; i++) {
                cn_equations_set(c->rows, i, 0.0, 0.0, &e);
            }
        }
        if (k->is_stored) {
            memcpy(k->M + k->block_at[n], e.M, block);
            memcpy(k->N + k->block_at[n], e.N, block);
        } else {
            double copy[CN_ROW_MAX * CN_ROW_MAX];
            memcpy(copy, e.M, block);
            cn_small_solve(c->rows, c->rows, copy, e.N);
            cn_small_solve(c->rows, 1, e.M, e.right);
            memcpy(k->E + k->block_at[n], e.N, block);
        }
        memcpy(f->b + c->row, e.right, rows);
    }
    k->has_N = k->is_stored;
    return cn_system_factor(s, p, CN_FACTOR_LU, err);
}

// Over bodies: B dw = G (r + b) - w, then x = b - E G^T dw.
static cn_status solve_bodies(cn_solver *s, const cn_problem *p, frozen *f, cn_error *err)
{
    cn_linear_system *k = s->system;
    cn_system_imbalance(s, p, p->r, f->b, f->w, f->dw);
    CN_TRY(cn_system_solve_columns(k, f->dw, err));
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double du[CN_ROW_MAX];
        cn_system_collect(k, c, &p->W.factors, n, f->dw, du);
        for (int i = 0; i < c->rows; i++) {
            const double *E = k->E + k->block_at[n] + c->rows * i;
            f->x[c->row + i] = f->b[c->row + i];
            for (int j = 0; j < c->rows; j++) {
                f->x[c->row + i] -= E[j] * du[j];
            }
        }
    }
    return CN_OK;
}

// u' at r' with the springs, over bodies from w, over rows from r itself.
static void find_velocity(cn_solver *s, const cn_problem *p, frozen *f)
{
    const cn_linear_system *k = s->system;
    if (k->is_stored) {
        cn_solver_apply(s, p, p->r);
        cn_solver_velocity(s, p, p->r, s->u);
    }
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double u[CN_ROW_MAX];
        if (!k->is_stored) {
            cn_system_collect(k, c, &p->W.factors, n, f->w, u);
        }
        for (int i = 0; i < c->rows; i++) {
            int row = c->row + i;
            f->u[row] = (k->is_stored ? s->u[row] : p->u_free[row] + u[i]) +
                        cn_row_or_zero(p->b, row) + cn_row_or_zero(p->c, row) * f->r[row] +
                        s->W_diag[c->a] / f->hardness * (f->r[row] - f->centre[row]);
        }
    }
}

// Starts at the best impulses, which become the centre.
static void start_at_best(cn_solver *s, const cn_problem *p, frozen *f)
{
    cn_linear_system *k = s->system;
    memcpy(p->r, s->r_best, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    if (!k->is_stored) {
        memset(f->w, 0, sizeof(double) * (size_t)k->block_start[k->block_count]);
    }
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            f->r[i] = f->centre[i] = p->r[i] + cn_row_or_zero(p->r0, i);
        }
        if (!k->is_stored) {
            cn_system_deposit(k, c, &p->W.factors, n, p->r + c->row, f->w);
        }
    }
    cn_fold_columns(s, f->w);
}

// r' into the cones, to be measured: Newton leaves it out of them by the square of its step.
static void project_impulses(cn_solver *s, const cn_problem *p, const frozen *f)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set_of = cn_problem_set(p, c->a, c->rows);
        cn_set_project(&set_of, f->r + c->row, p->r + c->row);
        for (int i = c->row; i < c->row + c->rows; i++) {
            p->r[i] -= cn_row_or_zero(p->r0, i);
        }
    }
    cn_solver_apply(s, p, p->r);
}

// r' += a x, and w with it.
static void move_along(const cn_solver *s, double a, frozen *f)
{
    const cn_linear_system *k = s->system;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            f->r[i] += a * f->x[i];
        }
    }
    for (int i = 0; i < k->block_start[k->block_count] && !k->is_stored; i++) {
        f->w[i] += a * f->dw[i];
    }
}

// How far r' is from the law with springs: the natural map (8.8) in the norm of energy.
static double measure_merit(cn_solver *s, const cn_problem *p, const frozen *f)
{
    double sum = 0.0;
    cn_solver_apply_core(s, p, f->r);
    cn_solver_velocity(s, p, p->r, s->u);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set_of = cn_problem_set(p, c->a, c->rows);
        double u[CN_ROW_MAX] = {0}, y[CN_ROW_MAX], w_a = s->W_diag[c->a];
        for (int i = 0; i < c->rows; i++) {
            int row = c->row + i;
            u[i] = s->u[row] + cn_row_or_zero(p->b, row) + cn_row_or_zero(p->c, row) * f->r[row] +
                   w_a / f->hardness * (f->r[row] - f->centre[row]);
        }
        u[0] += cn_set_shift(&set_of, u);
        for (int i = 0; i < c->rows && w_a > 0.0; i++) {
            y[i] = f->r[c->row + i] - u[i] / w_a;
        }
        cn_set_project(&set_of, y, y);
        for (int i = 0; i < c->rows && w_a > 0.0; i++) {
            double d = f->r[c->row + i] - y[i];
            sum += w_a * d * d;
        }
    }
    return sum;
}

// Along the Newton direction: all of it unless that is a long detour, else halved until the law
// with springs is closer, or as close as it gets.
static void search_line(cn_solver *s, const cn_problem *p, frozen *f)
{
    double a = 1.0, at = 1.0, best = INFINITY;
    move_along(s, 1.0, f);
    for (int cut = 0; cut <= CUT_MAX; cut++) {
        double now = measure_merit(s, p, f);
        if (now < best) {
            best = now;
            at = a;
        }
        if (now < (cut == 0 ? detour : 1.0) * f->merit) {
            return;
        }
        if (cut < CUT_MAX) {
            move_along(s, -0.5 * a, f);
            a *= 0.5;
        }
    }
    move_along(s, at - a, f);
}

// r' as it was measured; w keeps what Newton found for it.
static void take_measured(const cn_solver *s, const cn_problem *p, frozen *f)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            f->r[i] = p->r[i] + cn_row_or_zero(p->r0, i);
        }
    }
}

// One Newton step, measured. *is_done: stop.
static cn_status take_newton_step(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                                  frozen *f, bool *is_done, cn_error *err)
{
    f->merit = measure_merit(s, p, f);
    find_velocity(s, p, f);
    CN_TRY(factor_statuses(s, p, f, err));
    progress->factorization_count++;
    progress->iteration_count++;
    progress->sweep_count += cn_system_sweeps(s, p);
    if (s->system->is_stored) {
        CN_TRY(cn_system_solve(s, p, f->b, f->x, f->Wx, err));
    } else {
        CN_TRY(solve_bodies(s, p, f, err));
    }
    search_line(s, p, f);
    project_impulses(s, p, f);
    take_measured(s, p, f);
    progress->sweep_next = 0;
    *is_done = cn_progress_check(progress, s, p);
    return CN_OK;
}

// What the springs push, squared, in the norm of energy: how far r' is from the law without them.
static double measure_push(const cn_solver *s, const frozen *f)
{
    double sum = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            double d = (f->r[i] - f->centre[i]) / f->hardness;
            sum += s->W_diag[c->a] * d * d;
        }
    }
    return sum;
}

// Newton steps about one centre until the statuses repeat and the law with springs is met better
// than that without, or until `most` of them in a row bring it no closer. f->is_settled: it is met.
static cn_status settle_statuses(cn_solver *s, const cn_problem *p, int most,
                                 cn_solve_progress *progress, frozen *f, cn_error *err)
{
    double best = INFINITY;
    f->is_settled = f->is_done = false;
    for (int idle = 0, k = 0; idle < most && k < STEP_MAX && !f->is_settled && !f->is_done; k++) {
        CN_TRY(take_newton_step(s, p, progress, f, &f->is_done, err));
        idle = f->merit < 0.9 * best ? 0 : idle + 1;
        best = fmin(best, f->merit);
        bool is_hard = f->hardness >= hardness_most;
        f->is_settled = k > 0 && f->changed == 0 &&
                        (is_hard || measure_merit(s, p, f) <=
                                        solved * measure_push(s, f)); // directions turn on
    }
    return CN_OK;
}

// To where the next centre is to be expected, from the rate of the last one (13.23).
static void start_next_centre(const cn_solver *s, const cn_problem *p, frozen *f)
{
    const cn_linear_system *k = s->system;
    if (!k->is_stored) {
        memset(f->w, 0, sizeof(double) * (size_t)k->block_start[k->block_count]);
    }
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            f->r[i] = f->centre[i] + f->hardness * f->rate[i];
            p->r[i] = f->r[i] - cn_row_or_zero(p->r0, i);
        }
        if (!k->is_stored) {
            cn_system_deposit(k, c, &p->W.factors, n, p->r + c->row, f->w);
        }
    }
    cn_fold_columns(s, f->w);
}

// r' becomes the centre.
static void move_centre(const cn_solver *s, frozen *f)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            f->rate[i] = (f->r[i] - f->centre[i]) / f->hardness;
            f->centre[i] = f->r[i];
        }
    }
}

// Without springs: a few steps, for iterates whose statuses are right.
static cn_status iterate_hard(cn_solver *s, const cn_problem *p, frozen *f,
                              cn_solve_progress *progress, cn_error *err)
{
    start_at_best(s, p, f);
    f->hardness = hardness_most;
    return settle_statuses(s, p, HARD_MAX, progress, f, err);
}

// With springs that get harder as long as the next centre is found, and softer when it is not.
static cn_status iterate_soft(cn_solver *s, const cn_problem *p, frozen *f,
                              cn_solve_progress *progress, cn_error *err)
{
    bool is_moved = false;
    double best = progress->err_best;
    int limit = progress->factorization_count + VAIN_MAX;
    start_at_best(s, p, f);
    memset(f->rate, 0, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    f->hardness = hardness_first;
    while (progress->factorization_count < limit && f->hardness >= hardness_least) {
        int before = progress->factorization_count;
        CN_TRY(settle_statuses(s, p, SETTLE_MAX, progress, f, err));
        if (f->is_done) {
            return CN_OK;
        }
        int steps = progress->factorization_count - before;
        if (f->is_settled) {
            move_centre(s, f);
            is_moved = true;
            f->hardness *= steps <= SOON ? hardening : (steps <= LATE ? hardening_slow : 1.0);
            f->hardness = fmin(f->hardness, hardness_most);
        } else {
            f->hardness *= is_moved ? softening : softening_first;
        }
        start_next_centre(s, p, f);
        if (progress->err_best < clearly * best) {
            best = progress->err_best;
            limit = progress->factorization_count + VAIN_MAX;
        }
    }
    return CN_OK;
}

// Newton steps by `iterate`; p->r and s->r_best are never left worse.
static cn_status run_newton(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                            cn_status (*iterate)(cn_solver *, const cn_problem *, frozen *,
                                                 cn_solve_progress *, cn_error *),
                            cn_error *err)
{
    CN_TRY(cn_system_begin(s, p, err));
    size_t rows = (size_t)p->row_start[p->contact_count], count = (size_t)s->packed_count;
    size_t columns = (size_t)s->system->block_start[s->system->block_count];
    double *work;
    CN_TRY(cn_solver_work(s, 7 * rows + 2 * columns + count / sizeof(double) + 1, &work, err));
    frozen f = {.r = work,
                .u = work + rows,
                .b = work + 2 * rows,
                .x = work + 3 * rows,
                .Wx = work + 4 * rows,
                .w = work + 5 * rows,
                .dw = work + 5 * rows + columns,
                .centre = work + 5 * rows + 2 * columns,
                .rate = work + 6 * rows + 2 * columns,
                .status = (unsigned char *)(work + 7 * rows + 2 * columns)};
    memset(f.status, 0xff, count);
    cn_error why = {0};
    progress->patience = INT_MAX / 2; // ends by itself
    cn_status status = iterate(s, p, &f, progress, &why);
    if (!progress->is_converged) {
        memcpy(p->r, s->r_best, sizeof(double) * rows);
        cn_solver_apply(s, p, p->r);
    }
    if (status == CN_OK || status == CN_BROKEN) { // a singular system: this is as far as it goes
        return CN_OK;
    }
    return cn_fail(err, status, "%s", why.text);
}

static cn_status run_hard(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                          cn_error *err)
{
    return run_newton(s, p, progress, iterate_hard, err);
}

cn_status cn_active_set_newton(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                               cn_error *err)
{
    if (!cn_progress_allows(progress, CN_METHOD_ACTIVE_SET_NEWTON)) {
        return CN_OK;
    }
    cn_method before = cn_progress_charge(progress, CN_METHOD_ACTIVE_SET_NEWTON);
    cn_status status = cn_fold_run(run_hard, s, p, progress, err);
    cn_progress_charge(progress, before);
    return status;
}

cn_status cn_prox_newton(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                         cn_error *err)
{
    CN_TRY(run_newton(s, p, progress, iterate_soft, err));
    if (!progress->is_converged && !progress->is_over &&
        cn_progress_allows(progress, CN_METHOD_HOMOTOPY)) {
        CN_TRY(cn_homotopy(s, p, s->r_best, PATH_FACTORS, progress, err));
    }
    progress->is_stalled = !progress->is_converged;
    return CN_OK;
}
