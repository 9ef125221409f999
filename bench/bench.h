// bench/bench.h -- what the benchmarks share.
#pragma once

#include <stdbool.h>

// CPU seconds of this process.
double bench_now(void);

// One figure, with what stands beside it.
void bench_report(const char *name, const char *quantity, double value, const char *unit,
                  const char *beside);

// Solvers on walls, towers, arches and, if a folder is given, on the problem files in it.
void bench_solve(const char *folder);
