// tests/grids.h -- block meshes for tests: boxes of quad4, tri3 or hex8 with named sides.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "cairn/cairn.h"

enum { GRID_SETS = 6 };

// Sets 2d and 2d + 1 are the low and the high side along axis d: "x0" "x1" "y0" "y1" "z0" "z1".
typedef struct grid {
    cn_mesh_def def;
    cn_material_def material;
    double *node;
    unsigned char *type;
    int *start, *element;
    cn_mesh_set set[GRID_SETS];
    int *set_node[GRID_SETS], *set_side[GRID_SETS];
} grid;

static inline int grid_node(const int n[3], int i, int j, int k)
{
    return i + (n[0] + 1) * (j + (n[1] + 1) * k);
}

static inline void grid_sets(grid *g, const int n[3], int per_cell)
{
    static const char *const name[GRID_SETS] = {"x0", "x1", "y0", "y1", "z0", "z1"};
    // Side of quad4 (edges 01 12 23 30) and hex8 on each side of the box; tri3 pairs 012, 023.
    static const int side_quad[4] = {3, 1, 0, 2};
    int dim = g->def.dim;
    for (int s = 0; s < 2 * dim; s++) {
        int nodes = 0, sides = 0, axis = s / 2;
        g->set_node[s] = malloc(sizeof(int) * (size_t)g->def.node_count);
        g->set_side[s] = malloc(sizeof(int) * 2 * (size_t)g->def.element_count);
        for (int a = 0; a < g->def.node_count; a++) {
            int at[3] = {a % (n[0] + 1), a / (n[0] + 1) % (n[1] + 1),
                         a / ((n[0] + 1) * (n[1] + 1))};
            if (at[axis] == (s % 2 == 0 ? 0 : n[axis])) {
                g->set_node[s][nodes++] = a;
            }
        }
        for (int c = 0; c < g->def.element_count / per_cell && dim == 2; c++) {
            int at[2] = {c % n[0], c / n[0]};
            if (at[axis] != (s % 2 == 0 ? 0 : n[axis] - 1)) {
                continue;
            }
            int side = side_quad[s], element = per_cell * c;
            if (per_cell == 2) { // triangle 012 has the low y and high x side, 023 the others
                element += s == 0 || s == 3;
                side = s == 2 ? 0 : 1;
                side = s == 0 ? 2 : side;
            }
            g->set_side[s][2 * sides] = element;
            g->set_side[s][2 * sides + 1] = side;
            sides++;
        }
        g->set[s] = (cn_mesh_set){.name = name[s],
                                  .node_count = nodes,
                                  .node = g->set_node[s],
                                  .side_count = sides,
                                  .side = g->set_side[s]};
    }
    g->def.set_count = 2 * dim;
    g->def.set = g->set;
}

// A box from `lo` with sides `size`, n cells along each axis; dim 2 uses CN_QUAD4 or CN_TRI3, dim 3
// CN_HEX8. Sides of elements are named in the plane only.
static inline grid *grid_make(int dim, cn_element_type type, const int *cells, const double *lo,
                              const double *size, cn_material_def material)
{
    grid *g = calloc(1, sizeof *g);
    int n[3] = {cells[0], cells[1], dim == 3 ? cells[2] : 0};
    int per_cell = type == CN_TRI3 ? 2 : 1, width = type == CN_TRI3 ? 3 : (dim == 2 ? 4 : 8);
    int nodes = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    int elements = per_cell * n[0] * n[1] * (dim == 3 ? n[2] : 1), e = 0;
    g->material = material;
    g->node = malloc(sizeof(double) * (size_t)(dim * nodes));
    g->type = malloc((size_t)elements);
    g->start = malloc(sizeof(int) * (size_t)(elements + 1));
    g->element = malloc(sizeof(int) * (size_t)(width * elements));
    for (int a = 0; a < nodes; a++) {
        int at[3] = {a % (n[0] + 1), a / (n[0] + 1) % (n[1] + 1), a / ((n[0] + 1) * (n[1] + 1))};
        for (int d = 0; d < dim; d++) {
            g->node[dim * a + d] = lo[d] + size[d] * at[d] / n[d];
        }
    }
    for (int k = 0; k < (dim == 3 ? n[2] : 1); k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                int c[8] = {grid_node(n, i, j, k),
                            grid_node(n, i + 1, j, k),
                            grid_node(n, i + 1, j + 1, k),
                            grid_node(n, i, j + 1, k),
                            grid_node(n, i, j, k + 1),
                            grid_node(n, i + 1, j, k + 1),
                            grid_node(n, i + 1, j + 1, k + 1),
                            grid_node(n, i, j + 1, k + 1)};
                int half[2][3] = {{c[0], c[1], c[2]}, {c[0], c[2], c[3]}};
                for (int p = 0; p < per_cell; p++, e++) {
                    memcpy(g->element + width * e, per_cell == 2 ? half[p] : c,
                           sizeof(int) * (size_t)width);
                }
            }
        }
    }
    for (e = 0; e <= elements; e++) {
        g->start[e] = width * e;
    }
    memset(g->type, type, (size_t)elements);
    g->def = (cn_mesh_def){.dim = dim,
                           .node_count = nodes,
                           .node = g->node,
                           .element_count = elements,
                           .type = g->type,
                           .element_start = g->start,
                           .element_node = g->element,
                           .material_count = 1,
                           .material = &g->material};
    grid_sets(g, n, per_cell);
    return g;
}

static inline void grid_free(grid *g)
{
    for (int s = 0; s < GRID_SETS; s++) {
        free(g->set_node[s]);
        free(g->set_side[s]);
    }
    free(g->node);
    free(g->type);
    free(g->start);
    free(g->element);
    free(g);
}

static inline cn_material_def grid_elastic(double young, double poisson, double density)
{
    cn_material_def material = cn_material_def_default();
    material.young = young;
    material.poisson = poisson;
    material.density = density;
    return material;
}

// A deformable body from a grid.
static inline cn_body_id grid_body(cn_world *w, const grid *g, double vx, double vy)
{
    cn_body_def def = cn_body_def_default();
    cn_body_id id = 0;
    cn_error err = {0};
    def.type = CN_BODY_MESH;
    def.mesh.item = &g->def;
    def.velocity[0] = vx;
    def.velocity[1] = vy;
    if (cn_body_add(w, &def, &id, &err) != CN_OK) {
        fprintf(stderr, "grid_body: %s\n", err.text);
        abort();
    }
    return id;
}
