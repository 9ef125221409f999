// solve/sleep/locked.c -- see locked.h. Nothing is kept from step to step: ties are found anew from
// the impulses of each solve, and a body is released as soon as one of its ties slides, opens or
// misses its law.
#include "solve/sleep/locked.h"

#include <math.h>
#include <string.h>

#include "solve/problem/project.h"
#include "solve/sleep/islands.h"

enum { DOF_MAX = 6 }; // of rigid bodies
// Times the limit of what it misses, what a contact must have to spare: impulses are not known
// better.
static const double surely = 10.0;
// Of the friction that a contact can bear, what it must not need to be sure to stick.
static const double spare = 1e-6;
// Of the largest, the least stiffness that counts as one: a tie through points on a line has none.
static const double stiff = 1e-6;

static int dof_of(const cn_factors *f, int body)
{
    return body < 0 ? 0 : f->dof_start[body + 1] - f->dof_start[body];
}

// Whether the law asks for no velocity of its own, by shift or compliance, and nothing acts beside
// it: bonds give, and what they hold moves.
static bool is_plain(const cn_problem *p, int a, double limit)
{
    bool found = true;
    for (int k = p->row_start[a]; k < p->row_start[a + 1]; k++) {
        found = found && fabs(cn_row_or_zero(p->b, k)) <= limit && cn_row_or_zero(p->c, k) == 0.0 &&
                cn_row_or_zero(p->k, k) == 0.0;
    }
    return found;
}

// Rows of constraint a in which its law leaves no velocity, at impulses near those of now: all
// where it sticks, the normal one where friction is used up.
static int tied_rows(const cn_solver *s, const cn_problem *p, int a, double limit)
{
    int row = p->row_start[a], rows = p->row_start[a + 1] - row;
    const double *r = p->r + row;
    if (p->kind[a] != CN_CORE_CONE || rows > p->dim || p->r0 != NULL || !is_plain(p, a, limit) ||
        !(s->W_diag[a] * r[0] > surely * limit) || cn_sleep_misses_by(s, p, a, limit)) {
        return 0;
    }
    double r_t = rows > 2 ? hypot(r[1], r[2]) : (rows > 1 ? fabs(r[1]) : 0.0);
    double most = p->mu[a] * r[0], least = fmax(spare * most, surely * limit / s->W_diag[a]);
    return r_t < most - least ? rows : 1;
}

// What ties one body to another: normal equations of its motion relative to that, as the velocities
// in the tied rows tell it.
typedef struct tie {
    double M[DOF_MAX * DOF_MAX]; // G^T G, one triangle
    double g[DOF_MAX];           // G^T u
} tie;

static void add_rows(const cn_solver *s, const cn_problem *p, int a, int side, int rows, int dof,
                     tie *t)
{
    double room[CN_BLOCK_ROOM];
    const double *G = cn_problem_factor(p, a, side, room), *u = s->u + p->row_start[a];
    for (int k = 0; k < rows; k++) {
        for (int i = 0; i < dof; i++) {
            t->g[i] += G[dof * k + i] * u[k];
            for (int j = 0; j <= i; j++) {
                t->M[DOF_MAX * i + j] += G[dof * k + i] * G[dof * k + j];
            }
        }
    }
}

// Square of the motion that is left [kg m2/s2]; infinite where the rows leave it open.
static double motion_left(int n, tie *t)
{
    double *M = t->M, *x = t->g, most = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, M[DOF_MAX * i + i]);
    }
    for (int j = 0; j < n; j++) {
        double pivot = M[DOF_MAX * j + j];
        if (!(pivot > stiff * most)) {
            return INFINITY;
        }
        for (int i = j + 1; i < n; i++) {
            double share = M[DOF_MAX * i + j] / pivot;
            x[i] -= share * x[j];
            for (int k = j + 1; k <= i; k++) {
                M[DOF_MAX * i + k] -= share * M[DOF_MAX * k + j];
            }
        }
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int i = j + 1; i < n; i++) {
            x[j] -= M[DOF_MAX * i + j] * x[i];
        }
        x[j] /= M[DOF_MAX * j + j];
        sum += x[j] * x[j];
    }
    return sum;
}

// Whether constraints `from` to `to`, which act on the same bodies, leave them no motion relative
// to each other, and none to speak of in fact: long bodies may turn where a short tie hardly shows.
static bool is_tied(const cn_solver *s, const cn_problem *p, int from, int to, double limit)
{
    const cn_factors *f = &p->W.factors;
    const int *body = f->body + 2 * from;
    int side = body[0] >= 0 ? 0 : 1, dof = dof_of(f, body[side]), other = dof_of(f, body[1 - side]);
    if (p->row_start[to] - p->row_start[from] < dof || (dof != 3 && dof != DOF_MAX) ||
        (other != 0 && other != dof)) {
        return false;
    }
    int held = 0; // in a flow too few, and no more is asked
    for (int a = from; a < to && held < dof; a++) {
        held += tied_rows(s, p, a, limit);
    }
    if (held < dof) {
        return false;
    }
    tie t = {0};
    double w = 0.0;
    for (int a = from; a < to; a++) {
        add_rows(s, p, a, side, tied_rows(s, p, a, limit), dof, &t);
        w = fmax(w, s->W_diag[a]);
    }
    return w * motion_left(dof, &t) <= limit * limit;
}

// The first constraint behind `from` that acts on other bodies.
static int end_of_pair(const cn_problem *p, int from)
{
    const int *body = p->W.factors.body + 2 * from;
    int to = from + 1;
    while (to < p->contact_count && body[2 * (to - from)] == body[0] &&
           body[2 * (to - from) + 1] == body[1]) {
        to++;
    }
    return to;
}

// Links bodies that are tied to each other; is_ground: of those that cannot move to others, under
// the last number. Returns whether there are any.
static bool link_tied(cn_solver *s, const cn_problem *p, double limit, bool is_ground)
{
    const cn_factors *f = &p->W.factors;
    int ground = f->body_count;
    bool is_found = false;
    for (int from = 0, to; from < p->contact_count; from = to) {
        const int *body = f->body + 2 * from;
        to = end_of_pair(p, from);
        if ((body[0] < 0 || body[1] < 0) != is_ground) {
            continue;
        }
        int i = cn_island_root(s->island, body[0] >= 0 ? body[0] : ground);
        int j = cn_island_root(s->island, body[1] >= 0 ? body[1] : ground);
        if (i != j && is_tied(s, p, from, to, limit)) {
            s->island[i < j ? i : j] = i < j ? j : i;
            is_found = true;
        }
    }
    return is_found;
}

cn_status cn_locked_find(cn_solver *s, const cn_problem *p, double limit, bool *is_all,
                         cn_error *err)
{
    const cn_factors *f = &p->W.factors;
    size_t bodies = (size_t)f->body_count;
    *is_all = s->has_locked = false;
    if (s->is_whole || !p->is_grounded || p->W.rows.row != NULL || bodies == 0) {
        return CN_OK;
    }
    CN_TRY(cn_reserve(&s->hooks, &s->is_locked, &s->is_locked_capacity, bodies, err));
    CN_TRY(cn_reserve(&s->hooks, &s->island, &s->island_capacity, bodies + 1, err));
    for (int i = 0; i <= f->body_count; i++) {
        s->island[i] = i;
    }
    if (!link_tied(s, p, limit, true)) {
        return CN_OK; // as in most flows: no more is asked
    }
    link_tied(s, p, limit, false);
    for (int i = 0; i < f->body_count; i++) {
        s->is_locked[i] =
            cn_island_root(s->island, i) == f->body_count; // roots are the last of all
        s->has_locked = s->has_locked || s->is_locked[i];
    }
    *is_all = true;
    for (int n = 0; n < 2 * p->contact_count && *is_all; n++) {
        *is_all = f->body[n] < 0 || s->is_locked[f->body[n]];
    }
    return CN_OK;
}

const unsigned char *cn_solver_locked(const cn_solver *solver)
{
    return solver->has_locked ? solver->is_locked : NULL;
}
