// fem/mesh/mesh_file.c -- from the elements of a file to a mesh: nodes that are used, elements the
// right way round, groups as sets. The readers of formats fill a source; what is wrong is told with
// the numbers of the file.
#include "fem/mesh/mesh_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "geometry/surface/hash_chain.h"

cn_status cn_volume_file_take(cn_volume_file *r, int type, int64_t number, int group,
                              const int *corner, const int *order)
{
    const cn_element *element = cn_element_of(type);
    cn_file_cells *to = element->dim == r->dim ? &r->inside : &r->side;
    size_t nodes = (size_t)(to->node_count + element->node_count);
    CN_TRY(cn_reserve(NULL, &to->cell, &to->capacity, (size_t)to->count + 1, r->err));
    CN_TRY(cn_reserve(NULL, &to->node, &to->node_capacity, nodes, r->err));
    for (int k = 0; k < element->node_count; k++) {
        to->node[to->node_count + k] = corner[order != NULL ? order[k] : k];
    }
    to->cell[to->count++] = (cn_file_cell){number, to->node_count, type, group};
    to->node_count += element->node_count;
    return CN_OK;
}

cn_status cn_volume_file_mark(cn_volume_file *r, int group, int count, const int *vertex)
{
    for (int k = 0; k < count && group >= 0; k++) {
        CN_TRY(cn_reserve(NULL, &r->mark, &r->mark_capacity, (size_t)r->mark_count + 1, r->err));
        r->mark[r->mark_count++] = (cn_file_mark){vertex[k], group};
    }
    return CN_OK;
}

// Least and largest determinant of the map of an element at its integration points.
static void jacobians(const cn_volume_file *r, int e, double *least, double *most)
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

static cn_status check_elements(const cn_volume_file *r)
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
                r->err, CN_BAD_INPUT, "%s: element %lld (%s) is %s: its Jacobian falls to %g",
                r->name, (long long)r->inside.cell[e].number, cn_element_name(v->type[e]),
                most <= 0.0 && least < 0.0 ? "inside out" : "without volume or folded", least);
        }
    }
    return CN_OK;
}

// Of a vertex in the file.
static long long number_of(const cn_volume_file *r, int vertex)
{
    return r->number != NULL ? (long long)r->number[vertex] : vertex;
}

static cn_status place_nodes(cn_volume_file *r)
{
    size_t room[2] = {0, 0}, vertices = (size_t)r->vertex_count;
    CN_TRY(cn_reserve(NULL, &r->node_of, &room[0], vertices, r->err));
    CN_TRY(cn_reserve(NULL, &r->v->node, &room[1], (size_t)r->dim * vertices, r->err));
    for (int k = 0; k < r->vertex_count; k++) {
        r->node_of[k] = -1;
    }
    for (int k = 0; k < r->inside.node_count; k++) {
        r->node_of[r->inside.node[k]] = 0;
    }
    int count = 0;
    for (int k = 0; k < r->vertex_count; k++) {
        if (r->node_of[k] < 0) {
            return cn_fail(r->err, CN_BAD_INPUT,
                           "%s: node %lld belongs to no element of dimension %d: save the physical "
                           "groups only, or remove it",
                           r->name, number_of(r, k), r->dim);
        }
        for (int d = 0; d < 3; d++) {
            double x = r->vertex[3 * k + d];
            if (d < r->dim) {
                r->v->node[r->dim * count + d] = r->scale * x;
            } else if (x != 0.0) {
                return cn_fail(r->err, CN_BAD_INPUT,
                               "%s: node %lld has z = %g: a mesh in the plane lies in z = 0",
                               r->name, number_of(r, k), x);
            }
        }
        r->node_of[k] = count++;
    }
    r->v->mesh.node_count = count;
    return CN_OK;
}

static cn_status place_elements(cn_volume_file *r)
{
    cn_volume *v = r->v;
    size_t room[4] = {0}, count = (size_t)r->inside.count;
    CN_TRY(cn_reserve(NULL, &v->type, &room[0], count, r->err));
    CN_TRY(cn_reserve(NULL, &v->element_start, &room[1], count + 1, r->err));
    CN_TRY(cn_reserve(NULL, &v->element_node, &room[2], (size_t)r->inside.node_count, r->err));
    CN_TRY(cn_reserve(NULL, &v->element_group, &room[3], count, r->err));
    for (size_t e = 0; e < count; e++) {
        v->type[e] = (unsigned char)r->inside.cell[e].type;
        v->element_start[e] = r->inside.cell[e].first;
        v->element_group[e] = r->inside.cell[e].group;
    }
    v->element_start[count] = r->inside.node_count;
    for (int k = 0; k < r->inside.node_count; k++) {
        v->element_node[k] = r->node_of[r->inside.node[k]];
    }
    return check_elements(r);
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
static int gather_nodes(const cn_volume_file *r, const cn_file_cells *from, int group, int *to)
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

static int gather_marks(const cn_volume_file *r, int group, int *to)
{
    int count = 0;
    for (int k = 0; k < r->mark_count; k++) {
        if (r->mark[k].group == group) {
            to[count++] = r->node_of[r->mark[k].vertex];
        }
    }
    return count;
}

static cn_status gather_sides(const cn_volume_file *r, const side_table *table, int group, int *to,
                              int *count)
{
    for (int k = 0; k < r->side.count; k++) {
        const cn_file_cell *side = &r->side.cell[k];
        if (side->group != group) {
            continue;
        }
        int node[CN_SIDE_NODES_MAX], corners = cn_element_of(side->type)->corner_count;
        for (int n = 0; n < corners; n++) {
            node[n] = r->node_of[r->side.node[side->first + n]];
        }
        int found = find_side(r->v, table, node, corners);
        if (found < 0) {
            return cn_fail(r->err, CN_BAD_INPUT,
                           "%s: element %lld is a side of no element of dimension %d", r->name,
                           (long long)side->number, r->dim);
        }
        to[2 * *count] = table->pair[2 * found];
        to[2 * *count + 1] = table->pair[2 * found + 1];
        ++*count;
    }
    return CN_OK;
}

// Each group is a set: its nodes, once each, and its sides.
static cn_status place_sets(cn_volume_file *r, const side_table *table)
{
    cn_volume *v = r->v;
    size_t room[4] = {0}, groups = (size_t)r->group_count, text = 0;
    size_t data = (size_t)(r->inside.node_count + r->side.node_count + r->mark_count) +
                  2 * (size_t)r->side.count;
    for (int g = 0; g < r->group_count; g++) {
        text += strlen(r->group_name[g]) + 1;
    }
    CN_TRY(cn_reserve(NULL, &v->set, &room[0], groups, r->err));
    CN_TRY(cn_reserve(NULL, &v->set_data, &room[1], data, r->err));
    CN_TRY(cn_reserve(NULL, &v->set_text, &room[2], text, r->err));
    CN_TRY(cn_reserve(NULL, &v->group_name, &room[3], groups, r->err));
    int *to = v->set_data;
    char *name = v->set_text;
    for (int g = 0; g < r->group_count; g++) {
        memcpy(name, r->group_name[g], strlen(r->group_name[g]) + 1);
        int count = gather_nodes(r, &r->inside, g, to);
        count += gather_nodes(r, &r->side, g, to + count);
        count += gather_marks(r, g, to + count);
        qsort(to, (size_t)count, sizeof *to, compare_ints);
        int kept = 0, sides = 0;
        for (int k = 0; k < count; k++) {
            if (kept == 0 || to[k] != to[kept - 1]) {
                to[kept++] = to[k];
            }
        }
        CN_TRY(gather_sides(r, table, g, to + kept, &sides));
        v->set[g] = (cn_mesh_set){name, kept, to, sides, to + kept};
        v->group_name[g] = name;
        to += kept + 2 * sides;
        name += strlen(name) + 1;
    }
    v->group_count = r->group_count;
    return CN_OK;
}

cn_status cn_volume_file_build(cn_volume_file *r)
{
    if (r->other > 0) {
        return cn_fail(r->err, CN_BAD_INPUT,
                       "%s: %d elements have a higher dimension than %d: this is a mesh in space",
                       r->name, r->other, r->dim);
    }
    if (r->inside.count == 0) {
        return cn_fail(r->err, CN_BAD_INPUT, "%s: no elements of dimension %d%s", r->name, r->dim,
                       r->side.count > 0 ? ", only of lower dimension: mesh the inside too" : "");
    }
    CN_TRY(place_nodes(r));
    CN_TRY(place_elements(r));
    side_table table = {0};
    cn_status status = list_sides(r->v, r->inside.count, &table, r->err);
    if (status == CN_OK) {
        status = place_sets(r, &table);
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

// Formats are told apart by how they begin.
static bool is_xml(const char *bytes, size_t length)
{
    size_t k = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // byte order mark
    while (k < length && strchr(" \t\r\n", bytes[k]) != NULL && bytes[k] != '\0') {
        k++;
    }
    return k < length && bytes[k] == '<';
}

cn_status cn_volume_parse(const char *name, const void *bytes, size_t length, int dim, double scale,
                          cn_volume **volume, cn_error *err)
{
    CN_NEED(err, name, volume);
    if (length > 0) {
        CN_NEED(err, bytes);
    }
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
    cn_volume_file r = {
        .name = name, .err = err, .dim = dim, .scale = scale, .v = calloc(1, sizeof *r.v)};
    cn_status status = r.v == NULL ? cn_fail(err, CN_NO_MEMORY, "out of memory for a mesh")
                       : is_xml(bytes, length) ? cn_volume_read_vtu(&c, &r)
                                               : cn_volume_read_msh(&c, &r);
    void *owned[] = {r.inside.cell, r.inside.node, r.side.cell, r.side.node, r.node_of, r.mark};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        free(owned[k]);
    }
    if (status != CN_OK) {
        cn_volume_destroy(r.v);
        return status;
    }
    *volume = r.v;
    return CN_OK;
}

int cn_volume_group_count(const cn_volume *volume)
{
    return volume != NULL ? volume->group_count : 0;
}

const char *cn_volume_group_name(const cn_volume *volume, int group)
{
    return volume != NULL && group >= 0 && group < volume->group_count ? volume->group_name[group]
                                                                       : NULL;
}

const int *cn_volume_element_group(const cn_volume *volume)
{
    return volume != NULL ? volume->element_group : NULL;
}
