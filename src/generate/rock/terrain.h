// generate/rock/terrain.h -- the surface of the ground as heights on a grid, two triangles for each
// of its rectangles, and what lies below it.
#pragma once

#include "generate/ground.h"
#include "generate/rock/cut_polyhedron.h"

typedef struct cn_terrain {
    int count[2];    // of lines along x and y
    double *line[2]; // their places, ascending [m]
    double *height;  // of the points, x fastest [m]
    double low, high;
} cn_terrain;

// CN_BAD_INPUT: the points are no grid, or it does not reach over the box.
cn_status cn_terrain_make(const cn_heights_def *def, const double lo[2], const double hi[2],
                          cn_terrain *terrain, cn_error *err);
void cn_terrain_free(cn_terrain *terrain);

// A cell below the ground: parts between the sides of triangles. Parts with one number in `body`
// share a side; a cell that is below as a whole is one part.
typedef struct cn_terrain_parts {
    int count, body_count;
    cn_cell *part;
    int *body;
    size_t part_capacity, body_capacity;
} cn_terrain_parts;

// Parts thinner than `thin` are left out. CN_BAD_INPUT: the cell meets more triangles than it
// should.
cn_status cn_terrain_clip(const cn_terrain *terrain, const cn_cell *cell, double flat, double thin,
                          cn_terrain_parts *parts, cn_error *err);
