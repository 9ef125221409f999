// scene/language/csv.h -- tables of numbers: bulk bodies and records of time.
//
// One line per row, numbers separated by commas; blank lines and lines that begin with '#' are
// skipped. A first line that does not begin with a number is the header.
#pragma once

#include "scene/language/report.h"

typedef struct cn_csv {
    const cn_source *source;
    int column_count, row_count;
    const char *const *name; // of the columns; NULL without header
    const int *line;         // of each row
    int header_line;         // 0: none
    const double *cell;      // row_count x column_count
} cn_csv;

// Problems go to the report, *csv is then not to be used; the status is about memory.
cn_status cn_csv_read(const cn_source *source, cn_arena *arena, cn_report *report, cn_csv *csv,
                      cn_error *err);

// Number of a column, -1 if there is none of that name.
int cn_csv_column(const cn_csv *csv, const char *name);
