// load/node_loads.c -- imposed motions of and forces on nodes of deformable bodies, theory 11.25.
#include <math.h>
#include <string.h>

#include "body/deformable/deformables.h"
#include "load/load.h"

// The mesh of a body and the set of a name in it.
static cn_status find_set(const cn_bodies *b, cn_body_id id, const char *name, const char *what,
                          int *set, cn_error *err)
{
    int i = cn_bodies_find(b, id);
    if (i < 0 || b->deformable[i] < 0) {
        return cn_fail(err, CN_BAD_INPUT, "%s names body %llu, which %s", what,
                       (unsigned long long)id, i < 0 ? "does not exist" : "is not deformable");
    }
    const cn_fem *fem = cn_deformable_model(b->deformables, b->deformable[i])->mesh;
    *set = name == NULL ? -1 : cn_fem_set_find(fem, name);
    if (name != NULL && *set < 0) {
        return cn_fail(err, CN_BAD_INPUT, "%s names set '%s', which body %llu does not have", what,
                       name, (unsigned long long)id);
    }
    if (*set >= 0 && fem->set_node_start[*set + 1] == fem->set_node_start[*set]) {
        return cn_fail(err, CN_BAD_INPUT, "%s names set '%s' of body %llu, which has no nodes",
                       what, name, (unsigned long long)id);
    }
    return CN_OK;
}

// Loads per area act on sides, which a set of nodes alone does not have.
static cn_status check_sides(const cn_bodies *b, const cn_node_load_def *def, int set,
                             cn_error *err)
{
    const cn_fem *fem =
        cn_deformable_model(b->deformables, b->deformable[cn_bodies_find(b, def->body)])->mesh;
    bool is_area = def->kind == CN_LOAD_TRACTION || def->kind == CN_LOAD_PRESSURE;
    if (is_area && set >= 0 && fem->set_face_start[set + 1] == fem->set_face_start[set]) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a pressure or a force per area acts on set '%s' of body %llu, which has "
                       "nodes but no sides: name a group of sides, or load nodes",
                       def->set, (unsigned long long)def->body);
    }
    return CN_OK;
}

cn_status cn_loads_add_node_drive(cn_loads *loads, const cn_bodies *b, const cn_node_drive_def *def,
                                  double t, cn_error *err)
{
    cn_node_drive own = {.def = *def};
    CN_TRY(find_set(b, def->body, def->set, "a drive of nodes", &own.set, err));
    if ((int)def->dof < 0 || (int)def->dof >= b->dim || def->kind == CN_DRIVE_ROTATION) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a drive of nodes imposes motion along x, y%s, not degree of freedom %d of "
                       "kind %d",
                       b->dim == 3 ? " or z" : "", (int)def->dof, (int)def->kind);
    }
    if (own.set >= 0 && cn_deformable_is_pseudo_rigid(
                            b->deformables, b->deformable[cn_bodies_find(b, def->body)])) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a drive of nodes names set '%s' of body %llu, which is pseudo-rigid: hold "
                       "or drive it as a whole, or take elements",
                       def->set, (unsigned long long)def->body);
    }
    CN_TRY(cn_reserve(loads->hooks, &loads->node_drive, &loads->node_drive_capacity,
                      (size_t)loads->node_drive_count + 1, err));
    CN_TRY(cn_function_own(loads->hooks, &own.def.f, err));
    own.def.t0 = isnan(def->t0) ? t : def->t0;
    own.def.set = NULL;
    loads->node_drive[loads->node_drive_count++] = own;
    return CN_OK;
}

cn_status cn_loads_add_node_load(cn_loads *loads, const cn_bodies *b, const cn_node_load_def *def,
                                 double t, cn_error *err)
{
    cn_node_load own = {.def = *def};
    CN_TRY(find_set(b, def->body, def->set, "a load of nodes", &own.set, err));
    CN_TRY(check_sides(b, def, own.set, err));
    if ((unsigned)def->kind > CN_LOAD_CENTRIFUGAL ||
        !isfinite(def->direction[0] + def->direction[1] + def->direction[2]) ||
        !isfinite(def->point[0] + def->point[1] + def->point[2])) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a load of nodes has kind %d, direction (%g, %g, %g) and point (%g, %g, %g)",
                       (int)def->kind, def->direction[0], def->direction[1], def->direction[2],
                       def->point[0], def->point[1], def->point[2]);
    }
    if (def->kind == CN_LOAD_CENTRIFUGAL && def->set != NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a centrifugal load acts on all of a body, not on set '%s' of body %llu",
                       def->set, (unsigned long long)def->body);
    }
    CN_TRY(cn_reserve(loads->hooks, &loads->node_load, &loads->node_load_capacity,
                      (size_t)loads->node_load_count + 1, err));
    CN_TRY(cn_function_own(loads->hooks, &own.def.f, err));
    own.def.t0 = isnan(def->t0) ? t : def->t0;
    own.def.set = NULL;
    loads->node_load[loads->node_load_count++] = own;
    return CN_OK;
}

void cn_loads_remove_nodes(cn_loads *loads)
{
    for (int k = 0; k < loads->node_drive_count; k++) {
        cn_function_free(loads->hooks, &loads->node_drive[k].def.f);
    }
    for (int k = 0; k < loads->node_load_count; k++) {
        cn_function_free(loads->hooks, &loads->node_load[k].def.f);
    }
    loads->node_drive_count = loads->node_load_count = 0;
}

void cn_loads_forget_nodes(cn_loads *loads, cn_body_id id)
{
    int kept = 0;
    for (int k = 0; k < loads->node_drive_count; k++) {
        if (loads->node_drive[k].def.body == id) {
            cn_function_free(loads->hooks, &loads->node_drive[k].def.f);
        } else {
            loads->node_drive[kept++] = loads->node_drive[k];
        }
    }
    loads->node_drive_count = kept;
    kept = 0;
    for (int k = 0; k < loads->node_load_count; k++) {
        if (loads->node_load[k].def.body == id) {
            cn_function_free(loads->hooks, &loads->node_load[k].def.f);
        } else {
            loads->node_load[kept++] = loads->node_load[k];
        }
    }
    loads->node_load_count = kept;
}

// Nodes of a set of body k, or how many there are and which is the n-th.
static int set_size(const cn_fem *fem, int set)
{
    return set < 0 ? fem->node_count : fem->set_node_start[set + 1] - fem->set_node_start[set];
}

static int set_node(const cn_fem *fem, int set, int n)
{
    return set < 0 ? n : fem->set_node[fem->set_node_start[set] + n];
}

static int face_total(const cn_fem *fem, int set)
{
    return set < 0 ? fem->face_count : fem->set_face_start[set + 1] - fem->set_face_start[set];
}

// (3.5) for every node of the set.
static void impose(const cn_node_drive *drive, const cn_load_value *value, double h, double theta,
                   cn_deformables *m, int k)
{
    const cn_fem *fem = cn_deformable_model(m, k)->fem;
    const cn_node_drive_def *def = &drive->def;
    double f_0 = value->f_0, f_1 = value->f_1;
    for (int n = 0; n < set_size(fem, drive->set); n++) {
        int dof = m->dof_start[k] + m->dim * set_node(fem, drive->set, n) + (int)def->dof;
        double v = m->v[dof];
        m->held[dof] = 1;
        if (def->kind == CN_DRIVE_VELOCITY) {
            m->v_imposed[dof] = f_1;
        } else if (def->kind == CN_DRIVE_DISPLACEMENT) {
            m->v_imposed[dof] = (f_1 - f_0 - (1.0 - theta) * h * v) / (theta * h);
        } else {
            m->v_imposed[dof] = v + h * ((1.0 - theta) * f_0 + theta * f_1);
        }
    }
}

// Forces of tractions and pressures, face by face. Pressure acts on the position at q + (1-theta)
// h v, like follower forces of rigid bodies.
static void add_faces(const cn_node_load *load, double F, double ahead, cn_deformables *m, int k)
{
    const cn_fem *fem = cn_deformable_model(m, k)->mesh;
    int at = m->dof_start[k], dim = m->dim;
    bool is_pressure = load->def.kind == CN_LOAD_PRESSURE;
    for (int d = 0; d < cn_deformable_dof(m, k) && is_pressure; d++) { // x_mid is written later
        m->x_mid[at + d] = m->x[at + d] + ahead * m->v[at + d] - m->body[k].at[d % dim];
    }
    cn_deformable_place_points(m, k);
    for (int n = 0; n < face_total(fem, load->set); n++) {
        int face = load->set < 0 ? n : fem->set_face[fem->set_face_start[load->set] + n];
        const int *node = fem->face_node + fem->face_start[face];
        double weight[CN_SIDE_NODES_MAX], force[3 * CN_SIDE_NODES_MAX];
        int count = is_pressure ? cn_fem_face_pressure(fem, face, cn_deformable_mid(m, k), force)
                                : cn_fem_face_weights(fem, face, weight);
        for (int c = 0; c < count; c++) {
            const double *push = is_pressure ? force + dim * c : load->def.direction;
            double share = is_pressure ? F : F * weight[c];
            cn_deformable_push(
                m, k, node[c],
                cn_v3(share * push[0], share * push[1], dim == 3 ? share * push[2] : 0.0), m->f);
        }
    }
}

// Way from the axis of a turning frame to x.
static cn_vec3 from_axis(const cn_node_load_def *def, const cn_fem *fem, const double *x)
{
    if (fem->dim == 2) {
        return fem->plane == CN_AXISYMMETRIC
                   ? cn_v3(x[0], 0.0, 0.0)
                   : cn_v3(x[0] - def->point[0], x[1] - def->point[1], 0.0);
    }
    cn_vec3 axis = cn_v3(def->direction[0], def->direction[1], def->direction[2]);
    cn_vec3 way =
        cn_sub3(cn_v3(x[0], x[1], x[2]), cn_v3(def->point[0], def->point[1], def->point[2]));
    return cn_add_mul3(way, -cn_dot3(way, axis), axis);
}

// Centrifugal forces at x + (1-theta) h v, like follower forces; F is the mean square rate.
static void add_centrifugal(const cn_node_load *load, double F, double ahead, cn_deformables *m,
                            int k)
{
    const cn_model *model = cn_deformable_model(m, k);
    const cn_fem *fem = model->fem;
    int dim = m->dim, at = m->dof_start[k], size = cn_deformable_dof(m, k);
    double *way = m->x_mid + at, *pull = m->v_free + at; // both are written later
    for (int dof = 0; dof < size; dof += dim) {
        double x[3] = {0.0};
        for (int d = 0; d < dim; d++) {
            x[d] = m->x[at + dof + d] + ahead * m->v[at + dof + d];
        }
        cn_vec3 away = from_axis(&load->def, fem, x);
        memcpy(way + dof, &away, sizeof *way * (size_t)dim);
    }
    if (model->M != NULL) {
        cn_fem_multiply(fem, model->M, way, pull);
    }
    for (int d = 0; d < size; d++) {
        m->f[at + d] += F * (model->M != NULL ? pull[d] : fem->mass[d] * way[d]);
    }
}

// (3.2) for nodes.
static void add_load(const cn_node_load *load, const cn_load_value *value, double h, double theta,
                     cn_deformables *m, int k)
{
    const cn_fem *fem = cn_deformable_model(m, k)->mesh;
    const cn_node_load_def *def = &load->def;
    double f_0 = value->f_0, f_1 = value->f_1, F = theta * f_1 + (1.0 - theta) * f_0;
    if (def->kind == CN_LOAD_CENTRIFUGAL) {
        add_centrifugal(load, theta * f_1 * f_1 + (1.0 - theta) * f_0 * f_0, (1.0 - theta) * h, m,
                        k);
        return;
    }
    if (def->kind == CN_LOAD_TRACTION || def->kind == CN_LOAD_PRESSURE) {
        add_faces(load, F, (1.0 - theta) * h, m, k);
        return;
    }
    const double *mass = cn_deformable_model(m, k)->fem->mass;
    for (int d = 0; d < cn_deformable_dof(m, k) && def->kind == CN_LOAD_BODY && load->set < 0;
         d++) {
        m->f[m->dof_start[k] + d] += F * mass[d] * def->direction[d % m->dim];
    }
    int count = def->kind == CN_LOAD_BODY && load->set < 0 ? 0 : set_size(fem, load->set);
    for (int n = 0; n < count; n++) {
        int node = set_node(fem, load->set, n);
        double share = def->kind == CN_LOAD_BODY ? fem->mass[m->dim * node] : 1.0;
        share = def->kind == CN_LOAD_TOTAL ? 1.0 / count : share;
        const double *n_F = def->direction;
        cn_deformable_push(m, k, node,
                           cn_v3(F * share * n_F[0], F * share * n_F[1], F * share * n_F[2]), m->f);
    }
}

// Axes along which the definition holds all nodes.
static void hold_fixed(cn_deformables *m)
{
    for (int k = 0; k < m->count; k++) {
        for (int d = m->dof_start[k]; d < m->dof_start[k + 1] && m->body[k].fixed != 0; d++) {
            m->held[d] = (m->body[k].fixed & 1u << d % m->dim) != 0; // dim to a node
        }
    }
}

cn_status cn_load_nodes(const cn_loads *loads, double t, double h, double theta, cn_bodies *b,
                        cn_error *err)
{
    cn_deformables *m = b->deformables;
    if (m->count == 0) {
        return CN_OK;
    }
    cn_load_value value;
    cn_deformables_unload(m);
    hold_fixed(m);
    for (int n = 0; n < loads->node_load_count; n++) {
        const cn_node_load *load = &loads->node_load[n];
        const cn_node_load_def *def = &load->def;
        CN_TRY(cn_load_value_of(&def->f, def->body, t, h, def->t0, &value, err));
        add_load(load, &value, h, theta, m, b->deformable[cn_bodies_find(b, def->body)]);
    }
    for (int n = 0; n < loads->node_drive_count; n++) {
        const cn_node_drive *drive = &loads->node_drive[n];
        const cn_node_drive_def *def = &drive->def;
        CN_TRY(cn_load_value_of(&def->f, def->body, t, h, def->t0, &value, err));
        impose(drive, &value, h, theta, m, b->deformable[cn_bodies_find(b, def->body)]);
    }
    return CN_OK;
}
