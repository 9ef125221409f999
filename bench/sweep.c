// bench/sweep.c -- what one visit to a contact costs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

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
double bench_sweeps(cn_world *w, double *before, double *after, double *sliding)
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
static void report_sweep(cn_world *w, const char *what)
{
    double before, after, sliding;
    double ns = 1e9 * bench_sweeps(w, &before, &after, &sliding);
    double gigabytes = bandwidth();
    char text[160];
    snprintf(text, sizeof text, "%d contacts, %.0f %% sliding, residual %.2g -> %.2g",
             w->solver->packed_count, 100.0 * sliding, before, after);
    bench_report("sweep", what, ns, "ns/contact", text);
    double record =
        (double)w->solver->batches.stream_count * sizeof(double) / (double)w->solver->packed_count;
    snprintf(text, sizeof text, "%.1f GB/s update of 256 MB in the same run", gigabytes);
    bench_report("sweep", "record read from memory at bandwidth", record / gigabytes, "ns/contact",
                 text);
}

// Bytes of a solver that has solved what the world holds, problem and bodies apart.
static void report_memory(cn_world *w, const char *what)
{
    cn_bench_bytes bytes = {0};
    cn_hooks hooks = bench_hooks(&bytes);
    cn_solver *s;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.method = CN_METHOD_NNCG;
    def.sweep_max = 20;
    if (cn_solver_create(&hooks, &s, NULL) != CN_OK) {
        return;
    }
    cn_problem_solve(&w->problem, &def, s, &report, NULL);
    char text[96];
    snprintf(text, sizeof text, "%.2g contacts per body, %.0f B are records; limit 400",
             (double)s->packed_count / w->bodies.count,
             (double)s->batches.stream_count * sizeof(double) / s->packed_count);
    bench_report("memory", what, (double)bytes.most / s->packed_count, "B/contact", text);
    cn_solver_destroy(s);
}

// Lets gravity close the gaps of the lattice from below, with few sweeps: only bodies that have
// met make contacts, and a heap still moving makes an unconverged problem of many that slide.
static void settle(cn_world *w, int steps)
{
    cn_solver_def def = w->solver_def;
    def.method = CN_METHOD_NLGS;
    def.sweep_max = 20;
    cn_world_set_solver(w, &def, NULL);
    scene_run(w, 1e-3, steps);
}

void bench_sweep(void)
{
    cn_bench_bytes bytes = {0};
    cn_hooks hooks;
    cn_world *w = bench_heap_world(48000, &bytes, &hooks);
    settle(w, 150);
    report_sweep(w, "NLGS sweep of a disk packing");
    bench_report("memory", "all that the world holds", (double)bytes.most / w->contacts.count,
                 "B/contact", "bodies, shapes, detection, solver included");
    cn_world_destroy(w);
    for (int is_block = 0; is_block < 2; is_block++) {
        w = scene_space(0.2, 0.0, 1e-2);
        bench_heap3(w, is_block ? 8000 : 27000, 0.005, is_block);
        settle(w, is_block ? 6 : 25);
        report_sweep(w,
                     is_block ? "NLGS sweep of blocks in space" : "NLGS sweep of spheres in space");
        report_memory(w, is_block ? "solver of blocks in space" : "solver of spheres in space");
        cn_world_destroy(w);
    }
}
