// problem_file/read_problem.c -- FCLIB files into problems that can be solved (docs/formats.md).
//
// Four groups exist: fclib_local, fclib_global and their rolling variants. Whatever the form, the
// result is u = W r + q, contacts first, then bilateral rows in constraints of up to CN_ROW_MAX. W
// is stored in block rows; global problems of rigid bodies keep the bodies instead.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "problem_file/fclib_hdf.h"
#include "problem_file/problem_parts.h"

// One form of problem and the group it lives in.
typedef struct problem_form {
    const char *group, *vectors, *about;
    bool is_global, is_rolling;
} problem_form;

static const problem_form form_table[] = {
    {"fclib_local", "fclib_local/vectors", "fclib_local/info", false, false},
    {"fclib_global", "fclib_global/vectors", "fclib_global/info", true, false},
    {"fclib_local_rolling", "fclib_local_rolling/vectors", "fclib_local_rolling/info", false, true},
    {"fclib_global_rolling", "fclib_global_rolling/vectors", "fclib_global_rolling/info", true,
     true},
};

// Takes the entries of A with its corner moved to (row, column), mirrored if asked.
static cn_status join_matrix(const cn_sparse *A, int row, int column, bool is_mirrored,
                             cn_sparse *W, cn_error *err)
{
    for (int n = 0; n < A->count; n++) {
        int i = is_mirrored ? A->column[n] : A->row[n];
        int k = is_mirrored ? A->row[n] : A->column[n];
        CN_TRY(cn_sparse_add(W, row + i, column + k, A->value[n], err));
    }
    return CN_OK;
}

// Appends the `count` values of an optional dataset to an array, zeros if it is not there.
static cn_status append_vector(cn_hdf *hdf, const char *folder, const char *name, int at, int count,
                               double **array, cn_error *err)
{
    double *joined = NULL, *read = NULL;
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CN_TRY(cn_new(&joined, (size_t)at + (size_t)count, err));
    memcpy(joined, *array, sizeof(double) * (size_t)at);
    cn_release(NULL, *array);
    *array = joined;
    if (!cn_fclib_has(hdf, path)) {
        return CN_OK;
    }
    cn_status status = cn_fclib_vector(hdf, folder, name, count, &read, err);
    if (status == CN_OK) {
        memcpy(joined + at, read, sizeof(double) * (size_t)count);
    }
    cn_release(NULL, read);
    return status;
}

// V, R and s of a mixed local problem: u = W r + V l + q, 0 = V^T r + R l + s.
static cn_status read_mixed(cn_hdf *hdf, const problem_form *form, cn_problem_file *file,
                            cn_sparse *V, cn_sparse *R, cn_error *err)
{
    char path[64];
    int m = file->W.row_count;
    snprintf(path, sizeof path, "%s/V", form->group);
    if (!cn_fclib_has(hdf, path)) {
        return CN_OK;
    }
    CN_TRY(cn_fclib_matrix(hdf, path, V, err));
    snprintf(path, sizeof path, "%s/R", form->group);
    CN_TRY(cn_fclib_matrix(hdf, path, R, err));
    int count = V->column_count;
    if (V->row_count != m || R->row_count != count || R->column_count != count) {
        return cn_fail(err, CN_BAD_INPUT, "%s: V is %d x %d and R %d x %d beside a W of %d rows",
                       hdf->path, V->row_count, count, R->row_count, R->column_count, m);
    }
    CN_TRY(join_matrix(V, 0, m, false, &file->W, err));
    CN_TRY(join_matrix(V, m, 0, true, &file->W, err));
    CN_TRY(join_matrix(R, m, m, false, &file->W, err));
    file->W.row_count += count;
    file->W.column_count += count;
    file->info.bilateral_rows = count;
    return append_vector(hdf, form->vectors, "s", m, count, &file->q, err);
}

static cn_status read_local(cn_hdf *hdf, const problem_form *form, cn_problem_file *file,
                            cn_error *err)
{
    char path[64];
    snprintf(path, sizeof path, "%s/W", form->group);
    CN_TRY(cn_fclib_matrix(hdf, path, &file->W, err));
    if (file->W.row_count != file->W.column_count) {
        return cn_fail(err, CN_BAD_INPUT, "%s: W must be square, it is %d x %d", hdf->path,
                       file->W.row_count, file->W.column_count);
    }
    CN_TRY(cn_fclib_vector(hdf, form->vectors, "q", file->W.row_count, &file->q, err));
    cn_sparse V = {0}, R = {0};
    cn_status status = read_mixed(hdf, form, file, &V, &R, err);
    cn_sparse_free(&V);
    cn_sparse_free(&R);
    file->row_count = file->W.row_count;
    return status;
}

// The bilateral columns G with b, as further columns of H with further entries of w.
static cn_status read_bilateral(cn_hdf *hdf, const problem_form *form, cn_problem_file *file,
                                cn_sparse *G, cn_error *err)
{
    char path[64];
    int m = file->H.column_count;
    snprintf(path, sizeof path, "%s/G", form->group);
    if (!cn_fclib_has(hdf, path)) {
        return CN_OK;
    }
    CN_TRY(cn_fclib_matrix(hdf, path, G, err));
    if (G->row_count != file->H.row_count) {
        return cn_fail(err, CN_BAD_INPUT, "%s: G has %d rows beside the %d of H", hdf->path,
                       G->row_count, file->H.row_count);
    }
    CN_TRY(join_matrix(G, 0, m, false, &file->H, err));
    file->H.column_count += G->column_count;
    file->info.bilateral_rows = G->column_count;
    return append_vector(hdf, form->vectors, "b", m, G->column_count, &file->w, err);
}

// q = H^T M^-1 f + w.
static cn_status reduce_forces(cn_problem_file *file, cn_error *err)
{
    size_t n = (size_t)file->M.row_count, m = (size_t)file->row_count;
    double *v;
    CN_TRY(cn_new(&v, n, err));
    memcpy(v, file->f, sizeof(double) * n);
    cn_mass_solve(&file->mass, v);
    cn_status status = cn_new(&file->q, m, err);
    if (status == CN_OK) {
        memcpy(file->q, file->w, sizeof(double) * m);
        cn_sparse_multiply_transposed(&file->H, v, file->q);
    }
    cn_release(NULL, v);
    return status;
}

// The operator of a global problem: bodies, or W = H^T M^-1 H.
static cn_status reduce(cn_problem_file *file, cn_error *err)
{
    CN_TRY(cn_sparse_sort(&file->H, err));
    CN_TRY(reduce_forces(file, err));
    CN_TRY(cn_body_store_make(&file->M, &file->H, file->problem.dim == 2 ? 3 : 6,
                              file->problem.contact_count, file->row_start, &file->bodies, err));
    return file->bodies.body_count > 0 ? CN_OK
                                       : cn_mass_reduce(&file->mass, &file->H, &file->W, err);
}

static cn_status read_global(cn_hdf *hdf, const problem_form *form, cn_problem_file *file,
                             cn_error *err)
{
    char path[64];
    snprintf(path, sizeof path, "%s/M", form->group);
    CN_TRY(cn_fclib_matrix(hdf, path, &file->M, err));
    snprintf(path, sizeof path, "%s/H", form->group);
    CN_TRY(cn_fclib_matrix(hdf, path, &file->H, err));
    int n = file->M.row_count, m = file->H.column_count;
    if (file->M.column_count != n || file->H.row_count != n) {
        return cn_fail(err, CN_BAD_INPUT, "%s: M is %d x %d and H %d x %d: they do not fit",
                       hdf->path, n, file->M.column_count, file->H.row_count, m);
    }
    file->info.dof_count = n;
    CN_TRY(cn_fclib_vector(hdf, form->vectors, "f", n, &file->f, err));
    CN_TRY(cn_fclib_vector(hdf, form->vectors, "w", m, &file->w, err));
    cn_sparse G = {0};
    cn_status status = read_bilateral(hdf, form, file, &G, err);
    cn_sparse_free(&G);
    file->row_count = file->W.row_count = file->W.column_count = file->H.column_count;
    CN_TRY(status);
    return cn_mass_factorize(&file->M, hdf->path, &file->mass, err);
}

static cn_status read_friction(cn_hdf *hdf, const problem_form *form, const char *name, int count,
                               double **mu, cn_error *err)
{
    CN_TRY(cn_fclib_vector(hdf, form->vectors, name, count, mu, err));
    for (int a = 0; a < count; a++) {
        if (!((*mu)[a] >= 0.0)) {
            return cn_fail(err, CN_BAD_INPUT, "%s: %s of contact %d is %g; it must be >= 0",
                           hdf->path, name, a, (*mu)[a]);
        }
    }
    return CN_OK;
}

// spacedim fits the form and divides the rows.
static cn_status read_dimension(cn_hdf *hdf, const problem_form *form, cn_problem_file *file,
                                cn_error *err)
{
    int d = 0;
    CN_TRY(cn_fclib_integer(hdf, form->group, "spacedim", &d, err));
    const int plane = form->is_rolling ? 3 : 2, space = form->is_rolling ? 5 : 3;
    if (d != plane && d != space) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s/spacedim is %d; it must be %d or %d", hdf->path,
                       form->group, d, plane, space);
    }
    int m = file->row_count - file->info.bilateral_rows;
    if (m % d != 0) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %d rows are no whole number of contacts of %d rows",
                       hdf->path, m, d);
    }
    file->info.space_dim = d;
    file->info.contact_count = m / d;
    file->problem.dim = d == plane ? 2 : 3;
    return CN_OK;
}

// Which rows belong to which constraint, and what each is.
static cn_status lay_out(cn_problem_file *file, cn_error *err)
{
    const cn_problem_info *info = &file->info;
    int joints = (info->bilateral_rows + CN_ROW_MAX - 1) / CN_ROW_MAX;
    int count = info->contact_count + joints, rows = file->row_count;
    file->problem.contact_count = count;
    CN_TRY(cn_new(&file->row_start, (size_t)count + 1, err));
    CN_TRY(cn_new(&file->kind, (size_t)count, err));
    for (int a = 0; a < count; a++) {
        int joint = a - info->contact_count;
        int first = info->contact_count * info->space_dim + joint * CN_ROW_MAX;
        file->row_start[a] = joint < 0 ? a * info->space_dim : first;
        file->kind[a] = joint < 0 ? CN_CORE_CONE : CN_CORE_BILATERAL;
    }
    file->row_start[count] = rows;
    return CN_OK;
}

static cn_status widen(double **array, int from, int to, cn_error *err)
{
    double *wide;
    CN_TRY(cn_new(&wide, (size_t)to, err));
    memcpy(wide, *array, sizeof(double) * (size_t)from);
    cn_release(NULL, *array);
    *array = wide;
    return CN_OK;
}

static cn_status read_cones(cn_hdf *hdf, const problem_form *form, cn_problem_file *file,
                            cn_error *err)
{
    int contacts = file->info.contact_count, count = file->problem.contact_count;
    CN_TRY(read_friction(hdf, form, "mu", contacts, &file->mu, err));
    CN_TRY(widen(&file->mu, contacts, count, err));
    if (form->is_rolling) {
        CN_TRY(read_friction(hdf, form, "mu_r", contacts, &file->mu_roll, err));
        CN_TRY(widen(&file->mu_roll, contacts, count, err));
    }
    return cn_new(&file->r, (size_t)file->row_count, err);
}

// W in block rows.
static cn_status build_rows(const char *path, cn_problem_file *file, cn_error *err)
{
    int count = file->problem.contact_count;
    CN_TRY(cn_sparse_add_diagonal(&file->W, count, file->row_start, err));
    CN_TRY(cn_sparse_sort(&file->W, err));
    for (int n = 0; n < file->W.count; n++) {
        if (!isfinite(file->W.value[n])) { // sums of huge entries, or M^-1 of tiny ones
            return cn_fail(err, CN_BAD_INPUT, "%s: entry (%d, %d) of W overflows", path,
                           file->W.row[n], file->W.column[n]);
        }
    }
    file->info.entry_count = file->W.count;
    CN_TRY(cn_sparse_asymmetry(&file->W, &file->info.asymmetry, err));
    CN_TRY(cn_row_store_make(&file->W, count, file->row_start, &file->rows, err));
    file->problem.W.rows =
        (cn_rows){file->rows.row, file->rows.column, file->rows.block_start, file->rows.block};
    return CN_OK;
}

// G of bodies; its squares must be numbers too.
static cn_status build_bodies(const char *path, cn_problem_file *file, cn_error *err)
{
    const cn_body_store *b = &file->bodies;
    int count = file->problem.contact_count;
    for (int x = 0; x < 2 * count; x++) {
        int rows = file->row_start[x / 2 + 1] - file->row_start[x / 2];
        int size = b->body[x] >= 0 ? rows * b->dof_start[1] : 0;
        double sum = 0.0;
        for (int k = 0; k < size; k++) {
            sum += b->G[b->block_start[x] + k] * b->G[b->block_start[x] + k];
        }
        if (!isfinite(sum)) {
            return cn_fail(err, CN_BAD_INPUT, "%s: H^T M^-1 H overflows at constraint %d", path,
                           x / 2);
        }
    }
    file->info.entry_count = file->H.count;
    file->problem.W.factors =
        (cn_factors){b->body_count, b->dof_start, b->body, b->block_start, b->G, NULL, NULL};
    return CN_OK;
}

static cn_status build_problem(const char *path, cn_problem_file *file, cn_error *err)
{
    CN_TRY(file->bodies.body_count > 0 ? build_bodies(path, file, err)
                                       : build_rows(path, file, err));
    cn_problem *p = &file->problem;
    p->row_start = file->row_start;
    p->u_free = file->q;
    p->kind = file->kind;
    p->mu = file->mu;
    p->mu_roll = file->mu_roll;
    p->r = file->r;
    p->v_before = NAN; // a file does not tell
    return CN_OK;
}

// Impulses stored in a folder, the bilateral ones called l; *r stays NULL if there are none.
static cn_status read_impulses(cn_hdf *hdf, const char *folder, const cn_problem_file *file,
                               double **r, cn_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s/r", folder);
    if (!cn_fclib_has(hdf, name)) {
        return CN_OK;
    }
    int m = file->row_count - file->info.bilateral_rows;
    CN_TRY(cn_fclib_vector(hdf, folder, "r", m, r, err));
    return append_vector(hdf, folder, "l", m, file->info.bilateral_rows, r, err);
}

static cn_status read_texts(cn_hdf *hdf, const problem_form *form, cn_problem_file *file,
                            cn_error *err)
{
    CN_TRY(cn_fclib_text(hdf, form->about, "title", &file->title, err));
    CN_TRY(cn_fclib_text(hdf, form->about, "description", &file->description, err));
    file->info.title = file->title;
    file->info.description = file->description;
    return CN_OK;
}

static cn_status read_all(cn_hdf *hdf, cn_problem_file *file, cn_error *err)
{
    const problem_form *found = NULL;
    for (size_t k = 0; k < sizeof form_table / sizeof *form_table && found == NULL; k++) {
        found = cn_fclib_has(hdf, form_table[k].group) ? &form_table[k] : NULL;
    }
    if (found == NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: no contact problem: there is no group fclib_local, fclib_global, "
                       "fclib_local_rolling or fclib_global_rolling",
                       hdf->path);
    }
    file->info.is_global = found->is_global;
    file->info.is_rolling = found->is_rolling;
    CN_TRY(found->is_global ? read_global(hdf, found, file, err)
                            : read_local(hdf, found, file, err));
    CN_TRY(read_dimension(hdf, found, file, err));
    CN_TRY(lay_out(file, err));
    CN_TRY(read_cones(hdf, found, file, err));
    CN_TRY(found->is_global ? reduce(file, err) : CN_OK);
    CN_TRY(build_problem(hdf->path, file, err));
    CN_TRY(read_texts(hdf, found, file, err));
    CN_TRY(read_impulses(hdf, "solution", file, &file->solution, err));
    file->info.has_solution = file->solution != NULL;
    CN_TRY(read_impulses(hdf, "guesses/1", file, &file->guess, err));
    file->info.has_guess = file->guess != NULL;
    return CN_OK;
}

cn_status cn_problem_file_read(const char *path, cn_problem_file **file, cn_error *err)
{
    CN_NEED(err, path, file);
    *file = NULL;
    cn_hdf *hdf = NULL;
    CN_TRY(cn_hdf_open(path, &hdf, err));
    cn_problem_file *made = NULL;
    cn_status status = cn_new(&made, 1, err);
    CN_THEN(status, read_all(hdf, made, err));
    cn_hdf_close(hdf, NULL);
    if (status != CN_OK) {
        cn_problem_file_destroy(made);
        return status;
    }
    *file = made;
    return CN_OK;
}

void cn_problem_file_destroy(cn_problem_file *file)
{
    if (file == NULL) {
        return;
    }
    cn_sparse_free(&file->W);
    cn_sparse_free(&file->M);
    cn_sparse_free(&file->H);
    cn_mass_free(&file->mass);
    cn_row_store_free(&file->rows);
    cn_body_store_free(&file->bodies);
    CN_RELEASE(file->title, file->description, file->f, file->w, file->q, file->mu, file->mu_roll,
               file->r, file->solution, file->guess, file->row_start, file->kind);
    cn_release(NULL, file);
}

const cn_problem_info *cn_problem_file_info(const cn_problem_file *file)
{
    return file != NULL ? &file->info : NULL;
}

cn_problem *cn_problem_file_problem(cn_problem_file *file)
{
    return file != NULL ? &file->problem : NULL;
}

const double *cn_problem_file_guess(const cn_problem_file *file)
{
    return file != NULL ? file->guess : NULL;
}

const double *cn_problem_file_solution(const cn_problem_file *file)
{
    return file != NULL ? file->solution : NULL;
}
