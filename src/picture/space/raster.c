// picture/space/raster.c -- the nearest item of every sample.
//
// Balls and rods are cut by the ray of each sample inside the box of their outline, faces are
// filled row by row with the depth of their plane, planes are met by every ray that goes down on
// them. All depths are measured along the gaze, so that they compare between items.
#include <math.h>
#include <string.h>

#include "picture/space/space_scene.h"

typedef struct window {
    int s_min, s_max, t_min, t_max; // samples, the last ones excluded
} window;

// The ray of a sample: points `from + depth along`.
typedef struct sight {
    cn_vec3 from, along;
} sight;

static inline sight sight_of(const cn_space_view *view, int s, int t)
{
    double x = (s + 0.5 - view->s_0) / view->scale, y = (view->t_0 - t - 0.5) / view->scale;
    if (view->is_parallel) {
        return (sight){{x, y, 0.0}, {0.0, 0.0, 1.0}};
    }
    return (sight){{0.0, 0.0, 0.0}, {x, y, 1.0}};
}

static inline void keep(cn_space_buffer *buffer, int s, int t, double depth, int item)
{
    size_t k = (size_t)(t - buffer->top) * (size_t)buffer->width + (size_t)s;
    if ((float)depth < buffer->depth[k]) {
        buffer->depth[k] = (float)depth;
        if (buffer->item != NULL) {
            buffer->item[k] = item;
        }
    }
}

void cn_buffer_clear(cn_space_buffer *buffer)
{
    size_t count = (size_t)buffer->width * (size_t)buffer->height;
    for (size_t k = 0; k < count; k++) {
        buffer->depth[k] = INFINITY;
    }
    if (buffer->item != NULL) {
        memset(buffer->item, 0xff, count * sizeof *buffer->item);
    }
}

// First sample whose centre is at or after x, within the limits.
static int sample_at(double x, int min, int max)
{
    double first = ceil(x - 0.5);
    return first <= min ? min : first >= max ? max : (int)first;
}

static window window_of(const cn_space_buffer *buffer, const double box[4])
{
    int bottom = buffer->top + buffer->height;
    return (window){sample_at(box[0], 0, buffer->width), sample_at(box[2], 0, buffer->width),
                    sample_at(box[1], buffer->top, bottom), sample_at(box[3], buffer->top, bottom)};
}

static window unite(window a, window b)
{
    return (window){a.s_min < b.s_min ? a.s_min : b.s_min, a.s_max > b.s_max ? a.s_max : b.s_max,
                    a.t_min < b.t_min ? a.t_min : b.t_min, a.t_max > b.t_max ? a.t_max : b.t_max};
}

// Slopes x / z of the two lines through the origin that touch the circle at (x, z).
static void tangents(double x, double z, double r, double out[2])
{
    double square = x * x + z * z - r * r, under = z * z - r * r;
    double root = r * sqrt(square);
    out[0] = (x * z - root) / under;
    out[1] = (x * z + root) / under;
}

// The box of a ball's outline; everything if the eye is too close to tell.
static window ball_window(const cn_space_view *view, const cn_space_buffer *buffer, cn_vec3 c,
                          double r)
{
    double x[2] = {c.x - r, c.x + r}, y[2] = {c.y - r, c.y + r};
    if (!view->is_parallel) {
        if (c.z - r < view->near) {
            int bottom = buffer->top + buffer->height;
            return (window){0, buffer->width, buffer->top, bottom};
        }
        tangents(c.x, c.z, r, x);
        tangents(c.y, c.z, r, y);
    }
    double box[4] = {view->s_0 + view->scale * x[0], view->t_0 - view->scale * y[1],
                     view->s_0 + view->scale * x[1], view->t_0 - view->scale * y[0]};
    return window_of(buffer, box);
}

// Depth at which the ray enters the ball around c, NaN: never.
static inline double enter_ball(const sight *ray, cn_vec3 c, double r)
{
    cn_vec3 to = cn_sub3(c, ray->from);
    double a = cn_dot3(ray->along, ray->along), b = cn_dot3(ray->along, to);
    double under = b * b - a * (cn_dot3(to, to) - r * r);
    return under >= 0.0 ? (b - sqrt(under)) / a : NAN;
}

// Parallel rays: the depth of the ball over each sample is explicit.
static void cast_ball_parallel(const cn_space_view *view, window w, cn_vec3 c, double radius,
                               int index, cn_space_buffer *buffer)
{
    double pixel = 1.0 / view->scale, left = (w.s_min + 0.5 - view->s_0) * pixel - c.x;
    for (int t = w.t_min; t < w.t_max; t++) {
        double y = (view->t_0 - t - 0.5) * pixel - c.y, rest = radius * radius - y * y;
        for (int s = w.s_min; s < w.s_max; s++) {
            double x = left + (s - w.s_min) * pixel, under = rest - x * x;
            if (under >= 0.0) {
                keep(buffer, s, t, c.z - sqrt(under), index);
            }
        }
    }
}

static void cast_ball(const cn_item *item, int index, const cn_space_view *view,
                      cn_space_buffer *buffer)
{
    cn_vec3 c = cn_view_point(view, item->a);
    if (c.z + item->radius < view->near) {
        return;
    }
    window w = ball_window(view, buffer, c, item->radius);
    if (view->is_parallel) {
        cast_ball_parallel(view, w, c, item->radius, index, buffer);
        return;
    }
    for (int t = w.t_min; t < w.t_max; t++) {
        for (int s = w.s_min; s < w.s_max; s++) {
            sight r = sight_of(view, s, t);
            double depth = enter_ball(&r, c, item->radius);
            if (depth > view->near) {
                keep(buffer, s, t, depth, index);
            }
        }
    }
}

// Depth at which the ray enters the rod around a .. a + axis, NaN: never. The wall of the cylinder
// counts between the two centres, beyond them the balls at the ends.
static double enter_rod(const sight *ray, cn_vec3 a, cn_vec3 axis, double r)
{
    double square = cn_dot3(axis, axis);
    cn_vec3 b = cn_add3(a, axis), to = cn_sub3(ray->from, a);
    if (square > 0.0) {
        double along = cn_dot3(ray->along, axis) / square, start = cn_dot3(to, axis) / square;
        cn_vec3 d = cn_add_mul3(ray->along, -along, axis), o = cn_add_mul3(to, -start, axis);
        double dd = cn_dot3(d, d), od = cn_dot3(o, d);
        double under = od * od - dd * (cn_dot3(o, o) - r * r);
        if (dd > 0.0 && under >= 0.0) {
            double depth = (-od - sqrt(under)) / dd, where = start + depth * along;
            if (where >= 0.0 && where <= 1.0) {
                return depth;
            }
        }
    }
    return fmin(enter_ball(ray, a, r), enter_ball(ray, b, r)); // fmin leaves NaN aside
}

static void cast_rod(const cn_item *item, int index, const cn_space_view *view,
                     cn_space_buffer *buffer)
{
    cn_vec3 a = cn_view_point(view, item->a), b = cn_view_point(view, item->b);
    if (fmax(a.z, b.z) + item->radius < view->near) {
        return;
    }
    window w = unite(ball_window(view, buffer, a, item->radius),
                     ball_window(view, buffer, b, item->radius));
    cn_vec3 axis = cn_sub3(b, a);
    for (int t = w.t_min; t < w.t_max; t++) {
        for (int s = w.s_min; s < w.s_max; s++) {
            sight r = sight_of(view, s, t);
            double depth = enter_rod(&r, a, axis, item->radius);
            if (depth > view->near) {
                keep(buffer, s, t, depth, index);
            }
        }
    }
}

enum { LOOP_MAX = CN_LOOP_MAX + 2 }; // cutting a convex loop adds at most one corner

// Corners of a face on the raster, cut at the nearest depth seen; returns their number.
static int project(const cn_items *items, const cn_item *item, const cn_space_view *view,
                   double (*out)[2])
{
    int count = 0;
    cn_vec3 last = cn_view_point(view, items->vertex[item->first + item->count - 1]);
    for (int k = 0; k < item->count; k++) {
        cn_vec3 next = cn_view_point(view, items->vertex[item->first + k]);
        cn_vec3 kept[2];
        int kept_count = 0;
        if ((last.z < view->near) != (next.z < view->near)) {
            double part = (view->near - last.z) / (next.z - last.z);
            kept[kept_count++] = cn_add_mul3(last, part, cn_sub3(next, last));
        }
        if (next.z >= view->near) {
            kept[kept_count++] = next;
        }
        for (int n = 0; n < kept_count; n++) {
            double scale = view->is_parallel ? view->scale : view->scale / kept[n].z;
            out[count][0] = view->s_0 + scale * kept[n].x;
            out[count++][1] = view->t_0 - scale * kept[n].y;
        }
        last = next;
    }
    return count;
}

// Where the row through y crosses the convex loop.
static bool cross_row(double (*corner)[2], int count, double y, double *left, double *right)
{
    *left = INFINITY;
    *right = -INFINITY;
    for (int k = 0; k < count; k++) {
        const double *a = corner[k], *b = corner[k + 1 < count ? k + 1 : 0];
        if ((a[1] <= y) != (b[1] <= y)) {
            const double *upper = a[1] < b[1] ? a : b, *lower = a[1] < b[1] ? b : a;
            double x = upper[0] + (lower[0] - upper[0]) * ((y - upper[1]) / (lower[1] - upper[1]));
            *left = fmin(*left, x);
            *right = fmax(*right, x);
        }
    }
    return *left < *right;
}

// The plane of an item in the axes of the view.
typedef struct seen_plane {
    cn_vec3 point, normal;
    int item;
} seen_plane;

static seen_plane see_plane(const cn_space_view *view, const cn_item *item, int index)
{
    return (seen_plane){cn_view_point(view, item->a), cn_mat3_mul(&view->axes, item->b), index};
}

static void fill_row(const cn_space_view *view, const seen_plane *p, int s_min, int s_max, int t,
                     cn_space_buffer *buffer)
{
    for (int s = s_min; s < s_max; s++) {
        sight r = sight_of(view, s, t);
        double depth = cn_dot3(p->normal, cn_sub3(p->point, r.from)) / cn_dot3(p->normal, r.along);
        if (depth > view->near) {
            keep(buffer, s, t, depth, p->item);
        }
    }
}

// Signed distance of the eye from a plane; for parallel rays how much it faces them.
static double facing(const cn_space_view *view, const seen_plane *p)
{
    return view->is_parallel ? -p->normal.z : -cn_dot3(p->point, p->normal);
}

static void cast_face(const cn_items *items, const cn_item *item, int index,
                      const cn_space_view *view, cn_space_buffer *buffer)
{
    seen_plane plane = see_plane(view, item, index);
    double front = facing(view, &plane);
    if (!(item->is_open ? front != 0.0 : front > 0.0)) {
        return;
    }
    double corner[LOOP_MAX][2];
    int count = project(items, item, view, corner);
    double top = INFINITY, bottom = -INFINITY;
    for (int k = 0; k < count; k++) {
        top = fmin(top, corner[k][1]);
        bottom = fmax(bottom, corner[k][1]);
    }
    int end = buffer->top + buffer->height;
    int t_min = sample_at(top, buffer->top, end), t_max = sample_at(bottom, buffer->top, end);
    for (int t = t_min; t < t_max; t++) {
        double left, right;
        if (cross_row(corner, count, t + 0.5, &left, &right)) {
            fill_row(view, &plane, sample_at(left, 0, buffer->width),
                     sample_at(right, 0, buffer->width), t, buffer);
        }
    }
}

static void cast_plane(const cn_item *item, int index, const cn_space_view *view,
                       cn_space_buffer *buffer)
{
    seen_plane plane = see_plane(view, item, index);
    if (!(facing(view, &plane) > 0.0)) {
        return;
    }
    for (int t = buffer->top; t < buffer->top + buffer->height; t++) {
        fill_row(view, &plane, 0, buffer->width, t, buffer);
    }
}

void cn_items_cast(const cn_items *items, const cn_space_view *view, bool is_shadow,
                   cn_space_buffer *buffer)
{
    for (int k = 0; k < items->count; k++) {
        const cn_item *item = &items->item[k];
        if (is_shadow && (item->kind == CN_ITEM_PLANE || item->is_wire)) {
            continue;
        }
        switch (item->kind) {
        case CN_ITEM_BALL:
            cast_ball(item, k, view, buffer);
            break;
        case CN_ITEM_ROD:
            cast_rod(item, k, view, buffer);
            break;
        case CN_ITEM_FACE:
            cast_face(items, item, k, view, buffer);
            break;
        case CN_ITEM_PLANE:
            cast_plane(item, k, view, buffer);
            break;
        }
    }
}
