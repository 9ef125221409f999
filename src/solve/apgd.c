// solve/apgd.c -- accelerated projected gradient, theory 5.30 and 5.31.
//
// Matrix-free and without any order: one product with W per iteration, whose steps are loops over
// constraints and bodies. The shift of De Saxce is taken at y every time. Velocities are affine in
// the impulses, so u at y comes from the products at the last two x.
#include <math.h>
#include <string.h>

#include "solve/project.h"
#include "solve/solver.h"

static const double step_growth = 1.0 / 0.9; // after every accepted step
static const double step_least = 1e-10;      // below it the test is rounding

// What an iteration keeps; arrays by row. The newest point x+ is p->r, its velocity s->u.
typedef struct descent {
    double *x, *u_x; // the point before
    double *y, *u_y; // the point to step from
    double t;        // step, times the effective mass of each constraint
    double theta;    // of the acceleration
} descent;

// u~ at y, in the terms of the core.
static void shifted_velocity(const cn_problem *p, const cn_packed *c, const descent *g,
                             const cn_set *set, double *u)
{
    for (int k = 0; k < c->rows; k++) {
        double r = g->y[c->row + k] + cn_row_or_zero(p->r0, c->row + k);
        u[k] = g->u_y[c->row + k] + cn_row_or_zero(p->b, c->row + k) +
               cn_row_or_zero(p->c, c->row + k) * r;
    }
    u[0] += cn_set_shift(set, u);
}

static double effective_mass(const cn_solver *s, const cn_packed *c)
{
    return s->W_diag[c->a] > 0.0 ? 1.0 / s->W_diag[c->a] : 0.0;
}

// x+ = P_K(y - t m u~(y)) (5.30), and its velocity.
static void project_step(cn_solver *s, const cn_problem *p, const descent *g)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        double step = g->t * effective_mass(s, c), u[CN_ROW_MAX];
        shifted_velocity(p, c, g, &set, u);
        for (int k = 0; k < c->rows; k++) {
            u[k] = g->y[c->row + k] + cn_row_or_zero(p->r0, c->row + k) - step * u[k];
        }
        cn_set_project(&set, u, p->r + c->row);
        for (int k = 0; k < c->rows; k++) {
            p->r[c->row + k] -= cn_row_or_zero(p->r0, c->row + k);
        }
    }
    cn_solver_apply(s, p, p->r);
    cn_solver_velocity(s, p, p->r, s->u);
}

// d . W' d <= sum w_a |d_a|^2 / t with d = x+ - y: the step is not longer than the curvature
// allows.
static bool is_short_enough(const cn_solver *s, const cn_problem *p, const descent *g)
{
    double curvature = 0.0, size = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            double d = p->r[k] - g->y[k];
            size += s->W_diag[c->a] * d * d;
            curvature += d * (s->u[k] - g->u_y[k] + cn_row_or_zero(p->c, k) * d);
        }
    }
    return curvature <= size / g->t;
}

// u~(y) . (x+ - x) > 0: the momentum leads uphill.
static bool leads_uphill(const cn_solver *s, const cn_problem *p, const descent *g)
{
    double slope = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        double u[CN_ROW_MAX];
        shifted_velocity(p, c, g, &set, u);
        for (int k = 0; k < c->rows; k++) {
            slope += u[k] * (p->r[c->row + k] - g->x[c->row + k]);
        }
    }
    return slope > 0.0;
}

// The next y (5.31): beyond x+ in the direction of the last change, or x+ itself on a restart.
static void extrapolate(const cn_solver *s, const cn_problem *p, descent *g)
{
    double theta = g->theta, square = theta * theta;
    double next = 0.5 * (sqrt(square * square + 4.0 * square) - square);
    double beta = theta * (1.0 - theta) / (square + next);
    g->theta = next;
    if (leads_uphill(s, p, g)) {
        beta = 0.0;
        g->theta = 1.0;
    }
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            g->y[k] = p->r[k] + beta * (p->r[k] - g->x[k]);
            g->u_y[k] = s->u[k] + beta * (s->u[k] - g->u_x[k]);
            g->x[k] = p->r[k];
            g->u_x[k] = s->u[k];
        }
    }
}

cn_status cn_apgd(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    double *work;
    CN_TRY(cn_solver_work(s, 4 * rows, &work, err));
    descent g = {.x = work,
                 .u_x = work + rows,
                 .y = work + 2 * rows,
                 .u_y = work + 3 * rows,
                 .t = 1.0,
                 .theta = 1.0};
    cn_solver_velocity(s, p, p->r, s->u);
    memcpy(g.x, p->r, sizeof(double) * rows);
    memcpy(g.y, p->r, sizeof(double) * rows);
    memcpy(g.u_x, s->u, sizeof(double) * rows);
    memcpy(g.u_y, s->u, sizeof(double) * rows);
    for (;;) {
        project_step(s, p, &g);
        watch->sweep_count++;
        while (!is_short_enough(s, p, &g) && g.t > step_least) {
            g.t *= 0.5;
            project_step(s, p, &g);
            watch->sweep_count++;
        }
        watch->iteration_count++;
        if (cn_watch_check(watch, s, p)) {
            return CN_OK;
        }
        extrapolate(s, p, &g);
        g.t *= step_growth;
    }
}
