// fem/assembly/convex.c -- a tangent without directions in which elements give energy
// (theory 10.32).
//
// The matrix of an element in pressure has negative eigenvalues: turning it as a whole, while the
// pressure keeps its direction, and what is near to that. Neighbours and contacts oppose most of
// it, but Cholesky's factor is made before contacts are heard.
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"
#include "math/dense.h"

// K = - share times the negative part of the symmetric K, upper triangle of rows first.
static bool keep_negative(int n, double share, double *K)
{
    double V[CN_ELEMENT_DOFS_MAX * CN_ELEMENT_DOFS_MAX], value[CN_ELEMENT_DOFS_MAX];
    double work[CN_DENSE_EIGEN * CN_ELEMENT_DOFS_MAX];
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            V[n * i + j] = V[n * j + i] = K[n * i + j];
        }
    }
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    if (!cn_dense_eigen(n, V, value, work)) {
        return false;
    }
    for (int k = 0; k < n && value[k] < 0.0; k++) {
        const double *v = V + n * k;
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                K[n * i + j] -= share * value[k] * v[i] * v[j];
            }
        }
    }
    return true;
}

cn_status cn_fem_convexify(const cn_fem *fem, const double *x, const cn_fem_history *history,
                           double share, double *K, cn_error *err)
{
    cn_cell_sums sums;
    cn_cell_room room;
    for (int e = 0; e < fem->element_count; e++) {
        cn_cell c = cn_cell_open(fem, e, history, &room);
        c.wants_tangent = true;
        if (!cn_cell_sum(&c, x, &sums) || !keep_negative(c.n * c.dim, share, sums.K)) {
            return cn_fail(err, CN_BROKEN, "the matrix of element %d has no eigenvalues", e);
        }
        cn_fem_scatter(fem, e, sums.K, K);
    }
    return CN_OK;
}
