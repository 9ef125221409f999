// Laws as cores: friction, compliances and bonds, parameters by name.
#include "law/law.h"
#include "test.h"

static const cn_law_input input = {.h = 0.1,
                                   .theta = 0.5,
                                   .gamma = 0.5,
                                   .rows = 2,
                                   .gap = 0.02,
                                   .u_before = {-0.6, 0.3},
                                   .shift = 0.2,
                                   .is_met = true,
                                   .size = 1.0};

static cn_core prepare(const cn_law_def *def, const cn_law_input *in, const double *state)
{
    static const double none[CN_LAW_STATE_MAX] = {0};
    cn_core core = {.kind = CN_CORE_FREE};
    cn_law_of(def->type)->prepare(def->param, state != NULL ? state : none, in, &core);
    return core;
}

CN_TEST(coulomb_takes_the_shift_it_is_given)
{
    cn_law_def law = cn_law_coulomb(0.4, 0.5);
    CN_DO(cn_law_set(&law, "restitution_tangential", 0.5, &test_error));
    cn_core core = prepare(&law, &input, NULL);
    CN_TRUE(core.kind == CN_CORE_CONE);
    CN_NEAR(core.b[0], 0.2, 0.0, "geometry has the say");
    CN_NEAR(core.b[1], 0.15, 1e-15, "e_t times the velocity before");
    CN_NEAR(core.mu, 0.4, 0.0, "as set");
    cn_law_input apart = input;
    apart.is_met = false;
    CN_TRUE(prepare(&law, &apart, NULL).kind == CN_CORE_FREE);
}

// What has not slid yet is held by static friction (4.13); a step that slides is remembered.
CN_TEST(static_friction_ends_with_the_first_slip)
{
    cn_law_def law = cn_law_coulomb(0.4, 0.0);
    CN_DO(cn_law_set(&law, "friction_static", 0.6, &test_error));
    double state[CN_LAW_STATE_MAX] = {0};
    CN_NEAR(prepare(&law, &input, state).mu, 0.6, 0.0, "as set");
    cn_law_of(law.type)->commit(law.param, state, &input,
                                &(cn_law_output){.status = CN_STATUS_SLIDE}, state);
    CN_NEAR(prepare(&law, &input, state).mu, 0.4, 0.0, "as set");
    cn_law_of(law.type)->commit(law.param, state, &input,
                                &(cn_law_output){.status = CN_STATUS_STICK}, state);
    CN_NEAR(prepare(&law, &input, state).mu, 0.6, 0.0, "it stuck again");
}

// The conserving form asks the law of (u+ + u-)/2 along the surface as well: b_t = u_t-, whatever
// the restitution (11.10).
CN_TEST(conserving_form_takes_mean_velocities)
{
    cn_law_def law = cn_law_coulomb(0.4, 0.0);
    cn_law_input in = input;
    in.rows = 3;
    in.u_before[2] = -0.7;
    CN_DO(cn_law_set(&law, "restitution_tangential", 0.5, &test_error));
    CN_DO(cn_law_set_word(&law, "form", "conserving", &test_error));
    cn_core core = prepare(&law, &in, NULL);
    CN_NEAR(core.b[0], 0.2, 0.0, "geometry has the say");
    CN_NEAR(core.b[1], 0.3, 0.0, "the velocity before, to the bit");
    CN_NEAR(core.b[2], -0.7, 0.0, "along both tangents");
}

// With a forecast a spring acts where bodies are in each other at mid-step, and there alone.
CN_TEST(forecast_springs_wait_for_the_surface)
{
    cn_law_def law = cn_law_default("elastic");
    cn_law_input inside = input;
    inside.gap = -0.08; // from -0.05 on
    CN_DO(cn_law_set(&law, "stiffness", 50.0, &test_error));
    cn_core always = prepare(&law, &inside, NULL);
    CN_TRUE(prepare(&law, &input, NULL).kind == CN_CORE_CONE);
    CN_DO(cn_law_set_word(&law, "forecast", "yes", &test_error));
    CN_TRUE(prepare(&law, &input, NULL).kind == CN_CORE_FREE);
    cn_core core = prepare(&law, &inside, NULL);
    CN_TRUE(core.kind == CN_CORE_CONE);
    CN_NEAR(core.c[0], always.c[0], 0.0, "the same spring");
    CN_NEAR(core.b[0], always.b[0], 0.0, "the same spring");
    inside.gap = 0.0;
    CN_TRUE(prepare(&law, &inside, NULL).kind == CN_CORE_CONE);
}

// The way of input closes: from a gap of 0.02 + 0.03 to -0.01, a sixth of it in contact. With theta
// = 1/2 the tangent of f = k d^2/(2 way) is c = 1/(7.64 h^2/2), at the depth d of the velocity
// before.
CN_TEST(springs_give_compliance_and_mean_force)
{
    cn_law_def law = cn_law_default("elastic");
    CN_DO(cn_law_set(&law, "stiffness", 50.0, &test_error));
    cn_core core = prepare(&law, &input, NULL);
    double slope = 50.0 / 6.0 * (1.0 - 1.0 / 12.0), force = 25.0 / 6.0 * 0.01;
    CN_NEAR(core.c[0], 1.0 / (slope * 0.5 * 0.01), 1e-12, "the tangent of (4.901)");
    CN_NEAR(-0.6 + core.b[0] + core.c[0] * 0.1 * force, 0.0, 1e-13, "it touches the curve");
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
    core = prepare(&law, &input, NULL);
    force += 2.0 * 0.01 / 0.1;
    CN_NEAR(-0.6 + core.b[0] + core.c[0] * 0.1 * force, 0.0, 1e-13, "and eta depth/h (4.903)");
}

// Whatever way a contact goes, the mean force over it is what it stores over its length (4.20),
// and the tangent is the difference of two neighbours.
CN_TEST(springs_take_what_they_store)
{
    static const char *const type[] = {"elastic", "hertz", "crush"};
    static const double from[] = {-0.015, -0.015, -0.015, 0.03, 0.03, 0.0, 0.0};
    static const double to[] = {-0.05, -0.015, 0.04, -0.01, 0.01, -0.02, 0.02};
    for (int k = 0; k < 3 * 7; k++) {
        cn_law_def law = cn_law_default(type[k % 3]);
        if (k % 3 == 1) {
            CN_DO(cn_law_set(&law, "young", 1e3, &test_error));
        } else {
            CN_DO(cn_law_set(&law, "stiffness", 50.0, &test_error));
        }
        if (k % 3 == 2) {
            CN_DO(cn_law_set(&law, "stiffness_unloading", 80.0, &test_error));
        }
        const cn_law *of = cn_law_of(law.type);
        if (of->derive != NULL) {
            of->derive(law.param);
        }
        const double h = 0.1, U = -0.1, state[CN_LAW_STATE_MAX] = {k % 3 == 2 ? 0.0075 : 0.0};
        cn_law_input in = {.h = h, .theta = 0.5, .gamma = 0.0, .rows = 2, .u_before = {U}};
        in.gap = from[k / 3];
        in.size = 1.0;
        in.radius[0] = 0.5;
        double way = to[k / 3] - from[k / 3], u = 2.0 * way / h - U, r[3];
        cn_law_output out = {.u = {u}};
        cn_law_energy energy = {0};
        of->energy(law.param, state, &in, &out, &energy);
        for (int n = 0; n < 3; n++) { // the curve, and the tangent on both sides of it
            cn_core core = {0};
            cn_law_output near = {.u = {n == 0 ? u : u + (n - 1.5) * 2e-6}};
            of->refine(law.param, state, &in, &near, &core, NULL);
            CN_TRUE(core.kind == CN_CORE_CONE && core.c[0] > 0.0);
            r[n] = fmax(-(near.u[0] + core.b[0]) / core.c[0], 0.0);
        }
        cn_core core = {0};
        of->refine(law.param, state, &in, &out, &core, NULL);
        double work = -r[0] / h * way;
        CN_NEAR(work, energy.storage + energy.plastic, 1e-12, "rounding of numbers below 1 J");
        bool is_flat =
            r[0] < 1e-9; // the tangent is steeper there, and at a start of contact a kink
        if (!is_flat && from[k / 3] != 0.0) {
            CN_NEAR((r[1] - r[2]) / 2e-6 * core.c[0], 1.0, 1e-4, "second order of 1e-6 m/s");
        }
    }
}

// A step of any theta and gamma in a hollow: the impulse of (4.19), (4.22) on paper solves the
// core, r = -h (k g_theta + eta u_theta), and the energies are those of the gaps at both ends.
CN_TEST(springs_push_with_their_mean_gap)
{
    const double k = 50.0, h = 0.1, t = 0.7, U = -0.6, u = 0.25, tol = 1e-13;
    cn_law_input in = {.h = h, .theta = t, .gamma = 0.2, .rows = 2, .gap = -0.08, .u_before = {U}};
    in.curvature_gap = 0.003;
    double gap = -0.08 - 0.003 - 0.2 * h * U, u_mean = (1.0 - t) * U + t * u,
           end = gap + h * u_mean;
    double g_mean = (1.0 - t) * gap + t * end;
    for (int n = 0; n < 2; n++) {
        double eta = n == 0 ? 0.0 : 2.0, r = -h * (k * g_mean + eta * u_mean);
        cn_law_def law = cn_law_default(n == 0 ? "elastic" : "viscoelastic");
        CN_DO(cn_law_set(&law, "stiffness", k, &test_error));
        CN_DO(cn_law_set(&law, "friction", 0.3, &test_error));
        if (n == 1) {
            CN_DO(cn_law_set(&law, "damping", eta, &test_error));
        }
        cn_core core = prepare(&law, &in, NULL);
        CN_TRUE(core.kind == CN_CORE_CONE && core.mu == 0.3);
        CN_NEAR(u + core.b[0] + core.c[0] * r, 0.0, tol, "rounding of numbers near 1");
        CN_NEAR(core.b[1] + core.c[1], 0.0, 0.0, "nothing along the surface");
        cn_normal normal = cn_law_of(law.type)->normal(law.param);
        CN_TRUE(normal.stiffness == k && normal.restitution == 0.0);
        for (int acts = 0; acts < 2; acts++) {
            cn_law_energy energy = {0};
            cn_law_output out = {.r = {acts ? r : 0.0}, .u = {u}};
            cn_law_of(law.type)->energy(law.param, NULL, &in, &out, &energy);
            CN_NEAR(energy.storage, 0.5 * k * (end * end - gap * gap), tol, "rounding");
            CN_NEAR(energy.viscous, acts ? h * eta * u_mean * u_mean : 0.0, tol, "rounding");
        }
        cn_law_energy energy = {0};
        cn_law_output leaves = {.r = {0.0}, .u = {5.0}}; // gap 0.264 at the end
        cn_law_of(law.type)->energy(law.param, NULL, &in, &leaves, &energy);
        CN_NEAR(energy.storage, -0.5 * k * gap * gap, tol, "an open spring stores nothing");
    }
}

CN_TEST(glue_bonds_on_touching_and_pulls_back)
{
    cn_law_def law = cn_law_default("glue");
    cn_law_input touching = input;
    touching.gap = 0.0;
    CN_TRUE(prepare(&law, &input, NULL).kind == CN_CORE_CONE);
    CN_NEAR(prepare(&law, &input, NULL).b[0], 0.2, 1e-15, "the gap may close: gap/h");
    CN_NEAR(prepare(&law, &input, NULL).b[1], 0.0, 0.0, "and nothing is asked along it");
    CN_TRUE(prepare(&law, &touching, NULL).kind == CN_CORE_BILATERAL);
    CN_NEAR(prepare(&law, &touching, NULL).b[0], 0.0, 0.0, "it stays where it touches");
    const double bonded[CN_LAW_STATE_MAX] = {1.0, 0.01, 0.005};
    cn_core core = prepare(&law, &input, bonded);
    CN_NEAR(core.b[0], 0.1, 1e-15, "(gap - gap at bonding)/h");
    CN_NEAR(core.b[1], 0.05, 1e-15, "slip/h");
}

// A solve that stops early leaves a slip velocity u. Its way h u is kept along both tangents and
// asked back in the next step; the gap remains that of bonding.
CN_TEST(glue_forgets_no_slip)
{
    cn_law_def law = cn_law_default("glue");
    const cn_law *glue = cn_law_of(law.type);
    cn_law_input in = input;
    in.rows = 3;
    in.gap = 1e-7;
    cn_law_output out = {.u = {0.0, 0.02, -0.03}, .status = CN_STATUS_JOINED};
    double first[CN_LAW_STATE_MAX] = {0}, state[CN_LAW_STATE_MAX] = {0};
    glue->commit(law.param, state, &in, &out, first); // bonds in this step
    in.gap = 2e-7;
    glue->commit(law.param, first, &in, &out, state);
    const char *why = "products and sums of two numbers";
    CN_NEAR(state[0], 1.0, 0.0, "bonded");
    CN_NEAR(state[1], 1e-7, 0.0, "the gap of the step that bonded");
    CN_NEAR(state[2], 2.0 * 0.1 * 0.02, 1e-17, why);
    CN_NEAR(state[3], 2.0 * 0.1 * -0.03, 1e-17, why);
    cn_core core = prepare(&law, &in, state);
    CN_NEAR(core.b[0], 1e-7 / 0.1, 1e-18, "one division");
    CN_NEAR(core.b[1], 0.04, 1e-16, why);
    CN_NEAR(core.b[2], -0.06, 1e-16, why);
    out.status = CN_STATUS_SLIDE; // met, but not bonded yet
    double none[CN_LAW_STATE_MAX] = {0};
    glue->commit(law.param, none, &in, &out, none);
    CN_NEAR(none[0] + fabs(none[2]), 0.0, 0.0, "no bond, no memory");
}

CN_TEST(parameters_are_checked_by_name_and_range)
{
    cn_law_def law = cn_law_default("coulomb");
    CN_FAILS(cn_law_set(&law, "fricton", 0.3, &test_error), CN_BAD_INPUT, "fricton");
    CN_FAILS(cn_law_set(&law, "friction", -0.3, &test_error), CN_BAD_INPUT, "-0.3");
    CN_FAILS(cn_law_set(&law, "restitution", NAN, &test_error), CN_BAD_INPUT, "restitution");
    CN_FAILS(cn_law_set_word(&law, "form", "soft", &test_error), CN_BAD_INPUT, "quasi_inelastic");
    const char *form[CN_FORM_COUNT] = {
        "auto",       "velocity", "displacement", "displacement_end", "quasi_inelastic",
        "conserving", "ahead"};
    for (int k = 0; k < CN_FORM_COUNT; k++) {
        CN_DO(cn_law_set_word(&law, "form", form[k], &test_error));
        CN_TRUE(cn_law_of(law.type)->normal(law.param).form == (cn_form)k);
    }
    CN_FAILS(cn_law_set_word(&law, "form", "velo", &test_error), CN_BAD_INPUT, "'velo'");
    CN_FAILS(cn_law_set_word(&law, "friction", "much", &test_error), CN_BAD_INPUT, "(a number)");
    CN_DO(cn_law_set(&law, "restitution_tangential", -1.0, &test_error));
    CN_DO(cn_law_set(&law, "restitution", 1.0, &test_error));
    CN_FAILS(cn_law_set(&law, "restitution", 1.01, &test_error), CN_BAD_INPUT, "in [0, 1]");
    CN_TRUE(law.param[2] == 1.0 && law.param[3] == -1.0);
    CN_TRUE(cn_law_default("unheard").type == NULL);
    CN_TRUE(cn_law_type_at(-1) == NULL && cn_law_type_at(cn_law_type_count()) == NULL);
    for (int k = 0; k < cn_law_type_count(); k++) {
        const cn_law_type *type = cn_law_type_at(k);
        CN_TRUE(cn_law_type_find(type->name) == type);
        CN_TRUE(type->param_count <= CN_LAW_PARAM_MAX && type->state_count <= CN_LAW_STATE_MAX);
        law = cn_law_default(type->name);
        for (int p = 0; p < type->param_count; p++) {
            double fallback = type->param[p].fallback;
            CN_TRUE(law.param[p] == fallback || (isnan(law.param[p]) && isnan(fallback)));
        }
        for (int p = type->param_count; p < CN_LAW_PARAM_MAX; p++) {
            CN_NEAR(law.param[p], 0.0, 0.0, "not its own");
        }
    }
}

// A contact keeps the moment of its law from step to step only if there is resistance to rolling or
// spinning, however little.
CN_TEST(moments_are_states_of_laws_that_have_them)
{
    for (int k = 0; k < 4; k++) {
        cn_law_def law = cn_law_coulomb(0.4, 0.0);
        double rolling = k & 1 ? 0.1 : 0.0, spinning = k & 2 ? 0.2 : 0.0;
        CN_DO(cn_law_set(&law, "rolling", rolling, &test_error));
        CN_DO(cn_law_set(&law, "spinning", spinning, &test_error));
        cn_law_entry entry = cn_law_entry_make(cn_law_of(law.type), law.param);
        CN_TRUE(entry.type.state_count == law.type->state_count + (k > 0 ? 3 : 0));
        CN_TRUE(entry.rolling == rolling && entry.spinning == spinning);
        CN_TRUE(cn_law_moment_rows(&entry, 2, false) == (k & 1));
        CN_TRUE(cn_law_moment_rows(&entry, 3, false) == (k & 1 ? 2 : 0) + (k & 2 ? 1 : 0));
    }
}

CN_MAIN(CN_RUN(coulomb_takes_the_shift_it_is_given);
        CN_RUN(static_friction_ends_with_the_first_slip);
        CN_RUN(conserving_form_takes_mean_velocities);
        CN_RUN(forecast_springs_wait_for_the_surface);
        CN_RUN(springs_give_compliance_and_mean_force); CN_RUN(springs_take_what_they_store);
        CN_RUN(springs_push_with_their_mean_gap); CN_RUN(glue_bonds_on_touching_and_pulls_back);
        CN_RUN(glue_forgets_no_slip); CN_RUN(parameters_are_checked_by_name_and_range);
        CN_RUN(moments_are_states_of_laws_that_have_them);)
