// picture/space/space_view.c -- frames in space: colours, the camera, and which fixed bodies must
// not stand in the way.
#include <math.h>

#include "picture/space/space_frame.h"

// How far the part reaches from its place.
static double part_reach(const cn_tableau *tableau, int k)
{
    const cn_space_part *p = &tableau->part[k];
    double reach = p->kind == CN_PART_ROD ? p->radius + 0.5 * p->length : p->radius;
    for (int n = 0; p->faces != NULL && n < p->faces->vertex_count; n++) {
        reach = fmax(reach, cn_norm3(p->faces->vertex[n]));
    }
    return reach;
}

static bool is_free(const cn_render_plan *plan, int body)
{
    const cn_figure *f = body >= 0 ? &plan->figure[body] : NULL;
    return f != NULL && f->is_drawn && !f->is_fixed && f->perimeter > 0.0;
}

// Half the longest side of the box of free bodies; 0: there are none.
static double free_extent(const cn_render_plan *plan)
{
    const cn_tableau *tableau = plan->tableau;
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < tableau->part_count; k++) {
        const cn_space_part *p = &tableau->part[k];
        double reach = part_reach(tableau, k), at[3] = {p->at.x, p->at.y, p->at.z};
        for (int c = 0; c < 3 && is_free(plan, p->body); c++) {
            lo[c] = fmin(lo[c], at[c] - reach);
            hi[c] = fmax(hi[c], at[c] + reach);
        }
    }
    return 0.5 * fmax(fmax(hi[0] - lo[0], fmax(hi[1] - lo[1], hi[2] - lo[2])), 0.0);
}

static void dress_lines(cn_render_plan *plan)
{
    const cn_frame *state = &plan->frame->state;
    cn_space_part *part = plan->tableau->part + plan->tableau->start[plan->tableau->body_count];
    for (int n = 0; n < state->joint_count; n++) {
        if (cn_joint_is_line(&state->joint[n])) {
            (part++)->radius = cn_joint_radius(plan, &state->joint[n]);
        }
    }
}

// Colours; fixed parts much larger than all free bodies together are scenery.
static cn_status dress(cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    dress_lines(plan);
    double extent = free_extent(plan);
    for (int k = 0; k < tableau->start[tableau->body_count]; k++) {
        cn_space_part *p = &tableau->part[k];
        const cn_figure *f = &plan->figure[p->body];
        p->colour = cn_plan_fill(plan, f);
        p->is_scenery = extent > 0.0 && f->is_fixed && part_reach(tableau, k) > 3.0 * extent;
        if (f->nodes != NULL) {
            CN_TRY(cn_coat_colour(plan, f, &tableau->coat[k], err));
        }
    }
    tableau->def.part = tableau->part;
    tableau->def.part_count = tableau->part_count;
    return CN_OK;
}

static cn_status take_frame(cn_render_plan *plan, cn_error *err)
{
    const double *v = plan->def->view;
    bool is_good = v[0] < v[3] && v[1] < v[4] && v[2] < v[5] && isfinite(v[3] - v[0]) &&
                   isfinite(v[4] - v[1]) && isfinite(v[5] - v[2]);
    if (!is_good) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a view in space is x_min, y_min, z_min, x_max, y_max, z_max with min < "
                       "max, got %g, %g, %g, %g, %g, %g",
                       v[0], v[1], v[2], v[3], v[4], v[5]);
    }
    plan->tableau->frame = (cn_box3){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    plan->tableau->def.frame = &plan->tableau->frame;
    return CN_OK;
}

cn_status cn_tableau_box(cn_render_plan *plan, double view[6], cn_error *err)
{
    CN_TRY(dress(plan, err));
    cn_box3 box;
    CN_TRY(cn_space_box(&plan->tableau->def, &box, err));
    const double sides[6] = {box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z};
    for (int k = 0; k < 6; k++) {
        view[k] = sides[k];
    }
    return CN_OK;
}

// A box of the shape of what will be seen, so that a height that was not asked for follows from it.
cn_status cn_tableau_view(cn_render_plan *plan, cn_error *err)
{
    const cn_render_def *def = plan->def;
    CN_TRY(dress(plan, err));
    if (def->has_view) {
        CN_TRY(take_frame(plan, err));
    }
    plan->tableau->def.is_turning = def->is_turning;
    double aspect;
    CN_TRY(cn_space_aspect(&plan->tableau->def, def->azimuth, def->elevation, &aspect, err));
    plan->view[0] = plan->view[1] = 0.0;
    plan->view[2] = 1.0;
    plan->view[3] = fmin(fmax(1.0 / aspect, 0.5), 0.85);
    return CN_OK;
}

// Whether the segment from a to b, in the frame of the hull, passes through it.
static bool is_crossed(const cn_hull *hull, cn_vec3 a, cn_vec3 b)
{
    double enter = 0.0, leave = 1.0;
    for (int f = 0; f < hull->face_count; f++) {
        double start = cn_dot3(hull->normal[f], a) - hull->offset[f];
        double end = cn_dot3(hull->normal[f], b) - hull->offset[f];
        if (start > 0.0 && end > 0.0) {
            return false;
        }
        if (start > 0.0) {
            enter = fmax(enter, start / (start - end));
        } else if (end > 0.0) {
            leave = fmin(leave, start / (start - end));
        }
    }
    return enter < leave;
}

// The part of the free bodies that a hull hides. A few hundred of them tell enough.
static double hidden_share(const cn_render_plan *plan, int k)
{
    const cn_tableau *tableau = plan->tableau;
    const cn_space_part *p = &tableau->part[k];
    int seen = 0, hidden = 0, stride = 1 + tableau->body_count / 400;
    cn_vec3 eye = cn_mat3_mul_transposed(&p->turn, cn_sub3(tableau->def.camera.eye, p->at));
    for (int i = 0; i < tableau->body_count; i += stride) {
        if (is_free(plan, i)) {
            const double *at = plan->figure[i].at;
            cn_vec3 centre = cn_sub3(cn_v3(at[0], at[1], at[2]), p->at);
            seen++;
            hidden += is_crossed(tableau->hull[k], eye, cn_mat3_mul_transposed(&p->turn, centre));
        }
    }
    return seen > 0 ? (double)hidden / seen : 0.0;
}

// A fixed body between the eye and many free bodies is drawn as wires, as far as it hides them: a
// pipe of many plates is seen through in front and keeps its back.
static void clear_sight(const cn_render_plan *plan, int body)
{
    cn_tableau *tableau = plan->tableau;
    double share = 0.0;
    for (int k = tableau->start[body]; k < tableau->start[body + 1]; k++) {
        share += tableau->hull[k] != NULL ? hidden_share(plan, k) : 0.0;
    }
    for (int k = tableau->start[body]; k < tableau->start[body + 1] && share > 0.2; k++) {
        cn_space_part *p = &tableau->part[k];
        if (tableau->hull[k] != NULL && hidden_share(plan, k) > 0.04) {
            p->is_ghost = true;
            p->colour = cn_tone_faint();
        }
    }
}

cn_status cn_tableau_aim(cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    const cn_render_def *def = plan->def;
    double width = plan->area[2] - plan->area[0], height = plan->area[3] - plan->area[1];
    for (int k = 0; k < 4; k++) {
        tableau->def.area[k] = plan->area[k];
    }
    tableau->def.line_width = plan->ui;
    const cn_space_gaze gaze = {def->azimuth, def->elevation, def->view_angle, width / height,
                                0.05};
    CN_TRY(cn_space_camera_fit(&tableau->def, &gaze, &tableau->def.camera, err));
    plan->scale = cn_space_scale(&tableau->def);
    for (int i = 0; i < tableau->body_count; i++) {
        if (plan->figure[i].is_fixed) {
            clear_sight(plan, i);
        }
    }
    return CN_OK;
}
