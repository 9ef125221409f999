// result/world_file.c -- the public calls that write a world: results and checkpoints.
#include "cairn/result.h"
#include "result/checkpoint.h"
#include "result/mesh_rows.h"
#include "result/writer.h"

#include "base/memory.h"

static const char *group_name(const void *context, int group)
{
    return cn_group_name(context, group);
}

static const cn_law_type *law_type(const void *context, int law)
{
    return cn_law_type_of(context, law);
}

static bool nodes(const void *context, cn_body_id id, cn_mesh_def *mesh, cn_node_view *view)
{
    return cn_body_nodes(context, id, view, NULL) == CN_OK &&
           cn_body_mesh(context, id, mesh, NULL) == CN_OK;
}

static cn_status stress(const void *context, cn_body_id id, double *at_nodes, double *strain,
                        cn_error *err)
{
    return cn_body_node_strain(context, id, at_nodes, strain, err);
}

static cn_status mean(const void *context, cn_body_id id, double stress_mean[6], double *volume,
                      cn_error *err)
{
    return cn_body_mean_stress(context, id, stress_mean, volume, err);
}

static cn_snapshot take(const cn_world *w)
{
    cn_cell_state cell = {.is_there = false};
    cn_world_cell(w, &cell, NULL);
    return (cn_snapshot){.view = cn_world_view(w),
                         .cell = cell,
                         .threads = cn_world_threads(w),
                         .state_hash = cn_world_state_hash(w),
                         .group_count = cn_group_count(w),
                         .group_name = group_name,
                         .law_count = cn_law_count(w),
                         .law_type = law_type,
                         .nodes = nodes,
                         .stress = stress,
                         .mean = mean,
                         .context = w};
}

cn_status cn_writer_create(const char *path, const cn_provenance *provenance, const cn_world *w,
                           int series_count, const char *const *series, cn_writer **writer,
                           cn_error *err)
{
    CN_NEED(err, path, provenance, w, writer);
    if (series_count > 0) {
        CN_NEED(err, series);
    }
    cn_snapshot snapshot = take(w);
    return cn_results_create(path, provenance, &snapshot, series_count, series, writer, err);
}

cn_status cn_writer_step(cn_writer *writer, const cn_world *w, const double *series, cn_error *err)
{
    CN_NEED(err, writer, w);
    cn_view view = cn_world_view(w);
    return cn_results_step(writer, &view, series, err);
}

cn_status cn_writer_frame(cn_writer *writer, const cn_world *w, cn_error *err)
{
    CN_NEED(err, writer, w);
    cn_snapshot snapshot = take(w);
    return cn_results_frame(writer, &snapshot, err);
}

// The nullity of the last step, -1 where it would take longer than about a second: the cost is that
// of orthogonalising the columns of H, contacts times degrees of freedom squared.
static int count_indeterminate(const cn_world *w, const cn_snapshot *snapshot)
{
    const cn_view *view = &snapshot->view;
    double dofs = (view->dim == 2 ? 3.0 : 6.0) * view->body_count;
    dofs += view->dim * (double)cn_mesh_rows_nodes(snapshot);
    int nullity;
    if (view->contact_count * dofs * dofs > 2e8 ||
        cn_world_indeterminate(w, &nullity, NULL) != CN_OK) {
        return -1;
    }
    return nullity;
}

cn_status cn_writer_close(cn_writer *writer, const cn_world *w, const char *outcome,
                          double wall_seconds, cn_error *err)
{
    if (w == NULL || outcome == NULL) {
        cn_writer_abandon(writer); // freed in any case
    }
    CN_NEED(err, writer, w, outcome);
    cn_snapshot snapshot = take(w);
    return cn_results_close(writer, &snapshot, outcome, wall_seconds,
                            count_indeterminate(w, &snapshot), err);
}

cn_status cn_checkpoint_write(const char *path, cn_world *w, const cn_state_part *extra,
                              int extra_count, cn_error *err)
{
    CN_NEED(err, path, w);
    if (extra_count > 0) {
        CN_NEED(err, extra);
    }
    const cn_state_part *state;
    int state_count;
    CN_TRY(cn_world_state(w, &state, &state_count, err));
    return cn_checkpoint_save(path, state, state_count, extra, extra_count, err);
}

cn_status cn_checkpoint_write_claimed(cn_claim *claim, cn_world *w, const cn_state_part *extra,
                                      int extra_count, cn_error *err)
{
    CN_NEED(err, claim, w);
    if (extra_count > 0) {
        CN_NEED(err, extra);
    }
    const cn_state_part *state;
    int state_count;
    CN_TRY(cn_world_state(w, &state, &state_count, err));
    return cn_checkpoint_put(claim, state, state_count, extra, extra_count, err);
}

cn_status cn_checkpoint_restore(const cn_checkpoint *checkpoint, cn_world *w, cn_error *err)
{
    CN_NEED(err, checkpoint, w);
    int count;
    const cn_state_part *state = cn_checkpoint_state(checkpoint, &count);
    return cn_world_restore(w, state, count, err);
}
