// solve/local.h -- exact solution of one constraint with all others frozen, theory 5.6 and 5.7.
// Inlined into the sweeps; cn_core_solve is the same code behind the public interface.
#pragma once

#include <math.h>

#include "cairn/solver.h"

// Signorini-Coulomb in 2D by enumeration. W is the block W' = W_aa + c (nn nt tn tt), inv_det the
// inverse of its determinant (0: singular, sticking is not tried), u the velocity u'_rest; writes
// r'.
static inline void cn_cone2_solve(const double W[4], double inv_det, double mu, double u_n,
                                  double u_t, double r[2])
{
    if (u_n >= 0.0 || !(W[0] > 0.0)) {
        r[0] = r[1] = 0.0;
        return;
    }
    double r_n = -(W[3] * u_n - W[1] * u_t) * inv_det; // stick (5.6)
    double r_t = -(W[0] * u_t - W[2] * u_n) * inv_det;
    if (r_n > 0.0 && fabs(r_t) <= mu * r_n) {
        r[0] = r_n;
        r[1] = r_t;
        return;
    }
    double s = u_t * W[0] > W[2] * u_n ? -mu : mu; // slide against b = u_t - W_tn u_n / W_nn (5.7)
    r[0] = -u_n / (W[0] + s * W[1]);
    r[1] = s * r[0];
}

// 1 / det of a 2x2 block, 0 when it is singular to rounding.
static inline double cn_inverse_det2(const double W[4])
{
    double det = W[0] * W[3] - W[1] * W[2];
    return det > 1e-14 * W[0] * W[3] ? 1.0 / det : 0.0;
}

// Painleve (5.11): with |mu W_nt| >= W_nn one contact has several solutions or none that slides.
static inline bool cn_is_painleve(double mu, const double *W)
{
    return fabs(mu * W[1]) >= W[0] && W[0] > 0.0;
}

// r' of a core for the block W' (rows x rows, row-major) and velocity u'.
void cn_local_solve(const cn_core *core, int rows, const double *W, const double *u, double *r);

// Status of (u', r').
cn_contact_status cn_core_status(const cn_core *core, int rows, const double *u, const double *r,
                                 double v_small);
