/// cairn/fem.h -- what a deformable body is made of: elements, materials, a mesh.
///
/// Definitions only, plain data that the caller owns and may free once a body or mesh model was
/// made of them. Formulas: theory chapter 10.
#pragma once

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Nodes of an element come in the order of VTK: corners first, counterclockwise in the plane; then
/// the middles of the edges. In space the first face (tri3, quad4) is seen counterclockwise from
/// the inside, so that volumes are positive.
///
///   tri6    middles of 01 12 20                    tet10  middles of 01 12 20 03 13 23
///   quad8   middles of 01 12 23 30                 wedge6 triangle 0 1 2, then 3 4 5 above it
///   hex8    bottom 0 1 2 3, then 4 5 6 7 above it
///   hex20   middles of the bottom 01 12 23 30, the top 45 56 67 74, the uprights 04 15 26 37
typedef enum cn_element_type {
    CN_TRI3 = 0,
    CN_TRI6,
    CN_QUAD4,
    CN_QUAD8,
    CN_TET4,
    CN_TET10,
    CN_HEX8,
    CN_HEX20,
    CN_WEDGE6,
    CN_ELEMENT_COUNT
} cn_element_type;

/// "tri3" ... "wedge6"; NULL for a type that does not exist.
CN_API const char *cn_element_name(cn_element_type type);
/// Type of a name; CN_ELEMENT_COUNT if it is none of them.
CN_API cn_element_type cn_element_find(const char *name);
/// Nodes of an element, and the dimension it fills; 0 for a type that does not exist.
CN_API int cn_element_node_count(cn_element_type type);
CN_API int cn_element_dim(cn_element_type type);

/// How strains follow from displacements (theory 10.6 to 10.11).
typedef enum cn_kinematics {
    CN_SMALL = 0,     ///< small displacements and rotations: linear strains
    CN_COROTATIONAL,  ///< small strains, any rotation: linear strains in axes of each element
    CN_TOTAL_LAGRANGE ///< any strain, any rotation
} cn_kinematics;

/// What happens across the plane of a 2D mesh.
typedef enum cn_plane {
    CN_PLANE_STRAIN = 0,
    CN_PLANE_STRESS,
    CN_AXISYMMETRIC ///< x is the radius (>= 0), y the axis; masses and forces of the full circle
} cn_plane;

/// How quad4 and hex8 keep from locking; other elements are integrated in full.
typedef enum cn_integration {
    CN_INTEGRATION_BBAR = 0, ///< mean dilatation of the element (theory 10.12): no volume locking
    CN_INTEGRATION_FULL,     ///< 2 x 2 (x 2) points for everything; locks when poisson is near 1/2
    CN_INTEGRATION_SELECTIVE ///< besides, shear strains of centre lines (theory 10.14): no shear
                             ///< locking in bending; for elements near parallelograms; total
                             ///< Lagrange elements keep mean dilatation only
} cn_integration;

typedef enum cn_mass_kind {
    CN_MASS_LUMPED = 0, ///< diagonal
    CN_MASS_CONSISTENT
} cn_mass_kind;

typedef enum cn_material_model {
    CN_MATERIAL_LINEAR = 0,    ///< isotropic: young, poisson
    CN_MATERIAL_ORTHOTROPIC,   ///< young_axis, poisson_axis, shear_axis
    CN_MATERIAL_SAINT_VENANT,  ///< Saint-Venant-Kirchhoff: young, poisson
    CN_MATERIAL_NEO_HOOKEAN,   ///< compressible: young, poisson
    CN_MATERIAL_MOONEY_RIVLIN, ///< mooney_c10, mooney_c01, bulk
    CN_MATERIAL_BLATZ_KO,      ///< young, poisson, blatz_share
    CN_MATERIAL_J2,            ///< von Mises plasticity: young, poisson, yield, hardening ...
    CN_MATERIAL_COUNT
} cn_material_model;

/// "linear", "orthotropic", "saint_venant_kirchhoff", "neo_hookean", "mooney_rivlin", "blatz_ko",
/// "j2"; NULL for a model that does not exist.
CN_API const char *cn_material_name(cn_material_model model);
/// Model of a name; CN_MATERIAL_COUNT if it is none of them.
CN_API cn_material_model cn_material_find(const char *name);

/// A material. A model reads its own members only; zero what you do not use.
typedef struct cn_material_def {
    cn_material_model model;
    cn_kinematics kinematics;   ///< not read by hyperelastic models: always total Lagrange
    double density;             ///< [kg/m3]; must be > 0
    double young;               ///< [Pa]
    double poisson;             ///< [-] in (-1, 1/2)
    double young_axis[3];       ///< orthotropic: along axes 1 2 3 [Pa]
    double poisson_axis[3];     ///< nu_12 nu_23 nu_31, strain of the second axis by a stress along
                                ///< the first [-]
    double shear_axis[3];       ///< G_12 G_23 G_31 [Pa]
    double axis_angle;          ///< from x to axis 1 about z; axis 3 is z [rad]
    double mooney_c10;          ///< [Pa]
    double mooney_c01;          ///< [Pa]
    double bulk;                ///< bulk modulus of Mooney-Rivlin [Pa]
    double blatz_share;         ///< 0: foam rubber (the usual one) .. 1: solid rubber [-]
    double yield;               ///< first yield stress [Pa]
    double hardening;           ///< isotropic, slope of stress over plastic strain [Pa]
    double hardening_kinematic; ///< slope of the shift of the yield surface (Prager) [Pa]
    double swift_strain;       ///< yield (1 + plastic strain/swift_strain)^swift_power; 0: none [-]
    double swift_power;        ///< [-]
    double initial_stress[6];  ///< at the reference position: xx yy zz xy yz zx [Pa]
    double viscous_time;       ///< Kelvin-Voigt: viscous stress = time x elastic moduli x rate [s]
    double rayleigh_mass;      ///< alpha of C = alpha M + beta K [1/s]
    double rayleigh_stiffness; ///< beta [s]
} cn_material_def;

/// Linear, small strain, all numbers 0: density, young and poisson remain to be set.
CN_API cn_material_def cn_material_def_default(void);

/// A named part of a mesh: nodes (imposed motion, nodal loads), sides of elements (pressure), or
/// both.
typedef struct cn_mesh_set {
    const char *name;
    int node_count;
    const int *node;
    int side_count;
    const int *side; ///< pairs: element, side of the element (0 ..), 2 side_count entries
} cn_mesh_set;

/// A volume mesh in its reference position.
typedef struct cn_mesh_def {
    int dim; ///< 2 or 3
    int node_count;
    const double *node; ///< dim coordinates each [m]
    int element_count;
    const unsigned char *type;   ///< cn_element_type of each
    const int *element_start;    ///< element_count + 1; element e has nodes
    const int *element_node;     ///< element_node[element_start[e]] .. [element_start[e+1]-1]
    const int *element_material; ///< index into material; NULL: all 0
    int material_count;
    const cn_material_def *material;
    cn_plane plane;   ///< dim 2 only
    double thickness; ///< plane strain and plane stress [m]; 0: 1 m
    cn_mass_kind mass;
    cn_integration integration;
    bool is_pseudo_rigid; ///< one deformation gradient for the whole body (theory 11.27): the mesh
                          ///< gives shape, mass and sets only; one material, not axisymmetric
    int set_count;
    const cn_mesh_set *set;
} cn_mesh_def;

#ifdef __cplusplus
}
#endif
