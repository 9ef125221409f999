// generate/rock/cut_polyhedron.h -- convex cells that planes cut in two.
//
// A cell is bounded by flat faces, each a loop of corners that runs counterclockwise seen from
// outside. Cutting shares the new corners between both halves bit for bit, so that the halves fill
// the cell exactly and meet face to face.
#pragma once

#include <stdint.h>

#include "cairn/base.h"
#include "cairn/vec.h"

enum { CN_CELL_FACE_MAX = 40, CN_CELL_CORNER_MAX = 76, CN_CELL_LOOP_MAX = 228 };

typedef struct cn_cell {
    int corner_count, face_count;
    cn_vec3 corner[CN_CELL_CORNER_MAX];       // [m]
    int16_t face_start[CN_CELL_FACE_MAX + 1]; // places in `loop`
    uint8_t loop[CN_CELL_LOOP_MAX];           // corners
    uint8_t tag[CN_CELL_FACE_MAX];            // of the face: free for the caller
} cn_cell;

// All points with normal . x = offset; the normal has length 1.
typedef struct cn_plane {
    cn_vec3 normal;
    double offset; // [m]
} cn_plane;

// The prism over a convex polygon in the plane (x, z), counterclockwise seen from -y, between
// y = -width/2 and y = width/2. Tags: side[k] for the face over the edge from corner k to the next,
// end for the two ends.
void cn_cell_prism(int count, const cn_vec2 *polygon, double width, const uint8_t *side,
                   uint8_t end, cn_cell *cell);

double cn_cell_volume(const cn_cell *cell);

// Least and most of normal . x - offset over the corners.
void cn_cell_span(const cn_cell *cell, const cn_plane *plane, double span[2]);

// The halves below (normal . x <= offset) and above the plane, which must have corners of the cell
// further away than `flat` on both sides; corners closer than that count as on the plane. The new
// face has the tag `tag` in both. CN_BAD_INPUT: a half would have too many faces.
cn_status cn_cell_cut(const cn_cell *cell, const cn_plane *plane, double flat, uint8_t tag,
                      cn_cell *below, cn_cell *above, cn_error *err);
