// generate/wall/wall.c -- walls of equal blocks.
//
// A course is laid out in units of half a block with its joint, u = (width + head_gap)/2; a wall is
// `units` of them long. Block centres are ((2 j + n) - units) u/2 for a block of n units that
// begins at unit j: multiplied, never accumulated, so that left and right are mirror images bit for
// bit. In space blocks have a thickness along y, courses go up along z, and through-stones take the
// place of the blocks side by side in all leaves.
#include <stdio.h>

#include "base/memory.h"
#include "generate/masonry.h"
#include "generate/wall/wall.h"

#define UNIT_TOLERANCE 1e-6 // accepted distance of the length from a whole number of units [-]

static cn_status units_from_length(const cn_wall_def *def, double unit, int *units, cn_error *err)
{
    int step = def->bond == CN_BOND_STACK ? 2 : 1;
    double exact = (def->length + def->head_gap) / unit;
    double whole = step * round(exact / step);
    if (!(fabs(exact - whole) <= UNIT_TOLERANCE)) {
        double below = step * floor(exact / step), above = below + step;
        char lower[40] = "";
        if (below > 0.0) {
            snprintf(lower, sizeof lower, "%.9g or ", below * unit - def->head_gap);
        }
        return cn_fail(err, CN_BAD_INPUT,
                       "wall length %g m is not a whole number of %sblocks of %g m: use %s%.9g m",
                       def->length, step == 1 ? "half " : "", def->block[0], lower,
                       above * unit - def->head_gap);
    }
    CN_TRY(cn_check_count("half blocks per course", whole, err));
    *units = (int)whole;
    return CN_OK;
}

static cn_status units_from_blocks(const cn_wall_def *def, int *units, cn_error *err)
{
    double twice = 2.0 * def->blocks;
    CN_TRY(cn_check_count("half blocks per course", twice, err));
    if (twice != floor(twice) || (def->bond == CN_BOND_STACK && fmod(twice, 2.0) != 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "blocks per course must be a whole number%s, got %g",
                       def->bond == CN_BOND_STACK ? "" : " of halves", def->blocks);
    }
    *units = (int)twice;
    return CN_OK;
}

// Checks the parameters that only walls in space have.
static cn_status check_leaves(const cn_wall_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("block height", def->block[2], err));
    CN_TRY(cn_check_count("leaves of a wall", def->leaves, err));
    if (!(def->leaf_gap >= 0.0 && def->leaf_gap <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "leaf_gap must be at least 0 m, got %g", def->leaf_gap);
    }
    if (def->through < 0 || (def->through > 0 && (def->leaves < 2 || def->through_spacing < 1))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "through-stones join the leaves of a wall: give through, through_spacing "
                       "and leaves at least 1, 1 and 2, got %d, %d and %d",
                       def->through, def->through_spacing, def->leaves);
    }
    return CN_OK;
}

static cn_status check(const cn_wall_def *def, int dim, int *units, cn_error *err)
{
    CN_TRY(cn_check_length("block width", def->block[0], err));
    CN_TRY(cn_check_length(dim == 2 ? "block height" : "block thickness", def->block[1], err));
    if (dim == 3) {
        CN_TRY(check_leaves(def, err));
    }
    if (!(def->head_gap >= 0.0 && def->head_gap < def->block[0])) {
        return cn_fail(err, CN_BAD_INPUT,
                       "head_gap must be at least 0 and less than the block width %g m, got %g",
                       def->block[0], def->head_gap);
    }
    if (!(def->bed_gap >= 0.0 && def->bed_gap <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "bed_gap must be at least 0 m, got %g", def->bed_gap);
    }
    if (isnan(def->length) == isnan(def->blocks)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a wall takes either length (in m) or blocks (per course), %s",
                       isnan(def->length) ? "neither is given" : "both are given");
    }
    double unit = 0.5 * (def->block[0] + def->head_gap);
    if (isnan(def->blocks)) {
        CN_TRY(cn_check_length("wall length", def->length, err));
        CN_TRY(units_from_length(def, unit, units, err));
    } else {
        CN_TRY(units_from_blocks(def, units, err));
    }
    if (*units < 2) {
        return cn_fail(err, CN_BAD_INPUT, "a course needs at least one whole block, got %g",
                       0.5 * *units);
    }
    CN_TRY(cn_check_count("courses of a wall", def->courses, err));
    CN_TRY(cn_wall_check_openings(def, dim, *units, err));
    CN_TRY(cn_wall_check_bond(def, dim, *units, err));
    CN_TRY(cn_wall_check_irregular(def, err));
    int leaves = dim == 3 ? def->leaves : 1;
    return cn_check_count("blocks of a wall", 0.5 * *units * def->courses * leaves, err);
}

// Length of a course in units of half a block, and the vertices of half and whole blocks and of
// through-stones, shared by all of the wall.
typedef struct layout {
    int units;
    int block[2], through[2]; // first vertex of a half, of a whole one
} layout;

cn_status cn_wall_outline(double width, double thickness, double height, cn_pieces *pieces,
                          int *start, cn_error *err)
{
    double vertex[24];
    if (cn_pieces_dim(pieces) == 2) {
        cn_box_vertices(width, height, vertex);
        return cn_pieces_add_vertices(pieces, 4, vertex, start, err);
    }
    cn_box_corners(width, thickness, height, vertex);
    return cn_pieces_add_vertices(pieces, 8, vertex, start, err);
}

cn_status cn_wall_add_stone(const cn_wall_stone *stone, const int index[2], cn_pieces *pieces,
                            cn_error *err)
{
    const cn_piece piece = {.index = {index[0], index[1]}};
    const double plane[8] = {stone->left.below,  stone->low,  stone->right.below, stone->low,
                             stone->right.above, stone->high, stone->left.above,  stone->high};
    if (cn_pieces_dim(pieces) == 2) {
        return cn_pieces_add_polygon(pieces, 4, plane, &piece, err);
    }
    double space[24];
    for (int n = 0; n < 8; n++) {
        space[3 * n] = plane[2 * (n / 2)];
        space[3 * n + 1] = stone->y + (n % 2 == 0 ? -0.5 : 0.5) * stone->thickness;
        space[3 * n + 2] = plane[2 * (n / 2) + 1];
    }
    return cn_pieces_add_hull(pieces, 8, space, &piece, err);
}

static cn_status add_outlines(const cn_wall_def *def, cn_pieces *pieces, layout *wall,
                              cn_error *err)
{
    double thickness = def->block[1], height = def->block[cn_pieces_dim(pieces) - 1];
    double whole = def->leaves * thickness + (def->leaves - 1) * def->leaf_gap;
    for (int n = 1; n <= 2; n++) {
        double width = n == 2 ? def->block[0] : 0.5 * (def->block[0] - def->head_gap);
        CN_TRY(cn_wall_outline(width, thickness, height, pieces, &wall->block[n - 1], err));
        if (def->through > 0) {
            CN_TRY(cn_wall_outline(width, whole, height, pieces, &wall->through[n - 1], err));
        }
    }
    return CN_OK;
}

// Of the middle of a leaf, along y.
static double leaf_place(const cn_wall_def *def, int leaf)
{
    return (leaf - 0.5 * (def->leaves - 1)) * (def->block[1] + def->leaf_gap);
}

// One course of one leaf; *position counts through the leaves. Through-stones are added with the
// first leaf and left out of the others.
static cn_status add_course(const cn_wall_def *def, const layout *wall, int course, int leaf,
                            int *position, cn_pieces *pieces, cn_error *err)
{
    int up = cn_pieces_dim(pieces) - 1;
    double unit = 0.5 * (def->block[0] + def->head_gap);
    bool half_first =
        def->bond == CN_BOND_RUNNING && (course % 2 == 1) == (def->start == CN_WALL_START_FULL);
    if (def->openings.count > 0) {
        double height = (course + 0.5) * def->block[up];
        const cn_wall_course c = {def,
                                  wall->units,
                                  course,
                                  half_first,
                                  up == 1 ? height : leaf_place(def, leaf),
                                  up == 1 ? 0.0 : height};
        return cn_wall_add_open_course(&c, position, pieces, err);
    }
    bool is_bonding = def->through > 0 && (course + 1) % def->through == 0;
    for (int j = 0, n = 0, block = 0; j < wall->units; j += n, block++) {
        n = (j == 0 && half_first) || wall->units - j == 1 ? 1 : 2;
        bool is_through = is_bonding && block % def->through_spacing == 0;
        if (is_through && leaf > 0) {
            continue;
        }
        cn_piece piece = {
            .kind = CN_SHAPE_POLYGON,
            .solid = CN_SOLID_HULL,
            .vertex_start = (is_through ? wall->through : wall->block)[n - 1],
            .vertex_count = up == 2 ? 8 : 4,
            .at = {(2 * j + n - wall->units) * (0.5 * unit)},
            .index = {course + 1, ++*position},
        };
        if (up == 2 && !is_through) {
            piece.at[1] = leaf_place(def, leaf);
        }
        piece.at[up] = (course + 0.5) * def->block[up] + course * def->bed_gap;
        CN_TRY(cn_pieces_add(pieces, &piece, err));
    }
    return CN_OK;
}

cn_status cn_generate_wall(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_wall_def *def = params;
    int dim = cn_pieces_dim(pieces);
    layout wall = {0};
    pieces->note[0] = '\0';
    CN_TRY(check(def, dim, &wall.units, err));
    if (cn_wall_is_across(def)) {
        return cn_wall_add_bonded(def, wall.units, pieces, err);
    }
    if (cn_wall_is_irregular(def)) {
        return cn_wall_add_irregular(def, wall.units, pieces, err);
    }
    CN_TRY(add_outlines(def, pieces, &wall, err));
    for (int course = 0; course < def->courses; course++) {
        int position = 0;
        for (int leaf = 0; leaf < (dim == 3 ? def->leaves : 1); leaf++) {
            CN_TRY(add_course(def, &wall, course, leaf, &position, pieces, err));
        }
    }
    return CN_OK;
}

static const cn_field opening_fields[] = {
    {CN_FIELD(cn_opening_def, at, CN_FIELD_PAIR, "m",
              "x of its middle, and height of its sill, 0 for a door", -CN_LENGTH_MOST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_opening_def, size, CN_FIELD_PAIR, "m", "width and height, from bed to bed",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)},
    {CN_LENGTH_FIELD(cn_opening_def, bearing,
                     "of its lintel on each side; half a block if not given"),
     .is_optional = true},
    {CN_FIELD(cn_opening_def, voussoirs, CN_FIELD_COUNT, "-",
              "of a flat arch of one course above it; 0: a lintel", 0.0, CN_PIECES_MAX, 0.0, NULL)},
    {CN_FIELD(cn_opening_def, skew, CN_FIELD_NUMBER, "rad",
              "of the ends of the flat arch, from the vertical", 0.01, 1.2, 0.35, NULL)},
};
static const cn_variant opening = {"opening", "a door or a window, through all leaves", false,
                                   CN_COUNT_OF(opening_fields), opening_fields};

static const cn_field fields[] = {
    {CN_LENGTH_FIELD(cn_wall_def, length, "length of a course; or give blocks"),
     .is_optional = true},
    {CN_FIELD(cn_wall_def, blocks, CN_FIELD_NUMBER, "-",
              "blocks per course, a multiple of 1/2; or give length", 1.0, CN_PIECES_MAX, NAN,
              NULL),
     .is_optional = true},
    {CN_COUNT_FIELD(cn_wall_def, courses, "number of courses")},
    {CN_FIELD(cn_wall_def, block, CN_FIELD_POINT, "m",
              "width and height of a block; in space length, thickness and height", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_wall_def, leaves, CN_FIELD_COUNT, "-", "walls side by side, along y", 1.0,
              CN_PIECES_MAX, 1.0, NULL),
     .dim = 3},
    {CN_GAP_FIELD(cn_wall_def, leaf_gap, "gap between leaves"), .dim = 3},
    {CN_FIELD(
         cn_wall_def, through, CN_FIELD_COUNT, "-",
         "with several leaves: every so many courses has through-stones, which reach from face "
         "to face; 0: none",
         0.0, CN_PIECES_MAX, 0.0, NULL),
     .dim = 3},
    {CN_FIELD(cn_wall_def, through_spacing, CN_FIELD_COUNT, "-",
              "in such a course every so many blocks is a through-stone; 1: all of them", 1.0,
              CN_PIECES_MAX, 1.0, NULL),
     .dim = 3},
    {CN_FIELD(cn_wall_def, bond, CN_FIELD_WORD, "-",
              "running: every second course is shifted by half a block; stack: none is", 0.0, 1.0,
              CN_BOND_RUNNING, "running stack"),
     .dim = 2},
    {CN_FIELD(
         cn_wall_def, bond, CN_FIELD_WORD, "-",
         "running: every second course is shifted by half a block; stack: none is; of walls as "
         "thick as a block is long, with queen closers: english, courses of stretchers and of "
         "headers; flemish, both by turns in each course; header, headers only",
         0.0, 4.0, CN_BOND_RUNNING, "running stack english flemish header"),
     .dim = 3},
    {CN_FIELD(cn_wall_def, start, CN_FIELD_WORD, "-",
              "running bond: the lowest course begins with a full or a half block", 0.0, 1.0,
              CN_WALL_START_FULL, "full half")},
    {CN_GAP_FIELD(cn_wall_def, head_gap, "gap between the blocks of a course")},
    {CN_GAP_FIELD(cn_wall_def, bed_gap, "gap below each course but the lowest")},
    {CN_FIELD(cn_wall_def, openings, CN_FIELD_LIST, "-",
              "doors and windows, with a lintel or a flat arch of one course above each", 0.0, 0.0,
              NAN, NULL),
     .is_optional = true, .variant_count = 1, .variant = &opening,
     .row_size = sizeof(cn_opening_def)},
    {CN_FIELD(
         cn_wall_def, irregular, CN_FIELD_PAIR, "-",
         "how far head joints and beds are moved at random, as shares of length and height of a "
         "block; neighbours share them, so that all stays closed",
         0.0, 0.6, NAN, NULL),
     .is_optional = true},
    {CN_FIELD(cn_wall_def, lean, CN_FIELD_NUMBER, "-",
              "the same between lower and upper end of a head joint", 0.0, 0.6, 0.0, NULL)},
    {CN_SEED_FIELD(cn_wall_def)},
};

const cn_generator cn_wall_generator = {
    .name = "wall",
    .help = "courses of equal blocks on y = 0 (in space z = 0), centred on x = 0; wall[course, "
            "position]",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_wall_def),
    .make = cn_generate_wall,
};
