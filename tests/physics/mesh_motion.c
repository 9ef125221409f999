// Deformable bodies as wholes: how they turn, what pulls them outwards, and that they stay what
// they are when others are taken away.
#include "test.h"

#include "grids.h"
#include "scenes.h"

static cn_world *empty(int dim)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = 0.0;
    def.theta = 0.5;
    def.solver.eps_v = def.solver.tol = 1e-10;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    return scene_world_with(&def, &law);
}

static grid *stiff_block(int dim, cn_material_model model)
{
    cn_material_def material = grid_elastic(1e6, 0.3, 10.0);
    material.model = model;
    return grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){2, 2, 2}, (double[]){1, 2, 3},
                     (double[]){0.4, 0.3, 0.2}, material);
}

// The size of a mesh is its smallest extent, whichever axis that is along and wherever it lies.
CN_TEST(a_mesh_has_the_size_of_its_box)
{
    for (int dim = 2; dim <= 3; dim++) {
        for (int axis = 0; axis < dim; axis++) {
            const double lo[3] = {-5.0, 20.0, 0.3};
            double size[3] = {0.7, 0.8, 0.9};
            size[axis] = 0.1;
            cn_world *w = empty(dim);
            grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){1, 2, 1}, lo, size,
                                grid_elastic(1e6, 0.3, 10.0));
            cn_body_state s = scene_state(w, grid_body(w, g, 0.0, 0.0));
            CN_NEAR(s.size, 0.1, 1e-14, "differences of places at 20 m");
            CN_NEAR(s.mass, 10.0 * size[0] * size[1] * (dim == 3 ? size[2] : 1.0), 1e-13,
                    "density 10");
            for (int d = 0; d < dim; d++) {
                CN_NEAR(s.position[d], lo[d] + 0.5 * size[d], 1e-14, "the middle");
            }
            cn_world_destroy(w);
            grid_free(g);
        }
    }
}

// A stiff block that spins about a principal axis has turned by rate x time, and its middle has
// gone on along a line.
CN_TEST(a_free_mesh_turns_at_its_rate)
{
    const double rate = 3.0, t = 0.5, h = 1e-3;
    for (int axis = 0; axis < 3; axis++) {
        for (int dim = axis == 2 ? 2 : 3; dim <= 3; dim++) {
            cn_world *w = empty(dim);
            grid *g = stiff_block(dim, CN_MATERIAL_NEO_HOOKEAN);
            cn_body_def def = cn_body_def_default();
            def.type = CN_BODY_MESH;
            def.mesh.item = &g->def;
            def.velocity[0] = 0.7;
            def.angular_velocity[axis] = rate;
            cn_body_id id;
            CN_DO(cn_body_add(w, &def, &id, &test_error));
            CN_TRUE(scene_run(w, h, (int)(t / h + 0.5)) == 0);
            cn_body_state s = scene_state(w, id);
            const char *why = "stretched by rho (w L)^2 / E = 1.4e-5, second order in h";
            CN_NEAR(s.position[0], 1.2 + 0.7 * t, 1e-9, "momentum is kept");
            CN_NEAR(s.position[1], 2.15, 1e-9, "momentum is kept");
            if (dim == 2) {
                CN_NEAR(s.angle, rate * t, 1e-4, why);
                CN_NEAR(s.angular_velocity[2], rate, 1e-4, why);
            } else {
                CN_NEAR(fabs(s.rotation[0]), cos(0.5 * rate * t), 1e-4, why);
                CN_NEAR(s.rotation[1 + axis] * s.rotation[0], 0.5 * sin(rate * t), 1e-4, why);
                CN_NEAR(s.angular_velocity[axis], rate, 1e-4, why);
                CN_NEAR(s.angular_velocity[(axis + 1) % 3], 0.0, 1e-4, why);
            }
            cn_world_destroy(w);
            grid_free(g);
        }
    }
}

// In a turning frame the mass centre is pulled by m w^2 times its way from the axis, wherever that
// is.
CN_TEST(turning_frame_pulls_the_mass_centre)
{
    const double h = 1e-3, rate = 5.0, centre[3] = {1.2, 2.15, 3.1};
    const double axis[2][3] = {{0.0, 0.0, 1.0}, {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}};
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = empty(dim);
        grid *g = stiff_block(dim, CN_MATERIAL_LINEAR);
        cn_body_id id = grid_body(w, g, 0.0, 0.0);
        const double *n = axis[dim - 2];
        cn_node_load_def load = {.body = id,
                                 .kind = CN_LOAD_CENTRIFUGAL,
                                 .direction = {n[0], n[1], n[2]},
                                 .point = {0.3, 0.8, 0.5},
                                 .f = cn_constant(rate)};
        CN_DO(cn_node_load_add(w, &load, &test_error));
        CN_TRUE(scene_run(w, h, 1) == 0);
        double way[3], along = 0.0;
        for (int d = 0; d < 3; d++) {
            way[d] = d < dim ? centre[d] - load.point[d] : 0.0;
            along += way[d] * n[d];
        }
        for (int d = 0; d < dim; d++) {
            CN_NEAR(scene_state(w, id).velocity[d], h * rate * rate * (way[d] - along * n[d]),
                    1e-12, "the first step, from rest");
        }
        cn_world_destroy(w);
        grid_free(g);
    }
}

// Rigid, mesh, rigid, mesh on the ground: whichever goes, the others stay there.
CN_TEST(others_rest_on_when_a_body_goes)
{
    for (int gone = 0; gone < 4; gone++) {
        cn_world_def world = cn_world_def_default();
        world.solver.eps_v = world.solver.tol = 1e-8;
        cn_law_def law = cn_law_coulomb(0.3, 0.0);
        cn_world *w = scene_world_with(&world, &law);
        scene_ground(w, 0.0, 0.0, 0.0);
        grid *g = stiff_block(2, CN_MATERIAL_LINEAR); // from y = 2 to 2.3
        cn_body_id id[4];
        for (int k = 0; k < 4; k++) {
            cn_body_def def = cn_body_def_default();
            cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 0.15};
            if (k % 2 == 0) {
                def.shapes = (cn_shape_parts){1, &disk};
            } else {
                def.type = CN_BODY_MESH;
                def.mesh.item = &g->def;
            }
            def.at[0] = 10.0 * k;
            def.at[1] = k % 2 == 0 ? 0.15 : -2.0;
            CN_DO(cn_body_add(w, &def, &id[k], &test_error));
        }
        scene_run(w, 1e-3, 5);
        CN_DO(cn_body_remove(w, id[gone], &test_error));
        scene_run(w, 1e-3, 100);
        for (int k = 0; k < 4; k++) {
            if (k != gone) {
                CN_NEAR(scene_state(w, id[k]).position[1], 0.15, 1e-5,
                        "the weight squeezes a block by rho g L^2 / 2 E = 4e-6; a fall is 0.05 m");
            }
        }
        CN_TRUE(cn_world_view(w).ledger->error_max < 1e-10);
        cn_world_destroy(w);
        grid_free(g);
    }
}

// A block turned about an axis, further and further: its quaternion is the one on paper, which goes
// on beyond half a turn, when the other sign would be nearer to the unit.
CN_TEST(turns_of_meshes_go_on_beyond_half_a_turn)
{
    cn_world *w = scene_space(0.0, 0.0, 1e-9);
    grid *g = grid_make(3, CN_HEX8, (int[]){2, 1, 1}, (double[]){-1, -0.5, -0.5},
                        (double[]){2, 1, 1}, grid_elastic(1e6, 0.3, 1.0));
    cn_body_id block = grid_body(w, g, 0.0, 0.0);
    const cn_vec3 axis = cn_mul3(1.0 / sqrt(14.0), cn_v3(1.0, -2.0, 3.0));
    for (int k = 0; k <= 60; k++) {
        double angle = 0.2 * k, c = cos(0.5 * angle), s = sin(0.5 * angle), x[36];
        cn_quat q = {c, s * axis.x, s * axis.y, s * axis.z};
        cn_mat3 R = cn_quat_matrix(q);
        for (int n = 0; n < 12; n++) {
            cn_vec3 at =
                cn_mat3_mul(&R, cn_v3(g->node[3 * n], g->node[3 * n + 1], g->node[3 * n + 2]));
            memcpy(x + 3 * n, &at, sizeof at);
        }
        CN_DO(cn_body_set_nodes(w, block, x, NULL, &test_error));
        const double exact[4] = {q.w, q.x, q.y, q.z};
        cn_body_state state = scene_state(w, block);
        for (int d = 0; d < 4; d++) {
            CN_NEAR(state.rotation[d], exact[d], 1e-9, "polar decomposition of a rotation");
        }
    }
    cn_world_destroy(w);
    grid_free(g);
}

CN_MAIN(CN_RUN(a_mesh_has_the_size_of_its_box); CN_RUN(a_free_mesh_turns_at_its_rate);
        CN_RUN(turning_frame_pulls_the_mass_centre); CN_RUN(others_rest_on_when_a_body_goes);
        CN_RUN(turns_of_meshes_go_on_beyond_half_a_turn);)
