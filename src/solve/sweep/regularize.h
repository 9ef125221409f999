// solve/sweep/regularize.h -- a problem whose constraints carry stiff springs about a centre, for
// proximal methods, theory 13.4.
//
//     u' = u + a_c (r - rc),   a_c = w_a / c
// In the terms of a core this is compliance c + a_c and shift b - a_c (rc + r0), so that sweeps,
// factors and residuals do not know about it. The limit of moving centres obeys the true law.
#pragma once

#include "solve/solver.h"

typedef struct cn_regularized {
    cn_problem problem;     // p with other shifts and compliances, same impulses
    double *b, *c, *centre; // by row
    double *W_diag;         // of the true problem, by constraint
    double hardness;        // c of (13.4)
    double *hardness_of;    // the same of each constraint by itself (13.6); NULL: of all alike
} cn_regularized;

// Numbers of work that cn_regularize_begin takes.
size_t cn_regularize_work(const cn_problem *p);

// Centre at the impulses in p->r; packs the softened problem. `work` must live until the end.
cn_status cn_regularize_begin(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                              double hardness, double *work, cn_regularized *soft, cn_error *err);

// The centre moves to the impulses in p->r; the hardness may change, which packs anew.
cn_status cn_regularize_move(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                             double hardness, cn_regularized *soft, cn_error *err);

// Centres and hardnesses of constraints have changed: numbers of the packed form anew, in place.
void cn_regularize_renew(cn_solver *s, const cn_problem *p, cn_regularized *soft);

// Packs the true problem again, for what comes next.
cn_status cn_regularize_end(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                            cn_error *err);
