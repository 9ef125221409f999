// fem/material/respond.c -- what surrounds a law: logarithmic strains, and plane stress by making
// the stress across the plane vanish (theory 10.16, 10.17).
#include <math.h>
#include <string.h>

#include "fem/material/material.h"

static bool respond_space(const cn_material *m, const double strain[6], const double *old,
                          double *new_, cn_response *out)
{
    if (m->type->is_log && m->kinematics == CN_TOTAL_LAGRANGE) {
        return cn_material_respond_log(m, strain, old, new_, out);
    }
    return m->type->respond(m, strain, old, new_, out);
}

// (10.17): the strain across follows the others, so that its stress stays zero.
static void condense(cn_response *r)
{
    double across[6], pivot = r->tangent[6 * 2 + 2];
    for (int i = 0; i < 6; i++) {
        across[i] = r->tangent[6 * i + 2];
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            r->tangent[6 * i + j] -= across[i] * across[j] / pivot;
        }
    }
    for (int i = 0; i < 6; i++) {
        r->tangent[6 * i + 2] = r->tangent[6 * 2 + i] = 0.0;
    }
    r->stress[2] = 0.0;
}

// Newton iteration on (10.16); one step is exact for linear laws. A Green-Lagrange strain stays
// above -1/2, where the thickness would vanish.
static bool respond_plane_stress(const cn_material *m, const double strain[6], const double *old,
                                 double *new_, cn_response *out)
{
    double e[6];
    memcpy(e, strain, sizeof e);
    e[2] = -(m->D[12] * e[0] + m->D[13] * e[1] + m->D[15] * e[3]) / m->D[14];
    bool is_finite = m->kinematics == CN_TOTAL_LAGRANGE;
    if (is_finite && e[2] < -0.4) {
        e[2] = -0.4;
    }
    for (int k = 0; k < 50; k++) {
        if (!respond_space(m, e, old, new_, out)) {
            return false;
        }
        double scale = fabs(out->stress[0]) + fabs(out->stress[1]) + fabs(out->stress[3]);
        double tiny = 1e-15 * m->D[14];
        if (fabs(out->stress[2]) <= 1e-13 * scale + tiny) {
            condense(out);
            return true;
        }
        double change = -out->stress[2] / out->tangent[14];
        if (is_finite && e[2] + change <= -0.5) {
            change = -0.5 * (e[2] + 0.5);
        }
        e[2] += change;
    }
    return false;
}

bool cn_material_respond(const cn_material *m, const double strain[6], const double *old,
                         double *new_, cn_response *out)
{
    double shifted[6];
    for (int k = 0; m->has_initial && k < 6; k++) {
        shifted[k] = strain[k] + m->initial_strain[k];
    }
    strain = m->has_initial ? shifted : strain;
    return m->is_plane_stress ? respond_plane_stress(m, strain, old, new_, out)
                              : respond_space(m, strain, old, new_, out);
}
