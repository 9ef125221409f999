// solve/nncg.c -- nonsmooth nonlinear conjugate gradients on the symmetric sweep, theory 5.5.
//
// d = change of r in one forward and one backward sweep plays the part of the negative gradient.
// The momentum p of r has an image in w, carried along because the map is linear.
#include <string.h>

#include "solve/solver.h"

enum { ITERATIONS_BETWEEN_REBUILDS = 100 };

// sum_a w_a |d_a|^2: an energy, so that large and small bodies count alike. Fixed blocks, fixed
// order.
static double size_of_change(const cn_solver *s, const cn_problem *p)
{
    enum { BLOCK = 1024 };
    double total = 0.0;
    for (int start = 0; start < s->packed_count; start += BLOCK) {
        double sum = 0.0;
        int end = start + BLOCK < s->packed_count ? start + BLOCK : s->packed_count;
        for (int n = start; n < end; n++) {
            const cn_packed *c = &s->packed[n];
            double length = s->length[c->a];
            for (int k = 0; k < c->rows; k++) {
                double d = p->r[c->row + k] - s->r_old[c->row + k];
                d = k < p->dim ? d : d / length; // moments (5.18)
                sum += s->W_diag[c->a] * d * d;
            }
        }
        total += sum;
    }
    return total;
}

// x += beta p, p = beta p + d with d = x - x_old.
static void push(int count, double beta, const double *x_old, double *x, double *p)
{
    for (int k = 0; k < count; k++) {
        double d = x[k] - x_old[k];
        x[k] += beta * p[k];
        p[k] = beta * p[k] + d;
    }
}

cn_status cn_nncg(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    (void)err;
    int rows = p->row_start[p->contact_count];
    size_t rows_size = sizeof(double) * (size_t)rows;
    size_t dofs_size = sizeof(double) * (size_t)s->dof_count;
    memset(s->r_momentum, 0, rows_size);
    memset(s->w_momentum, 0, dofs_size);
    double g_old = 0.0;
    for (int k = 1;; k++) {
        memcpy(s->r_old, p->r, rows_size);
        memcpy(s->w_old, s->w, dofs_size);
        cn_sweep(s, p, false);
        cn_sweep(s, p, true);
        watch->sweep_count += 2;
        watch->iteration_count++;
        if (cn_watch_check(watch, s, p)) {
            return CN_OK;
        }
        double g = size_of_change(s, p);
        double beta = g_old > 0.0 ? g / g_old : 0.0;
        g_old = g;
        if (beta > 1.0) { // the direction no longer helps: restart from the swept point
            memset(s->r_momentum, 0, rows_size);
            memset(s->w_momentum, 0, dofs_size);
        } else {
            push(rows, beta, s->r_old, p->r, s->r_momentum);
            push(s->dof_count, beta, s->w_old, s->w, s->w_momentum);
        }
        if (k % ITERATIONS_BETWEEN_REBUILDS == 0) {
            cn_solver_apply(s, p, p->r);
        }
    }
}
