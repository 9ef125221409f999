// tests/unit/narrow3_turn_solids.c -- a turn of 1e-9 moves no point of round, flat and hollow
// solids by 1e-6; more pairs in tests/slow.
#include "unit/solid_turn.h"

CN_TEST(a_turn_of_1e_9_moves_no_point_of_solids_by_1e_6)
{
    check_solid_turns(3000, 71);
}

CN_TEST(a_turn_of_1e_9_moves_next_to_no_point_of_round_solids_by_1e_6)
{
    check_round_turns(2000, 71);
}

// Rims deep in thin ellipsoids, which were found or not.
CN_TEST(pairs_that_jumped_stay)
{
    CN_TRUE(count_solid_jumps(CN_SOLID_HOLLOW_CYLINDER, CN_SOLID_ELLIPSOID, TOUCHING_POINTS, 17000,
                              89) == 0);
}

CN_MAIN(CN_RUN(a_turn_of_1e_9_moves_no_point_of_solids_by_1e_6);
        CN_RUN(a_turn_of_1e_9_moves_next_to_no_point_of_round_solids_by_1e_6);
        CN_RUN(pairs_that_jumped_stay);)
