// picture/paint_joints.c -- joints in the plane: rods and cables as lines between their
// ends, rods thicker; pins, sliders and fixed joints as dots. Broken ones are not drawn.
#include <math.h>

#include "picture/render.h"

static void paint_joint(const cn_render_plan *plan, const cn_joint_state *s, cn_canvas *canvas)
{
    const cn_colour steel = cn_tone_steel();
    const cn_joint_type *type = cn_joint_type_of(s->kind);
    double a[2], b[2], unit = fmax(1.0, plan->width / 640.0); // [px]
    cn_plan_pixel(plan, s->point[0], s->point[1], a);
    cn_plan_pixel(plan, s->end[0], s->end[1], b);
    if (type->is_line) {
        cn_cover_capsule(canvas, a[0], a[1], b[0], b[1], type->is_one_sided ? 0.5 * unit : unit);
        cn_canvas_paint(canvas, steel);
    }
    cn_canvas_disk(canvas, a[0], a[1], 2.0 * unit, steel);
    cn_canvas_disk(canvas, b[0], b[1], 2.0 * unit, steel);
}

void cn_paint_joints(const cn_render_plan *plan, cn_canvas *canvas)
{
    const cn_frame *state = &plan->frame->state;
    for (int n = 0; n < state->joint_count; n++) {
        if (!state->joint[n].is_broken) {
            paint_joint(plan, &state->joint[n], canvas);
        }
    }
}
