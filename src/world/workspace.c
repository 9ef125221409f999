// world/workspace.c -- memory that the stages of a step share.
//
// Points become contacts, the records of a solver are made anew for every problem, and what the end
// of a step needs of bodies is not read by the next one: none has to keep what it wrote, and no two
// of them run at the same time. Between stages the memory is the world's.
#include "solve/solver.h"
#include "world/world.h"

#define BORROWER(array, room) ((cn_borrower){(void **)&(array), &(room), sizeof *(array)})

// The array of a stage that loan k goes to; with array NULL there is none.
static cn_borrower borrower(cn_world *w, cn_borrowing stage, int k)
{
    cn_detect *d = &w->detect;
    cn_solver *s = w->solver;
    cn_bodies *b = &w->bodies;
    cn_contacts *c = &w->contacts;
    const cn_borrower all[CN_LOAN_COUNT][CN_BORROWING_COUNT] = {
        {BORROWER(d->point, d->point_capacity),
         BORROWER(s->batches.stream, s->batches.stream_capacity)},
        {BORROWER(d->broad.pair, d->broad.pair_capacity), BORROWER(s->packed, s->packed_capacity),
         BORROWER(c->state, c->state_capacity)},
        {BORROWER(d->box, d->box_capacity), BORROWER(s->w_old, s->w_old_capacity),
         BORROWER(b->v_solved, b->v_solved_capacity)},
        {BORROWER(d->broad.side, d->broad.side_capacity),
         BORROWER(s->w_momentum, s->w_momentum_capacity),
         BORROWER(b->impulse, b->impulse_capacity)},
        {BORROWER(d->drift, d->drift_capacity), BORROWER(s->w, s->w_capacity),
         BORROWER(b->v_kept, b->v_kept_capacity)},
        {BORROWER(d->touching.end, d->touching.end_capacity),
         BORROWER(s->r_best, s->r_best_capacity), BORROWER(b->q_kept, b->q_kept_capacity)},
        {BORROWER(d->motion, d->motion_capacity), BORROWER(s->W_diag, s->W_diag_capacity)},
        {BORROWER(d->broad.entry, d->broad.entry_capacity), BORROWER(s->u, s->u_capacity)},
    };
    return all[k][stage];
}

void cn_world_lend(cn_world *w, cn_borrowing stage)
{
    for (int k = 0; k < CN_LOAN_COUNT; k++) {
        cn_borrower to = borrower(w, stage, k);
        if (to.array != NULL) {
            cn_loan_give(&w->loan[k], to);
        }
    }
}

void cn_world_collect(cn_world *w, cn_borrowing stage)
{
    for (int k = 0; k < CN_LOAN_COUNT; k++) {
        cn_borrower from = borrower(w, stage, k);
        if (from.array != NULL) {
            cn_loan_take(&w->loan[k], from);
        }
    }
}
