// scene/language/include.c -- includes: several files become one tree.
//
// Maps of names are joined, a name in two files is an error. Lists are joined with the lines of the
// including file first, so that its contact rules win. Any other key is given in one file only.
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "scene/read_scene.h"

// The file `path` as seen from the file `from`: relative to its folder.
static const char *path_beside(cn_making *m, const char *from, const char *path)
{
    const char *slash = strrchr(from, '/');
    cn_reading *r = &m->reading;
    int folder = path[0] == '/' || slash == NULL ? 0 : (int)(slash - from) + 1;
    const char *joined = cn_arena_print(r->arena, r->err, "%.*s%s", folder, from, path);
    if (joined == NULL) {
        r->status = CN_NO_MEMORY;
    }
    return joined;
}

const char *cn_making_path(cn_making *m, cn_place at, const char *path)
{
    return path_beside(m, at.source->name, path);
}

cn_line cn_making_line(const cn_making *m, cn_place at)
{
    bool is_first = at.source == NULL || at.source->parent == NULL;
    return (cn_line){is_first ? m->scene->name : at.source->name, at.line};
}

bool cn_making_open(cn_making *m, cn_place at, const char *path, size_t most, cn_source *source)
{
    cn_reading *r = &m->reading;
    if (m->def->no_files) {
        cn_complain(r->report, at, "'%.200s' is not read: this scene may not open files", path);
        return false;
    }
    const char *name = path_beside(m, at.source->name, path);
    if (name == NULL) {
        return false;
    }
    cn_error why = {0};
    const char *text = NULL;
    size_t length = 0;
    cn_status status = cn_file_read(name, most, r->arena, &text, &length, &why);
    if (status == CN_NO_MEMORY) {
        r->status = cn_fail(r->err, CN_NO_MEMORY, "%s", why.text);
        return false;
    }
    if (status != CN_OK) {
        r->report->io_count += status == CN_IO ? 1 : 0;
        cn_complain(r->report, at, "%s", why.text);
        return false;
    }
    m->hash = cn_hash_bytes(m->hash, text, length);
    *source = (cn_source){name, text, length, at.source};
    return true;
}

static cn_node *new_map(cn_reading *r, const cn_node *like, int count, const cn_node ***key,
                        const cn_node ***item)
{
    cn_node *made = cn_reading_take(r, 1, sizeof *made);
    *key = cn_reading_take(r, (size_t)count, sizeof **key);
    *item = cn_reading_take(r, (size_t)count, sizeof **item);
    if (made == NULL || *key == NULL || *item == NULL) {
        return NULL;
    }
    *made = (cn_node){.kind = CN_NODE_MAP, .at = like->at, .key = *key, .item = *item};
    return made;
}

static const cn_node *join_lists(cn_reading *r, const cn_node *own, const cn_node *other)
{
    cn_node *made = cn_reading_take(r, 1, sizeof *made);
    const cn_node **item = cn_reading_take(r, (size_t)(own->count + other->count), sizeof *item);
    if (made == NULL || item == NULL) {
        return NULL;
    }
    for (int k = 0; k < own->count + other->count; k++) {
        item[k] = k < own->count ? own->item[k] : other->item[k - own->count];
    }
    *made = *own;
    made->count = own->count + other->count;
    made->item = item;
    return made;
}

static const cn_node *join_maps(cn_reading *r, const cn_node *own, const cn_node *other,
                                bool is_top);

static const cn_node *join_items(cn_reading *r, const cn_node *key, const cn_node *own,
                                 const cn_node *other_key, const cn_node *other, bool is_top)
{
    if (is_top && own->kind == CN_NODE_MAP && other->kind == CN_NODE_MAP) {
        return join_maps(r, own, other, false);
    }
    if (is_top && own->kind == CN_NODE_LIST && other->kind == CN_NODE_LIST) {
        return join_lists(r, own, other);
    }
    cn_complain(r->report, key->at, "'%.60s' is given here and in %s:%d", key->text,
                other_key->at.source->name, other_key->at.line);
    return own;
}

static void add_others(const cn_node *own, const cn_node *other, cn_node *made, const cn_node **key,
                       const cn_node **item)
{
    for (int k = 0; k < other->count; k++) {
        if (cn_node_find(own, other->key[k]->text) == NULL) {
            key[made->count] = other->key[k];
            item[made->count++] = other->item[k];
        }
    }
}

// Inside a section the included names come first, so that the including file can use their params.
static const cn_node *join_maps(cn_reading *r, const cn_node *own, const cn_node *other,
                                bool is_top)
{
    const cn_node **key, **item;
    cn_node *made = new_map(r, own, own->count + other->count, &key, &item);
    if (made == NULL) {
        return NULL;
    }
    if (!is_top) {
        add_others(own, other, made, key, item);
    }
    for (int k = 0; k < own->count; k++) {
        const cn_node *joined = own->item[k];
        for (int n = 0; n < other->count && joined != NULL; n++) {
            if (strcmp(other->key[n]->text, own->key[k]->text) == 0) {
                joined = join_items(r, own->key[k], joined, other->key[n], other->item[n], is_top);
            }
        }
        if (joined == NULL) {
            return NULL;
        }
        key[made->count] = own->key[k];
        item[made->count++] = joined;
    }
    if (is_top) {
        add_others(own, other, made, key, item);
    }
    return made;
}

static const cn_node *without_key(cn_reading *r, const cn_node *map, const char *name)
{
    const cn_node **key, **item;
    cn_node *made = new_map(r, map, map->count, &key, &item);
    for (int k = 0; made != NULL && k < map->count; k++) {
        if (strcmp(map->key[k]->text, name) != 0) {
            key[made->count] = map->key[k];
            item[made->count++] = map->item[k];
        }
    }
    return made;
}

static bool check_version(cn_reading *r, const cn_node *root, bool is_included)
{
    const cn_node *version = cn_node_find(root, "cairn");
    if (version == NULL) {
        if (!is_included) {
            cn_complain(r->report, root->at, "a scene begins with the key 'cairn: 1'");
        }
        return is_included;
    }
    if (version->kind != CN_NODE_SCALAR || strcmp(version->text, "1") != 0) {
        cn_complain(
            r->report, version->at,
            "version '%.20s' of the scene language is not known; this program reads version 1",
            version->kind == CN_NODE_SCALAR ? version->text : "?");
        return false;
    }
    if (!is_included && strcmp(root->key[0]->text, "cairn") != 0) {
        cn_complain(r->report, root->key[0]->at, "'cairn: 1' must be the first key");
        return false;
    }
    return true;
}

// True if the file is open further up: it would include itself.
static bool is_cycle(const cn_source *source)
{
    for (const cn_source *up = source->parent; up != NULL; up = up->parent) {
        if (strcmp(up->name, source->name) == 0) {
            return true;
        }
    }
    return false;
}

static const cn_node *compose_file(cn_making *m, const cn_source *source, int depth);

static const cn_node *add_include(cn_making *m, const cn_node *root, const cn_node *path, int depth)
{
    cn_reading *r = &m->reading;
    if (path->kind != CN_NODE_SCALAR || path->text[0] == '\0') {
        cn_complain(r->report, path->at, "include takes the name of a file, or a list of them");
        return NULL;
    }
    cn_source *source = cn_reading_take(r, 1, sizeof *source);
    if (source == NULL || !cn_making_open(m, path->at, path->text, CN_SCENE_BYTES_MAX, source)) {
        return NULL;
    }
    if (is_cycle(source) || depth >= CN_NODE_DEPTH_MAX) {
        cn_complain(r->report, path->at, "'%s' includes itself", source->name);
        return NULL;
    }
    const cn_node *other = compose_file(m, source, depth + 1);
    const cn_node *clean = other == NULL ? NULL : without_key(r, other, "cairn");
    return clean == NULL ? NULL : join_maps(r, root, clean, true);
}

static const cn_node *add_includes(cn_making *m, const cn_node *root, int depth)
{
    const cn_node *include = cn_node_find(root, "include");
    if (include == NULL) {
        return root;
    }
    m->has_include = true;
    const cn_node *all = without_key(&m->reading, root, "include");
    bool is_list = include->kind == CN_NODE_LIST;
    bool is_good = true;
    for (int k = 0; k < (is_list ? include->count : 1) && all != NULL; k++) {
        const cn_node *joined = add_include(m, all, is_list ? include->item[k] : include, depth);
        is_good = is_good && joined != NULL;
        all = joined != NULL ? joined : all;
    }
    return is_good ? all : NULL;
}

static const cn_node *compose_file(cn_making *m, const cn_source *source, int depth)
{
    cn_reading *r = &m->reading;
    const cn_node *root = NULL;
    cn_status status = cn_node_parse(source, r->tree, r->arena, r->report, &root, r->err);
    if (status != CN_OK) {
        r->status = status;
        return NULL;
    }
    if (r->report->count > 0) {
        return NULL;
    }
    if (root == NULL || root->kind != CN_NODE_MAP || root->count == 0) {
        cn_complain(r->report, root == NULL ? (cn_place){source, 0, 0} : root->at,
                    root == NULL ? "the file is empty; a scene begins with 'cairn: 1'"
                                 : "a scene is a map of keys that begins with 'cairn: 1'");
        return NULL;
    }
    return check_version(r, root, depth > 0) ? add_includes(m, root, depth) : NULL;
}

const cn_node *cn_compose(cn_making *m, const cn_source *source)
{
    return compose_file(m, source, 0);
}
