// problem_file/write_problem.c -- contact problems as FCLIB files, local or global
// (docs/formats.md).
#include <stdio.h>
#include <string.h>

#include "base/file_lock.h"
#include "base/memory.h"
#include "problem_file/fclib_hdf.h"
#include "problem_file/problem_draft.h"

// Impulses and velocities of cones, and the impulses of bilateral rows as l.
static cn_status put_impulses(cn_hdf *hdf, const char *folder, const cn_draft *d, const double *r,
                              const double *u, cn_error *err)
{
    CN_TRY(cn_fclib_put_reals(hdf, folder, "r", d->contact_rows, r, err));
    CN_TRY(cn_fclib_put_reals(hdf, folder, "u", d->contact_rows, u, err));
    return d->bilateral_rows > 0
               ? cn_fclib_put_reals(hdf, folder, "l", d->bilateral_rows, r + d->contact_rows, err)
               : CN_OK;
}

// W, q and what bilateral rows add.
static cn_status put_local(cn_hdf *hdf, const char *group, const char *vectors, const cn_draft *d,
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
static cn_status put_columns(cn_hdf *hdf, const char *name, const cn_draft *d, int first, int last,
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
    CN_THEN(status, cn_fclib_put_matrix(hdf, name, &part, err));
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
    CN_THEN(status, cn_fclib_put_matrix(hdf, name, &M, err));
    cn_sparse_free(&M);
    return status;
}

// M = 1, H and G from the factors, no forces: the free velocities are in w and b.
static cn_status put_global(cn_hdf *hdf, const char *group, const char *vectors, const cn_draft *d,
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
    CN_TRY(put_columns(hdf, matrix, d, d->contact_rows, cn_draft_rows(d), err));
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

static cn_status put_draft(cn_hdf *hdf, const cn_draft *d, const cn_problem_note *note,
                           cn_error *err)
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

static cn_status put_file(const cn_claim *claim, const cn_draft *d, const cn_problem_note *note,
                          cn_error *err)
{
    cn_hdf *hdf;
    CN_TRY(cn_hdf_create(claim->part, claim->shown, &hdf, err));
    cn_status status = put_draft(hdf, d, note, err);
    if (status != CN_OK) {
        cn_hdf_cut_off(hdf);
    }
    cn_status closed = cn_hdf_close(hdf, status == CN_OK ? err : NULL);
    return status != CN_OK ? status : closed;
}

// Written beside the final place and moved there, so that no half-written file is ever seen.
static cn_status write_plain(const char *path, const cn_problem *p, const cn_problem_note *note,
                             cn_error *err)
{
    cn_claim *claim;
    cn_draft d = {0};
    CN_TRY(cn_claim_take(path, &claim, err));
    cn_status status = cn_draft_make(p, note, &d, err);
    CN_THEN(status, cn_claim_begin(claim, err));
    CN_THEN(status, put_file(claim, &d, note, err));
    CN_THEN(status, cn_claim_publish(claim, err));
    cn_draft_free(&d);
    cn_claim_release(claim);
    return status;
}

// r' = r + r0 + k u of impulses r, in place.
static cn_status to_core(const cn_problem *p, cn_solver *solver, double *r, double *u,
                         cn_error *err)
{
    cn_problem at = *p;
    at.r = r;
    CN_TRY(cn_problem_velocity(&at, solver, u, err));
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        r[k] += (p->r0 != NULL ? p->r0[k] : 0.0) + p->k[k] * u[k];
    }
    return CN_OK;
}

// With parallel terms: the problem of the contacts alone, which any program reads. `work` has three
// numbers per row.
static cn_status write_folded(const char *path, const cn_problem *p, const cn_problem_note *note,
                              cn_solver *solver, double *work, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    double *r = work, *guess = work + rows, *u = work + 2 * rows;
    cn_problem_note folded_note = *note;
    cn_problem folded;
    memcpy(r, p->r, sizeof *r * rows);
    CN_TRY(to_core(p, solver, r, u, err));
    if (note->guess != NULL) {
        memcpy(guess, note->guess, sizeof *guess * rows);
        CN_TRY(to_core(p, solver, guess, u, err));
        folded_note.guess = guess;
    }
    CN_TRY(cn_problem_fold(p, solver, &folded, err));
    folded.r = r;
    return write_plain(path, &folded, &folded_note, err);
}

cn_status cn_problem_write(const char *path, const cn_problem *p, const cn_problem_note *note,
                           cn_error *err)
{
    CN_NEED(err, path, p);
    if (p->W.factors.cell != NULL) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "the layout has no place for a periodic cell under stress, which all contacts "
            "share: record a stage in which the cell follows rates");
    }
    static const cn_problem_note nothing = {0};
    note = note != NULL ? note : &nothing;
    if (p->k == NULL) {
        return write_plain(path, p, note, err);
    }
    cn_solver *solver = NULL;
    double *work;
    CN_TRY(cn_new(&work, 3 * (size_t)p->row_start[p->contact_count], err));
    cn_status status = cn_solver_create(NULL, &solver, err);
    if (status == CN_OK) {
        status = write_folded(path, p, note, solver, work, err);
    }
    cn_solver_destroy(solver);
    cn_release(NULL, work);
    return status;
}
