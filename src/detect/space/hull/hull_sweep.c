// detect/space/hull/hull_sweep.c -- places of two polyhedra that do not touch yet but may within
// the step, theory 5.3.
//
// Seen along the normal, the gap between the upper side of a and the lower side of b is a convex
// function. It has its corners where a corner of a lies below b, a corner of b above a, and where
// edges cross; between them it is flat. The motion of a step adds a function without corners. So
// wherever the bodies meet, they meet first at one of these places, and all that the motion can
// close are listed beside the patch. They have its normal: one condition on one rigid motion.
//
// Bodies that move by less than DEPTH in a step, as all that rests, have their patch and no more.
#include "detect/space/hull/hull_patch.h"

// Parts of the smaller size [-]. DEPTH: what may stay unseen. NEAR: a place this near to one that
// is listed and lower follows it.
static const double DEPTH = 1e-3, NEAR = 1e-2;
// Sine below which a line runs along a face, and edges seen along the normal along each other:
// where they cross would change by more than 1e-6 under a turn of 1e-9. Corners beside them are
// listed.
static const double ALONG = 2e-3;

enum {
    CHUNK = 32,  // edges held at a time
    FOUND = 128, // places that are compared if there are too many
    SLOPES = 3,
    TILTS = 24,
};
static const double FIRST_TILT = 0.3; // regular prisms have no tie along this angle [rad]

typedef struct sweep {
    const cn_hull_pair *p;
    cn_vec3 n, n_b; // unit, from a to b, in the frames of a and b
    double limit;   // largest gap that counts [m]
    double near;    // gap at which a turn of the normal moves crossings like one of a body [m]
    double low;     // edges and corners of a below this height are out of reach [m]
    double high;    // those of b above this one
    cn_touch3 *found;
    int count;
} sweep;

// Way along d from x to the hull, both in its frame; INFINITY if the line passes it by, or if it is
// longer than the limit.
static double way_to(const cn_hull *h, cn_vec3 x, cn_vec3 d, double limit, double slack)
{
    double enter = -INFINITY, leave = INFINITY;
    for (int f = 0; f < h->face_count; f++) {
        double rate = cn_dot3(h->normal[f], d), below = h->offset[f] - cn_dot3(h->normal[f], x);
        if (rate < -ALONG) {
            enter = fmax(enter, below / rate);
        } else if (rate > ALONG) {
            leave = fmin(leave, below / rate);
        } else if (below < -slack) {
            return INFINITY;
        }
        if (!(enter <= fmin(leave + slack, limit))) {
            return INFINITY;
        }
    }
    return enter;
}

// Whether another touch, seen along the normal, is near and lower.
static bool is_covered(const sweep *s, const cn_touch3 *touch, int count, const cn_touch3 *one)
{
    double near = NEAR * s->p->size, slack = DEPTH * s->p->size;
    for (int k = 0; k < count; k++) {
        cn_vec3 way = cn_sub3(touch[k].point, one->point);
        double along = cn_dot3(way, s->n);
        if (touch[k].gap <= one->gap + slack && cn_dot3(way, way) - along * along < near * near) {
            return true;
        }
    }
    return false;
}

// A place where a is at x and b is `gap` further along the normal.
static void add(sweep *s, cn_vec3 x, double gap, uint32_t name)
{
    if (gap <= s->limit && s->count < FOUND) {
        s->found[s->count++] = (cn_touch3){cn_add_mul3(x, 0.5 * gap, s->n), s->n, gap, name};
    }
}

static void add_corners(sweep *s)
{
    const cn_hull_pair *p = s->p;
    double slack = CN_HULL_CORNER * p->size;
    cn_hull_feature of_a = p->is_a_named_first ? CN_HULL_CORNER_FIRST : CN_HULL_CORNER_SECOND;
    cn_hull_feature of_b = p->is_a_named_first ? CN_HULL_CORNER_SECOND : CN_HULL_CORNER_FIRST;
    for (int v = 0; v < p->a->vertex_count; v++) {
        cn_vec3 x = p->a->vertex[v];
        if (cn_dot3(s->n, x) >= s->low) {
            cn_vec3 in_b = cn_mat3_mul_transposed(&p->R, cn_sub3(x, p->t));
            add(s, x, way_to(p->b, in_b, s->n_b, s->limit, slack), cn_hull_name(p, of_a, v, 0, 0));
        }
    }
    for (int v = 0; v < p->b->vertex_count; v++) {
        cn_vec3 x = cn_hull_pair_b(p, v);
        if (cn_dot3(s->n, x) <= s->high) {
            double gap = way_to(p->a, x, cn_neg3(s->n), s->limit, slack);
            add(s, cn_add_mul3(x, -gap, s->n), gap, cn_hull_name(p, of_b, 0, v, 0));
        }
    }
}

// An edge, in the frame of a.
typedef struct edge {
    cn_vec3 from, along, across; // across the edge and the normal
    int id;
} edge;

static edge edge_between(const sweep *s, cn_vec3 from, cn_vec3 to, int id)
{
    cn_vec3 along = cn_sub3(to, from);
    return (edge){from, along, cn_cross3(along, s->n), id};
}

// The place where two edges cross, seen along the normal, if they do.
static void cross(sweep *s, const edge *a, const edge *b)
{
    cn_vec3 way = cn_sub3(b->from, a->from);
    double from_b = cn_dot3(a->across, way), to_b = from_b + cn_dot3(a->across, b->along);
    if (!(from_b * to_b < 0.0)) {
        return;
    }
    double sine = to_b - from_b,
           lengths = cn_dot3(a->across, a->across) * cn_dot3(b->across, b->across);
    double from_a = -cn_dot3(b->across, way), to_a = from_a + cn_dot3(b->across, a->along);
    if (from_a * to_a < 0.0) {
        double on_a = from_a / (from_a - to_a), on_b = from_b / (from_b - to_b);
        cn_vec3 x = cn_add_mul3(a->from, on_a, a->along), y = cn_add_mul3(b->from, on_b, b->along);
        double gap = cn_dot3(s->n, cn_sub3(y, x)), least = ALONG * (1.0 + fabs(gap) / s->near);
        if (sine * sine > least * least * lengths) {
            add(s, x, gap, cn_hull_name(s->p, CN_HULL_CROSSING, a->id, b->id, 0));
        }
    }
}

// Whether edge e of a hull bounds a face that looks along n, not just past it.
static bool is_seen(const cn_hull *h, int e, cn_vec3 n)
{
    return cn_dot3(n, h->normal[h->edge_face[e][0]]) > ALONG ||
           cn_dot3(n, h->normal[h->edge_face[e][1]]) > ALONG;
}

// Edges of the upper side of a within reach, up to `room`, from *next on.
static int list_edges_of_a(const sweep *s, int *next, edge *list, int room)
{
    const cn_hull *h = s->p->a;
    int count = 0;
    for (; *next < h->edge_count && count < room; ++*next) {
        cn_vec3 from = h->vertex[h->edge[*next][0]], to = h->vertex[h->edge[*next][1]];
        if ((cn_dot3(s->n, from) >= s->low || cn_dot3(s->n, to) >= s->low) &&
            is_seen(h, *next, s->n)) {
            list[count++] = edge_between(s, from, to, *next);
        }
    }
    return count;
}

// Likewise those of the lower side of b.
static int list_edges_of_b(const sweep *s, int *next, edge *list, int room)
{
    const cn_hull *h = s->p->b;
    cn_vec3 down = cn_neg3(s->n_b);
    double high = s->high - cn_dot3(s->n, s->p->t); // in the frame of b
    int count = 0;
    for (; *next < h->edge_count && count < room; ++*next) {
        const int *of = h->edge[*next];
        if ((cn_dot3(s->n_b, h->vertex[of[0]]) <= high ||
             cn_dot3(s->n_b, h->vertex[of[1]]) <= high) &&
            is_seen(h, *next, down)) {
            list[count++] =
                edge_between(s, cn_hull_pair_b(s->p, of[0]), cn_hull_pair_b(s->p, of[1]), *next);
        }
    }
    return count;
}

static void add_crossings(sweep *s)
{
    edge a[CHUNK], b[CHUNK];
    int of_a, of_b;
    for (int next_a = 0; (of_a = list_edges_of_a(s, &next_a, a, CHUNK)) > 0;) {
        for (int next_b = 0; (of_b = list_edges_of_b(s, &next_b, b, CHUNK)) > 0;) {
            for (int k = 0; k < of_a * of_b; k++) {
                cross(s, &a[k / of_b], &b[k % of_b]);
            }
        }
    }
}

// The place that closes first if one body is tilted, down along `tilt`; of several that nearly do,
// the first of the list.
static int first_under(const sweep *s, cn_vec3 tilt)
{
    double gap[FOUND], least = INFINITY;
    for (int k = 0; k < s->count; k++) {
        gap[k] = s->found[k].gap - cn_dot3(tilt, s->found[k].point);
        least = fmin(least, gap[k]);
    }
    int first = 0;
    while (first + 1 < s->count && gap[first] > least + DEPTH * s->limit) {
        first++;
    }
    return first;
}

// Keeps the lowest of the rest while there is room, so that one more that comes into reach, and is
// the highest, changes nothing.
static void fill(const sweep *s, bool *is_kept)
{
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        count += is_kept[k];
    }
    for (; count < CN_SWEEP_MAX; count++) {
        double least = INFINITY;
        for (int k = 0; k < s->count; k++) {
            least = is_kept[k] ? least : fmin(least, s->found[k].gap);
        }
        int first = 0;
        while (is_kept[first] || s->found[first].gap > least + DEPTH * fabs(s->limit)) {
            first++;
        }
        is_kept[first] = true;
    }
}

// Where there are more than CN_SWEEP_MAX, as on the rims of prisms: the lowest, and those that
// close first under tilts all round, by the most that a step can turn a body, a half and a quarter.
static void keep_spread(sweep *s)
{
    cn_vec3 t1, t2;
    cn_tangents3(s->n, &t1, &t2);
    bool is_kept[FOUND] = {false};
    is_kept[first_under(s, cn_v3(0.0, 0.0, 0.0))] = true;
    for (int k = 0; k < TILTS; k++) {
        double angle = FIRST_TILT + 2.0 * CN_PI * k / TILTS;
        double slope = ldexp(s->limit / s->p->reach, -(k % SLOPES));
        cn_vec3 along = cn_add_mul3(cn_mul3(cos(angle), t1), sin(angle), t2);
        is_kept[first_under(s, cn_mul3(slope, along))] = true;
    }
    fill(s, is_kept);
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        if (is_kept[k]) {
            s->found[count++] = s->found[k];
        }
    }
    s->count = count;
}

int cn_hull_sweep(const cn_hull_pair *p, const cn_patch *patch, const cn_axis *axis,
                  double distance, cn_touch3 *touch)
{
    // Counted from the depth of the patch, in which springs may hold the bodies.
    double limit = distance - DEPTH * p->size + fmin(patch->least, 0.0);
    if (patch->count == 0 || !(limit > patch->touch[0].gap || limit > patch->least)) {
        return 0;
    }
    cn_vec3 n = axis->n, n_b = cn_mat3_mul_transposed(&p->R, n);
    cn_touch3 found[FOUND];
    sweep s = {.p = p, .n = n, .n_b = n_b, .limit = limit, .found = found};
    s.near = p->size / axis->lever;
    cn_vec3 lowest = cn_hull_pair_b(p, cn_hull_furthest(p->b, cn_neg3(n_b)));
    s.low = cn_dot3(n, lowest) - limit;
    s.high = cn_dot3(n, p->a->vertex[cn_hull_furthest(p->a, n)]) + limit;
    add_corners(&s);
    add_crossings(&s);
    if (s.count > CN_SWEEP_MAX) {
        keep_spread(&s);
    }
    int count = 0;
    for (int k = 0; k < s.count; k++) {
        if (!is_covered(&s, patch->touch, patch->count, &s.found[k]) &&
            !is_covered(&s, touch, count, &s.found[k])) {
            touch[count++] = s.found[k];
        }
    }
    return count;
}
