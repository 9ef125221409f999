// world/clock.c -- where the time of a step goes.
#include "base/clock.h"
#include "world/world.h"

double cn_world_clock(void)
{
    return cn_wall_clock();
}

void cn_world_start_clock(cn_world *w)
{
    w->clock = w->step_begun = w->beat_last = cn_world_clock();
    w->processor_clock = w->times_processor ? cn_processor_clock() : 0.0;
}

void cn_world_stamp(cn_world *w, cn_stage stage)
{
    double t = cn_world_clock();
    w->seconds[stage] += t - w->clock;
    w->clock = t;
    if (w->times_processor) {
        double used = cn_processor_clock();
        w->processor_seconds[stage] += used - w->processor_clock;
        w->processor_clock = used;
    }
}

void cn_world_time_processor(cn_world *w, bool is_timed)
{
    if (w != NULL) {
        w->times_processor = is_timed;
    }
}
