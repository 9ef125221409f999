// scene/keys/keys_deformable.c -- the table of keys of deformable bodies: meshes and materials.
#include <math.h>

#include "scene/keys/keys_words.h"

// A table, one key per line where it fits.
// clang-format off

// ---- meshes

#define ELEMENTS                                                                                   \
    {.name = "elements", .type = CN_TYPE_WORD,                                                     \
     .choices = "tri3 tri6 quad4 quad8 tet4 tet10 hex8 hex20 wedge6", OPTIONAL,                    \
     .help = "quad4 if not given, in space hex8"}
#define CROSSED                                                                                    \
    {.name = "crossed", .type = CN_TYPE_FLAG, OPTIONAL,                                            \
     .help = "tri3 and tri6: four triangles about the middle of each cell, not two"}
#define SIZE                                                                                       \
    {.name = "size", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL,                      \
     .help = "edges of cells are about as long as this"}
#define CELLS(text)                                                                                \
    {.name = "cells", .type = CN_TYPE_NUMBERS, OPTIONAL, .help = "instead of size: " text}
#define RADIUS(text)                                                                               \
    {.name = "radius", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED, .help = text}

static const cn_key box_keys[] = {
    {.name = "size", .type = CN_TYPE_POINT, .unit = "m", POSITIVE, REQUIRED,
     .help = "width and height; in space along x, y and z"},
    ELEMENTS, CELLS("cells along x, y (and z)"), CROSSED,
};
static const cn_section box = {
    "meshed_box", "a rectangle, in space a block, centred on its origin; sets left right bottom "
                  "top, in space also front back", KEYS(box_keys), .short_list = "size"};

static const cn_key plate_keys[] = {
    {.name = "size", .type = CN_TYPE_PAIR, .unit = "m", POSITIVE, REQUIRED,
     .help = "width, and height at the middle"},
    RADIUS("of its lower edge, an arc"),
    ELEMENTS, CELLS("cells along x and y"), CROSSED,
};
static const cn_section plate = {
    "meshed_plate", "a rectangle whose lower edge is an arc; sets left right bottom top",
    KEYS(plate_keys)};

static const cn_key annulus_keys[] = {
    RADIUS("outer radius"),
    {.name = "inner", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "inner radius"},
    ELEMENTS, SIZE, CELLS("cells around and through"), CROSSED,
};
static const cn_section annulus = {"meshed_annulus", "a ring; sets inner outer", KEYS(annulus_keys)};

static const cn_key disk_keys[] = {
    RADIUS("radius"), ELEMENTS, SIZE,
    CELLS("cells along the side of the square core, and from the core to the rim"), CROSSED,
};
static const cn_section disk = {
    "meshed_disk", "a disk; set outer", KEYS(disk_keys), .short_scalar = "radius"};
static const cn_section sphere = {
    "meshed_sphere", "a ball; set outer", KEYS(disk_keys), .short_scalar = "radius"};

static const cn_key cylinder_keys[] = {
    RADIUS("radius"),
    {.name = "length", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "along local z"},
    ELEMENTS, SIZE,
    CELLS("cells along the side of the square core, from the core to the rim, and along z"),
    CROSSED,
};
static const cn_section cylinder = {
    "meshed_cylinder", "a round bar; sets outer bottom top", KEYS(cylinder_keys)};

static const cn_key set_keys[] = {
    {.name = "from", .type = CN_TYPE_POINT, .unit = "m", REQUIRED, .help = "low corner of a box"},
    {.name = "to", .type = CN_TYPE_POINT, .unit = "m", REQUIRED, .help = "its high corner"},
};
static const cn_section set = {
    "mesh_set", "nodes of a mesh in a box, as `from` and `to` in the frame of the mesh",
    KEYS(set_keys)};
static const cn_key set_item = {.name = "sets", .type = CN_TYPE_MAP, .section = &set};

static const cn_key volume_keys[] = {
    {.name = "box", .type = CN_TYPE_MAP, .section = &box, OPTIONAL,
     .help = "a rectangle; in space a block"},
    {.name = "disk", .type = CN_TYPE_MAP, .section = &disk, OPTIONAL, IN_PLANE, .instead = "sphere",
     .help = "a disk"},
    {.name = "annulus", .type = CN_TYPE_MAP, .section = &annulus, OPTIONAL, IN_PLANE,
     .instead = "cylinder", .help = "a ring"},
    {.name = "plate", .type = CN_TYPE_MAP, .section = &plate, OPTIONAL, IN_PLANE, .instead = "box",
     .help = "a rectangle with a round lower edge"},
    {.name = "cylinder", .type = CN_TYPE_MAP, .section = &cylinder, OPTIONAL, IN_SPACE,
     .instead = "disk", .help = "a round bar"},
    {.name = "sphere", .type = CN_TYPE_MAP, .section = &sphere, OPTIONAL, IN_SPACE,
     .instead = "disk", .help = "a ball"},
    {.name = "file", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "gmsh file (.msh, 2.2 or 4.1) or VTK file (.vtu, groups by cell data `group`), relative "
             "to the scene; physical groups are sets, and elements of a group that is called like "
             "a material are made of it"},
    {.name = "scale", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL,
     .help = "unit of the file: 0.001 for millimetres; 1 if not given"},
    ELEMENTS, SIZE, CELLS("as in the parts above"), CROSSED,
    {.name = "mass", .type = CN_TYPE_WORD, .choices = "lumped consistent", .fallback = "lumped",
     .help = "matrix of masses"},
    {.name = "integration", .type = CN_TYPE_WORD, .choices = "bbar full selective",
     .fallback = "bbar", .help = "of quad4 and hex8, against locking"},
    {.name = "two_pass", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "meets other meshes with its nodes and with its faces"},
    {.name = "mid_face", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "contacts act at the middles of its facets instead of its nodes"},
    {.name = "self_contact", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "its surface may touch itself"},
    {.name = "explode", .type = CN_TYPE_WORD, .choices = "elements materials sets", OPTIONAL,
     .help = "every element, every material or every one of `sets` (of elements, and what is in "
             "none) becomes a body of its own, called name[k]; laws that bond hold them together"},
    {.name = "sets", .type = CN_TYPE_NAMED, .item = &set_item, OPTIONAL,
     .help = "more sets of nodes, by boxes, e.g. {tip: {from: [0.9, -1], to: [1, 1]}}"},
    {.name = "bond_set", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "laws that bond do so on faces between nodes of this set; everywhere if not given"},
};
const cn_section cn_section_volume = {
    "volume", "elements of a deformable body: one of these parts, or with `generate` or `from` none; "
              "elements, size, cells and crossed may stand inside the part or beside it",
    KEYS(volume_keys)};

// ---- materials

#define PLASTIC(text) .help = "j2: " text

static const cn_key material_keys[] = {
    {.name = "density", .type = CN_TYPE_NUMBER, .unit = "kg/m3", POSITIVE, REQUIRED,
     .help = "mass per volume; 2D bodies are 1 m thick"},
    {.name = "wear", .type = CN_TYPE_NUMBER, .unit = "1/Pa", NOT_NEGATIVE,
     .fallback = "0",
     .help = "Archard's K over hardness: volume worn off per load and slip, of polygons in the plane"},
    {.name = "model", .type = CN_TYPE_WORD,
     .choices = "linear orthotropic saint_venant_kirchhoff neo_hookean mooney_rivlin blatz_ko j2",
     .fallback = "linear", .help = "law of deformable bodies; rigid ones take the density only"},
    {.name = "young", .type = CN_TYPE_NUMBER, .unit = "Pa", POSITIVE, OPTIONAL,
     .help = "modulus; not of orthotropic and mooney_rivlin"},
    {.name = "poisson", .type = CN_TYPE_NUMBER, .least = -1.0, .most = 0.5, OPTIONAL,
     .help = "below 0.5; not of orthotropic and mooney_rivlin"},
    {.name = "kinematics", .type = CN_TYPE_WORD, .choices = "small corotational total",
     .fallback = "small",
     .help = "linear, orthotropic, j2: small displacements and turns, which is fastest; small "
             "strains of bodies that turn; or any strain. The others are always total"},
    {.name = "plane", .type = CN_TYPE_WORD, .choices = "strain stress axisymmetric",
     .fallback = "strain", IN_PLANE, .help = "what happens across the plane; axisymmetric: x is the "
             "radius, y the axis"},
    {.name = "thickness", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, .fallback = "1", IN_PLANE,
     .help = "of meshes in plane strain and plane stress"},
    {.name = "young_axis", .type = CN_TYPE_NUMBERS, .unit = "Pa", OPTIONAL,
     .help = "orthotropic: along axes 1, 2, 3"},
    {.name = "poisson_axis", .type = CN_TYPE_NUMBERS, OPTIONAL,
     .help = "orthotropic: nu_12, nu_23, nu_31, strain of the second axis by a stress along the "
             "first"},
    {.name = "shear_axis", .type = CN_TYPE_NUMBERS, .unit = "Pa", OPTIONAL,
     .help = "orthotropic: G_12, G_23, G_31"},
    {.name = "axis_angle", .type = CN_TYPE_NUMBER, .unit = "rad", OPTIONAL,
     .help = "orthotropic: from x to axis 1 about z; axis 3 is z; 0 if not given"},
    {.name = "mooney_c10", .type = CN_TYPE_NUMBER, .unit = "Pa", OPTIONAL, .help = "mooney_rivlin"},
    {.name = "mooney_c01", .type = CN_TYPE_NUMBER, .unit = "Pa", OPTIONAL, .help = "mooney_rivlin"},
    {.name = "bulk", .type = CN_TYPE_NUMBER, .unit = "Pa", POSITIVE, OPTIONAL,
     .help = "mooney_rivlin: bulk modulus"},
    {.name = "blatz_share", .type = CN_TYPE_NUMBER, .least = 0.0, .most = 1.0, OPTIONAL,
     .help = "blatz_ko: 0 foam rubber, if not given, to 1 solid rubber"},
    {.name = "yield", .type = CN_TYPE_NUMBER, .unit = "Pa", POSITIVE, OPTIONAL,
     PLASTIC("first yield stress")},
    {.name = "hardening", .type = CN_TYPE_NUMBER, .unit = "Pa", NOT_NEGATIVE, OPTIONAL,
     PLASTIC("isotropic, slope of stress over plastic strain; 0 if not given")},
    {.name = "hardening_kinematic", .type = CN_TYPE_NUMBER, .unit = "Pa", NOT_NEGATIVE, OPTIONAL,
     PLASTIC("slope of the shift of the yield surface; 0 if not given")},
    {.name = "swift_strain", .type = CN_TYPE_NUMBER, POSITIVE, OPTIONAL,
     PLASTIC("yield (1 + plastic strain/swift_strain)^swift_power")},
    {.name = "swift_power", .type = CN_TYPE_NUMBER, NOT_NEGATIVE, OPTIONAL, PLASTIC("see above")},
    {.name = "initial_stress", .type = CN_TYPE_NUMBERS, .unit = "Pa", OPTIONAL,
     .help = "of meshes at the reference position: xx, yy, zz, xy, yz, zx"},
    {.name = "viscous_time", .type = CN_TYPE_NUMBER, .unit = "s", NOT_NEGATIVE, OPTIONAL,
     .help = "Kelvin-Voigt damping of meshes: viscous stress is this time the elastic moduli times "
             "the rate of strain"},
    {.name = "rayleigh_mass", .type = CN_TYPE_NUMBER, .unit = "1/s", NOT_NEGATIVE, OPTIONAL,
     .help = "alpha of the damping C = alpha M + beta K of meshes"},
    {.name = "rayleigh_stiffness", .type = CN_TYPE_NUMBER, .unit = "s", NOT_NEGATIVE, OPTIONAL,
     .help = "beta of the damping C = alpha M + beta K of meshes"},
};
const cn_section cn_section_material = {
    "material", "what bodies are made of", KEYS(material_keys), .short_scalar = "density"};
