// Friction that changes with speed, slip, time at rest, or with rate and state: what is known on
// paper of a block on a plane.
#include "law/friction.h"
#include "scenes.h"
#include "test.h"

static const double MASS = 2.0, G = 9.81;

// A block of 2 kg that rests on a plane, and a grip ahead that pulls it through a spring.
typedef struct sledge {
    cn_world *w;
    cn_body_id block, grip;
} sledge;

static sledge make_sledge(const cn_law_def *law, double stiffness)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = -G;
    def.solver.eps_v = 1e-10;
    sledge s = {.w = scene_world_with(&def, law)};
    double corner[8];
    cn_box_vertices(0.2, 0.1, corner);
    cn_shape_def box = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = corner};
    scene_ground(s.w, 0.0, 0.0, 0.0);
    cn_body_def body = {
        .shapes = {1, &box}, .mass = MASS, .at = {0.0, 0.05}, .fixed = 1u << CN_DOF_RZ};
    CN_DO(cn_body_add(s.w, &body, &s.block, &test_error));
    if (stiffness > 0.0) {
        body.at[0] = 1.0;
        body.at[1] = 0.25;
        body.fixed = CN_FIXED_ALL;
        CN_DO(cn_body_add(s.w, &body, &s.grip, &test_error));
        cn_joint_def spring = {.kind = CN_JOINT_ROD,
                               .body = s.block,
                               .other = s.grip,
                               .at = {0.0, 0.05},
                               .to = {1.0, 0.05},
                               .length = 1.0,
                               .stiffness = stiffness,
                               .damping = 2.0 * sqrt(stiffness * MASS)};
        cn_joint_id id;
        CN_DO(cn_joint_add(s.w, &spring, &id, &test_error));
    }
    return s;
}

static void lead(sledge *s, double v)
{
    cn_loads_clear(s->w);
    cn_drive_def drive = {
        .body = s->grip, .kind = CN_DRIVE_VELOCITY, .dof = CN_DOF_X, .f = {.c = v}, .t0 = NAN};
    CN_DO(cn_drive_add(s->w, &drive, &test_error));
}

static void throw(sledge * s, double v)
{
    scene_set_velocity(s->w, s->block, v, 0.0, 0.0);
}

static double speed(const sledge *s)
{
    return scene_state(s->w, s->block).velocity[0];
}

// Friction of the last step of length h over the weight.
static double coefficient(const sledge *s, double h)
{
    cn_view view = cn_world_view(s->w);
    double sum = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        sum += view.contact[a].r[1];
    }
    return fabs(sum) / (h * MASS * G);
}

static cn_law_def law_of(double friction)
{
    cn_law_def law = cn_law_default("sliding");
    CN_DO(cn_law_set(&law, "friction", friction, &test_error));
    return law;
}

// The coefficient of a step is that of the speed it ends with, weakening or strengthening, also if
// the step is so long that an iteration by itself would not end.
CN_TEST(friction_follows_the_speed)
{
    const double fast[2] = {0.2, 0.9}, scale = 0.1, slow = 0.5;
    for (int k = 0; k < 2; k++) {
        for (double h = 1e-3; h < 0.1; h *= 7.0) {
            cn_law_def law = law_of(slow);
            CN_DO(cn_law_set(&law, "friction_fast", fast[k], &test_error));
            CN_DO(cn_law_set(&law, "velocity_scale", scale, &test_error));
            sledge s = make_sledge(&law, 0.0);
            throw(&s, 0.5);
            for (int n = 0; n < 5; n++) {
                double before = speed(&s);
                CN_TRUE(scene_run(s.w, h, 1) == 0);
                double v = speed(&s), mu = fast[k] + (slow - fast[k]) * exp(-v / scale);
                if (v > 1e-6) {
                    CN_NEAR(before - v, mu * G * h, 1e-6 * G * h, "residual of the law");
                }
            }
            CN_NEAR(cn_world_view(s.w).ledger->error_max, 0.0, 1e-10, "it closes");
            cn_world_destroy(s.w);
        }
    }
}

CN_TEST(what_rests_long_is_held_more)
{
    const double h = 0.01, at_rest = 0.5, B = 0.02, t0 = 0.1;
    for (int n = 10; n <= 1000; n *= 10) {
        cn_law_def law = law_of(0.4);
        CN_DO(cn_law_set(&law, "friction_static", at_rest, &test_error));
        CN_DO(cn_law_set(&law, "ageing", B, &test_error));
        CN_DO(cn_law_set(&law, "ageing_time", t0, &test_error));
        double expected = at_rest + B * log10(1.0 + n * h / t0);
        for (int side = -1; side <= 1; side += 2) {
            sledge s = make_sledge(&law, 0.0);
            CN_TRUE(scene_run(s.w, h, n) == 0);
            cn_force_def force = {.body = s.block,
                                  .direction = {1.0, 0.0, 0.0},
                                  .point = {0.0, -0.05, 0.0},
                                  .f = {.c = (expected + 1e-3 * side) * MASS * G},
                                  .t0 = NAN};
            CN_DO(cn_force_add(s.w, &force, &test_error));
            CN_TRUE(scene_run(s.w, h, 1) == 0);
            CN_TRUE((speed(&s) > 1e-9) == (side > 0));
            cn_world_destroy(s.w);
        }
    }
}

// Pulled through a stiff spring it comes to a steady slide, and answers a tenfold speed at once by
// a ln 10, in the end by (a - b) ln 10.
CN_TEST(rate_and_state_has_both_effects)
{
    const double a = 0.02, b = 0.012, D = 1e-5, v0 = 1e-6, mu0 = 0.6, v = 1e-4, h = 1e-3;
    cn_law_def law = law_of(mu0);
    CN_DO(cn_law_set(&law, "rate", a, &test_error));
    CN_DO(cn_law_set(&law, "state", b, &test_error));
    CN_DO(cn_law_set(&law, "state_distance", D, &test_error));
    CN_DO(cn_law_set(&law, "reference_speed", v0, &test_error));
    sledge s = make_sledge(&law, 1e6);
    lead(&s, v);
    throw(&s, v);
    CN_TRUE(scene_run(s.w, h, 1500) == 0);
    double slow = coefficient(&s, h);
    CN_NEAR(slow, mu0 + (a - b) * log(v / v0), 1e-5, "steady; asinh and log differ by 1e-9");
    lead(&s, 10.0 * v);
    double most = 0.0;
    for (int n = 0; n < 300; n++) {
        CN_TRUE(scene_run(s.w, h, 1) == 0);
        most = fmax(most, coefficient(&s, h));
    }
    CN_TRUE(most - slow > 0.8 * a * log(10.0) && most - slow < a * log(10.0));
    CN_NEAR(coefficient(&s, h), mu0 + (a - b) * log(10.0 * v / v0), 1e-5, "steady again");
    CN_NEAR(cn_world_view(s.w).ledger->error_max, 0.0, 1e-10, "it closes");
    cn_world_destroy(s.w);
}

// A block that would slide at 0.1 m/s without friction, and at less by W for each unit of it: few
// solves find the coefficient, however steeply it rises with the speed, and where that it falls.
CN_TEST(few_solves_find_the_coefficient)
{
    const cn_friction_memory fresh = {0};
    for (int k = 0; k < 3; k++) {
        for (double W = 1e-4; W < 1e3; W *= 10.0) {
            cn_friction f = {.sliding = 0.6, .fast = k == 0 ? 2.0 : 0.1, .velocity_scale = 0.01};
            if (k == 2) {
                f = (cn_friction){.sliding = 0.6,
                                  .rate = 1e-3,
                                  .state = 2e-3,
                                  .speed = 1e-6,
                                  .state_distance = 1e-5};
            }
            cn_friction_search x = {.used = cn_friction_at(&f, &fresh, 0.1, 1e-3)}, next;
            double speed = 0.0, miss = 1.0;
            int count = 0;
            for (; count < 40 && miss > 1e-9 * fmin(W, 0.1) / W; count++) {
                speed = fmax(0.1 - W * x.used, 0.0);
                cn_friction_search_on(&f, &fresh, 1e-3, &x, speed, &next);
                miss = fabs(next.used - x.used);
                x = next;
            }
            CN_TRUE(count < 15);
            speed = fmax(0.1 - W * x.used, 0.0);
            double asked = cn_friction_at(&f, &fresh, speed, 1e-3);
            CN_TRUE(fabs(asked - x.used) < 1e-6 || (speed < 1e-9 && asked <= x.used + 1e-9));
        }
    }
}

CN_TEST(what_does_not_fit_is_refused)
{
    cn_world_def def = cn_world_def_default();
    cn_world *w;
    CN_DO(cn_world_create(&def, &w, &test_error));
    cn_law_def law = law_of(0.5);
    CN_DO(cn_law_set(&law, "rate", 0.01, &test_error));
    CN_DO(cn_law_set(&law, "ageing", 0.01, &test_error));
    int id;
    CN_TRUE(cn_law_add(w, &law, &id, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "rate and state") != NULL);
    law = law_of(0.5);
    CN_DO(cn_law_set(&law, "state", 0.01, &test_error));
    CN_TRUE(cn_law_add(w, &law, &id, &test_error) == CN_BAD_INPUT);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(friction_follows_the_speed); CN_RUN(what_rests_long_is_held_more);
        CN_RUN(rate_and_state_has_both_effects); CN_RUN(few_solves_find_the_coefficient);
        CN_RUN(what_does_not_fit_is_refused);)
