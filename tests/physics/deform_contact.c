// Deformable bodies that touch: rigid shapes on skins, skins on skins, in the plane and in space.
#include "test.h"

#include "grids.h"
#include "scenes.h"
#include "strict.h"

static cn_world *still_world(int dim, double theta, double mu)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = 0.0;
    def.theta = theta;
    def.solver.eps_v = 1e-12;
    def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    return scene_world_with(&def, &law);
}

static void hold(cn_world *w, cn_body_id id, const char *set, cn_dof dof)
{
    cn_node_drive_def def = {.body = id, .set = set, .dof = dof, .f = cn_constant(0.0), .t0 = 0.0};
    CN_DO(cn_node_drive_add(w, &def, &test_error));
}

static void press(cn_world *w, cn_body_id id, const char *set, double x, double y, double p)
{
    cn_node_load_def def = {.body = id,
                            .set = set,
                            .kind = CN_LOAD_TRACTION,
                            .direction = {x, y, 0.0},
                            .f = cn_constant(p),
                            .t0 = 0.0};
    CN_DO(cn_node_load_add(w, &def, &test_error));
}

// D01: two blocks of n and m elements, one on the other, pressure 1: the largest error of the
// displacements, which are linear.
static double patch_error(int n, int m, bool is_two_pass)
{
    cn_world *w = still_world(2, 1.0, 0.0);
    cn_material_def material = grid_elastic(1000.0, 0.3, 1.0);
    grid *low = grid_make(2, CN_QUAD4, (int[]){n, n}, (double[]){0, 0}, (double[]){1, 1}, material);
    grid *top = grid_make(2, CN_QUAD4, (int[]){m, m}, (double[]){0, 1}, (double[]){1, 1}, material);
    low->def.plane = top->def.plane = CN_PLANE_STRESS;
    cn_body_def def = cn_body_def_default();
    cn_body_id a, b;
    def.mesh.is_two_pass = is_two_pass;
    def.type = CN_BODY_MESH;
    def.mesh.item = &low->def;
    CN_DO(cn_body_add(w, &def, &a, &test_error));
    def.type = CN_BODY_MESH;
    def.mesh.item = &top->def;
    CN_DO(cn_body_add(w, &def, &b, &test_error));
    hold(w, a, "y0", CN_DOF_Y);
    hold(w, a, "x0", CN_DOF_X);
    hold(w, b, "x0", CN_DOF_X);
    press(w, b, "y1", 0.0, -1.0, 1.0);
    CN_TRUE(scene_run(w, 0.1, 80) == 0);
    double worst = 0.0;
    for (int k = 0; k < 2; k++) {
        cn_node_view nodes;
        CN_DO(cn_body_nodes(w, k == 0 ? a : b, &nodes, &test_error));
        for (int i = 0; i < nodes.node_count; i++) {
            double X = nodes.X[2 * i], Y = nodes.X[2 * i + 1];
            worst = fmax(worst, fabs(nodes.x[2 * i] - X - 0.3e-3 * X));
            worst = fmax(worst, fabs(nodes.x[2 * i + 1] - Y + 1e-3 * Y));
        }
    }
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(low);
    grid_free(top);
    return worst / 2e-3;
}

CN_TEST(patch_of_matching_meshes_is_exact)
{
    CN_NEAR(patch_error(4, 4, false), 0.0, 1e-10, "D01: uniform pressure node by node");
}

CN_TEST(patch_of_two_passes_is_exact)
{
    CN_NEAR(patch_error(4, 5, true), 0.0, 1e-10, "D01: both skins look for facets");
}

// One block of hexahedra of the patch test in space, on rollers.
static cn_body_id add_cube(cn_world *w, int n, double low)
{
    cn_volume_def def = {
        .kind = CN_VOLUME_BOX, .element = CN_HEX8, .size = {1.0, 1.0, 1.0}, .cells = {n, n, n}};
    cn_volume *cube;
    cn_body_id id;
    CN_DO(cn_volume_make(&def, &cube, &test_error));
    cn_mesh_def mesh = *cn_volume_mesh(cube);
    cn_material_def material = grid_elastic(1000.0, 0.3, 1.0);
    mesh.material = &material;
    mesh.material_count = 1;
    cn_body_def body = {
        .type = CN_BODY_MESH, .mesh = {&mesh, .is_two_pass = true}, .at = {0.5, 0.5, low + 0.5}};
    CN_DO(cn_body_add(w, &body, &id, &test_error));
    cn_volume_destroy(cube);
    hold(w, id, "left", CN_DOF_X);
    hold(w, id, "front", CN_DOF_Y);
    return id;
}

// Faces of four corners carry a probe with all of them: two triangles would be 7 % off here.
CN_TEST(patch_of_two_passes_is_exact_in_space)
{
    cn_world *w = still_world(3, 1.0, 0.0);
    cn_body_id low = add_cube(w, 3, 0.0), top = add_cube(w, 2, 1.0);
    hold(w, low, "bottom", CN_DOF_Z);
    cn_node_load_def def = {.body = top,
                            .set = "top",
                            .kind = CN_LOAD_TRACTION,
                            .direction = {0.0, 0.0, -1.0},
                            .f = cn_constant(1.0)};
    CN_DO(cn_node_load_add(w, &def, &test_error));
    CN_TRUE(scene_run(w, 0.05, 60) == 0);
    double worst = 0.0;
    for (int k = 0; k < 2; k++) {
        cn_node_view nodes;
        CN_DO(cn_body_nodes(w, k == 0 ? low : top, &nodes, &test_error));
        for (int d = 0; d < 3 * nodes.node_count; d++) {
            double X = nodes.X[d] + nodes.at[d % 3];
            double exact = (d % 3 == 2 ? -1e-3 : 0.3e-3) * X;
            worst = fmax(worst, fabs(nodes.x[d] - X - exact));
        }
    }
    CN_NEAR(worst / 2e-3, 0.0, 1e-9, "D01 in space: solver tolerance");
    cn_world_destroy(w);
}

// Contacts at the middles of facets: two blocks of two facets each on one of four carry half of it
// per facet, and no corner does.
CN_TEST(middles_of_facets_carry_blocks)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    cn_material_def material = grid_elastic(1e6, 0.0, 1000.0);
    material.rayleigh_mass = 100.0;
    grid *low =
        grid_make(2, CN_QUAD4, (int[]){4, 1}, (double[]){0, 0}, (double[]){0.4, 0.1}, material);
    grid *top =
        grid_make(2, CN_QUAD4, (int[]){2, 1}, (double[]){0, 0.1}, (double[]){0.2, 0.1}, material);
    cn_body_id ground = scene_ground(w, 0.0, 0.0, 0.0), id;
    cn_body_def def = {.type = CN_BODY_MESH, .mesh = {&low->def, .is_mid_face = true}};
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    def.type = CN_BODY_MESH;
    def.mesh.item = &top->def;
    for (int k = 0; k < 2; k++) {
        def.at[0] = 0.2 * k;
        CN_DO(cn_body_add(w, &def, NULL, &test_error));
    }
    const double h = 1e-3, facet = 1000.0 * 0.01 * 9.81;
    CN_TRUE(scene_run(w, h, 800) == 0);
    cn_view view = cn_world_view(w);
    int on_ground = 0, between = 0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        bool is_low = view.id[x->i] == ground || view.id[x->j] == ground;
        bool is_head = fabs(x->normal[0]) > 0.5; // the two blocks above touch each other
        on_ground += is_low;
        between += !is_low && !is_head;
        double middle = fmod(x->point[0], 0.1);
        CN_TRUE(is_head || fabs(middle - 0.05) < 1e-3);
        double exact = is_head ? 0.0 : is_low ? 2.0 * facet : facet;
        CN_NEAR(x->r[0] / h, exact, 1e-3 * facet, "at rest up to damped vibrations");
    }
    CN_TRUE(on_ground == 4 && between == 4);
    cn_world_destroy(w);
    grid_free(low);
    grid_free(top);
}

// A rigid disk sinks into a block until the block carries it.
CN_TEST(disk_rests_on_a_block)
{
    cn_world *w = scene_world(0.3, 0.0, 1e-10);
    cn_material_def material = grid_elastic(1e5, 0.2, 1000.0);
    material.rayleigh_mass = 50.0;
    grid *g =
        grid_make(2, CN_QUAD4, (int[]){7, 4}, (double[]){0, 0}, (double[]){0.7, 0.4}, material);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id block = grid_body(w, g, 0.0, 0.0);
    cn_body_id disk = scene_disk(w, 0.36, 0.4 + 0.05, 0.05, 0);
    CN_TRUE(scene_run(w, 1e-3, 1500) == 0);
    cn_view view = cn_world_view(w);
    double carried = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        if (view.id[x->i] == disk || view.id[x->j] == disk) {
            double impulse[3];
            cn_contact_impulse(x, 2, impulse);
            carried += (view.id[x->i] == disk ? 1.0 : -1.0) * impulse[1] / 1e-3;
        }
    }
    cn_body_state state = scene_state(w, disk);
    CN_NEAR(carried, 9.81 * state.mass, 1e-4 * 9.81 * state.mass, "at rest");
    CN_TRUE(state.position[1] < 0.45 && state.position[1] > 0.44);
    CN_TRUE(cn_body_is_deformable(w, block) && !cn_body_is_deformable(w, disk));
    CN_NEAR(view.ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// A rigid box on a block whose nodes are nowhere under its corners: the corners look for facets.
CN_TEST(box_stands_on_facets)
{
    cn_world *w = scene_world(0.5, 0.0, 1e-10);
    cn_material_def material = grid_elastic(1e6, 0.0, 1000.0);
    material.rayleigh_mass = 100.0;
    grid *g =
        grid_make(2, CN_QUAD4, (int[]){2, 2}, (double[]){0, 0}, (double[]){1.0, 0.4}, material);
    scene_ground(w, 0.0, 0.0, 0.0);
    grid_body(w, g, 0.0, 0.0);
    cn_body_id box = scene_box(w, 0.25, 0.45, 0.2, 0.1, 0.0, 0);
    CN_TRUE(scene_run(w, 1e-3, 800) == 0);
    cn_body_state state = scene_state(w, box);
    CN_TRUE(state.position[1] > 0.4485 && state.position[1] < 0.4495);
    CN_NEAR(cn_world_view(w).certificate->penetration, 0.0, 1e-9, "displacement form");
    cn_world_destroy(w);
    grid_free(g);
}

// A small disk slides down an arc of facets: at each step it gets faster, nodes or not.
CN_TEST(nothing_snags_on_a_node)
{
    cn_world *w = still_world(2, 0.5, 0.0);
    cn_material_def material = grid_elastic(1e9, 0.0, 1000.0);
    grid *g =
        grid_make(2, CN_QUAD4, (int[]){20, 2}, (double[]){0, 0}, (double[]){2.0, 0.2}, material);
    for (int n = 0; n < g->def.node_count; n++) { // an arc of radius 5
        double x = g->node[2 * n] - 1.0;
        g->node[2 * n + 1] += sqrt(25.0 - x * x) - 5.0;
    }
    cn_body_id arc = grid_body(w, g, 0.0, 0.0);
    cn_body_def def = cn_body_def_default();
    cn_shape_def shape = {.kind = CN_SHAPE_DISK, .radius = 0.05};
    def.shapes = (cn_shape_parts){1, &shape};
    def.at[0] = 1.02;
    def.at[1] = 0.2 + 0.0501;
    def.velocity[0] = 1.0;
    cn_body_id disk;
    CN_DO(cn_body_add(w, &def, &disk, &test_error));
    hold(w, arc, NULL, CN_DOF_X);
    hold(w, arc, NULL, CN_DOF_Y);
    cn_force_def force = {
        .body = disk, .direction = {0.0, -1.0, 0.0}, .f = cn_constant(1.0), .t0 = 0.0};
    CN_DO(cn_force_add(w, &force, &test_error));
    double vx = 1.0, most = 0.0;
    for (int k = 0; k < 400; k++) {
        CN_DO(test_step(w, 1e-3, &test_error));
        double now = scene_state(w, disk).velocity[0];
        if (k > 20) {
            most = fmax(most, vx - now);
        }
        vx = now;
    }
    double x = scene_state(w, disk).position[0];
    CN_TRUE(x > 1.6 && x < 1.9);
    CN_NEAR(most, 0.0, 1e-12, "down the arc it never slows down");
    cn_world_destroy(w);
    grid_free(g);
}

// In space a block of hexahedra on the floor carries a rigid one, and the floor carries both.
CN_TEST(blocks_rest_in_space)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-10);
    cn_material_def material = grid_elastic(1e6, 0.2, 1000.0);
    material.rayleigh_mass = 80.0;
    grid *g = grid_make(3, CN_HEX8, (int[]){3, 3, 2}, (double[]){0, 0, 0},
                        (double[]){0.3, 0.3, 0.2}, material);
    scene_floor(w, 0.0);
    grid_body(w, g, 0.0, 0.0);
    scene_block(w, (double[]){0.15, 0.15, 0.25}, (double[]){0.15, 0.15, 0.1}, NULL, 0);
    const double h = 1e-3;
    CN_TRUE(scene_run(w, h, 800) == 0);
    cn_view view = cn_world_view(w);
    double floor = 0.0, between = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        *(x->i == 0 || x->j == 0 ? &floor : &between) += x->r[0] / h;
    }
    CN_NEAR(floor, 9.81 * (view.mass[1] + view.mass[2]), 1e-2, "nearly at rest");
    CN_NEAR(between, 9.81 * view.mass[2], 1e-2, "nearly at rest");
    CN_NEAR(view.ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// Two blocks of hexahedra that do not match, one on the other.
CN_TEST(soft_blocks_stack_in_space)
{
    cn_world *w = scene_space(0.5, 0.0, 1e-9);
    cn_material_def material = grid_elastic(1e6, 0.0, 1000.0);
    material.rayleigh_mass = 80.0;
    grid *low = grid_make(3, CN_HEX8, (int[]){2, 2, 1}, (double[]){0, 0, 0},
                          (double[]){0.3, 0.3, 0.1}, material);
    grid *top = grid_make(3, CN_HEX8, (int[]){3, 3, 1}, (double[]){0.02, 0.02, 0.1},
                          (double[]){0.26, 0.26, 0.1}, material);
    scene_floor(w, 0.0);
    grid_body(w, low, 0.0, 0.0);
    grid_body(w, top, 0.0, 0.0);
    const double h = 1e-3;
    CN_TRUE(scene_run(w, h, 400) == 0);
    cn_view view = cn_world_view(w);
    double between = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        between += x->i == 1 && x->j == 2 ? x->r[0] / h : 0.0;
    }
    CN_NEAR(between, 9.81 * view.mass[2], 1e-3, "at rest");
    CN_NEAR(view.ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(low);
    grid_free(top);
}

// D03: two equal bars meet at 0.1 m/s each: the force is rho c v A, the contact lasts 2 L/c, then
// the velocities are exchanged; what is lost is the motion of the skin nodes, half of it on half
// the mesh size.
static double exchange(int n)
{
    cn_world *w = still_world(2, 0.5, 0.0);
    cn_material_def material = grid_elastic(1.0, 0.0, 1.0);
    grid *left =
        grid_make(2, CN_QUAD4, (int[]){n, 1}, (double[]){-10, 0}, (double[]){10, 2}, material);
    grid *right =
        grid_make(2, CN_QUAD4, (int[]){n, 1}, (double[]){0, 0}, (double[]){10, 2}, material);
    left->def.thickness = right->def.thickness = 2.0;
    cn_body_id a = grid_body(w, left, 0.1, 0.0), b = grid_body(w, right, -0.1, 0.0);
    const double h = 5.0 / n;
    double sum = 0.0, last = 0.0;
    int counted = 0;
    for (int k = 0; k * h < 30.0; k++) {
        CN_DO(test_step(w, h, &test_error));
        cn_view view = cn_world_view(w);
        double r = 0.0;
        for (int c = 0; c < view.contact_count; c++) {
            r += view.contact[c].r[0];
        }
        last = r > 0.0 ? (k + 1) * h : last;
        if (k * h > 2.0 && k * h < 18.0) {
            sum += r / h;
            counted++;
        }
    }
    CN_NEAR(sum / counted, 0.4, 0.005 * 0.4, "D03: half a per cent");
    CN_NEAR(last, 20.0, 0.2 * 100 / n, "D03: one per cent with 100 elements");
    CN_NEAR(scene_state(w, a).velocity[0], -0.1, 0.2 / n, "D03: two per cent with 100 elements");
    CN_NEAR(scene_state(w, b).velocity[0], 0.1, 0.2 / n, "D03: two per cent with 100 elements");
    const cn_ledger *ledger = cn_world_view(w).ledger;
    double lost = (ledger->total[CN_ENERGY_SHOCK] + ledger->total[CN_ENERGY_GIVEN]) / 0.4;
    CN_NEAR(ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(left);
    grid_free(right);
    return lost;
}

CN_TEST(bars_exchange_their_velocities)
{
    double coarse = exchange(50), fine = exchange(100);
    CN_NEAR(fine / coarse, 0.5, 0.02, "the skin has half the mass");
    CN_TRUE(fine > 0.0 && fine < 0.006);
}

// A soft block at 100 m/s in steps of 1 ms, ten walls of 1 mm per step: no node passes one. The
// block of elements as well as the pseudo-rigid one.
static double farthest_through_wall(double e, double start, bool is_pseudo_rigid)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_law_def law = cn_law_coulomb(0.3, e);
    cn_world *w = scene_world_with(&def, &law);
    scene_box(w, 0.0, 0.0, 1e-3, 2.0, 0.0, CN_FIXED_ALL);
    cn_material_def material = grid_elastic(1e10, 0.2, 1000.0);
    grid *g = grid_make(2, CN_QUAD4, (int[]){2, 2}, (double[]){start, -0.05}, (double[]){0.1, 0.1},
                        material);
    g->def.is_pseudo_rigid = is_pseudo_rigid;
    cn_body_id id = grid_body(w, g, 100.0, 3.0);
    double farthest = -1.0;
    for (int k = 0; k < 12; k++) {
        CN_DO(test_step(w, 1e-3, &test_error));
        cn_node_view nodes;
        CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
        for (int n = 0; n < nodes.node_count; n++) {
            farthest = fmax(farthest, nodes.x[2 * n]);
        }
    }
    cn_world_destroy(w);
    grid_free(g);
    return farthest;
}

CN_TEST(fast_nodes_do_not_pass_thin_walls)
{
    for (int k = 0; k < 20; k++) { // wherever in the step the wall is
        double most =
            farthest_through_wall(k / 2 % 2 == 0 ? 0.0 : 0.5, -0.5 - 0.01 * k, k % 2 == 1);
        CN_TRUE(most <= 1e-9 - 5e-4);
    }
}

CN_MAIN(CN_RUN(fast_nodes_do_not_pass_thin_walls); CN_RUN(patch_of_matching_meshes_is_exact);
        CN_RUN(patch_of_two_passes_is_exact); CN_RUN(patch_of_two_passes_is_exact_in_space);
        CN_RUN(middles_of_facets_carry_blocks); CN_RUN(disk_rests_on_a_block);
        CN_RUN(box_stands_on_facets); CN_RUN(nothing_snags_on_a_node); CN_RUN(blocks_rest_in_space);
        CN_RUN(soft_blocks_stack_in_space); CN_RUN(bars_exchange_their_velocities);)
