// world/world_room.c -- whether a body that is to be added has room (cairn/body.h).
#include "world/world.h"

// Whether something is deeper in the last body than 0. Bodies that have no law between them may
// overlap.
static bool is_met(const cn_world *w, int last)
{
    for (int n = 0; n < w->detect.point_count; n++) {
        const cn_point *p = &w->detect.point[n];
        if ((p->i == last || p->j == last) && p->gap < 0.0) {
            return true;
        }
    }
    return false;
}

cn_status cn_body_has_room(cn_world *w, const cn_body_def *def, bool *has_room, cn_error *err)
{
    CN_NEED(err, w, def, has_room);
    CN_TRY(cn_world_take(w, __func__, err));
    cn_status status = cn_bodies_add(&w->bodies, def, err);
    if (status == CN_OK) {
        int last = w->bodies.count - 1;
        w->is_set_up = false;
        cn_world_use_workspace(w, CN_WORKSPACE_DETECTION);
        status = cn_world_find_points(w, 0.0, err);
        *has_room = status == CN_OK && !is_met(w, last);
        cn_world_use_workspace(w, CN_WORKSPACE_NOBODY);
        cn_bodies_remove(&w->bodies, last);
    }
    cn_world_give(w);
    return status;
}
