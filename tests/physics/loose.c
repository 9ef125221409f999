// Quasi-static deformable bodies that nothing but contacts holds (theory 11.11).
#include "test.h"

#include <math.h>

#include "grids.h"
#include "scenes.h"
#include "strict.h"

static const double g_0 = 10.0, rho = 1000.0, E = 1e6;

static cn_world *still_world(int dim, double mu)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = def.gravity[2] = 0.0;
    def.gravity[dim - 1] = -g_0;
    def.theta = 1.0;
    def.solver.eps_v = def.solver.tol = 1e-10;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_quasi_static = true;
    CN_DO(cn_world_set_deform(w, &deform, &test_error));
    return w;
}

static grid *column(int dim, double height, cn_material_def material)
{
    const double lo[3] = {0.0, 0.0, 0.0}, size[3] = {0.5, dim == 2 ? height : 0.5, height};
    return grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){2, 2, 3}, lo, size, material);
}

// Force of contacts on the ground, downwards; depth 1 in the plane [N].
static double reaction(const cn_world *w)
{
    cn_view view = cn_world_view(w);
    double sum = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        sum += c->i == 0 || c->j == 0 ? c->r[0] : 0.0; // the ground is the first body
    }
    return sum / view.certificate->h;
}

static double highest(const cn_world *w, cn_body_id id)
{
    cn_node_view nodes;
    CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
    double most = -INFINITY;
    for (int n = 0; n < nodes.node_count; n++) {
        most = fmax(most, nodes.x[nodes.dim * (n + 1) - 1]);
    }
    return most;
}

// A column of height H under its weight: the ground carries it, and it is shorter by
// rho g H^2 / 2 E, after one step.
static void rest(int dim, double mu, double above)
{
    const double H = 2.0, area = dim == 2 ? 0.5 : 0.25, weight = rho * g_0 * area * H;
    cn_world *w = still_world(dim, mu);
    grid *g = column(dim, H, grid_elastic(E, 0.0, rho));
    if (dim == 2) {
        scene_ground(w, 0.0, 0.0, 0.0);
    } else {
        scene_floor(w, 0.0);
    }
    cn_body_def def = cn_body_def_default();
    cn_body_id id;
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.at[dim - 1] = above;
    CN_DO(cn_body_add(w, &def, &id, &test_error));
    CN_TRUE(scene_run(w, 1.0, 1) == 0);
    CN_NEAR(reaction(w), weight, 1e-8 * weight, "balance to the accuracy of contacts");
    CN_NEAR(highest(w, id), H - rho * g_0 * H * H / (2.0 * E), 1e-9 * H,
            "linear elements are exact at nodes; contacts are accurate to 1e-10");
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-13, "rounding, whatever the balance lacks");
    CN_NEAR(scene_state(w, id).position[0], 0.25, 1e-9, "nothing pushes it aside");
    cn_world_destroy(w);
    grid_free(g);
}

CN_TEST(a_column_rests_under_its_weight)
{
    rest(2, 0.5, 0.0);
    rest(3, 0.5, 0.0);
}

// Friction or not, and from a little above: the place aside is the one it had.
CN_TEST(contacts_alone_are_enough)
{
    rest(2, 0.0, 0.0);
    rest(3, 0.0, 0.01);
}

// Neo-Hooke in one dimension of strain (nu = 0): P = E/2 (l - 1/l) = -rho g (H - X) at every X.
CN_TEST(large_strains_rest_as_well)
{
    const double H = 2.0, soft = 1e5;
    cn_material_def material = grid_elastic(soft, 0.0, rho);
    material.model = CN_MATERIAL_NEO_HOOKEAN;
    cn_world *w = still_world(2, 0.0);
    grid *g = grid_make(2, CN_QUAD4, (int[]){1, 40}, (double[]){0, 0}, (double[]){H, H}, material);
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    CN_TRUE(scene_run(w, 1.0, 1) == 0);
    double length = 0.0; // the element k has the mean load of its two ends
    for (int k = 0; k < 40; k++) {
        double p = rho * g_0 * H * (40 - k - 0.5) / 40 / soft;
        length += H / 40 * (sqrt(p * p + 1.0) - p);
    }
    CN_NEAR(highest(w, id), length, 1e-8, "contacts are accurate to 1e-10 of v_free");
    CN_NEAR(reaction(w), rho * g_0 * H * H, 1e-4, "weight");
    cn_world_destroy(w);
    grid_free(g);
}

// Four blocks on each other are a column of the height of all.
CN_TEST(a_stack_is_a_column)
{
    const double H = 0.5;
    cn_world *w = still_world(2, 0.5);
    grid *g = column(2, H, grid_elastic(E, 0.0, rho));
    scene_ground(w, 0.0, 0.0, 0.0);
    cn_body_def def = cn_body_def_default();
    cn_body_id id = 0;
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    for (int k = 0; k < 4; k++) {
        def.at[1] = k * H;
        CN_DO(cn_body_add(w, &def, &id, &test_error));
    }
    CN_TRUE(scene_run(w, 1.0, 1) == 0);
    CN_NEAR(highest(w, id), 4 * H - rho * g_0 * 16 * H * H / (2.0 * E), 1e-8, "as one column");
    CN_NEAR(reaction(w), 4 * rho * g_0 * H * H, 1e-4, "weight");
    cn_world_destroy(w);
    grid_free(g);
}

// A push aside that friction cannot take has no equilibrium: the step is not made, and says why.
CN_TEST(what_nothing_can_hold_is_told)
{
    for (int k = 0; k < 2; k++) {
        const double push = k == 0 ? 0.4 : 0.6; // of the weight
        cn_world *w = still_world(2, 0.5);
        grid *g = column(2, 0.5, grid_elastic(E, 0.0, rho));
        scene_ground(w, 0.0, 0.0, 0.0);
        cn_body_id id = grid_body(w, g, 0.0, 0.0);
        cn_node_load_def load = {.body = id,
                                 .kind = CN_LOAD_BODY,
                                 .direction = {1.0, 0.0, 0.0},
                                 .f = cn_constant(push * g_0)};
        CN_DO(cn_node_load_add(w, &load, &test_error));
        if (k == 0) {
            CN_TRUE(scene_run(w, 1.0, 1) == 0);
            CN_NEAR(reaction(w), rho * g_0 * 0.25, 1e-4, "friction takes the push");
        } else {
            CN_FAILS(test_step(w, 1.0, &test_error), CN_BROKEN, "may carry its load");
        }
        cn_world_destroy(w);
        grid_free(g);
    }
}

CN_MAIN(CN_RUN(a_column_rests_under_its_weight); CN_RUN(contacts_alone_are_enough);
        CN_RUN(large_strains_rest_as_well); CN_RUN(a_stack_is_a_column);
        CN_RUN(what_nothing_can_hold_is_told);)
