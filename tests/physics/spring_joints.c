// Elastic rods and cables along one line: a step as on paper, and what a slack cable does not do.
#include "scenes.h"
#include "test.h"
#include "world/world.h"

static const double K = 500.0, ETA = 7.0,
                    LENGTH = 1.0; // stiffness [N/m], damping [N s/m], length [m]

static cn_world *world(double theta, double gamma)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.theta = theta;
    def.gamma = gamma;
    def.solver.eps_v = def.solver.tol = 1e-13;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    return scene_world_with(&def, &law);
}

// A disk at `distance` from a point of the world, at the end of a rod or cable along x.
static cn_body_id hang(cn_world *w, cn_joint_kind kind, double distance, double v,
                       cn_joint_id *joint)
{
    cn_body_id disk = scene_disk(w, distance, 0.0, 0.05, 0);
    scene_set_velocity(w, disk, v, 0.0, 0.0);
    cn_joint_def def = {.kind = kind,
                        .body = disk,
                        .at = {distance, 0.0},
                        .to = {0.0, 0.0},
                        .length = LENGTH,
                        .stiffness = K,
                        .damping = ETA};
    CN_DO(cn_joint_add(w, &def, joint, &test_error));
    return disk;
}

// m (v+ - v) = -h (k (gap + theta h v_mean) + eta v_mean), v_mean = theta v+ + (1 - theta) v
// (7.5).
static void check_step(cn_joint_kind kind, double theta, double gamma, double stretch, double v)
{
    const double h = 0.02;
    cn_world *w = world(theta, gamma);
    cn_joint_id joint;
    cn_body_id disk = hang(w, kind, LENGTH + stretch, v, &joint);
    double m = scene_state(w, disk).mass;
    scene_run(w, h, 1);
    double pulled = K * (stretch + theta * (1.0 - theta) * h * v) + ETA * (1.0 - theta) * v;
    double v_end = (v - h / m * pulled) / (1.0 + h / m * theta * (K * theta * h + ETA));
    double v_mean = theta * v_end + (1.0 - theta) * v, end = stretch + h * v_mean;
    cn_joint_state s;
    CN_DO(cn_joint_get(w, joint, &s, &test_error));
    const cn_ledger *ledger = cn_world_view(w).ledger;
    CN_NEAR(scene_state(w, disk).velocity[0], v_end, 1e-11, "one linear equation, solved to 1e-13");
    CN_NEAR(s.impulse[0], m * (v_end - v), 1e-11, "what changed the velocity");
    CN_NEAR(s.position, LENGTH + end, 1e-12, "distance of the ends");
    CN_NEAR(s.speed, v_end, 1e-11, "its rate");
    CN_NEAR(ledger->step[CN_ENERGY_STORAGE], 0.5 * K * (end * end - stretch * stretch), 1e-9,
            "spring");
    CN_NEAR(ledger->step[CN_ENERGY_VISCOUS], h * ETA * v_mean * v_mean, 1e-9, "dashpot");
    CN_TRUE(ledger->error_max < 1e-10);
    CN_TRUE(w->joints.solve_count == 1); // along a line the first shift is that of the step
    cn_world_destroy(w);
}

CN_TEST(a_step_is_that_of_spring_and_dashpot)
{
    for (int k = 0; k < 3; k++) {
        double theta = 0.5 + 0.25 * k;
        check_step(CN_JOINT_ROD, theta, 1.0 - theta, 0.1, -0.4);
        check_step(CN_JOINT_ROD, theta, 0.3, -0.1, -0.4);
        check_step(CN_JOINT_CABLE, theta, 1.0 - theta, 0.1, 0.3);
        check_step(CN_JOINT_CABLE, theta, 0.3, 0.1, 0.3);
    }
}

// Slack, with a dashpot: no force, no heat, nothing stored, until it is taut.
CN_TEST(a_slack_cable_does_nothing)
{
    cn_world *w = world(0.5, 0.5);
    cn_joint_id joint;
    cn_body_id disk = hang(w, CN_JOINT_CABLE, 0.6, 1.0, &joint);
    for (int n = 0; n < 35; n++) {
        scene_run(w, 0.01, 1);
        const cn_ledger *ledger = cn_world_view(w).ledger;
        CN_NEAR(scene_state(w, disk).velocity[0], 1.0, 0.0, "free flight");
        CN_NEAR(fabs(ledger->step[CN_ENERGY_VISCOUS]) + fabs(ledger->step[CN_ENERGY_STORAGE]), 0.0,
                0.0, "nothing is stretched");
    }
    scene_run(w, 0.01, 20);
    CN_TRUE(scene_state(w, disk).velocity[0] < 1.0 && cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(a_step_is_that_of_spring_and_dashpot); CN_RUN(a_slack_cable_does_nothing);)
