// Rigid bodies in space: free rotation, sliding, rolling, stacks. Answers on paper.
#include "scenes.h"
#include "strict.h"
#include "test.h"

// A torque-free asymmetric top keeps its energy and its spatial angular momentum, and turns over
// with the period 4 K(k) / w_p of Euler's equations.
CN_TEST(free_top_keeps_energy_and_momentum)
{
    cn_world_def world_def = cn_world_def_default();
    world_def.dim = 3;
    world_def.gravity[1] = 0.0;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&world_def, &law);
    cn_solid_def solid = {.kind = CN_SOLID_SPHERE, .radius = 0.1};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .mass = 1.0,
                       .inertia = {1.0, 2.0, 3.0, 0.0, 0.0, 0.0},
                       .angular_velocity = {0.01, 1.0, 0.01}};
    cn_body_id top;
    CN_DO(cn_body_add(w, &def, &top, &test_error));
    const double h = 1e-2, E = 0.5 * 2.0004;
    double crossed[2] = {0};
    int count = 0;
    double w_2 = 1.0;
    for (int k = 1; k <= 6000; k++) {
        scene_run(w, h, 1);
        cn_body_state s = scene_state(w, top);
        cn_mat3 R =
            cn_quat_matrix((cn_quat){s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]});
        cn_vec3 body = cn_mat3_mul_transposed(
            &R, cn_v3(s.angular_velocity[0], s.angular_velocity[1], s.angular_velocity[2]));
        if (w_2 > 0.0 && body.y <= 0.0 && count < 2) {
            crossed[count++] = h * (k - body.y / (body.y - w_2));
        }
        w_2 = body.y;
    }
    cn_body_state s = scene_state(w, top);
    cn_mat3 R =
        cn_quat_matrix((cn_quat){s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]});
    cn_vec3 body = cn_mat3_mul_transposed(
        &R, cn_v3(s.angular_velocity[0], s.angular_velocity[1], s.angular_velocity[2]));
    cn_vec3 L = cn_mat3_mul(&R, cn_v3(body.x, 2.0 * body.y, 3.0 * body.z));
    CN_NEAR(L.x, 0.01, 1e-11, "kept by construction; 6000 roundings");
    CN_NEAR(L.y, 2.0, 1e-11, "kept by construction; 6000 roundings");
    CN_NEAR(L.z, 0.03, 1e-11, "kept by construction; 6000 roundings");
    CN_NEAR(cn_world_view(w).ledger->kinetic, E, 1e-10,
            "a quadratic invariant of the midpoint rule");
    CN_NEAR(crossed[1] - crossed[0], 39.105734197, 0.02, "second order in h = 1e-2");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// A brick of any shape that turns by several radians within one step: Newton's method stalls for
// some, and the solution is followed from that of a short step (3.8).
CN_TEST(bricks_that_turn_by_radians_in_a_step_keep_energy)
{
    uint64_t seed = 5;
    double draw[6], corner[24], worst = 0.0;
    for (int n = 0; n < 200; n++) {
        for (int k = 0; k < 6; k++) { // uniform in [-1, 1)
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[k] = (double)(seed >> 11) / 4503599627370496.0 - 1.0;
        }
        cn_box_corners(pow(10.0, draw[0]), pow(10.0, draw[1]), pow(10.0, draw[2]), corner);
        const cn_solid_def brick = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
        const double turn = 8.0 / cn_norm3(cn_v3(draw[3], draw[4], draw[5]));
        cn_body_def def = {.type = CN_BODY_SOLIDS,
                           .solids = {1, &brick},
                           .density = 1.0,
                           .angular_velocity = {turn * draw[3], turn * draw[4], turn * draw[5]}};
        cn_world *w = scene_space(0.0, 0.0, 1e-8);
        CN_DO(cn_world_set_gravity(w, (double[3]){0.0, 0.0, 0.0}, &test_error));
        CN_DO(cn_body_add(w, &def, NULL, &test_error));
        CN_DO(test_step(w, 1.0, &test_error));
        const cn_ledger *ledger = cn_world_view(w).ledger;
        worst = fmax(worst, fabs(ledger->total[CN_ENERGY_KINETIC]) / ledger->kinetic);
        cn_world_destroy(w);
    }
    CN_NEAR(worst, 0.0, 1e-12, "an invariant of the step; rounding times ratios of inertias");
}

// The principal frame is found: a dumb-bell of balls at (a, b, c) and opposite, with one, two or
// all products of inertia, turns about its own axes.
CN_TEST(inertia_is_turned_into_its_principal_frame)
{
    const double to[5][3] = {{1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, -2, 3}, {0.1, 1, 0.1}};
    for (int k = 0; k < 5; k++) {
        cn_world *w = scene_space(0.0, 0.0, 1e-10);
        const double *a = to[k], d2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
        const cn_solid_def solid[2] = {
            {.kind = CN_SOLID_SPHERE, .radius = 0.1, .at = {a[0], a[1], a[2]}},
            {.kind = CN_SOLID_SPHERE, .radius = 0.1, .at = {-a[0], -a[1], -a[2]}}};
        cn_body_def def = {.type = CN_BODY_SOLIDS, .solids = {2, solid}, .density = 1.0};
        cn_body_id id;
        CN_DO(cn_body_add(w, &def, &id, &test_error));
        cn_body_state s = scene_state(w, id);
        double m = 4.0 / 3.0 * CN_PI * 1e-3, own = 2.0 * 0.4 * m * 0.01;
        double least = fmin(s.inertia[0], fmin(s.inertia[1], s.inertia[2]));
        double most = fmax(s.inertia[0], fmax(s.inertia[1], s.inertia[2]));
        double sum = s.inertia[0] + s.inertia[1] + s.inertia[2];
        CN_NEAR(s.mass, 2.0 * m, 1e-15, "two spheres");
        CN_NEAR(least, own, 1e-15 * d2, "about the line of both centres");
        CN_NEAR(most, own + 2.0 * m * d2, 1e-14 * d2, "parallel axes");
        CN_NEAR(sum, 3.0 * own + 4.0 * m * d2, 1e-14 * d2, "two axes are across the line");
        CN_NEAR(s.rotation[0], 1.0, 1e-14, "the frame of the definition is not turned");
        cn_world_destroy(w);
    }
}

CN_TEST(block_slides_down_a_slope_in_any_direction)
{
    const double g = 9.81, mu = 0.3, slope = 20.0 * CN_PI / 180.0, h = 1e-3;
    double a = g * (sin(slope) - mu * cos(slope));
    cn_world *w = scene_space(mu, 0.0, 1e-12);
    scene_floor(w, slope);
    const double size[3] = {0.2, 0.2, 0.1}, at[3] = {0.05 * sin(slope), 0.0, 0.05 * cos(slope)};
    // Turned about the slope normal by 45 degrees first.
    cn_quat tilt = {cos(0.5 * slope), 0.0, sin(0.5 * slope), 0.0};
    cn_quat twist = {cos(CN_PI / 8.0), 0.0, 0.0, sin(CN_PI / 8.0)};
    cn_quat q = cn_quat_mul(tilt, twist);
    const double turn[4] = {q.w, q.x, q.y, q.z};
    cn_body_id block = scene_block(w, at, size, turn, 0);
    CN_TRUE(scene_run(w, h, 500) == 0);
    cn_body_state s = scene_state(w, block);
    double along = (s.position[0] - at[0]) * cos(slope) - (s.position[2] - at[2]) * sin(slope);
    CN_NEAR(along, 0.5 * a * 0.25, 1e-8, "constant acceleration; solver tolerance times 500 steps");
    CN_NEAR(s.position[1], 0.0, 1e-9, "friction is isotropic");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

CN_TEST(sliding_sphere_ends_rolling_at_five_sevenths)
{
    cn_world *w = scene_space(0.2, 0.0, 1e-12);
    scene_floor(w, 0.0);
    cn_body_id ball = scene_sphere(w, 0.0, 0.0, 0.1, 0.1);
    cn_body_state s = scene_state(w, ball);
    s.velocity[0] = 3.0 * 0.6;
    s.velocity[1] = 3.0 * 0.8;
    CN_DO(cn_body_set(w, ball, &s, &test_error));
    scene_run(w, 1e-3, 600);
    s = scene_state(w, ball);
    CN_NEAR(s.velocity[0], 15.0 / 7.0 * 0.6, 1e-9, "momentum about the contact line is conserved");
    CN_NEAR(s.velocity[1], 15.0 / 7.0 * 0.8, 1e-9, "momentum about the contact line is conserved");
    CN_NEAR(s.angular_velocity[1], 15.0 / 7.0 * 0.6 / 0.1, 1e-8, "rolling");
    CN_NEAR(s.angular_velocity[2], 0.0, 1e-9, "no spin about the normal");
    cn_world_destroy(w);
}

// Three blocks stacked askew rest, carry their weights, and the run can be repeated bit for bit.
CN_TEST(stack_of_blocks_rests_and_restarts)
{
    cn_world *w[2];
    for (int k = 0; k < 2; k++) {
        w[k] = scene_space(0.5, 0.0, 1e-8);
        scene_floor(w[k], 0.0);
        for (int n = 0; n < 3; n++) {
            const double size[3] = {0.4, 0.3, 0.1}, at[3] = {0.03 * n, 0.02 * n, 0.05 + 0.1 * n};
            const double turn[4] = {cos(0.2 * n), 0.0, 0.0, sin(0.2 * n)};
            scene_block(w[k], at, size, turn, 0);
        }
    }
    CN_TRUE(scene_run(w[0], 1e-3, 100) == 0);
    const cn_state_part *part;
    int count;
    CN_DO(cn_world_state(w[0], &part, &count, &test_error));
    CN_DO(cn_world_restore(w[1], part, count, &test_error));
    scene_run(w[0], 1e-3, 100);
    scene_run(w[1], 1e-3, 100);
    CN_TRUE(cn_world_state_hash(w[0]) == cn_world_state_hash(w[1]));
    cn_view view = cn_world_view(w[0]);
    double weight = 3.0 * 2000.0 * 0.4 * 0.3 * 0.1 * 9.81, floor = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        floor += view.id[x->i] == 1 ? x->r[0] / 1e-3 : 0.0;
    }
    CN_NEAR(floor, weight, 1e-5 * weight, "the floor carries all");
    for (int i = 1; i < 4; i++) {
        CN_NEAR(view.q[7 * i + 2], 0.05 + 0.1 * (i - 1), 1e-8, "nothing sinks");
    }
    CN_TRUE(view.ledger->error_max < 1e-10);
    cn_world_destroy(w[0]);
    cn_world_destroy(w[1]);
}

CN_MAIN(CN_RUN(free_top_keeps_energy_and_momentum);
        CN_RUN(bricks_that_turn_by_radians_in_a_step_keep_energy);
        CN_RUN(inertia_is_turned_into_its_principal_frame);
        CN_RUN(block_slides_down_a_slope_in_any_direction);
        CN_RUN(sliding_sphere_ends_rolling_at_five_sevenths);
        CN_RUN(stack_of_blocks_rests_and_restarts);)
