// problem_file/sparse_entries.c
#include "problem_file/sparse_entries.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

cn_status cn_new_bytes(void **array, size_t count, size_t element_size, cn_error *err)
{
    size_t capacity = 0;
    *array = NULL;
    CN_TRY(cn_reserve_bytes(NULL, array, &capacity, count, element_size, err));
    memset(*array, 0, capacity * element_size);
    return CN_OK;
}

void cn_sparse_free(cn_sparse *A)
{
    CN_RELEASE(A->row, A->column, A->value);
    *A = (cn_sparse){0};
}

cn_status cn_sparse_reserve(cn_sparse *A, int64_t count, cn_error *err)
{
    if (count > INT32_MAX) {
        return cn_fail(err, CN_NO_MEMORY,
                       "a matrix of %lld entries is larger than the 2^31 that fit in a problem",
                       (long long)count);
    }
    CN_TRY(cn_reserve(NULL, &A->row, &A->row_capacity, (size_t)count, err));
    CN_TRY(cn_reserve(NULL, &A->column, &A->column_capacity, (size_t)count, err));
    return cn_reserve(NULL, &A->value, &A->value_capacity, (size_t)count, err);
}

cn_status cn_sparse_add(cn_sparse *A, int row, int column, double value, cn_error *err)
{
    size_t count = (size_t)A->count;
    if (count >= A->row_capacity || count >= A->column_capacity || count >= A->value_capacity) {
        CN_TRY(cn_sparse_reserve(A, (int64_t)A->count + 1, err));
    }
    A->row[A->count] = row;
    A->column[A->count] = column;
    A->value[A->count++] = value;
    return CN_OK;
}

cn_status cn_order_by_key(int count, const int *key, int key_count, const int *order, int *sorted,
                          cn_error *err)
{
    int *place;
    CN_TRY(cn_new(&place, (size_t)key_count + 1, err));
    for (int n = 0; n < count; n++) {
        place[key[n] + 1]++;
    }
    for (int k = 0; k < key_count; k++) {
        place[k + 1] += place[k];
    }
    for (int n = 0; n < count; n++) {
        int item = order != NULL ? order[n] : n;
        sorted[place[key[item]]++] = item;
    }
    cn_release(NULL, place);
    return CN_OK;
}

// Takes the entries in the given order into new arrays, summing equal places that follow each
// other.
static cn_status take_in_order(cn_sparse *A, const int *order, cn_error *err)
{
    cn_sparse B = {.row_count = A->row_count, .column_count = A->column_count};
    cn_status status = cn_sparse_reserve(&B, A->count, err);
    for (int n = 0; status == CN_OK && n < A->count; n++) {
        int item = order[n], last = B.count - 1;
        if (last >= 0 && B.row[last] == A->row[item] && B.column[last] == A->column[item]) {
            B.value[last] += A->value[item];
        } else {
            status = cn_sparse_add(&B, A->row[item], A->column[item], A->value[item], err);
        }
    }
    cn_sparse_free(status == CN_OK ? A : &B);
    if (status == CN_OK) {
        *A = B;
    }
    return status;
}

// Files mostly are.
static bool is_sorted(const cn_sparse *A)
{
    for (int n = 1; n < A->count; n++) {
        bool is_next_row = A->column[n] == A->column[n - 1] && A->row[n] > A->row[n - 1];
        if (!is_next_row && A->column[n] <= A->column[n - 1]) {
            return false;
        }
    }
    return true;
}

cn_status cn_sparse_sort(cn_sparse *A, cn_error *err)
{
    if (is_sorted(A)) {
        return CN_OK;
    }
    int *order = NULL, *by_row = NULL;
    cn_status status = cn_new(&by_row, (size_t)A->count, err);
    CN_THEN(status, cn_new(&order, (size_t)A->count, err));
    CN_THEN(status, cn_order_by_key(A->count, A->row, A->row_count, NULL, by_row, err));
    CN_THEN(status, cn_order_by_key(A->count, A->column, A->column_count, by_row, order, err));
    CN_THEN(status, take_in_order(A, order, err));
    CN_RELEASE(order, by_row);
    return status;
}

void cn_sparse_columns(const cn_sparse *A, int *start)
{
    memset(start, 0, sizeof *start * ((size_t)A->column_count + 1));
    for (int n = 0; n < A->count; n++) {
        start[A->column[n] + 1]++;
    }
    for (int c = 0; c < A->column_count; c++) {
        start[c + 1] += start[c];
    }
}

void cn_sparse_multiply(const cn_sparse *A, const double *x, double *y)
{
    for (int n = 0; n < A->count; n++) {
        y[A->row[n]] += A->value[n] * x[A->column[n]];
    }
}

void cn_sparse_multiply_transposed(const cn_sparse *A, const double *x, double *y)
{
    for (int n = 0; n < A->count; n++) {
        y[A->column[n]] += A->value[n] * x[A->row[n]];
    }
}

// By row, then column, the entries of A are the entries of A^T by column, then row.
static double largest_difference(const cn_sparse *A, const int *by_row)
{
    double most = 0.0;
    for (int n = 0, t = 0; n < A->count || t < A->count;) {
        int at = t < A->count ? by_row[t] : 0;
        int64_t size = A->row_count;
        int64_t here = n < A->count ? A->column[n] * size + A->row[n] : INT64_MAX;
        int64_t there = t < A->count ? A->row[at] * size + A->column[at] : INT64_MAX;
        double value = here <= there ? A->value[n++] : 0.0;
        double mirrored = there <= here ? A->value[by_row[t++]] : 0.0;
        most = fmax(most, fabs(value - mirrored));
    }
    return most;
}

cn_status cn_sparse_asymmetry(const cn_sparse *A, double *asymmetry, cn_error *err)
{
    double largest = 0.0;
    for (int n = 0; n < A->count; n++) {
        largest = fmax(largest, fabs(A->value[n]));
    }
    int *by_row;
    CN_TRY(cn_new(&by_row, (size_t)A->count, err));
    cn_status status = cn_order_by_key(A->count, A->row, A->row_count, NULL, by_row, err);
    if (status == CN_OK) {
        *asymmetry = largest > 0.0 ? largest_difference(A, by_row) / largest : 0.0;
    }
    cn_release(NULL, by_row);
    return status;
}
