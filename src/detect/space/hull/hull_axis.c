// detect/space/hull/hull_axis.c -- the direction in which two polyhedra are furthest apart, or
// overlap least, among normals of faces and common normals of edges.
//
// The faces of the difference of two polyhedra are those of a, those of b, and parallelograms
// spanned by an edge of each. An edge of a and one of b span one only if their arcs on the sphere
// of normals cross, and then both are extreme along the common normal. So the largest separation
// over these directions is the distance or, if negative, minus the depth of penetration; only for
// bodies that are apart may vertices be nearer to each other in a direction that is none of these
// (hull_edge.c).
//
// Work. No face is looked at further than a corner that shows it cannot win, and of the edges only
// those that look at the other body closely enough. Both ask for a separation that is known to be
// reached: that along the axis of the last look (cn_hint), if it is still one of these directions.
//
// Ties. Faces of a go before faces of b before edges, and faces of a body in their order: what
// comes later must win by more than half of CN_HULL_TIE of the size if bodies overlap or touch, and
// by more than SAME_TIE if both normals are the same within 1e-5: a block that lies flat never
// takes its normal from edges that are parallel up to rounding.
#include "detect/space/hull/hull_pair.h"

// Sine below which two edges are parallel, and chord between equal normals of bodies that touch.
static const double PARALLEL_SINE = 1e-8;
static const double SAME_CHORD = 1e-5;
// By how much a normal that is nearly the same must win, of the size [-]: the points of a patch
// move by up to some hundred times that if it does.
static const double SAME_TIE = 1e-9;

// Edges of a held at a time.
#define CHUNK 64

// Faces within 3 degrees of parallel, and of a right angle.
static const double ALIGNED_COSINE = 0.9986;
static const double RIGHT_COSINE = 0.05;

// Does x, of the frame of the hull, lie over the face?
static bool is_over(const cn_hull *h, int face, cn_vec3 x, double slack)
{
    int start = h->face_start[face], count = h->face_start[face + 1] - start;
    for (int k = 0; k < count; k++) {
        cn_vec3 from = h->vertex[h->face_vertex[start + k]];
        cn_vec3 along = cn_sub3(h->vertex[h->face_vertex[start + (k + 1) % count]], from);
        cn_vec3 inward = cn_cross3(h->normal[face], along);
        if (cn_dot3(inward, cn_sub3(x, from)) < -slack * cn_norm3(along)) {
            return false;
        }
    }
    return true;
}

// Separation along the outward normal of a face, or less than `floor` if it is no more than that.
// `shift` is the place of the hull with the corners along n, which is given in the frame of the
// corners; *corner is the lowest.
static double above_face(const cn_hull *corners, cn_vec3 n, double shift, double floor, int *corner,
                         cn_hint *hint)
{
    double least = INFINITY;
    for (int v = 0; v < corners->vertex_count; v++) {
        hint->corner_tests++;
        double along = cn_dot3(n, corners->vertex[v]);
        if (along < least) {
            least = along;
            *corner = v;
            if (shift + least <= floor) {
                return -INFINITY;
            }
        }
    }
    return shift + least;
}

static double above_face_a(const cn_hull_pair *p, int face, double floor, int *corner,
                           cn_hint *hint)
{
    cn_vec3 n = p->a->normal[face], n_b = cn_mat3_mul_transposed(&p->R, n);
    return above_face(p->b, n_b, cn_dot3(n, p->t) - p->a->offset[face], floor, corner, hint);
}

static double above_face_b(const cn_hull_pair *p, int face, double floor, int *corner,
                           cn_hint *hint)
{
    // Seen from a, b lies along the inward normal of its face.
    cn_vec3 n = cn_mat3_mul(&p->R, p->b->normal[face]);
    return above_face(p->a, n, -cn_dot3(n, p->t) - p->b->offset[face], floor, corner, hint);
}

// By how much a face must part the hulls more than an earlier one of the same body, if they touch.
static double face_tie(const cn_hull_pair *p, double separation)
{
    return separation > CN_HULL_CORNER * p->size ? 0.0 : 0.5 * CN_HULL_TIE * p->size;
}

// The face of a that parts the hulls most, by more than `floor`; separation -INFINITY if there is
// none, also if the pose is NaN. False if one parts them by more than reach.
static bool find_face_a(const cn_hull_pair *p, double reach, double floor, cn_hint *hint,
                        cn_axis *axis)
{
    *axis = (cn_axis){.kind = CN_AXIS_FACE_A, .separation = -INFINITY, .lever = 1.0};
    for (int f = 0; f < p->a->face_count; f++) {
        int v = 0;
        double separation = above_face_a(p, f, fmax(floor, axis->separation), &v, hint);
        if (separation > axis->separation + face_tie(p, separation)) {
            axis->separation = separation;
            axis->a = f;
            axis->b = v;
            if (separation > reach) {
                return false;
            }
        }
    }
    if (axis->separation > -INFINITY) {
        axis->n = p->a->normal[axis->a];
        axis->pb = cn_hull_pair_b(p, axis->b);
        axis->pa = cn_add_mul3(axis->pb, -axis->separation, axis->n);
        axis->is_measured = is_over(p->a, axis->a, axis->pa, CN_HULL_ROUND * p->size);
    }
    return true;
}

static bool find_face_b(const cn_hull_pair *p, double reach, double floor, cn_hint *hint,
                        cn_axis *axis)
{
    *axis = (cn_axis){.kind = CN_AXIS_FACE_B, .separation = -INFINITY, .lever = 1.0};
    for (int f = 0; f < p->b->face_count; f++) {
        int v = 0;
        double separation = above_face_b(p, f, fmax(floor, axis->separation), &v, hint);
        if (separation > axis->separation + face_tie(p, separation)) {
            axis->separation = separation;
            axis->a = v;
            axis->b = f;
            if (separation > reach) {
                return false;
            }
        }
    }
    if (axis->separation > -INFINITY) {
        axis->n = cn_neg3(cn_mat3_mul(&p->R, p->b->normal[axis->b]));
        axis->pa = p->a->vertex[axis->a];
        axis->pb = cn_add_mul3(axis->pa, axis->separation, axis->n);
        cn_vec3 in_b = cn_mat3_mul_transposed(&p->R, cn_sub3(axis->pb, p->t));
        axis->is_measured = is_over(p->b, axis->b, in_b, CN_HULL_ROUND * p->size);
    }
    return true;
}

double cn_hull_along(const cn_hull_pair *p, cn_vec3 n)
{
    cn_vec3 n_b = cn_mat3_mul_transposed(&p->R, n);
    int v = cn_hull_furthest(p->a, n), w = cn_hull_furthest(p->b, cn_neg3(n_b));
    return cn_dot3(n, p->t) + cn_dot3(n_b, p->b->vertex[w]) - cn_dot3(n, p->a->vertex[v]);
}

// An edge in the frame of a: direction, one end, normals of its two faces, those of b turned round.
typedef struct line {
    cn_vec3 along, end, n[2];
    int id;
} line;

static line line_of_a(const cn_hull *a, int id)
{
    const int *edge = a->edge[id], *face = a->edge_face[id];
    cn_vec3 end = a->vertex[edge[0]];
    return (line){
        cn_sub3(a->vertex[edge[1]], end), end, {a->normal[face[0]], a->normal[face[1]]}, id};
}

static line line_of_b(const cn_hull_pair *p, int id)
{
    const cn_hull *b = p->b;
    const int *edge = b->edge[id], *face = b->edge_face[id];
    cn_vec3 along = cn_sub3(b->vertex[edge[1]], b->vertex[edge[0]]);
    return (line){cn_mat3_mul(&p->R, along),
                  cn_hull_pair_b(p, edge[0]),
                  {cn_neg3(cn_mat3_mul(&p->R, b->normal[face[0]])),
                   cn_neg3(cn_mat3_mul(&p->R, b->normal[face[1]]))},
                  id};
}

// Do the arcs of two edges on the sphere of normals cross?
static bool is_crossing(const line *i, const line *j)
{
    return cn_dot3(i->n[0], j->along) * cn_dot3(i->n[1], j->along) < 0.0 &&
           cn_dot3(j->n[0], i->along) * cn_dot3(j->n[1], i->along) < 0.0;
}

// Takes the common normal of two edges whose arcs cross if it parts the hulls more than *axis.
static void try_edges(const cn_hull_pair *p, const line *i, const line *j, cn_axis *axis)
{
    cn_vec3 n = cn_cross3(i->along, j->along);
    double length2 = cn_dot3(n, n);
    double scale2 = cn_dot3(i->along, i->along) * cn_dot3(j->along, j->along);
    if (!(length2 > PARALLEL_SINE * PARALLEL_SINE * scale2)) {
        return;
    }
    double of_a = cn_dot3(n, cn_add3(i->n[0], i->n[1]));
    double of_b = cn_dot3(n, cn_add3(j->n[0], j->n[1]));
    if (of_a * of_b <= 0.0) {
        return; // the arcs cross the great circles of each other on opposite sides of the sphere
    }
    n = cn_mul3((of_a > 0.0 ? 1.0 : -1.0) / sqrt(length2), n);
    double separation = cn_dot3(n, cn_sub3(j->end, i->end));
    if (separation > axis->separation) {
        // Arcs that cross by rounding only need not be extreme along n.
        separation = cn_hull_along(p, n);
        if (separation > axis->separation) {
            *axis = (cn_axis){.kind = CN_AXIS_EDGES,
                              .n = n,
                              .separation = separation,
                              .a = i->id,
                              .b = j->id,
                              .lever = sqrt(scale2 / length2)};
        }
    }
}

bool cn_hull_edge_axis(const cn_hull_pair *p, int of_a, int of_b, cn_vec3 *n, double *separation)
{
    cn_axis axis = {.separation = -INFINITY};
    line i = line_of_a(p->a, of_a), j = line_of_b(p, of_b);
    if (is_crossing(&i, &j)) {
        try_edges(p, &i, &j, &axis);
    }
    *n = axis.n;
    *separation = axis.separation;
    return axis.separation > -INFINITY;
}

// Radius of the largest ball about the mass centre inside the hull; -INFINITY if the centre is
// outside, as in a part of a cluster.
static double inner_radius(const cn_hull *h)
{
    double radius = INFINITY;
    for (int f = 0; f < h->face_count; f++) {
        radius = fmin(radius, h->offset[f]);
    }
    return radius > 0.0 ? radius : -INFINITY;
}

// A plane through an edge that parts the bodies by s has the inner ball of the other body on its
// far side, so n . to_other > s + radius =: limit for its normal n, between those of the two faces.
// n is a sum of these with weights whose sum is at most the inverse cosine of half their angle.
static bool is_hidden(const line *l, cn_vec3 to_other, double limit)
{
    double most = fmax(cn_dot3(l->n[0], to_other), cn_dot3(l->n[1], to_other));
    if (limit <= 0.0 || most <= 0.0) {
        return most < fmin(limit, 0.0);
    }
    return 2.0 * most * most < limit * limit * (1.0 + cn_dot3(l->n[0], l->n[1]));
}

// Pairs of edges that may part the hulls by more than *axis, and by more than `floor`. Returns the
// number of pairs looked at.
static int search_edges(const cn_hull_pair *p, double floor, cn_axis *axis)
{
    const int all = p->a->edge_count;
    double known = fmax(axis->separation, floor) - CN_HULL_ROUND * p->reach;
    double limit_a = known + inner_radius(p->b), limit_b = known + inner_radius(p->a);
    int tests = 0;
    for (int next = 0; next < all;) {
        line of_a[CHUNK];
        int count = 0;
        for (; next < all && count < CHUNK; next++) {
            line l = line_of_a(p->a, next);
            if (!is_hidden(&l, cn_sub3(p->t, l.end), limit_a)) {
                of_a[count++] = l;
            }
        }
        for (int j = 0; j < p->b->edge_count; j++) {
            line l = line_of_b(p, j);
            if (is_hidden(&l, l.end, limit_b)) {
                continue;
            }
            tests += count;
            for (int i = 0; i < count; i++) {
                if (is_crossing(&of_a[i], &l)) {
                    try_edges(p, &of_a[i], &l, axis);
                }
            }
        }
    }
    return tests;
}

// Points of the lines through two edges where they are nearest, kept inside the edges.
static void place_on_edges(const cn_hull_pair *p, cn_axis *axis)
{
    const int *of_a = p->a->edge[axis->a], *of_b = p->b->edge[axis->b];
    cn_vec3 a0 = p->a->vertex[of_a[0]], b0 = cn_hull_pair_b(p, of_b[0]);
    cn_vec3 along_a = cn_sub3(p->a->vertex[of_a[1]], a0);
    cn_vec3 along_b = cn_sub3(cn_hull_pair_b(p, of_b[1]), b0);
    cn_vec3 n = cn_cross3(along_a, along_b), z = cn_sub3(b0, a0);
    double s = cn_dot3(cn_cross3(z, along_b), n) / cn_dot3(n, n);
    double t = cn_dot3(cn_cross3(z, along_a), n) / cn_dot3(n, n);
    axis->pa = cn_add_mul3(a0, fmin(fmax(s, 0.0), 1.0), along_a);
    axis->pb = cn_add_mul3(b0, fmin(fmax(t, 0.0), 1.0), along_b);
    axis->is_measured = s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

// By how much axis `later` must win against `first`, which comes before it, to be taken. Ahead of
// contact the better one is: there the patch varies little with the normal.
static double tie(const cn_hull_pair *p, const cn_axis *first, const cn_axis *later)
{
    if (later->separation > CN_HULL_CORNER * p->size) {
        return 0.0;
    }
    if (cn_norm3(cn_sub3(first->n, later->n)) < SAME_CHORD) {
        return SAME_TIE * p->size;
    }
    return 0.5 * CN_HULL_TIE * p->size;
}

// Whether `first` is as good as the best axis.
static bool is_tied(const cn_hull_pair *p, const cn_axis *first, const cn_axis *best)
{
    return first->separation >= best->separation - tie(p, first, best);
}

// Separation along the axis of the hint, if that is still a direction that counts; -INFINITY if
// not.
static double known_separation(const cn_hull_pair *p, cn_hint *hint)
{
    int a = p->is_a_named_first ? hint->first : hint->second;
    int b = p->is_a_named_first ? hint->second : hint->first;
    int kind = hint->kind - 1, corner = 0;
    bool is_face = kind == CN_AXIS_FACE_A || kind == CN_AXIS_FACE_B;
    bool is_of_a = is_face && (kind == CN_AXIS_FACE_A) == p->is_a_named_first;
    if (is_face && is_of_a) {
        return a < p->a->face_count ? above_face_a(p, a, -INFINITY, &corner, hint) : -INFINITY;
    }
    if (is_face) {
        return b < p->b->face_count ? above_face_b(p, b, -INFINITY, &corner, hint) : -INFINITY;
    }
    cn_vec3 n;
    double separation = -INFINITY;
    if (kind == CN_AXIS_EDGES && a < p->a->edge_count && b < p->b->edge_count) {
        cn_hull_edge_axis(p, a, b, &n, &separation);
    }
    return separation;
}

// Keeps the features of an axis for the next look.
static void remember(const cn_hull_pair *p, const cn_axis *axis, cn_hint *hint)
{
    static const cn_axis_kind exchanged[] = {[CN_AXIS_FACE_A] = CN_AXIS_FACE_B,
                                             [CN_AXIS_FACE_B] = CN_AXIS_FACE_A,
                                             [CN_AXIS_EDGES] = CN_AXIS_EDGES};
    hint->kind = (uint16_t)(1 + (p->is_a_named_first ? axis->kind : exchanged[axis->kind]));
    hint->first = (uint16_t)(p->is_a_named_first ? axis->a : axis->b);
    hint->second = (uint16_t)(p->is_a_named_first ? axis->b : axis->a);
}

// The axis among those that part the hulls by more than `floor`.
static bool find_axis(const cn_hull_pair *p, double reach, double floor, cn_hint *hint,
                      cn_axis *axis)
{
    cn_axis of_b;
    if (!find_face_a(p, reach, floor, hint, axis)) {
        return false;
    }
    if (!find_face_b(p, reach, floor, hint, &of_b)) {
        *axis = of_b;
        return false;
    }
    cn_axis best = of_b.separation > axis->separation ? of_b : *axis;
    hint->edge_tests += search_edges(p, floor, &best);
    if (is_tied(p, axis, &best)) {
        return true;
    }
    if (is_tied(p, &of_b, &best)) {
        *axis = of_b;
    } else {
        place_on_edges(p, &best);
        *axis = best;
    }
    return true;
}

bool cn_hull_axis(const cn_hull_pair *p, double reach, cn_hint *hint, cn_axis *axis)
{
    hint->corner_tests = hint->edge_tests = 0;
    // An axis that the ties may prefer is within CN_HULL_TIE of the best.
    double margin = 1.01 * CN_HULL_TIE * p->size + CN_HULL_ROUND * p->reach;
    double floor = known_separation(p, hint) - margin;
    if (floor > reach) {
        return false;
    }
    bool is_found = find_axis(p, reach, floor, hint, axis);
    remember(p, axis, hint);
    return is_found && axis->separation <= reach && axis->separation > -INFINITY;
}

// Faces of a along which b is level, each facing a parallel face of b; at most `room` of them.
static int find_level(const cn_hull_pair *p, double level, int room, cn_vec3 *n, double *over)
{
    int count = 0;
    for (int f = 0; f < p->a->face_count && count < room; f++) {
        cn_vec3 n_b = cn_mat3_mul_transposed(&p->R, p->a->normal[f]);
        cn_vec3 low = p->b->vertex[cn_hull_furthest(p->b, cn_neg3(n_b))];
        double separation = cn_dot3(n_b, low) + cn_dot3(p->a->normal[f], p->t) - p->a->offset[f];
        double most = -1.0;
        for (int g = 0; separation >= -level && g < p->b->face_count; g++) {
            most = fmax(most, -cn_dot3(n_b, p->b->normal[g]));
        }
        if (most > ALIGNED_COSINE) {
            n[count] = p->a->normal[f];
            over[count++] = separation;
        }
    }
    return count;
}

bool cn_hull_is_level(const cn_hull_pair *p, double level, cn_axis *axis)
{
    *axis = (cn_axis){.kind = CN_AXIS_FACE_A, .lever = 1.0};
    if (find_level(p, level, 1, &axis->n, &axis->separation) == 0) {
        return false;
    }
    cn_vec3 down = cn_neg3(cn_mat3_mul_transposed(&p->R, axis->n));
    axis->pb = cn_hull_pair_b(p, cn_hull_furthest(p->b, down));
    axis->pa = cn_add_mul3(axis->pb, -axis->separation, axis->n);
    return true;
}

bool cn_hull_is_passing(const cn_hull_pair *p)
{
    cn_vec3 n[8];
    double over[8], level = CN_HULL_LEVEL * p->size;
    int count = find_level(p, level, 8, n, over);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            bool is_right = fabs(cn_dot3(n[i], n[j])) < RIGHT_COSINE;
            if (is_right && (over[i] <= level || over[j] <= level)) {
                return true;
            }
        }
    }
    return false;
}
