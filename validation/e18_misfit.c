// validation/e18_misfit.c -- E18: an inexact answer is the exact answer of a problem with misfits.
//
// Question: how wrong is an answer in metres? Reference: with z of (8.8) the impulses r - z and the
// velocities u' obey Signorini and Coulomb exactly, at any iterate, also after one sweep; and u'
// differs from the velocities of these impulses by no more than (1 + mu) e_a + |(W z)_a|. Both are
// identities; the law is written out here again. Tolerance: rounding. Source: derived here (theory
// 8.29, 8.30).
#include "table.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static double size_of(int count, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

// How far a contact is from Signorini's and Coulomb's law, as a velocity: approach and pull are
// zero and one of separation and push; friction is what remains of it less a multiple of the
// sliding velocity when it is cut to its bound (Alart and Curnier). W_nn makes velocities of
// impulses.
static double law_missed(double mu, int rows, double W_nn, const double *r, const double *u)
{
    double left[2] = {0.0}, off[2];
    for (int k = 1; k < rows; k++) {
        left[k - 1] = r[k] - u[k] / W_nn;
    }
    double size = size_of(rows - 1, left), most = fmax(mu * r[0], 0.0);
    double cut = size > most ? most / size : 1.0;
    for (int k = 1; k < rows; k++) {
        off[k - 1] = r[k] - cut * left[k - 1];
    }
    return fmax(fabs(fmin(u[0], W_nn * r[0])), W_nn * size_of(rows - 1, off));
}

typedef struct worst {
    double missed, bound; // law, over velocities; misfit, over its bound [-]
    int files;
} worst;

// W_nn of a contact, from bodies and from stored rows.
static double normal_diagonal(const cn_problem *p, int a)
{
    const cn_factors *f = &p->W.factors;
    const cn_rows *stored = &p->W.rows;
    double room[CN_BLOCK_ROOM], W_nn = 0.0;
    for (int side = 0; side < 2 && f->body_count > 0; side++) {
        int body = f->body[2 * a + side];
        if (body >= 0) {
            double G = size_of(f->dof_start[body + 1] - f->dof_start[body],
                               cn_problem_factor(p, a, side, room));
            W_nn += G * G;
        }
    }
    for (int n = stored->row != NULL ? stored->row[a] : 0;
         stored->row != NULL && n < stored->row[a + 1]; n++) {
        W_nn += stored->col[n] == a ? stored->block[stored->block_start[n]] : 0.0;
    }
    return W_nn;
}

// By how much the laws are missed, over the larger of v_ref and what an impulse alone does, of
// which velocities are differences.
static double look_at_laws(const cn_problem *p, double v_ref, const double *r, const double *u)
{
    double missed = 0.0;
    for (int a = 0; a < p->contact_count; a++) {
        int row = p->row_start[a], rows = p->row_start[a + 1] - row;
        double W_nn = normal_diagonal(p, a);
        if (p->kind[a] == CN_CORE_CONE && rows == p->dim && W_nn > 0.0) {
            double scale = fmax(v_ref, W_nn * size_of(rows, r + row));
            missed = fmax(missed, law_missed(p->mu[a], rows, W_nn, r + row, u + row) / scale);
        }
    }
    return missed;
}

// After so many sweeps from zero.
static void look_after(cn_book *book, const cn_problem *p, cn_solver *solver, int sweeps, worst *w)
{
    int rows = p->row_start[p->contact_count];
    double *at = calloc(2 * (size_t)rows + 1, sizeof *at);
    cn_solver_def def = cn_solver_def_default();
    cn_solver_report report;
    cn_misfit misfit;
    cn_error err = {0};
    def.method = CN_METHOD_NLGS;
    def.sweep_max = sweeps;
    memset(p->r, 0, sizeof *p->r * (size_t)rows);
    cn_problem solved = *p;
    bool is_done = at != NULL && cn_problem_solve(&solved, &def, solver, &report, &err) == CN_OK &&
                   cn_problem_misfit(p, solver, &(cn_misfit_rows){.r = at, .u = at + rows}, &misfit,
                                     &err) == CN_OK;
    if (is_done) {
        double v_ref = report.residual.v_ref;
        w->missed = fmax(w->missed, look_at_laws(p, v_ref, at, at + rows));
        w->bound = fmax(w->bound, misfit.bound);
    } else {
        cn_book_failure(book, err.text);
    }
    free(at);
}

static void look_at_file(cn_book *book, const char *path, worst *w)
{
    cn_problem_file *file = NULL;
    cn_solver *solver = NULL;
    cn_error err = {0};
    if (cn_problem_file_read(path, &file, &err) != CN_OK ||
        cn_solver_create(NULL, &solver, &err) != CN_OK) {
        cn_book_failure(book, err.text);
        cn_problem_file_destroy(file);
        return;
    }
    const cn_problem *p = cn_problem_file_problem(file);
    static const int sweeps[] = {1, 20};
    for (int k = 0; k < 2; k++) {
        look_after(book, p, solver, sweeps[k], w);
    }
    w->files++;
    cn_solver_destroy(solver);
    cn_problem_file_destroy(file);
}

void cn_case_E18(cn_book *book)
{
    const char *folder = cn_book_problems(book);
    worst w = {0};
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".hdf5") == 0) {
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            look_at_file(book, path, &w);
        }
    }
    if (open) {
        closedir(open);
    }
    if (w.files == 0) {
        cn_open(book, "the folder of stored problems is not there; name it with --problems");
        return;
    }
    cn_check(book, "law missed with the misfit", w.missed, 0.0, 1e-12);
    cn_check(book, "misfit over its bound", w.bound, 0.0, 1.0 + 1e-12);
}
