// body/deformable/thickness.c -- how deep behind each facet of a skin a point still counts,
// theory 11.15.
//
// A point behind a facet is inside the body only as far as the body is thick there. Deeper ones
// have come from the other side, or lie outside in front of it: sheets, membranes and shells have a
// far side that nobody who stands before the near one may feel.
#include <math.h>

#include "body/deformable/skin.h"
#include "geometry/surface/box_tree.h"

typedef struct look {
    const cn_skin *skin;
    const double *X;
    int facet;      // that looks inwards
    cn_vec3 middle; // of it
    cn_vec3 inward;
    double nearest; // facet on the way [m]
} look;

static cn_vec3 place_of(int dim, const double *X, int node)
{
    return cn_v3(X[dim * node], X[dim * node + 1], dim == 3 ? X[dim * node + 2] : 0.0);
}

static void corners_of(const cn_skin *skin, const double *X, int f, cn_vec3 *corner)
{
    for (int n = 0; n < skin->dim; n++) {
        corner[n] = place_of(skin->dim, X, skin->facet[skin->dim * f + n]);
    }
}

// Whether another facet is met from behind, and how far away.
static bool meet(void *context, int other)
{
    look *l = context;
    cn_vec3 corner[3];
    double weight[3], least = INFINITY, way = 0.0;
    corners_of(l->skin, l->X, other, corner);
    if (other == l->facet || !cn_skin_project(l->skin->dim, corner, l->inward, l->middle, weight)) {
        return true;
    }
    for (int n = 0; n < l->skin->dim; n++) {
        least = fmin(least, weight[n]);
        way += weight[n] * cn_dot3(l->inward, cn_sub3(corner[n], l->middle));
    }
    if (least >= -1e-9 && way > 0.0 && way < l->nearest) {
        l->nearest = way;
    }
    return true;
}

static cn_box box_between(cn_vec3 a, cn_vec3 b)
{
    return (cn_box){{fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)},
                    {fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)}};
}

static cn_box facet_box(const cn_skin *skin, const double *X, int f)
{
    cn_vec3 corner[3];
    corners_of(skin, X, f, corner);
    cn_box box = box_between(corner[0], corner[1]),
           last = box_between(corner[0], corner[skin->dim - 1]);
    cn_box_join(&box, &last);
    return box;
}

// The way through the body from the middle of a facet, as far as the edge of facets [m].
static double thickness_of(const cn_skin *skin, const double *X, const cn_tree *tree, int f)
{
    int dim = skin->dim;
    cn_vec3 corner[3], n;
    corners_of(skin, X, f, corner);
    look l = {.skin = skin, .X = X, .facet = f, .nearest = skin->edge};
    for (int k = 0; k < dim; k++) {
        l.middle = cn_add_mul3(l.middle, 1.0 / dim, corner[k]);
    }
    cn_vec3 along = cn_sub3(corner[1], corner[0]);
    n = cn_cross3(along, dim == 3 ? cn_sub3(corner[2], corner[0]) : cn_v3(0.0, 0.0, 1.0));
    l.inward = cn_mul3(-1.0 / cn_norm3(n), n);
    cn_box way = box_between(l.middle, cn_add_mul3(l.middle, skin->edge, l.inward));
    cn_tree_visit(tree, &way, meet, &l);
    return l.nearest;
}

cn_status cn_skin_find_depths(const cn_hooks *hooks, const double *X, cn_skin *skin, cn_error *err)
{
    size_t capacity = 0, box_capacity = 0;
    cn_box *box = NULL;
    cn_tree tree = {0};
    CN_TRY(cn_reserve(hooks, &skin->depth, &capacity, (size_t)skin->facet_count, err));
    CN_TRY(cn_reserve(hooks, &box, &box_capacity, (size_t)skin->facet_count, err));
    for (int f = 0; f < skin->facet_count; f++) {
        box[f] = facet_box(skin, X, f);
    }
    cn_status status = cn_tree_make(box, skin->facet_count, &tree, err);
    skin->depth_least = 0.5 * skin->edge;
    for (int f = 0; f < skin->facet_count && status == CN_OK; f++) {
        skin->depth[f] = 0.5 * thickness_of(skin, X, &tree, f);
        skin->depth_least = fmin(skin->depth_least, skin->depth[f]);
    }
    cn_tree_free(&tree);
    cn_release(hooks, box);
    return status;
}
