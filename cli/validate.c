// cli/validate.c -- cairn validate: runs the validation book, measured against reference.
#include "command.h"
#include "validation.h"

typedef struct validate_args {
    cn_operands operands;
    const char *problems;
    bool is_json, is_fast;
} validate_args;

static const cn_option options[] = {
    CN_FLAG(0, "json", "one JSON object per quantity and line", validate_args, is_json),
    CN_FLAG(0, "fast", "only the cases that take about a second", validate_args, is_fast),
    CN_OPTION(0, "problems", "FOLDER",
              "stored contact problems of case E03; default: those of the source folder",
              validate_args, problems),
    {0},
};

static int run(void *given)
{
    const validate_args *args = given;
    cn_validate_def def = {.id_count = args->operands.count,
                           .id = (const char *const *)args->operands.item,
                           .is_json = args->is_json,
                           .is_fast = args->is_fast,
                           .problems = args->problems};
    return cn_validate(&def, stdout);
}

const cn_command cn_command_validate = {
    .name = "validate",
    .operands = "[ID]...",
    .operand_least = 0,
    .operand_most = 1000,
    .help = "run the validation book: measured against reference",
    .details = "Without IDs every case is run. Exit code 5 if a case misses its tolerance.",
    .option = options,
    .args_size = sizeof(validate_args),
    .run = run,
};
