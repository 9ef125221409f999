// output/problem_write.c -- contact problems as FCLIB files, local or global (docs/formats.md).
//
// The layout knows u = W r + q and Coulomb's law only. A core (theory 4.1) asks that u' = u + b + c
// r' and r' = r + r0 obey the law, which is the same with W' = W + c and q' = u_free + b - W r0.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/problem_hdf.h"
#include "output/problem_parts.h"

// The problem in the terms of the layout. Rows are renumbered: contacts first, then bilateral rows;
// rows without a place have the number -1. A contact of the file has `space_dim` rows:
//     cone     as it is; rows that it lacks (a cable, a contact that does not roll) stay empty
//     bounded  each row is the tangent of a contact of its own, with friction 1 under a normal
//              impulse that can only be the bound m: u_n = w (r_n - m)
// Over bodies W is kept as the factors G, which is a mass matrix of ones and H = G.
typedef struct draft {
    const cn_problem *p;
    bool is_global, is_rolling;
    cn_sparse W, V, R;       // local
    cn_sparse G;             // global: degrees of freedom x all rows
    int *number;             // of each row of the problem in the file
    double *q;               // contacts, then s of the bilateral rows
    double *r;               // r + r0, likewise
    double *u;               // velocities, likewise
    double *guess, *u_guess; // the same for the first guess, if there is one
    double *mu, *mu_roll;
    int contact_count, contact_rows, bilateral_rows, space_dim;
} draft;

static void free_draft(draft *d)
{
    cn_sparse_free(&d->W);
    cn_sparse_free(&d->V);
    cn_sparse_free(&d->R);
    cn_sparse_free(&d->G);
    void *owned[] = {d->number, d->q, d->r, d->u, d->guess, d->u_guess, d->mu, d->mu_roll};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(NULL, owned[k]);
    }
}

static int rows_in_all(const draft *d)
{
    return d->contact_rows + d->bilateral_rows;
}

static double entry_or_zero(const double *array, int k)
{
    return array != NULL ? array[k] : 0.0;
}

// Rows of a cone that the file has a place for, in their order; the row of spinning comes last and
// may be left out where nothing resists it.
static cn_status count_cone_rows(const draft *d, int a, int *rows, cn_error *err)
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
static cn_status number_contacts(draft *d, int a, cn_error *err)
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

static cn_status number_rows(draft *d, cn_error *err)
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
            d->number[k] = rows_in_all(d);
            d->bilateral_rows++;
        }
    }
    return CN_OK;
}

// The layout stores V once, so rows and columns of bilateral constraints must mirror each other.
static cn_status check_mirror(const draft *d, const cn_sparse *all, cn_error *err)
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
static cn_status split_operator(draft *d, const cn_sparse *all, cn_error *err)
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
static cn_status add_bounds(draft *d, const cn_sparse *all, cn_error *err)
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
            status = status == CN_OK ? cn_sparse_add(&d->W, normal, normal, w, err) : status;
        }
    }
    cn_release(NULL, diagonal);
    return status;
}

static cn_status make_rows(draft *d, cn_sparse *all, cn_error *err)
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
static cn_status add_side(draft *d, int a, int side, cn_error *err)
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

static cn_status make_factors(draft *d, cn_error *err)
{
    const cn_factors *f = &d->p->W.factors;
    d->G = (cn_sparse){.row_count = f->dof_start[f->body_count], .column_count = rows_in_all(d)};
    for (int a = 0; a < d->p->contact_count; a++) {
        CN_TRY(add_side(d, a, 0, err));
        CN_TRY(add_side(d, a, 1, err));
    }
    return cn_sparse_sort(&d->G, err);
}

// y += (W + c) x, by rows of the file.
static cn_status multiply(const draft *d, const double *x, double *y, cn_error *err)
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
static cn_status place_impulses(const draft *d, const double *from, double *r, cn_error *err)
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
static cn_status fill_shift(draft *d, double *offset, cn_error *err)
{
    const cn_problem *p = d->p;
    double *shift = offset + rows_in_all(d);
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

static void fill_friction(draft *d)
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
static cn_status fill_velocity(const draft *d, const double *r, double *u, cn_error *err)
{
    memcpy(u, d->q, sizeof(double) * (size_t)rows_in_all(d));
    return multiply(d, r, u, err);
}

static cn_status reserve_draft(draft *d, cn_error *err)
{
    size_t rows = (size_t)rows_in_all(d), contacts = (size_t)d->contact_count;
    CN_TRY(cn_new(&d->q, rows, err));
    CN_TRY(cn_new(&d->r, rows, err));
    CN_TRY(cn_new(&d->u, rows, err));
    CN_TRY(cn_new(&d->guess, rows, err));
    CN_TRY(cn_new(&d->u_guess, rows, err));
    CN_TRY(cn_new(&d->mu, contacts, err));
    return cn_new(&d->mu_roll, contacts, err);
}

static cn_status make_draft(const cn_problem *p, const cn_problem_note *note, draft *d,
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
    CN_TRY(cn_new(&work, 2 * (size_t)rows_in_all(d), err));
    status = fill_shift(d, work, err);
    cn_release(NULL, work);
    CN_TRY(status);
    CN_TRY(place_impulses(d, p->r, d->r, err));
    CN_TRY(place_impulses(d, note->guess, d->guess, err));
    fill_friction(d);
    CN_TRY(fill_velocity(d, d->r, d->u, err));
    return fill_velocity(d, d->guess, d->u_guess, err);
}

// Impulses and velocities of cones, and the impulses of bilateral rows as l.
static cn_status put_impulses(cn_hdf *hdf, const char *folder, const draft *d, const double *r,
                              const double *u, cn_error *err)
{
    CN_TRY(cn_fclib_put_reals(hdf, folder, "r", d->contact_rows, r, err));
    CN_TRY(cn_fclib_put_reals(hdf, folder, "u", d->contact_rows, u, err));
    return d->bilateral_rows > 0
               ? cn_fclib_put_reals(hdf, folder, "l", d->bilateral_rows, r + d->contact_rows, err)
               : CN_OK;
}

// W, q and what bilateral rows add.
static cn_status put_local(cn_hdf *hdf, const char *group, const char *vectors, const draft *d,
                           cn_error *err)
{
    char matrix[64];
    snprintf(matrix, sizeof matrix, "%s/W", group);
    CN_TRY(cn_fclib_put_matrix(hdf, matrix, &d->W, err));
    CN_TRY(cn_fclib_put_reals(hdf, vectors, "q", d->contact_rows, d->q, err));
    if (d->bilateral_rows == 0) {
        return CN_OK;
    }
    snprintf(matrix, sizeof matrix, "%s/V", group);
    CN_TRY(cn_fclib_put_matrix(hdf, matrix, &d->V, err));
    snprintf(matrix, sizeof matrix, "%s/R", group);
    CN_TRY(cn_fclib_put_matrix(hdf, matrix, &d->R, err));
    return cn_fclib_put_reals(hdf, vectors, "s", d->bilateral_rows, d->q + d->contact_rows, err);
}

// The entries of G in columns first .. last-1.
static cn_status put_columns(cn_hdf *hdf, const char *name, const draft *d, int first, int last,
                             cn_error *err)
{
    cn_sparse part = {.row_count = d->G.row_count, .column_count = last - first};
    cn_status status = CN_OK;
    for (int n = 0; n < d->G.count && status == CN_OK; n++) {
        int column = d->G.column[n];
        if (column >= first && column < last) {
            status = cn_sparse_add(&part, d->G.row[n], column - first, d->G.value[n], err);
        }
    }
    status = status == CN_OK ? cn_fclib_put_matrix(hdf, name, &part, err) : status;
    cn_sparse_free(&part);
    return status;
}

static cn_status put_mass(cn_hdf *hdf, const char *name, int dof_count, cn_error *err)
{
    cn_sparse M = {.row_count = dof_count, .column_count = dof_count};
    cn_status status = cn_sparse_reserve(&M, dof_count, err);
    for (int k = 0; k < dof_count && status == CN_OK; k++) {
        status = cn_sparse_add(&M, k, k, 1.0, err);
    }
    status = status == CN_OK ? cn_fclib_put_matrix(hdf, name, &M, err) : status;
    cn_sparse_free(&M);
    return status;
}

// M = 1, H and G from the factors, no forces: the free velocities are in w and b.
static cn_status put_global(cn_hdf *hdf, const char *group, const char *vectors, const draft *d,
                            cn_error *err)
{
    char matrix[64];
    double *f;
    CN_TRY(cn_new(&f, (size_t)d->G.row_count, err));
    cn_status status = cn_fclib_put_reals(hdf, vectors, "f", d->G.row_count, f, err);
    cn_release(NULL, f);
    CN_TRY(status);
    snprintf(matrix, sizeof matrix, "%s/M", group);
    CN_TRY(put_mass(hdf, matrix, d->G.row_count, err));
    snprintf(matrix, sizeof matrix, "%s/H", group);
    CN_TRY(put_columns(hdf, matrix, d, 0, d->contact_rows, err));
    CN_TRY(cn_fclib_put_reals(hdf, vectors, "w", d->contact_rows, d->q, err));
    if (d->bilateral_rows == 0) {
        return CN_OK;
    }
    snprintf(matrix, sizeof matrix, "%s/G", group);
    CN_TRY(put_columns(hdf, matrix, d, d->contact_rows, rows_in_all(d), err));
    return cn_fclib_put_reals(hdf, vectors, "b", d->bilateral_rows, d->q + d->contact_rows, err);
}

static cn_status put_texts(cn_hdf *hdf, const char *group, const cn_problem_note *note,
                           cn_error *err)
{
    char about[64];
    snprintf(about, sizeof about, "%s/info", group);
    CN_TRY(cn_fclib_put_text(hdf, about, "title", note->title, err));
    CN_TRY(cn_fclib_put_text(hdf, about, "description", note->description, err));
    return cn_fclib_put_text(hdf, about, "math_info", note->math_info, err);
}

static cn_status put_draft(cn_hdf *hdf, const draft *d, const cn_problem_note *note, cn_error *err)
{
    char group[32], vectors[64];
    const int32_t space_dim = d->space_dim;
    snprintf(group, sizeof group, "fclib_%s%s", d->is_global ? "global" : "local",
             d->is_rolling ? "_rolling" : "");
    snprintf(vectors, sizeof vectors, "%s/vectors", group);
    CN_TRY(cn_fclib_put_integers(hdf, group, "spacedim", 1, &space_dim, err));
    CN_TRY(d->is_global ? put_global(hdf, group, vectors, d, err)
                        : put_local(hdf, group, vectors, d, err));
    CN_TRY(cn_fclib_put_reals(hdf, vectors, "mu", d->contact_count, d->mu, err));
    if (d->is_rolling) {
        CN_TRY(cn_fclib_put_reals(hdf, vectors, "mu_r", d->contact_count, d->mu_roll, err));
    }
    CN_TRY(put_texts(hdf, group, note, err));
    if (note->with_solution) {
        CN_TRY(put_impulses(hdf, "solution", d, d->r, d->u, err));
    }
    if (note->guess != NULL) {
        const int32_t one = 1;
        CN_TRY(cn_fclib_put_integers(hdf, "guesses", "number_of_guesses", 1, &one, err));
        CN_TRY(put_impulses(hdf, "guesses/1", d, d->guess, d->u_guess, err));
    }
    return cn_hdf_flush(hdf, err);
}

// Writes beside the final place and moves there, so that no half-written file is ever seen.
static cn_status put_file(const char *part, const char *path, const draft *d,
                          const cn_problem_note *note, cn_error *err)
{
    cn_hdf *hdf;
    CN_TRY(cn_hdf_create(part, path, &hdf, err));
    cn_status status = put_draft(hdf, d, note, err);
    if (status != CN_OK) {
        cn_hdf_cut_off(hdf);
    }
    cn_status closed = cn_hdf_close(hdf, status == CN_OK ? err : NULL);
    status = status != CN_OK ? status : closed;
    if (status == CN_OK && rename(part, path) != 0) {
        status = cn_fail(err, CN_IO, "%s: cannot move the finished file here: %s", path,
                         strerror(errno));
    }
    if (status != CN_OK) {
        unlink(part);
    }
    return status;
}

cn_status cn_problem_write(const char *path, const cn_problem *p, const cn_problem_note *note,
                           cn_error *err)
{
    static const cn_problem_note nothing = {0};
    note = note != NULL ? note : &nothing;
    size_t size = strlen(path) + sizeof ".part";
    char *part = NULL;
    CN_TRY(cn_new(&part, size, err));
    snprintf(part, size, "%s.part", path);
    draft d = {0};
    cn_status status = make_draft(p, note, &d, err);
    if (status == CN_OK) {
        status = put_file(part, path, &d, note, err);
    }
    free_draft(&d);
    cn_release(NULL, part);
    return status;
}
