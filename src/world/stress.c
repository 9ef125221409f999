// world/stress.c -- stresses of deformable bodies at their nodes.
#include "world/world.h"

// Positions in the axes of the model.
static void local_positions(const cn_meshes *m, int k, double *x)
{
    for (int d = 0; d < cn_mesh_dof(m, k); d++) {
        x[d] = m->x[m->dof_start[k] + d] - m->body[k].at[d % m->dim];
    }
}

cn_status cn_body_node_stress(const cn_world *w, cn_body_id id, double *stress, cn_error *err)
{
    int i = cn_bodies_find(&w->bodies, id), k = i >= 0 ? w->bodies.mesh[i] : -1;
    if (k < 0) {
        return cn_fail(err, CN_BAD_INPUT, "body %llu does not exist or is not deformable",
                       (unsigned long long)id);
    }
    const cn_meshes *m = &w->bodies.meshes;
    const cn_fem *fem = cn_mesh_model(m, k)->fem;
    size_t points = (size_t)fem->point_start[fem->element_count], capacity = 0;
    size_t dofs = (size_t)fem->dof_count, nodes = (size_t)fem->node_count;
    double *work = NULL;
    CN_TRY(cn_reserve(&w->hooks, &work, &capacity, dofs + CN_FEM_STRESS * points + nodes, err));
    double *at_point = work + dofs, *scratch = at_point + CN_FEM_STRESS * points;
    local_positions(m, k, work);
    cn_status status = cn_fem_stress_points(fem, work, m->history + m->history_start[k], at_point,
                                            NULL, NULL, err);
    if (status == CN_OK && cn_mesh_is_pseudo_rigid(m, k)) {
        for (int n = 0; n < CN_FEM_STRESS * cn_mesh_model(m, k)->mesh->node_count; n++) {
            stress[n] = at_point[n % CN_FEM_STRESS];
        }
    } else if (status == CN_OK) {
        cn_fem_extrapolate(fem, CN_FEM_STRESS, at_point, stress, scratch);
    }
    cn_release(&w->hooks, work);
    return status;
}
