// bench/threads.c -- what a second thread brings, stage by stage, on 10^5 spheres.
//
// Steps with one and with two threads alternate on one world, whose state does not depend on it, so
// both meet the same problem in the same weather. The least time on the wall of each stage counts,
// and the whole step is the sum of them: on a shared machine no single step finds both cores free.
// Where others use the cores that is a lower bound, and processor time of the caller's thread,
// which waits asleep, tells how much of the work the other one took.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { PAIRS = 8, THREADS = 2 };

static const char *const stage_name[CN_STAGE_COUNT] = {"load",    "free motion", "broad",  "narrow",
                                                       "contact", "solve",       "update", "audit"};

static double thread_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Processor time of the caller's thread and of all.
typedef struct cost {
    double own, all;
} cost;

// Seconds of the stages of one step.
static void time_step(cn_world *w, int threads, double best[CN_STAGE_COUNT], cost *least)
{
    double before[CN_STAGE_COUNT], own = thread_now(), cpu = bench_now();
    memcpy(before, w->seconds, sizeof before);
    w->threads = threads;
    scene_run(w, 1e-3, 1);
    least->own = fmin(least->own, thread_now() - own);
    least->all = fmin(least->all, bench_now() - cpu);
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        best[k] = fmin(best[k], w->seconds[k] - before[k]);
    }
}

// Least time on the wall of one sweep.
static double time_sweep(cn_solver *s, const cn_problem *p, int threads, int repeats)
{
    double best = INFINITY;
    s->thread_count = threads;
    for (int k = 0; k < repeats; k++) {
        double start = bench_wall_now();
        cn_sweep(s, p, k % 2 == 1);
        best = fmin(best, bench_wall_now() - start);
    }
    return best;
}

// Work of a sweep over the time that THREADS need for it, if a contact takes the same time wherever
// it is: counted, so it needs no idle cores.
static double count_span(const cn_zones *z)
{
    double busy[THREADS] = {0.0}, taken[CN_BLOCK_MAX] = {0.0}, end = 0.0;
    for (int n = 0; n < z->zone_count; n++) {
        const int *block = z->zone[n].block;
        int who = 0;
        for (int k = 1; k < THREADS; k++) {
            who = busy[k] < busy[who] ? k : who;
        }
        double start = fmax(busy[who], fmax(taken[block[0]], taken[block[1]]));
        busy[who] = start + (z->start[n + 1] - z->start[n]);
        taken[block[0]] = taken[block[1]] = busy[who];
        end = fmax(end, busy[who]);
    }
    return z->start[z->zone_count] / end;
}

// Sweeps of one and of two threads in turn; a sweep is short enough to find both cores free now and
// then.
static void report_sweep(cn_world *w, const char *what)
{
    double best[2] = {INFINITY, INFINITY};
    cn_solver_def def = cn_solver_def_default();
    cn_problem *p = &w->problem;
    if (cn_solver_pack(w->solver, p, &def, NULL) != CN_OK) {
        return;
    }
    cn_solver_apply(w->solver, p, p->r);
    for (int turn = 0; turn < 40; turn++) {
        for (int k = 0; k < 2; k++) {
            best[k] = fmin(best[k], time_sweep(w->solver, p, 1 + k, 10));
        }
    }
    char text[96];
    snprintf(text, sizeof text, "%.3g ms with one, %d contacts, %.2f by count; aim 1.7",
             1e3 * best[0], w->solver->packed_count, count_span(&w->solver->batches.zones));
    bench_report("threads", what, best[0] / best[1], "-", text);
}

// Blocks thrown together. A problem that is swept in a fraction of a millisecond finds both cores
// free even where others work, but feels how long the cores take to hand a zone over.
static void bench_blocks(int count, const char *what)
{
    cn_world *w = scene_space(0.2, 0.0, 1e-2);
    cn_solver_def def = w->solver_def;
    def.method = CN_METHOD_NNCG;
    def.sweep_max = 20;
    cn_world_set_solver(w, &def, NULL);
    bench_heap3(w, count, 0.005, true);
    scene_run(w, 1e-3, 3);
    report_sweep(w, what);
    cn_world_destroy(w);
}

void bench_threads(void)
{
    bench_blocks(1700, "sweep of few blocks: one thread over two");
    bench_blocks(17000, "sweep of many blocks: one thread over two");
    enum { COUNT = 100000, SWEEPS = 60 };
    cn_world *w = scene_space(0.3, 0.0, 1e-2);
    cn_solver_def def = w->solver_def;
    def.method = CN_METHOD_NNCG;
    def.eps_v = def.tol = 1e-12; // the same number of sweeps in every step
    def.sweep_max = SWEEPS;
    cn_world_set_solver(w, &def, NULL);
    bench_heap3(w, COUNT, 0.005, false);
    w->threads = THREADS;
    scene_run(w, 1e-3, 50);             // until contacts hardly become more: the two step in turns
    double best[2][CN_STAGE_COUNT + 1]; // the last one is the whole step
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        best[0][k] = best[1][k] = INFINITY;
    }
    cost least[2] = {{INFINITY, INFINITY}, {INFINITY, INFINITY}};
    for (int k = 0; k < PAIRS; k++) {
        time_step(w, 1, best[0], &least[0]);
        time_step(w, THREADS, best[1], &least[1]);
    }
    for (int t = 0; t < 2; t++) {
        best[t][CN_STAGE_COUNT] = 0.0;
        for (int k = 0; k < CN_STAGE_COUNT; k++) {
            best[t][CN_STAGE_COUNT] += best[t][k];
        }
    }
    for (int k = 0; k <= CN_STAGE_COUNT; k++) {
        char text[96], what[64];
        snprintf(text, sizeof text, "%.2f ms with one, %d contacts, %d sweeps", 1e3 * best[0][k],
                 w->contacts.count, SWEEPS);
        snprintf(what, sizeof what, "%s: one thread over two",
                 k < CN_STAGE_COUNT ? stage_name[k] : "whole step");
        bench_report("threads", what, best[0][k] / best[1][k], "-", text);
    }
    report_sweep(w, "sweep of spheres: one thread over two");
    bench_report("threads", "processor time of all: two threads over one",
                 least[1].all / least[0].all, "-", "what waiting and sharing cost");
    bench_report("threads", "processor time of the caller: one thread over two",
                 least[0].own / least[1].own, "-", "on free cores the step cannot gain more");
    cn_world_destroy(w);
}
