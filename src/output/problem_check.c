// output/problem_check.c -- the independent checker: how far impulses are from solving a stored
// problem.
//
// Written from the definitions in docs/formats.md ("Errors") and sharing nothing with solve/: u is
// computed from the entries of the file, not from the blocks that the solvers see. A mistake in
// solver, residual or blocks therefore cannot call itself converged.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "output/problem_parts.h"

enum { CONTACT_ROWS_MAX = 3 };

// Length of a vector without overflow or underflow of its squares.
static double length(int count, const double *x)
{
    double largest = 0.0, sum = 0.0;
    for (int k = 0; k < count; k++) {
        largest = fmax(largest, fabs(x[k]));
    }
    if (!(largest > 0.0) || !isfinite(largest)) {
        return largest;
    }
    for (int k = 0; k < count; k++) {
        sum += x[k] / largest * (x[k] / largest);
    }
    return largest * sqrt(sum);
}

static double length_of_tangent(int d, const double *x)
{
    return d == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

// Distance between r and the projection of r - (u_n + mu |u_t|, u_t) on the cone |x_t| <= mu x_n.
static double miss_of_contact(int d, double mu, const double *u, const double *r)
{
    double z[CONTACT_ROWS_MAX], miss[CONTACT_ROWS_MAX] = {0.0};
    for (int k = 0; k < d; k++) {
        z[k] = r[k] - u[k];
    }
    z[0] -= mu * length_of_tangent(d, u);
    double z_t = length_of_tangent(d, z);
    double p_n = (z[0] + mu * z_t) / (1.0 + mu * mu);
    bool is_open = mu * z_t <= -z[0], is_inside = z_t <= mu * z[0];
    for (int k = 0; k < d; k++) {
        double on_edge = k == 0 ? p_n : mu * p_n * z[k] / z_t;
        miss[k] = r[k] - (is_open ? 0.0 : (is_inside ? z[k] : on_edge));
    }
    return length(d, miss);
}

// One problem with velocities, ready to be measured: scale[a] multiplies the velocities of
// constraint a.
typedef struct measured {
    const cn_problem_file *file;
    const double *r, *u, *q;
    double *scale;
    double *u_scaled, *q_scaled; // one per row
    double *miss;                // one per constraint
} measured;

static int rows_of(const measured *m, int a)
{
    return m->file->row_start[a + 1] - m->file->row_start[a];
}

// miss[a] for the scales as they stand. A bilateral row misses by its velocity.
static void find_misses(measured *m)
{
    const cn_problem_file *file = m->file;
    for (int a = 0; a < file->problem.contact_count; a++) {
        int row = file->row_start[a], rows = rows_of(m, a);
        for (int k = row; k < row + rows; k++) {
            m->u_scaled[k] = m->scale[a] * m->u[k];
            m->q_scaled[k] = m->scale[a] * m->q[k];
        }
        m->miss[a] = a < file->info.contact_count
                         ? miss_of_contact(rows, file->mu[a], m->u_scaled + row, m->r + row)
                         : length(rows, m->u_scaled + row);
    }
}

static double divide(double error, double size)
{
    return size > DBL_EPSILON ? error / size : error;
}

// rho = d / trace(W_cc) of each constraint; 1 where the block is zero.
static void find_scales(measured *m, double *trace)
{
    const cn_problem_file *file = m->file;
    const cn_sparse *W = &file->W;
    int rows = W->row_count, count = file->problem.contact_count;
    memset(trace, 0, sizeof(double) * (size_t)rows);
    for (int n = 0; n < W->count; n++) {
        if (W->row[n] == W->column[n]) {
            trace[W->row[n]] += W->value[n];
        }
    }
    for (int a = 0; a < count; a++) {
        double sum = 0.0;
        for (int k = file->row_start[a]; k < file->row_start[a + 1]; k++) {
            sum += trace[k];
        }
        m->scale[a] = sum > 0.0 && isfinite(rows_of(m, a) / sum) ? rows_of(m, a) / sum : 1.0;
    }
}

// |M v - H r - f| over the largest of its terms, with v = M^-1 (H r + f): what the factors lost.
static cn_status miss_of_dynamics(const cn_problem_file *file, double *v, const double *r,
                                  double *miss, cn_error *err)
{
    int n = file->info.dof_count;
    double *part;
    CN_TRY(cn_new(&part, 3 * (size_t)n, err));
    double *Mv = part, *Hr = part + n, *rest = part + 2 * n;
    cn_sparse_multiply(&file->M, v, Mv);
    cn_sparse_multiply(&file->H, r, Hr);
    for (int k = 0; k < n; k++) {
        rest[k] = Mv[k] - Hr[k] - file->f[k];
    }
    double size = fmax(length(n, file->f), fmax(length(n, Mv), length(n, Hr)));
    *miss = divide(length(n, rest), size);
    cn_release(NULL, part);
    return CN_OK;
}

// u = H^T v + w with M v = H r + f.
static cn_status velocity_global(const cn_problem_file *file, const double *r, double *u,
                                 double *miss, cn_error *err)
{
    int n = file->info.dof_count;
    double *v;
    CN_TRY(cn_new(&v, (size_t)n, err));
    memcpy(v, file->f, sizeof(double) * (size_t)n);
    cn_sparse_multiply(&file->H, r, v);
    cn_mass_solve(&file->mass, v);
    memcpy(u, file->w, sizeof(double) * (size_t)file->W.row_count);
    cn_sparse_multiply_transposed(&file->H, v, u);
    cn_status status = miss_of_dynamics(file, v, r, miss, err);
    cn_release(NULL, v);
    return status;
}

static cn_status velocity(const cn_problem_file *file, const double *r, double *u, double *miss,
                          cn_error *err)
{
    *miss = 0.0;
    if (file->info.is_global) {
        return velocity_global(file, r, u, miss, err);
    }
    memcpy(u, file->q, sizeof(double) * (size_t)file->W.row_count);
    cn_sparse_multiply(&file->W, r, u);
    return CN_OK;
}

// max_a e_a / v_ref with e_a = miss_a / rho_a, v_ref = max(rms q, rms |r_a| / rho_a) (theory 5.9).
static void velocity_error(const measured *m, cn_problem_errors *errors)
{
    const cn_problem_file *file = m->file;
    int count = file->problem.contact_count;
    double worst = 0.0, r2 = 0.0, q2 = 0.0;
    for (int a = 0; a < count; a++) {
        double e = m->miss[a] / m->scale[a];
        double r = length(rows_of(m, a), m->r + file->row_start[a]) / m->scale[a];
        double q = length(rows_of(m, a), m->q + file->row_start[a]);
        r2 += r * r;
        q2 += q * q;
        if (!(e <= worst)) {
            worst = e;
            errors->worst = a;
        }
    }
    double v_ref = count > 0 ? sqrt(fmax(r2, q2) / count) : 0.0;
    errors->velocity = v_ref > 0.0 ? worst / v_ref : worst;
}

// A normal row without entries leaves u_n = q_n whatever the impulses.
static int find_infeasible(const measured *m, double *row_size)
{
    const cn_sparse *W = &m->file->W;
    memset(row_size, 0, sizeof(double) * (size_t)W->row_count);
    for (int n = 0; n < W->count; n++) {
        row_size[W->row[n]] = fmax(row_size[W->row[n]], fabs(W->value[n]));
    }
    for (int a = 0; a < m->file->info.contact_count; a++) {
        int row = m->file->row_start[a];
        if (row_size[row] == 0.0 && m->q[row] < 0.0) {
            return a;
        }
    }
    return -1;
}

static void measure(measured *m, double miss_dynamics, double *row_work, cn_problem_errors *errors)
{
    int rows = m->file->W.row_count, count = m->file->problem.contact_count;
    for (int a = 0; a < count; a++) {
        m->scale[a] = 1.0;
    }
    find_misses(m);
    double r = length(rows, m->r);
    double size = fmax(r, length(rows, m->u));
    if (!m->file->info.is_global) {
        size = fmax(size, length(rows, m->q));
    }
    errors->natural = divide(length(count, m->miss), size) + miss_dynamics;
    find_scales(m, row_work);
    find_misses(m);
    size = fmax(r, fmax(length(rows, m->u_scaled), length(rows, m->q_scaled)));
    errors->scaled = divide(length(count, m->miss), size) + miss_dynamics;
    velocity_error(m, errors);
    errors->infeasible = find_infeasible(m, row_work);
}

cn_status cn_problem_file_check(const cn_problem_file *file, const double *r, double *u,
                                cn_problem_errors *errors, cn_error *err)
{
    *errors = (cn_problem_errors){
        .natural = NAN, .scaled = NAN, .velocity = NAN, .worst = -1, .infeasible = -1};
    if (file->info.is_rolling) {
        return cn_fail(err, CN_BAD_INPUT,
                       "rolling friction (%d rows per contact) is read but not solved yet",
                       file->info.space_dim);
    }
    size_t rows = (size_t)file->W.row_count, count = (size_t)file->problem.contact_count;
    double *work;
    CN_TRY(cn_new(&work, 4 * rows + 2 * count, err));
    measured m = {.file = file, .r = r, .u = work, .q = file->q};
    m.u_scaled = work + rows;
    m.q_scaled = m.u_scaled + rows;
    m.scale = m.q_scaled + 2 * rows;
    m.miss = m.scale + count;
    double miss_dynamics = 0.0;
    cn_status status = velocity(file, r, work, &miss_dynamics, err);
    if (status == CN_OK) {
        measure(&m, miss_dynamics, m.q_scaled + rows, errors);
        if (u != NULL) {
            memcpy(u, work, sizeof(double) * rows);
        }
    }
    cn_release(NULL, work);
    return status;
}
