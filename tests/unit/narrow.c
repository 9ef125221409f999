// Contact points of every pair of shapes, where the answer is known on paper.
#include "narrow_bodies.h"

static cn_touch touch[CN_TOUCH_MAX];

static int find(const body *a, const body *b, double reach)
{
    CN_TRUE(is_mirrored(a, b, reach));
    return cn_narrow(&a->posed, &b->posed, reach, touch);
}

// Checks touch[k]; the tolerance is rounding of coordinates of order one.
static void expect(int k, double x, double y, double nx, double ny, double gap)
{
    const double tol = 2e-15;
    CN_NEAR(touch[k].point.x, x, tol, "point x: rounding");
    CN_NEAR(touch[k].point.y, y, tol, "point y: rounding");
    CN_NEAR(touch[k].normal.x, nx, tol, "normal x: rounding");
    CN_NEAR(touch[k].normal.y, ny, tol, "normal y: rounding");
    CN_NEAR(touch[k].gap, gap, tol, "gap: rounding");
}

CN_TEST(disks_touch_on_the_line_of_centres)
{
    body a, b;
    make_disk(&a, 1.0);
    make_disk(&b, 0.5);
    move_body(&b, 1.2, 1.6, 0.7);
    CN_TRUE(find(&a, &b, 1.0) == 1);
    expect(0, 0.75, 1.0, -0.6, -0.8, 0.5);
    CN_TRUE(touch[0].feature == 0);
    CN_TRUE(find(&a, &b, 0.4) == 0);
    move_body(&b, 0.0, 0.0, 0.0);
    CN_TRUE(find(&a, &b, 0.0) == 1);
    CN_NEAR(cn_norm2(touch[0].normal), 1.0, 1e-15, "same centre: any unit normal");
    CN_NEAR(touch[0].gap, -1.5, 1e-15, "same centre");
}

CN_TEST(disk_on_a_box_face_corner_and_inside)
{
    body a, b;
    make_box(&a, 2.0, 1.0);
    make_disk(&b, 0.25);
    move_body(&b, 0.3, 0.85, 0.0);
    CN_TRUE(find(&b, &a, 0.2) == 1);
    expect(0, 0.3, 0.55, 0.0, 1.0, 0.1);
    move_body(&b, 1.3, 0.9, 0.0);
    CN_TRUE(find(&b, &a, 0.5) == 1);
    expect(0, 1.0 + 0.6 * 0.125, 0.5 + 0.8 * 0.125 + 0.0, 0.6, 0.8, 0.25 - 0.0);
    move_body(&b, 0.3, 0.45, 0.0);
    CN_TRUE(find(&b, &a, 0.0) == 1);
    CN_NEAR(touch[0].gap, -0.3, 1e-15, "centre 0.05 below the face");
    CN_NEAR(touch[0].normal.y, 1.0, 1e-15, "out through the nearest face");
}

CN_TEST(disk_on_a_capsule_side_and_end)
{
    body a, b;
    make_capsule(&a, 2.0, 0.25);
    make_disk(&b, 0.25);
    move_body(&b, 0.5, 0.75, 0.0);
    CN_TRUE(find(&b, &a, 1.0) == 1);
    expect(0, 0.5, 0.375, 0.0, 1.0, 0.25);
    move_body(&b, 2.0, 0.0, 0.0);
    CN_TRUE(find(&b, &a, 1.0) == 1);
    expect(0, 1.5, 0.0, 1.0, 0.0, 0.5);
    move_body(&b, 0.25, 0.0, 0.0); // centre on the axis: up and down are equal
    CN_TRUE(find(&b, &a, 1.0) == 1);
    CN_NEAR(fabs(touch[0].normal.y), 1.0, 1e-15, "across the axis");
}

// Equal boxes: corners coincide and the ends of the overlap are the corners.
CN_TEST(stacked_boxes_touch_at_their_corners)
{
    body a, b;
    make_box(&a, 0.4, 0.2);
    make_box(&b, 0.4, 0.2);
    move_body(&b, 0.0, 0.2, 0.0);
    CN_TRUE(find(&b, &a, 1e-6) == 2);
    expect(0, -0.2, 0.1, 0.0, 1.0, 0.0);
    expect(1, 0.2, 0.1, 0.0, 1.0, 0.0);
    CN_TRUE(touch[0].feature == cn_feature(0, 2, CN_END_FIRST));
    CN_TRUE(touch[1].feature == cn_feature(0, 2, CN_END_SECOND));
}

CN_TEST(boxes_in_running_bond_touch_over_half)
{
    body a, b;
    make_box(&a, 0.4, 0.2);
    make_box(&b, 0.4, 0.2);
    move_body(&b, 0.2, 0.2, 0.0);
    CN_TRUE(find(&b, &a, 1e-6) == 2);
    expect(0, 0.0, 0.1, 0.0, 1.0, 0.0);
    expect(1, 0.2, 0.1, 0.0, 1.0, 0.0);
}

CN_TEST(boxes_side_by_side_touch_over_their_height)
{
    body a, b;
    make_box(&a, 0.4, 0.2);
    make_box(&b, 0.4, 0.2);
    move_body(&b, 0.4, 0.0, CN_PI);
    CN_TRUE(find(&a, &b, 1e-6) == 2);
    expect(0, 0.2, -0.1, -1.0, 0.0, 0.0);
    expect(1, 0.2, 0.1, -1.0, 0.0, 0.0);
}

// A box turned about its lower right corner: each end has its own gap, and far ends drop out of
// reach.
CN_TEST(rocking_box_keeps_the_corner_it_rocks_on)
{
    const double tilt = 1e-3;
    body a, b;
    make_box(&a, 2.0, 0.2);
    make_box(&b, 0.4, 0.2);
    cn_vec2 at = cn_add2(cn_v2(0.2, 0.1), cn_turn2(cn_v2(-0.2, 0.1), cos(-tilt), sin(-tilt)));
    move_body(&b, at.x, at.y, -tilt);
    CN_TRUE(find(&b, &a, 0.01) == 2);
    expect(1, 0.2, 0.1, 0.0, 1.0, 0.0);
    CN_NEAR(touch[0].gap, 0.4 * sin(tilt), 1e-15, "height of the lifted corner");
    CN_NEAR(touch[0].point.x, 0.2 - 0.4 * cos(tilt), 1e-15, "under the lifted corner");
    uint32_t name = touch[1].feature;
    CN_TRUE(find(&b, &a, 1e-4) == 1);
    CN_TRUE(touch[0].feature == name);
}

CN_TEST(box_on_its_corner_has_one_point)
{
    body a, b;
    make_box(&a, 2.0, 0.2);
    make_box(&b, 0.2, 0.2);
    move_body(&b, 0.3, 0.1 + 0.1 * sqrt(2.0), CN_PI / 4);
    CN_TRUE(find(&b, &a, 0.05) == 1);
    expect(0, 0.3, 0.1, 0.0, 1.0, 0.0);
    CN_TRUE(touch[0].feature == 0);
}

CN_TEST(separated_corners_part_along_their_line)
{
    body a, b;
    make_box(&a, 0.4, 0.2);
    make_box(&b, 0.4, 0.2);
    move_body(&b, 0.4 + 0.003, 0.2 + 0.004, 0.0);
    CN_TRUE(find(&b, &a, 0.01) == 1);
    expect(0, 0.2015, 0.102, 0.6, 0.8, 0.005);
}

CN_TEST(capsule_lies_on_a_box_at_two_points)
{
    body a, b;
    make_box(&a, 1.0, 0.2);
    make_capsule(&b, 0.4, 0.05);
    move_body(&b, 0.4, 0.16, CN_PI);
    CN_TRUE(find(&b, &a, 0.02) == 2);
    expect(0, 0.2, 0.105, 0.0, 1.0, 0.01); // counted along the edge of the capsule
    expect(1, 0.5, 0.105, 0.0, 1.0, 0.01);
}

// Its two sides are the same segment seen from either side; at angles where rounding favours the
// far one, the capsule seemed to be all the way in.
CN_TEST(capsule_lies_on_a_box_at_any_angle)
{
    body a, b;
    make_box(&a, 2.0, 1.0);
    make_capsule(&b, 1.0, 0.25);
    for (int k = 0; k < 2000; k++) {
        double angle = 0.003 * k, c = cos(angle), s = sin(angle), x = 1.2 - 0.0012 * k;
        move_body(&a, 0.0, 0.0, angle);
        move_body(&b, c * x - s * 0.75, s * x + c * 0.75, angle);
        CN_TRUE(find(&a, &b, 0.1) == 2);
        CN_NEAR(touch[0].gap, 0.0, 2e-15, "rounding");
        CN_NEAR(touch[1].gap, 0.0, 2e-15, "rounding");
    }
}

CN_TEST(capsules_side_by_side_and_crossed)
{
    body a, b;
    make_capsule(&a, 1.0, 0.1);
    make_capsule(&b, 1.0, 0.2);
    move_body(&b, 0.25, 0.5, 0.0);
    CN_TRUE(find(&a, &b, 0.5) == 2);
    CN_NEAR(touch[0].gap, 0.2, 1e-15, "axes 0.5 apart");
    CN_NEAR(touch[0].point.y, 0.2, 1e-15, "midway between 0.1 and 0.3");
    CN_NEAR(fabs(touch[0].point.x - touch[1].point.x), 0.75, 1e-15, "overlap of the axes");
    move_body(&b, 0.0, 0.75, CN_PI / 2);
    CN_TRUE(find(&b, &a, 0.5) == 1);
    expect(0, 0.0, 0.075, 0.0, 1.0, -0.05);
    move_body(&b, 1.5, 0.0, CN_PI); // in one line: no side of one has the other beyond it
    CN_TRUE(find(&b, &a, 0.5) == 1);
    expect(0, 0.7, 0.0, 1.0, 0.0, 0.2);
    move_body(&b, 0.1, 0.1, 1.0); // axes cross
    CN_TRUE(find(&b, &a, 0.5) > 0);
    CN_TRUE(touch[0].gap < -0.3);
}

CN_TEST(overlapping_boxes_part_through_the_nearest_faces)
{
    body a, b;
    make_box(&a, 1.0, 1.0);
    make_box(&b, 0.5, 0.5);
    move_body(&b, 0.1, 0.7, 0.0);
    CN_TRUE(find(&b, &a, 0.0) == 2);
    expect(0, -0.15, 0.475, 0.0, 1.0, -0.05);
    expect(1, 0.35, 0.475, 0.0, 1.0, -0.05);
}

CN_TEST(half_plane_holds_every_vertex_in_reach)
{
    body plane, b;
    make_half_plane(&plane);
    make_box(&b, 0.4, 0.2);
    move_body(&b, 5.0, 0.1, 0.0);
    CN_TRUE(find(&b, &plane, 1e-3) == 2);
    expect(0, 4.8, 0.0, 0.0, 1.0, 0.0);
    expect(1, 5.2, 0.0, 0.0, 1.0, 0.0);
    CN_TRUE(touch[0].feature == cn_feature(0, 0, CN_END_NONE));
    CN_TRUE(touch[1].feature == cn_feature(1, 0, CN_END_NONE));
    make_capsule(&b, 0.4, 0.1);
    move_body(&b, 5.0, 0.05, 0.0);
    CN_TRUE(find(&plane, &b, 1e-3) == 2);
    expect(0, 4.8, -0.025, 0.0, -1.0, -0.05);
    make_half_plane(&b);
    CN_TRUE(find(&plane, &b, 1.0) == 0);
}

CN_TEST(half_plane_keeps_the_deepest_vertices)
{
    body plane, b;
    make_half_plane(&plane);
    for (int k = 0; k < 64; k++) {
        b.local[2 * k] = cos(2 * CN_PI * k / 64);
        b.local[2 * k + 1] = sin(2 * CN_PI * k / 64);
    }
    make_polygon(&b, 64);
    move_body(&b, 0.0, 1.0, 0.1);
    CN_TRUE(find(&b, &plane, 10.0) == CN_TOUCH_MAX);
    for (int k = 0; k < CN_TOUCH_MAX; k++) {
        CN_TRUE(touch[k].gap < 1 - cos(2 * CN_PI * 5 / 64));
        CN_TRUE(k == 0 || touch[k].feature > touch[k - 1].feature);
    }
}

CN_TEST(drum_holds_bodies_inside)
{
    body drum, b;
    make_drum(&drum, 1.0, 0.1);
    make_disk(&b, 0.2);
    move_body(&b, 0.0, -0.7, 0.0);
    CN_TRUE(find(&b, &drum, 0.2) == 1);
    expect(0, 0.0, -0.95, 0.0, 1.0, 0.1);
    make_box(&b, 1.2, 0.2);
    move_body(&b, 0.0, -0.7, 0.0);
    CN_TRUE(find(&b, &drum, 1e-3) == 2); // lower corners at (0.6, -0.8)
    expect(0, -0.6, -0.8, 0.6, 0.8, 0.0);
    expect(1, 0.6, -0.8, -0.6, 0.8, 0.0);
    CN_TRUE(touch[1].feature == cn_feature(1, 0, CN_END_NONE));
    make_capsule(&b, 1.2, 0.25);
    move_body(&b, 0.0, -0.45, 0.0);
    CN_TRUE(find(&drum, &b, 1e-12) == 2);
    CN_NEAR(touch[0].gap, 0.0, 1e-15, "ends at distance 0.75, radius 0.25");
}

CN_TEST(drum_is_a_disk_outside)
{
    body drum, b;
    make_drum(&drum, 1.0, 0.5);
    make_box(&b, 4.0, 1.0);
    move_body(&b, 0.5, 2.1, 0.0);
    CN_TRUE(find(&b, &drum, 0.2) == 1);
    expect(0, 0.0, 1.55, 0.0, 1.0, 0.1);
    make_half_plane(&b);
    move_body(&b, 0.0, -1.6, 0.0);
    CN_TRUE(find(&drum, &b, 0.2) == 1);
    expect(0, 0.0, -1.55, 0.0, 1.0, 0.1);
    make_disk(&b, 0.5);
    move_body(&b, 2.0, 0.0, 0.0);
    CN_TRUE(find(&b, &drum, 0.2) == 1);
    expect(0, 1.5, 0.0, 1.0, 0.0, 0.0);
}

CN_TEST(drums_nest_and_stand_side_by_side)
{
    body large, small;
    make_drum(&large, 1.0, 0.1);
    make_drum(&small, 0.4, 0.1);
    move_body(&small, 0.0, -0.4, 0.0);
    CN_TRUE(find(&small, &large, 0.2) == 1);
    expect(0, 0.0, -0.95, 0.0, 1.0, 0.1);
    CN_TRUE(find(&large, &small, 0.2) == 1);
    expect(0, 0.0, -0.95, 0.0, -1.0, 0.1);
    move_body(&small, 1.7, 0.0, 0.0);
    CN_TRUE(find(&small, &large, 0.2) == 1);
    expect(0, 1.15, 0.0, 1.0, 0.0, 0.1);
}

static void make_kind(body *b, cn_shape_kind kind)
{
    switch (kind) {
    case CN_SHAPE_DISK:
        make_disk(b, 0.5);
        break;
    case CN_SHAPE_CAPSULE:
        make_capsule(b, 0.6, 0.3);
        break;
    case CN_SHAPE_POLYGON:
        make_box(b, 0.9, 0.8);
        break;
    case CN_SHAPE_HOLLOW_DISK:
        make_drum(b, 0.4, 0.1);
        break;
    default:
        make_half_plane(b);
    }
}

// Any two kinds: moving a by 1e-3 along a normal opens that gap by 1e-3.
CN_TEST(every_pair_of_kinds_opens_along_its_normal)
{
    uint64_t random = 3;
    for (int n = 0; n < 2500; n++) {
        cn_shape_kind of_a = (cn_shape_kind)(n % 5), of_b = (cn_shape_kind)(n / 5 % 5);
        if (of_a == CN_SHAPE_HALF_PLANE && of_b == CN_SHAPE_HALF_PLANE) {
            continue;
        }
        body a, b;
        make_kind(&a, of_a);
        make_kind(&b, of_b);
        move_body(&a, 0.0, 0.95, random_between(&random, -3.0, 3.0));
        move_body(&b, 0.1, 0.0, random_between(&random, -3.0, 3.0));
        int count = find(&a, &b, 1.0);
        if (count == 0) {
            CN_TRUE(of_a == CN_SHAPE_HALF_PLANE || of_b == CN_SHAPE_HALF_PLANE);
            continue;
        }
        cn_touch first = touch[0];
        CN_NEAR(cn_norm2(first.normal), 1.0, 1e-15, "unit");
        move_body(&a, 1e-3 * first.normal.x, 0.95 + 1e-3 * first.normal.y, a.angle);
        const cn_touch *moved = touch_named(touch, find(&a, &b, 2.0), first.feature);
        CN_TRUE(moved != NULL);
        if (moved != NULL) {
            CN_NEAR(moved->gap - first.gap, 1e-3, 2e-6, "second order where surfaces are curved");
        }
    }
}

// A coin in the air: NaN places give no points and do not hang.
CN_TEST(lost_bodies_touch_nothing)
{
    for (int k = 0; k < CN_SHAPE_HALF_PLANE; k++) {
        for (int m = 0; m < CN_SHAPE_KIND_COUNT; m++) {
            body a, b;
            make_kind(&a, (cn_shape_kind)k);
            make_kind(&b, (cn_shape_kind)m);
            move_body(&a, NAN, 0.0, NAN);
            CN_TRUE(cn_narrow(&a.posed, &b.posed, 1.0, touch) == 0);
        }
    }
}

// Corners that are half as far apart as they may be for the middle of both edges to count (5.7):
// that has three quarters of the weight, and the line through both points lies across the mean.
CN_TEST(points_beside_corners_lie_across_the_mean_of_both_edges)
{
    const double tilt = 0.01, apart = 2e-3; // of 4e-3, the length of the edges being 1
    body a, b;
    make_box(&a, 1.0, 1.0);
    make_box(&b, 1.0, 1.0);
    double c = cos(tilt), s = sin(tilt), x = 0.5 - 0.8 * apart, y = 0.5 + 0.6 * apart;
    // The lower right corner of b, (0.5, -0.5) in its frame, is at (x, y); its lower edge rises to
    // the left.
    move_body(&b, x - 0.5 * c + 0.5 * s, y + 0.5 * c + 0.5 * s, -tilt);
    CN_TRUE(find(&a, &b, 0.1) == 2);
    cn_vec2 middle = {sin(0.5 * tilt), cos(0.5 * tilt)};
    cn_vec2 mean = {0.75 * middle.x, 0.25 + 0.75 * middle.y};
    cn_vec2 line = cn_sub2(touch[1].point, touch[0].point);
    CN_TRUE(cn_norm2(line) > 0.9);
    CN_NEAR(cn_dot2(mean, line), 0.0, 1e-14, "rounding; with other weights 4e-4");
}

CN_MAIN(CN_RUN(points_beside_corners_lie_across_the_mean_of_both_edges);
        CN_RUN(disks_touch_on_the_line_of_centres); CN_RUN(disk_on_a_box_face_corner_and_inside);
        CN_RUN(disk_on_a_capsule_side_and_end); CN_RUN(stacked_boxes_touch_at_their_corners);
        CN_RUN(boxes_in_running_bond_touch_over_half);
        CN_RUN(boxes_side_by_side_touch_over_their_height);
        CN_RUN(rocking_box_keeps_the_corner_it_rocks_on); CN_RUN(box_on_its_corner_has_one_point);
        CN_RUN(separated_corners_part_along_their_line);
        CN_RUN(capsule_lies_on_a_box_at_two_points); CN_RUN(capsule_lies_on_a_box_at_any_angle);
        CN_RUN(capsules_side_by_side_and_crossed);
        CN_RUN(overlapping_boxes_part_through_the_nearest_faces);
        CN_RUN(half_plane_holds_every_vertex_in_reach);
        CN_RUN(half_plane_keeps_the_deepest_vertices); CN_RUN(drum_holds_bodies_inside);
        CN_RUN(drum_is_a_disk_outside); CN_RUN(drums_nest_and_stand_side_by_side);
        CN_RUN(every_pair_of_kinds_opens_along_its_normal); CN_RUN(lost_bodies_touch_nothing);)
