// validation/l08_parallel.c -- L08: springs beside contacts, solved three ways.
//
// Question: do methods that know the parallel term k, the same problem with each spring as a
// constraint of its own, and sweeps that eliminate it contact by contact solve the same problem,
// and does k make it no harder? A wall of 8 x 8 blocks whose top row is pulled sideways by six
// times its weight, with k W_nn the same at every point. Source: derived (theory 4.1). While
// friction decides, such a wall has many solutions: what two ways find is then held against the
// problem of the other one, and velocities are compared where springs rule.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builders.h"
#include "table.h"

enum { SIDE = 8 };

// The problem of the first step [no bonds yet].
static cn_trial make_wall(cn_book *book, cn_problem *p)
{
    const double a = 0.1, h = 1e-4;
    cn_world_def def = cn_trial_def();
    cn_error err;
    def.solver.method = CN_METHOD_AUTO;
    def.solver.eps_v = def.solver.tol = 1e-8;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.6, 0.0);
    cn_build_plane(&t, (cn_body_def){.fixed = CN_FIXED_ALL});
    for (int k = 0; k < SIDE * SIDE; k++) {
        cn_body_def block = {.density = 10.0 / (a * a),
                             .at = {a * (k % SIDE), a * (k / SIDE + 0.5)}};
        cn_body_id id = cn_build_box(&t, a, a, block);
        cn_force_def pull = {
            .body = id, .direction = {1.0, 0.0}, .f = {.c = 60.0 * CN_G}, .t0 = NAN};
        if (k / SIDE == SIDE - 1) {
            cn_trial_ok(&t, cn_force_add(t.world, &pull, &err), &err);
        }
    }
    cn_trial_step(&t, h);
    cn_trial_ok(&t, cn_world_problem(t.world, p, NULL, &err), &err);
    return t;
}

// The wall with springs, kept in one piece of memory: as k of its contacts, and doubled.
typedef struct springs {
    cn_problem folded, doubled;
    double *number;
    int *whole;
    unsigned char *kind;
} springs;

// A spring beside contact a is a constraint that shares its rows and gives way by 1/k of itself.
static springs add_springs(const cn_problem *p, double kW)
{
    int n = p->contact_count, rows = p->row_start[n];
    springs s = {.folded = *p, .doubled = *p};
    size_t size = (size_t)(2 * rows), count = (size_t)(2 * n);
    s.number = calloc(5 * size + count, sizeof *s.number);
    s.whole = calloc(5 * count + 1, sizeof *s.whole);
    s.kind = calloc(count, sizeof *s.kind);
    if (s.number == NULL || s.whole == NULL || s.kind == NULL) {
        return s;
    }
    double *k = s.number, *b = k + size, *c = b + size, *u_free = c + size, *r = u_free + size;
    double *mu = r + size;
    int *row_start = s.whole, *body = row_start + count + 1, *block = body + 2 * count;
    for (int a = 0; a < 2 * n; a++) {
        int of = a % n, from = p->row_start[of];
        row_start[a + 1] = row_start[a] + p->row_start[of + 1] - from;
        s.kind[a] = a < n ? p->kind[of] : CN_CORE_BILATERAL;
        mu[a] = a < n ? p->mu[of] : 0.0;
        memcpy(body + 2 * a, p->W.factors.body + 2 * of, 2 * sizeof *body);
        memcpy(block + 2 * a, p->W.factors.block_start + 2 * of, 2 * sizeof *block);
        double W = 0.0, room[CN_BLOCK_ROOM];
        for (int side = 0; side < 2; side++) {
            const double *G = cn_problem_factor(p, of, side, room);
            for (int d = 0; G != NULL && d < 3; d++) {
                W += G[d] * G[d];
            }
        }
        for (int row = row_start[a]; row < row_start[a + 1]; row++) {
            int there = from + row - row_start[a];
            u_free[row] = p->u_free[there];
            b[row] = a < n && p->b != NULL ? p->b[there] : 0.0;
            c[row] = a < n ? 0.0 : W / kW;
            k[row] = a < n ? kW / W : 0.0;
        }
    }
    s.folded.k = kW > 0.0 ? k : NULL;
    s.folded.r = r;
    s.doubled.contact_count = 2 * n;
    s.doubled.row_start = row_start;
    s.doubled.W.factors.body = body;
    s.doubled.W.factors.block_start = block;
    s.doubled.u_free = u_free;
    s.doubled.kind = s.kind;
    s.doubled.mu = mu;
    s.doubled.b = b;
    s.doubled.c = c;
    s.doubled.r = r;
    return s;
}

static void drop_springs(springs *s)
{
    free(s->number);
    free(s->whole);
    free(s->kind);
}

// Solves from zero and writes the velocities; returns sweeps' worth of work, NaN if it missed.
static double solve(cn_problem p, cn_method method, double eps, double *u)
{
    cn_solver_def def = cn_solver_def_default();
    cn_solver_report report;
    cn_solver *solver = NULL;
    double work = NAN;
    def.method = method;
    def.eps_v = def.tol = eps;
    def.sweep_max = 200000;
    memset(p.r, 0, (size_t)p.row_start[p.contact_count] * sizeof *p.r);
    if (cn_solver_create(NULL, &solver, NULL) == CN_OK &&
        cn_problem_solve(&p, &def, solver, &report, NULL) == CN_OK && report.is_converged &&
        cn_problem_velocity(&p, solver, u, NULL) == CN_OK) {
        work = report.sweep_count;
    }
    cn_solver_destroy(solver);
    return work;
}

// Residual of a problem at impulses and velocities.
static double residual_of(const cn_problem *p, const double *u)
{
    cn_solver *solver = NULL;
    cn_residual residual = {.err_v = NAN};
    if (cn_solver_create(NULL, &solver, NULL) == CN_OK) {
        cn_problem_residual(p, u, solver, &residual, NULL);
    }
    cn_solver_destroy(solver);
    return residual.err_v;
}

static double apart(const double *u, const double *v, int rows, double v_ref)
{
    double most = 0.0;
    for (int k = 0; k < rows; k++) {
        most = fmax(most, fabs(u[k] - v[k]));
    }
    return most / v_ref;
}

// What one way finds, as an answer to the problem of the other one. Velocities that are known to
// eps give the impulses of springs to eps k.
static void check_doubled(cn_book *book, const springs *s, double kW, double v_ref, double *u)
{
    int rows = s->folded.row_start[s->folded.contact_count];
    const double *k = s->folded.k;
    double *v = u + 2 * rows, *r = s->folded.r;
    bool is_solved = isfinite(solve(s->folded, CN_METHOD_AUTO, 1e-8, u));
    for (int row = 0; row < rows; row++) {
        u[rows + row] = u[row];
        r[rows + row] = -k[row] * u[row];
        r[row] -= r[rows + row];
    }
    cn_check(book, cn_name(book, "k W %g: residual as an answer to the doubled problem", kW),
             is_solved ? residual_of(&s->doubled, u) : NAN, 0.0, (1.0 + kW) * 1e-8);
    is_solved = isfinite(solve(s->doubled, CN_METHOD_AUTO, 1e-8, v));
    for (int row = 0; row < rows; row++) {
        r[row] += r[rows + row];
    }
    cn_check(book, cn_name(book, "k W %g: residual of the doubled answer with k", kW),
             is_solved ? residual_of(&s->folded, v) : NAN, 0.0, 2e-8);
    if (kW >= 1e4) {
        cn_check(book, cn_name(book, "k W %g: velocities of both apart, over v_ref", kW),
                 apart(u, v, rows, v_ref), 0.0, 1e-6);
    }
}

// Plain sweeps creep where springs are stiff: they are asked up to k W = 1.
static void check_methods(cn_book *book, const springs *s, double kW, double v_ref, double *u)
{
    static const cn_method method[] = {CN_METHOD_NLGS, CN_METHOD_NNCG, CN_METHOD_ADMM,
                                       CN_METHOD_IPM};
    int rows = s->folded.row_start[s->folded.contact_count];
    double *v = u + 2 * rows;
    solve(s->folded, CN_METHOD_AUTO, 1e-8, u);
    for (int m = kW > 1.0 ? 2 : 0; m < 4; m++) {
        const char *name = cn_method_name(method[m]);
        bool is_solved = isfinite(solve(s->folded, method[m], 1e-8, v));
        if (kW == 1.0 && method[m] == CN_METHOD_NNCG) {
            cn_open(book, "nncg stops short of 1e-8 here; nlgs, admm, ipm and auto do not");
        }
        cn_check_true(book, cn_name(book, "k W %g: %s solves it", kW, name), is_solved);
        if (kW >= 1e4) {
            cn_check(book, cn_name(book, "k W %g: %s, velocities apart, over v_ref", kW, name),
                     apart(u, v, rows, v_ref), 0.0, 1e-6);
        }
    }
}

static void check_k(cn_book *book, const cn_problem *p, double v_ref, double kW, double *plain)
{
    springs s = add_springs(p, kW);
    double *u = calloc(4 * (size_t)p->row_start[p->contact_count], sizeof *u);
    if (u == NULL || s.number == NULL || s.whole == NULL || s.kind == NULL) {
        cn_book_failure(book, "no memory");
    } else {
        double sweeps = solve(s.folded, CN_METHOD_AUTO, 1e-4, u);
        *plain = kW > 0.0 ? *plain : sweeps;
        if (kW > 0.0) {
            cn_check(book, cn_name(book, "k W %g: sweeps of auto over those without", kW),
                     sweeps / *plain, 0.0, 1.2);
            check_doubled(book, &s, kW, v_ref, u);
        }
        check_methods(book, &s, kW, v_ref, u);
    }
    free(u);
    drop_springs(&s);
}

void cn_case_L08(cn_book *book)
{
    cn_problem p;
    cn_trial t = make_wall(book, &p);
    double plain = NAN;
    if (!t.is_broken) {
        double v_ref = cn_world_view(t.world).certificate->solver.residual.v_ref;
        const double kW[] = {0.0, 1.0, 100.0, 1e4};
        for (int k = 0; k < 4; k++) {
            check_k(book, &p, v_ref, kW[k], &plain);
        }
    }
    cn_trial_end(&t);
}
