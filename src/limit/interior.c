// limit/interior.c -- the homogeneous embedding of a limit program and its central path, theory
// 16.4 to 16.6.
//
//     A x + l lambda + w tau = 0     s = A^T y + c tau     l . y = tau
//     lambda + w . y - c . x = kappa,  x, s in cones, tau, kappa >= 0                     (16.4)
// A solution with tau > 0 is that of the program over tau; with kappa > 0 it proves that there is
// none. Predictor and corrector with Nesterov-Todd scaling: T s = T^-1 x.
#include "limit/interior.h"

#include <math.h>
#include <string.h>

#include "solve/problem/jordan_cone.h"

static const double STEP = 0.99;             // of the way to the boundary
static const double EXACT = 1e-10;           // of balance and cones, in scaled units
static const double BALANCED = 1e-13;        // rounding of the sums of balance
enum { WITHOUT_GAIN = 20, BALANCE_MAX = 8 }; // iterations

// Arrays of a run: over rows of cones, then over motions.
typedef struct path {
    cn_cones *c;
    cn_inside at, best, step;
    double *miss_s, *lambda, *target, *dx; // rows: r_d, T s, T k + eta T^2 r_d, last dx
    double *block;                         // T^2
    double *miss_x, *p, *q, *g, *work;     // motions: r_p; M^-1 of l, of w - A T^2 c, of the rest
    cn_scaling *scale;
    double miss_l, miss_g; // r_l, r_g
    double gap;            // (x . s + tau kappa) / (cones + 1)
    cn_inside_state state;
    double best_merit;
    int since_best;
    void *memory;
} path;

static double dot(const double *x, const double *y, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

static size_t rows_of(const cn_cones *c)
{
    return (size_t)c->dim * (size_t)c->cone_count;
}

static double cost_of(const cn_cones *c, const double *x)
{
    double sum = 0.0;
    for (int a = 0; a < c->cone_count; a++) {
        sum += c->cost[a] * x[c->dim * a];
    }
    return sum;
}

static cn_status reserve(path *p, cn_error *err)
{
    size_t rows = rows_of(p->c), dofs = (size_t)p->c->dof_count;
    size_t cones = (size_t)p->c->cone_count, dim = (size_t)p->c->dim;
    size_t count = 11 * rows + cones * dim * dim + 9 * dofs;
    p->memory = cn_resize(NULL, NULL, sizeof(double) * count + sizeof(cn_scaling) * cones);
    if (p->memory == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the interior point of %zu contacts",
                       cones);
    }
    memset(p->memory, 0, sizeof(double) * count);
    double *at = p->memory;
    double **over_rows[] = {&p->at.x,   &p->at.s,   &p->best.x, &p->best.s, &p->step.x,
                            &p->step.s, &p->miss_s, &p->lambda, &p->target, &p->dx};
    double **over_dofs[] = {&p->at.y, &p->best.y, &p->step.y, &p->miss_x, &p->p, &p->q, &p->g};
    for (size_t k = 0; k < sizeof over_rows / sizeof *over_rows; k++, at += rows) {
        *over_rows[k] = at;
    }
    for (size_t k = 0; k < sizeof over_dofs / sizeof *over_dofs; k++, at += dofs) {
        *over_dofs[k] = at;
    }
    p->work = at;
    at += 2 * dofs + rows;
    p->block = at;
    p->scale = (cn_scaling *)(at + cones * dim * dim);
    return CN_OK;
}

static void start(path *p)
{
    for (int a = 0; a < p->c->cone_count; a++) {
        p->at.x[p->c->dim * a] = p->at.s[p->c->dim * a] = 1.0;
    }
    p->at.lambda = 0.0;
    p->at.tau = p->at.kappa = 1.0;
    p->best_merit = INFINITY;
}

// What the iterate misses of (16.4), and the mean product.
static void measure(path *p)
{
    const cn_cones *c = p->c;
    const cn_inside *at = &p->at;
    size_t dofs = (size_t)c->dof_count;
    cn_cones_push(c, at->x, p->miss_x);
    for (size_t k = 0; k < dofs; k++) {
        p->miss_x[k] += c->live[k] * at->lambda + c->dead[k] * at->tau;
    }
    cn_cones_move(c, at->y, p->miss_s);
    for (int a = 0; a < c->cone_count; a++) {
        double *miss = p->miss_s + c->dim * a;
        const double *s = at->s + c->dim * a;
        for (int k = 0; k < c->dim; k++) {
            miss[k] = s[k] - miss[k] - (k == 0 ? c->cost[a] * at->tau : 0.0);
        }
    }
    p->miss_l = c->has_live ? dot(c->live, at->y, dofs) - at->tau : 0.0;
    p->miss_g = at->lambda + dot(c->dead, at->y, dofs) - cost_of(c, at->x) - at->kappa;
    p->gap = (dot(at->x, at->s, rows_of(c)) + at->tau * at->kappa) / (c->cone_count + 1.0);
}

static double largest(const double *x, size_t count)
{
    double most = 0.0;
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

// Bounds and proofs (16.3).
static void judge(path *p)
{
    const cn_cones *c = p->c;
    const cn_inside *at = &p->at;
    cn_inside_state *state = &p->state;
    size_t dofs = (size_t)c->dof_count, rows = rows_of(c);
    double live = c->has_live ? dot(c->live, at->y, dofs) : at->tau;
    double power = dot(c->dead, at->y, dofs), speed = largest(at->y, dofs);
    double miss = largest(p->miss_s, rows), forces = 0.0;
    state->lower = (at->lambda - cost_of(c, at->x)) / at->tau;
    state->upper = -power / live;
    double size = fmax(fabs(state->lower), fabs(state->upper));
    state->gap = c->has_live ? fabs(state->upper - state->lower) / fmax(size, CN_LIMIT_ZERO) : 0.0;
    state->imbalance = largest(p->miss_x, dofs) / at->tau;
    state->outside = live > 0.0 && c->has_live ? miss / speed : 0.0;
    for (size_t k = 0; k < dofs; k++) {
        forces = fmax(forces, fabs(p->miss_x[k] - c->dead[k] * at->tau));
    }
    double idle = c->has_live ? fabs(live) : 0.0;
    state->falls = power > 0.0 ? fmax(idle, miss) / power : INFINITY;
    bool is_ray = c->has_live && at->lambda > cost_of(c, at->x);
    state->unbounded = is_ray ? forces / (at->lambda - cost_of(c, at->x)) : INFINITY;
}

// How far the iterate is from what is asked; 1 is enough.
static double merit_of(const cn_inside_state *state, double gap)
{
    double bounded = fmax(state->gap / gap, fmax(state->imbalance, state->outside) / EXACT);
    double proof = fmin(state->falls, state->unbounded) / EXACT;
    // fmax passes over what is no number, a sum does not.
    double sum = state->gap + state->imbalance + state->outside;
    double merit = fmin(isfinite(sum) ? bounded : INFINITY, proof);
    return isfinite(merit) ? merit : INFINITY;
}

static void copy(const path *p, const cn_inside *from, cn_inside *to)
{
    memcpy(to->x, from->x, sizeof(double) * rows_of(p->c));
    memcpy(to->s, from->s, sizeof(double) * rows_of(p->c));
    memcpy(to->y, from->y, sizeof(double) * (size_t)p->c->dof_count);
    to->lambda = from->lambda;
    to->tau = from->tau;
    to->kappa = from->kappa;
}

// T, T s and T^2 of every cone; false where a number is none.
static bool rescale(path *p)
{
    int dim = p->c->dim;
    double sum = 0.0;
    for (int a = 0; a < p->c->cone_count; a++) {
        int rows = cn_cone_rows(p->c, a);
        double square[9], *block = p->block + dim * dim * a;
        p->scale[a] = cn_soc_scale(rows, p->at.x + dim * a, p->at.s + dim * a);
        cn_soc_map(rows, &p->scale[a], false, p->at.s + dim * a, p->lambda + dim * a);
        cn_soc_square(rows, &p->scale[a], false, square);
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < dim; j++) {
                block[dim * i + j] = i < rows && j < rows ? square[rows * i + j] : 0.0;
                sum += block[dim * i + j];
            }
        }
    }
    return isfinite(sum);
}

// T k of a cone: k = lambda \ (sigma gap e - lambda o lambda - (T^-1 dx) o (T ds)) (16.5).
static void find_target(const path *p, int a, bool is_corrector, double centre, double *target)
{
    int dim = p->c->dim, rows = cn_cone_rows(p->c, a);
    const double *lambda = p->lambda + dim * a;
    double d[3], k[3];
    cn_soc_product(rows, lambda, lambda, d);
    for (int i = 0; i < rows; i++) {
        d[i] = -d[i];
    }
    if (is_corrector) {
        double dx[3], ds[3], product[3];
        cn_soc_map(rows, &p->scale[a], true, p->step.x + dim * a, dx);
        cn_soc_map(rows, &p->scale[a], false, p->step.s + dim * a, ds);
        cn_soc_product(rows, dx, ds, product);
        for (int i = 0; i < rows; i++) {
            d[i] -= product[i];
        }
        d[0] += centre;
    }
    cn_soc_divide(rows, lambda, d, k);
    cn_soc_map(rows, &p->scale[a], false, k, target);
}

static void multiply_block(int dim, const double *block, const double *x, double *y)
{
    for (int i = 0; i < dim; i++) {
        y[i] = 0.0;
        for (int j = 0; j < dim; j++) {
            y[i] += block[dim * i + j] * x[j];
        }
    }
}

// dx as if ds were zero: T k + eta T^2 r_d.
static void find_targets(path *p, double eta, bool is_corrector, double centre)
{
    int dim = p->c->dim;
    for (int a = 0; a < p->c->cone_count; a++) {
        double target[3] = {0.0}, miss[3];
        find_target(p, a, is_corrector, centre, target);
        multiply_block(dim, p->block + dim * dim * a, p->miss_s + dim * a, miss);
        for (int i = 0; i < dim; i++) {
            p->target[dim * a + i] = target[i] + eta * miss[i];
        }
    }
}

// out = w + sign A T^2 c.
static void find_loads(path *p, double sign, double *out)
{
    int dim = p->c->dim;
    double *x = p->work + 2 * (size_t)p->c->dof_count;
    for (int a = 0; a < p->c->cone_count; a++) {
        for (int k = 0; k < dim; k++) {
            x[dim * a + k] = p->block[dim * dim * a + dim * k] * p->c->cost[a];
        }
    }
    cn_cones_push(p->c, x, out);
    for (int k = 0; k < p->c->dof_count; k++) {
        out[k] = p->c->dead[k] + sign * out[k];
    }
}

// c . T^2 c
static double stiffness_of_cost(const path *p)
{
    double sum = 0.0;
    int dim = p->c->dim;
    for (int a = 0; a < p->c->cone_count; a++) {
        sum += p->c->cost[a] * p->block[dim * dim * a] * p->c->cost[a];
    }
    return sum;
}

// dlambda and dtau from the two rows that are left (16.6); d_kappa is the right side of
// tau dkappa + kappa dtau.
static void find_scalars(path *p, double eta, double d_kappa, double *loads)
{
    const cn_cones *c = p->c;
    size_t dofs = (size_t)c->dof_count;
    find_loads(p, 1.0, loads);
    double a22 = dot(loads, p->q, dofs) + stiffness_of_cost(p) + p->at.kappa / p->at.tau;
    double b2 =
        -eta * p->miss_g - dot(loads, p->g, dofs) + d_kappa / p->at.tau + cost_of(c, p->target);
    if (!c->has_live) {
        p->step.lambda = 0.0;
        p->step.tau = b2 / a22;
    } else {
        double a11 = dot(c->live, p->p, dofs), a12 = dot(c->live, p->q, dofs) - 1.0;
        double a21 = 1.0 + dot(loads, p->p, dofs);
        double b1 = -eta * p->miss_l - dot(c->live, p->g, dofs);
        double det = a11 * a22 - a12 * a21;
        p->step.lambda = (b1 * a22 - a12 * b2) / det;
        p->step.tau = (a11 * b2 - a21 * b1) / det;
    }
    p->step.kappa = (d_kappa - p->at.kappa * p->step.tau) / p->at.tau;
}

// dy, ds, dx from dlambda and dtau.
static void find_step(path *p, double eta)
{
    const cn_cones *c = p->c;
    int dim = c->dim;
    for (int k = 0; k < c->dof_count; k++) {
        p->step.y[k] = p->g[k] + p->step.lambda * p->p[k] + p->step.tau * p->q[k];
    }
    cn_cones_move(c, p->step.y, p->step.s);
    for (int a = 0; a < c->cone_count; a++) {
        double *ds = p->step.s + dim * a, *dx = p->step.x + dim * a, moved[3];
        ds[0] += c->cost[a] * p->step.tau;
        multiply_block(dim, p->block + dim * dim * a, ds, moved);
        for (int k = 0; k < dim; k++) {
            dx[k] = p->target[dim * a + k] - moved[k];
            ds[k] -= eta * p->miss_s[dim * a + k];
        }
    }
}

// One direction: predictor with eta = 1, or corrector with eta = 1 - sigma.
static cn_status find_direction(path *p, double eta, bool is_corrector, double centre,
                                cn_error *err)
{
    cn_cones *c = p->c;
    size_t dofs = (size_t)c->dof_count;
    double d_kappa = -p->at.tau * p->at.kappa;
    if (is_corrector) {
        d_kappa += centre - p->step.tau * p->step.kappa;
    }
    find_targets(p, eta, is_corrector, centre);
    double *right = p->step.y; // free until the step is known
    cn_cones_push(c, p->target, right);
    for (size_t k = 0; k < dofs; k++) {
        right[k] += eta * p->miss_x[k];
    }
    CN_TRY(cn_cones_solve(c, p->block, right, p->g, p->work, err));
    find_scalars(p, eta, d_kappa, right);
    find_step(p, eta);
    return CN_OK;
}

// Longest step that keeps all cones.
static double find_length(const path *p)
{
    double length = INFINITY;
    int dim = p->c->dim;
    for (int a = 0; a < p->c->cone_count; a++) {
        int rows = cn_cone_rows(p->c, a);
        double x = cn_soc_step(rows, p->at.x + dim * a, p->step.x + dim * a);
        double s = cn_soc_step(rows, p->at.s + dim * a, p->step.s + dim * a);
        length = x < length ? x : length;
        length = s < length ? s : length;
    }
    double tau = p->step.tau < 0.0 ? -p->at.tau / p->step.tau : INFINITY;
    double kappa = p->step.kappa < 0.0 ? -p->at.kappa / p->step.kappa : INFINITY;
    return fmin(length, fmin(tau, kappa));
}

static void advance(path *p, double length)
{
    size_t rows = rows_of(p->c), dofs = (size_t)p->c->dof_count;
    for (size_t k = 0; k < rows; k++) {
        p->at.x[k] += length * p->step.x[k];
        p->at.s[k] += length * p->step.s[k];
    }
    for (size_t k = 0; k < dofs; k++) {
        p->at.y[k] += length * p->step.y[k];
    }
    p->at.lambda += length * p->step.lambda;
    p->at.tau += length * p->step.tau;
    p->at.kappa += length * p->step.kappa;
}

// One iteration; *length 0: no further step can be made.
static cn_status iterate(path *p, double *length, cn_error *err)
{
    cn_cones *c = p->c;
    *length = 0.0;
    if (!rescale(p)) {
        return CN_OK;
    }
    cn_status status = cn_cones_factor(c, p->block, err);
    if (status == CN_BROKEN) {
        return CN_OK;
    }
    CN_TRY(status);
    if (c->has_live) {
        CN_TRY(cn_cones_solve(c, p->block, c->live, p->p, p->work, err));
    }
    find_loads(p, -1.0, p->g);
    CN_TRY(cn_cones_solve(c, p->block, p->g, p->q, p->work, err));
    CN_TRY(find_direction(p, 1.0, false, 0.0, err));
    double affine = fmin(find_length(p), 1.0), left = 1.0 - affine;
    double sigma = fmax(left * left * left, 1e-8);
    CN_TRY(find_direction(p, 1.0 - sigma, true, sigma * p->gap, err));
    double most = find_length(p);
    if (most > 1e-12) { // not if it is no number
        *length = fmin(1.0, STEP * most);
        advance(p, *length);
    }
    return CN_OK;
}

static bool is_interrupted(const cn_limit_def *def)
{
    return def->is_interrupted != NULL && def->is_interrupted(def->context);
}

// Takes forces back into balance by the least change in the measure of the last T, as far as they
// stay inside their cones.
static cn_status balance(path *p, cn_error *err)
{
    cn_cones *c = p->c;
    int dim = c->dim;
    double most = 1.0, before = p->state.imbalance * p->at.tau;
    for (int k = 0; k < BALANCE_MAX && before > BALANCED * p->at.tau; k++) {
        CN_TRY(cn_cones_solve(c, p->block, p->miss_x, p->step.y, p->work, err));
        cn_cones_move(c, p->step.y, p->step.s);
        for (int a = 0; a < c->cone_count; a++) {
            double *dx = p->dx + dim * a;
            multiply_block(dim, p->block + dim * dim * a, p->step.s + dim * a, dx);
            for (int i = 0; i < dim; i++) {
                dx[i] = -dx[i];
            }
            most = fmin(most, STEP * cn_soc_step(cn_cone_rows(c, a), p->at.x + dim * a, dx));
        }
        for (size_t n = 0; n < rows_of(c) && most > 0.0; n++) {
            p->at.x[n] += most * p->dx[n];
        }
        measure(p);
        double after = largest(p->miss_x, (size_t)c->dof_count);
        if (!(after < 0.9 * before)) {
            break;
        }
        before = after;
        most = 1.0;
    }
    return CN_OK;
}

// Keeps the iterate if it is the best so far.
static void keep_best(path *p, double gap)
{
    double merit = merit_of(&p->state, gap);
    p->since_best++;
    if (merit < p->best_merit) {
        p->best_merit = merit;
        p->since_best = 0;
        copy(p, &p->at, &p->best);
    }
}

// Measures the iterate and keeps the best; *is_over: no more iterations. Forces that are balanced
// may lie on their cones, from where no path to a multiplier goes on: if they are not good enough,
// what was before them does. Without a live load they are asked for in every iteration, and go on.
static cn_status look(path *p, const cn_limit_def *def, int iteration, bool *is_over, cn_error *err)
{
    measure(p);
    judge(p);
    if (iteration > 0 && p->state.gap <= def->gap && p->state.imbalance > BALANCED) {
        double *before = p->step.x; // free until the next direction
        memcpy(before, p->at.x, sizeof(double) * rows_of(p->c));
        CN_TRY(balance(p, err));
        judge(p);
        keep_best(p, def->gap);
        if (p->best_merit > 1.0 && p->c->has_live) {
            memcpy(p->at.x, before, sizeof(double) * rows_of(p->c));
            measure(p);
            judge(p);
        }
    } else {
        keep_best(p, def->gap);
    }
    *is_over = p->best_merit <= 1.0 || p->since_best >= WITHOUT_GAIN;
    return CN_OK;
}

// Which of the three the best iterate is nearest to.
static cn_limit_outcome outcome_of(const cn_inside_state *state, double gap)
{
    double bounded = fmax(state->gap / gap, fmax(state->imbalance, state->outside) / EXACT);
    double proof = fmin(state->falls, state->unbounded);
    if (bounded <= 1.0 || !(proof <= 1e-6)) {
        return CN_LIMIT_BOUNDED;
    }
    return state->falls <= state->unbounded ? CN_LIMIT_FALLS : CN_LIMIT_UNBOUNDED;
}

// Forces and mechanism in units of the program.
static void hand_over(path *p, cn_limit *limit)
{
    const cn_cones *c = p->c;
    double power = dot(c->dead, p->at.y, (size_t)c->dof_count);
    double live = c->has_live ? dot(c->live, p->at.y, (size_t)c->dof_count) : 0.0;
    bool is_falling = limit->outcome == CN_LIMIT_FALLS || !c->has_live;
    bool is_ray = limit->outcome == CN_LIMIT_UNBOUNDED;
    double forces = c->force / (is_ray ? p->at.lambda * c->load : p->at.tau);
    double moves = is_falling ? 1.0 / (c->force * power) : 1.0 / (c->force * live / c->load);
    for (int a = 0; a < c->contact_count; a++) {
        for (int k = 0; k < 3; k++) {
            double x = k < cn_cone_rows(c, a) ? p->at.x[c->dim * a + k] : 0.0;
            limit->r[3 * a + k] = forces * cn_cone_weight(c, a, k) * x;
        }
        limit->r[3 * a] -= is_ray ? 0.0 : c->tip[a];
    }
    for (int k = 0; k < c->motion_count; k++) {
        limit->v[k] = moves * c->scale[k] * p->at.y[k];
    }
    limit->unit = c->load;
    limit->lower = p->at.lambda / p->at.tau * c->load;
    limit->upper = -power / live * c->load;
}

static cn_status run(path *p, const cn_limit_def *def, cn_limit *limit, cn_error *err)
{
    double length = 1.0;
    bool is_over = false;
    start(p);
    CN_TRY(look(p, def, 0, &is_over, err));
    while (!is_over && length > 0.0 && limit->iteration_count < def->iteration_max) {
        if (is_interrupted(def)) {
            return cn_fail(err, CN_STOPPED, "stopped after %d iterations", limit->iteration_count);
        }
        CN_TRY(iterate(p, &length, err));
        limit->iteration_count++;
        CN_TRY(look(p, def, limit->iteration_count, &is_over, err));
    }
    copy(p, &p->best, &p->at);
    measure(p);
    judge(p);
    limit->outcome = outcome_of(&p->state, def->gap);
    hand_over(p, limit);
    limit->factorization_count = p->c->factorization_count;
    return CN_OK;
}

cn_status cn_inside_run(cn_cones *c, const cn_limit_def *def, cn_limit *limit, cn_error *err)
{
    path p = {.c = c};
    cn_status status = reserve(&p, err);
    CN_THEN(status, run(&p, def, limit, err));
    cn_release(NULL, p.memory);
    return status;
}
