// fem/element/tri6.c -- triangle of six nodes: complete quadratic polynomials (theory 10.2).
#include "fem/element/element.h"

// With area coordinates L: corners L (2 L - 1), middles 4 L L'.
static void shape(const double xi[3], double *N, double *dN)
{
    const double L[3] = {1.0 - xi[0] - xi[1], xi[0], xi[1]};
    static const double dL[3][2] = {{-1.0, -1.0}, {1.0, 0.0}, {0.0, 1.0}};
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        N[a] = L[a] * (2.0 * L[a] - 1.0);
        N[3 + a] = 4.0 * L[a] * L[b];
        for (int k = 0; k < 2; k++) {
            dN[2 * a + k] = (4.0 * L[a] - 1.0) * dL[a][k];
            dN[2 * (3 + a) + k] = 4.0 * (dL[a][k] * L[b] + L[a] * dL[b][k]);
        }
    }
}

static const double node_at[][3] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0},
                                    {0.5, 0.0}, {0.5, 0.5}, {0.0, 0.5}};

static const cn_element_side sides[] = {
    {CN_SEG3, {0, 1, 3}}, {CN_SEG3, {1, 2, 4}}, {CN_SEG3, {2, 0, 5}}};

const cn_element cn_element_tri6 = {.name = "tri6",
                                    .dim = 2,
                                    .node_count = 6,
                                    .corner_count = 3,
                                    .side_count = 3,
                                    .side = sides,
                                    .node_at = node_at,
                                    .centre = {1.0 / 3.0, 1.0 / 3.0, 0.0},
                                    .stiffness = &cn_rule_tri3,
                                    .mass = &cn_rule_tri6,
                                    .shape = shape};
