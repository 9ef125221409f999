// The systems (I + E W) x = b of the factorizing solvers, over bodies, stored rows and both.
#include <stdlib.h>

#include "base/hash.h"
#include "masonry.h"
#include "solve/direct/linear_system.h"
#include "test.h"

// W of a made problem as stored blocks, all of them.
typedef struct dense_rows {
    int *row, *col, *block_start;
    double *block;
} dense_rows;

// W e_k by the public product, column by column.
static dense_rows store(const cn_problem *p, cn_solver *s, double share)
{
    int count = p->contact_count, d = p->dim, rows = d * count;
    dense_rows W = {malloc(sizeof(int) * (size_t)(count + 1)),
                    malloc(sizeof(int) * (size_t)(count * count)),
                    malloc(sizeof(int) * (size_t)(count * count)),
                    malloc(sizeof(double) * (size_t)(rows * rows))};
    double *u = malloc(sizeof(double) * (size_t)rows), *r = calloc((size_t)rows, sizeof *r);
    cn_problem unit = *p;
    unit.r = r;
    for (int a = 0; a <= count; a++) {
        W.row[a] = a * count;
    }
    for (int n = 0; n < count * count; n++) {
        W.col[n] = n % count;
        W.block_start[n] = d * d * n;
    }
    for (int k = 0; k < rows; k++) {
        r[k] = 1.0;
        CN_DO(cn_problem_velocity(&unit, s, u, &test_error));
        r[k] = 0.0;
        for (int i = 0; i < rows; i++) {
            W.block[d * d * ((i / d) * count + k / d) + d * (i % d) + k % d] =
                share * (u[i] - p->u_free[i]);
        }
    }
    free(u);
    free(r);
    return W;
}

static void free_rows(dense_rows *W)
{
    free(W->row);
    free(W->col);
    free(W->block_start);
    free(W->block);
}

// A random block, symmetric positive definite or not.
static void random_block(int rows, bool is_symmetric, uint64_t *random, double *E)
{
    double L[CN_ROW_MAX * CN_ROW_MAX];
    for (int k = 0; k < rows * rows; k++) {
        L[k] = cn_random(random) - 0.5;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            E[rows * i + j] = (i == j ? 0.5 : 0.0) + (is_symmetric ? 0.0 : L[rows * i + j]);
            for (int k = 0; k < rows && is_symmetric; k++) {
                E[rows * i + j] += L[rows * i + k] * L[rows * j + k];
            }
        }
    }
}

// Largest entry of (M + N W) x - M b, or of (I + E W) x - b over bodies, and of W x against x.
static double defect(cn_problem *p, cn_solver *s, cn_factor_kind kind, bool is_symmetric)
{
    int rows = p->row_start[p->contact_count];
    double *b = malloc(sizeof(double) * (size_t)rows), *x = calloc((size_t)rows, sizeof *x);
    double *Wx = calloc((size_t)rows, sizeof *Wx), *u = malloc(sizeof(double) * (size_t)rows);
    cn_solver_def def = cn_solver_def_default();
    uint64_t random = 5;
    CN_DO(cn_solver_pack(s, p, &def, &test_error));
    CN_DO(cn_system_begin(s, p, &test_error));
    cn_linear_system *k = s->system;
    double *left = k->is_stored ? k->M : k->E;
    for (int n = 0; n < s->packed_count; n++) {
        int r = s->packed[n].rows;
        random_block(r, is_symmetric, &random, left + k->block_at[n]);
        if (k->is_stored && !is_symmetric) {
            random_block(r, true, &random, k->N + k->block_at[n]);
        }
    }
    k->has_N = k->is_stored && !is_symmetric;
    for (int i = 0; i < rows; i++) {
        b[i] = cn_random(&random) - 0.5;
    }
    CN_DO(cn_system_factor(s, p, kind, &test_error));
    CN_DO(cn_system_solve(s, p, b, x, Wx, &test_error));
    cn_problem at = *p;
    at.r = x;
    CN_DO(cn_problem_velocity(&at, s, u, &test_error));
    double worst = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = 0; i < c->rows; i++) {
            double sum = -b[c->row + i] + (k->is_stored ? 0.0 : x[c->row + i]);
            for (int j = 0; j < c->rows; j++) {
                double W_x = u[c->row + j] - p->u_free[c->row + j];
                const double *B = left + k->block_at[n], *N = k->N + k->block_at[n];
                double weight = k->has_N ? N[c->rows * i + j] : (i == j ? 1.0 : 0.0);
                sum += k->is_stored ? B[c->rows * i + j] * x[c->row + j] + weight * W_x
                                    : B[c->rows * i + j] * W_x;
            }
            worst = fmax(worst, fabs(sum));
            double W_x = u[c->row + i] - p->u_free[c->row + i];
            worst = fmax(worst, fabs(Wx[c->row + i] - W_x));
        }
    }
    free(b);
    free(x);
    free(Wx);
    free(u);
    return worst;
}

static void check_all(int dim)
{
    wall_def def = {.dim = dim, .columns = 2, .courses = 3, .mu = 0.5, .has_heads = true};
    made *m = made_wall(&def);
    m->kind[1] = CN_CORE_FREE; // leaves the system
    cn_solver *s;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    for (int part = 0; part < 3; part++) { // bodies; half of W stored; all of it stored
        cn_problem p = m->problem;
        dense_rows W = store(&p, s, part == 1 ? 0.7 : 1.0);
        if (part > 0) {
            p.W.rows = (cn_rows){W.row, W.col, W.block_start, W.block};
        }
        if (part == 2) {
            p.W.factors = (cn_factors){0};
        }
        for (int repeat = 0; repeat < 2; repeat++) { // the second time with the kept analysis
            CN_NEAR(defect(&p, s, CN_FACTOR_CHOLESKY, true), 0.0, 1e-12, "rounding");
            CN_NEAR(defect(&p, s, CN_FACTOR_LU, true), 0.0, 1e-12, "rounding");
            CN_NEAR(defect(&p, s, CN_FACTOR_LU, false), 0.0, 1e-12, "rounding");
        }
        CN_TRUE(s->system->is_symmetric && s->system->is_stored == (part > 0));
        free_rows(&W);
    }
    cn_solver_destroy(s);
    made_destroy(m);
}

CN_TEST(systems_in_the_plane)
{
    check_all(2);
}

CN_TEST(systems_in_space)
{
    check_all(3);
}

// A stored W that is not symmetric is noticed, so that nobody takes half of it.
CN_TEST(asymmetry_is_seen)
{
    made *m = made_tower(3, 2, 0.0, 0.5);
    cn_solver *s;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    cn_problem p = m->problem;
    dense_rows W = store(&p, s, 1.0);
    W.block[1] += 1e-6;
    p.W.rows = (cn_rows){W.row, W.col, W.block_start, W.block};
    p.W.factors = (cn_factors){0};
    CN_NEAR(defect(&p, s, CN_FACTOR_LU, true), 0.0, 1e-12, "rounding");
    CN_TRUE(!s->system->is_symmetric);
    free_rows(&W);
    cn_solver_destroy(s);
    made_destroy(m);
}

// Constraints of stored rows that become free leave the system of the same solver, and come back.
CN_TEST(free_constraints_leave_no_trace)
{
    made *m = made_tower(3, 3, 0.0, 0.5);
    cn_solver *s;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    cn_problem p = m->problem;
    dense_rows W = store(&p, s, 1.0);
    p.W.rows = (cn_rows){W.row, W.col, W.block_start, W.block};
    p.W.factors = (cn_factors){0};
    for (int k = 0; k < 6; k++) { // none, the last, the first, both, none
        m->kind[0] = k % 4 >= 2 ? CN_CORE_FREE : CN_CORE_CONE;
        m->kind[p.contact_count - 1] = k % 2 == 1 ? CN_CORE_FREE : CN_CORE_CONE;
        CN_NEAR(defect(&p, s, CN_FACTOR_CHOLESKY, true), 0.0, 1e-12, "rounding");
        CN_NEAR(defect(&p, s, CN_FACTOR_LU, false), 0.0, 1e-12, "rounding");
    }
    free_rows(&W);
    cn_solver_destroy(s);
    made_destroy(m);
}

// Same graph, same analysis; another graph, another one.
CN_TEST(analysis_is_kept_while_the_graph_is)
{
    made *m = made_tower(3, 3, 0.0, 0.5);
    cn_solver *s;
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_NEAR(defect(&m->problem, s, CN_FACTOR_CHOLESKY, true), 0.0, 1e-12, "rounding");
    uint64_t hash = s->system->upper.hash;
    m->G[0] *= 1.5;
    CN_NEAR(defect(&m->problem, s, CN_FACTOR_CHOLESKY, true), 0.0, 1e-12, "rounding");
    CN_TRUE(hash != 0 && s->system->upper.hash == hash);
    m->kind[0] = CN_CORE_FREE;
    CN_NEAR(defect(&m->problem, s, CN_FACTOR_CHOLESKY, true), 0.0, 1e-12, "rounding");
    CN_TRUE(s->system->upper.hash != hash);
    cn_solver_destroy(s);
    made_destroy(m);
}

CN_MAIN(CN_RUN(systems_in_the_plane); CN_RUN(systems_in_space); CN_RUN(asymmetry_is_seen);
        CN_RUN(free_constraints_leave_no_trace); CN_RUN(analysis_is_kept_while_the_graph_is);)
