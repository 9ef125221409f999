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

// NNCG on the softened problem until its residual is a share of that of the true law. True: stop.
static bool solve_inside(cn_solver *s, const cn_problem *p, const cn_regularized *soft,
                         cn_solve_progress *progress)
{
    cn_momentum m;
    cn_momentum_reset(s, p, true, &m); // one way they stall: of 34 steps of a drum 23 instead of 6
    for (int k = 1, next = 5;; k++) {
        progress->sweep_count += cn_momentum_sweep(s, &soft->problem, &m);
        progress->iteration_count++;
        progress->sweep_next = k == next ? 0 : INT_MAX;
        if (cn_progress_check(progress, s, p)) {
            return true;
        }
        if (k == next) {
            cn_residual inner;
            next = k + 4 + k / 3; // a check costs as much as some sweeps
            cn_solver_residual(s, &soft->problem, s->u, &inner);
            double rest = cn_progress_distance(progress, &inner);
            if (rest <= inner_share * cn_progress_distance(progress, &progress->residual)) {
                return false;
            }
        }
        cn_momentum_push(s, &soft->problem, &m);
    }
}

static cn_status move_centres(cn_solver *s, const cn_problem *p, cn_regularized *soft,
                              cn_solve_progress *progress, cn_error *err)
{
    bool is_small = p->contact_count < CN_PROX_SMALL;
    while (!solve_inside(s, p, soft, progress)) {
        double hardness = is_small ? fmin(c_growth * soft->hardness, c_most) : soft->hardness;
        CN_TRY(cn_regularize_move(s, p, progress->def, hardness, soft, err));
    }
    return CN_OK;
}

cn_status cn_prox(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    double *work, hardness = p->contact_count < CN_PROX_SMALL ? c_small : c_large;
    hardness *= progress->hardness_factor;
    cn_regularized soft;
    CN_TRY(cn_solver_work(s, cn_regularize_work(p), &work, err));
    CN_TRY(cn_regularize_begin(s, p, progress->def, hardness, work, &soft, err));
    CN_TRY(move_centres(s, p, &soft, progress, err));
    return cn_regularize_end(s, p, progress->def, err);
}
