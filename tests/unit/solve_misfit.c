// An inexact answer is the exact answer of a problem with misfits: theory 8.29, 8.30.
#include "base/hash.h"
#include "cairn/misfit.h"
#include "test.h"

enum { COUNT = 5, ROWS = 3 + 5 + 6 + 2 + 1 };

static const int row_start[COUNT + 1] = {0, 3, 8, 14, 16, 17};
static const unsigned char kinds[COUNT] = {CN_CORE_CONE, CN_CORE_CONE, CN_CORE_CONE,
                                           CN_CORE_BILATERAL, CN_CORE_BOUNDED};

// Every kind of core, each coupled with all others, and impulses that solve nothing.
typedef struct soup {
    double W[ROWS][ROWS], block[ROWS * ROWS];
    int row[COUNT + 1], col[COUNT * COUNT], block_start[COUNT * COUNT];
    double u[ROWS], b[ROWS], c[ROWS], r0[ROWS], r[ROWS], mu[COUNT], roll[COUNT], spin[COUNT];
} soup;

static double between(uint64_t *random, double least, double most)
{
    return least + (most - least) * cn_random(random);
}

// W = F^T F, in blocks of all pairs.
static void fill_operator(uint64_t *random, soup *s)
{
    double F[2 * ROWS][ROWS];
    for (int k = 0; k < 2 * ROWS * ROWS; k++) {
        F[k / ROWS][k % ROWS] = between(random, -1.0, 1.0);
    }
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            s->W[i][j] = 0.0;
            for (int k = 0; k < 2 * ROWS; k++) {
                s->W[i][j] += F[k][i] * F[k][j];
            }
        }
    }
    double *to = s->block;
    for (int n = 0; n < COUNT * COUNT; n++) {
        int a = n / COUNT, b = n % COUNT;
        s->row[a + 1] = COUNT * (a + 1);
        s->col[n] = b;
        s->block_start[n] = (int)(to - s->block);
        for (int i = row_start[a]; i < row_start[a + 1]; i++) {
            for (int j = row_start[b]; j < row_start[b + 1]; j++) {
                *to++ = s->W[i][j];
            }
        }
    }
}

static cn_problem make_soup(uint64_t seed, soup *s)
{
    uint64_t random = seed;
    *s = (soup){0};
    fill_operator(&random, s);
    for (int k = 0; k < ROWS; k++) {
        s->u[k] = between(&random, -1.0, 1.0);
        s->b[k] = between(&random, -0.1, 0.1);
        s->c[k] = between(&random, 0.0, 0.1);
        s->r0[k] = between(&random, -0.1, 0.1);
        s->r[k] = between(&random, -0.3, 0.3);
    }
    for (int a = 0; a < COUNT; a++) {
        s->mu[a] = between(&random, 0.0, 1.0);
        s->roll[a] = a == 1 || a == 2 ? between(&random, 0.0, 0.3) : 0.0;
        s->spin[a] = a == 2 ? between(&random, 0.0, 0.3) : 0.0;
    }
    return (cn_problem){.dim = 3,
                        .contact_count = COUNT,
                        .row_start = row_start,
                        .W.rows = {s->row, s->col, s->block_start, s->block},
                        .u_free = s->u,
                        .kind = kinds,
                        .mu = s->mu,
                        .mu_roll = s->roll,
                        .mu_spin = s->spin,
                        .b = s->b,
                        .c = s->c,
                        .r0 = s->r0,
                        .r = s->r};
}

// Largest difference of delta from u' less the velocities that the impulses r' lead to.
static double delta_off(const soup *s, const cn_misfit_rows *x)
{
    double most = 0.0;
    for (int i = 0; i < ROWS; i++) {
        double u = s->u[i] + s->b[i] + s->c[i] * x->r[i];
        for (int j = 0; j < ROWS; j++) {
            u += s->W[i][j] * (x->r[j] - s->r0[j]);
        }
        most = fmax(most, fabs(x->u[i] - u - x->delta[i]));
    }
    return most;
}

CN_TEST(random_answers_are_exact_with_their_misfits)
{
    double r[ROWS], u[ROWS], delta[ROWS], off = 0.0, missed = 0.0, bound = 0.0, held = 0.0;
    double energy = 0.0;
    cn_solver *solver = NULL;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    for (uint64_t seed = 1; seed <= 200; seed++) {
        soup s;
        cn_misfit misfit;
        cn_misfit_rows x = {r, u, delta};
        cn_problem p = make_soup(seed, &s);
        CN_DO(cn_problem_misfit(&p, solver, &x, &misfit, &test_error));
        off = fmax(off, delta_off(&s, &x));
        missed = fmax(missed, misfit.violation);
        bound = fmax(bound, misfit.bound);
        held = fmax(held, hypot(u[14], u[15]));
        double work = 0.0;
        for (int k = 0; k < ROWS; k++) {
            work += r[k] * delta[k];
        }
        energy = fmax(energy, fabs(work - misfit.energy));
        CN_TRUE(r[0] >= 0.0 && hypot(r[1], r[2]) <= s.mu[0] * r[0] * (1.0 + 1e-12));
        CN_TRUE(misfit.most > 0.0 && misfit.mean <= misfit.most && misfit.worst >= 0);
    }
    CN_NEAR(off, 0.0, 1e-12, "rounding of sums of 17 terms of size ten");
    CN_NEAR(missed, 0.0, 1e-12, "the law is obeyed at any iterate");
    CN_TRUE(bound > 0.1 && bound <= 1.0);
    CN_NEAR(held, 0.0, 1e-13, "a joint does not move");
    CN_NEAR(energy, 0.0, 1e-12, "the work of the misfits");
    cn_solver_destroy(solver);
}

// At a solution there is none; with terms beside cores it is not known.
CN_TEST(solutions_have_no_misfit)
{
    soup s;
    cn_solver *solver = NULL;
    cn_problem p = make_soup(7, &s);
    cn_solver_def def = cn_solver_def_default();
    cn_solver_report report;
    cn_misfit misfit;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    def.method = CN_METHOD_NLGS;
    def.eps_v = def.tol = 1e-12;
    CN_DO(cn_problem_solve(&p, &def, solver, &report, &test_error));
    CN_DO(cn_problem_misfit(&p, solver, NULL, &misfit, &test_error));
    CN_TRUE(report.is_converged && misfit.violation < 1e-14);
    CN_NEAR(misfit.most, 0.0, 1e-10, "W of norm twenty times what the solver left");
    double k[ROWS] = {1.0};
    p.k = k;
    CN_FAILS(cn_problem_misfit(&p, solver, NULL, &misfit, &test_error), CN_BAD_INPUT, "beside");
    cn_solver_destroy(solver);
}

CN_MAIN(CN_RUN(random_answers_are_exact_with_their_misfits); CN_RUN(solutions_have_no_misfit);)
