// scene/language/csv.c -- two passes: count rows, then read them into one block.
#include "scene/language/csv.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scene/language/expr.h"

enum { COLUMN_MAX = 64, CELL_MAX = 64 };

// A line without its end; *next is where the following one begins.
typedef struct line {
    const char *at, *end;
    int number;
} line;

static bool next_line(const cn_source *source, const char **next, line *l)
{
    const char *end = source->text + source->length;
    while (*next < end) {
        const char *stop = memchr(*next, '\n', (size_t)(end - *next));
        l->at = *next;
        l->end = stop == NULL ? end : stop;
        l->number++;
        *next = stop == NULL ? end : stop + 1;
        while (l->end > l->at && strchr("\r \t", l->end[-1]) != NULL && l->end[-1] != '\0') {
            l->end--;
        }
        const char *first = l->at;
        while (first < l->end && (*first == ' ' || *first == '\t')) {
            first++;
        }
        if (first < l->end && *first != '#') {
            return true;
        }
    }
    return false;
}

// The cell at *at without blanks around it; moves *at behind its comma, to NULL after the last.
static void next_cell(const line *l, const char **at, const char **cell, size_t *length)
{
    const char *comma = memchr(*at, ',', (size_t)(l->end - *at));
    const char *end = comma == NULL ? l->end : comma;
    const char *begin = *at;
    while (begin < end && (*begin == ' ' || *begin == '\t')) {
        begin++;
    }
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    *cell = begin;
    *length = (size_t)(end - begin);
    *at = comma == NULL ? NULL : comma + 1;
}

static int count_cells(const line *l)
{
    int count = 1;
    for (const char *at = l->at; at < l->end; at++) {
        count += *at == ',' ? 1 : 0;
    }
    return count;
}

static cn_place place_in(const cn_source *source, const line *l, const char *at)
{
    return (cn_place){source, l->number, (int)(at - l->at) + 1};
}

static bool read_row(const cn_source *source, const line *l, cn_report *report, int column_count,
                     double *cell)
{
    if (count_cells(l) != column_count) {
        cn_complain(report, place_in(source, l, l->at),
                    "this line has %d columns, the first has %d", count_cells(l), column_count);
        return false;
    }
    const char *at = l->at;
    for (int k = 0; k < column_count; k++) {
        const char *begin;
        size_t length;
        char text[CELL_MAX + 1];
        next_cell(l, &at, &begin, &length);
        snprintf(text, sizeof text, "%.*s", (int)(length < CELL_MAX ? length : CELL_MAX), begin);
        cn_error why = {0};
        if (length > CELL_MAX || cn_number_read(text, &cell[k], &why) != CN_OK) {
            cn_complain(report, place_in(source, l, begin), "%s",
                        length > CELL_MAX ? "this is not a number"
                        : length == 0     ? "a number is missing"
                                          : why.text);
            return false;
        }
    }
    return true;
}

static cn_status read_header(const line *l, cn_arena *arena, cn_csv *csv, cn_error *err)
{
    const char **name = cn_arena_take(arena, (size_t)csv->column_count, sizeof *name, err);
    const char *at = l->at;
    for (int k = 0; name != NULL && k < csv->column_count; k++) {
        const char *begin;
        size_t length;
        next_cell(l, &at, &begin, &length);
        name[k] = cn_arena_text(arena, begin, length, err);
        if (name[k] == NULL) {
            return CN_NO_MEMORY;
        }
    }
    csv->name = name;
    csv->header_line = l->number;
    return name == NULL ? CN_NO_MEMORY : CN_OK;
}

static int count_rows(const cn_source *source)
{
    const char *next = source->text;
    line l = {0};
    int count = 0;
    while (next_line(source, &next, &l)) {
        count++;
    }
    return count;
}

static void read_rows(const cn_source *source, const char *next, line l, cn_report *report,
                      cn_csv *csv, int *number, double *cell)
{
    int before = report->count;
    // More complaints than are told would only cost time.
    while (next_line(source, &next, &l) && report->count - before < CN_REPORT_MAX) {
        double *row = cell + (size_t)csv->row_count * (size_t)csv->column_count;
        number[csv->row_count] = l.number;
        if (read_row(source, &l, report, csv->column_count, row)) {
            csv->row_count++;
        }
    }
}

cn_status cn_csv_read(const cn_source *source, cn_arena *arena, cn_report *report, cn_csv *csv,
                      cn_error *err)
{
    *csv = (cn_csv){.source = source};
    const char *next = source->text;
    line l = {0};
    line start = l;
    if (!next_line(source, &next, &l)) {
        cn_complain(report, (cn_place){source, 0, 0}, "the file holds no line of numbers");
        return CN_OK;
    }
    csv->column_count = count_cells(&l);
    if (csv->column_count > COLUMN_MAX) {
        cn_complain(report, place_in(source, &l, l.at), "more than %d columns", COLUMN_MAX);
        return CN_OK;
    }
    char first[CELL_MAX + 1];
    snprintf(first, sizeof first, "%.*s", (int)(l.end - l.at < CELL_MAX ? l.end - l.at : CELL_MAX),
             l.at);
    bool has_header = !cn_number_is_meant(first + strspn(first, " \t"));
    if (has_header) {
        CN_TRY(read_header(&l, arena, csv, err));
        start = l;
    }
    size_t most = (size_t)count_rows(source);
    int *number = cn_arena_take(arena, most, sizeof *number, err);
    double *cell = cn_arena_take(arena, most * (size_t)csv->column_count, sizeof *cell, err);
    if (number == NULL || cell == NULL) {
        return CN_NO_MEMORY;
    }
    read_rows(source, has_header ? next : source->text, start, report, csv, number, cell);
    csv->line = number;
    csv->cell = cell;
    return CN_OK;
}

int cn_csv_column(const cn_csv *csv, const char *name)
{
    for (int k = 0; csv->name != NULL && k < csv->column_count; k++) {
        if (strcmp(csv->name[k], name) == 0) {
            return k;
        }
    }
    return -1;
}
