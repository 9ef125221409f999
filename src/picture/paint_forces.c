// picture/paint_forces.c -- force chains: each contact with an impulse is a line through its
// point along its normal, as far as the mass centres of the two bodies project on it. For disks
// this is the segment between the centres; towards a wall or a drum it ends at the contact.
// Thickness is proportional to the normal force, colour tells sticking from sliding.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cairn/patch.h"
#include "picture/render.h"

double cn_contact_force(const cn_picture_frame *frame, const cn_contact *contact)
{
    if (frame->spread != NULL) {
        return frame->spread->mean[contact - frame->state.contact];
    }
    double h = frame->state.h;
    double force = h > 0.0 ? fabs(contact->r[0]) / h : 0.0;
    return isfinite(force) ? force : 0.0;
}

cn_colour cn_status_colour(int status)
{
    switch (status) {
    case CN_STATUS_SLIDE:
        return cn_tone_alarm();
    case CN_STATUS_JOINED:
        return cn_colour_hex(0x6f3f8f);
    default:
        return cn_colour_hex(0x1f3a5f);
    }
}

cn_colour cn_plan_force_colour(const cn_render_plan *plan, const cn_contact *contact)
{
    const cn_force_spread *spread = plan->frame->spread;
    if (spread == NULL) {
        return cn_status_colour(contact->status);
    }
    double range = plan->value_max > 0.0 ? plan->value_max : 1.0;
    return cn_scale_at(&plan->colours, spread->range[contact - plan->frame->state.contact] / range);
}

typedef struct link {
    double force;
    int contact;
} link;

// Weak before strong, so that strong lines lie on top; equal ones in the order of contacts.
static int compare_links(const void *a, const void *b)
{
    const link *x = a, *y = b;
    if (x->force != y->force) {
        return x->force < y->force ? -1 : 1;
    }
    return (x->contact > y->contact) - (x->contact < y->contact);
}

// How far a body reaches from the point along `sign` times the normal [m].
static double reach(const cn_render_plan *plan, int body, const cn_contact *c, double sign)
{
    if (body < 0 || body >= plan->frame->state.body_count || !plan->figure[body].is_drawn ||
        plan->figure[body].has_plane) {
        return 0.0;
    }
    const double *at = plan->figure[body].at;
    return fmax(
        0.0, sign * ((at[0] - c->point[0]) * c->normal[0] + (at[1] - c->point[1]) * c->normal[1]));
}

static void paint_link(const cn_render_plan *plan, const link *l, cn_canvas *canvas)
{
    const cn_contact *c = &plan->frame->state.contact[l->contact];
    double up = reach(plan, c->i, c, 1.0), down = reach(plan, c->j, c, -1.0);
    if (c->shift[0] != 0 || c->shift[1] != 0 || c->shift[2] != 0) {
        down = up; // body j stands in a neighbouring cell
    }
    double a[2], b[2];
    cn_plan_pixel(plan, c->point[0] + up * c->normal[0], c->point[1] + up * c->normal[1], a);
    cn_plan_pixel(plan, c->point[0] - down * c->normal[0], c->point[1] - down * c->normal[1], b);
    double width = l->force * plan->force_scale * plan->scale;
    if (plan->def->paint != CN_PAINT_GROUP && width > 0.5) { // coloured bodies may be as dark
        cn_canvas_line(canvas, a[0], a[1], b[0], b[1], width + 1.6 * plan->ui,
                       cn_colour_fade(cn_tone_paper(), 0.8));
    }
    cn_canvas_line(canvas, a[0], a[1], b[0], b[1], width, cn_plan_force_colour(plan, c));
}

cn_status cn_paint_forces(const cn_render_plan *plan, cn_canvas *canvas, cn_error *err)
{
    const cn_frame *state = &plan->frame->state;
    link *links = NULL;
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &links, &room, (size_t)state->contact_count, err));
    size_t count = 0;
    for (int a = 0; a < state->contact_count; a++) {
        double force = cn_contact_force(plan->frame, &state->contact[a]);
        if (force > 0.0) {
            links[count++] = (link){.force = force, .contact = a};
        }
    }
    if (count > 0) {
        qsort(links, count, sizeof *links, compare_links);
    }
    for (size_t k = 0; k < count; k++) {
        paint_link(plan, &links[k], canvas);
    }
    cn_release(NULL, links);
    return CN_OK;
}

// ---- the line of thrust, in place of them

cn_status cn_plan_thrust(cn_render_plan *plan, cn_error *err)
{
    const cn_frame *state = &plan->frame->state;
    cn_patch_forces patches;
    cn_status status =
        cn_patch_forces_find(state->contact, state->contact_count, state->dim, &patches, err);
    if (status == CN_OK) {
        status =
            cn_thrust_find(&patches, state->body_count, &plan->thrust, &plan->thrust_count, err);
    }
    cn_patch_forces_free(&patches);
    return status;
}

cn_colour cn_thrust_colour(void)
{
    return cn_tone_alarm();
}

void cn_paint_thrust(const cn_render_plan *plan, cn_canvas *canvas)
{
    for (int k = 0; k < plan->thrust_count; k++) {
        const cn_thrust *piece = &plan->thrust[k];
        double a[2], b[2];
        cn_plan_pixel(plan, piece->end[0][0], piece->end[0][1], a);
        cn_plan_pixel(plan, piece->end[1][0], piece->end[1][1], b);
        cn_canvas_line(canvas, a[0], a[1], b[0], b[1], 3.0 * plan->ui, cn_thrust_colour());
        cn_canvas_disk(canvas, a[0], a[1], 3.0 * plan->ui, cn_thrust_colour());
        cn_canvas_disk(canvas, b[0], b[1], 3.0 * plan->ui, cn_thrust_colour());
    }
}
