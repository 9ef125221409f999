// geometry/surface/read/read_msh2.c -- nodes and elements of gmsh 2.x. The counts are text in
// binary files too.
#include "base/memory.h"
#include "geometry/surface/read/msh.h"

static cn_status read_count(cn_msh *f, const char *what, size_t size, int64_t *count)
{
    CN_TRY(cn_cursor_integer(f->c, what, count));
    if (!f->is_text) {
        cn_cursor_skip_line(f->c);
    }
    return cn_msh_count_ok(f, what, *count, size);
}

cn_status cn_msh2_nodes(cn_msh *f)
{
    int64_t count = 0;
    CN_TRY(read_count(f, "nodes", 28, &count));
    for (int64_t k = 0; k < count; k++) {
        int64_t tag = 0;
        double p[3] = {0.0, 0.0, 0.0};
        CN_TRY(cn_msh_int(f, "the number of a node", &tag));
        for (int n = 0; n < 3; n++) {
            CN_TRY(cn_msh_real(f, "a coordinate", &p[n]));
        }
        CN_TRY(cn_msh_node(f, tag, f->m->s.vertex_count));
        CN_TRY(cn_mesher_vertex(f->m, p[0], p[1], p[2]));
    }
    return CN_OK;
}

// Tags and nodes of an element; the first tag is its physical group, the second its part of the
// model.
static cn_status read_element(cn_msh *f, const cn_msh_type *type, int64_t element,
                              int64_t tag_count)
{
    int64_t physical = 0, entity = 0, value = 0;
    if (tag_count < 0) {
        return cn_cursor_fail(f->c, "element %lld has %lld tags", (long long)element,
                              (long long)tag_count);
    }
    for (int64_t k = 0; k < tag_count; k++) {
        CN_TRY(cn_msh_int(f, "a tag of an element", &value));
        physical = k == 0 ? value : physical;
        entity = k == 1 ? value : entity;
    }
    for (int k = 0; k < type->node_count; k++) {
        CN_TRY(cn_msh_int(f, "a node of an element", &value));
        CN_TRY(cn_msh_corner(f, k, value, element));
    }
    int group = -1;
    if (cn_msh_takes(f, type->dimension)) {
        CN_TRY(cn_msh_group(f, type->dimension, physical, &group));
    }
    CN_TRY(cn_msh_volume_group(f, type->dimension, entity, &group));
    return cn_msh_element(f, type, element, group);
}

static cn_status read_line(cn_msh *f)
{
    int64_t element = 0, number = 0, tag_count = 0;
    cn_msh_type type;
    CN_TRY(cn_msh_int(f, "the number of an element", &element));
    CN_TRY(cn_msh_int(f, "the type of an element", &number));
    CN_TRY(cn_msh_type_of(f, number, &type));
    CN_TRY(cn_msh_int(f, "the number of tags", &tag_count));
    return read_element(f, &type, element, tag_count);
}

// Binary elements come in blocks of equal type.
static cn_status read_block(cn_msh *f, int64_t *count)
{
    int64_t number = 0, tag_count = 0;
    cn_msh_type type;
    CN_TRY(cn_msh_int(f, "the type of elements", &number));
    CN_TRY(cn_msh_type_of(f, number, &type));
    CN_TRY(cn_msh_int(f, "the number of elements of a block", count));
    CN_TRY(cn_msh_int(f, "the number of tags", &tag_count));
    if (*count < 1) {
        return cn_cursor_fail(f->c, "a block of %lld elements", (long long)*count);
    }
    for (int64_t k = 0; k < *count; k++) {
        int64_t element = 0;
        CN_TRY(cn_msh_int(f, "the number of an element", &element));
        CN_TRY(read_element(f, &type, element, tag_count));
    }
    return CN_OK;
}

cn_status cn_msh2_elements(cn_msh *f)
{
    int64_t count = 0;
    CN_TRY(read_count(f, "elements", 8, &count));
    while (count > 0) {
        int64_t done = 1;
        CN_TRY(f->is_text ? read_line(f) : read_block(f, &done));
        count -= done;
    }
    return CN_OK;
}
