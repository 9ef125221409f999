// scene/run_result.c -- the result file of a run: opened or continued, frames, closed.
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "scene/run.h"

static cn_status create_result(cn_run *run, cn_error *err)
{
    const cn_provenance provenance = {
        .title = run->scene->title,
        .scene_path = run->scene->name,
        .scene_text = run->scene->text,
        .command_line = run->def->command_line != NULL ? run->def->command_line : "",
        .seed = run->scene->solver.seed,
        .step = cn_run_full_step(run),
        .has_stress = run->scene->output.has_stress,
    };
    run->clock.frame_step = cn_world_view(run->world).step;
    return cn_writer_create(run->def->result_path, &provenance, run->world, run->series_count,
                            run->series_count > 0 ? run->series_name : NULL, &run->writer, err);
}

// A result may only be continued if it is the one that the checkpoint belongs to.
static cn_status check_result(const cn_run *run, int64_t step, cn_error *err)
{
    const char *path = run->def->result_path;
    cn_reader *reader = NULL;
    CN_TRY(cn_reader_open(path, &reader, err));
    cn_status status = CN_OK;
    if (strcmp(cn_reader_scene_text(reader), run->scene->text) != 0) {
        status = cn_fail(err, CN_BAD_INPUT,
                         "result '%s' was made from another scene and would be lost: name another "
                         "result file",
                         path);
    } else if (cn_reader_summary(reader)->steps < step) {
        status = cn_fail(err, CN_BAD_INPUT,
                         "result '%s' ends at step %" PRId64 ", before step %" PRId64
                         " of the checkpoint: name another result file",
                         path, cn_reader_summary(reader)->steps, step);
    }
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
    run->writer = NULL;
    return cn_writer_close(writer, run->world, run->outcome, wall_seconds, err);
}
