// detect/space/surface/surface_cylinder.c -- a cylinder on a triangle surface, in the frame of the
// surface.
//
// Points of its rims touch faces, and so does the point of either rim that is lowest over a face;
// corners of the surface touch its caps and its side; convex edges touch its rims and side lines
// along the direction in which they are farthest apart (placed_cylinder.h), and cross the rim of a
// cap that lies flat on one of their faces.
#include "detect/space/placed_cylinder.h"
#include "detect/space/surface/surface_near.h"

static const double SLACK = 1e-3; // sine by which a normal may be outside of what is seen [-]
static const double FLUSH = 1e-5; // 1 - cosine of the angle between a face and a cap on it [-]
static const double DEPTH = 0.5;  // deepest touch, of the size of the body [-]

static double behind(const void *body, cn_vec3 n, double offset)
{
    return offset - cn_cylinder_low(body, n);
}

// A cylinder stands on the fixed points of its rims; where it rolls its lowest points do.
static bool may_touch(const void *body, uint32_t of_body, cn_vec3 n)
{
    bool is_lowest = of_body % CN_CAN_CAP == CN_CAN_LOWEST;
    return is_lowest || cn_cylinder_cap(body, n) == (int)(of_body / CN_CAN_CAP);
}

// From a point of a rim the cylinder goes on along the cap and the side: both lead down, or one
// more than the other leads up.
static bool sticks_out(const void *body, uint32_t of_body, cn_vec3 p, cn_vec3 n)
{
    const cn_cylinder *can = body;
    double radial, side = cn_dot3(n, can->u) * (of_body / CN_CAN_CAP == 0 ? 1.0 : -1.0);
    cn_vec3 out = cn_cylinder_across(can, cn_sub3(p, can->middle), &radial);
    return side - cn_dot3(n, out) < -SLACK;
}

static bool holds(const void *body, cn_vec3 p, double slack)
{
    cn_vec3 n;
    return cn_cylinder_foot(body, p, &n) <= slack;
}

// The lowest points of both rims over a face.
static void touch_face(cn_surface_gather *g, const cn_cylinder *can, int t)
{
    cn_vec3 n = g->m->normal[t];
    double tilt, low = cn_cylinder_low(can, n) - g->m->offset[t];
    cn_vec3 across = cn_cylinder_across(can, n, &tilt);
    for (int cap = 0; cap < 2 && tilt > CN_CAN_TILT && low <= g->reach; cap++) {
        cn_vec3 x = cn_add_mul3(can->end[cap], -can->radius, across);
        double height = cn_dot3(n, x) - g->m->offset[t];
        if (height <= g->reach && height >= -g->depth) {
            cn_surface_point(g, x, CN_CAN_CAP * (uint32_t)cap + CN_CAN_LOWEST);
        }
    }
}

// A corner inside leaves by a cap or the side, by the nearer one that it sees.
static void touch_corner(cn_surface_gather *g, const cn_cylinder *can, int vertex)
{
    cn_vec3 x = g->m->vertex[vertex], n, d = cn_sub3(x, can->middle);
    double gap = cn_cylinder_foot(can, x, &n), radial, along = cn_dot3(d, can->u);
    double nearest = gap;
    n = cn_neg3(n);
    if (gap < 0.0 && !cn_surface_corner_sees(g->m, vertex, n, SLACK)) {
        cn_vec3 out = cn_cylinder_across(can, d, &radial);
        bool is_cap = radial - can->radius < fabs(along) - can->half; // was tried
        n = is_cap ? cn_neg3(out) : cn_mul3(along < 0.0 ? 1.0 : -1.0, can->u);
        gap = is_cap ? radial - can->radius : fabs(along) - can->half;
    }
    if (gap <= g->reach && gap >= -g->depth && cn_surface_corner_sees(g->m, vertex, n, SLACK) &&
        cn_surface_corner_allows(g, vertex, n, gap)) {
        cn_surface_add_corner(g, vertex, n, gap, nearest);
    }
}

// The arc between the normals of the two triangles of an edge, and SLACK more: where a cylinder on
// a face reaches over its border, the border is met along the normal of the face.
static cn_arc arc_of(const cn_surface_solid *m, int half)
{
    cn_vec3 n0 = m->normal[half / 3], n1 = m->normal[m->twin[half] / 3];
    double cosine = cn_dot3(n0, n1);
    cn_vec3 across = cn_add_mul3(n1, -cosine, n0);
    double sine = cn_norm3(across);
    return (cn_arc){n0, cn_mul3(1.0 / sine, across), -SLACK, atan2(sine, cosine) + SLACK};
}

// Where the edge crosses the rim of a cap that lies on it, seen along n.
static void cross_rim(cn_surface_gather *g, const cn_cylinder *can, int half, cn_vec3 n)
{
    const cn_surface_solid *m = g->m;
    cn_vec3 p = m->vertex[cn_surface_from(m, half)], q = m->vertex[cn_surface_to(m, half)];
    int cap = cn_dot3(n, can->u) > 0.0 ? 0 : 1;
    double cut[2];
    if (fabs(cn_dot3(n, can->u)) < 1.0 - FLUSH || !cn_cylinder_cut(can, cap, n, p, q, cut)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        cn_vec3 x = cn_add_mul3(p, cut[k], cn_sub3(q, p));
        double gap = cn_dot3(can->u, cn_sub3(can->end[cap], x)) / cn_dot3(can->u, n);
        if (cut[k] > 0.0 && cut[k] < 1.0 && !cn_cylinder_grazes(can, cap, x, cn_sub3(q, p)) &&
            gap >= -g->depth && cn_surface_edge_allows(g, half, n, gap)) {
            cn_surface_add(g, cn_add_mul3(x, 0.5 * gap, n), n, gap,
                           cn_surface_name(CN_MESH_EDGE, half, (uint32_t)k));
        }
    }
}

// Where the edge and the cylinder are nearest along n, the edge without radius; false if that is
// beside the edge.
static bool find_near(const cn_surface_gather *g, const cn_cylinder *can, const cn_rod *edge,
                      cn_vec3 n, double gap, cn_near3 *near)
{
    cn_rod axis = cn_cylinder_rod(can);
    cn_vec3 along = cn_sub3(edge->end[1], edge->end[0]);
    double length = cn_norm3(along), slack = CN_MESH_BORDER * g->size / length;
    if (fabs(cn_dot3(n, can->u)) < CN_CAN_SIDE) { // a side line touches between its ends
        *near = cn_rods_near(edge, &axis);
        return fabs(near->distance - can->radius - gap) <= CN_HULL_CORNER * g->size &&
               fabs(cn_dot3(near->n, along)) <= CN_MESH_BORDER * length &&
               fabs(cn_dot3(near->n, can->u)) <= CN_MESH_BORDER;
    }
    cn_vec3 on = cn_add_mul3(cn_cylinder_lowest(can, n, n), -gap, n);
    double place = cn_dot3(cn_sub3(on, edge->end[0]), along) / (length * length);
    *near = (cn_near3){on, cn_add_mul3(on, gap + can->radius, n), n, gap + can->radius};
    return fabs(place - 0.5) <= 0.5 + slack;
}

static void touch_edge(cn_surface_gather *g, const cn_cylinder *can, int half)
{
    const cn_surface_solid *m = g->m;
    cn_rod edge = {{m->vertex[cn_surface_from(m, half)], m->vertex[cn_surface_to(m, half)]}, 0.0};
    cn_arc arc = arc_of(m, half);
    cn_vec3 n;
    bool is_side;
    if (!cn_cylinder_arc(can, &arc, edge.end[0], &n, &is_side)) {
        return;
    }
    if (fabs(cn_dot3(n, can->u)) >= 1.0 - FLUSH) {
        cross_rim(g, can, half, n);
        return;
    }
    double gap = cn_dot3(n, cn_sub3(cn_cylinder_lowest(can, n, n), edge.end[0]));
    cn_near3 near;
    if (!(gap <= g->reach && gap >= -g->depth) || !find_near(g, can, &edge, n, gap, &near) ||
        !cn_surface_edge_allows(g, half, n, gap)) {
        return;
    }
    cn_rod side = cn_cylinder_side(can, near.n);
    cn_touch3 touch[3];
    int count = cn_rods_points(&edge, &side, &near, g->reach, touch);
    for (int k = 0; k < count; k++) {
        cn_surface_add(g, touch[k].point, cn_neg3(touch[k].normal), touch[k].gap,
                       cn_surface_name(CN_MESH_EDGE, half, 2u + touch[k].feature));
    }
}

static void visit(cn_surface_gather *g, int t, void *context)
{
    const cn_cylinder *can = context;
    touch_face(g, can, t);
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        if (cn_surface_owns_corner(g->m, half)) {
            touch_corner(g, can, cn_surface_from(g->m, half));
        }
        if (cn_surface_owns_edge(g->m, half)) {
            touch_edge(g, can, half);
            cross_rim(g, can, half, g->m->normal[half / 3]);
            cross_rim(g, can, half, g->m->normal[g->m->twin[half] / 3]);
        }
    }
}

int cn_cylinder_surface(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_cylinder can = cn_cylinder_seen(a, b);
    cn_surface_gather g = {.m = b->solid->mesh,
                           .reach = reach,
                           .size = a->solid->size,
                           .depth = DEPTH * a->solid->size,
                           .behind = behind,
                           .may_touch = may_touch,
                           .sticks_out = sticks_out,
                           .holds = holds,
                           .body = &can,
                           .touch = touch};
    cn_box3 box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < 2 * CN_RIM_SIDES; k++) {
        int cap = k / CN_RIM_SIDES, side = k % CN_RIM_SIDES;
        cn_vec3 x = cn_cylinder_rim(&can, cap, side);
        cn_surface_point_in(&g, x, CN_CAN_CAP * (uint32_t)cap + (uint32_t)side, &box);
    }
    cn_surface_walk(&g, box, reach + 0.01 * can.radius, visit, &can);
    return cn_surface_finish(&g, a, b);
}
