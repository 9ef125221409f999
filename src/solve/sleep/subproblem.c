// solve/sleep/subproblem.c -- see subproblem.h. A part is a set of bodies; its constraints are all
// that touch one of them. Which bodies it takes, how well it is solved and whether that is enough
// is decided here; extract.h makes it a problem of its own.
#include "solve/sleep/subproblem.h"

#include <math.h>
#include <string.h>

#include "solve/problem/acceptance.h"
#include "solve/problem/error_scale.h"
#include "solve/problem/extract.h"
#include "solve/problem/project.h"
#include "solve/sleep/load_path.h"
#include "solve/sleep/locked.h"

enum {
    LEAST = 100,   // constraints of a whole that is worth a try
    STRIDE = 16,   // of the constraints that are asked first
    SHARE = 4,     // of the whole that a part may be
    MOST = 16384,  // constraints of a part: it has a solver of its own, whose memory is kept
    TRIES = 3,     // each with more neighbours, if it disturbed others
    WORK_MAX = 100 // sweeps over the whole that all tries may cost: where a part needs more than
                   // sweeps so does the whole, and costs as much
};
// Errors of what is disturbed, over those of what is at rest. Less is creep, of all at once.
static const double clearly = 1e2;
// Errors of the part, over those accepted, at first and where that leaves no room for the errors of
// what is left out: far below those of a whole, so that freezing is no error to speak of.
static const double shares[2] = {0.1, 0.02};

// A body may be in, or about to come in.
enum { IS_OUT, IS_IN, COMES_IN };

struct cn_subproblem {
    cn_solver *inner;
    unsigned char *place; // of bodies: in or out
    size_t body_start_capacity;
    cn_extract extract;
    double visits; // to constraints, of all tries
};

void cn_subproblem_destroy(cn_solver *s)
{
    struct cn_subproblem *part = s->subproblem;
    if (part == NULL) {
        return;
    }
    cn_solver_destroy(part->inner);
    cn_extract_release(&part->extract, &s->hooks);
    cn_release(&s->hooks, part->place);
    cn_release(&s->hooks, part);
}

size_t cn_subproblem_bytes(const cn_solver *s)
{
    const struct cn_subproblem *part = s->subproblem;
    return part == NULL ? 0
                        : sizeof *part + part->body_start_capacity +
                              cn_extract_bytes(&part->extract) + cn_solver_bytes(part->inner);
}

static cn_status create_subproblem(cn_solver *s, cn_error *err)
{
    if (s->subproblem != NULL) {
        return CN_OK;
    }
    struct cn_subproblem *part = cn_resize(&s->hooks, NULL, sizeof *part);
    if (part == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a part of the problem");
    }
    memset(part, 0, sizeof *part);
    cn_status status = cn_solver_create(&s->hooks, &part->inner, err);
    if (status != CN_OK) {
        cn_release(&s->hooks, part);
        return status;
    }
    part->inner->is_inner = part->inner->is_whole = true;
    s->subproblem = part;
    return CN_OK;
}

static bool has_impulse(const cn_problem *p, const cn_packed *c)
{
    bool found = false;
    for (int k = c->row; k < c->row + c->rows; k++) {
        found = found || p->r[k] + cn_row_or_zero(p->r0, k) != 0.0;
    }
    return found;
}

// Whether most constraints that carry something meet their laws, by the word of some of them. Those
// that are open tell nothing: a heap that falls is not at rest.
static bool is_calm(const cn_solver *s, const cn_problem *p, const cn_sleep_limits *limits)
{
    int held = 0, missed = 0;
    for (int n = 0; n < s->packed_count; n += STRIDE) {
        bool is_missed = cn_sleep_misses(s, p, s->packed[n].a, limits);
        missed += is_missed;
        held += !is_missed && has_impulse(p, &s->packed[n]);
    }
    return held > 0 && SHARE * missed <= missed + held;
}

static bool is_member(const struct cn_subproblem *part, const int *body)
{
    return (body[0] >= 0 && part->place[body[0]] == IS_IN) ||
           (body[1] >= 0 && part->place[body[1]] == IS_IN);
}

static void invite_bodies(struct cn_subproblem *part, const int *body)
{
    for (int side = 0; side < 2; side++) {
        if (body[side] >= 0 && part->place[body[side]] == IS_OUT) {
            part->place[body[side]] = COMES_IN;
        }
    }
}

static void admit_bodies(struct cn_subproblem *part, const cn_problem *p)
{
    for (int i = 0; i < p->W.factors.body_count; i++) {
        part->place[i] = part->place[i] == COMES_IN ? IS_IN : part->place[i];
    }
}

// Lets in the bodies of constraints outside that miss their laws. Returns how many there are;
// *creeping: those of them by which bodies would creep.
static int add_disturbed(const cn_solver *s, const cn_problem *p, const cn_sleep_limits *limits,
                         struct cn_subproblem *part, int *creeping)
{
    int found = 0;
    *creeping = 0;
    for (int n = 0; n < s->packed_count; n++) {
        int a = s->packed[n].a;
        const int *body = p->W.factors.body + 2 * a;
        if (!is_member(part, body) && cn_sleep_misses(s, p, a, limits)) {
            invite_bodies(part, body);
            found++;
            *creeping += !cn_is_locked(s, p, a);
        }
    }
    admit_bodies(part, p);
    return found;
}

// Lets in, for each body that is in, those that carry it to the ground, one below the other.
static void add_support(const cn_load_path *support, const cn_problem *p,
                        struct cn_subproblem *part)
{
    for (int i = 0; i < p->W.factors.body_count; i++) {
        int below = part->place[i] == IS_IN ? cn_load_path_below(support, p, i) : -1;
        while (below >= 0 && part->place[below] == IS_OUT) {
            part->place[below] = COMES_IN;
            below = cn_load_path_below(support, p, below);
        }
    }
    admit_bodies(part, p);
}

// Lets in what touches a body that is in, so many times.
static void add_neighbours(const cn_solver *s, const cn_problem *p, int times,
                           struct cn_subproblem *part)
{
    for (int k = 0; k < times; k++) {
        for (int n = 0; n < s->packed_count; n++) {
            const int *body = p->W.factors.body + 2 * s->packed[n].a;
            if (is_member(part, body)) {
                invite_bodies(part, body);
            }
        }
        admit_bodies(part, p);
    }
}

// Constraints that a part may have.
static int room_of(const cn_solver *s)
{
    int share = s->packed_count / SHARE;
    return share < MOST ? share : MOST;
}

// Lists the constraints of the part. False: there are too many.
static cn_status list_members(const cn_solver *s, const cn_problem *p, struct cn_subproblem *part,
                              bool *is_listed, cn_error *err)
{
    int most = room_of(s);
    CN_TRY(cn_extract_begin(&part->extract, &s->hooks, p, most, err));
    *is_listed = true;
    for (int n = 0; n < s->packed_count && *is_listed; n++) {
        if (is_member(part, p->W.factors.body + 2 * s->packed[n].a)) {
            *is_listed = part->extract.count < most;
            if (*is_listed) {
                cn_extract_add(&part->extract, p, &s->packed[n]);
            }
        }
    }
    *is_listed = *is_listed && part->extract.count > 0;
    return CN_OK;
}

// Adds one constraint in the variables of its core.
static void add_scale(double w_a, int rows, const double *r, const double *r0, const double *u,
                      const double *b, cn_scale *sum)
{
    double r2 = 0.0, u2 = 0.0;
    for (int k = 0; k < rows; k++) {
        double r_k = r[k] + cn_row_or_zero(r0, k), u_k = u[k] + cn_row_or_zero(b, k);
        r2 += r_k * r_k;
        u2 += u_k * u_k;
    }
    if (w_a > 0.0) {
        cn_scale_add(sum, w_a, r2, u2);
    }
}

static const double *rows_at(const double *rows, int row)
{
    return rows != NULL ? rows + row : NULL;
}

static double energy_of_whole(const cn_solver *s, const cn_problem *p)
{
    cn_scale sum = {0};
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        add_scale(s->W_diag[c->a], c->rows, p->r + c->row, rows_at(p->r0, c->row),
                  p->u_free + c->row, rows_at(p->b, c->row), &sum);
    }
    return cn_scale_energy(&sum);
}

static cn_scale scale_of_part(const cn_solver *s, const struct cn_subproblem *part)
{
    const cn_problem *own = &part->extract.problem;
    cn_scale sum = {0};
    for (int n = 0; n < part->extract.count; n++) {
        int row = own->row_start[n], rows = own->row_start[n + 1] - row;
        add_scale(s->W_diag[part->extract.constraint[n]], rows, own->r + row, rows_at(own->r0, row),
                  own->u_free + row, rows_at(own->b, row), &sum);
    }
    return sum;
}

// What is asked of the part: errors far below those accepted, compared with what those of the part
// are.
static cn_solver_def def_of(const cn_solve_progress *progress, const cn_solver *s,
                            const cn_problem *p, const struct cn_subproblem *part, double share)
{
    cn_scale sum = scale_of_part(s, part);
    double v_ref = progress->residual.v_ref, v_part = cn_scale_velocity(&sum, v_ref);
    double energy = cn_scale_energy(&sum);
    cn_solver_def def = *progress->def;
    def.order = def.order == CN_ORDER_ALTERNATING ? def.order : CN_ORDER_FIXED;
    def.elastic_c = def.contact_stiffness = 0.0;
    def.is_elastic_auto = false;
    def.accuracy = CN_ACCURACY_NUMBER; // of its worst constraint
    def.eps_v *= share * v_ref / v_part;
    def.tol *= share * (energy > 0.0 ? sqrt(energy_of_whole(s, p) / energy) : 1.0);
    return def;
}

// What the solve of a part adds to the record of the whole.
static void add_work(cn_solve_progress *progress, const cn_solver_report *report)
{
    cn_progress_charge(progress, CN_METHOD_SUBPROBLEM);
    progress->sweep_count += report->sweep_count;
    progress->iteration_count += report->iteration_count;
    progress->factorization_count += report->factorization_count;
    progress->mark.sweep_count = progress->sweep_count; // charged to the methods that did it
    progress->mark.iteration_count = progress->iteration_count;
    for (int k = 0; k < CN_METHOD_NAME_COUNT; k++) {
        progress->mark.seconds += report->work[k].seconds;
    }
    cn_work_add(report->work, progress->work);
    for (int k = 0; k < report->chain_count; k++) {
        cn_progress_enter(progress, report->chain[k]);
    }
    progress->work[CN_METHOD_SUBPROBLEM].iteration_count++;
}

// Solves the part, if it takes no more work than a try may; then its impulses are those of p.
static cn_status solve_members(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                               double share, bool *is_solved, cn_error *err)
{
    struct cn_subproblem *part = s->subproblem;
    cn_extract *x = &part->extract;
    CN_TRY(cn_extract_copy(x, &s->hooks, p, s->u, err));
    x->problem.v_floor = progress->residual.v_ref;
    cn_solver_def def = def_of(progress, s, p, part, share);
    double most = fmax(((double)WORK_MAX * s->packed_count - part->visits) / x->count, 1.0);
    def.sweep_max = most < def.sweep_max ? (int)most : def.sweep_max;
    cn_solver_report report;
    cn_error why = {0};
    cn_status status = cn_problem_solve(&x->problem, &def, part->inner, &report, &why);
    if (status != CN_OK && status != CN_BROKEN) {
        return cn_fail(err, status, "%s", why.text);
    }
    part->visits += (double)report.sweep_count * x->count;
    add_work(progress, &report);
    *is_solved = status == CN_OK && report.is_converged;
    if (*is_solved) {
        cn_extract_return(x, p);
    }
    return CN_OK;
}

static void measure_whole(cn_solve_progress *progress, cn_solver *s, const cn_problem *p)
{
    cn_solver_apply(s, p, p->r);
    cn_solver_velocity(s, p, p->r, s->u);
    cn_solver_residual(s, p, s->u, &progress->residual);
    cn_acceptance_count(progress->def, s, p, &progress->residual);
}

// Parts that grow by what they disturb and by neighbours, or are solved better where they disturb
// nothing, until the whole is accepted.
static cn_status grow_members(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                              const cn_sleep_limits *limits, cn_error *err)
{
    struct cn_subproblem *part = s->subproblem;
    bool is_solved = true, is_all_locked;
    double share = shares[0];
    cn_load_path support;
    CN_TRY(cn_load_path_find(s, p, &support, err));
    for (int k = 0; k <= TRIES && is_solved; k++) {
        int creeping, found = add_disturbed(s, p, limits, part, &creeping);
        progress->is_converged =
            k > 0 && creeping == 0 && cn_progress_distance(progress, &progress->residual) <= 1.0;
        if (progress->is_converged || k == TRIES) {
            return CN_OK;
        }
        if (found > 0) {
            add_support(&support, p, part);
            add_neighbours(s, p, k, part);
        } else {
            share = shares[1];
        }
        bool is_listed;
        CN_TRY(list_members(s, p, part, &is_listed, err));
        if (!is_listed) {
            return CN_OK;
        }
        CN_TRY(solve_members(progress, s, p, share, &is_solved, err));
        if (is_solved) {
            measure_whole(progress, s, p);
            CN_TRY(cn_locked_find(s, p, limits->tie, &is_all_locked, err));
        }
    }
    return CN_OK;
}

// A time step of rigid bodies, in which most are at rest.
static bool is_worth(const cn_solve_progress *progress, const cn_solver *s, const cn_problem *p,
                     const cn_sleep_limits *limits)
{
    return !s->is_whole && s->packed_count >= LEAST && p->W.rows.row == NULL &&
           !s->has_moment_rows && p->W.factors.body_count > 0 && p->W.factors.cell == NULL &&
           p->v_floor > 0.0 && progress->def->method == CN_METHOD_AUTO &&
           cn_progress_allows(progress, CN_METHOD_SUBPROBLEM) &&
           progress->def->measure == CN_MEASURE_VELOCITY &&
           progress->residual.e_max > clearly * limits->loose && is_calm(s, p, limits);
}

cn_status cn_subproblem_run(cn_solve_progress *progress, cn_solver *s, const cn_problem *p,
                            const cn_sleep_limits *limits, int *visited, cn_error *err)
{
    size_t bodies = (size_t)p->W.factors.body_count;
    size_t rows_size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    *visited = 0;
    if (p->k != NULL || !is_worth(progress, s, p, limits)) { // bonds reach further than supports
        return CN_OK;
    }
    CN_TRY(create_subproblem(s, err));
    struct cn_subproblem *part = s->subproblem;
    CN_TRY(cn_reserve(&s->hooks, &part->place, &part->body_start_capacity, bodies, err));
    memset(part->place, IS_OUT, bodies);
    part->visits = 0.0;
    cn_solve_progress before = *progress;
    cn_progress_charge(progress, CN_METHOD_SUBPROBLEM);
    CN_TRY(grow_members(progress, s, p, limits, err));
    cn_progress_charge(progress, CN_METHOD_AUTO);
    if (progress->is_converged) {
        *visited = part->extract.count;
        progress->err_best = cn_progress_distance(progress, &progress->residual);
        memcpy(s->r_best, p->r, rows_size);
        return CN_OK;
    }
    before.factorization_count = progress->factorization_count; // work that was done all the same
    memcpy(before.work, progress->work, sizeof before.work);
    memcpy(before.chain, progress->chain, sizeof before.chain);
    before.chain_count = progress->chain_count;
    before.mark.seconds = progress->mark.seconds;
    *progress = before;
    progress->sweeps_in_vain = (int)ceil(part->visits / s->packed_count);
    if (memcmp(p->r, s->r_best, rows_size) != 0) {
        memcpy(p->r, s->r_best, rows_size);
        measure_whole(progress, s, p);
    }
    return CN_OK;
}
