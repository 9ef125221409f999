// geometry/surface/doctor/crossing.c -- two triangles that cross have an edge of one that pierces
// the other: its ends are strictly on both sides of the plane, further than `touch`, and it meets
// the plane within the closed triangle. Neighbours pass without being known as such: edges that
// begin in a common vertex have an end in the plane. Triangles in one plane are separated by the
// direction across one of their edges or they overlap.
#include "geometry/surface/doctor/crossing.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/surface/box_tree.h"
#include "geometry/surface/topology.h"

enum { TESTS_FREE = 3000000, TESTS_EACH = 300 };

typedef struct corners {
    cn_vec3 p[3];
    cn_vec3 n; // unit normal
} corners;

// False for a triangle without area.
static bool take_corners(const cn_surface *s, int t, corners *c)
{
    const int *corner = cn_corners(s, t);
    for (int k = 0; k < 3; k++) {
        c->p[k] = cn_vertex_at(s, corner[k]);
    }
    cn_vec3 normal = cn_cross3(cn_sub3(c->p[1], c->p[0]), cn_sub3(c->p[2], c->p[0]));
    double size = cn_norm3(normal);
    c->n = cn_mul3(1.0 / size, normal);
    return size > 0.0 && isfinite(size);
}

static double height(const corners *c, cn_vec3 p)
{
    return cn_dot3(c->n, cn_sub3(p, c->p[0]));
}

static bool is_within(const corners *c, cn_vec3 x, double slack)
{
    for (int k = 0; k < 3; k++) {
        cn_vec3 edge = cn_sub3(c->p[(k + 1) % 3], c->p[k]);
        double side = cn_dot3(c->n, cn_cross3(edge, cn_sub3(x, c->p[k])));
        if (!(side >= -slack * cn_norm3(edge))) {
            return false;
        }
    }
    return true;
}

// Whether an edge of `a` pierces `b`.
static bool pierces(const corners *a, const corners *b, double touch, cn_vec3 *at)
{
    for (int k = 0; k < 3; k++) {
        cn_vec3 p = a->p[k], q = a->p[(k + 1) % 3];
        double over = height(b, p), under = height(b, q);
        if ((over > touch && under < -touch) || (over < -touch && under > touch)) {
            *at = cn_add_mul3(p, over / (over - under), cn_sub3(q, p));
            if (is_within(b, *at, 1e-5 * touch)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_in_plane(const corners *a, const corners *b, double touch)
{
    for (int k = 0; k < 3; k++) {
        if (!(fabs(height(a, b->p[k])) <= touch)) {
            return false;
        }
    }
    return true;
}

static void project(const corners *c, cn_vec3 axis, double *lo, double *hi)
{
    double a = cn_dot3(axis, c->p[0]), b = cn_dot3(axis, c->p[1]), d = cn_dot3(axis, c->p[2]);
    *lo = fmin(a, fmin(b, d));
    *hi = fmax(a, fmax(b, d));
}

static bool is_separated(const corners *a, const corners *b, double touch)
{
    for (int k = 0; k < 3; k++) {
        cn_vec3 axis = cn_cross3(a->n, cn_sub3(a->p[(k + 1) % 3], a->p[k]));
        double lo_a, hi_a, lo_b, hi_b;
        axis = cn_mul3(1.0 / cn_norm3(axis), axis);
        project(a, axis, &lo_a, &hi_a);
        project(b, axis, &lo_b, &hi_b);
        if (!(fmin(hi_a, hi_b) - fmax(lo_a, lo_b) > touch)) {
            return true;
        }
    }
    return false;
}

static bool has_same_vertices(const int *a, const int *b)
{
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[0] && a[k] != b[1] && a[k] != b[2]) {
            return false;
        }
    }
    return true;
}

bool cn_triangles_cross(const cn_surface *s, int t, int u, double touch, cn_vec3 *at)
{
    corners a, b;
    // A triangle given twice is another defect.
    if (has_same_vertices(cn_corners(s, t), cn_corners(s, u)) || !take_corners(s, t, &a) ||
        !take_corners(s, u, &b)) {
        return false;
    }
    if (is_in_plane(&a, &b, touch) && is_in_plane(&b, &a, touch)) {
        *at = cn_mul3(1.0 / 3.0, cn_add3(cn_add3(a.p[0], a.p[1]), a.p[2]));
        return !is_separated(&a, &b, touch) && !is_separated(&b, &a, touch);
    }
    return pierces(&a, &b, touch, at) || pierces(&b, &a, touch, at);
}

typedef struct search {
    const cn_surface *s;
    const cn_box *box;
    double touch;
    int64_t tests_left;
    int t; // the triangle whose partners are looked for
    void (*found)(void *context, int t, int u, cn_vec3 at);
    void *context;
} search;

static bool visit(void *context, int u)
{
    search *look = context;
    cn_vec3 at;
    if (u <= look->t || !cn_box_touches(&look->box[look->t], &look->box[u])) {
        return true;
    }
    if (cn_triangles_cross(look->s, look->t, u, look->touch, &at)) {
        look->found(look->context, look->t, u, at);
    }
    return --look->tests_left > 0;
}

cn_status cn_find_crossings(const cn_surface *s, double touch,
                            void (*found)(void *context, int t, int u, cn_vec3 at), void *context,
                            bool *is_cut_short, cn_error *err)
{
    cn_tree tree;
    cn_box *box = malloc(((size_t)s->triangle_count + 1) * sizeof *box);
    if (box == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %d triangles", s->triangle_count);
    }
    for (int t = 0; t < s->triangle_count; t++) {
        box[t] = cn_triangle_box(s, t);
    }
    cn_status status = cn_tree_make(box, s->triangle_count, &tree, err);
    if (status == CN_OK) {
        search look = {s, box,   touch,  TESTS_FREE + (int64_t)TESTS_EACH * s->triangle_count,
                       0, found, context};
        bool is_whole = true;
        for (look.t = 0; look.t < s->triangle_count && is_whole; look.t++) {
            is_whole = cn_tree_visit(&tree, &box[look.t], visit, &look);
        }
        *is_cut_short = !is_whole;
        cn_tree_free(&tree);
    }
    free(box);
    return status;
}
