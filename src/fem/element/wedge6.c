// fem/element/wedge6.c -- triangular prism of six nodes: tri3 times a line (theory 10.2).
#include "fem/element/element.h"

static void shape(const double xi[3], double *N, double *dN)
{
    const double L[3] = {1.0 - xi[0] - xi[1], xi[0], xi[1]};
    static const double dL[3][2] = {{-1.0, -1.0}, {1.0, 0.0}, {0.0, 1.0}};
    for (int a = 0; a < 6; a++) {
        int t = a % 3;
        double up = a < 3 ? -1.0 : 1.0, ramp = 0.5 * (1.0 + up * xi[2]);
        N[a] = L[t] * ramp;
        dN[3 * a] = dL[t][0] * ramp;
        dN[3 * a + 1] = dL[t][1] * ramp;
        dN[3 * a + 2] = 0.5 * up * L[t];
    }
}

static const double node_at[][3] = {{0.0, 0.0, -1.0}, {1.0, 0.0, -1.0}, {0.0, 1.0, -1.0},
                                    {0.0, 0.0, 1.0},  {1.0, 0.0, 1.0},  {0.0, 1.0, 1.0}};

static const cn_element_side sides[] = {{CN_TRI3, {0, 2, 1}},
                                        {CN_TRI3, {3, 4, 5}},
                                        {CN_QUAD4, {0, 1, 4, 3}},
                                        {CN_QUAD4, {1, 2, 5, 4}},
                                        {CN_QUAD4, {2, 0, 3, 5}}};

const cn_element cn_element_wedge6 = {.name = "wedge6",
                                      .dim = 3,
                                      .node_count = 6,
                                      .corner_count = 6,
                                      .side_count = 5,
                                      .side = sides,
                                      .node_at = node_at,
                                      .centre = {1.0 / 3.0, 1.0 / 3.0, 0.0},
                                      .stiffness = &cn_rule_wedge6,
                                      .mass = &cn_rule_wedge6,
                                      .shape = shape};
