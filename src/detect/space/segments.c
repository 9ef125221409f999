// detect/space/segments.c -- nearest points of segments, and the points where rounded segments
// touch.
//
// The square of the distance of two points on two segments is a convex function of their places: it
// is least where both lines are nearest, if that is inside, or else at one of the four ends.
//
// Rods side by side have two points, at the ends of the overlap of their shadows along the normal,
// with the gaps that they have there. Rods that cross at a small angle are nearest in between: that
// is a third point. A rod that leaves the plane of both by more than SKEW has no other.
//
// Where rods that are almost parallel are nearest is up to the last 1e-9. The place of which they
// take the normal, and the third point, is therefore drawn to the middle of the overlap (5.8).
#include "detect/space/nearest_space.h"

static const double SKEW = 0.018;     // sideways offset of rods side by side, of the radii [-]
static const double OVERLAP = 5e-7;   // shortest overlap with two ends, of the radii [-]
static const double INCLINED = 0.48;  // sine of the largest angle between a rod and the surface [-]
static const double ROUNDING = 1e-12; // axes closer than this cross, of their length [-]
static const double DRAWN = 2e-3;     // how strongly a place is drawn to the middle [-]
static const double SAG = 1e-5;       // rods that come closer than this between their ends, of the
                                      // radii, have a point there [-]
static const double THINNEST = 1e-2;  // radius that counts as such at least, of both [-]
static const double THIN = 0.1;       // a radius that is small against the other, of both [-]
static const double DEEP = 0.1; // axes closer than this have no other normal, of the radii [-]

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

// Rods side by side: places of both at either end of the overlap of their shadows.
typedef struct overlap {
    cn_vec3 a[2], b[2];
    double length;
} overlap;

// Shadow of a rod along the tangent t.
static void shadow_of(const cn_rod *r, cn_vec3 t, cn_vec3 origin, double at[2])
{
    at[0] = cn_dot3(t, cn_sub3(r->end[0], origin));
    at[1] = cn_dot3(t, cn_sub3(r->end[1], origin));
}

static bool is_inclined(const cn_rod *r, cn_vec3 n)
{
    cn_vec3 along = cn_sub3(r->end[1], r->end[0]);
    return !(fabs(cn_dot3(n, along)) <= INCLINED * cn_norm3(along));
}

static bool find_overlap(const cn_rod *a, const cn_rod *b, cn_vec3 n, overlap *o)
{
    if (is_inclined(a, n) || is_inclined(b, n)) {
        return false;
    }
    cn_vec3 along = cn_sub3(a->end[1], a->end[0]);
    cn_vec3 t = cn_add_mul3(along, -cn_dot3(n, along), n);
    t = cn_mul3(1.0 / cn_norm3(t), t);
    double of_a[2], of_b[2];
    shadow_of(a, t, a->end[0], of_a);
    shadow_of(b, t, a->end[0], of_b);
    double from = fmax(of_a[0], fmin(of_b[0], of_b[1]));
    double to = fmin(of_a[1], fmax(of_b[0], of_b[1]));
    o->length = to - from;
    for (int k = 0; k < 2; k++) {
        double at = k == 0 ? from : to;
        o->a[k] = cn_rod_at(a, (at - of_a[0]) / (of_a[1] - of_a[0]));
        o->b[k] = cn_rod_at(b, (at - of_b[0]) / (of_b[1] - of_b[0]));
    }
    return o->length > OVERLAP * (a->radius + b->radius);
}

// Where the rods are nearest, drawn to the middle of the overlap (5.8): 0 at its first end.
static double drawn_place(const overlap *o)
{
    cn_vec3 apart = cn_sub3(o->b[0], o->a[0]);
    cn_vec3 change = cn_sub3(cn_sub3(o->b[1], o->a[1]), apart);
    double draw = DRAWN * o->length * o->length;
    double place = (0.5 * draw - cn_dot3(apart, change)) / (cn_dot3(change, change) + draw);
    return fmin(fmax(place, 0.0), 1.0);
}

static cn_vec3 between(const cn_vec3 end[2], double place)
{
    return cn_add_mul3(end[0], place, cn_sub3(end[1], end[0]));
}

// The two ends of the overlap; false if the rods are not side by side there. The way from one to
// the other at the drawn place says where they are, since n turns faster. It would lead past an
// edge, or a rod that is thin against the other: there it is the way at each end.
static bool touch_ends(const overlap *o, const cn_rod *a, const cn_rod *b, cn_vec3 n, cn_vec3 way,
                       cn_touch3 touch[2])
{
    double radii = a->radius + b->radius;
    bool is_thin = fmin(a->radius, b->radius) < THIN * radii;
    for (int k = 0; k < 2; k++) {
        cn_vec3 apart = cn_sub3(o->b[k], o->a[k]);
        double along_n = cn_dot3(n, apart), aside = cn_norm3(cn_add_mul3(apart, -along_n, n));
        if (!(aside <= SKEW * radii)) {
            return false;
        }
        double distance = along_n > 0.0 ? hypot(along_n, aside) : along_n;
        cn_vec3 own = is_thin && along_n > DEEP * radii ? cn_mul3(1.0 / distance, apart) : way;
        touch[k] = cn_touch3_between(o->a[k], o->b[k], own, distance, a->radius, b->radius,
                                     (uint32_t)k + 1);
        touch[k].normal = cn_neg3(n);
    }
    return true;
}

// Unit vector at the drawn place, unless the axes meet there.
static cn_vec3 drawn_way(const overlap *o, double place, const cn_near3 *near, double radii)
{
    cn_vec3 way = cn_sub3(between(o->b, place), between(o->a, place));
    return near->distance > DEEP * radii ? cn_mul3(1.0 / cn_norm3(way), way) : near->n;
}

int cn_rods_points(const cn_rod *a, const cn_rod *b, const cn_near3 *near, double reach,
                   cn_touch3 *touch)
{
    double radii = a->radius + b->radius, gap = near->distance - radii, least = INFINITY;
    cn_touch3 side[2], one = cn_touch3_between(near->pa, near->pb, near->n, near->distance,
                                               a->radius, b->radius, 0);
    overlap o;
    bool has_sides = find_overlap(a, b, near->n, &o);
    double place = has_sides ? drawn_place(&o) : 0.0;
    cn_vec3 way = has_sides ? drawn_way(&o, place, near, radii) : near->n;
    if (has_sides && touch_ends(&o, a, b, near->n, way, side)) {
        least = fmin(side[0].gap, side[1].gap);
        cn_vec3 pa = between(o.a, place), pb = between(o.b, place);
        one.point = cn_touch3_between(pa, pb, way, 0.0, a->radius, b->radius, 0).point;
    }
    int count = 0;
    double thinner = fmax(fmin(a->radius, b->radius), THINNEST * radii);
    bool is_between = least > gap + SAG * fmin(2.0 * thinner, radii);
    for (int k = 0; least < INFINITY && k < 2; k++) {
        side[k].gap += is_between ? 0.0 : gap - least; // the least is right, whoever has it
        if (side[k].gap <= reach) {
            touch[count++] = side[k];
        }
    }
    if (is_between) {
        touch[count++] = one;
    }
    return count;
}

cn_vec3 cn_rods_place(const cn_rod *a, const cn_rod *b, const cn_near3 *near)
{
    cn_touch3 side[2];
    overlap o;
    if (!find_overlap(a, b, near->n, &o) || !touch_ends(&o, a, b, near->n, near->n, side)) {
        return cn_touch3_between(near->pa, near->pb, near->n, 0.0, a->radius, b->radius, 0).point;
    }
    double place = drawn_place(&o);
    cn_vec3 way = drawn_way(&o, place, near, a->radius + b->radius);
    return cn_touch3_between(between(o.a, place), between(o.b, place), way, 0.0, a->radius,
                             b->radius, 0)
        .point;
}

int cn_rods_touch(const cn_rod *a, const cn_rod *b, double reach, cn_touch3 *touch)
{
    cn_near3 near = cn_rods_near(a, b);
    bool is_near = near.distance - (a->radius + b->radius) <= reach;
    return is_near ? cn_rods_points(a, b, &near, reach, touch) : 0;
}

void cn_rods_rename(const cn_rod *a, const cn_rod *b, cn_touch3 *touch, int count)
{
    double same = cn_dot3(cn_sub3(a->end[1], a->end[0]), cn_sub3(b->end[1], b->end[0]));
    for (int k = 0; same < 0.0 && k < count; k++) {
        touch[k].feature = touch[k].feature != 0 ? 3 - touch[k].feature : 0;
    }
}
