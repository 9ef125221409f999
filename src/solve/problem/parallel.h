// solve/problem/parallel.h -- the term beside a core, r' = r + r0 + k u, theory 4.1 and 8.21.
//
// Whatever acts beside a contact, a bond or a dashpot, gives -(r0 + k u); r' is what is left to the
// contact. With all others frozen the term is eliminated exactly: the contact sees
//     W~ = (I + W k)^-1 W   in place of W,   (I + W k)^-1 (u_rest - W r0)   in place of u_rest
#pragma once

#include <string.h>

#include "math/small_systems.h"
#include "solve/problem/project.h"

// Whether a constraint whose first row is `row` has such a term.
static inline bool cn_has_parallel(const cn_problem *p, int row, int rows)
{
    bool found = false;
    for (int k = row; p->k != NULL && k < row + rows; k++) {
        found = found || p->k[k] != 0.0;
    }
    return found;
}

// r' of one row, whose velocity is u.
static inline double cn_core_impulse(const cn_problem *p, int row, double u)
{
    double r = p->r[row] + cn_row_or_zero(p->r0, row);
    return p->k != NULL ? r + p->k[row] * u : r;
}

// E = (I + W k)^-1 of a block.
static inline void cn_parallel_inverse(int rows, const double *W, const double *k, double *E)
{
    double A[CN_ROW_MAX * CN_ROW_MAX];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            E[rows * i + j] = i == j ? 1.0 : 0.0;
            A[rows * i + j] = E[rows * i + j] + W[rows * i + j] * k[j];
        }
    }
    cn_small_solve(rows, rows, A, E);
}

// y = E x.
static inline void cn_parallel_multiply(int rows, const double *E, const double *x, double *y)
{
    for (int i = 0; i < rows; i++) {
        y[i] = 0.0;
        for (int j = 0; j < rows; j++) {
            y[i] += E[rows * i + j] * x[j];
        }
    }
}

// W <- (I + W k)^-1 W, symmetric if W is.
static inline void cn_parallel_soften(int rows, const double *k, double *W)
{
    double E[CN_ROW_MAX * CN_ROW_MAX], soft[CN_ROW_MAX * CN_ROW_MAX];
    cn_parallel_inverse(rows, W, k, E);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sum = 0.0;
            for (int m = 0; m < rows; m++) {
                sum += E[rows * i + m] * W[rows * m + j];
            }
            soft[rows * i + j] = sum;
        }
    }
    memcpy(W, soft, sizeof *W * (size_t)(rows * rows));
}

// r' to start from, of constraint a with impulses r and velocities u. Beside a stiff term small
// errors of u make large ones of r + r0 + k u; the local solution has none of these.
static inline void cn_parallel_guess(const cn_problem *p, int a, const double *W, const double *r,
                                     const double *u, double *r_core)
{
    int row = p->row_start[a], rows = p->row_start[a + 1] - row;
    double rest[CN_ROW_MAX], now[CN_ROW_MAX], own[CN_ROW_MAX];
    cn_core core = cn_problem_core(p, a);
    cn_parallel_multiply(rows, W, r, own);
    for (int i = 0; i < rows; i++) {
        rest[i] = u[i] - own[i];
    }
    cn_core_solve(&core, rows, W, rest, now);
    cn_parallel_multiply(rows, W, now, own);
    for (int i = 0; i < rows; i++) {
        r_core[i] = now[i] + core.r0[i] + core.k[i] * (rest[i] + own[i]);
    }
}
