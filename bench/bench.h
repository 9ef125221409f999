// bench/bench.h -- what the cases of the benchmark share. Each case is one function in the table of
// bench.c; it prints figures beside a baseline of the same run and asserts nothing.
#pragma once

#include "scenes.h"
#include "solve/solver.h"
#include "world/world.h"

// Soft elastic bricks, of the large body and of equal copies.
cn_material_def bench_brick(void);

// Processor time of all threads, time on the wall [s].
double bench_now(void);
double bench_wall_now(void);

// One line: a quantity, its value, and what to read it beside.
void bench_report(const char *name, const char *quantity, double value, const char *unit,
                  const char *beside);

// Bytes that a world holds, counted by its memory hooks.
typedef struct cn_bench_bytes {
    size_t held, most;
    long calls;
} cn_bench_bytes;
cn_hooks bench_hooks(cn_bench_bytes *bytes);

// A dense heap of n disks of about the given radius [m]; a world that holds 10 mm ones.
void bench_heap(cn_world *w, int n, double radius);
cn_world *bench_heap_world(int n, cn_bench_bytes *bytes, cn_hooks *hooks);

// The same in space: spheres, or blocks.
void bench_heap3(cn_world *w, int n, double radius, bool is_block);

// Spheres nested in square layers that touch the layers above and below but not each other within
// one; one in eight is too small to touch. Three contacts per sphere from the first step on.
void bench_nest(cn_world *w, int count, double radius);

// Seconds per contact of sweeps 10 to 30 from cold on the problem that the world holds, with the
// residual before and after and the share of contacts that slide (decisions, section 7).
double bench_sweeps(cn_world *w, double *before, double *after, double *sliding);

void bench_sweep(void);
void bench_kernels_near(void);
void bench_kernels_far(void);
void bench_step(void);
void bench_growth(void);
void bench_hulls(void);
void bench_size(void);
void bench_viewer(void);
void bench_million(void);
void bench_masonry(void);
void bench_threads(void);
void bench_impact(void);
void bench_deform(void);
void bench_large(void);

// Solvers on walls, towers and arches; on the problem files of a folder.
void bench_solve(void);
void bench_files(const char *folder);
