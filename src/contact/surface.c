// contact/surface.c -- what laws need to know of the two surfaces that meet: size, curvature,
// whether one surrounds the other (theory 4.17, 4.19).
#include <math.h>

#include "contact/contacts.h"

double cn_contact_size(const cn_bodies *b, const cn_contact *x)
{
    double size_i = b->mesh[x->i] >= 0 ? b->size[x->i]
                                       : cn_shape_size(b, cn_feature_shape_i(b, x->i, x->feature));
    double size_j = b->mesh[x->j] >= 0 ? b->size[x->j]
                                       : cn_shape_size(b, cn_feature_shape_j(b, x->j, x->feature));
    return fmin(size_i, size_j);
}

// Whether shape s, on the side of the contact that the normal leaves, surrounds the point: the
// inside of a hollow disk, sphere or cylinder.
static bool surrounds(const cn_bodies *b, int s, cn_vec3 point, cn_vec3 outward)
{
    bool is_hollow =
        b->dim == 3 ? cn_solid_is_hollow(&b->solid[s]) : b->shape[s].kind == CN_SHAPE_HOLLOW_DISK;
    if (!is_hollow) {
        return false;
    }
    if (b->dim == 3) {
        cn_posed3 posed = cn_body_posed3_mid(b, s);
        return cn_posed3_surrounds(&posed, point, outward);
    }
    cn_posed posed = cn_body_posed_mid(b, s);
    cn_vec2 inward = cn_sub2(cn_posed_vertex(&posed, 0), cn_v2(point.x, point.y));
    return cn_dot2(cn_v2(outward.x, outward.y), inward) > 0.0;
}

bool cn_contact_is_concave(const cn_bodies *b, const cn_contact *x)
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
    bool is_in_j =
        b->mesh[x->j] < 0 && surrounds(b, cn_feature_shape_j(b, x->j, x->feature), point, n);
    return is_in_j || (b->mesh[x->i] < 0 &&
                       surrounds(b, cn_feature_shape_i(b, x->i, x->feature), point, cn_neg3(n)));
}

// Whether the normal leaves a cylinder through one of its flat ends.
static bool is_end(const cn_bodies *b, int s, cn_vec3 outward)
{
    if (b->dim == 2 ||
        (b->solid[s].kind != CN_SOLID_CYLINDER && b->solid[s].kind != CN_SOLID_HOLLOW_CYLINDER)) {
        return false;
    }
    cn_posed3 posed = cn_body_posed3_mid(b, s);
    return fabs(cn_dot3(outward, cn_mat3_mul(&posed.R, b->solid[s].axis))) > 0.9;
}

// Curvature of shape s where the other one touches it: 0 for what is flat, negative inside a
// container [1/m].
static double curvature(const cn_bodies *b, int s, cn_vec3 point, cn_vec3 outward)
{
    double radius = b->dim == 2 ? b->shape[s].radius : b->solid[s].radius;
    double wall = b->dim == 2 ? b->shape[s].thickness : b->solid[s].thickness;
    if (!(radius > 0.0) || is_end(b, s, outward)) {
        return 0.0;
    }
    return surrounds(b, s, point, outward) ? -1.0 / radius : 1.0 / (radius + wall);
}

double cn_contact_radius(const cn_bodies *b, const cn_contact *x)
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
    double sum = curvature(b, cn_feature_shape_i(b, x->i, x->feature), point, cn_neg3(n)) +
                 curvature(b, cn_feature_shape_j(b, x->j, x->feature), point, n);
    return sum > 0.0 ? 1.0 / sum : 0.5 * cn_contact_size(b, x);
}
