// detect/narrow3/hull_near.c -- nearest points of two polyhedra that are apart where no normal of a
// face or of two edges measures their distance: then they are a vertex of one and a vertex or an
// edge of the other.
//
// All pairs are looked at, except those that a direction which parts the bodies shows to be further
// apart than the best pair so far: a point of a at height x along it is at least low - x away from
// b, low the height of the lowest point of b.
#include "detect/narrow3/hull_pair.h"

// The hull whose vertices are looked at (of) and the one whose edges are (to), with height measured
// against the parting direction from the lowest vertex of `to`.
typedef struct search {
    cn_vec3 n;      // from `of` to `to`
    double low;     // height of the lowest vertex of `to`
    double nearest; // square of the least distance so far
    cn_vec3 point_of, point_to;
} search;

static void try_edge(search *s, cn_vec3 x, cn_vec3 from, cn_vec3 to)
{
    double height = cn_dot3(s->n, x);
    double above = fmin(cn_dot3(s->n, from), cn_dot3(s->n, to)) - height;
    if (above > 0.0 && above * above > s->nearest) {
        return;
    }
    cn_vec3 along = cn_sub3(to, from);
    double t = cn_dot3(cn_sub3(x, from), along) / cn_dot3(along, along);
    cn_vec3 y = t <= 0.0 ? from : t >= 1.0 ? to : cn_add_mul3(from, t, along);
    cn_vec3 apart = cn_sub3(y, x);
    double distance2 = cn_dot3(apart, apart);
    if (distance2 < s->nearest) {
        s->nearest = distance2;
        s->point_of = x;
        s->point_to = y;
    }
}

static bool is_far(const search *s, cn_vec3 x)
{
    double below = s->low - cn_dot3(s->n, x);
    return below > 0.0 && below * below > s->nearest;
}

static void search_a_to_b(const cn_hull_pair *p, search *s)
{
    for (int v = 0; v < p->a->vertex_count; v++) {
        if (is_far(s, p->a->vertex[v])) {
            continue;
        }
        for (int e = 0; e < p->b->edge_count; e++) {
            try_edge(s, p->a->vertex[v], cn_hull_pair_b(p, p->b->edge[e][0]),
                     cn_hull_pair_b(p, p->b->edge[e][1]));
        }
    }
}

static void search_b_to_a(const cn_hull_pair *p, search *s)
{
    for (int v = 0; v < p->b->vertex_count; v++) {
        cn_vec3 x = cn_hull_pair_b(p, v);
        if (is_far(s, x)) {
            continue;
        }
        for (int e = 0; e < p->a->edge_count; e++) {
            try_edge(s, x, p->a->vertex[p->a->edge[e][0]], p->a->vertex[p->a->edge[e][1]]);
        }
    }
}

cn_axis cn_hull_near(const cn_hull_pair *p, const cn_axis *parting)
{
    cn_vec3 n = parting->n, n_b = cn_mat3_mul_transposed(&p->R, n);
    int v = cn_hull_furthest(p->a, n), w = cn_hull_furthest(p->b, cn_neg3(n_b));
    search s = {.n = n, .low = cn_dot3(n, cn_hull_pair_b(p, w)), .nearest = INFINITY};
    search_a_to_b(p, &s);
    search back = {.n = cn_neg3(n),
                   .low = -cn_dot3(n, p->a->vertex[v]),
                   .nearest = s.nearest,
                   .point_of = s.point_to,
                   .point_to = s.point_of};
    search_b_to_a(p, &back);
    double distance = sqrt(back.nearest);
    cn_vec3 apart = cn_mul3(1.0 / distance, cn_sub3(back.point_of, back.point_to));
    bool is_measured = cn_hull_along(p, apart) >= distance - CN_HULL_TIE * p->size;
    return (cn_axis){.kind = CN_AXIS_POINTS,
                     .n = apart,
                     .is_measured = is_measured,
                     .separation = distance,
                     .pa = back.point_to,
                     .pb = back.point_of};
}
