// fem/element/tet4.c -- tetrahedron of four nodes: constant strain (theory 10.2).
#include "fem/element/element.h"

static void shape(const double xi[3], double *N, double *dN)
{
    static const double slope[12] = {-1.0, -1.0, -1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    N[0] = 1.0 - xi[0] - xi[1] - xi[2];
    for (int k = 0; k < 3; k++) {
        N[1 + k] = xi[k];
    }
    for (int k = 0; k < 12; k++) {
        dN[k] = slope[k];
    }
}

static const double node_at[][3] = {
    {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static const cn_element_side sides[] = {
    {CN_TRI3, {0, 2, 1}}, {CN_TRI3, {0, 1, 3}}, {CN_TRI3, {1, 2, 3}}, {CN_TRI3, {2, 0, 3}}};

const cn_element cn_element_tet4 = {.name = "tet4",
                                    .dim = 3,
                                    .node_count = 4,
                                    .corner_count = 4,
                                    .side_count = 4,
                                    .side = sides,
                                    .node_at = node_at,
                                    .centre = {0.25, 0.25, 0.25},
                                    .stiffness = &cn_rule_tet1,
                                    .mass = &cn_rule_tet4,
                                    .shape = shape};
