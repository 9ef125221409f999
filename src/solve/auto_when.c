// solve/auto_when.c -- the conditions of the table in auto.c.
#include <math.h>

#include "solve/auto.h"
#include "solve/direct/admm.h"
#include "solve/direct/homotopy.h"
#include "solve/problem/regime.h"
#include "solve/sleep/locked.h"

// A factor that cannot be had for want of memory rules matrices out; other errors end the solve.
static bool has_failed(cn_auto_state *a, cn_status status, const cn_error *why)
{
    if (status == CN_NO_MEMORY) {
        a->progress->is_factor_refused = true;
        a->can_factor = false;
    } else if (status != CN_OK && status != CN_BAD_INPUT) {
        a->status = cn_fail(a->err, status, "%s", why->text);
        a->progress->is_over = true;
    }
    return status != CN_OK;
}

// Whether a method has had its turn, or is not to have one.
static bool is_past(const cn_auto_state *a, cn_method method)
{
    return cn_auto_runs(a, method) > 0 || !cn_progress_allows(a->progress, method);
}

static bool is_prox_past(const cn_auto_state *a)
{
    return a->turn == CN_TURN_OVER || !cn_progress_allows(a->progress, CN_METHOD_PROX);
}

double cn_auto_factor_cost(cn_auto_state *a, cn_factor_kind kind)
{
    double bytes = 0.0;
    cn_error why = {0};
    cn_status status = cn_system_lay_out(a->s, a->p, &why);
    status = status == CN_OK ? cn_system_measure(a->s, a->p, kind, &bytes, &why) : status;
    if (status == CN_OK && bytes > a->progress->def->factor_memory) {
        status = CN_NO_MEMORY;
    }
    double sweeps = has_failed(a, status, &why) ? INFINITY : cn_system_sweeps(a->s, a->p);
    a->can_factor = a->can_factor && sweeps <= cn_auto_c.factor_most;
    return a->can_factor ? sweeps : INFINITY;
}

// Hyperstatic: bodies hold each other more than once. Where W is stored nothing is known of the
// bodies; then nearly all contacts must hold, and stop what comes. Where the velocity is not known
// and sweeps do not stop the bodies, they are taken to be at rest if they hold each other well.
void cn_auto_find_regime(cn_auto_state *a)
{
    bool is_slow = cn_is_slow(a->s, a->p, a->progress->residual.v_ref);
    cn_error why = {0};
    a->regime = CN_REGIME_FLOW;
    if (!a->can_factor || (a->is_stored && !is_slow) ||
        has_failed(a, cn_system_lay_out(a->s, a->p, &why), &why)) {
        return;
    }
    double held = cn_hyperstaticity(a->s, a->p);
    is_slow = is_slow || (isnan(a->p->v_before) && held > 2.0 * cn_auto_c.hyperstatic);
    if (held > (a->is_stored ? cn_auto_c.all_held : cn_auto_c.hyperstatic)) {
        a->regime =
            a->is_motion ? CN_REGIME_STRUCTURE : (is_slow ? CN_REGIME_REST : CN_REGIME_MECHANISM);
    }
}

// Work that the present sweeps promise to need.
static double sweeps_left(const cn_auto_state *a)
{
    return a->left * (1 + a->momentum.is_symmetric);
}

// Whether other work is less than what sweeps promise to take, and they have shown for long enough
// that they do.
static bool pays(const cn_auto_state *a, double sweeps)
{
    const double seen = 0.25; // of the other work
    double swept = a->mark.iterations * (1.0 + a->momentum.is_symmetric);
    return sweeps_left(a) > sweeps && swept >= seen * sweeps;
}

// A step of a large flow with no end in sight: statuses still change, and Newton does not help.
static bool is_wandering(const cn_auto_state *a)
{
    return a->is_large && a->is_step && a->left >= cn_auto_c.promise;
}

// Whether other work on many bodies is no more than what sweeps have taken and promise to take. In
// flows a promise of one slice is often broken: what is tried there is in vain more often than not,
// and then no more than half of the work.
static bool is_worth(const cn_auto_state *a, double sweeps)
{
    return !a->is_large || (sweeps_left(a) >= sweeps && a->progress->sweep_count >= sweeps);
}

// Nodes make W well-conditioned: gradients are at their best. They are left, too, where there is no
// memory for a matrix.
bool cn_when_deformable(cn_auto_state *a)
{
    bool is_flow_left = is_prox_past(a) && !(a->is_large && a->is_step);
    bool is_left = a->is_swept && !a->can_factor && (a->regime != CN_REGIME_FLOW || is_flow_left);
    return a->is_begun && (cn_has_deformable(a->p) || is_left);
}

// A structure that starts from nothing, or from impulses of other loads. Alternating directions
// bring the loads of the whole to the ground in some dozens of iterations.
static bool is_cold_structure(cn_auto_state *a)
{
    if (a->regime != CN_REGIME_STRUCTURE || a->is_rest_tried || !a->is_cold || !a->can_factor) {
        return false;
    }
    double factor = cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY);
    return factor < INFINITY &&
           pays(a, factor + cn_auto_c.burst * (2.0 + cn_system_solve_sweeps(a->s, a->p)));
}

// Accepted already, from a cold start of what stands: solved once as far as it goes, if that is no
// more than twice the work so far. Contacts that stick tie bodies then (locked.h), and the others
// miss so little that they need no work for hundreds of steps.
static bool is_cold_rest(cn_auto_state *a)
{
    bool is_still = a->p->v_before < cn_auto_c.still * a->progress->residual.v_ref;
    if (!a->is_cold || !is_still || !a->is_step || a->s->is_inner || a->is_rest_tried) {
        return false;
    }
    cn_auto_find_regime(a);
    double factor =
        a->regime == CN_REGIME_FLOW ? INFINITY : cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY);
    return factor < INFINITY &&
           factor + cn_auto_c.burst * (2.0 + cn_system_solve_sweeps(a->s, a->p)) <=
               2.0 * a->progress->sweep_count;
}

// Bodies at rest, when sweeps do not end soon. Bodies that may be at rest though sweeps do not show
// it: when these have cost what ADMM would, so that it is never more than half of the work in vain.
bool cn_when_rest(cn_auto_state *a)
{
    if (a->progress->is_converged) {
        return is_cold_rest(a);
    }
    if (a->is_motion) {
        return is_cold_structure(a);
    }
    if (!a->is_begun || a->is_rest_tried || !a->can_factor || a->regime == CN_REGIME_REST) {
        return a->is_begun && !a->is_rest_tried && a->can_factor && a->is_swept;
    }
    if (a->is_swept || a->progress->sweep_count <= a->rest_after ||
        !cn_may_rest(a->s, a->p, a->progress->residual.v_ref)) {
        return false;
    }
    double sweeps = INFINITY;
    if (a->is_stored || cn_hyperstaticity_bound(a->s) > cn_auto_c.hyperstatic) {
        sweeps = cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY);
    }
    double iterations = 0.5 * cn_admm_patience(a->s, a->p);
    a->rest_after = sweeps < INFINITY
                        ? sweeps + iterations * (2.0 + cn_system_solve_sweeps(a->s, a->p))
                        : sweeps;
    return a->progress->sweep_count > a->rest_after;
}

// Whether most bodies are locked: a wall of which some stones move.
static bool is_standing(const cn_auto_state *a)
{
    const unsigned char *is_locked = cn_solver_locked(a->s);
    int bodies = a->p->W.factors.body_count, count = 0;
    for (int i = 0; is_locked != NULL && i < bodies; i++) {
        count += is_locked[i];
    }
    return 2 * count > bodies;
}

// Bodies near rest that ADMM does not find at rest, such as a heap in which stones still creep:
// sweeps are there in a hundred or two, if they promise it, and matrices in ten times as much work.
// What stands is worth the deeper answer of these: it stays so.
static bool may_sweep_after_rest(const cn_auto_state *a)
{
    const int most = 2 * cn_auto_c.promise, free = 2 * cn_auto_c.slice;
    bool is_first = a->last == CN_METHOD_ADMM && a->is_step && !a->s->is_inner && !is_standing(a);
    bool is_next = a->swept_after_admm > 0 && a->last == CN_METHOD_NNCG &&
                   !a->progress->is_stalled && a->swept_after_admm < most &&
                   (a->swept_after_admm < free || a->left <= cn_auto_c.promise);
    return is_first || is_next;
}

// A structure that moves, when sweeps are done or promise more.
static bool is_warm_structure(cn_auto_state *a)
{
    if (!a->is_warm || !a->can_factor || a->s->has_moment_rows) {
        return false;
    }
    double factor = cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY);
    return factor < INFINITY && (a->is_swept || pays(a, 0.5 * cn_auto_c.ipm_steps * factor));
}

// In the next step of a mechanism, such as an arch on spreading supports, the same joints open and
// slide, and nearly the same impulses act. The augmented Lagrangian goes on from these in a dozen
// steps, and so keeps how stones press each other; interior points start anew and may lose it.
bool cn_when_warm(cn_auto_state *a)
{
    const double fast = 10.0; // over the reference: statuses change in every step
    if (a->regime == CN_REGIME_STRUCTURE) {
        return is_warm_structure(a);
    }
    bool is_begun = cn_auto_runs(a, CN_METHOD_NNCG) == 1 && a->left > a->progress->iteration_count;
    bool is_mechanism = a->regime == CN_REGIME_MECHANISM && (a->is_swept || is_begun);
    bool is_rest = a->regime == CN_REGIME_REST && a->is_swept && !may_sweep_after_rest(a);
    bool is_slow = a->p->v_before < fast * a->progress->residual.v_ref;
    return a->has_guess && !a->is_deep && is_slow && (is_mechanism || is_rest) && a->can_factor &&
           cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY) <= cn_auto_c.factor_warm;
}

// Without friction the problem is a convex program, which an interior point solves in a number of
// steps that hardly depends on it: taken where sweeps have cost half as much as those would, and
// promise to need that again. Otherwise where sweeps are done: first of all where W is stored and
// nearly everything is held or stopped, after Newton with proximal terms elsewhere.
bool cn_when_ipm(cn_auto_state *a)
{
    if (!a->can_factor) {
        return false;
    }
    if (a->is_swept) {
        bool is_stopped =
            a->regime != CN_REGIME_FLOW || cn_is_slow(a->s, a->p, a->progress->residual.v_ref);
        return (a->is_stored && is_stopped) || is_past(a, CN_METHOD_PROX_NEWTON);
    }
    if (!a->is_convex || a->left < cn_auto_c.promise ||
        a->progress->sweep_count < 2 * cn_auto_c.promise) {
        return false;
    }
    double half = 0.5 * cn_auto_c.ipm_steps * cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY);
    return a->progress->sweep_count > half && sweeps_left(a) > half;
}

// A part of a problem at rest, after the first sweeps: nearly all statuses are those of the step
// before, so that Newton steps know the way, and the matrix is small.
static bool is_part_left(const cn_auto_state *a)
{
    return a->s->is_inner && a->can_factor && cn_auto_runs(a, CN_METHOD_NNCG) == 1 &&
           cn_auto_runs(a, CN_METHOD_PROX_NEWTON) == 0;
}

// Whether Newton steps on the statuses of now may be asked: while sweeps go on, after proximal
// terms, and after a method with a matrix that does not end with them by itself.
static bool may_ask_newton(const cn_auto_state *a)
{
    if (is_part_left(a)) {
        return true;
    }
    if (!a->is_swept) {
        return a->last == CN_METHOD_NNCG && cn_auto_runs(a, CN_METHOD_NNCG) > 1 &&
               a->regime != CN_REGIME_REST && !is_wandering(a);
    }
    bool is_prox = a->last == CN_METHOD_PROX && !is_wandering(a);
    return is_prox || a->last == CN_METHOD_IPM || a->last == CN_METHOD_IPM_LAGGED ||
           a->last == CN_METHOD_PROX_NEWTON;
}

// Where what is left of the present method would cost more, and the energy error is small enough
// for statuses to be right. To know what they cost is work as well.
bool cn_when_newton(cn_auto_state *a)
{
    bool is_late = a->is_swept || a->s->is_inner;
    if (!a->can_factor || a->is_convex || !may_ask_newton(a) ||
        a->progress->best_energy > (is_late ? cn_auto_c.newton_late : cn_auto_c.newton_energy) ||
        a->progress->err_best > 0.1 * a->newton_failed || !is_worth(a, cn_auto_c.newton_analysis)) {
        return false;
    }
    double sweeps = cn_auto_c.newton_steps * cn_auto_factor_cost(a, CN_FACTOR_LU);
    return sweeps_left(a) >= sweeps && is_worth(a, sweeps);
}

// A part of a problem at rest, once. Else when sweeps are done: after the interior points of what
// is held, and after proximal terms in flows.
bool cn_when_prox_newton(cn_auto_state *a)
{
    bool is_first = cn_auto_runs(a, CN_METHOD_PROX_NEWTON) == 0;
    if (is_part_left(a)) {
        return true;
    }
    if (!a->can_factor || !a->is_swept ||
        !(is_first || (a->s->is_inner && a->last != CN_METHOD_PROX_NEWTON))) {
        return false;
    }
    if (a->regime == CN_REGIME_FLOW) {
        return is_prox_past(a) && !(a->is_large && a->is_step) &&
               cn_auto_factor_cost(a, CN_FACTOR_LU) < INFINITY;
    }
    return is_past(a, a->is_stored ? CN_METHOD_IPM : CN_METHOD_IPM_LAGGED);
}

// Near rest as long as they promise to end soon: of bodies no promise is believed that reaches
// further than what was seen.
static bool promise_too_much(cn_auto_state *a)
{
    double most = cn_auto_c.promise, sweeps = cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY);
    if (!a->is_stored && a->can_factor) {
        most = fmin(fmin(0.5 * sweeps, cn_auto_c.promise_rest), a->progress->iteration_count);
    }
    return a->left > most;
}

// Whether sweeps on a structure are done. Interior points with friction take four times the factors
// of those without: where sweeps promise more, or stall, and that work may be done twice.
static bool is_structure_swept(cn_auto_state *a)
{
    double work = 4.0 * cn_auto_c.ipm_steps * cn_auto_factor_cost(a, CN_FACTOR_CHOLESKY);
    double most = fmin(0.5 * a->progress->def->sweep_max,
                       a->progress->def->sweep_max - a->progress->sweep_count);
    return a->last == CN_METHOD_NNCG && (work <= most || !a->can_factor) &&
           (a->progress->is_stalled || pays(a, work));
}

void cn_auto_judge_sweeps(cn_auto_state *a)
{
    if (!a->is_begun || a->is_swept || is_part_left(a)) {
        return;
    }
    if (a->regime == CN_REGIME_STRUCTURE) {
        a->is_swept = is_structure_swept(a);
        return;
    }
    a->is_swept = (a->last == CN_METHOD_NNCG && a->progress->is_stalled) ||
                  (a->regime == CN_REGIME_REST && promise_too_much(a));
}

bool cn_when_sweeps(cn_auto_state *a)
{
    return !a->is_swept || (a->regime == CN_REGIME_REST && may_sweep_after_rest(a));
}

// Where bodies slide the interior point with a lagged shift goes further than the exact one.
bool cn_when_held(cn_auto_state *a)
{
    return a->is_swept && a->can_factor && a->regime != CN_REGIME_FLOW && !a->is_stored;
}

// From the guess, which solves the problem of the step before; loads change little from step to
// step, so a wall is met where it starts to move.
bool cn_when_homotopy(cn_auto_state *a)
{
    return cn_when_held(a) && a->has_guess && is_past(a, CN_METHOD_IPM_LAGGED) &&
           cn_homotopy_can(a->s, a->p);
}

bool cn_when_flow_large(cn_auto_state *a)
{
    return a->is_swept && a->regime == CN_REGIME_FLOW && a->is_large && a->is_step;
}

// Where nothing else is left, too, if there is no memory for a matrix.
bool cn_when_flow(cn_auto_state *a)
{
    return a->is_swept && (a->regime == CN_REGIME_FLOW || !a->can_factor) &&
           (a->turn == CN_TURN_USUAL || a->turn == CN_TURN_SOFT);
}

// Accelerated sweeps and proximal terms may cycle just above what is accepted, where plain sweeps
// go on, in bursts.
bool cn_when_cycling(cn_auto_state *a)
{
    return a->is_swept && (a->regime == CN_REGIME_FLOW || !a->can_factor) &&
           a->turn == CN_TURN_PLAIN;
}
