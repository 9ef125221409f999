// tests/unit/narrow3_hulls.c -- contact of polyhedra: exact corners, gaps, normals and names.
#include <stdlib.h>

#include "detect/space/narrow_space.h"
#include "test.h"
#include "unit/hull_random.h"

// True if one of the points is at x, y, z.
static bool has_point(const cn_touch3 *t, int count, double x, double y, double z, double tol)
{
    for (int k = 0; k < count; k++) {
        if (cn_norm3(cn_sub3(t[k].point, cn_v3(x, y, z))) <= tol) {
            return true;
        }
    }
    return false;
}

CN_TEST(stacked_boxes_touch_at_their_four_corners)
{
    test_hull s, r;
    shape_box(&s, 0, 1.0, 2.0, 0.5);
    shape_box(&r, 1, 1.0, 2.0, 0.5);
    cn_posed3 low = place(&s, 3.0, 4.0, 5.0, UPRIGHT), high = place(&r, 3.0, 4.0, 5.5, UPRIGHT);
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = cn_hull_hull(&low, &high, 0.1, t);
    CN_TRUE(count == 4);
    for (int k = 0; k < count; k++) {
        CN_NEAR(t[k].gap, 0.0, 0.0, "exact in binary");
        CN_NEAR(t[k].normal.z, -1.0, 0.0, "from b, above, to a");
        CN_TRUE(has_point(t, count, k & 1 ? 2.5 : 3.5, k & 2 ? 3.0 : 5.0, 5.25, 0.0));
        for (int m = 0; m < k; m++) {
            CN_TRUE(t[m].feature != t[k].feature);
        }
    }
}

CN_TEST(shifted_boxes_touch_at_the_corners_of_the_overlap)
{
    test_hull s, r;
    shape_box(&s, 0, 1.0, 2.0, 0.5);
    shape_box(&r, 1, 1.0, 2.0, 0.5);
    cn_posed3 low = place(&s, 0.0, 0.0, 0.0, UPRIGHT), high = place(&r, 0.25, 0.5, 0.75, UPRIGHT);
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(cn_hull_hull(&low, &high, 0.2, t) == 0);
    int count = cn_hull_hull(&low, &high, 0.25, t);
    CN_TRUE(count == 4);
    for (int k = 0; k < 4; k++) {
        CN_TRUE(has_point(t, count, k & 1 ? -0.25 : 0.5, k & 2 ? -0.5 : 1.0, 0.375, 0.0));
        CN_NEAR(t[k % count].gap, 0.25, 0.0, "exact in binary");
    }
}

// Twice the area of the triangle p, q, x seen from above.
static double side_of(cn_vec3 p, cn_vec3 q, cn_vec3 x)
{
    return (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x);
}

// Is x inside the triangle or quadrilateral t, in any order of corners?
static bool is_inside(const cn_touch3 *t, int count, cn_vec3 x, double tol)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            bool is_edge = i != j;
            for (int k = 0; k < count && is_edge; k++) {
                is_edge = side_of(t[i].point, t[j].point, t[k].point) >= -tol;
            }
            if (is_edge && side_of(t[i].point, t[j].point, x) < -tol) {
                return false;
            }
        }
    }
    return count > 2;
}

CN_TEST(box_turned_on_a_box_touches_at_four_of_eight_corners)
{
    test_hull s, r;
    shape_box(&s, 0, 1.0, 1.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    cn_posed3 low = place(&s, 0.0, 0.0, 0.0, UPRIGHT);
    cn_posed3 high = place(&r, 0.0, 0.0, 1.0, turn(0.0, 0.0, 1.0, 0.25 * PI));
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = cn_hull_hull(&low, &high, 0.1, t);
    CN_TRUE(count == 4 && is_inside(t, count, cn_v3(0.0, 0.0, 0.5), 0.0));
    double most = 0.5 * (sqrt(2.0) - 1.0);
    for (int k = 0; k < count; k++) {
        CN_NEAR(fmin(fabs(t[k].point.x), fabs(t[k].point.y)), most, 1e-15,
                "corners of the octagon");
        CN_NEAR(fmax(fabs(t[k].point.x), fabs(t[k].point.y)), 0.5, 1e-15, "corners of the octagon");
    }
}

CN_TEST(crossing_edges_touch_at_one_point)
{
    test_hull s, r;
    shape_box(&s, 0, 1.0, 1.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    // Both stand on edges, along x and along (1, 1, 0).
    cn_posed3 low = place(&s, 0.0, 0.0, 0.0, turn(1.0, 0.0, 0.0, 0.25 * PI));
    cn_quat q = then(turn(1.0, 0.0, 0.0, 0.25 * PI), turn(0.0, 0.0, 1.0, 0.25 * PI));
    for (int k = -1; k <= 1; k++) {
        cn_posed3 high = place(&r, 0.1, 0.1, sqrt(2.0) + 0.01 * k, q);
        cn_touch3 t[CN_TOUCH3_MAX];
        CN_TRUE(cn_hull_hull(&low, &high, 0.1, t) == 1);
        CN_NEAR(t[0].gap, 0.01 * k, 1e-15, "rounding");
        CN_NEAR(t[0].normal.z, -1.0, 1e-15, "both edges are level");
        CN_NEAR(cn_norm3(cn_sub3(t[0].point, cn_v3(0.0, 0.0, 0.5 * sqrt(2.0) + 0.005 * k))), 0.0,
                1e-15, "lines y = 0 and x = y");
    }
}

CN_TEST(a_vertex_on_a_face_is_one_point_and_an_edge_is_two)
{
    test_hull s, r;
    shape_box(&s, 0, 4.0, 4.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    cn_posed3 low = place(&s, 0.0, 0.0, 0.0, UPRIGHT);
    // A cube with a diagonal upright stands on a vertex.
    cn_quat q = turn(1.0, -1.0, 0.0, acos(1.0 / sqrt(3.0)));
    cn_touch3 t[CN_TOUCH3_MAX];
    cn_posed3 high = place(&r, 0.25, 0.5, 0.5 + 0.5 * sqrt(3.0) + 0.125, q);
    CN_TRUE(cn_hull_hull(&low, &high, 0.2, t) == 1);
    CN_NEAR(t[0].gap, 0.125, 1e-15, "rounding");
    CN_TRUE(has_point(t, 1, 0.25, 0.5, 0.5625, 1e-15));
    high = place(&r, 0.25, 0.5, 0.5 + sqrt(0.5), turn(1.0, 0.0, 0.0, 0.25 * PI));
    CN_TRUE(cn_hull_hull(&low, &high, 0.2, t) == 2);
    CN_TRUE(has_point(t, 2, -0.25, 0.5, 0.5, 1e-15) && has_point(t, 2, 0.75, 0.5, 0.5, 1e-15));
}

// A cube with a diagonal upright, its lowest corner next to an edge of a slab along x or beside one
// of the slab's corners: they meet midway, whichever is first.
CN_TEST(corners_meet_edges_and_corners_midway)
{
    test_hull s, r;
    shape_box(&s, 0, 4.0, 4.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    cn_posed3 low = place(&s, 0.0, 0.0, 0.0, UPRIGHT);
    cn_quat q = turn(1.0, -1.0, 0.0, acos(1.0 / sqrt(3.0)));
    for (int k = 0; k < 4; k++) {
        double x = k % 2 == 0 ? 0.25 : 2.0 + 2e-6;
        cn_posed3 high = place(&r, x, 2.0 + 4e-6, 0.5 + 0.5 * sqrt(3.0) + 2e-6, q);
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = k < 2 ? cn_hull_hull(&low, &high, 0.01, t) : cn_hull_hull(&high, &low, 0.01, t);
        CN_TRUE(count == 1);
        CN_NEAR(t[0].point.x, k % 2 == 0 ? 0.25 : 2.0 + 1e-6, 1e-14, "midway");
        CN_NEAR(t[0].point.y, 2.0 + 2e-6, 1e-14, "midway");
        CN_NEAR(t[0].point.z, 0.5 + 1e-6, 1e-14, "midway");
    }
}

CN_TEST(a_pose_that_is_not_a_number_touches_nothing)
{
    test_hull s, r;
    shape_box(&s, 0, 1.0, 1.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    cn_posed3 a = place(&s, 0.0, 0.0, 0.0, UPRIGHT), b = place(&r, NAN, 0.0, 1.0, UPRIGHT);
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(cn_hull_hull(&a, &b, 0.1, t) == 0);
    b = place(&r, 0.0, 0.0, 1.0, (cn_quat){NAN, 0.0, 0.0, 0.0});
    CN_TRUE(cn_hull_hull(&a, &b, 0.1, t) == 0);
}

CN_TEST(vertices_apart_are_measured_along_the_line_between_them)
{
    test_hull s, r;
    shape_box(&s, 0, 1.0, 1.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    cn_posed3 a = place(&s, 0.0, 0.0, 0.0, UPRIGHT), b = place(&r, 1.01, 1.02, 1.02, UPRIGHT);
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(cn_hull_hull(&a, &b, 0.1, t) == 1);
    CN_NEAR(t[0].gap, 0.03, 1e-15, "1, 2, 2 and 3");
    CN_NEAR(t[0].normal.x, -1.0 / 3.0, 1e-13, "rounding over the gap");
    CN_NEAR(t[0].normal.z, -2.0 / 3.0, 1e-13, "rounding over the gap");
    // Parallel edges: two points.
    b = place(&r, 0.25, 1.03, 1.04, UPRIGHT);
    CN_TRUE(cn_hull_hull(&a, &b, 0.1, t) == 2);
    CN_NEAR(t[0].gap, 0.05, 1e-15, "3, 4 and 5");
    CN_TRUE(has_point(t, 2, -0.25, 0.515, 0.52, 1e-15) && has_point(t, 2, 0.5, 0.515, 0.52, 1e-15));
}

static cn_vec3 nudge(double by, uint64_t *state)
{
    return cn_mul3(by, on_sphere(state));
}

static cn_quat twist(cn_quat q, double by, uint64_t *state)
{
    cn_vec3 axis = on_sphere(state);
    return then(q, turn(axis.x, axis.y, axis.z, by));
}

static int find_feature(const cn_touch3 *t, int count, uint32_t feature)
{
    for (int k = 0; k < count; k++) {
        if (t[k].feature == feature) {
            return k;
        }
    }
    return -1;
}

// Largest move of a point between two sets of equal names, in metres; -1 if the names differ.
static double compare(const cn_touch3 *t, int count, const cn_touch3 *u, int other)
{
    double most = count == other ? 0.0 : -1.0;
    for (int k = 0; k < count && most >= 0.0; k++) {
        int m = find_feature(u, other, t[k].feature);
        most = m < 0 ? -1.0 : fmax(most, cn_norm3(cn_sub3(t[k].point, u[m].point)));
    }
    return most;
}

// A pair and its patch stay what they are under noise.
static void shake(const test_hull *s, const test_hull *r, cn_vec3 x, cn_quat q, int expected)
{
    uint64_t state = 7;
    cn_posed3 a = place(s, 0.0, 0.0, 0.0, UPRIGHT), b = place(r, x.x, x.y, x.z, q);
    cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
    int count = cn_hull_hull(&a, &b, 1e-3, t);
    CN_TRUE(count == expected);
    for (int k = 0; k < 200; k++) {
        cn_vec3 y = cn_add3(x, nudge(1e-12, &state));
        b = place(r, y.x, y.y, y.z, twist(q, 1e-12, &state));
        CN_NEAR(compare(t, count, u, cn_hull_hull(&a, &b, 1e-3, u)), 5e-12, 5e-12,
                "same names; moved by noise, at most ten times at crossings");
        // The other order: same names and points.
        CN_NEAR(compare(u, count, t, cn_hull_hull(&b, &a, 1e-3, t)), 5e-12, 5e-12, "rounding");
    }
}

CN_TEST(names_and_points_survive_noise)
{
    test_hull box, other, six;
    shape_box(&box, 3, 1.0, 2.0, 0.5);
    shape_box(&other, 5, 1.0, 2.0, 0.5);
    shape_prism(&six, 4, 6, 0.4, 0.5);
    shake(&box, &other, cn_v3(0.0, 0.0, 0.5), UPRIGHT, 4);   // equal
    shake(&box, &other, cn_v3(0.5, 0.0, 0.5), UPRIGHT, 4);   // running bond
    shake(&box, &other, cn_v3(0.25, 1.0, -0.5), UPRIGHT, 4); // both ways
    shake(&box, &other, cn_v3(1.0, 0.0, 0.0), UPRIGHT, 4);   // side by side
    shake(&box, &six, cn_v3(0.0, 0.0, 0.5), UPRIGHT, 4);     // six corners
    shake(&box, &six, cn_v3(0.5, 1.0, 0.5), UPRIGHT, 4);     // partly
    shake(&box, &other, cn_v3(0.0, 0.0, 0.5), turn(0.0, 0.0, 1.0, 0.25 * PI), 4);
    shake(&box, &other, cn_v3(0.0, 0.0, 0.5), turn(0.0, 0.0, 1.0, 0.5 * PI), 4);
    shake(&box, &other, cn_v3(0.0, 0.0, 0.25 + 0.75 * sqrt(0.5)), // on its edge
          turn(0.0, 1.0, 0.0, 0.25 * PI), 2);
}

CN_TEST(blocks_that_touch_at_an_edge_or_a_corner_only_may_pass)
{
    test_hull box, other;
    shape_box(&box, 0, 1.0, 2.0, 0.5);
    shape_box(&other, 1, 1.0, 2.0, 0.5);
    static const double sunk[] = {0.0, 1e-12, -1e-12, 1e-7, -1e-7, 1e-5, 1e-4, -1e-4};
    for (int k = 0; k < 8; k++) {
        double d = sunk[k];
        shake(&box, &other, cn_v3(1.0, 0.0, 0.5 - d), UPRIGHT, 0);        // along an edge
        shake(&box, &other, cn_v3(1.0 - d, 0.5, 0.5), UPRIGHT, 0);        // the other way
        shake(&box, &other, cn_v3(1.0, 2.0, 0.5 - d), UPRIGHT, 0);        // at a corner
        shake(&box, &other, cn_v3(1.0 + 1e-4, 0.5, 0.5 - d), UPRIGHT, 0); // ahead of a seam
    }
    shake(&box, &other, cn_v3(0.99, 0.0, 0.5 - 1e-6), UPRIGHT, 4); // narrow, but a contact
}

// A hexagon that rocks turns about the two ends of an edge, or about a corner.
CN_TEST(hinges_of_a_rocking_prism_are_exact)
{
    test_hull floor, six;
    shape_box(&floor, 0, 4.0, 4.0, 1.0);
    shape_prism(&six, 1, 6, 0.5, 1.0);
    cn_posed3 a = place(&floor, 0.0, 0.0, 0.0, UPRIGHT);
    for (int k = 0; k < 12; k++) {
        double angle = PI / 6.0 * k, tilt = 1e-3;
        cn_quat q = turn(-sin(angle), cos(angle), 0.0, tilt); // towards the direction `angle`
        cn_posed3 b = place(&six, 0.0, 0.0, 0.0, q);
        double low = INFINITY;
        for (int v = 0; v < 6; v++) {
            low = fmin(low, cn_posed3_point(&b, six.vertex[v]).z);
        }
        b.x.z = 0.5 - low;
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = cn_hull_hull(&a, &b, 0.1, t);
        CN_TRUE(count == 4);
        int touching = 0;
        for (int v = 0; v < 6; v++) {
            cn_vec3 x = cn_posed3_point(&b, six.vertex[v]);
            touching += x.z < 0.5 + 1e-9 && has_point(t, count, x.x, x.y, 0.5, 1e-6);
        }
        CN_TRUE(touching == (k % 2 == 1 ? 2 : 1));
    }
}

// Regular prisms, boxes and prisms over any polygon in an ellipse.
static void any_prism(test_hull *s, int body, uint64_t *state)
{
    int n = 3 + (int)(6.0 * uniform(state));
    double choice = uniform(state), x = 0.5 + uniform(state), y = 0.5 + uniform(state);
    cn_vec2 corner[8];
    for (int k = 0; k < n; k++) {
        double angle = 2.0 * PI * (k + (choice < 0.4 ? 0.0 : 0.9 * uniform(state))) / n;
        corner[k] = cn_v2(x * cos(angle), (choice < 0.4 ? x : y) * sin(angle));
    }
    if (choice < 0.2) {
        shape_box(s, body, x, y, 1.0);
    } else {
        shape_extrude(s, body, n, corner, 1.0);
    }
}

// A random prism on another, turned about the vertical: flat contact of any shape.
static void any_flat_pair(test_hull *s, test_hull *r, cn_posed3 *a, cn_posed3 *b, uint64_t *state)
{
    any_prism(s, 0, state);
    any_prism(r, 1, state);
    *a = place(s, 0.0, 0.0, 0.0, turn(0.0, 0.0, 1.0, 2.0 * PI * uniform(state)));
    *b = place(r, uniform(state), uniform(state), 1.0,
               turn(0.0, 0.0, 1.0, 2.0 * PI * uniform(state)));
}

// The part of a polygon where n . x <= offset, seen from above.
static int keep_below(cn_vec3 *corner, int count, cn_vec3 n, double offset)
{
    cn_vec3 kept[32];
    int m = 0;
    for (int k = 0; k < count; k++) {
        cn_vec3 x = corner[k], y = corner[(k + 1) % count];
        double at_x = cn_dot3(n, x) - offset, at_y = cn_dot3(n, y) - offset;
        if (at_x <= 0.0) {
            kept[m++] = x;
        }
        if ((at_x <= 0.0) != (at_y <= 0.0)) {
            kept[m++] = cn_add_mul3(x, at_x / (at_x - at_y), cn_sub3(y, x));
        }
    }
    memcpy(corner, kept, sizeof *kept * (size_t)m);
    return m;
}

// Centre of a uniform pressure on the overlap of two prisms, seen from above; returns its area.
static double centre_of_overlap(const cn_posed3 *a, const cn_posed3 *b, cn_vec3 *centre)
{
    cn_vec3 corner[32] = {{-9.0, -9.0, 0.0}, {9.0, -9.0, 0.0}, {9.0, 9.0, 0.0}, {-9.0, 9.0, 0.0}};
    int count = 4;
    for (int body = 0; body < 2; body++) {
        const cn_posed3 *p = body == 0 ? a : b;
        const cn_hull *h = p->solid->hull;
        for (int f = 0; f < h->face_count; f++) {
            cn_vec3 n = cn_mat3_mul(&p->R, h->normal[f]);
            if (fabs(n.z) < 0.5) {
                cn_vec3 aside = cn_v3(p->x.x, p->x.y, 0.0);
                count = keep_below(corner, count, n, h->offset[f] + cn_dot3(n, aside));
            }
        }
    }
    double area = 0.0;
    *centre = cn_v3(0.0, 0.0, 0.0);
    for (int k = 2; k < count; k++) { // triangles from the first corner
        double part = 0.5 * side_of(corner[0], corner[k - 1], corner[k]);
        cn_vec3 sum = cn_add3(corner[0], cn_add3(corner[k - 1], corner[k]));
        *centre = cn_add_mul3(*centre, part / 3.0, sum);
        area += part;
    }
    *centre = cn_mul3(area > 0.0 ? 1.0 / area : 0.0, *centre);
    return area;
}

CN_TEST(four_points_can_carry_a_uniform_pressure)
{
    uint64_t state = 3;
    int judged = 0;
    for (int k = 0; k < 3000; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_flat_pair(&s, &r, &a, &b, &state);
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = cn_hull_hull(&a, &b, 1e-3, t);
        cn_vec3 centre;
        if (centre_of_overlap(&a, &b, &centre) > 1e-2) {
            judged++;
            CN_TRUE(count >= 3 && count <= 4 && is_inside(t, count, centre, 1e-12));
        }
    }
    CN_TRUE(judged > 2000);
}

// Body c is b turned by 1e-9 about some axis.
static cn_posed3 turn_a_little(const cn_posed3 *b, uint64_t *state)
{
    cn_vec3 of = on_sphere(state);
    cn_mat3 Q = cn_quat_matrix(turn(of.x, of.y, of.z, 1e-9));
    cn_posed3 c = *b;
    for (int i = 0; i < 3; i++) { // B <- B Q: a turn in the frame of the body
        c.R.row[i] = cn_mat3_mul_transposed(&Q, b->R.row[i]);
    }
    return c;
}

// A prism over another, flat or tilted, and the same turned by 1e-9: how far points move, of the
// smaller size; -1: they are others. Bodies move by `sweep` against each other (5.3).
static double flicker(double sweep, uint64_t *state)
{
    test_hull s, r;
    cn_posed3 a, b;
    any_flat_pair(&s, &r, &a, &b, state);
    double tilt = uniform(state) < 0.5 ? 0.0 : pow(10.0, -8.0 * uniform(state));
    cn_vec3 axis = on_sphere(state);
    cn_mat3 R = cn_quat_matrix(turn(axis.x, axis.y, axis.z, tilt));
    for (int i = 0; i < 3; i++) {
        b.R.row[i] = cn_mat3_mul_transposed(&R, b.R.row[i]);
    }
    cn_posed3 c = turn_a_little(&b, state);
    cn_hint none[2] = {{0}, {0}};
    cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
    int count = cn_hull_hull_warm(&a, &b, 1.0, sweep, &none[0], t);
    int other = cn_hull_hull_warm(&a, &c, 1.0, sweep, &none[1], u);
    return compare(t, count, u, other) / fmin(s.solid.size, r.solid.size);
}

CN_TEST(a_turn_of_1e_9_moves_no_point_by_1e_6)
{
    uint64_t state = 5;
    for (int k = 0; k < 3000; k++) {
        double moved = flicker(0.0, &state);
        CN_TRUE(moved >= 0.0 && moved <= 1e-6);
    }
}

// Likewise of bodies that move and spin, with all corners that are on their way.
CN_TEST(a_turn_of_1e_9_moves_no_point_of_moving_bodies_by_1e_6)
{
    uint64_t state = 5;
    for (int k = 0; k < 3000; k++) {
        double moved = flicker(0.4 * uniform(&state), &state);
        CN_TRUE(moved >= 0.0 && moved <= 1e-6);
    }
}

// Pairs made to be degenerate (needles, parallel within 1e-13, touching within 1e-8) stand on the
// borders between cases more often than blocks do.
CN_TEST(few_degenerate_pairs_change_their_case_under_a_turn_of_1e_9)
{
    uint64_t state = 6;
    int judged = 0, changed = 0;
    for (int k = 0; k < 10000; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_pair(&s, &r, &a, &b, &state);
        cn_posed3 c = turn_a_little(&b, &state);
        double reach = 0.05 * fmin(s.solid.size, r.solid.size);
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_hull_hull(&a, &b, reach, t), other = cn_hull_hull(&a, &c, reach, u);
        double moved = compare(t, count, u, other);
        judged += count > 0;
        changed += moved < 0.0 || moved > 1e-6 * fmax(s.solid.reach, r.solid.reach);
    }
    CN_TRUE(judged > 5000 && changed < 0.01 * judged);
}

static bool is_mirror(const cn_touch3 *s, const cn_touch3 *t)
{
    return s->point.x == t->point.x && s->point.y == t->point.y && s->point.z == t->point.z &&
           s->normal.x == -t->normal.x && s->normal.y == -t->normal.y &&
           s->normal.z == -t->normal.z && s->gap == t->gap && s->feature == t->feature;
}

CN_TEST(exchanged_polyhedra_are_mirror_images_bit_for_bit)
{
    uint64_t state = 8;
    int judged = 0;
    for (int k = 0; k < 10000; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_pair(&s, &r, &a, &b, &state);
        s.solid.body = k % 2;
        r.solid.body = 1 - k % 2;
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.1, t);
        CN_TRUE(cn_narrow3(&b, &a, 0.1, u) == count);
        for (int n = 0; n < count; n++) {
            CN_TRUE(is_mirror(&t[n], &u[n]));
        }
        judged += count > 0;
    }
    CN_TRUE(judged > 5000);
}

static bool is_equal(const cn_touch3 *s, const cn_touch3 *t)
{
    return s->point.x == t->point.x && s->point.y == t->point.y && s->point.z == t->point.z &&
           s->normal.x == t->normal.x && s->normal.y == t->normal.y && s->normal.z == t->normal.z &&
           s->gap == t->gap && s->feature == t->feature;
}

// The hint of a slightly different pose, of none, and one that means nothing.
CN_TEST(hints_save_work_and_change_no_bit)
{
    uint64_t state = 9;
    long cold = 0, warm = 0, corners = 0, edges = 0;
    for (int k = 0; k < 10000; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_pair(&s, &r, &a, &b, &state);
        cn_posed3 c = b;
        c.x = cn_add3(c.x, nudge(1e-3 * r.solid.reach, &state));
        double reach = k % 2 == 0 ? INFINITY : 0.01, sweep = 0.05 * (k % 3);
        cn_hint hint[3] = {{.kind = 0}};
        hint[2].kind = (uint16_t)(5 * uniform(&state));
        hint[2].first = (uint16_t)(20 * uniform(&state));
        hint[2].second = (uint16_t)(20 * uniform(&state));
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        cn_narrow3_warm(&c, &a, reach, sweep, &hint[1], t);
        int count = cn_narrow3_warm(&a, &b, reach, sweep, &hint[0], t);
        for (int h = 1; h < 3; h++) {
            CN_TRUE(cn_narrow3_warm(&a, &b, reach, sweep, &hint[h], u) == count);
            for (int n = 0; n < count; n++) {
                CN_TRUE(is_equal(&t[n], &u[n]));
            }
        }
        cold += hint[0].corner_tests + hint[0].edge_tests;
        warm += hint[1].corner_tests + hint[1].edge_tests;
        corners += hint[0].corner_tests;
        edges += hint[0].edge_tests;
    }
    CN_TRUE(warm < 0.8 * cold);
    CN_TRUE(corners > 10000 && edges > 10000); // both are looked at, once a pair at least
}

CN_MAIN(CN_RUN(stacked_boxes_touch_at_their_four_corners);
        CN_RUN(shifted_boxes_touch_at_the_corners_of_the_overlap);
        CN_RUN(box_turned_on_a_box_touches_at_four_of_eight_corners);
        CN_RUN(crossing_edges_touch_at_one_point);
        CN_RUN(a_vertex_on_a_face_is_one_point_and_an_edge_is_two);
        CN_RUN(names_and_points_survive_noise);
        CN_RUN(blocks_that_touch_at_an_edge_or_a_corner_only_may_pass);
        CN_RUN(hinges_of_a_rocking_prism_are_exact);
        CN_RUN(four_points_can_carry_a_uniform_pressure);
        CN_RUN(a_turn_of_1e_9_moves_no_point_by_1e_6);
        CN_RUN(a_turn_of_1e_9_moves_no_point_of_moving_bodies_by_1e_6);
        CN_RUN(few_degenerate_pairs_change_their_case_under_a_turn_of_1e_9);
        CN_RUN(exchanged_polyhedra_are_mirror_images_bit_for_bit);
        CN_RUN(hints_save_work_and_change_no_bit); CN_RUN(corners_meet_edges_and_corners_midway);
        CN_RUN(a_pose_that_is_not_a_number_touches_nothing);
        CN_RUN(vertices_apart_are_measured_along_the_line_between_them);)
