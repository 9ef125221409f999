// result/mesh_rows.h -- deformable bodies in result files: rows that the writer appends.
#pragma once

#include "result/tables/result_tables.h"
#include "result/writer.h"

// Scratch of a writer.
typedef struct cn_mesh_rows {
    cn_node_row *node;
    cn_stress_row *stress;
    cn_strain_row *strain;
    cn_mean_row *mean;
    cn_element_row *element;
    double *vertex;
    size_t node_capacity, stress_capacity, strain_capacity, mean_capacity, element_capacity;
    size_t vertex_capacity;
} cn_mesh_rows;

void cn_mesh_rows_free(cn_mesh_rows *rows);

// Nodes of all meshes of a snapshot.
int64_t cn_mesh_rows_nodes(const cn_snapshot *s);

// Appends the mesh of a body that is new; nothing if it is rigid.
cn_status cn_mesh_rows_add(cn_tables *t, cn_mesh_rows *rows, const cn_snapshot *s, cn_body_id id,
                           cn_error *err);

// Appends the nodes of a frame, with their stresses if asked, and describes them in its row.
cn_status cn_mesh_rows_frame(cn_tables *t, cn_mesh_rows *rows, const cn_snapshot *s,
                             bool has_stress, cn_frame_row *row, cn_error *err);
