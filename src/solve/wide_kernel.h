// solve/wide_kernel.h -- the kernels of wide.h, included once per instruction set.
//
// The includer defines CN_WIDE_SWEEP, the name of the function. All arithmetic is lane by lane
// without contraction, so every instruction set gives the same bits.
#include <math.h>

#include "solve/local.h"
#include "solve/wide_lanes.h"
#include "solve/wide_roll.h"

// Signorini-Coulomb in the plane (5.6, 5.7), all cases and then a choice.
static inline void solve_plane(const cn_wide_plane *c, const cn_four u[2], cn_four r[2])
{
    const cn_four *W = c->W, zero = {0.0};
    four_mask is_open = ~((u[0] < zero) & (W[0] > zero));
    cn_four stick_n = -(W[2] * u[0] - W[1] * u[1]) * c->inv_det;
    cn_four stick_t = -(W[0] * u[1] - W[1] * u[0]) * c->inv_det;
    four_mask is_stick = (stick_n > zero) & (absolute(stick_t) <= c->head.mu * stick_n);
    cn_four s = choose(u[1] * W[0] > W[1] * u[0], -c->head.mu, c->head.mu);
    cn_four slide_n = -u[0] / (W[0] + s * W[1]);
    r[0] = choose(is_open, zero, choose(is_stick, stick_n, slide_n));
    r[1] = choose(is_open, zero, choose(is_stick, stick_t, s * slide_n));
}

static inline void visit_plane(const cn_wide_task *task, cn_wide_plane *c)
{
    const int *row = c->head.row;
    cn_four w_i[3], w_j[3], r[2];
    gather2(task->r, row, r);
    gather3(task->w, c->head.w_i, w_i);
    gather3(task->w, c->head.w_j, w_j);
    cn_four x = c->head.s_i * w_i[0] + c->head.s_j * w_j[0],
            y = c->head.s_i * w_i[1] + c->head.s_j * w_j[1];
    cn_four u[2] = {
        c->shift[0] + (c->n[0] * x + c->n[1] * y) + (c->turn_i[0] * w_i[2] + c->turn_j[0] * w_j[2]),
        c->shift[1] + (c->n[0] * y - c->n[1] * x) + (c->turn_i[1] * w_i[2] + c->turn_j[1] * w_j[2]),
    };
    u[0] -= c->W[0] * r[0] + c->W[1] * r[1] - compliance_of(task, row, 0) * r[0];
    u[1] -= c->W[1] * r[0] + c->W[2] * r[1] - compliance_of(task, row, 1) * r[1];
    cn_four r_new[2], dr[2];
    solve_plane(c, u, r_new);
    for (int k = 0; k < 2; k++) {
        r_new[k] = without_offset(task, row, k, r_new[k]);
        dr[k] = r_new[k] - r[k];
    }
    scatter2(task->r, row, r_new);
    x = c->n[0] * dr[0] - c->n[1] * dr[1];
    y = c->n[1] * dr[0] + c->n[0] * dr[1];
    w_j[0] += c->head.s_j * x;
    w_j[1] += c->head.s_j * y;
    w_j[2] += c->turn_j[0] * dr[0] + c->turn_j[1] * dr[1];
    w_i[0] += c->head.s_i * x;
    w_i[1] += c->head.s_i * y;
    w_i[2] += c->turn_i[0] * dr[0] + c->turn_i[1] * dr[1];
    scatter3(task->w, c->head.w_j, w_j);
    scatter3(task->w, c->head.w_i, w_i);
}

// A ball: W' is diagonal, so sliding is the clipped stick.
static inline void solve_ball(const cn_four W[3], cn_four mu, const cn_four u[3], cn_four r[3])
{
    const cn_four zero = {0.0};
    four_mask is_open = ~((u[0] < zero) & (W[0] > zero));
    cn_four r_n = -u[0] / W[0], r_t1 = -u[1] / W[1], r_t2 = -u[2] / W[1];
    cn_four length2 = r_t1 * r_t1 + r_t2 * r_t2, bound = mu * r_n;
    four_mask is_slide = length2 > bound * bound;
    cn_four scale = choose(is_slide, bound / root_of(length2), zero + 1.0);
    r[0] = choose(is_open, zero, r_n);
    r[1] = choose(is_open, zero, scale * r_t1);
    r[2] = choose(is_open, zero, scale * r_t2);
}

// Writes the new impulses; returns their change in dr.
static inline void write_r3(const cn_wide_task *task, const int row[4], const cn_four r[3],
                            cn_four r_new[3], cn_four dr[3])
{
    for (int k = 0; k < 3; k++) {
        r_new[k] = without_offset(task, row, k, r_new[k]);
        dr[k] = r_new[k] - r[k];
    }
    scatter3(task->r, row, r_new);
}

static inline void visit_ball(const cn_wide_task *task, cn_wide_ball *c)
{
    const int *row = c->head.row;
    cn_four w_i[6], w_j[6], r[3], t2[3], move[3], spin[3];
    gather6(task->w, c->head.w_i, w_i);
    gather6(task->w, c->head.w_j, w_j);
    gather3(task->r, row, r);
    cross(c->n, c->t, t2);
    for (int k = 0; k < 3; k++) {
        move[k] = c->head.s_i * w_i[k] + c->head.s_j * w_j[k];
        spin[k] = c->kappa_i * w_i[3 + k] + c->kappa_j * w_j[3 + k];
    }
    cn_four W_n = c->head.s_i * c->head.s_i + c->head.s_j * c->head.s_j;
    cn_four W_t = W_n + (c->kappa_i * c->kappa_i + c->kappa_j * c->kappa_j);
    cn_four W[3] = {W_n, W_t, W_t};
    cn_four u[3] = {dot(c->n, move), dot(c->t, move) + dot(t2, spin),
                    dot(t2, move) - dot(c->t, spin)};
    for (int k = 0; k < 3; k++) {
        u[k] += c->shift[k] - W[k] * r[k];
        W[k] += compliance_of(task, row, k);
    }
    cn_four r_new[3], dr[3];
    solve_ball(W, c->head.mu, u, r_new);
    write_r3(task, row, r, r_new, dr);
    for (int k = 0; k < 3; k++) {
        cn_four push = c->n[k] * dr[0] + c->t[k] * dr[1] + t2[k] * dr[2];
        cn_four twist = t2[k] * dr[1] - c->t[k] * dr[2];
        w_j[k] += c->head.s_j * push;
        w_j[3 + k] += c->kappa_j * twist;
        w_i[k] += c->head.s_i * push;
        w_i[3 + k] += c->kappa_i * twist;
    }
    scatter6(task->w, c->head.w_j, w_j);
    scatter6(task->w, c->head.w_i, w_i);
}

// The scalar equation of sliding in space (5.13), for four contacts.
typedef struct slide {
    cn_four S[3], b[2], w[2]; // S: 11 12 22
    cn_four u_n, inv_nn, mu;
    cn_four r_n, r_t[2], inv_length; // at the last x
    cn_four a, d, inv;               // S + x and the inverse of its determinant
} slide;

// phi at x; keeps the impulses there.
static inline cn_four slide_at(slide *s, cn_four x)
{
    s->a = s->S[0] + x;
    s->d = s->S[2] + x;
    s->inv = 1.0 / (s->a * s->d - s->S[1] * s->S[1]);
    cn_four *r_t = s->r_t;
    r_t[0] = -(s->d * s->b[0] - s->S[1] * s->b[1]) * s->inv;
    r_t[1] = -(s->a * s->b[1] - s->S[1] * s->b[0]) * s->inv;
    s->r_n = -(s->u_n + s->w[0] * r_t[0] + s->w[1] * r_t[1]) * s->inv_nn;
    s->inv_length = 1.0 / root_of(r_t[0] * r_t[0] + r_t[1] * r_t[1]);
    return s->mu * s->r_n * s->inv_length - 1.0;
}

// Derivative of phi where slide_at was last called.
static inline cn_four slide_slope(const slide *s)
{
    const cn_four *r_t = s->r_t;
    cn_four dr_1 = -(s->d * r_t[0] - s->S[1] * r_t[1]) * s->inv;
    cn_four dr_2 = -(s->a * r_t[1] - s->S[1] * r_t[0]) * s->inv;
    cn_four dr_n = -(s->w[0] * dr_1 + s->w[1] * dr_2) * s->inv_nn;
    cn_four growth = (r_t[0] * dr_1 + r_t[1] * dr_2) * s->inv_length * s->inv_length;
    return s->mu * (dr_n - s->r_n * growth) * s->inv_length;
}

// Newton in the lanes of `active`, kept inside the bracket by bisection. After newton_max steps the
// lanes that still move keep their x: the next visit goes on from it.
static inline void slide_solve(slide *s, four_mask active, int newton_max, cn_four *x)
{
    cn_four lo = {0.0}, hi = lo + INFINITY, phi = slide_at(s, *x);
    for (int k = 0; k < newton_max; k++) {
        active &= absolute(phi) >= 1e-14;
        if (!any(active)) {
            return;
        }
        lo = choose(phi < 0.0, *x, lo);
        hi = choose(phi < 0.0, hi, *x);
        cn_four next = *x - phi / slide_slope(s);
        cn_four half = choose(hi < INFINITY, 0.5 * (lo + hi), 4.0 * *x);
        next = choose((next > lo) & (next < hi), next, half);
        active &= absolute(next - *x) > 1e-15 * *x;
        *x = choose(active, next, *x);
        phi = slide_at(s, *x);
    }
}

// Signorini-Coulomb in space: the true disk. *root is that of the last visit.
static inline void solve_space(const cn_four W[6], cn_four mu, const cn_four u[3], int newton_max,
                               cn_four *root, cn_four r[3])
{
    const cn_four zero = {0.0};
    four_mask is_open = ~((u[0] < -CN_SPEED_NONE) & (W[0] > zero));
    cn_four inv = 1.0 / W[0];
    slide s = {.S = {W[3] - W[1] * W[1] * inv, W[4] - W[1] * W[2] * inv, W[5] - W[2] * W[2] * inv},
               .b = {u[1] - W[1] * u[0] * inv, u[2] - W[2] * u[0] * inv},
               .w = {W[1], W[2]},
               .u_n = u[0],
               .inv_nn = inv,
               .mu = mu};
    cn_four det = s.S[0] * s.S[2] - s.S[1] * s.S[1], inv_det = 1.0 / det;
    cn_four t1 = -(s.S[2] * s.b[0] - s.S[1] * s.b[1]) * inv_det;
    cn_four t2 = -(s.S[0] * s.b[1] - s.S[1] * s.b[0]) * inv_det;
    cn_four n = -(s.u_n + s.w[0] * t1 + s.w[1] * t2) * inv, bound = mu * n;
    four_mask is_stick =
        (det > 1e-14 * s.S[0] * s.S[2]) & (n > zero) & (t1 * t1 + t2 * t2 <= bound * bound);
    four_mask is_plain = // no friction
        (mu < CN_FRICTION_NONE) | (absolute(s.b[0]) + absolute(s.b[1]) < CN_SPEED_NONE);
    four_mask is_slide = ~(is_open | is_stick | is_plain);
    r[0] = choose(is_stick, n, -u[0] * inv);
    r[1] = choose(is_stick, t1, zero);
    r[2] = choose(is_stick, t2, zero);
    if (any(is_slide)) {
        cn_four x = choose(*root > zero, *root, 0.5 * (s.S[0] + s.S[2]));
        slide_solve(&s, is_slide, newton_max, &x);
        *root = choose(is_slide, x, *root);
        cn_four scale = mu * s.r_n * s.inv_length;
        r[0] = choose(is_slide, s.r_n, r[0]);
        r[1] = choose(is_slide, scale * s.r_t[0], r[1]);
        r[2] = choose(is_slide, scale * s.r_t[1], r[2]);
    }
    for (int k = 0; k < 3; k++) {
        r[k] = choose(is_open, zero, r[k]);
    }
}

// W' r of the contact itself.
static inline void own_velocity(const cn_four W[6], const cn_four r[3], cn_four own[3])
{
    own[0] = W[0] * r[0] + W[1] * r[1] + W[2] * r[2];
    own[1] = W[1] * r[0] + W[3] * r[1] + W[4] * r[2];
    own[2] = W[2] * r[0] + W[4] * r[1] + W[5] * r[2];
}

static inline void visit_space(const cn_wide_task *task, cn_wide_space *c)
{
    const int *row = c->head.row;
    cn_four w_i[6], w_j[6], r[3], axis[9], move[3], own[3];
    gather6(task->w, c->head.w_i, w_i);
    gather6(task->w, c->head.w_j, w_j);
    gather3(task->r, row, r);
    for (int k = 0; k < 3; k++) {
        axis[k] = c->n[k];
        axis[3 + k] = c->t[k];
        move[k] = c->head.s_i * w_i[k] + c->head.s_j * w_j[k];
    }
    cross(c->n, c->t, axis + 6);
    own_velocity(c->W, r, own);
    cn_four u[3];
    for (int k = 0; k < 3; k++) {
        u[k] = c->shift[k] + dot(axis + 3 * k, move) + dot(c->turn_i + 3 * k, w_i + 3) +
               dot(c->turn_j + 3 * k, w_j + 3) - (own[k] - compliance_of(task, row, k) * r[k]);
    }
    cn_four r_new[3], dr[3];
    solve_space(c->W, c->head.mu, u, task->newton_max, &c->x, r_new);
    write_r3(task, row, r, r_new, dr);
    for (int k = 0; k < 3; k++) {
        cn_four push = axis[k] * dr[0] + axis[3 + k] * dr[1] + axis[6 + k] * dr[2];
        w_j[k] += c->head.s_j * push;
        w_j[3 + k] += c->turn_j[k] * dr[0] + c->turn_j[3 + k] * dr[1] + c->turn_j[6 + k] * dr[2];
        w_i[k] += c->head.s_i * push;
        w_i[3 + k] += c->turn_i[k] * dr[0] + c->turn_i[3 + k] * dr[1] + c->turn_i[6 + k] * dr[2];
    }
    scatter6(task->w, c->head.w_j, w_j);
    scatter6(task->w, c->head.w_i, w_i);
}

// F of four bodies.
static inline void gather_root(const double *root, const int w[4], cn_four F[9])
{
    const int at[4] = {2 * w[0] + 3, 2 * w[1] + 3, 2 * w[2] + 3, 2 * w[3] + 3};
    for (int k = 0; k < 8; k += 2) {
        gather2(root + k, at, F + k);
    }
    F[8] = pick(root, at, 8);
}

// move += s w + (F^T w) x arm: velocity at the contact of one side.
static inline void add_velocity(cn_four s, const cn_four F[9], const cn_four arm[3],
                                const cn_four w[6], cn_four move[3])
{
    cn_four spin[3], turned[3];
    for (int k = 0; k < 3; k++) {
        spin[k] = F[k] * w[3] + F[3 + k] * w[4] + F[6 + k] * w[5];
    }
    cross(spin, arm, turned);
    for (int k = 0; k < 3; k++) {
        move[k] += s * w[k] + turned[k];
    }
}

// w += (s push, F (arm x push)).
static inline void add_push(cn_four s, const cn_four F[9], const cn_four arm[3],
                            const cn_four push[3], cn_four w[6])
{
    cn_four twist[3];
    cross(arm, push, twist);
    for (int k = 0; k < 3; k++) {
        w[k] += s * push[k];
        w[3 + k] += dot(F + 3 * k, twist);
    }
}

static inline void visit_arm(const cn_wide_task *task, cn_wide_arm *c)
{
    const int *row = c->head.row;
    cn_four w_i[6], w_j[6], F_i[9], F_j[9], r[3], t2[3], own[3], u[3], r_new[3], dr[3], push[3];
    cn_four move[3] = {{0.0}, {0.0}, {0.0}};
    gather6(task->w, c->head.w_i, w_i);
    gather6(task->w, c->head.w_j, w_j);
    gather_root(task->root, c->head.w_i, F_i);
    gather_root(task->root, c->head.w_j, F_j);
    gather3(task->r, row, r);
    add_velocity(c->head.s_i, F_i, c->arm_i, w_i, move);
    add_velocity(c->head.s_j, F_j, c->arm_j, w_j, move);
    cross(c->n, c->t, t2);
    const cn_four *const axis[3] = {c->n, c->t, t2};
    own_velocity(c->W, r, own);
    for (int k = 0; k < 3; k++) {
        u[k] = c->shift[k] + dot(axis[k], move) - (own[k] - compliance_of(task, row, k) * r[k]);
    }
    solve_space(c->W, c->head.mu, u, task->newton_max, &c->x, r_new);
    write_r3(task, row, r, r_new, dr);
    for (int k = 0; k < 3; k++) {
        push[k] = c->n[k] * dr[0] + c->t[k] * dr[1] + t2[k] * dr[2];
    }
    add_push(c->head.s_j, F_j, c->arm_j, push, w_j);
    add_push(c->head.s_i, F_i, c->arm_i, push, w_i);
    scatter6(task->w, c->head.w_j, w_j);
    scatter6(task->w, c->head.w_i, w_i);
}

// gcc takes a function that only fetches for one without effect and drops the call, unless it is
// inlined before.
#define CN_FETCH static inline __attribute__((always_inline)) void

// The lines of a record.
CN_FETCH fetch_record(const cn_wide_task *task, const cn_batch *batch)
{
    enum { LINE = 64 };
    static const unsigned char lines[CN_WIDE_KIND_COUNT] = {
        [CN_WIDE_PLANE] = sizeof(cn_wide_plane) / LINE + 1,
        [CN_WIDE_BALL] = sizeof(cn_wide_ball) / LINE + 1,
        [CN_WIDE_SPACE] = sizeof(cn_wide_space) / LINE + 1,
        [CN_WIDE_ARM] = sizeof(cn_wide_arm) / LINE + 1,
        [CN_WIDE_ROLL] = sizeof(cn_wide_roll) / LINE + 1,
        [CN_WIDE_ROLL_SPIN] = sizeof(cn_wide_roll) / LINE + 1,
    };
    const char *at = (const char *)(task->stream + batch->at);
    for (int k = 0; k < lines[batch->kind]; k++) {
        __builtin_prefetch(at + LINE * k);
    }
}

// What a record names: bodies and impulses.
CN_FETCH fetch_named(const cn_wide_task *task, const cn_batch *batch)
{
    const cn_wide_head *at = (const cn_wide_head *)(const void *)(task->stream + batch->at);
    for (int lane = 0; lane < 4; lane++) {
        __builtin_prefetch(task->w + at->w_i[lane], 1);
        __builtin_prefetch(task->w + at->w_j[lane], 1);
        __builtin_prefetch(task->r + at->row[lane], 1);
    }
}

// What batch n of `count` makes ready for those that follow: records before what they name, or the
// names themselves would have to be waited for.
CN_FETCH fetch_ahead(const cn_wide_task *task, const cn_batch *batch, int n, int count, int step)
{
    enum { AHEAD = 6, FAR = 12 };
    if (n + FAR < count) {
        fetch_record(task, batch + step * FAR);
    }
    if (n + AHEAD < count) {
        fetch_named(task, batch + step * AHEAD);
    }
}

void CN_WIDE_SWEEP(const cn_wide_task *task, int first, int end, bool is_backward)
{
    int count = end - first, step = is_backward ? -1 : 1, start = is_backward ? end - 1 : first;
    for (int n = 0; n < count; n++) {
        const cn_batch *batch = task->batch + start + step * n;
        void *record = task->stream + batch->at;
        if (task->is_far) {
            fetch_ahead(task, batch, n, count, step);
        }
        switch (batch->kind) {
        case CN_WIDE_PLANE:
            visit_plane(task, record);
            break;
        case CN_WIDE_BALL:
            visit_ball(task, record);
            break;
        case CN_WIDE_ARM:
            visit_arm(task, record);
            break;
        case CN_WIDE_ROLL:
            visit_roll(task, record, 5);
            break;
        case CN_WIDE_ROLL_SPIN:
            visit_roll(task, record, 6);
            break;
        default:
            visit_space(task, record);
            break;
        }
    }
}
