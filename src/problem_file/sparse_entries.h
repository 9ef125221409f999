// problem_file/sparse_entries.h -- the sparse matrices of problem files as lists of entries.
//
// A list grows in any order; sorting puts it by column, then row, and sums what stands twice in the
// order it was added, so that equal input gives equal bits.
#pragma once

#include "cairn/solver.h"

typedef struct cn_sparse {
    int row_count, column_count;
    int count; // entries
    int *row, *column;
    double *value;
    size_t row_capacity, column_capacity, value_capacity;
} cn_sparse;

// Makes room for `count` elements, all zero. The caller releases them with cn_release.
cn_status cn_new_bytes(void **array, size_t count, size_t element_size, cn_error *err);
#define cn_new(array, count, err) cn_new_bytes((void **)(array), (count), sizeof **(array), (err))

void cn_sparse_free(cn_sparse *A);

// Makes room for so many entries in all.
cn_status cn_sparse_reserve(cn_sparse *A, int64_t count, cn_error *err);
cn_status cn_sparse_add(cn_sparse *A, int row, int column, double value, cn_error *err);

// Sorts by column, then row; sums duplicates.
cn_status cn_sparse_sort(cn_sparse *A, cn_error *err);

// start[c] .. start[c+1]-1 are the entries of column c of a sorted matrix; start has
// column_count + 1 entries.
void cn_sparse_columns(const cn_sparse *A, int *start);

// Stable sort of `count` items by key (0 .. key_count-1): sorted[] gets the items of order[].
cn_status cn_order_by_key(int count, const int *key, int key_count, const int *order, int *sorted,
                          cn_error *err);

// y += A x and y += A^T x.
void cn_sparse_multiply(const cn_sparse *A, const double *x, double *y);
void cn_sparse_multiply_transposed(const cn_sparse *A, const double *x, double *y);

// max |A - A^T| / max |A| of a sorted square matrix, 0 for a zero one.
cn_status cn_sparse_asymmetry(const cn_sparse *A, double *asymmetry, cn_error *err);
