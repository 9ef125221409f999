// picture/voronoi.h -- what area belongs to each of some points in the plane: the part of
// their convex hull that is nearer to it than to any other.
#pragma once

#include "cairn/base.h"

// Polygons of all points, one after the other; cn_cells_free frees them, also after a failure.
typedef struct cn_cells {
    int *start;     // count + 1, in corners
    double *corner; // x y
    size_t start_capacity, corner_capacity;
} cn_cells;

// The points differ and ascend along x. Where they lie on one line cells have no corners.
cn_status cn_cells_find(int count, const double *xy, cn_cells *cells, cn_error *err);
void cn_cells_free(cn_cells *cells);

double cn_cells_area(const cn_cells *cells, int k);
