// tests/unit/narrow3_oracle.c -- random pairs of polyhedra against exhaustive enumeration; ten
// times as many in tests/slow.
#include "unit/hull_judge.h"

CN_TEST(distance_and_depth_agree_with_an_oracle)
{
    judge_pairs(12000, 1);
}

CN_MAIN(CN_RUN(distance_and_depth_agree_with_an_oracle);)
