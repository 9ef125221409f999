// solve/direct/ipm_line.c -- joints and bounded rows of the interior-point method, theory 13.15.
//
// A joint asks for u' = 0 and gives a little within one Newton step. A bounded row has a distance
// to each bound, a = mu + r' and a_high = mu - r', and a push of each bound, u' = q - q_high, with
// q a and q_high a_high led to zero.
#include <math.h>

#include "solve/direct/ipm.h"

static const double joint_give = 1e-8; // of w_a

// M of row k: what resists a change of its impulse beside W.
static double resistance(const cn_solver *s, const cn_problem *p, const cn_packed *c, int k,
                         const cn_interior *m)
{
    int row = c->row + k;
    double compliance = cn_row_or_zero(p->c, row);
    if (cn_inner_kind_of(s, c) == CN_INNER_JOINT) {
        return compliance + joint_give * s->W_diag[c->a];
    }
    return compliance + m->q[row] / (c->mu + m->z[row]) + m->q_high[row] / (c->mu - m->z[row]);
}

void cn_inner_line_factor(const cn_solver *s, const cn_problem *p, int n, cn_interior *m)
{
    const cn_packed *c = &s->packed[n];
    const cn_linear_system *k = s->system;
    bool is_idle = cn_inner_kind_of(s, c) == CN_INNER_IDLE;
    for (int i = 0; i < c->rows * c->rows; i++) {
        int at = k->block_at[n] + i;
        bool is_diagonal = i % (c->rows + 1) == 0;
        double M = is_diagonal && !is_idle ? resistance(s, p, c, i / (c->rows + 1), m) : 1.0;
        if (k->is_stored) {
            k->M[at] = is_diagonal ? M : 0.0;
            k->N[at] = is_diagonal && !is_idle ? 1.0 : 0.0;
        } else {
            k->E[at] = m->E_exact[at] = is_diagonal && !is_idle ? 1.0 / M : 0.0;
        }
    }
}

void cn_inner_line_right(const cn_solver *s, const cn_problem *p, int n, double centre,
                         cn_interior *m)
{
    const cn_packed *c = &s->packed[n];
    cn_inner_kind kind = cn_inner_kind_of(s, c);
    for (int k = 0; k < c->rows; k++) {
        int row = c->row + k;
        if (kind == CN_INNER_IDLE) {
            m->b[row] = 0.0;
            continue;
        }
        double right = -m->u[row];
        if (kind == CN_INNER_BOUNDED) {
            right += centre / (c->mu + m->z[row]) - centre / (c->mu - m->z[row]);
        }
        m->b[row] = s->system->is_stored ? right : right / resistance(s, p, c, k, m);
    }
}

void cn_inner_line_step(const cn_solver *s, int n, double centre, cn_interior *m)
{
    const cn_packed *c = &s->packed[n];
    bool is_bounded = cn_inner_kind_of(s, c) == CN_INNER_BOUNDED;
    for (int row = c->row; row < c->row + c->rows; row++) {
        double dz = m->x[row];
        m->dz[row] = dz;
        if (is_bounded) {
            double low = c->mu + m->z[row], high = c->mu - m->z[row];
            m->dq[row] = (centre - m->q[row] * dz) / low - m->q[row];
            m->dq_high[row] = (centre + m->q_high[row] * dz) / high - m->q_high[row];
        }
    }
}
