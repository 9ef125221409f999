// cli/schema.c -- cairn schema: the scene language for editors and for readers.
#include "command.h"

typedef struct schema_args {
    cn_operands operands;
    bool is_reference;
} schema_args;

static const cn_option options[] = {
    CN_FLAG(0, "reference", "the reference page instead, as Markdown", schema_args, is_reference),
    {0},
};

static int run(void *given)
{
    const schema_args *args = given;
    cn_error err = {0};
    cn_status status = args->is_reference ? cn_scene_reference(cn_tell_file, stdout, &err)
                                          : cn_scene_schema(cn_tell_file, stdout, &err);
    return cn_command_fail(&cn_command_schema, status, &err);
}

const cn_command cn_command_schema = {
    .name = "schema",
    .operands = "",
    .help = "print the JSON Schema of scene files, for editors",
    .option = options,
    .args_size = sizeof(schema_args),
    .run = run,
};
