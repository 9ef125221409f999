// base/clock.h -- clocks in seconds. They are read for reports only, never for a decision.
#pragma once

#include <time.h>

static inline double cn_clock_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// On the wall, from some moment on; no call of the system.
static inline double cn_wall_clock(void)
{
    return cn_clock_read(CLOCK_MONOTONIC);
}

// Processor time of all threads of the program: a call of the system, 0.3 us.
static inline double cn_processor_clock(void)
{
    return cn_clock_read(CLOCK_PROCESS_CPUTIME_ID);
}
