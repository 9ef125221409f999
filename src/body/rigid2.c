// body/rigid2.c -- rigid bodies in the plane: free motion, rows of H, update. Theory 3.3, 3.5, 4.2.
//
// The mass matrix is diagonal (mass centre as origin), so A^-1/2 is one number per degree of
// freedom and a held degree of freedom is one whose number is zero.
#include <math.h>
#include <string.h>

#include "body/bodies.h"

static const unsigned dof_bit[3] = {1u << CN_DOF_X, 1u << CN_DOF_Y, 1u << CN_DOF_RZ};

void cn_body_free_motion(cn_bodies *b, double h, double gamma)
{
    for (int i = 0; i < b->count; i++) {
        double M[3] = {b->mass[i], b->mass[i], b->inertia[i]};
        double weight[3] = {b->mass[i] * b->gravity[0], b->mass[i] * b->gravity[1], 0.0};
        for (int d = 0; d < 3; d++) {
            int k = 3 * i + d;
            bool is_held = (b->held[i] & dof_bit[d]) != 0;
            b->root[k] = is_held ? 0.0 : 1.0 / sqrt(M[d]);
            b->v_free[k] = is_held ? b->v_imposed[k] : b->v[k] + h * (weight[d] + b->f[k]) / M[d];
            b->q_mid[k] = b->q[k] + gamma * h * b->v[k];
        }
        b->turn_mid[2 * i] = cos(b->q_mid[3 * i + 2]);
        b->turn_mid[2 * i + 1] = sin(b->q_mid[3 * i + 2]);
    }
}

void cn_body_rows(const double *q, int i, cn_vec2 point, cn_vec2 normal, double H[6])
{
    cn_vec2 arm = cn_sub2(point, cn_v2(q[3 * i], q[3 * i + 1]));
    cn_vec2 tangent = cn_left2(normal);
    H[0] = normal.x;
    H[1] = normal.y;
    H[2] = cn_cross2(arm, normal);
    H[3] = tangent.x;
    H[4] = tangent.y;
    H[5] = cn_cross2(arm, tangent);
}

void cn_body_velocity_at(const cn_bodies *b, int i, const double H[6], const double *x, double sign,
                         double u[2])
{
    const double *v = x + b->dof_start[i];
    u[0] += sign * (H[0] * v[0] + H[1] * v[1] + H[2] * v[2]);
    u[1] += sign * (H[3] * v[0] + H[4] * v[1] + H[5] * v[2]);
}

void cn_body_update(cn_bodies *b, double h, double theta)
{
    for (int k = 0; k < 3 * b->count; k++) {
        b->q[k] += h * ((1.0 - theta) * b->v_before[k] + theta * b->v[k]);
    }
}

cn_posed cn_body_posed(const cn_bodies *b, int shape, const double *q)
{
    int i = b->shape[shape].body;
    return (cn_posed){.shape = &b->shape[shape],
                      .x = cn_v2(q[3 * i], q[3 * i + 1]),
                      .c = cos(q[3 * i + 2]),
                      .s = sin(q[3 * i + 2])};
}

cn_posed cn_body_posed_mid(const cn_bodies *b, int shape)
{
    int i = b->shape[shape].body;
    return (cn_posed){.shape = &b->shape[shape],
                      .x = cn_v2(b->q_mid[3 * i], b->q_mid[3 * i + 1]),
                      .c = b->turn_mid[2 * i],
                      .s = b->turn_mid[2 * i + 1]};
}
