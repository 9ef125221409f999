// cli/check.c -- cairn check: reads a scene, looks at its bodies and contacts, runs nothing.
#include "command.h"

typedef struct check_args {
    cn_operands operands;
    cn_list define;
    bool is_explained;
} check_args;

static const cn_option options[] = {
    {'D', "define", CN_OPTION_LIST, "NAME=VALUE", "override a parameter of the scene",
     offsetof(check_args, define)},
    {0, "explain", CN_OPTION_FLAG, NULL, "print the scene with all defaults filled in",
     offsetof(check_args, is_explained)},
    {0},
};

static int run(int argc, char **argv)
{
    check_args args = {0};
    int code = cn_options_parse(&cn_command_check, argc, argv, &args);
    cn_scene *scene = NULL;
    if (code == CN_PARSE_GO) {
        code = cn_command_load(&cn_command_check, args.operands.item[0], &args.define, &scene);
    }
    if (code == CN_PARSE_GO) {
        cn_error err = {0};
        cn_status status = args.is_explained ? cn_scene_explain(scene, cn_tell_file, stdout, &err)
                                             : cn_scene_check(scene, cn_tell_file, stdout, &err);
        code = cn_command_fail(&cn_command_check, status, &err);
    }
    cn_scene_destroy(scene);
    return code;
}

const cn_command cn_command_check = {
    .name = "check",
    .operands = "SCENE",
    .operand_least = 1,
    .operand_most = 1,
    .help = "check a scene: keys, masses, overlaps, expected contacts",
    .details =
        "Exit code 3 if the scene cannot be run as it is. With --explain the complete scene\n"
        "is printed as YAML; it runs to the same result.",
    .option = options,
    .run = run,
};
