// solve/blocks.h -- products with one block of G. Sizes passed as literals make all loops unroll.
#pragma once

// u += G^T w for one side.
static inline void cn_gather(int rows, int dof, const double *G, const double *w, double *u)
{
    for (int k = 0; k < rows; k++) {
        for (int d = 0; d < dof; d++) {
            u[k] += G[dof * k + d] * w[d];
        }
    }
}

// w += G dr for one side.
static inline void cn_scatter(int rows, int dof, const double *G, const double *dr, double *w)
{
    for (int d = 0; d < dof; d++) {
        for (int k = 0; k < rows; k++) {
            w[d] += G[dof * k + d] * dr[k];
        }
    }
}
