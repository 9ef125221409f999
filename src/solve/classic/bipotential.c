// solve/classic/bipotential.c -- the predictor-corrector of de Saxce and Feng, theory 13.32.
//
// The bipotential of Coulomb's law makes it one projection, r = P_K(r - rho u~): predict with the
// velocity, correct on the cone. `bipotential` does so at one contact after the other until it is
// solved, inside the sweeps of NLGS; `uzawa` does so at all contacts at once.
#include <math.h>
#include <string.h>

#include "solve/direct/gradient.h"
#include "solve/problem/project.h"

enum { LOCAL_MAX = 50 };
static const double local_share = 1e-3;      // of the first change, when a contact counts as solved
static const double step_growth = 1.0 / 0.9; // of uzawa

// Bound on the largest eigenvalue of a block: its largest sum of a row.
static double largest_row(int rows, const double *W)
{
    double largest = 0.0;
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int k = 0; k < rows; k++) {
            sum += fabs(W[rows * i + k]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

// One prediction and correction; returns |change of r|^2.
static double correct(const cn_set *set, double rho, const double *W, const double *u_rest,
                      double *r)
{
    int rows = set->rows;
    double u[CN_ROW_MAX] = {0}, x[CN_ROW_MAX], change = 0.0;
    for (int i = 0; i < rows; i++) {
        u[i] = u_rest[i];
        for (int k = 0; k < rows; k++) {
            u[i] += W[rows * i + k] * r[k];
        }
    }
    u[0] += cn_set_shift(set, u);
    for (int k = 0; k < rows; k++) {
        x[k] = r[k] - rho * u[k];
    }
    cn_set_project(set, x, x);
    for (int k = 0; k < rows; k++) {
        change += (x[k] - r[k]) * (x[k] - r[k]);
        r[k] = x[k];
    }
    return change;
}

// The local solver: corrections until they are small beside the first one.
static void solve_contact(const cn_core *core, int rows, const double *W, const double *u_rest,
                          double *x, double *r)
{
    (void)x; // it starts from r
    cn_set set = cn_core_set(core, rows);
    double bound = largest_row(rows, W), first = 0.0;
    for (int k = 0; k < LOCAL_MAX && bound > 0.0; k++) {
        double change = correct(&set, 1.0 / bound, W, u_rest, r);
        first = fmax(first, change);
        if (change <= local_share * local_share * first) {
            return;
        }
    }
}

// W', shift and roots (cn_packed).
static int numbers_of(const cn_packed *c)
{
    return c->rows * (c->rows + 1) + CN_DISC_MAX;
}

cn_status cn_bipotential(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                         cn_error *err)
{
    size_t size = 0;
    for (int n = 0; n < s->packed_count; n++) {
        size += (size_t)numbers_of(&s->packed[n]);
    }
    double *numbers; // of all constraints, those of bodies as well
    CN_TRY(cn_solver_work(s, size, &numbers, err));
    double *at = numbers;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_packed_numbers(p, c, at, at + c->rows * c->rows);
        at += numbers_of(c);
    }
    do {
        at = numbers;
        for (int n = 0; n < s->packed_count; n++) {
            const cn_packed *c = &s->packed[n];
            cn_visit(s, p, c, at, solve_contact);
            at += numbers_of(c);
        }
    } while (!cn_progress_sweep(progress, s, p));
    return CN_OK;
}

cn_status cn_uzawa(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    double *r_old, t = 1.0;
    CN_TRY(cn_solver_work(s, 2 * rows, &r_old, err));
    double *u_old = r_old + rows;
    cn_solver_velocity(s, p, p->r, s->u);
    do {
        memcpy(r_old, p->r, sizeof *r_old * rows);
        memcpy(u_old, s->u, sizeof *u_old * rows);
        t *= step_growth;
        cn_gradient_step(s, p, r_old, u_old, &t, progress);
        progress->iteration_count++;
    } while (!cn_progress_check(progress, s, p));
    return CN_OK;
}
