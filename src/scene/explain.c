// scene/explain.c -- the scene with everything that was left unsaid, as YAML that reads back the
// same.
//
// The value tree is written as it is: one key per line with unit and "default" as a comment, short
// inner maps in one line.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/language/text_lines.h"
#include "scene/language/value.h"
#include "scene/model.h"

enum { LINE_MOST = 88 };

static bool is_whole_list(const cn_value *value)
{
    char word[64];
    return !cn_choice_at(value->key->choices, value->count, word);
}

static void write_flow(cn_writing *w, const cn_value *value);

static void write_items(cn_writing *w, const cn_value *value)
{
    bool is_map = value->kind == CN_VALUE_MAP;
    cn_write(w, is_map ? "{" : "[");
    for (int k = 0; k < value->count; k++) {
        cn_write(w, k > 0 ? ", " : "");
        if (is_map) {
            cn_write_scalar(w, value->name[k], false);
            cn_write(w, ": ");
        }
        write_flow(w, value->item[k]);
    }
    cn_write(w, is_map ? "}" : "]");
}

static void write_flow(cn_writing *w, const cn_value *value)
{
    bool is_words = value->key != NULL && value->key->type == CN_TYPE_WORDS;
    if (value->kind == CN_VALUE_NUMBER) {
        cn_write_number(w, value->number);
    } else if (value->kind == CN_VALUE_FLAG) {
        cn_write(w, "%s", value->number != 0.0 ? "true" : "false");
    } else if (value->kind == CN_VALUE_TEXT) {
        cn_write_scalar(w, value->text, false);
    } else if (value->kind == CN_VALUE_LIST && is_words &&
               (value->count == 0 || is_whole_list(value))) {
        cn_write(w, "%s", value->count == 0 ? "false" : "true");
    } else {
        write_items(w, value);
    }
}

// Length of the one-line form, or more than LINE_MOST.
static void ignore(void *context, const char *line)
{
    *(size_t *)context += strlen(line);
}

static size_t flow_length(const cn_value *value)
{
    size_t length = 0;
    cn_writing w = {.told = ignore, .context = &length};
    write_flow(&w, value);
    return cn_write_end(&w, NULL) == CN_OK ? length : LINE_MOST + 1;
}

static void write_comment(cn_writing *w, const cn_value *value)
{
    const char *unit = value->key != NULL ? cn_key_unit(value->key) : "";
    bool has_unit = unit[0] != '\0';
    bool is_plain = value->kind != CN_VALUE_MAP;
    if (is_plain && (has_unit || value->is_default)) {
        cn_write(w, "  # %s%s%s", unit, has_unit && value->is_default ? ", " : "",
                 value->is_default ? "default" : "");
    }
}

static void write_block(cn_writing *w, const cn_value *value, int indent, bool is_after_dash);

// Inner maps that fit go in one line; units of single values are worth a line of their own.
static bool takes_block(const cn_value *value, int indent)
{
    bool has_maps =
        value->kind == CN_VALUE_LIST && value->count > 0 && value->item[0]->kind == CN_VALUE_MAP;
    if (value->kind != CN_VALUE_MAP && !has_maps) {
        return false;
    }
    bool is_shallow = indent <= 2;
    return value->count > 0 && (is_shallow || flow_length(value) + (size_t)indent > LINE_MOST);
}

static void write_list(cn_writing *w, const cn_value *list, int indent)
{
    for (int k = 0; k < list->count; k++) {
        cn_write(w, "%*s- ", indent, "");
        if (takes_block(list->item[k], indent + 2)) {
            write_block(w, list->item[k], indent + 2, true);
        } else {
            write_flow(w, list->item[k]);
            cn_write(w, "\n");
        }
    }
}

static void write_block(cn_writing *w, const cn_value *value, int indent, bool is_after_dash)
{
    if (value->kind == CN_VALUE_LIST) {
        write_list(w, value, indent);
        return;
    }
    for (int k = 0; k < value->count; k++) {
        const cn_value *item = value->item[k];
        cn_write(w, "%*s", is_after_dash && k == 0 ? 0 : indent, "");
        cn_write_scalar(w, value->name[k], false);
        if (takes_block(item, indent + 2)) {
            cn_write(w, ":\n");
            write_block(w, item, indent + 2, false);
        } else {
            cn_write(w, ": ");
            write_flow(w, item);
            write_comment(w, item);
            cn_write(w, "\n");
        }
    }
}

cn_status cn_scene_explain(const cn_scene *scene, cn_tell *told, void *context, cn_error *err)
{
    CN_NEED(err, scene);
    cn_writing w = {.told = told, .context = context};
    cn_plain_locale locale;
    if (!cn_plain_begin(&locale)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory to explain '%s'", scene->name);
    }
    write_block(&w, scene->value, 0, false);
    cn_status status = cn_write_end(&w, err);
    cn_plain_end(&locale);
    return status;
}
