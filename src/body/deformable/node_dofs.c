// body/deformable/node_dofs.c -- nodes of a mesh and the degrees of freedom behind them: the same
// for bodies of elements, affine functions of dim + 1 nodes for pseudo-rigid ones (theory 11.27
// to 11.29).
#include <string.h>

#include "body/deformable/deformables.h"
#include "math/small_systems.h"

cn_vec3 cn_deformable_at(const cn_deformables *m, int k, int node, const double *field)
{
    const double *weight = cn_deformable_model(m, k)->weight, *own = field + m->dof_start[k];
    int dim = m->dim;
    double sum[3] = {0.0, 0.0, 0.0};
    if (weight == NULL) {
        memcpy(sum, own + dim * node, sizeof(double) * (size_t)dim);
        return cn_v3(sum[0], sum[1], sum[2]);
    }
    for (int n = 0; n <= dim; n++) { // (11.28)
        for (int d = 0; d < dim; d++) {
            sum[d] += weight[(dim + 1) * node + n] * own[dim * n + d];
        }
    }
    return cn_v3(sum[0], sum[1], sum[2]);
}

void cn_deformable_push(const cn_deformables *m, int k, int node, cn_vec3 force, double *field)
{
    cn_deformable_push_own(m, k, node, force, field + m->dof_start[k]);
}

void cn_deformable_push_own(const cn_deformables *m, int k, int node, cn_vec3 force, double *own)
{
    const double *weight = cn_deformable_model(m, k)->weight;
    int dim = m->dim;
    for (int n = 0; n < (weight != NULL ? dim + 1 : 1); n++) {
        double share = weight != NULL ? weight[(dim + 1) * node + n] : 1.0;
        int to = weight != NULL ? n : node;
        for (int d = 0; d < dim; d++) {
            own[dim * to + d] += share * (&force.x)[d];
        }
    }
}

static void place(const cn_deformables *m, int k, const double *field, double *points)
{
    for (int n = 0; n < cn_deformable_model(m, k)->mesh->node_count; n++) {
        cn_vec3 at = cn_deformable_at(m, k, n, field);
        memcpy(points + m->point_start[k] + m->dim * n, &at, sizeof(double) * (size_t)m->dim);
    }
}

void cn_deformable_place_points(cn_deformables *m, int k)
{
    if (cn_deformable_is_pseudo_rigid(m, k)) {
        place(m, k, m->x_mid, m->point_mid);
    }
}

// What holds the body as a whole has no place in it: it is shared by the nodes by their masses.
static void show_reaction(cn_deformables *m, int k)
{
    const cn_model *model = cn_deformable_model(m, k);
    double sum[3] = {0.0, 0.0, 0.0}, *shown = m->point_reaction + m->point_start[k];
    for (int d = 0; d < model->fem->dof_count; d++) {
        sum[d % m->dim] += m->reaction[m->dof_start[k] + d];
    }
    for (int d = 0; d < model->mesh->dof_count; d++) {
        shown[d] = model->mesh->mass[d] / model->mesh->total_mass * sum[d % m->dim];
    }
}

void cn_deformable_show_points(cn_deformables *m, int k)
{
    if (cn_deformable_is_pseudo_rigid(m, k)) {
        place(m, k, m->x, m->point_x);
        place(m, k, m->v, m->point_v);
        show_reaction(m, k);
    }
}

void cn_deformable_fit(const cn_deformables *m, int k, const double *at_nodes, double *own)
{
    const cn_model *model = cn_deformable_model(m, k);
    int dim = m->dim, width = dim + 1;
    if (model->weight == NULL) {
        memcpy(own, at_nodes, sizeof(double) * (size_t)model->fem->dof_count);
        return;
    }
    double A[4 * 4] = {0.0}, b[4 * 3] = {0.0}; // least squares, each node with its mass
    for (int n = 0; n < model->mesh->node_count; n++) {
        const double *N = model->weight + width * n;
        double mass = model->mesh->mass[dim * n];
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
                A[width * i + j] += mass * N[i] * N[j];
            }
            for (int d = 0; d < dim; d++) {
                b[dim * i + d] += mass * N[i] * at_nodes[dim * n + d];
            }
        }
    }
    cn_small_solve(width, dim, A, b);
    memcpy(own, b, sizeof(double) * (size_t)(width * dim));
}
