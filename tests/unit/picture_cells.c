// Parts of the hull of points nearest to each of them.
#include "test.h"

#include <stdlib.h>

#include "base/hash.h"
#include "cairn/vec.h"
#include "picture/voronoi.h"

// A grid of points: inner ones have a whole cell, those on sides half of one, corners a quarter.
CN_TEST(cells_of_a_grid)
{
    enum { N = 5 };
    double xy[2 * N * N];
    for (int k = 0; k < N * N; k++) {
        xy[2 * k] = 0.5 * (k / N);
        xy[2 * k + 1] = 0.2 * (k % N);
    }
    cn_cells cells = {0};
    CN_DO(cn_cells_find(N * N, xy, &cells, &test_error));
    for (int k = 0; k < N * N; k++) {
        double share = (k / N % (N - 1) == 0 ? 0.5 : 1.0) * (k % N % (N - 1) == 0 ? 0.5 : 1.0);
        CN_NEAR(cn_cells_area(&cells, k), 0.1 * share, 1e-15, "cells of 0.5 x 0.2");
    }
    cn_cells_free(&cells);
}

static int by_x(const void *p, const void *q)
{
    const double *a = p, *b = q;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

// Whatever the points, cells fill their hull, and every corner is as near to its point as to any.
CN_TEST(cells_fill_the_hull)
{
    enum { N = 300 };
    double xy[2 * N], sum = 0.0;
    uint64_t random = 11;
    for (int k = 0; k < 2 * N; k++) {
        xy[k] = cn_random(&random);
    }
    for (int k = 0; k < 8; k++) { // corners: the hull is the unit square
        xy[k] = (k % 2 == 0 ? k / 2 % 2 : k / 4);
    }
    qsort(xy, N, 2 * sizeof *xy, by_x);
    cn_cells cells = {0};
    CN_DO(cn_cells_find(N, xy, &cells, &test_error));
    for (int k = 0; k < N; k++) {
        sum += cn_cells_area(&cells, k);
        for (int c = cells.start[k]; c < cells.start[k + 1]; c++) {
            const double *x = cells.corner + 2 * c;
            double own = hypot(x[0] - xy[2 * k], x[1] - xy[2 * k + 1]);
            for (int l = 0; l < N; l++) {
                CN_TRUE(hypot(x[0] - xy[2 * l], x[1] - xy[2 * l + 1]) > own - 1e-9);
            }
        }
    }
    CN_NEAR(sum, 1.0, 1e-12, "the unit square");
    cn_cells_free(&cells);
}

CN_TEST(points_on_a_line_have_no_cells)
{
    double xy[8] = {0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 5.0, 5.0};
    for (int count = 1; count <= 4; count++) {
        cn_cells cells = {0};
        CN_DO(cn_cells_find(count, xy, &cells, &test_error));
        CN_NEAR(cn_cells_area(&cells, 0), 0.0, 0.0, "no area");
        cn_cells_free(&cells);
    }
}

CN_MAIN(CN_RUN(cells_of_a_grid); CN_RUN(cells_fill_the_hull);
        CN_RUN(points_on_a_line_have_no_cells);)
