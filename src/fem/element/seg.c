// fem/element/seg.c -- lines of two and three nodes: sides of plane elements (theory 10.2).
#include "fem/element/element.h"

static void shape2(const double xi[3], double *N, double *dN)
{
    N[0] = 0.5 * (1.0 - xi[0]);
    N[1] = 0.5 * (1.0 + xi[0]);
    dN[0] = -0.5;
    dN[1] = 0.5;
}

static void shape3(const double xi[3], double *N, double *dN)
{
    double x = xi[0];
    N[0] = 0.5 * x * (x - 1.0);
    N[1] = 0.5 * x * (x + 1.0);
    N[2] = 1.0 - x * x;
    dN[0] = x - 0.5;
    dN[1] = x + 0.5;
    dN[2] = -2.0 * x;
}

static const double node_at[][3] = {{-1.0}, {1.0}, {0.0}};

const cn_element cn_element_seg2 = {.name = "seg2",
                                    .dim = 1,
                                    .node_count = 2,
                                    .corner_count = 2,
                                    .node_at = node_at,
                                    .stiffness = &cn_rule_line2,
                                    .mass = &cn_rule_line2,
                                    .shape = shape2};

const cn_element cn_element_seg3 = {.name = "seg3",
                                    .dim = 1,
                                    .node_count = 3,
                                    .corner_count = 2,
                                    .node_at = node_at,
                                    .stiffness = &cn_rule_line3,
                                    .mass = &cn_rule_line3,
                                    .shape = shape3};
