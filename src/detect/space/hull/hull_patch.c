// detect/space/hull/hull_patch.c -- the points of contact of two polyhedra, the normal being known.
//
// Seen along the normal each body offers a face, an edge or a vertex. It offers a face only if the
// normal is clearly nearer to that of this face than to that of any other, and an edge only if its
// slope is clearly less than that of the edges beside it, so that rounding never chooses: a cube
// offers a face up to 31 degrees of tilt and an edge beyond.
//
// - Two faces: the corners of the overlap of their shadows, each with its own gap. Where edges
//   cross, the crossing is such a corner. No more than four are kept (hull_select.c).
// - A face and an edge, or two parallel edges: the two ends of the overlap.
// - Otherwise the nearest points of the axis.
//
// All points are placed in one plane normal to n, midway between the surfaces where they touch
// most: on a plane that is tilted against it, sticking points would contradict each other at second
// order.
#include "detect/space/hull/hull_patch.h"
#include "detect/space/nearest_space.h"

// Largest ratio of the squares of two angles, the smaller of which wins clearly.
static const double CLEAR_RATIO = 0.3;
// Square of the sine below which two edges that both lie across the normal are parallel.
static const double PARALLEL_SINE2 = 1e-6;

// The face must hold x, where the axis touches: on a skew body the face nearest to n in direction
// may be elsewhere.
static int clear_face(const cn_hull *h, cn_vec3 n, cn_vec3 x, double slack)
{
    double best = -2.0, second = -2.0;
    int face = -1;
    for (int f = 0; f < h->face_count; f++) {
        double along = cn_dot3(h->normal[f], n);
        if (along > best) {
            second = best;
            best = along;
            face = f;
        } else if (along > second) {
            second = along;
        }
    }
    bool is_clear = 1.0 - best < CLEAR_RATIO * (1.0 - second);
    return is_clear && cn_dot3(h->normal[face], x) >= h->offset[face] - slack ? face : -1;
}

static void clear_edge(const cn_hull *h, cn_vec3 n, cn_offer *o)
{
    int v = cn_hull_furthest(h, n), other = -1;
    double best = INFINITY, second = INFINITY;
    for (int k = h->neighbour_start[v]; k < h->neighbour_start[v + 1]; k++) {
        cn_vec3 along = cn_sub3(h->vertex[h->neighbour[k]], h->vertex[v]);
        double fall = cn_dot3(n, along);
        double slope2 = fall * fall / cn_dot3(along, along);
        if (slope2 < best) {
            second = best;
            best = slope2;
            other = h->neighbour[k];
        } else if (slope2 < second) {
            second = slope2;
        }
    }
    if (best < CLEAR_RATIO * second) {
        o->edge[0] = v < other ? v : other;
        o->edge[1] = v < other ? other : v;
    }
}

cn_offer cn_hull_offer_edge(const cn_hull *h, cn_vec3 n)
{
    cn_offer o = {-1, {-1, -1}};
    clear_edge(h, n, &o);
    return o;
}

cn_offer cn_hull_offer(const cn_hull *h, cn_vec3 n, cn_vec3 x, double slack)
{
    int face = clear_face(h, n, x, slack);
    return face >= 0 ? (cn_offer){face, {-1, -1}} : cn_hull_offer_edge(h, n);
}

// A loop of many corners is thinned; CN_LOOP_MAX corners of a circle are right within 1e-3.
static void load_loop(const cn_hull_pair *p, const cn_view *view, bool is_b, int face,
                      cn_loop *loop)
{
    const cn_hull *h = is_b ? p->b : p->a;
    int start = h->face_start[face], count = h->face_start[face + 1] - start;
    loop->count = count < CN_LOOP_MAX ? count : CN_LOOP_MAX;
    for (int k = 0; k < loop->count; k++) {
        int at = (int)((long long)k * count / loop->count);
        int v = h->face_vertex[start + (is_b ? count - 1 - at : at)];
        cn_vec3 x = is_b ? cn_hull_pair_b(p, v) : h->vertex[v];
        loop->corner[k] = cn_v2(cn_dot3(view->u, x), cn_dot3(view->v, x));
    }
    cn_vec3 N = is_b ? cn_mat3_mul(&p->R, h->normal[face]) : h->normal[face];
    double offset = h->offset[face] + (is_b ? cn_dot3(N, p->t) : 0.0);
    double along = cn_dot3(N, view->n);
    loop->height = offset / along;
    loop->slope = cn_v2(-cn_dot3(N, view->u) / along, -cn_dot3(N, view->v) / along);
}

static double height_at(const cn_loop *loop, cn_vec2 at)
{
    return loop->height + cn_dot2(loop->slope, at);
}

// Tangents for which the axes of the frame of a stay what they are, up to sign.
static cn_view view_along(cn_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    cn_vec3 e = x <= y && x <= z ? cn_v3(1.0, 0.0, 0.0)
                : y <= z         ? cn_v3(0.0, 1.0, 0.0)
                                 : cn_v3(0.0, 0.0, 1.0);
    cn_vec3 u = cn_cross3(e, n);
    u = cn_mul3(1.0 / cn_norm3(u), u);
    return (cn_view){n, u, cn_cross3(n, u)};
}

static cn_touch3 touch_at(const cn_view *view, cn_vec2 at, double height, double gap,
                          uint32_t feature)
{
    cn_vec3 x = cn_add_mul3(cn_add_mul3(cn_mul3(height, view->n), at.x, view->u), at.y, view->v);
    return (cn_touch3){x, view->n, gap, feature};
}

// Part of the polygon `in` on the left of the line from p to q. What is outside by rounding only
// stays, so edges that coincide do not cut each other anywhere.
static int clip(const cn_vec2 *in, int count, cn_vec2 p, cn_vec2 q, double slack, cn_vec2 *out)
{
    cn_vec2 along = cn_sub2(q, p);
    double least = -slack * cn_norm2(along);
    int kept = 0;
    for (int k = 0; k < count; k++) {
        cn_vec2 x = in[k], y = in[(k + 1) % count];
        double at_x = cn_cross2(along, cn_sub2(x, p)), at_y = cn_cross2(along, cn_sub2(y, p));
        bool is_x_in = at_x >= least, is_y_in = at_y >= least;
        if (is_x_in) {
            out[kept++] = x;
        }
        if (is_x_in != is_y_in) {
            double t = fmin(fmax(at_x / (at_x - at_y), 0.0), 1.0);
            out[kept++] = cn_add_mul2(x, t, cn_sub2(y, x));
        }
    }
    return kept;
}

static void overlap(const cn_loop *a, const cn_loop *b, double slack, cn_outline *outline)
{
    cn_vec2 other[CN_OUTLINE_MAX];
    cn_vec2 *from = outline->corner, *to = other;
    outline->count = a->count;
    for (int k = 0; k < a->count; k++) {
        from[k] = a->corner[k];
    }
    for (int k = 0; k < b->count && outline->count > 0; k++) {
        outline->count =
            clip(from, outline->count, b->corner[k], b->corner[(k + 1) % b->count], slack, to);
        cn_vec2 *swap = from;
        from = to;
        to = swap;
    }
    for (int k = 0; from != outline->corner && k < outline->count; k++) {
        outline->corner[k] = from[k];
    }
    for (int k = 0; k < outline->count; k++) {
        outline->gap[k] = height_at(b, outline->corner[k]) - height_at(a, outline->corner[k]);
    }
}

// Least width of the outline, across each of its edges.
static double width_of(const cn_outline *o)
{
    double width = INFINITY;
    for (int k = 0; k < o->count; k++) {
        cn_vec2 along = cn_sub2(o->corner[(k + 1) % o->count], o->corner[k]);
        double most = 0.0;
        for (int m = 0; m < o->count; m++) {
            most = fmax(most, cn_cross2(along, cn_sub2(o->corner[m], o->corner[k])));
        }
        width = fmin(width, most / cn_norm2(along));
    }
    return o->count < 3 ? 0.0 : width;
}

static double least_of(const double *gap, int count)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, gap[k]);
    }
    return least;
}

void cn_patch_measure_from(cn_patch *patch, double least)
{
    double now = INFINITY;
    for (int k = 0; k < patch->count; k++) {
        now = fmin(now, patch->touch[k].gap);
    }
    for (int k = 0; k < patch->count; k++) {
        patch->touch[k].gap += least - now;
    }
}

// Height of the plane of the points: midway where the surfaces are nearest to touching (5.5).
static double plane_of(double size, const double *gap, const double *height_a, int count)
{
    double sum = 0.0, weights = 0.0, least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, fabs(gap[k]));
    }
    for (int k = 0; k < count; k++) {
        double weight = cn_touch_weight(gap[k], least, size);
        sum += weight * (height_a[k] + 0.5 * gap[k]);
        weights += weight;
    }
    return sum / weights;
}

// Direction in the plane, and sense of turning, that move with the body named first.
static cn_vec2 first_direction(const cn_hull_pair *p, const cn_view *view, int face_a, int face_b)
{
    const cn_hull *h = p->is_a_named_first ? p->a : p->b;
    const int *loop = h->face_vertex + h->face_start[p->is_a_named_first ? face_a : face_b];
    cn_vec3 along = cn_sub3(h->vertex[loop[1]], h->vertex[loop[0]]);
    along = p->is_a_named_first ? along : cn_mat3_mul(&p->R, along);
    cn_vec2 e = cn_v2(cn_dot3(view->u, along), cn_dot3(view->v, along));
    return cn_mul2(1.0 / cn_norm2(e), e);
}

uint32_t cn_hull_name(const cn_hull_pair *p, cn_hull_feature kind, int of_a, int of_b,
                      uint32_t slot)
{
    const uint32_t mask = (1u << 13) - 1u;
    uint32_t first = (uint32_t)(p->is_a_named_first ? of_a : of_b) & mask;
    uint32_t second = (uint32_t)(p->is_a_named_first ? of_b : of_a) & mask;
    return (uint32_t)kind << 29 | first << 16 | second << 3 | slot;
}

// No points, but in touch[0] one where the overlap, if there is some, is nearest to touching.
static cn_patch thin_patch(const cn_hull_pair *p, const cn_view *view, const cn_loop *a,
                           const cn_outline *o, double least)
{
    cn_vec2 middle = cn_v2(0.0, 0.0);
    double weights = 0.0;
    for (int k = 0; k < o->count; k++) {
        double weight = cn_touch_weight(o->gap[k] - least, 0.0, p->size);
        middle = cn_add_mul2(middle, weight, o->corner[k]);
        weights += weight;
    }
    middle = cn_mul2(1.0 / weights, middle);
    double height = height_at(a, middle) + 0.5 * least;
    return (cn_patch){.count = 0,
                      .is_thin = true,
                      .least = least,
                      .touch = {touch_at(view, middle, height, least, 0)}};
}

static cn_patch touch_faces(const cn_hull_pair *p, const cn_axis *axis, const cn_view *view,
                            int face_a, int face_b)
{
    cn_loop a, b;
    cn_outline outline;
    load_loop(p, view, false, face_a, &a);
    load_loop(p, view, true, face_b, &b);
    overlap(&a, &b, CN_HULL_ROUND * p->size, &outline);
    double least = least_of(outline.gap, outline.count);
    cn_outline_simplify(&outline, CN_HULL_TIE * p->size);
    double width = width_of(&outline);
    if (!(width > CN_HULL_CORNER * p->size)) {
        return width > CN_HULL_TIE * p->size ? thin_patch(p, view, &a, &outline, least)
                                             : (cn_patch){.is_thin = true, .least = INFINITY};
    }
    cn_outline_straighten(&outline, CN_HULL_FLAT * p->size, p->size / axis->lever);
    cn_vec2 direction = first_direction(p, view, face_a, face_b);
    int slot[4];
    cn_outline_select(&outline, direction, p->is_a_named_first, CN_HULL_FLAT * p->size, slot);
    cn_patch patch = {.count = outline.count, .least = least};
    double height_a[4];
    for (int k = 0; k < outline.count; k++) {
        height_a[k] = height_at(&a, outline.corner[k]);
    }
    // Along a normal of edges both faces lean, and points that touch alike differ in height.
    double size = (axis->kind == CN_AXIS_EDGES ? 10.0 : 1.0) * p->size;
    double plane = plane_of(size, outline.gap, height_a, outline.count);
    for (int k = 0; k < outline.count; k++) {
        patch.touch[k] =
            touch_at(view, outline.corner[k], plane, outline.gap[k],
                     cn_hull_name(p, CN_HULL_FACES, face_a, face_b, (uint32_t)slot[k]));
    }
    cn_patch_measure_from(&patch, least);
    return patch;
}

// The two ends of an overlap, given with the heights of both surfaces there, or its middle if it is
// short.
static cn_patch touch_ends(const cn_hull_pair *p, const cn_view *view, const cn_vec2 end[2],
                           const double height_a[2], const double height_b[2], uint32_t feature)
{
    const double gap[2] = {height_b[0] - height_a[0], height_b[1] - height_a[1]};
    double plane = plane_of(p->size, gap, height_a, 2);
    if (!(cn_norm2(cn_sub2(end[1], end[0])) > CN_HULL_CORNER * p->size)) {
        cn_vec2 middle = cn_mul2(0.5, cn_add2(end[0], end[1]));
        return (cn_patch){.count = 1,
                          .least = INFINITY, // the surfaces may be nearer beside the overlap
                          .touch = {touch_at(view, middle, plane, least_of(gap, 2), 0)}};
    }
    return (cn_patch){.count = 2,
                      .least = least_of(gap, 2),
                      .touch = {touch_at(view, end[0], plane, gap[0], feature),
                                touch_at(view, end[1], plane, gap[1], feature + 1u)}};
}

// An edge seen along the normal: ends and their heights.
typedef struct bar {
    cn_vec2 end[2];
    double height[2];
} bar;

static bar load_bar(const cn_hull_pair *p, const cn_view *view, bool is_b, const int edge[2])
{
    bar s;
    for (int k = 0; k < 2; k++) {
        cn_vec3 x = is_b ? cn_hull_pair_b(p, edge[k]) : p->a->vertex[edge[k]];
        s.end[k] = cn_v2(cn_dot3(view->u, x), cn_dot3(view->v, x));
        s.height[k] = cn_dot3(view->n, x);
    }
    return s;
}

static double bar_height(const bar *s, double t)
{
    return s->height[0] + t * (s->height[1] - s->height[0]);
}

static cn_vec2 bar_point(const bar *s, double t)
{
    return cn_add_mul2(s->end[0], t, cn_sub2(s->end[1], s->end[0]));
}

// Part [t0, t1] of the edge above the face. An edge that lies on the rim of the face is above it,
// so sides that are parallel to the edge have some slack.
static void cut_bar(const bar *s, const cn_loop *loop, double slack, double cut[2])
{
    cut[0] = 0.0;
    cut[1] = 1.0;
    cn_vec2 edge = cn_sub2(s->end[1], s->end[0]);
    for (int k = 0; k < loop->count; k++) {
        cn_vec2 from = loop->corner[k];
        cn_vec2 along = cn_sub2(loop->corner[(k + 1) % loop->count], from);
        double cross = cn_cross2(along, edge), length2 = cn_dot2(along, along);
        bool is_parallel = cross * cross < PARALLEL_SINE2 * length2 * cn_dot2(edge, edge);
        double least = is_parallel ? -slack * sqrt(length2) : 0.0;
        double at_0 = cn_cross2(along, cn_sub2(s->end[0], from)) - least;
        double at_1 = cn_cross2(along, cn_sub2(s->end[1], from)) - least;
        if (at_0 < 0.0 && at_1 < 0.0) { // nothing, or an end that is outside by rounding
            bool is_beside = fmax(at_0, at_1) > -slack * sqrt(length2);
            cut[0] = at_0 < at_1 || !is_beside ? 1.0 : cut[0];
            cut[1] = at_0 < at_1 && is_beside ? cut[1] : 0.0;
        } else if (at_0 < 0.0) {
            cut[0] = fmax(cut[0], at_0 / (at_0 - at_1));
        } else if (at_1 < 0.0) {
            cut[1] = fmin(cut[1], at_0 / (at_0 - at_1));
        }
    }
}

static cn_patch touch_face_edge(const cn_hull_pair *p, const cn_view *view, const cn_offer *of_a,
                                const cn_offer *of_b)
{
    bool is_face_b = of_a->face < 0;
    const cn_offer *with_face = is_face_b ? of_b : of_a, *with_edge = is_face_b ? of_a : of_b;
    cn_loop loop;
    load_loop(p, view, is_face_b, with_face->face, &loop);
    bar s = load_bar(p, view, !is_face_b, with_edge->edge);
    double cut[2], strict[2];
    cut_bar(&s, &loop, CN_HULL_CORNER * p->size, cut);
    cut_bar(&s, &loop, 0.0, strict);
    double length = cn_norm2(cn_sub2(s.end[1], s.end[0]));
    if (!((cut[0] - cut[1]) * length < CN_HULL_CORNER * p->size)) {
        return (cn_patch){.count = 0};
    }
    const cn_vec2 end[2] = {bar_point(&s, cut[0]), bar_point(&s, cut[1])};
    const double on_face[2] = {height_at(&loop, end[0]), height_at(&loop, end[1])};
    const double on_edge[2] = {bar_height(&s, cut[0]), bar_height(&s, cut[1])};
    // The ends are named by the face and the first vertex of the edge.
    bool is_face_first = is_face_b != p->is_a_named_first;
    uint32_t feature = cn_hull_name(p, is_face_first ? CN_HULL_FACE_FIRST : CN_HULL_EDGE_FIRST,
                                    is_face_b ? with_edge->edge[0] : of_a->face,
                                    is_face_b ? of_b->face : with_edge->edge[0], 0);
    cn_patch patch = touch_ends(p, view, end, is_face_b ? on_edge : on_face,
                                is_face_b ? on_face : on_edge, feature);
    patch.least = INFINITY; // what lies beside the rim measures nothing
    for (int k = 0; k < 2 && strict[1] > strict[0]; k++) {
        double above = bar_height(&s, strict[k]) - height_at(&loop, bar_point(&s, strict[k]));
        patch.least = fmin(patch.least, is_face_b ? -above : above);
    }
    if (patch.least < INFINITY) {
        cn_patch_measure_from(&patch, patch.least);
    }
    return patch;
}

static cn_patch touch_edges(const cn_hull_pair *p, const cn_view *view, const cn_offer *of_a,
                            const cn_offer *of_b)
{
    bar a = load_bar(p, view, false, of_a->edge), b = load_bar(p, view, true, of_b->edge);
    cn_vec2 along_a = cn_sub2(a.end[1], a.end[0]), along_b = cn_sub2(b.end[1], b.end[0]);
    double length2 = cn_dot2(along_a, along_a), cross = cn_cross2(along_a, along_b);
    if (cross * cross > PARALLEL_SINE2 * length2 * cn_dot2(along_b, along_b)) {
        return (cn_patch){.count = 0};
    }
    // Ends of b as places along a, then the common part.
    double at_0 = cn_dot2(along_a, cn_sub2(b.end[0], a.end[0])) / length2;
    double at_1 = cn_dot2(along_a, cn_sub2(b.end[1], a.end[0])) / length2;
    const double t[2] = {fmax(0.0, fmin(at_0, at_1)), fmin(1.0, fmax(at_0, at_1))};
    if (!((t[0] - t[1]) * sqrt(length2) < CN_HULL_CORNER * p->size)) {
        return (cn_patch){.count = 0};
    }
    cn_vec2 end[2];
    double height_a[2], height_b[2], aside = 0.0;
    for (int k = 0; k < 2; k++) {
        double on_b = (t[k] - at_0) / (at_1 - at_0);
        cn_vec2 x = bar_point(&a, t[k]), y = bar_point(&b, on_b);
        aside = fmax(aside, cn_norm2(cn_sub2(x, y)));
        end[k] = cn_mul2(0.5, cn_add2(x, y));
        height_a[k] = bar_height(&a, t[k]);
        height_b[k] = bar_height(&b, on_b);
    }
    if (aside > CN_HULL_LEVEL * p->size) {
        return (cn_patch){.count = 0};
    }
    // Ends are counted along the edge of the body named first.
    bool is_reversed = !p->is_a_named_first && at_1 < at_0;
    uint32_t feature = cn_hull_name(p, CN_HULL_EDGES, of_a->edge[0], of_b->edge[0], 0);
    cn_patch patch = touch_ends(p, view, end, height_a, height_b, feature);
    patch.least = aside > CN_HULL_ROUND * p->size ? INFINITY : patch.least;
    if (is_reversed) {
        patch.touch[0].feature = feature + 1u;
        patch.touch[1].feature = feature;
    }
    return patch;
}

// The patch of bodies that are apart, whose faces look at each other but do not overlap: parallel
// edges of theirs may be nearest.
static cn_patch touch_rims(const cn_hull_pair *p, const cn_view *view)
{
    cn_offer of_a = {-1, {-1, -1}}, of_b = {-1, {-1, -1}};
    clear_edge(p->a, view->n, &of_a);
    clear_edge(p->b, cn_neg3(cn_mat3_mul_transposed(&p->R, view->n)), &of_b);
    return of_a.edge[0] >= 0 && of_b.edge[0] >= 0 ? touch_edges(p, view, &of_a, &of_b)
                                                  : (cn_patch){.count = 0};
}

cn_patch cn_hull_patch(const cn_hull_pair *p, const cn_axis *axis)
{
    double slack = CN_HULL_CORNER * p->size;
    cn_offer of_a = cn_hull_offer(p->a, axis->n, axis->pa, slack);
    cn_offer of_b = cn_hull_offer(p->b, cn_neg3(cn_mat3_mul_transposed(&p->R, axis->n)),
                                  cn_mat3_mul_transposed(&p->R, cn_sub3(axis->pb, p->t)), slack);
    cn_view view = view_along(axis->n);
    cn_patch patch = {.count = 0};
    if (of_a.face >= 0 && of_b.face >= 0) {
        patch = touch_faces(p, axis, &view, of_a.face, of_b.face);
        if (patch.is_thin && axis->separation > slack) {
            patch.count = isfinite(patch.least);
            patch = axis->kind == CN_AXIS_POINTS ? touch_rims(p, &view) : patch;
        }
    } else if ((of_a.face >= 0 && of_b.edge[0] >= 0) || (of_a.edge[0] >= 0 && of_b.face >= 0)) {
        patch = touch_face_edge(p, &view, &of_a, &of_b);
    } else if (of_a.edge[0] >= 0 && of_b.edge[0] >= 0) {
        patch = touch_edges(p, &view, &of_a, &of_b);
    }
    // Bodies that overlap by more than they do across a thin patch touch at a corner of a skew one.
    if (patch.count == 0 && (!patch.is_thin || fabs(axis->separation) > slack)) {
        cn_vec3 middle = cn_mul3(0.5, cn_add3(axis->pa, axis->pb));
        patch.count = 1;
        patch.least = axis->is_measured ? axis->separation : INFINITY;
        patch.touch[0] = (cn_touch3){middle, axis->n, axis->separation, 0};
    }
    return patch;
}
