// picture/chart/chart_file.c -- charts and other sheets as SVG, PNG or CSV, by the ending of the
// path.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "picture/chart/chart.h"

static cn_status check_range(const double range[2], bool is_log, char axis, cn_error *err)
{
    bool is_good = isfinite(range[0]) && isfinite(range[1]) && range[0] <= range[1];
    if (!is_good || (is_log && range[0] != range[1] && !(range[0] > 0.0))) {
        return cn_fail(err, CN_BAD_INPUT, "the range of %c is %g to %g: %s", axis, range[0],
                       range[1],
                       is_good ? "a logarithmic axis begins above 0"
                               : "two finite numbers are wanted, the smaller one first");
    }
    return CN_OK;
}

static cn_status check_look(const cn_chart_def *def, cn_error *err)
{
    enum { LEAST = 200, MOST = 20000 }; // pixels: labels have room, and a canvas memory
    const int size[2] = {def->width, def->height};
    for (int k = 0; k < 2; k++) {
        if (size[k] != 0 && (size[k] < LEAST || size[k] > MOST)) {
            return cn_fail(err, CN_BAD_INPUT, "a chart is %d to %d pixels %s, not %d", (int)LEAST,
                           (int)MOST, k == 0 ? "wide" : "high", size[k]);
        }
    }
    CN_TRY(check_range(def->x_range, def->log_x, 'x', err));
    return check_range(def->y_range, def->log_y, 'y', err);
}

static cn_status check_chart(const cn_chart_def *def, cn_error *err)
{
    if (def->curve_count < 0 || (def->curve_count > 0 && def->curve == NULL)) {
        return cn_fail(err, CN_BAD_INPUT, "a chart of %d curves has no array of curves",
                       def->curve_count);
    }
    CN_TRY(check_look(def, err));
    for (int c = 0; c < def->curve_count; c++) {
        const cn_curve *curve = &def->curve[c];
        if (curve->count < 0 || (curve->count > 0 && (curve->x == NULL || curve->y == NULL))) {
            return cn_fail(err, CN_BAD_INPUT, "curve %d of a chart claims %d points but has no %s",
                           c, curve->count, curve->x == NULL ? "x" : "y");
        }
    }
    return CN_OK;
}

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static int width_of(const cn_sheet *sheet)
{
    return sheet->width > 0 ? sheet->width : CN_CHART_WIDTH;
}

static int height_of(const cn_sheet *sheet)
{
    return sheet->height > 0 ? sheet->height : CN_CHART_HEIGHT;
}

static cn_status save_png(const cn_sheet *sheet, const char *path, cn_error *err)
{
    cn_canvas canvas;
    CN_TRY(cn_canvas_create(width_of(sheet), height_of(sheet), cn_tone_paper(), &canvas, err));
    cn_draw draw = cn_draw_on_canvas(&canvas);
    sheet->draw(sheet->context, &draw);
    cn_status status = cn_canvas_save(&canvas, path, err);
    cn_canvas_destroy(&canvas);
    return status;
}

static cn_status save_svg(const cn_sheet *sheet, const char *path, cn_error *err)
{
    cn_whole draft;
    CN_TRY(cn_whole_open(path, &draft, err));
    cn_svg svg;
    cn_svg_begin(&svg, draft.file, width_of(sheet), height_of(sheet),
                 sheet->title != NULL ? sheet->title : "");
    cn_draw draw = cn_draw_on_svg(&svg);
    sheet->draw(sheet->context, &draw);
    cn_svg_end(&svg);
    return cn_whole_commit(&draft, err);
}

static cn_status save_csv(const cn_sheet *sheet, const char *path, cn_error *err)
{
    cn_whole draft;
    CN_TRY(cn_whole_open(path, &draft, err));
    sheet->table(sheet->context, draft.file);
    return cn_whole_commit(&draft, err);
}

cn_status cn_sheet_save(const cn_sheet *sheet, const char *path, cn_error *err)
{
    if (has_ending(path, ".png")) {
        return save_png(sheet, path, err);
    }
    if (has_ending(path, ".svg")) {
        return save_svg(sheet, path, err);
    }
    if (has_ending(path, ".csv")) {
        return save_csv(sheet, path, err);
    }
    return cn_fail(err, CN_BAD_INPUT,
                   "cannot tell the format of '%s': the name must end in .svg, .png or .csv", path);
}

static void draw_chart(const void *context, const cn_draw *draw)
{
    cn_chart_draw(context, draw);
}

static void write_chart(const void *context, FILE *file)
{
    cn_chart_write_csv(context, file);
}

cn_status cn_chart(const cn_chart_def *def, const char *path, cn_error *err)
{
    CN_NEED(err, def, path);
    CN_TRY(check_chart(def, err));
    const cn_sheet sheet = {.width = def->width,
                            .height = def->height,
                            .title = def->title,
                            .context = def,
                            .draw = draw_chart,
                            .table = write_chart};
    return cn_sheet_save(&sheet, path, err);
}
