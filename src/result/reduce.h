// result/reduce.h -- numbers that are rounded before they are written, for files that stay small.
//
// The last bits of a number hardly compress. Rounded ones end in bytes of zeros, which do: the
// layout of the file stays as it is, and so do all who read it.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

// Bits of the fraction that stay, multiples of 8 and 4, so that what is left fills whole bytes.
// 2^-21 of positions and turns is 6 digits, and leaves a unit quaternion one within 1e-6, as
// readers ask; 2^-13 of velocities is 4.
#define CN_REDUCED_BITS 20
#define CN_REDUCED_VELOCITY_BITS 12

// To the nearest number whose fraction has `bits` bits, halves away from zero. What is not finite
// stays.
static inline double cn_reduce(double x, int bits)
{
    uint64_t word, last = UINT64_C(1) << (52 - bits);
    memcpy(&word, &x, sizeof word);
    word = (word + last / 2) & ~(last - 1);
    double rounded;
    memcpy(&rounded, &word, sizeof rounded);
    return isfinite(x) && isfinite(rounded) ? rounded : x;
}

static inline void cn_reduce_list(double *x, int count, int bits)
{
    for (int k = 0; k < count; k++) {
        x[k] = cn_reduce(x[k], bits);
    }
}
