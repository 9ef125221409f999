// contact/frame.h -- what a contact measures: axes, rows of H, relative velocities.
#pragma once

#include <string.h>

#include "body/cell.h"
#include "body/rigid.h"
#include "contact/cell_rows.h"

enum { CN_ROWS_MAX = CN_ROW_MAX * 6 }; // entries of H of one body

// Velocities of bodies and nodes.
typedef struct cn_velocities {
    const double *body, *node;
    const double *cell; // velocity gradient of the periodic cell; NULL: there is none
} cn_velocities;

// Axes of the rows of moments (4.4): tangents for rolling, normal for spinning; in the plane z.
// Returns how many there are of a contact with that many rows.
int cn_contact_moment_axes(const cn_contact *x, int dim, int rows, cn_vec3 axis[3]);

// Angular velocity of rigid body i [rad/s].
cn_vec3 cn_contact_body_spin(const cn_bodies *b, const double *velocity, int i);

// Loops over many contacts have a short way if all are plain: of rigid bodies, without moments.
// `dim` and `is_plain` are literals where it matters.
static inline bool cn_contacts_are_plain(const cn_contacts *c)
{
    return c->anchors == NULL && c->moment_row_count == 0 && !c->has_skew;
}

// Axes of a contact and H of both of its bodies; of a deformable one it is axes at an anchor (11.4)
// and H is not written.
typedef struct cn_contact_rows {
    int dim;
    bool is_plain;
    cn_axes frame;
    double H[2][CN_ROWS_MAX];
} cn_contact_rows;

// The place of the image of body j that contact x is with, from that of the body; `room` holds it
// if it is another one.
static inline const double *cn_contact_image_place(const cn_contacts *c, const cn_bodies *b, int a,
                                                   const double *q, double room[CN_Q_MAX])
{
    const cn_contact *x = &c->contact[a];
    if ((x->shift[0] | x->shift[1] | x->shift[2]) == 0) {
        return q;
    }
    cn_vec3 image = cn_cell_image(b, x->shift, c->is_at_start[a]);
    memcpy(room, q, (size_t)cn_rigid_q_size(b->dim) * sizeof *room);
    room[0] += image.x;
    room[1] += image.y;
    room[2] += b->dim == 3 ? image.z : 0.0; // in the plane that is the angle
    return room;
}

static inline void cn_contact_rows_make(const cn_contacts *c, const cn_bodies *b, int dim,
                                        bool is_plain, int a, cn_contact_rows *rows)
{
    const cn_contact *x = &c->contact[a];
    const double *q = cn_contact_place(c, b, a);
    rows->dim = dim;
    rows->is_plain = is_plain;
    rows->frame = is_plain ? cn_contact_axes(x, dim) : cn_contact_row_axes(c, a);
    for (int side = 0; side < 2; side++) {
        if (is_plain || cn_contact_anchor(c, a, side) == NULL) {
            int i = side == 0 ? x->i : x->j;
            double image[CN_Q_MAX];
            const double *own = q + cn_rigid_q_size(dim) * i;
            own = side == 1 ? cn_contact_image_place(c, b, a, own, image) : own;
            cn_rigid_rows(dim, own, &rows->frame, rows->H[side]);
        }
    }
    cn_vec3 axis[3];
    int moments = is_plain ? 0 : cn_contact_moment_axes(x, dim, cn_contact_row_count(c, a), axis);
    if (moments > 0) {
        int first = dim * cn_rigid_dof(dim);
        b->kind->spin_rows(moments, axis, rows->H[0] + first);
        b->kind->spin_rows(moments, axis, rows->H[1] + first);
    }
}

// H^T v of side 2 a or 2 a + 1 of contact a (2.5), `count` rows of it.
static inline void cn_contact_side_velocity(const cn_contacts *c, const cn_bodies *b, int end,
                                            const cn_contact_rows *rows, int count, cn_velocities v,
                                            double *u)
{
    int a = end / 2, side = end % 2;
    const cn_contact *x = &c->contact[a];
    const cn_anchor *anchor = rows->is_plain ? NULL : cn_contact_anchor(c, a, side);
    if (anchor != NULL) {
        cn_vec3 at = cn_anchor_velocity(b->deformables, anchor, v.node);
        for (int k = 0; k < count; k++) {
            u[k] = cn_dot3(rows->frame.axis[k], at);
        }
        return;
    }
    int dof = cn_rigid_dof(rows->dim);
    const double *own = v.body + dof * (side == 0 ? x->i : x->j), *H = rows->H[side];
    for (int k = 0; k < count; k++) {
        u[k] = 0.0;
        for (int d = 0; d < dof; d++) {
            u[k] += H[dof * k + d] * own[d];
        }
    }
}

// u = H^T v of a contact (2.5), `count` rows of it.
static inline void cn_contact_velocity(const cn_contacts *c, const cn_bodies *b, int a,
                                       const cn_contact_rows *rows, int count, cn_velocities v,
                                       double *u)
{
    double along_j[CN_ROW_MAX];
    cn_contact_side_velocity(c, b, 2 * a, rows, count, v, u);
    cn_contact_side_velocity(c, b, 2 * a + 1, rows, count, v, along_j);
    for (int k = 0; k < count; k++) {
        u[k] -= along_j[k];
    }
    if (v.cell != NULL) {
        cn_vec3 by_cell = cn_cell_mul(v.cell, cn_contact_branch(c, b, a));
        for (int k = 0; k < rows->dim && k < count; k++) {
            u[k] += cn_dot3(rows->frame.axis[k], by_cell);
        }
    }
}

// Chooses the tangents of the rows of contact a (4.53), if has_skew.
void cn_contact_choose_rows(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a);

// The velocity and the impulse of the rows of contact a along its axes.
void cn_contact_velocity_from_rows(const cn_contacts *c, int a, double *u);
void cn_contact_impulse_from_rows(const cn_contacts *c, int a, double *r);

// State that the last step left for a law that keeps `count` numbers, NULL for a new contact. Where
// rules have changed there may be fewer: then it is as good as new.
const double *cn_contact_remembered(const cn_contacts *c, int a, int count);

// The same for the numbers of the law itself, moments apart; zeros for a new contact.
const double *cn_contact_old_state(const cn_contacts *c, const cn_law_entry *law, int a);
