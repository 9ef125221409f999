// math/dense.c -- see dense.h.
#include "math/dense.h"

#include <math.h>

// Our rows are the columns of Fortran: L is its upper triangle U, A = U^T U.
extern void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info);
extern void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n,
                   const double *A, const int *lda, double *x, const int *step);
extern void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag,
                   const int *n, const int *m, const double *alpha, const double *A, const int *lda,
                   double *X, const int *ldx);
extern void dsyrk_(const char *uplo, const char *trans, const int *m, const int *n,
                   const double *alpha, const double *A, const int *lda, const double *beta,
                   double *C, const int *ldc);
extern void dsyev_(const char *job, const char *uplo, const int *n, double *A, const int *lda,
                   double *value, double *work, const int *size, int *info);

// Of OpenBLAS, where that is the BLAS of the system.
extern void openblas_set_num_threads(int count) __attribute__((weak));

// What OpenBLAS takes at its first call and keeps: 128 MB of addresses and what aligns them.
static const size_t blas_room = (size_t)136 << 20;

enum { LAPACK_FACTOR = 24, LAPACK_SOLVE = 30 }; // rows from which it is faster

static bool factor_by_rows(int n, double *L)
{
    for (int i = 0; i < n; i++) {
        double *row = L + n * i;
        for (int j = 0; j <= i; j++) {
            const double *other = L + n * j;
            double sum = row[j];
            for (int k = 0; k < j; k++) {
                sum -= row[k] * other[k];
            }
            if (j == i && !(sum > 0.0)) {
                return false;
            }
            row[j] = j == i ? sqrt(sum) : sum / other[j];
        }
    }
    return true;
}

cn_status cn_dense_start(cn_error *err)
{
    if (openblas_set_num_threads == NULL) {
        return CN_OK;
    }
    openblas_set_num_threads(1); // more would change the last bits
    void *room = cn_resize(NULL, NULL, blas_room);
    if (room == NULL) {
        return cn_fail(err, CN_NO_MEMORY,
                       "no memory for the work of BLAS, %zu MB; raise the limit of the system, or "
                       "take a solver without factors (nncg, prox, apgd)",
                       blas_room >> 20);
    }
    cn_release(NULL, room);
    const int one = 1;
    const double A = 1.0;
    double x = 1.0;
#pragma omp critical(cn_blas)
    dtrsv_("U", "N", "N", &one, &A, &one, &x, &one);
    return CN_OK;
}

bool cn_dense_factor(int n, double *A)
{
    if (n < LAPACK_FACTOR) {
        return factor_by_rows(n, A);
    }
    int info = 0;
#pragma omp critical(cn_blas) // the serial OpenBLAS mixes up the work of two callers
    dpotrf_("U", &n, A, &n, &info);
    for (int i = 0; i < n && info == 0; i++) { // not every LAPACK sees NaN
        info = A[n * i + i] > 0.0 ? 0 : i + 1;
    }
    return info == 0;
}

void cn_dense_forward(int n, const double *L, double *x)
{
    int first = 0;
    while (first < n && x[first] == 0.0) {
        first++;
    }
    for (int i = first; i < n; i++) {
        double sum = x[i];
        for (int k = first; k < i; k++) {
            sum -= L[n * i + k] * x[k];
        }
        x[i] = sum / L[n * i + i];
    }
}

void cn_dense_solve(int n, const double *L, double *x)
{
    const int step = 1;
    if (n >= LAPACK_SOLVE) {
#pragma omp critical(cn_blas)
        {
            dtrsv_("U", "T", "N", &n, L, &n, x, &step);
            dtrsv_("U", "N", "N", &n, L, &n, x, &step);
        }
        return;
    }
    cn_dense_forward(n, L, x);
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= L[n * i + i];
        for (int k = 0; k < i; k++) {
            x[k] -= L[n * i + k] * x[i];
        }
    }
}

void cn_dense_forward_rows(int n, const double *L, int count, double *X)
{
    const double one = 1.0;
    if (n > 0 && count > 0) {
#pragma omp critical(cn_blas)
        dtrsm_("L", "U", "T", "N", &n, &count, &one, L, &n, X, &n);
    }
}

void cn_dense_subtract_products(int n, int count, const double *X, double *A)
{
    const double one = 1.0, minus = -1.0;
    if (n > 0 && count > 0) {
#pragma omp critical(cn_blas)
        dsyrk_("U", "T", &count, &n, &minus, X, &n, &one, A, &count);
    }
    for (int i = 0; i < count; i++) { // the triangle that is left
        for (int j = i + 1; j < count; j++) {
            A[count * i + j] = A[count * j + i];
        }
    }
}

bool cn_dense_eigen(int n, double *A, double *value, double *work)
{
    int info = 0, size = CN_DENSE_EIGEN * n;
#pragma omp critical(cn_blas)
    dsyev_("V", "U", &n, A, &n, value, work, &size, &info);
    return info == 0;
}
