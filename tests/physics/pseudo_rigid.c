// Pseudo-rigid bodies: one deformation gradient, answers on paper (theory 11.27 to 11.29).
#include "test.h"

#include "grids.h"
#include "scenes.h"

static const double G = 9.81;

static cn_world *empty_world(int dim, double theta)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    def.theta = theta;
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    return scene_world_with(&def, &law);
}

// A block about the origin; its cells matter for the skin only.
static grid *block(int dim, const double *size, int cells, cn_material_def material)
{
    double lo[3] = {-0.5 * size[0], -0.5 * size[1], dim == 3 ? -0.5 * size[2] : 0.0};
    int n[3] = {cells, cells, cells};
    grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, n, lo, size, material);
    g->def.is_pseudo_rigid = true;
    return g;
}

// Positions lambda X of all nodes.
static void stretch(cn_world *w, cn_body_id id, const double lambda[3])
{
    cn_node_view nodes;
    double x[81];
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    for (int k = 0; k < nodes.dim * nodes.node_count; k++) {
        x[k] = lambda[k % nodes.dim] * nodes.X[k];
    }
    CN_DO(cn_body_set_nodes(w, id, x, NULL, &test_error));
}

CN_TEST(free_flight_is_that_of_a_point)
{
    const double h = 0.01, t = 1.0, v[2] = {2.0, 3.0};
    grid *g = block(2, (double[]){0.4, 0.2}, 2, grid_elastic(1e5, 0.3, 1000.0));
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    cn_body_id id = grid_body(w, g, v[0], v[1]);
    CN_TRUE(scene_run(w, h, (int)(t / h + 0.5)) == 0);
    cn_body_state s = scene_state(w, id);
    CN_NEAR(s.mass, 80.0, 1e-12 * 80.0, "density x area");
    CN_NEAR(s.inertia[2], 80.0 * (0.16 + 0.04) / 12.0, 1e-12, "of a rectangle, exact");
    CN_NEAR(s.position[0], v[0] * t, 1e-12, "rounding");
    CN_NEAR(s.position[1], v[1] * t - 0.5 * G * t * t, 1e-12, "theta 1/2 is exact on parabolas");
    double stress[9 * 6];
    CN_DO(cn_body_node_stress(w, id, stress, &test_error));
    CN_NEAR(stress[0], 0.0, 1e-8, "rounding of 1e5 Pa");
    cn_world_destroy(w);
    grid_free(g);
}

// A stretch of length L with nu = 0: omega^2 = E V / (m L^2/12). In steps of h the angle per step
// is 2 atan(omega h/2).
static void vibrate(int dim)
{
    const double E = 1e4, rho = 500.0, size[3] = {0.6, 0.3, 0.2}, h = 1e-3, eps = 1e-3;
    const int steps = 200;
    grid *g = block(dim, size, 2, grid_elastic(E, 0.0, rho));
    cn_world *w = empty_world(dim, 0.5);
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    stretch(w, id, (double[]){1.0 + eps, 1.0, 1.0});
    CN_TRUE(scene_run(w, h, steps) == 0);
    double omega = sqrt(12.0 * E / rho) / size[0];
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    double now = nodes.x[0] / nodes.X[0] - 1.0;
    CN_NEAR(now / eps, cos(steps * 2.0 * atan(0.5 * omega * h)), 1e-9, "one linear oscillator");
    CN_NEAR(nodes.x[1], nodes.X[1], 1e-14, "nu = 0: nothing across");
    double stress[27 * 6];
    CN_DO(cn_body_node_stress(w, id, stress, &test_error));
    CN_NEAR(stress[0], E * now, 1e-9 * E * eps, "uniaxial");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

CN_TEST(stretch_vibrates_at_its_frequency)
{
    vibrate(2);
    vibrate(3);
}

// Angular momentum of the mass points that carry the motion: exact for every affine motion.
static void momentum(const cn_world *w, cn_body_id id, double L[3])
{
    cn_body_state s = scene_state(w, id);
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    // F and its rate from three edges at node 0 of the grid of 2 x 2 x 2 cells.
    static const int end[3] = {2, 6, 18};
    double F[9], rate[9], moment[3];
    for (int j = 0; j < 3; j++) {
        double length = nodes.X[3 * end[j] + j] - nodes.X[j];
        moment[j] = s.mass * length * length / 12.0;
        for (int i = 0; i < 3; i++) {
            F[3 * i + j] = (nodes.x[3 * end[j] + i] - nodes.x[i]) / length;
            rate[3 * i + j] = (nodes.v[3 * end[j] + i] - nodes.v[i]) / length;
        }
    }
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        L[i] = 0.0;
        for (int j = 0; j < 3; j++) {
            L[i] += moment[j] * (F[3 * a + j] * rate[3 * b + j] - F[3 * b + j] * rate[3 * a + j]);
        }
    }
}

// A soft block that tumbles: energy and angular momentum stay, the block stretches.
CN_TEST(tumbling_block_keeps_angular_momentum)
{
    const double size[3] = {0.3, 0.2, 0.1};
    cn_material_def material = grid_elastic(1e5, 0.3, 1000.0);
    material.model = CN_MATERIAL_SAINT_VENANT;
    grid *g = block(3, size, 2, material);
    cn_world *w = empty_world(3, 0.5);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_conserving = true;
    CN_DO(cn_world_set_deform(w, &deform, &test_error));
    cn_body_def def = cn_body_def_default();
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.angular_velocity[0] = 10.0;
    def.angular_velocity[1] = 20.0;
    def.angular_velocity[2] = 5.0;
    cn_body_id id;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    double before[3], after[3], kinetic = 0.0;
    momentum(w, id, before);
    for (int k = 0; k < 3; k++) { // m/12 (b^2 + c^2) omega
        double b = size[(k + 1) % 3], c = size[(k + 2) % 3];
        double L = 6.0 / 12.0 * (b * b + c * c) * def.angular_velocity[k];
        CN_NEAR(before[k], L, 1e-13, "that of a rigid block");
        kinetic += 0.5 * L * def.angular_velocity[k];
    }
    CN_TRUE(scene_run(w, 2e-3, 500) == 0);
    momentum(w, id, after);
    for (int k = 0; k < 3; k++) {
        CN_NEAR(after[k], before[k], 1e-9 * before[1], "500 Newton solves to 1e-11");
    }
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    CN_TRUE(nodes.elastic > 1e-4 * kinetic);
    const cn_ledger *ledger = cn_world_view(w).ledger;
    CN_NEAR(ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// The mean stress of a block on the ground is half its weight per area, in every cut of the skin.
CN_TEST(block_on_the_ground_has_its_mean_stress)
{
    const double rho = 1000.0, height = 0.2, E = 1e6;
    for (int cells = 1; cells <= 3; cells++) {
        grid *g = block(2, (double[]){0.3, height}, cells, grid_elastic(E, 0.0, rho));
        cn_world_def def = cn_world_def_default();
        def.theta = 1.0;
        def.solver.eps_v = def.solver.tol = 1e-12;
        cn_law_def law = cn_law_coulomb(0.0, 0.0);
        cn_world *w = scene_world_with(&def, &law);
        scene_ground(w, 0.0, -0.5 * height, 0.0);
        cn_body_id id = grid_body(w, g, 0.0, 0.0);
        CN_TRUE(scene_run(w, 0.05, 60) == 0);
        double stress[16 * 6];
        CN_DO(cn_body_node_stress(w, id, stress, &test_error));
        CN_NEAR(stress[1], -0.5 * rho * G * height, 1e-7 * rho * G * height, "sum x r / V");
        CN_NEAR(stress[0], 0.0, 1e-7 * rho * G * height, "free sides");
        CN_NEAR(scene_state(w, id).position[1], -0.25 * rho * G * height * height / E, 1e-9,
                "half of the mean strain times the height");
        cn_node_view nodes;
        double pushed = 0.0;
        CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
        for (int n = 0; n < nodes.node_count; n++) {
            pushed += nodes.impulse[2 * n + 1];
        }
        CN_NEAR(pushed, 0.05 * rho * G * 0.3 * height, 1e-6, "nodes carry the weight");
        cn_world_destroy(w);
        grid_free(g);
    }
}

// A tilted block falls on its corner, topples and slides: with a stiff material like a rigid one.
static double distance_from_rigid(double E)
{
    const double h = 1e-3;
    cn_world_def def = cn_world_def_default();
    def.theta = 1.0;
    def.solver.eps_v = def.solver.tol = 1e-10;
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    cn_material_def material = grid_elastic(E, 0.2, 1000.0);
    material.kinematics = CN_COROTATIONAL;
    grid *g = block(2, (double[]){0.4, 0.2}, 1, material);
    cn_body_state state[2];
    for (int k = 0; k < 2; k++) {
        cn_world *w = scene_world_with(&def, &law);
        scene_ground(w, 0.0, 0.0, 0.0);
        cn_body_id id;
        if (k == 0) {
            id = scene_box(w, 0.0, 0.25, 0.4, 0.2, 0.4, 0);
            scene_set_velocity(w, id, 1.0, 0.0, 0.0);
        } else {
            cn_body_def body = cn_body_def_default();
            body.type = CN_BODY_MESH;
            body.mesh.item = &g->def;
            body.at[1] = 0.25;
            body.angle = 0.4;
            body.velocity[0] = 1.0;
            CN_DO(cn_body_add(w, &body, &id, &test_error));
        }
        CN_TRUE(scene_run(w, h, 500) == 0);
        state[k] = scene_state(w, id);
        cn_world_destroy(w);
    }
    grid_free(g);
    CN_TRUE(fabs(state[0].angle) < 0.05); // it has come down
    return hypot(state[1].position[0] - state[0].position[0],
                 state[1].position[1] - state[0].position[1]);
}

CN_TEST(stiff_body_moves_like_a_rigid_one)
{
    double soft = distance_from_rigid(1e6), stiff = distance_from_rigid(1e12);
    CN_TRUE(stiff < 0.1 * soft);
    CN_NEAR(stiff, 0.0, 1e-3, "first impacts differ by a step");
}

CN_TEST(what_a_pseudo_rigid_body_cannot_be)
{
    cn_world *w = empty_world(2, 0.5);
    cn_material_def two[2] = {grid_elastic(1e5, 0.3, 1000.0), grid_elastic(2e5, 0.3, 1000.0)};
    grid *g = block(2, (double[]){0.4, 0.2}, 2, two[0]);
    cn_body_def def = cn_body_def_default();
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    cn_body_id id;
    int material[4] = {0, 0, 1, 0};
    g->def.material = two;
    g->def.material_count = 2;
    g->def.element_material = material;
    CN_FAILS(cn_body_add(w, &def, &id, &test_error), CN_BAD_INPUT, "elements 0 and 2");
    g->def.element_material = NULL;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    cn_node_drive_def drive = {.body = id, .set = "x0", .f = cn_constant(0.0)};
    CN_FAILS(cn_node_drive_add(w, &drive, &test_error), CN_BAD_INPUT, "pseudo-rigid");
    drive.set = NULL;
    CN_DO(cn_node_drive_add(w, &drive, &test_error));
    g->def.plane = CN_AXISYMMETRIC;
    def.at[0] = 1.0;
    CN_FAILS(cn_body_add(w, &def, &id, &test_error), CN_BAD_INPUT, "axisymmetric");
    cn_world_destroy(w);
    grid_free(g);
}

CN_MAIN(CN_RUN(free_flight_is_that_of_a_point); CN_RUN(stretch_vibrates_at_its_frequency);
        CN_RUN(tumbling_block_keeps_angular_momentum);
        CN_RUN(block_on_the_ground_has_its_mean_stress); CN_RUN(stiff_body_moves_like_a_rigid_one);
        CN_RUN(what_a_pseudo_rigid_body_cannot_be);)
