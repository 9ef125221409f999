// fem/assembly/small_strain.c -- linear strains of an element, with mean dilatation and shears of
// centre lines (theory 10.6, 10.7, 10.12, 10.14).
#include <string.h>

#include "fem/assembly/element_work.h"
#include "math/tensor.h"

// Rows of (10.7) for gradients of `width` doubles per node: xx yy zz xy yz zx.
static void strain_rows(const cn_cell *c, const double *gradient, int width, double *B)
{
    int nd = c->n * c->dim;
    memset(B, 0, (size_t)(c->strain_count * nd) * sizeof *B);
    for (int a = 0; a < c->n; a++) {
        const double *g = gradient + width * a;
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
        } else if (width > 2) {
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

// Axes of the element for (10.14): the rotation in the Jacobian at its centre, columns Q. Strains
// in these axes are own times strains, and back.
typedef struct shear_frame {
    double own[36], back[36];
} shear_frame;

static void find_frame(const cn_cell *c, shear_frame *frame)
{
    double N[CN_ELEMENT_NODES_MAX], dN[CN_ELEMENT_DOFS_MAX], J[9] = {0.0}, Q[9], Qt[9];
    c->element->shape(c->element->centre, N, dN);
    for (int a = 0; a < c->n; a++) {
        for (int k = 0; k < c->dim; k++) {
            for (int l = 0; l < c->dim; l++) {
                J[3 * k + l] += c->fem->X[c->dim * c->node[a] + k] * dN[c->dim * a + l];
            }
        }
    }
    J[8] = c->dim == 2 ? 1.0 : J[8];
    cn_tensor_polar(J, Q);
    cn_tensor_transpose(Q, Qt);
    cn_tensor_strain_map(Q, frame->own);
    cn_tensor_strain_map(Qt, frame->back);
}

// Row s of the strains in element axes.
static void own_row(const cn_cell *c, const shear_frame *frame, int s, const double *B, double *row)
{
    int nd = c->n * c->dim;
    for (int q = 0; q < nd; q++) {
        row[q] = 0.0;
        for (int i = 0; i < c->strain_count; i++) {
            row[q] += frame->own[6 * s + i] * B[nd * i + q];
        }
    }
}

// (10.14): each shear in element axes from the centre line of its two directions.
static void replace_shear(const cn_cell *c, int p, const shear_frame *frame, double *B)
{
    int nd = c->n * c->dim;
    double there[CN_VOIGT * CN_ELEMENT_DOFS_MAX], here[CN_ELEMENT_DOFS_MAX];
    double line[CN_ELEMENT_DOFS_MAX], N[CN_ELEMENT_NODES_MAX], g[CN_ELEMENT_DOFS_MAX];
    double change[3][CN_ELEMENT_DOFS_MAX];
    for (int s = 3; s < c->strain_count; s++) {
        double xi[3];
        memcpy(xi, c->element->stiffness->at[p], sizeof xi);
        xi[cn_voigt_row[s]] = xi[cn_voigt_col[s]] = 0.0;
        cn_element_gradient(c->element, c->node, c->fem->X, xi, N, g);
        strain_rows(c, g, c->dim, there);
        own_row(c, frame, s, there, line);
        own_row(c, frame, s, B, here);
        for (int q = 0; q < nd; q++) {
            change[s - 3][q] = line[q] - here[q];
        }
    }
    for (int s = 3; s < c->strain_count; s++) {
        for (int i = 0; i < c->strain_count; i++) {
            for (int q = 0; q < nd; q++) {
                B[nd * i + q] += frame->back[6 * i + s] * change[s - 3][q];
            }
        }
    }
}

bool cn_cell_small(const cn_cell *c, const double *u, cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    double mean[CN_ELEMENT_DOFS_MAX], B[CN_VOIGT * CN_ELEMENT_DOFS_MAX];
    shear_frame frame;
    if (c->has_bbar) {
        mean_dilatation(c, mean);
    }
    if (c->has_selective) {
        find_frame(c, &frame);
    }
    for (int p = 0; p < c->point_count; p++) {
        strain_rows(c, c->gradient + c->width * c->n * p, c->width, B);
        if (c->has_selective) {
            replace_shear(c, p, &frame, B);
        }
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
