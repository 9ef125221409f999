// Elastic rods and cables along one line: a step as on paper, and what a slack cable does not do.
#include <string.h>

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

// A mass on a rod or cable that yields: pulled beyond it, it gets longer by what it is led on, and
// comes back along the elastic line. The work is stored, or plastic.
static void check_yield(cn_joint_kind kind, double theta)
{
    // Not through half of the yield at a step: all numbers of the only constraint would be zero
    // there and its relative error be that of rounding.
    const double h = 1e-3, yield = 20.0, speed = 0.47, most = 0.094;
    cn_world *w = world(theta, 1.0 - theta);
    cn_joint_id joint;
    cn_body_id disk = scene_disk(w, LENGTH, 0.0, 0.05, 0);
    cn_joint_def def = {
        .kind = kind, .body = disk, .at = {LENGTH, 0.0}, .stiffness = K, .yield = yield};
    CN_DO(cn_joint_add(w, &def, &joint, &test_error));
    const double time[4] = {0.0, most / speed, 2.0 * most / speed, 1e3};
    const double way[4] = {0.0, most, 0.0, 0.0};
    cn_drive_def lead = {.body = disk,
                         .kind = CN_DRIVE_DISPLACEMENT,
                         .dof = CN_DOF_X,
                         .f = {.kind = CN_FUNCTION_TABLE, .count = 4, .time = time, .value = way},
                         .t0 = NAN};
    CN_DO(cn_drive_add(w, &lead, &test_error));
    cn_joint_state s;
    double largest = 0.0, at_rest = 0.0, gone = most - yield / K;
    for (int n = 0; n < 400; n++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        CN_DO(cn_joint_get(w, joint, &s, &test_error));
        largest = fmax(largest, fabs(s.impulse[0]) / h);
        at_rest = s.position > LENGTH + gone ? fabs(s.impulse[0]) / h : at_rest;
    }
    const cn_ledger *ledger = cn_world_view(w).ledger;
    double back =
        kind == CN_JOINT_ROD ? fmin(K * gone, yield) : 0.0; // a rod is pressed, a cable slack
    double pressed = kind == CN_JOINT_ROD ? gone - yield / K : 0.0; // and yields again
    CN_NEAR(largest, yield, 1e-9, "never more than the yield");
    CN_NEAR(at_rest, 0.0, 2.0 * K * speed * h,
            "it comes back to the length that it got: the force is that of the step's middle");
    CN_NEAR(fabs(s.impulse[0]) / h, back, 1e-9, "at its first place again");
    double part = theta < 1.0 ? 0.5 * yield * speed * h : 1e-9; // it yields at the middle of a step
    CN_NEAR(ledger->total[CN_ENERGY_PLASTIC], yield * (gone + fmax(pressed, 0.0)), part,
            "yield times way, but for half a step");
    CN_NEAR(ledger->total[CN_ENERGY_STORAGE], kind == CN_JOINT_ROD ? 0.5 * back * back / K : 0.0,
            part, "what is stored");
    CN_NEAR(ledger->error_max, 0.0, 1e-10, "it closes");
    cn_world_destroy(w);
}

CN_TEST(what_yields_gets_longer_for_good)
{
    check_yield(CN_JOINT_ROD, 0.5);
    check_yield(CN_JOINT_ROD, 1.0);
    check_yield(CN_JOINT_CABLE, 0.5);
    check_yield(CN_JOINT_CABLE, 1.0);
}

// A weight dropped on a wire that yields: what it falls, and half of the elastic part, is given to
// yielding. The same bits after a restart.
CN_TEST(a_wire_that_yields_catches_a_weight)
{
    const double g = 10.0, yield = 30.0, h = 1e-4, v = 1.0;
    cn_world *world_of[2];
    cn_joint_id joint;
    double m = 0.0;
    for (int k = 0; k < 2; k++) {
        cn_world_def def = cn_world_def_default();
        cn_law_def law = cn_law_coulomb(0.0, 0.0);
        def.gravity[0] = g;
        def.gravity[1] = 0.0;
        def.solver.eps_v = def.solver.tol = 1e-12;
        cn_world *w = world_of[k] = scene_world_with(&def, &law);
        cn_body_id disk = scene_disk(w, 0.9 * LENGTH, 0.0, 0.02, 0);
        scene_set_velocity(w, disk, v, 0.0, 0.0);
        m = scene_state(w, disk).mass;
        cn_joint_def wire = {.kind = CN_JOINT_CABLE,
                             .body = disk,
                             .at = {0.9 * LENGTH, 0.0},
                             .length = LENGTH,
                             .stiffness = 1e4,
                             .yield = yield};
        CN_DO(cn_joint_add(w, &wire, &joint, &test_error));
    }
    for (int n = 0; n < 4000; n++) {
        if (n == 1000) {
            const cn_state_part *part;
            int count;
            CN_DO(cn_world_state(world_of[0], &part, &count, &test_error));
            CN_DO(cn_world_restore(world_of[1], part, count, &test_error));
        }
        CN_TRUE(scene_run(world_of[0], h, 1) == 0);
        CN_TRUE(n < 1000 || scene_run(world_of[1], h, 1) == 0);
    }
    CN_TRUE(m * g < yield);
    CN_TRUE(cn_world_state_hash(world_of[0]) == cn_world_state_hash(world_of[1]));
    const cn_ledger *ledger = cn_world_view(world_of[0]).ledger;
    // 1/2 m v^2 + m g (0.1 L + e + p) = F e / 2 + F p with e = F/K, at the lowest point
    double e = yield / 1e4, energy = 0.5 * m * v * v + m * g * (0.1 * LENGTH + e);
    double p = (energy - 0.5 * yield * e) / (yield - m * g);
    CN_NEAR(ledger->total[CN_ENERGY_PLASTIC], yield * p, 1e-4 * yield * p, "of order (h omega)^2");
    CN_NEAR(ledger->error_max, 0.0, 1e-10, "it closes");
    cn_world_destroy(world_of[0]);
    cn_world_destroy(world_of[1]);
}

// What cannot yield is refused.
CN_TEST(yield_needs_a_spring_without_dashpot)
{
    cn_world *w = world(0.5, 0.5);
    cn_body_id disk = scene_disk(w, LENGTH, 0.0, 0.05, 0);
    cn_joint_def def = {
        .kind = CN_JOINT_ROD, .body = disk, .at = {LENGTH, 0.0}, .length = LENGTH, .yield = 10.0};
    CN_TRUE(cn_joint_add(w, &def, NULL, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "without a stiffness") != NULL);
    def.stiffness = K;
    def.damping = ETA;
    CN_TRUE(cn_joint_add(w, &def, NULL, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "damping") != NULL);
    cn_world_destroy(w);
}

// Thrown outwards the disk comes back, whatever part of a step the cable is taut: with theta = 1/2
// all of its energy returns, less what the dashpot takes.
CN_TEST(a_cable_gives_back_what_it_took)
{
    for (int k = 0; k < 2 * 4 * 5; k++) {
        double eta = k % 2 == 0 ? 0.0 : ETA, h = 0.2 * pow(0.5, k / 2 % 4), v = 0.7;
        cn_world *w = world(0.5, 0.5);
        cn_body_id disk = scene_disk(w, LENGTH - 0.02 * (1 + k / 8), 0.0, 0.05, 0);
        scene_set_velocity(w, disk, v, 0.0, 0.0);
        cn_joint_def def = {.kind = CN_JOINT_CABLE,
                            .body = disk,
                            .at = {LENGTH - 0.02 * (1 + k / 8), 0.0},
                            .length = LENGTH,
                            .stiffness = K,
                            .damping = eta};
        cn_joint_id joint;
        CN_DO(cn_joint_add(w, &def, &joint, &test_error));
        double T = 0.5 * scene_state(w, disk).mass * v * v;
        for (int n = 0; n < 100 && scene_state(w, disk).position[0] > 0.5; n++) {
            scene_run(w, h, 1);
        }
        const cn_ledger *ledger = cn_world_view(w).ledger;
        double viscous = ledger->total[CN_ENERGY_VISCOUS];
        double snap = ledger->total[CN_ENERGY_SHOCK]; // what is stored where a dashpot would push
        CN_TRUE(scene_state(w, disk).velocity[0] < 0.0);
        CN_NEAR(ledger->kinetic, T - viscous - snap, 1e-9 * T, "nothing is given");
        CN_TRUE(eta == 0.0 ? viscous == 0.0 && snap < 1e-9 * T : viscous > 0.0 && snap >= 0.0);
        CN_TRUE(ledger->error_max < 1e-10);
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(a_step_is_that_of_spring_and_dashpot); CN_RUN(a_slack_cable_does_nothing);
        CN_RUN(a_cable_gives_back_what_it_took); CN_RUN(what_yields_gets_longer_for_good);
        CN_RUN(a_wire_that_yields_catches_a_weight); CN_RUN(yield_needs_a_spring_without_dashpot);)
