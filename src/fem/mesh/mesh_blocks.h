// fem/mesh/mesh_blocks.h -- meshes made of blocks of cells.
//
// A block is a box of cells, mapped into space. Every cell has a lattice of 3 x 3 (x 3) points:
// corners, middles of edges and faces, centre. An element kind picks its nodes among them, so that
// triangles, wedges, tetrahedra and elements with middle nodes all come from one grid, and middle
// nodes lie where the map puts them. Points of neighbouring blocks that fall together are welded.
#pragma once

#include "base/memory.h"
#include "cairn/mesh.h"
#include "fem/element/element.h"

enum { CN_VOLUME_BLOCK_MAX = 7, CN_VOLUME_CELL_MAX = 20000000 };

// Maps (u, v, w) of [0, 1]^dim into space.
typedef void cn_volume_map(const cn_volume_def *def, int block, const double u[3], double x[3]);

typedef struct cn_volume_block {
    int cells[3];
    // Names of the sets on the sides u = 0, u = 1, v = 0, v = 1, w = 0, w = 1; NULL: inside.
    const char *side[6];
} cn_volume_block;

// What a kind of volume is made of.
typedef struct cn_volume_plan {
    int dim, block_count;
    cn_volume_block block[CN_VOLUME_BLOCK_MAX];
    cn_volume_map *map;
} cn_volume_plan;

// Blocks of each kind (block_plans.c). CN_BAD_INPUT: lengths or cells that cannot be.
cn_status cn_volume_plan_make(const cn_volume_def *def, cn_volume_plan *plan, cn_error *err);

// Elements of one cell (lattice.c): nodes as points of the lattice, x fastest: p = i + 3 j + 9 k.
typedef struct cn_cell_split {
    int count;                                       // elements per cell
    const signed char (*node)[CN_ELEMENT_NODES_MAX]; // NULL: they depend on the cell
} cn_cell_split;
cn_cell_split cn_cell_split_of(cn_element_type type, bool is_crossed);

// Six tetrahedra of a cell whose corners, in the order of hex8, have these numbers. The first four
// nodes are those of tet4.
void cn_cell_tets(const int corner[8], signed char node[6][CN_ELEMENT_NODES_MAX]);

struct cn_volume {
    cn_mesh_def mesh;
    double *node;
    unsigned char *type;
    int *element_start, *element_node;
    cn_mesh_set *set;
    int *set_node[6], *set_side[6];
    // Of files: everything above but the sets lies in these.
    int *set_data;  // nodes and sides of all sets
    char *set_text; // their names
    int group_count, *element_group;
    const char **group_name;
};
