// body/rigid2.c -- rigid bodies in the plane: free motion, rows of H, update. Theory 3.3, 3.4, 4.2.
//
// The mass matrix is diagonal (mass centre as origin), so A^-1/2 is one number per degree of
// freedom and a held degree of freedom is one whose number is zero.
#include <math.h>

#include "base/tasks.h"
#include "body/gravity.h"
#include "body/rigid.h"

enum { SHARED_MIN = 1024 }; // bodies per thread

static void advance(const double *q, const double *v, double dt, double *q_after)
{
    for (int d = 0; d < 3; d++) {
        q_after[d] = q[d] + dt * v[d];
    }
}

static cn_body_pose pose(const double *q)
{
    double c = cos(q[2]), s = sin(q[2]);
    return (cn_body_pose){{q[0], q[1], 0.0}, {{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}}};
}

static void free_motion(cn_bodies *b, double h, double theta, double gamma)
{
    (void)theta;
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), i, b->count, {
        double M[3] = {b->mass[i], b->mass[i], b->inertia[i]};
        double weight[3] = {cn_body_weight(b, i, 0), cn_body_weight(b, i, 1), 0.0};
        for (int d = 0; d < 3; d++) {
            int k = 3 * i + d;
            bool is_held = cn_dof_is_held(b, i, d);
            b->root[k] = is_held ? 0.0 : 1.0 / sqrt(M[d]);
            if (!is_held) {
                b->v_free[k] = b->v[k] + h * (weight[d] + b->f[k]) / M[d];
            }
        }
        advance(b->q + 3 * i, b->v + 3 * i, gamma * h, b->q_mid + 3 * i);
        b->turn_mid[2 * i] = cos(b->q_mid[3 * i + 2]);
        b->turn_mid[2 * i + 1] = sin(b->q_mid[3 * i + 2]);
    });
}

static void rows(const double *q, const cn_axes *frame, double *H)
{
    cn_rigid_rows(2, q, frame, H);
}

static void spin_rows(int count, const cn_vec3 *axis, double *H)
{
    for (int k = 0; k < count; k++) {
        H[3 * k] = H[3 * k + 1] = 0.0;
        H[3 * k + 2] = axis[k].z;
    }
}

static void scale(const double *root, int count, const double *H, double sign, double *G)
{
    cn_rigid_scale(2, root, count, H, sign, G);
}

static void apply(const double *root, int count, const double *G, const double *r, double *v)
{
    cn_rigid_apply(2, root, count, G, r, v);
}

static void update(cn_bodies *b, double h, double theta)
{
    for (int k = 0; k < 3 * b->count; k++) {
        b->q[k] += h * ((1.0 - theta) * b->v_before[k] + theta * b->v[k]);
    }
}

static double momentum(const cn_bodies *b, int i, const double *q, const double *v, double *p)
{
    (void)q;
    p[0] = b->mass[i] * v[0];
    p[1] = b->mass[i] * v[1];
    p[2] = b->inertia[i] * v[2];
    return 0.5 * (p[0] * v[0] + p[1] * v[1] + p[2] * v[2]);
}

static const cn_dof dof_name[3] = {CN_DOF_X, CN_DOF_Y, CN_DOF_RZ};

const cn_body_kind cn_rigid2 = {
    .q_size = 3,
    .dof = 3,
    .inertia_size = 1,
    .root_size = 3,
    .turn_size = 2,
    .dof_name = dof_name,
    .advance = advance,
    .pose = pose,
    .free_motion = free_motion,
    .rows = rows,
    .spin_rows = spin_rows,
    .scale = scale,
    .apply = apply,
    .update = update,
    .momentum = momentum,
};

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
