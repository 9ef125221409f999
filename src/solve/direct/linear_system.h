// solve/direct/linear_system.h -- the linear systems of the factorizing solvers, theory 13.7
// and 13.8.
//
// All of them, ADMM, interior point, augmented Lagrangian and finisher, ask for
//     (I + E W) x = b                      E block diagonal, one rows x rows block per constraint
// With W = G^T G this is one system per body, whatever the redundancy of the contacts:
//     B(E) y = G b,  B(E) = I + G E G^T,     W x = G^T y,  x = b - E W x                     (13.7)
// positive definite when E is positive semidefinite. Where W is stored, wholly or in part, there
// are no bodies to go to; with E = M^-1 N the system is (M + N W) x = M b                   (13.8).
// Constraints are those of the packed form, in its order; vectors are by row of the problem.
#pragma once

#include <string.h>

#include "math/factor.h"
#include "solve/problem/blocks.h"
#include "solve/solver.h"

// A matrix of blocks, its factors, and where constraints enter it.
typedef struct cn_system_matrix {
    cn_sparse A;
    uint64_t hash; // of the graph that it was laid out for; 0: none
    int *at;       // over bodies, 4 per constraint: blocks (i,i), (j,j), (i,j), (j,i); -1: none
    cn_factor *factor[2]; // by cn_factor_kind
    bool is_analyzed[2];
    size_t start_capacity, row_capacity, value_capacity, at_capacity;
} cn_system_matrix;

typedef struct cn_linear_system {
    cn_hooks hooks;
    bool is_stored;    // (13.8) in place of (13.7)
    bool has_failed;   // a solution could not be had (fold.c)
    bool is_symmetric; // W is, to rounding; always so over bodies
    int *block_at;     // first entry of each constraint's block in E, M and N
    double *E;         // over bodies
    double *M, *N;     // over rows; N is the identity unless has_N
    bool has_blas;     // that it has its memory is known
    bool has_N;
    int *column; // first column of each constraint; over bodies of both its sides, the number of
                 // columns for a held one
    int block_count;           // blocks of the matrix: bodies that touch, or constraints
    int *block_start;          // first column of each block
    int *block_of;             // of each body or constraint of the problem; -1: none
    uint64_t hash;             // of the graph of this problem
    double *W_value;           // over rows: W in the pattern of `full`
    int *row_block;            // over rows: block of each column
    double *rhs;               // work, two entries per column
    double *gmres;             // work
    cn_system_matrix upper;    // over bodies, for Cholesky
    cn_system_matrix full;     // over bodies for LU, over rows for both
    cn_system_matrix *current; // what was factored last, and how
    cn_factor_kind kind;
    int *pair_start, *pair, *chain; // work
    size_t block_at_capacity, E_capacity, M_capacity, N_capacity, column_capacity;
    size_t block_start_capacity, block_of_capacity, W_value_capacity, rhs_capacity;
    size_t pair_start_capacity, pair_capacity, chain_capacity, row_block_capacity, gmres_capacity;
} cn_linear_system;

// Takes in the problem that the solver has packed, as far as its size and the cost of a factor are
// asked for (cn_system_measure, cn_hyperstaticity). What is kept from the last call (patterns,
// orderings) is used again while the graph of contacts is the same.
cn_status cn_system_lay_out(cn_solver *s, const cn_problem *p, cn_error *err);

// The same, with room for E, M and N, which take as much as all else of a solver.
cn_status cn_system_begin(cn_solver *s, const cn_problem *p, cn_error *err);

// Factors the matrix for the blocks in E, or in M and N. CN_FACTOR_CHOLESKY needs E symmetric
// positive semidefinite over bodies; M symmetric positive definite, no N and a symmetric W over
// rows.
cn_status cn_system_factor(cn_solver *s, const cn_problem *p, cn_factor_kind kind, cn_error *err);

// The same in its parts, for loops that want one pass per iteration: deposit the right-hand side of
// every constraint (b over bodies, M b over rows) in a vector of zeros with one entry per column,
// solve it in place, and collect from it W x over bodies or x over rows.
cn_status cn_system_solve_columns(cn_linear_system *k, double *f, cn_error *err);

// f = G (r + b) - w, over bodies: the right-hand side of methods that keep w as an unknown, with
// r, b by row and w, f by column.
void cn_system_imbalance(const cn_solver *s, const cn_problem *p, const double *r, const double *b,
                         const double *w, double *f);

// The second of these parts, over bodies, for blocks E near those that were factored: GMRES with
// that factor as preconditioner, to `tol` of the right-hand side. If is_converged comes back false,
// f is as it was.
cn_status cn_system_solve_near(cn_solver *s, const cn_problem *p, const double *E, double tol,
                               double *f, bool *is_converged, cn_error *err);

static inline void cn_system_deposit(const cn_linear_system *k, const cn_packed *c,
                                     const cn_factors *g, int n, const double *t, double *f)
{
    if (k->is_stored) {
        memcpy(f + k->column[n], t, sizeof *t * (size_t)c->rows);
        return;
    }
    cn_side_scatter(g, c->a, 0, c->rows, c->dof_i, t, f + k->column[2 * n]);
    cn_side_scatter(g, c->a, 1, c->rows, c->dof_j, t, f + k->column[2 * n + 1]);
}

static inline void cn_system_collect(const cn_linear_system *k, const cn_packed *c,
                                     const cn_factors *g, int n, const double *f, double *u)
{
    if (k->is_stored) {
        memcpy(u, f + k->column[n], sizeof *u * (size_t)c->rows);
        return;
    }
    memset(u, 0, sizeof *u * (size_t)c->rows);
    cn_side_gather(g, c->a, 0, c->rows, c->dof_i, f + k->column[2 * n], u);
    cn_side_gather(g, c->a, 1, c->rows, c->dof_j, f + k->column[2 * n + 1], u);
}

// x and W x of the factored system; the right-hand side is b over bodies and M b over rows.
cn_status cn_system_solve(cn_solver *s, const cn_problem *p, const double *b, double *x, double *Wx,
                          cn_error *err);

// Memory of the factor of the given kind [bytes]; the pattern is analysed if it is not yet.
cn_status cn_system_measure(cn_solver *s, const cn_problem *p, cn_factor_kind kind, double *bytes,
                            cn_error *err);

// The factorization that was measured or made last in counted work: about how many sweeps would
// take as long.
int cn_system_sweeps(const cn_solver *s, const cn_problem *p);

// The same for one solution with that factor.
double cn_system_solve_sweeps(const cn_solver *s, const cn_problem *p);

void cn_system_destroy(cn_linear_system *system);

// Over bodies: numbering, pattern and numbers of B(E) (system_bodies.c).
cn_status cn_system_number_bodies(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                                  cn_error *err);
cn_status cn_system_link_bodies(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                                bool is_full, cn_system_matrix *matrix, cn_error *err);
void cn_system_assemble_bodies(const cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                               cn_system_matrix *matrix);

// Over rows: the same for M + N W, and W itself in the pattern of `full` (system_rows.c).
cn_status cn_system_number_rows(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                                cn_error *err);
cn_status cn_system_link_rows(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                              cn_error *err);
cn_status cn_system_store_rows(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                               cn_error *err);
void cn_system_assemble_rows(cn_linear_system *k);

// Lays out the columns of a matrix whose block columns hold the block rows pair[pair_start[J]] ..
// pair[pair_start[J+1]-1], in any order and with repeats; sorts and thins them.
cn_status cn_system_layout(cn_linear_system *k, cn_system_matrix *matrix, cn_error *err);

// Place in A.value of the first entry of block (I, J), -1 if it is not there.
int cn_system_find(const cn_linear_system *k, const cn_system_matrix *matrix, int I, int J);
