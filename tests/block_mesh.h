// tests/block_mesh.h -- the surface of a block as triangles, each face in n x n squares.
#pragma once

#include <math.h>

#define BLOCK_MESH_POINTS(n) (36 * (n) * (n))

// Corners of the triangles of a block centred at the origin; returns their number.
static inline int block_mesh(double x, double y, double z, int n, double *point)
{
    const double side[3] = {x, y, z};
    int count = 0;
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int square = 0; square < n * n; square++) {
            static const int loop[6] = {0, 1, 3, 0, 3, 2};
            for (int k = 0; k < 6; k++) {
                int corner = loop[face % 2 ? k : 5 - k];
                double *p = point + 3 * count++;
                p[axis] = (face % 2 ? 0.5 : -0.5) * side[axis];
                p[u] = ((square % n + (corner & 1)) / (double)n - 0.5) * side[u];
                p[v] = ((square / n + (corner >> 1)) / (double)n - 0.5) * side[v];
            }
        }
    }
    return count;
}
