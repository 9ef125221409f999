// solve/direct/ipm.h -- what the files of the interior-point method share.
#pragma once

#include "solve/direct/linear_system.h"
#include "solve/problem/jordan_cone.h"
#include "solve/problem/project.h"

// How a constraint takes part.
typedef enum cn_inner_kind {
    CN_INNER_CONE,
    CN_INNER_JOINT,   // u' = 0
    CN_INNER_BOUNDED, // |r'| <= mu in each row
    CN_INNER_IDLE     // nothing can move it, or it may carry nothing
} cn_inner_kind;

// Arrays by row. Of cones z = S^-1 r' and q = S u~; of other constraints z = r', and of bounded
// ones q and q_high are the pushes of both bounds, u' = q - q_high.
typedef struct cn_interior {
    double *z, *q, *dz, *dq;
    double *q_high, *dq_high; // only with bounded constraints
    double *u;                // u'
    double *p;                // residual of the kinematics
    double *lambda;           // T z = T^-1 q
    double *t;                // T^-1 k of the last right-hand side
    double *b, *x, *Wx;       // right-hand sides, and the changes of impulses and velocities
    double *w, *dw;           // over bodies: by column of the matrix
    double *E_exact;          // by block, where the factor holds the symmetric part only
    cn_scaling *scale;
    double *slope;  // 2 per constraint: ds/du_t
    double *frozen; // shift of each constraint, NULL: that of the iterate
    double *kept;   // an iterate to start again from: z, q, q_high, w
    double gap;     // mean of the products that are to vanish
    double edge;    // of q_n z_n, what q . z is not led below
    double kappa;   // of the smoothing
    int pair_count;
    bool is_lagged, is_direct; // shift of the last iterate; LU
} cn_interior;

static inline cn_inner_kind cn_inner_kind_of(const cn_solver *s, const cn_packed *c)
{
    bool is_idle = !(s->W_diag[c->a] > 0.0) || (c->kind == CN_CORE_BOUNDED && c->mu == 0.0);
    return is_idle                        ? CN_INNER_IDLE
           : c->kind == CN_CORE_CONE      ? CN_INNER_CONE
           : c->kind == CN_CORE_BILATERAL ? CN_INNER_JOINT
                                          : CN_INNER_BOUNDED;
}

// Pieces of the method (ipm.c): its arrays, ready to start, with room for shifts in *frozen;
// CN_BAD_INPUT: it does not know some of the constraints.
cn_status cn_inner_set_up(cn_solver *s, const cn_problem *p, bool is_lagged, double tol,
                          cn_interior *out, double **frozen, cn_error *err);

// More pieces: a cold start, from arrays that are zero; p->r from z, with its w;
// u' of the iterate that is shown, and its gap; one Newton step.
void cn_inner_start(const cn_solver *s, const cn_problem *p, cn_interior *m);
void cn_inner_show(cn_solver *s, const cn_problem *p, const cn_interior *m);
void cn_inner_state(const cn_solver *s, const cn_problem *p, cn_interior *m);
cn_status cn_inner_advance(cn_solver *s, const cn_problem *p, bool was_short, cn_interior *m,
                           double *length, cn_error *err);

// One convex program after the other, with frozen shifts (ipm_lagged.c); from the best iterate.
cn_status cn_inner_frozen(cn_solver *s, const cn_problem *p, cn_interior *m,
                          cn_solve_progress *progress, cn_error *err);

// Entry k of S.
static inline double cn_inner_weight(const cn_packed *c, int k)
{
    return k == 0 ? 1.0 : c->mu;
}

// Cones (ipm_cone.c): scaling, residual and blocks at the iterate (13.13 to 13.15); the right-hand
// side of the predictor, or of the corrector with its centring; the step once x or W x is known
// (13.16).
void cn_inner_cone_factor(const cn_solver *s, const cn_problem *p, int n, cn_interior *m);
void cn_inner_cone_right(const cn_solver *s, const cn_problem *p, int n, bool is_corrector,
                         double centre, cn_interior *m);
void cn_inner_cone_step(const cn_solver *s, const cn_problem *p, int n, cn_interior *m);

// The same for all others, whose rows stand alone (ipm_line.c).
void cn_inner_line_factor(const cn_solver *s, const cn_problem *p, int n, cn_interior *m);
void cn_inner_line_right(const cn_solver *s, const cn_problem *p, int n, double centre,
                         cn_interior *m);
void cn_inner_line_step(const cn_solver *s, int n, double centre, cn_interior *m);
