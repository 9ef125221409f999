// contact/frame.c -- axes of contacts and of their moments, theory 4.2 and 4.4.
#include "contact/frame.h"

#include <string.h>

void cn_contact_tangents(const cn_contact *x, int dim, double t1[3], double t2[3])
{
    if (x == NULL || t1 == NULL || t2 == NULL) {
        return;
    }
    cn_axes frame = cn_contact_axes(x, dim);
    memcpy(t1, &frame.axis[1], 3 * sizeof *t1);
    memcpy(t2, &frame.axis[2], 3 * sizeof *t2);
}

// Axes of the rows of moments (4.4): tangents for rolling, normal for spinning; in the plane z.
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

cn_vec3 cn_contact_body_spin(const cn_bodies *b, const double *velocity, int i)
{
    const double *v = cn_body_v(b, velocity, i);
    return b->dim == 2 ? cn_v3(0.0, 0.0, v[2]) : cn_v3(v[3], v[4], v[5]);
}

void cn_contact_spin(const cn_contacts *c, const cn_bodies *b, int a, const double *velocity,
                     double spin[3])
{
    cn_vec3 axis[3];
    const cn_contact *x = &c->contact[a];
    int count = cn_contact_moment_axes(x, c->d, cn_contact_row_count(c, a), axis);
    cn_vec3 apart =
        cn_sub3(cn_contact_body_spin(b, velocity, x->i), cn_contact_body_spin(b, velocity, x->j));
    for (int k = 0; k < count; k++) {
        spin[k] = cn_dot3(axis[k], apart);
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
