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

#define CN_PARSE_GO (-1) // what a step of a command returns when the next one shall follow

// The next step, if all before it said to go on.
#define CN_THEN_GO(code, step) ((code) = (code) == CN_PARSE_GO ? (step) : (code))

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

// Writes its value at `offset` in the arguments of its command.
typedef struct cn_option {
    char letter;      // 0: none
    const char *name; // without the dashes; NULL ends a table
    cn_option_kind kind;
    const char *value; // name of the value in the help
    const char *help;
    size_t offset;
    double least, most; // of a number; both zero: any
    bool is_open;       // `least` itself is too little
} cn_option;

// Rows of a table of options. The member of the arguments decides by its type what is read.
#define CN_KIND_OF(type, member)                                                                   \
    _Generic(((type *)0)->member, bool                                                             \
             : CN_OPTION_FLAG, const char *                                                        \
             : CN_OPTION_TEXT, double                                                              \
             : CN_OPTION_NUMBER, int                                                               \
             : CN_OPTION_INTEGER, cn_list                                                          \
             : CN_OPTION_LIST)
#define CN_OPTION_ROW(letter, name, kind, value, help, offset, ...)                                \
    {                                                                                              \
        letter, name, kind, value, help, offset, __VA_ARGS__                                       \
    }
#define CN_OPTION(letter, name, value, help, type, member)                                         \
    CN_OPTION_FROM(letter, name, value, help, type, member, 0, 0)
#define CN_FLAG(letter, name, help, type, member) CN_OPTION(letter, name, NULL, help, type, member)
#define CN_OPTION_OR_NOT(letter, name, value, help, type, member)                                  \
    CN_OPTION_ROW(letter, name, CN_OPTION_MAYBE, value, help, offsetof(type, member), 0, 0, false)
// Numbers from `least` to `most`, and those above `least`.
#define CN_OPTION_FROM(letter, name, value, help, type, member, least, most)                       \
    CN_OPTION_ROW(letter, name, CN_KIND_OF(type, member), value, help, offsetof(type, member),     \
                  least, most, false)
#define CN_OPTION_ABOVE(letter, name, value, help, type, member, least)                            \
    CN_OPTION_ROW(letter, name, CN_KIND_OF(type, member), value, help, offsetof(type, member),     \
                  least, INFINITY, true)

// Every struct of arguments starts with its operands: what is left without dashes.
typedef struct cn_operands {
    char **item;
    int count;
    char **word; // the command line as it was given, from the name of the command on
    int word_count;
} cn_operands;

typedef struct cn_command {
    const char *name;
    const char *operands; // as shown in the usage line
    int operand_least, operand_most;
    const char *help;    // one line
    const char *details; // more lines for --help of this command, may be NULL
    const cn_option *option;
    size_t args_size;     // of the struct of arguments
    const void *defaults; // its values before the command line is read; NULL: all zero
    int (*run)(void *args);
} cn_command;

// Reads the command line (argv[0] is the name of the command) and runs the command with its
// arguments. Returns the exit code, also after --help or a usage error.
int cn_command_execute(const cn_command *command, int argc, char **argv);

void cn_options_help(const cn_command *command, FILE *out);

// Says what is wrong with the command line and where help is; returns CN_EXIT_USAGE.
int cn_usage_error(const cn_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Place of a word among the names of numbers 0 .. count - 1, -1 if it is none of them.
int cn_find_word(const char *word, int count, const char *(*name)(int));

// Number of single-character edits between two words: for "did you mean".
int cn_typo_distance(const char *a, const char *b);
