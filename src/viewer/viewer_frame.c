// viewer/viewer_frame.c -- one frame for the viewer, in single precision relative to the origin.
// Contacts are many and not always looked at, so that they come apart from the bodies.
//
// Vectors are those of the world, three numbers also in the plane: the viewer need not know the
// tangents of a contact nor the dimension.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "result/reader.h"
#include "viewer/viewer_meshes.h"
#include "viewer/viewer_scene.h"

static void put3(float *to, const double *from)
{
    for (int k = 0; k < 3; k++) {
        to[k] = (float)from[k];
    }
}

static void put_place(float *to, const double *from, const double origin[3])
{
    for (int k = 0; k < 3; k++) {
        to[k] = (float)(from[k] - origin[k]);
    }
}

static cn_status add_head(const cn_frame *f, int contact_count, cn_blocks *b, cn_error *err)
{
    double *head;
    CN_TRY(cn_blocks_add(b, "head", CN_BLOCK_DOUBLE, 8, 1, &head, err));
    const double value[8] = {f->time,         (double)f->step,      f->h,
                             f->kinetic,      f->potential,         f->storage,
                             f->energy_error, (double)contact_count};
    memcpy(head, value, sizeof value);
    return CN_OK;
}

// Vectors of the periodic cell, one after the other; no row if there is none. And whether the file
// leaves the contacts of this frame out.
static cn_status add_surroundings(const cn_frame *f, cn_blocks *b, cn_error *err)
{
    double *vector;
    CN_TRY(cn_blocks_add(b, "cell", CN_BLOCK_DOUBLE, 9, f->cell != NULL, &vector, err));
    for (int k = 0; k < 9 && f->cell != NULL; k++) {
        vector[k] = f->cell[3 * (k % 3) + k / 3];
    }
    unsigned char *lacks;
    CN_TRY(cn_blocks_add(b, "lacks.contacts", CN_BLOCK_BYTE, 1, 1, &lacks, err));
    *lacks = f->lacks_contacts;
    return CN_OK;
}

static void put_pose2(const double *q, const double origin[3], float *at, float *turn)
{
    const double place[3] = {q[0], q[1], 0.0};
    put_place(at, place, origin);
    turn[0] = (float)cos(0.5 * q[2]);
    turn[3] = (float)sin(0.5 * q[2]);
}

static void put_pose3(const double *q, const double origin[3], float *at, float *turn)
{
    put_place(at, q, origin);
    put3(turn, q + 3);
    turn[3] = (float)q[6];
}

static cn_status add_poses(const cn_frame *f, const double origin[3], cn_blocks *b, cn_error *err)
{
    size_t n = (size_t)f->body_count;
    float *at, *turn;
    CN_TRY(cn_blocks_add(b, "body.at", CN_BLOCK_FLOAT, 3, f->body_count, &at, err));
    size_t at_place = (size_t)((unsigned char *)at - b->bytes); // the next block may move all
    CN_TRY(cn_blocks_add(b, "body.turn", CN_BLOCK_FLOAT, 4, f->body_count, &turn, err));
    at = (float *)(void *)(b->bytes + at_place);
    for (size_t i = 0; i < n; i++) {
        const double *q = f->q + (size_t)f->q_size * i;
        if (f->dim == 2) {
            put_pose2(q, origin, at + 3 * i, turn + 4 * i);
        } else {
            put_pose3(q, origin, at + 3 * i, turn + 4 * i);
        }
    }
    return CN_OK;
}

static cn_status add_rates(const cn_frame *f, cn_blocks *b, cn_error *err)
{
    float *rate;
    CN_TRY(cn_blocks_add(b, "body.rate", CN_BLOCK_ROUGH, 6, f->body_count, &rate, err));
    for (size_t i = 0; i < (size_t)f->body_count; i++) {
        const double *v = f->v + (size_t)f->v_size * i;
        const double plane[6] = {v[0], v[1], 0.0, 0.0, 0.0, v[2]};
        const double *six = f->dim == 2 ? plane : v;
        put3(rate + 6 * i, six);
        put3(rate + 6 * i + 3, six + 3);
    }
    return CN_OK;
}

// Which body of the list each one is, its group and what of it is held; the bits of a mesh mean
// that it does not move as a rigid body.
static cn_status add_bodies(const cn_reader *reader, const cn_frame *f, cn_blocks *b, cn_error *err)
{
    int32_t *row;
    CN_TRY(cn_blocks_add(b, "body.row", CN_BLOCK_INT, 3, f->body_count, &row, err));
    for (size_t i = 0; i < (size_t)f->body_count; i++) {
        row[3 * i] = (int32_t)cn_id_map_last(&reader->map, f->id[i], reader->known_bodies);
        row[3 * i + 1] = f->group[i];
        row[3 * i + 2] = (int32_t)f->fixed[i];
    }
    for (int k = 0; k < f->mesh_count; k++) {
        row[3 * f->mesh[k].body + 2] = 0;
    }
    return CN_OK;
}

static cn_status add_contact_rows(const cn_frame *f, cn_blocks *b, cn_error *err)
{
    int32_t *row, patch = -1;
    CN_TRY(cn_blocks_add(b, "contact.row", CN_BLOCK_INT, 5, f->contact_count, &row, err));
    for (size_t a = 0; a < (size_t)f->contact_count; a++) {
        const cn_contact *c = &f->contact[a];
        patch += a == 0 || !cn_is_same_patch(c - 1, c);
        const int32_t value[5] = {c->i, c->j, c->status, c->law, patch};
        memcpy(row + 5 * a, value, sizeof value);
    }
    return CN_OK;
}

static void relative_velocity(const cn_contact *c, int dim, double u[3])
{
    cn_contact turned = *c;
    memcpy(turned.r, c->u, sizeof turned.r);
    cn_contact_impulse(&turned, dim, u); // the same frame
}

static cn_status add_contacts(const cn_frame *f, const double origin[3], cn_blocks *b,
                              cn_error *err)
{
    float *row;
    CN_TRY(add_contact_rows(f, b, err));
    CN_TRY(cn_blocks_add(b, "contact.at", CN_BLOCK_ROUGH, 13, f->contact_count, &row, err));
    for (size_t a = 0; a < (size_t)f->contact_count; a++, row += 13) {
        const cn_contact *c = &f->contact[a];
        double r[3], u[3];
        cn_contact_impulse(c, f->dim, r);
        relative_velocity(c, f->dim, u);
        put_place(row, c->point, origin);
        put3(row + 3, c->normal);
        put3(row + 6, r);
        put3(row + 9, u);
        row[12] = (float)c->gap;
    }
    return CN_OK;
}

static cn_status add_contact_states(const cn_frame *f, cn_blocks *b, cn_error *err)
{
    float *state;
    int count = f->contact_count > 0 ? f->state_start[f->contact_count] : 0;
    CN_TRY(cn_blocks_add(b, "contact.state", CN_BLOCK_ROUGH, 1, count, &state, err));
    for (int k = 0; k < count; k++) {
        state[k] = (float)f->state[k];
    }
    return CN_OK;
}

// Cell of body j relative to that of body i.
static cn_status add_shifts(const cn_frame *f, cn_blocks *b, cn_error *err)
{
    int32_t *shift;
    CN_TRY(cn_blocks_add(b, "contact.shift", CN_BLOCK_INT, 3, f->contact_count, &shift, err));
    for (size_t k = 0; k < 3 * (size_t)f->contact_count; k++) {
        shift[k] = f->contact[k / 3].shift[k % 3];
    }
    return CN_OK;
}

static cn_status add_joints(const cn_frame *f, const double origin[3], cn_blocks *b, cn_error *err)
{
    int32_t *row;
    CN_TRY(cn_blocks_add(b, "joint.row", CN_BLOCK_INT, 5, f->joint_count, &row, err));
    for (size_t k = 0; k < (size_t)f->joint_count; k++) {
        const cn_joint_state *s = &f->joint[k];
        const int32_t value[5] = {(int32_t)s->id, (int32_t)s->kind, s->i, s->j, s->is_broken};
        memcpy(row + 5 * k, value, sizeof value);
    }
    float *at;
    CN_TRY(cn_blocks_add(b, "joint.at", CN_BLOCK_ROUGH, 20, f->joint_count, &at, err));
    for (size_t k = 0; k < (size_t)f->joint_count; k++, at += 20) {
        const cn_joint_state *s = &f->joint[k];
        const double value[5] = {s->motor, s->gap, s->gap_angle, s->position, s->speed};
        put_place(at, s->point, origin);
        put_place(at + 3, s->end, origin);
        put3(at + 6, s->axis);
        put3(at + 9, s->impulse);
        put3(at + 12, s->moment);
        for (int n = 0; n < 5; n++) {
            at[15 + n] = (float)value[n];
        }
    }
    return CN_OK;
}

cn_status cn_viewer_frame(cn_reader *reader, int index, const double origin[3], cn_blocks *blocks,
                          cn_error *err)
{
    cn_frame f;
    int contact_count;
    CN_TRY(cn_reader_bodies(reader, index, &f, &contact_count, err));
    CN_TRY(cn_blocks_begin(blocks, err));
    CN_TRY(add_head(&f, contact_count, blocks, err));
    CN_TRY(add_surroundings(&f, blocks, err));
    CN_TRY(add_bodies(reader, &f, blocks, err));
    CN_TRY(add_poses(&f, origin, blocks, err));
    CN_TRY(add_rates(&f, blocks, err));
    CN_TRY(cn_viewer_add_nodes(reader, &f, origin, blocks, err));
    return add_joints(&f, origin, blocks, err);
}

cn_status cn_viewer_contacts(cn_reader *reader, int index, const double origin[3],
                             cn_blocks *blocks, cn_error *err)
{
    cn_frame f;
    CN_TRY(cn_reader_contacts(reader, index, &f, err));
    CN_TRY(cn_blocks_begin(blocks, err));
    CN_TRY(add_contacts(&f, origin, blocks, err));
    CN_TRY(add_contact_states(&f, blocks, err));
    return f.cell != NULL ? add_shifts(&f, blocks, err) : CN_OK;
}
