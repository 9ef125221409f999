// bench/step.c -- the cost of a step outside the solver, and how it grows with the number of
// bodies.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

void bench_step(void)
{
    cn_bench_bytes bytes = {0};
    cn_hooks hooks;
    cn_world *w = bench_heap_world(10000, &bytes, &hooks);
    scene_run(w, 1e-3, 300);
    double before, after, sliding;
    double sweep = bench_sweeps(w, &before, &after, &sliding) * w->solver->packed_count;
    double best[CN_STAGE_COUNT], before_step[CN_STAGE_COUNT], all = 0.0;
    for (int s = 0; s < CN_STAGE_COUNT; s++) {
        best[s] = INFINITY;
    }
    for (int k = 0; k < 30; k++) { // least time of each stage: others may use the machine
        memcpy(before_step, w->seconds, sizeof before_step);
        scene_run(w, 1e-3, 1);
        for (int s = 0; s < CN_STAGE_COUNT; s++) {
            best[s] = fmin(best[s], w->seconds[s] - before_step[s]);
        }
    }
    for (int s = 0; s < CN_STAGE_COUNT; s++) {
        all += s != CN_STAGE_SOLVE ? best[s] : 0.0;
    }
    long calls = bytes.calls;
    scene_run(w, 1e-3, 10);
    char text[96];
    snprintf(text, sizeof text, "one sweep %.3g ms, %d contacts; limit 50", 1e3 * sweep,
             w->contacts.count);
    bench_report("step", "10^4 disks: all but the solver, in sweeps", all / sweep, "sweeps", text);
    bench_report("step", "allocations in 10 warm steps", (double)(bytes.calls - calls), "calls",
                 "limit 0");
    cn_world_destroy(w);
}

// Falls together until there are `most` contacts per body, so that all sizes are alike.
static void close_gaps(cn_world *w, double most)
{
    cn_solver_def def = w->solver_def;
    def.method = CN_METHOD_NLGS;
    def.sweep_max = 20;
    def.eps_v = def.tol = 1e-15;
    cn_world_set_solver(w, &def, NULL);
    scene_run(w, 1e-3, 5);
    for (int k = 0; k < 300 && w->contacts.count < most * w->bodies.count; k += 5) {
        scene_run(w, 1e-3, 5);
    }
}

// Least time of a step with a fixed number of sweeps.
static double time_step(cn_world *w)
{
    double best = INFINITY;
    for (int k = 0; k < 5; k++) {
        double start = bench_now();
        scene_run(w, 1e-3, 1);
        best = fmin(best, bench_now() - start);
    }
    return best;
}

static void grow(int dim, const char *what)
{
    double first = 0.0, last = 0.0;
    for (int n = 1000; n <= 100000; n *= 10) {
        cn_bench_bytes bytes = {0};
        cn_hooks hooks;
        cn_world *w = dim == 2 ? bench_heap_world(n, &bytes, &hooks) : scene_space(0.2, 0.0, 1e-2);
        if (dim == 3) {
            bench_heap3(w, n, 0.005, false);
        }
        close_gaps(w, dim == 2 ? 1.8 : 2.6);
        last = time_step(w);
        char text[96], quantity[64];
        snprintf(text, sizeof text, "%d %s, %d contacts, 20 sweeps", n, what, w->contacts.count);
        snprintf(quantity, sizeof quantity, "time of a step per body, %dD", dim);
        bench_report("growth", quantity, 1e6 * last / n, "us", text);
        first = n == 1000 ? last : first;
        cn_world_destroy(w);
    }
    char quantity[64];
    snprintf(quantity, sizeof quantity, "exponent of the cost from 10^3 to 10^5, %dD", dim);
    bench_report("growth", quantity, log10(last / first) / 2.0, "-", "1 is linear, limit 1.1");
}

// Time per step with a fixed number of sweeps, from 10^3 to 10^5 bodies.
void bench_growth(void)
{
    grow(2, "disks");
    grow(3, "spheres");
}
