// math/strip.c -- which of the strip kernels this machine runs; their results are the same.
#include "math/strip.h"

cn_strip_kernels cn_strip_kernels_pick(void)
{
#ifdef CN_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        return (cn_strip_kernels){cn_strip_update_avx2, cn_strip_product_avx2};
    }
#endif
    return (cn_strip_kernels){cn_strip_update_plain, cn_strip_product_plain};
}
