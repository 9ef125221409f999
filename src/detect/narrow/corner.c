// detect/narrow/corner.c -- two corners of polygons that meet, or nearly.
//
// Where corner c of a and corner w of b meet, every direction that is in the normal cone of a at c
// and opposite to one of b at w parts the polygons: a wedge of possible contact normals, bounded by
// normals of edges. Corners meet in walls (bricks that touch diagonally), in open hinges of arches
// (two stones turned about a common corner) and where a block slides over the seam of two others.
// Then rounding alone decides which edge has the larger separation, so that must not decide the
// normal. With tau = CN_CORNER_TOLERANCE of the smaller size, z = w - c:
//
// - A narrow wedge (a hinge): the normal goes over into the middle of the wedge as |z| falls below
// tau,
//   at a rate that rounding cannot feel.
// - A wide wedge (diagonal bricks: 90 degrees): any normal would block motions that are free. The
//   polygons may pass each other on one side of the wedge as soon as z is level with that side, so
//   there is no contact while z is within tau of one side and not beyond the other. What this
//   costs: two such corners driven straight into each other overlap by tau before they feel it.
//
// Exact drawings have z or its components at 0, far from the threshold tau, so noise does not
// switch contacts on and off.
#include "detect/narrow/corner.h"

// Cosine of the widest wedge of a hinge, 50 degrees. Drawings like 30, 45, 60 and 90.
static const double WEDGE_COSINE = 0.64;

static bool is_between(cn_vec2 n, cn_vec2 lo, cn_vec2 hi)
{
    return cn_cross2(lo, n) >= 0.0 && cn_cross2(n, hi) >= 0.0;
}

// Arcs [a0, a1] and [b0, b1] run counterclockwise and are shorter than half a circle.
static bool intersect_arcs(cn_vec2 a0, cn_vec2 a1, cn_vec2 b0, cn_vec2 b1, cn_wedge *wedge)
{
    bool is_b0_inside = is_between(b0, a0, a1), is_b1_inside = is_between(b1, a0, a1);
    if ((!is_b0_inside && !is_between(a0, b0, b1)) || (!is_b1_inside && !is_between(a1, b0, b1))) {
        return false;
    }
    wedge->lo = is_b0_inside ? b0 : a0;
    wedge->hi = is_b1_inside ? b1 : a1;
    return cn_cross2(wedge->lo, wedge->hi) >= 0.0;
}

bool cn_corner_wedge(const cn_hull *a, const cn_hull *b, const cn_nearest *near, cn_wedge *wedge)
{
    int i = near->corner_a, j = near->corner_b;
    wedge->apart = cn_sub2(cn_hull_vertex(b, j), cn_hull_vertex(a, i));
    return intersect_arcs(cn_hull_normal(a, cn_hull_previous(a, i)), cn_hull_normal(a, i),
                          cn_neg2(cn_hull_normal(b, cn_hull_previous(b, j))),
                          cn_neg2(cn_hull_normal(b, j)), wedge);
}

bool cn_corner_is_passing(const cn_wedge *wedge, double tau)
{
    if (cn_dot2(wedge->lo, wedge->hi) > WEDGE_COSINE) {
        return false;
    }
    double over_lo = cn_dot2(wedge->apart, wedge->lo), over_hi = cn_dot2(wedge->apart, wedge->hi);
    return (fabs(over_lo) <= tau && over_hi >= -tau) || (fabs(over_hi) <= tau && over_lo >= -tau);
}

cn_vec2 cn_corner_normal(const cn_wedge *wedge, cn_vec2 n, double tau)
{
    cn_vec2 sum = cn_add2(wedge->lo, wedge->hi);
    cn_vec2 middle = cn_mul2(1.0 / cn_norm2(sum), sum);
    double weight = cn_norm2(wedge->apart) / tau;
    cn_vec2 mixed = cn_add_mul2(cn_mul2(weight, n), 1.0 - weight, middle);
    return cn_mul2(1.0 / cn_norm2(mixed), mixed);
}
