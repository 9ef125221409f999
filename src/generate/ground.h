// generate/ground.h -- parameters of generators of grains and rock in space.
#pragma once

#include "generate/fields.h"
#include "generate/generate.h"

// A drum about an axis along y, centred on the origin: one body of flat plates around, two ends,
// and bars inside that lift what is in it.
typedef struct cn_drum_def {
    double radius;    // of the circle that touches the plates from inside [m]
    double length;    // inside, along y [m]
    double thickness; // NaN: a twentieth of the radius [m]
    int plates;       // around
    bool ends;
    int lifters;      // bars along the axis
    double lifter[2]; // height above the plates and width; NaN: a tenth of the radius [m]
} cn_drum_def;

// Stones in a loose heap that settles to a layer on z = 0, and a sleeper above them. The layer is
// `depth` deep and size[0] x size[1] wide at its top; along y it may have slopes. Course 1 holds
// the stones, course 2 the sleeper.
typedef struct cn_ballast_def {
    double size[2];      // along x and y, at the top [m]
    double depth;        // once settled [m]
    double slope;        // of the sides along y, run over rise; 0: upright, between walls [-]
    double fill;         // of the settled layer, to find how many stones it takes [-]
    double sleeper[3];   // along x, y and z; NaN: none [m]
    cn_grain3_def solid; // the stones
    double seed;
} cn_ballast_def;

typedef enum cn_spacing_kind {
    CN_SPACING_CONSTANT = 0,
    CN_SPACING_UNIFORM,    // between a and b
    CN_SPACING_LOGNORMAL,  // mean a, standard deviation b
    CN_SPACING_EXPONENTIAL // of this mean: planes at random places
} cn_spacing_kind;

// Distances of neighbouring joints of a set, along their mean normal [m].
typedef struct cn_spacing_def {
    int kind; // cn_spacing_kind
    double constant;
    double mean;
    double pair[2];
} cn_spacing_def;

typedef enum cn_scatter_kind { CN_SCATTER_CONE = 0, CN_SCATTER_FISHER } cn_scatter_kind;

// How normals lie about that of their set.
typedef struct cn_scatter_def {
    int kind;      // cn_scatter_kind
    double cone;   // evenly within this angle [rad]
    double fisher; // concentration of Fisher's distribution: the larger, the closer [-]
} cn_scatter_def;

// A set of parallel joints.
typedef struct cn_joint_set {
    double dip;           // below the horizontal [rad]
    double direction;     // where the planes dip to, from +x towards +y [rad]; NaN: 0, or
    double dip_direction; // the same clockwise from north [rad]; NaN: not given
    cn_spacing_def spacing;
    double offset; // of the planes along their normal, from midway about the centre [m]
    cn_scatter_def scatter;
    double uneven;      // how much a constant spacing varies at random: 0 not at all .. 1 [-]
    double persistence; // share of the blocks in its way that a plane cuts [-]
    double trace;       // mean diameter of joints that are discs [m]; 0 or NaN: planes
} cn_joint_set;

// One joint or fault.
typedef struct cn_joint_plane {
    double at[3];                         // a point of it, the centre if it is a disc [m]
    double dip, direction, dip_direction; // as of sets [rad]
    double radius;                        // it cuts blocks whose section has its centre within [m];
                                          // NaN: all
} cn_joint_plane;

// Joints that were mapped: discs, one of each number. Angles in degrees, as such files have them.
typedef struct cn_network_def {
    int kind;                      // -1: none
    cn_numbers x, y, z;            // centres [m]
    cn_numbers dip, dip_direction; // [degrees], the second clockwise from north
    cn_numbers radius;             // [m]
} cn_network_def;

// Heights of the ground on a grid, in any order.
typedef struct cn_heights_def {
    int kind;           // -1: none
    cn_numbers x, y, z; // [m]
} cn_heights_def;

// A slope that faces +x with its toe at x = 0, z = 0, between y = -width/2 and width/2, cut into
// convex blocks by sets of joints. Blocks are numbered from the lowest mean height up. With `size`
// it is a box instead, on z = 0 and centred on x = 0 and y = 0.
typedef struct cn_slope_def {
    double size[3];         // of a box, along x, y and z [m]; the first is not > 0: a slope
    double height;          // [m]
    double angle;           // of the face, from the horizontal [rad]
    double length;          // of the base, from the toe back [m]
    double width;           // along y [m]
    double azimuth;         // clockwise from north: where +x, out of the slope, points to [rad]
    cn_heights_def ground;  // of a box: what is above is not there; size[2] does not count
    cn_structs planes;      // cn_joint_plane: cut first
    cn_network_def network; // cut after those of `planes`, the largest first
    cn_structs joints;      // cn_joint_set
    double
        thinnest; // cuts that leave thinner pieces are not made; NaN: 0.1 of the least spacing [m]
    bool hold_base, hold_back, hold_sides; // blocks that reach there are supports
    double seed;
} cn_slope_def;

cn_generate cn_generate_drum, cn_generate_ballast, cn_generate_slope;
