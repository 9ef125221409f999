// fem/element/hex8.c -- hexahedron of eight nodes: trilinear (theory 10.2).
#include "fem/element/element.h"

static const double node_at[][3] = {{-1.0, -1.0, -1.0}, {1.0, -1.0, -1.0}, {1.0, 1.0, -1.0},
                                    {-1.0, 1.0, -1.0},  {-1.0, -1.0, 1.0}, {1.0, -1.0, 1.0},
                                    {1.0, 1.0, 1.0},    {-1.0, 1.0, 1.0}};

static void shape(const double xi[3], double *N, double *dN)
{
    for (int a = 0; a < 8; a++) {
        const double *at = node_at[a];
        double x = 1.0 + at[0] * xi[0], y = 1.0 + at[1] * xi[1], z = 1.0 + at[2] * xi[2];
        N[a] = 0.125 * x * y * z;
        dN[3 * a] = 0.125 * at[0] * y * z;
        dN[3 * a + 1] = 0.125 * x * at[1] * z;
        dN[3 * a + 2] = 0.125 * x * y * at[2];
    }
}

static const cn_element_side sides[] = {{CN_QUAD4, {0, 3, 2, 1}}, {CN_QUAD4, {4, 5, 6, 7}},
                                        {CN_QUAD4, {0, 1, 5, 4}}, {CN_QUAD4, {1, 2, 6, 5}},
                                        {CN_QUAD4, {2, 3, 7, 6}}, {CN_QUAD4, {3, 0, 4, 7}}};

const cn_element cn_element_hex8 = {.name = "hex8",
                                    .dim = 3,
                                    .node_count = 8,
                                    .corner_count = 8,
                                    .side_count = 6,
                                    .side = sides,
                                    .node_at = node_at,
                                    .stiffness = &cn_rule_hex8,
                                    .mass = &cn_rule_hex8,
                                    .has_bbar = true,
                                    .shape = shape};
