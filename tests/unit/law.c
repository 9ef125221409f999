// Laws as cores: shifts and compliances of each form, parameters by name.
#include "law/law.h"
#include "test.h"

static const cn_law_input input = {.h = 0.1, .theta = 0.5, .gamma = 0.5, .rows = 2, .gap = 0.02, .top = 0.02,
                                   .u_before = {-0.6, 0.3}, .size = 1.0};

static cn_core prepare(const cn_law_def *def, const cn_law_input *in, const double *state)
{
    static const double none[CN_LAW_STATE_MAX] = {0};
    cn_core core = {.kind = CN_CORE_FREE};
    cn_law_of(def->type)->prepare(def->param, state != NULL ? state : none, in, &core);
    return core;
}

// A contact that is a patch of its own.
static cn_law_input with_gap(double gap)
{
    cn_law_input in = input;
    in.gap = in.top = gap;
    in.floor = fmin(gap, 0.0);
    return in;
}

CN_TEST(coulomb_forms_give_their_shifts)
{
    const char *why = "one division";
    cn_law_def law = cn_law_coulomb(0.4, 0.0);
    CN_NEAR(prepare(&law, &input, NULL).b[0], 0.2, 1e-15, why);  // auto without restitution: gap / h
    cn_law_input inside = with_gap(-0.02);
    CN_NEAR(prepare(&law, &inside, NULL).b[0], 0.0, 0.0, "quasi-inelastic never pushes out");
    cn_law_input closed = with_gap(1e-12);
    CN_NEAR(prepare(&law, &closed, NULL).b[0], 0.0, 0.0, "a gap of rounding is closed");
    CN_DO(cn_law_set_word(&law, "form", "displacement", &test_error));
    CN_NEAR(prepare(&law, &inside, NULL).b[0], -0.2, 1e-15, why);
    CN_DO(cn_law_set_word(&law, "form", "displacement_end", &test_error));
    // gap at q is -0.02 + 0.03 = 0.01; (0.01 + 0.05 * -0.6) / 0.05
    CN_NEAR(prepare(&law, &inside, NULL).b[0], -0.4, 1e-15, why);
    law = cn_law_coulomb(0.4, 0.5);
    CN_TRUE(prepare(&law, &input, NULL).kind == CN_CORE_FREE);
    CN_NEAR(prepare(&law, &inside, NULL).b[0], -0.3, 1e-15, "e times the approach velocity");
    CN_DO(cn_law_set(&law, "restitution_tangential", 0.5, &test_error));
    CN_NEAR(prepare(&law, &inside, NULL).b[1], 0.15, 1e-15, why);
}

// Gaps 2, 1, -1, -2 of the corners of a square are affine over it, and so are the shifts.
CN_TEST(points_of_a_patch_close_down_to_the_deepest)
{
    cn_law_def law = cn_law_coulomb(0.4, 0.0);
    const double unit = 4e-6; // deepest: 0.8e-5 of the size
    const double gap[4] = {2.0 * unit, unit, -unit, -2.0 * unit};
    for (int k = 0; k < 4; k++) {
        cn_law_input in = with_gap(gap[k]);
        in.floor = gap[3];
        in.top = gap[0];
        CN_NEAR(prepare(&law, &in, NULL).b[0], (gap[k] - gap[3]) / 0.1, 1e-19, "one division");
        in.floor = -1e-2;
        CN_NEAR(prepare(&law, &in, NULL).b[0], (gap[k] + 1e-5) / 0.1, 1e-19, "at most 1e-5 down");
        in.floor = 0.0;
        in.top = 0.9e-11;
        CN_NEAR(prepare(&law, &in, NULL).b[0], 0.0, 0.0, "the whole patch is closed");
    }
}

CN_TEST(springs_give_compliance_and_mean_gap)
{
    cn_law_def law = cn_law_default("elastic");
    CN_DO(cn_law_set(&law, "stiffness", 50.0, &test_error));
    cn_core core = prepare(&law, &input, NULL);
    // theta = 1/2: c = 1/(k h^2/4), b = (g + h U/4)/(h/4) with g = 0.02 + 0.03.
    CN_NEAR(core.c[0], 8.0, 1e-12, "4/(50 0.01)");
    CN_NEAR(core.b[0], (0.05 - 0.015) / 0.025, 1e-13, "mean gap of the step");
    law = cn_law_default("viscoelastic");
    CN_DO(cn_law_set(&law, "stiffness", 50.0, &test_error));
    CN_DO(cn_law_set(&law, "damping", 2.0, &test_error));
    cn_law_input inside = input;
    inside.gap = -0.02;
    inside.theta = 1.0;
    inside.gamma = 0.0;
    core = prepare(&law, &inside, NULL);
    CN_NEAR(core.c[0], 1.0 / (0.1 * (5.0 + 2.0)), 1e-14, "1/(h (k h + eta))");
    CN_NEAR(core.b[0], 50.0 * -0.02 / 7.0, 1e-14, "k gap/(k h + eta)");
    CN_TRUE(prepare(&law, &input, NULL).kind == CN_CORE_FREE);
}

CN_TEST(glue_bonds_on_touching_and_pulls_back)
{
    cn_law_def law = cn_law_default("glue");
    cn_law_input touching = input;
    touching.gap = 0.0;
    CN_TRUE(prepare(&law, &input, NULL).kind == CN_CORE_CONE);
    CN_TRUE(prepare(&law, &touching, NULL).kind == CN_CORE_BILATERAL);
    const double bonded[CN_LAW_STATE_MAX] = {1.0, 0.01, 0.005};
    cn_core core = prepare(&law, &input, bonded);
    CN_NEAR(core.b[0], 0.1, 1e-15, "(gap - gap at bonding)/h");
    CN_NEAR(core.b[1], 0.05, 1e-15, "slip/h");
}

CN_TEST(parameters_are_checked_by_name_and_range)
{
    cn_law_def law = cn_law_default("coulomb");
    CN_FAILS(cn_law_set(&law, "fricton", 0.3, &test_error), CN_BAD_INPUT, "fricton");
    CN_FAILS(cn_law_set(&law, "friction", -0.3, &test_error), CN_BAD_INPUT, "-0.3");
    CN_FAILS(cn_law_set(&law, "restitution", NAN, &test_error), CN_BAD_INPUT, "restitution");
    CN_FAILS(cn_law_set_word(&law, "form", "soft", &test_error), CN_BAD_INPUT, "quasi_inelastic");
    CN_TRUE(cn_law_default("unheard").type == NULL);
    for (int k = 0; k < cn_law_type_count(); k++) {
        const cn_law_type *type = cn_law_type_at(k);
        CN_TRUE(cn_law_type_find(type->name) == type);
        CN_TRUE(type->param_count <= CN_LAW_PARAM_MAX && type->state_count <= CN_LAW_STATE_MAX);
    }
}

CN_MAIN(CN_RUN(coulomb_forms_give_their_shifts); CN_RUN(points_of_a_patch_close_down_to_the_deepest); CN_RUN(springs_give_compliance_and_mean_gap);
        CN_RUN(glue_bonds_on_touching_and_pulls_back);
        CN_RUN(parameters_are_checked_by_name_and_range);)
