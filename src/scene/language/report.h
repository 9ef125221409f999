// scene/language/report.h -- problems found in the files of a scene, told with place, source line
// and caret.
#pragma once

#include "cairn/base.h"
#include "cairn/result.h"
#include "scene/language/arena.h"

// The text of one file. `parent` is the file that includes it, to find cycles.
typedef struct cn_source {
    const char *name;
    const char *text; // with a zero after it
    size_t length;
    const struct cn_source *parent;
} cn_source;

// Where something is written; line and column from 1, columns in characters. Line 0: the whole
// file.
typedef struct cn_place {
    const cn_source *source;
    int line, column;
} cn_place;

#define CN_REPORT_MAX 20

// Problems are counted; the first CN_REPORT_MAX are told.
typedef struct cn_report {
    cn_tell *told; // may be NULL
    void *context;
    int count;
    int io_count;    // those that are files that cannot be read
    char first[600]; // the first one, in one line
} cn_report;

void cn_complain(cn_report *report, cn_place at, const char *format, ...) CN_PRINTF(3, 4);

// A remark, told like a problem but not counted.
void cn_remark(cn_report *report, cn_place at, const char *format, ...) CN_PRINTF(3, 4);

// CN_OK if there was no problem, else the sentence that sums them up.
cn_status cn_report_status(const cn_report *report, const char *name, cn_error *err);

// Reads a whole file into memory of `arena`. CN_IO says why it cannot be read, CN_BAD_INPUT that it
// is larger than `most` bytes.
cn_status cn_file_read(const char *path, size_t most, cn_arena *arena, const char **text,
                       size_t *length, cn_error *err);
