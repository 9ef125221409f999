// run/run.c -- runs a scene: stages one after the other, each a sequence of steps; observers,
// frames and checkpoints in between. Uses the public interface only.
//
// A checkpoint always comes with a frame, and the frame is on disk first: whatever is killed, the
// result file reaches at least as far as the checkpoint, and a restart continues both.
#include "run/run.h"

#include "base/clock.h"
#include "base/memory.h"
#include "cairn/deformable.h"
#include "scene/check/check_overlap.h"
#include "scene/check/warn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

cn_run_def cn_run_def_default(void)
{
    return (cn_run_def){.until = INFINITY,
                        .checkpoint_every = NAN,
                        .threads = 1,
                        .dump_first = 1,
                        .dump_failed_max = 10};
}

static cn_status check_def(const cn_scene *scene, const cn_run_def *def, cn_error *err)
{
    if (scene->stage_count < 1) {
        return cn_fail(err, CN_BAD_INPUT, "%s has no stages: nothing to run", scene->name);
    }
    if (isnan(def->until)) {
        return cn_fail(err, CN_BAD_INPUT, "the end time of a run cannot be NaN");
    }
    if (def->checkpoint_every < 0.0) {
        return cn_fail(err, CN_BAD_INPUT, "time between checkpoints must be >= 0 s, got %g",
                       def->checkpoint_every);
    }
    if (!(def->step >= 0.0) || !isfinite(def->step)) {
        return cn_fail(err, CN_BAD_INPUT, "steps of a run must last > 0 s, got %g", def->step);
    }
    if (def->threads < 1) {
        return cn_fail(err, CN_BAD_INPUT, "a run needs at least one thread, got %d", def->threads);
    }
    return CN_OK;
}

// The right to write checkpoints, for the whole run. The writer of the result takes its own; that
// it can is tried here, since it is said before the run rather than after hours of it.
static cn_status claim_files(cn_run *run, cn_error *err)
{
    cn_claim *result = NULL;
    cn_status status = CN_OK;
    if (run->def->result_path != NULL) {
        CN_TRY(cn_claim_take(run->def->result_path, &result, err));
    }
    if (run->def->checkpoint_path != NULL) {
        status = cn_claim_take(run->def->checkpoint_path, &run->checkpoint, err);
    }
    cn_claim_release(result);
    return status;
}

static cn_status allocate(cn_run *run, cn_error *err)
{
    size_t bodies = (size_t)run->scene->body_count, q_size = (size_t)cn_run_q_size(run);
    size_t conditions = (size_t)cn_run_condition_max(run->scene);
    run->held = cn_arena_take(&run->arena, conditions, sizeof *run->held, err);
    run->q_start = cn_arena_take(&run->arena, q_size * bodies, sizeof *run->q_start, err);
    run->place = cn_arena_take(&run->arena, bodies, sizeof *run->place, err);
    if (!run->held || !run->q_start || !run->place) {
        return CN_NO_MEMORY;
    }
    CN_TRY(cn_run_traffic_prepare(run, err));
    return cn_run_observe_prepare(run, err);
}

// ---- output

// Is output number *next of this interval due? Sums of steps carry rounding: 1e-6 of a step is
// none.
static bool is_due(double time, double h, double every, int64_t *next)
{
    if (!(every > 0.0) || !isfinite(every) || time < (double)*next * every - 1e-6 * h) {
        return false;
    }
    *next = (int64_t)floor((time + 1e-6 * h) / every) + 1;
    return true;
}

static double checkpoint_interval(const cn_run *run)
{
    double asked = run->def->checkpoint_every;
    return isnan(asked) ? run->scene->output.checkpoint_every : asked;
}

// ---- one step

static void count_step(cn_run *run)
{
    const cn_certificate *c = cn_world_view(run->world).certificate;
    cn_run_report *t = &run->report;
    t->nonconverged_steps += !c->solver.is_converged;
    t->sweeps += c->solver.sweep_count;
    for (int m = 0; m < CN_METHOD_NAME_COUNT; m++) {
        t->iterations[m] += c->solver.work[m].iteration_count;
        t->seconds_by_method[m] += c->solver.work[m].seconds;
    }
    t->residual_max = fmax(t->residual_max, c->solver.residual.err_v);
    t->penetration_max = fmax(t->penetration_max, c->penetration);
    if (c->penetration_rel > t->penetration_max_rel) {
        t->penetration_max_rel = c->penetration_rel;
        memcpy(run->deepest, c->deepest, sizeof run->deepest);
    }
    t->drive_error = fmax(t->drive_error, c->drive_error);
    t->rigid_steps += c->held_rigid > 0;
    t->cut_steps += c->part_count > 1;
    for (int k = 0; k < CN_REPEAT_COUNT; k++) {
        t->repeats[k] += c->repeat_count[k];
    }
}

// What the stage decides after a step: goes on, is over, or ends the run.
static void judge_step(cn_run *run, double h)
{
    const cn_scene_stage *stage = &run->scene->stage[run->clock.stage];
    const cn_scene_condition *until, *stop;
    cn_run_conditions(run, h, &until, &stop);
    if (stop != NULL) {
        run->is_stopped = true;
        snprintf(run->note, sizeof run->note, "stopped: %s (stage %s, t = %.6g s)", stop->text,
                 stage->name, cn_world_view(run->world).time);
    } else if (until != NULL) {
        run->clock.stage_is_over = true;
    } else if (cn_run_stage_has_ended(run)) {
        run->clock.stage_is_over = true;
        if (stage->until_count > 0) {
            snprintf(run->note, sizeof run->note,
                     "reached the end, but stage %s lasted its %.6g s without: %s", stage->name,
                     stage->duration, stage->until[0].text);
        }
    }
}

static cn_status fail_strictly(const cn_run *run, cn_error *err)
{
    const cn_certificate *c = cn_world_view(run->world).certificate;
    char missed[CN_MISSED_SIZE];
    cn_run_missed(run, missed);
    return cn_fail(err, CN_MISSED, "step %" PRId64 " at t = %.6g s did not converge: %s", c->step,
                   c->time, missed);
}

// Least gap of the step; infinite without contacts [m].
static double least_gap(const cn_view *view)
{
    double least = INFINITY;
    for (int a = 0; a < view->contact_count; a++) {
        least = fmin(least, view->contact[a].gap);
    }
    return least;
}

// False if the caller wants the run to stop.
static bool report_progress(const cn_run *run, bool is_frame)
{
    if (run->def->progress == NULL) {
        return true;
    }
    cn_view view = cn_world_view(run->world);
    char missed[CN_MISSED_SIZE];
    bool has_missed = !view.certificate->solver.is_converged;
    if (has_missed) {
        cn_run_missed(run, missed);
    }
    const cn_progress progress = {
        .stage = run->scene->stage[run->clock.stage].name,
        .certificate = view.certificate,
        .ledger = view.ledger,
        .time_end = cn_run_time_end(run),
        .gap_min = least_gap(&view),
        .nonconverged_steps = run->report.nonconverged_steps,
        .is_frame = is_frame,
        .missed = has_missed ? missed : NULL,
    };
    return run->def->progress(run->def->context, &progress);
}

// Which outputs are due after a step.
typedef struct outputs {
    bool frame, checkpoint;
} outputs;

static outputs find_due(cn_run *run, double h)
{
    double time = cn_world_view(run->world).time;
    bool is_saved = run->def->checkpoint_path != NULL &&
                    is_due(time, h, checkpoint_interval(run), &run->clock.checkpoint_next);
    bool is_frame = is_due(time, h, run->scene->output.every, &run->clock.frame_next);
    return (outputs){is_frame || is_saved, is_saved};
}

static cn_status write_outputs(cn_run *run, outputs due, cn_error *err)
{
    double begun = cn_wall_clock();
    cn_status status = due.frame ? cn_run_write_frame(run, err) : CN_OK;
    CN_THEN(status, due.checkpoint ? cn_run_save(run, err) : CN_OK);
    run->report.output_seconds += cn_wall_clock() - begun;
    return status;
}

enum { HALVINGS = 6 }; // of steps in which a deformable body finds no balance

static bool is_halved(const cn_scene *scene)
{
    for (int k = 0; k < scene->body_count; k++) {
        if (scene->body[k].def.type == CN_BODY_MESH) {
            return true;
        }
    }
    return false;
}

static cn_status write_row(cn_run *run, cn_error *err)
{
    if (run->writer != NULL || run->def->at_end != NULL) {
        cn_run_observe(run);
    }
    double begun = cn_wall_clock();
    cn_status status =
        run->writer != NULL ? cn_writer_step(run->writer, run->world, run->series, err) : CN_OK;
    run->report.output_seconds += cn_wall_clock() - begun;
    return status;
}

// Row, if halves of a step were made, frame and checkpoint, in this order.
static cn_status save_state(cn_run *run, bool has_moved, cn_error *err)
{
    if (has_moved) {
        cn_run_find_places(run);
        CN_TRY(write_row(run, err));
    }
    CN_TRY(cn_run_write_frame(run, err));
    return run->def->checkpoint_path != NULL ? cn_run_save(run, err) : CN_OK;
}

// Saves the state before a step that broke, and says when that was and how to go on. Halved steps
// may have led into the midst of a step: what follows is a leg of its own.
static cn_status fail_step(cn_run *run, double h, bool has_moved, cn_error *err)
{
    cn_error why = *err, saving = {0};
    char rest[600] = "";
    const char *checkpoint = run->def->checkpoint_path;
    cn_run_start_leg(run);
    cn_status saved = save_state(run, has_moved, &saving);
    double least = is_halved(run->scene) ? ldexp(h, -HALVINGS) : h;
    if (saved != CN_OK) {
        snprintf(rest, sizeof rest, "; the state before could not be saved: %.480s", saving.text);
    } else if (checkpoint != NULL) {
        snprintf(rest, sizeof rest,
                 "; the state before is in '%.480s': go on with --restart and a --step below %g s",
                 checkpoint, least);
    }
    cn_view view = cn_world_view(run->world);
    return cn_fail(err, CN_BROKEN, "step %lld from t = %.9g s: %s%s", (long long)view.step + 1,
                   view.time, why.text, rest);
}

// A step was dropped on request. Its contacts are gone, so that no frame is written: the result
// ends with the row of the last step, which is also that of the checkpoint.
static cn_status drop_step(cn_run *run, bool has_moved, cn_error *err)
{
    cn_view view = cn_world_view(run->world);
    if (has_moved) { // by halves of a step: what follows is a leg of its own
        cn_run_start_leg(run);
        CN_TRY(write_row(run, err));
    }
    run->clock.frame_step = view.step;
    return cn_fail(err, CN_STOPPED, "stopped on request at t = %.6g s, within step %lld", view.time,
                   (long long)view.step + 1);
}

static bool has_reached(const cn_run *run, double until)
{
    return cn_world_view(run->world).time >= until - 1e-6 * run->clock.leg_h;
}

// Whether the step that was judged is the last one of the run.
static bool is_last(const cn_run *run)
{
    bool is_over = run->clock.stage_is_over && run->clock.stage + 1 == run->scene->stage_count;
    return run->is_stopped || is_over || has_reached(run, run->def->until);
}

static cn_status make_step(cn_run *run, cn_error *err)
{
    double h = cn_run_step_length(run);
    CN_TRY(cn_run_come_and_go(run, err));
    int64_t step = cn_world_view(run->world).step;
    CN_TRY(cn_scene_named(run->scene, cn_run_turn_corners(run, h, err), err));
    cn_status stepped =
        cn_scene_named(run->scene, cn_world_advance(run->world, h, HALVINGS, err), err);
    bool has_moved = cn_world_view(run->world).step > step;
    if (stepped == CN_BROKEN) {
        return fail_step(run, h, has_moved, err);
    }
    if (stepped == CN_STOPPED) {
        return drop_step(run, has_moved, err);
    }
    CN_TRY(stepped);
    run->clock.leg_step++;
    count_step(run);
    cn_run_find_places(run);
    judge_step(run, h);
    outputs due = find_due(run, h);
    bool is_shown = due.frame && run->writer != NULL;
    if (run->def->audit == CN_AUDIT_DEEP || is_shown || is_last(run)) {
        CN_TRY(cn_run_look(run, err));
    }
    CN_TRY(write_row(run, err));
    CN_TRY(cn_run_dump(run, err));
    CN_TRY(write_outputs(run, due, err));
    bool goes_on = report_progress(run, due.frame);
    if (run->def->is_strict && !cn_world_view(run->world).certificate->solver.is_converged) {
        return fail_strictly(run, err);
    }
    return goes_on ? CN_OK
                   : cn_fail(err, CN_STOPPED, "stopped on request at t = %.6g s",
                             cn_world_view(run->world).time);
}

// ---- the run

// Sweeps in random orders instead of the solver of the scene, if asked for.
static cn_status shuffle(cn_run *run, cn_error *err)
{
    if (run->def->shuffle == 0) {
        return CN_OK;
    }
    cn_solver_def solver = run->scene->solver;
    solver.method = CN_METHOD_NLGS;
    solver.order = CN_ORDER_RANDOM;
    solver.seed = run->def->shuffle;
    return cn_world_set_solver(run->world, &solver, err);
}

// Drives of the stage against joints. A scene that cannot even begin is bad input, and leaves no
// files.
static cn_status check_drives(const cn_run *run, cn_error *err)
{
    cn_error why = {0};
    const cn_scene *scene = run->scene;
    cn_status status = scene->joint_count == 0
                           ? CN_OK
                           : cn_world_check_drives(run->world, cn_run_full_step(run), &why);
    status = cn_scene_named(scene, status, &why);
    if (status != CN_BROKEN) {
        return status == CN_OK ? CN_OK : cn_fail(err, status, "%s", why.text);
    }
    return run->clock.stage == 0 ? cn_fail(err, CN_BAD_INPUT, "%s: %s", scene->name, why.text)
                                 : cn_fail(err, CN_BROKEN, "%s: stage '%.60s': %s", scene->name,
                                           scene->stage[run->clock.stage].name, why.text);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return a != NULL && b != NULL && stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// A run would replace what it starts from, and could not be made again.
static cn_status check_start_stays(const cn_run *run, cn_error *err)
{
    const cn_scene_start *start = &run->scene->start;
    const char *written[] = {run->def->result_path, run->def->checkpoint_path};
    for (int k = 0; k < 2 && run->def->restart_path == NULL; k++) {
        if (is_same_file(start->path, written[k])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "%s:%d: '%s', which the run starts from, is also what it would write: "
                           "name another result file",
                           start->at.file, start->at.line, start->path);
        }
    }
    return CN_OK;
}

// A restart brings its own state: what the scene starts from may be gone by then.
static cn_status build_world(cn_run *run, cn_error *err)
{
    const cn_scene *scene = run->scene;
    const cn_run_def *def = run->def;
    if (def->restart_path != NULL && scene->start.path != NULL) {
        return cn_scene_bare_world(scene, def->threads, &run->world, err);
    }
    CN_TRY(cn_scene_world(scene, def->threads, def->told, def->context, &run->world, err));
    CN_TRY(cn_scene_check_overlaps(scene, run->world, NULL, NULL, err));
    return def->told == NULL ? CN_OK
                             : cn_scene_warn(scene, run->world, def->told, def->context, err);
}

// All that stands between the scene and the first step.
static cn_status begin(cn_run *run, cn_error *err)
{
    CN_TRY(check_def(run->scene, run->def, err));
    CN_TRY(check_start_stays(run, err));
    CN_TRY(claim_files(run, err));
    CN_TRY(build_world(run, err));
    cn_world_time_processor(run->world, true);
    cn_run_listen(run);
    CN_TRY(shuffle(run, err));
    CN_TRY(allocate(run, err));
    if (run->def->restart_path != NULL) {
        CN_TRY(cn_run_resume(run, err));
    } else {
        run->clock.frame_next = 1;
        run->clock.checkpoint_next = 1;
        CN_TRY(cn_run_enter_stage(run, 0, err));
        CN_TRY(check_drives(run, err));
    }
    return cn_run_open_result(run, err);
}

static cn_status go_on(cn_run *run, cn_error *err)
{
    while (!run->is_stopped) {
        if (has_reached(run, run->def->until)) {
            snprintf(run->outcome, sizeof run->outcome, "stopped at t = %.6g s as asked",
                     cn_world_view(run->world).time);
            return CN_OK;
        }
        if (run->clock.stage_is_over) {
            if (run->clock.stage + 1 == run->scene->stage_count) {
                break;
            }
            CN_TRY(cn_run_enter_stage(run, (int)run->clock.stage + 1, err));
            CN_TRY(check_drives(run, err));
        }
        CN_TRY(make_step(run, err));
    }
    snprintf(run->outcome, sizeof run->outcome, "%s",
             run->note[0] != '\0' ? run->note : "reached the end");
    return CN_OK;
}

// More than this part of the steps may not miss what was asked [-].
static const double MISSED_MOST = 0.01;

static void judge_run(cn_run_report *report)
{
    if ((double)report->nonconverged_steps > MISSED_MOST * (double)report->steps) {
        snprintf(report->missed, sizeof report->missed,
                 "%" PRId64 " of %" PRId64 " steps missed the accuracy that was asked for",
                 report->nonconverged_steps, report->steps);
    }
}

static void name_deepest(cn_run *run)
{
    const cn_body_id *id = run->deepest;
    char name[2][96];
    if (id[0] == 0 || id[1] == 0) {
        return;
    }
    cn_scene_body_name(run->scene, (int)(id[0] - 1), name[0]);
    cn_scene_body_name(run->scene, (int)(id[1] - 1), name[1]);
    snprintf(run->report.deepest, sizeof run->report.deepest, "%s and %s", name[0], name[1]);
}

// Fills in the numbers of the report that are not sums over steps.
static void complete_report(cn_run *run, double wall_seconds)
{
    if (run->world == NULL) {
        return;
    }
    cn_view view = cn_world_view(run->world);
    cn_run_report *report = &run->report;
    report->steps = view.step;
    report->time = view.time;
    report->wall_seconds = wall_seconds;
    name_deepest(run);
    cn_run_tell_waiting(run);
    report->given = -view.ledger->total[CN_ENERGY_GIVEN];
    judge_run(report);
    report->energy_error = view.ledger->error_max;
    report->problem_count = run->dump_count;
    report->state_hash = cn_world_state_hash(run->world);
    memcpy(report->seconds_by_stage, view.seconds, sizeof report->seconds_by_stage);
    memcpy(report->processor_by_stage, view.processor_seconds, sizeof report->processor_by_stage);
    snprintf(report->outcome, sizeof report->outcome, "%s", run->outcome);
}

// The last frame, the checkpoint and the end of the result, which is closed even if the checkpoint
// could not be written.
static cn_status finish_files(cn_run *run, cn_status status, double wall_seconds, cn_error *err)
{
    bool is_good = status == CN_OK || status == CN_STOPPED;
    CN_TRY(cn_run_write_frame(run, err));
    cn_status saved = CN_OK;
    if (is_good && run->def->checkpoint_path != NULL) {
        saved = cn_run_save(run, err);
    }
    cn_status closed = cn_run_close_result(run, wall_seconds, saved == CN_OK ? err : NULL);
    return saved != CN_OK ? saved : closed;
}

// Ends a run that has begun. After a failed write the file is left as it was committed. A failure
// of files is what the call returns only if nothing failed before.
static cn_status finish(cn_run *run, cn_status status, double wall_start, cn_error *err)
{
    double wall_seconds = cn_wall_clock() - wall_start;
    if (status != CN_OK) {
        const char *how = status == CN_STOPPED ? "" : "failed: ";
        snprintf(run->outcome, sizeof run->outcome, "%s%.240s", how, err->text);
    }
    cn_run_name_overlaps(run);
    if (status != CN_IO && status != CN_NO_MEMORY) {
        cn_error closing = {0};
        cn_status closed = finish_files(run, status, wall_seconds, &closing);
        if (closed != CN_OK && (status == CN_OK || status == CN_STOPPED)) {
            *err = closing;
            return closed;
        }
    }
    return status;
}

cn_status cn_scene_run(const cn_scene *scene, const cn_run_def *def, cn_run_report *report,
                       cn_error *err)
{
    CN_NEED(err, scene, def);
    cn_run run = {.scene = scene, .def = def, .deform = scene->deform};
    cn_error own = {0};
    double wall_start = cn_wall_clock(), processor_start = cn_processor_clock();
    cn_status status = begin(&run, &own);
    if (status == CN_OK) {
        status = go_on(&run, &own);
        if (status == CN_OK && def->at_end != NULL) {
            def->at_end(def->context, run.world, run.series_count, run.series_name, run.series);
        }
        status = finish(&run, status, wall_start, &own);
    }
    if (report != NULL) {
        complete_report(&run, cn_wall_clock() - wall_start);
        run.report.processor_seconds = cn_processor_clock() - processor_start;
        *report = run.report;
    }
    if (err != NULL && status != CN_OK) {
        *err = own;
    }
    if (run.writer != NULL) {
        cn_writer_abandon(run.writer);
    }
    cn_claim_release(run.checkpoint);
    cn_world_destroy(run.world);
    cn_arena_free(&run.arena);
    return status;
}
