// detect/space/cylinder_hull.c -- a cylinder against a convex polyhedron, in the frame of the
// polyhedron. Nothing is faceted.
//
// The normal is the direction of largest separation, from the polyhedron a to the cylinder b. It is
// the normal of a face or of a cap; or it lies on the arc between the normals of two faces, where
// their edge meets a rim or a side line; or it joins a vertex to the cylinder. Along an arc the
// slope of the separation is known in closed form and its zero is found to the last digit. An edge
// can win only if the lowest points over both its faces lie beyond it.
//
// Then the points, by what either body offers along the normal: cap on face (cap_patch.c), side
// line on face, edge on cap, edge along a side line, else the nearest points.
//
// Ties go to faces, then to caps. A cylinder that stands level with a face may pass beside it.
#include "detect/space/cap_patch.h"
#include "detect/space/hull/hull_patch.h"

static const double FLUSH = 1e-5; // 1 - cosine of the angle between a face and a cap on it [-]

typedef struct pair {
    const cn_hull *h;
    cn_cylinder can;
    double size; // smallest extent of the smaller body
} pair;

typedef struct axis {
    cn_vec3 n;
    double separation;
    cn_vec3 on;   // point of the cylinder, or of the edge, or vertex that is nearest
    int face;     // -1: none
    int edge;     // edge beside a side line, -1: none
    bool is_on_a; // `on` belongs to the polyhedron
} axis;

static bool find_faces(const pair *p, double reach, axis *best)
{
    *best = (axis){.separation = -INFINITY, .face = -1, .edge = -1};
    for (int f = 0; f < p->h->face_count; f++) {
        cn_vec3 n = p->h->normal[f];
        double separation = cn_cylinder_low(&p->can, n) - p->h->offset[f];
        if (!(separation <= reach)) {
            return false;
        }
        if (separation > best->separation) {
            *best = (axis){n, separation, cn_cylinder_lowest(&p->can, n, n), f, -1, false};
        }
    }
    return true;
}

static void keep_better(axis *best, axis other, double tie)
{
    if (other.separation > best->separation + tie) {
        *best = other;
    }
}

static void find_caps(const pair *p, double tie, axis *best)
{
    for (int k = 0; k < 2; k++) {
        cn_vec3 n = k == 0 ? p->can.u : cn_neg3(p->can.u);
        cn_vec3 v = p->h->vertex[cn_hull_furthest(p->h, n)];
        double separation = cn_dot3(n, cn_sub3(p->can.end[k], v));
        keep_better(best, (axis){n, separation, v, -1, -1, true}, tie);
    }
}

// The arc between the normals of the faces of an edge.
static cn_arc arc_of(const cn_hull *h, int edge)
{
    cn_vec3 n0 = h->normal[h->edge_face[edge][0]], n1 = h->normal[h->edge_face[edge][1]];
    double cosine = cn_dot3(n0, n1);
    cn_vec3 across = cn_add_mul3(n1, -cosine, n0);
    double sine = cn_norm3(across);
    return (cn_arc){n0, cn_mul3(1.0 / sine, across), 0.0, atan2(sine, cosine)};
}

static void find_edges(const pair *p, double tie, axis *best)
{
    for (int e = 0; e < p->h->edge_count; e++) {
        cn_vec3 v = p->h->vertex[p->h->edge[e][0]], n;
        cn_arc arc = arc_of(p->h, e);
        bool is_side;
        if (cn_cylinder_arc(&p->can, &arc, v, &n, &is_side)) {
            cn_vec3 x = cn_cylinder_lowest(&p->can, n, n);
            double separation = cn_dot3(n, cn_sub3(x, v));
            is_side = is_side || fabs(cn_dot3(n, p->can.u)) < CN_CAN_SIDE;
            keep_better(best, (axis){n, separation, x, -1, is_side ? e : -1, false}, tie);
        }
    }
}

// Whether no neighbour of a vertex is further along n.
static bool is_extreme(const cn_hull *h, int v, cn_vec3 n, double slack)
{
    for (int k = h->neighbour_start[v]; k < h->neighbour_start[v + 1]; k++) {
        if (cn_dot3(n, cn_sub3(h->vertex[h->neighbour[k]], h->vertex[v])) > slack) {
            return false;
        }
    }
    return true;
}

// A vertex inside leaves the cylinder sideways; caps were tried before.
static void find_vertices(const pair *p, double tie, axis *best)
{
    for (int v = 0; v < p->h->vertex_count; v++) {
        cn_vec3 x = p->h->vertex[v], n;
        double separation = cn_cylinder_foot(&p->can, x, &n), radial;
        if (!(separation > 0.0)) {
            cn_vec3 d = cn_sub3(x, p->can.middle);
            n = cn_cylinder_across(&p->can, d, &radial);
            separation = radial - p->can.radius;
        }
        if (separation > best->separation + tie && is_extreme(p->h, v, cn_neg3(n), tie)) {
            *best = (axis){cn_neg3(n), separation, x, -1, -1, true};
        }
    }
}

// Level with a face and beside it: neither pushes the other.
static bool is_passing(const pair *p, const axis *best)
{
    double level = CN_HULL_LEVEL * p->size;
    for (int f = 0; f < p->h->face_count && best->separation >= -level; f++) {
        cn_vec3 n = p->h->normal[f];
        double separation = cn_cylinder_low(&p->can, n) - p->h->offset[f], tilt;
        cn_cylinder_across(&p->can, n, &tilt);
        if (fabs(separation) <= level && tilt * p->can.radius <= level &&
            fabs(cn_dot3(n, best->n)) < CN_CAN_OFFER) {
            return true;
        }
    }
    return false;
}

// ---- points

// A segment x .. y of a, with the gaps at its ends.
static void add_segment(const cn_rod *s, const double place[2], const double gap[2], cn_gather *g)
{
    for (int k = 0; k < 2; k++) {
        cn_gather_add(g, cn_rod_at(s, place[k]), gap[k], CN_CAP_LINE | (uint32_t)k);
    }
}

// The side line over a face, seen along the normal of the face.
static void lay_line(const pair *p, int face, cn_gather *g)
{
    const cn_hull *h = p->h;
    cn_rod line = cn_cylinder_line(&p->can, g->n);
    cn_vec3 along = cn_sub3(line.end[1], line.end[0]), N = h->normal[face];
    double place[2] = {0.0, 1.0}, gap[2];
    int start = h->face_start[face], end = h->face_start[face + 1];
    for (int k = start; k < end; k++) {
        cn_vec3 u = h->vertex[h->face_vertex[k]];
        cn_vec3 v = h->vertex[h->face_vertex[k + 1 == end ? start : k + 1]];
        cn_vec3 outward = cn_cross3(cn_sub3(v, u), N);
        double at = cn_dot3(outward, cn_sub3(line.end[0], u)), rate = cn_dot3(outward, along);
        if (rate > 0.0) {
            place[1] = fmin(place[1], -at / rate);
        } else if (rate < 0.0) {
            place[0] = fmax(place[0], -at / rate);
        } else if (at > 0.0) {
            return;
        }
    }
    if (!((place[1] - place[0]) * 2.0 * p->can.half > CN_HULL_CORNER * p->size)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        gap[k] = (cn_dot3(N, cn_rod_at(&line, place[k])) - h->offset[face]) / cn_dot3(N, g->n);
    }
    cn_rod below = {{cn_add_mul3(cn_rod_at(&line, place[0]), -gap[0], g->n),
                     cn_add_mul3(cn_rod_at(&line, place[1]), -gap[1], g->n)},
                    0.0};
    add_segment(&below, (const double[2]){0.0, 1.0}, gap, g);
}

// An edge of the polyhedron below a cap.
static void lay_edge(const pair *p, const int edge[2], int cap, cn_gather *g)
{
    cn_rod s = {{p->h->vertex[edge[0]], p->h->vertex[edge[1]]}, 0.0};
    double cut[2], gap[2];
    if (!cn_cylinder_cut(&p->can, cap, g->n, s.end[0], s.end[1], cut) ||
        !((cut[1] - cut[0]) * cn_norm3(cn_sub3(s.end[1], s.end[0])) >
          2.0 * CN_CAN_GRAZE * p->can.radius)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        cn_vec3 way = cn_sub3(p->can.end[cap], cn_rod_at(&s, cut[k]));
        gap[k] = cn_dot3(p->can.u, way) / cn_dot3(p->can.u, g->n);
    }
    add_segment(&s, cut, gap, g);
}

static cn_rod edge_of_face(const cn_hull *h, int face, int k)
{
    int start = h->face_start[face], end = h->face_start[face + 1];
    return (cn_rod){
        {h->vertex[h->face_vertex[k]], h->vertex[h->face_vertex[k + 1 == end ? start : k + 1]]},
        0.0};
}

// Where a side line beside a face meets the polyhedron: at the edge of the face that is nearest to
// the axis, and along it next to the middle, if the edge is as near there. Elsewhere the polyhedron
// has fallen away.
static cn_vec3 place_beside_line(const pair *p, int face, double slack)
{
    cn_rod axis_rod = cn_cylinder_rod(&p->can);
    cn_vec3 place = p->can.middle;
    double least = INFINITY;
    for (int k = p->h->face_start[face]; k < p->h->face_start[face + 1]; k++) {
        cn_rod edge = edge_of_face(p->h, face, k);
        cn_near3 near = cn_rods_near(&edge, &axis_rod);
        if (near.distance < least - slack) {
            double middle = cn_segment_place(edge.end[0], edge.end[1], p->can.middle);
            cn_vec3 next = cn_rod_at(&edge, middle), up;
            double off = cn_cylinder_foot(&p->can, next, &up) + p->can.radius - near.distance;
            least = near.distance;
            place = off <= slack ? next : near.pa;
        }
    }
    return place;
}

// The same of a cap: next to its middle. No point of the whole rim is lowest by more than rounding.
static cn_vec3 place_beside_cap(const pair *p, int face, int cap)
{
    cn_vec3 middle = p->can.end[cap], place = middle;
    double least = INFINITY;
    for (int k = p->h->face_start[face]; k < p->h->face_start[face + 1]; k++) {
        cn_rod edge = edge_of_face(p->h, face, k);
        cn_vec3 next = cn_rod_at(&edge, cn_segment_place(edge.end[0], edge.end[1], middle));
        double distance = cn_norm3(cn_sub3(next, middle));
        place = distance < least ? next : place;
        least = fmin(least, distance);
    }
    return place;
}

// Whether no point of a cap, or of the side line below, is lowest along n by more than `slack`.
static bool is_level(const pair *p, cn_vec3 n, int cap, double slack)
{
    double tilt;
    cn_cylinder_across(&p->can, n, &tilt);
    double rise = cap >= 0 ? tilt * p->can.radius : fabs(cn_dot3(n, p->can.u)) * p->can.half;
    return 2.0 * rise <= slack;
}

static void find_points(const pair *p, const axis *best, cn_gather *g)
{
    cn_vec3 on_a = best->is_on_a ? best->on : cn_add_mul3(best->on, -best->separation, best->n);
    double slack = CN_HULL_CORNER * p->size;
    cn_offer of_a = cn_hull_offer(p->h, best->n, on_a, slack);
    bool is_flush = of_a.face >= 0 && cn_dot3(p->h->normal[of_a.face], best->n) > 1.0 - FLUSH;
    int face = best->face >= 0 ? best->face
               : is_flush      ? of_a.face
                               : -1,
        cap = cn_cylinder_cap(&p->can, best->n);
    if (face < 0 && of_a.face >= 0) { // it falls away from the cap: a ridge of it may lie below
        of_a = cn_hull_offer_edge(p->h, best->n);
    }
    if (face >= 0 && cap >= 0) {
        cn_cap_on_face(p->h, face, &p->can, cap, g);
    } else if (face >= 0 && cn_cylinder_lies(&p->can, best->n)) {
        lay_line(p, face, g);
    } else if (cap >= 0 && of_a.edge[0] >= 0) {
        lay_edge(p, of_a.edge, cap, g);
    }
    // Nothing found is as near as the bodies are: they touch beside it.
    if (!(g->least <= best->separation + slack)) {
        bool is_beside = face >= 0 && is_level(p, best->n, cap, slack);
        g->count = 0;
        if (is_beside) {
            on_a = cap >= 0 ? place_beside_cap(p, face, cap) : place_beside_line(p, face, slack);
        }
        cn_gather_add(g, on_a, best->separation, 0);
    }
}

// An edge beside a side line: as rods, the edge without radius. Not if bodies overlap so deeply
// that the rods are not where the bodies are nearest.
static int touch_side(const pair *p, const axis *best, double reach, cn_touch3 *touch)
{
    const int *edge = p->h->edge[best->edge];
    cn_rod line = {{p->h->vertex[edge[0]], p->h->vertex[edge[1]]}, 0.0};
    cn_rod axis_rod = cn_cylinder_rod(&p->can);
    double gap = cn_rods_near(&line, &axis_rod).distance - axis_rod.radius;
    bool is_near = fabs(gap - best->separation) <= CN_HULL_CORNER * p->size;
    return is_near ? cn_rods_touch(&line, &axis_rod, reach, touch) : 0;
}

static int touch_local(const pair *p, double reach, cn_touch3 *touch)
{
    double tie = CN_HULL_TIE * p->size;
    axis best;
    if (!find_faces(p, reach, &best)) {
        return 0;
    }
    find_caps(p, tie, &best);
    find_edges(p, tie, &best);
    find_vertices(p, tie, &best);
    if (!(best.separation <= reach) || is_passing(p, &best)) {
        return 0;
    }
    int count = best.edge >= 0 ? touch_side(p, &best, reach, touch) : 0;
    if (count > 0) {
        return count;
    }
    cn_gather g = {best.n, reach, touch, 0, INFINITY};
    find_points(p, &best, &g);
    for (int k = 0; k < g.count; k++) {
        touch[k].normal = cn_neg3(touch[k].normal); // from b to a
    }
    return g.count;
}

int cn_hull_cylinder(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    pair p = {a->solid->hull, cn_cylinder_seen(b, a), fmin(a->solid->size, b->solid->size)};
    int count = touch_local(&p, reach, touch);
    for (int k = 0; k < count; k++) {
        touch[k].point = cn_posed3_point(a, touch[k].point);
        touch[k].normal = cn_mat3_mul(&a->R, touch[k].normal);
    }
    return count;
}
