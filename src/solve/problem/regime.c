// solve/problem/regime.c -- see regime.h.
#include "solve/problem/regime.h"

#include <math.h>

#include "solve/direct/linear_system.h"
#include "solve/problem/parallel.h"
#include "solve/sweep/local.h"

// Of the reference velocity, or of the free one: near rest.
static const double rest_speed = 0.3;

cn_contact_status cn_packed_status(const cn_solver *s, const cn_problem *p, const cn_packed *c,
                                   double v_small)
{
    cn_core core; // of which a status asks for no more than this
    core.kind = (cn_core_kind)c->kind;
    core.dim = p->dim;
    core.mu = c->mu;
    double u[CN_ROW_MAX], r[CN_ROW_MAX];
    for (int k = 0, row = c->row; k < c->rows; k++, row++) {
        r[k] = cn_core_impulse(p, row, s->u[row]);
        u[k] = s->u[row] + cn_row_or_zero(p->b, row) + cn_row_or_zero(p->c, row) * r[k];
    }
    return cn_core_status(&core, c->rows, u, r, v_small);
}

double cn_hyperstaticity(const cn_solver *s, const cn_problem *p)
{
    const cn_linear_system *k = s->system;
    double rows = 0.0, columns = k->block_start[k->block_count];
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_contact_status status = cn_packed_status(s, p, c, 0.0);
        rows += status == CN_STATUS_OPEN ? 0 : (status == CN_STATUS_SLIDE ? 1 : c->rows);
    }
    return columns > 0.0 ? rows / columns : 0.0;
}

double cn_hyperstaticity_bound(const cn_solver *s)
{
    const cn_linear_system *k = s->system;
    double rows = 0.0, columns = k->block_start[k->block_count];
    for (int n = 0; n < s->packed_count; n++) {
        rows += s->packed[n].rows;
    }
    return columns > 0.0 ? rows / columns : 0.0;
}

// How much of the free velocity is left at the contacts.
static double speed_left(const cn_solver *s, const cn_problem *p)
{
    double now = 0.0, free = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            now += s->u[i] * s->u[i];
            free += p->u_free[i] * p->u_free[i];
        }
    }
    return free > 0.0 ? sqrt(now / free) : 1.0;
}

bool cn_is_slow(const cn_solver *s, const cn_problem *p, double v_ref)
{
    double v = p->v_before;
    return p->W.rows.row != NULL || isnan(v) ? speed_left(s, p) < rest_speed
                                             : v < rest_speed * v_ref;
}

bool cn_may_rest(const cn_solver *s, const cn_problem *p, double v_ref)
{
    return cn_is_slow(s, p, v_ref) || (p->W.rows.row == NULL && isnan(p->v_before));
}

bool cn_has_deformable(const cn_problem *p)
{
    const cn_factors *f = &p->W.factors;
    bool found = f->body_count > 0 && p->W.rows.row != NULL;
    for (int a = 0; a < p->contact_count && f->body_count > 0 && !found; a++) {
        for (int side = 0; side < 2; side++) {
            int body = f->body[2 * a + side];
            found = found || (body >= 0 && f->dof_start[body + 1] - f->dof_start[body] > 6);
        }
    }
    return found;
}

bool cn_is_smooth(const cn_solver *s)
{
    bool found = !s->has_moment_rows;
    for (int n = 0; n < s->packed_count && found; n++) {
        found = s->packed[n].kind != CN_CORE_CONE || s->packed[n].mu == 0.0;
    }
    return found;
}

bool cn_has_guess(const cn_problem *p)
{
    int rows = p->row_start[p->contact_count], k = 0;
    while (k < rows && p->r[k] == 0.0) {
        k++;
    }
    return k < rows;
}
