// picture/magnify.c -- where the nodes of deformable bodies are drawn: where they are, or
// with their way from the reference position magnified. Rigid bodies stay where they are.
#include "base/memory.h"
#include "picture/render.h"

// The mesh of body i among those of the frame, which come in the order of bodies; -1: it is rigid.
static int find_mesh(const cn_frame *state, int i)
{
    int low = 0, high = state->mesh_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (state->mesh[middle].body < i) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < state->mesh_count && state->mesh[low].body == i ? low : -1;
}

void cn_figure_take_mesh(const cn_render_plan *plan, int i, cn_figure *f)
{
    const cn_picture_frame *frame = plan->frame;
    int m = find_mesh(&frame->state, i);
    bool is_mesh =
        m >= 0 && frame->mesh != NULL && frame->mesh(frame->context, frame->state.id[i], &f->mesh);
    f->nodes = is_mesh ? &frame->state.mesh[m] : NULL;
    if (is_mesh) {
        f->x = plan->drawn != NULL ? plan->drawn + plan->drawn_start[m] : f->nodes->x;
    }
}

static void place_nodes(const cn_render_plan *plan, const cn_frame_mesh *nodes, double *x)
{
    const cn_picture_frame *frame = plan->frame;
    cn_mesh_def mesh;
    if (frame->mesh(frame->context, frame->state.id[nodes->body], &mesh)) {
        for (int k = 0; k < mesh.dim * nodes->node_count; k++) {
            x[k] = mesh.node[k] + plan->def->magnify * (nodes->x[k] - mesh.node[k]);
        }
    }
}

cn_status cn_plan_magnify(cn_render_plan *plan, cn_error *err)
{
    const cn_frame *state = &plan->frame->state;
    if (plan->def->magnify == 1.0 || plan->frame->mesh == NULL || state->mesh_count == 0) {
        return CN_OK;
    }
    int total = 0, dim = plan->frame->solids != NULL ? 3 : 2;
    size_t room[2] = {0};
    CN_TRY(cn_reserve(NULL, &plan->drawn_start, &room[0], (size_t)state->mesh_count, err));
    for (int m = 0; m < state->mesh_count; m++) {
        plan->drawn_start[m] = total;
        total += dim * state->mesh[m].node_count;
    }
    CN_TRY(cn_reserve(NULL, &plan->drawn, &room[1], (size_t)total, err));
    for (int m = 0; m < state->mesh_count; m++) {
        place_nodes(plan, &state->mesh[m], plan->drawn + plan->drawn_start[m]);
    }
    return CN_OK;
}
