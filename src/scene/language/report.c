// scene/language/report.c
#include "scene/language/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/read_file.h"
#include "scene/language/arena.h"

enum { LINE_WIDTH = 100, LINE_BEFORE = 60 };

// Bytes that continue a UTF-8 character do not take a column.
static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0u) == 0x80u;
}

static const char *find_line(const cn_source *source, int line, size_t *length)
{
    const char *at = source->text, *end = source->text + source->length;
    for (int k = 1; k < line && at != NULL; k++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at == NULL ? NULL : at + 1;
    }
    if (at == NULL || at >= end) {
        return NULL;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *length = (size_t)((stop == NULL ? end : stop) - at);
    return at;
}

// Tells the line and a caret below its column; a long line is cut so that the column stays in view.
static void show_line(cn_report *report, cn_place at)
{
    size_t length = 0;
    const char *line = find_line(at.source, at.line, &length);
    if (line == NULL) {
        return;
    }
    int first = at.column > LINE_BEFORE + LINE_WIDTH / 4 ? at.column - LINE_BEFORE : 1;
    char text[4 * LINE_WIDTH + 8], caret[LINE_WIDTH + 8];
    size_t text_length = 0, caret_length = 0;
    int column = 0;
    for (size_t k = 0; k < length && column - first + 1 <= LINE_WIDTH; k++) {
        column += is_continuation(line[k]) ? 0 : 1;
        if (column < first || text_length + 2 > sizeof text) {
            continue;
        }
        bool is_plain = line[k] == '\t' || (unsigned char)line[k] >= 0x20;
        text[text_length++] = is_plain ? line[k] : ' ';
        if (!is_continuation(line[k]) && column < at.column) {
            caret[caret_length++] = line[k] == '\t' ? '\t' : ' ';
        }
    }
    text[text_length] = '\0';
    caret[caret_length] = '^';
    caret[caret_length + 1] = '\0';
    char shown[sizeof text + 4];
    snprintf(shown, sizeof shown, "  %s", text);
    report->told(report->context, shown);
    snprintf(shown, sizeof shown, "  %s", caret);
    report->told(report->context, shown);
}

static void tell(cn_report *report, cn_place at, const char *line)
{
    if (report->told != NULL) {
        report->told(report->context, line);
        if (at.line > 0 && at.source != NULL) {
            show_line(report, at);
        }
    }
}

static void write_place(cn_place at, const char *what, const char *sentence, char *line,
                        size_t size)
{
    const char *name = at.source == NULL ? "scene" : at.source->name;
    if (at.line > 0) {
        snprintf(line, size, "%s:%d:%d: %s%s", name, at.line, at.column, what, sentence);
    } else {
        snprintf(line, size, "%s: %s%s", name, what, sentence);
    }
}

void cn_complain(cn_report *report, cn_place at, const char *format, ...)
{
    char sentence[1024], line[1600];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (report->count == 0) {
        char first[1600];
        write_place(at, "", sentence, first, sizeof first);
        snprintf(report->first, sizeof report->first, "%.*s", (int)sizeof report->first - 1, first);
    }
    report->count++;
    if (report->count <= CN_REPORT_MAX) {
        write_place(at, "error: ", sentence, line, sizeof line);
        tell(report, at, line);
    }
}

void cn_remark(cn_report *report, cn_place at, const char *format, ...)
{
    char sentence[1024], line[1600];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    write_place(at, "note: ", sentence, line, sizeof line);
    tell(report, at, line);
}

cn_status cn_report_status(const cn_report *report, const char *name, cn_error *err)
{
    if (report->count == 0) {
        return CN_OK;
    }
    if (report->count > CN_REPORT_MAX && report->told != NULL) {
        char line[300];
        snprintf(line, sizeof line, "%.200s: %d more errors are not shown", name,
                 report->count - CN_REPORT_MAX);
        report->told(report->context, line);
    }
    cn_status status = report->io_count == report->count ? CN_IO : CN_BAD_INPUT;
    if (report->count == 1) {
        return cn_fail(err, status, "%s", report->first);
    }
    return cn_fail(err, status, "%s has %d errors, the first is %s", name, report->count,
                   report->first);
}

cn_status cn_file_read(const char *path, size_t most, cn_arena *arena, const char **text,
                       size_t *length, cn_error *err)
{
    char *bytes = NULL;
    CN_TRY(cn_file_bytes(path, most, &bytes, length, err));
    *text = cn_arena_text(arena, bytes, *length, err);
    free(bytes);
    return *text == NULL ? CN_NO_MEMORY : CN_OK;
}
