// result/mesh_rows.c
#include "result/mesh_rows.h"

#include <string.h>

#include "base/memory.h"

void cn_mesh_rows_free(cn_mesh_rows *rows)
{
    CN_RELEASE(rows->node, rows->stress, rows->strain, rows->mean, rows->element, rows->vertex);
    *rows = (cn_mesh_rows){0};
}

static bool find(const cn_snapshot *s, cn_body_id id, cn_mesh_def *mesh, cn_node_view *nodes)
{
    return s->nodes != NULL && s->nodes(s->context, id, mesh, nodes);
}

int64_t cn_mesh_rows_nodes(const cn_snapshot *s)
{
    int64_t count = 0;
    for (int i = 0; i < s->view.body_count; i++) {
        cn_mesh_def mesh;
        cn_node_view nodes;
        count += find(s, s->view.id[i], &mesh, &nodes) ? nodes.node_count : 0;
    }
    return count;
}

static cn_element_row row_of_element(const cn_mesh_def *mesh, int e)
{
    cn_element_row row = {.type = mesh->type[e]};
    int first = mesh->element_start[e], count = mesh->element_start[e + 1] - first;
    for (int n = 0; n < CN_ELEMENT_NODES; n++) {
        row.node[n] = n < count ? mesh->element_node[first + n] : -1;
    }
    return row;
}

cn_status cn_mesh_rows_add(cn_tables *t, cn_mesh_rows *rows, const cn_snapshot *s, cn_body_id id,
                           cn_error *err)
{
    cn_mesh_def mesh;
    cn_node_view nodes;
    if (!find(s, id, &mesh, &nodes)) {
        return CN_OK;
    }
    size_t dim = (size_t)nodes.dim, node_count = (size_t)nodes.node_count;
    size_t elements = (size_t)mesh.element_count;
    CN_TRY(cn_reserve(NULL, &rows->vertex, &rows->vertex_capacity, dim * node_count, err));
    CN_TRY(cn_reserve(NULL, &rows->element, &rows->element_capacity, elements, err));
    for (size_t k = 0; k < dim * node_count; k++) {
        rows->vertex[k] = nodes.X[k] + nodes.at[k % dim];
    }
    for (size_t e = 0; e < elements; e++) {
        rows->element[e] = row_of_element(&mesh, (int)e);
    }
    cn_mesh_row row = {
        .id = id, .node_count = nodes.node_count, .element_count = mesh.element_count};
    CN_TRY(cn_table_append(&t->mesh_node, rows->vertex, row.node_count, &row.node_start, err));
    CN_TRY(cn_table_append(&t->element, rows->element, row.element_count, &row.element_start, err));
    return cn_table_append(&t->mesh, &row, 1, NULL, err);
}

static void fill_nodes(const cn_node_view *nodes, double h, cn_node_row *row)
{
    size_t dim = (size_t)nodes->dim;
    for (size_t n = 0; n < (size_t)nodes->node_count; n++) {
        row[n] = (cn_node_row){0};
        memcpy(row[n].x, nodes->x + dim * n, dim * sizeof(double));
        memcpy(row[n].v, nodes->v + dim * n, dim * sizeof(double));
        for (size_t d = 0; d < dim && h > 0.0; d++) {
            row[n].r[d] = (nodes->impulse[dim * n + d] + nodes->reaction[dim * n + d]) / h;
        }
    }
}

cn_status cn_mesh_rows_frame(cn_tables *t, cn_mesh_rows *rows, const cn_snapshot *s,
                             bool has_stress, cn_frame_row *row, cn_error *err)
{
    int64_t total = cn_mesh_rows_nodes(s), stresses = has_stress ? total : 0;
    CN_TRY(cn_reserve(NULL, &rows->node, &rows->node_capacity, (size_t)total, err));
    CN_TRY(cn_reserve(NULL, &rows->stress, &rows->stress_capacity, (size_t)stresses, err));
    CN_TRY(cn_reserve(NULL, &rows->strain, &rows->strain_capacity, (size_t)stresses, err));
    CN_TRY(cn_reserve(NULL, &rows->mean, &rows->mean_capacity, (size_t)s->view.body_count, err));
    double h = s->view.certificate->h;
    size_t place = 0;
    int64_t meshes = 0;
    for (int i = 0; i < s->view.body_count; i++) {
        cn_mesh_def mesh;
        cn_node_view nodes;
        if (find(s, s->view.id[i], &mesh, &nodes)) {
            cn_mean_row *mean = &rows->mean[meshes++];
            fill_nodes(&nodes, h, rows->node + place);
            CN_TRY(s->mean(s->context, s->view.id[i], mean->stress, &mean->volume, err));
            if (has_stress) {
                CN_TRY(s->stress(s->context, s->view.id[i], rows->stress[place].stress,
                                 rows->strain[place].strain, err));
            }
            place += (size_t)nodes.node_count;
        }
    }
    row->known_meshes = t->mesh.row_count;
    row->known_mesh_nodes = t->mesh_node.row_count;
    row->known_elements = t->element.row_count;
    row->node_count = total;
    row->stress_count = row->strain_count = stresses;
    row->mean_count = meshes;
    CN_TRY(cn_table_append(&t->node, rows->node, total, &row->node_start, err));
    CN_TRY(cn_table_append(&t->strain, rows->strain, stresses, &row->strain_start, err));
    CN_TRY(cn_table_append(&t->mean, rows->mean, meshes, &row->mean_start, err));
    return cn_table_append(&t->stress, rows->stress, stresses, &row->stress_start, err);
}
