// fem/element/quad8.c -- quadrilateral of eight nodes: the serendipity family (theory 10.2).
#include "fem/element/element.h"

static const double node_at[][3] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0},
                                    {0.0, -1.0},  {1.0, 0.0},  {0.0, 1.0}, {-1.0, 0.0}};

// Corner at (p, q): 1/4 (1 + p x)(1 + q y)(p x + q y - 1).
static void corner(const double at[3], const double xi[3], double *N, double *dN)
{
    double px = at[0] * xi[0], qy = at[1] * xi[1];
    N[0] = 0.25 * (1.0 + px) * (1.0 + qy) * (px + qy - 1.0);
    dN[0] = 0.25 * at[0] * (1.0 + qy) * (2.0 * px + qy);
    dN[1] = 0.25 * at[1] * (1.0 + px) * (2.0 * qy + px);
}

// Middle of a side at (0, q): 1/2 (1 - x^2)(1 + q y), and likewise at (p, 0).
static void middle(const double at[3], const double xi[3], double *N, double *dN)
{
    int along = at[0] == 0.0 ? 0 : 1, across = 1 - along;
    double bubble = 1.0 - xi[along] * xi[along], ramp = 1.0 + at[across] * xi[across];
    N[0] = 0.5 * bubble * ramp;
    dN[along] = -xi[along] * ramp;
    dN[across] = 0.5 * bubble * at[across];
}

static void shape(const double xi[3], double *N, double *dN)
{
    for (int a = 0; a < 4; a++) {
        corner(node_at[a], xi, &N[a], &dN[2 * a]);
        middle(node_at[4 + a], xi, &N[4 + a], &dN[2 * (4 + a)]);
    }
}

static const cn_element_side sides[] = {
    {CN_SEG3, {0, 1, 4}}, {CN_SEG3, {1, 2, 5}}, {CN_SEG3, {2, 3, 6}}, {CN_SEG3, {3, 0, 7}}};

const cn_element cn_element_quad8 = {.name = "quad8",
                                     .dim = 2,
                                     .node_count = 8,
                                     .corner_count = 4,
                                     .side_count = 4,
                                     .side = sides,
                                     .node_at = node_at,
                                     .stiffness = &cn_rule_quad9,
                                     .mass = &cn_rule_quad9,
                                     .shape = shape};
