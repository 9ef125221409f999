// detect/space/open_tube.c -- open tubes, from which bodies come out.
//
// A convex body that has come through an open end is beside the wall there, without touching it: so
// what it does to the wall is asked of the part between the open ends alone. The inner rim of an
// open end is an edge that only edges can meet, for a circle seen from inside bends away from every
// face.
#include "detect/space/open_tube.h"

static const double MARGIN = 1e-2; // how deep below a lip a part begins, of the wall [-]
static const double SAME = 1e-6;   // distance of touches that are one, of the radius [-]
static const double STEEP = 0.55;  // cosine to the axis from which an edge runs through the end [-]
static const double SLANT = 1e-2;  // how far a normal may lean out of the rim, as a sine [-]
static const double GRAZE = 0.3;   // sine to the rim below which a rod runs along it [-]
static const double ALONG = 0.05;  // the same of an edge [-]

cn_tube_place cn_tube_at(const cn_posed3 *b, cn_vec3 p)
{
    const cn_solid *s = b->solid;
    cn_tube_place at = {.u = cn_mat3_mul(&b->R, s->axis)};
    cn_vec3 d = cn_sub3(p, cn_posed3_point(b, s->middle));
    at.along = cn_dot3(at.u, d);
    cn_vec3 across = cn_add_mul3(d, -at.along, at.u);
    at.radial = cn_norm3(across);
    at.out = at.radial > 0.0 ? cn_mul3(1.0 / at.radial, across) : cn_across(at.u);
    at.half = 0.5 * cn_norm3(cn_sub3(s->end[1], s->end[0]));
    return at;
}

bool cn_touch3_is_at(const cn_touch3 *touch, int count, cn_vec3 point, double within)
{
    for (int k = 0; k < count; k++) {
        if (cn_norm3(cn_sub3(touch[k].point, point)) <= within) {
            return true;
        }
    }
    return false;
}

// ---- the part between the open ends

// The slab between the open ends, and the mean of what is found in it.
typedef struct part {
    cn_vec3 middle, u;
    double low, high; // along u from the middle [m]
    cn_vec3 sum;
    int count;
} part;

static part part_of(const cn_posed3 *b)
{
    const cn_solid *s = b->solid;
    cn_tube_place at = cn_tube_at(b, cn_posed3_point(b, s->middle));
    double half = at.half - fmin(MARGIN * s->thickness, 0.5 * at.half);
    return (part){.middle = cn_posed3_point(b, s->middle),
                  .u = at.u,
                  .low = cn_tube_is_closed(s, false) ? -INFINITY : -half,
                  .high = cn_tube_is_closed(s, true) ? INFINITY : half};
}

static void add_point(part *x, cn_vec3 p)
{
    x->sum = cn_add3(x->sum, p);
    x->count++;
}

// What lies in the slab of the edge from p to q; false: nothing.
static bool clip(const part *x, cn_vec3 *p, cn_vec3 *q)
{
    cn_vec3 e = cn_sub3(*q, *p);
    double from = cn_dot3(x->u, cn_sub3(*p, x->middle)), way = cn_dot3(x->u, e);
    double first = 0.0, last = 1.0;
    if (way == 0.0) {
        last = from >= x->low && from <= x->high ? 1.0 : -1.0;
    } else {
        double at_low = (x->low - from) / way, at_high = (x->high - from) / way;
        first = fmax(first, fmin(at_low, at_high));
        last = fmin(last, fmax(at_low, at_high));
    }
    *q = cn_add_mul3(*p, last, e);
    *p = cn_add_mul3(*p, first, e);
    return first <= last;
}

bool cn_tube_clip(const cn_posed3 *b, cn_vec3 *p, cn_vec3 *q)
{
    part x = part_of(b);
    return clip(&x, p, q);
}

static void add_edge(part *x, cn_vec3 p, cn_vec3 q)
{
    if (clip(x, &p, &q)) {
        add_point(x, p);
        add_point(x, q);
    }
}

static void add_hull(part *x, const cn_posed3 *a)
{
    const cn_hull *hull = a->solid->hull;
    for (int e = 0; e < hull->edge_count; e++) {
        add_edge(x, cn_posed3_point(a, hull->vertex[hull->edge[e][0]]),
                 cn_posed3_point(a, hull->vertex[hull->edge[e][1]]));
    }
}

static void add_can(part *x, const cn_posed3 *a)
{
    cn_cylinder can = cn_cylinder_of(a);
    for (int k = 0; k < CN_RIM_SIDES; k++) {
        for (int cap = 0; cap < 2; cap++) {
            add_edge(x, cn_cylinder_rim(&can, cap, k),
                     cn_cylinder_rim(&can, cap, (k + 1) % CN_RIM_SIDES));
        }
        add_edge(x, cn_cylinder_rim(&can, 0, k), cn_cylinder_rim(&can, 1, k));
    }
}

bool cn_tube_part(const cn_posed3 *a, const cn_posed3 *b, cn_vec3 *middle)
{
    part x = part_of(b);
    if (a->solid->hull != NULL) {
        add_hull(&x, a);
    } else if (a->solid->kind == CN_SOLID_CYLINDER) {
        add_can(&x, a);
    } else { // the axis of a rounded one
        add_edge(&x, cn_posed3_point(a, a->solid->end[0]), cn_posed3_point(a, a->solid->end[1]));
    }
    *middle = x.count > 0 ? cn_mul3(1.0 / x.count, x.sum) : a->x;
    return x.count > 0;
}

// ---- places of segments that are nearest to inner rims

enum {
    ROD_PARTS = 16, // of a rod, in each of which it is nearest to a rim at one place at most
    PLACES_MAX = 4
};

// Half the slope of the squared distance of a place of a rod from the inner rim of end k.
static double slope_from_rim(const cn_posed3 *b, const cn_rod *rod, int k, double place)
{
    cn_vec3 way = cn_sub3(rod->end[1], rod->end[0]);
    cn_tube_place at = cn_tube_at(b, cn_rod_at(rod, place));
    double above = at.along - (k == 1 ? at.half : -at.half);
    return above * cn_dot3(at.u, way) + (at.radial - b->solid->radius) * cn_dot3(at.out, way);
}

// Where it is nearest, the slope being negative at `from` and not at `to`.
static double nearest_to_rim(const cn_posed3 *b, const cn_rod *rod, int k, double from, double to)
{
    for (int n = 0; n < 52; n++) {
        double middle = 0.5 * (from + to);
        if (slope_from_rim(b, rod, k, middle) < 0.0) {
            from = middle;
        } else {
            to = middle;
        }
    }
    return to;
}

static int find_places(const cn_posed3 *b, const cn_rod *rod, int k, double place[PLACES_MAX])
{
    int count = 0;
    double before = slope_from_rim(b, rod, k, 0.0);
    for (int n = 1; n <= ROD_PARTS && count < PLACES_MAX; n++) {
        double to = (double)n / ROD_PARTS, slope = slope_from_rim(b, rod, k, to);
        if (before < 0.0 && slope >= 0.0) {
            place[count++] = nearest_to_rim(b, rod, k, to - 1.0 / ROD_PARTS, to);
        }
        before = slope;
    }
    return count;
}

// What is deeper in the wall than this along a normal of an inner rim is nearer to its other side:
// an open tube may be shorter than its wall is thick.
static double deepest_in(const cn_posed3 *b)
{
    cn_tube_place at = cn_tube_at(b, cn_posed3_point(b, b->solid->middle));
    return fmin(b->solid->thickness, at.half);
}

// Names tell where a segment over the mouth enters and leaves it.
static bool is_leaving(const cn_posed3 *b, cn_vec3 x, cn_vec3 way)
{
    cn_tube_place at = cn_tube_at(b, x);
    bool is_steep = fabs(cn_dot3(at.u, way)) > STEEP * cn_norm3(way);
    return !is_steep && cn_dot3(at.out, way) > 0.0;
}

// ---- edges on inner rims

// An edge along `way` that is nearest to the inner rim of end k at its point x. Both are taken as
// straight there.
typedef struct crossing {
    cn_vec3 x, way;
    int k;
    double dip; // how far the edge reaches below the lip: what is deeper in the wall is on the lip
    uint32_t name;
} crossing;

static void touch_inner_rim(const cn_posed3 *b, const crossing *c, double reach, cn_touch3 *touch,
                            int *count)
{
    const cn_solid *s = b->solid;
    cn_tube_place at = cn_tube_at(b, c->x);
    double lip = c->k == 1 ? at.half : -at.half;
    cn_vec3 back = cn_mul3(c->k == 1 ? -1.0 : 1.0, at.u);
    cn_vec3 rim =
        cn_add_mul3(cn_add_mul3(cn_posed3_point(b, s->middle), lip, at.u), s->radius, at.out);
    cn_vec3 n = cn_cross3(c->way, cn_cross3(at.u, at.out));
    double size = cn_norm3(n);
    if (!(size > ALONG * cn_norm3(c->way))) {
        return; // along the rim
    }
    n = cn_mul3((cn_dot3(n, cn_add3(at.out, back)) < 0.0 ? -1.0 : 1.0) / size, n);
    double distance = cn_dot3(n, cn_sub3(rim, c->x));
    cn_vec3 point = cn_add_mul3(rim, -0.5 * distance, n);
    bool is_of_rim = cn_dot3(n, at.out) >= -SLANT && cn_dot3(n, back) >= -SLANT;
    double deepest = fmin(fmax(c->dip, SAME * s->radius), deepest_in(b));
    if (is_of_rim && distance <= reach && distance >= -deepest &&
        !cn_touch3_is_at(touch, *count, point, SAME * s->radius)) {
        cn_vec3 on_edge = cn_add_mul3(rim, -distance, n);
        cn_touch3_keep(
            touch, count,
            cn_touch3_between(on_edge, rim, n, distance, 0.0, 0.0, 1u << 31 | 4u * c->name));
    }
}

// How far an edge reaches below the lip of end k: by no more than that it has to leave.
static double dip_of(const cn_posed3 *b, const cn_rod *edge, int k)
{
    cn_tube_place from = cn_tube_at(b, edge->end[0]), to = cn_tube_at(b, edge->end[1]);
    double low = k == 1 ? fmin(from.along, to.along) : fmin(-from.along, -to.along);
    return fmax(0.0, from.half - low);
}

// Whether both ends of an edge are farther above or below the lip of end k than it could be met.
static bool is_far(const cn_posed3 *b, const cn_rod *edge, int k, double reach)
{
    double most = fmax(reach, b->solid->thickness), above[2];
    for (int n = 0; n < 2; n++) {
        cn_tube_place at = cn_tube_at(b, edge->end[n]);
        above[n] = k == 1 ? at.along - at.half : -at.along - at.half;
    }
    return fmin(above[0], above[1]) > most || fmax(above[0], above[1]) < -most;
}

void cn_tube_edge(const cn_posed3 *b, cn_vec3 p, cn_vec3 q, uint32_t name, double reach,
                  cn_touch3 *touch, int *count)
{
    cn_rod edge = {{p, q}, 0.0};
    for (int k = 0; k < 2; k++) {
        double place[PLACES_MAX];
        int places = cn_tube_is_closed(b->solid, k == 1) || is_far(b, &edge, k, reach)
                         ? 0
                         : find_places(b, &edge, k, place);
        for (int n = 0; n < places; n++) {
            cn_vec3 x = cn_rod_at(&edge, place[n]), way = cn_sub3(q, p);
            uint32_t leaves = is_leaving(b, x, way);
            crossing c = {x, way, k, dip_of(b, &edge, k), 4u * name | 2u * leaves | (uint32_t)k};
            touch_inner_rim(b, &c, reach, touch, count);
        }
    }
}

// ---- rods on inner rims

// How sharply the distance rises on both sides of such a place: 1 for a rod at right angles to the
// rim, 0 for one along it, whose place is not known.
static double sharpness(const cn_solid *s, const cn_tube_place *at, cn_vec3 way)
{
    double w2 = cn_dot3(way, way), along = cn_dot3(at->u, way), out = cn_dot3(at->out, way);
    double bend = (w2 - along * along - out * out) / at->radial; // of the distance from the axis
    return (along * along + out * out + (at->radial - s->radius) * bend) / w2;
}

// The touch at a place that is nearest.
static void touch_rod(const cn_posed3 *b, const cn_rod *rod, int k, double place, double reach,
                      cn_touch3 *touch, int *count)
{
    cn_vec3 x = cn_rod_at(rod, place), way = cn_sub3(rod->end[1], rod->end[0]);
    cn_tube_place at = cn_tube_at(b, x);
    double above = at.along - (k == 1 ? at.half : -at.half), within = b->solid->radius - at.radial;
    double distance = hypot(above, within), outwards = k == 1 ? above : -above;
    bool is_of_rim = within >= -SLANT * distance && outwards >= -SLANT * distance;
    if (!(distance > 0.0) || !is_of_rim || !(distance - rod->radius <= reach) ||
        !(sharpness(b->solid, &at, way) > GRAZE * GRAZE)) {
        return;
    }
    cn_vec3 n = cn_mul3(1.0 / distance, cn_add_mul3(cn_mul3(within, at.out), -above, at.u));
    uint32_t leaves = is_leaving(b, x, way), name = 1u << 31 | 4u * (2u * leaves + (uint32_t)k);
    cn_vec3 rim = cn_add_mul3(x, distance, n);
    cn_touch3_keep(touch, count, cn_touch3_between(x, rim, n, distance, rod->radius, 0.0, name));
}

void cn_tube_rod(const cn_posed3 *b, const cn_rod *rod, double reach, cn_touch3 *touch, int *count)
{
    for (int k = 0; k < 2; k++) {
        double place[PLACES_MAX];
        int places = cn_tube_is_closed(b->solid, k == 1) ? 0 : find_places(b, rod, k, place);
        for (int n = 0; n < places; n++) {
            touch_rod(b, rod, k, place[n], reach, touch, count);
        }
    }
}

// ---- rims on inner rims

// A point of the rim of a cap, its tangent, and where it is in the tube.
typedef struct rim_place {
    cn_vec3 x, tangent, radial; // unit vectors
    cn_tube_place at;
    int cap, k;           // of the cylinder, and end of the tube
    double above, within; // beyond the lip of end k, and inside of the inner rim [m]
} rim_place;

static rim_place rim_at(const cn_posed3 *b, const cn_cylinder *can, int cap, int k, double angle)
{
    rim_place p = {.radial = cn_add_mul3(cn_mul3(cos(angle), can->side), sin(angle), can->left),
                   .cap = cap,
                   .k = k};
    p.tangent = cn_cross3(can->u, p.radial);
    p.x = cn_add_mul3(can->end[cap], can->radius, p.radial);
    p.at = cn_tube_at(b, p.x);
    p.above = k == 1 ? p.at.along - p.at.half : -p.at.along - p.at.half;
    p.within = b->solid->radius - p.at.radial;
    return p;
}

// Half the slope of the squared distance from the inner rim of end k, over the angle and radius.
static double rim_slope(const rim_place *p, int k)
{
    double up = (k == 1 ? 1.0 : -1.0) * cn_dot3(p->at.u, p->tangent);
    return p->above * up - p->within * cn_dot3(p->at.out, p->tangent);
}

// Where the distance is least, the slope being negative at `from` and not at `to`.
static rim_place nearest_rim(const cn_posed3 *b, const cn_cylinder *can, int cap, int k,
                             double from, double to)
{
    rim_place p = rim_at(b, can, cap, k, to);
    for (int n = 0; n < 52; n++) {
        double middle = 0.5 * (from + to);
        p = rim_at(b, can, cap, k, middle);
        if (rim_slope(&p, k) < 0.0) {
            from = middle;
        } else {
            to = middle;
        }
    }
    return p;
}

static bool has_name(const cn_touch3 *touch, int count, uint32_t name)
{
    for (int m = 0; m < count; m++) {
        if (touch[m].feature == name) {
            return true;
        }
    }
    return false;
}

// Two edges where they are nearest: the normal is across both, and must be one of either body.
static void touch_rims(const cn_posed3 *b, const cn_cylinder *can, const rim_place *p, double reach,
                       cn_touch3 *touch, int *count)
{
    const cn_solid *s = b->solid;
    cn_vec3 back = cn_mul3(p->k == 1 ? -1.0 : 1.0, p->at.u);
    cn_vec3 cap_normal = cn_mul3(p->cap == 1 ? 1.0 : -1.0, can->u);
    cn_vec3 n = cn_cross3(p->tangent, cn_cross3(p->at.u, p->at.out));
    double size = cn_norm3(n);
    if (!(size > ALONG)) {
        return;
    }
    n = cn_mul3((cn_dot3(n, cn_add3(p->at.out, back)) < 0.0 ? -1.0 : 1.0) / size, n);
    cn_vec3 way = cn_add_mul3(cn_mul3(p->within, p->at.out), p->above, back);
    double gap = cn_dot3(n, way);
    bool is_of_both = cn_dot3(n, p->at.out) >= -SLANT && cn_dot3(n, back) >= -SLANT &&
                      cn_dot3(n, cap_normal) >= -SLANT && cn_dot3(n, p->radial) >= -SLANT;
    cn_vec3 rim = cn_add3(p->x, way), point = cn_add_mul3(rim, -0.5 * gap, n);
    if (is_of_both && gap <= reach && gap >= -deepest_in(b) &&
        !cn_touch3_is_at(touch, *count, point, SAME * s->radius)) {
        bool leaves = cn_dot3(p->at.out, p->tangent) > 0.0;
        uint32_t name =
            1u << 31 | 4u * (1u << 20 | 8u * (uint32_t)p->cap | 4u * (uint32_t)p->k | leaves);
        name += has_name(touch, *count, name) ? 8u : 0u;
        cn_touch3_keep(touch, count, cn_touch3_between(p->x, rim, n, gap, 0.0, 0.0, name));
    }
}

// Whether the distance falls from an angle on and rises up to the next. Looked at beside them:
// where both lie alike about an axis of the rim, they are where the distance is largest.
static bool has_nearest(const cn_posed3 *b, const cn_cylinder *can, int cap, int k, double from,
                        double to)
{
    double beside = 1e-6 * (to - from);
    rim_place first = rim_at(b, can, cap, k, from + beside);
    rim_place last = rim_at(b, can, cap, k, to - beside);
    return rim_slope(&first, k) < 0.0 && rim_slope(&last, k) >= 0.0;
}

void cn_tube_rims(const cn_posed3 *b, const cn_cylinder *can, double reach, cn_touch3 *touch,
                  int *count)
{
    const double spacing = 2.0 * CN_PI / CN_RIM_SIDES;
    double most = fmax(reach, b->solid->thickness) + spacing * can->radius;
    for (int side = 0; side < 4; side++) {
        int cap = side / 2, k = side % 2;
        for (int n = 0; n < CN_RIM_SIDES && !cn_tube_is_closed(b->solid, k == 1); n++) {
            double from = n * spacing, to = (n + 1) * spacing;
            rim_place p = rim_at(b, can, cap, k, from);
            if (hypot(p.above, p.within) <= most && has_nearest(b, can, cap, k, from, to)) {
                p = nearest_rim(b, can, cap, k, from, to);
                touch_rims(b, can, &p, reach, touch, count);
            }
        }
    }
}
