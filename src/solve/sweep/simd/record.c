// solve/sweep/simd/record.c -- see record.h.
#include "solve/sweep/simd/record.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "solve/problem/blocks.h"
#include "solve/problem/parallel.h"
#include "solve/sweep/local.h"

// Relative error of G within which a contact counts as one of rigid bodies: a few roundings.
#define SHAPE_ERROR 1e-13

static const size_t record_size[CN_SIMD_KIND_COUNT] = {
    [CN_SIMD_PLANE] = sizeof(cn_simd_plane),    [CN_SIMD_BALL] = sizeof(cn_simd_ball),
    [CN_SIMD_SPACE] = sizeof(cn_simd_space),    [CN_SIMD_ROLL] = sizeof(cn_simd_roll),
    [CN_SIMD_ROLL_SPIN] = sizeof(cn_simd_roll), [CN_SIMD_ARM] = sizeof(cn_simd_arm),
};

// G of a contact of rigid bodies taken apart: axes, and per side scale and rotation. Sides are
// swapped if the first body cannot move.
typedef struct shape {
    int rows, dof, sides;
    int w[2];
    double axis[3][3];
    double s[2];
    double turn[2][3][3]; // rotation of each row; in the plane one number per row
    double kappa[2];
    double g[2];                   // of moments
    double arm[2][3];              // if the contact is given by its geometry, with the sign of s
    const double *G[2];            // NULL: no body
    double room[2][CN_BLOCK_ROOM]; // of G, the last member: nothing is to be cleared of it
} shape;

static double dot_of(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

// Axes from the side `from`, whose scale has the given sign; the last axis completes the frame.
static bool take_axes(shape *x, int side, double sign)
{
    int dim = x->rows;
    const double *G = x->G[side];
    x->s[side] = sign * sqrt(dot_of(dim, G, G));
    if (x->s[side] == 0.0) {
        return false;
    }
    for (int k = 0; k < dim - 1; k++) {
        for (int d = 0; d < dim; d++) {
            x->axis[k][d] = G[x->dof * k + d] / x->s[side];
        }
    }
    const double *n = x->axis[0], *t = x->axis[1];
    if (dim == 2) {
        x->axis[1][0] = -n[1];
        x->axis[1][1] = n[0];
    } else {
        x->axis[2][0] = n[1] * t[2] - n[2] * t[1];
        x->axis[2][1] = n[2] * t[0] - n[0] * t[2];
        x->axis[2][2] = n[0] * t[1] - n[1] * t[0];
    }
    return true;
}

// Whether the translation rows of a side are its scale times the axes; keeps its rotation.
static bool fits(shape *x, int side)
{
    const double *G = x->G[side];
    if (G == NULL) {
        return true;
    }
    x->s[side] = dot_of(x->rows, G, x->axis[0]);
    double most = SHAPE_ERROR * fabs(x->s[side]);
    for (int k = 0; k < x->rows; k++) {
        for (int d = 0; d < x->rows; d++) {
            if (!(fabs(G[x->dof * k + d] - x->s[side] * x->axis[k][d]) <= most)) {
                return false;
            }
        }
        memcpy(x->turn[side][k], G + x->dof * k + x->rows,
               sizeof(double) * (size_t)(x->dof - x->rows));
    }
    return true;
}

// Whether the rotation rows of a side are kappa (n x a_k).
static bool is_ball_side(shape *x, int side)
{
    double kappa = dot_of(3, x->turn[side][1], x->axis[2]), most = SHAPE_ERROR * fabs(kappa);
    x->kappa[side] = kappa;
    for (int d = 0; d < 3; d++) {
        if (!(fabs(x->turn[side][0][d]) <= most) ||
            !(fabs(x->turn[side][1][d] - kappa * x->axis[2][d]) <= most) ||
            !(fabs(x->turn[side][2][d] + kappa * x->axis[1][d]) <= most)) {
            return false;
        }
    }
    return true;
}

// Whether the rows of moments of a side, which follow those of forces, are g times their axes.
static bool has_plain_moments(shape *x, int side, int moments)
{
    static const int axis[3] = {1, 2, 0}; // rolling about the tangents, spinning about the normal
    const double *G = x->G[side];
    if (G == NULL) {
        return true;
    }
    double g = x->g[side] = dot_of(3, G + 6 * 3 + 3, x->axis[1]), most = SHAPE_ERROR * fabs(g);
    for (int k = 0; k < moments; k++) {
        const double *row = G + 6 * (3 + k), *a = x->axis[axis[k]];
        for (int d = 0; d < 3; d++) {
            if (row[d] != 0.0 || !(fabs(row[3 + d] - g * a[d]) <= most)) {
                return false;
            }
        }
    }
    return g != 0.0;
}

// Whether compliances do not tell the tangents from each other.
static bool is_even(const cn_problem *p, const cn_packed *c)
{
    const double *compliance = p->c != NULL ? p->c + c->row : NULL;
    return compliance == NULL ||
           (compliance[1] == compliance[2] && (c->rows < 5 || compliance[3] == compliance[4]));
}

// Whether kernels find the roots of the bodies of a contact that is given by its geometry.
static bool has_roots(const cn_solver *s, const cn_problem *p, const cn_packed *c, const shape *x)
{
    const cn_factors *f = &p->W.factors;
    const int *body = f->body + 2 * c->a + (c->dof_i > 0 ? 0 : 1);
    bool found = true;
    for (int k = 0; k < x->sides; k++) {
        found = found && (s->has_body_order || 2 * x->w[k] == CN_ROOT_SIZE * body[k]);
    }
    return found;
}

// How far the arm of a side goes along the normal.
static double arm_along(const cn_geometry *from)
{
    const double *n = from->n, *arm = from->arm;
    return arm[0] * n[0] + arm[1] * n[1] + arm[2] * n[2];
}

// What a ball turns by, if the side is that of one.
static double kappa_of(const cn_geometry *from)
{
    return from->sign * from->F[0] * arm_along(from);
}

// Whether the scales of the body of a side are one.
static bool is_even_side(const cn_geometry *from)
{
    double most = SHAPE_ERROR * fabs(from->S[0]);
    return from->S[0] != 0.0 && fabs(from->S[1] - from->S[0]) <= most &&
           fabs(from->S[2] - from->S[0]) <= most;
}

// Whether F is a multiple of one, the arm goes along the normal, and so the side is that of a ball.
static bool is_ball_geometry(const cn_geometry *from)
{
    const double *F = from->F, *n = from->n, *arm = from->arm;
    double along = arm_along(from), f = F[0];
    double across2 = 0.0, uneven2 = 0.0, most = SHAPE_ERROR * fabs(f * along);
    for (int d = 0; d < 3; d++) {
        across2 += (arm[d] - along * n[d]) * (arm[d] - along * n[d]);
        for (int k = 0; k < 3; k++) {
            double other = F[3 * d + k] - (d == k ? f : 0.0);
            uneven2 += other * other;
        }
    }
    return f * f * across2 + along * along * uneven2 <= most * most;
}

// Sides and axes of a contact that is given by its geometry: they have the shape, if the scales of
// each body are one.
static bool take_geometry(const cn_problem *p, const cn_packed *c, shape *x)
{
    int side = c->dof_i > 0 ? 0 : 1;
    for (int k = 0; k < x->sides; k++, side++) {
        cn_geometry from = cn_geometry_of(&p->W.factors, c->a, side);
        if (!c->is_ball && !is_even_side(&from)) {
            return false;
        }
        x->s[k] = from.sign * from.S[0];
        memcpy(x->axis[0], from.n, sizeof x->axis[0]);
        memcpy(x->axis[1], from.t1, sizeof x->axis[1]);
        for (int d = 0; d < 3; d++) {
            x->arm[k][d] = from.sign * from.arm[d];
        }
        x->kappa[k] = c->is_ball ? kappa_of(&from) : 0.0;
    }
    return true;
}

// Sides and axes of any other contact of rigid bodies, or of one whose roots cannot be found.
static bool take_blocks(const cn_problem *p, const cn_packed *c, shape *x)
{
    int side = c->dof_i > 0 ? 0 : 1;
    for (int k = 0; k < x->sides; k++) {
        x->G[k] = cn_problem_factor(p, c->a, side + k, x->room[k]);
    }
    return take_axes(x, 0, side == 0 ? 1.0 : -1.0) && fits(x, 0) && fits(x, 1);
}

// Bodies of a packed constraint of rigid bodies with `rows` rows of forces.
static bool take_bodies(const cn_solver *s, const cn_problem *p, const cn_packed *c, int rows,
                        shape *x)
{
    int dof = rows == 2 ? 3 : 6;
    bool has_i = c->dof_i == dof, has_j = c->dof_j == dof;
    if (!(has_i || has_j) || (c->dof_i != 0 && !has_i) || (c->dof_j != 0 && !has_j) ||
        (has_j && has_i && p->W.factors.body[2 * c->a] == p->W.factors.body[2 * c->a + 1])) {
        return false;
    }
    memset(x, 0, offsetof(shape, room));
    x->rows = rows;
    x->dof = dof;
    x->sides = has_i + has_j;
    x->w[0] = cn_packed_w(s, &p->W.factors, c, has_i ? 0 : 1);
    x->w[1] = x->sides == 2 ? cn_packed_w(s, &p->W.factors, c, 1) : x->w[0];
    return true;
}

bool cn_record_is_ball(const cn_problem *p, const cn_packed *c, double *trace)
{
    const cn_factors *f = &p->W.factors;
    bool is_lone = c->dof_i == 0 || c->dof_j == 0;
    if (c->kind != CN_CORE_CONE || p->W.rows.row != NULL || f->cell != NULL ||
        c->dof_i + c->dof_j == 0 || !cn_is_geometry(f, c->a) ||
        (!is_lone && f->body[2 * c->a] == f->body[2 * c->a + 1]) || !is_even(p, c)) {
        return false;
    }
    *trace = 0.0;
    for (int side = 0; side < 2; side++) {
        if ((side == 0 ? c->dof_i : c->dof_j) == 0) {
            continue;
        }
        cn_geometry from = cn_geometry_of(f, c->a, side);
        if (!is_even_side(&from) || !is_ball_geometry(&from)) {
            return false;
        }
        double s = from.S[0], kappa = kappa_of(&from);
        *trace += 3.0 * s * s + 2.0 * kappa * kappa; // along the normal and both tangents
    }
    return true;
}

// Takes a packed constraint apart; the kind of kernel that visits it, -1: none.
static int take_apart(const cn_solver *s, const cn_problem *p, const cn_packed *c, shape *x)
{
    bool is_roll = p->dim == 3 && c->has_moments && c->rows >= 5, is_ball;
    if (c->kind != CN_CORE_CONE || c->rows < 2 || (c->rows > 3 && !is_roll) ||
        !take_bodies(s, p, c, is_roll ? 3 : c->rows, x)) {
        return -1;
    }
    if (cn_is_geometry(&p->W.factors, c->a)) {
        if (!take_geometry(p, c, x)) {
            return -1;
        }
        if (c->is_ball || has_roots(s, p, c, x)) {
            return c->is_ball ? CN_SIMD_BALL : CN_SIMD_ARM;
        }
    }
    if (!take_blocks(p, c, x)) {
        return -1;
    }
    if (c->rows == 2) {
        return CN_SIMD_PLANE;
    }
    is_ball = is_even(p, c) && is_ball_side(x, 0) && is_ball_side(x, 1);
    if (!is_roll) {
        return is_ball ? CN_SIMD_BALL : CN_SIMD_SPACE;
    }
    bool is_plain =
        is_ball && has_plain_moments(x, 0, c->rows - 3) && has_plain_moments(x, 1, c->rows - 3);
    return !is_plain ? -1 : (c->rows == 5 ? CN_SIMD_ROLL : CN_SIMD_ROLL_SPIN);
}

// A contact of a body with its own image in a periodic cell: its rows have no translation.
static bool is_with_itself(const cn_problem *p, const cn_packed *c)
{
    bool is_lone = c->dof_i == 0 || c->dof_j == 0;
    if (!is_lone || c->dof_i + c->dof_j == 0 || cn_is_geometry(&p->W.factors, c->a)) {
        return false;
    }
    double room[CN_BLOCK_ROOM], sum = 0.0;
    const double *G = cn_problem_factor(p, c->a, c->dof_i > 0 ? 0 : 1, room);
    for (int d = 0; d < p->dim; d++) {
        sum += G[d] * G[d];
    }
    return sum == 0.0;
}

int cn_record_kind(const cn_solver *s, const cn_problem *p, const cn_packed *c)
{
    shape x;
    if (cn_has_parallel(p, c->row, c->rows) || p->W.factors.cell != NULL || is_with_itself(p, c)) {
        return -1; // visited one by one
    }
    return c->is_ball ? CN_SIMD_BALL : take_apart(s, p, c, &x);
}

size_t cn_record_size(int kind)
{
    return record_size[kind];
}

static void write_plane(cn_simd_plane *to, int lane, const shape *x)
{
    for (int k = 0; k < 2; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->turn_i[k][lane] = x->turn[0][k][0];
        to->turn_j[k][lane] = x->turn[1][k][0];
    }
}

static void write_ball(cn_simd_ball *to, int lane, const shape *x)
{
    for (int k = 0; k < 3; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->t[k][lane] = x->axis[1][k];
    }
    to->kappa_i[lane] = x->kappa[0];
    to->kappa_j[lane] = x->kappa[1];
}

static void write_space(cn_simd_space *to, int lane, const shape *x)
{
    for (int k = 0; k < 3; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->t[k][lane] = x->axis[1][k];
        for (int d = 0; d < 3; d++) {
            to->turn_i[3 * k + d][lane] = x->turn[0][k][d];
            to->turn_j[3 * k + d][lane] = x->turn[1][k][d];
        }
    }
    to->x[lane] = 0.0;
}

static void write_arm(cn_simd_arm *to, int lane, const shape *x)
{
    for (int k = 0; k < 3; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->t[k][lane] = x->axis[1][k];
        to->arm_i[k][lane] = x->arm[0][k];
        to->arm_j[k][lane] = x->arm[1][k];
    }
    to->x[lane] = 0.0;
}

static void write_roll(cn_simd_roll *to, int lane, const shape *x)
{
    for (int k = 0; k < 3; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->t[k][lane] = x->axis[1][k];
    }
    to->kappa_i[lane] = x->kappa[0];
    to->kappa_j[lane] = x->kappa[1];
    to->g_i[lane] = x->g[0];
    to->g_j[lane] = x->g[1];
}

// What a kernel keeps of W', by kind. That of balls is made of their other numbers.
static void write_block(int kind, void *record, int lane, int rows, const double *W)
{
    static const int upper[6] = {0, 1, 2, 4, 5, 8}; // triangle of a block of three rows
    if (kind == CN_SIMD_PLANE) {
        cn_simd_plane *to = record;
        to->W[0][lane] = W[0];
        to->W[1][lane] = W[1];
        to->W[2][lane] = W[3];
        to->inv_det[lane] = cn_inverse_det2(W);
    } else if (kind == CN_SIMD_ROLL || kind == CN_SIMD_ROLL_SPIN) {
        cn_simd_roll *to = record;
        to->W_n[lane] = W[0];
        to->W_t[lane] = W[rows + 1];
        to->W_roll[lane] = W[3 * rows + 3];
        to->W_spin[lane] = rows > 5 ? W[5 * rows + 5] : 1.0;
        to->couple[lane] = W[rows + 4];
    } else if (kind != CN_SIMD_BALL) {
        cn_four *to =
            kind == CN_SIMD_ARM ? ((cn_simd_arm *)record)->W : ((cn_simd_space *)record)->W;
        for (int k = 0; k < 6; k++) {
            to[k][lane] = W[upper[k]];
        }
    }
}

// W' and shift of one lane, which depend on compliances, shifts and free velocities.
static void write_numbers(const cn_problem *p, const cn_packed *c, int kind, void *record,
                          cn_four *to, int lane)
{
    double W[CN_ROW_MAX * CN_ROW_MAX], shift[CN_ROW_MAX];
    if (kind == CN_SIMD_BALL) {
        cn_packed_shift(p, c, shift);
    } else {
        cn_packed_numbers(p, c, W, shift);
        write_block(kind, record, lane, c->rows, W);
    }
    for (int k = 0; k < c->rows; k++) {
        to[k][lane] = shift[k];
    }
}

// Fills one lane with what is kept of packed constraint c beside W' and shift.
static void write_lane(const cn_solver *s, const cn_problem *p, const cn_packed *c, int kind,
                       void *record, int lane)
{
    shape x;
    take_apart(s, p, c, &x);
    cn_simd_head *head = record;
    head->w_i[lane] = x.w[0];
    head->w_j[lane] = x.w[1];
    head->row[lane] = c->row;
    head->s_i[lane] = x.s[0];
    head->s_j[lane] = x.s[1];
    head->mu[lane] = c->mu;
    switch (kind) {
    case CN_SIMD_PLANE:
        write_plane(record, lane, &x);
        break;
    case CN_SIMD_BALL:
        write_ball(record, lane, &x);
        break;
    case CN_SIMD_ARM:
        write_arm(record, lane, &x);
        break;
    case CN_SIMD_ROLL:
    case CN_SIMD_ROLL_SPIN:
        write_roll(record, lane, &x);
        ((cn_simd_roll *)record)->shift[5][lane] = 0.0; // of five rows
        ((cn_simd_roll *)record)->mu_roll[lane] = p->mu_roll != NULL ? p->mu_roll[c->a] : 0.0;
        ((cn_simd_roll *)record)->mu_spin[lane] = p->mu_spin != NULL ? p->mu_spin[c->a] : 0.0;
        break;
    default:
        write_space(record, lane, &x);
        break;
    }
}

// Lanes that hold no contact repeat lane 0.
static void pad(void *record, int kind, int count)
{
    cn_simd_head *head = record;
    size_t fours = (record_size[kind] - offsetof(cn_simd_head, s_i)) / sizeof(cn_four);
    for (int lane = count; lane < 4; lane++) {
        head->w_i[lane] = head->w_i[0];
        head->w_j[lane] = head->w_j[0];
        head->row[lane] = head->row[0];
        for (size_t k = 0; k < fours; k++) {
            (&head->s_i)[k][lane] = (&head->s_i)[k][0];
        }
    }
}

void cn_record_write(const cn_solver *s, const cn_problem *p, const cn_batch *batch)
{
    void *record = s->batches.stream + batch->at;
    for (int lane = 0; lane < batch->count; lane++) {
        write_lane(s, p, cn_batch_member(s, batch, lane), batch->kind, record, lane);
    }
    cn_record_renumber(s, p, batch);
}

void cn_record_renumber(const cn_solver *s, const cn_problem *p, const cn_batch *batch)
{
    void *record = s->batches.stream + batch->at;
    cn_four *shift = cn_batch_shift(&s->batches, batch);
    for (int lane = 0; lane < batch->count; lane++) {
        write_numbers(p, cn_batch_member(s, batch, lane), batch->kind, record, shift, lane);
    }
    pad(record, batch->kind, batch->count);
}
