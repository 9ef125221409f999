// solve/problem/accuracy.c -- the words for accuracy, and what each asks of a step; theory 8.24 to
// 8.26.
//
// What was measured for each stands in docs/howto/step-and-accuracy.md.
#include <math.h>

#include "cairn/solver.h"

static const cn_accepted table[CN_ACCURACY_COUNT] = {
    [CN_ACCURACY_NUMBER] = {.name = "number", .use = "the worst contact"},
    [CN_ACCURACY_FLOW] = {.name = "flow",
                          .eps_v = 3e-3,
                          .tol = 1e-3,
                          .is_bulk = true,
                          .worst = 500.0 / 3.0, // half of the reference velocity
                          .outlier = 10.0,
                          .outlier_share = 1e-3,
                          .length = 1e-3,
                          .use = "flows, collapses: most contacts are right"},
    [CN_ACCURACY_QUAKE] = {.name = "quake",
                           .eps_v = 3e-3,
                           .tol = 1e-3,
                           .is_bulk = true,
                           .worst = 10.0,
                           .outlier_share = 1.0,
                           .length = 1e-3,
                           .use = "masonry that is shaken: no contact is far off"},
    [CN_ACCURACY_PACKING] = {.name = "packing",
                             .eps_v = 3e-3,
                             .tol = 1e-3,
                             .is_bulk = true,
                             .worst = 500.0 / 3.0,
                             .outlier = 10.0,
                             .outlier_share = 1e-3,
                             .length = 1e-3,
                             .force_share = 3e-2,
                             .approach = 1e-2,
                             .use = "samples under pressure: forces are right"},
    [CN_ACCURACY_MASONRY] = {.name = "masonry",
                             .eps_v = 1e-3,
                             .tol = 1e-6,
                             .use = "what stands: the worst contact is right"},
};

const cn_accepted *cn_accuracy_row(cn_accuracy accuracy)
{
    return (unsigned)accuracy < CN_ACCURACY_COUNT ? &table[accuracy] : NULL;
}
