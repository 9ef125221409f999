// Bodies that roll and rest inside hollow spheres and cylinders. Answers on paper.
#include "scenes.h"
#include "strict.h"
#include "test.h"
#include "world/world.h"

static cn_body_id add_container(cn_world *w, const cn_solid_def *solid, const double turn[4])
{
    cn_body_id id = 0;
    cn_body_def def = {
        .type = CN_BODY_SOLIDS, .solids = {1, solid}, .density = 1.0, .fixed = CN_FIXED_ALL};
    for (int k = 0; k < 4; k++) {
        def.rotation[k] = turn[k];
    }
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static const double UPRIGHT[4] = {1.0, 0.0, 0.0, 0.0};

// A ball that rolls in a bowl is a pendulum: w^2 = 5 g / (7 (R - r)) for small angles.
CN_TEST(ball_rolls_in_a_shell_with_the_period_of_the_pendulum)
{
    const double R = 1.0, r = 0.1, h = 1e-3, angle = 0.05;
    cn_world *w = scene_space(0.8, 0.0, 1e-12);
    cn_solid_def shell = {.kind = CN_SOLID_HOLLOW_SPHERE, .radius = R, .thickness = 0.1};
    add_container(w, &shell, UPRIGHT);
    cn_body_id ball = scene_sphere(w, (R - r) * sin(angle), 0.0, -(R - r) * cos(angle), r);
    double period = 2.0 * CN_PI / sqrt(5.0 * 9.81 / (7.0 * (R - r)));
    period *= 1.0 + angle * angle / 16.0;
    int count = 0;
    double crossed[2] = {0}, before = 1.0, deepest = 0.0;
    for (int k = 1; k <= 4500; k++) {
        scene_run(w, h, 1);
        cn_body_state s = scene_state(w, ball);
        if (before > 0.0 && s.position[0] <= 0.0 && count < 2) {
            crossed[count++] = h * (k - s.position[0] / (s.position[0] - before));
        }
        before = s.position[0];
        cn_vec3 x = cn_v3(s.position[0], s.position[1], s.position[2]);
        deepest = fmax(deepest, fabs(cn_norm3(x) - (R - r)));
    }
    CN_NEAR(crossed[1] - crossed[0], period, 1e-4 * period, "second order in h and in the angle");
    CN_NEAR(deepest, 0.0, 1e-6, "chords are given back (4.17): (h v)^2 / 2 R is 1e-8");
    CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// A drum takes a ball along; in the end it stays at the bottom and rolls on the wall.
CN_TEST(ball_in_a_turning_drum_keeps_to_the_wall)
{
    const double R = 0.5, r = 0.05, rate = 2.0, side = sqrt(0.5);
    cn_world *w = scene_space(0.5, 0.0, 1e-12);
    cn_solid_def tube = {.kind = CN_SOLID_HOLLOW_CYLINDER,
                         .radius = R,
                         .length = 0.4,
                         .thickness = 0.05,
                         .ends = 3u};
    cn_body_id drum = add_container(w, &tube, (double[4]){side, side, 0.0, 0.0}); // along -y
    cn_drive_def drive = {
        .body = drum, .kind = CN_DRIVE_VELOCITY, .dof = CN_DOF_RY, .f = cn_constant(rate)};
    CN_DO(cn_drive_add(w, &drive, &test_error));
    cn_body_id ball = scene_sphere(w, 0.0, 0.0, -(R - r), r);
    // Started as it ends: at the bottom, turning with the wall.
    cn_body_state s = scene_state(w, ball);
    s.angular_velocity[1] = rate * R / r;
    CN_DO(cn_body_set(w, ball, &s, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 3000) == 0);
    s = scene_state(w, ball);
    CN_NEAR(s.position[2], -(R - r), 1e-9, "it neither sinks nor climbs in six radians of drum");
    CN_NEAR(s.position[0], 0.0, 1e-9, "rolling needs no friction");
    CN_NEAR(s.angular_velocity[1], rate * R / r, 1e-8, "rolling");
    // From rest it is thrown about first, but never leaves the wall by more than chords.
    s = (cn_body_state){.position = {0.0, 0.0, -(R - r)}, .rotation = {1.0, 0.0, 0.0, 0.0}};
    CN_DO(cn_body_set(w, ball, &s, &test_error));
    double off = 0.0;
    for (int k = 0; k < 1000; k++) {
        scene_run(w, 1e-3, 1);
        s = scene_state(w, ball);
        off = fmax(off, fabs(hypot(s.position[0], s.position[2]) - (R - r)));
    }
    CN_NEAR(off, 0.0, 2e-6, "(h v)^2 / 2 R with v up to 1 m/s is 1e-6");
    CN_TRUE(fabs(s.angular_velocity[1]) > 1.0);
    cn_world_destroy(w);
}

// A block between wall and floor of a cup rests and carries its weight on the floor.
CN_TEST(block_rests_in_a_cup)
{
    cn_world *w = scene_space(0.3, 0.0, 1e-10);
    cn_solid_def cup = {.kind = CN_SOLID_HOLLOW_CYLINDER,
                        .radius = 0.5,
                        .length = 1.0,
                        .thickness = 0.05,
                        .ends = 1u};
    add_container(w, &cup, UPRIGHT);
    // The mass centre of a cup lies below its middle: its floor is where the frame says.
    cn_view view = cn_world_view(w);
    double floor = -0.5, tube = 0.05 * 1.05, lid = 0.55 * 0.55 * 0.05;
    CN_NEAR(view.q[2], -0.525 * lid / (tube + lid), 1e-15, "wall and floor");
    const double size[3] = {0.4, 0.3, 0.2}, at[3] = {0.1, 0.0, floor + 0.3};
    cn_body_id block = scene_block(w, at, size, NULL, 0);
    CN_TRUE(scene_run(w, 1e-3, 600) == 0);
    cn_body_state s = scene_state(w, block);
    CN_NEAR(s.position[2], floor + 0.1, 1e-9, "it has fallen on the floor");
    CN_NEAR(s.rotation[0], 1.0, 1e-12, "flat");
    cn_world_destroy(w);
}

// What is wider than a cup rests on its lip; what is narrower falls in.
CN_TEST(lids_rest_on_a_cup)
{
    const double top = 0.5, half = 0.05,
                 square[24] = {-0.6,  -0.6, -half, 0.6,   -0.6, -half, -0.6, 0.6,
                               -half, 0.6,  0.6,   -half, -0.6, -0.6,  half, 0.6,
                               -0.6,  half, -0.6,  0.6,   half, 0.6,   0.6,  half};
    const double side = sqrt(0.5);
    const struct {
        cn_solid_def solid;
        bool lies; // on its side, along x
        double height;
    } lid[] = {
        {{.kind = CN_SOLID_HULL, .point_count = 8, .point = square}, false, top + half},
        {{.kind = CN_SOLID_CYLINDER, .radius = 0.53, .length = 0.1}, false, top + half},
        {{.kind = CN_SOLID_CYLINDER, .radius = 0.7, .length = 0.1}, false, top + half},
        {{.kind = CN_SOLID_CYLINDER, .radius = 0.05, .length = 1.3}, true, top + half},
        {{.kind = CN_SOLID_CAPSULE, .radius = 0.05, .length = 1.3}, true, top + half},
        {{.kind = CN_SOLID_CAPSULE, .radius = 0.05, .length = 1.04}, true, top + half},
        {{.kind = CN_SOLID_CYLINDER, .radius = 0.4, .length = 0.1}, false, -0.5 + half},
    };
    for (size_t k = 0; k < sizeof lid / sizeof *lid; k++) {
        cn_world *w = scene_space(0.3, 0.0, 1e-10);
        cn_solid_def cup = {.kind = CN_SOLID_HOLLOW_CYLINDER,
                            .radius = 0.5,
                            .length = 1.0,
                            .thickness = 0.05,
                            .ends = 1u};
        add_container(w, &cup, UPRIGHT);
        cn_body_id id = 0;
        cn_body_def def = {
            .type = CN_BODY_SOLIDS,
            .solids = {1, &lid[k].solid},
            .density = 1000.0,
            .at = {0.01, 0.0, top + half + 0.02},
            .rotation = {lid[k].lies ? side : 1.0, 0.0, lid[k].lies ? side : 0.0, 0.0}};
        CN_DO(cn_body_add(w, &def, &id, &test_error));
        scene_run(w, 2e-3, 350);
        cn_body_state s = scene_state(w, id);
        CN_NEAR(s.position[2], lid[k].height, 1e-7, "on the lip, or on the floor of the cup");
        CN_NEAR(s.position[0], 0.01, 1e-6, "it falls straight");
        cn_world_destroy(w);
    }
}

// A plate flies past an open tube, over its lip: nothing is deeper than the wall, and nothing is
// gained.
CN_TEST(plate_flies_past_an_open_tube)
{
    cn_world *w = scene_space(0.4, 0.0, 1e-8);
    const double half[3] = {0.15, 0.1, 0.015};
    double corner[24];
    cn_box_corners(2.0 * half[0], 2.0 * half[1], 2.0 * half[2], corner);
    cn_solid_def plate = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    cn_solid_def tube = {
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = 0.1, .length = 0.2, .thickness = 0.02};
    cn_body_def of_plate = {
        .type = CN_BODY_SOLIDS,
        .solids = {1, &plate},
        .density = 2000.0,
        .at = {0.014380332848699114, -0.023715075680785742, 0.276458750810914},
        .rotation = {0.9707804463440347, 0.0038967081686842897, 0.20535192431271923,
                     0.12409966898661834},
        .velocity = {1.2047143383549421, -0.38683431876667873, -0.30867550266512006},
        .angular_velocity = {9.707445118379333, 1.472487666632916, 6.6748075844685975}};
    cn_body_def of_tube = {
        .type = CN_BODY_SOLIDS,
        .solids = {1, &tube},
        .density = 2000.0,
        .at = {-0.11038626153937715, -0.001255071056056985, 0.43043581393047814},
        .rotation = {0.982667422308057, -0.06524498758519198, -0.17170231933853727,
                     -0.025022834835686087},
        .velocity = {-0.7440995143809497, 0.23859955289948054, -2.3528298983334506},
        .angular_velocity = {-6.810821182768793, -11.470295693956194, -2.08945079366217}};
    CN_DO(cn_body_add(w, &of_plate, NULL, &test_error));
    CN_DO(cn_body_add(w, &of_tube, NULL, &test_error));
    for (int k = 0; k < 20; k++) {
        scene_run(w, 2.5e-4, 1);
        CN_TRUE(cn_world_view(w).certificate->penetration < tube.thickness);
        const double *row = cn_world_view(w).ledger->step;
        CN_TRUE(row[CN_ENERGY_KINETIC] + row[CN_ENERGY_POTENTIAL] < 1e-12 * 27.0); // of 27 J
    }
    cn_world_destroy(w);
}

// Pressed to the wall of a fast drum a ball moves on a circle: each step the wall gives it m w^2 (R
// - r) h, and straight steps of 5 cm do not cut into it (6.7).
static void check_ride(double e)
{
    const double R = 1.0, r = 0.05, rate = 6.8, h = 0.0078, way = rate * (R - r);
    cn_world *w = scene_world(1.0, e, 1e-10);
    CN_DO(cn_world_set_gravity(w, (double[3]){0.0, 0.0, 0.0}, &test_error));
    cn_shape_def ring = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = R, .thickness = 0.1};
    cn_body_def def = {.shapes = {1, &ring}, .density = 1.0, .fixed = CN_FIXED_ALL};
    cn_body_id drum;
    CN_DO(cn_body_add(w, &def, &drum, &test_error));
    cn_drive_def drive = {.body = drum, .kind = CN_DRIVE_ROTATION, .f = cn_constant(rate)};
    CN_DO(cn_drive_add(w, &drive, &test_error));
    cn_body_id ball = scene_disk(w, 0.0, -(R - r), r, 0);
    scene_set_velocity(w, ball, way, 0.0, rate);
    scene_run(w, h, 20); // it is not on the discrete circle at first
    double deepest = 0.0, energy = cn_world_view(w).ledger->kinetic;
    for (int k = 0; k < 200; k++) {
        scene_run(w, h, 1);
        cn_view view = cn_world_view(w);
        deepest = fmax(deepest, view.certificate->penetration_rel);
        CN_NEAR(view.contact[0].r[0], view.mass[1] * rate * way * h,
                3e-3 * view.mass[1] * rate * way * h, "the angle of a step, 0.05, to second order");
    }
    CN_NEAR(deepest, 0.0, 1e-4,
            "fourth order in the angle; 1.3e-2 where chords are given back late");
    CN_NEAR(cn_world_view(w).ledger->kinetic, energy, 1e-6 * energy, "nothing is lost or gained");
    cn_world_destroy(w);
}

CN_TEST(bodies_ride_on_the_wall_of_a_drum_without_cutting_into_it)
{
    check_ride(0.0);
    check_ride(0.2); // sank without end: chords take more than a shock with e < 1/2 gives back
}

// A ball that spins and moves along the wall of a hollow at rest: whatever its spin, straight steps
// cut (h v)^2 / 2 (R - r) into it (6.7), anywhere on the wall, and whichever of the two comes
// first.
CN_TEST(chords_are_as_deep_as_their_arcs)
{
    const double R = 0.5, r = 0.05, h = 1e-3;
    const cn_vec3 middle = {0.3, -0.2, 0.4}, rate = {3.0, 5.0, -7.0};
    for (int k = 0; k < 16; k++) {
        int dim = 2 + k % 2;
        cn_world *w = dim == 2 ? scene_world(0.0, 0.0, 1e-10) : scene_space(0.0, 0.0, 1e-10);
        cn_vec3 out = cn_v3(cos(0.8 * k), sin(0.8 * k), dim == 3 ? 0.5 : 0.0);
        cn_vec3 v = cn_cross3(out, dim == 2 ? cn_v3(0.0, 0.0, 2.0) : rate);
        cn_vec3 at = cn_add_mul3(middle, (R - r) / cn_norm3(out), out);
        at = cn_add_mul3(at, -0.5 * h, v); // it touches in the middle of the step
        const cn_shape_def ring = {.kind = CN_SHAPE_HOLLOW_DISK, .radius = R, .thickness = 0.1};
        const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = r};
        const cn_solid_def shell = {.kind = CN_SOLID_HOLLOW_SPHERE, .radius = R, .thickness = 0.1};
        const cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = r};
        for (int n = 0; n < 2; n++) {
            bool is_ball = n == k / 2 % 2;
            cn_body_def def = {.density = 1.0};
            scene_part(&def, dim, is_ball ? &disk : &ring, is_ball ? &ball : &shell);
            def.fixed = is_ball ? 0 : CN_FIXED_ALL;
            memcpy(def.at, is_ball ? &at : &middle, sizeof at);
            if (is_ball) {
                memcpy(def.velocity, &v, sizeof v);
                memcpy(def.angular_velocity, &rate, sizeof rate);
                def.angular_velocity[2] = dim == 2 ? 9.0 : rate.z;
            }
            CN_DO(cn_body_add(w, &def, NULL, &test_error));
        }
        scene_run(w, h, 1);
        CN_TRUE(w->contacts.count == 1);
        const cn_contact *x = &w->contacts.contact[0];
        CN_TRUE(cn_contact_is_concave(&w->bodies, x));
        CN_NEAR(cn_contact_arc(&w->contacts, &w->bodies, x), 0.5 * h * h * cn_dot3(v, v) / (R - r),
                1e-16, "4e-6 to 1e-4 m and rounding");
        cn_world_destroy(w);
    }
}

// A can that is wider than a tube leans and dips into its mouth by the lowest corner, which glides
// past the wall 15 mm away from it: a corner, not a ball that is rounder than the hollow.
CN_TEST(rims_wider_than_a_tube_glide_past_its_wall)
{
    const double R = 0.3, r = 0.31, half = 0.3, lean = 0.3, v = 1.6, h = 0.01;
    cn_world_def def = cn_world_def_default();
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    def.dim = 3;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    cn_world *w = scene_world_with(&def, &law);
    cn_solid_def tube = {
        .kind = CN_SOLID_HOLLOW_CYLINDER, .radius = R, .length = 0.4, .thickness = 0.05};
    add_container(w, &tube, UPRIGHT);
    cn_solid_def can = {.kind = CN_SOLID_CYLINDER, .radius = r, .length = 2.0 * half};
    cn_body_def of = {.type = CN_BODY_SOLIDS, .solids = {1, &can}, .density = 1.0};
    of.rotation[0] = cos(0.5 * lean);
    of.rotation[2] = sin(0.5 * lean); // about y: the axis leans along x
    of.at[0] = 0.285 + half * sin(lean) - r * cos(lean);
    of.at[2] = 0.199 + half * cos(lean) + r * sin(lean);
    of.velocity[1] = v;
    cn_body_id id;
    CN_DO(cn_body_add(w, &of, &id, &test_error));
    CN_DO(test_step(w, h, &test_error));
    CN_NEAR(scene_state(w, id).velocity[1], v, 1e-14, "nothing is in its way");
    CN_NEAR(scene_state(w, id).velocity[0], 0.0, 1e-14, "nothing pushes it");
    cn_world_destroy(w);
}

// Without friction the energy of a ball that slides to and fro in a bowl only falls, whatever its
// restitution, and it stays on the wall.
CN_TEST(bouncing_ball_in_a_bowl_neither_gains_energy_nor_sinks)
{
    const double R = 1.0, r = 0.1, h = 5e-3;
    for (int k = 1; k <= 4; k++) {
        cn_world *w = scene_space(0.0, 0.2 * k, 1e-10);
        cn_solid_def shell = {.kind = CN_SOLID_HOLLOW_SPHERE, .radius = R, .thickness = 0.1};
        add_container(w, &shell, UPRIGHT);
        scene_sphere(w, 0.6 * (R - r), 0.0, -0.8 * (R - r), r);
        double start = cn_world_view(w).ledger->potential, highest = start, deepest = 0.0;
        for (int n = 0; n < 2000; n++) {
            scene_run(w, h, 1);
            cn_view view = cn_world_view(w);
            highest = fmax(highest, view.ledger->kinetic + view.ledger->potential);
            deepest = fmax(deepest, view.certificate->penetration_rel);
        }
        CN_NEAR(highest - start, 0.0, 1e-3 * fabs(start), "steps follow the wall to second order");
        CN_NEAR(deepest, 0.0, 2.5e-3,
                "two steps of free fall, 2 g h^2 of 0.2 m, before it touches");
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(ball_rolls_in_a_shell_with_the_period_of_the_pendulum);
        CN_RUN(ball_in_a_turning_drum_keeps_to_the_wall); CN_RUN(block_rests_in_a_cup);
        CN_RUN(lids_rest_on_a_cup); CN_RUN(plate_flies_past_an_open_tube);
        CN_RUN(bodies_ride_on_the_wall_of_a_drum_without_cutting_into_it);
        CN_RUN(chords_are_as_deep_as_their_arcs);
        CN_RUN(rims_wider_than_a_tube_glide_past_its_wall);
        CN_RUN(bouncing_ball_in_a_bowl_neither_gains_energy_nor_sinks);)
