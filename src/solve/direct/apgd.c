// solve/direct/apgd.c -- accelerated projected gradient, theory 13.2 and 13.3.
//
// Matrix-free and without any order: one product with W per iteration, whose steps are loops over
// constraints and bodies. The shift of De Saxce is taken at y every time. Velocities are affine in
// the impulses, so u at y comes from the products at the last two x.
#include <math.h>
#include <string.h>

#include "solve/direct/gradient.h"

static const double step_growth = 1.0 / 0.9; // after every step

// What an iteration keeps; arrays by row. The newest point x+ is p->r, its velocity s->u.
typedef struct descent {
    double *x, *u_x; // the point before
    double *y, *u_y; // the point to step from
    double t;        // step, times the effective mass of each constraint
    double theta;    // of the acceleration
} descent;

// u~(y) . (x+ - x) > 0: the momentum leads uphill.
static bool leads_uphill(const cn_solver *s, const cn_problem *p, const descent *g)
{
    double slope = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double u[CN_ROW_MAX];
        cn_gradient_velocity(p, c, g->y, g->u_y, u);
        for (int k = 0; k < c->rows; k++) {
            slope += u[k] * (p->r[c->row + k] - g->x[c->row + k]);
        }
    }
    return slope > 0.0;
}

// The next y (13.3): beyond x+ in the direction of the last change, or x+ itself on a restart.
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

cn_status cn_apgd(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
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
        cn_gradient_step(s, p, g.y, g.u_y, &g.t, progress);
        progress->iteration_count++;
        if (cn_progress_check(progress, s, p)) {
            return CN_OK;
        }
        extrapolate(s, p, &g);
        g.t *= step_growth;
    }
}
