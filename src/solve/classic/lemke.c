// solve/classic/lemke.c -- pivoting on a faceted cone: an oracle for small problems, theory 13.33
// and 13.34.
//
// With the disk of friction replaced by a polygon the problem is one of linear complementarity,
// solved in finitely many pivots: an answer that owes nothing to iterations. Then each polygon is
// turned until one of its corners lies where friction points, and the problem is solved again: in
// the plane the first answer is exact, in space the limit is.
#include <math.h>
#include <string.h>

#include "solve/classic/lcp.h"
#include "solve/problem/project.h"
#include "solve/solver.h"

enum { FACETS = 14, SWEEPS_PER_TURN = 10, UNKNOWN_MAX = 800, PIVOTS_PER_UNKNOWN = 10 };

// The fan narrows by this much as long as friction points where it did, down to rounding.
static const double fan_share = 0.25, fan_most = CN_PI / 8.0;

// The unknowns of a constraint stand together in z (13.33): a contact has r_n, the shares of r_t
// along its facets and the speed of sliding; a bilateral row r+ and r-; a bounded row r + mu and
// its limit. All is scaled by the square root of the effective mass: r' = scale r^, u^ = scale u'.
typedef struct faceted {
    cn_solver *s;
    const cn_problem *p;
    int rows, count;
    double *W, *q; // rows x rows: W'; u' at r' = 0; scaled
    double *scale; // by row
    double *angle; // of the first facet, by packed constraint
    double *fan;   // between it and the next
    double *M, *b, *z, *work;
    int *first; // unknown of each packed constraint
    int *basis;
} faceted;

static int facets_of(const cn_packed *c)
{
    return c->rows == 3 ? FACETS : 2 * (c->rows - 1);
}

static int unknowns_of(const cn_packed *c)
{
    if (c->kind != CN_CORE_CONE) {
        return 2 * c->rows;
    }
    return c->rows > 1 ? facets_of(c) + 2 : 1;
}

static cn_status count_unknowns(const cn_solver *s, const cn_problem *p, int *count, cn_error *err)
{
    *count = 0;
    for (int n = 0; n < s->packed_count && *count <= UNKNOWN_MAX; n++) {
        const cn_packed *c = &s->packed[n];
        if (c->kind == CN_CORE_CONE && cn_has_moments(p->dim, c->rows)) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "contact %d resists rolling or spinning, which lemke does not solve; use "
                "another solver",
                c->a);
        }
        *count += unknowns_of(c);
    }
    return *count <= UNKNOWN_MAX
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT,
                         "lemke is for small problems: %d constraints make more than %d unknowns; "
                         "use another solver",
                         s->packed_count, UNKNOWN_MAX);
}

// Direction of facet k in the tangent plane: a fan about the first one that opens in geometric
// steps to both sides, so that it is fine where friction points and still goes all around.
static void facet(const faceted *f, int n, int k, double direction[2])
{
    if (f->s->packed[n].rows < 3) {
        direction[0] = k == 0 ? 1.0 : -1.0;
        return;
    }
    const int steps = FACETS / 2 - 1;
    double away = k == 0 ? 0.0 : f->fan[n] * pow(CN_PI / f->fan[n], (double)((k - 1) / 2) / steps);
    double angle = f->angle[n] + (k % 2 == 1 ? away : -away);
    direction[0] = cos(angle);
    direction[1] = sin(angle);
}

// What a unit of unknown k of constraint n does to its scaled impulses; zeros for multipliers. The
// velocity that is held against it is the same combination of u^.
static void effect(const faceted *f, int n, int k, double *r)
{
    const cn_packed *c = &f->s->packed[n];
    memset(r, 0, sizeof *r * CN_ROW_MAX);
    if (c->kind == CN_CORE_BILATERAL) {
        r[k / 2] = k % 2 == 0 ? 1.0 : -1.0;
    } else if (c->kind == CN_CORE_BOUNDED) {
        r[k / 2] = k % 2 == 0 ? 1.0 : 0.0;
    } else if (k == 0) {
        r[0] = 1.0;
    } else if (k <= facets_of(c)) {
        double direction[2];
        facet(f, n, k - 1, direction);
        memcpy(r + 1, direction, sizeof *r * (size_t)(c->rows - 1));
    }
}

// Scaled impulse at z = 0: the lower end of bounded rows.
static double base(const faceted *f, const cn_packed *c, int row)
{
    return c->kind == CN_CORE_BOUNDED ? -c->mu / f->scale[row] : 0.0;
}

// Dense W' and u' at r' = 0, scaled.
static void gather(faceted *f, double *column)
{
    cn_solver *s = f->s;
    cn_problem product = *f->p;
    size_t rows = (size_t)f->rows;
    memset(column, 0, sizeof *column * 2 * rows);
    product.u_free = column;
    double *unit = column + rows;
    for (int k = 0; k < f->rows; k++) {
        unit[k] = 1.0;
        memset(s->u, 0, sizeof *s->u * rows);
        cn_solver_apply(s, &product, unit);
        cn_solver_velocity(s, &product, unit, s->u);
        unit[k] = 0.0;
        for (int i = 0; i < f->rows; i++) {
            double compliance = i == k ? cn_row_or_zero(f->p->c, k) : 0.0;
            f->W[(size_t)i * rows + (size_t)k] = f->scale[i] * (s->u[i] + compliance) * f->scale[k];
        }
    }
    for (int k = 0; k < f->rows; k++) {
        unit[k] = -cn_row_or_zero(f->p->r0, k);
    }
    cn_solver_apply(s, f->p, unit);
    cn_solver_velocity(s, f->p, unit, s->u);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            f->q[k] = f->scale[k] * (s->u[k] + cn_row_or_zero(f->p->b, k));
        }
    }
}

// Rows that tie unknowns of one constraint to each other (13.34).
static void tie(const faceted *f, int n)
{
    const cn_packed *c = &f->s->packed[n];
    size_t count = (size_t)f->count, at = (size_t)f->first[n];
    if (c->kind == CN_CORE_BOUNDED) {
        for (size_t k = 0; k < (size_t)c->rows; k++) {
            size_t lifted = at + 2 * k, limit = lifted + 1;
            f->M[lifted * count + limit] = 1.0;
            f->M[limit * count + lifted] = -1.0;
            f->b[limit] = 2.0 * c->mu / f->scale[c->row];
        }
    } else if (c->kind == CN_CORE_CONE && c->rows > 1) {
        size_t slip = at + (size_t)facets_of(c) + 1;
        f->M[slip * count + at] = c->mu;
        for (size_t k = at + 1; k < slip; k++) {
            f->M[k * count + slip] = 1.0;
            f->M[slip * count + k] = -1.0;
        }
    }
}

// M z + b: the velocities held against each unknown, from the velocities of all impulses.
static void assemble(const faceted *f)
{
    const cn_solver *s = f->s;
    size_t count = (size_t)f->count, rows = (size_t)f->rows;
    memset(f->M, 0, sizeof *f->M * count * count);
    memset(f->b, 0, sizeof *f->b * count);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int i = 0; i < unknowns_of(c); i++) {
            double e[CN_ROW_MAX];
            effect(f, n, i, e);
            size_t row = (size_t)(f->first[n] + i);
            for (int k = 0; k < c->rows; k++) {
                f->b[row] += e[k] * f->q[c->row + k];
            }
            for (int m = 0; m < s->packed_count; m++) {
                const cn_packed *d = &s->packed[m];
                double across[CN_ROW_MAX] = {0}; // e . W_nm
                for (int k = 0; k < c->rows * d->rows; k++) {
                    size_t at = (size_t)(c->row + k / d->rows) * rows;
                    across[k % d->rows] +=
                        e[k / d->rows] * f->W[at + (size_t)(d->row + k % d->rows)];
                }
                for (int k = 0; k < d->rows; k++) {
                    f->b[row] += across[k] * base(f, d, d->row + k);
                }
                for (int j = 0; j < unknowns_of(d); j++) {
                    double g[CN_ROW_MAX];
                    effect(f, m, j, g);
                    for (int k = 0; k < d->rows; k++) {
                        f->M[row * count + (size_t)(f->first[m] + j)] += across[k] * g[k];
                    }
                }
            }
        }
        tie(f, n);
    }
}

// p->r from z, with its velocity.
static void show(const faceted *f)
{
    cn_solver *s = f->s;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double *r = f->p->r + c->row;
        for (int k = 0; k < c->rows; k++) {
            r[k] = base(f, c, c->row + k);
        }
        for (int i = 0; i < unknowns_of(c); i++) {
            double e[CN_ROW_MAX];
            effect(f, n, i, e);
            for (int k = 0; k < c->rows; k++) {
                r[k] += e[k] * f->z[f->first[n] + i];
            }
        }
        for (int k = 0; k < c->rows; k++) {
            r[k] = f->scale[c->row + k] * r[k] - cn_row_or_zero(f->p->r0, c->row + k);
        }
    }
    cn_solver_apply(s, f->p, f->p->r);
    cn_solver_velocity(s, f->p, f->p->r, s->u);
}

// The first facet goes where r_t - m u_t points: along the friction of a sliding contact and
// through the impulse of one that sticks.
static void turn(const faceted *f)
{
    const cn_problem *p = f->p;
    for (int n = 0; n < f->s->packed_count; n++) {
        const cn_packed *c = &f->s->packed[n];
        if (c->kind != CN_CORE_CONE || c->rows != 3) {
            continue;
        }
        double x[2];
        for (int k = 0; k < 2; k++) {
            int row = c->row + 1 + k;
            double r = p->r[row] + cn_row_or_zero(p->r0, row);
            double u = f->s->u[row] + cn_row_or_zero(p->b, row) + cn_row_or_zero(p->c, row) * r;
            x[k] = r - f->scale[row] * f->scale[row] * u;
        }
        if (x[0] != 0.0 || x[1] != 0.0) {
            double angle = atan2(x[1], x[0]);
            double change = fabs(remainder(angle - f->angle[n], 2.0 * CN_PI));
            f->fan[n] = fmin(fmax(change, fan_share * f->fan[n]), fan_most);
            f->angle[n] = angle;
        }
    }
}

// Lays out the arrays in `work`, unless it is NULL; returns how many numbers they take.
static size_t lay_out(faceted *f, double *work)
{
    size_t rows = (size_t)f->rows, count = (size_t)f->count;
    size_t packed = (size_t)f->s->packed_count, at = 0;
    double **array[] = {&f->W, &f->q, &f->scale, &f->angle, &f->fan, &f->M, &f->b, &f->z, &f->work};
    const size_t size[] = {rows * rows, rows,   rows,
                           packed,      packed, count * count,
                           count,       count,  cn_lcp_work(f->count) + 2 * rows};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
        *array[k] = work != NULL ? work + at : NULL;
        at += size[k];
    }
    if (work != NULL) {
        f->first = (int *)(work + at);
        f->basis = f->first + packed;
    }
    return at + packed + count;
}

static void start(faceted *f)
{
    int first = 0;
    memset(f->scale, 0, sizeof *f->scale * (size_t)f->rows);
    for (int n = 0; n < f->s->packed_count; n++) {
        const cn_packed *c = &f->s->packed[n];
        double w = f->s->W_diag[c->a];
        for (int k = c->row; k < c->row + c->rows; k++) {
            f->scale[k] = w > 0.0 ? 1.0 / sqrt(w) : 1.0;
        }
        f->first[n] = first;
        f->angle[n] = 0.0;
        f->fan[n] = fan_most;
        first += unknowns_of(c);
    }
    gather(f, f->work);
    cn_solver_apply(f->s, f->p, f->p->r);
    cn_solver_velocity(f->s, f->p, f->p->r, f->s->u);
}

cn_status cn_lemke(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    faceted f = {.s = s, .p = p, .rows = p->row_start[p->contact_count]};
    CN_TRY(count_unknowns(s, p, &f.count, err));
    double *work;
    CN_TRY(cn_solver_work(s, lay_out(&f, NULL), &work, err));
    lay_out(&f, work);
    start(&f);
    do {
        turn(&f);
        assemble(&f);
        if (!cn_lcp_solve(f.count, f.M, f.b, PIVOTS_PER_UNKNOWN * f.count, f.work, f.basis, f.z)) {
            return CN_OK; // no solution of the faceted problem: nothing to turn
        }
        show(&f);
        progress->sweep_count += SWEEPS_PER_TURN;
        progress->iteration_count++;
        progress->sweep_next = 0;
    } while (!cn_progress_check(progress, s, p));
    return CN_OK;
}
