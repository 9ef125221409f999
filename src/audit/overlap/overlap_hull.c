// audit/overlap/overlap_hull.c -- the planes of a convex polygon or polyhedron from its corners
// alone.
//
// A polyhedron is wrapped like a gift: a plane that all corners are behind is turned about an edge
// of the face it touches until it meets the next corner. Corners in one plane make one face.
#include <string.h>

#include "audit/overlap/overlap.h"

static const double FLAT = 1e-8; // distance from a plane that is rounding, of the extent [-]

typedef struct wrapping {
    const cn_hooks *hooks;
    cn_deep_hull *hull;
    double tol;     // [m]
    int *loop, *in; // scratch: a face, and the corners in its plane
    size_t loop_capacity, in_capacity;
    int in_count, loop_count;
} wrapping;

static cn_status add_plane(wrapping *w, cn_vec3 normal, cn_error *err)
{
    cn_deep_hull *h = w->hull;
    CN_TRY(cn_reserve(w->hooks, &h->plane, &h->plane_capacity, (size_t)h->plane_count + 1, err));
    cn_deep_plane plane = {normal, -INFINITY};
    for (int k = 0; k < h->corner_count; k++) {
        plane.offset = cn_deep_max(plane.offset, cn_dot3(normal, h->corner[k]));
    }
    h->plane[h->plane_count++] = plane;
    return CN_OK;
}

// An edge of the last plane.
static cn_status add_edge(wrapping *w, int a, int b, cn_error *err)
{
    cn_deep_hull *h = w->hull;
    CN_TRY(cn_reserve(w->hooks, &h->edge, &h->edge_capacity, (size_t)h->edge_count + 1, err));
    memcpy(h->edge[h->edge_count++], (int[3]){a, b, h->plane_count - 1}, sizeof *h->edge);
    return CN_OK;
}

static cn_status add_triangle(wrapping *w, int a, int b, int c, cn_error *err)
{
    cn_deep_hull *h = w->hull;
    CN_TRY(cn_reserve(w->hooks, &h->triangle, &h->triangle_capacity, (size_t)h->triangle_count + 1,
                      err));
    memcpy(h->triangle[h->triangle_count++], (int[3]){a, b, c}, sizeof *h->triangle);
    return CN_OK;
}

// Corners in the plane across n that all others are behind.
static void gather(wrapping *w, cn_vec3 n)
{
    const cn_deep_hull *h = w->hull;
    double top = -INFINITY;
    for (int k = 0; k < h->corner_count; k++) {
        top = cn_deep_max(top, cn_dot3(n, h->corner[k]));
    }
    w->in_count = 0;
    for (int k = 0; k < h->corner_count; k++) {
        if (cn_dot3(n, h->corner[k]) >= top - w->tol) {
            w->in[w->in_count++] = k;
        }
    }
}

// Whether, seen against n, corner k is to the right of the line a b, or farther along it.
static bool is_outer(const wrapping *w, cn_vec3 n, int a, int b, int k)
{
    const cn_vec3 *x = w->hull->corner;
    cn_vec3 ab = cn_sub3(x[b], x[a]), ak = cn_sub3(x[k], x[a]);
    double side = cn_dot3(n, cn_cross3(ab, ak)), length = cn_norm3(ab);
    return side < -w->tol * length ||
           (side <= w->tol * length && cn_norm3(ak) > length && cn_dot3(ab, ak) > 0.0);
}

// The gathered corners that are corners of their convex hull, counterclockwise seen against n.
static void order(wrapping *w, cn_vec3 n)
{
    const cn_vec3 *x = w->hull->corner;
    cn_vec3 s, t;
    cn_tangents3(n, &s, &t);
    int start = w->in[0];
    for (int k = 1; k < w->in_count; k++) {
        double d = cn_dot3(s, cn_sub3(x[w->in[k]], x[start]));
        bool is_level = fabs(d) <= w->tol;
        if (d < -w->tol || (is_level && cn_dot3(t, cn_sub3(x[w->in[k]], x[start])) < 0.0)) {
            start = w->in[k];
        }
    }
    int at = start;
    w->loop_count = 0;
    do {
        w->loop[w->loop_count++] = at;
        int next = -1;
        for (int k = 0; k < w->in_count; k++) {
            int one = w->in[k];
            if (one != at && (next < 0 || is_outer(w, n, at, next, one))) {
                next = one;
            }
        }
        at = next;
    } while (at != start && at >= 0 && w->loop_count < w->in_count);
}

// Area vector of the loop: its normal, better than the one that found it.
static cn_vec3 loop_area(const wrapping *w)
{
    const cn_vec3 *x = w->hull->corner;
    cn_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 1; k + 1 < w->loop_count; k++) {
        cn_vec3 u = cn_sub3(x[w->loop[k]], x[w->loop[0]]);
        cn_vec3 v = cn_sub3(x[w->loop[k + 1]], x[w->loop[0]]);
        sum = cn_add3(sum, cn_cross3(u, v));
    }
    return sum;
}

// Normal of the plane that the plane across n becomes when it is turned about its line through
// corner a along e, which has what it touches on its left, until it meets a corner.
static cn_vec3 turn_about(const wrapping *w, cn_vec3 n, int a, cn_vec3 e)
{
    const cn_deep_hull *h = w->hull;
    cn_vec3 u = cn_mul3(1.0 / cn_norm3(e), cn_cross3(e, n));
    double c = -1.0, s = 0.0; // along u and below the plane: the way to the corner met first
    for (int k = 0; k < h->corner_count; k++) {
        cn_vec3 d = cn_sub3(h->corner[k], h->corner[a]);
        double along = cn_dot3(u, d), below = cn_deep_max(-cn_dot3(n, d), 0.0);
        bool is_off = along * along + below * below > w->tol * w->tol;
        if (is_off && (along * s - below * c > 0.0 || (s == 0.0 && along > 0.0))) {
            c = along;
            s = below;
        }
    }
    double size = sqrt(c * c + s * s);
    return cn_add_mul3(cn_mul3(c / size, n), s / size, u);
}

// Whether the edge from a to b is on the list in this direction.
static bool has_edge(const cn_deep_hull *h, int a, int b)
{
    for (int k = h->edge_count; k-- > 0;) {
        if (h->edge[k][0] == a && h->edge[k][1] == b) {
            return true;
        }
    }
    return false;
}

// The face across n with its directed edges and triangles. Adds nothing if it is no face.
static cn_status add_face(wrapping *w, cn_vec3 n, bool *is_face, cn_error *err)
{
    gather(w, n);
    order(w, n);
    cn_vec3 area = loop_area(w);
    double size = cn_norm3(area);
    *is_face = w->loop_count > 2 && size > w->tol * w->tol;
    if (!*is_face) {
        return CN_OK;
    }
    CN_TRY(add_plane(w, cn_mul3(1.0 / size, area), err));
    for (int k = 0; k < w->loop_count; k++) {
        CN_TRY(add_edge(w, w->loop[k], w->loop[(k + 1) % w->loop_count], err));
    }
    for (int k = 1; k + 1 < w->loop_count; k++) {
        CN_TRY(add_triangle(w, w->loop[0], w->loop[k], w->loop[k + 1], err));
    }
    return CN_OK;
}

// A first face: the corners that are lowest along some direction are one, or an edge or a corner
// about which the plane is turned until it has an edge, and then a face.
static cn_status add_first(wrapping *w, cn_error *err)
{
    bool is_face = false;
    const cn_vec3 *x = w->hull->corner;
    cn_vec3 n = {-1.0, 0.0, 0.0};
    for (int tries = 0; tries < 4 && !is_face; tries++) {
        CN_TRY(add_face(w, n, &is_face, err));
        cn_vec3 s, t;
        cn_tangents3(n, &s, &t);
        cn_vec3 e = w->loop_count > 1 ? cn_sub3(x[w->loop[1]], x[w->loop[0]]) : s;
        n = turn_about(w, n, w->loop[0], e);
    }
    return CN_OK;
}

// Faces across all edges that have one side only.
static cn_status wrap(wrapping *w, cn_error *err)
{
    cn_deep_hull *h = w->hull;
    CN_TRY(add_first(w, err));
    int limit = 2 * h->corner_count; // Euler: no polyhedron has as many faces
    for (int k = 0; k < h->edge_count && h->plane_count < limit; k++) {
        int a = h->edge[k][0], b = h->edge[k][1], face = h->edge[k][2];
        bool is_face;
        if (!has_edge(h, b, a)) {
            cn_vec3 e = cn_sub3(h->corner[b], h->corner[a]);
            CN_TRY(add_face(w, turn_about(w, h->plane[face].normal, a, e), &is_face, err));
        }
    }
    return CN_OK;
}

static cn_status wrap_plane(wrapping *w, cn_error *err)
{
    const cn_deep_hull *h = w->hull;
    for (int k = 0; k < h->corner_count; k++) {
        int next = (k + 1) % h->corner_count;
        cn_vec3 e = cn_sub3(h->corner[next], h->corner[k]);
        CN_TRY(add_plane(w, cn_mul3(1.0 / cn_norm3(e), cn_v3(e.y, -e.x, 0.0)), err));
        CN_TRY(add_edge(w, k, next, err));
    }
    return CN_OK;
}

static double extent_of(const cn_deep_hull *hull)
{
    cn_box3 box = cn_deep_no_box;
    for (int k = 0; k < hull->corner_count; k++) {
        cn_deep_box_add(&box, hull->corner[k]);
    }
    return cn_norm3(cn_sub3(box.hi, box.lo));
}

cn_status cn_deep_hull_wrap(const cn_hooks *hooks, int dim, cn_deep_hull *hull, cn_error *err)
{
    wrapping w = {.hooks = hooks, .hull = hull, .tol = FLAT * extent_of(hull)};
    size_t corners = (size_t)hull->corner_count;
    cn_status status = cn_reserve(hooks, &w.loop, &w.loop_capacity, corners, err);
    status = status == CN_OK ? cn_reserve(hooks, &w.in, &w.in_capacity, corners, err) : status;
    status = status == CN_OK ? (dim == 2 ? wrap_plane(&w, err) : wrap(&w, err)) : status;
    cn_release(hooks, w.loop);
    cn_release(hooks, w.in);
    return status;
}

void cn_deep_hull_free(const cn_hooks *hooks, cn_deep_hull *hull)
{
    cn_release(hooks, hull->corner);
    cn_release(hooks, hull->plane);
    cn_release(hooks, hull->edge);
    cn_release(hooks, hull->triangle);
    *hull = (cn_deep_hull){0};
}
