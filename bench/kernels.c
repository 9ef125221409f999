// bench/kernels.c -- a visit to a contact in cache and out of it, for each kind of record.
//
// Decisions, section 7: sweeps 10 to 30 from cold on an unconverged problem of which at least 30 %
// slides. Bodies nest, so that a few steps make the problem.
#include <math.h>
#include <stdio.h>

#include "bench.h"

enum { NEAR = 20000, FAR = 2000000 }; // contacts, about: in the second cache and third, in memory

// Rows of disks that touch the rows above and below: two contacts per disk.
static void nest_disks(cn_world *w, int count, double radius)
{
    int columns = (int)ceil(sqrt((double)count));
    double pitch = 2.04 * radius, rise = sqrt(4.0 * radius * radius - 0.25 * pitch * pitch);
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int k = 0; k < count; k++) {
        int row = k / columns;
        scene_disk(w, pitch * (k % columns + (row % 2 ? 0.5 : 0.0)), radius + rise * row, radius,
                   0);
    }
}

typedef enum grain { DISKS, SPHERES, BLOCKS, GRAIN_COUNT } grain;

static cn_world *make_world(grain kind, int contacts)
{
    static const double per_body[GRAIN_COUNT] = {2.0, 3.1, 15.0};
    int count = (int)(contacts / per_body[kind]);
    cn_world *w = kind == DISKS ? scene_world(0.2, 0.0, 1e-2) : scene_space(0.2, 0.0, 1e-2);
    cn_solver_def def = w->solver_def;
    def.method = CN_METHOD_NLGS;
    def.sweep_max = 10;
    cn_world_set_solver(w, &def, NULL);
    if (kind == DISKS) {
        nest_disks(w, count, 0.005);
    } else if (kind == SPHERES) {
        bench_nest(w, count, 0.005);
    } else {
        bench_heap3(w, count, 0.005, true);
    }
    scene_run(w, 1e-3, 3);
    return w;
}

static void sweep_grains(bool is_far)
{
    static const char *const name[GRAIN_COUNT] = {"disks", "spheres", "blocks"};
    static const char *const limit[GRAIN_COUNT][2] = {{"9", "12"}, {"12", "14"}, {"30", "40"}};
    for (int kind = 0; kind < GRAIN_COUNT; kind++) {
        cn_world *w = make_world((grain)kind, is_far ? FAR : NEAR);
        double before, after, sliding, ns = 1e9 * bench_sweeps(w, &before, &after, &sliding);
        const cn_batches *b = &w->solver->batches;
        char text[160], what[64];
        snprintf(what, sizeof what, "sweep of %s %s", name[kind],
                 is_far ? "out of cache" : "in cache");
        snprintf(text, sizeof text,
                 "%d contacts, %.0f B records, %.0f %% sliding, residual %.2g -> %.2g; limit %s",
                 w->solver->packed_count,
                 (double)b->stream_count * sizeof(double) / w->solver->packed_count,
                 100.0 * sliding, before, after, limit[kind][is_far]);
        bench_report("kernels", what, ns, "ns/contact", text);
        cn_world_destroy(w);
    }
}

void bench_kernels_near(void)
{
    sweep_grains(false);
}

void bench_kernels_far(void)
{
    sweep_grains(true);
}
