// bench/bench.c -- ratios and counted work, each beside a baseline taken in the same run.
//
// Usage: bench [--json] [WORD]: cases whose name contains the word; with a path, FOLDER/, the
// problem files in it. Times are minima over repeats,
// since the machine may be shared; nothing is asserted.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "bench.h"

static bool is_json;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cn_material_def bench_brick(void)
{
    cn_material_def brick = cn_material_def_default();
    brick.density = 2000.0;
    brick.young = 1e8;
    brick.poisson = 0.2;
    return brick;
}

double bench_now(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_wall_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

void bench_report(const char *name, const char *quantity, double value, const char *unit,
                  const char *beside)
{
    if (is_json) {
        printf("{\"case\":\"%s\",\"quantity\":\"%s\",\"value\":%.6g,\"unit\":\"%s\",\"beside\":\"%"
               "s\"}\n",
               name, quantity, value, unit, beside);
    } else {
        printf("%-18s %-44s %12.5g %-8s %s\n", name, quantity, value, unit, beside);
    }
    fflush(stdout);
}

static void *counting_resize(void *context, void *memory, size_t size)
{
    cn_bench_bytes *bytes = context;
    size_t *block = memory != NULL ? (size_t *)memory - 2 : NULL;
    bytes->held -= block != NULL ? block[0] : 0;
    if (size == 0) {
        free(block);
        return NULL;
    }
    bytes->calls++;
    block = realloc(block, size + 2 * sizeof(size_t));
    if (block == NULL) {
        return NULL;
    }
    block[0] = size;
    bytes->held += size;
    bytes->most = bytes->held > bytes->most ? bytes->held : bytes->most;
    return block + 2;
}

cn_hooks bench_hooks(cn_bench_bytes *bytes)
{
    return (cn_hooks){counting_resize, bytes};
}

// A dense heap from the start: rows of disks on a triangular lattice, radii smaller by up to 2 %,
// so that gravity closes the contacts within a few steps.
void bench_heap(cn_world *w, int n, double radius)
{
    int columns = (int)ceil(sqrt((double)n));
    double pitch = 2.0 * radius, rise = sqrt(3.0) * radius;
    uint64_t random = 11;
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_ground(w, 0.0, 0.0, -0.5 * CN_PI);
    scene_ground(w, (columns + 0.5) * pitch, 0.0, 0.5 * CN_PI);
    for (int k = 0; k < n; k++) {
        int row = k / columns;
        double x = pitch * (k % columns + (row % 2 ? 1.0 : 0.5));
        scene_disk(w, x, radius + rise * row, radius * (1.0 - 0.02 * cn_random(&random)), 0);
    }
}

// The same in space: spheres, or blocks of the same size, on a close-packed lattice over a floor.
void bench_heap3(cn_world *w, int n, double radius, bool is_block)
{
    int side = (int)ceil(cbrt((double)n));
    double pitch = 2.0 * radius;
    uint64_t random = 11;
    scene_floor(w, 0.0);
    for (int k = 0; k < n; k++) {
        int layer = k / (side * side), row = k / side % side, column = k % side;
        double shift = layer % 2 ? 0.5 : 0.0, r = radius * (1.0 - 0.02 * cn_random(&random));
        double x = pitch * (column + shift), y = pitch * (row + shift);
        if (is_block) {
            const double at[3] = {x, y, radius + pitch * layer}, size[3] = {2 * r, 2 * r, pitch};
            scene_block(w, at, size, NULL, 0);
        } else {
            scene_sphere(w, x, y, radius + pitch * sqrt(0.5) * layer, r);
        }
    }
}

cn_world *bench_heap_world(int n, cn_bench_bytes *bytes, cn_hooks *hooks)
{
    cn_world_def def = cn_world_def_default();
    *hooks = bench_hooks(bytes);
    def.hooks = hooks;
    def.solver.sweep_max = 200;
    cn_law_def law = cn_law_coulomb(0.2, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    bench_heap(w, n, 0.005);
    return w;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } table[] = {{"sweep", bench_sweep},
                 {"kernels-near", bench_kernels_near},
                 {"kernels-far", bench_kernels_far},
                 {"step", bench_step},
                 {"growth", bench_growth},
                 {"hulls", bench_hulls},
                 {"size", bench_size},
                 {"viewer", bench_viewer},
                 {"million", bench_million},
                 {"masonry", bench_masonry},
                 {"threads", bench_threads},
                 {"impact", bench_impact},
                 {"deform", bench_deform},
                 {"deform-large", bench_large},
                 {"solve", bench_solve}};
    const char *word = NULL;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--json") == 0) {
            is_json = true;
        } else if (strchr(argv[k], '/') != NULL) {
            bench_files(argv[k]);
            return 0;
        } else {
            word = argv[k];
        }
    }
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (word == NULL || strstr(table[k].name, word) != NULL) {
            table[k].run();
        }
    }
    return 0;
}
