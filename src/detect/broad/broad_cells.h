// detect/broad/broad_cells.h -- boxes sorted into the cells of a hierarchy of grids: numbers, keys,
// order. broad_grid.c tells what for.
//
// The dimension is a literal at each call, so that all loops over axes unroll.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/radix.h"
#include "detect/broad/broad.h"

enum {
    CN_LEVEL_SHIFT = 52, // bits below it number a cell
    CN_LEVEL_BIAS = 1020,
};

typedef struct cn_cells {
    cn_keyed *entry; // bounded boxes, sorted; unbounded ones from the end of the array downwards.
                     // The key is the level, then numbers of the cell along z, y and x
    double *side;    // of sorted boxes: lower sides along all axes, then upper ones [m]
    int count, unbounded_count;
    double unit; // cells of level l have the side 2^l / unit [1/m]
} cn_cells;

// Numbers and sorts all boxes; `entry` and `side` have room for count and 2 dim count entries. A
// box that is NaN, inside out or nowhere is CN_BROKEN.
cn_status cn_cells_sort(cn_cells *s, int dim, int count, const cn_box3 *box, int threads,
                        cn_error *err);

static inline double cn_cells_per_metre(double unit, int exponent)
{
    uint64_t bits = (uint64_t)(1023 - exponent) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return unit * power;
}

// Bits that number a cell along one axis.
static inline int cn_cell_bits(int dim)
{
    return dim == 2 ? 26 : 17;
}

static inline uint64_t cn_cell_mask(int dim)
{
    return ((uint64_t)1 << cn_cell_bits(dim)) - 1;
}

// The cell that holds a coordinate. Its side is at least 2^-48 of the coordinate, so the quotient
// fits into 64 bits.
static inline int64_t cn_cell_at(double quotient)
{
    int64_t whole = (int64_t)quotient;
    return whole - (quotient < (double)whole);
}

// Number of a cell within its row, with cell zero in the middle of all numbers.
static inline uint64_t cn_cell_number(int dim, int64_t cell)
{
    return ((uint64_t)cell + ((uint64_t)1 << (cn_cell_bits(dim) - 1))) & cn_cell_mask(dim);
}

// Key of a cell from its numbers along the axes.
static inline uint64_t cn_cell_key(int dim, int exponent, const uint64_t *number)
{
    uint64_t key = (uint64_t)(exponent + CN_LEVEL_BIAS) << CN_LEVEL_SHIFT;
    for (int i = 0; i < dim; i++) {
        key |= (number[i] & cn_cell_mask(dim)) << (cn_cell_bits(dim) * i);
    }
    return key;
}

static inline uint64_t cn_key_number(int dim, uint64_t key, int axis)
{
    return key >> (cn_cell_bits(dim) * axis) & cn_cell_mask(dim);
}

static inline int cn_key_exponent(uint64_t key)
{
    return (int)(key >> CN_LEVEL_SHIFT) - CN_LEVEL_BIAS;
}

static inline double *cn_sides_at(const cn_cells *s, int dim, int k)
{
    return s->side + 2 * dim * (ptrdiff_t)k;
}

// The first of the sorted boxes whose key is not below this one, searched from `start`.
static inline int cn_cell_seek(const cn_cells *s, int start, uint64_t key)
{
    int below = start - 1, at = start; // the answer is after `below`, not after `at`
    if (start < s->count && s->entry[start].key < key) {
        int step = 1;
        for (below = start; below + step < s->count && s->entry[below + step].key < key;
             step *= 2) {
            below += step;
        }
        at = below + step < s->count ? below + step : s->count;
    } else {
        int step = 1;
        while (below >= 0 && s->entry[below].key >= key) {
            at = below;
            below = below >= step ? below - step : -1;
            step *= 2;
        }
    }
    while (at - below > 1) {
        int middle = below + (at - below) / 2;
        if (s->entry[middle].key < key) {
            below = middle;
        } else {
            at = middle;
        }
    }
    return at;
}
