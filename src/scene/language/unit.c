// scene/language/unit.c
#include "scene/language/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/language/expr.h"
#include "scene/language/nearest_word.h"

enum { METRE, KILOGRAM, SECOND, RADIAN, DIMENSIONS, WORD_MAX = 31, POWER_MAX = 9 };

// A number is multiplied by times * 10^ten / over. Powers of ten are kept apart so that 35 mm has
// the bits of 0.035: one division by an exact 1000 rounds once, as reading 0.035 does.
typedef struct unit {
    double times, over;
    int ten;
    int power[DIMENSIONS];
} unit;

// Prefixes are those that people use with a name: mPa and Mm are taken for slips of the other case.
typedef struct base_unit {
    const char *name, *prefixes;
    unit is;
} base_unit;

static const base_unit units[] = {
    {"m", "numck", {1.0, 1.0, 0, {1, 0, 0, 0}}},     {"g", "umk", {1.0, 1.0, -3, {0, 1, 0, 0}}},
    {"t", "", {1.0, 1.0, 3, {0, 1, 0, 0}}},          {"s", "num", {1.0, 1.0, 0, {0, 0, 1, 0}}},
    {"min", "", {60.0, 1.0, 0, {0, 0, 1, 0}}},       {"h", "", {3600.0, 1.0, 0, {0, 0, 1, 0}}},
    {"rad", "m", {1.0, 1.0, 0, {0, 0, 0, 1}}},       {"deg", "", {CN_PI, 180.0, 0, {0, 0, 0, 1}}},
    {"\u00b0", "", {CN_PI, 180.0, 0, {0, 0, 0, 1}}}, {"rpm", "", {CN_PI, 30.0, 0, {0, 0, -1, 1}}},
    {"Hz", "k", {1.0, 1.0, 0, {0, 0, -1, 0}}},       {"N", "umkM", {1.0, 1.0, 0, {1, 1, -2, 0}}},
    {"Pa", "kMG", {1.0, 1.0, 0, {-1, 1, -2, 0}}},    {"bar", "m", {1.0, 1.0, 5, {-1, 1, -2, 0}}},
    {"J", "umkM", {1.0, 1.0, 0, {2, 1, -2, 0}}},     {"W", "mkM", {1.0, 1.0, 0, {2, 1, -3, 0}}},
};

enum { UNIT_COUNT = sizeof units / sizeof *units, NAMES_MAX = 64 };

static int ten_of(char prefix)
{
    static const char letters[] = "numckMG";
    static const int tens[] = {-9, -6, -3, -2, 3, 6, 9};
    return tens[strchr(letters, prefix) - letters];
}

static bool find_unit(const char *word, unit *found)
{
    for (int k = 0; k < UNIT_COUNT; k++) {
        const base_unit *u = &units[k];
        bool has_prefix = word[0] != '\0' && strchr(u->prefixes, word[0]) != NULL;
        if (strcmp(word, u->name) == 0) {
            *found = u->is;
            return true;
        }
        if (has_prefix && strcmp(word + 1, u->name) == 0) {
            *found = u->is;
            found->ten += ten_of(word[0]);
            return true;
        }
    }
    return false;
}

static cn_status refuse_unit(const char *word, const char *text, cn_error *err)
{
    char name[NAMES_MAX][8];
    const char *known[NAMES_MAX];
    int count = 0;
    for (int k = 0; k < UNIT_COUNT; k++) {
        snprintf(name[count++], 8, "%s", units[k].name);
        for (const char *prefix = units[k].prefixes; *prefix != '\0'; prefix++) {
            snprintf(name[count++], 8, "%c%s", *prefix, units[k].name);
        }
    }
    for (int k = 0; k < count; k++) {
        known[k] = name[k];
        if (strcasecmp(word, name[k]) == 0) {
            return cn_fail(err, CN_BAD_INPUT, "'%.40s': unknown unit '%s' (did you mean '%s'?)",
                           text, word, name[k]);
        }
    }
    const char *nearest = strlen(word) < 2 ? NULL : cn_spelling_nearest(word, known, count);
    return cn_fail(err, CN_BAD_INPUT, "'%.40s': unknown unit '%s' (%s%s%s)", text, word,
                   nearest != NULL ? "did you mean '" : "such as m, mm, kg, s, deg, N, kN, kPa",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

// Letters of a unit; the signs of degrees and of micro are bytes above 127.
static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

static bool read_power(const char **at, int *power)
{
    const char *digits = *at + (**at == '^' ? 1 : 0);
    int sign = *digits == '-' ? -1 : 1;
    digits += sign < 0 ? 1 : 0;
    *power = 1;
    if (!isdigit((unsigned char)*digits)) {
        return digits == *at;
    }
    *power = sign * (*digits - '0');
    *at = digits + 1;
    return *power != 0 && !isdigit((unsigned char)**at);
}

static void multiply(unit *whole, const unit *factor, int power)
{
    int count = power < 0 ? -power : power;
    for (int k = 0; k < count; k++) {
        whole->times *= power > 0 ? factor->times : factor->over;
        whole->over *= power > 0 ? factor->over : factor->times;
    }
    whole->ten += power * factor->ten;
    for (int k = 0; k < DIMENSIONS; k++) {
        whole->power[k] += power * factor->power[k];
    }
}

static cn_status read_factor(const char *text, const char **at, int side, unit *whole,
                             cn_error *err)
{
    char word[WORD_MAX + 1];
    int length = 0;
    // The two letters of micro are read as u.
    static const char *const micro[] = {"\u00b5", "\u03bc"};
    for (int k = 0; k < 2; k++) {
        if (strncmp(*at, micro[k], 2) == 0) {
            word[length++] = 'u';
            *at += 2;
            break;
        }
    }
    for (; is_letter(**at) && length < WORD_MAX; (*at)++) {
        word[length++] = **at;
    }
    word[length] = '\0';
    unit factor;
    int power;
    if (!find_unit(word, &factor)) {
        return refuse_unit(word, text, err);
    }
    if (!read_power(at, &power)) {
        return cn_fail(err, CN_BAD_INPUT, "'%.40s': the power of '%s' is a digit from 1 to 9", text,
                       word);
    }
    multiply(whole, &factor, side * power);
    return CN_OK;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

// The unit that begins at `at`, to the end of the text or to " or ", where *end is left.
static cn_status read_unit(const char *text, const char *at, unit *whole, const char **end,
                           cn_error *err)
{
    *whole = (unit){.times = 1.0, .over = 1.0};
    at += strncmp(at, "1/", 2) == 0 ? 1 : 0;
    int side = 1;
    for (bool is_first = true;; is_first = false) {
        at = skip_blanks(at);
        bool is_end = *at == '\0' || strncmp(at, "or ", 3) == 0;
        if (is_end && !is_first) {
            *end = at;
            return CN_OK;
        }
        if (*at == '/') {
            side = -1;
        } else if (side < 0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "'%.40s': what follows a '/' has a '/' of its own: kg/m/s", text);
        }
        at += *at == '/' || (*at == '*' && !is_first) ? 1 : 0;
        at = skip_blanks(at);
        CN_TRY(read_factor(text, &at, side, whole, err));
    }
}

static double in_si(const unit *u, double number)
{
    double ten = pow(10.0, abs(u->ten)); // exact to 1e22
    return (u->ten < 0 ? number / ten : number * ten) * u->times / u->over;
}

// Whether one of the alternatives has the dimensions of the unit.
static bool is_wanted(const unit *u, const char *wanted)
{
    for (const char *at = wanted; *at != '\0';) {
        unit other;
        const char *end = "";
        if (read_unit(wanted, at, &other, &end, NULL) != CN_OK) {
            return false;
        }
        if (memcmp(other.power, u->power, sizeof u->power) == 0) {
            return true;
        }
        at = *end == 'o' ? end + 3 : end;
    }
    return false;
}

bool cn_quantity_is_meant(const char *text)
{
    size_t length = cn_number_length(text);
    const char *after = skip_blanks(text + length);
    after = *after == '/' ? skip_blanks(after + 1) : after; // 5/s
    return length > 0 && is_letter(*after);
}

cn_status cn_quantity_read(const char *text, const char *wanted, double *number, cn_error *err)
{
    const char *at = skip_blanks(text + cn_number_length(text)), *end = "";
    unit u;
    CN_TRY(read_unit(text, at, &u, &end, err));
    if (*end != '\0') {
        return cn_fail(err, CN_BAD_INPUT, "'%.40s' has more than one unit", text);
    }
    if (wanted == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "'%.40s' has a unit, this is a number without one", text);
    }
    if (strcmp(wanted, "*") != 0 && !is_wanted(&u, wanted)) {
        return cn_fail(err, CN_BAD_INPUT, "'%s' is no unit for something in %s", at, wanted);
    }
    *number = in_si(&u, strtod(text, NULL));
    return isfinite(*number)
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT, "'%.40s' is too large for a number", text);
}

bool cn_unit_constant(const char *name, double *value)
{
    unit u;
    if (strlen(name) < 2 || !find_unit(name, &u)) {
        return false;
    }
    *value = in_si(&u, 1.0);
    return *value != 1.0;
}
