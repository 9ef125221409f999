// tests/unit/hull_oracle.h -- distance and penetration of two polyhedra by looking at every pair of
// features in long double: slow, short, and written without regard to the code it judges.
#pragma once

#include <math.h>

#include "geometry/space/solid.h"

typedef struct vec {
    long double x, y, z;
} vec;

static inline vec vec_add(vec a, long double s, vec b)
{
    return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline long double vec_dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vec vec_of(cn_vec3 a)
{
    return (vec){a.x, a.y, a.z};
}

#define ORACLE_MAX 64

typedef struct oracle_body {
    const cn_hull *hull;
    vec vertex[ORACLE_MAX], normal[ORACLE_MAX];
} oracle_body;

static inline void oracle_place(oracle_body *body, const cn_posed3 *p)
{
    const cn_hull *h = p->solid->hull;
    body->hull = h;
    for (int k = 0; k < h->vertex_count; k++) {
        vec v = vec_of(h->vertex[k]);
        body->vertex[k] = (vec){p->x.x + vec_dot(vec_of(p->R.row[0]), v),
                                p->x.y + vec_dot(vec_of(p->R.row[1]), v),
                                p->x.z + vec_dot(vec_of(p->R.row[2]), v)};
    }
    for (int f = 0; f < h->face_count; f++) {
        const int *loop = h->face_vertex + h->face_start[f];
        vec u = vec_add(body->vertex[loop[1]], -1.0L, body->vertex[loop[0]]);
        vec v = vec_add(body->vertex[loop[2]], -1.0L, body->vertex[loop[0]]);
        vec n = vec_cross(u, v);
        body->normal[f] = vec_add((vec){0}, 1.0L / sqrtl(vec_dot(n, n)), n);
    }
}

// Gap from a to b along the unit vector n, or `floor` if it is less.
static inline long double oracle_above(const oracle_body *a, const oracle_body *b, vec n,
                                       long double floor)
{
    long double most = vec_dot(n, a->vertex[0]), least = vec_dot(n, b->vertex[0]);
    for (int k = 1; k < a->hull->vertex_count && least - most > floor; k++) {
        most = fmaxl(most, vec_dot(n, a->vertex[k]));
    }
    for (int k = 1; k < b->hull->vertex_count && least - most > floor; k++) {
        least = fminl(least, vec_dot(n, b->vertex[k]));
    }
    return fmaxl(least - most, floor);
}

static inline long double oracle_along(const oracle_body *a, const oracle_body *b, vec n)
{
    return oracle_above(a, b, n, -INFINITY);
}

static inline vec edge_vector(const oracle_body *a, int e)
{
    return vec_add(a->vertex[a->hull->edge[e][1]], -1.0L, a->vertex[a->hull->edge[e][0]]);
}

// Largest separation over all directions that bound the difference of the bodies.
static inline long double oracle_separation(const oracle_body *a, const oracle_body *b)
{
    long double most = -INFINITY;
    for (int f = 0; f < a->hull->face_count; f++) {
        most = oracle_above(a, b, a->normal[f], most);
    }
    for (int f = 0; f < b->hull->face_count; f++) {
        most = oracle_above(a, b, vec_add((vec){0}, -1.0L, b->normal[f]), most);
    }
    for (int i = 0; i < a->hull->edge_count; i++) {
        for (int j = 0; j < b->hull->edge_count; j++) {
            vec u = edge_vector(a, i), v = edge_vector(b, j), n = vec_cross(u, v);
            long double length2 = vec_dot(n, n);
            if (length2 > 1e-24L * vec_dot(u, u) * vec_dot(v, v)) {
                n = vec_add((vec){0}, 1.0L / sqrtl(length2), n);
                most = oracle_above(a, b, n, most);
                most = oracle_above(a, b, vec_add((vec){0}, -1.0L, n), most);
            }
        }
    }
    return most;
}

// Shortest vector from a to b so far.
typedef struct oracle_gap {
    vec apart;
    long double length2;
} oracle_gap;

static inline void oracle_try(oracle_gap *g, vec from, vec to)
{
    vec apart = vec_add(to, -1.0L, from);
    if (vec_dot(apart, apart) < g->length2) {
        g->apart = apart;
        g->length2 = vec_dot(apart, apart);
    }
}

static inline long double clamp01(long double t)
{
    return fminl(fmaxl(t, 0.0L), 1.0L);
}

static inline void oracle_edges(const oracle_body *a, const oracle_body *b, oracle_gap *g)
{
    for (int i = 0; i < a->hull->edge_count; i++) {
        for (int j = 0; j < b->hull->edge_count; j++) {
            vec p = a->vertex[a->hull->edge[i][0]], q = b->vertex[b->hull->edge[j][0]];
            vec u = edge_vector(a, i), v = edge_vector(b, j), z = vec_add(q, -1.0L, p);
            long double uu = vec_dot(u, u), vv = vec_dot(v, v), uv = vec_dot(u, v);
            if (vec_dot(z, z) > 3.0L * (uu + vv + g->length2)) {
                continue; // |z| > |u| + |v| + length, so no points are nearer than that
            }
            long double zu = vec_dot(z, u), zv = vec_dot(z, v), D = uu * vv - uv * uv;
            if (D > 0.0L) {
                long double s = clamp01((zu * vv - zv * uv) / D);
                long double t = clamp01((s * uv - zv) / vv);
                s = clamp01((t * uv + zu) / uu);
                oracle_try(g, vec_add(p, s, u), vec_add(q, t, v));
            }
            // Ends against the other edge, for edges that are nearly parallel.
            for (int k = 0; k < 2 && D < 1e-6L * uu * vv; k++) {
                long double s = clamp01((zu + k * uv) / uu), t = clamp01((k * uv - zv) / vv);
                oracle_try(g, vec_add(p, s, u), vec_add(q, k, v));
                oracle_try(g, vec_add(p, k, u), vec_add(q, t, v));
            }
        }
    }
}

// Vertices of b over faces of a.
static inline void oracle_faces(const oracle_body *a, const oracle_body *b, bool is_exchanged,
                                oracle_gap *g)
{
    const cn_hull *h = a->hull;
    for (int f = 0; f < h->face_count; f++) {
        for (int v = 0; v < b->hull->vertex_count; v++) {
            const int *loop = h->face_vertex + h->face_start[f];
            int count = h->face_start[f + 1] - h->face_start[f];
            vec x = b->vertex[v], n = a->normal[f];
            bool is_over = true;
            for (int k = 0; k < count && is_over; k++) {
                vec p = a->vertex[loop[k]];
                vec u = vec_add(a->vertex[loop[(k + 1) % count]], -1.0L, p);
                is_over = vec_dot(vec_cross(n, u), vec_add(x, -1.0L, p)) >= 0.0L;
            }
            if (is_over) {
                long double above = vec_dot(n, vec_add(x, -1.0L, a->vertex[loop[0]]));
                vec foot = vec_add(x, -above, n);
                oracle_try(g, is_exchanged ? x : foot, is_exchanged ? foot : x);
            }
        }
    }
}

static inline oracle_gap oracle_distance(const oracle_body *a, const oracle_body *b)
{
    oracle_gap g = {.length2 = INFINITY};
    oracle_edges(a, b, &g);
    oracle_faces(a, b, false, &g);
    oracle_faces(b, a, true, &g);
    return g;
}
