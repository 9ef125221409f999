// solve/sweep/simd/simd_plain.c -- the wide kernels for any machine.
#define CN_SIMD_SWEEP cn_simd_sweep_plain
#define CN_LOOPS cn_loops_plain
#include "solve/sweep/simd/simd_kernel.h"

#include "solve/sweep/simd/simd_loops.h"
