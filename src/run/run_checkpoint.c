// run/run_checkpoint.c -- what a run adds to the checkpoint of its world, and how it is taken
// back.
//
// Order on the way back: the clock first, since it tells which stages have changed the world; then
// the world is brought to that stage; then its state is restored.
#include "base/memory.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

enum { FORMAT = 2, INTEGER_COUNT = 11, REAL_COUNT = 6 };

static void pack_integers(const cn_run *run, int64_t n[INTEGER_COUNT])
{
    const cn_run_clock *c = &run->clock;
    n[0] = FORMAT;
    memcpy(&n[1], &run->scene->hash, sizeof n[1]);
    n[2] = c->stage;
    n[3] = c->leg_step;
    n[4] = c->stage_is_over;
    n[5] = c->frame_next;
    n[6] = c->checkpoint_next;
    n[7] = c->frame_step;
    n[8] = run->totals.nonconverged_steps;
    n[9] = run->totals.sweeps;
    n[10] = run->is_stopped;
}

static void unpack_integers(const int64_t n[INTEGER_COUNT], cn_run *run)
{
    cn_run_clock *c = &run->clock;
    c->stage = n[2];
    c->leg_step = n[3];
    c->stage_is_over = n[4];
    c->frame_next = n[5];
    c->checkpoint_next = n[6];
    c->frame_step = n[7];
    run->totals.nonconverged_steps = n[8];
    run->totals.sweeps = n[9];
    run->is_stopped = n[10] != 0;
}

static size_t start_count(const cn_run *run)
{
    return (size_t)cn_run_q_size(run) * (size_t)run->scene->body_count;
}

cn_status cn_run_save(cn_run *run, cn_error *err)
{
    const cn_run_totals *t = &run->totals;
    int64_t integers[INTEGER_COUNT];
    pack_integers(run, integers);
    size_t names_size;
    const char *names = cn_run_body_names(run, &names_size, err);
    if (names == NULL) {
        return CN_NO_MEMORY;
    }
    double reals[REAL_COUNT] = {run->clock.stage_start, t->residual_max,      t->penetration_max,
                                t->penetration_max_rel, run->clock.leg_start, run->clock.leg_h};
    double overlap[CN_RUN_OVERLAP_COUNT];
    cn_run_pack_overlap(run, overlap);
    const cn_state_part parts[] = {
        {"run.integers", 8, false, INTEGER_COUNT, integers},
        {"run.reals", 8, true, REAL_COUNT, reals},
        {"run.held", 8, true, (size_t)cn_run_condition_max(run->scene), run->held},
        {"run.q_start", 8, true, start_count(run), run->q_start},
        {"run.note", 1, false, sizeof run->note, run->note},
        {"run.body_names", 1, false, names_size, names},
        {"run.overlap", 8, true, CN_RUN_OVERLAP_COUNT, overlap},
    };
    return cn_checkpoint_write_claimed(run->checkpoint, run->world, parts,
                                       sizeof parts / sizeof parts[0], err);
}

// Copies a part of a checkpoint after checking that it is what it should be.
static cn_status take_part(const cn_run *run, const cn_checkpoint *checkpoint, const char *name,
                           size_t element_size, bool is_real, size_t count, void *to, cn_error *err)
{
    const cn_state_part *part = cn_checkpoint_part(checkpoint, name);
    if (part == NULL && count == 0) {
        return CN_OK;
    }
    if (part == NULL || part->element_size != element_size || part->is_real != is_real ||
        part->count != count) {
        return cn_fail(err, CN_BAD_INPUT,
                       "checkpoint '%s' cannot be used: part '%s' is missing or has another size; "
                       "it was not written by a run of this scene, or is damaged",
                       run->def->restart_path, name);
    }
    if (count > 0) {
        memcpy(to, part->data, element_size * count);
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
    int64_t integers[INTEGER_COUNT];
    double reals[REAL_COUNT];
    CN_TRY(take_part(run, checkpoint, "run.integers", 8, false, INTEGER_COUNT, integers, err));
    CN_TRY(check_origin(run, integers, err));
    CN_TRY(take_part(run, checkpoint, "run.reals", 8, true, REAL_COUNT, reals, err));
    CN_TRY(take_part(run, checkpoint, "run.held", 8, true, (size_t)cn_run_condition_max(run->scene),
                     run->held, err));
    CN_TRY(take_part(run, checkpoint, "run.q_start", 8, true, start_count(run), run->q_start, err));
    CN_TRY(take_part(run, checkpoint, "run.note", 1, false, sizeof run->note, run->note, err));
    run->note[sizeof run->note - 1] = '\0';
    double overlap[CN_RUN_OVERLAP_COUNT];
    if (cn_checkpoint_part(checkpoint, "run.overlap") != NULL) { // older ones know of none
        CN_TRY(
            take_part(run, checkpoint, "run.overlap", 8, true, CN_RUN_OVERLAP_COUNT, overlap, err));
        cn_run_unpack_overlap(overlap, run);
    }
    unpack_integers(integers, run);
    run->clock.stage_start = reals[0];
    run->totals.residual_max = reals[1];
    run->totals.penetration_max = reals[2];
    run->totals.penetration_max_rel = reals[3];
    run->clock.leg_start = reals[4];
    run->clock.leg_h = reals[5];
    return CN_OK;
}

cn_status cn_run_resume(cn_run *run, cn_error *err)
{
    cn_checkpoint *checkpoint = NULL;
    CN_TRY(cn_checkpoint_open(run->def->restart_path, &checkpoint, err));
    cn_status status = take_parts(run, checkpoint, err);
    if (status == CN_OK) {
        status = cn_run_replay_stages(run, err);
    }
    if (status == CN_OK) {
        status = cn_checkpoint_restore(checkpoint, run->world, err);
    }
    cn_checkpoint_close(checkpoint);
    if (status == CN_OK) {
        cn_run_find_places(run);
        if (run->clock.leg_h != cn_run_full_step(run)) {
            cn_run_start_leg(run);
        }
    }
    return status;
}
