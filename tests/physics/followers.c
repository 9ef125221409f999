// Forces that turn with their body, in the plane and about every axis of space.
#include "scenes.h"
#include "test.h"

// A body at rest that spins at the rate w is pushed along its own axis: at x + (1-theta) h v, as
// (3.2) takes follower forces, that has turned by (1-theta) h w.
CN_TEST(a_follower_turns_with_its_body)
{
    const double h = 0.1, rate = 0.5, F = 3.0;
    for (int k = 0; k < 4; k++) { // the plane, then about x, y, z
        cn_world_def world = cn_world_def_default();
        world.dim = k == 0 ? 2 : 3;
        world.gravity[1] = 0.0;
        world.theta = 0.5;
        cn_law_def law = cn_law_coulomb(0.0, 0.0);
        cn_world *w = scene_world_with(&world, &law);
        const cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.1};
        const cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = 0.1};
        int axis = k == 0 ? 2 : k - 1, along = (axis + 1) % 3, across = (axis + 2) % 3;
        cn_body_def def = cn_body_def_default();
        scene_part(&def, k == 0 ? 2 : 3, &disk, &ball);
        def.angular_velocity[axis] = rate;
        cn_body_id id;
        CN_DO(cn_body_add(w, &def, &id, &test_error));
        cn_force_def force = {.body = id, .is_follower = true, .f = cn_constant(F)};
        force.direction[along] = 1.0;
        CN_DO(cn_force_add(w, &force, &test_error));
        scene_run(w, h, 1);
        cn_body_state s = scene_state(w, id);
        double push = h * F / s.mass, angle = 0.5 * h * rate;
        CN_NEAR(s.velocity[along] / push, cos(angle), 1e-5, "a turn by rotation vectors: angle^3");
        CN_NEAR(s.velocity[across] / push, sin(angle), 1e-5, "likewise");
        CN_NEAR(s.velocity[axis], 0.0, 1e-15, "the axis stays");
        cn_world_destroy(w);
    }
}

// No component of a force may be NaN or infinite, be it one that the plane does not use.
CN_TEST(forces_are_finite)
{
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = dim == 2 ? scene_world(0.0, 0.0, 1e-8) : scene_space(0.0, 0.0, 1e-8);
        cn_body_id id =
            dim == 2 ? scene_disk(w, 0.0, 0.0, 0.1, 0) : scene_sphere(w, 0.0, 0.0, 0.0, 0.1);
        for (int k = 0; k < 6; k++) {
            cn_force_def force = {.body = id, .direction = {1.0}, .f = cn_constant(1.0)};
            CN_DO(cn_force_add(w, &force, &test_error));
            (k < 3 ? force.direction : force.point)[k % 3] = k % 2 == 0 ? NAN : INFINITY;
            CN_FAILS(cn_force_add(w, &force, &test_error), CN_BAD_INPUT, "not finite");
        }
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(a_follower_turns_with_its_body); CN_RUN(forces_are_finite);)
