// geometry/surface/read/read_stl.c -- STL. Binary: 80 bytes of header, a count, 50 bytes per
// triangle (normal, three corners, two bytes of attributes; single precision, little-endian). Text:
// `solid name`, facets, `endsolid`, as often as wanted; each solid is a group.
//
// A binary header may begin with "solid" too, so the length decides first: a text file cannot be
// exactly as long as its bytes 80 to 83, which are letters, would ask for as a count.
#include <strings.h>

#include "base/memory.h"
#include "geometry/surface/read/surface_draft.h"

enum { HEADER = 80, FACET = 50, LOOKED_AT = 1024 };

// Text begins with "solid" and has no zero byte near its start.
static bool is_text(const cn_cursor *c)
{
    cn_cursor look = *c;
    size_t length = (size_t)(c->end - c->begin);
    size_t looked_at = length < LOOKED_AT ? length : LOOKED_AT;
    return strcasecmp(cn_cursor_word(&look), "solid") == 0 &&
           memchr(c->begin, '\0', looked_at) == NULL;
}

static cn_status add_facet(cn_mesher *m)
{
    int first = m->s.vertex_count - 3;
    int corner[3] = {first, first + 1, first + 2};
    return cn_mesher_face(m, corner, 3, (int64_t)m->s.triangle_count + 1);
}

static cn_status read_binary(cn_mesher *m, uint32_t count)
{
    cn_cursor *c = m->c;
    c->at = c->begin + HEADER + 4;
    for (uint32_t k = 0; k < count; k++) {
        const char *facet;
        const char *start = c->at;
        CN_TRY(cn_cursor_bytes(c, FACET, "a triangle", &facet));
        for (int n = 1; n <= 3; n++) {
            const char *p = facet + 12 * n;
            c->at = p;
            CN_TRY(cn_mesher_vertex(m, cn_cursor_f32(c, p), cn_cursor_f32(c, p + 4),
                                    cn_cursor_f32(c, p + 8)));
        }
        c->at = start + FACET;
        CN_TRY(add_facet(m));
    }
    return CN_OK;
}

static cn_status expect(cn_cursor *c, const char *word)
{
    if (strcasecmp(c->word, word) != 0) {
        return cn_cursor_fail(c, "expected '%s', found '%.40s'%s", word, c->word,
                              c->word[0] == '\0' ? " (the file ends here)" : "");
    }
    return CN_OK;
}

static cn_status expect_next(cn_cursor *c, const char *word)
{
    cn_cursor_word(c);
    return expect(c, word);
}

// The word "facet" has been read. The normal is not used: corners tell the outside.
static cn_status read_facet(cn_mesher *m)
{
    cn_cursor *c = m->c;
    CN_TRY(expect_next(c, "normal"));
    for (int k = 0; k < 3; k++) {
        cn_cursor_word(c);
    }
    CN_TRY(expect_next(c, "outer"));
    CN_TRY(expect_next(c, "loop"));
    for (int k = 0; k < 3; k++) {
        double x, y, z;
        CN_TRY(expect_next(c, "vertex"));
        CN_TRY(cn_cursor_number(c, "x of a vertex", &x));
        CN_TRY(cn_cursor_number(c, "y of a vertex", &y));
        CN_TRY(cn_cursor_number(c, "z of a vertex", &z));
        CN_TRY(cn_mesher_vertex(m, x, y, z));
    }
    CN_TRY(expect_next(c, "endloop"));
    CN_TRY(expect_next(c, "endfacet"));
    return add_facet(m);
}

// The word "solid" has been read.
static cn_status read_solid(cn_mesher *m)
{
    cn_cursor *c = m->c;
    const char *name;
    size_t length;
    cn_cursor_rest(c, &name, &length);
    m->group = -1;
    if (length > 0) {
        CN_TRY(cn_mesher_group(m, name, length, &m->group));
    }
    while (strcasecmp(cn_cursor_word(c), "facet") == 0) {
        CN_TRY(read_facet(m));
    }
    if (strcasecmp(c->word, "endsolid") != 0) {
        return cn_cursor_fail(c, "expected 'facet' or 'endsolid', found '%.40s'%s", c->word,
                              c->word[0] == '\0' ? " (the file ends here)" : "");
    }
    cn_cursor_skip_line(c);
    return CN_OK;
}

static cn_status read_text(cn_mesher *m)
{
    while (cn_cursor_word(m->c)[0] != '\0') {
        CN_TRY(expect(m->c, "solid"));
        CN_TRY(read_solid(m));
    }
    return CN_OK;
}

cn_status cn_read_stl(cn_mesher *m)
{
    cn_cursor *c = m->c;
    size_t length = (size_t)(c->end - c->begin);
    m->is_welded = true;
    cn_cursor_set_order(c, true);
    uint32_t count = length >= HEADER + 4 ? cn_cursor_u32(c, c->begin + HEADER) : 0;
    uint64_t wanted = HEADER + 4 + (uint64_t)count * FACET;
    if (length >= HEADER + 4 && wanted == length) {
        c->is_binary = true;
        return read_binary(m, count);
    }
    if (is_text(c)) {
        return read_text(m);
    }
    c->is_binary = true;
    if (length < HEADER + 4) {
        return cn_cursor_fail(c,
                              "neither text that begins with 'solid' nor a binary header of %d "
                              "bytes: the file has %zu",
                              HEADER + 4, length);
    }
    if (wanted > length) {
        c->at = c->end;
        return cn_cursor_fail(c,
                              "the header promises %u triangles, that is %llu bytes, but the file "
                              "ends here: it was cut off or is not STL",
                              (unsigned)count, (unsigned long long)wanted);
    }
    cn_mesher_remark(m, "%llu bytes behind the last triangle are ignored",
                     (unsigned long long)(length - wanted));
    return read_binary(m, count);
}
