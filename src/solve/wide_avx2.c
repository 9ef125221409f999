// solve/wide_avx2.c -- the wide kernels for machines with AVX2 (see CMakeLists.txt for the flag).
#ifdef CN_HAS_AVX2
#define CN_WIDE_SWEEP cn_wide_sweep_avx2
#define CN_LOOPS cn_loops_avx2
#include "solve/wide_kernel.h"

#include "solve/wide_loops.h"
#endif
