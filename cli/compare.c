// cli/compare.c -- cairn compare: are two results the same?
#include "command.h"

typedef struct compare_args {
    cn_operands operands;
    double rtol;
} compare_args;

static const cn_option options[] = {
    CN_OPTION_FROM(
        0, "rtol", "X",
        "accepted difference over the range of each quantity; default: 0, equal bit for bit",
        compare_args, rtol, 0, INFINITY),
    {0},
};

static int run(void *given)
{
    const compare_args *args = given;
    cn_reader *reader[2] = {NULL, NULL};
    int code = CN_PARSE_GO;
    for (int k = 0; k < 2 && code == CN_PARSE_GO; k++) {
        code = cn_command_open(&cn_command_compare, args->operands.item[k], &reader[k]);
    }
    if (code == CN_PARSE_GO) {
        int differences = 0;
        cn_error err = {0};
        cn_status status = cn_result_compare(reader[0], reader[1], args->rtol, cn_tell_file, stdout,
                                             &differences, &err);
        code = cn_command_fail(&cn_command_compare, status, &err);
        if (status == CN_OK && differences > 0) {
            code = CN_EXIT_MISMATCH;
        } else if (status == CN_OK) {
            printf("equal within rtol %g\n", args->rtol);
        }
    }
    for (int k = 0; k < 2; k++) {
        cn_reader_close(reader[k]);
    }
    return code;
}

const cn_command cn_command_compare = {
    .name = "compare",
    .operands = "RESULT RESULT",
    .operand_least = 2,
    .operand_most = 2,
    .help = "compare two results, frame by frame; exit code 5 if they differ",
    .option = options,
    .args_size = sizeof(compare_args),
    .run = run,
};
