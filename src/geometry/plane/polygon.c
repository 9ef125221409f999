// geometry/plane/polygon.c -- convex polygon, vertices counterclockwise.
//
// Contacts rely on what is checked here: edges have a length, every vertex turns left by more than
// TURN_MIN, and the turns add up to one full circle (a pentagram turns left at every vertex, twice
// round). Sums run over coordinates relative to a vertex or the centroid, so a polygon drawn far
// from the origin keeps its digits.
#include "geometry/plane/shape_kind.h"

static const double TURN_MIN = 1e-6; // sine of the smallest angle between consecutive edges [-]

static cn_vec2 vertex_of(const cn_shape_def *def, int k)
{
    int at = k % def->vertex_count;
    return cn_v2(def->vertex[2 * at], def->vertex[2 * at + 1]);
}

static cn_vec2 edge_of(const cn_shape_def *def, int k)
{
    return cn_sub2(vertex_of(def, k + 1), vertex_of(def, k));
}

static cn_status check_vertices(const cn_shape_def *def, cn_error *err)
{
    int n = def->vertex_count;
    if (n < 3 || def->vertex == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "a polygon needs at least 3 vertices, got %d", n);
    }
    if (n > CN_VERTEX_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "a polygon may have at most %d vertices, got %d",
                       CN_VERTEX_MAX, n);
    }
    for (int k = 0; k < n; k++) {
        cn_vec2 v = vertex_of(def, k);
        if (!isfinite(v.x) || !isfinite(v.y)) {
            return cn_fail(err, CN_BAD_INPUT, "vertex %d of the polygon is (%g, %g): not finite", k,
                           v.x, v.y);
        }
    }
    for (int k = 0; k < n; k++) {
        cn_vec2 v = vertex_of(def, k);
        if (!(cn_norm2(edge_of(def, k)) > 0.0)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "vertices %d and %d of the polygon are both (%g, %g): remove one", k,
                           (k + 1) % n, v.x, v.y);
        }
    }
    return CN_OK;
}

// Area and first moments about vertex 0.
static double sum_area(const cn_shape_def *def, cn_vec2 *centroid)
{
    cn_vec2 origin = vertex_of(def, 0), moment = {0.0, 0.0};
    double area = 0.0;
    for (int k = 1; k + 1 < def->vertex_count; k++) {
        cn_vec2 p = cn_sub2(vertex_of(def, k), origin);
        cn_vec2 q = cn_sub2(vertex_of(def, k + 1), origin);
        double triangle = 0.5 * cn_cross2(p, q);
        area += triangle;
        moment = cn_add_mul2(moment, triangle / 3.0, cn_add2(p, q));
    }
    *centroid = cn_add_mul2(origin, 1.0 / area, moment);
    return area;
}

static double sum_inertia(const cn_shape_def *def, cn_vec2 centroid)
{
    double inertia = 0.0;
    for (int k = 0; k < def->vertex_count; k++) {
        cn_vec2 p = cn_sub2(vertex_of(def, k), centroid);
        cn_vec2 q = cn_sub2(vertex_of(def, k + 1), centroid);
        inertia += cn_cross2(p, q) * (cn_dot2(p, p) + cn_dot2(p, q) + cn_dot2(q, q)) / 12.0;
    }
    return inertia;
}

// One vertex: `in` and `out` are the unit edges that meet there.
static cn_status check_turn(int k, cn_vec2 v, cn_vec2 in, cn_vec2 out, cn_error *err)
{
    double turn = cn_cross2(in, out);
    if (turn > TURN_MIN) {
        return CN_OK;
    }
    if (cn_dot2(in, out) < 0.0 && turn > -TURN_MIN) {
        return cn_fail(err, CN_BAD_INPUT,
                       "vertex %d (%g, %g) of the polygon is a spike: the edges fold back on it", k,
                       v.x, v.y);
    }
    if (turn > -TURN_MIN) {
        return cn_fail(err, CN_BAD_INPUT,
                       "vertex %d (%g, %g) of the polygon lies on the line through its neighbours: "
                       "remove it",
                       k, v.x, v.y);
    }
    return cn_fail(err, CN_BAD_INPUT,
                   "the polygon is not convex at vertex %d (%g, %g): cut it into convex pieces", k,
                   v.x, v.y);
}

static cn_status check_convex(const cn_shape_def *def, cn_error *err)
{
    double turned = 0.0;
    cn_vec2 in = edge_of(def, def->vertex_count - 1);
    in = cn_mul2(1.0 / cn_norm2(in), in);
    for (int k = 0; k < def->vertex_count; k++) {
        cn_vec2 out = edge_of(def, k);
        out = cn_mul2(1.0 / cn_norm2(out), out);
        CN_TRY(check_turn(k, vertex_of(def, k), in, out, err));
        turned += atan2(cn_cross2(in, out), cn_dot2(in, out));
        in = out;
    }
    if (!(turned < 3.0 * CN_PI)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the polygon winds %.0f times around itself: its edges cross",
                       turned / (2.0 * CN_PI));
    }
    return CN_OK;
}

static cn_vec2 outward(const cn_vec2 *vertex, int count, int k)
{
    cn_vec2 edge = cn_sub2(vertex[k + 1 == count ? 0 : k + 1], vertex[k]);
    return cn_mul2(1.0 / cn_norm2(edge), cn_v2(edge.y, -edge.x));
}

// Least width: the narrowest strip that holds a convex polygon lies along one of its edges.
static double least_width(const cn_shape_def *def)
{
    double least = INFINITY;
    int opposite = 1, n = def->vertex_count;
    for (int k = 0; k < n; k++) {
        cn_vec2 edge = edge_of(def, k);
        cn_vec2 inward = cn_mul2(1.0 / cn_norm2(edge), cn_left2(edge));
        cn_vec2 base = vertex_of(def, k);
        double width = cn_dot2(cn_sub2(vertex_of(def, opposite), base), inward);
        for (int tried = 0; tried < n; tried++) {
            double next = cn_dot2(cn_sub2(vertex_of(def, opposite + 1), base), inward);
            if (next < width) {
                break;
            }
            width = next;
            opposite = (opposite + 1) % n;
        }
        least = fmin(least, width);
    }
    return least;
}

static cn_status measure(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err)
{
    CN_TRY(check_vertices(def, err));
    cn_vec2 centroid;
    mass->area = sum_area(def, &centroid);
    if (mass->area < 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the vertices of the polygon run clockwise: reverse them");
    }
    if (!(mass->area > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the polygon has area %g: its vertices lie on one line or its edges cross",
                       mass->area);
    }
    CN_TRY(check_convex(def, err));
    mass->centre[0] = centroid.x;
    mass->centre[1] = centroid.y;
    mass->inertia = sum_inertia(def, centroid);
    mass->size = least_width(def);
    return CN_OK;
}

static int vertex_count(const cn_shape_def *def)
{
    return def->vertex_count;
}

static void skeleton(const cn_shape_def *def, cn_vec2 *vertex, cn_vec2 *normal, cn_shape *shape)
{
    for (int k = 0; k < def->vertex_count; k++) {
        vertex[k] = vertex_of(def, k);
    }
    for (int k = 0; k < def->vertex_count; k++) {
        normal[k] = outward(vertex, def->vertex_count, k);
    }
    shape->size = least_width(def);
}

const cn_shape_ops cn_polygon_ops = {
    .name = "polygon",
    .has_vertices = true,
    .measure = measure,
    .vertex_count = vertex_count,
    .skeleton = skeleton,
};
