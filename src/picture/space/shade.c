// picture/space/shade.c -- light on surfaces, the grid of planes, haze, force rods.
//
// Colours are squared before light multiplies them and rooted afterwards: close to how light adds
// up, and cheap.
#include "picture/space/shade.h"

#include <math.h>

#include "picture/chart/axis.h"

static void span(void *context, cn_vec3 at, double reach)
{
    cn_shade *shade = context;
    double depth = cn_view_point(&shade->view, at).z;
    shade->depth[0] = fmin(shade->depth[0], depth - reach);
    shade->depth[1] = fmax(shade->depth[1], depth + reach);
}

// Wires are about one pixel wide at the distance of the target.
static void thicken_wires(cn_shade *shade)
{
    double radius = 0.7 * fmax(shade->def->line_width, 1.0) / cn_space_scale(shade->def);
    for (int k = 0; k < shade->items.count; k++) {
        if (shade->items.item[k].is_wire) {
            shade->items.item[k].radius = radius;
        }
    }
}

static cn_status fill(cn_shade *shade, cn_error *err)
{
    const cn_space_def *def = shade->def;
    shade->view = cn_space_view_of(def);
    CN_TRY(cn_items_from_parts(def, &shade->items, err));
    CN_TRY(cn_items_from_forces(def, &shade->forces, err));
    shade->depth[0] = INFINITY;
    shade->depth[1] = -INFINITY;
    cn_items_reach(&shade->items, span, shade);
    thicken_wires(shade);
    shade->grid = cn_round_below(0.3 * shade->items.radius);
    if (!def->is_plain) {
        double size = fmax(def->area[2] - def->area[0], def->area[3] - def->area[1]);
        int map_size = (int)fmin(fmax(0.6 * size, 192.0), 1536.0); // [sample]
        CN_TRY(cn_lamps_light(&shade->items, &shade->view, map_size, &shade->lamps, err));
    }
    return CN_OK;
}

cn_status cn_shade_create(const cn_space_def *def, cn_shade **shade, cn_error *err)
{
    size_t room = 0;
    *shade = NULL;
    CN_TRY(cn_reserve(NULL, shade, &room, 1, err));
    **shade = (cn_shade){.def = def};
    cn_status status = fill(*shade, err);
    if (status != CN_OK) {
        cn_shade_destroy(*shade);
        *shade = NULL;
    }
    return status;
}

void cn_shade_destroy(cn_shade *shade)
{
    if (shade != NULL) {
        cn_items_free(&shade->items);
        cn_items_free(&shade->forces);
        cn_lamps_free(&shade->lamps);
        cn_release(NULL, shade);
    }
}

static cn_vec3 unit(cn_vec3 a)
{
    double length = cn_norm3(a);
    return length > 0.0 ? cn_mul3(1.0 / length, a) : a;
}

// From the surface to the eye.
static cn_vec3 towards_eye(const cn_shade *shade, cn_vec3 at)
{
    return shade->view.is_parallel ? cn_neg3(shade->view.axes.row[2])
                                   : unit(cn_sub3(shade->view.eye, at));
}

// Parts of the corners of a triangle at a point of it.
static void corner_weights(const cn_items *items, const cn_item *item, cn_vec3 at, double w[3])
{
    const cn_vec3 *p = items->vertex + item->first;
    cn_vec3 d = cn_sub3(at, p[0]), e = cn_sub3(p[1], p[0]), g = cn_sub3(p[2], p[0]);
    double size = cn_dot3(item->b, cn_cross3(e, g));
    w[1] = fmin(fmax(cn_dot3(item->b, cn_cross3(d, g)) / size, 0.0), 1.0);
    w[2] = fmin(fmax(cn_dot3(item->b, cn_cross3(e, d)) / size, 0.0), 1.0 - w[1]);
    w[0] = 1.0 - w[1] - w[2];
}

static const cn_space_faces *faces_of(const cn_shade *shade, const cn_item *item)
{
    return item->kind == CN_ITEM_FACE ? shade->def->part[item->part].faces : NULL;
}

// Normal of a smooth surface between those of the corners of a face; that of the face where it
// would turn away from the eye.
static cn_vec3 smooth_normal(const cn_shade *shade, const cn_item *item, cn_vec3 at, cn_vec3 eye)
{
    const cn_space_part *part = &shade->def->part[item->part];
    const cn_vec3 *n = part->faces->normal + part->faces->face_start[item->face];
    double w[3];
    corner_weights(&shade->items, item, at, w);
    cn_vec3 sum = cn_add_mul3(cn_add_mul3(cn_mul3(w[0], n[0]), w[1], n[1]), w[2], n[2]);
    cn_vec3 normal = unit(cn_mat3_mul(&part->turn, sum));
    return cn_dot3(normal, eye) > 0.0 ? normal : item->b;
}

// Colour of the part, or of its field at a point of a face.
static cn_colour colour_at(const cn_shade *shade, const cn_item *item, cn_vec3 at)
{
    const cn_space_part *part = &shade->def->part[item->part];
    const cn_space_faces *faces = faces_of(shade, item);
    if (faces == NULL || faces->value == NULL) {
        return part->colour;
    }
    double w[3], sum = 0.0;
    corner_weights(&shade->items, item, at, w);
    for (int k = 0; k < 3; k++) {
        sum += w[k] * faces->value[faces->face_vertex[faces->face_start[item->face] + k]];
    }
    return cn_scale_at(faces->scale, sum);
}

static cn_vec3 normal_at(const cn_item *item, cn_vec3 at, cn_vec3 eye)
{
    cn_vec3 axis = cn_sub3(item->b, item->a), foot = item->a;
    double square = cn_dot3(axis, axis);
    switch (item->kind) {
    case CN_ITEM_BALL:
        return unit(cn_sub3(at, item->a));
    case CN_ITEM_ROD:
        if (square > 0.0) {
            double part = cn_dot3(cn_sub3(at, item->a), axis) / square;
            foot = cn_add_mul3(item->a, fmin(fmax(part, 0.0), 1.0), axis);
        }
        return unit(cn_sub3(at, foot));
    case CN_ITEM_FACE:
        return item->is_open && cn_dot3(item->b, eye) < 0.0 ? cn_neg3(item->b) : item->b;
    case CN_ITEM_PLANE:
        break;
    }
    return item->b;
}

static float light_up(float c, double light, double shine)
{
    double x = (double)c * c * light + shine;
    return (float)sqrt(fmin(x, 1.0));
}

// Sky, main light, what the ground throws back, a faint rim and a soft gloss.
static cn_colour light_colour(const cn_shade *shade, cn_colour c, cn_vec3 at, cn_vec3 normal,
                              cn_vec3 eye)
{
    double sky, key;
    cn_lamps_shine(&shade->lamps, at, normal, &sky, &key);
    double bounce = 0.5 * (1.0 - normal.z);
    double light = 0.10 + 0.56 * sky + 0.70 * key + 0.16 * bounce;
    double edge = 1.0 - fmax(cn_dot3(normal, eye), 0.0);
    cn_vec3 half = unit(cn_add3(eye, shade->lamps.key));
    double gloss = pow(fmax(cn_dot3(normal, half), 0.0), 20.0);
    double shine = 0.05 * gloss * key + 0.08 * edge * edge * edge * sky;
    return (cn_colour){light_up(c.r, light, shine), light_up(c.g, light, shine),
                       light_up(c.b, light, shine), 1.0f};
}

// Distant things are a little paler.
static cn_colour haze(const cn_shade *shade, cn_colour c, double depth)
{
    double far = (depth - shade->depth[0]) / (shade->depth[1] - shade->depth[0]);
    return cn_colour_mix(c, cn_tone_paper(), 0.16 * fmin(fmax(far, 0.0), 1.0));
}

static double smooth(double x)
{
    double t = fmin(fmax(x, 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// Point of the plane seen by a raster position.
static cn_vec3 plane_point(const cn_space_view *view, const cn_item *item, double s, double t)
{
    cn_vec3 a = cn_view_world(view, s, t, 0.0), b = cn_view_world(view, s, t, 1.0);
    cn_vec3 along = cn_sub3(b, a);
    double depth = cn_dot3(item->b, cn_sub3(item->a, a)) / cn_dot3(item->b, along);
    return cn_add_mul3(a, depth, along);
}

// How much of the pixel a line across `x` covers, `width` being the size of the pixel there.
static double grid_line(double x, double width, double grid, double line)
{
    double distance = fabs(x - grid * floor(x / grid + 0.5)) / width;
    double cover = fmin(fmax(0.5 * line + 0.5 - distance, 0.0), 1.0);
    return cover * (1.0 - smooth((width / grid - 0.08) / 0.25));
}

static double grid_cover(const cn_shade *shade, const cn_item *item, const cn_fragment *f)
{
    const cn_space_part *part = &shade->def->part[item->part];
    double n = shade->def->sampling;
    cn_vec3 p[3] = {plane_point(&shade->view, item, f->s, f->t),
                    plane_point(&shade->view, item, f->s + n, f->t),
                    plane_point(&shade->view, item, f->s, f->t + n)};
    for (int k = 0; k < 3; k++) {
        p[k] = cn_mat3_mul_transposed(&part->turn, cn_sub3(p[k], part->at));
    }
    double width_x = hypot(p[1].x - p[0].x, p[2].x - p[0].x);
    double width_y = hypot(p[1].y - p[0].y, p[2].y - p[0].y);
    double line = fmax(shade->def->line_width, 1.0);
    return fmax(grid_line(p[0].x, width_x, shade->grid, line),
                grid_line(p[0].y, width_y, shade->grid, line));
}

// Pale, with a grid, darker in shadows, lost in the paper away from the scene and at the upper and
// lower edges, where title and legend begin.
static cn_colour plane_colour(const cn_shade *shade, const cn_item *item, const cn_fragment *f,
                              cn_vec3 at, cn_colour back)
{
    double away = cn_norm3(cn_sub3(at, shade->items.centre)) / shade->items.radius;
    const double *area = shade->def->area;
    double row = f->t / shade->def->sampling, edge = 0.08 * (area[3] - area[1]);
    double there =
        smooth(fmin(area[3] - row, row - area[1]) / edge) * (1.0 - smooth((away - 0.8) / 1.5));
    if (!(there > 0.0)) {
        return back;
    }
    cn_colour c =
        cn_colour_mix(cn_colour_hex(0xf1f3f5), cn_colour_hex(0xc9d0d7), grid_cover(shade, item, f));
    double sky, key;
    cn_lamps_shine(&shade->lamps, at, item->b, &sky, &key);
    double open = fmax(cn_dot3(item->b, shade->lamps.key), 0.0);
    double light = 0.30 + 0.45 * fmin(sky, 1.0) + 0.25 * (open > 0.0 ? fmin(key / open, 1.0) : 1.0);
    c = (cn_colour){light_up(c.r, light, 0.0), light_up(c.g, light, 0.0), light_up(c.b, light, 0.0),
                    1.0f};
    return cn_colour_mix(back, c, there);
}

cn_colour cn_shade_body(const cn_shade *shade, const cn_fragment *fragment, cn_colour back)
{
    const cn_item *item = &shade->items.item[fragment->item];
    cn_vec3 at = cn_view_world(&shade->view, fragment->s, fragment->t, fragment->depth);
    cn_colour c = colour_at(shade, item, at);
    if (!shade->def->is_plain && !item->is_wire) {
        const cn_space_faces *faces = faces_of(shade, item);
        cn_vec3 eye = towards_eye(shade, at);
        if (item->kind == CN_ITEM_PLANE) {
            return plane_colour(shade, item, fragment, at, back);
        }
        bool is_smooth = faces != NULL && faces->normal != NULL;
        cn_vec3 normal = is_smooth ? smooth_normal(shade, item, at, eye) : normal_at(item, at, eye);
        c = light_colour(shade, c, at, normal, eye);
        c = haze(shade, c, fragment->depth);
    }
    return cn_colour_mix(c, cn_tone_ink(), fragment->line);
}

cn_colour cn_shade_force(const cn_shade *shade, const cn_fragment *fragment)
{
    const cn_item *item = &shade->forces.item[fragment->item];
    cn_vec3 at = cn_view_world(&shade->view, fragment->s, fragment->t, fragment->depth);
    if (item->kind == CN_ITEM_FACE) { // not lit: its colours are to be read
        const cn_space_film *film = &shade->def->film[item->part];
        double along = cn_dot3(film->gradient, cn_sub3(at, film->corner[0]));
        return cn_scale_at(film->scale, film->value + along);
    }
    cn_colour c = shade->def->force[item->part].colour;
    if (shade->def->is_plain) {
        return c;
    }
    cn_vec3 normal = normal_at(item, at, towards_eye(shade, at));
    double slope = fmax(cn_dot3(normal, shade->lamps.key), 0.0);
    double light = 0.75 + 0.35 * slope, shine = 0.10 * slope * slope * slope;
    return (cn_colour){light_up(c.r, light, shine), light_up(c.g, light, shine),
                       light_up(c.b, light, shine), 1.0f};
}

double cn_shade_through(const cn_shade *shade, double depth, double surface)
{
    if (depth <= surface) {
        return 1.0;
    }
    return 0.25 + 0.6 * exp(-(depth - surface) / (0.35 * shade->items.radius));
}
