// fem/material/linear_elastic.c -- linear isotropic elasticity (theory 10.15); with Green-Lagrange
// strains it is the material of Saint-Venant and Kirchhoff (10.18).
#include <string.h>

#include "fem/material/material.h"

cn_status cn_material_check_isotropic(const cn_material_def *def, cn_error *err)
{
    if (!(def->young > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "young is %g Pa, it must be > 0", def->young);
    }
    if (!(def->poisson > -1.0 && def->poisson < 0.5)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "poisson is %g, it must be above -1 and below 0.5 (0.499 is nearly "
                       "incompressible)",
                       def->poisson);
    }
    return CN_OK;
}

void cn_material_prepare_isotropic(cn_material *m)
{
    double E = m->def.young, nu = m->def.poisson;
    m->lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    m->shear = 0.5 * E / (1.0 + nu);
    cn_material_fill_isotropic(m);
}

void cn_material_fill_isotropic(cn_material *m)
{
    memset(m->D, 0, sizeof m->D);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m->D[6 * i + j] = m->lambda;
        }
        m->D[6 * i + i] += 2.0 * m->shear;
        m->D[6 * (3 + i) + 3 + i] = m->shear;
    }
}

bool cn_material_respond_linear(const cn_material *m, const double strain[6], const double *old,
                                double *new_, cn_response *out)
{
    (void)old, (void)new_;
    out->stored = out->plastic = 0.0;
    for (int i = 0; i < 6; i++) {
        double sum = 0.0;
        for (int j = 0; j < 6; j++) {
            sum += m->D[6 * i + j] * strain[j];
        }
        out->stress[i] = sum;
        out->stored += 0.5 * sum * strain[i];
    }
    memcpy(out->tangent, m->D, sizeof out->tangent);
    return true;
}

const cn_material_type cn_material_linear = {.name = "linear",
                                             .is_linear = true,
                                             .check = cn_material_check_isotropic,
                                             .prepare = cn_material_prepare_isotropic,
                                             .respond = cn_material_respond_linear};
