// solve/nncg.c -- nonsmooth nonlinear conjugate gradients on sweeps, theory 5.5.
//
// d = change of r in one sweep plays the part of the negative gradient. The momentum p of r has an
// image in w, carried along because the map is linear. All sweeps go the same way: momentum of one
// direction is none of the other.
#include <string.h>

#include "base/share.h"
#include "solve/idle.h"

enum {
    ITERATIONS_BETWEEN_REBUILDS = 100,
    ITERATIONS_BETWEEN_VISITS = 8 // to contacts that are idle
};
// Growth of the change at which the direction is given up.
static const double growth_most = 1.1, growth_symmetric = 1.0;

enum { BLOCK = 1024 };

// |x - y|^2; count is a literal where speed matters.
static inline double distance2(int count, const double *x, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += (x[k] - y[k]) * (x[k] - y[k]);
    }
    return sum;
}

static double change_of_block(const cn_solver *s, const cn_problem *p, int start)
{
    double sum = 0.0;
    int end = start + BLOCK < p->contact_count ? start + BLOCK : p->contact_count;
    for (int a = start; a < end; a++) {
        int row = p->row_start[a], rows = p->row_start[a + 1] - row;
        const double *r = p->r + row, *r_old = s->r_old + row;
        double size2 = rows == 3 ? distance2(3, r, r_old) : distance2(rows, r, r_old);
        sum += s->W_diag[a] * size2; // W_diag of a free constraint is 0
    }
    return sum;
}

// sum_a w_a |d_a|^2: an energy, so that large and small bodies count alike. Fixed blocks, fixed
// order.
static double size_of_change(const cn_solver *s, const cn_problem *p)
{
    double part[CN_SEGMENTS] = {0.0}, total = 0.0;
    int blocks = (p->contact_count + BLOCK - 1) / BLOCK;
    CN_SHARED_FOR(s->thread_count, (schedule(static)), k, CN_SEGMENTS, {
        for (int n = cn_segment_start(blocks, k); n < cn_segment_start(blocks, k + 1); n++) {
            part[k] += change_of_block(s, p, BLOCK * n);
        }
    });
    for (int k = 0; k < CN_SEGMENTS; k++) {
        total += part[k];
    }
    return total;
}

static void copy(int count, const double *from, double *to, int thread_count)
{
    CN_SHARED_FOR(thread_count, (schedule(static)), k, count, { to[k] = from[k]; });
}

// x += beta p, p = beta p + d with d = x - x_old; then x is the old one.
static void push_block(int count, double beta, double *x_old, double *x, double *p)
{
    for (int k = 0; k < count; k++) {
        double d = x[k] - x_old[k], x_new = x[k] + beta * p[k];
        p[k] = beta * p[k] + d;
        x[k] = x_old[k] = x_new;
    }
}

static void push(int count, double beta, double *x_old, double *x, double *p, int thread_count)
{
    if (thread_count == 1) { // parallel loops call the system even alone
        push_block(count, beta, x_old, x, p);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(thread_count)
    for (int start = 0; start < count; start += BLOCK) {
        push_block(count - start < BLOCK ? count - start : BLOCK, beta, x_old + start, x + start,
                   p + start);
    }
}

// The iterate is the old one, without a direction.
static void forget(cn_solver *s, const cn_problem *p)
{
    int rows = p->row_start[p->contact_count];
    memset(s->r_momentum, 0, sizeof(double) * (size_t)rows);
    memset(s->w_momentum, 0, sizeof(double) * (size_t)s->dof_count);
    copy(rows, p->r, s->r_old, s->thread_count);
    copy(s->dof_count, s->w, s->w_old, s->thread_count);
}

bool cn_momentum_needs_return(const cn_problem *p)
{
    return p->W.rows.row != NULL || p->contact_count < CN_PROX_SMALL;
}

void cn_momentum_reset(cn_solver *s, const cn_problem *p, bool is_symmetric, cn_momentum *m)
{
    *m = (cn_momentum){.is_symmetric = is_symmetric};
    forget(s, p);
}

int cn_momentum_sweep(cn_solver *s, const cn_problem *p, cn_momentum *m)
{
    bool is_full = m->iteration % ITERATIONS_BETWEEN_VISITS == 0;
    for (int back = 0; back <= m->is_symmetric; back++) {
        if (is_full) {
            cn_sweep(s, p, back == 1);
        } else {
            cn_sweep_busy(s, p, back == 1);
        }
    }
    if (is_full) {
        cn_idle_update(s, p);
    }
    m->g = size_of_change(s, p);
    return 1 + m->is_symmetric;
}

void cn_momentum_push(cn_solver *s, const cn_problem *p, cn_momentum *m)
{
    double beta = m->g_old > 0.0 ? m->g / m->g_old : 0.0;
    if (beta > (m->is_symmetric ? growth_symmetric : growth_most)) {
        forget(s, p); // the direction no longer helps: restart from the swept point
    } else {
        beta = beta < 1.0 ? beta : 1.0;
        push(p->row_start[p->contact_count], beta, s->r_old, p->r, s->r_momentum, s->thread_count);
        push(s->dof_count, beta, s->w_old, s->w, s->w_momentum, s->thread_count);
    }
    m->g_old = m->g;
    m->iteration++;
    if (m->iteration % ITERATIONS_BETWEEN_REBUILDS == 0) {
        cn_solver_apply(s, p, p->r);
        copy(s->dof_count, s->w, s->w_old, s->thread_count);
    }
}

cn_status cn_nncg(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    (void)err;
    cn_momentum m;
    cn_momentum_reset(s, p, cn_momentum_needs_return(p), &m);
    for (;;) {
        watch->sweep_count += cn_momentum_sweep(s, p, &m);
        watch->iteration_count++;
        watch->change = m.g;
        if (cn_watch_check(watch, s, p)) {
            return CN_OK;
        }
        cn_momentum_push(s, p, &m);
    }
}
