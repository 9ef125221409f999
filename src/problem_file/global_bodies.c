// problem_file/global_bodies.c -- global problems of rigid bodies: W = G^T G with G = L^-1 H, M = L
// L^T body by body, so that solvers see bodies and W is never formed (theory 4.8).
//
// A body is `size` degrees of freedom in a row, as every program numbers them. Where M couples
// more, is not symmetric or not positive definite, or a constraint meets more than two bodies, the
// answer is no, and the problem is reduced to rows instead.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "problem_file/problem_parts.h"

void cn_body_store_free(cn_body_store *store)
{
    CN_RELEASE(store->dof_start, store->body, store->block_start, store->G);
    *store = (cn_body_store){0};
}

// Blocks of M, row-major, one per body. False: M couples bodies.
static bool take_blocks(const cn_sparse *M, int size, double *block)
{
    for (int n = 0; n < M->count; n++) {
        int i = M->row[n], k = M->column[n];
        if (i / size != k / size && M->value[n] != 0.0) {
            return false;
        }
        if (i / size == k / size) {
            block[size * i + k % size] = M->value[n];
        }
    }
    return true;
}

// L of one block in its lower half. False: not symmetric to rounding, or not positive definite.
static bool factorize(int n, double *A)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(A[(n + 1) * i]));
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k <= i; k++) {
            if (fabs(A[n * i + k] - A[n * k + i]) > 1e-14 * largest) {
                return false;
            }
            double sum = A[n * i + k];
            for (int l = 0; l < k; l++) {
                sum -= A[n * i + l] * A[n * k + l];
            }
            if (k < i) {
                A[n * i + k] = sum / A[(n + 1) * k];
            } else if (sum > 1e-14 * A[(n + 1) * i]) {
                A[(n + 1) * i] = sqrt(sum);
            } else {
                return false;
            }
        }
    }
    return true;
}

// The constraints of a global problem: rows of H, whose columns are degrees of freedom of bodies of
// `size` each.
typedef struct constraints {
    const cn_sparse *H;
    int size, count;
    const int *row_start;
} constraints;

// The bodies that each constraint meets. False: more than two.
static bool find_sides(const constraints *c, int *body)
{
    const cn_sparse *H = c->H;
    for (int a = 0, n = 0; a < c->count; a++) {
        body[2 * a] = body[2 * a + 1] = -1;
        for (; n < H->count && H->column[n] < c->row_start[a + 1]; n++) {
            int i = H->row[n] / c->size;
            if (H->value[n] == 0.0 || i == body[2 * a] || i == body[2 * a + 1]) {
                continue;
            }
            if (body[2 * a + 1] >= 0) {
                return false;
            }
            body[2 * a + (body[2 * a] >= 0)] = i;
        }
    }
    return true;
}

// Determinant of the translation of one body in the first rows of a constraint: positive on the
// side that the impulse pushes, since frames are right-handed.
static double handedness(const cn_sparse *H, int first, int last, int size, int row, int body)
{
    double A[3][3] = {{0}};
    int dim = size == 3 ? 2 : 3;
    for (int n = first; n < last; n++) {
        int k = H->column[n] - row, d = H->row[n] - size * body;
        if (k < dim && d >= 0 && d < dim) {
            A[k][d] = H->value[n];
        }
    }
    A[2][2] = dim == 2 ? 1.0 : A[2][2];
    return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
           A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
           A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

// Puts the body that is pushed first, as contacts of a world have it; sweeps rely on it for speed.
static void orient_sides(const constraints *c, int *body)
{
    const cn_sparse *H = c->H;
    for (int a = 0, n = 0; a < c->count; a++) {
        int first = n;
        while (n < H->count && H->column[n] < c->row_start[a + 1]) {
            n++;
        }
        if (body[2 * a] >= 0 &&
            handedness(H, first, n, c->size, c->row_start[a], body[2 * a]) < 0.0) {
            int swap = body[2 * a];
            body[2 * a] = body[2 * a + 1];
            body[2 * a + 1] = swap;
        }
    }
}

static cn_status place_blocks(const constraints *c, cn_body_store *store, cn_error *err)
{
    int64_t total = 0;
    for (int x = 0; x < 2 * c->count; x++) {
        store->block_start[x] = (int)total;
        int rows = c->row_start[x / 2 + 1] - c->row_start[x / 2];
        total += store->body[x] >= 0 ? (int64_t)rows * c->size : 0;
        if (total > INT32_MAX) {
            return cn_fail(err, CN_NO_MEMORY, "a problem of %d constraints is too large", c->count);
        }
    }
    return cn_new(&store->G, (size_t)total, err);
}

// G = L^-1 H, entry by entry, then row by row.
static void fill_blocks(const constraints *c, const double *L, cn_body_store *store)
{
    const cn_sparse *H = c->H;
    const int *row_start = c->row_start;
    int size = c->size;
    for (int a = 0, n = 0; a < c->count; a++) {
        for (; n < H->count && H->column[n] < row_start[a + 1]; n++) {
            int side = H->row[n] / size == store->body[2 * a] ? 0 : 1;
            double *G = store->G + store->block_start[2 * a + side];
            if (H->value[n] != 0.0) {
                G[size * (H->column[n] - row_start[a]) + H->row[n] % size] = H->value[n];
            }
        }
        for (int x = 2 * a; x < 2 * a + 2; x++) {
            if (store->body[x] < 0) {
                continue;
            }
            const double *L_i = L + (size_t)(size * size) * (size_t)store->body[x];
            for (int row = 0; row < row_start[a + 1] - row_start[a]; row++) {
                double *g = store->G + store->block_start[x] + size * row;
                for (int i = 0; i < size; i++) {
                    for (int k = 0; k < i; k++) {
                        g[i] -= L_i[size * i + k] * g[k];
                    }
                    g[i] /= L_i[(size + 1) * i];
                }
            }
        }
    }
}

static cn_status make(const cn_sparse *M, const constraints *c, double *L, cn_body_store *store,
                      cn_error *err)
{
    int size = c->size;
    int bodies = M->row_count / size;
    bool is_possible = take_blocks(M, size, L);
    for (int i = 0; i < bodies && is_possible; i++) {
        is_possible = factorize(size, L + (size_t)(size * size) * (size_t)i);
    }
    if (!is_possible) {
        return CN_OK;
    }
    CN_TRY(cn_new(&store->dof_start, (size_t)bodies + 1, err));
    CN_TRY(cn_new(&store->body, 2 * (size_t)c->count, err));
    CN_TRY(cn_new(&store->block_start, 2 * (size_t)c->count, err));
    if (!find_sides(c, store->body)) {
        return CN_OK;
    }
    orient_sides(c, store->body);
    CN_TRY(place_blocks(c, store, err));
    fill_blocks(c, L, store);
    for (int i = 0; i <= bodies; i++) {
        store->dof_start[i] = size * i;
    }
    store->body_count = bodies;
    return CN_OK;
}

cn_status cn_body_store_make(const cn_sparse *M, const cn_sparse *H, int size, int constraint_count,
                             const int *row_start, cn_body_store *store, cn_error *err)
{
    double *L;
    if (M->row_count % size != 0) {
        return CN_OK;
    }
    CN_TRY(cn_new(&L, (size_t)M->row_count * (size_t)size, err));
    const constraints c = {H, size, constraint_count, row_start};
    cn_status status = make(M, &c, L, store, err);
    cn_release(NULL, L);
    if (store->body_count == 0) {
        cn_body_store_free(store);
    }
    return status;
}
