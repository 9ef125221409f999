// Brittle joints with cohesion: the loads at which they break (L10 of the catalogue of laws).
#include "scenes.h"
#include "test.h"

// A block of 0.1 m on another one, whose joint of 0.01 m2 has a cohesion of 1e5 and 5e4 Pa, a
// cut-off of 6e4 Pa and a friction of 0.4 after it breaks.
typedef struct joint {
    cn_world *w;
    cn_body_id block;
    int law;
} joint;

static joint make_joint_with(double tension, const char *name, double value)
{
    cn_law_def law = cn_law_default("mohr");
    if (name != NULL) {
        CN_DO(cn_law_set(&law, name, value, &test_error));
    }
    CN_DO(cn_law_set(&law, "cohesion", 1e5, &test_error));
    CN_DO(cn_law_set(&law, "cohesion_tangential", 5e4, &test_error));
    CN_DO(cn_law_set(&law, "tension", tension, &test_error));
    CN_DO(cn_law_set(&law, "friction", 0.4, &test_error));
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.solver.eps_v = 1e-8;
    joint j = {.w = scene_world_with(&def, &law)};
    const double size[3] = {0.1, 0.1, 0.1};
    scene_block(j.w, (double[3]){0.0, 0.0, -0.05}, size, NULL, CN_FIXED_ALL);
    const unsigned upright = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
    j.block = scene_block(j.w, (double[3]){0.0, 0.0, 0.05}, size, NULL, upright);
    return j;
}

static joint make_joint(double tension)
{
    return make_joint_with(tension, NULL, 0.0);
}

// A force on the face of the block, from `first` at t = 0 by `rate` per second.
static void push(joint *j, const double direction[3], double first, double rate)
{
    const double time[2] = {0.0, 10.0}, value[2] = {first, first + 10.0 * rate};
    cn_force_def force = {
        .body = j->block,
        .direction = {direction[0], direction[1], direction[2]},
        .point = {0.0, 0.0, -0.05},
        .f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = value},
        .t0 = NAN};
    CN_DO(cn_force_add(j->w, &force, &test_error));
}

static double speed(const joint *j)
{
    cn_body_state s = scene_state(j->w, j->block);
    return cn_norm3(cn_v3(s.velocity[0], s.velocity[1], s.velocity[2]));
}

// Steps of 1 ms, in which the load grows by 1 N, until the block moves; the load then [N].
static double load_at_break(joint *j)
{
    int n = 0;
    while (n < 2000 && speed(j) < 1e-6) {
        CN_TRUE(scene_run(j->w, 1e-3, 1) == 0);
        n++;
    }
    return n;
}

CN_TEST(it_is_pulled_off_at_the_cut_off)
{
    joint j = make_joint(6e4);
    push(&j, (double[3]){0.0, 0.0, 1.0}, 0.0, 1000.0);
    CN_NEAR(load_at_break(&j), 600.0, 1.5, "6e4 Pa on 0.01 m2, in steps of 1 N");
    cn_world_destroy(j.w);
    j = make_joint(0.0);
    push(&j, (double[3]){0.0, 0.0, 1.0}, 900.0, 1000.0);
    CN_NEAR(900.0 + load_at_break(&j), 1000.0, 1.5, "no cut-off: the cohesion itself");
    cn_world_destroy(j.w);
}

CN_TEST(it_is_sheared_by_cohesion_then_held_by_friction)
{
    joint j = make_joint(6e4);
    push(&j, (double[3]){0.0, 0.0, -1.0}, 500.0, 0.0);
    push(&j, (double[3]){1.0, 0.0, 0.0}, 700.0, 1000.0);
    CN_NEAR(700.0 + load_at_break(&j), 750.0, 1.5, "0.5 (500 + 1000) N");
    double v = scene_state(j.w, j.block).velocity[0], load = 700.0 + 1e3 * cn_world_view(j.w).time;
    double mass = cn_world_view(j.w).mass[1];
    CN_TRUE(scene_run(j.w, 1e-3, 10) == 0);
    double dv = scene_state(j.w, j.block).velocity[0] - v;
    CN_NEAR(mass * dv / 1e-2, load + 5.0 - 0.4 * 500.0, 1.0, "friction of 200 N is left");
    cn_world_destroy(j.w);
}

CN_TEST(pressed_beyond_its_cap_it_closes)
{
    joint j = make_joint_with(6e4, "crushing", 2e6);
    push(&j, (double[3]){0.0, 0.0, -1.0}, 19950.0, 1000.0);
    CN_NEAR(19950.0 + load_at_break(&j), 20000.0, 1.5, "2e6 Pa on 0.01 m2, in steps of 1 N");
    CN_TRUE(scene_run(j.w, 1e-3, 20) == 0);
    double closure = 0.05 - scene_state(j.w, j.block).position[2];
    const cn_ledger *ledger = cn_world_view(j.w).ledger;
    CN_NEAR(ledger->total[CN_ENERGY_PLASTIC] / (2e4 * closure), 1.0, 1e-9, "the force stays 2e4 N");
    CN_NEAR(ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(j.w);
}

// Points of the face that is bent reach their cap one after another; below the load of the cap none
// moves.
CN_TEST(what_others_can_bear_does_not_close)
{
    joint j = make_joint_with(6e4, "crushing", 2e6);
    cn_force_def force = {
        .body = j.block,
        .direction = {0.0, 0.0, -1.0},
        .point = {0.02, 0.0, 0.05}, // it does not turn: its guide bears the moment
        .f = {.c = 19000.0},
        .t0 = NAN};
    CN_DO(cn_force_add(j.w, &force, &test_error));
    CN_TRUE(scene_run(j.w, 1e-3, 20) == 0);
    CN_NEAR(speed(&j), 0.0, 1e-9, "19 of 20 kN");
    cn_world_destroy(j.w);
}

CN_TEST(a_pressure_in_the_joint_opens_it)
{
    for (int k = 0; k < 2; k++) {
        joint j = make_joint_with(0.0, "pressure", k == 0 ? 1.0499e5 : 1.0501e5);
        push(&j, (double[3]){0.0, 0.0, -1.0}, 50.0, 0.0);
        CN_TRUE(scene_run(j.w, 1e-3, 1) == 0);
        CN_TRUE((speed(&j) > 1e-6) == (k == 1)); // it opens at (50 N + 1000 N) / 0.01 m2
        CN_NEAR(cn_world_view(j.w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
        cn_world_destroy(j.w);
    }
}

CN_MAIN(CN_RUN(it_is_pulled_off_at_the_cut_off);
        CN_RUN(it_is_sheared_by_cohesion_then_held_by_friction);
        CN_RUN(pressed_beyond_its_cap_it_closes); CN_RUN(what_others_can_bear_does_not_close);
        CN_RUN(a_pressure_in_the_joint_opens_it);)
