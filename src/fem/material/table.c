// fem/material/table.c -- the materials that exist, in the order of cn_material_model.
#include <math.h>
#include <string.h>

#include "fem/material/material.h"
#include "math/small_systems.h"

static const cn_material_type *const material_table[CN_MATERIAL_COUNT] = {
    [CN_MATERIAL_LINEAR] = &cn_material_linear,
    [CN_MATERIAL_ORTHOTROPIC] = &cn_material_orthotropic,
    [CN_MATERIAL_SAINT_VENANT] = &cn_material_saint_venant,
    [CN_MATERIAL_NEO_HOOKEAN] = &cn_material_neo_hookean,
    [CN_MATERIAL_MOONEY_RIVLIN] = &cn_material_mooney_rivlin,
    [CN_MATERIAL_BLATZ_KO] = &cn_material_blatz_ko,
    [CN_MATERIAL_J2] = &cn_material_j2,
};

const char *cn_material_name(cn_material_model model)
{
    return (unsigned)model < CN_MATERIAL_COUNT ? material_table[model]->name : NULL;
}

cn_material_model cn_material_find(const char *name)
{
    int model = 0;
    while (model < CN_MATERIAL_COUNT &&
           (name == NULL || strcmp(material_table[model]->name, name) != 0)) {
        model++;
    }
    return (cn_material_model)model;
}

cn_material_def cn_material_def_default(void)
{
    return (cn_material_def){.model = CN_MATERIAL_LINEAR};
}

// Members that every model has.
static cn_status check_common(const cn_material_def *def, cn_error *err)
{
    if ((unsigned)def->model >= CN_MATERIAL_COUNT) {
        return cn_fail(err, CN_BAD_INPUT, "there is no material model number %d", (int)def->model);
    }
    if ((unsigned)def->kinematics > CN_TOTAL_LAGRANGE) {
        return cn_fail(err, CN_BAD_INPUT, "there is no kinematics number %d", (int)def->kinematics);
    }
    if (!(def->density > 0.0 && isfinite(def->density))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "density is %g kg/m3, it must be > 0: give the density of the material",
                       def->density);
    }
    if (!(def->viscous_time >= 0.0 && def->rayleigh_mass >= 0.0 &&
          def->rayleigh_stiffness >= 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "damping must be >= 0, got viscous_time %g s, rayleigh_mass %g 1/s, "
                       "rayleigh_stiffness %g s",
                       def->viscous_time, def->rayleigh_mass, def->rayleigh_stiffness);
    }
    return material_table[def->model]->check(def, err);
}

// The strain of (10.31) by Newton's method on the law in space; false if there is none, or only
// beyond yield.
static bool find_initial(cn_material *m)
{
    const double rest[6] = {0.0}, virgin[CN_MATERIAL_STATE_MAX] = {0.0};
    double state[CN_MATERIAL_STATE_MAX];
    for (int step = 0; step < 30; step++) {
        cn_response response;
        if (!cn_material_respond(m, rest, virgin, state, &response)) {
            return false;
        }
        double missing[6], error = 0.0, size = 0.0;
        for (int k = 0; k < 6; k++) {
            missing[k] = m->def.initial_stress[k] - response.stress[k];
            error += fabs(missing[k]);
            size += fabs(m->def.initial_stress[k]);
        }
        if (error <= 1e-14 * size) {
            return response.plastic == 0.0;
        }
        cn_small_solve(6, 1, response.tangent, missing);
        for (int k = 0; k < 6; k++) {
            m->initial_strain[k] += missing[k];
        }
    }
    return false;
}

static cn_status set_initial(cn_material *m, cn_error *err)
{
    const double *s = m->def.initial_stress;
    if (m->is_plane_stress && (s[2] != 0.0 || s[4] != 0.0 || s[5] != 0.0)) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "initial_stress has components across the plane (%g, %g, %g Pa), but this is "
            "plane stress",
            s[2], s[4], s[5]);
    }
    bool is_plane_stress = m->is_plane_stress;
    m->is_plane_stress = false;
    m->has_initial = true;
    bool is_found = find_initial(m);
    m->is_plane_stress = is_plane_stress;
    if (!is_found) {
        return cn_fail(err, CN_BAD_INPUT,
                       "no elastic strain of %s gives the initial_stress %g %g %g %g %g %g Pa",
                       m->type->name, s[0], s[1], s[2], s[3], s[4], s[5]);
    }
    return CN_OK;
}

// What follows from a definition that was checked: moduli, moduli at rest, initial strain.
static cn_status make_ready(cn_material *m, cn_error *err)
{
    const double rest[6] = {0.0}, virgin[CN_MATERIAL_STATE_MAX] = {0.0};
    double state[CN_MATERIAL_STATE_MAX];
    cn_response response;
    m->type->prepare(m);
    if (!cn_material_respond(m, rest, virgin, state, &response)) {
        return cn_fail(err, CN_BAD_INPUT, "no tangent at rest: moduli are out of range");
    }
    memcpy(m->D_rest, response.tangent, sizeof m->D_rest);
    for (int k = 0; k < 6; k++) {
        if (m->def.initial_stress[k] != 0.0) {
            return set_initial(m, err);
        }
    }
    return CN_OK;
}

cn_status cn_material_create(const cn_material_def *def, int index, bool is_plane_stress,
                             cn_material *m, cn_error *err)
{
    cn_error inner = {0};
    cn_status status = check_common(def, &inner);
    if (status == CN_OK) {
        *m = (cn_material){.def = *def, .type = material_table[def->model]};
        m->kinematics = m->type->is_finite ? CN_TOTAL_LAGRANGE : def->kinematics;
        m->is_plane_stress = is_plane_stress;
        m->state_count = m->type->state_count;
        if (m->type->is_log && m->kinematics == CN_TOTAL_LAGRANGE) {
            m->state_count += CN_LOG_STATE;
        }
        status = make_ready(m, &inner);
    }
    if (status != CN_OK) {
        return cn_fail(err, status, "material %d: %s", index, inner.text);
    }
    return CN_OK;
}
