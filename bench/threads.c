// bench/threads.c -- what a second thread brings, stage by stage, on 10^5 spheres.
//
// Steps with one and with two threads alternate on one world, whose state does not depend on it, so
// both meet the same problem in the same weather. The least time on the wall of each stage counts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

enum { PAIRS = 8, THREADS = 2 };

static const char *const stage_name[CN_STAGE_COUNT] = {"load",    "free motion", "broad",  "narrow",
                                                       "contact", "solve",       "update", "audit"};

// Seconds of the stages of one step.
static void time_step(cn_world *w, int threads, double best[CN_STAGE_COUNT + 1])
{
    double before[CN_STAGE_COUNT], all = 0.0;
    memcpy(before, w->seconds, sizeof before);
    w->threads = threads;
    scene_run(w, 1e-3, 1);
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        double seconds = w->seconds[k] - before[k];
        best[k] = fmin(best[k], seconds);
        all += seconds;
    }
    best[CN_STAGE_COUNT] = fmin(best[CN_STAGE_COUNT], all);
}

void bench_threads(void)
{
    enum { COUNT = 100000, SWEEPS = 60 };
    cn_world *w = scene_space(0.3, 0.0, 1e-2);
    cn_solver_def def = w->solver_def;
    def.method = CN_METHOD_NNCG;
    def.eps_v = def.tol = 1e-12; // the same number of sweeps in every step
    def.sweep_max = SWEEPS;
    cn_world_set_solver(w, &def, NULL);
    bench_heap3(w, COUNT, 0.005, false);
    scene_run(w, 1e-3, 6);
    double best[2][CN_STAGE_COUNT + 1];
    for (int k = 0; k <= CN_STAGE_COUNT; k++) {
        best[0][k] = best[1][k] = INFINITY;
    }
    for (int k = 0; k < PAIRS; k++) {
        time_step(w, 1, best[0]);
        time_step(w, THREADS, best[1]);
    }
    for (int k = 0; k <= CN_STAGE_COUNT; k++) {
        char text[96], what[64];
        snprintf(text, sizeof text, "%.2f ms with one, %d contacts, %d sweeps", 1e3 * best[0][k],
                 w->contacts.count, SWEEPS);
        snprintf(what, sizeof what, "%s: one thread over two",
                 k < CN_STAGE_COUNT ? stage_name[k] : "whole step");
        bench_report("threads", what, best[0][k] / best[1][k], "-", text);
    }
    cn_world_destroy(w);
}
