// bench/peers/siconos.c -- Siconos numerics on a problem file, for cairn bench solve --peer.
//
// Usage: cairn-peer-siconos FILE TOL SECONDS. Each solver runs in a process of its own with a limit
// on processor time, since the library knows none; its answer is certified by our checker. Lines
// are those of cli/peer.h. Problems with joints or rolling are left out: nothing is printed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "problem_file/problem_parts.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

// Solvers by name, with the storage of W that they work on.
static const struct {
    const char *name;
    int id, dim;
    bool is_blocks;
} solver_table[] = {
    {"sic-nsgs", SICONOS_FRICTION_3D_NSGS, 3, true},
    {"sic-nsn-ac", SICONOS_FRICTION_3D_NSN_AC, 3, false},
    {"sic-admm", SICONOS_FRICTION_3D_ADMM, 3, false},
    {"sic-prox", SICONOS_FRICTION_3D_PROX, 3, false},
    {"sic-nsgs-2d", SICONOS_FRICTION_2D_NSGS, 2, true},
    {"sic-cpg-2d", SICONOS_FRICTION_2D_CPG, 2, true},
};

// What a process leaves behind in shared memory.
typedef struct answer {
    double seconds;
    long long iterations;
    bool is_done;
    double r[];
} answer;

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// W of any problem as a sparse matrix of the library.
static NumericsMatrix *make_matrix(const cn_problem *p, bool is_blocks)
{
    int rows = p->row_start[p->contact_count];
    cn_sparse W = {.row_count = rows, .column_count = rows};
    cn_error err = {0};
    if (cn_sparse_add_operator(p, &W, &err) != CN_OK || cn_sparse_sort(&W, &err) != CN_OK) {
        fprintf(stderr, "%s\n", err.text);
        return NULL;
    }
    NumericsMatrix *M = NM_create(NM_SPARSE, rows, rows);
    NM_triplet_alloc(M, W.count);
    M->matrix2->origin = NSM_TRIPLET;
    for (int n = 0; n < W.count; n++) {
        NM_entry(M, W.row[n], W.column[n], W.value[n]);
    }
    cn_sparse_free(&W);
    if (is_blocks) {
        SparseBlockStructuredMatrix *blocks = SBM_new();
        SBM_from_csparse(p->dim, NM_csc(M), blocks);
        M = NM_new_SBM(rows, rows, blocks);
    }
    return M;
}

// Runs solver k on the problem; its set-up (storage of W) is not counted, its factors are.
static void solve(const cn_problem *p, int k, double tol, answer *to)
{
    int rows = p->row_start[p->contact_count];
    NumericsMatrix *M = make_matrix(p, solver_table[k].is_blocks);
    double *q = malloc(sizeof *q * (size_t)rows), *u = calloc((size_t)rows, sizeof *u);
    double *mu = malloc(sizeof *mu * (size_t)p->contact_count);
    if (M == NULL || q == NULL || u == NULL || mu == NULL) {
        return;
    }
    memcpy(q, p->u_free, sizeof *q * (size_t)rows);
    memcpy(mu, p->mu, sizeof *mu * (size_t)p->contact_count);
    FrictionContactProblem *problem =
        frictionContactProblem_new_with_data(p->dim, p->contact_count, M, q, mu);
    SolverOptions *options = solver_options_create(solver_table[k].id);
    options->dparam[SICONOS_DPARAM_TOL] = tol;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
    double start = cpu_now();
    if (p->dim == 3) {
        fc3d_driver(problem, to->r, u, options);
    } else {
        fc2d_driver(problem, to->r, u, options);
    }
    to->seconds = cpu_now() - start;
    to->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    to->is_done = true;
}

// The same in a process that may be stopped.
static void solve_apart(const cn_problem *p, int k, double tol, double max_seconds, answer *to)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        rlim_t limit = (rlim_t)ceil(max_seconds + 1.0); // beside what building W takes
        setrlimit(RLIMIT_CPU, &(struct rlimit){limit, limit});
        if (freopen("/dev/null", "w", stdout) == NULL) {
            _exit(1);
        }
        solve(p, k, tol, to);
        _exit(0);
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
}

static void run_solver(cn_problem_file *file, int k, double tol, double max_seconds)
{
    const cn_problem *p = cn_problem_file_problem(file);
    size_t size = sizeof(answer) + sizeof(double) * (size_t)p->row_start[p->contact_count];
    answer *to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (to == MAP_FAILED) {
        return;
    }
    cn_problem_errors errors = {.natural = NAN};
    solve_apart(p, k, tol, max_seconds, to);
    if (to->is_done) {
        cn_problem_file_check(file, to->r, NULL, &errors, NULL);
    }
    bool is_good = errors.natural <= tol && to->seconds <= max_seconds;
    printf("%s %.9g %.9g %lld %s\n", solver_table[k].name, to->is_done ? to->seconds : max_seconds,
           to->is_done ? errors.natural : 1.0, to->iterations, is_good ? "converged" : "failed");
    munmap(to, size);
}

int main(int argc, char **argv)
{
    cn_problem_file *file = NULL;
    cn_error err = {0};
    if (argc != 4 || !(atof(argv[2]) > 0.0) || !(atof(argv[3]) > 0.0)) {
        fprintf(stderr, "Usage: %s FILE TOL SECONDS\n", argv[0]);
        return 2;
    }
    if (cn_problem_file_read(argv[1], &file, &err) != CN_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    const cn_problem_info *info = cn_problem_file_info(file);
    bool is_known = !info->is_rolling && info->bilateral_rows == 0;
    for (size_t k = 0; k < sizeof solver_table / sizeof *solver_table && is_known; k++) {
        if (solver_table[k].dim == info->space_dim) {
            run_solver(file, (int)k, atof(argv[2]), atof(argv[3]));
        }
    }
    cn_problem_file_destroy(file);
    return 0;
}
