// solve/sweep/simd/simd_kernel.h -- the kernels of simd.h, included once per instruction set.
//
// The includer defines CN_SIMD_SWEEP, the name of the function. All arithmetic is lane by lane
// without contraction, so every instruction set gives the same bits.
//
// A visit waits: for velocities, then for divisions and roots that wait for each other. So two
// records that share no body are visited at once, step by step; they give the bits of one after the
// other. `is_two` is a literal.
#include <math.h>

#include "solve/sweep/simd/simd_lanes.h"
#include "solve/sweep/simd/simd_roll.h"
#include "solve/sweep/simd/simd_slide.h"

// Signorini-Coulomb in the plane (8.5, 8.6), all cases and then a choice.
CN_INLINE void solve_plane(const cn_simd_plane *c, const cn_four u[2], cn_four r[2])
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

// A record in the plane between the steps of a visit.
typedef struct plane_visit {
    cn_four w_i[3], w_j[3], r[2], r_new[2];
} plane_visit;

CN_INLINE void begin_plane(const cn_simd_task *task, const cn_simd_plane *c, plane_visit *v)
{
    const int *row = c->head.row;
    cn_four *w_i = v->w_i, *w_j = v->w_j, *r = v->r;
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
    solve_plane(c, u, v->r_new);
}

CN_INLINE void end_plane(const cn_simd_task *task, const cn_simd_plane *c, plane_visit *v)
{
    const int *row = c->head.row;
    cn_four *w_i = v->w_i, *w_j = v->w_j, dr[2];
    for (int k = 0; k < 2; k++) {
        v->r_new[k] = without_offset(task, row, k, v->r_new[k]);
        dr[k] = v->r_new[k] - v->r[k];
    }
    scatter2(task->r, row, v->r_new);
    cn_four x = c->n[0] * dr[0] - c->n[1] * dr[1], y = c->n[1] * dr[0] + c->n[0] * dr[1];
    w_j[0] += c->head.s_j * x;
    w_j[1] += c->head.s_j * y;
    w_j[2] += c->turn_j[0] * dr[0] + c->turn_j[1] * dr[1];
    w_i[0] += c->head.s_i * x;
    w_i[1] += c->head.s_i * y;
    w_i[2] += c->turn_i[0] * dr[0] + c->turn_i[1] * dr[1];
    scatter3(task->w, c->head.w_j, w_j);
    scatter3(task->w, c->head.w_i, w_i);
}

CN_INLINE void visit_planes(const cn_simd_task *task, cn_simd_plane *a, cn_simd_plane *b,
                            bool is_two)
{
    plane_visit x, y;
    begin_plane(task, a, &x);
    if (is_two) {
        begin_plane(task, b, &y);
    }
    end_plane(task, a, &x);
    if (is_two) {
        end_plane(task, b, &y);
    }
}

// A ball: W' is diagonal, so sliding is the clipped stick. What needs no u is ready when u comes.
CN_INLINE void solve_ball(const cn_four W[3], cn_four mu, const cn_four u[3], cn_four r[3])
{
    const cn_four zero = {0.0};
    four_mask is_open = ~((u[0] < zero) & (W[0] > zero));
    cn_four inv_n = 1.0 / W[0], inv_t = 1.0 / W[1], length2 = u[1] * u[1] + u[2] * u[2];
    cn_four r_n = -u[0] * inv_n, bound = mu * r_n, most = bound * W[1];
    four_mask is_slide = length2 > most * most;
    cn_four scale = choose(is_slide, bound / root_of(length2), inv_t);
    r[0] = choose(is_open, zero, r_n);
    r[1] = choose(is_open, zero, -scale * u[1]);
    r[2] = choose(is_open, zero, -scale * u[2]);
}

// Writes the new impulses; returns their change in dr.
CN_INLINE void write_r3(const cn_simd_task *task, const int row[4], const cn_four r[3],
                        cn_four r_new[3], cn_four dr[3])
{
    for (int k = 0; k < 3; k++) {
        r_new[k] = without_offset(task, row, k, r_new[k]);
        dr[k] = r_new[k] - r[k];
    }
    scatter3(task->r, row, r_new);
}

// The same of balls.
typedef struct ball_visit {
    cn_four w_i[6], w_j[6], r[3], t2[3], W[3], u[3];
} ball_visit;

CN_INLINE void begin_ball(const cn_simd_task *task, const cn_simd_ball *c, ball_visit *v)
{
    const int *row = c->head.row;
    cn_four move[3], spin[3];
    gather6(task->w, c->head.w_i, v->w_i);
    gather6(task->w, c->head.w_j, v->w_j);
    gather3(task->r, row, v->r);
    cross(c->n, c->t, v->t2);
    for (int k = 0; k < 3; k++) {
        move[k] = c->head.s_i * v->w_i[k] + c->head.s_j * v->w_j[k];
        spin[k] = c->kappa_i * v->w_i[3 + k] + c->kappa_j * v->w_j[3 + k];
    }
    v->W[0] = c->head.s_i * c->head.s_i + c->head.s_j * c->head.s_j;
    v->W[1] = v->W[2] = v->W[0] + (c->kappa_i * c->kappa_i + c->kappa_j * c->kappa_j);
    v->u[0] = dot(c->n, move);
    v->u[1] = dot(c->t, move) + dot(v->t2, spin);
    v->u[2] = dot(v->t2, move) - dot(c->t, spin);
    for (int k = 0; k < 3; k++) {
        v->u[k] += c->shift[k] - v->W[k] * v->r[k];
        v->W[k] += compliance_of(task, row, k);
    }
}

CN_INLINE void end_ball(const cn_simd_task *task, const cn_simd_ball *c, ball_visit *v,
                        cn_four r_new[3])
{
    cn_four dr[3];
    write_r3(task, c->head.row, v->r, r_new, dr);
    for (int k = 0; k < 3; k++) {
        cn_four push = c->n[k] * dr[0] + c->t[k] * dr[1] + v->t2[k] * dr[2];
        cn_four twist = v->t2[k] * dr[1] - c->t[k] * dr[2];
        v->w_j[k] += c->head.s_j * push;
        v->w_j[3 + k] += c->kappa_j * twist;
        v->w_i[k] += c->head.s_i * push;
        v->w_i[3 + k] += c->kappa_i * twist;
    }
    scatter6(task->w, c->head.w_j, v->w_j);
    scatter6(task->w, c->head.w_i, v->w_i);
}

CN_INLINE void visit_balls(const cn_simd_task *task, cn_simd_ball *a, cn_simd_ball *b, bool is_two)
{
    ball_visit x, y;
    cn_four r_x[3], r_y[3];
    begin_ball(task, a, &x);
    if (is_two) {
        begin_ball(task, b, &y);
    }
    solve_ball(x.W, a->head.mu, x.u, r_x);
    if (is_two) {
        solve_ball(y.W, b->head.mu, y.u, r_y);
    }
    end_ball(task, a, &x, r_x);
    if (is_two) {
        end_ball(task, b, &y, r_y);
    }
}

// W' r of the contact itself.
CN_INLINE void own_velocity(const cn_four W[6], const cn_four r[3], cn_four own[3])
{
    own[0] = W[0] * r[0] + W[1] * r[1] + W[2] * r[2];
    own[1] = W[1] * r[0] + W[3] * r[1] + W[4] * r[2];
    own[2] = W[2] * r[0] + W[4] * r[1] + W[5] * r[2];
}

// The same of other bodies in space.
typedef struct space_visit {
    cn_four w_i[6], w_j[6], r[3], t2[3], u[3];
    cn_four F_i[9], F_j[9]; // of bodies, where contacts are given by their geometry
    const cn_four *W;
    cn_four *root; // of the last visit
} space_visit;

// Nothing presses on lanes that are open.
CN_INLINE void close_open(space_local *local)
{
    const cn_four zero = {0.0};
    for (int k = 0; k < 3; k++) {
        local->r[k] = choose(local->is_open, zero, local->r[k]);
    }
}

CN_INLINE void begin_space(const cn_simd_task *task, cn_simd_space *c, space_visit *v)
{
    const int *row = c->head.row;
    cn_four move[3], own[3];
    gather6(task->w, c->head.w_i, v->w_i);
    gather6(task->w, c->head.w_j, v->w_j);
    gather3(task->r, row, v->r);
    for (int k = 0; k < 3; k++) {
        move[k] = c->head.s_i * v->w_i[k] + c->head.s_j * v->w_j[k];
    }
    cross(c->n, c->t, v->t2);
    const cn_four *const axis[3] = {c->n, c->t, v->t2};
    own_velocity(c->W, v->r, own);
    v->W = c->W;
    v->root = &c->x;
    for (int k = 0; k < 3; k++) {
        v->u[k] = c->shift[k] + dot(axis[k], move) + dot(c->turn_i + 3 * k, v->w_i + 3) +
                  dot(c->turn_j + 3 * k, v->w_j + 3) -
                  (own[k] - compliance_of(task, row, k) * v->r[k]);
    }
}

CN_INLINE void end_space(const cn_simd_task *task, const cn_simd_space *c, space_visit *v,
                         space_local *local)
{
    cn_four dr[3];
    close_open(local);
    write_r3(task, c->head.row, v->r, local->r, dr);
    for (int k = 0; k < 3; k++) {
        cn_four push = c->n[k] * dr[0] + c->t[k] * dr[1] + v->t2[k] * dr[2];
        v->w_j[k] += c->head.s_j * push;
        v->w_j[3 + k] += c->turn_j[k] * dr[0] + c->turn_j[3 + k] * dr[1] + c->turn_j[6 + k] * dr[2];
        v->w_i[k] += c->head.s_i * push;
        v->w_i[3 + k] += c->turn_i[k] * dr[0] + c->turn_i[3 + k] * dr[1] + c->turn_i[6 + k] * dr[2];
    }
    scatter6(task->w, c->head.w_j, v->w_j);
    scatter6(task->w, c->head.w_i, v->w_i);
}

// F of four bodies.
CN_INLINE void gather_root(const double *root, const int w[4], cn_four F[9])
{
    const int at[4] = {2 * w[0] + 3, 2 * w[1] + 3, 2 * w[2] + 3, 2 * w[3] + 3};
    for (int k = 0; k < 8; k += 2) {
        gather2(root + k, at, F + k);
    }
    F[8] = pick(root, at, 8);
}

// move += s w + (F^T w) x arm: velocity at the contact of one side.
CN_INLINE void add_velocity(cn_four s, const cn_four F[9], const cn_four arm[3], const cn_four w[6],
                            cn_four move[3])
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
CN_INLINE void add_push(cn_four s, const cn_four F[9], const cn_four arm[3], const cn_four push[3],
                        cn_four w[6])
{
    cn_four twist[3];
    cross(arm, push, twist);
    for (int k = 0; k < 3; k++) {
        w[k] += s * push[k];
        w[3 + k] += dot(F + 3 * k, twist);
    }
}

CN_INLINE void begin_arm(const cn_simd_task *task, cn_simd_arm *c, space_visit *v)
{
    const int *row = c->head.row;
    cn_four move[3] = {{0.0}, {0.0}, {0.0}}, own[3];
    gather6(task->w, c->head.w_i, v->w_i);
    gather6(task->w, c->head.w_j, v->w_j);
    gather_root(task->root, c->head.w_i, v->F_i);
    gather_root(task->root, c->head.w_j, v->F_j);
    gather3(task->r, row, v->r);
    add_velocity(c->head.s_i, v->F_i, c->arm_i, v->w_i, move);
    add_velocity(c->head.s_j, v->F_j, c->arm_j, v->w_j, move);
    cross(c->n, c->t, v->t2);
    const cn_four *const axis[3] = {c->n, c->t, v->t2};
    own_velocity(c->W, v->r, own);
    v->W = c->W;
    v->root = &c->x;
    for (int k = 0; k < 3; k++) {
        v->u[k] =
            c->shift[k] + dot(axis[k], move) - (own[k] - compliance_of(task, row, k) * v->r[k]);
    }
}

CN_INLINE void end_arm(const cn_simd_task *task, const cn_simd_arm *c, space_visit *v,
                       space_local *local)
{
    cn_four dr[3], push[3];
    close_open(local);
    write_r3(task, c->head.row, v->r, local->r, dr);
    for (int k = 0; k < 3; k++) {
        push[k] = c->n[k] * dr[0] + c->t[k] * dr[1] + v->t2[k] * dr[2];
    }
    add_push(c->head.s_j, v->F_j, c->arm_j, push, v->w_j);
    add_push(c->head.s_i, v->F_i, c->arm_i, push, v->w_i);
    scatter6(task->w, c->head.w_j, v->w_j);
    scatter6(task->w, c->head.w_i, v->w_i);
}

// Two records on their way through a visit, or one.
typedef struct space_pair {
    space_visit x, y;
    space_local r_x, r_y;
} space_pair;

// Signorini-Coulomb in space: the true disk.
CN_INLINE void solve_spaces(const cn_simd_task *task, const cn_simd_head *a, const cn_simd_head *b,
                            space_pair *v, bool is_two)
{
    slide s_x, s_y;
    solve_still(v->x.W, a->mu, v->x.u, *v->x.root, &s_x, &v->r_x);
    four_mask is_slide = v->r_x.is_slide;
    if (is_two) {
        solve_still(v->y.W, b->mu, v->y.u, *v->y.root, &s_y, &v->r_y);
        is_slide |= v->r_y.is_slide;
    }
    if (!any(is_slide)) {
        return;
    }
    slide_solve(&s_x, &s_y, is_two, task->newton_max);
    take_slide(&s_x, &v->r_x, v->x.root);
    if (is_two) {
        take_slide(&s_y, &v->r_y, v->y.root);
    }
}

CN_INLINE void visit_arms(const cn_simd_task *task, cn_simd_arm *a, cn_simd_arm *b, bool is_two)
{
    space_pair v;
    begin_arm(task, a, &v.x);
    if (is_two) {
        begin_arm(task, b, &v.y);
    }
    solve_spaces(task, &a->head, &b->head, &v, is_two);
    end_arm(task, a, &v.x, &v.r_x);
    if (is_two) {
        end_arm(task, b, &v.y, &v.r_y);
    }
}

CN_INLINE void visit_spaces(const cn_simd_task *task, cn_simd_space *a, cn_simd_space *b,
                            bool is_two)
{
    space_pair v;
    begin_space(task, a, &v.x);
    if (is_two) {
        begin_space(task, b, &v.y);
    }
    solve_spaces(task, &a->head, &b->head, &v, is_two);
    end_space(task, a, &v.x, &v.r_x);
    if (is_two) {
        end_space(task, b, &v.y, &v.r_y);
    }
}

// gcc takes a function that only fetches for one without effect and drops the call, unless it is
// inlined before.
#define CN_FETCH static inline __attribute__((always_inline)) void

// The lines of a record.
CN_FETCH fetch_record(const cn_simd_task *task, const cn_batch *batch)
{
    enum { LINE = 64 };
    static const unsigned char lines[CN_SIMD_KIND_COUNT] = {
        [CN_SIMD_PLANE] = sizeof(cn_simd_plane) / LINE + 1,
        [CN_SIMD_BALL] = sizeof(cn_simd_ball) / LINE + 1,
        [CN_SIMD_SPACE] = sizeof(cn_simd_space) / LINE + 1,
        [CN_SIMD_ARM] = sizeof(cn_simd_arm) / LINE + 1,
        [CN_SIMD_ROLL] = sizeof(cn_simd_roll) / LINE + 1,
        [CN_SIMD_ROLL_SPIN] = sizeof(cn_simd_roll) / LINE + 1,
    };
    const char *at = (const char *)(task->stream + batch->at);
    for (int k = 0; k < lines[batch->kind]; k++) {
        __builtin_prefetch(at + LINE * k);
    }
}

// What a record names: bodies, with their roots if it is given by its geometry, and impulses.
CN_FETCH fetch_named(const cn_simd_task *task, const cn_batch *batch)
{
    enum { ROOT = 3, LINE = 8 }; // a root begins behind three doubles and ends in the next line
    const cn_simd_head *at = (const cn_simd_head *)(const void *)(task->stream + batch->at);
    for (int lane = 0; lane < 4; lane++) {
        __builtin_prefetch(task->w + at->w_i[lane], 1);
        __builtin_prefetch(task->w + at->w_j[lane], 1);
        __builtin_prefetch(task->r + at->row[lane], 1);
    }
    for (int lane = 0; lane < 4 && batch->kind == CN_SIMD_ARM; lane++) {
        const double *root_i = task->root + 2 * at->w_i[lane] + ROOT;
        const double *root_j = task->root + 2 * at->w_j[lane] + ROOT;
        __builtin_prefetch(root_i);
        __builtin_prefetch(root_i + LINE);
        __builtin_prefetch(root_j);
        __builtin_prefetch(root_j + LINE);
    }
}

// What batch n of `count` makes ready for those that follow: records before what they name, or the
// names themselves would have to be waited for.
CN_FETCH fetch_ahead(const cn_simd_task *task, const cn_batch *batch, int n, int count, int step)
{
    enum { AHEAD = 4, FAR = 10 };
    if (n + FAR < count) {
        fetch_record(task, batch + step * FAR);
    }
    if (n + AHEAD < count) {
        fetch_named(task, batch + step * AHEAD);
    }
}

typedef void visit_fn(const cn_simd_task *task, void *a, void *b);

// The functions of a kernel, of one record and of two, with compliances and offsets and without.
// Each stands alone: in one function they would share registers.
#define CN_VISIT(name, kernel, is_two)                                                             \
    static __attribute__((noinline)) void name(const cn_simd_task *task, void *a, void *b)         \
    {                                                                                              \
        kernel(task, a, b, is_two);                                                                \
    }                                                                                              \
    static __attribute__((noinline)) void name##_plain(const cn_simd_task *task, void *a, void *b) \
    {                                                                                              \
        cn_simd_task plain = *task;                                                                \
        plain.c = plain.r0 = NULL;                                                                 \
        kernel(&plain, a, b, is_two);                                                              \
    }
CN_VISIT(one_plane, visit_planes, false)
CN_VISIT(two_planes, visit_planes, true)
CN_VISIT(one_ball, visit_balls, false)
CN_VISIT(two_balls, visit_balls, true)
CN_VISIT(one_space, visit_spaces, false)
CN_VISIT(two_spaces, visit_spaces, true)
CN_VISIT(one_arm, visit_arms, false)
CN_VISIT(two_arms, visit_arms, true)

static void one_roll(const cn_simd_task *task, void *a, void *b)
{
    (void)b;
    visit_roll(task, a, 5);
}

static void one_roll_spin(const cn_simd_task *task, void *a, void *b)
{
    (void)b;
    visit_roll(task, a, 6);
}

// By kind, then without compliances and offsets or with, then of one record or two. Records with
// moments are never visited in twos (cn_batches_part).
static visit_fn *const visits[CN_SIMD_KIND_COUNT][2][2] = {
    [CN_SIMD_PLANE] = {{one_plane_plain, two_planes_plain}, {one_plane, two_planes}},
    [CN_SIMD_BALL] = {{one_ball_plain, two_balls_plain}, {one_ball, two_balls}},
    [CN_SIMD_SPACE] = {{one_space_plain, two_spaces_plain}, {one_space, two_spaces}},
    [CN_SIMD_ARM] = {{one_arm_plain, two_arms_plain}, {one_arm, two_arms}},
    [CN_SIMD_ROLL] = {{one_roll, NULL}, {one_roll, NULL}},
    [CN_SIMD_ROLL_SPIN] = {{one_roll_spin, NULL}, {one_roll_spin, NULL}},
};

void CN_SIMD_SWEEP(const cn_simd_task *task, int first, int end, bool is_backward)
{
    int count = end - first, step = is_backward ? -1 : 1, taken;
    const cn_batch *start = task->batch + (is_backward ? end - 1 : first);
    bool is_soft = task->c != NULL || task->r0 != NULL;
    for (int n = 0; n < count; n += taken) {
        const cn_batch *batch = start + step * n;
        bool is_two = n + 1 < count && batch[is_backward ? 0 : 1].is_apart;
        taken = is_two ? 2 : 1;
        for (int k = 0; k < taken && task->is_far; k++) {
            fetch_ahead(task, batch + step * k, n + k, count, step);
        }
        const cn_batch *other = batch + (is_two ? step : 0); // of one record not looked at
        visits[batch->kind][is_soft][is_two](task, task->stream + batch->at,
                                             task->stream + other->at);
    }
}
