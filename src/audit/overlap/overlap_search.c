// audit/overlap/overlap_search.c -- points of one region in another (9.12).
//
// The surface of a region is cut into patches, each a map from the unit square. A patch is tried at
// its middle; a part of it whose points are all nearer to the middle than they would have to be
// cannot be deeper than what is known and is left, any other is halved until eight points are
// along its longer side (64 around a rim). From the deepest of these the search climbs on with
// smaller and smaller strides.
#include <string.h>

#include "audit/overlap/overlap.h"

enum { ALONG = 8, ALONG_RIM = 64 }; // points along the longer side of a patch, around a circle
enum { CLIMBS = 60 };               // strides of a climb, at most

// The deepest point lies within the stride before, which was four times as long, in both directions
// of the patch: how far that is, in strides [-].
static const double WITHIN = 6.0;

typedef enum patch_kind {
    FLAT, // a + s (b + t c): points, segments, triangles
    TURN, // a + t b + (radius + t widening) (cos 2 pi s, sin 2 pi s) across the axis
    BALL, // a + radius times the direction of b + (2 s - 1) c + (2 t - 1) d: a sixth of a sphere
    SOLID // the point of a solid that stands for that direction
} patch_kind;

typedef struct patch {
    patch_kind kind;
    const cn_region *of;       // SOLID
    cn_vec3 a, b, c, d;        // TURN: c and d are the two unit vectors across the axis
    double radius, widening;   // [m]
    double length_s, length_t; // bounds of the derivatives [m]
    double sag;
    int along; // points along the longer side
} patch;

typedef struct search {
    const cn_region *in;
    cn_deep_find *find;
    const patch *patch;
    double slack;      // gain that is not looked for [m]
    double best, s, t; // of the patch: largest excess so far and where
} search;

static cn_vec3 patch_point(const patch *p, double s, double t)
{
    if (p->kind == FLAT) {
        return cn_add_mul3(p->a, s, cn_add_mul3(p->b, t, p->c));
    }
    if (p->kind == TURN) {
        double r = p->radius + t * p->widening;
        cn_vec3 x = cn_add_mul3(p->a, t, p->b);
        x = cn_add_mul3(x, r * cos(2.0 * CN_PI * s), p->c);
        return cn_add_mul3(x, r * sin(2.0 * CN_PI * s), p->d);
    }
    cn_vec3 out = cn_add_mul3(p->b, 2.0 * s - 1.0, p->c);
    out = cn_add_mul3(out, 2.0 * t - 1.0, p->d);
    if (p->kind == SOLID) {
        return cn_region_surface(p->of, cn_mul3(1.0 / cn_norm3(out), out));
    }
    return cn_add_mul3(p->a, p->radius / cn_norm3(out), out);
}

// What the facets of both surfaces may be off at a point: nothing where a node is on a node. A node
// between two others is off as well, since one pass of contacts leaves it free.
static double sag_between(const patch *p, double s, double t, cn_deep_sag other)
{
    bool is_segment = p->length_t == 0.0;
    double N[3] = {1.0 - s, is_segment ? s : s * (1.0 - t), is_segment ? 0.0 : s * t};
    double share = p->sag > 0.0 && p->length_s > 0.0 ? cn_deep_bulge(N) : 0.0;
    share = cn_deep_max(share, other.share);
    return isfinite(p->sag) ? share * (p->sag + other.height) : INFINITY;
}

// Depth that has to be exceeded to be worth a look.
static double goal_of(const search *x)
{
    return cn_deep_max(x->find->excess, 0.0) + x->slack;
}

// Depth at a point of the patch that stands for others within `reach`; what is better than before
// is kept.
static double try_point(search *x, double s, double t, double reach)
{
    cn_deep_sag sag;
    cn_vec3 point = patch_point(x->patch, s, t);
    double depth = cn_region_depth(x->in, point, goal_of(x) - reach, &sag);
    double excess = x->in->skin.is_mid_face ? -INFINITY : depth - sag_between(x->patch, s, t, sag);
    x->find->point_count++;
    if (depth > x->find->depth) {
        x->find->depth = depth;
        x->find->point = point;
    }
    if (excess > x->find->excess) {
        x->find->excess = excess;
        x->find->excess_point = point;
    }
    if (excess > x->best) {
        x->best = excess;
        x->s = s;
        x->t = t;
    }
    return depth;
}

// Parts of a patch about (s, t), ds and dt wide.
static void divide(search *x, double s, double t, double ds, double dt)
{
    double length_s = ds * x->patch->length_s, length_t = dt * x->patch->length_t;
    double reach = 0.5 * (length_s + length_t), depth = try_point(x, s, t, reach);
    if (depth + reach <= goal_of(x)) {
        return;
    }
    double longest = cn_deep_max(x->patch->length_s, x->patch->length_t);
    if (cn_deep_max(length_s, length_t) * x->patch->along <= longest) {
        return;
    }
    if (length_s >= length_t) {
        divide(x, s - 0.25 * ds, t, 0.5 * ds, dt);
        divide(x, s + 0.25 * ds, t, 0.5 * ds, dt);
    } else {
        divide(x, s, t - 0.25 * dt, ds, 0.5 * dt);
        divide(x, s, t + 0.25 * dt, ds, 0.5 * dt);
    }
}

static double clamped(const patch *p, double s)
{
    return p->kind == TURN ? s : cn_deep_min(cn_deep_max(s, 0.0), 1.0);
}

// From the best point of the patch to a better one near it, if there is one.
static bool climb(search *x, double stride_s, double stride_t)
{
    double from = x->best, s = x->s, t = x->t;
    for (int k = stride_t > 0.0 ? 0 : 3; k < (stride_t > 0.0 ? 9 : 6); k++) {
        double s_next = clamped(x->patch, s + (k % 3 - 1) * stride_s);
        double t_next = cn_deep_min(cn_deep_max(t + (k / 3 - 1) * stride_t, 0.0), 1.0);
        if (s_next != s || t_next != t) {
            try_point(x, s_next, t_next, 0.0);
        }
    }
    return x->best > from + 1e-3 * x->slack;
}

static void search_patch(const cn_region *in, const patch *p, double slack, cn_deep_find *find)
{
    search x = {.in = in, .find = find, .patch = p, .slack = slack, .best = -INFINITY};
    divide(&x, 0.5, 0.5, 1.0, 1.0);
    double longest = cn_deep_max(p->length_s, p->length_t), stride = longest / p->along;
    for (int n = 0; n < CLIMBS && stride > slack && x.best + WITHIN * stride > goal_of(&x); n++) {
        double ds = p->length_s > 0.0 ? cn_deep_min(stride / p->length_s, 0.25) : 0.0;
        double dt = p->length_t > 0.0 ? cn_deep_min(stride / p->length_t, 0.25) : 0.0;
        stride *= climb(&x, ds, dt) ? 1.0 : 0.25;
    }
}

// ---- patches of regions

typedef struct scanning {
    const cn_region *of, *in;
    cn_deep_find *find;
    double slack;
} scanning;

static void scan(const scanning *all, const patch *p)
{
    search_patch(all->in, p, all->slack, all->find);
}

// A triangle, a segment (b = c) or a point (all the same).
static void scan_flat(const scanning *all, cn_vec3 a, cn_vec3 b, cn_vec3 c, double sag)
{
    cn_box3 box = cn_deep_no_box;
    cn_deep_box_add(&box, a);
    cn_deep_box_add(&box, b);
    cn_deep_box_add(&box, c);
    if (!cn_deep_boxes_meet(&box, &all->in->box)) {
        return;
    }
    patch p = {
        .kind = FLAT, .a = a, .b = cn_sub3(b, a), .c = cn_sub3(c, b), .sag = sag, .along = ALONG};
    p.length_s = cn_deep_max(cn_norm3(p.b), cn_norm3(cn_sub3(c, a)));
    p.length_t = cn_norm3(p.c);
    scan(all, &p);
}

// The surface that a segment in a plane through the axis makes when it is turned about it: from
// radius r0 at the point `from` of the axis to r1 at `to`.
static void scan_turn(const scanning *all, cn_vec3 axis, cn_vec3 from, double r0, cn_vec3 to,
                      double r1)
{
    patch p = {.kind = TURN, .a = from, .b = cn_sub3(to, from), .radius = r0, .widening = r1 - r0};
    cn_tangents3(axis, &p.c, &p.d);
    p.length_s = 2.0 * CN_PI * cn_deep_max(r0, r1);
    p.length_t = hypot(cn_norm3(p.b), r1 - r0);
    p.along = p.length_t > 0.0 ? ALONG : ALONG_RIM;
    scan(all, &p);
}

static void scan_circle(const scanning *all, cn_vec3 axis, cn_vec3 centre, double radius)
{
    scan_turn(all, axis, centre, radius, centre, radius);
}

// A sphere, or a solid whose points stand for those of one.
static void scan_ball(const scanning *all, patch_kind kind, cn_vec3 centre, double radius)
{
    static const cn_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 6; k++) {
        patch p = {.kind = kind, .of = all->of, .a = centre, .radius = radius, .along = ALONG};
        p.b = cn_mul3(k < 3 ? 1.0 : -1.0, axis[k % 3]);
        p.c = axis[(k + 1) % 3];
        p.d = axis[(k + 2) % 3];
        p.length_s = p.length_t = 2.0 * radius;
        scan(all, &p);
    }
}

static void scan_sphere(const scanning *all, cn_vec3 centre, double radius)
{
    scan_ball(all, BALL, centre, radius);
}

static void scan_solid(const scanning *all)
{
    scan_ball(all, SOLID, all->of->centre, all->of->reach);
}

// A disk, a capsule, a sphere: circles or spheres about the ends, and what is between them.
static void scan_round(const scanning *all)
{
    const cn_region *r = all->of;
    cn_vec3 z = {0.0, 0.0, 1.0}, e = cn_sub3(r->end[1], r->end[0]);
    bool is_long = cn_norm3(e) > 0.0;
    for (int k = 0; k < (is_long ? 2 : 1); k++) {
        if (r->dim == 2) {
            scan_circle(all, z, r->end[k], r->radius);
        } else {
            scan_sphere(all, r->end[k], r->radius);
        }
    }
    if (is_long && r->dim == 2) {
        cn_vec3 side = cn_mul3(r->radius, cn_cross3(z, r->axis));
        cn_vec3 a = cn_add3(r->end[0], side), b = cn_add3(r->end[1], side);
        scan_flat(all, a, b, b, 0.0);
        a = cn_sub3(r->end[0], side);
        b = cn_sub3(r->end[1], side);
        scan_flat(all, a, b, b, 0.0);
    } else if (is_long) {
        scan_turn(all, r->axis, r->end[0], r->radius, r->end[1], r->radius);
    }
}

static void scan_shell(const scanning *all)
{
    const cn_region *r = all->of;
    for (int k = 0; k < 2; k++) {
        double radius = r->radius + k * r->thickness;
        if (r->dim == 2) {
            scan_circle(all, cn_v3(0.0, 0.0, 1.0), r->end[0], radius);
        } else {
            scan_sphere(all, r->end[0], radius);
        }
    }
}

static void scan_hull(const scanning *all)
{
    const cn_deep_hull *h = &all->of->hull;
    const cn_vec3 *x = h->corner;
    for (int k = 0; k < h->corner_count; k++) {
        scan_flat(all, x[k], x[k], x[k], 0.0);
    }
    for (int k = 0; k < h->edge_count; k++) {
        const int *e = h->edge[k];
        if (all->of->dim == 2 || e[0] < e[1]) { // once in space
            scan_flat(all, x[e[0]], x[e[1]], x[e[1]], 0.0);
        }
    }
    for (int k = 0; k < h->triangle_count; k++) {
        const int *t = h->triangle[k];
        scan_flat(all, x[t[0]], x[t[1]], x[t[2]], 0.0);
    }
}

static void scan_cylinder(const scanning *all)
{
    const cn_region *r = all->of;
    for (int k = 0; k < 2; k++) {
        scan_circle(all, r->axis, r->end[k], r->radius);
        scan_turn(all, r->axis, r->end[k], 0.0, r->end[k], r->radius);
    }
    scan_turn(all, r->axis, r->end[0], r->radius, r->end[1], r->radius);
}

// Wall inside and outside, lips of open ends, plates of closed ones, all rims.
static void scan_tube(const scanning *all)
{
    const cn_region *r = all->of;
    double outer = r->radius + r->thickness;
    cn_vec3 far[2];
    for (int k = 0; k < 2; k++) {
        bool is_closed = (r->ends & 1u << k) != 0;
        far[k] = cn_add_mul3(r->end[k], (k == 0 ? -1.0 : 1.0) * (is_closed ? r->thickness : 0.0),
                             r->axis);
        scan_circle(all, r->axis, far[k], outer);
        scan_turn(all, r->axis, far[k], is_closed ? 0.0 : r->radius, far[k], outer);
        scan_circle(all, r->axis, r->end[k], r->radius);
        if (is_closed) {
            scan_turn(all, r->axis, r->end[k], 0.0, r->end[k], r->radius);
        }
    }
    scan_turn(all, r->axis, r->end[0], r->radius, r->end[1], r->radius);
    scan_turn(all, r->axis, far[0], outer, far[1], outer);
}

// Facets near the other region: their corners, sides and insides; of a body whose facets touch with
// their middles these alone, since its corners may overlap by its definition.
static void scan_skin(const scanning *all)
{
    const cn_deep_skin *skin = &all->of->skin;
    const cn_vec3 *x = skin->vertex;
    cn_deep_walk walk = cn_deep_walk_in(&skin->facets, all->in->box);
    for (int f = cn_deep_walk_next(&walk); f >= 0; f = cn_deep_walk_next(&walk)) {
        const int *c = skin->facet[f];
        if (skin->is_mid_face) {
            cn_vec3 both = cn_add3(x[c[0]], x[c[1]]);
            cn_vec3 middle =
                skin->dim == 2 ? cn_mul3(0.5, both) : cn_mul3(1.0 / 3.0, cn_add3(both, x[c[2]]));
            double sag = skin->dim == 2 ? skin->sag[f] : INFINITY; // split in another way there
            scan_flat(all, middle, middle, middle, sag);
            continue;
        }
        for (int k = 0; k < skin->dim; k++) {
            cn_vec3 a = x[c[k]], b = x[c[(k + 1) % 3]];
            scan_flat(all, a, a, a, skin->sag[f]);
            if (skin->fem == NULL || skin->dim == 2 ||
                c[k] < c[(k + 1) % 3]) { // else the other has it
                scan_flat(all, a, b, b, skin->sag[f]);
            }
        }
        if (skin->dim == 3) {
            scan_flat(all, x[c[0]], x[c[1]], x[c[2]], skin->sag[f]);
        }
    }
}

void cn_deep_search(const cn_region *of, const cn_region *in, double slack, cn_deep_find *find)
{
    static void (*const scan_kind[])(const scanning *) = {
        [CN_REGION_ROUND] = scan_round, [CN_REGION_SHELL] = scan_shell,
        [CN_REGION_HULL] = scan_hull,   [CN_REGION_CYLINDER] = scan_cylinder,
        [CN_REGION_TUBE] = scan_tube,   [CN_REGION_SKIN] = scan_skin,
        [CN_REGION_SOLID] = scan_solid,
    };
    cn_deep_sag sag;
    scanning all = {of, in, find, slack};
    bool may_hold = cn_region_is_bounded(of) &&
                    cn_region_depth(in, of->centre, -INFINITY, &sag) + of->reach > all.slack;
    if (may_hold) {
        scan_kind[of->kind](&all);
    }
}
