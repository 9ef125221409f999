// contact/interface_beam.c -- how far beams of cemented grains have turned, theory 4.35.
#include "contact/interface_beam.h"

#include <math.h>

#include "contact/interface_place.h"

static cn_vec3 three_of(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

// The axes of the material that a side carries: normal, tangent and the one across.
static void axes_of(const cn_bodies *b, cn_when when, const int body[2], const double *state,
                    int side, cn_vec3 axis[3])
{
    cn_mat3 R = cn_interface_frame(b, when, body[side], 0);
    const double *n = state + (side == 0 ? CN_BOND_NORMAL_I : CN_BOND_NORMAL_J);
    const double *t = state + (side == 0 ? CN_BOND_TANGENT_I : CN_BEAM_TANGENT_J);
    axis[0] = cn_mat3_mul(&R, three_of(n));
    axis[1] = cn_mat3_mul(&R, three_of(t));
    axis[2] = cn_cross3(axis[0], axis[1]);
}

void cn_interface_bend(const cn_bodies *b, cn_when when, const int body[2], const double *state,
                       double bend[3])
{
    cn_vec3 axis[2][3], sum = {0.0, 0.0, 0.0};
    double trace = 0.0;
    axes_of(b, when, body, state, 0, axis[0]);
    axes_of(b, when, body, state, 1, axis[1]);
    for (int k = 0; k < 3; k++) { // twice the sine along the axis of rotation, 1 + twice the cosine
        sum = cn_add3(sum, cn_cross3(axis[1][k], axis[0][k]));
        trace += cn_dot3(axis[0][k], axis[1][k]);
    }
    double sine = 0.5 * cn_norm3(sum), cosine = 0.5 * (trace - 1.0);
    cn_vec3 turn = sine > 0.0 ? cn_mul3(0.5 * atan2(sine, cosine) / sine, sum) : sum;
    cn_placed now = cn_interface_place(b, when, body, state);
    for (int k = 0; k < 3; k++) {
        bend[k] = cn_dot3(now.axis[(k + 1) % 3], turn);
    }
    if (b->dim == 2) {
        bend[0] = turn.z;
    }
}

void cn_interface_sow_beam(const cn_bodies *b, const int body[2], cn_vec3 tangent, double *state)
{
    cn_mat3 R = cn_interface_frame(b, CN_WHEN_START, body[1], 0);
    cn_vec3 on_j = cn_mat3_mul_transposed(&R, tangent);
    double *to = state + CN_BEAM_TANGENT_J;
    state[CN_BEAM_ALIVE] = 1.0;
    to[0] = on_j.x;
    to[1] = on_j.y;
    to[2] = on_j.z;
}
