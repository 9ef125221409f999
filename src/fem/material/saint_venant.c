// fem/material/saint_venant.c -- Saint-Venant-Kirchhoff: S = lambda tr E + 2 mu E (theory 10.18).
#include "fem/material/material.h"

const cn_material_type cn_material_saint_venant = {.name = "saint_venant_kirchhoff",
                                                   .is_linear = true,
                                                   .is_finite = true,
                                                   .check = cn_material_check_isotropic,
                                                   .prepare = cn_material_prepare_isotropic,
                                                   .respond = cn_material_respond_linear};
