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

// A set of parallel joints.
typedef struct cn_joint_set {
    double dip;           // below the horizontal [rad]
    double direction;     // where the planes dip to, from +x towards +y [rad]; NaN: 0, or
    double dip_direction; // the same clockwise from north [rad]; NaN: not given
    double spacing;       // along their normal [m]
    double offset;        // of the planes along their normal, from midway about the centre [m]
    double scatter;       // largest angle of a plane with the mean of its set [rad]
    double uneven;        // how much the spacing varies at random: 0 not at all .. 1 [-]
    double persistence;   // share of the blocks in its way that a plane cuts [-]
} cn_joint_set;

// One joint or fault.
typedef struct cn_joint_plane {
    double at[3];                         // a point of it, the centre if it is a disc [m]
    double dip, direction, dip_direction; // as of sets [rad]
    double radius;                        // it cuts blocks whose section has its centre within [m];
                                          // NaN: all
} cn_joint_plane;

// A slope that faces +x with its toe at x = 0, z = 0, between y = -width/2 and width/2, cut into
// convex blocks by sets of joints. Blocks are numbered from the lowest mean height up.
typedef struct cn_slope_def {
    double height;     // [m]
    double angle;      // of the face, from the horizontal [rad]
    double length;     // of the base, from the toe back [m]
    double width;      // along y [m]
    double azimuth;    // clockwise from north: where +x, out of the slope, points to [rad]
    cn_structs planes; // cn_joint_plane: cut first
    cn_structs joints; // cn_joint_set
    double
        thinnest; // cuts that leave thinner pieces are not made; NaN: 0.1 of the least spacing [m]
    bool hold_base, hold_back, hold_sides; // blocks that reach there are supports
    double seed;
} cn_slope_def;

cn_generate cn_generate_drum, cn_generate_ballast, cn_generate_slope;
