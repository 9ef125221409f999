// Where contacts of faces and of thin bodies are: arms and tangents that fit the motion.
#include "scenes.h"
#include "test.h"

#define STEP 1e-3 // [s]

// A box lands flat, one corner after the other within one step, and sticks with both. The corners
// close at different speeds, so the box turns; both tangential velocities can vanish only if both
// points lie on one line along the tangent.
CN_TEST(both_ends_of_a_landing_face_can_stick)
{
    const double tilt = 2e-3; // corners at 0.1 and 0.5 mm
    cn_world *w = scene_world(1.0, 0.0, 1e-12);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id box = scene_box(w, 0.0, 0.05 + 3e-4, 0.2, 0.1, tilt, 0);
    scene_set_velocity(w, box, 0.0, -1.0, 0.0);
    cn_world_set_scheme(w, 1.0, 0.0, NULL); // contacts at q: the gaps are those above
    CN_TRUE(scene_run(w, STEP, 1) == 0);
    CN_TRUE(cn_world_view(w).certificate->solver.stick_count == 2);
    CN_NEAR(scene_state(w, box).angle, 0.0, 1e-6, "both gaps close; the arms turn by 2e-3");
    cn_world_destroy(w);
}

// A rod thinner than its way in a step slides on its tip, leaning back at tan = 2: W_nn = 1.6,
// W_nt = 1.2, so P_n = g h/(W_nn - mu W_nt).
CN_TEST(a_thin_rod_keeps_its_arm)
{
    const double rhombus[8] = {1.0, 0.0, 0.0, 1e-4, -1.0, 0.0, 0.0, -1e-4};
    const double slope = atan(2.0), mu = 1.2;
    cn_world *w = scene_world(mu, 0.0, 1e-12);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_shape_def shape = {.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = rhombus};
    cn_body_def rod = {.shapes = {1, &shape},
                       .mass = 1.0,
                       .inertia = {0.0, 0.0, 1.0 / 3.0},
                       .at = {-cos(slope), sin(slope)},
                       .angle = -slope,
                       .velocity = {1.0, 0.0}};
    CN_DO(cn_body_add(w, &rod, NULL, &test_error));
    CN_TRUE(scene_run(w, STEP, 1) == 0);
    cn_view view = cn_world_view(w);
    CN_TRUE(view.contact_count == 1);
    CN_NEAR(view.contact[0].r[0], 9.81 * STEP / (1.6 - mu * 1.2), 1e-12,
            "closed form; rounding of the arm times 1/0.16");
    cn_world_destroy(w);
}

// A box set down with two corners inside the ground and two above, or the other way round, or
// dropped: the targets of its corners can be met by a rigid motion, so that sweeps end quickly.
static void set_down(bool is_on_box, double tilt, double height)
{
    const double size[3] = {0.3, 0.2, 0.1}, wide[3] = {0.5, 0.4, 0.1},
                 below[3] = {0.05, 0.02, 0.05};
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    scene_floor(w, 0.0);
    if (is_on_box) {
        scene_block(w, below, wide, NULL, 0);
    }
    double flat = is_on_box ? 0.15 : 0.05; // of the centre
    const double at[3] = {0.0, 0.0, flat + height};
    const double turn[4] = {cos(0.5 * tilt), cos(0.7) * sin(0.5 * tilt), sin(0.7) * sin(0.5 * tilt),
                            0.0};
    cn_body_id box = scene_block(w, at, size, turn, 0);
    int sweeps = 0;
    for (int k = 0; k < 100; k++) {
        CN_TRUE(scene_run(w, STEP, 1) == 0);
        int now = cn_world_view(w).certificate->solver.sweep_count;
        sweeps = now > sweeps ? now : sweeps;
    }
    cn_body_state s = scene_state(w, box);
    CN_TRUE(sweeps <= 200); // 20 to 104, as rounding has it; targets that disagree took 4200
    CN_NEAR(hypot(s.rotation[1], s.rotation[2]), 0.0, 1e-10,
            "it lies flat; gaps count from 1e-10 on");
    CN_TRUE(s.position[2] - flat < 1e-12 && s.position[2] - flat > -0.18 * fabs(tilt) - 1e-12);
    cn_world_destroy(w);
}

CN_TEST(a_box_with_corners_in_and_above_a_face_settles)
{
    for (double tilt = 1e-9; tilt < 2e-6; tilt *= 10.0) {
        for (int is_on_box = 0; is_on_box < 2; is_on_box++) {
            set_down(is_on_box, tilt, 0.0);
            set_down(is_on_box, -tilt, 0.0);
            set_down(is_on_box, tilt, 1e-3);
        }
    }
}

// A drum of twenty or forty sides, tilted and turning, rolls on its rim like a coin: the edges that
// it turns about are among the points, whichever they are. What it sinks is of second order in the
// step; a point that is missed lets it sink by half a millimetre.
CN_TEST(a_prism_rolls_on_its_rim)
{
    for (int sides = 20; sides <= 40; sides += 20) {
        const double tilt = 0.1, azimuth = 0.7, radius = 0.5;
        double point[3 * 2 * 40], sink = 0.0, lowest = 0.0;
        for (int k = 0; k < 2 * sides; k++) {
            double angle = CN_PI * (k - k % 2) / sides, *x = point + 3 * k;
            x[0] = radius * cos(angle);
            x[1] = radius * sin(angle);
            x[2] = k % 2 - 0.5;
            lowest = fmin(lowest, x[2] * cos(tilt) + radius * sin(angle - azimuth) * sin(tilt));
        }
        cn_world *w = scene_space(0.6, 0.0, 1e-8);
        scene_block(w, (double[]){0.0, 0.0, -0.5}, (double[]){4.0, 4.0, 1.0}, NULL, CN_FIXED_ALL);
        cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 2 * sides, .point = point};
        cn_body_def def = {.type = CN_BODY_SOLIDS,
                           .solids = {1, &solid},
                           .density = 2000.0,
                           .at = {0.0, 0.0, -lowest},
                           .rotation = {cos(0.5 * tilt), cos(azimuth) * sin(0.5 * tilt),
                                        sin(azimuth) * sin(0.5 * tilt), 0.0},
                           .angular_velocity = {0.0, 0.0, 0.5}};
        CN_DO(cn_body_add(w, &def, NULL, &test_error));
        for (int k = 0; k < 300; k++) {
            CN_TRUE(scene_run(w, STEP, 1) == 0);
            sink = fmax(sink, cn_world_view(w).certificate->penetration);
        }
        CN_NEAR(sink, 0.0, 1e-6, "(h v)^2 / R with v = 1 m/s at most");
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(both_ends_of_a_landing_face_can_stick); CN_RUN(a_thin_rod_keeps_its_arm);
        CN_RUN(a_box_with_corners_in_and_above_a_face_settles); CN_RUN(a_prism_rolls_on_its_rim);)
