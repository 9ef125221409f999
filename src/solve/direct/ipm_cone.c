// solve/direct/ipm_cone.c -- the cones of the interior-point method, theory 13.13 to 13.16.
#include <math.h>

#include "math/small_systems.h"
#include "solve/direct/ipm.h"

// Shift, its slope and the residual p of a cone (13.13).
static void linearize(const cn_solver *s, const cn_packed *c, int n, cn_interior *m)
{
    const double *u = m->u + c->row;
    double eps = m->is_lagged ? 0.0 : m->kappa * sqrt(m->gap * s->W_diag[c->a]);
    double slip = cn_tangential(c->rows, u), length = hypot(slip, eps);
    double cube = length * length * length;
    double slope = cube > 0.0 ? (slip * slip + 2.0 * eps * eps) / cube : 0.0;
    for (int k = 1; k < c->rows; k++) {
        m->slope[2 * n + k - 1] = m->is_lagged ? 0.0 : c->mu * u[k] * slope;
    }
    double shift = length > 0.0 ? c->mu * slip * slip / length : 0.0;
    shift = m->frozen != NULL ? m->frozen[n] : shift;
    for (int k = 0; k < c->rows; k++) {
        m->p[c->row + k] = cn_inner_weight(c, k) * u[k] + (k == 0 ? shift : 0.0) - m->q[c->row + k];
    }
}

// D v for D = S (I + n slope^T).
static void apply_D(const cn_packed *c, const double *slope, const double *v, double *Dv)
{
    for (int k = 0; k < c->rows; k++) {
        Dv[k] = cn_inner_weight(c, k) * v[k];
    }
    for (int k = 1; k < c->rows; k++) {
        Dv[0] += slope[k - 1] * v[k];
    }
}

// X <- S (I + T^-2 D C S)^-1 X for a block X of `columns` columns: what compliance makes of T^-2 D
// and of right-hand sides. Without compliance X <- S X.
static void soften(const cn_problem *p, const cn_packed *c, const cn_scaling *scale,
                   const double *slope, int columns, double *X)
{
    int rows = c->rows;
    double give = 0.0;
    for (int k = 0; k < rows; k++) {
        give += cn_row_or_zero(p->c, c->row + k);
    }
    if (give > 0.0) {
        double T[9], A[9];
        cn_soc_square(rows, scale, true, T);
        for (int j = 0; j < rows; j++) {
            double unit[3] = {0.0}, D[3];
            unit[j] = cn_inner_weight(c, j) * cn_row_or_zero(p->c, c->row + j);
            apply_D(c, slope, unit, D);
            for (int i = 0; i < rows; i++) {
                A[rows * i + j] = (i == j ? 1.0 : 0.0) + cn_soc_dot(rows, T + rows * i, D);
            }
        }
        cn_small_solve(rows, columns, A, X);
    }
    for (int k = 0; k < rows * columns; k++) {
        X[k] *= cn_inner_weight(c, k / columns);
    }
}

// E = S (T^2 + D C S)^-1 D over bodies.
static void find_E(const cn_problem *p, const cn_packed *c, const cn_scaling *scale,
                   const double *slope, double *E)
{
    int rows = c->rows;
    double T[9];
    cn_soc_square(rows, scale, true, T);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            E[rows * i + j] = cn_inner_weight(c, j) * T[rows * i + j] +
                              (j > 0 ? T[rows * i] * slope[j - 1] : 0.0);
        }
    }
    soften(p, c, scale, slope, rows, E);
}

// M = T^2 S^-1 + D C and N = D over rows; without friction the tangential impulses stay zero.
static void find_MN(const cn_problem *p, const cn_packed *c, const cn_scaling *scale,
                    const double *slope, double *M, double *N)
{
    int rows = c->rows;
    cn_soc_square(rows, scale, false, M);
    for (int j = 0; j < rows; j++) {
        double unit[3] = {0.0}, D[3];
        unit[j] = 1.0;
        apply_D(c, slope, unit, D);
        for (int i = 0; i < rows; i++) {
            bool is_idle = c->mu == 0.0 && i > 0;
            M[rows * i + j] = c->mu == 0.0 && (i > 0 || j > 0)
                                  ? (i == j ? 1.0 : 0.0)
                                  : M[rows * i + j] / cn_inner_weight(c, j) +
                                        D[i] * cn_row_or_zero(p->c, c->row + j);
            N[rows * i + j] = is_idle ? 0.0 : D[i];
        }
    }
}

void cn_inner_cone_factor(const cn_solver *s, const cn_problem *p, int n, cn_interior *m)
{
    static const double no_slope[2] = {0.0, 0.0};
    const cn_packed *c = &s->packed[n];
    const cn_linear_system *k = s->system;
    const double *slope = m->slope + 2 * n;
    m->scale[n] = cn_soc_scale(c->rows, m->q + c->row, m->z + c->row);
    cn_soc_map(c->rows, &m->scale[n], false, m->z + c->row, m->lambda + c->row);
    linearize(s, c, n, m);
    if (k->is_stored) {
        find_MN(p, c, &m->scale[n], slope, k->M + k->block_at[n], k->N + k->block_at[n]);
    } else {
        find_E(p, c, &m->scale[n], slope, m->E_exact + k->block_at[n]);
        find_E(p, c, &m->scale[n], m->is_direct ? slope : no_slope, k->E + k->block_at[n]);
    }
}

// T^-1 k with k = lambda \ (-lambda o lambda), and for the corrector with the second-order term of
// the predictor and the centring `centre` (13.16), or as much as keeps a contact that slides off
// the edges of both cones by more than rounding (13.18).
static void find_target(const cn_packed *c, int n, bool is_corrector, double centre, cn_interior *m)
{
    int rows = c->rows;
    const double *lambda = m->lambda + c->row;
    double d[3], k[3];
    cn_soc_product(rows, lambda, lambda, d);
    for (int i = 0; i < rows; i++) {
        d[i] = -d[i];
    }
    if (is_corrector) {
        double a[3], b[3], ab[3];
        cn_soc_map(rows, &m->scale[n], true, m->dq + c->row, a);
        cn_soc_map(rows, &m->scale[n], false, m->dz + c->row, b);
        cn_soc_product(rows, a, b, ab);
        for (int i = 0; i < rows; i++) {
            d[i] -= ab[i];
        }
        d[0] += fmax(centre, m->edge * m->q[c->row] * m->z[c->row]);
    }
    cn_soc_divide(rows, lambda, d, k);
    cn_soc_map(rows, &m->scale[n], true, k, m->t + c->row);
}

// S (T^-1 k - T^-2 p) over bodies, T k - p over rows.
void cn_inner_cone_right(const cn_solver *s, const cn_problem *p, int n, bool is_corrector,
                         double centre, cn_interior *m)
{
    const cn_linear_system *k = s->system;
    const cn_packed *c = &s->packed[n];
    int rows = c->rows;
    find_target(c, n, is_corrector, centre, m);
    double *b = m->b + c->row, block[9];
    const double *residual = m->p + c->row, *t = m->t + c->row;
    cn_soc_square(rows, &m->scale[n], !k->is_stored, block);
    for (int i = 0; i < rows; i++) {
        b[i] = k->is_stored ? cn_soc_dot(rows, block + rows * i, t) - residual[i]
                            : t[i] - cn_soc_dot(rows, block + rows * i, residual);
        b[i] = k->is_stored && c->mu == 0.0 && i > 0 ? 0.0 : b[i];
    }
    if (!k->is_stored) {
        soften(p, c, &m->scale[n], m->slope + 2 * n, 1, b);
    }
}

// Over bodies du = (W + C) x is what was solved for, dq = D du + p and
// dz = T^-1 k - T^-2 dq; over rows it is x, dz = S^-1 x and dq = T k - T^2 dz, which is exact where
// T^-2 is large.
void cn_inner_cone_step(const cn_solver *s, const cn_problem *p, int n, cn_interior *m)
{
    const cn_packed *c = &s->packed[n];
    int rows = c->rows;
    double block[9], *dq = m->dq + c->row, *dz = m->dz + c->row, *t = m->t + c->row;
    bool is_stored = s->system->is_stored;
    cn_soc_square(rows, &m->scale[n], !is_stored, block);
    if (is_stored) {
        for (int i = 0; i < rows; i++) {
            dz[i] = cn_inner_weight(c, i) > 0.0 ? m->x[c->row + i] / cn_inner_weight(c, i) : 0.0;
        }
    } else {
        double du[3];
        for (int i = 0; i < rows; i++) {
            du[i] = m->Wx[c->row + i] + cn_row_or_zero(p->c, c->row + i) * m->x[c->row + i];
        }
        apply_D(c, m->slope + 2 * n, du, dq);
        for (int i = 0; i < rows; i++) {
            dq[i] += m->p[c->row + i];
        }
    }
    for (int i = 0; i < rows; i++) {
        const double *T = block + rows * i;
        if (is_stored) {
            dq[i] = cn_soc_dot(rows, T, t) - cn_soc_dot(rows, T, dz);
        } else {
            dz[i] = t[i] - cn_soc_dot(rows, T, dq);
        }
    }
}
