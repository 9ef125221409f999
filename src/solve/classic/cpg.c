// solve/classic/cpg.c -- conjugate projected gradient of Renouf and Alart, theory 13.30 and 13.31.
//
// Conjugate gradients whose residual and direction are projected on the directions in which the
// impulses can go, and whose iterate is projected on the cones. With the shift of De Saxce taken at
// every iterate the limit obeys Coulomb's law. Two products with W per iteration, no order.
#include <math.h>
#include <string.h>

#include "solve/direct/gradient.h"
#include "solve/problem/project.h"

// Arrays by row; impulses are those of the core.
typedef struct gradient {
    double *g;     // u~
    double *z;     // projected steepest descent, an impulse
    double *p;     // direction
    double *Wp;    // W' p
    double *zero;  // free velocities of a product alone
    double *r, *u; // before the step
    double t;      // step of projected gradient
    bool is_first; // there is no last direction
} gradient;

static const double step_growth = 1.0 / 0.9; // of projected gradient

// Length of r below which a contact counts as open, over that of the largest.
static const double apex = 1e-12;

// How far d points out of each disc that r touches: d along r_k. *touches: which ones.
static void look_outward(const cn_cone_discs *discs, const double *r, const double *d,
                         double outward[CN_DISC_MAX], bool touches[CN_DISC_MAX])
{
    for (int k = 0; k < discs->count; k++) {
        const cn_cone_disc *disc = &discs->disc[k];
        double length2 = 0.0, along = 0.0;
        for (int i = disc->first; i < disc->first + disc->size; i++) {
            length2 += r[i] * r[i];
            along += d[i] * r[i];
        }
        double length = sqrt(length2);
        touches[k] = length > 0.0 && length >= disc->mu * r[0] * (1.0 - 1e-12);
        outward[k] = touches[k] ? along / length : 0.0;
    }
}

// On the mantle: the nearest d with outward_k <= mu_k d_n for the discs that r touches. As in
// (8.13), discs are taken from the steepest down, each lifting d_n = sum / weight.
static void project_on_mantle(const cn_cone_discs *discs, const double *r, double *d)
{
    double outward[CN_DISC_MAX];
    bool touches[CN_DISC_MAX], is_taken[CN_DISC_MAX] = {false};
    look_outward(discs, r, d, outward, touches);
    double sum = d[0], weight = 1.0;
    for (int pass = 0; pass < discs->count; pass++) {
        int next = -1;
        for (int k = 0; k < discs->count; k++) {
            double mu = discs->disc[k].mu;
            bool is_cut = touches[k] && !is_taken[k] && outward[k] * weight > mu * sum;
            if (is_cut && (next < 0 || outward[k] * discs->disc[next].mu > outward[next] * mu)) {
                next = k;
            }
        }
        if (next < 0) {
            break;
        }
        is_taken[next] = true;
        sum += discs->disc[next].mu * outward[next];
        weight += discs->disc[next].mu * discs->disc[next].mu;
    }
    d[0] = sum / weight;
    for (int k = 0; k < discs->count; k++) {
        const cn_cone_disc *disc = &discs->disc[k];
        double excess = is_taken[k] ? outward[k] - disc->mu * d[0] : 0.0, length2 = 0.0;
        for (int i = disc->first; i < disc->first + disc->size; i++) {
            length2 += r[i] * r[i];
        }
        for (int i = disc->first; i < disc->first + disc->size && excess > 0.0; i++) {
            d[i] -= excess * r[i] / sqrt(length2);
        }
    }
}

// d on the directions that lead into K at r (13.30): all inside, half-spaces on the mantle, K
// itself at the apex; none along a disc without radius.
static void project_direction(const cn_set *set, double r_small, const double *r, double *d)
{
    if (set->kind == CN_CORE_BOUNDED) {
        for (int k = 0; k < set->rows; k++) {
            d[k] = fabs(r[k]) >= set->mu && r[k] * d[k] > 0.0 ? 0.0 : d[k];
        }
        return;
    }
    if (set->kind != CN_CORE_CONE) {
        return;
    }
    if (r[0] <= r_small) {
        cn_set_project(set, d, d);
        return;
    }
    cn_cone_discs discs = cn_set_discs(set);
    for (int k = 0; k < discs.count; k++) {
        if (discs.disc[k].mu == 0.0) {
            memset(d + discs.disc[k].first, 0, sizeof *d * (size_t)discs.disc[k].size);
        }
    }
    project_on_mantle(&discs, r, d);
}

static double effective_mass(const cn_solver *s, const cn_packed *c)
{
    return s->W_diag[c->a] > 0.0 ? 1.0 / s->W_diag[c->a] : 0.0;
}

// r' of a packed constraint.
static void take(const cn_problem *p, const cn_packed *c, double *r)
{
    for (int k = 0; k < c->rows; k++) {
        r[k] = p->r[c->row + k] + cn_row_or_zero(p->r0, c->row + k);
    }
}

// u~ at the impulses in p->r, whose velocities are in s->u.
static void find_gradient(const cn_solver *s, const cn_problem *p, gradient *z)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_gradient_velocity(p, c, p->r, s->u, z->g + c->row);
    }
}

// z = -m u~ and p, both projected at the new impulses; then p = z + beta p with beta from W' p of
// the last step (13.31).
static void find_direction(const cn_solver *s, const cn_problem *p, double r_small, gradient *z)
{
    double across = 0.0, curvature = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        double r[CN_ROW_MAX], *z_a = z->z + c->row;
        take(p, c, r);
        for (int k = 0; k < c->rows; k++) {
            z_a[k] = -effective_mass(s, c) * z->g[c->row + k];
        }
        project_direction(&set, r_small, r, z_a);
        for (int k = c->row; k < c->row + c->rows && !z->is_first; k++) {
            across += z->z[k] * z->Wp[k];
            curvature += z->p[k] * z->Wp[k];
        }
        project_direction(&set, r_small, r, z->p + c->row);
    }
    double beta = curvature > 0.0 ? -across / curvature : 0.0, slope = 0.0;
    z->is_first = false;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            z->p[k] = z->z[k] + beta * z->p[k];
            slope += z->p[k] * z->g[k];
        }
    }
    if (!(slope < 0.0)) { // not downhill: start again
        memcpy(z->p, z->z, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    }
}

// p->r = P_K(r' + alpha p) - r0 from the impulses kept in z->r, and its velocity.
static void place(cn_solver *s, const cn_problem *p, const gradient *z, double alpha)
{
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_set set = cn_problem_set(p, c->a, c->rows);
        double r[CN_ROW_MAX];
        for (int k = 0; k < c->rows; k++) {
            int row = c->row + k;
            r[k] = z->r[row] + cn_row_or_zero(p->r0, row) + alpha * z->p[row];
        }
        cn_set_project(&set, r, r);
        for (int k = 0; k < c->rows; k++) {
            p->r[c->row + k] = r[k] - cn_row_or_zero(p->r0, c->row + k);
        }
    }
    cn_solver_apply(s, p, p->r);
    cn_solver_velocity(s, p, p->r, s->u);
}

// Change of the quadratic function with the shift frozen: g . d + 1/2 d . W' d for d = r - z->r.
static double change(const cn_solver *s, const cn_problem *p, const gradient *z)
{
    double slope = 0.0, curvature = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            double d = p->r[k] - z->r[k];
            slope += z->g[k] * d;
            curvature += d * (s->u[k] - z->u[k] + cn_row_or_zero(p->c, k) * d);
        }
    }
    return slope + 0.5 * curvature;
}

// The product W' p and the step that minimises the function along p.
static double best_step(cn_solver *s, const cn_problem *p, gradient *z)
{
    cn_problem product = *p;
    product.u_free = z->zero;
    cn_solver_apply(s, &product, z->p);
    cn_solver_velocity(s, &product, z->p, z->Wp);
    double slope = 0.0, curvature = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        for (int k = c->row; k < c->row + c->rows; k++) {
            z->Wp[k] += cn_row_or_zero(p->c, k) * z->p[k];
            slope += z->g[k] * z->p[k];
            curvature += z->p[k] * z->Wp[k];
        }
    }
    return curvature > 0.0 ? -slope / curvature : 1.0;
}

// A step along p, or, where the projection spoils it, one of projected gradient.
static void advance(cn_solver *s, const cn_problem *p, gradient *z, cn_solve_progress *progress)
{
    size_t size_of_rows = sizeof(double) * (size_t)p->row_start[p->contact_count];
    memcpy(z->r, p->r, size_of_rows);
    memcpy(z->u, s->u, size_of_rows);
    place(s, p, z, best_step(s, p, z));
    progress->sweep_count += 2;
    if (change(s, p, z) < 0.0) {
        return;
    }
    z->is_first = true;
    z->t *= step_growth;
    cn_gradient_step(s, p, z->r, z->u, &z->t, progress);
}

static double largest_normal(const cn_solver *s, const cn_problem *p)
{
    double largest = 0.0;
    for (int n = 0; n < s->packed_count; n++) {
        largest = fmax(largest, fabs(p->r[s->packed[n].row]));
    }
    return largest;
}

cn_status cn_cpg(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    double *work;
    CN_TRY(cn_solver_work(s, 7 * rows, &work, err));
    memset(work, 0, sizeof *work * 7 * rows);
    gradient z = {.g = work,
                  .z = work + rows,
                  .p = work + 2 * rows,
                  .Wp = work + 3 * rows,
                  .zero = work + 4 * rows,
                  .r = work + 5 * rows,
                  .u = work + 6 * rows,
                  .t = 1.0,
                  .is_first = true};
    cn_solver_velocity(s, p, p->r, s->u);
    for (;;) {
        find_gradient(s, p, &z);
        find_direction(s, p, apex * largest_normal(s, p), &z);
        advance(s, p, &z, progress);
        progress->iteration_count++;
        if (cn_progress_check(progress, s, p)) {
            return CN_OK;
        }
    }
}
