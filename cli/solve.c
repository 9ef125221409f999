// cli/solve.c -- cairn solve: solve stored contact problems and say how well.
//
// The solvers of the library stop on their velocity residual. Here they are called in slices, with
// ever smaller tolerances, until the measure that was asked for is reached; that measure, and with
// it the word "converged", comes from the checker of cairn/problem_file.h, which shares no code
// with them. Slices are counted in sweeps; the clock is read for --max-seconds and for what is
// printed.
#include "command.h"
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct solve_args {
    cn_operands operands;
    const char *solver, *measure, *order, *output;
    double tol, max_seconds;
    int seed;
    bool is_json;
} solve_args;

static const cn_option options[] = {
    {0, "solver", CN_OPTION_TEXT, "NAME", "nncg (default) or nlgs", offsetof(solve_args, solver)},
    {0, "tol", CN_OPTION_NUMBER, "X", "accepted error; default: 1e-8", offsetof(solve_args, tol)},
    {0, "measure", CN_OPTION_TEXT, "NAME",
     "error that must be accepted: natural (default), scaled or velocity",
     offsetof(solve_args, measure)},
    {0, "max-seconds", CN_OPTION_NUMBER, "S",
     "give up on a file after so long; the result then depends on the machine",
     offsetof(solve_args, max_seconds)},
    {0, "order", CN_OPTION_TEXT, "NAME",
     "order of visits: fixed (default), reversed, alternating or random",
     offsetof(solve_args, order)},
    {0, "seed", CN_OPTION_INTEGER, "N", "seed of the random order; default: 0",
     offsetof(solve_args, seed)},
    {0, "json", CN_OPTION_FLAG, NULL, "one JSON object per file and line",
     offsetof(solve_args, is_json)},
    {'o', "output", CN_OPTION_TEXT, "FILE",
     "write the problem in local form with the impulses found", offsetof(solve_args, output)},
    {0},
};

typedef enum measure_kind {
    MEASURE_NATURAL,
    MEASURE_SCALED,
    MEASURE_VELOCITY,
    MEASURE_COUNT
} measure_kind;

static const char *const measure_names[MEASURE_COUNT] = {"natural", "scaled", "velocity"};

// How a file ended. Only one of these words may stand for success.
typedef enum ending {
    ENDING_CONVERGED,
    ENDING_STALLED,    // no progress for long
    ENDING_TIME_LIMIT, // --max-seconds
    ENDING_INFEASIBLE, // a contact that no impulse can close
    ENDING_FAILED,     // numbers that are not finite, no memory
    ENDING_UNREADABLE
} ending;

static const char *const ending_names[] = {"converged",  "stalled", "time_limit",
                                           "infeasible", "failed",  "unreadable"};

// What the command line asks for.
typedef struct solve_request {
    cn_solver_def def;
    measure_kind measure;
    double tol, max_seconds; // max_seconds 0: no limit
} solve_request;

typedef struct outcome {
    const char *path;
    int dim, contacts;
    int sweeps;
    cn_problem_errors errors;
    double seconds_setup, seconds_solve;
    ending ending;
    cn_status status; // of the call that failed
    cn_error err;
} outcome;

// Sweeps of the first slice, of the longest, and without halving the best error before giving up.
// With a time limit some sweeps come first, to be timed.
enum { SLICE_TIMED = 16, SLICE_FIRST = 512, SLICE_MAX = 16384, PATIENCE = 40000 };

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double error_of(const cn_problem_errors *errors, measure_kind measure)
{
    const double error[MEASURE_COUNT] = {errors->natural, errors->scaled, errors->velocity};
    return error[measure];
}

// One file on its way: the best impulses seen and what the next slice is.
typedef struct attempt {
    const solve_request *request;
    cn_problem_file *file;
    cn_problem *problem;
    cn_solver *solver;
    double *r_best;
    double eps; // tolerance handed to the solver
    int slice;
    int sweep_halved;    // when the best error last halved
    double error_halved; // what it was then
    double start;
    bool has_best;
} attempt;

// Keeps the impulses if they are the best so far.
static void keep_best(attempt *a, const cn_problem_errors *errors, outcome *o)
{
    double error = error_of(errors, a->request->measure);
    size_t size = sizeof(double) * (size_t)a->problem->row_start[a->problem->contact_count];
    if (!a->has_best || error < error_of(&o->errors, a->request->measure)) {
        a->has_best = true;
        o->errors = *errors;
        memcpy(a->r_best, a->problem->r, size);
    }
    if (!(error_of(&o->errors, a->request->measure) > 0.5 * a->error_halved)) {
        a->error_halved = error_of(&o->errors, a->request->measure);
        a->sweep_halved = o->sweeps;
    }
}

// Sweeps of the next slice: no more than fit in the time that is left.
static int next_slice(const attempt *a, const outcome *o)
{
    double limit = a->request->max_seconds, spent = seconds_now() - a->start;
    if (limit == 0.0 || o->sweeps == 0) {
        return limit == 0.0 ? a->slice : SLICE_TIMED;
    }
    double fit = (limit - spent) * o->sweeps / fmax(spent, 1e-9);
    return fit < 2.0 ? 2 : (fit < a->slice ? (int)fit : a->slice);
}

// One slice and its check. False: the file is done, o->ending says how.
static bool go_on(attempt *a, outcome *o)
{
    cn_solver_def def = a->request->def;
    cn_solver_report report = {0};
    cn_problem_errors errors;
    def.eps_v = def.tol = a->eps;
    def.sweep_max = next_slice(a, o);
    o->status = cn_problem_solve(a->problem, &def, a->solver, &report, &o->err);
    o->sweeps += report.sweep_count;
    bool is_reached = o->status == CN_OK;
    if (o->status == CN_OK || o->status == CN_NOT_CONVERGED) {
        o->status = cn_problem_file_check(a->file, a->problem->r, NULL, &errors, &o->err);
    }
    if (o->status != CN_OK) {
        o->ending = ENDING_FAILED;
        return false;
    }
    keep_best(a, &errors, o);
    if (error_of(&o->errors, a->request->measure) <= a->request->tol) {
        o->ending = ENDING_CONVERGED;
        return false;
    }
    if (o->sweeps - a->sweep_halved > PATIENCE || a->eps < 1e-30) {
        o->ending = ENDING_STALLED;
        return false;
    }
    if (a->request->max_seconds > 0.0 && seconds_now() - a->start >= a->request->max_seconds) {
        o->ending = ENDING_TIME_LIMIT;
        return false;
    }
    if (is_reached) {
        a->eps *= 0.1;
    } else if (def.sweep_max == a->slice && a->slice < SLICE_MAX) {
        a->slice *= 2;
    }
    return true;
}

static void solve(const solve_request *request, cn_problem_file *file, outcome *o)
{
    attempt a = {.request = request,
                 .file = file,
                 .problem = cn_problem_file_problem(file),
                 .eps = fmin(100.0 * request->tol, 1e-2),
                 .slice = SLICE_FIRST,
                 .error_halved = INFINITY,
                 .start = seconds_now()};
    size_t size = sizeof(double) * (size_t)a.problem->row_start[a.problem->contact_count];
    o->status = cn_problem_file_check(file, a.problem->r, NULL, &o->errors, &o->err);
    if (o->status != CN_OK) {
        o->ending = ENDING_FAILED;
        return;
    }
    if (o->errors.infeasible >= 0) {
        cn_fail(&o->err, CN_BAD_INPUT, "contact %d approaches, but its normal row of W is zero",
                o->errors.infeasible);
        o->ending = ENDING_INFEASIBLE;
        return;
    }
    a.r_best = malloc(size + 1);
    o->status = a.r_best != NULL
                    ? cn_solver_create(NULL, &a.solver, &o->err)
                    : cn_fail(&o->err, CN_NO_MEMORY, "out of memory for %zu bytes", size);
    o->ending = ENDING_FAILED;
    while (o->status == CN_OK && go_on(&a, o)) {
    }
    if (a.has_best) {
        memcpy(a.problem->r, a.r_best, size);
    }
    cn_solver_destroy(a.solver);
    free(a.r_best);
    o->seconds_solve = seconds_now() - a.start;
}

static cn_status write_answer(const char *path, const char *from, cn_problem_file *file,
                              const outcome *o, cn_error *err)
{
    char text[512];
    const cn_problem_info *info = cn_problem_file_info(file);
    snprintf(text, sizeof text, "%s; errors of /solution: natural %.3g, scaled %.3g", from,
             o->errors.natural, o->errors.scaled);
    cn_problem_note note = {.title = info->title,
                            .description = info->description,
                            .math_info = text,
                            .with_solution = true};
    return cn_problem_write(path, cn_problem_file_problem(file), &note, err);
}

// Solves one file; with an output, writes it.
static outcome solve_file(const solve_request *request, const char *path, const char *output)
{
    outcome o = {.path = path, .ending = ENDING_UNREADABLE};
    o.errors.natural = o.errors.scaled = o.errors.velocity = NAN;
    double start = seconds_now();
    cn_problem_file *file = NULL;
    o.status = cn_problem_file_read(path, &file, &o.err);
    o.seconds_setup = seconds_now() - start;
    if (o.status != CN_OK) {
        return o;
    }
    const cn_problem_info *info = cn_problem_file_info(file);
    o.dim = info->space_dim;
    o.contacts = info->contact_count;
    solve(request, file, &o);
    cn_error err = {0};
    if (output != NULL && o.status == CN_OK &&
        (o.status = write_answer(output, path, file, &o, &err)) != CN_OK) {
        o.err = err;
    }
    cn_problem_file_destroy(file);
    return o;
}

// A symmetric sweep of NNCG is one iteration.
static int iterations_of(const solve_request *request, const outcome *o)
{
    return request->def.method == CN_METHOD_NNCG ? (o->sweeps + 1) / 2 : o->sweeps;
}

static void print_json(const solve_request *request, const outcome *o)
{
    cn_json json = cn_json_begin(stdout);
    cn_json_text(&json, "file", o->path);
    cn_json_integer(&json, "dim", o->dim);
    cn_json_integer(&json, "contacts", o->contacts);
    cn_json_text(&json, "solver", cn_method_name(request->def.method));
    cn_json_integer(&json, "iterations", iterations_of(request, o));
    cn_json_number(&json, "err_natural", o->errors.natural);
    cn_json_number(&json, "err_scaled", o->errors.scaled);
    cn_json_number(&json, "err_velocity", o->errors.velocity);
    cn_json_number(&json, "seconds_setup", o->seconds_setup);
    cn_json_number(&json, "seconds_solve", o->seconds_solve);
    cn_json_text(&json, "status", ending_names[o->ending]);
    cn_json_end(&json);
}

static void print_line(const solve_request *request, const outcome *o)
{
    printf("%3d %8d  %-6s %10d  %9.2e %9.2e  %8.4f %8.4f  %-11s %s\n", o->dim, o->contacts,
           cn_method_name(request->def.method), iterations_of(request, o), o->errors.natural,
           o->errors.scaled, o->seconds_setup, o->seconds_solve, ending_names[o->ending], o->path);
}

// Exit code of one file, with its sentence on stderr if there is one to say.
static int judge(const outcome *o)
{
    switch (o->ending) {
    case ENDING_INFEASIBLE:
    case ENDING_FAILED:
        fflush(stdout);
        fprintf(stderr, "cairn solve: error: %s: %s\n", o->path, o->err.text);
        return o->ending == ENDING_FAILED ? CN_EXIT_FAILED : CN_EXIT_INPUT;
    case ENDING_STALLED:
    case ENDING_TIME_LIMIT:
        return o->status == CN_OK ? CN_EXIT_FAILED
                                  : cn_command_fail(&cn_command_solve, o->status, &o->err);
    case ENDING_CONVERGED:
    case ENDING_UNREADABLE:
        break;
    }
    return cn_command_fail(&cn_command_solve, o->status, &o->err);
}

// Place of a word in a list, -1 if it is not there.
static int find_word(const char *word, int count, const char *(*name)(int))
{
    for (int k = 0; k < count; k++) {
        if (strcmp(word, name(k)) == 0) {
            return k;
        }
    }
    return -1;
}

static const char *name_of_method(int k)
{
    return cn_method_name((cn_method)k);
}

static const char *name_of_order(int k)
{
    return cn_order_name((cn_order)k);
}

static const char *name_of_measure(int k)
{
    return measure_names[k];
}

static int make_request(const solve_args *args, solve_request *request)
{
    const cn_command *command = &cn_command_solve;
    int method = find_word(args->solver, CN_METHOD_COUNT, name_of_method);
    int order = find_word(args->order, CN_ORDER_COUNT, name_of_order);
    int chosen = find_word(args->measure, MEASURE_COUNT, name_of_measure);
    if (method < 0) {
        return cn_usage_error(command, "--solver is nncg or nlgs, not '%s'", args->solver);
    }
    if (order < 0) {
        return cn_usage_error(
            command, "--order is fixed, reversed, alternating or random, not '%s'", args->order);
    }
    if (chosen < 0) {
        return cn_usage_error(command, "--measure is natural, scaled or velocity, not '%s'",
                              args->measure);
    }
    if (!(args->tol > 0.0) || !(args->max_seconds >= 0.0)) {
        return cn_usage_error(command, "--tol %g and --max-seconds %g must be > 0", args->tol,
                              args->max_seconds);
    }
    if (args->output != NULL && args->operands.count > 1) {
        return cn_usage_error(command, "--output takes the answer of one FILE, got %d",
                              args->operands.count);
    }
    *request = (solve_request){.def = cn_solver_def_default(),
                               .measure = (measure_kind)chosen,
                               .tol = args->tol,
                               .max_seconds = args->max_seconds};
    request->def.method = (cn_method)method;
    request->def.order = (cn_order)order;
    request->def.seed = (uint64_t)args->seed;
    return CN_PARSE_GO;
}

static int run(int argc, char **argv)
{
    solve_args args = {.solver = "nncg", .measure = "natural", .order = "fixed", .tol = 1e-8};
    solve_request request;
    int code = cn_options_parse(&cn_command_solve, argc, argv, &args);
    if (code == CN_PARSE_GO) {
        code = make_request(&args, &request);
    }
    if (code != CN_PARSE_GO) {
        return code;
    }
    if (!args.is_json) {
        printf("dim contacts  solver iterations    natural    scaled  set-up s  solve s  status    "
               "  file\n");
    }
    code = CN_EXIT_OK;
    for (int k = 0; k < args.operands.count; k++) {
        outcome o = solve_file(&request, args.operands.item[k], args.output);
        if (args.is_json) {
            print_json(&request, &o);
        } else {
            print_line(&request, &o);
        }
        fflush(stdout);
        int own = judge(&o);
        code = own > code ? own : code;
    }
    return code;
}

const cn_command cn_command_solve = {
    .name = "solve",
    .operands = "FILE...",
    .operand_least = 1,
    .operand_most = 1 << 20,
    .help = "solve stored contact problems (FCLIB files) and certify the answer",
    .details =
        "Reads local and global problems of the FCLIB layout (docs/formats.md). The errors are "
        "those of\n"
        "an independent checker; status converged means that the chosen one is at most --tol. One\n"
        "iteration is a sweep of nlgs, a forward and a backward sweep of nncg. Exit code 0 only if "
        "every\n"
        "file converged, 1 if one did not, 3 or 4 if one cannot be used.",
    .option = options,
    .run = run,
};
