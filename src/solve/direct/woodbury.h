// solve/direct/woodbury.h -- one factor of B(E) for many E: where the blocks of a few constraints
// have changed since it was made, the formula of Woodbury gives the solutions, theory 13.26. Over
// bodies.
#pragma once

#include "solve/direct/linear_system.h"

enum { CN_WOODBURY_MAX = 24, CN_WOODBURY_ROWS = 3 * CN_WOODBURY_MAX };

// The arrays are the caller's.
typedef struct cn_woodbury {
    int count, width;        // constraints, and their rows in all
    int n[CN_WOODBURY_MAX];  // constraints
    int at[CN_WOODBURY_MAX]; // first of their rows here
    double *E;               // blocks that were factored, of all constraints
    double *Q;               // B^-1 G_j, one vector over the columns for each row
    double *S;               // G_j^T B^-1 G_k, CN_WOODBURY_ROWS squared
    double *A, *z;           // work: the small system
} cn_woodbury;

// After the matrix was factored: nothing has changed since.
void cn_woodbury_clear(const cn_solver *s, cn_woodbury *q);

// To be called before the block of constraint n in system->E is written. *is_full: there is no room
// for it, and the matrix is to be factored.
cn_status cn_woodbury_add(cn_solver *s, const cn_problem *p, int n, cn_woodbury *q, bool *is_full,
                          cn_error *err);

// f <- B(E)^-1 f for the blocks as they are in system->E.
cn_status cn_woodbury_solve(cn_solver *s, const cn_problem *p, cn_woodbury *q, double *f,
                            cn_error *err);
