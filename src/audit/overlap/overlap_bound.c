// audit/overlap/overlap_bound.c -- how deep two convex regions can overlap at most (9.12).
//
// With the supports h(n) = max n . p of two convex regions no point of one is deeper in the other
// than h(n) + h'(-n), whatever the unit vector n. Bodies that stand on each other or are apart are
// settled so, before any search: some face or the line of their middles gives a bound that is
// below zero, or that a corner attains.
#include "audit/overlap/overlap.h"

static bool is_convex(const cn_region *r)
{
    return r->kind == CN_REGION_SOLID || r->kind == CN_REGION_ROUND || r->kind == CN_REGION_HULL ||
           r->kind == CN_REGION_CYLINDER;
}

static cn_vec3 farthest_corner(const cn_deep_hull *hull, cn_vec3 n)
{
    int best = 0;
    double most = -INFINITY;
    for (int k = 0; k < hull->corner_count; k++) {
        double height = cn_dot3(n, hull->corner[k]);
        if (height > most) {
            most = height;
            best = k;
        }
    }
    return hull->corner[best];
}

// Point of a convex region that is farthest along n.
static cn_vec3 farthest_point(const cn_region *r, cn_vec3 n)
{
    if (r->kind == CN_REGION_HULL) {
        return farthest_corner(&r->hull, n);
    }
    if (r->kind == CN_REGION_SOLID) {
        return cn_region_farthest(r, n);
    }
    double along = cn_dot3(n, r->axis);
    cn_vec3 end = r->end[along > 0.0], out = n;
    if (r->kind == CN_REGION_CYLINDER) {
        out = cn_add_mul3(n, -along, r->axis);
        double across = cn_norm3(out);
        out = across > 0.0 ? cn_mul3(1.0 / across, out) : cn_v3(0.0, 0.0, 0.0);
    }
    return cn_add_mul3(end, r->radius, out);
}

typedef struct bounding {
    const cn_region *r, *s;
    double least; // bound so far [m]
    cn_vec3 n;    // its direction, from r to s
} bounding;

// Overlap along n.
static void try_direction(bounding *x, cn_vec3 n)
{
    double overlap =
        cn_dot3(n, farthest_point(x->r, n)) - cn_dot3(n, farthest_point(x->s, cn_neg3(n)));
    if (overlap < x->least) {
        x->least = overlap;
        x->n = n;
    }
}

static void try_all(bounding *x)
{
    cn_vec3 way = cn_sub3(x->s->centre, x->r->centre);
    double distance = cn_norm3(way);
    if (distance > 0.0) {
        try_direction(x, cn_mul3(1.0 / distance, way));
    }
    for (int k = 0; k < x->r->hull.plane_count && x->least > 0.0; k++) {
        try_direction(x, x->r->hull.plane[k].normal);
    }
    for (int k = 0; k < x->s->hull.plane_count && x->least > 0.0; k++) {
        try_direction(x, cn_neg3(x->s->hull.plane[k].normal));
    }
}

static void keep(const cn_region *in, cn_vec3 p, cn_deep_find *find)
{
    cn_deep_sag sag;
    double depth = cn_region_depth(in, p, -INFINITY, &sag);
    find->point_count++;
    if (depth > find->depth) {
        find->depth = find->excess = depth;
        find->point = find->excess_point = p;
    }
}

bool cn_deep_bound(const cn_region *r, const cn_region *s, double slack, cn_deep_find *find)
{
    if (r->kind == CN_REGION_HALF) {
        const cn_region *swapped = r;
        r = s;
        s = swapped;
    }
    if (!is_convex(r) || !(is_convex(s) || s->kind == CN_REGION_HALF)) {
        return false;
    }
    if (s->kind == CN_REGION_HALF) { // nothing is deeper than the farthest point
        keep(s, farthest_point(r, cn_neg3(s->axis)), find);
        return true;
    }
    bounding x = {r, s, INFINITY, {0.0, 0.0, 0.0}};
    try_all(&x);
    if (x.least <= slack) {
        return true;
    }
    keep(s, farthest_point(r, x.n), find);
    keep(r, farthest_point(s, cn_neg3(x.n)), find);
    return x.least <= find->depth + slack;
}
