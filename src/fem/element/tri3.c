// fem/element/tri3.c -- triangle of three nodes: constant strain (theory 10.2).
#include "fem/element/element.h"

static void shape(const double xi[3], double *N, double *dN)
{
    static const double slope[6] = {-1.0, -1.0, 1.0, 0.0, 0.0, 1.0};
    N[0] = 1.0 - xi[0] - xi[1];
    N[1] = xi[0];
    N[2] = xi[1];
    for (int k = 0; k < 6; k++) {
        dN[k] = slope[k];
    }
}

static const double node_at[][3] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};

static const cn_element_side sides[] = {{CN_SEG2, {0, 1}}, {CN_SEG2, {1, 2}}, {CN_SEG2, {2, 0}}};

const cn_element cn_element_tri3 = {.name = "tri3",
                                    .dim = 2,
                                    .node_count = 3,
                                    .corner_count = 3,
                                    .side_count = 3,
                                    .side = sides,
                                    .node_at = node_at,
                                    .centre = {1.0 / 3.0, 1.0 / 3.0, 0.0},
                                    .stiffness = &cn_rule_tri1,
                                    .mass = &cn_rule_tri3,
                                    .shape = shape};
