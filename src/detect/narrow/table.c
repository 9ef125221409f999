// detect/narrow/table.c -- which function finds the points of which pair.
//
// A pair is put in a canonical order before anything is computed: by kind, then by place, then by
// content. So (a, b) and (b, a) run through the same operations and their results are mirror images
// bit for bit, and they do not depend on how bodies are numbered.
#include "detect/narrow/pairs.h"

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

// Gaps that differ by less, in sizes of the smaller shape, share the line of align() smoothly.
static const double ALIGN_BLEND = 1e-6;

// Brings the points of one face onto one line along the tangent: that of the least gap, so that a
// hinge stays where it is, and for gaps almost as small the mean, so that nothing jumps when two
// ends at rest take turns. Midway between two faces that are not parallel the points would lie on a
// line turned against the tangent, and the tangential velocities of two ends that close at
// different speeds would differ at second order: two sticking ends would contradict each other and
// no solver would end.
static void align(cn_touch *touch, int count, double blend)
{
    int near = 0;
    for (int k = 1; k < count; k++) {
        near = touch[k].gap < touch[near].gap ? k : near;
    }
    cn_vec2 n = touch[near].normal, origin = touch[near].point;
    double height[CN_TOUCH_MAX], sum = 0.0, weights = 0.0;
    for (int k = 0; k < count; k++) {
        double weight = 1.0 - (touch[k].gap - touch[near].gap) / blend;
        bool is_one_face = touch[k].normal.x == n.x && touch[k].normal.y == n.y;
        height[k] = is_one_face ? cn_dot2(n, cn_sub2(touch[k].point, origin)) : NAN;
        if (is_one_face && weight > 0.0) {
            sum += weight * height[k];
            weights += weight;
        }
    }
    for (int k = 0; k < count; k++) {
        if (!isnan(height[k])) {
            touch[k].point = cn_add_mul2(touch[k].point, sum / weights - height[k], n);
        }
    }
}

int cn_narrow(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch)
{
    bool is_exchanged = compare_posed(a, b) > 0;
    const cn_posed *first = is_exchanged ? b : a, *second = is_exchanged ? a : b;
    cn_narrow_pair *find = PAIR[first->shape->kind][second->shape->kind];
    int count = find != NULL ? find(first, second, reach, touch) : 0;
    if (count > 1) {
        double size = a->shape->size < b->shape->size ? a->shape->size : b->shape->size;
        align(touch, count, ALIGN_BLEND * size);
    }
    for (int k = 0; is_exchanged && k < count; k++) {
        touch[k].normal = cn_neg2(touch[k].normal);
        touch[k].feature = cn_feature_mirror(touch[k].feature);
    }
    return count;
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
