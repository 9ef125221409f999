// Paths of exact solutions (path.c): from a rough iterate to the solution, in the plane.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "masonry.h"
#include "solve/direct/homotopy.h"
#include "solve/direct/linear_system.h"
#include "strict.h"
#include "test.h"

// A wall in the plane that is pushed, with small velocities left by steps before.
static made *disturbed_wall(double mu, double push)
{
    wall_def def = {
        .dim = 2, .columns = 5, .courses = 6, .mu = mu, .push = push, .has_heads = true};
    made *m = made_wall(&def);
    for (int k = 0; k < m->problem.row_start[m->contact_count]; k++) {
        m->u_free[k] += 1e-3 * sin(12.9898 * (k + 1.0) * (k + 1.0)); // m/s
    }
    return m;
}

// What was done is told: at least a factor, and all of it as sweeps that take as long, a factor for
// as many as it takes, a step of the path for two and three solves with it.
static void check_work(const cn_solver *s, const cn_problem *p, const cn_solve_progress *watch)
{
    double factor = cn_system_sweeps(s, p), step = 2.0 + floor(3.0 * cn_system_solve_sweeps(s, p));
    double sweeps = watch->factorization_count * factor + watch->iteration_count * step;
    CN_TRUE(watch->factorization_count > 0 && watch->iteration_count > 0);
    CN_NEAR(watch->sweep_count / sweeps, 1.0, 0.1, "factors of the same graph differ a little");
}

// Some sweeps, then the path alone.
static cn_residual sweep_and_follow(cn_problem *p, double tol)
{
    cn_solver *s = NULL;
    cn_solver_report report = {0};
    cn_solver_def def = cn_solver_def_default();
    def.measure = CN_MEASURE_NATURAL;
    def.tol = tol;
    def.method = CN_METHOD_NLGS;
    def.sweep_max = 40;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_TRUE(test_solve(p, &def, s, &report, &test_error) == CN_MISSED);
    CN_TRUE(report.residual.err_natural > 1e-4);
    def.sweep_max = 1 << 30;
    cn_solve_progress watch = {
        .def = &def, .err_best = INFINITY, .accept_factor = 1.0, .miss_most = INFINITY};
    CN_DO(cn_solver_pack(s, p, &def, &test_error));
    memcpy(s->r_best, p->r, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    cn_progress_begin(&watch, CN_METHOD_PROX_NEWTON, 1 << 30);
    CN_DO(cn_homotopy(s, p, s->r_best, 300, &watch, &test_error));
    CN_TRUE(watch.is_converged);
    check_work(s, p, &watch);
    cn_residual residual = watch.residual;
    cn_solver_destroy(s);
    return residual;
}

// A wall that stands, one that slides on its foot and one that falls apart.
CN_TEST(path_ends_at_a_solution)
{
    const double mu[] = {0.6, 0.3, 0.2}, push[] = {0.1, 0.6, 0.4}, tol = 1e-10;
    for (int k = 0; k < 3; k++) {
        made *m = disturbed_wall(mu[k], push[k]);
        cn_residual end = sweep_and_follow(&m->problem, tol);
        CN_NEAR(end.err_natural, 0.0, tol, "what was asked for");
        made_destroy(m);
    }
}

// The load of a wall that slides changes by a thousandth, and nothing is known but the impulses of
// the step before.
CN_TEST(path_leads_on_from_the_step_before)
{
    const double tol = 1e-10;
    made *m = disturbed_wall(0.3, 0.6);
    cn_problem *p = &m->problem;
    size_t rows = (size_t)p->row_start[p->contact_count];
    cn_solver *s = NULL;
    cn_solver_report report = {0};
    cn_solver_def def = cn_solver_def_default();
    def.measure = CN_MEASURE_NATURAL;
    def.tol = tol;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(p, &def, s, &report, &test_error));
    double *before = malloc(rows * sizeof *before);
    memcpy(before, p->r, rows * sizeof *before);
    for (size_t k = 0; k < rows; k++) {
        m->u_free[k] *= 1.0 + 1e-3 * sin(78.233 * ((double)k + 1.0));
    }
    cn_solve_progress watch = {
        .def = &def, .err_best = INFINITY, .accept_factor = 1.0, .miss_most = INFINITY};
    CN_DO(cn_solver_pack(s, p, &def, &test_error));
    memset(s->r_best, 0, rows * sizeof *s->r_best);
    cn_progress_begin(&watch, CN_METHOD_PROX_NEWTON, 1 << 30);
    CN_DO(cn_homotopy(s, p, before, 100, &watch, &test_error));
    CN_TRUE(watch.is_converged);
    CN_NEAR(watch.residual.err_natural, 0.0, tol, "what was asked for");
    free(before);
    cn_solver_destroy(s);
    made_destroy(m);
}

// In space contacts slide in directions, and paths bend: nothing is done.
CN_TEST(space_is_left_alone)
{
    wall_def wall = {.dim = 3, .columns = 2, .courses = 2, .mu = 0.5, .has_heads = true};
    made *m = made_wall(&wall);
    cn_solver *s = NULL;
    cn_solver_def def = cn_solver_def_default();
    cn_solve_progress watch = {
        .def = &def, .err_best = INFINITY, .accept_factor = 1.0, .miss_most = INFINITY};
    cn_solver_report report = {0};
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(&m->problem, &def, s, &report, &test_error));
    CN_DO(cn_homotopy(s, &m->problem, s->r_best, 300, &watch, &test_error));
    CN_TRUE(watch.iteration_count == 0);
    cn_solver_destroy(s);
    made_destroy(m);
}

CN_MAIN(CN_RUN(path_ends_at_a_solution); CN_RUN(path_leads_on_from_the_step_before);
        CN_RUN(space_is_left_alone);)
