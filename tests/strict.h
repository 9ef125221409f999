// tests/strict.h -- steps and solves that must reach what they are asked for: CN_MISSED, and a
// sentence that says what was missed, if they do not.
#pragma once

#include "cairn/solver.h"
#include "cairn/view.h"
#include "cairn/world.h"

static inline cn_status test_reached(const cn_solver_report *report, cn_error *err)
{
    char missed[256];
    return report->is_converged
               ? CN_OK
               : cn_fail(err, CN_MISSED, "%s", cn_solver_missed(report, missed, sizeof missed));
}

static inline cn_status test_step(cn_world *w, double h, cn_error *err)
{
    cn_status status = cn_world_step(w, h, err);
    return status != CN_OK ? status : test_reached(&cn_world_view(w).certificate->solver, err);
}

static inline cn_status test_solve(cn_problem *p, const cn_solver_def *def, cn_solver *solver,
                                   cn_solver_report *report, cn_error *err)
{
    cn_status status = cn_problem_solve(p, def, solver, report, err);
    return status != CN_OK ? status : test_reached(report, err);
}
