// cli/render.c -- cairn render: pictures of frames, without any display.
#include "command.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct render_args {
    cn_operands operands;
    const char *output, *frame, *paint, *view, *camera;
    int width, height;
    bool no_forces, no_legend;
} render_args;

static const cn_option options[] = {
    {'o', "output", CN_OPTION_TEXT, "FILE", "PNG file; default: name of the result with .png",
     offsetof(render_args, output)},
    {0, "frame", CN_OPTION_TEXT, "N", "frame, negative from the end, or all; default: last",
     offsetof(render_args, frame)},
    {0, "paint", CN_OPTION_TEXT, "WHAT", "colour by group, velocity or pressure; default: group",
     offsetof(render_args, paint)},
    {0, "no-forces", CN_OPTION_FLAG, NULL, "leave out the contact forces",
     offsetof(render_args, no_forces)},
    {0, "no-legend", CN_OPTION_FLAG, NULL, "bodies and forces only",
     offsetof(render_args, no_legend)},
    {0, "width", CN_OPTION_INTEGER, "PIXELS", "width of the picture", offsetof(render_args, width)},
    {0, "height", CN_OPTION_INTEGER, "PIXELS", "height; default: as the view needs",
     offsetof(render_args, height)},
    {0, "view", CN_OPTION_TEXT, "X0,Y0,X1,Y1", "part of the plane to show [m]",
     offsetof(render_args, view)},
    {0, "camera", CN_OPTION_TEXT, "AZIMUTH,ELEVATION", "where to look from in space [degrees]",
     offsetof(render_args, camera)},
    {0},
};

static int parse_paint(const char *word, cn_paint *paint)
{
    for (int k = 0; k < CN_PAINT_COUNT; k++) {
        if (strcmp(word, cn_paint_name((cn_paint)k)) == 0) {
            *paint = (cn_paint)k;
            return CN_PARSE_GO;
        }
    }
    return cn_usage_error(&cn_command_render, "--paint is group, velocity or pressure, got '%s'",
                          word);
}

static int parse_view(const char *text, double view[4])
{
    char end;
    if (sscanf(text, "%lf,%lf,%lf,%lf%c", &view[0], &view[1], &view[2], &view[3], &end) != 4 ||
        !(view[0] < view[2]) || !(view[1] < view[3])) {
        return cn_usage_error(&cn_command_render,
                              "--view wants X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1, got '%s'", text);
    }
    return CN_PARSE_GO;
}

static int parse_camera(const char *text, cn_render_def *def)
{
    double azimuth, elevation;
    char end;
    if (sscanf(text, "%lf,%lf%c", &azimuth, &elevation, &end) != 2 || !(fabs(azimuth) <= 3600.0) ||
        !(fabs(elevation) < 90.0)) {
        return cn_usage_error(
            &cn_command_render,
            "--camera wants AZIMUTH,ELEVATION in degrees, the elevation between -90 "
            "and 90, got '%s'",
            text);
    }
    def->azimuth = azimuth * CN_PI / 180.0;
    def->elevation = elevation * CN_PI / 180.0;
    return CN_PARSE_GO;
}

static int parse_frame(const char *text, int *frame)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < INT_MIN || number > INT_MAX) {
        return cn_usage_error(&cn_command_render, "--frame wants a number or all, got '%s'", text);
    }
    *frame = (int)number;
    return CN_PARSE_GO;
}

static int fill_def(const render_args *args, bool *is_all, cn_render_def *def)
{
    int code = CN_PARSE_GO;
    *def = cn_render_def_default();
    def->frame = -1;
    def->with_forces = !args->no_forces;
    def->with_legend = !args->no_legend;
    if (args->width != 0) {
        def->width = args->width;
    }
    if (args->height != 0) {
        def->height = args->height;
    }
    if (def->width < 16 || def->width > 20000 || def->height < 0 || def->height > 20000) {
        return cn_usage_error(&cn_command_render, "a picture of %d x %d pixels is out of reason",
                              def->width, def->height);
    }
    *is_all = args->frame != NULL && strcmp(args->frame, "all") == 0;
    if (args->frame != NULL && !*is_all) {
        code = parse_frame(args->frame, &def->frame);
    }
    if (code == CN_PARSE_GO && args->paint != NULL) {
        code = parse_paint(args->paint, &def->paint);
    }
    if (code == CN_PARSE_GO && args->view != NULL) {
        def->has_view = true;
        code = parse_view(args->view, def->view);
    }
    if (code == CN_PARSE_GO && args->camera != NULL) {
        code = parse_camera(args->camera, def);
    }
    return code;
}

static cn_status render_one(cn_reader *reader, const cn_render_def *def, const char *path,
                            cn_error *err)
{
    cn_status status = cn_render(reader, def, path, err);
    if (status == CN_OK) {
        printf("%s\n", path);
    }
    return status;
}

// a.png gives a_0000.png, a_0001.png, ...
static cn_status render_all(cn_reader *reader, cn_render_def *def, const char *path, cn_error *err)
{
    int count = cn_reader_summary(reader)->frames;
    for (int k = 0; k < count; k++) {
        char ending[32], name[1100];
        snprintf(ending, sizeof ending, "_%04d.png", k);
        def->frame = k;
        cn_status status =
            render_one(reader, def, cn_change_ending(path, ending, name, sizeof name), err);
        if (status != CN_OK) {
            return status;
        }
    }
    return CN_OK;
}

static int run(int argc, char **argv)
{
    render_args args = {0};
    bool is_all = false;
    cn_render_def def;
    int code = cn_options_parse(&cn_command_render, argc, argv, &args);
    if (code == CN_PARSE_GO) {
        code = fill_def(&args, &is_all, &def);
    }
    cn_reader *reader = NULL;
    if (code == CN_PARSE_GO) {
        code = cn_command_open(&cn_command_render, args.operands.item[0], &reader);
    }
    if (code != CN_PARSE_GO) {
        return code;
    }
    char name[1024];
    const char *path = args.output != NULL
                           ? args.output
                           : cn_derive_name(args.operands.item[0], ".png", name, sizeof name);
    cn_error err = {0};
    cn_status status =
        is_all ? render_all(reader, &def, path, &err) : render_one(reader, &def, path, &err);
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_render, status, &err);
}

const cn_command cn_command_render = {
    .name = "render",
    .operands = "RESULT",
    .operand_least = 1,
    .operand_most = 1,
    .help = "draw frames as PNG pictures",
    .details = "Prints the names of the pictures. --frame all writes a numbered sequence.",
    .option = options,
    .run = run,
};
