// detect/plane/nearest_features.c -- nearest features of two convex polygons (of one, two or more
// vertices).
//
// The separation along the normal of each edge is found by walking the support vertex of the other
// polygon round with the edges: linear in the number of vertices. The largest separation decides.
// Not above zero: the polygons overlap and this edge is where they part soonest. Above zero: the
// nearest points lie on this edge, or on a vertex next to it, against the support vertex or an edge
// next to that; these few are compared as point against segment.
//
// A vertex against the inside of an edge takes the normal of the edge, not the difference of two
// nearby points, so contacts that touch have a normal to the last digit. Two vertices must win
// clearly: where edges are parallel, pairs of points whose distances agree to rounding have
// directions that differ by the square root of it.
#include <math.h>

#include "detect/plane/rounded.h"

// The edge of one hull along whose normal the other is farthest away.
typedef struct axis {
    double separation;
    int edge;
    int vertex; // nearest vertex of the other hull along that normal
} axis;

static axis find_axis(const cn_rounded *p, const cn_rounded *q, double limit)
{
    axis best = {-INFINITY, -1, 0};
    int vertex = 0;
    for (int k = 0; k < cn_rounded_edge_count(p) && !(best.separation > limit); k++) {
        cn_vec2 n = cn_rounded_normal(p, k);
        vertex = cn_rounded_support(q, cn_neg2(n), vertex);
        cn_vec2 apart = cn_sub2(cn_rounded_vertex(q, vertex), cn_rounded_vertex(p, k));
        double separation = cn_dot2(n, apart);
        if (separation > best.separation) {
            best = (axis){separation, k, vertex};
        }
    }
    return best;
}

// The place of a point along an edge: 0 at its first vertex, 1 at its second.
static double place_along(cn_vec2 first, cn_vec2 second, cn_vec2 point)
{
    cn_vec2 edge = cn_sub2(second, first);
    return cn_dot2(edge, cn_sub2(point, first)) / cn_dot2(edge, edge);
}

// Point of q over edge `edge` of p (or over its line), seen from p to q.
static cn_nearest over_edge(const cn_rounded *p, int edge, const cn_rounded *q, int vertex)
{
    int next = cn_rounded_next(p, edge);
    cn_vec2 first = cn_rounded_vertex(p, edge), n = cn_rounded_normal(p, edge);
    cn_vec2 point = cn_rounded_vertex(q, vertex);
    double distance = cn_dot2(n, cn_sub2(point, first));
    bool is_near_first = place_along(first, cn_rounded_vertex(p, next), point) < 0.5;
    return (cn_nearest){.n = n,
                        .distance = distance,
                        .pa = cn_add_mul2(point, -distance, n),
                        .pb = point,
                        .corner_a = is_near_first ? edge : next,
                        .corner_b = vertex};
}

static cn_nearest between_vertices(const cn_rounded *p, int corner_p, const cn_rounded *q,
                                   int corner_q, cn_vec2 n_if_equal)
{
    cn_vec2 pp = cn_rounded_vertex(p, corner_p), pq = cn_rounded_vertex(q, corner_q);
    cn_vec2 apart = cn_sub2(pq, pp);
    double distance = cn_norm2(apart);
    cn_vec2 n = distance > 0.0 ? cn_mul2(1.0 / distance, apart) : n_if_equal;
    return (cn_nearest){.n = n,
                        .distance = distance,
                        .pa = pp,
                        .pb = pq,
                        .corner_a = corner_p,
                        .corner_b = corner_q,
                        .is_vertices = true};
}

static cn_nearest exchanged(cn_nearest found)
{
    return (cn_nearest){.n = cn_neg2(found.n),
                        .n_edge = cn_neg2(found.n_edge),
                        .distance = found.distance,
                        .pa = found.pb,
                        .pb = found.pa,
                        .corner_a = found.corner_b,
                        .corner_b = found.corner_a,
                        .is_vertices = found.is_vertices};
}

// Vertex of q against the segment of an edge of p.
static cn_nearest to_segment(const cn_rounded *p, int edge, const cn_rounded *q, int vertex)
{
    int next = cn_rounded_next(p, edge);
    double t = place_along(cn_rounded_vertex(p, edge), cn_rounded_vertex(p, next),
                           cn_rounded_vertex(q, vertex));
    if (t > 0.0 && t < 1.0) {
        return over_edge(p, edge, q, vertex);
    }
    return between_vertices(p, t < 0.5 ? edge : next, q, vertex, cn_rounded_normal(p, edge));
}

// A segment has a normal on either side: what lies behind one of them is not nearer.
static void keep_nearer(cn_nearest *best, cn_nearest other, double rounding)
{
    if (other.distance < -rounding) {
        return;
    }
    double best_distance = fabs(best->distance) + (best->is_vertices ? rounding : 0.0);
    double distance = fabs(other.distance) + (other.is_vertices ? rounding : 0.0);
    if (distance < best_distance) {
        *best = other;
    }
}

// Nearest features of separated hulls around the widest axis: an edge of p, a vertex of q.
static cn_nearest search_around(const cn_rounded *p, const axis *widest, const cn_rounded *q,
                                double rounding)
{
    int v = widest->vertex, before = cn_rounded_previous(q, v);
    const int end[2] = {widest->edge, cn_rounded_next(p, widest->edge)};
    cn_nearest best = to_segment(p, widest->edge, q, v);
    if (cn_rounded_edge_count(q) == 0) {
        return best;
    }
    keep_nearer(&best, to_segment(p, widest->edge, q, before), rounding);
    keep_nearer(&best, to_segment(p, widest->edge, q, cn_rounded_next(q, v)), rounding);
    for (int k = 0; k < 2; k++) {
        keep_nearer(&best, exchanged(to_segment(q, before, p, end[k])), rounding);
        keep_nearer(&best, exchanged(to_segment(q, v, p, end[k])), rounding);
    }
    return best;
}

static cn_nearest nearest_around(const cn_rounded *p, const axis *widest, const cn_rounded *q)
{
    double extent = cn_norm2(cn_rounded_vertex(p, widest->edge)) +
                    cn_norm2(cn_rounded_vertex(q, widest->vertex));
    double rounding = 1e-14 * extent;
    // Segments and points in one line are apart although no edge has them on its far side.
    bool is_flat = p->count <= 2 && q->count <= 2;
    cn_nearest found = widest->separation > (is_flat ? -rounding : 0.0)
                           ? search_around(p, widest, q, rounding)
                           : over_edge(p, widest->edge, q, widest->vertex);
    found.n_edge = cn_rounded_normal(p, widest->edge);
    return found;
}

bool cn_rounded_nearest(const cn_rounded *a, const cn_rounded *b, double limit, cn_nearest *nearest)
{
    axis of_a = find_axis(a, b, limit);
    if (of_a.separation > limit) {
        return false;
    }
    axis of_b = find_axis(b, a, limit);
    if (of_b.separation > limit) {
        return false;
    }
    if (of_a.edge < 0 && of_b.edge < 0) { // two points, or not numbers
        *nearest = between_vertices(a, 0, b, 0, cn_v2(0.0, 1.0));
        nearest->n_edge = nearest->n;
    } else if (of_a.separation >= of_b.separation) {
        *nearest = nearest_around(a, &of_a, b);
    } else {
        *nearest = exchanged(nearest_around(b, &of_b, a));
    }
    return nearest->distance <= limit;
}
