// picture/canvas.c -- exact-area scan conversion.
//
// Every edge of a closed outline adds, to the row it crosses, its signed height in the pixel it
// passes through, split between that pixel and the next by the area to its right. The running sum
// along the row is then the signed area of the outline inside each pixel (up to rounding): no
// samples, no sorting, cost proportional to edges plus painted pixels.
#include "picture/canvas.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

cn_status cn_canvas_create(int width, int height, cn_colour paper, cn_canvas *canvas, cn_error *err)
{
    *canvas = (cn_canvas){0};
    if (width < 1 || height < 1 || width > CN_CANVAS_MAX || height > CN_CANVAS_MAX) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a picture must measure 1 to %d pixels each way, got %d x %d",
                       (int)CN_CANVAS_MAX, width, height);
    }
    size_t w = (size_t)width, h = (size_t)height;
    canvas->width = width;
    canvas->height = height;
    canvas->pixel = cn_resize(NULL, NULL, 3 * w * h * sizeof *canvas->pixel);
    canvas->cover = cn_resize(NULL, NULL, (w + 2) * h * sizeof *canvas->cover);
    canvas->touched = cn_resize(NULL, NULL, 2 * h * sizeof *canvas->touched);
    if (canvas->pixel == NULL || canvas->cover == NULL || canvas->touched == NULL) {
        cn_canvas_destroy(canvas);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a picture of %d x %d pixels", width,
                       height);
    }
    for (size_t k = 0; k < w * h; k++) {
        canvas->pixel[3 * k] = paper.r;
        canvas->pixel[3 * k + 1] = paper.g;
        canvas->pixel[3 * k + 2] = paper.b;
    }
    memset(canvas->cover, 0, (w + 2) * h * sizeof *canvas->cover);
    for (size_t row = 0; row < h; row++) {
        canvas->touched[2 * row] = width + 2;
        canvas->touched[2 * row + 1] = -1;
    }
    canvas->row_min = height;
    canvas->row_max = -1;
    cn_canvas_clip(canvas, NULL);
    return CN_OK;
}

void cn_canvas_destroy(cn_canvas *canvas)
{
    CN_RELEASE(canvas->pixel, canvas->cover, canvas->touched);
    *canvas = (cn_canvas){0};
}

static int round_within(double x, int limit)
{
    return (int)fmin(fmax(floor(x + 0.5), 0.0), limit);
}

void cn_canvas_clip(cn_canvas *canvas, const double box[4])
{
    canvas->clip[0] = box != NULL ? round_within(box[0], canvas->width) : 0;
    canvas->clip[1] = box != NULL ? round_within(box[1], canvas->height) : 0;
    canvas->clip[2] = box != NULL ? round_within(box[2], canvas->width) : canvas->width;
    canvas->clip[3] = box != NULL ? round_within(box[3], canvas->height) : canvas->height;
}

// Signed height dy at mean position x, within one pixel.
static inline void add_piece(float *cover, int cell, double x, double dy)
{
    double right = dy * (x - cell);
    cover[cell] += (float)(dy - right);
    cover[cell + 1] += (float)right;
}

static inline void touch(cn_canvas *canvas, int row, int first, int last)
{
    int *touched = canvas->touched + 2 * (size_t)row;
    touched[0] = first < touched[0] ? first : touched[0];
    touched[1] = last > touched[1] ? last : touched[1];
}

// The part of an edge inside one row: from x0 to x1 over the signed height dy.
static void add_in_row(cn_canvas *canvas, int row, double x0, double x1, double dy)
{
    float *cover = canvas->cover + (size_t)row * (size_t)(canvas->width + 2);
    double left = fmin(x0, x1), right = fmax(x0, x1);
    int first = (int)left, last = (int)right;
    touch(canvas, row, first, last + 1);
    if (first == last) {
        add_piece(cover, first, 0.5 * (left + right), dy);
        return;
    }
    double slope = dy / (right - left);
    for (int cell = first; cell <= last; cell++) {
        double a = cell > left ? cell : left, b = cell + 1 < right ? cell + 1 : right;
        add_piece(cover, cell, 0.5 * (a + b), slope * (b - a));
    }
}

// An edge whose x lies within the clip box all along and whose y within the box; y0 < y1.
static void add_inner_edge(cn_canvas *canvas, double x0, double y0, double x1, double y1,
                           double sign)
{
    int first = (int)y0, last = (int)ceil(y1) - 1;
    canvas->row_min = first < canvas->row_min ? first : canvas->row_min;
    canvas->row_max = last > canvas->row_max ? last : canvas->row_max;
    double slope = (x1 - x0) / (y1 - y0);
    double lo = fmin(x0, x1), hi = fmax(x0, x1);
    double x = x0;
    for (int row = first; row <= last; row++) {
        double top = row > y0 ? row : y0, bottom = row + 1 < y1 ? row + 1 : y1;
        double next = fmin(fmax(x0 + slope * (bottom - y0), lo), hi);
        add_in_row(canvas, row, x, next, sign * (bottom - top));
        x = next;
    }
}

// Parts left of the clip box act like the box's left side, parts right of it like its right side.
static void add_clamped_edge(cn_canvas *canvas, double x0, double y0, double x1, double y1,
                             double sign)
{
    double min = canvas->clip[0], max = canvas->clip[2];
    if ((x0 <= min && x1 <= min) || (x0 >= max && x1 >= max)) {
        double x = x0 <= min ? min : max;
        add_inner_edge(canvas, x, y0, x, y1, sign);
        return;
    }
    double wall[2] = {x0 < x1 ? min : max, x0 < x1 ? max : min}; // in the order they are met
    double x = x0, y = y0;
    for (int k = 0; k < 3; k++) {
        double x_end = x1, y_end = y1;
        if (k < 2) {
            double s = x1 != x0 ? (wall[k] - x0) / (x1 - x0) : -1.0;
            if (!(s > 0.0 && s < 1.0)) {
                continue;
            }
            x_end = wall[k];
            y_end = fmin(fmax(y0 + s * (y1 - y0), y), y1);
        }
        if (y_end > y) {
            add_inner_edge(canvas, fmin(fmax(x, min), max), y, fmin(fmax(x_end, min), max), y_end,
                           sign);
        }
        x = x_end;
        y = y_end;
    }
}

static void add_edge(cn_canvas *canvas, double x0, double y0, double x1, double y1, double sign)
{
    if (!isfinite(x0 + y0 + x1 + y1)) {
        canvas->is_bad = true;
        return;
    }
    if (y0 > y1) {
        add_edge(canvas, x1, y1, x0, y0, -sign);
        return;
    }
    double top = canvas->clip[1], bottom = canvas->clip[3];
    if (!(y1 > top && y0 < bottom && y1 > y0) || canvas->clip[2] <= canvas->clip[0]) {
        return;
    }
    double slope = (x1 - x0) / (y1 - y0);
    double x_in = x0, x_out = x1;
    if (y0 < top) {
        x_in = x0 + slope * (top - y0);
        y0 = top;
    }
    if (y1 > bottom) {
        x_out = x1 + slope * (bottom - y1);
        y1 = bottom;
    }
    if (y1 > y0) {
        add_clamped_edge(canvas, x_in, y0, x_out, y1, sign);
    }
}

// Outline with the interior counted +1 (sign +1) or -1 whatever its orientation.
static void add_outline(cn_canvas *canvas, int count, const double *xy, double sign)
{
    double area = 0.0;
    for (int k = 0; k < count; k++) {
        const double *a = xy + 2 * k, *b = xy + 2 * ((k + 1) % count);
        area += (a[0] - xy[0]) * (b[1] - xy[1]) - (b[0] - xy[0]) * (a[1] - xy[1]);
    }
    double turn = area > 0.0 ? -sign : sign;
    for (int k = 0; k < count; k++) {
        const double *a = xy + 2 * k, *b = xy + 2 * ((k + 1) % count);
        add_edge(canvas, a[0], a[1], b[0], b[1], turn);
    }
}

void cn_cover_polygon(cn_canvas *canvas, int count, const double *xy)
{
    add_outline(canvas, count, xy, 1.0);
}

enum { CIRCLE_MAX = 2048 };

// Chords of a circle that stray less than 0.02 pixel from it.
static int chord_count(double radius)
{
    double n = CN_PI / acos(1.0 - 0.02 / fmax(radius, 0.1));
    return n < 8.0 ? 8 : n > CIRCLE_MAX ? (int)CIRCLE_MAX : 2 * (int)ceil(0.5 * n);
}

// Radius of the regular polygon of n corners that has the area of the circle.
static double equal_area_radius(double radius, int n)
{
    double turn = 2.0 * CN_PI / n;
    return radius * sqrt(turn / sin(turn));
}

// Points on a circle from the angle `start` on, `turn` apart.
static void circle_corners(double x, double y, double radius, double start, double turn, int count,
                           double *xy)
{
    double c = cos(turn), s = sin(turn);
    double dx = radius * cos(start), dy = radius * sin(start);
    for (int k = 0; k < count; k++) {
        xy[2 * k] = x + dx;
        xy[2 * k + 1] = y + dy;
        double turned = c * dx - s * dy;
        dy = s * dx + c * dy;
        dx = turned;
    }
}

static void cover_circle(cn_canvas *canvas, double x, double y, double radius, double sign)
{
    if (!(radius > 0.0)) {
        canvas->is_bad = canvas->is_bad || isnan(radius);
        return;
    }
    double xy[2 * CIRCLE_MAX];
    int n = chord_count(radius);
    circle_corners(x, y, equal_area_radius(radius, n), 0.0, 2.0 * CN_PI / n, n, xy);
    add_outline(canvas, n, xy, sign);
}

void cn_cover_disk(cn_canvas *canvas, double x, double y, double radius)
{
    cover_circle(canvas, x, y, radius, 1.0);
}

void cn_cover_hole(cn_canvas *canvas, double x, double y, double radius)
{
    cover_circle(canvas, x, y, radius, -1.0);
}

// Pie of the given radius around a point from the direction `start` over the angle `turn`.
static void cover_pie(cn_canvas *canvas, const double at[2], double radius, double start,
                      double turn)
{
    double xy[2 * (CIRCLE_MAX + 2)];
    int n = (int)ceil(chord_count(radius) * fabs(turn) / (2.0 * CN_PI)) + 1;
    xy[0] = at[0];
    xy[1] = at[1];
    circle_corners(at[0], at[1], radius, start, turn / (n - 1), n, xy + 2);
    add_outline(canvas, n + 1, xy, 1.0);
}

// The straight body of a line from a to b; false if it has no length.
static bool cover_side(cn_canvas *canvas, const double *a, const double *b, double radius)
{
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    if (!(length > 1e-9)) {
        return false;
    }
    double nx = -dy / length * radius, ny = dx / length * radius;
    double xy[8] = {a[0] + nx, a[1] + ny, b[0] + nx, b[1] + ny,
                    b[0] - nx, b[1] - ny, a[0] - nx, a[1] - ny};
    add_outline(canvas, 4, xy, 1.0);
    return true;
}

// Fills the wedge on the outer side of a corner between two directions.
static void cover_join(cn_canvas *canvas, const double *at, double from, double to, double radius)
{
    double turn = remainder(to - from, 2.0 * CN_PI);
    if (fabs(turn) > 1e-6) {
        cover_pie(canvas, at, radius, from + (turn > 0.0 ? -0.5 : 0.5) * CN_PI, turn);
    }
}

// Sides, wedges and end caps fit together without overlap except inside sharp corners, so that the
// edge of a curve of many short pieces stays as smooth as that of one long piece.
void cn_cover_polyline(cn_canvas *canvas, int count, const double *xy, double width, bool is_closed)
{
    double radius = 0.5 * width, first = 0.0, last = 0.0;
    const double *tip = xy; // end of the last side
    int side_count = 0;
    for (int k = 1; k < count + (is_closed && count > 2); k++) {
        const double *next = xy + 2 * (k % count);
        if (!isfinite(tip[0] + tip[1] + next[0] + next[1] + radius)) {
            canvas->is_bad = true;
            return;
        }
        if (!(radius > 0.0) || !cover_side(canvas, tip, next, radius)) {
            continue;
        }
        double angle = atan2(next[1] - tip[1], next[0] - tip[0]);
        if (side_count > 0) {
            cover_join(canvas, tip, last, angle, radius);
        } else {
            first = angle;
        }
        last = angle;
        tip = next;
        side_count++;
    }
    if (side_count == 0 && count > 0) {
        cn_cover_disk(canvas, xy[0], xy[1], radius);
    } else if (is_closed && count > 2) {
        cover_join(canvas, xy, last, first, radius);
    } else if (side_count > 0) {
        cover_pie(canvas, xy, radius, first + 0.5 * CN_PI, CN_PI);
        cover_pie(canvas, tip, radius, last - 0.5 * CN_PI, CN_PI);
    }
}

void cn_cover_capsule(cn_canvas *canvas, double x0, double y0, double x1, double y1, double radius)
{
    double xy[4] = {x0, y0, x1, y1};
    cn_cover_polyline(canvas, 2, xy, 2.0 * radius, false);
}

static void paint_row(float *pixel, const float *cover, int first, int last, cn_colour colour)
{
    float sum = 0.0f;
    for (int k = first; k <= last; k++) {
        sum += cover[k];
        float share = fabsf(sum);
        share = (share < 1.0f ? share : 1.0f) * colour.a;
        pixel[3 * k] += share * (colour.r - pixel[3 * k]);
        pixel[3 * k + 1] += share * (colour.g - pixel[3 * k + 1]);
        pixel[3 * k + 2] += share * (colour.b - pixel[3 * k + 2]);
    }
}

void cn_canvas_paint(cn_canvas *canvas, cn_colour colour)
{
    for (int row = canvas->row_min; row <= canvas->row_max; row++) {
        int *touched = canvas->touched + 2 * (size_t)row;
        if (touched[0] > touched[1]) {
            continue;
        }
        float *cover = canvas->cover + (size_t)row * (size_t)(canvas->width + 2);
        int last = touched[1] < canvas->clip[2] ? touched[1] : canvas->clip[2] - 1;
        if (!canvas->is_bad) {
            paint_row(canvas->pixel + 3 * (size_t)row * (size_t)canvas->width, cover, touched[0],
                      last, colour);
        }
        memset(cover + touched[0], 0, (size_t)(touched[1] - touched[0] + 1) * sizeof *cover);
        touched[0] = canvas->width + 2;
        touched[1] = -1;
    }
    canvas->row_min = canvas->height;
    canvas->row_max = -1;
    canvas->is_bad = false;
}

void cn_canvas_polygon(cn_canvas *canvas, int count, const double *xy, cn_colour colour)
{
    cn_cover_polygon(canvas, count, xy);
    cn_canvas_paint(canvas, colour);
}

void cn_canvas_disk(cn_canvas *canvas, double x, double y, double radius, cn_colour colour)
{
    cn_cover_disk(canvas, x, y, radius);
    cn_canvas_paint(canvas, colour);
}

void cn_canvas_line(cn_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                    cn_colour colour)
{
    cn_cover_capsule(canvas, x0, y0, x1, y1, 0.5 * width);
    cn_canvas_paint(canvas, colour);
}

void cn_canvas_box(cn_canvas *canvas, double x0, double y0, double x1, double y1, cn_colour colour)
{
    double xy[8] = {x0, y0, x1, y0, x1, y1, x0, y1};
    cn_canvas_polygon(canvas, 4, xy, colour);
}
