// output/reader.c -- reads result files, also those of killed runs and damaged ones.
//
// Only committed rows are read. Every number that is used as a count or a place is checked against
// what is there, every coordinate is finite: callers can draw and sum without checking again.
#include "output/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void *cn_reader_array(int64_t count, size_t element_size)
{
    return calloc(count > 0 ? (size_t)count : 1, element_size);
}

cn_status cn_reader_no_memory(const cn_reader *r, cn_error *err)
{
    return cn_fail(err, CN_NO_MEMORY, "%s: out of memory for these results", r->tables.hdf->path);
}

static cn_status read_text(const cn_reader *r, const char *name, size_t size, char *text,
                           cn_error *err)
{
    char *found;
    CN_TRY(cn_hdf_get_text(r->tables.hdf, name, &found, err));
    snprintf(text, size, "%s", found);
    cn_release(NULL, found);
    return CN_OK;
}

static cn_status read_provenance(cn_reader *r, cn_error *err)
{
    cn_summary *s = &r->summary;
    int32_t dim = 0;
    CN_TRY(read_text(r, "about/title", sizeof s->title, s->title, err));
    CN_TRY(read_text(r, "about/scene_path", sizeof s->scene_path, s->scene_path, err));
    CN_TRY(read_text(r, "about/cairn_version", sizeof s->version, s->version, err));
    CN_TRY(cn_hdf_get_text(r->tables.hdf, "about/scene_text", &r->scene_text, err));
    CN_TRY(cn_hdf_get(r->tables.hdf, "about/seed", CN_FIELD_UINT64, 1, &s->seed, err));
    CN_TRY(cn_hdf_get(r->tables.hdf, "about/dim", CN_FIELD_INT32, 1, &dim, err));
    if (dim != 2) {
        return cn_fail(err, CN_BAD_INPUT, "%s: results in %d dimensions cannot be read yet",
                       r->tables.hdf->path, (int)dim);
    }
    s->dim = dim;
    return CN_OK;
}

static cn_status read_groups(cn_reader *r, int64_t count, cn_error *err)
{
    r->group = cn_reader_array(count, sizeof *r->group);
    if (r->group == NULL) {
        return cn_reader_no_memory(r, err);
    }
    CN_TRY(cn_table_read(&r->tables.group, 0, count, r->group, err));
    for (int64_t k = 0; k < count; k++) {
        r->group[k].name[CN_NAME_SIZE - 1] = '\0';
    }
    r->group_count = (int)count;
    return CN_OK;
}

static bool is_sound(const cn_shape_row *s, int64_t vertex_count)
{
    bool is_finite = isfinite(s->radius) && isfinite(s->length) && isfinite(s->thickness) &&
                     isfinite(s->at[0]) && isfinite(s->at[1]) && isfinite(s->at[2]) &&
                     isfinite(s->angle);
    bool is_polygon = s->kind == CN_SHAPE_POLYGON;
    return is_finite && s->kind >= 0 && s->kind < CN_SHAPE_KIND_COUNT && s->radius >= 0.0 &&
           s->length >= 0.0 && s->thickness >= 0.0 && s->vertex_start >= 0 &&
           (is_polygon ? s->vertex_count >= 3 : s->vertex_count == 0) &&
           s->vertex_start <= vertex_count - s->vertex_count;
}

static cn_status read_vertices(cn_reader *r, int64_t count, cn_error *err)
{
    r->vertex = cn_reader_array(count, sizeof(cn_vertex_row));
    if (r->vertex == NULL) {
        return cn_reader_no_memory(r, err);
    }
    CN_TRY(cn_table_read(&r->tables.vertex, 0, count, r->vertex, err));
    for (int64_t k = 0; k < 2 * count; k++) {
        if (!isfinite(r->vertex[k])) {
            return cn_fail(err, CN_BAD_INPUT, "%s: vertex %lld is not finite", r->tables.hdf->path,
                           (long long)(k / 2));
        }
    }
    return CN_OK;
}

static cn_status place_shapes(cn_reader *r, const cn_shape_row *row, int64_t vertex_count,
                              cn_error *err)
{
    for (int64_t k = 0; k < r->shape_count; k++) {
        if (!is_sound(&row[k], vertex_count)) {
            return cn_fail(err, CN_BAD_INPUT, "%s: shape %lld is damaged", r->tables.hdf->path,
                           (long long)k);
        }
        r->shape[k] = (cn_shape_def){
            .kind = (cn_shape_kind)row[k].kind,
            .radius = row[k].radius,
            .length = row[k].length,
            .thickness = row[k].thickness,
            .vertex_count = row[k].vertex_count,
            .vertex = row[k].vertex_count > 0 ? r->vertex + 2 * row[k].vertex_start : NULL,
            .at = {row[k].at[0], row[k].at[1], row[k].at[2]},
            .angle = row[k].angle,
        };
    }
    return CN_OK;
}

static cn_status read_shapes(cn_reader *r, const cn_frame_row *last, cn_error *err)
{
    CN_TRY(read_vertices(r, last->known_vertices, err));
    cn_shape_row *row = cn_reader_array(last->known_shapes, sizeof *row);
    r->shape = cn_reader_array(last->known_shapes, sizeof *r->shape);
    r->shape_count = last->known_shapes;
    cn_status status = row != NULL && r->shape != NULL ? CN_OK : cn_reader_no_memory(r, err);
    if (status == CN_OK) {
        status = cn_table_read(&r->tables.shape, 0, last->known_shapes, row, err);
    }
    if (status == CN_OK) {
        status = place_shapes(r, row, last->known_vertices, err);
    }
    free(row);
    return status;
}

static cn_status read_bodies(cn_reader *r, const cn_frame_row *last, cn_error *err)
{
    r->body = cn_reader_array(last->known_bodies, sizeof *r->body);
    if (r->body == NULL) {
        return cn_reader_no_memory(r, err);
    }
    r->body_count = last->known_bodies;
    CN_TRY(cn_table_read(&r->tables.body, 0, r->body_count, r->body, err));
    for (int64_t k = 0; k < r->body_count; k++) {
        const cn_body_row *b = &r->body[k];
        bool is_whole = b->shape_start >= 0 && b->shape_count >= 0 &&
                        b->shape_count <= r->shape_count &&
                        b->shape_start <= r->shape_count - b->shape_count;
        if (!is_whole) {
            return cn_fail(err, CN_BAD_INPUT, "%s: body %llu refers to shapes that are not there",
                           r->tables.hdf->path, (unsigned long long)b->id);
        }
        CN_TRY(cn_id_map_add(&r->map, b->id, k, err));
    }
    cn_id_map_sort(&r->map);
    return CN_OK;
}

static cn_status read_end(cn_reader *r, const cn_frame_row *last, cn_error *err)
{
    cn_summary *s = &r->summary;
    cn_end_row end;
    CN_TRY(cn_table_read(&r->tables.end, 0, 1, &end, err));
    s->is_complete = end.is_complete == 1;
    s->state_hash = s->is_complete ? end.state_hash : last->state_hash;
    s->indeterminate = s->is_complete && end.indeterminate >= 0 && end.indeterminate <= INT32_MAX
                           ? (int)end.indeterminate
                           : -1;
    const double *seconds = s->is_complete ? end.seconds : last->seconds;
    memcpy(s->seconds_by_stage, seconds, sizeof s->seconds_by_stage);
    if (s->is_complete) {
        end.outcome[sizeof end.outcome - 1] = '\0';
        memcpy(s->outcome, end.outcome, sizeof s->outcome);
        s->wall_seconds = end.wall_seconds;
        return CN_OK;
    }
    snprintf(s->outcome, sizeof s->outcome, "not finished: running or killed");
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        s->wall_seconds += seconds[k];
    }
    return CN_OK;
}

static cn_status read_all(cn_reader *r, const char *path, cn_error *err)
{
    cn_frame_row last;
    CN_TRY(cn_tables_open(path, &r->tables, err));
    CN_TRY(cn_tables_frame_row(&r->tables, r->tables.frames_committed - 1, &last, err));
    CN_TRY(read_provenance(r, err));
    CN_TRY(read_groups(r, last.known_groups, err));
    CN_TRY(cn_reader_read_laws(r, &last, err));
    CN_TRY(read_shapes(r, &last, err));
    CN_TRY(read_bodies(r, &last, err));
    CN_TRY(cn_reader_list_columns(r, err));
    r->summary.steps = last.step;
    r->summary.time = last.time;
    r->summary.bodies = (int)last.body_count;
    r->summary.frames = (int)r->tables.frames_committed;
    CN_TRY(cn_reader_sum_history(r, err));
    return read_end(r, &last, err);
}

static cn_status open_once(const char *path, cn_reader **reader, cn_error *err)
{
    *reader = calloc(1, sizeof **reader);
    if (*reader == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "%s: out of memory for a reader", path);
    }
    cn_status status = read_all(*reader, path, err);
    if (status != CN_OK) {
        cn_reader_close(*reader);
        *reader = NULL;
    }
    return status;
}

cn_status cn_reader_open(const char *path, cn_reader **reader, cn_error *err)
{
    cn_status status = open_once(path, reader, err);
    // A run may have been writing just then.
    return status == CN_BAD_INPUT ? open_once(path, reader, err) : status;
}

void cn_reader_close(cn_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    cn_tables_close(&reader->tables, false, NULL);
    cn_id_map_free(&reader->map);
    for (int k = 0; reader->column != NULL && k < reader->column_count; k++) {
        free(reader->column[k].name);
        free(reader->column[k].value);
    }
    void *owned[] = {reader->scene_text,   reader->group,      reader->body,
                     reader->shape,        reader->vertex,     reader->column,
                     reader->state,        reader->id,         reader->body_group,
                     reader->fixed,        reader->q,          reader->v,
                     reader->contact,      reader->law,        reader->law_row,
                     reader->law_state,    reader->state_name, reader->contact_state_start,
                     reader->contact_state};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) {
        cn_release(NULL, owned[k]);
    }
    free(reader);
}

const cn_summary *cn_reader_summary(const cn_reader *reader)
{
    return &reader->summary;
}

const char *cn_reader_scene_text(const cn_reader *reader)
{
    return reader->scene_text;
}

int cn_reader_group_count(const cn_reader *reader)
{
    return reader->group_count;
}

const char *cn_reader_group_name(const cn_reader *reader, int group)
{
    return group >= 0 && group < reader->group_count ? reader->group[group].name : "";
}

static const cn_body_row *find_body(const cn_reader *reader, cn_body_id id)
{
    int64_t place = cn_id_map_find(&reader->map, id);
    return place >= 0 ? &reader->body[place] : NULL;
}

const cn_shape_def *cn_reader_shapes(const cn_reader *reader, cn_body_id id, int *count)
{
    const cn_body_row *body = find_body(reader, id);
    *count = body != NULL ? (int)body->shape_count : 0;
    return body != NULL ? reader->shape + body->shape_start : NULL;
}

double cn_reader_mass(const cn_reader *reader, cn_body_id id)
{
    const cn_body_row *body = find_body(reader, id);
    return body != NULL ? body->mass : 0.0;
}

bool cn_reader_is_fixed(const cn_reader *reader, cn_body_id id)
{
    const unsigned plane = 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ;
    const cn_body_row *body = find_body(reader, id);
    return body != NULL && (body->fixed & plane) == plane;
}

static cn_status check_state(const cn_reader *r, int index, const cn_state_row *s, cn_error *err)
{
    bool is_finite = true;
    for (int k = 0; k < 3; k++) {
        is_finite = is_finite && isfinite(s->q[k]) && isfinite(s->v[k]);
    }
    if (!is_finite || s->group < 0 || s->group >= r->group_count ||
        cn_id_map_find(&r->map, s->id) < 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: frame %d: body %llu of group %d has a damaged state (x = %g, y = %g)",
                       r->tables.hdf->path, index, (unsigned long long)s->id, (int)s->group,
                       s->q[0], s->q[1]);
    }
    return CN_OK;
}

static cn_status read_states(cn_reader *r, int index, const cn_frame_row *row, cn_error *err)
{
    size_t count = (size_t)row->body_count;
    CN_TRY(cn_reserve(NULL, &r->state, &r->state_capacity, count, err));
    CN_TRY(cn_reserve(NULL, &r->id, &r->id_capacity, count, err));
    CN_TRY(cn_reserve(NULL, &r->body_group, &r->group_capacity, count, err));
    CN_TRY(cn_reserve(NULL, &r->fixed, &r->fixed_capacity, count, err));
    CN_TRY(cn_reserve(NULL, &r->q, &r->q_capacity, 3 * count, err));
    CN_TRY(cn_reserve(NULL, &r->v, &r->v_capacity, 3 * count, err));
    CN_TRY(cn_table_read(&r->tables.state, row->body_start, row->body_count, r->state, err));
    for (size_t k = 0; k < count; k++) {
        const cn_state_row *s = &r->state[k];
        CN_TRY(check_state(r, index, s, err));
        r->id[k] = s->id;
        r->body_group[k] = s->group;
        r->fixed[k] = s->fixed;
        memcpy(r->q + 3 * k, s->q, sizeof s->q);
        memcpy(r->v + 3 * k, s->v, sizeof s->v);
    }
    return CN_OK;
}

static bool is_sound_contact(const cn_contact *c, int body_count)
{
    bool is_finite = isfinite(c->gap);
    for (int k = 0; k < 3; k++) {
        is_finite = is_finite && isfinite(c->point[k]) && isfinite(c->normal[k]) &&
                    isfinite(c->r[k]) && isfinite(c->u[k]) && isfinite(c->u_before[k]);
    }
    return is_finite && c->i >= 0 && c->i < body_count && c->j >= 0 && c->j < body_count &&
           c->status >= CN_STATUS_OPEN && c->status <= CN_STATUS_JOINED;
}

static cn_status read_contacts(cn_reader *r, int index, const cn_frame_row *row, cn_error *err)
{
    size_t count = (size_t)row->contact_count;
    CN_TRY(cn_reserve(NULL, &r->contact, &r->contact_capacity, count, err));
    CN_TRY(
        cn_table_read(&r->tables.contact, row->contact_start, row->contact_count, r->contact, err));
    for (size_t a = 0; a < count; a++) {
        if (!is_sound_contact(&r->contact[a], (int)row->body_count)) {
            return cn_fail(err, CN_BAD_INPUT, "%s: frame %d: contact %zu is damaged",
                           r->tables.hdf->path, index, a);
        }
    }
    return CN_OK;
}

cn_status cn_reader_frame(cn_reader *reader, int index, cn_frame *frame, cn_error *err)
{
    cn_reader *r = reader;
    int count = r->summary.frames;
    int place = index < 0 ? count + index : index;
    if (place < 0 || place >= count) {
        return cn_fail(err, CN_BAD_INPUT, "%s: there is no frame %d; frames are 0 to %d",
                       r->tables.hdf->path, index, count - 1);
    }
    cn_frame_row row;
    CN_TRY(cn_tables_frame_row(&r->tables, place, &row, err));
    CN_TRY(read_states(r, place, &row, err));
    CN_TRY(read_contacts(r, place, &row, err));
    CN_TRY(cn_reader_read_contact_states(r, place, &row, err));
    *frame = (cn_frame){.index = place,
                        .time = row.time,
                        .step = row.step,
                        .h = row.h,
                        .body_count = (int)row.body_count,
                        .id = r->id,
                        .group = r->body_group,
                        .fixed = r->fixed,
                        .q = r->q,
                        .v = r->v,
                        .contact_count = (int)row.contact_count,
                        .contact = r->contact,
                        .state_start = r->contact_state_start,
                        .state = r->contact_state,
                        .kinetic = row.kinetic,
                        .potential = row.potential,
                        .storage = row.storage,
                        .energy_error = row.energy_error,
                        .state_hash = row.state_hash};
    return CN_OK;
}
