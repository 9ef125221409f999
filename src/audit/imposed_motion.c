// audit/imposed_motion.c -- whether held and driven degrees of freedom do what they were told,
// theory 9.6.
//
// What load/ imposes is compared with what a step ends with, whoever moved the bodies in between.
#include <math.h>

#include "audit/audit.h"

// |v - v_imposed| h along an arm; infinite for what is no number, 0 for a half-plane that stands
// [m].
static double miss_of(double v, double told, double arm)
{
    double miss = v == told ? 0.0 : fabs(v - told) * arm;
    return isnan(miss) ? INFINITY : miss;
}

// Largest |v - v_imposed| h over the held degrees of freedom of rigid body i; rotations count with
// the reach of the body [m].
static double miss_of_rigid(const cn_bodies *b, int i, double h)
{
    const double *v = cn_body_v(b, b->v, i), *told = cn_body_v(b, b->v_free, i);
    double worst = 0.0;
    for (int d = 0; d < b->kind->dof; d++) {
        double arm = d < b->dim ? h : h * b->reach[i];
        worst = cn_dof_is_held(b, i, d) ? fmax(worst, miss_of(v[d], told[d], arm)) : worst;
    }
    return worst;
}

// The same over the nodes of deformable body k.
static double miss_of_mesh(const cn_deformables *m, int k, double h)
{
    double worst = 0.0;
    for (int d = m->dof_start[k]; d < m->dof_start[k + 1]; d++) {
        worst = m->held[d] ? fmax(worst, miss_of(m->v[d], m->v_imposed[d], h)) : worst;
    }
    return worst;
}

void cn_audit_drives(const cn_bodies *b, double h, cn_certificate *certificate)
{
    certificate->drive_error = 0.0;
    certificate->drive_worst = 0;
    for (int i = 0; i < b->count; i++) {
        double miss = 0.0;
        if (b->deformable[i] >= 0) {
            miss = miss_of_mesh(b->deformables, b->deformable[i], h);
        } else if (b->held[i] != 0) {
            miss = miss_of_rigid(b, i, h);
        }
        if (miss > certificate->drive_error) {
            certificate->drive_error = miss;
            certificate->drive_worst = b->id[i];
        }
    }
}
