// world/clock.c -- where the time of a step goes.
#include <time.h>

#include "world/world.h"

double cn_world_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cn_world_start_clock(cn_world *w)
{
    w->clock = w->step_begun = w->beat_last = cn_world_clock();
}

void cn_world_stamp(cn_world *w, cn_stage stage)
{
    double t = cn_world_clock();
    w->seconds[stage] += t - w->clock;
    w->clock = t;
}
