// body/deformable/skin.h -- the surface of a mesh as contacts see it: straight facets and their
// nodes.
//
// A facet is a segment in the plane and a triangle in space; quadratic and four-sided faces are
// split. Halves of a four-sided face know its fourth corner: points on them move with all four
// (theory 11.18). Where two facets meet at less than the feature angle in the reference position,
// the normal runs smoothly from one to the other (theory 11.14), so that nothing snags on a node.
#pragma once

#include "base/memory.h"
#include "base/shared.h"
#include "cairn/vec.h"

typedef struct cn_skin {
    int dim;
    int facet_count;
    int *facet;  // dim nodes each; outward is to the right of a segment, and where a triangle is
                 // seen counterclockwise
    int *fourth; // per facet: node that makes it a four-sided face, between the last and the first
                 // of its own; -1: none
    int node_count;
    int *node;         // nodes on the surface, ascending
    int *place;        // of each node of the mesh among them, -1: inside
    int *ring_start;   // node_count + 1
    int *ring;         // facets around each of them
    int *smooth_start; // dim facet_count + 1: for every corner of every facet,
    int *smooth;       // the facets that share the normal there, its own among them
    int *is_smooth;    // per surface node: all facets around it do
    int *crease;       // in space, per edge of every facet, from its corner to the next: the facet
                       // across a sharp edge that sticks out, named once; -1: none
    double edge;       // mean length of the edges of facets [m]
    double *depth;     // per facet: deepest point behind it that counts, half an edge or half of
                       // what the body is thick there (11.15) [m]
    double depth_least;
} cn_skin;

// The boundary of a mesh: its faces as loops of corners, outward, split into facets.
typedef struct cn_skin_def {
    int dim;
    int mesh_nodes;
    const double *X; // reference positions of all nodes of the mesh
    int facet_count;
    const int *facet;  // dim nodes each
    const int *fourth; // corner of each facet; NULL: none has one
} cn_skin_def;

CN_SHARED cn_status cn_skin_create(const cn_hooks *hooks, const cn_skin_def *def, cn_skin *skin,
                                   cn_error *err);
// Finds how thick the body is behind each facet, at the same positions.
cn_status cn_skin_find_depths(const cn_hooks *hooks, const double *X, cn_skin *skin, cn_error *err);
CN_SHARED void cn_skin_free(const cn_hooks *hooks, cn_skin *skin);

// Outward unit normals at positions x of the nodes: of facets, dim numbers each, and of their
// corners, dim x dim each.
CN_SHARED void cn_skin_normals(const cn_skin *skin, const double *x, double *facet_normal,
                               double *corner_normal);

// Least cosine of the angle between normals of facets, as found before, and those at positions x.
double cn_skin_turn(const cn_skin *skin, const double *x, const double *facet_normal);

// Where a point lies over a facet.
typedef struct cn_spot {
    double weight[4]; // of the nodes of the facet, then of the fourth corner
    cn_vec3 normal;   // outward, unit
    double gap;       // of the point over the facet along the normal [m]
    bool is_exact;    // the normal at the foot leads to the point: not where it is a centre of
                      // curvature, to which all normals lead
} cn_spot;

// Foot of a point on a facet with nodes at `corner` and normals at `normal`, dim vectors each;
// false if it lies beside the facet, by more than a hundredth of it.
bool cn_skin_find(int dim, const cn_vec3 *corner, const cn_vec3 *normal, cn_vec3 point,
                  cn_spot *spot);

// Weights of the point of the plane (or line) through the corners from which `point` is reached
// along `along`; false if there is none.
bool cn_skin_project(int dim, const cn_vec3 *corner, cn_vec3 along, cn_vec3 point, double *weight);

// Moves the foot of a point on half of a four-sided face, as cn_skin_find found it, onto the
// bilinear face of four corners (theory 11.18). Where there is none the spot stays as it is.
void cn_skin_find_bilinear(const cn_vec3 corner[4], cn_vec3 point, cn_spot *spot);
