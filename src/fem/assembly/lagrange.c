// fem/assembly/lagrange.c -- Green-Lagrange strains of an element, with mean dilatation
// (theory 10.11, 10.13).
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"
#include "math/tensor.h"

// Motion at one point.
typedef struct motion {
    double F[9], J;
    double C[6];                       // F^T F as a strain: shears doubled
    double slope[CN_ELEMENT_DOFS_MAX]; // d ln J/dx, with mean dilatation only
    double hoop[CN_ELEMENT_NODES_MAX]; // what the circumference adds to it, axisymmetric
} motion;

// Mean over the element (10.13).
typedef struct dilatation {
    motion at[CN_BBAR_POINTS_MAX];
    double J;                                                // volume over volume at rest
    double slope[CN_ELEMENT_DOFS_MAX];                       // d ln J/dx
    double curve[CN_ELEMENT_DOFS_MAX * CN_ELEMENT_DOFS_MAX]; // d2 ln J/dx2, upper triangle
} dilatation;

double cn_cell_deform(const cn_cell *c, int p, const double *x, double F[9], double C[6])
{
    double Ft[9], full[9];
    memset(F, 0, 9 * sizeof *F);
    F[8] = c->dim == 2 && !c->is_axisymmetric ? 1.0 : 0.0;
    for (int a = 0; a < c->n; a++) {
        const double *g = c->gradient + c->width * (c->n * p + a), *at = x + c->dim * a;
        for (int i = 0; i < c->dim; i++) {
            for (int j = 0; j < c->dim; j++) {
                F[3 * i + j] += at[i] * g[j];
            }
        }
        F[8] += c->is_axisymmetric ? at[0] * g[2] : 0.0;
    }
    cn_tensor_transpose(F, Ft);
    cn_tensor_mul(Ft, F, full);
    cn_tensor_voigt(full, 2.0, C);
    return cn_tensor_det(F);
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
        m->slope[c->dim * a] += m->hoop[a];
    }
}

// curve += w (factor slope slope^T - curvature of -ln J at the point), upper triangle.
static void add_log_curve(const cn_cell *c, const motion *m, double w, double factor, double *curve)
{
    int d = c->dim, nd = c->n * d;
    const double *h = m->slope;
    for (int a = 0; a < c->n; a++) {
        for (int b = a; b < c->n; b++) {
            // without the hoop d2 ln J = - h_bi h_aj; the hoop has - N_a N_b/r^2 on the radius
            double round = m->hoop[a] * m->hoop[b];
            double ha = h[d * a] - m->hoop[a], hb = h[d * b] - m->hoop[b];
            for (int i = 0; i < d; i++) {
                double *row = curve + nd * (d * a + i) + d * b;
                double h_bi = i == 0 ? hb : h[d * b + i], h_ai = factor * h[d * a + i];
                row[0] += w * (h_ai * h[d * b] - h_bi * ha - (i == 0 ? round : 0.0));
                for (int j = 1; j < d; j++) {
                    row[j] += w * (h_ai * h[d * b + j] - h_bi * h[d * a + j]);
                }
            }
        }
    }
}

// Motions of all points, mean dilatation and its derivatives; the second ones only for a tangent
// under stress.
static bool average(const cn_cell *c, const double *x, dilatation *mean)
{
    int nd = c->n * c->dim;
    double rest = 0.0, now = 0.0;
    bool wants_curve = c->wants_tangent && !c->is_rest;
    memset(mean->slope, 0, (size_t)nd * sizeof *mean->slope);
    memset(mean->curve, 0, wants_curve ? (size_t)(nd * nd) * sizeof *mean->curve : 0);
    for (int p = 0; p < c->point_count; p++) {
        motion *m = &mean->at[p];
        m->J = cn_cell_deform(c, p, x, m->F, m->C);
        if (!(m->J > 0.0)) {
            return false;
        }
        log_slope(c, p, m);
        double w = c->weight[p] * m->J;
        rest += c->weight[p];
        now += w;
        for (int q = 0; q < nd; q++) {
            mean->slope[q] += w * m->slope[q];
        }
        if (wants_curve) {
            add_log_curve(c, m, w, 1.0, mean->curve);
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

void cn_cell_green_rows(const cn_cell *c, int p, const double F[9], double *B)
{
    int nd = c->n * c->dim;
    memset(B, 0, (size_t)(c->strain_count * nd) * sizeof *B);
    for (int q = 0; q < nd; q++) {
        int i = q % c->dim;
        const double *g = c->gradient + c->width * (c->n * p + q / c->dim), *f = F + 3 * i;
        B[q] = f[0] * g[0];
        B[nd + q] = f[1] * g[1];
        B[3 * nd + q] = f[0] * g[1] + f[1] * g[0];
        if (c->dim == 3) {
            B[2 * nd + q] = f[2] * g[2];
            B[4 * nd + q] = f[1] * g[2] + f[2] * g[1];
            B[5 * nd + q] = f[2] * g[0] + f[0] * g[2];
        } else if (c->is_axisymmetric && i == 0) {
            B[2 * nd + q] = F[8] * g[2];
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

// What (10.13) makes of the stress S of a point.
typedef struct dilated_stress {
    const double *S;
    double factor;                      // (Jbar/J)^(2/3)
    double across[CN_ELEMENT_DOFS_MAX]; // d(ln Jbar - ln J)/dx
    double along[CN_ELEMENT_DOFS_MAX];  // B^T S
} dilated_stress;

// Second variation of (10.13) times the stress, without the part of add_geometric.
static void add_dilatation(const cn_cell *c, int p, const dilatation *mean,
                           const dilated_stress *stress, cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    const motion *m = &mean->at[p];
    const double *across = stress->across, *along = stress->along;
    double w = c->weight[p] * stress->factor, press = 0.0;
    for (int k = 0; k < 6; k++) {
        press += w * stress->S[k] * m->C[k];
    }
    for (int q = 0; q < nd; q++) {
        double a = 2.0 / 3.0 * w * along[q] + 2.0 / 9.0 * press * across[q];
        double b = 2.0 / 3.0 * w * across[q];
        for (int t = q; t < nd; t++) {
            s->K[nd * q + t] +=
                a * across[t] + b * along[t] + press / 3.0 * mean->curve[nd * q + t];
        }
    }
    add_log_curve(c, m, -press / 3.0, 0.0, s->K);
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

// (10.37); with mean dilatation F counts as if it had the volume of the mean.
static void push_stress(const motion *m, double factor, double J, double stress[6])
{
    double S[9], sigma[9];
    cn_tensor_full(stress, 1.0, S);
    cn_tensor_turn(m->F, S, sigma);
    cn_tensor_voigt(sigma, 1.0, stress);
    for (int k = 0; k < 6; k++) {
        stress[k] *= factor / J;
    }
}

// B^T S
static void project(const cn_cell *c, const double *B, const double *S, double *along)
{
    int nd = c->n * c->dim;
    memset(along, 0, (size_t)nd * sizeof *along);
    for (int i = 0; i < c->strain_count; i++) {
        for (int q = 0; q < nd; q++) {
            along[q] += B[nd * i + q] * S[i];
        }
    }
}

// One point; mean is NULL without mean dilatation.
static bool add_point(const cn_cell *c, int p, const motion *m, const dilatation *mean,
                      cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    double B[CN_VOIGT * CN_ELEMENT_DOFS_MAX], plain[CN_VOIGT * CN_ELEMENT_DOFS_MAX];
    double strain[6];
    dilated_stress stress;
    stress.factor = 1.0;
    cn_cell_green_rows(c, p, m->F, B);
    if (mean != NULL) {
        for (int q = 0; q < nd; q++) {
            stress.across[q] = mean->slope[q] - m->slope[q];
        }
        memcpy(plain, B, (size_t)(c->strain_count * nd) * sizeof *B);
        stress.factor = replace_dilatation(c, m, mean, stress.across, B);
    }
    for (int k = 0; k < 6; k++) {
        strain[k] = 0.5 * (stress.factor * m->C[k] - (k < 3 ? 1.0 : 0.0));
    }
    cn_response response;
    if (!cn_cell_respond(c, p, strain, &response)) {
        return false;
    }
    if (c->stress != NULL) {
        push_stress(m, stress.factor, mean != NULL ? mean->J : m->J, c->stress + 6 * p);
    }
    if (c->between != NULL) { // in the step there is another stress than in this position
        memcpy(response.stress, c->between + 6 * p, sizeof response.stress);
    }
    cn_cell_add(c, p, B, &response, s);
    if (c->wants_tangent && !c->is_rest) {
        add_geometric(c, p, response.stress, stress.factor, s);
        if (mean != NULL) {
            stress.S = response.stress;
            project(c, plain, response.stress, stress.along);
            add_dilatation(c, p, mean, &stress, s);
        }
    }
    return true;
}

bool cn_cell_lagrange(const cn_cell *c, const double *x, cn_cell_sums *s)
{
    dilatation mean;
    motion plain;
    if (c->has_bbar && !average(c, x, &mean)) {
        return false;
    }
    for (int p = 0; p < c->point_count; p++) {
        const motion *m = c->has_bbar ? &mean.at[p] : &plain;
        if (!c->has_bbar) {
            plain.J = cn_cell_deform(c, p, x, plain.F, plain.C);
        }
        if (!(m->J > 0.0) || !add_point(c, p, m, c->has_bbar ? &mean : NULL, s)) {
            return false;
        }
    }
    return true;
}
