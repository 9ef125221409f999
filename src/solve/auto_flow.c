// solve/auto_flow.c -- what NNCG leaves of flows: springs and plain sweeps take over from each
// other; theory chapter 13, "Which method".
#include "solve/auto_state.h"

#include <math.h>

enum {
    PROX_ITERATIONS = 500,      // that prox takes
    PROX_PATIENCE = 2000,       // sweeps without halving
    PROX_PATIENCE_LARGE = 1000, // the same where springs of another hardness are tried next
    EVEN_PATIENCE = 4000,       // the same of springs that are set by what contacts miss
    CREEP_PATIENCE = 8000,      // the same of soft springs that creep to what is accepted
    PLAIN_PATIENCE = 4000,      // the same of plain sweeps
    PLAIN_PATIENCE_LARGE = 2000
};
static const double near_enough = 30.0; // times what is accepted, for plain sweeps
static const double soft_springs = 0.1; // hardness of springs that creep, over the usual one
static const double creep_enough = 5.0; // as near_enough for soft springs, and in large steps
static const double worth_a_turn = 0.7; // of the error, what turns of sweeps must leave to go on

// Sweeps with springs of the given hardness, in terms of the usual one, with Newton steps each time
// the error has fallen by 30.
static cn_status run_springs(cn_policy *a, double factor, int patience, cn_error *err)
{
    bool is_stalled = false;
    a->watch->hardness_factor = factor;
    for (double goal = 0.03 * a->watch->err_best; !cn_policy_is_over(a) && !is_stalled;
         goal *= 0.03) {
        bool is_tried;
        cn_error why = {0};
        a->watch->goal = goal;
        cn_policy_take_best(a);
        cn_watch_begin(a->watch, CN_METHOD_PROX, patience);
        CN_TRY(cn_policy_go_on(a, cn_prox(a->s, a->p, a->watch, &why), &why, err));
        is_stalled = a->watch->err_best > goal; // or there was no memory
        a->left = PROX_ITERATIONS;
        if (!cn_policy_is_wandering(a)) {
            CN_TRY(cn_policy_finish(a, true, &is_tried, err));
        }
    }
    a->watch->goal = 0.0;
    a->watch->hardness_factor = 1.0;
    return CN_OK;
}

// Soft springs creep to what is near, slowly and without a halt.
static cn_status run_creep(cn_policy *a, int patience, cn_error *err)
{
    bool is_worth = !cn_policy_is_over(a) && a->watch->err_best < creep_enough;
    return is_worth ? run_springs(a, soft_springs, patience, err) : CN_OK;
}

cn_status cn_policy_creep(cn_policy *a, cn_error *err)
{
    return run_creep(a, CREEP_PATIENCE, err);
}

// Accelerated sweeps may cycle just above what is accepted, where plain ones go on. They are slow:
// only what is near is left to them.
static cn_status run_plain(cn_policy *a, int patience, cn_error *err)
{
    double limit = cn_policy_is_large(a) && cn_policy_is_step(a) ? creep_enough : near_enough;
    if (cn_policy_is_over(a) || !(a->watch->err_best < limit)) {
        return CN_OK;
    }
    cn_error why = {0};
    cn_policy_take_best(a);
    cn_watch_begin(a->watch, CN_METHOD_NLGS, patience);
    return cn_policy_go_on(a, cn_nlgs(a->s, a->p, a->watch, &why), &why, err);
}

// Springs as hard as is usual in flow cycle between solutions where a packing jams, and plain
// sweeps do so in bursts: now and then the error grows tenfold, and falls again. Each begins where
// the other has left off, in turns, as long as that helps and what is left is near.
static cn_status take_turns(cn_policy *a, cn_error *err)
{
    double before;
    do {
        before = a->watch->err_best;
        CN_TRY(run_springs(a, 1.0, PROX_PATIENCE_LARGE, err));
        CN_TRY(run_plain(a, PLAIN_PATIENCE_LARGE, err));
        CN_TRY(run_creep(a, PROX_PATIENCE_LARGE, err));
    } while (!cn_policy_is_over(a) &&
             a->watch->err_best < fmin(worth_a_turn * before, creep_enough));
    return CN_OK;
}

// Springs of their own hardness at each contact, for steps in which modes grow that nothing else
// holds.
static cn_status run_even(cn_policy *a, cn_error *err)
{
    cn_error why = {0};
    cn_policy_take_best(a);
    cn_watch_begin(a->watch, CN_METHOD_PROX, EVEN_PATIENCE);
    return cn_policy_go_on(a, cn_even(a->s, a->p, a->watch, &why), &why, err);
}

// Large time steps begin with springs that even out, and end there unless what is left is near.
// Turns, in steps. Where they do not help, matrices come next if they are small, else soft springs
// for long if what is left is near, then others.
cn_status cn_policy_flow(cn_policy *a, cn_error *err)
{
    static const double other[] = {0.1, 0.3, 3.0};
    if (!cn_policy_is_large(a) && !cn_policy_is_step(a)) {
        CN_TRY(run_springs(a, 1.0, PROX_PATIENCE, err));
        return run_plain(a, PLAIN_PATIENCE, err);
    }
    if (cn_policy_is_large(a) && cn_policy_is_step(a)) {
        CN_TRY(run_even(a, err));
        if (a->watch->err_best > creep_enough) {
            return CN_OK;
        }
    }
    CN_TRY(take_turns(a, err));
    if (!cn_policy_is_large(a)) {
        return CN_OK;
    }
    CN_TRY(cn_policy_creep(a, err));
    for (size_t k = 0; k < sizeof other / sizeof *other && !cn_policy_is_over(a); k++) {
        CN_TRY(run_springs(a, other[k], PROX_PATIENCE_LARGE, err));
    }
    return CN_OK;
}
