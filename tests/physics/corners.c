// tests/physics/corners.c -- bodies that turn fast come down on corners that did not touch before:
// within one step none of them enters another body.
#include "scenes.h"
#include "test.h"

// Largest depth of any step, of the size of the smaller body.
static double run(cn_world *w, double h, int steps)
{
    double depth = 0.0;
    for (int k = 0; k < steps; k++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        depth = fmax(depth, cn_world_view(w).certificate->penetration_rel);
    }
    return depth;
}

// Numbers in [0, 1), the same on every machine.
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

// A pebble of twelve corners, 4 cm wide and 1.6 cm thick. A free one falls and turns: by 0.05 rad
// in a step of 1 ms, its corners by 2 mm.
static void add_pebble(cn_world *w, const double at[3], unsigned fixed, uint64_t *state)
{
    double point[36];
    for (int k = 0; k < 12; k++) {
        double z = 2.0 * uniform(state) - 1.0, angle = 2.0 * CN_PI * uniform(state);
        point[3 * k] = 0.02 * sqrt(1.0 - z * z) * cos(angle);
        point[3 * k + 1] = 0.02 * sqrt(1.0 - z * z) * sin(angle);
        point[3 * k + 2] = 0.008 * z;
    }
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 12, .point = point};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .density = 2000.0,
                       .at = {at[0], at[1], at[2]},
                       .fixed = fixed};
    if (fixed == 0) {
        double azimuth = 2.0 * CN_PI * uniform(state);
        def.velocity[2] = -1.0;
        def.angular_velocity[0] = 50.0 * cos(azimuth);
        def.angular_velocity[1] = 50.0 * sin(azimuth);
    }
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
}

// A spinning pebble hits a fixed one with one corner, beside a box, and slaps down on others.
CN_TEST(a_spinning_pebble_slaps_down_beside_a_box)
{
    uint64_t state = 1;
    double worst = 0.0;
    for (int k = 0; k < 40; k++) {
        cn_world *w = scene_space(0.3, 0.0, 1e-4);
        add_pebble(w, (double[3]){0.0, 0.0, 0.0}, CN_FIXED_ALL, &state);
        scene_block(w, (double[3]){0.0, 0.04, 0.0}, (double[3]){0.02, 0.02, 0.02}, NULL, 0);
        add_pebble(w, (double[3]){0.005, 0.01, 0.017}, 0, &state);
        worst = fmax(worst, run(w, 1e-3, 20));
        cn_world_destroy(w);
    }
    CN_NEAR(worst, 0.0, 0.01, "second order of the turn; with patches alone 0.057");
}

// In the plane: a flat pebble of twelve corners in order, some of them nearly straight.
static void add_flat_pebble(cn_world *w, double x, double y, double spin, uint64_t *state)
{
    double angle[12], point[24];
    for (int k = 0; k < 12; k++) {
        angle[k] = 2.0 * CN_PI * (k + 0.8 * uniform(state)) / 12;
        point[2 * k] = 0.02 * cos(angle[k]);
        point[2 * k + 1] = 0.006 * sin(angle[k]);
    }
    cn_shape_def shape = {.kind = CN_SHAPE_POLYGON, .vertex_count = 12, .vertex = point};
    cn_body_def def = {.shapes = {1, &shape},
                       .density = 2000.0,
                       .at = {x, y},
                       .angular_velocity[2] = spin,
                       .velocity = {0.0, spin != 0.0 ? -1.0 : 0.0},
                       .fixed = spin == 0.0 ? CN_FIXED_ALL : 0};
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
}

// Two ends of the face that comes down are enough.
CN_TEST(a_spinning_polygon_slaps_down_on_another)
{
    uint64_t state = 1;
    double worst = 0.0;
    for (int k = 0; k < 100; k++) {
        cn_world *w = scene_world(0.3, 0.0, 1e-4);
        add_flat_pebble(w, 0.0, 0.0, 0.0, &state);
        add_flat_pebble(w, 0.02 * uniform(&state), 0.02, k % 2 == 0 ? 50.0 : -50.0, &state);
        worst = fmax(worst, run(w, 1e-3, 30));
        cn_world_destroy(w);
    }
    CN_NEAR(worst, 0.0, 0.005, "second order of the turn; the ends of a face are enough");
}

// Random polyhedra poured into a box.
CN_TEST(poured_polyhedra_stay_outside_each_other)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-2);
    scene_polyhedra(w, 100, 4, 0.01);
    CN_NEAR(run(w, 1e-3, 300), 0.0, 0.02, "faces that slide and turn; with patches alone 0.045");
    cn_world_destroy(w);
}

// A chisel whose edge, along y at the origin, points along x; its back is a tenth as thick as long.
static cn_body_id add_chisel(cn_world *w, const double turn[4], const double at[3], double speed,
                             unsigned fixed)
{
    double point[18] = {0.0,  -0.2, 0.0,  0.0,  0.2,  0.0,   -1.0, -0.2, 0.05,
                        -1.0, 0.2,  0.05, -1.0, -0.2, -0.05, -1.0, 0.2,  -0.05};
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 6, .point = point};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .density = 2000.0,
                       .at = {at[0], at[1], at[2]},
                       .rotation = {turn[0], turn[1], turn[2], turn[3]},
                       .velocity = {0.0, 0.0, -speed},
                       .fixed = fixed};
    cn_body_id id = {0};
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

// Two chisels edge to edge, the upper 0.1 of both one over the other, where each is thinner than
// 0.01. In a step they come nearer by 0.04, which is less than half of their backs. Without a look
// on the way the upper one is below in the next step, and nothing has touched.
CN_TEST(chisels_do_not_pass_each_other)
{
    for (int k = 0; k < 10; k++) {
        const double gap = 0.032 + 0.004 * k, speed = 40.0, e = 0.5;
        cn_world *w = scene_space(0.0, e, 1e-9);
        add_chisel(w, (double[4]){1.0, 0.0, 0.0, 0.0}, (double[3]){0.05, 0.0, 0.0}, 0.0,
                   CN_FIXED_ALL);
        cn_body_id id =
            add_chisel(w, (double[4]){0.0, 0.0, 0.0, 1.0}, (double[3]){-0.05, 0.03, gap}, speed, 0);
        CN_TRUE(scene_run(w, 1e-3, 6) == 0);
        cn_body_state s;
        CN_DO(cn_body_get(w, id, &s, &test_error));
        CN_TRUE(s.velocity[2] > 1e-3 - speed); // gravity adds 0.06
        cn_overlap o;
        CN_DO(cn_world_overlap(w, &o, &test_error));
        CN_TRUE(o.unseen.rel < CN_OVERLAP_MISSED);
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(chisels_do_not_pass_each_other); CN_RUN(a_spinning_polygon_slaps_down_on_another);
        CN_RUN(a_spinning_pebble_slaps_down_beside_a_box);
        CN_RUN(poured_polyhedra_stay_outside_each_other);)
