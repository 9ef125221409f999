// solve/problem/infeasible.c -- whether impulses can grow without end and stop nothing,
// theory 8.18.
//
// Without the shift of De Saxce the problem is a convex program. It is unbounded where impulses of
// the cones hold each other, W d = 0, while the bodies approach against them, d . u_free < 0; an
// interior point then runs off along d within some twenty steps, whatever the masses. Where it
// converges there are no such impulses.
#include <math.h>

#include "solve/direct/ipm.h"
#include "solve/problem/acceptance.h"

enum { STEP_MAX = 40 };
static const double held = 1e-6;    // r . W r over - r . u_free: nothing moves
static const double against = 1e-3; // - r . u_free over what it could be at most
static const double closed = 1e-9;  // of the first gap: the program has a solution

// Whether the impulses in p->r, with their velocities in s->u, are such.
static bool is_found(const cn_solver *s, const cn_problem *p)
{
    double work = 0.0, load = 0.0, most = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double r2 = 0.0, u2 = 0.0;
        for (int k = c->row; k < c->row + c->rows; k++) {
            double r = p->r[k] + cn_row_or_zero(p->r0, k);
            double u = p->u_free[k] + cn_row_or_zero(p->b, k);
            work += r * (s->u[k] - p->u_free[k] + cn_row_or_zero(p->c, k) * r);
            load += r * u;
            r2 += r * r;
            u2 += u * u;
        }
        most += sqrt(r2) * sqrt(u2);
    }
    return isfinite(work) && load < -against * most && fabs(work) <= -held * load;
}

// Steps that may be made: as much work as was done already. 0: the matrix cannot be had.
static int steps_of(cn_solver *s, const cn_problem *p, const cn_solve_progress *progress)
{
    double bytes = INFINITY;
    if (cn_system_begin(s, p, NULL) != CN_OK ||
        cn_system_measure(s, p, s->system->is_stored ? CN_FACTOR_LU : CN_FACTOR_CHOLESKY, &bytes,
                          NULL) != CN_OK ||
        bytes > progress->def->factor_memory) {
        return 0;
    }
    int count = progress->sweep_count / (1 + cn_system_sweeps(s, p));
    return count < STEP_MAX ? count : STEP_MAX;
}

static cn_status look(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                      bool *is_infeasible, cn_error *err)
{
    cn_interior m;
    cn_error why = {0};
    *is_infeasible = false;
    int steps = s->packed_count > 0 ? steps_of(s, p, progress) : 0;
    cn_status status = CN_OK;
    double gap = INFINITY, length = 1.0;
    if (steps > 0) {
        status = cn_inner_set_up(s, p, true, progress->def->tol, &m, &m.frozen, &why);
    }
    for (int k = 0; k < steps && status == CN_OK && length > 0.0 && !*is_infeasible; k++) {
        cn_inner_show(s, p, &m);
        cn_solver_velocity(s, p, p->r, s->u);
        cn_inner_state(s, p, &m);
        *is_infeasible = is_found(s, p);
        gap = k == 0 ? closed * m.gap : gap;
        if (!(m.gap > gap) || *is_infeasible) {
            break;
        }
        status = cn_inner_advance(s, p, false, &m, &length, &why);
        progress->factorization_count++;
    }
    return status == CN_NO_MEMORY && s->system == NULL ? cn_fail(err, status, "%s", why.text)
                                                       : CN_OK;
}

cn_status cn_find_infeasible(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                             bool *is_infeasible, cn_error *err)
{
    cn_problem folded;
    CN_TRY(cn_fold_enter(s, p, &folded, err));
    return cn_fold_leave(s, p, &folded, look(s, &folded, progress, is_infeasible, err), err);
}
