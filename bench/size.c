// bench/size.c -- large systems: time of settling; memory and time of a million spheres.
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/hash.h"
#include "bench.h"

static cn_world *space_world(double mu, double accuracy, int sweep_max, const cn_hooks *hooks)
{
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[0] = def.gravity[1] = 0.0;
    def.gravity[2] = -9.81;
    def.hooks = hooks;
    def.solver.eps_v = accuracy;
    def.solver.tol = 1e-2 * accuracy;
    def.solver.sweep_max = sweep_max;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    return scene_world_with(&def, &law);
}

// 5000 spheres fall from a loose lattice on a floor between walls: 1000 steps at residual 1e-2.
void bench_size(void)
{
    enum { COUNT = 5000, STEPS = 1000 };
    cn_world *w = space_world(0.3, 1e-2, 2000, NULL);
    double start = bench_now(), wall = bench_wall_now();
    long sweeps = 0;
    int unconverged = 0;
    bench_heap3(w, COUNT, 0.005, false);
    for (int k = 0; k < STEPS; k++) {
        unconverged += scene_run(w, 1e-3, 1);
        sweeps += w->certificate.solver.sweep_count;
    }
    char text[96];
    snprintf(text, sizeof text, "%d contacts, %.1f sweeps per step, %d not converged; limit 120",
             w->contacts.count, (double)sweeps / STEPS, unconverged);
    bench_report("size", "5000 spheres, 1000 steps, accuracy 1e-2", bench_now() - start, "s", text);
    bench_report("size", "the same on the wall", bench_wall_now() - wall, "s", "one thread");
    cn_world_destroy(w);
}

void bench_nest(cn_world *w, int count, double radius)
{
    int side = (int)ceil(cbrt((double)count));
    double pitch = 2.04 * radius, rise = sqrt(4.0 * radius * radius - 0.5 * pitch * pitch);
    uint64_t random = 11;
    scene_floor(w, 0.0);
    for (int k = 0; k < count; k++) {
        int layer = k / (side * side), row = k / side % side, column = k % side;
        double shift = layer % 2 ? 0.5 : 0.0;
        double r = cn_random(&random) < 0.125 ? 0.98 * radius : radius;
        scene_sphere(w, pitch * (column + shift), pitch * (row + shift), radius + rise * layer, r);
    }
}

void bench_million(void)
{
    enum { COUNT = 1000000, STEPS = 10 };
    cn_bench_bytes bytes = {0};
    cn_hooks hooks = bench_hooks(&bytes);
    cn_world *w = space_world(0.3, 1e-2, 20, &hooks);
    bench_nest(w, COUNT, 0.005);
    double start = bench_now();
    scene_run(w, 1e-3, STEPS);
    char text[96];
    snprintf(text, sizeof text, "%d contacts; limit 3.5", w->contacts.count);
    bench_report("million", "memory of 10^6 spheres", 1e-9 * (double)bytes.most, "GB", text);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    bench_report("million", "most of it resident", 1.024e-6 * (double)usage.ru_maxrss, "GB",
                 "by the system, if this is the only case; limit 3.5");
    bench_report("million", "time of a step, 20 sweeps at most", (bench_now() - start) / STEPS, "s",
                 "10 steps");
    cn_world_destroy(w);
}
