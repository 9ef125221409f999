// cli/help.c -- cairn help: the option tables as help and manual page; completion (complete.c).
#include "command.h"

#include <string.h>

typedef struct help_args {
    cn_operands operands;
    const char *shell;
    bool as_manual, is_completion;
} help_args;

static const cn_option options[] = {
    CN_FLAG(0, "man", "print a manual page (roff)", help_args, as_manual),
    CN_OPTION(0, "completion", "bash|zsh|fish", "print completion rules for a shell", help_args,
              shell),
    CN_FLAG(0, "complete", "print what may stand for the last of these words (for these rules)",
            help_args, is_completion),
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

const char *cn_command_nearest(const char *name)
{
    const char *nearest = NULL;
    int least = 3;
    for (int k = 0; cn_commands[k] != NULL; k++) {
        int distance = cn_typo_distance(name, cn_commands[k]->name);
        if (distance < least) {
            least = distance;
            nearest = cn_commands[k]->name;
        }
    }
    return nearest;
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

static int print_rules(const char *shell)
{
    const char *rules = cn_completion_rules(shell);
    if (rules == NULL) {
        return cn_usage_error(&cn_command_help, "--completion is bash, zsh or fish, not '%s'",
                              shell);
    }
    fputs(rules, stdout);
    return CN_EXIT_OK;
}

static int run(void *given)
{
    const help_args *args = given;
    if (args->is_completion) {
        cn_complete(args->operands.count, args->operands.item);
    } else if (args->operands.count > 1) {
        return cn_usage_error(&cn_command_help, "unexpected operand '%s'", args->operands.item[1]);
    } else if (args->shell != NULL) {
        return print_rules(args->shell);
    } else if (args->as_manual) {
        print_manual();
    } else if (args->operands.count == 0) {
        cn_commands_help(stdout);
    } else {
        const cn_command *asked = cn_command_find(args->operands.item[0]);
        if (asked == NULL) {
            const char *nearest = cn_command_nearest(args->operands.item[0]);
            return cn_usage_error(&cn_command_help, "there is no command '%s'%s%s%s",
                                  args->operands.item[0], nearest != NULL ? " (did you mean '" : "",
                                  nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
        }
        cn_options_help(asked, stdout);
    }
    return CN_EXIT_OK;
}

const cn_command cn_command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .operand_most = 1000, // words to complete
    .help = "print help, a manual page or completion rules",
    .option = options,
    .args_size = sizeof(help_args),
    .run = run,
};
