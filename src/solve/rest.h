// solve/rest.h -- rest that is certified, island by island (theory 5, "Rest").
//
// Rest is certified in every solve, never assumed: first impulses that meet the law to rounding
// need no sweep. Bodies that no constraint links form islands of their own, whose impulses do not
// know of each other; an island of which every constraint meets the law keeps its impulses, and the
// methods see a problem without it. So a stone that moves does not wake what it does not touch.
#pragma once

#include "solve/solver.h"

// Whether constraint a, which is listed, misses its law by more than the limit [m/s] at p->r and
// s->u.
bool cn_rest_misses(const cn_solver *s, const cn_problem *p, int a, double limit);

// Finds the islands of which no packed constraint misses the law by more than the limit [m/s] at
// p->r and s->u; *frozen receives how many constraints those hold. `worst` is the one with the
// largest miss, -1: none; its island needs no more questions.
cn_status cn_rest_find(cn_solver *s, const cn_problem *p, double limit, int worst, int *frozen,
                       cn_error *err);

// After cn_rest_find: the problem without those islands, whose constraints it calls free; impulses
// are shared with p. Packed constraints are those awake; the others stand behind them
// (cn_solver_widen).
cn_problem cn_rest_split(cn_solver *s, const cn_problem *p);
