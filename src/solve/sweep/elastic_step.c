// solve/sweep/elastic_step.c -- the elastic step: every contact a stiff spring about the first
// guess, theory 13.5.
//
// One proximal step that is not iterated. The first guess of a step are the impulses of the last
// one, so the impulse of a sticking contact changes by stiffness times displacement: a spring in
// rate form inside the exact cone. What is solved is a core with another compliance and shift.
#include <math.h>
#include <string.h>

#include "solve/problem/parallel.h"
#include "solve/solver.h"

bool cn_is_elastic(const cn_solver_def *def)
{
    return def->elastic_c > 0.0 || def->is_elastic_auto || def->contact_stiffness > 0.0;
}

cn_status cn_elastic_check(const cn_solver_def *def, cn_error *err)
{
    int given = (def->elastic_c > 0.0) + def->is_elastic_auto + (def->contact_stiffness > 0.0);
    if (!(def->elastic_c >= 0.0) || !(def->contact_stiffness >= 0.0) || given > 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "elastic step: give c (%g)%s or a stiffness (%g N/m), one of them, > 0",
                       def->elastic_c, def->is_elastic_auto ? ", c by friction" : "",
                       def->contact_stiffness);
    }
    if (def->contact_stiffness > 0.0 && !(def->h > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "elastic step: a contact stiffness needs the time step, got %g s", def->h);
    }
    return CN_OK;
}

// Hardness that leaves one solution: friction takes away mu^2 w of what the spring gives, w/c.
static double hardness_by_friction(double mu)
{
    const double one = 25.0, most = 100.0;
    return mu * mu * most > one ? one / (mu * mu) : most;
}

// Compliance a_c of a contact with friction mu and effective mass 1/w [1/kg].
static double softness(const cn_solver_def *def, double mu, double w)
{
    if (def->contact_stiffness > 0.0) {
        return 1.0 / (def->contact_stiffness * def->h * def->h);
    }
    return w / (def->is_elastic_auto ? hardness_by_friction(mu) : def->elastic_c);
}

// w_a as the residual has it: the mean diagonal of W_aa + c, moments apart; and their length.
static double mean_diagonal(const cn_problem *p, int a, double *length)
{
    int row = p->row_start[a], rows = p->row_start[a + 1] - row;
    double W_aa[CN_ROW_MAX * CN_ROW_MAX], trace = 0.0;
    bool has_moments = cn_has_moments(p->dim, rows);
    int forces = has_moments ? p->dim : rows;
    cn_problem_block(p, a, W_aa);
    for (int k = 0; k < rows; k++) {
        W_aa[(rows + 1) * k] += cn_row_or_zero(p->c, row + k);
        trace += k < forces ? W_aa[(rows + 1) * k] : 0.0;
    }
    *length = has_moments ? cn_moment_length(p->dim, rows, W_aa) : 1.0;
    return trace / forces;
}

cn_status cn_elastic_make(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                          cn_problem *soft, double *c_least, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    CN_TRY(cn_reserve(&s->hooks, &s->soft, &s->soft_capacity, 2 * rows, err));
    double *b = s->soft, *c = s->soft + rows;
    *c_least = INFINITY;
    for (int a = 0; a < p->contact_count; a++) {
        // What is bonded gives already, about a length of its own.
        bool is_bonded = cn_has_parallel(p, p->row_start[a], p->row_start[a + 1] - p->row_start[a]);
        bool is_soft = p->kind[a] == CN_CORE_CONE && !is_bonded;
        double length = 1.0, w = is_soft ? mean_diagonal(p, a, &length) : 0.0;
        double a_c = w > 0.0 ? softness(def, p->mu[a], w) : 0.0;
        *c_least = a_c > 0.0 ? fmin(*c_least, w / a_c) : *c_least;
        for (int k = p->row_start[a]; k < p->row_start[a + 1]; k++) {
            double centre = p->r[k] + cn_row_or_zero(p->r0, k);
            double soft_k = k < p->row_start[a] + p->dim ? a_c : a_c / (length * length); // (8.16)
            c[k] = cn_row_or_zero(p->c, k) + soft_k;
            b[k] = cn_row_or_zero(p->b, k) - soft_k * centre; // (13.5)
        }
    }
    *soft = *p;
    soft->b = b;
    soft->c = c;
    return CN_OK;
}
