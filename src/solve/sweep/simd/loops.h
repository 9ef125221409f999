// solve/sweep/simd/loops.h -- long loops over numbers of constraints, four at a time.
//
// What is done between sweeps, to each impulse or each constraint of a kind. One source
// (simd_loops.h), compiled for AVX2 and for any machine; both give the same bits.
#pragma once

#include "solve/problem/error_scale.h"
#include "solve/sweep/simd/simd.h"

// Sums over constraints, of which the residuals are made (8.8 to 8.10).
typedef struct cn_sums {
    cn_scale scale;
    double e2, m_e2, wr2, natural2, r2, v2, q2, z2, mu2, mv2;
    double e2_max, cone_violation;
    int worst;
} cn_sums;

typedef struct cn_loops {
    // x += beta p, p = beta p + d with d = x - x_old; then x is the old one (13.1).
    void (*push)(int count, double beta, double *x_old, double *x, double *p);
    // sum_a w_a |r_a - r_old_a|^2 of `count` constraints of `rows` rows, 2 or 3.
    double (*change)(int count, int rows, const double *w, const double *r, const double *r_old);
    // u = u_free + G^T w of batches first .. end - 1, those with moments apart (8.4).
    void (*velocity)(const cn_simd_task *task, const double *u_free, double *u, int first, int end);
    // Sums over constraints first .. first + 4 fours - 1 of p, with velocities u and diagonals w of
    // W. Each has as many rows as p has dimensions, and is a cone or free.
    void (*measure)(const cn_problem *p, const double *u, const double *w, int first, int fours,
                    cn_sums *sums);
} cn_loops;

extern const cn_loops cn_loops_avx2, cn_loops_plain;

// The fastest that this machine runs.
const cn_loops *cn_loops_pick(void);
