// picture/chart/plot.h -- charts of the step history, from plain data.
#pragma once

#include "cairn/picture.h"

// Where columns come from. What `column` returns needs to last only until it is called again.
typedef struct cn_history {
    const char *title; // of the run, may be NULL
    void *context;
    int column_count;
    const char *(*name)(void *context, int k);
    cn_status (*column)(void *context, const char *name, cn_column *column, cn_error *err);
    double from, until;             // only the steps from one time to the other [s]
    const char *against;            // column of the horizontal axis; NULL: time
    bool is_points;                 // rows that do not follow each other in time
    const struct cn_beside *beside; // NULL: none
} cn_history;

// Curves of a table that are drawn dashed beside others; all zero: none.
typedef struct cn_beside {
    int count;
    cn_curve *curve;
    char *text;     // names
    double *number; // columns, one after the other
} cn_beside;

// The first column is x. Freed by cn_beside_free, also after a failure.
cn_status cn_beside_read(const char *csv_path, cn_beside *beside, cn_error *err);
void cn_beside_free(cn_beside *beside);

// As cn_plot, for plots of the history.
cn_status cn_history_plot(const cn_history *history, const char *what, const char *path,
                          cn_error *err);

// plot_frames.c and pressure.c: as cn_plot, for plots of frames.
cn_status cn_frames_plot(cn_reader *reader, const cn_plot_def *def, const cn_beside *beside,
                         const char *path, cn_error *err);
cn_status cn_pressure_plot(cn_reader *reader, const cn_plot_def *def, const cn_beside *beside,
                           const char *path, cn_error *err);
cn_status cn_pressure_map(cn_reader *reader, const cn_plot_def *def, const cn_frame *frame,
                          int group, const char *path, cn_error *err);

// Draws a chart with the curves beside those it has; NULL: none.
cn_status cn_chart_beside(const cn_chart_def *def, const cn_beside *beside, const char *path,
                          cn_error *err);
