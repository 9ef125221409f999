// cli/plot.c -- cairn plot: curves of the step history, pressures of a frame, and curves of a file
// beside them.
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct plot_args {
    cn_operands operands;
    const char *output, *beside;
    double from, until;
    int frame;
} plot_args;

static const cn_option options[] = {
    {'o', "output", CN_OPTION_TEXT, "FILE", "file ending in .svg, .png or .csv; default: WHAT.svg",
     offsetof(plot_args, output)},
    {0, "from", CN_OPTION_NUMBER, "TIME", "leave out what comes before [s]",
     offsetof(plot_args, from)},
    {0, "until", CN_OPTION_NUMBER, "TIME", "leave out what comes after [s]",
     offsetof(plot_args, until)},
    {0, "frame", CN_OPTION_INTEGER, "N", "frame of pressures, negative from the end; default: last",
     offsetof(plot_args, frame)},
    {0, "beside", CN_OPTION_TEXT, "FILE",
     "CSV file of curves to draw dashed: x, then one column each, with a header",
     offsetof(plot_args, beside)},
    {0},
};

enum { BESIDE_MAX = 8, BESIDE_NAME = 64 };

// Curves of a file, x in column 0.
typedef struct beside {
    int columns, rows;
    double *number[BESIDE_MAX + 1];
    char name[BESIDE_MAX + 1][BESIDE_NAME];
    cn_curve curve[BESIDE_MAX];
} beside;

static void free_beside(beside *b)
{
    for (int c = 0; c <= BESIDE_MAX; c++) {
        free(b->number[c]);
    }
}

static void take_names(char *line, beside *b)
{
    for (char *word = strtok(line, ",\n"); word != NULL && b->columns <= BESIDE_MAX;
         word = strtok(NULL, ",\n")) {
        snprintf(b->name[b->columns++], BESIDE_NAME, "%s", word);
    }
}

// One line of numbers; an empty field is a gap.
static bool take_row(const char *line, beside *b)
{
    for (int c = 0; c < b->columns; c++) {
        char *end;
        double *more = realloc(b->number[c], sizeof(double) * ((size_t)b->rows + 1));
        if (more == NULL) {
            return false;
        }
        b->number[c] = more;
        double value = strtod(line, &end);
        more[b->rows] = end == line ? NAN : value;
        if (*end != ',' && c + 1 < b->columns) {
            return false;
        }
        line = end + 1;
    }
    b->rows++;
    return true;
}

static int read_beside(const char *path, beside *b)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cairn plot: error: %s: %s\n", path, strerror(errno));
        return CN_EXIT_IO;
    }
    char line[1024];
    bool is_good = true;
    while (is_good && fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        if (b->columns == 0) {
            take_names(line, b);
        } else {
            is_good = take_row(line, b);
        }
    }
    fclose(file);
    if (!is_good || b->columns < 2 || b->rows == 0) {
        fprintf(stderr,
                "cairn plot: error: %s: wanted a header and rows of numbers, x and up to %d "
                "columns; row %d is not one\n",
                path, BESIDE_MAX, b->rows + 1);
        return CN_EXIT_INPUT;
    }
    for (int c = 1; c < b->columns; c++) {
        b->curve[c - 1] =
            (cn_curve){.name = b->name[c], .count = b->rows, .x = b->number[0], .y = b->number[c]};
    }
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

static int run(int argc, char **argv)
{
    plot_args args = {.from = -INFINITY, .until = INFINITY, .frame = -1};
    beside other = {0};
    int code = cn_options_parse(&cn_command_plot, argc, argv, &args);
    if (code == CN_PARSE_GO && args.beside != NULL) {
        code = read_beside(args.beside, &other);
    }
    cn_reader *reader = NULL;
    if (code == CN_PARSE_GO) {
        code = cn_command_open(&cn_command_plot, args.operands.item[0], &reader);
    }
    if (code != CN_PARSE_GO) {
        free_beside(&other);
        return code;
    }
    char name[512];
    const char *what = args.operands.item[1];
    const char *path = args.output != NULL ? args.output : name_from(what, name, sizeof name);
    cn_error err = {0};
    cn_plot_def def = {.what = what,
                       .is_cut = isfinite(args.from) || isfinite(args.until),
                       .from = args.from,
                       .until = args.until,
                       .frame = args.frame,
                       .beside_count = other.columns > 1 ? other.columns - 1 : 0,
                       .beside = other.curve};
    cn_status status = cn_plot_draw(reader, &def, path, &err);
    if (status == CN_OK) {
        printf("%s\n", path);
    }
    free_beside(&other);
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
        "separated by commas, e.g. series/base.fx,series/base.fy; 'cairn info' lists them;\n"
        "or pressure/GROUP: contact pressures of one frame on the bodies of a group.",
    .option = options,
    .run = run,
};
