// Masonry in space: volumes and joints known on paper, no overlaps, faces that lie on each other.
#include "unit/solid_check.h"

// ---- walls

// Two leaves of 3 blocks, 4 courses, courses 2 and 4 through-stones.
CN_TEST(through_stones_join_the_leaves)
{
    cn_wall_def def = {.length = NAN,
                       .blocks = 3.0,
                       .courses = 4,
                       .block = {0.4, 0.2, 0.1},
                       .leaves = 2,
                       .leaf_gap = 0.05,
                       .through = 2,
                       .through_spacing = 1};
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 2 * 6 + 2 * 4);
    // Beds 3 x 1.2 x 0.4; heads 2 x 2 x 2 of blocks and 2 x 3 of through-stones 0.45 thick.
    check_solids(&wall, 1.2 * 0.1 * (2 * 0.4 + 2 * 0.45),
                 3 * 1.2 * 0.4 + 8 * 0.2 * 0.1 + 6 * 0.45 * 0.1);
    CN_TRUE(wall.piece[6].index[0] == 2 && wall.piece[6].index[1] == 1);
    CN_TRUE(wall.piece[6].at[1] == 0.0);
    cn_pieces_free(&wall);
}

CN_TEST(through_stones_may_be_spaced)
{
    cn_wall_def def = {.length = NAN,
                       .blocks = 4.0,
                       .courses = 3,
                       .block = {0.4, 0.2, 0.1},
                       .leaves = 2,
                       .bond = CN_BOND_STACK,
                       .through = 3,
                       .through_spacing = 2};
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 8 + 8 + 6);
    double leaf_joints = 2 * 1.6 * 0.1 + 2 * 0.4 * 0.1;
    check_solids(&wall, 1.6 * 0.4 * 0.3, 2 * 1.6 * 0.4 + 3 * 3 * 0.4 * 0.1 + leaf_joints);
    CN_TRUE(wall.piece[21].index[0] == 3 && wall.piece[21].index[1] == 6);
    cn_pieces_free(&wall);
}

CN_TEST(bad_walls_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_wall_def wall = {.length = NAN,
                        .blocks = 4.0,
                        .courses = 3,
                        .block = {0.4, 0.2, 0.1},
                        .leaves = 1,
                        .through = 3,
                        .through_spacing = 1};
    CN_FAILS(cn_generate_wall(&wall, &pieces, &test_error), CN_BAD_INPUT,
             "join the leaves of a wall");
    cn_pieces_free(&pieces);
}

CN_MAIN(CN_RUN(through_stones_join_the_leaves); CN_RUN(through_stones_may_be_spaced);
        CN_RUN(bad_walls_are_told);)
