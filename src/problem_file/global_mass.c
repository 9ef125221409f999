// problem_file/global_mass.c -- mass matrices of global problems: W = H^T M^-1 H by dense factors
// of the sets of degrees of freedom that M couples (a rigid body, a small mesh).
//
// M need not be symmetric: matrices of finite rotations and of rounded files are not quite.
#include <math.h>

#include "base/memory.h"
#include "problem_file/problem_parts.h"

// Largest set with a dense factor, and most numbers in all factors: 1 GiB.
enum { PART_MAX = 2000, FACTOR_MAX = 1 << 27 };

void cn_mass_free(cn_mass *mass)
{
    CN_RELEASE(mass->part, mass->place, mass->part_start, mass->member, mass->factor_start,
               mass->factor, mass->pivot);
    *mass = (cn_mass){0};
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Numbers the sets in the order of their first degree of freedom.
static cn_status find_parts(const cn_sparse *M, cn_mass *mass, cn_error *err)
{
    int n = mass->dof_count;
    int *parent;
    CN_TRY(cn_new(&parent, (size_t)n, err));
    for (int i = 0; i < n; i++) {
        parent[i] = i;
    }
    for (int k = 0; k < M->count; k++) {
        int i = root_of(parent, M->row[k]), j = root_of(parent, M->column[k]);
        if (M->value[k] != 0.0 && i != j) {
            parent[i > j ? i : j] = i > j ? j : i;
        }
    }
    for (int i = 0; i < n; i++) { // the root is the least member, so its number is known
        int root = root_of(parent, i);
        mass->part[i] = root == i ? mass->part_count++ : mass->part[root];
    }
    cn_release(NULL, parent);
    return CN_OK;
}

static cn_status list_members(cn_mass *mass, cn_error *err)
{
    int n = mass->dof_count;
    CN_TRY(cn_new(&mass->part_start, (size_t)mass->part_count + 1, err));
    CN_TRY(cn_order_by_key(n, mass->part, mass->part_count, NULL, mass->member, err));
    for (int k = 0; k < n; k++) {
        int i = mass->member[k], part = mass->part[i];
        mass->part_start[part + 1] = k + 1;
        mass->place[i] = k - mass->part_start[part];
    }
    return CN_OK;
}

static int size_of(const cn_mass *mass, int part)
{
    return mass->part_start[part + 1] - mass->part_start[part];
}

static cn_status place_factors(const char *name, cn_mass *mass, size_t *total, cn_error *err)
{
    CN_TRY(cn_new(&mass->factor_start, (size_t)mass->part_count, err));
    *total = 0;
    for (int k = 0; k < mass->part_count; k++) {
        size_t size = (size_t)size_of(mass, k);
        mass->factor_start[k] = *total;
        *total += size * size;
        if (size > PART_MAX || *total > FACTOR_MAX) {
            return cn_fail(err, CN_BAD_INPUT,
                           "%s: M couples %zu of %d degrees of freedom; this version factorizes "
                           "sets of up to %d (rigid bodies, small meshes), larger ones need the "
                           "sparse factorization of a later version; store the problem in local "
                           "form instead",
                           name, size, mass->dof_count, PART_MAX);
        }
    }
    return CN_OK;
}

// A = P^-1 L U in place, L with unit diagonal. False: singular.
static bool factorize(int n, double *A, int *pivot)
{
    double largest = 0.0;
    for (int k = 0; k < n * n; k++) {
        largest = fmax(largest, fabs(A[k]));
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[n * i + k]) > fabs(A[n * best + k]) ? i : best;
        }
        pivot[k] = best;
        if (!(fabs(A[n * best + k]) > 1e-15 * largest)) {
            return false;
        }
        for (int c = 0; best != k && c < n; c++) {
            double swap = A[n * k + c];
            A[n * k + c] = A[n * best + c];
            A[n * best + c] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            double f = A[n * i + k] /= A[n * k + k];
            for (int c = k + 1; f != 0.0 && c < n; c++) {
                A[n * i + c] -= f * A[n * k + c];
            }
        }
    }
    return true;
}

static void solve_part(int n, const double *A, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) { // L is stored with all its exchanges applied
        double swap = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = swap;
    }
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < i; c++) {
            x[i] -= A[n * i + c] * x[c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int c = i + 1; c < n; c++) {
            x[i] -= A[n * i + c] * x[c];
        }
        x[i] /= A[n * i + i];
    }
}

cn_status cn_mass_factorize(const cn_sparse *M, const char *name, cn_mass *mass, cn_error *err)
{
    size_t n = (size_t)M->row_count, total = 0;
    *mass = (cn_mass){.dof_count = M->row_count};
    CN_TRY(cn_new(&mass->part, n, err));
    CN_TRY(cn_new(&mass->place, n, err));
    CN_TRY(cn_new(&mass->member, n, err));
    CN_TRY(cn_new(&mass->pivot, n, err));
    CN_TRY(find_parts(M, mass, err));
    CN_TRY(list_members(mass, err));
    CN_TRY(place_factors(name, mass, &total, err));
    CN_TRY(cn_new(&mass->factor, total, err));
    for (int k = 0; k < M->count; k++) {
        int i = M->row[k], j = M->column[k], part = mass->part[i];
        if (i == j && M->value[k] < 0.0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "%s: entry (%d, %d) of M is %g; a mass matrix is positive definite",
                           name, i, i, M->value[k]);
        }
        if (part == mass->part[j]) { // else a stored zero
            mass->factor[mass->factor_start[part] + (size_t)(size_of(mass, part) * mass->place[i] +
                                                             mass->place[j])] = M->value[k];
        }
    }
    for (int k = 0; k < mass->part_count; k++) {
        int start = mass->part_start[k];
        if (!factorize(size_of(mass, k), mass->factor + mass->factor_start[k],
                       mass->pivot + start)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "%s: M is singular in the %d degrees of freedom around number %d", name,
                           size_of(mass, k), mass->member[start]);
        }
    }
    return CN_OK;
}

void cn_mass_solve(const cn_mass *mass, double *x)
{
    double part[PART_MAX];
    for (int k = 0; k < mass->part_count; k++) {
        int n = size_of(mass, k), start = mass->part_start[k];
        for (int i = 0; i < n; i++) {
            part[i] = x[mass->member[start + i]];
        }
        solve_part(n, mass->factor + mass->factor_start[k], mass->pivot + start, part);
        for (int i = 0; i < n; i++) {
            x[mass->member[start + i]] = part[i];
        }
    }
}

// W += H_k^T M_k^-1 H_k for the entries of H in one part, by columns: items[0 .. count-1].
static cn_status reduce_part(const cn_mass *mass, int part, const cn_sparse *H, int count,
                             const int *items, cn_sparse *W, cn_error *err)
{
    double x[PART_MAX];
    int n = size_of(mass, part);
    for (int start = 0, end; start < count; start = end) {
        int column = H->column[items[start]];
        for (int i = 0; i < n; i++) {
            x[i] = 0.0;
        }
        for (end = start; end < count && H->column[items[end]] == column; end++) {
            x[mass->place[H->row[items[end]]]] += H->value[items[end]];
        }
        solve_part(n, mass->factor + mass->factor_start[part], mass->pivot + mass->part_start[part],
                   x);
        for (int first = 0, last; first < count; first = last) {
            double sum = 0.0;
            int row = H->column[items[first]];
            for (last = first; last < count && H->column[items[last]] == row; last++) {
                sum += H->value[items[last]] * x[mass->place[H->row[items[last]]]];
            }
            CN_TRY(cn_sparse_add(W, row, column, sum, err));
        }
    }
    return CN_OK;
}

static cn_status reduce_all(const cn_mass *mass, const cn_sparse *H, int *part, int *order,
                            cn_sparse *W, cn_error *err)
{
    for (int n = 0; n < H->count; n++) {
        part[n] = mass->part[H->row[n]];
    }
    CN_TRY(cn_order_by_key(H->count, part, mass->part_count, NULL, order, err));
    for (int start = 0, end; start < H->count; start = end) {
        int k = part[order[start]];
        for (end = start; end < H->count && part[order[end]] == k;) {
            end++;
        }
        CN_TRY(reduce_part(mass, k, H, end - start, order + start, W, err));
    }
    return CN_OK;
}

cn_status cn_mass_reduce(const cn_mass *mass, const cn_sparse *H, cn_sparse *W, cn_error *err)
{
    int *part = NULL, *order = NULL;
    cn_status status = cn_new(&part, (size_t)H->count, err);
    CN_THEN(status, cn_new(&order, (size_t)H->count, err));
    CN_THEN(status, reduce_all(mass, H, part, order, W, err));
    CN_RELEASE(part, order);
    return status;
}

// x of the entries of H from `first` to `last`, of one column, that lie in the part of entry `at`.
static double dot_in_part(const cn_mass *mass, const cn_sparse *H, int first, int last, int at)
{
    double x[PART_MAX], sum = 0.0;
    int part = mass->part[H->row[at]], n = size_of(mass, part);
    for (int i = 0; i < n; i++) {
        x[i] = 0.0;
    }
    for (int k = first; k < last; k++) {
        if (mass->part[H->row[k]] == part) {
            x[mass->place[H->row[k]]] = H->value[k];
        }
    }
    solve_part(n, mass->factor + mass->factor_start[part], mass->pivot + mass->part_start[part], x);
    for (int k = first; k < last; k++) {
        if (mass->part[H->row[k]] == part) {
            sum += H->value[k] * x[mass->place[H->row[k]]];
        }
    }
    return sum;
}

void cn_mass_diagonal(const cn_mass *mass, const cn_sparse *H, double *diagonal)
{
    for (int first = 0, last; first < H->count; first = last) {
        int column = H->column[first];
        for (last = first; last < H->count && H->column[last] == column;) {
            last++;
        }
        diagonal[column] = 0.0;
        for (int n = first; n < last; n++) {
            bool is_new = true;
            for (int k = first; k < n; k++) {
                is_new = is_new && mass->part[H->row[k]] != mass->part[H->row[n]];
            }
            diagonal[column] += is_new ? dot_in_part(mass, H, first, last, n) : 0.0;
        }
    }
}
