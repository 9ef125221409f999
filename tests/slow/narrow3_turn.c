// tests/slow/narrow3_turn.c -- 1e5 pairs of blocks of each family, still and moving, turned by
// 1e-9.
#include "unit/hull_turn.h"

CN_TEST(a_turn_of_1e_9_moves_no_point_of_blocks_by_1e_6)
{
    for (block_family family = PRISMS; family < BLOCK_FAMILY_COUNT; family++) {
        CN_TRUE(count_jumps(family, false, 100000, 51) == 0);
        CN_TRUE(count_jumps(family, true, 100000, 52) == 0);
    }
}

CN_MAIN(CN_RUN(a_turn_of_1e_9_moves_no_point_of_blocks_by_1e_6);)
