// cli/options.c -- reads a command line by the table of its command: GNU long options (abbreviated
// as long as they are unique, --name=value or --name value), bundled letters, -- ends the options.
#include "options.h"

#include "cairn/base.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const cn_option help_option = {
    .letter = 'h', .name = "help", .kind = CN_OPTION_FLAG, .help = "print this help"};

int cn_usage_error(const cn_command *command, const char *format, ...)
{
    char text[2048], shown[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "cairn %s: %s\nTry 'cairn %s --help'.\n", command->name,
            cn_text_shown(text, shown, sizeof shown), command->name);
    return CN_EXIT_USAGE;
}

int cn_find_word(const char *word, int count, const char *(*name)(int))
{
    for (int k = 0; k < count; k++) {
        if (strcmp(word, name(k)) == 0) {
            return k;
        }
    }
    return -1;
}

int cn_typo_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    int n = (int)strnlen(b, LONGEST);
    int row[LONGEST + 1];
    for (int k = 0; k <= n; k++) {
        row[k] = k;
    }
    for (int i = 0; a[i] != '\0' && i < LONGEST; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int k = 1; k <= n; k++) {
            int replaced = diagonal + (a[i] != b[k - 1]);
            int moved = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            diagonal = row[k];
            row[k] = replaced < moved ? replaced : moved;
        }
    }
    return row[n];
}

static const cn_option *find_letter(const cn_command *command, char letter)
{
    for (const cn_option *o = command->option; o->name != NULL; o++) {
        if (o->letter == letter) {
            return o;
        }
    }
    return letter == help_option.letter ? &help_option : NULL;
}

static const char *nearest_name(const cn_command *command, const char *word)
{
    const char *nearest = help_option.name;
    int least = cn_typo_distance(word, nearest);
    for (const cn_option *o = command->option; o->name != NULL; o++) {
        int distance = cn_typo_distance(word, o->name);
        if (distance < least) {
            least = distance;
            nearest = o->name;
        }
    }
    return least <= 3 ? nearest : NULL;
}

// Finds a long option by its whole name or a unique beginning; says why it cannot.
static const cn_option *find_name(const cn_command *command, const char *name, size_t length)
{
    const cn_option *found = NULL;
    int matches = 0;
    for (const cn_option *o = command->option;; o++) {
        const cn_option *tried = o->name != NULL ? o : &help_option;
        if (strncmp(tried->name, name, length) == 0) {
            if (tried->name[length] == '\0') {
                return tried;
            }
            found = tried;
            matches++;
        }
        if (o->name == NULL) {
            break;
        }
    }
    if (matches > 1) {
        cn_usage_error(command, "option '--%.*s' is ambiguous", (int)length, name);
        return NULL;
    }
    if (matches == 0) {
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)length, name);
        const char *nearest = nearest_name(command, word);
        if (nearest != NULL) {
            cn_usage_error(command, "unknown option '--%s' (did you mean '--%s'?)", word, nearest);
        } else {
            cn_usage_error(command, "unknown option '--%s'", word);
        }
    }
    return found;
}

static int check_limits(const cn_command *command, const cn_option *o, const char *value,
                        double number)
{
    bool has_limits = o->least != 0.0 || o->most != 0.0;
    bool is_low = o->is_open ? !(number > o->least) : number < o->least;
    if (!has_limits || (!is_low && number <= o->most)) {
        return CN_PARSE_GO;
    }
    if (isinf(o->most)) {
        return cn_usage_error(command, "--%s must be %s %g, got '%s'", o->name,
                              o->is_open ? ">" : ">=", o->least, value);
    }
    return cn_usage_error(command, "--%s must be %g to %g, got '%s'", o->name, o->least, o->most,
                          value);
}

static int store_number(const cn_command *command, const cn_option *o, const char *value,
                        double *to)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number)) {
        return cn_usage_error(command, "--%s wants a number, got '%s'", o->name, value);
    }
    *to = number;
    return check_limits(command, o, value, number);
}

static int store_integer(const cn_command *command, const cn_option *o, const char *value, int *to)
{
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < INT_MIN || number > INT_MAX) {
        return cn_usage_error(command, "--%s wants a whole number, got '%s'", o->name, value);
    }
    *to = (int)number;
    return check_limits(command, o, value, (double)number);
}

static int store(const cn_command *command, const cn_option *o, const char *value, void *args)
{
    void *to = (char *)args + o->offset;
    switch (o->kind) {
    case CN_OPTION_FLAG:
        *(bool *)to = true;
        break;
    case CN_OPTION_MAYBE:
        value = value != NULL ? value : "";
        *(const char **)to = value;
        break;
    case CN_OPTION_TEXT:
        if (value[0] == '\0') {
            return cn_usage_error(command, "--%s is empty, it needs a value: %s", o->name,
                                  o->value);
        }
        *(const char **)to = value;
        break;
    case CN_OPTION_NUMBER:
        return store_number(command, o, value, to);
    case CN_OPTION_INTEGER:
        return store_integer(command, o, value, to);
    case CN_OPTION_LIST: {
        cn_list *list = to;
        if (list->count == CN_LIST_MAX) {
            return cn_usage_error(command, "--%s given more than %d times", o->name, CN_LIST_MAX);
        }
        list->item[list->count++] = value;
        break;
    }
    }
    return CN_PARSE_GO;
}

static int give_help(const cn_command *command)
{
    cn_options_help(command, stdout);
    return CN_EXIT_OK;
}

// --name, --name=value or --name value; *k moves on when the value is the next word.
static int parse_long(const cn_command *command, int argc, char **argv, int *k, void *args)
{
    const char *name = argv[*k] + 2;
    const char *equals = strchr(name, '=');
    const cn_option *o = find_name(command, name, equals ? (size_t)(equals - name) : strlen(name));
    if (o == NULL) {
        return CN_EXIT_USAGE;
    }
    if (o == &help_option) {
        return give_help(command);
    }
    const char *value = equals ? equals + 1 : NULL;
    if (o->kind == CN_OPTION_FLAG) {
        if (value != NULL) {
            return cn_usage_error(command, "--%s takes no value", o->name);
        }
    } else if (value == NULL && o->kind != CN_OPTION_MAYBE) {
        if (*k + 1 >= argc) {
            return cn_usage_error(command, "--%s needs a value: %s", o->name, o->value);
        }
        value = argv[++*k];
    }
    return store(command, o, value, args);
}

// -q, -qv, -o value or -ovalue.
static int parse_letters(const cn_command *command, int argc, char **argv, int *k, void *args)
{
    for (const char *letter = argv[*k] + 1; *letter != '\0'; letter++) {
        const cn_option *o = find_letter(command, *letter);
        if (o == NULL) {
            return cn_usage_error(command, "unknown option '-%c'", *letter);
        }
        if (o == &help_option) {
            return give_help(command);
        }
        if (o->kind == CN_OPTION_FLAG) {
            store(command, o, NULL, args);
            continue;
        }
        const char *value = letter + 1;
        if (*value == '\0') {
            if (*k + 1 >= argc) {
                return cn_usage_error(command, "-%c needs a value: %s", *letter, o->value);
            }
            value = argv[++*k];
        }
        return store(command, o, value, args);
    }
    return CN_PARSE_GO;
}

// Fills `args`, whose first member is cn_operands.
static int parse(const cn_command *command, int argc, char **argv, void *args)
{
    cn_operands *operands = args;
    bool options_over = false;
    for (int k = 1; k < argc; k++) {
        int code = CN_PARSE_GO;
        if (options_over || argv[k][0] != '-' || argv[k][1] == '\0') {
            operands->item[operands->count++] = argv[k];
        } else if (strcmp(argv[k], "--") == 0) {
            options_over = true;
        } else if (argv[k][1] == '-') {
            code = parse_long(command, argc, argv, &k, args);
        } else {
            code = parse_letters(command, argc, argv, &k, args);
        }
        if (code != CN_PARSE_GO) {
            return code;
        }
    }
    if (operands->count < command->operand_least) {
        return cn_usage_error(command, "missing operand: cairn %s %s", command->name,
                              command->operands);
    }
    if (operands->count > command->operand_most) {
        return cn_usage_error(command, "unexpected operand '%s'",
                              operands->item[command->operand_most]);
    }
    return CN_PARSE_GO;
}

int cn_command_execute(const cn_command *command, int argc, char **argv)
{
    void *args = calloc(1, command->args_size);
    char **operand = calloc((size_t)argc, sizeof *operand);
    int code = CN_EXIT_FAILED;
    if (args != NULL && operand != NULL) {
        if (command->defaults != NULL) {
            memcpy(args, command->defaults, command->args_size);
        }
        *(cn_operands *)args = (cn_operands){.item = operand, .word = argv, .word_count = argc};
        code = parse(command, argc, argv, args);
        code = code == CN_PARSE_GO ? command->run(args) : code;
    }
    if (args == NULL || operand == NULL) {
        fprintf(stderr, "cairn %s: error: out of memory\n", command->name);
    }
    free(operand);
    free(args);
    return code;
}

static void print_option(const cn_option *o, FILE *out)
{
    char left[96];
    const char *value = o->kind == CN_OPTION_FLAG ? "" : o->value;
    const char *gap = o->kind == CN_OPTION_FLAG ? "" : (o->kind == CN_OPTION_MAYBE ? "[=" : " ");
    const char *end = o->kind == CN_OPTION_MAYBE ? "]" : "";
    if (o->letter != 0) {
        snprintf(left, sizeof left, "-%c, --%s%s%s%s", o->letter, o->name, gap, value, end);
    } else {
        snprintf(left, sizeof left, "    --%s%s%s%s", o->name, gap, value, end);
    }
    // The help of a long name begins below it.
    fprintf(out, "  %-26s %s%*s%s%s\n", left, strlen(left) > 40 ? "\n" : "",
            strlen(left) > 40 ? 29 : 0, "", o->help,
            o->kind == CN_OPTION_LIST ? " (may be repeated)" : "");
}

void cn_options_help(const cn_command *command, FILE *out)
{
    bool has_operands = command->operands[0] != '\0';
    fprintf(out, "Usage: cairn %s [OPTION]...%s%s\n", command->name, has_operands ? " " : "",
            command->operands);
    fprintf(out, "%s\n", command->help);
    if (command->details != NULL) {
        fprintf(out, "\n%s\n", command->details);
    }
    fprintf(out, "\nOptions:\n");
    for (const cn_option *o = command->option; o->name != NULL; o++) {
        print_option(o, out);
    }
    print_option(&help_option, out);
}
