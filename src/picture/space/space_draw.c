// picture/space/space_draw.c -- from samples to pixels, band by band.
//
// The samples of a pixel that show the same item form a fragment, which is lit once; a pixel is the
// mean of its fragments. Lines are drawn where neighbouring samples show different things: on the
// nearer one at an outline, on both at a joint or an edge.
#include "picture/space/space_draw.h"

#include <math.h>

#include "picture/space/shade.h"

enum { BAND = 32, SAMPLE_MAX = 16 };

typedef struct band {
    cn_space_buffer body, force; // force.depth NULL: no forces
    int row_min, row_max;        // pixels
} band;

static void free_band(band *b)
{
    CN_RELEASE(b->body.depth, b->body.item, b->force.depth, b->force.item);
}

static cn_status size_buffer(cn_space_buffer *buffer, int width, int height, cn_error *err)
{
    buffer->width = width;
    buffer->height = height;
    size_t room[2] = {0, 0}, count = (size_t)width * (size_t)height;
    CN_TRY(cn_reserve(NULL, &buffer->depth, &room[0], count, err));
    return cn_reserve(NULL, &buffer->item, &room[1], count, err);
}

static int line_reach(const cn_space_def *def)
{
    int reach = (int)floor(0.5 * def->line_width * def->sampling + 0.5);
    return def->line_width > 0.0 && reach < 1 ? 1 : reach;
}

// Between two faces of a body: faint between patches of a mesh, darker where there is an edge.
static double line_of_faces(const cn_shade *shade, const cn_item *a, const cn_item *b)
{
    const int *patch = shade->def->part[a->part].faces->patch;
    if (patch != NULL && a->part == b->part) {
        return patch[a->face] != patch[b->face] ? 0.32 : 0.0;
    }
    return cn_dot3(a->b, b->b) < 0.93 ? 0.5 : 0.0;
}

// How dark the line is on a sample that shows item `own` at `depth` beside one that shows `other`.
static double line_between(const cn_shade *shade, int own, double depth, int other, double beyond)
{
    const cn_item *a = &shade->items.item[own];
    if (own == other || a->kind == CN_ITEM_PLANE || a->is_wire) {
        return 0.0;
    }
    const cn_item *b = other >= 0 ? &shade->items.item[other] : NULL;
    double sample = shade->view.is_parallel ? 1.0 / shade->view.scale : depth / shade->view.scale;
    double size = a->radius / sample / shade->def->sampling; // [pixel]
    double strength = fmin(fmax((size - 2.0) / 8.0, 0.0), 1.0);
    bool is_crease = b != NULL && shade->def->part[a->part].body == shade->def->part[b->part].body;
    if (is_crease && a->kind == CN_ITEM_FACE && b->kind == CN_ITEM_FACE) {
        return strength * line_of_faces(shade, a, b);
    }
    if (beyond < depth - 6.0 * sample) {
        return 0.0; // the other one draws it
    }
    return (is_crease ? 0.4 : 0.62) * strength;
}

static double line_at(const cn_shade *shade, const cn_space_buffer *buffer, int s, int t, int reach)
{
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    size_t at = (size_t)t * (size_t)buffer->width + (size_t)s;
    double most = 0.0;
    for (int k = 0; k < 4 * reach; k++) {
        int far = 1 + k / 4, x = s + far * step[k % 4][0], y = t + far * step[k % 4][1];
        if (x >= 0 && x < buffer->width && y >= 0 && y < buffer->height) {
            size_t n = (size_t)y * (size_t)buffer->width + (size_t)x;
            most = fmax(most, line_between(shade, buffer->item[at], buffer->depth[at],
                                           buffer->item[n], buffer->depth[n]));
        }
    }
    return most;
}

// Gathers the samples of a pixel by item; returns how many fragments there are.
static int gather(const cn_shade *shade, const cn_space_buffer *buffer, int x, int y, int reach,
                  cn_fragment *fragment)
{
    int n = shade->def->sampling, count = 0;
    for (int k = 0; k < n * n; k++) {
        int s = n * x + k % n, t = n * y + k / n - buffer->top;
        size_t at = (size_t)t * (size_t)buffer->width + (size_t)s;
        int item = buffer->item[at], f = 0;
        if (item < 0) {
            continue;
        }
        while (f < count && fragment[f].item != item) {
            f++;
        }
        if (f == count) {
            fragment[count++] = (cn_fragment){.item = item};
        }
        fragment[f].weight += 1.0;
        fragment[f].s += s + 0.5;
        fragment[f].t += n * y + k / n + 0.5;
        fragment[f].depth += buffer->depth[at];
        fragment[f].line += reach > 0 ? line_at(shade, buffer, s, t, reach) : 0.0;
    }
    for (int f = 0; f < count; f++) {
        double w = fragment[f].weight;
        fragment[f].s /= w;
        fragment[f].t /= w;
        fragment[f].depth /= w;
        fragment[f].line /= w;
        fragment[f].weight /= n * n;
    }
    return count;
}

static void lay(float *pixel, cn_colour colour, double weight)
{
    float w = (float)weight;
    pixel[0] += w * colour.r;
    pixel[1] += w * colour.g;
    pixel[2] += w * colour.b;
}

static void paint_bodies(const cn_shade *shade, const band *b, int x, int y, int reach,
                         float *pixel)
{
    cn_fragment fragment[SAMPLE_MAX];
    int count = gather(shade, &b->body, x, y, reach, fragment);
    if (count == 0) {
        return;
    }
    cn_colour back = {pixel[0], pixel[1], pixel[2], 1.0f};
    double rest = 1.0;
    for (int f = 0; f < count; f++) {
        rest -= fragment[f].weight;
    }
    pixel[0] = pixel[1] = pixel[2] = 0.0f;
    lay(pixel, back, fmax(rest, 0.0));
    for (int f = 0; f < count; f++) {
        lay(pixel, cn_shade_body(shade, &fragment[f], back), fragment[f].weight);
    }
}

// Mean opacity of the samples of one force, which are paler behind bodies.
static double force_opacity(const cn_shade *shade, const band *b, int x, int y, int item)
{
    int n = shade->def->sampling;
    double sum = 0.0;
    for (int k = 0; k < n * n; k++) {
        size_t at = (size_t)(n * y + k / n - b->force.top) * (size_t)b->force.width +
                    (size_t)(n * x + k % n);
        if (b->force.item[at] == item) {
            sum += cn_shade_through(shade, b->force.depth[at], b->body.depth[at]);
        }
    }
    return sum / (n * n);
}

static void paint_forces(const cn_shade *shade, const band *b, int x, int y, float *pixel)
{
    cn_fragment fragment[SAMPLE_MAX];
    int count = gather(shade, &b->force, x, y, 0, fragment);
    cn_colour back = {pixel[0], pixel[1], pixel[2], 1.0f};
    for (int f = 0; f < count; f++) {
        double opacity = force_opacity(shade, b, x, y, fragment[f].item);
        lay(pixel, back, -opacity);
        lay(pixel, cn_shade_force(shade, &fragment[f]), opacity);
    }
}

// Pixels that are close together ask the same places of the maps of the lamps.
static void paint_tile(const cn_shade *shade, const band *b, int x_min, int x_max,
                       cn_canvas *canvas)
{
    int reach = line_reach(shade->def);
    for (int y = b->row_min; y < b->row_max; y++) {
        for (int x = x_min; x < x_max; x++) {
            float *pixel = canvas->pixel + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
            paint_bodies(shade, b, x, y, reach, pixel);
            if (b->force.depth != NULL) {
                paint_forces(shade, b, x, y, pixel);
            }
        }
    }
}

static void paint_band(const cn_shade *shade, band *b, const int area[4], cn_canvas *canvas)
{
    int n = shade->def->sampling, reach = line_reach(shade->def);
    b->body.top = b->force.top = n * b->row_min - reach;
    cn_buffer_clear(&b->body);
    cn_items_cast(&shade->items, &shade->view, false, &b->body);
    if (b->force.depth != NULL) {
        cn_buffer_clear(&b->force);
        cn_items_cast(&shade->forces, &shade->view, false, &b->force);
    }
    for (int x = area[0]; x < area[2]; x += BAND) {
        paint_tile(shade, b, x, x + BAND < area[2] ? x + BAND : area[2], canvas);
    }
}

static int limit(double x, int max)
{
    return (int)fmin(fmax(floor(x + 0.5), 0.0), max);
}

static cn_status paint_bands(const cn_shade *shade, cn_canvas *canvas, cn_error *err)
{
    const cn_space_def *def = shade->def;
    int area[4] = {limit(def->area[0], canvas->width), limit(def->area[1], canvas->height),
                   limit(def->area[2], canvas->width), limit(def->area[3], canvas->height)};
    int n = def->sampling, width = n * area[2], height = n * BAND + 2 * line_reach(def);
    band b = {0};
    cn_status status = size_buffer(&b.body, width, height, err);
    if (status == CN_OK && shade->forces.count > 0) {
        status = size_buffer(&b.force, width, height, err);
    }
    for (int row = area[1]; row < area[3] && status == CN_OK; row += BAND) {
        b.row_min = row;
        b.row_max = row + BAND < area[3] ? row + BAND : area[3];
        paint_band(shade, &b, area, canvas);
    }
    free_band(&b);
    return status;
}

static cn_status check(const cn_space_def *def, cn_error *err)
{
    const cn_space_camera *c = &def->camera;
    double distance = cn_norm3(cn_sub3(c->target, c->eye));
    bool sees =
        distance > 0.0 && isfinite(distance) && cn_norm3(c->up) > 0.0 &&
        (c->view_angle > 0.0 ? c->view_angle < 3.0
                             : c->view_angle == 0.0 && c->height > 0.0 && isfinite(c->height));
    if (!sees) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the camera sees nothing: eye and target are %g m apart, view angle %g rad, "
                       "height %g m; fit it to the scene or place the eye away from the target",
                       distance, c->view_angle, c->height);
    }
    bool has_area = def->area[2] - def->area[0] >= 1.0 && def->area[3] - def->area[1] >= 1.0;
    if (!has_area || def->sampling < 1 || def->sampling > 4 || !(def->line_width >= 0.0) ||
        !(def->line_width <= 100.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a picture in space needs an area of at least 1 x 1 pixel, 1 to 4 samples "
                       "each way and lines of 0 to 100 pixels, got %g x %g, %d, %g",
                       def->area[2] - def->area[0], def->area[3] - def->area[1], def->sampling,
                       def->line_width);
    }
    return CN_OK;
}

cn_status cn_space_draw(const cn_space_def *def, cn_canvas *canvas, cn_error *err)
{
    CN_TRY(check(def, err));
    cn_shade *shade = NULL;
    CN_TRY(cn_shade_create(def, &shade, err));
    cn_status status = paint_bands(shade, canvas, err);
    cn_shade_destroy(shade);
    return status;
}
