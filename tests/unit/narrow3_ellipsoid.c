// tests/unit/narrow3_ellipsoid.c -- ellipsoids against everything.
//
// With equal axes an ellipsoid is a sphere, whose gaps are known by other code. Otherwise the depth
// of a point comes from a root of one equation (the judge of overlaps), which shares nothing with
// the search over directions; and a gap of two convex solids is right if no direction parts them
// farther and one does so as far.
#include "geometry/space/solid_kind.h"
#include "solid_random.h"

static uint64_t seed = 5;

static cn_solid_def egg_def(double x, double y, double z)
{
    return (cn_solid_def){.kind = CN_SOLID_ELLIPSOID, .size = {x, y, z}};
}

static cn_solid egg(double x, double y, double z)
{
    cn_solid_def def = egg_def(x, y, z);
    return place(&def);
}

static cn_vec3 draw_point(double size)
{
    return cn_v3(size * draw(&seed), size * draw(&seed), size * draw(&seed));
}

// Axes between 1 and `ratio`, in any order.
static cn_solid draw_egg(double ratio)
{
    double side[3];
    for (int k = 0; k < 3; k++) {
        side[k] = pow(ratio, 0.5 * draw(&seed));
    }
    return egg(side[0], side[1], side[2]);
}

CN_TEST(mass_is_that_of_the_integrals)
{
    cn_solid_def def = egg_def(0.2, 0.4, 0.6), round = egg_def(0.5, 0.5, 0.5);
    cn_solid_def ball_def = {.kind = CN_SOLID_SPHERE, .radius = 0.25};
    cn_solid_mass mass, sphere;
    CN_DO(cn_solids_measure(&def, 1, &mass, &test_error));
    double volume = 4.0 / 3.0 * CN_PI * 0.1 * 0.2 * 0.3;
    CN_NEAR(mass.volume, volume, 1e-17, "4/3 pi a b c to rounding");
    CN_NEAR(mass.inertia[0], volume * (0.04 + 0.09) / 5.0, 1e-18, "m (b^2 + c^2) / 5");
    CN_NEAR(mass.inertia[1], volume * (0.09 + 0.01) / 5.0, 1e-18, "m (c^2 + a^2) / 5");
    CN_NEAR(mass.inertia[2], volume * (0.01 + 0.04) / 5.0, 1e-18, "m (a^2 + b^2) / 5");
    CN_TRUE(mass.size == 0.2);
    CN_DO(cn_solids_measure(&round, 1, &mass, &test_error));
    CN_DO(cn_solids_measure(&ball_def, 1, &sphere, &test_error));
    CN_NEAR(mass.volume, sphere.volume, 1e-16, "a sphere, to rounding");
    CN_NEAR(mass.inertia[1], sphere.inertia[1], 1e-17, "a sphere, to rounding");
    def.size[1] = -0.4;
    CN_FAILS(cn_solids_measure(&def, 1, &mass, &test_error), CN_BAD_INPUT, "size along y");
}

CN_TEST(curvature_is_that_of_the_ellipse)
{
    cn_solid s = egg(0.2, 0.4, 0.6);
    cn_posed3 p = {&s, {0.0, 0.0, 0.0}, LEVEL};
    // At the tip of axis a the radii are b^2/a and c^2/a.
    double mean = 0.5 * (0.1 / 0.04 + 0.1 / 0.09);
    CN_NEAR(cn_posed3_curvature(&p, cn_v3(0.1, 0.0, 0.0), cn_v3(1.0, 0.0, 0.0)), mean, 1e-14,
            "rounding");
}

// A point against an ellipsoid: outside at any distance, inside up to the least radius of
// curvature, beyond which the nearest place is not the only one that is nearer than its neighbours.
CN_TEST(points_have_the_depth_of_the_judge)
{
    for (int trial = 0; trial < 4000; trial++) {
        cn_solid s = draw_egg(trial % 2 == 0 ? 3.0 : 100.0), grain = ball(0.1);
        cn_posed3 e = {&s, draw_point(1.0), draw_turn(&seed)};
        cn_vec3 d = draw_direction(&seed), h = s.half;
        cn_solid_def def = egg_def(2.0 * h.x, 2.0 * h.y, 2.0 * h.z);
        cn_vec3 n = cn_v3(d.x / h.x, d.y / h.y, d.z / h.z);
        double least = 0.5 * s.size, bend = least * least / (s.reach > 0.0 ? s.reach : 1.0);
        double height = trial % 3 == 0 ? -0.8 * bend * fabs(draw(&seed)) : 2.0 * draw(&seed) + 2.0;
        cn_vec3 local =
            cn_add_mul3(cn_v3(h.x * d.x, h.y * d.y, h.z * d.z), height / cn_norm3(n), n);
        CN_NEAR(cn_solid_ops_of(CN_SOLID_ELLIPSOID)->depth(&def, local), -height, 1e-14 * s.reach,
                "the root and the square roots round by a few units");
        cn_posed3 a = {&grain, cn_posed3_point(&e, local), draw_turn(&seed)};
        cn_touch3 touch[CN_TOUCH3_MAX], mirrored[CN_TOUCH3_MAX];
        CN_TRUE(cn_narrow3(&a, &e, 10.0, touch) == 1);
        CN_NEAR(touch[0].gap, height - 0.1, 1e-14 * (s.reach + 4.0), "rounding of places");
        cn_vec3 outward = cn_mat3_mul(&e.R, cn_mul3(1.0 / cn_norm3(n), n));
        CN_NEAR(cn_dot3(touch[0].normal, outward), 1.0, 1e-12, "second order in the angle");
        CN_TRUE(cn_narrow3(&e, &a, 10.0, mirrored) == 1);
        CN_TRUE(touch[0].gap == mirrored[0].gap && touch[0].normal.x == -mirrored[0].normal.x &&
                touch[0].point.z == mirrored[0].point.z);
    }
}

static double support(const cn_posed3 *p, cn_vec3 d)
{
    const cn_solid *s = p->solid;
    if (s->kind == CN_SOLID_ELLIPSOID) {
        cn_vec3 n = cn_mat3_mul_transposed(&p->R, d);
        return cn_dot3(d, p->x) +
               cn_norm3(cn_v3(s->half.x * n.x, s->half.y * n.y, s->half.z * n.z));
    }
    int corners = s->kind == CN_SOLID_CYLINDER ? 2 : cn_solid_corner_count(s);
    double most = -INFINITY;
    for (int k = 0; k < corners; k++) {
        most = fmax(most, cn_dot3(d, cn_posed3_point(p, cn_solid_corner(s, k))));
    }
    cn_vec3 u = s->kind == CN_SOLID_CYLINDER ? cn_mat3_mul(&p->R, s->axis) : cn_v3(0.0, 0.0, 0.0);
    return most + s->radius * cn_norm3(cn_add_mul3(d, -cn_dot3(d, u), u));
}

static double separation(const cn_posed3 *a, const cn_posed3 *b, cn_vec3 d)
{
    return -support(a, cn_neg3(d)) - support(b, d);
}

static cn_solid draw_other(int kind)
{
    if (kind == CN_SOLID_ELLIPSOID) {
        return draw_egg(10.0);
    }
    double point[30];
    for (int k = 0; k < 30; k++) {
        point[k] = 0.6 * draw(&seed);
    }
    return place(&(cn_solid_def){.kind = (cn_solid_kind)kind,
                                 .radius = 0.3 + 0.2 * draw(&seed),
                                 .length = 0.8 + 0.6 * draw(&seed),
                                 .point_count = kind == CN_SOLID_HULL ? 10 : 0,
                                 .point = point});
}

// Random convex solids apart or a little in each other: the gap is the separation along the normal,
// and the largest there is, also next to it.
CN_TEST(gaps_are_the_largest_separation)
{
    static const int KIND[5] = {CN_SOLID_SPHERE, CN_SOLID_CAPSULE, CN_SOLID_HULL, CN_SOLID_CYLINDER,
                                CN_SOLID_ELLIPSOID};
    int tested = 0;
    for (int trial = 0; trial < 5000; trial++) {
        cn_solid sa = draw_other(KIND[trial % 5]), sb = draw_egg(10.0);
        cn_posed3 a = {&sa, draw_point(1.5), draw_turn(&seed)};
        cn_posed3 b = {&sb, {0.0, 0.0, 0.0}, draw_turn(&seed)};
        cn_touch3 touch[CN_TOUCH3_MAX];
        int count = cn_narrow3(&a, &b, 10.0, touch);
        CN_TRUE(count == 1);
        double gap = touch[0].gap, thin = fmin(sa.size, sb.size);
        if (gap > -0.02 * thin) {
            tested++;
            CN_NEAR(separation(&a, &b, touch[0].normal), gap, 1e-13, "rounding of places");
            for (int k = 0; k < 60; k++) {
                double chord = pow(10.0, -k / 6.0);
                cn_vec3 d = cn_add_mul3(touch[0].normal, chord, draw_direction(&seed));
                d = cn_mul3(1.0 / cn_norm3(d), d);
                CN_TRUE(separation(&a, &b, d) <= gap + 1e-13);
            }
        }
        cn_solid_free(NULL, &sa);
    }
    CN_TRUE(tested > 2500);
}

// Equal axes: gaps, normals and points of a sphere, in every pair.
CN_TEST(equal_axes_are_a_sphere)
{
    static double corner[108];
    static const int face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                    {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                    {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double block[24];
    cn_box_corners(1.2, 1.0, 0.6, block);
    for (int k = 0; k < 36; k++) {
        memcpy(corner + 3 * k, block + 3 * face[k / 3][k % 3], 3 * sizeof *corner);
    }
    int touches = 0;
    for (int trial = 0; trial < 5400; trial++) {
        int kind = trial % 9;
        cn_solid other = kind == CN_SOLID_SURFACE
                             ? place(&(cn_solid_def){
                                   .kind = CN_SOLID_SURFACE, .point_count = 36, .point = corner})
                         : kind >= CN_SOLID_HOLLOW_SPHERE && kind <= CN_SOLID_HOLLOW_CYLINDER
                             ? place(&(cn_solid_def){.kind = (cn_solid_kind)kind,
                                                     .radius = 0.8,
                                                     .length = 1.5,
                                                     .thickness = 0.2,
                                                     .ends = (unsigned)(trial / 9) % 4u})
                             : draw_other(kind);
        cn_solid round = egg(0.6, 0.6, 0.6), sphere = ball(0.3);
        cn_posed3 o = {&other, {0.0, 0.0, 0.0}, draw_turn(&seed)};
        cn_posed3 e = {&round, draw_point(1.2), draw_turn(&seed)}, s = {&sphere, e.x, e.R};
        cn_touch3 touch[CN_TOUCH3_MAX], exact[CN_TOUCH3_MAX];
        int count = cn_narrow3(&e, &o, 0.2, touch), wanted = cn_narrow3(&s, &o, 0.2, exact);
        // Deeper than its radius a sphere may be pushed out by another way.
        bool is_shallow = wanted > 0 && exact[0].gap > -0.15;
        for (int k = 1; k < wanted; k++) {
            is_shallow = is_shallow && exact[k].gap > -0.15;
        }
        CN_TRUE(!is_shallow || count == wanted);
        for (int k = 0; k < count && is_shallow; k++) {
            int m = 0;
            for (int i = 1; i < wanted; i++) {
                bool is_nearer = cn_norm3(cn_sub3(exact[i].normal, touch[k].normal)) <
                                 cn_norm3(cn_sub3(exact[m].normal, touch[k].normal));
                m = is_nearer ? i : m;
            }
            touches++;
            CN_NEAR(touch[k].gap, exact[m].gap, 1e-13, "rounding of places");
            CN_NEAR(cn_norm3(cn_sub3(touch[k].normal, exact[m].normal)), 0.0, 1e-7,
                    "the side of a rim is found by halving");
            CN_NEAR(cn_norm3(cn_sub3(touch[k].point, exact[m].point)), 0.0, 1e-7, "likewise");
        }
        cn_solid_free(NULL, &other);
    }
    CN_TRUE(touches > 1000);
}

// A long one across a ball of a room touches with both tips; one across a tube as well.
CN_TEST(containers_are_touched_by_both_tips)
{
    cn_solid room =
        place(&(cn_solid_def){.kind = CN_SOLID_HOLLOW_SPHERE, .radius = 1.0, .thickness = 0.1});
    cn_solid tube = place(&(cn_solid_def){.kind = CN_SOLID_HOLLOW_CYLINDER,
                                          .radius = 1.0,
                                          .length = 3.0,
                                          .thickness = 0.1,
                                          .ends = 3u});
    cn_solid s = egg(1.98, 0.6, 0.4);
    const cn_solid *around[2] = {&room, &tube};
    for (int k = 0; k < 2; k++) {
        cn_posed3 a = {around[k], {0.0, 0.0, 0.0}, LEVEL}, e = {&s, {0.003, 0.0, 0.1}, LEVEL};
        cn_touch3 touch[CN_TOUCH3_MAX];
        e.x.z = k == 0 ? 0.0 : 0.1;
        CN_TRUE(cn_narrow3(&a, &e, 0.1, touch) == 2);
        int near = touch[0].gap < touch[1].gap ? 0 : 1;
        CN_NEAR(touch[near].gap, 0.007, 1e-15, "1 - (0.99 + 0.003)");
        CN_NEAR(touch[1 - near].gap, 0.013, 1e-15, "1 - (0.99 - 0.003)");
    }
}

// Of an open tube an ellipsoid may stand on the lip, sit in the mouth or be inside.
CN_TEST(lips_hold_what_sits_in_the_mouth)
{
    cn_solid cup = place(&(cn_solid_def){.kind = CN_SOLID_HOLLOW_CYLINDER,
                                         .radius = 0.5,
                                         .length = 1.0,
                                         .thickness = 0.1,
                                         .ends = 1u});
    cn_solid s = egg(1.4, 1.4, 0.8);
    cn_posed3 a = {&cup, {0.0, 0.0, 0.0}, LEVEL};
    cn_touch3 touch[CN_TOUCH3_MAX];
    // x^2/0.49 + z^2/0.16 = 1 at x = 0.5: z = 0.4 sqrt(1 - 25/49).
    double sunk = 0.4 * sqrt(1.0 - 25.0 / 49.0);
    for (int k = 0; k < 3; k++) { // beside the middle by little, so that one place is nearest
        cn_posed3 e = {&s, {1e-4, 0.0, 0.5 + sunk + 0.01 * k}, LEVEL};
        int count = cn_narrow3(&a, &e, 0.1, touch);
        CN_TRUE(count >= 1);
        cn_vec3 n = touch[0].normal; // to the cup
        CN_TRUE(n.z < 0.0 && fabs(n.x) > 0.1);
        cn_vec3 slope = {0.5 / 0.49, 0.0, -sunk / 0.16};
        double steep = -slope.z / cn_norm3(slope);
        CN_NEAR(touch[0].gap, 0.01 * k * steep, 2e-4, "first order in the way up and aside");
    }
    cn_posed3 beside = {&s, {0.0, 0.0, -2.0}, LEVEL};
    CN_TRUE(cn_narrow3(&a, &beside, 1.1, touch) == 1);
    CN_NEAR(touch[0].gap, 2.0 - 0.4 - 0.6, 1e-15, "below the closed end");
}

// A lens that lies level in a bowl of a smaller radius than its own below touches with both sides,
// and not in the middle, which is a saddle of the distance: farthest where cos = c z / (a^2 - c^2).
CN_TEST(a_level_lens_touches_with_both_sides)
{
    cn_solid s = egg(1.2, 0.6, 0.5);
    cn_solid_def bowl_def = {.kind = CN_SOLID_HOLLOW_SPHERE, .radius = 1.0, .thickness = 0.1};
    cn_solid bowl = place(&bowl_def);
    cn_posed3 a = {&bowl, {0.0, 0.0, 0.0}, LEVEL}, e = {&s, {0.0, 0.0, -0.75}, LEVEL};
    cn_touch3 touch[CN_TOUCH3_MAX];
    CN_TRUE(cn_narrow3(&a, &e, 0.1, touch) == 2);
    double place_of = 0.25 * 0.75 / (0.36 - 0.0625);
    double far = hypot(0.6 * sqrt(1.0 - place_of * place_of), 0.75 + 0.25 * place_of);
    for (int k = 0; k < 2; k++) {
        CN_NEAR(touch[k].gap, 1.0 - far, 1e-14, "rounding of a root");
        CN_TRUE(fabs(touch[k].normal.x) > 0.1);
    }
    CN_TRUE(touch[0].normal.x * touch[1].normal.x < 0.0);
}

CN_MAIN(CN_RUN(mass_is_that_of_the_integrals); CN_RUN(curvature_is_that_of_the_ellipse);
        CN_RUN(points_have_the_depth_of_the_judge); CN_RUN(gaps_are_the_largest_separation);
        CN_RUN(equal_axes_are_a_sphere); CN_RUN(containers_are_touched_by_both_tips);
        CN_RUN(lips_hold_what_sits_in_the_mouth); CN_RUN(a_level_lens_touches_with_both_sides);)
