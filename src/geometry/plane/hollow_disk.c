// geometry/plane/hollow_disk.c -- ring between the inner `radius` and radius + `thickness`: a drum.
// Its size is the wall: what passes through it has gone past the wall.
#include "geometry/plane/shape_kind.h"

static cn_status measure(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err)
{
    CN_TRY(cn_length_check("hollow disk", "inner radius", def->radius, err));
    CN_TRY(cn_length_check("hollow disk", "wall thickness", def->thickness, err));
    double r = def->radius, t = def->thickness, outer = r + t;
    mass->area = CN_PI * t * (r + outer);
    mass->inertia = 0.5 * mass->area * (r * r + outer * outer);
    mass->size = t;
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
    shape->thickness = def->thickness;
    shape->size = def->thickness;
}

const cn_shape_ops cn_hollow_disk_ops = {
    .name = "hollow_disk",
    .is_hollow = true,
    .is_round = true,
    .measure = measure,
    .vertex_count = vertex_count,
    .skeleton = skeleton,
};
