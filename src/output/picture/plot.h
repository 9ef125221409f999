// output/picture/plot.h -- charts of the step history, from plain data.
#pragma once

#include "cairn/picture.h"

// Where columns come from. What `column` returns needs to last only until it is called again.
typedef struct cn_history {
    const char *title; // of the run, may be NULL
    void *context;
    int column_count;
    const char *(*name)(void *context, int k);
    cn_status (*column)(void *context, const char *name, cn_column *column, cn_error *err);
    bool is_cut;        // only the steps from one time to the other
    double from, until; // [s]
    int beside_count;   // curves to be drawn dashed beside
    const cn_curve *beside;
} cn_history;

// As cn_plot.
cn_status cn_history_plot(const cn_history *history, const char *what, const char *path,
                          cn_error *err);

// pressure.c: pressures of a frame on the bodies of a group (picture.h); group_name is asked with
// the reader.
cn_status cn_pressure_plot(cn_reader *reader, const cn_plot_def *def, const char *path,
                           cn_error *err);

// Draws a chart with curves beside those it has, dashed.
cn_status cn_chart_beside(const cn_chart_def *def, int count, const cn_curve *beside,
                          const char *path, cn_error *err);
