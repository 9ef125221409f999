// picture/chart/from_table.c -- plots of tables: lines of fields with commas between them, names
// in the first. Fields may be quoted; those that are no numbers count as missing.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/read_file.h"
#include "picture/chart/plot.h"

#define TABLE_BYTES_MAX ((size_t)1 << 28)

typedef struct table {
    char *text; // as read, cut into fields
    int column_count;
    int64_t row_count;
    char **name;
    double *value; // rows of column_count numbers
    double *column;
    size_t name_room, value_room, column_room;
} table;

static void free_table(table *t)
{
    free(t->text);
    CN_RELEASE(t->name, t->value, t->column);
}

// Ends the field at `at` with a zero; *next is the field behind it, NULL at the end of the line,
// and *line the next line.
static char *take_field(char *at, char **next, char **line)
{
    char *field = at, *to = at;
    bool is_quoted = *at == '"';
    at += is_quoted;
    for (; *at != '\0' && (is_quoted || (*at != ',' && *at != '\n')); at++) {
        if (is_quoted && *at == '"' && at[1] != '"') {
            is_quoted = false;
            continue;
        }
        at += is_quoted && *at == '"';
        if (*at != '\r') {
            *to++ = *at;
        }
    }
    char end = *at;
    *next = end == ',' ? at + 1 : NULL;
    *line = end == '\n' ? at + 1 : at;
    *to = '\0';
    return field;
}

static cn_status take_names(table *t, char **line, cn_error *err)
{
    for (char *at = *line; at != NULL;) {
        CN_TRY(cn_reserve(NULL, &t->name, &t->name_room, (size_t)t->column_count + 1, err));
        t->name[t->column_count++] = take_field(at, &at, line);
    }
    return CN_OK;
}

static double number_of(const char *field)
{
    char *end;
    double value = strtod(field, &end);
    return end != field && *end == '\0' ? value : NAN;
}

static cn_status take_row(table *t, char **line, cn_error *err)
{
    size_t width = (size_t)t->column_count, first = width * (size_t)t->row_count;
    CN_TRY(cn_reserve(NULL, &t->value, &t->value_room, first + width, err));
    int k = 0;
    for (char *at = *line; at != NULL; k++) {
        const char *field = take_field(at, &at, line);
        if (k < t->column_count) {
            t->value[first + (size_t)k] = number_of(field);
        }
    }
    for (; k < t->column_count; k++) {
        t->value[first + (size_t)k] = NAN;
    }
    t->row_count++;
    return CN_OK;
}

static cn_status read_table(const char *path, table *t, cn_error *err)
{
    size_t length;
    CN_TRY(cn_file_bytes(path, TABLE_BYTES_MAX, &t->text, &length, err));
    t->text[length] = '\0'; // there is always room behind what was read
    char *line = t->text;
    CN_TRY(take_names(t, &line, err));
    while (*line != '\0') {
        if (*line == '\n' || *line == '\r') {
            line++;
            continue;
        }
        CN_TRY(take_row(t, &line, err));
    }
    return t->row_count > 0 ? CN_OK
                            : cn_fail(err, CN_BAD_INPUT, "%s: no rows below the names", path);
}

static const char *table_name(void *context, int k)
{
    return ((const table *)context)->name[k];
}

static cn_status table_column(void *context, const char *name, cn_column *column, cn_error *err)
{
    table *t = context;
    CN_TRY(cn_reserve(NULL, &t->column, &t->column_room, (size_t)t->row_count, err));
    for (int k = 0; k < t->column_count; k++) {
        if (strcmp(t->name[k], name) == 0) {
            for (int64_t r = 0; r < t->row_count; r++) {
                t->column[r] = t->value[t->column_count * r + k];
            }
            *column = (cn_column){.name = name, .count = t->row_count, .value = t->column};
            return CN_OK;
        }
    }
    return cn_fail(err, CN_BAD_INPUT, "the table has no column '%.60s'", name);
}

void cn_beside_free(cn_beside *beside)
{
    CN_RELEASE(beside->curve, beside->number);
    free(beside->text);
    *beside = (cn_beside){0};
}

// Takes the names over from the table.
static cn_status take_curves(table *t, cn_beside *beside, cn_error *err)
{
    size_t room[2] = {0}, width = (size_t)t->column_count, rows = (size_t)t->row_count;
    CN_TRY(cn_reserve(NULL, &beside->curve, &room[0], width, err));
    CN_TRY(cn_reserve(NULL, &beside->number, &room[1], width * rows, err));
    for (size_t k = 0; k < width; k++) {
        for (size_t r = 0; r < rows; r++) {
            beside->number[k * rows + r] = t->value[width * r + k];
        }
    }
    for (size_t k = 1; k < width; k++) {
        beside->curve[beside->count++] = (cn_curve){.name = t->name[k],
                                                    .count = (int)rows,
                                                    .x = beside->number,
                                                    .y = beside->number + k * rows,
                                                    .style = CN_CURVE_DASHED};
    }
    beside->text = t->text;
    t->text = NULL;
    return CN_OK;
}

cn_status cn_beside_read(const char *csv_path, cn_beside *beside, cn_error *err)
{
    table t = {0};
    cn_status status = read_table(csv_path, &t, err);
    if (status == CN_OK && (t.column_count < 2 || t.row_count > INT_MAX)) {
        status = cn_fail(err, CN_BAD_INPUT, "%s: wanted x and a column for each curve", csv_path);
    }
    CN_THEN(status, take_curves(&t, beside, err));
    free_table(&t);
    return status;
}

cn_status cn_plot_table(const char *csv_path, const char *what, const char *against,
                        const char *path, cn_error *err)
{
    CN_NEED(err, csv_path, what, path);
    table t = {0};
    cn_status status = read_table(csv_path, &t, err);
    if (status == CN_OK) {
        const char *slash = strrchr(csv_path, '/');
        const cn_history history = {.title = slash != NULL ? slash + 1 : csv_path,
                                    .context = &t,
                                    .column_count = t.column_count,
                                    .name = table_name,
                                    .column = table_column,
                                    .against = against != NULL ? against : t.name[0],
                                    .from = -INFINITY,
                                    .until = INFINITY,
                                    .is_points = true};
        status = cn_history_plot(&history, what, path, err);
    }
    free_table(&t);
    return status;
}
