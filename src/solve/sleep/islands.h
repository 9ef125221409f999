// solve/sleep/islands.h -- rest that is certified, island by island (theory chapter 13,
// "Sleeping").
//
// Rest is certified in every solve, never assumed: first impulses that meet the law to rounding
// need no sweep. Bodies that no constraint links form islands of their own, whose impulses do not
// know of each other; an island of which every constraint meets the law keeps its impulses, and the
// methods see a problem without it. So a stone that moves does not wake what it does not touch.
#pragma once

#include "solve/solver.h"

// What a constraint at rest may miss its law by [m/s]: of bodies that could move, and between
// bodies that stand still (locked.h), which do not creep by it; and what it may if it ties them.
typedef struct cn_sleep_limits {
    double loose, still, tie;
} cn_sleep_limits;

// Whether constraint a, which is listed, misses its law by more than the limit [m/s] at p->r and
// s->u; by more than its limit of rest.
bool cn_sleep_misses_by(const cn_solver *s, const cn_problem *p, int a, double limit);
bool cn_sleep_misses(const cn_solver *s, const cn_problem *p, int a, const cn_sleep_limits *limits);

// Finds the islands of which no packed constraint misses the law by more than its limit at p->r and
// s->u; *frozen receives how many constraints those hold. `worst` is the one with the largest miss,
// -1: none; its island needs no more questions.
cn_status cn_islands_find_asleep(cn_solver *s, const cn_problem *p, const cn_sleep_limits *limits,
                                 int worst, int *frozen, cn_error *err);

// After cn_islands_find_asleep: the problem without those islands, whose constraints it calls free;
// impulses are shared with p. Packed constraints are those awake; the others stand behind them
// (cn_solver_widen).
cn_problem cn_islands_split(cn_solver *s, const cn_problem *p);

// Root of the tree of a body; shortens the way for the next who asks.
static inline int cn_island_root(int *up, int i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}
