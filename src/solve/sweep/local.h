// solve/sweep/local.h -- exact solution of one constraint with all others frozen, theory 8.5, 8.6
// and 8.7. Inlined into the sweeps; cn_core_solve is the same code behind the public interface.
#pragma once

#include <math.h>

#include "cairn/solver.h"
#include "solve/problem/rolling_cone.h"

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
    double r_n = -(W[3] * u_n - W[1] * u_t) * inv_det; // stick (8.5)
    double r_t = -(W[0] * u_t - W[2] * u_n) * inv_det;
    if (r_n > 0.0 && fabs(r_t) <= mu * r_n) {
        r[0] = r_n;
        r[1] = r_t;
        return;
    }
    double s = u_t * W[0] > W[2] * u_n ? -mu : mu; // slide against b = u_t - W_tn u_n / W_nn (8.6)
    r[0] = -u_n / (W[0] + s * W[1]);
    r[1] = s * r[0];
}

// The sliding contact in space as one scalar equation: eliminate r_n with u_n = 0,
//     r_t(x) = -(S + x I)^-1 b,  r_n(x) = -(u_n + W_nt . r_t) / W_nn,  phi(x) = mu r_n / |r_t| - 1
//     = 0
// with x = |u_t| / |r_t|, S = W_tt - W_tn W_nt / W_nn, b = u_t - W_tn u_n / W_nn (8.7). S need not
// be symmetric.
typedef struct cn_slide3 {
    double S[4], b[2], w[2]; // w: W_nt
    double u_n, W_nn, mu;
    double r_n, r_t[2]; // at the last x
} cn_slide3;

// phi and its derivative at x >= 0.
static inline double cn_slide3_at(cn_slide3 *s, double x, double *slope)
{
    double a = s->S[0] + x, d = s->S[3] + x;
    double inv = 1.0 / (a * d - s->S[1] * s->S[2]);
    double *r_t = s->r_t;
    r_t[0] = -(d * s->b[0] - s->S[1] * s->b[1]) * inv;
    r_t[1] = -(a * s->b[1] - s->S[2] * s->b[0]) * inv;
    s->r_n = -(s->u_n + s->w[0] * r_t[0] + s->w[1] * r_t[1]) / s->W_nn;
    double dr[2] = {-(d * r_t[0] - s->S[1] * r_t[1]) * inv, -(a * r_t[1] - s->S[2] * r_t[0]) * inv};
    double length2 = r_t[0] * r_t[0] + r_t[1] * r_t[1], length = sqrt(length2);
    double dr_n = -(s->w[0] * dr[0] + s->w[1] * dr[1]) / s->W_nn;
    double dlength = (r_t[0] * dr[0] + r_t[1] * dr[1]) / length;
    *slope = s->mu * (dr_n * length - s->r_n * dlength) / length2;
    return s->mu * s->r_n / length - 1.0;
}

// Root of phi: Newton, kept inside the bracket by bisection; phi(0) < 0 and phi > 0 for large x, so
// a root exists whatever the coupling. Starts at x and returns the root there.
static inline void cn_slide3_solve(cn_slide3 *s, double *x)
{
    double lo = 0.0, hi = INFINITY;
    for (int k = 0; k < 100; k++) {
        double slope, phi = cn_slide3_at(s, *x, &slope);
        if (fabs(phi) < 1e-14) {
            break;
        }
        if (phi < 0.0) {
            lo = *x;
        } else {
            hi = *x;
        }
        double next = *x - phi / slope;
        if (!(next > lo && next < hi)) {
            next = hi < INFINITY ? 0.5 * (lo + hi) : 4.0 * *x;
        }
        if (fabs(next - *x) <= 1e-15 * *x) {
            break;
        }
        *x = next;
    }
}

// Velocities below this are none: after thousands of sweeps some contacts shrink to where squares
// and quotients leave the range of numbers.
#define CN_SPEED_NONE 1e-100

// Signorini-Coulomb in space: the true disk, no facets. *x is the root of the last visit (0: none).
static inline void cn_cone3_solve(const double W[9], double mu, const double u[3], double *x,
                                  double r[3])
{
    r[0] = r[1] = r[2] = 0.0;
    if (u[0] > -CN_SPEED_NONE || !(W[0] > 0.0)) {
        return;
    }
    double inv = 1.0 / W[0];
    cn_slide3 s = {.S = {W[4] - W[3] * W[1] * inv, W[5] - W[3] * W[2] * inv,
                         W[7] - W[6] * W[1] * inv, W[8] - W[6] * W[2] * inv},
                   .b = {u[1] - W[3] * u[0] * inv, u[2] - W[6] * u[0] * inv},
                   .w = {W[1], W[2]},
                   .u_n = u[0],
                   .W_nn = W[0],
                   .mu = mu};
    r[0] = -u[0] * inv;
    if (mu < CN_FRICTION_NONE || fabs(s.b[0]) + fabs(s.b[1]) < CN_SPEED_NONE) {
        return;
    }
    // Stick is x = 0. Where bodies cannot move along a tangent S is singular; an x that no velocity
    // feels makes up for it, since a friction along that tangent does nothing.
    double det = s.S[0] * s.S[3] - s.S[1] * s.S[2], trace = s.S[0] + s.S[3], slope;
    if (trace > 0.0) {
        double phi = cn_slide3_at(&s, det > 1e-14 * s.S[0] * s.S[3] ? 0.0 : 1e-12 * trace, &slope);
        if (phi >= 0.0 && s.r_n > 0.0) {
            r[0] = s.r_n;
            r[1] = s.r_t[0];
            r[2] = s.r_t[1];
            return;
        }
    }
    if (!(*x > 0.0)) {
        *x = trace > 0.0 ? 0.5 * trace : -(fabs(s.b[0]) + fabs(s.b[1])) / (mu * u[0] * inv);
    }
    cn_slide3_solve(&s, x);
    double scale = mu * s.r_n / sqrt(s.r_t[0] * s.r_t[0] + s.r_t[1] * s.r_t[1]);
    r[0] = s.r_n;
    r[1] = scale * s.r_t[0];
    r[2] = scale * s.r_t[1];
}

// 1 / det of a 2x2 block, 0 when it is singular to rounding.
static inline double cn_inverse_det2(const double W[4])
{
    double det = W[0] * W[3] - W[1] * W[2];
    return det > 1e-14 * W[0] * W[3] ? 1.0 / det : 0.0;
}

// r' of a core for the block W' (rows x rows, row-major) and velocity u'. x holds the roots of the
// last visit (0: none): CN_DISC_MAX with moments, else one.
void cn_local_solve(const cn_core *core, int rows, const double *W, const double *u, double *x,
                    double *r);

// Status of (u', r').
cn_contact_status cn_core_status(const cn_core *core, int rows, const double *u, const double *r,
                                 double v_small);
