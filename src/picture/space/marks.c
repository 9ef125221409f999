// picture/space/marks.c -- frames in space: contact forces, joints and principal stresses as
// rods, opened joints as films.
#include <math.h>

#include "cairn/patch.h"
#include "picture/space/space_frame.h"

// How far a body reaches from the point along `sign` times the normal [m].
static double reach(const cn_render_plan *plan, int body, const cn_contact *c, double sign)
{
    if (body < 0 || body >= plan->frame->state.body_count || !plan->figure[body].is_drawn ||
        plan->figure[body].has_plane) {
        return 0.0;
    }
    const double *at = plan->figure[body].at;
    double along = 0.0;
    for (int k = 0; k < 3; k++) {
        along += (at[k] - c->point[k]) * c->normal[k];
    }
    return fmax(0.0, sign * along);
}

// Each contact with an impulse is a rod through its point along its normal, as far as the mass
// centres of the two bodies project on it.
static cn_status make_forces(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    const cn_frame *state = &plan->frame->state;
    int count = tableau->def.force_count;
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room,
                      (size_t)(count + state->contact_count), err));
    for (int a = 0; a < state->contact_count; a++) {
        const cn_contact *c = &state->contact[a];
        double radius = 0.5 * cn_contact_force(plan->frame, c) * plan->force_scale;
        if (!(radius * plan->scale > 0.05)) { // thinner than can be seen
            continue;
        }
        cn_vec3 point = cn_v3(c->point[0], c->point[1], c->point[2]);
        cn_vec3 normal = cn_v3(c->normal[0], c->normal[1], c->normal[2]);
        double up = reach(plan, c->i, c, 1.0), down = reach(plan, c->j, c, -1.0);
        bool is_beyond = c->shift[0] != 0 || c->shift[1] != 0 || c->shift[2] != 0;
        tableau->force[count++] =
            (cn_space_force){.end = {cn_add_mul3(point, up, normal),
                                     cn_add_mul3(point, is_beyond ? -up : -down, normal)},
                             .radius = radius,
                             .colour = cn_plan_force_colour(plan, c)};
    }
    tableau->def.force_count = count;
    return CN_OK;
}

static cn_status make_thrust(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    int count = tableau->def.force_count;
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room,
                      (size_t)(count + plan->thrust_count), err));
    for (int k = 0; k < plan->thrust_count; k++) {
        const double *a = plan->thrust[k].end[0], *b = plan->thrust[k].end[1];
        tableau->force[count++] =
            (cn_space_force){.end = {cn_v3(a[0], a[1], a[2]), cn_v3(b[0], b[1], b[2])},
                             .radius = 1.5 * plan->ui / plan->scale,
                             .colour = cn_thrust_colour()};
    }
    tableau->def.force_count = count;
    return CN_OK;
}

// Joints that are no lines.
static cn_status make_pins(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    const cn_frame *state = &plan->frame->state;
    int count = tableau->def.force_count;
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room,
                      (size_t)(count + state->joint_count), err));
    for (int n = 0; n < state->joint_count; n++) {
        if (!state->joint[n].is_broken && !cn_joint_is_line(&state->joint[n])) {
            tableau->force[count++] = cn_joint_pin(plan, &state->joint[n]);
        }
    }
    tableau->def.force_count = count;
    return CN_OK;
}

// The affine field through the openings of the corners, by least squares about their mean.
static void fit_film(const cn_seam *seam, double value_max, cn_space_film *film)
{
    double n = seam->corner_count, mean = 0.0;
    cn_vec3 middle = {0.0, 0.0, 0.0};
    for (int k = 0; k < seam->corner_count; k++) {
        middle = cn_add_mul3(middle, 1.0 / n, seam->corner[k]);
        mean += seam->opening[k] / n;
    }
    cn_vec3 u = cn_sub3(seam->corner[0], middle);
    cn_vec3 normal = cn_cross3(u, cn_sub3(seam->corner[1], middle)), v = cn_cross3(normal, u);
    double uu = 0.0, uv = 0.0, vv = 0.0, u_value = 0.0, v_value = 0.0;
    for (int k = 0; k < seam->corner_count; k++) {
        cn_vec3 arm = cn_sub3(seam->corner[k], middle);
        double a = cn_dot3(u, arm), b = cn_dot3(v, arm), value = seam->opening[k] - mean;
        uu += a * a;
        uv += a * b;
        vv += b * b;
        u_value += a * value;
        v_value += b * value;
    }
    double det = uu * vv - uv * uv;
    if (det > 0.0) {
        film->gradient = cn_add3(cn_mul3((vv * u_value - uv * v_value) / det / value_max, u),
                                 cn_mul3((uu * v_value - uv * u_value) / det / value_max, v));
    }
    film->value = mean / value_max + cn_dot3(film->gradient, cn_sub3(film->corner[0], middle));
}

// Patches become films; where bodies touched along a line or at a point, a rod tells the opening.
static cn_status make_films(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    size_t room = 0, count = (size_t)plan->seam_count;
    CN_TRY(cn_reserve(NULL, &tableau->film, &room, count, err));
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room,
                      (size_t)tableau->def.force_count + count, err));
    for (int k = 0; k < plan->seam_count; k++) {
        const cn_seam *seam = &plan->seam[k];
        if (!cn_seam_is_shown(plan, seam)) {
            continue;
        }
        if (seam->corner_count < 3) {
            tableau->force[tableau->def.force_count++] = (cn_space_force){
                .end = {seam->corner[0], seam->corner[seam->corner_count - 1]},
                .radius = 0.03 * seam->size,
                .colour = cn_scale_at(&plan->colours, seam->most / plan->value_max)};
            continue;
        }
        cn_space_film *film = &tableau->film[tableau->def.film_count++];
        *film = (cn_space_film){.corner_count = seam->corner_count, .scale = &plan->colours};
        for (int c = 0; c < seam->corner_count; c++) {
            film->corner[c] = seam->corner[c];
        }
        fit_film(seam, plan->value_max, film);
    }
    tableau->def.film = tableau->film;
    return CN_OK;
}

double cn_tableau_stress_max(const cn_render_plan *plan, int body)
{
    const cn_tableau *tableau = plan->tableau;
    return cn_coat_stress_max(&plan->figure[body], &tableau->coat[tableau->start[body]]);
}

// Principal stresses on the surfaces of deformable bodies.
static cn_status make_crosses(const cn_render_plan *plan, cn_error *err)
{
    cn_tableau *tableau = plan->tableau;
    size_t most = (size_t)tableau->def.force_count;
    for (int k = 0; k < tableau->part_count; k++) {
        most += 3 * (size_t)tableau->coat[k].faces.face_count;
    }
    CN_TRY(cn_reserve(NULL, &tableau->force, &tableau->force_room, most, err));
    int count = tableau->def.force_count;
    for (int i = 0; i < tableau->body_count; i++) {
        if (plan->figure[i].nodes != NULL && plan->figure[i].is_drawn) {
            int k = tableau->start[i];
            count += cn_coat_crosses(plan, &plan->figure[i], &tableau->coat[k], tableau->part[k].at,
                                     tableau->def.camera.eye, tableau->force + count);
        }
    }
    tableau->def.force_count = count;
    return CN_OK;
}

cn_status cn_tableau_paint(const cn_render_plan *plan, cn_canvas *canvas, cn_error *err)
{
    plan->tableau->def.force_count = 0;
    CN_TRY(make_pins(plan, err));
    if (cn_plan_has_forces(plan)) {
        CN_TRY(make_forces(plan, err));
    } else if (plan->seam_count > 0) {
        CN_TRY(make_films(plan, err));
    } else if (plan->def->paint == CN_PAINT_PRINCIPAL) {
        CN_TRY(make_crosses(plan, err));
    }
    CN_TRY(make_thrust(plan, err));
    plan->tableau->def.force = plan->tableau->force;
    return cn_space_draw(&plan->tableau->def, canvas, err);
}
