// solve/classic/newton.c -- generalized Newton method on the equations of Alart and Curnier,
// theory 13.27 to 13.29.
//
// The law of a contact is an equation F(u, r) = 0 that is smooth but for the changes of status, so
// that Newton's method applies with any one of its derivatives. W is singular in most problems:
// stiff springs about a centre that follows make every system regular (regularize.h). A step that
// does not lessen |F| enough is shortened; where even that fails, sweeps bring the iterate
// elsewhere.
#include <math.h>
#include <string.h>

#include "solve/direct/linear_system.h"
#include "solve/problem/project.h"
#include "solve/sweep/regularize.h"

static const double inner_share = 0.3; // of the residual of the true law, for the inner one
static const double hardness_first = 1e3, hardness_growth = 4.0, hardness_most = 1e9;
static const double enough = 1e-4; // of the decrease that the slope promises
enum { NEWTON_MAX = 25, HALVINGS_MAX = 8, RESCUE_SWEEPS = 10 };

// F of one constraint and its derivatives: dF = A du' + B dr'. All row-major.
typedef struct equation {
    double F[CN_ROW_MAX], A[CN_ROW_MAX * CN_ROW_MAX], B[CN_ROW_MAX * CN_ROW_MAX];
} equation;

static void set_diagonal(int rows, int k, double a, double b, equation *e)
{
    e->A[rows * k + k] = a;
    e->B[rows * k + k] = b;
}

// Rows of one disc of a contact that pushes with x_n > 0 (13.27): stick, or slide along x_t.
static void set_disc(int rows, const cn_cone_disc *disc, double m, const double *x, const double *u,
                     const double *r, equation *e)
{
    int first = disc->first, end = first + disc->size;
    double mu = disc->mu, length2 = 0.0, bound = mu * x[0];
    for (int k = first; k < end; k++) {
        length2 += x[k] * x[k];
    }
    double length = sqrt(length2), share = bound / length;
    if (length <= bound) {
        for (int k = first; k < end; k++) {
            e->F[k] = m * u[k];
            set_diagonal(rows, k, m, 0.0, e);
        }
        return;
    }
    double d[CN_ROW_MAX] = {0};
    for (int i = first; i < end; i++) {
        d[i] = x[i] / length;
        e->F[i] = r[i] - bound * d[i];
        e->A[rows * i] = mu * m * d[i];
        e->B[rows * i] = -mu * d[i];
    }
    for (int i = first; i < end; i++) {
        for (int k = first; k < end; k++) {
            double across = share * ((i == k) - d[i] * d[k]);
            e->A[rows * i + k] = m * across;
            e->B[rows * i + k] = (i == k) - across;
        }
    }
}

static void set_cone(const cn_set *set, double m, const double *u, const double *r, equation *e)
{
    int rows = set->rows;
    double x[CN_ROW_MAX] = {0};
    for (int k = 0; k < rows; k++) {
        x[k] = r[k] - m * u[k];
    }
    if (!(x[0] > 0.0)) { // open
        for (int k = 0; k < rows; k++) {
            e->F[k] = r[k];
            set_diagonal(rows, k, 0.0, 1.0, e);
        }
        return;
    }
    e->F[0] = m * u[0];
    set_diagonal(rows, 0, m, 0.0, e);
    cn_cone_discs discs = cn_set_discs(set);
    for (int k = 0; k < discs.count; k++) {
        set_disc(rows, &discs.disc[k], m, x, u, r, e);
    }
}

// The equation of a constraint at (u', r') with the weight m.
static void set_equation(const cn_set *set, double m, const double *u, const double *r, equation *e)
{
    memset(e, 0, sizeof *e);
    if (set->kind == CN_CORE_CONE) {
        set_cone(set, m, u, r, e);
        return;
    }
    for (int k = 0; k < set->rows; k++) {
        double x = r[k] - m * u[k];
        bool is_bound = set->kind == CN_CORE_BOUNDED && fabs(x) > set->mu;
        e->F[k] = is_bound ? r[k] - copysign(set->mu, x) : m * u[k];
        set_diagonal(set->rows, k, is_bound ? 0.0 : m, is_bound ? 1.0 : 0.0, e);
    }
}

// An iterate of the softened problem: r' and u', by row; the step and what it does to u'.
typedef struct newton {
    cn_solver *s;
    const cn_problem *p; // softened
    double *r, *u;
    double *step, *u_step;
    double *rhs;
    double size; // sum w_a |F_a|^2
} newton;

// u' and r' of a packed constraint, a way t along the step.
static void take(const newton *z, const cn_packed *c, double t, double *u, double *r)
{
    for (int k = 0; k < c->rows; k++) {
        r[k] = z->r[c->row + k] + t * z->step[c->row + k];
        u[k] = z->u[c->row + k] + t * z->u_step[c->row + k];
    }
}

static double weight_of(const newton *z, const cn_packed *c)
{
    double w = z->s->W_diag[c->a];
    return w > 0.0 ? 1.0 / w : 1.0;
}

// sum w_a |F_a|^2 at r' + t step.
static double size_at(const newton *z, double t)
{
    double sum = 0.0;
    for (int n = 0; n < z->s->packed_count; n++) {
        const cn_packed *c = &z->s->packed[n];
        cn_set set = cn_problem_set(z->p, c->a, c->rows);
        double u[CN_ROW_MAX], r[CN_ROW_MAX];
        equation e;
        take(z, c, t, u, r);
        set_equation(&set, weight_of(z, c), u, r, &e);
        for (int k = 0; k < c->rows; k++) {
            sum += e.F[k] * e.F[k] / weight_of(z, c);
        }
    }
    return sum;
}

// r' = r + r0 and u' = u + b + c r' from the impulses in p->r.
static void load(newton *z)
{
    const cn_problem *p = z->p;
    cn_solver_apply(z->s, p, p->r);
    cn_solver_velocity(z->s, p, p->r, z->u);
    for (int n = 0; n < z->s->packed_count; n++) {
        const cn_packed *c = &z->s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            z->r[k] = p->r[k] + cn_row_or_zero(p->r0, k);
            z->u[k] += cn_row_or_zero(p->b, k) + p->c[k] * z->r[k];
        }
    }
    z->size = size_at(z, 0.0);
}

// p->r = P_K(r') - r0, which is what is measured and returned.
static void show(const newton *z)
{
    const cn_problem *p = z->p;
    for (int n = 0; n < z->s->packed_count; n++) {
        const cn_packed *c = &z->s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        cn_set_project(&set, z->r + c->row, p->r + c->row);
        for (int k = c->row; k < c->row + c->rows; k++) {
            p->r[k] -= cn_row_or_zero(p->r0, k);
        }
    }
    cn_solver_apply(z->s, p, p->r);
}

// X = M^-1 X for `columns` columns, by elimination with row exchanges; M is lost.
static void divide(int rows, double *M, int columns, double *X)
{
    for (int k = 0; k < rows; k++) {
        int best = k;
        for (int i = k + 1; i < rows; i++) {
            best = fabs(M[rows * i + k]) > fabs(M[rows * best + k]) ? i : best;
        }
        for (int j = 0; j < rows + columns; j++) {
            double *from = j < rows ? &M[rows * best + j] : &X[columns * best + j - rows];
            double *to = j < rows ? &M[rows * k + j] : &X[columns * k + j - rows];
            double swap = *from;
            *from = *to;
            *to = swap;
        }
        for (int i = 0; i < rows; i++) {
            double f = i == k ? 0.0 : M[rows * i + k] / M[rows * k + k];
            for (int j = k; j < rows; j++) {
                M[rows * i + j] -= f * M[rows * k + j];
            }
            for (int j = 0; j < columns; j++) {
                X[columns * i + j] -= f * X[columns * k + j];
            }
        }
    }
    for (int k = 0; k < rows * columns; k++) {
        X[k] /= M[(rows + 1) * (k / columns)];
    }
}

// (B + A (W + c)) step = -F: over rows M = B + A c, N = A; over bodies both divided by M (13.29).
static void place_block(newton *z, int n)
{
    cn_linear_system *system = z->s->system;
    const cn_packed *c = &z->s->packed[n];
    cn_set set = cn_problem_set(z->p, c->a, c->rows);
    equation e;
    int rows = c->rows, size = rows * rows;
    set_equation(&set, weight_of(z, c), z->u + c->row, z->r + c->row, &e);
    double *rhs = z->rhs + c->row;
    for (int k = 0; k < rows; k++) {
        rhs[k] = -e.F[k];
    }
    for (int k = 0; k < size; k++) {
        e.B[k] += e.A[k] * z->p->c[c->row + k % rows];
    }
    if (system->is_stored) {
        memcpy(system->M + system->block_at[n], e.B, sizeof(double) * (size_t)size);
        memcpy(system->N + system->block_at[n], e.A, sizeof(double) * (size_t)size);
        return;
    }
    double M[CN_ROW_MAX * CN_ROW_MAX];
    memcpy(M, e.B, sizeof M);
    divide(rows, M, rows, e.A);
    divide(rows, e.B, 1, rhs);
    memcpy(system->E + system->block_at[n], e.A, sizeof(double) * (size_t)size);
}

// The step of Newton and its u'.
static cn_status find_step(newton *z, cn_solve_progress *progress, cn_error *err)
{
    for (int n = 0; n < z->s->packed_count; n++) {
        place_block(z, n);
    }
    z->s->system->has_N = z->s->system->is_stored;
    progress->factorization_count++;
    CN_TRY(cn_system_factor(z->s, z->p, CN_FACTOR_LU, err));
    CN_TRY(cn_system_solve(z->s, z->p, z->rhs, z->step, z->u_step, err));
    for (int n = 0; n < z->s->packed_count; n++) {
        const cn_packed *c = &z->s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            z->u_step[k] += z->p->c[k] * z->step[k];
        }
    }
    return CN_OK;
}

// The first of 1, 1/2, 1/4, ... that lessens |F|^2 by a share of what the slope promises; 0: none.
static double find_length(const newton *z)
{
    double t = 1.0;
    for (int k = 0; k < HALVINGS_MAX; k++, t *= 0.5) {
        if (size_at(z, t) <= (1.0 - 2.0 * enough * t) * z->size) {
            return t;
        }
    }
    return 0.0;
}

static void advance(newton *z, double t)
{
    for (int n = 0; n < z->s->packed_count; n++) {
        const cn_packed *c = &z->s->packed[n];
        double u[CN_ROW_MAX], r[CN_ROW_MAX];
        take(z, c, t, u, r);
        memcpy(z->r + c->row, r, sizeof *r * (size_t)c->rows);
        memcpy(z->u + c->row, u, sizeof *u * (size_t)c->rows);
    }
    z->size = size_at(z, 0.0);
}

// Sweeps from the best that F says nothing about.
static void rescue(newton *z, cn_solve_progress *progress)
{
    show(z);
    for (int k = 0; k < RESCUE_SWEEPS; k++) {
        cn_sweep(z->s, z->p, k % 2 == 1);
    }
    progress->sweep_count += RESCUE_SWEEPS;
    load(z);
}

// Newton on the softened problem until its residual is a share of that of the true law `p`. *stops:
// progress ends.
static cn_status solve_inside(newton *z, const cn_problem *p, cn_solve_progress *progress,
                              bool *stops, cn_error *err)
{
    load(z);
    *stops = false;
    for (int k = 0; k < NEWTON_MAX; k++) {
        memset(z->step, 0, sizeof(double) * (size_t)p->row_start[p->contact_count]);
        memset(z->u_step, 0, sizeof(double) * (size_t)p->row_start[p->contact_count]);
        CN_TRY(find_step(z, progress, err));
        double t = find_length(z);
        if (t > 0.0) {
            advance(z, t);
        } else {
            rescue(z, progress);
        }
        progress->iteration_count++;
        progress->sweep_count += 4;
        progress->sweep_next = 0;
        show(z);
        *stops = cn_progress_check(progress, z->s, p);
        cn_residual inner;
        cn_solver_residual(z->s, z->p, z->s->u, &inner);
        double rest = cn_progress_distance(progress, &inner);
        if (*stops || rest <= inner_share * cn_progress_distance(progress, &progress->residual)) {
            return CN_OK;
        }
    }
    return CN_OK;
}

static cn_status iterate(newton *z, const cn_problem *p, cn_regularized *soft,
                         cn_solve_progress *progress, cn_error *err)
{
    for (bool stops = false; !stops;) {
        CN_TRY(solve_inside(z, p, progress, &stops, err));
        double hardness = fmin(hardness_growth * soft->hardness, hardness_most);
        CN_TRY(cn_regularize_move(z->s, p, progress->def, hardness, soft, err));
    }
    return CN_OK;
}

cn_status cn_newton(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    double *work;
    cn_regularized soft;
    CN_TRY(cn_solver_work(s, 5 * rows + cn_regularize_work(p), &work, err));
    CN_TRY(cn_regularize_begin(s, p, progress->def, hardness_first, work + 5 * rows, &soft, err));
    CN_TRY(cn_system_begin(s, &soft.problem, err));
    memset(work, 0, sizeof *work * 5 * rows);
    newton z = {.s = s,
                .p = &soft.problem,
                .r = work,
                .u = work + rows,
                .step = work + 2 * rows,
                .u_step = work + 3 * rows,
                .rhs = work + 4 * rows};
    CN_TRY(iterate(&z, p, &soft, progress, err));
    return cn_regularize_end(s, p, progress->def, err);
}
