// generate/pack/pack.h -- balls placed without overlap in a region: what the ways of packing
// share.
//
// Grains are packed by the balls that hold them; in the plane these are circles, z is 0 and there
// is one layer of cells. Radii are grown by half the wanted gap and the region is shrunk by the
// same, so that the methods know no gaps.
#pragma once

#include "cairn/vec.h"
#include "generate/generate.h"

#include <stdint.h>

typedef struct cn_balls {
    int dim;
    int count;          // balls to place
    int placed_count;   // balls placed so far
    double *radius;     // [m]
    double radius_most; // [m]
    cn_vec3 *centre;    // relative to the centre of the region [m]; NaN until placed
    cn_region region;   // shrunk, centred on the origin
    cn_vec3 corner;     // lower left of the grid of cells [m]
    double cell; // side of a cell: the largest diameter, so that neighbours are next cells [m]
    int columns, rows, layers;
    int *first; // first ball of each cell, -1 if empty
    int *next;  // next ball of the same cell, -1 at the end
} cn_balls;

// Sides of the box around the region, centred on the origin; z is 0 in the plane.
cn_vec3 cn_region_sides(const cn_region *region, int dim);

// True if a ball lies inside the region; a touch counts as inside.
bool cn_region_holds(const cn_region *region, int dim, cn_vec3 x, double radius);

// Makes the cells for `count` balls of known radii: at least the largest diameter wide and not many
// more than there are balls.
cn_status cn_balls_make(cn_balls *c, cn_error *err);

// Gives back cells and radii.
void cn_balls_free(cn_balls *c);

// True if no placed ball overlaps the ball; a touch is no overlap.
bool cn_balls_is_free(const cn_balls *c, cn_vec3 x, double radius);

// Puts ball k at x and enters it in the grid of cells.
void cn_balls_put(cn_balls *c, int k, cn_vec3 x);

// Takes all balls out again.
void cn_balls_clear(cn_balls *c);

// Ways of packing. Each places as many of the balls as it can, starting from none; dense in the
// plane is cn_pack_dense, in space cn_pack_drop.
cn_status cn_pack_random(cn_balls *c, uint64_t seed, cn_error *err);
cn_status cn_pack_lattice(cn_balls *c, uint64_t seed, cn_error *err);
cn_status cn_pack_dense(cn_balls *c, cn_error *err);
void cn_pack_drop(cn_balls *c, uint64_t seed);
