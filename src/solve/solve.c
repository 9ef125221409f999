// solve/solve.c -- the public entry: checks, packs, runs a method, certifies what it returns.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "solve/direct/linear_system.h"
#include "solve/problem/acceptance.h"
#include "solve/problem/parallel.h"
#include "solve/problem/regime.h"
#include "solve/sleep/islands.h"
#include "solve/sleep/locked.h"
#include "solve/sleep/subproblem.h"
#include "solve/sweep/open_contacts.h"

const char *cn_order_name(cn_order order)
{
    static const char *const name[CN_ORDER_COUNT] = {"fixed", "reversed", "alternating", "random"};
    return name[order];
}

cn_solver_def cn_solver_def_default(void)
{
    return (cn_solver_def){.method = CN_METHOD_AUTO,
                           .order = CN_ORDER_FIXED,
                           .sweep_max = 20000,
                           .factor_memory = 2e9};
}

cn_status cn_solver_create(const cn_hooks *hooks, cn_solver **solver, cn_error *err)
{
    CN_NEED(err, solver);
    cn_solver *s = cn_resize(hooks, NULL, sizeof *s);
    if (s == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a solver");
    }
    memset(s, 0, sizeof *s);
    if (hooks != NULL) {
        s->hooks = *hooks;
    }
    *solver = s;
    return CN_OK;
}

void cn_solver_destroy(cn_solver *solver)
{
    if (solver == NULL) {
        return;
    }
    cn_hooks hooks = solver->hooks;
    cn_system_destroy(solver->system);
    cn_subproblem_destroy(solver);
    cn_fold_release(&solver->fold, &hooks);
    void *owned[] = {solver->packed,     solver->stream,   solver->w,          solver->w_old,
                     solver->w_momentum, solver->r_old,    solver->r_momentum, solver->r_best,
                     solver->u,          solver->W_diag,   solver->work,       solver->soft,
                     solver->r_guess,    solver->length,   solver->scaled,     solver->kind_awake,
                     solver->island,     solver->is_awake, solver->is_open,    solver->body_start,
                     solver->root,       solver->is_locked};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(&hooks, owned[k]);
    }
    cn_batches_release(&solver->batches, &hooks);
    cn_release(&hooks, solver);
}

size_t cn_solver_bytes(const cn_solver *s)
{
    const cn_batches *b = &s->batches;
    const cn_zones *z = &b->zones;
    size_t reals = s->stream_capacity + s->w_capacity + s->w_old_capacity + s->w_momentum_capacity +
                   s->r_old_capacity + s->r_momentum_capacity + s->r_best_capacity + s->u_capacity +
                   s->W_diag_capacity + s->work_capacity + s->soft_capacity + s->r_guess_capacity +
                   s->length_capacity + s->scaled_capacity + b->stream_capacity +
                   b->taken_capacity + s->root_capacity + s->fold.numbers_capacity +
                   s->fold.dense_capacity;
    size_t integers = s->island_capacity + s->body_start_capacity + b->zone_start_capacity +
                      b->zone_closed_capacity + z->item_capacity + z->owner_capacity;
    return sizeof *s + reals * sizeof(double) + integers * sizeof(int) +
           s->packed_capacity * sizeof *s->packed + b->batch_capacity * sizeof *b->batch +
           b->rest_capacity * sizeof *b->rest + s->kind_awake_capacity + s->is_awake_capacity +
           s->is_open_capacity + s->is_locked_capacity + cn_subproblem_bytes(s);
}

cn_status cn_solver_work(cn_solver *s, size_t count, double **work, cn_error *err)
{
    CN_TRY(cn_reserve(&s->hooks, &s->work, &s->work_capacity, count, err));
    *work = s->work;
    return CN_OK;
}

// Impulses that hold each other may grow until velocities are lost in their rounding: of the
// reference velocity, rounding from which an error tells nothing.
static const double lost = 1e-3;

double cn_progress_distance(const cn_solve_progress *progress, const cn_residual *residual)
{
    double asked = cn_acceptance_distance(progress->def, residual);
    double miss = progress->miss_most < INFINITY ? residual->miss + residual->rounding : 0.0;
    double vain = fmax(miss / progress->miss_most, residual->approach / progress->approach_most);
    if (progress->e_most > 0.0) { // (8.26)
        vain = fmax(vain, residual->e_max / progress->e_most);
    }
    if (progress->def->measure == CN_MEASURE_VELOCITY &&
        residual->rounding > lost * residual->v_ref) {
        asked += residual->rounding / (residual->v_ref * progress->def->eps_v);
    }
    return vain > asked ? vain : asked; // not a number stays so
}

static bool is_accepted(const cn_solve_progress *progress)
{
    return cn_progress_distance(progress, &progress->residual) <= 1.0;
}

static void measure_iterate(cn_solve_progress *progress, cn_solver *s, const cn_problem *p)
{
    cn_residual *residual = &progress->residual;
    cn_solver_velocity(s, p, p->r, s->u);
    cn_solver_residual(s, p, s->u, residual);
    cn_acceptance_count(progress->def, s, p, residual);
    if (progress->approach_most < INFINITY) {
        residual->approach = cn_acceptance_approach(progress, s, p, residual);
    }
}

void cn_progress_renew(cn_solve_progress *progress)
{
    progress->err_run = progress->err_halved = INFINITY;
    progress->sweep_halved = progress->sweep_count;
}

cn_method cn_progress_charge(cn_solve_progress *progress, cn_method method)
{
    cn_method before = progress->running;
    cn_method_work *work = &progress->work[before], *mark = &progress->mark;
    double now = cn_wall_clock(); // for the report: nothing is decided by it
    work->iteration_count += progress->iteration_count - mark->iteration_count;
    work->sweep_count += progress->sweep_count - mark->sweep_count;
    work->seconds += now - mark->seconds;
    *mark = (cn_method_work){.iteration_count = progress->iteration_count,
                             .sweep_count = progress->sweep_count,
                             .seconds = now};
    progress->running = method;
    progress->work[method].run_count += method != before;
    if (method != CN_METHOD_AUTO) {
        cn_progress_enter(progress, method);
    }
    return before;
}

void cn_progress_enter(cn_solve_progress *progress, cn_method method)
{
    bool is_again =
        progress->chain_count > 0 && progress->chain[progress->chain_count - 1] == method;
    if (progress->chain_count < CN_CHAIN_MAX && !is_again) {
        progress->chain[progress->chain_count++] = method;
    }
}

void cn_work_add(const cn_method_work *from, cn_method_work *to)
{
    for (int k = 0; k < CN_METHOD_NAME_COUNT; k++) {
        to[k].run_count += from[k].run_count;
        to[k].iteration_count += from[k].iteration_count;
        to[k].sweep_count += from[k].sweep_count;
        to[k].seconds += from[k].seconds;
    }
}

void cn_progress_begin(cn_solve_progress *progress, cn_method method, int patience)
{
    cn_progress_charge(progress, method);
    cn_progress_renew(progress);
    progress->patience = patience;
    progress->sweep_next = 0;
    progress->change = progress->change_measured = 0.0;
    progress->is_stalled = false;
}

cn_status cn_progress_run(cn_solve_progress *progress, cn_method method, cn_solver *s,
                          const cn_problem *p, cn_error *err)
{
    const cn_method_row *row = cn_method_find(method);
    bool is_asked = progress->def->method == method && progress->def->patience > 0;
    if (!cn_progress_allows(progress, method)) {
        return CN_OK;
    }
    if (method != CN_METHOD_AUTO) { // the chain names the methods that it chooses
        cn_progress_begin(progress, method, is_asked ? progress->def->patience : row->patience);
    }
    return row->is_folded ? cn_fold_run(row->iterate, s, p, progress, err)
                          : row->iterate(s, p, progress, err);
}

// What a constraint at rest may miss its law by: less than what is asked for, and far less where
// bodies would creep by that in each step; rounding of positions alone, over a step, is some 1e-11
// of the reference velocity.
static cn_sleep_limits limits_of(const cn_solve_progress *progress)
{
    double eps = fmin(progress->def->eps_v, progress->def->tol), v_ref = progress->residual.v_ref;
    return (cn_sleep_limits){.loose = fmin(1e-2 * eps, fmax(1e-7 * eps, 1e-10)) * v_ref,
                             .still = 0.5 * progress->def->eps_v * v_ref,
                             .tie = progress->def->eps_v * v_ref};
}

// Impulses that stopped a motion act against it when they are used again: bodies that stand still
// accelerate, and will be faster in each step to come. Whether errors are rather those of the step
// before, or hardly any.
static bool is_steady(const cn_residual *now, const cn_problem *p, double limit)
{
    const double hardly = 0.1, faster = 4.0;
    return isnan(p->v_before) || now->e_max <= hardly * limit ||
           now->err_v_rms * now->v_ref <= faster * p->v_before;
}

// Whether a start that is accepted is made better all the same: of so few constraints a sweep costs
// less than the question; gaps of joints are to close further than is asked of contacts.
static bool must_go_on(const cn_solver *s)
{
    enum { FEW = 16 };
    bool found = s->packed_count <= FEW;
    for (int n = 0; n < s->packed_count && !found; n++) {
        found = s->packed[n].kind == CN_CORE_BILATERAL;
    }
    return found;
}

// Rest is certified, not assumed (islands.h). Else a start that is accepted costs no sweep.
static cn_status look_for_rest(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                               int *frozen, cn_error *err)
{
    measure_iterate(progress, s, p);
    cn_sleep_limits limits = limits_of(progress);
    bool is_all_locked;
    CN_TRY(cn_locked_find(s, p, limits.tie, &is_all_locked, err));
    CN_TRY(cn_islands_find_asleep(s, p, &limits, progress->residual.worst, frozen, err));
    if (*frozen == s->packed_count && !is_all_locked &&
        !is_steady(&progress->residual, p, limits.loose)) {
        *frozen = 0;
    }
    bool is_certified = *frozen == s->packed_count || !must_go_on(s);
    progress->is_converged = is_certified && is_accepted(progress);
    return CN_OK;
}

// A measurement costs as much as several sweeps. Where the method says how much an iteration
// changes they are few: the error falls about like the change, and is measured when that promises
// the end.
static bool is_due(const cn_solve_progress *progress)
{
    if (progress->is_over || progress->sweep_count >= progress->sweep_next) {
        return true;
    }
    if (progress->change == 0.0 || progress->sweep_count < progress->sweep_soonest) {
        return false;
    }
    double err = progress->err_measured * sqrt(progress->change / progress->change_measured);
    return err <= fmax(progress->stop_at, progress->accept_factor);
}

// Whether this is the first iteration of a run whose start was measured, far from what is accepted:
// then its change is that of the start.
static bool is_far_start(const cn_solve_progress *progress)
{
    const double far = 4.0;
    return progress->change > 0.0 && progress->change_measured == 0.0 &&
           progress->sweep_next == 0 && !progress->is_over &&
           cn_progress_distance(progress, &progress->residual) > far;
}

static void plan_next(cn_solve_progress *progress, double err)
{
    enum { SOON = 24 }; // plain sweeps near the end come in bursts: not to miss what is accepted
    const double near = 3.0;
    int done = progress->sweep_count, wait = 2 + done / 8;
    bool is_told = progress->change > 0.0;
    wait = err < near && wait > SOON ? SOON : wait;
    progress->sweep_next = done + (is_told ? 16 + done / 4 : wait);
    progress->sweep_soonest = done + 2 + done / 32;
    progress->change_measured = progress->change;
    progress->err_measured = err;
}

// w carries the rounding of all sweeps since it was built. Whether that may be more than 1e-7 of
// what is accepted.
static bool may_drift(const cn_solve_progress *progress, const cn_solver *s)
{
    double eps = fmin(progress->def->eps_v, progress->def->tol);
    return s->sweeps_on_w * DBL_EPSILON > 1e-7 * eps;
}

void cn_progress_poll(cn_solve_progress *progress)
{
    const cn_solver_def *def = progress->def;
    progress->is_interrupted = progress->is_interrupted ||
                               (def->is_interrupted != NULL && def->is_interrupted(def->context));
    progress->is_over = progress->is_interrupted || progress->sweep_count >= def->sweep_max;
}

bool cn_progress_check(cn_solve_progress *progress, cn_solver *s, const cn_problem *p)
{
    cn_progress_poll(progress);
    if (is_far_start(progress)) {
        plan_next(progress, cn_progress_distance(progress, &progress->residual));
        return false;
    }
    if (!is_due(progress)) {
        return false;
    }
    measure_iterate(progress, s, p);
    if (is_accepted(progress) && may_drift(progress, s)) {
        cn_solver_apply(s, p, p->r);
        measure_iterate(progress, s, p);
    }
    double err = cn_progress_distance(progress, &progress->residual);
    plan_next(progress, err);
    if (err < progress->err_best) {
        progress->err_best = err;
        progress->best_energy = progress->residual.err_e;
        memcpy(s->r_best, p->r, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    }
    progress->err_run = fmin(progress->err_run, err);
    if (progress->err_run < 0.5 * progress->err_halved) {
        progress->err_halved = progress->err_run;
        progress->sweep_halved = progress->sweep_count;
    }
    progress->is_converged = progress->err_best <= 1.0;
    // What is accepted already is made better only while that is easy.
    int patience = progress->is_converged ? progress->patience / 4 : progress->patience;
    progress->is_stalled = progress->sweep_count - progress->sweep_halved > patience;
    return progress->is_stalled || progress->is_over || progress->err_best <= progress->stop_at ||
           progress->err_best <= progress->accept_factor;
}

// Statuses of all constraints; Painleve blocks are counted whatever the status.
static void count_statuses(const cn_solver *s, const cn_problem *p, cn_solver_report *report)
{
    int count[4] = {0}, painleve = 0; // by cn_contact_status
    double v_small = 1e-9 * report->residual.v_ref;
    CN_SHARED_FOR(s->thread_count, (schedule(static) reduction(+ : count[:4], painleve)), n, s->packed_count, {
        painleve += s->packed[n].is_painleve;
        count[cn_packed_status(s, p, &s->packed[n], v_small)]++;
    });
    report->painleve_count = painleve;
    report->open_count = count[CN_STATUS_OPEN] + p->contact_count - s->packed_count;
    report->stick_count = count[CN_STATUS_STICK];
    report->slide_count = count[CN_STATUS_SLIDE];
    report->joined_count = count[CN_STATUS_JOINED];
}

static cn_status check_def(const cn_solver_def *def, cn_error *err)
{
    if (!(def->eps_v >= 0.0) || !(def->tol >= 0.0) || def->sweep_max < 1 || def->patience < 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "solver: eps_v %g, tol %g and patience %d must be at least 0 and sweep_max "
                       "%d at least 1",
                       def->eps_v, def->tol, def->patience, def->sweep_max);
    }
    if ((unsigned)def->method >= CN_METHOD_COUNT || (unsigned)def->order >= CN_ORDER_COUNT ||
        (unsigned)def->measure >= CN_MEASURE_COUNT ||
        (unsigned)def->accuracy >= CN_ACCURACY_COUNT) {
        return cn_fail(err, CN_BAD_INPUT,
                       "solver: unknown method %d, order %d, measure %d or accuracy %d",
                       (int)def->method, (int)def->order, (int)def->measure, (int)def->accuracy);
    }
    return cn_elastic_check(def, err);
}

// The residual of p, whatever was packed before.
static cn_status measure_rigid(cn_solver *s, const cn_problem *p, cn_solver_report *report,
                               cn_error *err)
{
    report->rigid = report->residual;
    return report->elastic_c < INFINITY ? cn_problem_residual(p, s->u, s, &report->rigid, err)
                                        : CN_OK;
}

// Makes p->r the best iterate, with w built anew from it and measured. A method may have left p->r
// elsewhere.
static void take_best(cn_solve_progress *progress, cn_solver *s, const cn_problem *p)
{
    memcpy(p->r, s->r_best, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    cn_solver_apply(s, p, p->r);
    measure_iterate(progress, s, p);
}

// The method on all constraints, which are listed.
static cn_status run_all(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                         cn_error *err)
{
    size_t rows_size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    CN_TRY(cn_solver_build(s, p, err));
    CN_TRY(cn_progress_run(progress, progress->def->method, s, p, err));
    if (!progress->is_converged || p->k != NULL || memcmp(p->r, s->r_best, rows_size) != 0) {
        take_best(progress, s, p);
    }
    return CN_OK;
}

// The method on the islands that are awake; then all constraints are measured, and if those at rest
// keep the whole from being accepted it is iterated as well.
static cn_status run_awake(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                           cn_error *err)
{
    int count = s->packed_count;
    size_t rows_size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    cn_problem awake = cn_islands_split(s, p);
    CN_TRY(cn_solver_build(s, &awake, err)); // w holds what bodies at rest have, which nobody reads
    CN_TRY(cn_progress_run(progress, progress->def->method, s, &awake, err));
    bool is_enough = !progress->is_converged; // of the whole no more can be had
    bool is_best =
        progress->is_converged && p->k == NULL && memcmp(p->r, s->r_best, rows_size) == 0;
    cn_solver_widen(s, p, count);
    if (is_best) { // w is that of the islands awake
        cn_solver_apply_listed(s, p, p->r);
        measure_iterate(progress, s, p);
    } else {
        take_best(progress, s, p);
    }
    if (!is_enough && !is_accepted(progress)) {
        progress->err_best =
            cn_progress_distance(progress, &progress->residual); // r_best is not to be lost
        progress->is_converged = false;
        cn_progress_renew(progress);
        return run_all(progress, s, p, err);
    }
    return CN_OK;
}

// Runs the method where bodies are not at rest. *visited: constraints that it saw.
static cn_status run_awake_or_all(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                                  int *visited, cn_error *err)
{
    int frozen;
    CN_TRY(look_for_rest(progress, s, p, &frozen, err));
    *visited = 0;
    if (progress->is_converged || s->packed_count == 0) {
        return CN_OK;
    }
    cn_sleep_limits limits = limits_of(progress);
    CN_TRY(cn_subproblem_run(progress, s, p, &limits, visited, err));
    if (progress->is_converged) {
        return CN_OK;
    }
    *visited = s->packed_count - frozen;
    CN_TRY(cn_open_contacts_guess(s, p, err));
    s->is_open_known = true;
    return frozen > 0 && *visited > 0 ? run_awake(progress, s, p, err)
                                      : run_all(progress, s, p, err);
}

// Whether the best there is leaves so much of the approach that there may be no answer.
static bool may_be_wedged(const cn_solve_progress *progress, const cn_solver *s,
                          const cn_problem *p)
{
    const double most = 0.05;
    cn_approach approach = cn_solver_approach(s, p, s->u);
    return !is_accepted(progress) && !progress->is_interrupted && !s->is_inner &&
           approach.now > most * approach.start;
}

// Says whether there is no answer, with the best iterate in p->r again.
static cn_status look_for_wedged(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                                 bool *is_infeasible, cn_error *err)
{
    *is_infeasible = false;
    if (may_be_wedged(progress, s, p)) {
        CN_TRY(cn_find_infeasible(s, p, progress, is_infeasible, err));
        take_best(progress, s, p);
    }
    return CN_OK;
}

// Iterates on p, whose constraints are listed, and fills the report; p->r ends as the best iterate,
// and the certificate belongs to it.
static cn_status iterate_listed(cn_problem *p, const cn_solver_def *def, cn_solver *solver,
                                cn_solver_report *report, cn_error *err)
{
    cn_solve_progress progress = {.def = def,
                                  .err_best = INFINITY,
                                  .accept_factor = 1.0,
                                  .hardness_factor = 1.0,
                                  .running = CN_METHOD_AUTO,
                                  .mark.seconds = cn_wall_clock()};
    int visited;
    cn_progress_renew(&progress);
    cn_acceptance_begin(&progress, solver, p);
    solver->progress = &progress;
    cn_solver_apply(solver, p, p->r);
    memcpy(solver->r_best, p->r, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    solver->has_locked = false;
    CN_TRY(run_awake_or_all(&progress, solver, p, &visited, err));
    bool is_all_locked, is_infeasible;
    CN_TRY(look_for_wedged(&progress, solver, p, &is_infeasible, err));
    solver->has_locked = solver->has_locked && is_accepted(&progress);
    if (visited > 0 && is_accepted(&progress)) {
        CN_TRY(cn_locked_find(solver, p, limits_of(&progress).tie, &is_all_locked, err));
    }
    *report = (cn_solver_report){.sweep_count = progress.sweep_count + progress.sweeps_in_vain,
                                 .iteration_count = progress.iteration_count,
                                 .factorization_count = progress.factorization_count,
                                 .chain_count = progress.chain_count,
                                 .visited_count = visited,
                                 .elastic_c = report->elastic_c,
                                 .is_factor_refused = progress.is_factor_refused,
                                 .residual = progress.residual};
    cn_progress_charge(&progress, CN_METHOD_AUTO);
    memcpy(report->chain, progress.chain, sizeof report->chain);
    memcpy(report->work, progress.work, sizeof report->work);
    count_statuses(solver, p, report);
    cn_acceptance_judge(&progress, solver, p, cn_acceptance_stuck(&progress, solver, p),
                        is_infeasible, report);
    return CN_OK;
}

static cn_status solve_listed(cn_problem *p, const cn_solver_def *def, cn_solver *solver,
                              cn_solver_report *report, cn_error *err)
{
    CN_TRY(cn_solver_list(solver, p, def, err));
    cn_status status = iterate_listed(p, def, solver, report, err);
    solver->progress = NULL;
    return status;
}

// What came of the folded problem, judged by the residual of the problem that was given. Digits
// that stiff terms lose on the way back are told.
static cn_status judge_folded(const cn_problem *p, const cn_solver_def *def, cn_solver *solver,
                              cn_solver_report *report, cn_error *err)
{
    const double rounding = 1.01;
    CN_TRY(cn_solver_list(solver, p, def, err));
    cn_solver_apply(solver, p, p->r);
    cn_solver_velocity(solver, p, p->r, solver->u);
    cn_solver_residual(solver, p, solver->u, &report->residual);
    double err_now = cn_acceptance_distance(def, &report->residual);
    if (report->is_converged && !(err_now <= rounding)) {
        report->is_converged = false;
        report->criterion = CN_CRITERION_VELOCITY;
        report->value = report->residual.err_v;
        report->asked = def->eps_v;
        report->at = report->residual.worst;
    }
    return CN_OK;
}

// With terms beside cores (4.1). Where W is stored, and for the methods of the papers, the operator
// that contacts see is formed first (8.23); of bodies all methods know it as it is.
static cn_status solve_bonded(cn_problem *p, const cn_solver_def *def, cn_solver *solver,
                              cn_solver_report *report, cn_error *err)
{
    cn_problem folded;
    bool is_folded = false,
         is_classic = def->method >= CN_METHOD_NEWTON && def->method <= CN_METHOD_LEMKE;
    if (p->W.rows.row != NULL || is_classic) {
        CN_TRY(cn_fold_rows(solver, p, def->factor_memory, &folded, &is_folded, err));
    }
    if (!is_folded) {
        return solve_listed(p, def, solver, report, err);
    }
    cn_status status = solve_listed(&folded, def, solver, report, err);
    cn_fold_rows_return(solver, &folded, p);
    CN_TRY(status);
    return judge_folded(p, def, solver, report, err);
}

const double *cn_solver_guess(const cn_solver *solver)
{
    return solver != NULL ? solver->r_guess : NULL;
}

cn_problem cn_solver_problem(const cn_solver *solver, const cn_problem *p)
{
    if (solver == NULL || p == NULL) {
        return (cn_problem){0};
    }
    cn_problem solved = *p;
    if (solver->is_soft) {
        solved.b = solver->soft;
        solved.c = solver->soft + p->row_start[p->contact_count];
    }
    return solved;
}

char *cn_solver_missed(const cn_solver_report *report, char *text, size_t size)
{
    if (text == NULL || size == 0) {
        return text;
    }
    text[0] = '\0';
    if (report == NULL || report->is_converged) {
        return text;
    }
    if (report->is_infeasible) {
        snprintf(text, size,
                 "contact %d approaches with %.3g m/s, and no impulses stop it: there is no "
                 "solution",
                 report->at, report->value);
        return text;
    }
    snprintf(text, size, "%s %.3g at constraint %d, %.3g is asked, after %d sweeps%s",
             cn_criterion_name(report->criterion), report->value, report->at, report->asked,
             report->sweep_count, report->is_work_limited ? ", which is all it may take" : "");
    return text;
}

cn_status cn_problem_solve(cn_problem *p, const cn_solver_def *def, cn_solver *solver,
                           cn_solver_report *report, cn_error *err)
{
    CN_NEED(err, p, def, solver, report);
    CN_TRY(check_def(def, err));
    CN_TRY(cn_problem_check(p, def->thread_count, err));
    for (int a = 0; a < p->contact_count; a++) {
        for (int k = p->row_start[a]; p->kind[a] == CN_CORE_FREE && k < p->row_start[a + 1]; k++) {
            p->r[k] = 0.0;
        }
    }
    size_t rows = (size_t)p->row_start[p->contact_count];
    CN_TRY(cn_reserve(&solver->hooks, &solver->r_guess, &solver->r_guess_capacity, rows, err));
    memcpy(solver->r_guess, p->r, sizeof(double) * rows);
    cn_problem solved = *p;
    solver->is_open_known = false;
    report->elastic_c = INFINITY;
    solver->is_soft = cn_is_elastic(def);
    if (solver->is_soft) {
        CN_TRY(cn_elastic_make(solver, p, def, &solved, &report->elastic_c, err));
    }
    cn_problem scaled;
    CN_TRY(cn_scale_moments(solver, &solved, &scaled, err));
    cn_solver_def asked = cn_acceptance_asked(def, p->contact_count);
    if (cn_has_parallel(&scaled, 0, (int)rows)) {
        CN_TRY(solve_bonded(&scaled, &asked, solver, report, err));
    } else {
        scaled.k = NULL;
        CN_TRY(solve_listed(&scaled, &asked, solver, report, err));
    }
    cn_scale_moments_return(solver, &scaled, p);
    CN_TRY(measure_rigid(solver, p, report, err));
    if (!isfinite(report->residual.err_v + report->residual.err_natural)) {
        return cn_fail(err, CN_BROKEN,
                       "the solver met a number that is not finite at constraint %d",
                       report->residual.worst);
    }
    return CN_OK;
}
