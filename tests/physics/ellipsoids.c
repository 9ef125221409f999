// Ellipsoids rest, rock, roll and pile up. Answers on paper.
#include "scenes.h"
#include "test.h"

static const double g = 9.81;

static cn_body_id add_egg(cn_world *w, const double size[3], const double at[3],
                          const double turn[4])
{
    const cn_solid_def egg = {.kind = CN_SOLID_ELLIPSOID, .size = {size[0], size[1], size[2]}};
    cn_body_def def = cn_body_def_default();
    def.type = CN_BODY_SOLIDS;
    def.solids = (cn_solid_parts){1, &egg};
    def.density = 1000.0;
    memcpy(def.at, at, sizeof def.at);
    memcpy(def.rotation, turn, sizeof def.rotation);
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static const double UPRIGHT[4] = {1.0, 0.0, 0.0, 0.0};

CN_TEST(one_on_its_flat_side_stays)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-12);
    scene_floor(w, 0.0);
    cn_body_id id = add_egg(w, (double[3]){0.4, 0.3, 0.2}, (double[3]){0.0, 0.0, 0.1}, UPRIGHT);
    CN_TRUE(scene_run(w, 1e-2, 500) == 0);
    cn_body_state s = scene_state(w, id);
    CN_NEAR(s.position[2], 0.1, 1e-12, "its half axis");
    CN_NEAR(s.rotation[0], 1.0, 1e-12, "it does not turn");
    CN_NEAR(cn_world_view(w).ledger->kinetic, 0.0, 1e-20, "it stays");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// On its flat side it rocks without slipping about the point of contact. The centre of curvature is
// a^2/c above the floor, the mass centre c: omega^2 = m g (a^2/c - c) / (I + m c^2), I = m (a^2 +
// c^2) / 5.
CN_TEST(rocking_has_the_frequency_on_paper)
{
    const double a = 0.2, c = 0.1, h = 2e-4, tilt = 1e-3;
    const double omega = sqrt(g * (a * a / c - c) / (0.2 * (a * a + c * c) + c * c));
    cn_world *w = scene_space(2.0, 0.0, 1e-12);
    scene_floor(w, 0.0);
    // The lowest point of the tilted one is sqrt(c^2 cos^2 + a^2 sin^2) below its middle.
    double height = sqrt(c * c * cos(tilt) * cos(tilt) + a * a * sin(tilt) * sin(tilt));
    cn_body_id id = add_egg(w, (double[3]){2.0 * a, 0.3, 2.0 * c}, (double[3]){0.0, 0.0, height},
                            (double[4]){cos(0.5 * tilt), 0.0, sin(0.5 * tilt), 0.0});
    double period = 2.0 * CN_PI / omega, start = cn_world_view(w).ledger->kinetic;
    int crossings = 0, steps = 0;
    double first = 0.0, last = 0.0, before = 1.0;
    for (; crossings < 9; steps++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        double now = scene_state(w, id).rotation[2];
        if (before > 0.0 && now <= 0.0) { // once a period
            last = (steps + before / (before - now)) * h;
            first = crossings == 0 ? last : first;
            crossings++;
        }
        before = now;
    }
    CN_NEAR((last - first) / 8.0, period, 1e-4 * period,
            "the gap of the middle of a step is one step late: first order in h, h/period = 4e-4; "
            "a tilt of 1e-3 changes the period by 1e-6");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    CN_NEAR(start, 0.0, 1e-20, "from rest");
    cn_world_destroy(w);
}

// On its tip it falls to the side, and ends on its flat one.
CN_TEST(one_on_its_tip_falls)
{
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    CN_DO(cn_law_set(&law, "rolling", 0.1, &test_error));
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = 0.0;
    def.gravity[2] = -g;
    cn_world *w = scene_world_with(&def, &law);
    scene_floor(w, 0.0);
    cn_body_id id = add_egg(w, (double[3]){0.2, 0.3, 0.4}, (double[3]){0.0, 0.0, 0.2},
                            (double[4]){cos(0.15), 0.0, sin(0.15), 0.0});
    CN_TRUE(scene_run(w, 2e-3, 2500) == 0);
    CN_NEAR(
        scene_state(w, id).position[2], 0.1, 4e-3,
        "its shortest half axis a; rolling holds it where the contact is 0.1 R aside, 1/R = (a/b^2 "
        "+ a/c^2)/2 = 3.5/m, up to (0.1 R)^2/2/(b^2/a - a) = 3.3 mm higher");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// With equal axes it rolls down a slope as a ball does, and bounces like it.
CN_TEST(equal_axes_move_as_a_ball)
{
    for (int k = 0; k < 2; k++) {
        double e = k == 0 ? 0.0 : 0.6, angle = 0.2, up = k == 0 ? 0.1 : 0.5;
        cn_world *one = scene_space(0.4, e, 1e-12), *other = scene_space(0.4, e, 1e-12);
        scene_floor(one, angle);
        scene_floor(other, angle);
        const double at[3] = {up * sin(angle), 0.0, up * cos(angle)};
        cn_body_id ball = scene_sphere(one, at[0], at[1], at[2], 0.1);
        cn_body_id egg = add_egg(other, (double[3]){0.2, 0.2, 0.2}, at, UPRIGHT);
        CN_TRUE(scene_run(one, 1e-3, 500) == 0 && scene_run(other, 1e-3, 500) == 0);
        cn_body_state s = scene_state(one, ball), t = scene_state(other, egg);
        for (int d = 0; d < 3; d++) {
            CN_NEAR(t.position[d], s.position[d], 1e-11, "500 steps of residual 1e-12");
            CN_NEAR(t.angular_velocity[d], s.angular_velocity[d], 1e-9,
                    "likewise, over the radius");
        }
        cn_world_destroy(one);
        cn_world_destroy(other);
    }
}

// A heap in a cup: nothing is unseen, and what they sink into each other when they fall is small.
CN_TEST(heaps_do_not_overlap)
{
    cn_world *w = scene_space(0.4, 0.0, 1e-8);
    const cn_solid_def cup = {.kind = CN_SOLID_HOLLOW_CYLINDER,
                              .radius = 0.35,
                              .length = 2.0,
                              .thickness = 0.05,
                              .ends = 1u};
    cn_body_def def = {
        .type = CN_BODY_SOLIDS, .solids = {1, &cup}, .fixed = CN_FIXED_ALL, .at = {0, 0, 1.0}};
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
    for (int k = 0; k < 18; k++) {
        const double size[3] = {0.1 + 0.02 * (k % 4), 0.16 - 0.02 * (k % 3), 0.2 + 0.03 * (k % 2)};
        double at[3] = {0.22 * (k % 2) - 0.11, 0.22 * (k / 2 % 2) - 0.11, 0.15 + 0.25 * (k / 4)};
        double turn[4] = {0.8, 0.6 * (k % 2), 0.6 * (1 - k % 2), 0.0};
        add_egg(w, size, at, turn);
    }
    cn_overlap overlap;
    for (int k = 0; k < 10; k++) {
        scene_run(w, 2e-3, 40);
        CN_DO(cn_world_overlap(w, &overlap, &test_error));
        CN_TRUE(!cn_overlap_is_missed(&overlap));
        CN_NEAR(overlap.deepest.depth, 0.0, 1e-3,
                "a hundredth of the smallest axis, at h U = 6 mm");
    }
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(one_on_its_flat_side_stays); CN_RUN(rocking_has_the_frequency_on_paper);
        CN_RUN(one_on_its_tip_falls); CN_RUN(equal_axes_move_as_a_ball);
        CN_RUN(heaps_do_not_overlap);)
