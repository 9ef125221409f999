// detect/narrow3/rods.c -- nearest points of segments, and the points where rounded segments touch.
//
// The square of the distance of two points on two segments is a convex function of their places: it
// is least where both lines are nearest, if that is inside, or else at one of the four ends.
//
// Rods side by side have two points, at the ends of the overlap of their shadows along the normal,
// with the gaps that they have there. Rods that cross at a small angle are nearest in between: that
// is a third point. A rod that leaves the plane of both by more than SKEW has no other.
#include "detect/narrow3/near3.h"

static const double SKEW = 0.02;      // sideways offset of rods side by side, of the radii [-]
static const double OVERLAP = 1e-3;   // shortest overlap with two ends, of the radii [-]
static const double INCLINED = 0.48;  // sine of the largest angle between a rod and the surface [-]
static const double ROUNDING = 1e-12; // axes closer than this cross, of their length [-]

double cn_segment_place(cn_vec3 first, cn_vec3 second, cn_vec3 p)
{
    cn_vec3 along = cn_sub3(second, first);
    double place = cn_dot3(along, cn_sub3(p, first)) / cn_dot3(along, along);
    return place > 0.0 ? (place < 1.0 ? place : 1.0) : 0.0;
}

cn_vec3 cn_across(cn_vec3 u)
{
    double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
    cn_vec3 least = x <= y && x <= z ? cn_v3(1.0, 0.0, 0.0)
                                     : (y <= z ? cn_v3(0.0, 1.0, 0.0) : cn_v3(0.0, 0.0, 1.0));
    cn_vec3 across = cn_cross3(u, least);
    double norm = cn_norm3(across);
    return norm > 0.0 ? cn_mul3(1.0 / norm, across) : cn_v3(0.0, 0.0, 1.0);
}

static void keep_nearer(cn_near3 *best, cn_vec3 pa, cn_vec3 pb)
{
    double distance = cn_norm3(cn_sub3(pb, pa));
    if (distance < best->distance) {
        best->pa = pa;
        best->pb = pb;
        best->distance = distance;
    }
}

// Nearest points of the two lines, if both are inside the segments.
static void keep_crossing(const cn_rod *a, const cn_rod *b, cn_near3 *best)
{
    cn_vec3 u = cn_sub3(a->end[1], a->end[0]), v = cn_sub3(b->end[1], b->end[0]);
    cn_vec3 apart = cn_sub3(b->end[0], a->end[0]), across = cn_cross3(u, v);
    double squared = cn_dot3(across, across);
    double s = cn_dot3(cn_cross3(apart, v), across) / squared;
    double t = cn_dot3(cn_cross3(apart, u), across) / squared;
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
        keep_nearer(best, cn_rod_at(a, s), cn_rod_at(b, t));
    }
}

// Normal of axes that meet: across both, or across a if they are parallel.
static cn_vec3 normal_of_crossing(const cn_rod *a, const cn_rod *b)
{
    cn_vec3 u = cn_sub3(a->end[1], a->end[0]), v = cn_sub3(b->end[1], b->end[0]);
    cn_vec3 across = cn_cross3(u, v);
    double norm = cn_norm3(across);
    bool is_parallel = !(norm > 1e-6 * cn_norm3(u) * cn_norm3(v));
    return is_parallel ? cn_across(u) : cn_mul3(1.0 / norm, across);
}

cn_near3 cn_rods_near(const cn_rod *a, const cn_rod *b)
{
    cn_near3 best = {.distance = INFINITY};
    for (int k = 0; k < 2; k++) {
        double s = cn_segment_place(a->end[0], a->end[1], b->end[k]);
        keep_nearer(&best, cn_rod_at(a, s), b->end[k]);
        double t = cn_segment_place(b->end[0], b->end[1], a->end[k]);
        keep_nearer(&best, a->end[k], cn_rod_at(b, t));
    }
    keep_crossing(a, b, &best);
    double length =
        cn_norm3(cn_sub3(a->end[1], a->end[0])) + cn_norm3(cn_sub3(b->end[1], b->end[0]));
    best.n = best.distance > ROUNDING * length
                 ? cn_mul3(1.0 / best.distance, cn_sub3(best.pb, best.pa))
                 : normal_of_crossing(a, b);
    return best;
}

// A rod as seen along the normal: its place and slope along the tangent.
typedef struct shadow {
    cn_vec3 lower, rise; // end that comes first, way to the other
    double at, length;   // place of the first end, length of the shadow
} shadow;

static shadow shadow_of(const cn_rod *r, cn_vec3 t, cn_vec3 origin)
{
    double at[2] = {cn_dot3(t, cn_sub3(r->end[0], origin)), cn_dot3(t, cn_sub3(r->end[1], origin))};
    int first = at[0] <= at[1] ? 0 : 1;
    return (shadow){r->end[first], cn_sub3(r->end[1 - first], r->end[first]), at[first],
                    at[1 - first] - at[first]};
}

static cn_vec3 point_at(const shadow *s, double at)
{
    return cn_add_mul3(s->lower, (at - s->at) / s->length, s->rise);
}

static bool is_inclined(const cn_rod *r, cn_vec3 n)
{
    cn_vec3 along = cn_sub3(r->end[1], r->end[0]);
    return !(fabs(cn_dot3(n, along)) <= INCLINED * cn_norm3(along));
}

// The two ends of the overlap; 0 if the rods are not side by side.
static int touch_sides(const cn_rod *a, const cn_rod *b, cn_vec3 n, cn_touch3 *touch)
{
    if (is_inclined(a, n) || is_inclined(b, n)) {
        return 0;
    }
    cn_vec3 along = cn_sub3(a->end[1], a->end[0]);
    cn_vec3 t = cn_add_mul3(along, -cn_dot3(n, along), n);
    t = cn_mul3(1.0 / cn_norm3(t), t);
    cn_vec3 sideways = cn_cross3(n, t);
    double radii = a->radius + b->radius;
    shadow of_a = shadow_of(a, t, a->end[0]), of_b = shadow_of(b, t, a->end[0]);
    double end_a = of_a.at + of_a.length, end_b = of_b.at + of_b.length;
    double at[2] = {of_a.at > of_b.at ? of_a.at : of_b.at, end_a < end_b ? end_a : end_b};
    if (!(at[1] - at[0] > OVERLAP * radii)) {
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        cn_vec3 pa = point_at(&of_a, at[k]), pb = point_at(&of_b, at[k]), apart = cn_sub3(pb, pa);
        double aside = cn_dot3(sideways, apart), along_n = cn_dot3(n, apart);
        if (!(fabs(aside) <= SKEW * radii)) {
            return 0;
        }
        double distance = along_n > 0.0 ? hypot(along_n, aside) : along_n;
        touch[k] = cn_touch3_between(pa, pb, n, distance, a->radius, b->radius, (uint32_t)k + 1);
    }
    return 2;
}

int cn_rods_touch(const cn_rod *a, const cn_rod *b, double reach, cn_touch3 *touch)
{
    cn_near3 near = cn_rods_near(a, b);
    if (!(near.distance - (a->radius + b->radius) <= reach)) {
        return 0;
    }
    cn_touch3 side[2],
        one = cn_touch3_between(near.pa, near.pb, near.n, near.distance, a->radius, b->radius, 0);
    int side_count = touch_sides(a, b, near.n, side), count = 0;
    double least = INFINITY;
    for (int k = 0; k < side_count; k++) {
        if (side[k].gap <= reach) {
            touch[count++] = side[k];
            least = fmin(least, side[k].gap);
        }
    }
    if (!(least <= one.gap + ROUNDING * (a->radius + b->radius))) {
        touch[count++] = one;
    }
    return count;
}
