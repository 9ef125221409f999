// solve/sweep/regularize.c -- springs about a centre as cores of their own, theory 13.4.
#include "solve/sweep/regularize.h"

#include <string.h>

#include "base/tasks.h"
#include "solve/problem/parallel.h"

// b = b_p - a_c (rc + r0) for the centre rc.
static void place_shift(const cn_solver *s, const cn_problem *p, cn_regularized *soft)
{
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, s->packed_count, {
        const cn_packed *x = &s->packed[n];
        for (int k = x->row; k < x->row + x->rows; k++) {
            double softness = soft->c[k] - cn_row_or_zero(p->c, k);
            double offset = cn_row_or_zero(p->r0, k);
            soft->b[k] = cn_row_or_zero(p->b, k) - softness * (soft->centre[k] + offset);
        }
    });
}

// The centre where impulses are now: r, and with it what bonds give, r' - r0.
static void place_centre(cn_solver *s, const cn_problem *p, cn_regularized *soft)
{
    memcpy(soft->centre, p->r, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    if (p->k == NULL) {
        return;
    }
    cn_solver_velocity(s, p, p->r, s->u);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *x = &s->packed[n];
        for (int k = x->row; k < x->row + x->rows; k++) {
            soft->centre[k] += p->k[k] * s->u[k];
        }
    }
}

// Compliances for the hardness, centre as it is.
static void set_compliance(const cn_solver *s, const cn_problem *p, cn_regularized *soft)
{
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, s->packed_count, {
        const cn_packed *x = &s->packed[n];
        double hardness = soft->hardness_of != NULL ? soft->hardness_of[x->a] : soft->hardness;
        for (int k = x->row; k < x->row + x->rows; k++) {
            soft->c[k] = cn_row_or_zero(p->c, k) + soft->W_diag[x->a] / hardness;
        }
    });
    place_shift(s, p, soft);
}

// The problem with springs, packed anew. The residual keeps the weights of the true problem.
static cn_status pack_regularized(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                                  cn_regularized *soft, cn_error *err)
{
    set_compliance(s, p, soft);
    CN_TRY(cn_solver_pack(s, &soft->problem, def, err));
    memcpy(s->W_diag, soft->W_diag, sizeof(double) * (size_t)p->contact_count);
    return CN_OK;
}

size_t cn_regularize_work(const cn_problem *p)
{
    return 3 * (size_t)p->row_start[p->contact_count] + (size_t)p->contact_count;
}

cn_status cn_regularize_begin(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                              double hardness, double *work, cn_regularized *soft, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    *soft = (cn_regularized){.problem = *p,
                             .b = work,
                             .c = work + rows,
                             .centre = work + 2 * rows,
                             .W_diag = work + 3 * rows,
                             .hardness = hardness};
    memset(work, 0, sizeof(double) * 2 * rows); // free constraints have none
    place_centre(s, p, soft);
    memcpy(soft->W_diag, s->W_diag, sizeof(double) * (size_t)p->contact_count);
    soft->problem.b = soft->b;
    soft->problem.c = soft->c;
    return pack_regularized(s, p, def, soft, err);
}

cn_status cn_regularize_move(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                             double hardness, cn_regularized *soft, cn_error *err)
{
    place_centre(s, p, soft);
    if (hardness != soft->hardness) {
        soft->hardness = hardness;
        return pack_regularized(s, p, def, soft, err);
    }
    place_shift(s, p, soft);
    cn_solver_reshift(s, &soft->problem);
    return CN_OK;
}

void cn_regularize_renew(cn_solver *s, const cn_problem *p, cn_regularized *soft)
{
    set_compliance(s, p, soft);
    cn_solver_renumber(s, &soft->problem);
}

cn_status cn_regularize_end(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                            cn_error *err)
{
    return cn_solver_pack(s, p, def, err);
}
