// Factorizations and GMRES on matrices whose answers are known.
#include <stdlib.h>

#include "base/hash.h"
#include "math/dense.h"
#include "math/factor.h"
#include "math/gmres.h"
#include "math/small_systems.h"
#include "test.h"

// Second differences: 2 on the diagonal, -1 beside it, `skew` added above and taken below.
enum { SIZE = 40 };
static void make_chain(double skew, int *start, int *row, double *value, cn_sparse *A)
{
    int count = 0;
    for (int k = 0; k < SIZE; k++) {
        start[k] = count;
        for (int i = k - 1; i <= k + 1; i++) {
            if (i >= 0 && i < SIZE) {
                row[count] = i;
                value[count++] = i == k ? 2.0 : (i < k ? -1.0 + skew : -1.0 - skew);
            }
        }
    }
    start[SIZE] = count;
    *A = (cn_sparse){SIZE, start, row, value};
}

static double defect(const cn_sparse *A, const double *x, const double *b)
{
    double Ax[SIZE] = {0}, worst = 0.0;
    for (int k = 0; k < A->size; k++) {
        for (int n = A->start[k]; n < A->start[k + 1]; n++) {
            Ax[A->row[n]] += A->value[n] * x[k];
        }
    }
    for (int k = 0; k < A->size; k++) {
        worst = fmax(worst, fabs(Ax[k] - b[k]));
    }
    return worst;
}

CN_TEST(both_kinds_solve)
{
    for (int kind = 0; kind < 2; kind++) {
        int start[SIZE + 1], row[3 * SIZE], blocks[SIZE / 2 + 1];
        double value[3 * SIZE], b[SIZE], x[SIZE];
        cn_sparse A;
        cn_factor *f = NULL;
        make_chain(kind == CN_FACTOR_LU ? 0.7 : 0.0, start, row, value, &A);
        for (int k = 0; k <= SIZE / 2; k++) {
            blocks[k] = 2 * k;
        }
        for (int k = 0; k < SIZE; k++) {
            x[k] = b[k] = sin(k);
        }
        CN_DO(cn_factor_create(NULL, (cn_factor_kind)kind, &f, &test_error));
        CN_DO(cn_factor_analyze(f, &A, SIZE / 2, blocks, &test_error));
        CN_TRUE(cn_factor_bytes(f) >= 2.0 * 8.0 * SIZE && cn_factor_flops(f) > 0.0);
        CN_DO(cn_factor_numeric(f, &A, &test_error));
        CN_DO(cn_factor_solve(f, &A, x, x, &test_error)); // in place
        CN_NEAR(defect(&A, x, b), 0.0, 1e-12, "rounding, condition 1e3");
        cn_factor_destroy(f);
    }
}

CN_TEST(matrices_without_a_factor)
{
    int start[3] = {0, 2, 4}, row[4] = {0, 1, 0, 1}, blocks[3] = {0, 1, 2};
    double indefinite[4] = {1.0, 2.0, 2.0, 1.0}, singular[4] = {1.0, 2.0, 2.0, 4.0};
    cn_sparse A = {2, start, row, indefinite}, B = {2, start, row, singular};
    cn_factor *f = NULL;
    CN_DO(cn_factor_create(NULL, CN_FACTOR_CHOLESKY, &f, &test_error));
    CN_DO(cn_factor_analyze(f, &A, 2, blocks, &test_error));
    CN_FAILS(cn_factor_numeric(f, &A, &test_error), CN_BROKEN, "not positive definite");
    cn_factor_destroy(f);
    CN_DO(cn_factor_create(NULL, CN_FACTOR_LU, &f, &test_error));
    CN_DO(cn_factor_analyze(f, &B, 2, blocks, &test_error));
    CN_FAILS(cn_factor_numeric(f, &B, &test_error), CN_BROKEN, "singular");
    cn_factor_destroy(f);
}

// Second differences on a cube of n^3 points: a tree of supernodes.
static cn_sparse make_cube(int n)
{
    int size = n * n * n, count = 0;
    cn_sparse A = {.size = size,
                   .start = malloc(sizeof(int) * (size_t)(size + 1)),
                   .row = malloc(sizeof(int) * 4 * (size_t)size),
                   .value = malloc(sizeof(double) * 4 * (size_t)size)};
    for (int k = 0; k < size; k++) {
        const int before[3] = {k >= n * n ? k - n * n : -1, k / n % n > 0 ? k - n : -1,
                               k % n > 0 ? k - 1 : -1};
        A.start[k] = count;
        for (int d = 0; d < 3; d++) {
            if (before[d] >= 0) {
                A.row[count] = before[d];
                A.value[count++] = -1.0;
            }
        }
        A.row[count] = k;
        A.value[count++] = 6.0;
    }
    A.start[size] = count;
    return A;
}

static cn_factor *analyze(const cn_sparse *A)
{
    cn_factor *f = NULL;
    int *blocks = malloc(sizeof(int) * (size_t)(A->size + 1));
    for (int k = 0; k <= A->size; k++) {
        blocks[k] = k;
    }
    CN_DO(cn_factor_create(NULL, CN_FACTOR_NESTED, &f, &test_error));
    CN_DO(cn_factor_analyze(f, A, A->size, blocks, &test_error));
    free(blocks);
    return f;
}

static void free_matrix(cn_sparse *A)
{
    free(A->start);
    free(A->row);
    free(A->value);
}

// |A x - b| at its worst, for the x that the factor finds.
static double defect_of(cn_factor *f, const cn_sparse *A, double *x)
{
    size_t size = (size_t)A->size;
    double *left = calloc(size, sizeof *left), worst = 0.0;
    for (int k = 0; k < A->size; k++) {
        x[k] = sin(k);
    }
    CN_DO(cn_factor_solve(f, A, x, x, &test_error));
    for (int k = 0; k < A->size; k++) {
        for (int n = A->start[k]; n < A->start[k + 1]; n++) {
            left[A->row[n]] += A->value[n] * x[k];
            left[k] += A->row[n] < k ? A->value[n] * x[A->row[n]] : 0.0;
        }
    }
    for (int k = 0; k < A->size; k++) {
        worst = fmax(worst, fabs(left[k] - sin(k)));
    }
    free(left);
    return worst;
}

// Threads that factor at the same time, as worlds of their own do, get the bits of one alone.
CN_TEST(threads_do_not_share_an_order)
{
    enum { CUBE = 10, COUNT = 24 };
    cn_sparse A = make_cube(CUBE);
    static double x[CUBE * CUBE * CUBE], other[COUNT][CUBE * CUBE * CUBE];
    cn_factor *alone = analyze(&A);
    CN_DO(cn_factor_numeric(alone, &A, &test_error));
    defect_of(alone, &A, x);
    cn_factor_destroy(alone);
#pragma omp parallel for num_threads(4) schedule(dynamic)
    for (int k = 0; k < COUNT; k++) {
        cn_factor *f = analyze(&A);
        CN_DO(cn_factor_numeric(f, &A, NULL));
        defect_of(f, &A, other[k]);
        cn_factor_destroy(f);
    }
    for (int k = 0; k < COUNT; k++) {
        CN_TRUE(memcmp(x, other[k], sizeof x) == 0);
    }
    free_matrix(&A);
}

// A = D + e f^T with D as preconditioner: identity plus rank one, two vectors are enough.
typedef struct rank_one {
    double D[SIZE], e[SIZE], f[SIZE];
} rank_one;

static cn_status multiply(void *context, const double *x, double *y, cn_error *err)
{
    (void)err;
    const rank_one *A = context;
    double along = 0.0;
    for (int k = 0; k < SIZE; k++) {
        along += A->f[k] * x[k];
    }
    for (int k = 0; k < SIZE; k++) {
        y[k] = A->D[k] * x[k] + A->e[k] * along;
    }
    return CN_OK;
}

static cn_status precondition(void *context, const double *x, double *y, cn_error *err)
{
    (void)err;
    const rank_one *A = context;
    for (int k = 0; k < SIZE; k++) {
        y[k] = x[k] / A->D[k];
    }
    return CN_OK;
}

CN_TEST(gmres_takes_two_vectors_for_rank_one)
{
    rank_one A;
    double b[SIZE], x[SIZE], Ax[SIZE], worst = 0.0;
    static double work[SIZE * (2 * CN_GMRES_MAX + 1)];
    uint64_t random = 3;
    for (int k = 0; k < SIZE; k++) {
        A.D[k] = 1.0 + 100.0 * cn_random(&random);
        A.e[k] = cn_random(&random);
        A.f[k] = cn_random(&random);
        b[k] = cn_random(&random);
    }
    CN_TRUE(cn_gmres_work(SIZE) == sizeof work / sizeof *work);
    cn_gmres g = {.size = SIZE,
                  .multiply = multiply,
                  .precondition = precondition,
                  .context = &A,
                  .tol = 1e-12,
                  .work = work};
    CN_DO(cn_gmres_solve(&g, b, x, &test_error));
    CN_DO(multiply(&A, x, Ax, &test_error));
    for (int k = 0; k < SIZE; k++) {
        worst = fmax(worst, fabs(Ax[k] - b[k]));
    }
    CN_TRUE(g.is_converged && g.vector_count == 2);
    CN_NEAR(worst, 0.0, 1e-11, "1e-12 of |b| = 4");
    memset(b, 0, sizeof b);
    CN_DO(cn_gmres_solve(&g, b, x, &test_error));
    CN_TRUE(g.is_converged && x[0] == 0.0);
}

// Needs the exchange of rows; two right-hand sides.
CN_TEST(small_systems)
{
    double A[9] = {0.0, 2.0, 1.0, 1.0, 0.0, 3.0, 2.0, 1.0, 0.0};
    double B[6] = {7.0, 2.0, 10.0, 1.0, 4.0, 2.0}; // the first column is A (1, 2, 3)
    const double first[3] = {1.0, 2.0, 3.0};
    double copy[9];
    memcpy(copy, A, sizeof A);
    cn_small_solve(3, 2, copy, B);
    for (int k = 0; k < 3; k++) {
        CN_NEAR(B[2 * k], first[k], 1e-14, "rounding");
    }
    CN_NEAR(2.0 * B[3] + B[5], 2.0, 1e-14, "second column, first row");
}

// Dense systems on both sides of the sizes where LAPACK takes over: the matrix 1 + n on the
// diagonal, 1 elsewhere, of which x = 1 has the right side 2 n.
CN_TEST(dense_systems_of_all_sizes)
{
    CN_DO(cn_dense_start(&test_error));
    for (int n = 1; n <= 96; n++) {
        double A[96 * 96], x[96], y[96] = {0};
        for (int k = 0; k < n * n; k++) {
            A[k] = k / n == k % n ? 1.0 + n : 1.0;
        }
        for (int k = 0; k < n; k++) {
            x[k] = 2.0 * n;
        }
        CN_TRUE(cn_dense_factor(n, A));
        cn_dense_solve(n, A, x);
        for (int k = 0; k < n; k++) {
            CN_NEAR(x[k], 1.0, 1e-14, "condition number 2");
        }
        y[n - 1] = 1.0;
        cn_dense_forward(n, A, y);
        CN_NEAR(y[n - 1] * A[n * n - 1], 1.0, 1e-15, "zeros before are skipped");
        A[0] = -1.0;
        CN_TRUE(!cn_dense_factor(n, A));
        A[0] = NAN;
        CN_TRUE(!cn_dense_factor(n, A));
    }
}

CN_MAIN(CN_RUN(dense_systems_of_all_sizes); CN_RUN(both_kinds_solve);
        CN_RUN(matrices_without_a_factor); CN_RUN(threads_do_not_share_an_order);
        CN_RUN(gmres_takes_two_vectors_for_rank_one); CN_RUN(small_systems);)
