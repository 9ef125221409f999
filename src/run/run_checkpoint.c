// run/run_checkpoint.c -- what a run adds to the checkpoint of its world, and how it is taken
// back.
//
// Order on the way back: the clock first, since it tells which stages have changed the world; then
// the world is brought to that stage; then its state is restored.
#include "base/memory.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

enum {
    FORMAT = 2,
    CLOCK_COUNT = 8,
    INTEGER_COUNT = CLOCK_COUNT + 3,
    REAL_COUNT = 6,
    PART_COUNT = 9
};

// The numbers of a run that are stored, where they are.
static void list_integers(cn_run *run, int64_t *at[CLOCK_COUNT])
{
    cn_run_clock *c = &run->clock;
    int64_t *const list[CLOCK_COUNT] = {&c->stage,
                                        &c->leg_step,
                                        &c->stage_is_over,
                                        &c->frame_next,
                                        &c->checkpoint_next,
                                        &c->frame_step,
                                        &run->report.nonconverged_steps,
                                        &run->report.sweeps};
    memcpy(at, list, sizeof list);
}

static void list_reals(cn_run *run, double *at[REAL_COUNT])
{
    cn_run_report *t = &run->report;
    double *const list[REAL_COUNT] = {&run->clock.stage_start, &t->residual_max,
                                      &t->penetration_max,     &t->penetration_max_rel,
                                      &run->clock.leg_start,   &run->clock.leg_h};
    memcpy(at, list, sizeof list);
}

// The same as they are stored: format, hash of the scene, clock, is_stopped.
typedef struct numbers {
    int64_t integer[INTEGER_COUNT];
    double real[REAL_COUNT];
    double overlap[CN_RUN_OVERLAP_COUNT];
} numbers;

static void pack(cn_run *run, numbers *n)
{
    int64_t *integer[CLOCK_COUNT];
    double *real[REAL_COUNT];
    list_integers(run, integer);
    list_reals(run, real);
    n->integer[0] = FORMAT;
    memcpy(&n->integer[1], &run->scene->hash, sizeof n->integer[1]);
    for (int k = 0; k < CLOCK_COUNT; k++) {
        n->integer[2 + k] = *integer[k];
    }
    n->integer[INTEGER_COUNT - 1] = run->is_stopped;
    for (int k = 0; k < REAL_COUNT; k++) {
        n->real[k] = *real[k];
    }
    cn_run_pack_overlap(run, n->overlap);
}

static void unpack(const numbers *n, cn_run *run)
{
    int64_t *integer[CLOCK_COUNT];
    double *real[REAL_COUNT];
    list_integers(run, integer);
    list_reals(run, real);
    for (int k = 0; k < CLOCK_COUNT; k++) {
        *integer[k] = n->integer[2 + k];
    }
    run->is_stopped = n->integer[INTEGER_COUNT - 1] != 0;
    for (int k = 0; k < REAL_COUNT; k++) {
        *real[k] = n->real[k];
    }
    cn_run_unpack_overlap(n->overlap, run);
}

// The parts of a checkpoint: where their data are written from and read to.
static void list_parts(cn_run *run, numbers *n, cn_state_part part[PART_COUNT])
{
    size_t starts = (size_t)cn_run_q_size(run) * (size_t)run->scene->body_count;
    const cn_state_part list[PART_COUNT] = {
        {"run.integers", 8, false, INTEGER_COUNT, n->integer},
        {"run.reals", 8, true, REAL_COUNT, n->real},
        {"run.held", 8, true, (size_t)cn_run_condition_max(run->scene), run->held},
        {"run.q_start", 8, true, starts, run->q_start},
        {"run.note", 1, false, sizeof run->note, run->note},
        {"run.waits", 1, false, run->traffic.body_count, run->traffic.waits},
        {"run.order", 8, false, run->traffic.body_count, run->traffic.order},
        {"run.came", 8, false, run->traffic.source_count, run->traffic.came},
        {"run.overlap", 8, true, CN_RUN_OVERLAP_COUNT, n->overlap},
    };
    memcpy(part, list, sizeof list);
}

cn_status cn_run_save(cn_run *run, cn_error *err)
{
    numbers n;
    size_t names_size;
    const char *names = cn_run_body_names(run, &names_size, err);
    if (names == NULL) {
        return CN_NO_MEMORY;
    }
    cn_state_part part[PART_COUNT + 1] = {
        [PART_COUNT] = {"run.body_names", 1, false, names_size, names}};
    pack(run, &n);
    cn_run_list_order(run);
    list_parts(run, &n, part);
    return cn_checkpoint_write_claimed(run->checkpoint, run->world, part, PART_COUNT + 1, err);
}

// Copies a part of a checkpoint to where `wanted` says, after checking that it is what it should
// be.
static cn_status take_part(const cn_run *run, const cn_checkpoint *checkpoint,
                           const cn_state_part *wanted, cn_error *err)
{
    const cn_state_part *part = cn_checkpoint_part(checkpoint, wanted->name);
    if (part == NULL && wanted->count == 0) {
        return CN_OK;
    }
    if (part == NULL || part->element_size != wanted->element_size ||
        part->is_real != wanted->is_real || part->count != wanted->count) {
        return cn_fail(err, CN_BAD_INPUT,
                       "checkpoint '%s' cannot be used: part '%s' is missing or has another size; "
                       "it was not written by a run of this scene, or is damaged",
                       run->def->restart_path, wanted->name);
    }
    if (wanted->count > 0) {
        memcpy((void *)wanted->data, part->data, wanted->element_size * wanted->count);
    }
    return CN_OK;
}

static cn_status check_origin(const cn_run *run, const int64_t n[INTEGER_COUNT], cn_error *err)
{
    const char *path = run->def->restart_path;
    uint64_t hash;
    memcpy(&hash, &n[1], sizeof hash);
    if (n[0] != FORMAT) {
        return cn_fail(err, CN_BAD_INPUT,
                       "checkpoint '%s' has run format %lld, this program reads format %d", path,
                       (long long)n[0], FORMAT);
    }
    if (hash != run->scene->hash) {
        return cn_fail(err, CN_BAD_INPUT,
                       "checkpoint '%s' belongs to another scene (hash %016llx, '%s' has "
                       "%016llx): restart with the same scene and the same -D values",
                       path, (unsigned long long)hash, run->scene->name,
                       (unsigned long long)run->scene->hash);
    }
    if (n[2] < 0 || n[2] >= run->scene->stage_count || n[3] < 0) {
        return cn_fail(err, CN_BAD_INPUT, "checkpoint '%s' is damaged: stage %lld, step %lld", path,
                       (long long)n[2], (long long)n[3]);
    }
    return CN_OK;
}

static cn_status take_parts(cn_run *run, const cn_checkpoint *checkpoint, cn_error *err)
{
    numbers n = {0};
    cn_state_part part[PART_COUNT];
    list_parts(run, &n, part);
    if (cn_checkpoint_part(checkpoint, "run.overlap") == NULL) {
        part[PART_COUNT - 1].count = 0; // older ones know of none
    }
    for (int k = 0; k < PART_COUNT; k++) {
        CN_TRY(take_part(run, checkpoint, &part[k], err));
        if (k == 0) { // before the sizes of other parts are compared
            CN_TRY(check_origin(run, n.integer, err));
        }
    }
    run->note[sizeof run->note - 1] = '\0';
    unpack(&n, run);
    return CN_OK;
}

cn_status cn_run_resume(cn_run *run, cn_error *err)
{
    cn_checkpoint *checkpoint = NULL;
    CN_TRY(cn_checkpoint_open(run->def->restart_path, &checkpoint, err));
    cn_status status = take_parts(run, checkpoint, err);
    CN_THEN(status, cn_run_replay_stages(run, err));
    CN_THEN(status, cn_checkpoint_restore(checkpoint, run->world, err));
    cn_checkpoint_close(checkpoint);
    if (status == CN_OK) {
        cn_run_find_places(run);
        if (run->clock.leg_h != cn_run_full_step(run)) {
            cn_run_start_leg(run);
        }
    }
    return status;
}
