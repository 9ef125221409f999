// solve/direct/system_gmres.c -- B(E) y = G b for an unsymmetric E, by GMRES with the factor at
// hand as preconditioner, theory 13.7.
#include "math/gmres.h"
#include "solve/direct/linear_system.h"

typedef struct setting {
    cn_linear_system *k;
    const cn_solver *s;
    const cn_problem *p;
    const double *E;
} setting;

// y = B(E) x = x + G E G^T x.
static cn_status multiply(void *context, const double *x, double *y, cn_error *err)
{
    (void)err;
    const setting *g = context;
    const cn_factors *G = &g->p->W.factors;
    memcpy(y, x, sizeof *y * (size_t)g->k->block_start[g->k->block_count]);
    for (int n = 0; n < g->s->packed_count; n++) {
        const cn_packed *c = &g->s->packed[n];
        const double *E = g->E + g->k->block_at[n];
        double u[CN_ROW_MAX], t[CN_ROW_MAX];
        cn_system_collect(g->k, c, G, n, x, u);
        for (int i = 0; i < c->rows; i++) {
            t[i] = 0.0;
            for (int j = 0; j < c->rows; j++) {
                t[i] += E[c->rows * i + j] * u[j];
            }
            t[i] += g->s->fold.k != NULL ? g->s->fold.k[c->row + i] * u[i] : 0.0;
        }
        cn_system_deposit(g->k, c, G, n, t, y);
    }
    return CN_OK;
}

static cn_status precondition(void *context, const double *x, double *y, cn_error *err)
{
    const setting *g = context;
    memcpy(y, x, sizeof *y * (size_t)g->k->block_start[g->k->block_count]);
    return cn_system_solve_columns(g->k, y, err);
}

cn_status cn_system_solve_near(cn_solver *s, const cn_problem *p, const double *E, double tol,
                               double *f, bool *is_converged, cn_error *err)
{
    cn_linear_system *k = s->system;
    setting g = {k, s, p, E};
    cn_gmres gmres = {.size = k->block_start[k->block_count],
                      .multiply = multiply,
                      .precondition = precondition,
                      .context = &g,
                      .tol = tol};
    size_t size = (size_t)gmres.size;
    CN_TRY(cn_reserve(&k->hooks, &k->gmres, &k->gmres_capacity, cn_gmres_work(gmres.size) + size,
                      err));
    gmres.work = k->gmres + size;
    CN_TRY(cn_gmres_solve(&gmres, f, k->gmres, err));
    *is_converged = gmres.is_converged;
    if (gmres.is_converged) {
        memcpy(f, k->gmres, sizeof *f * size);
    }
    return CN_OK;
}
