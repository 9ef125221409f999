// Where a joint on a set of a mesh is: at the point that was given, or at the mean of the set; and
// a set that carries no arm refuses a point elsewhere.
#include "test.h"

#include "grids.h"
#include "scenes.h"

typedef struct fastened {
    cn_world *w;
    grid *g;
    cn_joint_def def;
} fastened;

// A block from the origin with sides 1, 1.2, 1.4, joined to the world by its side at x = 1. `edge`:
// only the nodes of one edge (of one corner in the plane) are in the set.
static fastened fasten(int dim, bool edge)
{
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = 0.0;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    fastened f = {.w = scene_world_with(&def, &law)};
    f.g = grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){2, 2, 2}, (double[]){0, 0, 0},
                    (double[]){1.0, 1.2, 1.4}, grid_elastic(1e6, 0.3, 1000.0));
    if (edge) { // the first nodes of the side: y = 0 ... 1.2 at z = 0, or y = 0
        f.g->set[1].node_count = dim == 2 ? 1 : 3;
        f.g->set[1].side_count = 0;
    }
    f.def = (cn_joint_def){
        .kind = CN_JOINT_BALL, .body = grid_body(f.w, f.g, 0.0, 0.0), .body_set = "x1"};
    return f;
}

static void unfasten(fastened *f)
{
    cn_world_destroy(f->w);
    grid_free(f->g);
}

static void check_point(int dim, const double given[3], const double exact[3])
{
    fastened f = fasten(dim, false);
    memcpy(f.def.at, given, sizeof f.def.at);
    cn_joint_id id;
    cn_joint_state s;
    CN_DO(cn_joint_add(f.w, &f.def, &id, &test_error));
    CN_TRUE(scene_run(f.w, 1e-3, 3) == 0);
    CN_DO(cn_joint_get(f.w, id, &s, &test_error));
    for (int d = 0; d < dim; d++) {
        CN_NEAR(s.point[d], exact[d], 1e-12, "nothing pulls");
        CN_NEAR(s.end[d], exact[d], 1e-12, "nothing pulls");
    }
    unfasten(&f);
}

CN_TEST(a_face_carries_an_arm)
{
    const double mean[3] = {1.0, 0.6, 0.7}, aside[3] = {1.3, 0.2, 0.5};
    for (int dim = 2; dim <= 3; dim++) {
        check_point(dim, (double[]){NAN, NAN, NAN}, mean);
        check_point(dim, aside, aside);
    }
}

CN_TEST(an_edge_carries_none)
{
    for (int dim = 2; dim <= 3; dim++) {
        const double mean[3] = {1.0, dim == 2 ? 0.0 : 0.6, 0.0};
        for (int d = -1; d < dim; d++) { // at the mean, and aside along each axis
            fastened f = fasten(dim, true);
            memcpy(f.def.at, mean, sizeof mean);
            if (d < 0) {
                CN_DO(cn_joint_add(f.w, &f.def, NULL, &test_error));
            } else {
                f.def.at[d] += 0.01;
                CN_FAILS(cn_joint_add(f.w, &f.def, NULL, &test_error), CN_BAD_INPUT,
                         "0.01 m from the mean");
            }
            unfasten(&f);
        }
    }
}

CN_MAIN(CN_RUN(a_face_carries_an_arm); CN_RUN(an_edge_carries_none);)
