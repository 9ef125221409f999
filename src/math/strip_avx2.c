// math/strip_avx2.c -- the strip kernels for machines with AVX2 (see CMakeLists.txt for the flag).
#ifdef CN_HAS_AVX2
#define CN_STRIP(name) name##_avx2
#include "math/strip_kernel.h"
#endif
