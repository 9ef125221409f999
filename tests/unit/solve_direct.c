// The factorizing solvers on problems whose answer is known, against each other, and on input that
// is degenerate.
#include <stdlib.h>

#include "masonry.h"
#include "strict.h"
#include "test.h"

static const cn_method direct[] = {CN_METHOD_ADMM, CN_METHOD_IPM, CN_METHOD_IPM_LAGGED,
                                   CN_METHOD_ALM};
enum { DIRECT_COUNT = sizeof direct / sizeof *direct };

// Solves to an energy error `tol` from zero; returns the report.
static cn_solver_report solve(cn_problem *p, cn_method method, double tol)
{
    cn_solver *s = NULL;
    cn_solver_report report = {0};
    cn_solver_def def = cn_solver_def_default();
    def.method = method;
    def.eps_v = 100.0 * tol;
    def.tol = tol;
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        p->r[k] = 0.0;
    }
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(p, &def, s, &report, &test_error));
    cn_solver_destroy(s);
    return report;
}

// Velocities at the impulses of the problem; the caller frees them.
static double *velocities(cn_problem *p)
{
    cn_solver *s = NULL;
    double *u = malloc(sizeof(double) * (size_t)(p->row_start[p->contact_count] + 1));
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(cn_problem_velocity(p, s, u, &test_error));
    cn_solver_destroy(s);
    return u;
}

// Largest difference of the velocities of two methods.
static double disagreement(cn_problem *p, cn_method one, cn_method other, double tol)
{
    solve(p, one, tol);
    double *u = velocities(p);
    solve(p, other, tol);
    double *v = velocities(p), worst = 0.0;
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        worst = fmax(worst, fabs(u[k] - v[k]));
    }
    free(u);
    free(v);
    return worst;
}

// Gaps of some 1e-6 of a fall at the points of a wall, as errors of the steps before leave them: a
// second scale, on which some points are open and others slide.
static made *disturbed_wall(double push, double mu)
{
    wall_def def = {
        .dim = 3, .columns = 6, .courses = 6, .mu = mu, .push = push, .has_heads = true};
    made *m = made_wall(&def);
    for (int k = 0; k < m->problem.row_start[m->contact_count]; k++) {
        m->u_free[k] += 1e-5 * sin(12.9898 * (k + 1.0) * (k + 1.0)); // m/s
    }
    return m;
}

// Convex programs with frozen shifts get through the scales, whether the wall stands or slides on
// its foot: there contacts lie on the edges of both cones, where rounding is not to stop them.
CN_TEST(two_scales_are_solved)
{
    for (int k = 0; k < 2; k++) {
        made *m = disturbed_wall(k == 0 ? 0.1 : 0.6, k == 0 ? 0.6 : 0.3);
        cn_solver *s = NULL;
        cn_solver_report report = {0};
        cn_solver_def def = cn_solver_def_default();
        def.method = CN_METHOD_IPM_LAGGED;
        def.measure = CN_MEASURE_NATURAL;
        def.tol = 1e-8;
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        CN_DO(test_solve(&m->problem, &def, s, &report, &test_error));
        CN_TRUE(report.is_converged && report.residual.err_natural <= 1e-8);
        cn_solver_destroy(s);
        made_destroy(m);
    }
}

// Walls in the plane, all masses times `scale`: one stands, the other slides.
static made *solved_in_unit(double push, double mu, double scale, cn_method method,
                            cn_solver_report *report)
{
    wall_def def = {
        .dim = 2, .columns = 3, .courses = 2, .mu = mu, .push = push, .has_heads = true};
    made *m = made_wall(&def);
    int rows = 2 * m->contact_count;
    for (int row = 0; row < rows; row++) {
        m->u_free[row] += 1e-5 * sin(12.9898 * (row + 1.0) * (row + 1.0)); // m/s
    }
    for (int k = 0; k < 2 * 3 * rows; k++) {
        m->G[k] /= sqrt(scale);
    }
    cn_solver *s = NULL;
    cn_solver_def solver = cn_solver_def_default();
    solver.method = method;
    solver.eps_v = solver.tol = 1e-8;
    solver.sweep_max = 2000;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    cn_status status = test_solve(&m->problem, &solver, s, report, &test_error);
    CN_TRUE(status == CN_OK || status == CN_MISSED);
    cn_solver_destroy(s);
    return m;
}

// In units of mass that differ by a power of two every method does the same, whether it arrives or
// not: only numbers that compare masses, impulses or energies with something else could change a
// bit.
CN_TEST(a_unit_of_mass_changes_no_bit)
{
    const double scale = 0x1p32, push[2] = {0.1, 0.6}, mu[2] = {0.6, 0.3};
    for (int k = 0; k < 2 * CN_METHOD_COUNT; k++) {
        cn_method method = (cn_method)(k / 2);
        cn_solver_report report, other;
        made *m = solved_in_unit(push[k % 2], mu[k % 2], 1.0, method, &report);
        made *heavy = solved_in_unit(push[k % 2], mu[k % 2], scale, method, &other);
        int different = 0;
        for (int row = 0; row < 2 * m->contact_count; row++) {
            different += scale * m->problem.r[row] != heavy->problem.r[row];
        }
        CN_TRUE(different == 0 && report.iteration_count == other.iteration_count);
        CN_TRUE(report.sweep_count == other.sweep_count);
        made_destroy(m);
        made_destroy(heavy);
    }
}

// A wall at rest: the ground carries the mass, nothing moves.
CN_TEST(wall_stands_on_the_ground)
{
    for (int k = 0; k < 2 * DIRECT_COUNT; k++) {
        wall_def def = {.dim = 2 + k % 2, .columns = 4, .courses = 6, .mu = 0.5, .has_heads = true};
        made *m = made_wall(&def);
        cn_solver_report report = solve(&m->problem, direct[k / 2], 1e-11);
        double carried = 0.0, mass = 0.0, fastest = 0.0;
        for (int a = 0; a < m->contact_count; a++) {
            carried += m->body[2 * a + 1] < 0 ? m->problem.r[m->dim * a] : 0.0;
        }
        for (int i = 0; i < m->body_count; i++) {
            mass += m->mass[i];
        }
        double *u = velocities(&m->problem);
        for (int row = 0; row < m->dim * m->contact_count; row++) {
            fastest = fmax(fastest, fabs(u[row]));
        }
        CN_NEAR(carried, mass, 1e-7 * mass, "fall of 1 m/s stopped, to 100 times the tolerance");
        CN_NEAR(fastest, 0.0, 1e-8, "rest, to 1000 times the tolerance");
        CN_TRUE(report.is_converged && report.factorization_count > 0);
        CN_TRUE(report.chain_count == 1 && report.chain[0] == direct[k / 2]);
        free(u);
        made_destroy(m);
    }
}

// A tower of 8 cubes and one 1000 times as heavy on top.
CN_TEST(heavy_on_light)
{
    for (int k = 0; k < DIRECT_COUNT; k++) {
        made *m = made_tower(3, 8, 1000.0, 0.5);
        solve(&m->problem, direct[k], 1e-11);
        for (int level = 0; level < 9; level++) {
            double sum = 0.0;
            for (int n = 0; n < 4; n++) {
                sum += m->problem.r[3 * (4 * level + n)];
            }
            CN_NEAR(sum, 1008.0 - level, 9e-6, "1000 kg, nine joints with 1e-9 m/s each");
        }
        made_destroy(m);
    }
}

// The thrust line of an arch is not unique, what it does is: it stands.
CN_TEST(arch_stands)
{
    for (int k = 0; k < DIRECT_COUNT; k++) {
        made *m = made_arch(3, 15, 10.0, 2.0, 0.7);
        CN_NEAR(disagreement(&m->problem, direct[k], CN_METHOD_NNCG, 1e-11), 0.0, 1e-8,
                "1000 times the tolerance");
        made_destroy(m);
    }
}

// Blocks on three feet each: no joint is redundant, so even what slides is determined. (Four feet
// leave the shares of the load free, and with them the moment of the friction that slides.)
static made *made_tripods(int dim, int count, double mu)
{
    made *m = made_create(dim);
    const double size[3] = {1.0, 1.0, 1.0}, up[3] = {0.0, 0.0, 1.0};
    for (int k = 0; k < count; k++) {
        int box = made_box(m, (double[3]){0.05 * k, 0.0, k + 0.5}, size, 1.0);
        for (int n = 0; n < dim; n++) {
            const double foot[3] = {n == 2 ? 0.45 : -0.4 + 0.1 * k, 0.4 * (n == 1) - 0.2, k};
            const double foot2[3] = {n == 1 ? 0.45 : -0.4, 0.0, k};
            made_contact(m, box, box - 1, dim == 3 ? foot : foot2, up, k % 2 == 0 ? mu : 0.2 * mu);
        }
    }
    made_finish(m, 0.3, 0.3);
    return m;
}

CN_TEST(methods_agree_where_contacts_slide)
{
    for (int k = 0; k < 2 * DIRECT_COUNT; k++) {
        made *m = made_tripods(2 + k % 2, 4, 0.6);
        cn_solver_report report = solve(&m->problem, direct[k / 2], 1e-11);
        CN_TRUE(report.slide_count > 0 && report.stick_count > 0);
        CN_NEAR(disagreement(&m->problem, direct[k / 2], CN_METHOD_NNCG, 1e-11), 0.0, 1e-8,
                "1000 times the tolerance");
        made_destroy(m);
    }
}

// Every member of a core at once: shifts, compliances and offsets in all rows.
CN_TEST(cores_with_all_members)
{
    for (int k = 0; k < DIRECT_COUNT; k++) {
        wall_def def = {.dim = 3, .columns = 2, .courses = 3, .mu = 0.6, .push = 0.2};
        made *m = made_wall(&def);
        int rows = 3 * m->contact_count;
        double *b = malloc(sizeof(double) * 3 * (size_t)rows), *c = b + rows, *r0 = c + rows;
        for (int row = 0; row < rows; row++) {
            b[row] = 0.05 * (row % 5 - 2);
            c[row] = 0.3 * (row % 3 == 0);
            r0[row] = 0.01 * (row % 4);
        }
        m->kind[3] = CN_CORE_BILATERAL;
        m->kind[7] = CN_CORE_FREE;
        m->problem.b = b;
        m->problem.c = c;
        m->problem.r0 = r0;
        CN_NEAR(disagreement(&m->problem, direct[k], CN_METHOD_NNCG, 1e-11), 0.0, 1e-8,
                "1000 times the tolerance");
        free(b);
        made_destroy(m);
    }
}

// A box held back by a drive that can give 0.3 N s: 0.5 kg fall at 1 m/s, one row is a bound.
CN_TEST(bounded_core_gives_what_it_can)
{
    for (int k = 0; k < DIRECT_COUNT; k++) {
        made *m = made_tower(3, 1, 0.0, 0.5);
        for (int a = 0; a < 4; a++) { // 4 feet, each with at most 0.1 N s per direction
            m->kind[a] = CN_CORE_BOUNDED;
            m->mu[a] = 0.1;
        }
        solve(&m->problem, direct[k], 1e-12);
        for (int a = 0; a < 4; a++) {
            CN_NEAR(m->problem.r[3 * a], 0.1, 1e-11, "at the bound: 0.4 of the 1 N s that fall");
            CN_NEAR(m->problem.r[3 * a + 1], 0.0, 1e-11, "nothing pushes");
        }
        made_destroy(m);
    }
}

// Boxes beside each other, each with a bounded row per direction below its centre: W is diagonal,
// so that each impulse is the one that stops its row, or the bound next to it. As a convex program
// with an exact Newton matrix it takes the interior point no more steps than others do.
CN_TEST(bounded_rows_stop_what_they_can)
{
    const double size[3] = {1.0, 1.0, 1.0}, up[3] = {0.0, 0.0, 1.0};
    for (int k = 0; k < DIRECT_COUNT; k++) {
        made *m = made_create(3);
        for (int n = 0; n < 12; n++) {
            int box = made_box(m, (double[3]){2.0 * n, 0.0, 0.5}, size, 1.0 + n);
            made_contact(m, box, -1, (double[3]){2.0 * n, 0.0, 0.0}, up, 0.5);
        }
        made_finish(m, 0.0, 0.0);
        for (int row = 0; row < 36; row++) {
            m->kind[row / 3] = CN_CORE_BOUNDED;
            m->u_free[row] = 0.3 * sin(1.7 * row * row);
        }
        cn_solver_report report = solve(&m->problem, direct[k], 1e-12);
        int at_low = 0, at_high = 0;
        for (int row = 0; row < 36; row++) {
            double mass = 1.0 + row / 3, W = row % 3 == 0 ? 1.0 / mass : (1.0 + 6.0 / 4.0) / mass;
            double exact = fmin(fmax(-m->u_free[row] / W, -0.5), 0.5);
            CN_NEAR(m->problem.r[row], exact, 1e-8,
                    "10^4 times the tolerance; boxes have 1 to 12 kg");
            at_low += exact == -0.5;
            at_high += exact == 0.5;
        }
        CN_TRUE(report.is_converged && at_low > 3 && at_high > 3 && at_low + at_high < 30);
        bool is_inner = direct[k] == CN_METHOD_IPM || direct[k] == CN_METHOD_IPM_LAGGED;
        CN_TRUE(!is_inner || report.iteration_count < 40); // 15 seen
        made_destroy(m);
    }
}

CN_TEST(no_contacts)
{
    int row_start[1] = {0};
    double r[1] = {0.0};
    for (int k = 0; k < DIRECT_COUNT; k++) {
        cn_problem p = {.dim = 3, .row_start = row_start, .u_free = r, .r = r};
        CN_TRUE(solve(&p, direct[k], 1e-8).is_converged);
    }
}

// A cube of 2 kg on four feet, every foot twice.
static made *made_doubled(double mu, double push)
{
    made *m = made_create(3);
    const double center[3] = {0.0, 0.0, 0.5}, size[3] = {1.0, 1.0, 1.0}, up[3] = {0, 0, 1};
    int box = made_box(m, center, size, 2.0);
    for (int n = 0; n < 8; n++) {
        const double point[3] = {n % 2 - 0.5, n / 2 % 2 - 0.5, 0.0};
        made_contact(m, box, -1, point, up, mu);
    }
    made_finish(m, push, 0.0);
    return m;
}

// W is singular, the velocities are not in doubt.
CN_TEST(redundant_and_frictionless)
{
    for (int k = 0; k < DIRECT_COUNT; k++) {
        made *m = made_doubled(0.0, 0.3);
        solve(&m->problem, direct[k], 1e-12);
        double sum = 0.0;
        for (int n = 0; n < 8; n++) {
            sum += m->problem.r[3 * n];
            CN_NEAR(fabs(m->problem.r[3 * n + 1]) + fabs(m->problem.r[3 * n + 2]), 0.0, 1e-12,
                    "no friction");
        }
        CN_NEAR(sum, 2.0, 1e-9, "2 kg at 1 m/s");
        double *u = velocities(&m->problem);
        CN_NEAR(hypot(u[1], u[2]), 0.3, 1e-9, "the push goes on");
        free(u);
        made_destroy(m);
    }
}

// A constraint that nothing can move takes no part, and no impulse.
CN_TEST(zero_rows)
{
    for (int k = 0; k < DIRECT_COUNT; k++) {
        made *m = made_doubled(0.5, 0.1);
        for (int n = 0; n < 2 * 18; n++) {
            m->G[m->block_start[2 * 5] + n] = 0.0;
        }
        cn_solver_report report = solve(&m->problem, direct[k], 1e-10);
        CN_TRUE(report.is_converged);
        CN_NEAR(m->problem.r[3 * 5], 0.0, 0.0, "W_aa is zero");
        made_destroy(m);
    }
}

CN_TEST(numbers_that_are_none)
{
    for (int k = 0; k < DIRECT_COUNT; k++) {
        cn_solver *s = NULL;
        cn_solver_report report;
        cn_solver_def def = cn_solver_def_default();
        def.method = direct[k];
        made *m = made_tower(3, 3, 0.0, 0.5);
        CN_DO(cn_solver_create(NULL, &s, &test_error));
        m->u_free[4] = NAN;
        CN_FAILS(test_solve(&m->problem, &def, s, &report, &test_error), CN_BROKEN, "u_free");
        m->u_free[4] = 0.0;
        m->G[7] = NAN;
        CN_FAILS(test_solve(&m->problem, &def, s, &report, &test_error), CN_BROKEN, "constraint 0");
        cn_solver_destroy(s);
        made_destroy(m);
    }
}

// The second step on the same graph starts from the impulses of the first.
CN_TEST(warm_start_saves_iterations)
{
    wall_def wall = {.dim = 3, .columns = 4, .courses = 8, .mu = 0.5, .push = 0.2, .noise = 0.02};
    made *m = made_wall(&wall);
    cn_solver *s = NULL;
    cn_solver_report cold, warm;
    cn_solver_def def = cn_solver_def_default();
    def.method = CN_METHOD_ADMM;
    def.tol = 1e-9;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(&m->problem, &def, s, &cold, &test_error));
    for (int row = 0; row < 3 * m->contact_count; row++) {
        m->u_free[row] *= 1.004;
    }
    CN_DO(test_solve(&m->problem, &def, s, &warm, &test_error));
    CN_TRUE(warm.iteration_count < cold.iteration_count);
    cn_solver_destroy(s);
    made_destroy(m);
}

CN_MAIN(CN_RUN(wall_stands_on_the_ground); CN_RUN(heavy_on_light); CN_RUN(arch_stands);
        CN_RUN(two_scales_are_solved); CN_RUN(methods_agree_where_contacts_slide);
        CN_RUN(cores_with_all_members); CN_RUN(bounded_core_gives_what_it_can);
        CN_RUN(bounded_rows_stop_what_they_can); CN_RUN(no_contacts);
        CN_RUN(redundant_and_frictionless); CN_RUN(a_unit_of_mass_changes_no_bit);
        CN_RUN(zero_rows); CN_RUN(numbers_that_are_none); CN_RUN(warm_start_saves_iterations);)
