// detect/space/cap_patch.c -- the overlap of a disk with a polygon or with another disk.
//
// Its corners are points of the rim over the other surface, corners of the other surface over the
// disk, and places where the rim crosses an edge or the other rim: each a point with its own gap
// and its own name. Of a polygon of many corners every n-th is taken.
#include "detect/space/cap_patch.h"

static const double SLACK = 1e-9;       // how far off a border is still on it, of the radius [-]
static const double SAME_RADIUS = 1e-3; // how far rims of equal disks may be off each other [-]

enum { CORNERS = 24 }; // of the other surface

void cn_gather_add(cn_gather *g, cn_vec3 x, double gap, uint32_t name)
{
    g->least = fmin(g->least, gap);
    if (gap <= g->reach) {
        cn_touch3_keep(g->touch, &g->count,
                       (cn_touch3){cn_add_mul3(x, 0.5 * gap, g->n), g->n, gap, name});
    }
}

// ---- a cap on a face

static bool is_over(const cn_hull *h, int face, cn_vec3 x, double slack)
{
    int start = h->face_start[face], end = h->face_start[face + 1];
    for (int k = start; k < end; k++) {
        cn_vec3 from = h->vertex[h->face_vertex[k]];
        cn_vec3 along = cn_sub3(h->vertex[h->face_vertex[k + 1 == end ? start : k + 1]], from);
        cn_vec3 outward = cn_cross3(along, h->normal[face]);
        if (cn_dot3(outward, cn_sub3(x, from)) > slack * cn_norm3(along)) {
            return false;
        }
    }
    return true;
}

static void add_rim(const cn_hull *h, int face, const cn_cylinder *can, cn_vec3 x, uint32_t name,
                    cn_gather *g)
{
    cn_vec3 N = h->normal[face];
    double gap = (cn_dot3(N, x) - h->offset[face]) / cn_dot3(N, g->n);
    cn_vec3 foot = cn_add_mul3(x, -gap, g->n);
    if (is_over(h, face, foot, SLACK * can->radius)) {
        cn_gather_add(g, foot, gap, CN_CAP_RIM | name);
    }
}

// Gap above a point of the face, up to the plane of the cap.
static double gap_above(const cn_cylinder *can, int cap, cn_vec3 n, cn_vec3 x)
{
    return cn_dot3(can->u, cn_sub3(can->end[cap], x)) / cn_dot3(can->u, n);
}

static void add_edges(const cn_hull *h, int face, const cn_cylinder *can, int cap, cn_gather *g)
{
    int start = h->face_start[face], end = h->face_start[face + 1];
    int stride = 1 + (end - start) / CORNERS;
    for (int k = start; k < end; k++) {
        cn_vec3 p = h->vertex[h->face_vertex[k]];
        cn_vec3 q = h->vertex[h->face_vertex[k + 1 == end ? start : k + 1]];
        double cut[2];
        if (!cn_cylinder_cut(can, cap, g->n, p, q, cut)) {
            continue;
        }
        if (cut[0] == 0.0 && (k - start) % stride == 0) {
            cn_gather_add(g, p, gap_above(can, cap, g->n, p),
                          CN_CAP_CORNER | (uint32_t)h->face_vertex[k]);
        }
        for (int m = 0; m < 2; m++) {
            cn_vec3 x = cn_add_mul3(p, cut[m], cn_sub3(q, p));
            if (cut[m] > 0.0 && cut[m] < 1.0 && !cn_cylinder_grazes(can, cap, x, cn_sub3(q, p))) {
                cn_gather_add(g, x, gap_above(can, cap, g->n, x),
                              CN_CAP_CROSSING | 2u * (uint32_t)k | (uint32_t)m);
            }
        }
    }
}

void cn_cap_on_face(const cn_hull *h, int face, const cn_cylinder *can, int cap, cn_gather *g)
{
    uint32_t first = CN_CAN_CAP * (uint32_t)cap;
    double tilt;
    cn_vec3 across = cn_cylinder_across(can, g->n, &tilt);
    if (tilt > CN_CAN_TILT) {
        cn_vec3 lowest = cn_add_mul3(can->end[cap], -can->radius, across);
        add_rim(h, face, can, lowest, first + CN_CAN_LOWEST, g);
    }
    for (int k = 0; k < CN_RIM_SIDES; k++) {
        add_rim(h, face, can, cn_cylinder_rim(can, cap, k), first + (uint32_t)k, g);
    }
    add_edges(h, face, can, cap, g);
}

// ---- a cap on a cap

// A cap of a cylinder: the disk at one of its ends.
typedef struct cap {
    const cn_cylinder *of;
    int end;
} cap;

// Points of the rim of `own` over the disk of `other`, which is wider by `slack`. `sign` is 1 if
// own is a and -1 if it is b.
static void add_rims(cap own, cap other, double slack, double sign, uint32_t kind, cn_gather *g)
{
    double wide = other.of->radius + slack, tilt;
    cn_vec3 across = cn_cylinder_across(own.of, cn_mul3(-sign, g->n), &tilt);
    for (int k = 0; k < CN_RIM_SIDES + (tilt > CN_CAN_TILT ? 1 : 0); k++) {
        cn_vec3 x = k < CN_RIM_SIDES ? cn_cylinder_rim(own.of, own.end, k)
                                     : cn_add_mul3(own.of->end[own.end], -own.of->radius, across);
        if (cn_norm3(cn_cylinder_on_cap(other.of, other.end, g->n, x)) <= wide) {
            double gap = sign * gap_above(other.of, other.end, g->n, x);
            cn_vec3 on_a = sign > 0.0 ? x : cn_add_mul3(x, -gap, g->n);
            cn_gather_add(g, on_a, gap, kind | (CN_CAN_CAP * (uint32_t)own.end + (uint32_t)k));
        }
    }
}

// A point of the rim of a, `angle` from e to left, which span its cap, and where it is on the cap
// of b, seen along n; how fast that moves with the angle.
typedef struct rim_point {
    cn_vec3 x, on_b, rate;
} rim_point;

static rim_point rim_point_at(cap a, cap b, cn_vec3 n, cn_vec3 e, cn_vec3 left, double angle)
{
    double c = a.of->radius * cos(angle), s = a.of->radius * sin(angle);
    cn_vec3 way = cn_add_mul3(cn_mul3(-s, e), c, left);
    rim_point at = {.x = cn_add_mul3(cn_add_mul3(a.of->end[a.end], c, e), s, left)};
    at.on_b = cn_cylinder_on_cap(b.of, b.end, n, at.x);
    at.rate = cn_add_mul3(way, -cn_dot3(b.of->u, way) / cn_dot3(b.of->u, n), n);
    return at;
}

// Caps that lean against n are seen as ellipses. From where circles would cross, Newton's method
// leads to the crossing of the rims; false: there is none near.
static bool find_crossing(cap a, cap b, cn_vec3 n, cn_vec3 e, cn_vec3 left, double angle,
                          cn_vec3 *x)
{
    double rb = b.of->radius, off = INFINITY;
    for (int k = 0; k < 12; k++) {
        rim_point at = rim_point_at(a, b, n, e, left, angle);
        double slope = 2.0 * cn_dot3(at.on_b, at.rate);
        off = cn_dot3(at.on_b, at.on_b) - rb * rb;
        *x = at.x;
        if (!(fabs(off) > 1e-12 * rb * rb) || !(fabs(slope) > 0.0)) {
            break;
        }
        angle -= fmin(fmax(off / slope, -0.2), 0.2);
    }
    return fabs(off) <= 1e-9 * rb * rb;
}

// The two points where the rims cross, seen along n.
static void add_crossings(const cn_cylinder *a, int cap_a, const cn_cylinder *b, int cap_b,
                          cn_gather *g)
{
    cn_vec3 apart = cn_cylinder_on_cap(a, cap_a, g->n, b->end[cap_b]);
    double d = cn_norm3(apart), ra = a->radius, rb = b->radius;
    double along = (d * d + ra * ra - rb * rb) / (2.0 * d), square = ra * ra - along * along;
    if (!(d > SAME_RADIUS * fmin(ra, rb)) || !(square > 0.0)) {
        return;
    }
    if (!(sqrt(square) * d > CN_CAN_GRAZE * ra * rb)) { // the sine of their angle, times ra rb
        return;
    }
    cn_vec3 e = cn_mul3(1.0 / d, apart);
    cn_vec3 up = cn_dot3(a->u, g->n) > 0.0 ? a->u : cn_neg3(a->u), left = cn_cross3(up, e);
    for (int k = 0; k < 2; k++) {
        double angle = atan2(k == 0 ? sqrt(square) : -sqrt(square), along);
        cn_vec3 x;
        if (find_crossing((cap){a, cap_a}, (cap){b, cap_b}, g->n, e, left, angle, &x)) {
            cn_gather_add(g, x, gap_above(b, cap_b, g->n, x), CN_CAP_CROSSING | (uint32_t)k);
        }
    }
}

void cn_cap_on_cap(const cn_cylinder *a, int cap_a, const cn_cylinder *b, int cap_b,
                   bool is_a_first, cn_gather *g)
{
    double slack = SAME_RADIUS * fmin(a->radius, b->radius);
    cap of_a = {a, cap_a}, of_b = {b, cap_b};
    if (is_a_first) {
        add_rims(of_a, of_b, slack, 1.0, CN_CAP_RIM, g);
        add_rims(of_b, of_a, -slack, -1.0, CN_CAP_OTHER, g);
    } else {
        add_rims(of_b, of_a, slack, -1.0, CN_CAP_RIM, g);
        add_rims(of_a, of_b, -slack, 1.0, CN_CAP_OTHER, g);
    }
    add_crossings(a, cap_a, b, cap_b, g);
}
