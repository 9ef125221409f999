// cli/patches.c -- cairn patches: resultants of the contact patches of a frame, as a table.
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef struct patches_args {
    cn_operands operands;
    const char *output;
    int frame;
    bool has_bonds, has_cracks;
} patches_args;

static const cn_option options[] = {
    CN_OPTION_FROM(0, "frame", "N", "frame, negative: from the end; default: -1", patches_args,
                   frame, -1000000000, 1000000000),
    CN_OPTION('o', "output", "FILE", "file of the table; default: it is printed", patches_args,
              output),
    CN_FLAG(0, "bonds", "bonded points instead: damage, opening, tractions", patches_args,
            has_bonds),
    CN_FLAG(0, "cracks", "how far the joints of frame 0 have opened and slipped instead",
            patches_args, has_cracks),
    {0},
};

static int run(void *given)
{
    const patches_args *args = given;
    if (args->has_bonds && args->has_cracks) {
        return cn_usage_error(&cn_command_patches, "choose either --bonds or --cracks");
    }
    cn_reader *reader = NULL;
    int code = cn_command_open(&cn_command_patches, args->operands.item[0], &reader);
    if (code != CN_PARSE_GO) {
        return code;
    }
    char *table = NULL;
    cn_error err = {0};
    cn_status status = args->has_bonds    ? cn_bond_table(reader, args->frame, &table, &err)
                       : args->has_cracks ? cn_crack_table(reader, args->frame, &table, &err)
                                          : cn_patch_force_table(reader, args->frame, &table, &err);
    if (status == CN_OK && args->output != NULL) {
        status = cn_file_save(args->output, table, strlen(table), &err);
    } else if (status == CN_OK) {
        fputs(table, stdout);
    }
    free(table);
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_patches, status, &err);
}

const cn_command cn_command_patches = {
    .name = "patches",
    .operands = "RESULT",
    .operand_least = 1,
    .operand_most = 1,
    .help = "force, moment and eccentricity on each patch where two bodies touch, as a table",
    .details =
        "Faces are points of two bodies with one normal. x, y, z: where the resultant acts; push\n"
        "and shear: its parts along the normal and the patch [N]; ratio: shear over push; moment:\n"
        "about the centre of the patch [N m]; eccentricity: 0 at the centre, 1 at the edge; "
        "in_kernel:\n"
        "the whole patch can be pressed. With --bonds: every point of mortar, glue or cement with "
        "its\n"
        "area, damage, opening and slip [m], tractions [Pa] (tension above zero), mode (0 opens, "
        "1\n"
        "slips) and the energy spent on it [J]. With --cracks: of every joint of frame 0 its place "
        "now,\n"
        "its gap in frame 0, least and most opening and most slip since then [m]. Frame 0 of a "
        "result of cairn limit has the forces.",
    .option = options,
    .args_size = sizeof(patches_args),
    .defaults = &(const patches_args){.frame = -1},
    .run = run,
};
