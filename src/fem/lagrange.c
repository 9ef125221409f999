// fem/lagrange.c -- Green-Lagrange strains of an element, with mean dilatation (theory 10.11,
// 10.13).
#include <math.h>
#include <string.h>

#include "fem/cell.h"
#include "math/tensor.h"

// Motion at one point.
typedef struct motion {
    double F[9], J;
    double C[6];                       // F^T F as a strain: shears doubled
    double slope[CN_ELEMENT_DOFS_MAX]; // d ln J/dx without the hoop
    double hoop[CN_ELEMENT_NODES_MAX]; // its hoop part, axisymmetric
} motion;

// Mean over the element (10.13).
typedef struct dilatation {
    double J;                                                // volume over volume at rest
    double slope[CN_ELEMENT_DOFS_MAX];                       // d ln J/dx
    double curve[CN_ELEMENT_DOFS_MAX * CN_ELEMENT_DOFS_MAX]; // d2 ln J/dx2
} dilatation;

// F and F^T F; false if the point is turned inside out.
static bool move(const cn_cell *c, int p, const double *x, motion *m)
{
    memset(m->F, 0, sizeof m->F);
    m->F[8] = 1.0;
    if (c->dim == 3 || c->is_axisymmetric) {
        m->F[8] = 0.0;
    }
    for (int a = 0; a < c->n; a++) {
        const double *g = c->gradient + c->width * (c->n * p + a), *at = x + c->dim * a;
        for (int i = 0; i < c->dim; i++) {
            for (int j = 0; j < c->dim; j++) {
                m->F[3 * i + j] += at[i] * g[j];
            }
        }
        m->F[8] += c->is_axisymmetric ? at[0] * g[2] : 0.0;
    }
    m->J = cn_tensor_det(m->F);
    double Ft[9], C[9];
    cn_tensor_transpose(m->F, Ft);
    cn_tensor_mul(Ft, m->F, C);
    cn_tensor_voigt(C, 2.0, m->C);
    return m->J > 0.0;
}

// d ln J/dx_a = F^-T g_a, and N/r in the hoop.
static void log_slope(const cn_cell *c, int p, motion *m)
{
    double inverse[9];
    cn_tensor_inverse(m->F, inverse);
    for (int a = 0; a < c->n; a++) {
        const double *g = c->gradient + c->width * (c->n * p + a);
        for (int i = 0; i < c->dim; i++) {
            double sum = 0.0;
            for (int j = 0; j < c->dim; j++) {
                sum += inverse[3 * j + i] * g[j];
            }
            m->slope[c->dim * a + i] = sum;
        }
        m->hoop[a] = c->is_axisymmetric ? g[2] * inverse[8] : 0.0;
    }
}

static double full_slope(const cn_cell *c, const motion *m, int q)
{
    return m->slope[q] + (q % c->dim == 0 ? m->hoop[q / c->dim] : 0.0);
}

// - d2 ln J/dx_q dx_t at a point.
static double log_curve(const cn_cell *c, const motion *m, int q, int t)
{
    int d = c->dim, a = q / d, i = q % d, b = t / d, j = t % d;
    double hoop = i == 0 && j == 0 ? m->hoop[a] * m->hoop[b] : 0.0;
    return m->slope[d * b + i] * m->slope[d * a + j] + hoop;
}

// Mean dilatation and its derivatives; the second ones only for a tangent under stress.
static bool average(const cn_cell *c, const double *x, dilatation *mean)
{
    int nd = c->n * c->dim;
    double rest = 0.0, now = 0.0;
    memset(mean->slope, 0, (size_t)nd * sizeof *mean->slope);
    bool wants_curve = c->wants_tangent && !c->is_rest;
    if (wants_curve) {
        memset(mean->curve, 0, (size_t)(nd * nd) * sizeof *mean->curve);
    }
    for (int p = 0; p < c->point_count; p++) {
        motion m;
        if (!move(c, p, x, &m)) {
            return false;
        }
        log_slope(c, p, &m);
        double w = c->weight[p] * m.J;
        rest += c->weight[p];
        now += w;
        for (int q = 0; q < nd; q++) {
            double slope = full_slope(c, &m, q);
            mean->slope[q] += w * slope;
            for (int t = q; wants_curve && t < nd; t++) {
                mean->curve[nd * q + t] +=
                    w * (slope * full_slope(c, &m, t) - log_curve(c, &m, q, t));
            }
        }
    }
    mean->J = now / rest;
    for (int q = 0; q < nd; q++) {
        mean->slope[q] /= now;
    }
    for (int q = 0; wants_curve && q < nd; q++) {
        for (int t = q; t < nd; t++) {
            mean->curve[nd * q + t] =
                mean->curve[nd * q + t] / now - mean->slope[q] * mean->slope[t];
        }
    }
    return true;
}

// Rows of dE/dx (10.11).
static void green_rows(const cn_cell *c, int p, const motion *m, double *B)
{
    int nd = c->n * c->dim;
    memset(B, 0, (size_t)(c->strain_count * nd) * sizeof *B);
    for (int q = 0; q < nd; q++) {
        int i = q % c->dim;
        const double *g = c->gradient + c->width * (c->n * p + q / c->dim), *F = m->F + 3 * i;
        B[q] = F[0] * g[0];
        B[nd + q] = F[1] * g[1];
        B[3 * nd + q] = F[0] * g[1] + F[1] * g[0];
        if (c->dim == 3) {
            B[2 * nd + q] = F[2] * g[2];
            B[4 * nd + q] = F[1] * g[2] + F[2] * g[1];
            B[5 * nd + q] = F[2] * g[0] + F[0] * g[2];
        } else if (c->is_axisymmetric && i == 0) {
            B[2 * nd + q] = m->F[8] * g[2];
        }
    }
}

// Term of (10.6) with the change of B: (g_a . S g_b) on equal axes, times `factor`.
static void add_geometric(const cn_cell *c, int p, const double *S, double factor, cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    double full[9];
    cn_tensor_full(S, factor * c->weight[p], full);
    for (int k = 0; k < 3; k++) {
        full[4 * k] *= factor * c->weight[p];
    }
    for (int a = 0; a < c->n; a++) {
        const double *g = c->gradient + c->width * (c->n * p + a);
        double Sg[3] = {0.0};
        for (int i = 0; i < c->dim; i++) {
            for (int j = 0; j < c->dim; j++) {
                Sg[i] += full[3 * i + j] * g[j];
            }
        }
        for (int b = a; b < c->n; b++) {
            const double *h = c->gradient + c->width * (c->n * p + b);
            double value = Sg[0] * h[0] + Sg[1] * h[1] + (c->dim == 3 ? Sg[2] * h[2] : 0.0);
            for (int k = 0; k < c->dim; k++) {
                double hoop = c->is_axisymmetric && k == 0 ? full[8] * g[2] * h[2] : 0.0;
                s->K[nd * (c->dim * a + k) + c->dim * b + k] += value + hoop;
            }
        }
    }
}

// Second variation of (10.13) times the stress, without the part of add_geometric. `across` is
// d(ln Jbar - ln J)/dx, `along` is B^T S.
static void add_dilatation(const cn_cell *c, int p, const motion *m, const dilatation *mean,
                           const double *S, double factor, const double *across,
                           const double *along, cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    double w = c->weight[p] * factor, press = 0.0;
    for (int k = 0; k < 6; k++) {
        press += S[k] * m->C[k];
    }
    for (int q = 0; q < nd; q++) {
        for (int t = q; t < nd; t++) {
            double curve = mean->curve[nd * q + t] + log_curve(c, m, q, t);
            s->K[nd * q + t] +=
                w * (2.0 / 3.0 * (across[q] * along[t] + along[q] * across[t]) +
                     2.0 / 9.0 * press * across[q] * across[t] + press / 3.0 * curve);
        }
    }
}

// Strain and rows of (10.13) out of those of (10.11); returns (Jbar/J)^(2/3).
static double replace_dilatation(const cn_cell *c, const motion *m, const dilatation *mean,
                                 const double *across, double *B)
{
    int nd = c->n * c->dim;
    double factor = cbrt(mean->J / m->J);
    factor *= factor;
    // C as a strain has doubled shears, the rows are those of strains: C counts as it is.
    for (int i = 0; i < c->strain_count; i++) {
        for (int q = 0; q < nd; q++) {
            B[nd * i + q] = factor * (B[nd * i + q] + across[q] * m->C[i] / 3.0);
        }
    }
    return factor;
}

static bool add_point(const cn_cell *c, int p, const double *x, const dilatation *mean,
                      cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    double B[CN_VOIGT * CN_ELEMENT_DOFS_MAX], plain[CN_VOIGT * CN_ELEMENT_DOFS_MAX];
    double across[CN_ELEMENT_DOFS_MAX], along[CN_ELEMENT_DOFS_MAX], strain[6], factor = 1.0;
    motion m;
    if (!move(c, p, x, &m)) {
        return false;
    }
    green_rows(c, p, &m, B);
    if (c->has_bbar) {
        log_slope(c, p, &m);
        for (int q = 0; q < nd; q++) {
            across[q] = mean->slope[q] - full_slope(c, &m, q);
        }
        memcpy(plain, B, (size_t)(c->strain_count * nd) * sizeof *B);
        factor = replace_dilatation(c, &m, mean, across, B);
    }
    for (int k = 0; k < 6; k++) {
        strain[k] = 0.5 * (factor * m.C[k] - (k < 3 ? 1.0 : 0.0));
    }
    cn_response response;
    if (!cn_cell_respond(c, p, strain, &response)) {
        return false;
    }
    cn_cell_add(c, p, B, &response, s);
    if (c->wants_tangent && !c->is_rest) {
        add_geometric(c, p, response.stress, factor, s);
        if (c->has_bbar) {
            memset(along, 0, sizeof along);
            for (int k = 0; k < nd * c->strain_count; k++) {
                along[k % nd] += plain[k] * response.stress[k / nd];
            }
            add_dilatation(c, p, &m, mean, response.stress, factor, across, along, s);
        }
    }
    return true;
}

bool cn_cell_lagrange(const cn_cell *c, const double *x, cn_cell_sums *s)
{
    dilatation mean;
    if (c->has_bbar && !average(c, x, &mean)) {
        return false;
    }
    for (int p = 0; p < c->point_count; p++) {
        if (!add_point(c, p, x, &mean, s)) {
            return false;
        }
    }
    return true;
}
