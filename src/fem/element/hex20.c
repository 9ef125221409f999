// fem/element/hex20.c -- hexahedron of twenty nodes: the serendipity family (theory 10.2).
#include "fem/element/element.h"

static const double node_at[][3] = {
    {-1.0, -1.0, -1.0}, {1.0, -1.0, -1.0}, {1.0, 1.0, -1.0}, {-1.0, 1.0, -1.0}, {-1.0, -1.0, 1.0},
    {1.0, -1.0, 1.0},   {1.0, 1.0, 1.0},   {-1.0, 1.0, 1.0}, {0.0, -1.0, -1.0}, {1.0, 0.0, -1.0},
    {0.0, 1.0, -1.0},   {-1.0, 0.0, -1.0}, {0.0, -1.0, 1.0}, {1.0, 0.0, 1.0},   {0.0, 1.0, 1.0},
    {-1.0, 0.0, 1.0},   {-1.0, -1.0, 0.0}, {1.0, -1.0, 0.0}, {1.0, 1.0, 0.0},   {-1.0, 1.0, 0.0}};

// Corner at (p, q, r): 1/8 (1 + p x)(1 + q y)(1 + r z)(p x + q y + r z - 2).
static void corner(const double at[3], const double xi[3], double *N, double *dN)
{
    double ramp[3], sum = -2.0;
    for (int k = 0; k < 3; k++) {
        ramp[k] = 1.0 + at[k] * xi[k];
        sum += at[k] * xi[k];
    }
    N[0] = 0.125 * ramp[0] * ramp[1] * ramp[2] * sum;
    for (int k = 0; k < 3; k++) {
        double others = ramp[(k + 1) % 3] * ramp[(k + 2) % 3];
        dN[k] = 0.125 * at[k] * others * (sum + ramp[k]);
    }
}

// Middle of an edge along x at (0, q, r): 1/4 (1 - x^2)(1 + q y)(1 + r z), and likewise for y, z.
static void middle(const double at[3], const double xi[3], double *N, double *dN)
{
    int k = at[0] == 0.0 ? 0 : at[1] == 0.0 ? 1 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
    double bubble = 1.0 - xi[k] * xi[k];
    double ramp_i = 1.0 + at[i] * xi[i], ramp_j = 1.0 + at[j] * xi[j];
    N[0] = 0.25 * bubble * ramp_i * ramp_j;
    dN[k] = -0.5 * xi[k] * ramp_i * ramp_j;
    dN[i] = 0.25 * bubble * at[i] * ramp_j;
    dN[j] = 0.25 * bubble * ramp_i * at[j];
}

static void shape(const double xi[3], double *N, double *dN)
{
    for (int a = 0; a < 8; a++) {
        corner(node_at[a], xi, &N[a], &dN[3 * a]);
    }
    for (int a = 8; a < 20; a++) {
        middle(node_at[a], xi, &N[a], &dN[3 * a]);
    }
}

static const cn_element_side sides[] = {
    {CN_QUAD8, {0, 3, 2, 1, 11, 10, 9, 8}},   {CN_QUAD8, {4, 5, 6, 7, 12, 13, 14, 15}},
    {CN_QUAD8, {0, 1, 5, 4, 8, 17, 12, 16}},  {CN_QUAD8, {1, 2, 6, 5, 9, 18, 13, 17}},
    {CN_QUAD8, {2, 3, 7, 6, 10, 19, 14, 18}}, {CN_QUAD8, {3, 0, 4, 7, 11, 16, 15, 19}}};

const cn_element cn_element_hex20 = {.name = "hex20",
                                     .dim = 3,
                                     .node_count = 20,
                                     .corner_count = 8,
                                     .side_count = 6,
                                     .side = sides,
                                     .node_at = node_at,
                                     .stiffness = &cn_rule_hex27,
                                     .mass = &cn_rule_hex27,
                                     .shape = shape};
