// solve/direct/woodbury.c -- see woodbury.h.
#include "solve/direct/woodbury.h"

#include <string.h>

#include "math/small_systems.h"

void cn_woodbury_clear(const cn_solver *s, cn_woodbury *q)
{
    const cn_linear_system *k = s->system;
    memcpy(q->E, k->E, sizeof(double) * (size_t)k->block_at[s->packed_count]);
    q->count = q->width = 0;
}

cn_status cn_woodbury_solve(cn_solver *s, const cn_problem *p, cn_woodbury *q, double *f,
                            cn_error *err)
{
    cn_linear_system *k = s->system;
    int columns = k->block_start[k->block_count], width = q->width;
    CN_TRY(cn_system_solve_columns(k, f, err));
    for (int j = 0; j < q->count; j++) {
        const cn_packed *c = &s->packed[q->n[j]];
        const double *E = k->E + k->block_at[q->n[j]], *E_old = q->E + k->block_at[q->n[j]];
        double v[CN_ROW_MAX];
        cn_system_collect(k, c, &p->W.factors, q->n[j], f, v);
        for (int i = 0; i < c->rows; i++) {
            int row = q->at[j] + i;
            q->z[row] = 0.0;
            for (int m = 0; m < width; m++) {
                q->A[width * row + m] = row == m ? 1.0 : 0.0;
            }
            for (int l = 0; l < c->rows; l++) {
                double D = E[c->rows * i + l] - E_old[c->rows * i + l];
                q->z[row] += D * v[l];
                for (int m = 0; m < width; m++) {
                    q->A[width * row + m] += D * q->S[CN_WOODBURY_ROWS * (q->at[j] + l) + m];
                }
            }
        }
    }
    cn_small_solve(width, 1, q->A, q->z);
    for (int m = 0; m < width; m++) {
        const double *Q = q->Q + (size_t)columns * (size_t)m;
        for (int i = 0; i < columns; i++) {
            f[i] -= Q[i] * q->z[m];
        }
    }
    return CN_OK;
}

// Enters constraint n among those that changed: its vectors of Q, and its part of S.
static cn_status add(cn_solver *s, const cn_problem *p, int n, cn_woodbury *q, cn_error *err)
{
    cn_linear_system *k = s->system;
    const cn_packed *c = &s->packed[n];
    size_t columns = (size_t)k->block_start[k->block_count];
    int first = q->width;
    q->n[q->count] = n;
    q->at[q->count++] = first;
    q->width += c->rows;
    for (int i = 0; i < c->rows; i++) {
        double unit[CN_ROW_MAX] = {0}, *Q = q->Q + columns * (size_t)(first + i);
        unit[i] = 1.0;
        memset(Q, 0, sizeof *Q * columns);
        cn_system_deposit(k, c, &p->W.factors, n, unit, Q);
        CN_TRY(cn_system_solve_columns(k, Q, err));
    }
    for (int j = 0; j < q->count; j++) {
        const cn_packed *other = &s->packed[q->n[j]];
        bool is_new = q->n[j] == n;
        for (int m = is_new ? 0 : first; m < q->width; m++) {
            double v[CN_ROW_MAX];
            cn_system_collect(k, other, &p->W.factors, q->n[j], q->Q + columns * (size_t)m, v);
            for (int i = 0; i < other->rows; i++) {
                q->S[CN_WOODBURY_ROWS * (q->at[j] + i) + m] = v[i];
            }
        }
    }
    return CN_OK;
}

cn_status cn_woodbury_add(cn_solver *s, const cn_problem *p, int n, cn_woodbury *q, bool *is_full,
                          cn_error *err)
{
    int j = 0;
    while (j < q->count && q->n[j] != n) {
        j++;
    }
    bool is_new = j == q->count;
    *is_full = is_new && (j == CN_WOODBURY_MAX || q->width + s->packed[n].rows > CN_WOODBURY_ROWS);
    return is_new && !*is_full ? add(s, p, n, q, err) : CN_OK;
}
