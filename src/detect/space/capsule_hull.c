// detect/space/capsule_hull.c -- a capsule against a polyhedron, in the frame of the polyhedron.
//
// The direction of largest separation of the axis from the polyhedron is the normal of a face, or
// is across the axis and an edge. If the axis is inside, this is the normal. If it is outside, the
// nearest points lie between an end of the axis and a face, or between the axis and an edge.
//
// Over a face that looks along the normal the capsule has two points: the ends of the part of its
// axis that lies over the face. Along an edge it touches like a capsule of radius zero would.
// Normals point from the polyhedron to the capsule here.
#include "detect/space/nearest_space.h"

// LEVEL: how far the lower of two points over a face may be from the nearest points, of the radius,
// and the face from looking along the normal (1.3 degrees). OVERLAP: least distance of the two
// points, of the radius [-].
static const double LEVEL = 2.5e-4, OVERLAP = 1e-3;
static const double INCLINED = 0.48;  // sine of the largest angle between axis and face [-]
static const double ROUNDING = 1e-12; // of the size [-]
static const double PARALLEL = 2e-3;  // sine below which axis and edge are parallel (5.4) [-]
static const double BESIDE = 1e-6; // how far beside an edge along it is over it, of the radius [-]

// Where the axis and the polyhedron are nearest.
typedef struct nearest {
    cn_vec3 n, on; // on: point of the axis
    double distance;
    int edge;        // -1: over a face
    double parallel; // how parallel edge and axis are: cosine
} nearest;

static cn_vec3 edge_vertex(const cn_hull *h, int edge, int k)
{
    return h->vertex[h->edge[edge][k]];
}

static cn_vec3 unit_along(const cn_rod *rod)
{
    cn_vec3 along = cn_sub3(rod->end[1], rod->end[0]);
    return cn_mul3(1.0 / cn_norm3(along), along);
}

static bool find_face_axis(const cn_hull *h, const cn_rod *rod, double limit, nearest *best)
{
    *best = (nearest){.distance = -INFINITY, .edge = -1};
    for (int f = 0; f < h->face_count; f++) {
        double first = cn_dot3(h->normal[f], rod->end[0]);
        double second = cn_dot3(h->normal[f], rod->end[1]);
        int lower = first <= second ? 0 : 1;
        double separation = (lower == 0 ? first : second) - h->offset[f];
        if (!(separation <= limit)) {
            return false;
        }
        if (separation > best->distance) {
            best->distance = separation;
            best->n = h->normal[f];
            best->on = rod->end[lower];
        }
    }
    return true;
}

// The direction across the axis that lies between the normals of the two faces of an edge, if any.
static bool find_between(const cn_hull *h, int edge, cn_vec3 u, cn_vec3 *m)
{
    cn_vec3 n0 = h->normal[h->edge_face[edge][0]], n1 = h->normal[h->edge_face[edge][1]];
    double along0 = cn_dot3(u, n0), along1 = cn_dot3(u, n1);
    if (!(along0 * along1 < 0.0)) {
        return false;
    }
    cn_vec3 sum = cn_add_mul3(cn_mul3(fabs(along1), n0), fabs(along0), n1);
    *m = cn_mul3(1.0 / cn_norm3(sum), sum);
    return true;
}

// An edge must win clearly: where it is nearly parallel to the axis, its direction is uncertain.
static bool find_edge_axis(const cn_hull *h, const cn_rod *rod, double limit, double rounding,
                           nearest *best)
{
    cn_vec3 u = unit_along(rod), m;
    for (int e = 0; e < h->edge_count; e++) {
        if (!find_between(h, e, u, &m)) {
            continue;
        }
        double separation = cn_dot3(m, cn_sub3(rod->end[0], edge_vertex(h, e, 0)));
        if (separation > limit) {
            return false;
        }
        if (separation > best->distance + rounding) {
            cn_rod edge = {{edge_vertex(h, e, 0), edge_vertex(h, e, 1)}, 0.0};
            *best = (nearest){m, cn_rods_near(rod, &edge).pa, separation, e, 0.0};
        }
    }
    return true;
}

static void keep_feet(const cn_hull *h, const cn_rod *rod, nearest *best)
{
    for (int k = 0; k < 2; k++) {
        cn_foot foot;
        if (cn_hull_foot(h, rod->end[k], best->distance, &foot) && foot.is_face &&
            foot.distance < best->distance) {
            *best = (nearest){foot.n, rod->end[k], foot.distance, -1, 0.0};
        }
    }
}

// Edges that share a vertex may be equally near: the one most parallel to the axis says most.
static void keep_edges(const cn_hull *h, const cn_rod *rod, double rounding, nearest *best)
{
    cn_vec3 u = unit_along(rod);
    for (int e = 0; e < h->edge_count; e++) {
        cn_rod edge = {{edge_vertex(h, e, 0), edge_vertex(h, e, 1)}, 0.0};
        cn_near3 near = cn_rods_near(rod, &edge);
        double parallel = fabs(cn_dot3(u, unit_along(&edge)));
        bool is_nearer = near.distance < best->distance - rounding;
        bool is_tie = best->edge >= 0 && near.distance < best->distance + rounding;
        if (is_nearer || (is_tie && parallel > best->parallel)) {
            *best = (nearest){cn_neg3(near.n), near.pa, near.distance, e, parallel};
        }
    }
}

static bool find_nearest(const cn_hull *h, const cn_rod *rod, double limit, nearest *best)
{
    double rounding = ROUNDING * (cn_norm3(rod->end[0]) + cn_norm3(rod->end[1]));
    if (!find_face_axis(h, rod, limit, best) || !find_edge_axis(h, rod, limit, rounding, best)) {
        return false;
    }
    if (best->distance > rounding) {
        *best = (nearest){.distance = INFINITY, .edge = -1};
        keep_feet(h, rod, best);
        keep_edges(h, rod, rounding, best);
    }
    return best->distance <= limit;
}

static int face_along(const cn_hull *h, cn_vec3 n)
{
    int best = 0;
    double most = -INFINITY;
    for (int f = 0; f < h->face_count; f++) {
        double along = cn_dot3(n, h->normal[f]);
        if (along > most) {
            most = along;
            best = f;
        }
    }
    return best;
}

// Places of the axis between which it lies over a face. What runs along an edge, over it but for
// rounding, is not cut by it: that would be anywhere.
static void clip(const cn_hull *h, int face, const cn_rod *rod, double place[2])
{
    place[0] = 0.0;
    place[1] = 1.0;
    cn_vec3 along = cn_sub3(rod->end[1], rod->end[0]);
    double length = cn_norm3(along);
    int start = h->face_start[face], end = h->face_start[face + 1];
    for (int k = start; k < end; k++) {
        cn_vec3 u = h->vertex[h->face_vertex[k]];
        cn_vec3 v = h->vertex[h->face_vertex[k + 1 == end ? start : k + 1]];
        cn_vec3 outward = cn_cross3(cn_sub3(v, u), h->normal[face]);
        double at = cn_dot3(outward, cn_sub3(rod->end[0], u)), rate = cn_dot3(outward, along);
        double size = cn_norm3(outward), beside = BESIDE * rod->radius * size;
        if (fabs(rate) <= PARALLEL * size * length && fmax(at, at + rate) <= beside) {
            continue;
        }
        if (rate > 0.0) {
            place[1] = fmin(place[1], -at / rate);
        } else if (rate < 0.0) {
            place[0] = fmax(place[0], -at / rate);
        } else if (at > 0.0) {
            place[1] = -1.0;
        }
    }
}

static cn_touch3 touch_at(const cn_rod *rod, cn_vec3 on, cn_vec3 n, double height, uint32_t feature)
{
    cn_vec3 foot = cn_add_mul3(on, -height, n);
    return cn_touch3_between(on, foot, cn_neg3(n), height, rod->radius, 0.0, feature);
}

// The axis as it falls on the plane of a face along n: beside a face that is small against the
// radius the normal of the nearest points leads elsewhere than that of the face.
static cn_rod shadow(const cn_hull *h, int face, const cn_rod *rod, cn_vec3 n)
{
    cn_rod on = *rod;
    double cosine = cn_dot3(h->normal[face], n);
    for (int k = 0; k < 2; k++) {
        double height = cn_dot3(h->normal[face], rod->end[k]) - h->offset[face];
        on.end[k] = cn_add_mul3(rod->end[k], -height / cosine, n);
    }
    return on;
}

// The two ends of the part over a face; 0 if the capsule does not lie on it. One of them is where
// it is nearest, which may be beside the face by as much as LEVEL allows; the normal is that of the
// nearest points.
static int touch_face(const cn_hull *h, const cn_rod *rod, const nearest *near, cn_touch3 *touch)
{
    int face = face_along(h, near->n);
    cn_vec3 along = cn_sub3(rod->end[1], rod->end[0]), n = h->normal[face];
    double length = cn_norm3(along), cosine = cn_dot3(n, near->n), place[2], height[2];
    if (!(cosine >= 1.0 - LEVEL) || !(fabs(cn_dot3(n, along)) <= INCLINED * length)) {
        return 0;
    }
    cn_rod on_face = shadow(h, face, rod, near->n);
    clip(h, face, &on_face, place);
    if (!(length * (place[1] - place[0]) > OVERLAP * rod->radius)) {
        return 0;
    }
    double on = cn_segment_place(rod->end[0], rod->end[1], near->on);
    int nearer = fabs(on - place[0]) <= fabs(on - place[1]) ? 0 : 1;
    for (int k = 0; k < 2; k++) {
        cn_vec3 x = k == nearer ? near->on : cn_rod_at(rod, place[k]);
        height[k] = cn_dot3(n, cn_rod_at(rod, place[k])) - h->offset[face];
        double distance = k == nearer ? near->distance : height[k] / cosine;
        touch[k] = touch_at(rod, x, near->n, distance, (uint32_t)k + 1);
    }
    return fabs(fmin(height[0], height[1]) - near->distance) <= LEVEL * rod->radius ? 2 : 0;
}

static int touch_local(const cn_hull *h, const cn_rod *rod, double reach, cn_touch3 *touch)
{
    nearest near;
    if (!find_nearest(h, rod, rod->radius + reach, &near)) {
        return 0;
    }
    cn_touch3 side[2];
    int side_count = touch_face(h, rod, &near, side), count = 0;
    for (int k = 0; k < side_count; k++) {
        if (side[k].gap <= reach) {
            touch[count++] = side[k];
        }
    }
    if (count > 0) {
        return count;
    }
    if (near.edge >= 0 && near.distance > 0.0) {
        cn_rod edge = {{edge_vertex(h, near.edge, 0), edge_vertex(h, near.edge, 1)}, 0.0};
        return cn_rods_touch(rod, &edge, reach, touch);
    }
    touch[0] = touch_at(rod, near.on, near.n, near.distance, 0);
    return touch[0].gap <= reach;
}

int cn_capsule_hull(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_rod rod = cn_rod_of(a);
    for (int k = 0; k < 2; k++) {
        rod.end[k] = cn_mat3_mul_transposed(&b->R, cn_sub3(rod.end[k], b->x));
    }
    int count = touch_local(b->solid->hull, &rod, reach, touch);
    for (int k = 0; k < count; k++) {
        touch[k].point = cn_posed3_point(b, touch[k].point);
        touch[k].normal = cn_mat3_mul(&b->R, touch[k].normal);
    }
    return count;
}
