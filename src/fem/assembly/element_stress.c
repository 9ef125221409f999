// fem/assembly/element_stress.c -- stresses and strains at integration points, and their way to the
// nodes (theory 10.37, 10.38).
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"
#include "math/small_systems.h"
#include "math/tensor.h"

cn_status cn_fem_stress_points(const cn_fem *fem, const double *x, const double *history,
                               double *stress, double *strain, double *plastic, cn_error *err)
{
    double stress_here[6 * CN_ELEMENT_POINTS_MAX], strain_here[6 * CN_ELEMENT_POINTS_MAX];
    double state[CN_MATERIAL_STATE_MAX * CN_ELEMENT_POINTS_MAX];
    cn_cell_sums sums;
    cn_cell_room room;
    for (int e = 0; e < fem->element_count; e++) {
        cn_cell c = cn_cell_open(fem, e, &(cn_fem_history){history, NULL}, &room);
        int first = fem->point_start[e], stride = c.material->state_count;
        size_t bytes = 6 * (size_t)c.point_count * sizeof *stress;
        c.stress = stress_here;
        c.strain = strain_here;
        c.new_ = state;
        if (!cn_cell_sum(&c, x, &sums)) {
            return cn_fail(err, CN_BROKEN, "element %d (%s) has no stress: it is turned inside out",
                           e, c.element->name);
        }
        if (stress != NULL) {
            memcpy(stress + 6 * first, stress_here, bytes);
        }
        if (strain != NULL) {
            memcpy(strain + 6 * first, strain_here, bytes);
        }
        for (int p = 0; plastic != NULL && p < c.point_count; p++) {
            plastic[first + p] = c.material->type->is_log ? c.old[stride * p + 6] : 0.0;
        }
    }
    return CN_OK;
}

cn_status cn_fem_stress_mean(const cn_fem *fem, const double *x, const double *history,
                             double mean[CN_FEM_STRESS], double *volume, cn_error *err)
{
    double stress[6 * CN_ELEMENT_POINTS_MAX], strain[6 * CN_ELEMENT_POINTS_MAX];
    double state[CN_MATERIAL_STATE_MAX * CN_ELEMENT_POINTS_MAX];
    cn_cell_room room;
    memset(mean, 0, CN_FEM_STRESS * sizeof *mean);
    *volume = 0.0;
    for (int e = 0; e < fem->element_count; e++) {
        cn_cell c = cn_cell_open(fem, e, &(cn_fem_history){history, NULL}, &room);
        cn_cell_sums sums;
        double local[CN_ELEMENT_DOFS_MAX];
        c.stress = stress;
        c.strain = strain;
        c.new_ = state;
        if (!cn_cell_sum(&c, x, &sums)) {
            return cn_fail(err, CN_BROKEN, "element %d (%s) has no stress: it is turned inside out",
                           e, c.element->name);
        }
        cn_cell_gather(&c, x, local);
        for (int p = 0; p < c.point_count; p++) {
            double F[9], C[6], J = 1.0;
            if (c.material->kinematics == CN_TOTAL_LAGRANGE) {
                J = cn_cell_deform(&c, p, local, F, C);
            }
            *volume += J * c.weight[p];
            for (int k = 0; k < CN_FEM_STRESS; k++) {
                mean[k] += J * c.weight[p] * stress[6 * p + k];
            }
        }
    }
    for (int k = 0; k < CN_FEM_STRESS; k++) {
        mean[k] /= *volume;
    }
    return CN_OK;
}

// The element of first order with the same corners.
static const cn_element *parent_of(const cn_element *e)
{
    static const int parent[5] = {CN_TRI3, CN_QUAD4, CN_TET4, CN_WEDGE6, CN_HEX8};
    int k = 0;
    while (cn_element_of(parent[k])->dim != e->dim ||
           cn_element_of(parent[k])->corner_count != e->corner_count) {
        k++;
    }
    return cn_element_of(parent[k]);
}

// map[points a + p]: value at node a by the values at the points: least squares with the shape
// functions of the parent, or the mean if there are too few points.
static void fit(const cn_element *e, double *map)
{
    const cn_element *parent = parent_of(e);
    int corners = parent->node_count, points = e->stiffness->count;
    double A[8 * 8] = {0.0}, b[8 * CN_ELEMENT_POINTS_MAX], N[8], dN[24];
    if (points < corners) {
        for (int k = 0; k < e->node_count * points; k++) {
            map[k] = 1.0 / points;
        }
        return;
    }
    for (int p = 0; p < points; p++) {
        parent->shape(e->stiffness->at[p], N, dN);
        for (int i = 0; i < corners; i++) {
            b[points * i + p] = N[i];
            for (int j = 0; j < corners; j++) {
                A[corners * i + j] += N[i] * N[j];
            }
        }
    }
    cn_small_solve(corners, points, A, b);
    for (int a = 0; a < e->node_count; a++) {
        parent->shape(e->node_at[a], N, dN);
        for (int p = 0; p < points; p++) {
            double sum = 0.0;
            for (int i = 0; i < corners; i++) {
                sum += N[i] * b[points * i + p];
            }
            map[points * a + p] = sum;
        }
    }
}

void cn_fem_extrapolate(const cn_fem *fem, int width, const double *point, double *node,
                        double *work)
{
    double map[CN_ELEMENT_NODES_MAX * CN_ELEMENT_POINTS_MAX];
    int fitted = -1;
    memset(node, 0, (size_t)(fem->node_count * width) * sizeof *node);
    memset(work, 0, (size_t)fem->node_count * sizeof *work);
    for (int e = 0; e < fem->element_count; e++) {
        const cn_element *element = cn_element_of(fem->type[e]);
        int points = element->stiffness->count, first = fem->point_start[e];
        if (fitted != fem->type[e]) {
            fit(element, map);
            fitted = fem->type[e];
        }
        double volume = 0.0;
        for (int p = 0; p < points; p++) {
            volume += fem->weight[first + p];
        }
        for (int a = 0; a < element->node_count; a++) {
            int at = fem->element_node[fem->element_start[e] + a];
            work[at] += volume;
            for (int k = 0; k < width * points; k++) {
                node[width * at + k % width] +=
                    volume * map[points * a + k / width] * point[width * first + k];
            }
        }
    }
    for (int k = 0; k < fem->node_count * width; k++) {
        node[k] /= work[k / width];
    }
}

void cn_fem_principal(const double stress[6], double value[3], double axes[9])
{
    double A[9], V[9], found[3];
    int order[3] = {0, 1, 2};
    cn_tensor_full(stress, 1.0, A);
    cn_tensor_eigen(A, found, V);
    for (int k = 0; k < 3; k++) { // three exchanges of neighbours sort three
        int p = k % 2;
        if (found[order[p]] < found[order[p + 1]]) {
            int swap = order[p];
            order[p] = order[p + 1];
            order[p + 1] = swap;
        }
    }
    for (int k = 0; k < 3; k++) {
        value[k] = found[order[k]];
        for (int i = 0; axes != NULL && i < 3; i++) {
            axes[3 * k + i] = V[3 * i + order[k]];
        }
    }
}
