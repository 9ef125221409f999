// detect/space/hull/hull_corner.c -- corners and edges of two polyhedra that meet.
//
// Where a corner meets a corner or an edge, every direction in a cone, or between two normals,
// parts the bodies, and a turn of 1e-9 decides which of them does most: how far bodies that meet
// within 1e-8 are apart along each is up to it. What must not jump is therefore a matter of which
// features meet, and of how the bodies are turned: the place is midway between these features, and
// the direction along which other places are looked at is the middle of all that part the bodies
// (theory 5.6 and after).
#include "detect/space/hull/hull_pair.h"
#include "detect/space/nearest_space.h"

// The corner of the edge within `limit` of x; -1 if none is.
static int corner_near(const cn_vec3 end[2], const int edge[2], cn_vec3 x, double limit)
{
    double first = cn_norm3(cn_sub3(x, end[0])), second = cn_norm3(cn_sub3(x, end[1]));
    if (!(fmin(first, second) < limit)) {
        return -1;
    }
    return first <= second ? edge[0] : edge[1];
}

static cn_vec3 corner_of(const cn_hull_pair *p, bool is_b, int vertex)
{
    return is_b ? cn_hull_pair_b(p, vertex) : p->a->vertex[vertex];
}

static cn_vec3 foot_on(const cn_hull_pair *p, bool is_b, int edge, cn_vec3 x)
{
    const int *of = is_b ? p->b->edge[edge] : p->a->edge[edge];
    cn_vec3 from = corner_of(p, is_b, of[0]), to = corner_of(p, is_b, of[1]);
    return cn_add_mul3(from, cn_segment_place(from, to, x), cn_sub3(to, from));
}

// The edge of a face nearest to x, if it is nearer than `limit`; -1 if none is.
static int rim_near(const cn_hull_pair *p, bool is_b, int face, cn_vec3 x, double limit)
{
    const cn_hull *h = is_b ? p->b : p->a;
    int best = -1;
    double least = limit;
    for (int e = 0; e < h->edge_count; e++) {
        if (h->edge_face[e][0] == face || h->edge_face[e][1] == face) {
            double apart = cn_norm3(cn_sub3(x, foot_on(p, is_b, e, x)));
            if (apart < least) {
                least = apart;
                best = e;
            }
        }
    }
    return best;
}

// Puts the feature of one body next to x: an end of the edge, or the edge.
static void settle(const cn_hull_pair *p, bool is_b, int edge, cn_vec3 x, double limit,
                   cn_meeting *m)
{
    const int *of = is_b ? p->b->edge[edge] : p->a->edge[edge];
    const cn_vec3 end[2] = {corner_of(p, is_b, of[0]), corner_of(p, is_b, of[1])};
    m->corner[is_b] = corner_near(end, of, x, limit);
    m->edge[is_b] = edge;
}

// Where the features are nearest. False if neither is a corner.
static bool find_place(const cn_hull_pair *p, cn_meeting *m)
{
    if (m->corner[0] < 0 && m->corner[1] < 0) {
        return false;
    }
    cn_vec3 x[2];
    int first = m->corner[0] >= 0 ? 0 : 1, second = 1 - first;
    x[first] = corner_of(p, first == 1, m->corner[first]);
    x[second] = m->corner[second] >= 0 ? corner_of(p, second == 1, m->corner[second])
                                       : foot_on(p, second == 1, m->edge[second], x[first]);
    m->place = cn_mul3(0.5, cn_add3(x[0], x[1]));
    return true;
}

bool cn_hull_meeting(const cn_hull_pair *p, const cn_axis *axis, cn_meeting *m)
{
    double limit = 2.0 * CN_HULL_CORNER * p->size;
    *m = (cn_meeting){.corner = {-1, -1}, .edge = {-1, -1}};
    if (axis->kind == CN_AXIS_EDGES) {
        settle(p, false, axis->a, axis->pa, limit, m);
        settle(p, true, axis->b, axis->pb, limit, m);
        return find_place(p, m);
    }
    bool is_b = axis->kind == CN_AXIS_FACE_B; // that has the face
    cn_vec3 x = is_b ? axis->pa : axis->pb;
    int rim = rim_near(p, is_b, is_b ? axis->b : axis->a, x, limit);
    if (rim < 0) {
        return false;
    }
    m->corner[!is_b] = is_b ? axis->a : axis->b;
    settle(p, is_b, rim, x, limit, m);
    return find_place(p, m);
}

// Sum of the normals of faces along which the other body is not below `least`.
static cn_vec3 sum_faces(const cn_hull_pair *p, double least)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int f = 0; f < p->a->face_count; f++) {
        cn_vec3 n = p->a->normal[f];
        sum = cn_add_mul3(sum, cn_hull_along(p, n) >= least ? 1.0 : 0.0, n);
    }
    for (int f = 0; f < p->b->face_count; f++) {
        cn_vec3 n = cn_neg3(cn_mat3_mul(&p->R, p->b->normal[f]));
        sum = cn_add_mul3(sum, cn_hull_along(p, n) >= least ? 1.0 : 0.0, n);
    }
    return sum;
}

static bool is_at(const cn_hull *h, int edge, int corner, int only)
{
    return corner < 0 ? edge == only : h->edge[edge][0] == corner || h->edge[edge][1] == corner;
}

cn_vec3 cn_hull_meeting_normal(const cn_hull_pair *p, const cn_axis *axis, const cn_meeting *m)
{
    double least = -3.0 * CN_HULL_CORNER * p->size;
    cn_vec3 sum = sum_faces(p, least);
    for (int i = 0; i < p->a->edge_count; i++) {
        for (int j = 0; is_at(p->a, i, m->corner[0], m->edge[0]) && j < p->b->edge_count; j++) {
            cn_vec3 n;
            double along;
            bool is_side = is_at(p->b, j, m->corner[1], m->edge[1]) &&
                           cn_hull_edge_axis(p, i, j, &n, &along) && along >= least;
            sum = is_side ? cn_add3(sum, n) : sum;
        }
    }
    double length = cn_norm3(sum);
    return length > 0.1 ? cn_mul3(1.0 / length, sum) : axis->n;
}
