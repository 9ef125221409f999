// result/body_rows.h -- bodies and their shapes in result files: rows that the writer appends.
#pragma once

#include "result/id_map.h"
#include "result/mesh_rows.h"

// What tells that the shape of a body has changed: what is worn off is missed in its mass, what has
// grown is seen in its size.
typedef struct cn_body_girth {
    double mass, size; // [kg, m]
} cn_body_girth;

// Bodies that the file holds already, and scratch arrays of the writer.
typedef struct cn_body_rows {
    cn_id_map known; // bodies in the list of the file: one that wears or grows is there as often as
                     // its shape changed between frames
    cn_body_girth *girth; // of each row of that list
    cn_body_row *body;
    cn_shape_row *shape;
    double *vertex;
    size_t girth_capacity, body_capacity, shape_capacity, vertex_capacity;
} cn_body_rows;

void cn_body_rows_free(cn_body_rows *rows);

// Appends bodies that were not in any frame so far, or not in this shape, and their meshes.
cn_status cn_body_rows_add(cn_tables *t, cn_body_rows *rows, cn_mesh_rows *meshes,
                           const cn_snapshot *s, cn_error *err);

// The bodies of a file that is continued.
cn_status cn_body_rows_load(cn_tables *t, cn_body_rows *rows, cn_error *err);
