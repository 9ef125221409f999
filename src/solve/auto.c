// solve/auto.c -- the default: which method, in which order, until when; theory chapter 13, "Which
// method".
//
// Sweeps first: most steps end there. What they leave goes to a matrix if the bodies are near rest
// and hyperstatic, to proximal terms otherwise. Every method begins with the best iterate so far.
// Decisions rest on counted work only, never on a clock: the same input takes the same way.
//
// A method stands here if leaving it out costs more than a factor of 1.5 on some problem of the
// stress library, the stored problems, the book or the examples (bench/ablation). What that is
// stands behind its row: work without it over work with it, or "lost".
#include "solve/auto.h"

#include <math.h>
#include <string.h>

#include "solve/problem/project.h"
#include "solve/problem/regime.h"

// The first row whose condition holds runs, again and again.
static const cn_auto_row table[CN_AUTO_ROWS] = {
    // when, method, start, runs, patience, gives up                             // without it
    {cn_when_deformable, CN_METHOD_APGD, cn_run_method, 1, 0, false},          // hertz 1.6
    {cn_when_rest, CN_METHOD_ADMM, cn_run_rest, 1, 0, false},                  // wall_20x30 13
    {cn_when_warm, CN_METHOD_ALM, cn_run_warm, 1, 0, false},                   // arch_spread 4.7
    {cn_when_ipm, CN_METHOD_IPM, cn_run_method, 1, 0, false},                  // sim_boxes216 5.3
    {cn_when_newton, CN_METHOD_ACTIVE_SET_NEWTON, cn_run_newton, 0, 0, false}, // drums 1.8
    {cn_when_homotopy, CN_METHOD_HOMOTOPY, cn_run_homotopy, 1, 0, false},      // B20 2.2, lost
    {cn_when_prox_newton, CN_METHOD_PROX_NEWTON, cn_run_method, 2, 0, false},  // 5 lost
    {cn_when_sweeps, CN_METHOD_NNCG, cn_run_sweeps, 0, 0, false},              // all
    {cn_when_held, CN_METHOD_IPM_LAGGED, cn_run_method, 1, 0, false},          // wall_sliding lost
    {cn_when_flow_large, CN_METHOD_PROX_ADAPTIVE, cn_run_adaptive, 1, 4000, true}, // drum3d lost
    {cn_when_flow, CN_METHOD_PROX, cn_run_prox, 0, 2000, false},     // disks_flow_1e4 9.3
    {cn_when_cycling, CN_METHOD_NLGS, cn_run_plain, 0, 4000, false}, // drum_step_1983 5.4
};

// Behind each: work where it is halved, and doubled, over work as it is; of all 35 problems
// measured (stress library, eight stored problems to 1e-8, 60 steps of ten examples), and of the
// one that changes most. "same": within 2 % everywhere, so that only the order of magnitude is
// known.
const cn_auto_constants cn_auto_c = {
    .first = 60,             // 1.09, 1.01; arch_41 2.8, hertz 1.3
    .look = 10,              // 1.00, 0.99; arch_41 2.9, wall_lintel 1.8
    .slice = 50,             // 1.04, 0.94; hulls_rest_1e3 1.3, spheres_flow_1e4 1.8
    .patience = 200,         // 1.03, 1.03; disks_flow_1e4 1.7, capsules_i122 1.2
    .patience_convex = 4000, // same: none of them is without friction
    .promise = 200,          // 1.00, 1.00; boxesstack_048 1.07, 1.05
    .promise_rest = 30,      // same
    .hyperstatic = 1.3,      // 1.97, 1.12; disks_flow_1e4 44 and drum3d lost, arch_41 6.6
    .all_held = 0.8,         // 0.99, 1.00; sim_boxes216 0.42, boxesstack_048 1.05
    .factor_most = 2e3,      // same
    .factor_warm = 100.0,    // same
    .newton_energy = 1e-4,   // 1.01, 0.91; hulls_rest_1e3 1.07, 0.65
    .newton_late = 1e-3,     // same
    .newton_steps = 3,       // 1.01, 1.00; kaplastower 2.3, same
    .newton_analysis = 500,  // same
    .ipm_steps = 18,         // same: none of them is without friction
    .near = 5.0,             // 1.04, 0.99; house 1.8, wall_push 0.92
    .near_plain = 30.0,      // not varied
    .soft = 0.1,             // same
    .still = 1e-2,           // 1.00, 1.02; same, wall_push 1.3
    .rounding = 1e-11,       // not varied
    .changed = 0.3,          // not varied
    .burst = 40,             // not varied
};

int cn_auto_runs(const cn_auto_state *a, cn_method method)
{
    int count = 0;
    for (int k = 0; k < CN_AUTO_ROWS; k++) {
        count += table[k].method == method ? a->runs[k] : 0;
    }
    return count;
}

// The first row whose condition holds; NULL: none. What is accepted is made better by ADMM alone.
static const cn_auto_row *find_row(cn_auto_state *a)
{
    for (int k = 0; k < CN_AUTO_ROWS && !a->progress->is_over; k++) {
        const cn_auto_row *row = &table[k];
        bool is_left = (row->most == 0 || a->runs[k] < row->most) &&
                       (!a->progress->is_converged || row->method == CN_METHOD_ADMM);
        if (is_left && cn_progress_allows(a->progress, row->method) && row->when(a)) {
            return row;
        }
    }
    return NULL;
}

// The row that is to run. Where a condition has found out that no matrix can be had, those before
// it are asked again.
static const cn_auto_row *pick_row(cn_auto_state *a)
{
    bool could_factor = a->can_factor;
    if (!a->progress->is_converged) {
        cn_auto_judge_sweeps(a);
    }
    const cn_auto_row *row = find_row(a);
    return row == NULL && could_factor != a->can_factor ? find_row(a) : row;
}

// No memory for a matrix, or constraints that a method does not know, are no failure: the next one
// does without.
static cn_status forgive(cn_auto_state *a, cn_status status, const cn_error *why, cn_error *err)
{
    if (status == CN_NO_MEMORY) {
        a->progress->is_factor_refused = true;
        a->can_factor = false;
    }
    if (status == CN_NO_MEMORY || status == CN_BAD_INPUT) {
        cn_auto_take_best(a);
        return CN_OK;
    }
    return status == CN_OK ? CN_OK : cn_fail(err, status, "%s", why->text);
}

// What the guess leaves, over the velocity before impulses: small where the loads are nearly those
// of the step before.
static double guess_miss(const cn_problem *p, const cn_residual *start)
{
    double free2 = 0.0;
    int rows = p->row_start[p->contact_count];
    for (int k = 0; k < rows; k++) {
        double u = p->u_free[k] + cn_row_or_zero(p->b, k);
        free2 += u * u;
    }
    return free2 > 0.0 ? start->miss / sqrt(free2) : 0.0;
}

// A structure without a guess, or near rest with other loads, is cold. What is faster than the
// reference velocity, such as blocks that hit each other, is neither that nor warm.
static void find_start(cn_auto_state *a)
{
    const cn_residual *start = &a->progress->residual;
    bool has_guess = !a->is_stored && cn_has_guess(a->p);
    bool is_changed = guess_miss(a->p, start) > cn_auto_c.changed;
    bool is_moving = a->p->v_before > cn_auto_c.changed * start->v_ref; // false if not known
    a->is_cold = !has_guess || (is_changed && !is_moving);
    a->is_warm = !a->is_cold && !(a->p->v_before > start->v_ref);
    bool is_still = a->p->v_before < cn_auto_c.still * start->v_ref;
    a->is_motion = !a->is_deep && !a->is_stored && !a->s->is_inner && (a->is_cold || !is_still);
}

static cn_auto_state begin(cn_solver *s, const cn_problem *p, cn_solve_progress *progress)
{
    const cn_solver_def *def = progress->def;
    bool is_stored = p->W.rows.row != NULL;
    cn_auto_state a = {.s = s,
                       .p = p,
                       .progress = progress,
                       .is_stored = is_stored,
                       .is_step = def->measure == CN_MEASURE_VELOCITY && !is_stored,
                       .is_large = !is_stored && p->contact_count >= CN_PROX_SMALL,
                       .is_deep = fmin(def->eps_v, def->tol) < 1e-6,
                       .can_factor = p->W.factors.cell == NULL,
                       .left = INFINITY,
                       .newton_failed = INFINITY,
                       .first_distance = cn_progress_distance(progress, &progress->residual)};
    return a;
}

cn_status cn_auto(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    cn_auto_state a = begin(s, p, progress);
    a.err = err;
    s->is_start_good = a.first_distance < cn_auto_c.near;
    find_start(&a);
    const cn_auto_row *row;
    while ((row = pick_row(&a)) != NULL) {
        cn_error why = {0};
        a.runs[row - table]++;
        CN_TRY(forgive(&a, row->run(&a, row, &why), &why, err));
        a.last = row->method;
        if (row->is_last && progress->err_best > cn_auto_c.near) {
            break;
        }
    }
    return a.status;
}
