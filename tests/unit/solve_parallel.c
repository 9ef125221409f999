// Terms beside cores, r' = r + r0 + k u: folded into every method, against the same problem with
// one bilateral constraint more at each point.
#include <stdlib.h>
#include <string.h>

#include "masonry.h"
#include "strict.h"
#include "test.h"

// A wall with its bonds.
typedef struct bonded {
    made *m;
    double *r0, *k;
} bonded;

// k of a bond over the mass that a point moves: `stiffness` is k W.
static bonded make_bonded(int dim, double push, double stiffness)
{
    wall_def def = {.dim = dim, .columns = 4, .courses = 4, .mu = 0.6, .push = push};
    bonded w = {.m = made_wall(&def)};
    int rows = dim * w.m->contact_count;
    w.r0 = calloc((size_t)rows, sizeof *w.r0);
    w.k = calloc((size_t)rows, sizeof *w.k);
    for (int a = 0; a < w.m->contact_count; a++) {
        for (int i = 0; i < dim && a % 5 != 4; i++) { // every fifth point has none
            w.k[dim * a + i] = stiffness * (i == 0 ? 1.0 : 0.5);
            w.r0[dim * a + i] = i == 0 ? 0.1 * (1 + a % 3) : 0.0; // pulls together
        }
    }
    if (stiffness > 0.0) {
        w.m->problem.k = w.k;
        w.m->problem.r0 = w.r0;
    }
    return w;
}

static void drop_bonded(bonded *w)
{
    made_destroy(w->m);
    free(w->r0);
    free(w->k);
}

static cn_solver_report solve(cn_problem *p, cn_method method, double eps, int threads)
{
    cn_solver *s = NULL;
    cn_solver_report report = {0};
    cn_solver_def def = cn_solver_def_default();
    def.method = method;
    def.eps_v = eps;
    def.tol = eps;
    def.thread_count = threads;
    def.sweep_max = 200000;
    memset(p->r, 0, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    cn_status status = test_solve(p, &def, s, &report, &test_error);
    CN_TRUE(status == CN_OK || status == CN_MISSED);
    cn_solver_destroy(s);
    return report;
}

static void find_velocities(const cn_problem *p, double *u)
{
    cn_solver *s = NULL;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(cn_problem_velocity(p, s, u, &test_error));
    cn_solver_destroy(s);
}

// The same with a bilateral constraint more at each point, of compliance 1/k and shift r0/k.
typedef struct doubled {
    cn_problem problem;
    int *row_start, *body, *block_start;
    double *u_free, *b, *c, *mu, *r;
    unsigned char *kind;
} doubled;

static doubled make_doubled(const cn_problem *p)
{
    int n = p->contact_count, d = p->dim;
    doubled x = {.row_start = calloc((size_t)(2 * n + 1), sizeof(int)),
                 .body = calloc((size_t)(4 * n), sizeof(int)),
                 .block_start = calloc((size_t)(4 * n), sizeof(int)),
                 .u_free = calloc((size_t)(2 * n * d), sizeof(double)),
                 .b = calloc((size_t)(2 * n * d), sizeof(double)),
                 .c = calloc((size_t)(2 * n * d), sizeof(double)),
                 .mu = calloc((size_t)(2 * n), sizeof(double)),
                 .r = calloc((size_t)(2 * n * d), sizeof(double)),
                 .kind = calloc((size_t)(2 * n), 1)};
    int count = n;
    for (int a = 0; a < 2 * n; a++) {
        int from = a % n;
        bool is_bond = a >= n && p->k[d * from] > 0.0;
        if (a >= n && !is_bond) {
            continue;
        }
        int to = a < n ? a : count++;
        for (int side = 0; side < 2; side++) {
            x.body[2 * to + side] = p->W.factors.body[2 * from + side];
            x.block_start[2 * to + side] = p->W.factors.block_start[2 * from + side];
        }
        x.kind[to] = is_bond ? CN_CORE_BILATERAL : p->kind[from];
        x.mu[to] = p->mu[from];
        x.row_start[to + 1] = d * (to + 1);
        for (int i = 0; i < d; i++) {
            double k = p->k[d * from + i];
            x.u_free[d * to + i] = p->u_free[d * from + i];
            x.b[d * to + i] = is_bond ? p->r0[d * from + i] / k : 0.0;
            x.c[d * to + i] = is_bond ? 1.0 / k : 0.0;
        }
    }
    x.problem = *p;
    x.problem.contact_count = count;
    x.problem.row_start = x.row_start;
    x.problem.W.factors.body = x.body;
    x.problem.W.factors.block_start = x.block_start;
    x.problem.u_free = x.u_free;
    x.problem.kind = x.kind;
    x.problem.mu = x.mu;
    x.problem.b = x.b;
    x.problem.c = x.c;
    x.problem.r0 = x.problem.k = NULL;
    x.problem.r = x.r;
    return x;
}

static void drop_doubled(doubled *x)
{
    free(x->row_start);
    free(x->body);
    free(x->block_start);
    free(x->u_free);
    free(x->b);
    free(x->c);
    free(x->mu);
    free(x->r);
    free(x->kind);
}

static double difference(int count, const double *u, const double *v)
{
    double worst = 0.0;
    for (int k = 0; k < count; k++) {
        worst = fmax(worst, fabs(u[k] - v[k]));
    }
    return worst;
}

// One point: m = 2 kg comes with 3 m/s against a wall that a spring holds it from, k = 6 kg, r0 = 4
// N s. Alone the spring gives u = (m 3 - 4)/(m + k) away from the wall and r' = 0; towards it the
// wall takes what the spring leaves.
CN_TEST(one_point_by_hand)
{
    const double W = 0.5, apart = 3.0, towards = -3.0;
    cn_core core = {.kind = CN_CORE_CONE, .dim = 2, .k = {6.0}, .r0 = {4.0}};
    double r = 0.0;
    CN_TRUE(cn_core_solve(&core, 1, &W, &apart, &r) == CN_STATUS_OPEN);
    CN_NEAR(apart + W * r, 0.25, 1e-15, "(2 * 3 - 4) / (2 + 6)");
    CN_TRUE(cn_core_solve(&core, 1, &W, &towards, &r) == CN_STATUS_STICK);
    CN_NEAR(towards + W * r, 0.0, 1e-15, "stopped");
    core.c[0] = 0.25; // the wall gives by r'/4
    cn_core_solve(&core, 1, &W, &towards, &r);
    double u = towards + W * r, r_core = r + 4.0 + 6.0 * u;
    CN_NEAR(u + 0.25 * r_core, 0.0, 1e-14, "u' = 0 and r' > 0");
    CN_TRUE(r_core > 0.0);
}

// The methods that `auto` knows fold the term into their matrices or eliminate it contact by
// contact, those of the papers see the operator that it makes; the doubled problem has neither.
// Stiff bonds are beyond what sweeps and gradients reach.
CN_TEST(all_methods_find_the_velocities_of_the_doubled_problem)
{
    static const cn_method soft[] = {CN_METHOD_NNCG,       CN_METHOD_NLGS,  CN_METHOD_APGD,
                                     CN_METHOD_PROX,       CN_METHOD_ADMM,  CN_METHOD_IPM,
                                     CN_METHOD_IPM_LAGGED, CN_METHOD_ALM,   CN_METHOD_PROX_NEWTON,
                                     CN_METHOD_NEWTON,     CN_METHOD_CPG,   CN_METHOD_BIPOTENTIAL,
                                     CN_METHOD_UZAWA,      CN_METHOD_LEMKE, CN_METHOD_AUTO};
    static const cn_method stiff[] = {CN_METHOD_IPM_LAGGED, CN_METHOD_PROX_NEWTON, CN_METHOD_AUTO};
    static const double stiffness[] = {1.0, 100.0, 1e4};
    for (int n = 0; n < 6; n++) {
        int dim = 2 + n % 2, count = n < 2 ? 15 : 3;
        bonded w = make_bonded(dim, 0.3, stiffness[n / 2]);
        cn_problem *p = &w.m->problem;
        int rows = dim * w.m->contact_count;
        doubled x = make_doubled(p);
        double *exact = calloc((size_t)(2 * rows), sizeof *exact);
        double *u = calloc((size_t)rows, sizeof *u);
        CN_TRUE(solve(&x.problem, CN_METHOD_AUTO, 1e-9, 1).is_converged);
        find_velocities(&x.problem, exact);
        for (int k = 0; k < count; k++) {
            cn_method method = n < 2 ? soft[k] : stiff[k];
            if (method == CN_METHOD_LEMKE && dim == 3) {
                continue; // its cone has facets
            }
            cn_solver_report report = solve(p, method, 1e-9, 1);
            find_velocities(p, u);
            CN_TRUE(report.is_converged);
            CN_NEAR(difference(rows, u, exact), 0.0, 1e-7,
                    "1e-9 of 1 m/s, times what 100 points may add up to");
        }
        free(exact);
        free(u);
        drop_doubled(&x);
        drop_bonded(&w);
    }
}

// What bonds have become is stored rows: methods that look at all rows at once know these as well,
// and so does a problem whose rows were stored to begin with.
CN_TEST(folded_rows_have_the_same_solution)
{
    bonded w = make_bonded(2, 0.3, 30.0);
    cn_problem *p = &w.m->problem, folded, plain = *p;
    int rows = 2 * w.m->contact_count;
    double *u = calloc((size_t)rows, sizeof *u), *v = calloc((size_t)rows, sizeof *v);
    cn_solver *s = NULL, *other = NULL;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(cn_solver_create(NULL, &other, &test_error));
    CN_TRUE(solve(p, CN_METHOD_AUTO, 1e-9, 1).is_converged);
    find_velocities(p, u);
    CN_DO(cn_problem_fold(p, s, &folded, &test_error));
    CN_TRUE(folded.k == NULL && folded.r0 == NULL);
    CN_TRUE(solve(&folded, CN_METHOD_IPM, 1e-9, 1).is_converged);
    find_velocities(&folded, v);
    CN_NEAR(difference(rows, u, v), 0.0, 1e-7, "as above");

    plain.k = plain.r0 = NULL; // W itself as stored rows: a term too small to change a digit
    double *tiny = calloc((size_t)rows, sizeof *tiny);
    tiny[0] = 1e-300;
    plain.k = tiny;
    CN_DO(cn_problem_fold(&plain, other, &folded, &test_error));
    folded.k = p->k;
    folded.r0 = p->r0;
    CN_TRUE(solve(&folded, CN_METHOD_AUTO, 1e-9, 1).is_converged);
    find_velocities(&folded, v);
    CN_NEAR(difference(rows, u, v), 0.0, 1e-7, "as above");
    CN_TRUE(solve(&folded, CN_METHOD_NNCG, 1e-9, 1).is_converged);
    find_velocities(&folded, v);
    CN_NEAR(difference(rows, u, v), 0.0, 1e-7, "as above");
    cn_solver_destroy(s);
    cn_solver_destroy(other);
    free(tiny);
    free(u);
    free(v);
    drop_bonded(&w);
}

// Terms of zero are none, to the last bit; and threads do not change one.
CN_TEST(zeros_and_threads_change_no_bit)
{
    for (int turn = 0; turn < 3; turn++) { // 8700 contacts: two threads and more share them
        wall_def def = {.dim = 2, .columns = 44, .courses = 50, .mu = 0.6, .push = 0.3};
        made *m = made_wall(&def);
        size_t rows = 2 * (size_t)m->contact_count;
        double *k = calloc(rows, sizeof *k), *r = calloc(rows, sizeof *r);
        for (size_t row = 0; row < rows && turn > 0; row++) {
            k[row] = row % 7 == 0 ? 2.0 : 0.0;
        }
        cn_solver_def solver = cn_solver_def_default();
        solver.sweep_max = 20;
        for (int n = 0; n < 3; n++) {
            cn_solver *s = NULL;
            cn_solver_report report;
            solver.method = turn == 2 ? CN_METHOD_ADMM : CN_METHOD_NNCG;
            solver.thread_count = turn == 0 ? 1 : 1 << n;
            m->problem.k = turn == 0 && n == 0 ? NULL : k;
            memset(m->problem.r, 0, sizeof *r * rows);
            CN_DO(cn_solver_create(NULL, &s, &test_error));
            cn_status status = test_solve(&m->problem, &solver, s, &report, &test_error);
            CN_TRUE(status == CN_OK || status == CN_MISSED);
            CN_TRUE(n == 0 || memcmp(r, m->problem.r, sizeof *r * rows) == 0);
            memcpy(r, m->problem.r, sizeof *r * rows);
            cn_solver_destroy(s);
        }
        free(k);
        free(r);
        made_destroy(m);
    }
}

CN_TEST(terms_that_are_none_are_refused)
{
    bonded w = make_bonded(2, 0.3, 1.0);
    cn_solver *s = NULL;
    cn_solver_report report;
    cn_solver_def def = cn_solver_def_default();
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    w.k[3] = -1.0;
    CN_TRUE(test_solve(&w.m->problem, &def, s, &report, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "constraint 1 row 1: parallel term -1") != NULL);
    w.k[3] = 1.0;
    w.m->kind[1] = CN_CORE_FREE;
    CN_TRUE(test_solve(&w.m->problem, &def, s, &report, &test_error) == CN_BAD_INPUT);
    CN_TRUE(strstr(test_error.text, "bilateral with compliance 1/k") != NULL);
    cn_solver_destroy(s);
    drop_bonded(&w);
}

CN_MAIN(CN_RUN(one_point_by_hand); CN_RUN(all_methods_find_the_velocities_of_the_doubled_problem);
        CN_RUN(folded_rows_have_the_same_solution); CN_RUN(zeros_and_threads_change_no_bit);
        CN_RUN(terms_that_are_none_are_refused);)
