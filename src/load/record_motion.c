// load/record_motion.c -- velocity and displacement of a record, its corrections and measures.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "load/ground_record.h"

// Fills in the velocities. Acceleration is linear between samples (3.12), so that trapezoids are
// exact.
static void integrate(cn_record *r)
{
    for (int k = 0; k < r->count; k++) {
        r->velocity[k] =
            k == 0 ? 0.0
                   : r->velocity[k - 1] + 0.5 * (r->time[k] - r->time[k - 1]) *
                                              (r->acceleration[k - 1] + r->acceleration[k]);
    }
}

static void fade_ends(double share, cn_record *r)
{
    double end = r->time[r->count - 1], length = share * end;
    for (int k = 0; k < r->count && length > 0.0; k++) {
        double from_end = fmin(r->time[k], end - r->time[k]);
        if (from_end < length) {
            r->acceleration[k] *= 0.5 * (1.0 - cos(CN_PI * from_end / length));
        }
    }
}

enum { TERM_MAX = 3 };

// Solves the normal equations A c = b by elimination; A is positive definite.
static void solve(int n, double A[TERM_MAX][TERM_MAX], double b[TERM_MAX])
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            double share = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) {
                A[i][j] -= share * A[k][j];
            }
            b[i] -= share * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= A[k][j] * b[j];
        }
        b[k] /= A[k][k];
    }
}

// Takes sum_j c_j t^j, j < n, off the acceleration such that the squares of the velocity over the
// samples are least (3.13). The velocities of the terms are sums of trapezoids like that of the
// record, so that what is corrected once is not changed by correcting it again.
static void take_baseline(int n, cn_record *r)
{
    double A[TERM_MAX][TERM_MAX] = {{0.0}}, b[TERM_MAX] = {0.0}, v[TERM_MAX] = {0.0};
    double end = r->time[r->count - 1];
    integrate(r);
    for (int k = 1; k < r->count; k++) {
        double from = r->time[k - 1] / end, to = r->time[k] / end;
        for (int j = 0; j < n; j++) {
            v[j] += 0.5 * (to - from) * (pow(from, j) + pow(to, j));
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                A[i][j] += v[i] * v[j];
            }
            b[i] += v[i] * r->velocity[k] / end;
        }
    }
    solve(n, A, b);
    for (int k = 0; k < r->count; k++) {
        for (int j = 0; j < n; j++) {
            r->acceleration[k] -= b[j] * pow(r->time[k] / end, j);
        }
    }
}

cn_status cn_record_correct(const cn_record_def *def, cn_record *r, cn_error *err)
{
    fade_ends(def->taper, r);
    int terms = (int)def->baseline; // none, constant, linear, quadratic
    if (terms > 0 && r->count > terms) {
        take_baseline(terms, r);
    }
    CN_TRY(cn_record_filter(def->band, r, err));
    for (int k = 0; k < r->count; k++) {
        r->acceleration[k] *= def->scale;
    }
    integrate(r);
    return CN_OK;
}

double cn_record_velocity_at(const cn_record *r, double t)
{
    if (r == NULL || r->count == 0 || t <= r->time[0]) {
        return 0.0;
    }
    int low = 0, high = r->count - 1;
    if (t >= r->time[high]) {
        return r->velocity[high];
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (r->time[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double s = t - r->time[low], dt = r->time[high] - r->time[low];
    double slope = (r->acceleration[high] - r->acceleration[low]) / dt;
    return r->velocity[low] + s * (r->acceleration[low] + 0.5 * s * slope);
}

// Largest velocity in the interval before sample k: at its ends, or where the acceleration is zero.
static double largest_velocity(const cn_record *r, int k)
{
    double a = r->acceleration[k - 1], b = r->acceleration[k], most = fabs(r->velocity[k]);
    if ((a < 0.0) != (b < 0.0) && a != b) {
        double s = (r->time[k] - r->time[k - 1]) * a / (a - b);
        most = fmax(most, fabs(r->velocity[k - 1] + 0.5 * s * a));
    }
    return most;
}

// Time at which a share of the integral of a^2 is reached.
static double time_of_share(const cn_record *r, double wanted)
{
    double sum = 0.0;
    for (int k = 1; k < r->count; k++) {
        double a = r->acceleration[k - 1], b = r->acceleration[k], dt = r->time[k] - r->time[k - 1];
        double more = dt * (a * a + a * b + b * b) / 3.0;
        if (sum + more >= wanted && more > 0.0) {
            return r->time[k - 1] + dt * (wanted - sum) / more;
        }
        sum += more;
    }
    return r->count > 0 ? r->time[r->count - 1] : 0.0;
}

cn_record_measure cn_record_measured(const cn_record *r)
{
    cn_record_measure m = {0};
    double energy = 0.0, x = 0.0;
    if (r == NULL || r->count < 2) {
        return m;
    }
    m.duration = r->time[r->count - 1];
    m.dt = m.duration / (r->count - 1);
    m.pga = fabs(r->acceleration[0]);
    for (int k = 1; k < r->count; k++) {
        double a = r->acceleration[k - 1], b = r->acceleration[k], dt = r->time[k] - r->time[k - 1];
        energy += dt * (a * a + a * b + b * b) / 3.0;
        x += dt * r->velocity[k - 1] + dt * dt * (2.0 * a + b) / 6.0; // (3.14)
        m.pga = fmax(m.pga, fabs(b));
        m.pgv = fmax(m.pgv, largest_velocity(r, k));
        m.pgd = fmax(m.pgd, fabs(x));
        m.dt_deviation = fmax(m.dt_deviation, fabs(dt - m.dt));
    }
    m.arias = 0.5 * CN_PI / CN_RECORD_G * energy;
    m.d5_95 = time_of_share(r, 0.95 * energy) - time_of_share(r, 0.05 * energy);
    m.velocity_end = r->velocity[r->count - 1];
    m.displacement_end = x;
    return m;
}
