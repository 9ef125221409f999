// solve/sleep/load_path.h -- what carries a body to the ground: a way through constraints that
// press.
//
// Whatever changes the load of a body must be carried to bodies that cannot move. A part of a
// problem (subproblem.h) in which that is to happen must reach them.
#pragma once

#include "solve/solver.h"

// Graph of the bodies of a problem, and how many constraints are between each and the ground.
typedef struct cn_load_path {
    int *start, *end; // constraints of each body
    int *level;       // 0: acts on what cannot move; -1: nothing carries it
    int *queue;
} cn_load_path;

// Finds the levels at p->r. Memory is that of cn_solver_work.
cn_status cn_load_path_find(cn_solver *s, const cn_problem *p, cn_load_path *support,
                            cn_error *err);

// The body of the next lower level that presses most against body i; -1: none.
int cn_load_path_below(const cn_load_path *support, const cn_problem *p, int i);
