// Motion of single bodies: free fall, bounce, slope, rolling, drives, forces. Answers on paper.
#include "scenes.h"
#include "test.h"

CN_TEST(free_fall_is_exact_with_theta_one_half)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    cn_body_id disk = scene_disk(w, 0.0, 10.0, 0.1, 0);
    scene_set_velocity(w, disk, 3.0, 0.0, 1.0);
    scene_run(w, 1e-2, 100);
    cn_body_state s = scene_state(w, disk);
    const char *why = "the scheme is exact for constant force; 100 roundings";
    CN_NEAR(s.position[0], 3.0, 1e-13, why);
    CN_NEAR(s.position[1], 10.0 - 0.5 * 9.81, 1e-12, why);
    CN_NEAR(s.angle, 1.0, 1e-13, why);
    cn_world_destroy(w);
}

CN_TEST(ball_rebounds_with_its_restitution)
{
    cn_world *w = scene_world(0.0, 0.8, 1e-12);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id ball = scene_disk(w, 0.0, 0.1 + 1e-12, 0.1, 0);
    scene_set_velocity(w, ball, 0.0, -2.0, 0.0);
    scene_run(w, 1e-3, 1);
    CN_NEAR(scene_state(w, ball).velocity[1], 1.6, 1e-12, "u+ = -e u- whatever gravity does");
    cn_world_destroy(w);
}

// Distance along a slope after n steps: a (n h)^2 / 2, exact for theta = 1/2.
CN_TEST(block_slides_at_the_coulomb_rate_and_sticks_below_the_threshold)
{
    const double g = 9.81, mu = 0.3, h = 1e-3;
    const double slope[2] = {20.0 * CN_PI / 180.0, 16.6 * CN_PI / 180.0};
    for (int k = 0; k < 2; k++) {
        double a = g * (sin(slope[k]) - mu * cos(slope[k]));
        cn_world *w = scene_world(mu, 0.0, 1e-12);
        scene_ground(w, 0.0, 0.0, -slope[k]);
        cn_body_id block =
            scene_box(w, 0.05 * sin(slope[k]), 0.05 * cos(slope[k]), 0.2, 0.1, -slope[k], 0);
        cn_body_state before = scene_state(w, block);
        scene_run(w, h, 500);
        cn_body_state after = scene_state(w, block);
        double moved =
            hypot(after.position[0] - before.position[0], after.position[1] - before.position[1]);
        double exact = a > 0.0 ? 0.5 * a * 0.25 : 0.0;
        CN_NEAR(moved, exact, 1e-9, "500 steps times solver tolerance times g h^2");
        cn_world_destroy(w);
    }
}

CN_TEST(sliding_disk_ends_rolling_at_two_thirds_of_its_speed)
{
    cn_world *w = scene_world(0.2, 0.0, 1e-12);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id disk = scene_disk(w, 0.0, 0.1, 0.1, 0);
    scene_set_velocity(w, disk, 3.0, 0.0, 0.0);
    scene_run(w, 1e-3, 700);
    cn_body_state s = scene_state(w, disk);
    CN_NEAR(s.velocity[0], 2.0, 1e-9, "momentum about the contact line is conserved");
    CN_NEAR(s.angular_velocity[2], -20.0, 1e-8, "rolling: v + R spin = 0");
    cn_world_destroy(w);
}

// A box held against sliding by static friction 0.6 starts when pushed beyond it, then feels 0.3.
CN_TEST(static_friction_is_lost_once_sliding_starts)
{
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    CN_DO(cn_law_set(&law, "friction_static", 0.6, &test_error));
    for (int k = 0; k < 2; k++) {
        double push = k == 0 ? 0.55 : 0.65;
        cn_world *w = scene_world_with(&def, &law);
        scene_ground(w, 0.0, 0.0, 0.0);
        cn_body_id box = scene_box(w, 0.0, 0.05, 0.4, 0.1, 0.0, 0);
        double weight = scene_state(w, box).mass * 9.81;
        cn_force_def force = {.body = box, .direction = {1.0}, .f = cn_constant(push * weight)};
        CN_DO(cn_force_add(w, &force, &test_error));
        scene_run(w, 1e-3, 101);
        // The step that breaks loose still feels the static coefficient.
        double exact = k == 0 ? 0.0 : 9.81 * 1e-3 * ((0.65 - 0.6) + 100 * (0.65 - 0.3));
        CN_NEAR(scene_state(w, box).velocity[0], exact, 1e-8, "101 steps of constant acceleration");
        cn_world_destroy(w);
    }
}

// What has slid and been lifted off meets the ground anew: it sticks up to static friction, though
// others stayed on the ground all the time.
CN_TEST(lifted_bodies_forget_that_they_slid)
{
    cn_world_def def = cn_world_def_default();
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    CN_DO(cn_law_set(&law, "friction_static", 0.6, &test_error));
    cn_world *w = scene_world_with(&def, &law);
    cn_body_id disk = 0;
    scene_ground(w, 0.0, 0.0, 0.0);
    for (int k = 0; k < 4; k++) { // the last one is lifted
        disk = scene_disk(w, 0.5 * k, 0.1, 0.1, 1u << CN_DOF_RZ);
    }
    cn_body_state start = scene_state(w, disk), lifted = start;
    lifted.position[1] += 1.0;
    scene_set_velocity(w, disk, 1.0, 0.0, 0.0);
    scene_run(w, 1e-3, 2);
    CN_NEAR(scene_state(w, disk).velocity[0], 1.0 - 9.81e-3 * (0.6 + 0.3), 1e-9,
            "a step of static friction, one of the other");
    CN_DO(cn_body_set(w, disk, &lifted, &test_error));
    scene_run(w, 1e-3, 2);
    CN_TRUE(cn_world_view(w).contact_count == 3);
    CN_DO(cn_body_set(w, disk, &start, &test_error));
    cn_force_def force = {
        .body = disk, .direction = {1.0}, .f = cn_constant(0.5 * 9.81 * start.mass)};
    CN_DO(cn_force_add(w, &force, &test_error));
    scene_run(w, 1e-3, 10);
    CN_NEAR(scene_state(w, disk).velocity[0], 0.0, 1e-9, "half its weight does not move it");
    cn_world_destroy(w);
}

CN_TEST(drives_impose_their_motion)
{
    const double h = 1e-2, w_rate = 2.0;
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    cn_body_id a = scene_disk(w, 0.0, 0.0, 0.1, 0), b = scene_disk(w, 10.0, 0.0, 0.1, 0);
    cn_body_id c = scene_disk(w, 20.0, 0.0, 0.1, 0),
               d = scene_disk(w, 31.0, 0.0, 0.1, CN_FIXED_ALL);
    const double time[2] = {0.0, 1.0}, value[2] = {0.0, 0.5};
    cn_drive_def velocity = {.body = a,
                             .kind = CN_DRIVE_VELOCITY,
                             .dof = CN_DOF_X,
                             .f = {.kind = CN_FUNCTION_COSINE, .a = 1.0, .w = w_rate, .r0 = 1.0}};
    cn_drive_def displacement = {
        .body = b,
        .kind = CN_DRIVE_DISPLACEMENT,
        .dof = CN_DOF_Y,
        .f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = value}};
    cn_drive_def acceleration = {
        .body = c, .kind = CN_DRIVE_ACCELERATION, .dof = CN_DOF_X, .f = cn_constant(3.0)};
    cn_drive_def rotation = {
        .body = d, .kind = CN_DRIVE_ROTATION, .about = {30.0}, .f = cn_constant(0.5 * CN_PI)};
    CN_DO(cn_drive_add(w, &velocity, &test_error));
    CN_DO(cn_drive_add(w, &displacement, &test_error));
    CN_DO(cn_drive_add(w, &acceleration, &test_error));
    CN_DO(cn_drive_add(w, &rotation, &test_error));
    scene_run(w, h, 100);
    CN_NEAR(scene_state(w, a).velocity[0], cos(w_rate), 1e-12, "velocity at t+h");
    CN_NEAR(scene_state(w, a).velocity[1], -9.81, 1e-12, "y is free and falls");
    CN_NEAR(scene_state(w, b).position[1], 0.5, 1e-12, "displacement tables are met exactly");
    CN_NEAR(scene_state(w, c).velocity[0], 3.0, 1e-12, "constant acceleration");
    // From rest the first step turns by rate h / 2 only.
    double angle = 0.5 * CN_PI * (1.0 - 0.5 * h);
    CN_NEAR(scene_state(w, d).angle, angle, 1e-12, "the rate jumps at the start");
    const char *why = "the jump at the start: (rate h/2)^2 / 2 = 3.1e-5";
    CN_NEAR(scene_state(w, d).position[0], 30.0 + cos(angle), 4e-5, why);
    CN_NEAR(scene_state(w, d).position[1], sin(angle), 4e-5, why);
    cn_view view = cn_world_view(w);
    CN_NEAR(view.ledger->error_max, 0.0, 1e-10, "drives do the work that the ledger needs");
    cn_world_destroy(w);
}

CN_TEST(follower_force_turns_with_its_body)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    cn_body_id box = scene_box(w, 0.0, 0.0, 1.0, 1.0, 0.5 * CN_PI, 0);
    double mass = scene_state(w, box).mass, inertia = scene_state(w, box).inertia[2];
    cn_force_def force = {.body = box,
                          .is_follower = true,
                          .direction = {1.0},
                          .point = {0.0, -0.5},
                          .f = cn_constant(1.0)};
    CN_DO(cn_force_add(w, &force, &test_error));
    scene_run(w, 1e-3, 1);
    cn_body_state s = scene_state(w, box);
    CN_NEAR(s.velocity[1], 1e-3 / mass, 1e-15, "body x points along world y");
    CN_NEAR(s.velocity[0], 0.0, 1e-15, "cos(pi/2) is round-off");
    CN_NEAR(s.angular_velocity[2], 0.5e-3 / inertia, 1e-15, "arm 0.5 m, turning counterclockwise");
    cn_world_destroy(w);
}

// Without gravity and friction a disk runs round in a ring for ever; each step of length v h cuts a
// chord of depth (v h)^2 / 2R, which must not add up.
CN_TEST(disk_running_round_in_a_drum_does_not_sink_into_it)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    cn_shape_def ring = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = 1.1, .thickness = 0.1};
    cn_body_def drum = {.shapes = {1, &ring}, .density = 1.0, .fixed = CN_FIXED_ALL};
    CN_DO(cn_body_add(w, &drum, NULL, &test_error));
    cn_body_id disk = scene_disk(w, 0.0, -1.0, 0.1, 0);
    scene_set_velocity(w, disk, 2.0, 0.0, 0.0);
    const double h = 1e-3, chord = 0.5 * 2.0 * h * 2.0 * h;
    double deepest = 0.0;
    for (int k = 0; k < 7000; k++) {
        scene_run(w, h, 1);
        deepest = fmax(deepest, cn_world_view(w).certificate->penetration);
    }
    cn_body_state s = scene_state(w, disk);
    CN_TRUE(deepest < 2.0 * chord);
    CN_NEAR(hypot(s.velocity[0], s.velocity[1]), 2.0, 2.0 * chord * 14.0,
            "a relative loss of (v h)^2 / 2 R^2 per radian, 14 radians");
    cn_world_destroy(w);
}

// A disk falls on a fixed one, both 1 wide, that it touches at 3 4 5 from the middle. If it moves
// by less than half a disk in the step, the normal is that halfway, else that of the start (6.1).
CN_TEST(pairs_are_fast_from_half_their_size_in_a_step)
{
    const double h = 0.01, way[2] = {0.49, 0.51};
    for (int k = 0; k < 2; k++) {
        cn_world *w = scene_world(0.0, 0.0, 1e-12);
        CN_DO(cn_world_set_gravity(w, (double[]){0.0, 0.0, 0.0}, &test_error));
        scene_disk(w, 0.0, 0.0, 0.5, CN_FIXED_ALL);
        cn_body_id disk = scene_disk(w, 0.6, 0.8, 0.5, 0);
        scene_set_velocity(w, disk, 0.0, -way[k] / h, 0.0);
        scene_run(w, h, 1);
        cn_body_state s = scene_state(w, disk);
        double high = way[k] < 0.5 ? 0.8 - 0.5 * way[k] : 0.8; // centre where the normal is taken
        double push[2] = {s.velocity[0], s.velocity[1] + way[k] / h};
        CN_TRUE(push[1] > 0.1 * way[k] / h);
        CN_NEAR(push[0] / push[1], 0.6 / high, 1e-12, "without friction along the normal");
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(pairs_are_fast_from_half_their_size_in_a_step);
        CN_RUN(free_fall_is_exact_with_theta_one_half); CN_RUN(ball_rebounds_with_its_restitution);
        CN_RUN(block_slides_at_the_coulomb_rate_and_sticks_below_the_threshold);
        CN_RUN(sliding_disk_ends_rolling_at_two_thirds_of_its_speed);
        CN_RUN(static_friction_is_lost_once_sliding_starts);
        CN_RUN(lifted_bodies_forget_that_they_slid); CN_RUN(drives_impose_their_motion);
        CN_RUN(follower_force_turns_with_its_body);
        CN_RUN(disk_running_round_in_a_drum_does_not_sink_into_it);)
