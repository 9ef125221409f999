// shape/shape.h -- shapes as the world keeps them: in the frame of the body, origin at its mass
// centre.
#pragma once

#include "cairn/shape.h"
#include "cairn/vec.h"

// A convex shape is the set of points within `radius` of the hull of its skeleton vertices: a disk
// has one, a capsule two, a polygon n with radius 0. Half-planes have one vertex, a point of their
// boundary, hollow disks one, their centre.
typedef struct cn_shape {
    cn_shape_kind kind;
    int body; // slot of the body that carries it
    int vertex_count;
    const cn_vec2 *vertex; // body frame, counterclockwise
    const cn_vec2
        *normal;      // outward unit normal of edge k (vertex k to k+1), body frame; half-plane: 1
    double radius;    // rounding radius; hollow disk: inner radius [m]
    double thickness; // hollow disk [m]
    double reach;     // largest distance of its points from the mass centre of the body [m]
    double size;      // smallest extent [m]
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
// and `normal` have room for cn_shape_vertex_count entries and are kept by the shape.
void cn_shape_place(const cn_shape_def *def, cn_vec2 centre, cn_vec2 *vertex, cn_vec2 *normal,
                    cn_shape *shape);

// Smallest box that holds the placed shape. Half-planes are unbounded: infinite sides.
cn_box2 cn_posed_box(const cn_posed *p);
