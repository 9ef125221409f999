// fem/assembly/fem.h -- a mesh model: masses, internal forces, tangents, damping, stresses,
// boundary (theory chapter 10). No time, no contact, no world.
//
// One cn_fem is one mesh in its reference position and never changes after cn_fem_create: equal
// bodies share one, and any number of threads may call the functions below on it. All that differs
// between bodies (positions, velocities, histories of plasticity) belongs to the caller, in arrays
// of the sizes told here; the functions write to what they are given and to nothing else, and
// allocate nothing. The mesh definition may be freed after cn_fem_create.
//
// Degree of freedom of node a and axis k: dim a + k. Positions x are in the axes of the mesh
// definition. A translation changes nothing (except the radius of an axisymmetric mesh). A turn
// changes nothing if kinematics are co-rotational or total Lagrange; with small strains a body
// placed at an angle has to turn x into mesh axes and the forces back.
//
// In the plane forces and masses are those of the thickness; axisymmetric: of the full circle.
#pragma once

#include "base/shared.h"
#include "fem/element/element.h"
#include "fem/material/material.h"

typedef struct cn_fem {
    cn_hooks hooks;
    int dim, node_count, element_count, material_count;
    int dof_count;     // dim node_count
    double *X;         // dof_count: reference positions [m]
    double *mass;      // dof_count: lumped mass of each degree of freedom [kg]
    double total_mass; // [kg]
    double volume;     // in the reference position [m3]
    cn_plane plane;
    double thickness; // [m]; 1 in space
    cn_mass_kind mass_kind;
    cn_integration integration;
    bool is_linear;   // force = K (x - X) with constant K, whatever x (no initial stress)
    bool has_damping; // cn_fem_damping is not zero
    cn_material *material;

    // Elements.
    unsigned char *type; // element_count: cn_element_type
    int *element_start;  // element_count + 1, into element_node
    int *element_node;
    int *element_material; // element_count

    // Pattern of symmetric matrices: the UPPER triangle by columns, rows ascending, diagonal last,
    // as math/factor.h takes it (only row <= column is stored). Values of K, M and C are arrays of
    // entry_count doubles in this order.
    int *col_start; // dof_count + 1
    int *row;       // entry_count
    int entry_count;

    // Boundary: sides of one element only, in the order of elements. Outward: counterclockwise seen
    // from outside in space, material on the left of the way in the plane. Corners first, middles
    // after them, in the order of the element type of the face.
    int face_count;
    int *face_start; // face_count + 1, into face_node
    int *face_node;
    unsigned char *face_type; // CN_SEG2 CN_SEG3 CN_TRI3 CN_TRI6 CN_QUAD4 CN_QUAD8
    int *face_element;        // element behind the face, and
    int *face_side;           // which of its sides

    // Named sets, copied from the definition. Faces of a set are indices of boundary faces.
    int set_count;
    char **set_name;
    int *set_node_start, *set_node; // CSR
    int *set_face_start, *set_face; // CSR

    // Below: for src/fem only.
    int *point_start;       // element_count + 1: integration points
    int *history_start;     // element_count + 1: doubles of history
    int point_width;        // doubles of one node at one point: gradient, hoop term if axisymmetric
    size_t *gradient_start; // element_count: into gradient
    double *gradient;       // per point, per node: dN/dX (dim), then N/R if axisymmetric; NULL
                            // if linear
    double *weight;         // per point: volume it stands for [m3]
    size_t *slot_start;     // element_count: into slot
    int *slot;              // where node pairs of elements go in the pattern, see pattern.c; NULL
                            // if linear
} cn_fem;

// CN_BAD_INPUT names the element or node: element of another dimension, turned inside out or
// without volume, node numbers that are not there, nodes of no element, side of three elements;
// young, poisson, density of the material. Nothing is left allocated on failure.
cn_status cn_fem_create(const cn_hooks *hooks, const cn_mesh_def *def, cn_fem **fem, cn_error *err);
void cn_fem_destroy(cn_fem *fem);

// The simplex that carries the affine motions of a mesh (theory 11.27): `*fem` has dim + 1 nodes,
// one element, mass, mass centre, second moments and volume of the mesh. `*weight` gets dim + 1
// weights of these nodes for each node of the mesh. On failure *fem is as it was.
cn_status cn_fem_create_affine(const cn_fem *mesh, cn_fem **fem, double **weight, cn_error *err);

// Doubles of history of one body. The caller keeps an old and a new copy; zeros are virgin.
size_t cn_fem_history_size(const cn_fem *fem);

// Set of a name, -1 if there is none.
int cn_fem_set_find(const cn_fem *fem, const char *name);

// M on the pattern; lumped mass is on the diagonal only, the rest zero.
void cn_fem_mass_matrix(const cn_fem *fem, double *M);

typedef struct cn_fem_energy {
    double stored;  // elastic, and of kinematic hardening, at x [J]
    double plastic; // dissipated between old and new history, >= 0 [J]
} cn_fem_energy;

// The history of the material at all points, cn_fem_history_size numbers: before a step and after.
typedef struct cn_fem_history {
    const double *old;
    double *new_;
} cn_fem_history;

// Internal forces f = dW/dx at positions x (they resist: equation of motion M a + f = load), from
// the old history to the new one. f is overwritten. K = df/dx on the pattern, overwritten; may be
// NULL, and costs most of the time. The history may be NULL if it has size 0. energy may be NULL.
// CN_BROKEN names the element: turned inside out, or NaN in x.
cn_status cn_fem_force(const cn_fem *fem, const double *x, const cn_fem_history *history, double *f,
                       double *K, cn_fem_energy *energy, cn_error *err);

// Adds to K the share of what its elements lack of being convex at x, from the old history:
// negative eigenvalues of element matrices count less by it, and with share 1 not at all
// (theory 10.32). cn_dense_start must have been called.
cn_status cn_fem_convexify(const cn_fem *fem, const double *x, const cn_fem_history *history,
                           double share, double *K, cn_error *err);

// Internal forces of a step from x0 to x1 that conserves energy and momentum (theory 10.33):
// f . (x1 - x0) is the change of the stored energy to rounding, and f has no moment about
// (x0 + x1)/2. K is 2 df/dx1 up to terms of the size of the step, symmetric: a Newton iteration
// with it converges, not quadratically. energy is that at x1. Elastic materials in small strain or
// total Lagrange form only: CN_BAD_INPUT otherwise.
cn_status cn_fem_force_between(const cn_fem *fem, const double *x0, const double *x1, double *f,
                               double *K, cn_fem_energy *energy, cn_error *err);

// C(x) on the pattern: viscous force C v (theory 10.36). Rayleigh and Kelvin-Voigt, with the moduli
// at rest and strain rates at x, so that turning as a whole is never damped by stiffness. Constant
// if the model is linear. Rate of dissipation: v . C v. dC/dx is for the caller to neglect.
cn_status cn_fem_damping(const cn_fem *fem, const double *x, double *C, cn_error *err);

// y = A v for a matrix on the pattern (both triangles).
void cn_fem_multiply(const cn_fem *fem, const double *A, const double *v, double *y);

#define CN_FEM_STRESS 6 // xx yy zz xy yz zx

// At each of point_start[element_count] integration points, at positions x and with the history
// that belongs to them (theory 10.37): true stresses in the axes of x (CN_FEM_STRESS doubles),
// strains as the material sees them (linear; total Lagrange: Green-Lagrange in the axes at rest;
// shears doubled), equivalent plastic strain (one double; 0 for elastic materials). Each may be
// NULL.
cn_status cn_fem_stress_points(const cn_fem *fem, const double *x, const double *history,
                               double *stress, double *strain, double *plastic, cn_error *err);

// Mean of the true stresses over the present volume (theory 11.32), and that volume [m3], which is
// that at rest for small and co-rotational strains.
cn_status cn_fem_stress_mean(const cn_fem *fem, const double *x, const double *history,
                             double mean[CN_FEM_STRESS], double *volume, cn_error *err);

// Carries fields of `width` doubles per integration point to the nodes (theory 10.38). `work` has
// node_count doubles.
void cn_fem_extrapolate(const cn_fem *fem, int width, const double *point, double *node,
                        double *work);

// Of one stress (6 doubles): principal values, largest first, with their axes as rows (axes may be
// NULL).
CN_SHARED void cn_fem_principal(const double stress[6], double value[3], double axes[9]);

// Where a point is given by shape functions: mass, moments, loads of faces.
// Nodal weights of a face for a dead load per reference area: weight[a] sums up to the area [m2].
// Returns the number of nodes of the face.
int cn_fem_face_weights(const cn_fem *fem, int face, double weight[CN_SIDE_NODES_MAX]);

// Nodal forces of pressure 1 Pa on a face at positions x, pointing inwards (follower load); dim
// doubles per node of the face. Returns the number of nodes.
int cn_fem_face_pressure(const cn_fem *fem, int face, const double *x,
                         double force[3 * CN_SIDE_NODES_MAX]);

// The point of the mesh, its nodes at x, that is nearest to a place: returns its element (-1: none)
// with the shape functions of its nodes there, and its distance [m].
int cn_fem_locate(const cn_fem *fem, const double *x, const double *at,
                  double N[CN_ELEMENT_NODES_MAX], double *distance);

// Facets of a boundary face: curved and four-sided ones are split (11.13), so that each is a
// segment in the plane and a triangle in space, outward as the face is. Returns how many there are.
#define CN_FACETS_MAX 6
CN_SHARED int cn_fem_face_split(int face_type, const int *node, int *facet);

// The boundary of a mesh in space without a model of it: *count triangles of three nodes, and which
// face of an element each is part of, ascending. The caller releases both (without hooks), also on
// failure.
CN_SHARED cn_status cn_fem_facets(const cn_mesh_def *def, int **facet, int **face, int *count,
                                  cn_error *err);
