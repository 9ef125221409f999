// Facets of skins: where a point lies over them (theory 11.14).
#include "test.h"

#include "body/deformable/skin.h"

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

CN_MAIN(CN_RUN(gap_is_that_to_the_arc); CN_RUN(normal_is_the_slope_of_the_gap);
        CN_RUN(flat_facets_stay_flat);)
