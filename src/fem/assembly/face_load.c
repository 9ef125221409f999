// fem/assembly/face_load.c -- loads on boundary faces (theory 10.39).
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"
#include "math/tensor.h"

// Outward normal times area per reference area of the cell: tangent turned to the right in the
// plane, cross product of the tangents in space.
static void area_vector(const cn_fem *fem, const cn_element *face, const int *node,
                        const double *dN, const double *x, double area[3])
{
    double tangent[2][3] = {{0.0}, {0.0}};
    for (int a = 0; a < face->node_count; a++) {
        for (int l = 0; l < face->dim; l++) {
            for (int k = 0; k < fem->dim; k++) {
                tangent[l][k] += x[fem->dim * node[a] + k] * dN[face->dim * a + l];
            }
        }
    }
    if (face->dim == 1) {
        area[0] = tangent[0][1];
        area[1] = -tangent[0][0];
        area[2] = 0.0;
    } else {
        cn_tensor_cross(tangent[0], tangent[1], area);
    }
}

int cn_fem_face_weights(const cn_fem *fem, int face, double weight[CN_SIDE_NODES_MAX])
{
    const cn_element *type = cn_element_of(fem->face_type[face]);
    const int *node = fem->face_node + fem->face_start[face];
    memset(weight, 0, CN_SIDE_NODES_MAX * sizeof *weight);
    for (int p = 0; p < type->mass->count; p++) {
        double N[CN_SIDE_NODES_MAX], dN[2 * CN_SIDE_NODES_MAX], area[3];
        type->shape(type->mass->at[p], N, dN);
        area_vector(fem, type, node, dN, fem->X, area);
        double depth = cn_fem_depth(fem, cn_fem_radius(fem, type->node_count, node, N, fem->X));
        double size = sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        for (int a = 0; a < type->node_count; a++) {
            weight[a] += type->mass->weight[p] * depth * size * N[a];
        }
    }
    return type->node_count;
}

int cn_fem_face_pressure(const cn_fem *fem, int face, const double *x,
                         double force[3 * CN_SIDE_NODES_MAX])
{
    const cn_element *type = cn_element_of(fem->face_type[face]);
    const int *node = fem->face_node + fem->face_start[face];
    memset(force, 0, 3 * CN_SIDE_NODES_MAX * sizeof *force);
    for (int p = 0; p < type->mass->count; p++) {
        double N[CN_SIDE_NODES_MAX], dN[2 * CN_SIDE_NODES_MAX], area[3];
        type->shape(type->mass->at[p], N, dN);
        area_vector(fem, type, node, dN, x, area);
        double depth = cn_fem_depth(fem, cn_fem_radius(fem, type->node_count, node, N, x));
        for (int q = 0; q < fem->dim * type->node_count; q++) {
            force[q] -= type->mass->weight[p] * depth * area[q % fem->dim] * N[q / fem->dim];
        }
    }
    return type->node_count;
}
