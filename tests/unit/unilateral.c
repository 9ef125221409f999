// The normal row: shifts of each unilateral form, patches, and springs that give way.
#include "contact/unilateral.h"
#include "test.h"

// A contact that is a patch of its own.
static cn_approach with_gap(double gap)
{
    return (cn_approach){.h = 0.1,
                         .theta = 0.5,
                         .gamma = 0.5,
                         .gap = gap,
                         .U_n = -0.6,
                         .size = 1.0,
                         .patch = {.floor = fmin(gap, 0.0), .top = gap}};
}

static double shift(cn_form form, double e, const cn_approach *x)
{
    double b_n = NAN;
    CN_TRUE(cn_unilateral_shift(&(cn_normal){.form = form, .restitution = e}, x, &b_n));
    return b_n;
}

CN_TEST(forms_give_their_shifts)
{
    const char *why = "one division";
    cn_approach apart = with_gap(0.02), inside = with_gap(-0.02), closed = with_gap(1e-12);
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &apart), 0.2, 1e-15, why); // without restitution: gap / h
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &inside), 0.0, 0.0, "quasi-inelastic never pushes out");
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &closed), 0.0, 0.0, "a gap of rounding is closed");
    CN_NEAR(shift(CN_FORM_DISPLACEMENT, 0.0, &inside), -0.2, 1e-15, why);
    // gap at q is -0.02 + 0.03 = 0.01; (0.01 + 0.05 * -0.6) / 0.05
    CN_NEAR(shift(CN_FORM_DISPLACEMENT_END, 0.0, &inside), -0.4, 1e-15, why);
    CN_NEAR(shift(CN_FORM_AUTO, 0.5, &inside), -0.3, 1e-15, "e times the approach velocity");
    double b_n;
    const cn_normal bouncing = {.restitution = 0.5};
    CN_TRUE(!cn_unilateral_shift(&bouncing, &apart, &b_n));
}

// In a hollow a chord cuts into the wall by the arc, which is known and taken off (6.7).
CN_TEST(hollows_take_off_their_arc)
{
    cn_approach x = with_gap(0.02);
    x.is_concave = true;
    x.arc = 0.005;
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (0.02 - 0.005) / 0.1, 1e-15, "one division");
}

// In a tenth of a step depth is given back as in the whole step, while a gap is closed in the
// tenth.
CN_TEST(parts_of_a_step_give_depth_back_in_the_whole)
{
    cn_approach apart = with_gap(0.02), inside = with_gap(-0.02);
    apart.h_whole = inside.h_whole = 1.0;
    CN_NEAR(shift(CN_FORM_DISPLACEMENT, 0.0, &apart), 0.02 / 0.1, 1e-15, "one division");
    CN_NEAR(shift(CN_FORM_DISPLACEMENT, 0.0, &inside), -0.02 / 1.0, 1e-15, "one division");
    inside.is_concave = true;
    inside.arc = 0.005;
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &inside), -0.02 - 0.005 / 0.1, 1e-15, "the arc is its own");
}

// Gaps 2, 1, -1, -2 of the corners of a square are affine over it, and so are the shifts.
CN_TEST(points_of_a_patch_close_down_to_the_deepest)
{
    const double unit = 4e-6; // deepest: 0.8e-5 of the size
    const double gap[4] = {2.0 * unit, unit, -unit, -2.0 * unit};
    for (int k = 0; k < 4; k++) {
        cn_approach x = with_gap(gap[k]);
        x.patch = (cn_contact_patch){.is_shared = true, .floor = gap[3], .top = gap[0]};
        CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (gap[k] - gap[3]) / 0.1, 1e-19, "one division");
        x.patch.floor = -1e-2;
        CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (gap[k] + 1e-5) / 0.1, 1e-19, "at most 1e-5 down");
        x.patch.floor = 0.0;
        x.patch.top = 0.9e-11;
        CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), 0.0, 0.0, "the whole patch is closed");
    }
}

// Between rounding and twice as much the gap that may close grows from nothing to all of it: no
// jump, or joints at the limit would flicker.
CN_TEST(gaps_near_rounding_open_without_a_jump)
{
    const double rounding = 1e-10;
    const double open[4] = {1.0 + 1e-9, 1.5, 2.0, 3.0}, closing[4] = {2e-9, 1.0, 2.0, 3.0};
    for (int k = 0; k < 4; k++) {
        cn_approach x = with_gap(open[k] * rounding);
        CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), closing[k] * rounding / 0.1, 1e-7 * rounding / 0.1,
                "2 (gap - rounding), at most the gap; open - rounding cancels nine digits");
    }
}

// Glue bonds where surfaces touch, not where a point found ahead says that they may: that one is a
// cone at the shift of rigid surfaces. One that is bonded stays so.
CN_TEST(points_found_ahead_do_not_bond)
{
    int memory_of[2] = {-1, 0};
    const cn_contacts all_found = {.found = 2, .memory_of = memory_of};
    const cn_contacts none_found = {.found = 0, .memory_of = memory_of};
    const cn_law_entry glue = {0};
    const cn_law_input in = {.shift = 0.25};
    const cn_core bond = {.kind = CN_CORE_BILATERAL, .b = {0.5, 0.75, 1.0}};
    cn_core core = bond;
    CN_TRUE(!cn_unilateral_hold(&all_found, NULL, &glue, 0, &in, &core));
    CN_TRUE(memcmp(&core, &bond, sizeof core) == 0);
    CN_TRUE(!cn_unilateral_hold(&none_found, NULL, &glue, 1, &in, &core));
    CN_TRUE(memcmp(&core, &bond, sizeof core) == 0);
    CN_TRUE(!cn_unilateral_hold(&none_found, NULL, &glue, 0, &in, &core));
    CN_TRUE(core.kind == CN_CORE_CONE);
    CN_NEAR(core.b[0], 0.25, 0.0, "the shift of rigid surfaces");
    CN_NEAR(core.b[1], 0.75, 0.0, "as it was");
    CN_NEAR(core.b[2], 1.0, 0.0, "as it was");
}

// Whatever a law writes, a rigid cone asks for no more room than there is; springs may.
CN_TEST(rigid_cones_keep_to_the_shift)
{
    const cn_contacts c = {.found = 1};
    const cn_law_entry rigid = {0};
    const cn_law_input in = {.shift = 0.25};
    cn_core more = {.kind = CN_CORE_CONE, .b = {0.5}}, less = {.kind = CN_CORE_CONE, .b = {0.1}};
    cn_core soft = {.kind = CN_CORE_CONE, .b = {0.5}, .c = {1.0}};
    CN_TRUE(!cn_unilateral_hold(&c, NULL, &rigid, 0, &in, &more));
    CN_TRUE(!cn_unilateral_hold(&c, NULL, &rigid, 0, &in, &less));
    CN_TRUE(!cn_unilateral_hold(&c, NULL, &rigid, 0, &in, &soft));
    CN_NEAR(more.b[0], 0.25, 0.0, "the shift");
    CN_NEAR(less.b[0], 0.1, 0.0, "less may be asked for");
    CN_NEAR(soft.b[0], 0.5, 0.0, "compliant rows are not rigid");
}

CN_MAIN(CN_RUN(parts_of_a_step_give_depth_back_in_the_whole); CN_RUN(forms_give_their_shifts);
        CN_RUN(hollows_take_off_their_arc); CN_RUN(points_of_a_patch_close_down_to_the_deepest);
        CN_RUN(gaps_near_rounding_open_without_a_jump); CN_RUN(points_found_ahead_do_not_bond);
        CN_RUN(rigid_cones_keep_to_the_shift);)
