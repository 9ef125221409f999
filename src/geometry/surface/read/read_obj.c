// geometry/surface/read/read_obj.c -- Wavefront OBJ: v, f, g and o; textures, normals, materials
// and lines are left out. Read twice: first all vertices, then the faces, which may name vertices
// that come later.
#include <ctype.h>

#include "base/memory.h"
#include "geometry/surface/read/surface_draft.h"

// Statements known and not needed.
static const char *const ignored[] = {
    "vt",  "vn",    "vp",       "l",        "p",      "s",      "mg",         "usemtl",   "mtllib",
    "lod", "bevel", "c_interp", "d_interp", "usemap", "maplib", "shadow_obj", "trace_obj"};

enum { IGNORED_COUNT = sizeof ignored / sizeof *ignored };

static cn_status read_vertex(cn_mesher *m)
{
    static const char *const what[3] = {"x of a vertex", "y of a vertex", "z of a vertex"};
    double p[3];
    for (int k = 0; k < 3; k++) {
        cn_cursor_word_in_line(m->c);
        CN_TRY(cn_cursor_as_number(m->c, what[k], &p[k]));
    }
    return cn_mesher_vertex(m, p[0], p[1], p[2]);
}

// Goes behind this line and those that continue it; a comment is never continued.
static void end_line(cn_cursor *c)
{
    while (c->word[0] != '\0' && c->word[0] != '#') {
        cn_cursor_word_in_line(c);
    }
    cn_cursor_skip_line(c);
}

static cn_status read_vertices(cn_mesher *m)
{
    cn_cursor *c = m->c;
    while (c->at < c->end) {
        if (strcmp(cn_cursor_word_in_line(c), "v") == 0) {
            CN_TRY(read_vertex(m));
        }
        end_line(c);
    }
    return CN_OK;
}

// A corner such as 7, 7/1, 7//3, 7/1/3 or -1 (the last vertex before this line) in c->word.
static cn_status read_corner(cn_mesher *m, int64_t vertices_before, int *corner)
{
    cn_cursor *c = m->c;
    char *slash = strchr(c->word, '/');
    if (slash != NULL) {
        if (strspn(slash, "/-0123456789") != strlen(slash)) {
            return cn_cursor_fail(
                c, "a corner of a face is v, v/vt, v//vn or v/vt/vn, found '%.40s'", c->word);
        }
        *slash = '\0';
    }
    int64_t index = 0;
    CN_TRY(cn_cursor_as_integer(c, "a corner of a face", &index));
    int64_t vertex = index < 0 ? vertices_before + index : index - 1;
    if (index == 0 || vertex < 0 || vertex >= m->s.vertex_count) {
        return cn_cursor_fail(c,
                              "a face names vertex %lld; there are %d, counted from 1 (or from -1 "
                              "backwards: %lld before this line)",
                              (long long)index, m->s.vertex_count, (long long)vertices_before);
    }
    *corner = (int)vertex;
    return CN_OK;
}

static cn_status read_face(cn_mesher *m, int64_t vertices_before, int64_t element)
{
    int count = 0;
    while (cn_cursor_word_in_line(m->c)[0] != '\0' && m->c->word[0] != '#') {
        CN_TRY(cn_mesher_room(m, count));
        CN_TRY(read_corner(m, vertices_before, &m->corner[count]));
        count++;
    }
    if (count < 3) {
        return cn_cursor_fail(m->c, "a face needs at least 3 corners, this one has %d", count);
    }
    return cn_mesher_face(m, m->corner, count, element);
}

static cn_status read_group(cn_mesher *m)
{
    cn_cursor look = *m->c;
    const char *name;
    size_t length;
    cn_cursor_rest(&look, &name, &length);
    return length > 0 ? cn_mesher_group(m, name, length, &m->group)
                      : cn_mesher_group(m, "default", 7, &m->group);
}

static bool begins_group(cn_surface_grouping grouping, char letter)
{
    return grouping == CN_GROUPS_BOTH || (grouping == CN_GROUPS_OBJECTS) == (letter == 'o');
}

static bool is_ignored(const char *word)
{
    for (int k = 0; k < IGNORED_COUNT; k++) {
        if (strcmp(word, ignored[k]) == 0) {
            return true;
        }
    }
    return word[0] == '#' || word[0] == '\0';
}

typedef struct unknown {
    int64_t count, line; // lines, and the first of them
} unknown;

static cn_status read_other(cn_mesher *m, unknown *u)
{
    cn_cursor *c = m->c;
    if (is_ignored(c->word)) {
        return CN_OK;
    }
    for (const char *at = c->word; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '.') {
            return cn_cursor_fail(c,
                                  "this line is no OBJ statement: v, f, g, ...; is it another kind "
                                  "of file?");
        }
    }
    u->line = u->count++ == 0 ? c->line : u->line;
    return CN_OK;
}

static cn_status read_faces(cn_mesher *m, unknown *u)
{
    cn_cursor *c = m->c;
    int64_t vertices_before = 0, element = 0;
    while (c->at < c->end) {
        const char *word = cn_cursor_word_in_line(c);
        if (strcmp(word, "v") == 0) {
            vertices_before++;
        } else if (strcmp(word, "f") == 0) {
            CN_TRY(read_face(m, vertices_before, ++element));
        } else if (strcmp(word, "g") == 0 || strcmp(word, "o") == 0) {
            CN_TRY(begins_group(m->def->grouping, word[0]) ? read_group(m) : CN_OK);
        } else {
            CN_TRY(read_other(m, u));
        }
        end_line(c);
    }
    return CN_OK;
}

cn_status cn_read_obj(cn_mesher *m)
{
    unknown u = {0};
    CN_TRY(read_vertices(m));
    m->c->at = m->c->begin;
    m->c->line = 1;
    CN_TRY(read_faces(m, &u));
    if (u.count > 0) {
        cn_mesher_remark(m, "%lld lines with statements that are not read, the first is line %lld",
                         (long long)u.count, (long long)u.line);
    }
    return CN_OK;
}
