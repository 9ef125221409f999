// fem/mesh/mesh_fill.c -- a convex body cut into triangles or tetrahedra about its middle: the
// fewest elements that have its corners, for bodies whose elements only say where the matter is.
#include <stdlib.h>
#include <string.h>

#include "fem/mesh/mesh_blocks.h"
#include "geometry/space/solid.h"

// Corners of the surface as triangles, or edges in the plane; outward.
typedef struct border {
    int corner_count, side_count;
    const double *corner;
    int *side; // dim corners each
} border;

static cn_status reserve(cn_volume *v, int dim, const border *b, cn_error *err)
{
    size_t room[4] = {0}, sides = (size_t)b->side_count, width = (size_t)dim + 1;
    CN_TRY(cn_reserve(NULL, &v->node, &room[0], (size_t)(dim * (b->corner_count + 1)), err));
    CN_TRY(cn_reserve(NULL, &v->type, &room[1], sides, err));
    CN_TRY(cn_reserve(NULL, &v->element_start, &room[2], sides + 1, err));
    return cn_reserve(NULL, &v->element_node, &room[3], width * sides, err);
}

// The mean of all corners is the last node; every side makes an element with it.
static void add_elements(cn_volume *v, int dim, const border *b)
{
    double *middle = v->node + dim * b->corner_count;
    memset(middle, 0, sizeof(double) * (size_t)dim);
    for (int k = 0; k < dim * b->corner_count; k++) {
        v->node[k] = b->corner[k];
        middle[k % dim] += b->corner[k] / b->corner_count;
    }
    for (int e = 0; e < b->side_count; e++) {
        int *node = v->element_node + (dim + 1) * e;
        v->type[e] = dim == 2 ? CN_TRI3 : CN_TET4;
        v->element_start[e] = (dim + 1) * e;
        memcpy(node, b->side + dim * e, sizeof(int) * (size_t)dim);
        if (dim == 3) { // seen from the middle they go clockwise
            node[1] = b->side[3 * e + 2];
            node[2] = b->side[3 * e + 1];
        }
        node[dim] = b->corner_count;
    }
    v->element_start[b->side_count] = (dim + 1) * b->side_count;
    v->mesh = (cn_mesh_def){.dim = dim,
                            .node_count = b->corner_count + 1,
                            .node = v->node,
                            .element_count = b->side_count,
                            .type = v->type,
                            .element_start = v->element_start,
                            .element_node = v->element_node};
}

static cn_status fill(int dim, const border *b, cn_volume **volume, cn_error *err)
{
    cn_volume *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a mesh");
    }
    cn_status status = reserve(v, dim, b, err);
    if (status != CN_OK) {
        cn_volume_destroy(v);
        return status;
    }
    add_elements(v, dim, b);
    *volume = v;
    return CN_OK;
}

static cn_status fill_polygon(int count, const double *point, cn_volume **volume, cn_error *err)
{
    border b = {.corner_count = count, .side_count = count, .corner = point};
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &b.side, &room, 2 * (size_t)count, err));
    for (int k = 0; k < count; k++) {
        b.side[2 * k] = k;
        b.side[2 * k + 1] = (k + 1) % count;
    }
    cn_status status = fill(2, &b, volume, err);
    cn_release(NULL, b.side);
    return status;
}

static cn_status fill_hull(const cn_hull *hull, cn_volume **volume, cn_error *err)
{
    border b = {.corner_count = hull->vertex_count, .corner = &hull->vertex[0].x};
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &b.side, &room, 3 * (size_t)hull->face_start[hull->face_count], err));
    for (int f = 0; f < hull->face_count; f++) {
        const int *loop = hull->face_vertex + hull->face_start[f];
        for (int k = 2; k < hull->face_start[f + 1] - hull->face_start[f]; k++, b.side_count++) {
            memcpy(b.side + 3 * b.side_count, (int[]){loop[0], loop[k - 1], loop[k]},
                   3 * sizeof(int));
        }
    }
    cn_status status = fill(3, &b, volume, err);
    cn_release(NULL, b.side);
    return status;
}

cn_status cn_volume_fill(int dim, int count, const double *point, cn_volume **volume, cn_error *err)
{
    CN_NEED(err, point, volume);
    *volume = NULL;
    if ((dim != 2 && dim != 3) || count <= dim) {
        return cn_fail(err, CN_BAD_INPUT, "%d points in dimension %d have no inside", count, dim);
    }
    if (dim == 2) {
        return fill_polygon(count, point, volume, err);
    }
    cn_hull *hull = NULL;
    CN_TRY(cn_hull_create(NULL, point, count, &hull, err));
    cn_status status = fill_hull(hull, volume, err);
    cn_hull_destroy(NULL, hull);
    return status;
}
