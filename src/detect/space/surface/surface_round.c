// detect/space/surface/surface_round.c -- spheres and capsules on a triangle surface.
//
// The ends of a capsule are balls. Between them its side meets corners, and convex edges that cross
// it: along an edge, balls and corners say all.
#include "detect/space/surface/surface_near.h"

static const double SLACK = 1e-3; // sine by which a normal may be outside of what is seen [-]
static const double ASIDE =
    2e-3; // how far a side leaves an edge that it crosses, of the radius [-]

static cn_vec3 seen_from(const cn_posed3 *b, cn_vec3 p)
{
    return cn_mat3_mul_transposed(&b->R, cn_sub3(p, b->x));
}

static void show(const cn_posed3 *b, cn_touch3 *touch, int count)
{
    for (int k = 0; k < count; k++) {
        touch[k].point = cn_posed3_point(b, touch[k].point);
        touch[k].normal = cn_mat3_mul(&b->R, touch[k].normal);
    }
}

int cn_sphere_surface(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    double r = a->solid->radius;
    cn_surface_gather g = {
        .m = b->solid->mesh, .reach = reach, .size = 2.0 * r, .depth = r, .touch = touch};
    cn_surface_ball(&g, seen_from(b, cn_posed3_point(a, a->solid->end[0])), r, 0u);
    show(b, touch, g.count);
    return g.count;
}

static void touch_edge(cn_surface_gather *g, const cn_rod *rod, int half)
{
    const cn_surface_solid *m = g->m;
    cn_rod edge = {{m->vertex[cn_surface_from(m, half)], m->vertex[cn_surface_to(m, half)]}, 0.0};
    cn_near3 near = cn_rods_near(&edge, rod); // n from the edge to the rod
    cn_vec3 e = cn_sub3(edge.end[1], edge.end[0]), r = cn_sub3(rod->end[1], rod->end[0]);
    double aside = cn_norm3(cn_cross3(e, r)) / cn_norm3(e), gap = near.distance - rod->radius;
    bool is_across = fabs(cn_dot3(near.n, e)) <= CN_MESH_BORDER * cn_norm3(e) &&
                     fabs(cn_dot3(near.n, r)) <= CN_MESH_BORDER * cn_norm3(r);
    if (is_across && aside > ASIDE * rod->radius && gap <= g->reach &&
        cn_surface_edge_sees(m, half, near.n, SLACK)) {
        cn_surface_add(g, cn_rods_place(&edge, rod, &near), near.n, gap,
                       cn_surface_name(CN_MESH_EDGE, half, 2u));
    }
}

static void touch_corner(cn_surface_gather *g, const cn_rod *rod, int vertex)
{
    cn_vec3 on = g->m->vertex[vertex];
    cn_vec3 along = cn_sub3(rod->end[1], rod->end[0]);
    double square = cn_dot3(along, along);
    double place = cn_dot3(along, cn_sub3(on, rod->end[0])) / square;
    double slack = CN_MESH_BORDER * g->size / sqrt(square);
    cn_vec3 way = cn_sub3(cn_rod_at(rod, place), on);
    double distance = cn_norm3(way), gap = distance - rod->radius;
    if (place > -slack && place < 1.0 + slack && distance > 0.0 && gap <= g->reach &&
        cn_surface_corner_sees(g->m, vertex, way, SLACK * distance)) {
        cn_vec3 n = cn_mul3(1.0 / distance, way);
        cn_surface_add(g, cn_add_mul3(on, 0.5 * gap, n), n, gap,
                       cn_surface_name(CN_MESH_CORNER, vertex, 2u));
    }
}

static void visit_side(cn_surface_gather *g, int t, void *context)
{
    const cn_rod *rod = context;
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        if (cn_surface_owns_edge(g->m, half)) {
            touch_edge(g, rod, half);
        }
        if (cn_surface_owns_corner(g->m, half)) {
            touch_corner(g, rod, cn_surface_from(g->m, half));
        }
    }
}

int cn_capsule_surface(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_rod rod = cn_rod_of(a);
    double r = rod.radius;
    cn_surface_gather g = {
        .m = b->solid->mesh, .reach = reach, .size = 2.0 * r, .depth = r, .touch = touch};
    cn_box3 box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < 2; k++) {
        rod.end[k] = seen_from(b, rod.end[k]);
        cn_vec3 x = rod.end[k];
        box.lo = cn_v3(fmin(box.lo.x, x.x), fmin(box.lo.y, x.y), fmin(box.lo.z, x.z));
        box.hi = cn_v3(fmax(box.hi.x, x.x), fmax(box.hi.y, x.y), fmax(box.hi.z, x.z));
        cn_surface_ball(&g, x, r, (uint32_t)k);
    }
    cn_surface_walk(&g, box, r + reach, visit_side, &rod);
    show(b, touch, g.count);
    return g.count;
}
