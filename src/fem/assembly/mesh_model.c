// fem/assembly/mesh_model.c -- from a mesh definition to a mesh model: copies, checks, and the
// builders of points, pattern, boundary and mass (theory chapter 10).
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fem/assembly/element_work.h"

cn_status cn_fem_allocate(const cn_fem *fem, void **array, size_t count, size_t size, cn_error *err)
{
    size_t bytes = count > 0 ? count * size : size;
    *array = count <= SIZE_MAX / 2 / size ? cn_resize(&fem->hooks, NULL, bytes) : NULL;
    if (*array == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory: a mesh asks for %zu numbers", count);
    }
    memset(*array, 0, bytes);
    return CN_OK;
}

static cn_status copy_bytes(const cn_fem *fem, void **array, const void *from, size_t count,
                            size_t size, cn_error *err)
{
    CN_TRY(cn_fem_allocate(fem, array, count, size, err));
    if (count > 0) {
        memcpy(*array, from, count * size);
    }
    return CN_OK;
}

#define copy(fem, array, from, count, err)                                                         \
    copy_bytes((fem), (void **)(array), (from), (size_t)(count), sizeof **(array), (err))

void cn_fem_destroy(cn_fem *fem)
{
    if (fem == NULL) {
        return;
    }
    for (int k = 0; fem->set_name != NULL && k < fem->set_count; k++) {
        cn_release(&fem->hooks, fem->set_name[k]);
    }
    void *owned[] = {fem->X,
                     fem->mass,
                     fem->material,
                     fem->type,
                     fem->element_start,
                     fem->element_node,
                     fem->col_start,
                     fem->row,
                     fem->element_material,
                     fem->face_start,
                     fem->face_node,
                     fem->face_type,
                     fem->face_side,
                     fem->face_element,
                     fem->set_name,
                     fem->set_node,
                     fem->set_node_start,
                     fem->set_face,
                     fem->point_start,
                     fem->set_face_start,
                     fem->history_start,
                     fem->gradient,
                     fem->gradient_start,
                     fem->weight,
                     fem->slot,
                     fem->slot_start};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(&fem->hooks, owned[k]);
    }
    cn_hooks hooks = fem->hooks;
    cn_release(&hooks, fem);
}

static cn_status check_sizes(const cn_mesh_def *def, cn_error *err)
{
    if (def->dim != 2 && def->dim != 3) {
        return cn_fail(err, CN_BAD_INPUT, "a mesh has dimension 2 or 3, got %d", def->dim);
    }
    if (def->node_count < 1 || def->element_count < 1 || def->material_count < 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a mesh needs nodes, elements and a material, got %d nodes, %d elements, "
                       "%d materials",
                       def->node_count, def->element_count, def->material_count);
    }
    if (def->node_count > INT32_MAX / 64 || def->element_count > INT32_MAX / 64) {
        return cn_fail(err, CN_BAD_INPUT, "a mesh of %d nodes and %d elements is too large",
                       def->node_count, def->element_count);
    }
    if (!(def->thickness >= 0.0 && isfinite(def->thickness))) {
        return cn_fail(err, CN_BAD_INPUT, "the thickness of a mesh must be >= 0 m, got %g",
                       def->thickness);
    }
    return CN_OK;
}

static cn_status check_nodes(const cn_mesh_def *def, cn_error *err)
{
    bool is_axisymmetric = def->dim == 2 && def->plane == CN_AXISYMMETRIC;
    for (int k = 0; k < def->dim * def->node_count; k++) {
        if (!isfinite(def->node[k])) {
            return cn_fail(err, CN_BAD_INPUT, "coordinate %d of node %d is not a finite number",
                           k % def->dim, k / def->dim);
        }
        if (is_axisymmetric && k % 2 == 0 && def->node[k] < 0.0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "node %d of an axisymmetric mesh has x = %g m: x is the radius, it must "
                           "be >= 0",
                           k / 2, def->node[k]);
        }
    }
    return CN_OK;
}

// Node numbers of one element: all there, none twice.
static cn_status check_element_nodes(const cn_mesh_def *def, int e, cn_error *err)
{
    const int *node = def->element_node + def->element_start[e];
    int count = def->element_start[e + 1] - def->element_start[e];
    for (int a = 0; a < count; a++) {
        if (node[a] < 0 || node[a] >= def->node_count) {
            return cn_fail(err, CN_BAD_INPUT, "element %d has node %d, but nodes are 0 .. %d", e,
                           node[a], def->node_count - 1);
        }
        for (int b = 0; b < a; b++) {
            if (node[a] == node[b]) {
                return cn_fail(err, CN_BAD_INPUT, "element %d (%s) has node %d twice", e,
                               cn_element_name(def->type[e]), node[a]);
            }
        }
    }
    return CN_OK;
}

static cn_status check_elements(const cn_mesh_def *def, cn_error *err)
{
    for (int e = 0; e < def->element_count; e++) {
        const char *name = cn_element_name(def->type[e]);
        if (name == NULL) {
            return cn_fail(err, CN_BAD_INPUT, "element %d has type %d, which does not exist", e,
                           def->type[e]);
        }
        if (cn_element_dim(def->type[e]) != def->dim) {
            return cn_fail(err, CN_BAD_INPUT,
                           "element %d is a %s, which does not belong in a mesh of dimension %d", e,
                           name, def->dim);
        }
        int count = def->element_start[e + 1] - def->element_start[e];
        if (def->element_start[0] != 0 || count != cn_element_node_count(def->type[e])) {
            return cn_fail(err, CN_BAD_INPUT, "element %d is a %s and needs %d nodes, got %d", e,
                           name, cn_element_node_count(def->type[e]), count);
        }
        int material = def->element_material != NULL ? def->element_material[e] : 0;
        if (material < 0 || material >= def->material_count) {
            return cn_fail(err, CN_BAD_INPUT, "element %d has material %d, but there are %d", e,
                           material, def->material_count);
        }
        CN_TRY(check_element_nodes(def, e, err));
    }
    return CN_OK;
}

static cn_status check_use(const cn_fem *fem, cn_error *err)
{
    unsigned char *is_used = NULL;
    CN_TRY(cn_fem_new(fem, &is_used, (size_t)fem->node_count, err));
    for (int k = 0; k < fem->element_start[fem->element_count]; k++) {
        is_used[fem->element_node[k]] = 1;
    }
    int first = -1, count = 0;
    for (int a = fem->node_count - 1; a >= 0; a--) {
        first = is_used[a] ? first : a;
        count += !is_used[a];
    }
    cn_release(&fem->hooks, is_used);
    if (count > 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%d of %d nodes belong to no element, the first is node %d at (%g, %g): "
                       "leave them out",
                       count, fem->node_count, first, fem->X[fem->dim * first],
                       fem->X[fem->dim * first + 1]);
    }
    return CN_OK;
}

static cn_status copy_mesh(cn_fem *fem, const cn_mesh_def *def, cn_error *err)
{
    fem->dim = def->dim;
    fem->node_count = def->node_count;
    fem->element_count = def->element_count;
    fem->material_count = def->material_count;
    fem->dof_count = def->dim * def->node_count;
    fem->plane = def->dim == 2 ? def->plane : CN_PLANE_STRAIN;
    bool has_thickness = def->dim == 2 && fem->plane != CN_AXISYMMETRIC && def->thickness > 0.0;
    fem->thickness = has_thickness ? def->thickness : 1.0;
    fem->mass_kind = def->mass;
    fem->integration = def->integration;
    int listed = def->element_start[def->element_count];
    CN_TRY(copy(fem, &fem->X, def->node, fem->dof_count, err));
    CN_TRY(copy(fem, &fem->type, def->type, def->element_count, err));
    CN_TRY(copy(fem, &fem->element_start, def->element_start, def->element_count + 1, err));
    CN_TRY(copy(fem, &fem->element_node, def->element_node, listed, err));
    CN_TRY(cn_fem_new(fem, &fem->element_material, (size_t)def->element_count, err));
    for (int e = 0; e < def->element_count; e++) {
        fem->element_material[e] = def->element_material != NULL ? def->element_material[e] : 0;
    }
    return CN_OK;
}

static cn_status make_materials(cn_fem *fem, const cn_mesh_def *def, cn_error *err)
{
    CN_TRY(cn_fem_new(fem, &fem->material, (size_t)def->material_count, err));
    bool is_plane_stress = def->dim == 2 && def->plane == CN_PLANE_STRESS;
    fem->is_linear = true;
    for (int k = 0; k < def->material_count; k++) {
        cn_material *m = &fem->material[k];
        CN_TRY(cn_material_create(&def->material[k], k, is_plane_stress, m, err));
        if (m->kinematics == CN_COROTATIONAL && fem->plane == CN_AXISYMMETRIC) {
            return cn_fail(err, CN_BAD_INPUT,
                           "material %d: co-rotational kinematics do not exist in an axisymmetric "
                           "mesh; use small strain or total Lagrange",
                           k);
        }
        fem->is_linear =
            fem->is_linear && m->type->is_linear && m->kinematics == CN_SMALL && !m->has_initial;
        fem->has_damping = fem->has_damping || m->def.viscous_time > 0.0 ||
                           m->def.rayleigh_mass > 0.0 || m->def.rayleigh_stiffness > 0.0;
    }
    return CN_OK;
}

static cn_status build(cn_fem *fem, const cn_mesh_def *def, cn_error *err)
{
    CN_TRY(copy_mesh(fem, def, err));
    CN_TRY(check_use(fem, err));
    CN_TRY(make_materials(fem, def, err));
    CN_TRY(cn_fem_build_points(fem, err));
    CN_TRY(cn_fem_build_pattern(fem, err));
    CN_TRY(cn_fem_build_boundary(fem, err));
    CN_TRY(cn_fem_build_sets(fem, def, err));
    return cn_fem_build_mass(fem, err);
}

cn_status cn_fem_create(const cn_hooks *hooks, const cn_mesh_def *def, cn_fem **out, cn_error *err)
{
    *out = NULL;
    CN_TRY(check_sizes(def, err));
    CN_TRY(check_nodes(def, err));
    CN_TRY(check_elements(def, err));
    cn_fem empty = {.hooks = hooks != NULL ? *hooks : (cn_hooks){0}};
    cn_fem *fem = NULL;
    CN_TRY(cn_fem_new(&empty, &fem, 1, err));
    *fem = empty;
    cn_status status = build(fem, def, err);
    if (status != CN_OK) {
        cn_fem_destroy(fem);
        return status;
    }
    *out = fem;
    return CN_OK;
}

size_t cn_fem_history_size(const cn_fem *fem)
{
    return (size_t)fem->history_start[fem->element_count];
}
