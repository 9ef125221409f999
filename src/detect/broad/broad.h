// detect/broad/broad.h -- pairs of boxes that overlap, in linear time for any mixture of sizes.
#pragma once

#include "base/memory.h"
#include "base/radix.h"
#include "geometry/space/solid.h"

typedef struct cn_pair {
    int a, b;             // boxes, a < b
    signed char shift[3]; // periodic cell of b relative to a; 0 without periodicity
} cn_pair;

// Scratch of the broad phase and its result. Zero-initialise; free with cn_broad_free.
typedef struct cn_broad {
    const cn_hooks *hooks;
    cn_pair *pair;
    size_t pair_count, pair_capacity;
    int thread_count;  // the result does not depend on it; 0 or 1: one
    size_t test_count; // boxes compared in the last call: the work done, for tests and reports
    double *side;      // room for the sides of all boxes, and
    cn_keyed *entry;   // for the boxes in their order; between two calls anyone's
    size_t side_capacity, entry_capacity;
    struct cn_broad_scratch *scratch;
} cn_broad;

// Lists every pair of overlapping boxes once, in an order that depends on the boxes only; touching
// counts as overlapping. In the plane (dim 2) z is not looked at. `may_pair(context, a, b)` can
// refuse pairs (NULL: none is refused). Boxes with infinite sides are tested against all others.
// Cost is linear in the number of boxes plus pairs, and in the number of powers of two that the
// sizes span. A box that is NaN, inside out or nowhere is CN_BROKEN; a warm call of the same size
// allocates nothing.
cn_status cn_broad_find(cn_broad *broad, int dim, int count, const cn_box3 *box,
                        bool (*may_pair)(const void *context, int a, int b), const void *context,
                        cn_error *err);

void cn_broad_free(cn_broad *broad);
