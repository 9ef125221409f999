// limit/interior.h -- a limit program in numbers near 1, and the interior point that solves it,
// theory 16.4 to 16.6.
//
// Contacts are cones |x_t| <= x_n after r = S x with S = diag(1/mu, 1, 1); motions are scaled so
// that the rows of A = D H S have norm 1. Without friction a cone has its normal alone.
#pragma once

#include "base/memory.h"
#include "cairn/limit.h"
#include "solve/solver.h"

// Multipliers count as zero below this share of the one at which the live load is as large as the
// dead one: gaps are relative to no less.
#define CN_LIMIT_ZERO 1e-3

// The scaled program. Vectors over motions have dof_count entries, over cones `rows` each.
typedef struct cn_cones {
    int dim, dof_count, cone_count;
    bool has_live;
    double factor_scale; // blocks were multiplied by it before they were factored
    int factorization_count;
    cn_problem problem;  // with G = D H: what products and linear systems are made of
    cn_solver *solver;   // its packed form and matrices
    double force;        // unit of forces [N]
    double load;         // multiplier of the scaled program times this is that of the given one
    double *scale;       // motions: D, velocities are D y
    double *dead, *live; // motions
    double *cost;        // cones: c, 0 without a shift; of normal rows
    double *G, *nothing; // blocks of D H; zeros by row
    int *row_start, *block_start;
    unsigned char *kind;
    void *memory; // of all arrays
} cn_cones;

// Checks the program and scales it.
cn_status cn_cones_make(const cn_limit_program *program, cn_cones *cones, cn_error *err);
void cn_cones_free(cn_cones *cones);

// Row k of cone a in the arrays over cones, and how many rows it has.
static inline int cn_cone_rows(const cn_cones *c, int a)
{
    return c->problem.mu[a] > 0.0 ? c->dim : 1;
}

// Entry k of S.
static inline double cn_cone_weight(const cn_cones *c, int a, int k)
{
    return k == 0 && c->problem.mu[a] > 0.0 ? 1.0 / c->problem.mu[a] : 1.0;
}

// out = A x and out = A^T y.
void cn_cones_push(const cn_cones *c, const double *x, double *out);
void cn_cones_move(const cn_cones *c, const double *y, double *out);

// M = A E A^T with one block per cone in `block` (dim x dim each), and its factor.
cn_status cn_cones_factor(cn_cones *c, const double *block, cn_error *err);

// y = M^-1 f, refined; work: 2 dof_count and dim cone_count numbers.
cn_status cn_cones_solve(cn_cones *c, const double *block, const double *f, double *y, double *work,
                         cn_error *err);

// An iterate of the embedding: forces x, velocities s, motions y.
typedef struct cn_inside {
    double *x, *s, *y;
    double lambda, tau, kappa;
} cn_inside;

// What an iterate proves (16.3): bounds in scaled units, and what is missed.
typedef struct cn_inside_state {
    double lower, upper, gap;
    double imbalance, outside; // of x / tau and of y / (l . y)
    double falls, unbounded;   // what is missed of these proofs, infinite: they are none
} cn_inside_state;

// Runs from the centre until the bounds are as near as asked or there is a proof that there are
// none; limit->r and limit->v are the best iterate, in units of the program.
cn_status cn_inside_run(cn_cones *c, const cn_limit_def *def, cn_limit *limit, cn_error *err);

// Measures forces, mechanism and bounds anew from the program alone (certificate.c).
// Largest |r . (u + mu |u_t| n)| of forces and mechanism over mean load and largest velocity, or
// largest (-u_n)+ over the latter: what Coulomb's law misses (16.9).
double cn_limit_misfit(const cn_limit_program *p, const cn_limit *limit);

cn_status cn_limit_verify(const cn_limit_program *p, cn_limit *limit, cn_error *err);
