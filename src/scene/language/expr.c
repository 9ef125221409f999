// scene/language/expr.c -- recursive descent over the text; depth is bounded, nothing is allocated.
#include "scene/language/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/language/nearest_word.h"
#include "scene/language/unit.h"

enum { DEPTH_MAX = 100, NAME_MAX_LENGTH = 64 };

typedef struct parser {
    const char *text, *at;
    const cn_symbol *symbol;
    int symbol_count;
    int depth;
    cn_error *err;
} parser;

typedef struct function {
    const char *name;
    int argument_count;
    double (*one)(double);
    double (*two)(double, double);
} function;

static const function functions[] = {
    {"sqrt", 1, sqrt, NULL}, {"sin", 1, sin, NULL},     {"cos", 1, cos, NULL},
    {"tan", 1, tan, NULL},   {"asin", 1, asin, NULL},   {"acos", 1, acos, NULL},
    {"atan", 1, atan, NULL}, {"atan2", 2, NULL, atan2}, {"exp", 1, exp, NULL},
    {"log", 1, log, NULL},   {"abs", 1, fabs, NULL},    {"min", 2, NULL, fmin},
    {"max", 2, NULL, fmax},  {"floor", 1, floor, NULL}, {"ceil", 1, ceil, NULL},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

const char *const *cn_expr_names(void)
{
    static const char *const names[] = {"sqrt", "sin",   "cos",  "tan", "asin", "acos",
                                        "atan", "atan2", "exp",  "log", "abs",  "min",
                                        "max",  "floor", "ceil", "pi",  NULL};
    return names;
}

static cn_status parse_sum(parser *p, double *value);

static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r') {
        p->at++;
    }
}

static bool take(parser *p, char sign)
{
    skip_blanks(p);
    if (*p->at != sign) {
        return false;
    }
    p->at++;
    return true;
}

static cn_status fail_at(const parser *p, const char *what)
{
    return cn_fail(p->err, CN_BAD_INPUT, "%s at character %d of the expression '%.80s'", what,
                   (int)(p->at - p->text) + 1, p->text);
}

// Length of a well-formed number at the start of text, 0 if there is none.
static size_t number_length(const char *text)
{
    const char *at = text;
    const char *digits = at;
    while (isdigit((unsigned char)*at)) {
        at++;
    }
    bool has_zero_first = at - digits > 1 && *digits == '0';
    size_t digit_count = (size_t)(at - digits);
    if (*at == '.') {
        at++;
        const char *fraction = at;
        while (isdigit((unsigned char)*at)) {
            at++;
        }
        digit_count += (size_t)(at - fraction);
    }
    if (digit_count == 0 || has_zero_first) {
        return 0;
    }
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1;
        power += *power == '+' || *power == '-' ? 1 : 0;
        if (isdigit((unsigned char)*power)) {
            at = power;
            while (isdigit((unsigned char)*at)) {
                at++;
            }
        }
    }
    return (size_t)(at - text);
}

size_t cn_number_length(const char *text)
{
    size_t sign = *text == '+' || *text == '-' ? 1 : 0;
    size_t length = number_length(text + sign);
    return length == 0 ? 0 : sign + length;
}

bool cn_number_is_meant(const char *text)
{
    const char *at = text + (*text == '+' || *text == '-' ? 1 : 0);
    return isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]));
}

static bool is_not_finite_word(const char *text)
{
    static const char *const words[] = {"nan", ".nan", "inf", ".inf", "infinity"};
    const char *at = text + (*text == '+' || *text == '-' ? 1 : 0);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strcasecmp(at, words[k]) == 0) {
            return true;
        }
    }
    return false;
}

cn_status cn_number_read(const char *text, double *number, cn_error *err)
{
    if (is_not_finite_word(text)) {
        return cn_fail(err, CN_BAD_INPUT, "'%.40s' is not a finite number", text);
    }
    const char *digits = text + (*text == '+' || *text == '-' ? 1 : 0);
    size_t length = number_length(digits);
    if (length == 0 && digits[0] == '0' && isdigit((unsigned char)digits[1])) {
        return cn_fail(err, CN_BAD_INPUT,
                       "'%.40s' is not a number (leading zeros are not accepted)", text);
    }
    if (length == 0 || digits[length] != '\0') {
        return cn_fail(err, CN_BAD_INPUT, "'%.40s' is not a number", text);
    }
    *number = strtod(text, NULL);
    if (!isfinite(*number)) {
        return cn_fail(err, CN_BAD_INPUT, "'%.40s' is too large for a number", text);
    }
    return CN_OK;
}

static cn_status parse_number(parser *p, double *value)
{
    size_t length = number_length(p->at);
    if (length == 0) {
        return fail_at(p, "a number was expected");
    }
    *value = strtod(p->at, NULL);
    p->at += length;
    return CN_OK;
}

static cn_status call(parser *p, const function *f, double *value)
{
    if (!take(p, '(')) {
        return fail_at(p, "a '(' was expected after a function");
    }
    double argument[2] = {0.0, 0.0};
    CN_TRY(parse_sum(p, &argument[0]));
    for (int k = 1; k < f->argument_count; k++) {
        if (!take(p, ',')) {
            return fail_at(p, "a ',' and another argument were expected");
        }
        CN_TRY(parse_sum(p, &argument[k]));
    }
    if (!take(p, ')')) {
        return fail_at(p, "a ')' was expected");
    }
    // min, max and pow would hide a NaN among their arguments.
    if (!isfinite(argument[0]) || !isfinite(argument[1])) {
        return fail_at(p, "an argument is not finite");
    }
    *value = f->argument_count == 1 ? f->one(argument[0]) : f->two(argument[0], argument[1]);
    return CN_OK;
}

static cn_status refuse_name(const parser *p, const char *name)
{
    const char *known[FUNCTION_COUNT + 1 + 256];
    int count = 0;
    for (int k = 0; k < p->symbol_count && k < 256; k++) {
        known[count++] = p->symbol[k].name;
    }
    for (const char *const *at = cn_expr_names(); *at != NULL; at++) {
        known[count++] = *at;
    }
    const char *nearest = cn_spelling_nearest(name, known, count);
    return cn_fail(p->err, CN_BAD_INPUT, "unknown name '%s' in the expression '%.80s'%s%s%s", name,
                   p->text, nearest != NULL ? " (did you mean '" : " (declare it under 'params')",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
}

static cn_status parse_name(parser *p, double *value)
{
    char name[NAME_MAX_LENGTH + 1];
    size_t length = 0;
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_') {
        length++;
    }
    if (length > NAME_MAX_LENGTH) {
        return fail_at(p, "a name is longer than 64 letters");
    }
    memcpy(name, p->at, length);
    name[length] = '\0';
    for (int k = 0; k < p->symbol_count; k++) {
        if (strcmp(p->symbol[k].name, name) == 0) {
            p->at += length;
            *value = p->symbol[k].value;
            return CN_OK;
        }
    }
    if (strcmp(name, "pi") == 0) {
        p->at += length;
        *value = CN_PI;
        return CN_OK;
    }
    for (int k = 0; k < FUNCTION_COUNT; k++) {
        if (strcmp(functions[k].name, name) == 0) {
            p->at += length;
            return call(p, &functions[k], value);
        }
    }
    if (cn_unit_constant(name, value)) {
        p->at += length;
        return CN_OK;
    }
    return refuse_name(p, name);
}

static cn_status parse_atom(parser *p, double *value)
{
    skip_blanks(p);
    if (take(p, '(')) {
        CN_TRY(parse_sum(p, value));
        return take(p, ')') ? CN_OK : fail_at(p, "a ')' was expected");
    }
    if (isalpha((unsigned char)*p->at) || *p->at == '_') {
        return parse_name(p, value);
    }
    return parse_number(p, value);
}

static cn_status parse_signed(parser *p, double *value);

// a ^ b ^ c is a ^ (b ^ c); the power may carry a sign.
static cn_status parse_power(parser *p, double *value)
{
    CN_TRY(parse_atom(p, value));
    if (take(p, '^')) {
        double power = 0.0;
        CN_TRY(parse_signed(p, &power));
        if (!isfinite(*value) || !isfinite(power)) {
            return fail_at(p, "a power of something that is not finite");
        }
        *value = pow(*value, power);
    }
    return CN_OK;
}

static cn_status parse_signed(parser *p, double *value)
{
    if (++p->depth > DEPTH_MAX) {
        return fail_at(p, "too many nested parentheses or signs");
    }
    cn_status status = CN_OK;
    if (take(p, '-')) {
        status = parse_signed(p, value);
        *value = -*value;
    } else if (take(p, '+')) {
        status = parse_signed(p, value);
    } else {
        status = parse_power(p, value);
    }
    p->depth--;
    return status;
}

static cn_status parse_product(parser *p, double *value)
{
    CN_TRY(parse_signed(p, value));
    for (bool is_over; (is_over = take(p, '/')) || take(p, '*');) {
        double factor = 0.0;
        CN_TRY(parse_signed(p, &factor));
        *value = is_over ? *value / factor : *value * factor;
    }
    return CN_OK;
}

static cn_status parse_sum(parser *p, double *value)
{
    CN_TRY(parse_product(p, value));
    for (bool is_less; (is_less = take(p, '-')) || take(p, '+');) {
        double term = 0.0;
        CN_TRY(parse_product(p, &term));
        *value += is_less ? -term : term;
    }
    return CN_OK;
}

cn_status cn_expr_eval(const char *text, const cn_symbol *symbol, int symbol_count, double *value,
                       cn_error *err)
{
    parser p = {text, text, symbol, symbol_count, 0, err};
    *value = 0.0;
    CN_TRY(parse_sum(&p, value));
    skip_blanks(&p);
    if (*p.at != '\0') {
        return fail_at(&p, "an operator was expected");
    }
    if (!isfinite(*value)) {
        return cn_fail(err, CN_BAD_INPUT, "the expression '%.80s' gives %g, not a finite number",
                       text, *value);
    }
    return CN_OK;
}
