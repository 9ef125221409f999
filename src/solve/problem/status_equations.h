// solve/problem/status_equations.h -- the law of one constraint as equations, for the statuses that
// it has, theory 13.21:
//     open  r' = 0    stick  u' = 0    slide  u'_n = 0,  r'_t = mu r'_n t/|t|,  t = r'_t - m u'_t
// What active_set_newton.c and homotopy.c share.
#pragma once

#include "solve/problem/project.h"
#include "solve/solver.h"

// M dr + N du = right, of rows x rows.
typedef struct cn_equations {
    double M[CN_ROW_MAX * CN_ROW_MAX], N[CN_ROW_MAX * CN_ROW_MAX], right[CN_ROW_MAX];
} cn_equations;

// Of w_a: keeps redundant contacts solvable, and directions at the end of sliding.
#define CN_EQUATIONS_GIVE 1e-8

// Row k as u'_k = 0, with a little give; or as r'_k = value.
static inline void cn_equations_hold(int rows, int k, double delta, double u, cn_equations *e)
{
    e->N[rows * k + k] = 1.0;
    e->M[rows * k + k] = delta;
    e->right[k] = -u;
}

static inline void cn_equations_set(int rows, int k, double r, double value, cn_equations *e)
{
    e->M[rows * k + k] = 1.0;
    e->right[k] = value - r;
}

// The rows of a disc that slides: r'_t = mu r'_n t/|t| with t = r'_t - m u'_t of the given length,
// which turns with both.
static inline void cn_equations_slide(int rows, const cn_cone_disc *disc, double length, double w_a,
                                      const double *r, const double *t, cn_equations *e)
{
    double mu = disc->mu, share = mu * r[0] / length;
    int end = disc->first + disc->size;
    for (int i = disc->first; i < end; i++) {
        double d_i = t[i] / length;
        e->M[rows * i] = -mu * d_i;
        e->right[i] = mu * r[0] * d_i - r[i];
        for (int j = disc->first; j < end; j++) {
            double turn = share * ((i == j ? 1.0 : 0.0) - d_i * t[j] / length);
            e->M[rows * i + j] = (i == j ? 1.0 + CN_EQUATIONS_GIVE : 0.0) - turn;
            e->N[rows * i + j] = turn / w_a;
        }
    }
}

// Takes compliance and springs out of du: M += N C.
static inline void cn_equations_regularize(const cn_problem *p, const cn_packed *c, double spring,
                                           cn_equations *e)
{
    for (int i = 0; i < c->rows; i++) {
        for (int j = 0; j < c->rows; j++) {
            double compliance = cn_row_or_zero(p->c, c->row + j) + spring;
            e->M[c->rows * i + j] += e->N[c->rows * i + j] * compliance;
        }
    }
}
