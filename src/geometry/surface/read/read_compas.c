// geometry/surface/read/read_compas.c -- assemblies of blocks that COMPAS writes as JSON.
//
// Layouts differ between versions and packages (networks of blocks, lists of meshes, assemblies,
// models of elements). What they have in common is read: every object with both `vertex` and `face`
// is a block. Its name is the nearest one above it if no other block has it, else the key of its
// node or element; `is_support` and 4 x 4 transformations above it hold for it.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/surface/read/surface_draft.h"

enum { KEY_MAX = 79 };

// What holds at a place of the tree.
typedef struct place {
    const char *name;
    char key[KEY_MAX + 1]; // "": none
    bool is_support;
    double T[3][4]; // from the block to the assembly
} place;

typedef struct found {
    const json_t *mesh;
    place at;
} found;

typedef struct walk {
    cn_mesher *m;
    found *block;
    size_t count, capacity;
    json_t *seen; // how often each name occurs
    int64_t element;
} walk;

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list != NULL && strcmp(word, *list) != 0) {
        list++;
    }
    return *list != NULL;
}

// ---- finding blocks

// A matrix as rows of numbers, itself or as data of an object; false: it is none.
static bool read_matrix(const json_t *from, double T[4][4])
{
    for (int depth = 0; json_is_object(from) && depth < 4; depth++) {
        const json_t *matrix = json_object_get(from, "matrix");
        from = matrix != NULL ? matrix : json_object_get(from, "data");
    }
    bool is_good = json_array_size(from) == 4;
    for (size_t i = 0; i < 4 && is_good; i++) {
        const json_t *row = json_array_get(from, i);
        is_good = json_array_size(row) == 4;
        for (size_t j = 0; j < 4 && is_good; j++) {
            is_good = json_is_number(json_array_get(row, j));
            T[i][j] = json_number_value(json_array_get(row, j));
        }
    }
    return is_good;
}

static void apply_matrix(const json_t *from, place *at)
{
    double inner[4][4], made[3][4];
    if (!read_matrix(from, inner)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            made[i][j] = j == 3 ? at->T[i][3] : 0.0;
            for (int k = 0; k < 3; k++) {
                made[i][j] += at->T[i][k] * inner[k][j];
            }
        }
    }
    memcpy(at->T, made, sizeof made);
}

// Name and support, of an object or of its attributes.
static void read_attributes(const json_t *object, place *at)
{
    const json_t *name = json_object_get(object, "name");
    const json_t *support = json_object_get(object, "is_support");
    at->name = json_is_string(name) ? json_string_value(name) : at->name;
    if (json_is_boolean(support) || json_is_number(support)) {
        at->is_support = json_is_true(support) || json_number_value(support) != 0.0;
    }
}

static cn_status add_block(walk *w, const json_t *mesh, const place *at)
{
    CN_TRY(cn_reserve(NULL, &w->block, &w->capacity, w->count + 1, w->m->c->err));
    w->block[w->count++] = (found){mesh, *at};
    if (at->name != NULL) {
        json_int_t before = json_integer_value(json_object_get(w->seen, at->name));
        json_object_set_new(w->seen, at->name, json_integer(before + 1));
    }
    return CN_OK;
}

static cn_status visit(walk *w, json_t *here, const char *own_key, const place *above)
{
    static const char *const holders[] = {"node", "nodes", "elements", "blocks", NULL};
    static const char *const passed[] = {"edge",         "edges",    "interfaces", "adjacency",
                                         "interactions", "halfedge", NULL};
    place at = *above;
    size_t index;
    const char *key;
    json_t *child;
    json_array_foreach(here, index, child)
    {
        if (json_is_object(child)) {
            snprintf(at.key, sizeof at.key, "%zu", index);
        }
        CN_TRY(visit(w, child, "", &at));
    }
    if (!json_is_object(here)) {
        return CN_OK;
    }
    read_attributes(here, &at);
    read_attributes(json_object_get(here, "attributes"), &at);
    apply_matrix(json_object_get(here, "transformation"), &at);
    const json_t *faces = json_object_get(here, "face");
    if (json_object_size(json_object_get(here, "vertex")) > 0 &&
        (json_object_size(faces) > 0 || json_array_size(faces) > 0)) {
        return add_block(w, here, &at);
    }
    json_object_foreach(here, key, child)
    {
        if (is_one_of(key, passed)) {
            continue;
        }
        place below = at;
        if (is_one_of(own_key, holders)) {
            snprintf(below.key, sizeof below.key, "%.*s", KEY_MAX, key);
        }
        CN_TRY(visit(w, child, key, &below));
    }
    return CN_OK;
}

// ---- reading a block

static void name_of(const walk *w, size_t k, char name[KEY_MAX + 1])
{
    const place *at = &w->block[k].at;
    if (at->name != NULL && json_integer_value(json_object_get(w->seen, at->name)) == 1) {
        snprintf(name, KEY_MAX + 1, "%.*s", KEY_MAX, at->name);
    } else if (at->key[0] != '\0') {
        snprintf(name, KEY_MAX + 1, "%s", at->key);
    } else {
        snprintf(name, KEY_MAX + 1, "block_%zu", k + 1);
    }
}

static cn_status fail_in(const walk *w, const char *block, const char *what, const char *key)
{
    return cn_fail(w->m->c->err, CN_BAD_INPUT, "%s: block '%s': %s '%.40s'", w->m->c->name, block,
                   what, key);
}

// Numbers of the vertices by their keys go to `number`.
static cn_status read_points(walk *w, const found *b, const char *block, json_t *number)
{
    static const char *const axes[] = {"x", "y", "z"};
    const char *key;
    json_t *point;
    json_object_foreach(json_object_get(b->mesh, "vertex"), key, point)
    {
        double p[3], q[3];
        for (int d = 0; d < 3; d++) {
            const json_t *x = json_object_get(point, axes[d]); // left out: 0
            if (!json_is_object(point) || (x != NULL && !json_is_number(x))) {
                return fail_in(w, block, "no coordinates at vertex", key);
            }
            p[d] = json_number_value(x);
        }
        for (int d = 0; d < 3; d++) {
            q[d] =
                b->at.T[d][0] * p[0] + b->at.T[d][1] * p[1] + b->at.T[d][2] * p[2] + b->at.T[d][3];
        }
        json_object_set_new(number, key, json_integer(w->m->s.vertex_count));
        CN_TRY(cn_mesher_vertex(w->m, q[0], q[1], q[2]));
    }
    return CN_OK;
}

static cn_status read_face(walk *w, const json_t *face, const char *block, const json_t *number)
{
    int count = 0;
    size_t index;
    json_t *corner;
    json_array_foreach(face, index, corner)
    {
        char key[24] = "?";
        if (json_is_integer(corner)) {
            snprintf(key, sizeof key, "%lld", (long long)json_integer_value(corner));
        }
        const char *named = json_is_string(corner) ? json_string_value(corner) : key;
        const json_t *vertex = json_object_get(number, named);
        if (vertex == NULL) {
            return fail_in(w, block, "a face names a vertex that is not there:", named);
        }
        CN_TRY(cn_mesher_room(w->m, count));
        w->m->corner[count++] = (int)json_integer_value(vertex);
    }
    if (count < 3) {
        return fail_in(w, block, "a face has fewer than three vertices", "");
    }
    return cn_mesher_face(w->m, w->m->corner, count, ++w->element);
}

static cn_status read_block(walk *w, size_t k, json_t *number)
{
    const found *b = &w->block[k];
    json_t *faces = json_object_get(b->mesh, "face"), *face;
    char name[KEY_MAX + 1];
    size_t index;
    const char *key;
    name_of(w, k, name);
    CN_TRY(cn_mesher_group(w->m, name, strlen(name), &w->m->group));
    CN_TRY(read_points(w, b, name, number));
    json_array_foreach(faces, index, face)
    {
        CN_TRY(read_face(w, face, name, number));
    }
    json_object_foreach(faces, key, face)
    {
        CN_TRY(read_face(w, face, name, number));
    }
    w->m->s.group_is_support[w->m->group] |= b->at.is_support;
    return CN_OK;
}

// ---- the file

static cn_status fail_empty(const walk *w, json_t *root)
{
    char keys[200] = "";
    const char *key;
    json_t *child;
    json_object_foreach(root, key, child)
    {
        size_t used = strlen(keys);
        snprintf(keys + used, sizeof keys - used, "%s%.30s", used > 0 ? ", " : "", key);
    }
    const char *dtype = json_string_value(json_object_get(root, "dtype"));
    return cn_fail(w->m->c->err, CN_BAD_INPUT,
                   "%s: no blocks, which are objects with `vertex` and `face`; %s of dtype '%.60s' "
                   "with the keys: %s",
                   w->m->c->name, json_is_array(root) ? "a list" : "an object",
                   dtype != NULL ? dtype : "none", keys);
}

static cn_status read_all(walk *w, json_t *root)
{
    const place top = {.T = {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};
    CN_TRY(visit(w, root, "", &top));
    if (w->count == 0) {
        return fail_empty(w, root);
    }
    w->m->s.group_is_support = calloc(w->count, sizeof *w->m->s.group_is_support);
    cn_status status =
        w->m->s.group_is_support != NULL
            ? CN_OK
            : cn_fail(w->m->c->err, CN_NO_MEMORY, "out of memory for %zu blocks", w->count);
    for (size_t k = 0; k < w->count && status == CN_OK; k++) {
        json_t *number = json_object();
        status = number != NULL
                     ? read_block(w, k, number)
                     : cn_fail(w->m->c->err, CN_NO_MEMORY, "out of memory for the block %zu", k);
        json_decref(number);
    }
    return status;
}

cn_status cn_read_compas(cn_mesher *m)
{
    json_error_t why;
    const cn_cursor *c = m->c;
    json_t *root = json_loadb(c->begin, (size_t)(c->end - c->begin), 0, &why);
    walk w = {.m = m, .seen = json_object()};
    if (root == NULL) {
        json_decref(w.seen);
        return cn_fail(c->err, CN_BAD_INPUT, "%s:%d: %s", c->name, why.line, why.text);
    }
    cn_status status = w.seen != NULL
                           ? read_all(&w, root)
                           : cn_fail(c->err, CN_NO_MEMORY, "out of memory for names of blocks");
    json_decref(w.seen);
    json_decref(root);
    free(w.block);
    return status;
}
