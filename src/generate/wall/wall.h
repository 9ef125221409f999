// generate/wall/wall.h -- what the two parts of the wall generator share.
#pragma once

#include "generate/fields.h"
#include "generate/generate.h"

// One course of one leaf.
typedef struct cn_wall_course {
    const cn_wall_def *def;
    int units;       // of half a block
    int number;      // from 0
    bool is_shifted; // begins with a half block
    double y, z;     // of its middle; in the plane y is its height [m]
} cn_wall_course;

// The vertices of a stone, about its centre.
cn_status cn_wall_outline(double width, double thickness, double height, cn_pieces *pieces,
                          int *start, cn_error *err);

// Openings begin and end at beds, with their lintels within the wall.
cn_status cn_wall_check_openings(const cn_wall_def *def, int dim, int units, cn_error *err);

// Bonds of stretchers and headers, in space.
bool cn_wall_is_across(const cn_wall_def *def);
cn_status cn_wall_check_bond(const cn_wall_def *def, int dim, int units, cn_error *err);
cn_status cn_wall_add_bonded(const cn_wall_def *def, int units, cn_pieces *pieces, cn_error *err);

// Walls whose joints are moved at random.
bool cn_wall_is_irregular(const cn_wall_def *def);
cn_status cn_wall_check_irregular(const cn_wall_def *def, cn_error *err);
cn_status cn_wall_add_irregular(const cn_wall_def *def, int units, cn_pieces *pieces,
                                cn_error *err);

// A stone between two joints, which need not be upright, and two beds; through y +- thickness/2 in
// space.
typedef struct cn_wall_joint {
    double below, above; // x at its lower and upper bed [m]
} cn_wall_joint;
typedef struct cn_wall_stone {
    cn_wall_joint left, right;
    double low, high;    // beds [m]
    double y, thickness; // in space [m]
} cn_wall_stone;
cn_status cn_wall_add_stone(const cn_wall_stone *stone, const int index[2], cn_pieces *pieces,
                            cn_error *err);

// Stones and lintels of a course between openings; *position counts on.
cn_status cn_wall_add_open_course(const cn_wall_course *course, int *position, cn_pieces *pieces,
                                  cn_error *err);
