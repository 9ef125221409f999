// body/deformable/balance.c -- internal forces of a deformable body and the balance of its step,
// theory 11.2, 11.3 and 11.9.
#include <math.h>
#include <string.h>

#include "body/deformable/deformable.h"

void cn_deformable_end_position(const cn_deformables *m, const cn_deformable_work *p,
                                const double *v, double *x)
{
    for (int k = 0; k < p->n; k++) {
        x[k] = p->x_before[k] + m->h * ((1.0 - m->theta) * p->v_before[k] + m->theta * v[k]);
    }
}

void cn_deformable_to_model(const cn_deformables *m, const cn_deformable_work *p, const double *x,
                            double *local)
{
    for (int k = 0; k < p->n; k++) {
        local[k] = x[k] - p->body->at[k % m->dim];
    }
}

// Displacements from the model, less that of the first node: the stiffness of a body does not see
// it where it is moved as a whole, and rounding would. About an axis radii cannot be shifted.
static void relative_displacements(const cn_fem *fem, int dim, double *local)
{
    double first[3] = {0.0, 0.0, 0.0};
    for (int d = fem->plane == CN_AXISYMMETRIC ? 1 : 0; d < dim; d++) {
        first[d] = local[d] - fem->X[d];
    }
    for (int k = 0; k < fem->dof_count; k++) {
        local[k] -= fem->X[k] + first[k % dim];
    }
}

cn_status cn_deformable_internal_force(const cn_deformables *m, const cn_deformable_work *p,
                                       const double *x, double *f, double *K, cn_fem_energy *energy,
                                       cn_error *err)
{
    double *local = p->work + 3 * p->n;
    cn_deformable_to_model(m, p, x, local);
    *energy = (cn_fem_energy){0};
    if (!p->model->fem->is_linear) {
        const cn_fem_history history = {p->history, p->history_new};
        return cn_fem_force(p->model->fem, local, &history, f, K, energy, err);
    }
    relative_displacements(p->model->fem, m->dim, local);
    cn_fem_multiply(p->model->fem, p->model->K, local, f);
    for (int k = 0; k < p->n; k++) {
        energy->stored += 0.5 * local[k] * f[k];
    }
    return CN_OK;
}

// Internal force that does the work of the stored energy between x_before and x (11.9).
static cn_status conserving_force(const cn_deformables *m, const cn_deformable_work *p,
                                  const double *x, double *K, cn_error *err)
{
    double *x_0 = p->work + p->n, *x_1 = p->work + 2 * p->n;
    cn_fem_energy found = {0};
    cn_deformable_to_model(m, p, p->x_before, x_0);
    cn_deformable_to_model(m, p, x, x_1);
    CN_TRY(cn_fem_force_between(p->model->fem, x_0, x_1, p->force, K, &found, err));
    memcpy(p->force_new, p->force, sizeof(double) * (size_t)p->n);
    p->body->energy_new = found.stored;
    p->body->plastic = 0.0;
    return CN_OK;
}

cn_status cn_deformable_weigh_force(const cn_deformables *m, const cn_deformable_work *p,
                                    const double *v, double *K, cn_error *err)
{
    double *x = p->work;
    cn_deformable_end_position(m, p, v, x);
    if (m->settings.is_conserving && !p->model->fem->is_linear) {
        return conserving_force(m, p, x, K, err);
    }
    cn_fem_energy found;
    CN_TRY(cn_deformable_internal_force(m, p, x, p->force_new, K, &found, err));
    p->body->energy_new = found.stored;
    p->body->plastic = found.plastic;
    for (int k = 0; k < p->n; k++) {
        p->force[k] = (1.0 - m->theta) * p->force_before[k] + m->theta * p->force_new[k];
    }
    return CN_OK;
}

void cn_deformable_balance(const cn_deformables *m, const cn_deformable_work *p, const double *v,
                           double *rest)
{
    double *change = p->work + p->n, *inertia = p->work + 2 * p->n, *viscous = p->work + 3 * p->n;
    double theta = m->theta;
    memset(inertia, 0, sizeof(double) * (size_t)p->n);
    memset(viscous, 0, sizeof(double) * (size_t)p->n);
    if (p->C != NULL) {
        for (int k = 0; k < p->n; k++) {
            change[k] = theta * v[k] + (1.0 - theta) * p->v_before[k];
        }
        cn_fem_multiply(p->model->fem, p->C, change, viscous);
    }
    if (!m->settings.is_quasi_static) {
        for (int k = 0; k < p->n; k++) {
            change[k] = v[k] - p->v_before[k];
        }
        cn_model_multiply_mass(p->model, p->n, change, inertia);
    }
    double scale = 0.0;
    for (int k = 0; k < p->n; k++) {
        double load = m->h * p->f[k], stress = m->h * p->force[k], drag = m->h * viscous[k];
        rest[k] = p->held[k] ? 0.0 : load - stress - drag - inertia[k];
        scale =
            fmax(scale, fmax(fmax(fabs(load), fabs(stress)), fmax(fabs(drag), fabs(inertia[k]))));
    }
    p->body->scale = scale;
}
