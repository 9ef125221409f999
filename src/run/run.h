// run/run.h -- a run in progress: what cn_scene_run keeps between steps.
//
// The parts that later steps depend on (clock, condition counters, start of the stage, totals) are
// written into checkpoints by run_checkpoint.c, so that a restarted run continues bit for bit.
#pragma once

#include "scene/language/arena.h"
#include "scene/model.h"
#include "scene/observe/observers.h"

// Where the run is.
typedef struct cn_run_clock {
    int64_t stage;           // stage whose loads are in the world
    int64_t leg_step;        // steps made in its present leg, of one length but the last
    int64_t stage_is_over;   // the next step belongs to the next stage
    int64_t frame_next;      // frame k is due at k times the output interval
    int64_t checkpoint_next; // likewise
    int64_t frame_step;      // step of the last frame
    double stage_start;      // time when the stage began [s]
    double leg_start, leg_h; // likewise of the leg, and the length of its steps [s]
} cn_run_clock;

// Bodies that enter and leave (come_and_go.c); empty in scenes without.
typedef struct cn_run_traffic {
    size_t body_count, source_count;
    unsigned char *waits; // of each body of the scene: it has not entered yet
    int64_t *order;       // ids in the order of the world, then 0: for checkpoints
    int64_t *came;        // of each source of the stage: bodies that have entered in it
} cn_run_traffic;

typedef struct cn_run {
    const cn_scene *scene;
    const cn_run_def *def;
    cn_world *world;
    cn_writer *writer;    // NULL: no result file
    cn_claim *checkpoint; // the right to write checkpoints; NULL: none are
    cn_arena arena;       // holds the arrays below
    cn_deform_def deform; // as the world has it
    cn_run_clock clock;
    cn_run_traffic traffic;
    cn_run_report report;  // sums and maxima so far; the rest is filled in at the end
    cn_body_id deepest[2]; // bodies of report.penetration_max_rel
    double *held; // seconds for which each condition of the stage has held: until, then stop_when
    double *q_start; // configuration of each body of the scene when the stage began, with the
                     // place as if space had no period
    int *place;      // of each body of the scene in the arrays of the view; -1: removed
    int series_count;
    const char **series_name;
    double *series;
    cn_observing observing; // what observers are given, and the numbers that they work with
    char *body_names;       // one per line; NULL: not written down yet
    size_t body_names_size;
    int dump_count, dump_failed; // problems recorded; steps tried because they did not converge
    bool is_stopped;             // by a stop_when condition
    bool is_replaying; // a stage is entered again, before the state of a checkpoint is taken
    char note[256];    // which one, or what a stage could not reach
    char outcome[256]; // how the run ended
} cn_run;

// Numbers of a body in q and v of the view.
static inline int cn_run_q_size(const cn_run *run)
{
    return cn_q_size(run->scene->dim);
}

// stage.c
cn_status cn_run_enter_stage(cn_run *run, int stage, cn_error *err);

// Rebuilds in a fresh world what stages 0 .. clock.stage have changed besides the state: removed
// and fixed bodies, gravity, scheme and the loads of the stage in progress, with their own time
// origin.
cn_status cn_run_replay_stages(cn_run *run, cn_error *err);

// A stage is one leg, unless a run goes on from amid it with steps of another length. Starts a new
// one here and now.
void cn_run_start_leg(cn_run *run);

// Length of full steps of the stage [s].
double cn_run_full_step(const cn_run *run);

// Step to make next: the last one of a leg is shorter if h does not divide what is left [s].
double cn_run_step_length(const cn_run *run);
bool cn_run_stage_has_ended(const cn_run *run);

// Latest end of the run [s].
double cn_run_time_end(const cn_run *run);

// drive_corners.c: before a step of length h, gives driven bodies the velocity that their
// displacement has from here on, where it jumps.
cn_status cn_run_turn_corners(cn_run *run, double h, cn_error *err);

// come_and_go.c: before a step bodies leave and enter as the stage says.
cn_status cn_run_traffic_prepare(cn_run *run, cn_error *err);
void cn_run_traffic_begin_stage(cn_run *run);
cn_status cn_run_come_and_go(cn_run *run, cn_error *err);

// Counts who has not entered, for the report.
void cn_run_tell_waiting(cn_run *run);

// Writes down who is there; makes a fresh world hold these bodies in this order.
void cn_run_list_order(cn_run *run);
cn_status cn_run_recall_bodies(cn_run *run, cn_error *err);

// condition.c: largest number of conditions of a stage; their state after a step.
int cn_run_condition_max(const cn_scene *scene);

// Updates the conditions after a step of length h. *until, *stop: the condition that holds, or
// NULL.
void cn_run_conditions(cn_run *run, double h, const cn_scene_condition **until,
                       const cn_scene_condition **stop);

// observe.c
cn_status cn_run_observe_prepare(cn_run *run, cn_error *err);
void cn_run_observe(cn_run *run);
void cn_run_find_places(cn_run *run);

// Names of all bodies of the scene, one per line, and their size in bytes; NULL: no memory.
const char *cn_run_body_names(cn_run *run, size_t *size, cn_error *err);

// run_result.c: the result file, continued after a restart; none if the run is without one. A frame
// is written once per step.
cn_status cn_run_open_result(cn_run *run, cn_error *err);
cn_status cn_run_write_frame(cn_run *run, cn_error *err);
cn_status cn_run_close_result(cn_run *run, double wall_seconds, cn_error *err);

// tell.c: what the last step missed, in the words of the scene; the heart-beat of long steps
// and requests to stop.
enum { CN_MISSED_SIZE = 512 };
void cn_run_missed(const cn_run *run, char text[CN_MISSED_SIZE]);
void cn_run_listen(cn_run *run);

// watch_overlap.c: looks for overlaps after a step, and names those that were found.
cn_status cn_run_look(cn_run *run, cn_error *err);
void cn_run_name_overlaps(cn_run *run);
// What it found so far as numbers, for checkpoints.
enum { CN_RUN_OVERLAP_COUNT = 23 };
void cn_run_pack_overlap(const cn_run *run, double numbers[CN_RUN_OVERLAP_COUNT]);
void cn_run_unpack_overlap(const double numbers[CN_RUN_OVERLAP_COUNT], cn_run *run);

// dump_problems.c: records the problem of the last step if it is one of those to record.
cn_status cn_run_dump(cn_run *run, cn_error *err);

// run_checkpoint.c
cn_status cn_run_save(cn_run *run, cn_error *err);
cn_status cn_run_resume(cn_run *run, cn_error *err);
