// geometry/surface/read/read_msh4.c -- entities, nodes and elements of gmsh 4.1. Elements belong to
// entities of the model (points, curves, surfaces, volumes), and these to physical groups.
#include "base/memory.h"
#include "geometry/surface/read/msh.h"

// Reads a list of ints; *first is the first of them, 0 if there is none.
static cn_status read_list(cn_msh *f, const char *what, int64_t *first)
{
    int64_t count = 0, value = 0;
    *first = 0;
    CN_TRY(cn_msh_size(f, what, &count));
    CN_TRY(cn_msh_count_ok(f, what, count, 4));
    for (int64_t k = 0; k < count; k++) {
        CN_TRY(cn_msh_int(f, what, &value));
        *first = k == 0 ? value : *first;
    }
    return CN_OK;
}

static cn_status read_entity(cn_msh *f, int dimension)
{
    int64_t tag = 0, physical = 0, bounding = 0;
    double box = 0.0;
    CN_TRY(cn_msh_int(f, "the number of an entity", &tag));
    for (int k = 0; k < (dimension == 0 ? 3 : 6); k++) {
        CN_TRY(cn_msh_real(f, "the box of an entity", &box));
    }
    CN_TRY(read_list(f, "physical groups", &physical));
    if (dimension > 0) {
        CN_TRY(read_list(f, "bounding entities", &bounding));
    }
    int64_t key = cn_msh_key(dimension, tag);
    if (cn_msh_takes(f, dimension) && cn_tags_find(&f->entity, key) < 0 && physical != 0) {
        int group = -1;
        // The sign of a physical group is an orientation.
        CN_TRY(cn_msh_group(f, dimension, physical < 0 ? -physical : physical, &group));
        CN_TRY(cn_tags_add(&f->entity, key, group, f->c->err));
    }
    return CN_OK;
}

cn_status cn_msh4_entities(cn_msh *f)
{
    int64_t count[4];
    for (int dimension = 0; dimension < 4; dimension++) {
        CN_TRY(cn_msh_size(f, "the number of entities", &count[dimension]));
        CN_TRY(cn_msh_count_ok(f, "entities", count[dimension], 36));
    }
    for (int dimension = 0; dimension < 4; dimension++) {
        for (int64_t k = 0; k < count[dimension]; k++) {
            CN_TRY(read_entity(f, dimension));
        }
    }
    return CN_OK;
}

// Number of blocks; what else is in the first line is not needed.
static cn_status read_first_line(cn_msh *f, const char *what, int64_t *block_count)
{
    int64_t ignored = 0;
    CN_TRY(cn_msh_size(f, what, block_count));
    CN_TRY(cn_msh_count_ok(f, what, *block_count, 20));
    for (int k = 0; k < 3; k++) {
        CN_TRY(cn_msh_size(f, "the number of nodes or elements, or the range of their tags",
                           &ignored));
    }
    return CN_OK;
}

typedef struct block {
    int64_t dimension, entity, kind, count; // kind: parametric (nodes) or type (elements)
} block;

static cn_status read_block(cn_msh *f, const char *what, block *b)
{
    CN_TRY(cn_msh_int(f, "the dimension of an entity", &b->dimension));
    CN_TRY(cn_msh_int(f, "the number of an entity", &b->entity));
    CN_TRY(cn_msh_int(f, "the kind of a block", &b->kind));
    CN_TRY(cn_msh_size(f, what, &b->count));
    if (b->dimension < 0 || b->dimension > 3) {
        return cn_cursor_fail(f->c, "an entity of dimension %lld", (long long)b->dimension);
    }
    return cn_msh_count_ok(f, what, b->count, 8);
}

static cn_status read_node_block(cn_msh *f)
{
    block b;
    CN_TRY(read_block(f, "nodes", &b));
    for (int64_t k = 0; k < b.count; k++) {
        int64_t tag = 0;
        CN_TRY(cn_msh_size(f, "the number of a node", &tag));
        // Every tag takes a byte at least, so this cannot overflow before the file ends.
        CN_TRY(cn_msh_node(f, tag, f->m->s.vertex_count + (int)k));
    }
    int64_t value_count = 3 + (b.kind != 0 ? b.dimension : 0);
    for (int64_t k = 0; k < b.count; k++) {
        double p[6] = {0.0};
        for (int64_t n = 0; n < value_count; n++) {
            CN_TRY(cn_msh_real(f, "a coordinate", &p[n]));
        }
        CN_TRY(cn_mesher_vertex(f->m, p[0], p[1], p[2]));
    }
    return CN_OK;
}

cn_status cn_msh4_nodes(cn_msh *f)
{
    int64_t block_count = 0;
    CN_TRY(read_first_line(f, "blocks of nodes", &block_count));
    for (int64_t k = 0; k < block_count; k++) {
        CN_TRY(read_node_block(f));
    }
    return CN_OK;
}

static cn_status read_element_block(cn_msh *f)
{
    block b;
    cn_msh_type type;
    CN_TRY(read_block(f, "elements", &b));
    CN_TRY(cn_msh_type_of(f, b.kind, &type));
    int group = cn_tags_find(&f->entity, cn_msh_key(b.dimension, b.entity));
    CN_TRY(cn_msh_volume_group(f, b.dimension, b.entity, &group));
    for (int64_t k = 0; k < b.count; k++) {
        int64_t element = 0, node = 0;
        CN_TRY(cn_msh_size(f, "the number of an element", &element));
        for (int n = 0; n < type.node_count; n++) {
            CN_TRY(cn_msh_size(f, "a node of an element", &node));
            CN_TRY(cn_msh_corner(f, n, node, element));
        }
        CN_TRY(cn_msh_element(f, &type, element, group));
    }
    return CN_OK;
}

cn_status cn_msh4_elements(cn_msh *f)
{
    int64_t block_count = 0;
    CN_TRY(read_first_line(f, "blocks of elements", &block_count));
    for (int64_t k = 0; k < block_count; k++) {
        CN_TRY(read_element_block(f));
    }
    return CN_OK;
}
