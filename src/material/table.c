// material/table.c -- the materials that exist, in the order of cn_material_model.
#include <math.h>
#include <string.h>

#include "material/material.h"

static const cn_material_type *const material_table[CN_MATERIAL_COUNT] = {
    [CN_MATERIAL_LINEAR] = &cn_material_linear,
    [CN_MATERIAL_ORTHOTROPIC] = &cn_material_orthotropic,
    [CN_MATERIAL_SAINT_VENANT] = &cn_material_saint_venant,
    [CN_MATERIAL_NEO_HOOKEAN] = &cn_material_neo_hookean,
    [CN_MATERIAL_MOONEY_RIVLIN] = &cn_material_mooney_rivlin,
    [CN_MATERIAL_BLATZ_KO] = &cn_material_blatz_ko,
    [CN_MATERIAL_J2] = &cn_material_j2,
};

const cn_material_type *cn_material_type_of(int model)
{
    return material_table[model];
}

const char *cn_material_name(cn_material_model model)
{
    return (unsigned)model < CN_MATERIAL_COUNT ? material_table[model]->name : NULL;
}

cn_material_model cn_material_find(const char *name)
{
    int model = 0;
    while (model < CN_MATERIAL_COUNT && strcmp(material_table[model]->name, name) != 0) {
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

cn_status cn_material_create(const cn_material_def *def, int index, bool is_plane_stress,
                             cn_material *m, cn_error *err)
{
    cn_error inner = {0};
    cn_status status = check_common(def, &inner);
    if (status != CN_OK) {
        return cn_fail(err, status, "material %d: %s", index, inner.text);
    }
    *m = (cn_material){.def = *def, .type = material_table[def->model]};
    m->kinematics = m->type->is_finite ? CN_TOTAL_LAGRANGE : def->kinematics;
    m->is_plane_stress = is_plane_stress;
    m->state_count = m->type->state_count;
    if (m->type->is_log && m->kinematics == CN_TOTAL_LAGRANGE) {
        m->state_count += CN_LOG_STATE;
    }
    m->type->prepare(m);
    const double rest[6] = {0.0}, virgin[CN_MATERIAL_STATE_MAX] = {0.0};
    double state[CN_MATERIAL_STATE_MAX];
    cn_response response;
    if (!cn_material_respond(m, rest, virgin, state, &response)) {
        return cn_fail(err, CN_BAD_INPUT, "material %d: no tangent at rest", index);
    }
    memcpy(m->D_rest, response.tangent, sizeof m->D_rest);
    return CN_OK;
}
