// solve/solve.c -- the public entry: checks, packs, runs a method, certifies what it returns.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "solve/direct/linear_system.h"
#include "solve/problem/acceptance.h"
#include "solve/problem/project.h"
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
    cn_kernel_destroy(solver->kernel);
    cn_part_destroy(solver);
    void *owned[] = {solver->packed,     solver->stream,   solver->w,          solver->w_old,
                     solver->w_momentum, solver->r_old,    solver->r_momentum, solver->r_best,
                     solver->u,          solver->W_diag,   solver->work,       solver->soft,
                     solver->r_guess,    solver->length,   solver->scaled,     solver->kind_awake,
                     solver->island,     solver->is_awake, solver->is_open,    solver->place,
                     solver->root,       solver->is_still};
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
                   b->taken_capacity + s->root_capacity;
    size_t integers = s->island_capacity + s->place_capacity + b->zone_start_capacity +
                      b->zone_busy_capacity + z->item_capacity + z->owner_capacity;
    return sizeof *s + reals * sizeof(double) + integers * sizeof(int) +
           s->packed_capacity * sizeof *s->packed + b->batch_capacity * sizeof *b->batch +
           b->rest_capacity * sizeof *b->rest + s->kind_awake_capacity + s->is_awake_capacity +
           s->is_open_capacity + s->is_still_capacity + cn_part_bytes(s);
}

cn_status cn_solver_work(cn_solver *s, size_t count, double **work, cn_error *err)
{
    CN_TRY(cn_reserve(&s->hooks, &s->work, &s->work_capacity, count, err));
    *work = s->work;
    return CN_OK;
}

double cn_watch_distance(const cn_watch *watch, const cn_residual *residual)
{
    double asked = cn_judge_distance(watch->def, residual);
    double miss = watch->miss_most < INFINITY ? residual->miss + residual->rounding : 0.0;
    double vain = fmax(miss / watch->miss_most, residual->approach / watch->approach_most);
    return vain > asked ? vain : asked; // not a number stays so
}

static bool is_accepted(const cn_watch *watch)
{
    return cn_watch_distance(watch, &watch->residual) <= 1.0;
}

static void measure(cn_watch *watch, cn_solver *s, const cn_problem *p)
{
    cn_residual *residual = &watch->residual;
    cn_solver_velocity(s, p, p->r, s->u);
    cn_solver_residual(s, p, s->u, residual);
    if (watch->approach_most < INFINITY) {
        residual->approach = cn_judge_approach(watch, s, p, residual);
    }
}

void cn_watch_renew(cn_watch *watch)
{
    watch->err_run = watch->err_halved = INFINITY;
    watch->sweep_halved = watch->sweep_count;
}

void cn_watch_begin(cn_watch *watch, cn_method method, int patience)
{
    cn_watch_renew(watch);
    watch->patience = patience;
    watch->sweep_next = 0;
    watch->change = watch->change_measured = 0.0;
    watch->is_stalled = false;
    bool is_again = watch->chain_count > 0 && watch->chain[watch->chain_count - 1] == method;
    if (watch->chain_count < CN_CHAIN_MAX && !is_again) {
        watch->chain[watch->chain_count++] = method;
    }
}

cn_status cn_watch_run(cn_watch *watch, cn_method method, cn_solver *s, const cn_problem *p,
                       cn_error *err)
{
    const cn_method_row *row = cn_method_find(method);
    bool is_asked = watch->def->method == method && watch->def->patience > 0;
    if (method != CN_METHOD_AUTO) { // the chain names the methods that it chooses
        cn_watch_begin(watch, method, is_asked ? watch->def->patience : row->patience);
    }
    return row->iterate(s, p, watch, err);
}

// What a constraint at rest may miss its law by: less than what is asked for, and far less where
// bodies would creep by that in each step; rounding of positions alone, over a step, is some 1e-11
// of the reference velocity.
static cn_rest_limits limits_of(const cn_watch *watch)
{
    double eps = fmin(watch->def->eps_v, watch->def->tol), v_ref = watch->residual.v_ref;
    return (cn_rest_limits){.loose = fmin(1e-2 * eps, fmax(1e-7 * eps, 1e-10)) * v_ref,
                            .still = 0.5 * watch->def->eps_v * v_ref,
                            .tie = watch->def->eps_v * v_ref};
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

// Rest is certified, not assumed (rest.h).
static cn_status look_for_rest(cn_watch *watch, cn_solver *s, const cn_problem *p, int *frozen,
                               cn_error *err)
{
    measure(watch, s, p);
    cn_rest_limits limits = limits_of(watch);
    bool is_all_still;
    CN_TRY(cn_still_find(s, p, limits.tie, &is_all_still, err));
    CN_TRY(cn_rest_find(s, p, &limits, watch->residual.worst, frozen, err));
    if (*frozen == s->packed_count && !is_all_still &&
        !is_steady(&watch->residual, p, limits.loose)) {
        *frozen = 0;
    }
    watch->is_converged = *frozen == s->packed_count && is_accepted(watch);
    return CN_OK;
}

// A measurement costs as much as several sweeps. Where the method says how much an iteration
// changes they are few: the error falls about like the change, and is measured when that promises
// the end.
static bool is_due(const cn_watch *watch)
{
    if (watch->is_over || watch->sweep_count >= watch->sweep_next) {
        return true;
    }
    if (watch->change == 0.0 || watch->sweep_count < watch->sweep_soonest) {
        return false;
    }
    double err = watch->err_measured * sqrt(watch->change / watch->change_measured);
    return err <= fmax(watch->goal, watch->depth);
}

// Whether this is the first iteration of a run whose start was measured, far from what is accepted:
// then its change is that of the start.
static bool is_far_start(const cn_watch *watch)
{
    const double far = 4.0;
    return watch->change > 0.0 && watch->change_measured == 0.0 && watch->sweep_next == 0 &&
           !watch->is_over && cn_watch_distance(watch, &watch->residual) > far;
}

static void plan_next(cn_watch *watch, double err)
{
    enum { SOON = 24 }; // plain sweeps near the end come in bursts: not to miss what is accepted
    const double near = 3.0;
    int done = watch->sweep_count, wait = 2 + done / 8;
    bool is_told = watch->change > 0.0;
    wait = err < near && wait > SOON ? SOON : wait;
    watch->sweep_next = done + (is_told ? 16 + done / 4 : wait);
    watch->sweep_soonest = done + 2 + done / 32;
    watch->change_measured = watch->change;
    watch->err_measured = err;
}

// w carries the rounding of all sweeps since it was built. Whether that may be more than 1e-7 of
// what is accepted.
static bool may_drift(const cn_watch *watch, const cn_solver *s)
{
    double eps = fmin(watch->def->eps_v, watch->def->tol);
    return s->sweeps_on_w * DBL_EPSILON > 1e-7 * eps;
}

void cn_watch_look(cn_watch *watch)
{
    const cn_solver_def *def = watch->def;
    watch->is_interrupted =
        watch->is_interrupted || (def->is_interrupted != NULL && def->is_interrupted(def->context));
    watch->is_over = watch->is_interrupted || watch->sweep_count >= def->sweep_max;
}

bool cn_watch_check(cn_watch *watch, cn_solver *s, const cn_problem *p)
{
    cn_watch_look(watch);
    if (is_far_start(watch)) {
        plan_next(watch, cn_watch_distance(watch, &watch->residual));
        return false;
    }
    if (!is_due(watch)) {
        return false;
    }
    measure(watch, s, p);
    if (is_accepted(watch) && may_drift(watch, s)) {
        cn_solver_apply(s, p, p->r);
        measure(watch, s, p);
    }
    double err = cn_watch_distance(watch, &watch->residual);
    plan_next(watch, err);
    if (err < watch->err_best) {
        watch->err_best = err;
        watch->best_energy = watch->residual.err_e;
        memcpy(s->r_best, p->r, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    }
    watch->err_run = fmin(watch->err_run, err);
    if (watch->err_run < 0.5 * watch->err_halved) {
        watch->err_halved = watch->err_run;
        watch->sweep_halved = watch->sweep_count;
    }
    watch->is_converged = watch->err_best <= 1.0;
    // What is accepted already is made better only while that is easy.
    int patience = watch->is_converged ? watch->patience / 4 : watch->patience;
    watch->is_stalled = watch->sweep_count - watch->sweep_halved > patience;
    return watch->is_stalled || watch->is_over || watch->err_best <= watch->goal ||
           watch->err_best <= watch->depth;
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
        (unsigned)def->measure >= CN_MEASURE_COUNT) {
        return cn_fail(err, CN_BAD_INPUT, "solver: unknown method %d, order %d or measure %d",
                       (int)def->method, (int)def->order, (int)def->measure);
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
static void take_best(cn_watch *watch, cn_solver *s, const cn_problem *p)
{
    memcpy(p->r, s->r_best, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    cn_solver_apply(s, p, p->r);
    measure(watch, s, p);
}

// The method on all constraints, which are listed.
static cn_status run_all(cn_watch *watch, cn_solver *s, const cn_problem *p, cn_error *err)
{
    size_t rows_size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    CN_TRY(cn_solver_build(s, p, err));
    CN_TRY(cn_watch_run(watch, watch->def->method, s, p, err));
    if (!watch->is_converged || memcmp(p->r, s->r_best, rows_size) != 0) {
        take_best(watch, s, p);
    }
    return CN_OK;
}

// The method on the islands that are awake; then all constraints are measured, and if those at rest
// keep the whole from being accepted it is iterated as well.
static cn_status run_awake(cn_watch *watch, cn_solver *s, const cn_problem *p, cn_error *err)
{
    int count = s->packed_count;
    size_t rows_size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    cn_problem awake = cn_rest_split(s, p);
    CN_TRY(cn_solver_build(s, &awake, err)); // w holds what bodies at rest have, which nobody reads
    CN_TRY(cn_watch_run(watch, watch->def->method, s, &awake, err));
    bool is_enough = !watch->is_converged; // of the whole no more can be had
    bool is_best = watch->is_converged && memcmp(p->r, s->r_best, rows_size) == 0;
    cn_solver_widen(s, p, count);
    if (is_best) { // w is that of the islands awake
        cn_solver_apply_listed(s, p, p->r);
        measure(watch, s, p);
    } else {
        take_best(watch, s, p);
    }
    if (!is_enough && !is_accepted(watch)) {
        watch->err_best = cn_watch_distance(watch, &watch->residual); // r_best is not to be lost
        watch->is_converged = false;
        cn_watch_renew(watch);
        return run_all(watch, s, p, err);
    }
    return CN_OK;
}

// Runs the method where bodies are not at rest. *visited: constraints that it saw.
static cn_status run(cn_watch *watch, cn_solver *s, const cn_problem *p, int *visited,
                     cn_error *err)
{
    int frozen;
    CN_TRY(look_for_rest(watch, s, p, &frozen, err));
    *visited = 0;
    if (watch->is_converged || s->packed_count == 0) {
        return CN_OK;
    }
    cn_rest_limits limits = limits_of(watch);
    CN_TRY(cn_part_run(watch, s, p, &limits, visited, err));
    if (watch->is_converged) {
        return CN_OK;
    }
    *visited = s->packed_count - frozen;
    CN_TRY(cn_idle_guess(s, p, err));
    s->is_open_known = true;
    return frozen > 0 && *visited > 0 ? run_awake(watch, s, p, err) : run_all(watch, s, p, err);
}

// Whether the best there is leaves so much of the approach that there may be no answer.
static bool may_be_wedged(const cn_watch *watch, const cn_solver *s, const cn_problem *p)
{
    const double most = 0.05;
    cn_approach approach = cn_solver_approach(s, p, s->u);
    return !is_accepted(watch) && !watch->is_interrupted && !s->is_inner &&
           approach.now > most * approach.start;
}

// Says whether there is no answer, with the best iterate in p->r again.
static cn_status look_for_wedged(cn_watch *watch, cn_solver *s, const cn_problem *p,
                                 bool *is_wedged, cn_error *err)
{
    *is_wedged = false;
    if (may_be_wedged(watch, s, p)) {
        CN_TRY(cn_find_wedged(s, p, watch, is_wedged, err));
        take_best(watch, s, p);
    }
    return CN_OK;
}

// Iterates on p, whose constraints are listed, and fills the report; p->r ends as the best iterate,
// and the certificate belongs to it.
static cn_status iterate(cn_problem *p, const cn_solver_def *def, cn_solver *solver,
                         cn_solver_report *report, cn_error *err)
{
    cn_watch watch = {.def = def, .err_best = INFINITY, .depth = 1.0, .hardness_factor = 1.0};
    int visited;
    cn_watch_renew(&watch);
    cn_judge_begin(&watch, solver, p);
    solver->watch = &watch;
    cn_solver_apply(solver, p, p->r);
    memcpy(solver->r_best, p->r, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    solver->has_still = false;
    CN_TRY(run(&watch, solver, p, &visited, err));
    bool is_all_still, is_wedged;
    CN_TRY(look_for_wedged(&watch, solver, p, &is_wedged, err));
    solver->has_still = solver->has_still && is_accepted(&watch);
    if (visited > 0 && is_accepted(&watch)) {
        CN_TRY(cn_still_find(solver, p, limits_of(&watch).tie, &is_all_still, err));
    }
    *report = (cn_solver_report){.sweep_count = watch.sweep_count + watch.sweeps_in_vain,
                                 .iteration_count = watch.iteration_count,
                                 .factorization_count = watch.factorization_count,
                                 .chain_count = watch.chain_count,
                                 .visited_count = visited,
                                 .elastic_c = report->elastic_c,
                                 .is_factor_refused = watch.is_factor_refused,
                                 .residual = watch.residual};
    memcpy(report->chain, watch.chain, sizeof report->chain);
    count_statuses(solver, p, report);
    cn_judge(&watch, solver, p, cn_judge_stuck(&watch, solver, p), is_wedged, report);
    return CN_OK;
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

// One sentence on what is missed.
static cn_status fail(const cn_solver_report *report, cn_error *err)
{
    if (report->is_infeasible) {
        return cn_fail(err, CN_NOT_CONVERGED,
                       "contact %d approaches with %.3g m/s, and no impulses stop it: there is no "
                       "solution",
                       report->at, report->value);
    }
    return cn_fail(
        err, CN_NOT_CONVERGED, "%s %.3g at constraint %d, %.3g is asked, after %d sweeps%s",
        cn_criterion_name(report->criterion), report->value, report->at, report->asked,
        report->sweep_count, report->is_work_limited ? ", which is all it may take" : "");
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
    CN_TRY(cn_lengths_scale(solver, &solved, &scaled, err));
    CN_TRY(cn_solver_list(solver, &scaled, def, err));
    cn_solver_def asked = cn_judge_asked(def, p->contact_count);
    cn_status iterated = iterate(&scaled, &asked, solver, report, err);
    solver->watch = NULL;
    CN_TRY(iterated);
    cn_lengths_return(solver, &scaled, p);
    CN_TRY(measure_rigid(solver, p, report, err));
    if (!isfinite(report->residual.err_v + report->residual.err_natural)) {
        return cn_fail(err, CN_BROKEN,
                       "the solver met a number that is not finite at constraint %d",
                       report->residual.worst);
    }
    return report->is_converged ? CN_OK : fail(report, err);
}
