// contact/rows.c -- axes of contacts, rows of H and relative velocities, theory 2.4 and 4.2.
#include "contact/rows.h"

#include <string.h>

cn_axes cn_contact_axes(const cn_contact *x, int dim)
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_axes frame = {.point = {x->point[0], x->point[1], x->point[2]}, .axis = {n}};
    if (dim == 2) {
        frame.axis[1] = cn_v3(-n.y, n.x, 0.0);
        return frame;
    }
    cn_tangents3(n, &frame.axis[1], &frame.axis[2]);
    return frame;
}

void cn_contact_tangents(const cn_contact *x, int dim, double t1[3], double t2[3])
{
    cn_axes frame = cn_contact_axes(x, dim);
    memcpy(t1, &frame.axis[1], 3 * sizeof *t1);
    memcpy(t2, &frame.axis[2], 3 * sizeof *t2);
}

// Axes of the rows of moments (4.19): tangents for rolling, normal for spinning; in the plane z.
int cn_contact_moment_axes(const cn_contact *x, int dim, int rows, cn_vec3 axis[3])
{
    int count = rows - dim;
    if (count == 0) {
        return 0;
    }
    cn_axes frame = cn_contact_axes(x, dim);
    axis[0] = dim == 2 ? cn_v3(0.0, 0.0, 1.0) : frame.axis[1];
    axis[1] = frame.axis[2];
    if (dim == 3 && count != 2) {
        axis[count - 1] = frame.axis[0];
    }
    return count;
}

// H of both bodies of contact a; of deformable ones it is axes at an anchor (11.4) and not written.
void cn_contact_rows(const cn_contacts *c, const cn_bodies *b, int a, double H_i[CN_ROWS_MAX],
                     double H_j[CN_ROWS_MAX])
{
    const cn_contact *x = &c->contact[a];
    const double *q = cn_contact_place(c, b, a);
    cn_axes frame = cn_contact_axes(x, b->dim);
    if (cn_contact_anchor(c, a, 0) == NULL) {
        b->kind->rows(cn_body_q(b, q, x->i), &frame, H_i);
    }
    if (cn_contact_anchor(c, a, 1) == NULL) {
        b->kind->rows(cn_body_q(b, q, x->j), &frame, H_j);
    }
    cn_vec3 axis[3];
    int moments = cn_contact_moment_axes(x, b->dim, cn_contact_row_count(c, a), axis);
    if (moments > 0) {
        int first = b->dim * b->kind->dof;
        b->kind->spin_rows(moments, axis, H_i + first);
        b->kind->spin_rows(moments, axis, H_j + first);
    }
}

// H^T v of one side of a contact (2.4).
static void side_velocity(const cn_contacts *c, const cn_bodies *b, int a, int side, int rows,
                          const double *H, cn_velocities v, double *u)
{
    const cn_contact *x = &c->contact[a];
    const cn_anchor *anchor = cn_contact_anchor(c, a, side);
    if (anchor != NULL) {
        cn_axes frame = cn_contact_axes(x, b->dim);
        cn_vec3 at = cn_anchor_velocity(&b->meshes, anchor, v.node);
        for (int k = 0; k < rows; k++) {
            u[k] = cn_dot3(frame.axis[k], at);
        }
        return;
    }
    const double *own = cn_body_v(b, v.body, side == 0 ? x->i : x->j);
    int dof = b->kind->dof;
    for (int k = 0; k < rows; k++) {
        u[k] = 0.0;
        for (int d = 0; d < dof; d++) {
            u[k] += H[dof * k + d] * own[d];
        }
    }
}

// u = H^T v of a contact (2.4).
void cn_contact_velocity(const cn_contacts *c, const cn_bodies *b, int a, int rows,
                         const double *H_i, const double *H_j, cn_velocities v, double *u)
{
    double along_j[CN_ROW_MAX];
    side_velocity(c, b, a, 0, rows, H_i, v, u);
    side_velocity(c, b, a, 1, rows, H_j, v, along_j);
    for (int k = 0; k < rows; k++) {
        u[k] -= along_j[k];
    }
}

cn_vec3 cn_contact_moment(const cn_contacts *c, int a)
{
    cn_vec3 axis[3], moment = {0.0, 0.0, 0.0};
    int count = cn_contact_moment_axes(&c->contact[a], c->d, cn_contact_row_count(c, a), axis);
    for (int k = 0; k < count && c->kind[a] != CN_CORE_FREE; k++) {
        moment = cn_add_mul3(moment, c->r[c->row_start[a] + c->d + k], axis[k]);
    }
    return moment;
}
