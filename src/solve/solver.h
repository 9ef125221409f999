// solve/solver.h -- what the files of solve/ share: packed constraints and the iterate.
#pragma once

#include "base/memory.h"
#include "cairn/solver.h"
#include "solve/discs.h"

// One constraint as a sweep reads it. G is read from the problem in place; the other numbers start
// at `at` in the stream:
//     W' (rows x rows), 1/det W' or the roots x of a cone (5.13, 5.16), shift (rows)
// with shift = u_free + b - W_aa r0, so that u'_rest = shift + G^T w - W_aa r (5.4). A side without
// a body has no degrees of freedom.
typedef struct cn_packed {
    int a;        // constraint in the problem
    int row;      // first row
    int G_i, G_j; // blocks in the problem's G
    int w_i, w_j; // first entry of both bodies in w
    int at;       // in units of doubles
    signed char kind, rows, dof_i, dof_j;
    double mu;
} cn_packed;

// Numbers between W' and the shift.
static inline int cn_packed_aids(const cn_problem *p, const cn_packed *c)
{
    return c->kind == CN_CORE_CONE && cn_has_moments(p->dim, c->rows) ? CN_DISC_MAX : 1;
}

struct cn_solver {
    cn_hooks hooks;
    cn_packed *packed;
    double *stream;
    double *w; // A^1/2 (v - v_free) of all bodies
    double *w_old, *w_momentum;
    double *r_old, *r_momentum, *r_best;
    double *u;
    double *W_diag; // w_a: mean diagonal of W_aa + c, without rows of moments (5.8, 5.18)
    double *length; // l_a of constraints with moments, else 1 (5.18) [m]
    int *order;
    size_t packed_capacity, stream_capacity, w_capacity, w_old_capacity, w_momentum_capacity;
    size_t r_old_capacity, r_momentum_capacity, r_best_capacity, u_capacity, W_diag_capacity;
    size_t order_capacity, length_capacity;
    int packed_count; // constraints that are not free
    int dof_count;
    int cone_rows; // 2 or 3: all packed constraints are cones of so many rows on rigid bodies, no
                   // stored rows; 0: a mixture
};

// Checks the problem for NaN, bad indices and rows.
cn_status cn_problem_check(const cn_problem *p, cn_error *err);

// Builds the packed form for the given order of visits.
cn_status cn_solver_pack(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                         cn_error *err);

// One sweep over packed constraints, forward or backward (5.3): updates p->r and s->w.
void cn_sweep(cn_solver *s, const cn_problem *p, bool is_backward);

// w = G r, from scratch (5.4).
void cn_solver_apply(cn_solver *s, const cn_problem *p, const double *r);

// u = u_free + G^T w + stored rows times r, of packed constraints.
void cn_solver_velocity(const cn_solver *s, const cn_problem *p, const double *r, double *u);

// Progress of an iteration: when to measure, what is best, when to give up.
typedef struct cn_watch {
    const cn_solver_def *def;
    int sweep_count, sweep_next; // measure when sweep_count reaches sweep_next
    int iteration_count, factorization_count;
    int sweep_halved;            // when the best residual last halved
    double err_best, err_halved; // times the accepted errors
    int patience;                // stalled when the best residual has not halved in so many sweeps
    bool is_converged, is_stalled;
    int chain_count;
    cn_method chain[CN_CHAIN_MAX]; // the methods that ran
    cn_residual residual; // of the last measured iterate; if converged, with w built anew from it
} cn_watch;

// Measures if it is time to, keeps the best iterate in s->r_best; true: stop.
bool cn_watch_check(cn_watch *watch, cn_solver *s, const cn_problem *p);

// The iterations: from the impulses in p->r and the matching s->w to the best iterate in s->r_best.
// Work is counted in sweeps: one visit to every constraint, or one product with W. An error is for
// what stops the call (no memory); not converging is none.
cn_status cn_nlgs(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_nncg(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);

// One line of the table of methods (table.c).
typedef struct cn_method_row {
    const char *name;
    cn_status (*iterate)(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
    int patience; // give up when the best residual has not halved in so many sweeps
} cn_method_row;
const cn_method_row *cn_method_find(cn_method method);

// Runs a method from the impulses in p->r and adds it to the chain: what chains of methods call.
cn_status cn_watch_run(cn_watch *watch, cn_method method, cn_solver *s, const cn_problem *p,
                       cn_error *err);

// Weights of constraint a from its block W': W_diag and length.
void cn_solver_weigh(cn_solver *s, const cn_problem *p, int a, const double *W);

// The residual of p->r and u, with the diagonal blocks of the packed form.
void cn_solver_residual(const cn_solver *s, const cn_problem *p, const double *u, cn_residual *out);

// W_aa of constraint a, without compliance.
void cn_problem_block(const cn_problem *p, int a, double *W_aa);
