// validation/e03_stored_problems.c -- E03: stored frictional contact problems.
//
// Question: does the solver reach the law, whoever posed the problem? Reference: the natural error
// is 0 at a solution; it is taken by the checker of the files, which shares no code with the
// solvers. More than 90 % of the set must reach 1e-8 and all but one 1e-4 within the cap on sweeps
// below; the best of the baseline solvers reached 43 and 46 of 47. Source: Acary, Bremond, Koziara
// and Perignon 2014 (FCLIB); Acary, Bremond and Huber 2018.
#include "table.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP_MAX 200000
#define PROBLEM_MAX 512
#define NAME_MAX_SIZE 256

typedef struct names {
    char name[PROBLEM_MAX][NAME_MAX_SIZE];
    int count;
} names;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

// The problem files of a folder, in the order of their names.
static void list_folder(const char *folder, names *list)
{
    DIR *open = opendir(folder);
    list->count = 0;
    for (struct dirent *entry; open && (entry = readdir(open)) && list->count < PROBLEM_MAX;) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && length < NAME_MAX_SIZE && !strcmp(entry->d_name + length - 5, ".hdf5")) {
            memcpy(list->name[list->count++], entry->d_name, length + 1);
        }
    }
    if (open) {
        closedir(open);
    }
    qsort(list->name, (size_t)list->count, sizeof list->name[0], by_name);
}

// Natural error that is reached from zero. Solver and checker may differ by rounding and, on global
// problems, by the residual of the masses; then the solver is asked for more.
static double solve(cn_problem_file *file, cn_method method, double tol, long *sweeps)
{
    cn_problem *p = cn_problem_file_problem(file);
    cn_solver_def def = cn_solver_def_default();
    cn_solver *solver = NULL;
    cn_problem_errors errors = {.natural = NAN};
    def.method = method;
    def.measure = CN_MEASURE_NATURAL;
    def.sweep_max = SWEEP_MAX;
    memset(p->r, 0, sizeof *p->r * (size_t)p->row_start[p->contact_count]);
    cn_status status = cn_solver_create(NULL, &solver, NULL);
    for (def.tol = tol; status == CN_OK && def.tol > 1e-3 * tol; def.tol *= 0.1) {
        cn_solver_report report = {0};
        status = cn_problem_solve(p, &def, solver, &report, NULL);
        *sweeps += report.sweep_count;
        if (cn_problem_file_check(file, p->r, NULL, &errors, NULL) != CN_OK ||
            errors.natural <= tol || !report.is_converged) {
            break;
        }
    }
    cn_solver_destroy(solver);
    return errors.natural;
}

// How many of the problems are solved.
typedef struct score {
    int coarse, fine; // to 1e-4, to 1e-8
    long sweeps;      // of all of them
} score;

static void solve_file(cn_book *book, const char *path, cn_method method, score *s)
{
    cn_problem_file *file = NULL;
    cn_error err;
    if (cn_problem_file_read(path, &file, &err) != CN_OK) {
        cn_book_failure(book, err.text);
        return;
    }
    double error = solve(file, method, 1e-8, &s->sweeps);
    s->fine += error <= 1e-8;
    s->coarse += error <= 1e-4;
    cn_problem_file_destroy(file);
}

static score solve_all(cn_book *book, const char *folder, const names *list, cn_method method)
{
    score s = {0};
    for (int k = 0; k < list->count; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, list->name[k]);
        solve_file(book, path, method, &s);
    }
    return s;
}

void cn_case_E03(cn_book *book)
{
    const char *folder = cn_book_problems(book);
    names *list = calloc(1, sizeof *list);
    if (!list) {
        cn_book_failure(book, "no memory for the list of problems");
        return;
    }
    list_folder(folder, list);
    if (list->count == 0) {
        cn_open(book, "the folder of stored problems is not there; name it with --problems");
    }
    double count = cn_check_least(book, "stored problems", list->count, 1.0) ? list->count : NAN;
    score automatic = solve_all(book, folder, list, CN_METHOD_AUTO);
    score plain = solve_all(book, folder, list, CN_METHOD_NLGS);
    if (list->count > 0) {
        cn_check_least(book, "share solved to 1e-8", automatic.fine / count, 0.9);
        cn_check(book, "not solved to 1e-4", list->count - automatic.coarse, 0.0, 1.0);
        cn_check(book, "share that Gauss-Seidel solves to 1e-8", plain.fine / count, 0.0,
                 automatic.fine / count);
        cn_check(book, "sweeps per problem", (double)automatic.sweeps / count, 0.0, SWEEP_MAX);
    }
    free(list);
}
