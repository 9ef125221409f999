// result/body_rows.c -- bodies and their shapes in result files.
#include "result/body_rows.h"

#include <string.h>

#include "base/memory.h"

void cn_body_rows_free(cn_body_rows *rows)
{
    cn_id_map_free(&rows->known);
    CN_RELEASE(rows->girth, rows->body, rows->shape, rows->vertex);
}

// Counts of the scratch that gathers new bodies.
typedef struct gathered {
    size_t bodies, shapes, vertices;
} gathered;

static cn_shape_row row_of_shape(const cn_shape_def *def)
{
    return (cn_shape_row){
        .kind = (int32_t)def->kind,
        .vertex_count = def->vertex_count,
        .radius = def->radius,
        .length = def->length,
        .thickness = def->thickness,
        .at = {def->at[0], def->at[1], def->at[2]},
        .angle = def->angle,
    };
}

static cn_shape_row row_of_solid(const cn_solid_def *def)
{
    return (cn_shape_row){
        .kind = (int32_t)def->kind,
        .vertex_count = def->point_count,
        .radius = def->radius,
        .length = def->length,
        .thickness = def->thickness,
        .size = {def->size[0], def->size[1], def->size[2]},
        .ends = def->ends,
        .at = {def->at[0], def->at[1], def->at[2]},
        .turn = {def->rotation[0], def->rotation[1], def->rotation[2], def->rotation[3]},
    };
}

// Appends shape or solid n of the view and its vertices to the scratch.
static cn_status gather_shape(const cn_tables *t, cn_body_rows *rows, const cn_view *v, int n,
                              gathered *g, cn_error *err)
{
    size_t dim = (size_t)v->dim;
    cn_shape_row row = dim == 2 ? row_of_shape(&v->shape[n]) : row_of_solid(&v->solid[n]);
    const double *vertex = dim == 2 ? v->shape[n].vertex : v->solid[n].point;
    size_t corners = (size_t)row.vertex_count;
    row.vertex_start = t->vertex.row_count + (int64_t)g->vertices;
    CN_TRY(cn_reserve(NULL, &rows->shape, &rows->shape_capacity, g->shapes + 1, err));
    CN_TRY(cn_reserve(NULL, &rows->vertex, &rows->vertex_capacity, dim * (g->vertices + corners),
                      err));
    rows->shape[g->shapes++] = row;
    if (corners > 0) {
        memcpy(rows->vertex + dim * g->vertices, vertex, dim * corners * sizeof *vertex);
    }
    g->vertices += corners;
    return CN_OK;
}

static cn_status gather_body(const cn_tables *t, cn_body_rows *rows, const cn_view *v, int i,
                             gathered *g, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &rows->body, &rows->body_capacity, g->bodies + 1, err));
    size_t inertia_size = (size_t)t->layout.inertia_size;
    int64_t place = t->body.row_count + (int64_t)g->bodies;
    cn_body_row *row = &rows->body[g->bodies++];
    *row = (cn_body_row){
        .id = v->id[i],
        .group = v->group[i],
        .fixed = v->fixed[i],
        .shape_start = t->shape.row_count + (int64_t)g->shapes,
        .shape_count = v->shape_start[i + 1] - v->shape_start[i],
        .mass = v->mass[i],
        .size = v->size[i],
    };
    memcpy(row->inertia, v->inertia + inertia_size * (size_t)i, inertia_size * sizeof(double));
    for (int n = v->shape_start[i]; n < v->shape_start[i + 1]; n++) {
        CN_TRY(gather_shape(t, rows, v, n, g, err));
    }
    CN_TRY(cn_reserve(NULL, &rows->girth, &rows->girth_capacity, (size_t)place + 1, err));
    rows->girth[place] = (cn_body_girth){v->mass[i], v->size[i]};
    return cn_id_map_add(&rows->known, v->id[i], place, err);
}

cn_status cn_body_rows_add(cn_tables *t, cn_body_rows *rows, cn_mesh_rows *meshes,
                           const cn_snapshot *s, cn_error *err)
{
    const cn_view *v = &s->view;
    gathered g = {0};
    size_t known_count = rows->known.count;
    for (int i = 0; i < v->body_count; i++) {
        cn_id_map sorted = rows->known;
        sorted.count = known_count; // what gather_body adds is not sorted yet
        int64_t place = cn_id_map_last(&sorted, v->id[i], INT64_MAX);
        if (place < 0 || rows->girth[place].mass != v->mass[i] ||
            rows->girth[place].size != v->size[i]) {
            CN_TRY(gather_body(t, rows, v, i, &g, err));
        }
        if (place < 0) {
            CN_TRY(cn_mesh_rows_add(t, meshes, s, v->id[i], err));
        }
    }
    if (g.bodies == 0) {
        return CN_OK;
    }
    cn_id_map_sort(&rows->known);
    CN_TRY(cn_table_append(&t->vertex, rows->vertex, (int64_t)g.vertices, NULL, err));
    CN_TRY(cn_table_append(&t->shape, rows->shape, (int64_t)g.shapes, NULL, err));
    return cn_table_append(&t->body, rows->body, (int64_t)g.bodies, NULL, err);
}

cn_status cn_body_rows_load(cn_tables *t, cn_body_rows *rows, cn_error *err)
{
    const cn_table *body = &t->body;
    CN_TRY(cn_reserve(NULL, &rows->body, &rows->body_capacity, (size_t)body->row_count, err));
    CN_TRY(cn_table_read(body, 0, body->row_count, rows->body, err));
    CN_TRY(cn_reserve(NULL, &rows->girth, &rows->girth_capacity, (size_t)body->row_count, err));
    for (int64_t k = 0; k < body->row_count; k++) {
        rows->girth[k] = (cn_body_girth){rows->body[k].mass, rows->body[k].size};
        CN_TRY(cn_id_map_add(&rows->known, rows->body[k].id, k, err));
    }
    cn_id_map_sort(&rows->known);
    return CN_OK;
}
