// tests/unit/narrow_turn.c -- a turn of 1e-9 moves no point of shapes of the plane by 1e-6; more
// pairs in tests/slow.
#include "narrow_turn.h"

CN_TEST(a_turn_of_1e_9_moves_no_point_by_1e_6)
{
    check_turns(3000, 61);
}

// Two stones turned about a common corner: while it opens, and closes again by 1e-8, the far end of
// the joint stays where it is, although the normal turns.
CN_TEST(an_open_hinge_keeps_the_far_end_of_its_joint)
{
    body a, b;
    make_box(&a, 1.0, 1.0);
    make_box(&b, 1.0, 1.0);
    cn_touch t[2][CN_TOUCH_MAX];
    for (int k = 0; k < 2; k++) {
        double angle = 0.2, x = -0.5 + cos(angle + 0.25 * CN_PI) / sqrt(2.0);
        double y = 0.5 + sin(angle + 0.25 * CN_PI) / sqrt(2.0);
        move_body(&b, x + 1e-8 * k, y + 2e-8 * k, angle);
        CN_TRUE(cn_narrow(&a.posed, &b.posed, 1.0, t[k]) == 2);
    }
    CN_NEAR(moved_by(t[0], 2, t[1], 2), 0.0, 1e-7, "2e-8, and 1e-8 / 4e-3 of half the angle");
}

CN_MAIN(CN_RUN(a_turn_of_1e_9_moves_no_point_by_1e_6);
        CN_RUN(an_open_hinge_keeps_the_far_end_of_its_joint);)
