// fem/mesh/read_mesh_msh.c -- volume meshes from gmsh files. The sections are read by
// mesh/read_msh*.c; here elements are sorted by dimension and put in the order of nodes of
// cairn/fem.h.
#include <stdlib.h>
#include <string.h>

#include "fem/mesh/mesh_file.h"
#include "geometry/surface/read/msh.h"

// Types of gmsh that are elements here, or sides of them.
static const struct {
    int number, type;
} known[] = {{1, CN_SEG2},  {8, CN_SEG3},   {2, CN_TRI3},  {9, CN_TRI6},
             {3, CN_QUAD4}, {16, CN_QUAD8}, {4, CN_TET4},  {11, CN_TET10},
             {5, CN_HEX8},  {17, CN_HEX20}, {6, CN_WEDGE6}};

// Where gmsh keeps the nodes of ours; others have the same order.
static const int tet10_order[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const int hex20_order[] = {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                  13, 9, 16, 18, 19, 17, 10, 12, 14, 15};

static int type_of(int number)
{
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (known[k].number == number) {
            return known[k].type;
        }
    }
    return -1;
}

static cn_status take(cn_msh *f, const cn_msh_type *type, int64_t element, int group)
{
    cn_volume_file *s = f->context;
    s->other += type->dimension > s->dim;
    if (type->dimension > s->dim) {
        return CN_OK;
    }
    if (type->dimension < s->dim - 1) {
        return cn_volume_file_mark(s, group, type->node_count, f->m->corner);
    }
    int own = type_of(type->number);
    if (own < 0) {
        return cn_cursor_fail(
            f->c,
            "element %lld has type %d of gmsh, %d nodes; known are tri3 tri6 quad4 "
            "quad8 tet4 tet10 hex8 hex20 wedge6",
            (long long)element, type->number, type->node_count);
    }
    const int *order = own == CN_TET10 ? tet10_order : own == CN_HEX20 ? hex20_order : NULL;
    return cn_volume_file_take(s, own, element, group, f->m->corner, order);
}

static cn_status build(cn_msh *f)
{
    cn_volume_file *s = f->context;
    s->vertex_count = f->m->s.vertex_count;
    s->vertex = f->m->s.vertex;
    s->number = f->node.tag;
    s->group_count = f->m->s.group_count;
    s->group_name = (const char *const *)f->m->s.group_name;
    return cn_volume_file_build(s);
}

cn_status cn_volume_read_msh(cn_cursor *c, cn_volume_file *to)
{
    cn_surface_def def = cn_surface_def_default();
    cn_mesher m = {.c = c, .def = &def, .group = -1};
    cn_status status = cn_msh_read_elements(&m, take, build, to, false);
    cn_chain_free(&m.names);
    free(m.corner);
    free(m.split);
    cn_surface_free(&m.s);
    return status;
}
