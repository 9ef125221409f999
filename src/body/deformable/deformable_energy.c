// body/deformable/deformable_energy.c -- what a step did to the energy of a deformable body,
// theory 11.19.
#include <math.h>
#include <string.h>

#include "body/deformable/deformable.h"

// Energy rows of one body in a step (11.19).
void cn_deformable_audit(cn_deformables *m, int k, cn_deformable_energy *e)
{
    cn_deformable_work p = cn_deformable_work_of(m, k, 0);
    double *mean = p.work, *change = p.work + p.n, *y = p.work + 2 * p.n, h = m->h;
    double theta = m->theta;
    *e = (cn_deformable_energy){.elastic = p.body->energy_new - *p.energy,
                                .plastic = p.body->plastic};
    for (int d = 0; d < p.n; d++) {
        mean[d] = 0.5 * (p.v[d] + p.v_before[d]);
        change[d] = p.v[d] - p.v_before[d];
    }
    memset(y, 0, sizeof(double) * (size_t)p.n);
    if (!m->settings.is_quasi_static) {
        cn_model_multiply_mass(p.model, p.n, change, y);
    }
    double *viscous = p.work + 3 * p.n, *dx = cn_deformable_matrix(&p);
    memset(viscous, 0, sizeof(double) * (size_t)p.n);
    for (int d = 0; d < p.n; d++) {
        dx[d] = h * (mean[d] + (theta - 0.5) * change[d]);
    }
    if (p.C != NULL) {
        cn_fem_multiply(p.model->fem, p.C, dx, viscous); // h C v_theta
    }
    double work = 0.0, left = 0.0; // of internal forces, and of what is left of the balance
    for (int d = 0; d < p.n; d++) {
        double weight = m->weight[m->dof_start[k] + d], applied = p.f[d] - weight;
        double drag = viscous[d] / h, F = p.f[d] - p.force[d] - drag;
        double missing = y[d] - h * F - p.impulse[d];
        e->kinetic += mean[d] * y[d];
        e->potential -= weight * dx[d];
        e->applied -= applied * dx[d];
        e->viscous += drag * dx[d];
        e->theta += (theta - 0.5) * h * F * change[d];
        work += p.force[d] * dx[d];
        m->reaction[m->dof_start[k] + d] = p.held[d] ? missing : 0.0;
        if (p.held[d]) {
            e->drive -= mean[d] * missing;
        } else {
            e->error += fabs(mean[d] * missing);
            left += mean[d] * missing;
        }
    }
    if (p.model->fem->is_linear) {
        cn_fem_multiply(p.model->fem, p.model->K, dx, y);
        for (int d = 0; d < p.n; d++) {
            e->theta += (theta - 0.5) * dx[d] * y[d];
        }
    } else {
        e->internal = work - e->elastic - e->plastic;
    }
    e->internal -= left;
}

double cn_deformable_kinetic(cn_deformables *m, int k, const double *v)
{
    cn_deformable_work p = cn_deformable_work_of(m, k, 0);
    double sum = 0.0;
    const double *own = v + m->dof_start[k];
    cn_model_multiply_mass(p.model, p.n, own, p.work);
    for (int d = 0; d < p.n && !m->settings.is_quasi_static; d++) {
        sum += 0.5 * own[d] * p.work[d];
    }
    return sum;
}
