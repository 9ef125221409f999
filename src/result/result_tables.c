// result/result_tables.c
#include "result/result_tables.h"

#include <math.h>

#include "base/memory.h"

#define LIST_CHUNK 64       // small: the last chunk of these tables is rewritten with each frame
#define JOINT_CHUNK 16      // joints are few; more take more chunks
#define CONTACTS_PER_BODY 2 // of a dense packing in 2D; more just takes more chunks

cn_chunks cn_chunks_for(int64_t body_count, int64_t node_count)
{
    int64_t bodies = body_count > 16 ? body_count : 16;
    int64_t contacts = bodies * CONTACTS_PER_BODY;
    return (cn_chunks){bodies, contacts, contacts, node_count > 16 ? node_count : 16};
}

static cn_status create_tables(cn_hdf *hdf, cn_chunks chunks, cn_tables *t, cn_error *err)
{
    const cn_layout *l = &t->layout;
    CN_TRY(cn_table_create(hdf, "groups", &l->name, 16, false, &t->group, err));
    CN_TRY(cn_table_create(hdf, "laws", &l->law, 16, false, &t->law, err));
    CN_TRY(cn_table_create(hdf, "law_states", &l->name, 16, false, &t->law_state, err));
    CN_TRY(cn_table_create(hdf, "bodies", &l->body, LIST_CHUNK, false, &t->body, err));
    CN_TRY(cn_table_create(hdf, "shapes", &l->shape, LIST_CHUNK, false, &t->shape, err));
    CN_TRY(cn_table_create(hdf, "vertices", &l->vertex, LIST_CHUNK, false, &t->vertex, err));
    CN_TRY(cn_table_create(hdf, "frames", &l->frame, LIST_CHUNK, false, &t->frame, err));
    CN_TRY(cn_table_create(hdf, "frame_bodies", &l->state, chunks.state, true, &t->state, err));
    CN_TRY(cn_table_create(hdf, "frame_contacts", &l->contact, chunks.contact, true, &t->contact,
                           err));
    CN_TRY(cn_table_create(hdf, "frame_contact_states", &l->contact_state, chunks.contact_state,
                           true, &t->contact_state, err));
    CN_TRY(cn_table_create(hdf, "frame_joints", &l->joint, JOINT_CHUNK, true, &t->joint, err));
    CN_TRY(cn_table_create(hdf, "meshes", &l->mesh, LIST_CHUNK, false, &t->mesh, err));
    CN_TRY(cn_table_create(hdf, "mesh_nodes", &l->vertex, LIST_CHUNK, false, &t->mesh_node, err));
    CN_TRY(cn_table_create(hdf, "elements", &l->element, LIST_CHUNK, false, &t->element, err));
    CN_TRY(cn_table_create(hdf, "frame_nodes", &l->node, chunks.node, true, &t->node, err));
    CN_TRY(cn_table_create(hdf, "frame_stresses", &l->stress, chunks.node, true, &t->stress, err));
    CN_TRY(cn_table_create(hdf, "frame_strains", &l->strain, chunks.node, true, &t->strain, err));
    CN_TRY(cn_table_create(hdf, "frame_meshes", &l->mean, LIST_CHUNK, true, &t->mean, err));
    CN_TRY(cn_long_create(hdf, "steps", "steps_tail", &l->step, &l->step, &t->step, err));
    CN_TRY(cn_table_create(hdf, "series_names", &l->name, 16, false, &t->series_name, err));
    if (t->series_count > 0) {
        CN_TRY(cn_long_create(hdf, "series", "series_tail", &l->series, &l->series_tail, &t->series,
                              err));
    }
    return cn_table_create(hdf, "end", &l->end, 1, false, &t->end, err);
}

cn_status cn_tables_create(const char *path, const char *shown, int dim, int series_count,
                           cn_chunks chunks, cn_tables *tables, cn_error *err)
{
    tables->version = CN_RESULT_VERSION;
    tables->series_count = series_count;
    cn_layout_make(&tables->layout, dim, series_count);
    CN_TRY(cn_hdf_create(path, shown, &tables->hdf, err));
    int32_t version = CN_RESULT_VERSION;
    int64_t none = 0;
    CN_TRY(cn_hdf_put_text(tables->hdf, "format", CN_RESULT_FORMAT, err));
    CN_TRY(cn_hdf_put(tables->hdf, "format_version", CN_FIELD_INT32, 1, &version, err));
    CN_TRY(cn_hdf_put(tables->hdf, "steps_committed", CN_FIELD_INT64, 1, &none, err));
    CN_TRY(cn_hdf_put(tables->hdf, "steps_packed", CN_FIELD_INT64, 1, &none, err));
    CN_TRY(cn_hdf_put(tables->hdf, "frames_committed", CN_FIELD_INT64, 1, &none, err));
    CN_TRY(create_tables(tables->hdf, chunks, tables, err));
    cn_end_row end = {.indeterminate = -1};
    return cn_table_append(&tables->end, &end, 1, NULL, err);
}

// Files of version 1 have none of these: the tables stay closed and empty.
static cn_status open_laws(cn_hdf *hdf, cn_tables *t, cn_error *err)
{
    const cn_layout *l = &t->layout;
    if (t->version < 2) {
        return CN_OK;
    }
    CN_TRY(cn_table_open(hdf, "laws", &l->law, &t->law, err));
    CN_TRY(cn_table_open(hdf, "law_states", &l->name, &t->law_state, err));
    return cn_table_open(hdf, "frame_contact_states", &l->contact_state, &t->contact_state, err);
}

// Files of versions 1 and 2 have no joints.
static cn_status open_joints(cn_hdf *hdf, cn_tables *t, cn_error *err)
{
    return t->version < 3 ? CN_OK
                          : cn_table_open(hdf, "frame_joints", &t->layout.joint, &t->joint, err);
}

// Files of versions 1 to 3 have no meshes.
static cn_status open_meshes(cn_hdf *hdf, cn_tables *t, cn_error *err)
{
    const cn_layout *l = &t->layout;
    if (t->version < 4) {
        return CN_OK;
    }
    CN_TRY(cn_table_open(hdf, "meshes", &l->mesh, &t->mesh, err));
    CN_TRY(cn_table_open(hdf, "mesh_nodes", &l->vertex, &t->mesh_node, err));
    CN_TRY(cn_table_open(hdf, "elements", &l->element, &t->element, err));
    CN_TRY(cn_table_open(hdf, "frame_nodes", &l->node, &t->node, err));
    CN_TRY(cn_table_open(hdf, "frame_stresses", &l->stress, &t->stress, err));
    if (t->version < 5) {
        return CN_OK;
    }
    CN_TRY(cn_table_open(hdf, "frame_strains", &l->strain, &t->strain, err));
    return cn_table_open(hdf, "frame_meshes", &l->mean, &t->mean, err);
}

static cn_status open_tables(cn_hdf *hdf, cn_tables *t, cn_error *err)
{
    const cn_layout *l = &t->layout;
    CN_TRY(cn_table_open(hdf, "groups", &l->name, &t->group, err));
    CN_TRY(cn_table_open(hdf, "bodies", &l->body, &t->body, err));
    CN_TRY(cn_table_open(hdf, "shapes", &l->shape, &t->shape, err));
    CN_TRY(cn_table_open(hdf, "vertices", &l->vertex, &t->vertex, err));
    CN_TRY(cn_table_open(hdf, "frames", &l->frame, &t->frame, err));
    CN_TRY(cn_table_open(hdf, "frame_bodies", &l->state, &t->state, err));
    CN_TRY(cn_table_open(hdf, "frame_contacts", &l->contact, &t->contact, err));
    CN_TRY(cn_long_open(hdf, "steps", t->version < 6 ? NULL : "steps_tail", &l->step, &l->step,
                        &t->step, err));
    return cn_table_open(hdf, "end", &l->end, &t->end, err);
}

// The names say how many series there are, the layout depends on it.
static cn_status open_series(cn_hdf *hdf, cn_tables *t, cn_error *err)
{
    CN_TRY(cn_table_open(hdf, "series_names", &t->layout.name, &t->series_name, err));
    if (t->series_name.row_count > INT32_MAX / (int64_t)sizeof(double)) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %lld series cannot be right", hdf->path,
                       (long long)t->series_name.row_count);
    }
    t->series_count = (int)t->series_name.row_count;
    cn_layout_make(&t->layout, t->layout.dim, t->series_count);
    if (t->series_count > 0) {
        CN_TRY(cn_long_open(hdf, "series", t->version < 6 ? NULL : "series_tail", &t->layout.series,
                            &t->layout.series_tail, &t->series, err));
    }
    return CN_OK;
}

// In files of earlier versions all of the history is plain.
static bool settle_history(cn_tables *t)
{
    int64_t steps = t->steps_committed;
    bool is_packed = t->version < 6 || t->steps_packed == steps;
    return cn_long_settle(&t->step, steps, is_packed) &&
           (t->series_count == 0 || cn_long_settle(&t->series, steps, is_packed));
}

static cn_status check_committed(cn_tables *t, cn_error *err)
{
    int64_t frames = t->frames_committed;
    int64_t steps = t->steps_committed;
    if (frames < 1) {
        return cn_fail(err, CN_BAD_INPUT, "%s: not even frame 0 is complete", t->hdf->path);
    }
    if (frames > t->frame.row_count || frames > INT32_MAX || steps < 0 || !settle_history(t) ||
        t->end.row_count < 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: %lld frames and %lld steps are announced, %lld and %lld are there",
                       t->hdf->path, (long long)frames, (long long)steps,
                       (long long)t->frame.row_count, (long long)t->step.packed.row_count);
    }
    return CN_OK;
}

// The layout depends on the dimension.
static cn_status open_layout(cn_hdf *hdf, cn_layout *layout, cn_error *err)
{
    int32_t dim = 0;
    CN_TRY(cn_hdf_get(hdf, "about/dim", CN_FIELD_INT32, 1, &dim, err));
    if (dim != 2 && dim != 3) {
        return cn_fail(err, CN_BAD_INPUT, "%s: results in %d dimensions cannot be right", hdf->path,
                       (int)dim);
    }
    cn_layout_make(layout, (int)dim, 0);
    return CN_OK;
}

cn_status cn_tables_open(const char *path, cn_tables *tables, cn_error *err)
{
    CN_TRY(cn_hdf_open(path, &tables->hdf, err));
    cn_hdf *hdf = tables->hdf;
    CN_TRY(cn_hdf_check_format(hdf, CN_RESULT_FORMAT, CN_RESULT_VERSION, &tables->version, err));
    CN_TRY(open_layout(hdf, &tables->layout, err));
    CN_TRY(cn_hdf_get(hdf, "frames_committed", CN_FIELD_INT64, 1, &tables->frames_committed, err));
    CN_TRY(cn_hdf_get(hdf, "steps_committed", CN_FIELD_INT64, 1, &tables->steps_committed, err));
    if (tables->version >= 6) {
        CN_TRY(cn_hdf_get(hdf, "steps_packed", CN_FIELD_INT64, 1, &tables->steps_packed, err));
    }
    CN_TRY(open_series(hdf, tables, err));
    CN_TRY(open_laws(hdf, tables, err));
    CN_TRY(open_joints(hdf, tables, err));
    CN_TRY(open_meshes(hdf, tables, err));
    CN_TRY(open_tables(hdf, tables, err));
    return check_committed(tables, err);
}

static bool is_part(int64_t start, int64_t count, int64_t row_count)
{
    return start >= 0 && count >= 0 && count <= INT32_MAX && start <= row_count &&
           count <= row_count - start;
}

cn_status cn_tables_frame_row(const cn_tables *tables, int64_t index, cn_frame_row *row,
                              cn_error *err)
{
    const cn_tables *t = tables;
    CN_TRY(cn_table_read(&t->frame, index, 1, row, err));
    bool is_whole = is_part(row->body_start, row->body_count, t->state.row_count) &&
                    is_part(row->contact_start, row->contact_count, t->contact.row_count) &&
                    is_part(row->state_start, row->state_count, t->contact_state.row_count) &&
                    is_part(row->joint_start, row->joint_count, t->joint.row_count) &&
                    is_part(row->node_start, row->node_count, t->node.row_count) &&
                    is_part(row->stress_start, row->stress_count, t->stress.row_count) &&
                    (row->stress_count == 0 || row->stress_count == row->node_count) &&
                    is_part(row->strain_start, row->strain_count, t->strain.row_count) &&
                    (row->strain_count == 0 || row->strain_count == row->node_count) &&
                    is_part(row->mean_start, row->mean_count, t->mean.row_count) &&
                    is_part(0, row->known_meshes, t->mesh.row_count) &&
                    is_part(0, row->known_mesh_nodes, t->mesh_node.row_count) &&
                    is_part(0, row->known_elements, t->element.row_count) &&
                    is_part(0, row->known_laws, t->law.row_count) &&
                    is_part(0, row->known_law_states, t->law_state.row_count) &&
                    is_part(0, row->known_groups, t->group.row_count) &&
                    is_part(0, row->known_bodies, t->body.row_count) &&
                    is_part(0, row->known_shapes, t->shape.row_count) &&
                    is_part(0, row->known_vertices, t->vertex.row_count);
    if (!is_whole || !isfinite(row->time) || !isfinite(row->h) || row->step < 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: frame %lld is damaged: it refers to %lld bodies and "
                       "%lld contacts that are not all there",
                       t->hdf->path, (long long)index, (long long)row->body_count,
                       (long long)row->contact_count);
    }
    return CN_OK;
}

cn_status cn_tables_commit(cn_tables *tables, int64_t frames, int64_t steps, cn_error *err)
{
    cn_hdf *hdf = tables->hdf;
    CN_TRY(cn_hdf_flush(hdf, err));
    CN_TRY(cn_hdf_set(hdf, "steps_committed", CN_FIELD_INT64, 1, &steps, err));
    CN_TRY(cn_hdf_set(hdf, "frames_committed", CN_FIELD_INT64, 1, &frames, err));
    CN_TRY(cn_hdf_flush(hdf, err));
    tables->steps_committed = steps;
    tables->frames_committed = frames;
    return CN_OK;
}

int64_t cn_tables_steps_max(const cn_tables *tables)
{
    int64_t step = tables->step.packed.chunk_rows, series = tables->series.packed.chunk_rows;
    return tables->series_count > 0 && series < step ? series : step;
}

// The last chunk is flushed before it is said to be there.
cn_status cn_tables_finish(cn_tables *tables, cn_error *err)
{
    CN_TRY(cn_long_finish(&tables->step, err));
    if (tables->series_count > 0) {
        CN_TRY(cn_long_finish(&tables->series, err));
    }
    CN_TRY(cn_hdf_flush(tables->hdf, err));
    tables->steps_packed = tables->steps_committed;
    return cn_hdf_set(tables->hdf, "steps_packed", CN_FIELD_INT64, 1, &tables->steps_packed, err);
}

cn_status cn_tables_close(cn_tables *tables, bool is_cut, cn_error *err)
{
    if (is_cut && tables->hdf != NULL) {
        cn_hdf_cut_off(tables->hdf);
    }
    cn_table *all[] = {
        &tables->group,   &tables->law,           &tables->law_state, &tables->body,
        &tables->shape,   &tables->vertex,        &tables->frame,     &tables->state,
        &tables->contact, &tables->contact_state, &tables->joint,     &tables->series_name,
        &tables->end,     &tables->mesh,          &tables->element,   &tables->mesh_node,
        &tables->node,    &tables->stress,        &tables->strain,    &tables->mean};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        cn_table_close(all[k]);
    }
    cn_long_close(&tables->step);
    cn_long_close(&tables->series);
    cn_status status = cn_hdf_close(tables->hdf, err);
    tables->hdf = NULL;
    return status;
}
