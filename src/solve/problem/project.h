// solve/problem/project.h -- the set of impulses that a core allows, and the projection on it,
// theory 8.8.
//
// A law is u~ in K*, r' in K, u~ . r' = 0 with u~ = u' + shift n: what first-order methods, ADMM
// and the residual know of it. `rows` is a literal in the callers that must be fast.
#pragma once

#include <math.h>

#include "cairn/solver.h"
#include "solve/problem/rolling_cone.h"

// The set K of one constraint.
typedef struct cn_set {
    int kind; // cn_core_kind
    int rows;
    bool has_moments; // a cone over several discs
    double mu;
    cn_cone_discs discs; // with moments
} cn_set;

// Entry of an array that may be absent.
static inline double cn_row_or_zero(const double *array, int row)
{
    return array != NULL ? array[row] : 0.0;
}

// The set of a core.
static inline cn_set cn_core_set(const cn_core *core, int rows)
{
    cn_set set = {.kind = (int)core->kind, .rows = rows, .mu = core->mu};
    set.has_moments = set.kind == CN_CORE_CONE && cn_has_moments(core->dim, rows);
    if (set.has_moments) {
        set.discs = cn_core_discs(core, rows);
    }
    return set;
}

// The discs of a cone, with moments or without.
static inline cn_cone_discs cn_set_discs(const cn_set *set)
{
    return set->has_moments
               ? set->discs
               : (cn_cone_discs){.count = set->rows > 1, .disc = {{1, set->rows - 1, set->mu}}};
}

// The set of constraint a; `may_turn` is a literal false where no constraint has moments.
static inline cn_set cn_problem_set_of(const cn_problem *p, int a, int rows, bool may_turn)
{
    cn_set set;
    set.kind = p->kind[a];
    set.rows = rows;
    set.mu = p->mu[a];
    set.has_moments = may_turn && set.kind == CN_CORE_CONE && cn_has_moments(p->dim, rows);
    if (set.has_moments) {
        cn_core core = cn_problem_core(p, a);
        set.discs = cn_core_discs(&core, rows);
    }
    return set;
}

static inline cn_set cn_problem_set(const cn_problem *p, int a, int rows)
{
    return cn_problem_set_of(p, a, rows, true);
}

// |x_t| of a vector with its normal component first.
static inline double cn_tangential(int rows, const double *x)
{
    if (rows <= 2) {
        return rows == 2 ? fabs(x[1]) : 0.0;
    }
    double sum = 0.0;
    for (int k = 1; k < rows; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

// What De Saxce adds to the normal velocity: u~_n = u_n + mu |u_t|.
static inline double cn_set_shift(const cn_set *set, const double *u)
{
    if (set->has_moments) {
        return cn_rolling_cone_shift(&set->discs, u); // (8.12)
    }
    return set->kind == CN_CORE_CONE ? set->mu * cn_tangential(set->rows, u) : 0.0;
}

// y = P(x) on the cone |x_t| <= mu x_n.
static inline void cn_cone_project(int rows, double mu, const double *x, double *y)
{
    double t = cn_tangential(rows, x);
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

// y = P_K(x); a bilateral constraint takes any impulse, a free one none. x and y may be the same.
static inline void cn_set_project(const cn_set *set, const double *x, double *y)
{
    if (set->has_moments) {
        cn_rolling_cone_project(&set->discs, x, y); // (8.13)
        return;
    }
    switch (set->kind) {
    case CN_CORE_CONE:
        cn_cone_project(set->rows, set->mu, x, y);
        break;
    case CN_CORE_BOUNDED:
        for (int k = 0; k < set->rows; k++) {
            y[k] = fmax(-set->mu, fmin(set->mu, x[k]));
        }
        break;
    default:
        for (int k = 0; k < set->rows; k++) {
            y[k] = set->kind == CN_CORE_BILATERAL ? x[k] : 0.0;
        }
        break;
    }
}
