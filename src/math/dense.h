// math/dense.h -- small symmetric positive definite systems, rows first, lower triangle: A = L L^T.
//
// LAPACK, on one thread, where it is faster than plain loops: measured, from 24 rows on for the
// factor and from 30 on for a solution. Right sides that begin with zeros, like rows of contacts,
// are faster in loops that skip them at all sizes here.
#pragma once

#include "base/memory.h"

// To be called once before the others and before factors, while one thread runs. OpenBLAS asks for
// its room for ever where a limit of the system refuses it: here it takes it, or CN_NO_MEMORY.
cn_status cn_dense_start(cn_error *err);

// Replaces the lower triangle of A by L; false if A is not positive definite.
bool cn_dense_factor(int n, double *A);

// x = L^-1 x, from the first entry that is not zero.
void cn_dense_forward(int n, const double *L, double *x);

// x = A^-1 x.
void cn_dense_solve(int n, const double *L, double *x);

// X = L^-1 X for `count` rows of X, each a vector of n entries.
void cn_dense_forward_rows(int n, const double *L, int count, double *X);

// A_ij -= x_i . x_j for the rows x_i of X; A is symmetric and has `count` rows.
void cn_dense_subtract_products(int n, int count, const double *X, double *A);

// Eigenvalues of a symmetric matrix, ascending, and its eigenvectors in place of it, one per row;
// room for work: CN_DENSE_EIGEN n numbers. False if they do not converge.
enum { CN_DENSE_EIGEN = 34 };
bool cn_dense_eigen(int n, double *A, double *value, double *work);
