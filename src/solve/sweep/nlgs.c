// solve/sweep/nlgs.c -- plain nonlinear block Gauss-Seidel, theory 8.3.
#include "solve/solver.h"

// w is rebuilt from r now and then, or rounding would let them drift apart.
enum { SWEEPS_BETWEEN_REBUILDS = 200 };

bool cn_watch_sweep(cn_watch *watch, cn_solver *s, const cn_problem *p)
{
    watch->sweep_count++;
    watch->iteration_count++;
    if (watch->sweep_count % SWEEPS_BETWEEN_REBUILDS == 0) {
        cn_solver_apply(s, p, p->r);
    }
    return cn_watch_check(watch, s, p);
}

cn_status cn_nlgs(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    (void)err;
    do {
        bool is_backward = watch->def->order == CN_ORDER_ALTERNATING && watch->sweep_count % 2 == 1;
        cn_sweep(s, p, is_backward);
    } while (!cn_watch_sweep(watch, s, p));
    return CN_OK;
}
