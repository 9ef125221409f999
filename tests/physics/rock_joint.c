// Rough joints of rock: shear strength, dilation and energy known on paper.
#include "scenes.h"
#include "test.h"

static const double PHI = CN_PI / 6.0, TEETH = CN_PI / 12.0; // [rad]
static const double MASS_FORCE = 1e4, SIDE = 0.2;            // pressure of 2.5e5 Pa [N, m]

typedef struct box {
    cn_world *w;
    cn_body_id block;
    double mass;
} box;

static cn_law_def patton(double shear_off)
{
    cn_law_def law = cn_law_default("rock_joint");
    CN_DO(cn_law_set_word(&law, "model", "patton", &test_error));
    CN_DO(cn_law_set(&law, "phi_r", PHI, &test_error));
    CN_DO(cn_law_set(&law, "asperity_angle", TEETH, &test_error));
    CN_DO(cn_law_set(&law, "shear_off", shear_off, &test_error));
    return law;
}

static void push(box *x, const double direction[3], double force)
{
    cn_force_def def = {.body = x->block,
                        .direction = {direction[0], direction[1], direction[2]},
                        .f = {.c = force},
                        .t0 = NAN};
    CN_DO(cn_force_add(x->w, &def, &test_error));
}

// A block that does not turn on one that is held, in space, pressed.
static box make_box(const cn_law_def *law, bool turns)
{
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.solver.eps_v = 1e-10;
    box x = {.w = scene_world_with(&def, law)};
    const double size[3] = {SIDE, SIDE, SIDE};
    unsigned fixed = turns ? 0 : 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
    scene_block(x.w, (double[3]){0.0, 0.0, -0.5 * SIDE}, size, NULL, CN_FIXED_ALL);
    x.block = scene_block(x.w, (double[3]){0.0, 0.0, 0.5 * SIDE}, size, NULL, fixed);
    x.mass = cn_world_view(x.w).mass[1];
    push(&x, (double[3]){0.0, 0.0, -1.0}, MASS_FORCE);
    return x;
}

static void throw(const box *x, double vx, double vy)
{
    cn_body_state s = scene_state(x->w, x->block);
    s.velocity[0] = vx;
    s.velocity[1] = vy;
    CN_DO(cn_body_set(x->w, x->block, &s, &test_error));
}

static double ledger_error(const box *x)
{
    return cn_world_view(x->w).ledger->error_max;
}

// Across its tangents: below tan(phi + i) N it holds; above it slides up the flank, where along it
// m a = F cos i - N sin i - tan(phi) (N cos i + F sin i).
CN_TEST(it_rides_up_its_teeth)
{
    cn_law_def law = patton(0.0);
    double N = MASS_FORCE, limit = N * tan(PHI + TEETH);
    for (int k = 0; k < 2; k++) {
        box x = make_box(&law, false);
        double F = (k == 0 ? 0.999 : 1.05) * limit;
        push(&x, (double[3]){0.6, 0.8, 0.0}, F);
        CN_TRUE(scene_run(x.w, 1e-4, 100) == 0);
        cn_body_state s = scene_state(x.w, x.block);
        double way = hypot(s.position[0], s.position[1]), lift = s.position[2] - 0.5 * SIDE;
        if (k == 0) {
            CN_NEAR(way, 0.0, 1e-9, "it holds");
        } else {
            double along = F * cos(TEETH) - N * sin(TEETH);
            double across = N * cos(TEETH) + F * sin(TEETH);
            double a = (along - tan(PHI) * across) / x.mass, t = 1e-2;
            CN_NEAR(way / cos(TEETH), 0.5 * a * t * t, 5e-3 * a * t * t,
                    "of the first step only friction is known: 1 % of 100 steps");
            CN_NEAR(lift, tan(TEETH) * way, 2e-3 * way, "less the first step");
            CN_NEAR(s.position[1] / s.position[0], 0.8 / 0.6, 1e-9, "along the force");
        }
        CN_NEAR(ledger_error(&x), 0.0, 1e-10, "it closes");
        cn_world_destroy(x.w);
    }
}

// Pushed back it slides down its teeth, at less than it took up, and fits again.
CN_TEST(it_comes_back_to_where_it_fits)
{
    cn_law_def law = patton(0.0);
    box x = make_box(&law, false);
    double N = MASS_FORCE, v = 0.05;
    throw(&x, v, 0.0);
    push(&x, (double[3]){1.0, 0.0, 0.0}, N * tan(PHI + TEETH));
    CN_TRUE(scene_run(x.w, 1e-4, 200) == 0);
    double top = scene_state(x.w, x.block).position[2];
    CN_TRUE(top > 0.5 * SIDE + 2e-4);
    cn_loads_clear(x.w);
    push(&x, (double[3]){0.0, 0.0, -1.0}, N);
    CN_TRUE(scene_run(x.w, 1e-4, 50) == 0); // friction stops it on the flank: phi > i
    double held = scene_state(x.w, x.block).position[2];
    push(&x, (double[3]){-1.0, 0.0, 0.0}, 0.98 * N * tan(PHI - TEETH));
    CN_TRUE(scene_run(x.w, 1e-4, 100) == 0);
    CN_NEAR(scene_state(x.w, x.block).position[2], held, 1e-9, "tan(phi - i) N holds it");
    push(&x, (double[3]){-1.0, 0.0, 0.0}, 0.12 * N * tan(PHI - TEETH));
    int n = 0;
    while (scene_state(x.w, x.block).position[0] > 0.0 && n++ < 2000) {
        CN_TRUE(scene_run(x.w, 1e-4, 1) == 0);
    }
    cn_body_state s = scene_state(x.w, x.block);
    CN_NEAR(s.position[2], 0.5 * SIDE, 2.0 * 1e-4 * fabs(s.velocity[0]) + 1e-5,
            "a step of its speed, and the first step up");
    CN_NEAR(ledger_error(&x), 0.0, 1e-10, "it closes");
    cn_world_destroy(x.w);
}

// Sheared teeth stay sheared, and what is left is phi.
CN_TEST(teeth_that_are_sheared_off_do_not_grow)
{
    cn_law_def law = patton(2e5);
    box x = make_box(&law, false);
    CN_TRUE(scene_run(x.w, 1e-4, 2) == 0);
    cn_loads_clear(x.w);
    push(&x, (double[3]){0.0, 0.0, -1.0}, 1e3);
    push(&x, (double[3]){1.0, 0.0, 0.0}, 1.01e3 * tan(PHI));
    CN_TRUE(scene_run(x.w, 1e-4, 100) == 0);
    cn_body_state s = scene_state(x.w, x.block);
    CN_TRUE(s.velocity[0] > 0.0);
    CN_NEAR(s.position[2], 0.5 * SIDE, 1e-12, "no lift");
    cn_world_destroy(x.w);
}

// A free block on a rough slope, thrown about: contacts give nothing, and a restart in the middle
// of the way changes no bit.
CN_TEST(a_restart_changes_no_bit)
{
    cn_law_def law = cn_law_default("rock_joint");
    CN_DO(cn_law_set(&law, "phi_r", PHI, &test_error));
    CN_DO(cn_law_set(&law, "JRC", 8.0, &test_error));
    CN_DO(cn_law_set(&law, "JCS", 50e6, &test_error));
    CN_DO(cn_law_set(&law, "peak_slip", 1e-3, &test_error));
    box x[2];
    for (int k = 0; k < 2; k++) {
        x[k] = make_box(&law, true);
        throw(&x[k], 0.4, 0.3);
    }
    for (int n = 0; n < 200; n++) {
        if (n == 77) {
            const cn_state_part *part;
            int count;
            CN_DO(cn_world_state(x[0].w, &part, &count, &test_error));
            CN_DO(cn_world_restore(x[1].w, part, count, &test_error));
        }
        CN_TRUE(scene_run(x[0].w, 1e-4, 1) == 0);
        CN_TRUE(n < 77 || scene_run(x[1].w, 1e-4, 1) == 0);
    }
    cn_view a = cn_world_view(x[0].w), b = cn_world_view(x[1].w);
    CN_TRUE(memcmp(a.q, b.q, sizeof(double) * 7 * (size_t)a.body_count) == 0);
    CN_TRUE(memcmp(a.v, b.v, sizeof(double) * 6 * (size_t)a.body_count) == 0);
    CN_NEAR(ledger_error(&x[0]), 0.0, 1e-10, "it closes");
    cn_world_destroy(x[0].w);
    cn_world_destroy(x[1].w);
}

CN_TEST(what_does_not_fit_is_refused)
{
    static const struct {
        const char *model;
        double phi, JRC, JCS, angle;
        const char *said;
    } bad[] = {{"barton", PHI, 5.0, 0.0, 0.0, "needs JCS"},
               {"barton", PHI, 5.0, 1e6, 0.1, "belong to model: patton"},
               {"patton", PHI, 0.0, 0.0, 0.0, "needs an asperity_angle"},
               {"patton", PHI, 5.0, 1e6, 0.1, "belong to model: barton"},
               {"patton", 1.0, 0.0, 0.0, 0.3, "70 degrees"}};
    cn_world_def def = cn_world_def_default();
    cn_world *w;
    CN_DO(cn_world_create(&def, &w, &test_error));
    for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++) {
        cn_law_def law = cn_law_default("rock_joint");
        int number;
        CN_DO(cn_law_set_word(&law, "model", bad[k].model, &test_error));
        CN_DO(cn_law_set(&law, "phi_r", bad[k].phi, &test_error));
        CN_DO(cn_law_set(&law, "JRC", bad[k].JRC, &test_error));
        CN_DO(cn_law_set(&law, "JCS", bad[k].JCS, &test_error));
        CN_DO(cn_law_set(&law, "asperity_angle", bad[k].angle, &test_error));
        CN_TRUE(cn_law_add(w, &law, &number, &test_error) == CN_BAD_INPUT);
        CN_TRUE(strstr(test_error.text, bad[k].said) != NULL);
    }
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(it_rides_up_its_teeth); CN_RUN(it_comes_back_to_where_it_fits);
        CN_RUN(teeth_that_are_sheared_off_do_not_grow); CN_RUN(a_restart_changes_no_bit);
        CN_RUN(what_does_not_fit_is_refused);)
