// picture/chart/axis.h -- round numbers: axes with ticks, scale bars, values with few digits.
#pragma once

#include <stdbool.h>

enum { CN_TICK_MAX = 24 };

// Maps values to pixels; `pixel` may run either way.
typedef struct cn_axis {
    bool is_log;
    double min, max; // values at the ends
    double pixel[2]; // where the ends are
    int exponent;    // labels show value / 10^exponent; 0 unless numbers are tiny or huge
    int tick_count;
    double tick[CN_TICK_MAX];
    char label[CN_TICK_MAX][24];
} cn_axis;

// Range that shows the values from `low` to `high` well. Not finite, reversed or equal values give
// a range around what there is; a logarithmic axis shows positive values only, at most 16 decades.
// `is_tight`: end exactly at the values (a first value close to 0 starts at 0).
void cn_axis_fit(cn_axis *axis, double low, double high, bool is_log, bool is_tight);

// Round ticks, about `wanted` of them, with labels.
void cn_axis_mark(cn_axis *axis, int wanted);

// Position of a value; NaN if it cannot be shown (not finite, or <= 0 on a logarithmic axis).
double cn_axis_at(const cn_axis *axis, double value);

// Largest of 1, 2, 5 times a power of ten that is <= x; x > 0.
double cn_round_below(double x);

// "0.125", "1.5e-6", "96800": three digits, no needless zeros. `size` bytes.
void cn_number_text(double x, char *text, int size);

// With a prefix that suits it: "20 mm", "5 m", "1.2 kN".
void cn_quantity_text(double x, const char *unit, char *text, int size);
