// solve/auto_run.c -- how the methods of the table in auto.c are started, and what is learned.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "solve/auto.h"
#include "solve/direct/active_set_newton.h"
#include "solve/direct/admm.h"
#include "solve/direct/homotopy.h"
#include "solve/problem/regime.h"

void cn_auto_take_best(cn_auto_state *a)
{
    size_t rows = (size_t)a->p->row_start[a->p->contact_count];
    memcpy(a->p->r, a->s->r_best, sizeof(double) * rows);
    cn_solver_apply(a->s, a->p, a->p->r);
}

// A subproblem goes deeper than what is accepted: a Newton step more costs little there.
static bool is_part(const cn_auto_state *a)
{
    return a->s->is_inner && cn_auto_runs(a, CN_METHOD_NNCG) == 1;
}

static void set_part_factor(cn_auto_state *a)
{
    a->progress->accept_factor = is_part(a) ? 1e-3 : a->progress->accept_factor;
}

static void unset_part_factor(cn_auto_state *a)
{
    a->progress->accept_factor = is_part(a) ? 1.0 : a->progress->accept_factor;
}

// A method as it is, from the best iterate. Those with a matrix end with Newton steps by
// themselves; these would fail again from there.
cn_status cn_run_method(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    cn_auto_take_best(a);
    set_part_factor(a);
    cn_status status = cn_progress_run(a->progress, row->method, a->s, a->p, err);
    unset_part_factor(a);
    a->left = INFINITY;
    if (row->method == CN_METHOD_IPM || row->method == CN_METHOD_IPM_LAGGED) {
        a->is_convex = false;
        a->newton_failed = a->progress->err_best;
    }
    return status;
}

// ---- sweeps

// Structures are swept until that has cost what comes next.
static int sweep_patience(cn_auto_state *a)
{
    int least = cn_auto_c.patience * (1 + a->is_chain), most = 15 * cn_auto_c.patience;
    if (a->is_convex || a->regime != CN_REGIME_STRUCTURE) {
        return a->is_convex ? cn_auto_c.patience_convex : least;
    }
    double next = cn_auto_c.ipm_steps * cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY);
    return next > most ? most : (next > least ? (int)next : least);
}

static void begin_sweeps(cn_auto_state *a)
{
    cn_progress_begin(a->progress, CN_METHOD_NNCG, sweep_patience(a));
    cn_momentum_reset(a->s, a->p, a->is_chain, &a->momentum);
    a->mark = a->half = a->next_half =
        (cn_auto_mark){.error = cn_progress_distance(a->progress, &a->progress->residual)};
}

// Iterations that are left when the error fell from `before` to `now` in `count` of them.
static double predict(double before, double now, int count)
{
    return now < before ? log(now) / log(before / now) * count : INFINITY;
}

// The same of a structure, by how much the error fell in the last half of the run or more. A
// promise is not believed that reaches further than twice of what was seen.
static double predict_structure(cn_auto_state *a)
{
    const cn_auto_mark *now = &a->mark, *from = &a->half;
    double seen = now->iterations - from->iterations;
    double left = now->error < from->error ? log(now->error) / log(from->error / now->error) * seen
                                           : INFINITY;
    return left <= 2.0 * seen ? left : INFINITY;
}

static void mark_sweeps(cn_auto_state *a, int count)
{
    if (a->mark.iterations >= 2 * a->half.iterations) {
        a->half = a->next_half;
        a->next_half = a->mark;
    }
    a->mark.iterations += count;
    a->mark.error = a->progress->err_run;
}

// So many iterations of NNCG; true: stop.
static bool sweep_for(cn_auto_state *a, int count)
{
    cn_solve_progress *progress = a->progress;
    double before = fmin(progress->err_best, a->first_distance);
    for (int k = 0; k < count; k++) {
        progress->sweep_count += cn_momentum_sweep(a->s, a->p, &a->momentum);
        progress->iteration_count++;
        progress->change = a->momentum.g;
        if (k == count - 1) { // what is decided next rests on this measurement
            progress->sweep_next = 0;
        }
        if (cn_progress_check(progress, a->s, a->p)) {
            return true;
        }
        cn_momentum_push(a->s, a->p, &a->momentum);
    }
    mark_sweeps(a, count);
    a->left = a->regime == CN_REGIME_STRUCTURE ? predict_structure(a)
                                               : predict(before, progress->err_best, count);
    return false;
}

// Whether a matrix is to go on already.
static bool is_first_over(cn_auto_state *a)
{
    return a->regime == CN_REGIME_REST || (a->regime == CN_REGIME_STRUCTURE && cn_when_rest(a));
}

// The first sweeps, from the guess, with looks for rest between them.
static void sweep_first(cn_auto_state *a)
{
    cn_solve_progress *progress = a->progress;
    bool may_tell = a->is_stored || cn_may_rest(a->s, a->p, progress->residual.v_ref);
    bool is_warm = !a->is_stored && cn_has_guess(a->p);
    a->has_guess = is_warm && a->is_step && !a->s->has_moment_rows && !a->s->is_inner;
    a->is_chain = !a->is_stored && may_tell;
    a->is_begun = true;
    begin_sweeps(a);
    const int slice = may_tell ? cn_auto_c.look : cn_auto_c.first;
    for (int done = 0; done < cn_auto_c.first && !is_first_over(a); done += slice) {
        if (sweep_for(a, slice / (1 + a->is_chain))) {
            break;
        }
        if (done > 0 || !may_tell || is_warm) { // from zero the first test tells little
            cn_auto_find_regime(a);
        }
    }
    a->rest_after = cn_admm_patience(a->s, a->p);
    a->left = a->s->is_inner ? INFINITY : a->left; // Newton steps come first
}

// Where flows go on: one way, and for long where there is no friction, since nothing cycles.
static void begin_flow(cn_auto_state *a)
{
    if (a->is_chain && (a->is_large || a->regime == CN_REGIME_FLOW)) {
        a->is_chain = false;
        a->progress->patience = sweep_patience(a);
        cn_momentum_reset(a->s, a->p, false, &a->momentum);
    }
    if (a->regime == CN_REGIME_FLOW && !a->is_stored && cn_is_smooth(a->s)) {
        a->is_convex = true;
        a->progress->patience = cn_auto_c.patience_convex;
    }
}

// A slice of sweeps on a structure.
static void sweep_structure(cn_auto_state *a)
{
    if (a->last != CN_METHOD_NNCG || a->progress->is_stalled) {
        if (!a->is_handed_on) {
            cn_auto_take_best(a);
        }
        begin_sweeps(a);
    } else if (cn_auto_runs(a, CN_METHOD_NNCG) == 2) {
        a->progress->patience = sweep_patience(a);
        begin_flow(a);
    }
    a->is_handed_on = false;
    sweep_for(a, cn_auto_c.first / (1 + a->is_chain));
}

// What has not shown yet that it is a structure: a long arch holds when sweeps have reached its
// ends.
static bool may_hold(const cn_auto_state *a)
{
    return a->regime == CN_REGIME_FLOW && a->can_factor &&
           cn_may_rest(a->s, a->p, a->progress->residual.v_ref) &&
           cn_hyperstaticity_bound(a->s) > cn_auto_c.hyperstatic;
}

// The first sweeps, or a slice of them.
cn_status cn_run_sweeps(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    (void)row;
    (void)err;
    if (!a->is_begun) {
        sweep_first(a);
        return CN_OK;
    }
    if (a->regime == CN_REGIME_STRUCTURE) {
        sweep_structure(a);
        return CN_OK;
    }
    bool is_rest = a->regime == CN_REGIME_REST;
    if (a->last != CN_METHOD_NNCG) {
        cn_auto_take_best(a);
        begin_sweeps(a);
    }
    if (!is_rest && cn_auto_runs(a, CN_METHOD_NNCG) == 2) {
        begin_flow(a);
    }
    int count = cn_auto_c.slice;
    if (is_rest && !a->is_swept && a->left < count) {
        count = (int)a->left + 5;
    }
    if (!sweep_for(a, count) && a->is_motion && may_hold(a)) {
        cn_auto_find_regime(a);
    }
    a->swept_after_admm += a->is_swept ? count : 0;
    return CN_OK;
}

// ---- methods with a matrix

cn_status cn_run_newton(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    (void)row;
    set_part_factor(a);
    cn_status status = cn_active_set_newton(a->s, a->p, a->progress, err);
    unset_part_factor(a);
    a->newton_failed = a->progress->err_best;
    return status;
}

// What rounding in a matrix leaves of fast modes, a few sweeps take away.
static void polish(cn_auto_state *a)
{
    enum { ITERATIONS = 30 };
    if (a->progress->accept_factor < 1.0 && a->progress->is_converged && !a->progress->is_over) {
        a->progress->accept_factor = 0.0;
        cn_auto_take_best(a);
        begin_sweeps(a);
        sweep_for(a, ITERATIONS);
    }
}

static bool is_still(const cn_auto_state *a)
{
    return a->p->v_before < cn_auto_c.still * a->progress->residual.v_ref; // false if not known
}

// Share of what is accepted to which a matrix goes on where nothing moves but by errors; 1 where
// that would be little.
static double rest_factor(const cn_auto_state *a)
{
    const double most = 1e-3;
    const cn_solver_def *def = a->progress->def;
    double factor = cn_auto_c.rounding / fmin(def->eps_v, def->tol);
    return a->is_step && is_still(a) && factor <= most ? factor : 1.0;
}

// ADMM as it suits bodies at rest, and no other way: if it does not get below the best iterate in
// time, they are not.
static cn_status find_rest(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    cn_solve_progress *progress = a->progress;
    progress->accept_factor = a->is_deep || a->is_cold ? rest_factor(a) : 1.0; // as far as it goes
    cn_auto_take_best(a);
    int patience = cn_admm_patience(a->s, a->p); // half of it for what may move
    bool may_move = a->is_motion && !is_still(a);
    patience *= progress->is_converged ? 4 : 1; // which is a quarter then (cn_progress_check)
    cn_progress_begin(progress, row->method, may_move ? patience / 2 : patience);
    progress->err_run = progress->err_halved = progress->err_best;
    cn_admm_def def = {.rho = cn_admm_rest(a->p)};
    // What is bonded gives anyway. Words that judge the bulk accept what sweeps leave after an
    // early end, and structures would creep.
    bool is_bulk = cn_accuracy_row(progress->def->accuracy)->is_bulk;
    if (a->is_motion && a->p->k == NULL && !is_bulk) {
        def.has_weights = true;
        def.late = cn_auto_c.newton_late;
        def.patience = cn_auto_c.burst;
    }
    cn_status status = cn_admm_run(a->s, a->p, &def, progress, err);
    if (status == CN_OK) {
        polish(a);
    }
    progress->accept_factor = 1.0;
    return status;
}

// What a method with a matrix ends with is gone on with in a structure, though its largest error
// may be more than that of the best iterate: it is closer to equilibrium, unless its energy error
// tells otherwise.
static void hand_on(cn_auto_state *a)
{
    a->is_handed_on = a->progress->residual.err_e <= a->progress->best_energy;
    a->is_chain = a->is_chain || a->is_handed_on;
    a->left = INFINITY;
    a->s->is_start_good = a->is_handed_on;
}

// From the guess, not from what sweeps have made of it.
cn_status cn_run_warm(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    memcpy(a->p->r, a->s->r_guess, sizeof(double) * (size_t)a->p->row_start[a->p->contact_count]);
    cn_solver_apply(a->s, a->p, a->p->r);
    cn_status status = cn_progress_run(a->progress, row->method, a->s, a->p, err);
    if (a->regime == CN_REGIME_STRUCTURE) {
        hand_on(a);
    }
    return status;
}

cn_status cn_run_homotopy(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    enum { FACTORS = 100 };                                   // work at most, in factorizations
    cn_progress_begin(a->progress, row->method, INT_MAX / 2); // paths end by themselves
    return cn_homotopy(a->s, a->p, a->s->r_guess, FACTORS, a->progress, err);
}

cn_status cn_run_rest(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    a->is_rest_tried = true;
    cn_status status = find_rest(a, row, err);
    if (a->regime == CN_REGIME_STRUCTURE && !a->progress->is_converged) {
        hand_on(a);
    }
    return status;
}

// ---- proximal terms

// Patience of a turn: where others follow, half of what the row says.
static int patience_of(const cn_auto_state *a, const cn_auto_row *row)
{
    return row->patience / (a->is_large || a->is_step ? 2 : 1);
}

// What comes after a turn that has stalled: plain sweeps where what is left is near, and soft
// proximal terms, which creep there without a halt; then all again as long as that helps.
static cn_turn next_turn(cn_auto_state *a)
{
    const double worth = 0.7; // of the error, what a round must leave to go on
    double err = a->progress->err_best;
    bool is_round = a->is_large || a->is_step;
    double limit = a->is_large && a->is_step ? cn_auto_c.near : cn_auto_c.near_plain;
    bool may_plain = err < limit && cn_progress_allows(a->progress, CN_METHOD_NLGS);
    if (a->turn == CN_TURN_USUAL && may_plain) {
        return CN_TURN_PLAIN;
    }
    if (a->turn != CN_TURN_SOFT) {
        return is_round && err < cn_auto_c.near ? CN_TURN_SOFT : CN_TURN_OVER;
    }
    bool is_again = err < fmin(worth * a->turn_start, cn_auto_c.near);
    a->turn_start = err;
    return is_again ? CN_TURN_USUAL : CN_TURN_OVER;
}

// Until the error has fallen by 30, when Newton steps are asked.
cn_status cn_run_prox(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    const double fall = 0.03;
    const int promise = 500; // iterations that Newton steps are compared with
    cn_solve_progress *progress = a->progress;
    double stop_at = fall * progress->err_best;
    a->turn_start = a->turn_start == 0.0 ? progress->err_best : a->turn_start;
    progress->stop_at = stop_at;
    progress->hardness_factor = a->turn == CN_TURN_USUAL ? 1.0 : cn_auto_c.soft;
    cn_auto_take_best(a);
    cn_progress_begin(progress, row->method, patience_of(a, row));
    cn_status status = cn_prox(a->s, a->p, progress, err);
    progress->stop_at = 0.0;
    progress->hardness_factor = 1.0;
    a->left = promise;
    if (progress->err_best > stop_at) {
        a->turn = next_turn(a);
    }
    return status;
}

cn_status cn_run_plain(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    cn_auto_take_best(a);
    cn_progress_begin(a->progress, row->method, patience_of(a, row));
    cn_status status = cn_nlgs(a->s, a->p, a->progress, err);
    a->turn = next_turn(a);
    return status;
}

cn_status cn_run_adaptive(cn_auto_state *a, const cn_auto_row *row, cn_error *err)
{
    cn_auto_take_best(a);
    cn_progress_begin(a->progress, row->method, row->patience);
    return cn_prox_adaptive(a->s, a->p, a->progress, err);
}
