// Blocks on blocks whose tops are level: seams and diagonal neighbours must not be felt.
#include "scenes.h"
#include "test.h"

// A block slides over eight seams of a tiled floor; exact speed v = v0 - mu g t.
CN_TEST(block_slides_over_seams_at_the_coulomb_rate)
{
    const double mu = 0.1, g = 9.81, v0 = 3.0, t = 0.7;
    cn_world *w = scene_world(mu, 0.0, 1e-6);
    for (int k = -1; k < 10; k++) {
        scene_box(w, 0.25 * k, -0.05, 0.25, 0.1, 0.0, CN_FIXED_ALL);
    }
    cn_body_id block = scene_box(w, 0.0, 0.05, 0.2, 0.1, 0.0, 0);
    scene_set_velocity(w, block, v0, 0.0, 0.0);
    CN_TRUE(scene_run(w, 1e-3, 700) == 0);
    cn_body_state s = scene_state(w, block);
    CN_NEAR(s.velocity[0], v0 - mu * g * t, 1e-5, "seams are passed; 700 steps x solver tolerance");
    CN_NEAR(s.position[1], 0.05, 1e-5, "on the tiles; what the solver leaves at each seam");
    cn_world_destroy(w);
}

// The support of one column of a stack bond is missing: the column falls freely beside its
// neighbour, whose corners it touches.
CN_TEST(column_falls_freely_beside_its_neighbour)
{
    const double g = 9.81, t = 0.1;
    cn_world *w = scene_world(0.0, 0.0, 1e-10);
    for (int k = 0; k < 4; k++) {
        scene_box(w, 0.0, 0.05 + 0.1 * k, 0.2, 0.1, 0.0, CN_FIXED_ALL);
    }
    cn_body_id block[3];
    for (int k = 0; k < 3; k++) {
        block[k] = scene_box(w, 0.2, 0.15 + 0.1 * k, 0.2, 0.1, 0.0, 0);
    }
    CN_TRUE(scene_run(w, 1e-3, 100) == 0);
    for (int k = 0; k < 3; k++) {
        CN_NEAR(scene_state(w, block[k]).velocity[1], -g * t, 1e-9, "free fall is exact in v");
    }
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(block_slides_over_seams_at_the_coulomb_rate);
        CN_RUN(column_falls_freely_beside_its_neighbour);)
