// fem/material/neo_hookean.c -- compressible neo-Hooke (theory 10.20).
#include <math.h>

#include "fem/material/material.h"

static void energy(const cn_material *m, const double I[3], cn_invariant_energy *e)
{
    double mu = m->shear, lambda = m->lambda, log3 = log(I[2]);
    e->W = 0.5 * mu * (I[0] - 3.0 - log3) + 0.125 * lambda * log3 * log3;
    e->d[0] = 0.5 * mu;
    e->d[2] = (-0.5 * mu + 0.25 * lambda * log3) / I[2];
    e->dd[2] = (0.5 * mu + 0.25 * lambda * (1.0 - log3)) / (I[2] * I[2]);
}

static bool respond(const cn_material *m, const double strain[6], const double *old, double *new_,
                    cn_response *out)
{
    (void)old, (void)new_;
    return cn_material_respond_invariant(m, strain, energy, out);
}

const cn_material_type cn_material_neo_hookean = {.name = "neo_hookean",
                                                  .is_finite = true,
                                                  .check = cn_material_check_isotropic,
                                                  .prepare = cn_material_prepare_isotropic,
                                                  .respond = respond};
