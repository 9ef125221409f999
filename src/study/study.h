// study/study.h -- a study that has been read and checked, as plain data.
#pragma once

#include "cairn/study.h"
#include "scene/language/arena.h"

#define CN_STUDY_RUN_MAX 1000000

// How the values of a param are found.
typedef enum cn_range_kind {
    CN_RANGE_LIST = 0, // value[0] ... value[count - 1]; evenly spaced ones are written out
    CN_RANGE_UNIFORM,  // drawn between value[0] and value[1]
    CN_RANGE_BISECT    // between value[0] and value[1] to within `tolerance`
} cn_range_kind;

typedef struct cn_study_range {
    const char *name;
    cn_range_kind kind;
    int count;
    const double *value;
    double tolerance;
} cn_study_range;

// Which number a series is reduced to; in the order of the words of the key `take`.
typedef enum cn_take {
    CN_TAKE_LAST = 0,
    CN_TAKE_FIRST,
    CN_TAKE_LEAST,
    CN_TAKE_MOST,
    CN_TAKE_MEAN
} cn_take;

typedef struct cn_study_probe {
    const char *name; // of the column in the table
    const char *series;
    cn_take take;
} cn_study_probe;

struct cn_study {
    cn_arena arena;
    const char *title, *scene;
    uint64_t hash;
    int range_count;
    cn_study_range *range;
    int bisected;     // range that is bisected, -1: none
    int fragility;    // range over which failure is fitted, -1: none
    bool is_together; // lists go together, first with first; else every combination
    int draw_count;   // of ranges that are drawn
    uint64_t seed;
    int line_count, run_max;
    int probe_count;
    cn_study_probe *probe;
    // When a run counts as failed: it was stopped by a stop_when, or a series leaves an interval.
    bool fails_when_stopped, fails_by_series;
    cn_study_probe verdict;
    double below, above; // failed if less than `below` or more than `above`; NaN: no such limit
};
