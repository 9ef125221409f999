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

// In a hollow a chord cuts into the wall by the arc, which is known and taken off (4.46).
CN_TEST(hollows_take_off_their_arc)
{
    cn_approach x = with_gap(0.02);
    x.is_concave = true;
    x.arc = 0.005;
    CN_NEAR(shift(CN_FORM_AUTO, 0.0, &x), (0.02 - 0.005) / 0.1, 1e-15, "one division");
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

CN_MAIN(CN_RUN(forms_give_their_shifts); CN_RUN(hollows_take_off_their_arc);
        CN_RUN(points_of_a_patch_close_down_to_the_deepest);)
