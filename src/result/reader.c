// result/reader.c -- reads result files, also those of killed runs and damaged ones.
//
// Only committed rows are read. Every number that is used as a count or a place is checked against
// what is there, every coordinate is finite: callers can draw and sum without checking again.
#include "result/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "base/memory.h"
#include "geometry/plane/shape_kind.h"
#include "geometry/space/solid_kind.h"

cn_status cn_reader_no_memory(const cn_reader *r, cn_error *err)
{
    return cn_fail(err, CN_NO_MEMORY, "%s: out of memory for these results", r->tables.hdf->path);
}

cn_status cn_reader_take_bytes(cn_reader *r, void **array, int64_t count, size_t element_size,
                               cn_error *err)
{
    if (cn_reserve(NULL, &r->owned, &r->owned_capacity, r->owned_count + 1, NULL) == CN_OK) {
        *array = calloc(count > 0 ? (size_t)count : 1, element_size);
        r->owned[r->owned_count] = *array;
        r->owned_count += *array != NULL;
    }
    return *array != NULL ? CN_OK : cn_reader_no_memory(r, err);
}

// Whether a call failed because a part of the file is damaged; the rest may still be read
// (cn_reader_verify names the damage).
static bool is_damage(cn_status status)
{
    return status == CN_IO || status == CN_BAD_INPUT;
}

static cn_status read_text(const cn_reader *r, const char *name, size_t size, char *text,
                           cn_error *err)
{
    char *found = NULL;
    cn_status status = cn_hdf_get_text(r->tables.hdf, name, &found, err);
    if (status != CN_OK && !is_damage(status)) {
        return status;
    }
    snprintf(text, size, "%s", found != NULL ? found : "(damaged)");
    cn_release(NULL, found);
    return CN_OK;
}

// Cuts the lines of name_text into names.
static cn_status list_names(cn_reader *r, cn_error *err)
{
    for (const char *at = r->name_text; *at != '\0'; at++) {
        r->name_count += *at == '\n' ? 1 : 0;
    }
    CN_TRY(cn_reader_take(r, &r->name, r->name_count, err));
    char *at = r->name_text;
    for (int64_t k = 0; k < r->name_count; k++) {
        char *end = strchr(at, '\n');
        *end = '\0';
        r->name[k] = at;
        at = end + 1;
    }
    return CN_OK;
}

static cn_status read_names(cn_reader *r, cn_error *err)
{
    if (!cn_hdf_has(r->tables.hdf, "about/body_names")) {
        return CN_OK;
    }
    cn_status status = cn_hdf_get_text(r->tables.hdf, "about/body_names", &r->name_text, err);
    if (is_damage(status)) {
        return CN_OK; // bodies then have numbers
    }
    CN_TRY(status);
    return list_names(r, err);
}

// An empty text in place of a damaged one, which no scene has.
static cn_status read_scene(cn_reader *r, cn_error *err)
{
    cn_status status = cn_hdf_get_text(r->tables.hdf, "about/scene_text", &r->scene_text, err);
    if (is_damage(status)) {
        r->scene_text = strdup("");
        status = r->scene_text != NULL ? CN_OK : cn_reader_no_memory(r, err);
    }
    return status;
}

static cn_status read_provenance(cn_reader *r, cn_error *err)
{
    cn_summary *s = &r->summary;
    CN_TRY(read_text(r, "about/title", sizeof s->title, s->title, err));
    CN_TRY(read_text(r, "about/scene_path", sizeof s->scene_path, s->scene_path, err));
    CN_TRY(read_text(r, "about/cairn_version", sizeof s->version, s->version, err));
    CN_TRY(read_scene(r, err));
    cn_status status = cn_hdf_get(r->tables.hdf, "about/seed", CN_FIELD_UINT64, 1, &s->seed, err);
    if (status == CN_NO_MEMORY) {
        return status;
    }
    s->dim = r->tables.layout.dim;
    return read_names(r, err);
}

const char *cn_reader_body_name(const cn_reader *reader, cn_body_id id)
{
    bool is_there = reader != NULL && id >= 1 && id <= (uint64_t)reader->name_count;
    return is_there ? reader->name[id - 1] : NULL;
}

static cn_status read_groups(cn_reader *r, int64_t count, cn_error *err)
{
    CN_TRY(cn_reader_take(r, &r->group, count, err));
    CN_TRY(cn_table_read(&r->tables.group, 0, count, r->group, err));
    for (int64_t k = 0; k < count; k++) {
        r->group[k].name[CN_NAME_SIZE - 1] = '\0';
    }
    r->group_count = (int)count;
    return CN_OK;
}

bool cn_reader_is_turn(const double turn[4])
{
    double size = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3];
    return fabs(size - 1.0) < 1e-6;
}

// A kind that the world keeps as another one is in no result.
static bool is_known(int kind, int dim)
{
    int kinds = dim == 2 ? (int)CN_SHAPE_KIND_COUNT : (int)CN_SOLID_KIND_COUNT;
    return kind >= 0 && kind < kinds &&
           (dim == 2 || !cn_solid_ops_of((cn_solid_kind)kind)->is_other_kind);
}

static bool names_points(int kind, int dim)
{
    return dim == 2 ? cn_shape_ops_of((cn_shape_kind)kind)->has_vertices
                    : cn_solid_ops_of((cn_solid_kind)kind)->has_points;
}

// Members that shapes of this dimension do not have are zero.
static bool is_sound(const cn_shape_row *s, int dim, int64_t vertex_count)
{
    bool is_finite = isfinite(s->radius) && isfinite(s->length) && isfinite(s->thickness) &&
                     isfinite(s->at[0]) && isfinite(s->at[1]) && isfinite(s->at[2]) &&
                     isfinite(s->angle) && isfinite(s->size[0] + s->size[1] + s->size[2]);
    bool is_surface = dim == 3 && s->kind == (int)CN_SOLID_SURFACE;
    return is_finite && is_known(s->kind, dim) && s->radius >= 0.0 && s->length >= 0.0 &&
           s->thickness >= 0.0 && s->vertex_start >= 0 &&
           (dim == 2 || cn_reader_is_turn(s->turn)) &&
           (names_points(s->kind, dim) ? s->vertex_count > dim : s->vertex_count == 0) &&
           (!is_surface || s->vertex_count % 3 == 0) &&
           s->vertex_start <= vertex_count - s->vertex_count;
}

static cn_status read_vertices(cn_reader *r, int64_t count, cn_error *err)
{
    int64_t dim = r->summary.dim;
    CN_TRY(cn_reader_take(r, &r->vertex, dim * count, err));
    CN_TRY(cn_table_read(&r->tables.vertex, 0, count, r->vertex, err));
    for (int64_t k = 0; k < dim * count; k++) {
        if (!isfinite(r->vertex[k])) {
            return cn_fail(err, CN_BAD_INPUT, "%s: vertex %lld is not finite", r->tables.hdf->path,
                           (long long)(k / dim));
        }
    }
    return CN_OK;
}

static cn_shape_def shape_of_row(const cn_shape_row *row, const double *vertex)
{
    return (cn_shape_def){
        .kind = (cn_shape_kind)row->kind,
        .radius = row->radius,
        .length = row->length,
        .thickness = row->thickness,
        .vertex_count = row->vertex_count,
        .vertex = row->vertex_count > 0 ? vertex + 2 * row->vertex_start : NULL,
        .at = {row->at[0], row->at[1], row->at[2]},
        .angle = row->angle,
    };
}

static cn_solid_def solid_of_row(const cn_shape_row *row, const double *vertex)
{
    return (cn_solid_def){
        .kind = (cn_solid_kind)row->kind,
        .radius = row->radius,
        .length = row->length,
        .thickness = row->thickness,
        .size = {row->size[0], row->size[1], row->size[2]},
        .ends = row->ends & 3u,
        .point_count = row->vertex_count,
        .point = row->vertex_count > 0 ? vertex + 3 * row->vertex_start : NULL,
        .at = {row->at[0], row->at[1], row->at[2]},
        .rotation = {row->turn[0], row->turn[1], row->turn[2], row->turn[3]},
    };
}

static cn_status place_shapes(cn_reader *r, const cn_shape_row *row, int64_t vertex_count,
                              cn_error *err)
{
    for (int64_t k = 0; k < r->shape_count; k++) {
        if (!is_sound(&row[k], r->summary.dim, vertex_count)) {
            return cn_fail(err, CN_BAD_INPUT, "%s: shape %lld is damaged", r->tables.hdf->path,
                           (long long)k);
        }
        if (r->summary.dim == 2) {
            r->shape[k] = shape_of_row(&row[k], r->vertex);
        } else {
            r->solid[k] = solid_of_row(&row[k], r->vertex);
        }
    }
    return CN_OK;
}

static cn_status read_shapes(cn_reader *r, const cn_frame_row *last, cn_error *err)
{
    int64_t count = last->known_shapes;
    bool is_plane = r->summary.dim == 2;
    CN_TRY(read_vertices(r, last->known_vertices, err));
    CN_TRY(cn_reader_take(r, &r->shape, is_plane ? count : 0, err));
    CN_TRY(cn_reader_take(r, &r->solid, is_plane ? 0 : count, err));
    CN_TRY(cn_reader_take(r, &r->hull, is_plane ? 0 : count, err));
    r->shape_count = count;
    cn_shape_row *row = NULL;
    size_t capacity = 0;
    cn_status status = cn_reserve(NULL, &row, &capacity, (size_t)count, err);
    CN_THEN(status, cn_table_read(&r->tables.shape, 0, count, row, err));
    CN_THEN(status, place_shapes(r, row, last->known_vertices, err));
    cn_release(NULL, row);
    return status;
}

static cn_status read_bodies(cn_reader *r, const cn_frame_row *last, cn_error *err)
{
    CN_TRY(cn_reader_take(r, &r->body, last->known_bodies, err));
    r->body_count = r->known_bodies = last->known_bodies;
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
    cn_end_row end = {0};
    cn_status status = cn_table_read(&r->tables.end, 0, 1, &end, err);
    if (status == CN_NO_MEMORY) {
        return status;
    }
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
        const char *name[3] = {end.deepest_name, end.unseen_name, end.phantom_name};
        for (int k = 0; k < 3; k++) {
            snprintf(s->overlap_name[k], sizeof s->overlap_name[k], "%.*s", CN_PAIR_SIZE - 1,
                     name[k]);
        }
        return CN_OK;
    }
    snprintf(s->outcome, sizeof s->outcome, "%s",
             status == CN_OK ? "not finished: running or killed" : "unknown: damaged");
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        s->wall_seconds += seconds[k];
    }
    return CN_OK;
}

// The lists that frames refer to. Without them there are no frames, but the history may be whole.
static cn_status read_lists(cn_reader *r, cn_frame_row *last, cn_error *err)
{
    CN_TRY(cn_tables_frame_row(&r->tables, r->tables.frames_committed - 1, last, err));
    CN_TRY(read_groups(r, last->known_groups, err));
    CN_TRY(cn_reader_read_laws(r, last, err));
    CN_TRY(read_shapes(r, last, err));
    CN_TRY(read_bodies(r, last, err));
    return cn_reader_read_meshes(r, last, err);
}

static cn_status read_all(cn_reader *r, const char *path, cn_error *err)
{
    cn_frame_row last = {0};
    CN_TRY(cn_tables_open(path, &r->tables, err));
    CN_TRY(read_provenance(r, err));
    cn_status listed = read_lists(r, &last, &r->lists);
    if (listed != CN_OK && listed != CN_IO) {
        return cn_fail(err, listed, "%s", r->lists.text);
    }
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
    enum { TRIES = 3, PAUSE = 5000 }; // [us]
    CN_NEED(err, path, reader);
    cn_status status = open_once(path, reader, err);
    // A run may have been writing just then.
    for (int k = 1; k < TRIES && is_damage(status) && cn_claim_is_held(path); k++) {
        usleep(PAUSE);
        status = open_once(path, reader, err);
    }
    return status;
}

void cn_reader_close(cn_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    cn_tables_close(&reader->tables, false, NULL);
    cn_id_map_free(&reader->map);
    cn_id_map_free(&reader->mesh_map);
    for (int k = 0; reader->column != NULL && k < reader->column_count; k++) {
        free(reader->column[k].name);
    }
    int64_t hull_count = reader->summary.dim == 3 ? reader->shape_count : 0;
    for (int64_t k = 0; reader->hull != NULL && k < hull_count; k++) {
        cn_hull_destroy(NULL, reader->hull[k]);
    }
    for (size_t k = 0; k < reader->owned_count; k++) {
        free(reader->owned[k]);
    }
    CN_RELEASE(reader->owned, reader->scene_text, reader->name_text, reader->state, reader->id,
               reader->body_group, reader->fixed, reader->q, reader->v, reader->contact,
               reader->joint, reader->contact_state_start, reader->contact_state,
               reader->frame_mesh, reader->node_row, reader->node_x, reader->node_v, reader->node_r,
               reader->stress, reader->strain, reader->mean);
    free(reader);
}

const cn_summary *cn_reader_summary(const cn_reader *reader)
{
    return reader != NULL ? &reader->summary : NULL;
}

const char *cn_reader_scene_text(const cn_reader *reader)
{
    return reader != NULL ? reader->scene_text : NULL;
}

int cn_reader_group_count(const cn_reader *reader)
{
    return reader != NULL ? reader->group_count : 0;
}

const char *cn_reader_group_name(const cn_reader *reader, int group)
{
    bool is_there = reader != NULL && group >= 0 && group < reader->group_count;
    return is_there ? reader->group[group].name : "";
}

static const cn_body_row *find_body(const cn_reader *reader, cn_body_id id)
{
    int64_t place = cn_id_map_last(&reader->map, id, reader->known_bodies);
    return place >= 0 ? &reader->body[place] : NULL;
}

const cn_shape_def *cn_reader_shapes(const cn_reader *reader, cn_body_id id, int *count)
{
    if (reader == NULL || count == NULL) {
        return NULL;
    }
    const cn_body_row *body = find_body(reader, id);
    bool has_shapes = body != NULL && reader->summary.dim == 2;
    *count = has_shapes ? (int)body->shape_count : 0;
    return has_shapes ? reader->shape + body->shape_start : NULL;
}

const cn_solid_def *cn_reader_solids(const cn_reader *reader, cn_body_id id, int *count)
{
    if (reader == NULL || count == NULL) {
        return NULL;
    }
    const cn_body_row *body = find_body(reader, id);
    bool has_solids = body != NULL && reader->summary.dim == 3;
    *count = has_solids ? (int)body->shape_count : 0;
    return has_solids ? reader->solid + body->shape_start : NULL;
}

cn_status cn_reader_hull(cn_reader *r, const cn_solid_def *solid, const cn_hull **hull,
                         cn_error *err)
{
    cn_hull **place = &r->hull[solid - r->solid];
    if (*place == NULL) {
        CN_TRY(cn_hull_create(NULL, solid->point, solid->point_count, place, err));
    }
    *hull = *place;
    return CN_OK;
}

int cn_reader_inertia(const cn_reader *reader, cn_body_id id, double inertia[3])
{
    if (reader == NULL || inertia == NULL) {
        return 0;
    }
    const cn_body_row *body = find_body(reader, id);
    for (int k = 0; k < 3; k++) {
        inertia[k] = body != NULL ? body->inertia[k] : 0.0;
    }
    return body != NULL ? reader->tables.layout.inertia_size : 0;
}

double cn_reader_mass(const cn_reader *reader, cn_body_id id)
{
    if (reader == NULL) {
        return 0.0;
    }
    const cn_body_row *body = find_body(reader, id);
    return body != NULL ? body->mass : 0.0;
}

bool cn_reader_is_fixed(const cn_reader *reader, cn_body_id id)
{
    if (reader == NULL) {
        return false;
    }
    const unsigned plane = 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ;
    const unsigned all = reader->summary.dim == 2 ? plane : CN_FIXED_ALL;
    const cn_body_row *body = find_body(reader, id);
    bool is_mesh = cn_id_map_find(&reader->mesh_map, id) >= 0; // its nodes move
    return body != NULL && !is_mesh && (body->fixed & all) == all;
}
