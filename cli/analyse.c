// cli/analyse.c -- cairn analyse: quantities of a selection of bodies, frame by frame, as a table.
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef struct analyse_args {
    cn_operands operands;
    cn_list define;
    const char *output, *of;
    double volume;
    int from;
} analyse_args;

static const cn_option options[] = {
    CN_OPTION(0, "of", "NAME",
              "bodies that are looked at, as the scene names them; default: all that nothing holds",
              analyse_args, of),
    CN_OPTION('D', "define", "KEY=VALUE",
              "what the quantity is given, such as volume=0.5; may be given several times",
              analyse_args, define),
    CN_OPTION_ABOVE(0, "volume", "V", "the same as -D volume=V", analyse_args, volume, 0.0),
    CN_OPTION(0, "from", "K", "frame that strain is counted from; default 0", analyse_args, from),
    CN_OPTION('o', "output", "FILE", "file of the table; default: it is printed", analyse_args,
              output),
    {0},
};

static void print_quantities(void)
{
    for (int k = 0; cn_analysis_at(k) != NULL; k++) {
        const cn_analysis *x = cn_analysis_at(k);
        bool is_same = strcmp(x->plane, x->space) == 0;
        printf("%s: %s\n  %s: %s\n", x->name, x->help, is_same ? "numbers" : "2D", x->plane);
        if (!is_same) {
            printf("  3D: %s\n", x->space);
        }
        for (int p = 0; p < x->param_count; p++) {
            printf("  -D %s=%g [%s]: %s\n", x->param[p].name, x->param[p].fallback,
                   x->param[p].unit, x->param[p].help);
        }
    }
}

static int run(void *given)
{
    const analyse_args *args = given;
    cn_reader *reader = NULL;
    if (args->operands.count == 0) {
        print_quantities();
        return CN_EXIT_OK;
    }
    if (args->operands.count == 1) {
        return cn_usage_error(&cn_command_analyse,
                              "missing operand: WHAT; 'cairn analyse' alone lists what there is");
    }
    int code = cn_command_open(&cn_command_analyse, args->operands.item[0], &reader);
    if (code != CN_PARSE_GO) {
        return code;
    }
    char *table = NULL, volume[40];
    cn_error err = {0};
    cn_list define = args->define;
    if (args->volume > 0.0 && define.count < CN_LIST_MAX) {
        snprintf(volume, sizeof volume, "volume=%.17g", args->volume);
        define.item[define.count++] = volume;
    }
    const cn_analyse_def def = {args->operands.item[1], args->of, define.count, define.item,
                                args->from};
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
    .operands = "RESULT WHAT",
    .operand_least = 0,
    .operand_most = 2,
    .help = "stress, fabric, solid fraction and the like in every frame, as a table",
    .details =
        "WHAT is a quantity of docs/theory/14-analysis.md; 'cairn analyse' alone lists them.\n"
        "Pressures are positive. Frame 0 has no forces and therefore no numbers. Observers of the\n"
        "same names write them at every step.",
    .option = options,
    .args_size = sizeof(analyse_args),
    .run = run,
};
