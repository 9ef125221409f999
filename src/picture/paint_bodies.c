// picture/paint_bodies.c -- grounds, drums, fixed and free bodies, from back to front.
#include <math.h>

#include "geometry/plane/shape_kind.h"
#include "picture/render.h"

// A shape in pixels.
typedef struct placed {
    cn_skeleton shape;
    double x, y; // of its origin
    double c, s; // cosine and sine of its angle; y down
    double scale;
} placed;

static placed place(const cn_render_plan *plan, const cn_figure *f, const cn_shape_def *shape)
{
    double c = cos(f->at[2]), s = sin(f->at[2]), angle = f->at[2] + shape->angle;
    double at[2];
    cn_plan_pixel(plan, f->at[0] + c * shape->at[0] - s * shape->at[1],
                  f->at[1] + s * shape->at[0] + c * shape->at[1], at);
    return (placed){.shape = cn_skeleton_of(shape),
                    .x = at[0],
                    .y = at[1],
                    .c = cos(angle),
                    .s = sin(angle),
                    .scale = plan->scale};
}

// Pixel of the point (x, y) of the shape's own frame [m].
static void shape_point(const placed *p, double x, double y, double out[2])
{
    out[0] = p->x + p->scale * (p->c * x - p->s * y);
    out[1] = p->y - p->scale * (p->s * x + p->c * y);
}

enum { CORNER_MAX = 256 };

static void shape_corner(const placed *p, int k, double out[2])
{
    cn_vec2 x = cn_skeleton_vertex(&p->shape, k);
    shape_point(p, x.x, x.y, out);
}

// Of a polygon with more corners than that, evenly spread ones are enough for the eye.
static void cover_polygon(cn_canvas *canvas, const placed *p, double rim)
{
    double xy[2 * CORNER_MAX];
    int count = p->shape.count < CORNER_MAX ? p->shape.count : (int)CORNER_MAX;
    for (int k = 0; k < count; k++) {
        shape_corner(p, (int)((size_t)k * (size_t)p->shape.count / (size_t)count), xy + 2 * k);
    }
    cn_cover_polygon(canvas, count, xy);
    if (rim > 0.0) {
        cn_cover_polyline(canvas, count, xy, 2.0 * rim, true);
    }
}

// Covers the shape, wider by `rim` pixels all around.
static void cover_shape(cn_canvas *canvas, const placed *p, double rim)
{
    const cn_skeleton *s = &p->shape;
    double r = s->radius * p->scale, a[2], b[2];
    if (s->ops->is_hollow) {
        cn_cover_disk(canvas, p->x, p->y, r + s->thickness * p->scale + rim);
        cn_cover_hole(canvas, p->x, p->y, r - rim);
    } else if (s->count > 2) {
        cover_polygon(canvas, p, r + rim);
    } else if (s->count == 2) {
        shape_corner(p, 0, a);
        shape_corner(p, 1, b);
        cn_cover_capsule(canvas, a[0], a[1], b[0], b[1], r + rim);
    } else if (!s->ops->is_unbounded) {
        cn_cover_disk(canvas, p->x, p->y, r + rim);
    }
}

// A radius on a disk, spokes across the wall of a drum: what makes a turn visible.
static void paint_marks(cn_canvas *canvas, const placed *p, double width, cn_colour colour)
{
    const cn_skeleton *s = &p->shape;
    double a[2], b[2];
    if (s->ops->is_round && !s->ops->is_hollow && s->radius * p->scale > 5.0) {
        shape_point(p, s->radius, 0.0, b);
        cn_canvas_line(canvas, p->x, p->y, b[0], b[1], width, cn_colour_fade(colour, 0.75));
    }
    if (s->ops->is_round && s->ops->is_hollow && s->radius * p->scale > 20.0) {
        enum { SPOKES = 24 };
        for (int k = 0; k < SPOKES; k++) {
            double c = cos(2.0 * CN_PI * k / SPOKES), sn = sin(2.0 * CN_PI * k / SPOKES);
            double outer = s->radius + s->thickness;
            shape_point(p, s->radius * c, s->radius * sn, a);
            shape_point(p, outer * c, outer * sn, b);
            cn_cover_capsule(canvas, a[0], a[1], b[0], b[1], 0.5 * width);
        }
        cn_canvas_paint(canvas, cn_colour_fade(colour, 0.6));
    }
}

static bool is_outside(const cn_render_plan *plan, const cn_figure *f)
{
    const double *v = plan->view;
    return !(f->box[0] <= v[2] && f->box[2] >= v[0] && f->box[1] <= v[3] && f->box[3] >= v[1]);
}

// First the dark rim of all its shapes, then their fill: a cluster shows one common outline.
// `pale` mixes its colours with paper.
static void paint_body(const cn_render_plan *plan, const cn_figure *f, double pale,
                       cn_canvas *canvas)
{
    if (is_outside(plan, f)) {
        return;
    }
    if (f->nodes != NULL) {
        cn_paint_mesh(plan, f, canvas);
        return;
    }
    cn_colour fill = cn_colour_mix(cn_plan_fill(plan, f), cn_tone_paper(), pale);
    cn_colour dark = cn_colour_mix(fill, cn_tone_ink(), 0.55 * (1.0 - pale));
    double rim = fmin(0.9 * plan->ui, 0.06 * f->size * plan->scale);
    for (int k = 0; k < f->shape_count; k++) {
        placed p = place(plan, f, &f->shape[k]);
        cover_shape(canvas, &p, rim);
        cn_canvas_paint(canvas, dark);
    }
    for (int k = 0; k < f->shape_count; k++) {
        placed p = place(plan, f, &f->shape[k]);
        cover_shape(canvas, &p, 0.0);
        cn_canvas_paint(canvas, fill);
    }
    for (int k = 0; k < f->shape_count; k++) {
        placed p = place(plan, f, &f->shape[k]);
        paint_marks(canvas, &p, fmax(rim, 0.9 * plan->ui), dark);
    }
}

// Whether the box of a body reaches into a cell in the plane.
static bool is_in_cell(const cn_figure *f, const double C[9])
{
    double lean = C[1] / C[4], low = f->box[1] * lean, high = f->box[3] * lean;
    return f->box[3] > 0.0 && f->box[1] < C[4] && f->box[2] - fmin(low, high) > 0.0 &&
           f->box[0] - fmax(low, high) < C[0];
}

// Images of a body that reach into the periodic cell over its faces, paler than the body.
static void paint_images(const cn_render_plan *plan, const cn_figure *f, cn_canvas *canvas)
{
    const cn_cell_state *cell = plan->frame->state.cell_state;
    for (int n = 0; n < 9 && cell != NULL && !f->is_fixed; n++) {
        const double *C = cell->vectors;
        int along_x = n % 3 - 1, along_y = n / 3 - 1;
        bool is_image = n != 4 && (along_x == 0 || cell->is_periodic[0]) &&
                        (along_y == 0 || cell->is_periodic[1]);
        double x = C[0] * along_x + C[1] * along_y, y = C[4] * along_y;
        cn_figure image = *f;
        image.at[0] += x;
        image.at[1] += y;
        for (int d = 0; d < 4; d++) {
            image.box[d] += d % 2 == 0 ? x : y;
        }
        if (is_image && is_in_cell(&image, C)) {
            paint_body(plan, &image, 0.6, canvas);
        }
    }
}

// Keeps the part of a polygon of `count` corners below the line y = 0 of the shape's frame.
static int cut_below(const placed *p, int count, const double *xy, double *out)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const double *a = xy + 2 * k, *b = xy + 2 * ((k + 1) % count);
        double ha = -(p->s * (a[0] - p->x) + p->c * (a[1] - p->y));
        double hb = -(p->s * (b[0] - p->x) + p->c * (b[1] - p->y));
        if (ha <= 0.0) {
            out[2 * kept] = a[0];
            out[2 * kept + 1] = a[1];
            kept++;
        }
        if ((ha < 0.0 && hb > 0.0) || (ha > 0.0 && hb < 0.0)) {
            double t = ha / (ha - hb);
            out[2 * kept] = a[0] + t * (b[0] - a[0]);
            out[2 * kept + 1] = a[1] + t * (b[1] - a[1]);
            kept++;
        }
    }
    return kept;
}

// Short slanted strokes under the surface, fixed to the ground so that they move with it.
static void hatch(const cn_render_plan *plan, const placed *p, cn_canvas *canvas)
{
    const double *box = plan->area;
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 4; k++) {
        double dx = box[k % 2 == 0 ? 0 : 2] - p->x, dy = box[k < 2 ? 1 : 3] - p->y;
        double along = p->c * dx - p->s * dy;
        low = fmin(low, along);
        high = fmax(high, along);
    }
    double step = 11.0 * plan->ui, depth = 9.0 * plan->ui;
    double first = floor(low / step), last = ceil((high + depth) / step);
    if (!(last - first < 1e5)) {
        return;
    }
    for (double k = first; k <= last; k++) {
        double a[2], b[2];
        shape_point(p, k * step / p->scale, 0.0, a);
        shape_point(p, (k * step - depth) / p->scale, -depth / p->scale, b);
        cn_cover_capsule(canvas, a[0], a[1], b[0], b[1], 0.5 * plan->ui);
    }
    cn_canvas_paint(canvas, cn_colour_hex(0xa9b1b9));
}

static void paint_plane(const cn_render_plan *plan, const placed *p, cn_canvas *canvas)
{
    const double *box = plan->area;
    double corner[8] = {box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]};
    double below[12];
    int count = cut_below(p, 4, corner, below);
    if (count < 3) {
        return;
    }
    cn_canvas_polygon(canvas, count, below, cn_colour_hex(0xeceeF0));
    hatch(plan, p, canvas);
    double reach = hypot(box[2] - box[0], box[3] - box[1]);
    double centre[2] = {0.5 * (box[0] + box[2]) - p->x, 0.5 * (box[1] + box[3]) - p->y};
    double along = p->c * centre[0] - p->s * centre[1]; // foot of the middle of the picture
    double a[2], b[2];
    shape_point(p, (along - reach) / p->scale, 0.0, a);
    shape_point(p, (along + reach) / p->scale, 0.0, b);
    cn_canvas_line(canvas, a[0], a[1], b[0], b[1], 1.4 * plan->ui, cn_colour_hex(0x6f7881));
}

static void paint_planes(const cn_render_plan *plan, const cn_figure *f, cn_canvas *canvas)
{
    for (int k = 0; k < f->shape_count; k++) {
        if (cn_shape_ops_of(f->shape[k].kind)->is_unbounded) {
            placed p = place(plan, f, &f->shape[k]);
            paint_plane(plan, &p, canvas);
        }
    }
}

void cn_paint_bodies(const cn_render_plan *plan, cn_canvas *canvas)
{
    enum { GROUND, DRUM, FIXED, IMAGE, FREE, LAYERS };
    for (int layer = 0; layer < LAYERS; layer++) {
        for (int i = 0; i < plan->frame->state.body_count; i++) {
            const cn_figure *f = &plan->figure[i];
            int own = f->has_ring ? DRUM : f->is_fixed ? FIXED : FREE;
            if (!f->is_drawn) {
                continue;
            }
            if (layer == GROUND && f->has_plane) {
                paint_planes(plan, f, canvas);
            } else if (layer == IMAGE) {
                paint_images(plan, f, canvas);
            } else if (layer == own) {
                paint_body(plan, f, 0.0, canvas);
            }
        }
    }
}

// The outline of a periodic cell in the plane. Bodies are where they are stored: those at a face
// reach over it, and images of them stand at the other one.
void cn_paint_cell(const cn_render_plan *plan, cn_canvas *canvas)
{
    const double *C = plan->frame->state.cell;
    if (C == NULL) {
        return;
    }
    const double corner[5][2] = {
        {0.0, 0.0}, {C[0], 0.0}, {C[0] + C[1], C[4]}, {C[1], C[4]}, {0.0, 0.0}};
    for (int k = 0; k < 4; k++) {
        double a[2], b[2];
        cn_plan_pixel(plan, corner[k][0], corner[k][1], a);
        cn_plan_pixel(plan, corner[k + 1][0], corner[k + 1][1], b);
        cn_canvas_line(canvas, a[0], a[1], b[0], b[1], 1.5 * plan->ui, cn_tone_faint());
    }
}
