// generate/pack/size.c -- sizes of grains: one, drawn at random, or along a curve of masses.
//
// Curves of practice tell masses: of what share of the mass a grain of size r is. Grains are drawn
// one by one, so that the density of their numbers is the density of mass over r^dim. An even draw
// replaces the random number of grain k by the fractional part of k times the golden ratio: any
// number of grains then has the curve as closely as such a number can (Niederreiter 1992, 3.1).
#include "base/hash.h"
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/pack/grain.h"

#define NORMAL_CUT 3.0 // standard deviations

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15; // fractional part of the golden ratio, 2^64ths

// ---- checks

static cn_status check_list(const cn_size_def *size, cn_error *err)
{
    if (size->value.count < 1 ||
        (size->share.count > 0 && size->share.count != size->value.count)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a list of sizes needs at least one value and as many shares as values, got "
                       "%d values and %d shares",
                       size->value.count, size->share.count);
    }
    double sum = 0.0;
    for (int k = 0; k < size->value.count; k++) {
        double share = size->share.count > 0 ? size->share.value[k] : 1.0;
        CN_TRY(cn_check_length("size in a list", size->value.value[k], err));
        if (!(share >= 0.0 && isfinite(share))) {
            return cn_fail(err, CN_BAD_INPUT,
                           "share %d of a list of sizes must be at least 0, got %g", k + 1, share);
        }
        sum += share;
    }
    if (!(sum > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "the shares of a list of sizes are all 0");
    }
    return CN_OK;
}

static cn_status check_beta(const cn_size_def *size, cn_error *err)
{
    double least = size->between[0], most = size->between[1];
    CN_TRY(cn_check_length("smallest radius", least, err));
    if (!(least < most && most <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "beta between [%g, %g]: the smaller radius comes first",
                       least, most);
    }
    if (!(size->a >= 1.0 && size->a <= 100.0 && size->b >= 1.0 && size->b <= 100.0)) {
        return cn_fail(err, CN_BAD_INPUT, "beta: a and b are numbers from 1 to 100, got %g and %g",
                       size->a, size->b);
    }
    return CN_OK;
}

// Both rows of a curve rise, the first strictly, the second from 0 to 100.
static cn_status check_curve(const cn_size_def *size, cn_error *err)
{
    int count = size->diameter.count;
    const double *d = size->diameter.value, *p = size->passing.value;
    if (count < 2 || size->passing.count != count) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a curve of sizes needs at least two diameters and as many values of "
                       "passing, got %d and %d",
                       count, size->passing.count);
    }
    for (int k = 0; k < count; k++) {
        CN_TRY(cn_check_length("diameter of a curve", d[k], err));
        if (k > 0 && !(d[k] > d[k - 1] && p[k] >= p[k - 1])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a curve of sizes rises: diameter %g m lets %g %% pass, the one before, "
                           "%g m, lets %g %%",
                           d[k], p[k], d[k - 1], p[k - 1]);
        }
    }
    if (p[0] != 0.0 || p[count - 1] != 100.0) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "a curve of sizes begins where 0 %% pass and ends where 100 %% do, got %g %% "
            "and %g %%; add the diameters of the smallest and the largest grain",
            p[0], p[count - 1]);
    }
    return CN_OK;
}

cn_status cn_size_check(const cn_size_def *size, cn_error *err)
{
    double a = size->pair[0], b = size->pair[1];
    switch (size->kind) {
    case CN_SIZE_CONSTANT:
        return cn_check_length("radius", size->constant, err);
    case CN_SIZE_UNIFORM:
        CN_TRY(cn_check_length("smallest radius", a, err));
        if (!(a <= b && b <= CN_LENGTH_MOST)) {
            return cn_fail(err, CN_BAD_INPUT, "uniform [%g, %g]: the smaller radius comes first", a,
                           b);
        }
        return CN_OK;
    case CN_SIZE_NORMAL:
        if (!(a <= CN_LENGTH_MOST && b >= 0.0 && a - NORMAL_CUT * b >= CN_LENGTH_LEAST)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "normal [%g, %g]: mean minus %g standard deviations must be > 0 m; take "
                           "a smaller deviation, at most %g",
                           a, b, NORMAL_CUT, a / NORMAL_CUT);
        }
        return CN_OK;
    case CN_SIZE_LIST:
        return check_list(size, err);
    case CN_SIZE_BETA:
        return check_beta(size, err);
    case CN_SIZE_CURVE:
        return check_curve(size, err);
    default:
        return cn_fail(err, CN_BAD_INPUT, "the radius of the grains is not given");
    }
}

// ---- draws

// Standard normal number cut at NORMAL_CUT: two uniform ones in polar form, drawn again if outside.
static double draw_normal(uint64_t *random)
{
    for (;;) {
        double radius = sqrt(-2.0 * log(1.0 - cn_random(random)));
        double z = radius * cos(2.0 * CN_PI * cn_random(random));
        if (fabs(z) <= NORMAL_CUT) {
            return z;
        }
    }
}

// Share of the numbers of size k of a list.
static double listed_share(const cn_size_def *size, int dim, int k)
{
    double share = size->share.count > 0 ? size->share.value[k] : 1.0;
    double ratio = size->value.value[0] / size->value.value[k];
    return size->by == CN_SIZE_BY_MASS ? share * pow(ratio, dim) : share;
}

static double draw_listed(const cn_size_def *size, int dim, uint64_t *random)
{
    double sum = 0.0;
    for (int k = 0; k < size->value.count; k++) {
        sum += listed_share(size, dim, k);
    }
    double left = cn_random(random) * sum;
    int last = 0;
    for (int k = 0; k < size->value.count; k++) {
        double share = listed_share(size, dim, k);
        if (share > 0.0) {
            last = k;
            if (left < share) {
                break;
            }
        }
        left -= share;
    }
    return size->value.value[last];
}

// The number of a lot between 0 and 1.
static double even_number(const cn_size_def *size, cn_lot lot)
{
    if (size->draw == CN_SIZE_RANDOM) {
        return cn_random(lot.random);
    }
    uint64_t place = cn_mix2(lot.seed, UINT64_MAX - 1) + lot.k * GOLDEN;
    return ((double)(place >> 11) + 0.5) * 0x1p-53;
}

// Density of numbers of a beta law at x from 0 to 1, up to a factor.
static double beta_density(const cn_size_def *size, int dim, double x)
{
    double ratio = 1.0 + x * (size->between[1] / size->between[0] - 1.0);
    double share = pow(x, size->a - 1.0) * pow(1.0 - x, size->b - 1.0);
    return size->by == CN_SIZE_BY_MASS ? share / pow(ratio, dim) : share;
}

// Its integral from x to y: eight points of Gauss in each of some panels.
static double beta_integral(const cn_size_def *size, int dim, double x, double y, int panels)
{
    static const double at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
    double sum = 0.0, half = 0.5 * (y - x) / panels;
    for (int p = 0; p < panels; p++) {
        double middle = x + (2 * p + 1) * half;
        for (int k = 0; k < 4; k++) {
            sum += weight[k] * half *
                   (beta_density(size, dim, middle - at[k] * half) +
                    beta_density(size, dim, middle + at[k] * half));
        }
    }
    return sum;
}

// The size that a share u of all numbers is below: Newton's method between two bounds.
static double beta_quantile(const cn_size_def *size, int dim, double u)
{
    enum { PANELS = 8, ROUNDS = 60 };
    double wanted = u * beta_integral(size, dim, 0.0, 1.0, PANELS), low = 0.0, high = 1.0;
    double x = 0.5, sum = beta_integral(size, dim, 0.0, x, PANELS);
    for (int k = 0; k < ROUNDS && high - low > 1e-12; k++) {
        low = sum < wanted ? x : low;
        high = sum < wanted ? high : x;
        double next = x + (wanted - sum) / beta_density(size, dim, x);
        next = next > low && next < high ? next : 0.5 * (low + high);
        sum += beta_integral(size, dim, x, next, PANELS / 4);
        if (fabs(next - x) < 1e-12) {
            break;
        }
        x = next;
    }
    return size->between[0] + x * (size->between[1] - size->between[0]);
}

// Share of the numbers between sieves k and k + 1, up to a factor: the mass between them is spread
// evenly over the logarithm of the size.
static double class_share(const cn_size_def *size, int dim, int k)
{
    const double *d = size->diameter.value, *p = size->passing.value;
    double mass = (p[k + 1] - p[k]) / log(d[k + 1] / d[k]);
    return mass * (pow(d[0] / d[k], dim) - pow(d[0] / d[k + 1], dim));
}

static double curve_quantile(const cn_size_def *size, int dim, double u)
{
    const double *d = size->diameter.value;
    double sum = 0.0, share = 0.0;
    int last = 0;
    for (int k = 0; k + 1 < size->diameter.count; k++) {
        sum += class_share(size, dim, k);
    }
    double left = u * sum;
    for (int k = 0; k + 1 < size->diameter.count; k++) {
        double here = class_share(size, dim, k);
        if (here > 0.0) {
            last = k;
            share = here;
            if (left < here) {
                break;
            }
        }
        left -= here;
    }
    double part = fmin(1.0, fmax(0.0, left / share));
    double small = pow(d[last], -dim), large = pow(d[last + 1], -dim);
    return 0.5 * pow(small - part * (small - large), -1.0 / dim);
}

double cn_size_draw(const cn_size_def *size, int dim, cn_lot lot)
{
    switch (size->kind) {
    case CN_SIZE_UNIFORM:
        return size->pair[0] + (size->pair[1] - size->pair[0]) * cn_random(lot.random);
    case CN_SIZE_NORMAL:
        return size->pair[0] + size->pair[1] * draw_normal(lot.random);
    case CN_SIZE_LIST:
        return draw_listed(size, dim, lot.random);
    case CN_SIZE_BETA:
        return beta_quantile(size, dim, even_number(size, lot));
    case CN_SIZE_CURVE:
        return curve_quantile(size, dim, even_number(size, lot));
    default:
        return size->constant;
    }
}

double cn_size_most(const cn_size_def *size)
{
    double most = size->constant;
    if (size->kind == CN_SIZE_UNIFORM) {
        most = size->pair[1];
    } else if (size->kind == CN_SIZE_NORMAL) {
        most = size->pair[0] + NORMAL_CUT * size->pair[1];
    } else if (size->kind == CN_SIZE_BETA) {
        most = size->between[1];
    } else if (size->kind == CN_SIZE_CURVE) {
        most = 0.5 * size->diameter.value[size->diameter.count - 1];
    } else if (size->kind == CN_SIZE_LIST) {
        most = 0.0;
        for (int k = 0; k < size->value.count; k++) {
            most = fmax(most, size->value.value[k]);
        }
    }
    return most;
}

// ---- description

static const cn_field constant_fields[] = {
    {CN_LENGTH_FIELD(cn_size_def, constant, "the same for all")},
};
static const cn_field pair_fields[] = {
    {CN_FIELD(cn_size_def, pair, CN_FIELD_PAIR, "m", "two lengths", 0.0, CN_LENGTH_MOST, NAN,
              NULL)},
};

#define DRAW_FIELD                                                                                 \
    CN_FIELD(cn_size_def, draw, CN_FIELD_WORD, "-",                                                \
             "random: as they come; even: any number of grains follows the curve as closely as "   \
             "it can",                                                                             \
             0.0, 1.0, CN_SIZE_RANDOM, "random even")
#define BY_FIELD(fallback)                                                                         \
    CN_FIELD(cn_size_def, by, CN_FIELD_WORD, "-",                                                  \
             "what shares count; mass: that of disks or balls of the size", 0.0, 1.0, fallback,    \
             "number mass")

static const cn_field list_fields[] = {
    {CN_FIELD(cn_size_def, value, CN_FIELD_NUMBERS, "m", "the sizes", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_size_def, share, CN_FIELD_NUMBERS, "-",
              "share of each, in any unit; equal if left out", 0.0, 1e12, NAN, NULL),
     .is_optional = true},
    {BY_FIELD(CN_SIZE_BY_NUMBER)},
};
static const cn_field beta_fields[] = {
    {CN_FIELD(cn_size_def, between, CN_FIELD_PAIR, "m", "least and most", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_size_def, a, CN_FIELD_NUMBER, "-", "larger: fewer small ones", 1.0, 100.0, 1.0,
              NULL)},
    {CN_FIELD(cn_size_def, b, CN_FIELD_NUMBER, "-", "larger: fewer large ones", 1.0, 100.0, 1.0,
              NULL)},
    {BY_FIELD(CN_SIZE_BY_MASS)},
    {DRAW_FIELD},
};
static const cn_field curve_fields[] = {
    {.param = {"file", "-", "CSV file with columns diameter and passing, instead of both lists",
               0.0, 0.0, NAN, NULL},
     .kind = CN_FIELD_COLUMNS,
     .is_optional = true},
    {CN_FIELD(cn_size_def, diameter, CN_FIELD_NUMBERS, "m", "of the sieves, smallest first",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_size_def, passing, CN_FIELD_NUMBERS, "-",
              "share of the mass that passes each, in per cent, from 0 to 100", 0.0, 100.0, NAN,
              NULL),
     .is_optional = true},
    {DRAW_FIELD},
};
const cn_variant cn_size_variants[CN_SIZE_VARIANT_COUNT] = {
    {"constant", "one size", true, 1, constant_fields},
    {"uniform", "least and most, uniform in between, by number", true, 1, pair_fields},
    {"normal", "mean and standard deviation, cut at 3 deviations, by number", true, 1, pair_fields},
    {"list", "some sizes with their shares", false, CN_COUNT_OF(list_fields), list_fields},
    {"beta",
     "density x^(a - 1) (1 - x)^(b - 1) from the least, x = 0, to the most, x = 1; a = b = 1: "
     "uniform",
     false, CN_COUNT_OF(beta_fields), beta_fields},
    {"curve", "sieve curve: straight over the logarithm of the diameter between sieves", false,
     CN_COUNT_OF(curve_fields), curve_fields},
};
