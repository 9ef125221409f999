// geometry/surface/read/read_dxf.c -- DXF drawings as text: 3DFACE and polyface meshes, a group for
// each layer; lines, texts and what is in paper space are left out. What holds solids in a form
// that is not read (ACIS solids, meshes, inserted blocks with faces) is refused, never skipped.
//
// A file is pairs of lines, a code and a value; code 0 begins an entity, whose other pairs follow.
#include "base/memory.h"
#include "geometry/surface/read/surface_draft.h"

#include <stdlib.h>

enum { CORNER_MOST = 4 };
enum { POLYLINE_IS_MESH = 16, POLYLINE_IS_POLYFACE = 64 };
enum { VERTEX_IS_POINT = 64, VERTEX_IS_FACE = 128 };

typedef struct span {
    const char *text;
    size_t length;
} span;

// An entity with what is wanted of it.
typedef struct entity {
    span type, layer, name;
    int64_t line;
    double at[CORNER_MOST][3]; // codes 10 to 33: corners
    int flags;                 // code 70
    int corner[CORNER_MOST];   // codes 71 to 74: vertices of a face, from 1
    bool is_paper;             // code 67
} entity;

typedef struct dxf {
    cn_mesher *m;
    int code; // of the pair that was read last
    span value;
    int64_t line; // of its value
    int64_t face_count;
    // The polyface under way: its first vertex, -1: none.
    int first_vertex;
    bool is_paper;
    // Blocks, which may be inserted, that hold faces or insert others.
    span block; // under way
    span *solid_block;
    int solid_block_count;
    size_t block_capacity;
} dxf;

static bool is_word(span s, const char *word)
{
    return s.length == strlen(word) && memcmp(s.text, word, s.length) == 0;
}

static bool is_same(span a, span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

// The value as a number; c->word is where numbers are read from.
static void take_value(dxf *f)
{
    cn_cursor *c = f->m->c;
    size_t length = f->value.length < CN_WORD_MAX ? f->value.length : CN_WORD_MAX;
    for (size_t k = 0; k < length; k++) {
        c->word[k] = f->value.text[k] == '\0' ? '?' : f->value.text[k];
    }
    c->word[length] = '\0';
}

// The next pair; behind the last one EOF once more.
static cn_status next_pair(dxf *f)
{
    cn_cursor *c = f->m->c;
    if (c->at >= c->end) {
        f->code = 0;
        f->value = (span){"EOF", 3};
        return CN_OK;
    }
    int64_t code = 0;
    cn_cursor_rest(c, &f->value.text, &f->value.length);
    take_value(f);
    CN_TRY(cn_cursor_as_integer(c, "a group code of DXF", &code));
    if (code < -5 || code > 1071) {
        return cn_cursor_fail(c, "group codes of DXF are -5 to 1071, found %lld", (long long)code);
    }
    f->code = (int)code;
    f->line = c->line;
    cn_cursor_rest(c, &f->value.text, &f->value.length);
    return CN_OK;
}

static cn_status take_whole(dxf *f, int *whole)
{
    int64_t value = 0;
    take_value(f);
    CN_TRY(cn_cursor_as_integer(f->m->c, "a flag or index of an entity", &value));
    if (value < INT32_MIN || value > INT32_MAX) {
        return cn_cursor_fail(f->m->c, "a flag or index of %lld is too large", (long long)value);
    }
    *whole = (int)value;
    return CN_OK;
}

static cn_status take_pair(dxf *f, entity *e)
{
    int axis = f->code / 10 - 1, corner = f->code % 10;
    if (f->code >= 10 && f->code < 40 && corner < CORNER_MOST) {
        take_value(f);
        return cn_cursor_as_number(f->m->c, "a coordinate", &e->at[corner][axis]);
    }
    switch (f->code) {
    case 2:
        e->name = f->value;
        return CN_OK;
    case 8:
        e->layer = f->value;
        return CN_OK;
    case 67: {
        int space = 0;
        CN_TRY(take_whole(f, &space));
        e->is_paper = space != 0;
        return CN_OK;
    }
    case 70:
        return take_whole(f, &e->flags);
    case 71:
    case 72:
    case 73:
    case 74:
        return take_whole(f, &e->corner[f->code - 71]);
    default:
        return CN_OK;
    }
}

static bool is_wanted(span type)
{
    static const char *const wanted[] = {"3DFACE", "POLYLINE", "VERTEX", "INSERT", "BLOCK"};
    bool found = false;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        found = found || is_word(type, wanted[k]);
    }
    return found;
}

static bool is_solid_unread(span type)
{
    static const char *const unread[] = {"3DSOLID", "BODY", "MESH", "SURFACE"};
    bool found = false;
    for (size_t k = 0; k < sizeof unread / sizeof *unread; k++) {
        found = found || is_word(type, unread[k]);
    }
    return found;
}

// The entity that begins at the pair read last, up to the next one.
static cn_status read_entity(dxf *f, entity *e)
{
    *e = (entity){.type = f->value, .layer = {"0", 1}, .line = f->line};
    bool wanted = is_wanted(e->type);
    CN_TRY(next_pair(f));
    while (f->code != 0) {
        CN_TRY(wanted ? take_pair(f, e) : CN_OK);
        CN_TRY(next_pair(f));
    }
    return CN_OK;
}

// Messages name the line of the entity.
static cn_cursor *at_entity(dxf *f, const entity *e)
{
    f->m->c->line = e->line;
    return f->m->c;
}

// ---- faces

static cn_status begin_layer(dxf *f, const entity *e)
{
    return cn_mesher_group(f->m, e->layer.text, e->layer.length, &f->m->group);
}

// A face of vertices that are there; equal neighbours are one, and what has no area is left out.
static cn_status add_face(dxf *f, const int *vertex, int count)
{
    cn_mesher *m = f->m;
    int corner[CORNER_MOST], kept = 0;
    for (int k = 0; k < count; k++) {
        const double *a = m->s.vertex + 3 * (size_t)vertex[k];
        const double *b = m->s.vertex + 3 * (size_t)vertex[(k + 1) % count];
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) {
            corner[kept++] = vertex[k];
        }
    }
    f->face_count++;
    return kept >= 3 ? cn_mesher_face(m, corner, kept, f->face_count) : CN_OK;
}

static cn_status add_3dface(dxf *f, const entity *e)
{
    cn_mesher *m = f->m;
    int vertex[CORNER_MOST];
    CN_TRY(begin_layer(f, e));
    for (int k = 0; k < CORNER_MOST; k++) {
        vertex[k] = m->s.vertex_count;
        CN_TRY(cn_mesher_vertex(m, e->at[k][0], e->at[k][1], e->at[k][2]));
    }
    m->is_welded = true; // each face has corners of its own
    return add_face(f, vertex, CORNER_MOST);
}

static cn_status begin_polyline(dxf *f, const entity *e)
{
    f->first_vertex = -1;
    f->is_paper = e->is_paper;
    if (e->is_paper) {
        return CN_OK;
    }
    if ((e->flags & POLYLINE_IS_MESH) != 0) {
        return cn_cursor_fail(at_entity(f, e),
                              "a polygon mesh is not read: explode it to 3DFACEs, or "
                              "write a polyface mesh");
    }
    if ((e->flags & POLYLINE_IS_POLYFACE) != 0) {
        f->first_vertex = f->m->s.vertex_count;
        return begin_layer(f, e);
    }
    return CN_OK;
}

static cn_status add_vertex(dxf *f, const entity *e)
{
    cn_mesher *m = f->m;
    if (f->first_vertex < 0) { // of a line
        return CN_OK;
    }
    if ((e->flags & VERTEX_IS_POINT) != 0) {
        return cn_mesher_vertex(m, e->at[0][0], e->at[0][1], e->at[0][2]);
    }
    int vertex[CORNER_MOST], count = 0, most = m->s.vertex_count - f->first_vertex;
    for (int k = 0; k < CORNER_MOST && e->corner[k] != 0; k++) {
        // Edges that are not drawn have a minus.
        int64_t index = llabs((long long)e->corner[k]);
        if (index > most) {
            return cn_cursor_fail(at_entity(f, e),
                                  "a face names vertex %lld of its polyface, "
                                  "which has %d so far",
                                  (long long)index, most);
        }
        vertex[count++] = f->first_vertex + (int)index - 1;
    }
    if ((e->flags & VERTEX_IS_FACE) == 0 || count < 3) {
        return cn_cursor_fail(at_entity(f, e),
                              "a face of a polyface has %d corners, and at least 3 are needed",
                              count);
    }
    return add_face(f, vertex, count);
}

// ---- sections

static cn_status refuse_solid(dxf *f, const entity *e)
{
    return cn_cursor_fail(at_entity(f, e),
                          "a %.*s is not read: write solids as polyface meshes "
                          "or 3DFACEs, or take them through STEP and gmsh",
                          (int)(e->type.length < 20 ? e->type.length : 20), e->type.text);
}

static cn_status check_insert(dxf *f, const entity *e)
{
    bool has_faces = false;
    for (int k = 0; k < f->solid_block_count; k++) {
        has_faces = has_faces || is_same(f->solid_block[k], e->name);
    }
    if (!has_faces || e->is_paper) {
        return CN_OK;
    }
    return cn_cursor_fail(at_entity(f, e),
                          "the block '%.*s' with faces is inserted, which is not read: explode it "
                          "in the drawing",
                          (int)(e->name.length < 60 ? e->name.length : 60), e->name.text);
}

static cn_status read_drawn(dxf *f, const entity *e)
{
    if (is_word(e->type, "POLYLINE")) {
        return begin_polyline(f, e);
    }
    if (is_word(e->type, "VERTEX")) {
        return f->is_paper ? CN_OK : add_vertex(f, e);
    }
    f->first_vertex = -1;
    if (is_word(e->type, "3DFACE")) {
        return e->is_paper ? CN_OK : add_3dface(f, e);
    }
    if (is_word(e->type, "INSERT")) {
        return check_insert(f, e);
    }
    return is_solid_unread(e->type) ? refuse_solid(f, e) : CN_OK;
}

// Definitions of blocks: which of them hold what must not be lost when they are inserted.
static cn_status read_defined(dxf *f, const entity *e)
{
    bool is_polyface =
        is_word(e->type, "POLYLINE") && (e->flags & (POLYLINE_IS_MESH | POLYLINE_IS_POLYFACE)) != 0;
    if (is_word(e->type, "BLOCK")) {
        f->block = e->name;
    } else if (is_polyface || is_word(e->type, "3DFACE") || is_word(e->type, "INSERT") ||
               is_solid_unread(e->type)) {
        CN_TRY(cn_reserve(NULL, &f->solid_block, &f->block_capacity,
                          (size_t)f->solid_block_count + 1, f->m->c->err));
        f->solid_block[f->solid_block_count++] = f->block;
    }
    return CN_OK;
}

static cn_status read_sections(dxf *f)
{
    span section = {"", 0};
    CN_TRY(next_pair(f));
    while (!(f->code == 0 && is_word(f->value, "EOF"))) {
        if (f->code == 2 && section.length == 0) {
            section = f->value;
        }
        if (f->code != 0 || is_word(f->value, "SECTION")) {
            CN_TRY(next_pair(f));
            continue;
        }
        entity e;
        CN_TRY(read_entity(f, &e));
        if (is_word(e.type, "ENDSEC")) {
            section = (span){"", 0};
        } else if (is_word(section, "ENTITIES")) {
            CN_TRY(read_drawn(f, &e));
        } else if (is_word(section, "BLOCKS")) {
            CN_TRY(read_defined(f, &e));
        }
    }
    return CN_OK;
}

cn_status cn_read_dxf(cn_mesher *m)
{
    static const char binary[] = "AutoCAD Binary DXF";
    cn_cursor *c = m->c;
    size_t length = sizeof binary - 1;
    if ((size_t)(c->end - c->begin) >= length && memcmp(c->begin, binary, length) == 0) {
        return cn_cursor_fail(c, "this is a binary DXF file: write it as text (ASCII)");
    }
    dxf f = {.m = m, .first_vertex = -1};
    cn_status status = read_sections(&f);
    CN_RELEASE(f.solid_block);
    return status;
}
