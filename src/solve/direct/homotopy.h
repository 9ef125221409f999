// solve/direct/homotopy.h -- the last digits, along a path of exact solutions of nearby problems
// (homotopy.c).
#pragma once

#include "solve/solver.h"

// Whether there are paths to follow: rigid bodies in the plane, without bounded rows. The linear
// system is that of the problem.
bool cn_homotopy_can(const cn_solver *s, const cn_problem *p);

// From impulses r to better ones than those in s->r_best, if there are any: p->r and s->r_best are
// never left worse. Ends after the work of so many factorizations. Does nothing where it cannot.
cn_status cn_homotopy(cn_solver *s, const cn_problem *p, const double *r, int factors,
                      cn_solve_progress *progress, cn_error *err);
