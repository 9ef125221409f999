// scene/make/make_materials.c -- materials: a density, and for meshes the members of
// cn_material_def.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scene/read_scene.h"

#define MODEL(name) (1u << CN_MATERIAL_##name)

// Models that have a modulus and a Poisson number; all of them.
static const unsigned moduli =
    MODEL(LINEAR) | MODEL(SAINT_VENANT) | MODEL(NEO_HOOKEAN) | MODEL(BLATZ_KO) | MODEL(J2);
static const unsigned every = (1u << CN_MATERIAL_COUNT) - 1u;

// Keys that are numbers of the definition: `needed` by some models, `read` by some.
static const struct {
    const char *name;
    size_t offset;
    int count;
    unsigned needed, read;
} member[] = {
#define ROW(name, count, needed, read)                                                             \
    {#name, offsetof(cn_material_def, name), count, needed, read},
    ROW(young, 1, moduli, moduli) ROW(poisson, 1, moduli, moduli) ROW(
        young_axis, 3, MODEL(ORTHOTROPIC),
        MODEL(ORTHOTROPIC)) ROW(poisson_axis, 3, MODEL(ORTHOTROPIC), MODEL(ORTHOTROPIC))
        ROW(shear_axis, 3, MODEL(ORTHOTROPIC), MODEL(ORTHOTROPIC)) ROW(axis_angle, 1, 0u,
                                                                       MODEL(ORTHOTROPIC))
            ROW(mooney_c10, 1, MODEL(MOONEY_RIVLIN),
                MODEL(MOONEY_RIVLIN)) ROW(mooney_c01, 1, MODEL(MOONEY_RIVLIN), MODEL(MOONEY_RIVLIN))
                ROW(bulk, 1, MODEL(MOONEY_RIVLIN), MODEL(MOONEY_RIVLIN))
                    ROW(blatz_share, 1, 0u, MODEL(BLATZ_KO)) ROW(yield, 1, MODEL(J2), MODEL(J2))
                        ROW(hardening, 1, 0u, MODEL(J2)) ROW(hardening_kinematic, 1, 0u, MODEL(J2))
                            ROW(swift_strain, 1, 0u, MODEL(J2)) ROW(swift_power, 1, 0u, MODEL(J2))
                                ROW(initial_stress, 6, 0u, every) ROW(viscous_time, 1, 0u, every)
                                    ROW(rayleigh_mass, 1, 0u, every)
                                        ROW(rayleigh_stiffness, 1, 0u, every)
#undef ROW
};

enum { MEMBER_COUNT = sizeof member / sizeof *member };

// Copies the numbers of a key that was given.
static void set_member(cn_making *m, int k, const cn_value *value, cn_material_def *def)
{
    double *number = (double *)((char *)def + member[k].offset);
    bool is_list = value->kind == CN_VALUE_LIST;
    if (!(member[k].read & 1u << def->model)) {
        cn_complain(m->reading.report, value->at, "model %s does not read '%s'",
                    cn_material_name(def->model), member[k].name);
        return;
    }
    if (is_list && value->count != member[k].count) {
        cn_complain(m->reading.report, value->at, "%s takes %d numbers, got %d", member[k].name,
                    member[k].count, value->count);
        return;
    }
    for (int n = 0; n < member[k].count; n++) {
        number[n] = is_list ? value->item[n]->number : value->number;
    }
}

// A material of rigid bodies names nothing but its density; one that names the first number of a
// law must name all that its model needs.
static void set_material(cn_making *m, const cn_value *value, cn_scene_material *material)
{
    cn_material_def *def = &material->def;
    const char *missing = NULL;
    *def = cn_material_def_default();
    def->density = material->density = cn_value_number(value, "density");
    material->wear = cn_value_number(value, "wear");
    def->model = (cn_material_model)cn_value_number(value, "model");
    def->kinematics = (cn_kinematics)cn_value_number(value, "kinematics");
    material->is_deformable = def->model != CN_MATERIAL_LINEAR;
    for (int k = 0; k < MEMBER_COUNT; k++) {
        const cn_value *given = cn_value_get(value, member[k].name);
        if (given != NULL) {
            set_member(m, k, given, def);
            material->is_deformable = true;
        } else if (missing == NULL && (member[k].needed & 1u << def->model) != 0) {
            missing = member[k].name;
        }
    }
    if (m->scene->dim == 2) {
        material->plane = (cn_plane)cn_value_number(value, "plane");
        material->thickness = cn_value_number(value, "thickness");
    }
    if (material->is_deformable && missing != NULL) {
        cn_complain(m->reading.report, value->at, "material '%s': model %s needs '%s'",
                    material->name, cn_material_name(def->model), missing);
    }
    const cn_value *poisson = cn_value_get(value, "poisson");
    if (poisson != NULL && !(poisson->number < 0.5 && poisson->number > -1.0)) {
        cn_complain(m->reading.report, poisson->at,
                    "poisson must be > -1 and < 0.5, got %g; 0.49 is nearly incompressible",
                    poisson->number);
    }
}

bool cn_make_materials(cn_making *m)
{
    const cn_value *all = cn_value_get(m->root, "materials");
    cn_scene_material *material =
        cn_reading_take(&m->reading, (size_t)all->count, sizeof *material);
    for (int k = 0; material != NULL && k < all->count; k++) {
        cn_check_name(m, all->name_at[k], "material", all->name[k]);
        material[k].name = all->name[k];
        set_material(m, all->item[k], &material[k]);
    }
    m->scene->material = material;
    m->scene->material_count = material == NULL ? 0 : all->count;
    return material != NULL;
}

const cn_scene_material *cn_material_named(const cn_scene *scene, const char *name)
{
    for (int k = 0; k < scene->material_count; k++) {
        if (strcmp(scene->material[k].name, name) == 0) {
            return &scene->material[k];
        }
    }
    return NULL;
}
