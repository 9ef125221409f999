// detect/space/hull/hull_pair.h -- two polyhedra in the frame of the first: what the steps of
// hull_hull.c hand to each other. Normals point from a to b here.
#pragma once

#include <stdbool.h>

#include "detect/space/narrow_space.h"

// Parts of the smaller size [-]. CORNER: overlaps thinner than this are empty, and nearest features
// closer than this leave the normal to faces and edges. LEVEL: right-angled edges this close to
// level may pass each other. FLAT: a patch whose gap varies by less has no edge that it turns
// about. TIE: penetrations that count as equal. ROUND: rounding.
#define CN_HULL_CORNER 1e-5
#define CN_HULL_LEVEL 1e-3
#define CN_HULL_FLAT 1e-4
#define CN_HULL_TIE 1e-6
#define CN_HULL_ROUND 1e-12

typedef struct cn_hull_pair {
    const cn_hull *a, *b;
    cn_mat3 R;             // from the frame of b to that of a
    cn_vec3 t;             // mass centre of b in the frame of a [m]
    double size;           // smallest extent of the smaller body [m]
    double reach;          // of the larger body from its mass centre [m]
    bool is_a_named_first; // names do not depend on the order of the pair
} cn_hull_pair;

// Direction of largest separation, or of least penetration.
typedef enum cn_axis_kind {
    CN_AXIS_FACE_A, // normal of a face of a, of a face of b, common normal of two edges
    CN_AXIS_FACE_B,
    CN_AXIS_EDGES,
    CN_AXIS_POINTS, // nearest points: vertex to vertex or vertex to edge, apart
} cn_axis_kind;

typedef struct cn_axis {
    cn_axis_kind kind;
    cn_vec3 n;         // unit, from a to b
    double separation; // along n; negative: overlap [m]
    int a, b;          // face, or vertex that is nearest to it; edges
    cn_vec3 pa, pb;    // where the surfaces are nearest
    bool is_measured;  // pa and pb lie on the surfaces and are `separation` apart
    double lever;      // how far n turns if a body turns by 1 [-]
} cn_axis;

static inline cn_vec3 cn_hull_pair_b(const cn_hull_pair *p, int vertex)
{
    return cn_add3(p->t, cn_mat3_mul(&p->R, p->b->vertex[vertex]));
}

// The vertex of h furthest along n.
static inline int cn_hull_furthest(const cn_hull *h, cn_vec3 n)
{
    int best = 0;
    double most = cn_dot3(n, h->vertex[0]);
    for (int k = 1; k < h->vertex_count; k++) {
        double along = cn_dot3(n, h->vertex[k]);
        if (along > most) {
            most = along;
            best = k;
        }
    }
    return best;
}

// False if the hulls are further apart than reach. The hint says where to look first and is told
// what was found: it changes the work, never the result.
bool cn_hull_axis(const cn_hull_pair *p, double reach, cn_hint *hint, cn_axis *axis);

// Gap between the hulls along n.
double cn_hull_along(const cn_hull_pair *p, cn_vec3 n);

// Nearest points of hulls that are apart, among vertices of one and edges of the other; `parting`
// is any axis along which they are apart. Measured if no other points are nearer.
cn_axis cn_hull_near(const cn_hull_pair *p, const cn_axis *parting);

// The common normal of an edge of a and one of b, from a to b, and the separation along it; false
// if the hulls have no side there.
bool cn_hull_edge_axis(const cn_hull_pair *p, int of_a, int of_b, cn_vec3 *n, double *separation);

// Corners or edges that meet within CN_HULL_CORNER, where the hulls touch and many normals part
// them (hull_corner.c).
typedef struct cn_meeting {
    cn_vec3 place; // midway
    int corner[2]; // of a and b; -1: it is a place on an edge
    int edge[2];   // that edge
} cn_meeting;

bool cn_hull_meeting(const cn_hull_pair *p, const cn_axis *axis, cn_meeting *meeting);

// A direction that parts the hulls where they meet and depends on how they are turned only.
cn_vec3 cn_hull_meeting_normal(const cn_hull_pair *p, const cn_axis *axis, const cn_meeting *m);

// True if a face of a looks at a parallel one of b and the hulls overlap by less than `level` along
// it, which is the axis then.
bool cn_hull_is_level(const cn_hull_pair *p, double level, cn_axis *axis);

// True if two aligned right-angled blocks may pass each other: along two faces at right angles they
// overlap by less than CN_HULL_LEVEL, and are level along at least one of them.
bool cn_hull_is_passing(const cn_hull_pair *p);
