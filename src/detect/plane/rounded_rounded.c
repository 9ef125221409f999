// detect/plane/rounded_rounded.c -- disks, capsules and polygons: polygons of one, two or more
// vertices with rounded corners.
//
// The normal is that of the nearest features of the skeletons (nearest_features.c), or of least
// penetration; it turns continuously while shapes approach. Then one of two cases:
//
// - Face to face: an edge of a and an edge of b look at each other, and their shadows along the
//   normal overlap. The points are the two ends of the overlap, each with its own gap along the
//   normal, so blocks that rock and hinges of arches turn about the true corner. Both have the name
//   (edge of a, edge of b, end): it does not depend on whose vertex ends the overlap, which
//   rounding decides when corners coincide.
// - Otherwise one point, where the shapes are nearest. It is named 0: it may wander from vertex to
//   vertex like the contact of a disk.
//
// Where corners meet, or nearly, the normal turns by as much as a body moves over their distance.
// The points must not: they are matched and put in line along a direction that goes over from the
// normal to the middle between both edges as the corners come together (theory 5.4).
//
// Edges look at each other if the angle between them is clearly less than that between either and
// the neighbours of the other: a square has an edge to offer up to 31 degrees of tilt, and standing
// on a corner (45 degrees) none, so that rounding never chooses between two edges.
#include "detect/plane/rounded_rounded.h"

#include "detect/plane/corner_corner.h"
#include "detect/plane/pairs.h"

// Largest ratio of the squares of the two angles (of chords on the unit circle).
static const double FACING_RATIO = 0.3;
// Distance of corners below which the middle between both edges counts, of the smaller size or, if
// it is longer, the shorter edge.
static const double MIDDLE_TOLERANCE = 4e-3;

// The edge next to a vertex that looks along n most.
static int edge_along(const cn_rounded *h, int vertex, cn_vec2 n)
{
    int before = cn_rounded_previous(h, vertex);
    double along_before = cn_dot2(cn_rounded_normal(h, before), n);
    return along_before > cn_dot2(cn_rounded_normal(h, vertex), n) ? before : vertex;
}

// How far two normals are from being opposite: square of a chord of the unit circle.
static double misfit(cn_vec2 n, cn_vec2 m)
{
    cn_vec2 sum = cn_add2(n, m);
    return cn_dot2(sum, sum);
}

// Misfit of n with the better neighbour of an edge.
static double misfit_beside(const cn_rounded *h, int edge, cn_vec2 n)
{
    double before = misfit(cn_rounded_normal(h, cn_rounded_previous(h, edge)), n);
    double after = misfit(cn_rounded_normal(h, cn_rounded_next(h, edge)), n);
    return before < after ? before : after;
}

static bool is_facing(const cn_rounded *a, int edge_a, const cn_rounded *b, int edge_b)
{
    cn_vec2 n = cn_rounded_normal(a, edge_a), m = cn_rounded_normal(b, edge_b);
    double limit = misfit(n, m) / FACING_RATIO;
    return limit < misfit_beside(a, edge_a, m) && limit < misfit_beside(b, edge_b, n);
}

// An edge as seen along the normal: its ends and their places along the tangent.
typedef struct shadow {
    cn_vec2 lower, upper;
    double at_lower, at_upper;
} shadow;

static cn_vec2 point_at(const shadow *s, double at)
{
    double t = (at - s->at_lower) / (s->at_upper - s->at_lower);
    return cn_add_mul2(s->lower, t, cn_sub2(s->upper, s->lower));
}

// Two edges face to face, and the smaller size [m].
typedef struct facing {
    int edge_a, edge_b;
    cn_vec2 across; // points of a and b are matched along this direction: the normal, or near to it
    double size;
} facing;

// Moves all gaps so that the least is the distance along the normal.
static void measure_from(double distance, cn_touch *touch, int count)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, touch[k].gap);
    }
    for (int k = 0; k < count; k++) {
        touch[k].gap += distance - least;
    }
}

// Of an overlap that counts as empty neither end is nearer than the other: its middle is.
static void keep_middle(cn_vec2 tangent, double at, cn_nearest *near)
{
    double off = at - 0.5 * cn_dot2(tangent, cn_add2(near->pa, near->pb));
    near->pa = cn_add_mul2(near->pa, off, tangent);
    near->pb = cn_add_mul2(near->pb, off, tangent);
}

// The two ends of the overlap of an edge of a and an edge of b; -1 if they do not overlap.
static int touch_faces(const cn_rounded *a, const cn_rounded *b, const facing *f, double reach,
                       cn_nearest *near, cn_touch *touch)
{
    int edge_a = f->edge_a, edge_b = f->edge_b;
    cn_vec2 t = cn_left2(f->across); // the edge of a runs along it, that of b against it
    shadow of_a = {.lower = cn_rounded_vertex(a, edge_a),
                   .upper = cn_rounded_vertex(a, cn_rounded_next(a, edge_a))};
    shadow of_b = {.lower = cn_rounded_vertex(b, cn_rounded_next(b, edge_b)),
                   .upper = cn_rounded_vertex(b, edge_b)};
    of_a.at_lower = cn_dot2(t, of_a.lower);
    of_a.at_upper = cn_dot2(t, of_a.upper);
    of_b.at_lower = cn_dot2(t, of_b.lower);
    of_b.at_upper = cn_dot2(t, of_b.upper);
    bool is_a_lower = of_a.at_lower >= of_b.at_lower, is_a_upper = of_a.at_upper <= of_b.at_upper;
    double lower = is_a_lower ? of_a.at_lower : of_b.at_lower;
    double upper = is_a_upper ? of_a.at_upper : of_b.at_upper;
    if (!(upper - lower > CN_CORNER_TOLERANCE * f->size)) {
        if (upper > lower) {
            keep_middle(t, 0.5 * (lower + upper), near);
        }
        return -1;
    }
    const cn_vec2 on_a[2] = {is_a_lower ? of_a.lower : point_at(&of_a, lower),
                             is_a_upper ? of_a.upper : point_at(&of_a, upper)};
    const cn_vec2 on_b[2] = {is_a_lower ? point_at(&of_b, lower) : of_b.lower,
                             is_a_upper ? point_at(&of_b, upper) : of_b.upper};
    for (int k = 0; k < 2; k++) {
        double distance = cn_dot2(near->n, cn_sub2(on_b[k], on_a[k]));
        uint32_t feature = cn_feature(edge_a, edge_b, k == 0 ? CN_END_FIRST : CN_END_SECOND);
        touch[k] =
            cn_touch_between(on_a[k], on_b[k], near->n, distance, a->radius, b->radius, feature);
    }
    if (f->across.x != near->n.x || f->across.y != near->n.y) {
        measure_from(near->distance - a->radius - b->radius, touch, 2);
    }
    cn_touch_align(touch, 2, f->across, f->size);
    int count = 0;
    for (int k = 0; k < 2; k++) {
        if (touch[k].gap <= reach) {
            touch[count++] = touch[k];
        }
    }
    return count;
}

static double edge_length(const cn_rounded *h, int edge)
{
    return cn_norm2(cn_sub2(h->vertex[cn_rounded_next(h, edge)], h->vertex[edge]));
}

// Normal n, of the given weight, drawn towards the middle between two edges.
static cn_vec2 direction_between(cn_vec2 normal_a, cn_vec2 normal_b, cn_vec2 n, double weight)
{
    cn_vec2 middle = cn_sub2(normal_a, normal_b);
    middle = cn_mul2(1.0 / cn_norm2(middle), middle);
    cn_vec2 mixed = cn_add_mul2(cn_mul2(weight, n), 1.0 - weight, middle);
    return cn_mul2(1.0 / cn_norm2(mixed), mixed);
}

// Corners that meet decide the normal together; where they cannot, only rounding says that they are
// apart, and the edge with the largest separation knows better.
static void settle_corners(const cn_rounded *a, const cn_rounded *b, const cn_wedge *wedge,
                           double tau, cn_nearest *near)
{
    if (!(cn_norm2(wedge->apart) < tau)) {
        return;
    }
    if (wedge->is_empty) {
        near->n = near->n_edge;
        return;
    }
    near->n = cn_corner_normal(wedge, near->n, tau);
    near->distance = cn_dot2(near->n, wedge->apart);
    near->corner_a = wedge->corner_a;
    near->corner_b = wedge->corner_b;
    near->pa = cn_rounded_vertex(a, near->corner_a);
    near->pb = cn_rounded_vertex(b, near->corner_b);
}

// Two polygons, or capsules: both have edges. Returns -1 if the nearest point is the only one.
static int touch_edges(const cn_rounded *a, const cn_rounded *b, cn_nearest *near, double size,
                       double reach, cn_touch *touch)
{
    double tau = CN_CORNER_TOLERANCE * size, apart = INFINITY;
    bool is_sharp = a->radius + b->radius == 0.0;
    if (is_sharp) {
        cn_wedge wedge = cn_corner_wedge(a, b, near);
        if (cn_corner_is_passing(&wedge, size)) {
            return 0;
        }
        settle_corners(a, b, &wedge, tau, near);
        apart = cn_norm2(wedge.apart);
    }
    facing f = {.edge_a = edge_along(a, near->corner_a, near->n),
                .edge_b = edge_along(b, near->corner_b, cn_neg2(near->n)),
                .across = near->n,
                .size = size};
    if (!is_facing(a, f.edge_a, b, f.edge_b)) {
        return -1;
    }
    double length = fmin(edge_length(a, f.edge_a), edge_length(b, f.edge_b));
    double middle = MIDDLE_TOLERANCE * fmax(size, length);
    if (apart < middle) {
        double part = apart / middle; // (5.7)
        f.across = direction_between(cn_rounded_normal(a, f.edge_a), cn_rounded_normal(b, f.edge_b),
                                     near->n, part * part);
    }
    return touch_faces(a, b, &f, reach, near, touch);
}

int cn_convex_touch(const cn_rounded *a, const cn_rounded *b, cn_vec2 origin, double size,
                    double reach, cn_touch *touch)
{
    cn_nearest near;
    if (!cn_rounded_nearest(a, b, a->radius + b->radius + reach, &near)) {
        return 0;
    }
    int count = -1;
    if (a->count > 1 && b->count > 1) {
        count = touch_edges(a, b, &near, size, reach, touch);
    }
    if (count < 0) {
        touch[0] =
            cn_touch_between(near.pa, near.pb, near.n, near.distance, a->radius, b->radius, 0);
        count = touch[0].gap <= reach;
    }
    for (int k = 0; k < count; k++) {
        touch[k].point = cn_add2(origin, touch[k].point);
    }
    return count;
}

int cn_narrow_convex(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch)
{
    cn_rounded of_a = cn_rounded_of(a, a->x), of_b = cn_rounded_of(b, a->x);
    double size = a->shape->size < b->shape->size ? a->shape->size : b->shape->size;
    return cn_convex_touch(&of_a, &of_b, a->x, size, reach, touch);
}
