// deform/anchor.c -- contact sides on deformable bodies: velocities, impulses and rows of H at a
// point between nodes (theory 11.4), and the condensed rows of large bodies (11.14).
#include <string.h>

#include "deform/meshes.h"

cn_vec3 cn_anchor_velocity(const cn_meshes *m, const cn_anchor *anchor, const double *v)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    const double *own = v + m->dof_start[anchor->mesh];
    for (int k = 0; k < anchor->count; k++) {
        const double *at = own + m->dim * anchor->node[k];
        cn_vec3 node = cn_v3(at[0], at[1], m->dim == 3 ? at[2] : 0.0);
        sum = cn_add_mul3(sum, anchor->weight[k], node);
    }
    return sum;
}

void cn_anchor_push(cn_meshes *m, const cn_anchor *anchor, cn_vec3 r)
{
    double *own = m->impulse + m->dof_start[anchor->mesh];
    m->body[anchor->mesh].is_pushed = true;
    for (int k = 0; k < anchor->count; k++) {
        for (int d = 0; d < m->dim; d++) {
            own[m->dim * anchor->node[k] + d] += anchor->weight[k] * (&r.x)[d];
        }
    }
}

void cn_anchor_rows(const cn_meshes *m, const cn_anchor *anchor, int count, const cn_vec3 *axis,
                    double sign, double *H)
{
    int n = cn_mesh_dof(m, anchor->mesh);
    const unsigned char *held = m->held + m->dof_start[anchor->mesh];
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < anchor->count; k++) {
            for (int d = 0; d < m->dim; d++) {
                int dof = m->dim * anchor->node[k] + d;
                H[n * i + dof] += held[dof] ? 0.0 : sign * anchor->weight[k] * (&axis[i].x)[d];
            }
        }
    }
}

bool cn_mesh_is_small(const cn_meshes *m, int k)
{
    return cn_mesh_dof(m, k) <= CN_DENSE_MAX;
}

cn_status cn_anchor_activate(cn_meshes *m, const cn_anchor *anchor, cn_error *err)
{
    return cn_mesh_factor_activate(m->hooks, &m->factors, m->body[anchor->mesh].factor,
                                   anchor->node, anchor->count, err);
}

void cn_anchor_couple(const cn_meshes *m, const cn_anchor *a, const cn_vec3 *axis_a,
                      const cn_anchor *b, const cn_vec3 *axis_b, double sign, double *block)
{
    const cn_mesh_factor *factor = &m->factors.item[m->body[a->mesh].factor];
    int dim = m->dim;
    double sum[9] = {0};
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) {
            double part[9];
            cn_mesh_factor_block(factor, a->node[i], b->node[j], part);
            for (int k = 0; k < dim * dim; k++) {
                sum[k] += sign * a->weight[i] * b->weight[j] * part[k];
            }
        }
    }
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            double along = 0.0;
            for (int k = 0; k < dim; k++) {
                for (int l = 0; l < dim; l++) {
                    along += (&axis_a[i].x)[k] * sum[dim * k + l] * (&axis_b[j].x)[l];
                }
            }
            block[dim * i + j] += along;
        }
    }
}
