// problem_file/problem_draft.c -- a contact problem in the terms of the FCLIB layout.
//
// The layout knows u = W r + q and Coulomb's law only. A core (theory 4.1) asks that u' = u + b + c
// r' and r' = r + r0 obey the law, which is the same with W' = W + c and q' = u_free + b - W r0.
#include "problem_file/problem_draft.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

void cn_draft_free(cn_draft *d)
{
    cn_sparse_free(&d->W);
    cn_sparse_free(&d->V);
    cn_sparse_free(&d->R);
    cn_sparse_free(&d->G);
    CN_RELEASE(d->number, d->q, d->r, d->u, d->guess, d->u_guess, d->mu, d->mu_roll);
}

int cn_draft_rows(const cn_draft *d)
{
    return d->contact_rows + d->bilateral_rows;
}

static double entry_or_zero(const double *array, int k)
{
    return array != NULL ? array[k] : 0.0;
}

// Rows of a cone that the file has a place for, in their order; the row of spinning comes last and
// may be left out where nothing resists it.
static cn_status count_cone_rows(const cn_draft *d, int a, int *rows, cn_error *err)
{
    const cn_problem *p = d->p;
    double spin = entry_or_zero(p->mu_spin, a);
    *rows = p->row_start[a + 1] - p->row_start[a];
    if (p->dim == 3 && (*rows == 4 || *rows == 6)) {
        if (spin > 0.0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "constraint %d resists spinning (%g m); a problem file has no row for "
                           "it: leave `spinning` out of the law to record the problem",
                           a, spin);
        }
        *rows -= 1;
    }
    bool fits = *rows == 1 || *rows == p->dim || *rows == d->space_dim;
    return fits ? CN_OK
                : cn_fail(err, CN_BAD_INPUT,
                          "constraint %d is a cone of %d rows; the file has room for cones of 1, "
                          "%d or %d rows",
                          a, *rows, p->dim, d->space_dim);
}

// Places for the rows of a cone, or of each row of a bounded constraint.
static cn_status number_contacts(cn_draft *d, int a, cn_error *err)
{
    const cn_problem *p = d->p;
    int row = p->row_start[a], rows = p->row_start[a + 1] - row;
    if (p->kind[a] == CN_CORE_CONE) {
        CN_TRY(count_cone_rows(d, a, &rows, err));
        for (int k = 0; k < rows; k++) {
            d->number[row + k] = d->contact_rows + k;
        }
        d->contact_count++;
        d->contact_rows += d->space_dim;
    }
    for (int k = 0; p->kind[a] == CN_CORE_BOUNDED && k < rows; k++) {
        if (!isfinite(p->mu[a])) {
            return cn_fail(err, CN_BAD_INPUT, "constraint %d is bounded by %g; give it a bound", a,
                           p->mu[a]);
        }
        d->number[row + k] = d->contact_rows + 1;
        d->contact_count++;
        d->contact_rows += d->space_dim;
    }
    return CN_OK;
}

static cn_status number_rows(cn_draft *d, cn_error *err)
{
    const cn_problem *p = d->p;
    d->is_rolling = p->mu_roll != NULL;
    d->space_dim = d->is_rolling ? 2 * p->dim - 1 : p->dim;
    for (int a = 0; a < p->contact_count; a++) {
        CN_TRY(number_contacts(d, a, err));
    }
    for (int a = 0; a < p->contact_count; a++) {
        for (int k = p->row_start[a]; p->kind[a] == CN_CORE_BILATERAL && k < p->row_start[a + 1];
             k++) {
            d->number[k] = cn_draft_rows(d);
            d->bilateral_rows++;
        }
    }
    return CN_OK;
}

// The layout stores V once, so rows and columns of bilateral constraints must mirror each other.
static cn_status check_mirror(const cn_draft *d, const cn_sparse *all, cn_error *err)
{
    double asymmetry = 0.0;
    if (d->bilateral_rows > 0) {
        CN_TRY(cn_sparse_asymmetry(all, &asymmetry, err));
    }
    if (asymmetry > 1e-12) {
        return cn_fail(err, CN_BAD_INPUT,
                       "W is not symmetric (%.3g) and has bilateral constraints; a problem file "
                       "cannot hold both",
                       asymmetry);
    }
    return CN_OK;
}

// The parts of W + c from the matrix of all rows of the problem.
static cn_status split_operator(cn_draft *d, const cn_sparse *all, cn_error *err)
{
    int m = d->contact_rows;
    for (int n = 0; n < all->count; n++) {
        int i = d->number[all->row[n]], k = d->number[all->column[n]];
        double value = all->value[n];
        if (i < 0 || k < 0 || value == 0.0 || (i >= m && k < m)) { // V^T is the mirror of V
            continue;
        }
        cn_sparse *part = k < m ? &d->W : (i < m ? &d->V : &d->R);
        CN_TRY(cn_sparse_add(part, i < m ? i : i - m, k < m ? k : k - m, value, err));
    }
    return CN_OK;
}

// Diagonal entry of the normal row that holds the bound of a bounded row: like that of the row.
static cn_status add_bounds(cn_draft *d, const cn_sparse *all, cn_error *err)
{
    const cn_problem *p = d->p;
    double *diagonal;
    int rows = p->row_start[p->contact_count];
    CN_TRY(cn_new(&diagonal, (size_t)rows, err));
    for (int n = 0; n < all->count; n++) {
        diagonal[all->row[n]] += all->row[n] == all->column[n] ? all->value[n] : 0.0;
    }
    cn_status status = CN_OK;
    for (int a = 0; a < p->contact_count; a++) {
        for (int k = p->row_start[a]; p->kind[a] == CN_CORE_BOUNDED && k < p->row_start[a + 1];
             k++) {
            int normal = d->number[k] - 1;
            double w = diagonal[k] > 0.0 ? diagonal[k] : 1.0;
            d->q[normal] = -w * p->mu[a];
            CN_THEN(status, cn_sparse_add(&d->W, normal, normal, w, err));
        }
    }
    cn_release(NULL, diagonal);
    return status;
}

static cn_status make_rows(cn_draft *d, cn_sparse *all, cn_error *err)
{
    const cn_problem *p = d->p;
    int rows = p->row_start[p->contact_count];
    *all = (cn_sparse){.row_count = rows, .column_count = rows};
    CN_TRY(cn_sparse_add_operator(p, all, err));
    for (int k = 0; k < rows; k++) {
        CN_TRY(cn_sparse_add(all, k, k, entry_or_zero(p->c, k), err));
    }
    CN_TRY(cn_sparse_sort(all, err));
    CN_TRY(check_mirror(d, all, err));
    d->W = (cn_sparse){.row_count = d->contact_rows, .column_count = d->contact_rows};
    d->V = (cn_sparse){.row_count = d->contact_rows, .column_count = d->bilateral_rows};
    d->R = (cn_sparse){.row_count = d->bilateral_rows, .column_count = d->bilateral_rows};
    CN_TRY(split_operator(d, all, err));
    CN_TRY(add_bounds(d, all, err));
    CN_TRY(cn_sparse_sort(&d->W, err));
    CN_TRY(cn_sparse_sort(&d->V, err));
    return cn_sparse_sort(&d->R, err);
}

// A mass matrix and H say all of W if nothing but bodies enters it.
static bool is_of_bodies(const cn_problem *p)
{
    for (int k = 0; p->c != NULL && k < p->row_start[p->contact_count]; k++) {
        if (p->c[k] != 0.0) {
            return false;
        }
    }
    for (int a = 0; a < p->contact_count; a++) {
        if (p->kind[a] == CN_CORE_BOUNDED) {
            return false;
        }
    }
    return p->W.rows.row == NULL && p->W.factors.body_count > 0;
}

// The columns of G that a constraint has on one of its sides.
static cn_status add_side(cn_draft *d, int a, int side, cn_error *err)
{
    const cn_factors *f = &d->p->W.factors;
    int body = f->body[2 * a + side];
    if (body < 0) {
        return CN_OK;
    }
    int first = f->dof_start[body], dof = f->dof_start[body + 1] - first;
    double room[CN_BLOCK_ROOM];
    const double *G = cn_problem_factor(d->p, a, side, room);
    for (int k = d->p->row_start[a]; k < d->p->row_start[a + 1]; k++, G += dof) {
        for (int i = 0; i < dof && d->number[k] >= 0; i++) {
            if (G[i] != 0.0) {
                CN_TRY(cn_sparse_add(&d->G, first + i, d->number[k], G[i], err));
            }
        }
    }
    return CN_OK;
}

static cn_status make_factors(cn_draft *d, cn_error *err)
{
    const cn_factors *f = &d->p->W.factors;
    d->G = (cn_sparse){.row_count = f->dof_start[f->body_count], .column_count = cn_draft_rows(d)};
    for (int a = 0; a < d->p->contact_count; a++) {
        CN_TRY(add_side(d, a, 0, err));
        CN_TRY(add_side(d, a, 1, err));
    }
    return cn_sparse_sort(&d->G, err);
}

// y += (W + c) x, by rows of the file.
static cn_status multiply(const cn_draft *d, const double *x, double *y, cn_error *err)
{
    int m = d->contact_rows;
    if (!d->is_global) {
        cn_sparse_multiply(&d->W, x, y);
        cn_sparse_multiply(&d->V, x + m, y);
        cn_sparse_multiply_transposed(&d->V, x, y + m);
        cn_sparse_multiply(&d->R, x + m, y + m);
        return CN_OK;
    }
    double *w;
    CN_TRY(cn_new(&w, (size_t)d->G.row_count, err));
    cn_sparse_multiply(&d->G, x, w);
    cn_sparse_multiply_transposed(&d->G, w, y);
    cn_release(NULL, w);
    return CN_OK;
}

// The impulses in the terms of the layout, r + r0, and those that hold the bounds.
static cn_status place_impulses(const cn_draft *d, const double *from, double *r, cn_error *err)
{
    const cn_problem *p = d->p;
    for (int a = 0; a < p->contact_count; a++) {
        for (int k = p->row_start[a]; k < p->row_start[a + 1]; k++) {
            int at = d->number[k];
            if (at < 0) {
                continue;
            }
            r[at] = entry_or_zero(from, k) + entry_or_zero(p->r0, k);
            if (p->kind[a] == CN_CORE_BOUNDED) {
                r[at - 1] = p->mu[a];
            }
            if (!isfinite(r[at])) {
                return cn_fail(err, CN_BROKEN, "row %d: impulse %g is not finite", k, r[at]);
            }
        }
    }
    return CN_OK;
}

// q' = u_free + b - W r0; `offset` is work of two numbers per row. The product with W takes away
// the compliance that the parts carry.
static cn_status fill_shift(cn_draft *d, double *offset, cn_error *err)
{
    const cn_problem *p = d->p;
    double *shift = offset + cn_draft_rows(d);
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        int at = d->number[k];
        if (at >= 0) {
            offset[at] = entry_or_zero(p->r0, k);
        }
    }
    CN_TRY(multiply(d, offset, shift, err));
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        int at = d->number[k];
        if (at < 0) {
            continue;
        }
        d->q[at] =
            p->u_free[k] + entry_or_zero(p->b, k) - shift[at] + entry_or_zero(p->c, k) * offset[at];
        if (!isfinite(d->q[at])) {
            return cn_fail(err, CN_BROKEN, "row %d: u_free %g is not finite", k, p->u_free[k]);
        }
    }
    return CN_OK;
}

static void fill_friction(cn_draft *d)
{
    const cn_problem *p = d->p;
    for (int a = 0, n = 0; a < p->contact_count; a++) {
        int rows = p->row_start[a + 1] - p->row_start[a];
        if (p->kind[a] == CN_CORE_CONE) {
            d->mu_roll[n] = d->is_rolling && rows > p->dim ? p->mu_roll[a] : 0.0;
            d->mu[n++] = rows > 1 ? p->mu[a] : 0.0;
        }
        for (int k = 0; k < rows && p->kind[a] == CN_CORE_BOUNDED; k++) {
            d->mu[n++] = 1.0;
        }
    }
}

// u = W r + V l + q.
static cn_status fill_velocity(const cn_draft *d, const double *r, double *u, cn_error *err)
{
    memcpy(u, d->q, sizeof(double) * (size_t)cn_draft_rows(d));
    return multiply(d, r, u, err);
}

static cn_status reserve_draft(cn_draft *d, cn_error *err)
{
    size_t rows = (size_t)cn_draft_rows(d), contacts = (size_t)d->contact_count;
    CN_TRY(cn_new(&d->q, rows, err));
    CN_TRY(cn_new(&d->r, rows, err));
    CN_TRY(cn_new(&d->u, rows, err));
    CN_TRY(cn_new(&d->guess, rows, err));
    CN_TRY(cn_new(&d->u_guess, rows, err));
    CN_TRY(cn_new(&d->mu, contacts, err));
    return cn_new(&d->mu_roll, contacts, err);
}

cn_status cn_draft_make(const cn_problem *p, const cn_problem_note *note, cn_draft *d,
                        cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    d->p = p;
    d->is_global = note->as_global && is_of_bodies(p);
    CN_TRY(cn_new(&d->number, rows, err));
    for (size_t k = 0; k < rows; k++) {
        d->number[k] = -1;
    }
    CN_TRY(number_rows(d, err));
    CN_TRY(reserve_draft(d, err));
    cn_sparse all = {0};
    cn_status status = d->is_global ? make_factors(d, err) : make_rows(d, &all, err);
    cn_sparse_free(&all);
    CN_TRY(status);
    double *work;
    CN_TRY(cn_new(&work, 2 * (size_t)cn_draft_rows(d), err));
    status = fill_shift(d, work, err);
    cn_release(NULL, work);
    CN_TRY(status);
    CN_TRY(place_impulses(d, p->r, d->r, err));
    CN_TRY(place_impulses(d, note->guess, d->guess, err));
    fill_friction(d);
    CN_TRY(fill_velocity(d, d->r, d->u, err));
    return fill_velocity(d, d->guess, d->u_guess, err);
}
