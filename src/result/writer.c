// result/writer.c -- result files: frames, step history, end state.
//
// A frame is written, flushed, and only then committed (result_tables.c). The new file carries the
// name path.part until frame 0 is committed, so that a run that fails early leaves older results
// alone. Until it is closed nobody else may write it (base/file_lock.h). After a failed write the
// file is cut off at once: what is committed stays as it is.
#include "result/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_lock.h"
#include "base/memory.h"
#include "result/body_rows.h"
#include "result/reduce.h"
#include "result/tables/result_tables.h"
#include "result/tables/truncate_result.h"

struct cn_writer {
    cn_claim *claim;
    cn_tables tables;
    int64_t frame_step;                 // step of the last frame
    bool is_failed;                     // a write has failed: the file is cut off
    char overlap_name[3][CN_PAIR_SIZE]; // of the pairs that overlap worst
    double wall_before;                 // of the runs that this one continues [s]
    double seconds_before[CN_STAGE_COUNT];
    int buffered;  // rows not yet written
    int64_t every; // steps from row to row; 0: those of frames
    bool is_open;  // the last one buffered stands for steps that are still to come, too
    cn_step_row *step_rows;
    double *series_rows;
    size_t step_capacity, series_capacity;
    cn_state_row *state_rows; // scratch of a frame
    cn_contact *contact_rows; // likewise, of rounded ones
    cn_body_rows body_rows;
    cn_mesh_rows mesh_rows;
    bool has_stress;        // is written
    bool is_reduced;        // numbers in frames are rounded
    int64_t contacts_every; // frames from one with contacts to the next; -1: the last one alone
    size_t state_capacity, contact_capacity;
};

static void destroy(cn_writer *w)
{
    CN_RELEASE(w->step_rows, w->series_rows, w->state_rows, w->contact_rows);
    cn_body_rows_free(&w->body_rows);
    cn_mesh_rows_free(&w->mesh_rows);
    cn_claim_release(w->claim);
    free(w);
}

// Every failed write ends here.
static cn_status cut_off(cn_writer *w, cn_status status)
{
    if (status != CN_OK && !w->is_failed) {
        w->is_failed = true;
        cn_hdf_cut_off(w->tables.hdf);
    }
    return status;
}

static cn_status check_usable(const cn_writer *w, cn_error *err)
{
    if (w->is_failed) {
        return cn_fail(err, CN_IO, "%s: an earlier write failed; %lld frames are complete",
                       w->tables.hdf->path, (long long)w->tables.frames_committed);
    }
    return CN_OK;
}

// A continued file may have been given the wrong world.
static cn_status check_dimension(const cn_writer *w, const cn_snapshot *s, cn_error *err)
{
    if (s->view.dim != w->tables.layout.dim) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: these are results in %d dimensions, the world has %d",
                       w->tables.hdf->path, w->tables.layout.dim, s->view.dim);
    }
    return CN_OK;
}

static cn_status fill_name(const char *what, const char *name, cn_name_row *row, cn_error *err)
{
    if (strlen(name) >= sizeof row->name) {
        return cn_fail(err, CN_BAD_INPUT, "the name of a %s is limited to %zu bytes: '%.60s...'",
                       what, sizeof row->name - 1, name);
    }
    memset(row, 0, sizeof *row);
    memcpy(row->name, name, strlen(name));
    return CN_OK;
}

static cn_status write_series_names(cn_writer *w, const char *const *series, cn_error *err)
{
    for (int k = 0; k < w->tables.series_count; k++) {
        cn_name_row row;
        CN_TRY(fill_name("series", series[k], &row, err));
        CN_TRY(cn_table_append(&w->tables.series_name, &row, 1, NULL, err));
    }
    return CN_OK;
}

static cn_status write_provenance(cn_hdf *hdf, const cn_provenance *p, int dim, cn_error *err)
{
    int32_t stored_dim = dim;
    CN_TRY(cn_hdf_put_text(hdf, "about/cairn_version", cn_version(), err));
    CN_TRY(cn_hdf_put_text(hdf, "about/title", p->title, err));
    CN_TRY(cn_hdf_put_text(hdf, "about/scene_path", p->scene_path, err));
    CN_TRY(cn_hdf_put_text(hdf, "about/scene_text", p->scene_text, err));
    CN_TRY(cn_hdf_put_text(hdf, "about/command_line", p->command_line, err));
    if (p->body_names != NULL) {
        CN_TRY(cn_hdf_put_text(hdf, "about/body_names", p->body_names, err));
    }
    CN_TRY(cn_hdf_put(hdf, "about/seed", CN_FIELD_UINT64, 1, &p->seed, err));
    CN_TRY(cn_hdf_put(hdf, "about/first_step", CN_FIELD_REAL, 1, &p->step, err));
    int64_t history = p->is_thinned ? p->history : 1;
    CN_TRY(cn_hdf_put(hdf, "about/history", CN_FIELD_INT64, 1, &history, err));
    int64_t every = p->contacts_every == 0 ? 1 : p->contacts_every;
    CN_TRY(cn_hdf_put(hdf, "about/contacts_every", CN_FIELD_INT64, 1, &every, err));
    int32_t is_reduced = p->is_reduced;
    CN_TRY(cn_hdf_put(hdf, "about/is_reduced", CN_FIELD_INT32, 1, &is_reduced, err));
    return cn_hdf_put(hdf, "about/dim", CN_FIELD_INT32, 1, &stored_dim, err);
}

static cn_status write_groups(cn_writer *w, const cn_snapshot *s, cn_error *err)
{
    for (int group = (int)w->tables.group.row_count; group < s->group_count; group++) {
        cn_name_row row;
        CN_TRY(fill_name("group", s->group_name(s->context, group), &row, err));
        CN_TRY(cn_table_append(&w->tables.group, &row, 1, NULL, err));
    }
    return CN_OK;
}

static cn_status write_law(cn_writer *w, const cn_law_type *type, cn_error *err)
{
    cn_tables *t = &w->tables;
    cn_law_row row = {.state_start = t->law_state.row_count, .state_count = type->state_count};
    cn_name_row name;
    CN_TRY(fill_name("law", type->name, &name, err));
    memcpy(row.name, name.name, sizeof row.name);
    for (int k = 0; k < type->state_count; k++) {
        CN_TRY(fill_name("state", type->state_name[k], &name, err));
        CN_TRY(cn_table_append(&t->law_state, &name, 1, NULL, err));
    }
    return cn_table_append(&t->law, &row, 1, NULL, err);
}

static cn_status write_laws(cn_writer *w, const cn_snapshot *s, cn_error *err)
{
    for (int law = (int)w->tables.law.row_count; law < s->law_count; law++) {
        CN_TRY(write_law(w, s->law_type(s->context, law), err));
    }
    return CN_OK;
}

static cn_status write_states(cn_writer *w, const cn_view *v, int64_t *start, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &w->state_rows, &w->state_capacity, (size_t)v->body_count, err));
    size_t q_size = (size_t)w->tables.layout.q_size;
    size_t v_size = (size_t)w->tables.layout.v_size;
    for (int i = 0; i < v->body_count; i++) {
        cn_state_row *row = &w->state_rows[i];
        *row = (cn_state_row){.id = v->id[i], .group = v->group[i], .fixed = v->fixed[i]};
        memcpy(row->q, v->q + q_size * (size_t)i, q_size * sizeof *row->q);
        memcpy(row->v, v->v + v_size * (size_t)i, v_size * sizeof *row->v);
        if (w->is_reduced) {
            cn_reduce_list(row->q, (int)q_size, CN_REDUCED_BITS);
            cn_reduce_list(row->v, (int)v_size, CN_REDUCED_VELOCITY_BITS);
        }
    }
    return cn_table_append(&w->tables.state, w->state_rows, v->body_count, start, err);
}

static void reduce_contact(cn_contact *c)
{
    cn_reduce_list(c->point, 3, CN_REDUCED_BITS);
    cn_reduce_list(c->normal, 3, CN_REDUCED_BITS);
    cn_reduce_list(&c->gap, 1, CN_REDUCED_BITS);
    cn_reduce_list(c->r, 3, CN_REDUCED_BITS);
    cn_reduce_list(c->u, 3, CN_REDUCED_VELOCITY_BITS);
    cn_reduce_list(c->u_before, 3, CN_REDUCED_VELOCITY_BITS);
}

static cn_status append_contacts(cn_writer *w, const cn_view *v, int64_t *start, cn_error *err)
{
    cn_table *to = &w->tables.contact;
    if (!w->is_reduced || v->contact_count == 0) {
        return cn_table_append(to, v->contact, v->contact_count, start, err);
    }
    size_t count = (size_t)v->contact_count;
    CN_TRY(cn_reserve(NULL, &w->contact_rows, &w->contact_capacity, count, err));
    memcpy(w->contact_rows, v->contact, count * sizeof *v->contact);
    for (size_t a = 0; a < count; a++) {
        reduce_contact(&w->contact_rows[a]);
    }
    return cn_table_append(to, w->contact_rows, v->contact_count, start, err);
}

// Contacts that were found without a step (cn_world_detect) have no states.
static bool has_contact_states(const cn_snapshot *s)
{
    const cn_view *v = &s->view;
    for (int a = 0; a < v->contact_count; a++) {
        const cn_law_type *type = s->law_type(s->context, v->contact[a].law);
        int count = type != NULL ? type->state_count : 0;
        if (v->state_start[a + 1] - v->state_start[a] != count) {
            return false;
        }
    }
    return v->contact_count > 0;
}

// States of contacts one after the other; their number follows from the law of each contact.
static cn_status write_contact_states(cn_writer *w, const cn_snapshot *s, int64_t *start,
                                      int64_t *count, cn_error *err)
{
    *count = has_contact_states(s) ? s->view.state_start[s->view.contact_count] : 0;
    return cn_table_append(&w->tables.contact_state, s->view.state, *count, start, err);
}

// Contacts of the frame of a row, with their states.
static cn_status write_contacts(cn_writer *w, const cn_snapshot *s, cn_frame_row *row,
                                cn_error *err)
{
    CN_TRY(append_contacts(w, &s->view, &row->contact_start, err));
    row->contact_count = s->view.contact_count;
    row->contacts_left_out = 0;
    return write_contact_states(w, s, &row->state_start, &row->state_count, err);
}

static void leave_contacts_out(const cn_writer *w, const cn_view *v, cn_frame_row *row)
{
    row->contacts_left_out = v->contact_count;
    row->contact_start = w->tables.contact.row_count;
    row->state_start = w->tables.contact_state.row_count;
}

static bool takes_contacts(const cn_writer *w)
{
    return w->contacts_every > 0 && w->tables.frame.row_count % w->contacts_every == 0;
}

static cn_status write_steps(cn_writer *w, cn_error *err)
{
    cn_tables *t = &w->tables;
    CN_TRY(cn_long_append(&t->step, w->step_rows, w->buffered, err));
    if (t->series_count > 0) {
        CN_TRY(cn_long_append(&t->series, w->series_rows, w->buffered, err));
    }
    w->buffered = 0;
    w->is_open = false;
    return CN_OK;
}

static cn_frame_row describe_frame(const cn_writer *w, const cn_snapshot *s)
{
    const cn_view *v = &s->view;
    const cn_ledger *l = v->ledger;
    cn_frame_row row = {
        .step = v->step,
        .time = v->time,
        .h = v->step > 0 ? v->certificate->h : 0.0,
        .body_count = v->body_count,
        .joint_count = v->joint_count,
        .known_groups = w->tables.group.row_count,
        .known_laws = w->tables.law.row_count,
        .known_law_states = w->tables.law_state.row_count,
        .known_bodies = w->tables.body.row_count,
        .known_shapes = w->tables.shape.row_count,
        .known_vertices = w->tables.vertex.row_count,
        .kinetic = l->kinetic,
        .potential = l->potential,
        .storage = l->storage,
        .energy_error = l->error,
        .state_hash = s->state_hash,
    };
    for (int k = 0; k < 9 && s->cell.is_there; k++) {
        row.cell[k] = s->cell.vectors[k];
        row.cell_rate[k] = s->cell.gradient[k];
        row.cell_axes |= k < 3 && s->cell.is_periodic[k] ? (int64_t)1 << k : 0;
    }
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        row.seconds[k] = w->seconds_before[k] + v->seconds[k];
    }
    return row;
}

static cn_status write_frame(cn_writer *w, const cn_snapshot *s, cn_error *err)
{
    const cn_view *v = &s->view;
    cn_tables *t = &w->tables;
    t->hdf->thread_count = s->threads;
    CN_TRY(write_groups(w, s, err));
    CN_TRY(write_laws(w, s, err));
    CN_TRY(cn_body_rows_add(&w->tables, &w->body_rows, &w->mesh_rows, s, err));
    CN_TRY(write_steps(w, err));
    cn_frame_row row = describe_frame(w, s);
    CN_TRY(write_states(w, v, &row.body_start, err));
    if (takes_contacts(w)) {
        CN_TRY(write_contacts(w, s, &row, err));
    } else {
        leave_contacts_out(w, v, &row);
    }
    CN_TRY(cn_table_append(&t->joint, v->joint, v->joint_count, &row.joint_start, err));
    CN_TRY(cn_mesh_rows_frame(t, &w->mesh_rows, s, w->has_stress, &row, err));
    CN_TRY(cn_table_append(&t->frame, &row, 1, NULL, err));
    CN_TRY(cn_tables_commit(t, t->frame.row_count, t->step.row_count, err));
    w->frame_step = v->step;
    return CN_OK;
}

// A writer with the claim on its file, which it keeps to its end.
static cn_status make_writer(const char *path, cn_writer **writer, cn_error *err)
{
    *writer = calloc(1, sizeof **writer);
    if (*writer == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for writing %s", path);
    }
    cn_status status = cn_claim_take(path, &(*writer)->claim, err);
    CN_THEN(status, cn_claim_begin((*writer)->claim, err));
    if (status != CN_OK) {
        destroy(*writer);
        *writer = NULL;
    }
    return status;
}

// Gives the complete file its name; or, after a failure, removes it.
static cn_status publish(cn_status status, cn_writer **writer, cn_error *err)
{
    CN_THEN(status, cn_claim_publish((*writer)->claim, err));
    if (status != CN_OK) {
        cn_writer_abandon(*writer);
        *writer = NULL;
    }
    return status;
}

static cn_status write_start(cn_writer *w, const cn_provenance *provenance, const cn_snapshot *s,
                             const char *const *series, cn_error *err)
{
    CN_TRY(write_provenance(w->tables.hdf, provenance, s->view.dim, err));
    int32_t axes = (int32_t)s->view.cell_axes;
    if (s->view.cell != NULL) {
        CN_TRY(cn_hdf_put(w->tables.hdf, "about/cell_axes", CN_FIELD_INT32, 1, &axes, err));
    }
    CN_TRY(write_series_names(w, series, err));
    return write_frame(w, s, err);
}

cn_status cn_results_create(const char *path, const cn_provenance *provenance,
                            const cn_snapshot *snapshot, int series_count,
                            const char *const *series, cn_writer **writer, cn_error *err)
{
    CN_TRY(make_writer(path, writer, err));
    cn_writer *w = *writer;
    cn_chunks chunks = cn_chunks_for(snapshot->view.body_count, cn_mesh_rows_nodes(snapshot));
    w->has_stress = provenance->has_stress;
    w->every = provenance->is_thinned ? provenance->history : 1;
    w->is_reduced = provenance->is_reduced;
    w->contacts_every = provenance->contacts_every == 0 ? 1 : provenance->contacts_every;
    int dim = snapshot->view.dim;
    cn_status status =
        cn_tables_create(w->claim->part, path, dim, series_count, chunks, &w->tables, err);
    CN_THEN(status, write_start(w, provenance, snapshot, series, err));
    return publish(status, writer, err);
}

// The time already spent on the part that is kept.
static cn_status load_times(cn_writer *w, const cn_tables *old, const cn_kept *kept, cn_error *err)
{
    cn_end_row end;
    CN_TRY(cn_table_read(&old->end, 0, 1, &end, err));
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        w->seconds_before[k] = kept->last.seconds[k];
        w->wall_before += kept->last.seconds[k];
    }
    if (end.is_complete == 1) {
        w->wall_before = end.wall_seconds;
    }
    return CN_OK;
}

// A value that older files do not have.
static cn_status get_option(cn_hdf *hdf, const char *name, cn_field_kind kind, void *value,
                            cn_error *err)
{
    return cn_hdf_has(hdf, name) ? cn_hdf_get(hdf, name, kind, 1, value, err) : CN_OK;
}

static cn_status continue_file(cn_writer *w, const char *path, int64_t step, cn_tables *old,
                               cn_error *err)
{
    cn_kept kept;
    CN_TRY(cn_tables_open(path, old, err));
    CN_TRY(cn_kept_find(old, step, &kept, err));
    int64_t state_chunk =
        old->version < 2 ? old->contact.chunk_rows : old->contact_state.chunk_rows;
    int64_t node_chunk = old->version < 4 ? 16 : old->node.chunk_rows;
    cn_chunks chunks = {old->state.chunk_rows, old->contact.chunk_rows, state_chunk, node_chunk};
    CN_TRY(cn_tables_create(w->claim->part, path, old->layout.dim, old->series_count, chunks,
                            &w->tables, err));
    CN_TRY(cn_kept_copy(old, &kept, &w->tables, err));
    CN_TRY(cn_body_rows_load(&w->tables, &w->body_rows, err));
    CN_TRY(load_times(w, old, &kept, err));
    int32_t is_reduced = 0;
    w->every = w->contacts_every = 1; // older files have a row for each step, and all contacts
    CN_TRY(get_option(old->hdf, "about/history", CN_FIELD_INT64, &w->every, err));
    CN_TRY(get_option(old->hdf, "about/contacts_every", CN_FIELD_INT64, &w->contacts_every, err));
    CN_TRY(get_option(old->hdf, "about/is_reduced", CN_FIELD_INT32, &is_reduced, err));
    w->is_reduced = is_reduced != 0;
    w->frame_step = kept.last.step;
    w->has_stress = kept.last.stress_count > 0;
    return CN_OK;
}

// The kept part is copied to a new file that then takes the place of the old one: nothing is lost
// if this fails, and a file of a killed run is left without its uncommitted rest.
cn_status cn_writer_reopen(const char *path, int64_t step, cn_writer **writer, cn_error *err)
{
    CN_NEED(err, path, writer);
    CN_TRY(make_writer(path, writer, err));
    cn_tables old = {0};
    cn_status status = continue_file(*writer, path, step, &old, err);
    cn_tables_close(&old, false, NULL);
    return publish(status, writer, err);
}

// The row of a step, or that of several.
static void add_step(const cn_writer *w, const cn_view *view, cn_step_row *row)
{
    cn_step_row next;
    cn_step_row_fill(view->certificate, view->ledger, &next);
    if (w->is_open) {
        cn_step_row_merge(&next, row);
    } else {
        *row = next;
    }
}

cn_status cn_results_step(cn_writer *writer, const cn_view *view, const double *series,
                          cn_error *err)
{
    cn_writer *w = writer;
    size_t series_count = (size_t)w->tables.series_count;
    CN_TRY(check_usable(w, err));
    if (series_count > 0 && series == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "%s: values of %zu series were announced, none given",
                       w->tables.hdf->path, series_count);
    }
    size_t n = (size_t)(w->is_open ? w->buffered - 1 : w->buffered);
    CN_TRY(cn_reserve(NULL, &w->step_rows, &w->step_capacity, n + 1, err));
    CN_TRY(cn_reserve(NULL, &w->series_rows, &w->series_capacity, (n + 1) * series_count, err));
    add_step(w, view, &w->step_rows[n]);
    if (series_count > 0) {
        memcpy(w->series_rows + n * series_count, series, series_count * sizeof *series);
    }
    w->buffered = (int)n + 1;
    // Overlaps come in pairs of bodies, which have no worst: their row ends there.
    w->is_open = !view->certificate->has_overlap &&
                 (w->every == 0 || view->certificate->step % w->every != 0);
    return w->is_open || w->buffered < cn_tables_steps_max(&w->tables) ? CN_OK
                                                                       : cn_writer_sync(w, err);
}

cn_status cn_writer_sync(cn_writer *writer, cn_error *err)
{
    CN_NEED(err, writer);
    cn_tables *t = &writer->tables;
    CN_TRY(check_usable(writer, err));
    if (writer->buffered == 0) {
        return CN_OK;
    }
    cn_status status = write_steps(writer, err);
    CN_THEN(status, cn_tables_commit(t, t->frames_committed, t->step.row_count, err));
    return cut_off(writer, status);
}

cn_status cn_results_frame(cn_writer *writer, const cn_snapshot *snapshot, cn_error *err)
{
    CN_TRY(check_usable(writer, err));
    CN_TRY(check_dimension(writer, snapshot, err));
    return cut_off(writer, write_frame(writer, snapshot, err));
}

void cn_writer_name_overlaps(cn_writer *writer, const char *deepest, const char *unseen,
                             const char *phantom)
{
    const char *name[3] = {deepest, unseen, phantom};
    for (int k = 0; k < 3 && writer != NULL; k++) {
        snprintf(writer->overlap_name[k], sizeof writer->overlap_name[k], "%s",
                 name[k] != NULL ? name[k] : "");
    }
}

// The last frame, which may be written already without its contacts.
static cn_status write_last(cn_writer *w, const cn_snapshot *s, cn_error *err)
{
    cn_tables *t = &w->tables;
    if (w->frame_step != s->view.step) {
        CN_TRY(write_frame(w, s, err));
    }
    cn_frame_row row;
    int64_t last = t->frame.row_count - 1;
    CN_TRY(cn_table_read(&t->frame, last, 1, &row, err));
    if (row.contacts_left_out == 0) {
        return CN_OK;
    }
    CN_TRY(write_contacts(w, s, &row, err));
    CN_TRY(cn_hdf_flush(t->hdf, err)); // contacts are there before the frame says so
    return cn_table_write(&t->frame, &row, last, 1, err);
}

static cn_status write_end(cn_writer *w, const cn_snapshot *s, const char *outcome,
                           double wall_seconds, int indeterminate, cn_error *err)
{
    CN_TRY(write_last(w, s, err));
    CN_TRY(cn_writer_sync(w, err));
    CN_TRY(cn_tables_finish(&w->tables, err));
    cn_end_row row = {.is_complete = 1,
                      .wall_seconds = w->wall_before + wall_seconds,
                      .state_hash = s->state_hash,
                      .indeterminate = indeterminate};
    snprintf(row.outcome, sizeof row.outcome, "%s", outcome != NULL ? outcome : "");
    memcpy(row.deepest_name, w->overlap_name[0], sizeof row.deepest_name);
    memcpy(row.unseen_name, w->overlap_name[1], sizeof row.unseen_name);
    memcpy(row.phantom_name, w->overlap_name[2], sizeof row.phantom_name);
    for (int k = 0; k < CN_STAGE_COUNT; k++) {
        row.seconds[k] = w->seconds_before[k] + s->view.seconds[k];
    }
    CN_TRY(cn_table_write(&w->tables.end, &row, 0, 1, err));
    return cn_hdf_flush(w->tables.hdf, err);
}

cn_status cn_results_close(cn_writer *writer, const cn_snapshot *snapshot, const char *outcome,
                           double wall_seconds, int indeterminate, cn_error *err)
{
    cn_status status = check_usable(writer, err);
    CN_THEN(status, check_dimension(writer, snapshot, err));
    CN_THEN(status, write_end(writer, snapshot, outcome, wall_seconds, indeterminate, err));
    bool is_cut = status != CN_OK;
    cn_status closed = cn_tables_close(&writer->tables, is_cut, is_cut ? NULL : err);
    destroy(writer);
    return is_cut ? status : closed;
}

void cn_writer_abandon(cn_writer *writer)
{
    if (writer != NULL) {
        cn_tables_close(&writer->tables, true, NULL);
        destroy(writer);
    }
}
