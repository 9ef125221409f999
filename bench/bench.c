// bench/bench.c -- ratios and counted work, each beside a baseline taken in the same run.
//
// Usage: bench [--json] [WORD [FOLDER]]: cases whose name contains the word; solve also takes a
// folder of problem files. Times are minima over repeats,
// since the machine may be shared; nothing is asserted.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "bench.h"
#include "scenes.h"
#include "solve/solver.h"
#include "world/world.h"

static bool is_json;

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_report(const char *name, const char *quantity, double value, const char *unit,
                  const char *baseline)
{
    if (is_json) {
        printf("{\"case\":\"%s\",\"quantity\":\"%s\",\"value\":%.6g,\"unit\":\"%s\",\"beside\":\"%"
               "s\"}\n",
               name, quantity, value, unit, baseline);
    } else {
        printf("%-18s %-44s %12.5g %-8s %s\n", name, quantity, value, unit, baseline);
    }
    fflush(stdout);
}

// Bytes that the world holds, counted by its memory hooks.
typedef struct ledger_of_bytes {
    size_t held, most;
    long calls;
} ledger_of_bytes;

static void *counting_resize(void *context, void *memory, size_t size)
{
    ledger_of_bytes *bytes = context;
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

// A dense heap from the start: rows of disks on a triangular lattice, radii smaller by up to 2 %,
// so that gravity closes the contacts within a few steps.
static void dense_heap(cn_world *w, int n, double radius)
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
static void dense_heap3(cn_world *w, int n, double radius, bool is_block)
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

static cn_world *heap_world(int n, ledger_of_bytes *bytes, cn_hooks *hooks)
{
    cn_world_def def = cn_world_def_default();
    *hooks = (cn_hooks){counting_resize, bytes};
    def.hooks = hooks;
    def.solver.sweep_max = 200;
    cn_law_def law = cn_law_coulomb(0.2, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    dense_heap(w, n, 0.005);
    return w;
}

// Gigabytes per second of a plain update of an array that fits no cache.
static double bandwidth(void)
{
    size_t n = 32u << 20;
    double *x = malloc(n * sizeof *x);
    double best = 0.0;
    for (size_t k = 0; x != NULL && k < n; k++) {
        x[k] = 1.0;
    }
    for (int repeat = 0; x != NULL && repeat < 5; repeat++) {
        double start = bench_now();
        for (size_t k = 0; k < n; k++) {
            x[k] = 0.5 * x[k] + 1.0;
        }
        best = fmax(best, 16.0 * (double)n / (bench_now() - start) * 1e-9);
    }
    free(x);
    return best;
}

// Decisions, section 7: sweeps 10 to 30 from cold on an unconverged problem.
static double time_sweeps(cn_world *w, double *before, double *after, double *sliding)
{
    cn_problem *p = &w->problem;
    cn_solver *s = w->solver;
    cn_solver_def def = cn_solver_def_default();
    size_t rows = (size_t)p->row_start[p->contact_count];
    double best = INFINITY;
    cn_residual residual;
    for (int repeat = 0; repeat < 7; repeat++) {
        memset(p->r, 0, rows * sizeof *p->r);
        if (cn_solver_pack(s, p, &def, NULL) != CN_OK) {
            return NAN;
        }
        cn_solver_apply(s, p, p->r);
        for (int k = 0; k < 10; k++) {
            cn_sweep(s, p, false);
        }
        cn_solver_velocity(s, p, p->r, s->u);
        cn_solver_residual(s, p, s->u, &residual);
        *before = residual.err_v;
        double start = bench_now();
        for (int k = 0; k < 20; k++) {
            cn_sweep(s, p, false);
        }
        best = fmin(best, (bench_now() - start) / 20.0);
    }
    cn_solver_velocity(s, p, p->r, s->u);
    cn_solver_residual(s, p, s->u, &residual);
    *after = residual.err_v;
    int slides = 0, active = 0;
    for (int a = 0; a < p->contact_count; a++) {
        const double *r = p->r + p->row_start[a];
        active += r[0] > 0.0;
        double r_t = p->dim == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
        slides += r[0] > 0.0 && r_t >= p->mu[a] * r[0] * (1.0 - 1e-12);
    }
    *sliding = active > 0 ? (double)slides / active : 0.0;
    return best / s->packed_count;
}

// A sweep of what the world holds, beside what memory alone would allow.
static void report_sweep(cn_world *w, const char *what, int numbers)
{
    double before, after, sliding;
    double ns = 1e9 * time_sweeps(w, &before, &after, &sliding);
    double gigabytes = bandwidth();
    char text[160];
    snprintf(text, sizeof text, "%d contacts, %.0f %% sliding, residual %.2g -> %.2g",
             w->solver->packed_count, 100.0 * sliding, before, after);
    bench_report("sweep", what, ns, "ns/contact", text);
    double record = sizeof(cn_packed) + (double)numbers * sizeof(double);
    snprintf(text, sizeof text, "%.1f GB/s update of 256 MB in the same run", gigabytes);
    bench_report("sweep", "record read from memory at bandwidth", record / gigabytes, "ns/contact",
                 text);
}

static void bench_sweep(void)
{
    ledger_of_bytes bytes = {0};
    cn_hooks hooks;
    cn_world *w = heap_world(48000, &bytes, &hooks);
    scene_run(w, 1e-3, 12);
    report_sweep(w, "NLGS sweep of a disk packing", 12 + 7 + 2);
    bench_report("memory", "all that the world holds", (double)bytes.most / w->contacts.count,
                 "B/contact", "bodies, shapes, detection, solver included");
    cn_world_destroy(w);
    for (int is_block = 0; is_block < 2; is_block++) {
        w = scene_space(0.2, 0.0, 1e-2);
        cn_solver_def def = w->solver_def;
        def.sweep_max = 100;
        cn_world_set_solver(w, &def, NULL);
        dense_heap3(w, is_block ? 8000 : 27000, 0.005, is_block);
        scene_run(w, 1e-3, 6);
        report_sweep(w,
                     is_block ? "NLGS sweep of blocks in space" : "NLGS sweep of spheres in space",
                     36 + 13 + 3);
        cn_world_destroy(w);
    }
}

static void bench_step(void)
{
    ledger_of_bytes bytes = {0};
    cn_hooks hooks;
    cn_world *w = heap_world(10000, &bytes, &hooks);
    scene_run(w, 1e-3, 300);
    double before, after, sliding;
    double sweep = time_sweeps(w, &before, &after, &sliding) * w->solver->packed_count;
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
static void bench_growth(void)
{
    double first = 0.0, last = 0.0;
    for (int n = 1000; n <= 100000; n *= 10) {
        ledger_of_bytes bytes = {0};
        cn_hooks hooks;
        cn_world *w = heap_world(n, &bytes, &hooks);
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

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } table[] = {{"sweep", bench_sweep}, {"step", bench_step}, {"growth", bench_growth}};
    const char *word = NULL, *folder = NULL;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--json") == 0) {
            is_json = true;
        } else if (word == NULL) {
            word = argv[k];
        } else {
            folder = argv[k];
        }
    }
    if (word != NULL && strcmp(word, "solve") == 0) {
        bench_solve(folder);
        return 0;
    }
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (word == NULL || strstr(table[k].name, word) != NULL) {
            table[k].run();
        }
    }
    return 0;
}
