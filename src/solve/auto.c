// solve/auto.c -- the default: which method, in which order, until when; theory section 5, "Which
// method".
//
// Sweeps first: most steps end there. What they leave goes to a matrix if the bodies are near rest
// and hyperstatic, to prox-NNCG otherwise; Newton steps take over as soon as they promise to be
// cheaper than what is left. Every method hands its best iterate to the next. Decisions are made on
// counted work only, never on a clock: same input, same chain.
#include <math.h>
#include <string.h>

#include "solve/admm.h"
#include "solve/finish.h"
#include "solve/kernel.h"
#include "solve/regime.h"
#include "solve/still.h"

enum {
    FIRST_SWEEPS = 60,          // of NNCG, before anything but rest is decided
    TEST_SWEEPS = 10,           // between looks for rest
    SLICE = 50,                 // iterations between decisions
    SWEEP_PATIENCE = 200,       // iterations of NNCG without halving
    ON_SLICES = 2,              // of NNCG after ADMM, before a promise is asked for
    ON_ITERATIONS = 400,        // of it at most
    LEFT_MAX = 200,             // iterations that NNCG may promise to need and go on
    REST_LEFT_MAX = 30,         // the same for bodies near rest, where early promises are not kept
    NEWTON_STEPS = 3,           // that a finish takes
    ANALYSIS = 200,             // sweeps that it takes to know what those of many bodies cost
    IPM_STEPS = 18,             // that an interior point takes to a problem without friction
    PROX_ITERATIONS = 500,      // that prox takes
    PROX_PATIENCE = 2000,       // sweeps without halving
    PROX_PATIENCE_LARGE = 1000, // the same where springs of another hardness are tried next
    CREEP_PATIENCE = 8000,      // the same of soft springs that creep to what is accepted
    PLAIN_PATIENCE = 4000,      // the same of plain sweeps
    PLAIN_PATIENCE_LARGE = 2000,
    POLISH_FIRST = 30,       // iterations of NNCG after a matrix that goes as deep as it can
    POLISH_AGAIN = 5,        // the same where it stops what creeps
    SETTLE_SWEEPS_MAX = 300, // work of a factorization that may stop what creeps
    AGAIN_SWEEPS_MAX = 100   // the same that goes on from the step before
};
// Energy errors at which statuses may be right: while sweeps still help, and when they do not.
static const double finish_early = 1e-4, finish_late = 1e-3;
static const double hyperstatic = 1.3;  // rows held over degrees of freedom
static const double nearly_all = 0.8;   // rows held over all rows
static const double fast_speed = 10.0;  // of the reference: statuses change in every step
static const double deep = 1e-6;        // accepted errors that take a method of second order
static const double still_speed = 1e-2; // of the reference: nothing moves but by errors
static const double settling_speed = 0.05, settling = 0.1; // of the reference, of the error
static const double creep = 1e-11;                         // of the reference: more than rounding
static const double shallow = 1e-8;     // error at which what rested does no longer
static const double rounding = 1e-11;   // error at which nothing is left to gain
static const double fresh = 1e-2;       // of the error that a matrix is to stop: what it may leave
static const double near_enough = 30.0; // times what is accepted, for plain sweeps
static const double soft_springs = 0.1; // hardness of springs that creep, over the usual one
static const double creep_enough = 5.0; // the same for soft springs, and for plain sweeps in steps
static const double worth_a_turn = 0.7; // of the error, what turns of sweeps must leave to go on
static const double part_depth = 1e-3;  // of what is accepted of a part, where Newton steps go
static const double factor_sweeps_max = 2e3; // work of one factorization that is too much

typedef enum regime {
    REGIME_FLOW,
    REGIME_REST,     // near rest and hyperstatic: walls, arches, settled boxes
    REGIME_MECHANISM // hyperstatic and moving: an arch on spreading supports
} regime;

typedef struct policy {
    cn_solver *s;
    const cn_problem *p;
    cn_watch *watch;
    bool can_factor;       // the matrix fits in memory and in time
    double tried_finish;   // err_best when Newton last failed
    double err_start;      // err_v of the first guess
    double first_distance; // how far that is from what is accepted
    double left;           // iterations that the present method promises to need
    double rest_after;     // sweeps after which ADMM for bodies at rest is tried
    bool is_rest_planned;
    bool is_convex; // without friction, and the interior point is not tried yet
    bool is_chain;  // bodies may be at rest: sweeps go forward and back
    bool is_again;  // the guess is that of a step before, and was not gone on from with a matrix
    cn_momentum momentum;
} policy;

static bool is_over(const policy *a)
{
    return a->watch->is_converged || a->watch->is_over;
}

// The next method starts from the best iterate.
static void take_best(policy *a)
{
    size_t rows = (size_t)a->p->row_start[a->p->contact_count];
    memcpy(a->p->r, a->s->r_best, sizeof(double) * rows);
    cn_solver_apply(a->s, a->p, a->p->r);
}

// What a method or a factor that cannot be had comes to: no memory for the matrix, or constraints
// that the method does not know, are no failure; the next one does without.
static cn_status go_on(policy *a, cn_status status, const cn_error *why, cn_error *err)
{
    if (status == CN_NO_MEMORY) {
        a->watch->is_factor_refused = true;
        a->can_factor = false;
    }
    if (status == CN_NO_MEMORY || status == CN_BAD_INPUT) {
        take_best(a);
        return CN_OK;
    }
    return status == CN_OK ? CN_OK : cn_fail(err, status, "%s", why->text);
}

// Work of the matrix for the given kind of factor, in sweeps; too much of it, or too much memory,
// rules matrices out.
static cn_status matrix_cost(policy *a, cn_factor_kind kind, double *sweeps, cn_error *err)
{
    double bytes = 0.0;
    cn_error why = {0};
    cn_status status = cn_kernel_begin(a->s, a->p, &why);
    status = status == CN_OK ? cn_kernel_measure(a->s, a->p, kind, &bytes, &why) : status;
    if (status == CN_OK && bytes > a->watch->def->factor_memory) {
        status = CN_NO_MEMORY;
    }
    *sweeps = status == CN_OK ? cn_kernel_sweeps(a->s, a->p) : INFINITY;
    a->can_factor = a->can_factor && *sweeps <= factor_sweeps_max;
    return go_on(a, status, &why, err);
}

static cn_status run(policy *a, cn_method method, cn_error *err)
{
    if (is_over(a)) {
        return CN_OK;
    }
    cn_error why = {0};
    take_best(a);
    return go_on(a, cn_watch_run(a->watch, method, a->s, a->p, &why), &why, err);
}

// ADMM as it suits bodies at rest, and no other way: if it does not get below the best iterate in
// time, they are not.
static cn_status run_rest(policy *a, cn_error *err)
{
    if (is_over(a) || !a->can_factor) {
        return CN_OK;
    }
    cn_error why = {0};
    take_best(a);
    cn_watch_begin(a->watch, CN_METHOD_ADMM, cn_admm_patience(a->s, a->p));
    a->watch->err_run = a->watch->err_halved = a->watch->err_best;
    return go_on(a, cn_admm_run(a->s, a->p, cn_admm_rest(a->p), false, a->watch, &why), &why, err);
}

// Many rigid bodies, of which the most that a matrix does is to take long.
static bool is_large(const policy *a)
{
    return a->p->W.rows.row == NULL && a->p->contact_count >= CN_PROX_SMALL;
}

// A time step of rigid bodies, after which another follows.
static bool is_step(const policy *a)
{
    return a->watch->def->measure == CN_MEASURE_VELOCITY && a->p->W.rows.row == NULL;
}

// A step of a large flow with no end in sight: statuses still change, and Newton steps do not help.
static bool is_wandering(const policy *a)
{
    return is_large(a) && is_step(a) && a->left >= SWEEP_PATIENCE;
}

// Work that the present method promises to need.
static double sweeps_left(const policy *a)
{
    return a->left * (1 + a->momentum.is_symmetric);
}

// Newton steps where what is left of the present method would cost more, and the energy error is
// small enough. To ask what they cost is work as well. *is_tried: steps were made.
static cn_status try_finish(policy *a, double below, bool *is_tried, cn_error *err)
{
    double sweeps;
    *is_tried = false;
    if (is_over(a) || !a->can_factor || a->is_convex || a->watch->best_energy > below ||
        a->watch->err_best > 0.1 * a->tried_finish || (is_large(a) && sweeps_left(a) < ANALYSIS)) {
        return CN_OK;
    }
    CN_TRY(matrix_cost(a, CN_FACTOR_LU, &sweeps, err));
    if (!a->can_factor || sweeps_left(a) < NEWTON_STEPS * sweeps) {
        return CN_OK;
    }
    cn_error why = {0};
    cn_status status = cn_finish(a->s, a->p, a->watch, &why);
    a->tried_finish = a->watch->err_best;
    *is_tried = true;
    return go_on(a, status, &why, err);
}

// Iterations that are left when the error fell from `before` to `now` in `count` of them.
static double predict(double before, double now, int count)
{
    return now < before ? log(now) / log(before / now) * count : INFINITY;
}

// So many iterations of NNCG; true: the watch says stop.
static bool sweep_for(policy *a, int count)
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
static cn_status find_regime(policy *a, regime *found, cn_error *err)
{
    bool is_stored = a->p->W.rows.row != NULL;
    bool is_resting = cn_is_slow(a->s, a->p, a->watch->residual.v_ref);
    *found = REGIME_FLOW;
    if (!a->can_factor || (is_stored && !is_resting)) {
        return CN_OK;
    }
    cn_error why = {0};
    CN_TRY(go_on(a, cn_kernel_begin(a->s, a->p, &why), &why, err));
    double held = a->can_factor ? cn_share_held(a->s, a->p) : 0.0;
    is_resting = is_resting || (isnan(a->p->v_before) && held > 2.0 * hyperstatic);
    if (held > (is_stored ? nearly_all : hyperstatic)) {
        *found = is_resting ? REGIME_REST : REGIME_MECHANISM;
    }
    return CN_OK;
}

static void begin_sweeps(policy *a)
{
    int patience = SWEEP_PATIENCE * (1 + a->is_chain);
    cn_watch_begin(a->watch, CN_METHOD_NNCG, a->is_convex ? PLAIN_PATIENCE : patience);
    cn_momentum_reset(a->s, a->p, a->is_chain, &a->momentum);
}

// NNCG near rest: as long as it promises to end within `limit` iterations.
static void sweep_at_rest(policy *a, double limit)
{
    while (a->left <= limit && !sweep_for(a, a->left < SLICE ? (int)a->left + 5 : SLICE)) {
    }
}

// Sweeps after which ADMM for bodies at rest is worth a try: what it would cost, so that it is
// never more than half of the work in vain.
static cn_status plan_rest(policy *a, cn_error *err)
{
    double sweeps = INFINITY;
    a->rest_after = INFINITY;
    if (a->p->W.rows.row != NULL || cn_share_possible(a->s) > hyperstatic) {
        CN_TRY(matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
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
static cn_status try_rest(policy *a, bool *is_tried, cn_error *err)
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
static cn_status try_ipm(policy *a, bool *is_tried, cn_error *err)
{
    double sweeps;
    *is_tried = false;
    if (is_over(a) || !a->can_factor || !a->is_convex || a->left < LEFT_MAX ||
        a->watch->sweep_count < 2 * LEFT_MAX) {
        return CN_OK;
    }
    CN_TRY(matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
    double half = 0.5 * IPM_STEPS * sweeps;
    if (a->can_factor && a->watch->sweep_count > half && sweeps_left(a) > half) {
        a->is_convex = false;
        *is_tried = true;
        CN_TRY(run(a, CN_METHOD_IPM, err));
    }
    return CN_OK;
}

// NNCG until it halves the error no more, with Newton steps where they promise to be cheaper.
static cn_status sweep_moving(policy *a, cn_error *err)
{
    while (!sweep_for(a, SLICE)) {
        bool is_tried = false, is_rest_tried, is_ipm_tried;
        CN_TRY(try_rest(a, &is_rest_tried, err));
        CN_TRY(try_ipm(a, &is_ipm_tried, err));
        if (!is_wandering(a)) {
            CN_TRY(try_finish(a, finish_early, &is_tried, err));
        }
        is_tried = is_tried || is_rest_tried || is_ipm_tried;
        if (is_over(a)) {
            return CN_OK;
        }
        if (is_tried) {
            take_best(a);
            begin_sweeps(a);
        }
    }
    return CN_OK;
}

// One method after the other, with Newton steps after each.
static cn_status run_all(policy *a, int count, const cn_method *methods, cn_error *err)
{
    for (int k = 0; k < count; k++) {
        cn_method m = methods[k];
        bool is_tried, is_plain = m == CN_METHOD_APGD || m == CN_METHOD_NNCG || m == CN_METHOD_PROX;
        if (a->can_factor || is_plain) {
            CN_TRY(run(a, m, err));
            a->left = INFINITY;
            CN_TRY(try_finish(a, finish_late, &is_tried, err));
        }
    }
    return CN_OK;
}

// Sweeps with springs of the given hardness, in terms of the usual one, with Newton steps each time
// the error has fallen by 30.
static cn_status run_springs(policy *a, double factor, int patience, cn_error *err)
{
    bool is_stalled = false;
    a->watch->hardness_factor = factor;
    for (double goal = 0.03 * a->watch->err_best; !is_over(a) && !is_stalled; goal *= 0.03) {
        bool is_tried;
        cn_error why = {0};
        a->watch->goal = goal;
        take_best(a);
        cn_watch_begin(a->watch, CN_METHOD_PROX, patience);
        CN_TRY(go_on(a, cn_prox(a->s, a->p, a->watch, &why), &why, err));
        is_stalled = a->watch->err_best > goal; // or there was no memory
        a->left = PROX_ITERATIONS;
        if (!is_wandering(a)) {
            CN_TRY(try_finish(a, finish_late, &is_tried, err));
        }
    }
    a->watch->goal = 0.0;
    a->watch->hardness_factor = 1.0;
    return CN_OK;
}

// Soft springs creep to what is near, slowly and without a halt.
static cn_status run_creep(policy *a, int patience, cn_error *err)
{
    bool is_worth = !is_over(a) && a->watch->err_best < creep_enough;
    return is_worth ? run_springs(a, soft_springs, patience, err) : CN_OK;
}

// Accelerated sweeps may cycle just above what is accepted, where plain ones go on. They are slow:
// only what is near is left to them.
static cn_status run_plain(policy *a, int patience, cn_error *err)
{
    double limit = is_large(a) && is_step(a) ? creep_enough : near_enough;
    if (is_over(a) || !(a->watch->err_best < limit)) {
        return CN_OK;
    }
    cn_error why = {0};
    take_best(a);
    cn_watch_begin(a->watch, CN_METHOD_NLGS, patience);
    return go_on(a, cn_nlgs(a->s, a->p, a->watch, &why), &why, err);
}

// Springs as hard as is usual in flow cycle between solutions where a packing jams, and plain
// sweeps do so in bursts: now and then the error grows tenfold, and falls again. Each begins where
// the other has left off, in turns, as long as that helps and what is left is near.
static cn_status take_turns(policy *a, cn_error *err)
{
    double before;
    do {
        before = a->watch->err_best;
        CN_TRY(run_springs(a, 1.0, PROX_PATIENCE_LARGE, err));
        CN_TRY(run_plain(a, PLAIN_PATIENCE_LARGE, err));
        CN_TRY(run_creep(a, PROX_PATIENCE_LARGE, err));
    } while (!is_over(a) && a->watch->err_best < fmin(worth_a_turn * before, creep_enough));
    return CN_OK;
}

// Where turns do not help, soft springs are tried for long if what is left is near, then others.
static cn_status run_prox(policy *a, cn_error *err)
{
    static const double other[] = {0.1, 0.3, 3.0};
    if (!is_large(a)) {
        CN_TRY(run_springs(a, 1.0, PROX_PATIENCE, err));
        return run_plain(a, PLAIN_PATIENCE, err);
    }
    CN_TRY(take_turns(a, err));
    CN_TRY(run_creep(a, CREEP_PATIENCE, err));
    for (size_t k = 0; k < sizeof other / sizeof *other && !is_over(a); k++) {
        CN_TRY(run_springs(a, other[k], PROX_PATIENCE_LARGE, err));
    }
    return CN_OK;
}

// How far below what is accepted a matrix goes on where nothing moves but by errors.
static double depth_at_rest(const policy *a)
{
    const cn_solver_def *def = a->watch->def;
    double depth = rounding / fmin(def->eps_v, def->tol);
    bool is_still = a->p->v_before < still_speed * a->watch->residual.v_ref;
    return is_step(a) && is_still && depth < 1e-3 ? depth : 1.0;
}

// What rounding in a matrix leaves of fast modes, a few sweeps take away.
static void polish(policy *a, int iterations)
{
    if (a->watch->depth < 1.0 && a->watch->is_converged && !a->watch->is_over) {
        a->watch->depth = 0.0;
        take_best(a);
        begin_sweeps(a);
        sweep_for(a, iterations);
    }
}

// Bodies move by more than rounding, and sweeps hardly change that.
static bool is_creeping(const policy *a)
{
    double speed = a->p->v_before / a->watch->residual.v_ref;
    return speed > 0.0 && fmax(speed, a->err_start) > creep &&
           a->watch->residual.err_v > fmin(0.1 * a->err_start, shallow);
}

// Sweeps are done. What they leave of the velocity of bodies at rest is the start of the next step.
// They hardly act on the slow modes of a wall, on which gravity acts when it leans: errors grow by
// some percent in each step until the wall loosens. Where the bodies creep, a matrix stops them,
// and for hundreds of steps there is nothing to do.
static cn_status settle(policy *a, cn_error *err)
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
    CN_TRY(matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
    if (!a->can_factor || sweeps > SETTLE_SWEEPS_MAX) {
        return CN_OK;
    }
    cn_error why = {0};
    a->watch->depth = fmin(depth_at_rest(a), fresh * a->first_distance);
    take_best(a);
    CN_TRY(go_on(a, cn_watch_run(a->watch, CN_METHOD_ADMM, a->s, a->p, &why), &why, err));
    polish(a, POLISH_AGAIN);
    return CN_OK;
}

// In the next step of a mechanism, such as an arch on spreading supports, the same joints open and
// slide, and nearly the same impulses act. The augmented Lagrangian goes on from these in a dozen
// steps, and so keeps how stones press each other; interior points start anew and may lose it. It
// begins with the guess, not with what sweeps have made of it, and once in a step. *is_tried: now.
static cn_status go_on_from_guess(policy *a, bool *is_tried, cn_error *err)
{
    double sweeps;
    *is_tried = false;
    if (is_over(a) || !a->is_again || !(a->p->v_before < fast_speed * a->watch->residual.v_ref)) {
        return CN_OK;
    }
    CN_TRY(matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
    if (!a->can_factor || sweeps > AGAIN_SWEEPS_MAX) {
        return CN_OK;
    }
    cn_error why = {0};
    *is_tried = true;
    a->is_again = false;
    memcpy(a->p->r, a->s->r_guess, sizeof(double) * (size_t)a->p->row_start[a->p->contact_count]);
    cn_solver_apply(a->s, a->p, a->p->r);
    return go_on(a, cn_watch_run(a->watch, CN_METHOD_ALM, a->s, a->p, &why), &why, err);
}

// A mechanism, after the first sweeps. Where these promise no more than what was seen of them they
// go on, else the guess is gone on from first.
static cn_status move_on(policy *a, cn_error *err)
{
    bool is_tried = false;
    if (a->left > a->watch->iteration_count) {
        CN_TRY(go_on_from_guess(a, &is_tried, err));
    }
    if (is_tried && !is_over(a)) {
        take_best(a);
        begin_sweeps(a);
    }
    return is_over(a) ? CN_OK : sweep_moving(a, err);
}

// Whether most bodies stand still (still.h): a wall of which some stones move.
static bool is_standing(const policy *a)
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
static void sweep_on(policy *a)
{
    if (is_over(a) || !is_step(a) || a->s->is_inner || is_standing(a)) {
        return;
    }
    a->watch->depth = 1.0; // also of all that follows
    take_best(a);
    begin_sweeps(a);
    bool is_stopped = sweep_for(a, SLICE);
    for (int done = SLICE;
         !is_stopped && done < ON_ITERATIONS && (done < ON_SLICES * SLICE || a->left <= LEFT_MAX);
         done += SLICE) {
        is_stopped = sweep_for(a, SLICE);
    }
}

// What sweeps leave, by regime. Where Newton's statuses cycle from one start they may settle from
// the next. Where matrices are too large, sweeps with more patience take over from each other.
static cn_status go_further(policy *a, regime kind, cn_error *err)
{
    static const cn_method held[] = {CN_METHOD_IPM_LAGGED, CN_METHOD_IPM,  CN_METHOD_PROX_NEWTON,
                                     CN_METHOD_ADMM,       CN_METHOD_APGD, CN_METHOD_ALM};
    static const cn_method flow[] = {CN_METHOD_PROX_NEWTON, CN_METHOD_ADMM, CN_METHOD_IPM,
                                     CN_METHOD_PROX_NEWTON, CN_METHOD_APGD, CN_METHOD_PROX_NEWTON,
                                     CN_METHOD_ALM};
    static const cn_method slow[] = {CN_METHOD_IPM};
    static const cn_method large[] = {CN_METHOD_NNCG, CN_METHOD_PROX, CN_METHOD_APGD};
    // Where bodies slide the interior point with a lagged shift goes further than the exact one.
    int skip = a->p->W.rows.row != NULL;
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
        CN_TRY(run_all(a, 6 - skip, held + skip, err));
        return run_creep(a, CREEP_PATIENCE, err);
    case REGIME_MECHANISM:
        CN_TRY(go_on_from_guess(a, &is_tried, err));
        CN_TRY(run_all(a, 6 - skip, held + skip, err));
        return run_creep(a, CREEP_PATIENCE, err);
    default:
        if (a->p->W.rows.row != NULL && cn_is_slow(a->s, a->p, a->watch->residual.v_ref)) {
            CN_TRY(run_all(a, 1, slow, err)); // all but stopped: springs would creep
        }
        CN_TRY(run_prox(a, err));
        if (is_large(a) && is_step(a)) {
            return CN_OK; // measured: matrices take as long again and do not help
        }
        CN_TRY(a->can_factor ? run_all(a, 7, flow, err) : run_all(a, 3, large, err));
        return run_creep(a, CREEP_PATIENCE, err);
    }
}

// Sweeps of what is at rest, if they end soon.
static cn_status stay(policy *a, cn_error *err)
{
    double sweeps;
    CN_TRY(matrix_cost(a, CN_FACTOR_CHOLESKY, &sweeps, err));
    bool is_bodies = a->p->W.rows.row == NULL && a->can_factor;
    // Of bodies no promise is believed that reaches further than what was seen.
    double most = fmin(fmin(0.5 * sweeps, REST_LEFT_MAX), a->watch->iteration_count);
    sweep_at_rest(a, is_bodies ? most : LEFT_MAX);
    return CN_OK;
}

// Sweeps of what moves.
static cn_status move(policy *a, regime kind, cn_error *err)
{
    a->rest_after = cn_admm_patience(a->s, a->p);
    if (a->is_chain && (is_large(a) || kind == REGIME_FLOW)) {
        a->is_chain = false;
        a->watch->patience = SWEEP_PATIENCE;
        cn_momentum_reset(a->s, a->p, false, &a->momentum);
    }
    bool is_flow = kind == REGIME_FLOW && a->p->W.rows.row == NULL;
    if (is_flow && cn_is_smooth(a->s)) { // nothing cycles: NNCG is left alone for long
        a->is_convex = true;
        a->watch->patience = PLAIN_PATIENCE;
    }
    return kind == REGIME_MECHANISM ? move_on(a, err) : sweep_moving(a, err);
}

// A step of rigid bodies that hardly move: a heap that would come to rest if its errors, which are
// those of what is accepted, did not shake it in every step. The first sweeps go on to a tenth of
// the error they began with; so it is at rest after some steps, and costs nothing.
static bool may_settle(const policy *a)
{
    return is_step(a) && !a->s->is_inner &&
           a->p->v_before < settling_speed * a->watch->residual.v_ref;
}

// A part of a problem at rest (part.h), after the first sweeps: nearly all statuses are those of
// the step before, so that Newton steps know the way, and the matrix is small. They go deeper than
// what is accepted, since that costs no more than one of them.
static cn_status finish_part(policy *a, cn_error *err)
{
    bool is_tried;
    a->left = INFINITY;
    a->watch->depth = part_depth;
    CN_TRY(try_finish(a, finish_late, &is_tried, err));
    if (a->can_factor) {
        CN_TRY(run(a, CN_METHOD_PROX_NEWTON, err));
    }
    a->watch->depth = 1.0;
    if (!is_over(a)) {
        take_best(a);
        begin_sweeps(a);
    }
    return CN_OK;
}

cn_status cn_auto(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    policy a = {.s = s,
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
    a.is_again = is_warm && is_step(&a) && !s->has_lengths && !s->is_inner && !is_deep;
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
    if (is_over(&a)) {
        return settle(&a, err);
    }
    if (cn_has_deformable(p)) { // nodes make W well-conditioned: gradients are at their best
        CN_TRY(run(&a, CN_METHOD_APGD, err));
        if (is_over(&a)) {
            return CN_OK;
        }
        take_best(&a);
        begin_sweeps(&a);
    }
    if (s->is_inner) {
        CN_TRY(finish_part(&a, err));
        if (is_over(&a)) {
            return CN_OK;
        }
    }
    CN_TRY(kind == REGIME_REST ? stay(&a, err) : move(&a, kind, err));
    return is_over(&a) ? settle(&a, err) : go_further(&a, kind, err);
}
