// solve/wide.c -- which of the wide kernels this machine runs.
#include "solve/wide.h"

cn_wide_sweep_fn *cn_wide_sweep_pick(void)
{
#ifdef CN_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        return cn_wide_sweep_avx2;
    }
#endif
    return cn_wide_sweep_plain;
}
