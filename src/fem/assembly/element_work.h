// fem/assembly/element_work.h -- one element at work: what the kernels of src/fem read and write.
#pragma once

#include "fem/assembly/fem.h"

// Views into the model and into the caller's arrays; no storage of its own.
typedef struct cn_cell {
    const cn_fem *fem;
    const cn_element *element;
    const cn_material *material;
    int id, n, dim, width; // element, nodes, axes, doubles per node and point
    int strain_count;      // components in use: 4 in the plane, 6 in space
    int point_count;
    const int *node;
    const double *gradient, *weight; // first point
    const double *old;               // history of the first point
    double *new_;
    bool is_rest; // moduli at rest and no stress: damping
    bool is_axisymmetric;
    bool has_bbar;      // mean dilatation
    bool has_selective; // shear of centre lines
    bool wants_tangent;
    double *stress, *strain; // six per point, if wanted: true stress; strain as the law sees it
    double *between;         // six per point, if wanted: stress between two positions (10.33)
} cn_cell;

// Of one element; K is n dim square, of which only the upper triangle is set.
typedef struct cn_cell_sums {
    double f[CN_ELEMENT_DOFS_MAX];
    double K[CN_ELEMENT_DOFS_MAX * CN_ELEMENT_DOFS_MAX];
    double stored, plastic;
} cn_cell_sums;

// Gradients of one element, of a model that does not keep them.
typedef struct cn_cell_room {
    double gradient[CN_ELEMENT_POINTS_MAX * CN_ELEMENT_NODES_MAX * 4];
} cn_cell_room;

cn_cell cn_cell_open(const cn_fem *fem, int element, const cn_fem_history *history,
                     cn_cell_room *room);

// Positions or displacements of the nodes of the cell out of a global array.
void cn_cell_gather(const cn_cell *c, const double *global, double *local);

// The three kinematics: x are positions of the nodes. False: no stress exists.
bool cn_cell_sum(const cn_cell *c, const double *x, cn_cell_sums *s);
bool cn_cell_small(const cn_cell *c, const double *u, cn_cell_sums *s);
bool cn_cell_corotate(const cn_cell *c, const double *x, cn_cell_sums *s);
bool cn_cell_lagrange(const cn_cell *c, const double *x, cn_cell_sums *s);

// Force between two positions (theory 10.33), total Lagrange: f and the energy stored at x1.
bool cn_cell_between(const cn_cell *c, const double *x0, const double *x1, cn_cell_sums *s);

// Largest number of points of an element with mean dilatation.
#define CN_BBAR_POINTS_MAX 8

// Deformation gradient at point p and C = F^T F as a strain (shears doubled); returns det F.
double cn_cell_deform(const cn_cell *c, int p, const double *x, double F[9], double C[6]);
// Rows of dE/dx (theory 10.11).
void cn_cell_green_rows(const cn_cell *c, int p, const double F[9], double *B);

// Response of point p, or moduli at rest; remembers stress and strain if they are wanted.
bool cn_cell_respond(const cn_cell *c, int p, const double strain[6], cn_response *r);

// f += w B^T stress, K += w B^T tangent B; B has strain_count rows.
void cn_cell_add(const cn_cell *c, int p, const double *B, const cn_response *r, cn_cell_sums *s);

// Builders of cn_fem_create, in order.
cn_status cn_fem_build_points(cn_fem *fem, cn_error *err);
cn_status cn_fem_build_pattern(cn_fem *fem, cn_error *err);
cn_status cn_fem_build_boundary(cn_fem *fem, cn_error *err);
cn_status cn_fem_build_sets(cn_fem *fem, const cn_mesh_def *def, cn_error *err);
cn_status cn_fem_build_mass(cn_fem *fem, cn_error *err);

// Gradients at the points of an element, which is known to be good, as in cn_fem.
void cn_fem_place_points(const cn_fem *fem, int element, double *gradient);

// Radius of a point with shape functions N, and what a plane cell is deep there: thickness or
// circumference [m].
double cn_fem_radius(const cn_fem *fem, int count, const int *node, const double *N,
                     const double *x);
double cn_fem_depth(const cn_fem *fem, double radius);

// m[n a + b] = integral of density N_a N_b over one element of n nodes.
cn_status cn_fem_element_mass(const cn_fem *fem, int element, double *m, cn_error *err);

// One element of the mass matrix times a factor, added on the pattern.
void cn_fem_add_mass(const cn_fem *fem, int element, double factor, double *M);

// Adds the upper triangle of an element matrix (n dim square) to values on the pattern.
void cn_fem_scatter(const cn_fem *fem, int element, const double *local, double *value);

// A new array, or NULL in *array and CN_NO_MEMORY.
#define cn_fem_new(fem, array, count, err)                                                         \
    cn_fem_allocate((fem), (void **)(array), (count), sizeof **(array), (err))
cn_status cn_fem_allocate(const cn_fem *fem, void **array, size_t count, size_t size,
                          cn_error *err);

// Jacobian of the reference map of an element at xi (theory 10.4): fills N and the gradients g[dim
// a
// + k]; returns the determinant (gradients are not set if it is not positive).
double cn_element_gradient(const cn_element *element, const int *node, const double *X,
                           const double xi[3], double *N, double *g);
