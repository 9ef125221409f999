// fem/material/j2.c -- von Mises plasticity with isotropic (linear, Swift) and kinematic hardening,
// one implicit step (theory 10.23 to 10.26). State: plastic strain (6, shears doubled), equivalent
// plastic strain.
#include <math.h>
#include <string.h>

#include "fem/material/material.h"

#define ROOT_3_2 1.22474487139158904910 // sqrt(3/2)

static cn_status check(const cn_material_def *def, cn_error *err)
{
    if (!(def->yield > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "yield is %g Pa, it must be > 0", def->yield);
    }
    if (!(def->hardening >= 0.0 && def->hardening_kinematic >= 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "hardening moduli must be >= 0 Pa (softening has no unique answer), got %g "
                       "and %g",
                       def->hardening, def->hardening_kinematic);
    }
    bool has_swift = def->swift_strain != 0.0 || def->swift_power != 0.0;
    if (has_swift &&
        !(def->swift_strain > 0.0 && def->swift_power >= 0.0 && def->swift_power <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "Swift hardening needs swift_strain > 0 and swift_power in [0, 1], got %g "
                       "and %g",
                       def->swift_strain, def->swift_power);
    }
    return cn_material_check_isotropic(def, err);
}

// (10.24) and its slope.
static double yield_stress(const cn_material_def *def, double alpha, double *slope)
{
    double stress = def->yield, rise = 0.0;
    if (def->swift_strain > 0.0) {
        double base = 1.0 + alpha / def->swift_strain;
        stress = def->yield * pow(base, def->swift_power);
        rise = stress * def->swift_power / (base * def->swift_strain);
    }
    *slope = rise + def->hardening;
    return stress + def->hardening * alpha;
}

// (10.25): the function falls and is convex in the step, so Newton from 0 never passes the root.
static double plastic_step(const cn_material *m, double trial, double alpha)
{
    double stiffness = 3.0 * m->shear + m->def.hardening_kinematic, step = 0.0;
    for (int k = 0; k < 50; k++) {
        double slope, rest = trial - stiffness * step;
        rest -= yield_stress(&m->def, alpha + step, &slope);
        double change = rest / (stiffness + slope);
        step += change;
        if (!(fabs(change) > 1e-14 * step)) {
            break;
        }
    }
    return step;
}

// Subtracts the mean of the normal components.
static void take_deviator(double s[6])
{
    double mean = (s[0] + s[1] + s[2]) / 3.0;
    for (int k = 0; k < 3; k++) {
        s[k] -= mean;
    }
}

static double tensor_norm(const double s[6])
{
    return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] +
                2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

// (10.26) from the elastic tangent: what the step takes off.
static void soften(const cn_material *m, double size, double step, double slope, const double n[6],
                   cn_response *out)
{
    double mu = m->shear;
    double turn = sqrt(6.0) * mu * step / size;
    double hard = 3.0 * mu / (3.0 * mu + m->def.hardening_kinematic + slope);
    for (int p = 0; p < 6; p++) {
        for (int q = 0; q < 6; q++) {
            double unit = p != q ? 0.0 : p < 3 ? 1.0 : 0.5;
            double dev = unit - (p < 3 && q < 3 ? 1.0 / 3.0 : 0.0);
            out->tangent[6 * p + q] -= 2.0 * mu * (turn * dev + (hard - turn) * n[p] * n[q]);
        }
    }
}

// Elastic energy and that of the back stress: 1/2 back : plastic strain.
static double stored_energy(const cn_material *m, const double elastic[6], const double stress[6],
                            const double plastic[6])
{
    double sum = 0.0, norm = 0.0;
    for (int k = 0; k < 6; k++) {
        sum += 0.5 * stress[k] * elastic[k];
        norm += plastic[k] * plastic[k] * (k < 3 ? 1.0 : 0.5);
    }
    return sum + m->def.hardening_kinematic / 3.0 * norm;
}

static bool respond(const cn_material *m, const double strain[6], const double *old, double *new_,
                    cn_response *out)
{
    double elastic[6], xi[6], slope, alpha = old[6];
    for (int k = 0; k < 6; k++) {
        elastic[k] = strain[k] - old[k];
    }
    cn_material_respond_linear(m, elastic, NULL, NULL, out);
    memcpy(xi, out->stress, sizeof xi);
    take_deviator(xi);
    for (int k = 0; k < 6; k++) {
        xi[k] -= 2.0 / 3.0 * m->def.hardening_kinematic * old[k] * (k < 3 ? 1.0 : 0.5);
    }
    double size = tensor_norm(xi), step = 0.0;
    double limit = yield_stress(&m->def, alpha, &slope);
    memcpy(new_, old, 7 * sizeof *new_);
    if (!(size > 0.0) || ROOT_3_2 * size <= limit) {
        out->stored = stored_energy(m, elastic, out->stress, new_);
        return isfinite(size);
    }
    step = plastic_step(m, ROOT_3_2 * size, alpha);
    double n[6];
    for (int k = 0; k < 6; k++) {
        n[k] = xi[k] / size;
        double change = ROOT_3_2 * step * n[k];
        out->stress[k] -= 2.0 * m->shear * change;
        new_[k] += change * (k < 3 ? 1.0 : 2.0);
        elastic[k] = strain[k] - new_[k];
    }
    new_[6] = alpha + step;
    out->plastic = yield_stress(&m->def, new_[6], &slope) * step;
    soften(m, size, step, slope, n, out);
    out->stored = stored_energy(m, elastic, out->stress, new_);
    return isfinite(step);
}

const cn_material_type cn_material_j2 = {.name = "j2",
                                         .is_log = true,
                                         .state_count = 7,
                                         .check = check,
                                         .prepare = cn_material_prepare_isotropic,
                                         .respond = respond};
