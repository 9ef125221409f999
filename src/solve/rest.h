// solve/rest.h -- rest that is certified, island by island (theory 5, "Rest").
//
// Rest is certified in every solve, never assumed: first impulses that meet the law to rounding need
// no sweep. Bodies that no constraint links form islands of their own, whose impulses do not know of
// each other; an island of which every constraint meets the law keeps its impulses, and the methods
// see a problem without it. So a stone that moves does not wake what it does not touch.
#pragma once

#include "solve/solver.h"

// Marks the packed constraints that miss the law by more than the limit [m/s] at p->r and s->u;
// returns their number.
cn_status cn_rest_mark(cn_solver *s, const cn_problem *p, double limit, int *missing,
                       cn_error *err);

// After cn_rest_mark: the problem without the constraints of islands that miss nowhere, which it
// calls free; impulses are shared with p. Returns how many those are; 0: *awake is p.
cn_status cn_rest_split(cn_solver *s, const cn_problem *p, cn_problem *awake, int *frozen,
                        cn_error *err);
