// generate/masonry.h -- parameters of generators of masonry in space, and what they share.
//
// Frames as in generate.h: z up, standing on z = 0, centred on x = 0 and y = 0.
#pragma once

#include "generate/fields.h"
#include "generate/generate.h"

// Appends piece k of a planar list as a prism from y = from to y = to; the plane (x, y) becomes
// (x, z).
cn_status cn_pieces_extrude(const cn_pieces *plane, int k, double from, double to,
                            const int index[2], cn_pieces *space, cn_error *err);

// A hull from absolute points; `at` becomes their mean.
cn_status cn_pieces_add_hull(cn_pieces *pieces, int point_count, const double *point,
                             const cn_piece *piece, cn_error *err);

// An arch of voussoirs laid as a barrel along y: every voussoir is a course of stones, every second
// course shifted by half a stone. Course k is voussoir k from the left, positions count along y;
// the abutments are the last course.
typedef struct cn_vault_def {
    cn_arch_def arch; // its depth is not used
    double length;    // along the axis [m]
    double stones;    // per course, a multiple of 1/2
    int bond;         // cn_bond
} cn_vault_def;

// Two leaves of blocks with a core of rubble between them: convex stones that fill it exactly.
// Courses as in walls, the front leaf before the back one; the stones of the core are the last row.
typedef struct cn_leaf_wall_def {
    double blocks; // per course, a multiple of 1/2
    int courses;
    double block[3];     // length, thickness and height [m]
    double core;         // its thickness [m]
    double stone;        // size of its stones, about [m]
    int through;         // every so many courses has through-stones; 0: none
    int through_spacing; // in such a course every so many blocks is one
    int relax;           // how often seeds go to the centroids of their stones
    double seed;         // whole number
} cn_leaf_wall_def;

typedef enum cn_dome_form { CN_DOME_WHOLE = 0, CN_DOME_LUNES } cn_dome_form;

// Rings of stones between two spheres, closed by a keystone unless there is an oculus. Course k is
// ring k from below; then comes the keystone, then the abutments, one for each side of the
// springing.
typedef struct cn_dome_def {
    int form;         // cn_dome_form: lunes are the stones about the x axis only
    double radius;    // of the middle of the shell, at its edges [m]
    double thickness; // intrados to extrados, at the edges [m]
    int rings, stones;
    double embrace; // angle between opposite springings [rad]
    double oculus;  // radius of the opening at the intrados [m]; NaN: keystone
    int bond;       // cn_bond
    bool abutments;
} cn_dome_def;

typedef enum cn_vault_corner { CN_CORNER_MITRED = 0, CN_CORNER_BENT } cn_vault_corner;

// Groin and cloister vaults. Course k is the kth from the springing up, positions count through the
// webs; the abutments are the last course.
typedef struct cn_mitred_vault_def {
    double size[2];   // clear spans along x and y [m]
    double rise;      // of the intrados [m]; NaN: half the span along x
    double thickness; // of the profile along x [m]
    int courses;      // from springing to springing
    double stone;     // length of stones, about [m]
    int corner;       // cn_vault_corner
    bool abutments;
} cn_mitred_vault_def;

typedef enum cn_sail_support { CN_SAIL_SIDES = 0, CN_SAIL_CORNERS, CN_SAIL_FREE } cn_sail_support;

// A shallow vault over a rectangle, an arch carried along another one. Rows count along y,
// positions along x; the supports are the last row.
typedef struct cn_sail_def {
    double size[2];   // clear, along x and y [m]
    double rise[2];   // of the arches along x and y [m]
    double thickness; // at the crown [m]
    int rows, stones; // along y; along x in each row
    int bond;         // cn_bond
    int held;         // cn_sail_support
} cn_sail_def;

// Four quarters of a surface of revolution about the corners of a square, and the slab between
// them. Course k is the kth from the springing up, positions count through the fans; then come the
// slab and the supports.
typedef struct cn_fan_def {
    double size;      // side of the square [m]
    double pier;      // radius of the intrados at the springing [m]
    double rise;      // of the intrados [m]; NaN: that of a quarter of a circle
    double thickness; // [m]
    int courses;
    int stones; // of each course of a fan
    int bond;   // cn_bond
    bool abutments;
} cn_fan_def;

typedef enum cn_section_form { CN_SECTION_ROUND = 0, CN_SECTION_SQUARE } cn_section_form;

// Drums on top of each other, lowest first: course k, position 1.
typedef struct cn_column_def {
    int drums;
    double radius; // at the foot; square: half the width [m]
    double height; // of all drums [m]
    double top;    // radius at the top [m]; NaN: no taper
    int section;   // cn_section_form
    int sides;     // of a round column
    double gap;    // below each drum but the first [m]
} cn_column_def;

enum { CN_COLUMN_SIDES_MAX = 200 };

// Columns in a row along x under an entablature. Row k is column k from the left with its drums
// from below and its capital; then come the blocks of the architrave, from axis to axis, and those
// of the frieze, whose joints lie between.
typedef struct cn_colonnade_def {
    cn_column_def column; // of each column
    int columns;
    double spacing;    // of their axes [m]
    double capital[2]; // side of a square and height [m]; NaN: none
    double beam[2];    // of the architrave, along y and height [m]
    double frieze;     // its height [m]; NaN: none
} cn_colonnade_def;

// Courses between an upright back at x = 0 and a face that leans back from the foot.
typedef struct cn_buttress_def {
    double foot, top; // depth along x at the foot and at the top [m]
    double height;    // [m]
    int courses;
    double stone; // length of stones along x, about [m]
    double width; // in space, along y [m]
} cn_buttress_def;

// Four walls and slabs. Positions of a course count through the front (-y), right, back and left
// wall, along +x or +y; the roof is the course after the last, the floor the last of all.
typedef struct cn_house_def {
    double size[2];  // outer, along x and y [m]
    double block[3]; // length, thickness, height [m]
    int courses;
    double door[2], window[2]; // width and height [m]; NaN: none
    double sill;               // of the windows [m]
    cn_numbers windows;        // in the front, right, back and left wall; none: no windows
    double bearing;            // of lintels on each side [m]; NaN: half a block
    double roof, floor;        // thickness of slabs, 0: none [m]
    double overhang;           // of slabs [m]
} cn_house_def;

// A row of equal semicircular arches on piers, filled up to a level top.
typedef struct cn_tier_def {
    int spans;
    double span;      // of each opening [m]
    double pier;      // width of each, spans + 1 of them [m]
    double height;    // of the piers [m]
    int voussoirs;    // of each arch
    double thickness; // of its rings together [m]
    int rings;        // of each arch
    double cover;     // above the highest corner of the rings [m]
    double course;    // height of courses, about [m]
    double block;     // length of blocks, about [m]; NaN: two courses
    double width;     // in space, along y [m]
    double stones;    // in space, across the width, a multiple of 1/2
} cn_tier_def;

// Tiers on each other, lowest first. Rows count from below through all tiers: courses of the piers,
// a row of all voussoirs of each ring, courses between the rings, courses over the piers, one row
// over the rings, courses over the whole length; the foundations come last.
typedef struct cn_aqueduct_def {
    cn_structs tiers; // cn_tier_def
    bool foundations;
} cn_aqueduct_def;

cn_generate cn_generate_colonnade, cn_generate_buttress, cn_generate_leaf_wall, cn_generate_vault,
    cn_generate_dome, cn_generate_column, cn_generate_house, cn_generate_aqueduct,
    cn_generate_groin, cn_generate_cloister, cn_generate_sail, cn_generate_fan;

// The fields of a profile, for generators whose parameters begin with a cn_arch_def.
#define CN_ARCH_FIELDS                                                                             \
    {CN_FIELD(cn_arch_def, form, CN_FIELD_WORD, "-",                                               \
              "semicircular; segmental: part of a circle; pointed: two arcs; flat: straight "      \
              "soffit",                                                                            \
              0.0, 3.0, CN_ARCH_SEMICIRCULAR, "semicircular segmental pointed flat")},             \
        {CN_COUNT_FIELD(cn_arch_def, blocks, "number of voussoirs, at least 3; pointed: even")},   \
        {CN_LENGTH_FIELD(cn_arch_def, thickness, "intrados to extrados; flat: depth")},            \
        {CN_LENGTH_FIELD(cn_arch_def, radius, "of the centreline; not for flat arches"),           \
         .is_optional = true},                                                                     \
        {CN_FIELD(cn_arch_def, embrace, CN_FIELD_NUMBER, "rad",                                    \
                  "segmental: angle between the end joints", 1e-6, 1.5 * CN_PI, NAN, NULL),        \
         .is_optional = true},                                                                     \
        {CN_FIELD(cn_arch_def, offset, CN_FIELD_NUMBER, "m",                                       \
                  "pointed: distance of the centres of the two arcs from the axis", 0.0,           \
                  CN_LENGTH_MOST, NAN, NULL),                                                      \
         .is_optional = true},                                                                     \
        {CN_LENGTH_FIELD(cn_arch_def, span, "flat: span at the soffit"), .is_optional = true},     \
    {                                                                                              \
        CN_LENGTH_FIELD(cn_arch_def, focus,                                                        \
                        "flat: depth below the soffit of the point all joints aim at"),            \
            .is_optional = true                                                                    \
    }

// The fields of a column, for generators whose parameters begin with a cn_column_def.
#define CN_COLUMN_FIELDS                                                                           \
    {CN_COUNT_FIELD(cn_column_def, drums, "number of drums")},                                     \
        {CN_LENGTH_FIELD(cn_column_def, radius, "at the foot; square: half the width")},           \
        {CN_LENGTH_FIELD(cn_column_def, height, "of all drums together")},                         \
        {CN_LENGTH_FIELD(cn_column_def, top,                                                       \
                         "radius at the top: drums taper from the foot to it"),                    \
         .is_optional = true},                                                                     \
        {CN_FIELD(cn_column_def, section, CN_FIELD_WORD, "-",                                      \
                  "round: a prism of many sides, its edges at the radius; square", 0.0, 1.0,       \
                  CN_SECTION_ROUND, "round square")},                                              \
        {CN_FIELD(cn_column_def, sides, CN_FIELD_COUNT, "-", "of a round column", 3.0,             \
                  CN_COLUMN_SIDES_MAX, 12.0, NULL)},                                               \
    {                                                                                              \
        CN_GAP_FIELD(cn_column_def, gap, "gap below each drum but the lowest")                     \
    }
