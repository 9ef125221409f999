// tests/unit/narrow3_simple.c -- spheres, capsules, polyhedra and half-spaces in space.
//
// The gap of two convex solids is the largest separation along any direction, and the normal is
// where it is reached. So the oracle needs no nearest points: along the normal found the separation
// must be the gap, and no other direction may have more.
#include "detect/space/narrow_space.h"
#include "solid_random.h"
#include "test.h"

static uint64_t seed = 7;

// Along z.
static cn_solid capsule(double radius, double length)
{
    return place(&(cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = radius, .length = length});
}

static cn_solid stone(void)
{
    double point[60];
    for (int k = 0; k < 60; k++) {
        point[k] = draw(&seed);
    }
    return place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 20, .point = point});
}

// A body of its own, with the rod off its centre.
static cn_solid draw_solid(int kind)
{
    cn_solid_def def = {.kind = (cn_solid_kind)kind,
                        .radius = 0.3 + 0.2 * draw(&seed),
                        .length = 1.0 + 0.5 * draw(&seed),
                        .at = {0.2 * draw(&seed), 0.2 * draw(&seed), 0.2 * draw(&seed)}};
    return kind == CN_SOLID_HULL ? stone() : place(&def);
}

static cn_posed3 at(const cn_solid *solid, double x, double y, double z)
{
    return (cn_posed3){solid, {x, y, z}, LEVEL};
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
    return most + s->radius;
}

// How far a lies beyond b along d.
static double separation(const cn_posed3 *a, const cn_posed3 *b, cn_vec3 d)
{
    return -support(a, cn_neg3(d)) - support(b, d);
}

static double most_separation(const cn_posed3 *a, const cn_posed3 *b, cn_vec3 n)
{
    double most = -INFINITY;
    for (int k = 0; k < 300; k++) {
        double step = k < 100 ? 2.0 : (k < 200 ? 0.05 : 1e-3);
        cn_vec3 d = cn_add_mul3(n, step, draw_direction(&seed));
        most = fmax(most, separation(a, b, cn_mul3(1.0 / cn_norm3(d), d)));
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

// Depth of a point below the surface of a solid.
static double depth_in(const cn_posed3 *p, cn_vec3 x)
{
    const cn_solid *s = p->solid;
    cn_vec3 local = cn_mat3_mul_transposed(&p->R, cn_sub3(x, p->x));
    double outside = -INFINITY;
    if (s->hull != NULL) {
        for (int f = 0; f < s->hull->face_count; f++) {
            outside = fmax(outside, cn_dot3(s->hull->normal[f], local) - s->hull->offset[f]);
        }
        return -outside;
    }
    cn_vec3 along = cn_sub3(s->end[1], s->end[0]), rest = cn_sub3(local, s->end[0]);
    double square = cn_dot3(along, along);
    double t = square > 0.0 ? fmin(fmax(cn_dot3(along, rest) / square, 0.0), 1.0) : 0.0;
    return s->radius - cn_norm3(cn_add_mul3(rest, -t, along));
}

// How far a point lies beside the plane through the axis of a capsule along n.
static double beside(const cn_posed3 *p, cn_vec3 x, cn_vec3 n)
{
    cn_vec3 base = cn_posed3_point(p, p->solid->end[0]);
    cn_vec3 across = cn_cross3(cn_sub3(cn_posed3_point(p, p->solid->end[1]), base), n);
    return fabs(cn_dot3(across, cn_sub3(x, base))) / cn_norm3(across);
}

static void check_pair(const cn_posed3 *a, const cn_posed3 *b, double reach)
{
    cn_touch3 touch[CN_TOUCH3_MAX];
    int count = cn_narrow3(a, b, 100.0, touch);
    CN_TRUE(count >= 1 && count <= 3);
    cn_vec3 n = touch[0].normal;
    double gap = least_gap(touch, count), radii = a->solid->radius + b->solid->radius;
    bool is_one = touch[0].feature == 0;
    const double tolerance = 1e-12;
    CN_NEAR(cn_norm3(n), 1.0, 1e-14, "unit normal");
    CN_NEAR(separation(a, b, n), gap, tolerance, "largest separation is the gap");
    CN_TRUE(most_separation(a, b, n) <= gap + tolerance);
    if (is_one && gap > -radii + 1e-6) {
        cn_vec3 on_a = cn_add_mul3(touch[0].point, 0.5 * gap, n);
        cn_vec3 on_b = cn_add_mul3(touch[0].point, -0.5 * gap, n);
        CN_NEAR(depth_in(a, on_a), 0.0, 1e-12, "half a gap from the surface of a");
        CN_NEAR(depth_in(b, on_b), 0.0, 1e-12, "half a gap from the surface of b");
    }
    bool are_capsules = a->solid->kind == CN_SOLID_CAPSULE && b->solid->kind == CN_SOLID_CAPSULE;
    for (int k = 0; k < count && are_capsules; k++) {
        CN_TRUE(is_one || beside(a, touch[k].point, n) <= 0.011 * radii);
        CN_TRUE(is_one || beside(b, touch[k].point, n) <= 0.011 * radii);
    }
    int near_count = cn_narrow3(a, b, reach, touch);
    if (fabs(gap - reach) > tolerance) {
        CN_TRUE((near_count > 0) == (gap <= reach));
    }
    for (int k = 0; k < near_count; k++) {
        CN_TRUE(touch[k].gap <= reach);
    }
}

CN_TEST(gaps_are_the_largest_separation)
{
    for (int trial = 0; trial < 3000; trial++) {
        int kind_a = trial % 3, kind_b = trial / 3 % 3;
        if (kind_a == CN_SOLID_HULL && kind_b == CN_SOLID_HULL) {
            continue; // several points: has tests of its own
        }
        cn_solid sa = draw_solid(kind_a), sb = draw_solid(kind_b);
        double far = trial % 2 == 0 ? 0.6 : 2.0;
        cn_posed3 a = {
            &sa, {far * draw(&seed), far * draw(&seed), far * draw(&seed)}, draw_turn(&seed)};
        cn_posed3 b = {
            &sb, {far * draw(&seed), far * draw(&seed), far * draw(&seed)}, draw_turn(&seed)};
        check_pair(&a, &b, 0.1);
        cn_solid_free(NULL, &sa);
        cn_solid_free(NULL, &sb);
    }
}

// Rods nearly parallel to rods, and to faces and edges of a box, by angles of all sizes.
CN_TEST(gaps_are_right_where_one_point_becomes_two)
{
    int two_count = 0;
    cn_solid rod = capsule(0.3, 1.5), partner[2] = {capsule(0.2, 2.0), box(1.0, 1.2, 2.0)};
    for (int trial = 0; trial < 2000; trial++) {
        double angle = pow(10.0, -3.0 + 3.0 * draw(&seed)), far = 0.9;
        cn_vec3 axis = cn_mul3(sin(angle), draw_direction(&seed));
        cn_posed3 a = {&rod, {far * draw(&seed), far * draw(&seed), far * draw(&seed)}, LEVEL};
        cn_posed3 b = {
            &partner[trial % 2], {far * draw(&seed), far * draw(&seed), far * draw(&seed)}, LEVEL};
        a.R = cn_quat_matrix((cn_quat){cos(angle), axis.x, axis.y, axis.z});
        check_pair(&a, &b, 0.1);
        cn_touch3 touch[CN_TOUCH3_MAX];
        two_count += cn_narrow3(&a, &b, 0.1, touch) >= 2;
    }
    CN_TRUE(two_count > 200);
    cn_solid_free(NULL, &partner[1]);
}

static bool is_mirror(const cn_touch3 *s, const cn_touch3 *t)
{
    return s->point.x == t->point.x && s->point.y == t->point.y && s->point.z == t->point.z &&
           s->normal.x == -t->normal.x && s->normal.y == -t->normal.y &&
           s->normal.z == -t->normal.z && s->gap == t->gap && s->feature == t->feature;
}

CN_TEST(exchanged_solids_are_mirror_images)
{
    for (int trial = 0; trial < 1600; trial++) {
        cn_solid sa = draw_solid(trial % 4), sb = draw_solid(trial / 4 % 4);
        sa.body = trial % 5;
        sb.body = 7 - sa.body;
        double far = trial % 7 == 0 ? 0.0 : 0.7;
        cn_posed3 a = {
            &sa, {far * draw(&seed), far * draw(&seed), far * draw(&seed)}, draw_turn(&seed)};
        cn_posed3 b = {
            &sb, {far * draw(&seed), far * draw(&seed), far * draw(&seed)}, draw_turn(&seed)};
        b.R = trial % 3 == 0 ? a.R : b.R;
        cn_touch3 one[CN_TOUCH3_MAX], two[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.2, one);
        CN_TRUE(cn_narrow3(&b, &a, 0.2, two) == count);
        for (int k = 0; k < count; k++) {
            CN_TRUE(is_mirror(&one[k], &two[k]));
        }
        cn_solid_free(NULL, &sa);
        cn_solid_free(NULL, &sb);
    }
}

CN_TEST(nothing_is_lost_far_from_the_origin)
{
    for (int trial = 0; trial < 160; trial++) {
        cn_solid sa = draw_solid(trial % 4), sb = draw_solid(trial / 4 % 4);
        cn_vec3 x =
            cn_v3(floor(1e3 * draw(&seed)) / 1024.0, floor(1e3 * draw(&seed)) / 1024.0, 0.5);
        cn_posed3 a = {&sa, {0.0, 0.0, 0.0}, draw_turn(&seed)}, b = {&sb, x, draw_turn(&seed)};
        cn_touch3 here[CN_TOUCH3_MAX], there[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 0.2, here);
        a.x.x += 1048576.0;
        b.x.x += 1048576.0;
        CN_TRUE(cn_narrow3(&a, &b, 0.2, there) == count);
        for (int k = 0; k < count; k++) {
            CN_TRUE(here[k].gap == there[k].gap && here[k].normal.z == there[k].normal.z);
        }
        cn_solid_free(NULL, &sa);
        cn_solid_free(NULL, &sb);
    }
}

CN_TEST(a_sphere_meets_face_edge_and_vertex_of_a_box)
{
    cn_solid s = ball(0.5), b = box(2.0, 2.0, 2.0);
    cn_posed3 cube = at(&b, 0.0, 0.0, 0.0);
    cn_touch3 touch[CN_TOUCH3_MAX];
    cn_posed3 over_face = at(&s, 0.3, 0.2, 1.4);
    CN_TRUE(cn_narrow3(&over_face, &cube, 0.1, touch) == 1);
    CN_NEAR(touch[0].gap, -0.1, 1e-15, "1.4 - 1 - 0.5");
    CN_TRUE(touch[0].normal.x == 0.0 && touch[0].normal.y == 0.0 && touch[0].normal.z == 1.0);
    CN_NEAR(touch[0].point.z, 0.95, 1e-15, "midway between 0.9 and 1");
    cn_posed3 over_edge = at(&s, 1.3, 0.2, 1.4);
    CN_TRUE(cn_narrow3(&over_edge, &cube, 0.1, touch) == 1);
    CN_NEAR(touch[0].gap, 0.0, 1e-15, "3 4 5");
    CN_NEAR(touch[0].normal.x, 0.6, 1e-15, "3 4 5");
    cn_posed3 over_vertex = at(&s, 1.1, 1.2, 1.2);
    CN_TRUE(cn_narrow3(&over_vertex, &cube, 0.1, touch) == 1);
    CN_NEAR(touch[0].gap, 0.3 - 0.5, 1e-15, "1 2 2 makes 3");
    cn_posed3 inside = at(&s, 0.8, 0.3, 0.1);
    CN_TRUE(cn_narrow3(&inside, &cube, 0.1, touch) == 1);
    CN_NEAR(touch[0].gap, -0.7, 1e-15, "leaves by the face of least depth");
    CN_TRUE(touch[0].normal.x == 1.0);
    cn_posed3 apart = at(&s, 2.0, 0.0, 0.0);
    CN_TRUE(cn_narrow3(&apart, &cube, 0.1, touch) == 0);
    cn_solid_free(NULL, &b);
}

CN_TEST(solids_on_the_same_spot_part_somewhere)
{
    cn_solid s = ball(0.5), rod = capsule(0.25, 2.0);
    cn_posed3 a = at(&s, 0.0, 0.0, 0.0), b = a, c = at(&rod, 0.0, 0.0, 0.0), d = c;
    cn_touch3 touch[CN_TOUCH3_MAX];
    CN_TRUE(cn_narrow3(&a, &b, 0.0, touch) == 1 && touch[0].gap == -1.0);
    CN_NEAR(cn_norm3(touch[0].normal), 1.0, 1e-15, "unit");
    CN_TRUE(cn_narrow3(&a, &c, 0.0, touch) == 1 && touch[0].gap == -0.75);
    CN_TRUE(touch[0].normal.z == 0.0);
    CN_TRUE(cn_narrow3(&c, &d, 0.0, touch) == 2 && touch[0].gap == -0.5);
    CN_TRUE(touch[0].normal.z == 0.0);
}

CN_TEST(capsules_side_by_side_have_two_points)
{
    cn_solid rod = capsule(0.25, 2.0), other = capsule(0.25, 2.0);
    other.body = 1;
    cn_posed3 a = at(&rod, 0.0, 0.0, 0.0), b = at(&other, 0.5, 0.0, 0.5);
    cn_touch3 touch[CN_TOUCH3_MAX];
    CN_TRUE(cn_narrow3(&a, &b, 0.01, touch) == 2);
    double low = fmin(touch[0].point.z, touch[1].point.z);
    double high = fmax(touch[0].point.z, touch[1].point.z);
    CN_NEAR(low, -0.5, 1e-15, "overlap of [-1, 1] and [-0.5, 1.5]");
    CN_NEAR(high, 1.0, 1e-15, "overlap of [-1, 1] and [-0.5, 1.5]");
    CN_NEAR(touch[0].gap, 0.0, 1e-15, "radii touch");
    CN_TRUE(touch[0].normal.x == -1.0 && touch[0].feature != touch[1].feature);
    // Upside down the points keep the names that follow the capsule of body 0.
    uint32_t of_low = touch[0].point.z < 0.0 ? touch[0].feature : touch[1].feature;
    b.R = (cn_mat3){{{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}}};
    for (int side = 0; side < 2; side++) {
        CN_TRUE(cn_narrow3(&a, &b, 0.01, touch) == 2);
        CN_TRUE((touch[0].point.z < 0.0 ? touch[0].feature : touch[1].feature) == of_low);
        b.x.x = -b.x.x; // now b comes first
    }
    b.R = LYING; // crossed
    b.x = cn_v3(0.0, 0.4, 0.5);
    CN_TRUE(cn_narrow3(&a, &b, 0.01, touch) == 1);
    CN_NEAR(touch[0].gap, -0.1, 1e-15, "0.4 - 0.5");
    CN_NEAR(touch[0].normal.y, -1.0, 1e-15, "across both");
    b.R = LEVEL; // end to end
    b.x = cn_v3(0.0, 0.0, 2.5);
    CN_TRUE(cn_narrow3(&a, &b, 0.01, touch) == 1);
    CN_TRUE(touch[0].gap == 0.0 && touch[0].normal.z == -1.0);
}

CN_TEST(a_capsule_lies_on_a_face_with_two_points)
{
    cn_solid rod = capsule(0.25, 2.0), b = box(1.0, 3.0, 2.0);
    cn_posed3 cube = at(&b, 0.0, 0.0, 0.0);
    cn_posed3 lying = {&rod, {0.25, 0.5, 1.25}, LYING};
    cn_touch3 touch[CN_TOUCH3_MAX];
    CN_TRUE(cn_narrow3(&lying, &cube, 0.01, touch) == 2);
    double low = fmin(touch[0].point.x, touch[1].point.x);
    double high = fmax(touch[0].point.x, touch[1].point.x);
    CN_NEAR(low, -0.5, 1e-15, "the axis leaves the face at both sides");
    CN_NEAR(high, 0.5, 1e-15, "the axis leaves the face at both sides");
    for (int k = 0; k < 2; k++) {
        CN_NEAR(touch[k].gap, 0.0, 1e-15, "radius above the face");
        CN_TRUE(touch[k].normal.z == 1.0 && touch[k].normal.x == 0.0);
        CN_NEAR(touch[k].point.z, 1.0, 1e-15, "on the face");
    }
    cn_posed3 standing = at(&rod, 0.1, 0.1, 2.25);
    CN_TRUE(cn_narrow3(&standing, &cube, 0.01, touch) == 1);
    CN_NEAR(touch[0].gap, 0.0, 1e-15, "stands on its cap");
    lying.x.z = 0.9; // the axis itself is inside
    CN_TRUE(cn_narrow3(&lying, &cube, 0.01, touch) == 2);
    CN_NEAR(touch[0].gap, -0.35, 1e-15, "0.9 - 1 - 0.25");
    CN_TRUE(touch[0].normal.z == 1.0);
    cn_solid_free(NULL, &b);
}

// Balanced along an edge: the axis runs beside it, over no face; it overlaps one end of the edge.
CN_TEST(a_capsule_lies_along_an_edge_with_two_points)
{
    cn_solid rod = capsule(0.5, 2.0), b = box(2.0, 2.0, 2.0);
    cn_posed3 cube = at(&b, 0.0, 0.0, 0.0);
    cn_posed3 lying = {&rod, {0.7, 1.3, 1.4}, LYING};
    cn_touch3 touch[CN_TOUCH3_MAX];
    CN_TRUE(cn_narrow3(&lying, &cube, 0.01, touch) == 2);
    CN_NEAR(fmin(touch[0].point.x, touch[1].point.x), -0.3, 1e-14, "end of the axis");
    CN_NEAR(fmax(touch[0].point.x, touch[1].point.x), 1.0, 1e-14, "end of the edge");
    for (int k = 0; k < 2; k++) {
        CN_NEAR(touch[k].gap, 0.0, 1e-14, "3 4 5");
        CN_NEAR(touch[k].normal.y, 0.6, 1e-14, "3 4 5");
    }
    cn_solid_free(NULL, &b);
}

// A wide capsule crosses an edge of a small box at a small angle: its points are on that edge, not
// a part of its own radius beside the box.
CN_TEST(a_wide_capsule_meets_a_small_box_where_it_is)
{
    cn_solid wide = capsule(0.5, 2.0), small = box(0.01, 0.01, 0.01);
    for (int trial = 0; trial < 200; trial++) {
        double angle = trial % 2 == 0 ? 0.25 * CN_PI + 0.7 * draw(&seed) : 0.03 * draw(&seed);
        double turn = 0.1 * draw(&seed);
        cn_mat3 R =
            cn_quat_matrix(cn_quat_unit((cn_quat){1.0, turn * cos(angle), turn * sin(angle), 0.0}));
        cn_posed3 a = {&wide, {0.005 + 0.5 * cos(angle), 0.005 + 0.5 * sin(angle), 0.0}, R};
        cn_posed3 b = at(&small, 0.0, 0.0, 0.0);
        cn_touch3 touch[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 1e-3, touch);
        for (int k = 0; k < count; k++) { // the gap itself; and a sag of 0.01^2 / 0.5 / 8
            CN_TRUE(depth_in(&b, touch[k].point) >= -fabs(touch[k].gap) - 1e-5);
        }
    }
    cn_solid_free(NULL, &small);
}

CN_TEST(a_box_stands_on_four_corners)
{
    cn_solid b = box(1.0, 2.0, 3.0), rod = capsule(0.25, 2.0), s = ball(0.5);
    cn_solid ground = place(&(cn_solid_def){.kind = CN_SOLID_HALF_SPACE, .at = {0.0, 0.0, 1.0}});
    cn_posed3 floor_ = at(&ground, 5.0, 5.0, -1.0), cube = at(&b, 0.0, 0.0, 1.5);
    cn_touch3 touch[CN_TOUCH3_MAX];
    CN_TRUE(cn_narrow3(&cube, &floor_, 0.01, touch) == 4);
    for (int k = 0; k < 4; k++) {
        CN_TRUE(touch[k].gap == 0.0 && touch[k].normal.z == 1.0 && touch[k].point.z == 0.0);
        CN_TRUE(fabs(touch[k].point.x) == 0.5 && fabs(touch[k].point.y) == 1.0);
        CN_TRUE(k == 0 || touch[k].feature > touch[k - 1].feature);
    }
    cn_posed3 lying = {&rod, {0.0, 0.0, 0.2}, LYING};
    CN_TRUE(cn_narrow3(&floor_, &lying, 0.01, touch) == 2);
    CN_NEAR(touch[0].gap, -0.05, 1e-15, "0.2 - 0.25");
    CN_TRUE(touch[0].normal.z == -1.0 && fabs(touch[0].point.x) == 1.0);
    cn_posed3 ball_ = at(&s, 1.0, 2.0, 0.75);
    CN_TRUE(cn_narrow3(&ball_, &floor_, 0.01, touch) == 0);
    CN_TRUE(cn_narrow3(&ball_, &floor_, 0.25, touch) == 1 && touch[0].gap == 0.25);
    CN_NEAR(touch[0].point.z, 0.125, 1e-15, "midway");
    CN_TRUE(cn_narrow3(&floor_, &floor_, 1.0, touch) == 0);
    cn_solid_free(NULL, &b);
}

// A prism of 32 sides keeps 8 of its feet: those left still reach in all directions.
CN_TEST(a_prism_keeps_feet_all_round)
{
    enum { SIDES = 32 };
    double point[6 * SIDES];
    for (int k = 0; k < 2 * SIDES; k++) {
        point[3 * k] = cos(CN_PI * (k / 2) / (SIDES / 2));
        point[3 * k + 1] = sin(CN_PI * (k / 2) / (SIDES / 2));
        point[3 * k + 2] = k % 2 - 0.5;
    }
    cn_solid prism =
        place(&(cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 2 * SIDES, .point = point});
    cn_solid ground = place(&(cn_solid_def){.kind = CN_SOLID_HALF_SPACE});
    cn_posed3 floor_ = at(&ground, 0.0, 0.0, 0.0);
    for (int trial = 0; trial < 50; trial++) {
        double tilt = trial < 25 ? 0.0 : 1e-3 * draw(&seed), spin = CN_PI * draw(&seed);
        cn_mat3 tilted = cn_quat_matrix((cn_quat){cos(tilt), sin(tilt), 0.0, 0.0});
        cn_mat3 spun = cn_quat_matrix((cn_quat){cos(spin), 0.0, 0.0, sin(spin)});
        cn_posed3 posed = {&prism, {0.0, 0.0, 0.5}, trial % 2 == 0 ? tilted : spun};
        cn_touch3 touch[CN_TOUCH3_MAX];
        int count = cn_narrow3(&posed, &floor_, 0.01, touch);
        CN_TRUE(count >= 7 && count <= 8);
        for (int ray = 0; ray < 20; ray++) {
            double angle = CN_PI * ray / 10.0, most = -INFINITY;
            for (int k = 0; k < count; k++) {
                cn_vec3 p = touch[k].point;
                most = fmax(most, cos(angle) * p.x + sin(angle) * p.y);
            }
            CN_TRUE(most > 0.8); // of 1 all round: eight of them leave cos(pi / 8) = 0.92
        }
        double lowest = -support(&posed, cn_v3(0.0, 0.0, -1.0));
        CN_NEAR(least_gap(touch, count), lowest, 1e-15, "the deepest stays");
    }
    cn_solid_free(NULL, &prism);
}

static cn_mat3 product(const cn_mat3 *A, const cn_mat3 *B)
{
    cn_mat3 C;
    for (int k = 0; k < 3; k++) { // row k is B^T applied to that of A
        C.row[k] = cn_mat3_mul_transposed(B, A->row[k]);
    }
    return C;
}

// A wide capsule along an edge of a box, beside its face by so little that it lies on it: its two
// points are those of the common part, whatever rounding says of the edge.
CN_TEST(a_capsule_along_an_edge_has_the_points_of_their_common_part)
{
    cn_solid rod = place(&(cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = 0.4, .length = 1.2});
    cn_solid block = box(1.0, 0.7, 0.5);
    uint64_t state = 3;
    for (int k = 0; k < 1000; k++) {
        double lean = 2e-5 * k, from = 0.13 + 0.0003 * k; // of the normal out of the face [rad]
        cn_vec3 x = cn_v3(from, 0.35 + 0.41 * sin(lean), 0.25 + 0.41 * cos(lean));
        cn_mat3 R = draw_turn(&state), lying = LYING;
        cn_posed3 a = {&rod, cn_mat3_mul(&R, x), product(&R, &lying)};
        cn_posed3 b = {&block, {0.0, 0.0, 0.0}, R};
        cn_touch3 touch[CN_TOUCH3_MAX];
        CN_TRUE(cn_narrow3(&a, &b, 0.1, touch) == 2);
        double along[2];
        for (int n = 0; n < 2; n++) {
            along[n] = cn_mat3_mul_transposed(&R, touch[n].point).x;
        }
        double low = fmin(along[0], along[1]), high = fmax(along[0], along[1]);
        CN_NEAR(low, fmax(from - 0.6, -0.5), 1e-12, "where the rod or the edge begins");
        CN_NEAR(high, fmin(from + 0.6, 0.5), 1e-12, "where the rod or the edge ends");
    }
    cn_solid_free(NULL, &block);
}

CN_MAIN(CN_RUN(a_capsule_along_an_edge_has_the_points_of_their_common_part);
        CN_RUN(gaps_are_the_largest_separation); CN_RUN(gaps_are_right_where_one_point_becomes_two);
        CN_RUN(exchanged_solids_are_mirror_images); CN_RUN(nothing_is_lost_far_from_the_origin);
        CN_RUN(a_sphere_meets_face_edge_and_vertex_of_a_box);
        CN_RUN(solids_on_the_same_spot_part_somewhere);
        CN_RUN(capsules_side_by_side_have_two_points);
        CN_RUN(a_capsule_lies_on_a_face_with_two_points);
        CN_RUN(a_capsule_lies_along_an_edge_with_two_points);
        CN_RUN(a_wide_capsule_meets_a_small_box_where_it_is); CN_RUN(a_box_stands_on_four_corners);
        CN_RUN(a_prism_keeps_feet_all_round);)
