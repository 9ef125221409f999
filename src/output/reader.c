// output/reader.c -- reads result files, also those of killed runs and damaged ones.
//
// Only committed rows are read. Every number that is used as a count or a place is checked against
// what is there, every coordinate is finite: callers can draw and sum without checking again.
#include "cairn/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/id_map.h"
#include "output/tables.h"

#define ROWS_AT_ONCE 512 // of the history, when all of it is visited

typedef struct column_cache {
    char *name;
    double *value; // NULL: not read yet
} column_cache;

struct cn_reader {
    cn_tables tables;
    cn_summary summary;
    char *scene_text;
    int group_count;
    cn_name_row *group;
    int64_t body_count, shape_count;
    cn_body_row *body;
    cn_shape_def *shape;
    double *vertex; // x y
    cn_id_map map;
    int column_count, history_count; // all columns; those before the series
    column_cache *column;
    cn_state_row *state; // of the frame that was read last
    cn_body_id *id;
    int *body_group;
    unsigned *fixed;
    double *q, *v;
    cn_contact *contact;
    size_t state_capacity, id_capacity, group_capacity, fixed_capacity, q_capacity, v_capacity,
        contact_capacity;
};

// An array of `count` zeroed elements, at least one so that NULL means failure.
static void *make_array(int64_t count, size_t element_size)
{
    return calloc(count > 0 ? (size_t)count : 1, element_size);
}

static cn_status no_memory(const cn_reader *r, cn_error *err)
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
    r->group = make_array(count, sizeof *r->group);
    if (r->group == NULL) {
        return no_memory(r, err);
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
    r->vertex = make_array(count, sizeof(cn_vertex_row));
    if (r->vertex == NULL) {
        return no_memory(r, err);
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
    cn_shape_row *row = make_array(last->known_shapes, sizeof *row);
    r->shape = make_array(last->known_shapes, sizeof *r->shape);
    r->shape_count = last->known_shapes;
    cn_status status = row != NULL && r->shape != NULL ? CN_OK : no_memory(r, err);
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
    r->body = make_array(last->known_bodies, sizeof *r->body);
    if (r->body == NULL) {
        return no_memory(r, err);
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

// Names of the history's own columns, then "series/NAME".
static cn_status list_columns(cn_reader *r, cn_error *err)
{
    const cn_tables *t = &r->tables;
    r->history_count = cn_table_column_count(&t->step);
    r->column = make_array(r->history_count + (int64_t)t->series_count, sizeof *r->column);
    if (r->column == NULL) {
        return no_memory(r, err);
    }
    r->column_count = r->history_count + t->series_count;
    for (int k = 0; k < r->history_count; k++) {
        r->column[k].name = cn_table_column_name(&t->step, k);
        if (r->column[k].name == NULL) {
            return no_memory(r, err);
        }
    }
    for (int k = 0; k < t->series_count; k++) {
        cn_name_row row;
        CN_TRY(cn_table_read(&t->series_name, k, 1, &row, err));
        row.name[CN_NAME_SIZE - 1] = '\0';
        char *name = make_array(CN_NAME_SIZE + 8, 1);
        if (name == NULL) {
            return no_memory(r, err);
        }
        snprintf(name, CN_NAME_SIZE + 8, "series/%s", row.name);
        r->column[r->history_count + k].name = name;
    }
    return CN_OK;
}

// A count that was stored as a real number; 0 if it is none.
static int64_t as_count(double value)
{
    return value >= 0.0 && value < 0x1p53 ? (int64_t)value : 0;
}

// Places of the columns that the summary needs, in rows of our own layout.
typedef struct summary_columns {
    int step, time, residual, sweeps, contacts, penetration, penetration_rel, status, painleve,
        energy_error, total;
} summary_columns;

static int place_of(const cn_layout *l, const char *name)
{
    for (int k = 0; k < l->step.field_count; k++) {
        if (strcmp(l->column_name[k], name) == 0) {
            return k;
        }
    }
    return 0;
}

static summary_columns find_columns(const cn_layout *l)
{
    char total[40];
    snprintf(total, sizeof total, "total_%s", cn_energy_row_name((cn_energy_row)0));
    return (summary_columns){
        .step = place_of(l, "step"),
        .time = place_of(l, "time"),
        .residual = place_of(l, "residual"),
        .sweeps = place_of(l, "sweeps"),
        .contacts = place_of(l, "contacts"),
        .penetration = place_of(l, "penetration"),
        .penetration_rel = place_of(l, "penetration_rel"),
        .status = place_of(l, "status"),
        .painleve = place_of(l, "painleve"),
        .energy_error = place_of(l, "energy_error"),
        .total = place_of(l, total),
    };
}

static void add_step(const summary_columns *c, const double *row, cn_summary *s)
{
    int64_t contacts = as_count(row[c->contacts]);
    s->contacts_max = contacts > s->contacts_max ? contacts : s->contacts_max;
    s->residual_max = cn_larger(row[c->residual], s->residual_max);
    s->penetration_max_m = cn_larger(row[c->penetration], s->penetration_max_m);
    s->penetration_max_rel = cn_larger(row[c->penetration_rel], s->penetration_max_rel);
    s->energy_error = cn_larger(row[c->energy_error], s->energy_error);
    s->sweeps_total += as_count(row[c->sweeps]);
    s->nonconverged_steps += row[c->status] != CN_OK;
    s->painleve_steps += row[c->painleve] > 0.0;
    s->steps = as_count(row[c->step]);
    s->time = row[c->time];
    memcpy(s->energy_total, row + c->total, sizeof s->energy_total);
}

// The history is summed up each time a file is opened, so that killed runs have a summary as well.
static cn_status sum_history(cn_reader *r, cn_error *err)
{
    const cn_tables *t = &r->tables;
    size_t columns = (size_t)t->layout.step.field_count;
    summary_columns place = find_columns(&t->layout);
    double *rows = make_array(ROWS_AT_ONCE, columns * sizeof *rows);
    if (rows == NULL) {
        return no_memory(r, err);
    }
    cn_status status = CN_OK;
    for (int64_t k = 0; status == CN_OK && k < t->steps_committed; k += ROWS_AT_ONCE) {
        int64_t left = t->steps_committed - k;
        int64_t count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        status = cn_table_read(&t->step, k, count, rows, err);
        for (int64_t n = 0; status == CN_OK && n < count; n++) {
            add_step(&place, rows + (size_t)n * columns, &r->summary);
        }
    }
    free(rows);
    return status;
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
    CN_TRY(read_shapes(r, &last, err));
    CN_TRY(read_bodies(r, &last, err));
    CN_TRY(list_columns(r, err));
    r->summary.steps = last.step;
    r->summary.time = last.time;
    r->summary.bodies = (int)last.body_count;
    r->summary.frames = (int)r->tables.frames_committed;
    CN_TRY(sum_history(r, err));
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
    void *owned[] = {reader->scene_text, reader->group,  reader->body,  reader->shape,
                     reader->vertex,     reader->column, reader->state, reader->id,
                     reader->body_group, reader->fixed,  reader->q,     reader->v,
                     reader->contact};
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
                        .kinetic = row.kinetic,
                        .potential = row.potential,
                        .storage = row.storage,
                        .energy_error = row.energy_error,
                        .state_hash = row.state_hash};
    return CN_OK;
}

int cn_reader_column_count(const cn_reader *reader)
{
    return reader->column_count;
}

const char *cn_reader_column_name(const cn_reader *reader, int k)
{
    return k >= 0 && k < reader->column_count ? reader->column[k].name : NULL;
}

// Series are stored side by side: one of them is picked out of blocks of rows.
static cn_status read_series(const cn_reader *r, int series, double *values, cn_error *err)
{
    const cn_tables *t = &r->tables;
    size_t width = (size_t)t->series_count;
    double *rows = make_array(ROWS_AT_ONCE, width * sizeof *rows);
    if (rows == NULL) {
        return no_memory(r, err);
    }
    cn_status status = CN_OK;
    for (int64_t k = 0; status == CN_OK && k < t->steps_committed; k += ROWS_AT_ONCE) {
        int64_t left = t->steps_committed - k;
        int64_t count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        status = cn_table_read(&t->series, k, count, rows, err);
        for (int64_t n = 0; status == CN_OK && n < count; n++) {
            values[k + n] = rows[(size_t)n * width + (size_t)series];
        }
    }
    free(rows);
    return status;
}

static cn_status load_column(cn_reader *r, int k, cn_error *err)
{
    double *values = make_array(r->tables.steps_committed, sizeof *values);
    if (values == NULL) {
        return no_memory(r, err);
    }
    cn_status status = k < r->history_count
                           ? cn_table_read_column(&r->tables.step, r->column[k].name, 0,
                                                  r->tables.steps_committed, values, err)
                           : read_series(r, k - r->history_count, values, err);
    if (status != CN_OK) {
        free(values);
        return status;
    }
    r->column[k].value = values;
    return CN_OK;
}

cn_status cn_reader_column(cn_reader *reader, const char *name, cn_column *column, cn_error *err)
{
    for (int k = 0; k < reader->column_count; k++) {
        column_cache *found = &reader->column[k];
        if (strcmp(found->name, name) == 0) {
            if (found->value == NULL) {
                CN_TRY(load_column(reader, k, err));
            }
            *column = (cn_column){found->name, reader->tables.steps_committed, found->value};
            return CN_OK;
        }
    }
    return cn_fail(
        err, CN_BAD_INPUT,
        "%s: the history has no column '%s'; it has residual, sweeps, kinetic and so on, "
        "and %d observed series",
        reader->tables.hdf->path, name, reader->tables.series_count);
}
