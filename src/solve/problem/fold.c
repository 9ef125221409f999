// solve/problem/fold.c -- see fold.h.
#include "solve/problem/fold.h"

#include <string.h>

#include "solve/direct/linear_system.h"
#include "solve/problem/parallel.h"

// Arrays by row.
typedef struct folding {
    double *r;      // r' of the iterate
    double *u_free; // at r' = 0
    double *work;
    double *best, *guess; // r_best and r_guess as they were,
    double *best_entered; // and r' of the first
} folding;

enum { ARRAYS = 6 };

static folding arrays_of(const cn_solver *s, const cn_problem *p)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    double *x = s->fold.numbers;
    return (folding){.r = x,
                     .u_free = x + rows,
                     .work = x + 2 * rows,
                     .best = x + 3 * rows,
                     .guess = x + 4 * rows,
                     .best_entered = x + 5 * rows};
}

void cn_fold_release(cn_fold *fold, const cn_hooks *hooks)
{
    cn_system_destroy(fold->system);
    cn_release(hooks, fold->numbers);
    cn_release(hooks, fold->dense);
    cn_release(hooks, fold->blocks);
}

// The factor of B(k), in a system of its own.
static cn_status factor_parallel(cn_solver *s, const cn_problem *p, cn_error *err)
{
    cn_linear_system *main = s->system;
    s->system = s->fold.system;
    s->fold.k = p->k;
    cn_status status = cn_system_begin(s, p, err);
    if (status == CN_OK) {
        cn_linear_system *k = s->system;
        k->has_failed = false;
        memset(k->E, 0, sizeof *k->E * (size_t)k->block_at[s->packed_count]);
        status = cn_system_factor(s, p, CN_FACTOR_CHOLESKY, err);
    }
    s->fold.system = s->system;
    s->system = main;
    return status;
}

void cn_fold_columns(const cn_solver *s, double *w)
{
    if (s->fold.is_active && cn_system_solve_columns(s->fold.system, w, NULL) != CN_OK) {
        s->fold.system->has_failed = true;
    }
}

void cn_fold_apply(cn_solver *s, const cn_problem *p)
{
    const cn_linear_system *k = s->fold.system;
    const cn_factors *f = &p->W.factors;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < f->body_count; i++) {
            int block = k->block_of[i];
            if (block < 0) {
                continue;
            }
            double *w = s->w + cn_solver_body_start(s, f, i), *y = k->rhs + k->block_start[block];
            size_t size = sizeof *w * (size_t)(f->dof_start[i + 1] - f->dof_start[i]);
            memcpy(pass == 0 ? y : w, pass == 0 ? w : y, size);
        }
        if (pass == 0) {
            cn_fold_columns(s, k->rhs);
        }
    }
}

// x <- r' to start from, of the impulses x.
static void to_core(cn_solver *s, const cn_problem *p, double *x)
{
    cn_solver_apply(s, p, x);
    cn_solver_velocity(s, p, x, s->u);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double W[CN_ROW_MAX * CN_ROW_MAX], r[CN_ROW_MAX];
        for (int k = 0; k < c->rows; k++) {
            r[k] = x[c->row + k] + cn_row_or_zero(p->r0, c->row + k);
        }
        if (cn_has_parallel(p, c->row, c->rows)) {
            cn_problem_block(p, c->a, W);
            cn_parallel_guess(p, c->a, W, x + c->row, s->u + c->row, r);
        }
        memcpy(x + c->row, r, sizeof *r * (size_t)c->rows);
    }
}

// What impulses r miss of r' = x: x - r - r0 - k u. The folded operator must be off.
static void find_missing(cn_solver *s, const cn_problem *p, const double *x, const double *r,
                         double *missing)
{
    cn_solver_apply(s, p, r);
    cn_solver_velocity(s, p, r, s->u);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            missing[k] = x[k] - r[k] - cn_row_or_zero(p->r0, k) - p->k[k] * s->u[k];
        }
    }
}

// r += (I + k W)^-1 missing.
static void correct(cn_solver *s, const cn_problem *p, const double *missing, double *r)
{
    s->fold.is_active = true;
    cn_solver_apply(s, p, missing);
    cn_solver_velocity(s, p, missing, s->u);
    s->fold.is_active = false;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            r[k] += missing[k] - p->k[k] * (s->u[k] - p->u_free[k]);
        }
    }
}

// r of impulses x = r' of the contacts: (I + k W) r = x - r0 - k u_free. Stiff terms lose digits of
// k u, which corrections bring back.
static void from_core(cn_solver *s, const cn_problem *p, const double *x, double *work, double *r)
{
    enum { CORRECTIONS = 3 };
    for (int n = 0; n < s->packed_count; n++) {
        memset(r + s->packed[n].row, 0, sizeof *r * (size_t)s->packed[n].rows);
    }
    for (int k = 0; k < CORRECTIONS; k++) {
        find_missing(s, p, x, r, work);
        correct(s, p, work, r);
    }
}

// u of r' = 0.
static void find_free(cn_solver *s, const cn_problem *p, const folding *x)
{
    int rows = p->row_start[p->contact_count];
    memcpy(x->u_free, p->u_free, sizeof(double) * (size_t)rows);
    for (int k = 0; k < rows; k++) {
        x->work[k] = -cn_row_or_zero(p->r0, k) - p->k[k] * p->u_free[k];
    }
    s->fold.is_active = true;
    cn_solver_apply(s, p, x->work);
    cn_solver_velocity(s, p, x->work, x->u_free);
}

cn_status cn_fold_enter(cn_solver *s, const cn_problem *p, cn_problem *folded, cn_error *err)
{
    *folded = *p;
    if (p->k == NULL) {
        return CN_OK;
    }
    if (p->W.rows.row != NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "bonds over stored rows: there is no memory for the operator between them; "
                       "take nncg");
    }
    size_t rows = (size_t)p->row_start[p->contact_count], size = sizeof(double) * rows;
    CN_TRY(cn_reserve(&s->hooks, &s->fold.numbers, &s->fold.numbers_capacity, ARRAYS * rows, err));
    cn_status status = factor_parallel(s, p, err);
    if (status != CN_OK) {
        s->fold.k = NULL;
        return status;
    }
    folding x = arrays_of(s, p);
    memcpy(x.r, p->r, size);
    memcpy(x.best, s->r_best, size);
    memcpy(x.guess, s->r_guess, size);
    to_core(s, p, x.r);
    to_core(s, p, s->r_best);
    to_core(s, p, s->r_guess);
    memcpy(x.best_entered, s->r_best, size);
    find_free(s, p, &x);
    s->fold.u_free = p->u_free;
    folded->r = x.r;
    folded->u_free = x.u_free;
    folded->r0 = folded->k = NULL;
    cn_solver_apply(s, folded, folded->r);
    cn_solver_velocity(s, folded, folded->r, s->u);
    return CN_OK;
}

cn_status cn_fold_leave(cn_solver *s, const cn_problem *p, const cn_problem *folded,
                        cn_status status, cn_error *err)
{
    if (p->k == NULL || s->fold.k == NULL) {
        return status;
    }
    size_t size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    folding x = arrays_of(s, p);
    s->fold.is_active = false;
    bool is_best = memcmp(folded->r, s->r_best, size) == 0;
    from_core(s, p, folded->r, x.work, p->r);
    if (memcmp(s->r_best, x.best_entered, size) == 0) { // not a bit of it is to change
        memcpy(s->r_best, x.best, size);
    } else if (is_best) {
        memcpy(s->r_best, p->r, size);
    } else {
        memcpy(x.best_entered, s->r_best, size);
        from_core(s, p, x.best_entered, x.work, s->r_best);
    }
    memcpy(s->r_guess, x.guess, size);
    s->fold.k = s->fold.u_free = NULL;
    cn_solver_apply(s, p, p->r);
    cn_solver_velocity(s, p, p->r, s->u);
    if (status == CN_OK && s->fold.system->has_failed) {
        return cn_fail(err, CN_NO_MEMORY, "no memory to solve with the matrix of bonds");
    }
    return status;
}

cn_status cn_fold_run(cn_iterate_fn *iterate, cn_solver *s, const cn_problem *p,
                      struct cn_solve_progress *progress, cn_error *err)
{
    cn_problem folded;
    CN_TRY(cn_fold_enter(s, p, &folded, err));
    return cn_fold_leave(s, p, &folded, iterate(s, &folded, progress, err), err);
}
