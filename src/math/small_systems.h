// math/small_systems.h -- dense systems of a few rows.
#pragma once

#include <math.h>

static inline void cn_small_swap(int count, double *x, double *y)
{
    for (int k = 0; k < count; k++) {
        double swap = x[k];
        x[k] = y[k];
        y[k] = swap;
    }
}

// Solves A X = B by elimination with row exchanges; A is rows x rows and destroyed, B has `columns`
// columns and becomes X. A singular A leaves numbers that are not finite.
static inline void cn_small_solve(int rows, int columns, double *A, double *B)
{
    for (int k = 0; k < rows; k++) {
        int best = k;
        for (int i = k + 1; i < rows; i++) {
            best = fabs(A[rows * i + k]) > fabs(A[rows * best + k]) ? i : best;
        }
        if (best != k) {
            cn_small_swap(rows, A + rows * k, A + rows * best);
            cn_small_swap(columns, B + columns * k, B + columns * best);
        }
        for (int i = 0; i < rows; i++) {
            double f = i == k ? 0.0 : A[rows * i + k] / A[rows * k + k];
            for (int j = k; j < rows && f != 0.0; j++) {
                A[rows * i + j] -= f * A[rows * k + j];
            }
            for (int j = 0; j < columns && f != 0.0; j++) {
                B[columns * i + j] -= f * B[columns * k + j];
            }
        }
    }
    for (int k = 0; k < rows; k++) {
        for (int j = 0; j < columns; j++) {
            B[columns * k + j] /= A[rows * k + k];
        }
    }
}
