// solve/sleep/islands.c -- see islands.h. Islands are trees of bodies whose roots are their first
// bodies, so they do not depend on the order of the constraints.
#include "solve/sleep/islands.h"

#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "solve/problem/parallel.h"
#include "solve/sleep/locked.h"

// Miss of the normal part of the law alone, as a velocity. With a huge coefficient of friction the
// natural map (8.8) of an approaching contact without impulse is nearly zero; this is not.
static double normal_miss(const cn_solver *s, const cn_problem *p, int a)
{
    int row = p->row_start[a];
    double w_a = s->W_diag[a], r_n = cn_core_impulse(p, row, s->u[row]);
    double u_n = s->u[row] + cn_row_or_zero(p->b, row) + cn_row_or_zero(p->c, row) * r_n;
    return fabs(w_a * r_n - fmax(w_a * r_n - u_n, 0.0));
}

bool cn_sleep_misses_by(const cn_solver *s, const cn_problem *p, int a, double limit)
{
    if (!(s->W_diag[a] > 0.0)) {
        return false;
    }
    bool is_met = cn_solver_miss(s, p, s->u, a) <= limit; // false where it is not a number
    return !is_met || (p->kind[a] == CN_CORE_CONE && !(normal_miss(s, p, a) <= limit));
}

bool cn_sleep_misses(const cn_solver *s, const cn_problem *p, int a, const cn_sleep_limits *limits)
{
    bool is_locked = cn_is_locked(s, p, a);
    return cn_sleep_misses_by(s, p, a, is_locked ? limits->still : limits->loose);
}

// Names the island of every body: its first body. Stored rows link constraints directly, and so
// does a cell under stress; then all bodies are one island, and so are problems without bodies.
static void link_bodies(cn_solver *s, const cn_problem *p)
{
    const cn_factors *f = &p->W.factors;
    bool is_one = p->W.rows.row != NULL || f->cell != NULL;
    for (int i = 0; i < f->body_count; i++) {
        s->island[i] = is_one ? 0 : i;
    }
    for (int n = 0; n < s->packed_count && !is_one && f->body_count > 0; n++) {
        const int *body = f->body + 2 * s->packed[n].a;
        if (body[0] >= 0 && body[1] >= 0) {
            int i = cn_island_root(s->island, body[0]), j = cn_island_root(s->island, body[1]);
            s->island[i > j ? i : j] = i > j ? j : i;
        }
    }
    for (int i = 0; i < f->body_count; i++) { // roots come first
        s->island[i] = s->island[s->island[i]];
    }
}

// The island of constraint a; one of its own behind all others if no body of it can move.
static int island_of(const cn_solver *s, const cn_problem *p, int a)
{
    const cn_factors *f = &p->W.factors;
    if (p->W.rows.row != NULL || p->W.factors.cell != NULL) {
        return 0;
    }
    const int *body = f->body + 2 * a;
    int i = f->body_count == 0 ? -1 : (body[0] >= 0 ? body[0] : body[1]);
    return i >= 0 ? s->island[i] : f->body_count;
}

static cn_status reserve_islands(cn_solver *s, const cn_problem *p, cn_error *err)
{
    size_t count = (size_t)p->contact_count, bodies = (size_t)p->W.factors.body_count;
    CN_TRY(cn_reserve(&s->hooks, &s->kind_awake, &s->kind_awake_capacity, count, err));
    CN_TRY(cn_reserve(&s->hooks, &s->island, &s->island_capacity, bodies + 1, err));
    return cn_reserve(&s->hooks, &s->is_awake, &s->is_awake_capacity, bodies + 1, err);
}

// Marks the constraints that miss; those of the island that is known to be awake are not asked.
static void mark_awake(cn_solver *s, const cn_problem *p, int known, const cn_sleep_limits *limits)
{
    memset(s->kind_awake, CN_CORE_FREE, (size_t)p->contact_count);
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, s->packed_count, {
        const cn_packed *c = &s->packed[n];
        if (island_of(s, p, c->a) == known || cn_sleep_misses(s, p, c->a, limits)) {
            s->kind_awake[c->a] = (unsigned char)c->kind;
        }
    });
}

cn_status cn_islands_find_asleep(cn_solver *s, const cn_problem *p, const cn_sleep_limits *limits,
                                 int worst, int *frozen, cn_error *err)
{
    size_t islands = (size_t)p->W.factors.body_count + 1;
    CN_TRY(reserve_islands(s, p, err));
    link_bodies(s, p);
    bool is_missed = worst >= 0 && cn_sleep_misses(s, p, worst, limits);
    mark_awake(s, p, is_missed ? island_of(s, p, worst) : -1, limits);
    memset(s->is_awake, false, islands * sizeof *s->is_awake);
    for (int n = 0; n < s->packed_count; n++) {
        int a = s->packed[n].a;
        if (s->kind_awake[a] != CN_CORE_FREE) {
            s->is_awake[island_of(s, p, a)] = true;
        }
    }
    *frozen = 0;
    for (int n = 0; n < s->packed_count; n++) {
        int a = s->packed[n].a;
        bool is_frozen = !s->is_awake[island_of(s, p, a)];
        s->kind_awake[a] = is_frozen ? CN_CORE_FREE : p->kind[a];
        *frozen += is_frozen;
    }
    return CN_OK;
}

cn_problem cn_islands_split(cn_solver *s, const cn_problem *p)
{
    int awake_count = 0, count = s->packed_count;
    for (int n = 0; n < count; n++) { // those awake keep their order
        cn_packed c = s->packed[n];
        if (s->kind_awake[c.a] != CN_CORE_FREE) {
            s->packed[n] = s->packed[awake_count];
            s->packed[awake_count++] = c;
        }
    }
    s->packed_count = awake_count;
    cn_problem awake = *p;
    awake.kind = s->kind_awake;
    return awake;
}
