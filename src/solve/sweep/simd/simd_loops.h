// solve/sweep/simd/simd_loops.h -- the loops of loops.h, included once per instruction set.
//
// The includer defines CN_LOOPS, the name of their table. All arithmetic is lane by lane without
// contraction, and sums are added up in a fixed order, so every instruction set gives the same
// bits.
#include "solve/sweep/simd/loops.h"
#include "solve/sweep/simd/simd_lanes.h"

static void push(int count, double beta, double *restrict x_old, double *restrict x,
                 double *restrict p)
{
    for (int k = 0; k < count; k++) {
        double d = x[k] - x_old[k], x_new = x[k] + beta * p[k];
        p[k] = beta * p[k] + d;
        x[k] = x_old[k] = x_new;
    }
}

CN_INLINE double sum_of(cn_four x)
{
    return (x[0] + x[1]) + (x[2] + x[3]);
}

CN_INLINE cn_four four_at(const double *x)
{
    return *(const cn_four *)(const void *)x;
}

CN_INLINE cn_four square_at(const double *x, const double *y)
{
    cn_four d = four_at(x) - four_at(y);
    return d * d;
}

static double change(int count, int rows, const double *w, const double *r, const double *r_old)
{
    cn_four sum = {0.0};
    int a = 0;
    for (; a + 4 <= count && rows == 3; a += 4, r += 12, r_old += 12) {
        cn_four x = four_at(w + a);
        sum += square_at(r, r_old) * __builtin_shufflevector(x, x, 0, 0, 0, 1) +
               square_at(r + 4, r_old + 4) * __builtin_shufflevector(x, x, 1, 1, 2, 2) +
               square_at(r + 8, r_old + 8) * __builtin_shufflevector(x, x, 2, 3, 3, 3);
    }
    for (; a + 4 <= count && rows == 2; a += 4, r += 8, r_old += 8) {
        cn_four x = four_at(w + a);
        sum += square_at(r, r_old) * __builtin_shufflevector(x, x, 0, 0, 1, 1) +
               square_at(r + 4, r_old + 4) * __builtin_shufflevector(x, x, 2, 2, 3, 3);
    }
    double rest = 0.0;
    for (; a < count; a++, r += rows, r_old += rows) {
        for (int k = 0; k < rows; k++) {
            rest += w[a] * (r[k] - r_old[k]) * (r[k] - r_old[k]);
        }
    }
    return sum_of(sum) + rest;
}

// u += what the motion `move` of the contact point is along the axes.
CN_INLINE void add_axes(const cn_four n[3], const cn_four t[3], const cn_four t2[3],
                        const cn_four move[3], cn_four u[3])
{
    u[0] += dot(n, move);
    u[1] += dot(t, move);
    u[2] += dot(t2, move);
}

static __attribute__((noinline)) void plane_velocity(const cn_simd_task *task, const void *record,
                                                     const double *u_free, double *u)
{
    const cn_simd_plane *c = record;
    cn_four w_i[3], w_j[3], v[2];
    gather3(task->w, c->head.w_i, w_i);
    gather3(task->w, c->head.w_j, w_j);
    gather2(u_free, c->head.row, v);
    cn_four x = c->head.s_i * w_i[0] + c->head.s_j * w_j[0],
            y = c->head.s_i * w_i[1] + c->head.s_j * w_j[1];
    v[0] += (c->n[0] * x + c->n[1] * y) + (c->turn_i[0] * w_i[2] + c->turn_j[0] * w_j[2]);
    v[1] += (c->n[0] * y - c->n[1] * x) + (c->turn_i[1] * w_i[2] + c->turn_j[1] * w_j[2]);
    scatter2(u, c->head.row, v);
}

static __attribute__((noinline)) void ball_velocity(const cn_simd_task *task, const void *record,
                                                    const double *u_free, double *u)
{
    const cn_simd_ball *c = record;
    cn_four w_i[6], w_j[6], t2[3], move[3], spin[3], v[3];
    gather6(task->w, c->head.w_i, w_i);
    gather6(task->w, c->head.w_j, w_j);
    gather3(u_free, c->head.row, v);
    cross(c->n, c->t, t2);
    for (int k = 0; k < 3; k++) {
        move[k] = c->head.s_i * w_i[k] + c->head.s_j * w_j[k];
        spin[k] = c->kappa_i * w_i[3 + k] + c->kappa_j * w_j[3 + k];
    }
    add_axes(c->n, c->t, t2, move, v);
    v[1] += dot(t2, spin);
    v[2] -= dot(c->t, spin);
    scatter3(u, c->head.row, v);
}

static __attribute__((noinline)) void space_velocity(const cn_simd_task *task, const void *record,
                                                     const double *u_free, double *u)
{
    const cn_simd_space *c = record;
    cn_four w_i[6], w_j[6], t2[3], move[3], v[3];
    gather6(task->w, c->head.w_i, w_i);
    gather6(task->w, c->head.w_j, w_j);
    gather3(u_free, c->head.row, v);
    cross(c->n, c->t, t2);
    for (int k = 0; k < 3; k++) {
        move[k] = c->head.s_i * w_i[k] + c->head.s_j * w_j[k];
    }
    add_axes(c->n, c->t, t2, move, v);
    for (int k = 0; k < 3; k++) {
        v[k] += dot(c->turn_i + 3 * k, w_i + 3) + dot(c->turn_j + 3 * k, w_j + 3);
    }
    scatter3(u, c->head.row, v);
}

static __attribute__((noinline)) void arm_velocity(const cn_simd_task *task, const void *record,
                                                   const double *u_free, double *u)
{
    const cn_simd_arm *c = record;
    cn_four w[6], F[9], t2[3], move[3] = {{0.0}, {0.0}, {0.0}}, v[3];
    gather3(u_free, c->head.row, v);
    gather6(task->w, c->head.w_i, w);
    gather_root(task->root, c->head.w_i, F);
    add_velocity(c->head.s_i, F, c->arm_i, w, move);
    gather6(task->w, c->head.w_j, w);
    gather_root(task->root, c->head.w_j, F);
    add_velocity(c->head.s_j, F, c->arm_j, w, move);
    cross(c->n, c->t, t2);
    add_axes(c->n, c->t, t2, move, v);
    scatter3(u, c->head.row, v);
}

static void velocity(const cn_simd_task *task, const double *u_free, double *u, int first, int end)
{
    for (int n = first; n < end; n++) {
        const void *record = task->stream + task->batch[n].at;
        switch (task->batch[n].kind) {
        case CN_SIMD_PLANE:
            plane_velocity(task, record, u_free, u);
            break;
        case CN_SIMD_BALL:
            ball_velocity(task, record, u_free, u);
            break;
        case CN_SIMD_SPACE:
            space_velocity(task, record, u_free, u);
            break;
        case CN_SIMD_ARM:
            arm_velocity(task, record, u_free, u);
            break;
        default:
            break;
        }
    }
}

CN_INLINE cn_four square(int rows, const cn_four *x)
{
    cn_four sum = x[0] * x[0] + x[1] * x[1];
    if (rows == 3) {
        sum += x[2] * x[2];
    }
    return sum;
}

// |x_t|.
CN_INLINE cn_four tangential(int rows, const cn_four *x)
{
    return rows == 3 ? root_of(x[1] * x[1] + x[2] * x[2]) : absolute(x[1]);
}

// |r - P(r - m u~)|^2 with u~ = u + shift n: the natural map with step m (8.8).
CN_INLINE cn_four natural_map(int rows, cn_four mu, cn_four m, cn_four shift, const cn_four *u,
                              const cn_four *r)
{
    const cn_four zero = {0.0}, one = {1.0, 1.0, 1.0, 1.0};
    cn_four x[3], y[3];
    for (int k = 0; k < rows; k++) {
        x[k] = r[k] - m * u[k];
    }
    x[0] -= m * shift;
    cn_four t = tangential(rows, x);
    four_mask is_out = mu * t <= -x[0], is_in = t <= mu * x[0];
    cn_four on = (x[0] + mu * t) / (1.0 + mu * mu);
    cn_four scale = choose(is_out, zero, choose(is_in, one, mu * on / t));
    y[0] = choose(is_out, zero, choose(is_in, x[0], on)) - r[0];
    for (int k = 1; k < rows; k++) {
        y[k] = scale * x[k] - r[k];
    }
    return square(rows, y);
}

// Sums lane by lane.
typedef struct lanes {
    cn_four w_r2, m_u2, u2, count;
    cn_four e2, m_e2, wr2, natural2, r2, v2, q2, z2, mu2, mv2, e2_max, outside, worst;
} lanes;

// Rows of four constraints in lanes; those that take no part are zero.
CN_INLINE void rows_of(int rows, const double *x, const int at[4], four_mask is_in, cn_four *out)
{
    const cn_four zero = {0.0};
    if (x == NULL) {
        for (int k = 0; k < rows; k++) {
            out[k] = zero;
        }
        return;
    }
    if (rows == 3) {
        gather3(x, at, out);
    } else {
        gather2(x, at, out);
    }
    for (int k = 0; k < rows; k++) {
        out[k] = choose(is_in, out[k], zero);
    }
}

// Adds constraints a .. a + 3. Where diagonals are zero bodies cannot move.
CN_INLINE void measure_four(const cn_problem *p, const double *u_all, const double *w_all, int a,
                            int rows, lanes *s)
{
    const cn_four zero = {0.0}, one = {1.0, 1.0, 1.0, 1.0};
    const unsigned char *kind = p->kind + a;
    const int row = p->row_start[a], at[4] = {row, row + rows, row + 2 * rows, row + 3 * rows};
    cn_four w = four_at(w_all + a), mu = four_at(p->mu + a);
    four_mask is_in = {-(kind[0] == CN_CORE_CONE), -(kind[1] == CN_CORE_CONE),
                       -(kind[2] == CN_CORE_CONE), -(kind[3] == CN_CORE_CONE)};
    is_in &= w > zero;
    w = choose(is_in, w, one);
    cn_four r[3], u[3], q[3], b[3], c[3], r0[3], m = 1.0 / w;
    rows_of(rows, p->r, at, is_in, r);
    rows_of(rows, p->r0, at, is_in, r0);
    rows_of(rows, p->b, at, is_in, b);
    rows_of(rows, p->c, at, is_in, c);
    rows_of(rows, u_all, at, is_in, u);
    rows_of(rows, p->u_free, at, is_in, q);
    for (int k = 0; k < rows; k++) {
        r[k] += r0[k];
        u[k] += b[k] + c[k] * r[k];
        q[k] += b[k];
    }
    cn_four shift = mu * tangential(rows, u), r2 = square(rows, r), v2 = square(rows, u);
    cn_four q2 = square(rows, q), z2 = natural_map(rows, mu, m, shift, u, r), e2 = z2 * w * w;
    cn_four outside = tangential(rows, r) - mu * r[0];
    s->w_r2 += w * r2;
    s->m_u2 += m * q2;
    s->u2 += q2;
    s->count += choose(is_in, one, zero);
    s->e2 += e2;
    s->m_e2 += m * e2;
    s->wr2 += w * w * r2;
    s->natural2 += natural_map(rows, mu, one, shift, u, r);
    s->r2 += r2;
    s->v2 += v2;
    s->q2 += q2;
    s->z2 += z2;
    s->mu2 += m * m * q2;
    s->mv2 += m * m * v2;
    s->outside = choose(outside > s->outside, outside, s->outside);
    four_mask is_worse = ~(e2 <= s->e2_max) & is_in;
    const cn_four number = {a, a + 1, a + 2, a + 3};
    s->e2_max = choose(is_worse, e2, s->e2_max);
    s->worst = choose(is_worse, number, s->worst);
}

// The largest of all lanes; of those that are equal the first constraint.
static void add_worst(const lanes *s, cn_sums *sums)
{
    for (int lane = 0; lane < 4; lane++) {
        int a = (int)s->worst[lane];
        bool is_first = s->e2_max[lane] == sums->e2_max && a < sums->worst;
        if (a >= 0 && (is_first || !(s->e2_max[lane] <= sums->e2_max))) {
            sums->e2_max = s->e2_max[lane];
            sums->worst = a;
        }
        sums->cone_violation = fmax(sums->cone_violation, s->outside[lane]);
    }
}

static void measure(const cn_problem *p, const double *u, const double *w, int first, int fours,
                    cn_sums *sums)
{
    lanes s = {.worst = {-1.0, -1.0, -1.0, -1.0}};
    for (int k = 0; k < fours && p->dim == 3; k++) {
        measure_four(p, u, w, first + 4 * k, 3, &s);
    }
    for (int k = 0; k < fours && p->dim == 2; k++) {
        measure_four(p, u, w, first + 4 * k, 2, &s);
    }
    *sums = (cn_sums){.scale = {.w_r2 = sum_of(s.w_r2),
                                .m_u2 = sum_of(s.m_u2),
                                .u2 = sum_of(s.u2),
                                .count = (int)sum_of(s.count)},
                      .e2 = sum_of(s.e2),
                      .m_e2 = sum_of(s.m_e2),
                      .wr2 = sum_of(s.wr2),
                      .natural2 = sum_of(s.natural2),
                      .r2 = sum_of(s.r2),
                      .v2 = sum_of(s.v2),
                      .q2 = sum_of(s.q2),
                      .z2 = sum_of(s.z2),
                      .mu2 = sum_of(s.mu2),
                      .mv2 = sum_of(s.mv2),
                      .worst = -1};
    add_worst(&s, sums);
}

const cn_loops CN_LOOPS = {push, change, velocity, measure};
