// geometry/plane/shape.h -- shapes as the world keeps them: body frame, origin at the mass centre.
#pragma once

#include "cairn/shape.h"
#include "cairn/vec.h"

// Polygons may have this many vertices: a contact names edges with 15 bits each.
#define CN_VERTEX_MAX 32767

// A convex shape is the set of points within `radius` of the hull of its skeleton vertices: a disk
// has one, a capsule two, a polygon n with radius 0. Half-planes have one vertex, a point of their
// boundary, hollow disks one, their centre.
typedef struct cn_shape {
    cn_shape_kind kind;
    int body; // slot of the body that carries it
    int vertex_count;
    const cn_vec2 *vertex; // body frame, counterclockwise
    const cn_vec2 *normal; // outward unit, of edge k (vertex k to k+1), body frame; half-plane: 1
    double radius;         // rounding radius; hollow disk: inner radius [m]
    double thickness;      // hollow disk [m]
    double reach;          // largest distance of its points from the mass centre of the body [m]
    double size;           // smallest extent; infinite for a half-plane, like its reach [m]
} cn_shape;

// A shape placed in the world: x is the mass centre of the body, turned by the angle of cosine c
// and sine s.
typedef struct cn_posed {
    const cn_shape *shape;
    cn_vec2 x;
    double c, s;
} cn_posed;

static inline cn_vec2 cn_posed_vertex(const cn_posed *p, int k)
{
    return cn_add2(p->x, cn_turn2(p->shape->vertex[k], p->c, p->s));
}

static inline cn_vec2 cn_posed_normal(const cn_posed *p, int k)
{
    return cn_turn2(p->shape->normal[k], p->c, p->s);
}

typedef struct cn_box2 {
    cn_vec2 lo, hi;
} cn_box2;

// Vertices that the shape needs in storage.
int cn_shape_vertex_count(const cn_shape_def *def);

// Fills *shape from a checked definition, with every point moved by -centre (body frame). `vertex`
// and `normal` have room for cn_shape_vertex_count entries and are kept by the shape; `body` is
// left alone.
void cn_shape_place(const cn_shape_def *def, cn_vec2 centre, cn_vec2 *vertex, cn_vec2 *normal,
                    cn_shape *shape);

// Smallest box that holds the placed shape. Half-planes are unbounded: infinite sides.
cn_box2 cn_posed_box(const cn_posed *p);

// Mass properties of all shapes of a body together, in the frame of the body: areas add up, shapes
// count as disjoint, the inertia is about the common centre. Half-planes add nothing; without any
// area the centre is the origin. The size is that of the smallest shape, infinite if none has one.
cn_status cn_shapes_measure(const cn_shape_def *def, int count, cn_shape_mass *total,
                            cn_error *err);

// Vertex of a convex polygon that is farthest along `direction`, climbing from vertex `start`.
static inline int cn_support(const cn_vec2 *vertex, int count, cn_vec2 direction, int start)
{
    int at = start;
    double height = cn_dot2(vertex[at], direction);
    for (int step = 1; step >= -1; step -= 2) {
        for (;;) {
            int next = at + step == count ? 0 : (at + step < 0 ? count - 1 : at + step);
            double next_height = cn_dot2(vertex[next], direction);
            if (!(next_height > height)) {
                break;
            }
            at = next;
            height = next_height;
        }
    }
    return at;
}
