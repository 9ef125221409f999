// Loads on deformable bodies, plasticity in the ledger, and a bar of hexahedra on a wall.
#include "test.h"

#include "grids.h"
#include "scenes.h"
#include "strict.h"

static cn_world *free_world(int dim, double theta)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = 0.0;
    def.theta = theta;
    def.solver.eps_v = 1e-9;
    def.solver.tol = 1e-9;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    return scene_world_with(&def, &law);
}

static void press_all(cn_world *w, cn_body_id id, double p)
{
    cn_node_load_def load = {.body = id, .kind = CN_LOAD_PRESSURE, .f = cn_constant(p), .t0 = 0.0};
    CN_DO(cn_node_load_add(w, &load, &test_error));
}

// Pressure from all sides in plane strain: strain - p (1 + nu)(1 - 2 nu)/E along both axes.
CN_TEST(pressure_squeezes_a_block)
{
    const double E = 1e4, nu = 0.3, p = 1.0;
    cn_world *w = free_world(2, 1.0);
    grid *g = grid_make(2, CN_QUAD4, (int[]){3, 3}, (double[]){0, 0}, (double[]){1, 1},
                        grid_elastic(E, nu, 1.0));
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    press_all(w, id, p);
    CN_TRUE(scene_run(w, 0.2, 60) == 0);
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    double width = nodes.x[2 * 3] - nodes.x[0], strain = -p * (1 + nu) * (1 - 2 * nu) / E;
    CN_NEAR(width - 1.0, strain, 1e-3 * fabs(strain), "pressure acts on the sides as they are");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// Pressure on a closed surface has no resultant, whatever the shape: a spinning block stays.
CN_TEST(pressure_moves_nothing)
{
    cn_world *w = free_world(2, 0.5);
    cn_material_def material = grid_elastic(1e3, 0.3, 1.0);
    material.model = CN_MATERIAL_NEO_HOOKEAN;
    grid *g = grid_make(2, CN_TRI3, (int[]){4, 2}, (double[]){0, 0}, (double[]){2, 1}, material);
    cn_body_def def = cn_body_def_default();
    cn_body_id id;
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.angular_velocity[2] = 3.0;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    press_all(w, id, 100.0);
    CN_TRUE(scene_run(w, 5e-3, 200) == 0);
    cn_body_state state = scene_state(w, id);
    CN_NEAR(hypot(state.velocity[0], state.velocity[1]), 0.0, 1e-8, "no resultant");
    CN_TRUE(state.angle > 2.0);
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// A bar pulled beyond yield without inertia: perfectly plastic, nu = 0 and a side that is free:
// the force stays at the yield stress (plane stress), and the drive pays for what is dissipated.
CN_TEST(yielding_bar_dissipates_what_the_drive_gives)
{
    const double E = 1e6, yield = 1e3, stretch = 0.01;
    cn_world *w = free_world(2, 1.0);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_quasi_static = true;
    CN_DO(cn_world_set_deform(w, &deform, &test_error));
    cn_material_def material = grid_elastic(E, 0.0, 1.0);
    material.model = CN_MATERIAL_J2;
    material.yield = yield;
    material.hardening = 1e-3 * E;
    grid *g = grid_make(2, CN_QUAD4, (int[]){4, 1}, (double[]){0, 0}, (double[]){1, 0.2}, material);
    g->def.plane = CN_PLANE_STRESS;
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    const char *set[3] = {"x0", "y0", "x1"};
    for (int k = 0; k < 3; k++) {
        cn_node_drive_def drive = {.body = id,
                                   .set = set[k],
                                   .dof = k == 1 ? CN_DOF_Y : CN_DOF_X,
                                   .f = cn_constant(k == 2 ? stretch : 0.0),
                                   .t0 = 0.0};
        CN_DO(cn_node_drive_add(w, &drive, &test_error));
    }
    CN_TRUE(scene_run(w, 0.05, 20) == 0);
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    double force = (nodes.reaction[2 * 4] + nodes.reaction[2 * 9]) / 0.05, slope = 1e-3 * E;
    // Uniaxial: stress = yield + H ep with stretch = stress/E + ep.
    double ep = (stretch - yield / E) / (1.0 + slope / E), stress = yield + slope * ep;
    CN_NEAR(force, 0.2 * stress, 1e-6 * stress, "linear hardening");
    const cn_ledger *ledger = cn_world_view(w).ledger;
    CN_NEAR(ledger->total[CN_ENERGY_PLASTIC], 0.2 * yield * ep, 0.05 * 0.2 * yield * ep,
            "yield stress over the plastic strain, up to what hardening adds");
    CN_TRUE(ledger->total[CN_ENERGY_DRIVE] < -ledger->total[CN_ENERGY_PLASTIC]);
    CN_NEAR(ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// D04 in space, a coarser bar: stress rho c v at the wall.
CN_TEST(bar_of_hexahedra_hits_a_wall)
{
    const double E = 1e6, rho = 1000.0, c = sqrt(E / rho), v = 0.1, L = 1.0, side = 0.05;
    const int n = 25;
    cn_world *w = free_world(3, 0.5);
    CN_DO(cn_world_set_gravity(w, (double[]){0.0, 0.0, 0.0}, &test_error));
    grid *g = grid_make(3, CN_HEX8, (int[]){1, 1, n}, (double[]){0, 0, 0},
                        (double[]){side, side, L}, grid_elastic(E, 0.0, rho));
    scene_floor(w, 0.0);
    cn_body_def def = cn_body_def_default();
    cn_body_id id;
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.velocity[2] = -v;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    const double h = 0.5 * L / n / c;
    double sum = 0.0;
    int counted = 0;
    for (int k = 0; k < 4 * n + 40; k++) {
        CN_DO(test_step(w, h, &test_error));
        cn_view view = cn_world_view(w);
        double r = 0.0;
        for (int a = 0; a < view.contact_count; a++) {
            r += view.contact[a].r[0];
        }
        if (k > 10 && k < 3 * n) {
            sum += r / h / (side * side);
            counted++;
        }
    }
    CN_NEAR(sum / counted, rho * c * v, 0.01 * rho * c * v, "D04: one per cent");
    CN_NEAR(scene_state(w, id).velocity[2], v, 0.06 * v, "two per cent with 100 elements, not 25");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// In a frame that turns, a bar that is held at the axis: stress rho w^2 (L^2 - x^2)/2 at x, and the
// reaction of the axis is m w^2 L/2. In space the axis may lie anywhere.
CN_TEST(turning_frame_pulls_a_bar)
{
    const double E = 1e6, L = 2.0, rho = 3.0, rate = 10.0, exact = rho * rate * rate * L * L / 2.0;
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = free_world(dim, 1.0);
        cn_deform_def deform = cn_deform_def_default();
        deform.is_quasi_static = true;
        CN_DO(cn_world_set_deform(w, &deform, &test_error));
        grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){10, 1, 1},
                            (double[]){1, 5, 7}, (double[]){L, 1, 1}, grid_elastic(E, 0.0, rho));
        cn_body_id id = grid_body(w, g, 0.0, 0.0);
        for (int d = 0; d < dim; d++) {
            cn_node_drive_def hold = {.body = id, .set = "x0", .dof = (cn_dof)d, .t0 = 0.0};
            CN_DO(cn_node_drive_add(w, &hold, &test_error));
        }
        cn_node_load_def load = {.body = id,
                                 .kind = CN_LOAD_CENTRIFUGAL,
                                 .direction = {0.0, 0.0, 1.0},
                                 .point = {1.0, 5.5, -3.0},
                                 .f = cn_constant(rate),
                                 .t0 = 0.0};
        CN_DO(cn_node_load_add(w, &load, &test_error));
        CN_TRUE(scene_run(w, 1.0, 1) == 0);
        cn_node_view nodes;
        CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
        double pull = 0.0;
        for (int n = 0; n < nodes.node_count; n++) {
            pull -= nodes.reaction[dim * n];
        }
        CN_NEAR(pull, exact, 1e-9 * exact, "lumped masses have the same mass centre");
        CN_NEAR(nodes.x[10 * dim] - 3.0, exact * L * 2.0 / 3.0 / E, 0.01 * exact / E,
                "lumped masses: second order in the element");
        load.point[0] = NAN;
        CN_FAILS(cn_node_load_add(w, &load, &test_error), CN_BAD_INPUT, "point (nan");
        load.point[0] = 0.0;
        load.set = "x0";
        CN_FAILS(cn_node_load_add(w, &load, &test_error), CN_BAD_INPUT, "not on set 'x0'");
        cn_world_destroy(w);
        grid_free(g);
    }
}

// The rate of a frame goes from 2 to 5 rad/s within a step: a body is pulled by the mean square
// rate theta 25 + (1 - theta) 4, at x + (1 - theta) h v (3.2), whatever it is made of.
CN_TEST(turning_frame_pulls_by_the_mean_square_rate)
{
    const double h = 0.2, theta = 0.7, time[2] = {0.0, h}, value[2] = {2.0, 5.0};
    for (int dim = 2; dim <= 3; dim++) {
        cn_world *w = free_world(dim, theta);
        grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){1, 1, 1},
                            (double[]){1, 2, 3}, (double[]){1, 1, 1}, grid_elastic(1.0, 0.0, 3.0));
        cn_body_def def = cn_body_def_default();
        cn_body_id id;
        def.type = CN_BODY_MESH;
        def.mesh.item = &g->def;
        def.velocity[0] = 3.0;
        CN_DO(cn_body_add(w, &def, &id, &test_error));
        cn_node_load_def load = {
            .body = id,
            .kind = CN_LOAD_CENTRIFUGAL,
            .direction = {0.0, 0.0, 1.0},
            .point = {0.25, 0.5, 0.75},
            .f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = value},
            .t0 = 0.0};
        CN_DO(cn_node_load_add(w, &load, &test_error));
        CN_DO(test_step(w, h, &test_error));
        cn_body_state s = scene_state(w, id);
        double F = theta * 25.0 + (1.0 - theta) * 4.0;
        const char *why = "inner forces do not move the mass centre; rounding";
        CN_NEAR(s.velocity[0], 3.0 + h * F * (1.5 + (1.0 - theta) * h * 3.0 - 0.25), 1e-12, why);
        CN_NEAR(s.velocity[1], h * F * (2.5 - 0.5), 1e-12, why);
        CN_NEAR(s.velocity[2], 0.0, 1e-12, "along the axis nothing pulls");
        cn_world_destroy(w);
        grid_free(g);
    }
}

// A set of nodes alone has no sides to press on; those before and after it have.
CN_TEST(pressure_needs_sides)
{
    cn_world *w = free_world(2, 0.5);
    grid *g = grid_make(2, CN_QUAD4, (int[]){2, 2}, (double[]){0, 0}, (double[]){1, 1},
                        grid_elastic(1.0, 0.0, 1.0));
    g->set[1].side_count = 0;
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    for (int s = 0; s < 4; s++) {
        for (int k = 0; k < 2; k++) {
            cn_node_load_def load = {.body = id,
                                     .set = g->set[s].name,
                                     .kind = k == 0 ? CN_LOAD_PRESSURE : CN_LOAD_TRACTION,
                                     .direction = {1.0, 0.0, 0.0},
                                     .f = cn_constant(1.0)};
            if (s == 1) {
                CN_FAILS(cn_node_load_add(w, &load, &test_error), CN_BAD_INPUT, "set 'x1'");
            } else {
                CN_DO(cn_node_load_add(w, &load, &test_error));
            }
        }
    }
    cn_world_destroy(w);
    grid_free(g);
}

CN_MAIN(CN_RUN(turning_frame_pulls_a_bar); CN_RUN(pressure_squeezes_a_block);
        CN_RUN(pressure_moves_nothing); CN_RUN(yielding_bar_dissipates_what_the_drive_gives);
        CN_RUN(bar_of_hexahedra_hits_a_wall); CN_RUN(turning_frame_pulls_by_the_mean_square_rate);
        CN_RUN(pressure_needs_sides);)
