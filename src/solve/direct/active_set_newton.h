// solve/direct/active_set_newton.h -- the last digits, by Newton steps with frozen statuses
// (active_set_newton.c).
#pragma once

#include "solve/solver.h"

// From the best impulses in s->r_best to better ones, if there are any: p->r and s->r_best are
// never left worse. Does nothing for constraints that resist rolling.
cn_status cn_active_set_newton(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                               cn_error *err);
