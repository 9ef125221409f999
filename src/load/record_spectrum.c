// load/record_spectrum.c -- response spectrum of a record, theory 3.16 and 3.17.
//
// Acceleration is linear between samples, for which an oscillator moves as a closed form says:
// nothing is integrated. Extremes between the points where it is evaluated are those of the cubic
// through places and velocities.
#include <math.h>

#include "base/memory.h"
#include "cairn/record.h"

enum { PER_PERIOD = 32 }; // points of evaluation, at least

// u'' + 2 zeta w u' + w^2 u = -a; factors of a step of length h.
typedef struct oscillator {
    double w, zeta, w_damped;
    double h, decay, c, s;
    double u, v, most;
} oscillator;

static void take_step_length(oscillator *o, double h)
{
    if (o->h != h) {
        o->h = h;
        o->decay = exp(-o->zeta * o->w * h);
        o->c = cos(o->w_damped * h);
        o->s = sin(o->w_damped * h);
    }
}

// Largest |u| of the cubic with u0, v0 at the start and u1, v1 at the end of h, if it is inside.
static double extreme(double h, double u0, double v0, double u1, double v1)
{
    double A = (v0 + v1) / (h * h) - 2.0 * (u1 - u0) / (h * h * h);
    double B = (3.0 * (u1 - u0) / h - 2.0 * v0 - v1) / h;
    double root = B * B - 3.0 * A * v0;
    double q = -(B + (B < 0.0 ? -1.0 : 1.0) * sqrt(fmax(root, 0.0)));
    double most = 0.0;
    for (int k = 0; k < 2; k++) {
        double t = k == 0 ? q / (3.0 * A) : v0 / q;
        if (t > 0.0 && t < h) {
            most = fmax(most, fabs(u0 + t * (v0 + t * (B + t * A))));
        }
    }
    return most;
}

// A step under an acceleration that goes from a to a + slope h.
static void step(oscillator *o, double a, double slope)
{
    double w2 = o->w * o->w, drift = o->zeta * o->w;
    double B = -slope / w2, A = (-a - 2.0 * drift * B) / w2; // A + B t: what the load alone does
    double C = o->u - A, D = (o->v - B + drift * C) / o->w_damped;
    double u0 = o->u, v0 = o->v, wave = C * o->c + D * o->s;
    o->u = o->decay * wave + A + B * o->h;
    o->v = o->decay * (o->w_damped * (D * o->c - C * o->s) - drift * wave) + B;
    o->most = fmax(o->most, fabs(o->u));
    if ((v0 < 0.0) != (o->v < 0.0)) {
        o->most = fmax(o->most, extreme(o->h, u0, v0, o->u, o->v));
    }
}

static void cross(oscillator *o, double dt, double a, double b)
{
    double period = 2.0 * CN_PI / o->w;
    int parts = (int)fmin(ceil(PER_PERIOD * dt / period), 1e8);
    double slope = (b - a) / dt;
    take_step_length(o, dt / parts);
    for (int k = 0; k < parts; k++) {
        step(o, a + slope * o->h * k, slope);
    }
}

// Through the record, and one period of what is left of the motion.
static double largest_of(const cn_record *r, double period, double damping)
{
    oscillator o = {.w = 2.0 * CN_PI / period, .zeta = damping};
    o.w_damped = o.w * sqrt(1.0 - damping * damping);
    for (int k = 1; k < r->count; k++) {
        cross(&o, r->time[k] - r->time[k - 1], r->acceleration[k - 1], r->acceleration[k]);
    }
    cross(&o, period, 0.0, 0.0);
    return o.most;
}

cn_status cn_record_spectrum(const cn_record *record, double damping, int count,
                             const double *period, double *displacement, cn_error *err)
{
    CN_NEED(err, record, period, displacement);
    if (!(damping >= 0.0 && damping < 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "damping is %g, it must be >= 0 and < 1 of the critical",
                       damping);
    }
    for (int k = 0; k < count; k++) {
        if (!(period[k] > 0.0) || !isfinite(period[k])) {
            return cn_fail(err, CN_BAD_INPUT, "a period of %g s: it must be > 0", period[k]);
        }
        displacement[k] = largest_of(record, period[k], damping);
    }
    return CN_OK;
}
