// solve/problem/acceptance.h -- what a solve is judged by besides its error: whether contacts still
// approach, whether impulses can do anything about it, and which criterion is missed by how much.
#pragma once

#include "solve/solver.h"

// Largest approach of contacts, now and before impulses, beyond rounding.
typedef struct cn_approach {
    double now;   // max(-u'_n, 0) at the velocities in question [m/s]
    double held;  // max min(u'_n, w_a r'_n)+, what parts although it is pushed [m/s]
    double start; // max |u'_free,n| [m/s]
    int worst;    // constraint that approaches most, -1 if none does
} cn_approach;
cn_approach cn_solver_approach(const cn_solver *s, const cn_problem *p, const double *u);

// Fills in what an answer must not exceed, before the first iteration (8.17).
void cn_acceptance_begin(cn_solve_progress *progress, cn_solver *s, const cn_problem *p);

// def with the accuracy that it asks of a problem of `count` constraints (8.11).
cn_solver_def cn_acceptance_asked(const cn_solver_def *def, int count);

// How many times the accepted errors, by the measure alone.
double cn_acceptance_distance(const cn_solver_def *def, const cn_residual *residual);

// Counts outliers of the iterate in s->u where a word asks for that, once the rest is met (8.25).
void cn_acceptance_count(const cn_solver_def *def, cn_solver *s, const cn_problem *p,
                         cn_residual *residual);

// A constraint that no impulse acts on and that breaks its law; -1: none.
int cn_acceptance_stuck(const cn_solve_progress *progress, const cn_solver *s, const cn_problem *p);

// What an answer still approaches with, as far as it counts (8.17) [m/s].
double cn_acceptance_approach(const cn_solve_progress *progress, const cn_solver *s,
                              const cn_problem *p, const cn_residual *residual);

// Enters in the report which criterion is missed, by how much and where; with `stuck` or
// `is_infeasible` there is no solution.
void cn_acceptance_judge(const cn_solve_progress *progress, const cn_solver *s, const cn_problem *p,
                         int stuck, bool is_infeasible, cn_solver_report *report);

// Whether impulses that hold each other can grow without end while bodies approach against them
// (infeasible.c, theory 8.18). It is looked for with no more work than was counted already;
// p->r is left changed.
cn_status cn_find_infeasible(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                             bool *is_infeasible, cn_error *err);
