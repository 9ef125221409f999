// tests/unit/narrow3_sweep.c -- corners of polyhedra that may touch within the step.
#include <string.h>

#include "test.h"
#include "unit/hull_random.h"

static int touch_swept(const cn_posed3 *a, const cn_posed3 *b, double reach, double sweep,
                       cn_touch3 *touch)
{
    cn_hint hint = {0};
    return cn_narrow3_warm(a, b, reach, sweep, &hint, touch);
}

// A box that stands on an edge, tilted by 35 degrees, offers no face: it has two points. The other
// two corners of the face that comes down are at height sin(35), those of the other at cos(35).
CN_TEST(a_box_on_its_edge_lists_the_corners_that_it_may_fall_on)
{
    test_hull slab, box;
    shape_box(&slab, 0, 4.0, 4.0, 1.0);
    shape_box(&box, 1, 1.0, 1.0, 1.0);
    const double tilt = 35.0 * PI / 180.0, s = sin(tilt), c = cos(tilt);
    cn_posed3 low = place(&slab, 0.0, 0.0, -0.5, UPRIGHT);
    cn_posed3 high = place(&box, 0.0, 0.0, 0.5 * (s + c), turn(0.0, 1.0, 0.0, tilt));
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(touch_swept(&low, &high, 1.0, 0.0, t) == 2);
    CN_TRUE(touch_swept(&low, &high, 1.0, s, t) == 2);
    int count = touch_swept(&low, &high, 1.0, 0.5 * (s + c), t), at_s = 0;
    CN_TRUE(count == 4);
    for (int k = 0; k < count; k++) {
        CN_NEAR(t[k].normal.z, -1.0, 1e-15, "all along the normal of the slab");
        CN_NEAR(fabs(t[k].point.y), 0.5, 1e-15, "ends of the edges");
        at_s += fabs(t[k].gap - s) < 1e-15;
        for (int m = 0; m < k; m++) {
            CN_TRUE(t[m].feature != t[k].feature);
        }
    }
    CN_TRUE(at_s == 2);
    CN_TRUE(touch_swept(&low, &high, 1.0, 1.0, t) == 6);
    CN_TRUE(touch_swept(&low, &high, 0.3, 1.0, t) == 2); // the reach says what is listed at all
}

// Two roofs whose ridges cross at right angles touch at one point. Turned about the lower ridge the
// upper one rises at one end and falls at the other, where its gable ends over the side of the
// lower roof: its corners are on the way, and so are crossings of edges further down.
CN_TEST(crossed_ridges_list_the_ends_that_may_come_down)
{
    test_hull s, r;
    shape_box(&s, 0, 4.0, 1.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    cn_posed3 low = place(&s, 0.0, 0.0, -sqrt(0.5), turn(1.0, 0.0, 0.0, 0.25 * PI));
    cn_quat q = then(turn(1.0, 0.0, 0.0, 0.25 * PI), turn(0.0, 0.0, 1.0, 0.5 * PI));
    cn_posed3 high = place(&r, 0.0, 0.0, sqrt(0.5), q);
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(touch_swept(&low, &high, 1.0, 0.0, t) == 1);
    CN_TRUE(touch_swept(&low, &high, 1.0, 0.4, t) == 1);
    int count = touch_swept(&low, &high, 1.0, 0.55, t);
    CN_TRUE(count == 3);
    for (int k = 1; k < count; k++) {
        CN_NEAR(t[k].gap, 0.5, 1e-15, "the roof falls by 45 degrees over half a metre");
        CN_NEAR(fabs(t[k].point.y), 0.5, 1e-15, "ends of the upper ridge");
    }
}

// Rims of prisms: as many as are listed are spread all round.
CN_TEST(a_rim_of_many_corners_is_held_all_round)
{
    test_hull slab, drum;
    shape_box(&slab, 0, 4.0, 4.0, 1.0);
    shape_prism(&drum, 1, 24, 0.5, 1.0);
    cn_posed3 low = place(&slab, 0.0, 0.0, -0.5, UPRIGHT);
    cn_posed3 high = place(&drum, 0.0, 0.0, 0.501, UPRIGHT);
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = touch_swept(&low, &high, 1.0, 0.1, t);
    CN_TRUE(count > 8 && count <= 29);
    for (int k = 0; k < 36; k++) {
        double angle = 2.0 * PI * k / 36, most = 0.0;
        for (int m = 0; m < count; m++) {
            most = fmax(most, t[m].point.x * cos(angle) + t[m].point.y * sin(angle));
        }
        CN_TRUE(most > 0.5 * cos(0.35));
    }
}

// A flat pebble of twelve corners above another: they touch or nearly do, and many of their faces
// are near to parallel.
static void any_pebbles(test_hull *s, test_hull *r, cn_posed3 *a, cn_posed3 *b, uint64_t *state)
{
    cn_vec3 point[12];
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < 12; n++) {
            point[n] = on_sphere(state);
            point[n].z *= 0.2;
        }
        shape_points(k == 0 ? s : r, k, point, 12);
    }
    *a = place(s, 0.0, 0.0, 0.0, UPRIGHT);
    *b = place(r, uniform(state), uniform(state), 1.0, UPRIGHT);
    cn_touch3 t[CN_TOUCH3_MAX];
    if (cn_narrow3(a, b, INFINITY, t) > 0) { // normal from b to a
        b->x = cn_add_mul3(b->x, t[0].gap - 0.01 * uniform(state), t[0].normal);
    }
}

// Turns b by `angle` about an axis across the normal through the points, and lifts it so far that
// no point of the list closes by more than its gap.
static cn_posed3 tilt(const cn_posed3 *b, const cn_touch3 *t, int count, double angle,
                      uint64_t *state)
{
    cn_vec3 n = cn_neg3(t[0].normal), t1, t2;
    cn_tangents3(n, &t1, &t2);
    double azimuth = 2.0 * PI * uniform(state), lift = -INFINITY;
    cn_vec3 axis = cn_add_mul3(cn_mul3(cos(azimuth), t1), sin(azimuth), t2), origin = t[0].point;
    for (int k = 0; k < count; k++) {
        cn_vec3 arm = cn_sub3(t[k].point, origin);
        lift = fmax(lift, -t[k].gap - angle * cn_dot3(n, cn_cross3(axis, arm)));
    }
    cn_mat3 Q = cn_quat_matrix(turn(axis.x, axis.y, axis.z, -angle)); // the inverse
    cn_posed3 c = *b;
    c.x = cn_add3(origin, cn_mat3_mul_transposed(&Q, cn_sub3(b->x, origin)));
    c.x = cn_add_mul3(c.x, lift, n);
    for (int i = 0; i < 3; i++) { // R <- Q^T R
        cn_vec3 column = cn_mat3_mul(&Q, cn_v3(i == 0, i == 1, i == 2));
        c.R.row[i] = cn_mat3_mul_transposed(&b->R, column);
    }
    return c;
}

// What a solver does: no listed point closes. Then nothing enters by more than what is left out
// and the second order of the turn; with the patch alone pebbles enter each other.
CN_TEST(what_is_listed_keeps_pebbles_apart)
{
    const double angle = 0.05, sweep = 3.0 * angle; // points are up to 2 from the axis
    uint64_t state = 11;
    int entered = 0;
    for (int k = 0; k < 1500; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_pebbles(&s, &r, &a, &b, &state);
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        double size = fmin(s.solid.size, r.solid.size), depth[2] = {0.0, 0.0};
        for (int is_swept = 0; is_swept < 2; is_swept++) {
            uint64_t same = state;
            int count = touch_swept(&a, &b, 1.0, is_swept * sweep, t);
            CN_TRUE(count > 0);
            cn_posed3 c = tilt(&b, t, count, angle, &same);
            for (int m = cn_narrow3(&a, &c, 0.0, u); m > 0; m--) {
                depth[is_swept] = fmax(depth[is_swept], -u[m - 1].gap);
            }
        }
        uniform(&state);
        entered += depth[0] > 0.01 * size;
        CN_TRUE(depth[1] < 0.002 * size);
    }
    CN_TRUE(entered > 40);
}

static bool is_mirror(const cn_touch3 *s, const cn_touch3 *t)
{
    cn_vec3 n = cn_neg3(t->normal);
    return memcmp(&s->point, &t->point, sizeof n) == 0 && s->normal.x == n.x &&
           s->normal.y == n.y && s->normal.z == n.z && s->gap == t->gap && s->feature == t->feature;
}

// Exchanged pairs are mirror images, names differ, and the nearest point is the one of the patch.
CN_TEST(swept_points_are_named_once_and_mirrored)
{
    uint64_t state = 12;
    int more = 0;
    for (int k = 0; k < 5000; k++) {
        test_hull s, r;
        cn_posed3 a, b;
        any_pair(&s, &r, &a, &b, &state);
        double reach = 0.5 * fmin(s.solid.size, r.solid.size), sweep = reach * uniform(&state);
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int patch = cn_narrow3(&a, &b, reach, u);
        double least = INFINITY;
        for (int n = 0; n < patch; n++) {
            least = fmin(least, u[n].gap);
        }
        int count = touch_swept(&a, &b, reach, sweep, t);
        CN_TRUE(touch_swept(&b, &a, reach, sweep, u) == count);
        for (int n = 0; n < count; n++) {
            CN_TRUE(is_mirror(&t[n], &u[n]));
            CN_TRUE(t[n].gap >= least - 1e-4 * reach);
            for (int m = 0; m < n; m++) {
                CN_TRUE(t[n].feature != t[m].feature);
            }
        }
        more += count > patch;
    }
    CN_TRUE(more > 500);
}

CN_MAIN(CN_RUN(a_box_on_its_edge_lists_the_corners_that_it_may_fall_on);
        CN_RUN(crossed_ridges_list_the_ends_that_may_come_down);
        CN_RUN(a_rim_of_many_corners_is_held_all_round); CN_RUN(what_is_listed_keeps_pebbles_apart);
        CN_RUN(swept_points_are_named_once_and_mirrored);)
