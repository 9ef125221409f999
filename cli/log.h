// cli/log.h -- what `cairn run` tells on stderr: a header, one aligned line per interval, a live
// line on a terminal, a summary. With --log-json one JSON object per line instead. Nothing here
// changes the run.
#pragma once

#include "cairn/scene.h"
#include "json.h"

#include <stdio.h>

// A moment of a run.
typedef struct cn_log_mark {
    double wall, time; // on the wall and simulated [s]
} cn_log_mark;

typedef struct cn_log {
    FILE *out;
    bool is_quiet, is_verbose, is_json, is_live, has_color;
    double start;     // wall clock when the run began [s]
    double line_last; // wall clock of the last line and of the last live line [s]
    double live_last;
    double time_first;           // simulated time when the run began, NaN before the first step [s]
    double time_next;            // simulated time from which the next line is due [s]
    double pace_begin;           // wall clock after the first step [s]
    cn_log_mark mark, mark_next; // where the pace is measured from, now and then
    int64_t step_last;           // step of the last line
    bool live_is_shown;
    char stage[64];
    double added_penetration; // largest of the run [m]
    double rigid_residual;    // largest of the run, of elastic steps
    double elastic_c;         // least hardness of elastic steps; infinite: all were rigid
    bool is_explained;        // what a residual means in metres
    char missed[512];         // what the step missed that missed most
    double missed_ratio;      // by how much, over what was asked
    int64_t missed_step;
} cn_log;

// What the header and the summary name.
typedef struct cn_log_names {
    const char *scene_path, *title, *result_path, *checkpoint_path, *restart_path, *problem_folder;
    bool has_asked_for_problems;
    uint64_t scene_hash;
    int threads;
} cn_log_names;

// "joints 12, rotation 3": how often steps were solved again, by reason; false: never.
bool cn_repeats_text(const int64_t repeats[CN_REPEAT_COUNT], char *text, size_t size);
// The same as an object `solved_again` with all reasons.
void cn_json_repeats(cn_json *json, const int64_t repeats[CN_REPEAT_COUNT]);

// An object with a number per stage.
void cn_json_stages(cn_json *json, const char *key, const double seconds[CN_STAGE_COUNT]);

// Escape codes only on a terminal, colours only if NO_COLOR is not set.
cn_log cn_log_open(FILE *out, bool is_quiet, bool is_verbose, bool is_json);
void cn_log_header(cn_log *log, const cn_log_names *names);

// What a run tells before its first step (cn_run_def.told; the context is the log).
void cn_log_told(void *log, const char *line);
void cn_log_step(cn_log *log, const cn_progress *progress);
// A step that takes long.
void cn_log_beat(cn_log *log, const cn_beat *beat, const char *where);
void cn_log_summary(cn_log *log, const cn_log_names *names, const cn_run_report *report,
                    cn_status status);
