// generate/rock/rubble_cells.h -- a convex cell filled with stones: the Voronoi cells of random
// seeds.
#pragma once

#include "generate/rock/cut_polyhedron.h"

typedef struct cn_voronoi_def {
    int count;
    int relax;     // Lloyd steps: how often each seed goes to the centroid of its cell
    uint64_t seed; // selects one of the random samples
} cn_voronoi_def;

// The cells, which together fill `whole`; cell[count] is memory of the caller. Each is cut by the
// planes halfway to other seeds, nearest first, until none can reach it. `flat` as in cn_cell_cut.
cn_status cn_voronoi_fill(const cn_voronoi_def *def, const cn_cell *whole, double flat,
                          cn_cell *cell, cn_error *err);
