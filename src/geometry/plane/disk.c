// geometry/plane/disk.c -- all points within `radius` of the origin.
#include "geometry/plane/shape_kind.h"

static cn_status measure(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err)
{
    CN_TRY(cn_length_check("disk", "radius", def->radius, err));
    double r2 = def->radius * def->radius;
    mass->area = CN_PI * r2;
    mass->inertia = 0.5 * CN_PI * r2 * r2;
    mass->size = 2.0 * def->radius;
    return CN_OK;
}

static int vertex_count(const cn_shape_def *def)
{
    (void)def;
    return 1;
}

static void skeleton(const cn_shape_def *def, cn_vec2 *vertex, cn_vec2 *normal, cn_shape *shape)
{
    vertex[0] = normal[0] = cn_v2(0.0, 0.0);
    shape->radius = def->radius;
    shape->size = 2.0 * def->radius;
}

const cn_shape_ops cn_disk_ops = {
    .name = "disk",
    .is_round = true,
    .measure = measure,
    .vertex_count = vertex_count,
    .skeleton = skeleton,
};
