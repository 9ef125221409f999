// solve/prox.c -- NNCG inside a proximal loop: the solver for rigid packings, theory 5.32.
//
// Every cone becomes a stiff spring about a centre rc,
//     u' = u + a_c (r - rc),   a_c = w_a / c
// which makes the inner problem one that NNCG solves at a linear rate; then the centre moves to the
// solution and the springs vanish in the limit. In the terms of a core this is compliance c + a_c
// and shift b - a_c (rc + r0), so the sweeps do not know about it.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "solve/project.h"
#include "solve/solver.h"

static const double inner_share = 0.6; // of the residual of the true law, for the inner one

// c grows in small problems, where accurate centres are cheap.
enum { SMALL_COUNT = 1000 };
static const double c_large = 1000.0, c_small = 300.0, c_growth = 1.5, c_most = 1e5;

// The softened problem: p with other shifts and compliances, same impulses.
typedef struct softened {
    cn_problem problem;
    double *b, *c, *centre;
    double *W_diag; // of the true problem, by constraint
    double hardness;
} softened;

// b = b_p - a_c (rc + r0) for the centre rc.
static void place_shift(const cn_solver *s, const cn_problem *p, softened *soft)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *x = &s->packed[n];
        for (int k = x->row; k < x->row + x->rows; k++) {
            double softness = soft->c[k] - cn_row_or_zero(p->c, k);
            double offset = cn_row_or_zero(p->r0, k);
            soft->b[k] = cn_row_or_zero(p->b, k) - softness * (soft->centre[k] + offset);
        }
    }
}

// Compliances for the hardness c, centre as it is; packed anew. The residual keeps the weights of
// the true problem.
static cn_status soften(cn_solver *s, const cn_problem *p, const cn_solver_def *def, softened *soft,
                        cn_error *err)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *x = &s->packed[n];
        for (int k = x->row; k < x->row + x->rows; k++) {
            soft->c[k] = cn_row_or_zero(p->c, k) + soft->W_diag[x->a] / soft->hardness;
        }
    }
    place_shift(s, p, soft);
    CN_TRY(cn_solver_pack(s, &soft->problem, def, err));
    memcpy(s->W_diag, soft->W_diag, sizeof(double) * (size_t)p->contact_count);
    return CN_OK;
}

// rc = r: shifts follow, in the packed form too.
static void move_centre(cn_solver *s, const cn_problem *p, softened *soft)
{
    memcpy(soft->centre, p->r, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    place_shift(s, p, soft);
    cn_solver_reshift(s, &soft->problem);
}

// NNCG on the softened problem until its residual is a share of that of the true law. True: the
// watch says stop.
static bool solve_inside(cn_solver *s, const cn_problem *p, const softened *soft, cn_watch *watch)
{
    cn_momentum m;
    cn_momentum_reset(s, p, &m);
    for (int k = 1, next = 1;; k++) {
        cn_momentum_sweep(s, &soft->problem);
        watch->sweep_count += 2;
        watch->iteration_count++;
        watch->sweep_next = k == next ? 0 : INT_MAX;
        if (cn_watch_check(watch, s, p)) {
            return true;
        }
        if (k == next) {
            cn_residual inner;
            next = k + 3 + k / 10;
            cn_solver_residual(s, &soft->problem, s->u, &inner);
            double rest = cn_watch_distance(watch, &inner);
            if (rest <= inner_share * cn_watch_distance(watch, &watch->residual)) {
                return false;
            }
        }
        cn_momentum_push(s, &soft->problem, &m);
    }
}

static cn_status iterate(cn_solver *s, const cn_problem *p, softened *soft, cn_watch *watch,
                         cn_error *err)
{
    bool is_small = p->contact_count < SMALL_COUNT;
    soft->hardness = is_small ? c_small : c_large;
    CN_TRY(soften(s, p, watch->def, soft, err));
    while (!solve_inside(s, p, soft, watch)) {
        move_centre(s, p, soft);
        if (is_small && soft->hardness < c_most) {
            soft->hardness = fmin(c_growth * soft->hardness, c_most);
            CN_TRY(soften(s, p, watch->def, soft, err));
        }
    }
    return CN_OK;
}

cn_status cn_prox(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    double *work;
    CN_TRY(cn_solver_work(s, 3 * rows + (size_t)p->contact_count, &work, err));
    softened soft = {.problem = *p,
                     .b = work,
                     .c = work + rows,
                     .centre = work + 2 * rows,
                     .W_diag = work + 3 * rows};
    memset(work, 0, sizeof(double) * 2 * rows); // free constraints have none
    memcpy(soft.centre, p->r, sizeof(double) * rows);
    memcpy(soft.W_diag, s->W_diag, sizeof(double) * (size_t)p->contact_count);
    soft.problem.b = soft.b;
    soft.problem.c = soft.c;
    cn_status status = iterate(s, p, &soft, watch, err);
    // What comes next sees the problem as it was.
    return status == CN_OK ? cn_solver_pack(s, p, watch->def, err) : status;
}
