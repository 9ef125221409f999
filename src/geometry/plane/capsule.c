// geometry/plane/capsule.c -- all points within `radius` of the segment of `length` along x,
// centred at the origin. Its skeleton is a polygon of two vertices, so its two straight sides are
// edges like others.
#include "geometry/plane/shape_kind.h"

static cn_status measure(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err)
{
    CN_TRY(cn_length_check("capsule", "radius", def->radius, err));
    CN_TRY(cn_length_check("capsule", "length", def->length, err));
    double r = def->radius, l = def->length;
    mass->area = 2.0 * r * l + CN_PI * r * r;
    double of_bar = 2.0 * r * l * (l * l + 4.0 * r * r) / 12.0;
    // Two half-disks moved out by l/2; their centroids lie 4 r / (3 pi) beyond.
    double of_ends =
        0.5 * CN_PI * r * r * r * r + 0.25 * CN_PI * r * r * l * l + 4.0 / 3.0 * l * r * r * r;
    mass->inertia = of_bar + of_ends;
    mass->size = 2.0 * r;
    return CN_OK;
}

static int vertex_count(const cn_shape_def *def)
{
    (void)def;
    return 2;
}

static void skeleton(const cn_shape_def *def, cn_vec2 *vertex, cn_vec2 *normal, cn_shape *shape)
{
    vertex[0] = cn_v2(-0.5 * def->length, 0.0);
    vertex[1] = cn_v2(0.5 * def->length, 0.0);
    normal[0] = cn_v2(0.0, -1.0);
    normal[1] = cn_v2(0.0, 1.0);
    shape->radius = def->radius;
    shape->size = 2.0 * def->radius;
}

const cn_shape_ops cn_capsule_ops = {
    .name = "capsule",
    .measure = measure,
    .vertex_count = vertex_count,
    .skeleton = skeleton,
};
