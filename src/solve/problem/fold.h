// solve/problem/fold.h -- terms beside cores (4.1) for methods that look at all constraints at
// once, theory 8.23.
//
// With u = u_free + G^T w and w = G r the impulses of the contacts alone obey
//     B(k) w = G (r' - r0 - k u_free),   B(k) = I + G k G^T
// so that r' has the operator W~ = G^T B(k)^-1 G and a free velocity of its own, and neither r0 nor
// k. While a method sees this folded problem, products with W solve with the factor of B(k), and
// the matrices B(E) of the method become B(E + k): same pattern, same number of them (13.7).
//
// Where W is stored, W~ is formed (fold_rows.c).
#pragma once

#include "cairn/solver.h"

struct cn_linear_system;
struct cn_solve_progress;

typedef struct cn_fold {
    bool is_active;                  // products are those of the folded problem
    const double *k;                 // by row, of the problem that is folded; NULL: none
    struct cn_linear_system *system; // B(k), made when first asked for
    const double *u_free;            // of that problem, which v_ref is made of; NULL: none
    double *numbers;                 // arrays by row
    size_t numbers_capacity;
    // Stored rows:
    double *dense;        // W~, block after block, and what it is made of
    int *blocks;          // row, col and block_start of W~, and the islands of constraints
    const double *weight; // constraints: w_a of the residual; NULL: that of the problem
    size_t dense_capacity, blocks_capacity;
} cn_fold;

// What a method is, and its arguments.
typedef cn_status cn_iterate_fn(cn_solver *s, const cn_problem *p,
                                struct cn_solve_progress *progress, cn_error *err);

// Runs a method on the folded problem. Impulses of the iterate, of the best one and of the first
// guess are r' meanwhile. Without terms beside cores the method runs on p itself.
cn_status cn_fold_run(cn_iterate_fn *iterate, cn_solver *s, const cn_problem *p,
                      struct cn_solve_progress *progress, cn_error *err);

// The same in parts, for methods with other arguments: if p has such terms, *folded is to be
// solved in place of p, and then left with what came of it.
cn_status cn_fold_enter(cn_solver *s, const cn_problem *p, cn_problem *folded, cn_error *err);
cn_status cn_fold_leave(cn_solver *s, const cn_problem *p, const cn_problem *folded,
                        cn_status status, cn_error *err);

// s->w <- B(k)^-1 s->w, and the same of a vector by column of a linear system.
void cn_fold_apply(cn_solver *s, const cn_problem *p);
void cn_fold_columns(const cn_solver *s, double *w);

// A problem with stored rows and terms beside cores as one without the latter; *is_folded: it was
// made, and after it is solved impulses are to be returned. False: there is no memory for W~, and
// sweeps do without.
cn_status cn_fold_rows(cn_solver *s, const cn_problem *p, double memory, cn_problem *folded,
                       bool *is_folded, cn_error *err);
void cn_fold_rows_return(cn_solver *s, const cn_problem *folded, cn_problem *p);

void cn_fold_release(cn_fold *fold, const cn_hooks *hooks);
