// fem/material/blatz_ko.c -- foam and solid rubber of Blatz and Ko (theory 10.22).
#include <math.h>

#include "fem/material/material.h"

static cn_status check(const cn_material_def *def, cn_error *err)
{
    if (!(def->blatz_share >= 0.0 && def->blatz_share <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "blatz_share is %g, it must be in [0, 1]",
                       def->blatz_share);
    }
    return cn_material_check_isotropic(def, err);
}

// (I3^b - 1)/b, also for b near 0.
static double power_ratio(double log3, double b)
{
    return fabs(b * log3) < 1e-12 ? log3 : expm1(b * log3) / b;
}

static void energy(const cn_material *m, const double I[3], cn_invariant_energy *e)
{
    double beta = m->def.poisson / (1.0 - 2.0 * m->def.poisson), log3 = log(I[2]);
    double solid = 0.5 * m->shear * m->def.blatz_share, foam = 0.5 * m->shear - solid;
    double up = exp(beta * log3), square = I[2] * I[2];
    e->W = solid * (I[0] - 3.0 - power_ratio(log3, -beta)) +
           foam * (I[1] / I[2] - 3.0 + power_ratio(log3, beta));
    e->d[0] = solid;
    e->d[1] = foam / I[2];
    e->d[2] = -solid / (up * I[2]) + foam * (up / I[2] - I[1] / square);
    e->dd[2] = solid * (1.0 + beta) / (up * square) +
               foam * (2.0 * I[1] / (square * I[2]) + (beta - 1.0) * up / square);
    e->dd[4] = -foam / square;
}

static bool respond(const cn_material *m, const double strain[6], const double *old, double *new_,
                    cn_response *out)
{
    (void)old, (void)new_;
    return cn_material_respond_invariant(m, strain, energy, out);
}

const cn_material_type cn_material_blatz_ko = {.name = "blatz_ko",
                                               .is_finite = true,
                                               .check = check,
                                               .prepare = cn_material_prepare_isotropic,
                                               .respond = respond};
