// Facets of skins: where a point lies over them (theory 11.14).
#include "test.h"

#include "body/deformable/deformables.h"
#include "grids.h"

// A chord of the unit circle through the angles -half and half, seen from outside.
static void make_chord(double half, cn_vec3 corner[2], cn_vec3 normal[2])
{
    for (int k = 0; k < 2; k++) {
        double angle = k == 0 ? half : -half; // outward is to the right of the way
        corner[k] = cn_v3(cos(angle), sin(angle), 0.0);
        normal[k] = corner[k];
    }
}

CN_TEST(gap_is_that_to_the_arc)
{
    const double half = CN_PI / 16.0, out = 1e-3;
    cn_vec3 corner[2], normal[2];
    make_chord(half, corner, normal);
    for (int k = -8; k <= 8; k++) {
        double angle = half * k / 8.0;
        cn_spot spot;
        cn_vec3 point = cn_v3((1.0 + out) * cos(angle), (1.0 + out) * sin(angle), 0.0);
        CN_TRUE(cn_skin_find(2, corner, normal, point, &spot));
        CN_NEAR(spot.gap, out, 2e-4, "fourth order in the angle; the chord is 0.019 away");
        CN_NEAR(spot.normal.y, sin(angle), 2e-3, "radial");
    }
}

// Along the arc the gap changes as the normal says, so that a force along it does no work.
CN_TEST(normal_is_the_slope_of_the_gap)
{
    const double half = CN_PI / 16.0, step = 1e-6;
    cn_vec3 corner[2], normal[2];
    make_chord(half, corner, normal);
    for (int k = -6; k <= 6; k++) {
        double angle = half * k / 8.0;
        cn_vec3 point = cn_v3(cos(angle), sin(angle), 0.0);
        cn_spot here, there;
        CN_TRUE(cn_skin_find(2, corner, normal, point, &here));
        point.y += step;
        CN_TRUE(cn_skin_find(2, corner, normal, point, &there));
        CN_NEAR((there.gap - here.gap) / step, here.normal.y, 0.01, "flat facets: 0.2 at the ends");
    }
}

CN_TEST(flat_facets_stay_flat)
{
    const cn_vec3 corner[2] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}};
    const cn_vec3 normal[2] = {{1.0, 1e-9, 0.0}, {1.0, -1e-9, 0.0}};
    cn_spot spot;
    CN_TRUE(cn_skin_find(2, corner, normal, cn_v3(0.0, 0.5, 0.0), &spot));
    CN_NEAR(spot.gap, 0.0, 1e-20, "rounding of a flat surface is no curvature");
}

// A plate of 0.1 x 1 (x 1) m in 1 x 5 (x 5) cells, turned: behind its large sides 0.05 m count,
// behind the narrow ones half a mean edge (11.15).
CN_TEST(facets_know_how_thick_the_body_is_behind_them)
{
    for (int dim = 2; dim <= 3; dim++) {
        for (int turn = 0; turn < 4; turn++) {
            double angle = 0.5 * CN_PI * turn / 3.0, c = cos(angle), s = sin(angle);
            grid *g =
                grid_make(dim, dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){1, 5, 5}, (double[]){0, 0, 0},
                          (double[]){0.1, 1.0, 1.0}, grid_elastic(1e6, 0.3, 1.0));
            cn_deformables all;
            cn_deformables_init(&all, dim, NULL);
            cn_deformable_start start = {.R = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}};
            CN_DO(cn_deformables_add(&all, &g->def, &start, 0, &test_error));
            const cn_model *model = cn_deformable_model(&all, 0);
            const cn_skin *skin = &model->skin;
            CN_TRUE(skin->edge > 0.1 && skin->edge < 0.25);
            for (int n = 0; n < skin->node_count; n++) { // sharp at edges of the plate: two sides
                const int at[3] = {skin->node[n] % 2, skin->node[n] / 2 % 6, skin->node[n] / 12};
                int sides = 1 + (at[1] % 5 == 0) + (dim == 3 && at[2] % 5 == 0);
                CN_TRUE(skin->is_smooth[n] == (sides == 1));
            }
            for (int f = 0; f < skin->facet_count; f++) {
                double least = INFINITY, most = -INFINITY;
                for (int k = 0; k < dim; k++) { // along the short side of the plate
                    const double *X = model->fem->X + dim * skin->facet[dim * f + k];
                    double x = c * X[0] + s * X[1];
                    least = fmin(least, x);
                    most = fmax(most, x);
                }
                bool is_large = most - least < 0.05;
                CN_NEAR(skin->depth[f], is_large ? 0.05 : 0.5 * skin->edge, 1e-14, "rounding");
            }
            CN_NEAR(skin->depth_least, 0.05, 1e-14, "rounding");
            cn_deformables_free(&all);
            grid_free(g);
        }
    }
}

CN_MAIN(CN_RUN(gap_is_that_to_the_arc); CN_RUN(normal_is_the_slope_of_the_gap);
        CN_RUN(flat_facets_stay_flat); CN_RUN(facets_know_how_thick_the_body_is_behind_them);)
