// geometry/surface/blocks.c -- one surface, many blocks: the parts of each group that edges join,
// and what keeps each from being a convex body.
//
// Each group is taken out and looked at alone, so that blocks may share the vertices of their
// faces. Its vertices are joined only if it is open as it is: files that give each block vertices
// of its own keep touching blocks apart by that.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/solid.h"
#include "geometry/surface/topology.h"
#include "geometry/surface/weld.h"

static const double WELD = 1e-9;  // vertices that are one, of the largest extent of the surface [-]
static const double KEEP = 1e-6;  // depth of reflex edges that is more than digits of files, of the
                                  // size of the block [-]
static const double FLAT = 1e-12; // area of triangles that have no plane, of the square size [-]

typedef struct work {
    const cn_surface *s;
    double weld; // [m]
    int *number; // scratch: -1 for each vertex of s
    cn_block_list *blocks;
    size_t capacity;
} work;

// ---- taking triangles out

// The triangles of a list as a surface of their own; `number` holds -1 for each vertex, before and
// after.
static cn_status take_out(const cn_surface *s, const int *list, int count, int *number,
                          cn_surface *piece, cn_error *err)
{
    size_t corners = 3 * (size_t)count;
    *piece = (cn_surface){.vertex = malloc((3 * corners + 1) * sizeof(double)),
                          .triangle = malloc((corners + 1) * sizeof(int)),
                          .element = malloc(((size_t)count + 1) * sizeof(int64_t))};
    if (piece->vertex == NULL || piece->triangle == NULL || piece->element == NULL) {
        cn_surface_free(piece);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a block of %d triangles", count);
    }
    for (int n = 0; n < count; n++) {
        piece->element[n] = cn_element_of(s, list[n]);
        for (int k = 0; k < 3; k++) {
            int vertex = s->triangle[3 * (size_t)list[n] + (size_t)k];
            if (number[vertex] < 0) {
                number[vertex] = piece->vertex_count++;
                memcpy(piece->vertex + 3 * (size_t)number[vertex], s->vertex + 3 * (size_t)vertex,
                       3 * sizeof *piece->vertex);
            }
            piece->triangle[3 * (size_t)n + (size_t)k] = number[vertex];
        }
    }
    piece->triangle_count = count;
    for (size_t n = 0; n < corners; n++) {
        number[s->triangle[3 * (size_t)list[n / 3] + n % 3]] = -1;
    }
    return CN_OK;
}

// ---- what a block is

static int compare_points(const void *a, const void *b)
{
    const double *p = a, *q = b;
    for (int d = 0; d < 3; d++) {
        if (p[d] != q[d]) {
            return p[d] < q[d] ? -1 : 1;
        }
    }
    return 0;
}

bool cn_block_has_point(const cn_block *block, const double point[3])
{
    return block != NULL && point != NULL &&
           bsearch(point, block->point, (size_t)block->point_count, 3 * sizeof *point,
                   compare_points) != NULL;
}

// The order of the points does not depend on that of the file, so that the body does not either.
static cn_status list_points(const cn_surface *piece, cn_block *block, cn_error *err)
{
    size_t count = (size_t)piece->vertex_count, size = 3 * sizeof(double);
    block->point = malloc(count * size + 1);
    if (block->point == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %zu points", count);
    }
    memcpy(block->point, piece->vertex, count * size);
    qsort(block->point, count, size, compare_points);
    for (size_t k = 0; k < count; k++) {
        double *last = block->point + 3 * ((size_t)block->point_count - 1);
        if (k == 0 || compare_points(last, block->point + 3 * k) != 0) {
            memmove(block->point + 3 * (size_t)block->point_count++, block->point + 3 * k, size);
        }
    }
    return CN_OK;
}

static void count_edges(const cn_topology *topology, cn_block *block)
{
    const cn_surface *s = topology->s;
    for (int e = 0; e < topology->edge_count; e++) {
        int half = topology->half[topology->edge_start[e]];
        int count = topology->edge_start[e + 1] - topology->edge_start[e];
        if (count == 2) {
            continue;
        }
        if (block->open_count + block->crowded_count == 0) {
            memcpy(block->edge[0], s->vertex + 3 * (size_t)cn_half_from(s, half),
                   3 * sizeof(double));
            memcpy(block->edge[1], s->vertex + 3 * (size_t)cn_half_to(s, half), 3 * sizeof(double));
        }
        block->open_count += count == 1;
        block->crowded_count += count > 2;
    }
}

// A closed block while its faces are turned to one side.
typedef struct turning {
    const cn_surface *s;
    int *mate;  // of each half-edge
    int *stack; // triangles to look at
    char *side; // of each triangle: 0 not known, 1 as in the file, -1 turned
} turning;

// Neighbours run through their edge in opposite ways.
static void turn_from(turning *t, int first)
{
    int count = 0;
    t->side[first] = 1;
    t->stack[count++] = first;
    while (count > 0) {
        int here = t->stack[--count];
        for (int half = 3 * here; half < 3 * here + 3; half++) {
            int other = t->mate[half] / 3;
            if (t->mate[half] < 0 || t->side[other] != 0) {
                continue;
            }
            bool is_same =
                cn_half_is_forward(t->s, half) != cn_half_is_forward(t->s, t->mate[half]);
            t->side[other] = (char)(is_same ? t->side[here] : -t->side[here]);
            t->stack[count++] = other;
        }
    }
}

static cn_vec3 normal_of(const turning *t, int triangle)
{
    const int *corner = cn_corners(t->s, triangle);
    cn_vec3 a = cn_vertex_at(t->s, corner[0]);
    cn_vec3 n = cn_cross3(cn_sub3(cn_vertex_at(t->s, corner[1]), a),
                          cn_sub3(cn_vertex_at(t->s, corner[2]), a));
    return cn_mul3(t->side[triangle], n);
}

// Sum of tetrahedra from the first vertex; sides are turned if it is negative.
static double turned_volume(turning *t)
{
    cn_vec3 origin = cn_vertex_at(t->s, t->s->triangle[0]);
    double volume = 0.0;
    for (int k = 0; k < t->s->triangle_count; k++) {
        cn_vec3 a = cn_sub3(cn_vertex_at(t->s, cn_corners(t->s, k)[0]), origin);
        volume += cn_dot3(a, normal_of(t, k)) / 6.0;
    }
    for (int k = 0; volume < 0.0 && k < t->s->triangle_count; k++) {
        t->side[k] = (char)-t->side[k];
    }
    return fabs(volume);
}

// Height of the far corner of a half-edge's mate over the triangle of the half-edge [m].
static double height_over(const turning *t, int half, double flat)
{
    int mate = t->mate[half], far = mate / 3 * 3 + (mate + 2) % 3;
    cn_vec3 n = normal_of(t, half / 3);
    double area = cn_norm3(n);
    cn_vec3 side = cn_sub3(cn_vertex_at(t->s, t->s->triangle[far]),
                           cn_vertex_at(t->s, cn_half_from(t->s, half)));
    return area > flat ? cn_dot3(n, side) / area : 0.0;
}

// A reflex edge has the corners of both its triangles over the other; the lesser height counts,
// since slivers have no sure plane.
static void find_reflex(const turning *t, double size, cn_block *block)
{
    for (int half = 0; half < 3 * t->s->triangle_count; half++) {
        if (t->mate[half] < half) {
            continue;
        }
        double depth = fmin(height_over(t, half, FLAT * size * size),
                            height_over(t, t->mate[half], FLAT * size * size));
        if (depth > block->reflex_depth) {
            block->reflex_depth = depth;
            block->reflex_faces[0] = t->s->element[half / 3];
            block->reflex_faces[1] = t->s->element[t->mate[half] / 3];
        }
    }
}

static void turn_faces(const cn_topology *topology, turning *t, double size, cn_block *block)
{
    memset(t->mate, 0xff, 3 * (size_t)t->s->triangle_count * sizeof *t->mate); // -1
    for (int e = 0; e < topology->edge_count; e++) {
        const int *half = topology->half + topology->edge_start[e];
        t->mate[half[0]] = half[1];
        t->mate[half[1]] = half[0];
    }
    for (int k = 0; k < t->s->triangle_count; k++) {
        if (t->side[k] == 0) {
            turn_from(t, k);
        }
    }
    block->volume = turned_volume(t);
    for (int k = 0; k < t->s->triangle_count; k++) {
        block->turned_count += t->side[k] < 0;
    }
    find_reflex(t, size, block);
}

// Turns the triangles that look the wrong way.
static void turn_outwards(const turning *t, cn_surface *piece)
{
    for (int k = 0; k < piece->triangle_count; k++) {
        int *corner = piece->triangle + 3 * (size_t)k;
        if (t->side[k] < 0) {
            int second = corner[1];
            corner[1] = corner[2];
            corner[2] = second;
        }
    }
}

static cn_status measure_closed(const cn_topology *topology, cn_surface *piece, cn_block *block,
                                cn_error *err)
{
    const cn_solid_def hull = {
        .kind = CN_SOLID_HULL, .point_count = block->point_count, .point = block->point};
    cn_solid_mass mass;
    cn_status measured = cn_solids_measure(&hull, 1, &mass, err);
    if (measured != CN_OK) {
        return measured == CN_BAD_INPUT ? CN_OK : measured; // flat: its volumes stay zero
    }
    block->hull_volume = mass.volume;
    size_t count = (size_t)topology->s->triangle_count + 1;
    turning t = {.s = topology->s,
                 .mate = malloc(3 * count * sizeof *t.mate),
                 .stack = malloc(count * sizeof *t.stack),
                 .side = calloc(count, 1)};
    bool has_memory = t.mate != NULL && t.stack != NULL && t.side != NULL;
    if (has_memory) {
        turn_faces(topology, &t, cbrt(mass.volume), block);
        turn_outwards(&t, piece);
    }
    CN_RELEASE(t.mate, t.stack, t.side);
    return has_memory ? CN_OK : cn_fail(err, CN_NO_MEMORY, "out of memory for %zu faces", count);
}

static cn_status describe(cn_surface *piece, cn_block *block, cn_error *err)
{
    cn_topology topology;
    CN_TRY(cn_topology_make(piece, &topology, err));
    count_edges(&topology, block);
    cn_status status = list_points(piece, block, err);
    if (status == CN_OK && block->open_count + block->crowded_count == 0) {
        status = measure_closed(&topology, piece, block, err);
    }
    cn_topology_free(&topology);
    return status;
}

// ---- the blocks of a group

static bool is_closed(const cn_topology *topology)
{
    int e = 0;
    while (e < topology->edge_count && topology->edge_start[e + 1] - topology->edge_start[e] == 2) {
        e++;
    }
    return e == topology->edge_count;
}

static cn_status add_block(work *w, const cn_surface *from, const int *list, int count, int group,
                           int *number, cn_error *err)
{
    cn_surface piece;
    cn_block_list *blocks = w->blocks;
    CN_TRY(cn_reserve(NULL, &blocks->block, &w->capacity, (size_t)blocks->count + 1, err));
    CN_TRY(take_out(from, list, count, number, &piece, err));
    cn_block *block = &blocks->block[blocks->count++];
    *block = (cn_block){.group = group, .element = piece.element[0], .triangle_count = count};
    cn_error why = {0};
    cn_status status = describe(&piece, block, &why);
    if (status != CN_OK) {
        status =
            cn_fail(err, status, "the block of face %lld: %s", (long long)block->element, why.text);
    }
    bool is_concave = block->reflex_depth > KEEP * cbrt(block->volume);
    if (status == CN_OK && is_concave) {
        block->surface = piece;
    } else {
        cn_surface_free(&piece);
    }
    return status;
}

// Triangles by part, parts in the order of their first triangles.
static cn_status add_parts(work *w, const cn_topology *topology, int group, cn_error *err)
{
    const cn_surface *s = topology->s;
    size_t triangles = (size_t)s->triangle_count, parts = (size_t)topology->part_count;
    int *start = calloc(parts + 2, sizeof *start), *list = malloc((triangles + 1) * sizeof *list);
    int *number = malloc(((size_t)s->vertex_count + 1) * sizeof *number);
    cn_status status = start != NULL && list != NULL && number != NULL
                           ? CN_OK
                           : cn_fail(err, CN_NO_MEMORY, "out of memory for %zu parts", parts);
    for (int t = 0; status == CN_OK && t < s->triangle_count; t++) {
        start[topology->part[t] + 2] += topology->part[t] >= 0;
    }
    for (size_t k = 0; status == CN_OK && k < parts; k++) {
        start[k + 1] += start[k];
    }
    for (int t = 0; status == CN_OK && t < s->triangle_count; t++) {
        if (topology->part[t] >= 0) {
            list[start[topology->part[t] + 1]++] = t;
        }
    }
    if (status == CN_OK) {
        memset(number, 0xff, (size_t)s->vertex_count * sizeof *number); // -1
    }
    for (size_t k = 0; status == CN_OK && k < parts; k++) {
        status = add_block(w, s, list + start[k], start[k + 1] - start[k], group, number, err);
    }
    CN_RELEASE(start, list, number);
    return status;
}

static cn_status add_group(work *w, const int *list, int count, int group, cn_error *err)
{
    cn_surface piece;
    cn_topology topology = {0};
    CN_TRY(take_out(w->s, list, count, w->number, &piece, err));
    cn_status status = cn_topology_make(&piece, &topology, err);
    if (status == CN_OK && !is_closed(&topology)) {
        int changed = 0;
        cn_topology_free(&topology);
        status = cn_surface_weld(&piece, w->weld, &changed, err);
        CN_THEN(status, cn_surface_part(&piece, &changed, err));
        CN_THEN(status, cn_topology_make(&piece, &topology, err));
    }
    CN_THEN(status, add_parts(w, &topology, group, err));
    cn_topology_free(&topology);
    cn_surface_free(&piece);
    return status;
}

// ---- all groups

static cn_status check_surface(const cn_surface *s, cn_error *err)
{
    for (size_t n = 0; n < 3 * (size_t)s->triangle_count; n++) {
        if (s->triangle[n] < 0 || s->triangle[n] >= s->vertex_count) {
            return cn_fail(err, CN_BAD_INPUT, "triangle %zu names vertex %d of %d", n / 3 + 1,
                           s->triangle[n], s->vertex_count);
        }
    }
    return CN_OK;
}

static int compare_blocks(const void *a, const void *b)
{
    const cn_block *p = a, *q = b;
    return (p->element > q->element) - (p->element < q->element);
}

// Counting sort of the triangles by group; those without one come first.
static cn_status add_groups(work *w, bool by_group, int *start, int *list, cn_error *err)
{
    const cn_surface *s = w->s;
    int groups = by_group && s->group != NULL ? s->group_count + 1 : 1;
    bool has_groups = groups > 1;
    for (int t = 0; t < s->triangle_count; t++) {
        start[(has_groups ? s->group[t] + 1 : 0) + 2]++;
    }
    for (int g = 0; g < groups; g++) {
        start[g + 1] += start[g];
    }
    for (int t = 0; t < s->triangle_count; t++) {
        list[start[(has_groups ? s->group[t] + 1 : 0) + 1]++] = t;
    }
    for (int g = 0; g < groups; g++) {
        if (start[g + 1] > start[g]) {
            CN_TRY(add_group(w, list + start[g], start[g + 1] - start[g], g - 1, err));
        }
    }
    return CN_OK;
}

cn_status cn_surface_blocks(const cn_surface *surface, bool by_group, cn_block_list *blocks,
                            cn_error *err)
{
    CN_NEED(err, surface, blocks);
    *blocks = (cn_block_list){0};
    CN_TRY(check_surface(surface, err));
    cn_surface_mass mass = cn_surface_measure(surface);
    cn_vec3 side = cn_sub3(mass.box_hi, mass.box_lo);
    work w = {.s = surface,
              .weld = WELD * fmax(side.x, fmax(side.y, side.z)),
              .number = malloc(((size_t)surface->vertex_count + 1) * sizeof *w.number),
              .blocks = blocks};
    int *start = calloc((size_t)surface->group_count + 4, sizeof *start);
    int *list = malloc(((size_t)surface->triangle_count + 1) * sizeof *list);
    cn_status status =
        w.number != NULL && start != NULL && list != NULL
            ? CN_OK
            : cn_fail(err, CN_NO_MEMORY, "out of memory for %d triangles", surface->triangle_count);
    if (status == CN_OK) {
        memset(w.number, 0xff, (size_t)surface->vertex_count * sizeof *w.number); // -1
        status = add_groups(&w, by_group, start, list, err);
    }
    CN_RELEASE(w.number, start, list);
    if (status == CN_OK && blocks->count > 0) {
        qsort(blocks->block, (size_t)blocks->count, sizeof *blocks->block, compare_blocks);
    } else if (status != CN_OK) {
        cn_surface_blocks_free(blocks);
    }
    return status;
}

void cn_surface_blocks_free(cn_block_list *blocks)
{
    for (int k = 0; blocks != NULL && k < blocks->count; k++) {
        free(blocks->block[k].point);
        cn_surface_free(&blocks->block[k].surface);
    }
    if (blocks != NULL) {
        free(blocks->block);
        *blocks = (cn_block_list){0};
    }
}
