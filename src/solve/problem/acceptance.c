// solve/problem/acceptance.c -- see acceptance.h.
#include "solve/problem/acceptance.h"

#include <math.h>
#include <string.h>

#include "solve/problem/parallel.h"

// Of the approach before impulses, what an answer may leave where the error is divided by impulses.
static const double left_most = 0.05;

cn_approach cn_solver_approach(const cn_solver *s, const cn_problem *p, const double *u)
{
    cn_approach out = {.worst = -1};
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        bool takes_part = p->v_floor == 0.0 || s->W_diag[c->a] > 0.0; // in a world, see below
        if (c->kind != CN_CORE_CONE || !takes_part) {
            continue;
        }
        int row = c->row;
        double b = cn_row_or_zero(p->b, row), r = cn_core_impulse(p, row, u[row]);
        double u_n = u[row] + b + cn_row_or_zero(p->c, row) * r;
        out.start = fmax(out.start, fabs(p->u_free[row] + b));
        if (!(u_n >= -out.now)) {
            out.now = -u_n;
            out.worst = c->a;
        }
        out.held = fmax(out.held, fmin(u_n, s->W_diag[c->a] * r));
    }
    return out;
}

// With n_flow = 1000 and the third power examples/blocks.yaml (345 contacts) misses 22 of 250
// steps; examples/drums.yaml (64 contacts) takes 12 times the sweeps of 1e-2 and misses 2 of 3800.
// A flat block bounces without turning from 1e-4 on.
cn_solver_def cn_acceptance_asked(const cn_solver_def *def, int count)
{
    const double flow = 1e-2, finest = 1e-6, finest_energy = 1e-10, n_flow = 200.0;
    cn_solver_def asked = *def;
    const cn_accepted *word = cn_accuracy_row(def->accuracy);
    asked.eps_v = asked.eps_v == 0.0 ? word->eps_v : asked.eps_v;
    asked.tol = asked.tol == 0.0 ? word->tol : asked.tol;
    if (asked.eps_v == 0.0) {
        double share = fmin(count / n_flow, 1.0);
        asked.eps_v = fmax(flow * pow(share, 4.0), finest);
    }
    if (asked.tol == 0.0) { // quadratic in the velocity error, until rounding
        double eps = asked.eps_v;
        asked.tol = fmax(eps * eps, fmin(eps, finest_energy));
    }
    return asked;
}

// Outliers over those allowed, half a constraint at least; 0 while they are not more.
static double outliers_over(const cn_accepted *word, const cn_residual *residual)
{
    double allowed = word->outlier_share * residual->count, now = residual->outlier_count;
    return now > allowed ? now / fmax(allowed, 0.5) : 0.0;
}

// By a word: most constraints (8.24), none (8.25), energy.
static double distance_by_word(const cn_accepted *word, const cn_solver_def *def,
                               const cn_residual *residual)
{
    double bulk = residual->err_v_rms / def->eps_v;
    double worst = residual->err_v / (word->worst * def->eps_v);
    double most = fmax(fmax(bulk, worst), residual->err_e / def->tol);
    return fmax(most, outliers_over(word, residual));
}

void cn_acceptance_count(const cn_solver_def *def, cn_solver *s, const cn_problem *p,
                         cn_residual *residual)
{
    const cn_accepted *word = cn_accuracy_row(def->accuracy);
    bool is_asked = def->measure == CN_MEASURE_VELOCITY && word->is_bulk;
    for (int n = 0; n < s->packed_count && is_asked; n++) {
        double w_a = s->W_diag[s->packed[n].a];
        residual->m_max = w_a > 0.0 ? fmax(residual->m_max, 1.0 / w_a) : residual->m_max;
    }
    if (is_asked && word->outlier_share < 1.0 && cn_acceptance_distance(def, residual) <= 1.0) {
        double limit = word->outlier * def->eps_v * residual->v_ref;
        residual->outlier_count = cn_solver_count_above(s, p, s->u, limit);
    }
}

double cn_acceptance_distance(const cn_solver_def *def, const cn_residual *residual)
{
    const cn_accepted *word = cn_accuracy_row(def->accuracy);
    if (def->measure == CN_MEASURE_VELOCITY && word->is_bulk) {
        return distance_by_word(word, def, residual);
    }
    switch (def->measure) {
    case CN_MEASURE_NATURAL:
        return residual->err_natural / def->tol;
    case CN_MEASURE_SCALED:
        return residual->err_scaled / def->tol;
    default:
        return fmax(residual->err_v / def->eps_v, residual->err_e / def->tol);
    }
}

// Velocity by which a word lets a constraint miss its law: a share of the smallest body in a step
// (8.26); 0: it does not say.
static double misfit_most(const cn_solver_def *def, const cn_problem *p)
{
    const cn_accepted *word = cn_accuracy_row(def->accuracy);
    bool is_asked = def->measure == CN_MEASURE_VELOCITY && word->length > 0.0;
    double mu = 0.0;
    if (!is_asked || !(p->length > 0.0) || !(def->h > 0.0)) {
        return 0.0;
    }
    for (int a = 0; a < p->contact_count; a++) {
        mu = p->kind[a] == CN_CORE_CONE ? fmax(mu, p->mu[a]) : mu;
    }
    return word->length * p->length / (def->h * sqrt(1.0 + mu * mu));
}

// What contacts still approach with; where forces are asked for, what they part with although they
// are pushed counts as well (8.28).
static double approach_now(const cn_solve_progress *progress, const cn_approach *approach)
{
    bool is_force = cn_accuracy_row(progress->def->accuracy)->approach > 0.0;
    return is_force ? fmax(approach->now, approach->held) : approach->now;
}

// Errors that are divided by the size of the impulses fall also where these grow for ever, because
// nothing they do stops what approaches, and where bodies are so heavy, or of so different masses,
// that velocities count for nothing beside impulses. An answer must stop nearly all of the
// approach, and halve what zero impulses miss if these are none. Errors in velocities tell of the
// approach, unless it is lost in the rounding of impulses: they need the first limit, too.
void cn_acceptance_begin(cn_solve_progress *progress, cn_solver *s, const cn_problem *p)
{
    progress->miss_most = INFINITY;
    progress->e_most = misfit_most(progress->def, p);
    cn_problem none = *p;
    cn_residual without;
    none.r = s->r_momentum; // free now
    memset(none.r, 0, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    double start = cn_solver_approach(s, &none, p->u_free).start;
    double asked = cn_accuracy_row(progress->def->accuracy)->approach; // (8.28)
    progress->approach_most = start > 0.0 ? (asked > 0.0 ? asked : left_most) * start : INFINITY;
    if (progress->def->measure == CN_MEASURE_VELOCITY) {
        return;
    }
    cn_solver_residual(s, &none, p->u_free, &without);
    bool is_answer = cn_acceptance_distance(progress->def, &without) <= 1.0;
    progress->miss_most = is_answer ? INFINITY : 0.5 * without.miss;
}

double cn_acceptance_approach(const cn_solve_progress *progress, const cn_solver *s,
                              const cn_problem *p, const cn_residual *residual)
{
    double rounding = residual->rounding;
    if (progress->def->measure != CN_MEASURE_VELOCITY) {
        return fmax(cn_solver_approach(s, p, s->u).now - rounding, 0.0);
    }
    // Errors that are too large are told by themselves; and what they allow is no approach.
    double allowed = fmax(progress->approach_most, 5.0 * progress->def->eps_v * residual->v_motion);
    if (cn_acceptance_distance(progress->def, residual) > 1.0) {
        return 0.0;
    }
    cn_approach approach = cn_solver_approach(s, p, s->u);
    double now = fmax(approach_now(progress, &approach), rounding);
    return now > allowed ? now : 0.0;
}

// Velocity by which a constraint breaks its law if nothing moves it.
static double miss_alone(const cn_solver *s, const cn_problem *p, const cn_packed *c)
{
    double most = 0.0;
    for (int k = c->row; k < c->row + c->rows; k++) {
        double u = s->u[k] + cn_row_or_zero(p->b, k);
        most = c->kind == CN_CORE_BILATERAL ? fmax(most, fabs(u)) : most;
    }
    double u_n = s->u[c->row] + cn_row_or_zero(p->b, c->row);
    return c->kind == CN_CORE_CONE ? fmax(-u_n, 0.0) : most;
}

int cn_acceptance_stuck(const cn_solve_progress *progress, const cn_solver *s, const cn_problem *p)
{
    bool is_stored = p->v_floor == 0.0; // in a world constraints that nothing moves take no part
    double rounding = progress->def->eps_v * progress->residual.v_ref;
    for (int n = 0; n < s->packed_count && is_stored; n++) {
        const cn_packed *c = &s->packed[n];
        double most = c->kind == CN_CORE_CONE ? 0.0 : rounding;
        if (!(s->W_diag[c->a] > 0.0) && miss_alone(s, p, c) > most) {
            return c->a;
        }
    }
    return -1;
}

// Takes a criterion that is missed by more than the one before.
static void take(cn_solver_report *report, cn_criterion criterion, double value, double asked)
{
    double before = report->criterion == CN_CRITERION_NONE ? 1.0 : report->value / report->asked;
    if (!(value / asked <= before)) {
        report->criterion = criterion;
        report->value = value;
        report->asked = asked;
    }
}

// By the measure, and by what it may hide.
static void take_missed(const cn_solve_progress *progress, const cn_problem *p,
                        const cn_approach *approach, cn_solver_report *report)
{
    const cn_solver_def *def = progress->def;
    const cn_residual *now = &report->residual;
    const cn_accepted *word = cn_accuracy_row(def->accuracy);
    if (def->measure == CN_MEASURE_VELOCITY && word->is_bulk) {
        take(report, CN_CRITERION_BULK, now->err_v_rms, def->eps_v);
        take(report, CN_CRITERION_VELOCITY, now->err_v, word->worst * def->eps_v);
        take(report, CN_CRITERION_ENERGY, now->err_e, def->tol);
        if (outliers_over(word, now) > 1.0) {
            double share = 1.0 / fmax(now->count, 1.0);
            take(report, CN_CRITERION_OUTLIERS, share * now->outlier_count,
                 fmax(word->outlier_share, 0.5 * share));
        }
    } else if (def->measure == CN_MEASURE_VELOCITY) {
        take(report, CN_CRITERION_VELOCITY, now->err_v, def->eps_v);
        take(report, CN_CRITERION_ENERGY, now->err_e, def->tol);
    } else if (def->measure == CN_MEASURE_NATURAL) {
        take(report, CN_CRITERION_NATURAL, now->err_natural, def->tol);
    } else {
        take(report, CN_CRITERION_SCALED, now->err_scaled, def->tol);
    }
    if (progress->e_most > 0.0) { // in metres
        double slope = cn_accuracy_row(def->accuracy)->length * p->length / progress->e_most;
        take(report, CN_CRITERION_LENGTH, slope * now->e_max, slope * progress->e_most);
    }
    if (progress->miss_most < INFINITY) {
        take(report, CN_CRITERION_APPROACH, now->miss + now->rounding, progress->miss_most);
    }
    if (now->approach > progress->approach_most) {
        double before = report->value;
        take(report, CN_CRITERION_APPROACH, now->approach, progress->approach_most);
        report->at = report->value != before ? approach->worst : report->at;
    }
}

void cn_acceptance_judge(const cn_solve_progress *progress, const cn_solver *s, const cn_problem *p,
                         int stuck, bool is_infeasible, cn_solver_report *report)
{
    report->criterion = CN_CRITERION_NONE;
    report->value = report->asked = 0.0;
    report->at = -1;
    report->is_infeasible = stuck >= 0 || is_infeasible;
    report->is_work_limited =
        !progress->is_interrupted && progress->sweep_count >= progress->def->sweep_max;
    bool is_accepted = cn_progress_distance(progress, &progress->residual) <= 1.0;
    report->is_converged = is_accepted && !report->is_infeasible;
    if (report->is_converged) {
        return;
    }
    cn_approach approach = cn_solver_approach(s, p, s->u);
    report->at = report->residual.worst;
    if (report->is_infeasible) {
        report->criterion = CN_CRITERION_INFEASIBLE;
        report->value = approach.now;
        report->at = report->residual.worst = stuck >= 0 ? stuck : approach.worst;
    } else {
        take_missed(progress, p, &approach, report);
    }
}

const char *cn_criterion_name(cn_criterion criterion)
{
    static const char *const name[CN_CRITERION_COUNT] = {
        [CN_CRITERION_NONE] = "none",
        [CN_CRITERION_VELOCITY] = "residual",
        [CN_CRITERION_ENERGY] = "energy error",
        [CN_CRITERION_NATURAL] = "natural error",
        [CN_CRITERION_SCALED] = "scaled error",
        [CN_CRITERION_APPROACH] = "approach that impulses leave",
        [CN_CRITERION_INFEASIBLE] = "approach that no impulses stop",
        [CN_CRITERION_JOINT] = "joint gap",
        [CN_CRITERION_LAW] = "law residual",
        [CN_CRITERION_BULK] = "mean residual",
        [CN_CRITERION_OUTLIERS] = "share of outliers",
        [CN_CRITERION_LENGTH] = "misfit",
    };
    return (unsigned)criterion < CN_CRITERION_COUNT ? name[criterion] : "unknown";
}
