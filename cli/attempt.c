// cli/attempt.c -- solve, check, ask for more.
#include "attempt.h"

#include "options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *cn_ending_name(cn_ending ending)
{
    static const char *const name[] = {"converged",   "stalled", "time_limit", "infeasible",
                                       "unsupported", "failed",  "unreadable"};
    return name[ending];
}

const char *cn_start_name(int start)
{
    static const char *const name[CN_START_COUNT] = {"zero", "guess", "solution"};
    return name[start];
}

double cn_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cn_request cn_request_make(cn_method method, cn_measure measure, double tol)
{
    cn_request request = {.def = cn_solver_def_default(), .tol = tol};
    request.def.method = method;
    request.def.measure = measure;
    request.def.eps_v = tol;
    request.def.tol = measure == CN_MEASURE_VELOCITY ? 1e300 : tol; // err_e is not asked for
    request.def.sweep_max = 1000000; // patience limits the work long before
    return request;
}

static double chosen_error(const cn_problem_errors *errors, cn_measure measure)
{
    const double error[CN_MEASURE_COUNT] = {[CN_MEASURE_VELOCITY] = errors->velocity,
                                            [CN_MEASURE_NATURAL] = errors->natural,
                                            [CN_MEASURE_SCALED] = errors->scaled};
    return error[measure];
}

// The error that must be accepted, or a share of what contacts approach with: it is the larger only
// for friction above WIDE, where the error does not show it.
static double error_of(const cn_problem_errors *errors, cn_measure measure)
{
    const double WIDE = 16.0;
    double error = chosen_error(errors, measure), approach = errors->approach[measure] / WIDE;
    return approach > error ? approach : error; // what is not a number stays so
}

// Whether the answer stops the bodies at least by half, and nearly all of what approaches. The
// error in velocities is divided by velocities, and needs no such guard.
static bool is_help(const cn_outcome *o, cn_measure measure)
{
    const double left_most = 0.05;
    return measure == CN_MEASURE_VELOCITY ||
           (o->errors.miss + o->errors.rounding <= 0.5 * o->zero.miss &&
            o->errors.left <= left_most);
}

// Whether impulses have grown until the error over their size is small, and stop nothing.
static bool is_without_bound(const cn_outcome *o, cn_measure measure)
{
    const double grown = 1e-6;
    return !is_help(o, measure) && o->errors.scaled <= grown * o->zero.scaled;
}

// When to stop a file; asked by the solver.
typedef struct deadline {
    double seconds; // infinite: never
    bool is_over;
} deadline;

static bool is_over(void *context)
{
    deadline *d = context;
    d->is_over = d->is_over || (d->seconds < INFINITY && cn_seconds_now() >= d->seconds);
    return d->is_over;
}

// Adds the methods that ran, each name once in a row.
static void add_chain(const cn_solver_report *report, cn_outcome *o)
{
    if (!o->has_run && report->chain_count > 0) {
        o->has_run = true;
        o->solver[0] = '\0';
    }
    for (int m = 0; m < CN_METHOD_NAME_COUNT; m++) {
        o->iterations_of[m] += report->work[m].iteration_count;
        o->seconds_of[m] += report->work[m].seconds;
    }
    for (int k = 0; k < report->chain_count; k++) {
        const char *name = cn_method_name(report->chain[k]);
        const char *last = strrchr(o->solver, '>');
        last = last != NULL ? last + 1 : o->solver;
        size_t length = strlen(o->solver);
        if (strcmp(last, name) != 0) {
            snprintf(o->solver + length, sizeof o->solver - length, "%s%s", length > 0 ? ">" : "",
                     name);
        }
    }
}

// One call of the solver and its check. False: the file is done, o->ending says how.
static bool go_on(const cn_request *request, cn_solver_def *def, cn_problem_file *file,
                  cn_solver *solver, cn_outcome *o)
{
    cn_problem *problem = cn_problem_file_problem(file);
    cn_solver_report report = {0};
    double start = cn_seconds_now();
    cn_status solved = cn_problem_solve(problem, def, solver, &report, &o->err);
    o->seconds_solver += cn_seconds_now() - start;
    o->iterations += report.iteration_count;
    o->sweeps += report.sweep_count;
    o->is_factor_refused = o->is_factor_refused || report.is_factor_refused;
    o->is_infeasible = report.is_infeasible;
    def->sweep_max -= report.sweep_count < def->sweep_max ? report.sweep_count : def->sweep_max - 1;
    add_chain(&report, o);
    o->ending = solved == CN_BAD_INPUT ? CN_ENDING_UNSUPPORTED : CN_ENDING_FAILED;
    o->status = solved;
    if (solved == CN_OK) {
        o->status = cn_problem_file_check(file, problem->r, NULL, &o->errors, &o->err);
    }
    if (o->status != CN_OK) {
        return false;
    }
    const deadline *limit = def->context;
    if (error_of(&o->errors, def->measure) <= request->tol && is_help(o, def->measure)) {
        o->ending = CN_ENDING_CONVERGED;
    } else {
        o->ending = limit->is_over ? CN_ENDING_TIME_LIMIT : CN_ENDING_STALLED;
        o->is_hidden =
            chosen_error(&o->errors, def->measure) <= request->tol && is_help(o, def->measure);
    }
    // The two do not agree: rounding, or a global problem, whose error has one term more and
    // another size to divide by.
    double ratio = request->tol / error_of(&o->errors, def->measure);
    double less = is_help(o, def->measure) ? fmax(0.9 * ratio, 0.1) : 0.1;
    def->eps_v *= less;
    def->tol *= less;
    bool is_lost = !(o->errors.rounding <= 0.5 * o->zero.miss); // no more can be known
    return report.is_converged && o->ending == CN_ENDING_STALLED && def->tol > 1e-30 && !is_lost;
}

static void set_start(const cn_request *request, cn_problem_file *file)
{
    cn_problem *p = cn_problem_file_problem(file);
    size_t size = sizeof *p->r * (size_t)p->row_start[p->contact_count];
    const double *r = request->start == CN_START_GUESS      ? cn_problem_file_guess(file)
                      : request->start == CN_START_SOLUTION ? cn_problem_file_solution(file)
                                                            : NULL;
    if (r != NULL) {
        memcpy(p->r, r, size);
    } else {
        memset(p->r, 0, size);
    }
}

// Judges zero impulses, before the first sweep. False: the file is done.
static bool check_start(const cn_request *request, cn_problem_file *file, cn_outcome *o)
{
    const cn_problem *p = cn_problem_file_problem(file);
    memset(p->r, 0, sizeof *p->r * (size_t)p->row_start[p->contact_count]);
    o->status = cn_problem_file_check(file, p->r, NULL, &o->errors, &o->err);
    o->zero = o->errors;
    if (o->status != CN_OK) {
        o->ending = CN_ENDING_FAILED;
        return false;
    }
    if (o->errors.infeasible >= 0) {
        o->status =
            cn_fail(&o->err, CN_BAD_INPUT, "contact %d approaches, but its normal row of W is zero",
                    o->errors.infeasible);
        o->ending = CN_ENDING_INFEASIBLE;
        return false;
    }
    if (chosen_error(&o->errors, request->def.measure) <= request->tol) { // nothing to be halved
        o->zero.miss = INFINITY;
    }
    return true;
}

// Whether the impulses to start from, where the file has some, are an answer as they stand.
static bool is_answer(const cn_request *request, cn_problem_file *file, cn_outcome *o)
{
    if (request->start == CN_START_ZERO) {
        return false;
    }
    const double *r = cn_problem_file_problem(file)->r;
    cn_problem_errors errors;
    bool is_checked = cn_problem_file_check(file, r, NULL, &errors, &o->err) == CN_OK;
    if (is_checked && error_of(&errors, request->def.measure) <= request->tol &&
        is_help(&(cn_outcome){.errors = errors, .zero = o->zero}, request->def.measure)) {
        o->errors = errors;
        o->ending = CN_ENDING_CONVERGED;
        return true;
    }
    return false;
}

void cn_attempt(const cn_request *request, cn_problem_file *file, cn_outcome *o)
{
    double start = cn_seconds_now();
    *o = (cn_outcome){.status = CN_OK};
    o->errors.natural = o->errors.scaled = o->errors.velocity = NAN;
    snprintf(o->solver, sizeof o->solver, "%s", cn_method_name(request->def.method));
    if (!check_start(request, file, o)) {
        return;
    }
    set_start(request, file);
    if (is_answer(request, file, o)) {
        o->seconds = cn_seconds_now() - start;
        return;
    }
    deadline limit = {request->max_seconds > 0.0 ? start + request->max_seconds : INFINITY, false};
    cn_solver_def def = request->def;
    def.is_interrupted = is_over;
    def.context = &limit;
    cn_solver *solver = NULL;
    o->status = cn_solver_create(NULL, &solver, &o->err);
    o->ending = CN_ENDING_FAILED;
    while (o->status == CN_OK && go_on(request, &def, file, solver, o)) {
    }
    if (o->ending == CN_ENDING_STALLED &&
        (o->is_infeasible || is_without_bound(o, request->def.measure))) {
        o->ending = CN_ENDING_INFEASIBLE;
        o->status = cn_fail(&o->err, CN_BAD_INPUT,
                            "impulses grow without bound and stop nothing: there is no solution");
    }
    cn_solver_destroy(solver);
    o->seconds = cn_seconds_now() - start;
}

static const char *name_of_method(int k)
{
    return cn_method_name((cn_method)k);
}

int cn_method_named(const char *name)
{
    return cn_find_word(name, CN_METHOD_COUNT, name_of_method);
}

const char *cn_method_list(char *names, size_t size)
{
    size_t length = 0;
    names[0] = '\0';
    for (int k = 0; k < CN_METHOD_COUNT && length < size; k++) {
        length += (size_t)snprintf(names + length, size - length, "%s%s", k > 0 ? " " : "",
                                   cn_method_name((cn_method)k));
    }
    return names;
}
