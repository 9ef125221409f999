// solve/direct/gradient.c -- projected gradient with the shift of De Saxce taken where the step
// starts, theory 13.2.
#include "solve/direct/gradient.h"

#include "solve/problem/project.h"

static const double step_least = 1e-10; // below it the test of the length is rounding

void cn_gradient_velocity(const cn_problem *p, const cn_packed *c, const double *r, const double *u,
                          double *u_shifted)
{
    cn_set set = cn_problem_set(p, c->a, c->rows);
    for (int k = 0; k < c->rows; k++) {
        int row = c->row + k;
        double r_core = r[row] + cn_row_or_zero(p->r0, row);
        u_shifted[k] = u[row] + cn_row_or_zero(p->b, row) + cn_row_or_zero(p->c, row) * r_core;
    }
    u_shifted[0] += cn_set_shift(&set, u_shifted);
}

// P_K(r' - t m u~) and its velocity.
static void project_step(cn_solver *s, const cn_problem *p, const double *r, const double *u,
                         double t)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        double x[CN_ROW_MAX] = {0};
        double step = s->W_diag[c->a] > 0.0 ? t / s->W_diag[c->a] : 0.0;
        cn_gradient_velocity(p, c, r, u, x);
        for (int k = 0; k < c->rows; k++) {
            x[k] = r[c->row + k] + cn_row_or_zero(p->r0, c->row + k) - step * x[k];
        }
        cn_set_project(&set, x, p->r + c->row);
        for (int k = c->row; k < c->row + c->rows; k++) {
            p->r[k] -= cn_row_or_zero(p->r0, k);
        }
    }
    cn_solver_apply(s, p, p->r);
    cn_solver_velocity(s, p, p->r, s->u);
}

// d . W' d <= sum w_a |d_a|^2 / t for the change d: the step is not longer than the curvature
// allows.
static bool is_short_enough(const cn_solver *s, const cn_problem *p, const double *r,
                            const double *u, double t)
{
    double curvature = 0.0, size = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            double d = p->r[k] - r[k];
            size += s->W_diag[c->a] * d * d;
            curvature += d * (s->u[k] - u[k] + cn_row_or_zero(p->c, k) * d);
        }
    }
    return curvature <= size / t;
}

void cn_gradient_step(cn_solver *s, const cn_problem *p, const double *r, const double *u,
                      double *t, cn_solve_progress *progress)
{
    for (;; *t *= 0.5) {
        project_step(s, p, r, u, *t);
        progress->sweep_count++;
        if (*t < step_least || is_short_enough(s, p, r, u, *t)) {
            return;
        }
    }
}
