// tests/unit/material.c -- every material of the table: tangent by differences, stress as the slope
// of the energy, one curve known on paper.
#include "fem/material/material.h"
#include "math/tensor.h"
#include "test.h"

// Parameters of order one for each model.
static cn_material_def make_def(cn_material_model model, cn_kinematics kinematics)
{
    cn_material_def m = cn_material_def_default();
    m.model = model;
    m.kinematics = kinematics;
    m.density = 1.0;
    m.young = 2.0;
    m.poisson = 0.3;
    for (int k = 0; k < 3; k++) {
        m.young_axis[k] = 1.0 + k;
        m.poisson_axis[k] = 0.1 + 0.05 * k;
        m.shear_axis[k] = 0.4 + 0.2 * k;
    }
    m.axis_angle = 0.6;
    m.mooney_c10 = 0.3;
    m.mooney_c01 = 0.1;
    m.bulk = 2.0;
    m.blatz_share = 0.25;
    m.yield = 0.01;
    m.hardening = 0.05;
    m.hardening_kinematic = 0.1;
    m.swift_strain = 0.02;
    m.swift_power = 0.4;
    return m;
}

static cn_material make(const cn_material_def *def, bool is_plane_stress)
{
    cn_material m = {0};
    CN_DO(cn_material_create(def, 0, is_plane_stress, &m, &test_error));
    return m;
}

static const double some_strain[6] = {0.08, -0.03, 0.05, 0.06, -0.04, 0.09};

// State after a step to another strain, so that histories take part.
static void prestrain(const cn_material *m, double *state)
{
    static const double strain[6] = {-0.03, 0.04, 0.02, 0.05, 0.03, -0.02};
    const double virgin[CN_MATERIAL_STATE_MAX] = {0.0};
    cn_response r;
    CN_TRUE(cn_material_respond(m, strain, virgin, state, &r));
}

// Tangent and stress against differences; elastic energies also against their slope.
static void check_differences(const cn_material_def *def, bool is_plane_stress)
{
    cn_material m = make(def, is_plane_stress);
    double old[CN_MATERIAL_STATE_MAX] = {0.0}, state[CN_MATERIAL_STATE_MAX], e[6];
    prestrain(&m, old);
    cn_response at, up, down;
    memcpy(e, some_strain, sizeof e);
    CN_TRUE(cn_material_respond(&m, e, old, state, &at));
    const double h = 1e-6, scale = 1e-6 * m.D[0];
    for (int q = 0; q < 6; q++) {
        if (is_plane_stress && (q == 2 || q > 3)) {
            continue;
        }
        e[q] = some_strain[q] + h;
        CN_TRUE(cn_material_respond(&m, e, old, state, &up));
        e[q] = some_strain[q] - h;
        CN_TRUE(cn_material_respond(&m, e, old, state, &down));
        e[q] = some_strain[q];
        for (int p = 0; p < 6; p++) {
            double slope = (up.stress[p] - down.stress[p]) / (2.0 * h);
            CN_NEAR(at.tangent[6 * p + q], slope, scale, "central difference");
            CN_NEAR(at.tangent[6 * p + q], at.tangent[6 * q + p], 1e-13, "symmetric");
        }
        if (m.state_count == 0) {
            double slope = (up.stored - down.stored) / (2.0 * h);
            CN_NEAR(at.stress[q], slope, scale, "central difference");
        } else {
            CN_TRUE(at.plastic > 0.0);
        }
    }
}

CN_TEST(tangents_agree_with_differences)
{
    for (int model = 0; model < CN_MATERIAL_COUNT; model++) {
        for (int k = CN_SMALL; k <= CN_TOTAL_LAGRANGE; k += 2) {
            cn_material_def def = make_def((cn_material_model)model, (cn_kinematics)k);
            check_differences(&def, false);
            check_differences(&def, true);
        }
    }
}

// Every model is linear elasticity near rest, with the moduli it is given.
CN_TEST(small_strains_give_hooke)
{
    for (int model = 0; model < CN_MATERIAL_COUNT; model++) {
        cn_material_def def = make_def((cn_material_model)model, CN_TOTAL_LAGRANGE);
        cn_material m = make(&def, false);
        for (int k = 0; k < 36; k++) {
            CN_NEAR(m.D_rest[k], m.D[k], 1e-14, "rounding");
        }
    }
}

// Stretch along x with free sides: lateral stretch by Newton's method on the lateral stress.
// Returns S_xx; *lateral is in and out.
static double pull(const cn_material *m, double E, const double *old, double *state,
                   double *lateral, cn_response *r)
{
    for (int k = 0; k < 100; k++) {
        const double strain[6] = {E, *lateral, *lateral, 0.0, 0.0, 0.0};
        CN_TRUE(cn_material_respond(m, strain, old, state, r));
        *lateral -= r->stress[1] / (r->tangent[7] + r->tangent[8]);
    }
    return r->stress[0];
}

CN_TEST(linear_bar_obeys_hooke)
{
    cn_material_def def = make_def(CN_MATERIAL_LINEAR, CN_SMALL);
    cn_material m = make(&def, false);
    double lateral = 0.0;
    cn_response r;
    CN_NEAR(pull(&m, 0.01, NULL, NULL, &lateral, &r), 0.02, 1e-16, "young times strain");
    CN_NEAR(lateral, -0.003, 1e-16, "poisson");
}

CN_TEST(orthotropic_bar_has_three_moduli)
{
    cn_material_def def = make_def(CN_MATERIAL_ORTHOTROPIC, CN_SMALL);
    def.axis_angle = 0.5 * CN_PI; // axis 1 is y, axis 2 is -x
    cn_material m = make(&def, false);
    // Pull along y: sigma = E_1 e, and strain -nu_12 e along x, -nu_31 E_1/E_3 e along z.
    const double e = 0.01;
    const double strain[6] = {-0.1 * e, e, -0.2 / 3.0 * e, 0.0, 0.0, 0.0};
    cn_response r;
    CN_TRUE(cn_material_respond(&m, strain, NULL, NULL, &r));
    CN_NEAR(r.stress[1], e, 1e-16, "young_axis[0] times strain");
    CN_NEAR(fabs(r.stress[0]) + fabs(r.stress[2]), 0.0, 1e-16, "free sides");
}

CN_TEST(saint_venant_in_uniaxial_strain)
{
    cn_material_def def = make_def(CN_MATERIAL_SAINT_VENANT, CN_SMALL);
    cn_material m = make(&def, false);
    const double stretch = 1.4, E = 0.5 * (stretch * stretch - 1.0);
    const double strain[6] = {E, 0.0, 0.0, 0.0, 0.0, 0.0};
    cn_response r;
    CN_TRUE(m.kinematics == CN_TOTAL_LAGRANGE && cn_material_respond(&m, strain, NULL, NULL, &r));
    CN_NEAR(r.stress[0], (m.lambda + 2.0 * m.shear) * E, 1e-15, "linear in E");
}

// Cauchy shear stress in simple shear by gamma: F S F^T/J.
static double simple_shear(const cn_material *m, double gamma)
{
    const double F[9] = {1.0, gamma, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double strain[6] = {0.0, 0.5 * gamma * gamma, 0.0, gamma, 0.0, 0.0};
    cn_response r;
    double S[9], sigma[9];
    CN_TRUE(cn_material_respond(m, strain, NULL, NULL, &r));
    cn_tensor_full(r.stress, 1.0, S);
    cn_tensor_turn(F, S, sigma);
    return sigma[1];
}

CN_TEST(rubbers_in_simple_shear)
{
    cn_material_def def = make_def(CN_MATERIAL_NEO_HOOKEAN, CN_SMALL);
    cn_material m = make(&def, false);
    CN_NEAR(simple_shear(&m, 0.7), 0.7 * m.shear, 1e-15, "linear in gamma");
    def.model = CN_MATERIAL_MOONEY_RIVLIN;
    m = make(&def, false);
    CN_NEAR(simple_shear(&m, 0.7), 0.7 * 2.0 * (0.3 + 0.1), 1e-15, "linear in gamma");
    def.model = CN_MATERIAL_BLATZ_KO;
    m = make(&def, false);
    CN_NEAR(simple_shear(&m, 0.7), 0.7 * m.shear, 1e-15, "linear in gamma, whatever the share");
}

// W = mu/2 (I2/I3 + 2 J - 5): free sides give lateral stretch l^-1/4 and force mu (l^-1/2 - l^-3).
CN_TEST(foam_rubber_in_tension)
{
    cn_material_def def = make_def(CN_MATERIAL_BLATZ_KO, CN_SMALL);
    def.poisson = 0.25;
    def.blatz_share = 0.0;
    cn_material m = make(&def, false);
    const double stretch = 2.0;
    double lateral = 0.5 * (pow(stretch, -0.4) - 1.0);
    cn_response r;
    double S = pull(&m, 0.5 * (stretch * stretch - 1.0), NULL, NULL, &lateral, &r);
    CN_NEAR(sqrt(1.0 + 2.0 * lateral), pow(stretch, -0.25), 1e-13, "Newton to rounding");
    CN_NEAR(stretch * S, m.shear * (pow(stretch, -0.5) - pow(stretch, -3.0)), 1e-13,
            "Newton to rounding");
}

// A steel bar: elastic, then with slope E H/(E + H); back, yield comes at 2 yield_0 less (only
// kinematic hardening) or at the same size (only isotropic).
CN_TEST(plastic_bar_and_its_reversal)
{
    for (int kinematic = 0; kinematic < 2; kinematic++) {
        cn_material_def def = make_def(CN_MATERIAL_J2, CN_SMALL);
        def.swift_strain = def.swift_power = 0.0;
        def.hardening = kinematic ? 0.0 : 0.1;
        def.hardening_kinematic = kinematic ? 0.1 : 0.0;
        cn_material m = make(&def, false);
        double old[7] = {0.0}, state[7], lateral = 0.0;
        cn_response r;
        double slope = 2.0 * 0.1 / 2.1, top = 0.01 + slope * (0.02 - 0.005);
        CN_NEAR(pull(&m, 0.004, old, state, &lateral, &r), 0.008, 1e-15, "elastic");
        CN_NEAR(pull(&m, 0.02, old, state, &lateral, &r), top, 1e-15, "one step is exact");
        CN_NEAR(state[6], 0.02 - 0.5 * top, 1e-15, "strain less elastic strain");
        CN_NEAR(r.plastic, kinematic ? 0.01 * state[6] : top * state[6], 1e-15, "yield x strain");
        memcpy(old, state, sizeof old);
        double range = kinematic ? 0.02 : 2.0 * top;
        double back = 0.02 - 0.5 * range - 0.01;
        double end = top - range - slope * 0.01;
        CN_NEAR(pull(&m, back, old, state, &lateral, &r), end, 1e-15, "yields on the way back");
    }
}

CN_TEST(swift_curve)
{
    cn_material_def def = make_def(CN_MATERIAL_J2, CN_SMALL);
    def.hardening = def.hardening_kinematic = 0.0;
    cn_material m = make(&def, false);
    const double old[7] = {0.0};
    double state[7], lateral = 0.0;
    cn_response r;
    double stress = pull(&m, 0.3, old, state, &lateral, &r);
    CN_NEAR(stress, 0.01 * pow(1.0 + state[6] / 0.02, 0.4), 1e-15, "on the yield curve");
    CN_NEAR(state[6], 0.3 - stress / 2.0, 1e-15, "the rest is elastic");
}

// Finite strain: true stress over logarithmic strain is the curve of small strain, J sigma = T, and
// large flow keeps its volume.
CN_TEST(plastic_bar_at_large_strain)
{
    cn_material_def def = make_def(CN_MATERIAL_J2, CN_TOTAL_LAGRANGE);
    def.swift_strain = def.swift_power = 0.0;
    cn_material m = make(&def, false);
    double old[16] = {0.0}, state[16], lateral = 0.0;
    cn_response r;
    for (int k = 1; k <= 10; k++) {
        double log_strain = 0.08 * k, E = 0.5 * (exp(2.0 * log_strain) - 1.0);
        lateral = 0.5 * (exp(-log_strain) - 1.0);
        double S = pull(&m, E, old, state, &lateral, &r);
        double tau = exp(2.0 * log_strain) * S; // F S F^T
        double H = 0.05 + 0.1, exact = 0.01 + 2.0 * H / (2.0 + H) * (log_strain - 0.005);
        CN_NEAR(tau, exact, 1e-13, "coaxial: logarithmic strains add up exactly");
        memcpy(old, state, sizeof old);
    }
    double Fpi[9];
    for (int k = 0; k < 9; k++) {
        Fpi[k] = state[7 + k] + (k % 4 == 0 ? 1.0 : 0.0);
    }
    CN_NEAR(cn_tensor_det(Fpi), 1.0, 1e-14, "plastic flow keeps the volume");
}

// Equal principal stretches, and nearly equal ones, have the same tangent.
CN_TEST(equal_stretches_need_no_care)
{
    cn_material_def def = make_def(CN_MATERIAL_J2, CN_TOTAL_LAGRANGE);
    def.yield = 100.0;
    cn_material m = make(&def, false);
    const double old[16] = {0.0}, equal[6] = {0.3, 0.3, 0.3, 0.0, 0.0, 0.0};
    double state[16];
    cn_response r, near;
    CN_TRUE(cn_material_respond(&m, equal, old, state, &r));
    for (int k = 0; k < 4; k++) {
        double off = pow(10.0, -4 - 3 * k);
        const double close[6] = {0.3 + off, 0.3 - off, 0.3, 0.0, 0.5 * off, 0.0};
        CN_TRUE(cn_material_respond(&m, close, old, state, &near));
        for (int p = 0; p < 36; p++) {
            CN_NEAR(near.tangent[p], r.tangent[p], 20.0 * off + 1e-13, "tangent is smooth");
        }
    }
}

CN_TEST(bad_parameters_are_named)
{
    cn_material m;
    cn_material_def def = make_def(CN_MATERIAL_ORTHOTROPIC, CN_SMALL);
    def.poisson_axis[0] = 1.5;
    CN_FAILS(cn_material_create(&def, 3, false, &m, &test_error), CN_BAD_INPUT, "material 3:");
    def = make_def(CN_MATERIAL_J2, CN_SMALL);
    def.yield = 0.0;
    CN_FAILS(cn_material_create(&def, 0, false, &m, &test_error), CN_BAD_INPUT, "yield");
    def = make_def(CN_MATERIAL_MOONEY_RIVLIN, CN_SMALL);
    def.bulk = 0.0;
    CN_FAILS(cn_material_create(&def, 0, false, &m, &test_error), CN_BAD_INPUT, "bulk");
    def = make_def(CN_MATERIAL_BLATZ_KO, CN_SMALL);
    def.blatz_share = 2.0;
    CN_FAILS(cn_material_create(&def, 0, false, &m, &test_error), CN_BAD_INPUT, "blatz_share");
    def = make_def(CN_MATERIAL_LINEAR, CN_SMALL);
    def.young = NAN;
    CN_FAILS(cn_material_create(&def, 0, false, &m, &test_error), CN_BAD_INPUT, "young");
    for (int k = 0; k < CN_MATERIAL_COUNT; k++) {
        CN_TRUE(cn_material_find(cn_material_name((cn_material_model)k)) == (cn_material_model)k);
    }
    CN_TRUE(cn_material_find("cheese") == CN_MATERIAL_COUNT);
}

CN_MAIN(CN_RUN(tangents_agree_with_differences); CN_RUN(small_strains_give_hooke);
        CN_RUN(linear_bar_obeys_hooke); CN_RUN(orthotropic_bar_has_three_moduli);
        CN_RUN(saint_venant_in_uniaxial_strain); CN_RUN(rubbers_in_simple_shear);
        CN_RUN(foam_rubber_in_tension); CN_RUN(plastic_bar_and_its_reversal); CN_RUN(swift_curve);
        CN_RUN(plastic_bar_at_large_strain); CN_RUN(equal_stretches_need_no_care);
        CN_RUN(bad_parameters_are_named);)
