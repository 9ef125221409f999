// picture/fit.c -- what a picture shows: boxes of bodies, the view around them, and the size
// of the picture that follows from it.
#include <math.h>

#include "base/memory.h"
#include "geometry/plane/shape_kind.h"
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

static double perimeter_of(const cn_skeleton *s)
{
    double sum = 2.0 * CN_PI * (s->ops->is_hollow ? 2.0 * s->radius + s->thickness : s->radius);
    for (int k = 0; k < s->count; k++) {
        cn_vec2 a = cn_skeleton_vertex(s, k), b = cn_skeleton_vertex(s, (k + 1) % s->count);
        sum += cn_norm2(cn_sub2(b, a));
    }
    return sum;
}

// Adds one shape to box and perimeter; returns its area.
static double measure_shape(cn_figure *f, const cn_shape_def *def)
{
    cn_skeleton s = cn_skeleton_of(def);
    f->has_plane = f->has_plane || s.ops->is_unbounded;
    f->has_ring = f->has_ring || s.ops->is_hollow;
    if (s.ops->is_unbounded) {
        return 0.0;
    }
    double angle = f->at[2] + def->angle, outer = s.radius + s.thickness;
    cn_vec2 offset = cn_turn2(cn_v2(def->at[0], def->at[1]), cos(f->at[2]), sin(f->at[2]));
    cn_vec2 at = cn_add2(cn_v2(f->at[0], f->at[1]), offset);
    for (int k = 0; k < s.count; k++) {
        cn_vec2 x = cn_add2(at, cn_turn2(cn_skeleton_vertex(&s, k), cos(angle), sin(angle)));
        grow(f->box, x.x, x.y, outer);
    }
    f->perimeter += perimeter_of(&s);
    cn_shape_mass mass = {0};
    return cn_shape_measure(def, &mass, NULL) == CN_OK ? mass.area : 0.0;
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
            if (cn_shape_ops_of(f->shape[k].kind)->is_unbounded) {
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
