// math/factor_lgpl.c -- Cholesky by LDL over an order of AMD, LU by KLU: the factorizations of
// CAIRN_GPL=OFF, under the LGPL and BSD licences.
//
// Both work on single numbers, without dense blocks: the same answers to rounding, slower where a
// factor is large. LDL finds row k of L from the rows before it; columns of equal shape are put
// together as supernodes for those who read the factor.
#include <amd.h>
#include <klu.h>
#include <ldl.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "math/block_graph.h"
#include "math/factor.h"

typedef struct index_array {
    int *data;
    size_t capacity;
} index_array;

typedef struct number_array {
    double *data;
    size_t capacity;
} number_array;

struct cn_factor {
    cn_hooks hooks;
    cn_factor_kind kind;
    int size;
    double flops, bytes;
    cn_block_graph graph;
    // Cholesky: P A P^T = L D L^T
    index_array order, place;               // of rows: P, and back
    index_array upper_start, upper_row;     // P A P^T, entries with row <= column
    index_array entry;                      // of A for each entry there
    index_array L_start, L_row, parent;     // columns of L below the diagonal
    index_array count, flag, pattern;       // work of LDL
    number_array upper, L_value, D, work;   // work: size, of LU 2 size
    index_array first, row_start, row;      // supernodes
    index_array value_start, of, parent_of; // supernodes
    number_array value;                     // supernodes
    int supernode_count;
    bool has_tree, has_values;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

static cn_status reserve_indices(cn_factor *f, index_array *array, size_t count, cn_error *err)
{
    return cn_reserve(&f->hooks, &array->data, &array->capacity, count, err);
}

static cn_status reserve_numbers(cn_factor *f, number_array *array, size_t count, cn_error *err)
{
    return cn_reserve(&f->hooks, &array->data, &array->capacity, count, err);
}

static cn_status no_memory(const cn_factor *f, cn_error *err)
{
    return cn_fail(err, CN_NO_MEMORY, "no memory for the factor of a matrix of %d rows", f->size);
}

cn_status cn_factor_create(const cn_hooks *hooks, cn_factor_kind kind, cn_factor **factor,
                           cn_error *err)
{
    cn_factor *f = cn_resize(hooks, NULL, sizeof *f);
    if (f == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a factorization");
    }
    memset(f, 0, sizeof *f);
    if (hooks != NULL) {
        f->hooks = *hooks;
    }
    f->kind = kind;
    klu_defaults(&f->common);
    f->common.tol = 0.1; // pivots beside the diagonal, as UMFPACK takes them
    *factor = f;
    return CN_OK;
}

// There is one order only, by minimum degree.
void cn_factor_dissect(cn_factor *factor, int block_count)
{
    (void)factor;
    (void)block_count;
}

static void forget(cn_factor *f)
{
    f->has_tree = false;
    f->has_values = false;
    klu_free_numeric(&f->numeric, &f->common);
    klu_free_symbolic(&f->symbolic, &f->common);
}

void cn_factor_destroy(cn_factor *factor)
{
    if (factor == NULL) {
        return;
    }
    forget(factor);
    cn_hooks hooks = factor->hooks;
    cn_block_graph_free(&hooks, &factor->graph);
    index_array *indices[] = {&factor->order,       &factor->place,    &factor->upper_start,
                              &factor->upper_row,   &factor->entry,    &factor->L_start,
                              &factor->L_row,       &factor->parent,   &factor->count,
                              &factor->flag,        &factor->pattern,  &factor->first,
                              &factor->row_start,   &factor->row,      &factor->of,
                              &factor->value_start, &factor->parent_of};
    number_array *numbers[] = {&factor->upper, &factor->L_value, &factor->D, &factor->work,
                               &factor->value};
    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        cn_release(&hooks, indices[k]->data);
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        cn_release(&hooks, numbers[k]->data);
    }
    cn_release(&hooks, factor);
}

static cn_status order_rows(cn_factor *f, const cn_sparse *A, int block_count,
                            const int *block_start, cn_error *err)
{
    CN_TRY(cn_block_graph_make(&f->hooks, &f->graph, A, block_count, block_start, err));
    CN_TRY(reserve_indices(f, &f->order, (size_t)f->size, err));
    CN_TRY(reserve_indices(f, &f->place, (size_t)f->size, err));
    int status = amd_order(block_count, f->graph.start, f->graph.row, f->graph.order, NULL, NULL);
    if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED) {
        return no_memory(f, err);
    }
    cn_block_graph_rows(&f->graph, block_count, block_start, f->order.data);
    for (int k = 0; k < f->size; k++) {
        f->place.data[f->order.data[k]] = k;
    }
    return CN_OK;
}

// The pattern of P A P^T above its diagonal, and where its numbers are in A.
static cn_status permute(cn_factor *f, const cn_sparse *A, cn_error *err)
{
    size_t size = (size_t)f->size, most = (size_t)A->start[A->size];
    CN_TRY(reserve_indices(f, &f->upper_start, size + 1, err));
    CN_TRY(reserve_indices(f, &f->upper_row, most, err));
    CN_TRY(reserve_indices(f, &f->entry, most, err));
    CN_TRY(reserve_numbers(f, &f->upper, most, err));
    const int *place = f->place.data;
    int *start = f->upper_start.data;
    memset(start, 0, sizeof *start * (size + 1));
    for (int is_filling = 0; is_filling < 2; is_filling++) {
        for (int k = 0; k < A->size; k++) {
            for (int n = A->start[k]; n < A->start[k + 1] && A->row[n] <= k; n++) {
                int i = place[A->row[n]], j = place[k];
                int column = i > j ? i : j;
                if (is_filling) {
                    f->upper_row.data[start[column]] = i > j ? j : i;
                    f->entry.data[start[column]] = n;
                }
                start[column]++;
            }
        }
        // Counts become starts; after filling, ends become starts again.
        int before = 0;
        for (int k = 0; k <= f->size; k++) {
            int own = k < f->size ? start[k] : 0;
            start[k] = before;
            before = is_filling ? own : before + own;
        }
    }
    return CN_OK;
}

static cn_status analyze_cholesky(cn_factor *f, const cn_sparse *A, int block_count,
                                  const int *block_start, cn_error *err)
{
    size_t size = (size_t)f->size;
    CN_TRY(order_rows(f, A, block_count, block_start, err));
    CN_TRY(permute(f, A, err));
    index_array *arrays[] = {&f->L_start, &f->parent, &f->count, &f->flag, &f->pattern};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        CN_TRY(reserve_indices(f, arrays[k], size + 1, err));
    }
    CN_TRY(reserve_numbers(f, &f->D, size, err));
    CN_TRY(reserve_numbers(f, &f->work, size, err));
    ldl_symbolic(f->size, f->upper_start.data, f->upper_row.data, f->L_start.data, f->parent.data,
                 f->count.data, f->flag.data, NULL, NULL);
    double entries = 0.0;
    f->flops = 0.0;
    for (int k = 0; k < f->size; k++) {
        double column = f->count.data[k] + 1.0;
        entries += column;
        f->flops += column * column;
    }
    f->bytes = sizeof(double) * entries;
    if (entries > INT_MAX) { // LDL counts with int
        return no_memory(f, err);
    }
    CN_TRY(reserve_indices(f, &f->L_row, (size_t)entries, err));
    return reserve_numbers(f, &f->L_value, (size_t)entries, err);
}

static cn_status analyze_lu(cn_factor *f, const cn_sparse *A, cn_error *err)
{
    CN_TRY(reserve_numbers(f, &f->work, 2 * (size_t)f->size, err));
    f->symbolic = klu_analyze(f->size, A->start, A->row, &f->common);
    if (f->symbolic == NULL) {
        return f->common.status == KLU_SINGULAR
                   ? cn_fail(err, CN_BROKEN, "a matrix of %d rows is singular", f->size)
                   : no_memory(f, err);
    }
    f->flops = fmax(f->symbolic->est_flops, f->size);
    f->bytes = sizeof(double) * fmax(f->symbolic->lnz + f->symbolic->unz, f->size);
    return CN_OK;
}

cn_status cn_factor_analyze(cn_factor *factor, const cn_sparse *A, int block_count,
                            const int *block_start, cn_error *err)
{
    forget(factor);
    factor->size = A->size;
    return factor->kind == CN_FACTOR_LU
               ? analyze_lu(factor, A, err)
               : analyze_cholesky(factor, A, block_count, block_start, err);
}

double cn_factor_flops(const cn_factor *factor)
{
    return factor->flops;
}

double cn_factor_bytes(const cn_factor *factor)
{
    return factor->bytes;
}

double cn_factor_stored(const cn_factor *factor)
{
    size_t numbers = factor->L_value.capacity + factor->value.capacity;
    size_t indices = factor->L_row.capacity + factor->row.capacity + 5 * (size_t)factor->size;
    return (double)(numbers * sizeof(double) + indices * sizeof(int));
}

// The memory of LDL is ours, by the hooks of the factor.
double cn_factor_held(const cn_factor *factor)
{
    return (double)factor->common.memusage;
}

static cn_status factor_cholesky(cn_factor *f, const cn_sparse *A, cn_error *err)
{
    int entries = f->upper_start.data[f->size];
    for (int n = 0; n < entries; n++) {
        f->upper.data[n] = A->value[f->entry.data[n]];
    }
    int done =
        ldl_numeric(f->size, f->upper_start.data, f->upper_row.data, f->upper.data, f->L_start.data,
                    f->parent.data, f->count.data, f->L_row.data, f->L_value.data, f->D.data,
                    f->work.data, f->pattern.data, f->flag.data, NULL, NULL);
    f->has_values = false;
    for (int k = 0; k < f->size; k++) { // L D L^T takes indefinite matrices without a word
        if (k >= done || !(f->D.data[k] > 0.0)) {
            return cn_fail(err, CN_BROKEN, "a matrix of %d rows is not positive definite at row %d",
                           f->size, k);
        }
    }
    return CN_OK;
}

static cn_status factor_lu(cn_factor *f, const cn_sparse *A, cn_error *err)
{
    klu_free_numeric(&f->numeric, &f->common);
    f->numeric = klu_factor(A->start, A->row, A->value, f->symbolic, &f->common);
    if (f->numeric != NULL && f->common.status == KLU_OK) {
        return CN_OK;
    }
    return f->common.status == KLU_SINGULAR
               ? cn_fail(err, CN_BROKEN, "a matrix of %d rows is singular", f->size)
               : no_memory(f, err);
}

cn_status cn_factor_numeric(cn_factor *factor, const cn_sparse *A, cn_error *err)
{
    return factor->kind == CN_FACTOR_LU ? factor_lu(factor, A, err)
                                        : factor_cholesky(factor, A, err);
}

static void solve_cholesky(cn_factor *f, const double *b, double *x)
{
    double *y = f->work.data;
    for (int k = 0; k < f->size; k++) {
        y[k] = b[f->order.data[k]];
    }
    ldl_lsolve(f->size, y, f->L_start.data, f->L_row.data, f->L_value.data);
    ldl_dsolve(f->size, y, f->D.data);
    ldl_ltsolve(f->size, y, f->L_start.data, f->L_row.data, f->L_value.data);
    for (int k = 0; k < f->size; k++) {
        x[f->order.data[k]] = y[k];
    }
    memset(y, 0, sizeof *y * (size_t)f->size); // ldl_numeric starts from zeros
}

// With one step of refinement, as by UMFPACK.
static cn_status solve_lu(cn_factor *f, const cn_sparse *A, const double *b, double *x,
                          cn_error *err)
{
    size_t size = (size_t)f->size;
    double *left = f->work.data, *found = left + size;
    memcpy(left, b, sizeof *left * size);
    memcpy(found, b, sizeof *found * size);
    bool is_done = klu_solve(f->symbolic, f->numeric, f->size, 1, found, &f->common);
    for (int k = 0; k < f->size; k++) {
        for (int n = A->start[k]; n < A->start[k + 1]; n++) {
            left[A->row[n]] -= A->value[n] * found[k];
        }
    }
    is_done = is_done && klu_solve(f->symbolic, f->numeric, f->size, 1, left, &f->common);
    for (size_t k = 0; k < size; k++) {
        x[k] = found[k] + left[k];
    }
    return is_done ? CN_OK : no_memory(f, err);
}

cn_status cn_factor_solve(cn_factor *factor, const cn_sparse *A, const double *b, double *x,
                          cn_error *err)
{
    if (factor->kind == CN_FACTOR_LU) {
        return solve_lu(factor, A, b, x, err);
    }
    solve_cholesky(factor, b, x);
    return CN_OK;
}

// Whether column k has the rows of the one before it, less its diagonal.
static bool continues(const cn_factor *f, int k)
{
    return f->parent.data[k - 1] == k && f->count.data[k - 1] == f->count.data[k] + 1;
}

static cn_status find_supernodes(cn_factor *f, cn_error *err)
{
    size_t size = (size_t)f->size;
    index_array *arrays[] = {&f->first, &f->row_start, &f->value_start, &f->of, &f->parent_of};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        CN_TRY(reserve_indices(f, arrays[k], size + 1, err));
    }
    int count = 0;
    double rows = 0.0, values = 0.0;
    for (int k = 0; k < f->size; k++) {
        if (k == 0 || !continues(f, k)) {
            f->first.data[count++] = k;
            rows += f->count.data[k] + 1.0;
        }
        f->of.data[k] = count - 1;
    }
    f->first.data[count] = f->size;
    f->supernode_count = count;
    f->row_start.data[0] = f->value_start.data[0] = 0;
    for (int k = 0; k < count; k++) {
        int column = f->first.data[k], width = f->first.data[k + 1] - column;
        int height = f->count.data[column] + 1, last = f->first.data[k + 1] - 1;
        values += (double)height * width;
        if (values > INT_MAX) {
            return no_memory(f, err);
        }
        f->row_start.data[k + 1] = f->row_start.data[k] + height;
        f->value_start.data[k + 1] = f->value_start.data[k] + height * width;
        f->parent_of.data[k] = f->parent.data[last] >= 0 ? f->of.data[f->parent.data[last]] : -1;
    }
    CN_TRY(reserve_indices(f, &f->row, (size_t)rows, err));
    CN_TRY(reserve_numbers(f, &f->value, (size_t)values, err));
    f->has_tree = true;
    return CN_OK;
}

// Supernode k by columns, L sqrt(D), with zeros above its diagonal.
static void copy_supernode(cn_factor *f, int k)
{
    int column = f->first.data[k], end = f->first.data[k + 1];
    int height = f->count.data[column] + 1;
    int *row = f->row.data + f->row_start.data[k];
    row[0] = column;
    memcpy(row + 1, f->L_row.data + f->L_start.data[column], sizeof *row * (size_t)(height - 1));
    double *value = f->value.data + f->value_start.data[k];
    for (int j = column; j < end; j++, value += height) {
        double root = sqrt(f->D.data[j]);
        int above = j - column;
        memset(value, 0, sizeof *value * (size_t)above);
        value[above] = root;
        const double *below = f->L_value.data + f->L_start.data[j];
        for (int n = above + 1; n < height; n++) {
            value[n] = root * below[n - above - 1];
        }
    }
}

cn_status cn_factor_supernodes(cn_factor *factor, cn_supernodes *L, cn_error *err)
{
    if (!factor->has_tree) {
        CN_TRY(find_supernodes(factor, err));
    }
    if (!factor->has_values) {
        for (int k = 0; k < factor->supernode_count; k++) {
            copy_supernode(factor, k);
        }
        factor->has_values = true;
    }
    *L = (cn_supernodes){.size = factor->size,
                         .count = factor->supernode_count,
                         .first = factor->first.data,
                         .row_start = factor->row_start.data,
                         .row = factor->row.data,
                         .value_start = factor->value_start.data,
                         .value = factor->value.data,
                         .order = factor->order.data,
                         .place = factor->place.data,
                         .of = factor->of.data,
                         .parent = factor->parent_of.data};
    return CN_OK;
}
