// tests/unit/narrow3_turn.c -- a turn of 1e-9 moves no point of a block by 1e-6 of its size; more
// pairs in tests/slow.
#include "unit/hull_turn.h"

CN_TEST(a_turn_of_1e_9_moves_no_point_of_blocks_by_1e_6)
{
    for (block_family family = PRISMS; family < BLOCK_FAMILY_COUNT; family++) {
        CN_TRUE(count_jumps(family, false, 3000, 41) == 0);
        CN_TRUE(count_jumps(family, true, 3000, 42) == 0);
    }
}

// The corners of a square on another turned by 45 degrees are equal choices.
CN_TEST(a_box_turned_by_45_degrees_keeps_its_four_corners)
{
    uint64_t state = 4;
    test_hull s, r;
    shape_box(&s, 0, 1.0, 1.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    cn_posed3 a = place(&s, 0.0, 0.0, 0.0, UPRIGHT);
    cn_posed3 b = place(&r, 0.0, 0.0, 1.0, turn(0.0, 0.0, 1.0, 0.25 * PI));
    cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
    int count = cn_narrow3(&a, &b, 0.1, t);
    CN_TRUE(count == 4);
    for (int k = 0; k < 500; k++) {
        cn_posed3 c = turned_by(&b, pow(10.0, -15.0 + 10.0 * uniform(&state)), &state);
        int other = cn_narrow3(&a, &c, 0.1, u);
        CN_NEAR(moved_by(t, count, u, other), 0.0, 2e-5, "turned by up to 1e-5");
    }
}

// Where two touch equally, neither decides alone on the plane of the points.
CN_TEST(a_tilted_block_keeps_its_points_in_one_plane)
{
    test_hull s, r;
    shape_box(&s, 0, 2.0, 2.0, 1.0);
    shape_box(&r, 1, 1.0, 1.0, 1.0);
    cn_posed3 a = place(&s, 0.0, 0.0, 0.0, UPRIGHT);
    cn_touch3 t[2][CN_TOUCH3_MAX];
    for (int k = 0; k < 2; k++) { // gaps of 5e-4 on one side and -5e-4 on the other, or a bit less
        cn_posed3 b = place(&r, 0.0, 0.0, 1.0 + (k - 0.5) * 2e-9, turn(0.0, 1.0, 0.0, 1e-3));
        CN_TRUE(cn_narrow3(&a, &b, 0.1, t[k]) == 4);
    }
    CN_NEAR(moved_by(t[0], 4, t[1], 4), 0.0, 1e-8, "2e-9, up to four times as much along n");
}

CN_MAIN(CN_RUN(a_turn_of_1e_9_moves_no_point_of_blocks_by_1e_6);
        CN_RUN(a_box_turned_by_45_degrees_keeps_its_four_corners);
        CN_RUN(a_tilted_block_keeps_its_points_in_one_plane);)
