// fem/small.c -- linear strains of an element, with mean dilatation (theory 10.6, 10.7, 10.12).
#include <string.h>

#include "fem/cell.h"

// Rows of (10.7) at point p: xx yy zz xy yz zx.
static void strain_rows(const cn_cell *c, int p, double *B)
{
    int nd = c->n * c->dim;
    memset(B, 0, (size_t)(c->strain_count * nd) * sizeof *B);
    for (int a = 0; a < c->n; a++) {
        const double *g = c->gradient + c->width * (c->n * p + a);
        int q = c->dim * a;
        for (int k = 0; k < c->dim; k++) {
            B[nd * k + q + k] = g[k];
        }
        B[nd * 3 + q] = g[1];
        B[nd * 3 + q + 1] = g[0];
        if (c->dim == 3) {
            B[nd * 4 + q + 1] = g[2];
            B[nd * 4 + q + 2] = g[1];
            B[nd * 5 + q] = g[2];
            B[nd * 5 + q + 2] = g[0];
        } else if (c->is_axisymmetric) {
            B[nd * 2 + q] = g[2];
        }
    }
}

// Divergence of the displacement averaged over the element, as a row.
static void mean_dilatation(const cn_cell *c, double *mean)
{
    int nd = c->n * c->dim;
    double volume = 0.0;
    memset(mean, 0, (size_t)nd * sizeof *mean);
    for (int p = 0; p < c->point_count; p++) {
        volume += c->weight[p];
        for (int q = 0; q < nd; q++) {
            const double *g = c->gradient + c->width * (c->n * p + q / c->dim);
            double hoop = c->is_axisymmetric && q % c->dim == 0 ? g[2] : 0.0;
            mean[q] += c->weight[p] * (g[q % c->dim] + hoop);
        }
    }
    for (int q = 0; q < nd; q++) {
        mean[q] /= volume;
    }
}

// (10.12): a third of the difference between mean and local dilatation on each normal strain.
static void replace_dilatation(const cn_cell *c, const double *mean, double *B)
{
    int nd = c->n * c->dim;
    for (int q = 0; q < nd; q++) {
        double change = (mean[q] - B[q] - B[nd + q] - B[2 * nd + q]) / 3.0;
        B[q] += change;
        B[nd + q] += change;
        B[2 * nd + q] += change;
    }
}

bool cn_cell_small(const cn_cell *c, const double *u, cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    double mean[CN_ELEMENT_DOFS_MAX], B[CN_VOIGT * CN_ELEMENT_DOFS_MAX];
    if (c->has_bbar) {
        mean_dilatation(c, mean);
    }
    for (int p = 0; p < c->point_count; p++) {
        strain_rows(c, p, B);
        if (c->has_bbar) {
            replace_dilatation(c, mean, B);
        }
        double strain[6] = {0.0};
        for (int i = 0; i < c->strain_count; i++) {
            for (int q = 0; q < nd; q++) {
                strain[i] += B[nd * i + q] * u[q];
            }
        }
        cn_response response;
        if (!cn_cell_respond(c, p, strain, &response)) {
            return false;
        }
        cn_cell_add(c, p, B, &response, s);
    }
    return true;
}
