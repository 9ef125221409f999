// validation/scene_rig.h -- scenes written as text, run to their end as `cairn run` does, and means
// of what they observe.
#pragma once

#include "validation.h"

#define CN_SCENE_SET_MAX 8

// A run that is over. After a failure, which the book records, means are NaN.
typedef struct cn_scene_trial {
    cn_book *book;
    cn_reader *reader; // of its result; NULL after a failure
    char path[64];     // of that file, which goes away at the end
    int64_t steps, missed, sweeps;
    double deepest; // penetration over the size of the smaller body [-]
} cn_scene_trial;

// Runs the scene with the params of `set`, "name=value" each, up to a NULL. Every step is booked.
// `accuracy` is what the solver of the scene is asked for.
cn_scene_trial cn_scene_trial_run(cn_book *book, const char *text, double accuracy,
                                  const char *const set[CN_SCENE_SET_MAX]);
void cn_scene_trial_end(cn_scene_trial *t);

// Mean of a column of the history, such as "series/cell.sxx", over the steps that end after `from`
// and not after `to` [s].
double cn_scene_trial_mean(const cn_scene_trial *t, const char *column, double from, double to);

// Its last value.
double cn_scene_trial_last(const cn_scene_trial *t, const char *column);
