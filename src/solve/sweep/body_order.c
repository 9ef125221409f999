// solve/sweep/body_order.c -- where bodies stand in w.
//
// Memory serves accesses that follow each other much faster than scattered ones, even where these
// are asked for in time. So bodies stand in w in the order in which constraints name them
// first, which is that of visits, whatever their numbers. Results do not depend on it. What fits in
// a cache stays as it is.
#include <string.h>

#include "base/tasks.h"
#include "solve/solver.h"

// Whether all bodies have as many degrees of freedom as the first.
static bool is_uniform(const cn_factors *f)
{
    int dof = f->body_count > 0 ? f->dof_start[1] : 0;
    for (int i = 0; i < f->body_count; i++) {
        if (f->dof_start[i + 1] != dof * (i + 1)) {
            return false;
        }
    }
    return true;
}

cn_status cn_body_order_find(cn_solver *s, const cn_problem *p, cn_error *err)
{
    const cn_factors *f = &p->W.factors;
    s->has_body_order = p->contact_count >= CN_MANY && f->body_count > 0 && is_uniform(f);
    if (!s->has_body_order) {
        return CN_OK;
    }
    CN_TRY(
        cn_reserve(&s->hooks, &s->body_start, &s->body_start_capacity, (size_t)f->body_count, err));
    int dof = f->dof_start[1], next = 0;
    memset(s->body_start, 0xff, sizeof *s->body_start * (size_t)f->body_count);
    for (int k = 0; k < 2 * p->contact_count; k++) {
        int body = f->body[k];
        if (body >= 0 && s->body_start[body] < 0) {
            s->body_start[body] = next;
            next += dof;
        }
    }
    for (int i = 0; i < f->body_count; i++) {
        if (s->body_start[i] < 0) {
            s->body_start[i] = next;
            next += dof;
        }
    }
    return CN_OK;
}

cn_status cn_body_order_copy_roots(cn_solver *s, const cn_problem *p, cn_error *err)
{
    const cn_factors *f = &p->W.factors;
    size_t count = CN_ROOT_SIZE * (size_t)f->body_count;
    CN_TRY(cn_reserve(&s->hooks, &s->root, &s->root_capacity, count, err));
    CN_SHARED_FOR(s->thread_count, (schedule(static)), i, f->body_count, {
        memcpy(s->root + 2 * s->body_start[i], f->root + CN_ROOT_SIZE * i,
               CN_ROOT_SIZE * sizeof(double));
    });
    return CN_OK;
}
