// The laws with springs: one step as on paper, energy kept by the spring and taken by the dashpot.
#include "scenes.h"
#include "strict.h"
#include "test.h"

static const double G_E = 9.81, K = 2e5, MU = 0.6; // gravity [m/s2], stiffness [N/m], friction [-]

static cn_law_def spring(const char *type, double eta)
{
    cn_law_def law = cn_law_default(type);
    CN_DO(cn_law_set(&law, "stiffness", K, &test_error));
    CN_DO(cn_law_set(&law, "friction", MU, &test_error));
    if (strcmp(type, "viscoelastic") == 0) {
        CN_DO(cn_law_set(&law, "damping", eta, &test_error));
    }
    return law;
}

static cn_world *world(const cn_law_def *law, double theta, double gamma)
{
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = def.solver.tol = 1e-13;
    def.theta = theta;
    def.gamma = gamma;
    cn_world *w = scene_world_with(&def, law);
    scene_ground(w, 0.0, 0.0, 0.0);
    return w;
}

// m (v+ - v) = -h (m g + k g_mean + eta v_mean), v_mean = theta v+ + (1 - theta) v and
// g_mean = gap + theta h v_mean (4.19), (4.22). The disk also slides, with friction on that
// impulse.
static void check_step(const char *type, double eta, double theta, double gamma)
{
    const double h = 2e-3, gap = -1e-3, v = -0.3, slide = 2.0, R = 0.1;
    cn_law_def law = spring(type, eta);
    cn_world *w = world(&law, theta, gamma);
    cn_body_id disk = scene_disk(w, 0.0, R + gap, R, 0);
    double m = scene_state(w, disk).mass;
    scene_set_velocity(w, disk, slide, v, 0.0);
    scene_run(w, h, 1);
    double pushed = K * (gap + theta * (1.0 - theta) * h * v) + eta * (1.0 - theta) * v;
    double v_end = (v - h * G_E - h / m * pushed) / (1.0 + h / m * theta * (K * theta * h + eta));
    double v_mean = theta * v_end + (1.0 - theta) * v;
    double r = m * (v_end - v + h * G_E);
    cn_body_state s = scene_state(w, disk);
    CN_NEAR(s.velocity[1], v_end, 1e-12, "one linear equation");
    CN_NEAR(s.velocity[0], slide - MU * r / m, 1e-12, "slides by far");
    const cn_ledger *ledger = cn_world_view(w).ledger;
    double end = gap + h * v_mean;
    CN_NEAR(ledger->step[CN_ENERGY_STORAGE], 0.5 * K * (end * end - gap * gap), 1e-10,
            "the spring");
    CN_NEAR(ledger->step[CN_ENERGY_VISCOUS], h * eta * v_mean * v_mean, 1e-11, "the dashpot");
    CN_TRUE(ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

CN_TEST(a_step_is_that_of_spring_and_dashpot)
{
    for (int k = 0; k < 3; k++) {
        double theta = 0.5 + 0.25 * k;
        check_step("elastic", 0.0, theta, 1.0 - theta);
        check_step("elastic", 0.0, theta, 0.1);
        check_step("viscoelastic", 0.0, theta, 1.0 - theta);
        check_step("viscoelastic", 90.0, theta, 1.0 - theta);
        check_step("viscoelastic", 90.0, theta, 0.1);
    }
}

// Thrown down on the spring it comes back: with theta = 1/2 all energy of the bounce returns. A
// dashpot of eta = 2 zeta sqrt(k m) leaves exp(-pi zeta / sqrt(1 - zeta^2)) of the speed, less what
// the law, which never pulls, does not take at the end.
static double bounce(const cn_law_def *law, double h)
{
    const double R = 0.1, SPEED = 0.5; // in by 3 % of the disk: more than half is held (6.8)
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = def.solver.tol = 1e-13;
    def.gravity[1] = 0.0;
    cn_world *w = scene_world_with(&def, law);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id disk = scene_disk(w, 0.0, R + 1e-12, R, 0);
    scene_set_velocity(w, disk, 0.0, -SPEED, 0.0);
    for (int n = 0; n < 100000 && (n < 2 || cn_world_view(w).certificate->active_count > 0); n++) {
        scene_run(w, h, 1);
    }
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    double v = scene_state(w, disk).velocity[1] / SPEED;
    cn_world_destroy(w);
    return v;
}

CN_TEST(springs_give_back_and_dashpots_take)
{
    cn_law_def law = spring("elastic", 0.0);
    double m = 0.0; // of the disk
    {
        cn_world *w = scene_world(0.0, 0.0, 1e-8);
        m = scene_state(w, scene_disk(w, 0.0, 1.0, 0.1, 0)).mass;
        cn_world_destroy(w);
    }
    double h = 1e-3 * sqrt(m / K);
    CN_NEAR(bounce(&law, h), 1.0, 2e-3, "the first and the last step are in contact in part");
    const double zeta = 0.2;
    law = spring("viscoelastic", 2.0 * zeta * sqrt(K * m));
    double damped = sqrt(1.0 - zeta * zeta),
           angle = atan2(2.0 * zeta * damped, 2.0 * zeta * zeta - 1.0);
    CN_NEAR(
        bounce(&law, h), exp(-zeta * angle / damped), 2e-3,
        "parts when the force is zero: tan(omega t) = 2 zeta sqrt(1 - zeta^2) / (2 zeta^2 - 1)");
}

// A disk that is already 0.3 of its size L in the ground and goes on by 0.3 L in a step. Alone,
// with k h^2/m = K, the spring leaves it h v+ = (K 0.3 - 0.3 (1 - K/4)) L / (1 + K/4), and at the
// middle of the next step 0.45 L - h v+ deep. More than L/2 is too much for a spring (6.8), which
// is so below K = 0.25/0.3875: the contact is rigid and takes the velocity.
CN_TEST(springs_that_a_step_cannot_resolve_are_held)
{
    const double h = 1e-2, R = 0.1, L = 2.0 * R, limit = 0.25 / 0.3875;
    for (int k = 0; k < 2; k++) {
        double stiff = k == 0 ? 0.99 * limit : 1.01 * limit;
        cn_law_def law = cn_law_default("elastic");
        cn_world_def def = cn_world_def_default();
        def.gravity[1] = 0.0;
        def.solver.eps_v = def.solver.tol = 1e-13;
        double mass = CN_PI * R * R; // per density 1
        CN_DO(cn_law_set(&law, "stiffness", stiff * mass / (h * h), &test_error));
        cn_world *w = scene_world_with(&def, &law);
        const cn_shape_def shape = {.kind = CN_SHAPE_DISK, .radius = R};
        const cn_body_def body = {.shapes = {1, &shape},
                                  .density = 1.0,
                                  .at = {0.0, R - 0.3 * L},
                                  .velocity = {0.0, -0.3 * L / h}};
        cn_body_id disk;
        scene_ground(w, 0.0, 0.0, 0.0);
        CN_DO(cn_body_add(w, &body, &disk, &test_error));
        CN_DO(test_step(w, h, &test_error));
        double free = (0.3 * stiff - 0.3 * (1.0 - 0.25 * stiff)) / (1.0 + 0.25 * stiff);
        CN_TRUE(cn_world_view(w).certificate->held_rigid == (k == 0));
        CN_NEAR(scene_state(w, disk).velocity[1] * h / L, k == 0 ? 0.0 : free, 1e-12,
                "one linear equation, solved to 1e-13");
        cn_world_destroy(w);
    }
}

// A heavy ball throws a light one at 30 m/s, 0.3 m in a step, onto a third that was out of its
// reach. Springs let them into each other by half of what they are thick and then give way (6.8):
// the light one does not get past the third, and is out of it one step later.
CN_TEST(what_is_thrown_does_not_pass_through_springs)
{
    const double h = 1e-2, R = 0.1, v = 30.0, x[3] = {0.0, 2.0 * R, 4.0 * R + 0.08};
    for (int dim = 2; dim <= 3; dim++) {
        cn_law_def law = cn_law_default("elastic");
        cn_world_def def = cn_world_def_default();
        def.dim = dim;
        def.gravity[1] = 0.0;
        CN_DO(cn_law_set(&law, "stiffness", 1.0, &test_error));
        cn_world *w = scene_world_with(&def, &law);
        const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = R};
        const cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = R};
        cn_body_id id[3];
        for (int k = 0; k < 3; k++) {
            cn_body_def body = {.rotation = {1.0},
                                .density = k == 0 ? 1e6 : 1.0,
                                .at = {x[k]},
                                .velocity = {k == 0 ? v : 0.0}};
            scene_part(&body, dim, &disk, &ball);
            CN_DO(cn_body_add(w, &body, &id[k], &test_error));
        }
        for (int k = 0; k < 3; k++) {
            CN_DO(test_step(w, h, &test_error));
            double first = scene_state(w, id[0]).position[0];
            double second = scene_state(w, id[1]).position[0];
            double third = scene_state(w, id[2]).position[0];
            CN_TRUE(second - first > R && third - second > (k == 0 ? 0.0 : R)); // 0.065 m at first
        }
        cn_world_destroy(w);
    }
}

// A disk meets the spring anywhere in a step, however long that is: with theta = 1/2 it leaves with
// the energy that it had, less what is damped or crushed. (The spring of the mean gap gave up to
// three times as much.)
CN_TEST(no_step_is_too_long_for_a_bounce)
{
    static const char *const type[] = {"elastic", "hertz", "viscoelastic", "crush"};
    const double R = 0.1, SPEED = 0.5;
    for (int k = 0; k < 4 * 4 * 5; k++) {
        cn_law_def law = k % 4 == 1 ? cn_law_default("hertz") : spring(type[k % 4], 1.0);
        if (k % 4 == 1) {
            CN_DO(cn_law_set(&law, "young", 1e6, &test_error));
        } else if (k % 4 == 3) {
            CN_DO(cn_law_set(&law, "stiffness_unloading", 1.5 * K, &test_error));
        }
        cn_world_def def = cn_world_def_default();
        def.solver.eps_v = def.solver.tol = 1e-10;
        def.gravity[1] = 0.0;
        cn_world *w = scene_world_with(&def, &law);
        scene_ground(w, 0.0, 0.0, 0.0);
        double h = 0.05 * pow(0.5, k / 4 % 4), gap = 0.01 * (1 + k / 16);
        cn_body_id disk = scene_disk(w, 0.0, R + gap, R, 0);
        scene_set_velocity(w, disk, 0.0, -SPEED, 0.0);
        scene_run(w, h, 100);
        const cn_ledger *ledger = cn_world_view(w).ledger;
        double lost = ledger->total[CN_ENERGY_VISCOUS] + ledger->total[CN_ENERGY_PLASTIC];
        double T = 0.5 * scene_state(w, disk).mass * SPEED * SPEED;
        CN_TRUE(scene_state(w, disk).velocity[1] > 0.0);
        CN_NEAR(ledger->kinetic, T - lost, 1e-6 * T, "a velocity error of 1e-10 of a stiff spring");
        CN_NEAR(ledger->error_max, 0.0, 1e-10, "it closes");
        CN_TRUE(k % 4 < 2 ? fabs(lost) == 0.0 : lost > 0.0);
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(a_step_is_that_of_spring_and_dashpot); CN_RUN(springs_give_back_and_dashpots_take);
        CN_RUN(no_step_is_too_long_for_a_bounce);
        CN_RUN(springs_that_a_step_cannot_resolve_are_held);
        CN_RUN(what_is_thrown_does_not_pass_through_springs);)
