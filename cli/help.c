// cli/help.c -- cairn help: the option tables as help, manual page and shell completion.
#include "command.h"

#include <string.h>

typedef struct help_args {
    cn_operands operands;
    bool as_manual, as_bash;
} help_args;

static const cn_option options[] = {
    CN_FLAG(0, "man", "print a manual page (roff)", help_args, as_manual),
    CN_FLAG(0, "bash", "print completion rules for bash", help_args, as_bash),
    {0},
};

const cn_command *cn_command_find(const char *name)
{
    for (int k = 0; cn_commands[k] != NULL; k++) {
        if (strcmp(name, cn_commands[k]->name) == 0) {
            return cn_commands[k];
        }
    }
    return NULL;
}

// Text with what roff would take for commands made harmless.
static void print_roff(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '-' || *c == '\\') {
            putchar('\\');
        } else if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n')) {
            fputs("\\&", stdout);
        }
        putchar(*c == '\\' ? 'e' : *c);
    }
}

static void print_manual_option(const cn_option *o)
{
    printf(".TP\n.B ");
    if (o->letter != 0) {
        printf("\\-%c, ", o->letter);
    }
    printf("\\-\\-");
    print_roff(o->name);
    if (o->kind == CN_OPTION_MAYBE) {
        printf("[=\\fI%s\\fR]", o->value);
    } else if (o->kind != CN_OPTION_FLAG) {
        printf(" \\fI%s\\fR", o->value);
    }
    printf("\n");
    print_roff(o->help);
    printf("\n");
}

static void print_manual(void)
{
    printf(".TH CAIRN 1 \"\" \"cairn %s\"\n.SH NAME\ncairn \\- non\\-smooth contact dynamics\n"
           ".SH SYNOPSIS\n.B cairn\n\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...\n"
           ".SH COMMANDS\n",
           cn_version());
    for (int k = 0; cn_commands[k] != NULL; k++) {
        const cn_command *c = cn_commands[k];
        printf(".SS cairn %s %s\n", c->name, c->operands);
        print_roff(c->help);
        printf(".\n");
        if (c->details != NULL) {
            print_roff(c->details);
            printf("\n");
        }
        for (const cn_option *o = c->option; o->name != NULL; o++) {
            print_manual_option(o);
        }
    }
    printf(".SH EXIT STATUS\n0 ok, 1 run failed, 2 usage, 3 invalid input, 4 file error,\n"
           "5 mismatch, 6 steps missed what was asked, 130 or 143 interrupted.\n");
}

static void print_bash(void)
{
    printf("_cairn()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"--help --version");
    for (int k = 0; cn_commands[k] != NULL; k++) {
        printf(" %s", cn_commands[k]->name);
    }
    printf("\"\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (int k = 0; cn_commands[k] != NULL; k++) {
        printf("        %s) words=\"--help", cn_commands[k]->name);
        for (const cn_option *o = cn_commands[k]->option; o->name != NULL; o++) {
            printf(" --%s", o->name);
        }
        printf("\" ;;\n");
    }
    printf("        esac\n    fi\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
           "complete -o default -F _cairn cairn\n");
}

static int run(void *given)
{
    const help_args *args = given;
    if (args->as_manual) {
        print_manual();
    } else if (args->as_bash) {
        print_bash();
    } else if (args->operands.count == 0) {
        cn_commands_help(stdout);
    } else {
        const cn_command *asked = cn_command_find(args->operands.item[0]);
        if (asked == NULL) {
            return cn_usage_error(&cn_command_help, "there is no command '%s'",
                                  args->operands.item[0]);
        }
        cn_options_help(asked, stdout);
    }
    return CN_EXIT_OK;
}

const cn_command cn_command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .operand_most = 1,
    .help = "print help, a manual page or completion rules",
    .option = options,
    .args_size = sizeof(help_args),
    .run = run,
};
