// scene/select.c -- from names to bodies: `any`, `wall`, `wall.last`, `wall[3,2]`, `arch.supports`,
// `left, right`, `bridge.voussoir_09`, `bridge["arch*"]`.
#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/language/nearest_word.h"
#include "scene/model.h"

enum { NAME_MAX_LENGTH = CN_BODY_NAME_MAX };

typedef enum portion {
    PART_ALL = 0,
    PART_FIRST,
    PART_LAST,
    PART_INDEX,
    PART_SUPPORTS,
    PART_LABEL,  // the block of that name
    PART_PATTERN // blocks whose names match
} portion;

// One selector of the list.
typedef struct selector {
    char name[NAME_MAX_LENGTH + 1];
    portion part;
    int index_count;
    int index[2];
    char label[NAME_MAX_LENGTH + 1]; // PART_LABEL, PART_PATTERN
    char set[NAME_MAX_LENGTH + 1];   // "": none
} selector;

void cn_scene_body_name(const cn_scene *scene, int body, char name[96])
{
    const cn_scene_body *b = &scene->body[body];
    const cn_scene_entry *entry = &scene->entry[b->entry];
    if (b->label != NULL) {
        snprintf(name, CN_BODY_NAME_MAX, "%.60s.%s", entry->name, b->label);
    } else if (entry->count == 1) {
        snprintf(name, 96, "%.60s", entry->name);
    } else {
        snprintf(name, 96, "%.60s[%d,%d]", entry->name, b->index[0], b->index[1]);
    }
}

bool cn_scene_body_has_set(const cn_scene *scene, int body, const char *set)
{
    const cn_mesh_def *mesh = cn_body_mesh_of(&scene->body[body].def);
    for (int k = 0; mesh != NULL && k < mesh->set_count; k++) {
        if (strcmp(mesh->set[k].name, set) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_entry(const cn_scene_entry *entry, const char *name)
{
    return strcmp(entry->name, name) == 0 || (entry->tag != NULL && strcmp(entry->tag, name) == 0);
}

static bool read_index(const char **at, int *index)
{
    char *end;
    long value = strtol(*at, &end, 10);
    if (end == *at || value > INT_MAX || value < -INT_MAX) {
        return false;
    }
    while (*end == ' ') {
        end++;
    }
    *at = end;
    *index = (int)value;
    return true;
}

// "[3]" or "[3, 2]"; *at is behind the '['.
static bool read_indices(const char **at, selector *s)
{
    s->part = PART_INDEX;
    if (!read_index(at, &s->index[s->index_count++])) {
        return false;
    }
    if (**at == ',') {
        ++*at;
        if (!read_index(at, &s->index[s->index_count++])) {
            return false;
        }
    }
    return *(*at)++ == ']';
}

// `["arch*"]`, with or without quotes; *at is behind the '['.
static bool read_pattern(const char **at, selector *s)
{
    char quote = **at == '"' || **at == '\'' ? *(*at)++ : '\0';
    const char close[2] = {quote != '\0' ? quote : ']', '\0'};
    size_t length = strcspn(*at, close);
    if (length == 0 || length > NAME_MAX_LENGTH || (*at)[length] == '\0') {
        return false;
    }
    s->part = PART_PATTERN;
    memcpy(s->label, *at, length);
    *at += length + (quote != '\0' ? 1 : 0);
    return *(*at)++ == ']';
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '-') {
        length++;
    }
    return length;
}

// Names of blocks may have points, numbers as in stone#2, and letters beyond ASCII.
static size_t label_length(const char *at)
{
    size_t length = 0;
    while (name_length(at + length) > 0 || at[length] == '.' || at[length] == '#' ||
           ((unsigned char)at[length] & 0x80) != 0) {
        length++;
    }
    return length;
}

// ".top": any word; a set of meshes, or the name of a block.
static bool read_set(const char **at, selector *s)
{
    if (**at != '.') {
        return true;
    }
    size_t length = label_length(*at + 1);
    if (length == 0 || length > NAME_MAX_LENGTH) {
        return false;
    }
    memcpy(s->set, *at + 1, length);
    *at += length + 1;
    return true;
}

static bool read_part(const char **at, selector *s)
{
    if (**at == '[') {
        ++*at;
        bool is_number = isdigit((unsigned char)**at) || strchr("-+ ", **at) != NULL;
        return is_number ? read_indices(at, s) : read_pattern(at, s);
    }
    static const struct {
        const char *word;
        portion part;
    } words[] = {{".first", PART_FIRST}, {".last", PART_LAST}, {".supports", PART_SUPPORTS}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t length = strlen(words[k].word);
        if (strncmp(*at, words[k].word, length) == 0 &&
            (label_length(*at + length) == 0 || (*at)[length] == '.')) {
            s->part = words[k].part;
            *at += length;
            break;
        }
    }
    return true;
}

static cn_status bad_selector(const char *text, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT,
                   "'%.80s' does not select bodies; write a name, name.first, name.last, "
                   "name.supports, name[3] or name[3,2]; of blocks name.block or "
                   "name[\"pattern*\"]",
                   text);
}

static cn_status read_selector(const char **at, const char *text, selector *s, cn_error *err)
{
    *s = (selector){0};
    *at += strspn(*at, " ");
    size_t length = name_length(*at);
    bool is_good = length > 0 && length <= NAME_MAX_LENGTH;
    if (is_good) {
        memcpy(s->name, *at, length);
        *at += length;
        is_good = read_part(at, s) && read_set(at, s);
        *at += strspn(*at, " ");
        is_good = is_good && (**at == '\0' || **at == ',');
    }
    if (!is_good) {
        return bad_selector(text, err);
    }
    *at += **at == ',' ? 1 : 0;
    return CN_OK;
}

static cn_status unknown_name(const cn_scene *scene, const char *name, cn_error *err)
{
    const char **known = malloc((2 * (size_t)scene->entry_count + 1) * sizeof *known);
    if (known == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %d names", scene->entry_count);
    }
    int count = 0;
    known[count++] = "any";
    for (int k = 0; k < scene->entry_count; k++) {
        known[count++] = scene->entry[k].name;
        if (scene->entry[k].tag != NULL) {
            known[count++] = scene->entry[k].tag;
        }
    }
    const char *nearest = cn_spelling_nearest(name, known, count);
    free(known);
    return cn_fail(err, CN_BAD_INPUT, "unknown body or group '%s'%s%s%s", name,
                   nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?)" : "");
}

// Largest course (which 0), or largest position of a course (which 1).
static int largest_index(const cn_scene *scene, const cn_scene_entry *entry, int which, int course,
                         bool has_supports)
{
    int most = 0;
    for (int k = entry->first; k < entry->first + entry->count; k++) {
        const cn_scene_body *body = &scene->body[k];
        bool is_meant =
            (which == 0 || body->index[0] == course) && (has_supports || !body->is_support);
        if (is_meant && body->index[which] > most) {
            most = body->index[which];
        }
    }
    return most;
}

// Negative numbers count from the end: -1 is the last.
static int from_end(int index, int most)
{
    return index < 0 ? most + 1 + index : index;
}

static void mark_index(const cn_scene *scene, const cn_scene_entry *entry, const selector *s,
                       char *is_in)
{
    bool is_pair = s->index_count == 2;
    bool has_supports = is_pair || scene->body[entry->first].label != NULL;
    int courses = largest_index(scene, entry, 0, 0, has_supports);
    bool is_position = !is_pair && courses <= 1;
    int course = is_position ? 1 : from_end(s->index[0], courses);
    bool has_position = is_position || is_pair;
    int positions = largest_index(scene, entry, 1, course, has_supports);
    int position = from_end(s->index[s->index_count - 1], positions);
    for (int k = entry->first; k < entry->first + entry->count; k++) {
        const cn_scene_body *body = &scene->body[k];
        bool is_meant = has_supports || !body->is_support;
        if (is_meant && body->index[0] == course && (!has_position || body->index[1] == position)) {
            is_in[k] = 1;
        }
    }
}

// All but numbers, which need the whole entry.
static bool is_meant(const cn_scene_body *body, const selector *s)
{
    switch (s->part) {
    case PART_SUPPORTS:
        return body->is_support;
    case PART_LABEL:
        return body->label != NULL && strcmp(body->label, s->label) == 0;
    case PART_PATTERN:
        return body->label != NULL && fnmatch(s->label, body->label, 0) == 0;
    default:
        return true;
    }
}

static void mark_all(const cn_scene *scene, const selector *s, char *is_in)
{
    for (int e = 0; e < scene->entry_count; e++) {
        const cn_scene_entry *entry = &scene->entry[e];
        if (strcmp(s->name, "any") == 0 || is_entry(entry, s->name)) {
            if (s->part == PART_INDEX && entry->count > 0) {
                mark_index(scene, entry, s, is_in);
                continue;
            }
            for (int k = entry->first; k < entry->first + entry->count; k++) {
                is_in[k] = (char)is_meant(&scene->body[k], s);
            }
        }
    }
}

// Keeps the first or last of the marked; supports only if there is nothing else.
static void keep_end(const cn_scene *scene, portion part, char *is_in)
{
    int best = -1;
    for (int k = 0; k < scene->body_count; k++) {
        if (!is_in[k]) {
            continue;
        }
        is_in[k] = 0;
        bool is_support = scene->body[k].is_support;
        bool best_is_support = best >= 0 && scene->body[best].is_support;
        bool is_later = part == PART_LAST && is_support == best_is_support;
        if (best < 0 || is_later || (best_is_support && !is_support)) {
            best = k;
        }
    }
    if (best >= 0) {
        is_in[best] = 1;
    }
}

static bool has_block(const cn_scene *scene, const char *name, const char *label, size_t length)
{
    for (int k = 0; k < scene->body_count; k++) {
        const cn_scene_body *body = &scene->body[k];
        if (body->label != NULL && is_entry(&scene->entry[body->entry], name) &&
            strncmp(body->label, label, length) == 0 && body->label[length] == '\0') {
            return true;
        }
    }
    return false;
}

// Says which block may be meant.
static cn_status unknown_block(const cn_scene *scene, const selector *s, cn_error *err)
{
    const char **known = malloc(((size_t)scene->body_count + 1) * sizeof *known);
    int count = 0;
    if (known == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %d names", scene->body_count);
    }
    for (int k = 0; k < scene->body_count; k++) {
        const cn_scene_body *body = &scene->body[k];
        if (body->label != NULL && is_entry(&scene->entry[body->entry], s->name)) {
            known[count++] = body->label;
        }
    }
    const char *nearest = cn_spelling_nearest(s->set, known, count);
    cn_status status = cn_fail(err, CN_BAD_INPUT, "'%s' has %d blocks, none is called '%s'%s%s%s",
                               s->name, count, s->set, nearest != NULL ? " (did you mean '" : "",
                               nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
    free(known);
    return status;
}

// What follows a point is a block if there is one of that name, a block and a set of its mesh, or a
// set of all.
static cn_status resolve_label(const cn_scene *scene, selector *s, const char *text, cn_error *err)
{
    bool has_blocks = false, has_meshes = false;
    for (int k = 0; k < scene->body_count && s->set[0] != '\0'; k++) {
        if (is_entry(&scene->entry[scene->body[k].entry], s->name)) {
            has_blocks = has_blocks || scene->body[k].label != NULL;
            has_meshes = has_meshes || scene->body[k].def.type == CN_BODY_MESH;
        }
    }
    const char *dot = strrchr(s->set, '.');
    size_t length = strlen(s->set), first = dot != NULL ? (size_t)(dot - s->set) : length;
    bool is_block = has_blocks && has_block(scene, s->name, s->set, length);
    bool is_both =
        !is_block && dot != NULL && has_blocks && has_block(scene, s->name, s->set, first);
    if (is_block || is_both) {
        s->part = PART_LABEL;
        memcpy(s->label, s->set, first = is_block ? length : first);
        memmove(s->set, s->set + first + is_both, length - first - is_both + 1);
        return CN_OK;
    }
    if (has_blocks && !has_meshes) {
        return unknown_block(scene, s, err);
    }
    return name_length(s->set) == length ? CN_OK : bad_selector(text, err);
}

static cn_status mark(const cn_scene *scene, const selector *s, const char *text, char *is_in,
                      char *scratch, cn_error *err)
{
    bool is_known = strcmp(s->name, "any") == 0;
    for (int e = 0; e < scene->entry_count && !is_known; e++) {
        is_known = is_entry(&scene->entry[e], s->name);
    }
    if (!is_known) {
        return unknown_name(scene, s->name, err);
    }
    memset(scratch, 0, (size_t)scene->body_count);
    mark_all(scene, s, scratch);
    if (s->part == PART_FIRST || s->part == PART_LAST) {
        keep_end(scene, s->part, scratch);
    }
    bool is_empty = true;
    for (int k = 0; k < scene->body_count; k++) {
        is_in[k] = (char)(is_in[k] | scratch[k]);
        is_empty = is_empty && !scratch[k];
    }
    return is_empty ? cn_fail(err, CN_BAD_INPUT, "'%.80s' selects no body", text) : CN_OK;
}

static cn_status mark_list(const cn_scene *scene, const char *text, char *is_in, char *scratch,
                           char set[NAME_MAX_LENGTH + 1], cn_error *err)
{
    const char *at = text;
    do {
        selector s;
        bool is_first = at == text;
        CN_TRY(read_selector(&at, text, &s, err));
        CN_TRY(resolve_label(scene, &s, text, err));
        if (!is_first && strcmp(s.set, set) != 0) {
            return cn_fail(err, CN_BAD_INPUT, "'%.80s' selects more than one set of meshes", text);
        }
        memcpy(set, s.set, sizeof s.set);
        CN_TRY(mark(scene, &s, text, is_in, scratch, err));
    } while (*at != '\0');
    return CN_OK;
}

cn_status cn_scene_select(const cn_scene *scene, const char *text, cn_arena *arena, cn_pick *pick,
                          cn_error *err)
{
    char *is_in = calloc(2 * (size_t)scene->body_count + 1, 1);
    if (is_in == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %d bodies", scene->body_count);
    }
    char set[NAME_MAX_LENGTH + 1] = "";
    cn_status status = mark_list(scene, text, is_in, is_in + scene->body_count, set, err);
    int count = 0;
    for (int k = 0; k < scene->body_count; k++) {
        count += is_in[k];
    }
    int *body = NULL;
    if (status == CN_OK) {
        body = cn_arena_take(arena, (size_t)count, sizeof *body, err);
        pick->text = cn_arena_text(arena, text, strlen(text), err);
        pick->set = set[0] != '\0' ? cn_arena_text(arena, set, strlen(set), err) : NULL;
        bool has_memory = body != NULL && pick->text != NULL;
        status = has_memory && (set[0] == '\0' || pick->set != NULL) ? CN_OK : CN_NO_MEMORY;
    }
    pick->count = 0;
    for (int k = 0; status == CN_OK && k < scene->body_count; k++) {
        if (is_in[k]) {
            body[pick->count++] = k;
        }
    }
    pick->body = body;
    free(is_in);
    return status;
}
