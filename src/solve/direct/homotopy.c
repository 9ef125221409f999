// solve/direct/homotopy.c -- the last digits in the plane, where statuses cycle: along a path of
// exact solutions, theory 13.24 to 13.26.
//
// Newton steps on frozen statuses (active_set_newton.c) fail where the statuses that they ask for
// do not settle. An iterate that is nearly right solves another problem exactly, one whose free
// velocities differ by d, as small as its error, and the solutions for u_free + (1 - t) d form a
// path. In the plane it is a straight line as long as statuses stay; where a contact opens, closes,
// sticks or slides the path turns, possibly back to smaller t, and goes on. At t = 1 it has met a
// solution of the problem itself. Springs about the start, as in prox.c, make impulses unique.
//
// One status changes at a time, hence one block of the matrix: a factor serves for many changes.
#include "solve/direct/homotopy.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/small_systems.h"
#include "solve/direct/linear_system.h"
#include "solve/direct/woodbury.h"
#include "solve/problem/project.h"
#include "solve/problem/status_equations.h"

static const double hardness_first = 1e4, hardness_most = 1e10, hardness_least = 10.0;
static const double hardening = 3.0;  // per path that got to its end
static const double noise = 1e-2;     // of the error: no two contacts change at once
static const double back_most = 30.0; // of t: a path that has gone so far back leads elsewhere
enum {
    EACH_OF_ALL = 3, // paths that may wander: those that get there are short
    LOOK_EVERY = 16  // steps between questions whether to go on
};

enum { CLOSED = 1, SLIDES = 2 }; // bits of a state; SLIDES << k: disc k slides

// Arrays by row unless said.
typedef struct path {
    double *r, *u;      // r', and u' with springs and (1 - t) d
    double *d, *centre; // of the springs
    double *x;          // Newton's correction
    double *dr, *du;    // for dt = 1
    double *w, *dw;     // by column
    unsigned char *state;
    double hardness, t;
    double sign;    // of dt
    int entered;    // constraint whose state changed last; -1: none
    int entered_by; // its disc, or -1: the contact itself
    int sweep_each; // work of one path at most
    int sweep_last; // work after which to give up
    cn_woodbury changed;
} path;

static double spring_of(const cn_solver *s, const path *h, int a)
{
    return s->W_diag[a] / h->hardness;
}

// In [-1, 1], the same for the same row.
static double noise_of(int row)
{
    uint32_t x = (uint32_t)row * 2654435761u + 12345u;
    x = (x ^ x >> 16) * 2246822519u;
    return (double)(x ^ x >> 13) / 2147483648.0 - 1.0;
}

// p->r of r', and w = G p->r from scratch.
static void find_w(const cn_solver *s, const cn_problem *p, path *h)
{
    const cn_linear_system *k = s->system;
    memset(h->w, 0, sizeof *h->w * (size_t)k->block_start[k->block_count]);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            p->r[i] = h->r[i] - cn_row_or_zero(p->r0, i);
        }
        cn_system_deposit(k, c, &p->W.factors, n, p->r + c->row, h->w);
    }
    cn_fold_columns(s, h->w);
}

// u' at r' (13.24), from w.
static void find_velocity(const cn_solver *s, const cn_problem *p, path *h)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double v[CN_ROW_MAX];
        cn_system_collect(s->system, c, &p->W.factors, n, h->w, v);
        for (int i = 0; i < c->rows; i++) {
            int row = c->row + i;
            h->u[row] = p->u_free[row] + v[i] + cn_row_or_zero(p->b, row) +
                        cn_row_or_zero(p->c, row) * h->r[row] +
                        spring_of(s, h, c->a) * (h->r[row] - h->centre[row]) +
                        (1.0 - h->t) * h->d[row];
        }
    }
}

// The point of the natural map (8.8) at an iterate.
static void find_target(const cn_set *set, double w_a, const double *u, const double *r, double *z)
{
    double shift = cn_set_shift(set, u);
    for (int i = 0; i < set->rows; i++) {
        z[i] = r[i] - (u[i] + (i == 0 ? shift : 0.0)) / w_a;
    }
}

// Impulses y and velocities v that obey the law, nearest to the target z (13.24). Returns their
// status.
static int project_on_law(const cn_set *set, double w_a, const double *z, double *y, double *v)
{
    cn_set_project(set, z, y);
    for (int i = 0; i < set->rows; i++) {
        v[i] = w_a * (y[i] - z[i]);
    }
    if (set->kind != CN_CORE_CONE) {
        return CLOSED;
    }
    v[0] = y[0] > 0.0 ? 0.0 : v[0] - cn_set_shift(set, v);
    cn_cone_discs discs = cn_set_discs(set);
    int state = y[0] > 0.0 ? CLOSED : 0;
    for (int k = 0; k < discs.count; k++) {
        const cn_cone_disc *disc = &discs.disc[k];
        state |= fabs(z[disc->first]) > disc->mu * y[0] ? SLIDES << k : 0;
    }
    return state;
}

// What obeys the law near the iterate, into y and v, and how far that is: an energy.
static double project_all(const cn_solver *s, const cn_problem *p, double shake, path *h, double *y,
                          double *v)
{
    double sum = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double w_a = s->W_diag[c->a];
        h->state[n] = 0;
        for (int i = c->row; i < c->row + c->rows; i++) {
            y[i] = v[i] = 0.0;
        }
        if (w_a > 0.0) {
            cn_set set = cn_problem_set(p, c->a, c->rows);
            double z[CN_ROW_MAX] = {0};
            find_target(&set, w_a, h->u + c->row, h->r + c->row, z);
            for (int i = 0; i < c->rows; i++) {
                z[i] += shake / sqrt(w_a) * noise_of(c->row + i);
            }
            h->state[n] = (unsigned char)project_on_law(&set, w_a, z, y + c->row, v + c->row);
        }
        for (int i = c->row; i < c->row + c->rows; i++) {
            sum += w_a * (y[i] - h->r[i]) * (y[i] - h->r[i]);
        }
    }
    return sum;
}

// The problem that is solved exactly, near the iterate in h->r: t = 0.
static void start_path(const cn_solver *s, const cn_problem *p, path *h)
{
    size_t rows = sizeof(double) * (size_t)p->row_start[p->contact_count];
    h->t = 0.0;
    h->entered = -1;
    h->sign = 1.0;
    memset(h->d, 0, rows);
    memcpy(h->centre, h->r, rows);
    find_w(s, p, h);
    find_velocity(s, p, h);
    double away = project_all(s, p, 0.0, h, h->dr, h->du);
    project_all(s, p, noise * sqrt(away / s->packed_count), h, h->dr, h->du);
    memcpy(h->r, h->dr, rows);
    memcpy(h->centre, h->dr, rows);
    find_w(s, p, h);
    find_velocity(s, p, h);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            h->d[i] = h->du[i] - h->u[i];
            h->u[i] = h->du[i];
        }
    }
}

// The equations of a cone in its state.
static void choose_equations(const cn_set *set, int state, double w_a, const double *u,
                             const double *r, cn_equations *e)
{
    int rows = set->rows;
    cn_cone_discs discs = cn_set_discs(set);
    cn_equations_hold(rows, 0, 0.0, u[0], e);
    for (int k = 0; k < discs.count; k++) {
        const cn_cone_disc *disc = &discs.disc[k];
        int i = disc->first;
        if ((state & SLIDES << k) != 0) {
            double t = r[i] - u[i] / w_a, direction = t < 0.0 ? -1.0 : 1.0;
            cn_equations_set(rows, i, r[i], disc->mu * r[0] * direction, e);
            e->M[rows * i] = -disc->mu * direction;
        } else {
            cn_equations_hold(rows, i, 0.0, u[i], e);
        }
    }
}

// The block E of constraint n in its state, and the right-hand side of a correction.
static void find_block(const cn_solver *s, const cn_problem *p, const path *h, int n, double *E,
                       double *right)
{
    const cn_packed *c = &s->packed[n];
    cn_set set = cn_problem_set(p, c->a, c->rows);
    const double *u = h->u + c->row, *r = h->r + c->row;
    double w_a = s->W_diag[c->a];
    bool is_cone = set.kind == CN_CORE_CONE;
    cn_equations e = {0};
    if (w_a > 0.0 && is_cone && (h->state[n] & CLOSED) != 0) {
        choose_equations(&set, h->state[n], w_a, u, r, &e);
    }
    for (int i = 0; i < c->rows && (w_a <= 0.0 || !is_cone || (h->state[n] & CLOSED) == 0); i++) {
        if (w_a > 0.0 && !is_cone) {
            cn_equations_hold(c->rows, i, 0.0, u[i], &e);
        } else {
            cn_equations_set(c->rows, i, w_a > 0.0 ? r[i] : 0.0, 0.0, &e);
        }
    }
    cn_equations_regularize(p, c, spring_of(s, h, c->a), &e);
    double M[CN_ROW_MAX * CN_ROW_MAX];
    memcpy(M, e.M, sizeof M);
    cn_small_solve(c->rows, c->rows, M, e.N);
    cn_small_solve(c->rows, 1, e.M, e.right);
    memcpy(E, e.N, sizeof(double) * (size_t)(c->rows * c->rows));
    memcpy(right, e.right, sizeof(double) * (size_t)c->rows);
}

// x -= E v.
static void subtract(int rows, const double *E, const double *v, double *x)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            x[i] -= E[rows * i + j] * v[j];
        }
    }
}

// r' += a x and w += a y.
static void move_along(const cn_solver *s, double a, const double *x, const double *y, path *h)
{
    const cn_linear_system *k = s->system;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            h->r[i] += a * x[i];
        }
    }
    for (int i = 0; i < k->block_start[k->block_count]; i++) {
        h->w[i] += a * y[i];
    }
}

// Factors the matrix for the states as they are, and takes one Newton step at this t.
static cn_status refactor(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, path *h,
                          cn_error *err)
{
    cn_linear_system *k = s->system;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        find_block(s, p, h, n, k->E + k->block_at[n], h->x + c->row);
        for (int i = c->row; i < c->row + c->rows; i++) {
            p->r[i] = h->r[i] - cn_row_or_zero(p->r0, i);
        }
    }
    k->has_N = false;
    CN_TRY(cn_system_factor(s, p, CN_FACTOR_LU, err));
    progress->factorization_count++;
    progress->sweep_count += cn_system_sweeps(s, p);
    cn_woodbury_clear(s, &h->changed);
    cn_system_imbalance(s, p, p->r, h->x, h->w, h->dw);
    CN_TRY(cn_system_solve_columns(k, h->dw, err));
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double v[CN_ROW_MAX];
        cn_system_collect(k, c, &p->W.factors, n, h->dw, v);
        subtract(c->rows, k->E + k->block_at[n], v, h->x + c->row);
    }
    move_along(s, 1.0, h->x, h->dw, h);
    find_velocity(s, p, h);
    return CN_OK;
}

// The matrix after the state of constraint n has changed.
static cn_status change_block(cn_solver *s, const cn_problem *p, int n, cn_solve_progress *progress,
                              path *h, cn_error *err)
{
    cn_linear_system *k = s->system;
    double right[CN_ROW_MAX];
    bool is_full;
    CN_TRY(cn_woodbury_add(s, p, n, &h->changed, &is_full, err));
    if (is_full) {
        return refactor(s, p, progress, h, err);
    }
    find_block(s, p, h, n, k->E + k->block_at[n], right);
    return CN_OK;
}

// dr, du and dw for dt = 1 (13.25).
static cn_status find_tangent(cn_solver *s, const cn_problem *p, path *h, cn_error *err)
{
    cn_linear_system *k = s->system;
    memset(h->dw, 0, sizeof *h->dw * (size_t)k->block_start[k->block_count]);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        memset(h->dr + c->row, 0, sizeof(double) * (size_t)c->rows);
        subtract(c->rows, k->E + k->block_at[n], h->d + c->row, h->dr + c->row);
        for (int i = c->row; i < c->row + c->rows; i++) {
            h->dr[i] = -h->dr[i];
        }
        cn_system_deposit(k, c, &p->W.factors, n, h->dr + c->row, h->dw);
    }
    CN_TRY(cn_woodbury_solve(s, p, &h->changed, h->dw, err));
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double *v = h->du + c->row;
        cn_system_collect(k, c, &p->W.factors, n, h->dw, v);
        subtract(c->rows, k->E + k->block_at[n], v, h->dr + c->row);
        for (int i = 0; i < c->rows; i++) {
            int row = c->row + i;
            v[i] += (cn_row_or_zero(p->c, row) + spring_of(s, h, c->a)) * h->dr[row] - h->d[row];
        }
    }
    return CN_OK;
}

// A change of status that is to come: of a constraint, by one of its discs or (-1) by itself, at a
// distance along the path.
typedef struct event {
    int n, which;
    double at;
} event;

// Impulses and velocities of one contact with their rates for dt = 1.
typedef struct contact_rates {
    const double *r, *u, *dr, *du;
    double w_a;
} contact_rates;

static contact_rates rates_of(const cn_solver *s, const path *h, int n)
{
    const cn_packed *c = &s->packed[n];
    return (contact_rates){.r = h->r + c->row,
                           .u = h->u + c->row,
                           .dr = h->dr + c->row,
                           .du = h->du + c->row,
                           .w_a = s->W_diag[c->a]};
}

// What keeps a status, positive inside, and its rate for dt = 1.
static void find_margin(const cn_set *set, int state, int which, const contact_rates *x, double *g,
                        double *rate)
{
    if (which < 0) {
        *g = (state & CLOSED) != 0 ? x->r[0] : x->u[0];
        *rate = (state & CLOSED) != 0 ? x->dr[0] : x->du[0];
        return;
    }
    cn_cone_discs discs = cn_set_discs(set);
    int i = discs.disc[which].first;
    double mu = discs.disc[which].mu;
    if ((state & SLIDES << which) != 0) {
        double direction = x->r[i] - x->u[i] / x->w_a < 0.0 ? -1.0 : 1.0;
        *g = -x->u[i] * direction;
        *rate = -x->du[i] * direction;
    } else {
        double low = mu * x->r[0] + x->r[i], high = mu * x->r[0] - x->r[i];
        bool is_low = low < high;
        *g = is_low ? low : high;
        *rate = mu * x->dr[0] + (is_low ? x->dr[i] : -x->dr[i]);
    }
}

// Distance at which a margin is used up.
static double distance_to_zero(double g, double rate)
{
    return rate < 0.0 ? fmax(g, 0.0) / -rate : INFINITY;
}

// How far a disc that sticks may go: to either side.
static double distance_to_slip(double mu, int i, double sign, const double *r, const double *dr)
{
    double low = distance_to_zero(mu * r[0] + r[i], sign * (mu * dr[0] + dr[i]));
    return fmin(low, distance_to_zero(mu * r[0] - r[i], sign * (mu * dr[0] - dr[i])));
}

// The first change of constraint n, if it comes before `next`.
static void find_event(const cn_solver *s, const cn_problem *p, int n, const path *h, event *next)
{
    const cn_packed *c = &s->packed[n];
    cn_set set = cn_problem_set(p, c->a, c->rows);
    if (set.kind != CN_CORE_CONE || !(s->W_diag[c->a] > 0.0)) {
        return;
    }
    contact_rates x = rates_of(s, h, n);
    cn_cone_discs discs = cn_set_discs(&set);
    bool is_closed = (h->state[n] & CLOSED) != 0, has_stick = false;
    for (int k = is_closed ? 0 : discs.count; k <= discs.count; k++) {
        int which = k < discs.count ? k : -1;
        bool is_stick = which >= 0 && (h->state[n] & SLIDES << k) == 0;
        has_stick = has_stick || is_stick;
        if ((which >= 0 && !(discs.disc[k].mu > 0.0)) || (which < 0 && has_stick) ||
            (n == h->entered && which == h->entered_by && !is_stick)) {
            continue; // a disc that sticks leaves before the contact opens
        }
        double g, rate, at;
        find_margin(&set, h->state[n], which, &x, &g, &rate);
        at = is_stick ? distance_to_slip(discs.disc[k].mu, discs.disc[k].first, h->sign, x.r, x.dr)
                      : distance_to_zero(g, h->sign * rate);
        if (at < next->at) {
            *next = (event){n, which, at};
        }
    }
}

// Which way: into the state that was entered.
static void choose_sign(const cn_solver *s, const cn_problem *p, path *h)
{
    if (h->entered < 0) {
        return;
    }
    const cn_packed *c = &s->packed[h->entered];
    cn_set set = cn_problem_set(p, c->a, c->rows);
    double g, rate;
    contact_rates x = rates_of(s, h, h->entered);
    find_margin(&set, h->state[h->entered], h->entered_by, &x, &g, &rate);
    h->sign = rate >= 0.0 ? 1.0 : -1.0;
}

// Changes a state: a disc sticks or slides, a contact opens, or closes and slides.
static void enter_status(const cn_solver *s, const cn_problem *p, const event *e, path *h)
{
    const cn_packed *c = &s->packed[e->n];
    cn_set set = cn_problem_set(p, c->a, c->rows);
    int all = (SLIDES << cn_set_discs(&set).count) - SLIDES, state = h->state[e->n];
    state = e->which >= 0 ? state ^ SLIDES << e->which : ((state & CLOSED) != 0 ? 0 : CLOSED | all);
    h->state[e->n] = (unsigned char)state;
    h->entered = e->n;
    h->entered_by = e->which;
}

// One straight piece: to the next change, or to t = 1.
static cn_status advance_path(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                              path *h, bool *is_there, bool *is_lost, cn_error *err)
{
    CN_TRY(find_tangent(s, p, h, err));
    choose_sign(s, p, h);
    event next = {-1, -1, h->sign > 0.0 ? 1.0 - h->t : INFINITY};
    for (int n = 0; n < s->packed_count; n++) {
        find_event(s, p, n, h, &next);
    }
    *is_lost = !(next.at < INFINITY) || h->t < -back_most;
    *is_there = !*is_lost && next.n < 0;
    if (*is_lost) {
        return CN_OK;
    }
    double step = h->sign * next.at;
    move_along(s, step, h->dr, h->dw, h);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = c->row; i < c->row + c->rows; i++) {
            h->u[i] += step * h->du[i];
        }
    }
    h->t = *is_there ? 1.0 : h->t + step;
    if (*is_there) {
        return refactor(s, p, progress, h, err);
    }
    enter_status(s, p, &next, h);
    return change_block(s, p, next.n, progress, h, err);
}

// Follows the path to t = 1. *is_there: it got there.
static cn_status follow_path(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                             path *h, bool *is_there, cn_error *err)
{
    bool is_lost = false;
    int last = progress->sweep_count + h->sweep_each;
    last = last < h->sweep_last ? last : h->sweep_last;
    *is_there = false;
    CN_TRY(refactor(s, p, progress, h, err));
    for (int k = 0; progress->sweep_count < last && !*is_there && !is_lost && !progress->is_over;
         k++) {
        if (k % LOOK_EVERY == 0) {
            cn_progress_poll(progress);
        }
        CN_TRY(advance_path(s, p, progress, h, is_there, &is_lost, err));
        progress->iteration_count++;
        progress->sweep_count += 2 + (int)(3.0 * cn_system_solve_sweeps(s, p));
    }
    return CN_OK;
}

// r' into the cones, measured. True: stop.
static bool check_end(cn_solver *s, const cn_problem *p, const path *h, cn_solve_progress *progress)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        cn_set_project(&set, h->r + c->row, p->r + c->row);
        for (int i = c->row; i < c->row + c->rows; i++) {
            p->r[i] -= cn_row_or_zero(p->r0, i);
        }
    }
    cn_solver_apply(s, p, p->r);
    progress->sweep_next = 0;
    return cn_progress_check(progress, s, p);
}

// Path after path, each from the end of the one before, with springs that get harder; softer ones
// where a path does not get there.
static cn_status follow_paths(cn_solver *s, const cn_problem *p, const double *r, int factors,
                              cn_solve_progress *progress, path *h, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    for (size_t i = 0; i < rows; i++) {
        h->r[i] = r[i] + cn_row_or_zero(p->r0, (int)i);
    }
    double bytes;
    CN_TRY(cn_system_measure(s, p, CN_FACTOR_LU, &bytes, err));
    int all = factors * (1 + cn_system_sweeps(s, p));
    h->sweep_each = all / EACH_OF_ALL;
    h->sweep_last = progress->sweep_count + all;
    h->hardness = hardness_first;
    while (progress->sweep_count < h->sweep_last && h->hardness >= hardness_least &&
           !progress->is_over) {
        bool is_there;
        start_path(s, p, h);
        CN_TRY(follow_path(s, p, progress, h, &is_there, err));
        if (is_there && check_end(s, p, h, progress)) {
            return CN_OK;
        }
        if (!is_there) {
            memcpy(h->r, h->centre, sizeof(double) * rows);
        }
        h->hardness = is_there ? fmin(hardening * h->hardness, hardness_most) : 0.1 * h->hardness;
    }
    return CN_OK;
}

// Where contacts slide is a sign.
bool cn_homotopy_can(const cn_solver *s, const cn_problem *p)
{
    bool can = s->packed_count > 0 && !s->system->is_stored;
    for (int n = 0; n < s->packed_count && can; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        cn_cone_discs discs = cn_set_discs(&set);
        can = c->kind != CN_CORE_BOUNDED && c->rows <= 3;
        for (int k = 0; k < discs.count && c->kind == CN_CORE_CONE; k++) {
            can = can && discs.disc[k].size == 1;
        }
    }
    return can;
}

static cn_status run_paths(cn_solver *s, const cn_problem *p, const double *r, int factors,
                           cn_solve_progress *progress, cn_error *err)
{
    CN_TRY(cn_system_begin(s, p, err));
    if (!cn_homotopy_can(s, p)) {
        return CN_OK;
    }
    const cn_linear_system *k = s->system;
    size_t rows = (size_t)p->row_start[p->contact_count], count = (size_t)s->packed_count;
    size_t columns = (size_t)k->block_start[k->block_count], blocks = (size_t)k->block_at[count];
    size_t wide = CN_WOODBURY_ROWS, small = wide * wide;
    size_t all = 7 * rows + (2 + wide) * columns + blocks + 2 * small + wide;
    double *work;
    CN_TRY(cn_solver_work(s, all + count / sizeof(double) + 1, &work, err));
    memset(work, 0, sizeof(double) * 7 * rows);
    path h = {.state = (unsigned char *)(work + all)};
    double **array[] = {&h.r,         &h.u,         &h.d,         &h.centre,   &h.x,
                        &h.dr,        &h.du,        &h.w,         &h.dw,       &h.changed.Q,
                        &h.changed.E, &h.changed.S, &h.changed.A, &h.changed.z};
    size_t size[] = {rows,    rows,    rows,           rows,   rows,  rows,  rows,
                     columns, columns, wide * columns, blocks, small, small, wide};
    for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
        *array[n] = work;
        work += size[n];
    }
    cn_error why = {0};
    cn_method before = cn_progress_charge(progress, CN_METHOD_HOMOTOPY);
    cn_status status = follow_paths(s, p, r, factors, progress, &h, &why);
    cn_progress_charge(progress, before);
    if (!progress->is_converged) {
        memcpy(p->r, s->r_best, sizeof(double) * rows);
        cn_solver_apply(s, p, p->r);
    }
    return status == CN_OK || status == CN_BROKEN ? CN_OK : cn_fail(err, status, "%s", why.text);
}

cn_status cn_homotopy(cn_solver *s, const cn_problem *p, const double *r, int factors,
                      cn_solve_progress *progress, cn_error *err)
{
    cn_problem folded;
    CN_TRY(cn_fold_enter(s, p, &folded, err));
    cn_status status = run_paths(s, &folded, r, factors, progress, err);
    return cn_fold_leave(s, p, &folded, status, err);
}
