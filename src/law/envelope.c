// law/envelope.c -- see envelope.h.
#include "law/envelope.h"

#include <math.h>

// Traction over its peak where shapes without an end are taken to be broken: what is left of their
// energy is spent there.
static const double TAIL = 1e-3;

cn_envelope cn_envelope_make(const cn_envelope_def *def)
{
    cn_envelope e = {.shape = def->shape, .C = def->C, .G = def->G, .onset = def->onset};
    if (def->shape == CN_ENVELOPE_MAC) {
        e.onset = sqrt(e.G / e.C);
    } else if (def->shape == CN_ENVELOPE_MP) {
        e.onset = def->mp_onset;
    }
    double s = e.peak = e.C * e.onset;
    switch (def->shape) {
    case CN_ENVELOPE_MAC: // T/s = (d_i/d)^3
        e.end = e.onset / cbrt(TAIL);
        break;
    case CN_ENVELOPE_MP:
        e.end = 3.0 * e.onset;
        break;
    case CN_ENVELOPE_PARABOLIC:
        e.end = e.onset + 1.5 * (e.G / s - 0.5 * e.onset);
        break;
    case CN_ENVELOPE_TRAPEZOID:
        e.knee = fmax(def->plateau, e.onset);
        e.s_knee = s;
        e.end = 2.0 * e.G / s + e.onset - e.knee;
        break;
    case CN_ENVELOPE_BILINEAR:
        e.end = def->end;
        e.s_knee = 2.0 * e.G * (1.0 - def->share) / e.end;
        e.knee = (2.0 * e.G * def->share + e.s_knee * e.onset) / s;
        break;
    case CN_ENVELOPE_EXPONENTIAL:
        e.end = e.onset - (e.G / s - 0.5 * e.onset) * log(TAIL);
        break;
    default:
        e.end = 2.0 * e.G / s;
        break;
    }
    return e;
}

// Traction at an opening between onset and end.
static double traction(const cn_envelope *e, double d)
{
    double x = d - e->onset, s = e->peak, width = e->end - e->onset;
    switch (e->shape) {
    case CN_ENVELOPE_MAC:
        return e->G * e->G / (e->C * d * d * d);
    case CN_ENVELOPE_MP:
        return e->C * d * (3.0 * e->onset - d) / (e->onset + d);
    case CN_ENVELOPE_PARABOLIC:
        return s * (1.0 - x * x / (width * width));
    case CN_ENVELOPE_TRAPEZOID:
        return d < e->knee ? s : s * (e->end - d) / (e->end - e->knee);
    case CN_ENVELOPE_BILINEAR:
        return d < e->knee ? s + (e->s_knee - s) * x / (e->knee - e->onset)
                           : e->s_knee * (e->end - d) / (e->end - e->knee);
    case CN_ENVELOPE_EXPONENTIAL:
        return s * exp(-x / (e->G / s - 0.5 * e->onset));
    default:
        return s * (e->end - d) / width;
    }
}

// Work of the traction from the onset to an opening d.
static double softening_work(const cn_envelope *e, double d)
{
    double x = d - e->onset, s = e->peak, width = e->end - e->onset;
    double left = fmax(d - e->knee, 0.0), first = fmin(d, e->knee) - e->onset;
    switch (e->shape) {
    case CN_ENVELOPE_MAC:
        return 0.5 * e->G * e->G / e->C * (1.0 / (e->onset * e->onset) - 1.0 / (d * d));
    case CN_ENVELOPE_MP: {
        double y = d / e->onset;
        double at = -0.5 * y * y + 4.0 * y - 4.0 * log(1.0 + y);
        return e->C * e->onset * e->onset * (at - 3.5 + 4.0 * log(2.0));
    }
    case CN_ENVELOPE_PARABOLIC:
        return s * x * (1.0 - x * x / (3.0 * width * width));
    case CN_ENVELOPE_TRAPEZOID:
    case CN_ENVELOPE_BILINEAR: {
        double slope = (e->s_knee - s) / (e->knee > e->onset ? e->knee - e->onset : 1.0);
        return first * (s + 0.5 * slope * first) +
               e->s_knee * left * (1.0 - 0.5 * left / (e->end - e->knee));
    }
    case CN_ENVELOPE_EXPONENTIAL: {
        double a = e->G / s - 0.5 * e->onset;
        return s * a * (1.0 - exp(-x / a));
    }
    default:
        return s * x * (1.0 - 0.5 * x / width);
    }
}

double cn_envelope_secant(const cn_envelope *e, double d)
{
    if (d <= e->onset) {
        return 1.0;
    }
    return d >= e->end ? 0.0 : fmin(fmax(traction(e, d) / (e->C * d), 0.0), 1.0);
}

// The opening at which S is left: it falls with d, so halving finds it.
static double opening_of(const cn_envelope *e, double S)
{
    double low = e->onset, high = e->end;
    for (int k = 0; k < 200 && low < high; k++) {
        double d = 0.5 * (low + high);
        if (!(d > low && d < high)) {
            break;
        }
        if (traction(e, d) > S * e->C * d) {
            low = d;
        } else {
            high = d;
        }
    }
    return low;
}

double cn_envelope_spent(const cn_envelope *e, double S)
{
    if (S >= 1.0) {
        return 0.0;
    }
    if (S <= 0.0) {
        return e->G;
    }
    double d = opening_of(e, S);
    return 0.5 * e->C * e->onset * e->onset + softening_work(e, d) - 0.5 * S * e->C * d * d;
}
