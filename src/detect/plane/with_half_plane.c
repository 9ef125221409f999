// detect/plane/with_half_plane.c -- anything bounded against a half-plane: every vertex of the
// skeleton within reach is a point of its own, named by the vertex.
//
// Of a polygon with more of them than a pair may keep, the lowest stay, from the lowest outwards on
// both sides. Where the sides are equal within LEVEL, rounding does not choose between them.
#include "detect/plane/pairs.h"

// Heights that count as equal, of the size [-].
static const double LEVEL = 1e-3;

typedef struct above {
    const cn_posed *body;
    cn_vec2 n, base; // of the half-plane
} above;

static double height_of(const above *s, int k)
{
    return cn_dot2(s->n, cn_sub2(cn_posed_vertex(s->body, k), s->base));
}

// The vertices that may be kept, a run of neighbours: returns their number and the first.
static int lowest_run(const above *s, int *first)
{
    int all = s->body->shape->vertex_count, count = 1;
    *first = 0;
    if (all <= CN_TOUCH_MAX) {
        return all;
    }
    for (int k = 1; k < all; k++) {
        *first = height_of(s, k) < height_of(s, *first) ? k : *first;
    }
    for (; count < CN_TOUCH_MAX; count++) {
        int before = (*first + all - 1) % all, after = (*first + count) % all;
        double less = height_of(s, before) - height_of(s, after);
        *first = less < LEVEL * s->body->shape->size ? before : *first;
    }
    return count;
}

int cn_narrow_convex_half_plane(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch)
{
    above s = {a, cn_posed_normal(b, 0), cn_posed_vertex(b, 0)};
    double radius = a->shape->radius + a->shape->thickness;
    int first, run = lowest_run(&s, &first), all = a->shape->vertex_count, count = 0;
    for (int k = 0; k < all; k++) {
        double height = height_of(&s, k);
        if ((k - first + all) % all >= run || !(height - radius <= reach)) {
            continue;
        }
        cn_vec2 v = cn_posed_vertex(a, k), foot = cn_add_mul2(v, -height, s.n);
        uint32_t feature = cn_feature(k, 0, CN_END_NONE);
        touch[count++] = cn_touch_between(v, foot, cn_neg2(s.n), height, radius, 0.0, feature);
    }
    cn_touch_align(touch, count, s.n, a->shape->size);
    return count;
}
