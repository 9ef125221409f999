// solve/auto_state.c -- see policy.h.
#include "solve/auto_state.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "solve/direct/active_set_newton.h"
#include "solve/direct/homotopy.h"

enum {
    NEWTON_STEPS = 3,  // that a finish takes
    ANALYSIS = 500,    // sweeps that it takes to know what those of many bodies cost
    NO_END = 200,      // iterations left: no end is in sight
    PATH_FACTORS = 100 // work of a path from the guess, in factorizations
};
// Energy errors at which statuses may be right: while sweeps still help, and when they do not.
static const double finish_early = 1e-4, finish_late = 1e-3;
static const double factor_sweeps_max = 2e3; // work of one factorization that is too much

bool cn_policy_is_over(const cn_policy *a)
{
    return a->watch->is_converged || a->watch->is_over;
}

void cn_policy_take_best(cn_policy *a)
{
    size_t rows = (size_t)a->p->row_start[a->p->contact_count];
    memcpy(a->p->r, a->s->r_best, sizeof(double) * rows);
    cn_solver_apply(a->s, a->p, a->p->r);
}

cn_status cn_policy_go_on(cn_policy *a, cn_status status, const cn_error *why, cn_error *err)
{
    if (status == CN_NO_MEMORY) {
        a->watch->is_factor_refused = true;
        a->can_factor = false;
    }
    if (status == CN_NO_MEMORY || status == CN_BAD_INPUT) {
        cn_policy_take_best(a);
        return CN_OK;
    }
    return status == CN_OK ? CN_OK : cn_fail(err, status, "%s", why->text);
}

cn_status cn_policy_matrix_cost(cn_policy *a, cn_factor_kind kind, double *sweeps, cn_error *err)
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
    return cn_policy_go_on(a, status, &why, err);
}

cn_status cn_policy_run(cn_policy *a, cn_method method, cn_error *err)
{
    if (cn_policy_is_over(a)) {
        return CN_OK;
    }
    cn_error why = {0};
    cn_policy_take_best(a);
    return cn_policy_go_on(a, cn_watch_run(a->watch, method, a->s, a->p, &why), &why, err);
}

bool cn_policy_is_large(const cn_policy *a)
{
    return a->p->W.rows.row == NULL && a->p->contact_count >= CN_PROX_SMALL;
}

bool cn_policy_is_step(const cn_policy *a)
{
    return a->watch->def->measure == CN_MEASURE_VELOCITY && a->p->W.rows.row == NULL;
}

bool cn_policy_is_wandering(const cn_policy *a)
{
    return cn_policy_is_large(a) && cn_policy_is_step(a) && a->left >= NO_END;
}

double cn_policy_sweeps_left(const cn_policy *a)
{
    return a->left * (1 + a->momentum.is_symmetric);
}

// Whether so many sweeps' worth of other work on many bodies is no more than what sweeps have taken
// and promise to take. In flows a promise of one slice is often broken, and statuses go on
// changing: what is tried there is in vain more often than not, and then no more than half of the
// work.
static bool is_worth(const cn_policy *a, double sweeps)
{
    return !cn_policy_is_large(a) ||
           (cn_policy_sweeps_left(a) >= sweeps && a->watch->sweep_count >= sweeps);
}

cn_status cn_policy_finish(cn_policy *a, bool is_late, bool *is_tried, cn_error *err)
{
    double sweeps;
    *is_tried = false;
    if (cn_policy_is_over(a) || !a->can_factor || a->is_convex ||
        a->watch->best_energy > (is_late ? finish_late : finish_early) ||
        a->watch->err_best > 0.1 * a->tried_finish || !is_worth(a, ANALYSIS)) {
        return CN_OK;
    }
    CN_TRY(cn_policy_matrix_cost(a, CN_FACTOR_LU, &sweeps, err));
    if (!a->can_factor || cn_policy_sweeps_left(a) < NEWTON_STEPS * sweeps ||
        !is_worth(a, NEWTON_STEPS * sweeps)) {
        return CN_OK;
    }
    cn_error why = {0};
    cn_status status = cn_finish(a->s, a->p, a->watch, &why);
    a->tried_finish = a->watch->err_best;
    *is_tried = true;
    return cn_policy_go_on(a, status, &why, err);
}

cn_status cn_policy_follow_guess(cn_policy *a, cn_error *err)
{
    if (cn_policy_is_over(a) || !a->can_factor || !a->has_guess || !cn_path_can(a->s, a->p)) {
        return CN_OK;
    }
    cn_error why = {0};
    a->has_guess = false;
    cn_watch_begin(a->watch, CN_METHOD_PROX_NEWTON, INT_MAX / 2); // paths end by themselves
    cn_status status = cn_path(a->s, a->p, a->s->r_guess, PATH_FACTORS, a->watch, &why);
    return cn_policy_go_on(a, status, &why, err);
}
