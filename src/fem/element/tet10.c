// fem/element/tet10.c -- tetrahedron of ten nodes: complete quadratic polynomials (theory 10.2).
#include "fem/element/element.h"

static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

// With volume coordinates L: corners L (2 L - 1), middles 4 L L'.
static void shape(const double xi[3], double *N, double *dN)
{
    const double L[4] = {1.0 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2]};
    static const double dL[4][3] = {
        {-1.0, -1.0, -1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int a = 0; a < 4; a++) {
        N[a] = L[a] * (2.0 * L[a] - 1.0);
        for (int k = 0; k < 3; k++) {
            dN[3 * a + k] = (4.0 * L[a] - 1.0) * dL[a][k];
        }
    }
    for (int e = 0; e < 6; e++) {
        int a = edge[e][0], b = edge[e][1];
        N[4 + e] = 4.0 * L[a] * L[b];
        for (int k = 0; k < 3; k++) {
            dN[3 * (4 + e) + k] = 4.0 * (dL[a][k] * L[b] + L[a] * dL[b][k]);
        }
    }
}

static const double node_at[][3] = {
    {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {0.5, 0.0, 0.0},
    {0.5, 0.5, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 0.5}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}};

static const cn_element_side sides[] = {{CN_TRI6, {0, 2, 1, 6, 5, 4}},
                                        {CN_TRI6, {0, 1, 3, 4, 8, 7}},
                                        {CN_TRI6, {1, 2, 3, 5, 9, 8}},
                                        {CN_TRI6, {2, 0, 3, 6, 7, 9}}};

const cn_element cn_element_tet10 = {.name = "tet10",
                                     .dim = 3,
                                     .node_count = 10,
                                     .corner_count = 4,
                                     .side_count = 4,
                                     .side = sides,
                                     .node_at = node_at,
                                     .centre = {0.25, 0.25, 0.25},
                                     .stiffness = &cn_rule_tet4,
                                     .mass = &cn_rule_tet14,
                                     .shape = shape};
