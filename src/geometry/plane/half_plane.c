// geometry/plane/half_plane.c -- all points with local y <= 0. It has no mass of its own and no
// end: for bodies that are fixed, driven, or walls that move without turning.
#include "geometry/plane/shape_kind.h"

static cn_status measure(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err)
{
    (void)def;
    (void)err;
    mass->size = INFINITY;
    return CN_OK;
}

static int vertex_count(const cn_shape_def *def)
{
    (void)def;
    return 1;
}

static void skeleton(const cn_shape_def *def, cn_vec2 *vertex, cn_vec2 *normal, cn_shape *shape)
{
    (void)def;
    vertex[0] = cn_v2(0.0, 0.0);
    normal[0] = cn_v2(0.0, 1.0);
    shape->size = INFINITY;
}

const cn_shape_ops cn_half_plane_ops = {
    .name = "half_plane",
    .is_unbounded = true,
    .measure = measure,
    .vertex_count = vertex_count,
    .skeleton = skeleton,
};
