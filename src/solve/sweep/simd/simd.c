// solve/sweep/simd/simd.c -- which of the wide kernels this machine runs.
#include "solve/sweep/simd/simd.h"

#include "solve/sweep/simd/loops.h"

#ifdef CN_HAS_AVX2
#define CN_PICK(avx2, plain) (__builtin_cpu_supports("avx2") ? (avx2) : (plain))
#else
#define CN_PICK(avx2, plain) (plain)
#endif

cn_simd_sweep_fn *cn_simd_sweep_pick(void)
{
    return CN_PICK(cn_simd_sweep_avx2, cn_simd_sweep_plain);
}

const cn_loops *cn_loops_pick(void)
{
    return CN_PICK(&cn_loops_avx2, &cn_loops_plain);
}
