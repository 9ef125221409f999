// detect/space/hull/hull_edge.c -- nearest points of two polyhedra that are apart where no normal
// of a face or of two edges measures their distance: then they are a vertex of one and a vertex or
// an edge of the other.
//
// All pairs are looked at, except those that a direction which parts the bodies shows to be further
// apart than the best pair so far: a point of a at height x along it is at least low - x away from
// b, low the height of the lowest point of b. The result counts if it parts the bodies more than
// the best normal of faces and edges does; otherwise that one measures the distance.
#include "detect/space/hull/hull_pair.h"

typedef struct search {
    double nearest; // square of the least distance so far
    cn_vec3 pa, pb;
} search;

// Near its minimum the distance is flat: points that differ by 1e-8 may be equally far up to
// rounding. A vertex must not win against a place next to it on an edge by that.
static const double END_PENALTY = 1.0 + 1e-15;

static void keep_nearer(search *s, cn_vec3 pa, cn_vec3 pb, double penalty)
{
    cn_vec3 apart = cn_sub3(pb, pa);
    double distance2 = penalty * cn_dot3(apart, apart);
    if (distance2 < s->nearest) {
        *s = (search){distance2, pa, pb};
    }
}

static bool is_nearer(const search *s, double height)
{
    return height <= 0.0 || height * height < s->nearest;
}

static cn_vec3 point_on_edge(cn_vec3 from, cn_vec3 to, cn_vec3 x, double *penalty)
{
    cn_vec3 along = cn_sub3(to, from);
    double t = cn_dot3(cn_sub3(x, from), along) / cn_dot3(along, along);
    *penalty = t <= 0.0 || t >= 1.0 ? END_PENALTY : 1.0;
    return t <= 0.0 ? from : t >= 1.0 ? to : cn_add_mul3(from, t, along);
}

// Edges of b and vertices of a; `high` is the height of the highest of these along n.
static void search_edges_of_b(const cn_hull_pair *p, cn_vec3 n, double high, search *s)
{
    for (int e = 0; e < p->b->edge_count; e++) {
        cn_vec3 from = cn_hull_pair_b(p, p->b->edge[e][0]);
        cn_vec3 to = cn_hull_pair_b(p, p->b->edge[e][1]);
        double height = fmin(cn_dot3(n, from), cn_dot3(n, to));
        for (int v = 0; is_nearer(s, height - high) && v < p->a->vertex_count; v++) {
            cn_vec3 x = p->a->vertex[v];
            if (is_nearer(s, height - cn_dot3(n, x))) {
                double penalty;
                cn_vec3 y = point_on_edge(from, to, x, &penalty);
                keep_nearer(s, x, y, penalty);
            }
        }
    }
}

// Edges of a and vertices of b; `low` is the height of the lowest of these.
static void search_edges_of_a(const cn_hull_pair *p, cn_vec3 n, double low, search *s)
{
    for (int e = 0; e < p->a->edge_count; e++) {
        cn_vec3 from = p->a->vertex[p->a->edge[e][0]], to = p->a->vertex[p->a->edge[e][1]];
        double height = fmax(cn_dot3(n, from), cn_dot3(n, to));
        for (int v = 0; is_nearer(s, low - height) && v < p->b->vertex_count; v++) {
            cn_vec3 x = cn_hull_pair_b(p, v);
            if (is_nearer(s, cn_dot3(n, x) - height)) {
                double penalty;
                cn_vec3 y = point_on_edge(from, to, x, &penalty);
                keep_nearer(s, y, x, penalty);
            }
        }
    }
}

cn_axis cn_hull_near(const cn_hull_pair *p, const cn_axis *parting)
{
    cn_vec3 n = parting->n, n_b = cn_mat3_mul_transposed(&p->R, n);
    cn_vec3 high = p->a->vertex[cn_hull_furthest(p->a, n)];
    cn_vec3 low = cn_hull_pair_b(p, cn_hull_furthest(p->b, cn_neg3(n_b)));
    search s = {.nearest = INFINITY};
    keep_nearer(&s, high, low, END_PENALTY);
    search_edges_of_b(p, n, cn_dot3(n, high), &s);
    search_edges_of_a(p, n, cn_dot3(n, low), &s);
    double distance = cn_norm3(cn_sub3(s.pb, s.pa));
    cn_vec3 apart = cn_mul3(1.0 / distance, cn_sub3(s.pb, s.pa));
    // Rounding turns the normal by reach / distance times the unit roundoff.
    double rounding = CN_HULL_ROUND * p->size + 1e-15 * p->reach * p->reach / distance;
    double least = parting->separation - rounding;
    return (cn_axis){.kind = CN_AXIS_POINTS,
                     .n = apart,
                     .separation = distance,
                     .pa = s.pa,
                     .pb = s.pb,
                     .is_measured = cn_hull_along(p, apart) >= least,
                     .lever = 1.0 + p->reach / distance};
}
