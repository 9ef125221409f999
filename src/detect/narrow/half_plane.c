// detect/narrow/half_plane.c -- anything bounded against a half-plane: every vertex of the skeleton
// within reach is a point of its own, named by the vertex.
#include "detect/narrow/pairs.h"

int cn_narrow_convex_half_plane(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch)
{
    cn_vec2 n = cn_posed_normal(b, 0), base = cn_posed_vertex(b, 0);
    double radius = a->shape->radius + a->shape->thickness;
    int count = 0;
    for (int k = 0; k < a->shape->vertex_count; k++) {
        cn_vec2 v = cn_posed_vertex(a, k);
        double height = cn_dot2(n, cn_sub2(v, base));
        if (!(height - radius <= reach)) {
            continue;
        }
        cn_vec2 foot = cn_add_mul2(v, -height, n);
        uint32_t feature = cn_feature(k, 0, CN_END_NONE);
        cn_touch_keep(touch, &count,
                      cn_touch_between(v, foot, cn_neg2(n), height, radius, 0.0, feature));
    }
    return count;
}
