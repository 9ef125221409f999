// validation/solids.c -- see solids.h.
#include "solids.h"

#include <stdlib.h>
#include <string.h>

cn_material_def cn_soft_elastic(double young, double poisson, double density)
{
    cn_material_def material = cn_material_def_default();
    material.young = young;
    material.poisson = poisson;
    material.density = density;
    return material;
}

// Own copies of nodes and sets, so that cases may change them.
static bool copy_parts(cn_soft *soft)
{
    size_t numbers = (size_t)soft->mesh.dim * (size_t)soft->mesh.node_count;
    size_t sets = (size_t)soft->mesh.set_count;
    soft->node = malloc(numbers * sizeof *soft->node);
    soft->set = calloc(sets + CN_SOFT_PICK_MAX, sizeof *soft->set);
    if (soft->node == NULL || soft->set == NULL) {
        return false;
    }
    memcpy(soft->node, soft->mesh.node, numbers * sizeof *soft->node);
    memcpy(soft->set, soft->mesh.set, sets * sizeof *soft->set);
    soft->mesh.node = soft->node;
    soft->mesh.set = soft->set;
    return true;
}

cn_soft cn_soft_make(cn_book *book, const cn_volume_def *def, cn_material_def material)
{
    cn_soft soft = {.material = material};
    cn_error err;
    if (cn_volume_make(def, &soft.volume, &err) != CN_OK) {
        cn_book_failure(book, err.text);
        return soft;
    }
    soft.mesh = *cn_volume_mesh(soft.volume);
    if (!copy_parts(&soft)) {
        cn_book_failure(book, "no memory for a mesh");
        cn_soft_free(&soft);
    }
    return soft;
}

static void shift(double *X, const void *context)
{
    const double *by = context;
    X[0] += by[0];
    X[1] += by[1];
    if (by[2] != 0.0) { // in space only
        X[2] += by[2];
    }
}

// Name of a side of a box by its axis.
static const char *axis_name(int dim, const char *side)
{
    static const char *const plane[][2] = {
        {"left", "x0"}, {"right", "x1"}, {"bottom", "y0"}, {"top", "y1"}};
    static const char *const space[][2] = {{"left", "x0"}, {"right", "x1"},  {"front", "y0"},
                                           {"back", "y1"}, {"bottom", "z0"}, {"top", "z1"}};
    const char *const(*names)[2] = dim == 2 ? plane : space;
    int k = 0;
    while (k + 1 < 2 * dim && strcmp(names[k][0], side) != 0) {
        k++;
    }
    return names[k][1];
}

cn_soft cn_soft_box(cn_book *book, cn_element_type element, const int *cells, const double *low,
                    const double *size, cn_material_def material)
{
    int dim = cn_element_dim(element);
    cn_volume_def def = cn_volume_def_default();
    double by[3] = {0.0};
    def.kind = CN_VOLUME_BOX;
    def.element = element;
    for (int d = 0; d < dim; d++) {
        def.size[d] = size[d];
        def.cells[d] = cells[d];
        by[d] = low[d] + 0.5 * size[d];
    }
    cn_soft soft = cn_soft_make(book, &def, material);
    for (int k = 0; k < soft.mesh.set_count; k++) {
        soft.set[k].name = axis_name(dim, soft.set[k].name);
    }
    cn_soft_map(&soft, shift, by);
    return soft;
}

// A disk about the origin onto one that stands on it. In the plane of complex numbers w = i x/R,
// where the lowest point is 1, w -> (w + c)/(1 + c w) keeps the disk and all angles.
static void gather(double *X, const void *context)
{
    const double *by = context; // radius, c
    double R = by[0], c = by[1];
    double u = -X[1] / R, v = X[0] / R; // real and imaginary part of w
    double top[2] = {u + c, v}, low[2] = {1.0 + c * u, c * v};
    double scale = R / (low[0] * low[0] + low[1] * low[1]);
    double re = scale * (top[0] * low[0] + top[1] * low[1]);
    double im = scale * (top[1] * low[0] - top[0] * low[1]);
    X[0] = fabs(im) < 1e-12 * R ? 0.0 : im;
    X[1] = R - re;
}

// Keeps the elements of nodes with x >= 0, and these nodes.
static bool cut_half(cn_soft *soft)
{
    cn_mesh_def *m = &soft->mesh;
    int *number = malloc(sizeof *number * (size_t)m->node_count), elements = 0, nodes = 0;
    soft->element = malloc(sizeof(int) * (size_t)m->element_start[m->element_count]);
    if (number == NULL || soft->element == NULL) {
        free(number);
        return false;
    }
    for (int a = 0; a < m->node_count; a++) {
        bool is_kept = soft->node[2 * a] >= 0.0;
        memcpy(soft->node + 2 * nodes, soft->node + 2 * a, 2 * sizeof *soft->node);
        number[a] = is_kept ? nodes++ : -1;
    }
    for (int e = 0; e < m->element_count; e++) {
        const int *node = m->element_node + m->element_start[e];
        bool is_kept = true;
        for (int k = 0; k < 4; k++) {
            is_kept = is_kept && number[node[k]] >= 0;
            soft->element[4 * elements + k] = number[node[k]];
        }
        elements += is_kept;
    }
    free(number);
    m->element_node = soft->element;
    m->element_count = elements;
    m->node_count = nodes;
    m->set_count = 0; // "outer" has nodes that are gone
    return true;
}

cn_soft cn_soft_half_disk(cn_book *book, double radius, const int cells[2], double finer,
                          cn_material_def material)
{
    cn_volume_def def = cn_volume_def_default();
    def.kind = CN_VOLUME_DISK;
    def.element = CN_QUAD4;
    def.radius = radius;
    def.cells[0] = cells[0];
    def.cells[1] = cells[1];
    cn_soft soft = cn_soft_make(book, &def, material);
    cn_soft_map(&soft, gather, (double[]){radius, (finer - 1.0) / (finer + 1.0)});
    if (soft.volume != NULL && !cut_half(&soft)) {
        cn_book_failure(book, "no memory for a mesh");
        cn_soft_free(&soft);
    }
    cn_soft_pick(&soft, "axis", 0, 0.0);
    return soft;
}

void cn_soft_free(cn_soft *soft)
{
    for (int k = 0; k < soft->pick_count; k++) {
        free(soft->pick[k]);
    }
    free(soft->node);
    free(soft->set);
    free(soft->element);
    cn_volume_destroy(soft->volume);
    *soft = (cn_soft){0};
}

void cn_soft_map(cn_soft *soft, void (*map)(double *X, const void *context), const void *context)
{
    for (int a = 0; a < soft->mesh.node_count; a++) {
        map(soft->node + soft->mesh.dim * a, context);
    }
}

void cn_soft_pick_within(cn_soft *soft, const char *name, const double *low, const double *high)
{
    int count = soft->mesh.node_count, dim = soft->mesh.dim, found = 0;
    int *node = soft->pick_count < CN_SOFT_PICK_MAX ? malloc(sizeof *node * (size_t)count) : NULL;
    if (node == NULL) {
        return; // whoever uses the set is told that it does not exist
    }
    for (int a = 0; a < count; a++) {
        bool is_in = true;
        for (int d = 0; d < dim; d++) {
            double x = soft->node[dim * a + d];
            is_in = is_in && x >= low[d] - 1e-9 * fmax(1.0, fabs(low[d])) &&
                    x <= high[d] + 1e-9 * fmax(1.0, fabs(high[d]));
        }
        if (is_in) {
            node[found++] = a;
        }
    }
    soft->pick[soft->pick_count++] = node;
    soft->set[soft->mesh.set_count++] =
        (cn_mesh_set){.name = name, .node_count = found, .node = node};
}

void cn_soft_pick(cn_soft *soft, const char *name, int axis, double value)
{
    double low[3] = {-1e30, -1e30, -1e30}, high[3] = {1e30, 1e30, 1e30};
    low[axis] = high[axis] = value;
    cn_soft_pick_within(soft, name, low, high);
}

cn_body_id cn_soft_add(cn_trial *t, const cn_soft *soft, cn_body_def rest)
{
    cn_mesh_def mesh = soft->mesh;
    mesh.material = &soft->material;
    mesh.material_count = 1;
    rest.type = CN_BODY_MESH;
    rest.mesh.item = &mesh;
    return cn_trial_add(t, &rest);
}

void cn_soft_settings(cn_trial *t, const cn_deform_def *def)
{
    cn_error err;
    if (!t->is_broken) {
        cn_trial_ok(t, cn_world_set_deform(t->world, def, &err), &err);
    }
}

void cn_soft_quasi_static(cn_trial *t)
{
    cn_deform_def def = cn_deform_def_default();
    def.is_quasi_static = true;
    cn_soft_settings(t, &def);
}

void cn_soft_drive(cn_trial *t, cn_body_id id, const char *set, cn_dof dof, cn_drive_kind kind,
                   cn_function f)
{
    cn_node_drive_def def = {
        .body = id, .set = set, .dof = dof, .kind = kind, .f = f, .t0 = (double)NAN};
    cn_error err;
    if (!t->is_broken) {
        cn_trial_ok(t, cn_node_drive_add(t->world, &def, &err), &err);
    }
}

void cn_soft_hold(cn_trial *t, cn_body_id id, const char *set, cn_dof dof)
{
    cn_soft_drive(t, id, set, dof, CN_DRIVE_VELOCITY, cn_constant(0.0));
}

void cn_soft_load(cn_trial *t, cn_body_id id, const char *set, cn_node_load_kind kind,
                  cn_vec3 direction, cn_function f)
{
    cn_node_load_def def = {.body = id,
                            .set = set,
                            .kind = kind,
                            .direction = {direction.x, direction.y, direction.z},
                            .f = f,
                            .t0 = (double)NAN};
    cn_error err;
    if (!t->is_broken) {
        cn_trial_ok(t, cn_node_load_add(t->world, &def, &err), &err);
    }
}

cn_node_view cn_soft_nodes(const cn_trial *t, cn_body_id id)
{
    cn_node_view nodes = {0};
    if (!t->is_broken) {
        cn_body_nodes(t->world, id, &nodes, NULL);
    }
    return nodes;
}

int cn_soft_nearest(const cn_node_view *nodes, cn_vec3 at)
{
    int nearest = 0;
    double least = INFINITY;
    for (int a = 0; a < nodes->node_count; a++) {
        double sum = 0.0;
        for (int d = 0; d < nodes->dim; d++) {
            double apart = nodes->X[nodes->dim * a + d] + nodes->at[d] - (&at.x)[d];
            sum += apart * apart;
        }
        if (sum < least) {
            least = sum;
            nearest = a;
        }
    }
    return nearest;
}

double cn_soft_moved(const cn_node_view *nodes, int node, int axis)
{
    int k = nodes->dim * node + axis;
    return nodes->node_count > 0 ? nodes->x[k] - nodes->X[k] - nodes->at[axis] : (double)NAN;
}

double *cn_soft_stress(cn_trial *t, cn_body_id id)
{
    cn_node_view nodes = cn_soft_nodes(t, id);
    double *stress =
        nodes.node_count > 0 ? malloc(6 * sizeof *stress * (size_t)nodes.node_count) : NULL;
    cn_error err;
    if (stress != NULL && !cn_trial_ok(t, cn_body_node_stress(t->world, id, stress, &err), &err)) {
        free(stress);
        return NULL;
    }
    return stress;
}
