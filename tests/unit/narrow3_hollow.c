// tests/unit/narrow3_hollow.c -- bodies inside and outside of hollow spheres and cylinders.
#include "detect/space/narrow_space.h"
#include "detect/space/open_tube.h"
#include "solid_random.h"
#include "test.h"

static cn_solid shell(void)
{
    return place(&(cn_solid_def){.kind = CN_SOLID_HOLLOW_SPHERE, .radius = 1.0, .thickness = 0.1});
}

// Length 2 along z, closed as told.
static cn_solid drum(unsigned ends)
{
    return place(&(cn_solid_def){.kind = CN_SOLID_HOLLOW_CYLINDER,
                                 .radius = 1.0,
                                 .length = 2.0,
                                 .thickness = 0.1,
                                 .ends = ends});
}

static int find(const cn_solid *a, cn_vec3 at, const cn_mat3 *R, const cn_solid *b, double reach,
                cn_touch3 *touch)
{
    cn_posed3 first = {a, at, *R}, second = {b, {0.0, 0.0, 0.0}, LEVEL};
    return cn_narrow3(&first, &second, reach, touch);
}

CN_TEST(ball_in_a_shell_touches_where_it_is_farthest_out)
{
    cn_solid a = ball(0.2), b = shell();
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(find(&a, cn_v3(0.42, 0.56, 0.0), &LEVEL, &b, 0.2, t) == 1); // 0.7 from the centre
    CN_NEAR(t[0].gap, 1.0 - 0.7 - 0.2, 1e-15, "radii on one line");
    CN_NEAR(t[0].normal.x, -0.6, 1e-15, "from the wall to the ball");
    CN_NEAR(t[0].point.x, 0.95 * 0.6, 1e-15, "midway between 0.9 and 1");
    CN_TRUE(find(&a, cn_v3(0.42, 0.56, 0.0), &LEVEL, &b, 0.05, t) == 0);
    CN_TRUE(find(&a, cn_v3(0.0, 0.0, 0.0), &LEVEL, &b, 0.9, t) == 1); // some direction
    CN_NEAR(cn_norm3(t[0].normal), 1.0, 1e-15, "unit");
    CN_TRUE(find(&a, cn_v3(0.0, 0.0, 1.35), &LEVEL, &b, 0.1, t) == 1); // outside
    CN_NEAR(t[0].gap, 1.35 - 1.1 - 0.2, 1e-15, "outer radius");
    CN_NEAR(t[0].normal.z, 1.0, 1e-15, "from the wall to the ball");
}

CN_TEST(corners_and_ends_touch_the_shell)
{
    cn_solid block = box(0.8, 0.8, 0.2), b = shell();
    cn_solid rod = place(&(cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = 0.1, .length = 1.6});
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(find(&block, cn_v3(0.0, 0.0, -0.7), &LEVEL, &b, 0.05, t) == 4);
    for (int k = 0; k < 4; k++) {
        CN_NEAR(t[k].gap, 1.0 - sqrt(0.16 + 0.16 + 0.64), 1e-15, "distance of the corner");
        CN_TRUE(t[k].feature / 4 < 4); // the lower four corners
    }
    CN_TRUE(find(&rod, cn_v3(0.05, 0.0, 0.0), &LYING, &b, 0.1, t) == 1);
    CN_NEAR(t[0].gap, 1.0 - 0.85 - 0.1, 1e-15, "the end that is farther out");
    CN_TRUE(find(&rod, cn_v3(0.05, 0.0, 0.0), &LYING, &b, 0.2, t) == 2);
    cn_solid inner =
        place(&(cn_solid_def){.kind = CN_SOLID_HOLLOW_SPHERE, .radius = 0.4, .thickness = 0.1});
    CN_TRUE(find(&inner, cn_v3(0.0, 0.45, 0.0), &LEVEL, &b, 0.1, t) == 1);
    CN_NEAR(t[0].gap, 1.0 - 0.45 - 0.5, 1e-15, "a shell in a shell");
    cn_solid_free(NULL, &block);
}

CN_TEST(ball_in_a_drum_touches_wall_and_ends)
{
    cn_solid a = ball(0.2), closed = drum(3u), cup = drum(1u);
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(find(&a, cn_v3(0.0, 0.75, 0.78), &LEVEL, &closed, 0.1, t) == 2);
    CN_NEAR(t[0].gap, 0.05, 1e-15, "wall");
    CN_NEAR(t[0].normal.y, -1.0, 1e-15, "inwards");
    CN_NEAR(t[1].gap, 0.02, 1e-15, "upper end");
    CN_NEAR(t[1].normal.z, -1.0, 1e-15, "inwards");
    CN_TRUE(find(&a, cn_v3(0.0, 0.75, 0.78), &LEVEL, &cup, 0.1, t) == 1); // no upper end
    CN_TRUE(find(&a, cn_v3(0.0, 0.0, -0.79), &LEVEL, &cup, 0.1, t) == 1);
    CN_NEAR(t[0].normal.z, 1.0, 1e-15, "the floor of the cup");
    // Above the open end the ball meets the inner lip, at (1, 1) of the section.
    CN_TRUE(find(&a, cn_v3(0.88, 0.0, 1.16), &LEVEL, &cup, 0.1, t) == 1);
    CN_NEAR(t[0].gap, 0.0, 1e-15, "3-4-5 triangle of 0.12, 0.16, 0.2");
    CN_NEAR(t[0].normal.x, -0.6, 1e-14, "from the lip to the centre");
    CN_NEAR(t[0].normal.z, 0.8, 1e-14, "from the lip to the centre");
}

// A cup that is shallower than the ball: its centre is in front of the mouth, its foot inside.
CN_TEST(ball_in_a_shallow_cup_touches_the_bottom)
{
    cn_solid_def def = {.kind = CN_SOLID_HOLLOW_CYLINDER,
                        .radius = 1.0,
                        .length = 0.1,
                        .thickness = 0.05,
                        .ends = 1u};
    cn_solid cup = place(&def), a = ball(0.4);
    cn_solid rod = place(&(cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = 0.4, .length = 0.6});
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(find(&a, cn_v3(0.3, 0.0, 0.37), &LEVEL, &cup, 0.1, t) == 1);
    CN_NEAR(t[0].gap, 0.37 - 0.4 + 0.05, 1e-15, "height over the bottom");
    CN_NEAR(t[0].normal.z, 1.0, 1e-15, "from the bottom to the ball");
    CN_TRUE(find(&rod, cn_v3(0.3, 0.0, 0.67), &LEVEL, &cup, 0.1, t) == 1);
    CN_NEAR(t[0].gap, 0.67 - 0.3 - 0.4 + 0.05, 1e-15, "height over the bottom");
    CN_TRUE(find(&rod, cn_v3(0.0, 0.0, 0.37), &LYING, &cup, 0.1, t) == 2);
    CN_NEAR(t[0].gap, 0.37 - 0.4 + 0.05, 1e-15, "height over the bottom");
    def.ends = 0u;
    cn_solid ring = place(&def);
    CN_TRUE(find(&a, cn_v3(0.3, 0.0, 0.37), &LEVEL, &ring, 0.1, t) == 0);
}

// The lip lies across the cup by more than its length when the rod is on the bottom: half of that
// depth is past its middle, at the closed end.
CN_TEST(rod_on_the_bottom_of_a_shallow_cup_is_not_on_its_lip)
{
    const double length = 0.12, radius = 0.25;
    cn_solid_def def = {.kind = CN_SOLID_HOLLOW_CYLINDER,
                        .radius = 0.38,
                        .length = length,
                        .thickness = 0.114,
                        .ends = 1u};
    cn_solid cup = place(&def);
    cn_solid rod =
        place(&(cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = radius, .length = 0.5});
    cn_quat lean = cn_quat_unit((cn_quat){1.0, 0.0, 0.5, 0.0}); // to x
    cn_mat3 R = cn_quat_matrix(lean);
    for (int k = -1; k <= 1; k++) { // beside, on and in the bottom
        double gap = 1e-3 * k;
        cn_vec3 foot = {0.0, 0.0, -0.5 * length + radius + gap};
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = find(&rod, cn_sub3(foot, cn_mat3_mul(&R, rod.end[0])), &R, &cup, 0.01, t);
        double least = INFINITY;
        for (int n = 0; n < count; n++) {
            least = fmin(least, t[n].gap);
        }
        CN_NEAR(least, gap, 1e-12, "the foot over the bottom, and nothing deeper");
    }
}

CN_TEST(block_in_a_drum_touches_with_corners_and_rests_on_the_lip)
{
    cn_solid block = box(1.2, 0.5, 0.4), tube = drum(0u), plank = box(0.4, 0.2, 4.0);
    cn_touch3 t[CN_TOUCH3_MAX];
    // Two corners below, at (0.6, y): they meet the wall at y = -0.8.
    CN_TRUE(find(&block, cn_v3(0.0, -0.54, 0.0), &LEVEL, &tube, 0.05, t) == 4);
    for (int k = 0; k < 4; k++) {
        double radial = sqrt(0.36 + 0.79 * 0.79);
        CN_NEAR(t[k].gap, 1.0 - radial, 1e-15, "distance from the axis");
        CN_NEAR(t[k].normal.y, 0.79 / radial, 1e-15, "towards the axis");
    }
    // A plank through the tube: its four lower edge crossings with the lips.
    CN_TRUE(find(&plank, cn_v3(0.0, -0.85, 0.0), &LEVEL, &tube, 0.05, t) == 4);
    for (int k = 0; k < 4; k++) {
        CN_NEAR(t[k].gap, 1.0 - sqrt(0.04 + 0.95 * 0.95), 1e-15, "radial");
        CN_NEAR(fabs(t[k].point.z), 1.0, 1e-15, "at the lips");
    }
    cn_solid_free(NULL, &block);
    cn_solid_free(NULL, &plank);
}

// A rotation that takes z to (x, 0, z), unit.
static cn_mat3 leaning(double x, double z)
{
    return (cn_mat3){{{z, 0.0, x}, {0.0, 1.0, 0.0}, {-x, 0.0, z}}};
}

// The middle of the plank is before the open end, its lower corners are beside the tube: they have
// come round the lip, not through the wall. Section through the axis: the outer rim is at (1.1, 1).
CN_TEST(plank_beside_a_tube_does_not_touch_it_from_inside)
{
    const double side = sqrt(0.2), up = 2.0 * side, gap = 0.03;
    cn_solid tube = drum(0u), plank = box(0.1, 0.2, 4.58);
    cn_mat3 R = leaning(-side, up);
    cn_vec3 n = cn_v3(up, 0.0, side), z = cn_v3(-side, 0.0, up);
    cn_vec3 at = cn_add_mul3(cn_add_mul3(cn_v3(1.1, 0.0, 1.0), 0.05 + gap, n), 1.2, z);
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = find(&plank, at, &R, &tube, 0.05, t);
    CN_TRUE(count > 0);
    for (int k = 0; k < count; k++) {
        CN_TRUE(t[k].gap > gap - 1e-14 && cn_dot3(t[k].normal, n) > 0.99);
    }
    cn_solid_free(NULL, &plank);
}

// A rod in a cup that leans over the inner rim at (1, 1) of the section, its middle outside.
CN_TEST(rod_leans_over_the_inner_rim_of_a_cup)
{
    const double up = sqrt(0.2), side = 2.0 * up, gap = 0.02;
    cn_solid cup = drum(1u);
    cn_solid rod = place(&(cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = 0.1, .length = 4.0});
    cn_mat3 R = leaning(side, up);
    cn_vec3 n = cn_v3(-up, 0.0, side), z = cn_v3(side, 0.0, up);
    cn_vec3 at = cn_add_mul3(cn_add_mul3(cn_v3(1.0, 0.0, 1.0), 0.1 + gap, n), 1.0, z);
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(find(&rod, at, &R, &cup, 0.05, t) == 1);
    CN_NEAR(t[0].gap, gap, 1e-14, "distance of the axis from the rim less the radius");
    CN_NEAR(cn_dot3(t[0].normal, n), 1.0, 1e-14, "across the rod and the rim");
    CN_NEAR(t[0].point.x, 1.0 - 0.5 * gap * up, 1e-14, "midway between rod and rim");
}

// A board over a part of an open end is held where its edges pass the inner rim.
CN_TEST(board_over_a_part_of_a_lip_rests_on_its_inner_rim)
{
    cn_solid cup = drum(1u), board = box(0.6, 0.4, 0.1);
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = find(&board, cn_v3(0.95, 0.0, 1.05), &LEVEL, &cup, 0.01, t), on_rim = 0;
    for (int k = 0; k < count; k++) {
        double radial = sqrt(t[k].point.x * t[k].point.x + t[k].point.y * t[k].point.y);
        on_rim += fabs(radial - 1.0) < 1e-12;
        CN_NEAR(t[k].gap, 0.0, 1e-15, "it lies on the lip");
        CN_TRUE(radial > 1.0 - 1e-12 && t[k].normal.z == 1.0);
    }
    CN_TRUE(on_rim == 2);
    cn_solid_free(NULL, &board);
}

// The same of a board whose edge runs almost along the rim, at x = 0.98: 11 degrees.
CN_TEST(boards_whose_edges_graze_the_inner_rim_rest_on_it)
{
    cn_solid tube = drum(0u), board = box(0.6, 1.0, 0.1);
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = find(&board, cn_v3(1.28, 0.0, 1.05), &LEVEL, &tube, 0.01, t), on_rim = 0;
    for (int k = 0; k < count; k++) {
        double radial = hypot(t[k].point.x, t[k].point.y);
        CN_NEAR(t[k].gap, 0.0, 1e-14, "it lies on the lip");
        if (fabs(radial - 1.0) < 1e-9) {
            CN_NEAR(fabs(t[k].point.y), sqrt(1.0 - 0.98 * 0.98), 1e-9, "where they cross");
            on_rim++;
        }
    }
    CN_TRUE(on_rim == 2);
    cn_solid_free(NULL, &board);
}

// A block on the lip of a tube, level with it but for rounding: its corners are not in the wall.
CN_TEST(block_on_a_lip_is_not_in_the_wall)
{
    cn_solid tube = drum(0u), block = box(0.02, 0.02, 0.02);
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = find(&block, cn_v3(0.0, 1.05, 1.01 - 1e-9), &LEVEL, &tube, 0.005, t);
    CN_TRUE(count >= 4);
    for (int k = 0; k < count; k++) {
        CN_NEAR(t[k].gap, -1e-9, 1e-14, "on the lip, in the middle of the wall");
    }
    cn_solid_free(NULL, &block);
}

// A board dips into the mouth on the left; its right corners lie on the lip, 5e-4 beyond the inner
// rim and below the lip by rounding: the wall does not meet them from inside, 5e-4 deep.
CN_TEST(corners_on_a_lip_are_not_in_the_wall_of_the_hole)
{
    const double tilt = 0.01, up = sqrt(1.0 - tilt * tilt), beyond = 5e-4;
    cn_solid tube = drum(0u), board = box(0.8, 0.8, 0.1);
    cn_mat3 R = leaning(-tilt, up);
    double x = sqrt((1.0 + beyond) * (1.0 + beyond) - 0.16);
    cn_vec3 at = cn_v3(x - 0.4 * up - 0.05 * tilt, 0.0, 1.0 - 1e-9 - 0.4 * tilt + 0.05 * up);
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = find(&board, at, &R, &tube, 0.005, t);
    CN_TRUE(count > 0);
    for (int k = 0; k < count; k++) {
        CN_TRUE(t[k].gap > -1.2 * beyond * tilt); // edges lie so deep over the inner rim, at most
    }
    cn_solid_free(NULL, &board);
}

static cn_solid tetrahedron(const double at[3], double size)
{
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double point[36];
    for (int k = 0; k < 36; k++) {
        point[k] = at[k % 3] + size * corner[face[k / 9][k / 3 % 3]][k % 3];
    }
    return place(&(cn_solid_def){.kind = CN_SOLID_SURFACE, .point_count = 12, .point = point});
}

// A surface in a container is met by the walls around it, not by a solid.
// One end over the hole, the other beyond the tube: what lies on the lip ends at both its rims.
CN_TEST(logs_across_a_lip_lie_on_both_rims)
{
    cn_solid log = cylinder(0.3, 1.0), b = drum(0);
    cn_solid rod = place(&(cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = 0.3, .length = 1.0});
    const cn_solid *a[2] = {&log, &rod};
    for (int n = 0; n < 2; n++) {
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = find(a[n], cn_v3(1.3, 0.0, 1.3), &LYING, &b, 1e-6, t);
        CN_TRUE(count == 2);
        for (int k = 0; k < count; k++) {
            CN_NEAR(t[k].gap, 0.0, 1e-15, "touches");
            CN_NEAR(t[k].point.x, k == 0 ? 1.0 : 1.1, 1e-9, "inner rim, outer rim");
        }
    }
}

// Distance of a point outside from the wall of drum(0).
static double distance_from_wall(cn_vec3 p)
{
    double radial = hypot(p.x, p.y), across = fmax(fmax(1.0 - radial, radial - 1.1), 0.0);
    return hypot(across, fmax(fabs(p.z) - 1.0, 0.0));
}

// Capsules anyhow about a mouth, apart from the wall: the least gap is their distance. Tolerance:
// places that are tried are 0.8 mm apart, which misses 5e-7 m at most at this distance.
CN_TEST(rods_about_a_mouth_are_as_far_as_they_are)
{
    uint64_t seed = 5;
    int tested = 0;
    cn_solid rod = place(&(cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = 0.15, .length = 0.8});
    cn_solid b = drum(0);
    for (int trial = 0; trial < 8000; trial++) {
        cn_vec3 x = {1.2 * draw(&seed), 0.2 * draw(&seed), 1.0 + 0.4 * draw(&seed)};
        cn_mat3 R = draw_turn(&seed);
        cn_posed3 at = {&rod, x, R};
        double least = INFINITY;
        for (int k = 0; k <= 1000; k++) {
            cn_vec3 p = cn_posed3_point(&at, cn_v3(0.0, 0.0, 0.8 * (k / 1000.0 - 0.5)));
            least = fmin(least, distance_from_wall(p));
        }
        if (least - 0.15 > 0.0 && least - 0.15 < 0.05) {
            cn_touch3 t[CN_TOUCH3_MAX];
            int count = find(&rod, x, &R, &b, 0.2, t);
            double found = INFINITY;
            for (int k = 0; k < count; k++) {
                found = fmin(found, t[k].gap);
            }
            CN_NEAR(found, least - 0.15, 1e-6, "distance less the radius");
            tested++;
        }
    }
    CN_TRUE(tested > 200);
}

CN_TEST(surfaces_are_met_from_inside)
{
    cn_solid all[] = {shell(), drum(3u), drum(0u)};
    cn_touch3 t[CN_TOUCH3_MAX];
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        cn_solid small = tetrahedron((double[3]){-0.1, -0.1, -0.1}, 0.3);
        CN_TRUE(find(&small, cn_v3(0.0, 0.0, 0.0), &LEVEL, &all[k], 0.1, t) == 0);
        cn_solid_free(NULL, &small);
        cn_solid near = tetrahedron((double[3]){0.0, 0.0, 0.0}, 0.98);
        int count = find(&near, cn_v3(0.0, 0.0, 0.0), &LEVEL, &all[k], 0.05, t);
        CN_TRUE(count >= 2);
        for (int m = 0; m < count; m++) {
            CN_NEAR(t[m].gap, 0.02, 1e-14, "corners at 0.98 of a radius of 1");
        }
        cn_solid_free(NULL, &near);
    }
    // Before an open end it is not yet met by anything.
    cn_solid post = tetrahedron((double[3]){-0.1, -0.1, 1.01}, 0.3);
    CN_TRUE(find(&post, cn_v3(0.0, 0.0, 0.0), &LEVEL, &all[2], 0.05, t) == 0);
    cn_solid_free(NULL, &post);
}

// Open ends at z = -1 and 1; what is looked at begins 1e-3, a hundredth of the wall, below the
// lips.
CN_TEST(edges_are_cut_between_open_ends)
{
    cn_solid open = drum(0u), cup = drum(1u), plank = box(0.2, 0.4, 4.0);
    cn_posed3 tube = {&open, {0.0, 0.0, 0.0}, LEVEL}, pot = {&cup, {0.0, 0.0, 0.0}, LEVEL};
    cn_vec3 p = cn_v3(-0.5, 0.1, 0.2), q = cn_v3(0.7, 0.3, 0.2);
    CN_TRUE(cn_tube_clip(&tube, &p, &q)); // across: it stays as it is
    CN_NEAR(cn_norm3(cn_sub3(p, cn_v3(-0.5, 0.1, 0.2))), 0.0, 1e-15, "rounding");
    CN_NEAR(cn_norm3(cn_sub3(q, cn_v3(0.7, 0.3, 0.2))), 0.0, 1e-15, "rounding");
    p = cn_v3(0.0, 0.0, 1.5), q = cn_v3(0.0, 0.0, -2.5); // through both ends
    CN_TRUE(cn_tube_clip(&tube, &p, &q));
    CN_NEAR(p.z, 0.999, 1e-15, "below the upper lip");
    CN_NEAR(q.z, -0.999, 1e-15, "above the lower lip");
    p = cn_v3(0.0, 0.0, 1.5), q = cn_v3(0.4, 0.0, -2.5);
    CN_TRUE(cn_tube_clip(&pot, &p, &q)); // the lower end is closed
    CN_NEAR(p.x, 0.4 * 0.501 / 4.0, 1e-15, "a part of 0.501 of 4 is above");
    CN_NEAR(q.z, -2.5, 1e-15, "nothing is cut");
    p = cn_v3(-0.5, 0.0, 1.0), q = cn_v3(0.5, 0.0, 1.0);
    CN_TRUE(!cn_tube_clip(&tube, &p, &q));          // level with the lip
    cn_posed3 a = {&plank, {0.5, 0.1, 1.2}, LEVEL}; // from z = -0.8 to 3.2
    CN_TRUE(cn_tube_part(&a, &tube, &p));
    // Four upright edges give (-0.8 + 0.999)/2 each, four edges across the lower end -0.8.
    CN_NEAR(p.x, 0.5, 1e-15, "the middle of the section");
    CN_NEAR(p.y, 0.1, 1e-15, "the middle of the section");
    CN_NEAR(p.z, 0.5 * (0.0995 - 0.8), 1e-15, "mean of what lies inside");
    a.x.z = 3.5;
    CN_TRUE(!cn_tube_part(&a, &tube, &p));
    cn_solid_free(NULL, &plank);
}

CN_TEST(mirror_images)
{
    cn_solid a = box(0.8, 0.8, 0.2), b = shell();
    cn_posed3 p = {&a, {0.1, 0.0, -0.7}, LEVEL}, q = {&b, {0.0, 0.01, 0.0}, LEVEL};
    cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
    int count = cn_narrow3(&p, &q, 0.1, t);
    CN_TRUE(count > 0 && cn_narrow3(&q, &p, 0.1, u) == count);
    for (int k = 0; k < count; k++) {
        CN_TRUE(t[k].gap == u[k].gap && t[k].feature == u[k].feature);
        CN_TRUE(t[k].normal.x == -u[k].normal.x && t[k].point.z == u[k].point.z);
    }
    cn_solid_free(NULL, &a);
}

// A shell that is wider than the hole of a tube sinks into its mouth until it sits on the inner
// rim; the mouth is no plate.
CN_TEST(shell_sits_on_the_inner_rim_of_a_narrower_tube)
{
    cn_solid a = shell(), closed = drum(3u);
    cn_solid b = place(&(cn_solid_def){
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.66, .length = 1.0, .thickness = 0.1});
    cn_touch3 t[CN_TOUCH3_MAX];
    double height = 0.9; // of the middle of the shell over the lip
    CN_TRUE(find(&a, cn_v3(0.0, 0.0, 0.5 + height), &LEVEL, &b, 0.02, t) > 0);
    CN_NEAR(t[0].gap, hypot(0.66, height) - 1.1, 1e-15, "from the rim to the outer radius");
    CN_TRUE(find(&a, cn_v3(0.0, 0.0, 0.5 + 1.0), &LEVEL, &b, 0.02, t) == 0); // 0.1 in the mouth
    // The middle of a low ring is in the hollow of the shell then; the ring is not.
    cn_solid ring = place(&(cn_solid_def){
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.66, .length = 0.2, .thickness = 0.1});
    CN_TRUE(find(&a, cn_v3(0.0, 0.0, 0.1 + height), &LEVEL, &ring, 0.02, t) > 0);
    CN_NEAR(t[0].gap, hypot(0.66, height) - 1.1, 1e-15, "from the rim to the outer radius");
    CN_TRUE(find(&a, cn_v3(0.0, 0.0, 0.0), &LEVEL, &ring, 0.3, t) > 0); // and here it is
    CN_TRUE(t[0].gap > 0.0);
    // So does a closed drum, with its rim.
    cn_posed3 lid = {&closed, {0.0, 0.0, 0.5 + 1.1 + 0.01}, LEVEL},
              tube = {&b, {0.0, 0.0, 0.0}, LEVEL};
    int count = cn_narrow3(&lid, &tube, 0.02, t);
    CN_TRUE(count > 0);
    for (int k = 0; k < count; k++) {
        CN_NEAR(t[k].gap, 0.01, 1e-15, "a lid lies on the lip");
        CN_TRUE(hypot(t[k].point.x, t[k].point.y) > 0.66 - 1e-12);
    }
}

// A can that leans over the inner rim of a ring touches it with its own rim, between its fixed
// points and its side lines: where the two circles are nearest, which a search of both tells.
CN_TEST(rim_of_a_can_meets_the_inner_rim_of_a_ring)
{
    cn_solid b = place(&(cn_solid_def){
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 1.0, .length = 0.2, .thickness = 0.2});
    cn_solid a = place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.3, .length = 0.6});
    const double tilt = -0.9;
    cn_mat3 R = cn_quat_matrix((cn_quat){cos(0.5 * tilt), 0.0, sin(0.5 * tilt), 0.0});
    double x = 1.0 - 0.3, low = INFINITY; // so high that the circles touch beside the middle plane
    for (int k = 0; k < 100000; k++) {    // points of the lower rim over the inner one
        double angle = 2.0 * CN_PI * k / 100000;
        cn_vec3 p = cn_mat3_mul(&R, cn_v3(0.3 * cos(angle), 0.3 * sin(angle), -0.3));
        low = hypot(p.x + x, p.y) > 1.0 ? fmin(low, p.z) : low;
    }
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = find(&a, cn_v3(x, 0.0, 0.1 - low), &R, &b, 0.01, t);
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, t[k].gap);
    }
    CN_NEAR(least, 0.0, 1e-5, "the rims touch; steps of the search are 2e-5");
}

// A bar that leans over the lip of a tube lies on its inner rim with its round side, and so does a
// capsule: where the rim is nearest to its axis, which a search along the rim tells.
CN_TEST(side_of_a_bar_lies_on_the_inner_rim)
{
    cn_solid b = place(&(cn_solid_def){
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.1, .length = 0.2, .thickness = 0.02});
    const cn_solid_kind kind[] = {CN_SOLID_CYLINDER, CN_SOLID_CAPSULE};
    cn_vec3 middle = {-0.111, 0.014, 0.159};
    cn_mat3 R = cn_quat_matrix(cn_quat_unit((cn_quat){0.59, 0.11, 0.73, 0.34}));
    double nearest = INFINITY;
    for (int k = 0; k < 100000; k++) {
        double angle = 2.0 * CN_PI * k / 100000;
        cn_vec3 d = cn_sub3(cn_v3(0.1 * cos(angle), 0.1 * sin(angle), 0.1), middle);
        cn_vec3 local = cn_mat3_mul_transposed(&R, d);
        nearest = fabs(local.z) < 0.05 ? fmin(nearest, hypot(local.x, local.y)) : nearest;
    }
    for (int n = 0; n < 2; n++) {
        cn_solid a = place(&(cn_solid_def){.kind = kind[n], .radius = nearest, .length = 0.1});
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = find(&a, middle, &R, &b, 1e-3, t);
        double least = INFINITY;
        for (int k = 0; k < count; k++) {
            least = fmin(least, fabs(t[k].gap));
        }
        CN_NEAR(least, 0.0, 1e-9, "a point of the rim is a radius away from the axis");
    }
}

CN_MAIN(CN_RUN(ball_in_a_shell_touches_where_it_is_farthest_out);
        CN_RUN(corners_and_ends_touch_the_shell); CN_RUN(ball_in_a_drum_touches_wall_and_ends);
        CN_RUN(block_in_a_drum_touches_with_corners_and_rests_on_the_lip);
        CN_RUN(plank_beside_a_tube_does_not_touch_it_from_inside);
        CN_RUN(rod_leans_over_the_inner_rim_of_a_cup);
        CN_RUN(board_over_a_part_of_a_lip_rests_on_its_inner_rim);
        CN_RUN(boards_whose_edges_graze_the_inner_rim_rest_on_it);
        CN_RUN(corners_on_a_lip_are_not_in_the_wall_of_the_hole);
        CN_RUN(block_on_a_lip_is_not_in_the_wall); CN_RUN(logs_across_a_lip_lie_on_both_rims);
        CN_RUN(rods_about_a_mouth_are_as_far_as_they_are); CN_RUN(surfaces_are_met_from_inside);
        CN_RUN(mirror_images); CN_RUN(edges_are_cut_between_open_ends);
        CN_RUN(side_of_a_bar_lies_on_the_inner_rim);
        CN_RUN(rim_of_a_can_meets_the_inner_rim_of_a_ring);
        CN_RUN(shell_sits_on_the_inner_rim_of_a_narrower_tube);
        CN_RUN(ball_in_a_shallow_cup_touches_the_bottom);
        CN_RUN(rod_on_the_bottom_of_a_shallow_cup_is_not_on_its_lip);)
