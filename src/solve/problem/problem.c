// solve/problem/problem.c -- the contact problem as plain data: checks, blocks, products, packing.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/tasks.h"
#include "solve/problem/blocks.h"
#include "solve/problem/parallel.h"
#include "solve/sweep/simd/loops.h"
#include "solve/sweep/simd/record.h"

// Constraints per thread: threads meet several times per sweep, which takes longer than a sweep
// over fewer.
enum { SHARED_MIN = 4096 };

static int rows_of(const cn_problem *p, int a)
{
    return p->row_start[a + 1] - p->row_start[a];
}

static int dof_of(const cn_factors *f, int body)
{
    return body < 0 ? 0 : f->dof_start[body + 1] - f->dof_start[body];
}

cn_core cn_problem_core(const cn_problem *p, int a)
{
    if (p == NULL) {
        return (cn_core){.kind = CN_CORE_FREE};
    }
    cn_core core = {.kind = (cn_core_kind)p->kind[a], .dim = p->dim, .mu = p->mu[a]};
    core.mu_roll = p->mu_roll != NULL ? p->mu_roll[a] : 0.0;
    core.mu_spin = p->mu_spin != NULL ? p->mu_spin[a] : 0.0;
    int row = p->row_start[a];
    for (int k = 0; k < rows_of(p, a); k++) {
        core.b[k] = p->b != NULL ? p->b[row + k] : 0.0;
        core.c[k] = p->c != NULL ? p->c[row + k] : 0.0;
        core.r0[k] = p->r0 != NULL ? p->r0[row + k] : 0.0;
        core.k[k] = p->k != NULL ? p->k[row + k] : 0.0;
    }
    return core;
}

// Rows and coefficients of a cone.
static cn_status check_cone(const cn_problem *p, int a, int rows, cn_error *err)
{
    double mu_roll = cn_row_or_zero(p->mu_roll, a), mu_spin = cn_row_or_zero(p->mu_spin, a);
    if (p->dim == 2 && rows > 3) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "constraint %d is a cone of %d rows: in the plane there are up to 3 (normal, "
            "tangent, rolling)",
            a, rows);
    }
    bool has_roll = false, has_spin = false;
    if (cn_has_moments(p->dim, rows)) {
        has_roll = p->dim == 2 || rows > 4;
        has_spin = p->dim == 3 && rows != 5;
    }
    if (!(mu_roll >= 0.0) || !(mu_spin >= 0.0) || (mu_roll > 0.0 && !has_roll) ||
        (mu_spin > 0.0 && !has_spin)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "constraint %d has rolling %g and spinning %g with %d rows: they must be >= "
                       "0, and > 0 only where there are rows of moments",
                       a, mu_roll, mu_spin, rows);
    }
    return CN_OK;
}

// The term beside a core.
static cn_status check_parallel(const cn_problem *p, int a, int rows, cn_error *err)
{
    for (int k = p->row_start[a]; k < p->row_start[a] + rows; k++) {
        if (!(p->k[k] >= 0.0) || !isfinite(p->k[k])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "constraint %d row %d: parallel term %g, it must be >= 0 and finite", a,
                           k - p->row_start[a], p->k[k]);
        }
        if (p->kind[a] == CN_CORE_FREE && p->k[k] != 0.0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "constraint %d is free and has a parallel term %g: what acts alone is "
                           "bilateral with compliance 1/k and shift r0/k",
                           a, p->k[k]);
        }
    }
    return CN_OK;
}

static cn_status check_constraint(const cn_problem *p, int a, cn_error *err)
{
    int rows = rows_of(p, a);
    if (rows < 1 || rows > CN_ROW_MAX || p->kind[a] > CN_CORE_BOUNDED) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "constraint %d has %d rows and kind %d; 1 to %d rows and kinds 0 to %d exist", a, rows,
            p->kind[a], CN_ROW_MAX, CN_CORE_BOUNDED);
    }
    if (!(p->mu[a] >= 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "constraint %d has friction %g, it must be >= 0", a,
                       p->mu[a]);
    }
    if (p->kind[a] == CN_CORE_CONE) {
        CN_TRY(check_cone(p, a, rows, err));
    }
    for (int k = p->row_start[a]; k < p->row_start[a] + rows; k++) {
        double u = p->u_free[k], r = p->r[k], b = cn_row_or_zero(p->b, k);
        double c = cn_row_or_zero(p->c, k), r0 = cn_row_or_zero(p->r0, k);
        if (!isfinite(u + b + r0 + r) || !(c >= 0.0)) {
            return cn_fail(err, CN_BROKEN,
                           "constraint %d row %d: u_free %g, shift %g, compliance %g, impulse %g",
                           a, k - p->row_start[a], u, b, c, r);
        }
    }
    return p->k != NULL ? check_parallel(p, a, rows, err) : CN_OK;
}

cn_status cn_cell_refuse(const cn_problem *p, cn_error *err)
{
    return p->W.factors.cell == NULL
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT,
                         "this method does not know a periodic cell under stress: take auto, nncg, "
                         "nlgs, apgd or prox");
}

static cn_status check_one(const cn_problem *p, int a, cn_error *err)
{
    const cn_factors *f = &p->W.factors;
    CN_TRY(check_constraint(p, a, err));
    for (int s = 0; s < 2 && f->body_count > 0; s++) {
        int body = f->body[2 * a + s];
        if (body >= f->body_count) {
            return cn_fail(err, CN_BAD_INPUT, "constraint %d acts on body %d of %d", a, body,
                           f->body_count);
        }
        if (cn_is_geometry(f, a) && body >= 0 &&
            (f->root == NULL || rows_of(p, a) != 3 || dof_of(f, body) != 6)) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "constraint %d has %d rows and acts on body %d of %d degrees of freedom: "
                "geometry needs 3 rows, 6 degrees of freedom and the roots of bodies",
                a, rows_of(p, a), body, dof_of(f, body));
        }
    }
    return CN_OK;
}

cn_status cn_problem_check(const cn_problem *p, int thread_count, cn_error *err)
{
    int threads = cn_share(thread_count, p->contact_count, SHARED_MIN), bad = p->contact_count;
    CN_SHARED_FOR(threads,
                  (schedule(static) reduction(min
                                              : bad)),
                  a, p->contact_count, {
                      if (a < bad && check_one(p, a, NULL) != CN_OK) {
                          bad = a;
                      }
                  });
    return bad < p->contact_count ? check_one(p, bad, err) : CN_OK;
}

// Rows of H times A^-1/2, from the geometry of a contact.
static void make_block(const cn_geometry *x, double *G)
{
    double t2[3], turn[3];
    cn_cross(x->n, x->t1, t2);
    const double *const axis[3] = {x->n, x->t1, t2};
    for (int k = 0; k < 3; k++) {
        cn_cross(x->arm, axis[k], turn);
        for (int d = 0; d < 3; d++) {
            const double *F = x->F + 3 * d;
            G[6 * k + d] = x->sign * x->S[d] * axis[k][d];
            G[6 * k + 3 + d] = x->sign * (F[0] * turn[0] + F[1] * turn[1] + F[2] * turn[2]);
        }
    }
}

const double *cn_problem_factor(const cn_problem *p, int a, int side, double room[CN_BLOCK_ROOM])
{
    if (p == NULL || room == NULL) {
        return NULL;
    }
    const cn_factors *f = &p->W.factors;
    if (side == CN_SIDE_CELL && f->cell != NULL) {
        return f->cell + cn_cell_dof_of(f) * p->row_start[a];
    }
    if (side > 1 || f->body_count == 0 || f->body[2 * a + side] < 0) {
        return NULL;
    }
    if (!cn_is_geometry(f, a)) {
        return f->G + f->block_start[2 * a + side];
    }
    cn_geometry x = cn_geometry_of(f, a, side);
    make_block(&x, room);
    return room;
}

// W += G G^T, one triangle of it.
static inline void add_square(int rows, int dof, const double *G, double *W)
{
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k <= i; k++) {
            double sum = 0.0;
            for (int d = 0; d < dof; d++) {
                sum += G[dof * i + d] * G[dof * k + d];
            }
            W[rows * i + k] += sum;
        }
    }
}

// The same of a side that is given by its geometry: (S a_i) . (S a_k) and the turns of a_i and a_k.
// Axes are orthonormal, so of equal scales only the diagonal is not zero.
static void add_geometry(const cn_geometry *x, double *W)
{
    double t2[3], turn[9], move[9];
    cn_cross(x->n, x->t1, t2);
    const double *const axis[3] = {x->n, x->t1, t2};
    for (int k = 0; k < 3; k++) {
        double y[3];
        cn_cross(x->arm, axis[k], y);
        for (int d = 0; d < 3; d++) {
            const double *F = x->F + 3 * d;
            turn[3 * k + d] = F[0] * y[0] + F[1] * y[1] + F[2] * y[2];
        }
    }
    add_square(3, 3, turn, W);
    if (x->S[0] == x->S[1] && x->S[0] == x->S[2]) {
        for (int k = 0; k < 3; k++) {
            W[4 * k] += x->S[0] * x->S[0];
        }
        return;
    }
    for (int k = 0; k < 9; k++) {
        move[k] = x->S[k % 3] * axis[k / 3][k % 3];
    }
    add_square(3, 3, move, W);
}

static void add_side(const cn_problem *p, int a, int side, int rows, double *W)
{
    if (p->W.factors.body[2 * a + side] >= 0 && cn_is_geometry(&p->W.factors, a)) {
        cn_geometry x = cn_geometry_of(&p->W.factors, a, side);
        add_geometry(&x, W);
        return;
    }
    double room[CN_BLOCK_ROOM];
    const double *G = cn_problem_factor(p, a, side, room);
    int dof = dof_of(&p->W.factors, p->W.factors.body[2 * a + side]);
    if (rows == 3 && dof == 6) {
        add_square(3, 6, G, W);
    } else if (rows == 2 && dof == 3) {
        add_square(2, 3, G, W);
    } else {
        add_square(rows, dof, G, W);
    }
}

void cn_problem_block(const cn_problem *p, int a, double *W_aa)
{
    int rows = rows_of(p, a);
    memset(W_aa, 0, sizeof(double) * (size_t)(rows * rows));
    for (int side = 0; side < 2 && p->W.factors.body_count > 0; side++) {
        add_side(p, a, side, rows, W_aa);
    }
    if (p->W.factors.cell != NULL) {
        const cn_factors *f = &p->W.factors;
        add_square(rows, cn_cell_dof_of(f), f->cell + cn_cell_dof_of(f) * p->row_start[a], W_aa);
    }
    for (int i = 0; i < rows; i++) {
        for (int k = i + 1; k < rows; k++) {
            W_aa[rows * i + k] = W_aa[rows * k + i];
        }
    }
    const cn_rows *stored = &p->W.rows;
    for (int n = stored->row ? stored->row[a] : 0; stored->row && n < stored->row[a + 1]; n++) {
        for (int k = 0; k < rows * rows && stored->col[n] == a; k++) {
            W_aa[k] += stored->block[stored->block_start[n] + k];
        }
    }
}

static void apply_one(cn_solver *s, const cn_problem *p, const double *r, const cn_packed *c)
{
    const cn_factors *f = &p->W.factors;
    cn_side_scatter(f, c->a, 0, c->rows, c->dof_i, r + c->row, s->w + cn_packed_w(s, f, c, 0));
    cn_side_scatter(f, c->a, 1, c->rows, c->dof_j, r + c->row, s->w + cn_packed_w(s, f, c, 1));
    if (f->cell != NULL) {
        int dof = cn_cell_dof_of(f);
        cn_scatter(c->rows, dof, f->cell + dof * c->row, r + c->row, s->w + cn_cell_w(f));
    }
}

// What constraints that are in no batch add to the bodies that begin in w[first] .. w[end - 1].
// Every body sees its constraints in their order, so threads may share the bodies.
static void apply_listed(cn_solver *s, const cn_problem *p, const double *r, int first, int end)
{
    const cn_factors *f = &p->W.factors;
    for (int n = s->batched_count; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int side = 0; side < 2; side++) {
            int dof = side == 0 ? c->dof_i : c->dof_j, at = cn_packed_w(s, f, c, side);
            if (at >= first && at < end) {
                cn_side_scatter(f, c->a, side, c->rows, dof, r + c->row, s->w + at);
            }
        }
        if (f->cell != NULL && cn_cell_w(f) >= first && cn_cell_w(f) < end) {
            int dof = cn_cell_dof_of(f);
            cn_scatter(c->rows, dof, f->cell + dof * c->row, r + c->row, s->w + cn_cell_w(f));
        }
    }
}

typedef struct zone_apply {
    cn_solver *s;
    const cn_problem *p;
    const double *r;
} zone_apply;

static void apply_zone(void *context, int zone)
{
    const zone_apply *x = context;
    const cn_zones *zones = &x->s->batches.zones;
    for (int n = zones->start[zone]; n < zones->start[zone + 1]; n++) {
        apply_one(x->s, x->p, x->r, &x->s->packed[zones->item[n]]);
    }
}

void cn_solver_apply(cn_solver *s, const cn_problem *p, const double *r)
{
    const cn_batches *b = &s->batches;
    memset(s->w, 0, sizeof(double) * (size_t)s->dof_count);
    s->sweeps_on_w = 0;
    if (s->batched_count > 0) {
        zone_apply x = {s, p, r};
        cn_zones_run(&b->zones, s->thread_count, false, apply_zone, &x);
        for (int n = 0; n < b->rest_count; n++) {
            apply_one(s, p, r, &s->packed[b->rest[n].packed]);
        }
    }
    int threads = cn_share(s->thread_count, s->packed_count - s->batched_count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static, 1)), k, threads, {
        apply_listed(s, p, r, (int)((int64_t)s->dof_count * k / threads),
                     (int)((int64_t)s->dof_count * (k + 1) / threads));
    });
    if (s->fold.is_active) {
        cn_fold_apply(s, p);
    }
}

void cn_solver_apply_listed(cn_solver *s, const cn_problem *p, const double *r)
{
    const cn_factors *f = &p->W.factors;
    for (int n = s->batched_count; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        memset(s->w + cn_packed_w(s, f, c, 0), 0, sizeof(double) * (size_t)c->dof_i);
        memset(s->w + cn_packed_w(s, f, c, 1), 0, sizeof(double) * (size_t)c->dof_j);
    }
    for (int n = s->batched_count; n < s->packed_count; n++) {
        apply_one(s, p, r, &s->packed[n]);
    }
}

// u_a += sum_b W_ab r_b over the stored part.
static void add_stored_rows(const cn_problem *p, int a, const double *r, double *u)
{
    const cn_rows *stored = &p->W.rows;
    int rows = rows_of(p, a);
    for (int n = stored->row[a]; n < stored->row[a + 1]; n++) {
        int b = stored->col[n];
        int columns = rows_of(p, b);
        const double *block = stored->block + stored->block_start[n];
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < columns; k++) {
                u[i] += block[columns * i + k] * r[p->row_start[b] + k];
            }
        }
    }
}

static inline void velocity_of(const cn_solver *s, const cn_problem *p, const double *r,
                               const cn_packed *c, double *u_a)
{
    const cn_factors *f = &p->W.factors;
    for (int k = 0; k < c->rows; k++) {
        u_a[k] = p->u_free[c->row + k];
    }
    cn_side_gather(f, c->a, 0, c->rows, c->dof_i, s->w + cn_packed_w(s, f, c, 0), u_a);
    cn_side_gather(f, c->a, 1, c->rows, c->dof_j, s->w + cn_packed_w(s, f, c, 1), u_a);
    if (f->cell != NULL) {
        int dof = cn_cell_dof_of(f);
        cn_gather(c->rows, dof, f->cell + dof * c->row, s->w + cn_cell_w(f), u_a);
    }
    if (p->W.rows.row != NULL) {
        add_stored_rows(p, c->a, r, u_a);
    }
}

// Velocities of the constraints in batches, and of those that are in none.
static void batch_velocities(const cn_solver *s, const cn_problem *p, const double *r, double *u)
{
    const cn_batches *b = &s->batches;
    cn_simd_task task = {.batch = b->batch,
                         .stream = b->stream,
                         .root = s->has_body_order ? s->root : p->W.factors.root,
                         .w = s->w};
    CN_SHARED_FOR(s->thread_count, (schedule(static)), k, CN_SEGMENTS, {
        cn_loops_pick()->velocity(&task, p->u_free, u, cn_segment_start(b->batch_count, k),
                                  cn_segment_start(b->batch_count, k + 1));
    });
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, b->batch_count, {
        bool is_left = b->batch[n].kind == CN_SIMD_ROLL || b->batch[n].kind == CN_SIMD_ROLL_SPIN;
        for (int lane = 0; is_left && lane < b->batch[n].count; lane++) {
            const cn_packed *c = cn_batch_member(s, &b->batch[n], lane);
            velocity_of(s, p, r, c, u + c->row);
        }
    });
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, b->rest_count, {
        const cn_packed *c = &s->packed[b->rest[n].packed];
        velocity_of(s, p, r, c, u + c->row);
    });
}

void cn_solver_velocity(const cn_solver *s, const cn_problem *p, const double *r, double *u)
{
    int first = s->batched_count;
    if (first > 0) {
        batch_velocities(s, p, r, u);
    }
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, s->packed_count - first, {
        const cn_packed *c = &s->packed[first + n];
        velocity_of(s, p, r, c, u + c->row);
    });
}

// The same with a term beside the core, which is eliminated (8.22); W comes as the block.
static void parallel_numbers(const cn_problem *p, const cn_packed *c, double *W, double *shift)
{
    int rows = c->rows;
    double E[CN_ROW_MAX * CN_ROW_MAX], x[CN_ROW_MAX];
    cn_parallel_inverse(rows, W, p->k + c->row, E);
    for (int i = 0; i < rows; i++) {
        x[i] = p->u_free[c->row + i];
        for (int k = 0; k < rows && p->r0 != NULL; k++) {
            x[i] -= W[rows * i + k] * p->r0[c->row + k];
        }
    }
    cn_parallel_multiply(rows, E, x, shift);
    cn_parallel_soften(rows, p->k + c->row, W);
    for (int i = 0; i < rows; i++) {
        shift[i] += cn_row_or_zero(p->b, c->row + i);
        W[(rows + 1) * i] += cn_row_or_zero(p->c, c->row + i);
    }
}

void cn_packed_numbers(const cn_problem *p, const cn_packed *c, double *W, double *shift)
{
    int rows = c->rows;
    cn_problem_block(p, c->a, W);
    if (cn_has_parallel(p, c->row, rows)) {
        parallel_numbers(p, c, W, shift);
        return;
    }
    for (int i = 0; i < rows; i++) {
        shift[i] = p->u_free[c->row + i] + cn_row_or_zero(p->b, c->row + i);
        for (int k = 0; k < rows && p->r0 != NULL; k++) {
            shift[i] -= W[rows * i + k] * p->r0[c->row + k];
        }
    }
    for (int i = 0; i < rows; i++) {
        W[rows * i + i] += cn_row_or_zero(p->c, c->row + i);
    }
}

void cn_packed_shift(const cn_problem *p, const cn_packed *c, double *shift)
{
    if (p->r0 != NULL || cn_has_parallel(p, c->row, c->rows)) {
        double W[CN_ROW_MAX * CN_ROW_MAX];
        cn_packed_numbers(p, c, W, shift);
        return;
    }
    for (int k = 0; k < c->rows; k++) {
        shift[k] = p->u_free[c->row + k] + cn_row_or_zero(p->b, c->row + k);
    }
}

void cn_solver_reshift(cn_solver *s, const cn_problem *p)
{
    const cn_batches *b = &s->batches;
    double shift[CN_ROW_MAX];
    for (int n = 0; n < b->rest_count; n++) {
        const cn_packed *c = &s->packed[b->rest[n].packed];
        cn_packed_shift(p, c, s->stream + b->rest[n].at + c->rows * c->rows);
    }
    for (int n = 0; n < b->batch_count; n++) {
        const cn_batch *batch = &b->batch[n];
        cn_four *to = cn_batch_shift(b, batch);
        for (int lane = 0; lane < 4; lane++) {
            const cn_packed *c = cn_batch_member(s, batch, lane < batch->count ? lane : 0);
            cn_packed_shift(p, c, shift);
            for (int k = 0; k < c->rows; k++) {
                to[k][lane] = shift[k];
            }
        }
    }
}

// All numbers of a constraint in the stream but the roots. (I + W k)^-1 stands behind these.
static void number_lone(const cn_problem *p, const cn_packed *c, double *numbers)
{
    int rows = c->rows;
    cn_packed_numbers(p, c, numbers, numbers + rows * rows);
    if (cn_has_parallel(p, c->row, rows)) {
        double W[CN_ROW_MAX * CN_ROW_MAX];
        cn_problem_block(p, c->a, W);
        cn_parallel_inverse(rows, W, p->k + c->row, numbers + rows * (rows + 1) + CN_DISC_MAX);
    }
}

void cn_solver_renumber(cn_solver *s, const cn_problem *p)
{
    const cn_batches *b = &s->batches;
    for (int n = 0; n < b->rest_count; n++) {
        const cn_packed *c = &s->packed[b->rest[n].packed];
        number_lone(p, c, s->stream + b->rest[n].at);
    }
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, b->batch_count,
                  { cn_record_renumber(s, p, &b->batch[n]); });
}

// Painleve (8.19): with |mu W_nt| >= W_nn one contact has several solutions or none that slides.
// Moments count like friction. W begins with the row of the normal.
static bool is_painleve(const cn_set *set, const double *W)
{
    return set->rows > 1 && W[0] > 0.0 && cn_set_shift(set, W) >= W[0];
}

// Places of packed constraint c and what residuals and reports read of it.
static void pack_one(cn_solver *s, const cn_problem *p, cn_packed *c, int a)
{
    const cn_factors *f = &p->W.factors;
    *c = (cn_packed){.a = a,
                     .row = p->row_start[a],
                     .kind = (signed char)p->kind[a],
                     .rows = (signed char)rows_of(p, a),
                     .mu = p->mu[a]};
    for (int side = 0; side < 2 && f->body_count > 0; side++) {
        int body = f->body[2 * a + side];
        *(side == 0 ? &c->dof_i : &c->dof_j) = (signed char)dof_of(f, body);
    }

    double W[CN_ROW_MAX * CN_ROW_MAX], trace;
    bool has_parallel = cn_has_parallel(p, c->row, c->rows);
    c->is_ball = !has_parallel && cn_record_is_ball(p, c, &trace);
    if (!c->is_ball) {
        trace = 0.0;
        cn_problem_block(p, a, W);
        if (has_parallel) {
            cn_parallel_soften(c->rows, p->k + c->row, W);
        }
        for (int k = 0; k < c->rows; k++) {
            trace += W[(c->rows + 1) * k];
        }
    }
    for (int k = 0; k < c->rows; k++) {
        trace += cn_row_or_zero(p->c, c->row + k);
    }
    s->W_diag[a] = s->fold.weight != NULL ? s->fold.weight[a] : trace / c->rows;
    if (c->kind == CN_CORE_CONE && !c->is_ball) { // which has neither
        cn_set set = cn_problem_set(p, a, c->rows);
        c->has_moments = set.has_moments;
        W[0] += cn_row_or_zero(p->c, c->row);
        c->is_painleve = is_painleve(&set, W);
    }
}

size_t cn_room_for_all(const cn_solver *s, const cn_problem *p, size_t size)
{
    size_t packed = s->packed_count > 0 ? (size_t)s->packed_count : 1;
    return (size * (size_t)p->contact_count + packed - 1) / packed;
}

// The stream of the constraints that are visited one by one.
static cn_status pack_rest(cn_solver *s, const cn_problem *p, cn_error *err)
{
    const cn_batches *b = &s->batches;
    size_t size = 0;
    for (int n = 0; n < b->rest_count; n++) {
        const cn_packed *c = &s->packed[b->rest[n].packed];
        b->rest[n].at = (int)size;
        size += (size_t)(c->rows * (c->rows + 1) + CN_DISC_MAX);
        size += cn_has_parallel(p, c->row, c->rows) ? (size_t)(c->rows * c->rows) : 0;
        if (size > INT32_MAX) {
            return cn_fail(err, CN_NO_MEMORY, "%d constraints are more than the solver can pack",
                           p->contact_count);
        }
    }
    size_t room = cn_room_for_all(s, p, size);
    CN_TRY(cn_reserve(&s->hooks, &s->stream, &s->stream_capacity, room, err));
    for (int n = 0; n < b->rest_count; n++) {
        const cn_packed *c = &s->packed[b->rest[n].packed];
        double *W = s->stream + b->rest[n].at;
        number_lone(p, c, W);
        memset(W + c->rows * (c->rows + 1), 0, sizeof(double) * CN_DISC_MAX);
    }
    return CN_OK;
}

// Order of visits (alternating orders are made by the direction of the sweeps).
static void order_constraints(const cn_solver_def *def, int count, int *order)
{
    for (int a = 0; a < count; a++) {
        order[a] = def->order == CN_ORDER_REVERSED ? count - 1 - a : a;
    }
    uint64_t state = def->seed;
    for (int a = count - 1; a > 0 && def->order == CN_ORDER_RANDOM; a--) {
        int b = (int)(cn_random_word(&state) % (uint64_t)(a + 1));
        int swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
}

// Keeps those of the order that are not free. Returns their number.
static int keep_present(const cn_problem *p, int *order, double *W_diag)
{
    int count = 0;
    for (int n = 0; n < p->contact_count; n++) {
        int a = order[n];
        W_diag[a] = 0.0;
        if (p->kind[a] != CN_CORE_FREE) {
            order[count++] = a;
        }
    }
    return count;
}

static cn_status reserve(cn_solver *s, const cn_problem *p, cn_error *err)
{
    size_t count = (size_t)p->contact_count;
    size_t rows = (size_t)p->row_start[p->contact_count];
    const cn_factors *f = &p->W.factors;
    s->dof_count = f->body_count > 0 ? f->dof_start[f->body_count] : 0;
    size_t dofs = (size_t)s->dof_count;
    CN_TRY(cn_reserve(&s->hooks, &s->packed, &s->packed_capacity, count, err));
    CN_TRY(cn_reserve(&s->hooks, &s->W_diag, &s->W_diag_capacity, count, err));
    CN_TRY(cn_reserve(&s->hooks, &s->w, &s->w_capacity, dofs, err));
    CN_TRY(cn_reserve(&s->hooks, &s->w_old, &s->w_old_capacity, dofs, err));
    CN_TRY(cn_reserve(&s->hooks, &s->w_momentum, &s->w_momentum_capacity, dofs, err));
    CN_TRY(cn_reserve(&s->hooks, &s->r_old, &s->r_old_capacity, rows, err));
    CN_TRY(cn_reserve(&s->hooks, &s->r_momentum, &s->r_momentum_capacity, rows, err));
    CN_TRY(cn_reserve(&s->hooks, &s->r_best, &s->r_best_capacity, rows, err));
    return cn_reserve(&s->hooks, &s->u, &s->u_capacity, rows, err);
}

cn_status cn_solver_list(cn_solver *s, const cn_problem *p, const cn_solver_def *def, cn_error *err)
{
    void *order;
    CN_TRY(reserve(s, p, err));
    CN_TRY(cn_batches_room(s, sizeof(int) * (size_t)p->contact_count, &order, err));
    order_constraints(def, p->contact_count, order);
    s->packed_count = keep_present(p, order, s->W_diag);
    s->sweep_number = 0;
    s->is_start_good = false;
    s->thread_count = cn_share(def->thread_count, p->contact_count, SHARED_MIN);
    int lost = s->packed_count;
    CN_SHARED_FOR(s->thread_count,
                  (schedule(static) reduction(min
                                              : lost)),
                  n, s->packed_count, {
                      pack_one(s, p, &s->packed[n], ((const int *)order)[n]);
                      lost = n < lost && !isfinite(s->W_diag[s->packed[n].a]) ? n : lost;
                  });
    if (lost < s->packed_count) {
        return cn_fail(err, CN_BROKEN, "constraint %d: its block of W is not finite",
                       s->packed[lost].a);
    }
    s->batched_count = 0;
    return cn_body_order_find(s, p, err);
}

void cn_solver_widen(cn_solver *s, const cn_problem *p, int count)
{
    for (int n = s->packed_count; n < count; n++) {
        pack_one(s, p, &s->packed[n], s->packed[n].a);
    }
    s->packed_count = count;
}

cn_status cn_solver_build(cn_solver *s, const cn_problem *p, cn_error *err)
{
    CN_TRY(cn_batches_build(s, p, err));
    s->batched_count = s->packed_count;
    return pack_rest(s, p, err);
}

cn_status cn_solver_pack(cn_solver *s, const cn_problem *p, const cn_solver_def *def, cn_error *err)
{
    CN_TRY(cn_solver_list(s, p, def, err));
    return cn_solver_build(s, p, err);
}

cn_status cn_problem_velocity(const cn_problem *p, cn_solver *solver, double *u, cn_error *err)
{
    CN_NEED(err, p, solver, u);
    cn_solver_def def = cn_solver_def_default();
    CN_TRY(cn_problem_check(p, 1, err));
    CN_TRY(cn_solver_pack(solver, p, &def, err));
    cn_solver_apply(solver, p, p->r);
    const cn_factors *f = &p->W.factors;
    for (int a = 0; a < p->contact_count; a++) { // free constraints have a velocity too
        double *u_a = u + p->row_start[a];
        for (int k = 0; k < rows_of(p, a); k++) {
            u_a[k] = p->u_free[p->row_start[a] + k];
        }
        for (int side = 0; side < 2 && f->body_count > 0; side++) {
            int body = f->body[2 * a + side];
            if (body >= 0) {
                cn_side_gather(f, a, side, rows_of(p, a), dof_of(f, body),
                               solver->w + cn_solver_body_start(solver, f, body), u_a);
            }
        }
        if (f->cell != NULL) {
            int dof = cn_cell_dof_of(f);
            cn_gather(rows_of(p, a), dof, f->cell + dof * p->row_start[a], solver->w + cn_cell_w(f),
                      u_a);
        }
        if (p->W.rows.row != NULL) {
            add_stored_rows(p, a, p->r, u_a);
        }
    }
    return CN_OK;
}

void cn_solver_apply_core(cn_solver *s, const cn_problem *p, const double *r_core)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            p->r[k] = r_core[k] - cn_row_or_zero(p->r0, k);
        }
    }
    cn_solver_apply(s, p, p->r);
}
