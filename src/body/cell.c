// body/cell.c -- the stages of a step of a periodic cell, theory 15.2 to 15.6.
#include "body/cell.h"

#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "body/stages.h"
#include "math/tensor.h"

enum { SHARED_MIN = 1024 }; // bodies per thread

static const double INERTIA_LEAST = 1e-3, INERTIA_PER_BODY = 4.0; // of the default [-]
static const double SWOLLEN = 10.0; // of its first volume: the cell flies apart [-]

const char *cn_cell_component_name(cn_cell_component component)
{
    static const char *const name[CN_CELL_COMPONENT_COUNT] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    return (unsigned)component < CN_CELL_COMPONENT_COUNT ? name[component] : NULL;
}

double cn_periodic_volume(const cn_cell *c, const double C[9])
{
    return c->dim == 2 ? C[0] * C[4] : C[0] * C[4] * C[8];
}

static double size_of(const double L[9])
{
    double sum = 0.0;
    for (int k = 0; k < 9; k++) {
        sum += L[k] * L[k];
    }
    return sqrt(sum);
}

double cn_cell_speed(const cn_cell *c)
{
    return fmax(size_of(c->L), size_of(c->L_free));
}

bool cn_cell_moves(const cn_cell *c)
{
    return c->free != 0 || size_of(c->L) > 0.0 || size_of(c->L_free) > 0.0;
}

// The identity and `part` of L.
static void with_identity(double part, const double L[9], double A[9])
{
    for (int k = 0; k < 9; k++) {
        A[k] = (k % 4 == 0 ? 1.0 : 0.0) + part * L[k];
    }
}

static void begin(cn_bodies *b)
{
    if (cn_cell_is_there(b)) {
        cn_cell *c = b->cell;
        memcpy(c->C_before, c->C, sizeof c->C);
        memcpy(c->L_before, c->L, sizeof c->L);
        memcpy(c->strain_before, c->strain, sizeof c->strain);
    }
}

static void rewind_cell(cn_bodies *b)
{
    if (cn_cell_is_there(b)) {
        cn_cell *c = b->cell;
        memcpy(c->C, c->C_before, sizeof c->C);
        memcpy(c->L, c->L_before, sizeof c->L);
        memcpy(c->strain, c->strain_before, sizeof c->strain);
    }
}

static cn_vec3 first_three(int dim, const double *x)
{
    return cn_v3(x[0], x[1], dim == 3 ? x[2] : 0.0);
}

static void put_three(int dim, cn_vec3 x, double *to)
{
    to[0] = x.x;
    to[1] = x.y;
    if (dim == 3) {
        to[2] = x.z;
    }
}

// The velocity that free motion gives body i (15.3), and its place at q_mid.
static void free_body(cn_bodies *b, int i, const double forward[9], const double back[9],
                      double ahead)
{
    int dim = b->dim, dof = b->kind->dof, q_size = b->kind->q_size;
    cn_vec3 v = first_three(dim, b->v + dof * i), v_free = first_three(dim, b->v_free + dof * i);
    cn_vec3 given = cn_sub3(v_free, v);
    put_three(dim, cn_cell_mul(back, cn_add3(cn_cell_mul(forward, v), given)), b->v_free + dof * i);
    cn_vec3 x = first_three(dim, b->q + q_size * i), mid = first_three(dim, b->q_mid + q_size * i);
    put_three(dim, cn_add_mul3(mid, ahead, cn_cell_mul(b->cell->L, x)), b->q_mid + q_size * i);
}

// What the free motion of segment k adds: m v v of the mean velocities, and the mass.
static void add_flow(const cn_bodies *b, int k, double flow[9], double *mass)
{
    int dof = b->kind->dof, dim = b->dim;
    for (int i = cn_segment_start(b->count, k); i < cn_segment_start(b->count, k + 1); i++) {
        if (cn_body_is_held(b, i)) {
            continue;
        }
        const double *v = b->v + dof * i, *v_free = b->v_free + dof * i;
        *mass += b->mass[i];
        for (int row = 0; row < dim; row++) {
            for (int column = 0; column < dim; column++) {
                flow[3 * row + column] +=
                    0.25 * b->mass[i] * (v[row] + v_free[row]) * (v[column] + v_free[column]);
            }
        }
    }
}

static void find_flow(cn_bodies *b)
{
    cn_cell *c = b->cell;
    double flow[CN_SEGMENTS][9], mass[CN_SEGMENTS], sum = 0.0;
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    memset(flow, 0, sizeof flow);
    memset(mass, 0, sizeof mass);
    memset(c->flow, 0, sizeof c->flow);
    CN_SHARED_FOR(threads, (schedule(static)), k, CN_SEGMENTS,
                  { add_flow(b, k, flow[k], &mass[k]); });
    for (int k = 0; k < CN_SEGMENTS; k++) {
        sum += mass[k];
        for (int n = 0; n < 9; n++) {
            c->flow[n] += flow[k][n];
        }
    }
    double kappa = c->inertia > 0.0 ? c->inertia : fmax(INERTIA_LEAST, INERTIA_PER_BODY / b->count);
    c->J = kappa * sum * pow(c->volume_0, 2.0 / c->dim);
}

// L without contacts (15.4).
static void find_free_gradient(cn_cell *c, double h)
{
    double volume = cn_periodic_volume(c, c->C_mid);
    memset(c->L_free, 0, sizeof c->L_free);
    for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
        int n = 3 * cn_cell_row(k) + cn_cell_column(k);
        if ((c->free & 1u << k) != 0) {
            c->L_free[n] = c->L[n] + h / c->J * (volume * c->target[k] + c->flow[n]);
        } else if ((c->there & 1u << k) != 0) {
            c->L_free[n] = c->target[k];
        }
    }
}

static void free_bodies(cn_bodies *b, const cn_scheme *scheme)
{
    cn_cell *c = b->cell;
    double forward[9], ahead[9], back[9], inverse[9];
    with_identity(-0.5 * scheme->h, c->L, forward);
    with_identity(0.5 * scheme->h, c->L, back);
    with_identity(scheme->gamma * scheme->h, c->L, ahead);
    cn_tensor_inverse(back, inverse);
    cn_tensor_mul(ahead, c->C, c->C_mid);
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    if (size_of(c->L) > 0.0) {
        CN_SHARED_FOR(threads, (schedule(static)), i, b->count, {
            if (!cn_body_is_held(b, i)) {
                free_body(b, i, forward, inverse, scheme->gamma * scheme->h);
            }
        });
    }
}

static cn_status free_motion(cn_bodies *b, const cn_scheme *scheme, cn_error *err)
{
    if (!cn_cell_is_there(b)) {
        return CN_OK;
    }
    CN_TRY(cn_cell_check(b, err));
    free_bodies(b, scheme);
    find_flow(b);
    find_free_gradient(b->cell, scheme->h);
    return CN_OK;
}

static void place(cn_bodies *b, const cn_scheme *scheme)
{
    if (cn_cell_is_there(b)) {
        free_bodies(b, scheme);
        memcpy(b->cell->L_free, b->cell->L, sizeof b->cell->L);
    }
}

// L from the impulses of contacts (15.5).
static cn_status correct(cn_bodies *b, cn_error *err)
{
    (void)err;
    if (cn_cell_is_there(b)) {
        cn_cell *c = b->cell;
        for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
            int n = 3 * cn_cell_row(k) + cn_cell_column(k);
            bool is_free = (c->free & 1u << k) != 0;
            c->L[n] = c->L_free[n] + (is_free ? c->push[n] / c->J : 0.0);
        }
    }
    return CN_OK;
}

// x+ of the middle rule, from q, which has moved by v alone (15.6).
static void move_body(cn_bodies *b, int i, const double begun[9], const double end[9])
{
    int q_size = b->kind->q_size;
    cn_vec3 x = first_three(b->dim, b->q_before + q_size * i);
    cn_vec3 own = cn_sub3(first_three(b->dim, b->q + q_size * i), x);
    put_three(b->dim, cn_cell_mul(end, cn_add3(cn_cell_mul(begun, x), own)), b->q + q_size * i);
}

static void move(cn_bodies *b, const cn_scheme *scheme)
{
    if (!cn_cell_is_there(b) || !cn_cell_moves(b->cell)) {
        return;
    }
    cn_cell *c = b->cell;
    double h = scheme->h, theta = scheme->theta, begun[9], end[9], inverse[9], ratio[9];
    with_identity((1.0 - theta) * h, c->L_before, begun);
    with_identity(-theta * h, c->L, end);
    cn_tensor_inverse(end, inverse);
    cn_tensor_mul(inverse, begun, ratio);
    cn_tensor_mul(ratio, c->C_before, c->C);
    for (int k = 0; k < 9; k++) {
        c->strain[k] = c->strain_before[k] + h * ((1.0 - theta) * c->L_before[k] + theta * c->L[k]);
    }
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), i, b->count, {
        if (!cn_body_is_held(b, i)) {
            move_body(b, i, begun, inverse);
        }
    });
}

static cn_status check(const cn_bodies *b, cn_error *err)
{
    if (!cn_cell_is_there(b)) {
        return CN_OK;
    }
    const cn_cell *c = b->cell;
    double volume = cn_periodic_volume(c, c->C);
    bool is_whole = volume > 0.0 && c->C[0] > 0.0 && c->C[4] > 0.0;
    if (!is_whole || !isfinite(volume + size_of(c->L))) {
        return cn_fail(err, CN_BROKEN,
                       "the cell is %g by %g m after the step, and its velocity gradient %g 1/s: "
                       "the step is too long for the stress on it, or its inertia too small",
                       c->C[0], c->C[4], size_of(c->L));
    }
    if (c->free != 0 && volume > SWOLLEN * c->volume_0) {
        return cn_fail(err, CN_BROKEN,
                       "the cell has grown to %g times its volume: what it holds does not stand "
                       "the tension on it",
                       volume / c->volume_0);
    }
    return CN_OK;
}

const cn_body_stages cn_cell_stages = {.name = "cell",
                                       .begin = begin,
                                       .free_motion = free_motion,
                                       .place = place,
                                       .correct = correct,
                                       .move = move,
                                       .check = check,
                                       .rewind = rewind_cell,
                                       .restore = rewind_cell};
