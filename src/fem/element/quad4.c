// fem/element/quad4.c -- quadrilateral of four nodes: bilinear (theory 10.2).
#include "fem/element/element.h"

static const double node_at[][3] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};

static void shape(const double xi[3], double *N, double *dN)
{
    for (int a = 0; a < 4; a++) {
        double x = 1.0 + node_at[a][0] * xi[0], y = 1.0 + node_at[a][1] * xi[1];
        N[a] = 0.25 * x * y;
        dN[2 * a] = 0.25 * node_at[a][0] * y;
        dN[2 * a + 1] = 0.25 * x * node_at[a][1];
    }
}

static const cn_element_side sides[] = {
    {CN_SEG2, {0, 1}}, {CN_SEG2, {1, 2}}, {CN_SEG2, {2, 3}}, {CN_SEG2, {3, 0}}};

const cn_element cn_element_quad4 = {.name = "quad4",
                                     .dim = 2,
                                     .node_count = 4,
                                     .corner_count = 4,
                                     .side_count = 4,
                                     .side = sides,
                                     .node_at = node_at,
                                     .stiffness = &cn_rule_quad4,
                                     .mass = &cn_rule_quad4,
                                     .has_bbar = true,
                                     .shape = shape};
