// solve/sweep/local_rolling.c -- one contact that resists rolling and spinning, all others frozen,
// theory 8.14 and 8.15.
//
// A disc k that slides has u_k = -x_k r_k with x_k > 0, one that sticks has x_k = 0. Given x the
// rest is linear, so at most three unknowns are left, with x_k >= 0, phi_k(x) >= 0 and x_k phi_k =
// 0. Newton's method on min(x_k, phi_k) finds them, mostly in a few steps. Where it does not, the
// normal impulse is bracketed: for a given r_n the discs have fixed radii and each x_k follows from
// a monotone equation, so the bracket cannot fail; its answer, coarse at first, starts Newton
// again.
#include <math.h>
#include <string.h>

#include "solve/problem/rolling_cone.h"

enum { SIZE_MAX_T = CN_ROW_MAX - 1, NEWTON_MAX = 40, HALVINGS_MAX = 12, BRACKET_MAX = 200 };

// Factorizations that bracketing may spend. Blocks that are positive definite need up to 4e4, one
// in 1e4 of them more than 1e3; what is not (a damaged file) must not take for ever: where
// the finest bracket is no answer either it is not tried again, and the roots tell so.
enum { BUDGET = 100000 };
static const double no_answer = 1e-3, given_up = -1.0;

// The rows under the discs, normal row apart. M + x is kept as LU without exchanges, which exists
// because M is positive definite; a compliance of 1e-14 of each disc makes that true of blocks that
// are singular.
typedef struct discs_system {
    int size, count;
    cn_cone_disc disc[CN_DISC_MAX]; // rows counted without the normal one
    double M[SIZE_MAX_T * SIZE_MAX_T];
    double b[SIZE_MAX_T];
    double scale[CN_DISC_MAX]; // mean diagonal of M on each disc
    double LU[SIZE_MAX_T * SIZE_MAX_T];
    double x[CN_DISC_MAX];
    double r[SIZE_MAX_T]; // -(M + x)^-1 b
    int budget;
} discs_system;

static void factorize(discs_system *s)
{
    int n = s->size;
    double *LU = s->LU;
    memcpy(LU, s->M, sizeof s->M);
    for (int k = 0; k < s->count; k++) {
        for (int c = s->disc[k].first; c < s->disc[k].first + s->disc[k].size; c++) {
            LU[n * c + c] += s->x[k] + 1e-14 * s->scale[k];
        }
    }
    for (int k = 0; k < n; k++) { // the diagonal keeps the inverse of each pivot
        LU[n * k + k] = 1.0 / LU[n * k + k];
        for (int i = k + 1; i < n; i++) {
            double f = LU[n * i + k] *= LU[n * k + k];
            for (int c = k + 1; c < n; c++) {
                LU[n * i + c] -= f * LU[n * k + c];
            }
        }
    }
}

static void substitute(const discs_system *s, double *y)
{
    int n = s->size;
    for (int i = 1; i < n; i++) {
        for (int k = 0; k < i; k++) {
            y[i] -= s->LU[n * i + k] * y[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            y[i] -= s->LU[n * i + k] * y[k];
        }
        y[i] *= s->LU[n * i + i];
    }
}

// r = -(M + x)^-1 b for the x of the system.
static void find_r(discs_system *s)
{
    factorize(s);
    for (int i = 0; i < s->size; i++) {
        s->r[i] = -s->b[i];
    }
    substitute(s, s->r);
}

// y . z over the rows of a disc.
static double dot_on(const cn_cone_disc *disc, const double *y, const double *z)
{
    double sum = 0.0;
    for (int c = disc->first; c < disc->first + disc->size; c++) {
        sum += y[c] * z[c];
    }
    return sum;
}

static double length_on(const cn_cone_disc *disc, const double *y)
{
    return sqrt(dot_on(disc, y, y));
}

static void set_scales(discs_system *s, double fallback)
{
    for (int k = 0; k < s->count; k++) {
        const cn_cone_disc *disc = &s->disc[k];
        s->scale[k] = 0.0;
        for (int c = disc->first; c < disc->first + disc->size; c++) {
            s->scale[k] += s->M[s->size * c + c] / disc->size;
        }
        if (!(s->scale[k] > 1e-14 * fallback / (disc->mu * disc->mu))) { // nothing to turn
            s->scale[k] = fallback / (disc->mu * disc->mu);
        }
    }
}

// The contact with r_n eliminated by u_n = 0 (8.14).
typedef struct discs_newton {
    discs_system system;
    double w[SIZE_MAX_T]; // W_nT
    double u_n, W_nn;
    double r_n;
    double length[CN_DISC_MAX];             // |r_k|
    double phi[CN_DISC_MAX];                // mu_k r_n / |r_k| - 1
    double slope[CN_DISC_MAX][CN_DISC_MAX]; // d phi_k / d x_l
    double error;                           // max_k |min(x_k / scale_k, phi_k)|
} discs_newton;

static double normal_part(const discs_newton *s, const double *r)
{
    double sum = 0.0;
    for (int i = 0; i < s->system.size; i++) {
        sum += s->w[i] * r[i];
    }
    return -sum / s->W_nn;
}

// phi and the error at x.
static void evaluate(discs_newton *s)
{
    discs_system *in = &s->system;
    find_r(in);
    s->r_n = -s->u_n / s->W_nn + normal_part(s, in->r);
    s->error = 0.0;
    for (int k = 0; k < in->count; k++) {
        double length = s->length[k] = length_on(&in->disc[k], in->r);
        s->phi[k] = length > 0.0 ? in->disc[k].mu * s->r_n / length - 1.0 : INFINITY;
        double e = fabs(fmin(in->x[k] / in->scale[k], s->phi[k]));
        s->error = e <= s->error ? s->error : e;
    }
}

// Slopes of phi at the x of the last evaluation.
static void find_slopes(discs_newton *s)
{
    const discs_system *in = &s->system;
    for (int l = 0; l < in->count; l++) {
        const cn_cone_disc *disc = &in->disc[l];
        double dr[SIZE_MAX_T] = {0.0};
        for (int c = disc->first; c < disc->first + disc->size; c++) {
            dr[c] = -in->r[c];
        }
        substitute(in, dr);
        double dr_n = normal_part(s, dr);
        for (int k = 0; k < in->count; k++) {
            double inverse = s->length[k] > 0.0 ? 1.0 / s->length[k] : 0.0;
            double dlength = dot_on(&in->disc[k], in->r, dr) * inverse;
            s->slope[k][l] = in->disc[k].mu * (dr_n - s->r_n * dlength * inverse) * inverse;
        }
    }
}

// Step of Newton's method on min(x_k / scale_k, phi_k): discs whose phi is the larger stick, x_k =
// 0; the others ask for phi_k = 0. Gauss elimination with row exchanges.
static void newton_step(const discs_newton *s, double dx[CN_DISC_MAX])
{
    const discs_system *in = &s->system;
    int n = in->count;
    double A[CN_DISC_MAX][CN_DISC_MAX + 1];
    for (int k = 0; k < n; k++) {
        bool sticks = in->x[k] / in->scale[k] <= s->phi[k];
        for (int l = 0; l < n; l++) {
            A[k][l] = sticks ? (k == l ? 1.0 / in->scale[k] : 0.0) : s->slope[k][l];
        }
        A[k][n] = sticks ? -in->x[k] / in->scale[k] : -s->phi[k];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        for (int c = 0; c <= n; c++) {
            double swap = A[k][c];
            A[k][c] = A[best][c];
            A[best][c] = swap;
        }
        for (int i = 0; i < n; i++) {
            double f = i == k ? 0.0 : A[i][k] / A[k][k];
            for (int c = k; c <= n; c++) {
                A[i][c] -= f * A[k][c];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        dx[k] = A[k][n] / A[k][k];
    }
}

// Newton with halved steps until the error falls, from an x that was evaluated; true if it arrives.
static bool newton(discs_newton *s)
{
    const double tiny = 1e-14, small = 1e-12; // small: rounding may leave this much
    for (int iteration = 0; iteration < NEWTON_MAX && s->error > tiny; iteration++) {
        double dx[CN_DISC_MAX], part = 1.0;
        find_slopes(s);
        newton_step(s, dx);
        discs_newton next = *s;
        for (int n = 0; n < HALVINGS_MAX; n++, part *= 0.5) {
            for (int k = 0; k < s->system.count; k++) {
                next.system.x[k] = fmax(s->system.x[k] + part * dx[k], 0.0);
            }
            evaluate(&next);
            if (next.error < (1.0 - 0.1 * part) * s->error || next.error <= tiny) {
                break;
            }
        }
        if (!(next.error < s->error)) {
            break;
        }
        *s = next;
    }
    return s->error <= small;
}

// Root of a function that is negative at 0, where it is f_lo, and positive for large x, by regula
// falsi; the last evaluation is at the root. Values below tol count as zero.
static void find_root(double (*f)(void *context, double x), void *context, double f_lo, double hi,
                      double tol)
{
    double lo = 0.0, f_hi = f(context, hi);
    for (int n = 0; n < BRACKET_MAX && f_hi < 0.0; n++) {
        lo = hi;
        f_lo = f_hi;
        hi *= 4.0;
        f_hi = f(context, hi);
    }
    for (int n = 0; n < BRACKET_MAX && hi - lo > 1e-16 * hi; n++) {
        double x = (lo * f_hi - hi * f_lo) / (f_hi - f_lo);
        x = x > lo && x < hi ? x : 0.5 * (lo + hi);
        double f_x = f(context, x);
        if (fabs(f_x) < tol) {
            return;
        }
        if (f_x < 0.0) { // the end that stays counts half: neither end can stay for ever
            lo = x;
            f_lo = f_x;
            f_hi *= 0.5;
        } else {
            hi = x;
            f_hi = f_x;
            f_lo *= 0.5;
        }
    }
}

// Discs of fixed radii; k is the one whose x is asked for.
typedef struct discs_level {
    discs_system *system;
    const double *radius;
    double tol;
    int k;
} discs_level;

// R_k / |r_k| - 1 at x_k, with the discs before k as they are and those after it solved: it grows
// with x_k.
static double play_at(void *context, double x)
{
    const discs_level *level = context;
    discs_system *s = level->system;
    int k = level->k;
    if (s->budget <= 0) {
        return 0.0; // leave it at that
    }
    s->x[k] = x;
    if (k + 1 == s->count) {
        s->budget--;
        find_r(s);
    } else {
        discs_level next = {s, level->radius, level->tol, k + 1};
        double play = play_at(&next, 0.0);
        if (play < 0.0) {
            find_root(play_at, &next, play, s->scale[k + 1], level->tol);
        }
    }
    double length = length_on(&s->disc[k], s->r);
    return length > 0.0 ? level->radius[k] / length - 1.0 : INFINITY;
}

// The contact at a given normal impulse.
typedef struct discs_normal {
    discs_system system; // M = W_TT, b = q_T + W_Tn r_n
    double q[SIZE_MAX_T], W_Tn[SIZE_MAX_T], W_nT[SIZE_MAX_T];
    double u_n, W_nn;
    double tol;
} discs_normal;

// u_n at r_n over the u_n at 0, with its sign (8.15).
static double velocity_at(void *context, double r_n)
{
    discs_normal *c = context;
    discs_system *s = &c->system;
    double radius[CN_DISC_MAX];
    for (int k = 0; k < s->count; k++) {
        radius[k] = s->disc[k].mu * r_n;
    }
    for (int i = 0; i < s->size; i++) {
        s->b[i] = c->q[i] + c->W_Tn[i] * r_n;
    }
    discs_level level = {s, radius, c->tol, 0};
    double play = play_at(&level, 0.0);
    if (play < 0.0) {
        find_root(play_at, &level, play, s->scale[0], c->tol);
    }
    double u_n = c->u_n + c->W_nn * r_n;
    for (int i = 0; i < s->size; i++) {
        u_n += c->W_nT[i] * s->r[i];
    }
    return s->budget > 0 ? u_n / fabs(c->u_n) : 0.0;
}

// Rows under discs of positive radius; the others carry nothing.
static int keep_discs(const cn_cone_discs *discs, discs_system *s, int row[SIZE_MAX_T])
{
    for (int k = 0; k < discs->count; k++) {
        const cn_cone_disc *disc = &discs->disc[k];
        if (!(disc->mu >= CN_FRICTION_NONE)) {
            continue;
        }
        s->disc[s->count++] = (cn_cone_disc){s->size, disc->size, disc->mu};
        for (int c = 0; c < disc->size; c++) {
            row[s->size++] = disc->first + c;
        }
    }
    return s->size;
}

// The same contact in both forms: r_n eliminated, and r_n given.
static void set_up(int rows, const double *W, const double *u, const int *row, discs_newton *s,
                   discs_normal *c)
{
    discs_system *in = &s->system;
    int size = in->size;
    c->system = *in;
    c->system.budget = BUDGET;
    s->u_n = c->u_n = u[0];
    s->W_nn = c->W_nn = W[0];
    for (int i = 0; i < size; i++) {
        const double *from = W + rows * row[i];
        s->w[i] = c->W_nT[i] = W[row[i]];
        c->W_Tn[i] = from[0];
        c->q[i] = u[row[i]];
        in->b[i] = u[row[i]] - from[0] * u[0] / W[0];
        for (int k = 0; k < size; k++) {
            c->system.M[size * i + k] = from[row[k]];
            in->M[size * i + k] = from[row[k]] - from[0] * W[row[k]] / W[0];
        }
    }
    set_scales(in, W[0]);
    set_scales(&c->system, W[0]);
}

// x as if the rows were not coupled: |beta_k| / (scale_k + x_k) = mu_k r_n.
static void guess(discs_newton *s)
{
    discs_system *in = &s->system;
    double r_n = -s->u_n / s->W_nn;
    for (int k = 0; k < in->count; k++) {
        const cn_cone_disc *disc = &in->disc[k];
        double x = length_on(disc, in->b) / (disc->mu * r_n) - in->scale[k];
        in->x[k] = x > 0.0 && isfinite(x) ? x : 0.0;
    }
}

// Stick, then Newton from the last roots or, where they do not lead there, from a guess or from 0.
static bool newton_from_starts(discs_newton *s, const double x[CN_DISC_MAX])
{
    discs_system *in = &s->system;
    evaluate(s);
    if (s->error == 0.0) {
        return true;
    }
    bool has_last = false;
    for (int k = 0; k < in->count; k++) {
        has_last = has_last || x[k] > 0.0;
    }
    for (int attempt = has_last ? 0 : 1; attempt < 3; attempt++) {
        memset(in->x, 0, sizeof in->x);
        if (attempt == 0) {
            memcpy(in->x, x, sizeof in->x);
        } else if (attempt == 1) {
            guess(s);
        }
        evaluate(s);
        if (newton(s)) {
            return true;
        }
    }
    return false;
}

// Brackets r_n, ever finer, until Newton arrives from there; the finest is an answer by itself.
static void newton_from_bracket(discs_newton *s, discs_normal *c)
{
    static const double tol[] = {1e-3, 1e-7, 1e-15};
    for (int n = 0; n < 3; n++) {
        c->tol = tol[n];
        find_root(velocity_at, c, -1.0, -c->u_n / c->W_nn, c->tol);
        memcpy(s->system.x, c->system.x, sizeof s->system.x);
        evaluate(s);
        if (newton(s)) {
            return;
        }
    }
    memcpy(s->system.x, c->system.x, sizeof s->system.x);
    evaluate(s);
}

void cn_rolling_cone_solve(const cn_cone_discs *discs, int rows, const double *W, const double *u,
                           double x[CN_DISC_MAX], double *r)
{
    memset(r, 0, sizeof *r * (size_t)rows);
    if (u[0] >= 0.0 || !(W[0] > 0.0)) {
        return;
    }
    r[0] = -u[0] / W[0];
    discs_newton s = {0};
    discs_normal c = {0};
    int row[SIZE_MAX_T];
    if (keep_discs(discs, &s.system, row) == 0) {
        return;
    }
    set_up(rows, W, u, row, &s, &c);
    bool was_given_up = x[0] == given_up;
    if (!newton_from_starts(&s, x) && !was_given_up) {
        newton_from_bracket(&s, &c);
    }
    bool is_given_up = was_given_up || !(s.error <= no_answer);
    r[0] = s.r_n;
    for (int k = 0; k < s.system.count; k++) { // on the rim of its disc exactly, if it slides
        const cn_cone_disc *disc = &s.system.disc[k];
        bool slides = s.system.x[k] / s.system.scale[k] > s.phi[k];
        double scale = slides ? disc->mu * s.r_n / length_on(disc, s.system.r) : 1.0;
        for (int i = disc->first; i < disc->first + disc->size; i++) {
            r[row[i]] = scale * s.system.r[i];
        }
        x[k] = is_given_up ? given_up : slides ? s.system.x[k] : 0.0;
    }
}
