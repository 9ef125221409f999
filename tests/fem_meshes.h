// tests/fem_meshes.h -- small meshes of every element: a block of cells, its inner nodes moved, and
// a dense solver for static problems on it.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/assembly/fem.h"
#include "fem/element/element.h"
#include "math/factor.h"

typedef struct test_mesh {
    cn_mesh_def def;
    double *node;
    unsigned char *type;
    int *start, *element;
} test_mesh;

static inline void free_mesh(test_mesh *m)
{
    free(m->node);
    free(m->type);
    free(m->start);
    free(m->element);
}

// Corners of the elements of one cell; corners of a cell are numbered x first, then y, then z.
static inline int cell_elements(int type, int corner[][8])
{
    static const int quad[][8] = {{0, 1, 3, 2}}, tri[][8] = {{0, 1, 3}, {0, 3, 2}};
    static const int hex[][8] = {{0, 1, 3, 2, 4, 5, 7, 6}};
    static const int wedge[][8] = {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}};
    static const int tet[][8] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                 {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    switch (type) {
    case CN_TRI3:
    case CN_TRI6:
        memcpy(corner, tri, sizeof tri);
        return 2;
    case CN_QUAD4:
    case CN_QUAD8:
        memcpy(corner, quad, sizeof quad);
        return 1;
    case CN_TET4:
    case CN_TET10:
        memcpy(corner, tet, sizeof tet);
        return 6;
    case CN_WEDGE6:
        memcpy(corner, wedge, sizeof wedge);
        return 2;
    default:
        memcpy(corner, hex, sizeof hex);
        return 1;
    }
}

// Node in the middle of two others: found among those after `first`, else added.
static inline int middle_node(test_mesh *m, int first, int a, int b)
{
    int d = m->def.dim;
    double at[3], gap = 0.0;
    for (int k = 0; k < d; k++) {
        at[k] = 0.5 * (m->node[d * a + k] + m->node[d * b + k]);
    }
    for (int n = first; n < m->def.node_count; n++) {
        gap = 0.0;
        for (int k = 0; k < d; k++) {
            gap = fmax(gap, fabs(m->node[d * n + k] - at[k]));
        }
        if (gap < 1e-12) {
            return n;
        }
    }
    memcpy(m->node + d * m->def.node_count, at, (size_t)d * sizeof *at);
    return m->def.node_count++;
}

// Middle nodes of an element from the reference coordinates of its nodes.
static inline void add_middles(test_mesh *m, const cn_element *e, int first, int *node)
{
    for (int n = e->corner_count; n < e->node_count; n++) {
        for (int a = 0; a < e->corner_count; a++) {
            for (int b = a + 1; b < e->corner_count; b++) {
                double gap = 0.0;
                for (int k = 0; k < 3; k++) {
                    double mean = 0.5 * (e->node_at[a][k] + e->node_at[b][k]);
                    gap = fmax(gap, fabs(mean - e->node_at[n][k]));
                }
                if (gap < 1e-12) {
                    node[n] = middle_node(m, first, node[a], node[b]);
                    a = b = e->corner_count;
                }
            }
        }
    }
}

// A block of count[0] x count[1] (x count[2]) cells of sides size[]; inner corners are moved by up
// to `shake` of a cell.
static inline test_mesh make_block(int type, const int count[3], const double size[3], double shake,
                                   const cn_material_def *material)
{
    const cn_element *e = cn_element_of(type);
    int d = e->dim, layers = d == 3 ? count[2] : 0;
    int across = count[0] + 1, rows = count[1] + 1;
    int corners = across * rows * (layers + 1);
    int cells = count[0] * count[1] * (d == 3 ? layers : 1);
    test_mesh m = {.def = {.dim = d, .material_count = 1, .material = material}};
    m.node = calloc((size_t)(corners * 8 * d), sizeof *m.node);
    m.type = calloc((size_t)cells * 6, 1);
    m.start = calloc((size_t)cells * 6 + 1, sizeof *m.start);
    m.element = calloc((size_t)cells * 6 * CN_ELEMENT_NODES_MAX, sizeof *m.element);
    for (int n = 0; n < corners; n++) {
        int at[3] = {n % across, n / across % rows, n / across / rows};
        bool is_inside = true;
        for (int k = 0; k < d; k++) {
            is_inside = is_inside && at[k] > 0 && at[k] < count[k];
        }
        for (int k = 0; k < d; k++) {
            double move = is_inside ? shake * sin(3.0 * n + 1.7 * k + 1.0) : 0.0;
            m.node[d * n + k] = size[k] * (at[k] + move) / count[k];
        }
    }
    m.def.node_count = corners;
    for (int cell = 0; cell < cells; cell++) {
        int at[3] = {cell % count[0], cell / count[0] % count[1], cell / count[0] / count[1]};
        int corner[6][8];
        for (int k = 0, parts = cell_elements(type, corner); k < parts; k++) {
            int *node = m.element + m.start[m.def.element_count];
            for (int a = 0; a < e->corner_count; a++) {
                int c = corner[k][a];
                node[a] = at[0] + (c & 1) + across * (at[1] + (c >> 1 & 1)) +
                          across * rows * (at[2] + (c >> 2));
            }
            add_middles(&m, e, corners, node);
            m.type[m.def.element_count] = (unsigned char)type;
            m.start[m.def.element_count + 1] = m.start[m.def.element_count] + e->node_count;
            m.def.element_count++;
        }
    }
    m.def.node = m.node;
    m.def.type = m.type;
    m.def.element_start = m.start;
    m.def.element_node = m.element;
    return m;
}

// Solves K u = b with u = 0 where held, on the pattern of the model; K is changed there.
static inline cn_status solve_held(const cn_fem *fem, double *K, const bool *is_held,
                                   const double *b, double *u, cn_error *err)
{
    int n = fem->dof_count;
    for (int c = 0; c < n; c++) {
        for (int k = fem->col_start[c]; k < fem->col_start[c + 1]; k++) {
            if (is_held[c] || is_held[fem->row[k]]) {
                K[k] = fem->row[k] == c ? 1.0 : 0.0;
            }
        }
        u[c] = is_held[c] ? 0.0 : b[c];
    }
    cn_sparse A = {n, fem->col_start, fem->row, K};
    int *block = calloc((size_t)fem->node_count + 1, sizeof *block);
    for (int a = 0; a <= fem->node_count; a++) {
        block[a] = fem->dim * a;
    }
    cn_factor *factor = NULL;
    cn_status status = cn_factor_create(NULL, CN_FACTOR_CHOLESKY, &factor, err);
    status = status == CN_OK ? cn_factor_analyze(factor, &A, fem->node_count, block, err) : status;
    status = status == CN_OK ? cn_factor_numeric(factor, &A, err) : status;
    status = status == CN_OK ? cn_factor_solve(factor, &A, u, u, err) : status;
    cn_factor_destroy(factor);
    free(block);
    return status;
}
