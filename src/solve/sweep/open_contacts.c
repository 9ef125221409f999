// solve/sweep/open_contacts.c -- see open_contacts.h.
#include "solve/sweep/open_contacts.h"

#include <string.h>

#include "solve/problem/blocks.h"
#include "solve/problem/project.h"

// r' = 0.
static bool is_zero(const cn_problem *p, const cn_packed *c)
{
    bool found = true;
    for (int k = c->row; k < c->row + c->rows; k++) {
        found = found && p->r[k] + cn_row_or_zero(p->r0, k) == 0.0;
    }
    return found;
}

cn_status cn_open_contacts_guess(cn_solver *s, const cn_problem *p, cn_error *err)
{
    size_t count = (size_t)p->contact_count;
    CN_TRY(cn_reserve(&s->hooks, &s->is_open, &s->is_open_capacity, count, err));
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        s->is_open[c->a] = c->kind == CN_CORE_CONE && is_zero(p, c) &&
                           s->u[c->row] + cn_row_or_zero(p->b, c->row) > 0.0;
    }
    return CN_OK;
}

// A cone without a normal impulse has none at all.
static bool is_open(const cn_solver *s, const cn_problem *p, const cn_batch *batch)
{
    const cn_simd_head *head = (const void *)(s->batches.stream + batch->at);
    bool found = true;
    for (int lane = 0; lane < 4; lane++) { // some repeat the first
        int n = head->row[lane];
        found = found && p->r[n] + cn_row_or_zero(p->r0, n) == 0.0;
    }
    return found;
}

// Takes the momentum of a contact away, and its image in w.
static void stop_one(cn_solver *s, const cn_problem *p, const cn_packed *c)
{
    double *momentum = s->r_momentum + c->row, back[CN_ROW_MAX];
    bool is_moving = false;
    for (int k = 0; k < c->rows; k++) {
        is_moving = is_moving || momentum[k] != 0.0;
        back[k] = -momentum[k];
        momentum[k] = 0.0;
    }
    if (!is_moving) {
        return;
    }
    const cn_factors *f = &p->W.factors;
    cn_side_scatter(f, c->a, 0, c->rows, c->dof_i, back, s->w_momentum + cn_packed_w(s, f, c, 0));
    cn_side_scatter(f, c->a, 1, c->rows, c->dof_j, back, s->w_momentum + cn_packed_w(s, f, c, 1));
}

static void stop(cn_solver *s, const cn_problem *p, const cn_batch *batch)
{
    for (int lane = 0; lane < batch->count; lane++) {
        stop_one(s, p, cn_batch_member(s, batch, lane));
    }
}

// Batches of one zone: the busy ones first, in their order.
static void part_zone(cn_solver *s, const cn_problem *p, int zone)
{
    cn_batches *b = &s->batches;
    int busy = b->zone_start[zone];
    bool has_moved = false;
    for (int n = b->zone_start[zone]; n < b->zone_start[zone + 1]; n++) {
        cn_batch batch = b->batch[n];
        if (!is_open(s, p, &batch)) {
            has_moved = has_moved || busy != n;
            b->batch[n] = b->batch[busy];
            b->batch[busy++] = batch;
        } else {
            stop(s, p, &batch);
        }
    }
    b->zone_closed[zone] = busy;
    if (has_moved) {
        cn_batches_part(b, zone);
    }
}

void cn_open_contacts_update(cn_solver *s, const cn_problem *p)
{
    for (int zone = 0; zone < s->batches.zones.zone_count; zone++) {
        part_zone(s, p, zone);
    }
}
