// Bodies that cross a thin skin within one step, from the very first one on, are stopped in front
// of it (theory 6.1, 11.17).
#include "test.h"

#include <math.h>

#include "grids.h"
#include "scenes.h"

static cn_world *empty(int dim)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-8;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    return scene_world_with(&def, &law);
}

// A wall of 1 cm across x, held at two ends along y.
static cn_body_id add_wall(cn_world *w, int dim)
{
    double lo[3] = {-0.005, -0.25, -0.05}, size[3] = {0.01, 0.5, 0.1};
    grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){1, 20, 4}, lo, size,
                        grid_elastic(1e9, 0.3, 1000.0));
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    for (int k = 0; k < 2 * dim; k++) {
        cn_node_drive_def drive = {.body = id,
                                   .set = k % 2 == 0 ? "y0" : "y1",
                                   .dof = (cn_dof)(k / 2),
                                   .f = cn_constant(0.0)};
        CN_DO(cn_node_drive_add(w, &drive, &test_error));
    }
    grid_free(g);
    return id;
}

// A cube of 1 cm, of elements or rigid, with its front `gap` before the wall.
static cn_body_id add_shot(cn_world *w, int dim, bool is_soft, double gap, double v)
{
    const double at[3] = {-0.01 - gap, 0.003, 0.002}, side = 0.01;
    double lo[3] = {at[0] - 0.5 * side, at[1] - 0.5 * side, at[2] - 0.5 * side};
    if (is_soft) {
        grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){2, 2, 2}, lo,
                            (double[]){side, side, side}, grid_elastic(1e9, 0.3, 1000.0));
        cn_body_id id = grid_body(w, g, v, 0.0);
        grid_free(g);
        return id;
    }
    if (dim == 2) {
        cn_body_id id = scene_disk(w, at[0], at[1], 0.5 * side, 0);
        scene_set_velocity(w, id, v, 0.0, 0.0);
        return id;
    }
    cn_body_id id = scene_sphere(w, at[0], at[1], at[2], 0.5 * side);
    cn_body_state state = scene_state(w, id);
    state.velocity[0] = v;
    CN_DO(cn_body_set(w, id, &state, &test_error));
    return id;
}

// Place along x of the node of the wall that is nearest to a body across x, on the far side.
static double wall_at(const cn_world *w, cn_body_id wall, const double place[3])
{
    cn_node_view n;
    CN_DO(cn_body_nodes(w, wall, &n, &test_error));
    double best = INFINITY, at = NAN;
    for (int k = 0; k < n.node_count; k++) {
        const double *x = n.x + n.dim * k;
        double off = hypot(x[1] - place[1], n.dim == 3 ? x[2] - place[2] : 0.0);
        if (n.X[n.dim * k] > 0.0 && off < best) {
            best = off;
            at = x[0];
        }
    }
    return at;
}

static void shoot(int dim, bool is_soft, double gap)
{
    const double h = 1e-3, v = 100.0; // ten times the thickness in a step
    cn_world *w = empty(dim);
    cn_body_id wall = add_wall(w, dim), shot = add_shot(w, dim, is_soft, gap, v);
    for (int k = 0; k < 8; k++) {
        CN_TRUE(scene_run(w, h, 1) == 0);
        cn_body_state state = scene_state(w, shot);
        CN_TRUE(state.position[0] < wall_at(w, wall, state.position));
    }
    CN_TRUE(scene_state(w, shot).velocity[0] < 0.5 * v);
    cn_world_destroy(w);
}

CN_TEST(thin_walls_stop_what_is_fast)
{
    for (int k = 0; k < 4; k++) {
        shoot(2, true, 0.004 + 0.017 * k);
        shoot(2, false, 0.004 + 0.017 * k);
    }
    for (int k = 0; k < 2; k++) {
        shoot(3, true, 0.004 + 0.03 * k);
        shoot(3, false, 0.004 + 0.03 * k);
    }
}

CN_MAIN(CN_RUN(thin_walls_stop_what_is_fast);)
