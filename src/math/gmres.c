// math/gmres.c -- Arnoldi by modified Gram-Schmidt, Givens rotations for the small problem.
//
// The preconditioned vectors are kept beside the basis, so that the last combination needs no
// further solution.
#include "math/gmres.h"

#include <math.h>
#include <string.h>

enum { MOST = CN_GMRES_MAX };

// The Hessenberg matrix in triangular form, its rotations and right-hand side.
typedef struct hessenberg {
    double R[MOST][MOST], cosine[MOST], sine[MOST], g[MOST + 1];
} hessenberg;

size_t cn_gmres_work(int size)
{
    return (size_t)size * (2 * MOST + 1);
}

static double dot(int size, const double *x, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < size; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

// Takes in column k, whose last entry is `below`; the new residual is |g[k + 1]|.
static void rotate(hessenberg *h, int k, double *column, double below)
{
    for (int j = 0; j < k; j++) {
        double a = column[j], b = column[j + 1];
        column[j] = h->cosine[j] * a + h->sine[j] * b;
        column[j + 1] = -h->sine[j] * a + h->cosine[j] * b;
    }
    double length = hypot(column[k], below);
    h->cosine[k] = length > 0.0 ? column[k] / length : 1.0;
    h->sine[k] = length > 0.0 ? below / length : 0.0;
    column[k] = length;
    h->g[k + 1] = -h->sine[k] * h->g[k];
    h->g[k] *= h->cosine[k];
    for (int j = 0; j <= k; j++) {
        h->R[j][k] = column[j];
    }
}

// x = Z R^-1 g.
static void combine(const cn_gmres *g, const hessenberg *h, const double *Z, double *x)
{
    double c[MOST];
    memset(x, 0, sizeof *x * (size_t)g->size);
    for (int i = g->vector_count - 1; i >= 0; i--) {
        c[i] = h->g[i];
        for (int j = i + 1; j < g->vector_count; j++) {
            c[i] -= h->R[i][j] * c[j];
        }
        c[i] = h->R[i][i] > 0.0 ? c[i] / h->R[i][i] : 0.0;
        const double *z = Z + (size_t)i * (size_t)g->size;
        for (int n = 0; n < g->size; n++) {
            x[n] += c[i] * z[n];
        }
    }
}

cn_status cn_gmres_solve(cn_gmres *g, const double *b, double *x, cn_error *err)
{
    size_t size = (size_t)g->size;
    double *V = g->work, *Z = V + (MOST + 1) * size;
    hessenberg h = {.g = {sqrt(dot(g->size, b, b))}};
    double length = h.g[0], wanted = g->tol * length;
    g->vector_count = 0;
    g->is_converged = !(length > 0.0);
    memcpy(V, b, sizeof *b * size);
    while (!g->is_converged && g->vector_count < MOST) {
        int k = g->vector_count++;
        double *v = V + (size_t)k * size, *next = v + size, column[MOST + 1];
        for (size_t n = 0; n < size; n++) {
            v[n] /= length;
        }
        cn_status status = g->precondition(g->context, v, Z + (size_t)k * size, err);
        status =
            status == CN_OK ? g->multiply(g->context, Z + (size_t)k * size, next, err) : status;
        if (status != CN_OK) {
            return status;
        }
        for (int j = 0; j <= k; j++) {
            const double *other = V + (size_t)j * size;
            column[j] = dot(g->size, next, other);
            for (size_t n = 0; n < size; n++) {
                next[n] -= column[j] * other[n];
            }
        }
        length = sqrt(dot(g->size, next, next));
        rotate(&h, k, column, length);
        g->is_converged = fabs(h.g[k + 1]) <= wanted || length == 0.0;
    }
    combine(g, &h, Z, x);
    return CN_OK;
}
