// The residual of iterates known on paper.
#include "cairn/solver.h"
#include "test.h"

// One frictionless contact whose bodies separate at 1 m/s: r = 0 solves it.
CN_TEST(an_open_frictionless_contact_has_no_residual)
{
    const double W[4] = {1.0, 0.0, 0.0, 1.0}, u[2] = {1.0, 0.0};
    const int row_start[2] = {0, 2}, row[2] = {0, 1}, first[1] = {0};
    const unsigned char kind = CN_CORE_CONE;
    const double mu = 0.0;
    double r[2] = {0.0, 0.0};
    cn_problem p = {.dim = 2,
                    .contact_count = 1,
                    .row_start = row_start,
                    .W.rows = {row, first, first, W},
                    .u_free = u,
                    .kind = &kind,
                    .mu = &mu,
                    .r = r};
    cn_solver *solver;
    cn_residual residual;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    CN_DO(cn_problem_residual(&p, u, solver, &residual, &test_error));
    CN_TRUE(residual.err_v == 0.0 && residual.err_e == 0.0);
    cn_solver_destroy(solver);
}

CN_MAIN(CN_RUN(an_open_frictionless_contact_has_no_residual);)
