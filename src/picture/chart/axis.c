// picture/chart/axis.c
#include "picture/chart/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double cn_round_below(double x)
{
    double power = pow(10.0, floor(log10(x)));
    double mantissa = x / power * (1.0 + 1e-12);
    return power * (mantissa >= 10.0 ? 10.0 : mantissa >= 5.0 ? 5.0 : mantissa >= 2.0 ? 2.0 : 1.0);
}

// "1.5e-06" -> "1.5e-6", in place.
static void tidy_exponent(char *text)
{
    char *e = strchr(text, 'e');
    if (e == NULL) {
        return;
    }
    char *to = e[1] == '-' ? e + 2 : e + 1;
    char *from = e + 2;
    while (*from == '0' && from[1] != '\0') {
        from++;
    }
    memmove(to, from, strlen(from) + 1);
}

void cn_number_text(double x, char *text, int size)
{
    double magnitude = fabs(x);
    if (magnitude >= 1000.0 && magnitude < 1e6) { // %g would write 1.23e+03
        double unit = pow(10.0, floor(log10(magnitude)) - 2.0);
        snprintf(text, (size_t)size, "%.0f", floor(x / unit + 0.5) * unit);
        return;
    }
    snprintf(text, (size_t)size, "%.3g", x);
    tidy_exponent(text);
}

void cn_quantity_text(double x, const char *unit, char *text, int size)
{
    static const char *const prefix[] = {"n", "u", "m", "", "k", "M", "G"};
    int k = x != 0.0 && isfinite(x) ? (int)floor(log10(fabs(x) * 1.0001) / 3.0) : 0;
    char number[32];
    if (k < -3 || k > 3) {
        k = 0;
    }
    cn_number_text(x / pow(10.0, 3 * k), number, sizeof number);
    snprintf(text, (size_t)size, "%s %s%s", number, prefix[k + 3], unit);
}

static void fit_log(cn_axis *axis, double low, double high, bool is_tight)
{
    if (!(high > 0.0) || !isfinite(high)) {
        high = 1.0;
    }
    high = fmin(fmax(high, 1e-300), 1e300);
    if (!(low > 0.0) || low > high) {
        low = 0.1 * high;
    }
    low = fmax(low, fmax(high * 1e-16, 1e-305));
    if (high < 2.0 * low) {
        high *= 2.0;
        low *= 0.5;
    }
    double pad = is_tight ? 1.0 : pow(high / low, 0.04);
    axis->min = low / pad;
    axis->max = high * pad;
}

static void fit_linear(cn_axis *axis, double low, double high, bool is_tight)
{
    if (!isfinite(low) || !isfinite(high) || low > high) {
        low = 0.0;
        high = 1.0;
    }
    double span = high - low, size = fmax(fabs(low), fabs(high));
    if (!isfinite(span)) { // both near the largest double
        low = fmax(low, -1e307);
        high = fmin(high, 1e307);
        span = high - low;
    }
    if (!(span > 1e-12 * size) || !(span > 1e-300)) {
        double room = size > 1e-290 ? 0.1 * size : 1.0;
        axis->min = low - room;
        axis->max = high + room;
        return;
    }
    double pad = is_tight ? 0.0 : 0.05 * span;
    if (is_tight && low > 0.0 && low < 0.02 * high) {
        low = 0.0; // a first step close to zero
    }
    if (!is_tight && low > 0.0 && low < 0.5 * high) {
        low = 0.0;
    }
    if (!is_tight && high < 0.0 && high > 0.5 * low) {
        high = 0.0;
    }
    axis->min = low == 0.0 ? 0.0 : low - pad;
    axis->max = high == 0.0 ? 0.0 : high + pad;
}

void cn_axis_fit(cn_axis *axis, double low, double high, bool is_log, bool is_tight)
{
    *axis = (cn_axis){.is_log = is_log};
    if (is_log) {
        fit_log(axis, low, high, is_tight);
    } else {
        fit_linear(axis, low, high, is_tight);
    }
}

static void add_tick(cn_axis *axis, double value)
{
    if (axis->tick_count < CN_TICK_MAX) {
        axis->tick[axis->tick_count++] = value;
    }
}

static void mark_linear(cn_axis *axis, int wanted)
{
    double span = axis->max - axis->min;
    double step = cn_round_below(span / wanted * 1.5);
    double size = fmax(fabs(axis->min), fabs(axis->max));
    if (size >= 1e5 || size < 1e-2) {
        axis->exponent = 3 * (int)floor(log10(size) / 3.0);
    }
    double unit = pow(10.0, axis->exponent);
    int decimals = (int)fmin(fmax(ceil(-log10(step / unit) - 1e-9), 0.0), 12.0);
    double first = ceil(axis->min / step - 1e-9);
    for (int k = 0; k < CN_TICK_MAX && (first + k) * step <= axis->max + 1e-9 * span; k++) {
        double value = (first + k) * step + 0.0; // + 0.0: no minus zero
        snprintf(axis->label[k], sizeof axis->label[k], "%.*f", decimals, value / unit);
        add_tick(axis, value);
    }
}

static void mark_log(cn_axis *axis, int wanted)
{
    double low = log10(axis->min), high = log10(axis->max);
    int stride = (int)fmax(1.0, ceil((high - low) / wanted));
    bool is_short = high - low < 1.5;         // 1 2 5 within the decades
    bool is_plain = low > -3.5 && high < 4.5; // 0.001 to 10000, all written out
    for (int decade = (int)floor(low); decade <= high; decade++) {
        for (int k = 0; k < (is_short ? 3 : 1); k++) {
            static const double part[3] = {1.0, 2.0, 5.0};
            double value = part[k] * pow(10.0, decade);
            bool is_seen = value >= axis->min * (1 - 1e-9) && value <= axis->max * (1 + 1e-9);
            if (is_seen && decade % stride == 0 && axis->tick_count < CN_TICK_MAX) {
                char *label = axis->label[axis->tick_count];
                snprintf(label, sizeof axis->label[0], is_plain ? "%g" : "%.0e", value);
                tidy_exponent(label);
                add_tick(axis, value);
            }
        }
    }
}

void cn_axis_mark(cn_axis *axis, int wanted)
{
    axis->tick_count = 0;
    axis->exponent = 0;
    if (axis->is_log) {
        mark_log(axis, wanted);
    } else {
        mark_linear(axis, wanted);
    }
}

double cn_axis_at(const cn_axis *axis, double value)
{
    if (!isfinite(value) || (axis->is_log && !(value > 0.0))) {
        return NAN;
    }
    double t = axis->is_log ? log(value / axis->min) / log(axis->max / axis->min)
                            : (value - axis->min) / (axis->max - axis->min);
    t = fmin(fmax(t, -1e6), 1e6); // keeps far-off points within sane pixels
    return axis->pixel[0] + t * (axis->pixel[1] - axis->pixel[0]);
}
