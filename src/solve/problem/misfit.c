// solve/problem/misfit.c -- backward error: what an inexact answer is the exact answer of; theory
// 8.29, 8.30.
#include "cairn/misfit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/problem/diagonals.h"
#include "solve/problem/parallel.h"
#include "solve/problem/project.h"

// Vectors by row; impulses and velocities are those of cores, moments over their lengths (8.16).
typedef struct misfit_work {
    double *r, *u;        // of the answer: r', u'
    double *r_cone;       // r' - z
    double *u_law;        // u' that obeys the laws with that
    double *delta;        // u_law less the velocities of r_cone
    double *r_all, *u_w;  // r' - z without offsets, and its velocities
    const int *row_start; // of the problem
} misfit_work;

enum { VECTORS = 7 };

static misfit_work lay_out(const cn_problem *p, double *at)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    return (misfit_work){at,
                         at + rows,
                         at + 2 * rows,
                         at + 3 * rows,
                         at + 4 * rows,
                         at + 5 * rows,
                         at + 6 * rows,
                         p->row_start};
}

// r' and u' of the cores at the impulses r, with the velocities u.
static void enter_cores(const cn_problem *p, const double *r, const double *u, double *r_core,
                        double *u_core)
{
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        r_core[k] = r[k] + cn_row_or_zero(p->r0, k);
        u_core[k] = u[k] + cn_row_or_zero(p->b, k) + cn_row_or_zero(p->c, k) * r_core[k];
    }
}

static double size_of(int rows, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < rows; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

// P_K(r - m u~).
static void project(const cn_set *set, double m, const double *r, const double *u, double *y)
{
    double x[CN_ROW_MAX] = {0};
    for (int k = 0; k < set->rows; k++) {
        x[k] = r[k] - m * u[k];
    }
    x[0] -= m * cn_set_shift(set, u);
    cn_set_project(set, x, y);
}

// (8.29) of one constraint: r_cone = P_K(r - m u~), and u with it so that the law is obeyed.
static void obey(const cn_set *set, double m, const double *r, const double *u, double *r_cone,
                 double *u_law)
{
    project(set, m, r, u, r_cone);
    double shift = cn_set_shift(set, u);
    for (int k = 0; k < set->rows; k++) {
        u_law[k] = u[k] - (r[k] - r_cone[k]) / m;
    }
    if (set->kind == CN_CORE_CONE) {
        u_law[0] += shift - cn_set_shift(set, u_law); // both know tangential rows alone
    }
}

// What is known of a constraint that can move; false: it takes no part.
static bool take_set(const cn_solver *s, const cn_problem *p, int a, cn_set *set)
{
    *set = cn_problem_set(p, a, p->row_start[a + 1] - p->row_start[a]);
    return p->kind[a] != CN_CORE_FREE && s->W_diag[a] > 0.0;
}

// Steepest slope of a cone: by how much the shift may change with a velocity.
static double slope_of(const cn_set *set)
{
    cn_cone_discs discs = cn_set_discs(set);
    double slope2 = 0.0;
    for (int k = 0; k < discs.count && set->kind == CN_CORE_CONE; k++) {
        slope2 += discs.disc[k].mu * discs.disc[k].mu;
    }
    return sqrt(slope2);
}

// Enters constraint a; z and wz are z_a/m_a and (W' z)_a. `rounding` is what of a velocity may be.
static void add_constraint(const cn_set *set, double w_a, double rounding, int a,
                           const misfit_work *x, cn_misfit *out)
{
    int row = x->row_start[a];
    double again[CN_ROW_MAX], z[CN_ROW_MAX], wz[CN_ROW_MAX], work = 0.0;
    const double *delta = x->delta + row, *r_cone = x->r_cone + row;
    project(set, 1.0 / w_a, r_cone, x->u_law + row, again);
    for (int k = 0; k < set->rows; k++) {
        again[k] -= r_cone[k];
        z[k] = w_a * (x->r[row + k] - r_cone[k]);
        wz[k] = x->u[row + k] - (x->u_law[row + k] - delta[k]);
        work += r_cone[k] * delta[k];
    }
    double size = size_of(set->rows, delta);
    double bound =
        (1.0 + slope_of(set)) * size_of(set->rows, z) + size_of(set->rows, wz) + rounding; // (8.30)
    out->violation = fmax(out->violation, w_a * size_of(set->rows, again));
    out->bound = size > 0.0 ? fmax(out->bound, size / bound) : out->bound;
    out->mean += size * size;
    out->energy += work;
    out->energy_all += fabs(work);
    if (size > out->most) {
        out->most = size;
        out->worst = a;
    }
}

// r_cone and u_law of every constraint; what takes no part keeps what it has.
static void obey_all(const cn_solver *s, const cn_problem *p, misfit_work *x)
{
    size_t size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    memcpy(x->r_cone, x->r, size);
    memcpy(x->u_law, x->u, size);
    for (int a = 0; a < p->contact_count; a++) {
        cn_set set;
        int row = p->row_start[a];
        if (take_set(s, p, a, &set)) {
            obey(&set, 1.0 / s->W_diag[a], x->r + row, x->u + row, x->r_cone + row, x->u_law + row);
        }
    }
}

static void sum_up(const cn_solver *s, const cn_problem *p, const misfit_work *x, cn_misfit *out)
{
    int count = 0;
    double wr2 = 0.0;
    for (int a = 0; a < p->contact_count; a++) {
        int row = p->row_start[a], rows = p->row_start[a + 1] - row;
        double wr = s->W_diag[a] * size_of(rows, x->r + row);
        wr2 += wr * wr;
    }
    double rounding = 8.0 * DBL_EPSILON * sqrt(wr2); // as residuals have it
    *out = (cn_misfit){.worst = -1};
    for (int a = 0; a < p->contact_count; a++) {
        cn_set set;
        if (take_set(s, p, a, &set)) {
            add_constraint(&set, s->W_diag[a], rounding, a, x, out);
            count++;
        }
    }
    out->mean = sqrt(out->mean / (count > 0 ? count : 1));
}

// Rows for the caller: moments as such again.
static void hand_over(const cn_solver *s, const cn_problem *p, const misfit_work *x,
                      const cn_misfit_rows *rows)
{
    for (int a = 0; a < p->contact_count; a++) {
        int start = p->row_start[a], count = p->row_start[a + 1] - start;
        bool has_moments = p->kind[a] == CN_CORE_CONE && cn_has_moments(p->dim, count);
        for (int k = 0; k < count; k++) {
            double length = has_moments && k >= p->dim ? s->length[a] : 1.0;
            if (rows->r != NULL) {
                rows->r[start + k] = x->r_cone[start + k] * length;
            }
            if (rows->u != NULL) {
                rows->u[start + k] = x->u_law[start + k] / length;
            }
            if (rows->delta != NULL) {
                rows->delta[start + k] = x->delta[start + k] / length;
            }
        }
    }
}

static cn_status find(const cn_problem *p, cn_solver *solver, misfit_work *x, cn_misfit *out,
                      cn_error *err)
{
    CN_TRY(cn_problem_velocity(p, solver, x->u_w, err));
    CN_TRY(cn_find_diagonals(solver, p, err));
    enter_cores(p, p->r, x->u_w, x->r, x->u);
    obey_all(solver, p, x);
    cn_problem obeyed = *p;
    obeyed.r = x->r_all;
    int rows = p->row_start[p->contact_count];
    for (int k = 0; k < rows; k++) {
        x->r_all[k] = x->r_cone[k] - cn_row_or_zero(p->r0, k);
    }
    CN_TRY(cn_problem_velocity(&obeyed, solver, x->u_w, err));
    enter_cores(p, x->r_all, x->u_w, x->r_all, x->delta);
    for (int k = 0; k < rows; k++) {
        x->delta[k] = x->u_law[k] - x->delta[k];
    }
    sum_up(solver, p, x, out);
    return CN_OK;
}

cn_status cn_problem_misfit(const cn_problem *p, cn_solver *solver, const cn_misfit_rows *rows,
                            cn_misfit *misfit, cn_error *err)
{
    CN_NEED(err, p, solver, misfit);
    CN_TRY(cn_problem_check(p, 1, err));
    size_t size = (size_t)p->row_start[p->contact_count];
    if (cn_has_parallel(p, 0, (int)size)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the misfit of a problem with terms beside its cores is not known");
    }
    cn_problem scaled;
    double *at = NULL;
    size_t capacity = 0;
    CN_TRY(cn_scale_moments(solver, p, &scaled, err));
    scaled.k = NULL;
    CN_TRY(cn_reserve(&solver->hooks, &at, &capacity, VECTORS * size + 1, err));
    misfit_work x = lay_out(&scaled, at);
    cn_status status = find(&scaled, solver, &x, misfit, err);
    if (status == CN_OK && rows != NULL) {
        hand_over(solver, p, &x, rows);
    }
    cn_release(&solver->hooks, at);
    return status;
}
