// world/world_deformable.c -- deformable bodies of a world: settings, loads, nodes and stresses.
#include <math.h>
#include <string.h>

#include "world/world.h"

cn_status cn_world_set_deform(cn_world *w, const cn_deform_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    if ((unsigned)def->tangent > CN_TANGENT_MASS || !(def->tolerance > 0.0) ||
        def->iteration_max < 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "deformable bodies: tangent %d, tolerance %g must be > 0 and iteration_max "
                       "%d at least 1",
                       (int)def->tangent, def->tolerance, def->iteration_max);
    }
    if (def->is_quasi_static && def->tangent == CN_TANGENT_MASS) {
        return cn_fail(err, CN_BAD_INPUT, "quasi-static bodies have no mass to correct with");
    }
    w->bodies.deformables->settings = *def;
    CN_TRY(cn_deformables_refresh(w->bodies.deformables, 0, err));
    cn_audit_start(&w->bodies, &w->ledger);
    return CN_OK;
}

cn_status cn_world_advance(cn_world *w, double h, int halvings, cn_error *err)
{
    CN_NEED(err, w);
    double start = w->t;
    cn_status whole = cn_world_step(w, h, err);
    if (whole != CN_BROKEN || halvings < 1 || w->t > start) {
        return whole;
    }
    CN_TRY(cn_world_advance(w, 0.5 * h, halvings - 1, err));
    return cn_world_advance(w, 0.5 * h, halvings - 1, err);
}

cn_status cn_node_drive_add(cn_world *w, const cn_node_drive_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    return cn_loads_add_node_drive(&w->loads, &w->bodies, def, w->t, err);
}

cn_status cn_node_load_add(cn_world *w, const cn_node_load_def *def, cn_error *err)
{
    CN_NEED(err, w, def);
    CN_CHANGE(w, err);
    return cn_loads_add_node_load(&w->loads, &w->bodies, def, w->t, err);
}

bool cn_body_is_deformable(const cn_world *w, cn_body_id id)
{
    int i = w != NULL ? cn_bodies_find(&w->bodies, id) : -1;
    return i >= 0 && w->bodies.deformable[i] >= 0;
}

static cn_status find_mesh(const cn_world *w, cn_body_id id, int *k, cn_error *err)
{
    int i = cn_bodies_find(&w->bodies, id);
    if (i < 0 || w->bodies.deformable[i] < 0) {
        return cn_fail(err, CN_BAD_INPUT, "body %llu %s", (unsigned long long)id,
                       i < 0 ? "does not exist" : "is not deformable");
    }
    *k = w->bodies.deformable[i];
    return CN_OK;
}

cn_status cn_body_nodes(const cn_world *w, cn_body_id id, cn_node_view *view, cn_error *err)
{
    CN_NEED(err, w, view);
    int k = -1;
    CN_TRY(find_mesh(w, id, &k, err));
    const cn_deformables *m = w->bodies.deformables;
    bool is_point = cn_deformable_is_pseudo_rigid(m, k);
    int at = is_point ? m->point_start[k] : m->dof_start[k];
    *view = (cn_node_view){.dim = m->dim,
                           .node_count = cn_deformable_model(m, k)->mesh->node_count,
                           .x = (is_point ? m->point_x : m->x) + at,
                           .v = (is_point ? m->point_v : m->v) + at,
                           .X = cn_deformable_model(m, k)->mesh->X,
                           .reaction = (is_point ? m->point_reaction : m->reaction) + at,
                           .impulse = (is_point ? m->point_impulse : m->impulse) + at,
                           .elastic = m->energy[k]};
    view->mass = cn_deformable_model(m, k)->mesh->mass;
    memcpy(view->at, m->body[k].at, sizeof view->at);
    return CN_OK;
}

cn_status cn_body_mesh(const cn_world *w, cn_body_id id, cn_mesh_def *mesh, cn_error *err)
{
    CN_NEED(err, w, mesh);
    int k = -1;
    CN_TRY(find_mesh(w, id, &k, err));
    const cn_fem *fem = cn_deformable_model(w->bodies.deformables, k)->mesh;
    *mesh = (cn_mesh_def){.dim = fem->dim,
                          .node_count = fem->node_count,
                          .node = fem->X,
                          .element_count = fem->element_count,
                          .type = fem->type,
                          .element_start = fem->element_start,
                          .element_node = fem->element_node,
                          .element_material = fem->element_material,
                          .plane = fem->plane,
                          .thickness = fem->thickness};
    return CN_OK;
}

cn_status cn_body_node_set(const cn_world *w, cn_body_id id, const char *set, int *count,
                           const int **node, cn_error *err)
{
    CN_NEED(err, w, set, count, node);
    int k = -1;
    CN_TRY(find_mesh(w, id, &k, err));
    const cn_fem *fem = cn_deformable_model(w->bodies.deformables, k)->mesh;
    int found = cn_fem_set_find(fem, set);
    if (found < 0) {
        return cn_fail(err, CN_BAD_INPUT, "body %llu has no set '%s'", (unsigned long long)id, set);
    }
    *count = fem->set_node_start[found + 1] - fem->set_node_start[found];
    *node = fem->set_node + fem->set_node_start[found];
    if (*count == 0) {
        return cn_fail(err, CN_BAD_INPUT, "set '%s' of body %llu has no nodes", set,
                       (unsigned long long)id);
    }
    return CN_OK;
}

// Which mesh a body has, if what its nodes are to get is finite.
static cn_status check_nodes(const cn_world *w, cn_body_id id, const double *x, const double *v,
                             int *k, cn_error *err)
{
    CN_TRY(find_mesh(w, id, k, err));
    const cn_deformables *m = w->bodies.deformables;
    for (int d = 0; d < cn_deformable_model(m, *k)->mesh->dof_count; d++) {
        if ((x != NULL && !isfinite(x[d])) || (v != NULL && !isfinite(v[d]))) {
            return cn_fail(err, CN_BAD_INPUT,
                           "node %d of body %llu gets a number that is not finite", d / m->dim,
                           (unsigned long long)id);
        }
    }
    return CN_OK;
}

cn_status cn_world_set_nodes(cn_world *w, int count, const cn_body_id *id, const double *const *x,
                             const double *const *v, cn_error *err)
{
    CN_NEED(err, w, id, x, v);
    CN_CHANGE(w, err);
    cn_deformables *m = w->bodies.deformables;
    int k = -1, first = m->count;
    for (int n = 0; n < count; n++) {
        CN_TRY(check_nodes(w, id[n], x[n], v[n], &k, err));
        first = x[n] != NULL && k < first ? k : first; // whose forces change
    }
    cn_deformables_begin(m);
    for (int n = 0; n < count; n++) {
        CN_TRY(find_mesh(w, id[n], &k, err));
        if (v[n] != NULL) {
            cn_deformable_fit(m, k, v[n], m->v + m->dof_start[k]);
        }
        if (x[n] != NULL) {
            cn_deformable_fit(m, k, x[n], m->x + m->dof_start[k]);
        }
    }
    cn_status status = cn_deformables_refresh(m, first, err);
    if (status != CN_OK) {
        cn_deformables_restore(m);
        return status;
    }
    cn_bodies_publish(&w->bodies);
    cn_audit_start(&w->bodies, &w->ledger);
    return CN_OK;
}

cn_status cn_body_set_nodes(cn_world *w, cn_body_id id, const double *x, const double *v,
                            cn_error *err)
{
    return cn_world_set_nodes(w, 1, &id, &x, &v, err);
}

void cn_world_deform_work(const cn_world *w, int *factorizations, size_t *solves)
{
    if (factorizations != NULL) {
        *factorizations = w != NULL ? w->bodies.deformables->factors.factorization_count : 0;
    }
    if (solves != NULL) {
        *solves = w != NULL ? w->bodies.deformables->factors.solve_count : 0;
    }
}
