// detect/plane/table.c -- which function finds the points of which pair.
//
// A pair is put in a canonical order before anything is computed: by kind, then by place, then by
// content. So (a, b) and (b, a) run through the same operations and their results are mirror images
// bit for bit, and they do not depend on how bodies are numbered.
#include "detect/plane/pairs.h"
#include "detect/weight.h"

static cn_narrow_pair *const PAIR[CN_SHAPE_KIND_COUNT][CN_SHAPE_KIND_COUNT] = {
    [CN_SHAPE_DISK] = {[CN_SHAPE_DISK] = cn_narrow_disk_disk,
                       [CN_SHAPE_CAPSULE] = cn_narrow_convex,
                       [CN_SHAPE_POLYGON] = cn_narrow_convex,
                       [CN_SHAPE_HOLLOW_DISK] = cn_narrow_convex_hollow,
                       [CN_SHAPE_HALF_PLANE] = cn_narrow_convex_half_plane},
    [CN_SHAPE_CAPSULE] = {[CN_SHAPE_CAPSULE] = cn_narrow_convex,
                          [CN_SHAPE_POLYGON] = cn_narrow_convex,
                          [CN_SHAPE_HOLLOW_DISK] = cn_narrow_convex_hollow,
                          [CN_SHAPE_HALF_PLANE] = cn_narrow_convex_half_plane},
    [CN_SHAPE_POLYGON] = {[CN_SHAPE_POLYGON] = cn_narrow_convex,
                          [CN_SHAPE_HOLLOW_DISK] = cn_narrow_convex_hollow,
                          [CN_SHAPE_HALF_PLANE] = cn_narrow_convex_half_plane},
    [CN_SHAPE_HOLLOW_DISK] = {[CN_SHAPE_HOLLOW_DISK] = cn_narrow_hollow_hollow,
                              [CN_SHAPE_HALF_PLANE] = cn_narrow_convex_half_plane},
    [CN_SHAPE_HALF_PLANE] = {NULL}, // two half-planes have no point in particular
};

static int compare(double x, double y)
{
    return (x > y) - (x < y);
}

static int compare_vec(cn_vec2 u, cn_vec2 v)
{
    int order = compare(u.x, v.x);
    return order != 0 ? order : compare(u.y, v.y);
}

static int compare_content(const cn_shape *s, const cn_shape *t)
{
    int order = s->vertex_count - t->vertex_count;
    order = order != 0 ? order : compare(s->radius, t->radius);
    order = order != 0 ? order : compare(s->thickness, t->thickness);
    for (int k = 0; order == 0 && k < s->vertex_count; k++) {
        order = compare_vec(s->vertex[k], t->vertex[k]);
    }
    return order != 0 ? order : s->body - t->body;
}

static int compare_posed(const cn_posed *a, const cn_posed *b)
{
    int order = (int)a->shape->kind - (int)b->shape->kind;
    order = order != 0 ? order : compare_vec(a->x, b->x);
    order = order != 0 ? order : compare_vec(cn_v2(a->c, a->s), cn_v2(b->c, b->s));
    return order != 0 ? order : compare_content(a->shape, b->shape);
}

// Seen from the other side: opposite normals, names exchanged and in their order again.
static void mirror(cn_touch *touch, int count)
{
    for (int k = 0; k < count; k++) {
        touch[k].normal = cn_neg2(touch[k].normal);
        touch[k].feature = cn_feature_mirror(touch[k].feature);
    }
    bool is_reversed = count > 1 && touch[0].feature > touch[1].feature;
    for (int k = 0; is_reversed && k < count / 2; k++) {
        cn_touch one = touch[k];
        touch[k] = touch[count - 1 - k];
        touch[count - 1 - k] = one;
    }
}

int cn_narrow(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch)
{
    bool is_exchanged = compare_posed(a, b) > 0;
    const cn_posed *first = is_exchanged ? b : a, *second = is_exchanged ? a : b;
    cn_narrow_pair *find = PAIR[first->shape->kind][second->shape->kind];
    int count = find != NULL ? find(first, second, reach, touch) : 0;
    if (is_exchanged) {
        mirror(touch, count);
    }
    return count;
}

// Of two points that are near to touching neither decides alone, so that nothing jumps (5.5).
void cn_touch_align(cn_touch *touch, int count, cn_vec2 across, double size)
{
    double sum = 0.0, weights = 0.0, least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, fabs(touch[k].gap));
    }
    for (int k = 0; k < count; k++) {
        double weight = cn_touch_weight(touch[k].gap, least, size);
        sum += weight * cn_dot2(across, cn_sub2(touch[k].point, touch[0].point));
        weights += weight;
    }
    cn_vec2 origin = count > 0 ? touch[0].point : across;
    for (int k = 0; k < count; k++) {
        double off = sum / weights - cn_dot2(across, cn_sub2(touch[k].point, origin));
        touch[k].point = cn_add_mul2(touch[k].point, off, across);
    }
}

void cn_touch_keep(cn_touch *touch, int *count, cn_touch one)
{
    if (*count == CN_TOUCH_MAX) {
        int shallowest = 0;
        for (int k = 1; k < CN_TOUCH_MAX; k++) {
            shallowest = touch[k].gap > touch[shallowest].gap ? k : shallowest;
        }
        if (!(one.gap < touch[shallowest].gap)) {
            return;
        }
        for (int k = shallowest; k + 1 < CN_TOUCH_MAX; k++) {
            touch[k] = touch[k + 1];
        }
        *count -= 1;
    }
    touch[*count] = one;
    *count += 1;
}
