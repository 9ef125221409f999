// Rolling and spinning resistance, theory 2.4 and 4.4. Answers on paper.
#include <stdlib.h>

#include "counted.h"
#include "scenes.h"
#include "test.h"

static const double g = 9.81, R = 0.1, mu = 0.5, rolling = 0.05;

static cn_law_def resisting(double roll, double spin)
{
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    CN_DO(cn_law_set(&law, "rolling", roll, &test_error));
    CN_DO(cn_law_set(&law, "spinning", spin, &test_error));
    return law;
}

static cn_world *world(int dim, const cn_law_def *law, const cn_hooks *hooks)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.hooks = hooks;
    def.gravity[1] = dim == 2 ? -g : 0.0;
    def.gravity[2] = dim == 3 ? -g : 0.0;
    def.solver.eps_v = def.solver.tol = 1e-12;
    return scene_world_with(&def, law);
}

// A disk or a ball on a slope that goes down along +x; returns it.
static cn_world *slope(int dim, double angle, const cn_law_def *law, cn_body_id *round)
{
    cn_world *w = world(dim, law, NULL);
    if (dim == 2) {
        scene_ground(w, 0.0, 0.0, -angle);
        *round = scene_disk(w, R * sin(angle), R * cos(angle), R, 0);
    } else {
        scene_floor(w, angle);
        *round = scene_sphere(w, R * sin(angle), 0.0, R * cos(angle), R);
    }
    return w;
}

static double speed(const cn_world *w, cn_body_id id)
{
    cn_body_state s = scene_state(w, id);
    return cn_norm3(cn_v3(s.velocity[0], s.velocity[1], s.velocity[2]));
}

// I / (m R^2) of a disk and of a ball.
static double gyration(int dim)
{
    return dim == 2 ? 0.5 : 0.4;
}

// It stays iff tan(slope) <= rolling; beyond, it rolls off at g (sin - rolling cos) / (1 + k).
CN_TEST(slope_holds_up_to_the_rolling_coefficient)
{
    cn_law_def law = resisting(rolling, 0.0);
    for (int dim = 2; dim <= 3; dim++) {
        for (int side = -1; side <= 1; side += 2) {
            double angle = atan(rolling) + side * 1e-4;
            cn_body_id round;
            cn_world *w = slope(dim, angle, &law, &round);
            CN_TRUE(scene_run(w, 1e-3, 200) == 0);
            double rate = g * (sin(angle) - rolling * cos(angle)) / (1.0 + gyration(dim));
            CN_NEAR(speed(w, round), side < 0 ? 0.0 : rate * 0.2, 1e-11,
                    "constant forces are exact in v; 200 steps of residual 1e-12");
            CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
            cn_world_destroy(w);
        }
    }
}

// Rolling at v on the flat: slows down by rolling g / (1 + k) and stops after v^2 (1 + k) / (2 g
// rolling).
CN_TEST(rolling_stops_after_the_distance_on_paper)
{
    cn_law_def law = resisting(rolling, 0.0);
    const double v = 1.0, h = 1e-3;
    for (int dim = 2; dim <= 3; dim++) {
        cn_body_id round;
        cn_world *w = slope(dim, 0.0, &law, &round);
        cn_body_state s = scene_state(w, round);
        s.velocity[0] = v;
        s.angular_velocity[dim == 2 ? 2 : 1] = (dim == 2 ? -1 : 1) * v / R;
        CN_DO(cn_body_set(w, round, &s, &test_error));
        double rate = rolling * g / (1.0 + gyration(dim)),
               energy = cn_world_view(w).ledger->kinetic;
        CN_TRUE(scene_run(w, h, 1000) == 0);
        CN_NEAR(speed(w, round), v - rate * 1.0, 1e-10, "1000 steps of residual 1e-12");
        double moment[3];
        cn_world_moment(w, 0, moment);
        double weight = s.mass * g * h;
        CN_NEAR(moment[dim == 2 ? 2 : 1], (dim == 2 ? -1 : 1) * rolling * R * weight,
                1e-12 * weight, "on its bound, and turns the ground, body i, along");
        CN_TRUE(scene_run(w, h, 2500) == 0);
        s = scene_state(w, round);
        CN_NEAR(speed(w, round), 0.0, 1e-11, "it stands");
        CN_NEAR(s.position[0], v * v / (2.0 * rate), v * h, "it stops within one step");
        const cn_ledger *ledger = cn_world_view(w).ledger;
        CN_NEAR(ledger->total[CN_ENERGY_FRICTION] / energy, 1.0, 1e-9, "rolling took all of it");
        CN_TRUE(ledger->error_max < 1e-10);
        cn_world_destroy(w);
    }
}

// A ball that spins about the vertical slows down by spinning m g R / I = 2.5 spinning g / R.
CN_TEST(spinning_ball_stops_at_the_time_on_paper)
{
    const double spinning = 0.02, omega = 10.0, h = 1e-3, rate = 2.5 * spinning * g / R;
    for (int also_rolls = 0; also_rolls < 2; also_rolls++) {
        cn_law_def law = resisting(also_rolls ? rolling : 0.0, spinning);
        cn_body_id ball;
        cn_world *w = slope(3, 0.0, &law, &ball);
        cn_body_state s = scene_state(w, ball);
        s.angular_velocity[2] = omega;
        CN_DO(cn_body_set(w, ball, &s, &test_error));
        CN_TRUE(scene_run(w, h, 1000) == 0);
        CN_NEAR(scene_state(w, ball).angular_velocity[2], omega - rate * 1.0, 1e-9,
                "residual 1e-12 / R");
        int steps = 1000;
        while (steps < 10000 && scene_state(w, ball).angular_velocity[2] > 1e-9) {
            scene_run(w, h, 1);
            steps++;
        }
        CN_NEAR(steps * h, omega / rate, h, "one step");
        CN_NEAR(speed(w, ball), 0.0, 1e-11, "it spins on the spot");
        CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
        cn_world_destroy(w);
    }
}

// A round body near the top of a fixed one, or near the bottom of a container, stays iff tan(angle)
// <= rolling R_eff / R with 1/R_eff = 1/R +- 1/R_other.
static bool stays_on_round(int dim, double angle, bool is_inside)
{
    cn_law_def law = resisting(rolling, 0.0);
    cn_world *w = world(dim, &law, NULL);
    const double big = 3.0 * R, from_centre = is_inside ? big - R : big + R;
    const cn_shape_def shape = {
        .kind = is_inside ? CN_SHAPE_HOLLOW_DISK : CN_SHAPE_DISK, .radius = big, .thickness = R};
    const cn_solid_def solid = {.kind = is_inside ? CN_SOLID_HOLLOW_SPHERE : CN_SOLID_SPHERE,
                                .radius = big,
                                .thickness = is_inside ? R : 0.0};
    cn_body_def def = cn_body_def_default();
    scene_part(&def, dim, &shape, &solid);
    def.fixed = CN_FIXED_ALL;
    cn_body_id fixed;
    CN_DO(cn_body_add(w, &def, &fixed, &test_error));
    double x = from_centre * sin(angle), up = from_centre * (is_inside ? -1 : 1) * cos(angle);
    cn_body_id round = dim == 2 ? scene_disk(w, x, up, R, 0) : scene_sphere(w, x, 0.0, up, R);
    scene_run(w, 1e-3, 50);
    bool stays = speed(w, round) < 1e-9;
    cn_world_destroy(w);
    return stays;
}

CN_TEST(curvatures_of_both_sides_count)
{
    double over = atan(rolling * 0.75), inside = atan(rolling * 1.5), less = 1e-4;
    for (int dim = 2; dim <= 3; dim++) {
        CN_TRUE(stays_on_round(dim, over - less, false));
        CN_TRUE(!stays_on_round(dim, over + less, false));
        CN_TRUE(stays_on_round(dim, inside - less, true));
        CN_TRUE(!stays_on_round(dim, inside + less, true));
    }
}

// A roller lies across the slope on two points, each with its share of the moment: it holds like a
// disk.
CN_TEST(roller_holds_like_a_disk)
{
    cn_law_def law = resisting(rolling, 0.0);
    for (int side = -1; side <= 1; side += 2) {
        double angle = atan(rolling) + side * 1e-4;
        cn_world *w = world(3, &law, NULL);
        scene_floor(w, angle);
        const cn_solid_def roller = {.kind = CN_SOLID_CYLINDER,
                                     .radius = R,
                                     .length = 3.0 * R,
                                     .rotation = {sqrt(0.5), sqrt(0.5), 0.0, 0.0}}; // z to -y
        cn_body_def def = cn_body_def_default();
        def.type = CN_BODY_SOLIDS;
        def.solids = (cn_solid_parts){1, &roller};
        def.at[0] = R * sin(angle);
        def.at[2] = R * cos(angle);
        cn_body_id id;
        CN_DO(cn_body_add(w, &def, &id, &test_error));
        scene_run(w, 1e-3, 100);
        double rate = g * (sin(angle) - rolling * cos(angle)) / 1.5;
        CN_NEAR(speed(w, id), side < 0 ? 0.0 : 0.1 * rate, 1e-9, "100 steps of residual 1e-12");
        cn_world_destroy(w);
    }
}

// Balls dropped between walls, some pairs with moments and some without.
static cn_world *pile(int dim, const cn_hooks *hooks)
{
    cn_law_def law = resisting(0.1, dim == 3 ? 0.05 : 0.0), plain = cn_law_coulomb(0.3, 0.0);
    cn_world *w = world(dim, &law, hooks);
    int grains, smooth;
    CN_DO(cn_group_add(w, "grains", &grains, &test_error));
    CN_DO(cn_law_add(w, &plain, &smooth, &test_error));
    cn_rules_clear(w);
    CN_DO(cn_rule_add(w, grains, grains, 0, &test_error));
    CN_DO(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, smooth, &test_error));
    if (dim == 2) {
        scene_ground(w, 0.0, 0.0, 0.0);
    } else {
        scene_floor(w, 0.0);
    }
    for (int n = 0; n < 20; n++) {
        double x = 2.2 * R * (n % 4) + 0.01 * (n % 3), up = R * (1.05 + 2.1 * (n / 4));
        const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = R};
        const cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = R};
        cn_body_def def = {.group = grains, .density = 1000.0, .at = {x, up, up}};
        scene_part(&def, dim, &disk, &ball);
        if (dim == 3) {
            def.at[1] = 0.03 * (n % 5);
        }
        CN_DO(cn_body_add(w, &def, NULL, &test_error));
    }
    return w;
}

CN_TEST(restart_continues_bit_for_bit_with_moments)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *straight = pile(dim, NULL), *first = pile(dim, NULL), *second = pile(dim, NULL);
        scene_run(straight, 1e-3, 120);
        scene_run(first, 1e-3, 60);
        const cn_state_part *part;
        int count;
        CN_DO(cn_world_state(first, &part, &count, &test_error));
        CN_DO(cn_world_restore(second, part, count, &test_error));
        scene_run(second, 1e-3, 60);
        CN_TRUE(cn_world_state_hash(second) == cn_world_state_hash(straight));
        CN_TRUE(cn_world_view(straight).ledger->error_max < 1e-10);
        cn_world_destroy(straight);
        cn_world_destroy(first);
        cn_world_destroy(second);
    }
}

CN_TEST(warm_step_with_moments_allocates_nothing)
{
    counted memory = {0};
    cn_hooks hooks = counted_hooks(&memory);
    cn_world *w = pile(3, &hooks);
    scene_run(w, 1e-3, 300);
    long before = memory.calls;
    scene_run(w, 1e-3, 50);
    CN_TRUE(memory.calls == before);
    cn_world_destroy(w);
}

CN_TEST(what_makes_no_sense_is_refused)
{
    cn_law_def law = cn_law_coulomb(mu, 0.0), spins = resisting(0.0, 0.1);
    CN_FAILS(cn_law_set(&law, "rolling", -0.1, &test_error), CN_BAD_INPUT, "rolling");
    cn_world *w = world(2, &law, NULL);
    int number;
    CN_FAILS(cn_law_add(w, &spins, &number, &test_error), CN_BAD_INPUT, "plane");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(slope_holds_up_to_the_rolling_coefficient);
        CN_RUN(rolling_stops_after_the_distance_on_paper);
        CN_RUN(spinning_ball_stops_at_the_time_on_paper); CN_RUN(curvatures_of_both_sides_count);
        CN_RUN(roller_holds_like_a_disk); CN_RUN(restart_continues_bit_for_bit_with_moments);
        CN_RUN(warm_step_with_moments_allocates_nothing); CN_RUN(what_makes_no_sense_is_refused);)
