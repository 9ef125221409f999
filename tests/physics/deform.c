// Deformable bodies in a world: statics and waves with answers on paper, and what holds them.
#include "test.h"

#include "grids.h"
#include "scenes.h"
#include "strict.h"

static const double G = 9.81;

static double ledger_error(const cn_world *w)
{
    return cn_world_view(w).ledger->error_max;
}

// Sum of the normal impulses of all contacts.
static double normal_impulse(const cn_world *w)
{
    cn_view view = cn_world_view(w);
    double sum = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        sum += view.contact[a].r[0];
    }
    return sum;
}

// A block on the ground, damped until it rests: the ground carries its weight.
CN_TEST(block_rests_with_its_weight)
{
    cn_material_def material = grid_elastic(1e6, 0.3, 1000.0);
    material.rayleigh_mass = 60.0;
    grid *g =
        grid_make(2, CN_TRI3, (int[]){6, 4}, (double[]){0, 0}, (double[]){0.3, 0.2}, material);
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    const double h = 1e-3, weight = 1000.0 * 0.06 * G;
    CN_TRUE(scene_run(w, h, 1500) == 0);
    CN_NEAR(normal_impulse(w) / h, weight, 1e-7 * weight, "at rest up to damped oscillations");
    CN_NEAR(ledger_error(w), 0.0, 1e-10, "rounding");
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    double sag = nodes.x[2 * (nodes.node_count - 1) + 1] - 0.2;
    CN_TRUE(sag < -1e-4 * 0.2 && sag > -1.1 * 1000.0 * G * 0.2 * 0.2 / 2.0 / 1e6);
    cn_world_destroy(w);
    grid_free(g);
}

// A block that flies far away stores nothing on the way, whatever rounding makes of its path.
CN_TEST(block_far_away_is_not_strained)
{
    grid *g = grid_make(2, CN_TRI3, (int[]){7, 3}, (double[]){0.3, 0.2}, (double[]){0.1, 0.07},
                        grid_elastic(1e6, 0.3, 1000.0));
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    CN_DO(cn_world_set_gravity(w, (double[]){0.0, 0.0, 0.0}, &test_error));
    grid_body(w, g, 0.03, 0.04);
    CN_TRUE(scene_run(w, 0.1, 1000) == 0);
    const cn_ledger *ledger = cn_world_view(w).ledger;
    CN_NEAR(ledger->elastic / ledger->kinetic, 0.0, 1e-16, "only relative motion is strain");
    CN_NEAR(ledger_error(w), 0.0, 1e-12, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// D04: an elastic bar (nu = 0) hits a wall. Stress rho c v, contact 2 L / c, rebound with v.
static void bar_on_wall(double *stress, double *duration, double *rebound, double *error)
{
    const double L = 1.0, E = 70e9, rho = 2700.0, v = 1.0, c = sqrt(E / rho), side = 0.01;
    const int n = 100;
    grid *g = grid_make(2, CN_QUAD4, (int[]){n, 1}, (double[]){0, 0}, (double[]){L, side},
                        grid_elastic(E, 0.0, rho));
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.solver.eps_v = 1e-9;
    def.solver.tol = 1e-9;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_ground(w, 0.0, 0.0, -CN_PI / 2); // outward along +x
    cn_body_id id = grid_body(w, g, -v, 0.0);
    const double h = 0.5 * L / n / c;
    double first = -1.0, last = 0.0, sum = 0.0;
    int counted = 0;
    for (int k = 0; k < 600; k++) {
        CN_DO(test_step(w, h, &test_error));
        double r = normal_impulse(w);
        if (r > 0.0) {
            first = first < 0.0 ? k * h : first;
            last = (k + 1) * h;
        }
        if (k > 40 && k < 360) {
            sum += r / h / side;
            counted++;
        }
    }
    *stress = sum / counted;
    *duration = last - first;
    *rebound = scene_state(w, id).velocity[0];
    *error = ledger_error(w);
    cn_world_destroy(w);
    grid_free(g);
}

CN_TEST(bar_impact_is_that_of_a_wave)
{
    const double c = sqrt(70e9 / 2700.0);
    double stress, duration, rebound, error;
    bar_on_wall(&stress, &duration, &rebound, &error);
    CN_NEAR(stress, 2700.0 * c, 0.01 * 2700.0 * c, "D04: one per cent");
    CN_NEAR(duration, 2.0 / c, 0.01 * 2.0 / c, "D04: one per cent");
    CN_NEAR(rebound, 1.0, 0.02, "D04: two per cent stay as vibration");
    CN_NEAR(error, 0.0, 1e-10, "rounding");
}

// D20b: a block between smooth rigid walls under pressure: lateral stress nu / (1 - nu).
CN_TEST(confined_block_pushes_sideways)
{
    cn_material_def material = grid_elastic(1000.0, 0.3, 1.0);
    grid *g = grid_make(2, CN_QUAD4, (int[]){3, 3}, (double[]){0, 0}, (double[]){1, 1}, material);
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    def.solver.eps_v = 1e-12;
    def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_ground(w, 0.0, 0.0, -CN_PI / 2);
    scene_ground(w, 1.0, 0.0, CN_PI / 2);
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    cn_node_load_def load = {.body = id,
                             .set = "y1",
                             .kind = CN_LOAD_TRACTION,
                             .direction = {0.0, -1.0, 0.0},
                             .f = cn_constant(1.0),
                             .t0 = 0.0};
    CN_DO(cn_node_load_add(w, &load, &test_error));
    const double h = 0.5; // long against the oscillations: implicit Euler damps them
    CN_TRUE(scene_run(w, h, 60) == 0);
    cn_view view = cn_world_view(w);
    double left = 0.0, right = 0.0, floor = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        floor += fabs(x->normal[1]) * x->r[0] / h;
        left += x->normal[0] * (x->i == 3 ? 1 : -1) > 0.5 ? x->r[0] / h : 0.0;
        right += x->normal[0] * (x->i == 3 ? 1 : -1) < -0.5 ? x->r[0] / h : 0.0;
    }
    CN_NEAR(floor, 1.0, 1e-8, "D20: equilibrium");
    CN_NEAR(left, 0.3 / 0.7, 1e-8, "D20: plane strain");
    CN_NEAR(right, 0.3 / 0.7, 1e-8, "D20: plane strain");
    cn_world_destroy(w);
    grid_free(g);
}

// A held side and a pulled one: E strain A = F, and the drive takes the force.
CN_TEST(held_bar_stretches_by_hooke)
{
    const double E = 1e6, F = 100.0;
    cn_material_def material = grid_elastic(E, 0.0, 1.0);
    grid *g = grid_make(2, CN_QUAD4, (int[]){8, 2}, (double[]){0, 0}, (double[]){1, 0.1}, material);
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    for (int d = 0; d < 2; d++) {
        cn_node_drive_def hold = {
            .body = id, .set = "x0", .dof = (cn_dof)d, .f = cn_constant(0.0), .t0 = 0.0};
        CN_DO(cn_node_drive_add(w, &hold, &test_error));
    }
    cn_node_load_def load = {.body = id,
                             .set = "x1",
                             .kind = CN_LOAD_TRACTION,
                             .direction = {1.0, 0.0, 0.0},
                             .f = cn_constant(F / 0.1),
                             .t0 = 0.0};
    CN_DO(cn_node_load_add(w, &load, &test_error));
    CN_TRUE(scene_run(w, 1.0, 30) == 0);
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    double reaction = 0.0;
    for (int n = 0; n < nodes.node_count; n++) {
        reaction += nodes.reaction[2 * n];
    }
    CN_NEAR(nodes.x[2 * 8] - 1.0, F / (E * 0.1), 1e-12, "uniform strain is exact in quad4");
    CN_NEAR(reaction, -F * 1.0, 1e-8, "equilibrium");
    CN_NEAR(ledger_error(w), 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// Nodes that are held along the normal of the ground they lie in are no contacts: nothing could
// part them.
CN_TEST(held_nodes_do_not_touch_the_ground)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-9);
    grid *g = grid_make(2, CN_QUAD4, (int[]){3, 2}, (double[]){0, -1e-6}, (double[]){0.3, 0.2},
                        grid_elastic(1e6, 0.3, 1000.0));
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    cn_node_drive_def hold = {
        .body = id, .set = "y0", .dof = CN_DOF_Y, .f = cn_constant(0.0), .t0 = 0.0};
    CN_DO(cn_node_drive_add(w, &hold, &test_error));
    CN_TRUE(scene_run(w, 1e-3, 20) == 0);
    CN_TRUE(cn_world_view(w).contact_count == 0);
    cn_world_destroy(w);
    grid_free(g);
}

CN_MAIN(CN_RUN(block_far_away_is_not_strained); CN_RUN(block_rests_with_its_weight);
        CN_RUN(bar_impact_is_that_of_a_wave); CN_RUN(confined_block_pushes_sideways);
        CN_RUN(held_bar_stretches_by_hooke); CN_RUN(held_nodes_do_not_touch_the_ground);)
