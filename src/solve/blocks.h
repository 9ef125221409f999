// solve/blocks.h -- products with one block of G. Sizes passed as literals make all loops unroll.
#pragma once

#include <stddef.h>

// The block of one side; a problem without bodies has no G to add to.
static inline const double *cn_side(const double *G, int at)
{
    return G != NULL ? G + at : NULL;
}

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
