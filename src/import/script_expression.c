// import/script_expression.c -- see script_expression.h. Nothing is executed: an expression is
// numbers, names and a few functions, everything else has no value.
#include "import/script_expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/base.h"

enum { DEPTH_MAX = 64 };

typedef struct reading {
    const cn_script_names *names;
    const char *at;
    int depth;
} reading;

static double sum(reading *r);

static void skip(reading *r)
{
    r->at += strspn(r->at, " \t\n\\");
}

static bool take(reading *r, const char *sign)
{
    skip(r);
    size_t length = strlen(sign);
    if (strncmp(r->at, sign, length) != 0) {
        return false;
    }
    r->at += length;
    return true;
}

static double call(const char *name, const double *value, int count)
{
    static const struct {
        const char *name;
        double (*of)(double);
    } known[] = {{"sqrt", sqrt}, {"int", trunc},   {"round", rint}, {"abs", fabs},
                 {"ceil", ceil}, {"floor", floor}, {"cos", cos},    {"sin", sin},
                 {"tan", tan},   {"exp", exp},     {"log", log},    {"atan", atan}};
    for (size_t k = 0; k < sizeof known / sizeof *known && count == 1; k++) {
        if (strcmp(name, known[k].name) == 0) {
            return known[k].of(value[0]);
        }
    }
    if (count == 1 && (strcmp(name, "float") == 0 || strcmp(name, "float64") == 0)) {
        return value[0];
    }
    if (count == 2 && strcmp(name, "pow") == 0) {
        return pow(value[0], value[1]);
    }
    bool is_least = strcmp(name, "min") == 0, is_most = strcmp(name, "max") == 0;
    double best = count > 0 && (is_least || is_most) ? value[0] : NAN;
    for (int k = 1; k < count; k++) {
        best = is_least ? fmin(best, value[k]) : is_most ? fmax(best, value[k]) : NAN;
    }
    return best;
}

static double find(const reading *r, const char *name)
{
    if (strcmp(name, "pi") == 0) {
        return CN_PI;
    }
    for (size_t k = r->names->count; k > 0; k--) {
        if (strcmp(r->names->item[k - 1].name, name) == 0) {
            return r->names->item[k - 1].value;
        }
    }
    return NAN;
}

// A name, with what stands before its last point left out: math.sqrt, numpy.pi.
static double name_or_call(reading *r)
{
    enum { ARGUMENTS = 8 };
    char name[48];
    double value[ARGUMENTS];
    int count = 0;
    size_t length = 0;
    while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.') {
        if (*r->at == '.') {
            length = 0;
        } else if (length + 1 < sizeof name) {
            name[length++] = *r->at;
        }
        r->at++;
    }
    name[length] = '\0';
    if (!take(r, "(")) {
        return find(r, name);
    }
    while (count < ARGUMENTS && !take(r, ")")) {
        value[count] = sum(r);
        if (isnan(value[count++]) || (!take(r, ",") && (skip(r), *r->at != ')'))) {
            return NAN;
        }
    }
    return call(name, value, count);
}

static double atom(reading *r)
{
    double value;
    char *end;
    skip(r);
    if (r->depth >= DEPTH_MAX) {
        return NAN;
    }
    if (take(r, "(")) {
        r->depth++;
        value = sum(r);
        r->depth--;
        return take(r, ")") ? value : NAN;
    }
    if (isdigit((unsigned char)*r->at) || *r->at == '.') {
        value = strtod(r->at, &end);
        if (end == r->at) {
            return NAN;
        }
        r->at = end;
        return value;
    }
    return isalpha((unsigned char)*r->at) || *r->at == '_' ? name_or_call(r) : NAN;
}

static double signed_power(reading *r)
{
    skip(r);
    if (*r->at == '-' || *r->at == '+') {
        double sign = *r->at++ == '-' ? -1.0 : 1.0;
        r->depth++;
        double value = r->depth < DEPTH_MAX ? signed_power(r) : NAN;
        r->depth--;
        return sign * value;
    }
    double base = atom(r);
    if (!take(r, "**")) {
        return base;
    }
    r->depth++;
    double exponent = r->depth < DEPTH_MAX ? signed_power(r) : NAN;
    r->depth--;
    return pow(base, exponent);
}

static double product(reading *r)
{
    double value = signed_power(r);
    for (;;) {
        skip(r);
        if (take(r, "//")) {
            value = floor(value / signed_power(r));
        } else if (strncmp(r->at, "**", 2) != 0 && take(r, "*")) {
            value *= signed_power(r);
        } else if (take(r, "/")) {
            value /= signed_power(r);
        } else if (take(r, "%")) {
            double divisor = signed_power(r);
            value -= divisor * floor(value / divisor);
        } else {
            return value;
        }
    }
}

static double sum(reading *r)
{
    double value = product(r);
    for (;;) {
        if (take(r, "+")) {
            value += product(r);
        } else if (take(r, "-")) {
            value -= product(r);
        } else {
            return value;
        }
    }
}

double cn_script_evaluate(const cn_script_names *names, const char *text, const char **end)
{
    reading r = {.names = names, .at = text};
    double value = sum(&r);
    skip(&r);
    *end = r.at;
    return value;
}
