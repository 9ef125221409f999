// solve/sweep/simd/simd_avx2.c -- the wide kernels for machines with AVX2 (see CMakeLists.txt for
// the flag).
#ifdef CN_HAS_AVX2
#define CN_SIMD_SWEEP cn_simd_sweep_avx2
#define CN_LOOPS cn_loops_avx2
#include "solve/sweep/simd/simd_kernel.h"

#include "solve/sweep/simd/simd_loops.h"
#endif
