// fem/material/orthotropic.c -- linear elasticity with three axes of its own (theory 10.19).
#include <math.h>
#include <string.h>

#include "fem/material/material.h"
#include "math/tensor.h"

// Compliance of the normal strains.
static void normal_compliance(const cn_material_def *def, double S[9])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        S[4 * i] = 1.0 / def->young_axis[i];
        S[3 * i + j] = S[3 * j + i] = -def->poisson_axis[i] / def->young_axis[i];
    }
}

static cn_status check(const cn_material_def *def, cn_error *err)
{
    for (int i = 0; i < 3; i++) {
        if (!(def->young_axis[i] > 0.0 && def->shear_axis[i] > 0.0)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "young_axis and shear_axis must be > 0 Pa, got %g and %g for axis %d",
                           def->young_axis[i], def->shear_axis[i], i + 1);
        }
    }
    double S[9];
    normal_compliance(def, S);
    double minor = S[0] * S[4] - S[1] * S[3];
    if (!(minor > 0.0 && cn_tensor_det(S) > 0.0 && isfinite(def->axis_angle))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "poisson_axis %g %g %g with young_axis %g %g %g Pa would give energy away: "
                       "the compliance is not positive definite, use smaller ratios",
                       def->poisson_axis[0], def->poisson_axis[1], def->poisson_axis[2],
                       def->young_axis[0], def->young_axis[1], def->young_axis[2]);
    }
    return CN_OK;
}

// Stiffness in the axes of the material, then turned about z.
static void prepare(cn_material *m)
{
    double S[9], stiffness[9], own[36] = {0.0}, T[36];
    normal_compliance(&m->def, S);
    cn_tensor_inverse(S, stiffness);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            own[6 * i + j] = stiffness[3 * i + j];
        }
        own[6 * (3 + i) + 3 + i] = m->def.shear_axis[i];
    }
    double c = cos(m->def.axis_angle), s = sin(m->def.axis_angle);
    const double Q[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0}; // columns: axes of the material
    cn_tensor_strain_map(Q, T);
    cn_tensor_tangent_turn(T, own, m->D);
}

const cn_material_type cn_material_orthotropic = {.name = "orthotropic",
                                                  .is_linear = true,
                                                  .check = check,
                                                  .prepare = prepare,
                                                  .respond = cn_material_respond_linear};
