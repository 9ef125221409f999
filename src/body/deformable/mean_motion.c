// body/deformable/mean_motion.c -- where a deformable body is as a whole: mass centre, mean
// rotation and velocities (theory 11.26).
#include <math.h>

#include "body/deformable/deformables.h"

static cn_vec3 vec_at(const cn_deformables *m, const double *x, int n)
{
    const double *at = x + m->dim * n;
    return cn_v3(at[0], at[1], m->dim == 3 ? at[2] : 0.0);
}

// By the mean of the matrix and its inverse transpose, repeated.
cn_mat3 cn_mat3_rotation(cn_mat3 F)
{
    for (int k = 0; k < 60; k++) {
        cn_vec3 *r = F.row;
        cn_vec3 a = cn_cross3(r[1], r[2]), b = cn_cross3(r[2], r[0]), c = cn_cross3(r[0], r[1]);
        double det = cn_dot3(r[0], a);
        if (!(det > 0.0)) {
            return (cn_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        }
        cn_vec3 inverse[3] = {cn_mul3(1.0 / det, a), cn_mul3(1.0 / det, b), cn_mul3(1.0 / det, c)};
        double change = 0.0;
        for (int i = 0; i < 3; i++) {
            cn_vec3 next = cn_mul3(0.5, cn_add3(r[i], inverse[i]));
            change += cn_norm3(cn_sub3(next, r[i]));
            r[i] = next;
        }
        if (change < 1e-15) {
            break;
        }
    }
    return F;
}

// Rotation that fits sum m a A^T best, A the reference positions from the centre.
static cn_mat3 mean_rotation(const cn_deformables *m, int k, const double *x, cn_vec3 centre)
{
    const cn_model *model = cn_deformable_model(m, k);
    const cn_fem *fem = model->fem;
    cn_mat3 F = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int n = 0; n < fem->node_count; n++) {
        cn_vec3 a = cn_sub3(vec_at(m, x, n), centre);
        cn_vec3 A = cn_sub3(vec_at(m, fem->X, n), model->centre);
        double mass = fem->mass[m->dim * n];
        for (int i = 0; i < 3; i++) {
            F.row[i] = cn_add_mul3(F.row[i], mass * (&a.x)[i], A);
        }
    }
    if (m->dim == 2) {
        double c = F.row[0].x + F.row[1].y, s = F.row[1].x - F.row[0].y, r = hypot(c, s);
        c = r > 0.0 ? c / r : 1.0;
        s = r > 0.0 ? s / r : 0.0;
        return (cn_mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
    }
    double size = sqrt(cn_dot3(F.row[0], F.row[0]) + cn_dot3(F.row[1], F.row[1]) +
                       cn_dot3(F.row[2], F.row[2]));
    for (int i = 0; i < 3; i++) {
        F.row[i] = cn_mul3(1.0 / size, F.row[i]);
    }
    return cn_mat3_rotation(F);
}

// Angular velocity with the angular momentum of the nodes.
static cn_vec3 mean_rate(const cn_deformables *m, int k, const double *x, const double *v,
                         const cn_deformable_mean *mean)
{
    const cn_fem *fem = cn_deformable_model(m, k)->fem;
    cn_vec3 L = {0}, I[3] = {{0}};
    for (int n = 0; n < fem->node_count; n++) {
        double mass = fem->mass[m->dim * n];
        cn_vec3 a = cn_sub3(vec_at(m, x, n), mean->x);
        L = cn_add_mul3(L, mass, cn_cross3(a, cn_sub3(vec_at(m, v, n), mean->v)));
        for (int i = 0; i < 3; i++) {
            cn_vec3 row = cn_mul3(-(&a.x)[i], a);
            (&row.x)[i] += cn_dot3(a, a);
            I[i] = cn_add_mul3(I[i], mass, row);
        }
    }
    if (m->dim == 2) {
        return cn_v3(0.0, 0.0, L.z / I[2].z);
    }
    cn_vec3 a = cn_cross3(I[1], I[2]), b = cn_cross3(I[2], I[0]), c = cn_cross3(I[0], I[1]);
    double det = cn_dot3(I[0], a);
    return cn_add3(cn_mul3(L.x / det, a), cn_add3(cn_mul3(L.y / det, b), cn_mul3(L.z / det, c)));
}

cn_deformable_mean cn_deformable_mean_of(const cn_deformables *m, int k)
{
    const cn_fem *fem = cn_deformable_model(m, k)->fem;
    const double *x = m->x + m->dof_start[k], *v = m->v + m->dof_start[k];
    cn_deformable_mean mean = {0};
    for (int n = 0; n < fem->node_count; n++) {
        double share = fem->mass[m->dim * n] / fem->total_mass;
        mean.x = cn_add_mul3(mean.x, share, vec_at(m, x, n));
        mean.v = cn_add_mul3(mean.v, share, vec_at(m, v, n));
    }
    mean.R = mean_rotation(m, k, x, mean.x);
    mean.rate = mean_rate(m, k, x, v, &mean);
    return mean;
}

double cn_deformable_range(const cn_deformables *m, int k, cn_vec3 centre, const double *field)
{
    double most = 0.0;
    for (int n = 0; n < cn_deformable_model(m, k)->mesh->node_count; n++) {
        most = fmax(most, cn_norm3(cn_sub3(cn_deformable_at(m, k, n, field), centre)));
    }
    return most;
}

double cn_deformable_spread(const cn_deformables *m, int k, cn_vec3 centre)
{
    return fmax(cn_deformable_range(m, k, centre, m->v),
                cn_deformable_range(m, k, centre, m->v_free));
}
