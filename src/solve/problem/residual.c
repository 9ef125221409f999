// solve/problem/residual.c -- one measure for all solvers, theory 8.8 to 8.10.
//
// e_a = |r' - P_K(r' - m_a u~)| / m_a is a velocity: how far contact a is from obeying its core.
#include <float.h>
#include <math.h>

#include "base/tasks.h"
#include "solve/problem/diagonals.h"
#include "solve/problem/parallel.h"
#include "solve/solver.h"
#include "solve/sweep/simd/loops.h"

static inline double square_of(int n, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * x[k];
    }
    return sum;
}

// |r - P(r - m u~)|^2 for the set P of the core: the natural map with step m (8.8).
static inline double natural_map(const cn_set *set, double m, const double *u, const double *r)
{
    int rows = set->rows;
    if (set->kind == CN_CORE_BILATERAL) {
        return m * m * square_of(rows, u);
    }
    double x[CN_ROW_MAX] = {0}, y[CN_ROW_MAX];
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

// One constraint in the variables of its core.
typedef struct measured {
    double u[CN_ROW_MAX], r[CN_ROW_MAX], u_start[CN_ROW_MAX];
} measured;

// Adds what the errors of stored problems are made of; z2 is the natural map with step m.
static inline void add_stored(const cn_set *set, double m, double z2, const measured *x, cn_sums *s)
{
    double r2 = square_of(set->rows, x->r), v2 = square_of(set->rows, x->u);
    double q2 = square_of(set->rows, x->u_start);
    s->natural2 += natural_map(set, 1.0, x->u, x->r);
    s->r2 += r2;
    s->v2 += v2;
    s->q2 += q2;
    s->z2 += z2;
    s->mu2 += m * m * q2;
    s->mv2 += m * m * v2;
}

// The same for a cone with moments: stored problems add up moments and impulses as they are, with
// the trace of the block as it is.
static void add_stored_moments(const cn_set *scaled, int dim, double w_a, double length,
                               const measured *x_scaled, cn_sums *s)
{
    cn_set set = *scaled;
    measured x = *x_scaled;
    for (int k = dim; k < set.rows; k++) {
        x.r[k] *= length;
        x.u[k] /= length;
        x.u_start[k] /= length;
    }
    for (int k = 0; k < set.discs.count; k++) {
        set.discs.disc[k].mu *= set.discs.disc[k].first < dim ? 1.0 : length;
    }
    double m = set.rows / (w_a * (dim + (set.rows - dim) / (length * length)));
    add_stored(&set, m, natural_map(&set, m, x.u, x.r), &x, s);
}

// How far r is outside of the cone.
static inline double outside_of(const cn_set *set, const double *r)
{
    if (!set->has_moments) {
        return cn_tangential(set->rows, r) - set->mu * r[0];
    }
    double worst = 0.0;
    for (int k = 0; k < set->discs.count; k++) {
        const cn_cone_disc *disc = &set->discs.disc[k];
        worst = fmax(worst, sqrt(square_of(disc->size, r + disc->first)) - disc->mu * r[0]);
    }
    return worst;
}

// Adds constraint a. `rows` is a literal where speed matters, and so is a NULL for the lengths of
// moments, in whose terms p and u are given (8.16).
static inline void measure(const cn_problem *p, const double *u, int a, int rows, double w_a,
                           const double *length, cn_sums *s)
{
    int row = p->row_start[a];
    measured x;
    for (int k = 0; k < rows; k++) {
        double b = cn_row_or_zero(p->b, row + k);
        x.r[k] = cn_core_impulse(p, row + k, u[row + k]);
        x.u[k] = u[row + k] + b + cn_row_or_zero(p->c, row + k) * x.r[k];
        x.u_start[k] = p->u_free[row + k] + b;
    }
    cn_set set = cn_problem_set_of(p, a, rows, length != NULL);
    double m_a = 1.0 / w_a;
    double z2 = natural_map(&set, m_a, x.u, x.r), e2 = z2 * w_a * w_a;
    double r2 = square_of(rows, x.r), u2 = square_of(rows, x.u_start);
    s->e2 += e2;
    s->m_e2 += m_a * e2;
    s->wr2 += w_a * w_a * r2;
    cn_scale_add(&s->scale, w_a, r2, u2);
    if (set.has_moments) {
        add_stored_moments(&set, p->dim, w_a, length[a], &x, s);
    } else {
        add_stored(&set, m_a, z2, &x, s);
    }
    if (!(e2 <= s->e2_max)) {
        s->e2_max = e2;
        s->worst = a;
    }
    if (set.kind == CN_CORE_CONE) {
        s->cone_violation = fmax(s->cone_violation, outside_of(&set, x.r));
    }
}

static void add_block(const cn_sums *block, cn_sums *total)
{
    total->e2 += block->e2;
    total->m_e2 += block->m_e2;
    total->wr2 += block->wr2;
    cn_scale_merge(&total->scale, &block->scale);
    total->natural2 += block->natural2;
    total->r2 += block->r2;
    total->v2 += block->v2;
    total->q2 += block->q2;
    total->z2 += block->z2;
    total->mu2 += block->mu2;
    total->mv2 += block->mv2;
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

enum { BLOCK = 1024 };

// Adds one constraint. A contact between bodies that cannot move has w_a = 0 and takes no part.
static void add_one(const cn_solver *s, const cn_problem *p, const double *u, int a, cn_sums *block)
{
    int rows = p->row_start[a + 1] - p->row_start[a];
    double w_a = s->W_diag[a];
    if (p->kind[a] == CN_CORE_FREE || !(w_a > 0.0)) {
        return;
    }
    if (s->has_moment_rows) {
        measure(p, u, a, rows, w_a, s->length, block);
    } else if (rows == 2) {
        measure(p, u, a, 2, w_a, NULL, block);
    } else if (rows == 3) {
        measure(p, u, a, 3, w_a, NULL, block);
    } else {
        measure(p, u, a, rows, w_a, NULL, block);
    }
}

// Whether all of a block are plain contacts, or free.
static bool is_plain(const cn_problem *p, int start, int end)
{
    unsigned kinds = 0; // those in question are 0 and 1
    for (int a = start; a < end; a++) {
        kinds |= p->kind[a];
    }
    return kinds <= CN_CORE_CONE && cn_is_even(p, start, end);
}

// Sums over one block of constraints. Sums are taken in blocks so that their error does not grow
// with the number of contacts; the blocks are fixed, so any number of threads can share them
// without changing a bit.
static cn_sums sum_block(const cn_solver *s, const cn_problem *p, const double *u, int start)
{
    cn_sums block = {.worst = -1};
    int end = start + BLOCK < p->contact_count ? start + BLOCK : p->contact_count, a = start;
    if (!s->has_moment_rows && p->k == NULL && is_plain(p, start, end)) {
        int fours = (end - start) / 4;
        cn_loops_pick()->measure(p, u, s->W_diag, start, fours, &block);
        a += 4 * fours;
    }
    for (; a < end; a++) {
        add_one(s, p, u, a, &block);
    }
    return block;
}

// Blocks of one segment, in order.
static cn_sums sum_segment(const cn_solver *s, const cn_problem *p, const double *u, int segment)
{
    cn_sums total = {.worst = -1};
    int blocks = (p->contact_count + BLOCK - 1) / BLOCK;
    for (int k = cn_segment_start(blocks, segment); k < cn_segment_start(blocks, segment + 1);
         k++) {
        cn_sums block = sum_block(s, p, u, BLOCK * k);
        add_block(&block, &total);
    }
    return total;
}

// The segments in order, whoever computed them.
static cn_sums sum_all(const cn_solver *s, const cn_problem *p, const double *u, int thread_count)
{
    cn_sums total = {.worst = -1}, part[CN_SEGMENTS];
    CN_SHARED_FOR(thread_count, (schedule(dynamic, 1)), k, CN_SEGMENTS,
                  { part[k] = sum_segment(s, p, u, k); });
    for (int k = 0; k < CN_SEGMENTS; k++) {
        add_block(&part[k], &total);
    }
    return total;
}

// A folded problem is compared with the velocities of the problem that it was made of.
static cn_problem with_scale(const cn_solver *s, const cn_problem *p)
{
    cn_problem scaled = *p;
    scaled.u_free = s->fold.u_free != NULL ? s->fold.u_free : p->u_free;
    return scaled;
}

static void residual(const cn_solver *s, const cn_problem *given, const double *u, int thread_count,
                     cn_residual *out)
{
    cn_problem scaled = with_scale(s, given), *p = &scaled;
    cn_sums total = sum_all(s, p, u, thread_count);
    double count = total.scale.count > 0 ? total.scale.count : 1;
    *out = (cn_residual){
        .e_max = sqrt(total.e2_max), .worst = total.worst, .cone_violation = total.cone_violation};
    double force = p->force_share * sqrt(total.wr2 / count);
    out->v_motion = cn_scale_velocity(&total.scale, p->v_floor);
    out->v_ref = fmax(out->v_motion, force);
    out->count = total.scale.count;
    out->z_rms = sqrt(total.z2 / count);
    double v_ref = out->v_ref > 0.0 ? out->v_ref : 1.0;
    out->err_v = out->e_max / v_ref;
    out->err_v_rms = sqrt(total.e2 / count) / v_ref;
    double energy = cn_scale_energy(&total.scale);
    out->err_e = energy > 0.0 ? sqrt(total.m_e2 / energy) : 0.0;
    out->err_natural = relative(total.natural2, fmax(total.q2, fmax(total.r2, total.v2)));
    out->miss = sqrt(total.e2);
    out->rounding = 8.0 * DBL_EPSILON * sqrt(total.wr2);
    out->err_scaled = relative(total.z2, fmax(total.mu2, fmax(total.r2, total.mv2)));
}

cn_status cn_find_diagonals(cn_solver *solver, const cn_problem *p, cn_error *err)
{
    CN_TRY(cn_reserve(&solver->hooks, &solver->W_diag, &solver->W_diag_capacity,
                      (size_t)p->contact_count, err));
    for (int a = 0; a < p->contact_count; a++) {
        double W_aa[CN_ROW_MAX * CN_ROW_MAX];
        int rows = p->row_start[a + 1] - p->row_start[a];
        cn_problem_block(p, a, W_aa);
        cn_core core = cn_problem_core(p, a);
        if (cn_has_parallel(p, p->row_start[a], rows)) {
            cn_parallel_soften(rows, core.k, W_aa);
        }
        double trace = 0.0;
        for (int k = 0; k < rows; k++) {
            trace += W_aa[rows * k + k] + core.c[k];
        }
        solver->W_diag[a] = trace / rows;
    }
    return CN_OK;
}

cn_status cn_problem_residual(const cn_problem *p, const double *u, cn_solver *solver,
                              cn_residual *out, cn_error *err)
{
    CN_NEED(err, p, u, solver, out);
    cn_problem scaled;
    CN_TRY(cn_scale_moments(solver, p, &scaled, err));
    CN_TRY(cn_find_diagonals(solver, &scaled, err));
    residual(solver, &scaled, cn_scale_moments_velocity(solver, p, u), 1, out);
    return CN_OK;
}

void cn_solver_residual(const cn_solver *s, const cn_problem *p, const double *u, cn_residual *out)
{
    residual(s, p, u, s->thread_count, out);
}

double cn_solver_miss(const cn_solver *s, const cn_problem *p, const double *u, int a)
{
    cn_sums one = {.worst = -1};
    int rows = p->row_start[a + 1] - p->row_start[a];
    measure(p, u, a, rows, s->W_diag[a], s->has_moment_rows ? s->length : NULL, &one);
    return sqrt(one.e2);
}

int cn_solver_count_above(const cn_solver *s, const cn_problem *p, const double *u, double limit)
{
    int found = 0;
    CN_SHARED_FOR(s->thread_count, (schedule(static) reduction(+ : found)), n, s->packed_count, {
        int a = s->packed[n].a;
        found += s->W_diag[a] > 0.0 && cn_solver_miss(s, p, u, a) > limit;
    });
    return found;
}
