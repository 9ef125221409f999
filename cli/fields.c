// cli/fields.c -- cairn fields: density, velocity and stress on a grid, by coarse graining.
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef struct fields_args {
    cn_operands operands;
    const char *output, *of, *grid, *box;
    double width;
    int frame, frames;
} fields_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE",
              "ends in .csv, or in .vti for ParaView; default: it is printed", fields_args, output),
    CN_OPTION(0, "of", "NAME",
              "bodies that are looked at, as the scene names them; default: all that nothing holds",
              fields_args, of),
    CN_OPTION_ABOVE(0, "width", "W",
                    "standard deviation of the Gaussian [m]; default: 1.5 mean diameters",
                    fields_args, width, 0.0),
    CN_OPTION(0, "grid", "NX,NY[,NZ]", "points along each axis; default: two per width",
              fields_args, grid),
    CN_OPTION(0, "box", "X0,Y0,X1,Y1",
              "where to look [m], in space X0,Y0,Z0,X1,Y1,Z1; default: the cell, or the bodies",
              fields_args, box),
    CN_OPTION(0, "frame", "N", "frame, negative from the end; default: -1, the last", fields_args,
              frame),
    CN_OPTION_FROM(0, "frames", "N", "so many frames up to that one, averaged", fields_args, frames,
                   1, 1000000),
    {0},
};

static bool read_box(const char *text, int dim, cn_fields_def *def)
{
    double x[6];
    char rest;
    int count =
        sscanf(text, "%lf,%lf,%lf,%lf,%lf,%lf%c", &x[0], &x[1], &x[2], &x[3], &x[4], &x[5], &rest);
    def->has_box = true;
    for (int d = 0; d < dim && count == 2 * dim; d++) {
        def->low[d] = x[d];
        def->high[d] = x[dim + d];
    }
    return count == 2 * dim;
}

static bool read_grid(const char *text, int dim, cn_fields_def *def)
{
    char rest;
    int count = sscanf(text, "%d,%d,%d%c", &def->count[0], &def->count[1], &def->count[2], &rest);
    return count == dim && def->count[0] > 0 && def->count[1] > 0 &&
           (dim == 2 || def->count[2] > 0);
}

static int fill(const fields_args *args, int dim, cn_fields_def *def)
{
    const char *dot = args->output != NULL ? strrchr(args->output, '.') : NULL;
    *def = (cn_fields_def){.of = args->of,
                           .width = args->width,
                           .frame = args->frame,
                           .frame_count = args->frames,
                           .is_image = dot != NULL && strcmp(dot, ".vti") == 0};
    if (args->output != NULL && !def->is_image && (dot == NULL || strcmp(dot, ".csv") != 0)) {
        return cn_usage_error(&cn_command_fields, "'%s' must end in .csv or .vti", args->output);
    }
    if (args->grid != NULL && !read_grid(args->grid, dim, def)) {
        return cn_usage_error(&cn_command_fields,
                              "--grid wants %d numbers > 0 such as %s, got '%s'", dim,
                              dim == 2 ? "40,20" : "40,40,20", args->grid);
    }
    if (args->box != NULL && !read_box(args->box, dim, def)) {
        return cn_usage_error(&cn_command_fields, "--box wants %d numbers, got '%s'", 2 * dim,
                              args->box);
    }
    return CN_PARSE_GO;
}

static int run(void *given)
{
    const fields_args *args = given;
    cn_reader *reader = NULL;
    cn_fields_def def;
    int code = cn_command_open(&cn_command_fields, args->operands.item[0], &reader);
    if (code == CN_PARSE_GO) {
        code = fill(args, cn_reader_summary(reader)->dim, &def);
    }
    if (code != CN_PARSE_GO) {
        cn_reader_close(reader);
        return code;
    }
    char *text = NULL;
    cn_error err = {0};
    cn_status status = cn_fields(reader, &def, &text, &err);
    if (status == CN_OK && args->output != NULL) {
        status = cn_file_save(args->output, text, strlen(text), &err);
    } else if (status == CN_OK) {
        fputs(text, stdout);
    }
    free(text);
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_fields, status, &err);
}

const cn_command cn_command_fields = {
    .name = "fields",
    .operands = "RESULT",
    .operand_least = 1,
    .operand_most = 1,
    .help = "density, velocity and stress on a grid, by coarse graining",
    .details =
        "Columns: density [kg/m3], fraction of solid, velocity v [m/s], stress of contacts s and "
        "of\n"
        "motion k [Pa], force of walls w [N/m3]; in the plane per area. Pressures are positive.\n"
        "They obey div(s + k) = density (g - a) + w at every point (docs/theory/14-analysis.md).",
    .option = options,
    .args_size = sizeof(fields_args),
    .defaults = &(const fields_args){.frame = -1, .frames = 1},
    .run = run,
};
