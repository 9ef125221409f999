// solve/direct/gradient.h -- one step of projected gradient on all constraints, theory 13.2: what
// apgd, cpg and uzawa share. Vectors are by row of the problem.
#pragma once

#include "solve/solver.h"

// u~ of constraint c in the terms of its core, at impulses r with velocities u.
void cn_gradient_velocity(const cn_problem *p, const cn_packed *c, const double *r, const double *u,
                          double *u_shifted);

// r+ = P_K(r - t m u~) for the longest of t, t/2, t/4, ... that the curvature allows; *t becomes
// it. The result is p->r with s->w and s->u. Counts one sweep per product.
void cn_gradient_step(cn_solver *s, const cn_problem *p, const double *r, const double *u,
                      double *t, cn_solve_progress *progress);
