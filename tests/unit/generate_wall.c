// Walls and stacks: areas, joints, indices and messages.
#include "generate_check.h"
#include "test.h"

static cn_wall_def make_wall(double length, int courses, double width, double height)
{
    return (cn_wall_def){
        .length = length, .blocks = NAN, .courses = courses, .block = {width, height}};
}

// 3 m of blocks 0.4 x 0.2 are 7 1/2 blocks: a half block closes every course, left and right in
// turn.
CN_TEST(running_bond_fills_its_rectangle)
{
    cn_pieces wall = {0};
    cn_wall_def def = make_wall(3.0, 12, 0.4, 0.2);
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 12 * 8);
    CN_NEAR(total_area(&wall), 3.0 * 12 * 0.2, 1e-13, "sum of 96 areas, rounding only");
    CN_NEAR(deepest_overlap(&wall), 0.0, 3e-15, "coordinates of size 3, one rounding each");
    outline first = outline_of(&wall, 0), second = outline_of(&wall, 8);
    CN_NEAR(first.x[0], -1.5, 1e-15, "wall is centred on x = 0");
    CN_NEAR(first.y[0], 0.0, 1e-15, "wall stands on y = 0");
    CN_NEAR(first.x[1] - first.x[0], 0.4, 1e-15, "course 1 begins with a whole block");
    CN_NEAR(second.x[1] - second.x[0], 0.2, 1e-15, "course 2 begins with a half block");
    CN_TRUE(wall.piece[8].index[0] == 2 && wall.piece[8].index[1] == 1);
    cn_pieces_free(&wall);
}

CN_TEST(whole_blocks_give_half_blocks_at_both_ends_of_even_courses)
{
    cn_pieces wall = {0};
    cn_wall_def def = make_wall(NAN, 2, 0.2, 0.1);
    def.blocks = 3.0;
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 3 + 4);
    cn_pieces_free(&wall);
    def.start = CN_WALL_START_HALF;
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 4 + 3 && wall.piece[3].index[0] == 1 && wall.piece[4].index[0] == 2);
    cn_pieces_free(&wall);
}

// Neighbours share their joint to the last digit, far from the origin as well as near it.
CN_TEST(head_joints_coincide)
{
    cn_pieces wall = {0};
    cn_wall_def def = make_wall(300.0, 2, 0.3, 0.1);
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    double worst = 0.0;
    for (int k = 0; k + 1 < wall.count; k++) {
        if (wall.piece[k].index[0] == wall.piece[k + 1].index[0]) {
            outline a = outline_of(&wall, k), b = outline_of(&wall, k + 1);
            worst = fmax(worst, fabs(a.x[1] - b.x[0]));
        }
    }
    CN_NEAR(worst, 0.0, 150.0 * 1e-15, "relative to the half length of the wall");
    cn_pieces_free(&wall);
}

CN_TEST(courses_are_mirror_images)
{
    cn_pieces wall = {0};
    cn_wall_def def = make_wall(NAN, 2, 0.37, 0.1);
    def.blocks = 11.0;
    def.head_gap = 0.013;
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    for (int k = 0; k < 11; k++) {
        CN_TRUE(wall.piece[k].at[0] == -wall.piece[10 - k].at[0]);
    }
    cn_pieces_free(&wall);
}

CN_TEST(gaps_separate_blocks)
{
    cn_pieces wall = {0};
    cn_wall_def def = make_wall(NAN, 3, 0.4, 0.2);
    def.blocks = 2.5;
    def.head_gap = 0.02;
    def.bed_gap = 0.01;
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    outline left = outline_of(&wall, 0), right = outline_of(&wall, 1), half = outline_of(&wall, 2);
    outline above = outline_of(&wall, 3);
    CN_NEAR(right.x[0] - left.x[1], 0.02, 1e-15, "head joint");
    CN_NEAR(above.y[0] - left.y[2], 0.01, 1e-15, "bed joint");
    CN_NEAR(half.x[1] - half.x[0], 0.19, 1e-15, "two half blocks and a joint make one block");
    CN_NEAR(half.x[1] - left.x[0], 2.5 * 0.42 - 0.02, 1e-15, "length of the course");
    cn_pieces_free(&wall);
}

CN_TEST(stack_bond_has_no_half_blocks)
{
    cn_pieces wall = {0};
    cn_wall_def def = make_wall(2.0, 4, 0.4, 0.2);
    def.bond = CN_BOND_STACK;
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 20 && wall.piece[0].at[0] == wall.piece[15].at[0]);
    cn_pieces_free(&wall);
}

// A door of 1.5 blocks and a window: area of the wall without them, a lintel of one course on each.
CN_TEST(openings_have_lintels)
{
    const cn_opening_def opening[2] = {{{-0.9, 0.0}, {0.6, 0.6}, NAN, 0, 0.0},
                                       {{0.7, 0.4}, {0.5, 0.4}, 0.3, 0, 0.0}};
    cn_wall_def def = {
        .length = NAN, .blocks = 8.0, .courses = 6, .block = {0.4, 0.2}, .openings = {2, opening}};
    cn_pieces wall = {.dim = 2};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_NEAR(total_area(&wall), 3.2 * 1.2 - 0.6 * 0.6 - 0.5 * 0.4, 1e-14, "wall without openings");
    CN_NEAR(deepest_overlap(&wall), 0.0, 1e-14, "stones do not overlap");
    int lintels = 0;
    for (int k = 0; k < wall.count; k++) {
        outline o = outline_of(&wall, k);
        double from = o.x[0], to = o.x[0];
        for (int n = 1; n < o.count; n++) {
            from = fmin(from, o.x[n]);
            to = fmax(to, o.x[n]);
        }
        CN_TRUE(to - from > 0.0999 && to - from < 1.1001);
        lintels += fabs(to - from - 1.0) < 1e-12 && wall.piece[k].index[0] == 4;
        lintels += fabs(to - from - 1.1) < 1e-12 && wall.piece[k].index[0] == 5;
    }
    CN_TRUE(lintels == 2);
    cn_pieces_free(&wall);
}

// A door 1.2 m wide under five voussoirs: they and the stones cut beside them fill the course.
CN_TEST(flat_arches_span_openings)
{
    cn_opening_def opening = {{0.1, 0.0}, {1.2, 0.6}, NAN, 5, 0.35};
    cn_wall_def def = {
        .length = NAN, .blocks = 8.0, .courses = 6, .block = {0.4, 0.2}, .openings = {1, &opening}};
    cn_pieces wall = {.dim = 2};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_NEAR(total_area(&wall), 3.2 * 1.2 - 1.2 * 0.6, 1e-14, "wall without the door");
    CN_NEAR(deepest_overlap(&wall), 0.0, 1e-15, "stones do not overlap");
    int voussoirs = 0;
    for (int k = 0; k < wall.count; k++) {
        outline o = outline_of(&wall, k);
        bool is_voussoir = wall.piece[k].index[0] == 4 && o.x[0] > -0.5001 && o.x[1] < 0.7001;
        voussoirs += is_voussoir;
        CN_TRUE(!is_voussoir || fabs(o.x[1] - o.x[0] - 0.24) < 1e-14);
    }
    CN_TRUE(voussoirs == 5);
    cn_pieces_free(&wall);
    opening.bearing = 0.2;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "and no bearing");
    opening.bearing = NAN;
    opening.at[0] = 0.9;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "reaches beyond the wall");
    cn_pieces_free(&wall);
}

// Joints move, stones do not part: the area stays, and beds are those of both courses.
CN_TEST(irregular_walls_stay_closed)
{
    for (int seed = 1; seed <= 5; seed++) {
        cn_pieces wall = {.dim = 2};
        cn_wall_def def = make_wall(NAN, 7, 0.4, 0.2);
        def.blocks = 7.5;
        def.irregular[0] = 0.4;
        def.irregular[1] = 0.5;
        def.lean = 0.2;
        def.seed = seed;
        CN_DO(cn_generate_wall(&def, &wall, &test_error));
        CN_TRUE(wall.count == 7 * 8);
        CN_NEAR(total_area(&wall), 3.0 * 1.4, 1e-13, "sum of 56 areas, rounding only");
        CN_NEAR(deepest_overlap(&wall), 0.0, 3e-15, "coordinates of size 3, one rounding each");
        double least = 9.0, most = 0.0;
        for (int k = 0; k < wall.count; k++) {
            outline o = outline_of(&wall, k);
            least = fmin(least, fmin(o.x[1] - o.x[0], o.x[2] - o.x[3]));
            most = fmax(most, fmax(o.x[1] - o.x[0], o.x[2] - o.x[3]));
        }
        CN_TRUE(least > 0.1 && most < 0.6 && most > 0.45);
        cn_pieces_free(&wall);
    }
    cn_pieces wall = {.dim = 2};
    cn_wall_def def = make_wall(3.0, 2, 0.4, 0.2);
    def.irregular[0] = 0.5;
    def.lean = 0.2;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "together by at most 0.6");
    def.lean = 0.0;
    def.bed_gap = 0.01;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "without gaps");
    cn_pieces_free(&wall);
}

CN_TEST(bad_openings_are_told)
{
    cn_opening_def opening[2] = {{{0.0, 0.0}, {0.6, 0.5}, NAN, 0, 0.0},
                                 {{0.3, 0.0}, {0.6, 0.4}, NAN, 0, 0.0}};
    cn_wall_def def = {
        .length = NAN, .blocks = 8.0, .courses = 6, .block = {0.4, 0.2}, .openings = {2, opening}};
    cn_pieces wall = {.dim = 2};
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT,
             "opening 1 reaches from 0 to 0.5 m, not from bed to bed: beds are 0.2 m apart");
    opening[0].size[1] = 0.4;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT,
             "openings or lintels overlap in course 1, from x = 0 to 0.3 m");
    opening[1].at[0] = 1.2;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT,
             "opening 2 with its lintel, from x = 0.7 to 1.7 m, reaches beyond the wall");
    def.bed_gap = 0.01;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "leave out head_gap");
    cn_pieces_free(&wall);
}

CN_TEST(bad_walls_are_told)
{
    cn_pieces wall = {0};
    cn_wall_def def = make_wall(3.1, 12, 0.4, 0.2);
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "use 3 or 3.2 m");
    def.bond = CN_BOND_STACK;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "use 2.8 or 3.2 m");
    def = make_wall(3.0, 0, 0.4, 0.2);
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "courses");
    def = make_wall(3.0, 2, NAN, 0.2);
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT,
             "width must be > 0 m, got nan");
    def = make_wall(NAN, 2, 0.4, 0.2);
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "neither is given");
    def.blocks = 2.3;
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "halves, got 2.3");
    def = make_wall(4e6, 100000, 0.4, 0.2);
    CN_FAILS(cn_generate_wall(&def, &wall, &test_error), CN_BAD_INPUT, "10000000");
    CN_TRUE(wall.count == 0);
    cn_pieces_free(&wall);
}

// B12: the right end of the top block is (L/2) H_n beyond the edge of the table at x = 0.
CN_TEST(harmonic_stack_overhangs_by_the_harmonic_number)
{
    cn_pieces stack = {0};
    cn_stack_def def = {.blocks = 4, .block = {1.0, 0.2}, .top = NAN, .harmonic = 1.0};
    CN_DO(cn_generate_stack(&def, &stack, &test_error));
    outline top = outline_of(&stack, 3), low = outline_of(&stack, 0);
    CN_NEAR(top.x[1], 1.0416666666666667, 1e-15, "(1 + 1/2 + 1/3 + 1/4)/2");
    CN_NEAR(low.x[1], 0.125, 1e-15, "lowest block overhangs by L/(2n)");
    CN_NEAR(low.y[0], 0.0, 1e-15, "stands on y = 0");
    CN_NEAR(deepest_overlap(&stack), 0.0, 1e-15, "blocks touch");
    cn_pieces_free(&stack);
}

CN_TEST(drums_taper_and_share_joints)
{
    cn_pieces stack = {0};
    cn_stack_def def = {.blocks = 5, .block = {1.0, 0.8}, .top = 0.7};
    CN_DO(cn_generate_stack(&def, &stack, &test_error));
    for (int k = 0; k + 1 < 5; k++) {
        outline below = outline_of(&stack, k), above = outline_of(&stack, k + 1);
        CN_NEAR(below.x[2], above.x[1], 1e-15, "shared joint");
        CN_NEAR(below.y[2], above.y[1], 4e-15, "shared joint");
        CN_TRUE(stack.piece[k].index[0] == k + 1 && stack.piece[k].index[1] == 1);
    }
    outline top = outline_of(&stack, 4);
    CN_NEAR(top.x[2] - top.x[3], 0.7, 1e-15, "uppermost face");
    CN_NEAR(total_area(&stack), 0.85 * 4.0, 1e-14, "trapezium");
    cn_pieces_free(&stack);
}

CN_TEST(offsets_shift_blocks)
{
    cn_pieces stack = {0};
    const double offset[] = {0.1, -0.2};
    cn_stack_def def = {.blocks = 3, .block = {1.0, 0.2}, .top = NAN, .offsets = {2, offset}};
    CN_DO(cn_generate_stack(&def, &stack, &test_error));
    CN_NEAR(stack.piece[1].at[0], 0.1, 1e-15, "first offset");
    CN_NEAR(stack.piece[2].at[0], -0.1, 1e-15, "sum of offsets");
    def.offset = 0.3;
    CN_FAILS(cn_generate_stack(&def, &stack, &test_error), CN_BAD_INPUT, "one of offset");
    def.offset = 0.0;
    def.offsets.count = 1;
    CN_FAILS(cn_generate_stack(&def, &stack, &test_error), CN_BAD_INPUT, "needs 2 numbers");
    def.offsets.count = 0;
    def.gap = -1.0;
    CN_FAILS(cn_generate_stack(&def, &stack, &test_error), CN_BAD_INPUT, "gap");
    def.gap = 0.0;
    def.offset = 1e12;
    def.block[0] = 1e-9;
    CN_FAILS(cn_generate_stack(&def, &stack, &test_error), CN_BAD_INPUT, "[2, 1] has no area");
    cn_pieces_free(&stack);
}

CN_MAIN(CN_RUN(running_bond_fills_its_rectangle);
        CN_RUN(whole_blocks_give_half_blocks_at_both_ends_of_even_courses);
        CN_RUN(head_joints_coincide); CN_RUN(courses_are_mirror_images);
        CN_RUN(gaps_separate_blocks); CN_RUN(stack_bond_has_no_half_blocks);
        CN_RUN(openings_have_lintels); CN_RUN(flat_arches_span_openings);
        CN_RUN(irregular_walls_stay_closed); CN_RUN(bad_openings_are_told);
        CN_RUN(bad_walls_are_told); CN_RUN(harmonic_stack_overhangs_by_the_harmonic_number);
        CN_RUN(drums_taper_and_share_joints); CN_RUN(offsets_shift_blocks);)
