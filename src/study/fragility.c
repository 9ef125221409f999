// study/fragility.c -- lognormal fragility curves, from capacities or from outcomes (theory 16.26
// and 16.27).
#include <math.h>

#include "base/memory.h"
#include "cairn/study.h"
#include "cairn/vec.h"

enum { ITERATION_MAX = 100, HALVING_MAX = 40 };

// Of the standard normal distribution. The complement keeps its digits in the tail.
static double probability(double x)
{
    return 0.5 * erfc(-x * sqrt(0.5));
}

static double density(double x)
{
    return exp(-0.5 * x * x) / sqrt(2.0 * CN_PI);
}

double cn_fragility_at(const cn_fragility *fit, double intensity)
{
    return fit != NULL && intensity > 0.0 ? probability(log(intensity / fit->theta) / fit->beta)
                                          : 0.0;
}

static cn_status check(int count, const double *intensity, cn_error *err)
{
    if (count < 2) {
        return cn_fail(err, CN_BAD_INPUT, "a fragility needs at least two intensities, got %d",
                       count);
    }
    for (int k = 0; k < count; k++) {
        if (!(intensity[k] > 0.0 && isfinite(intensity[k]))) {
            return cn_fail(err, CN_BAD_INPUT, "intensities are > 0, got %g", intensity[k]);
        }
    }
    return CN_OK;
}

cn_status cn_fragility_of_capacities(int count, const double *capacity, cn_fragility *fit,
                                     cn_error *err)
{
    CN_NEED(err, capacity, fit);
    CN_TRY(check(count, capacity, err));
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < count; k++) {
        mean += log(capacity[k]) / count;
    }
    for (int k = 0; k < count; k++) {
        double off = log(capacity[k]) - mean;
        square += off * off;
    }
    double beta = sqrt(square / (count - 1));
    if (!(beta > 1e-12)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "all %d capacities are %g: they have no spread to fit a fragility to", count,
                       capacity[0]);
    }
    *fit = (cn_fragility){.count = count,
                          .theta = exp(mean),
                          .beta = beta,
                          .theta_error = beta / sqrt(count),
                          .beta_error = beta / sqrt(2.0 * (count - 1))};
    return CN_OK;
}

// ---- outcomes: P = Phi(a + b x) with x = ln s - middle

typedef struct outcomes {
    int count;
    const double *intensity;
    const bool *has_failed;
    double middle;
} outcomes;

static double logarithm(const outcomes *o, int k)
{
    return log(o->intensity[k]) - o->middle;
}

static double likelihood(const outcomes *o, double a, double b)
{
    double sum = 0.0;
    for (int k = 0; k < o->count; k++) {
        double at = a + b * logarithm(o, k);
        sum += log(probability(o->has_failed[k] ? at : -at));
    }
    return sum;
}

// Gradient of the likelihood and Fisher's information, aa ab bb.
static void slopes(const outcomes *o, double a, double b, double gradient[2], double fisher[3])
{
    gradient[0] = gradient[1] = fisher[0] = fisher[1] = fisher[2] = 0.0;
    for (int k = 0; k < o->count; k++) {
        double x = logarithm(o, k), at = a + b * x;
        double p = density(at), up = probability(at), down = probability(-at);
        double slope = o->has_failed[k] ? p / up : -p / down, weight = p * p / (up * down);
        gradient[0] += slope;
        gradient[1] += slope * x;
        fisher[0] += weight;
        fisher[1] += weight * x;
        fisher[2] += weight * x * x;
    }
}

// Whether some failure is at a lower intensity than some survival: else the likelihood has no
// largest value.
static bool overlaps(const outcomes *o)
{
    double weakest = INFINITY, strongest = 0.0;
    for (int k = 0; k < o->count; k++) {
        double s = o->intensity[k];
        weakest = o->has_failed[k] ? fmin(weakest, s) : weakest;
        strongest = o->has_failed[k] ? strongest : fmax(strongest, s);
    }
    return weakest < strongest;
}

// One scoring step, halved until the likelihood grows; false where it does no more.
static bool climb(const outcomes *o, double *a, double *b)
{
    double g[2], f[3];
    slopes(o, *a, *b, g, f);
    double det = f[0] * f[2] - f[1] * f[1];
    double da = (f[2] * g[0] - f[1] * g[1]) / det, db = (f[0] * g[1] - f[1] * g[0]) / det;
    double now = likelihood(o, *a, *b);
    for (int n = 0; n < HALVING_MAX; n++, da *= 0.5, db *= 0.5) {
        if (likelihood(o, *a + da, *b + db) > now) {
            *a += da;
            *b += db;
            return true;
        }
    }
    return false;
}

cn_status cn_fragility_of_outcomes(int count, const double *intensity, const bool *has_failed,
                                   cn_fragility *fit, cn_error *err)
{
    CN_NEED(err, intensity, has_failed, fit);
    CN_TRY(check(count, intensity, err));
    outcomes o = {count, intensity, has_failed, 0.0};
    for (int k = 0; k < count; k++) {
        o.middle += log(intensity[k]) / count;
    }
    if (!overlaps(&o)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "failures and survivals of the %d runs do not overlap: no fragility is the "
                       "most likely one; take more intensities between, or bisect",
                       count);
    }
    double a = 0.0, b = 1.0, g[2], f[3];
    for (int n = 0; n < ITERATION_MAX && climb(&o, &a, &b); n++) {
    }
    slopes(&o, a, b, g, f);
    double det = f[0] * f[2] - f[1] * f[1];
    if (!(b > 0.0 && det > 0.0 && fabs(g[0]) + fabs(g[1]) < 1e-5 * count)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "failures do not become more likely with the intensity in these %d runs",
                       count);
    }
    // ln theta = middle - a/b, beta = 1/b
    double aa = f[2] / det, ab = -f[1] / det, bb = f[0] / det;
    double of_theta = aa / (b * b) - 2.0 * a * ab / (b * b * b) + a * a * bb / (b * b * b * b);
    *fit = (cn_fragility){.count = count,
                          .theta = exp(o.middle - a / b),
                          .beta = 1.0 / b,
                          .theta_error = sqrt(of_theta),
                          .beta_error = sqrt(bb) / (b * b)};
    return CN_OK;
}
