// math/factor.h -- factorizations of sparse matrices, Cholesky and LU, behind one interface. The
// only place that knows the libraries behind it.
//
// A matrix is given by compressed columns with sorted rows. Its ordering and symbolic analysis are
// made once for a pattern and serve any number of factorizations. Everything runs on one thread:
// threads would change the last bits.
#pragma once

#include "base/memory.h"
#include "math/supernodes.h"

// Square, by columns; column k holds row[start[k]] .. row[start[k+1]-1], ascending.
typedef struct cn_sparse {
    int size;
    int *start; // size + 1
    int *row;
    double *value;
} cn_sparse;

typedef enum cn_factor_kind {
    CN_FACTOR_CHOLESKY, // symmetric positive definite; only entries with row <= column are read
    CN_FACTOR_LU,       // any matrix that is not singular
    CN_FACTOR_NESTED    // Cholesky that keeps the tree of its supernodes shallow, for
                        // math/inverse_blocks.h
} cn_factor_kind;

typedef struct cn_factor cn_factor;

cn_status cn_factor_create(const cn_hooks *hooks, cn_factor_kind kind, cn_factor **factor,
                           cn_error *err);
void cn_factor_destroy(cn_factor *factor);

// Orders Cholesky factors of so many blocks or more by nested dissection (METIS), which takes
// longer than by minimum degree and leaves fewer operations.
void cn_factor_dissect(cn_factor *factor, int block_count);

// Orders and analyses a pattern. Rows and columns come in dense blocks: block k takes
// block_start[k] .. block_start[k+1]-1, and blocks, not entries, are ordered.
cn_status cn_factor_analyze(cn_factor *factor, const cn_sparse *A, int block_count,
                            const int *block_start, cn_error *err);

// What one factorization takes: known after the analysis (Cholesky) or an upper estimate (LU).
double cn_factor_flops(const cn_factor *factor);
double cn_factor_bytes(const cn_factor *factor);

// What the library holds for it now, in memory of its own: the factor, and all of it.
double cn_factor_stored(const cn_factor *factor);
double cn_factor_held(const cn_factor *factor);

// Numbers for the pattern that was analysed. CN_NO_MEMORY, or CN_BROKEN when the matrix is singular
// or not positive definite to rounding.
cn_status cn_factor_numeric(cn_factor *factor, const cn_sparse *A, cn_error *err);

// x = A^-1 b; x and b may be the same array. A is the matrix of the last factorization.
cn_status cn_factor_solve(cn_factor *factor, const cn_sparse *A, const double *b, double *x,
                          cn_error *err);

// The factor as it is stored, CN_FACTOR_NESTED only; it holds until the next analysis.
cn_status cn_factor_supernodes(cn_factor *factor, cn_supernodes *L, cn_error *err);
