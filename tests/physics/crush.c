// L13: a mass of 1 kg at 1 m/s crushes its contact; pressed again it does not crush what is
// crushed.
#include "scenes.h"
#include "test.h"

static const double k1 = 1e5, k2 = 4e5;

static cn_world *world_of(void)
{
    cn_law_def law = cn_law_default("crush");
    CN_DO(cn_law_set(&law, "stiffness", k1, &test_error));
    CN_DO(cn_law_set(&law, "stiffness_unloading", k2, &test_error));
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.solver.eps_v = 1e-10;
    return scene_world_with(&def, &law);
}

// A disk of 1 kg above a floor that it touches.
static cn_body_id disk_on_floor(cn_world *w, double r)
{
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_shape_def shape = {.kind = CN_SHAPE_DISK, .radius = r};
    cn_body_def def = {
        .shapes = {1, &shape}, .density = 1.0 / (CN_PI * r * r), .at = {0.0, r, 0.0}};
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

CN_TEST(half_the_speed_comes_back)
{
    const double h = 1e-5, r = 0.1;
    cn_world *w = world_of();
    cn_body_id disk = disk_on_floor(w, r);
    scene_set_velocity(w, disk, 0.0, -1.0, 0.0);
    double deepest = 0.0, left = 0.0, end = 0.0;
    for (int n = 0; n < 900; n++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        cn_view view = cn_world_view(w);
        double depth = r - scene_state(w, disk).position[1];
        deepest = fmax(deepest, depth);
        if (view.contact_count > 0 && view.contact[0].r[0] > 0.0) {
            end = (n + 1) * h;
            left = depth;
        }
    }
    cn_view view = cn_world_view(w);
    CN_NEAR(scene_state(w, disk).velocity[1], 0.5, 0.002 * 0.5, "sqrt(k1/k2)");
    CN_NEAR(deepest, 3.162278e-3, 0.002 * 3.16e-3, "v sqrt(m/k1)");
    CN_NEAR(left, 2.371708e-3, 0.005 * 2.37e-3, "(1 - k1/k2) of it, a step of 5 um apart");
    CN_NEAR(end, 7.450941e-3, 0.002 * 7.45e-3, "quarter periods of both springs");
    CN_NEAR(view.ledger->total[CN_ENERGY_PLASTIC], 0.375, 0.002 * 0.375, "what is missing");
    CN_NEAR(view.ledger->error_max, 0.0, 1e-10, "it closes");
    cn_world_destroy(w);
}

// Pressed with 200 N, let go to 100 N and pressed again: along the stiff line, and back on the soft
// one beyond.
CN_TEST(what_is_crushed_is_stiffer)
{
    const double r = 0.1, force[4] = {200.0, 100.0, 200.0, 300.0};
    const double depth[4] = {2e-3, 1.75e-3, 2e-3, 3e-3}; // F/k1, F/k2 + 0.75 F_max/k1
    cn_world *w = world_of();
    CN_DO(cn_world_set_scheme(w, 1.0, 0.0, &test_error)); // springs settle
    cn_body_id disk = disk_on_floor(w, r);
    for (int n = 0; n < 4; n++) {
        double more = force[n] - (n > 0 ? force[n - 1] : 0.0);
        cn_force_def load = {
            .body = disk, .direction = {0.0, -1.0, 0.0}, .f = {.c = more}, .t0 = NAN};
        CN_DO(cn_force_add(w, &load, &test_error));
        CN_TRUE(scene_run(w, 1.0, 20) == 0); // 1e-5 beyond the rest
        CN_NEAR(r - scene_state(w, disk).position[1], depth[n], 5e-8, "what it overshoots by");
    }
    cn_world_destroy(w);
}

CN_TEST(unloading_is_at_least_as_stiff)
{
    cn_law_def law = cn_law_default("crush");
    cn_world_def def = cn_world_def_default();
    cn_world *w;
    int number;
    CN_DO(cn_law_set(&law, "stiffness", k2, &test_error));
    CN_DO(cn_law_set(&law, "stiffness_unloading", k1, &test_error));
    CN_DO(cn_world_create(&def, &w, &test_error));
    CN_FAILS(cn_law_add(w, &law, &number, &test_error), CN_BAD_INPUT, "give back more");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(half_the_speed_comes_back); CN_RUN(what_is_crushed_is_stiffer);
        CN_RUN(unloading_is_at_least_as_stiff);)
