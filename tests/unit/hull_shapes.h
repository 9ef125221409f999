// tests/unit/hull_shapes.h -- polyhedra made by hand for tests of contact detection: vertices and
// loops of faces are given, the rest is derived here.
#pragma once

#include <math.h>
#include <string.h>

#include "geometry/space/solid.h"

#define SHAPE_MAX 64

typedef struct test_hull {
    cn_hull hull;
    cn_solid solid;
    cn_vec3 vertex[SHAPE_MAX];
    int face_start[SHAPE_MAX + 1], face_vertex[4 * SHAPE_MAX];
    cn_vec3 normal[SHAPE_MAX];
    double offset[SHAPE_MAX];
    int edge[2 * SHAPE_MAX][2], edge_face[2 * SHAPE_MAX][2];
    int neighbour_start[SHAPE_MAX + 1], neighbour[4 * SHAPE_MAX];
} test_hull;

static inline void shape_add_face(test_hull *s, const int *loop, int count)
{
    int f = s->hull.face_count++, start = s->face_start[f];
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0), first = s->vertex[loop[0]];
    for (int k = 0; k < count; k++) {
        s->face_vertex[start + k] = loop[k];
        cn_vec3 u = cn_sub3(s->vertex[loop[k]], first);
        cn_vec3 v = cn_sub3(s->vertex[loop[(k + 1) % count]], first);
        sum = cn_add3(sum, cn_cross3(u, v));
    }
    s->face_start[f + 1] = start + count;
    s->normal[f] = cn_mul3(1.0 / cn_norm3(sum), sum);
    s->offset[f] = cn_dot3(s->normal[f], first);
}

static inline void shape_add_edges(test_hull *s, int f)
{
    for (int k = s->face_start[f]; k < s->face_start[f + 1]; k++) {
        int next = k + 1 < s->face_start[f + 1] ? k + 1 : s->face_start[f];
        int v = s->face_vertex[k], w = s->face_vertex[next];
        int lo = v < w ? v : w, hi = v < w ? w : v, at = 0;
        while (at < s->hull.edge_count && (s->edge[at][0] != lo || s->edge[at][1] != hi)) {
            at++;
        }
        bool is_new = at == s->hull.edge_count;
        s->hull.edge_count += is_new;
        s->edge[at][0] = lo;
        s->edge[at][1] = hi;
        s->edge_face[at][is_new ? 0 : 1] = f;
    }
}

static inline void shape_add_neighbours(test_hull *s)
{
    int count = 0;
    for (int v = 0; v < s->hull.vertex_count; v++) {
        s->neighbour_start[v] = count;
        for (int w = 0; w < s->hull.vertex_count; w++) {
            for (int e = 0; e < s->hull.edge_count; e++) {
                if ((s->edge[e][0] == v && s->edge[e][1] == w) ||
                    (s->edge[e][0] == w && s->edge[e][1] == v)) {
                    s->neighbour[count++] = w;
                }
            }
        }
    }
    s->neighbour_start[s->hull.vertex_count] = count;
}

// Call after all faces are in place. The struct must not be copied afterwards.
static inline void shape_finish(test_hull *s, int body)
{
    for (int f = 0; f < s->hull.face_count; f++) {
        shape_add_edges(s, f);
    }
    shape_add_neighbours(s);
    double size = INFINITY, reach = 0.0;
    for (int f = 0; f < s->hull.face_count; f++) {
        double depth = 0.0;
        for (int v = 0; v < s->hull.vertex_count; v++) {
            depth = fmax(depth, s->offset[f] - cn_dot3(s->normal[f], s->vertex[v]));
            reach = fmax(reach, cn_norm3(s->vertex[v]));
        }
        size = fmin(size, depth);
    }
    s->hull.vertex = s->vertex;
    s->hull.face_start = s->face_start;
    s->hull.face_vertex = s->face_vertex;
    s->hull.normal = s->normal;
    s->hull.offset = s->offset;
    s->hull.edge = s->edge;
    s->hull.edge_face = s->edge_face;
    s->hull.neighbour_start = s->neighbour_start;
    s->hull.neighbour = s->neighbour;
    s->solid = (cn_solid){
        .kind = CN_SOLID_HULL, .body = body, .hull = &s->hull, .reach = reach, .size = size};
}

static inline void shape_box(test_hull *s, int body, double x, double y, double z)
{
    static const int loop[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    memset(s, 0, sizeof *s);
    s->hull.vertex_count = 8;
    for (int k = 0; k < 8; k++) {
        s->vertex[k] =
            cn_v3((k & 1 ? 0.5 : -0.5) * x, (k & 2 ? 0.5 : -0.5) * y, (k & 4 ? 0.5 : -0.5) * z);
    }
    for (int f = 0; f < 6; f++) {
        shape_add_face(s, loop[f], 4);
    }
    shape_finish(s, body);
}

// Prism along z over a convex polygon, corners counterclockwise.
static inline void shape_extrude(test_hull *s, int body, int n, const cn_vec2 *corner,
                                 double height)
{
    memset(s, 0, sizeof *s);
    s->hull.vertex_count = 2 * n;
    int low[SHAPE_MAX / 2] = {0}, high[SHAPE_MAX / 2] = {0};
    for (int k = 0; k < n; k++) {
        s->vertex[k] = cn_v3(corner[k].x, corner[k].y, -0.5 * height);
        s->vertex[n + k] = cn_v3(corner[k].x, corner[k].y, 0.5 * height);
        low[n - 1 - k] = k;
        high[k] = n + k;
    }
    shape_add_face(s, low, n);
    shape_add_face(s, high, n);
    for (int k = 0; k < n; k++) {
        int next = (k + 1) % n;
        const int side[4] = {k, next, n + next, n + k};
        shape_add_face(s, side, 4);
    }
    shape_finish(s, body);
}

// Regular prism of n sides.
static inline void shape_prism(test_hull *s, int body, int n, double radius, double height)
{
    cn_vec2 corner[SHAPE_MAX / 2] = {{0.0, 0.0}};
    for (int k = 0; k < n; k++) {
        double angle = 2.0 * acos(-1.0) * k / n;
        corner[k] = cn_v2(radius * cos(angle), radius * sin(angle));
    }
    shape_extrude(s, body, n, corner, height);
}

// Hull of points of which no four lie in one plane and all are corners: a triangle is a face if all
// other points are on one side.
static inline void shape_points(test_hull *s, int body, const cn_vec3 *point, int n)
{
    memset(s, 0, sizeof *s);
    s->hull.vertex_count = n;
    for (int k = 0; k < n; k++) {
        s->vertex[k] = point[k];
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                cn_vec3 N = cn_cross3(cn_sub3(point[j], point[i]), cn_sub3(point[k], point[i]));
                int above = 0, below = 0;
                for (int m = 0; m < n; m++) {
                    double at = cn_dot3(N, cn_sub3(point[m], point[i]));
                    above += m != i && m != j && m != k && at > 0.0;
                    below += m != i && m != j && m != k && at <= 0.0;
                }
                const int out[3] = {i, j, k}, in[3] = {i, k, j};
                if (above == 0 || below == 0) {
                    shape_add_face(s, above == 0 ? out : in, 3);
                }
            }
        }
    }
    shape_finish(s, body);
}
