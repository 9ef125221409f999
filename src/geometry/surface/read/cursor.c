// geometry/surface/read/cursor.c
#include "geometry/surface/read/cursor.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

// Words of a file go to terminals: what would steer one is shown as '?'.
static void tame(char *text)
{
    for (; *text != '\0'; text++) {
        bool is_control = (unsigned char)*text < ' ' || *text == 127;
        *text = is_control ? '?' : *text;
    }
}

cn_status cn_cursor_fail(cn_cursor *c, const char *format, ...)
{
    char sentence[600];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    tame(sentence);
    if (c->is_binary) {
        return cn_fail(c->err, CN_BAD_INPUT, "%s: byte %lld: %s", c->name,
                       (long long)(c->at - c->begin), sentence);
    }
    return cn_fail(c->err, CN_BAD_INPUT, "%s:%lld: %s", c->name, (long long)c->line, sentence);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\v' || byte == '\f';
}

static const char *take_word(cn_cursor *c)
{
    size_t length = 0;
    while (c->at < c->end && !is_blank(*c->at) && *c->at != '\n') {
        if (length < CN_WORD_MAX) {
            // A zero would end the word early and let garbage pass for it.
            c->word[length++] = *c->at == '\0' ? '?' : *c->at;
        }
        c->at++;
    }
    c->word[length] = '\0';
    return c->word;
}

const char *cn_cursor_word(cn_cursor *c)
{
    while (c->at < c->end && (is_blank(*c->at) || *c->at == '\n')) {
        c->line += *c->at == '\n' ? 1 : 0;
        c->at++;
    }
    return take_word(c);
}

// Whether a backslash at `at` is the last thing of its line.
static bool is_continued(const cn_cursor *c, const char *at)
{
    at++;
    while (at < c->end && is_blank(*at)) {
        at++;
    }
    return at < c->end && *at == '\n';
}

const char *cn_cursor_word_in_line(cn_cursor *c)
{
    for (;;) {
        while (c->at < c->end && is_blank(*c->at)) {
            c->at++;
        }
        if (c->at >= c->end || *c->at != '\\' || !is_continued(c, c->at)) {
            return take_word(c);
        }
        cn_cursor_skip_line(c);
    }
}

void cn_cursor_skip_line(cn_cursor *c)
{
    const char *stop = memchr(c->at, '\n', (size_t)(c->end - c->at));
    c->line += stop != NULL ? 1 : 0;
    c->at = stop != NULL ? stop + 1 : c->end;
}

void cn_cursor_rest(cn_cursor *c, const char **text, size_t *length)
{
    const char *begin = c->at;
    const char *stop = memchr(begin, '\n', (size_t)(c->end - begin));
    const char *end = stop != NULL ? stop : c->end;
    while (begin < end && is_blank(*begin)) {
        begin++;
    }
    while (end > begin && is_blank(end[-1])) {
        end--;
    }
    *text = begin;
    *length = (size_t)(end - begin);
    cn_cursor_skip_line(c);
}

// A word as it may be shown in a message: cut, and without control characters.
static const char *shown(cn_cursor *c)
{
    enum { SHOWN_MAX = 40 };
    if (c->word[0] == '\0') {
        return "the end";
    }
    for (char *at = c->word; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || (unsigned char)*at >= 0x7f) {
            *at = '?';
        }
        if (at - c->word == SHOWN_MAX) {
            *at = '\0';
            break;
        }
    }
    return c->word;
}

cn_status cn_cursor_as_number(cn_cursor *c, const char *what, double *number)
{
    char *end;
    *number = strtod(c->word, &end);
    if (end == c->word || *end != '\0') {
        return cn_cursor_fail(c, "%s should be a number, found '%s'", what, shown(c));
    }
    if (!isfinite(*number)) {
        return cn_cursor_fail(c, "%s is not finite: '%s'", what, shown(c));
    }
    return CN_OK;
}

cn_status cn_cursor_as_integer(cn_cursor *c, const char *what, int64_t *integer)
{
    char *end;
    errno = 0;
    *integer = strtoll(c->word, &end, 10);
    if (end == c->word || *end != '\0' || errno != 0) {
        return cn_cursor_fail(c, "%s should be a whole number, found '%s'", what, shown(c));
    }
    return CN_OK;
}

cn_status cn_cursor_number(cn_cursor *c, const char *what, double *number)
{
    cn_cursor_word(c);
    return cn_cursor_as_number(c, what, number);
}

cn_status cn_cursor_integer(cn_cursor *c, const char *what, int64_t *integer)
{
    cn_cursor_word(c);
    return cn_cursor_as_integer(c, what, integer);
}

cn_status cn_cursor_bytes(cn_cursor *c, size_t count, const char *what, const char **bytes)
{
    size_t left = (size_t)(c->end - c->at);
    if (count > left) {
        return cn_cursor_fail(c, "the file ends within %s: %zu bytes are needed, %zu are left",
                              what, count, left);
    }
    *bytes = c->at;
    c->at += count;
    return CN_OK;
}

void cn_cursor_set_order(cn_cursor *c, bool is_little_endian)
{
    const uint16_t one = 1;
    char first;
    memcpy(&first, &one, 1);
    c->is_swapped = is_little_endian != (first == 1);
}

uint16_t cn_cursor_u16(const cn_cursor *c, const char *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return c->is_swapped ? __builtin_bswap16(value) : value;
}

uint32_t cn_cursor_u32(const cn_cursor *c, const char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return c->is_swapped ? __builtin_bswap32(value) : value;
}

uint64_t cn_cursor_u64(const cn_cursor *c, const char *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return c->is_swapped ? __builtin_bswap64(value) : value;
}
