// picture/space/space_joints.c -- joints in space. Rods and cables are things between bodies; what
// is inside bodies shines through them: a ball where points meet, along an axis a rod.
#include <math.h>

#include "picture/render.h"
#include "picture/space/space_draw.h"

bool cn_joint_is_line(const cn_joint_state *s)
{
    return !s->is_broken && cn_joint_type_of(s->kind)->is_line;
}

cn_space_part cn_joint_line(const cn_joint_state *s)
{
    cn_vec3 a = cn_v3(s->point[0], s->point[1], s->point[2]);
    cn_vec3 b = cn_v3(s->end[0], s->end[1], s->end[2]), along = cn_sub3(a, b);
    double length = cn_norm3(along);
    cn_vec3 z = length > 0.0 ? cn_mul3(1.0 / length, along) : cn_v3(0.0, 0.0, 1.0);
    cn_vec3 x, y;
    cn_tangents3(z, &x, &y);
    return (cn_space_part){.kind = CN_PART_ROD,
                           .length = length,
                           .at = cn_mul3(0.5, cn_add3(a, b)),
                           .turn = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}},
                           .body = -1,
                           .colour = cn_tone_steel()};
}

// The smaller one of the bodies that a joint is between [m].
static double size_of(const cn_render_plan *plan, const cn_joint_state *s)
{
    double i = plan->figure[s->i].size, j = s->j >= 0 ? plan->figure[s->j].size : 0.0;
    return i > 0.0 && j > 0.0 ? fmin(i, j) : fmax(i, j);
}

double cn_joint_radius(const cn_render_plan *plan, const cn_joint_state *s)
{
    return (cn_joint_type_of(s->kind)->is_one_sided ? 0.02 : 0.04) * size_of(plan, s);
}

cn_space_force cn_joint_pin(const cn_render_plan *plan, const cn_joint_state *s)
{
    bool has_axis = cn_joint_type_of(s->kind)->has_axis;
    double size = size_of(plan, s), half = has_axis ? 0.2 * size : 0.0;
    cn_vec3 at = cn_v3(s->point[0], s->point[1], s->point[2]);
    cn_vec3 axis = cn_v3(s->axis[0], s->axis[1], s->axis[2]);
    return (cn_space_force){.end = {cn_add_mul3(at, half, axis), cn_add_mul3(at, -half, axis)},
                            .radius = (has_axis ? 0.05 : 0.08) * size,
                            .colour = cn_tone_steel()};
}
