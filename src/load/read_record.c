// load/read_record.c -- reads records of ground acceleration.
//
// Lines before the first one that holds nothing but numbers are the header. What follows is a
// stream of values if the header gives their number, else a table by columns.
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/read_file.h"
#include "load/ground_record.h"

static const double G_UNIT[CN_RECORD_UNIT_COUNT] = {[CN_RECORD_M_S2] = 1.0,
                                                    [CN_RECORD_G_UNIT] = CN_RECORD_G,
                                                    [CN_RECORD_CM_S2] = 1e-2,
                                                    [CN_RECORD_MM_S2] = 1e-3};
static const double PGA_LO = 1e-3, PGA_HI = 40.0; // peaks that are plausible [m/s2]

typedef struct reading {
    const char *name;
    const cn_record_def *def;
    cn_record_header header;
    bool is_comma_decimal;
    double *number;
    size_t count, capacity;
    int64_t row_count, columns; // columns 0: rows differ
    int64_t line;
    cn_error *err;
} reading;

static cn_status fail_at(const reading *r, const char *format, ...) CN_PRINTF(2, 3);

static cn_status fail_at(const reading *r, const char *format, ...)
{
    char sentence[400];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return cn_fail(r->err, CN_BAD_INPUT, "%.200s:%lld: %s", r->name, (long long)r->line, sentence);
}

static void remark(const reading *r, const char *format, ...) CN_PRINTF(2, 3);

static void remark(const reading *r, const char *format, ...)
{
    char sentence[400], line[700];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%.200s: note: %s", r->name, sentence);
    if (r->def->told != NULL) {
        r->def->told(r->def->context, line);
    }
}

// ---- lines

static bool is_numeric(const char *line, size_t length)
{
    bool has_digit = false;
    for (size_t k = 0; k < length; k++) {
        has_digit = has_digit || isdigit((unsigned char)line[k]);
        bool is_exponent =
            strchr("eEdD", line[k]) != NULL && k > 0 && k + 1 < length &&
            (isdigit((unsigned char)line[k - 1]) || line[k - 1] == '.') &&
            (isdigit((unsigned char)line[k + 1]) || strchr("+-", line[k + 1]) != NULL);
        if (!isdigit((unsigned char)line[k]) && strchr("+-.,; \t\r", line[k]) == NULL &&
            !is_exponent) {
            return false;
        }
    }
    return has_digit;
}

static bool is_blank(const char *line, size_t length)
{
    size_t k = 0;
    while (k < length && line[k] != '\0' && strchr(" \t\r,;", line[k]) != NULL) {
        k++;
    }
    return k == length || line[0] == '#';
}

static size_t line_length(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return (size_t)((stop != NULL ? stop : end) - at);
}

// A comma is the decimal sign where something else separates and no point occurs.
static bool has_decimal_comma(const char *text, const char *end)
{
    bool has_other = false, has_comma = false, has_point = false;
    for (const char *at = text; at < end;) {
        size_t length = line_length(at, end);
        for (size_t k = 0; is_numeric(at, length) && k < length; k++) {
            has_other = has_other || at[k] == ';' || at[k] == '\t';
            has_comma = has_comma || at[k] == ',';
            has_point = has_point || at[k] == '.';
        }
        at += length + 1;
    }
    return has_other && has_comma && !has_point;
}

// Length of the number at the beginning of a word: a sign in the midst of digits begins the next.
static size_t number_length(const char *at, size_t most)
{
    size_t length = 0;
    while (length < most && strchr(" \t\r;,", at[length]) == NULL) {
        bool is_sign = at[length] == '-' || at[length] == '+';
        bool is_exponent = length > 0 && strchr("eEdD", at[length - 1]) != NULL;
        if (is_sign && length > 0 && !is_exponent) {
            break;
        }
        length++;
    }
    return length;
}

static cn_status read_number(reading *r, const char *at, size_t length)
{
    char word[64], *end;
    if (length >= sizeof word) {
        return fail_at(r, "'%.30s...' is too long for a number", at);
    }
    for (size_t k = 0; k < length; k++) {
        word[k] = at[k] == 'd' || at[k] == 'D' ? 'e' : at[k] == ',' ? '.' : at[k];
    }
    word[length] = '\0';
    double number = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(number)) {
        return fail_at(r, "'%s' is no number (%zu were read)", word, r->count);
    }
    CN_TRY(cn_reserve(NULL, &r->number, &r->capacity, r->count + 1, r->err));
    r->number[r->count++] = number;
    return CN_OK;
}

// Numbers of a line; where the comma is decimal it is part of them.
static cn_status read_row(reading *r, const char *line, size_t length)
{
    size_t before = r->count;
    for (size_t k = 0; k < length;) {
        bool is_comma = line[k] == ',' && !r->is_comma_decimal;
        if (strchr(" \t\r;", line[k]) != NULL || is_comma) {
            k++;
            continue;
        }
        size_t used = number_length(line + k, length - k);
        if (r->is_comma_decimal && k + used < length && line[k + used] == ',') {
            used += 1 + number_length(line + k + used + 1, length - k - used - 1);
        }
        CN_TRY(read_number(r, line + k, used));
        k += used > 0 ? used : 1;
    }
    int64_t columns = (int64_t)(r->count - before);
    r->columns = r->row_count++ == 0 ? columns : columns == r->columns ? columns : 0;
    return CN_OK;
}

static cn_status read_lines(reading *r, const char *text, const char *end)
{
    r->is_comma_decimal = has_decimal_comma(text, end);
    for (const char *at = text; at < end;) {
        size_t length = line_length(at, end);
        r->line++;
        if (is_numeric(at, length)) {
            CN_TRY(read_row(r, at, length));
        } else if (r->row_count == 0) {
            cn_record_header_line(at, length, &r->header);
        } else if (!is_blank(at, length)) {
            return fail_at(r, "'%.*s' stands among the values, of which %zu were read",
                           (int)(length < 40 ? length : 40), at, r->count);
        }
        at += length + 1;
    }
    return r->count > 0
               ? CN_OK
               : cn_fail(r->err, CN_BAD_INPUT, "%.200s: the file holds no numbers", r->name);
}

// ---- values

static cn_status make_room(reading *r, size_t count, cn_record *record)
{
    record->time = malloc((count + 1) * sizeof(double));
    record->acceleration = malloc((count + 1) * sizeof(double));
    record->velocity = malloc((count + 1) * sizeof(double));
    record->count = (int)count;
    bool has_memory =
        record->time != NULL && record->acceleration != NULL && record->velocity != NULL;
    return has_memory ? CN_OK
                      : cn_fail(r->err, CN_NO_MEMORY, "out of memory for %zu samples", count);
}

// Values one after the other, however many a line holds.
static cn_status take_stream(reading *r, cn_record *record)
{
    double dt = r->def->dt > 0.0 ? r->def->dt : r->header.dt;
    size_t count = r->header.count > 0 ? (size_t)r->header.count : r->count;
    if (!(dt > 0.0)) {
        return cn_fail(
            r->err, CN_BAD_INPUT,
            "%.200s: %zu values without times: give their interval, e.g. `dt: 0.005` [s]", r->name,
            r->count);
    }
    if (r->count < count) {
        return cn_fail(r->err, CN_BAD_INPUT,
                       "%.200s: the header announces %zu values, there are %zu", r->name, count,
                       r->count);
    }
    if (r->count > count) {
        remark(r, "%zu values follow after the %zu that the header announces: left out",
               r->count - count, count);
    }
    CN_TRY(make_room(r, count, record));
    for (size_t k = 0; k < count; k++) {
        record->time[k] = dt * (double)k;
        record->acceleration[k] = r->number[k];
    }
    return CN_OK;
}

// Times in the first column.
static cn_status take_columns(reading *r, cn_record *record)
{
    size_t columns = (size_t)r->columns, count = (size_t)r->row_count;
    size_t chosen = r->def->column > 0 ? (size_t)r->def->column : 2;
    if (chosen > columns) {
        return cn_fail(r->err, CN_BAD_INPUT, "%.200s has %zu columns, not %zu", r->name, columns,
                       chosen);
    }
    CN_TRY(make_room(r, count, record));
    for (size_t k = 0; k < count; k++) {
        record->time[k] = r->number[k * columns] - r->number[0];
        record->acceleration[k] = r->number[k * columns + chosen - 1];
        if (k > 0 && !(record->time[k] > record->time[k - 1])) {
            return cn_fail(r->err, CN_BAD_INPUT,
                           "%.200s: times in the first column must increase, sample %zu has %g s "
                           "after %g s; are these values without times? give `dt`",
                           r->name, k + 1, r->number[k * columns], r->number[(k - 1) * columns]);
        }
    }
    return CN_OK;
}

// One column of several, with a given interval.
static cn_status take_one_column(reading *r, cn_record *record)
{
    size_t columns = (size_t)r->columns, chosen = (size_t)r->def->column;
    if (chosen > columns) {
        return cn_fail(r->err, CN_BAD_INPUT, "%.200s has %zu columns, not %zu", r->name, columns,
                       chosen);
    }
    for (size_t k = 0; k < (size_t)r->row_count; k++) {
        r->number[k] = r->number[k * columns + chosen - 1];
    }
    r->count = (size_t)r->row_count;
    return take_stream(r, record);
}

static cn_status take_values(reading *r, cn_record *record)
{
    bool is_announced = r->header.count > 0;
    bool is_table = r->columns >= 2 && (!is_announced || r->row_count == r->header.count);
    if (r->count < 2) {
        return cn_fail(r->err, CN_BAD_INPUT, "%.200s holds one number; a record has at least two",
                       r->name);
    }
    if (is_table && r->def->dt > 0.0 && r->def->column > 0) {
        return take_one_column(r, record);
    }
    return is_table && !(r->def->dt > 0.0) ? take_columns(r, record) : take_stream(r, record);
}

// ---- units

static double peak_of(const cn_record *record)
{
    double peak = 0.0;
    for (int k = 0; k < record->count; k++) {
        peak = fmax(peak, fabs(record->acceleration[k]));
    }
    return peak;
}

static cn_status apply_unit(reading *r, cn_record *record)
{
    cn_record_unit said = r->header.unit, unit = r->def->unit;
    double peak = peak_of(record);
    if (unit == CN_RECORD_AS_FILE && said == CN_RECORD_AS_FILE) {
        return cn_fail(r->err, CN_BAD_INPUT,
                       "%.200s names no unit: give `unit`; the peak of %.4g is %.4g m/s2, %.4g g = "
                       "%.4g m/s2 or %.4g cm/s2 = %.4g m/s2",
                       r->name, peak, peak, peak, CN_RECORD_G * peak, peak, 0.01 * peak);
    }
    if (unit != CN_RECORD_AS_FILE && said != CN_RECORD_AS_FILE && unit != said) {
        remark(r, "its header names another unit than is given; the given one is taken");
    }
    double factor = G_UNIT[unit != CN_RECORD_AS_FILE ? unit : said];
    for (int k = 0; k < record->count; k++) {
        record->acceleration[k] *= factor;
    }
    if (factor * peak < PGA_LO || factor * peak > PGA_HI) {
        remark(r, "its peak is %.3g m/s2: is the unit right?", factor * peak);
    }
    return CN_OK;
}

static void tell_motion(const reading *r, const cn_record *record)
{
    cn_record_measure m = cn_record_measured(record);
    if (m.dt_deviation > 1e-3 * m.dt) {
        remark(r, "its intervals differ from %.6g s by up to %.2g s; it is linear between samples",
               m.dt, m.dt_deviation);
    }
    if (fabs(m.velocity_end) > 0.05 * m.pgv) {
        remark(r,
               "it ends with a velocity of %.3g m/s and a displacement of %.3g m; `baseline: "
               "linear` takes a drift off",
               m.velocity_end, m.displacement_end);
    }
}

// ---- calls

cn_record_def cn_record_def_default(void)
{
    return (cn_record_def){.scale = 1.0};
}

static cn_status check_def(const cn_record_def *def, cn_error *err)
{
    if (!(def->scale > -INFINITY && def->scale < INFINITY)) {
        return cn_fail(err, CN_BAD_INPUT, "the scale of a record must be finite, got %g",
                       def->scale);
    }
    if (!(def->dt >= 0.0 && def->dt < INFINITY)) {
        return cn_fail(err, CN_BAD_INPUT, "the interval of a record must be > 0 s, got %g",
                       def->dt);
    }
    if (!(def->taper >= 0.0 && def->taper <= 0.5)) {
        return cn_fail(err, CN_BAD_INPUT, "the taper of a record must be from 0 to 0.5, got %g",
                       def->taper);
    }
    bool is_known = (unsigned)def->unit < CN_RECORD_UNIT_COUNT &&
                    (unsigned)def->baseline < CN_BASELINE_COUNT && def->column >= 0;
    return is_known ? CN_OK
                    : cn_fail(err, CN_BAD_INPUT, "unit %d, baseline %d or column %d is not known",
                              (int)def->unit, (int)def->baseline, def->column);
}

static cn_status parse(reading *r, const char *text, size_t length, cn_record *record)
{
    CN_TRY(read_lines(r, text, text + length));
    if (r->count > (size_t)1 << 27) {
        return cn_fail(r->err, CN_BAD_INPUT, "%.200s: more than 2^27 values", r->name);
    }
    CN_TRY(take_values(r, record));
    CN_TRY(apply_unit(r, record));
    cn_status status = cn_record_correct(r->def, record, r->err);
    if (status != CN_OK) {
        cn_error why = *r->err;
        return cn_fail(r->err, status, "%.200s: %s", r->name, why.text);
    }
    tell_motion(r, record);
    return CN_OK;
}

cn_status cn_record_parse(const char *name, const char *text, size_t length,
                          const cn_record_def *def, cn_record *record, cn_error *err)
{
    CN_NEED(err, name, text, def, record);
    *record = (cn_record){0};
    CN_TRY(check_def(def, err));
    reading r = {.name = name, .def = def, .err = err};
    cn_plain_locale locale;
    if (!cn_plain_begin(&locale)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a locale");
    }
    cn_status status = parse(&r, text, length, record);
    cn_plain_end(&locale);
    free(r.number);
    if (status != CN_OK) {
        cn_record_free(record);
    }
    return status;
}

cn_status cn_record_load(const char *path, const cn_record_def *def, cn_record *record,
                         cn_error *err)
{
    CN_NEED(err, path, def, record);
    char *bytes = NULL;
    size_t length = 0;
    *record = (cn_record){0};
    CN_TRY(cn_file_bytes(path, CN_RECORD_BYTES_MAX, &bytes, &length, err));
    cn_status status = cn_record_parse(path, bytes, length, def, record, err);
    free(bytes);
    return status;
}

void cn_record_free(cn_record *record)
{
    if (record != NULL) {
        CN_RELEASE(record->time, record->acceleration, record->velocity);
        *record = (cn_record){0};
    }
}
