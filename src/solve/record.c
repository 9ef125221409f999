// solve/record.c -- see record.h.
#include "solve/record.h"

#include <math.h>
#include <string.h>

#include "solve/blocks.h"
#include "solve/local.h"

// Relative error of G within which a contact counts as one of rigid bodies: a few roundings.
#define SHAPE_ERROR 1e-13

static const size_t record_size[CN_WIDE_KIND_COUNT] = {
    [CN_WIDE_PLANE] = sizeof(cn_wide_plane),    [CN_WIDE_BALL] = sizeof(cn_wide_ball),
    [CN_WIDE_SPACE] = sizeof(cn_wide_space),    [CN_WIDE_ROLL] = sizeof(cn_wide_roll),
    [CN_WIDE_ROLL_SPIN] = sizeof(cn_wide_roll), [CN_WIDE_ARM] = sizeof(cn_wide_arm),
};

// G of a contact of rigid bodies taken apart: axes, and per side scale and rotation. Sides are
// swapped if the first body cannot move.
typedef struct shape {
    int dof;
    const double *G[2]; // NULL: no body
    double room[2][CN_BLOCK_ROOM];
    int w[2];
    double axis[3][3];
    double s[2];
    double turn[2][3][3]; // rotation of each row; in the plane one number per row
    double kappa[2];
    double g[2];      // of moments
    double arm[2][3]; // if the contact is given by its geometry, with the sign of s
} shape;

static inline double dot_of(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

// Axes from a side whose scale has the given sign; the last axis completes the frame. `dim` is a
// literal here and below.
static inline bool take_axes(shape *x, int dim, int side, double sign)
{
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
static inline bool fits(shape *x, int dim, int side)
{
    const double *G = x->G[side];
    if (G == NULL) {
        return true;
    }
    int dof = dim == 2 ? 3 : 6;
    x->s[side] = dot_of(dim, G, x->axis[0]);
    double most = SHAPE_ERROR * fabs(x->s[side]);
    bool is_close = true;
    for (int k = 0; k < dim; k++) {
        for (int d = 0; d < dim; d++) {
            is_close &= fabs(G[dof * k + d] - x->s[side] * x->axis[k][d]) <= most;
        }
        for (int d = dim; d < dof; d++) {
            x->turn[side][k][d - dim] = G[dof * k + d];
        }
    }
    return is_close;
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

// The arms of a contact that is given by its geometry, and whether kernels find the roots of its
// bodies.
static bool take_arms(const cn_solver *s, const cn_problem *p, const cn_packed *c, shape *x)
{
    const cn_factors *f = &p->W.factors;
    int side = c->dof_i > 0 ? 0 : 1;
    if (!cn_is_geometry(f, c->a)) {
        return false;
    }
    for (int k = 0; k < 2 && x->G[k] != NULL; k++, side = 1 - side) {
        cn_geometry from = cn_geometry_of(f, c->a, side);
        for (int d = 0; d < 3; d++) {
            x->arm[k][d] = from.sign * from.arm[d];
        }
        if (!s->is_placed && 2 * x->w[k] != CN_ROOT_SIZE * f->body[2 * c->a + side]) {
            return false;
        }
    }
    return true;
}

// Whether a packed constraint acts on one or two rigid bodies of `dof` degrees of freedom.
static bool has_rigid_sides(const cn_problem *p, const cn_packed *c, int dof)
{
    const int *body = p->W.factors.body + 2 * c->a;
    bool has_i = c->dof_i == dof, has_j = c->dof_j == dof;
    return (has_i || has_j) && (c->dof_i == 0 || has_i) && (c->dof_j == 0 || has_j) &&
           !(has_i && has_j && body[0] == body[1]);
}

// Where the sides of such a constraint are in w; the first one has a body.
static void find_sides(const cn_solver *s, const cn_problem *p, const cn_packed *c, int dof,
                       const double *G_i, const double *G_j, shape *x)
{
    bool has_i = c->dof_i == dof, has_j = c->dof_j == dof;
    int w_i = cn_packed_w(s, &p->W.factors, c, 0), w_j = cn_packed_w(s, &p->W.factors, c, 1);
    x->dof = dof;
    x->G[0] = has_i ? G_i : G_j;
    x->G[1] = has_i && has_j ? G_j : NULL;
    x->w[0] = has_i ? w_i : w_j;
    x->w[1] = has_i && has_j ? w_j : x->w[0];
}

// Sides and axes of a packed constraint of rigid bodies with `dim` rows of forces.
static inline bool take_sides(const cn_solver *s, const cn_problem *p, const cn_packed *c, int dim,
                              shape *x)
{
    const int dof = dim == 2 ? 3 : 6;
    if (!has_rigid_sides(p, c, dof)) {
        return false;
    }
    const double *G_i = cn_problem_factor(p, c->a, 0, x->room[0]);
    const double *G_j = cn_problem_factor(p, c->a, 1, x->room[1]);
    find_sides(s, p, c, dof, G_i, G_j, x);
    x->s[1] = x->kappa[1] = x->g[1] = 0.0;
    memset(x->turn[1], 0, sizeof x->turn[1]);
    return take_axes(x, dim, 0, c->dof_i == dof ? 1.0 : -1.0) && fits(x, dim, 0) && fits(x, dim, 1);
}

// Whether kernels take a contact by its arms, seen without its rows of G: bodies without held
// translations, and arms that are clearly not along the normal.
static bool is_clearly_arm(const cn_solver *s, const cn_problem *p, const cn_packed *c)
{
    const cn_factors *f = &p->W.factors;
    if (!cn_is_geometry(f, c->a) || !has_rigid_sides(p, c, 6)) {
        return false;
    }
    bool is_aside = false;
    for (int side = 0; side < 2; side++) {
        if ((side == 0 ? c->dof_i : c->dof_j) == 0) {
            continue;
        }
        cn_geometry g = cn_geometry_of(f, c->a, side);
        double across[3];
        cn_cross(g.arm, g.n, across);
        is_aside = is_aside || dot_of(3, across, across) > 1e-12 * dot_of(3, g.arm, g.arm);
        bool is_rooted = s->is_placed ||
                         2 * cn_packed_w(s, f, c, side) == CN_ROOT_SIZE * f->body[2 * c->a + side];
        if (!(g.S[0] > 0.0) || g.S[0] != g.S[1] || g.S[1] != g.S[2] || !is_rooted) {
            return false;
        }
    }
    return is_aside;
}

// Takes a packed constraint apart; the kind of kernel that visits it, -1: none.
static int take_apart(const cn_solver *s, const cn_problem *p, const cn_packed *c, shape *x)
{
    bool is_roll = p->dim == 3 && c->has_moments && c->rows >= 5;
    if (c->kind != CN_CORE_CONE || c->rows < 2 || (c->rows > 3 && !is_roll)) {
        return -1;
    }
    if (c->rows == 2) {
        return take_sides(s, p, c, 2, x) ? CN_WIDE_PLANE : -1;
    }
    if (!take_sides(s, p, c, 3, x)) {
        return -1;
    }
    bool is_ball = is_even(p, c) && is_ball_side(x, 0) && is_ball_side(x, 1);
    if (!is_roll) {
        return is_ball ? CN_WIDE_BALL : (take_arms(s, p, c, x) ? CN_WIDE_ARM : CN_WIDE_SPACE);
    }
    bool is_plain =
        is_ball && has_plain_moments(x, 0, c->rows - 3) && has_plain_moments(x, 1, c->rows - 3);
    return !is_plain ? -1 : (c->rows == 5 ? CN_WIDE_ROLL : CN_WIDE_ROLL_SPIN);
}

int cn_record_kind(const cn_solver *s, const cn_problem *p, const cn_packed *c)
{
    shape x;
    bool is_arm = c->kind == CN_CORE_CONE && c->rows == 3 && is_clearly_arm(s, p, c);
    return is_arm ? CN_WIDE_ARM : take_apart(s, p, c, &x);
}

size_t cn_record_size(int kind)
{
    return record_size[kind];
}

// Axes, scales and arms of a contact that is known to be taken by its arms: of G only translations
// are made.
static void take_arm_sides(const cn_solver *s, const cn_problem *p, const cn_packed *c, shape *x)
{
    for (int side = 0; side < 2; side++) {
        if ((side == 0 ? c->dof_i : c->dof_j) > 0) {
            cn_geometry g = cn_geometry_of(&p->W.factors, c->a, side);
            for (int d = 0; d < 3; d++) {
                x->room[side][d] = g.sign * g.S[d] * g.n[d];
                x->room[side][6 + d] = g.sign * g.S[d] * g.t1[d];
            }
        }
    }
    find_sides(s, p, c, 6, x->room[0], x->room[1], x);
    take_axes(x, 3, 0, c->dof_i > 0 ? 1.0 : -1.0);
    x->s[0] = dot_of(3, x->G[0], x->axis[0]);
    x->s[1] = x->G[1] != NULL ? dot_of(3, x->G[1], x->axis[0]) : 0.0;
    memset(x->arm[1], 0, sizeof x->arm[1]);
    take_arms(s, p, c, x);
}

// The numbers of a constraint that no kernel keeps in the same way: W' and shift.
typedef struct numbers {
    double W[CN_ROW_MAX * CN_ROW_MAX], shift[CN_ROW_MAX];
} numbers;

static void write_plane(cn_wide_plane *to, int lane, const shape *x, const numbers *v)
{
    for (int k = 0; k < 2; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->turn_i[k][lane] = x->turn[0][k][0];
        to->turn_j[k][lane] = x->turn[1][k][0];
        to->shift[k][lane] = v->shift[k];
    }
    to->W[0][lane] = v->W[0];
    to->W[1][lane] = v->W[1];
    to->W[2][lane] = v->W[3];
    to->inv_det[lane] = cn_inverse_det2(v->W);
}

static void write_ball(cn_wide_ball *to, int lane, const shape *x, const numbers *v)
{
    for (int k = 0; k < 3; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->t[k][lane] = x->axis[1][k];
        to->shift[k][lane] = v->shift[k];
    }
    to->kappa_i[lane] = x->kappa[0];
    to->kappa_j[lane] = x->kappa[1];
}

static const int upper[6] = {0, 1, 2, 4, 5, 8}; // triangle of a block of three rows

static void write_space(cn_wide_space *to, int lane, const shape *x, const numbers *v)
{
    for (int k = 0; k < 3; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->t[k][lane] = x->axis[1][k];
        to->shift[k][lane] = v->shift[k];
        for (int d = 0; d < 3; d++) {
            to->turn_i[3 * k + d][lane] = x->turn[0][k][d];
            to->turn_j[3 * k + d][lane] = x->turn[1][k][d];
        }
    }
    for (int k = 0; k < 6; k++) {
        to->W[k][lane] = v->W[upper[k]];
    }
    to->x[lane] = 0.0;
}

static void write_arm(cn_wide_arm *to, int lane, const shape *x, const numbers *v)
{
    for (int k = 0; k < 3; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->t[k][lane] = x->axis[1][k];
        to->arm_i[k][lane] = x->arm[0][k];
        to->arm_j[k][lane] = x->arm[1][k];
        to->shift[k][lane] = v->shift[k];
    }
    for (int k = 0; k < 6; k++) {
        to->W[k][lane] = v->W[upper[k]];
    }
    to->x[lane] = 0.0;
}

static void write_roll(cn_wide_roll *to, int lane, const shape *x, const numbers *v, int rows)
{
    for (int k = 0; k < 3; k++) {
        to->n[k][lane] = x->axis[0][k];
        to->t[k][lane] = x->axis[1][k];
    }
    for (int k = 0; k < 6; k++) {
        to->shift[k][lane] = k < rows ? v->shift[k] : 0.0;
    }
    to->kappa_i[lane] = x->kappa[0];
    to->kappa_j[lane] = x->kappa[1];
    to->g_i[lane] = x->g[0];
    to->g_j[lane] = x->g[1];
    to->W_n[lane] = v->W[0];
    to->W_t[lane] = v->W[rows + 1];
    to->W_roll[lane] = v->W[3 * rows + 3];
    to->W_spin[lane] = rows > 5 ? v->W[5 * rows + 5] : 1.0;
    to->couple[lane] = v->W[rows + 4];
}

// Fills one lane with packed constraint c.
static void write_lane(const cn_solver *s, const cn_problem *p, const cn_packed *c, int kind,
                       void *record, int lane)
{
    shape x;
    numbers v;
    if (kind == CN_WIDE_ARM) {
        take_arm_sides(s, p, c, &x);
    } else {
        take_apart(s, p, c, &x);
    }
    if (kind == CN_WIDE_BALL) { // W' is made of its other numbers
        cn_packed_shift(p, c, v.shift);
    } else {
        cn_packed_numbers(p, c, v.W, v.shift);
    }
    cn_wide_head *head = record;
    head->w_i[lane] = x.w[0];
    head->w_j[lane] = x.w[1];
    head->row[lane] = c->row;
    head->s_i[lane] = x.s[0];
    head->s_j[lane] = x.s[1];
    head->mu[lane] = c->mu;
    switch (kind) {
    case CN_WIDE_PLANE:
        write_plane(record, lane, &x, &v);
        break;
    case CN_WIDE_BALL:
        write_ball(record, lane, &x, &v);
        break;
    case CN_WIDE_ARM:
        write_arm(record, lane, &x, &v);
        break;
    case CN_WIDE_ROLL:
    case CN_WIDE_ROLL_SPIN:
        write_roll(record, lane, &x, &v, c->rows);
        ((cn_wide_roll *)record)->mu_roll[lane] = p->mu_roll != NULL ? p->mu_roll[c->a] : 0.0;
        ((cn_wide_roll *)record)->mu_spin[lane] = p->mu_spin != NULL ? p->mu_spin[c->a] : 0.0;
        break;
    default:
        write_space(record, lane, &x, &v);
        break;
    }
}

// Lanes that hold no contact repeat lane 0.
static void pad(void *record, int kind, int count)
{
    cn_wide_head *head = record;
    size_t fours = (record_size[kind] - offsetof(cn_wide_head, s_i)) / sizeof(cn_four);
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
    pad(record, batch->kind, batch->count);
}
