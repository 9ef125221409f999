// Problems as plain data: stored rows against factors, methods, orders, reports, bad input.
#include <stdlib.h>

#include "base/hash.h"
#include "cairn/solver.h"
#include "strict.h"
#include "test.h"

// A tower of n unit masses, each resting on the one below, one normal and one tangential row each:
// body k moves in x and y only, so a contact sees G = +-1 on three degrees of freedom.
typedef struct tower {
    int n, body[200], block_start[200], row_start[101], dof_start[101];
    double G[1200], u_free[200], r[200];
    unsigned char kind[100];
    double mu[100];
    cn_problem problem;
} tower;

static void make_tower(tower *t, int n, double mu, double push)
{
    *t = (tower){.n = n};
    for (int a = 0; a < n; a++) {
        t->row_start[a] = 2 * a;
        t->dof_start[a] = 3 * a;
        t->body[2 * a] = a;
        t->body[2 * a + 1] = a - 1;
        t->block_start[2 * a] = 12 * a;
        t->block_start[2 * a + 1] = 12 * a + 6;
        double *G = t->G + 12 * a;
        G[1] = G[3] = 1.0;                      // normal along y, tangent along x, body above
        G[7] = G[9] = -1.0;                     // body below
        t->u_free[2 * a] = a == 0 ? -1.0 : 0.0; // all fall alike: only the lowest joint closes
        t->u_free[2 * a + 1] = a == 0 ? push : 0.0;
        t->kind[a] = CN_CORE_CONE;
        t->mu[a] = mu;
    }
    t->row_start[n] = 2 * n;
    t->dof_start[n] = 3 * n;
    t->problem = (cn_problem){.dim = 2,
                              .contact_count = n,
                              .row_start = t->row_start,
                              .W.factors = {n, t->dof_start, t->body, t->block_start, t->G, NULL},
                              .u_free = t->u_free,
                              .kind = t->kind,
                              .mu = t->mu,
                              .v_floor = 1.0,
                              .r = t->r};
}

// The lowest contact carries all n weights, the next n - 1, ...
CN_TEST(tower_carries_its_weight_with_every_method)
{
    for (int method = 0; method < CN_METHOD_COUNT; method++) {
        static tower t;
        make_tower(&t, 20, 0.5, 0.1);
        cn_solver *s;
        cn_solver_report report;
        cn_solver_def def = cn_solver_def_default();
        def.method = (cn_method)method;
        def.eps_v = def.tol = 1e-12;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(test_solve(&t.problem, &def, s, &report, &test_error));
        for (int a = 0; a < t.n; a++) {
            CN_NEAR(t.r[2 * a], t.n - a, 1e-9, "residual 1e-12 times n^2 layers");
            CN_NEAR(t.r[2 * a + 1], -0.1 * (t.n - a), 1e-9, "sticking: the push is stopped alike");
        }
        CN_TRUE(report.is_converged && report.stick_count == t.n && report.painleve_count == 0);
        cn_solver_destroy(s);
    }
}

CN_TEST(nncg_needs_fewer_sweeps_than_nlgs_on_a_tower)
{
    int sweeps[2];
    for (int method = CN_METHOD_NNCG; method <= CN_METHOD_NLGS; method++) {
        static tower t;
        make_tower(&t, 50, 0.5, 0.0);
        cn_solver *s;
        cn_solver_report report;
        cn_solver_def def = cn_solver_def_default();
        def.method = (cn_method)method;
        def.eps_v = def.tol = 1e-8;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(test_solve(&t.problem, &def, s, &report, &test_error));
        sweeps[method] = report.sweep_count;
        cn_solver_destroy(s);
    }
    CN_TRUE(5 * sweeps[CN_METHOD_NNCG] < sweeps[CN_METHOD_NLGS]);
}

// Where nothing opens the law is a linear system, and conjugate gradients end after as many steps
// as it has rows: a tower that stands, and one that hangs from the ceiling by cohesion, which is an
// offset of its impulses.
CN_TEST(conjugate_gradients_end_after_as_many_steps_as_rows)
{
    enum { N = 30 };
    for (int hangs = 0; hangs < 2; hangs++) {
        static tower t;
        double offset[2 * N] = {0.0}, sign = hangs ? -1.0 : 1.0;
        make_tower(&t, N, 0.0, 0.0);
        for (int a = 0; a < N; a++) {
            t.u_free[2 * a] *= sign;
            t.r[2 * a] = sign * (N - a) * (1.0 + 0.2 * sin(1.0 + a * a)); // from something like it
            offset[2 * a] = hangs ? 2.0 * N : 0.0;
        }
        t.problem.r0 = offset;
        cn_solver *s;
        cn_solver_report report;
        cn_solver_def def = cn_solver_def_default();
        def.method = CN_METHOD_CPG;
        def.eps_v = def.tol = 1e-10;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(test_solve(&t.problem, &def, s, &report, &test_error));
        CN_TRUE(report.is_converged && report.iteration_count <= N + N / 2); // rounding: 34 seen
        for (int a = 0; a < N; a++) {
            CN_NEAR(t.r[2 * a], sign * (N - a), 1e-6, "residual 1e-10 times n^2 layers");
        }
        cn_solver_destroy(s);
    }
}

// W of the tower as stored blocks gives the same velocities as the factors.
CN_TEST(stored_rows_agree_with_factors)
{
    static tower t;
    make_tower(&t, 3, 0.5, 0.4);
    cn_solver *s;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = def.tol = 1e-13;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(&t.problem, &def, s, &report, &test_error));
    double r_factors[6];
    memcpy(r_factors, t.r, sizeof r_factors);

    const int row[4] = {0, 2, 5, 7}, col[7] = {0, 1, 0, 1, 2, 1, 2};
    const int start[7] = {0, 4, 8, 12, 16, 20, 24};
    double block[28] = {0};
    for (int n = 0; n < 7; n++) {
        int a = n < 2 ? 0 : (n < 5 ? 1 : 2);
        double value = col[n] != a ? -1.0 : (a == 0 ? 1.0 : 2.0);
        block[4 * n] = block[4 * n + 3] = value;
    }
    memset(t.r, 0, sizeof t.r);
    t.problem.W = (cn_operator){.rows = {row, col, start, block}};
    CN_DO(test_solve(&t.problem, &def, s, &report, &test_error));
    for (int k = 0; k < 6; k++) {
        CN_NEAR(t.r[k], r_factors[k], 1e-11, "same problem, two forms, residual 1e-13");
    }
    cn_solver_destroy(s);
}

// A tower whose contacts have shifts, compliances and offsets, one of them a joint and one bounded:
// the velocities of a convex problem are unique, so every method must find those of NLGS.
CN_TEST(every_method_knows_every_core)
{
    double shift[24], compliance[24], offset[24], u_nlgs[24] = {0}, u[24];
    for (int k = 0; k < 24; k++) {
        shift[k] = 0.01 * (k % 5);
        compliance[k] = 0.02 * (k % 3);
        offset[k] = 0.03 * (k % 4);
    }
    for (int k = 0; k < CN_METHOD_COUNT; k++) {
        static tower t;
        make_tower(&t, 12, 0.3, 0.8);
        t.kind[4] = CN_CORE_BILATERAL;
        t.kind[7] = CN_CORE_BOUNDED;
        t.mu[7] = 6.0;
        t.problem.b = shift;
        t.problem.c = compliance;
        t.problem.r0 = offset;
        cn_solver *s;
        cn_solver_report report;
        cn_solver_def def = cn_solver_def_default();
        def.method = (cn_method)((CN_METHOD_NLGS + k) % CN_METHOD_COUNT); // NLGS first
        def.eps_v = def.tol = 1e-11;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(test_solve(&t.problem, &def, s, &report, &test_error));
        CN_TRUE(report.slide_count > 0 && report.joined_count == 1);
        CN_DO(cn_problem_velocity(&t.problem, s, k == 0 ? u_nlgs : u, &test_error));
        for (int row = 0; row < 2 * t.n && k > 0; row++) {
            CN_NEAR(u[row], u_nlgs[row], 1e-8, "residual 1e-11 times n^2 layers");
        }
        cn_solver_destroy(s);
    }
}

CN_TEST(orders_reach_the_same_solution)
{
    for (int order = 0; order < CN_ORDER_COUNT; order++) {
        static tower t;
        make_tower(&t, 10, 0.5, 0.1);
        cn_solver *s;
        cn_solver_report report;
        cn_solver_def def = cn_solver_def_default();
        def.method = CN_METHOD_NLGS;
        def.order = (cn_order)order;
        def.seed = 3;
        def.eps_v = def.tol = 1e-12;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(test_solve(&t.problem, &def, s, &report, &test_error));
        CN_NEAR(t.r[0], 10.0, 1e-9, "the tower is isostatic: one solution");
        cn_solver_destroy(s);
    }
}

CN_TEST(limit_of_sweeps_is_reported_not_hidden)
{
    static tower t;
    make_tower(&t, 50, 0.5, 0.0);
    cn_solver *s;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = def.tol = 1e-12;
    def.sweep_max = 4;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_FAILS(test_solve(&t.problem, &def, s, &report, &test_error), CN_MISSED, "after 4 sweeps");
    CN_TRUE(!report.is_converged && report.residual.err_v > 1e-12);
    cn_solver_destroy(s);
}

CN_TEST(bad_problems_get_a_message)
{
    static tower t;
    cn_solver *s;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    make_tower(&t, 3, 0.5, 0.0);
    t.u_free[2] = NAN;
    CN_FAILS(test_solve(&t.problem, &def, s, &report, &test_error), CN_BROKEN, "constraint 1");
    make_tower(&t, 3, -0.5, 0.0);
    CN_FAILS(test_solve(&t.problem, &def, s, &report, &test_error), CN_BAD_INPUT, "friction");
    make_tower(&t, 3, 0.5, 0.0);
    t.body[2] = 77;
    CN_FAILS(test_solve(&t.problem, &def, s, &report, &test_error), CN_BAD_INPUT, "body 77");
    make_tower(&t, 3, 0.5, 0.0);
    const double roll[3] = {0.0, 0.01, 0.0};
    t.problem.mu_roll = roll;
    CN_FAILS(test_solve(&t.problem, &def, s, &report, &test_error), CN_BAD_INPUT, "rolling");
    make_tower(&t, 0, 0.5, 0.0);
    CN_DO(test_solve(&t.problem, &def, s, &report, &test_error));
    CN_TRUE(report.is_converged && report.sweep_count == 0);
    cn_solver_destroy(s);
}

// Each setting that makes no sense is refused by itself, the others being sound.
CN_TEST(bad_settings_get_a_message)
{
    static tower t;
    cn_solver *s;
    cn_solver_report report;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    make_tower(&t, 3, 0.5, 0.0);
    for (int k = 0; k < 9; k++) {
        cn_solver_def def = cn_solver_def_default();
        def.eps_v = k == 0 ? NAN : k == 1 ? -1e-3 : def.eps_v;
        def.tol = k == 2 ? NAN : k == 3 ? -1e-3 : def.tol;
        def.sweep_max = k == 4 ? 0 : def.sweep_max;
        def.patience = k == 5 ? -1 : def.patience;
        def.method = k == 6 ? CN_METHOD_COUNT : def.method;
        def.order = k == 7 ? CN_ORDER_COUNT : def.order;
        def.measure = k == 8 ? CN_MEASURE_COUNT : def.measure;
        CN_FAILS(test_solve(&t.problem, &def, s, &report, &test_error), CN_BAD_INPUT,
                 k < 6 ? "must be at least 0" : "unknown method");
    }
    cn_solver_destroy(s);
}

// Two contacts of one row on stored rows, from zero impulses.
static cn_status solve_pair(const double W[4], const double u_free[2], cn_method method,
                            cn_solver_report *report)
{
    const int start[3] = {0, 1, 2}, row[3] = {0, 2, 4}, col[4] = {0, 1, 0, 1}, at[4] = {0, 1, 2, 3};
    const unsigned char kind[2] = {CN_CORE_CONE, CN_CORE_CONE};
    const double mu[2] = {0.0, 0.0};
    double r[2] = {0.0, 0.0};
    cn_problem p = {.dim = 2,
                    .contact_count = 2,
                    .row_start = start,
                    .W.rows = {row, col, at, W},
                    .u_free = u_free,
                    .kind = kind,
                    .mu = mu,
                    .v_before = NAN,
                    .r = r};
    cn_solver *s = NULL;
    cn_solver_def def = cn_solver_def_default();
    def.method = method;
    def.measure = CN_MEASURE_NATURAL;
    def.tol = 1e-3;
    def.sweep_max = 100000;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    cn_status status = test_solve(&p, &def, s, report, &test_error);
    cn_solver_destroy(s);
    return status;
}

// Without a solution nothing converges: neither a contact that no impulse moves, nor two that press
// each other apart for ever, whose error over the size of the impulses falls all the same.
CN_TEST(no_solution_no_convergence)
{
    static const cn_method methods[] = {CN_METHOD_AUTO, CN_METHOD_NLGS, CN_METHOD_NNCG,
                                        CN_METHOD_APGD};
    const double stuck[4] = {1.0, 0.0, 0.0, 0.0}, wedge[4] = {1.0, -1.0, -1.0, 1.0};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        cn_solver_report report;
        cn_status status = solve_pair(stuck, (double[2]){-1.0, -1.0}, methods[k], &report);
        CN_TRUE(status == CN_MISSED && report.is_infeasible && report.residual.worst == 1);
        status = solve_pair(stuck, (double[2]){-1.0, 1.0}, methods[k], &report);
        CN_TRUE(status == CN_OK && report.is_converged && !report.is_infeasible);
        status = solve_pair(wedge, (double[2]){-1.0, -1.0}, methods[k], &report);
        CN_TRUE(status == CN_MISSED && !report.is_converged);
        status = solve_pair(wedge, (double[2]){-1.0, 2.0}, methods[k], &report);
        CN_TRUE(status == CN_OK && report.is_converged);
    }
}

// Masses of 1e17 kg have impulses beside which velocities are nothing, even for rounding. Errors
// that add them up as they are accept anything; what is returned has at least stopped the bodies by
// half.
CN_TEST(any_unit_of_mass_has_an_answer)
{
    const double heavy[4] = {2e-17, 1e-17, 1e-17, 2e-17}, light[4] = {2e17, 1e17, 1e17, 2e17};
    for (int k = 0; k < CN_METHOD_COUNT; k++) {
        cn_solver_report report;
        cn_status status = solve_pair(heavy, (double[2]){-1.0, -0.3}, (cn_method)k, &report);
        CN_TRUE(status == CN_OK && report.residual.miss <= 0.53);
        status = solve_pair(light, (double[2]){-1.0, -0.3}, (cn_method)k, &report);
        CN_TRUE(status == CN_OK && report.residual.miss <= 0.53);
    }
}

CN_MAIN(CN_RUN(tower_carries_its_weight_with_every_method);
        CN_RUN(nncg_needs_fewer_sweeps_than_nlgs_on_a_tower);
        CN_RUN(conjugate_gradients_end_after_as_many_steps_as_rows);
        CN_RUN(stored_rows_agree_with_factors); CN_RUN(no_solution_no_convergence);
        CN_RUN(any_unit_of_mass_has_an_answer); CN_RUN(every_method_knows_every_core);
        CN_RUN(orders_reach_the_same_solution); CN_RUN(limit_of_sweeps_is_reported_not_hidden);
        CN_RUN(bad_problems_get_a_message); CN_RUN(bad_settings_get_a_message);)
