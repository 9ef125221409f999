// solve/problem/scale_moments.c -- a problem with moments in variables of one kind, theory 8.16.
//
// Moments over a length are impulses, angular velocities times it are velocities. Solvers see the
// problem in these variables, so that steps, penalties and sums of squares mean the same in every
// row; impulses are turned back at the end. A problem without moments is handed on as it is.
#include <math.h>
#include <string.h>

#include "solve/solver.h"

static int rows_of(const cn_problem *p, int a)
{
    return p->row_start[a + 1] - p->row_start[a];
}

static bool has_moments(const cn_problem *p, int a)
{
    return p->kind[a] == CN_CORE_CONE && cn_has_moments(p->dim, rows_of(p, a));
}

// What multiplies row k of constraint a as a velocity; impulses are divided by it.
static double factor_of(const cn_solver *s, const cn_problem *p, int a, int k)
{
    return k < p->dim ? 1.0 : s->length[a];
}

static double length_of(const cn_problem *p, int a)
{
    if (!has_moments(p, a)) {
        return 1.0;
    }
    double W[CN_ROW_MAX * CN_ROW_MAX];
    cn_core core = cn_problem_core(p, a);
    cn_problem_block(p, a, W);
    for (int k = 0; k < rows_of(p, a); k++) {
        W[(rows_of(p, a) + 1) * k] += core.c[k];
    }
    return cn_moment_length(p->dim, rows_of(p, a), W);
}

// Entries of G and of stored blocks, gaps included.
static size_t operator_size(const cn_problem *p)
{
    const cn_factors *f = &p->W.factors;
    const cn_rows *stored = &p->W.rows;
    size_t size = 0, stored_size = 0;
    for (int a = 0; a < p->contact_count; a++) {
        for (int side = 0; side < 2 && f->body_count > 0; side++) {
            int body = f->body[2 * a + side];
            int dof = body < 0 ? 0 : f->dof_start[body + 1] - f->dof_start[body];
            int start = f->block_start[2 * a + side], entries = rows_of(p, a) * dof;
            size_t end = (size_t)(start < 0 ? ~start + CN_GEOMETRY_SIZE : start + entries);
            size = dof > 0 && end > size ? end : size;
        }
        for (int n = stored->row ? stored->row[a] : 0; stored->row && n < stored->row[a + 1]; n++) {
            size_t entries = (size_t)(rows_of(p, a) * rows_of(p, stored->col[n]));
            size_t end = (size_t)stored->block_start[n] + entries;
            stored_size = end > stored_size ? end : stored_size;
        }
    }
    return size + stored_size;
}

static void scale_factors(const cn_solver *s, const cn_problem *p, int a, double *to)
{
    const cn_factors *f = &p->W.factors;
    for (int side = 0; side < 2; side++) {
        int body = f->body[2 * a + side], start = f->block_start[2 * a + side];
        int dof = body < 0 ? 0 : f->dof_start[body + 1] - f->dof_start[body];
        if (start < 0) { // forces only: nothing to scale
            memcpy(to + ~start, f->G + ~start, sizeof *to * CN_GEOMETRY_SIZE);
            continue;
        }
        for (int k = 0; k < rows_of(p, a) * dof; k++) {
            to[start + k] = factor_of(s, p, a, k / dof) * f->G[start + k];
        }
    }
}

static void scale_blocks(const cn_solver *s, const cn_problem *p, int a, double *to)
{
    const cn_rows *stored = &p->W.rows;
    for (int n = stored->row[a]; n < stored->row[a + 1]; n++) {
        int b = stored->col[n], start = stored->block_start[n], columns = rows_of(p, b);
        for (int k = 0; k < rows_of(p, a) * columns; k++) {
            double factor = factor_of(s, p, a, k / columns) * factor_of(s, p, b, k % columns);
            to[start + k] = factor * stored->block[start + k];
        }
    }
}

// to = from times the factors to some power; NULL stays NULL.
static const double *scale_rows(const cn_solver *s, const cn_problem *p, const double *from,
                                int power, double *to)
{
    if (from == NULL) {
        return NULL;
    }
    for (int a = 0; a < p->contact_count; a++) {
        for (int k = 0; k < rows_of(p, a); k++) {
            double factor = factor_of(s, p, a, k);
            factor = power % 2 == 0 ? factor * factor : factor;
            factor = power < 0 ? 1.0 / factor : factor;
            to[p->row_start[a] + k] = factor * from[p->row_start[a] + k];
        }
    }
    return to;
}

static const double *scale_radii(const cn_solver *s, const cn_problem *p, const double *from,
                                 double *to)
{
    for (int a = 0; a < p->contact_count && from != NULL; a++) {
        to[a] = from[a] / s->length[a];
    }
    return from != NULL ? to : NULL;
}

// The operator, in its own part of the memory; factors first.
static void scale_operator(const cn_solver *s, const cn_problem *p, double *to, cn_problem *scaled)
{
    bool has_factors = p->W.factors.body_count > 0, has_rows = p->W.rows.row != NULL;
    cn_problem factors_only = *p;
    factors_only.W.rows = (cn_rows){0};
    double *blocks = to + operator_size(&factors_only);
    for (int a = 0; a < p->contact_count; a++) {
        if (has_factors) {
            scale_factors(s, p, a, to);
        }
        if (has_rows) {
            scale_blocks(s, p, a, blocks);
        }
    }
    scaled->W.factors.G = has_factors ? to : NULL;
    scaled->W.rows.block = has_rows ? blocks : NULL;
}

cn_status cn_scale_moments(cn_solver *s, const cn_problem *p, cn_problem *scaled, cn_error *err)
{
    *scaled = *p;
    s->has_moment_rows = false;
    for (int a = 0; a < p->contact_count && !s->has_moment_rows; a++) {
        s->has_moment_rows = has_moments(p, a);
    }
    if (!s->has_moment_rows) {
        return CN_OK;
    }
    size_t count = (size_t)p->contact_count, rows = (size_t)p->row_start[p->contact_count];
    CN_TRY(cn_reserve(&s->hooks, &s->length, &s->length_capacity, count, err));
    CN_TRY(cn_reserve(&s->hooks, &s->scaled, &s->scaled_capacity,
                      7 * rows + 2 * count + operator_size(p), err));
    for (int a = 0; a < p->contact_count; a++) {
        s->length[a] = length_of(p, a);
    }
    double *to = s->scaled;
    s->u_scaled = to;
    scaled->u_free = scale_rows(s, p, p->u_free, 1, to + rows);
    scaled->b = scale_rows(s, p, p->b, 1, to + 2 * rows);
    scaled->c = scale_rows(s, p, p->c, 2, to + 3 * rows);
    scaled->r0 = scale_rows(s, p, p->r0, -1, to + 4 * rows);
    scaled->k = scale_rows(s, p, p->k, -2, to + 5 * rows);
    scaled->r = to + 6 * rows;
    scale_rows(s, p, p->r, -1, scaled->r);
    to += 7 * rows;
    scaled->mu_roll = scale_radii(s, p, p->mu_roll, to);
    scaled->mu_spin = scale_radii(s, p, p->mu_spin, to + count);
    scale_operator(s, p, to + 2 * count, scaled);
    return CN_OK;
}

const double *cn_scale_moments_velocity(cn_solver *s, const cn_problem *p, const double *u)
{
    return s->has_moment_rows ? scale_rows(s, p, u, 1, s->u_scaled) : u;
}

void cn_scale_moments_return(const cn_solver *s, const cn_problem *scaled, cn_problem *p)
{
    for (int a = 0; a < p->contact_count && s->has_moment_rows; a++) {
        for (int k = 0; k < rows_of(p, a); k++) {
            int row = p->row_start[a] + k;
            p->r[row] = scaled->r[row] * factor_of(s, p, a, k);
            s->u[row] /= factor_of(s, p, a, k);
        }
    }
}
