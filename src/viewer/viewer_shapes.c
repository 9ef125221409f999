// viewer/viewer_shapes.c -- bodies and shapes of a run for the viewer.
//
// Round shapes are sent as their measures; hulls, polygons and surfaces as geometries of triangles
// and edges. Thousands of equal bricks are one geometry: those with the same corners in single
// precision, found by sorting hashes, so that the work of making a hull is done once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/space/round_faces.h"
#include "result/reader.h"
#include "viewer/viewer_meshes.h"
#include "viewer/viewer_scene.h"

// A shape with corners. Equal ones end up with the same geometry.
typedef struct corners {
    uint64_t hash;
    int64_t shape;
    int geometry;
} corners;

typedef struct geometries {
    corners *item; // one per shape with corners, sorted by hash, then by shape
    int64_t item_count;
    int count, made; // made: the one that is being made
    int64_t *first;  // a shape of each geometry
    int *of_shape;   // -1: none
    float *vertex;
    int32_t *triangle, *edge, *start; // start: of vertices, triangles, edges; count + 1 rows
    size_t vertex_size, triangle_size, edge_size; // numbers used
    size_t vertex_room, triangle_room, edge_room;
} geometries;

static const double *shape_points(const cn_reader *r, int64_t k, int *count)
{
    bool is_plane = r->summary.dim == 2;
    *count = is_plane ? r->shape[k].vertex_count : r->solid[k].point_count;
    return is_plane ? r->shape[k].vertex : r->solid[k].point;
}

// Solids that the page has no template of are sent as their faces.
static bool has_faces(const cn_reader *r, int64_t k)
{
    return r->summary.dim == 3 && r->solid[k].kind > CN_SOLID_SURFACE;
}

static int shape_kind(const cn_reader *r, int64_t k)
{
    return r->summary.dim == 2 ? (int)r->shape[k].kind : (int)r->solid[k].kind;
}

static uint64_t hash_points(const cn_reader *r, int64_t k)
{
    int count;
    const double *x = shape_points(r, k, &count);
    uint64_t hash = cn_mix((uint64_t)shape_kind(r, k));
    for (int n = 0; n < r->summary.dim * count; n++) {
        float value = (float)x[n] + 0.0f; // -0 is 0
        hash = cn_hash_bytes(hash, &value, sizeof value);
    }
    if (has_faces(r, k)) {
        hash = cn_hash_bytes(hash, r->solid[k].size, sizeof r->solid[k].size);
    }
    return hash;
}

static bool is_equal(const cn_reader *r, int64_t a, int64_t b)
{
    int count_a, count_b;
    const double *x = shape_points(r, a, &count_a), *y = shape_points(r, b, &count_b);
    bool is_same = count_a == count_b && shape_kind(r, a) == shape_kind(r, b);
    for (int n = 0; is_same && n < r->summary.dim * count_a; n++) {
        is_same = (float)x[n] == (float)y[n];
    }
    return is_same && (!has_faces(r, a) ||
                       memcmp(r->solid[a].size, r->solid[b].size, sizeof r->solid[a].size) == 0);
}

static int by_hash(const void *left, const void *right)
{
    const corners *a = left, *b = right;
    if (a->hash != b->hash) {
        return a->hash < b->hash ? -1 : 1;
    }
    return a->shape < b->shape ? -1 : 1;
}

static cn_status list_corners(const cn_reader *r, geometries *g, cn_error *err)
{
    size_t room[3] = {0}, shapes = (size_t)r->shape_count;
    CN_TRY(cn_reserve(NULL, &g->item, &room[0], shapes, err));
    CN_TRY(cn_reserve(NULL, &g->first, &room[1], shapes, err));
    CN_TRY(cn_reserve(NULL, &g->of_shape, &room[2], shapes, err));
    for (int64_t k = 0; k < r->shape_count; k++) {
        int count;
        shape_points(r, k, &count);
        g->of_shape[k] = -1;
        if (count > 0 || has_faces(r, k)) {
            g->item[g->item_count++] = (corners){.hash = hash_points(r, k), .shape = k};
        }
    }
    qsort(g->item, (size_t)g->item_count, sizeof *g->item, by_hash);
    return CN_OK;
}

// Numbers the geometries in the order of their hashes.
static void number_geometries(const cn_reader *r, geometries *g)
{
    for (int64_t n = 0; n < g->item_count; n++) {
        corners *c = &g->item[n];
        bool is_new = n == 0 || c->hash != c[-1].hash || !is_equal(r, c->shape, c[-1].shape);
        if (is_new) {
            g->first[g->count++] = c->shape;
        }
        c->geometry = g->count - 1;
        g->of_shape[c->shape] = c->geometry;
    }
}

static cn_status add_vertex(geometries *g, double x, double y, double z, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &g->vertex, &g->vertex_room, g->vertex_size + 3, err));
    float *to = g->vertex + g->vertex_size;
    to[0] = (float)x;
    to[1] = (float)y;
    to[2] = (float)z;
    g->vertex_size += 3;
    return CN_OK;
}

static cn_status add_triangle(geometries *g, int a, int b, int c, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &g->triangle, &g->triangle_room, g->triangle_size + 3, err));
    int32_t *to = g->triangle + g->triangle_size;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    g->triangle_size += 3;
    return CN_OK;
}

static cn_status add_edge(geometries *g, int a, int b, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &g->edge, &g->edge_room, g->edge_size + 2, err));
    g->edge[g->edge_size] = a;
    g->edge[g->edge_size + 1] = b;
    g->edge_size += 2;
    return CN_OK;
}

static cn_status add_polygon(geometries *g, const cn_shape_def *s, cn_error *err)
{
    for (int k = 0; k < s->vertex_count; k++) {
        CN_TRY(add_vertex(g, s->vertex[2 * k], s->vertex[2 * k + 1], 0.0, err));
        CN_TRY(add_edge(g, k, (k + 1) % s->vertex_count, err));
    }
    for (int k = 2; k < s->vertex_count; k++) {
        CN_TRY(add_triangle(g, 0, k - 1, k, err));
    }
    return CN_OK;
}

static cn_status add_hull(geometries *g, const cn_hull *h, cn_error *err)
{
    for (int k = 0; k < h->vertex_count; k++) {
        CN_TRY(add_vertex(g, h->vertex[k].x, h->vertex[k].y, h->vertex[k].z, err));
    }
    for (int k = 0; k < h->edge_count; k++) {
        CN_TRY(add_edge(g, h->edge[k][0], h->edge[k][1], err));
    }
    for (int f = 0; f < h->face_count; f++) {
        const int *loop = h->face_vertex + h->face_start[f];
        for (int k = 2; k < h->face_start[f + 1] - h->face_start[f]; k++) {
            CN_TRY(add_triangle(g, loop[0], loop[k - 1], loop[k], err));
        }
    }
    return CN_OK;
}

// Edges of surfaces are left to the viewer, which shows the sharp ones only.
static cn_status add_surface(geometries *g, const cn_solid_def *s, cn_error *err)
{
    for (int k = 0; k < s->point_count; k++) {
        const double *x = s->point + 3 * (size_t)k;
        CN_TRY(add_vertex(g, x[0], x[1], x[2], err));
    }
    for (int k = 0; k + 2 < s->point_count; k += 3) {
        CN_TRY(add_triangle(g, k, k + 1, k + 2, err));
    }
    return CN_OK;
}

// A face as a fan; its edges are as smooth as those of surfaces.
static cn_status add_face(void *context, const cn_vec3 *corner, int count, cn_error *err)
{
    geometries *g = context;
    int first = (int)(g->vertex_size / 3) - g->start[3 * g->made];
    for (int k = 0; k < count; k++) {
        CN_TRY(add_vertex(g, corner[k].x, corner[k].y, corner[k].z, err));
    }
    for (int k = 2; k < count; k++) {
        CN_TRY(add_triangle(g, first, first + k - 1, first + k, err));
    }
    return CN_OK;
}

static cn_status add_geometry(cn_reader *r, geometries *g, int64_t shape, cn_error *err)
{
    if (r->summary.dim == 2) {
        return add_polygon(g, &r->shape[shape], err);
    }
    const cn_solid_def *solid = &r->solid[shape];
    if (solid->kind == CN_SOLID_SURFACE) {
        return add_surface(g, solid, err);
    }
    if (has_faces(r, shape)) {
        cn_fineness fine = {.rings = 16, .sides = 32};
        return cn_solid_faces(solid, &fine, add_face, g, err);
    }
    const cn_hull *hull;
    CN_TRY(cn_reader_hull(r, solid, &hull, err));
    return add_hull(g, hull, err);
}

static void note_start(geometries *g, int k)
{
    g->start[3 * k] = (int32_t)(g->vertex_size / 3);
    g->start[3 * k + 1] = (int32_t)(g->triangle_size / 3);
    g->start[3 * k + 2] = (int32_t)(g->edge_size / 2);
}

static cn_status make_geometries(cn_reader *r, geometries *g, cn_error *err)
{
    CN_TRY(list_corners(r, g, err));
    number_geometries(r, g);
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &g->start, &room, 3 * ((size_t)g->count + 1), err));
    for (int k = 0; k < g->count; k++) {
        note_start(g, k);
        g->made = k;
        CN_TRY(add_geometry(r, g, g->first[k], err));
    }
    note_start(g, g->count);
    return CN_OK;
}

static void free_geometries(geometries *g)
{
    CN_RELEASE(g->item, g->first, g->of_shape, g->start, g->vertex, g->triangle, g->edge);
}

static cn_status copy_block(cn_blocks *b, const char *name, cn_block_kind kind, int width,
                            size_t numbers, const void *from, cn_error *err)
{
    void *to;
    CN_TRY(cn_blocks_add(b, name, kind, width, (int64_t)(numbers / (size_t)width), &to, err));
    if (numbers > 0) {
        memcpy(to, from, 4 * numbers);
    }
    return CN_OK;
}

static cn_status add_geometries(const geometries *g, cn_blocks *b, cn_error *err)
{
    CN_TRY(copy_block(b, "geometry.start", CN_BLOCK_INT, 3, 3 * ((size_t)g->count + 1), g->start,
                      err));
    CN_TRY(copy_block(b, "geometry.vertex", CN_BLOCK_FLOAT, 3, g->vertex_size, g->vertex, err));
    CN_TRY(copy_block(b, "geometry.triangle", CN_BLOCK_INT, 3, g->triangle_size, g->triangle, err));
    return copy_block(b, "geometry.edge", CN_BLOCK_INT, 2, g->edge_size, g->edge, err);
}

// radius, length, thickness; place; turn.
static void shape_measures(const cn_reader *r, int64_t k, float row[10])
{
    if (r->summary.dim == 2) {
        const cn_shape_def *s = &r->shape[k];
        const double value[10] = {
            s->radius, s->length,           s->thickness, s->at[0], s->at[1],
            0.0,       cos(0.5 * s->angle), 0.0,          0.0,      sin(0.5 * s->angle)};
        for (int n = 0; n < 10; n++) {
            row[n] = (float)value[n];
        }
        return;
    }
    const cn_solid_def *s = &r->solid[k];
    const double value[10] = {s->radius,      s->length,     s->thickness,   s->at[0],
                              s->at[1],       s->at[2],      s->rotation[0], s->rotation[1],
                              s->rotation[2], s->rotation[3]};
    for (int n = 0; n < 10; n++) {
        row[n] = (float)value[n];
    }
}

static cn_status add_shapes(const cn_reader *r, const geometries *g, cn_blocks *b, cn_error *err)
{
    int32_t *row;
    CN_TRY(cn_blocks_add(b, "shape.row", CN_BLOCK_INT, 3, r->shape_count, &row, err));
    for (int64_t k = 0; k < r->shape_count; k++) {
        row[3 * k] = shape_kind(r, k);
        row[3 * k + 1] = g->of_shape[k];
        row[3 * k + 2] = r->summary.dim == 3 ? (int32_t)r->solid[k].ends : 0;
    }
    float *measure;
    CN_TRY(cn_blocks_add(b, "shape.measure", CN_BLOCK_FLOAT, 10, r->shape_count, &measure, err));
    for (int64_t k = 0; k < r->shape_count; k++) {
        shape_measures(r, k, measure + 10 * k);
    }
    return CN_OK;
}

static cn_status add_bodies(const cn_reader *r, cn_blocks *b, cn_error *err)
{
    int32_t *row;
    CN_TRY(cn_blocks_add(b, "body.row", CN_BLOCK_INT, 5, r->body_count, &row, err));
    for (int64_t k = 0; k < r->body_count; k++) {
        const cn_body_row *body = &r->body[k];
        const int32_t value[5] = {(int32_t)(body->id & 0xffffffffu), (int32_t)(body->id >> 32),
                                  body->group, (int32_t)body->shape_start,
                                  (int32_t)body->shape_count};
        memcpy(row + 5 * k, value, sizeof value);
    }
    double *mass;
    CN_TRY(cn_blocks_add(b, "body.mass", CN_BLOCK_DOUBLE, 5, r->body_count, &mass, err));
    for (int64_t k = 0; k < r->body_count; k++) {
        const cn_body_row *body = &r->body[k];
        const double value[5] = {body->mass, body->inertia[0], body->inertia[1], body->inertia[2],
                                 body->size};
        memcpy(mass + 5 * k, value, sizeof value);
    }
    unsigned char *is_fixed;
    CN_TRY(cn_blocks_add(b, "body.fixed", CN_BLOCK_BYTE, 1, r->body_count, &is_fixed, err));
    for (int64_t k = 0; k < r->body_count; k++) {
        is_fixed[k] = cn_reader_is_fixed(r, r->body[k].id);
    }
    return CN_OK;
}

// Names in the scene, one per line; empty lines where the file does not tell.
static cn_status add_names(const cn_reader *r, cn_blocks *b, cn_error *err)
{
    int64_t size = 0;
    for (int64_t k = 0; k < r->body_count; k++) {
        const char *name = cn_reader_body_name(r, r->body[k].id);
        size += 1 + (name != NULL ? (int64_t)strlen(name) : 0);
    }
    char *to;
    CN_TRY(cn_blocks_add(b, "body.name", CN_BLOCK_BYTE, 1, size, &to, err));
    for (int64_t k = 0; k < r->body_count; k++) {
        const char *name = cn_reader_body_name(r, r->body[k].id);
        size_t length = name != NULL ? strlen(name) : 0;
        memcpy(to, name != NULL ? name : "", length);
        to[length] = '\n';
        to += length + 1;
    }
    return CN_OK;
}

cn_status cn_viewer_shapes(cn_reader *reader, const double origin[3], cn_blocks *blocks,
                           cn_error *err)
{
    geometries g = {0};
    cn_status status = make_geometries(reader, &g, err);
    CN_THEN(status, cn_blocks_begin(blocks, err));
    CN_THEN(status, add_bodies(reader, blocks, err));
    CN_THEN(status, add_names(reader, blocks, err));
    CN_THEN(status, add_shapes(reader, &g, blocks, err));
    CN_THEN(status, add_geometries(&g, blocks, err));
    CN_THEN(status, cn_viewer_add_meshes(reader, origin, blocks, err));
    free_geometries(&g);
    return status;
}
