// limit/interior.h -- a limit program in numbers near 1, and the interior point that solves it,
// theory 16.4 to 16.6.
//
// Contacts are cones |x_t| <= x_n after r = S x with S = diag(1/mu, 1, 1); motions are scaled so
// that the rows of A = D H S have norm 1. Without friction a cone has its normal alone. Where a
// joint has strength, r = S x less what moves the tip of its cone to zero; where its normal force
// ends, behind the cones of contacts there is one of a single row (limit/cutoffs.c).
#pragma once

#include "base/memory.h"
#include "cairn/limit.h"
#include "solve/solver.h"

// Multipliers count as zero below this share of the one at which the live load is as large as the
// dead one: gaps are relative to no less.
#define CN_LIMIT_ZERO 1e-3

// An end of the normal force of a contact (16.11): row dof of A has `on` at its normal row, `own`
// at the row of the cone behind those of contacts. Eliminated before the factorization: of the last
// one, its column of the blocks and its pivot.
typedef struct cn_cutoff {
    int contact;
    double on, own;
    double column[3], pivot;
} cn_cutoff;

// The scaled program. Vectors over motions have dof_count entries, those of bodies and then one of
// each cut-off, over cones `dim` each, those of contacts and then those of cut-offs.
typedef struct cn_cones {
    int dim, dof_count, cone_count;
    int motion_count, contact_count; // of bodies
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
    double *mu;          // cones: friction, 0 of cut-offs
    double *tip;         // contacts: r_n of S x is larger by this [N]
    cn_cutoff *cutoff;   // dof_count - motion_count, in the order of their contacts
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
    return c->mu[a] > 0.0 ? c->dim : 1;
}

// Entry k of S.
static inline double cn_cone_weight(const cn_cones *c, int a, int k)
{
    return k == 0 && c->mu[a] > 0.0 ? 1.0 / c->mu[a] : 1.0;
}

// out = A x and out = A^T y.
void cn_cones_push(const cn_cones *c, const double *x, double *out);
void cn_cones_move(const cn_cones *c, const double *y, double *out);

// The same of motions of bodies and cones of contacts alone; the first adds to out.
void cn_cones_push_contacts(const cn_cones *c, const double *x, double *out);
void cn_cones_move_contacts(const cn_cones *c, const double *y, double *out);

// M = A E A^T with one block per cone in `block` (dim x dim each), and its factor.
cn_status cn_cones_factor(cn_cones *c, const double *block, cn_error *err);

// y = M^-1 f, refined; work: 2 dof_count and dim cone_count numbers.
cn_status cn_cones_solve(cn_cones *c, const double *block, const double *f, double *y, double *work,
                         cn_error *err);

// How many cut-offs a program has; then lists them, with their rows of the dead load (16.11).
int cn_cutoffs_count(const cn_limit_program *p);
void cn_cutoffs_fill(const cn_limit_program *p, cn_cones *c);

// What tips of cones add to the dead load.
void cn_cutoffs_add_tips(cn_cones *c);

// Eliminates the cut-offs of contact a, from *next on, from its block; *next is moved behind them.
void cn_cutoffs_condense(cn_cones *c, int a, int *next, const double *block, double *E);

// Right sides before, and solutions after the matrix of bodies is solved (16.12); work: rows of
// contacts.
void cn_cutoffs_reduce(const cn_cones *c, double *f, double *work);
void cn_cutoffs_expand(const cn_cones *c, double *y, double *work);

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
// largest (-u_n)+ over the latter: what Coulomb's law misses (16.14).
double cn_limit_misfit(const cn_limit_program *p, const cn_limit *limit);

cn_status cn_limit_verify(const cn_limit_program *p, cn_limit *limit, cn_error *err);
