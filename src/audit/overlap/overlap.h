// audit/overlap/overlap.h -- overlaps of bodies, found by holding points of each against the shapes
// of the others: theory 9.11 to 9.14.
//
// Nothing here may come from detect/: what finds contacts must not judge itself. Shapes are read
// from their definitions, meshes from their elements. A region is one shape, solid or mesh placed
// in the world; in the plane z is 0. Depths are positive inside, negative outside, and change by at
// most the distance of two points: that is what the search in overlap_search.c rests on.
#pragma once

#include "base/memory.h"
#include "body/bodies.h"
#include "body/deformable/deformables.h"
#include "cairn/overlap.h"
#include "cairn/view.h"

// ---- overlap_boxes.c: a tree of boxes

typedef struct cn_deep_node {
    cn_box3 box;
    int first, count; // items of a leaf; count 0: the children are the next node and `first`
} cn_deep_node;

typedef struct cn_deep_tree {
    cn_deep_node *node;
    int *item;
    int node_count, item_count;
} cn_deep_tree;

cn_status cn_deep_tree_build(const cn_hooks *hooks, const cn_box3 *box, int count,
                             cn_deep_tree *tree, cn_error *err);
void cn_deep_tree_free(const cn_hooks *hooks, cn_deep_tree *tree);

enum { CN_DEEP_STACK = 64 }; // halves of halves: more than any tree is high

// A walk through the leaves whose boxes overlap one: cn_deep_walk_next gives items, -1 at the end.
typedef struct cn_deep_walk {
    const cn_deep_tree *tree;
    cn_box3 box;
    int stack[CN_DEEP_STACK], height;
    int next, end; // items of the leaf at hand
} cn_deep_walk;

cn_deep_walk cn_deep_walk_in(const cn_deep_tree *tree, cn_box3 box);
int cn_deep_walk_next(cn_deep_walk *walk);

// Of two numbers, neither of which is NaN: without the call that fmin is.
static inline double cn_deep_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double cn_deep_max(double a, double b)
{
    return a > b ? a : b;
}

static inline bool cn_deep_boxes_meet(const cn_box3 *a, const cn_box3 *b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
           a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

// Distance of a point from a box, 0 inside [m].
double cn_deep_box_distance(const cn_box3 *box, cn_vec3 p);
extern const cn_box3 cn_deep_no_box;

static inline void cn_deep_box_add(cn_box3 *box, cn_vec3 p)
{
    box->lo = cn_v3(cn_deep_min(box->lo.x, p.x), cn_deep_min(box->lo.y, p.y),
                    cn_deep_min(box->lo.z, p.z));
    box->hi = cn_v3(cn_deep_max(box->hi.x, p.x), cn_deep_max(box->hi.y, p.y),
                    cn_deep_max(box->hi.z, p.z));
}

// ---- overlap_hull.c: convex polyhedra

typedef struct cn_deep_plane {
    cn_vec3 normal; // outward, unit
    double offset;  // normal . x on it
} cn_deep_plane;

// A convex polygon or polyhedron in the world: corners, planes, edges and, in space, faces as
// triangles. Arrays belong to the hull.
typedef struct cn_deep_hull {
    int corner_count, plane_count, edge_count, triangle_count;
    cn_vec3 *corner;
    cn_deep_plane *plane;
    int (*edge)[3]; // from, to, plane: once for each of its two faces in space
    int (*triangle)[3];
    size_t plane_capacity, edge_capacity, triangle_capacity;
} cn_deep_hull;

// Wraps planes around the corners, which are vertices of their convex hull. In the plane they come
// counterclockwise.
cn_status cn_deep_hull_wrap(const cn_hooks *hooks, int dim, cn_deep_hull *hull, cn_error *err);
void cn_deep_hull_free(const cn_hooks *hooks, cn_deep_hull *hull);

// ---- overlap_skin.c, overlap_mesh.c: surfaces of triangles (segments in the plane) and meshes

typedef struct cn_deep_skin {
    int dim;
    int vertex_count, facet_count;
    cn_vec3 *vertex; // nodes, then middles of faces with four corners
    int (*facet)[3]; // in the plane the third is the second
    double *sag;     // per facet: how far the true surface may bulge from it (9.13) [m]
    cn_deep_tree facets;
    // Meshes: elements tell inside from outside.
    const cn_fem *fem; // NULL: a closed surface
    cn_deep_tree elements;
    double thickness; // twice the volume over the surface [m]
    double beside;    // how far beside a facet a contact on it may be (11.13) [m]
    bool is_mid_face; // contacts are at the middles of facets alone, by its definition
    size_t facet_capacity;
} cn_deep_skin;

void cn_deep_skin_free(const cn_hooks *hooks, cn_deep_skin *skin);
// Surface of `count` points, three per triangle; or of a mesh with nodes at x.
cn_status cn_deep_skin_of_surface(const cn_hooks *hooks, int count, const cn_vec3 *point,
                                  cn_deep_skin *skin, cn_error *err);
cn_status cn_deep_skin_of_mesh(const cn_hooks *hooks, const cn_fem *fem, const double *x,
                               cn_deep_skin *skin, cn_error *err);
// Parts of it: facets from the sides of elements, and trees once vertices and facets are there.
cn_status cn_deep_skin_add(const cn_hooks *hooks, cn_deep_skin *skin, int a, int b, int c,
                           cn_error *err);
cn_status cn_deep_skin_finish(const cn_hooks *hooks, cn_deep_skin *skin, cn_error *err);
// How far a surface may be off its facets (9.13): between nodes by `height` [m], at a point by a
// share of it, 0 at nodes.
typedef struct cn_deep_sag {
    double height, share;
} cn_deep_sag;

// Depth of a point, and the sag where the nearest facet is met.
double cn_deep_skin_depth(const cn_deep_skin *skin, cn_vec3 p, double worth, cn_deep_sag *sag);
// Share of the sag at a point with these weights of the corners: 0 at nodes, 1 between two.
double cn_deep_bulge(const double N[3]);
bool cn_deep_mesh_holds(const cn_deep_skin *skin, cn_vec3 p);

// ---- overlap_region.c: one shape in the world

typedef enum cn_region_kind {
    CN_REGION_SOLID = 0, // a convex solid that tells its depth itself
    CN_REGION_ROUND,     // points within `radius` of the segment end[0] end[1]
    CN_REGION_SHELL,     // wall from `radius` to radius + thickness around end[0]
    CN_REGION_HALF,      // below the plane through end[0] across `axis`
    CN_REGION_HULL,      // a polygon or polyhedron
    CN_REGION_CYLINDER,  // bar of `radius` from end[0] to end[1]
    CN_REGION_TUBE,      // hollow bar: its inside is from end[0] to end[1]
    CN_REGION_SKIN       // surface or mesh
} cn_region_kind;

typedef struct cn_region {
    cn_region_kind kind;
    int dim, slot;
    cn_vec3 end[2], axis;
    double radius, thickness;
    unsigned ends;
    const cn_solid_def *def; // solid in its frame, at end[0], turned by R
    cn_mat3 R;
    cn_deep_hull hull;
    cn_deep_skin skin;
    cn_box3 box;
    cn_vec3 centre; // of the box; reach: farthest point of the region from it
    double reach;
    double size; // smallest extent, or thickness [m]
} cn_region;

// Places shape or solid s of the world at q, and mesh k at x.
cn_status cn_region_place(const cn_bodies *b, const double *q, int s, cn_region *region,
                          cn_error *err);
cn_status cn_region_place_mesh(const cn_bodies *b, const double *x, int k, cn_region *region,
                               cn_error *err); // x: its nodes
void cn_region_free(const cn_hooks *hooks, cn_region *region);

// Depth of a point (9.11); *sag is what the surface there may be off (9.13).
// Below `worth` the sign of the depth does not matter and may be wrong.
double cn_region_depth(const cn_region *region, cn_vec3 p, double worth, cn_deep_sag *sag);

// Point of a convex solid that is farthest along n, and the one that stands for a direction.
cn_vec3 cn_region_farthest(const cn_region *region, cn_vec3 n);
cn_vec3 cn_region_surface(const cn_region *region, cn_vec3 direction);

static inline bool cn_region_is_bounded(const cn_region *region)
{
    return region->kind != CN_REGION_HALF;
}

// ---- overlap_bound.c, overlap_search.c: points of one region in another

typedef struct cn_deep_find {
    double depth;  // deepest point that was tried [m]
    double excess; // largest depth beyond the sag of both surfaces [m]
    cn_vec3 point, excess_point;
    int64_t point_count;
} cn_deep_find;

// Whether two regions are settled by a bound: nothing in either is deeper than *find, which then
// knows the deepest point, by more than the slack.
bool cn_deep_bound(const cn_region *r, const cn_region *s, double slack, cn_deep_find *find);

// Tries points of `of` in `in` and keeps what is deeper than *find (9.12).
void cn_deep_search(const cn_region *of, const cn_region *in, double slack, cn_deep_find *find);

// ---- overlap.c

// What is looked at. Contacts are those of the positions q_mid, those from `found` on were added
// after a solve.
typedef struct cn_deep_input {
    const cn_bodies *b;
    int contact_count, found;
    const cn_contact *contact;
    const bool *is_fast, *is_at_start;
    double h;
    bool is_end; // bodies are looked at where the step ends, and only pairs without a contact
    double (*held_apart)(const void *context,
                         int a); // places on both, of an interface; or NULL [m]
    bool (*may_meet)(const void *context, int i, int j);
    const void *context;
} cn_deep_input;

cn_status cn_deep_look(const cn_deep_input *in, cn_overlap *overlap, cn_error *err);
