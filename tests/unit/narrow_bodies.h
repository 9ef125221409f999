// Bodies for the tests of the narrow phase: a shape with its storage and a place.
#pragma once

#include "base/hash.h"
#include "detect/plane/narrow_plane.h"
#include "test.h"

#define BODY_VERTEX_MAX 64

typedef struct body {
    double local[2 * BODY_VERTEX_MAX];
    cn_vec2 vertex[BODY_VERTEX_MAX], normal[BODY_VERTEX_MAX];
    cn_shape shape;
    cn_posed posed;
    double angle;
} body;

static inline void move_body(body *b, double x, double y, double angle)
{
    b->angle = angle;
    b->posed = (cn_posed){&b->shape, {x, y}, cos(angle), sin(angle)};
}

// Fills a body whose frame is that of the mass centre; the place is the origin.
static inline void make_body(body *b, cn_shape_def def)
{
    cn_shape_mass mass = {0};
    CN_DO(cn_shape_measure(&def, &mass, &test_error));
    cn_shape_place(&def, cn_v2(mass.centre[0], mass.centre[1]), b->vertex, b->normal, &b->shape);
    b->shape.body = 0;
    move_body(b, 0.0, 0.0, 0.0);
}

static inline void make_disk(body *b, double radius)
{
    make_body(b, (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = radius});
}

static inline void make_capsule(body *b, double length, double radius)
{
    make_body(b, (cn_shape_def){.kind = CN_SHAPE_CAPSULE, .radius = radius, .length = length});
}

static inline void make_drum(body *b, double radius, double thickness)
{
    make_body(
        b, (cn_shape_def){.kind = CN_SHAPE_HOLLOW_DISK, .radius = radius, .thickness = thickness});
}

static inline void make_half_plane(body *b)
{
    make_body(b, (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE});
}

// Vertices are read from b->local.
static inline void make_polygon(body *b, int vertex_count)
{
    make_body(b, (cn_shape_def){
                     .kind = CN_SHAPE_POLYGON, .vertex_count = vertex_count, .vertex = b->local});
}

static inline void make_box(body *b, double width, double height)
{
    cn_box_vertices(width, height, b->local);
    make_polygon(b, 4);
}

static inline double random_between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * cn_random(state);
}

static inline const cn_touch *touch_named(const cn_touch *touch, int count, uint32_t feature)
{
    for (int k = 0; k < count; k++) {
        if (touch[k].feature == feature) {
            return &touch[k];
        }
    }
    return NULL;
}

// Both orders of a pair: same points, gaps, mirrored normals and features, to the last bit; and
// each feature once, in order.
static inline bool is_mirrored(const body *a, const body *b, double reach)
{
    cn_touch ab[CN_TOUCH_MAX], ba[CN_TOUCH_MAX];
    int count = cn_narrow(&a->posed, &b->posed, reach, ab);
    bool is_same = cn_narrow(&b->posed, &a->posed, reach, ba) == count;
    for (int k = 0; is_same && k < count; k++) {
        const cn_touch *found = touch_named(ba, count, cn_feature_mirror(ab[k].feature));
        if (found == NULL || (k > 0 && ab[k].feature <= ab[k - 1].feature)) {
            return false;
        }
        cn_vec2 normal = cn_neg2(found->normal);
        is_same = memcmp(&found->point, &ab[k].point, sizeof normal) == 0 &&
                  memcmp(&normal, &ab[k].normal, sizeof normal) == 0 &&
                  memcmp(&found->gap, &ab[k].gap, sizeof found->gap) == 0;
    }
    return is_same;
}
