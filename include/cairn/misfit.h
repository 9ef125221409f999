/// cairn/misfit.h -- what an inexact answer is the exact answer of.
///
/// With z of (8.8) the impulses r - z lie in their cones, and with the velocities u' they obey
/// every law exactly. u' differs from what these impulses lead to by delta: the answer is the exact
/// step of bodies whose contacts have been given an extra relative velocity delta, h delta in
/// metres (theory 8.29, 8.30).
#pragma once

#include "cairn/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rows of the problem, in its order; NULL: not wanted.
typedef struct cn_misfit_rows {
    double *r;     ///< impulses r' of cores, in their cones [N s]
    double *u;     ///< velocities u' of cores that obey the laws with them [m/s]
    double *delta; ///< u' less what the impulses lead to [m/s]
} cn_misfit_rows;

typedef struct cn_misfit {
    double violation;  ///< by which u' and r' miss their laws: rounding [m/s]
    double most;       ///< largest |delta_a| [m/s]
    double mean;       ///< rms |delta_a| [m/s]
    int worst;         ///< constraint with the largest, -1: none
    double bound;      ///< largest |delta_a| over the bound of (8.30), at most 1 [-]
    double energy;     ///< sum r' . delta: what misfits put into the motion in the step [J]
    double energy_all; ///< sum |r'_a . delta_a| [J]
} cn_misfit;

/// The misfit of the impulses in p->r, which stay as they are. CN_BAD_INPUT where terms act beside
/// cores (cn_problem.k).
CN_API cn_status cn_problem_misfit(const cn_problem *p, cn_solver *solver,
                                   const cn_misfit_rows *rows, cn_misfit *misfit, cn_error *err);

#ifdef __cplusplus
}
#endif
