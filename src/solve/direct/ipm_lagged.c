// solve/direct/ipm_lagged.c -- the interior point with frozen shifts, one convex program after the
// other, theory 13.17.
//
// In a wall that has moved, loads are carried by contacts whose velocities are those that errors of
// the steps before left, 1e-6 of a fall: two scales in one problem. On the way from one to the
// other the error of the law stands still while the gap falls by many decades, and where the shift
// follows each iterate the steps get short there. With shifts frozen the program is convex, and the
// gap falls to rounding in some 25 steps, whatever the scales; then the shifts follow, and again.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "solve/direct/ipm.h"

enum {
    PROGRAM_MAX = 100, // convex programs
    STEP_MAX = 60,     // Newton steps of one
    IDLE_MAX = 10,     // without halving the gap
    VAIN_FIRST = 100,  // steps until there is a better iterate than the one before them
    VAIN_MAX = 150,    // steps without a better one after that
    VAIN_FEW = 60      // the same where other methods come next
};
static const double clearly = 0.9;  // of the error: better
static const double settled = 0.04; // of the squared error, what is not due to shifts
static const double follow = 0.5;   // of the way that shifts follow
static const double at_rest = 1e-3; // of v_ref, the velocity of bodies that may stand
static const double inside = 10.0;  // times the change of shifts: a gap to start again from

typedef struct programs {
    cn_solver *s;
    const cn_problem *p;
    cn_interior *m;
    cn_solve_progress *progress;
    double weight;   // sum of 1 / step over the cones, the steps being those of miss()
    double kept_gap; // at which an iterate is to be kept; it is, where it is below
    bool is_kept;
    int cost;      // of a step, in sweeps
    int last_step; // factorizations after which to give up
} programs;

// Copies z, q, q_high and w to or from what is kept.
static void copy_iterate(const programs *a, bool is_back)
{
    const cn_linear_system *k = a->s->system;
    size_t rows = (size_t)a->p->row_start[a->p->contact_count];
    size_t columns = k->is_stored ? 0 : (size_t)k->block_start[k->block_count];
    double *from[] = {a->m->z, a->m->q, a->m->q_high, a->m->w}, *at = a->m->kept;
    for (int i = 0; i < 4; i++) {
        size_t size = from[i] == NULL ? 0 : (i == 3 ? columns : rows);
        if (size > 0) {
            memcpy(is_back ? from[i] : at, is_back ? at : from[i], sizeof(double) * size);
        }
        at += size;
    }
}

static void start_cold(const programs *a)
{
    const cn_linear_system *k = a->s->system;
    size_t rows = sizeof(double) * (size_t)a->p->row_start[a->p->contact_count];
    size_t columns = sizeof(double) * (size_t)k->block_start[k->block_count];
    memset(a->m->z, 0, rows);
    memset(a->m->q, 0, rows);
    memset(a->m->dz, 0, rows);
    memset(a->m->dq, 0, rows);
    if (a->m->q_high != NULL) {
        memset(a->m->q_high, 0, rows);
    }
    if (!k->is_stored) {
        memset(a->m->w, 0, columns);
    }
    cn_inner_start(a->s, a->p, a->m);
}

// Step of the natural map (8.8) in the measure that is asked for.
static double step_of(const programs *a, const cn_packed *c)
{
    return a->progress->def->measure == CN_MEASURE_NATURAL ? 1.0 : 1.0 / a->s->W_diag[c->a];
}

// Sum of squares by which the iterate misses the law, with frozen shifts or its own.
static double miss(const programs *a, bool is_frozen)
{
    double sum = 0.0;
    for (int n = 0; n < a->s->packed_count; n++) {
        const cn_packed *c = &a->s->packed[n];
        if (cn_inner_kind_of(a->s, c) != CN_INNER_CONE) {
            continue;
        }
        const double *u = a->m->u + c->row, *z = a->m->z + c->row;
        double step = step_of(a, c), r[3] = {0}, x[3] = {0};
        double shift = is_frozen ? a->m->frozen[n] : c->mu * cn_tangential(c->rows, u);
        for (int k = 0; k < c->rows; k++) {
            r[k] = cn_inner_weight(c, k) * z[k];
            x[k] = r[k] - step * (u[k] + (k == 0 ? shift : 0.0));
        }
        cn_cone_project(c->rows, c->mu, x, x);
        for (int k = 0; k < c->rows; k++) {
            sum += (x[k] - r[k]) * (x[k] - r[k]) / (step * step);
        }
    }
    return sum;
}

// Lets the shifts follow the iterate (13.17), and says where the next program starts: at an iterate
// that is inside by more than they change.
static void follow_shifts(programs *a)
{
    double missed = 0.0, impulse = 0.0;
    for (int n = 0; n < a->s->packed_count; n++) {
        const cn_packed *c = &a->s->packed[n];
        if (cn_inner_kind_of(a->s, c) == CN_INNER_CONE) {
            double d = c->mu * cn_tangential(c->rows, a->m->u + c->row) - a->m->frozen[n];
            a->m->frozen[n] += follow * d;
            missed += d * d;
            impulse += a->m->z[c->row];
        }
    }
    a->kept_gap = inside * sqrt(missed / a->m->pair_count) * impulse / a->m->pair_count;
}

// One Newton step. *is_last: it could not be made.
static cn_status step(programs *a, bool was_short, double *length, bool *is_last, cn_error *err)
{
    cn_error why = {0};
    cn_status status = cn_inner_advance(a->s, a->p, was_short, a->m, length, &why);
    *is_last = status == CN_BROKEN || (status == CN_OK && !(*length > 0.0));
    if (status != CN_OK && status != CN_BROKEN) {
        return cn_fail(err, status, "%s", why.text);
    }
    a->cost = a->cost == 0 ? cn_system_sweeps(a->s, a->p) : a->cost;
    a->progress->sweep_count += a->cost + 1;
    a->progress->factorization_count++;
    a->progress->iteration_count++;
    return CN_OK;
}

// Newton steps with the shifts as they are, until these are what is wrong. *is_done: stop.
static cn_status solve_program(programs *a, bool *is_done, cn_error *err)
{
    double best = INFINITY, before = INFINITY, length = 1.0;
    bool is_last = false;
    *is_done = false;
    for (int k = 0, idle = 0; k < STEP_MAX && idle < IDLE_MAX && !is_last &&
                              a->progress->factorization_count < a->last_step;
         k++) {
        cn_inner_show(a->s, a->p, a->m);
        a->progress->sweep_next = 0;
        *is_done = cn_progress_check(a->progress, a->s, a->p);
        if (*is_done || !isfinite(a->progress->residual.err_v)) {
            return CN_OK;
        }
        cn_inner_state(a->s, a->p, a->m);
        if (!a->is_kept && a->m->gap < a->kept_gap) {
            copy_iterate(a, false);
            a->is_kept = true;
        }
        idle = a->m->gap < 0.5 * best ? 0 : idle + 1;
        best = fmin(best, a->m->gap);
        double now = miss(a, false);
        if (a->m->gap * a->weight < now && miss(a, true) < settled * now &&
            now > clearly * before) {
            return CN_OK;
        }
        before = now;
        CN_TRY(step(a, length < 0.1, &length, &is_last, err));
    }
    return CN_OK;
}

// Shifts of the best iterate.
static void begin(programs *a)
{
    cn_solver *s = a->s;
    a->weight = 0.0;
    memcpy(a->p->r, s->r_best, sizeof(double) * (size_t)a->p->row_start[a->p->contact_count]);
    cn_solver_apply(s, a->p, a->p->r);
    cn_solver_velocity(s, a->p, a->p->r, s->u);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        bool is_cone = cn_inner_kind_of(s, c) == CN_INNER_CONE;
        double u[CN_ROW_MAX] = {0};
        for (int k = 0; k < c->rows; k++) {
            int row = c->row + k;
            double r = a->p->r[row] + cn_row_or_zero(a->p->r0, row);
            u[k] = s->u[row] + cn_row_or_zero(a->p->b, row) + cn_row_or_zero(a->p->c, row) * r;
        }
        a->m->frozen[n] = is_cone ? c->mu * cn_tangential(c->rows, u) : 0.0;
        a->weight += is_cone ? 1.0 / step_of(a, c) : 0.0;
    }
}

// The program without shifts: what can stand does so in it. Near its limit a wall has other answers
// as well, in which it falls; bodies at rest stay there if they can (13.17).
static cn_status try_to_stand(programs *a, bool *is_done, cn_error *err)
{
    const cn_solver *s = a->s;
    *is_done = false;
    bool is_step = a->progress->def->measure == CN_MEASURE_VELOCITY;
    if (!is_step || !(a->p->v_before <= at_rest * a->progress->residual.v_ref)) {
        return CN_OK;
    }
    for (int n = 0; n < s->packed_count; n++) {
        a->m->frozen[n] = 0.0;
    }
    start_cold(a);
    return solve_program(a, is_done, err);
}

cn_status cn_inner_frozen(cn_solver *s, const cn_problem *p, cn_interior *m,
                          cn_solve_progress *progress, cn_error *err)
{
    programs a = {.s = s, .p = p, .m = m, .progress = progress};
    double best = progress->err_best;
    int vain = progress->def->method == CN_METHOD_IPM_LAGGED ? VAIN_MAX : VAIN_FEW;
    bool is_done;
    m->is_lagged = true;
    m->is_direct = false;
    progress->patience = INT_MAX / 2;
    a.last_step = progress->factorization_count + STEP_MAX;
    begin(&a);
    CN_TRY(try_to_stand(&a, &is_done, err));
    if (is_done) {
        return CN_OK;
    }
    begin(&a);
    a.last_step = progress->factorization_count + VAIN_FIRST;
    for (int k = 0; k < PROGRAM_MAX && progress->factorization_count < a.last_step; k++) {
        if (a.is_kept) {
            copy_iterate(&a, true);
            a.is_kept = false;
        } else {
            start_cold(&a);
        }
        CN_TRY(solve_program(&a, &is_done, err));
        if (is_done || !isfinite(m->gap)) {
            return CN_OK;
        }
        follow_shifts(&a);
        if (progress->err_best < clearly * best) {
            best = progress->err_best;
            a.last_step = progress->factorization_count + vain;
        }
    }
    return CN_OK;
}
