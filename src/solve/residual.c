// solve/residual.c -- one measure for all solvers, theory 5.8 to 5.10.
//
// e_a = |r' - P_K(r' - m_a u~)| / m_a is a velocity: how far contact a is from obeying its core.
#include <float.h>
#include <math.h>

#include "solve/project.h"
#include "solve/solver.h"

// Sums are taken in blocks so that their error does not grow with the number of contacts; the
// blocks are fixed, so any number of threads can share them without changing a bit.
typedef struct sums {
    double e2, m_e2, w_r2, wr2, m_u2, u2, natural2, r2, v2, z2, mu2, mv2;
    double e2_max, cone_violation;
    int worst, count;
} sums;

static inline double square_of(int n, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * x[k];
    }
    return sum;
}

// |r - P(r - m u~)|^2 for the set P of the core: the natural map with step m (5.8).
static inline double natural_map(const cn_set *set, double m, const double *u, const double *r)
{
    int rows = set->rows;
    if (set->kind == CN_CORE_BILATERAL) {
        return m * m * square_of(rows, u);
    }
    double x[CN_ROW_MAX], y[CN_ROW_MAX];
    for (int k = 0; k < rows; k++) {
        x[k] = r[k] - m * u[k];
    }
    x[0] -= m * cn_set_shift(set, u);
    cn_set_project(set, x, y);
    for (int k = 0; k < rows; k++) {
        y[k] -= r[k];
    }
    return square_of(rows, y);
}

// Adds constraint a, whose `rows` is a literal where speed matters.
static inline void measure(const cn_problem *p, const double *u, int a, int rows, double w_a,
                           sums *s)
{
    int row = p->row_start[a];
    double u_core[CN_ROW_MAX], r_core[CN_ROW_MAX], u_start[CN_ROW_MAX];
    for (int k = 0; k < rows; k++) {
        double b = cn_row_or_zero(p->b, row + k);
        r_core[k] = p->r[row + k] + cn_row_or_zero(p->r0, row + k);
        u_core[k] = u[row + k] + b + cn_row_or_zero(p->c, row + k) * r_core[k];
        u_start[k] = p->u_free[row + k] + b;
    }
    cn_set set = cn_problem_set(p, a, rows);
    double m_a = 1.0 / w_a;
    double z2 = natural_map(&set, m_a, u_core, r_core), e2 = z2 * w_a * w_a;
    double r2 = square_of(rows, r_core), u2 = square_of(rows, u_start);
    s->e2 += e2;
    s->m_e2 += m_a * e2;
    s->w_r2 += w_a * r2;
    s->wr2 += w_a * w_a * r2;
    s->m_u2 += m_a * u2;
    s->u2 += u2;
    s->natural2 += natural_map(&set, 1.0, u_core, r_core);
    s->r2 += r2;
    double v2 = square_of(rows, u_core);
    s->v2 += v2;
    s->z2 += z2;
    s->mu2 += m_a * m_a * u2;
    s->mv2 += m_a * m_a * v2;
    s->count++;
    if (!(e2 <= s->e2_max)) {
        s->e2_max = e2;
        s->worst = a;
    }
    if (set.kind == CN_CORE_CONE) {
        double outside = cn_tangential(rows, r_core) - set.mu * r_core[0];
        s->cone_violation = fmax(s->cone_violation, outside);
    }
}

static void add_block(const sums *block, sums *total)
{
    total->e2 += block->e2;
    total->m_e2 += block->m_e2;
    total->w_r2 += block->w_r2;
    total->wr2 += block->wr2;
    total->m_u2 += block->m_u2;
    total->u2 += block->u2;
    total->natural2 += block->natural2;
    total->r2 += block->r2;
    total->v2 += block->v2;
    total->z2 += block->z2;
    total->mu2 += block->mu2;
    total->mv2 += block->mv2;
    total->count += block->count;
    total->cone_violation = fmax(total->cone_violation, block->cone_violation);
    if (!(block->e2_max <= total->e2_max)) {
        total->e2_max = block->e2_max;
        total->worst = block->worst;
    }
}

// Square root of a ratio of squares; the error itself where there is nothing to compare it with, as
// the stored problems define it.
static double relative(double error2, double size2)
{
    double size = sqrt(size2);
    return size > DBL_EPSILON ? sqrt(error2) / size : sqrt(error2);
}

// A contact between bodies that cannot move has w_a = 0 and takes no part.
static void residual(const cn_problem *p, const double *W_diag, const double *u, int thread_count,
                     cn_residual *out)
{
    enum { BLOCK = 1024 };
    sums total = {.worst = -1};
#pragma omp parallel for ordered schedule(static, 1) num_threads(thread_count) if (thread_count > 1)
    for (int start = 0; start < p->contact_count; start += BLOCK) {
        sums block = {.worst = -1};
        int end = start + BLOCK < p->contact_count ? start + BLOCK : p->contact_count;
        for (int a = start; a < end; a++) {
            int rows = p->row_start[a + 1] - p->row_start[a];
            if (p->kind[a] == CN_CORE_FREE || !(W_diag[a] > 0.0)) {
                continue;
            }
            if (rows == 2) {
                measure(p, u, a, 2, W_diag[a], &block);
            } else if (rows == 3) {
                measure(p, u, a, 3, W_diag[a], &block);
            } else {
                measure(p, u, a, rows, W_diag[a], &block);
            }
        }
#pragma omp ordered
        add_block(&block, &total);
    }
    double count = total.count > 0 ? total.count : 1;
    *out = (cn_residual){
        .e_max = sqrt(total.e2_max), .worst = total.worst, .cone_violation = total.cone_violation};
    out->v_ref = fmax(p->v_floor, sqrt(total.u2 / count));
    if (p->v_floor == 0.0) { // a stored problem has neither gravity nor size (5.9)
        out->v_ref = fmax(out->v_ref, sqrt(total.wr2 / count));
    }
    double v_ref = out->v_ref > 0.0 ? out->v_ref : 1.0;
    out->err_v = out->e_max / v_ref;
    out->err_v_rms = sqrt(total.e2 / count) / v_ref;
    double energy = fmax(total.w_r2, total.m_u2);
    out->err_e = energy > 0.0 ? sqrt(total.m_e2 / energy) : 0.0;
    out->err_natural = relative(total.natural2, fmax(total.u2, fmax(total.r2, total.v2)));
    out->err_scaled = relative(total.z2, fmax(total.mu2, fmax(total.r2, total.mv2)));
}

cn_status cn_problem_residual(const cn_problem *p, const double *u, cn_solver *solver,
                              cn_residual *out, cn_error *err)
{
    CN_TRY(cn_reserve(&solver->hooks, &solver->W_diag, &solver->W_diag_capacity,
                      (size_t)p->contact_count, err));
    for (int a = 0; a < p->contact_count; a++) {
        double W_aa[CN_ROW_MAX * CN_ROW_MAX];
        int rows = p->row_start[a + 1] - p->row_start[a];
        cn_problem_block(p, a, W_aa);
        cn_core core = cn_problem_core(p, a);
        double trace = 0.0;
        for (int k = 0; k < rows; k++) {
            trace += W_aa[rows * k + k] + core.c[k];
        }
        solver->W_diag[a] = trace / rows;
    }
    residual(p, solver->W_diag, u, 1, out);
    return CN_OK;
}

void cn_solver_residual(const cn_solver *s, const cn_problem *p, const double *u, cn_residual *out)
{
    residual(p, s->W_diag, u, s->thread_count, out);
}
