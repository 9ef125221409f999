// result/tables/result_tables.c
#include "result/tables/result_tables.h"

#include <math.h>

#include "base/memory.h"

#define LIST_CHUNK 64       // small: the last chunk of these tables is rewritten with each frame
#define FEW_CHUNK 16        // names and joints are few; more take more chunks
#define CONTACTS_PER_BODY 2 // of a dense packing in 2D; more just takes more chunks

cn_chunks cn_chunks_for(int64_t body_count, int64_t node_count)
{
    int64_t bodies = body_count > 16 ? body_count : 16;
    int64_t contacts = bodies * CONTACTS_PER_BODY;
    return (cn_chunks){bodies, contacts, contacts, node_count > 16 ? node_count : 16};
}

#define LIST(member, name, record, since, chunk, known)                                            \
    {                                                                                              \
        name, offsetof(cn_tables, member), offsetof(cn_layout, record), since, CN_CHUNK_##chunk,   \
            false, offsetof(cn_frame_row, known), CN_NO_PLACE                                      \
    }
#define PER_FRAME(member, name, record, since, chunk, rows)                                        \
    {                                                                                              \
        name, offsetof(cn_tables, member), offsetof(cn_layout, record), since, CN_CHUNK_##chunk,   \
            true, offsetof(cn_frame_row, rows##_count), offsetof(cn_frame_row, rows##_start)       \
    }

// The tables whose rows the frames refer to, and that of the frames, in the order of the file.
static const cn_table_place all_tables[] = {
    LIST(group, "groups", name, 1, FEW, known_groups),
    LIST(law, "laws", law, 2, FEW, known_laws),
    LIST(law_state, "law_states", name, 2, FEW, known_law_states),
    LIST(body, "bodies", body, 1, LIST, known_bodies),
    LIST(shape, "shapes", shape, 1, LIST, known_shapes),
    LIST(vertex, "vertices", vertex, 1, LIST, known_vertices),
    {"frames", offsetof(cn_tables, frame), offsetof(cn_layout, frame), 1, CN_CHUNK_LIST, false,
     CN_NO_PLACE, CN_NO_PLACE},
    PER_FRAME(state, "frame_bodies", state, 1, STATE, body),
    PER_FRAME(contact, "frame_contacts", contact, 1, CONTACT, contact),
    PER_FRAME(contact_state, "frame_contact_states", contact_state, 2, CONTACT_STATE, state),
    PER_FRAME(joint, "frame_joints", joint, 3, FEW, joint),
    LIST(mesh, "meshes", mesh, 4, LIST, known_meshes),
    LIST(mesh_node, "mesh_nodes", vertex, 4, LIST, known_mesh_nodes),
    LIST(element, "elements", element, 4, LIST, known_elements),
    PER_FRAME(node, "frame_nodes", node, 4, NODE, node),
    PER_FRAME(stress, "frame_stresses", stress, 4, NODE, stress),
    PER_FRAME(strain, "frame_strains", strain, 5, NODE, strain),
    PER_FRAME(mean, "frame_meshes", mean, 5, LIST, mean),
};
enum { TABLE_COUNT = sizeof all_tables / sizeof all_tables[0] };

int cn_tables_count(void)
{
    return TABLE_COUNT;
}

cn_table *cn_tables_at(const cn_tables *tables, int k)
{
    return (cn_table *)((char *)tables + all_tables[k].table);
}

static const cn_row_type *record_at(const cn_tables *t, int k)
{
    return (const cn_row_type *)((const char *)&t->layout + all_tables[k].record);
}

static int64_t number_at(const cn_frame_row *row, size_t offset)
{
    return offset == CN_NO_PLACE ? 0 : *(const int64_t *)((const char *)row + offset);
}

int64_t cn_tables_rows(int k, const cn_frame_row *last, int64_t frames)
{
    const cn_table_place *place = &all_tables[k];
    return place->count == CN_NO_PLACE
               ? frames
               : number_at(last, place->start) + number_at(last, place->count);
}

static cn_status create_tables(cn_hdf *hdf, cn_chunks chunks, cn_tables *t, cn_error *err)
{
    const int64_t chunk_rows[] = {
        [CN_CHUNK_FEW] = FEW_CHUNK,
        [CN_CHUNK_LIST] = LIST_CHUNK,
        [CN_CHUNK_STATE] = chunks.state,
        [CN_CHUNK_CONTACT] = chunks.contact,
        [CN_CHUNK_CONTACT_STATE] = chunks.contact_state,
        [CN_CHUNK_NODE] = chunks.node,
    };
    const cn_layout *l = &t->layout;
    for (int k = 0; k < TABLE_COUNT; k++) {
        const cn_table_place *place = &all_tables[k];
        CN_TRY(cn_table_create(hdf, place->name, record_at(t, k), chunk_rows[place->chunk],
                               place->is_blocked, cn_tables_at(t, k), err));
    }
    CN_TRY(cn_long_create(hdf, "steps", "steps_tail", &l->step, &l->step, &t->step, err));
    CN_TRY(cn_table_create(hdf, "series_names", &l->name, FEW_CHUNK, false, &t->series_name, err));
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

// Tables that files of this version do not have stay closed and empty.
static cn_status open_tables(cn_hdf *hdf, cn_tables *t, cn_error *err)
{
    const cn_layout *l = &t->layout;
    for (int k = 0; k < TABLE_COUNT; k++) {
        if (t->version >= all_tables[k].since) {
            CN_TRY(
                cn_table_open(hdf, all_tables[k].name, record_at(t, k), cn_tables_at(t, k), err));
        }
    }
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
    bool is_whole = (row->stress_count == 0 || row->stress_count == row->node_count) &&
                    (row->strain_count == 0 || row->strain_count == row->node_count);
    for (int k = 0; k < TABLE_COUNT; k++) {
        const cn_table_place *place = &all_tables[k];
        is_whole = is_whole && is_part(number_at(row, place->start), number_at(row, place->count),
                                       cn_tables_at(t, k)->row_count);
    }
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
    for (int k = 0; k < TABLE_COUNT; k++) {
        cn_table_close(cn_tables_at(tables, k));
    }
    cn_table_close(&tables->series_name);
    cn_table_close(&tables->end);
    cn_long_close(&tables->step);
    cn_long_close(&tables->series);
    cn_status status = cn_hdf_close(tables->hdf, err);
    tables->hdf = NULL;
    return status;
}
