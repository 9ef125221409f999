// A viscous film between surfaces: how sliding decays, where it acts, what it takes.
#include <string.h>

#include "scenes.h"
#include "test.h"

static const double VISCOSITY = 0.5, THICKNESS = 1e-3, AREA = 0.02, V = 0.3;

typedef struct sled {
    cn_world *w;
    cn_body_id block;
} sled;

// A block slides over a floor, `gap` above it.
static sled make_sled(double theta, double friction, double gap, double gravity)
{
    cn_law_def law = cn_law_default("film");
    CN_DO(cn_law_set(&law, "viscosity", VISCOSITY, &test_error));
    CN_DO(cn_law_set(&law, "thickness", THICKNESS, &test_error));
    CN_DO(cn_law_set(&law, "area", AREA, &test_error));
    CN_DO(cn_law_set(&law, "friction", friction, &test_error));
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = -gravity;
    def.theta = theta;
    def.solver.eps_v = 1e-10;
    sled s = {.w = scene_world_with(&def, &law)};
    scene_box(s.w, 0.0, -0.5, 4.0, 1.0, 0.0, CN_FIXED_ALL);
    s.block = scene_box(s.w, 0.0, 0.1 + gap, 0.2, 0.2, 0.0, 1u << CN_DOF_RZ);
    scene_set_velocity(s.w, s.block, V, 0.0, 0.0);
    return s;
}

// Two points of the face: m dv/dt = -2 eta A / d v.
CN_TEST(sliding_decays_as_on_paper)
{
    for (int k = 0; k < 2; k++) {
        double theta = k == 0 ? 0.5 : 1.0, h = 1e-3, t = 0.1;
        sled s = make_sled(theta, 0.0, 0.0, 9.81);
        double mass = cn_world_view(s.w).mass[1];
        double rate = 2.0 * VISCOSITY * AREA / THICKNESS / mass;
        CN_TRUE(scene_run(s.w, h, 100) == 0);
        double kept = (1.0 - (1.0 - theta) * h * rate) / (1.0 + theta * h * rate);
        double v = scene_state(s.w, s.block).velocity[0];
        CN_NEAR(v, V * pow(kept, 100.0), 1e-9, "the scheme, to the accuracy of the solver");
        CN_NEAR(v, V * exp(-rate * t), (k == 0 ? 1e-3 : 5e-2) * V, "order 2, order 1");
        const cn_ledger *ledger = cn_world_view(s.w).ledger;
        CN_NEAR(ledger->total[CN_ENERGY_VISCOUS] + ledger->total[CN_ENERGY_THETA],
                0.5 * mass * (V * V - v * v), 1e-9, "what is lost went to the film");
        CN_NEAR(ledger->error_max, 0.0, 1e-10, "it closes");
        cn_world_destroy(s.w);
    }
}

// Within the thickness it acts without touch, beyond it does not.
CN_TEST(it_acts_within_its_thickness)
{
    for (int k = 0; k < 2; k++) {
        sled s = make_sled(0.5, 0.5, k == 0 ? 0.8 * THICKNESS : 1.2 * THICKNESS, 0.0);
        CN_TRUE(scene_run(s.w, 1e-3, 50) == 0);
        double v = scene_state(s.w, s.block).velocity[0];
        if (k == 0) {
            double rate = 2.0 * VISCOSITY * AREA / THICKNESS / cn_world_view(s.w).mass[1];
            CN_NEAR(v, V * exp(-rate * 0.05), 1e-5 * V, "(rate h)^2");
            CN_TRUE(v < 0.99 * V);
        } else {
            CN_NEAR(v, V, 0.0, "no film, no touch");
        }
        cn_world_destroy(s.w);
    }
}

// Beside it dry friction acts as ever: at rest the film bears nothing.
CN_TEST(friction_acts_beside_it)
{
    sled s = make_sled(0.5, 0.5, 0.0, 9.81);
    double mass = cn_world_view(s.w).mass[1];
    double rate = 2.0 * VISCOSITY * AREA / THICKNESS / mass, h = 1e-4, t = 1e-2;
    CN_TRUE(scene_run(s.w, h, 100) == 0);
    double dry = 0.5 * 9.81 / rate, v = (V + dry) * exp(-rate * t) - dry;
    CN_NEAR(scene_state(s.w, s.block).velocity[0], v, 1e-4 * V, "m dv/dt = -c v - mu m g");
    CN_TRUE(scene_run(s.w, h, 1500) == 0);
    CN_NEAR(scene_state(s.w, s.block).velocity[0], 0.0, 1e-9, "it stops");
    cn_force_def push = {
        .body = s.block, .direction = {1.0, 0.0}, .f = {.c = 0.49 * mass * 9.81}, .t0 = NAN};
    CN_DO(cn_force_add(s.w, &push, &test_error));
    CN_TRUE(scene_run(s.w, h, 100) == 0);
    CN_NEAR(scene_state(s.w, s.block).velocity[0], 0.0, 1e-9, "friction holds it");
    cn_world_destroy(s.w);
}

// Carreau: the speed of a slope is that at which the film bears the weight along it (4.55), and the
// ledger closes whatever the accuracy of the step.
CN_TEST(a_film_that_thins_finds_its_speed)
{
    cn_law_def law = cn_law_default("film");
    CN_DO(cn_law_set(&law, "viscosity", 100.0, &test_error));
    CN_DO(cn_law_set(&law, "relaxation_time", 1.0, &test_error));
    CN_DO(cn_law_set(&law, "exponent", 0.5, &test_error));
    CN_DO(cn_law_set(&law, "thickness", THICKNESS, &test_error));
    CN_DO(cn_law_set(&law, "area", AREA, &test_error));
    cn_world_def def = cn_world_def_default();
    def.gravity[0] = 0.5;
    def.gravity[1] = -9.0;
    def.solver.eps_v = 1e-6;
    cn_world *w = scene_world_with(&def, &law);
    scene_box(w, 0.0, -0.5, 4.0, 1.0, 0.0, CN_FIXED_ALL);
    cn_body_id block = scene_box(w, 0.0, 0.1, 0.2, 0.2, 0.0, 1u << CN_DOF_RZ);
    CN_TRUE(scene_run(w, 5e-3, 2000) == 0);
    double v = scene_state(w, block).velocity[0], rate = v / THICKNESS;
    double bears = 2.0 * AREA * 100.0 * pow(1.0 + rate * rate, -0.25) * rate;
    CN_NEAR(bears / (0.5 * cn_world_view(w).mass[1]), 1.0, 1e-5, "it no longer gains speed");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "it closes");
    cn_world_destroy(w);
}

// What cannot be a film that thins is refused.
CN_TEST(films_that_make_no_sense_are_refused)
{
    static const struct {
        const char *name[2];
        double value[2];
        const char *message;
    } bad[] = {
        {{"exponent", NULL}, {0.5, 0.0}, "relaxation_time"},
        {{"viscosity_fast", "relaxation_time"}, {1.0, 1.0}, "viscosity_fast"},
    };
    cn_world_def def = cn_world_def_default();
    for (int k = 0; k < 2; k++) {
        cn_law_def law = cn_law_default("film");
        cn_world *w = NULL;
        int number;
        CN_DO(cn_world_create(&def, &w, &test_error));
        for (int n = 0; n < 2 && bad[k].name[n] != NULL; n++) {
            CN_DO(cn_law_set(&law, bad[k].name[n], bad[k].value[n], &test_error));
        }
        CN_TRUE(cn_law_add(w, &law, &number, &test_error) == CN_BAD_INPUT);
        CN_TRUE(strstr(test_error.text, bad[k].message) != NULL);
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(sliding_decays_as_on_paper); CN_RUN(it_acts_within_its_thickness);
        CN_RUN(friction_acts_beside_it); CN_RUN(a_film_that_thins_finds_its_speed);
        CN_RUN(films_that_make_no_sense_are_refused);)
