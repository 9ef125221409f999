// geometry/space/solid.h -- solids as the world keeps them: in the principal frame of the body,
// origin at its mass centre.
#pragma once

#include "base/memory.h"
#include "base/shared.h"
#include "cairn/solid.h"
#include "cairn/vec.h"
#include "geometry/surface/box_tree.h"

// A convex polyhedron. Faces are loops of vertices, counterclockwise seen from outside; triangles
// in one plane are merged.
typedef struct cn_hull {
    int vertex_count, face_count, edge_count;
    cn_vec3 *vertex;
    int *face_start;  // face_count + 1
    int *face_vertex; // loops
    cn_vec3 *normal;  // outward, unit, per face
    double *offset;   // normal . x on the face
    int (*edge)[2];   // vertices of each edge, lower first
    int (*edge_face)[2];
    int *neighbour_start; // vertex_count + 1
    int *neighbour;       // vertices joined to a vertex by an edge, ascending
} cn_hull;

// A closed triangle surface. Half-edge 3 t + k runs from corner k of triangle t to the next one and
// has a twin in the triangle across.
typedef struct cn_surface_solid {
    int vertex_count, triangle_count;
    cn_vec3 *corner; // three per triangle, as given
    cn_vec3 *vertex; // the same, equal ones once
    int (*triangle)[3];
    cn_vec3 *normal;   // outward, unit, per triangle
    double *offset;    // normal . x on the triangle
    int *twin;         // per half-edge
    signed char *bend; // per half-edge: 1 convex, 0 flat, -1 concave
    double *spread;    // per half-edge: tangent of half the angle between the normals
    int *patch;        // per triangle: first triangle of the flat region it belongs to
    int *ring_start;   // vertex_count + 1
    int *ring;         // half-edges that leave a vertex
    bool *is_corner;   // per vertex: it sticks out, and not only as a point of a straight ridge
    cn_tree tree;      // boxes of triangles
} cn_surface_solid;

static inline int cn_surface_from(const cn_surface_solid *m, int half)
{
    return m->triangle[half / 3][half % 3];
}

static inline int cn_surface_to(const cn_surface_solid *m, int half)
{
    return m->triangle[half / 3][(half + 1) % 3];
}

// A sphere has its centre in end[0], a capsule its two centres in end[0] and end[1], a half-space a
// point of its boundary in end[0] and its outward normal in axis. A cylinder has the middles of its
// caps in end, a hollow sphere its centre in end[0] and its inner radius, a hollow cylinder the
// middles of its two ends, a solid with half axes its centre in both. Hulls own their polyhedron,
// surfaces their mesh.
typedef struct cn_solid {
    cn_solid_kind kind;
    int body;      // slot of the body that carries it
    unsigned ends; // hollow cylinder: bits of closed ends
    bool is_sharp; // faces meet by less than 75 degrees at an edge of its hull or surface
    double radius, thickness;
    double reach; // largest distance of its points from the mass centre of the body [m]
    double size;  // smallest extent [m]
    cn_vec3 end[2], axis;
    cn_vec3 side;   // unit, across the axis
    cn_vec3 middle; // some point well inside
    cn_vec3 half;   // half axes along side, axis x side and axis [m]
    cn_hull *hull;
    cn_surface_solid *mesh;
} cn_solid;

// A solid placed in the world: x is the mass centre of the body, R its rotation.
typedef struct cn_posed3 {
    const cn_solid *solid;
    cn_vec3 x;
    cn_mat3 R;
} cn_posed3;

static inline cn_vec3 cn_posed3_point(const cn_posed3 *p, cn_vec3 local)
{
    return cn_add3(p->x, cn_mat3_mul(&p->R, local));
}

// Convex hull of points, coplanar facets merged; vertices in the order of first use of the points.
CN_SHARED cn_status cn_hull_create(const cn_hooks *hooks, const double *point, int count,
                                   cn_hull **hull, cn_error *err);
CN_SHARED void cn_hull_destroy(const cn_hooks *hooks, cn_hull *hull);

// Normals and offsets of the faces from the vertices.
void cn_hull_planes(cn_hull *hull);

// Least distance of two parallel planes that hold the hull between them, one of them on a face.
double cn_hull_width(const cn_hull *hull);

// Mesh of a closed surface from the corners of its triangles, which it takes over; equal corners
// are one vertex. CN_BAD_INPUT names the triangle where it is not closed.
cn_status cn_surface_solid_create(const cn_hooks *hooks, cn_vec3 *corner, int triangle_count,
                                  cn_surface_solid **mesh, cn_error *err);
void cn_surface_solid_destroy(const cn_hooks *hooks, cn_surface_solid *mesh);

// Fills *solid from a checked definition, every point x of the body frame moved to B (x - centre),
// B the rotation into the principal frame.
cn_status cn_solid_place(const cn_solid_def *def, cn_vec3 centre, const cn_mat3 *B,
                         const cn_hooks *hooks, cn_solid *solid, cn_error *err);
void cn_solid_free(const cn_hooks *hooks, cn_solid *solid);

bool cn_solid_is_hollow(const cn_solid *solid);

// Whether it is bounded and convex.
bool cn_solid_is_convex(const cn_solid *solid);

// Corners that are rounded by its radius: vertices of a hull, ends of a capsule, a sphere's centre;
// none of others.
int cn_solid_corner_count(const cn_solid *solid);

static inline cn_vec3 cn_solid_corner(const cn_solid *s, int k)
{
    return s->hull != NULL ? s->hull->vertex[k] : s->end[k];
}

// Points of a solid without corners that show that it lies deep in a surface, with a ball around
// each.
int cn_solid_sample_count(const cn_solid *solid);
cn_vec3 cn_solid_sample(const cn_solid *solid, int k, double *radius);

// How far from the mass centre a turn moves its surface along the normal, at most [m].
double cn_solid_lever(const cn_solid *solid);

// Whether the solid surrounds a point of its surface where its outward normal is `outward`: on the
// inside of a hollow one (6.6).
bool cn_posed3_surrounds(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward);

// Whether the normal leaves a round bar through one of its flat ends.
bool cn_posed3_is_end(const cn_posed3 *p, cn_vec3 outward);

// Curvature where the outward normal of a solid is that, the mean of the two, negative inside a
// container [1/m]; and whether it is the same everywhere: 1/radius, 0 without radius.
bool cn_solid_is_even(const cn_solid *solid);
double cn_posed3_curvature(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward);

// How far a disk across the axis reaches along the axes of the world [m].
cn_vec3 cn_posed3_disk_margin(const cn_posed3 *p);

// Smallest box that holds the placed solid. Half-spaces have infinite sides.
cn_box3 cn_posed3_box(const cn_posed3 *p);
