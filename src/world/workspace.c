// world/workspace.c -- memory that the stages of a step share.
//
// Points become contacts, the records of a solver are made anew for every problem, and what the end
// of a step needs of bodies is not read by the next one: none has to keep what it wrote, and no two
// of them run at the same time. Without this a step of 2e5 spheres needs a tenth more memory.
#include "solve/solver.h"
#include "world/world.h"

#define ARRAY(array, room) ((cn_scratch_user){(void **)&(array), &(room), sizeof *(array)})

// The array of a user that lives in block k; with array NULL there is none.
static cn_scratch_user array_of(cn_world *w, cn_workspace_user user, int k)
{
    cn_detect *d = &w->detect;
    cn_solver *s = w->solver;
    cn_bodies *b = &w->bodies;
    cn_contacts *c = &w->contacts;
    const cn_scratch_user all[CN_WORKSPACE_BLOCKS][CN_WORKSPACE_USER_COUNT] = {
        {ARRAY(d->point, d->point_capacity), ARRAY(s->batches.stream, s->batches.stream_capacity)},
        {ARRAY(d->broad.pair, d->broad.pair_capacity), ARRAY(s->packed, s->packed_capacity),
         ARRAY(c->state, c->capacity.state)},
        {ARRAY(d->box, d->box_capacity), ARRAY(s->w_old, s->w_old_capacity),
         ARRAY(b->v_solved, b->capacity.v_solved)},
        {ARRAY(d->broad.side, d->broad.side_capacity), ARRAY(s->w_momentum, s->w_momentum_capacity),
         ARRAY(b->impulse, b->capacity.impulse)},
        {ARRAY(d->drift, d->drift_capacity), ARRAY(s->w, s->w_capacity),
         ARRAY(b->v_kept, b->capacity.v_kept)},
        {ARRAY(d->touching.end, d->touching.end_capacity), ARRAY(s->r_best, s->r_best_capacity),
         ARRAY(b->q_kept, b->capacity.q_kept)},
        {ARRAY(d->motion, d->motion_capacity), ARRAY(s->W_diag, s->W_diag_capacity)},
        {ARRAY(d->broad.entry, d->broad.entry_capacity), ARRAY(s->u, s->u_capacity)},
    };
    return all[k][user];
}

void cn_world_use_workspace(cn_world *w, cn_workspace_user user)
{
    for (int k = 0; k < CN_WORKSPACE_BLOCKS && w->workspace_user != CN_WORKSPACE_NOBODY; k++) {
        cn_scratch_user from = array_of(w, w->workspace_user, k);
        if (from.array != NULL) {
            cn_scratch_take(&w->workspace[k], from);
        }
    }
    for (int k = 0; k < CN_WORKSPACE_BLOCKS && user != CN_WORKSPACE_NOBODY; k++) {
        cn_scratch_user to = array_of(w, user, k);
        if (to.array != NULL) {
            cn_scratch_give(&w->workspace[k], to);
        }
    }
    w->workspace_user = user;
}
