// cli/cite.c -- cairn cite: how to name the program in a paper.
#include "command.h"

static const cn_option options[] = {{0}};

static int run(void *given)
{
    (void)given;
    printf("@software{cairn,\n"
           "  title   = {cairn: non-smooth contact dynamics of collections of bodies},\n"
           "  author  = {{The cairn authors}},\n"
           "  version = {%s},\n"
           "  license = {Apache-2.0}\n"
           "}\n"
           "\n"
           "@article{jean1999,\n"
           "  title   = {The non-smooth contact dynamics method},\n"
           "  author  = {Jean, Michel},\n"
           "  journal = {Computer Methods in Applied Mechanics and Engineering},\n"
           "  volume  = {177},\n"
           "  number  = {3--4},\n"
           "  pages   = {235--257},\n"
           "  year    = {1999}\n"
           "}\n",
           cn_version());
    return CN_EXIT_OK;
}

const cn_command cn_command_cite = {
    .name = "cite",
    .operands = "",
    .help = "print how to cite the program and the method",
    .option = options,
    .args_size = sizeof(cn_operands),
    .run = run,
};
