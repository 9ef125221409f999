// picture/chart/formula.c -- see formula.h. Names of columns hold dots and slashes; they are
// rewritten as plain names before the formula is evaluated, row by row.
#include "picture/chart/formula.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scene/language/expr.h"
#include "scene/language/nearest_word.h"
#include "scene/language/unit.h"

enum { TEXT_MAX = 512, WORD_MAX = 64, COLUMN_MAX = 16, SYMBOL_MAX = 48 };

static const char series[] = "series/";

typedef struct formula {
    const cn_history *history;
    char text[TEXT_MAX]; // with plain names
    size_t length;
    int column_count;
    const char *column[COLUMN_MAX];
    char name[COLUMN_MAX][WORD_MAX + 1];
    double *value[COLUMN_MAX];
    int row_count;
    cn_symbol symbol[SYMBOL_MAX]; // columns first, then the names defined by the user
    int symbol_count;
} formula;

static const char *without_series(const char *name)
{
    return strncmp(name, series, sizeof series - 1) == 0 ? name + sizeof series - 1 : name;
}

const char *cn_history_find(const cn_history *history, const char *name)
{
    const char *found = NULL;
    for (int k = 0; k < history->column_count; k++) {
        const char *known = history->name(history->context, k);
        if (strcmp(known, name) == 0) {
            return known;
        }
        if (strcmp(without_series(known), name) == 0) {
            found = known;
        }
    }
    return found;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// The column with the longest name that stands at the start of text; `length` of what stands there.
static const char *column_at(const cn_history *history, const char *text, size_t *length)
{
    const char *found = NULL;
    *length = 0;
    for (int k = 0; k < history->column_count; k++) {
        const char *whole = history->name(history->context, k);
        const char *names[2] = {whole, without_series(whole)};
        for (int form = 0; form < 2; form++) {
            size_t size = strlen(names[form]);
            if (size > *length && strncmp(text, names[form], size) == 0 &&
                !is_of_name(text[size]) && text[size] != '(') {
                found = whole;
                *length = size;
            }
        }
    }
    return found;
}

static cn_status append(formula *f, const char *text, size_t length, cn_error *err)
{
    if (f->length + length >= TEXT_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "a formula is longer than %d letters", TEXT_MAX - 1);
    }
    memcpy(f->text + f->length, text, length);
    f->length += length;
    f->text[f->length] = '\0';
    return CN_OK;
}

static bool is_taken(const formula *f, const char *name)
{
    for (int k = 0; k < f->column_count; k++) {
        if (strcmp(f->name[k], name) == 0) {
            return true;
        }
    }
    return false;
}

// "axial_fy" for series/axial.fy, another one where that is taken.
static void name_column(formula *f, const char *column)
{
    char name[WORD_MAX + 1];
    snprintf(name, sizeof name - 8, "%s", without_series(column));
    for (char *c = name; *c != '\0'; c++) {
        *c = isalnum((unsigned char)*c) ? *c : '_';
    }
    while (is_taken(f, name)) {
        strcat(name, "_"); // at most once for each column; eight are reserved
    }
    strcpy(f->name[f->column_count], name);
}

static cn_status read_column(formula *f, const char *name, cn_error *err)
{
    cn_column column;
    CN_TRY(f->history->column(f->history->context, name, &column, err));
    if (column.count > INT_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "column '%s' has too many values to draw", name);
    }
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &f->value[f->column_count], &room, (size_t)column.count, err));
    memcpy(f->value[f->column_count], column.value, sizeof(double) * (size_t)column.count);
    bool is_first = f->column_count == 0;
    f->row_count = is_first || column.count < f->row_count ? (int)column.count : f->row_count;
    return CN_OK;
}

static cn_status take_column(formula *f, const char *name, cn_error *err)
{
    int k = 0;
    while (k < f->column_count && f->column[k] != name) {
        k++;
    }
    if (k == f->column_count) {
        if (k == COLUMN_MAX / 2) {
            return cn_fail(err, CN_BAD_INPUT, "a formula takes at most %d columns", COLUMN_MAX / 2);
        }
        CN_TRY(read_column(f, name, err));
        name_column(f, name);
        f->column[f->column_count++] = name;
    }
    return append(f, f->name[k], strlen(f->name[k]), err);
}

static bool is_known(const formula *f, const char *name)
{
    for (int k = 0; k < f->history->symbol_count; k++) {
        if (strcmp(f->history->symbol[k].name, name) == 0) {
            return true;
        }
    }
    for (const char *const *at = cn_expr_names(); *at != NULL; at++) {
        if (strcmp(*at, name) == 0) {
            return true;
        }
    }
    double unit;
    return cn_unit_constant(name, &unit);
}

static cn_status refuse_name(const formula *f, const char *name, const char *text, cn_error *err)
{
    enum { KNOWN_MAX = 1024 };
    const char *known[KNOWN_MAX];
    int count = 0;
    for (int k = 0; k < f->history->symbol_count; k++) {
        known[count++] = f->history->symbol[k].name;
    }
    for (const char *const *at = cn_expr_names(); *at != NULL; at++) {
        known[count++] = *at;
    }
    for (int k = 0; k < f->history->column_count && count < KNOWN_MAX; k++) {
        known[count++] = without_series(f->history->name(f->history->context, k));
    }
    const char *nearest = cn_spelling_nearest(name, known, count);
    return cn_fail(err, CN_BAD_INPUT, "unknown name '%s' in '%.80s'%s%s%s", name, text,
                   nearest != NULL ? " (did you mean '"
                                   : ": names are columns of the history, or defined with -D",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
}

// Copies a function, a unit or a name of the user.
static cn_status take_word(formula *f, const char *text, const char *at, size_t *length,
                           cn_error *err)
{
    char name[WORD_MAX + 1];
    *length = 0;
    while (is_of_name(at[*length])) {
        (*length)++;
    }
    snprintf(name, sizeof name, "%.*s", (int)*length, at);
    return is_known(f, name) ? append(f, at, *length, err) : refuse_name(f, name, text, err);
}

static cn_status rewrite(formula *f, const char *text, cn_error *err)
{
    for (const char *at = text; *at != '\0';) {
        size_t length = isdigit((unsigned char)*at) || *at == '.' ? cn_number_length(at) : 0;
        if (length > 0) {
            CN_TRY(append(f, at, length, err));
        } else if (isalpha((unsigned char)*at) || *at == '_') {
            const char *column = column_at(f->history, at, &length);
            CN_TRY(column != NULL ? take_column(f, column, err)
                                  : take_word(f, text, at, &length, err));
        } else {
            length = 1;
            CN_TRY(append(f, at, length, err));
        }
        at += length;
    }
    return CN_OK;
}

static cn_status gather_symbols(formula *f, cn_error *err)
{
    int defined = f->history->symbol_count;
    if (f->column_count + defined > SYMBOL_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "at most %d names can be defined",
                       SYMBOL_MAX - COLUMN_MAX);
    }
    for (int k = 0; k < f->column_count; k++) {
        f->symbol[f->symbol_count++] = (cn_symbol){.name = f->name[k]};
    }
    for (int k = 0; k < defined; k++) {
        const cn_plot_number *given = &f->history->symbol[k];
        if (cn_history_find(f->history, given->name) != NULL) {
            return cn_fail(err, CN_BAD_INPUT, "'%s' is a column of the history already",
                           given->name);
        }
        f->symbol[f->symbol_count++] = (cn_symbol){.name = given->name, .value = given->value};
    }
    return CN_OK;
}

static cn_status eval_rows(formula *f, double *value, cn_error *err)
{
    cn_error first = {0};
    int good = 0;
    for (int row = 0; row < f->row_count; row++) {
        for (int k = 0; k < f->column_count; k++) {
            f->symbol[k].value = f->value[k][row];
        }
        cn_error own = {0};
        bool is_good =
            cn_expr_eval(f->text, f->symbol, f->symbol_count, &value[row], &own) == CN_OK;
        if (!is_good) {
            value[row] = NAN;
            first = first.text[0] == '\0' ? own : first;
        }
        good += is_good;
    }
    return good > 0 || f->row_count == 0 ? CN_OK : cn_fail(err, CN_BAD_INPUT, "%s", first.text);
}

cn_status cn_formula_eval(const cn_history *history, const char *text, double **value, int *count,
                          cn_error *err)
{
    formula f = {.history = history};
    size_t room = 0;
    cn_status status = rewrite(&f, text, err);
    CN_THEN(status, gather_symbols(&f, err));
    if (status == CN_OK && f.column_count == 0) {
        status = cn_fail(err, CN_BAD_INPUT, "the formula '%.80s' has no column in it", text);
    }
    CN_THEN(status, cn_reserve(NULL, value, &room, (size_t)f.row_count, err));
    CN_THEN(status, eval_rows(&f, *value, err));
    *count = f.row_count;
    for (int k = 0; k < COLUMN_MAX; k++) {
        cn_release(NULL, f.value[k]);
    }
    return status;
}
