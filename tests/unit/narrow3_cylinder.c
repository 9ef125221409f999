// tests/unit/narrow3_cylinder.c -- cylinders against everything convex.
//
// The gap of two convex solids is the largest separation along any direction (narrow3_simple.c);
// the oracle knows support functions only.
#include "detect/space/cap_patch.h"
#include "detect/space/narrow_space.h"
#include "solid_random.h"
#include "test.h"

static uint64_t seed = 11;

static cn_solid draw_solid(int kind)
{
    if (kind == CN_SOLID_HULL) {
        double point[36];
        for (int k = 0; k < 36; k++) {
            point[k] = 0.7 * draw(&seed);
        }
        return place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 12, .point = point});
    }
    return place(&(cn_solid_def){.kind = (cn_solid_kind)kind,
                                 .radius = 0.4 + 0.2 * draw(&seed),
                                 .length = 0.8 + 0.6 * draw(&seed),
                                 .at = {0.1 * draw(&seed), 0.1 * draw(&seed), 0.1 * draw(&seed)}});
}

static double support(const cn_posed3 *p, cn_vec3 d)
{
    const cn_solid *s = p->solid;
    const cn_vec3 *vertex = s->hull != NULL ? s->hull->vertex : s->end;
    int count = s->hull != NULL ? s->hull->vertex_count : 2;
    double most = -INFINITY;
    for (int k = 0; k < count; k++) {
        most = fmax(most, cn_dot3(d, cn_posed3_point(p, vertex[k])));
    }
    cn_vec3 u = s->kind == CN_SOLID_CYLINDER ? cn_mat3_mul(&p->R, s->axis) : cn_v3(0.0, 0.0, 0.0);
    return most + s->radius * cn_norm3(cn_add_mul3(d, -cn_dot3(d, u), u));
}

// How far a lies beyond b along d.
static double separation(const cn_posed3 *a, const cn_posed3 *b, cn_vec3 d)
{
    return -support(a, cn_neg3(d)) - support(b, d);
}

// Largest separation, by steps that shrink.
static double climb(const cn_posed3 *a, const cn_posed3 *b, cn_vec3 n, double step, int steps)
{
    double most = separation(a, b, n), shrink = pow(1e-7 / step, 1.0 / steps);
    for (int k = 0; k < steps; k++) {
        cn_vec3 d = cn_add_mul3(n, step, draw_direction(&seed));
        d = cn_mul3(1.0 / cn_norm3(d), d);
        double found = separation(a, b, d);
        n = found > most ? d : n;
        most = fmax(most, found);
        step *= shrink;
    }
    return most;
}

static double least_gap(const cn_touch3 *touch, int count)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, touch[k].gap);
    }
    return least;
}

// The point of the rims of a cylinder that is farthest along d.
static cn_vec3 point_of_rim(const cn_posed3 *p, cn_vec3 d)
{
    cn_vec3 u = cn_mat3_mul(&p->R, p->solid->axis);
    double along = cn_dot3(d, u);
    cn_vec3 across = cn_add_mul3(d, -along, u);
    cn_vec3 end = cn_posed3_point(p, p->solid->end[along > 0.0 ? 1 : 0]);
    return cn_add_mul3(end, p->solid->radius / cn_norm3(across), across);
}

// Bodies apart or in shallow overlap, at all angles and, every third time, nearly aligned.
CN_TEST(gaps_are_the_largest_separation)
{
    static const int KIND[4] = {CN_SOLID_SPHERE, CN_SOLID_CAPSULE, CN_SOLID_HULL,
                                CN_SOLID_CYLINDER};
    int tested = 0;
    for (int trial = 0; trial < 2400; trial++) {
        cn_solid sa = draw_solid(KIND[trial % 4]), sb = draw_solid(CN_SOLID_CYLINDER);
        cn_posed3 a = {
            &sa, {1.1 * draw(&seed), 1.1 * draw(&seed), 1.1 * draw(&seed)}, draw_turn(&seed)};
        cn_posed3 b = {&sb, {0.0, 0.0, 0.0}, draw_turn(&seed)};
        if (trial % 3 == 0) {
            cn_vec3 t = cn_mul3(pow(10.0, -4.0 + 3.0 * draw(&seed)), draw_direction(&seed));
            a.R = cn_quat_matrix(cn_quat_unit((cn_quat){1.0, t.x, t.y, t.z}));
            b.R = LEVEL;
        }
        cn_touch3 touch[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 10.0, touch);
        double gap = least_gap(touch, count);
        CN_TRUE(count >= 1);
        if (count >= 1 && gap > -0.05) {
            cn_vec3 n = touch[0].normal;
            const double tolerance = 1e-5;
            CN_NEAR(cn_norm3(n), 1.0, 1e-12, "unit normal");
            CN_NEAR(separation(&a, &b, n), gap, tolerance, "separation along the normal");
            double most = fmax(climb(&a, &b, n, 0.5, 2000), climb(&a, &b, n, 1e-3, 1000));
            CN_NEAR(most, gap, tolerance, "no direction parts them more");
            tested++;
        }
        cn_solid_free(NULL, &sa);
    }
    CN_TRUE(tested > 1000);
}

// Drums apart: the gap is the largest separation to rounding, so no direction next to the normal
// parts them more.
CN_TEST(normals_of_drums_part_them_most)
{
    int tested = 0;
    for (int trial = 0; trial < 600; trial++) {
        cn_solid sa = draw_solid(CN_SOLID_CYLINDER), sb = draw_solid(CN_SOLID_CYLINDER);
        cn_posed3 a = {
            &sa, {1.5 * draw(&seed), 1.5 * draw(&seed), 1.5 * draw(&seed)}, draw_turn(&seed)};
        cn_posed3 b = {&sb, {0.0, 0.0, 0.0}, draw_turn(&seed)};
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 10.0, t);
        if (count == 1 && t[0].gap > 0.01) {
            double most = climb(&a, &b, t[0].normal, 1e-2, 500);
            CN_NEAR(most, t[0].gap, 1e-10, "off by 1e-5 rad at most");
            tested++;
        }
    }
    CN_TRUE(tested > 200);
}

// A grain at the rim of a drum up to 300 times as large: what the rims part is found, be the grain
// a coin or a rod, a little apart or a little deep. A grain that is apart must not be seen inside.
CN_TEST(rims_of_unlike_drums_are_parted_as_far_as_they_are)
{
    int tested = 0;
    for (int trial = 0; trial < 1500; trial++) {
        double size = pow(300.0, 0.5 * (draw(&seed) - 1.0));
        cn_solid sa =
            cylinder(size * (0.3 + 0.25 * draw(&seed)), size * (0.6 + 0.55 * draw(&seed)));
        cn_solid sb = cylinder(0.3 + 0.2 * draw(&seed), 0.6 + 0.4 * draw(&seed));
        cn_posed3 b = {&sb, {0.0, 0.0, 0.0}, draw_turn(&seed)};
        cn_posed3 a = {&sa, {0.0, 0.0, 0.0}, draw_turn(&seed)};
        cn_vec3 to = draw_direction(&seed), apart = draw_direction(&seed);
        a.x = cn_add_mul3(cn_sub3(point_of_rim(&b, to), point_of_rim(&a, cn_neg3(to))),
                          0.1 * sa.size * (1.0 + draw(&seed)), apart);
        cn_touch3 touch[CN_TOUCH3_MAX];
        double gap = least_gap(touch, cn_narrow3(&a, &b, 10.0, touch)), most = -INFINITY;
        for (int start = 0; start < 6; start++) {
            most = fmax(most, climb(&a, &b, draw_direction(&seed), 1.0, 1500));
        }
        if (most > -0.2 * sa.size) {
            CN_TRUE(gap >= most - 1e-4 * sa.size); // steps end at 1e-7 of a radian
            tested++;
        }
    }
    CN_TRUE(tested > 800);
}

// A single point lies on both surfaces, up to half the gap.
CN_TEST(single_points_lie_midway)
{
    for (int trial = 0; trial < 600; trial++) {
        cn_solid sa = draw_solid(CN_SOLID_CYLINDER), sb = draw_solid(CN_SOLID_CYLINDER);
        cn_posed3 a = {
            &sa, {1.1 * draw(&seed), 1.1 * draw(&seed), 1.1 * draw(&seed)}, draw_turn(&seed)};
        cn_posed3 b = {&sb, {0.0, 0.0, 0.0}, draw_turn(&seed)};
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 1.0, t);
        if (count == 1 && t[0].gap > 0.0) {
            cn_vec3 on_a = cn_add_mul3(t[0].point, 0.5 * t[0].gap, t[0].normal);
            double height = -support(&a, cn_neg3(t[0].normal));
            CN_NEAR(cn_dot3(t[0].normal, on_a), height, 1e-9, "on the supporting plane of a");
            cn_posed3 dot = {&(cn_solid){.kind = CN_SOLID_SPHERE}, on_a, LEVEL};
            cn_touch3 u[CN_TOUCH3_MAX];
            CN_TRUE(cn_narrow3(&dot, &a, 1.0, u) == 1);
            CN_NEAR(u[0].gap, 0.0, 1e-6, "on the surface of a");
            dot.x = cn_add_mul3(t[0].point, -0.5 * t[0].gap, t[0].normal);
            CN_TRUE(cn_narrow3(&dot, &b, 1.0, u) == 1);
            CN_NEAR(u[0].gap, 0.0, 1e-6, "on the surface of b");
        }
    }
}

CN_TEST(exchanged_solids_are_mirror_images)
{
    for (int trial = 0; trial < 600; trial++) {
        cn_solid sa = draw_solid(trial % 5), sb = draw_solid(CN_SOLID_CYLINDER);
        sa.body = trial % 5;
        sb.body = 7 - sa.body;
        cn_posed3 a = {
            &sa, {0.8 * draw(&seed), 0.8 * draw(&seed), 0.8 * draw(&seed)}, draw_turn(&seed)};
        cn_posed3 b = {
            &sb, {0.8 * draw(&seed), 0.8 * draw(&seed), 0.8 * draw(&seed)}, draw_turn(&seed)};
        b.R = trial % 3 == 0 ? a.R : b.R;
        cn_touch3 one[CN_TOUCH3_MAX], two[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.2, one);
        CN_TRUE(cn_narrow3(&b, &a, 0.2, two) == count);
        for (int k = 0; k < count; k++) {
            CN_TRUE(one[k].gap == two[k].gap && one[k].feature == two[k].feature);
            CN_TRUE(one[k].point.y == two[k].point.y && one[k].normal.x == -two[k].normal.x);
        }
        cn_solid_free(NULL, &sa);
    }
}

// Largest distance of the touches along a direction.
static double extent(const cn_touch3 *t, int count, cn_vec3 d)
{
    double most = -INFINITY;
    for (int k = 0; k < count; k++) {
        most = fmax(most, cn_dot3(d, t[k].point));
    }
    return most;
}

CN_TEST(standing_cylinders_have_their_whole_rim)
{
    cn_solid drum = cylinder(0.5, 1.0), slab = box(4.0, 4.0, 1.0), top = cylinder(0.5, 1.0);
    cn_solid ground = place(&(cn_solid_def){.kind = CN_SOLID_HALF_SPACE});
    const cn_solid *under[3] = {&ground, &slab, &top};
    for (int n = 0; n < 3; n++) {
        cn_posed3 a = {&drum, {0.0, 0.0, 0.5}, LEVEL};
        cn_posed3 b = {under[n], {0.0, 0.0, n == 0 ? 0.0 : -0.5}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 1e-6, t);
        CN_TRUE(count == 32);
        for (int k = 0; k < 100; k++) {
            double angle = 0.0628 * k;
            double most = extent(t, count, cn_v3(cos(angle), sin(angle), 0.0));
            CN_TRUE(most <= 0.5 + 1e-12 && most >= 0.5 * cos(CN_PI / 32.0) - 1e-12);
        }
        // Leaning by 0.01 its lowest point is exact.
        cn_quat lean = cn_quat_unit((cn_quat){1.0, 0.003, 0.004, 0.0});
        a.R = cn_quat_matrix(lean);
        double size = 2.0 * 0.005 / (1.0 + 2.5e-5), level = sqrt(1.0 - size * size);
        a.x.z = 0.5 * level + 0.5 * size + 1e-4;
        count = cn_narrow3(&a, &b, 1e-3, t);
        CN_TRUE(count >= 1 && count < 32);
        CN_NEAR(least_gap(t, count), 1e-4, 2e-8, "half the height and half the lean");
    }
    cn_solid_free(NULL, &slab);
}

// Millimetres or kilometres, the gap is in proportion, and so are the points.
CN_TEST(gaps_scale_with_the_bodies)
{
    for (int n = 0; n < 300; n++) {
        double size[2][2], scale[3] = {1.0, 0x1p-10, 0x1p10}, gap[3] = {0.0};
        cn_vec3 place = cn_mul3(0.75, draw_direction(&seed)), point[3];
        cn_mat3 R = draw_turn(&seed);
        for (int k = 0; k < 4; k++) {
            size[k / 2][k % 2] = 0.4 + 0.2 * draw(&seed);
        }
        for (int k = 0; k < 3; k++) { // powers of two: no rounding
            cn_solid sa = cylinder(scale[k] * size[0][0], scale[k] * size[0][1]);
            cn_solid sb = cylinder(scale[k] * size[1][0], scale[k] * size[1][1]);
            cn_posed3 a = {&sa, cn_mul3(scale[k], place), LEVEL}, b = {&sb, {0.0, 0.0, 0.0}, R};
            cn_touch3 t[CN_TOUCH3_MAX];
            int count = cn_narrow3(&a, &b, 2.0 * scale[k], t);
            CN_TRUE(count > 0);
            gap[k] = least_gap(t, count) / scale[k];
            point[k] = cn_mul3(1.0 / scale[k], t[0].point);
        }
        for (int k = 1; k < 3; k++) {
            CN_NEAR(gap[k], gap[0], 1e-9, "rounding of roots, which scale as well");
            CN_NEAR(cn_norm3(cn_sub3(point[k], point[0])), 0.0, 1e-6, "places: square roots of it");
        }
    }
}

// Drums on each other, a small one on a large one or below it, side by side with it, or as large:
// apart or in each other by 0.02 all points lie midway, with that gap.
CN_TEST(drums_on_drums_meet_midway)
{
    const double wide[3] = {0.5, 0.3, 0.5}, aside[2] = {0.0, 0.25}, gap[2] = {0.02, -0.02};
    for (int n = 0; n < 24; n++) {
        cn_solid below = cylinder(0.4, 1.0), above = cylinder(wide[n % 3], 1.0);
        double g = gap[n / 3 % 2], x = aside[n / 6 % 2];
        cn_posed3 b = {&below, {0.0, 0.0, -0.5 - 0.5 * g}, LEVEL};
        cn_posed3 a = {&above, {x, 0.0, 0.5 + 0.5 * g}, LEVEL};
        bool is_swapped = n >= 12;
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = is_swapped ? cn_narrow3(&b, &a, 0.1, t) : cn_narrow3(&a, &b, 0.1, t);
        CN_TRUE(count >= 3);
        for (int k = 0; k < count; k++) {
            CN_NEAR(t[k].point.z, 0.0, 1e-14, "midway");
            CN_NEAR(t[k].gap, g, 1e-14, "between both");
            CN_NEAR(t[k].normal.z, is_swapped ? -1.0 : 1.0, 1e-14, "from the second to the first");
            CN_TRUE(hypot(t[k].point.x, t[k].point.y) <= 0.4 + 1e-6);
            CN_TRUE(hypot(t[k].point.x - x, t[k].point.y) <= wide[n % 3] + 1e-6);
        }
    }
}

CN_TEST(lying_cylinders_have_two_points)
{
    cn_solid log = cylinder(0.2, 2.0), slab = box(1.0, 1.0, 1.0), post = cylinder(0.6, 1.0);
    cn_solid ground = place(&(cn_solid_def){.kind = CN_SOLID_HALF_SPACE});
    const cn_solid *under[3] = {&ground, &slab, &post};
    const double end[3] = {1.0, 0.5, 0.6};
    for (int n = 0; n < 3; n++) {
        cn_posed3 a = {&log, {0.0, 0.0, 0.2}, LYING};
        cn_posed3 b = {under[n], {0.0, 0.0, n == 0 ? 0.0 : -0.5}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX];
        CN_TRUE(cn_narrow3(&a, &b, 1e-6, t) == 2);
        for (int k = 0; k < 2; k++) {
            CN_NEAR(t[k].gap, 0.0, 1e-15, "touches");
            CN_NEAR(fabs(t[k].point.x), end[n], 1e-12, "where the line leaves the face");
            CN_TRUE(t[k].normal.z == 1.0);
        }
    }
    // Two logs: side by side two points, crossed one.
    cn_posed3 a = {&log, {0.5, 0.0, 0.4}, LYING}, b = {&log, {0.0, 0.0, 0.0}, LYING};
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(cn_narrow3(&a, &b, 1e-6, t) == 2);
    CN_NEAR(extent(t, 2, cn_v3(1.0, 0.0, 0.0)), 1.0, 1e-12, "common part");
    CN_NEAR(-extent(t, 2, cn_v3(-1.0, 0.0, 0.0)), -0.5, 1e-12, "common part");
    a.R = (cn_mat3){{{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}}}; // along y
    CN_TRUE(cn_narrow3(&a, &b, 1e-6, t) == 1);
    CN_NEAR(t[0].point.x, 0.5, 1e-12, "above the crossing");
    CN_NEAR(t[0].normal.z, 1.0, 1e-15, "upright");
    cn_solid_free(NULL, &slab);
}

// A drum over the edge of a slab hinges about that edge; two drums beside each other share a lens.
CN_TEST(overlaps_keep_their_hinges)
{
    cn_solid drum = cylinder(0.5, 1.0), slab = box(2.0, 2.0, 1.0), other = cylinder(0.5, 1.0);
    other.body = 1;
    cn_posed3 a = {&drum, {0.8, 0.0, 0.5}, LEVEL}, b = {&slab, {0.0, 0.0, -0.5}, LEVEL};
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = cn_narrow3(&a, &b, 1e-6, t);
    CN_NEAR(extent(t, count, cn_v3(1.0, 0.0, 0.0)), 1.0, 1e-12, "the edge");
    CN_NEAR(extent(t, count, cn_v3(1.0, 1e-3, 0.0)), 1.0 + 1e-3 * sqrt(0.21), 1e-9,
            "ends where the rim crosses it");
    cn_posed3 c = {&other, {0.0, 0.0, -0.5}, LEVEL};
    a.x = cn_v3(0.6, 0.0, 0.5);
    count = cn_narrow3(&a, &c, 1e-6, t);
    CN_NEAR(extent(t, count, cn_v3(0.0, 1.0, 0.0)), 0.4, 1e-12, "tip of the lens");
    CN_NEAR(extent(t, count, cn_v3(1.0, 0.0, 0.0)), 0.5, 0.0025, "rim of the lower drum");
    CN_NEAR(-extent(t, count, cn_v3(-1.0, 0.0, 0.0)), 0.1, 0.0025, "rim of the upper drum");
    // Level beside the slab nothing holds it.
    a.x = cn_v3(1.5001, 0.0, 0.5 + 1e-9);
    CN_TRUE(cn_narrow3(&a, &b, 0.01, t) == 0);
    a.x.z = 0.3;
    CN_TRUE(cn_narrow3(&a, &b, 0.01, t) >= 1);
    CN_NEAR(t[0].normal.x, 1.0, 1e-9, "now its side does");
    cn_solid_free(NULL, &slab);
}

// A roof whose ridge lies along x at z = 0, 4 long and at y = 0.3 under a drum of radius 0.5: both
// points are where the ridge leaves the cap, at x = 0.4. A short ridge ends below it.
CN_TEST(drums_stand_on_ridges_with_two_points)
{
    const double leave[2] = {0.4, 0.25};
    cn_solid drum = cylinder(0.5, 1.0);
    for (int n = 0; n < 2; n++) {
        double e = n == 0 ? 2.0 : 0.25;
        const double point[18] = {-e, 0.3, 0.0,  e,  0.3,  0.0,  -e, 1.3,  -1.0,
                                  e,  1.3, -1.0, -e, -0.7, -1.0, e,  -0.7, -1.0};
        cn_solid roof =
            place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 6, .point = point});
        cn_posed3 a = {&drum, {0.0, 0.0, 0.51}, LEVEL}, b = {&roof, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX];
        CN_TRUE(cn_narrow3(&a, &b, 0.1, t) == 2);
        for (int k = 0; k < 2; k++) {
            CN_NEAR(fabs(t[k].point.x), leave[n], 1e-14, "3 4 5, or the end of the ridge");
            CN_NEAR(t[k].point.y, 0.3, 1e-14, "on the ridge");
            CN_NEAR(t[k].point.z, 0.005, 1e-14, "midway");
            CN_NEAR(t[k].gap, 0.01, 1e-14, "the height of the drum");
        }
        CN_TRUE(t[0].point.x * t[1].point.x < 0.0 && t[0].feature != t[1].feature);
        cn_solid_free(NULL, &roof);
    }
}

// A log whose side line lies a hair beside the top of a slab, and a drum whose cap does: directions
// differ by less than rounding tells, so that there is one point, next to the middle.
CN_TEST(what_lies_a_hair_beside_a_face_touches_next_to_its_middle)
{
    cn_solid log = cylinder(0.2, 1.0), drum = cylinder(0.5, 1.0), slab = box(4.0, 2.0, 1.0);
    const cn_posed3 beside[2] = {{&log, {0.3, 1.0 + 1e-9, 0.2 + 1e-3}, LYING},
                                 {&drum, {0.3, 1.5 + 1e-9, 0.5 + 1e-3}, LEVEL}};
    cn_posed3 b = {&slab, {0.0, 0.0, -0.5}, LEVEL};
    for (int k = 0; k < 2; k++) {
        cn_touch3 t[CN_TOUCH3_MAX];
        CN_TRUE(cn_narrow3(&beside[k], &b, 0.01, t) == 1);
        CN_NEAR(t[0].point.x, 0.3, 1e-8, "next to the middle");
        CN_NEAR(t[0].point.y, 1.0, 1e-8, "the edge of the slab");
        CN_NEAR(t[0].gap, 1e-3, 1e-12, "the height");
    }
    cn_solid_free(NULL, &slab);
}

// The same beside the short top of a block that falls away towards the middle of the log: what is
// nearest to that middle is below the top, and no place where they touch.
CN_TEST(a_log_beside_a_top_that_falls_away_touches_the_top)
{
    static const double point[] = {-0.1, 0.9, 0.0,  0.0, 0.9,  0.0,   0.0,  1.0, 0.0,
                                   -0.1, 1.0, 0.0,  0.2, 0.95, -0.05, -0.1, 0.9, -0.2,
                                   0.2,  0.9, -0.2, 0.2, 1.0,  -0.2,  -0.1, 1.0, -0.2};
    cn_solid log = cylinder(0.2, 1.0), drum = cylinder(0.5, 1.0);
    cn_solid block =
        place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 9, .point = point});
    cn_posed3 a = {&log, {0.3, 1.0 + 1e-9, 0.2 + 1e-3}, LYING},
              b = {&block, {0.0, 0.0, 0.0}, LEVEL};
    cn_touch3 t[CN_TOUCH3_MAX];
    CN_TRUE(cn_narrow3(&a, &b, 0.01, t) == 1);
    CN_NEAR(t[0].point.x, 0.0, 1e-8, "the end of the top next to the middle of the log");
    CN_NEAR(t[0].point.y, 1.0, 1e-8, "its edge");
    CN_NEAR(t[0].point.z, 0.5e-3, 1e-8, "between both");
    CN_NEAR(t[0].gap, 1e-3, 1e-12, "the height");
    a = (cn_posed3){&drum, {0.5 + 1e-9, 0.97, 0.5 + 1e-3}, LEVEL};
    CN_TRUE(cn_narrow3(&a, &b, 0.01, t) == 1);
    CN_NEAR(t[0].point.x, 0.0, 1e-8, "the edge of the top next to the cap of a drum");
    CN_NEAR(t[0].point.y, 0.97, 1e-8, "next to its middle");
    CN_NEAR(t[0].gap, 1e-3, 1e-12, "the height");
    cn_solid_free(NULL, &block);
}

// Points of a rim have the same names on a face as on the ground, whichever cap is below.
CN_TEST(rims_have_their_names_on_every_floor)
{
    const cn_mat3 upside_down = {{{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}}};
    cn_solid drum = cylinder(0.5, 1.0), slab = box(4.0, 4.0, 1.0);
    cn_solid ground = place(&(cn_solid_def){.kind = CN_SOLID_HALF_SPACE});
    for (int n = 0; n < 2; n++) {
        cn_posed3 a = {&drum, {0.0, 0.0, 0.5}, n == 0 ? LEVEL : upside_down};
        cn_posed3 b = {&slab, {0.0, 0.0, -0.5}, LEVEL}, c = {&ground, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 1e-6, t), met = 0;
        CN_TRUE(count == 32 && cn_narrow3(&a, &c, 1e-6, u) == 32);
        for (int k = 0; k < count * 32; k++) {
            if (cn_norm3(cn_sub3(t[k / 32].point, u[k % 32].point)) < 1e-12) {
                CN_TRUE(t[k / 32].feature == (CN_CAP_RIM | u[k % 32].feature));
                met++;
            }
        }
        CN_TRUE(met == 32);
    }
    cn_solid_free(NULL, &slab);
}

// Turned by 1e-9 no point moves by more than 1e-6.
CN_TEST(small_turns_move_points_little)
{
    cn_solid drum = cylinder(0.5, 1.0), slab = box(4.0, 4.0, 1.0), top = cylinder(0.5, 1.0);
    const cn_solid *under[2] = {&slab, &top};
    for (int trial = 0; trial < 100; trial++) {
        cn_posed3 a = {&drum, {0.0, 0.0, 0.5}, LEVEL};
        cn_posed3 b = {under[trial % 2], {0.0, 0.0, -0.5}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 1e-6, t);
        cn_vec3 turn = cn_mul3(1e-9, draw_direction(&seed));
        a.R = cn_quat_matrix(cn_quat_unit((cn_quat){1.0, turn.x, turn.y, turn.z}));
        CN_TRUE(cn_narrow3(&a, &b, 1e-6, u) == count);
        for (int k = 0; k < count; k++) {
            CN_TRUE(t[k].feature == u[k].feature);
            CN_TRUE(cn_norm3(cn_sub3(t[k].point, u[k].point)) < 1e-6);
        }
    }
    cn_solid_free(NULL, &slab);
}

CN_TEST(cylinders_in_containers)
{
    cn_solid log = cylinder(0.2, 1.0);
    cn_solid drum = place(&(cn_solid_def){.kind = CN_SOLID_HOLLOW_CYLINDER,
                                          .radius = 1.0,
                                          .length = 2.0,
                                          .thickness = 0.1,
                                          .ends = 3u});
    cn_solid shell =
        place(&(cn_solid_def){.kind = CN_SOLID_HOLLOW_SPHERE, .radius = 1.0, .thickness = 0.1});
    cn_touch3 t[CN_TOUCH3_MAX];
    cn_posed3 around = {&drum, {0.0, 0.0, 0.0}, LYING}, ball = {&shell, {0.0, 0.0, 0.0}, LEVEL};
    cn_quat turn = cn_quat_unit((cn_quat){1.0, 0.02, 0.0, 0.0});
    cn_mat3 R = cn_quat_matrix(turn);
    cn_posed3 a = {&log, {0.0, 0.3, -0.72}, LYING}; // along the axis of the drum
    int count = cn_narrow3(&a, &around, 0.05, t);
    CN_TRUE(count >= 2);
    CN_NEAR(least_gap(t, count), 1.0 - 0.78 - 0.2, 1e-12, "5 12 13: 0.3 and 0.72");
    a.R = R; // upright, leaning by 0.04
    a.x = cn_v3(0.0, 0.0, 0.0);
    count = cn_narrow3(&a, &ball, 0.6, t);
    CN_NEAR(least_gap(t, count), 1.0 - sqrt(0.29), 1e-12, "its rims are all as far out");
    a.x = cn_v3(0.05, 0.0, 0.0);
    count = cn_narrow3(&a, &ball, 0.6, t);
    double along = 0.0;
    for (int k = 0; k < 1000000; k++) {
        double angle = 2e-6 * CN_PI * k;
        cn_vec3 rim = cn_v3(0.2 * cos(angle), 0.2 * sin(angle), 0.5);
        along = fmax(along, cn_norm3(cn_add3(a.x, cn_mat3_mul(&R, rim))));
    }
    CN_NEAR(least_gap(t, count), 1.0 - along, 1e-11, "the point of the rim that is farthest out");
    // From outside the drum is a cylinder of its outer radius.
    a = (cn_posed3){&log, {0.0, 0.0, 1.61}, LEVEL};
    count = cn_narrow3(&a, &around, 0.05, t);
    CN_NEAR(least_gap(t, count), 1.61 - 0.5 - 1.1, 1e-12, "stands on the drum");
}

// Quarter turns about x, then about the line between x and z.
static cn_mat3 in_quarters(int k)
{
    double angle = 0.25 * CN_PI * (k % 4), tilt = 0.25 * CN_PI * (k / 4);
    cn_quat about_x = {cos(angle), sin(angle), 0.0, 0.0};
    cn_quat about_xz = {cos(tilt), sin(tilt) / sqrt(2.0), 0.0, sin(tilt) / sqrt(2.0)};
    return cn_quat_matrix(cn_quat_unit(cn_quat_mul(about_xz, about_x)));
}

// In quarters the axis is that of the block up to rounding, whose direction must not count.
CN_TEST(cylinders_stand_on_narrow_blocks_however_they_are_turned)
{
    static const double corner[24] = {-0.35, -0.25, -0.3,  0.35, -0.25, -0.3,  -0.35, 0.25,
                                      -0.3,  0.35,  0.25,  -0.3, -0.35, -0.25, 0.3,   0.35,
                                      -0.25, 0.3,   -0.35, 0.25, 0.3,   0.35,  0.25,  0.3};
    cn_solid log = place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.4, .length = 1.0});
    cn_solid block =
        place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 8, .point = corner});
    for (int k = 0; k < 256; k++) {
        cn_posed3 below = {&block, {0.1, 3.0, -0.2}, in_quarters(k / 16)};
        cn_posed3 above = {&log, below.x, in_quarters(k % 16)};
        cn_vec3 up = cn_mat3_mul(&above.R, cn_v3(0.0, 0.0, 1.0));
        cn_vec3 in_block = cn_mat3_mul_transposed(&below.R, up);
        double x = fabs(in_block.x), y = fabs(in_block.y), z = fabs(in_block.z);
        double half = 0.35 * x + 0.25 * y + 0.3 * z; // of the block along the axis
        if (fmax(x, fmax(y, z)) > 1.0 - 1e-12) {
            above.x = cn_add_mul3(below.x, 0.5 + half, up);
            cn_touch3 t[CN_TOUCH3_MAX];
            int count = cn_narrow3(&below, &above, 0.01, t);
            CN_TRUE(count >= 4); // rim points, or all corners of the face
            CN_NEAR(least_gap(t, count), 0.0, 1e-14, "the cap lies on the face");
        }
    }
    cn_solid_free(NULL, &block);
}

// A roof with a flat and a steep side: the ridge is longer than the drum on it is wide, and no
// vertex is below the drum. One of them was taken for the place of contact.
CN_TEST(drums_stand_on_ridges)
{
    static const double roof[18] = {-2.0, 0.0,  0.0,  2.0,  0.0, 0.0,  -2.0, -1.0, -0.1,
                                    2.0,  -1.0, -0.1, -2.0, 0.5, -0.5, 2.0,  0.5,  -0.5};
    cn_solid hull = place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 6, .point = roof});
    cn_solid drum = cylinder(0.5, 1.0);
    for (int k = 0; k < 40; k++) { // level within rounding, and leaning along the ridge
        double lean = k == 0 ? 0.0 : 1e-9 * pow(1.5, k);
        cn_mat3 R = cn_quat_matrix(cn_quat_unit((cn_quat){1.0, 0.0, 0.5 * lean, 0.0}));
        cn_posed3 a = {&hull, {0.0, 0.0, 0.0}, LEVEL};
        cn_posed3 b = {&drum, cn_mat3_mul(&R, cn_v3(0.0, 0.3, 0.5 - 1e-6)), R};
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 1.0, t);
        CN_TRUE(count == 2);
        for (int n = 0; n < count; n++) { // half the chord of 3 4 5
            CN_NEAR(fabs(t[n].point.x), 0.4, 1e-6 + lean, "where the ridge meets the rim");
            CN_NEAR(t[n].point.y, 0.0, 1e-6 + lean, "on the ridge");
        }
    }
    cn_solid_free(NULL, &hull);
}

// A log that leans, its lower rim a hair beyond the edge of a block below: it touches there, and
// not where the middle of its side line is nearest.
CN_TEST(leaning_logs_beside_a_face_touch_with_their_rim)
{
    const double lean = 0.28, r = 0.2, half = 0.5, gap = 0.02;
    cn_solid log =
        place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = r, .length = 2.0 * half});
    cn_solid block = box(1.0, 1.0, 1.0);
    cn_vec3 u = cn_v3(-cos(lean), 0.0, sin(lean)), down = cn_v3(-sin(lean), 0.0, -cos(lean));
    cn_mat3 R = {{{u.z, 0.0, u.x}, {0.0, 1.0, 0.0}, {-u.x, 0.0, u.z}}};
    for (int k = 0; k < 20; k++) {
        cn_vec3 rim = cn_v3(0.5 + 4e-6 * k, 0.0, 0.5 + gap);
        cn_posed3 a = {&log, cn_add_mul3(cn_add_mul3(rim, -r, down), half, u), R};
        cn_posed3 b = {&block, {0.0, 0.0, 0.0}, LEVEL};
        cn_touch3 t[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.05, t), nearest = 0;
        CN_TRUE(count > 0);
        for (int n = 1; n < count; n++) {
            nearest = t[n].gap < t[nearest].gap ? n : nearest;
        }
        CN_NEAR(t[nearest].gap, gap, 1e-5, "a hair beside changes the distance by less");
        CN_NEAR(t[nearest].point.x, 0.5, 1e-4, "at the edge");
    }
    cn_solid_free(NULL, &block);
}

// The point of a cylinder nearest to p.
static cn_vec3 nearest_of(const cn_posed3 *c, cn_vec3 p)
{
    cn_vec3 middle = cn_posed3_point(c, c->solid->middle), u = cn_mat3_mul(&c->R, c->solid->axis);
    cn_vec3 d = cn_sub3(p, middle);
    double half = 0.5 * cn_norm3(cn_sub3(c->solid->end[1], c->solid->end[0]));
    double along = cn_dot3(d, u);
    cn_vec3 out = cn_add_mul3(d, -along, u);
    double part = fmin(1.0, c->solid->radius / fmax(cn_norm3(out), 1e-300));
    along = fmin(fmax(along, -half), half);
    return cn_add_mul3(cn_add_mul3(middle, along, u), part, out);
}

// Rims that are apart: the gap is the distance of points which are led to each other by the nearest
// one on either body in turn.
CN_TEST(rims_that_are_apart_know_their_distance)
{
    cn_solid s =
        place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.3928, .length = 0.9427});
    cn_solid r =
        place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.3066, .length = 1.3031});
    cn_quat lean = cn_quat_unit((cn_quat){0.99509, 0.0272956, 0.0946615, -0.010221});
    cn_posed3 a = {&s, {0.0, 0.0, 0.0}, cn_quat_matrix(lean)};
    cn_posed3 b = {&r,
                   {-0.037521, 0.368048, -1.223387},
                   {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
    cn_touch3 touch[CN_TOUCH3_MAX];
    int count = cn_narrow3(&a, &b, 0.1, touch);
    cn_vec3 x = a.x, y = b.x;
    for (int k = 0; k < 10000; k++) {
        x = nearest_of(&a, y);
        y = nearest_of(&b, x);
    }
    CN_TRUE(count >= 1);
    CN_NEAR(touch[0].gap, cn_norm3(cn_sub3(x, y)), 1e-9, "both to rounding; 1e-3 without the rim");
}

// How far off the rim of its nearer cap the line along n through a point meets a cylinder, and
// where it does: points of a patch are moved along it.
static double off_rim(const cn_posed3 *p, cn_vec3 point, cn_vec3 n, double *along)
{
    cn_vec3 u = cn_mat3_mul(&p->R, p->solid->axis), end[2];
    double t[2];
    for (int cap = 0; cap < 2; cap++) {
        end[cap] = cn_posed3_point(p, p->solid->end[cap]);
        t[cap] = cn_dot3(u, cn_sub3(end[cap], point)) / cn_dot3(u, n);
    }
    int near = fabs(t[0]) < fabs(t[1]) ? 0 : 1;
    *along = t[near];
    return cn_norm3(cn_sub3(cn_add_mul3(point, t[near], n), end[near])) - p->solid->radius;
}

// Seen along a normal to which a coin leans, its rim is an ellipse.
CN_TEST(rims_of_leaning_coins_cross_on_both)
{
    int crossings = 0;
    for (int trial = 0; trial < 400; trial++) {
        cn_solid sa = place(&(cn_solid_def){
            .kind = CN_SOLID_CYLINDER, .radius = 0.5 + 0.2 * draw(&seed), .length = 0.02});
        cn_solid sb =
            place(&(cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.5, .length = 0.02});
        cn_mat3 turn[2];
        for (int k = 0; k < 2; k++) {
            cn_vec3 axis = draw_direction(&seed);
            double half = 0.2 * draw(&seed), s = sin(half);
            turn[k] = cn_quat_matrix((cn_quat){cos(half), s * axis.x, s * axis.y, s * axis.z});
        }
        cn_posed3 a = {&sa, {0.4 * draw(&seed), 0.4 * draw(&seed), 0.3}, turn[0]};
        cn_posed3 b = {&sb, {0.0, 0.0, 0.0}, turn[1]};
        cn_touch3 touch[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 1.0, touch);
        for (int k = 0; k < count; k++) {
            if ((touch[k].feature & 0xe0000000u) == CN_CAP_CROSSING) {
                double on_a, on_b, off_a = off_rim(&a, touch[k].point, touch[k].normal, &on_a);
                double off_b = off_rim(&b, touch[k].point, touch[k].normal, &on_b);
                CN_NEAR(off_a, 0.0, 1e-8, "Newton, to 1e-9 of the square of a radius");
                CN_NEAR(off_b, 0.0, 1e-8, "likewise");
                CN_NEAR(on_a - on_b, touch[k].gap, 1e-8, "likewise");
                crossings++;
            }
        }
    }
    CN_TRUE(crossings > 100);
}

CN_MAIN(CN_RUN(leaning_logs_beside_a_face_touch_with_their_rim);
        CN_RUN(gaps_are_the_largest_separation); CN_RUN(normals_of_drums_part_them_most);
        CN_RUN(single_points_lie_midway);
        CN_RUN(rims_of_unlike_drums_are_parted_as_far_as_they_are);
        CN_RUN(exchanged_solids_are_mirror_images); CN_RUN(standing_cylinders_have_their_whole_rim);
        CN_RUN(drums_on_drums_meet_midway); CN_RUN(gaps_scale_with_the_bodies);
        CN_RUN(lying_cylinders_have_two_points); CN_RUN(overlaps_keep_their_hinges);
        CN_RUN(small_turns_move_points_little); CN_RUN(cylinders_in_containers);
        CN_RUN(cylinders_stand_on_narrow_blocks_however_they_are_turned);
        CN_RUN(drums_stand_on_ridges); CN_RUN(drums_stand_on_ridges_with_two_points);
        CN_RUN(what_lies_a_hair_beside_a_face_touches_next_to_its_middle);
        CN_RUN(a_log_beside_a_top_that_falls_away_touches_the_top);
        CN_RUN(rims_have_their_names_on_every_floor);
        CN_RUN(rims_that_are_apart_know_their_distance);
        CN_RUN(rims_of_leaning_coins_cross_on_both);)
