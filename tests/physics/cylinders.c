// Cylinders that roll, stand and topple. Answers on paper.
#include "scenes.h"
#include "test.h"

// A cylinder with its axis along y.
static cn_body_id add_log(cn_world *w, double radius, double length, double x, double z)
{
    const double side = sqrt(0.5);
    cn_solid_def solid = {.kind = CN_SOLID_CYLINDER, .radius = radius, .length = length};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .density = 1000.0,
                       .at = {x, 0.0, z},
                       .rotation = {side, side, 0.0, 0.0}};
    cn_body_id id = 0;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static cn_body_id add_drum(cn_world *w, double radius, double height, const double at[3],
                           const double turn[4])
{
    cn_solid_def solid = {.kind = CN_SOLID_CYLINDER, .radius = radius, .length = height};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .density = 1000.0,
                       .at = {at[0], at[1], at[2]},
                       .rotation = {turn[0], turn[1], turn[2], turn[3]}};
    cn_body_id id = 0;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

// a = 2/3 g sin(slope), on a half-space and on a slab, straight and without sinking.
CN_TEST(log_rolls_down_a_slope)
{
    const double slope = 0.2, r = 0.1, h = 1e-3;
    for (int on_slab = 0; on_slab < 2; on_slab++) {
        cn_world *w = scene_space(0.5, 0.0, 1e-12);
        const double turn[4] = {cos(0.5 * slope), 0.0, sin(0.5 * slope), 0.0};
        const double size[3] = {6.0, 2.0, 1.0};
        const double under[3] = {-0.5 * sin(slope), 0.0, -0.5 * cos(slope)};
        if (on_slab) {
            scene_block(w, under, size, turn, CN_FIXED_ALL);
        } else {
            scene_floor(w, slope);
        }
        double x = r * sin(slope), z = r * cos(slope);
        cn_body_id log = add_log(w, r, 0.5, x, z);
        CN_TRUE(scene_run(w, h, 800) == 0);
        cn_body_state s = scene_state(w, log);
        double along = (s.position[0] - x) * cos(slope) - (s.position[2] - z) * sin(slope);
        double above = s.position[0] * sin(slope) + s.position[2] * cos(slope);
        double a = 2.0 / 3.0 * 9.81 * sin(slope), t = 0.8;
        CN_NEAR(along, 0.5 * a * t * t, 1e-9, "constant acceleration is exact");
        CN_NEAR(above, r, 1e-9, "nothing sinks");
        CN_NEAR(s.position[1], 0.0, 1e-9, "straight");
        CN_NEAR(s.angular_velocity[1], a * t / r, 1e-7, "rolling");
        cn_world_destroy(w);
    }
}

// A drum of diameter D and height H stands on a slope while tan(slope) < D/H, whatever the azimuth.
CN_TEST(drum_stands_up_to_its_slope)
{
    const double D = 0.4, H = 1.0;
    for (int k = 0; k < 4; k++) {
        bool falls = k % 2 == 1;
        double slope = atan((falls ? 1.01 : 0.985) * D / H), azimuth = k < 2 ? 0.0 : CN_PI / 32.0;
        cn_world *w = scene_space(0.9, 0.0, 1e-6);
        scene_floor(w, slope);
        cn_quat tilt = {cos(0.5 * slope), 0.0, sin(0.5 * slope), 0.0};
        cn_quat twist = {cos(0.5 * azimuth), 0.0, 0.0, sin(0.5 * azimuth)};
        cn_quat q = cn_quat_mul(tilt, twist);
        const double at[3] = {0.5 * H * sin(slope), 0.0, 0.5 * H * cos(slope)};
        const double turn[4] = {q.w, q.x, q.y, q.z};
        cn_body_id drum = add_drum(w, 0.5 * D, H, at, turn);
        scene_run(w, 1e-3, 300);
        cn_body_state s = scene_state(w, drum);
        double speed = hypot(s.velocity[0], s.velocity[2]);
        CN_TRUE(falls ? speed > 1e-3 : speed < 1e-6);
        cn_world_destroy(w);
    }
}

// Three drums and a lintel: weights arrive, nothing moves.
CN_TEST(drums_carry_a_lintel)
{
    cn_world *w = scene_space(0.6, 0.0, 1e-6);
    scene_floor(w, 0.0);
    const double none[4] = {1.0, 0.0, 0.0, 0.0}, size[3] = {3.0, 0.5, 0.3};
    for (int k = 0; k < 4; k++) {
        const double at[3] = {k % 2 == 0 ? -1.0 : 1.0, 0.0, k < 2 ? 0.5 : 1.5};
        add_drum(w, 0.3, 1.0, at, none);
    }
    const double on[3] = {0.0, 0.0, 2.15};
    cn_body_id lintel = scene_block(w, on, size, NULL, 0);
    scene_run(w, 1e-3, 200);
    cn_view view = cn_world_view(w);
    double weight = 9.81 * (4.0 * 1000.0 * CN_PI * 0.09 + 2000.0 * 0.45), floor = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        floor += view.id[view.contact[a].i] == 1 ? view.contact[a].r[0] / 1e-3 : 0.0;
    }
    CN_NEAR(floor, weight, 1e-4 * weight, "the floor carries all");
    CN_NEAR(scene_state(w, lintel).position[2], 2.15, 1e-7, "nothing sinks");
    CN_TRUE(view.ledger->error_max < 1e-10);
    cn_world_destroy(w);
}

// A coin that rolls on its rim, upright: straight on at constant speed.
CN_TEST(coin_rolls_on_its_rim)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-12);
    scene_floor(w, 0.0);
    cn_body_id coin = add_log(w, 0.1, 0.02, 0.0, 0.1);
    cn_body_state s = scene_state(w, coin);
    s.velocity[0] = 1.0;
    s.angular_velocity[1] = 10.0;
    CN_DO(cn_body_set(w, coin, &s, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 1000) == 0);
    s = scene_state(w, coin);
    CN_NEAR(s.position[0], 1.0, 1e-9, "nothing brakes it");
    CN_NEAR(s.position[2], 0.1, 1e-9, "nothing sinks");
    CN_NEAR(s.velocity[0], 1.0, 1e-9, "rolling");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(log_rolls_down_a_slope); CN_RUN(drum_stands_up_to_its_slope);
        CN_RUN(drums_carry_a_lintel); CN_RUN(coin_rolls_on_its_rim);)
