// Bridges and aqueducts: numbers of stones, volumes and joints known on paper, no overlaps.
#include <string.h>

#include "generate/masonry.h"
#include "unit/generate_check.h"
#include "unit/solid_check.h"

// One arch of 7 voussoirs, R = 1 and 1.4 m, on piers of two courses of about two blocks.
static const cn_tier_def small = {.spans = 1,
                                  .span = 2.0,
                                  .pier = 1.0,
                                  .height = 0.5,
                                  .voussoirs = 7,
                                  .thickness = 0.4,
                                  .rings = 1,
                                  .cover = 0.3,
                                  .course = 0.3,
                                  .block = 0.6,
                                  .width = 0.5,
                                  .stones = 1.0};

static cn_aqueduct_def aqueduct_of(const cn_tier_def *tier, int count)
{
    return (cn_aqueduct_def){.tiers = {count, tier}, .foundations = true};
}

// Height of the top above the foot.
static double rise_of(const cn_tier_def *t)
{
    double crown = t->voussoirs % 2 == 0 ? 1.0 : cos(0.5 * CN_PI / t->voussoirs);
    return t->height + (0.5 * t->span + t->thickness) * crown + t->cover;
}

// Front of a tier: the rectangle without piers' gaps and half polygons.
static double front_of(const cn_tier_def *t)
{
    double length = t->spans * t->span + (t->spans + 1) * t->pier, radius = 0.5 * t->span;
    double opening =
        t->span * t->height + 0.5 * t->voussoirs * sin(CN_PI / t->voussoirs) * radius * radius;
    return length * rise_of(t) - t->spans * opening;
}

// Length of all joints of `small`, in its plane.
static double joints_of_small(void)
{
    const double outer = 1.4, step = CN_PI / 7.0;
    double x[4], y[4]; // of the corners from the springing to the key stone
    for (int j = 0; j < 4; j++) {
        x[j] = outer * cos(step * j);
        y[j] = outer * sin(step * j);
    }
    double level = y[3] + 0.3, joints = 2 * 1.0 + 2 * 1.0 + 2 * 3 * 0.25; // foundations, piers
    joints += 2 * 1.0 + 6 * 0.4 + 7 * 2.0 * outer * sin(0.5 * step);      // springing, the ring
    joints += 2 * (2.0 - x[1]) + 2 * (2.0 - x[2]);                        // beds of the spandrels
    joints += 2 * (2.0 - x[2]) + 2 * 3 * 0.5 * (level - y[2]);            // haunches
    return joints + 2 * (level - y[2]) + 2 * (level - y[3]);              // beside crown stones
}

CN_TEST(a_bridge_fills_its_outline)
{
    cn_aqueduct_def def = aqueduct_of(&small, 1);
    cn_pieces bridge = {.dim = 3};
    CN_DO(cn_generate_aqueduct(&def, &bridge, &test_error));
    CN_TRUE(bridge.count == 2 * 5 + 7 + 2 * 2 + 2 * 5 + 3 + 2);
    // Foundations: a course deep, a quarter of a pier wider on every side.
    double foundations = 2 * 1.5 * 0.3 * 1.0;
    check_solids(&bridge, 0.5 * front_of(&small) + foundations, 0.5 * joints_of_small());
    CN_TRUE(bridge.piece[35].is_support && bridge.piece[35].index[0] == 9);
    cn_pieces_free(&bridge);
}

// Every stone is cut once, so that the cuts have the area of the front.
CN_TEST(stones_are_cut_across)
{
    cn_tier_def tier = small;
    tier.stones = 1.5;
    cn_aqueduct_def def = aqueduct_of(&tier, 1);
    cn_pieces bridge = {.dim = 3};
    CN_DO(cn_generate_aqueduct(&def, &bridge, &test_error));
    CN_TRUE(bridge.count == 2 * 34 + 2);
    check_solids(&bridge, 0.5 * front_of(&tier) + 2 * 1.5 * 0.3 * 1.0,
                 0.5 * joints_of_small() + front_of(&tier));
    // Neighbours in a row and in the row above are shifted: one begins with a half, then a whole.
    CN_NEAR(bridge.piece[0].at[1], -1.0 / 12.0, 1e-15, "a whole stone of 1/3 m first");
    CN_NEAR(bridge.piece[2].at[1], -1.0 / 6.0, 1e-15, "then a half one of 1/6 m");
    cn_pieces_free(&bridge);
}

// Three rings meet on the chords of their common circles.
CN_TEST(arches_may_have_several_rings)
{
    cn_tier_def tier = small;
    tier.rings = 3;
    cn_aqueduct_def def = aqueduct_of(&tier, 1);
    cn_pieces bridge = {.dim = 3};
    CN_DO(cn_generate_aqueduct(&def, &bridge, &test_error));
    CN_TRUE(bridge.count == 36 + 2 * 7);
    double between = 7 * 2.0 * sin(CN_PI / 14.0) * (1.0 + 0.4 / 3.0 + 1.0 + 0.8 / 3.0);
    check_solids(&bridge, 0.5 * front_of(&tier) + 2 * 1.5 * 0.3 * 1.0,
                 0.5 * (joints_of_small() + between));
    CN_TRUE(bridge.piece[bridge.count - 1].index[0] == 11); // foundations: two rows later
    CN_TRUE(strstr(bridge.note, "3 to 5 arches") != NULL);
    cn_pieces_free(&bridge);
    tier.rings = 0;
    CN_FAILS(cn_generate_aqueduct(&def, &bridge, &test_error), CN_BAD_INPUT, "tier 1: rings");
}

// Two arches below, four narrow ones above whose end piers stand beside the tier below.
CN_TEST(tiers_stand_on_each_other_or_on_the_ground)
{
    cn_tier_def tier[2] = {small, small};
    tier[0].spans = 2;
    tier[0].cover = 0.9;
    tier[1].spans = 4;
    tier[1].span = 1.1;
    tier[1].pier = 1.0;
    tier[1].voussoirs = 8;
    cn_aqueduct_def def = aqueduct_of(tier, 2);
    cn_pieces plane = {.dim = 2};
    CN_DO(cn_generate_aqueduct(&def, &plane, &test_error));
    double length = 2 * 2.0 + 3 * 1.0, upper = 4 * 1.1 + 5 * 1.0;
    CN_NEAR(total_area(&plane),
            front_of(&tier[0]) + front_of(&tier[1]) + 3 * 1.5 * 0.3 +
                2 * 0.3 * (0.5 * (upper - length) + 0.25),
            1e-13, "fronts, three foundations and two that end at the tier below");
    CN_NEAR(deepest_overlap(&plane), 0.0, 1e-14, "stones do not overlap");
    const cn_piece *last = &plane.piece[plane.count - 1];
    CN_TRUE(last->is_support && last->index[1] == 5);
    CN_NEAR(last->at[1], rise_of(&tier[0]) - 0.15, 1e-14, "its top is the level of the tier below");
    double top = 0.0;
    for (int k = 0; k < plane.count; k++) {
        outline o = outline_of(&plane, k);
        for (int n = 0; n < o.count; n++) {
            top = fmax(top, o.y[n]);
        }
    }
    CN_NEAR(top, rise_of(&tier[0]) + rise_of(&tier[1]), 1e-14, "height of both");
    cn_pieces_free(&plane);
}

CN_TEST(foundations_may_be_left_out)
{
    cn_aqueduct_def def = aqueduct_of(&small, 1);
    cn_tier_def low = small;
    cn_pieces plane = {.dim = 2};
    def.foundations = false;
    low.height = 0.0; // the ring stands on the ground
    def.tiers.row = &low;
    CN_DO(cn_generate_aqueduct(&def, &plane, &test_error));
    CN_TRUE(plane.count == 7 + 4 + 10 + 3 && plane.piece[0].index[0] == 1);
    CN_NEAR(total_area(&plane), front_of(&low), 1e-14, "front");
    cn_pieces_free(&plane);
}

CN_TEST(bad_aqueducts_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_tier_def tier[2] = {small, small};
    cn_aqueduct_def def = aqueduct_of(tier, 0);
    CN_FAILS(cn_generate_aqueduct(&def, &pieces, &test_error), CN_BAD_INPUT, "at least one tier");
    def.tiers.count = 2;
    tier[1].pier = 0.8;
    CN_FAILS(cn_generate_aqueduct(&def, &pieces, &test_error), CN_BAD_INPUT,
             "tier 2: a pier of 0.8 m has no room for two rings of 0.4 m");
    tier[1].pier = 1.5;
    CN_FAILS(cn_generate_aqueduct(&def, &pieces, &test_error), CN_BAD_INPUT,
             "tier 2: its pier 1, from x = -2.5 to -1 m, stands partly on the tier below, which "
             "ends at -2 m");
    tier[1].pier = 1.0;
    tier[1].width = 0.6;
    CN_FAILS(cn_generate_aqueduct(&def, &pieces, &test_error), CN_BAD_INPUT,
             "overhangs the tier below");
    tier[1].stones = 1.2;
    CN_FAILS(cn_generate_aqueduct(&def, &pieces, &test_error), CN_BAD_INPUT, "number of halves");
    tier[0].voussoirs = 4;
    CN_FAILS(cn_generate_aqueduct(&def, &pieces, &test_error), CN_BAD_INPUT,
             "tier 1: an arch needs at least 5 voussoirs, got 4");
    tier[0] = small;
    tier[0].course = 1e-9;
    CN_FAILS(cn_generate_aqueduct(&def, &pieces, &test_error), CN_BAD_INPUT, "courses");
    tier[0].course = NAN;
    CN_FAILS(cn_generate_aqueduct(&def, &pieces, &test_error), CN_BAD_INPUT, "course must be");
    cn_pieces_free(&pieces);
}

CN_MAIN(CN_RUN(a_bridge_fills_its_outline); CN_RUN(stones_are_cut_across);
        CN_RUN(arches_may_have_several_rings); CN_RUN(tiers_stand_on_each_other_or_on_the_ground);
        CN_RUN(foundations_may_be_left_out); CN_RUN(bad_aqueducts_are_told);)
