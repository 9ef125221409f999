// cli/plot.c -- cairn plot: curves of the step history, statistics of frames, tables of studies.
#include "command.h"

#include <math.h>
#include <string.h>

typedef struct plot_args {
    cn_operands operands;
    const char *output, *against, *beside, *axis, *body;
    double from, until;
    int frame, frames, bins;
    bool with_walls;
} plot_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE", "file ending in .svg, .png or .csv; default: WHAT.svg",
              plot_args, output),
    CN_OPTION(0, "from", "TIME", "leave out what comes before [s]", plot_args, from),
    CN_OPTION(0, "until", "TIME", "leave out what comes after [s]", plot_args, until),
    CN_OPTION(0, "against", "COLUMN", "horizontal axis instead of time", plot_args, against),
    CN_OPTION(0, "beside", "FILE",
              "CSV file of curves to draw dashed: x, then one column each, with a header",
              plot_args, beside),
    CN_OPTION(0, "frame", "N",
              "frame of forces, rose, profile, fraction, pressure; default: -1, the last",
              plot_args, frame),
    CN_OPTION_FROM(0, "frames", "N", "so many frames up to that one, taken together", plot_args,
                   frames, 1, INFINITY),
    CN_OPTION_FROM(0, "bins", "N", "of forces, rose, profile, fraction", plot_args, bins, 1, 720),
    CN_OPTION(
        0, "axis", "x|y|z|r",
        "of profile, fraction and reaction; default: the vertical one; along which a\n"
        "                             map of pressures in space is seen; r: over the distance\n"
        "                             from the z axis (profile: along and across the radius)",
        plot_args, axis),
    CN_OPTION(0, "body", "NAME",
              "bodies of profile, fraction, reaction, pressure, as the scene names them", plot_args,
              body),
    CN_FLAG(0, "with-walls",
            "forces and rose count contacts of bodies that are held or driven, too", plot_args,
            with_walls),
    {0},
};

// A default name from WHAT, whose slashes and commas have no place in a file name.
static char *name_from(const char *what, char *name, size_t size)
{
    snprintf(name, size, "%s.svg", what);
    for (char *c = name; *c != '\0'; c++) {
        if (strchr("/, ", *c) != NULL) {
            *c = '-';
        }
    }
    return name;
}

static int check_args(const plot_args *args, const char *what, bool is_of_frames)
{
    bool has_walls = strcmp(what, "forces") == 0 || strcmp(what, "rose") == 0;
    if (args->with_walls && !(is_of_frames && has_walls)) {
        return cn_usage_error(&cn_command_plot, "--with-walls is for forces and rose");
    }
    bool has_axis = args->axis != NULL;
    if (has_axis && (strchr("xyzr", args->axis[0]) == NULL || strlen(args->axis) != 1)) {
        return cn_usage_error(&cn_command_plot, "--axis is x, y, z or r, got '%s'", args->axis);
    }
    bool for_frames =
        has_axis || args->body != NULL || args->bins != 0 || args->frames != 1 || args->frame != -1;
    bool for_columns = args->against != NULL || isfinite(args->from) || isfinite(args->until);
    if (is_of_frames ? for_columns : for_frames) {
        return cn_usage_error(&cn_command_plot,
                              is_of_frames
                                  ? "--from, --until and --against are for columns; choose "
                                    "frames with --frame and --frames"
                                  : "--frame, --frames, --bins, --axis and --body are for forces, "
                                    "rose, profile, fraction, reaction and pressure");
    }
    return CN_PARSE_GO;
}

static int axis_of(const char *name)
{
    return name == NULL ? -1 : name[0] == 'r' ? CN_PLOT_RADIUS : name[0] - 'x';
}

static int plot_result(const plot_args *args, const char *what, const char *path)
{
    cn_error err = {0};
    cn_reader *reader = NULL;
    int code = cn_command_open(&cn_command_plot, args->operands.item[0], &reader);
    if (code != CN_PARSE_GO) {
        return code;
    }
    cn_plot_def def = {.what = what,
                       .from = args->from,
                       .until = args->until,
                       .against = args->against,
                       .beside = args->beside,
                       .frame = args->frame,
                       .frame_count = args->frames,
                       .bins = args->bins,
                       .axis = axis_of(args->axis),
                       .body = args->body,
                       .with_walls = args->with_walls};
    cn_status status = cn_plot(reader, &def, path, &err);
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_plot, status, &err);
}

static int plot_table(const plot_args *args, const char *what, const char *path)
{
    cn_error err = {0};
    cn_status status = cn_plot_table(args->operands.item[0], what, args->against, path, &err);
    return cn_command_fail(&cn_command_plot, status, &err);
}

static int run(void *given)
{
    const plot_args *args = given;
    char name[512];
    const char *what = args->operands.item[1];
    const char *path = args->output != NULL ? args->output : name_from(what, name, sizeof name);
    bool of_table = cn_has_ending(args->operands.item[0], ".csv");
    int code = check_args(args, what, !of_table && cn_plot_is_of_frames(what));
    if (code == CN_PARSE_GO) {
        code = of_table ? plot_table(args, what, path) : plot_result(args, what, path);
        if (code == CN_EXIT_OK) {
            printf("%s\n", path);
        }
    }
    return code;
}

const cn_command cn_command_plot = {
    .name = "plot",
    .operands = "RESULT WHAT",
    .operand_least = 2,
    .operand_most = 2,
    .help = "draw curves of a result: energy, residual, observers, contact forces",
    .details =
        "WHAT is energy (rows of the ledger), mechanical (kinetic, elastic, potential, total),\n"
        "residual, sweeps, penetration, contacts, or columns of the history\n"
        "separated by commas, e.g. series/base.fx,series/base.fy; 'cairn info' lists them.\n"
        "Of frames: forces (distribution over their mean), rose (orientation of contacts), both\n"
        "between bodies that move freely,\n"
        "profile (mean velocity along an axis), fraction (solid fraction along an axis),\n"
        "reaction (force on a body over its displacement), pressure (on the bodies of a group; in "
        "space a map).\n"
        "RESULT may be the table of a study (.csv): WHAT is then its columns,\n"
        "drawn as points against the first column or the one of --against.",
    .option = options,
    .args_size = sizeof(plot_args),
    .defaults = &(const plot_args){.from = -INFINITY, .until = INFINITY, .frame = -1, .frames = 1},
    .run = run,
};
