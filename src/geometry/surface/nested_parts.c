// geometry/surface/nested_parts.c -- a part lies in another if that winds about points of it: the
// solid angles of its triangles sum to 4 pi.
#include "geometry/surface/nested_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { WORK_FREE = 10000000, WORK_EACH = 100 };

static void mark_unbalanced(const cn_topology *topology, cn_parts *parts)
{
    for (int e = 0; e < topology->edge_count; e++) {
        int balance = 0;
        for (int n = topology->edge_start[e]; n < topology->edge_start[e + 1]; n++) {
            balance += cn_half_is_forward(topology->s, topology->half[n]) ? 1 : -1;
        }
        if (balance != 0) {
            parts->part[topology->part[topology->half[topology->edge_start[e]] / 3]].is_solid =
                false;
        }
    }
}

// Triangles of each part together, by counting.
static void list_triangles(const cn_topology *topology, cn_parts *parts)
{
    int triangle_count = topology->s->triangle_count, start = 0;
    for (int t = 0; t < triangle_count; t++) {
        if (topology->part[t] >= 0) {
            parts->part[topology->part[t]].triangle_count++;
        }
    }
    for (int k = 0; k < parts->count; k++) {
        parts->part[k].triangle_start = start;
        start += parts->part[k].triangle_count;
        parts->part[k].triangle_count = 0;
    }
    for (int t = 0; t < triangle_count; t++) {
        if (topology->part[t] >= 0) {
            cn_part *part = &parts->part[topology->part[t]];
            parts->triangle[part->triangle_start + part->triangle_count++] = t;
        }
    }
}

static void measure(const cn_surface *s, const cn_parts *parts, cn_part *part)
{
    const int *triangle = parts->triangle + part->triangle_start;
    cn_vec3 origin = cn_vertex_at(s, cn_corners(s, triangle[0])[0]);
    part->first = triangle[0];
    for (int n = 0; n < part->triangle_count; n++) {
        const int *corner = cn_corners(s, triangle[n]);
        cn_box box = cn_triangle_box(s, triangle[n]);
        cn_box_join(&part->box, &box);
        cn_vec3 a = cn_sub3(cn_vertex_at(s, corner[0]), origin);
        cn_vec3 b = cn_sub3(cn_vertex_at(s, corner[1]), origin);
        cn_vec3 c = cn_sub3(cn_vertex_at(s, corner[2]), origin);
        part->volume += cn_dot3(a, cn_cross3(b, c)) / 6.0;
    }
}

static double solid_angle(const cn_surface *s, int t, cn_vec3 x)
{
    const int *corner = cn_corners(s, t);
    cn_vec3 a = cn_sub3(cn_vertex_at(s, corner[0]), x);
    cn_vec3 b = cn_sub3(cn_vertex_at(s, corner[1]), x);
    cn_vec3 c = cn_sub3(cn_vertex_at(s, corner[2]), x);
    double la = cn_norm3(a), lb = cn_norm3(b), lc = cn_norm3(c);
    return 2.0 * atan2(cn_dot3(a, cn_cross3(b, c)),
                       la * lb * lc + cn_dot3(a, b) * lc + cn_dot3(b, c) * la + cn_dot3(c, a) * lb);
}

static bool winds_about(const cn_parts *parts, const cn_part *part, cn_vec3 x)
{
    double sum = 0.0;
    for (int n = 0; n < part->triangle_count; n++) {
        sum += solid_angle(parts->topology->s, parts->triangle[part->triangle_start + n], x);
    }
    // A point on a face of the part sees half of it: that is not inside.
    return fabs(sum) > 0.6 * 4.0 * CN_PI;
}

static cn_vec3 middle_of(const cn_surface *s, int t)
{
    const int *corner = cn_corners(s, t);
    return cn_mul3(1.0 / 3.0,
                   cn_add3(cn_add3(cn_vertex_at(s, corner[0]), cn_vertex_at(s, corner[1])),
                           cn_vertex_at(s, corner[2])));
}

// Three triangles decide, so that a part that touches another from outside is not taken for inside.
static bool is_inside(const cn_parts *parts, const cn_part *inner, const cn_part *outer)
{
    const int *triangle = parts->triangle + inner->triangle_start;
    int probe[3] = {triangle[0], triangle[inner->triangle_count / 2],
                    triangle[inner->triangle_count - 1]};
    for (int k = 0; k < 3; k++) {
        if (!winds_about(parts, outer, middle_of(parts->topology->s, probe[k]))) {
            return false;
        }
    }
    return true;
}

typedef struct nesting {
    cn_parts *parts;
    cn_part *inner;
    int64_t work_left; // solid angles
} nesting;

static bool visit(void *context, int k)
{
    nesting *look = context;
    cn_part *outer = &look->parts->part[k];
    look->work_left--;
    if (outer != look->inner && outer->is_solid &&
        cn_box_contains(&outer->box, &look->inner->box)) {
        look->work_left -= 3 * (int64_t)outer->triangle_count;
        look->inner->depth += is_inside(look->parts, look->inner, outer) ? 1 : 0;
    }
    return look->work_left > 0;
}

static cn_status find_depths(cn_parts *parts, cn_error *err)
{
    cn_tree tree;
    cn_box *box = malloc(((size_t)parts->count + 1) * sizeof *box);
    if (box == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %d parts", parts->count);
    }
    for (int k = 0; k < parts->count; k++) {
        box[k] = parts->part[k].is_solid ? parts->part[k].box : cn_box_empty();
    }
    cn_status status = cn_tree_make(box, parts->count, &tree, err);
    nesting look = {parts, NULL,
                    WORK_FREE + (int64_t)WORK_EACH * parts->topology->s->triangle_count};
    for (int k = 0; k < parts->count && status == CN_OK && !parts->is_cut_short; k++) {
        look.inner = &parts->part[k];
        parts->is_cut_short = look.inner->is_solid && !cn_tree_visit(&tree, &box[k], visit, &look);
    }
    if (status == CN_OK) {
        cn_tree_free(&tree);
    }
    free(box);
    return status;
}

cn_status cn_parts_make(const cn_topology *topology, cn_parts *parts, cn_error *err)
{
    *parts = (cn_parts){.topology = topology, .count = topology->part_count};
    parts->part = calloc((size_t)parts->count + 1, sizeof *parts->part);
    parts->triangle = malloc(((size_t)topology->s->triangle_count + 1) * sizeof *parts->triangle);
    if (parts->part == NULL || parts->triangle == NULL) {
        cn_parts_free(parts);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %d parts", topology->part_count);
    }
    for (int k = 0; k < parts->count; k++) {
        parts->part[k].is_solid = true;
        parts->part[k].box = cn_box_empty();
    }
    mark_unbalanced(topology, parts);
    list_triangles(topology, parts);
    for (int k = 0; k < parts->count; k++) {
        measure(topology->s, parts, &parts->part[k]);
    }
    cn_status status = parts->count > 1 ? find_depths(parts, err) : CN_OK;
    if (status != CN_OK) {
        cn_parts_free(parts);
    }
    return status;
}

void cn_parts_free(cn_parts *parts)
{
    free(parts->part);
    free(parts->triangle);
    *parts = (cn_parts){0};
}

bool cn_part_is_inverted(const cn_part *part)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, part->box.hi[k] - part->box.lo[k]);
    }
    double outward = part->depth % 2 == 0 ? part->volume : -part->volume;
    return part->is_solid && outward < -1e-12 * size * size * size; // sheets have none
}
