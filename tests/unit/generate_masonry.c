// Masonry in space: volumes and joints known on paper, no overlaps, faces that lie on each other.
#include "scene/generate_masonry.h"
#include "unit/solid_check.h"

// ---- walls

// Two leaves of 3 blocks, 4 courses, courses 2 and 4 through-stones.
CN_TEST(through_stones_join_the_leaves)
{
    cn_wall_def def = {.length = NAN,
                       .blocks = 3.0,
                       .courses = 4,
                       .block = {0.4, 0.2, 0.1},
                       .leaves = 2,
                       .leaf_gap = 0.05,
                       .through = 2,
                       .through_spacing = 1};
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 2 * 6 + 2 * 4);
    // Beds 3 x 1.2 x 0.4; heads 2 x 2 x 2 of blocks and 2 x 3 of through-stones 0.45 thick.
    check_solids(&wall, 1.2 * 0.1 * (2 * 0.4 + 2 * 0.45),
                 3 * 1.2 * 0.4 + 8 * 0.2 * 0.1 + 6 * 0.45 * 0.1);
    CN_TRUE(wall.piece[6].index[0] == 2 && wall.piece[6].index[1] == 1);
    CN_TRUE(wall.piece[6].at[1] == 0.0);
    cn_pieces_free(&wall);
}

CN_TEST(through_stones_may_be_spaced)
{
    cn_wall_def def = {.length = NAN,
                       .blocks = 4.0,
                       .courses = 3,
                       .block = {0.4, 0.2, 0.1},
                       .leaves = 2,
                       .bond = CN_BOND_STACK,
                       .through = 3,
                       .through_spacing = 2};
    cn_pieces wall = {.dim = 3};
    CN_DO(cn_generate_wall(&def, &wall, &test_error));
    CN_TRUE(wall.count == 8 + 8 + 6);
    double leaf_joints = 2 * 1.6 * 0.1 + 2 * 0.4 * 0.1;
    check_solids(&wall, 1.6 * 0.4 * 0.3, 2 * 1.6 * 0.4 + 3 * 3 * 0.4 * 0.1 + leaf_joints);
    CN_TRUE(wall.piece[21].index[0] == 3 && wall.piece[21].index[1] == 6);
    cn_pieces_free(&wall);
}

CN_TEST(bad_walls_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_wall_def wall = {.length = NAN,
                        .blocks = 4.0,
                        .courses = 3,
                        .block = {0.4, 0.2, 0.1},
                        .leaves = 1,
                        .through = 3,
                        .through_spacing = 1};
    CN_FAILS(cn_generate_wall(&wall, &pieces, &test_error), CN_BAD_INPUT,
             "join the leaves of a wall");
    cn_pieces_free(&pieces);
}

// ---- arches and vaults

static const cn_arch_def round_arch = {.blocks = 9,
                                       .radius = 2.0,
                                       .thickness = 0.4,
                                       .embrace = NAN,
                                       .offset = NAN,
                                       .span = NAN,
                                       .focus = NAN,
                                       .depth = 0.5,
                                       .abutments = true};

// Area of a half ring of straight-edged voussoirs: n/2 sin(pi/n) (outer^2 - inner^2).
static double ring_area(const cn_arch_def *arch)
{
    return 0.5 * arch->blocks * sin(CN_PI / arch->blocks) * 2.0 * arch->radius * arch->thickness;
}

CN_TEST(arch_has_depth)
{
    cn_pieces arch = {.dim = 3};
    CN_DO(cn_generate_arch(&round_arch, &arch, &test_error));
    CN_TRUE(arch.count == 11 && arch.piece[9].is_support && arch.piece[10].is_support);
    // Abutments are one thickness deep and two wide.
    check_solids(&arch, 0.5 * (ring_area(&round_arch) + 2 * 0.8 * 0.4), 10 * 0.4 * 0.5);
    CN_TRUE(arch.piece[4].at[0] == 0.0 && arch.piece[4].at[1] == 0.0);
    CN_TRUE(arch.piece[0].at[0] == -arch.piece[8].at[0]);
    CN_TRUE(arch.piece[10].index[0] == 2 && arch.piece[10].index[1] == 2);
    cn_pieces_free(&arch);
}

CN_TEST(other_arches_have_depth)
{
    cn_arch_def segmental = round_arch, pointed = round_arch, flat = round_arch;
    segmental.form = CN_ARCH_SEGMENTAL;
    segmental.embrace = 2.0;
    pointed.form = CN_ARCH_POINTED;
    pointed.blocks = 8;
    pointed.offset = 0.5;
    flat = (cn_arch_def){.form = CN_ARCH_FLAT,
                         .blocks = 7,
                         .radius = NAN,
                         .thickness = 0.3,
                         .embrace = NAN,
                         .offset = NAN,
                         .span = 2.0,
                         .focus = 2.0,
                         .depth = 0.5};
    cn_pieces arch = {.dim = 3};
    CN_DO(cn_generate_arch(&segmental, &arch, &test_error));
    check_solids(&arch, 0.5 * (0.5 * 9 * sin(2.0 / 9) * 2.0 * 2.0 * 0.4 + 2 * 0.8 * 0.4),
                 10 * 0.4 * 0.5);
    cn_pieces_free(&arch);
    arch.dim = 3;
    CN_DO(cn_generate_arch(&flat, &arch, &test_error));
    double joints = 0.0; // the six inner ones, from (x, 0) to (1.15 x, 0.3)
    for (int k = 1; k < 7; k++) {
        joints += 0.5 * hypot(0.3, 0.15 * (-1.0 + 2.0 * k / 7.0));
    }
    check_solids(&arch, 0.5 * 0.3 * 0.5 * (2.0 + 2.3), joints);
    cn_pieces_free(&arch);
    arch.dim = 3;
    CN_DO(cn_generate_arch(&pointed, &arch, &test_error));
    solids s = solids_of(&arch);
    CN_NEAR(deepest_solid_overlap(&s), 0.0, 1e-14, "pieces do not overlap");
    solids_free(&s);
    cn_pieces_free(&arch);
}

CN_TEST(vault_is_in_running_bond)
{
    cn_vault_def def = {.arch = round_arch, .length = 3.0, .stones = 3.5};
    cn_pieces vault = {.dim = 3};
    CN_DO(cn_generate_vault(&def, &vault, &test_error));
    CN_TRUE(vault.count == 9 * 4 + 2);
    double section = ring_area(&round_arch);
    // Joints along the axis: three in each course.
    check_solids(&vault, 3.0 * (section + 2 * 0.8 * 0.4), 10 * 0.4 * 3.0 + 3 * section);
    const cn_piece *last = &vault.piece[37];
    CN_TRUE(last->is_support && last->index[0] == 10 && last->index[1] == 2);
    CN_NEAR(vault.piece[0].at[1], -1.5 + 3.0 / 7.0, 1e-15, "a whole stone first");
    CN_NEAR(vault.piece[4].at[1], -1.5 + 1.5 / 7.0, 1e-15, "then a half one");
    cn_pieces_free(&vault);
    vault.dim = 3;
    def.stones = 3.0;
    def.bond = CN_BOND_STACK;
    CN_DO(cn_generate_vault(&def, &vault, &test_error));
    CN_TRUE(vault.count == 9 * 3 + 2);
    cn_pieces_free(&vault);
}

CN_TEST(bad_arches_and_vaults_are_told)
{
    cn_pieces pieces = {.dim = 3};
    cn_arch_def arch = round_arch;
    arch.depth = NAN;
    CN_FAILS(cn_generate_arch(&arch, &pieces, &test_error), CN_BAD_INPUT, "arch depth");
    cn_vault_def vault = {.arch = round_arch, .length = 0.0, .stones = 3.0};
    CN_FAILS(cn_generate_vault(&vault, &pieces, &test_error), CN_BAD_INPUT, "vault length");
    vault.length = 1.0;
    vault.stones = 2.3;
    CN_FAILS(cn_generate_vault(&vault, &pieces, &test_error), CN_BAD_INPUT,
             "whole number of halves");
    vault.stones = 2.5;
    vault.bond = CN_BOND_STACK;
    CN_FAILS(cn_generate_vault(&vault, &pieces, &test_error), CN_BAD_INPUT,
             "whole number from 1 up, got 2.5");
    vault.stones = 2.0;
    vault.arch.radius = 0.1;
    CN_FAILS(cn_generate_vault(&vault, &pieces, &test_error), CN_BAD_INPUT, "leaves no opening");
    cn_pieces_free(&pieces);
}

CN_MAIN(CN_RUN(through_stones_join_the_leaves); CN_RUN(through_stones_may_be_spaced);
        CN_RUN(bad_walls_are_told); CN_RUN(arch_has_depth); CN_RUN(other_arches_have_depth);
        CN_RUN(vault_is_in_running_bond); CN_RUN(bad_arches_and_vaults_are_told);)
