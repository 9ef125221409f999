// Contacts that stay open are skipped between full sweeps: they are found, and nothing changes.
// A disturbed part is tried for itself: it is the answer, or leaves no trace.
#include <stdlib.h>

#include "masonry.h"
#include "solve/problem/acceptance.h"
#include "solve/sleep/locked.h"
#include "solve/sleep/subproblem.h"
#include "strict.h"
#include "test.h"

// A wall of which every third contact departs.
static made *loose_wall(void)
{
    wall_def def = {3, 4, 4, 0.3, 0.1, 0.02, 0.0, true};
    made *m = made_wall(&def);
    for (int a = 0; a < m->contact_count; a += 3) {
        m->u_free[3 * a] += 5.0; // m/s, against a fall of 1 m/s
    }
    return m;
}

static void solve(made *m, cn_method method, cn_solver *s, double *u)
{
    cn_solver_def def = cn_solver_def_default();
    cn_solver_report report;
    def.method = method;
    def.eps_v = def.tol = 1e-10;
    def.sweep_max = 100000;
    memset(m->problem.r, 0, sizeof(double) * 3 * (size_t)m->contact_count);
    CN_DO(test_solve(&m->problem, &def, s, &report, &test_error));
    CN_TRUE(report.open_count >= m->contact_count / 3);
    CN_DO(cn_problem_velocity(&m->problem, s, u, &test_error));
}

static int idle_count(const cn_batches *b)
{
    int count = 0;
    for (int zone = 0; zone < b->zones.zone_count; zone++) {
        count += b->zone_start[zone + 1] - b->zone_closed[zone];
    }
    return count;
}

// NNCG skips them, plain sweeps never do: same velocities.
CN_TEST(open_contacts_are_skipped_exactly)
{
    made *m = loose_wall();
    size_t size = sizeof(double) * 3 * (size_t)m->contact_count;
    double *u = malloc(size), *u_plain = malloc(size);
    cn_solver *s = NULL;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    solve(m, CN_METHOD_NLGS, s, u_plain);
    cn_solver_def def = cn_solver_def_default();
    cn_solver_report report;
    def.method = CN_METHOD_NNCG;
    def.eps_v = def.tol = 1e-10;
    memset(m->problem.r, 0, size);
    test_solve(&m->problem, &def, s, &report, &test_error);
    CN_TRUE(idle_count(&s->batches) > s->batches.batch_count / 10);
    solve(m, CN_METHOD_NNCG, s, u);
    for (int k = 0; k < 3 * m->contact_count; k++) {
        CN_NEAR(u[k], u_plain[k], 1e-8, "both are solved to 1e-10");
    }
    cn_solver_destroy(s);
    free(u);
    free(u_plain);
    made_destroy(m);
}

// A long wall at rest of which one contact is closed at `speed`: whether a part is the answer.
// *in_vain: sweeps that a part took which is not.
static bool try_part(int columns, double speed, int *in_vain)
{
    wall_def wall = {.dim = 2, .columns = columns, .courses = 3, .mu = 0.6};
    made *m = made_wall(&wall);
    cn_problem *p = &m->problem;
    size_t size = sizeof(double) * (size_t)p->row_start[m->contact_count];
    double *before = malloc(size);
    cn_solver *s = NULL;
    cn_solver_report report;
    const double eps = 1e-3;
    cn_solver_def def = cn_solver_def_default();
    def.eps_v = def.tol = 1e-10;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(p, &def, s, &report, &test_error));
    m->u_free[2 * (m->contact_count - 7)] -= speed;
    def.eps_v = def.tol = eps;
    cn_solve_progress progress = {
        .def = &def, .err_best = INFINITY, .accept_factor = 1.0, .hardness_factor = 1.0};
    CN_DO(cn_solver_pack(s, p, &def, &test_error));
    cn_progress_renew(&progress);
    cn_acceptance_begin(&progress, s, p);
    cn_solver_apply(s, p, p->r);
    cn_solver_velocity(s, p, p->r, s->u);
    cn_solver_residual(s, p, s->u, &progress.residual);
    memcpy(s->r_best, p->r, size);
    memcpy(before, p->r, size);
    cn_sleep_limits limits = {.loose = 1e-2 * eps, .still = 0.5 * eps, .tie = eps};
    bool is_all_locked;
    int visited;
    CN_DO(cn_locked_find(s, p, limits.tie, &is_all_locked, &test_error));
    CN_DO(cn_subproblem_run(&progress, s, p, &limits, &visited, &test_error));
    CN_TRUE(progress.is_converged == (visited > 0));
    CN_TRUE(memcmp(p->r, s->r_best, size) == 0);
    CN_TRUE((memcmp(p->r, before, size) == 0) == !progress.is_converged);
    *in_vain = progress.sweeps_in_vain;
    free(before);
    cn_solver_destroy(s);
    made_destroy(m);
    return progress.is_converged;
}

CN_TEST(parts_are_the_answer_or_leave_no_trace)
{
    int in_vain;
    CN_TRUE(try_part(60, 0.1, &in_vain) && in_vain == 0);
    CN_TRUE(!try_part(20, 10.0, &in_vain) && in_vain > 0); // it grows beyond a quarter of the wall
}

CN_MAIN(CN_RUN(parts_are_the_answer_or_leave_no_trace); CN_RUN(open_contacts_are_skipped_exactly);)
