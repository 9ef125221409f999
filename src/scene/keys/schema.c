// scene/keys/schema.c -- the table of keys as JSON Schema, for editors.
//
// Numbers are also accepted as strings: expressions, what YAML 1.1 readers take for strings (1e-3
// without a dot), and, where the key has a unit, numbers with a unit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/scene.h"
#include "scene/keys/sections.h"
#include "scene/language/text_lines.h"

typedef struct schema {
    cn_writing w;
    cn_section_list list; // those that are not made are written once, under $defs
    cn_arena *arena;
    cn_error *err;
    cn_status status;
} schema;

static void write_type(schema *s, const cn_key *key);
static void write_object(schema *s, const cn_section *section, bool is_one);

static void write_choices(schema *s, const char *choices)
{
    char word[64];
    cn_write(&s->w, "{\"enum\": [");
    for (int k = 0; cn_choice_at(choices, k, word); k++) {
        cn_write(&s->w, k > 0 ? ", " : "");
        cn_write_json(&s->w, word);
    }
    cn_write(&s->w, "]}");
}

static void write_number(schema *s, const cn_key *key, const char *type)
{
    bool has_range = key->least != 0.0 || key->most != 0.0;
    cn_write(&s->w, "{\"anyOf\": [{\"type\": \"%s\"", type);
    if (has_range && isfinite(key->least)) {
        cn_write(&s->w, ", \"%s\": ", key->is_open ? "exclusiveMinimum" : "minimum");
        cn_write_number(&s->w, key->least);
    }
    if (has_range && isfinite(key->most)) {
        cn_write(&s->w, ", \"maximum\": ");
        cn_write_number(&s->w, key->most);
    }
    cn_write(&s->w, "}, {\"$ref\": \"#/$defs/%s\"}",
             key->unit != NULL ? "quantity_text" : "number_text");
    if (key->choices != NULL) {
        cn_write(&s->w, ", ");
        write_choices(s, key->choices);
    }
    cn_write(&s->w, "]}");
}

static void write_list(schema *s, const cn_key *key, double least, double most)
{
    cn_write(&s->w, "{\"type\": \"array\", \"items\": ");
    cn_key item = *key;
    item.choices = NULL;
    write_number(s, &item, "number");
    if (least > 0.0) {
        cn_write(&s->w, ", \"minItems\": %g", least);
    }
    if (isfinite(most)) {
        cn_write(&s->w, ", \"maxItems\": %g", most);
    }
    cn_write(&s->w, "}");
}

// Points of keys for both dimensions have two or three numbers.
static void write_numbers(schema *s, const cn_key *key)
{
    bool is_point = key->type == CN_TYPE_POINT || key->type == CN_TYPE_POINTS;
    write_list(s, key, is_point && key->dim == 3 ? 3.0 : 2.0,
               is_point && key->dim != 2 ? 3.0 : 2.0);
}

static void write_point(schema *s, const cn_key *key)
{
    bool has_more = key->choices != NULL || key->type == CN_TYPE_RANGE;
    cn_write(&s->w, has_more ? "{\"anyOf\": [" : "");
    write_numbers(s, key);
    if (key->choices != NULL) {
        cn_write(&s->w, ", ");
        write_choices(s, key->choices);
    }
    if (key->type == CN_TYPE_RANGE) {
        cn_write(&s->w, ", ");
        write_number(s, key, "number");
    }
    cn_write(&s->w, has_more ? "]}" : "");
}

static void write_texts(schema *s, const cn_key *key)
{
    cn_write(&s->w, "{\"anyOf\": [");
    if (key->least <= 1.0) {
        cn_write(&s->w, "{\"type\": \"string\"}, ");
    }
    cn_write(&s->w, "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": %g",
             key->least);
    if (isfinite(key->most)) {
        cn_write(&s->w, ", \"maxItems\": %g", key->most);
    }
    cn_write(&s->w, "}]}");
}

static void write_words(schema *s, const cn_key *key)
{
    cn_write(&s->w, "{\"anyOf\": [{\"type\": \"boolean\"}, ");
    write_choices(s, key->choices);
    cn_write(&s->w, ", {\"type\": \"array\", \"items\": ");
    write_choices(s, key->choices);
    cn_write(&s->w, "}]}");
}

static void write_plain(schema *s, const cn_key *key)
{
    switch (key->type) {
    case CN_TYPE_NUMBER:
        write_number(s, key, "number");
        break;
    case CN_TYPE_INTEGER:
        write_number(s, key, "integer");
        break;
    case CN_TYPE_FLAG:
        cn_write(&s->w, "{\"type\": \"boolean\"}");
        break;
    case CN_TYPE_TEXT:
        cn_write(&s->w, "{\"type\": [\"string\", \"number\"]}");
        break;
    case CN_TYPE_WORD:
        write_choices(s, key->choices);
        break;
    case CN_TYPE_WORDS:
        write_words(s, key);
        break;
    case CN_TYPE_TEXTS:
        write_texts(s, key);
        break;
    case CN_TYPE_POINT:
    case CN_TYPE_PAIR:
    case CN_TYPE_RANGE:
        write_point(s, key);
        break;
    case CN_TYPE_POINTS:
    case CN_TYPE_PAIRS:
        cn_write(&s->w, "{\"type\": \"array\", \"items\": ");
        write_numbers(s, key);
        cn_write(&s->w, "}");
        break;
    case CN_TYPE_NUMBERS:
        write_list(s, key, 0.0, INFINITY);
        break;
    default:
        cn_write(&s->w, "false");
        break;
    }
}

// The forms that a section may take besides a map.
static void write_short_forms(schema *s, const cn_section *section, bool takes_words)
{
    const char *names[] = {section->short_scalar, section->short_list};
    bool is_same = names[0] != NULL && names[1] != NULL && strcmp(names[0], names[1]) == 0;
    for (int k = 0; k < (is_same ? 1 : 2); k++) {
        const cn_key *key = names[k] != NULL ? cn_section_find(section, names[k], 0) : NULL;
        if (key != NULL && key->section != NULL) { // its map would have to be written out
            write_short_forms(s, key->section, key->type == CN_TYPE_ONE || key->section->has_words);
        } else if (key != NULL) {
            cn_write(&s->w, ", ");
            write_type(s, key);
        }
    }
    if (!takes_words) {
        return;
    }
    cn_write(&s->w, ", {\"enum\": [");
    for (int k = 0; k < section->count; k++) {
        cn_write(&s->w, k > 0 ? ", " : "");
        cn_write_json(&s->w, section->key[k].name);
    }
    cn_write(&s->w, "]}");
}

// A section with its short forms.
static void write_section(schema *s, const cn_section *section, bool is_one)
{
    cn_write(&s->w, "{\"description\": ");
    cn_write_json(&s->w, section->help);
    cn_write(&s->w, ", \"anyOf\": [");
    write_object(s, section, is_one);
    write_short_forms(s, section, is_one || section->has_words);
    cn_write(&s->w, "]}");
}

static void write_laws(schema *s)
{
    cn_write(&s->w, "{\"anyOf\": [");
    for (int k = 0; k < cn_law_type_count(); k++) {
        const cn_section *law = cn_section_law(cn_law_type_at(k), s->arena, s->err);
        if (law == NULL) {
            s->status = CN_NO_MEMORY;
            return;
        }
        cn_write(&s->w, k > 0 ? ",\n      " : "");
        cn_write(&s->w, "{\"allOf\": [{\"properties\": {\"type\": {\"const\": \"%s\"}}},\n      ",
                 law->name);
        write_object(s, law, false);
        cn_write(&s->w, "]}");
    }
    cn_write(&s->w, "]}");
}

static bool is_shared(const schema *s, const cn_section *section)
{
    for (size_t k = 0; k < s->list.count; k++) {
        if (s->list.item[k].section == section) {
            return !s->list.item[k].is_made;
        }
    }
    return false;
}

static void write_table(schema *s, const cn_key *key)
{
    const cn_section *section = cn_key_section(key, s->arena, s->err);
    if (section == NULL) {
        s->status = CN_NO_MEMORY;
        return;
    }
    write_section(s, section, key->type == CN_TYPE_GENERATOR);
}

static void write_type(schema *s, const cn_key *key)
{
    switch (key->type) {
    case CN_TYPE_LIST:
        cn_write(&s->w, "{\"anyOf\": [{\"type\": \"array\", \"items\": ");
        write_type(s, key->item);
        cn_write(&s->w, "}, ");
        write_type(s, key->item);
        cn_write(&s->w, "]}");
        break;
    case CN_TYPE_NAMED:
        cn_write(&s->w, "{\"type\": \"object\", \"additionalProperties\": ");
        write_type(s, key->item);
        cn_write(&s->w, "}");
        break;
    case CN_TYPE_LAW:
        write_laws(s);
        break;
    case CN_TYPE_GENERATOR:
    case CN_TYPE_OBSERVER:
        write_table(s, key);
        break;
    case CN_TYPE_MAP:
    case CN_TYPE_ONE:
        if (is_shared(s, key->section)) {
            cn_write(&s->w, "{\"$ref\": \"#/$defs/%s\"}", key->section->name);
        } else {
            write_section(s, key->section, key->type == CN_TYPE_ONE);
        }
        break;
    default:
        write_plain(s, key);
        break;
    }
}

static void write_default(schema *s, const cn_key *key)
{
    bool is_number = key->type == CN_TYPE_NUMBER || key->type == CN_TYPE_INTEGER;
    if (key->fallback == NULL || key->fallback[0] == '\0') {
        return;
    }
    if (key->type == CN_TYPE_WORD || key->type == CN_TYPE_TEXT ||
        (is_number && cn_choice_find(key->choices, key->fallback) >= 0)) {
        cn_write(&s->w, ", \"default\": ");
        cn_write_json(&s->w, key->fallback);
    } else if (is_number) {
        cn_write(&s->w, ", \"default\": ");
        cn_write_number(&s->w, strtod(key->fallback, NULL));
    } else if (key->type == CN_TYPE_FLAG) {
        cn_write(&s->w, ", \"default\": %s", key->fallback);
    }
}

// The key of the same name for the other dimension, NULL if there is none.
static const cn_key *find_twin(const cn_section *section, const cn_key *key)
{
    const cn_key *twin = key->dim == 0 ? NULL : cn_section_find(section, key->name, 5 - key->dim);
    return twin == key ? NULL : twin;
}

// A key with its twin: either form is accepted.
static void write_property(schema *s, const cn_key *key, const cn_key *twin)
{
    cn_write_json(&s->w, key->name);
    char text[600];
    const char *unit = cn_key_unit(key);
    bool has_unit = unit[0] != '\0';
    snprintf(text, sizeof text, "%s%s%s%s", key->help, has_unit ? " [" : "", unit,
             has_unit ? "]" : "");
    cn_write(&s->w, ": {\"description\": ");
    cn_write_json(&s->w, text);
    if (twin == NULL) {
        write_default(s, key);
    }
    cn_write(&s->w, ", \"%s\": [", twin == NULL ? "allOf" : "anyOf");
    write_type(s, key);
    if (twin != NULL) {
        cn_write(&s->w, ",\n      ");
        write_type(s, twin);
    }
    cn_write(&s->w, "]}");
}

// A key for one dimension of a section for both may be left out in the other.
static bool may_be_left_out(const cn_section *section, const cn_key *key, const cn_key *twin)
{
    bool is_mixed = false;
    for (int k = 0; k < section->count && key->dim != 0 && twin == NULL; k++) {
        is_mixed = is_mixed || section->key[k].dim != key->dim;
    }
    return is_mixed || key->fallback != NULL || (twin != NULL && twin->fallback != NULL);
}

static void write_required(schema *s, const cn_section *section)
{
    int count = 0;
    for (int k = 0; k < section->count; k++) {
        const cn_key *key = &section->key[k], *twin = find_twin(section, key);
        bool is_required = !may_be_left_out(section, key, twin);
        if (is_required && (twin == NULL || twin > key)) {
            cn_write(&s->w, count++ == 0 ? ",\n  \"required\": [" : ", ");
            cn_write_json(&s->w, key->name);
        }
    }
    cn_write(&s->w, count > 0 ? "]" : "");
}

static void write_object(schema *s, const cn_section *section, bool is_one)
{
    cn_write(&s->w, "{\"type\": \"object\", \"additionalProperties\": false");
    if (is_one) {
        cn_write(&s->w, ", \"minProperties\": 1, \"maxProperties\": 1");
    } else {
        write_required(s, section);
    }
    cn_write(&s->w, ",\n  \"properties\": {");
    for (int k = 0; k < section->count; k++) {
        const cn_key *key = &section->key[k];
        const cn_key *twin = find_twin(section, key);
        if (twin != NULL && twin < key) {
            continue;
        }
        cn_write(&s->w, k > 0 ? ",\n    " : "\n    ");
        write_property(s, key, twin);
    }
    cn_write(&s->w, "}}");
}

// A number as a string, and what may follow its digits.
static void write_text_number(schema *s, const char *name, const char *help, const char *after)
{
    cn_write(&s->w, "\"%s\": {\"type\": \"string\", \"description\": ", name);
    cn_write_json(&s->w, help);
    cn_write(&s->w,
             ", \"pattern\": "
             "\"^(=.+|[-+]?([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)([eE][-+]?[0-9]+)?%s)$\"}",
             after);
}

static void write_schema(schema *s)
{
    cn_write(&s->w, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                    "\"$id\": \"urn:cairn:scene:1\",\n");
    cn_write(&s->w, "\"title\": \"cairn scene\",\n\"allOf\": [");
    write_object(s, cn_section_scene(), false);
    cn_write(&s->w, "],\n\"$defs\": {\n");
    write_text_number(s, "number_text", "an expression such as =2*R, or a number like 1e-3", "");
    cn_write(&s->w, ",\n");
    write_text_number(s, "quantity_text",
                      "an expression such as =2*R, a number like 1e-3, or one with a unit: 10 mm",
                      "( *[^ -?].*)?");
    for (size_t k = 1; k < s->list.count && s->status == CN_OK; k++) {
        const cn_section_item *item = &s->list.item[k];
        if (!item->is_made) {
            cn_write(&s->w, ",\n\"%s\": ", item->section->name);
            write_section(s, item->section, item->is_one);
        }
    }
    cn_write(&s->w, "}}\n");
}

cn_status cn_scene_schema(cn_tell *told, void *context, cn_error *err)
{
    cn_arena arena = {0};
    schema s = {.w = {.told = told, .context = context}, .arena = &arena, .err = err};
    cn_plain_locale locale;
    if (!cn_plain_begin(&locale)) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory to describe the scene language");
    }
    s.status = cn_sections_collect(&arena, &s.list, err);
    if (s.status == CN_OK) {
        write_schema(&s);
    }
    cn_status written = cn_write_end(&s.w, err);
    free(s.list.item);
    cn_arena_free(&arena);
    cn_plain_end(&locale);
    return s.status != CN_OK ? s.status : written;
}
