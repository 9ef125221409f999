// Bodies that slide, roll and rest on triangle surfaces: nothing is felt of the triangles.
#include "block_mesh.h"
#include "scenes.h"
#include "test.h"

enum { GRID = 10, POINTS = BLOCK_MESH_POINTS(GRID) };

static double point[3 * POINTS]; // filled by the first user

// A fixed slab of 6 x 2 x 1 m with its top, 200 triangles, through the origin, turned about z.
static void add_slab(cn_world *w, double angle)
{
    cn_solid_def solid = {.kind = CN_SOLID_SURFACE,
                          .point_count = block_mesh(6.0, 2.0, 1.0, GRID, point),
                          .point = point};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &solid},
                       .density = 1.0,
                       .fixed = CN_FIXED_ALL,
                       .at = {0.0, 0.0, -0.5},
                       .rotation = {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)}};
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
}

static cn_body_id add_solid(cn_world *w, const cn_solid_def *solid, double x, double y, double z)
{
    cn_body_id id = 0;
    cn_body_def def = {
        .type = CN_BODY_SOLIDS, .solids = {1, solid}, .density = 1000.0, .at = {x, y, z}};
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    return id;
}

static void push(cn_world *w, cn_body_id id, double vx, double vy, double rate_y)
{
    cn_body_state s = scene_state(w, id);
    s.velocity[0] = vx;
    s.velocity[1] = vy;
    s.angular_velocity[1] = rate_y;
    CN_DO(cn_body_set(w, id, &s, &test_error));
}

// v = v0 - mu g t, straight, flat, whatever the seams below; also for a standing drum.
CN_TEST(flat_bodies_slide_at_the_coulomb_rate)
{
    const double mu = 0.2, v0 = 2.0, h = 1e-3, t = 0.5;
    double corner[24];
    cn_box_corners(0.7, 0.5, 0.2, corner);
    const cn_solid_def solid[2] = {{.kind = CN_SOLID_HULL, .point_count = 8, .point = corner},
                                   {.kind = CN_SOLID_CYLINDER, .radius = 0.3, .length = 0.2}};
    for (int k = 0; k < 2; k++) {
        cn_world *w = scene_space(mu, 0.0, 1e-10);
        add_slab(w, 0.1);
        cn_body_id id = add_solid(w, &solid[k], -1.53, 0.11, 0.1);
        push(w, id, v0, 0.0, 0.0);
        CN_TRUE(scene_run(w, h, 500) == 0);
        cn_body_state s = scene_state(w, id);
        double x = v0 * t - 0.5 * mu * 9.81 * t * t;
        CN_NEAR(s.velocity[0], v0 - mu * 9.81 * t, 1e-6, "constant deceleration");
        CN_NEAR(s.position[0] + 1.53, x, 1e-6, "constant deceleration");
        CN_NEAR(s.position[1], 0.11, 1e-7, "straight");
        CN_NEAR(s.position[2], 0.1, 1e-9, "flat");
        CN_NEAR(s.rotation[0], 1.0, 1e-9, "nothing turns it");
        cn_world_destroy(w);
    }
}

// A sliding ball ends rolling at 5/7 of its speed; a log at 2/3; a capsule that lies across too.
CN_TEST(round_bodies_end_rolling)
{
    const double side = sqrt(0.5), r = 0.1;
    const cn_solid_def solid[2] = {{.kind = CN_SOLID_SPHERE, .radius = r},
                                   {.kind = CN_SOLID_CYLINDER,
                                    .radius = r,
                                    .length = 0.6,
                                    .rotation = {side, side, 0.0, 0.0}}};
    const double left[2] = {5.0 / 7.0, 2.0 / 3.0};
    for (int k = 0; k < 2; k++) {
        cn_world *w = scene_space(0.3, 0.0, 1e-10);
        add_slab(w, k == 0 ? 0.1 : 0.0);
        cn_body_id id = add_solid(w, &solid[k], -1.53, 0.013, r);
        push(w, id, 2.0, 0.0, 0.0);
        CN_TRUE(scene_run(w, 1e-3, 1000) == 0);
        cn_body_state s = scene_state(w, id);
        CN_NEAR(s.velocity[0], 2.0 * left[k], 1e-6, "momentum about the line of contact is kept");
        CN_NEAR(s.angular_velocity[1], 2.0 * left[k] / r, 1e-5, "rolling");
        CN_NEAR(s.position[1], 0.013, 1e-7, "straight");
        CN_NEAR(s.position[2], r, 1e-8, "it neither sinks nor jumps");
        cn_world_destroy(w);
    }
}

// A box with its mass centre over the slab stays, one beyond its edge tips over it.
CN_TEST(overhanging_box_hinges_about_the_edge)
{
    double corner[24];
    cn_box_corners(1.0, 0.4, 0.2, corner);
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    for (int k = 0; k < 2; k++) {
        cn_world *w = scene_space(0.6, 0.0, 1e-8);
        add_slab(w, 0.0);
        cn_body_id box = add_solid(w, &solid, k == 0 ? 2.98 : 3.02, 0.0, 0.1);
        scene_run(w, 1e-3, 200);
        cn_body_state s = scene_state(w, box);
        CN_TRUE(k == 0 ? fabs(s.angular_velocity[1]) < 1e-6 : s.angular_velocity[1] > 0.05);
        CN_TRUE(k == 1 || fabs(s.position[2] - 0.1) < 1e-8);
        // As it tips, its lower face turns about the edge: the edge stays on the face.
        cn_mat3 R =
            cn_quat_matrix((cn_quat){s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]});
        cn_vec3 edge = cn_v3(3.0 - s.position[0], -s.position[1], -s.position[2]);
        CN_NEAR(cn_mat3_mul_transposed(&R, edge).z, -0.1, 1e-5, "on its lower face");
        cn_world_destroy(w);
    }
}

// Blocks that line up with the edge of the slab, and a box pushed over a joint of two level slabs.
CN_TEST(level_edges_neither_hold_nor_let_through)
{
    double corner[24];
    cn_box_corners(0.5, 0.5, 0.2, corner);
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    cn_world *w = scene_space(0.1, 0.0, 1e-10);
    add_slab(w, 0.0);
    cn_solid_def next = {.kind = CN_SOLID_SURFACE, .point_count = POINTS, .point = point};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &next},
                       .density = 1.0,
                       .fixed = CN_FIXED_ALL,
                       .at = {6.0, 0.0, -0.5}};
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
    cn_body_id flush = add_solid(w, &solid, -2.75, 0.75, 0.1),
               over = add_solid(w, &solid, 2.5, 0, 0.1);
    push(w, over, 2.0, 0.0, 0.0);
    CN_TRUE(scene_run(w, 1e-3, 500) == 0);
    cn_body_state s = scene_state(w, over);
    CN_NEAR(s.velocity[0], 2.0 - 0.1 * 9.81 * 0.5, 1e-6, "the joint does not stop it");
    CN_NEAR(s.position[2], 0.1, 1e-8, "nor does it sink");
    s = scene_state(w, flush);
    CN_NEAR(s.position[2], 0.1, 1e-9, "it stands at the corner of the slab");
    CN_NEAR(s.position[0], -2.75, 1e-9, "and is not pushed");
    cn_world_destroy(w);
}

// A step stops what is lower than its top.
CN_TEST(a_step_stops_a_box)
{
    double corner[24];
    cn_box_corners(0.5, 0.5, 0.2, corner);
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = corner};
    cn_world *w = scene_space(0.0, 0.0, 1e-10);
    add_slab(w, 0.0);
    cn_solid_def step = {.kind = CN_SOLID_SURFACE, .point_count = POINTS, .point = point};
    cn_body_def def = {.type = CN_BODY_SOLIDS,
                       .solids = {1, &step},
                       .density = 1.0,
                       .fixed = CN_FIXED_ALL,
                       .at = {4.0, 0.0, -0.4}};
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
    cn_body_id box = add_solid(w, &solid, 0.5, 0.0, 0.1);
    push(w, box, 1.0, 0.0, 0.0);
    scene_run(w, 1e-3, 500);
    cn_body_state s = scene_state(w, box);
    CN_NEAR(s.position[0], 0.75, 1e-6, "its front touches the step at x = 1");
    CN_NEAR(s.velocity[0], 0.0, 1e-9, "an inelastic shock");
    CN_NEAR(s.position[2], 0.1, 1e-6, "it stays down");
    cn_world_destroy(w);
}

CN_TEST(surfaces_must_be_held)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-6);
    cn_solid_def solid = {.kind = CN_SOLID_SURFACE,
                          .point_count = block_mesh(1.0, 1.0, 1.0, 2, point),
                          .point = point};
    cn_body_def def = {.type = CN_BODY_SOLIDS, .solids = {1, &solid}, .density = 1.0};
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "must be fixed");
    def.fixed = CN_FIXED_ALL;
    solid.point_count -= 3;
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "not closed");
    solid.point_count += 2;
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "three points");
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(flat_bodies_slide_at_the_coulomb_rate); CN_RUN(round_bodies_end_rolling);
        CN_RUN(overhanging_box_hinges_about_the_edge);
        CN_RUN(level_edges_neither_hold_nor_let_through); CN_RUN(a_step_stops_a_box);
        CN_RUN(surfaces_must_be_held);)
