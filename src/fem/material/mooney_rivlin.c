// fem/material/mooney_rivlin.c -- Mooney-Rivlin, shape and volume apart (theory 10.21).
#include <math.h>

#include "fem/material/material.h"

static cn_status check(const cn_material_def *def, cn_error *err)
{
    bool is_good = def->mooney_c10 >= 0.0 && def->mooney_c01 >= 0.0 &&
                   def->mooney_c10 + def->mooney_c01 > 0.0 && def->bulk > 0.0;
    if (!is_good) {
        return cn_fail(err, CN_BAD_INPUT,
                       "Mooney-Rivlin needs mooney_c10 and mooney_c01 >= 0, not both 0, and bulk > "
                       "0 Pa, got %g, %g and %g",
                       def->mooney_c10, def->mooney_c01, def->bulk);
    }
    return CN_OK;
}

static void prepare(cn_material *m)
{
    m->shear = 2.0 * (m->def.mooney_c10 + m->def.mooney_c01);
    m->lambda = m->def.bulk - 2.0 / 3.0 * m->shear;
    cn_material_fill_isotropic(m);
}

static void energy(const cn_material *m, const double I[3], cn_invariant_energy *e)
{
    double c10 = m->def.mooney_c10, c01 = m->def.mooney_c01, bulk = m->def.bulk;
    double third = 1.0 / cbrt(I[2]), J = sqrt(I[2]);
    double a = c10 * third, b = c01 * third * third; // of J^-2/3 I1 and J^-4/3 I2
    e->W = a * I[0] - 3.0 * c10 + b * I[1] - 3.0 * c01 + 0.5 * bulk * (J - 1.0) * (J - 1.0);
    e->d[0] = a;
    e->d[1] = b;
    e->d[2] = -(a * I[0] + 2.0 * b * I[1]) / (3.0 * I[2]) + 0.5 * bulk * (1.0 - 1.0 / J);
    e->dd[2] = (4.0 * a * I[0] + 10.0 * b * I[1]) / (9.0 * I[2] * I[2]) + 0.25 * bulk / (J * I[2]);
    e->dd[4] = -2.0 / 3.0 * b / I[2];
    e->dd[5] = -a / (3.0 * I[2]);
}

static bool respond(const cn_material *m, const double strain[6], const double *old, double *new_,
                    cn_response *out)
{
    (void)old, (void)new_;
    return cn_material_respond_invariant(m, strain, energy, out);
}

const cn_material_type cn_material_mooney_rivlin = {.name = "mooney_rivlin",
                                                    .is_finite = true,
                                                    .check = check,
                                                    .prepare = prepare,
                                                    .respond = respond};
