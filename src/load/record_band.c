// load/record_band.c -- what of a record is between two frequencies, theory 3.15.
//
// Butterworth filters of fourth order as two sections of second order, forward and then backward
// in time: no phase is shifted, and the gain is that of one pass squared.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "load/ground_record.h"

enum { ORDER = 4 };
static const double QUALITY[ORDER / 2] = {0.5411961001461971, 1.3065629648763766}; // 1/(2 cos)
static const double UNEVEN = 1e-3;     // of the interval: times that differ more are no samples
static const double PAD = 1.5 * ORDER; // of zeros, over the lower frequency [periods]
static const double PAD_MOST = 1e8;    // samples

// y = b0 x + b1 x_1 + b2 x_2 - a1 y_1 - a2 y_2
typedef struct section {
    double b[3], a[2];
} section;

// Bilinear transform of a section with K = tan(pi f dt).
static section section_of(double K, double Q, bool is_high_pass)
{
    double norm = 1.0 / (1.0 + K / Q + K * K), b0 = is_high_pass ? norm : K * K * norm;
    return (section){.b = {b0, is_high_pass ? -2.0 * b0 : 2.0 * b0, b0},
                     .a = {2.0 * (K * K - 1.0) * norm, (1.0 - K / Q + K * K) * norm}};
}

// One section in place, from the end to the start if `step` is -1.
static void run_section(const section *f, double *x, long count, int step)
{
    double x1 = 0.0, x2 = 0.0, y1 = 0.0, y2 = 0.0;
    for (long n = 0; n < count; n++) {
        double *at = step > 0 ? &x[n] : &x[count - 1 - n], now = *at;
        double y = f->b[0] * now + f->b[1] * x1 + f->b[2] * x2 - f->a[0] * y1 - f->a[1] * y2;
        x2 = x1;
        x1 = now;
        y2 = y1;
        y1 = y;
        *at = y;
    }
}

static void filter(double frequency, double dt, bool is_high_pass, double *x, long count)
{
    double K = tan(CN_PI * frequency * dt);
    for (int step = 1; step >= -1; step -= 2) {
        for (int k = 0; k < ORDER / 2; k++) {
            section f = section_of(K, QUALITY[k], is_high_pass);
            run_section(&f, x, count, step);
        }
    }
}

static cn_status check(const cn_record *r, const double band[2], double dt, cn_error *err)
{
    double highest = 0.5 / dt;
    if (!(band[0] >= 0.0) || !(band[1] >= 0.0) || (band[1] > 0.0 && band[0] >= band[1]) ||
        !(fmax(band[0], band[1]) < highest)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a band from %g to %g Hz: the first is less than the second, and both are "
                       "below %g Hz, half of one over the interval",
                       band[0], band[1], highest);
    }
    for (int k = 1; k < r->count; k++) {
        if (!(fabs(r->time[k] - r->time[k - 1] - dt) <= UNEVEN * dt)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a band needs times that are evenly spaced: %g s after sample %d, %g s "
                           "on average",
                           r->time[k] - r->time[k - 1], k, dt);
        }
    }
    return CN_OK;
}

cn_status cn_record_filter(const double band[2], cn_record *r, cn_error *err)
{
    if (band[0] == 0.0 && band[1] == 0.0) {
        return CN_OK;
    }
    double dt = r->time[r->count - 1] / (r->count - 1);
    CN_TRY(check(r, band, dt, err));
    double zeros = band[0] > 0.0 ? ceil(PAD / (band[0] * dt)) : ceil(PAD / (band[1] * dt));
    if (!(zeros <= PAD_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "a band that begins at %g Hz needs %g samples", band[0],
                       zeros);
    }
    long pad = (long)zeros, count = r->count + 2 * pad;
    double *x = cn_resize(NULL, NULL, sizeof *x * (size_t)count);
    if (x == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a record of %ld samples", count);
    }
    memset(x, 0, sizeof *x * (size_t)count);
    memcpy(x + pad, r->acceleration, sizeof *x * (size_t)r->count);
    if (band[0] > 0.0) {
        filter(band[0], dt, true, x, count);
    }
    if (band[1] > 0.0) {
        filter(band[1], dt, false, x, count);
    }
    memcpy(r->acceleration, x + pad, sizeof *x * (size_t)r->count);
    cn_release(NULL, x);
    return CN_OK;
}
