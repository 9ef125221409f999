// solve/sweep/prox.c -- NNCG inside a proximal loop: the solver for rigid packings, theory 13.4.
//
// With a stiff spring at every constraint NNCG converges at a linear rate; then the centres of the
// springs move to the solution, and in the limit they carry nothing.
#include <limits.h>
#include <math.h>

#include "solve/sweep/regularize.h"

static const double inner_share = 0.6; // of the residual of the true law, for the inner one

// c grows in small problems, where accurate centres are cheap.
static const double c_large = 1000.0, c_small = 300.0, c_growth = 1.5, c_most = 1e5;

// NNCG on the softened problem until its residual is a share of that of the true law. True: the
// watch says stop.
static bool solve_inside(cn_solver *s, const cn_problem *p, const cn_softened *soft,
                         cn_watch *watch)
{
    cn_momentum m;
    cn_momentum_reset(s, p, true, &m); // one way they stall: of 34 steps of a drum 23 instead of 6
    for (int k = 1, next = 5;; k++) {
        watch->sweep_count += cn_momentum_sweep(s, &soft->problem, &m);
        watch->iteration_count++;
        watch->sweep_next = k == next ? 0 : INT_MAX;
        if (cn_watch_check(watch, s, p)) {
            return true;
        }
        if (k == next) {
            cn_residual inner;
            next = k + 4 + k / 3; // a check costs as much as some sweeps
            cn_solver_residual(s, &soft->problem, s->u, &inner);
            double rest = cn_watch_distance(watch, &inner);
            if (rest <= inner_share * cn_watch_distance(watch, &watch->residual)) {
                return false;
            }
        }
        cn_momentum_push(s, &soft->problem, &m);
    }
}

static cn_status iterate(cn_solver *s, const cn_problem *p, cn_softened *soft, cn_watch *watch,
                         cn_error *err)
{
    bool is_small = p->contact_count < CN_PROX_SMALL;
    while (!solve_inside(s, p, soft, watch)) {
        double hardness = is_small ? fmin(c_growth * soft->hardness, c_most) : soft->hardness;
        CN_TRY(cn_soften_move(s, p, watch->def, hardness, soft, err));
    }
    return CN_OK;
}

cn_status cn_prox(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    double *work, hardness = p->contact_count < CN_PROX_SMALL ? c_small : c_large;
    hardness *= watch->hardness_factor;
    cn_softened soft;
    CN_TRY(cn_solver_work(s, cn_soften_work(p), &work, err));
    CN_TRY(cn_soften_begin(s, p, watch->def, hardness, work, &soft, err));
    CN_TRY(iterate(s, p, &soft, watch, err));
    return cn_soften_end(s, p, watch->def, err);
}
