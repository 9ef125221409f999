// detect/plane/rounded.h -- a rounded convex shape as the narrow phase sees it: vertices and
// normals in axes of the world, but relative to a point near both shapes, so that nothing is lost
// far from the origin.
#pragma once

#include "geometry/plane/shape.h"

typedef struct cn_rounded {
    const cn_vec2 *vertex, *normal; // body frame
    int count;
    cn_vec2 x; // of the body, relative to the common point
    double c, s;
    double radius;
} cn_rounded;

static inline cn_rounded cn_rounded_of(const cn_posed *p, cn_vec2 origin)
{
    const cn_shape *shape = p->shape;
    return (cn_rounded){shape->vertex, shape->normal, shape->vertex_count, cn_sub2(p->x, origin),
                        p->c,          p->s,          shape->radius};
}

static inline int cn_rounded_edge_count(const cn_rounded *h)
{
    return h->count > 1 ? h->count : 0;
}

static inline int cn_rounded_next(const cn_rounded *h, int k)
{
    return k + 1 == h->count ? 0 : k + 1;
}

static inline int cn_rounded_previous(const cn_rounded *h, int k)
{
    return k == 0 ? h->count - 1 : k - 1;
}

static inline cn_vec2 cn_rounded_vertex(const cn_rounded *h, int k)
{
    return cn_add2(h->x, cn_turn2(h->vertex[k], h->c, h->s));
}

static inline cn_vec2 cn_rounded_normal(const cn_rounded *h, int k)
{
    return cn_turn2(h->normal[k], h->c, h->s);
}

// Vertex farthest along n (world axes), climbing from `start`.
static inline int cn_rounded_support(const cn_rounded *h, cn_vec2 n, int start)
{
    return cn_support(h->vertex, h->count, cn_turn2(n, h->c, -h->s), start);
}

// The nearest features of two skeletons. n is the direction that parts them by `distance`, the
// negative of the least penetration if they overlap; pb - pa = distance n.
typedef struct cn_nearest {
    cn_vec2 n;       // unit, from a to b
    cn_vec2 n_edge;  // the same for the edge with the largest separation: n, or next to it
    double distance; // [m]
    cn_vec2 pa, pb;
    int corner_a, corner_b; // the vertices at pa and pb, or those next to them
    bool is_vertices;       // both points are vertices
} cn_nearest;

// False if the skeletons are farther apart than `limit`.
bool cn_rounded_nearest(const cn_rounded *a, const cn_rounded *b, double limit,
                        cn_nearest *nearest);
