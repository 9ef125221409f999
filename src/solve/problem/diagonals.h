// solve/problem/diagonals.h -- w_a of a problem by itself, which no method has packed (8.8).
#pragma once

#include "solve/solver.h"

// w_a of all constraints of p, whose moments are scaled, into solver->W_diag.
cn_status cn_find_diagonals(cn_solver *solver, const cn_problem *p, cn_error *err);
