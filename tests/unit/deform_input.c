// What deformable bodies do not take, each with the number at fault; and what a warm step
// allocates.
#include "test.h"

#include "counted.h"
#include "grids.h"
#include "scenes.h"
#include "strict.h"

static grid *square(cn_material_def material)
{
    return grid_make(2, CN_QUAD4, (int[]){2, 2}, (double[]){0, 0}, (double[]){1, 1}, material);
}

CN_TEST(bodies_that_cannot_be)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-6);
    cn_body_def def = cn_body_def_default();
    grid *g = square(grid_elastic(1e6, 0.5, 1000.0));
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "0.5");
    g->material = grid_elastic(1e6, 0.3, 0.0);
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "density");
    g->material = grid_elastic(1e6, 0.3, 1000.0);
    def.mesh.item = NULL;
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "mesh");
    cn_solid_def solid = {.kind = CN_SOLID_SPHERE, .radius = 1.0};
    cn_body_def ball = {.type = CN_BODY_SOLIDS, .solids = {1, &solid}, .density = 1.0};
    CN_FAILS(cn_body_add(w, &ball, NULL, &test_error), CN_BAD_INPUT, "takes shapes");
    def.mesh.item = &g->def;
    g->def.dim = 3;
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "dimension 3");
    g->def.dim = 2;
    g->node[2 * 4] = 3.0; // the middle node leaves the square
    CN_FAILS(cn_body_add(w, &def, NULL, &test_error), CN_BAD_INPUT, "element");
    CN_TRUE(cn_world_view(w).body_count == 0);
    cn_world_destroy(w);
    grid_free(g);
}

CN_TEST(loads_that_cannot_be)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-6);
    grid *g = square(grid_elastic(1e6, 0.3, 1000.0));
    cn_body_id id = grid_body(w, g, 0.0, 0.0), disk = scene_disk(w, 5.0, 0.0, 1.0, 0);
    cn_node_drive_def drive = {.body = id, .set = "nose", .f = cn_constant(0.0)};
    CN_FAILS(cn_node_drive_add(w, &drive, &test_error), CN_BAD_INPUT, "nose");
    drive.set = "x0";
    drive.dof = CN_DOF_Z;
    CN_FAILS(cn_node_drive_add(w, &drive, &test_error), CN_BAD_INPUT, "x, y");
    drive.body = disk;
    CN_FAILS(cn_node_drive_add(w, &drive, &test_error), CN_BAD_INPUT, "not deformable");
    cn_node_load_def load = {.body = 77, .set = "x0", .f = cn_constant(0.0)};
    CN_FAILS(cn_node_load_add(w, &load, &test_error), CN_BAD_INPUT, "77");
    cn_joint_def joint = {.kind = CN_JOINT_BALL, .body = disk, .other = id, .at = {5.0}};
    CN_FAILS(cn_joint_add(w, &joint, NULL, &test_error), CN_BAD_INPUT, "away from");
    cn_deform_def deform = cn_deform_def_default();
    deform.is_quasi_static = true;
    CN_DO(cn_world_set_deform(w, &deform, &test_error));
    CN_FAILS(test_step(w, 1e-3, &test_error), CN_BAD_INPUT, "theta");
    deform.tolerance = 0.0;
    CN_FAILS(cn_world_set_deform(w, &deform, &test_error), CN_BAD_INPUT, "tolerance");
    cn_world_destroy(w);
    grid_free(g);
}

// Without inertia a body that nothing holds has no unique place.
CN_TEST(loose_quasi_static_body_is_told)
{
    cn_world_def def = cn_world_def_default();
    def.theta = 1.0;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    grid *g = square(grid_elastic(1e6, 0.3, 1000.0));
    grid_body(w, g, 0.0, 0.0);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_quasi_static = true;
    CN_DO(cn_world_set_deform(w, &deform, &test_error));
    CN_FAILS(test_step(w, 1.0, &test_error), CN_BROKEN, "may carry its load");
    cn_world_destroy(w);
    grid_free(g);
}

// Removed bodies leave no trace; those after them move up.
CN_TEST(removing_keeps_the_others)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-8), *alone = scene_world(0.5, 0.0, 1e-8);
    grid *g = square(grid_elastic(1e5, 0.3, 1000.0));
    grid *other = grid_make(2, CN_TRI3, (int[]){3, 2}, (double[]){2, 0}, (double[]){1, 1},
                            grid_elastic(1e5, 0.2, 800.0));
    cn_body_def def = cn_body_def_default();
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_ground(alone, 0.0, 0.0, 0.0);
    cn_body_id first = grid_body(w, g, 0.0, 0.0);
    def.type = CN_BODY_MESH;
    def.mesh.item = &other->def;
    def.id = 9;
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
    CN_DO(cn_body_add(alone, &def, NULL, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 3) == 0);
    CN_TRUE(scene_run(alone, 1e-3, 3) == 0);
    CN_DO(cn_body_remove(w, first, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 20) == 0);
    CN_TRUE(scene_run(alone, 1e-3, 20) == 0);
    cn_node_view x, y;
    CN_DO(cn_body_nodes(w, 9, &x, &test_error));
    CN_DO(cn_body_nodes(alone, 9, &y, &test_error));
    CN_TRUE(memcmp(x.x, y.x, sizeof(double) * 2 * (size_t)x.node_count) == 0);
    CN_FAILS(cn_body_nodes(w, first, &x, &test_error), CN_BAD_INPUT, "does not exist");
    cn_world_destroy(w);
    cn_world_destroy(alone);
    grid_free(g);
    grid_free(other);
}

CN_TEST(warm_step_allocates_nothing)
{
    counted memory = {0};
    cn_hooks hooks = counted_hooks(&memory);
    cn_world_def def = cn_world_def_default();
    def.hooks = &hooks;
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    grid *g = square(grid_elastic(1e6, 0.3, 1000.0));
    grid *large = grid_make(2, CN_QUAD4, (int[]){12, 5}, (double[]){0, 1.0}, (double[]){1, 1},
                            grid_elastic(1e6, 0.3, 1000.0));
    scene_ground(w, 0.0, 0.0, 0.0);
    grid_body(w, g, 0.0, 0.0);
    grid_body(w, large, 0.0, 0.0);
    CN_TRUE(scene_run(w, 1e-3, 60) == 0);
    memory.calls = 0;
    CN_TRUE(scene_run(w, 1e-3, 20) == 0);
    CN_TRUE(memory.calls == 0);
    cn_world_destroy(w);
    grid_free(g);
    grid_free(large);
}

// A step that breaks is made in parts.
CN_TEST(steps_are_halved_where_needed)
{
    cn_material_def material = grid_elastic(1000.0, 0.3, 1.0);
    material.model = CN_MATERIAL_SAINT_VENANT;
    cn_world_def world = cn_world_def_default();
    world.gravity[1] = 0.0;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&world, &law);
    grid *g = square(material);
    cn_body_def def = cn_body_def_default();
    cn_deform_def deform = cn_deform_def_default();
    deform.iteration_max = 5;
    CN_DO(cn_world_set_deform(w, &deform, &test_error));
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.angular_velocity[2] = 10.0;
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
    CN_FAILS(cn_world_advance(w, 0.2, 0, &test_error), CN_BROKEN, "smaller");
    CN_DO(cn_world_advance(w, 0.2, 6, &test_error));
    CN_TRUE(cn_world_view(w).certificate->solver.is_converged);
    CN_NEAR(cn_world_view(w).time, 0.2, 1e-15, "sum of parts");
    CN_TRUE(cn_world_view(w).step > 1);
    cn_world_destroy(w);
    grid_free(g);
}

CN_MAIN(CN_RUN(bodies_that_cannot_be); CN_RUN(loads_that_cannot_be);
        CN_RUN(loose_quasi_static_body_is_told); CN_RUN(removing_keeps_the_others);
        CN_RUN(warm_step_allocates_nothing); CN_RUN(steps_are_halved_where_needed);)
