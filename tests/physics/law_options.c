// What laws can do besides: glue that breaks, overlap that is given back, contacts that stick for a
// time, wet contacts that give or bounce.
#include "scenes.h"
#include "test.h"

static const double G_E = 9.81, R = 0.1, H = 1e-3; // gravity [m/s2], radius [m], step [s]

typedef struct ball {
    cn_world *w;
    cn_body_id id;
    double mass;
} ball;

// A disk over a ground that leans, at a gap from it; `g` along -y.
static ball put(const cn_law_def *law, double g, double gap, double lean)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = -g;
    def.solver.eps_v = def.solver.tol = 1e-13;
    ball b = {.w = scene_world_with(&def, law)};
    scene_ground(b.w, 0.0, 0.0, lean);
    double far = R + gap;
    b.id = scene_disk(b.w, -far * sin(lean), far * cos(lean), R, 1u << CN_DOF_RZ);
    b.mass = scene_state(b.w, b.id).mass;
    return b;
}

static cn_law_def law_of(const char *type, int count, const char *const *name, const double *value)
{
    cn_law_def law = cn_law_default(type);
    for (int k = 0; k < count; k++) {
        CN_DO(cn_law_set(&law, name[k], value[k], &test_error));
    }
    return law;
}

static void end(ball *b)
{
    CN_NEAR(cn_world_view(b->w).ledger->error_max, 0.0, 1e-10, "the ledger closes");
    cn_world_destroy(b->w);
}

// Hung by its glue: what bears less than the weight breaks at the end of a step, for good.
CN_TEST(glue_breaks_beyond_its_strength)
{
    const double weight = CN_PI * R * R * 1000.0 * G_E;
    for (int k = 0; k < 2; k++) {
        cn_law_def law = law_of("glue", 1, (const char *[]){"strength"},
                                (double[]){(k == 0 ? 1.01 : 0.99) * weight});
        ball b = put(&law, -G_E, 0.0, 0.0);
        CN_NEAR(b.mass * G_E, weight, 1e-9, "density 1000");
        CN_TRUE(scene_run(b.w, H, 20) == 0);
        double v = scene_state(b.w, b.id).velocity[1];
        CN_NEAR(v, k == 0 ? 0.0 : 19.0 * H * G_E, 1e-9, "it is held for one step, then falls");
        end(&b);
    }
}

CN_TEST(overlap_may_be_given_back)
{
    for (int k = 0; k < 2; k++) {
        cn_law_def law = law_of("coulomb", 2, (const char *[]){"restore", "tolerance"},
                                (double[]){k == 0 ? 0.0 : 30.0, k == 0 ? 0.0 : 1e-4});
        ball b = put(&law, G_E, -1e-3, 0.0);
        CN_TRUE(scene_run(b.w, H, 1000) == 0);
        double depth = R - scene_state(b.w, b.id).position[1];
        CN_NEAR(depth, k == 0 ? 1e-3 : 1e-4, 1e-5, "down to the tolerance, without a hop");
        end(&b);
    }
    cn_law_def law = law_of("coulomb", 1, (const char *[]){"restore"}, (double[]){5.0});
    cn_world *w = scene_world(0.0, 0.0, 1e-10);
    int id;
    CN_TRUE(cn_law_add(w, &law, &id, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "10 at least") != NULL);
    cn_world_destroy(w);
}

// On a slope of 45 degrees: at rest for 50 steps, then at g (sin - mu cos).
CN_TEST(a_new_contact_may_stick_for_a_time)
{
    const double mu = 0.2, c = sqrt(0.5);
    cn_law_def law =
        law_of("sliding", 2, (const char *[]){"friction", "hold_time"}, (double[]){mu, 50.0 * H});
    ball b = put(&law, G_E, 0.0, -CN_PI / 4);
    CN_TRUE(scene_run(b.w, H, 49) == 0);
    cn_body_state s = scene_state(b.w, b.id);
    CN_NEAR(hypot(s.velocity[0], s.velocity[1]), 0.0, 1e-9, "it sticks");
    CN_TRUE(scene_run(b.w, H, 51) == 0);
    s = scene_state(b.w, b.id);
    CN_NEAR(hypot(s.velocity[0], s.velocity[1]), G_E * c * (1.0 - mu) * 0.05, 1.1 * G_E * H,
            "it slides since 0.05 s, within a step");
    end(&b);
}

// Hung by a pull of twice its weight: pressed by what is left, and by a dashpot it comes to rest.
CN_TEST(a_wet_contact_may_give)
{
    const double K = 1e6, weight = CN_PI * R * R * 1000.0 * G_E;
    const double damping = 2.0 * sqrt(K * weight / G_E);
    cn_law_def law =
        law_of("wet", 4, (const char *[]){"stiffness", "damping", "cohesion", "distance"},
               (double[]){K, damping, 2.0 * weight, 1e-3});
    ball b = put(&law, -G_E, 0.0, 0.0);
    CN_TRUE(scene_run(b.w, 1e-4, 2000) == 0);
    CN_NEAR(R - scene_state(b.w, b.id).position[1], weight / K, 1e-9, "k d = 2 m g - m g");
    end(&b);
}

CN_TEST(a_wet_contact_may_bounce)
{
    const double e = 0.5, pull = 1.0;
    cn_law_def law =
        law_of("wet", 2, (const char *[]){"restitution", "cohesion"}, (double[]){e, pull});
    ball b = put(&law, 0.0, 1e-3, 0.0);
    scene_set_velocity(b.w, b.id, 0.0, -1.0, 0.0);
    CN_TRUE(scene_run(b.w, H, 10) == 0);
    CN_NEAR(scene_state(b.w, b.id).velocity[1], e, 2.0 * H * pull / b.mass,
            "Newton's law, less the pull of a step or two");
    end(&b);
}

CN_MAIN(CN_RUN(glue_breaks_beyond_its_strength);

        CN_RUN(overlap_may_be_given_back); CN_RUN(a_new_contact_may_stick_for_a_time);
        CN_RUN(a_wet_contact_may_give); CN_RUN(a_wet_contact_may_bounce);)
