// viewer/viewer_meshes.c -- see viewer_meshes.h.
//
// In the plane every element is drawn, in space the sides that have one element; both are split
// into triangles of nodes, so that a frame need only move the nodes. An edge is drawn where two
// triangles of different elements or sides meet, or where there is only one.
#include "viewer/viewer_meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fem/assembly/fem.h"
#include "fem/element/element.h"
#include "result/reader.h"

#define CORNERS_MAX 8 // of an element

// Lists of all meshes, one after the other; nodes count from the first of their own mesh.
typedef struct lists {
    float *node;                              // x y z in the reference position
    int32_t *row, *triangle, *edge, *element; // element: corners, -1 behind them
    size_t node_count, triangle_count, edge_count, element_count;
    size_t node_room, row_room, triangle_room, edge_room, element_room;
} lists;

// Triangles of one mesh, and which element or side each is part of.
typedef struct pieces {
    int *triangle, *part, count;
} pieces;

typedef struct side {
    int low, high; // its nodes
    int part;
} side;

static void free_lists(lists *l)
{
    CN_RELEASE(l->node, l->row, l->triangle, l->edge, l->element);
}

static cn_status split_elements(const cn_mesh_def *mesh, pieces *p, cn_error *err)
{
    size_t room = (size_t)mesh->element_count * CN_FACETS_MAX, capacity[2] = {0, 0};
    CN_TRY(cn_reserve(NULL, &p->triangle, &capacity[0], 3 * room, err));
    CN_TRY(cn_reserve(NULL, &p->part, &capacity[1], room, err));
    for (int e = 0; e < mesh->element_count; e++) {
        int parts = cn_fem_face_split(mesh->type[e], mesh->element_node + mesh->element_start[e],
                                      p->triangle + 3 * p->count);
        for (int k = 0; k < parts; k++) {
            p->part[p->count++] = e;
        }
    }
    return CN_OK;
}

static int compare_sides(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->part > b->part) - (a->part < b->part);
}

// Sides of triangles, those between two triangles of one part left out, each once.
static cn_status add_edges(lists *l, const pieces *p, cn_error *err)
{
    size_t count = 3 * (size_t)p->count, capacity = 0;
    side *list = NULL;
    CN_TRY(cn_reserve(NULL, &list, &capacity, count, err));
    for (size_t k = 0; k < count; k++) {
        int a = p->triangle[k], b = p->triangle[k % 3 == 2 ? k - 2 : k + 1];
        list[k] = (side){a < b ? a : b, a < b ? b : a, p->part[k / 3]};
    }
    qsort(list, count, sizeof *list, compare_sides);
    cn_status status = cn_reserve(NULL, &l->edge, &l->edge_room, 2 * (l->edge_count + count), err);
    for (size_t k = 0, next = 0; status == CN_OK && k < count; k = next) {
        bool is_edge = false;
        for (next = k;
             next < count && list[next].low == list[k].low && list[next].high == list[k].high;
             next++) {
            is_edge = is_edge || list[next].part != list[k].part;
        }
        if (is_edge || next == k + 1) {
            int32_t *to = l->edge + 2 * l->edge_count++;
            to[0] = list[k].low;
            to[1] = list[k].high;
        }
    }
    cn_release(NULL, list);
    return status;
}

static cn_status add_triangles(lists *l, const pieces *p, cn_error *err)
{
    size_t count = (size_t)p->count;
    CN_TRY(cn_reserve(NULL, &l->triangle, &l->triangle_room, 3 * (l->triangle_count + count), err));
    for (size_t k = 0; k < 3 * count; k++) {
        l->triangle[3 * l->triangle_count + k] = p->triangle[k];
    }
    l->triangle_count += count;
    return add_edges(l, p, err);
}

static cn_status add_surface(lists *l, const cn_mesh_def *mesh, cn_error *err)
{
    pieces p = {0};
    cn_status status = mesh->dim == 2 ? split_elements(mesh, &p, err)
                                      : cn_fem_facets(mesh, &p.triangle, &p.part, &p.count, err);
    CN_THEN(status, add_triangles(l, &p, err));
    CN_RELEASE(p.triangle, p.part);
    return status;
}

static cn_status add_places(lists *l, const cn_mesh_def *mesh, const double origin[3],
                            cn_error *err)
{
    size_t dim = (size_t)mesh->dim, count = (size_t)mesh->node_count;
    CN_TRY(cn_reserve(NULL, &l->node, &l->node_room, 3 * (l->node_count + count), err));
    float *to = l->node + 3 * l->node_count;
    for (size_t n = 0; n < count; n++) {
        for (size_t d = 0; d < 3; d++) {
            to[3 * n + d] = d < dim ? (float)(mesh->node[dim * n + d] - origin[d]) : 0.0f;
        }
    }
    l->node_count += count;
    return CN_OK;
}

static cn_status add_corners(lists *l, const cn_mesh_def *mesh, cn_error *err)
{
    size_t count = (size_t)mesh->element_count, width = CORNERS_MAX;
    CN_TRY(
        cn_reserve(NULL, &l->element, &l->element_room, width * (l->element_count + count), err));
    int32_t *to = l->element + width * l->element_count;
    for (size_t e = 0; e < count; e++) {
        int corners = cn_element_of(mesh->type[e])->corner_count;
        for (int k = 0; k < CORNERS_MAX; k++) {
            to[width * e + (size_t)k] =
                k < corners ? mesh->element_node[mesh->element_start[e] + k] : -1;
        }
    }
    l->element_count += count;
    return CN_OK;
}

static cn_status add_mesh(lists *l, const cn_reader *r, int64_t k, const double origin[3],
                          cn_error *err)
{
    const cn_mesh_def *mesh = &r->mesh[k];
    size_t node = l->node_count, triangle = l->triangle_count, edge = l->edge_count,
           element = l->element_count;
    CN_TRY(add_places(l, mesh, origin, err));
    CN_TRY(add_surface(l, mesh, err));
    CN_TRY(add_corners(l, mesh, err));
    CN_TRY(cn_reserve(NULL, &l->row, &l->row_room, 9 * (size_t)(k + 1), err));
    const int32_t row[9] = {(int32_t)cn_id_map_find(&r->map, r->mesh_row[k].id),
                            (int32_t)node,
                            (int32_t)(l->node_count - node),
                            (int32_t)triangle,
                            (int32_t)(l->triangle_count - triangle),
                            (int32_t)edge,
                            (int32_t)(l->edge_count - edge),
                            (int32_t)element,
                            (int32_t)(l->element_count - element)};
    memcpy(l->row + 9 * k, row, sizeof row);
    return CN_OK;
}

static cn_status add_block(cn_blocks *b, const char *name, cn_block_kind kind, int width,
                           size_t count, const void *values, cn_error *err)
{
    void *room;
    CN_TRY(cn_blocks_add(b, name, kind, width, (int64_t)count, &room, err));
    memcpy(room, values, 4 * (size_t)width * count);
    return CN_OK;
}

static cn_status write_lists(const lists *l, size_t meshes, cn_blocks *b, cn_error *err)
{
    CN_TRY(add_block(b, "mesh.row", CN_BLOCK_INT, 9, meshes, l->row, err));
    CN_TRY(add_block(b, "mesh.node", CN_BLOCK_FLOAT, 3, l->node_count, l->node, err));
    CN_TRY(add_block(b, "mesh.triangle", CN_BLOCK_INT, 3, l->triangle_count, l->triangle, err));
    CN_TRY(add_block(b, "mesh.edge", CN_BLOCK_INT, 2, l->edge_count, l->edge, err));
    return add_block(b, "mesh.element", CN_BLOCK_INT, CORNERS_MAX, l->element_count, l->element,
                     err);
}

cn_status cn_viewer_add_meshes(cn_reader *r, const double origin[3], cn_blocks *blocks,
                               cn_error *err)
{
    int64_t count = (int64_t)r->mesh_map.count;
    lists l = {0};
    cn_status status = CN_OK;
    for (int64_t k = 0; status == CN_OK && k < count; k++) {
        status = add_mesh(&l, r, k, origin, err);
    }
    if (status == CN_OK && count > 0) {
        status = write_lists(&l, (size_t)count, blocks, err);
    }
    free_lists(&l);
    return status;
}

static size_t count_nodes(const cn_frame *f)
{
    size_t count = 0;
    for (int k = 0; k < f->mesh_count; k++) {
        count += (size_t)f->mesh[k].node_count;
    }
    return count;
}

// Three numbers of every node: its velocity, or its place less the origin.
static void put_nodes(const cn_frame *f, bool is_rate, const double origin[3], float *to)
{
    size_t dim = (size_t)f->dim;
    for (int k = 0; k < f->mesh_count; k++) {
        const cn_frame_mesh *m = &f->mesh[k];
        const double *from = is_rate ? m->v : m->x;
        for (size_t n = 0; n < (size_t)m->node_count; n++, to += 3) {
            for (size_t d = 0; d < dim; d++) {
                to[d] = (float)(from[dim * n + d] - (is_rate ? 0.0 : origin[d]));
            }
        }
    }
}

static cn_status add_stresses(const cn_frame *f, size_t count, cn_blocks *b, cn_error *err)
{
    float *stress;
    CN_TRY(cn_blocks_add(b, "node.stress", CN_BLOCK_ROUGH, 6, (int64_t)count, &stress, err));
    for (int k = 0; k < f->mesh_count; k++) {
        size_t numbers = 6 * (size_t)f->mesh[k].node_count;
        for (size_t n = 0; n < numbers; n++) {
            *stress++ = (float)f->mesh[k].stress[n];
        }
    }
    return CN_OK;
}

cn_status cn_viewer_add_nodes(const cn_reader *reader, const cn_frame *f, const double origin[3],
                              cn_blocks *b, cn_error *err)
{
    if (f->mesh_count == 0) {
        return CN_OK;
    }
    int32_t *row;
    float *at, *rate;
    size_t count = count_nodes(f);
    CN_TRY(cn_blocks_add(b, "mesh.row", CN_BLOCK_INT, 2, f->mesh_count, &row, err));
    for (int k = 0; k < f->mesh_count; k++) {
        row[2 * k] = f->mesh[k].body;
        row[2 * k + 1] = (int32_t)cn_id_map_find(&reader->mesh_map, f->id[f->mesh[k].body]);
    }
    CN_TRY(cn_blocks_add(b, "node.at", CN_BLOCK_FLOAT, 3, (int64_t)count, &at, err));
    put_nodes(f, false, origin, at);
    CN_TRY(cn_blocks_add(b, "node.rate", CN_BLOCK_ROUGH, 3, (int64_t)count, &rate, err));
    put_nodes(f, true, origin, rate);
    return f->mesh[0].stress != NULL ? add_stresses(f, count, b, err) : CN_OK;
}
