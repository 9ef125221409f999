// solve/problem/rolling_cone.h -- contacts that resist rolling and spinning: a cone over a product
// of discs, theory 2.4 and 8.12 to 8.15.
//
// With the normal part r_n, each disc bounds some of the other rows: friction |r_t| <= mu r_n,
// rolling |m_r| <= mu_roll r_n, spinning |m_s| <= mu_spin r_n. Friction alone is the ordinary cone,
// which has faster code of its own (local.h).
#pragma once

#include "cairn/solver.h"

// A friction below this moves nothing that a number can hold, and the squares of its impulses leave
// the range of numbers.
#define CN_FRICTION_NONE 1e-30

enum { CN_DISC_MAX = 3 };

typedef struct cn_cone_disc {
    int first, size; // rows of the constraint
    double mu;       // radius over r_n [-, or m for moments]
} cn_cone_disc;

typedef struct cn_cone_discs {
    int count;
    cn_cone_disc disc[CN_DISC_MAX];
} cn_cone_discs;

// True if a cone of so many rows has rows of moments: in the plane n t roll, in space n t t spin,
// n t t roll roll, n t t roll roll spin. A core of dim 0 has tangential rows only.
static inline bool cn_has_moments(int dim, int rows)
{
    return dim > 0 && rows > dim;
}

// The discs of a cone.
cn_cone_discs cn_core_discs(const cn_core *core, int rows);

// sum_k mu_k |u_k|: what the shift of De Saxce adds to u_n (8.12).
double cn_rolling_cone_shift(const cn_cone_discs *discs, const double *u);

// Projection of x on the cone (8.13).
void cn_rolling_cone_project(const cn_cone_discs *discs, const double *x, double *y);

// Exact local solution: r' for the block W' (rows x rows) and the velocity u' (8.14). x holds the
// roots of the last visit, zeros if there was none, negative where these cannot be had.
void cn_rolling_cone_solve(const cn_cone_discs *discs, int rows, const double *W, const double *u,
                           double x[CN_DISC_MAX], double *r);

// Length that turns angular velocities into velocities (8.16) [m]; 1 if moments move nothing.
double cn_moment_length(int dim, int rows, const double *W);
