// scene/language/text_lines.c
#include "scene/language/text_lines.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/language/expr.h"

// Tells the lines that end after the first `known` bytes, which hold no end of a line: a line may
// be as long as a file, and is not looked at again with every word.
static void tell_lines(cn_writing *w, size_t known)
{
    char *begin = w->line, *end = w->line + w->length;
    char *stop = memchr(begin + known, '\n', w->length - known);
    if (stop == NULL) {
        return;
    }
    while (stop != NULL) {
        *stop = '\0';
        if (w->told != NULL) {
            w->told(w->context, begin);
        }
        begin = stop + 1;
        stop = memchr(begin, '\n', (size_t)(end - begin));
    }
    w->length = (size_t)(end - begin);
    memmove(w->line, begin, w->length);
}

void cn_write(cn_writing *w, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t need = w->length + (size_t)(length < 0 ? 0 : length) + 1;
    if (w->status == CN_OK) {
        w->status = cn_reserve(NULL, &w->line, &w->capacity, need, NULL);
    }
    if (w->status == CN_OK) {
        vsnprintf(w->line + w->length, w->capacity - w->length, format, again);
        size_t known = w->length;
        w->length = need - 1;
        tell_lines(w, known);
    }
    va_end(again);
}

// Escapes that JSON and YAML share.
static void write_quoted(cn_writing *w, const char *text)
{
    cn_write(w, "\"");
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\') {
            cn_write(w, "\\%c", c);
        } else if (c == '\n') {
            cn_write(w, "\\n");
        } else if (c == '\t') {
            cn_write(w, "\\t");
        } else if (c < 0x20 || c == 0x7f) {
            cn_write(w, "\\u%04x", c);
        } else {
            cn_write(w, "%c", c);
        }
    }
    cn_write(w, "\"");
}

void cn_write_json(cn_writing *w, const char *text)
{
    write_quoted(w, text);
}

// Letters, digits and marks that never need quotes, not even inside [] and {}.
static bool is_safe(const char *text)
{
    if (!isalnum((unsigned char)text[0]) && strchr("+-._/", text[0]) == NULL) {
        return false;
    }
    for (const char *at = text; *at != '\0'; at++) {
        bool is_mark = strchr("+-._/", *at) != NULL;
        bool is_inner_blank = *at == ' ' && at[1] != '\0' && at[1] != ' ';
        if (!isalnum((unsigned char)*at) && !is_mark && !is_inner_blank) {
            return false;
        }
    }
    return strcmp(text, "-") != 0 && strncmp(text, "- ", 2) != 0 && strncmp(text, "--", 2) != 0 &&
           strncmp(text, "...", 3) != 0;
}

// Text that a reader would take for a number, a flag or nothing.
static bool looks_special(const char *text)
{
    static const char *const words[] = {"true", "false", "null", "yes", "no",
                                        "on",   "off",   "y",    "n"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strcasecmp(text, words[k]) == 0) {
            return true;
        }
    }
    return cn_number_is_meant(text) || text[0] == '.' || text[0] == '=';
}

void cn_write_scalar(cn_writing *w, const char *text, bool is_plain)
{
    if (text[0] != '\0' && is_safe(text) && (is_plain || !looks_special(text))) {
        cn_write(w, "%s", text);
    } else {
        write_quoted(w, text);
    }
}

void cn_write_number(cn_writing *w, double number)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    cn_write(w, "%s", text);
}

static void write_scalar(cn_writing *w, const cn_node *node)
{
    cn_write_scalar(w, node->text, node->is_plain);
}

void cn_write_tree(cn_writing *w, const cn_node *node, void (*write)(cn_writing *, const cn_node *))
{
    if (node->kind == CN_NODE_SCALAR) {
        write(w, node);
        return;
    }
    bool is_map = node->kind == CN_NODE_MAP;
    cn_write(w, is_map ? "{" : "[");
    for (int k = 0; k < node->count; k++) {
        cn_write(w, k > 0 ? ", " : "");
        if (is_map) {
            write(w, node->key[k]);
            cn_write(w, ": ");
        }
        cn_write_tree(w, node->item[k], write);
    }
    cn_write(w, is_map ? "}" : "]");
}

void cn_write_nodes(cn_writing *w, const cn_node *root)
{
    for (int k = 0; k < root->count; k++) {
        cn_write_scalar(w, root->key[k]->text, true);
        cn_write(w, ": ");
        cn_write_tree(w, root->item[k], write_scalar);
        cn_write(w, "\n");
    }
}

cn_status cn_write_end(cn_writing *w, cn_error *err)
{
    if (w->status == CN_OK && w->length > 0) {
        cn_write(w, "\n");
    }
    free(w->line);
    return w->status == CN_OK ? CN_OK : cn_fail(err, w->status, "out of memory for a line of text");
}
