// Every method alone on stored problems, each answer judged by the independent checker.
#include <stdlib.h>

#include "cairn/problem_file.h"
#include "cairn/solver.h"
#include "strict.h"
#include "test.h"

static cn_problem_file *read_stored(const char *name)
{
    char path[512];
    cn_problem_file *file = NULL;
    snprintf(path, sizeof path, "%s/tests/data/fclib/%s.hdf5", CAIRN_SOURCE_DIR, name);
    CN_DO(cn_problem_file_read(path, &file, &test_error));
    return file;
}

// Solves from zero to a natural error and returns what the checker finds.
static double solve_stored(cn_problem_file *file, cn_method method, double tol)
{
    cn_solver *solver;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.method = method;
    def.measure = CN_MEASURE_NATURAL;
    def.tol = tol;
    def.sweep_max = 1 << 30;
    cn_problem *p = cn_problem_file_problem(file);
    memset(p->r, 0, sizeof *p->r * (size_t)p->row_start[p->contact_count]);
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    cn_status status = test_solve(p, &def, solver, &report, &test_error);
    CN_TRUE(status == CN_OK && report.chain_count > 0);
    cn_problem_errors errors = {.natural = INFINITY};
    CN_DO(cn_problem_file_check(file, p->r, NULL, &errors, &test_error));
    cn_solver_destroy(solver);
    return errors.natural;
}

CN_TEST(every_method_alone_solves_stored_problems)
{
    static const char *const name[] = {"fc2d_slidercrank_0",         "fc3d_rover_04493",
                                       "fc3d_lmgc_i00501_4_reduced", "fc3d_oneobject_138",
                                       "fc3d_confeti_ex03",          "fc3d_boxstacks_082_reduced"};
    for (int n = 0; n < (int)(sizeof name / sizeof *name); n++) {
        cn_problem_file *file = read_stored(name[n]);
        for (int method = 0; method < CN_METHOD_COUNT; method++) {
            bool is_small = cn_problem_file_info(file)->contact_count < 10;
            if (method == CN_METHOD_LEMKE && !is_small) {
                continue;
            }
            double error = solve_stored(file, (cn_method)method, 1e-4);
            if (!(error <= 1.0001e-4)) {
                printf("%s with %s: %g\n", name[n], cn_method_name((cn_method)method), error);
            }
            CN_TRUE(error <= 1.0001e-4);
        }
        cn_problem_file_destroy(file);
    }
}

// Rolling and spinning are discs of the same cone; what cannot take them is named here.
CN_TEST(methods_solve_rolling_or_refuse_it)
{
    const bool refuses[CN_METHOD_COUNT] = {[CN_METHOD_IPM] = true,
                                           [CN_METHOD_IPM_LAGGED] = true,
                                           [CN_METHOD_ALM] = true,
                                           [CN_METHOD_LEMKE] = true};
    static const char *const name[] = {"rfc3d_sphere_1", "rfc3d_cube_1"};
    for (int n = 0; n < 2; n++) {
        cn_problem_file *file = read_stored(name[n]);
        for (int method = 0; method < CN_METHOD_COUNT; method++) {
            CN_TRUE(refuses[method] || solve_stored(file, (cn_method)method, 1e-8) <= 1.0001e-8);
        }
        cn_problem_file_destroy(file);
    }
}

// Where sweeps have all but stopped the bodies, what is left is statics: a matrix comes before
// springs, which would creep (0.34 s here, against 0.04 s). 68 neighbouring contacts of a tower of
// planks.
CN_TEST(what_is_all_but_stopped_gets_a_matrix_before_springs)
{
    cn_problem_file *file = read_stored("fc3d_kaplastower_part_68");
    cn_solver *solver;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.measure = CN_MEASURE_NATURAL;
    def.tol = 1e-8;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    CN_DO(test_solve(cn_problem_file_problem(file), &def, solver, &report, &test_error));
    CN_TRUE(report.is_converged && report.chain[report.chain_count - 1] == CN_METHOD_IPM);
    for (int k = 0; k < report.chain_count; k++) {
        CN_TRUE(report.chain[k] != CN_METHOD_PROX);
    }
    cn_solver_destroy(solver);
    cn_problem_file_destroy(file);
}

// Pivoting and sweeping have nothing in common but the problem.
CN_TEST(lemke_agrees_with_sweeps)
{
    cn_problem_file *file = read_stored("fc3d_rover_04493");
    cn_problem *p = cn_problem_file_problem(file);
    double u[2][64];
    const cn_method method[2] = {CN_METHOD_LEMKE, CN_METHOD_NNCG};
    for (int k = 0; k < 2; k++) {
        cn_problem_errors errors;
        CN_TRUE(solve_stored(file, method[k], 1e-9) <= 1.0001e-9);
        CN_DO(cn_problem_file_check(file, p->r, u[k], &errors, &test_error));
    }
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        CN_NEAR(u[0][k], u[1][k], 1e-6, "errors of 1e-9 on velocities of order one, W singular");
    }
    cn_problem_file_destroy(file);
}

CN_TEST(lemke_refuses_what_is_too_large)
{
    cn_problem_file *file = read_stored("fc3d_capsules_i100_1090");
    cn_solver *solver;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.method = CN_METHOD_LEMKE;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    CN_FAILS(test_solve(cn_problem_file_problem(file), &def, solver, &report, &test_error),
             CN_BAD_INPUT, "small problems");
    cn_solver_destroy(solver);
    cn_problem_file_destroy(file);
}

CN_MAIN(CN_RUN(every_method_alone_solves_stored_problems);
        CN_RUN(methods_solve_rolling_or_refuse_it); CN_RUN(lemke_agrees_with_sweeps);
        CN_RUN(what_is_all_but_stopped_gets_a_matrix_before_springs);
        CN_RUN(lemke_refuses_what_is_too_large);)
