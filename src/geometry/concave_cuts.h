// geometry/concave_cuts.h -- planes that cut a closed surface, and which of them cut what.
#pragma once

#include <stdint.h>

#include "cairn/solid.h"
#include "cairn/vec.h"

// A tree of cuts, parents first. Cut k only cuts the cells whose bits mask[k] are value[k]: those
// in which it is. Bit k of a cell says on which side of cut k it is, 1: where its normal points.
typedef struct cn_cuts {
    int count;
    cn_vec3 normal[CN_CUT_MAX];
    double offset[CN_CUT_MAX];
    uint32_t mask[CN_CUT_MAX], value[CN_CUT_MAX];
} cn_cuts;

static inline bool cn_cut_is_in(const cn_cuts *cuts, int k, uint32_t cell)
{
    return (cell & cuts->mask[k]) == cuts->value[k];
}

// Cuts after which no edge of a closed surface that looks outwards is reflex by more than `flat`
// [m]: the height of the far corners of its two triangles over each other. CN_BAD_INPUT: there are
// more than CN_CUT_MAX.
cn_status cn_concave_cuts(const cn_surface *surface, double flat, cn_cuts *cuts, cn_error *err);
