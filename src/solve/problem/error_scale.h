// solve/problem/error_scale.h -- what the errors of constraints are compared with (8.9, 8.10): sums
// over constraints of squares of impulses and of velocities before impulses.
#pragma once

#include <math.h>

typedef struct cn_scale {
    double w_r2; // w_a |r'|^2: an energy
    double m_u2; // |u_free'|^2 / w_a, likewise
    double u2;   // |u_free'|^2
    int count;
} cn_scale;

static inline void cn_scale_add(cn_scale *sum, double w_a, double r2, double u2)
{
    sum->w_r2 += w_a * r2;
    sum->m_u2 += 1.0 / w_a * u2;
    sum->u2 += u2;
    sum->count++;
}

static inline void cn_scale_merge(cn_scale *sum, const cn_scale *other)
{
    sum->w_r2 += other->w_r2;
    sum->m_u2 += other->m_u2;
    sum->u2 += other->u2;
    sum->count += other->count;
}

// Velocity of (8.9), at least v_floor [m/s]; energy of (8.10).
static inline double cn_scale_velocity(const cn_scale *sum, double v_floor)
{
    return fmax(v_floor, sqrt(sum->u2 / (sum->count > 0 ? sum->count : 1)));
}

static inline double cn_scale_energy(const cn_scale *sum)
{
    return fmax(sum->w_r2, sum->m_u2);
}
