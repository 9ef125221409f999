// limit/cutoffs.c -- joints with strength in the interior point, theory 16.9 to 16.12.
//
// Cohesion moves the tip of a cone of friction to tension: with r = S x - c/mu n the cone of x is
// that of dry friction, and c/mu is a constant load. Where the normal force ends before the tip, or
// is crushed, there is one more unknown z >= 0 and one more row of A, which nothing else shares:
//     tension   r_n + f = z        crush   f - r_n = z (16.11)
// Such a row is eliminated block by block before bodies are factored.
#include <math.h>
#include <string.h>

#include "limit/interior.h"
#include "solve/problem/blocks.h"

// Crush forces beyond this many mean loads per body are no end: the checker still looks at them.
static const double OUT_OF_REACH = 1e6;

static double strength(const double *of, int a, double none)
{
    return of != NULL ? of[a] : none;
}

// How far the tip of the cone is pulled, and the largest tension.
static double tip_of(const cn_limit_program *p, int a)
{
    double mu = p->friction[a];
    return mu > 0.0 ? strength(p->cohesion, a, 0.0) / mu : strength(p->tension, a, 0.0);
}

static bool has_tension_end(const cn_limit_program *p, int a)
{
    return p->friction[a] > 0.0 && strength(p->tension, a, 0.0) < (1.0 - 1e-12) * tip_of(p, a);
}

static double total_load(const cn_limit_program *p)
{
    double sum = 0.0;
    for (int k = 0; k < p->dof_start[p->body_count]; k++) {
        sum += fabs(p->dead[k]) + (p->live != NULL ? fabs(p->live[k]) : 0.0);
    }
    return sum;
}

static bool has_crush_end(const cn_limit_program *p, int a, double load)
{
    return strength(p->crush, a, INFINITY) < OUT_OF_REACH * load;
}

int cn_cutoffs_count(const cn_limit_program *p)
{
    int count = 0;
    double load = total_load(p);
    for (int a = 0; a < p->contact_count; a++) {
        count += has_tension_end(p, a) + has_crush_end(p, a, load);
    }
    return count;
}

// An end at `force` of r_n + tip, from above (side 1) or from below (-1).
static void add_cutoff(cn_cones *c, int n, int a, double side, double force)
{
    double on = side * cn_cone_weight(c, a, 0), scale = 1.0 / sqrt(on * on + 1.0);
    c->cutoff[n] = (cn_cutoff){.contact = a, .on = on * scale, .own = -scale};
    c->scale[c->motion_count + n] = scale;
    c->dead[c->motion_count + n] = -side * scale * force / c->force;
}

void cn_cutoffs_fill(const cn_limit_program *p, cn_cones *c)
{
    int n = 0;
    double load = total_load(p);
    for (int a = 0; a < p->contact_count; a++) {
        c->tip[a] = tip_of(p, a);
        if (has_tension_end(p, a)) {
            add_cutoff(c, n++, a, 1.0, c->tip[a] - strength(p->tension, a, 0.0));
        }
        if (has_crush_end(p, a, load)) {
            add_cutoff(c, n++, a, -1.0, c->tip[a] + p->crush[a]);
        }
    }
}

void cn_cutoffs_add_tips(cn_cones *c)
{
    const cn_factors *f = &c->problem.W.factors;
    for (int a = 0; a < c->contact_count; a++) {
        const double r[3] = {-c->tip[a] / c->force, 0.0, 0.0};
        for (int side = 0; side < 2 && c->tip[a] > 0.0; side++) {
            int body = f->body[2 * a + side];
            int count = body < 0 ? 0 : f->dof_start[body + 1] - f->dof_start[body];
            if (count > 0) {
                cn_side_scatter(f, a, side, c->dim, count, r, c->dead + f->dof_start[body]);
            }
        }
    }
}

void cn_cutoffs_condense(cn_cones *c, int a, int *next, const double *block, double *E)
{
    int dim = c->dim, cutoffs = c->dof_count - c->motion_count;
    memcpy(E, block + dim * dim * a, sizeof *E * (size_t)(dim * dim));
    for (; *next < cutoffs && c->cutoff[*next].contact == a; ++*next) {
        cn_cutoff *cut = &c->cutoff[*next];
        double own = cut->own * cut->own * block[dim * dim * (c->contact_count + *next)];
        cut->pivot = cut->on * cut->on * E[0] + own;
        for (int k = 0; k < dim; k++) {
            cut->column[k] = E[dim * k];
        }
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < dim; j++) {
                E[dim * i + j] -=
                    cut->column[i] * cut->column[j] * (cut->on * cut->on / cut->pivot);
            }
            E[i] = E[dim * i] = cut->column[i] * (own / cut->pivot); // without cancellation
        }
    }
}

// Whether the cut-off after n is of the same contact.
static bool has_twin(const cn_cones *c, int n)
{
    return n + 1 < c->dof_count - c->motion_count &&
           c->cutoff[n + 1].contact == c->cutoff[n].contact;
}

void cn_cutoffs_reduce(const cn_cones *c, double *f, double *work)
{
    int cutoffs = c->dof_count - c->motion_count;
    double *own = f + c->motion_count;
    if (cutoffs == 0) {
        return;
    }
    memset(work, 0, sizeof *work * (size_t)(c->dim * c->contact_count));
    for (int n = 0; n < cutoffs; n++) {
        const cn_cutoff *cut = &c->cutoff[n];
        double share = cut->on * own[n] / cut->pivot;
        for (int k = 0; k < cn_cone_rows(c, cut->contact); k++) {
            work[c->dim * cut->contact + k] -= cut->column[k] * share;
        }
        if (has_twin(c, n)) {
            own[n + 1] -= c->cutoff[n + 1].on * cut->column[0] * share;
        }
    }
    cn_cones_push_contacts(c, work, f);
}

void cn_cutoffs_expand(const cn_cones *c, double *y, double *work)
{
    double *own = y + c->motion_count;
    int cutoffs = c->dof_count - c->motion_count;
    if (cutoffs == 0) {
        return;
    }
    cn_cones_move_contacts(c, y, work);
    for (int n = cutoffs - 1; n >= 0; n--) {
        const cn_cutoff *cut = &c->cutoff[n];
        double sum = has_twin(c, n) ? cut->column[0] * c->cutoff[n + 1].on * own[n + 1] : 0.0;
        for (int k = 0; k < cn_cone_rows(c, cut->contact); k++) {
            sum += cut->column[k] * work[c->dim * cut->contact + k];
        }
        own[n] = (own[n] - cut->on * sum) / cut->pivot;
    }
}
