// fem/assembly/locate.c -- the point of a mesh that is nearest to a place: element and shape
// functions.
//
// In each element whose box is near, reference coordinates are found by Newton's method and brought
// back into the cell; the element that comes nearest wins, the first of equals.
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"

// Brings reference coordinates into the cell: a simplex, a cube, or the wedge of both.
static void clamp(const cn_element *element, int type, double xi[3])
{
    bool is_simplex = type == CN_TRI3 || type == CN_TRI6 || type == CN_TET4 || type == CN_TET10;
    int simplex = is_simplex ? element->dim : (type == CN_WEDGE6 ? 2 : 0);
    double sum = 0.0;
    for (int k = 0; k < element->dim; k++) {
        xi[k] = fmax(k < simplex ? 0.0 : -1.0, fmin(1.0, xi[k]));
        sum += k < simplex ? xi[k] : 0.0;
    }
    for (int k = 0; k < simplex && sum > 1.0; k++) {
        xi[k] /= sum;
    }
}

// Difference between the place and the point at xi, whose shape functions are known.
static double miss(const cn_element *element, const int *node, const double *x, const double *at,
                   const double *N, double d[3])
{
    double square = 0.0;
    for (int k = 0; k < element->dim; k++) {
        d[k] = at[k];
        for (int a = 0; a < element->node_count; a++) {
            d[k] -= N[a] * x[element->dim * node[a] + k];
        }
        square += d[k] * d[k];
    }
    return sqrt(square);
}

// Point of one element: fills N and the distance; false if Newton's method loses its way.
static bool find_in_element(const cn_fem *fem, int e, const double *x, const double *at,
                            double N[CN_ELEMENT_NODES_MAX], double *distance)
{
    enum { ITERATIONS = 30 };
    const cn_element *element = cn_element_of(fem->type[e]);
    const int *node = fem->element_node + fem->element_start[e];
    double xi[3], g[CN_ELEMENT_DOFS_MAX], d[3];
    memcpy(xi, element->centre, sizeof xi);
    for (int n = 0; n < ITERATIONS; n++) {
        if (!(cn_element_gradient(element, node, x, xi, N, g) > 0.0)) {
            break; // outside of the cell: what is there is brought back
        }
        miss(element, node, x, at, N, d);
        double step = 0.0;
        for (int l = 0; l < element->dim; l++) { // xi = sum N xi_a, so that dxi/dx = sum xi_a g_a
            double change = 0.0;
            for (int q = 0; q < element->dim * element->node_count; q++) {
                change += element->node_at[q / element->dim][l] * g[q] * d[q % element->dim];
            }
            xi[l] += change;
            step += fabs(change);
        }
        if (!(step > 1e-14)) {
            break;
        }
    }
    double dN[CN_ELEMENT_DOFS_MAX];
    clamp(element, fem->type[e], xi);
    element->shape(xi, N, dN);
    *distance = miss(element, node, x, at, N, d);
    return isfinite(*distance);
}

// Distance of a place from the box of an element, 0 inside.
static double box_distance(const cn_fem *fem, int e, const double *x, const double *at)
{
    double square = 0.0;
    for (int k = 0; k < fem->dim; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int n = fem->element_start[e]; n < fem->element_start[e + 1]; n++) {
            low = fmin(low, x[fem->dim * fem->element_node[n] + k]);
            high = fmax(high, x[fem->dim * fem->element_node[n] + k]);
        }
        double out = fmax(0.0, fmax(low - at[k], at[k] - high));
        square += out * out;
    }
    return sqrt(square);
}

int cn_fem_locate(const cn_fem *fem, const double *x, const double *at,
                  double N[CN_ELEMENT_NODES_MAX], double *distance)
{
    const double rounding = 1e-12 * cbrt(fem->volume);
    int best = -1;
    *distance = INFINITY;
    for (int e = 0; e < fem->element_count; e++) {
        double own, own_N[CN_ELEMENT_NODES_MAX];
        if (box_distance(fem, e, x, at) < *distance - rounding &&
            find_in_element(fem, e, x, at, own_N, &own) && own < *distance - rounding) {
            best = e;
            *distance = own;
            memcpy(N, own_N, sizeof own_N);
        }
    }
    return best;
}
