// volume/read_msh.c -- volume meshes from gmsh files. The sections are read by mesh/read_msh*.c;
// here elements are sorted by dimension, put in the order of nodes of cairn/deformable.h and
// checked, and physical groups become sets.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "mesh/msh.h"
#include "volume/volume.h"

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

typedef struct cell {
    int64_t number; // in the file
    int first;      // of its nodes
    int type, group;
} cell;

typedef struct cells {
    int count, node_count;
    cell *cell;
    int *node;
    size_t capacity, node_capacity;
} cells;

typedef struct reading {
    int dim;
    double scale;
    cells inside, side; // elements, and those one dimension below
    int other;          // elements of a higher dimension than the mesh
    int *node_of;       // vertex to node, -1: none
    cn_volume *v;
} reading;

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
    reading *r = f->context;
    r->other += type->dimension > r->dim;
    if (type->dimension != r->dim && type->dimension != r->dim - 1) {
        return CN_OK;
    }
    cells *to = type->dimension == r->dim ? &r->inside : &r->side;
    int own = type_of(type->number);
    if (own < 0) {
        return cn_cursor_fail(
            f->c,
            "element %lld has type %d of gmsh, %d nodes; known are tri3 tri6 quad4 "
            "quad8 tet4 tet10 hex8 hex20 wedge6",
            (long long)element, type->number, type->node_count);
    }
    size_t nodes = (size_t)(to->node_count + type->node_count);
    CN_TRY(cn_reserve(NULL, &to->cell, &to->capacity, (size_t)to->count + 1, f->c->err));
    CN_TRY(cn_reserve(NULL, &to->node, &to->node_capacity, nodes, f->c->err));
    const int *order = own == CN_TET10 ? tet10_order : own == CN_HEX20 ? hex20_order : NULL;
    for (int k = 0; k < type->node_count; k++) {
        to->node[to->node_count + k] = f->m->corner[order != NULL ? order[k] : k];
    }
    to->cell[to->count++] = (cell){element, to->node_count, own, group};
    to->node_count += type->node_count;
    return CN_OK;
}

// Least and largest determinant of the map of an element at its integration points.
static void jacobians(const reading *r, int e, double *least, double *most)
{
    const cn_volume *v = r->v;
    const cn_element *element = cn_element_of(v->type[e]);
    const int *node = v->element_node + v->element_start[e];
    for (int p = 0; p < element->stiffness->count; p++) {
        double N[CN_ELEMENT_NODES_MAX], dN[CN_ELEMENT_DOFS_MAX], J[3][3] = {{0}};
        element->shape(element->stiffness->at[p], N, dN);
        for (int a = 0; a < element->node_count; a++) {
            for (int i = 0; i < r->dim; i++) {
                for (int k = 0; k < r->dim; k++) {
                    J[i][k] += v->node[r->dim * node[a] + i] * dN[r->dim * a + k];
                }
            }
        }
        double det = r->dim == 2 ? J[0][0] * J[1][1] - J[0][1] * J[1][0]
                                 : J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                                       J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                                       J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
        *least = p == 0 || det < *least ? det : *least;
        *most = p == 0 || det > *most ? det : *most;
    }
}

// A plane mesh seen from behind: the other way around each element.
static void turn_over(cn_volume *v, int e)
{
    int *node = v->element_node + v->element_start[e], old[CN_ELEMENT_NODES_MAX];
    const cn_element *element = cn_element_of(v->type[e]);
    int c = element->corner_count;
    memcpy(old, node, sizeof(int) * (size_t)element->node_count);
    for (int k = 0; k < c; k++) {
        node[k] = old[(c - k) % c];
        if (element->node_count > c) {
            node[c + k] = old[c + (c - 1 - k)];
        }
    }
}

static cn_status check_elements(const reading *r, cn_cursor *c)
{
    cn_volume *v = r->v;
    double least = 0.0, most = 0.0;
    bool is_behind = r->dim == 2;
    for (int e = 0; e < r->inside.count && is_behind; e++) {
        jacobians(r, e, &least, &most);
        is_behind = most < 0.0;
    }
    for (int e = 0; e < r->inside.count; e++) {
        if (is_behind) {
            turn_over(v, e);
        }
        jacobians(r, e, &least, &most);
        if (!(least > 0.0)) {
            return cn_fail(
                c->err, CN_BAD_INPUT, "%s: element %lld (%s) is %s: its Jacobian falls to %g",
                c->name, (long long)r->inside.cell[e].number, cn_element_name(v->type[e]),
                most <= 0.0 && least < 0.0 ? "inside out" : "without volume or folded", least);
        }
    }
    return CN_OK;
}

static cn_status place_nodes(cn_msh *f, reading *r)
{
    const cn_surface *s = &f->m->s;
    size_t room[2] = {0, 0}, vertices = (size_t)s->vertex_count;
    CN_TRY(cn_reserve(NULL, &r->node_of, &room[0], vertices, f->c->err));
    CN_TRY(cn_reserve(NULL, &r->v->node, &room[1], (size_t)r->dim * vertices, f->c->err));
    for (int k = 0; k < s->vertex_count; k++) {
        r->node_of[k] = -1;
    }
    for (int k = 0; k < r->inside.node_count; k++) {
        r->node_of[r->inside.node[k]] = 0;
    }
    int count = 0;
    for (int k = 0; k < s->vertex_count; k++) {
        if (r->node_of[k] < 0) {
            return cn_fail(f->c->err, CN_BAD_INPUT,
                           "%s: node %lld belongs to no element of dimension %d: save the physical "
                           "groups only, or remove it",
                           f->c->name, (long long)f->node.tag[k], r->dim);
        }
        for (int d = 0; d < 3; d++) {
            double x = s->vertex[3 * k + d];
            if (d < r->dim) {
                r->v->node[r->dim * count + d] = r->scale * x;
            } else if (x != 0.0) {
                return cn_fail(f->c->err, CN_BAD_INPUT,
                               "%s: node %lld has z = %g: a mesh in the plane lies in z = 0",
                               f->c->name, (long long)f->node.tag[k], x);
            }
        }
        r->node_of[k] = count++;
    }
    r->v->mesh.node_count = count;
    return CN_OK;
}

static cn_status place_elements(cn_msh *f, reading *r)
{
    cn_volume *v = r->v;
    size_t room[4] = {0}, count = (size_t)r->inside.count;
    CN_TRY(cn_reserve(NULL, &v->type, &room[0], count, f->c->err));
    CN_TRY(cn_reserve(NULL, &v->element_start, &room[1], count + 1, f->c->err));
    CN_TRY(cn_reserve(NULL, &v->element_node, &room[2], (size_t)r->inside.node_count, f->c->err));
    CN_TRY(cn_reserve(NULL, &v->element_group, &room[3], count, f->c->err));
    for (size_t e = 0; e < count; e++) {
        v->type[e] = (unsigned char)r->inside.cell[e].type;
        v->element_start[e] = r->inside.cell[e].first;
        v->element_group[e] = r->inside.cell[e].group;
    }
    v->element_start[count] = r->inside.node_count;
    for (int k = 0; k < r->inside.node_count; k++) {
        v->element_node[k] = r->node_of[r->inside.node[k]];
    }
    return check_elements(r, f->c);
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Hash of the corners of a side, whatever their order.
static uint64_t side_hash(const int *node, int count, int sorted[CN_SIDE_NODES_MAX])
{
    memcpy(sorted, node, sizeof(int) * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_ints);
    return cn_hash_bytes((uint64_t)count, sorted, sizeof(int) * (size_t)count);
}

// All sides of all elements, to be found by their corners. Side n is pair[2 n], pair[2 n + 1].
typedef struct side_table {
    cn_chain chain;
    int *pair;
    size_t capacity;
} side_table;

static int corners_of(const cn_volume *v, int e, int side, int node[CN_SIDE_NODES_MAX])
{
    const cn_element_side *s = &cn_element_of(v->type[e])->side[side];
    int count = cn_element_of(s->type)->corner_count;
    for (int k = 0; k < count; k++) {
        node[k] = v->element_node[v->element_start[e] + s->node[k]];
    }
    return count;
}

static cn_status list_sides(const cn_volume *v, int element_count, side_table *table, cn_error *err)
{
    for (int e = 0; e < element_count; e++) {
        for (int s = 0; s < cn_element_of(v->type[e])->side_count; s++) {
            int node[CN_SIDE_NODES_MAX], sorted[CN_SIDE_NODES_MAX];
            int count = corners_of(v, e, s, node);
            size_t place = 2 * (size_t)table->chain.count;
            CN_TRY(cn_reserve(NULL, &table->pair, &table->capacity, place + 2, err));
            table->pair[place] = e;
            table->pair[place + 1] = s;
            CN_TRY(cn_chain_add(&table->chain, side_hash(node, count, sorted), err));
        }
    }
    return CN_OK;
}

// The side with these corners, -1: none.
static int find_side(const cn_volume *v, const side_table *table, const int *node, int count)
{
    int sorted[CN_SIDE_NODES_MAX], other[CN_SIDE_NODES_MAX], other_sorted[CN_SIDE_NODES_MAX];
    uint64_t hash = side_hash(node, count, sorted);
    for (int k = cn_chain_first(&table->chain, hash); k >= 0; k = cn_chain_next(&table->chain, k)) {
        int corners = corners_of(v, table->pair[2 * k], table->pair[2 * k + 1], other);
        side_hash(other, corners, other_sorted);
        if (corners == count && memcmp(sorted, other_sorted, sizeof(int) * (size_t)count) == 0) {
            return k;
        }
    }
    return -1;
}

// Appends nodes of the cells of a group to v->set_data and counts them.
static int gather_nodes(const reading *r, const cells *from, int group, int *to)
{
    int count = 0;
    for (int k = 0; k < from->count; k++) {
        int nodes = cn_element_of(from->cell[k].type)->node_count;
        for (int n = 0; from->cell[k].group == group && n < nodes; n++) {
            to[count++] = r->node_of[from->node[from->cell[k].first + n]];
        }
    }
    return count;
}

static cn_status gather_sides(const reading *r, const side_table *table, int group, int *to,
                              int *count, cn_cursor *c)
{
    for (int k = 0; k < r->side.count; k++) {
        const cell *side = &r->side.cell[k];
        if (side->group != group) {
            continue;
        }
        int node[CN_SIDE_NODES_MAX], corners = cn_element_of(side->type)->corner_count;
        for (int n = 0; n < corners; n++) {
            node[n] = r->node_of[r->side.node[side->first + n]];
        }
        int found = find_side(r->v, table, node, corners);
        if (found < 0) {
            return cn_fail(c->err, CN_BAD_INPUT,
                           "%s: element %lld is a side of no element of dimension %d", c->name,
                           (long long)side->number, r->dim);
        }
        to[2 * *count] = table->pair[2 * found];
        to[2 * *count + 1] = table->pair[2 * found + 1];
        ++*count;
    }
    return CN_OK;
}

// Each group is a set: its nodes, once each, and its sides.
static cn_status place_sets(cn_msh *f, reading *r, const side_table *table)
{
    cn_volume *v = r->v;
    const cn_surface *s = &f->m->s;
    size_t room[4] = {0}, groups = (size_t)s->group_count, text = 0;
    size_t data = (size_t)(r->inside.node_count + r->side.node_count) + 2 * (size_t)r->side.count;
    for (int g = 0; g < s->group_count; g++) {
        text += strlen(s->group_name[g]) + 1;
    }
    CN_TRY(cn_reserve(NULL, &v->set, &room[0], groups, f->c->err));
    CN_TRY(cn_reserve(NULL, &v->set_data, &room[1], data, f->c->err));
    CN_TRY(cn_reserve(NULL, &v->set_text, &room[2], text, f->c->err));
    CN_TRY(cn_reserve(NULL, &v->group_name, &room[3], groups, f->c->err));
    int *to = v->set_data;
    char *name = v->set_text;
    for (int g = 0; g < s->group_count; g++) {
        memcpy(name, s->group_name[g], strlen(s->group_name[g]) + 1);
        int count = gather_nodes(r, &r->inside, g, to);
        count += gather_nodes(r, &r->side, g, to + count);
        qsort(to, (size_t)count, sizeof *to, compare_ints);
        int kept = 0, sides = 0;
        for (int k = 0; k < count; k++) {
            if (kept == 0 || to[k] != to[kept - 1]) {
                to[kept++] = to[k];
            }
        }
        CN_TRY(gather_sides(r, table, g, to + kept, &sides, f->c));
        v->set[g] = (cn_mesh_set){name, kept, to, sides, to + kept};
        v->group_name[g] = name;
        to += kept + 2 * sides;
        name += strlen(name) + 1;
    }
    v->group_count = s->group_count;
    return CN_OK;
}

static cn_status build(cn_msh *f)
{
    reading *r = f->context;
    if (r->inside.count == 0) {
        return cn_fail(f->c->err, CN_BAD_INPUT, "%s: no elements of dimension %d%s", f->c->name,
                       r->dim,
                       r->other > 0        ? ", but volumes: this is a mesh in space"
                       : r->side.count > 0 ? ", only of lower dimension: mesh the inside too"
                                           : "");
    }
    CN_TRY(place_nodes(f, r));
    CN_TRY(place_elements(f, r));
    side_table table = {0};
    cn_status status = list_sides(r->v, r->inside.count, &table, f->c->err);
    if (status == CN_OK) {
        status = place_sets(f, r, &table);
    }
    cn_chain_free(&table.chain);
    free(table.pair);
    cn_volume *v = r->v;
    v->mesh.dim = r->dim;
    v->mesh.node = v->node;
    v->mesh.element_count = r->inside.count;
    v->mesh.type = v->type;
    v->mesh.element_start = v->element_start;
    v->mesh.element_node = v->element_node;
    v->mesh.set_count = v->group_count;
    v->mesh.set = v->set;
    return status;
}

cn_status cn_volume_parse(const char *name, const void *bytes, size_t length, int dim, double scale,
                          cn_volume **volume, cn_error *err)
{
    *volume = NULL;
    if ((dim != 2 && dim != 3) || !(scale > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "%s: a mesh has dimension 2 or 3 and a scale > 0", name);
    }
    cn_cursor c = {.name = name,
                   .begin = bytes,
                   .at = bytes,
                   .end = (const char *)bytes + length,
                   .line = 1,
                   .err = err};
    cn_surface_def def = cn_surface_def_default();
    cn_mesher m = {.c = &c, .def = &def, .group = -1};
    reading r = {.dim = dim, .scale = scale, .v = calloc(1, sizeof *r.v)};
    cn_status status = r.v != NULL ? cn_msh_read_elements(&m, take, build, &r)
                                   : cn_fail(err, CN_NO_MEMORY, "out of memory for a mesh");
    cn_chain_free(&m.names);
    free(m.corner);
    free(m.split);
    cn_surface_free(&m.s);
    free(r.inside.cell);
    free(r.inside.node);
    free(r.side.cell);
    free(r.side.node);
    free(r.node_of);
    if (status != CN_OK) {
        cn_volume_destroy(r.v);
        return status;
    }
    *volume = r.v;
    return CN_OK;
}

int cn_volume_group_count(const cn_volume *volume)
{
    return volume->group_count;
}

const char *cn_volume_group_name(const cn_volume *volume, int group)
{
    return group >= 0 && group < volume->group_count ? volume->group_name[group] : NULL;
}

const int *cn_volume_element_group(const cn_volume *volume)
{
    return volume->element_group;
}
