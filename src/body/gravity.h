// body/gravity.h -- gravity: a load that goes with the mass, so that bodies know it themselves.
//
// Every other load is a force of load/; weight is kept apart from them because it has a potential,
// which the ledger counts by itself (9.2).
#pragma once

#include "body/bodies.h"

// Weight of body i along translation d, 0 for rotations [N].
static inline double cn_body_weight(const cn_bodies *b, int i, int d)
{
    return d < b->dim ? b->mass[i] * b->gravity[d] : 0.0;
}

// Potential energy of body i; of a deformable one at its mass centre [J].
static inline double cn_body_potential(const cn_bodies *b, int i)
{
    const double *q = cn_body_q(b, b->q, i);
    double along = 0.0;
    for (int d = 0; d < b->dim; d++) {
        along += b->gravity[d] * q[d];
    }
    return -b->mass[i] * along;
}

// |g| [m/s2].
static inline double cn_gravity_size(const cn_bodies *b)
{
    return cn_norm3(cn_v3(b->gravity[0], b->gravity[1], b->gravity[2]));
}
