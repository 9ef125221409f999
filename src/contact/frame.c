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

// The axis of friction in the world, as the body carries it that is held, else the first one.
static cn_vec3 friction_axis(const cn_bodies *b, const cn_law_entry *law, const cn_contact *x)
{
    int body = !cn_body_is_held(b, x->i) && cn_body_is_held(b, x->j) ? x->j : x->i;
    cn_vec3 axis = cn_v3(law->axis[0], law->axis[1], law->axis[2]);
    cn_body_pose pose = b->kind->pose(cn_body_q(b, b->q_mid, body));
    return b->deformable[body] >= 0 ? axis : cn_mat3_mul(&pose.R, axis);
}

void cn_contact_choose_rows(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a)
{
    const double flat = 1e-6; // of the axis: nothing of it lies in the surface
    const cn_contact *x = &c->contact[a];
    cn_axes frame = cn_contact_axes(x, c->d);
    cn_vec3 *skew = c->skew + 2 * (ptrdiff_t)a, n = frame.axis[0];
    skew[0] = frame.axis[1];
    skew[1] = frame.axis[2];
    if (!cn_law_is_skew(law)) {
        return;
    }
    cn_vec3 axis = friction_axis(b, law, x);
    cn_vec3 along = cn_add_mul3(axis, -cn_dot3(axis, n), n);
    double length = cn_norm3(along);
    if (length > flat * cn_norm3(axis)) {
        skew[0] = cn_mul3(1.0 / length, along);
        skew[1] = cn_mul3(law->ratio, cn_cross3(n, skew[0]));
    }
}

// Tangential components along the axes from those of a vector.
static void along_axes(const cn_contacts *c, int a, cn_vec3 v, double *along)
{
    cn_axes frame = cn_contact_axes(&c->contact[a], c->d);
    along[1] = cn_dot3(v, frame.axis[1]);
    along[2] = cn_dot3(v, frame.axis[2]);
}

void cn_contact_velocity_from_rows(const cn_contacts *c, int a, double *u)
{
    if (c->has_skew) {
        const cn_vec3 *t = c->skew + 2 * (ptrdiff_t)a;
        double u1 = u[1] / cn_dot3(t[0], t[0]), u2 = u[2] / cn_dot3(t[1], t[1]);
        along_axes(c, a, cn_add3(cn_mul3(u1, t[0]), cn_mul3(u2, t[1])), u);
    }
}

void cn_contact_impulse_from_rows(const cn_contacts *c, int a, double *r)
{
    if (c->has_skew) {
        const cn_vec3 *t = c->skew + 2 * (ptrdiff_t)a;
        along_axes(c, a, cn_add3(cn_mul3(r[1], t[0]), cn_mul3(r[2], t[1])), r);
    }
}

void cn_contact_to_rows(const cn_contacts *c, int a, double *u, double *r)
{
    if (c->has_skew) {
        cn_axes frame = cn_contact_axes(&c->contact[a], c->d);
        cn_vec3 v = cn_add3(cn_mul3(u[1], frame.axis[1]), cn_mul3(u[2], frame.axis[2]));
        cn_vec3 p = cn_add3(cn_mul3(r[1], frame.axis[1]), cn_mul3(r[2], frame.axis[2]));
        for (int k = 0; k < 2; k++) {
            cn_vec3 t = c->skew[2 * (ptrdiff_t)a + k];
            u[1 + k] = cn_dot3(v, t);
            r[1 + k] = cn_dot3(p, t) / cn_dot3(t, t);
        }
    }
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
