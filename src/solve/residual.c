// solve/residual.c -- one measure for all solvers, theory 5.8 to 5.10.
//
// e_a = |r' - P_K(r' - m_a u~)| / m_a is a velocity: how far contact a is from obeying its core.
#include <math.h>

#include "solve/local.h"
#include "solve/solver.h"

// Sums are taken in blocks so that their error does not grow with the number of contacts; the
// blocks are fixed, so any number of threads can share them without changing a bit.
typedef struct sums {
    double e2, m_e2, w_r2, wr2, m_u2, u2, natural2, r2, v2, q2;
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

// |x_t| of a vector with its normal component first.
static inline double tangential(int rows, const double *x)
{
    return rows == 2 ? fabs(x[1]) : sqrt(square_of(rows - 1, x + 1));
}

// Projection on the cone |x_t| <= mu x_n.
static inline void project_cone(int rows, double mu, const double *x, double *y)
{
    double t = tangential(rows, x);
    double scale_n, scale_t;
    if (mu * t <= -x[0]) { // first, so that x_n < 0 = t is outside even with mu = 0
        scale_n = scale_t = 0.0;
    } else if (t <= mu * x[0]) {
        scale_n = x[0];
        scale_t = 1.0;
    } else {
        scale_n = (x[0] + mu * t) / (1.0 + mu * mu);
        scale_t = mu * scale_n / t;
    }
    y[0] = scale_n;
    for (int k = 1; k < rows; k++) {
        y[k] = scale_t * x[k];
    }
}

// |r - P(r - m u~)|^2 for the set P of the core: the natural map with step m (5.8).
static inline double natural_map(int kind, double mu, int rows, double m, const double *u,
                                 const double *r)
{
    double x[CN_ROW_MAX], y[CN_ROW_MAX];
    for (int k = 0; k < rows; k++) {
        x[k] = r[k] - m * u[k];
    }
    switch (kind) {
    case CN_CORE_CONE:
        x[0] -= m * mu * tangential(rows, u);
        project_cone(rows, mu, x, y);
        break;
    case CN_CORE_BOUNDED:
        for (int k = 0; k < rows; k++) {
            y[k] = fmax(-mu, fmin(mu, x[k]));
        }
        break;
    default: // bilateral
        return m * m * square_of(rows, u);
    }
    for (int k = 0; k < rows; k++) {
        y[k] -= r[k];
    }
    return square_of(rows, y);
}

// The same for a cone with moments.
static double natural_map_discs(const cn_discs *discs, int rows, double m, const double *u,
                                const double *r)
{
    double x[CN_ROW_MAX], y[CN_ROW_MAX];
    for (int k = 0; k < rows; k++) {
        x[k] = r[k] - m * u[k];
    }
    x[0] -= m * cn_discs_shift(discs, u); // (5.14)
    cn_discs_project(discs, x, y);        // (5.15)
    for (int k = 0; k < rows; k++) {
        y[k] -= r[k];
    }
    return square_of(rows, y);
}

static inline double row_or_zero(const double *array, int row)
{
    return array != NULL ? array[row] : 0.0;
}

// One constraint in its core's variables.
typedef struct measured {
    double u[CN_ROW_MAX], r[CN_ROW_MAX], u_start[CN_ROW_MAX];
} measured;

static inline void load(const cn_problem *p, const double *u, int a, int rows, measured *x)
{
    int row = p->row_start[a];
    for (int k = 0; k < rows; k++) {
        double b = row_or_zero(p->b, row + k);
        x->r[k] = p->r[row + k] + row_or_zero(p->r0, row + k);
        x->u[k] = u[row + k] + b + row_or_zero(p->c, row + k) * x->r[k];
        x->u_start[k] = p->u_free[row + k] + b;
    }
}

// Adds a constraint with residual e whose velocities and impulses are lengths of comparable things.
static inline void add(int a, int rows, double w_a, double e2, const measured *x, sums *s)
{
    double m_a = 1.0 / w_a;
    double r2 = square_of(rows, x->r), u2 = square_of(rows, x->u_start);
    s->e2 += e2;
    s->m_e2 += m_a * e2;
    s->w_r2 += w_a * r2;
    s->wr2 += w_a * w_a * r2;
    s->m_u2 += m_a * u2;
    s->u2 += u2;
    s->count++;
    if (!(e2 <= s->e2_max)) {
        s->e2_max = e2;
        s->worst = a;
    }
}

// Adds what the unscaled error is divided by.
static inline void add_natural(int rows, double natural2, const measured *x, sums *s)
{
    s->natural2 += natural2;
    s->r2 += square_of(rows, x->r);
    s->v2 += square_of(rows, x->u);
    s->q2 += square_of(rows, x->u_start);
}

// Adds constraint a, whose `rows` is a literal where speed matters.
static inline void measure(const cn_problem *p, const double *u, int a, int rows, double w_a,
                           sums *s)
{
    measured x;
    load(p, u, a, rows, &x);
    int kind = p->kind[a];
    double mu = p->mu[a];
    add_natural(rows, natural_map(kind, mu, rows, 1.0, x.u, x.r), &x, s);
    double e2 = natural_map(kind, mu, rows, 1.0 / w_a, x.u, x.r) * w_a * w_a;
    add(a, rows, w_a, e2, &x, s);
    if (kind == CN_CORE_CONE) {
        double outside = tangential(rows, x.r) - mu * x.r[0];
        s->cone_violation = fmax(s->cone_violation, outside);
    }
}

// The same for a cone with moments: a length turns them into impulses, and angular velocities into
// velocities (5.18).
static void measure_discs(const cn_problem *p, const double *u, int a, int rows, double w_a,
                          double length, sums *s)
{
    measured x;
    load(p, u, a, rows, &x);
    cn_core core = cn_problem_core(p, a);
    cn_discs discs = cn_core_discs(&core, rows);
    add_natural(rows, natural_map_discs(&discs, rows, 1.0, x.u, x.r), &x, s);
    for (int k = p->dim; k < rows; k++) {
        x.r[k] /= length;
        x.u[k] *= length;
        x.u_start[k] *= length;
    }
    core.mu_roll /= length;
    core.mu_spin /= length;
    discs = cn_core_discs(&core, rows);
    double e2 = natural_map_discs(&discs, rows, 1.0 / w_a, x.u, x.r) * w_a * w_a;
    add(a, rows, w_a, e2, &x, s);
    for (int k = 0; k < discs.count; k++) {
        const cn_disc *disc = &discs.disc[k];
        double outside = sqrt(square_of(disc->size, x.r + disc->first)) - disc->mu * x.r[0];
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
    total->q2 += block->q2;
    total->count += block->count;
    total->cone_violation = fmax(total->cone_violation, block->cone_violation);
    if (!(block->e2_max <= total->e2_max)) {
        total->e2_max = block->e2_max;
        total->worst = block->worst;
    }
}

// A contact between bodies that cannot move has w_a = 0 and takes no part.
static void residual(const cn_problem *p, const double *W_diag, const double *length,
                     const double *u, cn_residual *out)
{
    enum { BLOCK = 1024 };
    sums total = {.worst = -1};
    for (int start = 0; start < p->contact_count; start += BLOCK) {
        sums block = {.worst = -1};
        int end = start + BLOCK < p->contact_count ? start + BLOCK : p->contact_count;
        for (int a = start; a < end; a++) {
            int rows = p->row_start[a + 1] - p->row_start[a];
            if (p->kind[a] == CN_CORE_FREE || !(W_diag[a] > 0.0)) {
                continue;
            }
            if (p->kind[a] == CN_CORE_CONE && cn_has_moments(p->dim, rows)) {
                measure_discs(p, u, a, rows, W_diag[a], length[a], &block);
            } else if (rows == 2) {
                measure(p, u, a, 2, W_diag[a], &block);
            } else if (rows == 3) {
                measure(p, u, a, 3, W_diag[a], &block);
            } else {
                measure(p, u, a, rows, W_diag[a], &block);
            }
        }
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
    double size = sqrt(fmax(total.q2, fmax(total.r2, total.v2)));
    out->err_natural = size > 0.0 ? sqrt(total.natural2) / size : 0.0;
}

void cn_solver_weigh(cn_solver *s, const cn_problem *p, int a, const double *W)
{
    int rows = p->row_start[a + 1] - p->row_start[a];
    bool has_moments = p->kind[a] == CN_CORE_CONE && cn_has_moments(p->dim, rows);
    int forces = has_moments ? p->dim : rows;
    double trace = 0.0;
    for (int k = 0; k < forces; k++) {
        trace += W[rows * k + k];
    }
    s->W_diag[a] = trace / forces;
    s->length[a] = has_moments ? cn_moment_length(p->dim, rows, W) : 1.0;
}

cn_status cn_problem_residual(const cn_problem *p, const double *u, cn_solver *solver,
                              cn_residual *out, cn_error *err)
{
    size_t count = (size_t)p->contact_count;
    CN_TRY(cn_reserve(&solver->hooks, &solver->W_diag, &solver->W_diag_capacity, count, err));
    CN_TRY(cn_reserve(&solver->hooks, &solver->length, &solver->length_capacity, count, err));
    for (int a = 0; a < p->contact_count; a++) {
        double W[CN_ROW_MAX * CN_ROW_MAX];
        int rows = p->row_start[a + 1] - p->row_start[a];
        cn_problem_block(p, a, W);
        cn_core core = cn_problem_core(p, a);
        for (int k = 0; k < rows; k++) {
            W[rows * k + k] += core.c[k];
        }
        cn_solver_weigh(solver, p, a, W);
    }
    residual(p, solver->W_diag, solver->length, u, out);
    return CN_OK;
}

void cn_solver_residual(const cn_solver *s, const cn_problem *p, const double *u, cn_residual *out)
{
    residual(p, s->W_diag, s->length, u, out);
}
