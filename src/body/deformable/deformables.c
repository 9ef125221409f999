// body/deformable/deformables.c -- storage of deformable bodies: models that equal bodies share,
// arrays of nodes.
#include "body/deformable/deformables.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

void cn_deformables_init(cn_deformables *m, int dim, const cn_hooks *hooks)
{
    *m = (cn_deformables){.hooks = hooks, .dim = dim, .settings = cn_deform_def_default()};
    m->factors.kept_flops = 2e9; // a tenth of a second
}

cn_deform_def cn_deform_def_default(void)
{
    return (cn_deform_def){.tolerance = 1e-11, .iteration_max = 40};
}

// Every array of the bodies with its length. One list serves growing and freeing.
#define FOR_EACH_ARRAY(X)                                                                          \
    X(body, count)                                                                                 \
    X(dof_start, count + 1)                                                                        \
    X(history_start, count + 1)                                                                    \
    X(facet_start, count + 1)                                                                      \
    X(node_start, count + 1)                                                                       \
    X(x, dofs)                                                                                     \
    X(v, dofs)                                                                                     \
    X(f, dofs)                                                                                     \
    X(weight, dofs)                                                                                \
    X(v_imposed, dofs)                                                                             \
    X(held, dofs)                                                                                  \
    X(x_mid, dofs)                                                                                 \
    X(v_free, dofs)                                                                                \
    X(v_guess, dofs)                                                                               \
    X(x_before, dofs)                                                                              \
    X(v_before, dofs)                                                                              \
    X(force_before, dofs)                                                                          \
    X(force, dofs)                                                                                 \
    X(force_new, dofs)                                                                             \
    X(impulse, dofs)                                                                               \
    X(history, history_size)                                                                       \
    X(history_new, history_size)                                                                   \
    X(facet_normal, dim *facets)                                                                   \
    X(corner_normal, dim *dim *facets)                                                             \
    X(reaction, dofs)                                                                              \
    X(energy, count)                                                                               \
    X(point_start, count + 1)                                                                      \
    X(point_x, points)                                                                             \
    X(point_v, points)                                                                             \
    X(point_mid, points)                                                                           \
    X(point_impulse, points)                                                                       \
    X(point_reaction, points)

static void free_model(const cn_hooks *hooks, cn_model *model)
{
    if (model->mesh != model->fem) {
        cn_fem_destroy(model->mesh);
    }
    cn_fem_destroy(model->fem);
    cn_skin_free(hooks, &model->skin);
    cn_hull_destroy(hooks, model->hull);
    cn_release(hooks, model->hull_node);
    cn_release(hooks, model->weight);
    cn_release(hooks, model->M);
    cn_release(hooks, model->C);
    cn_release(hooks, model->K);
    *model = (cn_model){0};
}

void cn_deformables_free(cn_deformables *m)
{
    for (int k = 0; k < m->count; k++) {
        cn_release(m->hooks, m->body[k].C);
    }
    for (int n = 0; n < m->model_count; n++) {
        free_model(m->hooks, &m->model[n]);
    }
    cn_factors_free(m->hooks, &m->factors);
#define X(name, length) cn_release(m->hooks, m->name);
    FOR_EACH_ARRAY(X)
#undef X
    cn_release(m->hooks, m->model);
    cn_release(m->hooks, m->work);
    cn_deformables_init(m, m->dim, m->hooks);
}

// What a model depends on: all of the definition.
static uint64_t hash_def(const cn_mesh_def *def)
{
    size_t nodes = (size_t)(def->dim * def->node_count), elements = (size_t)def->element_count;
    uint64_t hash = cn_mix2((uint64_t)def->dim, cn_mix2((uint64_t)nodes, elements));
    hash = cn_hash_bytes(hash, def->node, sizeof(double) * nodes);
    hash = cn_hash_bytes(hash, def->type, elements);
    hash = cn_hash_bytes(hash, def->element_start, sizeof(int) * (elements + 1));
    hash =
        cn_hash_bytes(hash, def->element_node, sizeof(int) * (size_t)def->element_start[elements]);
    if (def->element_material != NULL) {
        hash = cn_hash_bytes(hash, def->element_material, sizeof(int) * elements);
    }
    hash = cn_hash_bytes(hash, def->material, sizeof *def->material * (size_t)def->material_count);
    hash = cn_hash_bytes(hash, &def->thickness, sizeof def->thickness);
    hash = cn_mix2(hash, (uint64_t)def->is_pseudo_rigid << 24 | (uint64_t)def->plane << 16 |
                             (uint64_t)def->mass << 8 | (uint64_t)def->integration);
    for (int n = 0; n < def->set_count; n++) {
        const cn_mesh_set *set = &def->set[n];
        hash = cn_hash_bytes(hash, set->name, strlen(set->name));
        hash = cn_hash_bytes(hash, set->node, sizeof(int) * (size_t)set->node_count);
        hash = cn_hash_bytes(hash, set->side, sizeof(int) * 2 * (size_t)set->side_count);
    }
    return hash;
}

// Fourth corners of the facets of a face, the halves of a four-sided one (11.18).
static void find_fourth(int face_type, const int *node, int count, int *fourth)
{
    for (int n = 0; n < count; n++) {
        fourth[n] = face_type == CN_QUAD4 ? node[n == 0 ? 3 : 1] : -1;
    }
}

static cn_status make_skin(const cn_hooks *hooks, cn_model *model, cn_error *err)
{
    const cn_fem *fem = model->mesh;
    int *facet = NULL, count = 0;
    size_t capacity = 0, most = (size_t)fem->face_count * CN_FACETS_MAX;
    CN_TRY(cn_reserve(hooks, &facet, &capacity, most * (3 + 1), err));
    int *fourth = facet + 3 * most;
    for (int f = 0; f < fem->face_count; f++) {
        const int *node = fem->face_node + fem->face_start[f];
        int parts = cn_fem_face_split(fem->face_type[f], node, facet + fem->dim * count);
        find_fourth(fem->face_type[f], node, parts, fourth + count);
        count += parts;
    }
    const cn_skin_def def = {fem->dim, fem->node_count, fem->X, count, facet, fourth};
    cn_status status = cn_skin_create(hooks, &def, &model->skin, err);
    cn_release(hooks, facet);
    return status == CN_OK ? cn_skin_find_depths(hooks, fem->X, &model->skin, err) : status;
}

static cn_vec3 node_at(int dim, const double *x, int n)
{
    return cn_v3(x[dim * n], x[dim * n + 1], dim == 3 ? x[dim * n + 2] : 0.0);
}

static void measure_model(cn_model *model)
{
    const cn_fem *fem = model->fem, *mesh = model->mesh;
    cn_vec3 lo = node_at(fem->dim, mesh->X, 0), hi = lo;
    for (int n = 0; n < fem->node_count; n++) {
        cn_vec3 X = node_at(fem->dim, fem->X, n);
        model->centre = cn_add_mul3(model->centre, fem->mass[fem->dim * n] / fem->total_mass, X);
    }
    for (int n = 0; n < fem->node_count; n++) {
        cn_vec3 arm = cn_sub3(node_at(fem->dim, fem->X, n), model->centre);
        double share = fem->dim == 2 ? 1.0 : 2.0 / 3.0;
        model->inertia += share * fem->mass[fem->dim * n] * cn_dot3(arm, arm);
    }
    for (int n = 0; n < mesh->node_count; n++) {
        cn_vec3 X = node_at(fem->dim, mesh->X, n);
        lo = cn_v3(fmin(lo.x, X.x), fmin(lo.y, X.y), fmin(lo.z, X.z));
        hi = cn_v3(fmax(hi.x, X.x), fmax(hi.y, X.y), fmax(hi.z, X.z));
        model->reach = fmax(model->reach, cn_norm3(cn_sub3(X, model->centre)));
    }
    model->size = fmin(hi.x - lo.x, hi.y - lo.y);
    model->size = fem->dim == 3 ? fmin(model->size, hi.z - lo.z) : model->size;
    for (int k = 0; k < fem->entry_count; k++) {
        model->stiffness = fmax(model->stiffness, fabs(model->K[k]));
    }
}

// A matrix on the pattern of a model.
static cn_status take_matrix(const cn_hooks *hooks, const cn_fem *fem, double **value,
                             cn_error *err)
{
    size_t capacity = 0;
    *value = NULL;
    return cn_reserve(hooks, value, &capacity, (size_t)fem->entry_count, err);
}

// Tangent, mass and damping of the reference position.
static cn_status make_matrices(const cn_hooks *hooks, cn_model *model, cn_error *err)
{
    const cn_fem *fem = model->fem;
    double *scratch = NULL;
    size_t capacity = 0, dofs = (size_t)fem->dof_count, history = cn_fem_history_size(fem);
    CN_TRY(take_matrix(hooks, fem, &model->K, err));
    CN_TRY(cn_reserve(hooks, &scratch, &capacity, dofs + 2 * history, err));
    memset(scratch, 0, sizeof(double) * (dofs + 2 * history));
    const cn_fem_history virgin = {scratch + dofs, scratch + dofs + history};
    cn_status status = cn_fem_force(fem, fem->X, &virgin, scratch, model->K, NULL, err);
    cn_release(hooks, scratch);
    CN_TRY(status);
    if (fem->mass_kind == CN_MASS_CONSISTENT) {
        CN_TRY(take_matrix(hooks, fem, &model->M, err));
        cn_fem_mass_matrix(fem, model->M);
    }
    if (fem->has_damping && fem->is_linear) {
        CN_TRY(take_matrix(hooks, fem, &model->C, err));
        CN_TRY(cn_fem_damping(fem, fem->X, model->C, err));
    }
    return CN_OK;
}

static cn_status make_model(const cn_hooks *hooks, const cn_mesh_def *def, uint64_t key,
                            cn_model *model, cn_error *err)
{
    *model = (cn_model){.key = key};
    CN_TRY(cn_fem_create(hooks, def, &model->mesh, err));
    model->fem = model->mesh;
    cn_status status = def->is_pseudo_rigid
                           ? cn_fem_create_affine(model->mesh, &model->fem, &model->weight, err)
                           : CN_OK;
    status = status == CN_OK ? make_skin(hooks, model, err) : status;
    status = status == CN_OK ? cn_model_find_hull(hooks, model, err) : status;
    status = status == CN_OK ? make_matrices(hooks, model, err) : status;
    if (status != CN_OK) {
        free_model(hooks, model);
        return status;
    }
    measure_model(model);
    return CN_OK;
}

// The model of a definition, made if no body has it yet.
static cn_status find_model(cn_deformables *m, const cn_mesh_def *def, int *found, cn_error *err)
{
    uint64_t key = hash_def(def);
    int empty = m->model_count;
    for (int n = m->model_count - 1; n >= 0; n--) {
        if (m->model[n].fem != NULL && m->model[n].key == key) {
            *found = n;
            return CN_OK;
        }
        empty = m->model[n].fem == NULL ? n : empty;
    }
    CN_TRY(cn_reserve(m->hooks, &m->model, &m->capacity.model, (size_t)empty + 1, err));
    if (empty == m->model_count) {
        m->model[empty] = (cn_model){0};
    }
    CN_TRY(make_model(m->hooks, def, key, &m->model[empty], err));
    m->model_count += empty == m->model_count;
    *found = empty;
    return CN_OK;
}

static void leave_model(cn_deformables *m, int n)
{
    if (--m->model[n].users <= 0) {
        for (int k = 0; k < m->factors.count; k++) { // they point to its pattern
            if (m->factors.item[k].model == n && m->factors.item[k].users == 0) {
                cn_factor_destroy(m->factors.item[k].sparse);
                m->factors.item[k].sparse = NULL;
                m->factors.item[k].model = -1;
            }
        }
        free_model(m->hooks, &m->model[n]);
    }
}

// Numbers of the points of a body.
static size_t point_size(const cn_model *model)
{
    return model->weight != NULL ? (size_t)model->mesh->dof_count : 0;
}

static cn_status reserve(cn_deformables *m, const cn_model *model, cn_error *err)
{
    size_t count = (size_t)m->count + 1, dim = (size_t)m->dim;
    bool is_first = m->count == 0;
    size_t dofs = (size_t)(is_first ? 0 : m->dof_start[m->count]) + (size_t)model->fem->dof_count;
    size_t facets =
        (size_t)(is_first ? 0 : m->facet_start[m->count]) + (size_t)model->skin.facet_count;
    size_t points = (size_t)(is_first ? 0 : m->point_start[m->count]) + point_size(model);
    size_t history_size =
        (size_t)(is_first ? 0 : m->history_start[m->count]) + cn_fem_history_size(model->fem);
#define X(name, length)                                                                            \
    CN_TRY(cn_reserve(m->hooks, &m->name, &m->capacity.name, (size_t)(length), err));
    FOR_EACH_ARRAY(X)
#undef X
    if (is_first) {
        m->dof_start[0] = m->history_start[0] = m->facet_start[0] = m->node_start[0] = 0;
        m->point_start[0] = 0;
    }
    return CN_OK;
}

// First positions and velocities of body k: those of a rigid motion.
static void set_state(cn_deformables *m, int k, const cn_deformable_start *start)
{
    const cn_model *model = cn_deformable_model(m, k);
    const cn_deformable *body = &m->body[k];
    int at = m->dof_start[k];
    for (int n = 0; n < model->fem->node_count; n++) {
        cn_vec3 X = node_at(m->dim, model->fem->X, n);
        cn_vec3 turning = cn_cross3(start->rate, cn_sub3(X, model->centre));
        for (int d = 0; d < m->dim; d++) {
            int dof = at + m->dim * n + d;
            m->x[dof] = m->x_before[dof] = m->x_mid[dof] = (&X.x)[d] + body->at[d];
            m->v[dof] = m->v_before[dof] = start->velocity[d] + (&turning.x)[d];
            m->v_free[dof] = m->v[dof];
            m->f[dof] = m->weight[dof] = m->impulse[dof] = m->v_imposed[dof] = 0.0;
            m->reaction[dof] = 0.0;
            m->held[dof] = 0;
        }
    }
    for (int n = m->history_start[k]; n < m->history_start[k + 1]; n++) {
        m->history[n] = m->history_new[n] = 0.0;
    }
    for (int n = m->point_start[k]; n < m->point_start[k + 1]; n++) {
        m->point_impulse[n] = 0.0;
    }
}

// The definition as it is placed: turned, and where the place matters (round the axis) moved.
static cn_status place_def(const cn_hooks *hooks, const cn_mesh_def *def,
                           const cn_deformable_start *start, bool is_moved, double **node,
                           cn_error *err)
{
    size_t capacity = 0;
    *node = NULL;
    CN_TRY(cn_reserve(hooks, node, &capacity, (size_t)(def->dim * def->node_count), err));
    for (int n = 0; n < def->node_count; n++) {
        cn_vec3 X = cn_mat3_mul(&start->R, node_at(def->dim, def->node, n));
        for (int d = 0; d < def->dim; d++) {
            (*node)[def->dim * n + d] = (&X.x)[d] + (is_moved ? start->at[d] : 0.0);
        }
    }
    return CN_OK;
}

static bool is_unit(const cn_mat3 *R)
{
    const double *r = &R->row[0].x;
    return r[0] == 1.0 && r[4] == 1.0 && r[8] == 1.0;
}

static cn_status find_placed_model(cn_deformables *m, const cn_mesh_def *def,
                                   const cn_deformable_start *start, bool is_moved, int *model,
                                   cn_error *err)
{
    if (is_unit(&start->R) && !is_moved) {
        return find_model(m, def, model, err);
    }
    cn_mesh_def placed = *def;
    double *node;
    CN_TRY(place_def(m->hooks, def, start, is_moved, &node, err));
    placed.node = node;
    cn_status status = find_model(m, &placed, model, err);
    cn_release(m->hooks, node);
    return status;
}

static cn_status check_def(const cn_deformables *m, const cn_mesh_def *def, cn_error *err)
{
    if (def->dim != m->dim) {
        return cn_fail(err, CN_BAD_INPUT, "a mesh of dimension %d in a world of dimension %d",
                       def->dim, m->dim);
    }
    if (def->node_count < 1 || def->element_count < 1 || def->node == NULL || def->type == NULL ||
        def->element_start == NULL || def->element_node == NULL || def->material == NULL ||
        def->material_count < 1 || def->element_start[def->element_count] < 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a mesh has %d nodes, %d elements and %d materials: it needs some of each",
                       def->node_count, def->element_count, def->material_count);
    }
    return CN_OK;
}

static cn_status enter(cn_deformables *m, int model, const cn_deformable_start *start,
                       bool is_moved, int slot, cn_error *err)
{
    const cn_model *of = &m->model[model];
    CN_TRY(reserve(m, of, err));
    int k = m->count;
    m->body[k] = (cn_deformable){.slot = slot,
                                 .model = model,
                                 .factor = -1,
                                 .R = start->R,
                                 .is_mid_face = start->is_mid_face};
    if (of->fem->has_damping && !of->fem->is_linear) {
        CN_TRY(take_matrix(m->hooks, of->fem, &m->body[k].C, err));
    }
    for (int d = 0; d < m->dim && !is_moved; d++) {
        m->body[k].at[d] = start->at[d];
    }
    m->dof_start[k + 1] = m->dof_start[k] + of->fem->dof_count;
    m->history_start[k + 1] = m->history_start[k] + (int)cn_fem_history_size(of->fem);
    m->facet_start[k + 1] = m->facet_start[k] + of->skin.facet_count;
    m->node_start[k + 1] =
        m->node_start[k] + (start->is_mid_face ? of->skin.facet_count : of->skin.node_count);
    m->point_start[k + 1] = m->point_start[k] + (int)point_size(of);
    m->count++;
    m->model[model].users++;
    set_state(m, k, start);
    return cn_deformables_refresh(m, k, err);
}

cn_status cn_deformables_add(cn_deformables *m, const cn_mesh_def *def,
                             const cn_deformable_start *start, int slot, cn_error *err)
{
    CN_TRY(check_def(m, def, err));
    bool is_moved = def->plane == CN_AXISYMMETRIC && def->dim == 2;
    int model, before = m->count;
    CN_TRY(find_placed_model(m, def, start, is_moved, &model, err));
    cn_status status = enter(m, model, start, is_moved, slot, err);
    if (status != CN_OK && m->count > before) {
        cn_deformables_remove(m, before);
    } else if (status != CN_OK && m->model[model].users == 0) {
        leave_model(m, model);
    }
    return status;
}

// Moves the tail of an array down over the part `from` .. `to`.
static void close_gap(void *array, size_t element, int from, int to, int end)
{
    char *bytes = array;
    memmove(bytes + element * (size_t)from, bytes + element * (size_t)to,
            element * (size_t)(end - to));
}

static void shift_starts(int *start, int k, int count)
{
    int gap = start[k + 1] - start[k];
    for (int n = k; n < count; n++) {
        start[n] = start[n + 1] - gap;
    }
}

void cn_deformables_remove(cn_deformables *m, int k)
{
    int from = m->dof_start[k], to = m->dof_start[k + 1], end = m->dof_start[m->count];
    double *state[] = {m->x,      m->v,       m->x_before,  m->v_before, m->force_before,
                       m->f,      m->weight,  m->v_imposed, m->impulse,  m->x_mid,
                       m->v_free, m->reaction};
    for (size_t n = 0; n < sizeof state / sizeof *state; n++) {
        close_gap(state[n], sizeof(double), from, to, end);
    }
    close_gap(m->held, 1, from, to, end);
    double *shown[] = {m->point_x, m->point_v, m->point_mid, m->point_impulse, m->point_reaction};
    for (size_t n = 0; n < sizeof shown / sizeof *shown; n++) {
        close_gap(shown[n], sizeof(double), m->point_start[k], m->point_start[k + 1],
                  m->point_start[m->count]);
    }
    close_gap(m->history, sizeof(double), m->history_start[k], m->history_start[k + 1],
              m->history_start[m->count]);
    cn_release(m->hooks, m->body[k].C);
    cn_factors_leave(&m->factors, m->body[k].factor);
    int model = m->body[k].model;
    close_gap(m->body, sizeof *m->body, k, k + 1, m->count);
    close_gap(m->energy, sizeof *m->energy, k, k + 1, m->count);
    shift_starts(m->dof_start, k, m->count);
    shift_starts(m->history_start, k, m->count);
    shift_starts(m->facet_start, k, m->count);
    shift_starts(m->node_start, k, m->count);
    shift_starts(m->point_start, k, m->count);
    m->count--;
    for (int n = 0; n < m->factors.count; n++) { // a factor of one body follows it
        m->factors.item[n].owner -= m->factors.item[n].owner > k;
    }
    leave_model(m, model);
}

void cn_deformables_renumber(cn_deformables *m, int removed_slot)
{
    for (int k = 0; k < m->count; k++) {
        m->body[k].slot -= m->body[k].slot > removed_slot;
    }
}

void cn_deformables_unload(cn_deformables *m)
{
    if (m->count > 0) {
        size_t dofs = (size_t)m->dof_start[m->count];
        memset(m->f, 0, sizeof(double) * dofs);
        memset(m->v_imposed, 0, sizeof(double) * dofs);
        memset(m->held, 0, dofs);
    }
}

void cn_deformables_update_normals(cn_deformables *m)
{
    for (int k = 0; k < m->count; k++) {
        int facet = m->facet_start[k];
        cn_deformable_place_points(m, k);
        cn_skin_normals(&cn_deformable_model(m, k)->skin, cn_deformable_mid(m, k),
                        m->facet_normal + m->dim * facet,
                        m->corner_normal + m->dim * m->dim * facet);
    }
}
