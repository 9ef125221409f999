// result/reader_frames.c -- frames of a result file: states of bodies, contacts, joints.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "result/reader.h"

// Numbers the file does not have are zero.
static bool is_state_sound(const cn_layout *layout, const cn_state_row *s)
{
    bool is_sound = layout->dim == 2 || cn_reader_is_turn(s->q + 3);
    for (int k = 0; k < 7; k++) {
        is_sound = is_sound && isfinite(s->q[k]) && (k == 6 || isfinite(s->v[k]));
    }
    return is_sound;
}

static cn_status check_state(const cn_reader *r, int index, const cn_state_row *s, cn_error *err)
{
    if (!is_state_sound(&r->tables.layout, s) || s->group < 0 || s->group >= r->group_count ||
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
    size_t q_size = (size_t)r->tables.layout.q_size;
    size_t v_size = (size_t)r->tables.layout.v_size;
    CN_TRY(cn_reserve(NULL, &r->q, &r->q_capacity, q_size * count, err));
    CN_TRY(cn_reserve(NULL, &r->v, &r->v_capacity, v_size * count, err));
    CN_TRY(cn_table_read(&r->tables.state, row->body_start, row->body_count, r->state, err));
    for (size_t k = 0; k < count; k++) {
        const cn_state_row *s = &r->state[k];
        CN_TRY(check_state(r, index, s, err));
        r->id[k] = s->id;
        r->body_group[k] = s->group;
        r->fixed[k] = s->fixed;
        memcpy(r->q + q_size * k, s->q, q_size * sizeof *s->q);
        memcpy(r->v + v_size * k, s->v, v_size * sizeof *s->v);
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

static bool is_sound_joint(const cn_joint_state *s, int body_count)
{
    bool is_finite = isfinite(s->motor) && isfinite(s->gap) && isfinite(s->gap_angle) &&
                     isfinite(s->position) && isfinite(s->speed);
    for (int k = 0; k < 3; k++) {
        is_finite = is_finite && isfinite(s->point[k]) && isfinite(s->end[k]) &&
                    isfinite(s->axis[k]) && isfinite(s->impulse[k]) && isfinite(s->moment[k]);
    }
    return is_finite && s->i >= 0 && s->i < body_count && s->j >= -1 && s->j < body_count &&
           (unsigned)s->kind < CN_JOINT_KIND_COUNT;
}

static cn_status read_joints(cn_reader *r, int index, const cn_frame_row *row, cn_error *err)
{
    size_t count = (size_t)row->joint_count;
    CN_TRY(cn_reserve(NULL, &r->joint, &r->joint_capacity, count, err));
    if (count > 0) {
        CN_TRY(cn_table_read(&r->tables.joint, row->joint_start, row->joint_count, r->joint, err));
    }
    for (size_t n = 0; n < count; n++) {
        if (!is_sound_joint(&r->joint[n], (int)row->body_count)) {
            return cn_fail(err, CN_BAD_INPUT, "%s: frame %d: joint %zu is damaged",
                           r->tables.hdf->path, index, n);
        }
    }
    return CN_OK;
}

static cn_status find_frame(const cn_reader *r, int index, int *found, cn_frame_row *row,
                            cn_error *err)
{
    int count = r->summary.frames;
    int place = index < 0 ? count + index : index;
    if (place < 0 || place >= count) {
        return cn_fail(err, CN_BAD_INPUT, "%s: there is no frame %d; frames are 0 to %d",
                       r->tables.hdf->path, index, count - 1);
    }
    if (r->lists.status != CN_OK) {
        return cn_fail(err, r->lists.status, "%s", r->lists.text);
    }
    *found = place;
    return cn_tables_frame_row(&r->tables, place, row, err);
}

static cn_cell_state cell_of(const cn_frame_row *row, int dim)
{
    cn_cell_state cell = {.is_there = row->cell_axes != 0};
    memcpy(cell.vectors, row->cell, sizeof cell.vectors);
    memcpy(cell.gradient, row->cell_rate, sizeof cell.gradient);
    for (int d = 0; d < 3; d++) {
        cell.is_periodic[d] = (row->cell_axes >> d & 1) != 0;
    }
    cell.volume = row->cell[0] * row->cell[4] * (dim == 3 ? row->cell[8] : 1.0);
    return cell;
}

static cn_frame frame_of(cn_reader *r, int place, const cn_frame_row *row)
{
    bool has_cell = row->cell[0] > 0.0;
    memcpy(r->cell, row->cell, sizeof r->cell);
    r->cell_state = cell_of(row, r->tables.layout.dim);
    return (cn_frame){.index = place,
                      .dim = r->tables.layout.dim,
                      .q_size = r->tables.layout.q_size,
                      .v_size = r->tables.layout.v_size,
                      .time = row->time,
                      .step = row->step,
                      .h = row->h,
                      .cell = has_cell ? r->cell : NULL,
                      .cell_state = has_cell && row->cell_axes != 0 ? &r->cell_state : NULL,
                      .lacks_contacts = row->contacts_left_out > 0,
                      .kinetic = row->kinetic,
                      .potential = row->potential,
                      .storage = row->storage,
                      .energy_error = row->energy_error,
                      .state_hash = row->state_hash};
}

cn_status cn_reader_need_contacts(cn_reader *reader, const cn_frame *frame, cn_error *err)
{
    CN_NEED(err, reader, frame);
    int64_t every = 1;
    if (!frame->lacks_contacts) {
        return CN_OK;
    }
    CN_TRY(cn_hdf_get(reader->tables.hdf, "about/contacts_every", CN_FIELD_INT64, 1, &every, err));
    int last = reader->summary.frames - 1;
    return every > 0
               ? cn_fail(err, CN_BAD_INPUT,
                         "frame %d of %s was written without its contacts: every %lld-th has "
                         "them, as %lld has, and the last of a run, %d (key contacts of output)",
                         frame->index, reader->tables.hdf->path, (long long)every,
                         (long long)(frame->index / every * every), last)
               : cn_fail(err, CN_BAD_INPUT,
                         "frame %d of %s was written without its contacts, which only the last "
                         "one of a run has, %d (key contacts of output)",
                         frame->index, reader->tables.hdf->path, last);
}

static cn_status add_bodies(cn_reader *r, const cn_frame_row *row, cn_frame *frame, cn_error *err)
{
    r->known_bodies = row->known_bodies;
    CN_TRY(read_states(r, frame->index, row, err));
    CN_TRY(read_joints(r, frame->index, row, err));
    frame->body_count = (int)row->body_count;
    frame->id = r->id;
    frame->group = r->body_group;
    frame->fixed = r->fixed;
    frame->q = r->q;
    frame->v = r->v;
    frame->joint_count = (int)row->joint_count;
    frame->joint = r->joint;
    CN_TRY(cn_reader_frame_meshes(r, row, frame, err));
    return CN_OK;
}

static cn_status add_contacts(cn_reader *r, const cn_frame_row *row, cn_frame *frame, cn_error *err)
{
    CN_TRY(read_contacts(r, frame->index, row, err));
    CN_TRY(cn_reader_read_contact_states(r, frame->index, row, err));
    frame->contact_count = (int)row->contact_count;
    frame->contact = r->contact;
    frame->state_start = r->contact_state_start;
    frame->state = r->contact_state;
    return CN_OK;
}

cn_status cn_reader_bodies(cn_reader *r, int index, cn_frame *frame, int *contact_count,
                           cn_error *err)
{
    int place = 0;
    cn_frame_row row;
    CN_TRY(find_frame(r, index, &place, &row, err));
    *frame = frame_of(r, place, &row);
    *contact_count = (int)row.contact_count;
    return add_bodies(r, &row, frame, err);
}

cn_status cn_reader_contacts(cn_reader *r, int index, cn_frame *frame, cn_error *err)
{
    int place = 0;
    cn_frame_row row;
    CN_TRY(find_frame(r, index, &place, &row, err));
    *frame = frame_of(r, place, &row);
    return add_contacts(r, &row, frame, err);
}

cn_status cn_reader_frame(cn_reader *reader, int index, cn_frame *frame, cn_error *err)
{
    CN_NEED(err, reader, frame);
    int place = 0;
    cn_frame_row row;
    CN_TRY(find_frame(reader, index, &place, &row, err));
    *frame = frame_of(reader, place, &row);
    CN_TRY(add_bodies(reader, &row, frame, err));
    return add_contacts(reader, &row, frame, err);
}
