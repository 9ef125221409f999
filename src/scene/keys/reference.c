// scene/keys/reference.c -- the table of keys as a reference page in Markdown.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/scene.h"
#include "scene/keys/sections.h"
#include "scene/language/text_lines.h"

static const char *type_words(const cn_key *key)
{
    static const char *const words[] = {
        [CN_TYPE_NUMBER] = "number",
        [CN_TYPE_INTEGER] = "whole number",
        [CN_TYPE_FLAG] = "true or false",
        [CN_TYPE_TEXT] = "text",
        [CN_TYPE_WORD] = "word",
        [CN_TYPE_WORDS] = "true, false or a list",
        [CN_TYPE_TEXTS] = "list of names",
        [CN_TYPE_POINT] = "[x, y] or [x, y, z]",
        [CN_TYPE_PAIR] = "[a, b]",
        [CN_TYPE_RANGE] = "[least, most] or a number",
        [CN_TYPE_POINTS] = "[[x, y], ...]",
        [CN_TYPE_PAIRS] = "[[a, b], ...]",
        [CN_TYPE_NUMBERS] = "[a, b, ...]",
        [CN_TYPE_LIST] = "list of",
        [CN_TYPE_NAMED] = "map from names to",
        [CN_TYPE_GENERATOR] = NULL,
        [CN_TYPE_OBSERVER] = NULL,
    };
    if (key->type == CN_TYPE_POINT && key->dim != 0) {
        return key->dim == 2 ? "[x, y]" : "[x, y, z]";
    }
    if (key->type == CN_TYPE_POINTS && key->dim == 3) {
        return "[[x, y, z], ...]";
    }
    return words[key->type] != NULL ? words[key->type] : "";
}

// Words of the value column: its type, what it holds, its choices.
static void write_type(cn_writing *w, const cn_key *key)
{
    const cn_key *inner = cn_key_inner(key);
    cn_write(w, "%s", type_words(key));
    if (inner != key) {
        cn_write(w, " ");
    }
    if (inner->type == CN_TYPE_MAP || inner->type == CN_TYPE_ONE) {
        cn_write(w, "%s`%s`", inner->type == CN_TYPE_ONE ? "one " : "", inner->section->name);
    } else if (inner->type == CN_TYPE_LAW) {
        cn_write(w, "`law`");
    } else if (inner->type == CN_TYPE_GENERATOR) {
        cn_write(w, "one generator");
    } else if (inner->type == CN_TYPE_OBSERVER) {
        cn_write(w, "`observer`");
    } else if (inner != key) {
        cn_write(w, "%s", type_words(inner));
    }
    char word[64];
    for (int k = 0; cn_choice_at(inner->choices, k, word); k++) {
        cn_write(w, "%s`%s`", k > 0 ? ", " : inner->type == CN_TYPE_WORD ? ": " : " or ", word);
    }
}

static void write_range(cn_writing *w, const cn_key *key)
{
    bool is_number = key->type == CN_TYPE_NUMBER || key->type == CN_TYPE_INTEGER ||
                     key->type == CN_TYPE_POINT || key->type == CN_TYPE_PAIR ||
                     key->type == CN_TYPE_RANGE || key->type == CN_TYPE_NUMBERS;
    if (!is_number || (key->least == 0.0 && key->most == 0.0)) {
        return;
    }
    if (isinf(key->most)) {
        cn_write(w, ", %s %g", key->is_open ? ">" : ">=", key->least);
    } else {
        cn_write(w, ", %g to %g", key->least, key->most);
    }
}

// Default of a point: its numbers, or one for all of them.
static void write_point(cn_writing *w, const char *fallback)
{
    char word[64];
    bool is_one = strchr(fallback, ' ') == NULL;
    cn_write(w, "`[");
    for (int k = 0; cn_choice_at(fallback, k, word); k++) {
        cn_write(w, k > 0 ? ", %s" : "%s", word);
    }
    cn_write(w, is_one ? ", ...]`" : "]`");
}

static void write_default(cn_writing *w, const cn_key *key)
{
    if (key->fallback != NULL && key->fallback[0] == '\0') {
        cn_write(w, "-");
    } else if (key->fallback == NULL) {
        cn_write(w, "**required**");
    } else if (key->type == CN_TYPE_POINT) {
        write_point(w, key->fallback);
    } else {
        cn_write(w, "`%s`", key->fallback);
    }
}

static void write_key(cn_writing *w, const cn_key *key, bool is_one)
{
    cn_write(w, "| `%s` | ", key->name);
    write_type(w, key);
    write_range(w, key);
    cn_write(w, " | %s | ", cn_key_unit(key)[0] != '\0' ? cn_key_unit(key) : "-");
    if (is_one) {
        cn_write(w, "-");
    } else {
        write_default(w, key);
    }
    cn_write(w, " | %s", key->dim == 2 ? "2D: " : key->dim == 3 ? "3D: " : "");
    // A bar would end the cell.
    for (const char *at = key->help; at != NULL && *at != '\0'; at++) {
        cn_write(w, *at == '|' ? "\\|" : "%c", *at);
    }
    cn_write(w, " |\n");
}

// Words of a paragraph in lines of at most 110 columns.
static void write_paragraph(cn_writing *w, const char *text)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column > 0) {
            bool is_full = column + 1 + length > 110;
            cn_write(w, is_full ? "\n" : " ");
            column = is_full ? 0 : column + 1;
        }
        cn_write(w, "%.*s", (int)length, text);
        column += length;
        text += length + strspn(text + length, " ");
    }
}

static void write_section(cn_writing *w, const cn_section_item *item)
{
    const cn_section *section = item->section;
    cn_write(w, "\n## `%s`\n\n", item->path);
    write_paragraph(w, section->help);
    cn_write(w, ".\n");
    if (section->short_scalar != NULL) {
        cn_write(w, "\nShort form: a single value is `%s`.\n", section->short_scalar);
    }
    if (section->short_list != NULL) {
        cn_write(w, "\nShort form: a list is `%s`.\n", section->short_list);
    }
    if (section->count > 0) {
        cn_write(w, "\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    }
    for (int k = 0; k < section->count; k++) {
        write_key(w, &section->key[k], item->is_one);
    }
}

static const char introduction[] =
    "# Scene files: all keys\n"
    "\n"
    "Made from the table that the reader itself uses. A number may be an expression in a string\n"
    "that begins with `=`, such as `\"=2*R*(1+eps)\"`: + - * / ^, parentheses, pi, sqrt, sin,\n"
    "cos, tan, asin, acos, atan, atan2, exp, log, abs, min, max, floor, ceil and the names\n"
    "under `params`. Units are SI, angles in radians; a number may carry its own unit instead:\n"
    "`10 mm`, `3 kPa`, `30deg`, `1.8 t/m3`, in expressions as a factor, `\"=30*deg\"`. A unit of\n"
    "another kind than the one in the table is an error. 2D bodies are 1 m thick.\n"
    "\n"
    "Bodies are selected by name: `any`, an entry or group, `wall.first`, `wall.last`,\n"
    "`wall[3,2]` (course and position from 1, negative from the end), `wall[3]` (a whole\n"
    "course, or body 3 where there is one course only; supports never), several separated by\n"
    "commas. Supports that come with a generator, such as the abutments `arch[2,1]` and\n"
    "`arch[2,2]` of an arch, are `arch.supports`. Blocks of files have names: "
    "`bridge.voussoir_09`,\n"
    "all that match a pattern `bridge[\"arch*\"]`, the 17th of the file `bridge[17]`.\n"
    "\n"
    "`include` adds the keys of other files: names must differ, lines of lists of the including\n"
    "file come first.\n"
    "\n"
    "`dimension: 2` is the plane, x to the right and y up; `dimension: 3` is space, z up. Most\n"
    "keys are the same in both, with vectors of two or three numbers; those of one only are\n"
    "marked 2D or 3D.\n";

cn_status cn_scene_reference(cn_tell *told, void *context, cn_error *err)
{
    cn_arena arena = {0};
    cn_section_list list = {0};
    cn_writing w = {.told = told, .context = context};
    cn_plain_locale locale;
    if (!cn_plain_begin(&locale)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory to describe the scene language");
    }
    cn_status status = cn_sections_collect(&arena, &list, err);
    if (status == CN_OK) {
        cn_write(&w, "%s", introduction);
        for (size_t k = 0; k < list.count; k++) {
            write_section(&w, &list.item[k]);
        }
    }
    cn_status written = cn_write_end(&w, err);
    free(list.item);
    cn_arena_free(&arena);
    cn_plain_end(&locale);
    return status != CN_OK ? status : written;
}
