// math/strip.h -- the two products that columns of L^-1 need, several columns side by side.
//
// A strip holds columns in groups of eight: rows of eight numbers, one group of `stride` numbers
// after the other. Every number is the result of one sum in the order of its terms, so a column has
// the same bits whatever stands beside it.
#pragma once

#include <stddef.h>

enum { CN_STRIP_STEP = 8 }; // columns of a group, and rows of L that a kernel takes at a time

// A number of rows of a strip.
typedef struct cn_strip {
    int groups;
    size_t stride;
    double *at; // first row in the first group
} cn_strip;

// row[r] -= sum_k L[8 k + r] X[k] in all groups, r = 0 .. 7; X has `count` rows, and row[r] is the
// place of a row in the first group.
typedef void cn_strip_update_fn(int count, const double *L, const cn_strip *X,
                                double *const row[CN_STRIP_STEP]);

// tile += x^T y over `count` rows; 8 y->groups numbers per row of the tile.
typedef void cn_strip_product_fn(int count, const cn_strip *x, const cn_strip *y, double *tile);

typedef struct cn_strip_kernels {
    cn_strip_update_fn *update;
    cn_strip_product_fn *product;
} cn_strip_kernels;

cn_strip_kernels cn_strip_kernels_pick(void);

cn_strip_update_fn cn_strip_update_plain, cn_strip_update_avx2;
cn_strip_product_fn cn_strip_product_plain, cn_strip_product_avx2;
