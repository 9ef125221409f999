// output/outline.c
#include "output/outline.h"

#include <math.h>

#include "base/memory.h"
#include "cairn/vec.h"

// A shape placed in the world: the origin of its frame and the direction of its x axis.
typedef struct placed {
    cn_vec2 at;
    double c, s;
} placed;

static placed place(const double *q, const cn_shape_def *shape)
{
    cn_vec2 offset = cn_turn2(cn_v2(shape->at[0], shape->at[1]), cos(q[2]), sin(q[2]));
    double angle = q[2] + shape->angle;
    return (placed){cn_add2(cn_v2(q[0], q[1]), offset), cos(angle), sin(angle)};
}

static cn_status add_point(cn_outline *o, const placed *p, double x, double y, cn_error *err)
{
    size_t count = (size_t)o->point_count;
    CN_TRY(cn_reserve(NULL, &o->point, &o->point_capacity, 2 * (count + 1), err));
    cn_vec2 point = cn_add2(p->at, cn_turn2(cn_v2(x, y), p->c, p->s));
    o->point[2 * count] = point.x;
    o->point[2 * count + 1] = point.y;
    o->point_count++;
    return CN_OK;
}

// Closes the polygon that was begun after the last one.
static cn_status end_polygon(cn_outline *o, int body, cn_error *err)
{
    size_t count = (size_t)o->polygon_count;
    CN_TRY(cn_reserve(NULL, &o->start, &o->start_capacity, count + 2, err));
    CN_TRY(cn_reserve(NULL, &o->body, &o->body_capacity, count + 1, err));
    o->start[0] = 0;
    o->start[count + 1] = o->point_count;
    o->body[count] = body;
    o->polygon_count++;
    return CN_OK;
}

static double side_angle(int k, int sides)
{
    return 2.0 * CN_PI * k / sides;
}

static cn_status add_disk(cn_outline *o, const placed *p, double radius, int body, cn_error *err)
{
    for (int k = 0; k < CN_OUTLINE_SIDES; k++) {
        double angle = side_angle(k, CN_OUTLINE_SIDES);
        CN_TRY(add_point(o, p, radius * cos(angle), radius * sin(angle), err));
    }
    return end_polygon(o, body, err);
}

// Two half circles, from -90 to 90 degrees around one end and on around the other.
static cn_status add_capsule(cn_outline *o, const placed *p, const cn_shape_def *shape, int body,
                             cn_error *err)
{
    const int half = CN_OUTLINE_SIDES / 2;
    for (int k = 0; k < 2 * (half + 1); k++) {
        double end = k <= half ? 0.5 * shape->length : -0.5 * shape->length;
        double angle = side_angle(k <= half ? k : k - 1, CN_OUTLINE_SIDES) - 0.5 * CN_PI;
        CN_TRY(add_point(o, p, end + shape->radius * cos(angle), shape->radius * sin(angle), err));
    }
    return end_polygon(o, body, err);
}

static cn_status add_polygon(cn_outline *o, const placed *p, const cn_shape_def *shape, int body,
                             cn_error *err)
{
    for (int k = 0; k < shape->vertex_count; k++) {
        CN_TRY(add_point(o, p, shape->vertex[2 * k], shape->vertex[2 * k + 1], err));
    }
    return end_polygon(o, body, err);
}

static cn_status add_ring(cn_outline *o, const placed *p, const cn_shape_def *shape, int body,
                          cn_error *err)
{
    double inner = shape->radius;
    double outer = shape->radius + shape->thickness;
    for (int k = 0; k < CN_OUTLINE_RING_SIDES; k++) {
        double a = side_angle(k, CN_OUTLINE_RING_SIDES);
        double b = side_angle(k + 1, CN_OUTLINE_RING_SIDES);
        CN_TRY(add_point(o, p, inner * cos(a), inner * sin(a), err));
        CN_TRY(add_point(o, p, outer * cos(a), outer * sin(a), err));
        CN_TRY(add_point(o, p, outer * cos(b), outer * sin(b), err));
        CN_TRY(add_point(o, p, inner * cos(b), inner * sin(b), err));
        CN_TRY(end_polygon(o, body, err));
    }
    return CN_OK;
}

// `centre` and `reach` enclose everything else.
static cn_status add_slab(cn_outline *o, const placed *p, cn_vec2 centre, double reach, int body,
                          cn_error *err)
{
    // The part of the boundary that lies beside the centre, and a twentieth of its length in depth.
    double middle = cn_dot2(cn_sub2(centre, p->at), cn_v2(p->c, p->s));
    double depth = 0.1 * reach;
    CN_TRY(add_point(o, p, middle - reach, -depth, err));
    CN_TRY(add_point(o, p, middle + reach, -depth, err));
    CN_TRY(add_point(o, p, middle + reach, 0.0, err));
    CN_TRY(add_point(o, p, middle - reach, 0.0, err));
    return end_polygon(o, body, err);
}

static cn_status add_shape(cn_outline *o, const double *q, const cn_shape_def *shape, int body,
                           cn_error *err)
{
    placed p = place(q, shape);
    switch (shape->kind) {
    case CN_SHAPE_DISK:
        return add_disk(o, &p, shape->radius, body, err);
    case CN_SHAPE_CAPSULE:
        return add_capsule(o, &p, shape, body, err);
    case CN_SHAPE_POLYGON:
        return add_polygon(o, &p, shape, body, err);
    case CN_SHAPE_HOLLOW_DISK:
        return add_ring(o, &p, shape, body, err);
    default:
        return CN_OK; // half-planes come last, when the size of the rest is known
    }
}

// A circle around all points so far; around the origin if there are none.
static cn_vec2 enclose(const cn_outline *o, double *reach)
{
    if (o->point_count == 0) {
        *reach = 1.0;
        return cn_v2(0.0, 0.0);
    }
    cn_vec2 low = cn_v2(o->point[0], o->point[1]);
    cn_vec2 high = low;
    for (int k = 1; k < o->point_count; k++) {
        low = cn_v2(fmin(low.x, o->point[2 * k]), fmin(low.y, o->point[2 * k + 1]));
        high = cn_v2(fmax(high.x, o->point[2 * k]), fmax(high.y, o->point[2 * k + 1]));
    }
    double diagonal = cn_norm2(cn_sub2(high, low));
    *reach = diagonal > 0.0 ? diagonal : 1.0;
    return cn_mul2(0.5, cn_add2(low, high));
}

static cn_status add_bounded(const cn_reader *reader, const cn_frame *f, cn_outline *o,
                             cn_error *err)
{
    for (int i = 0; i < f->body_count; i++) {
        int count;
        const cn_shape_def *shape = cn_reader_shapes(reader, f->id[i], &count);
        for (int n = 0; n < count; n++) {
            CN_TRY(add_shape(o, f->q + 3 * (size_t)i, &shape[n], i, err));
        }
    }
    return CN_OK;
}

cn_status cn_outline_make(const cn_reader *reader, const cn_frame *frame, cn_outline *outline,
                          cn_error *err)
{
    outline->point_count = 0;
    outline->polygon_count = 0;
    CN_TRY(add_bounded(reader, frame, outline, err));
    double reach;
    cn_vec2 centre = enclose(outline, &reach);
    for (int i = 0; i < frame->body_count; i++) {
        int count;
        const cn_shape_def *shape = cn_reader_shapes(reader, frame->id[i], &count);
        for (int n = 0; n < count; n++) {
            if (shape[n].kind == CN_SHAPE_HALF_PLANE) {
                placed p = place(frame->q + 3 * (size_t)i, &shape[n]);
                CN_TRY(add_slab(outline, &p, centre, reach, i, err));
            }
        }
    }
    return CN_OK;
}

void cn_outline_free(cn_outline *outline)
{
    cn_release(NULL, outline->point);
    cn_release(NULL, outline->start);
    cn_release(NULL, outline->body);
    *outline = (cn_outline){0};
}
