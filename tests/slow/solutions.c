// How many solutions a step has: 200 spheres on the move with friction 0.5 have several, all exact.
#include "solutions.h"

// The packing depends on every bit of the steps before, so the search goes on until a step with
// three solutions comes by: one in eight has, while the spheres still fall into place. Later they
// nearly rest, and from most starts the sweeps do not reach 1e-10.
CN_TEST(a_moving_packing_has_three_exact_solutions)
{
    cn_world *w = falling_spheres(5, 8, 0.5, 1.0, 1);
    solutions found = {0};
    for (int look = 0; look < 60 && !(found.count == 3 && found.spread > 1e-3); look++) {
        free_solutions(&found);
        scene_run(w, 4e-3, look == 0 ? 300 : 5);
        cn_problem p;
        const double *guess;
        CN_DO(cn_world_problem(w, &p, &guess, &test_error));
        CN_TRUE(p.contact_count > 400 && p.contact_count < 600);
        double *r = malloc(sizeof *r * 3 * (size_t)p.contact_count);
        p.r = r; // the world keeps its own
        found = find_solutions(&p, guess, 12, 3, 20000);
        free(r);
    }
    CN_TRUE(found.count == 3);
    CN_TRUE(found.spread > 1e-3);
    free_solutions(&found);
    cn_world_destroy(w);
}

CN_MAIN(CN_RUN(a_moving_packing_has_three_exact_solutions); files_remove();)
