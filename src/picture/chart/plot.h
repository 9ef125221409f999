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
    int symbol_count;
    const cn_plot_number *symbol;  // that formulas may use besides columns
    const struct cn_history *next; // another run for the same chart, NULL: none
    const char *run_name;          // of its curves; read if there are several runs
} cn_history;

// What a user adds to a chart: curves of a table that are drawn dashed beside others, and how it is
// to look. All zero: nothing.
typedef struct cn_beside {
    const cn_chart_look *look;                              // NULL: as usual
    void (*take)(void *context, const cn_chart_def *chart); // NULL: charts go to files
    void *take_context;
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

// Fails: names what was meant, or what there is (unknown_plot.c).
cn_status cn_plot_unknown(const cn_history *history, const char *name, cn_error *err);

// Whether a look changes anything.
bool cn_look_is_set(const cn_chart_look *look);

// Draws a chart with the curves beside those it has, as the user wants it to look; NULL: as it is.
cn_status cn_chart_beside(const cn_chart_def *def, const cn_beside *beside, const char *path,
                          cn_error *err);
