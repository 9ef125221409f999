// Friction by direction: thresholds and directions of sliding on an ellipse, theory 4.53.
#include "scenes.h"
#include "test.h"

static const double MU = 0.6, MU_2 = 0.3, G = 9.81;

typedef struct sled {
    cn_world *w;
    cn_body_id block;
} sled;

static cn_law_def wood(void)
{
    cn_law_def law = cn_law_default("coulomb");
    CN_DO(cn_law_set(&law, "friction", MU, &test_error));
    CN_DO(cn_law_set(&law, "friction_2", MU_2, &test_error));
    return law;
}

// A block of 1 kg on a floor of 2 m that is turned by `grain` about z, pulled at `angle` to its
// grain.
static sled pull(double grain, double angle, double force, bool is_shadowed)
{
    cn_law_def law = wood();
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = 0.0;
    def.gravity[2] = -G;
    def.solver.eps_v = 1e-10;
    sled s = {.w = scene_world_with(&def, &law)};
    const double floor_size[3] = {2.0, 2.0, 0.2}, size[3] = {0.1, 0.1, 0.1};
    const double turn[4] = {cos(0.5 * grain), 0.0, 0.0, sin(0.5 * grain)};
    const unsigned upright = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
    if (is_shadowed) { // the block is the first body: the one that is held carries the axis
        s.block = scene_block(s.w, (double[3]){0.0, 0.0, 0.05}, size, NULL, upright);
        scene_block(s.w, (double[3]){0.0, 0.0, -0.1}, floor_size, turn, CN_FIXED_ALL);
    } else {
        scene_block(s.w, (double[3]){0.0, 0.0, -0.1}, floor_size, turn, CN_FIXED_ALL);
        s.block = scene_block(s.w, (double[3]){0.0, 0.0, 0.05}, size, NULL, upright);
    }
    cn_view v = cn_world_view(s.w);
    double mass = v.mass[is_shadowed ? 0 : 1];
    cn_force_def push = {.body = s.block,
                         .direction = {cos(grain + angle), sin(grain + angle), 0.0},
                         .f = {.c = force * mass}, // forces per mass
                         .t0 = NAN};
    CN_DO(cn_force_add(s.w, &push, &test_error));
    return s;
}

static double threshold(double angle)
{
    return G / hypot(cos(angle) / MU, sin(angle) / MU_2);
}

CN_TEST(it_slides_normal_to_the_ellipse)
{
    const double grain = 0.5, at[5] = {0.0, CN_PI / 6, CN_PI / 4, CN_PI / 3, CN_PI / 2};
    for (int n = 0; n < 10; n++) {
        double angle = at[n / 2], F = threshold(angle);
        sled held = pull(grain, angle, 0.9999 * F, n % 2 == 1);
        CN_TRUE(scene_run(held.w, 1e-3, 20) == 0);
        CN_NEAR(scene_state(held.w, held.block).velocity[0], 0.0, 1e-9, "below the threshold");
        sled slid = pull(grain, angle, 1.0005 * F, n % 2 == 1);
        CN_TRUE(scene_run(slid.w, 1e-3, 20) == 0);
        cn_body_state s = scene_state(slid.w, slid.block);
        double way = atan2(s.velocity[1], s.velocity[0]) - grain;
        double normal = atan2(sin(angle) * MU * MU, cos(angle) * MU_2 * MU_2);
        CN_NEAR(way, normal, 2e-3, "normal to the ellipse; 5e-4 over the threshold turn it a bit");
        CN_TRUE(hypot(s.velocity[0], s.velocity[1]) > 1e-5);
        CN_NEAR(cn_world_view(slid.w).ledger->error_max, 0.0, 1e-10, "it closes");
        cn_world_destroy(held.w);
        cn_world_destroy(slid.w);
    }
}

// Impulses and velocities of a contact are those of its axes, whatever its rows are: the force on
// the block is what views say, and sliding takes |r_t . u_t|.
CN_TEST(views_show_forces_as_they_are)
{
    double angle = CN_PI / 4, F = 1.5 * threshold(angle), h = 1e-3;
    sled s = pull(0.0, angle, F, false);
    CN_TRUE(scene_run(s.w, h, 5) == 0);
    cn_body_state before = scene_state(s.w, s.block);
    CN_TRUE(scene_run(s.w, h, 1) == 0);
    cn_body_state after = scene_state(s.w, s.block);
    cn_view v = cn_world_view(s.w);
    double sum[3] = {0.0};
    for (int a = 0; a < v.contact_count; a++) {
        double r[3];
        cn_contact_impulse(&v.contact[a], 3, r);
        double along = r[0] / MU, across = r[1] / MU_2;
        CN_NEAR(hypot(along, across), fabs(r[2]), 1e-6 * fabs(r[2]), "on the ellipse");
        CN_TRUE(r[2] == 0.0 || v.contact[a].status == CN_STATUS_SLIDE);
        for (int k = 0; k < 3; k++) {
            sum[k] -= r[k];
        }
    }
    double mass = v.mass[1];
    for (int k = 0; k < 2; k++) {
        double dv = after.velocity[k] - before.velocity[k];
        CN_NEAR(sum[k], mass * (dv - h * F * cos(angle)), 1e-9 * mass, "momentum");
    }
    cn_world_destroy(s.w);
}

CN_TEST(what_makes_no_sense_is_refused)
{
    cn_world_def def = cn_world_def_default();
    cn_world *w;
    int number;
    CN_DO(cn_world_create(&def, &w, &test_error));
    cn_law_def law = wood();
    CN_TRUE(cn_law_add(w, &law, &number, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "one direction") != NULL);
    CN_DO(cn_law_set(&law, "friction", 0.0, &test_error));
    CN_TRUE(cn_law_add(w, &law, &number, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "above 0, too") != NULL);
    law = wood();
    CN_DO(cn_law_set(&law, "axis_x", 0.0, &test_error));
    CN_TRUE(cn_law_add(w, &law, &number, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "needs an axis") != NULL);
    law = wood();
    CN_DO(cn_law_set(&law, "restitution_tangential", 0.5, &test_error));
    CN_TRUE(cn_law_add(w, &law, &number, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "restitution_tangential") != NULL);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(it_slides_normal_to_the_ellipse); CN_RUN(views_show_forces_as_they_are);
        CN_RUN(what_makes_no_sense_is_refused);)
