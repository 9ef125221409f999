// fem/assembly/integration_points.c -- integration points of a mesh: gradients of the shape
// functions and the volume each point stands for, in the reference position (theory 10.3, 10.4).
#include <math.h>

#include "fem/assembly/element_work.h"

// J[k][l] = dX_k/dxi_l of (10.4).
static void jacobian(const cn_element *element, const int *node, const double *X, const double *dN,
                     double J[3][3])
{
    int d = element->dim;
    for (int k = 0; k < d; k++) {
        for (int l = 0; l < d; l++) {
            double sum = 0.0;
            for (int a = 0; a < element->node_count; a++) {
                sum += X[d * node[a] + k] * dN[d * a + l];
            }
            J[k][l] = sum;
        }
    }
}

// Inverse of J times its determinant; returns the determinant.
static double adjugate(int d, double J[3][3], double inverse[3][3])
{
    if (d == 2) {
        inverse[0][0] = J[1][1];
        inverse[0][1] = -J[0][1];
        inverse[1][0] = -J[1][0];
        inverse[1][1] = J[0][0];
        return J[0][0] * J[1][1] - J[0][1] * J[1][0];
    }
    for (int k = 0; k < 3; k++) {
        int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        for (int l = 0; l < 3; l++) {
            int l1 = (l + 1) % 3, l2 = (l + 2) % 3;
            inverse[l][k] = J[k1][l1] * J[k2][l2] - J[k1][l2] * J[k2][l1];
        }
    }
    return J[0][0] * inverse[0][0] + J[0][1] * inverse[1][0] + J[0][2] * inverse[2][0];
}

double cn_element_gradient(const cn_element *element, const int *node, const double *X,
                           const double xi[3], double *N, double *g)
{
    double dN[CN_ELEMENT_DOFS_MAX], J[3][3], inverse[3][3];
    int d = element->dim;
    element->shape(xi, N, dN);
    jacobian(element, node, X, dN, J);
    double det = adjugate(d, J, inverse);
    if (!(det > 0.0)) {
        return det;
    }
    for (int a = 0; a < element->node_count; a++) {
        for (int k = 0; k < d; k++) {
            double sum = 0.0;
            for (int l = 0; l < d; l++) {
                sum += dN[d * a + l] * inverse[l][k];
            }
            g[d * a + k] = sum / det;
        }
    }
    return det;
}

// Largest extent of an element along an axis [m]: the scale of its volume.
static double extent(const cn_fem *fem, int e)
{
    double largest = 0.0;
    for (int k = 0; k < fem->dim; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int n = fem->element_start[e]; n < fem->element_start[e + 1]; n++) {
            double x = fem->X[fem->dim * fem->element_node[n] + k];
            lo = fmin(lo, x);
            hi = fmax(hi, x);
        }
        largest = fmax(largest, hi - lo);
    }
    return largest;
}

static cn_status refuse(const cn_fem *fem, int e, double det, cn_error *err)
{
    const cn_element *element = cn_element_of(fem->type[e]);
    const int *node = fem->element_node + fem->element_start[e];
    bool is_flat = fabs(det) <= 1e-12 * pow(extent(fem, e), fem->dim);
    return cn_fail(err, CN_BAD_INPUT, "element %d (%s, nodes %d %d %d ...) %s", e, element->name,
                   node[0], node[1], node[2],
                   is_flat ? "has no volume: its nodes lie in a line or plane"
                   : element->dim == 2
                       ? "is turned inside out: its corners must go counterclockwise"
                       : "is turned inside out: change the order of its nodes");
}

// Gradients at one point into g (width doubles per node), and the volume of the point. Returns the
// determinant, as cn_element_gradient does.
static double place_point(const cn_fem *fem, int e, int p, double *g, double *weight)
{
    const cn_element *element = cn_element_of(fem->type[e]);
    const int *node = fem->element_node + fem->element_start[e];
    double N[CN_ELEMENT_NODES_MAX], slope[CN_ELEMENT_DOFS_MAX];
    const double *xi = element->stiffness->at[p];
    double det = cn_element_gradient(element, node, fem->X, xi, N, slope);
    if (!(det > 0.0)) {
        return det;
    }
    double radius = cn_fem_radius(fem, element->node_count, node, N, fem->X);
    *weight = det * element->stiffness->weight[p] * cn_fem_depth(fem, radius);
    for (int a = 0; a < element->node_count; a++) {
        for (int k = 0; k < fem->dim; k++) {
            g[fem->point_width * a + k] = slope[fem->dim * a + k];
        }
        if (fem->point_width > fem->dim) {
            g[fem->point_width * a + fem->dim] = N[a] / radius;
        }
    }
    return det;
}

void cn_fem_place_points(const cn_fem *fem, int element, double *gradient)
{
    const cn_element *type = cn_element_of(fem->type[element]);
    for (int p = 0; p < type->stiffness->count; p++) {
        double weight;
        place_point(fem, element, p, gradient + type->node_count * fem->point_width * p, &weight);
    }
}

double cn_fem_radius(const cn_fem *fem, int count, const int *node, const double *N,
                     const double *x)
{
    double radius = 0.0;
    for (int a = 0; a < count; a++) {
        radius += N[a] * x[fem->dim * node[a]];
    }
    return radius;
}

double cn_fem_depth(const cn_fem *fem, double radius)
{
    return fem->plane == CN_AXISYMMETRIC ? 2.0 * CN_PI * radius : fem->thickness;
}

static cn_status count_points(cn_fem *fem, size_t *gradient_count, cn_error *err)
{
    size_t count = (size_t)fem->element_count;
    CN_TRY(cn_fem_new(fem, &fem->point_start, count + 1, err));
    CN_TRY(cn_fem_new(fem, &fem->history_start, count + 1, err));
    CN_TRY(cn_fem_new(fem, &fem->gradient_start, count + 1, err));
    for (int e = 0; e < fem->element_count; e++) {
        const cn_element *element = cn_element_of(fem->type[e]);
        int points = element->stiffness->count;
        fem->point_start[e + 1] = fem->point_start[e] + points;
        fem->history_start[e + 1] =
            fem->history_start[e] + points * fem->material[fem->element_material[e]].state_count;
        fem->gradient_start[e + 1] =
            fem->gradient_start[e] + (size_t)(points * element->node_count * fem->point_width);
    }
    *gradient_count = fem->gradient_start[fem->element_count];
    return CN_OK;
}

// The points of one element, checked: its gradients to g.
static cn_status build_element(cn_fem *fem, int e, double *g, cn_error *err)
{
    int step = cn_element_of(fem->type[e])->node_count * fem->point_width;
    double least = 1e-12 * pow(extent(fem, e), fem->dim);
    for (int p = fem->point_start[e]; p < fem->point_start[e + 1]; p++, g += step) {
        double det = place_point(fem, e, p - fem->point_start[e], g, &fem->weight[p]);
        if (!(det > least)) {
            return refuse(fem, e, det, err);
        }
        fem->volume += fem->weight[p];
    }
    return CN_OK;
}

// Forces of a linear model are K u: its gradients are found again where stresses are wanted.
cn_status cn_fem_build_points(cn_fem *fem, cn_error *err)
{
    cn_cell_room room;
    fem->point_width = fem->dim + (fem->plane == CN_AXISYMMETRIC);
    size_t gradient_count = 0;
    CN_TRY(count_points(fem, &gradient_count, err));
    if (!fem->is_linear) {
        CN_TRY(cn_fem_new(fem, &fem->gradient, gradient_count, err));
    }
    CN_TRY(cn_fem_new(fem, &fem->weight, (size_t)fem->point_start[fem->element_count], err));
    for (int e = 0; e < fem->element_count; e++) {
        CN_TRY(build_element(
            fem, e, fem->is_linear ? room.gradient : fem->gradient + fem->gradient_start[e], err));
    }
    return CN_OK;
}
