// cli/validate.c -- cairn validate: runs the validation book, measured against reference.
#include "command.h"
#include "validation.h"

typedef struct validate_args {
    cn_operands operands;
    const char *problems;
    bool is_json, is_fast;
} validate_args;

static const cn_option options[] = {
    {0, "json", CN_OPTION_FLAG, NULL, "one JSON object per quantity and line",
     offsetof(validate_args, is_json)},
    {0, "fast", CN_OPTION_FLAG, NULL, "only the cases that take about a second",
     offsetof(validate_args, is_fast)},
    {0, "problems", CN_OPTION_TEXT, "FOLDER",
     "stored contact problems of case E03; default: those of the source folder",
     offsetof(validate_args, problems)},
    {0},
};

static int run(int argc, char **argv)
{
    validate_args args = {0};
    int code = cn_options_parse(&cn_command_validate, argc, argv, &args);
    if (code != CN_PARSE_GO) {
        return code;
    }
    cn_validate_def def = {.id_count = args.operands.count,
                           .id = (const char *const *)args.operands.item,
                           .is_json = args.is_json,
                           .is_fast = args.is_fast,
                           .problems = args.problems};
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
    .run = run,
};
