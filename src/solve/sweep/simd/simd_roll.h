// solve/sweep/simd/simd_roll.h -- the kernel of balls that resist rolling, part of simd_kernel.h.
#pragma once

#include "solve/sweep/simd/simd_lanes.h"

// Makes a vector no longer than the bound.
static inline void clip(cn_four bound, cn_four x[2])
{
    cn_four length2 = x[0] * x[0] + x[1] * x[1], one = {1.0, 1.0, 1.0, 1.0};
    cn_four scale = choose(length2 > bound * bound, bound / root_of(length2), one);
    x[0] *= scale;
    x[1] *= scale;
}

// Friction and rolling in turn, in the lanes of `active`: each is exact while the other rests, so
// what neither moves is the solution.
static inline void solve_coupled(const cn_simd_roll *c, const cn_four u[6], four_mask active,
                                 int turns, cn_four r[6])
{
    cn_four inv_t = -1.0 / c->W_t, inv_roll = -1.0 / c->W_roll, friction = c->head.mu * r[0],
            rolling = c->mu_roll * r[0], t[2], m[2] = {r[3], r[4]};
    for (int k = 0; k < turns && any(active); k++) {
        t[0] = (u[1] + c->couple * m[1]) * inv_t;
        t[1] = (u[2] - c->couple * m[0]) * inv_t;
        clip(friction, t);
        m[0] = (u[3] - c->couple * t[1]) * inv_roll;
        m[1] = (u[4] + c->couple * t[0]) * inv_roll;
        clip(rolling, m);
        cn_four change = absolute(m[0] - r[3]) + absolute(m[1] - r[4]);
        for (int d = 0; d < 2; d++) {
            r[1 + d] = choose(active, t[d], r[1 + d]);
            r[3 + d] = choose(active, m[d], r[3 + d]);
        }
        active &= change > 1e-15 * rolling;
    }
}

// A ball with moments: the normal row stands alone, so does spinning; r comes with the last moments
// of rolling. Both discs stick, or they are solved in turn.
static inline void solve_roll(const cn_simd_roll *c, const cn_four u[6], int newton_max,
                              cn_four r[6])
{
    const cn_four zero = {0.0}, C = c->couple;
    four_mask is_open = ~((u[0] < zero) & (c->W_n > zero));
    cn_four last[2] = {r[3], r[4]}, inv_det = -1.0 / (c->W_t * c->W_roll - C * C);
    r[0] = -u[0] / c->W_n;
    r[1] = (c->W_roll * u[1] - C * u[4]) * inv_det;
    r[2] = (c->W_roll * u[2] + C * u[3]) * inv_det;
    r[3] = (c->W_t * u[3] + C * u[2]) * inv_det;
    r[4] = (c->W_t * u[4] - C * u[1]) * inv_det;
    cn_four friction = c->head.mu * r[0], rolling = c->mu_roll * r[0];
    four_mask is_stick = (r[1] * r[1] + r[2] * r[2] <= friction * friction) &
                         (r[3] * r[3] + r[4] * r[4] <= rolling * rolling);
    four_mask is_moving = ~(is_open | is_stick);
    if (any(is_moving)) {
        r[3] = choose(is_moving, last[0], r[3]);
        r[4] = choose(is_moving, last[1], r[4]);
        solve_coupled(c, u, is_moving, newton_max + 1, r);
    }
    cn_four most = c->mu_spin * r[0], spin = -u[5] / c->W_spin;
    r[5] = choose(spin > most, most, choose(spin < -most, -most, spin));
    for (int k = 0; k < 6; k++) {
        r[k] = choose(is_open, zero, r[k]);
    }
}

// `rows` is a literal, 5 or 6.
static inline void visit_roll(const cn_simd_task *task, cn_simd_roll *c, int rows)
{
    const int *row = c->head.row;
    const cn_four C = c->couple, zero = {0.0};
    cn_four w_i[6], w_j[6], r[6] = {zero, zero, zero, zero, zero, zero}, t2[3], move[3], spin[3],
                            turned[3];
    gather6(task->w, c->head.w_i, w_i);
    gather6(task->w, c->head.w_j, w_j);
    for (int k = 0; k < rows; k++) {
        r[k] = pick(task->r, row, k);
    }
    cross(c->n, c->t, t2);
    for (int k = 0; k < 3; k++) {
        move[k] = c->head.s_i * w_i[k] + c->head.s_j * w_j[k];
        spin[k] = c->kappa_i * w_i[3 + k] + c->kappa_j * w_j[3 + k];
        turned[k] = c->g_i * w_i[3 + k] + c->g_j * w_j[3 + k];
    }
    const cn_four own[6] = {c->W_n * r[0],
                            c->W_t * r[1] + C * r[4],
                            c->W_t * r[2] - C * r[3],
                            c->W_roll * r[3] - C * r[2],
                            c->W_roll * r[4] + C * r[1],
                            c->W_spin * r[5]};
    cn_four u[6] = {dot(c->n, move),
                    dot(c->t, move) + dot(t2, spin),
                    dot(t2, move) - dot(c->t, spin),
                    dot(c->t, turned),
                    dot(t2, turned),
                    dot(c->n, turned)};
    cn_four r_new[6], dr[6] = {zero, zero, zero, zero, zero, zero};
    for (int k = 0; k < rows; k++) {
        u[k] += c->shift[k] - (own[k] - compliance_of(task, row, k) * r[k]);
        r_new[k] = r[k] + (r[k] - without_offset(task, row, k, r[k]));
    }
    solve_roll(c, u, task->newton_max, r_new);
    for (int k = 0; k < rows; k++) {
        r_new[k] = without_offset(task, row, k, r_new[k]);
        dr[k] = r_new[k] - r[k];
        put_lanes(task->r, row, k, r_new[k]);
    }
    for (int k = 0; k < 3; k++) {
        cn_four push = c->n[k] * dr[0] + c->t[k] * dr[1] + t2[k] * dr[2];
        cn_four twist = t2[k] * dr[1] - c->t[k] * dr[2];
        cn_four moment = c->t[k] * dr[3] + t2[k] * dr[4] + c->n[k] * dr[5];
        w_j[k] += c->head.s_j * push;
        w_j[3 + k] += c->kappa_j * twist + c->g_j * moment;
        w_i[k] += c->head.s_i * push;
        w_i[3 + k] += c->kappa_i * twist + c->g_i * moment;
    }
    scatter6(task->w, c->head.w_j, w_j);
    scatter6(task->w, c->head.w_i, w_i);
}
