// import/command_script.c -- what a command script of LMGC90 sets: step, theta, duration, output.
//
// The script is read, never run: assignments of numbers, calls with numbers, and the loop that
// holds the step. All branches are read; the first value of a setting wins, another one is told.
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "import/importing.h"
#include "import/script_expression.h"

enum { LINE_MAX_LENGTH = 4000, ARGUMENTS = 12 };

typedef struct script {
    cn_importing *m;
    const cn_source *source;
    cn_script_names names;
    const char *at;
    int line; // of the statement
    char text[LINE_MAX_LENGTH];
    int indent;
    double loop_steps, loop_time; // of the open loop, NaN: none
    int loop_indent;
    double write_every; // steps between frames
} script;

// Copies the next statement without comments and line ends in brackets; false at the end.
static bool next_statement(script *s)
{
    size_t length = 0;
    int depth = 0, lines = 0;
    char quote = '\0';
    if (*s->at == '\0') {
        return false;
    }
    s->indent = (int)strspn(s->at, " \t");
    for (; *s->at != '\0'; s->at++) {
        char c = *s->at;
        if (quote == '\0' && c == '#') {
            s->at += strcspn(s->at, "\n");
            c = *s->at;
            if (c == '\0') {
                break;
            }
        }
        bool is_joined = depth > 0 || (length > 0 && s->text[length - 1] == '\\');
        if (c == '\n') {
            lines++;
            if (!is_joined || quote != '\0') {
                s->at++;
                break;
            }
            c = ' ';
        }
        quote = quote == '\0' && (c == '\'' || c == '"') ? c : quote == c ? '\0' : quote;
        depth += quote == '\0' ? (c == '(' || c == '[') - (c == ')' || c == ']') : 0;
        if (length + 1 < sizeof s->text) {
            s->text[length++] = c;
        }
    }
    s->text[length] = '\0';
    s->line += lines;
    return true;
}

static void set(script *s, const char *what, double value, double *setting)
{
    cn_place at = {s->source, s->line, 1};
    if (isnan(value)) {
        cn_import_changed(s->m, at, "the script sets %s by what is no number that we can find",
                          what);
    } else if (isnan(*setting)) {
        *setting = value;
    } else if (*setting != value) {
        cn_import_changed(s->m, at, "the script sets %s again, to %g: %g is kept", what, value,
                          *setting);
    }
}

static void bind(script *s, const char *name, size_t length, double value)
{
    cn_script_name entry = {.value = value};
    if (length > 0 && length < sizeof entry.name) {
        memcpy(entry.name, name, length);
        if (CN_DAT_ADD(s->names, entry, s->m->err) != CN_OK) {
            s->m->status = CN_NO_MEMORY;
        }
    }
}

// "dt = 1e-2/4", "dt, theta = 1e-3, 0.5".
static void read_assignment(script *s, const char *equals)
{
    const char *name = s->text + strspn(s->text, " \t"), *value = equals + 1;
    while (name < equals) {
        size_t length = 0;
        while (isalnum((unsigned char)name[length]) || name[length] == '_') {
            length++;
        }
        const char *end = value;
        double number = cn_script_evaluate(&s->names, value, &end);
        bool is_whole = *end == '\0' || *end == ',' || *end == ';';
        bind(s, name, length, is_whole ? number : NAN);
        name += length + strspn(name + length, " \t,");
        value = *end == ',' ? end + 1 : value + strlen(value);
        if (length == 0) {
            return;
        }
    }
}

// The arguments of a call in their order; named ones are looked for in `names`, a list separated by
// blanks. What is no number is NaN.
static void read_arguments(script *s, const char *at, const char *names, double *value)
{
    for (int k = 0; k < ARGUMENTS; k++) {
        value[k] = NAN;
    }
    for (int place = 0; *at != '\0' && *at != ')'; place++) {
        int slot = place;
        at += strspn(at, " \t");
        size_t word = 0;
        while (isalnum((unsigned char)at[word]) || at[word] == '_') {
            word++;
        }
        const char *sign = at + word + strspn(at + word, " \t");
        if (word > 0 && sign[0] == '=' && sign[1] != '=') {
            slot = ARGUMENTS;
            int n = 0;
            for (const char *w = names; *w != '\0'; n++) {
                size_t length = strcspn(w, " ");
                slot = length == word && strncmp(w, at, word) == 0 ? n : slot;
                w += length + strspn(w + length, " ");
            }
            at = sign + 1;
        }
        const char *end = at;
        double number = cn_script_evaluate(&s->names, at, &end);
        if (slot < ARGUMENTS) {
            value[slot] = *end == ',' || *end == ')' ? number : NAN;
        }
        for (int depth = 0; *end != '\0' && (depth > 0 || (*end != ',' && *end != ')')); end++) {
            depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
        }
        at = *end == ',' ? end + 1 : end;
    }
}

static void set_plane(script *s, double dimension, double kind)
{
    if (dimension == 2.0 && kind >= 1.0 && kind <= 3.0 && s->m->set.plane == 0) {
        s->m->set.plane = (int)kind;
    }
}

static void step_is_made(script *s)
{
    if (!isnan(s->loop_steps) && isnan(s->m->set.duration)) {
        set(s, "the number of steps", s->loop_steps, &s->m->set.steps);
    } else if (!isnan(s->loop_time) && isnan(s->m->set.steps)) {
        set(s, "the duration", s->loop_time, &s->m->set.duration);
    }
}

static bool is_named(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = list; *at != '\0';) {
        size_t word = strcspn(at, " ");
        if (word == length && strncmp(at, name, length) == 0) {
            return true;
        }
        at += word + strspn(at + word, " ");
    }
    return false;
}

static void take_call(script *s, const char *name, const char *arguments)
{
    cn_import_settings *set_of = &s->m->set;
    double v[ARGUMENTS];
    if (is_named(name, "TimeEvolution_SetTimeStep SetTimeStep")) {
        read_arguments(s, arguments, "dt", v);
        set(s, "the step", v[0], &set_of->step);
    } else if (is_named(name, "Integrator_InitTheta InitTheta")) {
        read_arguments(s, arguments, "theta", v);
        set(s, "theta", v[0], &set_of->theta);
    } else if (is_named(name, "SetDimension overall_DIME")) {
        read_arguments(s, arguments, "dim mod", v);
        set_plane(s, v[0], v[1]);
    } else if (strcmp(name, "initialize") == 0) {
        read_arguments(s, arguments, "dim dt theta mhyp", v);
        set(s, "the step", v[1], &set_of->step);
        set(s, "theta", v[2], &set_of->theta);
        set_plane(s, v[0], v[3]);
    } else if (is_named(name, "IncrementStep TimeEvolution_IncrementStep one_step")) {
        step_is_made(s);
    } else if (is_named(name, "NewtonRaphson_SetFinalTime")) {
        read_arguments(s, arguments, "", v);
        set(s, "the duration", v[0], &set_of->duration);
    } else if (is_named(name, "WriteDisplayFiles WriteOut")) {
        read_arguments(s, arguments, "freq", v);
        s->write_every = v[0] >= 1.0 ? fmin(v[0], isnan(s->write_every) ? v[0] : s->write_every)
                                     : s->write_every;
    } else if (is_named(name, "SetPeriodicCondition SetXPeriodicCondition")) {
        read_arguments(s, arguments, "xperiod yperiod", v);
        set(s, "the period", v[0], &set_of->period[0]);
        if (!isnan(v[1])) {
            set(s, "the period along y", v[1], &set_of->period[1]);
        }
    } else if (is_named(name, "Integrator_InitQS Integrator_InitGear Integrator_InitVerlet "
                              "Integrator_InitBeta2 Integrator_InitCrankNickolson")) {
        cn_import_changed(s->m, (cn_place){s->source, s->line, 1},
                          "the script uses %s; here it is the theta scheme", name);
    }
}

// All calls of a statement: a name, perhaps behind points, with a bracket.
static void read_calls(script *s)
{
    for (const char *at = s->text; *at != '\0';) {
        char name[64];
        size_t length = 0;
        if (!isalpha((unsigned char)*at) && *at != '_') {
            at++;
            continue;
        }
        while (isalnum((unsigned char)at[length]) || at[length] == '_') {
            length++;
        }
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        if (*at == '(') {
            take_call(s, name, at + 1);
        }
    }
}

// "for k in range(1, n + 1):", "while TimeEvolution_GetTime() < T:", "while k < n:".
static void read_loop(script *s)
{
    const char *range = strstr(s->text, "range("), *less = strchr(s->text, '<'), *end;
    const char *word = s->text + s->indent;
    double v[ARGUMENTS];
    s->loop_indent = s->indent;
    s->loop_steps = s->loop_time = NAN;
    if (strncmp(word, "for ", 4) == 0 && range != NULL) {
        read_arguments(s, range + 6, "", v);
        s->loop_steps = isnan(v[1]) ? v[0] : (v[1] - v[0]) / (isnan(v[2]) ? 1.0 : v[2]);
    } else if (less != NULL) {
        double most = cn_script_evaluate(&s->names, less + (less[1] == '=' ? 2 : 1), &end);
        if (strstr(s->text, "GetTime") != NULL) {
            s->loop_time = most;
        } else {
            s->loop_steps = most;
        }
    }
}

static void read_statement(script *s)
{
    const char *word = s->text + s->indent;
    if (*word == '\0') {
        return;
    }
    if (s->indent <= s->loop_indent) {
        s->loop_steps = s->loop_time = NAN;
        s->loop_indent = -1;
    }
    if (strncmp(word, "for ", 4) == 0 || strncmp(word, "while", 5) == 0) {
        read_loop(s);
        return;
    }
    const char *equals = strchr(s->text, '='), *bracket = strchr(s->text, '(');
    bool is_assignment = equals != NULL && equals[1] != '=' && equals > s->text &&
                         strchr("=!<>+-*/%", equals[-1]) == NULL &&
                         (bracket == NULL || equals < bracket);
    if (is_assignment && strncmp(word, "if ", 3) != 0 && strncmp(word, "elif ", 5) != 0) {
        read_assignment(s, equals);
    }
    read_calls(s);
}

static void read_all(script *s)
{
    while (next_statement(s) && s->m->status == CN_OK) {
        read_statement(s);
    }
    cn_import_settings *given = &s->m->set;
    if (isnan(given->every) && !isnan(s->write_every) && !isnan(given->step)) {
        given->every = s->write_every * given->step;
    }
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

// The only script of a folder with a step in it; two of them are told apart by nobody.
static cn_status look_for_script(cn_importing *m, const char *folder, const cn_source **found)
{
    DIR *dir = opendir(folder);
    cn_status status = CN_OK;
    int count = 0;
    *found = NULL;
    for (const struct dirent *entry; dir != NULL && status == CN_OK && (entry = readdir(dir));) {
        const cn_source *source = NULL;
        char *path = cn_arena_print(&m->arena, m->err, "%s%s", folder, entry->d_name);
        if (path == NULL || !ends_with(path, ".py")) {
            status = path == NULL ? CN_NO_MEMORY : CN_OK;
            continue;
        }
        status = cn_datbox_load(&m->box, path, &source, m->err);
        bool is_it = status == CN_OK && source != NULL &&
                     (strstr(source->text, "IncrementStep") != NULL ||
                      strstr(source->text, "one_step") != NULL);
        if (is_it && (count++ == 0 || strcmp(entry->d_name, "command.py") == 0)) {
            *found = source;
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    if (count > 1 && !ends_with((*found)->name, "/command.py")) {
        cn_import_changed(m, (cn_place){0}, "several scripts make steps: choose one with --script");
        *found = NULL;
    }
    return status;
}

static cn_status find_script(cn_importing *m, const cn_source **source)
{
    char *above;
    if (m->def->script != NULL) {
        CN_TRY(cn_datbox_load(&m->box, m->def->script, source, m->err));
        return *source != NULL ? CN_OK : cn_fail(m->err, CN_IO, "%s: no such file", m->def->script);
    }
    CN_TRY(look_for_script(m, m->box.folder, source));
    above = cn_arena_print(&m->arena, m->err, "%s../", m->box.folder);
    return above == NULL     ? CN_NO_MEMORY
           : *source != NULL ? CN_OK
                             : look_for_script(m, above, source);
}

cn_status cn_import_read_script(cn_importing *m)
{
    cn_plain_locale locale;
    const cn_source *source = NULL;
    CN_TRY(find_script(m, &source));
    if (source == NULL) {
        return CN_OK;
    }
    script s = {.m = m,
                .source = source,
                .at = source->text,
                .loop_steps = NAN,
                .loop_time = NAN,
                .loop_indent = -1,
                .write_every = NAN};
    if (!cn_plain_begin(&locale)) {
        return cn_fail(m->err, CN_NO_MEMORY, "out of memory");
    }
    read_all(&s);
    cn_plain_end(&locale);
    m->script = source->name;
    free(s.names.item);
    return m->status;
}
