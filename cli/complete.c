// cli/complete.c -- completion of a command line by the shell.
//
// The rules for bash, zsh and fish are a few lines each: they hand the words over to
// `cairn help --complete` and take what it prints, a word and its help per line with a tab between,
// or `:files` with the endings that are wanted, or `:folders`. So all three know what the program
// knows: commands, options, their values, starters, laws, bodies and columns of a result.
#include "command.h"

#include "validation.h"

#include <stdlib.h>
#include <string.h>

// A command line under way.
typedef struct line {
    const cn_command *command;
    const char *last;         // the word to complete
    const char *stem;         // what each candidate begins with besides: "--to=" of "--to=cs"
    const char *first_result; // the operand before, for words that a file knows
} line;

static void offer(const line *l, const char *word, const char *help)
{
    if (strncmp(word, l->last, strlen(l->last)) == 0) {
        printf("%s%s", l->stem, word);
        if (help != NULL && help[0] != '\0') { // its first line
            printf("\t%.*s", (int)strcspn(help, "\n"), help);
        }
        printf("\n");
    }
}

static void offer_commands(const line *l)
{
    for (int k = 0; cn_commands[k] != NULL; k++) {
        offer(l, cn_commands[k]->name, cn_commands[k]->help);
    }
}

static void offer_starters(const line *l)
{
    const char *const *name = cn_starter_names();
    for (int k = 0; name[k] != NULL; k++) {
        const char *question;
        int length = cn_starter_question(name[k], &question);
        char help[200];
        snprintf(help, sizeof help, "%.*s", length, question);
        offer(l, name[k], help);
    }
}

static void offer_laws(const line *l)
{
    for (int k = 0; k < cn_law_type_count(); k++) {
        offer(l, cn_law_type_at(k)->name, cn_law_type_at(k)->help);
    }
}

static void offer_cases(const line *l)
{
    for (int k = 0; cn_case_table[k].id != NULL; k++) {
        offer(l, cn_case_table[k].id, cn_case_table[k].title);
    }
}

static void offer_methods(const line *l)
{
    for (int k = 0; k < CN_METHOD_COUNT; k++) {
        offer(l, cn_method_name((cn_method)k), NULL);
    }
}

static void offer_paints(const line *l)
{
    for (int k = 0; k < CN_PAINT_SPREAD; k++) {
        offer(l, cn_paint_name((cn_paint)k), NULL);
    }
}

static void offer_formats(const line *l)
{
    for (int k = 0; k < cn_export_format_count(); k++) {
        offer(l, cn_export_format_at(k)->name, cn_export_format_at(k)->help);
    }
    offer(l, "html", "the viewer and all frames as one page for a browser");
}

static void offer_quantities(const line *l)
{
    for (int k = 0; cn_analysis_at(k) != NULL; k++) {
        offer(l, cn_analysis_at(k)->name, cn_analysis_at(k)->help);
    }
}

// The result named before, NULL if it cannot be read: then there is nothing to offer.
static cn_reader *open_result(const line *l)
{
    cn_reader *reader = NULL;
    if (l->first_result == NULL || cn_reader_open(l->first_result, &reader, NULL) != CN_OK) {
        cn_reader_close(reader);
        return NULL;
    }
    return reader;
}

static void offer_groups(const line *l)
{
    cn_reader *reader = open_result(l);
    for (int k = 0; reader != NULL && k < cn_reader_group_count(reader); k++) {
        offer(l, cn_reader_group_name(reader, k), NULL);
    }
    cn_reader_close(reader);
}

static void offer_columns(const line *l)
{
    cn_reader *reader = open_result(l);
    for (int k = 0; reader != NULL && k < cn_reader_column_count(reader); k++) {
        offer(l, cn_reader_column_name(reader, k), NULL);
    }
    cn_reader_close(reader);
}

static void offer_plots(const line *l)
{
    static const char *const of_frames[] = {"forces",   "rose",     "profile",
                                            "fraction", "reaction", "pressure"};
    const char *const *name = cn_plot_names();
    for (int k = 0; name[k] != NULL; k++) {
        offer(l, name[k], "curves of the history");
    }
    for (size_t k = 0; k < sizeof of_frames / sizeof *of_frames; k++) {
        offer(l, of_frames[k], "what frames hold");
    }
    cn_reader *reader = open_result(l);
    for (int k = 0; reader != NULL && k < cn_reader_column_count(reader); k++) {
        const char *column = cn_reader_column_name(reader, k);
        bool is_told = false; // some plots are named as their column
        for (int n = 0; name[n] != NULL; n++) {
            is_told = is_told || strcmp(column, name[n]) == 0;
        }
        if (!is_told) {
            offer(l, column, "column of the history");
        }
    }
    cn_reader_close(reader);
}

// Operands by their place, and options whose value is not told by its name in the help.
static const struct {
    const char *command, *option; // NULL: an operand
    int place;
    void (*offer)(const line *l);
} known[] = {
    {"help", NULL, 0, offer_commands},      {"new", NULL, 0, offer_starters},
    {"law", NULL, 0, offer_laws},           {"validate", NULL, 0, offer_cases},
    {"analyse", NULL, 1, offer_quantities}, {"analyse", "of", 0, offer_groups},
    {"fields", "of", 0, offer_groups},      {"plot", NULL, 1, offer_plots},
    {"plot", "body", 0, offer_groups},      {"plot", "against", 0, offer_columns},
    {"render", "paint", 0, offer_paints},   {"export", "to", 0, offer_formats},
    {"solve", "solver", 0, offer_methods},  {"bench", "solver", 0, offer_methods},
};

static bool offer_known(const line *l, const char *option, int place)
{
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        bool is_option = option != NULL && known[k].option != NULL;
        bool is_it = is_option
                         ? strcmp(option, known[k].option) == 0
                         : option == NULL && known[k].option == NULL && known[k].place == place;
        if (is_it && strcmp(l->command->name, known[k].command) == 0) {
            known[k].offer(l);
            return true;
        }
    }
    return false;
}

// Files by what the help calls them.
static const char *endings_of(const char *name)
{
    static const char *const endings[][2] = {
        {"SCENE", ".yaml .yml"},
        {"STUDY", ".yaml .yml"},
        {"RESULT", ".h5"},
        {"GEOMETRY", ".stl .obj .ply .msh .dxf"},
        {"FILE", ""},
    };
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        if (strcmp(name, endings[k][0]) == 0) {
            return endings[k][1];
        }
    }
    return NULL;
}

// What a value is called in the help: "RESULT", "SCENE|GEOMETRY", "x|y|z", "[FILE]...".
static void offer_by_name(const line *l, const char *value)
{
    char text[200], endings[100] = "";
    bool is_file = false;
    snprintf(text, sizeof text, "%s", value);
    for (char *word = strtok(text, "|[]."); word != NULL; word = strtok(NULL, "|[].")) {
        const char *ending = endings_of(word);
        if (ending != NULL) {
            size_t used = strlen(endings);
            snprintf(endings + used, sizeof endings - used, " %s", ending);
            is_file = true;
        } else if (strcmp(word, "FOLDER") == 0) {
            printf(":folders\n");
        } else if (strpbrk(word, "abcdefghijklmnopqrstuvwxyz") != NULL) { // not NAME, TIME
            offer(l, word, NULL);
        }
    }
    if (is_file) {
        printf(":files%s\n", endings);
    }
}

static const cn_option *find_option(const cn_command *command, const char *word)
{
    bool is_long = word[0] == '-' && word[1] == '-';
    for (const cn_option *o = command->option; word[0] == '-' && o->name != NULL; o++) {
        size_t length = strlen(o->name);
        bool is_name = is_long && strncmp(word + 2, o->name, length) == 0 &&
                       (word[2 + length] == '\0' || word[2 + length] == '=');
        if (is_name || (!is_long && word[1] == o->letter && word[2] == '\0')) {
            return o;
        }
    }
    return NULL;
}

static bool takes_next(const cn_option *o)
{
    return o != NULL && o->kind != CN_OPTION_FLAG && o->kind != CN_OPTION_MAYBE;
}

static void offer_value(const line *l, const cn_option *o)
{
    if (!offer_known(l, o->name, 0)) {
        offer_by_name(l, o->value);
    }
}

static void offer_options(const line *l)
{
    char word[64];
    for (const cn_option *o = l->command->option; o->name != NULL; o++) {
        snprintf(word, sizeof word, "--%s", o->name);
        offer(l, word, o->help);
    }
    offer(l, "--help", "print the help of this command");
}

// The place-th operand; the last one that the help names stands for all beyond it.
static void offer_operand(const line *l, int place)
{
    char text[200];
    const char *name = NULL;
    snprintf(text, sizeof text, "%s", l->command->operands);
    char *word = strtok(text, " ");
    for (int k = 0; word != NULL && k <= place; k++, word = strtok(NULL, " ")) {
        name = word;
    }
    bool is_beyond = place >= l->command->operand_most;
    if (name == NULL || is_beyond || offer_known(l, NULL, place) ||
        (strstr(name, "...") != NULL && offer_known(l, NULL, 0))) {
        return;
    }
    char kept[200];
    snprintf(kept, sizeof kept, "%s", name);
    offer_by_name(l, kept);
    if (strcmp(l->command->name, "plot") == 0 && place == 0) {
        printf(":files .csv\n"); // the table of a study
    }
}

// After a command: `word` are all words, the last one to be completed.
static void complete_rest(line *l, int count, char **word)
{
    const cn_option *before = NULL; // whose value the last word is
    int operands = 0;
    for (int k = 1; k < count - 1; k++) {
        const cn_option *o = before == NULL ? find_option(l->command, word[k]) : NULL;
        bool is_value = before != NULL, is_equals = strcmp(word[k], "=") == 0; // bash cuts there
        if (is_equals || is_value) {
            before = is_equals ? before : NULL;
            continue;
        }
        before = takes_next(o) && strchr(word[k], '=') == NULL ? o : NULL;
        if (word[k][0] != '-') {
            l->first_result = l->first_result == NULL ? word[k] : l->first_result;
            operands++;
        }
    }
    char stem[100];
    const char *equals = strchr(l->last, '=');
    const cn_option *with = equals != NULL ? find_option(l->command, l->last) : NULL;
    if (with != NULL && takes_next(with)) {
        snprintf(stem, sizeof stem, "%.*s", (int)(equals + 1 - l->last), l->last);
        l->stem = stem;
        l->last = equals + 1;
        before = with;
    }
    if (before != NULL) {
        offer_value(l, before);
    } else if (l->last[0] == '-') {
        offer_options(l);
    } else {
        offer_operand(l, operands);
    }
    l->stem = "";
}

void cn_complete(int count, char **word)
{
    line l = {.last = count > 0 ? word[count - 1] : "", .stem = ""};
    if (count <= 1) {
        offer_commands(&l);
        offer(&l, "--help", "commands and exit codes");
        offer(&l, "--version", "version and features");
        return;
    }
    l.command = cn_command_find(word[0]);
    l.last = strcmp(l.last, "=") == 0 ? "" : l.last;
    if (l.command != NULL) {
        complete_rest(&l, count, word);
    }
}

static const char bash_rules[] =
    "_cairn()\n"
    "{\n"
    "    local line ending last=${COMP_WORDS[COMP_CWORD]}\n"
    "    [ \"$last\" != = ] || last=\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "        :folders | :files*)\n"
    "            compopt -o filenames\n"
    "            while IFS= read -r ending; do\n"
    "                COMPREPLY+=(\"$ending\")\n"
    "            done < <(compgen -d -- \"$last\")\n"
    "            for ending in ${line#:f*s}; do\n"
    "                while IFS= read -r line; do\n"
    "                    COMPREPLY+=(\"$line\")\n"
    "                done < <(compgen -f -X \"!*$ending\" -- \"$last\")\n"
    "            done ;;\n"
    "        *) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
    "        esac\n"
    "    done < <(\"${COMP_WORDS[0]}\" help --complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" "
    "2>/dev/null)\n"
    "}\n"
    "complete -o default -F _cairn cairn\n";

static const char zsh_rules[] =
    "#compdef cairn\n"
    "_cairn()\n"
    "{\n"
    "    local line\n"
    "    local -a found endings\n"
    "    for line in \"${(@f)$(\"${words[1]}\" help --complete -- \"${(@)words[2,CURRENT]}\" "
    "2>/dev/null)}\"; do\n"
    "        case $line in\n"
    "        :folders) _files -/ ;;\n"
    "        ':files ') _files ;;\n"
    "        :files*) endings=(${=line#:files}); _files -g \"*(${(j:|:)endings})\" ;;\n"
    "        ?*) found+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
    "        esac\n"
    "    done\n"
    "    (( $#found )) && _describe cairn found\n"
    "}\n"
    "if [ \"$funcstack[1]\" = _cairn ]; then _cairn \"$@\"; else compdef _cairn cairn; fi\n";

static const char fish_rules[] =
    "function __cairn_complete\n"
    "    set -l words (commandline -opc) (commandline -ct)\n"
    "    for line in ($words[1] help --complete -- $words[2..-1] 2>/dev/null)\n"
    "        switch $line\n"
    "            case ':folders'\n"
    "                __fish_complete_directories $words[-1] ''\n"
    "            case ':files '\n"
    "                __fish_complete_path $words[-1]\n"
    "            case ':files*'\n"
    "                for ending in (string split -n ' ' -- $line)[2..-1]\n"
    "                    __fish_complete_suffix $ending\n"
    "                end\n"
    "            case '*'\n"
    "                echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c cairn -f -a '(__cairn_complete)'\n";

const char *cn_completion_rules(const char *shell)
{
    const char *const rules[][2] = {{"bash", bash_rules}, {"zsh", zsh_rules}, {"fish", fish_rules}};
    for (int k = 0; k < 3; k++) {
        if (strcmp(shell, rules[k][0]) == 0) {
            return rules[k][1];
        }
    }
    return NULL;
}
