// detect/plane/corner_corner.c -- two corners of polygons that meet, or nearly.
//
// Where corner c of a and corner w of b meet, every direction that is in the normal cone of a at c
// and opposite to one of b at w parts the polygons: a wedge of possible contact normals, bounded by
// normals of edges. Corners meet in walls (bricks that touch diagonally), in open hinges of arches
// (two stones turned about a common corner) and where a block slides over the seam of two others.
// Then rounding alone decides which edge has the larger separation, so that must not decide the
// normal. With tau = CN_CORNER_TOLERANCE of the smaller size, z = w - c:
//
// - A narrow wedge (a hinge): the normal goes over into the middle of the wedge as |z| falls
//   below tau, at a rate that rounding cannot feel.
// - A wide wedge (above 50 degrees): any normal would block motions that are free, and which one
//   would be up to rounding. Corners that meet within tau are no contact. What this costs: two
//   such corners driven straight into each other overlap by tau before they feel it.
// - A right angle or more (bricks): in addition corners may pass each other. Once z is level with
//   one side of the wedge, b can move past a along that side, so the other side must not stop it:
//   a block slides over the seam between two others, and the bricks of a course over those below.
//   Again there is no contact, unless z is beyond the other side; then edges overlap and face each
//   other. Level means within CN_LEVEL_TOLERANCE, for a block that slides has sunk in by what the
//   solver leaves, and a seam must not become a curb. What this costs: real curbs and ledges of
//   aligned blocks below a thousandth of their size are not felt.
//
// Exact drawings have z or its components at 0, far from both thresholds, so noise does not switch
// contacts on and off.
#include "detect/plane/corner_corner.h"

// Cosines of 50 and 87 degrees: drawings have 45, 60 and 90.
static const double WIDE_COSINE = 0.64;
static const double RIGHT_COSINE = 0.05;

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

// Corners next to the nearest features. Where edges are parallel, the vertex that counts as nearest
// may be at their far end, so its neighbours are looked at too.
static void find_corners(const cn_rounded *a, const cn_rounded *b, const cn_nearest *near,
                         cn_wedge *wedge)
{
    double least = INFINITY;
    int i = cn_rounded_previous(a, near->corner_a);
    for (int m = 0; m < 3; m++, i = cn_rounded_next(a, i)) {
        cn_vec2 c = cn_rounded_vertex(a, i);
        int j = cn_rounded_previous(b, near->corner_b);
        for (int n = 0; n < 3; n++, j = cn_rounded_next(b, j)) {
            cn_vec2 apart = cn_sub2(cn_rounded_vertex(b, j), c);
            if (cn_dot2(apart, apart) < least) {
                least = cn_dot2(apart, apart);
                wedge->apart = apart;
                wedge->corner_a = i;
                wedge->corner_b = j;
            }
        }
    }
}

cn_wedge cn_corner_wedge(const cn_rounded *a, const cn_rounded *b, const cn_nearest *near)
{
    cn_wedge wedge = {.corner_a = near->corner_a, .corner_b = near->corner_b};
    find_corners(a, b, near, &wedge);
    int i = wedge.corner_a, j = wedge.corner_b;
    wedge.is_empty =
        !intersect_arcs(cn_rounded_normal(a, cn_rounded_previous(a, i)), cn_rounded_normal(a, i),
                        cn_neg2(cn_rounded_normal(b, cn_rounded_previous(b, j))),
                        cn_neg2(cn_rounded_normal(b, j)), &wedge);
    return wedge;
}

bool cn_corner_is_passing(const cn_wedge *wedge, double size)
{
    double cosine = wedge->is_empty ? 1.0 : cn_dot2(wedge->lo, wedge->hi);
    if (cosine > WIDE_COSINE) {
        return false;
    }
    double over_lo = cn_dot2(wedge->apart, wedge->lo), over_hi = cn_dot2(wedge->apart, wedge->hi);
    if (cosine > RIGHT_COSINE) {
        double tau = CN_CORNER_TOLERANCE * size;
        return fabs(over_lo) <= tau && fabs(over_hi) <= tau;
    }
    double level = CN_LEVEL_TOLERANCE * size;
    return (fabs(over_lo) <= level && over_hi >= -level) ||
           (fabs(over_hi) <= level && over_lo >= -level);
}

cn_vec2 cn_corner_normal(const cn_wedge *wedge, cn_vec2 n, double tau)
{
    cn_vec2 sum = cn_add2(wedge->lo, wedge->hi);
    cn_vec2 middle = cn_mul2(1.0 / cn_norm2(sum), sum);
    double weight = cn_norm2(wedge->apart) / tau;
    cn_vec2 mixed = cn_add_mul2(cn_mul2(weight, n), 1.0 - weight, middle);
    return cn_mul2(1.0 / cn_norm2(mixed), mixed);
}
