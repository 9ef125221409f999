// solve/rest.c -- see rest.h. Islands are trees of bodies whose roots are their first bodies, so
// they do not depend on the order of the constraints.
#include "solve/rest.h"

#include <math.h>
#include <string.h>

#include "base/share.h"
#include "solve/project.h"

// Miss of the normal part of the law alone, as a velocity. With a huge coefficient of friction the
// natural map (5.8) of an approaching contact without impulse is nearly zero; this is not.
static double normal_miss(const cn_solver *s, const cn_problem *p, const cn_packed *c)
{
    double w_a = s->W_diag[c->a];
    double r_n = p->r[c->row] + cn_row_or_zero(p->r0, c->row);
    double u_n = s->u[c->row] + cn_row_or_zero(p->b, c->row) + cn_row_or_zero(p->c, c->row) * r_n;
    return fabs(w_a * r_n - fmax(w_a * r_n - u_n, 0.0));
}

static bool misses(const cn_solver *s, const cn_problem *p, const cn_packed *c, double limit)
{
    if (!(s->W_diag[c->a] > 0.0)) {
        return false;
    }
    bool is_met = cn_solver_miss(s, p, s->u, c->a) <= limit; // false where it is not a number
    return !is_met || (c->kind == CN_CORE_CONE && !(normal_miss(s, p, c) <= limit));
}

cn_status cn_rest_mark(cn_solver *s, const cn_problem *p, double limit, int *missing, cn_error *err)
{
    size_t count = (size_t)p->contact_count;
    int missed = 0;
    CN_TRY(cn_reserve(&s->hooks, &s->kind_awake, &s->kind_awake_capacity, count, err));
    memset(s->kind_awake, CN_CORE_FREE, count);
    CN_SHARED_FOR(s->thread_count, (schedule(static) reduction(+ : missed)), n, s->packed_count, {
        const cn_packed *c = &s->packed[n];
        if (misses(s, p, c, limit)) {
            s->kind_awake[c->a] = (unsigned char)c->kind;
            missed++;
        }
    });
    *missing = missed;
    return CN_OK;
}

// Root of the tree of a body; shortens the way for the next who asks.
static int root_of(int *up, int i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

// A body of constraint a that can move, -1: none.
static int moving_body(const cn_factors *f, int a)
{
    return f->body[2 * a] >= 0 ? f->body[2 * a] : f->body[2 * a + 1];
}

static void link_bodies(cn_solver *s, const cn_factors *f)
{
    for (int i = 0; i < f->body_count; i++) {
        s->island[i] = i;
    }
    for (int n = 0; n < s->packed_count; n++) {
        const int *body = f->body + 2 * s->packed[n].a;
        if (body[0] >= 0 && body[1] >= 0) {
            int i = root_of(s->island, body[0]), j = root_of(s->island, body[1]);
            s->island[i > j ? i : j] = i > j ? j : i;
        }
    }
}

cn_status cn_rest_split(cn_solver *s, const cn_problem *p, cn_problem *awake, int *frozen,
                        cn_error *err)
{
    const cn_factors *f = &p->W.factors;
    *awake = *p;
    *frozen = 0;
    if (p->W.rows.row != NULL || f->body_count == 0) { // stored rows link constraints directly
        return CN_OK;
    }
    size_t bodies = (size_t)f->body_count;
    CN_TRY(cn_reserve(&s->hooks, &s->island, &s->island_capacity, bodies, err));
    CN_TRY(cn_reserve(&s->hooks, &s->is_awake, &s->is_awake_capacity, bodies, err));
    memset(s->is_awake, false, bodies * sizeof *s->is_awake);
    link_bodies(s, f);
    for (int n = 0; n < s->packed_count; n++) {
        int a = s->packed[n].a, i = moving_body(f, a);
        if (s->kind_awake[a] != CN_CORE_FREE && i >= 0) {
            s->is_awake[root_of(s->island, i)] = true;
        }
    }
    for (int n = 0; n < s->packed_count; n++) {
        int a = s->packed[n].a, i = moving_body(f, a);
        bool is_frozen = i < 0 || !s->is_awake[root_of(s->island, i)];
        s->kind_awake[a] = is_frozen ? CN_CORE_FREE : p->kind[a];
        *frozen += is_frozen;
    }
    if (*frozen > 0) {
        awake->kind = s->kind_awake;
    }
    return CN_OK;
}
