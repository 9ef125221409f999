// cli/analyse.c -- cairn analyse: quantities of a selection of bodies, frame by frame, as a table.
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct analyse_args {
    cn_operands operands;
    const char *output, *of;
    double volume;
} analyse_args;

static const cn_option options[] = {
    CN_OPTION(0, "of", "NAME",
              "bodies that are looked at, as the scene names them; default: all that nothing holds",
              analyse_args, of),
    CN_OPTION_FROM(
        0, "volume", "V",
        "that they fill [m3], in the plane an area [m2]; default: of the box along\n"
        "                             the axes whose sides other bodies press, if none is open",
        analyse_args, volume, 1e-300, INFINITY),
    CN_OPTION('o', "output", "FILE", "file of the table; default: it is printed", analyse_args,
              output),
    {0},
};

static int run(void *given)
{
    const analyse_args *args = given;
    cn_reader *reader = NULL;
    int code = cn_command_open(&cn_command_analyse, args->operands.item[0], &reader);
    if (code != CN_PARSE_GO) {
        return code;
    }
    char *table = NULL;
    cn_error err = {0};
    const cn_analyse_def def = {args->operands.item[1], args->of, args->volume};
    cn_status status = cn_analyse(reader, &def, &table, &err);
    if (status == CN_OK && args->output != NULL) {
        status = cn_file_save(args->output, table, strlen(table), &err);
    } else if (status == CN_OK) {
        fputs(table, stdout);
    }
    free(table);
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_analyse, status, &err);
}

const cn_command cn_command_analyse = {
    .name = "analyse",
    .operands = "RESULT stress|fabric|coordination",
    .operand_least = 2,
    .operand_most = 2,
    .help = "stress, fabric or coordination of bodies in every frame, as a table",
    .details =
        "Pressures are positive. Frame 0 has no forces and therefore no numbers. Observers of the\n"
        "same names write them at every step.",
    .option = options,
    .args_size = sizeof(analyse_args),
    .run = run,
};
