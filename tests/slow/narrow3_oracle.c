// tests/slow/narrow3_oracle.c -- 1.2e5 random pairs of polyhedra against exhaustive enumeration.
#include "unit/hull_judge.h"

CN_TEST(distance_and_depth_agree_with_an_oracle)
{
    for (uint64_t seed = 2; seed < 5; seed++) {
        judge_pairs(40000, seed);
    }
}

CN_MAIN(CN_RUN(distance_and_depth_agree_with_an_oracle);)
