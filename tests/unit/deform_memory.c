// What a large deformable body holds besides its condensed rows.
#include "test.h"

#include <stdlib.h>

#include "counted.h"
#include "grids.h"
#include "scenes.h"
#include "world/world.h"

// A block on the ground: bytes held at most besides condensed rows, CHOLMOD's own among them, over
// those of the factor as it is stored.
static double factors_held(int dim, const int *cells)
{
    counted bytes = {0};
    cn_hooks hooks = counted_hooks(&bytes);
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.theta = 1.0;
    def.hooks = &hooks;
    def.gravity[1] = dim == 2 ? -9.81 : 0.0;
    def.gravity[2] = dim == 3 ? -9.81 : 0.0;
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    double size[3];
    for (int k = 0; k < dim; k++) {
        size[k] = 0.01 * cells[k];
    }
    grid *g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, cells, (double[]){0, 0, 0}, size,
                        grid_elastic(1e8, 0.2, 2000.0));
    if (dim == 2) {
        scene_ground(w, 0.0, 0.0, 0.0);
    } else {
        scene_floor(w, 0.0);
    }
    grid_body(w, g, 0.0, 0.0);
    scene_run(w, 1e-4, 2);
    const cn_iteration_matrix *f = &w->bodies.deformables->factors.item[0];
    const cn_contacts *c = &w->contacts;
    int nodes = cells[0] + 1;
    CN_TRUE(c->count >= nodes && f->active_count == c->count);
    double condensed = 8.0 * (double)(f->response_capacity + c->capacity.W_block) +
                       4.0 * (double)(c->capacity.W_col + c->capacity.W_start);
    double held = (double)bytes.most + cn_factor_held(f->sparse) - condensed;
    double ratio = held / cn_factor_stored(f->sparse);
    cn_world_destroy(w);
    CN_TRUE(bytes.held == 0);
    grid_free(g);
    return ratio;
}

CN_TEST(a_body_in_the_plane_holds_less_than_two_factors)
{
    double ratio = factors_held(2, (int[]){400, 24});
    CN_TRUE(ratio > 1.0 && ratio < 2.0);
}

CN_TEST(a_body_in_space_holds_less_than_two_factors)
{
    double ratio = factors_held(3, (int[]){14, 14, 14});
    CN_TRUE(ratio > 1.0 && ratio < 2.0);
}

CN_MAIN(CN_RUN(a_body_in_the_plane_holds_less_than_two_factors);
        CN_RUN(a_body_in_space_holds_less_than_two_factors);)
