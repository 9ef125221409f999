// import/dat_lines.c -- see dat_lines.h.
#include "import/dat_lines.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

cn_dat cn_dat_begin(const cn_source *source, cn_report *report)
{
    return (cn_dat){.source = source, .report = report, .next = source->text};
}

static void take_line(cn_dat *d)
{
    const char *end = d->source->text + d->source->length;
    const char *stop = memchr(d->next, '\n', (size_t)(end - d->next));
    stop = stop == NULL ? end : stop;
    size_t length = (size_t)(stop - d->next);
    d->text = d->next;
    d->length = length < INT_MAX / 2 ? (int)length : INT_MAX / 2;
    d->next = stop < end ? stop + 1 : end;
    d->line++;
    while (d->length > 0 && is_blank(d->text[d->length - 1])) {
        d->length--;
    }
}

bool cn_dat_next(cn_dat *d)
{
    const char *end = d->source->text + d->source->length;
    while (d->next < end) {
        take_line(d);
        if (d->length > 0 && d->text[0] != '!' && d->text[0] != '#') {
            return true;
        }
    }
    d->text = NULL;
    d->length = 0;
    return false;
}

bool cn_dat_is(const cn_dat *d, const char *keyword)
{
    size_t length = strlen(keyword);
    return d->text != NULL && (size_t)d->length >= length && strncmp(d->text, keyword, length) == 0;
}

static int skip_blanks(const cn_dat *d, int at)
{
    while (at < d->length && is_blank(d->text[at])) {
        at++;
    }
    return at;
}

bool cn_dat_is_record(const cn_dat *d)
{
    enum { RECORD_COLUMNS = 6 };
    return d->text != NULL && d->text[0] != '$' && skip_blanks(d, 0) < RECORD_COLUMNS;
}

bool cn_dat_word(const cn_dat *d, int *at, char word[CN_DAT_WORD], int *column)
{
    int begin = skip_blanks(d, *at), end = begin;
    while (end < d->length && !is_blank(d->text[end])) {
        end++;
    }
    int length = end - begin < CN_DAT_WORD - 1 ? end - begin : CN_DAT_WORD - 1;
    memcpy(word, d->text + begin, (size_t)length);
    word[length] = '\0';
    *at = end;
    if (column != NULL) {
        *column = begin + 1;
    }
    return length > 0;
}

bool cn_dat_named(const cn_dat *d, const char *name, char word[CN_DAT_WORD], int *behind)
{
    int at = 0;
    while (cn_dat_word(d, &at, word, NULL)) {
        if (strcmp(word, name) == 0) {
            *behind = at;
            return cn_dat_word(d, behind, word, NULL) && strchr(word, '=') == NULL;
        }
    }
    return false;
}

cn_place cn_dat_place(const cn_dat *d, int column)
{
    return (cn_place){d->source, d->line, column};
}

// "coo1=", "I1  =", "F/gp=", and old ones such as "rstt" without "=". Returns where it ends.
static int read_label(const cn_dat *d, int at, char *label)
{
    int begin = at;
    while (at < d->length && !is_blank(d->text[at]) && d->text[at] != '=' && d->text[at] != ':') {
        at++;
    }
    int length = at - begin < CN_DAT_WORD - 1 ? at - begin : CN_DAT_WORD - 1;
    memcpy(label, d->text + begin, (size_t)length);
    label[length] = '\0';
    int sign = skip_blanks(d, at);
    return sign < d->length && d->text[sign] == '=' ? sign + 1 : at;
}

static bool is_number_start(char c)
{
    return isdigit((unsigned char)c) || c == '+' || c == '-' || c == '.';
}

// A number of Fortran, whose exponent may be written with D. Returns where it ends, `at` if there
// is none.
static int read_number(const cn_dat *d, int at, double *value)
{
    enum { NUMBER = 48 };
    char copy[NUMBER], *end;
    int length = 0;
    while (length < NUMBER - 1 && at + length < d->length && d->text[at + length] != '\0' &&
           strchr("0123456789+-.eEdD", d->text[at + length]) != NULL) {
        char c = d->text[at + length];
        copy[length++] = c == 'd' || c == 'D' ? 'e' : c;
    }
    copy[length] = '\0';
    *value = strtod(copy, &end);
    return isfinite(*value) ? at + (int)(end - copy) : at;
}

// The number may be followed by a blank, a sign (fields may touch) or the end.
static bool ends_well(const cn_dat *d, int at)
{
    return at >= d->length || is_blank(d->text[at]) || d->text[at] == '-' || d->text[at] == '+' ||
           d->text[at] == '!';
}

int cn_dat_items(const cn_dat *d, int at, cn_dat_item item[CN_DAT_ITEMS], int count)
{
    cn_dat_item *open = NULL; // has a label and waits for its number
    for (at = skip_blanks(d, at); at < d->length && d->text[at] != '!'; at = skip_blanks(d, at)) {
        if (is_number_start(d->text[at])) {
            double value;
            int end = read_number(d, at, &value);
            if (end == at || !ends_well(d, end)) {
                cn_complain(d->report, cn_dat_place(d, at + 1), "this is no number");
                return count;
            }
            if (open == NULL && count < CN_DAT_ITEMS) {
                open = &item[count++];
                *open = (cn_dat_item){0};
            }
            if (open != NULL) {
                open->value = value;
                open->is_given = true;
                open->column = at + 1;
            }
            open = NULL;
            at = end;
        } else if (isalpha((unsigned char)d->text[at])) {
            cn_dat_item labelled = {.column = at + 1};
            at = read_label(d, at, labelled.label);
            at += at < d->length && d->text[at] == ':' ? 1 : 0;
            if (count < CN_DAT_ITEMS) {
                open = &item[count++];
                *open = labelled;
            }
        } else {
            cn_complain(d->report, cn_dat_place(d, at + 1), "this is neither a label nor a number");
            return count;
        }
    }
    return count;
}

bool cn_dat_whole(const cn_dat *d, const cn_dat_item *item, const char *what, int *value)
{
    bool is_whole =
        item->is_given && item->value == floor(item->value) && fabs(item->value) <= INT_MAX;
    if (!is_whole) {
        cn_complain(d->report, cn_dat_place(d, item->column), "%s must be a whole number", what);
        return false;
    }
    *value = (int)item->value;
    return true;
}
