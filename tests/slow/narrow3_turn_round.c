// tests/slow/narrow3_turn_round.c -- 3e4 pairs of each two kinds of round solids, tubes and
// surfaces, turned by 1e-9.
#include "unit/solid_turn.h"

CN_TEST(a_turn_of_1e_9_moves_next_to_no_point_of_round_solids_by_1e_6)
{
    check_round_turns(30000, 72);
}

CN_MAIN(CN_RUN(a_turn_of_1e_9_moves_next_to_no_point_of_round_solids_by_1e_6);)
