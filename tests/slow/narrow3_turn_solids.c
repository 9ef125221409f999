// tests/slow/narrow3_turn_solids.c -- 1e5 pairs of each two kinds of solids, turned by 1e-9.
#include "unit/solid_turn.h"

CN_TEST(a_turn_of_1e_9_moves_no_point_of_solids_by_1e_6)
{
    check_solid_turns(100000, 72);
}

CN_MAIN(CN_RUN(a_turn_of_1e_9_moves_no_point_of_solids_by_1e_6);)
