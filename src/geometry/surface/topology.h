// geometry/surface/topology.h -- which triangles share edges and vertices.
//
// A half-edge 3 t + k runs from corner k of triangle t to the next one. Triangles that name a
// vertex twice have no edges.
#pragma once

#include "cairn/surface.h"

typedef struct cn_topology {
    const cn_surface *s;
    int edge_count;
    int *half;       // half-edges, those of one edge together and in increasing order
    int *edge_start; // edge_count + 1
    int part_count;
    int *part; // of each triangle: parts are joined by edges; -1: collapsed
} cn_topology;

cn_status cn_topology_make(const cn_surface *s, cn_topology *topology, cn_error *err);
void cn_topology_free(cn_topology *topology);

// Orders 0 .. count-1 by key_count keys each (the last counts most), each from 0 to key_max; equal
// ones stay in order.
cn_status cn_sort_keys(int count, int key_count, const int *key, int key_max, int *order,
                       cn_error *err);

// Union of sets, to the smaller root.
int cn_root_of(int *parent, int k);
void cn_unite(int *parent, int a, int b);

// Joins the corners that neighbours have in common at both ends of their edge, half-edges g and h.
void cn_unite_corners(const cn_surface *s, int *parent, int g, int h);

static inline const int *cn_corners(const cn_surface *s, int t)
{
    return s->triangle + 3 * (size_t)t;
}

static inline cn_vec3 cn_vertex_at(const cn_surface *s, int vertex)
{
    const double *p = s->vertex + 3 * (size_t)vertex;
    return cn_v3(p[0], p[1], p[2]);
}

// What the file calls a triangle.
static inline int64_t cn_element_of(const cn_surface *s, int t)
{
    return s->element != NULL ? s->element[t] : (int64_t)t + 1;
}

static inline bool cn_is_collapsed(const int *corner)
{
    return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

// The two ends of a half-edge.
static inline int cn_half_from(const cn_surface *s, int half)
{
    return s->triangle[half];
}

static inline int cn_half_to(const cn_surface *s, int half)
{
    return s->triangle[half % 3 == 2 ? half - 2 : half + 1];
}

// Whether it runs from the vertex of smaller number.
static inline bool cn_half_is_forward(const cn_surface *s, int half)
{
    return cn_half_from(s, half) < cn_half_to(s, half);
}
