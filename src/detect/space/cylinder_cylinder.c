// detect/space/cylinder_cylinder.c -- two cylinders, in the frame of the first.
//
// The normal is the direction of largest separation from a to b. It is the normal of a cap; or it
// lies across the axis of one of them, where a side line meets the rim or a side line of the other
// (an arc, see placed_cylinder.h); or two rims meet, where it is found by Newton's method on the
// sphere. Then the points: cap on cap, line on cap, line along line, else the nearest points.
#include "detect/space/cap_patch.h"
#include "detect/space/gjk.h"
#include "detect/space/hull/hull_pair.h"

static const double CLOSE = 1e-12;  // how well a distance is known, of the size [-]
static const double ALIGNED = 1e-9; // nearest points that lie in line, of the size [-]

typedef struct pair {
    cn_cylinder a, b;
    double size;
    bool is_a_first; // names do not depend on the order of the pair, but on body slots
} pair;

typedef struct axis {
    cn_vec3 n;
    double separation;
    bool is_measured; // a cap or a side line and a point of the other over it are that far apart
} axis;

static double separation_along(const pair *p, cn_vec3 n)
{
    return cn_cylinder_low(&p->b, n) + cn_cylinder_low(&p->a, cn_neg3(n));
}

// Of axes that part the cylinders alike the first one counts, and a measured one before others.
static void keep_better(const pair *p, cn_vec3 n, double tie, bool is_measured, axis *best)
{
    double separation = separation_along(p, n);
    bool is_first = is_measured && !best->is_measured;
    if (separation > best->separation + (is_first ? -tie : tie)) {
        *best = (axis){n, separation, is_measured};
    }
}

// Whether one point of a cylinder is lowest along n, not a line or a cap.
static bool has_lowest(const cn_cylinder *can, cn_vec3 n)
{
    double along = fabs(cn_dot3(n, can->u)), size;
    cn_cylinder_across(can, n, &size);
    return along > CN_CAN_SIDE && size > CN_CAN_SIDE;
}

static void find_caps(const pair *p, double tie, axis *best)
{
    *best = (axis){.separation = -INFINITY};
    for (int k = 0; k < 4; k++) {
        const cn_cylinder *own = k < 2 ? &p->a : &p->b, *other = k < 2 ? &p->b : &p->a;
        cn_vec3 out = k % 2 == 0 ? own->u : cn_neg3(own->u);
        cn_vec3 met = cn_sub3(cn_cylinder_lowest(other, out, out), own->middle);
        double beside;
        cn_cylinder_across(own, met, &beside);
        bool is_measured = beside <= own->radius && has_lowest(other, out);
        keep_better(p, cn_mul3(k < 2 ? 1.0 : -1.0, out), k < 2 ? 0.0 : tie, is_measured, best);
    }
}

// Side lines of `own` against `other`; sign 1 if own is a.
static void find_sides(const pair *p, const cn_cylinder *own, const cn_cylinder *other, double sign,
                       double tie, axis *best)
{
    double size;
    cn_vec3 from = cn_cylinder_across(own, cn_sub3(other->middle, own->middle), &size), n;
    cn_arc arc = {from, cn_cross3(own->u, from), -0.5 * CN_PI, 0.5 * CN_PI};
    bool is_side;
    if (size > 0.0 && cn_cylinder_arc(other, &arc, own->middle, &n, &is_side)) {
        cn_vec3 met = cn_sub3(cn_cylinder_lowest(other, n, n), own->middle);
        bool is_measured = fabs(cn_dot3(own->u, met)) <= own->half && has_lowest(other, n);
        keep_better(p, cn_mul3(sign, n), tie, is_measured, best);
    }
}

// ---- rims

// Curvature of the separation along the tangents t: rims bend by their radius over the part of n
// across the axis.
static void add_curvature(const cn_cylinder *can, cn_vec3 n, const cn_vec3 t[2], double H[3])
{
    double size;
    cn_vec3 out = cn_cylinder_across(can, n, &size), bend = cn_cross3(can->u, out);
    double x = cn_dot3(bend, t[0]), y = cn_dot3(bend, t[1]), k = can->radius / size;
    H[0] -= k * x * x;
    H[1] -= k * x * y;
    H[2] -= k * y * y;
}

// A step of Newton's method from n where the separation is concave, else along its slope.
static cn_vec3 step_from(const pair *p, cn_vec3 n, double separation)
{
    cn_vec3 t[2] = {cn_across(n)};
    t[1] = cn_cross3(n, t[0]);
    cn_vec3 way =
        cn_sub3(cn_cylinder_lowest(&p->b, n, n), cn_cylinder_lowest(&p->a, cn_neg3(n), n));
    double g[2] = {cn_dot3(t[0], way), cn_dot3(t[1], way)};
    double H[3] = {-separation, 0.0, -separation};
    add_curvature(&p->a, n, t, H);
    add_curvature(&p->b, n, t, H);
    double det = H[0] * H[2] - H[1] * H[1], scale = p->a.radius + p->b.radius;
    if (H[0] < 0.0 && det > 1e-12 * scale * scale) {
        return cn_add_mul3(cn_mul3((H[1] * g[1] - H[2] * g[0]) / det, t[0]),
                           (H[1] * g[0] - H[0] * g[1]) / det, t[1]);
    }
    return cn_mul3(1.0 / scale, cn_add_mul3(cn_mul3(g[0], t[0]), g[1], t[1]));
}

// Climbs from n; every step gains.
static axis climb(const pair *p, cn_vec3 n)
{
    axis at = {n, separation_along(p, n), false};
    for (int k = 0; k < 40; k++) {
        cn_vec3 way = step_from(p, at.n, at.separation);
        double length = cn_norm3(way), most = 0.3; // of one step [rad]
        way = length > most ? cn_mul3(most / length, way) : way;
        bool has_gained = false;
        for (int halved = 0; halved < 12 && !has_gained; halved++) {
            cn_vec3 next = cn_add3(at.n, way);
            next = cn_mul3(1.0 / cn_norm3(next), next);
            double separation = separation_along(p, next);
            has_gained = separation > at.separation;
            at = has_gained ? (axis){next, separation, false} : at;
            way = cn_mul3(0.5, way);
        }
        if (!has_gained || !(length > 1e-15)) {
            break;
        }
    }
    return at;
}

// Unit vector along which the nearest points lie beside each other, seen along n.
static cn_vec3 beside(const pair *p, cn_vec3 n)
{
    cn_vec3 apart = cn_sub3(p->b.middle, p->a.middle);
    cn_vec3 way =
        cn_sub3(cn_cylinder_lowest(&p->b, n, apart), cn_cylinder_lowest(&p->a, cn_neg3(n), apart));
    cn_vec3 across = cn_add_mul3(way, -cn_dot3(n, way), n);
    double length = cn_norm3(across);
    return length > 0.0 ? cn_mul3(1.0 / length, across) : cn_across(n);
}

// b as seen from a: their points lowest along n, less those of a that are highest.
static cn_vec3 lowest_between(const void *context, cn_vec3 n)
{
    const pair *p = context;
    return cn_sub3(cn_cylinder_lowest(&p->b, n, n), cn_cylinder_lowest(&p->a, cn_neg3(n), n));
}

static cn_cylinder core_of(const cn_cylinder *can, double by)
{
    cn_cylinder core = *can;
    core.radius -= by;
    core.half -= by;
    for (int k = 0; k < 2; k++) {
        core.end[k] = cn_add_mul3(core.middle, k == 0 ? -core.half : core.half, core.u);
    }
    return core;
}

// The direction along which the cylinders are apart, or, where they overlap, the least shrunk of
// their cores; false: all of them overlap.
static bool find_apart(const pair *p, cn_vec3 start, cn_vec3 *n)
{
    static const double part[] = {0.0, 0.01, 0.03, 0.1, 0.3, 0.9};
    double least = fmin(fmin(p->a.radius, p->a.half), fmin(p->b.radius, p->b.half));
    for (int k = 0; k < (int)(sizeof part / sizeof *part); k++) {
        pair core = *p;
        core.a = core_of(&p->a, part[k] * least);
        core.b = core_of(&p->b, part[k] * least);
        cn_convex set = {lowest_between, &core};
        cn_vec3 x;
        if (cn_gjk(&set, start, &x)) {
            *n = cn_mul3(1.0 / cn_norm3(x), x);
            return true;
        }
    }
    return false;
}

// Where two rims meet. The separation is smooth as long as n keeps to one side of both axes: four
// regions, each with a start of its own. Near the axis it bends sharply: starts close to it. Of
// bodies that are apart, or nearly so, the way between them is a start that is near the end.
static void find_rims(const pair *p, double reach, double tie, axis *best)
{
    cn_vec3 middle = best->n, off = beside(p, middle);
    for (int k = -1; k < 7 && best->separation <= reach; k++) {
        cn_vec3 start = cn_add_mul3(middle, k & 1 ? 0.3 : -0.3, p->a.u);
        start = cn_add_mul3(start, k & 2 ? 0.3 : -0.3, p->b.u);
        start = k < 4 ? start : cn_add_mul3(middle, pow(10.0, k - 7), off);
        if (k < 0 && !find_apart(p, middle, &start)) {
            continue;
        }
        double length = cn_norm3(start);
        if (length > 0.0) {
            axis found = climb(p, cn_mul3(1.0 / length, start));
            double least = best->separation + (best->is_measured ? tie : 0.0);
            *best = found.separation > least ? found : *best;
        }
    }
}

// Slope, along the rim of a, of the distance of its point at `angle` from b; *n from there to b.
static double rim_slope(const pair *p, int cap, double angle, cn_vec3 *n)
{
    const cn_cylinder *a = &p->a;
    cn_vec3 out = cn_add_mul3(cn_mul3(cos(angle), a->side), sin(angle), a->left), up;
    cn_cylinder_foot(&p->b, cn_add_mul3(a->end[cap], a->radius, out), &up);
    *n = cn_neg3(up);
    return cn_dot3(cn_cross3(a->u, out), up);
}

// Along the rim of a the distance from b falls to the nearest point and rises behind it: the zero
// of the slope next to `angle`.
static cn_vec3 roll_to_zero(const pair *p, int cap, double angle)
{
    cn_vec3 n;
    double sign = rim_slope(p, cap, angle, &n) > 0.0 ? -1.0 : 1.0, step = 1e-3, from = angle;
    double to = angle + sign * step;
    while (sign * rim_slope(p, cap, to, &n) < 0.0 && step < CN_PI) {
        step *= 2.0;
        from = to;
        to = angle + sign * step;
    }
    for (int k = 0; k < 52; k++) {
        double middle = 0.5 * (from + to);
        if (sign * rim_slope(p, cap, middle, &n) < 0.0) {
            from = middle;
        } else {
            to = middle;
        }
    }
    return n;
}

// Rims of bodies that are apart. Each nearest point is the foot of the other, which is repeated
// until it is known roughly where they are; then along the rim of a.
static void find_feet(const pair *p, axis *best)
{
    cn_vec3 y = cn_cylinder_lowest(&p->b, best->n, best->n), x = y, up;
    for (int k = 0; k < 10; k++) {
        x = cn_add_mul3(y, -cn_cylinder_foot(&p->a, y, &up), up);
        y = cn_add_mul3(x, -cn_cylinder_foot(&p->b, x, &up), up);
    }
    cn_vec3 d = cn_sub3(x, p->a.middle);
    int cap = cn_dot3(d, p->a.u) > 0.0 ? 1 : 0;
    cn_vec3 n = roll_to_zero(p, cap, atan2(cn_dot3(d, p->a.left), cn_dot3(d, p->a.side)));
    double separation = separation_along(p, n);
    *best = separation > best->separation ? (axis){n, separation, false} : *best;
}

// ---- points

// A side line of `lying` over a cap of `flat`; sign 1 if the cap belongs to a.
static void lay_line(const cn_cylinder *flat, int cap, const cn_cylinder *lying, double sign,
                     cn_gather *g)
{
    cn_rod line = cn_cylinder_line(lying, cn_mul3(sign, g->n));
    double cut[2];
    if (!cn_cylinder_cut(flat, cap, g->n, line.end[0], line.end[1], cut) ||
        !(2.0 * lying->half * (cut[1] - cut[0]) > 2.0 * CN_CAN_GRAZE * flat->radius)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        cn_vec3 x = cn_rod_at(&line, cut[k]);
        double above = cn_dot3(flat->u, cn_sub3(x, flat->end[cap])) / cn_dot3(flat->u, g->n);
        double gap = sign * above;
        cn_vec3 on_a = sign > 0.0 ? cn_add_mul3(x, -gap, g->n) : x;
        cn_gather_add(g, on_a, gap, CN_CAP_LINE | (uint32_t)k);
    }
}

static void find_points(const pair *p, cn_gather *g)
{
    int cap_b = cn_cylinder_cap(&p->b, g->n), cap_a = cn_cylinder_cap(&p->a, cn_neg3(g->n));
    if (cap_a >= 0 && cap_b >= 0) {
        cn_cap_on_cap(&p->a, cap_a, &p->b, cap_b, p->is_a_first, g);
    } else if (cap_a >= 0 && cn_cylinder_lies(&p->b, g->n)) {
        lay_line(&p->a, cap_a, &p->b, 1.0, g);
    } else if (cap_b >= 0 && cn_cylinder_lies(&p->a, g->n)) {
        lay_line(&p->b, cap_b, &p->a, -1.0, g);
    }
}

// How far the points that are nearest along n lie beside each other.
static double aside_along(const pair *p, cn_vec3 n)
{
    cn_vec3 way =
        cn_sub3(cn_cylinder_lowest(&p->b, n, n), cn_cylinder_lowest(&p->a, cn_neg3(n), n));
    return cn_norm3(cn_add_mul3(way, -cn_dot3(n, way), n));
}

// Where the separation of rims is largest n is known to the root of its rounding only. A few steps
// of Newton's method bring the nearest points into line along n.
static void straighten(const pair *p, axis *best)
{
    double aside = aside_along(p, best->n);
    for (int k = 0; k < 6; k++) {
        cn_vec3 n = cn_add3(best->n, step_from(p, best->n, best->separation));
        n = cn_mul3(1.0 / cn_norm3(n), n);
        double now = aside_along(p, n), separation = separation_along(p, n);
        if (!(now < aside) || !(separation >= best->separation - CLOSE * p->size)) {
            break;
        }
        aside = now;
        *best = (axis){n, separation, false};
    }
}

// Where a is nearest: its own rim decides, unless it offers a whole line or cap.
static cn_vec3 nearest_on_a(const pair *p, const axis *best)
{
    double size, along = cn_dot3(best->n, p->a.u);
    cn_cylinder_across(&p->a, best->n, &size);
    if (size > 1e-9 && fabs(along) > 1e-9) {
        return cn_cylinder_lowest(&p->a, cn_neg3(best->n), best->n);
    }
    return cn_add_mul3(cn_cylinder_lowest(&p->b, best->n, best->n), -best->separation, best->n);
}

static void find_nearest(const pair *p, double reach, double tie, axis *best)
{
    bool is_apart = best->separation > 0.0;
    if (is_apart && best->is_measured) {
        return;
    }
    if (is_apart) {
        find_feet(p, best);
        straighten(p, best);
    }
    if (!is_apart || aside_along(p, best->n) > ALIGNED * p->size) {
        find_rims(p, reach, tie, best);
    }
    if (!best->is_measured) {
        straighten(p, best);
    }
}

// Where the axes are nearest, if that is where the cylinders are: both touched between their ends.
static bool is_crossing(const pair *p, const axis *best, cn_near3 *near)
{
    cn_rod a = cn_cylinder_rod(&p->a), b = cn_cylinder_rod(&p->b);
    *near = cn_rods_near(&a, &b);
    double gap = near->distance - (a.radius + b.radius);
    return fabs(cn_dot3(best->n, p->a.u)) < CN_CAN_SIDE &&
           fabs(cn_dot3(best->n, p->b.u)) < CN_CAN_SIDE &&
           fabs(gap - best->separation) <= CN_HULL_CORNER * p->size;
}

// Side lines of both, or rims.
static int touch_sides(const pair *p, double reach, double tie, axis *best, cn_touch3 *touch)
{
    cn_near3 near;
    if (!is_crossing(p, best, &near)) {
        find_nearest(p, reach, tie, best);
        cn_vec3 on_a = nearest_on_a(p, best), n = best->n;
        near = (cn_near3){.pa = cn_add_mul3(on_a, -p->a.radius, n),
                          .pb = cn_add_mul3(on_a, best->separation + p->b.radius, n),
                          .n = n,
                          .distance = best->separation + (p->a.radius + p->b.radius)};
    }
    if (!(best->separation <= reach)) {
        return 0;
    }
    cn_rod a = cn_cylinder_side(&p->a, cn_neg3(near.n)), b = cn_cylinder_side(&p->b, near.n);
    int count = cn_rods_points(&a, &b, &near, reach, touch);
    if (!p->is_a_first) {
        cn_rods_rename(&a, &b, touch, count);
    }
    return count;
}

static int touch_local(const pair *p, double reach, cn_touch3 *touch)
{
    double tie = CN_HULL_TIE * p->size, slack = CN_HULL_CORNER * p->size;
    axis best;
    find_caps(p, tie, &best);
    find_sides(p, &p->a, &p->b, 1.0, tie, &best);
    find_sides(p, &p->b, &p->a, -1.0, tie, &best);
    if (!(best.separation <= reach)) {
        return 0;
    }
    cn_gather g = {best.n, reach, touch, 0, INFINITY};
    find_points(p, &g);
    if (!(g.least <= best.separation + slack)) { // rims or a rim and a side line are nearest
        return touch_sides(p, reach, tie, &best, touch);
    }
    for (int k = 0; k < g.count; k++) {
        touch[k].normal = cn_neg3(touch[k].normal);
    }
    return g.count;
}

int cn_cylinder_cylinder(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_posed3 still = {a->solid, {0.0, 0.0, 0.0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    pair p = {cn_cylinder_of(&still), cn_cylinder_seen(b, a), fmin(a->solid->size, b->solid->size),
              a->solid->body <= b->solid->body};
    int count = touch_local(&p, reach, touch);
    for (int k = 0; k < count; k++) {
        touch[k].point = cn_posed3_point(a, touch[k].point);
        touch[k].normal = cn_mat3_mul(&a->R, touch[k].normal);
    }
    return count;
}
