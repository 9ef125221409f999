// solve/nncg.c -- nonsmooth nonlinear conjugate gradients on the symmetric sweep, theory 5.5.
//
// d = change of r in one forward and one backward sweep plays the part of the negative gradient.
// The momentum p of r has an image in w, carried along because the map is linear.
#include <string.h>

#include "base/share.h"
#include "solve/idle.h"

enum {
    ITERATIONS_BETWEEN_REBUILDS = 100,
    ITERATIONS_BETWEEN_VISITS = 8 // to contacts that are idle
};

enum { BLOCK = 1024 };

static double change_of_block(const cn_solver *s, const cn_problem *p, int start)
{
    double sum = 0.0;
    int end = start + BLOCK < p->contact_count ? start + BLOCK : p->contact_count;
    for (int a = start; a < end; a++) {
        double size2 = 0.0;
        for (int k = p->row_start[a]; k < p->row_start[a + 1]; k++) {
            double d = p->r[k] - s->r_old[k];
            size2 += d * d;
        }
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

// x += beta p, p = beta p + d with d = x - x_old.
static void push_block(int count, double beta, const double *x_old, double *x, double *p)
{
    for (int k = 0; k < count; k++) {
        double d = x[k] - x_old[k];
        x[k] += beta * p[k];
        p[k] = beta * p[k] + d;
    }
}

static void push(int count, double beta, const double *x_old, double *x, double *p,
                 int thread_count)
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

void cn_momentum_reset(cn_solver *s, const cn_problem *p, cn_momentum *m)
{
    *m = (cn_momentum){0};
    memset(s->r_momentum, 0, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    memset(s->w_momentum, 0, sizeof(double) * (size_t)s->dof_count);
}

void cn_momentum_sweep(cn_solver *s, const cn_problem *p, cn_momentum *m)
{
    copy(p->row_start[p->contact_count], p->r, s->r_old, s->thread_count);
    copy(s->dof_count, s->w, s->w_old, s->thread_count);
    if (m->iteration % ITERATIONS_BETWEEN_VISITS == 0) {
        cn_sweep(s, p, false);
        cn_sweep(s, p, true);
        cn_idle_update(s, p);
    } else {
        cn_sweep_busy(s, p, false);
        cn_sweep_busy(s, p, true);
    }
    m->g = size_of_change(s, p);
}

void cn_momentum_push(cn_solver *s, const cn_problem *p, cn_momentum *m)
{
    double g = m->g, beta = m->g_old > 0.0 ? g / m->g_old : 0.0;
    int iteration = m->iteration + 1;
    if (beta > 1.0) { // the direction no longer helps: restart from the swept point
        cn_momentum_reset(s, p, m);
    } else {
        push(p->row_start[p->contact_count], beta, s->r_old, p->r, s->r_momentum, s->thread_count);
        push(s->dof_count, beta, s->w_old, s->w, s->w_momentum, s->thread_count);
    }
    *m = (cn_momentum){.g_old = g, .iteration = iteration};
    if (iteration % ITERATIONS_BETWEEN_REBUILDS == 0) {
        cn_solver_apply(s, p, p->r);
    }
}

cn_status cn_nncg(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    (void)err;
    cn_momentum m;
    cn_momentum_reset(s, p, &m);
    for (;;) {
        cn_momentum_sweep(s, p, &m);
        watch->sweep_count += 2;
        watch->iteration_count++;
        watch->change = m.g;
        if (cn_watch_check(watch, s, p)) {
            return CN_OK;
        }
        cn_momentum_push(s, p, &m);
    }
}
