// solve/sweep/nlgs.c -- plain nonlinear block Gauss-Seidel, theory 8.3.
#include "solve/solver.h"

// w is rebuilt from r now and then, or rounding would let them drift apart.
enum { SWEEPS_BETWEEN_REBUILDS = 200 };

bool cn_progress_sweep(cn_solve_progress *progress, cn_solver *s, const cn_problem *p)
{
    progress->sweep_count++;
    progress->iteration_count++;
    if (progress->sweep_count % SWEEPS_BETWEEN_REBUILDS == 0) {
        cn_solver_apply(s, p, p->r);
    }
    return cn_progress_check(progress, s, p);
}

cn_status cn_nlgs(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    (void)err;
    do {
        bool is_backward =
            progress->def->order == CN_ORDER_ALTERNATING && progress->sweep_count % 2 == 1;
        cn_sweep(s, p, is_backward);
    } while (!cn_progress_sweep(progress, s, p));
    return CN_OK;
}
