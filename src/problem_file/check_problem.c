// problem_file/check_problem.c -- the independent checker: how far impulses are from solving a
// stored problem.
//
// Written from the definitions in docs/formats.md ("Errors") and sharing nothing with solve/: u is
// computed from the entries of the file, not from the blocks that the solvers see. A mistake in
// solver, residual or blocks therefore cannot call itself converged.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "problem_file/problem_parts.h"

enum { CONTACT_ROWS_MAX = 5 };

// Length of a vector without overflow or underflow of its squares; infinite if an entry is not
// finite.
static double length(int count, const double *x)
{
    double largest = 0.0, sum = 0.0;
    for (int k = 0; k < count; k++) {
        largest = isfinite(x[k]) ? fmax(largest, fabs(x[k])) : INFINITY;
    }
    if (!(largest > 0.0) || !isfinite(largest)) {
        return largest;
    }
    for (int k = 0; k < count; k++) {
        sum += x[k] / largest * (x[k] / largest);
    }
    return largest * sqrt(sum);
}

// Rows of one contact: normal, tangential, and moments of rolling if there are any.
typedef struct contact_rows {
    int tangents, moments;
    double mu, mu_roll;
} contact_rows;

static double length_of_tangent(const contact_rows *rows, const double *x)
{
    return length(rows->tangents, x + 1);
}

static double length_of_moment(const contact_rows *rows, const double *x)
{
    return length(rows->moments, x + 1 + rows->tangents);
}

// Half the derivative, with respect to p_n, of the squared distance between z and the nearest point
// of the cone with normal part p_n. It grows with p_n and is zero for the projection.
static double slope_of_distance(const contact_rows *rows, const double *z, double p_n)
{
    double over_t = length_of_tangent(rows, z) - rows->mu * p_n;
    double over_m = length_of_moment(rows, z) - rows->mu_roll * p_n;
    return p_n - z[0] - rows->mu * fmax(over_t, 0.0) - rows->mu_roll * fmax(over_m, 0.0);
}

// Normal part of the projection: that of z itself, or of its projection on the rim of one disc or
// of both; zero where even the tip of the cone has a positive slope.
static double normal_of_projection(const contact_rows *rows, const double *z)
{
    double best = 0.0, least = INFINITY;
    for (int rims = 0; rims < 4 && slope_of_distance(rows, z, 0.0) < 0.0; rims++) {
        double t = rims & 1 ? rows->mu : 0.0, m = rims & 2 ? rows->mu_roll : 0.0;
        double sum = z[0] + t * length_of_tangent(rows, z) + m * length_of_moment(rows, z);
        double p_n = sum / (1.0 + t * t + m * m);
        double slope = fabs(slope_of_distance(rows, z, p_n));
        if (slope < least) {
            least = slope;
            best = p_n;
        }
    }
    return best;
}

// Distance between r and the projection of r - (u_n + mu |u_t| + mu_r |w_r|, u_t, w_r) on the cone
// |x_t| <= mu x_n, |x_m| <= mu_r x_n.
static double miss_of_contact(const contact_rows *rows, const double *u, const double *r)
{
    int count = 1 + rows->tangents + rows->moments;
    double z[CONTACT_ROWS_MAX], miss[CONTACT_ROWS_MAX];
    for (int k = 0; k < count; k++) {
        z[k] = r[k] - u[k];
    }
    z[0] -= rows->mu * length_of_tangent(rows, u) + rows->mu_roll * length_of_moment(rows, u);
    if (!isfinite(z[0])) { // u_n is lost in it
        return INFINITY;
    }
    double p_n = normal_of_projection(rows, z);
    double rim_t = rows->mu * p_n, rim_m = rows->mu_roll * p_n;
    double z_t = length_of_tangent(rows, z), z_m = length_of_moment(rows, z);
    double part_t = z_t > rim_t ? rim_t / z_t : 1.0, part_m = z_m > rim_m ? rim_m / z_m : 1.0;
    miss[0] = r[0] - p_n;
    for (int k = 1; k < count; k++) {
        miss[k] = r[k] - (k <= rows->tangents ? part_t : part_m) * z[k];
    }
    return length(count, miss);
}

// One problem with velocities, ready to be measured. Velocities of constraint a are multiplied by
// scale[a]; span[a] makes moments impulses and angular velocities velocities.
typedef struct measured {
    const cn_problem_file *file;
    const double *r, *u, *q;
    double *scale, *span;
    double *u_scaled, *q_scaled, *r_scaled; // one per row
    double *miss, *approach;                // one per constraint
} measured;

static int rows_of(const measured *m, int a)
{
    return m->file->row_start[a + 1] - m->file->row_start[a];
}

// Rows of constraint a that are not moments.
static int forces_of(const measured *m, int a)
{
    return a < m->file->info.contact_count ? m->file->problem.dim : rows_of(m, a);
}

// miss[a] and approach[a] = max(-u_n, 0) for the scales as they stand. A bilateral row misses by
// its velocity.
static void find_misses(measured *m)
{
    const cn_problem_file *file = m->file;
    for (int a = 0; a < file->problem.contact_count; a++) {
        int row = file->row_start[a], rows = rows_of(m, a), forces = forces_of(m, a);
        for (int k = 0; k < rows; k++) {
            double span = k < forces ? 1.0 : m->span[a];
            m->u_scaled[row + k] = m->scale[a] * span * m->u[row + k];
            m->q_scaled[row + k] = m->scale[a] * span * m->q[row + k];
            m->r_scaled[row + k] = m->r[row + k] / span;
        }
        contact_rows contact = {
            .tangents = forces - 1, .moments = rows - forces, .mu = file->mu[a]};
        contact.mu_roll = contact.moments > 0 ? file->mu_roll[a] / m->span[a] : 0.0;
        bool is_contact = a < file->info.contact_count;
        m->miss[a] = is_contact ? miss_of_contact(&contact, m->u_scaled + row, m->r_scaled + row)
                                : length(rows, m->u_scaled + row);
        m->approach[a] = is_contact ? fmax(-m->u_scaled[row], 0.0) : 0.0;
    }
}

static double divide(double error, double size)
{
    return !isfinite(size) ? INFINITY : size > DBL_EPSILON ? error / size : error;
}

// The diagonal of W, from its entries or from M and H.
static void find_diagonal(const cn_problem_file *file, double *diagonal)
{
    const cn_sparse *W = &file->W;
    memset(diagonal, 0, sizeof(double) * (size_t)file->row_count);
    for (int n = 0; n < W->count; n++) {
        if (W->row[n] == W->column[n]) {
            diagonal[W->row[n]] += W->value[n];
        }
    }
    if (file->bodies.body_count > 0) {
        cn_mass_diagonal(&file->mass, &file->H, diagonal);
    }
}

static double finite_or_one(double x)
{
    return x > 0.0 && isfinite(x) ? x : 1.0;
}

static double sum_of(const double *x, int from, int to)
{
    double sum = 0.0;
    for (int k = from; k < to; k++) {
        sum += x[k];
    }
    return sum;
}

// rho = d / trace(W_cc) of each constraint; 1 where the block is zero.
static void find_scales(measured *m, const double *diagonal)
{
    const int *start = m->file->row_start;
    for (int a = 0; a < m->file->problem.contact_count; a++) {
        m->scale[a] = finite_or_one(rows_of(m, a) / sum_of(diagonal, start[a], start[a + 1]));
        m->span[a] = 1.0;
    }
}

// For velocities: rho from the rows of forces, moments weighed by a length (theory 8.16).
static void find_spans(measured *m, const double *diagonal)
{
    const int *start = m->file->row_start;
    for (int a = 0; a < m->file->problem.contact_count; a++) {
        int forces = forces_of(m, a), moments = rows_of(m, a) - forces;
        double force = sum_of(diagonal, start[a], start[a] + forces) / forces;
        double moment = sum_of(diagonal, start[a] + forces, start[a + 1]) / moments;
        m->scale[a] = finite_or_one(1.0 / force);
        m->span[a] = moments > 0 ? sqrt(finite_or_one(force / moment)) : 1.0;
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
    memcpy(u, file->w, sizeof(double) * (size_t)file->row_count);
    cn_sparse_multiply_transposed(&file->H, v, u);
    cn_status status = miss_of_dynamics(file, v, r, miss, err);
    cn_release(NULL, v);
    return status;
}

// y += |A| |x| or |A^T| |x|.
static void add_sizes(const cn_sparse *A, bool is_transposed, const double *x, double *y)
{
    for (int n = 0; n < A->count; n++) {
        int row = is_transposed ? A->column[n] : A->row[n];
        int column = is_transposed ? A->row[n] : A->column[n];
        y[row] += fabs(A->value[n] * x[column]);
    }
}

// Norm of the rounding of u: machine precision times the sizes of its terms. Through the mass
// matrix it is an estimate, exact where M is diagonal.
static cn_status find_rounding(const cn_problem_file *file, const double *r, double *rounding,
                               cn_error *err)
{
    size_t rows = (size_t)file->row_count, n = (size_t)file->info.dof_count;
    double *work;
    CN_TRY(cn_new(&work, rows + n, err));
    if (file->info.is_global) {
        add_sizes(&file->H, false, r, work + rows);
        cn_mass_solve(&file->mass, work + rows);
        add_sizes(&file->H, true, work + rows, work);
    } else {
        add_sizes(&file->W, false, r, work);
    }
    *rounding = DBL_EPSILON * length(file->row_count, work);
    cn_release(NULL, work);
    return CN_OK;
}

static cn_status velocity(const cn_problem_file *file, const double *r, double *u, double *miss,
                          cn_error *err)
{
    *miss = 0.0;
    if (file->info.is_global) {
        return velocity_global(file, r, u, miss, err);
    }
    memcpy(u, file->q, sizeof(double) * (size_t)file->row_count);
    cn_sparse_multiply(&file->W, r, u);
    return CN_OK;
}

// max_a e_a / v_ref with e_a = miss_a / rho_a, v_ref = rms q (theory 8.9).
static void velocity_error(const measured *m, cn_problem_errors *errors)
{
    const cn_problem_file *file = m->file;
    int count = file->problem.contact_count;
    double worst = 0.0, all = 0.0, q_all = 0.0, approach = 0.0;
    for (int a = 0; a < count; a++) {
        double e = m->miss[a] / m->scale[a];
        double q = length(rows_of(m, a), m->q_scaled + file->row_start[a]) / m->scale[a];
        all = hypot(all, e); // neither overflows nor underflows
        q_all = hypot(q_all, q);
        approach = fmax(approach, m->approach[a] / m->scale[a]);
        if (!(e <= worst)) {
            worst = e;
            errors->worst = a;
        }
    }
    double v_ref = count > 0 ? q_all / sqrt(count) : 0.0;
    errors->miss = all;
    errors->velocity = v_ref > 0.0 ? worst / v_ref : worst;
    errors->approach[CN_MEASURE_VELOCITY] = v_ref > 0.0 ? approach / v_ref : approach;
}

// A normal row without entries leaves u_n = q_n whatever the impulses. H^T M^-1 H has none if its
// diagonal entry is zero.
static int find_infeasible(const measured *m, double *row_size)
{
    const cn_sparse *W = &m->file->W;
    find_diagonal(m->file, row_size);
    for (int n = 0; n < W->count; n++) {
        row_size[W->row[n]] = fmax(fabs(row_size[W->row[n]]), fabs(W->value[n]));
    }
    for (int a = 0; a < m->file->info.contact_count; a++) {
        int row = m->file->row_start[a];
        if (row_size[row] == 0.0 && m->q[row] < 0.0) {
            return a;
        }
    }
    return -1;
}

// max(-u_n) beyond rounding over the largest |q_n|; infinite where u is not finite.
static double approach_left(const measured *m, double rounding)
{
    double left = 0.0, most = 0.0;
    for (int a = 0; a < m->file->info.contact_count; a++) {
        int row = m->file->row_start[a];
        left = isfinite(m->u[row]) ? fmax(left, -m->u[row] - rounding) : INFINITY;
        most = fmax(most, fabs(m->q[row]));
    }
    return left > 0.0 ? left / most : 0.0;
}

static void measure(measured *m, double miss_dynamics, double *row_work, cn_problem_errors *errors)
{
    int rows = m->file->row_count, count = m->file->problem.contact_count;
    for (int a = 0; a < count; a++) {
        m->scale[a] = m->span[a] = 1.0;
    }
    find_misses(m);
    double r = length(rows, m->r);
    double size = fmax(r, length(rows, m->u));
    if (!m->file->info.is_global) {
        size = fmax(size, length(rows, m->q));
    }
    errors->natural = divide(length(count, m->miss), size) + miss_dynamics;
    errors->approach[CN_MEASURE_NATURAL] = divide(length(count, m->approach), size);
    find_diagonal(m->file, row_work);
    errors->left = approach_left(m, errors->rounding);
    find_scales(m, row_work);
    find_misses(m);
    size = fmax(r, fmax(length(rows, m->u_scaled), length(rows, m->q_scaled)));
    errors->scaled = divide(length(count, m->miss), size) + miss_dynamics;
    errors->approach[CN_MEASURE_SCALED] = divide(length(count, m->approach), size);
    find_spans(m, row_work);
    find_misses(m);
    velocity_error(m, errors);
    errors->infeasible = find_infeasible(m, row_work);
}

cn_status cn_problem_file_check(const cn_problem_file *file, const double *r, double *u,
                                cn_problem_errors *errors, cn_error *err)
{
    CN_NEED(err, file, r, errors);
    *errors = (cn_problem_errors){
        .natural = NAN, .miss = NAN, .scaled = NAN, .velocity = NAN, .worst = -1, .infeasible = -1};
    size_t rows = (size_t)file->row_count, count = (size_t)file->problem.contact_count;
    double *work;
    CN_TRY(cn_new(&work, 5 * rows + 4 * count, err));
    measured m = {.file = file, .r = r, .u = work, .q = file->q};
    m.u_scaled = work + rows;
    m.q_scaled = m.u_scaled + rows;
    m.r_scaled = m.q_scaled + rows;
    m.scale = m.r_scaled + 2 * rows;
    m.span = m.scale + count;
    m.miss = m.span + count;
    m.approach = m.miss + count;
    double miss_dynamics = 0.0;
    cn_status status = velocity(file, r, work, &miss_dynamics, err);
    CN_THEN(status, find_rounding(file, r, &errors->rounding, err));
    if (status == CN_OK) {
        measure(&m, miss_dynamics, m.r_scaled + rows, errors);
        if (u != NULL) {
            memcpy(u, work, sizeof(double) * rows);
        }
    }
    cn_release(NULL, work);
    return status;
}
