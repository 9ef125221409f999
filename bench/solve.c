// bench/solve.c -- how long the solvers take to a given natural error, CPU seconds of one core.
//
// Masonry and flowing spheres (bench/stress) beside the figures aimed at; stored problems of a
// folder beside the least time in its baseline_siconos_4.4.0.csv. Each time is the least of several
// cold calls, set-up included, reading the file not.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "cairn/problem_file.h"
#include "masonry.h"
#include "packings.h"

typedef struct timing {
    double seconds;
    cn_solver_report report;
    cn_status status;
} timing;

// One cold call.
static timing time_once(cn_problem *p, const cn_solver_def *def)
{
    timing t = {0};
    cn_solver *s = NULL;
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        p->r[k] = 0.0;
    }
    double start = bench_now();
    t.status = cn_solver_create(NULL, &s, NULL);
    if (t.status == CN_OK) {
        t.status = cn_problem_solve(p, def, s, &t.report, NULL);
    }
    t.seconds = bench_now() - start;
    cn_solver_destroy(s);
    return t;
}

static bool needs_ccd(void *context)
{
    return bench_now() > *(double *)context;
}

static timing time_solve(cn_problem *p, cn_method method, double tol)
{
    double deadline;
    cn_solver_def def = cn_solver_def_default();
    def.method = method;
    def.measure = CN_MEASURE_NATURAL;
    def.tol = tol;
    def.sweep_max = 1000000;
    def.is_interrupted = needs_ccd;
    def.context = &deadline;
    timing best = {.seconds = INFINITY};
    double spent = 0.0;
    for (int repeat = 0; repeat < 7 && spent < 1.0; repeat++) {
        deadline = bench_now() + 5.0;
        timing t = time_once(p, &def);
        spent += t.seconds;
        if (t.seconds < best.seconds) {
            best = t;
        }
    }
    return best;
}

static void chain_of(const timing *t, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < t->report.chain_count && used < size; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ">" : "",
                                 cn_method_name(t->report.chain[k]));
    }
}

static void report_case(const char *name, cn_method method, double tol, double target,
                        const timing *t)
{
    char quantity[160], beside[160], chain[100];
    chain_of(t, chain, sizeof chain);
    snprintf(quantity, sizeof quantity, "%s to %.0e%s", cn_method_name(method), tol,
             t->status == CN_OK ? "" : " (not reached)");
    snprintf(beside, sizeof beside, "aim %.4g s; %s, %d iterations, error %.1e", target, chain,
             t->report.iteration_count, t->report.residual.err_natural);
    bench_report(name, quantity, t->seconds, "s", beside);
}

// The next step of a wall: impulses of the last one, loads changed by 0.4 %.
static timing time_next(made *m, double tol)
{
    cn_solver *s = NULL;
    timing t = {.seconds = INFINITY};
    cn_solver_def def = cn_solver_def_default();
    def.method = CN_METHOD_AUTO;
    def.measure = CN_MEASURE_NATURAL;
    def.tol = tol;
    if (cn_solver_create(NULL, &s, NULL) != CN_OK) {
        return t;
    }
    for (int step = 0; step < 6; step++) {
        double start = bench_now();
        t.status = cn_problem_solve(&m->problem, &def, s, &t.report, NULL);
        double seconds = bench_now() - start;
        t.seconds = step > 0 ? fmin(t.seconds, seconds) : INFINITY;
        for (int row = 0; row < m->dim * m->contact_count; row++) {
            m->u_free[row] *= step % 2 == 0 ? 1.004 : 1.0 / 1.004;
        }
    }
    cn_solver_destroy(s);
    return t;
}

// The step of a flow from its warm start, by `auto`; elastic_c 0: rigid.
static timing time_warm(const cn_problem *p, const double *guess, double tol, double elastic_c)
{
    size_t size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    cn_problem copy = *p;
    cn_solver_def def = cn_solver_def_default();
    def.measure = CN_MEASURE_NATURAL;
    def.tol = tol;
    def.elastic_c = elastic_c;
    timing best = {.seconds = INFINITY};
    cn_solver *s = NULL;
    copy.r = malloc(size);
    for (int k = 0; k < 5 && copy.r != NULL && cn_solver_create(NULL, &s, NULL) == CN_OK; k++) {
        timing t = {0};
        memcpy(copy.r, guess, size);
        double start = bench_now();
        t.status = cn_problem_solve(&copy, &def, s, &t.report, NULL);
        t.seconds = bench_now() - start;
        best = t.seconds < best.seconds ? t : best;
        cn_solver_destroy(s);
    }
    free(copy.r);
    return best;
}

// Spheres of unequal size, friction 0.5, about 7000 contacts: the step of a packing from its warm
// start.
static void bench_packing(const char *word, const cn_packing_def *def)
{
    static const struct {
        double tol, target, elastic_c;
    } cases[] = {{1e-3, 0.005, 0.0}, {1e-4, 0.1, 0.0}, {3e-5, 0.5, 0.0}, {1e-6, 0.06, 100.0}};
    cn_world *w;
    cn_problem p;
    const double *guess;
    if (cn_packing_make(def, &w, NULL) != CN_OK) {
        return;
    }
    if (cn_world_problem(w, &p, &guess, NULL) == CN_OK) {
        char name[64];
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            timing t = time_warm(&p, guess, cases[k].tol, cases[k].elastic_c);
            snprintf(name, sizeof name, "%s %d%s", word, p.contact_count,
                     cases[k].elastic_c > 0.0 ? " elastic" : "");
            report_case(name, CN_METHOD_AUTO, cases[k].tol, cases[k].target, &t);
        }
    }
    cn_world_destroy(w);
}

// The figures aimed at were measured on a deposit whose first guess misses by 5e-3 to 9e-3, as this
// one (7e-3); that of a column that collapses misses by 7e-2.
static void bench_flow(void)
{
    const cn_packing_def deposit = {CN_GRAIN_SPHERE, 2700, 0.5, false, 90, 7};
    const cn_packing_def collapse = {CN_GRAIN_SPHERE, 2300, 0.5, true, 150, 7};
    bench_packing("deposit", &deposit);
    bench_packing("flow", &collapse);
}

void bench_solve(void)
{
    const wall_def wall = {3, 20, 30, 0.5, 0.3, 0.02, 0.0, true};
    const wall_def large = {3, 40, 60, 0.5, 0.3, 0.02, 0.0, true};
    const wall_def mild = {3, 20, 30, 0.5, 0.2, 0.02, 0.0, true};
    struct {
        const char *name;
        made *problem;
        double tol, target;
    } cases[] = {
        {"wall 7060", made_wall(&wall), 1e-6, 0.12},
        {"wall 7060", made_wall(&wall), 1e-8, 0.15},
        {"wall 28520", made_wall(&large), 1e-8, 2.0},
        {"tower 1000", made_tower(3, 30, 1000.0, 0.5), 1e-6, 0.003},
        {"arch 41", made_arch(3, 41, 10.0, 1.5, 0.7), 1e-8, 0.003},
    };
    static const cn_method methods[] = {CN_METHOD_AUTO, CN_METHOD_ADMM, CN_METHOD_IPM};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (size_t n = 0; n < sizeof methods / sizeof *methods; n++) {
            timing t = time_solve(&cases[k].problem->problem, methods[n], cases[k].tol);
            report_case(cases[k].name, methods[n], cases[k].tol, cases[k].target, &t);
        }
        made_destroy(cases[k].problem);
    }
    made *m = made_wall(&mild);
    timing t = time_next(m, 1e-8);
    report_case("wall 7060 next", CN_METHOD_AUTO, 1e-8, 0.05, &t);
    made_destroy(m);
    bench_flow();
}

// Least cpu_s with status OK of a problem at a tolerance; INFINITY if there is none.
static double baseline(const char *folder, const char *problem, double tol)
{
    char path[1024], line[1024];
    double least = INFINITY;
    snprintf(path, sizeof path, "%s/baseline_siconos_4.4.0.csv", folder);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *field[16] = {0}, *at = line;
        for (int k = 0; k < 12 && at != NULL; k++) {
            field[k] = strsep(&at, ",");
        }
        if (field[11] != NULL && strcmp(field[0], problem) == 0 && atof(field[4]) == tol &&
            strncmp(field[11], "OK", 2) == 0) {
            least = fmin(least, atof(field[9]));
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return least;
}

// What comes out of a folder at one tolerance.
typedef struct tally {
    int files, solved, compared, faster;
    double log_ratio;
} tally;

static void bench_file(const char *folder, const char *name, double tol, tally *sum)
{
    char path[1024], problem[256], quantity[300], beside[300], chain[100];
    cn_problem_file *file = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(problem, sizeof problem, "%.*s", (int)(strlen(name) - strlen(".hdf5")), name);
    if (cn_problem_file_read(path, &file, NULL) != CN_OK) {
        return;
    }
    cn_problem_errors errors = {.natural = NAN};
    timing t = {0};
    double asked = tol; // the error of global problems divides by another size
    for (int k = 0; k < 6 && !(errors.natural <= tol); k++) {
        t = time_solve(cn_problem_file_problem(file), CN_METHOD_AUTO, asked);
        cn_problem_file_check(file, cn_problem_file_problem(file)->r, NULL, &errors, NULL);
        asked *= fmax(0.5 * tol / errors.natural, 0.1);
    }
    bool is_solved = t.status == CN_OK && t.report.is_converged && errors.natural <= tol;
    double least = baseline(folder, problem, tol);
    sum->files++;
    sum->solved += is_solved;
    if (is_solved && least < INFINITY && least > 1e-3) {
        sum->compared++;
        sum->faster += t.seconds < least;
        sum->log_ratio += log(least / t.seconds);
    }
    chain_of(&t, chain, sizeof chain);
    snprintf(quantity, sizeof quantity, "%s to %.0e%s", problem, tol,
             is_solved ? "" : " (not reached)");
    snprintf(beside, sizeof beside, "Siconos %.4g s, ratio %.2f; %s, error %.1e", least,
             least / t.seconds, chain, errors.natural);
    bench_report("file", quantity, t.seconds, "s", beside);
    cn_problem_file_destroy(file);
}

static int is_problem(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".hdf5") == 0;
}

void bench_files(const char *folder)
{
    static const double tols[] = {1e-4, 1e-8};
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_problem, alphasort);
    for (size_t k = 0; k < sizeof tols / sizeof *tols; k++) {
        tally sum = {0};
        char beside[200];
        for (int n = 0; n < count; n++) {
            bench_file(folder, entries[n]->d_name, tols[k], &sum);
        }
        snprintf(beside, sizeof beside, "%d of %d files solved; faster on %d of %d", sum.solved,
                 sum.files, sum.faster, sum.compared);
        bench_report("files", tols[k] == 1e-4 ? "geometric mean ratio at 1e-4" : "... at 1e-8",
                     sum.compared > 0 ? exp(sum.log_ratio / sum.compared) : NAN, "", beside);
    }
    for (int n = 0; n < count; n++) {
        free(entries[n]);
    }
    free(entries);
}
