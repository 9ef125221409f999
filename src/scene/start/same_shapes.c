// scene/start/same_shapes.c -- is a body of a result the same as that of the scene? Numbers may
// differ by rounding, since expressions in scenes may be written in many ways.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/deformable.h"
#include "cairn/result.h"
#include "cairn/shape.h"
#include "cairn/solid.h"
#include "scene/start/start.h"

static const double SAME = 1e-9; // lengths over the size of the body, angles [-]

static bool is_near(int count, const double *a, const double *b, double most)
{
    for (int k = 0; k < count; k++) {
        if (!(fabs(a[k] - b[k]) <= most)) {
            return false;
        }
    }
    return true;
}

static bool is_same_shape(const cn_shape_def *a, const cn_shape_def *b, double most)
{
    double own[] = {a->radius, a->length, a->thickness, a->at[0], a->at[1]};
    double other[] = {b->radius, b->length, b->thickness, b->at[0], b->at[1]};
    return a->kind == b->kind && is_near(5, own, other, most) &&
           fabs(a->angle - b->angle) <= SAME && a->vertex_count == b->vertex_count &&
           is_near(2 * a->vertex_count, a->vertex, b->vertex, most);
}

// Opposite quaternions are the same turn; zeros stand for none.
static bool is_same_turn(const double a[4], const double b[4])
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    const double *p = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3] > 0.0 ? a : none;
    const double *q = b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3] > 0.0 ? b : none;
    const double turned[4] = {-q[0], -q[1], -q[2], -q[3]};
    return is_near(4, p, q, SAME) || is_near(4, p, turned, SAME);
}

static bool is_same_solid(const cn_solid_def *a, const cn_solid_def *b, double most)
{
    double own[] = {a->radius, a->length, a->thickness, a->at[0], a->at[1], a->at[2]};
    double other[] = {b->radius, b->length, b->thickness, b->at[0], b->at[1], b->at[2]};
    return a->kind == b->kind && a->ends == b->ends && is_near(6, own, other, most) &&
           is_near(3, a->size, b->size, most) && is_same_turn(a->rotation, b->rotation) &&
           a->point_count == b->point_count &&
           is_near(3 * a->point_count, a->point, b->point, most);
}

static cn_status check_rigid(const cn_view *view, int k, cn_reader *reader, cn_body_id id,
                             cn_error *err)
{
    int first = view->shape_start[k], count = view->shape_start[k + 1] - first, other_count;
    double size = isfinite(view->size[k]) ? view->size[k] : 1.0;
    const cn_shape_def *shape = cn_reader_shapes(reader, id, &other_count);
    const cn_solid_def *solid = view->dim == 3 ? cn_reader_solids(reader, id, &other_count) : NULL;
    if (count != other_count) {
        return cn_fail(err, CN_BAD_INPUT, "has %d part%s there, %d here", other_count,
                       other_count == 1 ? "" : "s", count);
    }
    for (int n = 0; n < count; n++) {
        bool is_same = view->dim == 2
                           ? is_same_shape(&view->shape[first + n], &shape[n], SAME * size)
                           : is_same_solid(&view->solid[first + n], &solid[n], SAME * size);
        if (!is_same) {
            const char *there = view->dim == 2 ? cn_shape_kind_name(shape[n].kind)
                                               : cn_solid_kind_name(solid[n].kind);
            const char *here = view->dim == 2 ? cn_shape_kind_name(view->shape[first + n].kind)
                                              : cn_solid_kind_name(view->solid[first + n].kind);
            return cn_fail(err, CN_BAD_INPUT, "has another shape there (%s) than here (%s%s)",
                           there, here, strcmp(there, here) == 0 ? " of other measures" : "");
        }
    }
    return CN_OK;
}

// The reference position may be moved, since strains do not see it.
static bool is_same_mesh(const cn_mesh_def *a, const cn_mesh_def *b, double most)
{
    if (a->node_count != b->node_count || a->element_count != b->element_count ||
        memcmp(a->type, b->type, (size_t)a->element_count) != 0) {
        return false;
    }
    for (int e = 0; e < a->element_count; e++) {
        int first = a->element_start[e], count = a->element_start[e + 1] - first;
        int other = b->element_start[e];
        if (count != b->element_start[e + 1] - other ||
            memcmp(a->element_node + first, b->element_node + other, sizeof(int) * (size_t)count) !=
                0) {
            return false;
        }
    }
    for (int k = 0; k < a->dim * a->node_count; k++) {
        int d = k % a->dim;
        if (!(fabs((a->node[k] - a->node[d]) - (b->node[k] - b->node[d])) <= most)) {
            return false;
        }
    }
    return true;
}

static cn_status check_mesh(const cn_world *w, cn_body_id own, double size, cn_reader *reader,
                            cn_body_id id, cn_error *err)
{
    cn_mesh_def here, there;
    CN_TRY(cn_body_mesh(w, own, &here, err));
    if (!cn_reader_mesh(reader, id, &there)) {
        return cn_fail(err, CN_BAD_INPUT, "is rigid there and deformable here");
    }
    if (!is_same_mesh(&here, &there, 1e3 * SAME * size)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "has another mesh there (%d nodes, %d elements) than here (%d, %d)",
                       there.node_count, there.element_count, here.node_count, here.element_count);
    }
    return CN_OK;
}

cn_status cn_start_check_shape(const cn_world *w, int k, cn_reader *reader, cn_body_id id,
                               cn_error *err)
{
    cn_mesh_def mesh;
    cn_body_id own = cn_scene_body_id(k);
    cn_view view = cn_world_view(w);
    if (cn_body_is_deformable(w, own)) {
        return check_mesh(w, own, view.size[k], reader, id, err);
    }
    if (cn_reader_mesh(reader, id, &mesh)) {
        return cn_fail(err, CN_BAD_INPUT, "is deformable there and rigid here");
    }
    return check_rigid(&view, k, reader, id, err);
}
