// solve/direct/admm.h -- alternating directions, near rest or not (admm.c).
#pragma once

#include "solve/solver.h"

// Weight of the split against W for moving bodies, whose multiplier starts from the velocities.
#define CN_ADMM_MOVING 0.2

// The same for bodies near rest, whose multiplier starts from zero: the smaller, the faster
// information travels, and the worse is what is solved exactly; large walls need the first.
double cn_admm_rest(const cn_problem *p);

// A run: how it weighs the split, and when it is over before its patience ends.
typedef struct cn_admm_def {
    double rho;
    bool is_moving;   // the multiplier starts from the velocities
    bool has_weights; // more factors, with weights by impulses (13.12)
    double late;      // energy error from which on statuses may be right; 0: none
    int patience;     // sweeps without progress from then on
} cn_admm_def;

// From the impulses in p->r until progress ends.
cn_status cn_admm_run(cn_solver *s, const cn_problem *p, const cn_admm_def *def,
                      cn_solve_progress *progress, cn_error *err);

// Sweeps without progress to be borne near rest: information travels about one course per three
// iterations, and until it has been everywhere the residual need not fall.
int cn_admm_patience(const cn_solver *s, const cn_problem *p);
