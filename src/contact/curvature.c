// contact/curvature.c -- what laws need to know of the two surfaces that meet: size, curvature,
// whether one surrounds the other (theory 6.6, 4.4, 6.4, 6.7).
#include <math.h>

#include "body/cell.h"
#include "contact/contacts.h"

double cn_contact_size(const cn_bodies *b, const cn_contact *x)
{
    double size_i = b->deformable[x->i] >= 0
                        ? b->size[x->i]
                        : cn_shape_size(b, cn_feature_shape_i(b, x->i, x->feature));
    double size_j = b->deformable[x->j] >= 0
                        ? b->size[x->j]
                        : cn_shape_size(b, cn_feature_shape_j(b, x->j, x->feature));
    return size_i < size_j ? size_i : size_j;
}

bool cn_contact_is_concave(const cn_bodies *b, const cn_contact *x)
{
    bool has_hollow =
        (b->deformable[x->i] < 0 &&
         cn_shape_is_hollow(b, cn_feature_shape_i(b, x->i, x->feature))) ||
        (b->deformable[x->j] < 0 && cn_shape_is_hollow(b, cn_feature_shape_j(b, x->j, x->feature)));
    if (!has_hollow) {
        return false;
    }
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
    bool is_in_j = b->deformable[x->j] < 0 &&
                   cn_shape_surrounds(b, cn_feature_shape_j(b, x->j, x->feature), point, n);
    return is_in_j ||
           (b->deformable[x->i] < 0 &&
            cn_shape_surrounds(b, cn_feature_shape_i(b, x->i, x->feature), point, cn_neg3(n)));
}

// Curvature of shape s where the other one touches it: 0 for what is flat, negative inside a
// container [1/m].
static double curvature(const cn_bodies *b, int s, cn_vec3 point, cn_vec3 outward)
{
    if (b->dim == 3 && !cn_solid_is_even(&b->solid[s])) {
        cn_posed3 posed = cn_body_posed3_mid(b, s);
        return cn_posed3_curvature(&posed, point, outward);
    }
    double radius = b->dim == 2 ? b->shape[s].radius : b->solid[s].radius;
    double wall = b->dim == 2 ? b->shape[s].thickness : 0.0;
    if (!(radius > 0.0)) {
        return 0.0;
    }
    bool is_around = b->dim == 2 && cn_shape_surrounds(b, s, point, outward);
    return is_around ? -1.0 / radius : 1.0 / (radius + wall);
}

// Those of both sides; of deformable bodies none is known.
static void curvatures(const cn_bodies *b, const cn_contact *x, double of[2])
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
    cn_vec3 on_j = cn_sub3(point, cn_cell_image(b, x->shift, false));
    of[0] = b->deformable[x->i] >= 0
                ? 0.0
                : curvature(b, cn_feature_shape_i(b, x->i, x->feature), point, cn_neg3(n));
    of[1] = b->deformable[x->j] >= 0
                ? 0.0
                : curvature(b, cn_feature_shape_j(b, x->j, x->feature), on_j, n);
}

void cn_contact_radii(const cn_bodies *b, const cn_contact *x, double radius[2])
{
    double of[2];
    curvatures(b, x, of);
    for (int side = 0; side < 2; side++) {
        radius[side] = of[side] > 0.0 ? 1.0 / of[side] : 0.0;
    }
}

double cn_contact_radius(const cn_bodies *b, const cn_contact *x)
{
    double of[2];
    curvatures(b, x, of);
    double sum = of[0] + of[1];
    return sum > 0.0 ? 1.0 / sum : 0.5 * cn_contact_size(b, x);
}

// Angle by which the step turns a surface, and the way of the contact on it by that turn.
static void turn_of(const cn_bodies *b, int i, int s, double h, double *angle, double *way)
{
    const double *v = cn_body_v(b, b->v_before, i);
    double spin = b->dim == 2 ? fabs(v[2]) : cn_norm3(cn_v3(v[3], v[4], v[5]));
    double lever = spin > 0.0 ? cn_shape_lever(b, s) : 0.0;
    if (lever > 0.0 && lever < INFINITY) {
        *angle += h * spin;
        *way += h * spin * lever;
    }
}

double cn_contact_chord(const cn_contacts *c, const cn_bodies *b, const cn_contact *x)
{
    if (cn_contact_is_deformable(b, x)) {
        return 0.0;
    }
    double angle = 0.0, way = c->h * cn_norm2(cn_v2(x->u_before[1], x->u_before[2]));
    turn_of(b, x->i, cn_feature_shape_i(b, x->i, x->feature), c->h, &angle, &way);
    turn_of(b, x->j, cn_feature_shape_j(b, x->j, x->feature), c->h, &angle, &way);
    return angle * way;
}

// A point that a body carries along: its velocity, and twice what a turn adds to its way at second
// order, over h^2.
typedef struct carried {
    cn_vec3 v, turn;
} carried;

static carried carry(const cn_bodies *b, int i, cn_vec3 point)
{
    const double *v = cn_body_v(b, b->v_before, i), *q = cn_body_q(b, b->q_mid, i);
    cn_vec3 centre = cn_v3(q[0], q[1], b->dim == 3 ? q[2] : 0.0);
    cn_vec3 speed = cn_v3(v[0], v[1], b->dim == 3 ? v[2] : 0.0);
    cn_vec3 spin = b->dim == 3 ? cn_v3(v[3], v[4], v[5]) : cn_v3(0.0, 0.0, v[2]);
    cn_vec3 by_spin = cn_cross3(spin, cn_sub3(point, centre));
    return (carried){cn_add3(speed, by_spin), cn_cross3(spin, by_spin)};
}

// Shape t surrounds shape s, n is the normal from the wall inwards.
static double arc_in(const cn_bodies *b, int s, int t, cn_vec3 point, cn_vec3 n, double h)
{
    double R = b->dim == 2 ? b->shape[t].radius : b->solid[t].radius;
    // What is rounder than the hollow touches it with an edge, as a rim that dips into a tube.
    double bend = curvature(b, s, point, cn_neg3(n)), r = bend * R > 1.0 ? 1.0 / bend : 0.0;
    carried inner = carry(b, cn_shape_body(b, s), cn_add_mul3(point, r, n));
    carried outer = carry(b, cn_shape_body(b, t), cn_add_mul3(point, R, n));
    cn_vec3 w = cn_sub3(inner.v, outer.v);
    w = cn_add_mul3(w, -cn_dot3(n, w), n);
    if (b->dim == 3 && b->solid[t].kind == CN_SOLID_HOLLOW_CYLINDER) {
        cn_posed3 posed = cn_body_posed3_mid(b, t);
        cn_vec3 axis = cn_mat3_mul(&posed.R, b->solid[t].axis);
        w = cn_add_mul3(w, -cn_dot3(axis, w), axis);
    }
    double along = cn_dot3(w, w), radius = R - r;
    double bent = along > 0.0 ? along / fmax(radius, 0.5 * h * sqrt(along)) : 0.0;
    double arc = 0.5 * h * h * (bent + cn_dot3(n, cn_sub3(outer.turn, inner.turn)));
    return fmax(arc, 0.0);
}

double cn_contact_arc(const cn_contacts *c, const cn_bodies *b, const cn_contact *x)
{
    if (cn_contact_is_deformable(b, x)) {
        return 0.0;
    }
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
    int s = cn_feature_shape_i(b, x->i, x->feature), t = cn_feature_shape_j(b, x->j, x->feature);
    return cn_shape_surrounds(b, t, point, n) ? arc_in(b, s, t, point, n, c->h)
                                              : arc_in(b, t, s, point, cn_neg3(n), c->h);
}
