// geometry/surface/read/read_ply.c -- PLY: a header that describes elements and their properties,
// then their rows as text or binary values of either byte order. Of the element `vertex` x, y and z
// are taken, of `face` the list vertex_indices (or vertex_index); everything else is skipped.
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/surface/read/surface_draft.h"

enum { ELEMENT_MAX = 64, PROPERTY_MAX = 256 };

// The types, and their names in the two spellings.
typedef enum type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, TYPE_COUNT } type;

static const char *const type_name[2][TYPE_COUNT] = {
    {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"},
    {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"},
};

static const size_t type_size[TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 4, 8};

// What a property is used for.
typedef enum role { ROLE_NONE, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS } role;

typedef struct property {
    role role;
    bool is_list;
    type count_type; // of a list
    type value_type;
} property;

typedef enum content { CONTENT_OTHER, CONTENT_VERTEX, CONTENT_FACE } content;

typedef struct element {
    content content;
    int64_t count;
    int property_start, property_count;
} element;

typedef struct header {
    bool is_text;
    int element_count, property_count;
    element element[ELEMENT_MAX];
    property property[PROPERTY_MAX];
} header;

static cn_status read_type(cn_cursor *c, type *t)
{
    cn_cursor_word_in_line(c);
    for (int k = 0; k < TYPE_COUNT; k++) {
        if (strcmp(c->word, type_name[0][k]) == 0 || strcmp(c->word, type_name[1][k]) == 0) {
            *t = (type)k;
            return CN_OK;
        }
    }
    return cn_cursor_fail(c, "unknown type '%.40s' of a property", c->word);
}

static cn_status read_format_line(cn_cursor *c, header *h)
{
    const char *word = cn_cursor_word_in_line(c);
    if (strcmp(word, "ascii") == 0) {
        h->is_text = true;
    } else if (strcmp(word, "binary_little_endian") == 0) {
        cn_cursor_set_order(c, true);
    } else if (strcmp(word, "binary_big_endian") == 0) {
        cn_cursor_set_order(c, false);
    } else {
        return cn_cursor_fail(c,
                              "the format is ascii, binary_little_endian or binary_big_endian, "
                              "found '%.40s'",
                              word);
    }
    return CN_OK;
}

static cn_status read_element_line(cn_cursor *c, header *h)
{
    if (h->element_count == ELEMENT_MAX) {
        return cn_cursor_fail(c, "more than %d elements", ELEMENT_MAX);
    }
    element *e = &h->element[h->element_count++];
    *e = (element){.property_start = h->property_count};
    const char *name = cn_cursor_word_in_line(c);
    if (strcmp(name, "vertex") == 0) {
        e->content = CONTENT_VERTEX;
    } else if (strcmp(name, "face") == 0) {
        e->content = CONTENT_FACE;
    } else if (strcmp(name, "tristrips") == 0) {
        return cn_cursor_fail(c, "strips of triangles are not read; save the surface with faces");
    }
    cn_cursor_word_in_line(c);
    CN_TRY(cn_cursor_as_integer(c, "the number of elements", &e->count));
    if (e->count < 0 || e->count > CN_SURFACE_COUNT_MAX) {
        return cn_cursor_fail(c, "the number of elements must be 0 to %d, got %lld",
                              CN_SURFACE_COUNT_MAX, (long long)e->count);
    }
    return CN_OK;
}

static role role_of(content of, const char *name)
{
    if (of == CONTENT_VERTEX && name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0') {
        return (role)(ROLE_X + (name[0] - 'x'));
    }
    bool is_corners = strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    return of == CONTENT_FACE && is_corners ? ROLE_CORNERS : ROLE_NONE;
}

static cn_status read_property_line(cn_cursor *c, header *h)
{
    if (h->element_count == 0) {
        return cn_cursor_fail(c, "a property before the first element");
    }
    if (h->property_count == PROPERTY_MAX) {
        return cn_cursor_fail(c, "more than %d properties", PROPERTY_MAX);
    }
    element *e = &h->element[h->element_count - 1];
    property *p = &h->property[h->property_count++];
    *p = (property){0};
    e->property_count++;
    cn_cursor look = *c;
    if (strcmp(cn_cursor_word_in_line(&look), "list") == 0) {
        cn_cursor_word_in_line(c);
        p->is_list = true;
        CN_TRY(read_type(c, &p->count_type));
        if (p->count_type >= FLOAT32) {
            return cn_cursor_fail(c, "the length of a list must have a whole type, not %s",
                                  c->word);
        }
    }
    CN_TRY(read_type(c, &p->value_type));
    p->role = role_of(e->content, cn_cursor_word_in_line(c));
    if ((p->role == ROLE_CORNERS) != p->is_list && p->role != ROLE_NONE) {
        return cn_cursor_fail(c, "property '%.40s' %s be a list", c->word,
                              p->is_list ? "must not" : "must");
    }
    return CN_OK;
}

static cn_status read_header_line(cn_cursor *c, header *h, const char *word, bool *has_format)
{
    if (strcmp(word, "format") == 0) {
        *has_format = true;
        return read_format_line(c, h);
    }
    if (strcmp(word, "element") == 0) {
        return read_element_line(c, h);
    }
    if (strcmp(word, "property") == 0) {
        return read_property_line(c, h);
    }
    if (strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0 && word[0] != '\0') {
        return cn_cursor_fail(c, "unknown line '%.40s' in the header", word);
    }
    return CN_OK;
}

static cn_status read_header(cn_cursor *c, header *h)
{
    if (strcmp(cn_cursor_word_in_line(c), "ply") != 0) {
        return cn_cursor_fail(c, "a PLY file begins with 'ply'");
    }
    bool has_format = false;
    for (;;) {
        cn_cursor_skip_line(c);
        if (c->at >= c->end) {
            return cn_cursor_fail(c, "the header has no 'end_header'");
        }
        const char *word = cn_cursor_word_in_line(c);
        if (strcmp(word, "end_header") == 0) {
            break;
        }
        CN_TRY(read_header_line(c, h, word, &has_format));
    }
    if (!has_format) {
        return cn_cursor_fail(c, "the header has no line 'format'");
    }
    cn_cursor_skip_line(c);
    return CN_OK;
}

// Which roles an element has, as bits; a role given twice is not possible to obey.
static cn_status check_element(cn_cursor *c, const header *h, const element *e, bool seen[3])
{
    static const char *const missing[3] = {
        "", "element vertex has no properties x, y and z",
        "element face has no list vertex_indices; point clouds are not surfaces"};
    unsigned roles = 0;
    for (int k = 0; k < e->property_count; k++) {
        role r = h->property[e->property_start + k].role;
        if (r != ROLE_NONE && (roles & 1u << r) != 0) {
            return cn_cursor_fail(c, "a property of element %s is there twice",
                                  e->content == CONTENT_VERTEX ? "vertex" : "face");
        }
        roles |= 1u << r;
    }
    unsigned wanted = e->content == CONTENT_VERTEX ? 1u << ROLE_X | 1u << ROLE_Y | 1u << ROLE_Z
                      : e->content == CONTENT_FACE ? 1u << ROLE_CORNERS
                                                   : 0u;
    if ((roles & wanted) != wanted) {
        return cn_cursor_fail(c, "%s", missing[e->content]);
    }
    if (e->content != CONTENT_OTHER && seen[e->content]) {
        return cn_cursor_fail(c, "an element is there twice");
    }
    seen[e->content] = true;
    if (e->content == CONTENT_FACE && !seen[CONTENT_VERTEX]) {
        return cn_cursor_fail(c, "element vertex must come before element face");
    }
    return CN_OK;
}

static double decode(const cn_cursor *c, type t, const char *bytes)
{
    switch (t) {
    case INT8:
        return (double)(int8_t)*bytes;
    case UINT8:
        return (double)(uint8_t)*bytes;
    case INT16:
        return (double)(int16_t)cn_cursor_u16(c, bytes);
    case UINT16:
        return (double)cn_cursor_u16(c, bytes);
    case INT32:
        return (double)(int32_t)cn_cursor_u32(c, bytes);
    case UINT32:
        return (double)cn_cursor_u32(c, bytes);
    case FLOAT32:
        return cn_cursor_f32(c, bytes);
    case FLOAT64:
    case TYPE_COUNT:
        break;
    }
    return cn_cursor_f64(c, bytes);
}

static cn_status read_value(cn_cursor *c, const header *h, type t, const char *what, double *value)
{
    if (h->is_text) {
        return cn_cursor_number(c, what, value);
    }
    const char *bytes;
    CN_TRY(cn_cursor_bytes(c, type_size[t], what, &bytes));
    *value = decode(c, t, bytes);
    return CN_OK;
}

// Property whose value is not needed; text may be anything, even nan.
static cn_status skip_value(cn_cursor *c, const header *h, type t)
{
    if (h->is_text) {
        if (cn_cursor_word(c)[0] == '\0') {
            return cn_cursor_fail(c, "the file ends within an element");
        }
        return CN_OK;
    }
    const char *bytes;
    return cn_cursor_bytes(c, type_size[t], "an element", &bytes);
}

static cn_status read_length(cn_cursor *c, const header *h, const property *p, int *length)
{
    double count = 0.0;
    CN_TRY(read_value(c, h, p->count_type, "the length of a list", &count));
    // Each value takes a byte at least, in text with its blank two.
    size_t least = h->is_text ? 2 : type_size[p->value_type];
    if (!(count >= 0.0 && count <= CN_SURFACE_COUNT_MAX) || count != (double)(int)count ||
        !cn_cursor_has(c, (int64_t)count, least)) {
        return cn_cursor_fail(
            c, "a list has %.9g values: more than the file can hold, or no length", count);
    }
    *length = (int)count;
    return CN_OK;
}

static cn_status read_corner(cn_mesher *m, const header *h, const property *p, int *corner)
{
    double value = 0.0;
    CN_TRY(read_value(m->c, h, p->value_type, "a corner of a face", &value));
    if (!(value >= 0.0 && value < (double)m->s.vertex_count) || value != (double)(int)value) {
        return cn_cursor_fail(m->c, "a face names vertex %.9g; there are %d, counted from 0", value,
                              m->s.vertex_count);
    }
    *corner = (int)value;
    return CN_OK;
}

static cn_status read_face(cn_mesher *m, const header *h, const property *p, int64_t number)
{
    int count = 0;
    CN_TRY(read_length(m->c, h, p, &count));
    if (count < 3) {
        return cn_cursor_fail(m->c, "face %lld has %d corners, at least 3 are needed",
                              (long long)number, count);
    }
    CN_TRY(cn_mesher_room(m, count));
    for (int k = 0; k < count; k++) {
        CN_TRY(read_corner(m, h, p, &m->corner[k]));
    }
    return cn_mesher_face(m, m->corner, count, number);
}

static cn_status skip_property(cn_cursor *c, const header *h, const property *p)
{
    int count = 1;
    if (p->is_list) {
        CN_TRY(read_length(c, h, p, &count));
    }
    for (int k = 0; k < count; k++) {
        CN_TRY(skip_value(c, h, p->value_type));
    }
    return CN_OK;
}

static cn_status read_row(cn_mesher *m, const header *h, const element *e, int64_t row)
{
    double place[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < e->property_count; k++) {
        const property *p = &h->property[e->property_start + k];
        if (p->role == ROLE_NONE) {
            CN_TRY(skip_property(m->c, h, p));
        } else if (p->role == ROLE_CORNERS) {
            CN_TRY(read_face(m, h, p, row + 1));
        } else {
            CN_TRY(read_value(m->c, h, p->value_type, "a coordinate", &place[p->role - ROLE_X]));
        }
    }
    return e->content == CONTENT_VERTEX ? cn_mesher_vertex(m, place[0], place[1], place[2]) : CN_OK;
}

static cn_status read_element(cn_mesher *m, const header *h, const element *e)
{
    // Each row takes a byte at least, so no count can make us run long after the end of the file.
    if (e->property_count > 0 && !cn_cursor_has(m->c, e->count, 1)) {
        return cn_cursor_fail(m->c,
                              "the header promises %lld rows, the file has only %lld bytes left",
                              (long long)e->count, (long long)(m->c->end - m->c->at));
    }
    for (int64_t row = 0; e->property_count > 0 && row < e->count; row++) {
        CN_TRY(read_row(m, h, e, row));
    }
    return CN_OK;
}

static cn_status read_all(cn_mesher *m, header *h)
{
    bool seen[3] = {false, false, false};
    CN_TRY(read_header(m->c, h));
    for (int k = 0; k < h->element_count; k++) {
        CN_TRY(check_element(m->c, h, &h->element[k], seen));
    }
    m->c->is_binary = !h->is_text;
    for (int k = 0; k < h->element_count; k++) {
        CN_TRY(read_element(m, h, &h->element[k]));
    }
    return CN_OK;
}

cn_status cn_read_ply(cn_mesher *m)
{
    header *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return cn_fail(m->c->err, CN_NO_MEMORY, "out of memory for the header of a PLY file");
    }
    cn_status status = read_all(m, h);
    free(h);
    return status;
}
