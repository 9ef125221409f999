// cli/plot.c -- cairn plot: curves of the step history, statistics of frames, tables of studies.
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plot_args {
    cn_operands operands;
    const char *output, *against, *beside, *axis, *body;
    const char *title, *x_label, *y_label, *size, *x_range, *y_range;
    cn_list define;
    double from, until;
    bool log_x, log_y;
    int frame, frames, bins;
    bool with_walls;
} plot_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE", "file ending in .svg, .png or .csv; default: WHAT.svg",
              plot_args, output),
    CN_OPTION(0, "from", "TIME", "leave out what comes before [s]", plot_args, from),
    CN_OPTION(0, "until", "TIME", "leave out what comes after [s]", plot_args, until),
    CN_OPTION(0, "against", "COLUMN", "column or formula of the horizontal axis instead of time",
              plot_args, against),
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
    CN_OPTION('D', "define", "NAME=VALUE", "a number that formulas may use", plot_args, define),
    CN_OPTION(0, "title", "TEXT", "over the chart; \"\" for none", plot_args, title),
    CN_OPTION(0, "x-label", "TEXT", "of the horizontal axis", plot_args, x_label),
    CN_OPTION(0, "y-label", "TEXT", "of the vertical axis", plot_args, y_label),
    CN_OPTION(0, "x-range", "LOW,HIGH", "ends of the horizontal axis", plot_args, x_range),
    CN_OPTION(0, "y-range", "LOW,HIGH", "ends of the vertical axis", plot_args, y_range),
    CN_FLAG(0, "log-x", "a logarithmic horizontal axis", plot_args, log_x),
    CN_FLAG(0, "log-y", "a logarithmic vertical axis", plot_args, log_y),
    CN_OPTION(0, "size", "WIDTHxHEIGHT", "in pixels; default: 960x540", plot_args, size),
    {0},
};

enum { RUN_MAX = 16, NUMBER_MAX = 32, NAME_SIZE = 64 };

// What options become: results besides the first, their names, and numbers of formulas.
typedef struct plot_inputs {
    cn_plot_def def;
    int run_count;
    cn_reader *run[RUN_MAX];
    char name[RUN_MAX][NAME_SIZE];
    const char *run_name[RUN_MAX];
    char number_name[NUMBER_MAX][NAME_SIZE];
    cn_plot_number number[NUMBER_MAX];
} plot_inputs;

// Two numbers with a sign between them.
static bool read_pair(const char *text, char between, double pair[2])
{
    char *end = NULL;
    pair[0] = strtod(text, &end);
    if (end == text || *end != between) {
        return false;
    }
    const char *second = end + 1;
    pair[1] = strtod(second, &end);
    return end != second && *end == '\0' && isfinite(pair[0]) && isfinite(pair[1]);
}

static int read_range(const char *text, const char *option, double range[2])
{
    if (text != NULL && (!read_pair(text, ',', range) || !(range[0] < range[1]))) {
        return cn_usage_error(&cn_command_plot, "%s wants LOW,HIGH such as 0,2.5, got '%s'", option,
                              text);
    }
    return CN_PARSE_GO;
}

static int read_look(const plot_args *args, cn_chart_look *look)
{
    *look = (cn_chart_look){.title = args->title,
                            .x_label = args->x_label,
                            .y_label = args->y_label,
                            .log_x = args->log_x,
                            .log_y = args->log_y};
    double size[2] = {0.0, 0.0};
    if (args->size != NULL &&
        (!read_pair(args->size, 'x', size) || !(fmin(size[0], size[1]) >= 1.0) ||
         !(fmax(size[0], size[1]) <= 1e5))) {
        return cn_usage_error(&cn_command_plot,
                              "--size wants WIDTHxHEIGHT such as 1200x800, got '%s'", args->size);
    }
    look->width = (int)size[0];
    look->height = (int)size[1];
    int code = read_range(args->x_range, "--x-range", look->x_range);
    return code == CN_PARSE_GO ? read_range(args->y_range, "--y-range", look->y_range) : code;
}

static int read_numbers(const plot_args *args, plot_inputs *in)
{
    if (args->define.count > NUMBER_MAX) {
        return cn_usage_error(&cn_command_plot, "at most %d numbers are defined", NUMBER_MAX);
    }
    for (int k = 0; k < args->define.count; k++) {
        const char *text = args->define.item[k], *equals = strchr(text, '=');
        char *end = NULL;
        double value = equals != NULL ? strtod(equals + 1, &end) : 0.0;
        bool is_good = equals != NULL && equals > text && equals - text < NAME_SIZE &&
                       end != equals + 1 && *end == '\0' && isfinite(value);
        if (!is_good) {
            return cn_usage_error(&cn_command_plot, "--define wants name=number, got '%s'", text);
        }
        snprintf(in->number_name[k], NAME_SIZE, "%.*s", (int)(equals - text), text);
        in->number[k] = (cn_plot_number){in->number_name[k], value};
    }
    in->def.number = in->number;
    in->def.number_count = args->define.count;
    return CN_PARSE_GO;
}

// The name of a file without folder and ending, for its curves.
static void name_run(const char *path, char name[NAME_SIZE])
{
    const char *slash = strrchr(path, '/');
    snprintf(name, NAME_SIZE, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
}

static int open_runs(const plot_args *args, plot_inputs *in)
{
    int count = args->operands.count - 1;
    for (int k = 0; k < count; k++) {
        int code = cn_command_open(&cn_command_plot, args->operands.item[k], &in->run[k]);
        if (code != CN_PARSE_GO) {
            return code;
        }
        in->run_count++;
        name_run(args->operands.item[k], in->name[k]);
        in->run_name[k] = in->name[k];
    }
    in->def.run = in->run + 1;
    in->def.run_name = in->run_name;
    in->def.run_count = count - 1;
    return CN_PARSE_GO;
}

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
    plot_inputs in = {.def = {.what = what,
                              .from = args->from,
                              .until = args->until,
                              .against = args->against,
                              .beside = args->beside,
                              .frame = args->frame,
                              .frame_count = args->frames,
                              .bins = args->bins,
                              .axis = axis_of(args->axis),
                              .body = args->body,
                              .with_walls = args->with_walls}};
    int code = read_look(args, &in.def.look);
    code = code == CN_PARSE_GO ? read_numbers(args, &in) : code;
    code = code == CN_PARSE_GO ? open_runs(args, &in) : code;
    if (code == CN_PARSE_GO) {
        cn_status status = cn_plot(in.run[0], &in.def, path, &err);
        code = cn_command_fail(&cn_command_plot, status, &err);
    }
    for (int k = 0; k < in.run_count; k++) {
        cn_reader_close(in.run[k]);
    }
    return code;
}

static int plot_table(const plot_args *args, const char *what, const char *path)
{
    cn_error err = {0};
    cn_status status = cn_plot_table(args->operands.item[0], what, args->against, path, &err);
    return cn_command_fail(&cn_command_plot, status, &err);
}

static bool has_look(const plot_args *args)
{
    return args->title != NULL || args->x_label != NULL || args->y_label != NULL ||
           args->size != NULL || args->x_range != NULL || args->y_range != NULL || args->log_x ||
           args->log_y || args->define.count > 0 || args->operands.count > 2;
}

static int run(void *given)
{
    const plot_args *args = given;
    char name[512];
    const char *what = args->operands.item[args->operands.count - 1];
    const char *path = args->output != NULL ? args->output : name_from(what, name, sizeof name);
    bool of_table = cn_has_ending(args->operands.item[0], ".csv");
    int code = check_args(args, what, !of_table && cn_plot_is_of_frames(what));
    if (code == CN_PARSE_GO && of_table && has_look(args)) {
        code =
            cn_usage_error(&cn_command_plot, "titles, labels, ranges, sizes, numbers and several "
                                             "files are for results, not for tables");
    }
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
    .operands = "RESULT... WHAT",
    .operand_least = 2,
    .operand_most = 1 + RUN_MAX,
    .help = "draw curves of a result: energy, residual, observers, contact forces",
    .details =
        "WHAT is energy (rows of the ledger), mechanical (kinetic, elastic, potential, total),\n"
        "residual, sweeps, penetration, contacts, or columns of the history\n"
        "and formulas of them separated by commas, e.g. base.fx,base.fy / 2 or\n"
        "\"axial.fy / width\" with -D width=0.3; 'cairn info' lists the columns.\n"
        "Several results go into one chart, their curves under the names of the files.\n"
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
