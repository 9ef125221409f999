// solve/batch.c -- see batch.h. Contacts go into up to 64 open batches by the first free slot that
// names neither body: one word per body holds the slots that do. Where a contact finds none, full
// ones are closed.
#include <math.h>
#include <string.h>

#include "base/share.h"
#include "solve/blocks.h"
#include "solve/local.h"
#include "solve/solver.h"

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
    int rows, dof;
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

// Sides and axes of a packed constraint of rigid bodies with `rows` rows of forces.
static bool take_sides(const cn_solver *s, const cn_problem *p, const cn_packed *c, int rows,
                       shape *x)
{
    int dof = rows == 2 ? 3 : 6;
    bool has_i = c->dof_i == dof, has_j = c->dof_j == dof;
    if (!(has_i || has_j) || (c->dof_i != 0 && !has_i) || (c->dof_j != 0 && !has_j) ||
        (has_j && has_i && p->W.factors.body[2 * c->a] == p->W.factors.body[2 * c->a + 1])) {
        return false;
    }
    memset(x, 0, sizeof *x);
    const double *G_i = cn_problem_factor(p, c->a, 0, x->room[0]);
    const double *G_j = cn_problem_factor(p, c->a, 1, x->room[1]);
    x->rows = rows;
    x->dof = dof;
    x->G[0] = has_i ? G_i : G_j;
    x->G[1] = has_i && has_j ? G_j : NULL;
    int w_i = cn_packed_w(s, &p->W.factors, c, 0), w_j = cn_packed_w(s, &p->W.factors, c, 1);
    x->w[0] = has_i ? w_i : w_j;
    x->w[1] = has_i && has_j ? w_j : x->w[0];
    return take_axes(x, 0, has_i ? 1.0 : -1.0) && fits(x, 0) && fits(x, 1);
}

// Takes a packed constraint apart; the kind of kernel that visits it, -1: none.
static int take_apart(const cn_solver *s, const cn_problem *p, const cn_packed *c, shape *x)
{
    bool is_roll = p->dim == 3 && c->has_moments && c->rows >= 5;
    if (c->kind != CN_CORE_CONE || c->rows < 2 || (c->rows > 3 && !is_roll) ||
        !take_sides(s, p, c, is_roll ? 3 : c->rows, x)) {
        return -1;
    }
    if (c->rows == 2) {
        return CN_WIDE_PLANE;
    }
    bool is_ball = is_even(p, c) && is_ball_side(x, 0) && is_ball_side(x, 1);
    if (!is_roll) {
        return is_ball ? CN_WIDE_BALL : (take_arms(s, p, c, x) ? CN_WIDE_ARM : CN_WIDE_SPACE);
    }
    bool is_plain =
        is_ball && has_plain_moments(x, 0, c->rows - 3) && has_plain_moments(x, 1, c->rows - 3);
    return !is_plain ? -1 : (c->rows == 5 ? CN_WIDE_ROLL : CN_WIDE_ROLL_SPIN);
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
    take_apart(s, p, c, &x);
    cn_packed_numbers(p, c, v.W, v.shift);
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

// What is known of the contacts before their records are written; it lies where these will be.
typedef struct draft {
    int *wide;         // packed constraints that the kernels take
    int *body;         // both bodies of each
    int *zone_of;      // room for cn_zones_build
    signed char *kind; // cn_wide_kind of each
} draft;

enum { SLOTS = 64 };

// The slots of a window; each becomes a batch.
typedef struct window {
    int member[SLOTS][4], count[SLOTS];
    uint64_t used, full, of_class[2 * CN_WIDE_KIND_COUNT];
} window;

// Contacts share batches with those of their kind, and open ones with open ones.
static int class_of(const cn_solver *s, const draft *d, int k)
{
    bool is_open = s->is_open_known && s->is_open[s->packed[d->wide[k]].a];
    return d->kind[k] + (is_open ? CN_WIDE_KIND_COUNT : 0);
}

// Turns some slots into batches and empties them. Their contacts follow each other in the list of
// the zone, which has been read at least that far.
static cn_status close_slots(cn_solver *s, const draft *d, uint64_t slots, window *w, int *listed,
                             cn_error *err)
{
    cn_batches *b = &s->batches;
    for (; slots != 0; slots &= slots - 1) {
        int slot = __builtin_ctzll(slots), count = w->count[slot];
        uint64_t bit = UINT64_C(1) << slot;
        CN_TRY(
            cn_reserve(&s->hooks, &b->batch, &b->batch_capacity, (size_t)b->batch_count + 1, err));
        int kind = d->kind[w->member[slot][0]];
        b->batch[b->batch_count++] = (cn_batch){.at = b->stream_count,
                                                .first = *listed,
                                                .kind = (signed char)kind,
                                                .count = (signed char)count};
        b->stream_count += (int64_t)(record_size[kind] / sizeof(double));
        for (int lane = 0; lane < count; lane++) {
            int k = w->member[slot][lane];
            b->zones.item[(*listed)++] = d->wide[k];
            for (int side = 0; side < 2; side++) {
                int body = d->body[2 * k + side];
                if (body >= 0) {
                    b->taken[body] &= ~bit;
                }
            }
        }
        w->used &= ~bit;
        w->full &= ~bit;
        w->of_class[class_of(s, d, w->member[slot][0])] &= ~bit;
    }
    return CN_OK;
}

// Slots that may take contact k: of its kind or empty, not full, naming neither body, nor do their
// neighbours if that can be had: then a visit need not wait for what the one before it stores.
static uint64_t free_slots(const cn_batches *b, const draft *d, const window *w, int class, int k)
{
    uint64_t named = 0;
    for (int side = 0; side < 2; side++) {
        int body = d->body[2 * k + side];
        named |= body >= 0 ? b->taken[body] : 0;
    }
    uint64_t free = (w->of_class[class] | ~w->used) & ~(w->full | named);
    uint64_t calm = free & ~(named << 1 | named >> 1);
    return calm != 0 ? calm : free;
}

// Puts contact k into a slot. If none is free, those that are full make room, or else all.
static cn_status place(cn_solver *s, const draft *d, int k, window *w, int *listed, cn_error *err)
{
    cn_batches *b = &s->batches;
    uint64_t free;
    int class = class_of(s, d, k);
    while ((free = free_slots(b, d, w, class, k)) == 0) {
        CN_TRY(close_slots(s, d, w->full != 0 ? w->full : w->used, w, listed, err));
    }
    int slot = __builtin_ctzll(free);
    uint64_t bit = UINT64_C(1) << slot;
    if ((w->used & bit) == 0) {
        w->used |= bit;
        w->count[slot] = 0;
        w->of_class[class] |= bit;
    }
    w->member[slot][w->count[slot]++] = k;
    w->full |= w->count[slot] == 4 ? bit : 0;
    for (int side = 0; side < 2; side++) {
        int body = d->body[2 * k + side];
        if (body >= 0) {
            b->taken[body] |= bit;
        }
    }
    return CN_OK;
}

// Batches of all zones. The lists of the zones, contacts before, hold packed constraints after, in
// the order of the batches.
static cn_status make_batches(cn_solver *s, const draft *d, cn_error *err)
{
    cn_batches *b = &s->batches;
    window w = {.used = 0};
    int listed = 0;
    b->batch_count = 0;
    b->stream_count = 0;
    for (int zone = 0; zone < b->zones.zone_count; zone++) {
        b->zone_start[zone] = b->batch_count;
        for (int n = b->zones.start[zone]; n < b->zones.start[zone + 1]; n++) {
            CN_TRY(place(s, d, b->zones.item[n], &w, &listed, err));
        }
        CN_TRY(close_slots(s, d, w.used, &w, &listed, err));
        b->zone_busy[zone] = b->batch_count;
    }
    b->zone_start[b->zones.zone_count] = b->batch_count;
    return CN_OK;
}

// The kernel that takes each packed constraint. Returns the number of those that none takes.
static int find_kinds(cn_solver *s, const cn_problem *p, const draft *d)
{
    int rest = 0;
    CN_SHARED_FOR(s->thread_count, (schedule(static) reduction(+ : rest)), n, s->packed_count, {
        shape x;
        d->kind[n] = p->W.rows.row == NULL ? (signed char)take_apart(s, p, &s->packed[n], &x) : -1;
        rest += d->kind[n] < 0;
    });
    return rest;
}

// Splits the packed constraints into those that kernels take and the rest.
static int sort_out(cn_solver *s, const cn_problem *p, const draft *d)
{
    cn_batches *b = &s->batches;
    const cn_factors *f = &p->W.factors;
    int count = 0;
    b->rest_count = 0;
    for (int n = 0; n < s->packed_count; n++) {
        if (d->kind[n] < 0) {
            b->rest[b->rest_count++] = (cn_lone){.packed = n};
            continue;
        }
        d->wide[count] = n;
        d->kind[count] = d->kind[n];
        for (int side = 0; side < 2; side++) {
            d->body[2 * count + side] = f->body[2 * s->packed[n].a + side];
        }
        count++;
    }
    return count;
}

cn_status cn_batches_room(cn_solver *s, size_t bytes, void **room, cn_error *err)
{
    cn_batches *b = &s->batches;
    size_t doubles = (bytes + sizeof(double) - 1) / sizeof(double);
    CN_TRY(cn_reserve(&s->hooks, &b->stream, &b->stream_capacity, doubles, err));
    *room = b->stream;
    return CN_OK;
}

static cn_status make_draft(cn_solver *s, const cn_problem *p, draft *d, cn_error *err)
{
    void *room;
    size_t count = (size_t)p->contact_count;
    CN_TRY(cn_batches_room(s, count * (4 * sizeof(int) + 1), &room, err));
    d->wide = room;
    d->body = d->wide + count;
    d->zone_of = d->body + 2 * count;
    d->kind = (signed char *)(d->zone_of + count);
    return CN_OK;
}

// Doubles for the records, also when islands wake that are left out now: what is packed is taken as
// typical of the rest, but for a few records.
static size_t room_for(const cn_solver *s, const cn_problem *p)
{
    enum { SPARE = 32 };
    const cn_batches *b = &s->batches;
    bool is_partial = s->packed_count < p->contact_count;
    size_t spare = is_partial ? SPARE * sizeof(cn_wide_space) / sizeof(double) : 0;
    return cn_room_for_all(s, p, (size_t)b->stream_count) + spare;
}

static void write_batch(cn_solver *s, const cn_problem *p, const cn_batch *batch)
{
    const cn_batches *b = &s->batches;
    void *record = b->stream + batch->at;
    for (int lane = 0; lane < batch->count; lane++) {
        const cn_packed *c = &s->packed[b->zones.item[batch->first + lane]];
        write_lane(s, p, c, batch->kind, record, lane);
    }
    pad(record, batch->kind, batch->count);
}

cn_status cn_batches_build(cn_solver *s, const cn_problem *p, cn_error *err)
{
    cn_batches *b = &s->batches;
    size_t bodies = (size_t)p->W.factors.body_count;
    draft d;
    CN_TRY(make_draft(s, p, &d, err));
    CN_TRY(cn_reserve(&s->hooks, &b->taken, &b->taken_capacity, bodies, err));
    memset(b->taken, 0, bodies * sizeof *b->taken);
    size_t rest = (size_t)find_kinds(s, p, &d);
    CN_TRY(cn_reserve(&s->hooks, &b->rest, &b->rest_capacity, cn_room_for_all(s, p, rest), err));
    int count = sort_out(s, p, &d);
    bool has_arms = count > 0 && memchr(d.kind, CN_WIDE_ARM, (size_t)count) != NULL;
    if (s->is_placed && has_arms) {
        CN_TRY(cn_places_copy_roots(s, p, err));
    }
    CN_TRY(cn_zones_build(&b->zones, &s->hooks, count, d.body, p->W.factors.body_count, d.zone_of,
                          err));
    CN_TRY(cn_reserve(&s->hooks, &b->zone_start, &b->zone_start_capacity,
                      (size_t)b->zones.zone_count + 1, err));
    CN_TRY(cn_reserve(&s->hooks, &b->zone_busy, &b->zone_busy_capacity, (size_t)b->zones.zone_count,
                      err));
    CN_TRY(make_batches(s, &d, err));
    CN_TRY(cn_reserve(&s->hooks, &b->batch, &b->batch_capacity,
                      cn_room_for_all(s, p, (size_t)b->batch_count), err));
    CN_TRY(cn_reserve(&s->hooks, &b->stream, &b->stream_capacity, room_for(s, p), err));
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, b->batch_count,
                  { write_batch(s, p, &b->batch[n]); });
    return CN_OK;
}

const cn_packed *cn_batch_member(const cn_solver *s, const cn_batch *batch, int lane)
{
    return &s->packed[s->batches.zones.item[batch->first + lane]];
}

cn_four *cn_batch_shift(const cn_batches *b, const cn_batch *batch)
{
    void *record = b->stream + batch->at;
    switch (batch->kind) {
    case CN_WIDE_PLANE:
        return ((cn_wide_plane *)record)->shift;
    case CN_WIDE_BALL:
        return ((cn_wide_ball *)record)->shift;
    case CN_WIDE_ARM:
        return ((cn_wide_arm *)record)->shift;
    case CN_WIDE_ROLL:
    case CN_WIDE_ROLL_SPIN:
        return ((cn_wide_roll *)record)->shift;
    default:
        return ((cn_wide_space *)record)->shift;
    }
}

void cn_batches_release(cn_batches *b, const cn_hooks *hooks)
{
    cn_zones_release(&b->zones, hooks);
    void *owned[] = {b->batch, b->stream, b->zone_start, b->rest, b->taken, b->zone_busy};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(hooks, owned[k]);
    }
}
