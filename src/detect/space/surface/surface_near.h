// detect/space/surface/surface_near.h -- what the pairs with a triangle surface share. All in its
// frame.
//
// Convex bodies touch a surface with their corners on its faces, with its corners on their faces,
// and edge on edge. Seams between coplanar triangles are no edges, and concave edges cannot be
// touched, so nothing snags inside a flat or hollow region: there all normals are those of faces.
//
// Ridges. A corner inside a ridge is below both its faces; it leaves through the nearer one. A body
// that is level with the plane of a face, within CN_HULL_LEVEL of its size, lies on that face or
// passes it: across the ridge it is not stopped by the neighbouring face.
//
// Borders. A touch at the border of a face, an edge or a corner is one of all that meet there: each
// lists what lies beside it by less than CN_MESH_BORDER, and touches that are one get the name that
// comes first. So what is drawn to lie on a border has its touches whatever rounding says.
#pragma once

#include "detect/space/hull/hull_pair.h"
#include "detect/space/nearest_space.h"

#define CN_MESH_BORDER 1e-7 // of the size, or a sine [-]

typedef struct cn_surface_gather {
    const cn_surface_solid *m;
    double reach;
    double size;  // smallest extent of the body [m]
    double depth; // deeper below a face than this nothing touches it [m]
    // How far the body reaches behind the plane n . x = offset [m]; NULL: a round body, for which
    // ridges need no care.
    double (*behind)(const void *body, cn_vec3 n, double offset);
    // Whether that point of the body may touch a face with the normal n; NULL: every one may.
    bool (*may_touch)(const void *body, uint32_t of_body, cn_vec3 n);
    // Whether it, at p, sticks out of the body along n: below a face with that normal it has come
    // through a thin part of the surface, and the body would have to follow it. NULL: none does.
    bool (*sticks_out)(const void *body, uint32_t of_body, cn_vec3 p, cn_vec3 n);
    // Whether a point is in the body, or beside it by `slack`; NULL: not asked.
    bool (*holds)(const void *body, cn_vec3 p, double slack);
    const void *body;
    bool has_lost_corners; // corners inside that touch no face leave by the shortest way
    cn_touch3 *touch;      // normals from the surface to the body
    int count;
    cn_touch3 doubt;          // the least deep one that counts only if there is no other
    bool is_doubted, is_near; // there is such a one; some triangle was visited
    cn_touch3 meeting;        // where corners or edges meet; it counts if no other touch is there
    bool is_met;              // there is such a place
    cn_touch3 lost;           // the deepest place of an overlap that features say nothing of
} cn_surface_gather;

// Names are made of what touches: kinds of features, number in the surface, number in the body.
// They are even for corners of the body on faces; their last two bits rank them.
typedef enum cn_surface_feature {
    CN_MESH_FACE = 1,
    CN_MESH_EDGE,
    CN_MESH_CORNER,
    CN_MESH_OVERLAP,
} cn_surface_feature;

uint32_t cn_surface_name(cn_surface_feature feature, int of_mesh, uint32_t of_body);

// Adds a touch unless it is there already, found over another triangle, edge or corner.
void cn_surface_add(cn_surface_gather *g, cn_vec3 point, cn_vec3 n, double gap, uint32_t name);

// A place where a corner meets a corner or an edge, nearer than CN_HULL_CORNER: as a rule faces and
// crossings of edges say all. Of several the one whose name comes first is kept.
void cn_surface_meet(cn_surface_gather *g, cn_vec3 point, cn_vec3 n, double gap, uint32_t name);

// A place where bodies overlap. It counts if it is deeper than all touches by CN_HULL_LEVEL: on a
// surface that is not convex a ridge may enter a body between what its corners and edges see.
void cn_surface_overlap(cn_surface_gather *g, cn_vec3 point, cn_vec3 n, double gap, uint32_t name);

// The touches as they are found, in the world; b is the surface. Where features say nothing of
// bodies that overlap, as when a corner is deep inside, the deepest place does.
int cn_surface_finish(cn_surface_gather *g, const cn_posed3 *a, const cn_posed3 *b);

// Whether a point at this height above the plane of a triangle is over the triangle.
bool cn_surface_is_over(const cn_surface_gather *g, int triangle, cn_vec3 p, double height);

// A point of the body against all faces.
void cn_surface_point(cn_surface_gather *g, cn_vec3 p, uint32_t of_body);

// The same, and makes a box hold it.
void cn_surface_point_in(cn_surface_gather *g, cn_vec3 p, uint32_t of_body, cn_box3 *box);

// A ball against all faces, convex edges and corners.
void cn_surface_ball(cn_surface_gather *g, cn_vec3 p, double radius, uint32_t of_body);

// Whether p lies inside the surface.
bool cn_surface_holds(const cn_surface_solid *m, cn_vec3 p);

// The point of the surface nearest to p; looks farther and farther, beginning with `within`.
cn_vec3 cn_surface_nearest(const cn_surface_solid *m, cn_vec3 p, double within);

// Adds a corner of the surface at x. `nearest` is the gap along the shortest way out of the body:
// if the corner does not see that way and n is much longer, other features meet there, or none.
void cn_surface_add_corner(cn_surface_gather *g, int vertex, cn_vec3 n, double gap, double nearest);

// Visits the triangles whose boxes touch that of the points, grown by `by`.
typedef void cn_surface_visit(cn_surface_gather *g, int triangle, void *context);
void cn_surface_walk(cn_surface_gather *g, cn_box3 box, double by, cn_surface_visit *visit,
                     void *context);

// Whether half-edge 3 t + k is convex and this triangle is the one to look at it.
static inline bool cn_surface_owns_edge(const cn_surface_solid *m, int half)
{
    return m->bend[half] > 0 && half < m->twin[half];
}

// Whether corner k of triangle t sticks out and this triangle is the one to look at it.
static inline bool cn_surface_owns_corner(const cn_surface_solid *m, int half)
{
    int v = cn_surface_from(m, half);
    return m->is_corner[v] && m->ring[m->ring_start[v]] == half;
}

// Whether n lies between the normals of the two triangles of a convex edge, within `slack`.
bool cn_surface_edge_sees(const cn_surface_solid *m, int half, cn_vec3 n, double slack);

// Whether no edge of the corner runs along n, within `slack`.
bool cn_surface_corner_sees(const cn_surface_solid *m, int vertex, cn_vec3 n, double slack);

// Whether a touch along n at an edge or a corner is not one that a face must leave out (ridges).
bool cn_surface_edge_allows(const cn_surface_gather *g, int half, cn_vec3 n, double gap);
bool cn_surface_corner_allows(const cn_surface_gather *g, int vertex, cn_vec3 n, double gap);
