// picture/from_result.c -- pictures of result files: hands what a reader holds to the
// drawing.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "picture/chart/plot.h"
#include "picture/render.h"
#include "picture/save.h"

static const cn_shape_def *reader_shapes(const void *context, cn_body_id id, int *count)
{
    return cn_reader_shapes(context, id, count);
}

static const cn_solid_def *reader_solids(const void *context, cn_body_id id, int *count)
{
    return cn_reader_solids(context, id, count);
}

static bool reader_is_fixed(const void *context, cn_body_id id)
{
    return cn_reader_is_fixed(context, id);
}

static bool reader_mesh(const void *context, cn_body_id id, cn_mesh_def *mesh)
{
    return cn_reader_mesh(context, id, mesh);
}

static const char *reader_group_name(const void *context, int group)
{
    bool is_known = group >= 0 && group < cn_reader_group_count(context);
    return is_known ? cn_reader_group_name(context, group) : NULL;
}

static int reader_damage_of(const void *context, int law)
{
    const cn_law_info *info = cn_reader_law(context, law);
    for (int k = 0; info != NULL && k < info->state_count; k++) {
        if (strcmp(info->state_name[k], "damage") == 0) {
            return k;
        }
    }
    return -1;
}

// The joints of frame 0 go with the frame; the caller releases them.
static cn_status take_seams(cn_reader *reader, cn_picture_frame *frame, cn_seam_point **point,
                            cn_error *err)
{
    cn_frame first;
    CN_TRY(cn_reader_frame(reader, 0, &first, err));
    CN_TRY(cn_reader_need_contacts(reader, &first, err));
    CN_TRY(cn_seams_take(&first, point, &frame->seam_point_count, err));
    frame->seam_point = *point;
    return CN_OK;
}

static cn_status save_picture(const cn_picture_frame *frame, const cn_render_def *def,
                              const char *png_path, cn_error *err)
{
    cn_canvas canvas;
    CN_TRY(cn_frame_draw(frame, def, &canvas, err));
    cn_status status = cn_canvas_save(&canvas, png_path, err);
    cn_canvas_destroy(&canvas);
    return status;
}

// Draws the frame or, without a path, measures it.
static cn_status show(cn_reader *reader, const cn_render_def *def, const char *png_path,
                      cn_render_range *range, cn_error *err)
{
    cn_picture_frame frame = {.title = cn_reader_summary(reader)->title,
                              .context = reader,
                              .shapes = reader_shapes,
                              .solids = cn_reader_summary(reader)->dim == 3 ? reader_solids : NULL,
                              .is_fixed = reader_is_fixed,
                              .mesh = reader_mesh,
                              .group_name = reader_group_name,
                              .damage_of = reader_damage_of};
    frame.spread = def->paint == CN_PAINT_SPREAD ? def->spread : NULL;
    cn_seam_point *point = NULL;
    cn_status status =
        cn_paint_is_of_joints(def->paint) ? take_seams(reader, &frame, &point, err) : CN_OK;
    CN_THEN(status, cn_reader_frame(reader, def->frame, &frame.state, err));
    bool needs_contacts = def->with_thrust || def->paint == CN_PAINT_PRESSURE ||
                          cn_paint_is_of_joints(def->paint) || def->paint == CN_PAINT_SPREAD;
    CN_THEN(status, needs_contacts ? cn_reader_need_contacts(reader, &frame.state, err) : CN_OK);
    if (status == CN_OK && def->paint == CN_PAINT_SPREAD &&
        (def->spread == NULL || def->spread->count != frame.state.contact_count)) {
        status = cn_fail(err, CN_BAD_INPUT, "frame %d has %d contacts, the forces given are %d",
                         def->frame, frame.state.contact_count,
                         def->spread != NULL ? def->spread->count : 0);
    }
    CN_THEN(status, png_path != NULL ? save_picture(&frame, def, png_path, err)
                                     : cn_frame_measure(&frame, def, range, err));
    cn_release(NULL, point);
    return status;
}

cn_status cn_render(cn_reader *reader, const cn_render_def *def, const char *png_path,
                    cn_error *err)
{
    CN_NEED(err, reader, def, png_path);
    return show(reader, def, png_path, NULL, err);
}

cn_status cn_render_measure(cn_reader *reader, const cn_render_def *def, cn_render_range *range,
                            cn_error *err)
{
    CN_NEED(err, reader, def, range);
    return show(reader, def, NULL, range, err);
}

static const char *reader_column_name(void *context, int k)
{
    return cn_reader_column_name(context, k);
}

static cn_status reader_column(void *context, const char *name, cn_column *column, cn_error *err)
{
    return cn_reader_column(context, name, column, err);
}

static cn_history history_of(cn_reader *reader, const cn_plot_def *def, const cn_beside *beside)
{
    return (cn_history){.title = cn_reader_summary(reader)->title,
                        .context = reader,
                        .column_count = cn_reader_column_count(reader),
                        .name = reader_column_name,
                        .column = reader_column,
                        .from = def->from,
                        .until = def->until,
                        .against = def->against,
                        .beside = beside,
                        .symbol_count = def->number_count,
                        .symbol = def->number};
}

static cn_status plot_history(cn_reader *reader, const cn_plot_def *def, const cn_beside *beside,
                              const char *path, cn_error *err)
{
    cn_history *run = NULL;
    size_t room = 0, count = 1 + (size_t)def->run_count;
    CN_TRY(cn_reserve(NULL, &run, &room, count, err));
    for (size_t k = 0; k < count; k++) {
        run[k] = history_of(k == 0 ? reader : def->run[k - 1], def, beside);
        run[k].run_name = def->run_name != NULL ? def->run_name[k] : run[k].title;
        run[k].next = k + 1 < count ? &run[k + 1] : NULL;
    }
    cn_status status = cn_history_plot(run, def->what, path, err);
    cn_release(NULL, run);
    return status;
}

cn_plot_def cn_plot_def_default(const char *what)
{
    return (cn_plot_def){.what = what,
                         .from = -INFINITY,
                         .until = INFINITY,
                         .frame = -1,
                         .frame_count = 1,
                         .axis = -1};
}

static cn_status check_plot(const cn_plot_def *def, cn_error *err)
{
    if (def->run_count < 0 || def->number_count < 0) {
        return cn_fail(err, CN_BAD_INPUT, "a plot of %d further runs and %d numbers",
                       def->run_count, def->number_count);
    }
    if ((def->run_count > 0 && def->run == NULL) ||
        (def->number_count > 0 && def->number == NULL)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a plot claims %d further runs and %d numbers: one of the "
                       "arrays is NULL",
                       def->run_count, def->number_count);
    }
    if (def->run_count > 0 && cn_plot_is_of_frames(def->what)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a plot of '%s' shows one run; several go into one chart "
                       "for columns of the history",
                       def->what);
    }
    return CN_OK;
}

cn_status cn_plot(cn_reader *reader, const cn_plot_def *def, const char *path, cn_error *err)
{
    CN_NEED(err, reader, def);
    CN_NEED(err, def->what);
    if (def->take == NULL) {
        CN_NEED(err, path);
    }
    CN_TRY(check_plot(def, err));
    cn_beside beside = {0};
    cn_status status = def->beside != NULL ? cn_beside_read(def->beside, &beside, err) : CN_OK;
    beside.look = &def->look;
    beside.take = def->take;
    beside.take_context = def->take_context;
    CN_THEN(status, cn_plot_is_of_frames(def->what)
                        ? cn_frames_plot(reader, def, &beside, path, err)
                        : plot_history(reader, def, &beside, path, err));
    cn_beside_free(&beside);
    return status;
}
