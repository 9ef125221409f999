// solve/sweep/local.c -- local solutions of every core, theory 8.5 and 8.6.
#include "solve/sweep/local.h"

#include <assert.h>

#include "solve/problem/parallel.h"

// Solves W x = -u for a small block by Gaussian elimination with row pivoting; a row that turns out
// dependent gets 0, which is one of the solutions of a redundant joint.
static void solve_block(int n, const double *W, const double *u, double *x)
{
    double M[CN_ROW_MAX][CN_ROW_MAX + 1];
    double scale = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            M[i][k] = W[n * i + k];
        }
        M[i][n] = -u[i];
        scale = fmax(scale, fabs(W[n * i + i]));
    }
    int pivot_row[CN_ROW_MAX];
    int rank = 0;
    for (int k = 0; k < n; k++) {
        int best = rank;
        for (int i = rank; i < n; i++) {
            if (fabs(M[i][k]) > fabs(M[best][k])) {
                best = i;
            }
        }
        if (rank == n || !(fabs(M[best][k]) > 1e-14 * scale)) {
            pivot_row[k] = -1;
            continue;
        }
        for (int c = 0; c <= n; c++) {
            double swap = M[rank][c];
            M[rank][c] = M[best][c];
            M[best][c] = swap;
        }
        for (int i = 0; i < n; i++) {
            double f = i == rank ? 0.0 : M[i][k] / M[rank][k];
            for (int c = k; c <= n; c++) {
                M[i][c] -= f * M[rank][c];
            }
        }
        pivot_row[k] = rank++;
    }
    for (int k = 0; k < n; k++) {
        x[k] = pivot_row[k] < 0 ? 0.0 : M[pivot_row[k]][n] / M[pivot_row[k]][k];
    }
}

static double clamp(double x, double bound)
{
    return x > bound ? bound : (x < -bound ? -bound : x);
}

static void solve_cone(const cn_core *core, int rows, const double *W, const double *u, double *x,
                       double *r)
{
    if (cn_has_moments(core->dim, rows)) {
        cn_cone_discs discs = cn_core_discs(core, rows);
        cn_rolling_cone_solve(&discs, rows, W, u, x, r);
        return;
    }
    assert(rows >= 1 && rows <= 3);
    if (rows == 3) {
        cn_cone3_solve(W, core->mu, u, x, r);
    } else if (rows == 1) {
        r[0] = u[0] < 0.0 && W[0] > 0.0 ? -u[0] / W[0] : 0.0;
    } else {
        cn_cone2_solve(W, cn_inverse_det2(W), core->mu, u[0], u[1], r);
    }
}

void cn_local_solve(const cn_core *core, int rows, const double *W, const double *u, double *x,
                    double *r)
{
    switch (core->kind) {
    case CN_CORE_FREE:
        for (int k = 0; k < rows; k++) {
            r[k] = 0.0;
        }
        break;
    case CN_CORE_CONE:
        solve_cone(core, rows, W, u, x, r);
        break;
    case CN_CORE_BILATERAL:
        solve_block(rows, W, u, r);
        break;
    case CN_CORE_BOUNDED:
        solve_block(rows, W, u, r);
        for (int k = 0; k < rows; k++) {
            r[k] = clamp(r[k], core->mu);
        }
        break;
    }
}

cn_contact_status cn_core_status(const cn_core *core, int rows, const double *u, const double *r,
                                 double v_small)
{
    if (core->kind == CN_CORE_BILATERAL) {
        return CN_STATUS_JOINED;
    }
    if (core->kind == CN_CORE_FREE || !(r[0] > 0.0)) {
        return CN_STATUS_OPEN;
    }
    double r_t = 0.0, u_t = 0.0;
    int tangents = cn_has_moments(core->dim, rows) ? core->dim : rows; // moments do not slide
    for (int k = 1; k < tangents; k++) {
        r_t += r[k] * r[k];
        u_t += u[k] * u[k];
    }
    bool is_at_bound = sqrt(r_t) >= core->mu * r[0] * (1.0 - 1e-9);
    return is_at_bound && sqrt(u_t) > v_small ? CN_STATUS_SLIDE : CN_STATUS_STICK;
}

cn_contact_status cn_core_solve(const cn_core *core, int rows, const double *W_aa,
                                const double *u_rest, double *r)
{
    if (core == NULL || W_aa == NULL || u_rest == NULL || r == NULL) {
        return CN_STATUS_OPEN;
    }
    double W[CN_ROW_MAX * CN_ROW_MAX] = {0}, E[CN_ROW_MAX * CN_ROW_MAX];
    double u[CN_ROW_MAX] = {0}, left[CN_ROW_MAX];
    for (int i = 0; i < rows; i++) {
        left[i] = u_rest[i];
        for (int k = 0; k < rows; k++) {
            W[rows * i + k] = W_aa[rows * i + k];
            left[i] -= W_aa[rows * i + k] * core->r0[k];
        }
    }
    cn_parallel_inverse(rows, W_aa, core->k, E);
    cn_parallel_multiply(rows, E, left, u);
    cn_parallel_soften(rows, core->k, W);
    for (int i = 0; i < rows; i++) {
        u[i] += core->b[i];
        W[(rows + 1) * i] += core->c[i];
    }
    double x[CN_DISC_MAX] = {0.0};
    cn_local_solve(core, rows, W, u, x, r);
    cn_parallel_multiply(rows, W, r, left);
    for (int i = 0; i < rows; i++) {
        u[i] += left[i];
    }
    cn_contact_status status = cn_core_status(core, rows, u, r, 0.0);
    for (int i = 0; i < rows; i++) { // r = r' - r0 - k u with u = u' - b - c r'
        r[i] -= core->r0[i] + core->k[i] * (u[i] - core->b[i] - core->c[i] * r[i]);
    }
    return status;
}
