// fem/mesh/mesh_file.h -- what a file of a volume mesh holds, whatever its format.
#pragma once

#include "fem/mesh/mesh_blocks.h"
#include "geometry/surface/read/cursor.h"

typedef struct cn_file_cell {
    int64_t number; // in the file
    int first;      // of its nodes
    int type, group;
} cn_file_cell;

typedef struct cn_file_cells {
    int count, node_count;
    cn_file_cell *cell;
    int *node; // vertices of the file
    size_t capacity, node_capacity;
} cn_file_cells;

// A vertex of an element two or more dimensions below the mesh, which is there for its group: a
// point, or in space a line.
typedef struct cn_file_mark {
    int vertex, group;
} cn_file_mark;

// The reader sets name, err, dim and scale, takes elements, then points to vertices and groups,
// which stay its own.
typedef struct cn_volume_file {
    const char *name; // of the file, for messages
    cn_error *err;
    int dim;
    double scale;               // unit of the file [m]
    cn_file_cells inside, side; // elements, and those one dimension below
    int mark_count;
    cn_file_mark *mark;
    size_t mark_capacity;
    int other; // elements of a higher dimension than the mesh
    int vertex_count;
    const double *vertex;  // three numbers each
    const int64_t *number; // of vertices in the file; NULL: from 0
    int group_count;
    const char *const *group_name;
    int *node_of; // vertex to node, -1: none
    cn_volume *v;
} cn_volume_file;

// An element of dimension dim or dim - 1: `corner` are vertices, node k of ours is corner[order[k]]
// (NULL: k).
cn_status cn_volume_file_take(cn_volume_file *s, int type, int64_t number, int group,
                              const int *corner, const int *order);

// An element of a lower dimension: its vertices belong to the set of its group.
cn_status cn_volume_file_mark(cn_volume_file *s, int group, int count, const int *vertex);

// The mesh of all that was taken.
cn_status cn_volume_file_build(cn_volume_file *s);

// Readers: the file into an open cn_volume_file, and its mesh.
cn_status cn_volume_read_msh(cn_cursor *c, cn_volume_file *to);
cn_status cn_volume_read_vtu(cn_cursor *c, cn_volume_file *to);
