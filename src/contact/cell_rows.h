// contact/cell_rows.h -- the part of the periodic cell in the rows of contacts, theory 15.3 to
// 15.5.
//
// A contact sees the cell through its branch, the way from the centre of the image of body j to
// that of body i: u gains L branch, and the impulse r acts on L by r times branch. It is the same
// whichever image of a body is stored.
#pragma once

#include "body/cell.h"
#include "contact/contacts.h"

// The branch of contact a; none where a body is not repeated, as walls are [m].
static inline cn_vec3 cn_contact_branch(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    if (cn_body_is_held(b, x->i) || cn_body_is_held(b, x->j)) {
        return cn_v3(0.0, 0.0, 0.0);
    }
    const double *place = cn_contact_place(c, b, a);
    const double *q_i = cn_body_q(b, place, x->i), *q_j = cn_body_q(b, place, x->j);
    cn_vec3 apart = cn_v3(q_i[0] - q_j[0], q_i[1] - q_j[1], b->dim == 3 ? q_i[2] - q_j[2] : 0.0);
    return cn_sub3(apart, cn_cell_image(b, x->shift, c->is_at_start[a]));
}

// Blocks of G of the cell: room for all constraints, and those of contact a with `rows` rows of
// which the first ones are forces along the axes.
cn_status cn_cell_rows_room(cn_contacts *c, const cn_bodies *b, cn_error *err);
void cn_cell_rows_write(cn_contacts *c, const cn_bodies *b, int a, const cn_axes *frame);

// Whether no component under stress lets contact a of a body with itself give way along its normal:
// then it is none, or the cell is smaller than the body.
bool cn_cell_is_stiff_along(const cn_contacts *c, const cn_bodies *b, int a, const cn_axes *frame);

// Bodies that a cell whose size is given presses against themselves.
cn_status cn_cell_check_self(const cn_contacts *c, const cn_bodies *b, cn_error *err);

// What all contacts do to the cell: `push`.
void cn_cell_collect(const cn_contacts *c, const cn_bodies *b);
