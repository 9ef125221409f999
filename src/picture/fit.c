// picture/fit.c -- what a picture shows: boxes of bodies, the view around them, and the size
// of the picture that follows from it.
#include <math.h>

#include "base/memory.h"
#include "picture/render.h"

static void grow(double box[4], double x, double y, double reach)
{
    box[0] = fmin(box[0], x - reach);
    box[1] = fmin(box[1], y - reach);
    box[2] = fmax(box[2], x + reach);
    box[3] = fmax(box[3], y + reach);
}

static bool is_empty(const double box[4])
{
    return !(box[0] <= box[2] && box[1] <= box[3]);
}

static void unite(double box[4], const double other[4])
{
    if (!is_empty(other)) {
        grow(box, other[0], other[1], 0.0);
        grow(box, other[2], other[3], 0.0);
    }
}

static const double empty_box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static void copy_box(double to[4], const double from[4])
{
    for (int k = 0; k < 4; k++) {
        to[k] = from[k];
    }
}

// Adds a polygon placed at (x, y, angle); returns its area.
static double measure_polygon(cn_figure *f, const cn_shape_def *s, double x, double y, double angle)
{
    double c = cos(angle), sn = sin(angle), area = 0.0;
    for (int k = 0; k < s->vertex_count; k++) {
        const double *a = s->vertex + 2 * k, *b = s->vertex + 2 * ((k + 1) % s->vertex_count);
        grow(f->box, x + c * a[0] - sn * a[1], y + sn * a[0] + c * a[1], 0.0);
        area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
        f->perimeter += hypot(b[0] - a[0], b[1] - a[1]);
    }
    return fabs(area);
}

// Adds one shape to box and perimeter; returns its area.
static double measure_shape(cn_figure *f, const cn_shape_def *s)
{
    double c = cos(f->at[2]), sn = sin(f->at[2]);
    double x = f->at[0] + c * s->at[0] - sn * s->at[1];
    double y = f->at[1] + sn * s->at[0] + c * s->at[1];
    double angle = f->at[2] + s->angle, r = s->radius;
    double dx = 0.5 * s->length * cos(angle), dy = 0.5 * s->length * sin(angle);
    switch (s->kind) {
    case CN_SHAPE_DISK:
        grow(f->box, x, y, r);
        f->perimeter += 2.0 * CN_PI * r;
        return CN_PI * r * r;
    case CN_SHAPE_CAPSULE:
        grow(f->box, x - dx, y - dy, r);
        grow(f->box, x + dx, y + dy, r);
        f->perimeter += 2.0 * CN_PI * r + 2.0 * s->length;
        return CN_PI * r * r + 2.0 * r * s->length;
    case CN_SHAPE_POLYGON:
        return measure_polygon(f, s, x, y, angle);
    case CN_SHAPE_HOLLOW_DISK:
        f->has_ring = true;
        grow(f->box, x, y, r + s->thickness);
        f->perimeter += 2.0 * CN_PI * (2.0 * r + s->thickness);
        return CN_PI * s->thickness * (2.0 * r + s->thickness);
    case CN_SHAPE_HALF_PLANE:
    case CN_SHAPE_KIND_COUNT:
        break;
    }
    f->has_plane = f->has_plane || s->kind == CN_SHAPE_HALF_PLANE;
    return 0.0;
}

void cn_figure_measure(cn_figure *figure)
{
    copy_box(figure->box, empty_box);
    double area = 0.0;
    for (int k = 0; k < figure->shape_count; k++) {
        area += measure_shape(figure, &figure->shape[k]);
    }
    figure->size = figure->perimeter > 0.0 ? 4.0 * area / figure->perimeter : 0.0;
}

static double extent(const double box[4])
{
    return fmax(box[2] - box[0], box[3] - box[1]);
}

// Free bodies and drums always; other finite bodies while they do not make the rest look small.
static void fit_bodies(cn_render_plan *plan)
{
    const cn_figure *figure = plan->figure;
    int count = plan->frame->state.body_count;
    double box[4];
    copy_box(box, empty_box);
    for (int i = 0; i < count; i++) {
        if (figure[i].is_drawn && (!figure[i].is_fixed || figure[i].has_ring)) {
            unite(box, figure[i].box);
        }
    }
    const cn_frame *state = &plan->frame->state;
    for (int n = 0; n < state->joint_count; n++) { // where rods and cables are hung up
        if (!state->joint[n].is_broken) {
            grow(box, state->joint[n].end[0], state->joint[n].end[1], 0.0);
        }
    }
    double limit = is_empty(box) ? INFINITY : 3.0 * extent(box);
    for (int i = 0; i < count; i++) {
        if (figure[i].is_drawn && figure[i].is_fixed) {
            double with[4];
            copy_box(with, box);
            unite(with, figure[i].box);
            copy_box(box, extent(with) <= limit ? with : box);
        }
    }
    copy_box(plan->view, box);
}

// Where the surface of a half-plane runs: point and outward normal.
static void locate_plane(const cn_figure *f, const cn_shape_def *s, double point[2],
                         double normal[2])
{
    double c = cos(f->at[2]), sn = sin(f->at[2]), angle = f->at[2] + s->angle;
    point[0] = f->at[0] + c * s->at[0] - sn * s->at[1];
    point[1] = f->at[1] + sn * s->at[0] + c * s->at[1];
    normal[0] = -sin(angle);
    normal[1] = cos(angle);
}

// Moves the edges of the view until a strip of the ground below it shows, if it is near.
static void show_ground(double view[4], const double point[2], const double normal[2])
{
    double strip = 0.05 * extent(view), near = 0.5 * extent(view);
    double x = normal[0] > 0.0 ? view[0] : view[2], y = normal[1] > 0.0 ? view[1] : view[3];
    double height = (x - point[0]) * normal[0] + (y - point[1]) * normal[1];
    if (height > -strip && height < near) {
        double down = height + strip;
        x -= down * normal[0];
        y -= down * normal[1];
        grow(view, x, y, 0.0);
    }
}

static void show_planes(cn_render_plan *plan)
{
    for (int i = 0; i < plan->frame->state.body_count; i++) {
        const cn_figure *f = &plan->figure[i];
        for (int k = 0; f->is_drawn && f->has_plane && k < f->shape_count; k++) {
            if (f->shape[k].kind == CN_SHAPE_HALF_PLANE) {
                double point[2], normal[2];
                locate_plane(f, &f->shape[k], point, normal);
                show_ground(plan->view, point, normal);
            }
        }
    }
}

void cn_plan_view(cn_render_plan *plan)
{
    fit_bodies(plan);
    if (is_empty(plan->view)) {
        copy_box(plan->view, (const double[4]){-1.0, -0.5, 1.0, 0.5});
    }
    double size = extent(plan->view);
    double floor_size = 1e-9 * fmax(1e-9, fmax(fabs(plan->view[0]), fabs(plan->view[1])));
    double margin = fmax(fmax(0.035 * size, 0.5 * plan->size_mean), floor_size);
    plan->view[0] -= margin;
    plan->view[1] -= margin;
    plan->view[2] += margin;
    plan->view[3] += margin;
    show_planes(plan);
}

static cn_status take_view(cn_render_plan *plan, cn_error *err)
{
    const double *view = plan->def->view;
    bool is_good = view[0] < view[2] && view[1] < view[3] && isfinite(view[2] - view[0]) &&
                   isfinite(view[3] - view[1]);
    if (!is_good) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a view is x_min, y_min, x_max, y_max with min < max, got %g, %g, %g, %g",
                       view[0], view[1], view[2], view[3]);
    }
    copy_box(plan->view, view);
    return CN_OK;
}

// Picture size and the area left for the scene; a height that was not asked for follows the view.
static cn_status place_area(cn_render_plan *plan, cn_error *err)
{
    const cn_render_def *def = plan->def;
    bool is_sized = def->width >= 16 && def->width <= CN_CANVAS_MAX &&
                    (def->height == 0 || (def->height >= 16 && def->height <= CN_CANVAS_MAX));
    if (!is_sized) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a picture must be 16 to %d pixels wide and high (height 0: from the view), "
                       "got %d x %d",
                       (int)CN_CANVAS_MAX, def->width, def->height);
    }
    plan->width = def->width;
    plan->ui = fmax(def->width / 1280.0, 0.8);
    double top = def->with_legend ? cn_legend_top(plan) : 0.0;
    double bottom = def->with_legend ? cn_legend_bottom(plan) : 0.0;
    double aspect = (plan->view[3] - plan->view[1]) / (plan->view[2] - plan->view[0]);
    double natural = ceil(def->width * fmin(fmax(aspect, 0.25), 1.0));
    double height = def->height > 0 ? def->height : fmin(natural + top + bottom, CN_CANVAS_MAX);
    plan->height = (int)height;
    plan->area[0] = 0.0;
    plan->area[1] = top;
    plan->area[2] = def->width;
    plan->area[3] = height - bottom;
    if (!(plan->area[3] - top >= 8.0)) { // no room for both: the scene matters more
        plan->area[1] = 0.0;
        plan->area[3] = height;
    }
    return CN_OK;
}

// Equal scale both ways: the view widens in one direction to fill its area.
static void match_aspect(cn_render_plan *plan)
{
    double width = plan->area[2] - plan->area[0], height = plan->area[3] - plan->area[1];
    double *v = plan->view;
    plan->scale = fmin(width / (v[2] - v[0]), height / (v[3] - v[1]));
    double x = 0.5 * (v[0] + v[2]), y = 0.5 * (v[1] + v[3]);
    v[0] = x - 0.5 * width / plan->scale;
    v[2] = x + 0.5 * width / plan->scale;
    v[1] = y - 0.5 * height / plan->scale;
    v[3] = y + 0.5 * height / plan->scale;
}

cn_status cn_plan_fit(cn_render_plan *plan, cn_error *err)
{
    if (plan->tableau != NULL) {
        CN_TRY(cn_tableau_view(plan, err));
    } else if (plan->def->has_view) {
        CN_TRY(take_view(plan, err));
    } else {
        cn_plan_view(plan);
    }
    CN_TRY(place_area(plan, err));
    if (plan->tableau != NULL) {
        return cn_tableau_aim(plan, err);
    }
    match_aspect(plan);
    return CN_OK;
}
