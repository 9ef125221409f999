// solve/classic/lcp.c -- Lemke's complementary pivoting (1965) on a dense tableau.
//
// The tableau is [w | z | z0 | rhs] with rows I w - M z - e z0 = q. The artificial z0 starts above
// all; then whatever leaves the basis lets its partner enter, until z0 leaves. Ties are broken in
// the lexicographic order of the rows of the inverse basis, which stand under w, so that degenerate
// problems do not cycle.
#include "solve/classic/lcp.h"

#include <math.h>
#include <string.h>

typedef struct tableau {
    int size, width;
    double *entry; // size x width
    int *basis;    // variable of each row: w_i is i, z_i is size + i, z0 is 2 size
    double small;  // what counts as zero in a pivot column
} tableau;

size_t cn_lcp_work(int size)
{
    return (size_t)size * (size_t)(2 * size + 2);
}

static void fill(tableau *t, const double *M, const double *q)
{
    int n = t->size;
    double largest = 1.0;
    memset(t->entry, 0, sizeof *t->entry * cn_lcp_work(n));
    for (int i = 0; i < n; i++) {
        double *row = t->entry + (size_t)t->width * (size_t)i;
        row[i] = 1.0;
        for (int k = 0; k < n; k++) {
            row[n + k] = -M[(size_t)n * (size_t)i + (size_t)k];
            largest = fmax(largest, fabs(row[n + k]));
        }
        row[2 * n] = -1.0;
        row[2 * n + 1] = q[i];
        t->basis[i] = i;
    }
    t->small = 1e-12 * largest;
}

static void pivot(tableau *t, int row, int column)
{
    double *from = t->entry + (size_t)t->width * (size_t)row;
    double inverse = 1.0 / from[column];
    for (int k = 0; k < t->width; k++) {
        from[k] *= inverse;
    }
    from[column] = 1.0;
    for (int i = 0; i < t->size; i++) {
        double *to = t->entry + (size_t)t->width * (size_t)i, f = to[column];
        if (i == row || f == 0.0) {
            continue;
        }
        for (int k = 0; k < t->width; k++) {
            to[k] -= f * from[k];
        }
        to[column] = 0.0;
    }
    t->basis[row] = column;
}

// Whether row i comes before row j in the ratio test of a column with positive entries there.
static bool comes_before(const tableau *t, int i, int j, int column)
{
    const double *a = t->entry + (size_t)t->width * (size_t)i;
    const double *b = t->entry + (size_t)t->width * (size_t)j;
    for (int n = -1; n < t->size; n++) {
        int k = n < 0 ? t->width - 1 : n;
        double left = a[k] / a[column], right = b[k] / b[column];
        if (fabs(left - right) > 1e-13 * (fabs(left) + fabs(right))) {
            return left < right;
        }
        if (n < 0 && (t->basis[i] == 2 * t->size || t->basis[j] == 2 * t->size)) {
            return t->basis[i] == 2 * t->size; // z0 leaves as soon as it can
        }
    }
    return i < j;
}

// Row that leaves when a column enters, -1: none, the path goes to infinity.
static int find_row(const tableau *t, int column)
{
    int best = -1;
    for (int i = 0; i < t->size; i++) {
        if (t->entry[(size_t)t->width * (size_t)i + (size_t)column] > t->small &&
            (best < 0 || comes_before(t, i, best, column))) {
            best = i;
        }
    }
    return best;
}

// z of the basis; returns z0, which is zero at a solution.
static double read_solution(const tableau *t, double *z)
{
    double rest = 0.0;
    memset(z, 0, sizeof *z * (size_t)t->size);
    for (int i = 0; i < t->size; i++) {
        int k = t->basis[i] - t->size;
        double value = t->entry[(size_t)t->width * (size_t)(i + 1) - 1];
        if (k >= 0 && k < t->size) {
            z[k] = fmax(value, 0.0);
        } else if (k == t->size) {
            rest = fabs(value);
        }
    }
    return rest;
}

bool cn_lcp_solve(int size, const double *M, const double *q, int pivot_max, double *work,
                  int *basis, double *z)
{
    tableau t = {.size = size, .width = 2 * size + 2, .entry = work, .basis = basis};
    fill(&t, M, q);
    int worst = -1;
    double largest = 0.0;
    for (int i = 0; i < size; i++) {
        worst = q[i] < (worst < 0 ? 0.0 : q[worst]) ? i : worst;
        largest = fmax(largest, fabs(q[i]));
    }
    int entering = 2 * size, row = worst;
    for (int k = 0; k < pivot_max && row >= 0; k++) {
        int leaving = t.basis[row];
        pivot(&t, row, entering);
        if (leaving == 2 * size) {
            read_solution(&t, z);
            return true;
        }
        entering = leaving < size ? leaving + size : leaving - size;
        row = find_row(&t, entering);
    }
    // Rounding may hide that z0 could leave.
    return read_solution(&t, z) <= 1e-13 * largest;
}
