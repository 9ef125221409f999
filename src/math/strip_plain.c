// math/strip_plain.c -- the strip kernels for any machine.
#define CN_STRIP(name) name##_plain
#include "math/strip_kernel.h"
