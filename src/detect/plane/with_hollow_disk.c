// detect/plane/with_hollow_disk.c -- drums. A body whose middle is nearer to the centre than the
// middle of the wall is inside: its vertices touch the inner wall, each a point of its own named by
// the vertex, for a circle seen from inside bends away from every edge. Any other body is outside
// and meets a disk of the outer radius.
#include "detect/plane/pairs.h"
#include "detect/plane/rounded_rounded.h"

static double outer_radius(const cn_shape *drum)
{
    return drum->radius + drum->thickness;
}

static double middle_radius(const cn_shape *drum)
{
    return drum->radius + 0.5 * drum->thickness;
}

static cn_vec2 middle_of(const cn_rounded *h)
{
    cn_vec2 sum = {0.0, 0.0};
    for (int k = 0; k < h->count; k++) {
        sum = cn_add2(sum, cn_rounded_vertex(h, k));
    }
    return cn_mul2(1.0 / h->count, sum);
}

// Hull of the drum's outer circle.
static cn_rounded outer_disk(const cn_posed *drum, cn_vec2 origin)
{
    cn_rounded disk = cn_rounded_of(drum, origin);
    disk.radius = outer_radius(drum->shape);
    return disk;
}

// Vertices of a against the inner wall of a drum around `centre`.
static int touch_inside(const cn_rounded *a, cn_vec2 centre, double inner, cn_vec2 origin,
                        double reach, cn_touch *touch)
{
    int count = 0;
    for (int k = 0; k < a->count; k++) {
        cn_vec2 v = cn_rounded_vertex(a, k), outward = cn_sub2(v, centre);
        double distance = cn_norm2(outward);
        if (!(inner - distance - a->radius <= reach)) {
            continue;
        }
        cn_vec2 n = distance > 0.0 ? cn_mul2(1.0 / distance, outward) : cn_v2(0.0, -1.0);
        cn_vec2 wall = cn_add_mul2(centre, inner, n);
        cn_touch one = cn_touch_between(v, wall, n, inner - distance, a->radius, 0.0,
                                        cn_feature(k, 0, CN_END_NONE));
        one.point = cn_add2(origin, one.point);
        cn_touch_keep(touch, &count, one);
    }
    return count;
}

int cn_narrow_convex_hollow(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch)
{
    cn_rounded of_a = cn_rounded_of(a, b->x), drum = outer_disk(b, b->x);
    cn_vec2 centre = cn_rounded_vertex(&drum, 0);
    if (cn_norm2(cn_sub2(middle_of(&of_a), centre)) < middle_radius(b->shape)) {
        return touch_inside(&of_a, centre, b->shape->radius, b->x, reach, touch);
    }
    return cn_convex_touch(&of_a, &drum, b->x, a->shape->size, reach, touch);
}

// The smaller drum can be inside the larger one only if it fits.
static bool is_inside(const cn_rounded *a, const cn_rounded *b, const cn_shape *outer)
{
    cn_vec2 apart = cn_sub2(cn_rounded_vertex(a, 0), cn_rounded_vertex(b, 0));
    return a->radius < middle_radius(outer) && cn_norm2(apart) < middle_radius(outer);
}

int cn_narrow_hollow_hollow(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch)
{
    cn_rounded of_a = outer_disk(a, a->x), of_b = outer_disk(b, a->x);
    if (is_inside(&of_a, &of_b, b->shape)) {
        return touch_inside(&of_a, cn_rounded_vertex(&of_b, 0), b->shape->radius, a->x, reach,
                            touch);
    }
    if (is_inside(&of_b, &of_a, a->shape)) {
        int count =
            touch_inside(&of_b, cn_rounded_vertex(&of_a, 0), a->shape->radius, a->x, reach, touch);
        for (int k = 0; k < count; k++) {
            touch[k].normal = cn_neg2(touch[k].normal);
        }
        return count;
    }
    return cn_convex_touch(&of_a, &of_b, a->x, a->shape->size, reach, touch);
}
