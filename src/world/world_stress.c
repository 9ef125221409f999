// world/world_stress.c -- stresses and strains of deformable bodies: at points, at nodes, their
// mean.
#include "world/world.h"

// Positions in the axes of the model.
static void local_positions(const cn_deformables *m, int k, double *x)
{
    for (int d = 0; d < cn_deformable_dof(m, k); d++) {
        x[d] = m->x[m->dof_start[k] + d] - m->body[k].at[d % m->dim];
    }
}

static cn_status find_mesh(const cn_world *w, cn_body_id id, int *k, cn_error *err)
{
    int i = cn_bodies_find(&w->bodies, id);
    *k = i >= 0 ? w->bodies.deformable[i] : -1;
    return *k >= 0 ? CN_OK
                   : cn_fail(err, CN_BAD_INPUT, "body %llu does not exist or is not deformable",
                             (unsigned long long)id);
}

int cn_body_point_count(const cn_world *w, cn_body_id id)
{
    int i = w != NULL ? cn_bodies_find(&w->bodies, id) : -1;
    int k = i >= 0 ? w->bodies.deformable[i] : -1;
    const cn_fem *fem = k >= 0 ? cn_deformable_model(w->bodies.deformables, k)->fem : NULL;
    return fem != NULL ? fem->point_start[fem->element_count] : 0;
}

// Positions of the nodes of a body in its own frame; the caller releases them.
static cn_status take_positions(const cn_world *w, cn_body_id id, int *k, double **x, cn_error *err)
{
    size_t capacity = 0;
    CN_TRY(find_mesh(w, id, k, err));
    const cn_deformables *m = w->bodies.deformables;
    CN_TRY(cn_reserve(&w->hooks, x, &capacity, (size_t)cn_deformable_dof(m, *k), err));
    local_positions(m, *k, *x);
    return CN_OK;
}

cn_status cn_body_point_stress(const cn_world *w, cn_body_id id, double *stress, double *strain,
                               double *plastic, cn_error *err)
{
    CN_NEED(err, w);
    int k;
    double *x = NULL;
    CN_TRY(take_positions(w, id, &k, &x, err));
    const cn_deformables *m = w->bodies.deformables;
    cn_status status =
        cn_fem_stress_points(cn_deformable_model(m, k)->fem, x, m->history + m->history_start[k],
                             stress, strain, plastic, err);
    cn_release(&w->hooks, x);
    return status;
}

cn_status cn_body_mean_stress(const cn_world *w, cn_body_id id, double mean[6], double *volume,
                              cn_error *err)
{
    CN_NEED(err, w, mean, volume);
    int k;
    double *x = NULL;
    CN_TRY(take_positions(w, id, &k, &x, err));
    const cn_deformables *m = w->bodies.deformables;
    cn_status status = cn_fem_stress_mean(cn_deformable_model(m, k)->fem, x,
                                          m->history + m->history_start[k], mean, volume, err);
    cn_release(&w->hooks, x);
    return status;
}

// A field of points at the nodes; the only point of a pseudo-rigid body stands for all of it.
static void carry(const cn_deformables *m, int k, const double *at_point, double *at_node,
                  double *work)
{
    const cn_model *model = cn_deformable_model(m, k);
    if (!cn_deformable_is_pseudo_rigid(m, k)) {
        cn_fem_extrapolate(model->fem, CN_FEM_STRESS, at_point, at_node, work);
        return;
    }
    for (int n = 0; n < CN_FEM_STRESS * model->mesh->node_count; n++) {
        at_node[n] = at_point[n % CN_FEM_STRESS];
    }
}

cn_status cn_body_node_strain(const cn_world *w, cn_body_id id, double *stress, double *strain,
                              cn_error *err)
{
    CN_NEED(err, w);
    int k;
    CN_TRY(find_mesh(w, id, &k, err));
    const cn_deformables *m = w->bodies.deformables;
    size_t points = CN_FEM_STRESS * (size_t)cn_body_point_count(w, id), capacity = 0;
    size_t nodes = (size_t)cn_deformable_model(m, k)->mesh->node_count;
    double *work = NULL;
    CN_TRY(cn_reserve(&w->hooks, &work, &capacity, 2 * points + nodes, err));
    cn_status status = cn_body_point_stress(w, id, work, work + points, NULL, err);
    if (status == CN_OK && stress != NULL) {
        carry(m, k, work, stress, work + 2 * points);
    }
    if (status == CN_OK && strain != NULL) {
        carry(m, k, work + points, strain, work + 2 * points);
    }
    cn_release(&w->hooks, work);
    return status;
}

cn_status cn_body_node_stress(const cn_world *w, cn_body_id id, double *stress, cn_error *err)
{
    CN_NEED(err, w, stress);
    return cn_body_node_strain(w, id, stress, NULL, err);
}
