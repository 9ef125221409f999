// detect/alert.h -- how far bodies may come closer in a step, theory 5.1: parts of detection.
//
//   drift    velocities that points of a body may have at the end of the step: a ball of them (5.1)
//   motion   how far a body may move in the step, its neighbours pushing
//   closing  speed at which points of two bodies may come closer, at most
//   reach    largest gap of two bodies that can close in the step
//   way      of their mass centres against each other
//   sweep    how far their points move against each other at the velocities before the step (5.3)
#pragma once

#include <math.h>

#include "detect/detect.h"

// How far a body reaches at rest [m]: contacts that touch must stay listed whatever rounding does.
static inline double cn_rest_reach(const cn_bodies *b, int i)
{
    return isfinite(b->size[i]) ? 1e-6 * b->size[i] : 0.0;
}

// Speed at which points of i and j may come closer, at most (5.1).
static inline double cn_detect_closing(const cn_detect *d, int i, int j)
{
    const cn_drift *x = &d->drift[i], *y = &d->drift[j];
    return cn_norm3(cn_sub3(x->centre, y->centre)) + x->radius + y->radius;
}

// Largest gap of bodies i and j that can close in the step at that speed.
static inline double cn_detect_reach_at(const cn_detect *d, const cn_bodies *b, int i, int j,
                                        double closing)
{
    double reach = d->h * closing + d->reach + cn_rest_reach(b, i) + cn_rest_reach(b, j);
    bool is_strained = d->strain > 0.0 && isfinite(b->reach[i] + b->reach[j]);
    return is_strained ? reach + d->strain * (b->reach[i] + b->reach[j] + reach) : reach;
}

// Way of the mass centres of i and j against each other, as the step begins or free [m].
double cn_detect_way(const cn_detect *d, const cn_bodies *b, int i, int j);

// Whether rigid bodies i and j, which close at that speed at most, may move past a part of their
// size [m] in the step, turns apart: what those do is seen after the solve (6.2).
static inline bool cn_detect_is_fast(const cn_detect *d, const cn_bodies *b, int i, int j,
                                     double closing, double size)
{
    return !(1.001 * d->h * closing <= 0.5 * size) && cn_detect_way(d, b, i, j) > 0.5 * size;
}

// How far points of i and j move against each other in a step with the velocities it begins with
// (5.3); deformable bodies have no part in it.
double cn_detect_sweep(const cn_detect *d, const cn_bodies *b, int i, int j);
