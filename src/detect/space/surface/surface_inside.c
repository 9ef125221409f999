// detect/space/surface/surface_inside.c -- bodies that lie inside a closed surface, however deep.
//
// Touches look no deeper below a face than half a body, as a step never needs more. Before a run
// starts that is not enough: a body that lies wholly inside touches nothing. Points of it a little
// inside its own surface are tried, and corners of the surface that may lie inside the body.
#include "detect/space/placed_cylinder.h"
#include "detect/space/surface/surface_near.h"

static const double TIE = 1e-6;  // depths that count as equal, of the size: the first one stays [-]
static const double PULL = 0.02; // how far points are pulled inwards, of their distance [-]

typedef struct seeker {
    const cn_surface_solid *m;
    cn_vec3 p;
    int winding;
    double square; // least distance so far [m2]
    cn_vec3 foot;
} seeker;

// Side of a directed edge on which p lies, seen along z; the same number for both triangles of an
// edge, so that p is over exactly one of them even on the edge.
static double side_of(cn_vec3 a, cn_vec3 b, cn_vec3 p)
{
    bool is_turned = a.x > b.x || (a.x == b.x && a.y > b.y);
    cn_vec3 from = is_turned ? b : a, to = is_turned ? a : b;
    double side = (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
    side = side == 0.0 ? 1.0 : side;
    return is_turned ? -side : side;
}

// Counts the triangle if it is above p: up when its outside is.
static bool count_above(void *context, int t)
{
    seeker *s = context;
    const int *corner = s->m->triangle[t];
    int left = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        double side = side_of(s->m->vertex[corner[k]], s->m->vertex[corner[(k + 1) % 3]], s->p);
        left += side > 0.0;
        right += side < 0.0;
    }
    cn_vec3 n = s->m->normal[t];
    double height = cn_dot3(n, s->p) - s->m->offset[t];
    if ((left == 3 && height < 0.0) || (right == 3 && height > 0.0)) {
        s->winding += left == 3 ? 1 : -1;
    }
    return true;
}

// Turns of the surface around p along the line upwards.
bool cn_surface_holds(const cn_surface_solid *m, cn_vec3 p)
{
    seeker s = {.m = m, .p = p};
    cn_box line = {{p.x, p.y, p.z}, {p.x, p.y, INFINITY}};
    cn_tree_visit(&m->tree, &line, count_above, &s);
    return s.winding > 0;
}

static void offer(seeker *s, cn_vec3 foot)
{
    cn_vec3 way = cn_sub3(foot, s->p);
    double square = cn_dot3(way, way);
    if (square < s->square) {
        s->square = square;
        s->foot = foot;
    }
}

static bool find_nearer(void *context, int t)
{
    seeker *s = context;
    const cn_surface_solid *m = s->m;
    double height = cn_dot3(m->normal[t], s->p) - m->offset[t];
    cn_vec3 foot = cn_add_mul3(s->p, -height, m->normal[t]);
    bool is_over = true;
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        cn_vec3 from = m->vertex[cn_surface_from(m, half)], to = m->vertex[cn_surface_to(m, half)];
        cn_vec3 e = cn_sub3(to, from);
        is_over = is_over && cn_dot3(cn_cross3(m->normal[t], e), cn_sub3(foot, from)) >= 0.0;
        offer(s, cn_add_mul3(from, cn_segment_place(from, to, s->p), e));
    }
    if (is_over) {
        offer(s, foot);
    }
    return true;
}

cn_vec3 cn_surface_nearest(const cn_surface_solid *m, cn_vec3 p, double within)
{
    seeker s = {.m = m, .p = p, .square = INFINITY};
    for (double by = within; s.square > by * by && isfinite(by); by *= 2.0) {
        cn_box box = {{p.x - by, p.y - by, p.z - by}, {p.x + by, p.y + by, p.z + by}};
        cn_tree_visit(&m->tree, &box, find_nearer, &s);
    }
    return s.foot;
}

// What is tried, in the frame of the surface, and the deepest touch so far.
typedef struct dive {
    const cn_posed3 *body, *surface;
    cn_touch3 *touch;
    bool is_sunk;
} dive;

static void keep_deepest(dive *d, cn_vec3 point, cn_vec3 n, double gap)
{
    if (!d->is_sunk || gap < d->touch->gap - TIE * d->body->solid->size) {
        d->is_sunk = true;
        *d->touch = (cn_touch3){point, n, gap, 0u};
    }
}

// A point of the body, with the radius around it.
static void try_point(dive *d, cn_vec3 world, double radius)
{
    const cn_posed3 *b = d->surface;
    cn_vec3 middle = cn_posed3_point(d->body, d->body->solid->middle);
    world = cn_add_mul3(world, PULL, cn_sub3(middle, world));
    cn_vec3 p = cn_mat3_mul_transposed(&b->R, cn_sub3(world, b->x));
    if (!cn_surface_holds(b->solid->mesh, p)) {
        return;
    }
    cn_vec3 foot = cn_surface_nearest(b->solid->mesh, p, d->body->solid->size),
            out = cn_sub3(foot, p);
    double depth = cn_norm3(out);
    if (depth > 0.0) {
        cn_vec3 n = cn_mat3_mul(&b->R, cn_mul3(1.0 / depth, out));
        keep_deepest(d, cn_posed3_point(b, foot), n, -(depth + radius));
    }
}

static void try_body(dive *d)
{
    const cn_posed3 *a = d->body;
    const cn_solid *s = a->solid;
    bool has_corners = cn_solid_corner_count(s) > 0;
    try_point(d, cn_posed3_point(a, s->middle), has_corners ? s->radius : 0.0);
    for (int k = 0; k < cn_solid_corner_count(s); k++) {
        try_point(d, cn_posed3_point(a, cn_solid_corner(s, k)), s->radius);
    }
    for (int k = 0; k < cn_solid_sample_count(s); k++) {
        double radius;
        cn_vec3 p = cn_solid_sample(s, k, &radius);
        try_point(d, cn_posed3_point(a, p), radius);
    }
    for (int k = 0; k < 2 * CN_RIM_SIDES && s->kind == CN_SOLID_CYLINDER; k++) {
        cn_cylinder can = cn_cylinder_of(a);
        try_point(d, cn_cylinder_rim(&can, k / CN_RIM_SIDES, k % CN_RIM_SIDES), 0.0);
    }
}

// Corners of a triangle of the surface, as grains without size.
static bool try_corners(void *context, int t)
{
    dive *d = context;
    const cn_surface_solid *m = d->surface->solid->mesh;
    for (int k = 0; k < 3; k++) {
        const cn_solid grain = {.kind = CN_SOLID_SPHERE};
        cn_posed3 at = {&grain, cn_posed3_point(d->surface, m->vertex[m->triangle[t][k]]),
                        d->surface->R};
        cn_touch3 inside[CN_TOUCH3_MAX];
        int count = cn_touch_pair(d->body, &at, 0.0, inside);
        if (count > 0 && inside[0].gap < -PULL * d->body->solid->size) {
            keep_deepest(d, at.x, inside[0].normal, inside[0].gap);
        }
    }
    return true;
}

bool cn_surface_sunk(const cn_posed3 *a, const cn_posed3 *b, cn_touch3 *touch)
{
    bool is_exchanged = a->solid->kind == CN_SOLID_SURFACE;
    dive d = {.body = is_exchanged ? b : a, .surface = is_exchanged ? a : b, .touch = touch};
    if (!cn_solid_is_convex(d.body->solid) || d.surface->solid->kind != CN_SOLID_SURFACE) {
        return false;
    }
    try_body(&d);
    cn_posed3 seen = {.solid = d.body->solid,
                      .x = cn_mat3_mul_transposed(&d.surface->R, cn_sub3(d.body->x, d.surface->x))};
    double r = seen.solid->reach;
    cn_box box = {{seen.x.x - r, seen.x.y - r, seen.x.z - r},
                  {seen.x.x + r, seen.x.y + r, seen.x.z + r}};
    cn_tree_visit(&d.surface->solid->mesh->tree, &box, try_corners, &d);
    touch->normal = is_exchanged && d.is_sunk ? cn_neg3(touch->normal) : touch->normal;
    return d.is_sunk;
}
