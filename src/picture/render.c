// picture/render.c -- plans a picture of a frame and paints its parts.
#include "picture/render.h"

#include <math.h>

#include "base/memory.h"

cn_render_def cn_render_def_default(void)
{
    return (cn_render_def){.frame = -1,
                           .width = 1280,
                           .paint = CN_PAINT_GROUP,
                           .with_forces = true,
                           .with_legend = true,
                           .azimuth = -CN_PI / 3.0,
                           .elevation = 0.42,
                           .view_angle = 0.5,
                           .magnify = 1.0};
}

const char *cn_paint_name(cn_paint paint)
{
    static const char *const name[CN_PAINT_COUNT] = {
        [CN_PAINT_GROUP] = "group",       [CN_PAINT_VELOCITY] = "velocity",
        [CN_PAINT_PRESSURE] = "pressure", [CN_PAINT_OPENING] = "opening",
        [CN_PAINT_DAMAGE] = "damage",     [CN_PAINT_DISPLACEMENT] = "displacement",
        [CN_PAINT_MISES] = "mises",       [CN_PAINT_PRINCIPAL] = "principal",
        [CN_PAINT_SPREAD] = "spread",
    };
    return (unsigned)paint < CN_PAINT_COUNT ? name[paint] : "unknown";
}

void cn_plan_pixel(const cn_render_plan *plan, double x, double y, double out[2])
{
    out[0] = plan->area[0] + plan->scale * (x - plan->view[0]);
    out[1] = plan->area[3] - plan->scale * (y - plan->view[1]);
}

bool cn_plan_has_forces(const cn_render_plan *plan)
{
    cn_paint paint = plan->def->paint;
    bool is_field = paint >= CN_PAINT_DISPLACEMENT && paint <= CN_PAINT_PRINCIPAL;
    bool is_asked = plan->def->with_forces && !plan->def->with_thrust;
    return is_asked && !cn_paint_is_of_joints(paint) && !is_field && plan->drawn == NULL;
}

cn_colour cn_plan_group_fill(const cn_render_plan *plan, int group)
{
    int rank = 0;
    while (rank < plan->group_count && plan->group[rank] != group) {
        rank++;
    }
    cn_paint paint = plan->def->paint;
    bool is_pale =
        cn_paint_is_of_joints(paint) || paint == CN_PAINT_SPREAD || paint == CN_PAINT_PRINCIPAL;
    double light = is_pale ? 0.7 : cn_plan_has_forces(plan) && plan->force_max > 0.0 ? 0.45 : 0.0;
    return cn_colour_mix(cn_palette_fill(rank), cn_tone_paper(), light);
}

cn_colour cn_plan_fill(const cn_render_plan *plan, const cn_figure *figure)
{
    if (figure->is_fixed || figure->has_ring) {
        return cn_colour_hex(0xc6cbd0);
    }
    if (plan->def->paint == CN_PAINT_GROUP || cn_paint_is_of_joints(plan->def->paint) ||
        plan->def->paint == CN_PAINT_SPREAD || plan->def->paint == CN_PAINT_PRINCIPAL) {
        return cn_plan_group_fill(plan, figure->group);
    }
    double range = plan->value_max > 0.0 ? plan->value_max : 1.0;
    return cn_scale_at(&plan->colours, figure->value / range);
}

static void note_group(cn_render_plan *plan, int group)
{
    int k = 0;
    while (k < plan->group_count && plan->group[k] < group) {
        k++;
    }
    bool is_known = k < plan->group_count && plan->group[k] == group;
    if (is_known || plan->group_count == CN_GROUP_SHOWN_MAX) {
        return;
    }
    for (int n = plan->group_count; n > k; n--) {
        plan->group[n] = plan->group[n - 1];
    }
    plan->group[k] = group;
    plan->group_count++;
}

// Entries of q and v per body.
static size_t place_size(const cn_render_plan *plan)
{
    return plan->tableau != NULL ? 7 : 3;
}

static size_t speed_size(const cn_render_plan *plan)
{
    return plan->tableau != NULL ? 6 : 3;
}

static void look_at_body(cn_render_plan *plan, int i)
{
    const cn_picture_frame *frame = plan->frame;
    const double *q = frame->state.q + place_size(plan) * (size_t)i;
    cn_figure *f = &plan->figure[i];
    *f = (cn_figure){.at = {q[0], q[1], q[2]}, .group = frame->state.group[i], .value = NAN};
    f->is_drawn = isfinite(q[0] + q[1] + q[2]);
    cn_figure_take_mesh(plan, i, f);
    f->is_fixed = frame->is_fixed(frame->context, frame->state.id[i]);
    if (plan->tableau != NULL) {
        cn_tableau_measure(plan->tableau, i, f);
        return;
    }
    if (f->nodes != NULL) {
        cn_figure_measure_mesh(f);
        return;
    }
    f->shape = frame->shapes(frame->context, frame->state.id[i], &f->shape_count);
    if (!f->is_drawn || f->shape == NULL) {
        f->shape_count = 0;
    } else {
        cn_figure_measure(f);
    }
}

// What the forces on a body are drawn in proportion to: its size, or that of its elements, since
// every node of its surface has a contact [m].
static double force_size(const cn_figure *f)
{
    return f->nodes != NULL && f->mesh.element_count > 0
               ? f->size / pow(f->mesh.element_count, 1.0 / f->mesh.dim)
               : f->size;
}

static void look_at_bodies(cn_render_plan *plan)
{
    double size_sum = 0.0, force_sum = 0.0;
    int free_count = 0;
    for (int i = 0; i < plan->frame->state.body_count; i++) {
        const cn_figure *f = &plan->figure[i];
        look_at_body(plan, i);
        plan->lost_count += !f->is_drawn;
        if (f->perimeter > 0.0 && !f->is_fixed && !f->has_ring) {
            size_sum += f->size;
            force_sum += force_size(f);
            free_count++;
            note_group(plan, f->group);
        }
    }
    plan->size_mean = free_count > 0 ? size_sum / free_count : 0.0;
    plan->force_size = free_count > 0 ? force_sum / free_count : 0.0;
}

static void look_at_contacts(cn_render_plan *plan)
{
    const cn_frame *state = &plan->frame->state;
    for (int a = 0; a < state->contact_count; a++) {
        const cn_contact *c = &state->contact[a];
        double force = cn_contact_force(plan->frame, c);
        plan->force_max = fmax(plan->force_max, force);
        if (force > 0.0 && c->status >= 0 && c->status < 4) {
            plan->has_status[c->status == CN_STATUS_OPEN ? CN_STATUS_STICK : c->status] = true;
        }
    }
    double asked = plan->def->force_scale, parts = plan->tableau != NULL ? 5.0 : 3.0;
    plan->force_scale = asked > 0.0             ? asked
                        : plan->force_max > 0.0 ? plan->force_size / (parts * plan->force_max)
                                                : 0.0;
}

static void add_force(cn_render_plan *plan, int body, double force)
{
    if (body >= 0 && body < plan->frame->state.body_count) {
        plan->figure[body].value += force;
    }
}

// Speed of mass centres, or normal forces over perimeters.
static void find_values(cn_render_plan *plan)
{
    const cn_frame *state = &plan->frame->state;
    bool is_pressure = plan->def->paint == CN_PAINT_PRESSURE;
    for (int i = 0; i < state->body_count; i++) {
        const double *v = state->v + speed_size(plan) * (size_t)i;
        double z = plan->tableau != NULL ? v[2] : 0.0;
        plan->figure[i].value = is_pressure ? 0.0 : hypot(hypot(v[0], v[1]), z);
    }
    for (int a = 0; is_pressure && a < state->contact_count; a++) {
        double force = cn_contact_force(plan->frame, &state->contact[a]);
        add_force(plan, state->contact[a].i, force);
        add_force(plan, state->contact[a].j, force);
    }
    for (int i = 0; i < state->body_count; i++) {
        cn_figure *f = &plan->figure[i];
        if (is_pressure) {
            f->value = f->perimeter > 0.0 ? f->value / f->perimeter : 0.0;
        }
        if (f->is_drawn && !f->is_fixed && !f->has_ring && isfinite(f->value)) {
            plan->value_max = fmax(plan->value_max, f->value);
        }
    }
}

// The largest of a field as it is shown: the means of elements in the plane, nodes in space.
static double find_largest(const cn_render_plan *plan, int i)
{
    cn_paint paint = plan->def->paint;
    const cn_figure *f = &plan->figure[i];
    bool is_flat = f->mesh.dim == 2;
    if (paint == CN_PAINT_PRINCIPAL) {
        return is_flat ? cn_figure_stress_max(f) : cn_tableau_stress_max(plan, i);
    }
    double most = 0.0;
    for (int k = 0; k < (is_flat ? f->mesh.element_count : f->mesh.node_count); k++) {
        most = fmax(most, is_flat ? cn_figure_element_value(paint, f, k)
                                  : cn_figure_node_value(paint, f, k));
    }
    return most;
}

// Fields of deformable bodies; rigid ones have none.
static void find_fields(cn_render_plan *plan)
{
    for (int i = 0; i < plan->frame->state.body_count; i++) {
        cn_figure *f = &plan->figure[i];
        f->value = f->nodes != NULL ? find_largest(plan, i) : NAN;
        plan->value_max = fmax(plan->value_max, f->value);
    }
}

// The largest range of a force.
static void find_spread(cn_render_plan *plan)
{
    const cn_force_spread *spread = plan->frame->spread;
    for (int a = 0; spread != NULL && a < spread->count; a++) {
        plan->value_max = fmax(plan->value_max, spread->range[a]);
    }
}

static cn_status check_render(const cn_render_def *def, cn_error *err)
{
    if ((unsigned)def->paint >= CN_PAINT_COUNT) {
        return cn_fail(err, CN_BAD_INPUT, "unknown paint %d, use 0 to %d", (int)def->paint,
                       (int)CN_PAINT_COUNT - 1);
    }
    if (!(def->force_scale >= 0.0) || isinf(def->force_scale)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the thickness of force lines must be >= 0 m/N (0: automatic), got %g",
                       def->force_scale);
    }
    if (!(def->value_max >= 0.0) || isinf(def->value_max)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the value of the darkest colour must be >= 0 (0: the largest), got %g",
                       def->value_max);
    }
    if (!(def->magnify > 0.0) || isinf(def->magnify)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the motion of nodes is magnified by a number > 0 (1: as it is), got %g",
                       def->magnify);
    }
    return CN_OK;
}

static cn_status paint_scene(const cn_render_plan *plan, cn_canvas *canvas, cn_error *err)
{
    if (plan->tableau != NULL) {
        return cn_tableau_paint(plan, canvas, err);
    }
    cn_canvas_clip(canvas, plan->area);
    cn_paint_bodies(plan, canvas);
    cn_paint_cell(plan, canvas);
    cn_paint_joints(plan, canvas);
    cn_status status = cn_plan_has_forces(plan) ? cn_paint_forces(plan, canvas, err) : CN_OK;
    cn_paint_seams(plan, canvas);
    cn_paint_thrust(plan, canvas);
    cn_canvas_clip(canvas, NULL);
    return status;
}

static cn_status look(cn_render_plan *plan, cn_error *err)
{
    look_at_bodies(plan);
    look_at_contacts(plan);
    if (plan->def->with_thrust) {
        CN_TRY(cn_plan_thrust(plan, err));
    }
    if (cn_paint_is_of_joints(plan->def->paint)) {
        return cn_plan_seams(plan, err);
    }
    if (plan->def->paint == CN_PAINT_SPREAD) {
        find_spread(plan);
    } else if (plan->def->paint >= CN_PAINT_DISPLACEMENT) {
        find_fields(plan);
    } else {
        find_values(plan);
    }
    return CN_OK;
}

static cn_status paint_plan(cn_render_plan *plan, cn_canvas *canvas, cn_error *err)
{
    cn_scale_fill(&plan->colours);
    CN_TRY(look(plan, err));
    if (plan->def->value_max > 0.0) {
        plan->value_max = plan->def->value_max;
    }
    CN_TRY(cn_plan_fit(plan, err));
    CN_TRY(cn_canvas_create(plan->width, plan->height, cn_tone_paper(), canvas, err));
    cn_status status = paint_scene(plan, canvas, err);
    if (status != CN_OK) {
        cn_canvas_destroy(canvas);
        return status;
    }
    bool has_room = plan->area[3] < plan->height;
    if (plan->def->with_legend && has_room) {
        cn_paint_legend(plan, canvas);
    }
    return CN_OK;
}

static cn_status begin_plan(cn_render_plan *plan, cn_error *err)
{
    const cn_picture_frame *frame = plan->frame;
    size_t room = 0;
    CN_TRY(check_render(plan->def, err));
    CN_TRY(cn_reserve(NULL, &plan->figure, &room, (size_t)frame->state.body_count, err));
    CN_TRY(cn_plan_magnify(plan, err));
    return frame->solids != NULL ? cn_tableau_create(plan, &plan->tableau, err) : CN_OK;
}

static void end_plan(cn_render_plan *plan)
{
    cn_tableau_destroy(plan->tableau);
    CN_RELEASE(plan->drawn, plan->drawn_start, plan->seam, plan->thrust, plan->figure);
}

cn_status cn_frame_draw(const cn_picture_frame *frame, const cn_render_def *def, cn_canvas *canvas,
                        cn_error *err)
{
    *canvas = (cn_canvas){0};
    cn_render_plan plan = {.frame = frame, .def = def};
    cn_status status = begin_plan(&plan, err);
    CN_THEN(status, paint_plan(&plan, canvas, err));
    end_plan(&plan);
    return status;
}

// Sides `count` of a box and those opposite to them.
static void widen(cn_render_range *range, const double *view, int count)
{
    for (int k = 0; k < count; k++) {
        double low = view[k], high = view[k + count];
        range->view[k] = range->has_view ? fmin(range->view[k], low) : low;
        range->view[k + count] = range->has_view ? fmax(range->view[k + count], high) : high;
    }
    range->has_view = true;
}

static cn_status measure_plan(cn_render_plan *plan, cn_render_range *range, cn_error *err)
{
    CN_TRY(look(plan, err));
    CN_TRY(cn_plan_fit(plan, err));
    range->height = plan->height > range->height ? plan->height : range->height;
    double view[6];
    if (plan->tableau != NULL) {
        CN_TRY(cn_tableau_box(plan, view, err));
        widen(range, view, 3);
    } else {
        cn_plan_view(plan);
        widen(range, plan->view, 2);
    }
    range->value_max = fmax(range->value_max, plan->value_max);
    return CN_OK;
}

cn_status cn_frame_measure(const cn_picture_frame *frame, const cn_render_def *def,
                           cn_render_range *range, cn_error *err)
{
    cn_render_plan plan = {.frame = frame, .def = def};
    cn_status status = begin_plan(&plan, err);
    CN_THEN(status, measure_plan(&plan, range, err));
    end_plan(&plan);
    return status;
}
