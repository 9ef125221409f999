// limit/cone_system.c -- M = A E A^T over motions: the linear systems of the interior point.
//
// The matrix is that of the factorizing solvers, B(E) = I + G E G^T (13.7), for blocks so large
// that the identity is rounding: it keeps the factor positive where M is singular.
#include <math.h>
#include <string.h>

#include "limit/interior.h"
#include "solve/direct/linear_system.h"

// The identity over the largest entry of E: as little as the factorization takes.
static const double WEAKEST = 1e-20, STRONGEST = 1e-10, STRONGER = 100.0;
enum { REFINE_MAX = 4 };

static double largest(const double *x, size_t count)
{
    double most = 0.0;
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

// The blocks of the system: S E S times `factor`.
static void put_blocks(cn_cones *c, const double *block, double factor, double *E)
{
    int dim = c->dim, next = 0;
    for (int a = 0; a < c->contact_count; a++) {
        int rows = cn_cone_rows(c, a);
        double left[9], *at = E + dim * dim * a;
        cn_cutoffs_condense(c, a, &next, block, left);
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < dim; j++) {
                int k = dim * i + j;
                at[k] = i < rows && j < rows
                            ? factor * cn_cone_weight(c, a, i) * cn_cone_weight(c, a, j) * left[k]
                            : 0.0;
            }
        }
    }
}

cn_status cn_cones_factor(cn_cones *c, const double *block, cn_error *err)
{
    double *E = c->solver->system->E;
    size_t count = (size_t)(c->dim * c->dim) * (size_t)c->contact_count;
    put_blocks(c, block, 1.0, E);
    double most = largest(E, count);
    cn_status status = CN_BROKEN;
    for (double weak = WEAKEST; status == CN_BROKEN && weak <= STRONGEST; weak *= STRONGER) {
        c->factor_scale = 1.0 / (weak * most);
        put_blocks(c, block, c->factor_scale, E);
        status = cn_system_factor(c->solver, &c->problem, CN_FACTOR_CHOLESKY, err);
        c->factorization_count++;
    }
    return status;
}

// out = M y.
static void multiply(const cn_cones *c, const double *block, const double *y, double *u,
                     double *out)
{
    int dim = c->dim;
    cn_cones_move(c, y, u);
    for (int a = 0; a < c->cone_count; a++) {
        const double *E = block + dim * dim * a;
        double *at = u + dim * a, x[3] = {0.0};
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < dim; j++) {
                x[i] += E[dim * i + j] * at[j];
            }
        }
        memcpy(at, x, sizeof *at * (size_t)dim);
    }
    cn_cones_push(c, u, out);
}

// y += factor^-1 f, f and u are lost.
static cn_status add_solution(cn_cones *c, double *f, double *y, double *u, cn_error *err)
{
    cn_cutoffs_reduce(c, f, u);
    CN_TRY(cn_system_solve_columns(c->solver->system, f, err));
    for (int k = 0; k < c->motion_count; k++) {
        f[k] *= c->factor_scale;
    }
    cn_cutoffs_expand(c, f, u);
    for (int k = 0; k < c->dof_count; k++) {
        y[k] += f[k];
    }
    return CN_OK;
}

cn_status cn_cones_solve(cn_cones *c, const double *block, const double *f, double *y, double *work,
                         cn_error *err)
{
    size_t dofs = (size_t)c->dof_count;
    double *left = work, *before = left + dofs, *u = before + dofs;
    double error_before = INFINITY;
    memset(y, 0, sizeof *y * dofs);
    memcpy(left, f, sizeof *left * dofs);
    for (int k = 0; k <= REFINE_MAX; k++) {
        memcpy(before, y, sizeof *y * dofs);
        CN_TRY(add_solution(c, left, y, u, err));
        multiply(c, block, y, u, left);
        for (size_t n = 0; n < dofs; n++) {
            left[n] = f[n] - left[n];
        }
        double error = largest(left, dofs);
        if (!(error < error_before)) {
            memcpy(y, before, sizeof *y * dofs);
            break;
        }
        if (error <= 0.2 * error_before && error > 1e-15 * largest(f, dofs)) {
            error_before = error;
            continue;
        }
        break;
    }
    return CN_OK;
}
