// fem/element/element.h -- what a mesh needs to know of an element: shape functions, integration
// points, sides (theory 10.1 to 10.4). Pure functions and constant tables; no material, no mesh.
//
// A new element is one file, one line in table.c and one in the enum; tests/unit/element.c runs
// over the table.
#pragma once

#include "base/shared.h"
#include "cairn/fem.h"

#define CN_ELEMENT_NODES_MAX 20
#define CN_ELEMENT_DOFS_MAX 60
#define CN_ELEMENT_POINTS_MAX 27
#define CN_ELEMENT_SIDES_MAX 6
#define CN_SIDE_NODES_MAX 8

// Lines are sides of plane elements only.
enum { CN_SEG2 = CN_ELEMENT_COUNT, CN_SEG3, CN_CELL_COUNT };

// Weights sum up to the volume of the reference cell.
typedef struct cn_quadrature {
    int count;
    const double (*at)[3];
    const double *weight;
} cn_quadrature;

// Nodes of a side, in the order of the element type of the side: outward, that is counterclockwise
// seen from outside in space, material on the left in the plane.
typedef struct cn_element_side {
    int type; // CN_SEG2, CN_SEG3, CN_TRI3, CN_TRI6, CN_QUAD4, CN_QUAD8
    int node[CN_SIDE_NODES_MAX];
} cn_element_side;

typedef struct cn_element {
    const char *name;
    int dim, node_count, corner_count;
    int side_count;
    const cn_element_side *side;
    const double (*node_at)[3];     // reference coordinates of the nodes
    double centre[3];               // reference coordinates of the centre
    const cn_quadrature *stiffness; // points of stresses
    const cn_quadrature *mass;      // exact for the square of the shape functions
    bool has_bbar;                  // locks without mean dilatation
    // N[a] and dN[dim a + k] = dN_a/dxi_k at xi.
    void (*shape)(const double xi[3], double *N, double *dN);
} cn_element;

// type < CN_CELL_COUNT
CN_SHARED const cn_element *cn_element_of(int type);

extern const cn_element cn_element_seg2, cn_element_seg3, cn_element_tri3, cn_element_tri6,
    cn_element_quad4, cn_element_quad8, cn_element_tet4, cn_element_tet10, cn_element_hex8,
    cn_element_hex20, cn_element_wedge6;

// Rules by the degree of polynomials that they integrate exactly on the reference cell.
extern const cn_quadrature cn_rule_line2, cn_rule_line3;              // degree 3, 5; -1 .. 1
extern const cn_quadrature cn_rule_tri1, cn_rule_tri3, cn_rule_tri6;  // degree 1, 2, 4
extern const cn_quadrature cn_rule_quad4, cn_rule_quad9;              // degree 3, 5 per axis
extern const cn_quadrature cn_rule_tet1, cn_rule_tet4, cn_rule_tet14; // degree 1, 2, 5
extern const cn_quadrature cn_rule_hex8, cn_rule_hex27;               // degree 3, 5 per axis
extern const cn_quadrature cn_rule_wedge6;                            // degree 2 x 3
