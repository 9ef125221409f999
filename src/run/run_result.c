// run/run_result.c -- the result file of a run: opened or continued, frames, closed.
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "base/memory.h"
#include "run/run.h"

const char *cn_run_body_names(cn_run *run, size_t *size, cn_error *err)
{
    enum { NAME_MOST = 96 };
    const cn_scene *scene = run->scene;
    if (run->body_names == NULL) {
        size_t most = (size_t)scene->body_count * NAME_MOST + 1;
        run->body_names = cn_arena_take(&run->arena, most, 1, err);
        char *to = run->body_names;
        for (int k = 0; k < scene->body_count && to != NULL; k++) {
            cn_scene_body_name(scene, k, to);
            to += strlen(to);
            *to++ = '\n';
        }
        run->body_names_size = to == NULL ? 0 : (size_t)(to - run->body_names);
    }
    if (size != NULL) {
        *size = run->body_names_size;
    }
    return run->body_names;
}

static cn_status create_result(cn_run *run, cn_error *err)
{
    const char *names = cn_run_body_names(run, NULL, err);
    if (names == NULL) {
        return CN_NO_MEMORY;
    }
    const cn_provenance provenance = {
        .title = run->scene->title,
        .scene_path = run->scene->name,
        .scene_text = run->scene->text,
        .command_line = run->def->command_line != NULL ? run->def->command_line : "",
        .seed = run->scene->solver.seed,
        .step = cn_run_full_step(run),
        .has_stress = run->scene->output.has_stress,
        .is_thinned = run->scene->output.history != 1,
        .history = run->scene->output.history,
        .contacts_every = run->scene->output.contacts_every,
        .is_reduced = run->scene->output.is_reduced,
        .body_names = names,
    };
    run->clock.frame_step = cn_world_view(run->world).step;
    return cn_writer_create(run->def->result_path, &provenance, run->world, run->series_count,
                            run->series_count > 0 ? run->series_name : NULL, &run->writer, err);
}

static cn_status check_whole(cn_reader *reader, const char *path, cn_error *err)
{
    int damaged = 0;
    CN_TRY(cn_reader_verify(reader, NULL, NULL, &damaged, err));
    return damaged == 0 ? CN_OK
                        : cn_fail(err, CN_IO,
                                  "result '%s' is damaged and cannot be continued ('cairn info' "
                                  "tells where): name another result file",
                                  path);
}

static cn_status check_origin(const cn_run *run, const cn_reader *reader, int64_t step,
                              cn_error *err)
{
    const char *path = run->def->result_path;
    if (strcmp(cn_reader_scene_text(reader), run->scene->text) != 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "result '%s' was made from another scene and would be lost: name another "
                       "result file",
                       path);
    }
    if (cn_reader_summary(reader)->steps < step) {
        return cn_fail(err, CN_BAD_INPUT,
                       "result '%s' ends at step %" PRId64 ", before step %" PRId64
                       " of the checkpoint: name another result file",
                       path, cn_reader_summary(reader)->steps, step);
    }
    return CN_OK;
}

// A result may only be continued if it is the one that the checkpoint belongs to.
static cn_status check_result(const cn_run *run, int64_t step, cn_error *err)
{
    cn_reader *reader = NULL;
    CN_TRY(cn_reader_open(run->def->result_path, &reader, err));
    cn_status status = check_whole(reader, run->def->result_path, err);
    CN_THEN(status, check_origin(run, reader, step, err));
    cn_reader_close(reader);
    return status;
}

cn_status cn_run_open_result(cn_run *run, cn_error *err)
{
    const char *path = run->def->result_path;
    if (path == NULL) {
        return CN_OK;
    }
    if (run->def->restart_path == NULL || access(path, F_OK) != 0) {
        return create_result(run, err);
    }
    int64_t step = cn_world_view(run->world).step;
    CN_TRY(cn_claim_check(path, err)); // what is being written may look damaged
    CN_TRY(check_result(run, step, err));
    return cn_writer_reopen(path, step, &run->writer, err);
}

cn_status cn_run_write_frame(cn_run *run, cn_error *err)
{
    int64_t step = cn_world_view(run->world).step;
    if (run->writer == NULL || run->clock.frame_step == step) {
        return CN_OK;
    }
    CN_TRY(cn_writer_frame(run->writer, run->world, err));
    run->clock.frame_step = step;
    return CN_OK;
}

cn_status cn_run_close_result(cn_run *run, double wall_seconds, cn_error *err)
{
    if (run->writer == NULL) {
        return CN_OK;
    }
    cn_writer *writer = run->writer;
    const cn_run_overlap *o = &run->report.overlap;
    run->writer = NULL;
    cn_writer_name_overlaps(writer, o->deepest_name, o->unseen_name, o->phantom_name);
    return cn_writer_close(writer, run->world, run->outcome, wall_seconds, err);
}
