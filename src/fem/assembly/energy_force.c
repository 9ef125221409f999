// fem/assembly/energy_force.c -- forces of an element between two positions that give back exactly
// the energy they took (theory 10.33 to 10.35). Everything is a difference over the step instead of
// a derivative; rows are made with the mean deformation gradient, so moments balance.
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"
#include "math/tensor.h"

// A point between two positions.
typedef struct span {
    double C0[6], C1[6], J0, J1;
    double rows[CN_VOIGT * CN_ELEMENT_DOFS_MAX]; // B with (F0 + F1)/2: B (x1 - x0) = E1 - E0
    double slope[CN_ELEMENT_DOFS_MAX];           // slope . (x1 - x0) = ln J1 - ln J0
} span;

// (b - a)/(ln b - ln a), the logarithmic mean.
static double log_mean(double a, double b)
{
    double ratio = (b - a) / a;
    return ratio == 0.0 ? a : a * ratio / log1p(ratio);
}

// Double product of two symmetric tensors given as strains.
static double product(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] +
           0.5 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

// (10.35): gradient of ln J in C between C0 and C1, as a stress-like tensor.
static void log_gradient(const span *s, double G[6])
{
    double mean[6], change[6], full[9], inverse[9];
    for (int k = 0; k < 6; k++) {
        mean[k] = 0.5 * (s->C0[k] + s->C1[k]);
        change[k] = s->C1[k] - s->C0[k];
    }
    cn_tensor_full(mean, 0.5, full);
    cn_tensor_inverse(full, inverse);
    cn_tensor_voigt(inverse, 1.0, G);
    double missing = log(s->J1 / s->J0), size = product(change, change);
    for (int k = 0; k < 6; k++) {
        G[k] *= 0.5;
        missing -= G[k] * change[k];
    }
    for (int k = 0; k < 6 && size > 1e-14; k++) {
        G[k] += missing / size * change[k] * (k < 3 ? 1.0 : 0.5);
    }
}

static bool measure(const cn_cell *c, int p, const double *x0, const double *x1, span *s)
{
    int nd = c->n * c->dim;
    double F0[9], F1[9], G[6];
    s->J0 = cn_cell_deform(c, p, x0, F0, s->C0);
    s->J1 = cn_cell_deform(c, p, x1, F1, s->C1);
    if (!(s->J0 > 0.0 && s->J1 > 0.0)) {
        return false;
    }
    for (int k = 0; k < 9; k++) {
        F0[k] = 0.5 * (F0[k] + F1[k]);
    }
    cn_cell_green_rows(c, p, F0, s->rows);
    if (!c->has_bbar) {
        return true;
    }
    log_gradient(s, G);
    for (int q = 0; q < nd; q++) {
        s->slope[q] = 0.0;
        for (int i = 0; i < c->strain_count; i++) {
            s->slope[q] += 2.0 * G[i] * s->rows[nd * i + q];
        }
    }
    return true;
}

// (10.33): stress between two strains; stored is that of the second one.
static bool stress_between(const cn_cell *c, int p, const double E0[6], const double E1[6],
                           cn_response *r)
{
    cn_response first, last;
    double mean[6], change[6];
    for (int k = 0; k < 6; k++) {
        mean[k] = 0.5 * (E0[k] + E1[k]);
        change[k] = E1[k] - E0[k];
    }
    if (!cn_cell_respond(c, p, E1, &last) || !cn_cell_respond(c, p, mean, r)) {
        return false;
    }
    double size = product(change, change);
    if (!c->material->type->is_linear && size > 1e-14) {
        if (!cn_cell_respond(c, p, E0, &first)) {
            return false;
        }
        double missing = last.stored - first.stored;
        for (int k = 0; k < 6; k++) {
            missing -= r->stress[k] * change[k];
        }
        for (int k = 0; k < 6; k++) {
            r->stress[k] += missing / size * change[k] * (k < 3 ? 1.0 : 0.5);
        }
    }
    r->stored = last.stored;
    return true;
}

// Mean dilatation at both ends, and its slope over the step (10.34).
typedef struct ends {
    double J0, J1;
    double slope[CN_ELEMENT_DOFS_MAX];
} ends;

static void average(const cn_cell *c, const span *at, ends *mean)
{
    int nd = c->n * c->dim;
    double volume = 0.0;
    memset(mean, 0, sizeof *mean);
    for (int p = 0; p < c->point_count; p++) {
        double w = c->weight[p], scale = w * log_mean(at[p].J0, at[p].J1);
        volume += w;
        mean->J0 += w * at[p].J0;
        mean->J1 += w * at[p].J1;
        for (int q = 0; q < nd; q++) {
            mean->slope[q] += scale * at[p].slope[q];
        }
    }
    double scale = log_mean(mean->J0, mean->J1);
    mean->J0 /= volume;
    mean->J1 /= volume;
    for (int q = 0; q < nd; q++) {
        mean->slope[q] /= scale;
    }
}

// (J/J)^(2/3) at both ends, and rows whose product with x1 - x0 is the change of the strain.
static void dilate(const cn_cell *c, const span *s, const ends *mean, double a[2], double *B)
{
    int nd = c->n * c->dim;
    double t0 = log(mean->J0 / s->J0), t1 = log(mean->J1 / s->J1), turn = 2.0 / 3.0 * (t1 - t0);
    a[0] = exp(2.0 / 3.0 * t0);
    a[1] = exp(2.0 / 3.0 * t1);
    double rise = 2.0 / 3.0 * a[0] * (turn == 0.0 ? 1.0 : expm1(turn) / turn);
    for (int i = 0; i < c->strain_count; i++) {
        double C = 0.5 * (s->C0[i] + s->C1[i]);
        for (int q = 0; q < nd; q++) {
            B[nd * i + q] = 0.5 * (a[0] + a[1]) * s->rows[nd * i + q] +
                            0.5 * C * rise * (mean->slope[q] - s->slope[q]);
        }
    }
}

bool cn_cell_between(const cn_cell *c, const double *x0, const double *x1, cn_cell_sums *sums)
{
    span at[CN_BBAR_POINTS_MAX], single;
    ends mean;
    double B[CN_VOIGT * CN_ELEMENT_DOFS_MAX];
    for (int p = 0; c->has_bbar && p < c->point_count; p++) {
        if (!measure(c, p, x0, x1, &at[p])) {
            return false;
        }
    }
    if (c->has_bbar) {
        average(c, at, &mean);
    }
    for (int p = 0; p < c->point_count; p++) {
        const span *s = c->has_bbar ? &at[p] : &single;
        double a[2] = {1.0, 1.0}, E0[6], E1[6];
        if (c->has_bbar) {
            dilate(c, s, &mean, a, B);
        } else if (!measure(c, p, x0, x1, &single)) {
            return false;
        }
        for (int k = 0; k < 6; k++) {
            E0[k] = 0.5 * (a[0] * s->C0[k] - (k < 3 ? 1.0 : 0.0));
            E1[k] = 0.5 * (a[1] * s->C1[k] - (k < 3 ? 1.0 : 0.0));
        }
        cn_response response;
        if (!stress_between(c, p, E0, E1, &response)) {
            return false;
        }
        if (c->between != NULL) {
            memcpy(c->between + 6 * p, response.stress, sizeof response.stress);
        }
        cn_cell_add(c, p, c->has_bbar ? B : s->rows, &response, sums);
    }
    return true;
}
