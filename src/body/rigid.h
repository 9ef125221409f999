// body/rigid.h -- what loops over many contacts do to rigid bodies, theory 4.2 and 4.8: the same as
// the operations of their kind, to be inlined. The dimension is a literal at each call.
#pragma once

#include "body/bodies.h"

static inline int cn_rigid_dof(int dim)
{
    return dim == 2 ? 3 : 6;
}

static inline int cn_rigid_q_size(int dim)
{
    return dim == 2 ? 3 : 7;
}

static inline int cn_rigid_root_size(int dim)
{
    return dim == 2 ? 3 : 12;
}

// Rows of H of a body with configuration q: arm x axis about the mass centre (4.2).
static inline void cn_rigid_rows(int dim, const double *q, const cn_axes *frame, double *H)
{
    if (dim == 2) {
        cn_vec2 arm = cn_v2(frame->point.x - q[0], frame->point.y - q[1]);
        for (int k = 0; k < 2; k++) {
            cn_vec2 axis = cn_v2(frame->axis[k].x, frame->axis[k].y);
            H[3 * k] = axis.x;
            H[3 * k + 1] = axis.y;
            H[3 * k + 2] = cn_cross2(arm, axis);
        }
        return;
    }
    cn_vec3 arm = cn_sub3(frame->point, cn_v3(q[0], q[1], q[2]));
    for (int k = 0; k < 3; k++) {
        cn_vec3 axis = frame->axis[k], turn = cn_cross3(arm, axis);
        double *row = H + 6 * k;
        row[0] = axis.x;
        row[1] = axis.y;
        row[2] = axis.z;
        row[3] = turn.x;
        row[4] = turn.y;
        row[5] = turn.z;
    }
}

// G = A^-1/2 H of any number of rows (4.8).
static inline void cn_rigid_scale(int dim, const double *root, int rows, const double *H,
                                  double sign, double *G)
{
    const double *F = root + 3;
    for (int k = 0; k < rows; k++) {
        const double *row = H + cn_rigid_dof(dim) * k;
        double *to = G + cn_rigid_dof(dim) * k;
        for (int d = 0; d < 3 && dim == 2; d++) {
            to[d] = sign * row[d] * root[d];
        }
        for (int d = 0; d < 3 && dim == 3; d++) {
            to[d] = sign * root[d] * row[d];
            to[3 + d] = sign * (F[3 * d] * row[3] + F[3 * d + 1] * row[4] + F[3 * d + 2] * row[5]);
        }
    }
}

// v += A^-1/2 G r.
static inline void cn_rigid_apply(int dim, const double *root, int rows, const double *G,
                                  const double *r, double *v)
{
    const double *F = root + 3;
    double w[6] = {0.0};
    for (int k = 0; k < rows; k++) {
        for (int d = 0; d < cn_rigid_dof(dim); d++) {
            w[d] += G[cn_rigid_dof(dim) * k + d] * r[k];
        }
    }
    for (int d = 0; d < 3; d++) {
        v[d] += root[d] * w[d];
        if (dim == 3) {
            v[3 + d] += F[d] * w[3] + F[3 + d] * w[4] + F[6 + d] * w[5];
        }
    }
}
