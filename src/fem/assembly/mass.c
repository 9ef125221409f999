// fem/assembly/mass.c -- consistent and lumped mass (theory 10.5).
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"

cn_status cn_fem_element_mass(const cn_fem *fem, int e, double *m, cn_error *err)
{
    const cn_element *element = cn_element_of(fem->type[e]);
    const int *node = fem->element_node + fem->element_start[e];
    int n = element->node_count;
    double density = fem->material[fem->element_material[e]].def.density;
    memset(m, 0, (size_t)(n * n) * sizeof *m);
    for (int p = 0; p < element->mass->count; p++) {
        double N[CN_ELEMENT_NODES_MAX], g[CN_ELEMENT_DOFS_MAX];
        double det = cn_element_gradient(element, node, fem->X, element->mass->at[p], N, g);
        if (!(det > 0.0)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "element %d (%s) is so curved that it folds over itself: move its "
                           "middle nodes",
                           e, element->name);
        }
        double depth = cn_fem_depth(fem, cn_fem_radius(fem, n, node, N, fem->X));
        double w = density * det * depth * element->mass->weight[p];
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                m[n * a + b] += w * N[a] * N[b];
            }
        }
    }
    return CN_OK;
}

// Sums of rows for elements of first order, which keep the mass centre; the diagonal, scaled to the
// mass of the element, for those with middle nodes, whose sums of rows may be negative.
static void lump(const cn_element *element, const double *m, double *lumped)
{
    int n = element->node_count;
    double total = 0.0, trace = 0.0;
    for (int a = 0; a < n; a++) {
        double sum = 0.0;
        for (int b = 0; b < n; b++) {
            sum += m[n * a + b];
        }
        lumped[a] = sum;
        total += sum;
        trace += m[n * a + a];
    }
    for (int a = 0; a < n && n > element->corner_count; a++) {
        lumped[a] = m[n * a + a] * total / trace;
    }
}

cn_status cn_fem_build_mass(cn_fem *fem, cn_error *err)
{
    CN_TRY(cn_fem_new(fem, &fem->mass, (size_t)fem->dof_count, err));
    for (int e = 0; e < fem->element_count; e++) {
        double m[CN_ELEMENT_NODES_MAX * CN_ELEMENT_NODES_MAX], lumped[CN_ELEMENT_NODES_MAX];
        const int *node = fem->element_node + fem->element_start[e];
        CN_TRY(cn_fem_element_mass(fem, e, m, err));
        lump(cn_element_of(fem->type[e]), m, lumped);
        for (int a = 0; a < cn_element_of(fem->type[e])->node_count; a++) {
            for (int k = 0; k < fem->dim; k++) {
                fem->mass[fem->dim * node[a] + k] += lumped[a];
            }
            fem->total_mass += lumped[a];
        }
    }
    return CN_OK;
}

// One element of M scaled by `factor`, added on the pattern.
void cn_fem_add_mass(const cn_fem *fem, int e, double factor, double *M)
{
    double m[CN_ELEMENT_NODES_MAX * CN_ELEMENT_NODES_MAX], lumped[CN_ELEMENT_NODES_MAX];
    double block[CN_ELEMENT_DOFS_MAX * CN_ELEMENT_DOFS_MAX];
    const cn_element *element = cn_element_of(fem->type[e]);
    int n = element->node_count, d = fem->dim;
    cn_fem_element_mass(fem, e, m, NULL);
    lump(element, m, lumped);
    memset(block, 0, (size_t)(n * d * n * d) * sizeof *block);
    bool is_lumped = fem->mass_kind == CN_MASS_LUMPED;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            double value = !is_lumped ? m[n * a + b] : a == b ? lumped[a] : 0.0;
            for (int k = 0; k < d; k++) {
                block[n * d * (d * a + k) + d * b + k] = factor * value;
            }
        }
    }
    cn_fem_scatter(fem, e, block, M);
}

void cn_fem_mass_matrix(const cn_fem *fem, double *M)
{
    memset(M, 0, (size_t)fem->entry_count * sizeof *M);
    if (fem->mass_kind == CN_MASS_LUMPED) {
        for (int c = 0; c < fem->dof_count; c++) {
            M[fem->col_start[c + 1] - 1] = fem->mass[c];
        }
        return;
    }
    for (int e = 0; e < fem->element_count; e++) {
        cn_fem_add_mass(fem, e, 1.0, M);
    }
}
