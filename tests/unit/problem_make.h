// tests/unit/problem_make.h -- small problem files, written dataset by dataset, right or wrong.
#pragma once

#include "../io/files.h"
#include "cairn/problem_file.h"
#include "problem_file/fclib_hdf.h"
#include "strict.h"
#include "test.h"

// A matrix as it shall stand in the file.
typedef struct stored {
    int m, n, nz, nzmax;
    const int *p, *i;
    const double *x;
    int p_count, i_count, x_count;
} stored;

static inline cn_hdf *make_file(const char *path)
{
    cn_hdf *hdf = NULL;
    CN_DO(cn_hdf_create(path, path, &hdf, &test_error));
    return hdf;
}

static inline void put_stored(cn_hdf *hdf, const char *folder, const stored *s)
{
    CN_DO(cn_fclib_put_integers(hdf, folder, "m", 1, &s->m, &test_error));
    CN_DO(cn_fclib_put_integers(hdf, folder, "n", 1, &s->n, &test_error));
    CN_DO(cn_fclib_put_integers(hdf, folder, "nz", 1, &s->nz, &test_error));
    CN_DO(cn_fclib_put_integers(hdf, folder, "nzmax", 1, &s->nzmax, &test_error));
    CN_DO(cn_fclib_put_integers(hdf, folder, "p", s->p_count, s->p, &test_error));
    CN_DO(cn_fclib_put_integers(hdf, folder, "i", s->i_count, s->i, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, folder, "x", s->x_count, s->x, &test_error));
}

// A full matrix of up to 6 x 6 entries, row-major, as triplets.
static inline void put_full(cn_hdf *hdf, const char *folder, int m, int n, const double *A)
{
    int row[36], column[36];
    for (int k = 0; k < m * n; k++) {
        row[k] = k / n;
        column[k] = k % n;
    }
    int count = m * n;
    put_stored(hdf, folder, &(stored){m, n, count, count, column, row, A, count, count, count});
}

// The rest of a local problem.
static inline void put_local(cn_hdf *hdf, int d, int rows, const double *q, const double *mu)
{
    CN_DO(cn_fclib_put_integers(hdf, "fclib_local", "spacedim", 1, &d, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_local/vectors", "q", rows, q, &test_error));
    CN_DO(cn_fclib_put_reals(hdf, "fclib_local/vectors", "mu", rows / d, mu, &test_error));
}

// A local problem of one or two contacts with a full W.
static inline void make_local(const char *path, int d, int rows, const double *W, const double *q,
                              const double *mu)
{
    cn_hdf *hdf = make_file(path);
    put_full(hdf, "fclib_local/W", rows, rows, W);
    put_local(hdf, d, rows, q, mu);
    CN_DO(cn_hdf_close(hdf, &test_error));
}

static inline cn_problem_file *read_file(const char *path)
{
    cn_problem_file *file = NULL;
    CN_DO(cn_problem_file_read(path, &file, &test_error));
    return file;
}

// Solves to a residual of 1e-13 and returns what the checker says.
static inline cn_problem_errors solve_file(cn_problem_file *file, cn_method method)
{
    cn_solver *solver;
    cn_solver_report report;
    cn_problem_errors errors = {0};
    cn_solver_def def = cn_solver_def_default();
    def.method = method;
    def.eps_v = def.tol = 1e-13;
    cn_problem *p = cn_problem_file_problem(file);
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    cn_status status = test_solve(p, &def, solver, &report, &test_error);
    CN_TRUE(status == CN_OK || status == CN_MISSED);
    CN_DO(cn_problem_file_check(file, p->r, NULL, &errors, &test_error));
    cn_solver_destroy(solver);
    return errors;
}

// Reads, solves with NNCG and compares the impulses.
static inline void check_answer(const char *path, int rows, const double *r)
{
    cn_problem_file *file = read_file(path);
    cn_problem_errors errors = solve_file(file, CN_METHOD_NNCG);
    CN_NEAR(errors.natural, 0.0, 1e-11, "residual 1e-13 on numbers of order one");
    for (int k = 0; k < rows; k++) {
        CN_NEAR(cn_problem_file_problem(file)->r[k], r[k], 1e-11, "known on paper");
    }
    cn_problem_file_destroy(file);
}
