// Contacts that stay open are skipped between full sweeps: they are found, and nothing changes.
#include <stdlib.h>

#include "masonry.h"
#include "solve/solver.h"
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
    CN_DO(cn_problem_solve(&m->problem, &def, s, &report, &test_error));
    CN_TRUE(report.open_count >= m->contact_count / 3);
    CN_DO(cn_problem_velocity(&m->problem, s, u, &test_error));
}

static int idle_count(const cn_batches *b)
{
    int count = 0;
    for (int zone = 0; zone < b->zones.zone_count; zone++) {
        count += b->zone_start[zone + 1] - b->zone_busy[zone];
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
    cn_problem_solve(&m->problem, &def, s, &report, &test_error);
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

CN_MAIN(CN_RUN(open_contacts_are_skipped_exactly);)
