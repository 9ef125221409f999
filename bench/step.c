// bench/step.c -- the cost of a step outside the solver, and how it grows with the number of
// bodies.
#include <math.h>
#include <stdio.h>

#include "bench.h"

void bench_step(void)
{
    cn_bench_bytes bytes = {0};
    cn_hooks hooks;
    cn_world *w = bench_heap_world(10000, &bytes, &hooks);
    scene_run(w, 1e-3, 300);
    double before, after, sliding;
    double sweep = bench_sweeps(w, &before, &after, &sliding) * w->solver->packed_count;
    double best = INFINITY;
    for (int k = 0; k < 30; k++) {
        double solver = w->seconds[CN_STAGE_SOLVE], all = 0.0, start = 0.0;
        for (int s = 0; s < CN_STAGE_COUNT; s++) {
            start += w->seconds[s];
        }
        scene_run(w, 1e-3, 1);
        for (int s = 0; s < CN_STAGE_COUNT; s++) {
            all += w->seconds[s];
        }
        best = fmin(best, all - start - (w->seconds[CN_STAGE_SOLVE] - solver));
    }
    long calls = bytes.calls;
    scene_run(w, 1e-3, 10);
    char text[96];
    snprintf(text, sizeof text, "one sweep %.3g ms, %d contacts; limit 50", 1e3 * sweep,
             w->contacts.count);
    bench_report("step", "10^4 disks: all but the solver, in sweeps", best / sweep, "sweeps", text);
    bench_report("step", "allocations in 10 warm steps", (double)(bytes.calls - calls), "calls",
                 "limit 0");
    cn_world_destroy(w);
}

// Time per step without the solver, and with a fixed number of sweeps, from 10^3 to 10^5 disks.
void bench_growth(void)
{
    double first = 0.0, last = 0.0;
    for (int n = 1000; n <= 100000; n *= 10) {
        cn_bench_bytes bytes = {0};
        cn_hooks hooks;
        cn_world *w = bench_heap_world(n, &bytes, &hooks);
        cn_solver_def def = w->solver_def;
        def.sweep_max = 20;
        def.eps_v = def.tol = 1e-15;
        cn_world_set_solver(w, &def, NULL);
        scene_run(w, 1e-3, 5);
        double best = INFINITY;
        for (int k = 0; k < 5; k++) {
            double start = bench_now();
            scene_run(w, 1e-3, 1);
            best = fmin(best, bench_now() - start);
        }
        char text[64];
        snprintf(text, sizeof text, "%d disks, %d contacts, 20 sweeps", n, w->contacts.count);
        bench_report("growth", "time of a step per disk", 1e6 * best / n, "us", text);
        first = n == 1000 ? best : first;
        last = best;
        cn_world_destroy(w);
    }
    bench_report("growth", "exponent of the cost from 10^3 to 10^5", log10(last / first) / 2.0, "-",
                 "1 is linear, limit 1.1");
}
