// solve/sweep/nncg.c -- nonsmooth nonlinear conjugate gradients on sweeps, theory 13.1.
//
// d = change of r in one sweep plays the part of the negative gradient. The momentum p of r has an
// image in w, carried along because the map is linear. All sweeps go the same way: momentum of one
// direction is none of the other.
#include <string.h>

#include "base/tasks.h"
#include "solve/sweep/open_contacts.h"
#include "solve/sweep/simd/loops.h"

enum {
    ITERATIONS_BETWEEN_REBUILDS = 100,
    ITERATIONS_BETWEEN_VISITS = 8 // to contacts that are idle
};
// Growth of the change at which the direction is given up.
static const double growth_most = 1.1, growth_symmetric = 1.0;

enum { BLOCK = 1024 };

// |x - y|^2.
static double distance2(int count, const double *x, const double *y)
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
    if (cn_is_even(p, start, end)) {
        int row = p->row_start[start];
        return cn_loops_pick()->change(end - start, p->dim, s->W_diag + start, p->r + row,
                                       s->r_old + row);
    }
    for (int a = start; a < end; a++) {
        int row = p->row_start[a], rows = p->row_start[a + 1] - row;
        sum += s->W_diag[a] * distance2(rows, p->r + row, s->r_old + row);
    }
    return sum; // W_diag of a free constraint is 0
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

static void copy_numbers(int count, const double *from, double *to, int thread_count)
{
    CN_SHARED_FOR(thread_count, (schedule(static)), k, count, { to[k] = from[k]; });
}

// A step along the momentum, which takes up the last change.
static void push_along(int count, double beta, double *x_old, double *x, double *p,
                       int thread_count)
{
    const cn_loops *loops = cn_loops_pick();
    int blocks = (count + BLOCK - 1) / BLOCK;
    CN_SHARED_FOR(thread_count, (schedule(static)), n, blocks, {
        int start = BLOCK * n, size = count - start < BLOCK ? count - start : BLOCK;
        loops->push(size, beta, x_old + start, x + start, p + start);
    });
}

// The iterate is the old one, without a direction: the next push takes the change alone.
static void forget_direction(cn_solver *s, const cn_problem *p, cn_momentum *m)
{
    copy_numbers(p->row_start[p->contact_count], p->r, s->r_old, s->thread_count);
    copy_numbers(s->dof_count, s->w, s->w_old, s->thread_count);
    m->is_fresh = true;
}

// Whether sweeps are to go forward and back where nothing follows them: in chains of few bodies,
// and over stored rows, whose blocks reach further than to neighbours.
static bool needs_return(const cn_problem *p)
{
    return p->W.rows.row != NULL || p->contact_count < CN_PROX_SMALL;
}

void cn_momentum_reset(cn_solver *s, const cn_problem *p, bool is_symmetric, cn_momentum *m)
{
    *m = (cn_momentum){.is_symmetric = is_symmetric};
    memset(s->r_momentum, 0, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    memset(s->w_momentum, 0, sizeof(double) * (size_t)s->dof_count);
    forget_direction(s, p, m);
}

int cn_momentum_sweep(cn_solver *s, const cn_problem *p, cn_momentum *m)
{
    bool is_full = m->iteration % ITERATIONS_BETWEEN_VISITS == 0;
    for (int back = 0; back <= m->is_symmetric; back++) {
        if (is_full) {
            cn_sweep(s, p, back == 1);
        } else {
            cn_sweep_closed(s, p, back == 1);
        }
    }
    if (is_full) {
        cn_open_contacts_update(s, p);
    }
    m->g = size_of_change(s, p);
    return 1 + m->is_symmetric;
}

void cn_momentum_push(cn_solver *s, const cn_problem *p, cn_momentum *m)
{
    double beta = m->g_old > 0.0 ? m->g / m->g_old : 0.0;
    if (beta > (m->is_symmetric ? growth_symmetric : growth_most)) {
        forget_direction(s, p, m); // the direction no longer helps: restart from the swept point
    } else {
        beta = m->is_fresh ? 0.0 : (beta < 1.0 ? beta : 1.0);
        m->is_fresh = false;
        push_along(p->row_start[p->contact_count], beta, s->r_old, p->r, s->r_momentum,
                   s->thread_count);
        push_along(s->dof_count, beta, s->w_old, s->w, s->w_momentum, s->thread_count);
    }
    m->g_old = m->g;
    m->iteration++;
    if (m->iteration % ITERATIONS_BETWEEN_REBUILDS == 0) {
        cn_solver_apply(s, p, p->r);
        copy_numbers(s->dof_count, s->w, s->w_old, s->thread_count);
    }
}

cn_status cn_nncg(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    (void)err;
    cn_momentum m;
    cn_momentum_reset(s, p, needs_return(p), &m);
    for (;;) {
        progress->sweep_count += cn_momentum_sweep(s, p, &m);
        progress->iteration_count++;
        progress->change = m.g;
        if (cn_progress_check(progress, s, p)) {
            return CN_OK;
        }
        cn_momentum_push(s, p, &m);
    }
}
