// detect/weight.h -- how much a point of a patch counts where its line or plane is placed.
#pragma once

#include <math.h>

// Those that touch as the nearest one does count, others do not at all, and nothing jumps in
// between (5.5). `least` is the least magnitude of the gaps of the patch [m].
static inline double cn_touch_weight(double gap, double least, double size)
{
    double more = fabs(gap) - least, width = fmax(1e-6 * size, 0.5 * least); // 0: points of skins
    double part = more > 0.0 ? 1.0 - fmin(more / width, 1.0) : 1.0;
    return part * part;
}
