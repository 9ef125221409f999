// solve/sweep/simd/simd_lanes.h -- arithmetic on four lanes, and numbers of four places gathered
// into lanes and scattered back. All of it is lane by lane without contraction, so every
// instruction set gives the same bits.
#pragma once

#include <math.h>

#include "solve/sweep/simd/simd.h"

// Visits are made of many small steps that must not become calls: their numbers live in registers.
#define CN_INLINE static inline __attribute__((always_inline))

typedef long long four_mask __attribute__((vector_size(32), aligned(8), may_alias));
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

// All bits of a lane of a mask are equal.
CN_INLINE cn_four choose(four_mask mask, cn_four yes, cn_four no)
{
#ifdef __AVX2__
    return __builtin_ia32_blendvpd256(no, yes, (cn_four)mask);
#else
    return (cn_four)((mask & (four_mask)yes) | (~mask & (four_mask)no));
#endif
}

CN_INLINE bool any(four_mask mask)
{
#ifdef __AVX2__
    return __builtin_ia32_movmskpd256((cn_four)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

CN_INLINE cn_four root_of(cn_four x)
{
    return (cn_four){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
}

CN_INLINE cn_four absolute(cn_four x)
{
    return (cn_four)((four_mask)x & 0x7fffffffffffffffLL);
}

// Component k of four places that start at `at`.
CN_INLINE cn_four pick(const double *x, const int at[4], int k)
{
    return (cn_four){x[at[0] + k], x[at[1] + k], x[at[2] + k], x[at[3] + k]};
}

CN_INLINE void put_lanes(double *x, const int at[4], int k, cn_four value)
{
    for (int lane = 0; lane < 4; lane++) {
        x[at[lane] + k] = value[lane];
    }
}

// Four numbers of each of four places, turned into four components of four lanes.
CN_INLINE void turn(cn_four a, cn_four b, cn_four c, cn_four d, cn_four x[4])
{
    cn_four ab_lo = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    cn_four ab_hi = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    cn_four cd_lo = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    cn_four cd_hi = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    x[0] = __builtin_shufflevector(ab_lo, cd_lo, 0, 1, 4, 5);
    x[1] = __builtin_shufflevector(ab_hi, cd_hi, 0, 1, 4, 5);
    x[2] = __builtin_shufflevector(ab_lo, cd_lo, 2, 3, 6, 7);
    x[3] = __builtin_shufflevector(ab_hi, cd_hi, 2, 3, 6, 7);
}

static inline two two_at(const double *x)
{
    return *(const two *)(const void *)x;
}

// Two numbers of each of two places, and back.
CN_INLINE cn_four join(const double *a, const double *b)
{
#ifdef __AVX2__
    cn_four low = __builtin_ia32_pd256_pd(two_at(a));
    return __builtin_ia32_vinsertf128_pd256(low, two_at(b), 1);
#else
    return __builtin_shufflevector(two_at(a), two_at(b), 0, 1, 2, 3);
#endif
}

CN_INLINE void part(cn_four x, double *a, double *b)
{
    *(two *)(void *)a = __builtin_shufflevector(x, x, 0, 1);
#ifdef __AVX2__
    *(two *)(void *)b = __builtin_ia32_vextractf128_pd256(x, 1);
#else
    *(two *)(void *)b = __builtin_shufflevector(x, x, 2, 3);
#endif
}

// Two components of four places.
CN_INLINE void gather2(const double *w, const int at[4], cn_four x[2])
{
    cn_four ac = join(w + at[0], w + at[2]), bd = join(w + at[1], w + at[3]);
    x[0] = __builtin_shufflevector(ac, bd, 0, 4, 2, 6);
    x[1] = __builtin_shufflevector(ac, bd, 1, 5, 3, 7);
}

CN_INLINE void scatter2(double *w, const int at[4], const cn_four x[2])
{
    cn_four ac = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
    cn_four bd = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
    part(ac, w + at[0], w + at[2]);
    part(bd, w + at[1], w + at[3]);
}

CN_INLINE void gather3(const double *w, const int at[4], cn_four x[3])
{
    gather2(w, at, x);
    x[2] = pick(w, at, 2);
}

CN_INLINE void scatter3(double *w, const int at[4], const cn_four x[3])
{
    scatter2(w, at, x);
    put_lanes(w, at, 2, x[2]);
}

// Six components of four bodies.
CN_INLINE void gather6(const double *w, const int at[4], cn_four x[6])
{
    gather2(w, at, x);
    gather2(w + 2, at, x + 2);
    gather2(w + 4, at, x + 4);
}

CN_INLINE void scatter6(double *w, const int at[4], const cn_four x[6])
{
    cn_four body[4];
    turn(x[0], x[1], x[2], x[3], body);
    for (int lane = 0; lane < 4; lane++) {
        *(cn_four *)(void *)(w + at[lane]) = body[lane];
    }
    const int last[4] = {at[0] + 4, at[1] + 4, at[2] + 4, at[3] + 4};
    scatter2(w, last, x + 4);
}

CN_INLINE cn_four dot(const cn_four a[3], const cn_four b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

CN_INLINE void cross(const cn_four a[3], const cn_four b[3], cn_four c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

// Compliance of row k of four contacts. Where W' r stands for what the contact itself gives, it
// counts c r, which is not its own and is to be given back.
CN_INLINE cn_four compliance_of(const cn_simd_task *task, const int row[4], int k)
{
    cn_four none = {0.0};
    if (task->c == NULL) {
        return none;
    }
    return pick(task->c, row, k);
}

// The impulse without its offset.
CN_INLINE cn_four without_offset(const cn_simd_task *task, const int row[4], int k, cn_four r)
{
    if (task->r0 == NULL) {
        return r;
    }
    return r - pick(task->r0, row, k);
}
