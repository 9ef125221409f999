// geometry/space/solid_half_space.c -- all points with z <= 0: ground without end and without mass.
#include "geometry/space/solid_kind.h"

static cn_status place(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                       cn_solid *solid, cn_error *err)
{
    (void)def, (void)hooks, (void)err;
    solid->end[0] = solid->end[1] = cn_solid_moved(way, cn_v3(0.0, 0.0, 0.0));
    solid->reach = solid->size = INFINITY;
    return CN_OK;
}

const cn_solid_ops cn_solid_half_space = {
    .name = "half_space", .is_unbounded = true, .place = place};
