// output/problem_write.c -- any contact problem as a local FCLIB file (docs/formats.md).
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

// The problem in the terms of the layout. Rows are renumbered: cones first, then bilateral rows;
// free constraints have none (-1). Beside contacts that roll, others get rows of moments without
// entries and without friction.
typedef struct draft {
    const cn_problem *p;
    cn_sparse all; // W + c by the rows of the problem
    cn_sparse W, V, R;
    int *number;             // of each row of the problem in the file
    double *q;               // cones, then s of the bilateral rows
    double *r;               // r + r0, likewise
    double *u;               // velocities, likewise
    double *guess, *u_guess; // the same for the first guess, if there is one
    double *mu, *mu_roll;
    int cone_count, cone_rows, bilateral_rows, space_dim;
    bool is_rolling;
} draft;

static void free_draft(draft *d)
{
    cn_sparse_free(&d->all);
    cn_sparse_free(&d->W);
    cn_sparse_free(&d->V);
    cn_sparse_free(&d->R);
    void *owned[] = {d->number, d->q, d->r, d->u, d->guess, d->u_guess, d->mu, d->mu_roll};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(NULL, owned[k]);
    }
}

static cn_status check_cone(const draft *d, int a, int rows, cn_error *err)
{
    if (rows != d->space_dim && !(d->is_rolling && rows == d->p->dim)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "constraint %d is a cone of %d rows; the file has room for cones of %d rows "
                       "only",
                       a, rows, d->space_dim);
    }
    return CN_OK;
}

// Numbers the rows and counts.
static cn_status number_rows(draft *d, cn_error *err)
{
    const cn_problem *p = d->p;
    d->is_rolling = p->mu_roll != NULL;
    d->space_dim = d->is_rolling ? 2 * p->dim - 1 : p->dim;
    for (int pass = 0; pass < 2; pass++) {
        for (int a = 0; a < p->contact_count; a++) {
            int row = p->row_start[a], rows = p->row_start[a + 1] - row;
            if (p->kind[a] == CN_CORE_BOUNDED) {
                return cn_fail(err, CN_BAD_INPUT,
                               "constraint %d is bounded; a problem file has no place for it", a);
            }
            if (p->kind[a] == CN_CORE_CONE && pass == 0) {
                CN_TRY(check_cone(d, a, rows, err));
                d->cone_count++;
            }
            bool is_mine = p->kind[a] == (pass == 0 ? CN_CORE_CONE : CN_CORE_BILATERAL);
            for (int k = row; k < row + rows && is_mine; k++) {
                d->number[k] = d->cone_rows + d->bilateral_rows;
                *(pass == 0 ? &d->cone_rows : &d->bilateral_rows) += 1;
            }
            d->cone_rows += is_mine && pass == 0 ? d->space_dim - rows : 0;
        }
    }
    return CN_OK;
}

static double row_or_zero(const double *array, int row)
{
    return array != NULL ? array[row] : 0.0;
}

// W' in all places, then its parts; q' and r' row by row.
static cn_status split_operator(draft *d, cn_error *err)
{
    const cn_problem *p = d->p;
    int rows = p->row_start[p->contact_count];
    d->all = (cn_sparse){.row_count = rows, .column_count = rows};
    CN_TRY(cn_sparse_add_operator(p, &d->all, err));
    for (int k = 0; k < rows; k++) {
        CN_TRY(cn_sparse_add(&d->all, k, k, row_or_zero(p->c, k), err));
    }
    CN_TRY(cn_sparse_sort(&d->all, err));
    d->W = (cn_sparse){.row_count = d->cone_rows, .column_count = d->cone_rows};
    d->V = (cn_sparse){.row_count = d->cone_rows, .column_count = d->bilateral_rows};
    d->R = (cn_sparse){.row_count = d->bilateral_rows, .column_count = d->bilateral_rows};
    int m = d->cone_rows;
    for (int n = 0; n < d->all.count; n++) {
        int i = d->number[d->all.row[n]], k = d->number[d->all.column[n]];
        double value = d->all.value[n];
        if (i < 0 || k < 0 || value == 0.0 || (i >= m && k < m)) { // V^T is the mirror of V
            continue;
        }
        cn_sparse *part = k < m ? &d->W : (i < m ? &d->V : &d->R);
        CN_TRY(cn_sparse_add(part, i < m ? i : i - m, k < m ? k : k - m, value, err));
    }
    CN_TRY(cn_sparse_sort(&d->W, err));
    CN_TRY(cn_sparse_sort(&d->V, err));
    return cn_sparse_sort(&d->R, err);
}

// The layout stores V once, so rows and columns of bilateral constraints must mirror each other.
static cn_status check_mirror(const draft *d, cn_error *err)
{
    double asymmetry = 0.0;
    if (d->bilateral_rows > 0) {
        CN_TRY(cn_sparse_asymmetry(&d->all, &asymmetry, err));
    }
    if (asymmetry > 1e-12) {
        return cn_fail(err, CN_BAD_INPUT,
                       "W is not symmetric (%.3g) and has bilateral constraints; a problem file "
                       "cannot hold both",
                       asymmetry);
    }
    return CN_OK;
}

// q' = u_free + b - W r0 and r' = r + r0; a free constraint has no impulse. The products with W
// take away the compliance that `all` carries.
static cn_status fill_vectors(draft *d, const double *guess, double *offset, double *shift,
                              cn_error *err)
{
    const cn_problem *p = d->p;
    int rows = p->row_start[p->contact_count];
    for (int k = 0; k < rows; k++) {
        offset[k] = d->number[k] >= 0 ? -row_or_zero(p->r0, k) : 0.0;
    }
    cn_sparse_multiply(&d->all, offset, shift);
    for (int k = 0; k < rows; k++) {
        int at = d->number[k];
        if (at < 0) {
            continue;
        }
        d->q[at] =
            p->u_free[k] + row_or_zero(p->b, k) + shift[k] - row_or_zero(p->c, k) * offset[k];
        d->r[at] = p->r[k] - offset[k];
        d->guess[at] = (guess != NULL ? guess[k] : 0.0) - offset[k];
        if (!isfinite(d->q[at]) || !isfinite(d->r[at]) || !isfinite(d->guess[at])) {
            return cn_fail(err, CN_BROKEN, "row %d: u_free %g, impulse %g are not finite", k,
                           p->u_free[k], p->r[k]);
        }
    }
    return CN_OK;
}

static void fill_friction(draft *d)
{
    const cn_problem *p = d->p;
    for (int a = 0, n = 0; a < p->contact_count; a++) {
        if (p->kind[a] == CN_CORE_CONE) {
            d->mu_roll[n] = d->is_rolling ? p->mu_roll[a] : 0.0;
            d->mu[n++] = p->mu[a];
        }
    }
}

// u = W r + V l + q.
static void fill_velocity(const draft *d, const double *r, double *u)
{
    memcpy(u, d->q, sizeof(double) * (size_t)d->cone_rows);
    cn_sparse_multiply(&d->W, r, u);
    cn_sparse_multiply(&d->V, r + d->cone_rows, u);
}

static cn_status make_draft(const cn_problem *p, const double *guess, draft *d, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count], count = (size_t)p->contact_count;
    d->p = p;
    CN_TRY(cn_new(&d->number, rows, err));
    CN_TRY(cn_new(&d->mu, count, err));
    CN_TRY(cn_new(&d->mu_roll, count, err));
    for (size_t k = 0; k < rows; k++) {
        d->number[k] = -1;
    }
    CN_TRY(number_rows(d, err));
    size_t rows_of_file = (size_t)(d->cone_rows + d->bilateral_rows);
    CN_TRY(cn_new(&d->q, rows_of_file, err));
    CN_TRY(cn_new(&d->r, rows_of_file, err));
    CN_TRY(cn_new(&d->u, rows_of_file, err));
    CN_TRY(cn_new(&d->guess, rows_of_file, err));
    CN_TRY(cn_new(&d->u_guess, rows_of_file, err));
    CN_TRY(split_operator(d, err));
    CN_TRY(check_mirror(d, err));
    double *work;
    CN_TRY(cn_new(&work, 2 * rows, err));
    cn_status status = fill_vectors(d, guess, work, work + rows, err);
    cn_release(NULL, work);
    CN_TRY(status);
    fill_friction(d);
    fill_velocity(d, d->r, d->u);
    fill_velocity(d, d->guess, d->u_guess);
    return CN_OK;
}

// Impulses and velocities of cones, and the impulses of bilateral rows as l.
static cn_status put_impulses(cn_hdf *hdf, const char *folder, const draft *d, const double *r,
                              const double *u, cn_error *err)
{
    CN_TRY(cn_fclib_put_reals(hdf, folder, "r", d->cone_rows, r, err));
    CN_TRY(cn_fclib_put_reals(hdf, folder, "u", d->cone_rows, u, err));
    return d->bilateral_rows > 0
               ? cn_fclib_put_reals(hdf, folder, "l", d->bilateral_rows, r + d->cone_rows, err)
               : CN_OK;
}

static cn_status put_draft(cn_hdf *hdf, const draft *d, const cn_problem_note *note, cn_error *err)
{
    const char *group = d->is_rolling ? "fclib_local_rolling" : "fclib_local";
    char matrix[64], vectors[64];
    const int32_t space_dim = d->space_dim;
    CN_TRY(cn_fclib_put_integers(hdf, group, "spacedim", 1, &space_dim, err));
    snprintf(matrix, sizeof matrix, "%s/W", group);
    CN_TRY(cn_fclib_put_matrix(hdf, matrix, &d->W, err));
    snprintf(vectors, sizeof vectors, "%s/vectors", group);
    CN_TRY(cn_fclib_put_reals(hdf, vectors, "q", d->cone_rows, d->q, err));
    CN_TRY(cn_fclib_put_reals(hdf, vectors, "mu", d->cone_count, d->mu, err));
    if (d->is_rolling) {
        CN_TRY(cn_fclib_put_reals(hdf, vectors, "mu_r", d->cone_count, d->mu_roll, err));
    }
    if (d->bilateral_rows > 0) {
        snprintf(matrix, sizeof matrix, "%s/V", group);
        CN_TRY(cn_fclib_put_matrix(hdf, matrix, &d->V, err));
        snprintf(matrix, sizeof matrix, "%s/R", group);
        CN_TRY(cn_fclib_put_matrix(hdf, matrix, &d->R, err));
        CN_TRY(cn_fclib_put_reals(hdf, vectors, "s", d->bilateral_rows, d->q + d->cone_rows, err));
    }
    char about[64];
    snprintf(about, sizeof about, "%s/info", group);
    CN_TRY(cn_fclib_put_text(hdf, about, "title", note->title, err));
    CN_TRY(cn_fclib_put_text(hdf, about, "description", note->description, err));
    CN_TRY(cn_fclib_put_text(hdf, about, "math_info", note->math_info, err));
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
    cn_status status = make_draft(p, note->guess, &d, err);
    if (status == CN_OK) {
        status = put_file(part, path, &d, note, err);
    }
    free_draft(&d);
    cn_release(NULL, part);
    return status;
}
