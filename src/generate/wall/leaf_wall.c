// generate/wall/leaf_wall.c -- walls of two leaves with a core of rubble.
//
// The leaves are in running bond. The core is parted by the courses that hold through-stones into
// boxes, from leaf to leaf: lifts between such courses, and what is left between their stones. Each
// box is filled with Voronoi cells, so that leaves, through-stones and rubble fill the wall
// exactly.
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "generate/masonry.h"
#include "generate/rock/rubble_cells.h"
#include "generate/wall/wall.h"

static const double FLAT =
    1e-12; // corners this close to a plane are on it, of the size of the wall

enum { RELAX_MOST = 100, CORE_MOST = 1000000 };

typedef struct making {
    const cn_leaf_wall_def *def;
    int units; // of half a block
    double half;
    int stones;    // of the core so far
    int boxes;     // likewise
    double filled; // by them [m3]
    cn_pieces *pieces;
} making;

static cn_status check(const cn_leaf_wall_def *def, cn_error *err)
{
    double twice = 2.0 * def->blocks;
    CN_TRY(cn_check_length("block length", def->block[0], err));
    CN_TRY(cn_check_length("block thickness", def->block[1], err));
    CN_TRY(cn_check_length("block height", def->block[2], err));
    CN_TRY(cn_check_length("core", def->core, err));
    CN_TRY(cn_check_length("stone", def->stone, err));
    CN_TRY(cn_check_count("courses of a wall", def->courses, err));
    CN_TRY(cn_check_count("half blocks per course", twice, err));
    CN_TRY(cn_check_seed(def->seed, err));
    if (twice != floor(twice) || twice < 2.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "blocks per course must be a whole number of halves from 1 up, got %g",
                       def->blocks);
    }
    if (def->through < 0 || (def->through > 0 && def->through_spacing < 1)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "through and through_spacing must be at least 0 and 1, got %d and %d",
                       def->through, def->through_spacing);
    }
    if (def->relax < 0 || def->relax > RELAX_MOST) {
        return cn_fail(err, CN_BAD_INPUT, "relax must be 0 to %d, got %d", RELAX_MOST, def->relax);
    }
    double volume = def->blocks * def->block[0] * def->core * def->courses * def->block[2];
    double stones = volume / (def->stone * def->stone * def->stone);
    if (!(stones <= CORE_MOST)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a core of %g m3 would have %.0f stones of %g m, at most %d are made: take "
                       "larger ones",
                       volume, stones, def->stone, CORE_MOST);
    }
    return cn_check_count("blocks of a wall", def->blocks * def->courses * 2.0, err);
}

static bool has_through(const cn_leaf_wall_def *def, int course)
{
    return def->through > 0 && (course + 1) % def->through == 0;
}

// ---- rubble

static cn_status add_rubble(making *w, const cn_cell *cell, cn_error *err)
{
    double point[3 * CN_CELL_CORNER_MAX];
    const cn_piece piece = {.index = {w->def->courses + 1, ++w->stones}};
    for (int n = 0; n < cell->corner_count; n++) {
        point[3 * n] = cell->corner[n].x;
        point[3 * n + 1] = cell->corner[n].y;
        point[3 * n + 2] = cell->corner[n].z;
    }
    w->filled += cn_cell_volume(cell);
    return cn_pieces_add_hull(w->pieces, cell->corner_count, point, &piece, err);
}

// Fills the core between two places along the wall and two heights.
static cn_status fill_box(making *w, const double x[2], const double z[2], cn_error *err)
{
    const cn_leaf_wall_def *def = w->def;
    const cn_vec2 side[4] = {{x[0], z[0]}, {x[1], z[0]}, {x[1], z[1]}, {x[0], z[1]}};
    const uint8_t tag[4] = {0};
    double size = fmax(2.0 * w->half, fmax(def->core, def->courses * def->block[2]));
    double stones =
        (x[1] - x[0]) * (z[1] - z[0]) * def->core / (def->stone * def->stone * def->stone);
    const cn_voronoi_def rubble = {.count = (int)fmax(1.0, round(stones)),
                                   .relax = def->relax,
                                   .seed = cn_mix2((uint64_t)def->seed, (uint64_t)w->boxes++)};
    cn_cell whole, *cell = malloc((size_t)rubble.count * sizeof *cell);
    if (cell == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d stones of a core", rubble.count);
    }
    cn_cell_prism(4, side, def->core, tag, 0, &whole);
    cn_status status = cn_voronoi_fill(&rubble, &whole, FLAT * size, cell, err);
    for (int k = 0; k < rubble.count && status == CN_OK; k++) {
        status = add_rubble(w, &cell[k], err);
    }
    free(cell);
    return status;
}

// Fills the core of a course between its through-stones.
static cn_status fill_between(making *w, int course, const double z[2], cn_error *err)
{
    const cn_leaf_wall_def *def = w->def;
    double from = -w->half;
    for (int at = 0, next, block = 0; at < w->units; at = next, block++) {
        next = at == 0 && course % 2 == 1 ? 1 : at + 2 < w->units ? at + 2 : w->units;
        if (block % def->through_spacing == 0) {
            const double x[2] = {from, (2 * at - w->units) * (0.25 * def->block[0])};
            CN_TRY(x[1] > x[0] ? fill_box(w, x, z, err) : CN_OK);
            from = (2 * next - w->units) * (0.25 * def->block[0]);
        }
    }
    const double x[2] = {from, w->half};
    return x[1] > x[0] ? fill_box(w, x, z, err) : CN_OK;
}

static cn_status fill_core(making *w, cn_error *err)
{
    const cn_leaf_wall_def *def = w->def;
    const double x[2] = {-w->half, w->half};
    int bottom = 0;
    for (int course = 0; course <= def->courses; course++) {
        bool is_end = course == def->courses || has_through(def, course);
        const double z[2] = {bottom * def->block[2], course * def->block[2]};
        CN_TRY(is_end && course > bottom ? fill_box(w, x, z, err) : CN_OK);
        if (course < def->courses && has_through(def, course)) {
            const double own[2] = {course * def->block[2], (course + 1) * def->block[2]};
            CN_TRY(fill_between(w, course, own, err));
            bottom = course + 1;
        }
    }
    return CN_OK;
}

// ---- leaves

// The course of one leaf; through-stones stand with the front leaf, in the place of both blocks.
static cn_status add_leaf(making *w, int course, int leaf, int *position, cn_error *err)
{
    const cn_leaf_wall_def *def = w->def;
    double aside = 0.5 * (def->core + def->block[1]);
    for (int at = 0, next, block = 0; at < w->units; at = next, block++) {
        next = at == 0 && course % 2 == 1 ? 1 : at + 2 < w->units ? at + 2 : w->units;
        bool is_through = has_through(def, course) && block % def->through_spacing == 0;
        if (is_through && leaf == 1) {
            continue;
        }
        double left = (2 * at - w->units) * (0.25 * def->block[0]);
        double right = (2 * next - w->units) * (0.25 * def->block[0]);
        const cn_wall_stone stone = {.left = {left, left},
                                     .right = {right, right},
                                     .low = course * def->block[2],
                                     .high = (course + 1) * def->block[2],
                                     .y = is_through ? 0.0 : (2 * leaf - 1) * aside,
                                     .thickness = is_through ? def->core + 2.0 * def->block[1]
                                                             : def->block[1]};
        const int index[2] = {course + 1, ++*position};
        CN_TRY(cn_wall_add_stone(&stone, index, w->pieces, err));
    }
    return CN_OK;
}

cn_status cn_generate_leaf_wall(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_leaf_wall_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    making w = {.def = def,
                .units = (int)(2.0 * def->blocks),
                .half = 0.5 * def->blocks * def->block[0],
                .pieces = pieces};
    for (int course = 0; course < def->courses; course++) {
        int position = 0;
        CN_TRY(add_leaf(&w, course, 0, &position, err));
        CN_TRY(add_leaf(&w, course, 1, &position, err));
    }
    CN_TRY(fill_core(&w, err));
    snprintf(pieces->note, sizeof pieces->note, "%d stones fill a core of %.6g m3", w.stones,
             w.filled);
    return CN_OK;
}

static const cn_field fields[] = {
    {CN_FIELD(cn_leaf_wall_def, blocks, CN_FIELD_NUMBER, "-",
              "blocks per course, a multiple of 1/2", 1.0, CN_PIECES_MAX, NAN, NULL)},
    {CN_COUNT_FIELD(cn_leaf_wall_def, courses, "number of courses")},
    {CN_FIELD(cn_leaf_wall_def, block, CN_FIELD_POINT, "m",
              "length, thickness and height of the blocks of both leaves", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_LENGTH_FIELD(cn_leaf_wall_def, core, "thickness of the rubble between the leaves")},
    {CN_LENGTH_FIELD(cn_leaf_wall_def, stone, "size of its stones, about: the side of a cube")},
    {CN_FIELD(cn_leaf_wall_def, through, CN_FIELD_COUNT, "-",
              "every so many courses has through-stones, from face to face; 0: none", 0.0,
              CN_PIECES_MAX, 0.0, NULL)},
    {CN_FIELD(cn_leaf_wall_def, through_spacing, CN_FIELD_COUNT, "-",
              "in such a course every so many blocks is a through-stone", 1.0, CN_PIECES_MAX, 2.0,
              NULL)},
    {CN_FIELD(cn_leaf_wall_def, relax, CN_FIELD_COUNT, "-",
              "steps that make the stones rounder and more equal; 0: as they fall", 0.0, RELAX_MOST,
              5.0, NULL)},
    {CN_SEED_FIELD(cn_leaf_wall_def)},
};

const cn_generator cn_leaf_wall_generator = {
    .name = "leaf_wall",
    .help = "two leaves in running bond with a core of rubble stones that fill it, on z = 0; "
            "leaf_wall[course, position], the core is the row after the last course",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_leaf_wall_def),
    .dim = 3,
    .make = cn_generate_leaf_wall,
};
