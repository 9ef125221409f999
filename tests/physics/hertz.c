// L12: two steel balls meet by Hertz's law.
#include "scenes.h"
#include "test.h"

static const double R = 10e-3, E = 210e9, NU = 0.3, DENSITY = 7800.0;

static cn_world *world_of_law(double mu, bool gives)
{
    cn_law_def law = cn_law_default("hertz");
    CN_DO(cn_law_set(&law, "friction", mu, &test_error));
    CN_DO(cn_law_set_word(&law, "tangential", gives ? "mindlin" : "rigid", &test_error));
    CN_DO(cn_law_set(&law, "young", E, &test_error));
    CN_DO(cn_law_set(&law, "poisson", NU, &test_error));
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = 0.0;
    def.solver.eps_v = 1e-10;
    return scene_world_with(&def, &law);
}

static cn_world *world_of(void)
{
    return world_of_law(0.0, false);
}

static cn_body_id ball_at(cn_world *w, double z, unsigned fixed)
{
    cn_solid_def sphere = {.kind = CN_SOLID_SPHERE, .radius = R};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &sphere},
                       .density = DENSITY,
                       .at = {0.0, 0.0, z},
                       .fixed = fixed};
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static void throw_up(cn_world *w, cn_body_id id, double speed)
{
    cn_body_state state = scene_state(w, id);
    state.velocity[2] = speed;
    CN_DO(cn_body_set(w, id, &state, &test_error));
}

typedef struct impact {
    double deepest, force, duration, restitution, error;
    double slowed; // speed of approach after 16 us, on the way in [m/s]
} impact;

static impact meet(double h)
{
    cn_world *w = world_of();
    cn_body_id a = ball_at(w, -R, 0), b = ball_at(w, R, 0);
    throw_up(w, a, 0.5);
    throw_up(w, b, -0.5);
    impact x = {0};
    double deepest_before = 0.0;
    for (int n = 0; n < (int)lround(80e-6 / h); n++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        cn_view view = cn_world_view(w);
        double apart = scene_state(w, b).position[2] - scene_state(w, a).position[2];
        double depth = 2.0 * R - apart;
        double r = view.contact_count > 0 ? view.contact[0].r[0] : 0.0;
        if (n + 1 == lround(16e-6 / h)) {
            x.slowed = scene_state(w, a).velocity[2] - scene_state(w, b).velocity[2];
        }
        x.deepest = fmax(x.deepest, depth);
        x.force = fmax(x.force, r / h);
        if (deepest_before > 0.0 && depth <= 0.0) { // where the line between two steps is zero
            x.duration = h * (n + deepest_before / (deepest_before - depth));
        }
        deepest_before = depth;
    }
    x.restitution = scene_state(w, b).velocity[2] - scene_state(w, a).velocity[2];
    x.error = cn_world_view(w).ledger->error_max;
    cn_world_destroy(w);
    return x;
}

// A ball that does not turn is pressed on a held one and thrown aside.
static double swing(double mu, double speed, double *force, double *lost)
{
    const double N = 1000.0, h = 2e-7;
    cn_world *w = world_of_law(mu, true);
    const unsigned turns = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ | 1u << CN_DOF_Z;
    double k = 4.0 / 3.0 * 0.5 * E / (1.0 - NU * NU) * sqrt(0.5 * R);
    double depth = pow(N / k, 2.0 / 3.0);
    ball_at(w, -R, CN_FIXED_ALL);
    cn_body_id ball = ball_at(w, R - depth, turns); // at its depth, which guides keep
    cn_body_state s = scene_state(w, ball);
    s.velocity[0] = 0.6 * speed;
    s.velocity[1] = 0.8 * speed;
    CN_DO(cn_body_set(w, ball, &s, &test_error));
    double farthest = 0.0;
    for (int n = 0; n < 400; n++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        s = scene_state(w, ball);
        const cn_contact *x = &cn_world_view(w).contact[0];
        farthest = fmax(farthest, hypot(s.position[0], s.position[1]));
        *force = fmax(*force, hypot(x->r[1], x->r[2]) / h);
    }
    *lost = cn_world_view(w).ledger->total[CN_ENERGY_FRICTION];
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(w);
    return farthest;
}

// A half swing of a mass on a spring, v sqrt(m/K_t) far, without loss; with less friction than the
// force at its end, mu N at most and the rest lost.
CN_TEST(balls_give_along_their_surface)
{
    const double k_t = 0.823529 * 1.5 * 1000.0 / 20.368181e-6, v = 1e-3;
    const double m = DENSITY * 4.0 / 3.0 * CN_PI * R * R * R;
    double force = 0.0, lost = 0.0, far = swing(0.5, v, &force, &lost);
    CN_NEAR(far, v * sqrt(m / k_t), 2e-3 * far, "the depth varies by v^2/(2 R) alone");
    CN_NEAR(force, v * sqrt(m * k_t), 2e-3 * force, "mean forces of steps of T/500");
    CN_NEAR(lost, 0.0, 1e-9 * m * v * v, "it sticks all the way");
    double mu = 0.5 * force / 1000.0;
    double most = 0.0;
    swing(mu, v, &most, &lost);
    CN_NEAR(most, mu * 1000.0, 2e-3 * most, "friction ends it");
    CN_TRUE(lost > 0.1 * m * v * v);
}

CN_TEST(balls_bounce_as_hertz_has_it)
{
    impact x = meet(0.2e-6), coarse = meet(1.6e-6), fine = meet(0.8e-6), finer = meet(0.4e-6);
    CN_NEAR(x.deepest, 20.389033e-6, 0.002 * 20.4e-6, "L12: 300 steps of the contact time");
    CN_NEAR(x.force, 1001.536, 0.002 * 1001.5, "likewise");
    CN_NEAR(x.duration, 60.010532e-6, 0.005 * 60e-6, "likewise");
    CN_NEAR(x.restitution, 1.0, 1e-8, "nothing is lost");
    CN_NEAR(coarse.restitution, 1.0, 1e-8, "whatever the step");
    CN_NEAR(x.error, 0.0, 1e-10, "it closes");
    double from = coarse.slowed - fine.slowed, to = fine.slowed - finer.slowed;
    CN_TRUE(log2(fabs(from / to)) > 1.8); // of second order
}

// A ball on another that is held, under a force; the mass takes its part of a damped second.
CN_TEST(balls_rest_as_deep_as_they_are_pressed)
{
    cn_world *w = world_of();
    CN_DO(cn_world_set_scheme(w, 1.0, 0.0, &test_error)); // springs settle
    ball_at(w, -R, CN_FIXED_ALL);
    cn_body_id b = ball_at(w, R, CN_FIXED_ALL & ~(1u << CN_DOF_Z));
    cn_force_def load = {.body = b, .direction = {0.0, 0.0, -1.0}, .f = {.c = 1000.0}, .t0 = NAN};
    CN_DO(cn_force_add(w, &load, &test_error));
    CN_TRUE(scene_run(w, 1e-4, 200) == 0);
    CN_NEAR(R - scene_state(w, b).position[2], 20.368181e-6, 1e-12, "digits of the reference");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(balls_give_along_their_surface); CN_RUN(balls_bounce_as_hertz_has_it);
        CN_RUN(balls_rest_as_deep_as_they_are_pressed);)
