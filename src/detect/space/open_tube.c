// detect/space/open_tube.c -- open tubes, from which bodies come out.
//
// A convex body that has come through an open end is beside the wall there, without touching it: so
// what it does to the wall is asked of the part between the open ends alone. The inner rim of an
// open end is an edge that only edges can meet, for a circle seen from inside bends away from every
// face.
#include "detect/space/open_tube.h"

#include "detect/space/placed_cylinder.h"

static const double MARGIN = 1e-2; // how deep below a lip a part begins, of the wall [-]
static const double SAME = 1e-6;   // distance of touches that are one, of the radius [-]
static const double STEEP = 0.55;  // cosine to the axis from which an edge runs through the end [-]
static const double SLANT = 1e-2;  // how far a normal may lean out of the rim, as a sine [-]
static const double GRAZE = 0.3;   // sine to the rim below which an edge runs along it [-]

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
    cn_can can = cn_can_of(a);
    for (int k = 0; k < CN_RIM_SIDES; k++) {
        for (int cap = 0; cap < 2; cap++) {
            add_edge(x, cn_can_rim(&can, cap, k), cn_can_rim(&can, cap, (k + 1) % CN_RIM_SIDES));
        }
        add_edge(x, cn_can_rim(&can, 0, k), cn_can_rim(&can, 1, k));
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

// ---- edges on inner rims

// An edge from p along `way` that passes the inner rim of end k near its point x. Both are taken as
// straight: exact where they touch.
typedef struct crossing {
    cn_vec3 x, way;
    int k;
    double radius;
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
    if (!(size > GRAZE * cn_norm3(c->way))) {
        return; // along the rim
    }
    n = cn_mul3((cn_dot3(n, cn_add3(at.out, back)) < 0.0 ? -1.0 : 1.0) / size, n);
    double distance = cn_dot3(n, cn_sub3(rim, c->x));
    cn_vec3 point = cn_add_mul3(rim, -0.5 * (distance - c->radius), n);
    bool is_of_rim = cn_dot3(n, at.out) >= -SLANT && cn_dot3(n, back) >= -SLANT;
    double deepest = fmin(fmax(c->dip, MARGIN * s->thickness), s->thickness);
    if (is_of_rim && distance - c->radius <= reach && distance >= -deepest &&
        !cn_touch3_is_at(touch, *count, point, SAME * s->radius)) {
        cn_vec3 on_edge = cn_add_mul3(rim, -distance, n);
        cn_touch3_keep(
            touch, count,
            cn_touch3_between(on_edge, rim, n, distance, c->radius, 0.0, 1u << 31 | 4u * c->name));
    }
}

// Where an edge runs through an open end.
static void cross_end(const cn_posed3 *b, cn_vec3 p, cn_vec3 q, crossing *c, double reach,
                      cn_touch3 *touch, int *count)
{
    cn_tube_place from = cn_tube_at(b, p), to = cn_tube_at(b, q);
    double lip = c->k == 1 ? from.half : -from.half;
    double before = from.along - lip, after = to.along - lip;
    if (before * after < 0.0) {
        c->x = cn_add_mul3(p, before / (before - after), c->way);
        c->dip = fmax(0.0, c->k == 1 ? fmax(-before, -after) : fmax(before, after));
        touch_inner_rim(b, c, reach, touch, count);
    }
}

// Where an edge that runs over an open end passes its inner rim, as seen along the axis: twice at
// most.
static void cross_rim(const cn_posed3 *b, cn_vec3 p, crossing *c, uint32_t name, double reach,
                      cn_touch3 *touch, int *count)
{
    cn_tube_place from = cn_tube_at(b, p);
    cn_vec3 across = cn_add_mul3(c->way, -cn_dot3(from.u, c->way), from.u);
    double aa = cn_dot3(across, across), ab = from.radial * cn_dot3(across, from.out);
    c->dip = b->solid->thickness;
    double root2 = ab * ab - aa * (from.radial * from.radial - b->solid->radius * b->solid->radius);
    for (uint32_t k = 0; k < 2 && root2 > 0.0; k++) {
        double place = (-ab + (k == 1 ? 1.0 : -1.0) * sqrt(root2)) / aa;
        if (place > 0.0 && place < 1.0) {
            c->x = cn_add_mul3(p, place, c->way);
            cn_vec3 out = cn_tube_at(b, c->x).out;
            if (!(fabs(cn_dot3(across, out)) > GRAZE * sqrt(aa))) {
                continue;
            }
            c->name = 1u << 26 | 4u * name | 2u * k | (uint32_t)c->k;
            touch_inner_rim(b, c, reach, touch, count);
        }
    }
}

void cn_tube_edge(const cn_posed3 *b, cn_vec3 p, cn_vec3 q, double radius, uint32_t name,
                  double reach, cn_touch3 *touch, int *count)
{
    cn_vec3 way = cn_sub3(q, p), u = cn_mat3_mul(&b->R, b->solid->axis);
    bool is_steep = fabs(cn_dot3(u, way)) > STEEP * cn_norm3(way);
    for (int k = 0; k < 2; k++) {
        if (cn_tube_is_closed(b->solid, k == 1)) {
            continue;
        }
        crossing c = {.way = way, .k = k, .radius = radius, .name = 2u * name | (uint32_t)k};
        if (is_steep) {
            cross_end(b, p, q, &c, reach, touch, count);
        } else {
            cross_rim(b, p, &c, name, reach, touch, count);
        }
    }
}
