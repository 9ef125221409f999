// solve/auto.c -- the default: which method, in which order, until when; theory chapter 13, "Which
// method".
//
// Sweeps first: most steps end there. What they leave goes to a matrix if the bodies are near rest
// and hyperstatic, to prox-NNCG otherwise; Newton steps take over as soon as they promise to be
// cheaper than what is left. Every method hands its best iterate to the next. Decisions are made on
// counted work only, never on a clock: same input, same chain.
#include <math.h>
#include <string.h>

#include "solve/auto_state.h"
#include "solve/direct/active_set_newton.h"
#include "solve/direct/admm.h"
#include "solve/problem/regime.h"
#include "solve/sleep/locked.h"

enum {
    FIRST_SWEEPS = 60,       // of NNCG, before anything but rest is decided
    TEST_SWEEPS = 10,        // between looks for rest
    SLICE = 50,              // iterations between decisions
    SWEEP_PATIENCE = 200,    // iterations of NNCG without halving
    CONVEX_PATIENCE = 4000,  // sweeps of the same without friction
    ON_SLICES = 2,           // of NNCG after ADMM, before a promise is asked for
    ON_ITERATIONS = 400,     // of it at most
    LEFT_MAX = 200,          // iterations that NNCG may promise to need and go on
    REST_LEFT_MAX = 30,      // the same for bodies near rest, where early promises are not kept
    IPM_STEPS = 18,          // that an interior point takes to a problem without friction
    POLISH_FIRST = 30,       // iterations of NNCG after a matrix that goes as deep as it can
    POLISH_AGAIN = 5,        // the same where it stops what creeps
    SETTLE_SWEEPS_MAX = 300, // work of a factorization that may stop what creeps
    AGAIN_SWEEPS_MAX = 100   // the same that goes on from the step before
};
static const double hyperstatic = 1.3;  // rows held over degrees of freedom
static const double nearly_all = 0.8;   // rows held over all rows
static const double fast_speed = 10.0;  // of the reference: statuses change in every step
static const double deep = 1e-6;        // accepted errors that take a method of second order
static const double still_speed = 1e-2; // of the reference: nothing moves but by errors
static const double settling_speed = 0.05, settling = 0.1; // of the reference, of the error
static const double creep = 1e-11;                         // of the reference: more than rounding
static const double shallow = 1e-8;    // error at which what rested does no longer
static const double rounding = 1e-11;  // error at which nothing is left to gain
static const double fresh = 1e-2;      // of the error that a matrix is to stop: what it may leave
static const double part_depth = 1e-3; // of what is accepted of a part, where Newton steps go

typedef enum regime {
    REGIME_FLOW,
    REGIME_REST,     // near rest and hyperstatic: walls, arches, settled boxes
    REGIME_MECHANISM // hyperstatic and moving: an arch on spreading supports
} regime;

// ADMM as it suits bodies at rest, and no other way: if it does not get below the best iterate in
// time, they are not.
static cn_status run_rest(cn_policy *a, cn_error *err)
{
    if (cn_policy_is_over(a) || !a->can_factor) {
        return CN_OK;
    }
    cn_error why = {0};
    cn_policy_take_best(a);
    cn_watch_begin(a->watch, CN_METHOD_ADMM, cn_admm_patience(a->s, a->p));
    a->watch->err_run = a->watch->err_halved = a->watch->err_best;
    return cn_policy_go_on(a, cn_admm_run(a->s, a->p, cn_admm_rest(a->p), false, a->watch, &why),
                           &why, err);
}

// Iterations that are left when the error fell from `before` to `now` in `count` of them.
static double predict(double before, double now, int count)
{
    return now < before ? log(now) / log(before / now) * count : INFINITY;
}

// So many iterations of NNCG; true: the watch says stop.
static bool sweep_for(cn_policy *a, int count)
{
    double before = fmin(a->watch->err_best, a->first_distance);
    for (int k = 0; k < count; k++) {
        a->watch->sweep_count += cn_momentum_sweep(a->s, a->p, &a->momentum);
        a->watch->iteration_count++;
        a->watch->change = a->momentum.g;
        if (k == count - 1) { // what is decided next rests on this measurement
            a->watch->sweep_next = 0;
        }
        if (cn_watch_check(a->watch, a->s, a->p)) {
            return true;
        }
        cn_momentum_push(a->s, a->p, &a->momentum);
    }
    a->left = predict(before, a->watch->err_best, count);
    return false;
}

// What the problem is like. Hyperstatic: bodies hold each other more than once. Where W is stored
// nothing is known of the bodies; then nearly all contacts must hold, and stop what comes. Where
// the velocity is not known and sweeps do not stop the bodies, they are taken to be at rest if they
// hold each other well.
static cn_status find_regime(cn_policy *a, regime *found, cn_error *err)
{
    bool is_stored = a->p->W.rows.row != NULL;
    bool is_resting = cn_is_slow(a->s, a->p, a->watch->residual.v_ref);
    *found = REGIME_FLOW;
    if (!a->can_factor || (is_stored && !is_resting)) {
        return CN_OK;
    }
    cn_error why = {0};
    CN_TRY(cn_policy_go_on(a, cn_kernel_begin(a->s, a->p, &why), &why, err));
    double held = a->can_factor ? cn_share_held(a->s, a->p) : 0.0;
    is_resting = is_resting || (isnan(a->p->v_before) && held > 2.0 * hyperstatic);
    if (held > (is_stored ? nearly_all : hyperstatic)) {
        *found = is_resting ? REGIME_REST : REGIME_MECHANISM;
    }
    return CN_OK;
}

static void begin_sweeps(cn_policy *a)
{
    int patience = SWEEP_PATIENCE * (1 + a->is_chain);
    cn_watch_begin(a->watch, CN_METHOD_NNCG, a->is_convex ? CONVEX_PATIENCE : patience);
    cn_momentum_reset(a->s, a->p, a->is_chain, &a->momentum);
}

// NNCG near rest: as long as it promises to end within `limit` iterations.
static void sweep_at_rest(cn_policy *a, double limit)
{
    while (a->left <= limit && !sweep_for(a, a->left < SLICE ? (int)a->left + 5 : SLICE)) {
    }
}

// Sweeps after which ADMM for bodies at rest is worth a try: what it would cost, so that it is
// never more than half of the work in vain.
static cn_status plan_rest(cn_policy *a, cn_error *err)
{
    double sweeps = INFINITY;
    a->rest_after = INFINITY;
    if (a->p->W.rows.row != NULL || cn_share_possible(a->s) > hyperstatic) {
        CN_TRY(cn_policy_matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
        if (a->can_factor) {
            double iterations = 0.5 * cn_admm_patience(a->s, a->p);
            a->rest_after = sweeps + iterations * (2.0 + cn_kernel_solve_sweeps(a->s, a->p));
        }
    }
    a->is_rest_planned = true;
    return CN_OK;
}

// Bodies that may be at rest, though the sweeps have not found it: ADMM is tried once. What it
// costs is looked at when even its iterations alone are paid for. *is_tried: it was.
static cn_status try_rest(cn_policy *a, bool *is_tried, cn_error *err)
{
    *is_tried = false;
    if (!a->can_factor || a->watch->sweep_count <= a->rest_after ||
        !cn_may_rest(a->s, a->p, a->watch->residual.v_ref)) {
        return CN_OK;
    }
    if (!a->is_rest_planned) {
        CN_TRY(plan_rest(a, err));
    }
    if (a->watch->sweep_count > a->rest_after) {
        a->rest_after = INFINITY;
        *is_tried = true;
        CN_TRY(run_rest(a, err));
    }
    return CN_OK;
}

// Without friction the problem is a convex program, which an interior point solves in a number of
// steps that hardly depends on it: taken where NNCG has cost half as much as those would, and
// promises to need that again, so that it is never most of the work in vain.
static cn_status try_ipm(cn_policy *a, bool *is_tried, cn_error *err)
{
    double sweeps;
    *is_tried = false;
    if (cn_policy_is_over(a) || !a->can_factor || !a->is_convex || a->left < LEFT_MAX ||
        a->watch->sweep_count < 2 * LEFT_MAX) {
        return CN_OK;
    }
    CN_TRY(cn_policy_matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
    double half = 0.5 * IPM_STEPS * sweeps;
    if (a->can_factor && a->watch->sweep_count > half && cn_policy_sweeps_left(a) > half) {
        a->is_convex = false;
        *is_tried = true;
        CN_TRY(cn_policy_run(a, CN_METHOD_IPM, err));
    }
    return CN_OK;
}

// NNCG until it halves the error no more, with Newton steps where they promise to be cheaper.
static cn_status sweep_moving(cn_policy *a, cn_error *err)
{
    while (!sweep_for(a, SLICE)) {
        bool is_tried = false, is_rest_tried, is_ipm_tried;
        CN_TRY(try_rest(a, &is_rest_tried, err));
        CN_TRY(try_ipm(a, &is_ipm_tried, err));
        if (!cn_policy_is_wandering(a)) {
            CN_TRY(cn_policy_finish(a, false, &is_tried, err));
        }
        is_tried = is_tried || is_rest_tried || is_ipm_tried;
        if (cn_policy_is_over(a)) {
            return CN_OK;
        }
        if (is_tried) {
            cn_policy_take_best(a);
            begin_sweeps(a);
        }
    }
    return CN_OK;
}

// One method after the other, with Newton steps after each.
static cn_status run_all(cn_policy *a, int count, const cn_method *methods, cn_error *err)
{
    for (int k = 0; k < count; k++) {
        cn_method m = methods[k];
        bool is_tried, is_plain = m == CN_METHOD_APGD || m == CN_METHOD_NNCG || m == CN_METHOD_PROX;
        bool is_finished =
            m == CN_METHOD_IPM || m == CN_METHOD_IPM_LAGGED || m == CN_METHOD_ALM; // by itself
        bool is_again = m == CN_METHOD_PROX_NEWTON && a->watch->err_best == a->tried_springs;
        if ((a->can_factor || is_plain) && !is_again) {
            CN_TRY(cn_policy_run(a, m, err));
            a->tried_springs = m == CN_METHOD_PROX_NEWTON ? a->watch->err_best : a->tried_springs;
            a->tried_finish = is_finished ? a->watch->err_best : a->tried_finish;
            a->left = INFINITY;
            CN_TRY(cn_policy_finish(a, true, &is_tried, err));
        }
    }
    return CN_OK;
}

// How far below what is accepted a matrix goes on where nothing moves but by errors.
static double depth_at_rest(const cn_policy *a)
{
    const cn_solver_def *def = a->watch->def;
    double depth = rounding / fmin(def->eps_v, def->tol);
    bool is_still = a->p->v_before < still_speed * a->watch->residual.v_ref;
    return cn_policy_is_step(a) && is_still && depth < 1e-3 ? depth : 1.0;
}

// What rounding in a matrix leaves of fast modes, a few sweeps take away.
static void polish(cn_policy *a, int iterations)
{
    if (a->watch->depth < 1.0 && a->watch->is_converged && !a->watch->is_over) {
        a->watch->depth = 0.0;
        cn_policy_take_best(a);
        begin_sweeps(a);
        sweep_for(a, iterations);
    }
}

// Bodies move by more than rounding, and sweeps hardly change that.
static bool is_creeping(const cn_policy *a)
{
    double speed = a->p->v_before / a->watch->residual.v_ref;
    return speed > 0.0 && fmax(speed, a->err_start) > creep &&
           a->watch->residual.err_v > fmin(0.1 * a->err_start, shallow);
}

// Sweeps are done. What they leave of the velocity of bodies at rest is the start of the next step.
// They hardly act on the slow modes of a wall, on which gravity acts when it leans: errors grow by
// some percent in each step until the wall loosens. Where the bodies creep, a matrix stops them,
// and for hundreds of steps there is nothing to do.
static cn_status settle(cn_policy *a, cn_error *err)
{
    double sweeps;
    regime kind;
    if (!a->watch->is_converged || !is_creeping(a) || depth_at_rest(a) == 1.0) {
        return CN_OK;
    }
    CN_TRY(find_regime(a, &kind, err));
    if (kind != REGIME_REST) {
        return CN_OK;
    }
    CN_TRY(cn_policy_matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
    if (!a->can_factor || sweeps > SETTLE_SWEEPS_MAX) {
        return CN_OK;
    }
    cn_error why = {0};
    a->watch->depth = fmin(depth_at_rest(a), fresh * a->first_distance);
    cn_policy_take_best(a);
    CN_TRY(cn_policy_go_on(a, cn_watch_run(a->watch, CN_METHOD_ADMM, a->s, a->p, &why), &why, err));
    polish(a, POLISH_AGAIN);
    return CN_OK;
}

// In the next step of a mechanism, such as an arch on spreading supports, the same joints open and
// slide, and nearly the same impulses act. The augmented Lagrangian goes on from these in a dozen
// steps, and so keeps how stones press each other; interior points start anew and may lose it. It
// begins with the guess, not with what sweeps have made of it, and once in a step. *is_tried: now.
static cn_status go_on_from_guess(cn_policy *a, bool *is_tried, cn_error *err)
{
    double sweeps;
    *is_tried = false;
    if (cn_policy_is_over(a) || !a->is_again ||
        !(a->p->v_before < fast_speed * a->watch->residual.v_ref)) {
        return CN_OK;
    }
    CN_TRY(cn_policy_matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
    if (!a->can_factor || sweeps > AGAIN_SWEEPS_MAX) {
        return CN_OK;
    }
    cn_error why = {0};
    *is_tried = true;
    a->is_again = false;
    memcpy(a->p->r, a->s->r_guess, sizeof(double) * (size_t)a->p->row_start[a->p->contact_count]);
    cn_solver_apply(a->s, a->p, a->p->r);
    return cn_policy_go_on(a, cn_watch_run(a->watch, CN_METHOD_ALM, a->s, a->p, &why), &why, err);
}

// A mechanism, after the first sweeps. Where these promise no more than what was seen of them they
// go on, else the guess is gone on from first.
static cn_status move_on(cn_policy *a, cn_error *err)
{
    bool is_tried = false;
    if (a->left > a->watch->iteration_count) {
        CN_TRY(go_on_from_guess(a, &is_tried, err));
    }
    if (is_tried && !cn_policy_is_over(a)) {
        cn_policy_take_best(a);
        begin_sweeps(a);
    }
    return cn_policy_is_over(a) ? CN_OK : sweep_moving(a, err);
}

// Whether most bodies stand still (still.h): a wall of which some stones move.
static bool is_standing(const cn_policy *a)
{
    const unsigned char *is_still = cn_solver_still(a->s);
    int bodies = a->p->W.factors.body_count, count = 0;
    for (int i = 0; is_still != NULL && i < bodies; i++) {
        count += is_still[i];
    }
    return 2 * count > bodies;
}

// Bodies near rest that ADMM does not find at rest, such as a heap in which stones still creep:
// sweeps are there in a hundred or two, if they promise it, and matrices in ten times as much work.
// What stands still is worth the deeper answer of these: it stays so.
static void sweep_on(cn_policy *a)
{
    if (cn_policy_is_over(a) || !cn_policy_is_step(a) || a->s->is_inner || is_standing(a)) {
        return;
    }
    a->watch->depth = 1.0; // also of all that follows
    cn_policy_take_best(a);
    begin_sweeps(a);
    bool is_stopped = sweep_for(a, SLICE);
    for (int done = SLICE;
         !is_stopped && done < ON_ITERATIONS && (done < ON_SLICES * SLICE || a->left <= LEFT_MAX);
         done += SLICE) {
        is_stopped = sweep_for(a, SLICE);
    }
}

// What is held, or was until now. Where bodies slide the interior point with a lagged shift goes
// further than the exact one; and it asks first whether they can stand, which a path does not.
static cn_status hold(cn_policy *a, cn_error *err)
{
    static const cn_method lagged[] = {CN_METHOD_IPM_LAGGED};
    static const cn_method bodies[] = {CN_METHOD_PROX_NEWTON, CN_METHOD_IPM, CN_METHOD_ADMM,
                                       CN_METHOD_APGD, CN_METHOD_ALM};
    static const cn_method rows[] = {CN_METHOD_IPM, CN_METHOD_PROX_NEWTON, CN_METHOD_ADMM,
                                     CN_METHOD_APGD, CN_METHOD_ALM};
    if (a->p->W.rows.row != NULL) {
        return run_all(a, 5, rows, err);
    }
    CN_TRY(run_all(a, 1, lagged, err));
    CN_TRY(cn_policy_follow_guess(a, err));
    return run_all(a, 5, bodies, err);
}

// What sweeps leave, by regime. Where Newton's statuses cycle from one start they may settle from
// the next. Where matrices are too large, sweeps with more patience take over from each other.
static cn_status go_further(cn_policy *a, regime kind, cn_error *err)
{
    static const cn_method flow[] = {CN_METHOD_PROX_NEWTON, CN_METHOD_ADMM, CN_METHOD_IPM,
                                     CN_METHOD_PROX_NEWTON, CN_METHOD_APGD, CN_METHOD_PROX_NEWTON,
                                     CN_METHOD_ALM};
    static const cn_method slow[] = {CN_METHOD_IPM};
    static const cn_method large[] = {CN_METHOD_NNCG, CN_METHOD_PROX, CN_METHOD_APGD};
    bool is_tried, is_deep;
    switch (kind) {
    case REGIME_REST:
        a->watch->depth = depth_at_rest(a);
        CN_TRY(run_rest(a, err));
        polish(a, POLISH_FIRST);
        is_deep = a->watch->depth < 1.0;
        sweep_on(a);
        if (!is_deep) {
            CN_TRY(go_on_from_guess(a, &is_tried, err));
        }
        CN_TRY(hold(a, err));
        return cn_policy_creep(a, err);
    case REGIME_MECHANISM:
        CN_TRY(go_on_from_guess(a, &is_tried, err));
        CN_TRY(hold(a, err));
        return cn_policy_creep(a, err);
    default:
        if (a->p->W.rows.row != NULL && cn_is_slow(a->s, a->p, a->watch->residual.v_ref)) {
            CN_TRY(run_all(a, 1, slow, err)); // all but stopped: springs would creep
        }
        CN_TRY(cn_policy_flow(a, err));
        if (cn_policy_is_large(a) && cn_policy_is_step(a)) {
            return CN_OK; // measured: matrices take as long again and do not help
        }
        CN_TRY(a->can_factor ? run_all(a, 7, flow, err) : run_all(a, 3, large, err));
        return cn_policy_creep(a, err);
    }
}

// Sweeps of what is at rest, if they end soon.
static cn_status stay(cn_policy *a, cn_error *err)
{
    double sweeps;
    CN_TRY(cn_policy_matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
    bool is_bodies = a->p->W.rows.row == NULL && a->can_factor;
    // Of bodies no promise is believed that reaches further than what was seen.
    double most = fmin(fmin(0.5 * sweeps, REST_LEFT_MAX), a->watch->iteration_count);
    sweep_at_rest(a, is_bodies ? most : LEFT_MAX);
    return CN_OK;
}

// Sweeps of what moves.
static cn_status move(cn_policy *a, regime kind, cn_error *err)
{
    a->rest_after = cn_admm_patience(a->s, a->p);
    if (a->is_chain && (cn_policy_is_large(a) || kind == REGIME_FLOW)) {
        a->is_chain = false;
        a->watch->patience = SWEEP_PATIENCE;
        cn_momentum_reset(a->s, a->p, false, &a->momentum);
    }
    bool is_flow = kind == REGIME_FLOW && a->p->W.rows.row == NULL;
    if (is_flow && cn_is_smooth(a->s)) { // nothing cycles: NNCG is left alone for long
        a->is_convex = true;
        a->watch->patience = CONVEX_PATIENCE;
    }
    return kind == REGIME_MECHANISM ? move_on(a, err) : sweep_moving(a, err);
}

// A step of rigid bodies that hardly move: a heap that would come to rest if its errors, which are
// those of what is accepted, did not shake it in every step. The first sweeps go on to a tenth of
// the error they began with; so it is at rest after some steps, and costs nothing.
static bool may_settle(const cn_policy *a)
{
    return cn_policy_is_step(a) && !a->s->is_inner &&
           a->p->v_before < settling_speed * a->watch->residual.v_ref;
}

// A part of a problem at rest (part.h), after the first sweeps: nearly all statuses are those of
// the step before, so that Newton steps know the way, and the matrix is small. They go deeper than
// what is accepted, since that costs no more than one of them.
static cn_status finish_part(cn_policy *a, cn_error *err)
{
    bool is_tried;
    a->left = INFINITY;
    a->watch->depth = part_depth;
    CN_TRY(cn_policy_finish(a, true, &is_tried, err));
    if (a->can_factor) {
        CN_TRY(cn_policy_run(a, CN_METHOD_PROX_NEWTON, err));
    }
    a->watch->depth = 1.0;
    if (!cn_policy_is_over(a)) {
        cn_policy_take_best(a);
        begin_sweeps(a);
    }
    return CN_OK;
}

cn_status cn_auto(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    cn_policy a = {.s = s,
                   .p = p,
                   .watch = watch,
                   .can_factor = true,
                   .tried_finish = INFINITY,
                   .err_start = watch->residual.err_v,
                   .first_distance = cn_watch_distance(watch, &watch->residual)};
    regime kind = REGIME_FLOW;
    bool is_stored = p->W.rows.row != NULL;
    bool may_tell = is_stored || cn_may_rest(s, p, watch->residual.v_ref);
    bool is_warm = !is_stored && cn_has_guess(p);
    bool is_deep = fmin(watch->def->eps_v, watch->def->tol) < deep; // of linear rate: too slow
    a.is_chain = !is_stored && may_tell;
    a.has_guess = is_warm && cn_policy_is_step(&a) && !s->has_lengths && !s->is_inner;
    a.is_again = a.has_guess && !is_deep;
    begin_sweeps(&a);
    if (may_settle(&a)) {
        watch->depth = fmin(1.0, settling * a.first_distance);
    }
    const int slice = may_tell ? TEST_SWEEPS : FIRST_SWEEPS;
    for (int done = 0; done < FIRST_SWEEPS && kind != REGIME_REST; done += slice) {
        if (sweep_for(&a, slice / (1 + a.is_chain))) {
            return settle(&a, err);
        }
        if (done > 0 || !may_tell || is_warm) { // from zero the first test tells little
            CN_TRY(find_regime(&a, &kind, err));
        }
    }
    watch->depth = 1.0;
    if (cn_policy_is_over(&a)) {
        return settle(&a, err);
    }
    if (cn_has_deformable(p)) { // nodes make W well-conditioned: gradients are at their best
        CN_TRY(cn_policy_run(&a, CN_METHOD_APGD, err));
        if (cn_policy_is_over(&a)) {
            return CN_OK;
        }
        cn_policy_take_best(&a);
        begin_sweeps(&a);
    }
    if (s->is_inner) {
        CN_TRY(finish_part(&a, err));
        if (cn_policy_is_over(&a)) {
            return CN_OK;
        }
    }
    CN_TRY(kind == REGIME_REST ? stay(&a, err) : move(&a, kind, err));
    return cn_policy_is_over(&a) ? settle(&a, err) : go_further(&a, kind, err);
}
