// scene/language/value.c -- maps, lists and choices; single values are in value_plain.c.
#include "scene/language/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/language/nearest_word.h"

void *cn_reading_take(cn_reading *r, size_t count, size_t size)
{
    void *memory = cn_arena_take(r->arena, count, size, r->err);
    if (memory == NULL) {
        r->status = CN_NO_MEMORY;
    }
    return memory;
}

// Memory of nodes that values do not refer to.
static void *take_nodes(cn_reading *r, size_t count, size_t size)
{
    void *memory = cn_arena_take(r->tree, count, size, r->err);
    if (memory == NULL) {
        r->status = CN_NO_MEMORY;
    }
    return memory;
}

cn_value *cn_value_new(cn_reading *r, cn_value_kind kind, const cn_node *node, const cn_key *key)
{
    cn_value *value = cn_reading_take(r, 1, sizeof *value);
    if (value != NULL) {
        value->kind = kind;
        value->key = key;
        value->at = node->at;
    }
    return value;
}

const cn_value *cn_value_get(const cn_value *map, const char *name)
{
    for (int k = 0; k < map->count; k++) {
        if (strcmp(map->name[k], name) == 0) {
            return map->item[k];
        }
    }
    return NULL;
}

double cn_value_number(const cn_value *map, const char *name)
{
    const cn_value *value = cn_value_get(map, name);
    return value == NULL ? NAN : value->number;
}

const char *cn_value_text(const cn_value *map, const char *name)
{
    const cn_value *value = cn_value_get(map, name);
    return value == NULL ? NULL : value->text;
}

bool cn_value_point(const cn_value *map, const char *name, double point[3])
{
    const cn_value *value = cn_value_get(map, name);
    for (int k = 0; value != NULL && k < value->count && k < 3; k++) {
        point[k] = value->item[k]->number;
    }
    return value != NULL;
}

// A copy of a list with room for one more.
static void *grown(cn_reading *r, const void *list, int count, size_t size)
{
    char *made = cn_reading_take(r, (size_t)count + 1, size);
    if (made != NULL && count > 0) {
        memcpy(made, list, (size_t)count * size);
    }
    return made;
}

// Maps of sections keep their keys in the order of the table.
bool cn_value_put(cn_reading *r, const cn_value *map, const char *name, double number)
{
    const cn_node node = {.at = map->at};
    const cn_section *section = map->key->section;
    const cn_key *key = cn_section_find(section, name, r->dim);
    cn_value *value = cn_value_new(r, CN_VALUE_NUMBER, &node, key), *open = (cn_value *)map;
    const char **names = grown(r, map->name, map->count, sizeof *names);
    cn_place *places = grown(r, map->name_at, map->count, sizeof *places);
    const cn_value **items = grown(r, map->item, map->count, sizeof *items);
    if (value == NULL || names == NULL || places == NULL || items == NULL) {
        return false;
    }
    value->number = number;
    value->is_default = true;
    int k = open->count++;
    for (; k > 0 && cn_section_find(section, names[k - 1], r->dim) > key; k--) {
        names[k] = names[k - 1];
        places[k] = places[k - 1];
        items[k] = items[k - 1];
    }
    names[k] = key->name;
    places[k] = map->at;
    items[k] = value;
    open->name = names;
    open->name_at = places;
    open->item = items;
    return true;
}

static void join_words(const char *const *word, int count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < count && used + 1 < size; k++) {
        int wrote = snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", word[k]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

void cn_complain_unknown(cn_report *report, cn_place at, const char *what, const char *word,
                         const char *where, const char *const *known, int count)
{
    const char *in = where != NULL ? " in " : "";
    const char *place = where != NULL ? where : "";
    const char *nearest = cn_spelling_nearest(word, known, count);
    if (nearest != NULL) {
        cn_complain(report, at, "unknown %s '%.60s'%s%s (did you mean '%s'?)", what, word, in,
                    place, nearest);
    } else if (count == 0) {
        cn_complain(report, at, "unknown %s '%.60s'%s%s (there is none)", what, word, in, place);
    } else {
        char all[400];
        join_words(known, count, all, sizeof all);
        cn_complain(report, at, "unknown %s '%.60s'%s%s (known: %s)", what, word, in, place, all);
    }
}

// Keys of a section that may be used, as words. *count is 0 without memory.
static const char **usable_names(cn_reading *r, const cn_section *section, int *count)
{
    const char **name = cn_reading_take(r, (size_t)section->count, sizeof *name);
    *count = 0;
    for (int k = 0; name != NULL && k < section->count; k++) {
        if (cn_key_is_for(&section->key[k], r->dim)) {
            name[(*count)++] = section->key[k].name;
        }
    }
    return name;
}

static void complain_key(cn_reading *r, const cn_node *at, const cn_section *section)
{
    int count = 0;
    const char **name = usable_names(r, section, &count);
    if (name != NULL) {
        cn_complain_unknown(r->report, at->at, "key", at->text, section->name, name, count);
    }
}

// Whether the name of a key alone says all: a map whose keys all have defaults, or a default.
static bool is_whole_alone(const cn_key *key, int dim)
{
    if (key->type != CN_TYPE_MAP) {
        return key->fallback != NULL && key->fallback[0] != '\0';
    }
    for (int k = 0; k < key->section->count; k++) {
        const cn_key *inner = &key->section->key[k];
        if (inner->fallback == NULL && cn_key_is_for(inner, dim)) {
            return false;
        }
    }
    return true;
}

// A single value or list given in place of a map becomes {key: it}; see cn_section.
static const cn_node *write_out(cn_reading *r, const cn_node *node, const cn_section *section,
                                bool takes_words)
{
    const char *name = node->kind == CN_NODE_LIST ? section->short_list : section->short_scalar;
    bool may_be_word = takes_words && node->kind == CN_NODE_SCALAR && node->is_plain;
    const cn_key *key = may_be_word ? cn_section_find(section, node->text, 0) : NULL;
    bool is_word = key != NULL && (name == NULL || is_whole_alone(key, r->dim));
    if (!is_word && name == NULL) {
        return node;
    }
    cn_node *made = take_nodes(r, 3, sizeof *made);
    const cn_node **part = take_nodes(r, 2, sizeof *part);
    if (made == NULL || part == NULL) {
        return NULL;
    }
    made[1] = (cn_node){.kind = CN_NODE_SCALAR,
                        .is_plain = true,
                        .at = node->at,
                        .text = is_word ? node->text : name};
    made[2] = (cn_node){.kind = CN_NODE_MAP, .at = node->at};
    part[0] = &made[1];
    part[1] = is_word ? &made[2] : node;
    made[0] = (cn_node){
        .kind = CN_NODE_MAP, .at = node->at, .count = 1, .key = &part[0], .item = &part[1]};
    return made;
}

// Default text as a node: words separated by blanks become a list for points and pairs.
static const cn_node *default_node(cn_reading *r, const cn_key *key, cn_place at)
{
    bool is_map = strcmp(key->fallback, "{}") == 0, is_list = strcmp(key->fallback, "[]") == 0;
    int count = key->type == CN_TYPE_POINT ? r->dim : key->type == CN_TYPE_PAIR ? 2 : 0;
    cn_node *made = take_nodes(r, 1 + (size_t)count, sizeof *made);
    const cn_node **item = take_nodes(r, (size_t)count, sizeof *item);
    if (made == NULL || item == NULL) {
        return NULL;
    }
    made[0] = (cn_node){.kind = is_map    ? CN_NODE_MAP
                                : is_list ? CN_NODE_LIST
                                          : CN_NODE_SCALAR,
                        .is_plain = true,
                        .at = at,
                        .text = key->fallback};
    if (count == 0) {
        return made;
    }
    char word[64];
    for (int k = 0; k < count; k++) {
        // One number alone stands for all.
        if (!cn_choice_at(key->fallback, k, word)) {
            cn_choice_at(key->fallback, 0, word);
        }
        made[k + 1] = made[0];
        made[k + 1].text = cn_arena_print(r->arena, r->err, "%s", word);
        item[k] = &made[k + 1];
        if (made[k + 1].text == NULL) {
            r->status = CN_NO_MEMORY;
            return NULL;
        }
    }
    made[0] = (cn_node){.kind = CN_NODE_LIST, .at = at, .count = count, .item = item};
    return made;
}

// Values of keys that are left out again and again: a file may have a hundred thousand bodies.
struct cn_defaults {
    const cn_key *key;
    const cn_value *value;
    struct cn_defaults *next;
};

// A number, a word or a list of such: nobody changes what it holds.
static bool is_plain_value(const cn_value *value)
{
    bool is_plain = value->kind != CN_VALUE_MAP;
    for (int k = 0; value->kind == CN_VALUE_LIST && k < value->count; k++) {
        is_plain = is_plain && value->item[k]->kind <= CN_VALUE_TEXT;
    }
    return is_plain;
}

static void keep_default(cn_reading *r, const cn_key *key, const cn_value *value)
{
    struct cn_defaults *kept = cn_reading_take(r, 1, sizeof *kept);
    if (kept != NULL) {
        *kept = (struct cn_defaults){key, value, r->defaults};
        r->defaults = kept;
    }
}

// The value of a key that is left out, at the place of its map.
static const cn_value *read_default(cn_reading *r, const cn_key *key, cn_place at)
{
    const struct cn_defaults *known = r->defaults;
    while (known != NULL && known->key != key) {
        known = known->next;
    }
    const cn_node *node = known != NULL ? NULL : default_node(r, key, at);
    const cn_value *read = known != NULL  ? known->value
                           : node != NULL ? cn_value_read(r, node, key)
                                          : NULL;
    cn_value *value = read == NULL ? NULL : cn_reading_take(r, 1, sizeof *value);
    if (value == NULL) {
        return NULL;
    }
    *value = *read;
    value->is_default = true;
    value->at = at;
    if (known == NULL && is_plain_value(read)) {
        keep_default(r, key, read);
    }
    return value;
}

static void complain_missing(cn_reading *r, cn_place at, const cn_key *key,
                             const cn_section *section)
{
    const char *unit = cn_key_unit(key);
    bool has_unit = unit[0] != '\0';
    cn_complain(r->report, at, "missing key '%s' in %s: %s%s%s%s", key->name, section->name,
                key->help, has_unit ? " [" : "", unit, has_unit ? "]" : "");
}

// A key of the other dimension: says what to write here.
static void complain_dimension(cn_reading *r, cn_place at, const cn_key *key)
{
    const char *here = r->dim == 3 ? "in space" : "in the plane";
    const char *there = key->dim == 3 ? "in space" : "in the plane";
    if (key->instead != NULL) {
        cn_complain(r->report, at,
                    "'%s' is for scenes %s ('dimension: %d'), this one is %s; write '%s' here",
                    key->name, there, key->dim, here, key->instead);
    } else {
        cn_complain(r->report, at, "'%s' is for scenes %s ('dimension: %d')%s%s", key->name, there,
                    key->dim, key->dim == 2 ? "; it comes later " : ", this one is ", here);
    }
}

// The key that had this name in earlier versions; NULL: none.
static const cn_key *find_former(const cn_section *section, const char *name, int dim)
{
    for (int k = 0; k < section->count; k++) {
        const cn_key *key = &section->key[k];
        if (cn_key_is_for(key, dim) && key->formerly != NULL && strcmp(key->formerly, name) == 0) {
            return key;
        }
    }
    return NULL;
}

// Says once per scene that a key has another name now.
static void note_former(cn_reading *r, cn_place at, const cn_key *key)
{
    int most = (int)(sizeof r->former / sizeof *r->former);
    for (int k = 0; k < r->former_count; k++) {
        if (strcmp(r->former[k]->formerly, key->formerly) == 0) {
            return;
        }
    }
    if (r->former_count < most) {
        r->former[r->former_count++] = key;
        cn_remark(r->report, at, "'%s' is called '%s' now; the old name is read until version 0.4",
                  key->formerly, key->name);
    }
}

// A key by a former name. False if the present one stands beside it.
static bool check_former(cn_reading *r, const cn_node *map, cn_place at, const cn_key *key)
{
    if (cn_node_find(map, key->name) != NULL) {
        cn_complain(r->report, at, "'%s' is the former name of '%s', which is given, too",
                    key->formerly, key->name);
        return false;
    }
    note_former(r, at, key);
    return true;
}

// A name that no key has in this dimension.
static void complain_name(cn_reading *r, const cn_node *name, const cn_section *section)
{
    const cn_key *other = cn_section_find(section, name->text, 0);
    const cn_key *former = find_former(section, name->text, 0);
    if (other != NULL) {
        complain_dimension(r, name->at, other);
    } else if (former != NULL) {
        cn_complain(r->report, name->at, "'%s' was '%s' of scenes %s; write '%s' here, too",
                    name->text, former->name, former->dim == 3 ? "in space" : "in the plane",
                    former->name);
    } else {
        complain_key(r, name, section);
    }
}

// Known keys, in the order of the file, so that problems come in that order.
static bool check_keys(cn_reading *r, const cn_node *node, const cn_section *section)
{
    bool is_good = true;
    for (int k = 0; k < node->count; k++) {
        const cn_node *name = node->key[k];
        const cn_key *former = find_former(section, name->text, r->dim);
        if (cn_section_find(section, name->text, r->dim) != NULL) {
            continue;
        }
        if (former != NULL) {
            is_good = check_former(r, node, name->at, former) && is_good;
        } else {
            complain_name(r, name, section);
            is_good = false;
        }
    }
    return is_good;
}

static cn_place place_of_key(const cn_node *map, const char *name)
{
    for (int k = 0; k < map->count; k++) {
        if (strcmp(map->key[k]->text, name) == 0) {
            return map->key[k]->at;
        }
    }
    return map->at;
}

// A map value with room for `most` items.
static cn_value *new_map(cn_reading *r, const cn_node *node, const cn_key *key, int most,
                         const char ***name, cn_place **name_at, const cn_value ***item)
{
    cn_value *map = cn_value_new(r, CN_VALUE_MAP, node, key);
    *name = cn_reading_take(r, (size_t)most, sizeof **name);
    *name_at = cn_reading_take(r, (size_t)most, sizeof **name_at);
    *item = cn_reading_take(r, (size_t)most, sizeof **item);
    if (map == NULL || *name == NULL || *name_at == NULL || *item == NULL) {
        return NULL;
    }
    map->name = *name;
    map->name_at = *name_at;
    map->item = *item;
    return map;
}

// The node that is given for a key, by its name or a former one; NULL: none.
static const cn_node *find_given(const cn_node *map, const cn_key *key, bool *is_former)
{
    const cn_node *given = cn_node_find(map, key->name);
    *is_former = given == NULL && key->formerly != NULL;
    return *is_former ? cn_node_find(map, key->formerly) : given;
}

// Whether a key has no value at all: it is left out and has no default.
static bool is_absent(const cn_reading *r, const cn_key *key, const cn_node *given)
{
    bool has_none = given == NULL && key->fallback != NULL && key->fallback[0] == '\0';
    return has_none || !cn_key_is_for(key, r->dim);
}

static int count_present(const cn_reading *r, const cn_node *node, const cn_section *section)
{
    int count = 0;
    bool is_former;
    for (int k = 0; k < section->count; k++) {
        const cn_key *key = &section->key[k];
        count += !is_absent(r, key, find_given(node, key, &is_former));
    }
    return count;
}

const cn_value *cn_value_read_section(cn_reading *r, const cn_node *node, const cn_section *section,
                                      const cn_key *owner)
{
    const char **name;
    cn_place *name_at;
    const cn_value **item;
    cn_value *map =
        new_map(r, node, owner, count_present(r, node, section), &name, &name_at, &item);
    if (map == NULL) {
        return NULL;
    }
    bool is_good = check_keys(r, node, section);
    for (int k = 0; k < section->count; k++) {
        const cn_key *key = &section->key[k];
        bool is_former;
        const cn_node *given = find_given(node, key, &is_former);
        if (is_absent(r, key, given)) {
            continue;
        }
        if (given == NULL && key->fallback == NULL) {
            complain_missing(r, node->at, key, section);
            is_good = false;
            continue;
        }
        const cn_value *value =
            given != NULL ? cn_value_read(r, given, key) : read_default(r, key, node->at);
        is_good = is_good && value != NULL;
        name[map->count] = key->name;
        name_at[map->count] = place_of_key(node, is_former ? key->formerly : key->name);
        item[map->count++] = value;
    }
    return is_good ? map : NULL;
}

static void complain_kind(cn_reading *r, const cn_node *node, const cn_key *key, const char *wanted)
{
    cn_complain(r->report, node->at, "%s takes %s, this is %s", key->name, wanted,
                cn_node_kind_name(node));
}

static const cn_value *read_map(cn_reading *r, const cn_node *node, const cn_key *key)
{
    const cn_section *section = key->section;
    const cn_node *full = node;
    if (node->kind != CN_NODE_MAP) {
        full = write_out(r, node, section, section->has_words);
    }
    if (full != NULL && full->kind != CN_NODE_MAP) {
        complain_kind(r, node, key, "a map of keys");
        return NULL;
    }
    return full == NULL ? NULL : cn_value_read_section(r, full, section, key);
}

static void complain_choice(cn_reading *r, const cn_node *node, const cn_key *key,
                            const cn_section *section)
{
    int count = 0;
    const char **known = usable_names(r, section, &count);
    if (known != NULL) {
        char all[400];
        join_words(known, count, all, sizeof all);
        cn_complain(r->report, node->at, "%s takes exactly one of %s", key->name, all);
    }
}

// Exactly one key of the section.
static const cn_value *read_one(cn_reading *r, const cn_node *node, const cn_key *key,
                                const cn_section *section)
{
    const cn_node *full = node->kind == CN_NODE_MAP ? node : write_out(r, node, section, true);
    if (full == NULL) {
        return NULL;
    }
    if (full->kind != CN_NODE_MAP || full->count != 1) {
        complain_choice(r, node, key, section);
        return NULL;
    }
    const char **name;
    cn_place *name_at;
    const cn_value **item;
    cn_value *map = new_map(r, full, key, 1, &name, &name_at, &item);
    if (map == NULL || !check_keys(r, full, section)) {
        return NULL;
    }
    const cn_key *chosen = cn_section_find(section, full->key[0]->text, r->dim);
    // A word alone asks for the default of its key; {} does so for maps.
    bool is_bare_word = full != node && full->item[0]->kind == CN_NODE_MAP &&
                        chosen->type != CN_TYPE_MAP && chosen->fallback != NULL &&
                        chosen->fallback[0] != '\0';
    name[0] = chosen->name;
    name_at[0] = full->key[0]->at;
    item[0] =
        is_bare_word ? read_default(r, chosen, node->at) : cn_value_read(r, full->item[0], chosen);
    map->count = 1;
    return item[0] == NULL ? NULL : map;
}

static bool check_count(cn_reading *r, const cn_node *node, const cn_key *key, int count)
{
    if (key->most > 0.0 && (count < key->least || count > key->most)) {
        if (key->least == key->most) {
            cn_complain(r->report, node->at, "%s takes exactly %g entries, got %d", key->name,
                        key->least, count);
        } else {
            cn_complain(r->report, node->at, "%s needs at least %g entry, got %d", key->name,
                        key->least, count);
        }
        return false;
    }
    return true;
}

// One item alone stands for a list of one.
static const cn_value *read_list(cn_reading *r, const cn_node *node, const cn_key *key)
{
    bool is_list = node->kind == CN_NODE_LIST;
    int count = is_list ? node->count : 1;
    cn_value *list = cn_value_new(r, CN_VALUE_LIST, node, key);
    const cn_value **item = cn_reading_take(r, (size_t)count, sizeof *item);
    if (list == NULL || item == NULL) {
        return NULL;
    }
    bool is_good = check_count(r, node, key, count);
    for (int k = 0; k < count; k++) {
        item[k] = cn_value_read(r, is_list ? node->item[k] : node, key->item);
        is_good = is_good && item[k] != NULL;
    }
    list->count = count;
    list->item = item;
    return is_good ? list : NULL;
}

static const cn_value *read_named(cn_reading *r, const cn_node *node, const cn_key *key)
{
    if (node->kind != CN_NODE_MAP) {
        complain_kind(r, node, key, "a map from names to entries");
        return NULL;
    }
    const char **name;
    cn_place *name_at;
    const cn_value **item;
    cn_value *map = new_map(r, node, key, node->count, &name, &name_at, &item);
    if (map == NULL) {
        return NULL;
    }
    bool is_good = true;
    for (int k = 0; k < node->count; k++) {
        name[k] = node->key[k]->text;
        name_at[k] = node->key[k]->at;
        item[k] = cn_value_read(r, node->item[k], key->item);
        is_good = is_good && item[k] != NULL;
    }
    map->count = node->count;
    return is_good ? map : NULL;
}

// A file may name a law that another program had.
static void complain_law(cn_reading *r, const cn_node *type)
{
    int count = cn_law_type_count();
    const char **known = cn_reading_take(r, (size_t)count, sizeof *known);
    for (int k = 0; known != NULL && k < count; k++) {
        known[k] = cn_law_type_at(k)->name;
    }
    const char *nearest = known != NULL ? cn_spelling_nearest(type->text, known, count) : NULL;
    char all[400];
    join_words(known, known != NULL ? count : 0, all, sizeof all);
    cn_complain(r->report, type->at,
                "unknown law type '%.60s' (%s%s%s); a law from outside has to be registered "
                "before: by CAIRN_LAWS=FILE.so, cn_law_load or cn_law_register",
                type->text,
                nearest != NULL ? "did you mean '" : "known: ", nearest != NULL ? nearest : all,
                nearest != NULL ? "'?" : "");
}

static const cn_value *read_law(cn_reading *r, const cn_node *node, const cn_key *key)
{
    const cn_node *type = node->kind == CN_NODE_MAP ? cn_node_find(node, "type") : NULL;
    if (type == NULL || type->kind != CN_NODE_SCALAR) {
        cn_complain(r->report, type != NULL ? type->at : node->at,
                    "a law is a map with the key 'type', e.g. {type: coulomb, friction: 0.5}");
        return NULL;
    }
    const cn_law_type *law = cn_law_type_find(type->text);
    if (law == NULL) {
        complain_law(r, type);
        return NULL;
    }
    const cn_section *section = cn_section_law(law, r->arena, r->err);
    if (section == NULL) {
        r->status = CN_NO_MEMORY;
        return NULL;
    }
    return cn_value_read_section(r, node, section, key);
}

static const cn_value *read_generator(cn_reading *r, const cn_node *node, const cn_key *key)
{
    if (r->generators == NULL) {
        r->generators = cn_section_generators(r->arena, r->err);
    }
    if (r->generators == NULL) {
        r->status = CN_NO_MEMORY;
        return NULL;
    }
    return read_one(r, node, key, r->generators);
}

static const cn_value *read_observer(cn_reading *r, const cn_node *node)
{
    if (r->observer == NULL) {
        r->observer = cn_key_observer(r->arena, r->err);
    }
    if (r->observer == NULL) {
        r->status = CN_NO_MEMORY;
        return NULL;
    }
    return read_map(r, node, r->observer);
}

// `key:` without anything after it.
static bool is_empty(const cn_node *node)
{
    return node->kind == CN_NODE_SCALAR && node->is_plain &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

const cn_value *cn_value_read(cn_reading *r, const cn_node *node, const cn_key *key)
{
    if (is_empty(node)) {
        cn_complain(r->report, node->at, "%s has no value", key->name);
        return NULL;
    }
    switch (key->type) {
    case CN_TYPE_MAP:
        return read_map(r, node, key);
    case CN_TYPE_ONE:
        return read_one(r, node, key, key->section);
    case CN_TYPE_LIST:
        return read_list(r, node, key);
    case CN_TYPE_NAMED:
        return read_named(r, node, key);
    case CN_TYPE_LAW:
        return read_law(r, node, key);
    case CN_TYPE_GENERATOR:
        return read_generator(r, node, key);
    case CN_TYPE_OBSERVER:
        return read_observer(r, node);
    default:
        return cn_value_read_plain(r, node, key);
    }
}
