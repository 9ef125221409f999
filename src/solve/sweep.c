// solve/sweep.c -- visit constraints in order, solve each one with the others frozen, theory 5.3.
//
// Rigid bodies enter through w = A^1/2 (v - v_free), kept up to date by each visit, so W is never
// formed (5.4). Stored rows add sum_b W_ab r_b. Cones of rigid bodies pass their
// sizes as literals so that all loops unroll.
#include "solve/blocks.h"
#include "solve/local.h"
#include "solve/solver.h"

// u += sum_{b != a} W_ab r_b over the stored part, whose diagonal block is in W' already.
static inline void gather_rows(const cn_problem *p, int a, int rows, double *u)
{
    const cn_rows *stored = &p->W.rows;
    for (int n = stored->row[a]; n < stored->row[a + 1]; n++) {
        int b = stored->col[n];
        if (b == a) {
            continue;
        }
        int columns = p->row_start[b + 1] - p->row_start[b];
        const double *block = stored->block + stored->block_start[n];
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < columns; k++) {
                u[i] += block[columns * i + k] * p->r[p->row_start[b] + k];
            }
        }
    }
}

// u -= G^T G r: what w carries of the constraint itself.
static inline void subtract_own(int rows, int dof, const double *G, const double *r, double *u)
{
    for (int d = 0; d < dof; d++) {
        double own = 0.0;
        for (int k = 0; k < rows; k++) {
            own += G[dof * k + d] * r[k];
        }
        for (int k = 0; k < rows; k++) {
            u[k] -= G[dof * k + d] * own;
        }
    }
}

// Rows of an array that may be absent.
static inline const double *row_or_zero(const double *array, int row)
{
    static const double zero[CN_ROW_MAX] = {0};
    return array != NULL ? array + row : zero;
}

static void visit_general(cn_solver *s, const cn_problem *p, const cn_packed *c)
{
    int rows = c->rows;
    const double *G_i = p->W.factors.G + c->G_i;
    const double *G_j = p->W.factors.G + c->G_j;
    double *W = s->stream + c->at;
    double *aid = W + rows * rows; // roots of the last visit, where there are any
    const double *shift = aid + cn_packed_aids(p, c);
    const cn_core core = cn_problem_core(p, c->a);
    double *r = p->r + c->row;
    double u[CN_ROW_MAX], r_new[CN_ROW_MAX], dr[CN_ROW_MAX];
    for (int k = 0; k < rows; k++) {
        u[k] = shift[k];
    }
    cn_gather(rows, c->dof_i, G_i, s->w + c->w_i, u);
    cn_gather(rows, c->dof_j, G_j, s->w + c->w_j, u);
    subtract_own(rows, c->dof_i, G_i, r, u);
    subtract_own(rows, c->dof_j, G_j, r, u);
    if (p->W.rows.row != NULL) {
        gather_rows(p, c->a, rows, u);
    }
    cn_local_solve(&core, rows, W, u, aid, r_new);
    for (int k = 0; k < rows; k++) {
        r_new[k] -= core.r0[k];
        dr[k] = r_new[k] - r[k];
        r[k] = r_new[k];
    }
    cn_scatter(rows, c->dof_i, G_i, dr, s->w + c->w_i);
    cn_scatter(rows, c->dof_j, G_j, dr, s->w + c->w_j);
}

// The same for a cone of d rows on bodies with `dof` degrees of freedom; both are literals.
static inline void visit_cone(cn_solver *s, const cn_problem *p, const cn_packed *c, int d, int dof)
{
    const double *G_i = p->W.factors.G + c->G_i;
    const double *G_j = p->W.factors.G + c->G_j;
    double *W = s->stream + c->at;
    double *aid = W + d * d; // 1/det in the plane, root of the last visit in space
    const double *shift = aid + 1;
    const double *compliance = row_or_zero(p->c, c->row);
    const double *r0 = row_or_zero(p->r0, c->row);
    double *r = p->r + c->row;
    double u[3] = {0.0}, r_new[3], dr[3];
    if (c->dof_i == dof) {
        cn_gather(d, dof, G_i, s->w + c->w_i, u);
    }
    if (c->dof_j == dof) {
        cn_gather(d, dof, G_j, s->w + c->w_j, u);
    }
    for (int i = 0; i < d; i++) {
        double own = -compliance[i] * r[i];
        for (int k = 0; k < d; k++) {
            own += W[d * i + k] * r[k];
        }
        u[i] = shift[i] + u[i] - own;
    }
    if (d == 2) {
        cn_cone2_solve(W, *aid, c->mu, u[0], u[1], r_new);
    } else {
        cn_cone3_solve(W, c->mu, u, aid, r_new);
    }
    for (int k = 0; k < d; k++) {
        r_new[k] -= r0[k];
        dr[k] = r_new[k] - r[k];
        r[k] = r_new[k];
    }
    if (c->dof_i == dof) {
        cn_scatter(d, dof, G_i, dr, s->w + c->w_i);
    }
    if (c->dof_j == dof) {
        cn_scatter(d, dof, G_j, dr, s->w + c->w_j);
    }
}

void cn_sweep(cn_solver *s, const cn_problem *p, bool is_backward)
{
    int count = s->packed_count;
    for (int n = 0; n < count; n++) {
        const cn_packed *c = &s->packed[is_backward ? count - 1 - n : n];
        if (s->cone_rows == 2) {
            visit_cone(s, p, c, 2, 3);
        } else if (s->cone_rows == 3) {
            visit_cone(s, p, c, 3, 6);
        } else {
            visit_general(s, p, c);
        }
    }
}
