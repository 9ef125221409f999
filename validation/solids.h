// validation/solids.h -- deformable bodies that several cases share: meshes, what holds and loads
// them, what they answer.
//
// In space a trial must be placed along the axes (cn_place_along_axes). After a failure, which the
// book records, calls do nothing and answers are empty.
#pragma once

#include "validation.h"

enum { CN_SOFT_PICK_MAX = 4 };

// What a deformable body is made of. Before it is added, nodes may be moved and `mesh.plane`,
// `mesh.thickness`, `mesh.mass` and `mesh.integration` be changed. Bodies keep their own copies.
typedef struct cn_soft {
    cn_mesh_def mesh;
    cn_material_def material;
    double *node;     // of the mesh, dim coordinates each [m]
    cn_mesh_set *set; // of the mesh
    int *pick[CN_SOFT_PICK_MAX], pick_count;
    int *element; // nodes of elements after a cut, else NULL
    cn_volume *volume;
} cn_soft;

cn_material_def cn_soft_elastic(double young, double poisson, double density); // linear

// Any volume. Its sets are those of cairn/mesh.h.
cn_soft cn_soft_make(cn_book *book, const cn_volume_def *def, cn_material_def material);

// A box from its low corner. Sets x0 x1 y0 y1 (z0 z1) are its sides, low and high along each axis.
cn_soft cn_soft_box(cn_book *book, cn_element_type element, const int *cells, const double *low,
                    const double *size, cn_material_def material);

// The half x >= 0 of a disk of quad4 on its lowest point, the origin: a cylinder, or axisymmetric a
// ball. Cells of the disk as in cairn/mesh.h, an even number along the core; at the lowest point
// they are `finer` times smaller than those of a disk of equal cells. Set "axis": x = 0.
cn_soft cn_soft_half_disk(cn_book *book, double radius, const int cells[2], double finer,
                          cn_material_def material);
void cn_soft_free(cn_soft *soft);

// Moves every node.
void cn_soft_map(cn_soft *soft, void (*map)(double *X, const void *context), const void *context);

// A set of the nodes whose coordinate along an axis (0 1 2) is `value`, up to 1e-9 of it or of 1 m.
void cn_soft_pick(cn_soft *soft, const char *name, int axis, double value);

// A set of the nodes in a box along the axes, likewise.
void cn_soft_pick_within(cn_soft *soft, const char *name, const double *low, const double *high);

// Fills the mesh of `rest` (place, velocity, group, two passes) and adds the body.
cn_body_id cn_soft_add(cn_trial *t, const cn_soft *soft, cn_body_def rest);

// Settings of all deformable bodies; without inertia theta must be 1.
void cn_soft_quasi_static(cn_trial *t);
void cn_soft_settings(cn_trial *t, const cn_deform_def *def);

// On the nodes or sides of a set; NULL: all of them.
void cn_soft_hold(cn_trial *t, cn_body_id id, const char *set, cn_dof dof);
void cn_soft_drive(cn_trial *t, cn_body_id id, const char *set, cn_dof dof, cn_drive_kind kind,
                   cn_function f);
void cn_soft_load(cn_trial *t, cn_body_id id, const char *set, cn_node_load_kind kind,
                  cn_vec3 direction, cn_function f);

// Nodes now, and the one whose place without deformation is nearest to a point.
cn_node_view cn_soft_nodes(const cn_trial *t, cn_body_id id);
int cn_soft_nearest(const cn_node_view *nodes, cn_vec3 at);

// Displacement of a node of a view along an axis [m].
double cn_soft_moved(const cn_node_view *nodes, int node, int axis);

// Stresses at the nodes, xx yy zz xy yz zx each [Pa]; to be freed. NULL after a failure.
double *cn_soft_stress(cn_trial *t, cn_body_id id);
