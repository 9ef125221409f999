// cli/plot.c -- cairn plot: curves of the step history.
#include "command.h"

#include <math.h>
#include <string.h>

typedef struct plot_args {
    cn_operands operands;
    const char *output;
    double from, until;
} plot_args;

static const cn_option options[] = {
    {'o', "output", CN_OPTION_TEXT, "FILE", "file ending in .svg, .png or .csv; default: WHAT.svg",
     offsetof(plot_args, output)},
    {0, "from", CN_OPTION_NUMBER, "TIME", "leave out what comes before [s]",
     offsetof(plot_args, from)},
    {0, "until", CN_OPTION_NUMBER, "TIME", "leave out what comes after [s]",
     offsetof(plot_args, until)},
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

static int run(int argc, char **argv)
{
    plot_args args = {.from = -INFINITY, .until = INFINITY};
    int code = cn_options_parse(&cn_command_plot, argc, argv, &args);
    cn_reader *reader = NULL;
    if (code == CN_PARSE_GO) {
        code = cn_command_open(&cn_command_plot, args.operands.item[0], &reader);
    }
    if (code != CN_PARSE_GO) {
        return code;
    }
    char name[512];
    const char *what = args.operands.item[1];
    const char *path = args.output != NULL ? args.output : name_from(what, name, sizeof name);
    cn_error err = {0};
    bool is_cut = isfinite(args.from) || isfinite(args.until);
    cn_status status = is_cut ? cn_plot_between(reader, what, args.from, args.until, path, &err)
                              : cn_plot(reader, what, path, &err);
    if (status == CN_OK) {
        printf("%s\n", path);
    }
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_plot, status, &err);
}

const cn_command cn_command_plot = {
    .name = "plot",
    .operands = "RESULT WHAT",
    .operand_least = 2,
    .operand_most = 2,
    .help = "draw curves of a result: energy, residual, observers",
    .details =
        "WHAT is energy, residual, sweeps, penetration, contacts, or columns of the history\n"
        "separated by commas, e.g. series/base.fx,series/base.fy; 'cairn info' lists them.",
    .option = options,
    .run = run,
};
