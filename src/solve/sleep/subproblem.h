// solve/sleep/subproblem.h -- what is disturbed is solved for itself first (theory chapter 13,
// "Subproblems").
//
// One brick that is pushed changes little of a wall. The constraints that miss their laws, with
// those of the bodies around, are a problem of their own in which all other impulses stay as they
// are. If its solution leaves no constraint of the whole disturbed, it is the solution of the whole
// at the accuracy asked for; else the part grows. Where it grows too large, or costs more than it
// may, the whole is solved as if nothing had been tried.
#pragma once

#include "solve/sleep/islands.h"

// Tries a part of p, whose constraints are listed, measured and found disturbed: s->u and the
// residual of the progress belong to p->r. *visited: constraints of the part if it has
// converged; else 0, and p->r and s->w are as before.
cn_status cn_subproblem_run(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                            const cn_sleep_limits *limits, int *visited, cn_error *err);

void cn_subproblem_destroy(cn_solver *s);

// Memory of the part, with its solver [bytes].
size_t cn_subproblem_bytes(const cn_solver *s);
