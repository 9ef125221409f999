// body/deformable/line_search.c -- how far to follow a correction of Newton's method, theory 11.8.
//
// Where points change between elastic and plastic, the energy of a step has kinks in its slope, and
// whole corrections can lead to and fro for ever. Such a correction goes beyond the least energy on
// its way: it ends on a slope back that is half as steep as that at its start, or more.
#include <math.h>

#include "body/deformable/deformable.h"

// Slope of the energy of the step along the last correction, a share s of it in (11.8).
static cn_status slope_along(const cn_deformables *m, const cn_deformable_work *p, double s,
                             double *slope, cn_error *err)
{
    double *v = cn_deformable_matrix(p), *rest = p->work;
    for (int k = 0; k < p->n; k++) {
        v[k] = p->v_guess[k] + s * (p->v[k] - p->v_guess[k]);
    }
    CN_TRY(cn_deformable_weigh_force(m, p, v, NULL, err));
    cn_deformable_balance(m, p, v, rest);
    *slope = 0.0;
    for (int k = 0; k < p->n; k++) {
        double change = p->held[k] ? 0.0 : p->v[k] - p->v_guess[k];
        *slope += change * (rest[k] + p->impulse[k]);
    }
    return CN_OK;
}

cn_status cn_deformable_find_share(const cn_deformables *m, const cn_deformable_work *p,
                                   double *share, cn_error *err)
{
    enum { TRIALS_MAX = 8 };
    double low = 0.0, high = 1.0, at_start, at_low, at_high, slope = INFINITY;
    *share = 1.0;
    CN_TRY(slope_along(m, p, low, &at_start, err));
    CN_TRY(slope_along(m, p, high, &at_high, err));
    if (!(at_high < -0.5 * at_start)) {
        return CN_OK;
    }
    at_low = at_start;
    for (int k = 0; k < TRIALS_MAX && fabs(slope) > 0.1 * at_start; k++) {
        double secant = low + (high - low) * at_low / (at_low - at_high);
        *share = k % 2 == 0 ? secant : 0.5 * (low + high);
        CN_TRY(slope_along(m, p, *share, &slope, err));
        *(slope > 0.0 ? &low : &high) = *share;
        *(slope > 0.0 ? &at_low : &at_high) = slope;
    }
    return CN_OK;
}
