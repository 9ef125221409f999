// tests/slow/narrow_turn.c -- 1e5 pairs of shapes of the plane of each two families, turned by
// 1e-9.
#include "unit/narrow_turn.h"

CN_TEST(a_turn_of_1e_9_moves_no_point_by_1e_6)
{
    check_turns(100000, 62);
}

CN_MAIN(CN_RUN(a_turn_of_1e_9_moves_no_point_by_1e_6);)
