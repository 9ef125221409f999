// cli/options.h -- one table per command describes its options; parsing, --help, the manual page
// and shell completion are all made from it, so they cannot disagree.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Exit codes of every command.
enum {
    CN_EXIT_OK = 0,
    CN_EXIT_FAILED = 1,   // the run failed
    CN_EXIT_USAGE = 2,    // the command line cannot be understood
    CN_EXIT_INPUT = 3,    // a file was read but says something impossible
    CN_EXIT_IO = 4,       // a file could not be read or written
    CN_EXIT_MISMATCH = 5, // a comparison or check found a difference
    CN_EXIT_MISSED = 6,   // finished, but what was asked was missed
    CN_EXIT_SIGNAL = 128  // plus the signal: 130 on SIGINT, 143 on SIGTERM
};

#define CN_PARSE_GO (-1) // what cn_options_parse returns when the command shall run

#define CN_LIST_MAX 64

typedef enum cn_option_kind {
    CN_OPTION_FLAG,    // bool
    CN_OPTION_TEXT,    // const char *
    CN_OPTION_MAYBE,   // const char *, only as --name=value; "" without a value
    CN_OPTION_NUMBER,  // double, finite
    CN_OPTION_INTEGER, // int
    CN_OPTION_LIST     // cn_list: may be given several times
} cn_option_kind;

typedef struct cn_list {
    const char *item[CN_LIST_MAX];
    int count;
} cn_list;

// What numbers an option takes; others take any. An open range leaves `least` out.
typedef struct cn_limits {
    const char *option; // NULL ends a table
    double least, most;
    bool is_open;
} cn_limits;

// Writes its value at `offset` in the arguments of its command.
typedef struct cn_option {
    char letter;      // 0: none
    const char *name; // without the dashes; NULL ends a table
    cn_option_kind kind;
    const char *value; // name of the value in the help
    const char *help;
    size_t offset;
} cn_option;

// Every struct of arguments starts with its operands: what is left without dashes.
typedef struct cn_operands {
    char **item;
    int count;
} cn_operands;

typedef struct cn_command {
    const char *name;
    const char *operands; // as shown in the usage line
    int operand_least, operand_most;
    const char *help;    // one line
    const char *details; // more lines for --help of this command, may be NULL
    const cn_option *option;
    const cn_limits *limits;           // of its numbers; may be NULL
    int (*run)(int argc, char **argv); // argv[0] is the name of the command
} cn_command;

// Fills `args` (whose first member is cn_operands) from the command line; reorders argv so that the
// operands stand together. Returns CN_PARSE_GO, or the exit code after --help or a usage error.
int cn_options_parse(const cn_command *command, int argc, char **argv, void *args);

void cn_options_help(const cn_command *command, FILE *out);

// Says what is wrong with the command line and where help is; returns CN_EXIT_USAGE.
int cn_usage_error(const cn_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Number of single-character edits between two words: for "did you mean".
int cn_typo_distance(const char *a, const char *b);
