// scene/generate_pack.h -- circles placed without overlap in a region: what the ways of packing
// share.
//
// Grains are packed by the circles that hold them. Radii are grown by half the wanted gap and the
// region is shrunk by the same, so that the methods know no gaps.
#pragma once

#include "cairn/vec.h"
#include "scene/generate.h"

#include <stdint.h>

typedef struct cn_circles {
    int count;          // circles to place
    int placed_count;   // circles placed so far
    double *radius;     // [m]
    double radius_most; // [m]
    cn_vec2 *centre;    // relative to the centre of the region [m]; NaN until placed
    cn_region region;   // shrunk, centred on the origin
    cn_vec2 corner;     // lower left of the grid of cells [m]
    double cell; // side of a cell: the largest diameter, so that neighbours are 3 x 3 cells [m]
    int columns, rows;
    int *first; // first circle of each cell, -1 if empty
    int *next;  // next circle of the same cell, -1 at the end
} cn_circles;

// True if a circle lies inside the region; a touch counts as inside.
bool cn_region_holds(const cn_region *region, cn_vec2 x, double radius);

// True if no placed circle overlaps the circle; a touch is no overlap.
bool cn_circles_is_free(const cn_circles *c, cn_vec2 x, double radius);

// Puts circle k at x and enters it in the grid of cells.
void cn_circles_put(cn_circles *c, int k, cn_vec2 x);

// Takes all circles out again.
void cn_circles_clear(cn_circles *c);

// Ways of packing. Each places as many of the circles as it can, starting from none.
cn_status cn_pack_random(cn_circles *c, uint64_t seed, cn_error *err);
cn_status cn_pack_lattice(cn_circles *c, uint64_t seed, cn_error *err);
cn_status cn_pack_dense(cn_circles *c, cn_error *err);
