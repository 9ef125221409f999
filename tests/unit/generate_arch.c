// Arches: joints, symmetry, abutments and messages.
#include "generate_check.h"
#include "test.h"

static cn_arch_def make_arch(cn_arch_form form, int blocks, double thickness)
{
    return (cn_arch_def){.form = form,
                         .blocks = blocks,
                         .radius = NAN,
                         .thickness = thickness,
                         .embrace = NAN,
                         .offset = NAN,
                         .span = NAN,
                         .focus = NAN,
                         .abutments = true};
}

static cn_arch_def make_round(int blocks, double radius, double thickness)
{
    cn_arch_def def = make_arch(CN_ARCH_SEMICIRCULAR, blocks, thickness);
    def.radius = radius;
    return def;
}

// Largest distance between the joint of one voussoir and that of the next; vertices are inner left,
// inner right, outer right, outer left, turned by one or two places in mirrored blocks.
static double worst_joint(const cn_pieces *arch, int blocks)
{
    double worst = 0.0;
    for (int k = 0; k + 1 < blocks; k++) {
        outline a = outline_of(arch, k), b = outline_of(arch, k + 1);
        int shared = 0;
        double apart = 0.0;
        for (int m = 0; m < 4; m++) {
            double nearest = DBL_MAX;
            for (int n = 0; n < 4; n++) {
                nearest = fmin(nearest, hypot(a.x[m] - b.x[n], a.y[m] - b.y[n]));
            }
            if (nearest < 1e-9) {
                shared++;
                apart = fmax(apart, nearest);
            }
        }
        worst = fmax(worst, shared == 2 ? apart : 1.0);
    }
    return worst;
}

// Area of N quadrilaterals between two circles: N sin(beta) R t, beta = embrace/N.
CN_TEST(semicircle_has_the_exact_area_and_joints)
{
    for (int blocks = 10; blocks <= 27; blocks += 17) {
        cn_pieces arch = {0};
        cn_arch_def def = make_round(blocks, 10.0, 1.078);
        def.abutments = false;
        CN_DO(cn_generate_arch(&def, &arch, &test_error));
        CN_TRUE(arch.count == blocks);
        CN_NEAR(total_area(&arch), blocks * sin(CN_PI / blocks) * 10.0 * 1.078, 1e-13,
                "polygons between two circles");
        CN_NEAR(worst_joint(&arch, blocks), 0.0, 1e-14, "joints of size 10, a rounding or two");
        CN_NEAR(deepest_overlap(&arch), 0.0, 1e-14, "voussoirs touch");
        cn_pieces_free(&arch);
    }
}

CN_TEST(left_and_right_are_mirror_images_bit_for_bit)
{
    for (int blocks = 10; blocks <= 11; blocks++) {
        cn_pieces arch = {0};
        cn_arch_def def = make_round(blocks, 3.0, 0.37);
        CN_DO(cn_generate_arch(&def, &arch, &test_error));
        for (int k = 0; k < blocks; k++) {
            const cn_piece *a = &arch.piece[k], *b = &arch.piece[blocks - 1 - k];
            CN_TRUE(a->at[0] == -b->at[0] && a->at[1] == b->at[1]);
            CN_TRUE(a->index[0] == 1 && a->index[1] == k + 1 && !a->is_support);
        }
        CN_TRUE(arch.piece[blocks].at[0] == -arch.piece[blocks + 1].at[0]);
        cn_pieces_free(&arch);
    }
}

CN_TEST(abutments_support_the_ends)
{
    cn_pieces arch = {0};
    cn_arch_def def = make_round(7, 10.0, 1.0);
    CN_DO(cn_generate_arch(&def, &arch, &test_error));
    CN_TRUE(arch.count == 9);
    const cn_piece *left = &arch.piece[7], *right = &arch.piece[8];
    CN_TRUE(left->is_support && right->is_support);
    CN_TRUE(left->index[0] == 2 && left->index[1] == 1 && right->index[1] == 2);
    CN_NEAR(left->at[0], -10.0, 1e-14, "below the springing");
    CN_NEAR(left->at[1], -0.5, 1e-15, "one thickness deep");
    outline o = outline_of(&arch, 7);
    CN_NEAR(outline_area(&o), 2.0, 1e-14, "twice as wide as the joint");
    CN_NEAR(deepest_overlap(&arch), 0.0, 1e-14, "faces touch");
    cn_pieces_free(&arch);
}

CN_TEST(segmental_arch_springs_from_zero)
{
    cn_pieces arch = {0};
    cn_arch_def def = make_arch(CN_ARCH_SEGMENTAL, 20, 2.0);
    def.radius = 10.0;
    def.embrace = 2.0 * CN_PI / 3.0;
    CN_DO(cn_generate_arch(&def, &arch, &test_error));
    outline first = outline_of(&arch, 0);
    CN_NEAR(first.y[0], 0.0, 1e-15, "springing of the intrados");
    CN_NEAR(first.x[0], -9.0 * sqrt(0.75), 1e-14, "half span of the intrados");
    CN_NEAR(worst_joint(&arch, 20), 0.0, 2e-14, "joints of size 10");
    CN_NEAR(deepest_overlap(&arch), 0.0, 2e-14, "faces touch, abutments too");
    cn_pieces_free(&arch);
}

CN_TEST(pointed_arch_has_a_vertical_crown_joint)
{
    cn_pieces arch = {0};
    cn_arch_def def = make_arch(CN_ARCH_POINTED, 40, 0.7);
    def.radius = 10.0;
    def.offset = 2.0;
    CN_DO(cn_generate_arch(&def, &arch, &test_error));
    outline crown = outline_of(&arch, 19);
    CN_NEAR(crown.x[1], 0.0, 2e-16, "inner end of the crown joint");
    CN_NEAR(crown.x[2], 0.0, 2e-16, "outer end of the crown joint");
    CN_NEAR(crown.y[2], sqrt(10.35 * 10.35 - 4.0), 1e-14, "extrados on the axis");
    CN_NEAR(worst_joint(&arch, 40), 0.0, 2e-14, "joints of size 10");
    CN_NEAR(deepest_overlap(&arch), 0.0, 2e-14, "faces touch");
    cn_pieces_free(&arch);
}

// With no offset a pointed arch is a semicircle.
CN_TEST(pointed_arch_without_offset_is_round)
{
    cn_pieces pointed = {0}, round = {0};
    cn_arch_def def = make_arch(CN_ARCH_POINTED, 12, 0.7);
    def.radius = 10.0;
    def.offset = 0.0;
    CN_DO(cn_generate_arch(&def, &pointed, &test_error));
    cn_arch_def same = make_round(12, 10.0, 0.7);
    CN_DO(cn_generate_arch(&same, &round, &test_error));
    for (int k = 0; k < round.count; k++) {
        CN_NEAR(pointed.piece[k].at[0], round.piece[k].at[0], 1e-14, "same joints");
        CN_NEAR(pointed.piece[k].at[1], round.piece[k].at[1], 1e-14, "same joints");
    }
    cn_pieces_free(&pointed);
    cn_pieces_free(&round);
}

// B11: joints through (0, -2); the extrados is (2 + 0.3)/2 times as long as the soffit.
CN_TEST(flat_arch_joints_meet_below)
{
    cn_pieces arch = {0};
    cn_arch_def def = make_arch(CN_ARCH_FLAT, 11, 0.3);
    def.span = 2.0;
    def.focus = 2.0;
    CN_DO(cn_generate_arch(&def, &arch, &test_error));
    double area = total_area(&arch);
    outline left = outline_of(&arch, 11), right = outline_of(&arch, 12);
    area -= outline_area(&left) + outline_area(&right);
    CN_NEAR(area, 0.5 * (2.0 + 2.3) * 0.3, 1e-14, "one trapezium");
    outline first = outline_of(&arch, 0);
    CN_NEAR(first.x[3] / first.x[0], 1.15, 1e-15, "joint aims at the focus");
    CN_NEAR(deepest_overlap(&arch), 0.0, 1e-15, "faces touch, skewbacks too");
    CN_TRUE(arch.piece[5].at[0] == 0.0);
    cn_pieces_free(&arch);
}

CN_TEST(bad_arches_are_told)
{
    cn_pieces arch = {0};
    cn_arch_def def = make_round(10, 10.0, 25.0);
    CN_FAILS(cn_generate_arch(&def, &arch, &test_error), CN_BAD_INPUT, "no opening");
    def = make_round(2, 10.0, 1.0);
    CN_FAILS(cn_generate_arch(&def, &arch, &test_error), CN_BAD_INPUT, "at least 3");
    def = make_round(10, 10.0, 1.0);
    def.embrace = 2.0;
    CN_FAILS(cn_generate_arch(&def, &arch, &test_error), CN_BAD_INPUT,
             "semicircular arch takes no embrace");
    def.form = CN_ARCH_SEGMENTAL;
    def.embrace = NAN;
    CN_FAILS(cn_generate_arch(&def, &arch, &test_error), CN_BAD_INPUT, "needs embrace");
    def.embrace = 180.0;
    CN_FAILS(cn_generate_arch(&def, &arch, &test_error), CN_BAD_INPUT, "=pi");
    def = make_arch(CN_ARCH_POINTED, 11, 1.0);
    def.radius = 10.0;
    def.offset = 1.0;
    CN_FAILS(cn_generate_arch(&def, &arch, &test_error), CN_BAD_INPUT, "even number");
    def = make_arch(CN_ARCH_FLAT, 11, -0.3);
    CN_FAILS(cn_generate_arch(&def, &arch, &test_error), CN_BAD_INPUT, "thickness");
    CN_TRUE(arch.count == 0);
    cn_pieces_free(&arch);
}

CN_MAIN(CN_RUN(semicircle_has_the_exact_area_and_joints);
        CN_RUN(left_and_right_are_mirror_images_bit_for_bit); CN_RUN(abutments_support_the_ends);
        CN_RUN(segmental_arch_springs_from_zero); CN_RUN(pointed_arch_has_a_vertical_crown_joint);
        CN_RUN(pointed_arch_without_offset_is_round); CN_RUN(flat_arch_joints_meet_below);
        CN_RUN(bad_arches_are_told);)
